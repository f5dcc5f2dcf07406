"""Games: a ruleset whose players, options and enforcement are fixed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from interpreter.api.state import State
from interpreter.base.signs import describe, unseen_in
from interpreter.engine.playing import make_again
from interpreter.engine.position import Redrawn
from interpreter.engine.program import Program
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.saved import full_moves
from interpreter.engine.start import fixed, start, whole

if TYPE_CHECKING:
    from interpreter.api.playouts import Playouts
    from interpreter.api.ruleset import Ruleset

Enforcement = Literal["strict", "honor"]


@dataclass(frozen=True)
class Game:
    """A ruleset with players, options and enforcement fixed."""

    ruleset: Ruleset
    players: int
    options: dict[str, Any]
    variants: tuple[str, ...]
    enforcement: Enforcement
    program: Program = field(repr=False)

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

            if (state := stepped(self, seed)) is not None:
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
            make_again(state.position, list(full_moves(data["moves"])), redrawn)
            if _dumped(json.loads(state.to_json())) != _dumped(data):  # as texts: true is not 1
                raise ValueError("its moves do not lead to the position it describes")
            state.position.floor = len(state.position.record_moves)
        except (LookupError, TypeError, AttributeError, ValueError, OverflowError, RecursionError, RuleError) as error:
            raise ValueError(f"this is not a saved state of this game: {error}") from error
        return state

    def header(self) -> dict[str, Any]:
        """What identifies the game, as plain JSON data."""
        options = {name: _listed(value) for name, value in self.options.items()}
        return {
            "ruleset": self.ruleset.id, "digest": self.ruleset.digest, "players": self.players, "options": options,
            "variants": list(self.variants), "enforcement": self.enforcement,
        }  # fmt: skip

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


def _listed(value: Any) -> Any:
    """A value as JSON gives it back: a list option that each player has is a list of lists."""
    return [_listed(item) for item in value] if isinstance(value, tuple) else value
