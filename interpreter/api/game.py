"""Rulesets, games and matches, as Python programs hold them: each leads to the others."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from interpreter.api import recording
from interpreter.api.options import OptionError
from interpreter.api.rules import MAX_VARIANTS, Rules, loaded
from interpreter.api.settled import Enforcement, Settled
from interpreter.base.signs import describe, unseen_in
from interpreter.engine import legal, playing, saved, standing, taking_back, view
from interpreter.engine.events import ALL, Event
from interpreter.engine.moves import Move
from interpreter.engine.packets import mask_of
from interpreter.engine.parsing import parse
from interpreter.engine.position import Position, Redrawn
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.saved import full_moves
from interpreter.engine.start import fixed, start, whole
from interpreter.language.overlay import Source

if TYPE_CHECKING:
    from interpreter.api.playouts import Playouts
    from interpreter.compiler.native.stepping import Base
    from interpreter.engine.view import View

JSON_VERSION = 1


def load(path: Source, overlays: Sequence[Source] = ()) -> Ruleset:
    """Load a ruleset by shipped id or path, with overlays laid on top in order.

    Raises RulesetError; its `.diagnostics` are everything that is wrong.
    """
    return loaded(Ruleset, path, overlays)


@dataclass(frozen=True)
class Ruleset(Rules):
    """A ruleset that has been checked. Make a game of it with `game`."""

    def game(
        self,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        variants: Sequence[str] = (),
        enforcement: Enforcement = "strict",
    ) -> Game:
        """Fix players, options and enforcement. A variant that is named again counts once.

        Raises OptionError for anything that does not fit, naming the nearest right one; RulesetError if a variant's
        changes do not fit the ruleset.
        """
        if enforcement not in ("strict", "honor"):
            raise OptionError(f"enforcement is strict or honor, not {enforcement}")
        if isinstance(variants, str):
            variants = (variants,)
        if not isinstance(variants, Sequence) or not all(isinstance(name, str) for name in variants):
            raise OptionError(f"variants is a list of names, not {variants!r}")
        variants = tuple(dict.fromkeys(variants))  # each once, however often it is named
        if len(variants) > MAX_VARIANTS:
            raise OptionError(f"{len(variants):,} variants are more than the {MAX_VARIANTS} that can be used together")
        if options is not None and not (isinstance(options, Mapping) and all(isinstance(o, str) for o in options)):
            raise OptionError(f"options is a mapping of names to values, not {options!r}")
        base = self.with_variants(variants)
        count, chosen, program = base.settled(players, options or {}, variants, enforcement == "honor", self)
        return Game(base, count, chosen, variants, enforcement, program)


@dataclass(frozen=True)
class Game(Settled):
    """A ruleset with players, options and enforcement fixed."""

    ruleset: Ruleset

    def start(
        self,
        seed: int | None = None,
        deck: Sequence[str] | None = None,
        chance: Mapping[str, Any] | None = None,
        given: Mapping[str, Any] | None = None,
        log: bool = True,
        native: bool = False,
    ) -> State:
        """A new match, played up to the first decision.

        seed: any integer; None draws one, which `state.seed` tells and the record keeps. deck: the order of the first
        shuffle, top first. chance: fixed outcomes by place. given: a position to begin with. log: False leaves out
        the log, for playouts. native: without a log, and with nothing fixed but the seed, the match is machine code
        where that can be. It is the same match, but to find out who decides, what may be done and how it stands, and
        to play and copy it, takes a fraction of the time; whatever else is asked of it, Python goes on with it then.
        Outcomes wait for what they are fixed for: a match may end, or be left, before that happens. `state.chance` has
        those that have not come about yet.
        Raises ValueError if a seed is no integer, or a deck, an outcome or a position does not fit; an outcome that
        cannot come about in a later move stops that move with a RuleError.
        """
        if native and not (log or deck or chance or given):
            from interpreter.api.stepped_state import stepped

            state: State | None = stepped(self, seed, _by_machine_code())
            if state is not None:
                return state
        return State(self, start(self.program, fixed(seed, deck, chance, given, self.ruleset.origin), log))

    def restore(self, text: str) -> State:
        """A state from `to_json`: its moves are made again, and must lead to just that state.

        Raises ValueError if the text is not a state of this game, or has been altered.
        """
        try:
            data = json.loads(text)
            if sign := unseen_in(data):
                raise ValueError(f"it holds {describe(sign)}")
            if data["game"] != self.header():
                raise ValueError("it was saved in another game")
            logged = data["log"] is not None
            state = self.start(data["seed"], chance=data["start_chance"], given=data["given"], log=logged)
            redrawn = [Redrawn(int(moves), int(seed)) for moves, seed in data.get("redrawn", ())]
            playing.make_again(state.position, list(full_moves(data["moves"])), redrawn)
            if _dumped(json.loads(state.to_json())) != _dumped(data):  # as texts: true is not 1
                raise ValueError("its moves do not lead to the position it describes")
            state.position.floor = len(state.position.record_moves)
        except (LookupError, TypeError, AttributeError, ValueError, OverflowError, RecursionError, RuleError) as error:
            raise ValueError(f"this is not a saved state of this game: {error}") from error
        return state

    def playouts(self, n: int, seed: int, deals: int | None = None, limit: int = 100_000) -> Playouts:
        """Play `n` random matches: an actor at random, then one of its legal moves at random.

        Match i is the same as `start` with a seed that is made of `seed` and i, played so step by step. A match stops
        after `deals` deals, if that is given, or after `limit` decisions. The matches do not depend on how many there
        are. Raises ValueError for numbers that are none or too small, RuleError if the rules stop a match.
        """
        from interpreter.api.playouts import playouts

        whole(seed, "seed")
        for name, number, least in (("n", n, 0), ("limit", limit, 0), ("deals", 1 if deals is None else deals, 1)):
            whole(number, name, least)
        return playouts(self, n, seed, deals, limit)


def _dumped(data: Any) -> str:
    return json.dumps(data, sort_keys=True)


class State:
    """A match in progress. Made by `Game.start` or `Game.restore`; changed only by `play`, `play_together` and `undo`.

    game: whose match it is. position: the data of the match, for those who build on the functions of the engine.
    """

    __slots__ = ("_match", "game", "position")

    def __init__(self, game: Game, position: Position) -> None:
        self.game = game
        self.position = position

    _match: Any
    """What machine code keeps of a match that it plays step by step; see `stepped_state`."""

    # ---- what is going on -----------------------------------------------------------------------------

    @property
    def actors(self) -> list[int]:
        """The players the match waits for, in seat order; empty exactly when it is over.

        A player is no actor because an action is open to all at any time, so the list betrays nothing; only a race in
        which nobody has a move waits for those who can do something else.
        """
        return legal.actors(self.position)

    @property
    def phase(self) -> str:
        """The name of the stage that is going on, innermost; "over" when the match is over."""
        return standing.phase(self.position)

    @property
    def over(self) -> bool:
        """Whether the match has come to its end."""
        return self.position.over

    @property
    def scores(self) -> list[int]:
        """One number per player; a team's at each of its members."""
        return standing.scores(self.position)

    @property
    def winners(self) -> list[int]:
        """The players who have won; empty until the match is over."""
        return standing.winners(self.position)

    @property
    def places(self) -> list[int]:
        """The place of each player, 1 for the best; equal ones share it. Empty until the match is over."""
        return standing.places(self.position)

    @property
    def log(self) -> list[Event] | None:
        """What has happened, the whole truth of it; None if the match keeps no log."""
        return self.position.log

    @property
    def seed(self) -> int:
        """Where the chance of the match began."""
        return self.position.setup.seed

    @property
    def chance(self) -> dict[str, list[Any]]:
        """The outcomes that were fixed and have not come about yet, by place."""
        return self.position.chance

    # ---- moves ----------------------------------------------------------------------------------------

    def legal_moves(self, player: int) -> Sequence[Move]:
        """The moves of a player that break no law, in a stable order; a snapshot. On honour, with the right words."""
        return legal.legal_moves(self.position, player)

    def possible_moves(self, player: int) -> Sequence[Move]:
        """What a player can physically do now, laws aside; on honour also out of turn, with wrong or missing words."""
        return legal.possible_moves(self.position, player)

    def parse(self, player: int, text: str) -> Move:
        """The move that a text means. Raises IllegalMove if it means none, RuleError where the rules cannot say."""
        return parse(self.position, player, text)

    def play(
        self, /, player: int, move: Move | str, begin: int | None = None, end: int | None = None, **measures: int
    ) -> list[Event]:
        """Make a move; returns what happened.

        player: 0 to n-1. begin, end: whole milliseconds. measures: what the body decides, by name.
        Raises IllegalMove (the state is unchanged), or RuleError where the ruleset cannot go on (likewise).
        """
        return playing.play(self.position, player, move, begin, end, measures)

    def play_together(self, moves: Iterable[tuple[int, Move | str, Mapping[str, int]]]) -> list[Event]:
        """Make several moves in one tick: contests are settled first, the rest follows in order.

        A move that is no longer lawful comes back as an event `refused` with its law; the others stand.
        Raises IllegalMove when the match is over, or for what is no move of this game at all, and RuleError where the
        ruleset cannot go on: then none is made.
        """
        return playing.play_together(self.position, moves)

    def undo(self, seed: int | None = None, stay: int | None = None, people: Iterable[int] | None = None) -> None:
        """Take back the last `play`, or the whole tick of moves made together, and all that chance gave since.

        seed: where chance goes on from, with the cards that nobody knows in another order (an even number if no cards
        had come to light, an odd one if some had: the record may tell the number next to it, and in the two highest of
        its 64 bits how often it was only tried whether moves tell of cards); None lets it give the same again. stay:
        how many moves stay, if more than the last go. Raises ValueError where there is nothing to take back, which is
        so before the first move and at the point to which the state was restored; on honour, where what was said has
        been heard; and with a seed where there is no log, where somebody has looked at cards that lay face down, or
        anything that came of the moves may have told of hidden things: what was seen stays seen. Raises RuleError where
        the rules cannot say who sees what. Then nothing is taken back. people: the players who keep in mind what they
        have seen, for bots do not; all unless said.
        """
        eyes = ALL if people is None else mask_of(people)
        taking_back.undo(self.position, seed, stay, eyes)

    # ---- the table ------------------------------------------------------------------------------------

    def zone(self, name: str, player: int | None = None) -> list[str]:
        """The cards in a zone, top first; of a player where each has one. KeyError if there is no such zone."""
        return view.zone(self.position, name, player)

    def value(self, name: str, player: int | None = None) -> Any:
        """A variable or definition by name, of a player where each has one. KeyError if there is none."""
        return view.value(self.position, name, player)

    def view(self, player: int) -> View:
        """What a player may know, as plain JSON data, with that player's log."""
        return view.view(self.position, player)

    # ---- the match as data ----------------------------------------------------------------------------

    def copy(self) -> State:
        """A match of its own that stands where this one does."""
        return State(self.game, self.position.copy())

    def __deepcopy__(self, _: Any) -> State:
        return self.copy()

    def to_json(self) -> str:
        """The whole state as text, for `Game.restore`: the table as it is, and every move that led there."""
        data = {"houserules": JSON_VERSION, "game": self.game.header(), **saved.as_data(self.position)}
        return json.dumps(data, separators=(",", ":"), sort_keys=True)

    def record(self) -> str:
        """The match as JSON lines: a header, then each move with its tick, times and measures."""
        return recording.record_of(self.game, self.position)


@cache
def _by_machine_code() -> Base:
    """What states are made of that are machine code until somebody asks for more than that knows."""
    from interpreter.api.stepped_state import Stepped, base_of  # which is not read where nobody asks for it

    class SteppedState(Stepped, State):  # type: ignore[misc, override]
        """A state that is machine code."""

        __slots__ = ()

        def _made_plain(self, position: Position) -> None:
            self.__class__ = State  # type: ignore[assignment]
            self.position = position  # type: ignore[misc]

    return base_of(SteppedState)
