"""One match being played, as Python programs hold it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.api import recording
from interpreter.engine import legal, playing, saved, standing, taking_back, view
from interpreter.engine.events import ALL, Event
from interpreter.engine.moves import Move
from interpreter.engine.packets import mask_of
from interpreter.engine.parsing import parse
from interpreter.engine.position import Position

if TYPE_CHECKING:
    from interpreter.api.game import Game
    from interpreter.engine.view import View

JSON_VERSION = 1


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
        return recording.write(self)
