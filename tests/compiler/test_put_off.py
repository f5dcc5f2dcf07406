"""What plays a shipped game out at random is written, read by the gate and compiled when that is first done."""

from __future__ import annotations

import linecache
from pathlib import Path
from threading import Thread

import pytest

import interpreter
from interpreter.api.random_play import play_randomly
from interpreter.base.diagnostics import RulesetError
from interpreter.compiler import compile_game, gate
from interpreter.compiler.linking import put_off
from interpreter.compiler.printed import Printed
from interpreter.engine.chance import Dice
from interpreter.engine.program import Program

IN_ONE_LOOP = {"hearts": "playout·tricks", "pig": "decide·race", "georgia-spoons": "playout·turn_up"}
"""Games -> how the name of a function that plays them out begins."""


def new(name: str = "hearts") -> interpreter.Game:
    return interpreter.load(name).compiled_by(compile_game).game()


def is_there(program: Program, name: str) -> bool:
    return f"def {name}" in program.printed


@pytest.mark.parametrize("name", IN_ONE_LOOP)
def test_it_is_written_when_it_is_asked_for(name: str) -> None:
    game = new(name)
    game.start(seed=1).legal_moves(0)
    assert not is_there(game.program, IN_ONE_LOOP[name])
    game.playouts(1, seed=1, limit=5)
    assert is_there(game.program, IN_ONE_LOOP[name])
    assert game.program.text == game.program.printed == "".join(linecache.getlines(game.program.filename))


def test_who_plays_on_from_a_match_brings_it() -> None:
    game = new()
    state = game.start(seed=1, log=False)
    assert play_randomly(state.position, Dice(1), 30) == 30
    assert is_there(game.program, "playout·tricks")


def test_the_text_as_a_whole_is_asked_for() -> None:
    assert "def playout·tricks" in new().program.text


def test_lines_lead_to_functions_and_places() -> None:
    program = new().program
    before = program.printed.count("\n")
    lines = program.text.splitlines()
    assert any(lines[at - 1].strip() for at in program.lines if at > before)
    played = [stage.playout for stage in program.stages if stage.playout is not None]
    assert played
    for function in played:
        code = function.__code__  # type: ignore[attr-defined]
        assert (
            lines[code.co_firstlineno - 1].startswith(f"def {code.co_name}(") and code.co_filename == program.filename
        )


def test_of_other_rulesets_all_is_looked_at_now(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text("format: 1\nid: own\nname: Own\nextends: hearts\n", encoding="utf-8")
    assert is_there(interpreter.load(tmp_path / "own.yaml").game().program, "playout·tricks")


def test_the_gate_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_more(*given: object) -> Printed:
        found = put_off_printed(*given)  # type: ignore[arg-type]
        return Printed(found.text + "\nimport os\n", found.spans, found.keeps, found.starts)

    put_off_printed = put_off.printed_behind
    monkeypatch.setattr(put_off, "printed_behind", with_more)
    game = new()
    with pytest.raises(RulesetError, match="E901"):
        game.playouts(1, seed=1)
    with pytest.raises(RulesetError, match="E901"):
        game.playouts(1, seed=1)


def test_several_at_once_bring_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    times, run = [], gate.run
    monkeypatch.setattr(gate, "run", lambda text, *rest: (times.append(text), run(text, *rest))[1])
    game = new()
    threads = [Thread(target=game.playouts, args=(2, 1)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(times) == 2
    assert "def playout·tricks" in times[1]
