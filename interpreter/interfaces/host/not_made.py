"""Moves that are not made: why their players are told so, and when nobody can go on at all."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from interpreter.api.game import State
from interpreter.engine.moves import Moves
from interpreter.engine.notation import IllegalMove
from interpreter.engine.outcomes import Drawing
from interpreter.engine.playing import become
from interpreter.engine.position import Position, Unkept
from interpreter.engine.rule_errors import RecordIsFull, RuleError
from interpreter.engine.standing import kind_of_phase
from interpreter.interfaces.host.scene import Scenes
from interpreter.players.good_faith import lawful_moves
from interpreter.players.random_bot import measured
from interpreter.words.voice import Voice

CANNOT = "The rules cannot carry that out:"
OUR_FAULT = "That cannot be done, by a fault of houserules. The match goes on."
TRIED, SECONDS = 10_000, 1.0
"""Moves that are tried at most to see whether anything can be done, and seconds of processor time for all of them."""


class Refusal(Exception):
    """A move is not made; the message is for its player.

    stale: because the decision that it answers is past. instead: because the rules cannot carry it out, and this can be
    done; empty where others may go on. fault: of houserules, for which it is not made.
    """

    def __init__(self, text: str, stale: bool = False, instead: str | None = None, fault: str = "") -> None:
        self.stale, self.instead, self.fault = stale, instead, fault
        super().__init__(text)


def in_short(why: object) -> str:
    """Why rules cannot go on, and where they say so, without the folder in which they lie."""
    if not isinstance(why, RuleError) or why.span is None:
        return str(why)
    return f"{Path(why.span.file).name}:{why.span.line}: {why.message}"


class Stood:
    """How a match stood before a move, to stand there again where the rules cannot carry that out: with nothing made
    again, and what chance has given since to be drawn anew."""

    def __init__(self, s: Position) -> None:
        self._position, self._as_it_stood, self._chance = s, s.copy(), s.chance
        self._mark = s.chance.mark() if isinstance(s.chance, Drawing) else None
        s.held = True

    def moves_on(self) -> None:
        """The move stands."""
        self._position.held = False

    def again(self) -> None:
        """Stand there again."""
        become(self._position, self._as_it_stood)
        if isinstance(self._chance, Drawing) and self._mark is not None:
            self._chance.back_to(self._mark)
            self._position.chance = self._chance


def not_carried_out(state: State, seat: int, error: RuleError) -> Refusal | None:
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


@contextmanager
def faults_refused() -> Iterator[None]:
    """Where a move is read, and nothing has changed yet: if houserules fails there its player is told so, and whoever
    keeps the server. Nobody ends a match by such a move either. Raises Refusal."""
    try:
        yield
    except (IllegalMove, Refusal, RuleError, MemoryError):
        raise
    except Exception as error:
        raise Refusal(OUR_FAULT, instead="", fault=f"{type(error).__name__}: {error}") from error


def look_on(state: State, scenes: Scenes, readers: Iterable[int | None]) -> None:
    """See what can be done now by those for whom it waits, and what some may know. Raises RuleError.

    In a race nothing has to be listed.
    """
    race, readers = kind_of_phase(state.position) == "race", list(readers)
    for player in () if race else state.actors:
        if state.game.program.honor or player not in readers:  # else it is listed for what is asked
            state.legal_moves(player)
    for reader in readers:
        scenes.of(reader)
        if reader is not None and not race:
            scenes.ask(reader)


def _other_move(state: State, seat: int) -> str | None:
    """A move that can be carried out and is lawful, on honour as far as the player can tell; None if none is found
    among all that are tried in a second. Raises RuleError where the rules cannot say which there are."""
    moves, until = lawful_moves(state, seat)[0], time.thread_time() + SECONDS
    parts = moves.parts if isinstance(moves, Moves) else [moves]
    ends = [part[at] for part in parts if len(part) for at in (0, -1)]  # of each action, however many others there are
    others = secrets.SystemRandom().sample(range(len(moves)), min(TRIED, len(moves)))
    for move in chain(ends, map(moves.__getitem__, others)):
        after = state.copy()
        after.position.record_moves = Unkept()  # so that nothing is made again where it fails
        try:
            lowest = {name: low for name, (low, _) in measured(after, seat, move).items()}
            after.play(seat, move, None, None, **lowest)
            look_on(after, Scenes(after, Voice(after.position)), (None, *range(after.game.players)))
        except (RuleError, IllegalMove):
            if time.thread_time() > until:
                break
        else:
            return str(move)
    return None
