"""Words of English that stand for something else."""

from __future__ import annotations

from collections.abc import Sequence

NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
"""The numbers from 0 to 20."""


def numbers(counts: Sequence[int]) -> str:
    """Numbers in order, of which there is one at least: `2`, `2 to 4`, `2, 4 or 6`."""
    if len(counts) == 1:
        return str(counts[0])
    if list(counts) == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]} to {counts[-1]}"
    return f"{', '.join(map(str, counts[:-1]))} or {counts[-1]}"


def players_told(*counts: int) -> str:
    """Numbers of players, of which there is one at least: `1 player`, `4 players`, `2 to 4 players`."""
    return f"{numbers(counts)} player{'' if counts == (1,) else 's'}"
