"""Go Fish, from a ruleset of its own beside this file: two to nine players, with every parameter by lot."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pyspiel

from .driver import HERE, Comparison, Deal

RANKS = "2 3 4 5 6 7 8 9 10 J Q K A".split()
PACK = [rank + suit for rank in RANKS for suit in "CDHS"]
SETTINGS = 4
"""How many settings of the parameters are played: a game is compiled for each."""


class GoFish(Comparison):
    overlay = HERE / "go-fish-openspiel.yaml"

    def deals(self, lot: Random) -> Iterator[Deal]:
        players, chosen = lot.randint(2, 9), Random(lot.randrange(SETTINGS))
        ends = chosen.random() < 0.3
        options = {
            "end_on_first_out": ends,
            "most_books_wins": not ends or chosen.random() < 0.5,
            "ask_after_empty_draw": chosen.random() < 0.5,
        }
        deck = lot.sample(PACK, len(PACK))
        yield Deal(
            pyspiel.load_game("go_fish", options | {"players": players}).new_initial_state(),
            self.rules.game(players=players, options=options | {"first_dealer": f"P{players}"}).start(
                chance={"shuffle": {"deal": deck}}
            ),
            iter([RANKS.index(card[:-1]) for card in deck]),
        )

    def actions(self, move: str) -> list[tuple[int, ...]]:
        _, whom, rank = move.split()
        return [((int(whom[1:]) - 1) * len(RANKS) + RANKS.index(rank),)]

    def table(self, deal: Deal) -> tuple[object, object]:
        """What lies where: the ranks in each hand and in the stock, and how many books each has."""
        ours, players = deal.ours, range(deal.ours.game.players)
        hands = [f"{_ranks(ours.zone('hand', p))}:{ours.value('books', p)}" for p in players]
        return str(deal.theirs).split("\n")[2:], [*hands, _ranks(ours.zone("stock"))]

    def result(self, deal: Deal) -> tuple[object, object]:
        """It gives one point to the winners and takes one from the others."""
        won, players = deal.ours.winners, deal.ours.game.players
        shares = [1 / len(won) if p in won else -1 / (players - len(won)) for p in range(players)]
        return deal.theirs.returns(), shares if len(won) < players else [0] * players

    def marks(self, deal: Deal) -> list[str]:
        return ["out of cards"] * (deal.ours.value("out_first") is not None) + ["a draw"] * (len(deal.ours.winners) > 1)


def _ranks(cards: list[str]) -> str:
    """Cards as its text has them: a letter for each rank and how many there are of it."""
    held = [card[:-1] for card in cards]
    return "".join(f"{chr(ord('a') + place)}{held.count(rank)}" for place, rank in enumerate(RANKS) if rank in held)
