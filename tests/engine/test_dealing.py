"""What is gathered, shuffled and dealt at once lies where it would if it were done step by step."""

from __future__ import annotations

import pytest

import interpreter
from interpreter.engine.dealing import deal, deal_afresh
from interpreter.engine.start import fresh
from interpreter.engine.transfers import gather, shuffle_place

HANDS, TAKEN, STOCK = 1, 10, 0


@pytest.mark.parametrize(
    ("count", "packets", "players"),
    [
        (None, None, (0, 1, 2, 3)),
        (None, [3, 2], (0, 1, 2, 3)),
        (13, None, (0, 1, 2, 3)),
        (5, [3, 2], (0, 1, 2, 3)),
        (1, None, (0, 1, 2, 3)),
        (7, None, (0, 2, 3)),
        (None, None, (1, 3)),
        (20, None, (0, 1, 2, 3)),
    ],
)
@pytest.mark.parametrize("told", [False, True])
def test_dealt_afresh(count: int | None, packets: list[int] | None, players: tuple[int, ...], told: bool) -> None:
    program = interpreter.load("hearts").game().program
    for seed in range(5):
        one = fresh(program)
        one.seed, one.dealer, one.log = seed, seed % 4, [] if told else None
        one.z[STOCK], one.z[TAKEN], one.z[-2] = list(range(40)), (1 << 51) - (1 << 40), [51]
        two = one.copy()
        elsewhere = tuple(range(1, len(one.z)))
        deal_afresh(one, elsewhere, STOCK, "deal", count, HANDS, list(players), packets)
        gather(two, elsewhere, STOCK)
        shuffle_place(two, STOCK, "deal")
        deal(two, count, STOCK, HANDS, list(players), packets)
        assert (one.z, one.draws, one.log) == (two.z, two.draws, two.log)
        assert sum(len(kept) if type(kept) is list else kept.bit_count() for kept in one.z) == 52
