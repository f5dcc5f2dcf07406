"""What has happened at all tables, in a database: one row for each event, which is there before anybody learns of it.

Events are put into a queue, and a thread of its own writes all that have come within a few milliseconds in one
transaction. What was waiting for an event is done once that is on the disk. When the database is gone, events wait, in
their order, until it is back.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from interpreter.interfaces.host import table_events as e

if TYPE_CHECKING:
    from sqlalchemy import Engine

log = logging.getLogger("houserules.host")
GATHERING = 0.002
"""Seconds that pass from one transaction to the next at least: what comes meanwhile is written together."""
AGAIN = (0.1, 0.3, 1.0)
"""Seconds until a database that did not take events is tried again; the last one from then on."""
SCHEMA = 1
LOCK = 8750_2026
"""Of the one server of a PostgreSQL database."""
Waiting = tuple[str, int, bytes, Callable[[], None]]
"""A table, the number of an event, the event, and what is done once it is stored; no bytes: there is no event."""


class StoreError(Exception):
    """The database cannot be used; the message is for whoever has started the server."""


class Store:
    """All tables in one database. url: as SQLAlchemy takes it, such as sqlite:////home/anna/tables.db. patience:
    seconds in which a database that is busy must take something.
    """

    def __init__(self, url: str, patience: float = 5.0) -> None:
        import sqlalchemy as sa

        self._sa = sa
        self.taken: Callable[[str], None] = lambda table: None
        """Is called in the loop with a table that has given an event a number that another event has: from then on
        nothing of it is stored or answered, until `forgive`."""
        self.troubled: Callable[[bool], None] = lambda is_gone: None
        """Is called in the loop with True when nothing can be stored, and with False when it can again."""
        tables = sa.MetaData()
        self._about = sa.Table("about", tables, sa.Column("version", sa.Integer, primary_key=True))
        self._events = sa.Table(
            "events",
            tables,
            sa.Column("table_id", sa.String(32), primary_key=True),
            sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
            sa.Column("at", sa.Float, nullable=False),
            sa.Column("body", sa.LargeBinary, nullable=False),
            sqlite_with_rowid=False,
        )
        self.engine = _engine(url, patience)
        self._alone = _Alone(self.engine)
        try:
            self._alone.begin()
            tables.create_all(self.engine)
            self._check_version()
        except sa.exc.SQLAlchemyError as error:
            self._alone.end()
            raise StoreError(f"the database cannot be used: {getattr(error, 'orig', None) or error}") from error
        self._insert = self._events.insert()
        self._queue: deque[Waiting] = deque()
        self._wake = threading.Event()
        self._ends = False
        self._refused: set[str] = set()
        """Tables of which an event has had a number that was taken."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._write_all, name="store", daemon=True)

    def _check_version(self) -> None:
        with self.engine.begin() as connection:
            found = connection.execute(self._about.select()).scalar()
            if found is None:
                connection.execute(self._about.insert().values(version=SCHEMA))
            elif found != SCHEMA:
                raise StoreError(f"the database is of version {found}; this program uses version {SCHEMA}")

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to write. loop: in which what waits for events is done."""
        self._loop = loop
        self._thread.start()

    def stop(self) -> None:
        """Write what is left, and end."""
        self._ends = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(10)
        self._alone.end()
        self.engine.dispose()

    def put(self, table: str, n: int, event: e.AnyEvent, done: Callable[[], None]) -> None:
        """Store an event; afterwards do what waits for it."""
        self._queue.append((table, n, e.encode(event), done))
        self._wake.set()

    def after(self, done: Callable[[], None]) -> None:
        """Do something once all is stored that has been put before."""
        self._queue.append(("", 0, b"", done))
        self._wake.set()

    def forgive(self, table: str) -> None:
        """Store again what happens at a table, which is as it is stored."""
        self._refused.discard(table)

    # ---- writing, in a thread of its own ------------------------------------------------------------------

    def _write_all(self) -> None:
        last = 0.0
        while True:
            self._wake.wait()
            early = last + GATHERING - time.monotonic()
            if early > 0 and not self._ends:
                time.sleep(early)
            self._wake.clear()
            last = time.monotonic()
            batch = [self._queue.popleft() for _ in range(len(self._queue))]
            if batch:
                self._write(batch)
            elif self._ends:
                return

    def _write(self, batch: Sequence[Waiting]) -> None:
        rows = [
            {"table_id": table, "n": n, "at": time.time(), "body": body}
            for table, n, body, _ in batch if body and table not in self._refused
        ]  # fmt: skip
        tries = 0
        while rows:
            try:
                with self.engine.begin() as connection:
                    if tries:
                        rows = self._missing(connection, rows)
                    if rows:
                        connection.execute(self._insert, rows)
                break
            except self._sa.exc.SQLAlchemyError:
                if tries == 0:
                    self._call(lambda: self.troubled(True))
                time.sleep(AGAIN[min(tries, len(AGAIN) - 1)])
                tries += 1
                if self._ends and tries > len(AGAIN):
                    return
        if tries:
            self._call(lambda: self.troubled(False))
        refused = frozenset(self._refused)
        self._call(lambda: _do_all(entry for entry in batch if entry[0] not in refused))

    def _missing(self, connection: Any, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The events that are still to be stored: a transaction of which nobody knew how it had ended may have stored
        them after all. None of a table of which another event has the number of one of them."""
        events, missing = self._events, []
        for row in rows:
            where = (events.c.table_id == row["table_id"]) & (events.c.n == row["n"])
            found = connection.execute(self._sa.select(events.c.body).where(where)).first()
            if found is None:
                missing.append(row)
            elif bytes(found[0]) != row["body"] and row["table_id"] not in self._refused:
                self._refused.add(row["table_id"])
                log.error("table %s: event %s is another one in the database", row["table_id"], row["n"])
                self._call(partial(self.taken, row["table_id"]))
        return [row for row in missing if row["table_id"] not in self._refused]

    def _call(self, what: Callable[[], None]) -> None:
        assert self._loop is not None
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(what)

    # ---- reading ------------------------------------------------------------------------------------------

    def events(self, table: str) -> list[tuple[int, e.AnyEvent]]:
        """All that has happened at a table, in order, with its numbers; nothing if there is no such table."""
        events = self._events
        asked = self._sa.select(events.c.n, events.c.body).where(events.c.table_id == table).order_by(events.c.n)
        with self.engine.connect() as connection:
            return [(n, e.decode(body)) for n, body in connection.execute(asked)]

    def opened(self) -> list[tuple[str, e.Opened]]:
        """How each table was opened."""
        events = self._events
        asked = self._sa.select(events.c.table_id, events.c.body).where(events.c.n == 1)
        with self.engine.connect() as connection:
            found = [(table, e.decode(body)) for table, body in connection.execute(asked)]
        return [(table, event) for table, event in found if isinstance(event, e.Opened)]

    def clear_away(self, before: float) -> int:
        """Take out the tables at which nothing has happened since a time; how many there were."""
        sa, events = self._sa, self._events
        last = sa.select(events.c.table_id).group_by(events.c.table_id).having(sa.func.max(events.c.at) < before)
        with self.engine.begin() as connection:
            old = [table for (table,) in connection.execute(last)]
            for table in old:
                connection.execute(events.delete().where(events.c.table_id == table))
        return len(old)


def _do_all(batch: Iterable[Waiting]) -> None:
    for _, _, _, done in batch:
        done()


class _Alone:
    """Sees to it that one server alone uses a database: two would number the same events."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._file: BinaryIO | None = None
        self._connection: Any = None

    def begin(self) -> None:
        """Raises StoreError if another server uses the database."""
        import sqlalchemy as sa

        name, file = self._engine.dialect.name, self._engine.url.database
        is_free = True
        if name == "sqlite" and file:
            is_free = self._locks(Path(f"{file}.lock"))
        elif name == "postgresql":
            self._connection = self._engine.connect()
            is_free = bool(self._connection.execute(sa.text(f"select pg_try_advisory_lock({LOCK})")).scalar())
        if not is_free:
            raise StoreError("another server uses this database; one is enough, on another port or not")

    def _locks(self, path: Path) -> bool:
        try:
            import fcntl
        except ImportError:  # on Windows
            return True
        try:
            self._file = path.open("wb")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise StoreError(f"the database cannot be used: {path}: {error.strerror}") from error
        return True

    def end(self) -> None:
        """Others may use it."""
        if self._file is not None:
            self._file.close()
        if self._connection is not None:
            self._connection.close()


def _engine(url: str, patience: float) -> Engine:
    """A database that keeps what it has said it keeps."""
    import sqlalchemy as sa

    try:
        engine = sa.create_engine(url)
    except (sa.exc.ArgumentError, ImportError) as error:
        raise StoreError(f"--database {url!r}: {error}") from error
    if engine.dialect.name == "sqlite":
        file = engine.url.database
        if file and file != ":memory:" and not file.startswith("file:"):
            with contextlib.suppress(OSError):  # what is wrong with it is told when it is opened
                Path(file).touch(0o600)
                for kept in (file, f"{file}-wal", f"{file}-shm"):  # servers before let others of this machine read it
                    if Path(kept).exists():
                        Path(kept).chmod(0o600)

        @sa.event.listens_for(engine, "connect")
        def durable(connection: Any, _: object) -> None:
            if connection.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
                raise sqlite3.OperationalError("it lies where it cannot be kept safe, such as on a network drive")
            for setting in ("synchronous=FULL", f"busy_timeout={round(patience * 1000)}"):
                connection.execute(f"PRAGMA {setting}")

    return engine


def default_url() -> str:
    """The database in the user's folder for data. Raises OSError."""
    from interpreter.interfaces import saved_matches

    folder: Path = saved_matches.folder().parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'tables.db'}"
