"""A book that is told for some players says what is otherwise with more or fewer."""

from __future__ import annotations

import pytest

import interpreter
from interpreter.api.options import OptionError
from interpreter.interfaces.catalogue import entries
from interpreter.rulebook.comparing import marked_book
from interpreter.rulebook.terminal import text


def told(name: str, **options: object) -> str:
    """The book of a shipped game, each paragraph in a line."""
    return " ".join(text(marked_book(interpreter.load(name).game(options=options)), width=100).split())


def test_an_option_that_depends_on_the_number_of_players_is_told_for_all_of_them():
    found = told("crazy-eights")
    assert "With others than here: target score 100 with 2, 150 with 3, 250 with 5" in found
    assert "Here: 5 (7 with 2); possible: 5 to 8." in found


def test_what_has_been_chosen_is_so_with_all_numbers_of_players():
    assert "Here: 6 (usually 5); possible: 5 to 8." in told("crazy-eights", hand_size=6)


def test_numbered_places_say_how_many_there_are():
    assert "build numbered 1 to 4 everybody" in told("skip-bo")


@pytest.mark.parametrize(
    ("name", "variant"),
    [(entry.id, variant) for entry in entries() for variant in interpreter.load(entry.id).variants],
)
def test_the_rules_of_each_variant_are_told(name: str, variant: str) -> None:
    """Also of one that sets what the ruleset asks for where more play."""
    ruleset = interpreter.load(name)
    players = ruleset.with_variants([variant]).players
    for number in {players.default, players.max}:
        try:
            game = ruleset.game(number, variants=[variant])
        except OptionError:
            continue  # so many need another option besides
        assert marked_book(game).sections
