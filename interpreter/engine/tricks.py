"""What the functions of a stage of tricks ask: who plays next, whether a trick is complete."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from interpreter.engine.events import ALL, Event, new_event
from interpreter.engine.frames import NOBODY, PASSED
from interpreter.engine.position import Position
from interpreter.engine.turns import next_player


def nobody_leads(s: Position) -> None:
    """Raise the RuleError of tricks that begin with nobody to lead."""
    from interpreter.engine import stuck

    raise stuck.nobody_leads(s, s.program.stages[s.stack[-1].stage])


def next_due(s: Position, mark: int, mover: int, players: list[int]) -> int | None:
    """Who plays to the trick next, of those who take part; None if nobody is left.

    mark: what the last move said of the turn. mover: who made it (NOBODY: a move that does not concern the turn).
    """
    if mover == NOBODY and s.current in players:
        return s.current
    due = [p for p in players if all(p != q for q, _ in s.plays)]  # who has played out of turn is not asked again
    if mark == PASSED and s.current in due:
        return s.current
    return next_player(s, s.current if mark == PASSED or mover == NOBODY else mover, due)


def is_complete(s: Position, players: list[int]) -> bool:
    """Whether everybody who takes part has played to the trick; some who have played may have dropped out."""
    return bool(s.plays) and (len(players) == s.program.n or all(any(p == q for q, _ in s.plays) for p in players))


def tell_trick(s: Position) -> None:
    """Log who takes a trick."""
    assert s.log is not None
    s.log.append(_taken(s.winner, s.trick_number))


@lru_cache(maxsize=1024)
def _taken(winner: int | None, number: int) -> Event:
    """How it is told that somebody takes a trick."""
    return new_event(Event, ("trick", winner, f"takes trick {number}", (), "", "", ALL, ALL))


def as_played(first: int, rest: Sequence[int], cards: Sequence[int]) -> list[tuple[int, int]]:
    """The plays of a trick in order, given who led, who follows, and the cards."""
    return list(zip((first, *rest), cards, strict=False))
