"""People at one keyboard: a race that all see and act in, seats, and whose moves are whose."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console
from small import GRABS

import interpreter
from interpreter import State
from interpreter.engine.standing import kind_of_phase
from interpreter.interfaces.terminal.ending import Left
from interpreter.interfaces.terminal.keyboard import Keyboard
from interpreter.interfaces.terminal.match import Table
from interpreter.interfaces.terminal.menu import menu, understand
from interpreter.interfaces.terminal.screen import Screen
from interpreter.interfaces.terminal.suggestions import suggested
from interpreter.interfaces.terminal.together import alike, shared
from interpreter.players.random_bot import RandomBot
from interpreter.words.drawing import tops
from interpreter.words.voice import Voice

SECRET = """\
format: 1
id: secret
name: Secret
players: {min: 2, max: 2, default: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, heap: {seen by: everyone}}
flow:
  match: {do: [dealing, race]}
  dealing: {effect: "shuffle stock; deal 3 from stock to hand, one at a time; move 1 from stock to heap"}
  race:
    kind: race
    until: count of heap = 6
    actions: {throw: {choose: {which: {from: hand}}, effect: move which to heap}}
"""


OPEN = {
    "at": "racing",
    "pile": {"P1": {1: "2C", 2: "9H"}, "P2": {1: "7D"}},
    "centre": {"P1": "4C", "P2": "8D"},
    "up": ["2C", "9H", "7D"],
}


def play(state: State, typed: str, names: tuple[str, ...] = ("Anna", "Ben")) -> str:
    stream = io.StringIO()
    screen = Screen(Console(file=stream, width=100, highlight=False))
    people = (0, 1)
    bots = {p: RandomBot(p) for p in range(2, state.game.players)}
    table = Table(state, people, bots, screen, Keyboard(io.StringIO(typed)), RandomBot(9), str, names=names)
    try:
        table.run()
    except Left as left:
        stream.write(f"LEFT: {left}")
    return stream.getvalue()


def race_of_spit() -> State:
    state = interpreter.load("spit").game(2).start(seed=3)
    while kind_of_phase(state.position) != "race":
        state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
    return state


def test_two_in_a_race_see_the_table_and_whose_moves_are_whose() -> None:
    state = race_of_spit()
    shown = play(state, "")
    assert "Anna and Ben ---" in shown
    assert re.search(r"^  Anna's piles: first \S+   second \S+ \(2 cards\)   ", shown, re.MULTILINE)
    offered = shown.split("All at once!")[1]
    for player, name in enumerate(("Anna", "Ben")):
        part = offered.split(f"\n{name}\n")[1]
        first = state.legal_moves(player)[0]
        assert part.startswith(f"  {first.action}: ") and f"{name}'s first pile" in part.splitlines()[0]


@pytest.mark.parametrize("speaker", ["", "Ben "])
def test_a_number_in_a_race_is_the_move_of_the_one_to_whom_it_was_shown(speaker: str) -> None:
    state = race_of_spit()
    now = list(shared(state, (0, 1)).moves())
    number = next(at for at, (player, _) in enumerate(now, start=1) if player == 1)
    play(state, f"{speaker}{number}\n")
    _, player, text, _ = state.position.record_moves[-1]
    assert (player, text) == (1, now[number - 1][1].text)


def test_whose_numbers_are_which_is_told_to_whoever_types_another_s() -> None:
    state = race_of_spit()
    now = list(shared(state, (0, 1)).moves())
    own = [at for at, (player, _) in enumerate(now, start=1) if player == 0]
    made = len(state.position.record_moves)
    shown = play(state, f"Ben {own[0]}\nAnna 99\n")
    assert (own, len(now)) == ([1, 2, 3], 5)
    assert "Numbers 1 to 3 are Anna's, numbers 4 and 5 are yours." in shown
    assert "Numbers 1 to 3 are yours, numbers 4 and 5 are Ben's." in shown
    assert len(state.position.record_moves) == made


def test_words_that_only_one_of_them_can_mean_need_no_name() -> None:
    state = interpreter.load("spit").game(2).start(given=OPEN)
    shown = play(state, "9h on left\n7d\n")
    assert [(player, text) for _, player, text, _ in state.position.record_moves] == [(1, "play pile.P2.1 centre.P2")]
    assert "> 9h on left\nPlay one rank above or below 4.\n> 7d" in shown  # only Anna has it


def test_words_that_several_of_them_can_mean_are_nobody_s() -> None:
    both = {**OPEN, "pile": {"P1": {1: "7C", 2: "9H"}, "P2": {1: "7D"}}, "up": ["7C", "9H", "7D"]}
    state = interpreter.load("spit").game(2).start(given=both)
    shown = play(state, "7 on right\nplay right\nright\n")
    asked = "Anna and Ben can do that. Who is it? Or write who you are before your move, such as 'Ben play right'"
    assert asked in shown and not state.position.record_moves
    assert shown.count("Anna and Ben can do that") == 3


@pytest.mark.parametrize(
    ("typed", "made"),
    [
        ("7 right\nBen\n", [(1, "play pile.P2.1 centre.P2")]),
        ("7 right\nAnna\n", [(0, "play pile.P1.1 centre.P2")]),
        ("Ben 7d\nleft\n", [(1, "play pile.P2.1 centre.P1")]),
        ("7d\nBen right\n", [(1, "play pile.P2.1 centre.P2")]),  # nobody else has it
        ("Ben play\n7d\nleft\n", [(1, "play pile.P2.1 centre.P1")]),
        ("Ben 7d\nAnna 9h\n", [(0, "play pile.P1.2 centre.P2")]),  # what is asked need not be answered
        ("Ben 7d\nAnna left\n", [(0, "play pile.P1.1 centre.P1")]),  # nor by anybody else
        ("Ben 7d\nrules\nleft\n", []),
    ],
)
def test_whoever_is_asked_back_answers_with_the_rest(typed: str, made: list[tuple[int, str]]) -> None:
    """Which move, or whose: the next line need not say again what was typed."""
    both = {**OPEN, "pile": {"P1": {1: "7C", 2: "9H"}, "P2": {1: "7D"}}, "up": ["7C", "9H", "7D"]}
    both["centre"] = {"P1": "6C", "P2": "8D"}
    state = interpreter.load("spit").game(2).start(given=both)
    play(state, typed)
    assert [move[1:3] for move in state.position.record_moves] == made


def test_a_rank_that_is_no_number_of_a_move_is_the_card() -> None:
    anna, ben = ["KC", "QC", "KS", "QS", "KH"], ["10D", "6C", "6H", "5H", "5S"]
    one = {**OPEN, "centre": {"P1": "9D", "P2": "2D"}, "up": [*anna, *ben]}
    one["pile"] = {"P1": dict(enumerate(anna, 1)), "P2": dict(enumerate(ben, 1))}
    for typed in ("10", "Ben 10"):
        state = interpreter.load("spit").game(2).start(given=one)
        play(state, f"{typed}\n")
        assert [move[1:3] for move in state.position.record_moves] == [(1, "play pile.P2.1 centre.P1")]
    assert "Ada" not in play(interpreter.load("spit").game(2).start(given=one), "99\n")


def test_whose_a_card_is_that_somebody_else_plays_is_told() -> None:
    state = interpreter.load("spit").game(2).start(given=OPEN)
    shown = play(state, "Ben 2c\nAnna 7d\nAnna 4c\nAnna 5h\n")
    assert "You see no 5♥." in shown
    assert "2♣ lies on Anna's first pile." in shown and "7♦ lies on Ben's first pile." in shown
    assert "4♣ lies on the left spit pile." in shown and not state.position.record_moves


def test_a_refusal_is_about_one_s_own_places_where_no_other_is_named() -> None:
    full = {1: "9H", 2: "QC", 3: "QS", 4: "KH", 5: "2C"}
    given = {**OPEN, "pile": {"P1": full, "P2": {1: "7D"}}, "up": ["9H", "QC", "QS", "2C", "7D"]}
    state = interpreter.load("spit").game(2).start(given=given)
    shown = play(state, "Anna shift 9h first\nAnna shift 9h\nAnna shift 9h to Ben second\nAnna turn over Ben first\n")
    told = [line for line in shown.split("\n") if line.endswith(".") and "All" not in line][1:]
    assert told[:4] == ["A card is moved into an empty space.", "A card is moved into an empty space.",
                        "Use your own spaces.", "Turn up your own cards."]  # fmt: skip


def test_the_log_is_read_by_all_who_race() -> None:
    state = interpreter.load("spit").game(2).start(given=OPEN)
    assert "Anna plays 9♥" in play(state, "Anna 9h\nlog\n").split("> log")[1]


def test_an_action_that_is_over_is_not_what_another_is_about() -> None:
    given = {**OPEN, "at": "claiming", "pile": {"P1": {1: "2C"}}}
    state = interpreter.load("spit").game(2).start(given=given)
    shown = play(state, "Anna spit\n")
    assert "“spit” is nothing that can be done now, but “slap” is." in shown


def test_whoever_names_an_action_makes_no_move_of_another() -> None:
    alone = {**OPEN, "hand": {"P1": "3C"}, "borrower": "P1"}
    state = interpreter.load("spit").game(2).start(given=alone)
    shown = play(state, "Anna spit right\nAnna spit on the right spit pile\nAnna decline right\n")
    assert shown.count("waits until everybody is stuck") == 2 and not state.position.record_moves
    assert "card borrowed by Anna" in shown and "P1" not in shown


def test_of_actions_that_begin_alike_the_one_is_meant_that_is_offered() -> None:
    alone = {**OPEN, "hand": {"P1": "3C"}, "pile": {"P1": {1: "QC"}, "P2": {1: "QD"}}, "up": ["QC", "QD"]}
    state = interpreter.load("spit").game(2).start(given=alone)
    for player in (0, 1):
        state.play(player, "decline")
    shown = play(state, "Anna spit\nAnna spit right\n")
    assert "Which one: “spit on the left spit pile" in shown
    assert state.position.record_moves[-1][2] == "spit_on P2"


def test_a_queen_may_be_named_by_its_rank_though_q_leaves_the_match() -> None:
    one = {**OPEN, "centre": {"P1": "KC", "P2": "2D"}, "pile": {"P1": {1: "QC"}, "P2": {1: "7D"}}, "up": ["QC", "7D"]}
    state = interpreter.load("spit").game(2).start(given=one)
    play(state, "Anna Q\n")
    assert [move[1:3] for move in state.position.record_moves] == [(0, "play pile.P1.1 centre.P1")]
    assert "LEFT: you have left the match" in play(state, "q\n")


def test_a_card_that_somebody_spits_onto_the_pile_of_another_goes_to_nobody() -> None:
    alone = {**OPEN, "hand": {"P2": ["3C", "5C"]}, "pile": {"P1": {1: "QC"}, "P2": {1: "QD"}}, "up": ["QC", "QD"]}
    state = interpreter.load("spit").game(2).start(given=alone)
    for player in (0, 1):
        state.play(player, "decline")
    shown = play(state, "Ben spit\nleft\nAnna decline\nBen decline\nBen spit right\nAnna score\n")
    assert "You have chosen the other pile for the rest of the deal." in shown
    assert re.search(r"[35]♣ goes from Ben's spit cards to the left spit pile\.", shown) and "receives" not in shown
    assert "No points are kept" in shown


def test_whoever_does_again_what_is_done_once_is_told_so() -> None:
    state = interpreter.load("spit").game(2).start(given=OPEN)
    shown = play(state, "Anna decline\nAnna decline\n")
    assert "You have done that already: “decline” is not possible now." in shown


def test_what_nobody_can_hide_is_asked_of_all_at_once() -> None:
    state = interpreter.load("spit").game().start(seed=3)
    shown = play(state, "ready\n2\nAnna ready\nAnna spit\nBen spit\n")
    assert "Say that you are ready.\nWrite who you are and what you do" in shown and "pass to" not in shown
    assert "Anna and Ben can do that. Who is it? Or write who you are" in shown
    assert shown.count("Everybody gets 26 cards.") == 1
    assert "what you do, or the number of your move: 'Ben ...'" in shown  # where Ben alone is asked
    assert state.phase == "racing"


def test_the_help_of_a_race_shows_a_move_as_it_may_be_typed() -> None:
    state = interpreter.load("spit").game(2).start(given=OPEN)
    shown = play(state, "?\n")
    assert "the move of that number" in shown
    assert "play Anna's second pile on the right spit pile  a move in words" in shown


def test_what_one_of_them_holds_is_neither_shown_nor_listed(tmp_path) -> None:
    path = tmp_path / "secret.yaml"
    path.write_text(SECRET)
    state = interpreter.load(path).game().start(seed=1)
    shown = play(state, f"Ben throw {state.zone('hand', 1)[0]}\n")
    before = shown.split("> Ben throw")[0]
    assert "throw CARD" in before
    for player in (0, 1):
        for card in interpreter.load(path).game().start(seed=1).zone("hand", player):
            assert card.translate(str.maketrans("SHDC", "♠♥♦♣")) not in before and card not in before
    assert "Ben throws" in shown


def test_where_moves_are_about_numbers_nobody_is_offered_others(tmp_path) -> None:
    path = tmp_path / "grabs.yaml"
    path.write_text(GRABS)
    state = interpreter.load(path).game(3).start(seed=1)
    shown = play(state, "1\n")
    assert "the number of your move" not in shown and "Write who you are before your move" in shown


HELD = """\
format: 1
id: held
name: Held
players: {min: 2, max: 2, default: 2}
pack: {standard: 2}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, heap: {}}
state: {score: {each: player, type: integer, lasts: match}}
define: {hearts_held(p): {value: "count c in hand of p where c.suit = hearts", seen by: owner}}
flow:
  match: {do: [race], winners: highest score}
  race:
    kind: race
    prompt: {text: "lay a card, with {hearts_held} hearts in mind", else: lay a card}
    until: count of heap > 10
    actions:
      lay: {choose: {card: {from: hand}}, effect: move card to heap}
      brag: {when: any c in hand has c.rank = K, effect: add 1 to score}
      call: {choose: {r: {ranks: ranks, where: any c in hand has c.rank = r}}, effect: add 1 to score}
"""
"""What can be done tells what somebody holds."""


def test_what_one_of_them_holds_makes_no_difference_on_the_screen_of_both(tmp_path) -> None:
    path = tmp_path / "held.yaml"
    path.write_text(HELD)
    shown, completed = set(), set()
    for ben in ("KH QH 2C", "3C 4D 5S", "9H 9D 9H"):
        hands = {"P1": "7C 7D 8C", "P2": ben}
        state = (
            interpreter.load(path).game().start(given={"at": "race", "hand": hands, "heap": "9D 2S", "rest": "stock"})
        )
        people = shared(state, (0, 1))
        completed.add(
            str([suggested(people.whole, ("Anna", "Ben")).after(begun) for begun in ("", "lay ", "Ben lay ")])
        )
        shown.add(play(state, "Ben lay\nBen king\nlay KH\nlay 9D\n?\n1\nBen\n"))
    assert len(shown) == len(completed) == 1
    assert "Lay a card" in shown.pop() and "'lay'" in completed.pop()


@pytest.mark.parametrize(
    ("views", "common"),
    [
        ([{"a": 1, "b": 2}, {"a": 1, "b": 3}], {"a": 1, "b": None}),
        ([{"a": 1}, {"b": 1}], {}),
        ([{"cards": ["2C", None]}, {"cards": ["2C", "3C"]}], {"cards": ["2C", None]}),
        ([{"cards": []}, {"cards": [None]}], {"cards": []}),
    ],
)
def test_views_have_in_common_what_is_the_same_in_all(views, common) -> None:
    assert alike(views) == common


def test_people_may_be_named_where_moves_name_them() -> None:
    state = interpreter.load("georgia-spoons").game(3, enforcement="honor").start(seed=3)
    shown = play(state, "\nrazz ben\n", names=("Anna", "Ben", "Cleo"))
    assert "you may also: razz Ben, razz Cleo" in shown
    assert "You say that Ben has slipped." in shown


def test_a_pile_is_listed_with_the_card_on_top_and_meant_by_it():
    state = interpreter.load("spit").game().start(seed=7)
    while state.phase != "racing":
        player = state.actors[0]
        state.play(player, state.legal_moves(player)[0])
    lie, voice = tops(state.view(0)), Voice(state.position)
    player, offered = next((p, menu(state, p)) for p in (0, 1) if menu(state, p).listed[0].action == "play")
    _, source, target = offered.listed[0].text.split(" ")
    listed = [voice.choice(player, move.text.partition(" ")[2], lie) for move in offered.listed]
    shown = voice.reader(player).shown
    assert listed[0] == f"your first pile ({shown(lie[source])}) → the right spit pile ({shown(lie[target])})"
    for typed in (lie[source], f"play {lie[source].lower()}", f"{lie[source]} {lie[target]}"):
        assert understand(state, player, typed, offered, voice) == offered.listed[0].text


def test_whoever_is_to_sit_down_may_ask_for_help_first() -> None:
    state = interpreter.load("hearts").game(4).start(seed=3)
    shown = play(state, "?\n\n1\n")
    asked = shown.split("pass to Anna, press Enter")[1]
    assert asked.startswith("\n?\nOnly Anna should see what comes: Enter shows it, rules shows the rules, quit leaves.")
    assert "Pass three cards" in asked.split("Only Anna")[1]


def test_what_came_of_a_race_is_told_before_the_screen_is_handed_over_and_not_again(tmp_path) -> None:
    path = tmp_path / "secret.yaml"
    after = "  after: {kind: turn, actions: {drop: {choose: {which: {from: hand}}, effect: move which to heap}}}\n"
    path.write_text(SECRET.replace("[dealing, race]", "[dealing, race, after]").replace("= 6", "= 2") + after)
    state = interpreter.load(path).game().start(seed=1)
    card = state.zone("hand", 0)[0]
    shown = play(state, f"Anna throw {card}\n\ndrop {state.zone('hand', 0)[1]}\n\n")
    before, ana, ben = re.split("pass to Anna, press Enter|pass to Ben, press Enter", shown)
    assert "Anna throws" in before.split("> Anna throw")[1]
    assert "throw" not in ana and "throw" not in ben


def test_each_is_told_what_the_race_asks_just_now_and_piles_are_called_as_moves_call_them() -> None:
    given = {**OPEN, "hand": {"P1": "3C", "P2": "4D"}, "pile": {"P1": {1: "2C", 2: "9H"}, "P2": {1: "QD"}}}
    given["up"] = ["2C", "9H", "QD"]
    shown = play(interpreter.load("spit").game(2).start(given=given), "")
    assert "left spit pile: 4♣" in shown and "right spit pile: 8♦" in shown
    assert "Anna: play your cards onto the piles in the middle" in shown
    assert "Ben: wait for a card that others play" in shown
