"""What a law asks of each of several melds is asked before they are put together, and the moves are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.api.game import State, load
from interpreter.api.validation import validate
from interpreter.engine.melds import meld_library
from interpreter.engine.notation import IllegalMove
from interpreter.engine.rule_errors import RuleError

NATURAL = "all m in ms has any c in m.cards has c is not joker"
MIXED = "all m in ms has any c in m.cards has c is not joker or m.size > 1 + count of ms"
WAYS = ["{melds: [set, run], from: hand}", '{melds: "item(1, two)", from: hand, equal by: rank}']


def laying(folder: Path, law: str, melds: str) -> State:
    path = folder / "lays.yaml"
    path.write_text(
        "format: 1\nid: lays\nname: Lays\nplayers: {min: 2, max: 2}\npack: {standard: 1, add: {joker: 4}}\n"
        "zones: {stock: {pack: true}, hand: {each: player, seen by: owner}, laid: {}}\n"
        "options: {two: {type: list of melds, default: [[set 3, run 3..]], doc: What is asked for.}}\n"
        "melds:\n  set: {same: rank, size: 3.., wild: card is joker, naturals: 0..}\n"
        "  run: {same: suit, consecutive: rank, size: 3.., wild: card is joker, naturals: 0..}\n"
        "flow:\n  match: {setup: deal 9 from stock to hand, do: [go]}\n"
        "  go:\n    kind: turn\n    actions:\n      pass: {}\n"
        f"      lay: {{choose: {{ms: {melds}}}, must: {{own: {{law: {law}}}}},"
        " effect: for m in ms do move m to laid end}\n",
        encoding="utf-8",
    )
    assert [str(found) for found in validate(path) if found.severity == "error"] == []
    hand = "5C 5D 6C 7C 8C joker joker joker"
    return load(path).game().start(given={"at": "go", "current": "P1", "hand": {"P1": hand}, "rest": "stock"})


@pytest.mark.parametrize("melds", WAYS, ids=["apart", "asked for"])
@pytest.mark.parametrize("law", [NATURAL, MIXED], ids=["of each", "of all"])
def test_the_moves_are_those_that_the_law_leaves(tmp_path: Path, law: str, melds: str) -> None:
    state, free = laying(tmp_path, law, melds), laying(tmp_path, "true", melds)
    left = [str(move) for move in free.legal_moves(0) if not is_refused(state, str(move))]
    assert [str(move) for move in state.legal_moves(0)] == left
    assert 20 < len(left) < len(free.legal_moves(0))


def is_refused(state: State, move: str) -> bool:
    try:
        state.copy().play(0, move)
    except IllegalMove as refusal:
        return refusal.law == "own"
    return False


def test_what_fails_the_law_does_not_count_among_the_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many ways are refused: of melds that are lawful."""
    state, other = laying(tmp_path, NATURAL, WAYS[0]), laying(tmp_path, f"({NATURAL}) or count of ms > 9", WAYS[0])
    monkeypatch.setattr(meld_library, "MOST_WAYS", len(state.copy().legal_moves(0)) + 10)
    assert state.copy().legal_moves(0)
    with pytest.raises(RuleError, match="ways to choose several melds"):
        other.legal_moves(0)
