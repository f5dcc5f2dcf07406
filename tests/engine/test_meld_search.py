"""Melds are found by search: what is found is what trying all subsets finds, and the best way is the best."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interpreter
from interpreter import IllegalMove, State
from interpreter.engine.budget import MOST_SPENT
from interpreter.engine.melds import search as search_module
from interpreter.engine.melds.combinations import Cards, Meld, MeldKind
from interpreter.engine.melds.meld_library import CHOSEN, melds_asked_in
from interpreter.engine.melds.outside import most_inside
from interpreter.engine.melds.search import AGAIN, MOST_KEPT, MOST_TRIED, STEP, TRIED, Kept, Search, Ways
from interpreter.engine.packets import as_tuple, bits, mask_of_packet
from interpreter.engine.rule_errors import RuleError

RANKS, SUITS = tuple(card // 4 for card in range(52)), tuple(card % 4 for card in range(52))
PACK = Cards(RANKS, SUITS, tuple(range(52)))
TWO_PACKS = Cards(RANKS * 2 + (None,) * 4, SUITS * 2 + (None,) * 4, (*range(52), *range(52), *(104,) * 4))
ACES_LOW = (12, *range(12))
SET = MeldKind("set", 3, 4, "rank")
RUN = MeldKind("run", 3, 52, "suit", (ACES_LOW,))
WORTHS = [min(10, rank + 2) if rank < 12 else 1 for rank in RANKS]

hands = st.sets(st.integers(0, 51), max_size=11)
close_hands = st.sets(st.integers(0, 27), max_size=11)


def shown(cards: Cards, meld: Meld) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """The faces of a meld, and what each of its cards counts as, in an order that is the same for equal ones."""
    pairs = zip(meld.cards, meld.stands, strict=True)
    counted = sorted(
        (cards.alike[c], ((-1, -1) if f is None else tuple(-1 if x is None else x for x in f))) for c, f in pairs
    )
    return tuple(face for face, _ in counted), tuple(stands for _, stands in counted)


def is_plain_meld(cards: tuple[int, ...]) -> bool:
    """Whether cards of one pack are a set or a run with the ace low."""
    ranks, suits = {RANKS[card] for card in cards}, {SUITS[card] for card in cards}
    places = sorted(ACES_LOW.index(RANKS[card]) for card in cards)
    return len(cards) >= 3 and (len(ranks) == 1 or (len(suits) == 1 and places[-1] - places[0] == len(places) - 1))


def brute(cards: set[int]) -> int:
    """The most that disjoint sets and runs of a hand are worth, found by trying all."""
    subsets = (c for size in range(3, len(cards) + 1) for c in combinations(sorted(cards), size))
    melds = [(mask_of_packet(c), sum(WORTHS[card] for card in c)) for c in subsets if is_plain_meld(c)]

    def best(at: int, taken: int) -> int:
        return max((w + best(i + 1, taken | m) for i, (m, w) in enumerate(melds[at:], at) if not m & taken), default=0)

    return best(0, 0)


@settings(max_examples=200, deadline=None)
@given(hands | close_hands)
def test_the_least_outside_is_what_trying_all_ways_leaves(cards: set[int]) -> None:
    masks = [mask for kind in (SET, RUN) for mask in Search(kind, PACK).masks(mask_of_packet(sorted(cards)), 0)[0]]
    inside = most_inside(masks, {card: WORTHS[card] for card in cards})[0] if masks else 0
    assert inside == brute(cards)


def test_counting_what_is_outside_leaves_nothing_to_the_collector() -> None:
    searches, cards = [Search(kind, PACK) for kind in (SET, RUN)], mask_of_packet(range(0, 28, 2))
    bits(cards)  # makes its tables
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        for _ in range(20):
            masks = [mask for search in searches for mask in search.masks(cards, 0)[0]]
            assert most_inside(masks, {card: WORTHS[card] for card in bits(cards)})[0] > 0
        assert len(gc.get_objects()) <= before + 5, "what is kept grows"
        del masks
        assert gc.collect() == 0, "something holds itself"
    finally:
        gc.enable()


@settings(max_examples=100, deadline=None)
@given(close_hands)
def test_the_melds_found_are_the_subsets_that_are_melds(cards: set[int]) -> None:
    mask = mask_of_packet(sorted(cards))
    found = [meld.cards for kind in (SET, RUN) for meld in Search(kind, PACK).melds(mask, 0)[0]]
    subsets = (c for size in range(3, len(cards) + 1) for c in combinations(sorted(cards), size))
    assert sorted(tuple(sorted(c)) for c in found) == sorted(c for c in subsets if is_plain_meld(c))


WILD = 0b1111 << 104 | 0b1111 << 52 | 0b1111
"""Jokers and twos, in two packs."""
HOUSE = (MeldKind("house", 3, 3, "rank"), MeldKind("house", 2, 2, "rank"))
KINDS = [
    MeldKind("set", 3, 4, "rank"),
    MeldKind("set with two naturals", 3, 5, "rank", naturals=(2, 100)),
    MeldKind("set of wild cards alone", 3, 3, "rank", naturals=(0, 100)),
    MeldKind("flush of wild cards alone", 3, 4, "suit", naturals=(0, 100)),
    MeldKind("run of wild cards alone", 3, 4, "", (tuple(range(13)),), naturals=(0, 100)),
    MeldKind("run", 3, 5, "suit", (ACES_LOW, tuple(range(13)))),
    MeldKind("around the corner", 3, 4, "suit", (tuple(range(13)),), wrap=True),
    MeldKind("straight", 3, 5, "", (tuple(range(13)),)),
    MeldKind("stairs", 4, 6, "", (tuple(range(13)),), each=2),
    MeldKind("flush", 3, 4, "suit"),
    MeldKind("set with one wild card at most", 3, 5, "rank", wilds=(0, 1)),
    MeldKind("set with two wild cards", 3, 4, "rank", wilds=(2, 2)),
    MeldKind("run with one wild card at most", 3, 5, "suit", (tuple(range(13)),), wilds=(0, 1)),
    MeldKind("stairs with one or two wild cards", 4, 6, "", (tuple(range(13)),), each=2, wilds=(1, 2)),
    MeldKind("house with one wild card at most", 5, 5, wilds=(0, 1), parts=HOUSE),
    MeldKind("house", 5, 5, parts=HOUSE),
    MeldKind("two pairs", 4, 4, parts=(MeldKind("two pairs", 2, 2, "rank"), MeldKind("two pairs", 2, 2, "rank"))),
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@settings(max_examples=12, deadline=None)
@given(st.sets(st.integers(0, 15) | st.integers(52, 63) | st.integers(104, 107), max_size=8))
def test_what_is_found_of_a_hand_is_what_each_part_of_it_is(kind: MeldKind, cards: set[int]) -> None:
    """Every way to see a part of the hand as a meld, equal cards being one, stands once in the list."""
    search = Search(kind, TWO_PACKS)
    found = [shown(TWO_PACKS, meld) for meld in search.melds(mask_of_packet(sorted(cards)), WILD)[0]]
    parts = (c for size in range(1, len(cards) + 1) for c in combinations(sorted(cards), size))
    each = [shown(TWO_PACKS, meld) for c in parts for meld in search.exactly(mask_of_packet(c), WILD)]
    assert set(found) == set(each)
    for meld in search.melds(mask_of_packet(sorted(cards)), WILD)[0]:
        assert kind.wilds[0] <= len(meld.stands) - meld.stands.count(None) <= kind.wilds[1]
        assert kind.low <= len(meld.cards) <= kind.high and len(set(meld.cards)) == len(meld.cards)
        assert meld in search.exactly(mask_of_packet(meld.cards), WILD)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.wilds != (0, 2_000)], ids=lambda kind: kind.name)
@settings(max_examples=20, deadline=None)
@given(st.sets(st.integers(0, 15) | st.integers(52, 63) | st.integers(104, 107), max_size=9))
def test_of_all_melds_those_are_found_that_have_so_many_wild_cards(kind: MeldKind, cards: set[int]) -> None:
    mask, (fewest, most) = mask_of_packet(sorted(cards)), kind.wilds
    everything = Search(replace(kind, wilds=(0, 2_000)), TWO_PACKS).melds(mask, WILD)[0]
    wanted = [m for m in everything if fewest <= len(m.stands) - m.stands.count(None) <= most]
    search = Search(kind, TWO_PACKS)
    assert list(search.melds(mask, WILD)[0]) == wanted
    assert set(search.masks(mask, WILD)[0]) == {mask_of_packet(meld.cards) for meld in wanted}


def test_a_run_may_go_round_the_corner_only_where_it_is_said() -> None:
    queen_king_ace_two = mask_of_packet([40, 44, 48, 0])
    order = (tuple(range(13)),)
    assert not Search(MeldKind("run", 4, 4, "suit", order), PACK).exactly(queen_king_ace_two, 0)
    (meld,) = Search(MeldKind("run", 4, 4, "suit", order, wrap=True), PACK).exactly(queen_king_ace_two, 0)
    assert (meld.cards, meld.low, meld.high) == ((40, 44, 48, 0), 10, 0)


def test_parts_of_one_rank_differ_in_it() -> None:
    five_of_a_rank = mask_of_packet([0, 1, 2, 52, 53])
    house = Search(MeldKind("house", 5, 5, parts=HOUSE), TWO_PACKS)
    assert not house.exactly(five_of_a_rank, 0)
    (meld,) = house.exactly(mask_of_packet([0, 1, 4, 5, 6]), 0)
    assert (meld.low, meld.high) == (1, 1)


def test_by_rank_one_meld_stands_for_those_that_differ_in_suits() -> None:
    cards = mask_of_packet([0, 1, 2, 4, 5])
    pairs = Search(MeldKind("pair", 2, 2, "rank"), PACK.by_rank)
    assert [meld.cards for meld in pairs.melds(cards, 0)[0]] == [(0, 1), (4, 5)]


def test_what_is_worth_less_than_nothing_may_stay_outside() -> None:
    melds = [0b111, 0b11000]
    assert most_inside(melds, {0: 5, 1: 5, 2: -20, 3: 1, 4: 1})[0] == 2


@pytest.mark.parametrize("cards", [range(52), range(0, 52, 4)])
def test_many_cards_are_searched_without_trying_their_subsets(cards: range) -> None:
    search = Search(MeldKind("run", 3, 52, "suit", (tuple(range(13)),)), PACK)
    found, steps = search.melds(mask_of_packet(cards), 0)
    assert len(found) == 66 * len(bits(mask_of_packet(cards))) // 13 and steps < 100 * len(cards)


def large(copies: int, ranks: int, suits: int) -> Cards:
    """Cards of a large pack: so many ranks and suits, and so many copies of each."""
    faces = range(ranks * suits)
    each = tuple(card // suits for card in faces), tuple(card % suits for card in faces), tuple(faces)
    return Cards(*(of * copies for of in each))


def test_large_melds_count_more_steps_than_small_ones() -> None:
    search = Search(MeldKind("flush", 97, 97, "suit"), large(1, 100, 1))
    found, steps = search.melds((1 << 98) - 1, 0)
    assert len(found) == 98 and steps >= 900
    with pytest.raises(RuleError, match="too many ways to make 'flush'"):  # 161,700 of them
        search.melds((1 << 100) - 1, 0)


@pytest.mark.parametrize("ask", [Search.melds, Search.masks])
def test_the_suits_of_one_search_count_together(
    ask: Callable[[Search, int, int], tuple[object, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.engine.melds.search.MOST_TRIED", 1_000)
    search = Search(MeldKind("flush", 3, 3, "suit"), large(1, 13, 4))
    of_a_suit = [mask_of_packet(range(suit, 52, 4)) for suit in range(4)]
    assert [ask(search, cards, 0)[1] for cards in of_a_suit] == [287] * 4
    for _ in range(2):  # also of what was found before
        assert ask(search, of_a_suit[0] | of_a_suit[1], 0)[1] == 573
        with pytest.raises(RuleError, match="too many ways to make 'flush'"):
            ask(search, sum(of_a_suit), 0)


def test_what_is_looked_at_as_a_part_of_another_counts_twice() -> None:
    part = MeldKind("set", 2, 2, "rank")
    search, cards = Search(MeldKind("two", 4, 4, parts=(part, part)), large(1, 2, 3)), (1 << 6) - 1
    of_one = Search(part, large(1, 2, 3)).melds(cards, 0)[1]
    found, steps = search.melds(cards, 0)
    beside = sum(Search(part, large(1, 2, 3)).melds(cards & ~mask_of_packet(pair), 0)[1] for pair in pairs(6))
    assert len(found) == 9 and steps == of_one + beside + 2 * (6 + 6 * 3)


def pairs(cards: int) -> list[tuple[int, int]]:
    """The pairs of one rank among the first cards of `large(1, 2, 3)`."""
    return [(one, two) for two in range(cards) for one in range(two) if one // 3 == two // 3]


def test_of_equal_cards_no_way_is_tried_that_has_too_few() -> None:
    alike = tuple(range(20)) * 2
    assert sum(1 for _ in Ways(alike, (1 << 40) - 1).of(37)) == 1_140 + 20 * 19


def test_what_the_searches_of_a_game_keep_has_room_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.engine.melds.search.MOST_KEPT", 1_000)
    kept, cards = Kept(), large(1, 13, 4)
    for kind in ("a", "b", "c"):
        search = Search(MeldKind(kind, 3, 3, "suit"), cards, kept)
        for suit in range(4):
            search.melds(mask_of_packet(range(suit, 52, 4)), 0)
            assert 0 < sum(len(found) for ways in kept.all for found, _ in ways.values()) <= 1_000
    large_search = Search(MeldKind("d", 6, 6, "suit"), cards, kept)
    assert len(large_search.melds((1 << 52) - 1, 0)[0]) == 4 * 1_716  # more than there is room for
    assert sum(len(found) for ways in kept.all for found, _ in ways.values()) <= 1_000


FLUSHES = """\
format: 1
id: flushes
name: Flushes
players: {min: 2, max: 2}
pack: {standard: 4}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
melds: {flush: {same: suit, size: SIZE}}
flow:
  match: {setup: "shuffle stock; deal 100 from stock to hand", do: [go]}
  go:
    kind: turn
    actions:
      go: {when: any m in melds of flush from hand has m.size = 2}
      pass: {}
"""


@pytest.mark.parametrize(("size", "count"), [(4, STEP), (8, AGAIN)])
def test_what_cannot_be_kept_counts_more_for_it_is_looked_for_each_time(tmp_path: Path, size: int, count: int) -> None:
    path = tmp_path / "flushes.yaml"
    path.write_text(FLUSHES.replace("SIZE", str(size)))
    state = interpreter.load(path).game().start(seed=1)
    found, tried = Search.melds(state.game.program.melds["flush"].search, sum(1 << c for c in cards_of(state)), 0)
    assert (tried > MOST_KEPT) is (count == AGAIN)
    state.legal_moves(state.actors[0])
    asked = state.position.spent
    assert asked >= STEP * min(tried, MOST_KEPT) + count * max(0, tried - MOST_KEPT), f"{len(found)} melds"


def cards_of(state: State) -> tuple[int, ...]:
    """The cards of who is asked."""
    zone = next(zone for zone in state.game.program.zones if zone.name == "hand")
    return as_tuple(state.position.z[zone.base + state.actors[0]])


def test_each_way_to_choose_several_melds_counts_what_it_takes() -> None:
    s = interpreter.load("phase-10").game().start(seed=1).position
    hand = mask_of_packet([card for card, name in enumerate(s.program.cards) if name in ("W", "4R", "5B", "6G")][:11])
    s.spent = 0
    ways = melds_asked_in(s, ("set 3", "run 4"), hand, True)
    assert len(ways) > 50 and s.spent >= CHOSEN * len(ways)


@pytest.mark.parametrize("wilds, high, held", (((2, 2), 5, 0), ((2, 2), 5, 1 << 104), ((3, 4), 4, 0b1111 << 104)))
def test_no_more_cards_are_taken_than_leave_room_for_wild_ones(
    wilds: tuple[int, int], high: int, held: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = []

    def noted(cards: list[int], size: int) -> Iterator[tuple[int, ...]]:
        taken.append(size)
        return combinations(cards, size)

    monkeypatch.setattr(search_module, "combinations", noted)
    found = Search(MeldKind("flush", 3, high, "suit", wilds=wilds), TWO_PACKS)
    found.melds(mask_of_packet(range(0, 52, 4)) | held, WILD & ~0b1111)
    assert max(taken, default=0) <= (high - wilds[0] if held.bit_count() >= wilds[0] else 0)


PARTED = """\
format: 1
id: parted
name: Parted
players: {min: 2, max: 2}
pack: {standard: 8, add: {joker: 20}}
melds:
KINDS
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
flow:
  match: {do: [go], setup: "deal 5 from stock to hand"}
  go: {kind: turn, actions: {lay: {choose: {m: {melds: [NAMES], from: hand}}}, keep: {}}}
"""
MANY_WILD = "wild: card is joker or card is 2 or card is red"


def test_searches_within_parts_that_are_given_up_count_where_words_are_read(tmp_path: Path) -> None:
    names = [f"s{number}" for number in range(9)]
    parts = "[{same: rank, size: 2..24}, {same: suit, size: 2..25}]"
    kinds = [f"  {name}: {{parts: {parts}, {MANY_WILD}}}" for name in names]
    path = tmp_path / "parted.yaml"
    path.write_text(PARTED.replace("KINDS", "\n".join(kinds)).replace("NAMES", ", ".join(names)))
    state = interpreter.load(path).game().start(seed=1)
    deck = [f"{rank}{suit}" for rank in range(3, 11) for suit in "CDHS"] * 2 + ["JK"] * 10
    group = " ".join(random.Random(1).sample(deck, 34))
    with pytest.raises(IllegalMove):
        state.parse(0, f"lay {' / '.join([group] * 3)}")
    assert MOST_SPENT < state.position.spent < MOST_SPENT + 2 * TRIED * MOST_TRIED
