"""Section 8 where a scenario cannot say it: the list of faults, and play on honour at random."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import State, load
from interpreter.engine.chance import Dice
from interpreter.engine.moves import Move
from interpreter.engine.notation import IllegalMove
from interpreter.engine.rule_errors import RuleError

FOLDER = Path(__file__).parent / "rulesets"
OATH = load(FOLDER / "oath.yaml").game(enforcement="honor")
HANDS = {"P1": ["3C", "4H", "5H"], "P2": ["3D", "4D", "5D"], "P3": ["6S", "7S", "8S"], "P4": ["9S", "10S", "JS"]}
GAMES = [p for p in sorted(FOLDER.glob("*.yaml")) if "extends:" not in p.read_text()]


def test_a_fault_is_a_record_of_law_offender_card_stage_and_age() -> None:
    state = OATH.start(given={"at": "vows", "current": "P1", "pile": ["2C"], "hand": HANDS})
    state.play(0, "lay 4H")
    state.play(1, "rest")
    (fault,) = state.position.faults
    found = (fault.law, fault.offender, state.game.program.cards[fault.card or 0], fault.stage, fault.turns)
    assert found == ("suit", 0, "4H", "vows", 1 << 1)


def test_faults_are_saved_with_the_match() -> None:
    state = OATH.start(given={"at": "vows", "current": "P1", "pile": ["2C"], "hand": HANDS})
    state.play(0, "lay 4H")
    again = OATH.restore(state.to_json())
    assert [f.to_json() for f in again.position.faults] == [f.to_json() for f in state.position.faults]
    again.play(2, "razz P1")
    assert again.phase == "paying"


def test_a_copy_has_faults_of_its_own() -> None:
    state = OATH.start(given={"at": "vows", "current": "P1", "pile": ["2C"], "hand": HANDS})
    state.play(0, "lay 4H")
    other = state.copy()
    other.play(1, "rest")
    assert state.position.faults[0].turns == 0


def test_at_most_64_faults_are_kept_and_the_oldest_lapses() -> None:
    hands = {**HANDS, "P1": ["3C", "4H", "KC"]}
    state = OATH.start(given={"at": "vows", "current": "P1", "pile": ["2C"], "hand": hands})
    state.play(2, "doze")  # out of turn, and P4 dozes
    assert [f.law for f in state.position.faults] == ["in_turn", "dozing"]
    for _ in range(63):
        state.play(0, "lay KC")
    assert len(state.position.faults) == 64
    assert [f.law for f in state.position.faults[:2]] == ["dozing", "no_king"]


def test_faults_show_in_no_view() -> None:
    state = OATH.start(given={"at": "vows", "current": "P1", "pile": ["2C"], "hand": HANDS})
    state.play(0, "lay 4H")
    assert all("suit" not in line for player in range(4) for line in state.view(player)["log"])
    assert all("fault" not in state.view(player) for player in range(4))


def test_the_offer_of_claims_does_not_tell_whether_there_is_a_fault() -> None:
    offers = []
    for card in ("3C", "4H"):
        state = OATH.start(given={"at": "vows", "current": "P1", "pile": ["2C"], "hand": HANDS})
        state.play(0, f"lay {card}")
        offers.append([str(m) for m in state.possible_moves(2) if m.action == "razz"])
    assert offers[0] == offers[1] == ["razz P1", "razz P2", "razz P4"]


def test_a_claim_of_a_law_that_there_is_not_is_refused_with_what_laws_there_are() -> None:
    state = OATH.start(given={"at": "vows", "current": "P1", "pile": ["2C"], "hand": HANDS})
    state.play(0, "lay 4H")
    before = state.to_json()
    for claim in ("razz P1 banana", Move("razz", (0, "banana"), "razz P1 banana")):
        with pytest.raises(
            IllegalMove, match=r"there is no law 'banana' to claim; laws: .*haste.*in_turn.*suit"
        ) as found:
            state.play(1, claim)
        assert found.value.law == "no_such_move"
        assert state.to_json() == before
    with pytest.raises(IllegalMove, match="did you mean 'suit'"):
        state.play(1, "razz P1 siut")
    with pytest.raises(IllegalMove, match="did you mean 'no_king'"):
        state.play(1, "razz P1 no_kin")


def test_whatever_can_be_a_fault_can_be_claimed_by_its_name() -> None:
    state = OATH.start(given={"at": "vows", "current": "P1", "pile": ["2C"], "hand": HANDS})
    for name in ("in_turn", "suit", "no_king", "haste", "one", "name", "creed", "dozing"):
        assert state.parse(1, f"razz P1 {name}").args == (0, name)


def test_out_of_turn_on_honour_says_whose_turn_it_is() -> None:
    state = OATH.start(
        given={"at": "paying", "called by": "vows", "caller": "P1", "with": {"debtor": "P3"}, "hand": HANDS}
    )
    with pytest.raises(IllegalMove, match="it is P3's turn") as found:
        state.play(1, "pay")
    assert found.value.law == "in_turn"


def test_typed_words_are_kept_in_the_record() -> None:
    state = OATH.start(given={"at": "vows", "current": "P1", "hand": HANDS})
    state.play(0, 'lay 3C "Good evening, all!"')
    assert "Good evening, all!" in state.record()


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.stem)
@pytest.mark.parametrize("seed", range(4))
def test_every_possible_move_of_honour_can_be_made_and_read_back(path: Path, seed: int) -> None:
    game = load(path).game(enforcement="honor")
    state = game.start(seed=seed)
    dice = Dice(seed)
    for _ in range(60):
        if state.over:
            break
        player = dice.below(game.players) if dice.below(3) else state.actors[0]
        moves = state.possible_moves(player)
        if not len(moves):
            continue
        texts = [str(m) for m in moves]
        assert len(set(texts)) == len(texts)
        move = moves[dice.below(len(moves))]
        assert state.parse(player, str(move)) == move
        before = sum(len(state.zone(z.name)) for z in state.game.program.zones)
        try:
            state.play(player, str(move))
        except RuleError:  # a bound of a workbench; the state is as it was
            continue
        assert sum(len(state.zone(z.name)) for z in state.game.program.zones) == before
        assert len(state.position.faults) <= 64
    assert game.restore(state.to_json()).to_json() == state.to_json()


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.stem)
@pytest.mark.parametrize("seed", range(3))
def test_strict_never_offers_what_a_law_forbids_and_never_records_a_fault(path: Path, seed: int) -> None:
    game = load(path).game()
    state = game.start(seed=seed)
    dice = Dice(seed)
    for _ in range(60):
        if state.over or not state.actors:
            break
        player = state.actors[dice.below(len(state.actors))]
        moves = state.legal_moves(player)
        if not len(moves):
            break
        try:
            state.play(player, moves[dice.below(len(moves))])
        except RuleError:
            continue
        assert not state.position.faults


def test_an_action_whose_row_is_that_of_no_card_is_read_all_the_same() -> None:
    game = load(FOLDER / "lanterns.yaml").game()
    state = game.start(given={"at": "turn_up", "current": "P1", "hand": {"P1": ["9C"]}, "rest": "stock"})
    with pytest.raises(IllegalMove):
        state.play(0, "announce P2")


MEASURED = """\
format: 1
id: measured
name: Measured
players: {only: [2]}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, pile: {}}
state:
  limit: {type: integer, lasts: LASTS, min: 0, max: 9, default: 9}
  score: {each: player, type: integer, lasts: match}
flow:
  match: {setup: shuffle stock; deal 5 from stock to hand, do: [lay_down]}
  lay_down:
    kind: turn
    first: P1
    turns: 8
    actions:
      lay:
        measured: {hold: 0..limit}
        choose: {card: {from: hand}}
        must: {never: {law: count of stock = 0, fault: laid, on breach: BREACH}}
        effect: move card to pile; add hold to score of actor
      less: {effect: set limit to 2; stay}
honor: {claim: objection, penalty: add 1 to score of offender}
"""


def measured(folder: Path, breach: str, lasts: str = "match") -> State:
    path = folder / "measured.yaml"
    path.write_text(MEASURED.replace("BREACH", repr(breach)).replace("LASTS", lasts), encoding="utf-8")
    return interpreter.load(path).game(enforcement="honor").start(seed=3)


@pytest.mark.parametrize("breach", ["set limit to 0; move 1 from stock to hand of actor", "add 1 to score of actor"])
def test_a_measure_counts_as_it_was_judged_whatever_a_breach_changes(tmp_path: Path, breach: str) -> None:
    state = measured(tmp_path, breach)
    state.play(0, f"lay {state.zone('hand', 0)[0]}", hold=3)
    assert state.value("score", 0) == 3 + ("score" in breach) and len(state.zone("pile")) == 1
    assert interpreter.replay(state.record()).to_json() == state.to_json()


def test_a_measure_out_of_turn_counts_as_it_was_judged(tmp_path: Path) -> None:
    """Out of turn the turn's variables are as they are when a turn begins."""
    state = measured(tmp_path, "nothing", "turn")
    state.play(0, "less")
    state.play(1, f"lay {state.zone('hand', 1)[0]}", hold=2)
    assert state.value("score", 1) == 2
    before = state.to_json()
    with pytest.raises(IllegalMove, match="hold is a number from 0 to 2"):
        state.play(1, f"lay {state.zone('hand', 1)[0]}", hold=3)
    assert state.to_json() == before
