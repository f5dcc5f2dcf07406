"""Which word of a move's text is which of its parameters: told from the text alone, of which a reader may know a part.

The row of a card may add parameters, and several actions may have one name. So each list of parameters is tried that
the text could hold, and a word is told as a parameter only where all that fit agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from interpreter.engine.melds.text import STANDS
from interpreter.engine.notation import END, NONE, NOTHING, QUOTE, UNSAID, read_value
from interpreter.engine.program import ActionCode, ParamCode, Program

HIDDEN = "?"
"""Stands for something that a reader does not see, in what the log tells of a move."""
CARDS = ("cards", "meld", "melds")
"""Forms of which a value is cards that lie somewhere."""

Arguments = dict[str, tuple[str, tuple[str, ...]]]
"""Parameter -> its form and its words."""


def params_that_may_be(actions: Iterable[ActionCode]) -> list[tuple[ParamCode, ...]]:
    """Each list of parameters that moves of these actions may have, once."""
    found: dict[object, tuple[ParamCode, ...]] = {}
    for action in actions:
        for row in action.rows:
            params = (*action.params, *row)
            found.setdefault(tuple([(p.name, p.form, p.symbols, p.several, p.optional) for p in params]), params)
    return list(found.values())


def arguments(
    program: Program, lists: Iterable[Sequence[ParamCode]], words: Sequence[str]
) -> tuple[Arguments, list[str]]:
    """What is certain of a move: its arguments by name, and of each word the form of its parameter, else nothing.

    words: those behind the name of the action, a text in quotes as one that begins with a quote.
    """
    lists = list(lists)
    if len(words) * sum(map(len, lists)) > MOST_READ:
        return {}, [""] * len(words)
    read = _Words(program, words)
    readings = [reading for params in lists if (reading := read.reading(params))]
    found: Arguments = {}
    forms: list[set[str]] = [set() for _ in words]
    for name in dict.fromkeys(name for reading in readings for name in reading):
        ways = [reading[name] for reading in readings if name in reading]
        only = {way.only for way in ways}
        if len(ways) == len(readings) and len(only) == 1 and (way := only.pop()) is not None:
            form, start, end = way
            found[name] = form, tuple(words[start:end])
        for at in range(min(way.start for way in ways), max(way.end for way in ways)):
            forms[at].update(way.form for way in ways)
    return found, [of_word.pop() if len(of_word) == 1 else "" for of_word in forms]


_Way = tuple[str, int, int]
"""The form of a parameter, and where its words begin and end."""
MOST_READ = 100_000
"""Words that are read for a move, once for each parameter of each list; of a longer one nothing is certain."""


class _Ends(NamedTuple):
    """Where the words of a parameter may end that begin at `start`: after any card up to `run`, and at some others."""

    start: int
    run: int
    others: tuple[int, ...]


class _Ways:
    """The ways in which words may be those of a parameter: where they may begin and end.

    goals: where what comes behind them may begin. Nobody goes through the ways: of very many cards there are too many.
    """

    def __init__(self, form: str, ends: Iterable[_Ends], goals: bytearray) -> None:
        self.form = form
        self.starts = bytearray(len(goals))
        self.number, self.start, self.end = 0, len(goals), 0
        before = [0, *accumulate(goals)]
        last = list(accumulate((at if goal else 0 for at, goal in enumerate(goals)), max))
        for start, run, others in ends:
            ended = [end for end in others if goals[end]]
            in_run = before[run + 1] - before[start + 1]
            if ended or in_run:
                self.starts[start] = 1
                self.number += len(ended) + in_run
                self.start = min(self.start, start)
                self.end = max(self.end, *ended, last[run] if in_run else 0)

    @property
    def only(self) -> _Way | None:
        """The way that it is, if there is no other."""
        return (self.form, self.start, self.end) if self.number == 1 else None


class _Words:
    """The words of a move."""

    def __init__(self, program: Program, words: Sequence[str]) -> None:
        self._program = program
        self._words = words
        self._runs: dict[bool, list[int]] = {}

    def reading(self, params: Sequence[ParamCode]) -> dict[str, _Ways]:
        """For each parameter the ways in which words may be its; nothing where they don't fit all parameters."""
        most = len(self._words)
        reached, steps = bytearray([1, *bytes(most)]), list[list[_Ends]]()
        for param in params:
            steps.append([self._ends(param, start) for start in range(most + 1) if reached[start]])
            reached, marked = bytearray(most + 1), 0
            for start, run, others in steps[-1]:
                for end in others:
                    reached[end] = 1
                if run > marked:
                    reached[start + 1 : run + 1] = b"\1" * (run - start)
                    marked = run
        goals = bytearray([*bytes(most), reached[most]])
        found: dict[str, _Ways] = {}
        for param, ends in zip(reversed(params), reversed(steps), strict=True):
            found[param.name] = ways = _Ways(param.form, ends, goals)
            goals = ways.starts
        return found if goals[0] else {}

    def _ends(self, param: ParamCode, start: int) -> _Ends:
        words, found = self._words, set[int]()
        if param.form == "flag" or param.otherwise is not None:  # it may have none
            found.add(start)
        word = words[start] if start < len(words) else ""
        if word == HIDDEN or (param.optional and word == NONE) or (param.otherwise is not None and word == UNSAID):
            found.add(start + 1)
        elif param.form == "choice":
            for symbol in param.symbols:
                parts = symbol.split()
                if list(words[start : start + len(parts)]) == parts:
                    found.add(start + len(parts))
        elif word and _fits(self._program, param, word):
            found.add(start + 1)
        run = start
        if param.form in CARDS and (param.several or param.kinds):
            run = self._run_end(param, start)
            if word == NOTHING:
                found |= {start + 1, start + 2}
        return _Ends(start, run, tuple(end for end in found if end <= len(words) and not start < end <= run))

    def _run_end(self, param: ParamCode, start: int) -> int:
        """Where a run of cards ends that begins at a place, and of the signs that end cards."""
        if param.blind not in self._runs:
            ends = [len(self._words)] * (len(self._words) + 1)
            for at in reversed(range(len(self._words))):
                goes_on = self._words[at] == END or _is_card(self._program, param, self._words[at])
                ends[at] = ends[at + 1] if goes_on else at
            self._runs[param.blind] = ends
        return self._runs[param.blind][start]


def _fits(program: Program, param: ParamCode, word: str) -> bool:
    match param.form:
        case "cards" | "meld" | "melds":
            return _is_card(program, param, word)
        case "flag":
            return word == param.name
        case "text":
            return word.startswith(QUOTE)
    return read_value(program, param, word) is not None


def _is_card(program: Program, param: ParamCode, word: str) -> bool:
    """Whether a word is a card as moves name one: its face or its position, with its place or what it stands for."""
    face, place, _ = word.partition("@")
    known = any(name.upper() in program.by_name for name in (face, face.partition(STANDS)[0]))
    return known or face == HIDDEN or (face.isdecimal() and (param.blind or bool(place)))
