"""A match of numbered actions, for one learner or several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.api.random_play import deal_stage
from interpreter.engine import standing
from interpreter.engine.failures import Ruled
from interpreter.engine.position import Unkept
from interpreter.engine.stuck import stuck
from interpreter.interfaces.adapters.composing import Composer
from interpreter.interfaces.adapters.observing import Layout
from interpreter.interfaces.adapters.vocabulary import DONE, Vocabulary, parts_of

if TYPE_CHECKING:
    from interpreter.api.game import Game, State
    from interpreter.engine.program import ActionCode

LIMIT = 10_000
"""Actions after which a match is cut."""
MOST = 1_000_000
"""Numbers of an observation; that of a shipped game has up to 2,892."""


class Table:
    """The numbered game of a game: its vocabulary, its observations, and one match of it.

    deals: the match is over after so many deals, and whoever stands best then has won. limit: after so many numbered
    actions it is cut, and nobody has. Raises ValueError for a game on honour, with races, with what bodies decide, with
    words of one's own, or with observations of more than `MOST` numbers.
    """

    def __init__(self, game: Game, deals: int | None = None, limit: int = LIMIT) -> None:
        check(game)
        self.game, self.deals, self.limit = game, deals, limit
        self.vocabulary = Vocabulary(game.program)
        self.layout = Layout(game.program, len(self.vocabulary))
        if self.layout.size > MOST:
            told = f"an observation would have {self.layout.size:,} numbers, more than {MOST:,}"
            raise ValueError(f"{game.ruleset.name} has too many places and cards to be learnt: {told}")
        self.made = 0
        self._decided = 0
        """Up to where numbered actions have made moves: those behind them have chosen words of one."""
        self.player: int | None = None
        self._state: State | None = None
        self._composer: Composer | None = None

    def start(self, seed: int) -> None:
        """Begin a match. Raises RuleError."""
        state = self._state = self.game.start(seed, log=False)
        state.position.record_moves = Unkept()
        state.position.halt_after = None if self.deals is None else (deal_stage(self.game.program), self.deals)
        self.made = 0
        self._ask()

    @property
    def state(self) -> State:
        assert self._state is not None, "no match has been started"
        return self._state

    @property
    def is_cut(self) -> bool:
        """Whether the match was stopped by the limit."""
        return self.made >= self.limit and not self._has_ended

    @property
    def over(self) -> bool:
        """Whether nobody has anything to decide any more."""
        return self._has_ended or self.made >= self.limit

    @property
    def _has_ended(self) -> bool:
        return self.state.over or self.state.position.halted

    @property
    def chosen(self) -> tuple[int, ...]:
        """The words that have been chosen for the move that is being composed."""
        return () if self._composer is None else self._composer.chosen

    @property
    def actions(self) -> list[int]:
        """The numbers of the actions that are possible now, in ascending order; none when it is over."""
        return [] if self._composer is None else self._composer.words

    def act(self, action: int) -> None:
        """Choose an action for the player who decides. ValueError if it is not possible.

        Raises RuleError where the ruleset cannot go on; then the move is not made, and its player decides anew.
        """
        if self._composer is None or self.player is None:
            raise ValueError("the match is over")
        move = self._composer.choose(action)
        self.made += 1
        if move is None:
            if self.over:
                self._ask()
            return
        before, decided = self.state.copy(), self._decided  # nothing is recorded by which it could go back
        try:
            self.state.play(self.player, move)
            self._ask()
        except Exception:  # whatever it is, the move is not made
            self._state, self.made = before, decided
            self._ask()
            raise

    def _ask(self) -> None:
        """Find out who decides next, and what is possible."""
        self.player, self._composer, self._decided = None, None, self.made
        if self.over:
            return
        self.player = self.state.actors[0]
        moves = self.state.legal_moves(self.player)
        if not len(moves):
            raise stuck(self.state.position, self.player)
        self._composer = Composer(self.vocabulary, moves, self.game.program.cards)

    def observe(self, player: int) -> list[float]:
        """What a player sees, as `Layout` says."""
        with Ruled(self.state.position):
            return self.layout.observe(self.state.position, player, self.player, self.chosen)

    @property
    def returns(self) -> list[float]:
        """What each has won: the winners share 1, and everybody has put in an equal part of it, so the sum is 0.

        Alone one wins 1 or nothing. All 0 while it goes on, where it was cut, and where nobody has won.
        """
        n, winners = self.game.players, self._winners() if self._has_ended else []
        if n == 1:
            return [float(bool(winners))]
        return [((player in winners) / len(winners) - 1 / n) if winners else 0.0 for player in range(n)]

    def _winners(self) -> list[int]:
        state = self.state
        if state.over:
            return state.winners
        s = state.position
        standings = standing.standings(s)
        return [player for player, stands in enumerate(standings) if stands == max(standings)]

    def copy(self) -> Table:
        """A table of its own that stands where this one does; the vocabulary and the layout are shared."""
        new = object.__new__(Table)
        new.game, new.deals, new.limit = self.game, self.deals, self.limit
        new.vocabulary, new.layout, new.made, new.player = self.vocabulary, self.layout, self.made, self.player
        new._decided = self._decided
        new._state = None if self._state is None else self._state.copy()
        new._composer = None if self._composer is None else self._composer.copy()
        return new

    def __deepcopy__(self, _: Any) -> Table:
        return self.copy()


def check(game: Game) -> None:
    """Refuse games that are not of turns and rules alone. Raises ValueError."""
    name, program = game.ruleset.name, game.program
    if program.honor:
        raise ValueError(f"{name} on honour is no game of numbered actions: words decide there; play it strictly")
    races = [stage.name for stage in program.stages if stage.kind == "race"]
    if races:
        raise ValueError(
            f"{name} is no game of numbered actions: in '{races[0]}' everybody acts at once, and time decides"
        )
    for stage in program.stages:
        for action in (*stage.actions, *stage.anytime):
            if action.measured:
                raise ValueError(f"{name} is no game of numbered actions: '{action.name}' depends on what bodies do")
            if not action.talk:
                _check_words(f"{name} is no game of numbered actions: '{action.name}'", action)


def _check_words(told: str, action: ActionCode) -> None:
    """Refuse an action whose words have no numbers. Raises ValueError. told: how the reason begins."""
    for param in (param for params in (action.params, *action.rows) for param in params):
        if param.form == "text":
            raise ValueError(f"{told} takes any words that somebody says")
        if any(DONE in parts_of(symbol) for symbol in param.symbols):
            raise ValueError(f"{told} takes the word '{DONE}', which ends a move here")
