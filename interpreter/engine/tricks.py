"""What the functions of a stage of tricks ask: who plays next, whether a trick is complete."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from interpreter.engine.events import ALL, Event, new_event
from interpreter.engine.frames import NOBODY, PASSED
from interpreter.engine.place_in_match import told_place
from interpreter.engine.position import Position
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.sight import lying_at
from interpreter.engine.transfers import move_cards
from interpreter.engine.turns import next_player
from interpreter.language.source import Mapping, Scalar


def nobody_leads(s: Position) -> None:
    """Raise the RuleError of tricks that begin with nobody to lead: what was to say who does, and that it says none."""
    stage = s.program.stages[s.stack[-1].stage]
    node = s.setup.origin.node
    for key in ("flow", stage.name, "leader"):
        found = node.get(key) if isinstance(node, Mapping) else None
        if found is None:
            raise RuleError(f"nobody can lead in '{stage.name}'{told_place(s)}", stage.span)
        node = found
    assert node is not None  # what was found last
    said = f": '{node.text.strip()}' is none" if isinstance(node, Scalar) else ""
    hint = "say who leads then: 'leader: if X is none then left of dealer else X', or skip the stage with 'when'"
    raise RuleError(f"nobody can lead in '{stage.name}'{said}{told_place(s)}\n  hint: {hint}", node.span)


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


def withdraw(s: Position, player: int, card: int, place: int) -> None:
    """A card has gone back out of a trick that is going on: whoever had played it plays again, before those whose turn
    comes later. If it was led, those who have followed take back theirs, too.

    place: where it lay.
    """
    running = (s.program.stages[frame.stage] for frame in reversed(s.stack))
    stage = next((stage for stage in running if stage.kind == "trick"), None)
    if stage is None:
        return
    was_led = s.plays[0] == (player, card)
    if was_led:
        for other, laid in s.plays[1:]:
            if lying_at(s, laid) == place:
                move_cards(s, (laid,), place, stage.sources[other])
        s.led = None
    s.plays = [] if was_led else [play for play in s.plays if play != (player, card)]
    if s.program.stages[s.stack[-1].stage] is stage and s.leader is not None:
        order, first, step = s.order(), s.leader, s.direction
        due = [p for p in (player, s.current) if all(p != q for q, _ in s.plays)]
        s.current = min(due, key=lambda p: (order.index(p) - order.index(first)) * step % len(order))


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
