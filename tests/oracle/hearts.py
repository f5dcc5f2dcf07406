"""Hearts: single deals, passed in each way and not at all, with every parameter by lot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random

import pyspiel

from .driver import HERE, Comparison, Deal, dealt, numbers_of

WAYS = ("hold", "left", "across", "right")
"""What chance brings first, by its number."""
FLAGS = (
    "no_pts_on_first_trick",
    "can_lead_any_club",
    "jd_bonus",
    "avoid_all_tricks_bonus",
    "must_break_hearts",
    "can_lead_hearts_instead_of_qs",
)
SETTINGS = 24
"""How many settings of the parameters are played: a game is compiled for each."""
ALL_POINTS = 26


class Hearts(Comparison):
    overlay = HERE / "hearts-openspiel.yaml"
    together = frozenset({"passing"})
    numbers = numbers_of("hearts", 0)
    shooting = False

    def deals(self, lot: Random) -> Iterator[Deal]:
        chosen = Random(lot.randrange(SETTINGS))
        flags = {name: chosen.random() < 0.5 for name in FLAGS}
        queen, way = chosen.random() < 0.5, chosen.randrange(len(WAYS))
        self.shooting = lot.random() < 0.25
        deck = self._deck(lot)
        options = flags | {"queen_breaks_hearts": "any_play" if queen else "never", "pass_cycle": [WAYS[way]]}
        order = dealt([deck[p::4] for p in range(4)], first=0)
        yield Deal(
            pyspiel.load_game("hearts", flags | {"qs_breaks_hearts": queen}).new_initial_state(),
            self.rules.game(players=4, options=options).start(chance={"shuffle": {"deal": order}}),
            iter([way] + [self.numbers[card] for card in deck]),
        )

    def _deck(self, lot: Random) -> list[str]:
        """A shuffled pack, from which the first player is dealt high cards where that one is to shoot the moon."""
        deck = lot.sample(sorted(self.numbers), len(self.numbers))
        if self.shooting:
            strong = [card for card in deck if card[0] in "JQKA"][:13]
            weak = [card for card in deck if card not in strong]
            deck = [strong.pop() if place % 4 == 0 else weak.pop() for place in range(len(deck))]
        return deck

    def actions(self, move: str) -> list[tuple[int, ...]]:
        what, *cards = move.split()
        played = [self.numbers[card] for card in cards]
        return list(permutations(played)) if what == "pass" else [tuple(played)]

    def choose(self, lot: Random, deal: Deal, actions: Sequence[int]) -> int:
        """By lot, but in some deals the first player plays high, or nobody would ever shoot the moon."""
        if not self.shooting:
            return lot.choice(actions)
        high = deal.theirs.current_player() == 0 and deal.ours.phase != "passing"
        return max(actions) if high else min(actions)

    def table(self, deal: Deal) -> tuple[object, object]:
        told = deal.theirs.to_dict()
        return (
            (told["points"], told["hearts_broken"]),
            (
                [deal.ours.value("points_taken", p) for p in range(4)],
                deal.ours.value("broken") or not deal.ours.game.options["must_break_hearts"],
            ),
        )

    def result(self, deal: Deal) -> tuple[object, object]:
        return deal.theirs.returns(), [ALL_POINTS - score for score in deal.ours.scores]

    def marks(self, deal: Deal) -> list[str]:
        return ["moon"] * (max(deal.ours.scores) >= ALL_POINTS and deal.ours.value("shooter") is not None)
