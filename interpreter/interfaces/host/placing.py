"""The places of a table for one reader: which are drawn, where, and what of their cards the reader may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import compress, count
from operator import is_not
from sys import intern
from typing import TYPE_CHECKING, Any

from interpreter.engine.notation import place_text
from interpreter.engine.view import PlaceView
from interpreter.interfaces.host.setting import ALWAYS, AWAY, CHOSEN, Setting, Style
from interpreter.words.drawing import card_order

if TYPE_CHECKING:
    from interpreter.engine.program import Program, ZoneCode
    from interpreter.words.voice import Voice

MOST_DRAWN = 60
"""Cards of a place that are drawn one by one."""
MOST_PLACES = 300
"""That are drawn at a table: a browser takes seconds for a thousand."""
UNKNOWN: PlaceView = {"cards": []}
"""How a place looks of which nothing is known."""


@dataclass(slots=True)
class _Drawn:
    """What one reader was shown last. looks: of which it was made. wanted: see `of`. each: by place, how it is drawn,
    and the zone that has to be wanted for that ("" for none). more: places that would be drawn if there were fewer."""

    looks: Sequence[PlaceView | None]
    wanted: frozenset[str]
    races: bool
    each: list[tuple[dict[str, Any], str] | None]
    whole: list[dict[str, Any]] = field(default_factory=list)
    more: int = 0


class Placing:
    """Draws the places of one match. places: each zone, with the number of each of its places."""

    def __init__(
        self, program: Program, voice: Voice, setting: Setting, places: Sequence[tuple[ZoneCode, int]]
    ) -> None:
        self._program, self._voice, self._places = program, voice, places
        self._shared = frozenset(name for name, style in setting.styles.items() if style.at == "table")
        """The zones that lie in the middle, where it has to be told of each place whose it is."""
        self._styles = [setting.styles[zone.name] for zone, _ in places]
        self._labels = [zone.labels[number] for zone, number in places]
        self._drawn: dict[int | None, _Drawn] = {}

    def forget(self) -> None:
        """Who is of a side has changed, and so what places are called."""
        self._drawn.clear()

    def of(
        self, player: int | None, looks: Sequence[PlaceView | None], wanted: frozenset[str], races: bool
    ) -> tuple[list[dict[str, Any]], int]:
        """Each place that is drawn, in the order of the ruleset; the same objects as before where they look the same.
        Where there are too many: and how many more there are.

        looks: of each place. wanted: zones from which the reader can choose, and places to which cards have just been
        moved, as the log calls them. races: whether everybody acts at once.

        id: as moves name it. seat: whose it is (P1, T1), "" for nobody. at, as, group, beside: see `setting.Style`.
        cards: top first, null where the face is hidden; of a stack the top alone. count: missing where it is not known.
        """
        before = self._drawn.get(player)
        if before is None or before.races != races:
            each = [self._draw(player, at, look, races) for at, look in enumerate(looks)]
        elif before.looks is not looks:
            each = before.each[:]
            for at in compress(count(), map(is_not, looks, before.looks)):
                each[at] = self._redraw(each[at], player, at, looks[at], races)
        elif before.wanted != wanted:
            each = before.each
        else:
            return before.whole, before.more
        whole = [
            drawn[0]
            for drawn, label in zip(each, self._labels, strict=True)
            if drawn is not None and (not drawn[1] or drawn[1] in wanted or label in wanted)
        ]
        more = max(0, len(whole) - MOST_PLACES)
        if more:
            whole = _first(whole, "" if player is None else f"P{player + 1}", wanted)
        self._drawn[player] = _Drawn(looks, wanted, races, each, whole, more)
        return whole, more

    def _redraw(
        self, drawn: tuple[dict[str, Any], str] | None, player: int | None, at: int, look: PlaceView | None, races: bool
    ) -> tuple[dict[str, Any], str] | None:
        """A place whose cards have changed, and all else stays as it was."""
        if drawn is None or not look or not look["cards"] or "meld" in look or "meld" in drawn[0]:
            return self._draw(player, at, look, races)
        cards = _cards(look, self._styles[at], races, self._program.ranks)
        if ("count" in cards) != ("count" in drawn[0]):
            return self._draw(player, at, look, races)
        return {**drawn[0], **cards}, drawn[1]

    def _draw(
        self, player: int | None, at: int, look: PlaceView | None, races: bool
    ) -> tuple[dict[str, Any], str] | None:
        (zone, number), style, program = self._places[at], self._styles[at], self._program
        look = look or UNKNOWN
        if style.drawn != ALWAYS and not (look["cards"] or look.get("count", 0)):
            return None
        label = zone.labels[number]
        found: dict[str, Any] = {
            "id": intern(place_text(program, zone.base + number)),  # all tables share what they have in common
            "zone": zone.name,
            "seat": intern(_seat(zone.dims, label.partition(" ")[2])),
            "at": style.at,
            "as": style.form,
            "name": style.name or self._called(player, zone, label),
            **_cards(look, style, races, program.ranks),
        }
        if style.group:
            found["group"] = style.group
        if style.beside:
            found["beside"] = style.beside
        if "meld" in look:
            found["meld"] = look["meld"]
        return found, zone.name if style.drawn in (CHOSEN, AWAY) else ""

    def _called(self, player: int | None, zone: ZoneCode, label: str) -> str:
        """A place as the ruleset titles what is alone of its kind, or as sentences call it."""
        title = self._program.shown_as.get(zone.name)
        if not title or zone.dims not in ((), ("player",)):
            return self._voice.place(player, label)
        if not zone.dims:
            return title
        owner = int(label.rpartition(" ")[2][1:]) - 1
        if owner != player:
            return f"{self._voice.name(owner)}: {title}"
        return f"your {title}" if zone.name in self._shared else title


def _first(places: list[dict[str, Any]], own: str, wanted: frozenset[str]) -> list[dict[str, Any]]:
    """As many places as are drawn: the reader's own and those to choose from first, then those of others, and those
    where cards lie."""

    def rank(at: int) -> int:
        place = places[at]
        if (own and place["seat"] == own) or place["zone"] in wanted:
            return 0
        return 1 if place["seat"] or place["cards"] or place.get("count") else 2

    return [places[at] for at in sorted(sorted(range(len(places)), key=rank)[:MOST_PLACES])]


def _seat(dims: tuple[str, ...], key: str) -> str:
    return key.split(" ")[0] if dims[:1] in (("player",), ("team",)) else ""


class _Orders(dict[str | None, Any]):
    """Where each card stands among others, looked up once."""

    def __init__(self, ranks: tuple[str, ...]) -> None:
        super().__init__()
        self._ranks = ranks

    def __missing__(self, card: str | None) -> Any:
        found = self[card] = card_order(card or "", self._ranks)
        return found


_orders = lru_cache(maxsize=64)(_Orders)


def _cards(place: Mapping[str, Any], style: Style, races: bool, ranks: tuple[str, ...]) -> dict[str, Any]:
    cards: list[str | None] = place["cards"]
    found: dict[str, Any] = {"count": place["count"]} if "count" in place else {}
    if style.form in ("stack", "count"):
        return {"cards": cards[:1] if style.form == "stack" else [], **found}
    if style.sorted and not races and None not in cards:
        cards = sorted(cards, key=_orders(ranks).__getitem__)
    return {"cards": cards[:MOST_DRAWN], **found}
