"""An action with more moves than can be listed: each is judged by itself, and a refusal changes nothing."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import interpreter
from interpreter.analysis.audit import Fixed, run
from interpreter.api.game import State
from interpreter.engine import naming
from interpreter.engine.legal import listable_moves
from interpreter.engine.meaning import Offer
from interpreter.engine.notation import IllegalMove
from interpreter.engine.rule_errors import RuleError

RULES = """\
format: 1
id: many
name: Many
players: {min: 2, max: 2}
pack: {standard: PACKS}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  discard: {}
flow:
  match: {setup: deal 16 from stock to hand; move 1 from stock to discard, do: [go]}
  go:
    KIND
    actions:
      draw: {effect: move 1 from stock to hand}
      lay: {choose: {cards: {from: hand, count: 1..8}, to_whom: {players: others}}LAW, effect: move cards to discard}
      shed: {choose: {card: {from: hand}}, effect: move card to discard}
honor: {penalty: nothing}
"""
KINDS = {"turn": "kind: turn\n    turns: 40", "race": "kind: race\n    until: stock is empty"}
CHOICES = (
    "cards: {from: hand, count: 1..8}, to_whom: {players: others}",
    "cards: {from: hand, count: 2..8, where: card.suit != spades}, to_whom: {players: others}",
    "cards: {from: hand, count: 1..8}, more: {from: hand, optional: true}, to_whom: {players: everyone}",
    "to_whom: {players: others}, cards: {from: hand, count: 0..count of hand}",
    'cards: {from: "(hand, discard)", count: 1..8}, times: {number: 1..2}',
)
SMALL = ", must: {small: {law: count of hand < 5, message: only with a small hand}}"
ENFORCEMENTS = ("strict", "honor")


def begun(folder: Path, kind: str, enforcement: str, law: str = SMALL, packs: int = 1) -> State:
    path = folder / "many.yaml"
    path.write_text(RULES.replace("KIND", KINDS[kind]).replace("LAW", law).replace("PACKS", str(packs)))
    return interpreter.load(path).game(enforcement=enforcement).start(seed=1)


def held(state: State) -> tuple[list[str], list[str]]:
    """What the first player holds, and cards that are elsewhere."""
    own = state.zone("hand", 0)
    return own, [card for card in state.game.program.cards if card not in own]


def refused(state: State, text: str, built: bool = False) -> str:
    """The law by which a move of the first player is refused, with nothing changed."""
    before = state.to_json(), len(state.log or ())
    with pytest.raises(IllegalMove) as refusal:
        state.play(0, state.parse(0, text) if built else text)
    assert (state.to_json(), len(state.log or ())) == before
    assert state.legal_moves(0)
    return refusal.value.law


@pytest.mark.parametrize("packs", (1, 2))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
def test_what_is_no_move_or_not_possible_is_refused(tmp_path: Path, enforcement: str, kind: str, packs: int) -> None:
    state = begun(tmp_path, kind, enforcement, packs=packs)
    own, others = held(state)
    for built in (False, True):
        assert refused(state, "foo", built) == "no_such_move"
        assert refused(state, f"lay {others[0]} P2", built) == "not_possible"
        assert refused(state, f"lay {own[0]} P1", built) == "not_possible"
        assert refused(state, f"lay {' '.join(own[:9])} P2", built) == "not_possible"
    with pytest.raises(RuleError, match="more than 50,000 moves"):
        state.possible_moves(0)
    assert {move.action for move in listable_moves(state.position, 0)} >= {"draw", "shed"}


@pytest.mark.parametrize("packs", (1, 2))
@pytest.mark.parametrize("kind", KINDS)
def test_the_law_that_refuses_is_told(tmp_path: Path, kind: str, packs: int) -> None:
    state = begun(tmp_path, kind, "strict", packs=packs)
    own, _ = held(state)
    for text in (f"lay {own[0]} P2", f"lay {' '.join(own[:8])} P2"):
        assert [refused(state, text, built) for built in (False, True)] == ["small", "small"]


@pytest.mark.parametrize("packs", (1, 2))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
def test_what_is_lawful_is_made(tmp_path: Path, enforcement: str, kind: str, packs: int) -> None:
    """Also where that is more than can be listed: of such a move nobody needs a list."""
    for law in ("", ", must: {small: count of hand > 5}"):
        for built in (False, True):
            state = begun(tmp_path, kind, enforcement, law, packs)
            own, _ = held(state)
            text = f"lay {own[1]} {own[0]} P2"
            state.play(0, state.parse(0, text) if built else text)
            assert sorted(state.zone("hand", 0)) == sorted(own[2:])


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
def test_with_fewer_cards_it_is_lawful_and_made(tmp_path: Path, enforcement: str) -> None:
    state = begun(tmp_path, "race", enforcement)
    for _ in range(12):
        state.play(0, f"shed {state.zone('hand', 0)[0]}")
    own, _ = held(state)
    assert sum(move.action == "lay" for move in state.legal_moves(0)) == 15
    state.play(0, f"lay {' '.join(own[:3])} P2")
    assert state.zone("hand", 0) == own[3:]


@pytest.mark.parametrize("packs", (1, 2))
def test_on_honour_what_is_possible_is_made_and_a_fault(tmp_path: Path, packs: int) -> None:
    state = begun(tmp_path, "turn", "honor", packs=packs)
    own, _ = held(state)
    happened = state.play(0, f"lay {own[0]} P2")
    assert [event.words for event in happened if event.kind == "fault"] == ["small"]
    assert sorted(state.zone("hand", 0)) == sorted(own[1:])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
def test_the_check_goes_on(tmp_path: Path, enforcement: str, kind: str) -> None:
    state = begun(tmp_path, kind, enforcement)
    report = run(state.game.ruleset, 6, limit=600, fixed=Fixed(enforcement=enforcement))
    assert report.well and sum(match.decisions for match in report.tally.played) > 100
    assert not [found for found in report.found if "'lay'" in found.message or "'small'" in found.message]


@pytest.mark.parametrize("packs", (1, 2))
@pytest.mark.parametrize("choices", CHOICES)
def test_what_is_judged_by_itself_is_what_would_be_listed(tmp_path: Path, choices: str, packs: int) -> None:
    """With so few cards it can be listed, by the same rules."""
    path, law = tmp_path / "many.yaml", ", must: {mixed: not all c in cards have c.suit = hearts}"
    rules = (
        RULES.replace(CHOICES[0], choices).replace("deal 16", "shuffle stock; deal 5").replace("KIND", KINDS["turn"])
    )
    path.write_text(rules.replace("LAW", law).replace("PACKS", str(packs)))
    s = interpreter.load(path).game().start(seed=1).position
    (action,) = [action for action in s.program.stages[s.stack[-1].stage].actions if action.name == "lay"]
    judged = action.offers or action.judges
    assert judged is not None and (packs == 1) == (action.offers is not None)
    for lawful, listed in ((False, action.possible(s, 0)), (True, action.legal(s, 0))):
        known = set(listed)
        assert known and all(judged(s, 0, lawful, *args) for args in listed)
        values = [sorted({args[at] for args in listed}, key=str) for at in range(len(action.params))]
        held = {card for ways in values for way in ways if type(way) is tuple for card in way}
        for at, ways in enumerate(values):  # some that cannot be chosen besides
            if any(type(way) is tuple for way in ways):
                values[at] = [*ways, (), (50,), (*sorted(held)[:1], 51), tuple(sorted(held)[1::-1]), (min(held),) * 2]
            else:
                values[at] = [*ways, 0, 1, 3, 50]
        for args in product(*values):
            assert judged(s, 0, lawful, *args) == (args in known), (lawful, args)
            if args in known:
                named = naming.named_args(s, 0, action, args)
                found = Offer(s, 0, action)._tried(named, lawful) if packs == 2 else Offer(s, 0, action).possible(named)
                assert found is not None and naming.named_args(s, 0, action, found) == named
