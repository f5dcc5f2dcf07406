"""The table in lines: what the view of a player says, ordered for reading. Knows nothing beyond that view."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from interpreter.base.signs import CUT

SHOWN = 13
"""Cards before a player that are named; the rest is counted."""
IN_SHORT = 6
"""Cards that are named of a pile in the middle with more than twice as many: the top ones count."""
LONGEST = 5_000
"""Letters of a line: variables can hold more than anybody reads."""
IN_ROW = 2
"""Places of a row with fewer cards that are seen than this stand on one line."""
_CARD = re.compile(r"(?P<rank>10|[0-9A-Z]+?)(?P<suit>[A-Z])")
_WORD = re.compile(r"^[a-z]+(?:_[a-z]+)+$")
"""One of the words to choose from, as rulesets write them."""
NOTHING: tuple[Any, ...] = (None, False, 0, "", [], "nothing")


@dataclass(frozen=True, slots=True)
class Captions:
    """What is written on a table for one reader.

    names: what players are called; P1 and so on if nobody says. marks: what stands behind each; who deals and who is to
    play if nobody says. order: as they sit, from P1 on if nobody says. always: what is shown first, and even if there
    is nothing to tell. chosen: what was chosen for the options among them, which are not shown where that is nothing.
    called: puts names in place of players and sides in what is known
    besides. placed: what a place is called that is one of several, by its label. tricks: whether those that the view
    counts are of this deal. titles: what the ruleset calls variables, definitions and places here; nothing for what is
    not shown.
    """

    names: Sequence[str] = ()
    marks: Sequence[str] = ()
    order: Sequence[int] = ()
    always: Sequence[str] = ()
    chosen: Mapping[str, Any] = field(default_factory=dict)
    called: Callable[[str], str] = str
    placed: Callable[[str], str | None] = lambda label: None
    rowed: Callable[[str], tuple[str, str] | None] = lambda label: None
    tricks: bool = True
    titles: Mapping[str, str] = field(default_factory=dict)

    def shows(self, name: str) -> bool:
        """Whether a variable, definition or place of each player stands on the table."""
        return self.titles.get(name) != ""

    def title(self, name: str) -> str:
        """What the table calls a variable, definition or place."""
        return self.titles.get(name) or title_of(name)

    def fact(self, name: str, value: Any) -> str:
        """Something that is known, in words: `trump clubs`, `no trump yet`, `hearts broken: no`."""
        if value is True and name not in self.always:
            return self.title(name)
        if value is None:
            return f"no {self.title(name)} yet"
        return f"{self.title(name)}{':' if isinstance(value, bool) else ''} {word_of(value)}"

    def name(self, label: str) -> str:
        """The name of a player such as P2, or what stands there."""
        found = re.fullmatch(r"P([0-9]+)", label)
        return self.names[int(found[1]) - 1] if found and int(found[1]) <= len(self.names) else label


def position(
    view: Mapping[str, Any], ranks: Sequence[str], teams: Sequence[int] = (), captions: Captions | None = None
) -> Iterator[str]:
    """The whole table: one row for each player, then what lies in the middle, then the viewer's own cards.

    teams: of each player, where that is told by number.
    """
    captions = captions or Captions()
    view = {**view, "values": in_order(view["values"], captions)}
    lines = (rows_of_players(view, teams, captions), _middle(view, captions), _own(view, ranks, captions))
    yield from (line if len(line) <= LONGEST else line[:LONGEST] + CUT for line in chain(*lines))


def in_order(values: Mapping[str, Any], captions: Captions) -> dict[str, Any]:
    """Values by name that are shown at all, those first that are always shown, in their order."""
    known = {**{name: value for name, value in captions.chosen.items() if value}, **values}
    return {name: known[name] for name in (*captions.always, *known) if name in known and captions.shows(name)}


def families(view: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Zones that each player has: name, and by player what lies there."""
    for name, zone in view["zones"].items():
        if isinstance(zone, dict) and "cards" not in zone and zone and all(re.fullmatch(r"P\d+", k) for k in zone):
            yield name, zone


def rows_of_players(view: Mapping[str, Any], teams: Sequence[int], captions: Captions) -> Iterator[str]:
    """A row for each player, below what stands in its columns."""
    called = captions.names
    names = [f"P{i + 1}" for i in range(view["players"])]
    columns: list[tuple[str, list[str]]] = []
    if len(set(teams)) < len(teams):
        columns.append(("side", [f"T{team + 1}" for team in teams]))
    for name, zone in families(view):
        if not captions.shows(name):
            continue
        counts = [str(zone.get(p, {}).get("count", "?")) for p in names]
        if set(counts) not in ({"0"}, {"?"}):
            columns.append((name, counts))
    if captions.tricks and any(view["tricks"].values()):
        columns.append(("tricks", [str(view["tricks"][p]) for p in names]))
    for name, held in view["tokens"].items():
        if any(p in held for p in names):
            columns.append((name, [str(held.get(p, 0)) for p in names]))
    for name, value in view["values"].items():
        if isinstance(value, dict) and value and set(value) <= set(names) and not _is_remark(name, value, captions):
            if name in ("score", *captions.always) or any(v not in NOTHING for v in value.values()):
                columns.append((name, [captions.called(word_of(value.get(p, ""))) for p in names]))
    widths = [max(len(captions.title(title)), *map(len, cells)) for title, cells in columns]
    head = "  ".join(f"{captions.title(title):>{width}}" for (title, _), width in zip(columns, widths, strict=True))
    room = max(4, *map(len, called)) if called else 4
    if columns:
        yield f"  {'':<{room}} {head}".rstrip()
    for row in captions.order or range(len(names)):
        player = names[row]
        cells = "  ".join(f"{cells[row]:>{width}}" for (_, cells), width in zip(columns, widths, strict=True))
        remarks = [
            word
            for word, holds in (
                ("you", player == view["player"]),
                ("deals", player == view["dealer"]),
                ("to play", player in view["actors"] and len(view["actors"]) < view["players"]),
            )
            if holds
        ]
        remark = captions.marks[row] if captions.marks else ", ".join(remarks)
        true = [captions.title(n) for n, v in view["values"].items() if _is_remark(n, v, captions) and v.get(player)]
        remark = ", ".join(filter(None, (remark, *true)))
        yield f"  {called[row] if called else player:<{room}} {cells}  {remark}".rstrip()


def _is_remark(name: str, value: Any, captions: Captions) -> bool:
    """Whether something that is true of some players stands behind their names, and not in a column."""
    is_flag = isinstance(value, dict) and value != {} and all(isinstance(one, bool) for one in value.values())
    return is_flag and name not in captions.always and all(re.fullmatch(r"P\d+", key) for key in value)


def _middle(view: Mapping[str, Any], captions: Captions) -> Iterator[str]:
    """What belongs to nobody: piles, the trick, pieces, what is known of the deal; then open cards before players."""
    if view["trick"]:
        yield "  trick: " + "   ".join(
            f"{captions.name(player)} {card or 'face down'}" for player, card in view["trick"]
        )
    each = dict(families(view))
    for name, zone in view["zones"].items():
        if name not in each and not (view["trick"] and name == "trick") and captions.shows(name):
            yield from _lying(name, zone, captions)
    for name, held in view["tokens"].items():
        yield f"  {title_of(name)}: {held['table']} on the table"
    for name, zone in each.items():
        for player, place in zone.items():
            if player != view["player"] and any(place["cards"]):
                placed, own = captions.placed(f"{name} {player}") or "", captions.titles.get(name)
                if placed.startswith("the "):  # as sentences and moves call it
                    said = placed.removeprefix("the ")
                else:
                    said = f"{own} of {captions.name(player)}" if own else placed
                yield f"  {said or f'{title_of(name)} of {captions.name(player)}'}: {_pile(place, SHOWN)}"
    for told in told_by_key(view, captions):
        yield f"  {captions.called(told)}"
    known = [
        captions.fact(name, value)
        for name, value in view["values"].items()
        if not isinstance(value, dict) and (value not in NOTHING or name in captions.always)
    ]
    if known:
        yield f"  {captions.called(', '.join(known))}"


def _lying(name: str, zone: Any, captions: Captions) -> Iterator[str]:
    """The places of a zone in which anything lies; small ones of one row beside each other."""
    rows: dict[str, list[str]] = {}
    lies: set[str] = set()
    for label, place in places_of(name, zone):
        row = captions.rowed(label) if len(place["cards"]) - place["cards"].count(None) < IN_ROW else None
        if row is not None:
            rows.setdefault(row[0], []).append(f"{row[1]} {_in_row(place)}")
            if place.get("count") != 0:
                lies.add(row[0])
        elif place.get("count") != 0:
            yield f"  {captions.placed(label) or captions.title(label)}: {_pile(place, IN_SHORT)}"
    for called, found in rows.items():
        if called in lies:
            yield f"  {called}: {'   '.join(found)}"


def told_by_key(view: Mapping[str, Any], captions: Captions) -> Iterator[str]:
    """Values of sides, suits and other things that are no players; the score always, else what is not nothing."""
    players = {f"P{i + 1}" for i in range(view["players"])}
    for name, value in view["values"].items():
        if isinstance(value, dict) and not set(value) <= players:
            told = [
                key if one is True and name not in captions.always else f"{key} {word_of(one)}"
                for key, one in value.items()
                if name in ("score", *captions.always) or one not in NOTHING
            ]
            if told:
                yield f"{captions.title(name)}: {', '.join(told)}"


def places_of(name: str, zone: Any) -> Iterable[tuple[str, dict[str, Any]]]:
    if not isinstance(zone, dict):
        return []
    if "cards" in zone:
        return [(name, zone)]
    return [(f"{name} {key}".strip(), place) for key, place in zone.items()]


def tops(view: Mapping[str, Any]) -> dict[str, str]:
    """The cards that are seen on top, by the places where they lie, as moves name these."""
    found = {}
    for name, zone in view["zones"].items():
        for label, place in places_of(name, zone):
            if place["cards"] and place["cards"][0] is not None:
                found[label.replace(" ", ".")] = place["cards"][0]
    return found


def _pile(place: Mapping[str, Any], most: int) -> str:
    """A pile, top first: its faces as far as they are seen, and how many there are; of many only some are named."""
    faces = [card for card in place["cards"] if card is not None]
    count = place.get("count")
    if not faces:
        return "some cards" if count is None else "1 card" if count == 1 else f"{count} cards"
    shown = faces if len(faces) <= 2 * most else faces[:most]
    told = " ".join(shown) + (" ..." if len(shown) < len(faces) else "")
    return told if count == len(shown) or count is None else f"{told} ({count} cards)"


def _in_row(place: Mapping[str, Any]) -> str:
    """One of the piles of a row, of which some are empty or lie face down."""
    count = place.get("count")
    if not count or any(place["cards"]):
        return "empty" if count == 0 else _pile(place, IN_SHORT)
    return f"({count} face down)"


def _own(view: Mapping[str, Any], ranks: Sequence[str], captions: Captions) -> Iterator[str]:
    """The viewer's own cards that the viewer sees, by suit, low to high."""
    for name, zone in families(view):
        place = zone.get(view["player"])
        if place and any(place["cards"]):
            called = captions.placed(f"{name} {view['player']}") or ""
            said = called if called.startswith("the ") else f"your {captions.title(name)}"
            yield f"  {said}: {'   '.join(by_suit([c for c in place['cards'] if c], ranks))}"


def by_suit(cards: Sequence[str], ranks: Sequence[str]) -> list[str]:
    """Cards in groups of a suit, each low to high; what has no suit comes last."""
    groups: dict[str, list[str]] = {}
    for card in sorted(cards, key=lambda c: strength(c, ranks)):
        groups.setdefault(_suit(card, ranks), []).append(card)
    return [" ".join(groups[suit]) for suit in sorted(groups, key=_suit_order)]


def strength(card: str, ranks: Sequence[str]) -> int:
    """The place of a card's rank; cards without rank come last."""
    found = _CARD.fullmatch(card)
    return ranks.index(found["rank"]) if found and found["rank"] in ranks else len(ranks)


def card_order(card: str, ranks: Sequence[str]) -> tuple[tuple[int, str], int]:
    """Where a card stands when cards are laid out by suit and rank."""
    return _suit_order(_suit(card, ranks)), strength(card, ranks)


def _suit(card: str, ranks: Sequence[str]) -> str:
    found = _CARD.fullmatch(card)
    return found["suit"] if found and found["rank"] in ranks else ""


def _suit_order(suit: str) -> tuple[int, str]:
    """C, D, S, H, so that the colours alternate; other suits by letter, no suit last."""
    return ("CDSH".index(suit) if suit and suit in "CDSH" else 9 if not suit else 5), suit


def title_of(name: str) -> str:
    return name.replace("_", " ")


def word_of(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "-" if value is None else _WORD.sub(lambda found: title_of(found[0]), str(value))
