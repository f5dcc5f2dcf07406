"""An optional list option that is none: both lanes play the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api import native_lane
from interpreter.api.playouts import matches
from tests.compiler import test_options_of_none as cases
from tests.compiler.test_options_of_none import CONDITIONS, NUMBERS, NUMBERS_IN_PLAY, RULES, made
from tests.native.alike import stepped_alike


@pytest.mark.parametrize("holder", ["given", "own of P1"])
def test_both_lanes_play_the_same(holder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_lane, "kept_in", lambda: tmp_path / "native")
    monkeypatch.delenv(native_lane.SWITCH, raising=False)
    lines = RULES.splitlines(keepends=True)
    monkeypatch.setattr(cases, "RULES", "".join(line for line in lines if not line.startswith("  held: ")))
    held = [f"if {holds} then add {1 << at} to z end" for at, holds in enumerate(CONDITIONS) if "named" not in holds]
    numbers = [f"add {number} to z" for number in (*NUMBERS, *NUMBERS_IN_PLAY) if "named" not in number]
    done = "; ".join((*held, *numbers, "for x in LIST do add x to z end"))
    own = made(tmp_path, holder, "1 + count of LIST", "LIST is empty", done)
    assert native_lane.prepare(own).built is not None
    assert stepped_alike(own, 3, 30) == ""
    played = list(matches(own, 40, 5, None, 200))
    own.program.native = None
    monkeypatch.setenv(native_lane.SWITCH, "0")
    assert list(matches(own, 40, 5, None, 200)) == played
