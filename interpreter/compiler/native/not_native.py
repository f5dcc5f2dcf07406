"""Why something does not become native code. These names alone are asked for where machine code is kept already."""

from __future__ import annotations

UNPLAYED, NO_ROOM, AGAINST_RULES = 1, 2, 3
"""Why a match is stopped: it comes upon what Python has to play; a trial has no room, or may take no more steps; the
rules cannot be carried out, and Python would find the same."""


class NotNative(Exception):
    """Something that native code cannot do; the Python lane does it."""


class Never(NotNative):
    """Something that does not come about, for it has been asked before whether it can."""


class TwoKinds(NotNative):
    """A place or variable may be of two kinds, by its number. runs: the least and the most number of each kind.

    name: the local that holds the number, once that is known.
    """

    def __init__(self, runs: tuple[tuple[int, int], ...]) -> None:
        super().__init__("a place or variable that may be of two kinds")
        self.runs, self.name = runs, ""
