"""Chance, number for number: the vectors come from an independent SplitMix64, the first five from its author's tests.

They are the same on every Python and must be the same in any other program that plays these games.
"""

from __future__ import annotations

import pytest

import interpreter
from interpreter.engine.chance import GOLDEN, MASK, Dice, below, derive, mix, shuffle


class Counter:
    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.draws = 0


@pytest.mark.parametrize(
    ("seed", "outputs"),
    [
        (
            1234567,
            [
                6457827717110365317, 3203168211198807973, 9817491932198370423,
                4593380528125082431, 16408922859458223821,
            ],
        ),
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]),
    ],
)  # fmt: skip
def test_draws_are_the_outputs_of_splitmix64(seed, outputs):
    """Source: https://prng.di.unimi.it/splitmix64.c; the outputs for 1234567 are quoted in many libraries."""
    assert [mix((seed + n * GOLDEN) & MASK) for n in range(1, len(outputs) + 1)] == outputs


def test_below_takes_the_upper_half_of_one_draw():
    source = Counter(7)
    assert [below(source, 52) for _ in range(10)] == [20, 0, 46, 30, 23, 12, 24, 17, 6, 21]
    assert source.draws == 10


def test_below_depends_on_seed_and_count_alone():
    one, other = Counter(7), Counter(7)
    other.draws = 4
    for _ in range(4):
        below(one, 1_000)
    assert below(one, 52) == below(other, 52)


DECK = [
    8, 26, 18, 48, 39, 7, 31, 10, 20, 44, 2, 13, 40, 29, 1, 38, 24, 43, 27, 19, 0, 15, 35, 3, 21, 51, 9, 41, 17, 25, 11,
    33, 28, 47, 12, 6, 37, 22, 34, 45, 42, 23, 46, 36, 30, 5, 16, 14, 50, 4, 49, 32,
]  # fmt: skip


@pytest.mark.parametrize(
    ("seed", "shuffled", "draws"),
    [
        (7, [4, 7, 1, 2, 8, 5, 6, 0, 9, 3], 5),
        (2024, DECK, 26),
        (0, [], 0),
        (0, [0], 0),
        (0, [0, 1], 1),
        (1, [0, 2, 1], 1),
    ],
)
def test_shuffle(seed, shuffled, draws):
    source, items = Counter(seed), sorted(shuffled)
    shuffle(source, items)
    assert items == shuffled
    assert source.draws == draws


@pytest.mark.parametrize(
    ("seed", "number", "derived"),
    [
        (0, 0, 0),
        (0, 1, 16294208416658607535),
        (1, 0, 8841707400507832957),
        (42, 7, 12207451074612972861),
        (MASK, 1_000_000, 6848778946551805140),
        (-1, 1_000_000, 6848778946551805140),
    ],
)
def test_derive(seed, number, derived):
    assert derive(seed, number) == derived


@pytest.mark.parametrize("size", [*range(12), 24, 31, 32, 33, 51, 52, 53, 64, 104, 324, 1000])
def test_a_shuffle_is_one_exchange_after_the_other(size: int) -> None:
    """What is worked out at once is what two choices from each draw would be."""
    source, again = Counter(size), Counter(size)
    items, plainly = list(range(size)), list(range(size))
    shuffle(source, items)
    halves = [half for n in range(1, size // 2 + 1) for half in divmod(mix((size + n * GOLDEN) & MASK), 1 << 32)]
    for last in range(size - 1, 0, -1):
        at = halves.pop(0) * (last + 1) >> 32
        plainly[last], plainly[at] = plainly[at], plainly[last]
    assert items == plainly
    assert source.draws == again.draws + size // 2


def test_dice_use_both_halves_of_a_draw():
    dice = Dice(99)
    sides = (2, 6, 13, 52, 1000, 2**32, 1, 3, 7, 10, 100, 2)
    assert [dice.below(n) for n in sides] == [0, 1, 0, 27, 834, 4030845691, 0, 2, 1, 5, 23, 0]
    assert dice.halves[-1] == mix((99 + 7 * GOLDEN) & MASK) >> 32


def test_all_outcomes_are_about_equally_likely():
    """Chi-square over 52 sides, 51 degrees of freedom: 97 is left by one series of ten thousand."""
    for draw in (lambda source: below(source, 52), lambda source: source.below(52)):
        source, counts = Dice(5), [0] * 52
        for _ in range(52_000):
            counts[draw(source)] += 1
        assert sum((count - 1_000) ** 2 / 1_000 for count in counts) < 97


@pytest.mark.parametrize(
    "fixed",
    [
        {"deck": ["x" * 5_000]},
        {"first dealer": "x" * 5_000},
        {"x" * 5_000: 1},
        {"shuffle": {"x" * 5_000: []}},
        "x" * 5_000,
    ],
    ids=["deck", "dealer", "place", "stage", "no mapping"],
)
def test_what_cannot_come_about_is_not_quoted_at_length(fixed) -> None:
    with pytest.raises((ValueError, interpreter.RuleError)) as caught:
        interpreter.load("setback").game().start(seed=1, chance=fixed)
    assert len(str(caught.value)) < 400


def test_dice_skip_as_if_they_had_been_thrown() -> None:
    for before in (0, 1, 7, 48):
        for number in (0, 1, 5, 47, 48, 49, 96, 200):
            one, two = Dice(5), Dice(5)
            for dice in (one, two):
                for _ in range(before):
                    dice.below(6)
            one.draws += 3
            two.draws += 3
            for _ in range(number):
                one.below(6)
            two.skip(number)
            assert (one.draws, one.halves) == (two.draws, two.halves)
