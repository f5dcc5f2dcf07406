"""The shipped rulesets at a glance, without reading them through: `houserules list` has to be quick."""

from __future__ import annotations

import re
from dataclasses import dataclass

from interpreter.base.resources import find


@dataclass(frozen=True, slots=True)
class Entry:
    """The head of a ruleset. players: fewest and most, or None where the head does not say."""

    id: str
    name: str
    players: tuple[int, int] | None
    extends: str


def entries() -> list[Entry]:
    """All shipped rulesets in order of id."""
    found = {
        path.stem: _head(path.stem, path.read_text("utf-8", "replace")) for path in find("rulesets").glob("*.yaml")
    }
    return [_completed(entry, found) for _, entry in sorted(found.items())]


def _head(stem: str, text: str) -> Entry:
    block = re.search(r"^players:(.*(?:\n(?:[ \t].*)?)*)", text, re.MULTILINE)
    bounds = [re.search(rf"\b{key}: *(\d+)", block[1]) if block else None for key in ("min", "max")]
    low, high = (int(found[1]) if found else None for found in bounds)
    players = (low, high) if low is not None and high is not None else None
    return Entry(stem, _scalar(text, "name") or stem, players, _scalar(text, "extends"))


def _scalar(text: str, key: str) -> str:
    """The value of a key at the left margin, without quotes and comment."""
    found = re.search(rf"^{key}: *(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\n]*?))(?: +#.*)?\r?$", text, re.MULTILINE)
    return next((part.strip() for part in found.groups() if part is not None), "") if found else ""


def _completed(entry: Entry, among: dict[str, Entry]) -> Entry:
    """A ruleset that extends another has its players, unless it says its own."""
    base, seen = entry, {entry.id}
    while base.players is None and base.extends in among and base.extends not in seen:
        base = among[base.extends]
        seen.add(base.id)
    return Entry(entry.id, entry.name, base.players, entry.extends)
