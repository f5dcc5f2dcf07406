"""What has changed between two pieces of JSON data, so that only that is sent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Change = list[Any]
"""[path, value], or [path] for what is gone; the path lists keys, and indexes of lists from 0."""


def changes(old: Any, new: Any) -> list[Change]:
    """What makes `new` of `old`, to be carried out in order. Mappings and lists of equal length are looked into."""
    found: list[Change] = []
    if old is not new and old != new:
        _compare(old, new, [], found)
    return found


def _compare(old: Any, new: Any, path: list[str | int], found: list[Change]) -> None:
    """Of two things that are different."""
    pairs: Iterable[tuple[str | int, Any, Any]]
    if type(old) is dict and type(new) is dict:
        if old.keys() == new.keys():
            pairs = [(key, before, new[key]) for key, before in old.items()]
        else:
            found += [[[*path, key]] for key in old if key not in new]
            found += [[[*path, key], value] for key, value in new.items() if key not in old]
            pairs = [(key, before, new[key]) for key, before in old.items() if key in new]
    elif type(old) is list and type(new) is list and len(old) == len(new) and old and type(old[0]) in (dict, list):
        pairs = zip(range(len(old)), old, new, strict=True)
    else:
        found.append([path, new])
        return
    for key, before, now in pairs:
        if before is not now and before != now:
            if type(now) in (dict, list):
                _compare(before, now, [*path, key], found)
            else:
                found.append([[*path, key], now])


def changed(old: Any, found: list[Change]) -> Any:
    """The data with the changes made; `old` stays as it is."""
    for path, *value in found:
        old = _with(old, path, value)
    return old


def _with(old: Any, path: list[Any], value: list[Any]) -> Any:
    if not path:
        return value[0]
    new = old.copy()
    key, *rest = path
    if not rest and not value:
        del new[key]
    else:
        new[key] = _with(old.get(key) if type(old) is dict else old[key], rest, value)
    return new
