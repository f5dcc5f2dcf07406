"""A match that is played step by step as machine code, until somebody asks for more than that knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.api.native_lane import NativeError, lane_of, wanted
from interpreter.api.native_steps import OVER, SEVERAL, StepLane, compiled_steps, lists_of, words_of
from interpreter.api.settled import Settled
from interpreter.compiler.native.machine_code import signed
from interpreter.compiler.native.stepping import FAULT, TAIL, Base
from interpreter.engine import legal, standing
from interpreter.engine.chance import MASK
from interpreter.engine.moves import Move, Moves
from interpreter.engine.playing import play
from interpreter.engine.position import Position, Setup
from interpreter.engine.start import draw_seed, start, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.compiler.native.stepping import Steps
    from interpreter.engine.events import Event

History = tuple["History", int, Move] | None
"""What was done: that before the last move, who made it, the move."""


class Match:
    """What there is of a match that is machine code. memory: as `Steps` has it. history: the moves, for Python.

    moves: what was told last of what can be done; the end of the memory says to whom, if that still holds.
    """

    __slots__ = ("history", "lane", "memory", "moves", "seed", "steps")

    def __init__(self, lane: StepLane, steps: Steps, seed: int) -> None:
        self.lane, self.steps, self.seed = lane, steps, seed
        self.memory = bytearray(steps.blank)
        self.moves: Sequence[Move] = ()
        self.history: History = None
        steps.begin(self.memory, signed(seed))

    def copy(self) -> Match:
        """An equal match that shares nothing that changes."""
        new = object.__new__(Match)
        new.lane, new.steps, new.seed = self.lane, self.steps, self.seed
        new.memory, new.moves, new.history = self.memory[:], self.moves, self.history
        return new

    @property
    def who(self) -> int:
        """Who decides, as `Steps` tells it."""
        found: int = TAIL.unpack_from(self.memory, self.steps.tail)[0]
        return found

    def offered(self, player: int) -> Sequence[Move] | None:
        """The lawful moves of a player; None where the Python lane has to list them, or has to go on."""
        who, to = TAIL.unpack_from(self.memory, self.steps.tail)
        if to not in (player + 1, -1 - player):
            told = b"" if who == FAULT else self.steps.offers(self.memory, player)
            if not told:
                return None
            self.moves = self.lane.moves(told)
            to = player + 1 if type(self.moves) is tuple else -1 - player
            TAIL.pack_into(self.memory, self.steps.tail, who, to)
        return self.moves

    def standing(self) -> tuple[int, list[int], list[int], list[int]] | None:
        """The stage that goes on, the scores, the winners, the places; None where the Python lane has to tell."""
        told = self.steps.standing(self.memory)
        if not told:
            return None
        words = iter(words_of(told))
        return next(words), lists_of(words), lists_of(words), lists_of(words)

    def position(self, game: Settled) -> Position:
        """The same match as the Python lane keeps it, with every move made again."""
        moves = []
        history = self.history
        while history is not None:
            history, player, move = history
            moves.append((player, move))
        s = start(game.program, Setup(self.seed, origin=game.ruleset.origin), log=False)
        for player, move in reversed(moves):
            play(s, player, move)
        return s


class Stepped:
    """What a state does that is machine code, laid over one that is not. Reading `position`, or calling what does,
    makes a plain state of it, as `_made_plain` does.

    `over`, `actors`, `legal_moves` and `play` are machine code too, in a class for each game; see `Steps.kind`.
    """

    __slots__ = ()
    game: Settled
    _match: Match

    def _made_plain(self, position: Position) -> None:
        """Be a plain state from now on, in this position."""
        raise NotImplementedError

    @property
    def position(self) -> Position:
        """This state, from now on as the Python lane keeps it."""
        position = self._match.position(self.game)
        del self._match
        self._made_plain(position)
        return position

    def __reduce_ex__(self, protocol: Any) -> Any:
        self.position  # noqa: B018 - what makes a plain state of it
        return self.__reduce_ex__(protocol)

    @property
    def phase(self) -> str:
        found = self._match.standing()
        if found is None:
            return standing.phase(self.position)
        return "over" if self._match.who == OVER else self.game.program.stages[found[0]].name

    @property
    def scores(self) -> list[int]:
        found = self._match.standing()
        return standing.scores(self.position) if found is None else found[1]

    @property
    def winners(self) -> list[int]:
        found = self._match.standing()
        return standing.winners(self.position) if found is None else found[2]

    @property
    def places(self) -> list[int]:
        found = self._match.standing()
        return standing.places(self.position) if found is None else found[3]

    @property
    def log(self) -> list[Event] | None:
        return None

    @property
    def seed(self) -> int:
        return self._match.seed

    def copy(self) -> Any:
        new: Any = object.__new__(type(self))
        new.game, new._match = self.game, self._match.copy()
        return new

    # ---- what machine code leaves to Python ----------------------------------------------------------------

    def _slow_actors(self) -> list[int]:
        """Who decides, where that may be several."""
        told = self._match.steps.actors(self._match.memory)
        return list(words_of(told)[1:]) if told else legal.actors(self.position)

    def _slow_legal_moves(self, player: int) -> Sequence[Move]:
        """The moves of a player of which no tuple was made yet."""
        if type(player) is not int or not 0 <= player < self.game.players or self._match.who == OVER:
            return ()
        found = self._match.offered(player)
        return legal.legal_moves(self.position, player) if found is None else found

    def _slow_play(
        self, /, player: int, move: Move | str, begin: int | None = None, end: int | None = None, **measures: int
    ) -> list[Event]:
        """Make a move that is not one of a tuple that was offered to this player; or find out what is wrong with it."""
        match = self._match
        plain = isinstance(move, Move) and begin is None and end is None and not measures
        if plain and type(player) is int and 0 <= player < self.game.players:
            moves = match.offered(player)
            at = None if moves is None else Moves([moves]).place_of(move)
            if at is not None and match.steps.play(match.memory, player, at) >= SEVERAL:
                match.history = match.history, player, move  # type: ignore[assignment]
                return []
        return play(self.position, player, move, begin, end, measures)


def base_of(kind: type[Any]) -> Base:
    """What a class of states by machine code is made of. kind: `Stepped` laid over a plain state."""
    return Base(kind, Match, "_match", ("_slow_actors", "_slow_legal_moves", "_slow_play"))


def stepped(game: Settled, seed: int | None, base: Base) -> Any | None:
    """A match without a log, as machine code; None where that cannot be. base: what its class is made of.

    Raises what `Game.start` raises, and NativeError if it must be and cannot.
    """
    own = (draw_seed() if seed is None else whole(seed, "seed")) & MASK
    lane: StepLane | None = lane_of(game.program).steps
    if lane is None:
        lane = lane_of(game.program).steps = StepLane(game.program)
    always = wanted()
    if always is not False:
        if lane.steps is None and not lane.reason:
            compiled_steps(game, lane, base)
        elif lane.steps is not None and lane.enough is not None and lane.steps.moves.value >= lane.enough:
            compiled_steps(game, lane, base, good=True)
    if lane.reason and always:
        raise NativeError(f"this game is not played step by step as machine code: {lane.reason}")
    if lane.steps is None or always is False:
        return None
    state = object.__new__(lane.kind)
    state.game, state._match = game, Match(lane, lane.steps, own)
    return state if state._match.who != FAULT else None
