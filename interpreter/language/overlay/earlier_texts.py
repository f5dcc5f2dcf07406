"""Shipped rulesets as they were: a match that was begun with them goes on with them, whatever lies there now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from sys import intern


@dataclass(frozen=True, slots=True)
class _Texts:
    """By the ids of shipped rulesets: what is read instead of the files, and what has been read."""

    instead: Mapping[str, str] = field(default_factory=dict)
    read: dict[str, str] = field(default_factory=dict)


_NOTHING = _Texts()
_current: ContextVar[_Texts] = ContextVar("texts of shipped rulesets", default=_NOTHING)


@contextmanager
def shipped_as(texts: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Read these texts as shipped rulesets, by their ids, and of other ids what lies there.

    Gives what is read of all of them, by id: with that the same is read again later, whatever lies there then.
    """
    found = _Texts(texts)
    before = _current.set(found)
    try:
        yield found.read
    finally:
        _current.reset(before)


def instead() -> Mapping[str, str]:
    """What is read as shipped rulesets instead of the files, by id."""
    return _current.get().instead


def noted(name: str, text: str) -> str:
    """The text of a shipped ruleset that is read, the same one however often it is."""
    text, texts = intern(text), _current.get()
    if texts is not _NOTHING:
        texts.read[name] = text
    return text
