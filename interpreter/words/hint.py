"""What a bot would do, as a sentence with its reason in numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from interpreter.engine.moves import Move
from interpreter.words.people import counted

MOST_TOLD = 4
"""Moves that are told of besides the best."""


def advice(
    ranked: Sequence[tuple[Move, float | None, int]],
    choice: Callable[[str], str],
    way: Callable[[Move], str],
    alone: bool,
) -> Iterator[str]:
    """What to try, and what the others brought.

    ranked: moves, the best first, with what they brought on average in how many trials. choice: puts what is chosen
    with a move into words. way: tells what a move does with which nothing is chosen. alone: there is nobody to be
    compared with.
    """

    def named(move: Move) -> str:
        action, _, rest = move.text.partition(" ")
        return f"{action.replace('_', ' ')} {choice(rest)}" if rest else way(move)

    if not ranked:
        return
    best, gain, trials = ranked[0]
    if gain is None or len(ranked) == 1:
        yield f"You can only {named(best)}." if len(ranked) == 1 else f"Try: {named(best)}."
        return
    brought = f"gained {gain:.1f}" if alone else f"ended {_told(gain)} the others"
    yield f"Try: {named(best)}. In {counted(trials, 'trial')} of how the deal may go on you {brought}."
    others = ranked[1 : MOST_TOLD + 1]
    found = [f"{named(move)} ({gain:+.1f} in {trials})" for move, gain, trials in others if gain is not None]
    if found:  # what is less promising is tried less often
        yield f"Others: {', '.join(found)}."


def _told(gain: float) -> str:
    if round(gain, 1) == 0:
        return "as well off as"
    return f"{abs(gain):.1f} better off than" if gain > 0 else f"{abs(gain):.1f} worse off than"
