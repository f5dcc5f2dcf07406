"""What has changed between two pieces of JSON data, so that only that is sent."""

from __future__ import annotations

from itertools import compress, count
from operator import is_not
from typing import Any

Change = list[Any]
"""[path, value], [path] for what is gone, or [path, at, number, entries] for entries of a list that have taken the
place of so many from one on; the path lists keys, and indexes of lists from 0."""

_NOTHING = object()
_LOOKED_INTO = frozenset({dict, list})
"""What a list consists of where it is told which of its entries has changed, and how."""


def changes(old: Any, new: Any) -> list[Change]:
    """What makes `new` of `old`, to be carried out in order. Mappings are looked into, and lists of such."""
    found: list[Change] = []
    if old is not new:
        _compare(old, new, (), found)
    return found


def _compare(old: Any, new: Any, path: tuple[str | int, ...], found: list[Change]) -> None:
    """Of two things that are not the same one, though perhaps equal: each is looked at once."""
    if type(new) is dict and type(old) is dict:
        fresh, get = 0, old.get
        for key, now in new.items():
            before = get(key, _NOTHING)
            if before is not now:
                fresh += before is _NOTHING
                _compare_at(key, before, now, path, found)
        if len(old) + fresh > len(new):
            found += [[[*path, key]] for key in old if key not in new]
    elif type(new) is list and type(old) is list and new and old and type(new[0]) in _LOOKED_INTO:
        if len(old) != len(new):
            old = _aligned(old, new, path, found)
            if old is new:
                return
        for at in compress(count(), map(is_not, old, new)):
            _compare_at(at, old[at], new[at], path, found)
    elif old != new:
        found.append([list(path), new])


def _compare_at(key: str | int, old: Any, new: Any, path: tuple[str | int, ...], found: list[Change]) -> None:
    """Of two things that are not the same one and stand at the same place."""
    kind = type(new)
    if kind is dict or (kind is list and new and type(new[0]) in _LOOKED_INTO):
        _compare(old, new, (*path, key), found)
    elif old != new:
        found.append([[*path, key], new])


def _aligned(old: list[Any], new: list[Any], path: tuple[str | int, ...], found: list[Change]) -> list[Any]:
    """A list with the entries of another one at their places: those of the same name at both ends stay, and what lies
    between takes the place of what lay there. Where no entry stays it is the other list."""
    least = len(old)
    if least < len(new) and old == new[:least]:  # entries have come behind all others, as in a trick
        found.append([list(path), least, 0, new[least:]])
        return new
    least = min(least, len(new))
    before = next((at for at in range(least) if _name(old[at]) != _name(new[at])), least)
    left = range(1, least - before + 1)
    behind = next((at - 1 for at in left if _name(old[-at]) != _name(new[-at])), least - before)
    if not before + behind:
        found.append([list(path), new])
        return new
    come = new[before : len(new) - behind]
    found.append([list(path), before, len(old) - before - behind, come])
    return [*old[:before], *come, *old[len(old) - behind :]]


def _name(entry: Any) -> Any:
    """By what an entry of a list is known again."""
    return entry.get("id", entry) if type(entry) is dict else entry
