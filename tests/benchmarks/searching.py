"""How bots that think decide in each game: `python -m tests.benchmarks.searching [DECISIONS] [LEVEL] [GAME...]`.

Of the decisions with more than one move in matches between such bots, in strict play: the share of those that are
searched as machine code alone, in Python (in part or altogether), and by a rule of thumb, without any trial.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import interpreter
from interpreter.api.game import Game
from interpreter.api.native_trials import TrialLane, trial_lane
from interpreter.engine.chance import Dice, derive
from interpreter.engine.standing import kind_of_phase
from interpreter.language.overlay.files import shipped
from interpreter.players.monte_carlo import Thought, new_bot

LANES = "native", "part", "python", "thumb"
"""Trials by machine code alone, some of them, none of them; no trials at all."""
LONGEST = 400
"""Moves of a match, after which another begins."""


def lane_of(tried: Counter[str]) -> str:
    """How a decision was searched. tried: its trials by lane."""
    if not tried["python"]:
        return "native" if tried["native"] else "thumb"
    return "part" if tried["native"] else "python"


def made_natively(lane: TrialLane) -> int:
    """How many trials machine code has made so far."""
    return sum(made for made, _ in lane.stages.values())


def survey(game: Game, number: int, level: str, seed: int = 1) -> dict[str, Counter[str]]:
    """Stage -> lane -> how many of so many decisions with more than one move were searched so."""
    found: dict[str, Counter[str]] = {}
    tried: Counter[str] = Counter()
    own = Thought._try

    def counted(self: Thought, *how: Any) -> Any:
        tried["python"] += 1
        return own(self, *how)

    Thought._try = counted  # type: ignore[method-assign]
    try:
        made = match = 0
        while made < number and match < number:
            state, dice = game.start(seed=derive(seed, match)), Dice(match)
            bots = [new_bot(level, derive(seed, 100 * match + player)) for player in range(game.players)]
            match += 1
            for _ in range(LONGEST):
                if state.over or made >= number:
                    break
                player = state.actors[dice.below(len(state.actors))]
                several = len(state.legal_moves(player)) > 1
                stage = game.program.stages[state.position.stack[-1].stage]
                lane = trial_lane(game)
                lane.seconds = 1e9  # it is compiled as soon as it is used
                tried.clear()
                before = made_natively(lane)
                move = bots[player].choose(state, player)
                assert move is not None
                tried["native"] = made_natively(lane) - before
                if several:
                    made += 1
                    where = f"{stage.name} ({kind_of_phase(state.position)})"
                    found.setdefault(where, Counter())[lane_of(tried)] += 1
                state.play(player, move)
    finally:
        Thought._try = own  # type: ignore[method-assign]
    return found


def told(rows: Counter[str]) -> str:
    """Shares of a hundred, lane by lane."""
    total = sum(rows.values()) or 1
    return "  ".join(f"{lane} {100 * rows[lane] / total:3.0f}" for lane in LANES)


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    level = sys.argv[2] if len(sys.argv) > 2 else "medium"
    for name in sys.argv[3:] or shipped():
        game = interpreter.load(name).game()
        found = survey(game, number, level)
        print(f"{name:16} {told(sum(found.values(), Counter()))}  {trial_lane(game).reason}", flush=True)
        for where, rows in found.items():
            print(f"    {where:40} {sum(rows.values()):4}  {told(rows)}", flush=True)


if __name__ == "__main__":
    main()
