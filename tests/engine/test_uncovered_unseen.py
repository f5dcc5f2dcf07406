"""Of a pile whose top only some see, they alone know whether another card has come to light: no way back tells it."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

import interpreter
from interpreter.engine.taking_back import revealed
from interpreter.engine.whence import SOME
from interpreter.words.voice import Voice

RULES = """\
format: 1
id: uncovered
name: Uncovered
players: {min: 3, max: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  stack: {each: player, seen by: SEEN, shows: top}
  loot: {each: player, seen by: none}
flow:
  match: {do: [deal], winners: everyone, first dealer: P2}
  deal: {setup: shuffle stock; deal 3 from stock to stack, do: [main]}
  main:
    kind: turn
    first: P3
    turns: 9
    actions:
      steal: {effect: move 1 at random from stack of P1 to loot of actor}
      peek: {choose: {card: {from: stack, seen by: actor}}, effect: show card to actor}
      mix: {effect: shuffle stack of P1}
      change: {effect: "swap stack of P1, stack of P3"}
      wait: {}
"""
GIVEN = {"at": "main", "current": "P3", "stack": {"P1": "KC QC JC", "P2": "2D", "P3": "3D 4D 5D"}, "rest": "stock"}


def answers(
    folder: Path, text: str, seen: str = "owner", chance: dict[str, object] | None = None
) -> tuple[list[int], str, object]:
    """Who is told to have seen cards by a move, whether it is taken back, and what somebody else reads of it."""
    path = folder / "uncovered.yaml"
    path.write_text(RULES.replace("SEEN", seen), encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1, given=GIVEN, chance=chance)
    state.play(2, text)
    log = state.view(1)["log"]
    try:
        state.copy().undo(seed=5)
    except ValueError as error:
        return revealed(state.position, 0), str(error), log
    return revealed(state.position, 0), "", log


def test_a_card_drawn_from_a_covered_pile_is_the_top_or_not_and_nobody_is_told(tmp_path: Path) -> None:
    found = [answers(tmp_path, "steal", chance={"draw": [card]}) for card in ("KC", "QC", "JC")]
    assert found[0] == found[1] == found[2] and found[0][0] == [SOME] and found[0][1]


def test_nor_whether_a_card_that_is_chosen_in_secret_was_the_top(tmp_path: Path) -> None:
    found = [answers(tmp_path, text) for text in ("peek 3D", "peek 2", "peek 3")]
    assert found[0] == found[1] == found[2] and SOME in found[0][0]


def test_nor_whether_shuffling_brought_another_to_light(tmp_path: Path) -> None:
    orders: list[dict[str, object]] = [{"shuffle": {"main": [*order]}} for order in permutations(["KC", "QC", "JC"])]
    found = [answers(tmp_path, "mix", chance=chance) for chance in orders]
    assert all(one == found[0] for one in found) and found[0][0] == [SOME] and found[0][1]
    assert answers(tmp_path, "change")[0] == [SOME]


@pytest.mark.parametrize("card", ["KC", "QC", "JC"])
def test_where_all_see_the_top_it_is_told_who_has_seen_what(card: str, tmp_path: Path) -> None:
    assert SOME not in answers(tmp_path, "steal", seen="everyone", chance={"draw": [card]})[0]


SWAP = """\
format: 1
id: swap
name: Swap
players: {min: 3, max: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  kitty: {seen by: SEEN}
  hand: {each: player, seen by: owner}
flow:
  match: {setup: shuffle stock; deal 3 from stock to hand; move 3 from stock to kitty, do: [main], winners: everyone}
  main:
    kind: turn
    first: P1
    turns: 30
    actions:
      exchange:
        choose: {card: {from: hand}}
        effect: move card to kitty; move 1 at random from kitty to hand
      wait: {}
"""


@pytest.mark.parametrize("seen", ["none", "P2", "P1"])
def test_who_draws_may_have_got_back_what_they_gave_and_nobody_is_told(seen: str, tmp_path: Path) -> None:
    path = tmp_path / "swap.yaml"
    path.write_text(SWAP.replace("SEEN", seen), encoding="utf-8")
    found = set()
    for card in ("QC", "9D", "10D"):
        given = {"at": "main", "current": "P1", "kitty": "9D 10D JD", "hand": {"P1": "KC QC JC"}, "rest": "stock"}
        state = interpreter.load(path).game().start(seed=1, given=given, chance={"draw": [card]})
        state.play(0, "exchange QC")
        try:
            state.copy().undo(seed=5)
            told = "undone"
        except ValueError as error:
            told = str(error)
        found.add((tuple(revealed(state.position, 0)), told))
    assert len(found) == 1


def test_who_watches_reads_the_same_whoever_sees_the_card_that_goes(tmp_path: Path) -> None:
    path = tmp_path / "uncovered.yaml"
    path.write_text(RULES.replace("SEEN", "owner"), encoding="utf-8")
    read = []
    for card in ("KC", "QC", "JC"):
        state = interpreter.load(path).game().start(seed=1, given=GIVEN, chance={"draw": [card]})
        state.play(2, "steal")
        voice = Voice(state.position, ["Ann", "Ben", "Cleo"])
        read.append([line.text for line in voice.told_to_all(range(3), state.log or [])])
    assert read[0] == read[1] == read[2] and read[0][-1] == "Cleo steals a card."


HINT = """\
format: 1
id: hint
name: Hint
players: {min: 3, max: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
flow:
  match: {setup: shuffle stock; deal 3 from stock to hand, do: [main], winners: everyone}
  main:
    kind: turn
    first: P1
    turns: 30
    actions:
      show: {choose: {card: {from: hand}}, effect: show top of hand to left of actor}
      lead: {choose: {card: {from: hand, seen by: everyone}}, effect: show card to everyone}
"""


def test_whether_somebody_chose_the_card_that_was_shown_is_told_by_no_way_back(tmp_path: Path) -> None:
    path = tmp_path / "hint.yaml"
    path.write_text(HINT, encoding="utf-8")

    def back(text: str) -> str:
        given = {"at": "main", "current": "P1", "hand": {"P1": "KC QC JC"}, "rest": "stock"}
        state = interpreter.load(path).game().start(seed=1, given=given)
        state.play(0, text)
        try:
            state.undo(seed=5)
        except ValueError as error:
            return str(error)
        return ""

    assert len({back(f"show {card}") for card in ("KC", "QC", "JC")}) == 1
    assert not back("lead KC")  # which all can see
