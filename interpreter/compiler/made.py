"""Names in generated text that no ruleset can have.

A made name is a kind and the names or numbers that it is for, joined by a sign which names of rulesets cannot hold:
`apply·go_fast·x` is the effect of action `x` in stage `go_fast`, and never that of `fast_x` in `go`; `x·card` is the
parameter, or what a loop goes through, that the ruleset calls `card`. Literals are printed by `ascii`, so the sign
stands in no literal either, and a made name found in a text is that name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

SIGN = "·"
"""U+00B7 MIDDLE DOT: Python's identifiers may hold it, names of rulesets may not."""
_PART = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+")
_WORD = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[A-Za-z_][\w·]*")
"""A literal, or a name."""


def made(kind: str, *parts: str | int) -> str:
    """A name for what is printed. Raises AssertionError for what is no name of a ruleset: that is our fault."""
    name = kind
    for part in parts:
        text = str(part)
        if _PART.fullmatch(text) is None:
            raise AssertionError(f"{text!a} is no name")
        name += SIGN + text
    return name


def hidden(stem: str, number: int) -> str:
    """A name for a local that the compiler adds to expressions; no ruleset can have it."""
    return f"{stem}{SIGN}{number}"


def put_in(text: str, given: Mapping[str, str]) -> str:
    """A text with other texts in the place of made names; literals stay as they are."""
    return _WORD.sub(lambda found: given.get(found[0], found[0]), text)


def times_named(text: str, name: str) -> int:
    """How often a made name stands in a text."""
    return sum(found == name for found in _WORD.findall(text))


def remark(text: str) -> str:
    """A comment for the end of a line, whatever the text: no sign in it can end the line or the comment."""
    return "  # " + "".join(c if c.isprintable() else " " for c in text)
