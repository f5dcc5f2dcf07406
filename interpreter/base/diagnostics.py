"""What every stage says about a ruleset: places, findings, and how they are printed.

A stage collects its findings in a `Report` and goes on to find the others; the next stage runs only
when the report holds no error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Literal

from msgspec import Struct

from interpreter.base.signs import on_one_line, visible

Severity = Literal["error", "warning"]


class Span(Struct, frozen=True, gc=False):
    """A stretch of a file. Lines and columns count from 1; `end_column` is the column after the last character.

    A struct rather than a data class: every node of a ruleset and of what is made of it has one.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about a file.

    severity: "error" (the file cannot be used) or "warning".
    code: stable, "E204" or "W302"; every code has a paragraph in grammar/README.md.
    line, column: from 1; None where there is no place (the file cannot be read).
    hint: what to do about it, or "".
    """

    severity: Severity
    code: str
    message: str
    file: str
    line: int | None = None
    column: int | None = None
    hint: str = ""
    length: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", visible(self.message))  # they may quote what somebody has written
        object.__setattr__(self, "hint", visible(self.hint))

    def __str__(self) -> str:
        file = visible(self.file)
        place = f"{file}:{self.line}:{self.column}" if self.line is not None else file
        return f"{place}: {self.severity} {self.code}: {self.message}"

    def to_json(self) -> dict[str, str | int | None]:
        """The public fields, for `houserules validate --format json`."""
        return {
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "hint": self.hint,
        }


class RulesetError(Exception):
    """A ruleset cannot be used. `diagnostics` lists everything found, errors first by place."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = list(diagnostics)
        super().__init__("\n".join(str(d) for d in self.diagnostics))


MAX_FINDINGS = 100
"""After so many a stage stops looking: a file with more mistakes is not a ruleset, and nobody reads further."""


class Enough(Exception):
    """There are as many errors as a report may hold."""


@dataclass(slots=True)
class Report:
    """Collects the findings of one stage."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    _known: set[Diagnostic] = field(default_factory=set)
    _errors: int = 0
    most: int | None = None
    """How many errors are enough: the last one raises Enough."""

    @property
    def failed(self) -> bool:
        return self._errors > 0

    def error(self, code: str, span: Span, message: str, hint: str = "") -> None:
        self._add("error", code, span, message, hint)

    def warning(self, code: str, span: Span, message: str, hint: str = "") -> None:
        self._add("warning", code, span, message, hint)

    def _add(self, severity: Severity, code: str, span: Span, message: str, hint: str) -> None:
        length = span.end_column - span.column if span.end_line == span.line else 1
        found = Diagnostic(severity, code, message, span.file, span.line, span.column, hint, max(1, length))
        self.extend([found])

    def extend(self, found: Iterable[Diagnostic]) -> None:
        """Add findings, each once: a definition used twice is checked twice, and blamed once."""
        for diagnostic in found:
            if diagnostic in self._known:
                continue
            self.diagnostics.append(diagnostic)
            self._known.add(diagnostic)
            self._errors += diagnostic.severity == "error"
        if self.most is not None and self._errors >= self.most:
            raise Enough

    def sorted(self) -> list[Diagnostic]:
        """By file and place, errors before warnings at the same place."""
        return sorted(self.diagnostics, key=lambda d: (d.file, d.line or 0, d.column or 0, d.severity, d.code))

    def raise_errors(self) -> None:
        """Raise RulesetError if anything but warnings was found."""
        if self.failed:
            raise RulesetError(self.sorted())


LISTED = 40
"""How many names are listed whole, as all keys of a ruleset are for a newcomer. Of more, some would mislead."""


MOST_SIFTED, MOST_COMPARED, MOST_LETTERS = 2_000, 100, 60
"""How many names are looked at for one that is not known, how many compared with it, and how long they may be: it takes
long, and a file may ask often."""


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The name that is most like another one, if any is; of very many, those are compared that share letters."""
    if len(name) > MOST_LETTERS:
        return None
    names = [other for other in known if len(other) <= MOST_LETTERS]
    if len(names) > MOST_COMPARED:
        letters = set(name)
        alike = [n for n in names if abs(len(n) - len(name)) <= 2 and (n[:1] == name[:1] or n[-1:] == name[-1:])]
        names = sorted(alike[:MOST_SIFTED], key=lambda n: len(letters.symmetric_difference(n)))[:MOST_COMPARED]
    found = get_close_matches(name, names, n=1, cutoff=cutoff)
    return found[0] if found else None


def suggest(name: str, known: Iterable[str], kind: str = "") -> str:
    """A hint for a name that is not known: the nearest one, else the list of those there are.

    kind: what the list holds, in the plural ("zones"); empty gives "known: ...".
    """
    names = sorted(set(known))
    stems = {known.removesuffix(".yaml"): known for known in names}  # that all are YAML files makes none alike
    close = stems.get(nearest(name.removesuffix(".yaml"), stems) or "")
    if close is None:
        close = {n.lower(): n for n in names}.get(name.lower())
    if close is None:
        begun = {re.split("[_ ]", n)[0]: n for n in reversed(names)}  # `shrt` for `short_game`
        close = begun.get(nearest(name, begun, 0.8) or "")
    if close is not None:
        return f"did you mean '{close}'?"
    if not names:
        return f"there are no {kind}" if kind else ""
    shown = ", ".join(names) if len(names) <= LISTED else ", ".join(names[:12]) + ", ..."
    return f"{kind or 'known'}: {shown}"


def render(diagnostic: Diagnostic, source: str | None) -> str:
    """The finding as it is printed: the line above all, the source line with a caret, the hint.

    source: the text of the file, or None when it could not be read.
    """
    lines = [on_one_line(str(diagnostic))]
    if source is not None and diagnostic.line is not None and diagnostic.column is not None:
        text = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if 0 < diagnostic.line <= len(text):
            shown = on_one_line(text[diagnostic.line - 1].replace("\t", " "))
            number = f"{diagnostic.line:>5}"
            start = diagnostic.column - 1
            width = max(1, min(diagnostic.length, len(shown) - start))
            if start > 100:  # a very long line is shown around the place
                cut = start - 40
                shown, start = "..." + shown[cut:], start - cut + 3
            shown = shown[:160]
            lines.append(f"{number} | {shown}")
            lines.append(f"{' ' * len(number)} | {' ' * start}{'^' * min(width, max(1, len(shown) - start))}")
    if diagnostic.hint:
        lines.append(f"      hint: {on_one_line(diagnostic.hint)}")
    return "\n".join(lines)
