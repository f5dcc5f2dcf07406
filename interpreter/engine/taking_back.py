"""Moves taken back, with the same chance or another."""

from __future__ import annotations

from typing import cast

from interpreter.engine.budget import charge
from interpreter.engine.events import ALL, Event
from interpreter.engine.failures import by_rules
from interpreter.engine.learned import answer
from interpreter.engine.outcomes import Drawing
from interpreter.engine.playing import become, make_recorded, state_before
from interpreter.engine.position import Position, Unkept, seed_with
from interpreter.engine.redrawing import came_to_light, redraw
from interpreter.engine.whence import sightings, who_saw

PLACE = 10
"""Steps that count for a place of a state that is kept, where a value counts 1: it needs as much room."""
MOST_BACK = 500
"""Moves that are taken back at once with other chance: of each it is looked what was seen then."""


def undo(s: Position, seed: int | None = None, stay: int | None = None, eyes: int = ALL) -> None:
    """Take back the last `play`, or the whole tick of moves made together, and all that chance gave since.

    seed: where chance goes on from, so that nobody knows what it will give (or from a number near it, by which it is
    known whether cards had come to light, and how often it was only tried whether moves tell of some); None lets it
    give the same again. stay: how many moves stay, if more ticks than one go. Raises ValueError where there is nothing
    to take back, which is so before the first move and at the point to which the state was restored; on honour, where
    what was said has been heard; and with a seed where somebody (of eyes, bits of players) has looked since at cards
    that would lie face down again, or anything that was done may have told of what is hidden (or may by what was tried,
    for a third time), or where cards came to light for a second time at one point, while others hold some, or where
    more than `MOST_BACK` moves would go. Raises RuleError where the rules cannot say who sees what. Then nothing is
    taken back.
    """
    if s.program.honor:
        raise ValueError("on honour nothing is taken back")
    if seed is not None and s.log is None:
        raise ValueError("without a log nothing tells what has been seen: chance cannot be drawn anew")
    moves = s.record_moves
    if isinstance(moves, Unkept) or len(moves) <= s.floor:
        raise ValueError("there is no move to take back")
    before = len(moves) - 1 if stay is None else max(s.floor, min(stay, len(moves) - 1))
    while before > s.floor and moves[before - 1][0] == moves[before][0]:
        before -= 1
    kept = [again for again in s.setup.redrawn if again.moves < before + (seed is None)]
    if seed is not None and len(moves) - before > MOST_BACK:
        raise ValueError(f"more than {MOST_BACK} moves have been made since")
    back = state_before(s, moves[:before], kept)
    if seed is not None:
        course = course_of(s, back)
        seen = sightings(s, back, course)
        behind = [again for again in s.setup.redrawn if again not in kept]
        why_not, tried = answer(back, course, seen, eyes, behind)
        if why_not:
            raise ValueError(why_not)
        shown = any(again.shown for again in behind) or came_to_light(back, seen, eyes)
        redraw(back, seed_with(seed, shown, tried))
    become(s, back)
    if seed is not None and isinstance(s.chance, Drawing):
        s.chance.forget()


def revealed(s: Position, stay: int) -> list[int]:
    """The players to whom cards came to light by all moves but so many (stay), and `whence.SOME` where not everybody
    can know that of all. The match up to there is made again.

    Raises RuleError where the rules cannot say who sees what.
    """
    back = state_before(s, s.record_moves[:stay], [again for again in s.setup.redrawn if again.moves <= stay])
    return who_saw(s, back, sightings(s, back, [s]))  # of what was drawn, whatever it may have been counts


@by_rules
def course_of(s: Position, back: Position) -> list[Position]:
    """The states in which each move was made since an earlier one, these without what their logs tell, and this."""
    seeds, now, found = dict(s.setup.redrawn), back.copy(), list[Position]()
    size = PLACE * len(back.z) + len(back.v) + sum(map(len, back.tokens.values()))
    for number, (tick, player, text, extra) in enumerate(
        s.record_moves[len(back.record_moves) :], len(back.record_moves)
    ):
        if number in seeds:
            redraw(now, seeds[number])
        charge(s, size)
        found.append(_without_log(now))
        make_recorded(now, tick, player, text, extra)
    return [*found, s]


def _without_log(s: Position) -> Position:
    """A copy that tells of its log and its moves only how many they are: of many states both would take much room."""
    log, moves = s.log, s.record_moves
    s.log, s.record_moves = None, []
    try:
        new = s.copy()
    finally:
        s.log, s.record_moves = log, moves
    new.log = None if log is None else cast("list[Event]", range(len(log)))
    return new
