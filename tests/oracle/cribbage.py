"""Cribbage: matches of two players to 121."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pyspiel

from .driver import HERE, Comparison, Deal, card_of, dealt, numbers_of

PASS, PAIRS = 2756, 52
"""Its actions: cards, pairs of cards for the crib, and to pass, which whoever cannot play has to say."""
MOST_DEALS = 100
HAND = 6


class Cribbage(Comparison):
    overlay = HERE / "cribbage-openspiel.yaml"
    together = frozenset({"discarding"})
    silent = frozenset({PASS})
    numbers = numbers_of("cribbage")
    number = 0

    def deals(self, lot: Random) -> Iterator[Deal]:
        decks = [lot.sample(sorted(self.numbers), 2 * HAND + 1) for _ in range(MOST_DEALS)]
        orders = [
            dealt([deck[:HAND], deck[HAND : 2 * HAND]], first=(place + 1) % 2) + deck[-1:]
            for place, deck in enumerate(decks)
        ]
        theirs = pyspiel.load_game("cribbage(winner_bonus_reward=0.0)").new_initial_state()
        ours = self.rules.game().start(chance={"shuffle": {"deal": orders}})
        for self.number, deck in enumerate(decks):
            yield Deal(theirs, ours, iter([self.numbers[card] for card in deck]))
            if theirs.is_terminal():
                return

    def actions(self, move: str) -> list[tuple[int, ...]]:
        what, *cards = move.split()
        played = sorted((self.numbers[card] for card in cards), key=lambda number: (number % 13, number // 13))
        return [(PAIRS + 52 * played[0] + played[1],) if what == "discard" else tuple(played)]

    def over(self, deal: Deal) -> bool:
        return bool(deal.theirs.is_terminal()) or f"Round: {self.number}\n" not in str(deal.theirs)

    def table(self, deal: Deal) -> tuple[object, object]:
        """The scores, the hands and the crib."""
        ours, told = deal.ours, str(deal.theirs)
        lines = re.findall(r"(?:Hand|Crib):(.*)", told)
        zones = [ours.zone("crib"), *(ours.zone("hand", p) for p in range(2))]
        return (
            (_scores(told), [sorted(map(card_of, line.split())) for line in lines]),
            (list(ours.value("score").values()), [sorted(zone) for zone in zones]),
        )

    def result(self, deal: Deal) -> tuple[object, object]:
        over = bool(deal.theirs.is_terminal())
        scores = deal.theirs.returns() if over else _scores(str(deal.theirs))
        return (scores, over), (list(deal.ours.value("score").values()), deal.ours.over)

    def marks(self, deal: Deal) -> list[str]:
        return ["won"] * deal.ours.over


def _scores(told: str) -> list[int]:
    found = re.search(r"Scores:(.*)", told)
    assert found is not None
    return [int(score) for score in found[1].split()]
