"""A game as an environment of PettingZoo, in which agents act one after the other (AEC)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv

from interpreter.engine.chance import derive
from interpreter.engine.start import draw_seed
from interpreter.interfaces.adapters.table import LIMIT, Table

if TYPE_CHECKING:
    from interpreter.api.game import Game


def env(game: Game, deals: int | None = None, limit: int = LIMIT, render_mode: str | None = None) -> Env:
    """An environment of a game. deals, limit: as of `Table`. Raises ValueError for races and play on honour."""
    return Env(game, deals, limit, render_mode)


class Env(AECEnv):  # type: ignore[misc]
    """One match after the other. The agents are P1 to Pn.

    An observation holds `observation`, float32 of the shape (layout.size,), as `observing.Layout` describes it, and
    `action_mask`, int8 of the shape (number of words,): 1 for what is possible, and all 0 for agents who do not decide.
    Rewards come at the end, as `Table.returns`. A match that the limit cuts is truncated.
    """

    def __init__(self, game: Game, deals: int | None, limit: int, render_mode: str | None) -> None:
        super().__init__()
        self.metadata = {"name": f"{game.ruleset.id}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.table = Table(game, deals, limit)
        self.possible_agents = [f"P{player + 1}" for player in range(game.players)]
        words, size = len(self.table.vocabulary), self.table.layout.size
        seen = {
            "observation": spaces.Box(-numpy.inf, numpy.inf, (size,), numpy.float32),
            "action_mask": spaces.Box(0, 1, (words,), numpy.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(seen) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(words) for agent in self.possible_agents}
        self._seed: int | None = None
        self._matches = 0

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match. seed: of it, and of those that follow it unless they get one; None: the next one of these."""
        if seed is not None or self._seed is None:
            self._seed, self._matches = draw_seed() if seed is None else seed, 0
        self.table.start(derive(self._seed, self._matches))
        self._matches += 1
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> dict[str, Any]:
        player = self.possible_agents.index(agent)
        mask: Any = numpy.zeros(len(self.table.vocabulary), numpy.int8)
        if player == self.table.player:
            mask[self.table.actions] = 1
        return {"observation": numpy.array(self.table.observe(player), numpy.float32), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take an action of the agent that is selected. ValueError if it is not possible."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an agent that decides takes an action")
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.table.act(int(action))
        self._select()
        self._accumulate_rewards()

    def _select(self) -> None:
        """Who acts next; if nobody does, how it has ended."""
        table = self.table
        if table.player is not None:
            self.agent_selection = self.possible_agents[table.player]
            return
        self.rewards = dict(zip(self.agents, table.returns, strict=True))
        ended = self.truncations if table.is_cut else self.terminations
        for agent in self.agents:
            ended[agent] = True
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """What lies open to all and who decides, as text, where `render_mode` is "ansi"."""
        if self.render_mode != "ansi":
            return None
        state = self.table.state
        seen = zip(*(state.view(player)["scores"] for player in range(len(self.possible_agents))), strict=True)
        open_scores = zip(self.possible_agents, (None if None in own else own[0] for own in seen), strict=True)
        scores = ", ".join(f"{agent} {'?' if score is None else score}" for agent, score in open_scores)
        who = "the match is over" if self.table.player is None else f"{self.possible_agents[self.table.player]} decides"
        return f"{state.phase}: {who}; scores: {scores}"

    def close(self) -> None:
        """Nothing is open."""
