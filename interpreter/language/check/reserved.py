"""Which names may be declared."""

from __future__ import annotations

from interpreter.base.diagnostics import Report, Span
from interpreter.language.check.functions import ASKED
from interpreter.language.check.names import Names
from interpreter.language.check.references import RESERVED
from interpreter.language.keywords import KEYWORDS, TEAM


def check_name(name: str, span: Span, what: str, names: Names, report: Report) -> None:
    """Declared names must not be words of the language or symbols, nor be declared twice."""
    may_be = what in ("parameter", "option") or (name, what) == (TEAM, "variable")
    if name in RESERVED or name in KEYWORDS or (name in ASKED and not may_be):
        report.error(
            "E518",
            span,
            f"'{name}' is a word of the language and cannot name {'an' if what[0] in 'aeiou' else 'a'} {what}",
        )
    other = names.what_is(name)
    if other is not None and other != what:
        report.error("E518", span, f"'{name}' already names {'an' if other[0] in 'aeiou' else 'a'} {other}")
