"""Values as the texts of a ruleset are filled with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from interpreter.base.english import NUMBER_WORDS


def say_player(player: int | None) -> str:
    return "nobody" if player is None else f"P{player + 1}"


def say_players(players: Iterable[int]) -> str:
    return ", ".join(say_player(p) for p in players) or "nobody"


def say_team(team: int | None) -> str:
    return "nobody" if team is None else f"T{team + 1}"


def say_card(names: Sequence[str], card: int | None) -> str:
    return "no card" if card is None or card < 0 else names[card]


def say_cards(names: Sequence[str], cards: Iterable[int]) -> str:
    return ", ".join(names[c] for c in cards) or "no card"


def say_item(names: Sequence[str], at: int | None) -> str:
    return "none" if at is None else names[at]


def say_plain(value: object) -> str:
    return "none" if value is None else str(value)


def say_number(number: int | None) -> str:
    if number is None:
        return "none"
    return NUMBER_WORDS[number] if 0 <= number < len(NUMBER_WORDS) else str(number)


IN_TEXTS: tuple[Callable[..., Any], ...] = (
    say_player, say_players, say_team, say_card, say_cards, say_item, say_plain, say_number,
)  # fmt: skip
"""The functions that put values into words, for the library of generated text."""
