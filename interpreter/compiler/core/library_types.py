"""The functions that a program may call, the fields it may look at: of what type they are, and what they do.

A test demands that all of the library and the engine's primitives stand here, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from interpreter.compiler.core.node_kinds import Call, Method
from interpreter.compiler.core.types import (
    ANY_NUMBER,
    ANYTHING,
    CARD,
    CARDS,
    CONDITION,
    COUNT,
    DICE,
    EVENT,
    FAULT,
    FLAG,
    FRAME,
    LOG,
    MELD,
    NEVER,
    NOTHING,
    PIECE,
    PLACE,
    PLAYER,
    PLAYERS,
    SPAN,
    STAGE,
    STATE,
    TEAM,
    WORD,
    Bits,
    Function,
    Group,
    Keyed,
    Many,
    Maybe,
    Number,
    Type,
    item_of,
    joined,
    joined_all,
    maybe,
    size_of,
    without_none,
)

Effect = Literal["reads", "changes", "draws", "fails"]
"""It asks the state; it changes the state, the log or what is kept; it draws by chance; it may stop the match.

That steps are counted is no change.
"""
NO_EFFECT: frozenset[Effect] = frozenset()
Result = Type | Callable[[Sequence[Type]], Type]
"""What a function gives: always the same, or as its arguments are."""


class Signature(Struct, frozen=True):
    """What a function takes, what it gives and what it does.

    takes: the types of its arguments, of which some at the end may be left out; the last goes for all further ones
    where `many` says so.
    """

    takes: tuple[Type, ...]
    gives: Result
    does: frozenset[Effect] = NO_EFFECT
    many: bool = False


_WAYS: dict[str, tuple[Effect, ...]] = {
    "": (), "reads": ("reads",), "asks": ("reads", "fails"), "fails": ("fails",),
    "draws": ("reads", "draws", "fails"), "changes": ("reads", "changes", "fails"),
    "by chance": ("reads", "changes", "draws", "fails"),
}  # fmt: skip
"""What functions do, as it is told below."""


def _does(what: str, gives: Result, *takes: Type, many: bool = False) -> Signature:
    return Signature(takes, gives, frozenset(_WAYS[what]), many)


def _there(given: Sequence[Type]) -> Type:
    """The first argument, which is not none."""
    return without_none(given[0])


def _member(at: int, none: bool = False) -> Result:
    """A member of an argument. none: or none."""
    return lambda given: maybe(item_of(given[at])) if none else item_of(given[at])


def _list_of(at: int = 0) -> Result:
    """A list of what an argument has as members."""
    return lambda given: Many(item_of(given[at]))


def _together(given: Sequence[Type]) -> Type:
    return Many(joined_all(map(item_of, given)))


def _called(given: Sequence[Type]) -> Type:
    """What the function gives that is the first argument, or of which that consists."""
    of = given[0] if isinstance(given[0], Function) else item_of(given[0])
    return of.result if isinstance(of, Function) else ANYTHING


def _perhaps_called(given: Sequence[Type]) -> Type:
    return maybe(_called(given))


def _present(given: Sequence[Type]) -> Type:
    return Many(without_none(item_of(given[0])))


def _ends(given: Sequence[Type]) -> Type:
    """The least or greatest of numbers."""
    return joined_all(given) if len(given) > 1 else item_of(given[0])


def _range(given: Sequence[Type]) -> Type:
    """The numbers from one to before another."""
    low, high = (Number(0, 0), given[0]) if len(given) == 1 else (given[0], given[1])
    if not isinstance(low, Number) or not isinstance(high, Number):
        return Many(ANY_NUMBER)
    size = high.high - low.low if low.low == low.high and high.low == high.high else -1
    of = low.of or high.of
    return Many(
        Number(low.low, high.high - 1, "" if of == "flag" else of) if high.high > low.low else NEVER, max(size, -1)
    )


def _place_among(given: Sequence[Type]) -> Type:
    """A number as an index of so many places."""
    return Number(0, given[2].high - 1) if isinstance(given[2], Number) else COUNT


def _length(given: Sequence[Type]) -> Type:
    size = size_of(given[0])
    return COUNT if size < 0 else Number(size, size)


def _kept_or(given: Sequence[Type]) -> Type:
    return joined(without_none(given[0]), given[1])


MEMBERS, HAND = Many(ANYTHING), Many(CARD)
TO_ALL, NAMES = Many(PLAYER), Many(WORD)
MELDS = Many(MELD)
FITS = (Function(CONDITION), ANY_NUMBER)
HOW = (FLAG, Maybe(WORD))
"""Beneath or not, and face up, down or as it lies."""
ANY_CARD, ANYBODY = Maybe(CARD), Maybe(PLAYER)

LIBRARY: dict[str, Signature] = {
    # built-in functions of Python
    "len": _does("", _length, ANYTHING),
    "min": _does("", _ends, ANYTHING, many=True),
    "max": _does("", _ends, ANYTHING, many=True),
    "map": _does("", lambda given: Many(_called(given)), Function(ANYTHING), MEMBERS),
    "sum": _does("", ANY_NUMBER, MEMBERS),
    "any": _does("", FLAG, MEMBERS),
    "all": _does("", FLAG, MEMBERS),
    "bool": _does("", FLAG, CONDITION),
    "sorted": _does("", _list_of(), MEMBERS),
    "range": _does("", _range, ANY_NUMBER, ANY_NUMBER),
    "next": _does("", _member(0, none=True), MEMBERS, ANYTHING),
    "str": _does("", WORD, ANYTHING),
    "list": _does("", _list_of(), MEMBERS),
    "tuple": _does("", _list_of(), MEMBERS),
    # numbers and none
    "needed": _does("fails", _there, Maybe(ANY_NUMBER)),
    "required": _does("fails", _there, Maybe(ANY_NUMBER)),
    "somebody": _does("fails", _there, ANYBODY),
    "within": _does("fails", ANY_NUMBER, ANY_NUMBER),
    "inside": _does("fails", _place_among, ANY_NUMBER, ANY_NUMBER, COUNT),
    "nowhere": _does("fails", NEVER),
    "no_value": _does("fails", NEVER, WORD, SPAN),
    "out_of_bounds": _does("fails", NOTHING, WORD, Maybe(ANY_NUMBER), Maybe(ANY_NUMBER), Maybe(ANY_NUMBER)),
    "none_first": _does("", ANY_NUMBER, Maybe(ANY_NUMBER)),
    "distance": _does("", COUNT, Maybe(ANY_NUMBER), Maybe(ANY_NUMBER), ANY_NUMBER),
    "ask": _does("", _perhaps_called, Function(ANYTHING), ANYTHING, many=True),
    "holds": _does("", FLAG, Function(CONDITION), Maybe(ANYTHING), Maybe(ANYTHING)),
    "or_keep": _does("", _kept_or, ANYTHING, ANYTHING),
    # lists, sets and tables
    "item": _does("fails", _member(1), Maybe(ANY_NUMBER), Maybe(MEMBERS)),
    "cycle": _does("fails", _member(1), Maybe(ANY_NUMBER), Maybe(MEMBERS)),
    "present": _does("", _present, MEMBERS),
    "numbers": _does("fails", Many(ANY_NUMBER), Maybe(ANY_NUMBER), Maybe(ANY_NUMBER)),
    "union": _does("", _together, MEMBERS, many=True),
    "joined": _does("", _together, MEMBERS, MEMBERS),
    "without": _does("", _list_of(), MEMBERS, MEMBERS),
    "less": _does("", _list_of(), MEMBERS, MEMBERS),
    "sets_from": _does("fails", lambda given: Many(Many(item_of(given[0]))), MEMBERS, Maybe(ANY_NUMBER), many=True),
    "first_of": _does("fails", _list_of(1), Maybe(ANY_NUMBER), MEMBERS),
    "of_card": _does("", _member(0, none=True), MEMBERS, Maybe(ANY_NUMBER)),
    "row_number": _does("", COUNT, Keyed(ANYTHING, ANY_NUMBER), MEMBERS, ANYTHING, ANY_NUMBER),
    "row_of": _does("", _perhaps_called, MEMBERS, Many(ANY_NUMBER), Maybe(ANY_NUMBER)),
    "row_for": _does("", _perhaps_called, MEMBERS, Many(ANY_NUMBER), Maybe(ANY_NUMBER)),
    # cards
    "bits": _does("", lambda given: Many(Number(of=given[0].of) if isinstance(given[0], Bits) else COUNT), CARDS),
    "mask_of": _does(
        "",
        lambda given: PLAYERS if item_of(given[0]) != NEVER and _numbers(item_of(given[0])) == "player" else CARDS,
        MEMBERS,
    ),
    "mask_of_packet": _does("", CARDS, HAND),
    "as_tuple": _does("", HAND, ANYTHING),
    "by_face": _does("", HAND, HAND, CARDS),
    "distinct": _does("", HAND, HAND, HAND),
    "end_of": _does("", ANY_CARD, HAND, ANY_NUMBER),
    "top_of": _does("fails", HAND, Maybe(ANY_NUMBER), HAND),
    "bottom_of": _does("fails", HAND, Maybe(ANY_NUMBER), HAND),
    "card_at": _does("fails", ANY_CARD, Maybe(ANY_NUMBER), HAND),
    "has_card": _does("", FLAG, CARDS, ANY_CARD),
    "has_face": _does("", FLAG, HAND, HAND, ANY_CARD),
    "with_copies": _does("", CARDS, Keyed(ANYTHING, CARDS), HAND, HAND),
    "same_card": _does("", FLAG, HAND, ANY_CARD, ANY_CARD, FLAG),
    "subsets": _does("", Many(HAND), HAND, ANY_NUMBER, ANY_NUMBER, FLAG),
    "few_subsets": _does("fails", Many(HAND), HAND, ANY_NUMBER, ANY_NUMBER, ANY_NUMBER, ANY_NUMBER, WORD, SPAN, FLAG),
    "is_subset": _does("", FLAG, HAND, HAND, ANY_NUMBER, ANY_NUMBER),
    "ways_to_choose": _does("", COUNT, COUNT, ANY_NUMBER, ANY_NUMBER),
    "nth_choice": _does("", _list_of(), HAND, ANY_NUMBER, ANY_NUMBER, COUNT),
    "as_they_lie": _does("reads", HAND, STATE, HAND),
    "place_by_place": _does("reads", HAND, STATE, HAND),
    "is_up": _does("reads", FLAG, STATE, ANY_CARD),
    "is_down": _does("reads", FLAG, STATE, ANY_CARD),
    "holder": _does("reads", ANYBODY, STATE, Many(PLACE), ANY_CARD, COUNT),
    "holder_of_face": _does("reads", ANYBODY, STATE, Many(PLACE), ANY_CARD, COUNT),
    "as_played": _does("", Many(Group((PLAYER, CARD))), PLAYER, TO_ALL, HAND),
    "player_of": _does("reads", ANYBODY, STATE, ANY_CARD),
    # players
    "others": _does("", TO_ALL, TO_ALL, PLAYER),
    "partner": _does("", PLAYER, Many(TO_ALL), Many(TEAM), PLAYER),
    "extreme": _does("reads", TO_ALL, ANYTHING, COUNT, Many(ANY_NUMBER), TO_ALL, FLAG),
    "seat_of": _does("asks", COUNT, STATE, PLAYER),
    "seat_from": _does("asks", PLAYER, STATE, PLAYER, ANY_NUMBER),
    "across": _does("asks", PLAYER, STATE, PLAYER),
    "next_after": _does("asks", PLAYER, STATE, PLAYER, TO_ALL),
    "next_player": _does("reads", ANYBODY, STATE, PLAYER, TO_ALL),
    "next_due": _does("reads", ANYBODY, STATE, ANY_NUMBER, Maybe(PLAYER), TO_ALL),
    "followers": _does("reads", Keyed(PLAYER, TO_ALL), STATE, TO_ALL),
    "players_now": _does("reads", TO_ALL, STATE),
    "players_around": _does("reads", TO_ALL, STATE, COUNT),
    "players_of_caller": _does("reads", TO_ALL, STATE),
    "seated": _does("asks", TO_ALL, TO_ALL, STATE),
    "pieces": _does("reads", Many(PIECE), STATE, WORD, Maybe(PLAYER)),
    "fault_age": _does("reads", COUNT, STATE, PLAYER),
    "fault_count": _does("reads", COUNT, STATE, PLAYER),
    "lapsed_count": _does("reads", COUNT, STATE, PLAYER),
    "can": _does("asks", FLAG, STATE, PLAYER, Function(ANYTHING), Function(ANYTHING), COUNT, COUNT, WORD, SPAN),
    "can_here": _does("asks", FLAG, STATE, PLAYER, Keyed(ANY_NUMBER, ANYTHING)),
    "is_complete": _does("reads", FLAG, STATE, TO_ALL),
    # melds
    "melds_in": _does("asks", MELDS, STATE, NAMES, CARDS, FLAG),
    "melds_apart_in": _does("asks", Many(MELDS), STATE, NAMES, CARDS, ANY_NUMBER, ANY_NUMBER, FLAG, *FITS),
    "melds_asked_in": _does("asks", Many(MELDS), STATE, NAMES, CARDS, FLAG, *FITS),
    "is_meld": _does("asks", FLAG, STATE, WORD, CARDS),
    "is_meld_from": _does("asks", FLAG, STATE, NAMES, CARDS, MELD),
    "are_melds_asked": _does("asks", FLAG, STATE, NAMES, CARDS, MELDS),
    "are_melds_from": _does("asks", FLAG, STATE, NAMES, CARDS, MELDS, ANY_NUMBER, ANY_NUMBER),
    "part_of_meld": _does("", ANYTHING, Maybe(MELD), ANY_NUMBER),
    "size_of_meld": _does("", Maybe(COUNT), Maybe(MELD)),
    "cards_of_meld": _does("", HAND, Maybe(MELD)),
    "least_outside": _does("asks", ANY_NUMBER, STATE, NAMES, CARDS, ANYTHING),
    "meld_at": _does("reads", Maybe(MELD), STATE, PLACE),
    "meld_extends": _does("asks", FLAG, STATE, Maybe(MELD), ANY_CARD),
    "replaced_wild": _does("asks", ANY_CARD, STATE, Maybe(MELD), ANY_CARD),
    "lay_meld": _does("changes", NOTHING, STATE, Maybe(MELD), PLACE),
    "renew_melds": _does("changes", NOTHING, STATE),
    # what is said
    "brief": _does("", WORD, WORD),
    "start": _does("", WORD, ANY_NUMBER, WORD),
    "say_player": _does("", WORD, ANYBODY),
    "say_players": _does("", WORD, TO_ALL),
    "say_team": _does("", WORD, Maybe(TEAM)),
    "say_card": _does("", WORD, NAMES, ANY_CARD),
    "say_cards": _does("", WORD, NAMES, HAND),
    "say_item": _does("", WORD, NAMES, Maybe(ANY_NUMBER)),
    "say_plain": _does("", WORD, ANYTHING),
    "say_melds": _does("reads", WORD, STATE, Many(Maybe(MELD))),
    "say_asked": _does("", WORD, NAMES),
    "say_number": _does("", WORD, Maybe(ANY_NUMBER)),
    "Event": _does("", EVENT, WORD, ANYBODY, WORD, NAMES, WORD, WORD, ANY_NUMBER, ANY_NUMBER),
    "tell_trick": _does("changes", NOTHING, STATE),
    "log_cards": _does("changes", NOTHING, STATE, HAND, PLACE, PLACE, *HOW),
    "log_openly": _does("changes", NOTHING, STATE, CARDS, PLACE, PLACE),
    # steps, chance, faults and the machine
    "charge": _does("asks", NOTHING, STATE, COUNT),
    "each_of": _does("asks", lambda given: given[1], STATE, MEMBERS, COUNT),
    "counted": _does("fails", COUNT, COUNT, MEMBERS, COUNT, WORD, SPAN),
    "drawn": _does("draws", ANY_NUMBER, DICE, WORD, WORD, ANY_NUMBER, ANY_NUMBER),
    "drawn_from": _does("draws", HAND, STATE, ANY_NUMBER, HAND),
    "random_of": _does("draws", _member(1), STATE, MEMBERS, WORD),
    "age_by_end": _does("changes", NOTHING, STATE, WORD),
    "age_by_turn": _does("changes", NOTHING, STATE, PLAYER, ANY_NUMBER),
    "note_fault": _does("changes", NOTHING, STATE, WORD, PLAYER, ANY_CARD, PLACE),
    "take_back": _does("changes", NOTHING, STATE, FAULT),
    "advance": _does("by chance", NOTHING, STATE),
    "nobody_leads": _does("changes", NOTHING, STATE),
    "begun": _does("changes", NOTHING, STATE, COUNT),
    "entered": _does("changes", FRAME, STATE, COUNT),
    "went_through": _does("by chance", FLAG, STATE, FRAME, COUNT),
    "pass_turn": _does("changes", NOTHING, STATE, ANYBODY),
    # cards go
    "deal": _does("changes", NOTHING, STATE, Maybe(ANY_NUMBER), PLACE, PLACE, TO_ALL, Maybe(Many(ANY_NUMBER)), ANYBODY),
    "deal_afresh": _does(
        "by chance", NOTHING, STATE, Many(PLACE), PLACE, WORD, Maybe(ANY_NUMBER), PLACE, TO_ALL, Maybe(Many(ANY_NUMBER))
    ),
    "gather": _does("changes", NOTHING, STATE, Many(PLACE), PLACE),
    "keep_limit": _does("changes", NOTHING, STATE, PLACE),
    "move_all": _does("changes", COUNT, STATE, PLACE, PLACE, *HOW),
    "move_card": _does("changes", NOTHING, STATE, ANY_CARD, PLACE, PLACE, *HOW),
    "move_cards": _does("changes", COUNT, STATE, HAND, PLACE, PLACE, *HOW),
    "move_found": _does("changes", COUNT, STATE, HAND, PLACE, *HOW),
    "move_guarded": _does("changes", COUNT, STATE, ANY_CARD, PLACE, PLACE, *HOW),
    "move_one": _does("changes", NOTHING, STATE, PLACE, PLACE, Maybe(WORD)),
    "move_random": _does("by chance", COUNT, STATE, ANY_NUMBER, PLACE, PLACE, *HOW),
    "move_top": _does("changes", COUNT, STATE, ANY_NUMBER, PLACE, PLACE, *HOW),
    "move_wherever": _does("changes", COUNT, STATE, ANY_CARD, PLACE, *HOW),
    "refill_emptied": _does("changes", NOTHING, STATE, PLACE, PLACE, ANY_NUMBER),
    "refill_if_empty": _does("changes", NOTHING, STATE, PLACE, ANY_NUMBER),
    "shuffle_place": _does("by chance", NOTHING, STATE, PLACE, WORD, ANY_NUMBER),
    "swap_places": _does("changes", NOTHING, STATE, PLACE, PLACE),
    "flip": _does("changes", NOTHING, STATE, PLACE),
    "show": _does("changes", NOTHING, STATE, HAND, TO_ALL),
    "turn": _does("changes", NOTHING, STATE, HAND, WORD),
    "turn_at": _does("changes", NOTHING, STATE, ANY_CARD, PLACE, WORD),
    "put_back": _does("changes", NOTHING, STATE, WORD, Many(ANY_NUMBER)),
    "set_out": _does("changes", NOTHING, STATE, WORD, ANY_NUMBER),
    "take_piece": _does("changes", NOTHING, STATE, WORD, PLAYER, Maybe(ANY_NUMBER)),
}


def does(node: Call | Method) -> frozenset[Effect]:
    """What a call of the library, or a method, does; of functions of the program nothing is said."""
    known = LIBRARY.get(node.function) if isinstance(node, Call) else METHOD_TYPES[node.name]
    return NO_EFFECT if known is None else known.does


def _numbers(of: Type) -> str:
    of = without_none(of)
    return of.of if isinstance(of, Number) else ""


METHOD_TYPES: dict[str, Signature] = {
    "append": _does("changes", NOTHING, ANYTHING),
    "clear": _does("changes", NOTHING),
    "remove": _does("changes", NOTHING, ANYTHING),
    "pop": _does("changes", NOTHING),
    "note": _does("changes", NOTHING, ANYTHING),
    "tell_score": _does("changes", NOTHING, WORD, ANY_NUMBER, Maybe(ANY_NUMBER), WORD),
    "draw": _does("by chance", NOTHING),
    "count": _does("", COUNT, ANYTHING),
    "get": _does("", NOTHING, ANYTHING, ANYTHING),
}
"""What may be asked of lists, tables, the dice and the log; `pop` and `get` give what lies there."""
FIELD_TYPES: dict[str, Type] = {
    **dict.fromkeys("mark moved pc pending step jump".split(), ANY_NUMBER),
    **dict.fromkeys(("halted", "redealing"), FLAG),
    "spent": COUNT, "trick_number": COUNT, "tricks": Many(COUNT), "runs": Many(COUNT), "direction": Number(-1, 1),
    "skips": PLAYERS,
    "current": PLAYER, "mover": PLAYER, "dealer": ANYBODY, "leader": ANYBODY, "winner": ANYBODY, "best": TO_ALL,
    "plays": Many(Group((PLAYER, CARD))), "seats": TO_ALL, "teams": Many(TEAM), "seated_teams": Many(TEAM),
    "members": Many(TO_ALL), "up": CARDS, "down": CARDS, "log": Maybe(LOG), "faults": Many(FAULT), "stack": Many(FRAME),
    "calls": Many(Group((ANY_NUMBER, MEMBERS))), "tokens": Keyed(WORD, Many(Maybe(PLAYER))), "halves": Many(COUNT),
    "v": MEMBERS, "z": MEMBERS,
}  # fmt: skip
"""What the state knows of a match, or a frame of the machine, or the dice; but for the suit led, which is what the
suits of a game are."""
PARAMETER_TYPES: dict[str, Type] = {
    "s": STATE, "frame": FRAME, "dice": DICE, "stage": STAGE, "p": PLAYER, "limit": COUNT, "at": COUNT, "law": COUNT,
    "first=False": FLAG, "lawful": FLAG, "reset=True": FLAG, "first=None": ANYBODY, "leader=None": ANYBODY,
    "leader": PLAYER, "*row": MEMBERS,
}  # fmt: skip
"""What functions get of the machine: parameters, as they are declared."""
NAMED_NUMBERS: dict[str, Type] = dict.fromkeys(
    "GO MOVED WAIT LEAVE STAY AGAIN PASSED NOBODY NOWHERE TRICK".split(), ANY_NUMBER
)
"""What the engine hands a program by name."""
