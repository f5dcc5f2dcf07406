"""Twenty matches of OpenSpiel's spades, replayed; `python -m tests.oracle` replays five hundred."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter

from . import matches


@pytest.mark.parametrize("seed", range(20))
def test_a_match_goes_as_in_openspiel(seed: int) -> None:
    assert matches.play_match(seed).decisions >= 56


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("flow: {bidding: {actions: {bid: {choose: {n: {number: 0..hand_size}}}}}}", id="over thirteen"),
        pytest.param("flow: {tricks: {lead: {must: {unbroken: {law: 'broken or card.suit != spades'}}}}}", id="broken"),
        pytest.param("flow: {tricks: {follow: {must: {follow_suit: null}}}}", id="revokes are lawful"),
        pytest.param("options: {failed_nil_tricks: {default: bags_only}}", id="a failed nil does not help"),
        pytest.param("define: {bag_limit: 10, penalty(side): 0}", id="bags cost nothing"),
        pytest.param("define: {stake(side): 11 * contract(side)}", id="tricks are worth more"),
    ],
)
def test_a_difference_in_the_rules_shows(change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "change.yaml"
    path.write_text(f"format: 1\nid: change\n{change}\n", encoding="utf-8")
    changed = interpreter.load(matches.OVERLAY, overlays=[path])
    monkeypatch.setattr(matches, "rules", lambda: changed)
    with pytest.raises(matches.Difference):
        for seed in range(20):
            matches.play_match(seed)
