"""Machine code makes of random conditions, laws and effects what Python makes of them, and what they mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api import native_lane
from tests.meanings.running import Tally, tried


def test_moves_do_what_they_mean(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native_lane, "kept_in", lambda: tmp_path_factory.getbasetemp() / "native")
    monkeypatch.setenv(native_lane.SWITCH, "1")
    tally = Tally()
    for seed in range(100, 106):
        tried(seed, tmp_path, tally, native=True)
    assert not tally.differ, "\n".join(tally.differ)
    assert tally.answers["moves of machine code"] > 20, tally.told()
