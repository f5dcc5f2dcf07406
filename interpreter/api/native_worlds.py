"""Worlds as machine code: what is compiled, and a world as the numbers it is made from.

`numbers_of` writes a position down, `make_world` makes it again and deals what is out of sight, as
`players.determinization` does. The latter is compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from interpreter.compiler.native.laid_melds import laid_places, lay_at
from interpreter.compiler.native.meld_plans import KIND, SHOWN, START, plans
from interpreter.compiler.native.meld_search import NO_CARD, faces_of, in_line
from interpreter.compiler.native.twins import get, taken_below
from interpreter.engine.frames import NOWHERE, Frame
from interpreter.engine.melds.combinations import Meld
from interpreter.engine.packets import as_tuple, bits, mask_of
from interpreter.engine.pieces import AWAY
from interpreter.engine.position import Position
from interpreter.engine.program import Program
from interpreter.engine.standing import scores

MADE, OVER, WON, GAINS = range(1, 5)
"""Where in the row of a trial something lies: the decisions made, whether the match was over, who has won (bits); then
what each player has gained, and the team of each."""
PLAIN, NUMBER, CARD = range(3)
"""How a variable is laid out: as it is, or drawn anew: as one of some numbers, as a card that is out of sight."""
AWAY_BY = -AWAY
"""What is added to who holds a piece, so that it is no less than 0."""
LARGEST_COUNT = 1 << 40
"""Of tricks, runs of stages and ticks."""
LARGEST = 1 << 61
"""Any other number that is written down, and its opposite."""


class Unwritten(ValueError):
    """A position that holds something that is not written down as numbers: the Python lane plays on in it."""


class Place(NamedTuple):
    """What a player sees of a place. looks: cards, or None for one that is hidden; is_open: how many is not known.

    kept: cards that are known to be among the hidden ones; None if nothing was ever known of the place.
    """

    looks: Sequence[int | None]
    is_open: bool = False
    kept: Sequence[int] | None = None


class Unknown(NamedTuple):
    """What is out of sight. rest: the cards that are dealt again; dark: the open places where they can lie.

    drawn: slot -> (least value, how many values), or None for a card that is out of sight; whether it may be none.
    """

    places: Sequence[Place]
    rest: Sequence[int] = ()
    dark: Sequence[int] = ()
    drawn: Mapping[int, tuple[tuple[int, int] | None, bool]] = MappingProxyType({})


class Slots(NamedTuple):
    """The variables of a game by how they are written down: numbers, texts, and lists of numbers."""

    numbers: tuple[int, ...]
    texts: tuple[int, ...]
    lists: tuple[int, ...]
    words: tuple[str, ...]
    """The texts that there can be, or which there are at first."""


def slots_of(program: Program, template: Position) -> Slots:
    """How the variables of a game are written down."""
    texts, lists, words = set[int](), set[int](), dict[str, None]()
    for code in program.variables.values():
        own = range(code.base, code.base + code.size)
        if code.kind.partition(" of ")[0] in ("set", "list"):
            lists.update(own)
        elif code.symbols or code.kind == "text":
            texts.update(own)
            begun = [template.v[at] for at in own]
            words |= dict.fromkeys([*code.symbols, *(text for text in begun if isinstance(text, str))])
    lists |= {at for at, value in enumerate(template.v) if isinstance(value, tuple | list)}
    texts -= lists
    numbers = tuple(at for at in range(len(template.v)) if at not in texts and at not in lists)
    return Slots(numbers, tuple(sorted(texts)), tuple(sorted(lists)), tuple(words))


# ---- written down ---------------------------------------------------------------------------------------


def whole_table(s: Position) -> Unknown:
    """A position in which nothing is dealt again."""
    return Unknown([Place(as_tuple(kept)) for kept in s.z])


def numbers_of(s: Position, slots: Slots, unknown: Unknown) -> list[int | None]:
    """A position as `make_world` reads it. Raises Unwritten."""
    if s.over or s.calls or s.jump != NOWHERE or s.faults or s.chance:
        raise Unwritten("more goes on than is written down")
    found: list[int | None] = [s.current, s.dealer, s.mark, s.tick]
    found += [s.direction != 1, s.direction] if s.direction != 1 else [0]
    found += [1, s.skips] if s.skips else [0]
    found += [int(s.redealing), int(s.halted), *_listed(s.seats), *_listed(bits(s.up)), *_listed(bits(s.down))]
    found += [0] if s.halt_after is None else [1, *s.halt_after]
    found += [*_of_tricks(s), *_listed(s.runs), len(s.stack)]
    for frame in s.stack:
        found += [frame.stage, frame.pc, frame.step, frame.pending, frame.mover, frame.mark, frame.passed]
        found += [0] if frame.args is None else [1, *_any_listed(frame.args)]
        found += [0] if frame.saved is None else [1, frame.saved[0], *_any_listed(frame.saved[1])]
    found += _laid_melds(s)
    for holders in s.tokens.values():
        found += _listed([holder + AWAY_BY for holder in holders])
    found += _places(unknown)
    found += _variables(s, slots, unknown)
    return found


def _listed(items: Sequence[int]) -> list[int]:
    return [len(items), *items]


def _of_tricks(s: Position) -> list[int | None]:
    """What is told of tricks: nothing where it is as before the first."""
    begun = s.best or s.plays or s.trick_number or any(s.tricks)
    if not begun and s.leader is None and s.winner is None and s.led is None:
        return [0]
    if isinstance(s.led, str):
        raise Unwritten("a word was led")
    found = [1, s.leader, s.winner, s.trick_number, s.led, *_listed(s.tricks), *_listed(s.best), len(s.plays)]
    for play in s.plays:
        found += play
    return found


def _laid_melds(s: Position) -> list[int | None]:
    """The melds that lie somewhere, as native code keeps them."""
    if not s.laid:
        return [0]
    found: list[int | None] = [1]
    for place in laid_places(s.program):
        meld = s.laid.get(place)
        found += [0] if meld is None else [1, _face_of(s.program, meld), *_listed(meld.cards)]
    return found


def _face_of(program: Program, meld: Meld) -> int:
    """The face of a meld of the Python lane; see `meld_plans`. Raises Unwritten where native code knows none."""
    plan = next((plan for plan in plans(program) if plan.kind.name == meld.kind), None)
    if plan is not None:
        same = meld.low if plan.kind.same == "rank" else meld.suit if plan.kind.same == "suit" else -1
        cards, wanted = mask_of(meld.cards), shown(program, meld)
        for start in range(max(1, len(plan.ranks)) if same in plan.keys else 0):
            face = plan.number << KIND | start << START | (same or 0) + 1
            if plan.orders and start + len(meld.cards) > len(plan.ranks):
                break
            if NO_CARD not in in_line(plan, face, cards) and faces_of(program, plan, face, cards) == wanted:
                return face
    raise Unwritten("a meld that native code does not know")


def shown(program: Program, meld: Meld) -> list[int]:
    """`faces_of`, of a meld of the Python lane."""
    found = []
    for card, face in zip(meld.cards, meld.stands, strict=True):
        rank, suit = (None, None) if face is None else face
        stands = 0 if face is None else 1 + ((0 if rank is None else rank + 1) << START)
        found.append((program.first_copy[card] << SHOWN) + stands + (0 if suit is None else suit + 1))
    return found


def _any_listed(items: Sequence[Any]) -> list[int | None]:
    if not all(item is None or isinstance(item, int) for item in items):
        raise Unwritten("what is no number, in a stage that was called")
    return [len(items), *items]


def _places(unknown: Unknown) -> list[int | None]:
    wanted = [0 if p.is_open else p.looks.count(None) - len(p.kept or ()) for p in unknown.places]
    found: list[int | None] = [*_listed(unknown.rest), sum(wanted), *_listed(unknown.dark)]
    for (looks, is_open, kept), missing in zip(unknown.places, wanted, strict=True):
        found += [is_open, kept is not None, missing, *_listed(kept or ()), len(looks)]
        found += [-1 if card is None else card for card in looks]
    return found


def _variables(s: Position, slots: Slots, unknown: Unknown) -> list[int | None]:
    found: list[int | None] = []
    for slot in slots.numbers:
        if slot in unknown.drawn:
            span, optional = unknown.drawn[slot]
            found += [CARD, optional] if span is None else [NUMBER, optional, *span]
            continue
        value = s.v[slot]
        if value is not None and not isinstance(value, int):
            raise Unwritten("a variable of another kind")
        found += [PLAIN, value]
    for slot in slots.texts:
        if s.v[slot] is not None and s.v[slot] not in slots.words:
            raise Unwritten("a word that is not known")
        found.append(-1 if s.v[slot] is None else slots.words.index(s.v[slot]))
    for slot in slots.lists:
        items = s.v[slot]
        if not isinstance(items, tuple | list) or not all(isinstance(item, int) for item in items):
            raise Unwritten("a list of something else")
        found += _listed(items)
    return found


# ---- made again -----------------------------------------------------------------------------------------


def world_maker(program: Program, slots: Slots) -> Callable[[Position], None]:
    """What makes a world of numbers, for the slots of a game."""
    numbers, texts, lists, words = slots
    n, cards, stages = program.n, len(program.cards), len(program.stages)
    pieces = tuple(program.tokens)

    def make_world(s: Position) -> None:
        lay_out(s, n, cards, stages)
        if get(s, 0, 1):
            lay_out_melds(s, cards)
        for name in pieces:
            s.tokens[name] = held(s, n)
        dark = deal_again(s, cards)
        for slot in numbers:
            how = get(s, 0, CARD)
            if how == PLAIN:
                s.v[slot] = get_any(s)
            elif get(s, 0, 1) and taken_below(s, 2):
                s.v[slot] = None
                if how == NUMBER:
                    get_any(s)
                    get_any(s)
            elif how == NUMBER:
                least = get(s, -LARGEST, LARGEST)
                s.v[slot] = least + taken_below(s, get(s, 1, LARGEST))
            else:
                s.v[slot] = dark[taken_below(s, len(dark))]
        for slot in texts:
            at = get(s, -1, len(words) - 1)
            s.v[slot] = None if at < 0 else words[at]
        for slot in lists:
            s.v[slot] = numbers_read(s)

    return make_world


def get_any(s: Position) -> int | None:
    """A number of any size, or none."""
    found: int | None = get(s, None, None)
    return found


def numbers_read(s: Position) -> list[int]:
    """A list of numbers."""
    found: list[int] = []
    for _ in range(get(s, 0, 4096)):
        found.append(get(s, -LARGEST, LARGEST))
    return found


def lesser_read(s: Position, most: int) -> list[int]:
    """A list of numbers from 0 to another."""
    found: list[int] = []
    for _ in range(get(s, 0, 4096)):
        found.append(get(s, 0, most))
    return found


def any_read(s: Position) -> list[int | None]:
    """A list of numbers, or nones."""
    found: list[int | None] = []
    for _ in range(get(s, 0, 4096)):
        found.append(get_any(s))
    return found


def held(s: Position, n: int) -> list[int]:
    """Who holds each piece of a kind."""
    found: list[int] = []
    for _ in range(get(s, 0, 4096)):
        found.append(get(s, 0, n - 1 + AWAY_BY) - AWAY_BY)
    return found


def lay_out(s: Position, n: int, cards: int, stages: int) -> None:
    """All of a position but for its places and variables."""
    s.current = get(s, 0, n - 1)
    s.dealer = get_any(s)
    s.mark = get(s, 0, 3)
    s.tick = get(s, 0, LARGEST_COUNT)
    if get(s, 0, 1):
        s.direction = get(s, -1, 1)
    if get(s, 0, 1):
        s.skips = get(s, 0, (1 << n) - 1)
    if get(s, 0, 1):
        s.redealing = True
    s.halted = get(s, 0, 1)
    seats = lesser_read(s, n - 1)
    if seats:
        s.seats = tuple(seats)
    up = lesser_read(s, cards - 1)
    if up:
        s.up = mask_of(up)
    down = lesser_read(s, cards - 1)
    if down:
        s.down = mask_of(down)
    if get(s, 0, 1):
        stage = get(s, 0, stages - 1)
        s.halt_after = (stage, get(s, -1, LARGEST))
    if get(s, 0, 1):
        lay_out_trick(s, n, cards)
    s.runs = lesser_read(s, LARGEST_COUNT)
    for _ in range(get(s, 0, 31)):
        frame = Frame(get(s, 0, stages - 1))
        frame.pc = get(s, 0, 8)
        frame.step = get(s, -3, LARGEST)
        frame.pending = get(s, 0, LARGEST)
        frame.mover = get(s, -1, n - 1)
        frame.mark = get(s, 0, 3)
        frame.passed = get(s, 0, 1) > 0
        if get(s, 0, 1):
            frame.args = tuple(any_read(s))
        if get(s, 0, 1):
            caller = get(s, 0, n - 1)
            frame.saved = (caller, tuple(any_read(s)))
        s.stack.append(frame)


def lay_out_melds(s: Position, cards: int) -> None:
    """The melds that lie somewhere."""
    for at in range(len(laid_places(s.program))):
        if get(s, 0, 1):
            face = get(s, 0, LARGEST)
            lay_at(s, at, (face, mask_of(lesser_read(s, cards - 1))))


def lay_out_trick(s: Position, n: int, cards: int) -> None:
    """What is known of the trick, and of those before it."""
    s.leader = get_any(s)
    s.winner = get_any(s)
    s.trick_number = get(s, 0, LARGEST_COUNT)
    s.led = get_any(s)
    s.tricks = lesser_read(s, LARGEST_COUNT)
    s.best = lesser_read(s, n - 1)
    for _ in range(get(s, 0, 4096)):
        player = get(s, 0, n - 1)
        s.plays.append((player, get(s, 0, cards - 1)))


def deal_again(s: Position, cards: int) -> list[int]:
    """Lay cards where they lie, those out of sight as chance has it; returns those, place by place."""
    rest = lesser_read(s, cards - 1)
    throw(s, rest)
    end = len(rest)
    left = end - get(s, 0, cards)
    dark = lesser_read(s, len(s.z) - 1)
    homes: list[int] = []
    for _ in range(left):
        homes.append(dark[taken_below(s, len(dark))])
    hidden: list[int] = []
    dealt: list[int] = []
    ends: list[int] = []
    for number in range(len(s.z)):
        is_open, was_known, wanted = get(s, 0, 1), get(s, 0, 1), get(s, 0, cards)
        own = lesser_read(s, cards - 1)
        for at in range(end - wanted, end):
            own.append(rest[at])
        end -= wanted
        for at in range(left):
            if homes[at] == number:
                own.append(rest[at])
        if was_known:
            throw(s, own)
        for card in own:
            hidden.append(card)
            if is_open:
                dealt.append(card)
        used = 0
        for _ in range(get(s, 0, cards)):
            card = get(s, -1, cards - 1)
            if card >= 0:
                dealt.append(card)
            else:
                dealt.append(own[used])
                used += 1
        ends.append(len(dealt))
    begin = 0
    for place in range(len(s.z)):
        found = part_of(dealt, begin, ends[place])
        begin = ends[place]
        kept = s.z[place]
        if type(kept) is int:
            s.z[place] = mask_of(found)
        else:
            s.z[place] = found
    return hidden


def part_of(cards: list[int], begin: int, end: int) -> list[int]:
    """Some of the cards that lie one after the other."""
    found: list[int] = []
    for at in range(begin, end):
        found.append(cards[at])
    return found


def throw(s: Position, cards: list[int]) -> None:
    """`determinization._shuffle`."""
    for last in range(len(cards) - 1, 0, -1):
        at = taken_below(s, last + 1)
        card = cards[last]
        cards[last] = cards[at]
        cards[at] = card


# ---- how it ends ----------------------------------------------------------------------------------------


def standings(s: Position) -> Any:
    """`standing.standings`."""
    if s.program.places_of is not None:
        return [-place for place in s.program.places_of(s)]
    return scores(s)
