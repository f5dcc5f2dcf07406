"""Which word of a move's text is which of its parameters: told from the text alone, of which a reader may know a part.

The row of a card may add parameters, and several actions may have one name. So each list of parameters is tried that
the text could hold, and a word is told as a parameter only where all that fit agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

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
    readings = [reading for params in lists if (reading := _reading(program, params, words))]
    found: Arguments = {}
    forms: list[set[str]] = [set() for _ in words]
    for name in dict.fromkeys(name for reading in readings for name in reading):
        ways: set[_Way | None] = {way for reading in readings for way in reading.get(name, (None,))}
        known = {way for way in ways if way is not None}
        if len(ways) == len(known) == 1:
            ((form, start, end),) = known
            found[name] = form, tuple(words[start:end])
        for form in {form for form, _, _ in known}:
            for at in range(min(start for _, start, _ in known), max(end for _, _, end in known)):
                forms[at].add(form)
    return found, [of_word.pop() if len(of_word) == 1 else "" for of_word in forms]


_Way = tuple[str, int, int]
"""The form of a parameter, and where its words may begin and end."""


def _reading(program: Program, params: Sequence[ParamCode], words: Sequence[str]) -> dict[str, set[_Way]]:
    """For each parameter the ways in which words may be its; nothing where they don't fit all parameters."""
    reached = {0}
    steps: list[set[tuple[int, int]]] = []
    for param in params:
        steps.append({(start, end) for start in reached for end in _ends(program, param, words, start)})
        reached = {end for _, end in steps[-1]}
    goals = {len(words)} & reached
    found: dict[str, set[_Way]] = {}
    for param, spans in zip(reversed(params), reversed(steps), strict=True):
        found[param.name] = {(param.form, start, end) for start, end in spans if end in goals}
        goals = {start for _, start, _ in found[param.name]}
    return found if goals else {}


def _ends(program: Program, param: ParamCode, words: Sequence[str], start: int) -> Iterator[int]:
    """Where the words of a parameter may end that begin at a place."""
    if param.form == "flag" or param.otherwise is not None:  # it may have none
        yield start
    word = words[start] if start < len(words) else ""
    if word == HIDDEN or (param.optional and word == NONE) or (param.otherwise is not None and word == UNSAID):
        yield start + 1
    elif param.form == "choice":
        for symbol in param.symbols:
            parts = symbol.split()
            if list(words[start : start + len(parts)]) == parts:
                yield start + len(parts)
    elif word and _fits(program, param, word):
        yield start + 1
    if param.form in CARDS and (param.several or param.kinds):
        if word == NOTHING:
            yield from (start + 1, start + 2)
        end = start
        while end < len(words) and (words[end] == END or _is_card(program, param, words[end])):
            end += 1
            yield end


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
