"""A sentence and what it is, so that whoever shows it can lay it out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

MOVE, NEWS, SCORE, BREAK = "move", "news", "score", "deal"
"""What somebody did, what came of it, what it counts, the beginning of a deal."""


class Line(NamedTuple):
    """One sentence. kind: MOVE, NEWS, SCORE or BREAK."""

    kind: str
    text: str


def together(lines: Iterable[Line], width: int) -> Iterator[Line]:
    """What is done in a row on one line as long as it has room: a trick, a round of bids."""
    run: list[str] = []
    for line in lines:
        if run and (line.kind != MOVE or len(" ".join([*run, line.text])) > width):
            yield Line(MOVE, " ".join(run))
            run = []
        if line.kind == MOVE:
            run.append(line.text)
        else:
            yield line
    if run:
        yield Line(MOVE, " ".join(run))
