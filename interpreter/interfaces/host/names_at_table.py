"""What people may be called at a table."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from interpreter.interfaces.party import misnamed

BOTS = ("Ada", "Bruno", "Clara", "Dario", "Edda", "Felix", "Greta", "Hugo", "Iris", "Jonas", "Karla", "Leo", "Mina")


def cleaned(name: str) -> str:
    """A name as it is kept: composed, and with single spaces."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def wrong_name(name: str, others: Sequence[str]) -> str:
    """What is wrong with a name beside others, or nothing."""
    if problem := misnamed([name]):
        return problem
    if any(alike(name) == alike(other) for other in others if other):
        return f"'{name}' sits here already; take another name"
    return ""


def alike(name: str) -> str:
    """Names with the same are taken for one another."""
    return unicodedata.normalize("NFKC", name).casefold()


def bot_name(others: Sequence[str]) -> str:
    """A name that nobody has."""
    taken = {alike(name) for name in others if name}
    free = (name for name in BOTS if alike(name) not in taken)
    return next(free, f"Bot {len(taken) + 1}")
