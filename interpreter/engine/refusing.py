"""Why a move is refused, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from interpreter.engine.available import check_part, may_move
from interpreter.engine.legal import listable_of, waited_for
from interpreter.engine.meaning import Offer
from interpreter.engine.naming import named_args
from interpreter.engine.notation import IllegalMove, bare, cannot_be_chosen, in_order, params_of, value_text
from interpreter.engine.packets import bits
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, ParamCode
from interpreter.engine.rule_errors import TooMuch
from interpreter.engine.saying import without_refused
from interpreter.engine.sight import Eyes

MOST_NAMED, MOST_TRIED = 20, 200
"""Moves that are named at most as those that would do, and that are looked at for it."""


def refusal(s: Position, player: int, action: ActionCode, args: tuple[Any, ...]) -> IllegalMove:
    """Which law refuses a move, or that it is not possible. args: as the player calls them."""
    try:
        real = Offer(s, player, action).possible(args)
        if real is not None:
            for law in action.broken(s, player, *real):
                return IllegalMove(action.laws[law].name, why_refused(s, player, action, law, real))
        return IllegalMove("not_possible", why_impossible(s, player, action, args))
    except TooMuch:  # it is known to be refused; to say why would take too long
        return IllegalMove("not_possible", not_like_that(action.name))


def why_refused(s: Position, player: int, action: ActionCode, law: int, args: tuple[Any, ...]) -> str:
    """Why a law refuses a move, in words: its message, else the moves that would do if they are few: on honour those
    that no law refuses, whatever can be claimed of them."""
    message = "" if action.laws[law].names_unseen else action.message(s, player, law, *args)
    if message:
        return message
    honor = s.program.honor
    offered = listable_of(s, player, action, not honor)
    would_do = without_refused(s, player, offered) if honor and len(offered) <= MOST_TRIED else offered
    if 0 < len(would_do) <= MOST_NAMED:
        return "you may " + ", ".join(str(m) for m in would_do)
    return "this is against the rules of the game"


def check_open(s: Position, player: int, action: ActionCode) -> None:
    """Refuse an action that is not open to a player; on honour a turn may be taken by anybody. Raises IllegalMove."""
    frame = s.stack[-1]
    stage = s.program.stages[frame.stage]
    if action.anytime:
        check_part(s, player, action)
    elif not (may_move(s, player, frame, stage) or (s.program.honor and stage.kind in ("turn", "trick"))):
        raise IllegalMove("in_turn", whose_turn(s))


def may_be_offered(s: Position, player: int, action: ActionCode) -> bool:
    """Whether what an action offers is for this player to know: whether it is open to them now."""
    try:
        check_open(s, player, action)
    except IllegalMove:
        return False
    return True


def tells_why(s: Position, action: ActionCode) -> bool:
    """Whether what is found on the way to a refusal hangs on nothing that may be hidden from who tries the action."""
    return not s.program.secrets().offers[action]


def whose_turn(s: Position) -> str:
    """Who is asked now, in words."""
    names = ", ".join(f"P{p + 1}" for p in waited_for(s))
    return f"it is {names}'s turn" if names else "nobody is asked now"


def why_impossible(s: Position, player: int, action: ActionCode, args: tuple[Any, ...]) -> str:
    """Why a move cannot be made at all, in words."""
    with suppress(TooMuch):
        if action.shape == "args":
            return _first_impossible(s, player, action, args)
        if tells_why(s, action):
            return _why_impossible(s, player, action, args)
    return not_like_that(action.name)


def _why_impossible(s: Position, player: int, action: ActionCode, args: tuple[Any, ...]) -> str:
    for param, value in zip(action.params, args, strict=False):
        if param.form != "cards" or value is None:
            continue
        offered = action.possible(s, player)
        if action.shape == "cards" and isinstance(offered, tuple):
            mask, low, high = offered
            if not low <= len(value) <= high:
                wanted = f"{low}" if low == high else f"{low} to {high}"
                return f"choose {wanted} card{'s' if wanted != '1' else ''}, not {len(value)}"
            first, there = s.program.first_copy, Counter(s.program.first_copy[c] for c in bits(mask))
            missing = Counter(first[c] for c in value) - there  # by their faces, as a move is told
            return f"{', '.join(s.program.cards[c] for c in missing.elements())} cannot be chosen"
        return f"{value_text(s.program, param, value)} cannot be chosen now"
    return cannot_be_done(action.name)


def cannot_be_done(action: str) -> str:
    """What is told of an action that is not possible at all."""
    return f"'{action}' is not possible now"


def not_like_that(action: str) -> str:
    """What is told where it would take too long to say more of a move that cannot be made."""
    return f"'{action}' is not possible like that now"


def _as_named(s: Position, param: ParamCode, value: Any) -> Any:
    """An argument as moves are told: cards by their faces, several of them in order."""
    first = s.program.first_copy
    if param.form != "cards" or value is None:
        return value
    if not param.several:
        return first[value] if 0 <= value < len(first) else value
    return in_order(s.program, (first[card] if 0 <= card < len(first) else card for card in value))


def _first_impossible(s: Position, player: int, action: ActionCode, args: tuple[Any, ...]) -> str:
    """The first of the arguments with which nothing is possible, those before it as they are."""
    params = params_of(s, player, action, args)
    return _why_not_so(s, player, action, params, args) or cannot_be_done(action.name)


def not_offered(
    s: Position, player: int, action: ActionCode, params: Sequence[ParamCode], first: Sequence[Any]
) -> IllegalMove | None:
    """Why no move can be made that begins with some arguments, as the player calls them; None if one can. What is
    offered says it, and nothing else: what rules answer of other moves may tell what nobody may know."""
    try:
        check_open(s, player, action)
        why = _why_not_so(s, player, action, params, first)
    except IllegalMove as refused:
        return refused
    except TooMuch:
        why = not_like_that(action.name)
    return None if why is None else IllegalMove("not_possible", why)


def _why_not_so(
    s: Position, player: int, action: ActionCode, params: Sequence[ParamCode], first: Sequence[Any]
) -> str | None:
    """Why none of the moves that are offered, laws aside, begins with some arguments; None if one does."""
    eyes = Eyes(s)
    left = [named_args(s, player, action, found, eyes) for found in action.possible(s, player)]
    for at, (param, said) in enumerate(zip(params, first, strict=False)):
        if not left:
            break
        is_called = _called(s, param, said)
        left = [found for found in left if at < len(found) and is_called(found[at])]
        if not left:
            named = _as_named(s, param, said)
            return not_like_that(action.name) if said is None else cannot_be_chosen(s.program, player, param, named)
    return None if left else cannot_be_done(action.name)


def offered_so(
    s: Position, player: int, action: ActionCode, params: Sequence[ParamCode], first: Sequence[Any]
) -> list[tuple[Any, ...]]:
    """The arguments of all moves that are offered, laws aside, and begin with some arguments as the player calls them.

    Raises TooMuch where they cannot be listed.
    """
    eyes, begun = Eyes(s), []
    are_called = list(map(partial(_called, s), params, first))
    for found in action.possible(s, player):
        named = named_args(s, player, action, found, eyes)[: len(first)]
        if len(named) == len(first) and all(is_called(arg) for is_called, arg in zip(are_called, named, strict=False)):
            begun.append(tuple(found))
    return begun


def _called(s: Position, param: ParamCode, said: Any) -> Callable[[Any], bool]:
    """Tells whether an argument that is offered is what is said. Any text may be; what is not said may be anything."""
    if param.form == "text":
        return lambda offered: (offered is None) == (said is None)
    if said is None and param.otherwise is not None:
        return lambda offered: True
    wanted = bare(s.program, param, _as_named(s, param, said))
    return lambda offered: bool(bare(s.program, param, offered) == wanted)
