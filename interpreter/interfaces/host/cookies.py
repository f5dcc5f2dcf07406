"""What cookies a page has sent. They are read here: the standard library may take a time that grows with the square of
what stands in quotes, and nothing that this server sets needs any."""

from __future__ import annotations

import re

from starlette.requests import HTTPConnection

_SEAT = re.compile(r"seat-([A-Za-z0-9_-]{1,40})-([0-9]{1,2})")


def cookies_of(asked: HTTPConnection) -> dict[str, str]:
    """By name, as they stand there; of two of a name the last."""
    pairs = (part.partition("=") for part in asked.headers.get("cookie", "").split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def seats_in(asked: HTTPConnection) -> dict[str, tuple[str, int]]:
    """The names of the cookies of seats -> the table and the number of the seat, the oldest first, as browsers send
    them."""
    found = ((name, _SEAT.fullmatch(name)) for name in cookies_of(asked))
    return {name: (seat[1], int(seat[2])) for name, seat in found if seat is not None}
