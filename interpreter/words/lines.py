"""A sentence and what it is, so that whoever shows it can lay it out."""

from __future__ import annotations

from typing import NamedTuple

MOVE, NEWS, SCORE, BREAK = "move", "news", "score", "deal"
"""What somebody did, what came of it, what it counts, the beginning of a deal."""


class Line(NamedTuple):
    """One sentence. kind: MOVE, NEWS, SCORE or BREAK."""

    kind: str
    text: str
