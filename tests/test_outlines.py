"""Games in outline: what the language was designed to say, beyond the games that are shipped.

An outline has the flow, the laws and the tables of a game, not all of its options. It must be valid and play; it
becomes a ruleset when it says everything its rulebook says, with scenarios.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.api.state import State
from interpreter.engine.chance import Dice

OUTLINES = sorted((Path(__file__).parent / "outlines").glob("*.yaml"))


def cards_on_the_table(state: State) -> list[str]:
    return sorted(card for zone in state.game.program.zones for card in state.zone(zone.name))


@pytest.mark.parametrize("path", OUTLINES, ids=lambda path: path.stem)
def test_an_outline_is_valid(path: Path) -> None:
    assert [str(d) for d in interpreter.validate(path) if d.severity == "error"] == []


@pytest.mark.parametrize("enforcement", ["strict", "honor"])
@pytest.mark.parametrize("path", OUTLINES, ids=lambda path: path.stem)
def test_an_outline_plays_and_loses_no_card(path: Path, enforcement: interpreter.api.game.Enforcement) -> None:
    game = interpreter.load(path).game(enforcement=enforcement)
    state = game.start(seed=5)
    everything = cards_on_the_table(state)
    dice = Dice(5)
    for _ in range(200):
        if state.over:
            break
        player = state.actors[dice.below(len(state.actors))]
        moves = state.legal_moves(player)
        state.play(player, moves[dice.below(len(moves))])
        assert cards_on_the_table(state) == everything
    assert state.position.record_moves
