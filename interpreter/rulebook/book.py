"""The book as data: chapters of items and tables, which the writers print as text, Markdown or HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from interpreter.rulebook.effects import Line
from interpreter.rulebook.grammar import sentence
from interpreter.rulebook.lengths import CARD_DRAWN, check_length
from interpreter.rulebook.seats import Drawing

DETAIL = "Every rule in detail"
END = "The end"
"""Of a match: the part of how to play that tells when it is over."""
MARKED = "◆ marks what has been changed by an overlay."


@dataclass(frozen=True)
class Item:
    """A rule. term: what it is about, printed bold. mark: changed by an overlay.

    described: the text is its author's words for what stands below, and no rule besides.
    """

    text: str
    term: str = ""
    below: tuple[Item, ...] = ()
    mark: bool = False
    described: bool = False


@dataclass(frozen=True)
class Grid:
    """A table; the first column names the row. marks: the rows an overlay has changed, by number from 0."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    marks: frozenset[int] = frozenset()


Block = Item | Grid | Drawing


@dataclass(frozen=True)
class Section:
    title: str
    blocks: tuple[Block, ...]
    lead: str = ""
    mark: bool = False
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True)
class Book:
    title: str
    about: str
    sections: tuple[Section, ...]
    marked: str = ""
    """What the marks mean; empty if there are none."""
    facts: tuple[str, ...] = field(default=())
    how: tuple[Section, ...] = ()
    """How to play: what is told first. `sections` are every rule in detail."""


def items(lines: tuple[Line, ...], mark: bool = False) -> tuple[Item, ...]:
    """Effects as items of the book."""
    return tuple(Item(sentence(line.text), below=items(line.below), mark=mark) for line in lines)


def of_some_length(book: Book) -> Book:
    """The book, if it is not too long. Raises TooLong."""
    letters = 0
    for text in texts((*book.how, *book.sections)):
        letters += len(text) + CARD_DRAWN * sum(map(text.count, "♣♦♥♠"))
        check_length(letters, book.title)
    return book


def texts(sections: tuple[Section, ...]) -> Iterator[str]:
    """Every text of the book, for searching it."""
    for section in sections:
        yield from (section.title, section.lead)
        for block in section.blocks:
            yield from _block_texts(block)
        yield from texts(section.sections)


def _block_texts(block: Block) -> Iterator[str]:
    if isinstance(block, Drawing):
        yield from (f"{seat.name} {seat.note}" for seat in block.seats)
    elif isinstance(block, Grid):
        yield from (block.title, *block.heads, *(cell for row in block.rows for cell in row))
    else:
        yield from (block.term, block.text)
        for inner in block.below:
            yield from _block_texts(inner)
