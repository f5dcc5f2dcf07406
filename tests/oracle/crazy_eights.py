"""Crazy Eights: single deals for two to seven players, with and without special cards, reshuffling and short draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pyspiel

import interpreter

from .driver import HERE, Comparison, Deal, numbers_of

FIRST_DEALER = 52
DRAW, PASS = 52, 53
SUITS = {"clubs": 54, "diamonds": 55, "hearts": 56, "spades": 57}
"""Its actions: cards, to draw, to pass, to name a suit."""
SETTINGS = 6
"""How many settings of the parameters are played: a game is compiled for each."""


class CrazyEights(Comparison):
    overlay = HERE / "crazy-eights-openspiel.yaml"
    numbers = numbers_of("crazy_eights", FIRST_DEALER)
    mover, held = 0, Counter[str]()
    """Who has moved last, and what that one had in hand before."""

    def deals(self, lot: Random) -> Iterator[Deal]:
        players = lot.randint(2, 7)
        chosen = Random(lot.randrange(SETTINGS))
        special, limit, turns = chosen.random() < 0.6, chosen.choice((5, 1, 2)), chosen.choice((100, 30))
        reshuffle = not special and chosen.random() < 0.6
        packs, dealer = 2 if players > 5 else 1, lot.randrange(players)
        deck = lot.sample(sorted(self.numbers) * packs, len(self.numbers) * packs)
        options = {
            "draw_limit": limit,
            "max_turns": turns,
            "skip_queens": special,
            "reverse_aces": special,
            "draw_twos": 2 if special else 0,
            "empty_stock": "reshuffle" if reshuffle else "pass",
        }
        parameters = {
            "players": players,
            "max_draw_cards": limit,
            "max_turns": turns,
            "use_special_cards": special,
            "reshuffle": reshuffle,
        }
        ours = self.rules.game(players=players, options=options).start(
            seed=lot.randrange(1 << 32), chance={"first dealer": f"P{dealer + 1}", "shuffle": {"deal": deck}}
        )
        yield Deal(
            pyspiel.load_game("crazy_eights", parameters).new_initial_state(),
            ours,
            self._chance(dealer, deck, players * (7 if players == 2 else 5), None if not reshuffle else ours),
        )

    def _chance(self, dealer: int, deck: list[str], hands: int, ours: interpreter.State | None) -> Iterator[int]:
        """The dealer, then the cards as they lie. An eight that is turned up first goes to the bottom."""
        yield FIRST_DEALER + dealer
        yield from (self.numbers[card] for card in deck[:hands])
        turned = hands
        while deck[turned].startswith("8"):
            yield self.numbers[deck[turned]]
            turned += 1
        yield self.numbers[deck[turned]]
        if ours is None:
            yield from (self.numbers[card] for card in deck[turned + 1 :] + deck[hands:turned])
        while True:  # a stock that was shuffled again: what ours has drawn
            (drawn,) = Counter(ours.zone("hand", self.mover)) - self.held
            yield self.numbers[drawn]

    def choose(self, lot: Random, deal: Deal, actions: Sequence[int]) -> int:
        self.mover = deal.theirs.current_player()
        self.held = Counter(deal.ours.zone("hand", self.mover))
        return lot.choice(actions)

    def actions(self, move: str) -> list[tuple[int, ...]]:
        what, *values = move.split()
        if what == "play":
            return [tuple(self.numbers[value] if value in self.numbers else SUITS[value] for value in values)]
        return [(PASS if what == "pass" else DRAW,)]

    def result(self, deal: Deal) -> tuple[object, object]:
        return (deal.theirs.returns(), True), ([-score for score in deal.ours.scores], deal.ours.over)

    def marks(self, deal: Deal) -> list[str]:
        return ["out of cards"] * (max(deal.theirs.returns()) == 0) + ["turns used up"] * (
            deal.ours.value("plays") == deal.ours.game.options["max_turns"]
        )
