"""The sentences that a ruleset gives: what their slots become for each reader, and what stands for what is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_narrative import NAMES, asked, told

import interpreter
from interpreter.api.game import State
from interpreter.words.voice import Voice

RULES = """\
format: 1
id: gestures
name: Gestures
players: {min: 3, max: 3, default: 3}
pack: {standard: 1}
ranks: [2..10, J, Q, K, A]
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
state:
  winks: {each: player, type: integer, lasts: deal}
  secret: {each: player, type: suit, optional: true, lasts: deal, seen by: owner}
define: {neighbour(p): left of p}
flow:
  match: {do: [deal, last]}
  deal:
    first dealer: P1
    setup: shuffle stock; deal 3 from stock to hand, one at a time
    repeat: turns
    until: number of turns = 2
    next dealer: left
  turns:
    kind: turn
    first: left of dealer
    turns: 2 each
    prompt: {text: "trade for {secret} with {neighbour}", else: "trade {n cards} with {neighbour}"}
    actions:
      trade:
        choose: {cards: {from: hand, count: 2}}
        tell: "{actor} {verb: push} {cards} over to {receiver} across {actor's} hat"
        effect: move cards to hand of left of actor
      whisper:
        choose: {s: {suits: all, seen by: actor}}
        tell: {text: "{actor} {verb: whisper} {s}", else: "{actor} {verb: be} thinking of a suit"}
        effect: set secret of actor to s
      wink: {quiet: true, tell: "{actor} {verb: wink}", effect: add 1 to winks of actor}
      knock: {choose: {whose: {players: everyone}}, tell: "{actor} {verb: knock} on {hand of whose}", effect: stay}
      from_stock: {effect: move 1 from stock to hand}
  last: {kind: ask, players: P1, actions: {stop: {}}}
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> interpreter.Game:
    path: Path = tmp_path_factory.mktemp("gestures") / "gestures.yaml"
    path.write_text(RULES)
    return interpreter.load(path).game()


def start(game: interpreter.Game) -> State:
    return game.start(given={"at": "turns", "dealer": "P1", "current": "P2", "hand": {
        "P1": "2C 3C", "P2": "4C 5D", "P3": "6C 7C"}})  # fmt: skip


def read(state: State, before: int) -> list[list[str]]:
    return [told(state, viewer, (state.log or [])[before:]) for viewer in range(3)]


def test_slots_agree_with_whoever_reads_and_cards_are_told_to_whom_they_are_shown(game: interpreter.Game):
    state = start(game)
    before = len(state.log or [])
    state.play(1, "trade 4C 5D")
    assert read(state, before) == [
        ["Ben pushes two cards over to Cleo across Ben's hat."],
        ["You push 4♣ and 5♦ over to Cleo across your hat."],
        ["Ben pushes 4♣ and 5♦ over to you across Ben's hat."],
    ]


def test_another_text_stands_for_what_a_reader_may_not_know(game: interpreter.Game):
    state = start(game)
    before = len(state.log or [])
    state.play(1, "whisper hearts")
    assert read(state, before) == [
        ["Ben is thinking of a suit."], ["You whisper hearts."], ["Ben is thinking of a suit."],
    ]  # fmt: skip


def test_a_prompt_says_to_whom_it_is_asked_where_others_sit_and_what_they_alone_know(game: interpreter.Game):
    state = start(game)
    assert asked(state, 1) == "Trade two cards with Cleo, on your left."
    state.play(1, "whisper hearts")
    state.play(2, "wink")
    state.play(0, "wink")
    assert asked(state, 1) == "Trade for hearts with Cleo, on your left."


def test_a_player_who_is_chosen_is_told_by_a_place_of_theirs(game: interpreter.Game):
    state = start(game)
    before = len(state.log or [])
    state.play(1, "knock P3")
    assert read(state, before) == [
        ["Ben knocks on Cleo's hand."], ["You knock on Cleo's hand."], ["Ben knocks on your hand."],
    ]  # fmt: skip
    voice = Voice(state.position, NAMES)
    assert [voice.choice(1, "P3", {}, "knock"), voice.choice(1, "P3")] == ["Cleo's hand", "Cleo"]


def test_what_is_quiet_is_told_when_the_deal_is_over(game: interpreter.Game):
    state = start(game)
    before = len(state.log or [])
    state.play(1, "wink")
    assert read(state, before) == [[], ["You wink."], []]
    while state.actors != [0] or state.phase != "last":
        state.play(state.actors[0], "from_stock")
    state.play(0, "stop")
    assert told(state, 2, (state.log or [])[before:])[-2:] == ["Anna stops.", "Before that: Ben winks."]


def test_what_several_do_quietly_is_told_in_their_order_when_the_cards_are_gathered():
    hands = {"P1": "AC AD AH AS", "P2": "2C 2D 2H 3S", "P3": "3C 3D 3H 2S", "P4": "4C 4D 4H 4S"}
    state = interpreter.load("pig").game(4).start(given={"at": "passing", "hand": hands})
    for player in (0, 2, 3):
        state.play(player, "take_spoon")
    assert told(state, 1, state.log or [])[:3] == [
        "Anna had four of a kind and was the first to act.",
        "You got no spoon and lose a life: none left, out of the game.",
        "Before that, in this order: Anna, Cleo and Dora take a spoon.",
    ]  # fmt: skip


def test_reading_a_part_of_the_log_again_forgets_nothing_that_is_still_to_be_told(game: interpreter.Game):
    state = start(game)
    voice, told_so_far = Voice(state.position, NAMES), 0
    state.play(1, "wink")
    assert "Ben winks." not in [line.text for line in voice.told(2, state.log or [])]
    told_so_far = len(state.log or [])
    assert list(voice.told(2, [], anew=True)) == []
    while state.actors != [0] or state.phase != "last":
        state.play(state.actors[0], "from_stock")
    state.play(0, "stop")
    assert "Before that: Ben winks." in [line.text for line in voice.told(2, (state.log or [])[told_so_far:])]


def test_a_card_that_is_named_and_turned_up_is_told_once(tmp_path: Path):
    path = tmp_path / "covered.yaml"
    path.write_text(
        RULES.replace("  hand:", "  pile: {seen by: everyone}\n  hand:").replace(
            "effect: add 1 to winks of actor}",
            "effect: add 1 to winks of actor}\n"
            "      lay: {choose: {card: {from: hand}}, effect: move card to pile face down; turn up card}",
        )
    )
    state = start(interpreter.load(path).game())
    before = len(state.log or [])
    state.play(1, "lay 4C")
    assert read(state, before) == [["Ben lays 4♣."], ["You lay 4♣."], ["Ben lays 4♣."]]


def test_a_name_that_is_no_english_is_told_as_it_is(game: interpreter.Game):
    state = start(game)
    before = len(state.log or [])
    state.play(1, "from_stock")
    assert read(state, before)[0][0] == "Ben: from stock."


def test_a_pass_is_asked_with_the_way_it_goes():
    state = interpreter.load("hearts").game().start(seed=1)
    assert asked(state, 0) == "Pass three cards to Ben, on your left."
    assert NAMES[1] == "Ben"


def test_an_overlay_that_changes_what_is_described_leaves_no_false_sentence(tmp_path: Path):
    path = tmp_path / "thanks.yaml"
    path.write_text(
        "format: 1\nid: thanks\nname: T\nextends: spades\n"
        "flow: {giving: {actions: {keep: {effect: add 1 to score of team of actor}}}}\n"
    )
    ruleset = interpreter.load(path)
    assert [found.code for found in ruleset.warnings] == ["W309"]
    keep = next(a for a in ruleset.game().program.stages if a.name == "giving").by_name["keep"]
    assert keep.tell == () and keep.prompt == ()


COUNTS = """\
format: 1
id: counts
name: Counts
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner, count seen by: owner}
  dark: {seen by: none, count seen by: none}
  heap: {seen by: none}
flow:
  match: {do: [go]}
  go:
    kind: turn
    first: P1
    actions:
      hide: {choose: {cs: {from: hand, count: 1..3}}, tell: "{actor} {verb: hide} {n cards}", effect: move cs to dark}
      drop: {choose: {cs: {from: hand, count: 1..3}}, effect: move cs to dark}
      bury: {choose: {cs: {from: hand, count: 1..3}}, tell: "{actor} {verb: bury} {cards}", effect: move cs to heap}
      lay: {choose: {c: {from: hand}}, tell: "{actor} {verb: lay} {n cards}", effect: move c to dark}
      stash:
        tell: {text: "{actor} {verb: stash} {n cards}", else: "{actor} {verb: stash}"}
        effect: move 2 from hand to dark
"""


@pytest.mark.parametrize(
    ("move", "told_to_others"),
    [
        ("hide 2C", "Anna hides some cards."),  # one is no number that could be told from others
        ("hide 2C 3C 4C", "Anna hides some cards."),
        ("drop 2C", "Anna drops some cards."),
        ("drop 2C 3C 4C", "Anna drops some cards."),
        ("bury 2C", "Anna buries a card."),  # the heap shows how many have come
        ("bury 2C 3C 4C", "Anna buries three cards."),
        ("lay 2C", "Anna lays a card."),
        ("stash", "Anna stashes."),
    ],
)
def test_a_number_of_cards_that_a_reader_may_not_know_is_not_told(tmp_path: Path, move: str, told_to_others: str):
    path = tmp_path / "counts.yaml"
    path.write_text(COUNTS)
    given = {"at": "go", "current": "P1", "hand": {"P1": "2C 3C 4C 5C"}, "rest": "stock"}
    state = interpreter.load(path).game().start(given=given)
    before = len(state.log or [])
    state.play(0, move)
    assert told(state, 1, (state.log or [])[before:]) == [told_to_others]
