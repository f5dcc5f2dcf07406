"""Which cards are wild may be hidden: what is typed of melds does not tell it."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import IllegalMove
from interpreter.api.game import State
from interpreter.api.settled import Enforcement

RULES = """\
format: 1
id: wilds
name: Wilds
players: {{min: 2, max: 2}}
pack: {{standard: 1}}
options: {{goals: {{type: list of melds, default: [[run 3]]}}}}
melds:
  run: {{same: suit, consecutive: rank, size: 3.., wild: card.rank = secret}}
zones:
  stock: {{pack: true, seen by: none}}
  hand: {{each: player, seen by: owner}}
  shown: {{}}
state:
  score: {{each: player, type: integer, lasts: match}}
  secret: {{type: rank, lasts: match, seen by: {eyes}}}
flow:
  match:
    setup: |
      shuffle stock
      set secret to (top of stock).rank
      deal 5 from stock to hand
    do: [play]
  play:
    kind: turn
    first: P1
    actions:
      lay: {{choose: {{m: {{{chosen}, from: hand}}}}, effect: "{effect}"}}
      draw: {{effect: move 1 from stock to hand}}
"""
ONE = ("meld: run", "move m to shown")
SEVERAL = ("melds: run, count: 1..2", "for n in m do move n to shown end")
ASKED = ('melds: "item(1, goals)"', "for n in m do move n to shown end")
P1 = "9S 4C 5C 7D JD".split()
P2 = "2H 3H 8H KS AS".split()


def begun(folder: Path, eyes: str, how: tuple[str, str], enforcement: Enforcement = "strict") -> State:
    path = folder / "wilds.yaml"
    path.write_text(RULES.format(eyes=eyes, chosen=how[0], effect=how[1]))
    return (
        interpreter.load(path).game().start(seed=5, deck=[card for pair in zip(P1, P2, strict=True) for card in pair])
    )


def told(state: State, player: int, move: str) -> str:
    with pytest.raises(IllegalMove) as refused:
        state.copy().play(player, move)
    return str(refused.value)


@pytest.mark.parametrize("how", (ONE, SEVERAL, ASKED))
def test_what_is_typed_of_cards_that_lie_elsewhere_tells_nothing_of_what_is_wild(
    tmp_path: Path, how: tuple[str, str]
) -> None:
    state = begun(tmp_path, "dealer", how)
    assert [str(move) for move in state.legal_moves(0)] == ["lay 9S=3C 4C 5C", "lay 4C 5C 9S=6C", "draw"]
    told_by_rank = {told(state, 0, f"lay 5D {rank}C 7D").replace(rank, "R", 1) for rank in ("8", "9", "10")}
    assert told_by_rank == {"not_possible: 5D RC 7D cannot be chosen now"}
    own = told(state, 0, "lay 4C 7D JD")
    assert own.startswith("no_such_move: '4C 7D JD' is no"), "of one's own cards it is told"
    state.play(0, "lay 4C 9S 5C")


@pytest.mark.parametrize("how", (ONE, SEVERAL, ASKED))
def test_who_is_not_asked_is_told_nothing_of_melds(tmp_path: Path, how: tuple[str, str]) -> None:
    state = begun(tmp_path, "dealer", how)
    moves = ("lay 5D 9C 7D", "lay 5D 8C 7D", "lay 2H 3H 8H", "lay 2H 3H 4H")
    assert {told(state, 1, move) for move in moves} == {"in_turn: it is P1's turn"}


@pytest.mark.parametrize("how", (ONE, SEVERAL, ASKED))
def test_nor_is_who_may_be_early_on_honour(tmp_path: Path, how: tuple[str, str]) -> None:
    state = begun(tmp_path, "dealer", how, "honor")
    refused = {told(state, 1, f"lay 5D {rank}C 7D").replace(rank, "R", 1) for rank in ("8", "9", "10")}
    assert len(refused) == 1


def test_where_all_know_what_is_wild_it_is_told_what_is_no_meld(tmp_path: Path) -> None:
    state = begun(tmp_path, "everyone", ONE)
    assert told(state, 0, "lay 5D 8C 7D") == "no_such_move: '5D 8C 7D' is no meld of the kind run"
    assert told(state, 0, "lay 5D 9C 7D") == "not_possible: 5D 9C=6D 7D cannot be chosen now"


PLACES = """\
format: 1
id: places
name: Places
players: {min: 2, max: 2}
pack: {standard: 2, only: [J, Q], remove: [clubs, diamonds, hearts]}
zones:
  stock: {pack: true}
  front: {}
  rear: {}
  hand: {each: player, seen by: owner}
state:
  score: {each: player, type: integer, lasts: match}
  secret: {type: rank, lasts: match, seen by: current}
flow:
  match:
    setup: |
      shuffle stock
      set secret to (top of stock).rank
      move JS to front
      move QS to front
      move all from stock to rear
    do: [play]
  play:
    kind: turn
    first: P1
    actions:
      grab: {choose: {c: {from: "(front, rear)", where: c.rank != secret}}, effect: move c to hand}
"""


def test_who_is_not_asked_is_told_no_places(tmp_path: Path) -> None:
    path = tmp_path / "places.yaml"
    path.write_text(PLACES)
    state = interpreter.load(path).game().start(seed=1, deck=["QS"])
    assert told(state, 0, "grab JS") == "no_such_move: that can mean 'grab JS@front' or 'grab JS@rear'"
    assert {told(state, 1, f"grab {card}") for card in ("JS", "QS", "JS@front")} == {"in_turn: it is P1's turn"}


LAID = """\
format: 1
id: laid
name: Laid
players: {{min: 2, max: 2}}
pack: {{standard: 1}}
melds: {{run: {{same: suit, consecutive: rank, size: 3.., wild: card.rank = (top of closed).rank}}}}
zones:
  stock: {{pack: true, seen by: none}}
  closed: {{seen by: {eyes}}}
  hand: {{each: player, seen by: owner}}
  pile: {{}}
state: {{score: {{each: player, type: integer, lasts: match}}}}
flow:
  match: {{setup: shuffle stock; move 1 from stock to closed; deal 5 from stock to hand, do: [play]}}
  play:
    kind: turn
    first: P1
    actions:
      lay: {{choose: {{m: {{meld: run, from: hand}}}}, effect: move m to pile}}
      throw: {{choose: {{c: {{from: hand}}}}, effect: move c to pile}}
      lay_off: {{choose: {{c: {{from: hand, where: "extends(meld of pile, c)"}}}}, effect: move c to pile}}
"""


@pytest.mark.parametrize(("eyes", "told"), (("none", [None, None]), ("everyone", ["KS=6C 7C 8C 9C", None])))
def test_what_a_card_stands_for_that_was_laid_on_a_meld_is_shown_where_all_know_it(
    tmp_path: Path, eyes: str, told: list[str | None]
) -> None:
    path = tmp_path / "laid.yaml"
    path.write_text(LAID.format(eyes=eyes))
    deck = "KD 7C KS 8C QS 9C 2H 2S 3H 3S 4H".split()
    state = interpreter.load(path).game().start(seed=5, deck=deck)
    state.play(0, "lay 7C 8C 9C")
    found = []
    for card in ("KS", "QS"):
        after = state.copy()
        after.play(1, f"throw {card}")
        found.append(after.view(0)["zones"]["pile"].get("meld"))
    assert found == told


BESIDE = """\
format: 1
id: beside
name: Beside
players: {min: 2, max: 2}
pack: {standard: 2, only: [10, J, Q]}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  board: {}
state:
  score: {each: player, type: integer, lasts: match}
  low: {each: player, type: rank, lasts: match, seen by: owner}
melds: {set: {same: rank, size: 2.., wild: card.rank = low of P2}}
flow:
  match:
    setup: |
      shuffle stock
      for p in players do set low of p to (random of stock).rank end
      deal 6 from stock to hand
      move 8 from stock to board
    do: [main]
  main:
    kind: turn
    first: P1
    actions:
      lay: {choose: {c: {from: board}, m: {meld: set, from: hand without c}}, effect: add 1 to score}
"""


def test_a_meld_of_what_is_left_beside_a_card_is_read_whichever_equal_card_that_is(tmp_path: Path) -> None:
    path = tmp_path / "beside.yaml"
    path.write_text(BESIDE)
    game = interpreter.load(path).game()
    for seed in range(6):
        state = game.start(seed=seed)
        for move in state.legal_moves(0):
            assert state.parse(0, str(move)) == move
        if moves := state.legal_moves(0):
            state.play(0, moves[-1])
            assert interpreter.replay(state.record()).to_json() == state.to_json()
