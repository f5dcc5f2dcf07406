"""A game as OpenSpiel knows it, written in Python and registered with pyspiel."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

import numpy
import pyspiel

from interpreter.interfaces.adapters.table import LIMIT, Table

if TYPE_CHECKING:
    from interpreter.api.game import Game

SEEDS = 10_000
"""Outcomes of the chance node with which a match begins: so many different matches are dealt."""

_registered: dict[str, Table] = {}
"""The games by the names under which pyspiel knows them: names cannot be given back."""


def load(game: Game, deals: int | None = None, limit: int = LIMIT, seeds: int = SEEDS) -> Any:
    """Register a game with pyspiel, unless it has been, and load it. Raises ValueError for races and play on honour.

    A match begins with one chance node, whose outcome is the seed of everything that chance does in it; `seeds` are as
    likely as one another. deals, limit: as of `Table`; returns are those of `Table`, at the end. Observations are
    tensors of the shape (layout.size,), as `observing.Layout` describes them.
    """
    table = Table(game, deals, limit)
    name = _name(game, deals, limit, seeds)
    if name not in _registered:
        kind, info = _kind(table, name), _info(table, seeds)

        class NumberedGame(pyspiel.Game):  # type: ignore[misc]
            """The game, as pyspiel makes it from its name."""

            def __init__(self, params: Any = None) -> None:
                super().__init__(kind, info, params or {})
                self.name, self.table, self.seeds = name, table, seeds

            def new_initial_state(self) -> NumberedState:
                return NumberedState(self)

            def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
                if params:
                    raise ValueError(f"observations have no parameters: {params}")
                return Observer(table.layout.size)

        pyspiel.register_game(kind, NumberedGame)
        _registered[name] = table
    return pyspiel.load_game(name)


def _name(game: Game, deals: int | None, limit: int, seeds: int) -> str:
    """A name that says which game it is: pyspiel finds it by that when it reads a state again."""
    digest = hashlib.sha256(json.dumps(game.header(), sort_keys=True).encode()).hexdigest()[:16]
    ruleset = re.sub(r"\W", "_", game.ruleset.id)
    return f"houserules_{ruleset}_{game.players}_{digest}_{deals or 0}_{limit}_{seeds}"


def _kind(table: Table, name: str) -> Any:
    n = table.game.players
    return pyspiel.GameType(
        short_name=name,
        long_name=f"{table.game.ruleset.name} ({n} players)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM if n == 1 else pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=n,
        min_num_players=n,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
    )


def _info(table: Table, seeds: int) -> Any:
    n = table.game.players
    return pyspiel.GameInfo(
        num_distinct_actions=len(table.vocabulary),
        max_chance_outcomes=seeds,
        num_players=n,
        min_utility=0.0 if n == 1 else -1 / n,
        max_utility=1.0 if n == 1 else 1 - 1 / n,
        utility_sum=None if n == 1 else 0.0,
        max_game_length=table.limit,
    )


class Match:
    """A match by its seed and the actions taken: it is copied as it stands, and played again when it is unpickled."""

    def __init__(self, name: str, table: Table, seed: int | None = None, actions: tuple[int, ...] = ()) -> None:
        """name: of the registered game. seed: None while it has not been drawn."""
        self.name, self.table, self.seed, self.actions = name, table.copy(), seed, actions

    @property
    def has_begun(self) -> bool:
        return self.seed is not None

    def begin(self, seed: int) -> None:
        self.seed = seed
        self.table.start(seed)

    def act(self, action: int) -> None:
        try:
            self.table.act(action)
        except Exception:  # what was chosen for a move that is not made is decided anew
            self.actions = self.actions[: self.table.made]
            raise
        self.actions = (*self.actions, action)

    def __deepcopy__(self, _: Any) -> Match:
        return Match(self.name, self.table, self.seed, self.actions)

    def __reduce__(self) -> tuple[Any, ...]:
        return played_again, (self.name, self.seed, self.actions)


def played_again(name: str, seed: int | None, actions: tuple[int, ...]) -> Match:
    """A match of a registered game from its seed and actions."""
    match = Match(name, _registered[name])
    if seed is not None:
        match.begin(seed)
        for action in actions:
            match.act(action)
    return match


class NumberedState(pyspiel.State):  # type: ignore[misc]
    """A match. Before its seed has been drawn nothing lies on the table."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.match = Match(game.name, game.table)
        self.seeds: int = game.seeds

    @property
    def table(self) -> Table:
        return self.match.table

    def current_player(self) -> int:
        if not self.match.has_begun:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.table.player is None else self.table.player

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(seed, 1 / self.seeds) for seed in range(self.seeds)]

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.actions if player == self.table.player else []

    def _apply_action(self, action: int) -> None:
        if self.match.has_begun:
            self.match.act(action)
        else:
            self.match.begin(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"seed {action}" if player == pyspiel.PlayerId.CHANCE else self.table.vocabulary.words[action]

    def is_terminal(self) -> bool:
        return self.match.has_begun and self.table.player is None

    def returns(self) -> list[float]:
        return self.table.returns if self.match.has_begun else [0.0] * self.table.game.players

    def __str__(self) -> str:
        words = [self.table.vocabulary.words[action] for action in self.match.actions]
        return f"seed {self.match.seed}: {' '.join(words)}" if self.match.has_begun else "the seed is to be drawn"


class Observer:
    """Writes what a player sees into `tensor`."""

    def __init__(self, size: int) -> None:
        self.tensor: Any = numpy.zeros(size, numpy.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: NumberedState, player: int) -> None:
        self.tensor[:] = state.table.observe(player) if state.match.has_begun else 0

    def string_from(self, state: NumberedState, player: int) -> str:
        """The observation as numbers: equal strings are equal observations."""
        return " ".join(f"{number:g}" for number in state.table.observe(player)) if state.match.has_begun else ""
