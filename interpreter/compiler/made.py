"""Names in printed code that no ruleset can have.

A made name is a kind and the names or numbers that it is for, joined by a sign which names of rulesets cannot hold:
`apply·go_fast·x` is the effect of action `x` in stage `go_fast`, and never that of `fast_x` in `go`; `x·card` is the
parameter, or what a loop goes through, that the ruleset calls `card`.
"""

from __future__ import annotations

import re
from itertools import count

SIGN = "·"
"""U+00B7 MIDDLE DOT: Python's identifiers may hold it, names of rulesets may not."""
_FILES = "<houserules "
"""How the names of what programs are run from begin; no file of Python is called so."""
_numbers = count(1)
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


def name_of_file(game: str) -> str:
    """A name for the text of a program, as if it were a file; no other program has it."""
    return f"{_FILES}{game} #{next(_numbers)}>"


def is_of_program(filename: str) -> bool:
    """Whether it is the text of a program that is called so, and no file of Python."""
    return filename.startswith(_FILES)
