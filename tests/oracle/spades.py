"""Spades: matches of up to five deals, the scores carried on, with parameters by lot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pyspiel

from .driver import HERE, Comparison, Deal, numbers_of

DEALS = 5
FIRST_BID = 52
"""Its actions: cards 0 to 51, then the bids."""


class Spades(Comparison):
    overlay = HERE / "spades-openspiel.yaml"
    numbers = numbers_of("spades")
    bold = False

    def deals(self, lot: Random) -> Iterator[Deal]:
        options = {  # thresholds that a deal can reach, or those that it has unless told
            "win_threshold": lot.choice((500, 60, 100)),
            "mercy_threshold": lot.choice((-350, -60, -100, 0)),
            "win_or_loss_bonus": lot.choice((200, 30, 0)),
        }
        theirs = pyspiel.load_game("spades", options)
        decks = [lot.sample(sorted(self.numbers), FIRST_BID) for _ in range(DEALS)]
        ours = self.rules.game(options=options).start(chance={"shuffle": {"deal": decks}})
        self.bold = lot.random() < 0.5  # bids by lot from 0 to 13 are hardly ever made, so half of the matches bid low
        scores = [0, 0]
        for deck in decks:
            state = theirs.new_initial_state()
            state.set_current_scores(scores)
            yield Deal(state, ours, iter([self.numbers[card] for card in deck]))
            scores = list(state.get_current_scores())
            if ours.over:
                return

    def actions(self, move: str) -> list[tuple[int, ...]]:
        what, value = move.split()
        return [(FIRST_BID + int(value) if what == "bid" else self.numbers[value],)]

    def choose(self, lot: Random, deal: Deal, actions: Sequence[int]) -> int:
        return lot.choice(actions[:5] if actions[0] >= FIRST_BID and not self.bold else actions)

    def result(self, deal: Deal) -> tuple[object, object]:
        state, score = deal.theirs, deal.ours.value("score")
        return (
            (state.returns(), list(state.get_current_scores()), state.is_game_over()),
            ([deal.ours.value("return", p) for p in range(4)], [score["T1"], score["T2"]], deal.ours.over),
        )

    def marks(self, deal: Deal) -> list[str]:
        return ["the end"] * deal.ours.over + ["worth something"] * any(x > 0 for x in deal.theirs.returns())
