"""How hidden cards may lie as well, for all that a player sees: what would be otherwise then hangs on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import IntEnum

from interpreter.engine.budget import charge
from interpreter.engine.chance import Dice, shuffle
from interpreter.engine.packets import as_tuple, mask_of
from interpreter.engine.position import Position
from interpreter.engine.program import StageCode
from interpreter.engine.sight import Eyes

SAMPLES = 96
"""Ways at random in which hidden cards may lie, of which it is looked whether they would make a difference."""
MOST_EXCHANGED = 2_000
"""Ways in which hidden cards may lie that are tried besides: each differs from the first in two cards."""
LAID = 4
"""Steps that count for each card that is laid otherwise."""


class Told(IntEnum):
    """Whether something told of hidden cards. PERHAPS: as far as it was tried it did not."""

    NOTHING = 0
    PERHAPS = 1
    SOMETHING = 2


def tells_who(asker: Position, course: Sequence[Position], stage: StageCode, players: Sequence[int]) -> Told:
    """Whether who takes part in a stage could be others if what some players do not see lay otherwise.

    asker: the state to which it is counted what all of it takes: raises TooMuch. course: the states in which something
    was decided, and the last.

    Where it is asked of each card that somebody holds by itself, each is tried, and nothing is left to chance. Else
    some ways are, the same whatever lies where: else the answer would tell of that.
    """
    told = Told.NOTHING
    for state in course[1:]:
        if not any(frame.stage == stage.index for frame in state.stack):
            continue
        for player in players:
            unseen = _Unseen(state, player, stage, asker)
            if unseen.by_card:
                if unseen.decides_by_card():
                    return Told.SOMETHING
            elif unseen.decides():
                return Told.SOMETHING
            else:
                told = Told.PERHAPS
    return told


class _Unseen:
    """The cards that a player does not see in a state, where they lie, and what makes them decide who takes part in a
    stage. asker: the state to which it is counted what that takes."""

    def __init__(self, s: Position, player: int, stage: StageCode, asker: Position) -> None:
        self._s, self._new, self._stage, self._asker = s, s.copy(), stage, asker
        self.by_card = s.program.secrets().stages[stage.index].players_by_card
        """By place whose it is, where it is asked of each card by itself."""
        lying = [(place, at, card) for place, kept in enumerate(s.z) for at, card in enumerate(as_tuple(kept))]
        eyes = Eyes(s, asker)
        hidden = [each for each in lying if not eyes.at(each[2], each[0]) >> player & 1]
        self._slots = [(place, at) for place, at, _ in hidden]
        self._cards = sorted(card for _, _, card in hidden)
        self._down = [s.down >> card & 1 for _, _, card in hidden]
        self._seen = [kept if type(kept) is not int else kept & ~mask_of(self._cards) for kept in s.z]
        """By place the bits of the cards that the player sees there; where there is an order, all of them."""

    def _players(self) -> Sequence[int]:
        """Who takes part as the cards lie now."""
        before = self._new.spent
        found = self._stage.players(self._new)
        charge(self._asker, LAID * len(self._slots) + self._new.spent - before)
        return found

    def decides(self) -> bool:
        """Whether others would take part if these cards lay otherwise, as far as it is tried."""
        now = self._players()
        return any(self._players() != now for _ in self._laid_otherwise())

    def _laid_otherwise(self) -> Iterator[None]:
        """The cards laid in other places, one way after the other: at random, and with each card at each place once."""
        first: list[int] = []
        for sample in range(SAMPLES):
            cards = self._cards[:]
            shuffle(Dice(sample), cards)
            first = first or cards
            self._lay(cards)
            yield
        by_place: dict[int, list[int]] = {}
        for slot, (place, _) in enumerate(self._slots):
            by_place.setdefault(place, []).append(slot)
        exchanged = 0
        for place, slots in by_place.items():
            for slot, (other, _) in enumerate(self._slots):
                if other != place and exchanged < MOST_EXCHANGED:
                    exchanged += 1
                    cards, here = first[:], slots[slot % len(slots)]
                    cards[slot], cards[here] = cards[here], cards[slot]
                    self._lay(cards)
                    yield

    def _lay(self, cards: Sequence[int]) -> None:
        """Lay cards in the places of those that are hidden."""
        new, masks = self._new, dict[int, int]()
        for (place, at), card in zip(self._slots, cards, strict=True):
            if type(new.z[place]) is int:
                masks[place] = masks.get(place, 0) | 1 << card
            else:
                new.z[place][at] = card
        for place, mask in masks.items():
            new.z[place] = self._seen[place] | mask
        turned = mask_of(card for card, is_down in zip(cards, self._down, strict=True) if is_down)
        new.down = self._s.down & ~mask_of(cards) | turned

    def decides_by_card(self) -> bool:
        """Whether these cards make a difference to who takes part where that is asked of each card by itself.

        Each is tried alone, with those that are seen. Where some let their holder take part and others do not, those
        count that do not prevail as soon as one of the others is held: whether there are enough of them.
        """
        slots = Counter(place for place, _ in self._slots)
        return any(self._decides_at(place, slots[place]) for place in slots.keys() & self.by_card)

    def _decides_at(self, place: int, number: int) -> bool:
        """Whether the hidden cards at a place make a difference to whether its player takes part. number: of them."""
        new, player, kept = self._new, self.by_card[place], self._s.z[place]
        hidden = {at for where, at in self._slots if where == place}
        seen = [card for at, card in enumerate(as_tuple(kept)) if at not in hidden]

        def takes_part(*cards: int) -> bool:
            new.z[place] = [*seen, *cards] if type(kept) is list else mask_of([*seen, *cards])
            return player in self._players()

        found: dict[bool, list[int]] = {True: [], False: []}
        for card in self._cards:
            found[takes_part(card)].append(card)
        weaker = not takes_part(found[True][0], found[False][0]) if found[True] and found[False] else False
        new.z[place] = kept if type(kept) is int else kept[:]
        return bool(found[True] and found[False]) and len(found[weaker]) >= number
