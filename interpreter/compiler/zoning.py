"""Zones as the program knows them: their places, who sees what lies there, limits and refills."""

from __future__ import annotations

from typing import Any

from interpreter.compiler.layout import Layout
from interpreter.engine.events import ALL, Passages, Way
from interpreter.engine.program import ZoneCode
from interpreter.language import typed as t
from interpreter.language.model import Model
from interpreter.language.typed import Typed

MOST_PLACES = 100
"""Of so many places it is kept who sees a card that goes from each to each."""
Names = dict[str, Any]
"""The functions of the generated text."""


class Zoning:
    """The zones of one game."""

    def __init__(self, model: Model, layout: Layout, kept: dict[str, str]) -> None:
        self.model = model
        self.layout = layout
        self.kept = kept

    def place_labels(self) -> tuple[str, ...]:
        return tuple(label for name in self.model.zones for label in self._labels(name))

    def _labels(self, name: str) -> tuple[str, ...]:
        dims = [d if isinstance(d, str) else "number" for d in self.model.zones[name].dims]
        keys = self.layout.zones[name].keys
        return tuple(
            " ".join([name, *(_key_label(d, k, self.model) for d, k in zip(dims, key, strict=True))]) for key in keys
        )

    def between(self, zones: tuple[ZoneCode, ...], passages: Passages) -> dict[tuple[int, int], Way]:
        """(From, to) -> how the log tells of a card that goes there, where nothing but the two places decides that."""
        settled = {}
        for zone in zones:
            for at, owner in enumerate(zone.owners):
                eyes = self.watchers(zone, owner)
                if eyes is not None:
                    settled[zone.base + at] = eyes
        hides = any(not is_everyone(z.count_seen_by) for z in self.model.zones.values())
        if len(settled) > MOST_PLACES:
            return {}
        found = {(one, two): settled[one] | settled[two] for one in settled for two in settled}
        shown = {pair: eyes for pair, eyes in found.items() if eyes == ALL or not hides}
        return {(one, two): Way(passages, one, two, eyes) for (one, two), eyes in shown.items()}

    def watchers(self, zone: ZoneCode, owner: int | None) -> int | None:
        """Who sees the faces of cards in a place of a zone; None where that may change."""
        if zone.faces_down or zone.always_seen:
            return 0 if zone.faces_down else ALL
        match self.model.zones[zone.name].seen_by:
            case t.Op("group", ()):
                return 0
            case t.Op("group", (t.Local("owner"),)) if owner is not None:
                return 1 << owner
        return None

    def code(self, name: str, names: Names) -> ZoneCode:
        zone, family = self.model.zones[name], self.layout.zones[name]
        owners: list[int | None] = [
            k[0] if zone.dims and zone.dims[0] in ("player", "team") else None for k in family.keys
        ]
        dims = tuple(d if isinstance(d, str) else "number" for d in zone.dims)
        everyone = isinstance(zone.seen_by, t.Builtin) and zone.seen_by.name == "everyone"
        return ZoneCode(
            name,
            family.base,
            family.size,
            tuple(owners),
            self._labels(name),
            self.kept[name],  # type: ignore[arg-type]
            names[f"seen·{name}"],
            names[f"counted·{name}"],
            everyone,
            zone.faces_down,
            zone.shows_top,
            family.keys,
            dims,
        )

    def refills(self, names: Names) -> dict[int, tuple[int, Any, bool, str]]:
        found = {}
        for name, zone in self.model.zones.items():
            if zone.refill is not None:
                source = self.layout.zones[zone.refill.source].base
                for place in range(
                    self.layout.zones[name].base, self.layout.zones[name].base + self.layout.zones[name].size
                ):
                    found[place] = (
                        source,
                        names[f"keep·{name}"],
                        zone.refill.shuffle,
                        self.layout.before(zone.refill.on),
                    )
        return found

    def feeds(self) -> dict[int, tuple[int, ...]]:
        """Place -> the places that are refilled from it as soon as they are empty."""
        found: dict[int, tuple[int, ...]] = {}
        for name, zone in self.model.zones.items():
            if zone.refill is not None and self.layout.constant(zone.refill.on) == "empty":
                source, family = self.layout.zones[zone.refill.source].base, self.layout.zones[name]
                found[source] = (*found.get(source, ()), *range(family.base, family.base + family.size))
        return found

    def capacities(self, names: Names) -> dict[int, Any]:
        found = {}
        for name, zone in self.model.zones.items():
            if zone.capacity is not None:
                family = self.layout.zones[name]
                for place in range(family.base, family.base + family.size):
                    found[place] = names[f"capacity·{name}"]
        return found


def nobody(s: Any, owner: Any) -> int:
    return 0


def _key_label(dim: str, key: int, model: Model) -> str:
    match dim:
        case "player":
            return f"P{key + 1}"
        case "team":
            return f"T{key + 1}"
        case "suit":
            return model.suits[key].name
    return str(key)


def is_everyone(node: Typed) -> bool:
    return isinstance(node, t.Builtin) and node.name == "everyone"
