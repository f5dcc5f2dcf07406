"""How the log tells of single cards is kept for a program, which lives as long as all its matches: only so much."""

from __future__ import annotations

import pytest

from interpreter.engine import events


def test_no_more_ways_of_cards_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "MOST_PASSAGES", 5)
    passages = events.Passages(["2C", "3C"], ["stock", *(f"heap {at}" for at in range(20))])
    for target in range(1, 21):
        assert passages[0, target, 1, 3].target == f"heap {target - 1}"
        assert len(passages) <= 5
