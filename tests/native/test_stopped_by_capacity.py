"""As machine code, too, no zone holds more than its capacity."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.api import native_lane
from interpreter.engine.rule_errors import RuleError
from tests.engine.test_room_of_zones import RULES, STOPPED


@pytest.mark.parametrize(("effect", "told"), STOPPED)
def test_machine_code_stops_there_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, effect: str, told: str) -> None:
    monkeypatch.setattr(native_lane, "kept_in", lambda: tmp_path / "native")
    monkeypatch.setenv(native_lane.SWITCH, "1")
    path = tmp_path / "narrow.yaml"
    path.write_text(RULES.replace("EFFECT", effect), encoding="utf-8")
    with pytest.raises(RuleError, match=told):
        interpreter.load(path).game().playouts(2, seed=1)
