"""A property of the basic game of Hearts: what a deal adds to all scores together."""

from __future__ import annotations

import pytest

import interpreter


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_points_of_a_deal_are_26_or_26_for_each_opponent_of_the_shooter(players: int) -> None:
    game = interpreter.load("hearts").game(players)
    sums = {sum(scores) for scores in game.playouts(300, seed=players, deals=1).scores}
    assert 26 in sums
    assert sums <= {26, 26 * (players - 1)}
