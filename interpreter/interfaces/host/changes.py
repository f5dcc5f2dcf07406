"""What has changed between two pieces of JSON data, so that only that is sent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

Change = list[Any]
"""[path, value], or [path] for what is gone; the path lists keys, and indexes of lists from 0."""

_NOTHING = object()
_LOOKED_INTO = frozenset({dict, list})
"""What a list consists of where it is told which of its entries has changed, and how."""


def changes(old: Any, new: Any) -> list[Change]:
    """What makes `new` of `old`, to be carried out in order. Mappings and lists of equal length are looked into."""
    found: list[Change] = []
    if old is not new:
        _compare(old, new, (), found)
    return found


def _compare(old: Any, new: Any, path: tuple[str | int, ...], found: list[Change]) -> None:
    """Of two things that are not the same one, though perhaps equal: each is looked at once."""
    if type(new) is dict and type(old) is dict:
        kept, pairs = 0, cast("Iterable[tuple[Any, Any]]", new.items())
    elif type(new) is list and type(old) is list and len(old) == len(new) and new and type(new[0]) in _LOOKED_INTO:
        kept, pairs = -1, enumerate(new)
    else:
        if old != new:
            found.append([list(path), new])
        return
    for key, now in pairs:
        if kept < 0:
            before = old[key]
        else:
            before = old.get(key, _NOTHING)
            kept += before is not _NOTHING
        if before is now:
            continue
        kind = type(now)
        if kind is dict or (kind is list and now and type(now[0]) in _LOOKED_INTO):
            _compare(before, now, (*path, key), found)
        elif before != now:
            found.append([[*path, key], now])
    if 0 <= kept < len(old):
        found += [[[*path, key]] for key in old if key not in new]


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
