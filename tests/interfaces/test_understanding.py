"""What the terminal shows is understood when somebody types it, and nothing is answered that was not asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

import interpreter
from interpreter.engine.moves import Move
from interpreter.engine.notation import IllegalMove
from interpreter.interfaces.terminal import spoken_moves
from interpreter.interfaces.terminal.menu import measures_in, menu, understand
from interpreter.words.voice import Voice

SPOONS = {"at": "passing", "hand": {"P1": "AC AD AH AS", "P2": "2C 2D 2H 3S", "P3": "3C 3D 3H 2S"}}


@pytest.fixture(scope="module")
def spoons():
    return interpreter.load("pig").game(3)


@pytest.fixture(scope="module")
def euchre():
    return interpreter.load("euchre").game()


def meant(state, typed: str, player: int = 0) -> str:
    return understand(state, player, typed, menu(state, player), Voice(state.position))


@pytest.fixture
def four_aces(spoons):
    return spoons.start(given=SPOONS)


@pytest.mark.parametrize("typed", ["take spoon", "take a spoon", "Take the spoon.", "spoon", "take_spoon", "take"])
def test_the_name_of_an_action_is_understood_as_it_is_shown(four_aces, typed):
    assert meant(four_aces, typed) == "take_spoon"


@pytest.mark.parametrize("typed", ["pass a card to the left AC", "pass card AC", "PASS A♣"])
def test_the_words_of_a_question_are_understood_with_cards_behind(four_aces, typed):
    assert meant(four_aces, typed).upper() == "PASS AC"


def test_a_card_is_understood_behind_the_words_that_head_the_list(euchre):
    state = taking_up(euchre)
    assert [meant(state, typed, 3) for typed in ("take up 7H", "take up 7♥ alone", "up qd")] == [
        "take_up 7H",
        "take_up 7H alone",
        "take_up QD",
    ]


def taking_up(euchre):
    return euchre.start(
        given={
            "at": "first_round",
            "current": "P4",
            "dealer": "P4",
            "turn_up": "QC",
            "offered": "clubs",
            "centre": "QC",
            "hand": {"P4": "AD 7H 9S KD QD"},
        }
    )


def test_what_is_shown_in_a_list_is_understood_word_by_word(euchre):
    state = taking_up(euchre)
    voice = Voice(state.position)
    for move in menu(state, 3).listed:
        behind = voice.choice(3, move.text.partition(" ")[2])
        assert meant(state, f"{move.action.replace('_', ' ')} {behind}".strip(), 3) == move.text


def test_plain_moves_are_listed_before_those_with_a_word_more(euchre):
    listed = [str(move) for move in menu(taking_up(euchre), 3).listed]
    assert listed[:3] == ["pass", "take_up QD", "take_up KD"]
    assert all(move.endswith(" alone") for move in listed[6:])


def refused(state, typed: str, player: int = 0) -> str:
    voice = Voice(state.position)
    with pytest.raises(IllegalMove) as caught:
        state.play(player, understand(state, player, typed, menu(state, player), voice))
    return voice.refusal(player, caught.value)


def test_a_refusal_names_actions_as_they_are_shown(spoons, four_aces):
    assert refused(four_aces, "take_spoon 2C") == "“2♣” is too much for “take spoon”."
    four_aces.play(0, "take_spoon")
    assert refused(four_aces, "2C", 1) == "All that you can do now is “take spoon”."


def test_a_number_answers_no_question_that_was_not_shown(euchre):
    state = taking_up(euchre)
    unseen = replace(menu(state, 3), shown=False)
    with pytest.raises(IllegalMove, match="asked nothing that has a number"):
        understand(state, 3, "1", unseen)
    assert understand(state, 3, "pass", unseen) == "pass"


def test_of_a_card_that_somebody_does_not_hold_it_is_said_that_they_do_not(four_aces):
    assert refused(four_aces, "pass 2C") == "You have no 2♣."


def test_a_bid_of_nil_is_explained_and_one_too_high_refused_without_the_name_of_what_is_chosen():
    state = interpreter.load("spades").game().start(seed=1)
    while state.phase != "bidding" or "bid 3" not in [str(move) for move in state.legal_moves(state.actors[0])]:
        state.play(state.actors[0], state.legal_moves(state.actors[0])[-1])
    voice = Voice(state.position)
    assert voice.question(state.actors[0], menu(state, state.actors[0]).groups) == "Bid a number of tricks (0 is nil)."
    assert [meant(state, typed, state.actors[0]) for typed in ("5", "five", "bid five", "I bid five")] == ["bid 5"] * 4
    assert refused(state, "bid 14", state.actors[0]) == "14 cannot be chosen now."


def test_nil_that_is_blind_may_be_bid_by_its_last_word():
    state = interpreter.load("spades").game().start(seed=1)
    while "blind_nil" not in [str(move) for move in state.legal_moves(state.actors[0])]:
        state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
    assert meant(state, "nil", state.actors[0]) == "blind_nil"


HANDS = {"P1": "QS KS 5C 10C", "P2": "2C 3C 4C 6C", "P3": "2D 3D 4D 6D", "P4": "2H 3H 4H 6H"}


@pytest.fixture(scope="module")
def leading():
    state = (
        interpreter.load("hearts")
        .game()
        .start(given={"at": "tricks", "current": "P1", "trick number": 3, "hand": HANDS})
    )
    assert [str(move) for move in menu(state, 0).listed] == ["play 5C", "play 10C", "play QS", "play KS"]
    return state


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("queen of spades", "play QS"),
        ("play the Queen of Spades", "play QS"),
        ("I play the king of spades please", "play KS"),
        ("ten of clubs", "play 10C"),
        ("10 of clubs", "play 10C"),
        ("the five of clubs.", "play 5C"),
        ("queen", "play QS"),
        ("play queen", "play QS"),
        ("my king", "play KS"),
        ("q", "play QS"),
        ("play 2", "play 10C"),
        ("#2", "play 10C"),
        ("10", "play 10C"),
        ("play 10", "play 10C"),
        ("pl qs", "play QS"),
    ],
)
def test_a_card_is_understood_as_people_say_it(leading, typed, move):
    assert str(leading.parse(0, meant(leading, typed))) == move


def test_a_card_that_is_written_out_is_one_of_several():
    state = interpreter.load("hearts").game().start(seed=7)
    assert meant(state, "pass the king of spades, jack of hearts, ace of diamonds") == "pass KS JH AD"
    assert meant(state, "KS and JH and AD") == "pass JH KS AD"


def test_of_a_number_that_may_be_a_rank_both_are_named():
    hand = {"P1": "5C 6C 2S KS QS", "P2": "AC", "P3": "3D", "P4": "2H"}
    state = (
        interpreter.load("hearts")
        .game()
        .start(given={"at": "tricks", "current": "P1", "trick number": 3, "hand": hand})
    )
    assert refused(state, "play 5") == "That can mean K♠ or 5♣: type the card, or the number alone."
    assert meant(state, "5") == "play KS"


def test_yes_is_the_only_thing_that_can_be_done(four_aces):
    four_aces.play(0, "take_spoon")
    assert meant(four_aces, "yes", 1) == "take_spoon"
    assert "I don't know “yes”" in refused(four_aces, "yes", 0)


def test_of_what_cannot_be_done_now_it_is_said_what_can(leading):
    assert refused(leading, "pass") == "“pass” is nothing that can be done now, but “play” is."


def test_of_an_action_that_is_too_early_it_is_told_what_it_waits_for(spoons):
    state = spoons.start(given={**SPOONS, "hand": {"P1": "AC AD AH 2S", "P2": "2C 2D 2H 3S", "P3": "3C 3D 3H AS"}})
    assert refused(state, "take a spoon") == "Nobody has acted yet, and you do not hold four of a kind."
    assert refused(state, "take") == "Nobody has acted yet, and you do not hold four of a kind."


def test_where_moves_have_no_numbers_one_of_them_is_shown():
    state = interpreter.load("president").game().start(seed=7)
    player = state.actors[0]
    assert refused(state, "99", player) == "“99” is not a rank: a move is written like “play 3 1”."


def test_an_ace_may_be_called_by_its_letter(spoons):
    state = spoons.start(given=SPOONS | {"hand": {"P1": "AC 4D 4H 4S", "P2": "2C 2D 2H 3S", "P3": "3C 3D 3H 2S"}})
    assert {meant(state, typed) for typed in ("A", "a", "pass a", "the A")} == {"pass AC"}


@pytest.mark.parametrize("value", ["²", "9" * 5_000, "-1"])
def test_a_measure_is_a_plain_number(spoons, value):
    assert measures_in(f"grab hold={value}", spoons.program) == (f"grab hold={value}", {})
    assert measures_in("grab hold=12", spoons.program) == ("grab", {"hold": 12})


def test_a_word_of_a_choice_may_look_like_a_player(tmp_path):
    path = tmp_path / "words.yaml"
    path.write_text(
        "format: 1\nid: words\nname: Words\nplayers: {min: 2, max: 2}\npack: {standard: 1}\n"
        "zones: {stock: {pack: true}}\n"
        'state: {mood: {type: choice, choices: ["P²", calm], lasts: match}}\n'
        'flow: {match: {do: [go]}, go: {kind: ask, actions: {take: {prompt: "take {mood}"}}}}\n',
        encoding="utf-8",
    )
    state = interpreter.load(path).game().start(seed=1)
    assert "P²" in Voice(state.position).way(0, "take", state.legal_moves(0))


RACING = {
    "at": "racing",
    "pile": {"P1": {1: "2C", 2: "9H"}, "P2": {1: "5D"}},
    "centre": {"P1": "3C", "P2": "8D"},
    "up": ["2C", "9H", "5D"],
}


def test_a_place_is_written_in_an_example_as_it_may_be_typed():
    state = interpreter.load("spit").game().start(given=RACING)
    with pytest.raises(IllegalMove) as caught:
        state.play(0, "play pile.you.2 centre.P2")
    voice = Voice(state.position, ("Ann", "Ben"))
    assert "“play your first pile on the left spit pile”" in voice.refusal(0, caught.value)
    assert meant(state, "play your first pile on the left spit pile") == "play pile.P1.1 centre.P1"


def test_an_action_that_can_be_done_in_several_ways_is_known():
    state = interpreter.load("spit").game().start(given=RACING | {"up": ["5D"]})
    with pytest.raises(IllegalMove, match="which one: “turn over your first pile” or “turn over your second pile”"):
        meant(state, "turn over")


@pytest.mark.parametrize(
    "typed",
    ["first pile on left pile", "1st left", "play my first pile", "2♣ on left", "two", "2c", "pile.you.1 centre.you"],
)
def test_places_are_understood_as_the_table_calls_them(typed):
    state = interpreter.load("spit").game().start(given=RACING)
    assert meant(state, Voice(state.position).typed(typed, 0)) == "play pile.P1.1 centre.P1"


def test_a_card_that_fits_nowhere_is_told_the_rule_that_forbids_it():
    piles = {"P1": {1: "2C", 2: "9H", 3: "QS", 4: "QH", 5: "QD"}, "P2": {1: "5D"}}
    given = RACING | {"pile": piles, "centre": {"P1": "3C", "P2": "6D"}, "up": ["2C", "9H", "QS", "QH", "QD"]}
    state = interpreter.load("spit").game().start(given=given)
    rule = "The left spit pile: play one rank above or below 3; the right spit pile: play one rank above or below 6."
    assert refused(state, "9h") == refused(state, "second pile") == rule
    assert refused(state, "9h on right") == refused(state, "play 9♥ right") == "Play one rank above or below 6."
    assert refused(state, "turn over 9h") == "That card lies face up."


def test_a_card_that_is_named_is_the_one_that_moves_and_not_where_it_goes():
    state = interpreter.load("spit").game().start(given=RACING)
    assert meant(state, "9h") == "play pile.P1.2 centre.P2"  # 8♦ lies there
    assert refused(state, "8d") == "8♦ lies on the right spit pile."


def test_a_player_is_chosen_by_the_pile_that_the_table_shows():
    state = interpreter.load("spit").game().start(given=RACING | {"at": "claiming", "pile": {"P2": {1: "5D"}}})
    voice = Voice(state.position)
    ways = ("left", "slap left pile", "the left pile", "the left spit pile", "slap P1")
    assert {meant(state, typed) for typed in ways} == {"slap P1"}
    assert [voice.choice(0, "P2", {}, "slap"), voice.choice(0, "P2")] == ["the right spit pile", "P2"]


def test_of_many_actions_together_only_so_many_moves_are_looked_at() -> None:
    looked: list[str] = []
    actions = [f"deed_{number}" for number in range(40)]
    groups = [(action, [Move(action, (n,), f"{action} {n}") for n in range(300)]) for action in actions]

    class Told:
        def way(self, *_: object) -> str:
            return ""

        def choice(self, player: int | None, *_: object) -> str:
            looked.append("")
            return ""

    assert not list(spoken_moves._meant(["something"], 0, groups, Told(), {}))  # type: ignore[arg-type]
    assert len(looked) == 2 * spoken_moves.MOST_TOGETHER
