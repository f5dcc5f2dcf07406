"""Secrets that open things: made at random, kept only as hashes."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without I and O, which are taken for figures."""
CODE_LENGTH = 6
NAME_BYTES = 6
"""At random, of which the name of a table is made."""


def new_secret() -> str:
    """128 bits, as they stand in the fragment of a link."""
    return secrets.token_urlsafe(16)


def hashed(secret: str) -> str:
    """What is kept of a secret: nobody finds the one from the other, for it has 128 bits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def opens(secret: str, kept: str) -> bool:
    """Whether a secret is the one of which a hash is kept; none opens what has none."""
    return bool(secret) and bool(kept) and hmac.compare_digest(hashed(secret).encode(), kept.encode())


def new_code() -> str:
    """Six letters that one can say aloud."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def new_table_name() -> str:
    """What a table is called in addresses; it opens nothing."""
    return secrets.token_hex(NAME_BYTES)


def is_table_name(name: str) -> bool:
    """Whether a table can be called so: no database is asked for anything else."""
    return re.fullmatch(f"[0-9a-f]{{{2 * NAME_BYTES}}}", name) is not None
