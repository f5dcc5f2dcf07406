"""What a bot would do, as a sentence with its reason in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.engine.moves import Move
from interpreter.words.people import Reader, counted

MOST_TOLD = 4
"""Moves that are told of besides the best."""


def advice(reader: Reader, ranked: Sequence[tuple[Move, float | None, int]]) -> Iterator[str]:
    """ranked: moves, the best first, with what they brought on average in how many trials."""
    if not ranked:
        return
    best, gain, trials = ranked[0]
    if gain is None or len(ranked) == 1:
        yield f"You can only {_named(reader, best)}." if len(ranked) == 1 else f"Try: {_named(reader, best)}."
        return
    tries = counted(trials, "trial")
    yield f"Try: {_named(reader, best)}. In {tries} of how the deal may go on you ended {_told(gain)} the others."
    found = [f"{_named(reader, move)} {gain:+.1f}" for move, gain, _ in ranked[1 : MOST_TOLD + 1] if gain is not None]
    if found:
        yield f"Instead: {', '.join(found)}."


def _named(reader: Reader, move: Move) -> str:
    action, _, rest = move.text.partition(" ")
    return f"{action.replace('_', ' ')} {reader.shown(rest)}".strip()


def _told(gain: float) -> str:
    if round(gain, 1) == 0:
        return "as well off as"
    return f"{abs(gain):.1f} better off than" if gain > 0 else f"{abs(gain):.1f} worse off than"
