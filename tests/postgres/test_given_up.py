"""Tables are given up in PostgreSQL, too, whichever server looks for them, and when several do at once."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from conftest import Postgres  # type: ignore[attr-defined]

from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.leases import Sharing
from interpreter.interfaces.host.store import Store


def test_a_table_with_nothing_new_is_given_up_by_whichever_server_looks(postgres: Postgres) -> None:
    postgres.create("given_up")
    stores = [Store(postgres.url("given_up"), sharing=Sharing("")) for _ in range(2)]

    def happens(table: str, n: int) -> None:
        row = {"table_id": table, "n": n, "at": 0.0, "body": e.encode(e.Renamed(0, "Anna"))}
        with stores[0].engine.begin() as connection:
            stores[0]._insert(connection.exec_driver_sql, [row])

    try:
        for number in range(300):
            happens(f"{number:012x}", 1)
        with ThreadPoolExecutor(8) as several:
            before = time.time()
            assert set(several.map(lambda at: stores[at % 2].clear_away(before), range(16))) == {0}
            after = time.time()
            happens("0" * 12, 2)
            assert sum(several.map(lambda at: stores[at % 2].clear_away(after), range(16))) >= 299
        assert [len(stores[0].events(f"{number:012x}")) for number in range(300)] == [2] + [0] * 299
        assert stores[1].clear_away(time.time() + 1) == 1
        assert stores[0].events("0" * 12) == []
        with stores[0].engine.connect() as connection:
            assert list(connection.execute(stores[0]._seen.select())) == []
    finally:
        for store in stores:
            store.stop()
