"""Chance that is drawn from the operating system's source, and kept so that the match can be made again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import pytest

import interpreter
from interpreter.api.game import State
from interpreter.engine.chance import Dice
from interpreter.engine.outcomes import Outside
from interpreter.engine.rule_errors import RuleError

GAMES = ("hearts", "uno", "spit", "crazy-eights", "gin-rummy", "cribbage", "phase-10")
"""Shuffles, dealers by lot, cards drawn unseen, refills."""


def played(state: State, moves: int) -> State:
    dice = Dice(1)
    for _ in range(moves):
        if state.over:
            break
        player = state.actors[dice.below(len(state.actors))]
        offered = state.legal_moves(player)
        state.play(player, offered[dice.below(len(offered))])
    return state


@pytest.mark.parametrize("name", GAMES)
def test_what_was_drawn_from_outside_makes_the_match_again(name: str) -> None:
    game = interpreter.load(name).game()
    came = Outside()
    state = played(game.start(chance=came), 120)
    again = game.start(chance=json.loads(json.dumps(came)))
    for _, player, text, extra in state.position.record_moves:
        again.play(player, text, **extra)
    assert again.log == state.log
    assert not any(again.chance.values())


def test_the_seed_tells_nothing_of_chance_from_outside() -> None:
    game = interpreter.load("hearts").game()
    dealt = {tuple(game.start(seed=7, chance=Outside()).zone("hand", 0)) for _ in range(4)}
    assert len(dealt) == 4


def test_a_record_of_chance_from_outside_is_replayed_like_any_other() -> None:
    state = played(interpreter.load("crazy-eights").game().start(chance=Outside()), 150)
    assert interpreter.replay(state.record()).log == state.log


def test_what_is_tried_out_on_a_copy_draws_nothing_from_outside() -> None:
    came = Outside()
    state = interpreter.load("gin-rummy").game().start(chance=came)
    before = json.dumps(came)
    played(state.copy(), 200)
    assert json.dumps(came) == before


def test_chance_from_outside_is_drawn_anew_where_moves_are_taken_back() -> None:
    game = interpreter.load("hearts").game(options={"target": 1000})
    came = Outside()
    state = game.start(chance=came)
    dice = Dice(3)
    while len(came["shuffle"]["deal"]) < 2:  # until the second deal
        player = state.actors[0]
        offered = state.legal_moves(player)
        state.play(player, offered[dice.below(len(offered))])
    second = came["shuffle"]["deal"][1]
    last = state.position.record_moves[-1]
    state.undo(seed=5)
    assert len(came["shuffle"]["deal"]) == 1
    state.play(last[1], last[2])
    assert len(came["shuffle"]["deal"]) == 2
    assert came["shuffle"]["deal"][1] != second
    assert interpreter.replay(state.record()).log == state.log


def test_a_seed_can_be_found_from_a_hand_but_not_where_chance_comes_from_outside() -> None:
    game = interpreter.load("hearts").game()
    seed, tried = 1_234, range(2_000)
    hands = {tuple(game.start(seed=one, log=False).zone("hand", 0)): one for one in tried}
    assert hands[tuple(game.start(seed=seed).zone("hand", 0))] == seed
    assert tuple(game.start(seed=seed, chance=Outside()).zone("hand", 0)) not in hands


def until_deal(state: State, came: Outside, number: int, dice: Dice) -> None:
    """Play at random until so many deals have been made."""
    while len(came["shuffle"]["deal"]) < number:
        player = state.actors[0]
        offered = state.legal_moves(player)
        state.play(player, offered[dice.below(len(offered))])


def test_chance_that_came_after_moves_were_taken_back_stays_when_others_are() -> None:
    came = Outside()
    state = interpreter.load("hearts").game(options={"target": 1000}).start(chance=came)
    dice = Dice(3)
    until_deal(state, came, 2, dice)
    state.undo(seed=5)
    until_deal(state, came, 3, dice)
    deals = json.dumps(came["shuffle"]["deal"][:2])
    state.undo(seed=6)
    assert json.dumps(came["shuffle"]["deal"]) == deals, "the second deal had been played"
    assert interpreter.replay(state.record()).log == state.log


def test_moves_that_are_not_taken_back_leave_chance_as_it_is() -> None:
    came = Outside()
    state = interpreter.load("spades").game().start(chance=came)
    dice = Dice(3)
    until_deal(state, came, 2, dice)
    made = len(state.position.record_moves)
    state.play(state.actors[0], "look")
    until_deal(state, came, 3, dice)
    before = json.dumps(came)
    with pytest.raises(ValueError, match="what was seen stays seen"):
        state.undo(seed=5, stay=made)
    assert json.dumps(came) == before


def test_what_is_taken_back_on_a_copy_takes_nothing_from_the_match() -> None:
    came = Outside()
    state = interpreter.load("hearts").game(options={"target": 1000}).start(chance=came)
    until_deal(state, came, 2, Dice(3))
    before = json.dumps(came)
    copy = state.copy()
    copy.undo(seed=5)
    assert json.dumps(came) == before
    played(copy, 200)
    assert json.dumps(came) == before


def test_no_more_is_drawn_than_a_record_can_hold_and_what_was_drawn_makes_the_match_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("interpreter.engine.outcomes.MOST_DRAWN", 2_000)
    game = interpreter.load("hearts").game(options={"target": 1000})
    came = Outside()
    state = game.start(chance=came)
    with pytest.raises(RuleError, match="than its record can hold"):
        played(state, 1_000)
    assert 1_600 < len(json.dumps(came, separators=(",", ":"))) <= 2_000
    made = list(state.position.record_moves)
    assert interpreter.replay(state.record()).position.record_moves == made
    state = game.start(chance=Outside(json.loads(json.dumps(came))))
    with pytest.raises(RuleError, match="than its record can hold"):
        played(state, 1_000)
    assert list(state.position.record_moves) == made, "also after it was made again"


DRAWS = """\
format: 1
id: draws
name: Draws
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  nothing: {}
  pile: {}
state: {word: {type: choice, choices: [Yes, yes], lasts: match}}
flow:
  match: {setup: shuffle stock; deal 3 from stock to hand, do: [go], winners: everyone}
  go:
    kind: turn
    first: P1
    turns: 60
    actions:
      mix: {effect: shuffle nothing; move 1 from stock to pile; shuffle pile; shuffle nothing}
      ask: {effect: move 2 at random from nothing to pile; move 5 at random from hand to pile}
      say: {effect: "set word to random of (Yes, yes)"}
"""


def drawing(folder: Path, text: str = DRAWS, enforcement: Literal["strict", "honor"] = "strict") -> State:
    """A match of these rules in which chance comes from outside."""
    path = folder / "draws.yaml"
    path.write_text(text, encoding="utf-8")
    return interpreter.load(path).game(enforcement=enforcement).start(chance=Outside())


def made_again(state: State) -> State:
    """The match from its record."""
    assert json.loads(json.dumps(state.position.setup.chance)) == state.position.setup.chance
    again = interpreter.replay(state.record())
    assert again.log == state.log
    assert not any(again.chance.values())
    return again


def test_a_place_in_which_nothing_lies_can_be_shuffled_and_drawn_from(tmp_path: Path) -> None:
    state = drawing(tmp_path)
    for player, move in enumerate(("mix", "ask", "mix", "ask")):
        state.play(player % 2, move)
    shuffled = state.position.setup.chance["shuffle"]["go"]
    assert [len(order) for order in shuffled] == [0, 1, 0, 0, 5, 0]
    assert not state.zone("hand", 1) and len(state.zone("pile")) == 5
    assert made_again(state).zone("pile") == state.zone("pile")


def test_words_that_differ_in_large_and_small_letters_alone_are_drawn_alike(tmp_path: Path) -> None:
    state = drawing(tmp_path)
    words = set()
    for turn in range(40):
        state.play(turn % 2, "say")
        words.add(state.value("word"))
    assert words == {"Yes", "yes"}
    assert made_again(state).value("word") == state.value("word")


TAKEN_BACK = """\
format: 1
id: tosses
name: Tosses
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, open: {}, box: {seen by: none}}
flow:
  match: {setup: shuffle stock; deal 6 from stock to hand, do: [go], winners: everyone}
  go:
    kind: turn
    first: P1
    turns: 60
    actions:
      give:
        choose: {card: {from: hand}}
        must: {never: {law: not honor, breach: taken back}}
        effect: if random of (1..2) = 1 then move card to open else move card to box end
      roll: {effect: "if random of (1..2) = 1 then note \\"heads\\" else note \\"tails\\" end"}
honor: {penalty: nothing, wrong claim: nothing}
"""


def test_what_was_read_of_a_move_that_was_taken_back_is_read_where_the_match_is_made_again(tmp_path: Path) -> None:
    state = drawing(tmp_path, TAKEN_BACK, "honor")
    for _ in range(12):
        player = state.actors[0]
        state.play(player, f"give {state.zone('hand', player)[0]}")
        state.play(player, "roll")
    made_again(state)
    read = {text.split()[2] for event in state.log or () if (text := event.text(1)) and text.startswith("P1 give")}
    assert "?" in read and len(read) > 1, "some are read and some are not"


EQUAL = """\
format: 1
id: equal
name: Equal
players: {min: 2, max: 2}
pack: {standard: 3, only: [A, K]}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  pile: {}
  box: {seen by: none, faces: down}
flow:
  match:
    setup: |
      move first c in stock where c = AC to hand of P1
      SECOND
      for c in stock where c = KD do move c to pile end
      move first c in stock where c = KC to pile
      move bottom of pile to pile
    do: [go]
    winners: everyone
  go:
    kind: turn
    first: P1
    turns: 1
    actions: {draw: {effect: "EFFECT"}}
"""
ELSEWHERE = "move first c in stock where c = AC to hand of P2"
BESIDE = "move first c in stock where c = AC to hand of P1; turn up top of hand of P1"


@pytest.mark.parametrize(
    ("second", "effect", "outcomes"),
    [
        (ELSEWHERE, "move 1 at random from (hand of P1, hand of P2) to pile", {"AC@hand.P1", "AC@hand.P2"}),
        (ELSEWHERE, "move random of (hand of P1, hand of P2) to pile", {"AC@hand.P1", "AC@hand.P2"}),
        (BESIDE, "move 1 at random from hand of P1 to box", {"AC#1", "AC#2"}),
        (BESIDE, "move 1 at random from (hand of P1) to box", {"AC#1", "AC#2"}),
        (BESIDE, "move random of hand of P1 to box", {"AC#1", "AC#2"}),
        (ELSEWHERE, "move 1 at random from pile to box", {"KD#1", "KD#2", "KD#3", "KC"}),
        (ELSEWHERE, "move random of (pile, hand of P1) to box", {"KD#1", "KD#2", "KD#3", "KC", "AC"}),
    ],
)
def test_of_equal_cards_chance_draws_each_and_its_record_tells_them_apart(
    second: str, effect: str, outcomes: set[str], tmp_path: Path
) -> None:
    text = EQUAL.replace("SECOND", second).replace("EFFECT", effect)
    found: dict[str, str] = {}
    for _ in range(80):
        state = drawing(tmp_path, text)
        state.play(0, "draw")
        came = state.position.setup.chance
        (outcome,) = [word for at in ("draw", "random") for word in came.get(at, ())]
        lies = where_all_lie(state)
        assert where_all_lie(made_again(state)) == lies
        assert found.setdefault(outcome, lies) == lies
    assert set(found) == outcomes
    assert len(set(found.values())) == len(found), "something else has come about each time"


def where_all_lie(state: State) -> str:
    """The cards at all places by their numbers, and which lie face up or down."""
    s = state.position
    return str((s.z, s.up, s.down))


def test_a_shuffle_that_was_taken_back_is_drawn_anew_wherever_the_match_is_made_again() -> None:
    """What is left of it, no order at all, fixes nothing: else the next shuffle would leave the pack in its order."""
    game = interpreter.load("crazy-eights").game()
    free, fixed = (game.start(seed=3, chance=chance) for chance in ({}, {"shuffle": {"deal": []}}))
    assert fixed.zone("stock") == free.zone("stock")
    assert fixed.position.chance.get("shuffle deal", []) == []
