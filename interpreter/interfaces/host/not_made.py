"""Moves that are not made: why their players are told so, and when nobody can go on at all."""

from __future__ import annotations

import secrets
import time
from itertools import chain
from pathlib import Path

from interpreter.api.state import State
from interpreter.engine.moves import Move, Moves
from interpreter.engine.notation import IllegalMove
from interpreter.engine.parsing import as_read
from interpreter.engine.position import Unkept
from interpreter.engine.program import RecordIsFull, RuleError
from interpreter.engine.standing import kind_of_phase
from interpreter.interfaces.host.page_offers import meant
from interpreter.players.random_bot import measured

CANNOT = "The rules cannot carry that out:"
TRIED, SECONDS = 10_000, 1.0
"""Moves that are tried at most to see whether anything can be done, and seconds of processor time for all of them."""


class Refusal(Exception):
    """A move is not made; the message is for its player.

    stale: because the decision that it answers is past. instead: because the rules cannot carry it out, and this can be
    done; empty where others may go on.
    """

    def __init__(self, text: str, stale: bool = False, instead: str | None = None) -> None:
        self.stale, self.instead = stale, instead
        super().__init__(text)


def in_short(why: object) -> str:
    """Why rules cannot go on, and where they say so, without the folder in which they lie."""
    if not isinstance(why, RuleError) or why.span is None:
        return str(why)
    return f"{Path(why.span.file).name}:{why.span.line}: {why.message}"


def _not_carried_out(state: State, seat: int, error: RuleError) -> Refusal | None:
    """What a player is told of a move that the rules cannot carry out. None where nothing else is left to be done for
    those whom the match waits for: then the match cannot go on. One move that fails ends no match, for it could be made
    in ill will."""
    instead = ""
    if isinstance(error, RecordIsFull):
        return None
    if seat in state.actors and kind_of_phase(state.position) != "race":
        try:
            instead = _other_move(state, seat) or ""
        except RuleError:
            return None
        if not instead:
            return None
    return Refusal(f"{CANNOT} {in_short(error)}", instead=instead)


def try_before(state: State, seat: int, text: str, end: int | None) -> None:
    """Raise Refusal if the rules cannot carry out a move, with nothing changed that would have to be made again."""
    after = state.copy()
    after.position.record_moves = Unkept()
    try:
        move = after.parse(seat, meant(after, seat, text))
        _make(after, seat, as_read(after.position, seat, move), end)
    except IllegalMove:  # why is told when it is made
        pass
    except RuleError as error:
        refusal = _not_carried_out(state, seat, error)
        if refusal is not None:  # else it is made, and ends the match
            raise refusal from error


def _make(state: State, seat: int, move: Move, end: int | None) -> None:
    """Make a move, and see what can be done then: that is told with it."""
    state.play(seat, move, None, end, **{name: low for name, (low, _) in measured(state, seat, move).items()})
    if kind_of_phase(state.position) != "race":  # there nothing has to be listed
        for player in state.actors:
            state.legal_moves(player)


def _other_move(state: State, seat: int) -> str | None:
    """A lawful move that can be carried out; None if none is found among all that are tried in a second. Raises
    RuleError where the rules cannot say which there are."""
    moves, until = state.legal_moves(seat), time.thread_time() + SECONDS
    parts = moves.parts if isinstance(moves, Moves) else [moves]
    ends = [part[at] for part in parts if len(part) for at in (0, -1)]  # of each action, however many others there are
    others = secrets.SystemRandom().sample(range(len(moves)), min(TRIED, len(moves)))
    for move in chain(ends, map(moves.__getitem__, others)):
        after = state.copy()
        after.position.record_moves = Unkept()  # so that nothing is made again where it fails
        try:
            _make(after, seat, move, None)
        except (RuleError, IllegalMove):
            if time.thread_time() > until:
                break
        else:
            return str(move)
    return None
