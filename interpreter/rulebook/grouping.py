"""How two games differ, chapter by chapter and stage by stage: what matters first, wording last."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from textwrap import wrap
from typing import NamedTuple

from interpreter.rulebook.book import Book, Section
from interpreter.rulebook.differences import differences

COURSE = "The course of a match"
_ORDER = (
    "What you need", COURSE, "What the cards do", "Melds", "Tables", "On honour", "What words mean", "Options",
    "Variants", "Where cards lie", "What is kept count of",
)  # fmt: skip
"""The chapters, those first that change what one does."""
WORDING = "In other words"
_SHORT = re.compile(r"(^|, )in short(?=[:,] )|^the chapter “[^”]*”: ")
"""What begins a difference in a text that sums something up."""


class Group(NamedTuple):
    """What is different in one chapter or stage, a sentence each."""

    title: str
    lines: list[str]


def grouped(one: Book, other: Book) -> list[Group]:
    """What is different in the other book; empty if nothing is."""
    found: list[Group] = []
    wording: list[str] = []
    for title, before, after in _parts(one, other):
        lines = [_without_stage(line, title) for line in differences(before, after)]
        wording += [line for line in lines if _SHORT.search(line)]
        kept = [line for line in lines if not _SHORT.search(line)]
        if kept:
            found.append(Group(title, kept))
    return [*found, Group(WORDING, wording)] if wording else found


def text(groups: Iterable[Group], width: int) -> str:
    """Groups as lines of at most so many letters."""
    lines: list[str] = []
    for group in groups:
        lines += ["", group.title] if lines else [group.title]
        for line in group.lines:
            lines += wrap(line, width, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False)
    return "\n".join(lines)


def _parts(one: Book, other: Book) -> Iterator[tuple[str, Book, Book]]:
    """Both books, cut into chapters, and that of the course into stages."""
    titles = {section.title for book in (one, other) for section in book.sections}
    for title in [*(t for t in _ORDER if t in titles), *sorted(titles.difference(_ORDER))]:
        if title != COURSE:
            yield title, _only(one, title), _only(other, title)
            continue
        stages = dict.fromkeys(stage.title for book in (other, one) for stage in _stages(book))
        for stage in stages:
            yield stage, _only(one, title, stage), _only(other, title, stage)


def _only(book: Book, title: str, stage: str = "") -> Book:
    """A book with one chapter, or with one stage of it."""
    sections = [section for section in book.sections if section.title == title]
    if stage:
        sections = [replace(s, sections=tuple(i for i in s.sections if i.title == stage)) for s in sections]
    return replace(book, sections=tuple(sections))


def _stages(book: Book) -> Iterator[Section]:
    for section in book.sections:
        if section.title == COURSE:
            yield from section.sections


def _without_stage(line: str, title: str) -> str:
    """A line that need not name the stage, since it stands below its name."""
    return re.sub(rf"(^|: )“{re.escape(title.lower())}”(?:, (?=.)|: )", r"\1", line, count=1)
