"""Melds that are asked for together, as an option lists them: each by its kind and how many cards it has."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from interpreter.base.diagnostics import suggest

MOST_CARDS = 100
"""Of a meld, and melds that are chosen together."""
MOST_ASKED = 6
"""So many melds are asked for together at most."""
_ASKED = re.compile(r"(\w+) (\d{1,3})(?:(\.\.)(\d{1,3})?)?")
_HOW = "such as [set 3, run 4..]"


class AskedMeld(NamedTuple):
    """A meld of a kind with so many cards."""

    kind: str
    low: int
    high: int


@lru_cache(1_000)
def asked(text: str) -> AskedMeld | None:
    """What `set 3`, `set 3..4` or `set 3..` asks for; None if the text is written otherwise."""
    found = _ASKED.fullmatch(text)
    if found is None:
        return None
    kind, low, dots, high = found.groups()
    return AskedMeld(kind, int(low), int(high) if high else MOST_CARDS if dots else int(low))


def asked_problem(value: object, kinds: Iterable[str]) -> tuple[str, str] | None:
    """Why a value of an option does not say which melds are asked for together, as (what is wrong, hint)."""
    if not isinstance(value, tuple) or not value:
        return "must say which melds are asked for", _HOW
    if len(value) > MOST_ASKED:
        return f"asks for {len(value)} melds together, and {MOST_ASKED} are allowed", ""
    for text in value:
        one = asked(text) if isinstance(text, str) else None
        if one is None:
            return f"cannot be {text}", _HOW
        if one.kind not in kinds:
            return f"asks for '{one.kind}', which is no kind of meld", suggest(one.kind, kinds, "kinds of meld")
        if not 1 <= one.low <= one.high <= MOST_CARDS:
            return f"cannot be {text}", f"a meld has 1 to {MOST_CARDS} cards, and a range begins with its lower end"
    return None
