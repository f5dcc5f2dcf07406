"""Cards kept as bits, and their numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.engine.packets import bits, mask_of_packet


@given(st.sets(st.integers(0, 250)))
def test_the_bits_of_cards_are_their_numbers_in_order(cards: set[int]) -> None:
    assert bits(mask_of_packet(cards)) == tuple(sorted(cards))


@pytest.mark.parametrize("card", [0, 7, 8, 63, 64, 71, 250])
def test_also_at_the_end_of_what_is_looked_up_at_once(card: int) -> None:
    assert bits(1 << card) == (card,)
    assert bits((1 << card) - 1) == tuple(range(card))
