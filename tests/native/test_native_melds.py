"""Melds as machine code looks for them: what is found, and in which order, is what the engine finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interpreter
from interpreter.api import native_lane
from interpreter.api.playouts import matches
from interpreter.compiler.native import flat_state, laid_melds, meld_outside, meld_plans, meld_search, several_melds
from interpreter.compiler.native.meld_plans import Pair, Plan
from interpreter.compiler.native.not_native import NotNative
from interpreter.engine.melds import laid, meld_library
from interpreter.engine.melds.combinations import Cards, Meld, MeldKind
from interpreter.engine.melds.meld_code import MeldCode
from interpreter.engine.melds.search import STEP, Search
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.start import fresh

MELDS = Path(__file__).parent / "melds.yaml"
"""Two packs with three jokers: two cards of each face, rank by rank, then the jokers."""
CARDS = 107
RANKS = (*(card // 8 for card in range(104)), None, None, None)
SUITS = (*(card // 2 % 4 for card in range(104)), None, None, None)
ALIKE = (*(card - card % 2 for card in range(104)), 104, 104, 104)
WILD = 0b111 << 104
ACES_LOW = (12, *range(12))
KINDS = (
    MeldKind("all of a suit", 3, 5, "suit", naturals=(0, 100)),
    MeldKind("around the corner", 3, 4, "suit", (tuple(range(13)),), wrap=True),
    MeldKind("flush", 3, 4, "suit"),
    MeldKind("run", 3, 5, "suit", (ACES_LOW, tuple(range(13)))),
    MeldKind("run of wild cards alone", 3, 4, "", (tuple(range(13)),), naturals=(0, 100)),
    MeldKind("run with one wild card at most", 3, 5, "suit", (tuple(range(13)),), wilds=(0, 1)),
    MeldKind("set", 3, 4, "rank"),
    MeldKind("set of wild cards alone", 3, 3, "rank", naturals=(0, 100)),
    MeldKind("set with two naturals", 3, 5, "rank", naturals=(2, 100)),
    MeldKind("set with two wild cards", 3, 4, "rank", wilds=(2, 2)),
    MeldKind("straight", 3, 5, "", (tuple(range(13)),)),
)
hands = st.sets(st.integers(0, 31) | st.integers(96, 106), max_size=9)


class Match:
    """As much of a match as is asked about melds."""

    def __init__(self) -> None:
        self.spent = 0
        self.z: list[int] = [0, 0]
        self.laid: Any = {}
        cards, self.program = Cards(RANKS, SUITS, ALIKE), self
        searches = [[Search(kind, variant) for variant in (cards, cards.by_rank, cards.as_single)] for kind in KINDS]
        self.melds = {
            kind.name: MeldCode(kind, lambda s: WILD, *own, True, {}, {})
            for kind, own in zip(KINDS, searches, strict=True)
        }
        self.card_rank, self.card_suit, self.first_copy, self.multi = RANKS, SUITS, ALIKE, True
        self.copies = {first: sum(1 << card for card in range(CARDS) if ALIKE[card] == first) for first in ALIKE}
        self.ranks, self.suits, self.places = tuple("23456789XJQKA"), tuple("CDHS"), ("pile", "laid")
        self.meld_places = frozenset((1,))


S: Any = Match()
PLANS = meld_plans.plans(S)


def as_meld(pair: Pair) -> Meld:
    """A meld as the engine has it."""
    plan = PLANS[pair[0] >> meld_plans.KIND]
    stands = []
    for shown in meld_search.shown(S, pair):
        said = shown & meld_plans.STANDS
        rank, suit = (said - 1) >> meld_plans.START, (said - 1) & meld_plans.FIELD
        stands.append((rank - 1 if rank else None, suit - 1 if suit else None) if said else None)
    low, high, suit = (meld_search.part_of(S, pair, at) for at in (3, 4, 5))
    return Meld(plan.kind.name, tuple(meld_search.cards_of(S, pair)), tuple(stands), low, high, suit)


def mask(cards: set[int]) -> int:
    return sum(1 << card for card in cards)


def of(kind: MeldKind) -> Plan:
    return next(plan for plan in PLANS if plan.kind == kind)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.parametrize("by_rank", (False, True))
@settings(max_examples=15, deadline=None)
@given(hands)
def test_the_same_melds_are_found_in_the_same_order(kind: MeldKind, by_rank: bool, cards: set[int]) -> None:
    code, found = S.melds[kind.name], meld_search.no_melds()
    S.spent = 0
    meld_search.lay_out(S, found, of(kind), meld_plans.earlier(S, by_rank), mask(cards))
    steps = S.spent // STEP
    assert (tuple(map(as_meld, found)), steps) == (code.by_rank if by_rank else code.search).melds(mask(cards), WILD)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@settings(max_examples=15, deadline=None)
@given(hands)
def test_the_same_melds_are_all_of_some_cards(kind: MeldKind, cards: set[int]) -> None:
    everything = meld_search.no_melds()
    meld_search.lay_out(S, everything, of(kind), meld_plans.earlier(S, False), mask(cards))
    for some in [mask(cards), *{cards for _, cards in everything}]:
        found = meld_search.no_melds()
        S.spent = 0
        meld_search.lay_exactly(S, found, of(kind), some)
        steps, S.spent = S.spent, 0
        assert tuple(map(as_meld, found)) == meld_library.melds_of(S, S.melds[kind.name], some)
        assert steps == S.spent


@settings(max_examples=25, deadline=None)
@given(hands)
def test_melds_of_several_kinds_are_found_once(cards: set[int]) -> None:
    for kinds in (("set", "straight", "run"), ("flush", "run", "around the corner")):
        found = meld_search.no_melds()
        meld_search.lay_kinds(S, found, meld_plans.plans_of(S, kinds), mask(cards), False)
        assert list(map(as_meld, found)) == meld_library.melds_in(S, kinds, mask(cards), False)


def is_natural(meld: Meld) -> bool:
    """Whether none of its cards is wild."""
    return not mask(set(meld.cards)) & WILD


def chosen(more: Callable[..., bool], cards: set[int], how: Sequence[Any], fits: bool) -> tuple[list[Any], int]:
    """The ways that a search finds, gone on with as native code does it, and the steps that it counts."""
    ways, fresh, there, melds = several_melds.no_ways(), meld_search.no_melds(), meld_search.no_melds(), []
    begins, tried, frees = [], [], [mask(cards)]
    S.spent = 0
    while more(S, ways, fresh, there, melds, begins, tried, frees, *how, 7):
        there += [meld for meld in fresh if not fits or is_natural(as_meld(meld))]
    return [tuple(map(as_meld, way)) for way in ways], S.spent


def expected(find: Callable[..., Any], cards: set[int], how: Sequence[Any], fits: bool) -> tuple[list[Any], int]:
    """The same of the engine."""
    S.spent = 0
    ways = find(S, how[0], mask(cards), *how[1:], is_natural if fits else None, 7)
    return ways, S.spent


@settings(max_examples=25, deadline=None)
@given(hands, st.booleans())
def test_the_same_ways_to_choose_several_are_found(cards: set[int], fits: bool) -> None:
    for kinds, low, high, by_rank in ((("set", "run"), 0, 3, False), (("straight", "set"), 1, 2, True)):
        found = chosen(several_melds.more_apart, cards, (meld_plans.plans_of(S, kinds), low, high, by_rank), fits)
        assert found == expected(meld_library.melds_apart_in, cards, (kinds, low, high, by_rank), fits)


@settings(max_examples=25, deadline=None)
@given(hands, st.booleans())
def test_the_same_ways_to_choose_what_is_asked_for_are_found(cards: set[int], fits: bool) -> None:
    for texts, by_rank in (
        (("set 3", "set 3"), True), (("set 3..", "run 3..4"), False), (("set 3", "set 3.."), False), ((), False),
    ):  # fmt: skip
        wanted = meld_plans.wanted_by(S, (texts,))
        how = several_melds.no_ways(), [wanted[text] for text in texts], by_rank
        found = chosen(several_melds.more_asked, cards, how, fits)
        assert found == expected(meld_library.melds_asked_in, cards, (texts, by_rank), fits)


@settings(max_examples=30, deadline=None)
@given(hands)
def test_the_least_outside_is_the_same(cards: set[int]) -> None:
    held = mask({card for card in cards if card < 105})
    worth = tuple(card % 13 - 2 for card in range(CARDS))
    for kinds in (("set", "run"), ("straight",)):
        expected = meld_library.least_outside(S, kinds, held, worth)
        try:
            found = meld_outside.left_outside(S, meld_plans.plans_of(S, kinds), held, worth)
        except RuleError:
            laid_out = meld_search.no_melds()
            for plan in meld_plans.plans_of(S, kinds):
                meld_search.lay_out(S, laid_out, plan, meld_plans.earlier(S, False, True), held)
            assert len({meld for _, meld in laid_out}) > meld_outside.MOST_MELDS, "nothing less is left to Python"
        else:
            assert found == expected


def assert_goes_on(pair: Pair, now: int) -> None:
    """Whether other cards are still a meld, and which, is found as in the engine."""
    after, expected = laid_melds.continued(S, *pair, now), laid.continued(S, as_meld(pair), now)
    assert (None if after == laid_melds.NO_MELD else as_meld(after)) == expected


@settings(max_examples=30, deadline=None)
@given(hands, hands)
def test_what_lies_on_the_table_goes_on_as_the_same(cards: set[int], others: set[int]) -> None:
    for kind in KINDS:
        found = meld_search.no_melds()
        meld_search.lay_out(S, found, of(kind), meld_plans.earlier(S, False), mask(cards))
        for pair in found[:12]:
            meld = as_meld(pair)
            for card in others:
                assert meld_search.number_of_cards(S, pair) == len(meld.cards)
                assert laid_melds.meld_extends(S, pair, card) == laid.meld_extends(S, meld, card)
                assert laid_melds.replaced_wild(S, pair, card) == laid.replaced_wild(S, meld, card)
                wild = laid.replaced_wild(S, meld, card)
                now = (pair[1] | 1 << card) & ~(0 if wild is None else 1 << wild)
                assert_goes_on(pair, now)
            for gone in meld.cards:
                for come in (0, *(1 << card for card in others)):
                    assert_goes_on(pair, pair[1] & ~(1 << gone) | come)


def test_a_meld_lies_where_it_was_laid_until_other_cards_come() -> None:
    found = meld_search.no_melds()
    meld_search.lay_kinds(S, found, meld_plans.plans_of(S, ("set",)), 0b111111, False)
    pair = found[0]
    S.laid, S.z[1] = [laid_melds.NO_MELD], pair[1]
    laid_melds.lay_meld(S, pair, 0)
    assert laid_melds.meld_at(S, 1) is None, "of other places nobody asks"
    laid_melds.lay_meld(S, None, 1)
    laid_melds.lay_meld(S, pair, 1)
    assert laid_melds.meld_at(S, 1) == pair
    S.z[1] |= 1 << 40
    assert laid_melds.meld_at(S, 1) is None
    laid_melds.renew_melds(S)
    assert S.laid == [laid_melds.NO_MELD]
    S.laid, S.z = {}, [0, 0]


def refused(kind: MeldKind, wild: Any, alike: tuple[int, ...] = ALIKE) -> str:
    """Why a kind is not looked for natively."""
    cards = Cards(RANKS, SUITS, alike)
    searches = [Search(kind, cards) for _ in range(3)]
    code = MeldCode(kind, wild, *searches, True, {}, {})
    program: Any = type("Of", (), {"melds": {kind.name: code}, "card_rank": RANKS, "card_suit": SUITS})
    program.first_copy, program.ranks, program.suits = alike, S.ranks, S.suits
    with pytest.raises(NotNative) as error:
        meld_plans.plans(program)
    return str(error.value)


def test_what_native_code_does_not_look_for_is_refused() -> None:
    part = MeldKind("pair", 2, 2, "rank")
    assert "parts" in refused(MeldKind("two pairs", 4, 4, parts=(part, part)), lambda s: 0)
    assert "several" in refused(MeldKind("stairs", 4, 6, "", (tuple(range(13)),), each=2), lambda s: 0)
    assert "change" in refused(KINDS[6], lambda s: s.v[0])
    assert "differ" in refused(KINDS[6], lambda s: WILD | 0b1111)
    assert "apart" in refused(KINDS[6], lambda s: 0, (*range(52), *range(52), 104, 104, 104))


@pytest.mark.parametrize("players, packs", ((2, 2), (3, 1), (4, 2)))
def test_a_game_of_melds_is_played_as_in_python(
    players: int, packs: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(native_lane, "kept_in", lambda: tmp_path)
    own = interpreter.load(MELDS).game(players, {"packs": packs})
    own.program.native = None
    played = []
    for lane in ("0", "1"):
        monkeypatch.setenv(native_lane.SWITCH, lane)
        played.append(list(matches(own, 60, 3, None, 200)))
    assert played[0] == played[1]
    assert native_lane.lane_of(own.program).played == [60, 60], "no match was played again in Python"


@pytest.mark.parametrize("packs", (1, 2))  # sets of 64 and of 128 bits
@pytest.mark.parametrize("melds", (1, 2))
def test_places_of_melds_share_their_room_where_some_are_empty(
    packs: int, melds: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(native_lane, "kept_in", lambda: tmp_path)
    monkeypatch.setattr(native_lane, "TOO_MANY", 1.0)
    monkeypatch.setattr(flat_state, "MELDS", melds)
    monkeypatch.setattr(flat_state, "MELDS_OF_EACH", 0)
    own = interpreter.load(MELDS).game(3, {"packs": packs})
    own.program.native = None
    assert flat_state.Layout(own.program, fresh(own.program)).sets is not None
    played = []
    for lane in ("0", "1"):
        monkeypatch.setenv(native_lane.SWITCH, lane)
        played.append(list(matches(own, 40, 3, None, 200)))
    assert played[0] == played[1]
    assert native_lane.lane_of(own.program).played[1] > 0
