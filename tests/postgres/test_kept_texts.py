"""What shipped rulesets say is kept in PostgreSQL, too, once for all servers."""

from __future__ import annotations

from conftest import Postgres  # type: ignore[attr-defined]

from interpreter.interfaces.host.leases import Sharing
from interpreter.interfaces.host.store import Store


def test_a_text_is_kept_once_and_read_by_every_server(postgres: Postgres) -> None:
    postgres.create("texts")
    first, second = [Store(postgres.url("texts"), sharing=Sharing("")) for _ in range(2)]
    try:
        first.keep_text("digest", '{"some": "text\\n\\u2660"}')
        assert not second.has_text("digest")
        second.keep_text("digest", "another one")
        assert second.has_text("digest")
        assert second.text("digest") == first.text("digest") == '{"some": "text\\n\\u2660"}'
        assert first.text("other") is None
    finally:
        first.stop()
        second.stop()
