"""Every combination of a kind that some cards hold: lane by lane, rank by rank."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, combinations
from typing import Any, NamedTuple

from interpreter.engine.melds.combinations import Cards, Face, Meld, MeldKind
from interpreter.engine.packets import bits, mask_of_packet
from interpreter.engine.rule_errors import RuleError

MOST_TRIED = 200_000
"""Steps of one search; there may be more combinations than anybody can look at."""
STEP = 20
"""What a step counts among those of a move."""
TRIED = 60
"""What a step counts of a search whose answer is not kept."""
MANY = 10
"""A combination takes one more step for each so many of its cards."""
PART = 2
"""What a combination counts at least that is looked at as a part of another."""
MOST_KEPT = 60_000
"""Steps of which a game keeps what was found, to be found again."""
AGAIN = 140
"""What a step beyond those counts among those of a move: they are taken each time that it is asked."""

NO_SIZES = 0, 0

Found = tuple[tuple[Meld, ...], int]
"""Combinations, and how many steps it took to find them."""
FoundMasks = tuple[tuple[int, ...], int]
"""Combinations as bits, and how many steps it took to find them."""


class Ways:
    """The ways to take some of certain cards that are not alike, each with the first copies, equal ones together."""

    __slots__ = ("_alike", "_among", "_cards", "_heaps", "_left")

    def __init__(self, alike: Sequence[int], cards: int) -> None:
        self._alike = alike
        self._cards = cards
        self._among: list[int] = []
        """The cards, equal ones together; sorted out when they are first asked for."""

    def of(self, size: int) -> Iterable[tuple[int, ...]]:
        """The ways to take so many of the cards."""
        if not size:
            return ((),)
        if not self._among:
            self._sort_out()
        if len(self._heaps) == len(self._among):
            return combinations(self._among, size)
        if size == len(self._among):
            return (tuple(self._among),)
        return _of_each(self._heaps, self._left, 0, size, ())

    def _sort_out(self) -> None:
        self._among = sorted(bits(self._cards), key=self._alike.__getitem__)
        copies: dict[int, tuple[int, ...]] = {}
        for card in self._among:
            copies[self._alike[card]] = (*copies.get(self._alike[card], ()), card)
        self._heaps = list(copies.values())
        self._left = list(accumulate(map(len, reversed(self._heaps)), initial=0))[::-1]


def _of_each(
    heaps: Sequence[tuple[int, ...]], left: Sequence[int], begin: int, size: int, before: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    """What is taken before and so many cards of the heaps of equal ones from one on: of each heap the first.

    left: how many cards there are from each heap on; where they are too few, nothing is tried.
    """
    for at in range(begin, len(heaps)):
        if left[at] < size:
            return
        for number in range(min(size, len(heaps[at])), 0, -1):
            taken = before + heaps[at][:number]
            if number == size:
                yield taken
            elif left[at + 1] >= size - number:
                yield from _of_each(heaps, left, at + 1, size - number, taken)


def _reach(short: Sequence[int], places: range, spare: int) -> tuple[list[int], list[int]]:
    """How far one comes with the wild cards to spare: which places in the order, and how many it takes at least.

    short: how many cards are missing at each place; after the last the first follows.
    """
    reached: list[int] = []
    lack, lacks = 0, [0]
    for at in places:
        at %= len(short)
        lack += short[at]
        if lack > spare:
            break
        reached.append(at)
        lacks.append(lack)
    return reached, lacks


class Kept:
    """What the searches of a game keep together of what they have found: no more than there is room for.

    The oldest makes room for the newest, so that none of them has to wait until everything is thrown away.
    """

    __slots__ = ("_order", "_room", "all")

    def __init__(self) -> None:
        self._room = MOST_KEPT
        self._order: deque[tuple[dict[Any, Any], Any, int]] = deque()
        self.all: list[dict[Any, Any]] = []
        """What each search has found."""

    def of_search(self) -> dict[Any, Any]:
        """Where a search keeps what it has found."""
        found: dict[Any, Any] = {}
        self.all.append(found)
        return found

    def keep(self, found: dict[Any, Any], key: Any, value: Any, steps: int) -> None:
        """Keep what took so many steps, and was not kept before, if there is ever room for so much."""
        if steps > MOST_KEPT:
            return
        self._room -= steps
        while self._room < 0:
            oldest, its_key, freed = self._order.popleft()
            del oldest[its_key]
            self._room += freed
        found[key] = value
        self._order.append((found, key, steps))


class _Lane(NamedTuple):
    """Cards within which a combination lies, but for wild ones, and what was found of them.

    key: their rank or suit, or -1. What was found stands by the cards of the lane and the wild ones. Each lane keeps
    its own, for a table grows by being written out again whole, and somebody waits for it.
    """

    cards: int
    key: int
    melds: dict[tuple[int, int], Found]
    masks: dict[tuple[int, int], FoundMasks]


class _Run(NamedTuple):
    """Where cards that follow one another begin, rank by rank.

    lacks: how many wild cards it takes at least for so many of the ranks. fewest: how many ranks it has at least.
    ways: for each rank, the ways to take its cards: how many wild ones, those that are not, and what each stands for.
    """

    suit: int | None
    ranks: list[int]
    lacks: list[int]
    fewest: int
    ways: list[list[tuple[int, tuple[int, ...], tuple[Face | None, ...]]]]


class Search:
    """Finds the combinations of a kind. Of cards that are alike it takes the first.

    Two are equal that find the same, whatever they have found already.
    """

    __slots__ = (
        "_all_wild", "_cards", "_lanes", "_of_rank", "_orders", "_parts", "_plain", "_single", "_tried", "_whole",
        "kept", "kind",
    )  # fmt: skip

    def __init__(self, kind: MeldKind, cards: Cards, kept: Kept | None = None) -> None:
        """kept: shared by the searches of a game."""
        self.kind = kind
        self.kept = kept or Kept()
        self._cards = cards
        self._parts = [Search(part, cards, self.kept) for part in kind.parts]
        of_rank: dict[int, int] = {}
        of_suit: dict[int, int] = {}
        for card, (rank, suit) in enumerate(zip(cards.ranks, cards.suits, strict=True)):
            if rank is not None and suit is not None:
                of_rank[rank] = of_rank.get(rank, 0) | 1 << card
                of_suit[suit] = of_suit.get(suit, 0) | 1 << card
        self._of_rank = of_rank
        whole = {-1: sum(of_rank.values())}
        lanes = of_rank if kind.same == "rank" else of_suit if kind.same == "suit" else whole
        room = self.kept.of_search
        self._lanes = tuple(_Lane(lane, key, room(), room()) for key, lane in sorted(lanes.items()))
        self._single: dict[int, tuple[tuple[int, ...], ...]] = self.kept.of_search()
        self._tried = 0
        self._whole = False
        """Whether no card may be left over."""
        self._all_wild = kind.naturals[0] == 0
        self._orders = [(*(of_rank.get(rank, 0) for rank in order), 0) for order in kind.orders]
        """The cards of each rank, rank by rank, and none after the last."""
        joined = kind.each > 1 or kind.wrap or kind.wilds[0]
        self._plain = NO_SIZES if joined else (max(kind.low, kind.naturals[0]), min(kind.high, kind.naturals[1]))
        """How many cards there may be without wild ones, if one of a rank is enough and nothing follows the last."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Search) and (self.kind, self._cards) == (other.kind, other._cards)

    def __hash__(self) -> int:
        return hash(self.kind)

    def melds(self, cards: int, wild: int) -> Found:
        """All combinations that some cards hold. Raises RuleError if there are too many to look at."""
        found: list[Meld] = []
        self._tried = 1
        if self._parts:
            self._tried = 0
            return tuple(self._joined(cards, wild, 0, ())), self._tried
        own, least = cards & wild, self.kind.low - min(self.kind.wilds[1], (cards & wild).bit_count())
        for lane in self._lanes:
            x = cards & lane.cards & ~wild
            if (x or self._all_wild) and x.bit_count() >= least:
                found += self._in_lane(lane, x, own)
        return tuple(found), self._tried

    def masks(self, cards: int, wild: int) -> tuple[list[int], int]:
        """All combinations that some cards hold, each as bits, and how many steps it took to find them.

        Raises RuleError if there are too many to look at.
        """
        if self._parts:
            melds, tried = self.melds(cards, wild)
            return [mask_of_packet(meld.cards) for meld in melds], tried
        found: list[int] = []
        self._tried = 1
        own, least = cards & wild, self.kind.low - min(self.kind.wilds[1], (cards & wild).bit_count())
        look = self._masks_in_lane if own or self._plain == NO_SIZES else self._plain_masks
        for lane in self._lanes:
            x = cards & lane.cards
            if x.bit_count() >= least and ((x := x & ~wild) or self._all_wild):
                found += look(lane, x, own)
        return found, self._tried

    def exactly(self, cards: int, wild: int) -> tuple[Meld, ...]:
        """The combinations of which some cards are all: several where wild cards can stand for several things."""
        size = cards.bit_count()
        self._tried = 0
        if not self.kind.low <= size <= self.kind.high:
            return ()
        if self._parts:
            return tuple(meld for meld in self.melds(cards, wild)[0] if len(meld.cards) == size)
        x = cards & ~wild
        found: tuple[Meld, ...] = ()
        self._tried, self._whole = 0, True
        try:
            for lane in self._lanes:
                if (x or self._all_wild) and not x & ~lane.cards:
                    found += tuple(self._within(lane.key, x, cards & wild, size, size))
                    if x:
                        break
        finally:
            self._whole = False
        return found

    @property
    def tried(self) -> int:
        """How many steps the last search took; what was found before takes none."""
        return self._tried

    # ---- what is kept ---------------------------------------------------------------------------

    def _in_lane(self, lane: _Lane, x: int, wild: int) -> tuple[Meld, ...]:
        """The combinations of a lane, looked for unless they are kept."""
        known = lane.melds.get((x, wild))
        if known is not None:
            self._count(known[1])
            return known[0]
        before = self._tried
        melds = tuple(self._within(lane.key, x, wild, self.kind.low, self.kind.high))
        steps = self._tried - before
        self.kept.keep(lane.melds, (x, wild), (melds, steps), 1 + steps)
        return melds

    def _masks_in_lane(self, lane: _Lane, x: int, wild: int) -> tuple[int, ...]:
        """The melds of a lane as bits; they themselves are not kept, for who counts seldom wants to see them, too."""
        known = lane.masks.get((x, wild))
        if known is not None:
            self._count(known[1])
            return known[0]
        before = self._tried
        melds = self._within(lane.key, x, wild, self.kind.low, self.kind.high)
        found = tuple({mask_of_packet(meld.cards): None for meld in melds})
        self.kept.keep(lane.masks, (x, wild), (found, self._tried - before), 1 + len(found))
        return found

    def _different(self, cards: int, size: int) -> Iterable[tuple[int, ...]]:
        """The ways to take so many of some cards that are not alike; those to take a single one are kept."""
        if size != 1:
            return Ways(self._cards.alike, cards).of(size) if size else ((),)
        known = self._single.get(cards)
        if known is None:
            known = tuple(Ways(self._cards.alike, cards).of(1))
            self.kept.keep(self._single, cards, known, 1 + len(known))
        return known

    # ---- one lane -------------------------------------------------------------------------------

    def _count(self, steps: int) -> None:
        self._tried += steps
        if self._tried > MOST_TRIED:
            raise RuleError(f"there are too many ways to make '{self.kind.name}' of so many cards")

    def _step(self, size: int) -> None:
        """Count a combination, or what one begins with. size: how many cards that are."""
        self._count(1 + size // MANY)

    def _within(self, key: int, x: int, wild: int, low: int, high: int) -> Iterator[Meld]:
        """The combinations of a lane. x: its cards that are not wild."""
        if self.kind.orders:
            return self._consecutive(key, x, wild, low, high)
        return self._alike(key, x, wild, low, high)

    def _alike(self, key: int, x: int, wild: int, low: int, high: int) -> Iterator[Meld]:
        """Cards of one rank, or of one suit."""
        kind, cards, of_rank = self.kind, self._cards, self.kind.same == "rank"
        face: Face = (key, None) if of_rank else (None, key)
        fewest, most = kind.naturals
        some, spare = kind.wilds[0], min(wild.bit_count(), kind.wilds[1])
        suit, owns, wilds = None if of_rank else key, Ways(cards.alike, x), Ways(cards.alike, wild)
        if some > spare:
            return
        rank_of = cards.ranks.__getitem__
        lowest = highest = key if of_rank else None
        for number in range(max(fewest, low - spare), min(most, high - some, x.bit_count()) + 1):
            for own in owns.of(number):
                if not of_rank:
                    ranks = [rank for rank in map(rank_of, own) if rank is not None]
                    lowest, highest = min(ranks, default=None), max(ranks, default=None)
                for more in range(max(some, low - number), min(spare, high - number) + 1):
                    stands, steps = (*((None,) * number), *((face,) * more)), 1 + (number + more) // MANY
                    for others in wilds.of(more):
                        self._count(steps)
                        yield Meld(kind.name, own + others, stands, lowest, highest, suit)

    def _consecutive(self, key: int, x: int, wild: int, low: int, high: int) -> Iterator[Meld]:
        """Cards that follow one another: each way once, though it may be in several orders."""
        kind = self.kind
        known: set[tuple[tuple[int, ...], tuple[Face | None, ...]]] = set()
        fewest, most, spare = -(-low // kind.each), high // kind.each, min(wild.bit_count(), kind.wilds[1])
        for order in kind.orders:
            held = [x & self._of_rank.get(rank, 0) for rank in order]
            short = [max(0, kind.each - here.bit_count()) for here in held]
            for start in range(len(order)):
                end = start + min(most, len(order) if kind.wrap else len(order) - start)
                self._count((end - start) // MANY)
                if short[start] > spare:
                    continue
                reached, lacks = _reach(short, range(start, end), spare)
                if len(reached) < fewest:
                    continue
                suit = key if kind.same == "suit" else None
                ways = [self._ways((order[at], suit), held[at], short[at]) for at in reached]
                found: list[Meld] = []
                self._grow(found, _Run(suit, [order[at] for at in reached], lacks, fewest, ways), 0, wild, (), (), 0)
                for meld in found:
                    if len(kind.orders) > 1:
                        if (meld.cards, meld.stands) in known:
                            continue
                        known.add((meld.cards, meld.stands))
                    yield meld

    def _ways(self, face: Face, here: int, short: int) -> list[tuple[int, tuple[int, ...], tuple[Face | None, ...]]]:
        """The ways to take the cards of a rank, the fewest wild cards first. short: how many there must be."""
        each = self.kind.each
        return [
            (more, own, (None,) * (each - more) + (face,) * more)
            for more in range(short, (short if self._whole else each) + 1)
            for own in self._different(here, each - more)
        ]

    def _grow(
        self,
        found: list[Meld],
        run: _Run,
        at: int,
        wild: int,
        taken: tuple[int, ...],
        stands: tuple[Face | None, ...],
        used: int,
    ) -> None:
        """Add what begins with the cards taken so far. at: the number of ranks of which they are.

        wild: the wild cards that are left. used: how many of those taken are wild.
        """
        kind = self.kind
        self._tried += 1 + len(taken) // MANY  # as `_step` counts
        if self._tried > MOST_TRIED:
            self._count(0)
        fewest, lacks = run.fewest, run.lacks
        if at >= fewest and used >= kind.wilds[0] and kind.naturals[0] <= len(taken) - used <= kind.naturals[1]:
            found.append(Meld(kind.name, taken, stands, run.ranks[0], run.ranks[at - 1], run.suit))
        left = min(wild.bit_count(), kind.wilds[1] - used)
        if at == len(run.ranks) or lacks[at + 1 if at >= fewest else fewest] - lacks[at] > left:
            return
        for more, own, faces in run.ways[at]:
            if not more:
                self._grow(found, run, at + 1, wild, taken + own, stands + faces, used)
            elif more <= left:
                for others in self._different(wild, more):
                    rest = wild & ~mask_of_packet(others)
                    self._grow(found, run, at + 1, rest, taken + own + others, stands + faces, used + more)

    def _plain_masks(self, lane: _Lane, x: int, wild: int) -> Iterable[int]:
        """The combinations of a lane without wild cards, as bits: found sooner than kept and looked up."""
        if not self._orders:
            return self._plain_alike(x)
        runs = [run for order in self._orders for run in self._plain_runs(x, order)]
        return runs if len(self._orders) == 1 else dict.fromkeys(runs)

    def _plain_alike(self, x: int) -> Iterator[int]:
        ways = Ways(self._cards.alike, x)
        low, high = self._plain
        for size in range(low, min(high, x.bit_count()) + 1):
            for way in ways.of(size):
                self._step(size)
                yield mask_of_packet(way)

    def _plain_runs(self, x: int, order: Sequence[int]) -> list[int]:
        """Runs of plain cards in an order. order: the cards of each rank, and none after the last."""
        found: list[int] = []
        low, high = self._plain
        row: list[int] = []
        """The cards held of ranks that follow one another."""
        for rank in order:
            if here := x & rank:
                row.append(here)
            elif row:
                for start in range(len(row) - low + 1):
                    runs = [0]
                    for size, here in enumerate(row[start : start + high], 1):
                        runs = [run | one for run in runs for one in self._ones(here)]
                        self._count(len(runs))
                        if size >= low:
                            found += runs
                row = []
        return found

    def _ones(self, cards: int) -> Sequence[int]:
        """Each of some cards as a bit; of those that are alike the first."""
        return (cards,) if not cards & (cards - 1) else [1 << card for (card,) in self._different(cards, 1)]

    # ---- parts ----------------------------------------------------------------------------------

    def _joined(self, cards: int, wild: int, at: int, before: tuple[Meld, ...]) -> Iterator[Meld]:
        """Combinations of parts, some of them chosen: each of another rank, and of equal parts the highest first."""
        if at == len(self._parts):
            first = before[0]
            taken = tuple(card for part in before for card in part.cards)
            stands = tuple(face for part in before for face in part.stands)
            if not self.kind.wilds[0] <= len(stands) - stands.count(None) <= self.kind.wilds[1]:
                return
            suits = {part.suit for part in before}
            suit = suits.pop() if len(suits) == 1 else None
            yield Meld(self.kind.name, taken, stands, first.low, first.high, suit)
            return
        part = self._parts[at]
        again = at > 0 and self.kind.parts[at] == self.kind.parts[at - 1]
        try:
            melds, steps = part.melds(cards, wild)
        except RuleError:  # it has been given up, and took that long all the same
            self._tried += part.tried
            raise
        self._count(steps)
        size = sum([len(other.cards) for other in before])
        of_rank = part.kind.same == "rank"
        ranks = [other.low for other, p in zip(before, self._parts, strict=False) if of_rank and p.kind.same == "rank"]
        for meld in melds:
            self._count(PART + (size + len(meld.cards)) // MANY)
            if again and (meld.low, meld.cards) >= (before[-1].low, before[-1].cards):
                continue
            if meld.low in ranks:
                continue
            yield from self._joined(cards & ~mask_of_packet(meld.cards), wild, at + 1, (*before, meld))
