"""Names in printed code that no ruleset can have.

A made name is a kind and the names or numbers that it is for, joined by a sign which names of rulesets cannot hold:
`apply·go_fast·x` is the effect of action `x` in stage `go_fast`, and never that of `fast_x` in `go`; `x·card` is the
parameter, or what a loop goes through, that the ruleset calls `card`.
"""

from __future__ import annotations

import re

SIGN = "·"
"""U+00B7 MIDDLE DOT: Python's identifiers may hold it, names of rulesets may not."""
_PART = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+")


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


def local_name(name: str) -> str:
    """What a parameter, or what a loop goes through, is called in printed code."""
    return f"x{SIGN}{name}"
