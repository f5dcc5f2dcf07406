"""What has happened, as sentences for one reader."""

from __future__ import annotations

import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import interpreter
from interpreter import Event, Game
from interpreter.api.game import State
from interpreter.engine.chance import Dice
from interpreter.engine.notation import IllegalMove
from interpreter.words.acts import Acts
from interpreter.words.narrative import Narrative, reader_of
from interpreter.words.questions import question
from interpreter.words.refusals import refused
from interpreter.words.standings import marks, result, table_of_results

NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil", "Finn")
SHIPPED = ("euchre", "hearts", "pig", "bicycle-spoons", "georgia-spoons", "setback", "spades", "spades-two", "spit")
TRICK = {"at": "tricks", "current": "P1", "trick number": 3, "hand": {
    "P1": "4C 8C 10H QS", "P2": "5D JD 6C", "P3": "5C AH KS", "P4": "6D 7H 8S"}}  # fmt: skip


@cache
def game(name: str, enforcement: str = "strict", players: int | None = None) -> Game:
    return interpreter.load(name).game(players, enforcement=enforcement)


def told(state: State, viewer: int | None, events: list[Event] | None = None, verbose: bool = False) -> list[str]:
    acts = Acts(state.game.program)
    reader = reader_of(state.position, viewer, NAMES)
    found = Narrative(acts, reader, verbose).lines(state.log or [] if events is None else events)
    return [line.text for line in found]


def played(name: str, seed: int, moves: int, enforcement: str = "strict") -> State:
    state, dice = game(name, enforcement).start(seed=seed), Dice(seed)
    for _ in range(moves):
        if state.over:
            break
        player = state.actors[dice.below(len(state.actors))]
        offered = state.legal_moves(player)
        state.play(player, offered[dice.below(len(offered))])
    return state


def test_a_deal_of_cards_and_a_pass_are_told_in_a_line_each():
    state = game("hearts").start(seed=1)
    assert told(state, 0) == ["Deal 1: Cleo deals.", "Everybody gets 13 cards."]
    before = len(state.log or [])
    for player in (1, 2, 3, 0):
        state.play(player, state.legal_moves(player)[0])
    mine, hers = (told(state, viewer, (state.log or [])[before:]) for viewer in (0, 1))
    assert len(mine) == 2
    assert re.fullmatch(r"You pass \S+, \S+ and \S+\.", mine[0]) and re.fullmatch(
        r"You receive .* from Dora\.", mine[1]
    )
    assert re.fullmatch(r"You receive .* from Anna\.", hers[-1])


def test_a_trick_is_told_card_by_card_and_by_who_takes_it():
    state = game("hearts").start(given=TRICK)
    state.play(0, "play 4C")
    for player, move in ((1, "play 6C"), (2, "play 5C"), (3, "play 6D")):
        state.play(player, move)
    assert told(state, 1)[1:] == [
        "Anna plays 4♣.", "You play 6♣.", "Cleo plays 5♣.", "Dora plays 6♦.", "You take trick 3.",
    ]  # fmt: skip


def test_what_is_said_stands_with_the_move():
    state = game("georgia-spoons", players=3).start(given={
        "at": "play", "current": "P1", "discard": "5S", "stock": "3S 4S", "hand": {
            "P1": "6S 9D 9H", "P2": "3C 3D 3H", "P3": "4C 4D 4H"}})  # fmt: skip
    state.play(0, "play 6S")
    assert told(state, 1)[1:] == ["Anna plays 6♠: “Six!”"]


def test_a_label_is_what_somebody_says():
    state = game("euchre").start(given={"at": "first_round", "dealer": "P1", "current": "P2"})
    state.play(1, "order_up alone")
    assert told(state, 0)[0] == "Ben: “I order it up”, alone."


def test_shuffling_is_told_only_if_somebody_wants_to_know():
    state = game("hearts").start(seed=1)
    assert "The stock is shuffled." not in told(state, 0)
    assert "The stock is shuffled." in told(state, 0, verbose=True)


@pytest.mark.parametrize(
    ("event", "reads"),
    [
        (Event("score", None, "P1 2: +2"), ["You take 2 points (now 2).", "Anna takes 2 points (now 2)."]),
        (Event("score", None, "P2 -5: -6"), ["Ben loses 6 points (now -5).", "You lose 6 points (now -5)."]),
        (Event("score", None, "P1 3: +1"), ["You take 1 point (now 3).", "Anna takes 1 point (now 3)."]),
        (Event("note", None, "P2 loses a life"), ["Ben loses a life.", "You lose a life."]),
        (Event("say", 1, '"Draw two, P1!"'), ["Ben: “Draw two, Anna!”", "You: “Draw two, Anna!”"]),
        (Event("claim", 0, "against P2 turned down"), [
            "You are wrong: Ben has nothing to pay for now.", "Anna is wrong: you have nothing to pay for now."]),
        (Event("claim", 1, "against P1 upheld: revoke"), [
            "Ben has caught you (revoke).", "You have caught Anna (revoke)."]),
        (Event("first dealer", None, "P2"), ["Ben deals first.", "You deal first."]),
        (Event("direction", None, "right"), ["Play goes to the right now."] * 2),
        (Event("cards", None, "", ("7C",), "hand P2", "hand P1", 0b11), [
            "You receive 7♣ from Ben.", "Anna receives 7♣ from you."]),
    ],
)  # fmt: skip
def test_each_kind_of_event_is_a_sentence_for_its_reader(event: Event, reads: list[str]):
    state = game("hearts").start(seed=1)
    assert [told(state, viewer, [event]) for viewer in (0, 1)] == [[read] for read in reads]


def test_the_sides_win_and_score_together():
    state = game("spades").start(seed=1)
    event = Event("score", None, "T1 -236: -236")
    assert told(state, 0, [event]) == ["You and Cleo lose 236 points (now -236)."]
    assert told(state, 1, [event]) == ["Anna and Cleo lose 236 points (now -236)."]


def test_no_line_shows_how_the_program_writes_places_and_players():
    for name in SHIPPED:
        for enforcement in ("strict", "honor"):
            state = played(name, 3, 120, enforcement)
            for viewer in range(state.game.players):
                for line in told(state, viewer):
                    assert not re.search(r"->|\b[PT]\d\b|_|\.P\d", line), (name, line)


def without_the_unseen(event: Event, viewer: int, dice: Dice, cards: tuple[str, ...]) -> Event:
    """The event with other cards, and another text, in place of what the viewer does not learn of it."""
    if not event.told >> viewer & 1:
        return event._replace(words="zq17", cards=tuple(cards[dice.below(len(cards))] for _ in event.cards))
    if event.kind == "cards" and not event.seen >> viewer & 1:
        return event._replace(cards=tuple(cards[dice.below(len(cards))] for _ in event.cards))
    if event.kind == "move" and event.cards:
        reads = [event.cards[viewer] if p == viewer else "zq17" for p in range(len(event.cards))]
        return event._replace(words="zq17", cards=tuple(reads))
    return event


@given(st.sampled_from(SHIPPED), st.sampled_from(("strict", "honor")), st.integers(0, 1_000), st.integers(0, 12))
def test_what_a_reader_cannot_know_changes_no_sentence(name: str, enforcement: str, seed: int, seat: int):
    state = played(name, seed, 60, enforcement)
    viewer = seat % state.game.players
    dice = Dice(seed + 1)
    swapped = [without_the_unseen(event, viewer, dice, state.game.program.cards) for event in state.log or []]
    assert told(state, viewer, swapped) == told(state, viewer)


# ---- questions, refusals, results -----------------------------------------------------------------------


def why(state: State, player: int, move: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        state.play(player, state.parse(player, move))
    return refused(state.position, reader_of(state.position, player, NAMES), caught.value, state.view(player))


def test_a_card_that_counts_as_another_suit_is_told_so_when_suit_is_not_followed() -> None:
    hands = {"P1": "9C 8H", "P2": "JS 10S 9H", "P3": "QS AC 10H", "P4": "KC 8S 7H"}
    given = {"at": "tricks", "current": "P1", "trump": "clubs", "maker": "P1", "dealer": "P4", "hand": hands}
    state = game("euchre").start(given=given)
    state.play(0, "play 9C")
    assert why(state, 1, "play 9H") == "You must follow clubs: play J♠ (which counts as clubs)."
    state = game("euchre").start(given={**given, "current": "P3"})
    state.play(2, "play QS")
    state.play(3, "play 8S")
    state.play(0, "play 8H")
    assert why(state, 1, "play JS") == "J♠ is the left bower and counts as clubs; you must follow spades: play 10♠."


def test_a_refusal_says_what_would_do():
    state = game("hearts").start(given={**TRICK, "current": "P2", "hand": {**TRICK["hand"], "P1": "4C 8C QS"}})
    state.play(1, "play 6C")
    state.play(2, "play 5C")
    state.play(3, "play 7H")
    assert why(state, 0, "play QS") == "You must follow clubs: play 4♣ or 8♣."
    assert why(state, 1, "play 5D") == "It's Anna's turn."
    assert why(state, 0, "play") == "“play” needs a card such as 10♥."
    assert why(state, 0, "play hello") == "I don't know “hello”: type a card (4C), a number, or ?."
    assert why(state, 0, "play 99") == "I don't know “99”: type a card (4C), a move such as “play 4♣”, or ?."
    state = game("hearts").start(seed=1)
    card = state.zone("hand", 0)[0]
    assert why(state, 0, f"pass {card} {card} {card}").startswith("You have only one ")
    assert why(state, 0, f"pass {card}") == "Choose 3 cards, not 1."


def asked(state: State, player: int) -> str:
    moves = state.legal_moves(player)
    acts = Acts(state.game.program)
    names = dict.fromkeys(move.action for move in moves)
    offered = [(name, [move for move in moves if move.action == name]) for name in names]
    return question(acts, state.position, reader_of(state.position, player, NAMES), offered)


def test_a_question_tells_how_many_cards():
    state = game("spades").start(seed=1)
    assert asked(state, state.actors[0]) == "Bid nil without looking or look at your cards."
    assert asked(game("hearts").start(given=TRICK), 0) == "You lead: play a card."
    assert (
        asked(game("euchre").start(given={"at": "first_round", "dealer": "P1", "current": "P2"}), 1)
        == "Pass or order up."
    )


def test_the_result_says_who_has_won_and_how():
    state = interpreter.load("hearts").game(options={"target": 1}).start(seed=3)
    dice = Dice(3)
    while not state.over:
        player = state.actors[0]
        offered = state.legal_moves(player)
        state.play(player, offered[dice.below(len(offered))])
    winner = state.winners[0]
    points = state.scores[winner]
    with_points = f"with {points} point{'' if points == 1 else 's'}."
    assert result(state.position, reader_of(state.position, winner, NAMES)) == f"You win {with_points}"
    assert result(state.position, reader_of(state.position, None, NAMES)) == f"{NAMES[winner]} wins {with_points}"
    assert len(list(table_of_results(state.position, reader_of(state.position, None, NAMES)))) == 4


def test_everybody_is_told_where_the_others_sit_and_who_plays_with_whom():
    state = game("euchre").start(given={"at": "first_round", "dealer": "P1", "current": "P2"})
    assert marks(state.position, reader_of(state.position, 0, NAMES)) == [
        "you, deal", "on your left, with Dora, to play", "across from you, your partner", "on your right, with Ben",
    ]  # fmt: skip
    assert marks(state.position, reader_of(state.position, None, NAMES))[0] == "with Cleo, deals"


def test_a_wild_card_in_a_meld_is_one_of_the_cards_that_are_told():
    given = {"at": "play", "current": "P1", "last": "9C", "hand": {"P1": "4C JK 6C 9H", "P2": "9D KD", "P3": "3S"}}
    state = game("yaniv").start(given={**given, "rest": "stock"})
    assert told(state, 1, state.play(0, "lay 4C JK 6C")) == ["Anna throws 4♣, 6♣ and JK."]


def test_a_rank_that_is_a_number_is_no_card_that_somebody_does_not_see():
    given = {"at": "play", "current": "P1", "discard": "4R", "hand": {"P1": "4Y 4G 5B", "P2": "1R 2R", "P3": "3R 6R"}}
    state = interpreter.load("uno").game(3, options={"play_doubles": True}).start(given={**given, "rest": "stock"})
    assert told(state, 1, state.play(0, "play_several 4 4Y 4G green"))[0] == "Anna plays 4Y and 4G."


def test_a_label_that_does_not_say_what_is_chosen_is_told_with_it():
    state = game("euchre").start(given={"at": "second_round", "current": "P1", "dealer": "P4", "offered": "clubs"})
    state.play(0, "name hearts alone")
    assert told(state, 1)[0] == "Anna: “cross” (hearts), alone."


def test_of_a_card_laid_away_it_is_said_that_it_is():
    given = {"at": "first_round", "current": "P4", "dealer": "P4", "turn_up": "QC", "offered": "clubs", "centre": "QC"}
    state = game("euchre").start(given={**given, "hand": {"P4": "AD 7H 9S KD QD"}})
    assert asked(state, 3) == "Pass or take up the turn-up by laying a card away."
    state.play(3, "take_up 7H")
    assert told(state, 3)[0] == "You take up the turn-up and lay 7♥ away."
