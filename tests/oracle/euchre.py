"""Euchre: single deals with 24 cards, with and without a lone defender and a dealer who has to name a suit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pyspiel

from .driver import HERE, Comparison, Deal, dealt, numbers_of

SUITS = {"clubs": 25, "diamonds": 26, "hearts": 27, "spades": 28}
WORDS = {"pass": 24, "alone": 29, "together": 30}
"""Its actions: cards, to pass, to name a suit (that of the turn-up, too), and who plays alone."""
PLAYERS, HAND = 4, 5


class Euchre(Comparison):
    overlay = HERE / "euchre-openspiel.yaml"
    numbers = numbers_of("euchre", 0)
    turned_up = 0

    def deals(self, lot: Random) -> Iterator[Deal]:
        options = {"stick_the_dealer": lot.random() < 0.5, "allow_lone_defender": lot.random() < 0.5}
        dealer, deck = lot.randrange(PLAYERS), lot.sample(sorted(self.numbers), len(self.numbers))
        hands = [deck[(p - dealer) % PLAYERS : PLAYERS * HAND : PLAYERS] for p in range(PLAYERS)]
        order = dealt(hands, first=(dealer + 1) % PLAYERS, packets=[3, 2]) + deck[PLAYERS * HAND :]
        ours = self.rules.game(options=options).start(chance={"random": [f"P{dealer + 1}"], "shuffle": {"deal": order}})
        self.turned_up = SUITS[ours.value("offered")]
        yield Deal(
            pyspiel.load_game("euchre", options).new_initial_state(),
            ours,
            iter([dealer] + [self.numbers[card] for card in deck[: PLAYERS * HAND + 1]]),
        )

    def actions(self, move: str) -> list[tuple[int, ...]]:
        what, *values = move.split()
        if what in ("play", "lay_away"):
            return [(self.numbers[values[0]],)]
        if what == "name":
            return [(SUITS[values[0]],)]
        return [(WORDS.get(what, self.turned_up),)]

    def choose(self, lot: Random, deal: Deal, actions: Sequence[int]) -> int:
        """By lot, but most pass, or there would hardly be a second round."""
        return WORDS["pass"] if WORDS["pass"] in actions and lot.random() < 0.6 else lot.choice(actions)

    def result(self, deal: Deal) -> tuple[object, object]:
        """What one side scores the other loses."""
        scores = deal.ours.scores
        return (deal.theirs.returns(), True), ([scores[p] - scores[p - 1] for p in range(PLAYERS)], deal.ours.over)

    def marks(self, deal: Deal) -> list[str]:
        alone = [name for name in ("silent_partner", "lone_defender") if deal.ours.value(name) is not None]
        return alone + ["all passed"] * (deal.ours.value("trump") is None)
