"""Who may come in: hosts and origins that are ours, and not too often."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection
from functools import lru_cache
from ipaddress import IPv6Address
from urllib.parse import urlsplit

MOST_KNOWN = 10_000
"""Addresses and the like whose rates are kept in mind."""


@lru_cache(maxsize=MOST_KNOWN)
def counted_as(address: str) -> str:
    """By what somebody is counted: an address; of IPv6 in the open the network of 64 bits, of which each is given all
    addresses."""
    if ":" not in address:
        return address
    try:
        found = IPv6Address(address)
    except ValueError:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Address(int(found) >> 64 << 64)) if found.is_global else address


class Rates:
    """So many things in so many seconds for each key, more at once only as far as they were not used before."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._each, self._clock = most, seconds / most, clock
        self._full_at: dict[str, float] = {}
        """By key, when all may be done again at once."""

    def has_room(self, key: str) -> bool:
        """Whether it can be done now, without counting it."""
        return self._full_at.get(key, 0.0) - self._clock() <= self._each * (self._most - 1)

    def allows(self, key: str) -> bool:
        """Whether it can be done now; then it counts."""
        now = self._clock()
        full = max(self._full_at.get(key, 0.0), now)
        if full - now > self._each * (self._most - 1):
            return False
        self._full_at.pop(key, None)
        self._full_at[key] = full + self._each
        if len(self._full_at) > MOST_KNOWN:
            del self._full_at[next(iter(self._full_at))]
        return True

    def give_back(self, key: str) -> None:
        """What was allowed last does not count after all."""
        if key in self._full_at:
            self._full_at[key] -= self._each


class Credit:
    """So many things a second, and more at once only as far as they were not used before."""

    __slots__ = ("_each_second", "_last", "_left", "_most")

    def __init__(self, each_second: float, most: float) -> None:
        self._each_second, self._most, self._left, self._last = each_second, most, most, time.monotonic()

    def allows(self, number: int = 1) -> bool:
        """Whether so many more are within it; they count."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._last) * self._each_second) - number
        self._last = now
        return self._left >= 0


class Gate:
    """hosts: names and addresses under which the server may be asked, without ports. None of others: a page elsewhere
    could have its own name lead here."""

    def __init__(self, hosts: Collection[str]) -> None:
        self._hosts = {host.lower() for host in hosts}

    def knows(self, host: str | None) -> bool:
        """Whether a `Host` is ours."""
        return host is not None and _name(host) in self._hosts

    def is_own(self, origin: str | None, host: str | None) -> bool:
        """Whether what is asked comes from our own page; who sends no origin is no browser."""
        if origin is None:
            return True
        try:
            return urlsplit(origin).netloc.lower() == (host or "").lower()
        except ValueError:
            return False


def _name(host: str) -> str | None:
    """A host without its port; None if that is no host and port."""
    found = re.fullmatch(r"(?:\[([0-9a-f:.]*)\]|([^\[\]:]*))(?::[0-9]{0,5})?", host.strip().lower())
    return None if found is None else found[1] or found[2]
