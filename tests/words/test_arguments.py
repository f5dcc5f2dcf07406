"""What is told of a move puts each thing that was chosen where its own name stands, and nothing where it does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_narrative import asked, told

import interpreter
from interpreter.api.game import State

RULES = """\
format: 1
id: words
name: Words
players: {min: 2, max: 2}
pack: PACK
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  heap: {}
state:
  score: {each: player, type: integer, lasts: match}
ROWS
flow:
  match: {do: [naming], winners: highest score}
  naming:
    kind: turn
    actions:
      ACTIONS
"""


def start(
    path: Path, actions: str, hand: str = "AH KS 6C", pack: str = "{standard: 1}", rows: str = "", other: str = ""
) -> State:
    file = path / "words.yaml"
    file.write_text(RULES.replace("PACK", pack).replace("ROWS", rows).replace("ACTIONS", actions))
    given = {"at": "naming", "current": "P1", "hand": {"P1": hand, "P2": other}}
    return interpreter.load(file).game().start(given=given)


def read(state: State, move: str, viewer: int = 0) -> str:
    before = len(state.log or [])
    state.play(0, move)
    return told(state, viewer, (state.log or [])[before:])[0]


CALL = """call:
        tell: {text: "{actor} {verb: name} {suit} and {verb: announce} {word}", else: "{actor} {verb: name} {suit}"}
        choose: {suit: {suits: all}, word: {choice: [big, small], optional: true}}
        effect: if word = big and suit = hearts then add 1 to score end"""
NAMED = """call:
        tell: "{actor} {verb: name} {rank} and {suit}"
        choose: {suit: {suits: all}, rank: {ranks: all}}
        effect: if rank = 8 and suit = hearts then add 1 to score end"""
ADDED = """lay:
        tell: "{actor} {verb: put} down {card} for {whom}"
        choose: {card: {from: hand}, whom: {players: others}}
        effect: move card to heap; add 1 to score of whom"""
GUESS = """lay:
        row: card
        tell: {text: "{actor} {verb: play} {cards} at {whom} and {verb: guess} {guess}", else: [
          "{actor} {verb: play} {cards} at {whom}", "{actor} {verb: play} {cards}"]}
        choose: {card: {from: hand}}
        effect: move card to heap"""
ROWS = """
cards:
  guard:
    choose: {whom: {players: others, optional: true}, guess: {kinds: all c in pack, optional: whom = none}}
    effect: if whom != none then add 1 to score of whom end
  prince: {choose: {whom: {players: others}}, effect: add 1 to score of whom}
  6: {choose: {rank: {ranks: all}}, effect: if rank = 8 then add 1 to score end}
"""
PRINCES = "{standard: 0, add: {guard: 8, prince: 4, princess: 4}}"


@pytest.mark.parametrize(
    ("actions", "move", "sentence"),
    [
        pytest.param(CALL, "call hearts small", "You name hearts and announce small.", id="each word has its own name"),
        pytest.param(CALL, "call hearts none", "You name hearts.", id="one of them is none"),
        pytest.param(NAMED, "call hearts 8", "You name 8 and hearts.", id="a rank that is a number"),
        pytest.param(NAMED, "call hearts K", "You name K and hearts.", id="a rank and a suit"),
    ],
)
def test_a_slot_takes_what_was_chosen_under_its_name(tmp_path: Path, actions: str, move: str, sentence: str):
    assert read(start(tmp_path, actions), move) == sentence


@pytest.mark.parametrize(
    ("card", "move", "sentence"),
    [
        pytest.param("guard", "lay guard P2 prince", "You play a guard at Ben and guess a prince.", id="both"),
        pytest.param("guard", "lay guard none none", "You play a guard.", id="none of them"),
        pytest.param("prince", "lay prince P2", "You play a prince at Ben.", id="only one, which another row has too"),
        pytest.param("princess", "lay princess", "You play a princess.", id="a card without a row"),
    ],
)
def test_what_the_row_of_a_card_lets_choose_fills_the_slots_of_its_names(
    tmp_path: Path, card: str, move: str, sentence: str
):
    rows = ROWS.partition("  6:")[0]
    assert read(start(tmp_path, GUESS, hand=card, pack=PRINCES, rows=rows), move) == sentence


def test_a_card_without_a_rank_is_told_as_a_card_of_the_pack_is(tmp_path: Path):
    state = start(tmp_path, ADDED, hand="guard", pack=PRINCES)
    assert read(state, "lay guard P2") == "You put down a guard for Ben."
    assert read(start(tmp_path, ADDED, hand="AH"), "lay AH P2") == "You put down A♥ for Ben."


def test_a_rank_that_the_row_of_a_card_asks_for_is_no_card_even_if_it_is_a_number(tmp_path: Path):
    lay = "lay: {row: card, choose: {card: {from: hand}}, effect: move card to heap}"
    state = start(tmp_path, lay, rows="\ncards:" + ROWS.partition("score of whom}")[2])
    assert read(state, "lay 6C 8", viewer=1) == "Anna lays 6♣, choosing 8."


OWN_WORDS = """
cards:
  guard:
    choose: {whom: {players: others, optional: true}, guess: {kinds: all c in pack, optional: whom = none}}
    tell: {text: "{actor} {verb: suspect} {whom} of {guess}", else: "{actor} {verb: waste} {card}"}
    effect: if whom != none then add 1 to score of whom end
  prince: {choose: {whom: {players: others}}, tell: "{actor} {verb: strip} {whom}", effect: add 1 to score of whom}
"""
LAID = """lay:
        row: card
        tell: "{actor} {verb: play} {cards}"
        choose: {card: {from: hand}}
        effect: move card to heap"""


@pytest.mark.parametrize(
    ("card", "move", "sentence"),
    [
        pytest.param("guard", "lay guard P2 prince", "Anna suspects you of a prince.", id="all that it names"),
        pytest.param("guard", "lay guard none none", "Anna wastes a guard.", id="another text where there is nothing"),
        pytest.param("prince", "lay prince P2", "Anna strips you.", id="another row"),
        pytest.param("princess", "lay princess", "Anna plays the princess.", id="no row: as the action is told"),
    ],
)
def test_a_row_of_a_card_tells_of_a_move_in_words_of_its_own(tmp_path: Path, card: str, move: str, sentence: str):
    pack = "{standard: 0, add: {guard: 8, prince: 4, princess: 1}}"
    assert read(start(tmp_path, LAID, hand=card, pack=pack, rows=OWN_WORDS), move, viewer=1) == sentence


TWO_STAGES = """give:
        tell: "{actor} {verb: push} {cards} over"
        choose: {card: {from: hand}}
        effect: move card to heap; call second
      rest: {effect: nothing}
  second:
    kind: ask
    players: P2
    actions:
      give: {tell: "{actor} {verb: toss} {cards} in", choose: {card: {from: hand}}, effect: move card to heap}
      rest: {tell: "{actor} {verb: sleep}"}"""


@pytest.mark.parametrize("second", ["give", "rest"])
def test_actions_of_one_name_are_told_each_in_its_own_words(tmp_path: Path, second: str):
    state = start(tmp_path, TWO_STAGES, other="QC")
    assert read(state, "give AH") == "You push A♥ over."
    before = len(state.log or [])
    state.play(1, "give QC" if second == "give" else "rest")
    said = told(state, 0, (state.log or [])[before:])[0]
    assert said == ("Ben tosses Q♣ in." if second == "give" else "Ben sleeps.")
    assert interpreter.load(tmp_path / "words.yaml").game().restore(state.to_json()).log == state.log


HEAPED = """play:
        choose: {rank: {ranks: all}, n: {number: 1..2}}
        effect: "move first n c in hand where c.rank = rank or c is JD to heap"
      lay: {row: card, choose: {card: {from: hand}}, effect: move card to heap}"""


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        pytest.param("play 6 1", "Anna plays 6♣.", id="a rank and a number that the cards show"),
        pytest.param("play 6 2", "Anna plays 6♣ and J♦.", id="several cards"),
        pytest.param("play A 1", "Anna plays J♦, choosing A.", id="a rank that no card shows"),
        pytest.param("lay 6C 8", "Anna lays 6♣, choosing 8.", id="what is chosen besides"),
        pytest.param("lay 6C 6", "Anna lays 6♣, choosing 6.", id="besides, and the same"),
    ],
)
def test_what_is_chosen_is_told_unless_the_cards_show_it(tmp_path: Path, move: str, sentence: str):
    state = start(tmp_path, HEAPED, hand="JD 6C", rows="\ncards:" + ROWS.partition("score of whom}")[2])
    assert read(state, move, viewer=1) == sentence


KINDS = """
melds:
  pair: {same: rank, size: 2}
  run: {consecutive: rank, size: 3..}
"""
MELDS = """play_card: {choose: {card: {from: hand}}, effect: move card to heap}
      play:
        choose: {m: {meld: [pair, run], from: hand}, r: {ranks: all, optional: true}}
        effect: if r != K then move m to heap end
      pass: {}"""


@pytest.mark.parametrize(
    ("actions", "question"),
    [
        pytest.param(MELDS, "Play a card, a pair or a run, or pass.", id="a card or a meld"),
        pytest.param(MELDS.partition("play:")[0], "Play a card.", id="a card"),
        pytest.param("play:" + MELDS.partition("play:")[2], "Play a pair or a run, or pass.", id="a meld"),
    ],
)
def test_a_question_says_which_melds_can_be_played(tmp_path: Path, actions: str, question: str):
    assert asked(start(tmp_path, actions, hand="6C 6D KS", rows=KINDS), 0) == question
