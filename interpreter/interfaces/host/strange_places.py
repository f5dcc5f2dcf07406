"""Places for matches with house rules: each is played in a process of its own, and there are few of them. So nobody who
opens tables has all of them, and the host has some that nobody else takes."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.interfaces.host import table_events as e

MOST_OF_ONE = 2
"""Matches at a time at tables that were opened from one address, by others than the host."""
HOSTS_OWN = 2
"""Places that only tables have which the host has opened."""
SHARE = f"There are at most {MOST_OF_ONE} matches with house rules of their own at a time that one address has opened."
OTHERS = "The places for matches with house rules of their own are taken, but for those of the host."
Opener = str
"""Who has opened a table: `opener`; "" for the host."""


def opener(address: str) -> Opener:
    """What is kept of an address with a table: so little that it is not known again by it, and nearly always another
    one than of another address."""
    return hashlib.sha256(address.encode()).hexdigest()[:6]


def no_room(taken: Collection[Opener], by: Opener, most: int) -> str:
    """Why there is no place for another match; "" if there is one. taken: the openers of those that have one. by: who
    has opened its table. most: how many places there are."""
    if len(taken) >= most:
        return f"There are at most {most} matches with house rules of their own at a time."
    if by and sum(one == by for one in taken) >= MOST_OF_ONE:
        return SHARE
    if by and sum(map(bool, taken)) >= most - HOSTS_OWN:
        return OTHERS
    return ""


def is_strange(spec: e.GameSpec) -> bool:
    """Whether somebody else than we has written a part of the rules."""
    return bool(spec.overlays) or not spec.source
