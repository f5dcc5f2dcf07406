"""A sentence and what it is, so that whoever shows it can lay it out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

Words = TypeVar("Words", bound=tuple[str, str])

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


def last_lines(lines: list[Words], most: int, letters: int) -> list[Words]:
    """The last of some lines (what each is, and its text), as many as keep within both numbers; one at least."""
    if len(lines) <= most and sum(len(text) for _, text in lines) <= letters:
        return lines
    begin = len(lines)
    for _, text in reversed(lines[-most:]):
        letters -= len(text)
        if letters < 0 and begin < len(lines):
            break
        begin -= 1
    return lines[begin:]
