"""House rules that tell or measure very much, or are slow: what that costs has an end, and no question ends a match."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from house import House, run

from interpreter.engine.rule_errors import RuleError
from interpreter.engine.situation import RecordedMove
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.asked_beside import SCORES, SLOW, UNDO, Denied, Questions
from interpreter.interfaces.host.child_process import Child, ChildGone
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.hosted_steps import Made
from interpreter.interfaces.host.house_rules_text import game_of
from interpreter.interfaces.host.kept_sheets import MOST_DEALS, MOST_LETTERS
from interpreter.interfaces.host.match_again import MOST
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


def test_a_sheet_has_an_end_and_says_how_many_deals_were_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where house rules are written
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


def ends(method: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let a question end the process of its match; what was asked so far."""
    asked = list[str]()
    ask = Child.ask

    async def asks(child: Child, what: str, *given: Any, **more: Any) -> Any:
        if what == method:
            asked.append(what)
            child._end("It took too long.")
            raise ChildGone(child.why)
        return await ask(child, what, *given, **more)

    monkeypatch.setattr(Child, "ask", asks)
    return asked


def test_who_only_watches_and_asks_for_the_scores_ends_no_match_whatever_comes_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(house: House) -> None:
        anna, _ = await house.table_of(2, "", players=2, overlays=[DEALS])
        watches = await house.come(anna.links, token=anna.links["watch"])
        await watches.welcome()
        table = house.service.at_hand(anna.links["table"])
        asked = ends("sheet", monkeypatch)
        for times in range(MOST + 2):
            await watches.say(type="sheet")
            assert (await watches.message("error"))["text"] == SLOW.format(what=SCORES)
            if not times:
                await watches.welcome()
        assert asked == ["sheet"] and table is not None and not table.again._times
        await anna.welcome()
        assert (await anna.move("go"))["type"] == "done"

    run(scene, tmp_path)


def test_a_question_that_takes_too_much_is_asked_once_in_a_match_and_does_not_count_against_it() -> None:
    again = SimpleNamespace(is_needed=False, begin=object())
    put, table = list[Any](), SimpleNamespace(state=SimpleNamespace(match=1))
    table.put = lambda *given: put.append(given)
    questions, asked = Questions(table, again), list[str]()  # type: ignore[arg-type]

    def ask(what: str, wrong: Exception) -> None:
        with questions.about(what):
            asked.append(what)
            raise wrong

    for _ in range(3):
        with pytest.raises(Denied, match="taking moves back takes too much"):
            ask(UNDO, ChildGone("It has ended."))
    assert asked == [UNDO] and put == [(again.begin, "It has ended.", False)]
    for _ in range(2):
        with pytest.raises(Denied, match="cannot say that: no"):
            ask(SCORES, RuleError("no"))
    table.state.match = 2
    with pytest.raises(Denied):
        ask(UNDO, ChildGone("It has ended."))
    again.is_needed = True
    with pytest.raises(ChildGone):  # that is no fault of what is asked
        ask(SCORES, ChildGone("It has ended."))
    assert asked == [UNDO, SCORES, SCORES, UNDO, SCORES] and len(put) == 2
