"""Who reads of something in words of their own; all others who learn as much of it read the same sentences.

Sentences differ by reader where they call somebody `you`, a place `yours`, or the people of a side by name: so they are
the same for all whom the log does not name there, neither by their number nor as the owner of a place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from interpreter.engine.events import ALL, Told
from interpreter.words.acts import Acts

_PLAYER = re.compile(r"\bP([1-9][0-9]?)\b")
_SIDE = re.compile(r"\bT[1-9]")


def concerned(acts: Acts, learnt: Iterable[Told]) -> int:
    """The players (bits) who read of some events in words of their own; ALL where that is not plain."""
    found = 0
    for told in learnt:
        text = f"{told.words} {told.source} {told.target}"
        if ("T" in text and _SIDE.search(text)) or (told.kind == "move" and _is_quiet(acts, told.words)):
            return ALL
        if told.player is not None:
            found |= 1 << told.player
        for number in _PLAYER.findall(text) if "P" in text else ():
            found |= 1 << int(number) - 1
    return found


def _is_quiet(acts: Acts, words: str) -> bool:
    """Whether only the player reads of a move before the deal is over."""
    return any(code.quiet for code in acts.actions.get(words.partition(" ")[0], ()))
