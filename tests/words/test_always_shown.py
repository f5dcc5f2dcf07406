"""What players see at any time: also what was agreed before play."""

from __future__ import annotations

from pathlib import Path

import interpreter
from interpreter.words.drawing import position
from interpreter.words.voice import Voice


def shown(game: interpreter.Game) -> str:
    state = game.start(seed=1)
    return "\n".join(position(state.view(0), game.program.ranks, captions=Voice(state.position).captions(0)))


def test_an_option_that_is_always_shown_stands_on_the_table_as_it_was_chosen() -> None:
    hearts = interpreter.load("hearts")
    assert "playing to 100" in shown(hearts.game())
    assert "playing to 50" in shown(hearts.game(options={"target": 50}))
    assert "target" not in hearts.game().start(seed=1).view(0)["values"]  # views tell what changes in play


def test_an_option_that_is_nothing_is_not_shown() -> None:
    uno = interpreter.load("uno")
    assert "playing to 250" in shown(uno.game(options={"target_score": 250}))
    assert "playing to" not in shown(uno.game(options={"target_score": 0}))


def test_an_option_has_its_name_where_no_other_is_given(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text("format: 1\nid: t\nname: T\nextends: hearts\nalways shown: [pass_count, score]\n")
    assert "pass count 3" in shown(interpreter.load(path).game())
