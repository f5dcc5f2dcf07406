"""What cookies a page has sent. They are read here: the standard library may take a time that grows with the square of
what stands in quotes, and nothing that this server sets needs any."""

from __future__ import annotations

from starlette.requests import HTTPConnection


def cookies_of(asked: HTTPConnection) -> dict[str, str]:
    """By name, as they stand there; of two of a name the last."""
    pairs = (part.partition("=") for part in asked.headers.get("cookie", "").split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}
