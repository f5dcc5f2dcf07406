"""What has changed between two pieces of JSON data, so that only that is sent."""

from __future__ import annotations

from typing import Any

Change = list[Any]
"""[path, value], or [path] for what is gone; the path lists keys, and indexes of lists from 0."""


def changes(old: Any, new: Any) -> list[Change]:
    """What makes `new` of `old`, to be carried out in order. Mappings and lists of equal length are looked into."""
    found: list[Change] = []
    if old != new:
        _compare(old, new, [], found)
    return found


def _compare(old: Any, new: Any, path: list[str | int], found: list[Change]) -> None:
    if type(old) is dict and type(new) is dict:
        for key in old:
            if key not in new:
                found.append([[*path, key]])
        for key, value in new.items():
            if key not in old:
                found.append([[*path, key], value])
            elif old[key] is not value and old[key] != value:
                _compare(old[key], value, [*path, key], found)
    elif type(old) is list and type(new) is list and len(old) == len(new) and old and type(old[0]) in (dict, list):
        for at, (one, other) in enumerate(zip(old, new, strict=True)):
            if one is not other and one != other:
                _compare(one, other, [*path, at], found)
    else:
        found.append([path, new])


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
