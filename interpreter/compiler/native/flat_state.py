"""Where the data of a match lies in native code: one flat piece of memory for each match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.compiler.core.library_types import FIELD_TYPES
from interpreter.compiler.core.types import CARD, CARDS, Many
from interpreter.compiler.native.declared import TIMES, bounds_of, kind_of
from interpreter.compiler.native.laid_melds import NO_MELD
from interpreter.compiler.native.meld_plans import KIND, most_together, plans
from interpreter.compiler.native.native_kinds import (
    FLAG,
    FRAME,
    LENGTH,
    MOST,
    MOST_ROOM,
    WORD,
    Group,
    Kind,
    Known,
    Maybe,
    Number,
    Row,
    bits_of,
    joined,
    joined_all,
    kept_in,
)
from interpreter.compiler.native.not_native import NotNative, TwoKinds
from interpreter.compiler.native.set_room import FACE, MOST_KINDS, OF_SET, SetRoom
from interpreter.compiler.native.sources import stored_in
from interpreter.engine.frames import NOWHERE
from interpreter.engine.position import Position
from interpreter.engine.program import Program, VariableCode

MOST_FRAMES = 32
"""Stages that can be on the stack at once, at most; more than that the Python lane plays."""
MANY_CARDS, MANY_LISTS = 60, 4
"""Where there are more cards, and more lists of them at places, these lists share their room."""
TWICE, FOR_EACH = 2, 8
"""That room: for so many times the cards, which can lie at two places for a moment, and for some for each list more."""
FEW_FRAMES = 8
"""So many frames are found by some bits of their numbers."""
BY_EFFECTS: dict[str, Any] = {"jump": NOWHERE, "calls": (), "skips": 0, "direction": 1, "redealing": False}
"""What nothing changes but effects of rules, and what it is where none does."""
OF_TRICKS = "plays", "led", "leader", "winner", "best", "trick_number", "tricks"
"""What is as at first where no tricks are played."""
FIELDS = (
    "stack runs calls jump mark skips current dealer direction redealing plays led leader winner best trick_number "
    "tricks over spent draws halt_after halted tick seats up down laid"
).split()
"""What is kept of a match, besides cards, variables and pieces."""
CALLS, WAITING, MEMBERS = 6, 3, 12
"""Calls that wait to be begun (or as many as play, if these are more), stages that wait for the end of themselves, and
members of a list that lies in something else."""
MELDS, MELDS_OF_EACH = 16, 2
"""Melds that lie on the table at a time, at most: so many, or as many of each player if that is more."""
MOST_NUMBERS, SHORT_WORD = 32, (1 << 15) - 1
"""Members of a list that a variable holds, where these are no cards, and the most that a whole number there can be."""
MOST_PLACES = 1_000
"""Places and variables of a match; each takes code of its own to be laid out."""
ALIGNED = 16
"""Bytes at whose multiples begins whatever lies in the frame of a function; nothing needs more."""
MOST_CARDS_LAID = 30_000
"""Cards for which there is room in lists: a match lies on the stack, and bots keep several."""
WAYS, CHOSEN = 1_000, 2_400
"""Melds, or ways to choose some, among which one is chosen: so many, or as many as have so many melds together."""
COUNT = Number(0, MOST)
READ = "read", "given", "taken", "left", "key", "keep", "wanted", "steps", "tallied"
"""Words of our own beside a match that is made of numbers and in which moves are tried."""


@dataclass(frozen=True, slots=True)
class Place:
    """A field in memory. kind: of what it holds. capacity: of a list."""

    index: int
    kind: Kind
    capacity: int = 0


@dataclass(frozen=True, slots=True)
class SharedRoom:
    """Where the members of lists lie that share their room, one list after the other.

    heads: the field with what stands before these lists (how long each is, for how many it has room, and how many bytes
    from there its members lie), after which comes the field with the members. lists: how many. word: of a member. size:
    for how many members there is room.
    """

    heads: int
    lists: int
    word: str
    size: int


class Family:
    """Places or variables by their numbers. Those that take the same memory lie in one array."""

    def __init__(
        self, layout: Layout, kinds: list[Kind], rooms: list[int], shared: bool = False, of_sets: bool = False
    ) -> None:
        """rooms: of each, how many members a list has room for (at first, where lists share their room). of_sets:
        whether a set of cards is kept by its number among those that share their room."""
        self.kinds, self.rooms = kinds, rooms
        kept = [layout.word(kind.kept) for kind in kinds if isinstance(kind, Number)]
        self.word = OF_SET if of_sets else max(kept, key=bits_of, default="i64")
        words = [layout.memory(kind, 1) if isinstance(kind, Row) else self.word for kind in kinds]
        self.places: list[tuple[int, int]] = [(0, 0)] * len(kinds)
        """Of each the field that is its array, and its number in it."""
        for word in dict.fromkeys(words):
            own, array = [at for at, other in enumerate(words) if other == word], len(layout.types)
            for number, at in enumerate(own):
                self.places[at] = array, number
            kind = kinds[own[0]]
            if isinstance(kind, Row) and kind.item is not None and shared:
                layout.types.append(f"[{len(own)} x {{{layout.head}}}]")
                layout.shared = SharedRoom(array, len(own), layout.memory(kind.item), sum(rooms))
                layout.types.append(f"[{layout.shared.size} x {layout.shared.word}]")
                continue
            inner = layout.memory(kind, max(rooms[at] for at in own)) if isinstance(kind, Row) else word
            layout.types.append(f"[{len(own)} x {'i8' if inner == OF_SET else inner}]")

    def are_alike(self, one: int | None, two: int | None) -> bool:
        """Whether two numbers mean the same kind of place or variable, or none."""
        kinds = [None if at is None or not 0 <= at < len(self.kinds) else self.kinds[at] for at in (one, two)]
        return kinds[0] == kinds[1]

    def like(self, low: int, high: int) -> tuple[int, int]:
        """The least and the most number of those around some that are of the same kind, if these are all alike."""
        if any(not self.are_alike(low, at) for at in range(low + 1, high + 1)):
            return low, high
        while low > 0 and self.are_alike(low - 1, high):
            low -= 1
        while self.are_alike(high + 1, low):
            high += 1
        return low, high

    def kind(self, low: int, high: int) -> Kind:
        """What all of these hold. Raises TwoKinds where they lie in more than one array."""
        found, starts = self.kinds[low], [low]
        for number in range(low + 1, high + 1):
            if self.places[number - 1][0] != self.places[number][0]:
                starts.append(number)
            elif len(starts) == 1:
                found = joined(found, self.kinds[number])
        if len(starts) > 1:
            raise TwoKinds(tuple(zip(starts, [*(start - 1 for start in starts[1:]), high], strict=True)))
        return found


class Layout:
    """The fields of a match of one game."""

    def __init__(self, program: Program, template: Position, reads: bool = False) -> None:
        """reads: whether a match is made of numbers that it is given, as trials are."""
        self.program, self.template = program, template
        self.cards = len(program.cards)
        self.capacity = max(self.cards, 16)
        self.bits = 64 if self.cards <= 60 else -(-(self.cards + 2) // 64) * 64
        lists = sum(zone.size for zone in program.zones if zone.kept != "mask")
        shared = self.cards > MANY_CARDS and lists > MANY_LISTS
        self.head = ", ".join([LENGTH] * (3 if shared else 2))
        """What stands before the members of a list: its length, for how many there is room, and, where some share their
        room, how many bytes from there they lie."""
        self.shared: SharedRoom | None = None
        self.types: list[str] = []
        self._memory: dict[tuple[Kind, int], str] = {}
        kinds = plans(program) if program.melds else ()
        face, cards = Number(0, max(1, len(kinds) << KIND) - 1), Number(0, (1 << self.cards) - 1)
        self.meld, self.laid = Group((face, cards)), Group((Number(-1, face.high), cards))
        """A meld, and one that lies somewhere, or none; see `meld_plans`."""
        self.together = most_together(program)
        self.known = self._known_fields()
        turns = len(program.turn_slots) if any(stage.has_turns for stage in program.stages) else 0
        called, turned = {slot for stage in program.stages for _, slot in stage.params}, program.turn_slots[:turns]
        self.saved, self.args = (Row(self._any_of(slots)) for slots in (turned, sorted(called)))
        """What is kept of a call in a frame: variables of the turn as they were, and what the stage is given."""
        most = max((len(stage.params) for stage in program.stages), default=0)
        self.arguments = {self.saved: turns} | {self.args: max(most, turns if self.args == self.saved else 1)}
        self.room_for_frames = self._room_for_frames()
        self.fields: dict[str, Place] = {}
        self.zones = self.zone_kinds()
        self.sets = self._room_for_sets()
        for name, kind, capacity in self._fields():
            if name not in self.known and not (name == "laid" and self.sets is not None):
                self.fields[name] = self._add(kind, capacity)
        self.slots = [self._slot(slot) for slot in range(len(program.initial))]
        whole = sum(isinstance(kind, Row) for kind in (*([] if shared else self.zones), *self.slots))
        size = self._room_shared(lists)
        laid = whole * self.capacity + shared * (size + 3 * lists)
        far = shared * (size * self.bytes_of(Number(0, self.cards - 1)) + 6 * lists)
        if len(self.zones) + len(self.slots) > MOST_PLACES or laid > MOST_CARDS_LAID or far >= MOST_ROOM:
            raise NotNative("so many places and variables")
        self.families = {
            "zones": Family(self, self.zones, self._rooms(shared), shared, self.sets is not None),
            "slots": Family(self, self.slots, [self._room_of(kind) for kind in self.slots]),
        }
        self.pieces = {name: self._add(Row(Number(-2, program.n - 1)), 64) for name in program.tokens}
        saved: Kind = Maybe(Group((Number(0, program.n - 1), self.saved)))
        args: Kind = Maybe(self.args)
        times = Number(0, TIMES)
        if "calls" in self.known:  # these are of stages that are called
            saved = args = Known(None)
        frame = (("stage", Number(0, len(program.stages) - 1)), ("pc", Number(0, 8)),
                 ("mover", Number(-1, program.n - 1)), ("mark", Number(0, 3)), ("passed", FLAG), ("saved", saved),
                 ("args", args), ("step", Number(-3, TIMES)), ("pending", times), ("moved", Known(0)))  # fmt: skip
        self.frame: dict[str, Place] = {}
        self.frame_types: list[str] = []
        for name, kind in frame:
            self.frame[name] = Place(len(self.frame_types), kind)
            self.frame_types.append(self.memory(kind))
        self.frames = len(self.types)
        self.types.append(f"[{self.room_for_frames} x %Frame]")
        words = (
            "fault",
            "seed",
            "dice",
            "drawn",
            "half",
            "frame",
            *(READ if reads else ()),
        )
        self.own = {name: self._own("i64") for name in words}
        self.own |= {name: self._own("ptr") for name in ("out", *(("in", "halves", "book", "tree") if reads else ()))}

    def _own(self, kind: str) -> int:
        self.types.append(kind)
        return len(self.types) - 1

    def _add(self, kind: Kind, capacity: int) -> Place:
        self.types.append(self.memory(kind, capacity))
        return Place(len(self.types) - 1, kind, capacity)

    def memory(self, kind: Kind, capacity: int = 0) -> str:
        """The LLVM type of a kind in memory. capacity: of a list; 0: as one that lies in something else."""
        if (kind, capacity) not in self._memory:
            self._memory[kind, capacity] = self._find_memory(kind, capacity)
        return self._memory[kind, capacity]

    def _find_memory(self, kind: Kind, capacity: int) -> str:
        match kind:
            case Row(item):
                if capacity >= MOST_ROOM:
                    raise NotNative("a list of so many")
                inner = "i64" if item is None else self.memory(item)
                return f"{{{self.head}, [{capacity or self.short(kind)} x {inner}]}}"
            case Group(items):
                return f"{{{', '.join(self.memory(item) for item in items)}}}"
            case Maybe(of):
                return f"{{{FLAG.kept}, {self.memory(of)}}}"
        return "".join(self.word(part) for part in kept_in(kind)) or "{}"

    def bytes_of(self, kind: Kind, capacity: int = 0) -> int:
        """How much memory that takes at most, with what is left free so that each begins at a multiple of its size."""
        match kind:
            case Row(item):
                return 2 * ALIGNED + (capacity or self.short(kind)) * (8 if item is None else self.bytes_of(item))
            case Group(items):
                return sum(ALIGNED + self.bytes_of(item) for item in items)
            case Maybe(of):
                return 2 * ALIGNED + self.bytes_of(of)
        return sum((int(self.word(part)[1:]) + 7) // 8 for part in kept_in(kind))

    def short(self, row: Row) -> int:
        """How many members a list has room for that lies in something else."""
        return self.together if row.item == self.meld else self.arguments.get(row, MEMBERS)

    def _room_of(self, kind: Kind) -> int:
        """How many members a list has room for that a variable holds."""
        cards = Row(Number(-1, self.cards - 1)), Row(Number(0, self.cards - 1))
        return self.capacity if kind in cards else min(self.capacity, MOST_NUMBERS)

    def _room_shared(self, lists: int) -> int:
        """How many cards lists have room for together that share it."""
        return TWICE * self.cards + FOR_EACH * (lists - MANY_LISTS)

    def _rooms(self, shared: bool) -> list[int]:
        """How many cards each place has room for: all; or, of lists that share their room, as many as are there at
        first, and of the rest the more, the fewer places a zone has."""
        if not shared:
            return [self.cards] * len(self.zones)
        zones = [zone for zone in self.program.zones if zone.kept != "mask"]
        found = [0] * len(self.zones)
        for at, kind in enumerate(self.zones):
            if isinstance(kind, Row):
                found[at] = len(self.template.z[at])
        size = self._room_shared(sum(zone.size for zone in zones))
        rest, shares = size - sum(found), sum(zone.size**0.5 for zone in zones)
        for zone in zones:
            for at in range(zone.base, zone.base + zone.size):
                found[at] += int(rest * zone.size**0.5 / shares) // zone.size
        found[zones[0].base] += size - sum(found)
        return found

    def _room_for_sets(self) -> SetRoom | None:
        """Where there are more places for melds than melds lie there at a time, sets of cards that share their room."""
        asked, masks = self.program.meld_places, sum(not isinstance(kind, Row) for kind in self.zones)
        size = masks - len(asked) + max(MELDS, MELDS_OF_EACH * self.program.n)
        if size >= masks or size >= 1 << 8 or any(isinstance(self.zones[place], Row) for place in asked):
            return None
        if len(self.program.melds) > MOST_KINDS:
            return None
        cards = self.laid.items[1]
        word, first = self.word("wide" if isinstance(cards, Number) and cards.wide else "i64"), len(self.types)
        self.types += [f"[{size + 1} x {of}]" for of in (word, "i8", FACE)]
        self.types.append(f"[{len(asked)} x i8]")
        return SetRoom(first, size, word)

    def _room_for_frames(self) -> int:
        """How many stages can run at once, none of them twice, with those that were called and wait; a power of two if
        they are few.

        One more is an ending, and one the frame that was taken off last.
        """
        stages = self.program.stages
        inside = {child for stage in stages for child in stage.children}

        def depth(index: int) -> int:
            return 1 + max(map(depth, stages[index].children), default=0)

        deepest = 2 + sum(depth(stage.index) for stage in stages if stage.index not in inside)
        found = deepest + (0 if "calls" in self.known else WAITING)
        return min(MOST_FRAMES, found if found > FEW_FRAMES else 1 << (found - 1).bit_length())

    def room(self, item: Kind | None) -> int:
        """How many members a list of our own has room for: melds, and ways to choose some, can be many."""
        parts = item.items if isinstance(item, Group) else (item,)
        if item == self.meld or self.meld in parts:
            return WAYS
        return min(WAYS, CHOSEN // self.together) if Row(self.meld) in (item, *parts) else self.capacity

    def word(self, part: str) -> str:
        """The LLVM type of a part."""
        return f"i{self.bits}" if part == "wide" else part

    def at_first(self, name: str) -> Any:
        """What a field holds before anything has happened."""
        return [NO_MELD] * len(self.program.meld_places) if name == "laid" else getattr(self.template, name)

    def zone_kinds(self) -> list[Kind]:
        """What lies at each place."""
        zones = [zone for zone in self.program.zones for _ in range(zone.size)]
        mask, cards = (kind_of(of, self.program) for of in (CARDS, Many(CARD)))
        return [mask if zone.kept == "mask" else cards for zone in zones]

    def _slot(self, slot: int) -> Kind:
        given = (variable for stage in self.program.stages for variable in stage.takes)
        families = (*self.program.variables.values(), *given)
        family = next((v for v in families if v.base <= slot < v.base + v.size), None)
        kind = WORD if family is None else self._variable(family)
        value = self.template.v[slot]
        if not isinstance(kind, Row):
            if value is None and isinstance(kind, Number):
                kind = Number(kind.low, kind.high, True, kind.text)
            elif not isinstance(value, int | str | None):
                kind = Row(WORD)
        return kind

    def _any_of(self, slots: Sequence[int]) -> Kind:
        """What any of some variables holds."""
        found = joined_all([self._slot(slot) for slot in slots]) or FLAG
        if not isinstance(found, Number) or found.text or found.wide:
            return WORD
        size = Number(-2, max(-found.low, found.high, 1)).kept  # as much as lies in so many bits
        high = (1 << (int(size[1:]) - 1)) - 1
        return Number(-high, high, found.none) if high < MOST else WORD

    def _variable(self, family: VariableCode) -> Kind:
        first, _, item = family.kind.partition(" of ")
        kinds = {of: bounds_of(of, self.program) for of in ("flag", "player", "suit", "rank")}
        kinds |= {"integer": (family.low, family.high), "card": (-1, self.cards - 1)}
        if first in ("set", "list"):
            if family.optional:  # memory has room for its members, and none is no list without any
                raise NotNative("a set that may be none")
            inner = kinds.get(item or "player", (0, 0))
            if item == "integer":
                return Row(Number(-SHORT_WORD, SHORT_WORD, none=True))
            return Row(WORD if item not in ("", "player", "card") else Number(*inner))
        if family.symbols or first not in kinds:
            return WORD
        low, high = kinds[first]
        return Number(low, high, family.optional)

    def _known_fields(self) -> dict[str, Kind]:
        """What never changes in strict random play without a log, or in this game."""
        s, program = self.template, self.program
        if program.keeps:  # what is noted, claimed and lapses
            raise NotNative("honour")
        found = {name: getattr(s, name) for name in ("program", "log", "faults", "chance", "clock", "hidden")}
        if not program.meld_places:
            found["laid"] = s.laid
        if not program.faces:
            found |= {"up": 0, "down": 0}
        if not program.reseats:
            found["seats"] = ()
        if not program.counted:
            found["counted"] = None
        said = stored_in(program.text)
        found |= {name: value for name, value in BY_EFFECTS.items() if name not in said}
        if not said.intersection(OF_TRICKS) and all(stage.kind != "trick" for stage in program.stages):
            found |= {name: _as_constant(getattr(s, name)) for name in OF_TRICKS}
        if "direction" in found and any(s.next_dealer is not None and s.direction == "right" for s in program.stages):
            del found["direction"]
        return {name: Known(value) for name, value in found.items()}

    def _fields(self) -> Iterator[tuple[str, Kind, int]]:
        """Each field, what it is, and of a list for how many there is room."""
        n, stages = self.program.n, len(self.program.stages)
        call = Group((Number(0, stages - 1), self.args))
        own: dict[str, Kind] = {
            "stack": Row(FRAME), "calls": Row(call), "jump": Number(-3, stages - 1), "mark": Number(0, 3),
            "led": Number(-1, max(len(self.program.suits), 16), none=True, text=True), "over": FLAG, "draws": COUNT,
            "halt_after": Maybe(Group((Number(0, stages - 1), Number(-1, TIMES)))), "tick": Number(0, TIMES),
            "laid": Row(self.laid),
        }  # fmt: skip
        rooms = {
            "stack": self.room_for_frames, "runs": stages, "calls": max(CALLS, n), "plays": max(16, 2 * n), "best": n,
            "tricks": n, "seats": n, "laid": max(1, len(self.program.meld_places)),
        }  # fmt: skip
        for name in FIELDS:
            yield name, own[name] if name in own else kind_of(FIELD_TYPES[name], self.program), rooms.get(name, 0)


def _as_constant(value: Any) -> Any:
    """What never changes: of a list its members."""
    return tuple(value) if isinstance(value, list) else value
