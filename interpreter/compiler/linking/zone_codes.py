"""Zones as the program knows them: their places, who sees what lies there, limits and refills."""

from __future__ import annotations

from typing import Any

from interpreter.compiler.layout import Layout
from interpreter.compiler.place_labels import dims_of, place_labels
from interpreter.engine.events import ALL, Passages, Way
from interpreter.engine.program import ZoneCode
from interpreter.language import typed as t
from interpreter.language.check.openness import is_everyone, is_open
from interpreter.language.keywords import ASIDE

MOST_PLACES = 100
"""Of so many places it is kept who sees a card that goes from each to each."""
Names = dict[str, Any]
"""The functions of the generated text."""


class Zoning:
    """The zones of one game. kept: zone -> "list" or "mask". passages: how the log tells of cards that move."""

    def __init__(self, layout: Layout, kept: dict[str, str], passages: Passages) -> None:
        self._layout = layout
        self._zones = layout.model.zones
        self._kept = kept
        self._passages = passages
        self._turned = {facing: Passages(layout.cards, passages.places, f"face {facing}") for facing in ("up", "down")}
        self._hides_counts = any(not is_everyone(zone.count_seen_by) for zone in self._zones.values())

    def parts(self, names: Names) -> dict[str, Any]:
        """What a program knows of zones, by its fields."""
        aside = len(self._passages.places) - 1
        zones = *(self._code(name, names) for name in self._zones), _aside(aside)
        watched = tuple(self._watchers(zone, owner) for zone in zones for owner in zone.owners)
        each = [(number, zone) for number, zone in enumerate(zones) for _ in range(zone.size)]
        refills = self._refills(names)
        return dict(
            zones=zones,
            places=self._passages.places,
            place_zone=tuple(number for number, _ in each),
            public=tuple(zone.always_seen and not zone.faces_down for _, zone in each),
            tops=tuple(zone.shows_top for _, zone in each),
            watched=watched,
            passages=self._passages,
            turned=self._turned,
            between=self._between(watched),
            pack_place=next(self._layout.zones[name].base for name, zone in self._zones.items() if zone.pack),
            aside=aside,
            shows_tops=any(zone.shows_top for zone in zones),
            hides_counts=self._hides_counts,
            refills=refills,
            feeds=_feeds(refills),
            capacities={
                place: names[f"capacity·{name}"]
                for name, zone in self._zones.items()
                if zone.capacity is not None
                for place in self._layout.zones[name].places
            },
            room=self._room(),
            open_limits=frozenset(
                place
                for name, zone in self._zones.items()
                if is_open(zone.capacity, self._layout.model)
                for place in self._layout.zones[name].places
            ),
        )

    def _room(self) -> dict[int, int]:
        """Place -> the most cards that ever lie there, where that is settled."""
        said = {name: self._layout.known(zone.capacity) for name, zone in self._zones.items() if zone.capacity}
        return {
            place: max(0, most)
            for name, most in said.items() if most is not None
            for place in self._layout.zones[name].places
        }  # fmt: skip

    def _between(self, watched: tuple[int | None, ...]) -> dict[tuple[int, int], Way]:
        """(From, to) -> how the log tells of a card that goes there, where nothing but the two places decides that."""
        settled = {place: eyes for place, eyes in enumerate(watched) if eyes is not None}
        if len(settled) > MOST_PLACES:
            return {}
        found = {(one, two): settled[one] | settled[two] for one in settled for two in settled}
        shown = {pair: eyes for pair, eyes in found.items() if eyes == ALL or not self._hides_counts}
        return {(one, two): Way(self._passages, one, two, eyes) for (one, two), eyes in shown.items()}

    def _watchers(self, zone: ZoneCode, owner: int | None) -> int | None:
        """Who sees the faces of cards in a place of a zone; None where that may change."""
        if zone.faces_down or zone.always_seen:
            return 0 if zone.faces_down else ALL
        match self._zones[zone.name].seen_by:
            case t.Op("group", ()):
                return 0
            case t.Op("group", (t.Local("owner"),)) if owner is not None:
                return 1 << owner
        return None

    def _code(self, name: str, names: Names) -> ZoneCode:
        zone, family, dims = self._zones[name], self._layout.zones[name], dims_of(self._zones[name])
        owned = dims[:1] in (("player",), ("team",))
        return ZoneCode(
            name=name,
            base=family.base,
            size=family.size,
            owners=tuple(key[0] if owned else None for key in family.keys),
            labels=place_labels(self._layout, name),
            kept=self._kept[name],  # type: ignore[arg-type]
            seen_by=names[f"seen·{name}"],
            count_seen_by=names[f"counted·{name}"],
            always_seen=is_everyone(zone.seen_by),
            faces_down=zone.faces_down,
            shows_top=zone.shows_top,
            keys=family.keys,
            dims=dims,
            beside=zone.layout.beside,
        )

    def _refills(self, names: Names) -> dict[int, tuple[int, Any, bool, str]]:
        """Place -> the place it is refilled from, how many cards that keeps, whether they are shuffled, and when."""
        found = {}
        for name, zone in self._zones.items():
            if zone.refill is not None:
                source, on = self._layout.zones[zone.refill.source].base, self._layout.before(zone.refill.on)
                row = source, names[f"keep·{name}"], zone.refill.shuffle, on
                found.update(dict.fromkeys(self._layout.zones[name].places, row))
        return found


def _feeds(refills: dict[int, tuple[int, Any, bool, str]]) -> dict[int, tuple[int, ...]]:
    """Place -> the places that are refilled from it as soon as they are empty."""
    found: dict[int, tuple[int, ...]] = {}
    for place, (source, _, _, on) in refills.items():
        if on == "empty":
            found[source] = (*found.get(source, ()), place)
    return found


def _aside(base: int) -> ZoneCode:
    """Where cards lie that are out of play."""
    return ZoneCode(ASIDE, base, 1, (None,), (ASIDE,), "mask", _nobody, _nobody, False, True, False, ((),), ())


def _nobody(s: Any, owner: Any) -> int:
    return 0
