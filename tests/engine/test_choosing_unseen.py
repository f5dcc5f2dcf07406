"""Who chooses cards calls them by no name, place or order that tells what lies hidden."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.api.game import State

BASE = """\
format: 1
id: unseen
name: Unseen
players: {{min: 3, max: 3}}
pack: {{standard: {packs}}}
zones:
  stock: {{pack: true, seen by: none}}
  hand: {{each: player, seen by: owner{counted}}}
  pile: {{each: player}}
  bag: {{seen by: none{hidden}}}
  market: {{}}
state:
  score: {{each: player, type: integer, lasts: match}}
  prize: {{type: card, optional: true, lasts: match}}
  prizes: {{type: cards, lasts: match}}
  mine: {{each: player, type: cards, lasts: match, seen by: owner}}
flow:
  match:
    first dealer: P1
    setup: shuffle stock; deal 6 from stock to hand; move 3 from stock to bag; move 2 from stock to market; {setup}
    do: [play]
  play:
    kind: turn
    turns: 20 each
    actions:
      pass_on: {{choose: {{c: {{from: market}}}}, effect: call give with k = c; call offered with cs = market}}
{actions}
  give:
    kind: ask
    with: {{k: card}}
    players: left of current
    actions:
      accept: {{effect: move k to hand}}
  offered:
    with: {{cs: cards}}
    effect: move cs to bag
"""


def ruleset(
    folder: Path, *actions: str, setup: str = "stay", packs: int = 1, counted: str = "", hidden: str = ""
) -> Path:
    path = folder / "unseen.yaml"
    lines = "\n".join(f"      {action}" for action in actions)
    path.write_text(
        BASE.format(actions=lines, setup=setup, packs=packs, counted=counted, hidden=hidden), encoding="utf-8"
    )
    return path


def started(folder: Path, *actions: str, **given: Any) -> State:
    return interpreter.load(ruleset(folder, *actions, **given)).game().start(seed=1)


def offers(state: State, name: str) -> set[str]:
    moves = state.legal_moves(state.actors[0])
    return {str(move).partition(" ")[2] for move in moves if str(move).startswith(f"{name} ")}


STEAL = "steal: {choose: {card: {from: bag}}, effect: move card to hand}"
TAKE = "take: {choose: {card: {from: market}}, effect: move card to hand}"


def test_cards_that_lie_face_down_are_called_by_position_wherever_they_came_by_a_swap(tmp_path: Path) -> None:
    down = "for p in players do move 2 from stock to pile of p face down end"
    state = started(tmp_path, "exchange: {effect: 'swap market, pile'}", TAKE, setup=down)
    assert not offers(state, "take") & {"1", "2"}
    state.play(state.actors[0], "exchange")
    assert offers(state, "take") == {"1", "2"}
    state.play(state.actors[0], "take 1")
    read = state.view(2)["log"]
    assert any("take 1" in line for line in read) and "1 card market -> hand P2" in read[-1]


def test_a_card_that_lay_face_down_is_taken_up_where_it_comes_to_a_hand_by_a_swap(tmp_path: Path) -> None:
    down = "for p in players do move 2 from stock to pile of p face down end"
    state = started(tmp_path, "exchange: {effect: 'swap hand, pile'}", setup=down)
    player = state.actors[0]
    state.play(player, "exchange")
    hand = state.view(player)["zones"]["hand"][f"P{player + 1}"]["cards"]
    assert len(hand) == 2 and None not in hand


def test_a_pile_that_is_turned_over_hides_its_cards_whatever_another_action_takes(tmp_path: Path) -> None:
    actions = ("all_: {effect: move all from market to hand}", TAKE)
    for given in (actions, actions[::-1]):
        assert offers(started(tmp_path, *given, setup="flip market"), "take") == {"1", "2"}


@pytest.mark.parametrize(
    "domain",
    ["prize", "prizes", "(prize, hand)", "prizes without hand", "all c in pack where c in prizes",
     "all c in pack where c = prize", "top 1 of prizes", "if score = 0 then prizes else hand", "mine of P2",
     "pack without prizes", "all c in (5S, 6H, 8H, QS) where c in prizes"],
)  # fmt: skip
def test_cards_of_which_something_speaks_that_lie_unseen_are_not_to_choose_from(tmp_path: Path, domain: str) -> None:
    secretly = "set prize to top of bag; set prizes to bag; add bag to mine of P2"
    path = ruleset(tmp_path, f"take: {{choose: {{c: {{from: '{domain}'}}}}, effect: stay}}", setup=secretly)
    faults = [fault for fault in interpreter.validate(path) if fault.severity == "error"]
    assert [fault.code for fault in faults] == ["E505"]
    assert "may not see the cards of" in faults[0].message


@pytest.mark.parametrize(
    "setup",
    ["set prize to top of market", "turn up top of bag; set prize to top of bag",
     "for c in market do set prize to c end", "set prize to QS", "let x be top of market; set prize to x",
     "show top of bag to everyone; set prize to top of bag",
     "let x be top of bag; move x to market; shuffle bag; set prize to x",
     "for c in top 2 of bag do turn up c; move c to bag; set prize to c end",
     "for c in top 2 of bag do move c to market; call give with k = c; call offered with cs = c end"],
)  # fmt: skip
def test_cards_that_everybody_has_seen_or_that_are_named_may_be_chosen(tmp_path: Path, setup: str) -> None:
    path = ruleset(tmp_path, "take: {choose: {c: {from: prize}}, effect: stay}", setup=setup)
    assert not [fault for fault in interpreter.validate(path) if fault.severity == "error"]


@pytest.mark.parametrize("form", ["from: pack, where: c in prizes", "kinds: prizes", "from: pack, where: c in bag"])
def test_nor_by_a_condition_or_by_their_names(tmp_path: Path, form: str) -> None:
    path = ruleset(tmp_path, f"take: {{choose: {{c: {{{form}}}}}, effect: stay}}", setup="set prizes to bag")
    assert [fault.code for fault in interpreter.validate(path) if fault.severity == "error"] == ["E505"]


def test_whether_a_card_was_turned_up_is_not_told_by_words_alone(tmp_path: Path) -> None:
    for setup in (
        "turn up random of bag; set prize to random of bag",
        "set dealer to P1; turn up top of hand of dealer; set dealer to P3; set prize to top of hand of dealer",
        "show top of bag to P1; set prize to top of bag",
        "let x be top of bag; move x to market face down; set prize to x",
        "let x be top of bag; move x to hand of P1; set prize to x",
        "move top of bag to market; set prize to top of bag",
        "show top of bag to everyone; shuffle bag; set prize to top of bag",
    ):
        path = ruleset(tmp_path, "take: {choose: {c: {from: prize}}, effect: stay}", setup=setup)
        assert [fault.code for fault in interpreter.validate(path) if fault.severity == "error"] == ["E505"]


def test_a_card_of_the_own_hand_is_not_told_to_others_however_it_is_said_that_it_lies_there(tmp_path: Path) -> None:
    state = started(tmp_path, "hide: {choose: {c: {from: pack, where: c in hand of actor}}, effect: move c to bag}")
    player = state.actors[0]
    state.play(player, state.legal_moves(player)[-1])
    assert any(line.endswith("hide ?") for line in state.view((player + 1) % 3)["log"])


@pytest.mark.parametrize("own", ["mine", "own(actor)", "ours of team of actor", "of_side(team of actor)"])
def test_what_a_player_is_to_see_of_a_variable_may_be_chosen(tmp_path: Path, own: str) -> None:
    path = side_by_side(tmp_path, own)
    assert not [fault for fault in interpreter.validate(path) if fault.severity == "error"]


@pytest.mark.parametrize(
    "other", ["own(P2)", "own(left of actor)", "ours of team of P2", "of_side(team of left of actor)"]
)
def test_but_not_what_another_is_to_see(tmp_path: Path, other: str) -> None:
    faults = interpreter.validate(side_by_side(tmp_path, other))
    assert [fault.code for fault in faults if fault.severity == "error"] == ["E505"]


def side_by_side(folder: Path, domain: str) -> Path:
    """A ruleset of two sides, in which cards are chosen that somebody has marked."""
    setup = "add bottom of bag to mine of P2; add bottom of bag to ours of team of P1"
    path = ruleset(folder, f"take: {{choose: {{c: {{from: '{domain}'}}}}, effect: stay}}", setup=setup)
    text = path.read_text("utf-8").replace("min: 3, max: 3", "min: 4, max: 4")
    text = text.replace("zones:", "teams: {size: 2, seated: across}\nzones:")
    text = text.replace(
        "flow:",
        "  ours: {each: team, type: cards, lasts: match, seen by: owner}\n"
        "define: {own(p): mine of p, of_side(side): ours of side}\nflow:",
    )
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    "domain",
    ["(QS, bag)", "all c in pack where c.rank = A or c in bag",
     "all c in pack where not (c.rank != A and c not in bag)",
     "all c in pack where c.rank = A and count of bag > 0"],
)  # fmt: skip
def test_cards_that_are_named_and_such_that_lie_unseen_are_not_chosen_from_one_set(tmp_path: Path, domain: str) -> None:
    path = ruleset(tmp_path, f"take: {{choose: {{c: {{from: '{domain}'}}}}, effect: stay}}")
    faults = [fault for fault in interpreter.validate(path) if fault.severity == "error"]
    assert [fault.code for fault in faults] == ["E505"]
    assert "where they lie would tell which is which" in faults[0].message


def test_a_card_of_several_packs_that_is_named_tells_not_where_a_hidden_one_lies(tmp_path: Path) -> None:
    state = started(tmp_path, "wish: {choose: {card: {from: pack}}, effect: set prize to card}", packs=2)
    player = state.actors[0]
    hand = state.view(player)["zones"]["hand"][f"P{player + 1}"]["cards"]
    market = state.view(player)["zones"]["market"]["cards"]
    places = {offer.partition("@")[2] for offer in offers(state, "wish")} - {""}
    assert places == {f"hand.P{player + 1}", "market"}
    seen = {offer.partition("@")[0] for offer in offers(state, "wish") if "@" in offer}
    assert seen == {*hand, *market}
    unseen = next(card for card in hand if hand.count(card) + market.count(card) == 1)
    state.play(player, f"wish {unseen}")  # the other copy: where it lies is nobody's business
    assert state.value("prize") == unseen


@pytest.mark.parametrize(
    "effect",
    ["set prizes to hand; move prizes to bag", "set prizes to x; move prizes to bag", "call offered with cs = x",
     "set prizes to x; for c in prizes do move c to bag end",
     "add hand to prizes; for c in prizes do move c to bag end",
     "call offered with cs = hand", "set mine to all c in hand where c.rank > 2; move mine to bag"],
)  # fmt: skip
def test_cards_kept_in_a_variable_or_given_to_a_stage_lie_as_they_lay_and_not_by_rank(
    tmp_path: Path, effect: str
) -> None:
    path = ruleset(
        tmp_path,
        f"put: {{choose: {{x: {{from: hand, count: 5}}}}, effect: '{effect}'}}",
        STEAL,
        setup="move all from bag to market",
    )
    game, lowest_first = interpreter.load(path).game(), 0
    for seed in range(8):
        state = game.start(seed=seed)
        player = state.actors[0]
        state.play(player, next(move for move in state.legal_moves(player) if str(move).startswith("put")))
        laid = [game.program.by_name[card] for card in state.zone("bag")]
        lowest_first += laid in (sorted(laid), sorted(laid, reverse=True))
    assert lowest_first < 4


@pytest.mark.parametrize("effect", ["swap hand, bag", "flip bag", "shuffle bag", "gather bag to hand"])
def test_what_is_done_where_nobody_counts_is_told_to_nobody_else(tmp_path: Path, effect: str) -> None:
    state = started(
        tmp_path,
        "hide: {choose: {how: {choice: [a, b], seen by: actor}}, effect: 'if how = a then " + effect + " end'}",
        counted=", count seen by: owner",
        hidden=", count seen by: none",
    )
    player = state.actors[0]
    state.play(player, "hide a")
    others = [state.view(other)["log"] for other in range(3) if other != player]
    assert all(
        not any(word in line for word in ("swap", "flip", "shuffle: bag", "gather")) for log in others for line in log
    )


def test_a_refusal_in_a_race_names_all_who_take_part_whoever_can_move(tmp_path: Path) -> None:
    path = tmp_path / "race.yaml"
    path.write_text(
        "format: 1\nid: race\nname: Race\nplayers: {only: [3]}\npack: {standard: 1}\n"
        "zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, heap: {}}\n"
        "flow:\n  match: {setup: shuffle stock; deal 2 from stock to hand; move 1 from stock to heap, do: [racing]}\n"
        "  racing:\n    kind: race\n    players: all p in everyone where p != P3\n    until: count of heap > 40\n"
        "    actions:\n      lay:\n        choose: {c: {from: hand}}\n"
        "        must: {fits: c.suit = (top of heap).suit}\n        effect: move c to heap\n",
        encoding="utf-8",
    )
    told = set()
    for seed in range(12):
        state = interpreter.load(path).game().start(seed=seed)
        if state.actors:
            with pytest.raises(interpreter.IllegalMove) as refused:
                state.play(2, "lay 2C")
            told.add((len(state.actors), str(refused.value)))
    assert len({count for count, _ in told}) == 2 and len({text for _, text in told}) == 1
