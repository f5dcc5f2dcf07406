"""House rules that tell or measure very much, or are slow: what that costs has an end, and no question ends a match."""

from __future__ import annotations

import msgspec
import pytest

from interpreter.engine.position import RecordedMove
from interpreter.engine.program import RuleError
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.hosted_match import Made
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
