"""The table as it is laid out on the screen: the others above, what all share in the middle, one's own below.

It knows nothing beyond the view of the player. The same things stand at the same places all the time: a place that is
used keeps its box when it is empty. Where the screen is too low for boxes, a pile takes no more than a word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from interpreter.interfaces.fullscreen.bindings import Keys
from interpreter.interfaces.fullscreen.faces import Faces
from interpreter.interfaces.fullscreen.things import Spots, Thing, owner, places
from interpreter.words.drawing import NOTHING, Captions, title_of, told_by_key

KEY, IDLE, PICKED = "bold black on bright_cyan", "cyan", "bold black on bright_yellow"
"""The key of what can be used, of what cannot, and of what has been chosen."""
FEW = 9
"""Cards of a pile of which all are seen that are named on the right of its top, if there is room."""
SIDES = ("left", "right")
"""What one of two piles in the middle is called."""
WIDE = 4
"""Columns inside a box, at least."""
LARGE = 2
"""Columns and lines by which a box grows where there is room."""
SPARE = 8
"""Lines that must be left for boxes to grow, so that they do not shrink again as soon as a card is played."""
AIR = 2
"""Lines between the others and the middle, at most: what is left over is for news."""
NAMED = 12
"""Columns for the name of whoever has played a card."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What the board is drawn with.

    live: what can be used now, or None to tell nothing of that. picked: what has been chosen so far. captions: what
    people are called, where they sit, with whom they play.
    """

    keys: Keys
    spots: Spots
    faces: Faces
    live: Collection[Thing] | None = None
    picked: Collection[Thing] = ()
    captions: Captions = Captions()  # noqa: RUF009 - it never changes


LAYOUTS = (
    (True, True, True, LARGE), (True, True, True, 0), (False, True, True, 0), (False, False, True, 0),
    (False, False, False, 0),
)  # fmt: skip
"""Whether the others, the middle and one's own are drawn as boxes, and how much larger than they need be."""
EMPTY: Mapping[str, Any] = {"count": 0, "cards": []}

Block = list[Text]
"""Lines of the same width, to be set beside others."""


def board(view: Mapping[str, Any], setting: Setting, width: int, height: int) -> Text:
    """The table in so many columns and lines; with boxes as far as they fit, large ones if they do, one's own first."""
    lines: list[Text] = []
    for others, middle, own, size in LAYOUTS:
        parts = _Parts(view, setting, width, size)
        lines = [
            *parts.others(others),
            parts.rule(),
            *parts.middle(middle),
            parts.rule(),
            *parts.own(own),
        ]
        if len(lines) + (SPARE if size else 0) <= height:
            room = height - len(lines)
            if room >= 2 and own:  # air between the three
                at = next((i for i, line in enumerate(lines) if line.plain.startswith(parts.line)), 0)
                lines[at + 1 : at + 1] = [Text()] * min(room // 2, AIR)
            break
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return Text("\n").join(lines[-height:])


class _Parts:
    """The three parts of a board."""

    def __init__(self, view: Mapping[str, Any], setting: Setting, width: int, size: int = 0) -> None:
        self._view, self._setting, self._width, self._size = view, setting, width, size
        self._me = view["player"]
        self.line = ("─" if setting.faces.symbols else "-") * 3

    def rule(self) -> Text:
        return Text(self.line[0] * self._width, "dim")

    def others(self, boxes: bool) -> Iterator[Text]:
        order = [f"P{number + 1}" for number in self._setting.captions.order or range(self._view["players"])]
        at = order.index(self._me)
        for player in (*order[at + 1 :], *order[:at]):  # as they sit, from the left on
            yield from self._player(player, boxes)

    def own(self, boxes: bool) -> Iterator[Text]:
        yield from self._player(self._me, boxes)

    def _player(self, player: str, boxes: bool) -> Iterator[Text]:
        """A line about a player, then what lies there; all on one line where nothing is drawn as a box."""
        me = player == self._me
        head = Text.assemble((f"{self._setting.captions.name(player)} ", "bold"))
        facts = [*self._remarks(player), *self._facts(player)]
        groups = []
        for zone, found in self._zones(lambda z, label: owner(label) == player and z not in self._setting.keys.shared):
            if self._is_drawn(found):
                groups.append((zone, found))
            elif total := _count(place for _, place in found):
                facts += self._counted(zone, total)
        told = list(self._wrapped(head, facts, "" if me else "dim"))
        rows = list(self._rows(groups, boxes, 0 if boxes or me else told[-1].cell_len + 2))
        if rows and not boxes and not me and told[-1].cell_len + 2 + rows[0].cell_len <= self._width:
            told[-1] = Text.assemble(told[-1], "  ", rows.pop(0))
        yield from (*told, *rows)

    def _wrapped(self, head: Text, facts: Iterable[str], style: str) -> Iterator[Text]:
        """Facts behind each other, on as many lines as they need."""
        line, told = head, [*facts]
        for fact in [*(f"{fact}, " for fact in told[:-1]), *told[-1:]]:
            if line.cell_len + len(fact) > self._width:
                line.rstrip()
                yield line
                line = Text("    ")
            line.append_text(self._setting.faces.styled(fact, style))
        line.rstrip()
        yield line

    def _counted(self, zone: str, count: int) -> Iterator[str]:
        """How many cards lie somewhere, if the table shows it."""
        if self._setting.captions.shows(zone):
            yield f"{self._setting.captions.title(zone)} {count}"

    def middle(self, boxes: bool) -> Iterator[Text]:
        shared = self._setting.keys.shared
        trick = self._view["trick"]
        groups: list[tuple[str, list[tuple[str, Mapping[str, Any]]]]] = []
        facts: list[str] = []
        for zone, found in self._zones(lambda z, label: owner(label) is None or z in shared):
            if trick and zone == "trick":
                continue
            if self._is_drawn(found):
                groups.append((zone, found))
            elif total := _count(place for _, place in found):
                facts += self._counted(zone, total)
        facts += self._known()
        yield from self._rows(groups, boxes)
        if trick and boxes:
            yield from self._joined([self._played(player, card) for player, card in trick])
        elif trick:
            name = self._setting.captions.name
            played = [Text.assemble(f"{name(player)} ", self._face(card)) for player, card in trick]
            yield Text.assemble(" trick  ", Text("   ").join(played))
        for name, held in self._view["tokens"].items():
            yield self._pieces(name, held)
        if facts:
            yield from self._wrapped(Text(" "), facts, "dim")

    # ---- places ------------------------------------------------------------------------------------------

    def _zones(self, wanted: Any) -> Iterator[tuple[str, list[tuple[str, Mapping[str, Any]]]]]:
        """The places that are wanted, by zone; empty ones only if they are used."""
        found: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
        for zone, label, place in places(self._view):
            if wanted(zone, label) and (place.get("count") != 0 or self._setting.keys.is_used(zone, label)):
                found.setdefault(zone, []).append((label, place))
        for zone, label in self._setting.keys.places():  # what the view does not tell of has its box all the same
            if wanted(zone, label) and label not in (known := [name for name, _ in found.get(zone, ())]):
                at = sum(name < label for name in known)
                found.setdefault(zone, []).insert(at, (label, EMPTY))
        yield from ((zone, self._without_tail(places)) for zone, places in found.items())

    @staticmethod
    def _without_tail(found: list[tuple[str, Mapping[str, Any]]]) -> list[tuple[str, Mapping[str, Any]]]:
        """Of many places in a row the empty ones at the end need no room, but for the next that is free."""
        used = max((at for at, (_, place) in enumerate(found) if place.get("count") != 0), default=-1)
        return found[: max(used + 2, FEW // 2 + 1)]

    def _is_drawn(self, found: Sequence[tuple[str, Mapping[str, Any]]]) -> bool:
        """Whether there is anything to see or to use: else a count says it all."""
        return any(any(place["cards"]) or self._is_own(label) for label, place in found) or len(found) > 1

    def _is_own(self, label: str) -> bool:
        zone, whose = label.split(" ")[0], owner(label)
        return whose in (self._me, None) and self._setting.keys.is_used(zone, label)

    def _rows(
        self, groups: Iterable[tuple[str, list[tuple[str, Mapping[str, Any]]]]], boxes: bool, begun: int = 0
    ) -> Iterator[Text]:
        """Groups of places beside each other, as many as fit on a line."""
        row: list[Block] = []
        used = begun if begun < self._width else 0
        for zone, found in groups:
            title = f" {self._setting.captions.title(zone)} "
            for number, cell in enumerate(cell for label, place in found for cell in self._cells(label, place, boxes)):
                block = cell
                if number == 0:
                    block = self._beside(self._titled(title, len(cell)), cell)
                wide = block[0].cell_len + 1
                if row and used + wide > self._width:
                    yield from self._joined(row)
                    row, used = [], 0
                    if number:
                        block = self._beside(self._titled(" " * len(title), len(cell)), cell)
                        wide = block[0].cell_len + 1
                row.append(block)
                used += wide
        if row:
            yield from self._joined(row)

    @staticmethod
    def _titled(title: str, height: int) -> Block:
        lines = [Text(" " * len(title)) for _ in range(height)]
        lines[height // 2] = Text(title, "dim")
        return lines

    @staticmethod
    def _beside(left: Block, right: Block) -> Block:
        return [Text.assemble(a, b) for a, b in zip(left, right, strict=True)]

    @staticmethod
    def _joined(row: Sequence[Block]) -> Iterator[Text]:
        for lines in zip(*row, strict=True):
            yield Text(" ").join(lines)

    def _cells(self, label: str, place: Mapping[str, Any], boxes: bool) -> Iterator[Block]:
        """A pile, or each card of a fan."""
        zone = label.split(" ")[0]
        if zone in self._setting.spots.fans and (owner(label) == self._me or any(place["cards"])):
            slots = self._setting.spots.slots(label)
            for number in range(max(len(slots), self._slots_with_keys(label))):
                card = slots[number] if number < len(slots) else None
                yield self._cell(("slot", label, str(number)), card, False, None, boxes)
            unseen = place["cards"].count(None)
            if unseen:
                yield self._cell(("place", label), None, True, unseen, boxes)
            return
        cards, count = place["cards"], place.get("count")
        top = cards[0] if cards else None
        hidden = top is None and bool(cards or count)
        whose = owner(label)
        above = self._named(label, whose) if zone in self._setting.keys.shared and whose is not None else ""
        yield self._cell(("place", label), top, hidden, count, boxes, above)

    def _named(self, label: str, whose: str) -> str:
        """What stands above one of the piles in the middle: `left`, as all call it, or the name of whoever began it."""
        placed = self._setting.captions.placed(label) or ""
        return placed.split(" ")[1] if placed.startswith("the ") else self._setting.captions.name(whose)

    def _slots_with_keys(self, label: str) -> int:
        number = 0
        while self._setting.keys.known(("slot", label, str(number))) is not None and number < FEW // 2:
            number += 1
        return number

    def _cell(
        self, thing: Thing, card: str | None, hidden: bool, count: int | None, boxes: bool, above: str = ""
    ) -> Block:
        setting = self._setting
        key = setting.keys.known(thing)
        if key is None and thing[0] == "slot" and owner(thing[1]) == self._me:
            key = setting.keys.of(thing, self._me)
        symbols = setting.faces.symbols
        face = self._face(card) if card is not None else Text(("▒▒" if symbols else "##") if hidden else "", "dim")
        number = "" if count is None or count < 2 else str(count)
        if thing in setting.picked:
            style = PICKED
        else:
            style = KEY if setting.live is None or thing in setting.live else IDLE
        if not boxes:
            told = Text.assemble((key, style), " ") if key else Text()
            told.append_text(face if face.plain else Text("·" if symbols else ".", "dim"))
            return [told.append(f"+{count - 1}" if count is not None and count > 1 else "", "dim").append(" ")]
        named = len(above) + (len(number) + 1 if number else 0) if above in SIDES else 0
        inside = max(WIDE, setting.faces.width, named) + self._size
        corners = "╭╮╰╯─│" if symbols else "++++-|"
        edge, side = corners[4], corners[5]
        frame = "dim" if not card and not hidden else ""
        tag = above[:inside]
        top = f"{corners[0]}{tag}{edge * (inside - len(tag) - len(number))}{number}{corners[1]}"
        middle = Text.assemble((side, frame), face, " " * (inside - face.cell_len), (side, frame))
        left = edge * ((inside - len(key or edge)) // 2)
        right = edge * (inside - len(key or edge) - len(left))
        bottom = Text.assemble((f"{corners[2]}{left}", frame), (key or edge, style if key else frame))
        blank = Text(f"{side}{' ' * inside}{side}", frame)
        above_face, below = [blank] * (self._size // 2), [blank] * ((self._size + 1) // 2)
        return [Text(top, frame), *above_face, middle, *below, bottom.append(f"{right}{corners[3]}", frame)]

    def _played(self, player: str, card: str | None) -> Block:
        """A card of the trick, below whoever has played it."""
        name = self._setting.captions.name(player)[:NAMED]
        cell = self._cell(("trick", player), card, card is None, None, True)
        wide = max(len(name), cell[0].cell_len) + 2
        return [Text(f"{name:^{wide}}", "bold"), *(_centred(line, wide) for line in cell)]

    def _face(self, card: str | None) -> Text:
        return Text("?") if card is None else self._setting.faces.face(card)

    # ---- what is known besides --------------------------------------------------------------------------

    def _pieces(self, name: str, held: Mapping[str, int]) -> Text:
        """Pieces on the table, one sign each, and who has how many."""
        sign = "●" if self._setting.faces.symbols else "o"
        told = Text.assemble(f" {title_of(name)}  ", (f"{sign} " * held["table"], "bold bright_yellow"))
        told.append(f"{held['table']} on the table", "bold" if held["table"] else "dim")
        for player, count in held.items():
            if player != "table" and count:
                told.append(f"   {self._setting.captions.name(player)} has {count}", "bold")
        return told

    def _remarks(self, player: str) -> Iterator[str]:
        marks, at = self._setting.captions.marks, int(player[1:]) - 1
        if at < len(marks) and marks[at]:
            yield marks[at]

    def _facts(self, player: str) -> Iterator[str]:
        """What the view says of a player in numbers and words."""
        view = self._view
        if any(view["tricks"].values()):
            yield f"tricks {view['tricks'][player]}"
        for name, value in view["values"].items():
            if isinstance(value, dict) and player in value and (name == "score" or value[player] not in NOTHING):
                said = value[player]
                yield self._setting.captions.fact(name, said)

    def _known(self) -> Iterator[str]:
        captions = self._setting.captions
        always, called = captions.always, captions.called
        yield from map(called, told_by_key(self._view, captions))
        for name, value in self._view["values"].items():
            if not isinstance(value, dict) and (value not in NOTHING or name in always):
                yield called(captions.fact(name, value))


def _count(found: Iterable[Mapping[str, Any]]) -> int:
    return sum(place.get("count") or 0 for place in found)


def _centred(line: Text, width: int) -> Text:
    room = width - line.cell_len
    return Text.assemble(" " * (room // 2), line, " " * (room - room // 2))
