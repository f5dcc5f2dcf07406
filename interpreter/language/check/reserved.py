"""Which names may be declared."""

from __future__ import annotations

from interpreter.base.diagnostics import Report, Span
from interpreter.language.check.functions import ASKED
from interpreter.language.check.names import Names
from interpreter.language.check.references import RESERVED
from interpreter.language.keywords import ASIDE, KEYWORDS, TEAM

INSTEAD = {
    "count": "total", "number": "how_many", "sum": "counted",
    "first": "opener", "last": "final", "next": "following", "again": "once_more",
    "top": "upper", "bottom": "lower", "place": "spot", "index": "nth", "item": "entry",
    "player": "who", "owner": "whose", "holder": "keeper", "actor": "doer", "leader": "led_by", "winner": "won_by",
    "dealer": "dealt_by",
    "team": "side", "partner": "mate", "members": "people", "tricks": "tricks_won",
    "turn": "on_move", "deal": "hand_number", "pass": "passed", "call": "called", "take": "taken", "show": "shown",
    "led": "suit_led", "best": "highest_one", "direction": "way", "pack": "deck", "honor": "honest",
    "out": "gone_out", "across": "opposite", "left": "remaining", "skip": "skipped",
}  # fmt: skip
"""What a thing may be called that would be called by a word of the language."""


def check_name(name: str, span: Span, what: str, names: Names, report: Report) -> None:
    """Declared names must not be words of the language or symbols, nor be declared twice."""
    may_be = what in ("parameter", "option") or (name, what) == (TEAM, "variable")
    if name in RESERVED or name in KEYWORDS or (name in ASKED and not may_be):
        message = f"'{name}' is a word of the language and cannot name {'an' if what[0] in 'aeiou' else 'a'} {what}"
        report.error("E518", span, message, f"call it '{INSTEAD[name]}'" if name in INSTEAD else "")
    if (name, what) == (ASIDE, "zone"):
        message = f"a zone cannot be called '{name}': so the place is called where the rest lies that takes no part"
        report.error("E518", span, message, "call it 'apart'")
    other = names.what_is(name)
    if other is not None and other != what:
        report.error("E518", span, f"'{name}' already names {'an' if other[0] in 'aeiou' else 'a'} {other}")
