"""Moves in time: when they begin and end, and which hands are busy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.engine.available import action_named
from interpreter.engine.events import ALL, Event, new_event
from interpreter.engine.failures import by_rules
from interpreter.engine.moves import Move
from interpreter.engine.notation import IllegalMove
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode
from interpreter.engine.standing import kind_of_phase

MOST_TIME = 10**12
"""Milliseconds: some thirty years."""


def check_times(s: Position, begin: int | None, end: int | None, tick: int) -> None:
    """Refuse times that are none or that run backwards. tick: of which the move is one of several; 0: it is alone."""
    for time in (begin, end):
        if time is not None and (type(time) is not int or not 0 <= time <= MOST_TIME):
            raise IllegalMove("time", f"a time is a whole number of milliseconds, at most {MOST_TIME:,}")
    if begin is not None and end is not None and end < begin:
        raise IllegalMove("time", "a move cannot end before it begins")
    last = s.before_tick[1] if tick and tick == s.before_tick[0] else s.clock
    if end is not None and end < last:
        raise IllegalMove("time", f"the last move ended at {last}, so this one cannot end at {end}")


def hands_after(
    s: Position, player: int, action: ActionCode | None, begin: int | None, end: int | None
) -> tuple[int, ...] | None:
    """When the player's hands get free again after a move of a race; None if it takes none of them.

    A move takes the hand that got free last before it begins: so a later one, which may have begun earlier, finds
    a hand whenever there is any. Source: Carlisle, Lloyd, "On the k-coloring of intervals" (1995).
    """
    stage = s.program.stages[s.stack[-1].stage]
    if stage.kind != "race" or action is None or not action.hands:
        return None
    starts = begin if begin is not None else end
    ends = end if end is not None else begin
    assert starts is not None and ends is not None
    hands = hands_of(s, player)
    known = s.busy[player] if s.busy else ()
    if hands == 1 == action.hands and (not known or known[-1] <= starts):
        return (ends,)
    free = [time for time in known if time <= starts]
    taken = known[len(free) :]
    if len(taken) + action.hands > hands:
        raise IllegalMove("hands", _why_no_hand(hands, action.hands, taken))
    return tuple(sorted([*free[: max(0, len(free) - action.hands)], *taken, *[ends] * action.hands]))


def _why_no_hand(hands: int, needed: int, taken: Sequence[int]) -> str:
    if needed > hands:
        return f"it takes {needed} hands, and you may use {hands}"
    until = taken[len(taken) + needed - hands - 1]
    return f"{'your hand is' if hands == 1 else 'your hands are'} busy until {until}"


@by_rules
def hands_of(s: Position, player: int) -> int:
    """How many hands a player may use at a time: what the race says that is going on, else one."""
    stage = None if s.over else s.program.stages[s.stack[-1].stage]
    return 1 if stage is None or stage.hands is None else stage.hands(s, player)


def hands_for(s: Position, player: int, move: Move) -> int:
    """How many hands a move takes; one where hands do not count."""
    action = move.maker if isinstance(move.maker, ActionCode) else action_named(s, move.action)
    return 1 if action is None or kind_of_phase(s) != "race" else action.hands


def log_times(s: Position, start: int, player: int, extra: Mapping[str, int]) -> None:
    """Tell times and measures below the move they belong to; of a hidden one to its player only."""
    log = s.log
    if log is None:
        return
    for at in range(start, len(log)):
        told = log[at]
        if told.kind == "move" and told.player == player:
            words = " ".join([f"{name}={value}" for name, value in extra.items()])
            log.insert(at + 1, new_event(Event, ("time", player, words, (), "", "", ALL, told.told)))
            break
