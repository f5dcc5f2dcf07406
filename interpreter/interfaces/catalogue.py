"""The shipped rulesets at a glance, without reading them through: `houserules list` has to be quick."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from interpreter.base.diagnostics import Report
from interpreter.base.resources import find
from interpreter.base.signs import on_one_line
from interpreter.language.source import Listing, Mapping, Node, Scalar, parse_head, read_file

MOST_PLAYERS = 16
"""The most that any game is for."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The head of a ruleset. players: how many can play, in order; none where the head does not say."""

    id: str
    name: str
    players: tuple[int, ...]
    extends: str


def entries() -> list[Entry]:
    """All shipped rulesets in order of id; one that cannot be read has its id, and what could be read of it."""
    found = {path.stem: _head(path) for path in find("rulesets").glob("*.yaml")}
    return [_completed(entry, found) for _, entry in sorted(found.items())]


def _head(path: Path) -> Entry:
    """What a ruleset says of itself, read up to where name and players are known: mostly in its first lines."""
    name, extends = "", ""
    players: tuple[int, ...] = ()
    for key, value in parse_head(read_file(path, Report()) or "", str(path)):
        match key:
            case "name":
                name = on_one_line(_text(value))
            case "extends":
                extends = _text(value)
            case "players":
                players = _numbers(value)
        if name and players:
            break
    return Entry(path.stem, name or path.stem, players, extends)


def _text(value: Node) -> str:
    return value.text.strip() if isinstance(value, Scalar) else ""


def _numbers(value: Node) -> tuple[int, ...]:
    """How many can play: `only` some numbers, or all from `min` to `max`."""
    if not isinstance(value, Mapping):
        return ()
    only = value.get("only")
    if isinstance(only, Listing):
        return tuple(sorted(node.value for node in only.items if isinstance(node, Scalar) and type(node.value) is int))
    ends = [node.value for node in map(value.get, ("min", "max")) if isinstance(node, Scalar)]
    low, high = ends if len(ends) == 2 else (None, None)
    return tuple(range(low, min(high, MOST_PLAYERS) + 1)) if type(low) is int and type(high) is int else ()


def _completed(entry: Entry, among: dict[str, Entry]) -> Entry:
    """A ruleset that extends another has its players, unless it says its own."""
    base, seen = entry, {entry.id}
    while not base.players and base.extends in among and base.extends not in seen:
        base = among[base.extends]
        seen.add(base.id)
    return Entry(entry.id, entry.name, base.players, entry.extends)
