"""Gin Rummy: single hands, with every number that OpenSpiel lets one choose by lot."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random

import pyspiel

from .driver import HERE, Comparison, Deal, card_of, dealt, numbers_of

TAKE, DRAW, PASS, KNOCK, FIRST_MELD = 52, 53, 54, 55, 56
"""Its actions: cards, the ways to draw, to pass, to knock, and melds."""
WORDS = {"take": TAKE, "draw": DRAW, "refuse": PASS, "done": PASS, "leave": PASS, "stop": PASS}
HAND = 10
SETTINGS = 6
"""How many settings of the parameters are played: a game is compiled for each."""


def _melds(state: pyspiel.State) -> dict[frozenset[str], int]:
    """The numbers of its melds, by the cards in them."""
    texts = {action: state.action_to_string(0, action).split()[-1] for action in range(FIRST_MELD, 241)}
    return {frozenset(card_of(card) for card in re.findall("..", text)): action for action, text in texts.items()}


class GinRummy(Comparison):
    overlay = HERE / "gin-rummy-openspiel.yaml"
    numbers = numbers_of("gin_rummy")
    melds = _melds(pyspiel.load_game("gin_rummy").new_initial_state())
    count = pyspiel.gin_rummy.GinRummyUtils(13, 4, HAND)

    def deals(self, lot: Random) -> Iterator[Deal]:
        chosen = Random(lot.randrange(SETTINGS))
        bonuses = {"gin_bonus": chosen.choice((25, 0, 7)), "undercut_bonus": chosen.choice((25, 0, 3))}
        limit, oklahoma = chosen.choice((10, 10, 5)), chosen.random() < 0.3
        yield self.deal(lot.sample(sorted(self.numbers), len(self.numbers)), limit, {**bonuses, "oklahoma": oklahoma})

    def deal(self, deck: list[str], limit: int, options: dict[str, int | bool]) -> Deal:
        """The deal of a pack: the first player's hand, the other's, the card turned up, and the stock from its top."""
        order = dealt([deck[:HAND], deck[HAND : 2 * HAND]], first=0) + deck[2 * HAND :]
        return Deal(
            pyspiel.load_game("gin_rummy", {**options, "knock_card": limit}).new_initial_state(),
            self.rules.game(options={**options, "knock_limit": limit}).start(chance={"shuffle": {"deal": order}}),
            iter([self.numbers[card] for card in deck]),
        )

    def actions(self, move: str) -> Iterator[tuple[int, ...]]:
        what, _, rest = move.partition(" ")
        if what in ("knock", "end_knock"):  # knocking, a card, and then the melds in any order
            card, _, spread = rest.partition(" ")
            melds = [self._meld(meld) for meld in spread.split("/") if meld.strip() != "nothing"]
            for order in permutations(melds):
                yield (KNOCK, self.numbers[card], *order, PASS)
        elif what == "lay":
            yield (self._meld(rest),)
        else:
            yield (WORDS[what] if what in WORDS else self.numbers[rest],)

    def _meld(self, text: str) -> int:
        return self.melds[frozenset(text.split())]

    def left_out(self, deal: Deal, player: int) -> frozenset[str]:
        """It lays out eleven cards before it takes away the highest that is left over, and so may find no knock.

        Laid out otherwise there may be a higher card to take away. Its own count of the ten cards shows that.
        """
        state, offered = deal.theirs, deal.theirs.legal_actions()
        at_wall = state.current_phase() == pyspiel.gin_rummy.Phase.WALL
        hand = state.hands()[player] + ([state.upcard()] if at_wall else [])
        if KNOCK in offered or len(hand) <= HAND or self.count.min_deadwood(hand) <= state.knock_card():
            return frozenset()
        return frozenset({"knock", "end_knock"}) if self.count.legal_discards(hand, state.knock_card()) else frozenset()

    def choose(self, lot: Random, deal: Deal, actions: Sequence[int]) -> int:
        """By lot, but mostly as somebody would who wants to knock, or hardly anybody could."""
        hand = deal.theirs.hands()[deal.theirs.current_player()]
        if lot.random() < 0.1:
            return lot.choice(actions)
        if DRAW in actions and TAKE in actions:
            helps = self.count.min_deadwood([*hand, deal.theirs.upcard()]) < self.count.min_deadwood(hand)
            return TAKE if helps else DRAW
        if KNOCK in actions:
            return KNOCK if lot.random() < 0.4 else PASS if PASS in actions else lot.choice(actions)
        if len(hand) > HAND:
            return min(actions, key=lambda card: self.count.min_deadwood([other for other in hand if other != card]))
        return lot.choice([action for action in actions if action != PASS] or actions)

    def table(self, deal: Deal) -> tuple[object, object]:
        theirs, ours = deal.theirs, deal.ours
        hands = [sorted(self.numbers[card] for card in ours.zone("hand", p)) for p in range(2)]
        return ([sorted(hand) for hand in theirs.hands()], theirs.knock_card()), (hands, ours.value("limit"))

    def result(self, deal: Deal) -> tuple[object, object]:
        mine, other = deal.ours.scores
        return (deal.theirs.returns(), True), ([mine - other, other - mine], deal.ours.over)

    def marks(self, deal: Deal) -> list[str]:
        theirs, knocker = deal.theirs, deal.ours.value("knocker")
        if knocker is None:
            return ["no knock"]
        gin, other = theirs.deadwood()[int(knocker[1]) - 1] == 0, 2 - int(knocker[1])
        undercut = ["undercut"] * (theirs.returns()[other] > 0)
        return ["gin" if gin else "knock", *undercut, *["laid off"] * bool(theirs.layoffs())]
