"""Moves as sentences: every shipped action in three persons, and what the parts of a sentence become."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.words.acts import Acts, Passage
from interpreter.words.people import Reader, counted, listed, number_word, ordinal, plural, possessive, sentence
from interpreter.words.verbs import VERBS, base_of, phrase_of, third

GOLDEN = Path(__file__).parent / "sentences.txt"
SHIPPED = (
    "bicycle-spoons", "dutch-blitz", "euchre", "georgia-spoons", "hearts", "pig", "setback", "spades", "spades-two",
    "spit-five", "spit",
)  # fmt: skip
OTHERS = """
accept ante attack auction_off bank beg bet bid_up bluff burn bury buy buy_in buy_out call call_trump capture catch_up
challenge check choose choose_suit claim clear_away collect concede continue_drawing cover cut deal_out declare
declare_trump defend discard discard_card double doubt draft draw_card draw_from_stock drop_out duck exchange_card
fan_out finish_building fold follow from_stock give_card give_hand give_up go_alone go_out guess hand_over hit
hold_back knock knock_down lay_down lay_off lead lead_trump look_at_hand look_under match meld meld_set name_trump nil
on_deck open order_in overtake pass_left pass_on pay peek peek_at_hand peg pick_suit pick_up_card place_bet pledge
pounce put_back raise redouble refuse reveal reveal_hand rob ruff say_hello score_hand see shed shoot show_cards
sit_out slam_down slap smear snap spin split stand_pat start_over stay_in steal_from stick stop_drawing swap_cards
sweep take_back take_pot tap thumb_down tie_up touch_wood trade trump trump_in turn_down turn_up ultimo undercut use
void wager widow wild_card win_trick withdraw yield_to zap zq17 zq17_up
""".split()
"""Names of actions of other games, English or not."""
GIVING = {"give", "pass"}
"""Verbs of actions by which cards go to somebody else."""
WAYS = {
    "alone": ("", None),
    "a card": ("7H", Passage(("7H",), 1, "hand P1", "hand P2")),
    "cards": ("7H 9D", Passage(("7H", "9D"), 2, "hand P1", "hand P2")),
    "hidden": ("?", Passage((), 1, "hand P1", "hand P2")),
    "two hidden": ("? ?", Passage((), 2, "hand P1", "hand P2")),
    "a player": ("P2", None),
    "a suit": ("hearts", None),
    "a number": ("3", None),
}  # fmt: skip


def reader(
    player: int | None, teams: tuple[int, ...] = (0, 1, 2), names: tuple[str, ...] = ("Anna", "Ben", "Cleo")
) -> Reader:
    return Reader(player, names, lambda: teams, ("clubs", "diamonds", "hearts", "spades"))


def told(acts: Acts, action: str, way: str) -> str:
    """What Anna does, as she reads it, as Ben does to whom cards may go, and as Cleo does who looks on."""
    text, goes = WAYS[way]
    cards = acts.program.cards
    text = text.replace("7H", cards[0]).replace("9D", cards[1]) if "7H" not in acts.program.by_name else text
    goes = goes if action.partition("_")[0] in GIVING else None
    return " | ".join(
        sentence(acts.sentence(reader(person), 0, f"{action} {text}".strip(), goes)) for person in (0, 1, 2)
    )


def table() -> str:
    """Each shipped action in the ways in which it is made there most, and others in every way."""
    lines = []
    for name in SHIPPED:
        acts = Acts(interpreter.load(name).game().program)
        for action in acts.actions:
            params = [param for code in acts.actions[action] for param in code.params]
            forms = {param.form for param in params}
            hidden = "two hidden" if any(param.several for param in params) else "hidden"
            ways = ["a card", hidden] if "cards" in forms else ["alone"]
            ways += [
                way
                for form, way in (("players", "a player"), ("suits", "a suit"), ("number", "a number"))
                if form in forms
            ]
            lines += [f"{name}: {action}, {way}: {told(acts, action, way)}" for way in ways]
    acts = Acts(interpreter.load("hearts").game(3).program)
    lines += [f"{action}, {way}: {told(acts, action, way)}" for action in OTHERS for way in ("alone", "a card")]
    lines += [f"{action}, {way}: {told(acts, action, way)}" for action in ("pass", "give_back", "name") for way in WAYS]
    return "\n".join(lines) + "\n"


def test_every_action_is_told_in_three_persons():
    """`python tests/words/test_sentences.py` writes the table anew; read what has changed."""
    assert table().splitlines() == GOLDEN.read_text("utf-8").splitlines()


def test_there_are_three_hundred_verbs_and_each_can_be_told_of_somebody_else():
    assert len(VERBS) >= 300
    assert all(base_of(third(verb)) == verb for verb in VERBS)


@pytest.mark.parametrize(
    ("name", "verb", "after", "noun"),
    [
        ("pass", "pass", "", ""),
        ("order_up", "order", "up", ""),
        ("give_back", "give", "back", ""),
        ("take_coin", "take", "", "coin"),
        ("stop_passing", "stop", "passing", ""),
        ("touch_nose", "touch", "", "nose"),
        ("name_suit", "name", "", ""),
    ],
)
def test_a_name_is_a_phrase_if_it_begins_with_a_verb_and_its_particles(name, verb, after, noun):
    found = phrase_of(name, {"coin"})
    assert found is not None and (found.verb, found.after, found.noun) == (verb, after, noun)


@pytest.mark.parametrize("name", ["from_stock", "nil", "blind_nil", "zq17", "pass_blue", "up"])
def test_a_name_that_is_no_phrase_is_told_as_it_is(name):
    assert phrase_of(name, {"coin"}) is None


def test_people_sides_and_cards_of_a_text_are_named_and_its_verbs_agree():
    teams = (0, 1, 0)
    you, ben = reader(0, teams), reader(1, teams)
    note = "P1 has drawn lowest and deals, with P3 as partner"
    assert you.named(note) == "you have drawn lowest and deal, with Cleo as partner"
    assert ben.named(note) == "Anna has drawn lowest and deals, with Cleo as partner"
    assert you.named("T1 wins the rubber by 4") == "you and Cleo win the rubber by 4"
    assert ben.named("T1 wins") == "Anna and Cleo win"
    assert you.named("P1's cards") == "your cards" and ben.named("it is P1's card") == "it is Anna's card"
    assert ben.named("play 10H, not QS") == "play 10♥, not Q♠"
    assert you.spoken("Draw two, P1!") == "Draw two, Anna!"


def test_cards_have_symbols_only_where_their_suits_have():
    plain = Reader(0, ("Anna",), lambda: (0,), ("cups", "swords"))
    assert plain.shown("7C 10S") == "7C 10S"


def test_numbers_plurals_and_owners():
    assert [counted(n, "card") for n in (0, 1, 2, 13)] == ["no cards", "a card", "two cards", "13 cards"]
    assert counted(1, "ace") == "an ace"
    assert (plural("box"), plural("penny"), plural("day")) == ("boxes", "pennies", "days")
    assert (possessive("James"), possessive("Anna")) == ("James'", "Anna's")
    assert (ordinal(5), ordinal(13), number_word(10), number_word(11)) == ("fifth", "number 13", "ten", "11")
    assert (listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"], "or")) == ("a", "a and b", "a, b or c")
    assert (sentence("you win"), sentence("Ben: “Go!”")) == ("You win.", "Ben: “Go!”")


if __name__ == "__main__":
    GOLDEN.write_text(table(), "utf-8")
