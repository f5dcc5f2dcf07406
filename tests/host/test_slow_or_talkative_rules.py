"""House rules that tell or measure very much, or are slow: what that costs has an end, and no question ends a match."""

from __future__ import annotations

import msgspec
import pytest

from interpreter.engine.position import RecordedMove
from interpreter.engine.program import RuleError
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.hosted_match import HostedMatch, Made
from interpreter.interfaces.host.house_rules_text import game_of
from interpreter.interfaces.host.kept_sheets import MOST_DEALS, MOST_LETTERS
from interpreter.interfaces.host.table_events import GameSpec
from interpreter.interfaces.host.table_state import MOST_KEPT, TableState
from interpreter.interfaces.host.worker import LONGEST_LINE


def test_what_is_measured_counts_in_what_is_kept_and_a_match_ends_while_it_can_still_be_sent() -> None:
    table = TableState(e.Opened(e.GameSpec("hearts"), "Hearts", 4, "", "", "ABCDEF"))
    table.apply(e.Begun(Made([], [])))
    measures = {f"m{number}_{'x' * 290}": number for number in range(390)}
    move: RecordedMove = (1, 0, "go", measures)
    with pytest.raises(RuleError, match="measured"):
        for _ in range(2 * LONGEST_LINE // len(msgspec.json.encode(move))):
            table.needs_room()
            table.apply(e.Moved(Made([move], []), 0))
    size = len(msgspec.json.encode(table.history))
    assert MOST_KEPT < size < LONGEST_LINE // 2
    assert table.kept == pytest.approx(size, rel=0.01)
    kept = table.kept
    table.apply(e.Undone(len(table.moves) - 1, [], {}))
    assert table.kept == kept - kept // (len(table.moves) + 1)


DEALS = """\
format: 1
id: many-deals
name: Many deals
players: {min: 2, max: 16, default: 16}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}}
state:
  score: {each: player, type: integer, lasts: match, max: 1000000000}
  made: {type: integer, lasts: match, max: 9000}
flow:
  match: {first dealer: P1, repeat: [playing, many], until: made >= 9000, winners: highest score}
  playing: {kind: turn, first: P1, turns: 1, actions: {go: {effect: set made to made}}}
  many: {repeat: deal, until: made mod 300 = 0}
  deal:
    setup: add 1 to made; for p in players do add 1000000 to score of p end; add 1 to score of P2 because "going"
    next dealer: left
"""


def test_a_sheet_has_an_end_and_says_how_many_deals_were_before() -> None:
    match = HostedMatch(game_of(GameSpec("", overlays=[DEALS])), [f"Name number {seat}" for seat in range(16)])
    for deals in (300, 600, 900):
        match.play(match.state.actors[0], "go", None, None)
        head, before, *rows = match.sheet(None)
        assert len(rows) > 100 and sum(map(len, rows)) <= MOST_LETTERS
        assert before == f"({deals - len(rows) // 2} before these)"
        whole = match.voice.scores(None, match.state.log or [])
        assert len(whole) == 1 + 2 * deals
        assert [line.split() for line in [head, *rows]] == [line.split() for line in [whole[0], *whole[-len(rows) :]]]
    kept = match._sheets._kept[None].sheet
    assert len(kept._rows) == MOST_DEALS
    _, before, row = match.voice.scores_of(None, kept, 10)
    assert before == "(899 before this one)" and row == rows[-2], "reasons that do not fit are left out"
