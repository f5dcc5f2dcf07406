"""What the log begins its lines with, no deal is called: else one would be read for the other."""

from __future__ import annotations

import re
from pathlib import Path

import interpreter
from interpreter.engine.chance import Dice
from interpreter.language.keywords import IN_LOG
from tests.where import ROOT

TWO_WORDS = {"first dealer"}
"""No stage has such a name."""


def test_all_kinds_are_kept() -> None:
    written = {
        kind
        for path in Path(interpreter.__file__).parent.glob("engine/*.py")
        for kind in re.findall(r'Event\("([a-z ]+)"', path.read_text("utf-8"))
    }
    for path in sorted((ROOT / "rulesets").glob("*.yaml")):
        state = interpreter.load(path).game().start(seed=1)
        dice = Dice(1)
        for _ in range(60):
            players = [player for player in state.actors if state.legal_moves(player)]
            if not players:
                break
            moves = state.legal_moves(players[0])
            state.play(players[0], moves[dice.below(len(moves))])
        deals = {stage.name for stage in state.game.program.stages if stage.next_dealer is not None}
        written |= {event.kind for event in state.log or ()} - deals
    assert written <= IN_LOG | TWO_WORDS
