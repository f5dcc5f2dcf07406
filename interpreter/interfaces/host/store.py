"""What has happened at all tables, in a database: one row for each event, which is there before anybody learns of it.

Events are put into a queue, and a thread of its own writes all that have come within a few milliseconds in one
transaction. What was waiting for an event is done once that is on the disk. When the database is gone, events wait, in
their order, until it is back. Where several servers use one database, nothing is stored of a table that another one has
taken meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.database import ONLY_READS, FileLock, StoreError, engine_of, needs_version, statements
from interpreter.interfaces.host.deliveries import Deliveries
from interpreter.interfaces.host.leases import Hold, Leases, Sharing, lease_tables

if TYPE_CHECKING:
    from sqlalchemy import MetaData

log = logging.getLogger("houserules.host")
GATHERING, BUSY = 0.004, 0.006
"""Seconds that pass from one transaction to the next at least, and behind one that has written several events: what
comes meanwhile is written together. Each costs as much as half a move, and keeps the loop from its work."""
MOMENT = 0.5
"""Seconds after which nothing is about to happen, where nothing did."""
AGAIN = (0.1, 0.3, 1.0)
"""Seconds until a database that did not take events is tried again; the last one from then on."""
TOGETHER = 1_000
"""Events of one statement."""
SCHEMA = 1
NOBODY = Hold("", 0)
"""Of what concerns no table alone."""
Waiting = tuple[Hold, int, bytes, Callable[[], None]]
"""A table, the number of an event, the event, and what is done once it is stored; no bytes: there is no event."""
Row = dict[str, Any]
Numbered = list[tuple[int, e.AnyEvent]]
"""Events with their numbers."""
Execute = Callable[[str, tuple[Any, ...]], object]
"""Carries out a statement with its values."""


class Unreachable(Exception):
    """The database does not answer just now."""


class Store:
    """All tables in one database. url: as SQLAlchemy takes it, such as sqlite:////home/anna/tables.db. patience:
    seconds in which a database that is busy must take something. sharing: how other servers use it, too; None: this
    one alone does.
    """

    def __init__(self, url: str, patience: float = 5.0, sharing: Sharing | None = None) -> None:
        import sqlalchemy as sa

        self._sa = sa
        self.taken: Callable[[Hold], None] = lambda hold: None
        """Is called in the loop with a table of which something cannot be stored: another event has its number, or
        another server the table. Nothing more of it is stored or answered under this hold."""
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
        self._seen = sa.Table(
            "seen",
            tables,
            sa.Column("table_id", sa.String(32), primary_key=True),
            sa.Column("n", sa.Integer, nullable=False),
            sa.Column("at", sa.Float, nullable=False),
        )
        """When each table was first found with its last event."""
        self._rulesets = sa.Table(
            "rulesets",
            tables,
            sa.Column("digest", sa.String(64), primary_key=True),
            sa.Column("text", sa.Text, nullable=False),
        )
        self._body = sa.type_coerce(self._events.c.body, sa.types.NULLTYPE)
        """Of an event as the driver reads it: of a number older versions of SQLAlchemy would make as many bytes."""
        self._unreadable: set[str] = set()
        """Tables of which it was told in the terminal that they cannot be read."""
        self._texts_there: set[str] = set()
        """The digests under which this server has kept texts."""
        self.engine = engine_of(url, patience, sharing is not None)
        self._reading = self.engine.execution_options(**{ONLY_READS: True})
        kept = list(tables.tables.values())
        of_leases = lease_tables(tables)
        self._needed = kept if sharing is None else [*kept, *of_leases]
        self.leases = None if sharing is None else Leases(self.engine, of_leases, sharing)
        self._lock = FileLock(self.engine)
        try:
            self._lock.begin(sharing is None, statements(self.engine, tables), SCHEMA)
            try:
                self._prepare(tables)
            except (sa.exc.ProgrammingError, sa.exc.IntegrityError):  # another server has just done it
                self._prepare(tables)
        except sa.exc.SQLAlchemyError as error:
            self._lock.end()
            raise StoreError(f"the database cannot be used: {getattr(error, 'orig', None) or error}") from error
        except StoreError:
            self._lock.end()
            raise
        self._queue: deque[Waiting] = deque()
        self._wake = threading.Event()
        self._ends = False
        self._wrote = 0.0
        """When the last transaction began, by the clock of the process."""
        self._refused: set[Hold] = set()
        """Of which nothing is stored or answered any more."""
        self._lives = itertools.count(1)
        self._told = Deliveries()
        self._plain: Any = None
        """A connection to a file that this server uses alone, as the driver has it; None until there is one."""
        self._thread = threading.Thread(target=self._write_all, name="store", daemon=True)

    def _prepare(self, tables: MetaData) -> None:
        """See to it that all is there that is needed."""
        tables.create_all(self.engine, self._needed)
        self._check_version()
        if self.leases is not None:
            self.leases.adopt((table, opened.code) for table, opened in self.opened())

    def _check_version(self) -> None:
        with self.engine.begin() as connection:
            found = connection.execute(self._about.select()).scalar()
            if found is None:
                connection.execute(self._about.insert().values(version=SCHEMA))
            needs_version(found, SCHEMA)

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to write. loop: in which what waits for events is done."""
        self._told.start(loop)
        if self.leases is not None:
            try:
                self.leases.start(loop)
            except self._sa.exc.SQLAlchemyError as error:
                raise StoreError(f"the database cannot be used: {getattr(error, 'orig', None) or error}") from error
        self._thread.start()

    def stop(self) -> None:
        """Write what is left, and end."""
        self._ends = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(10)
        if self.leases is not None:
            self.leases.stop()
        self.engine.dispose()
        self._lock.end()

    def put(self, hold: Hold, n: int, event: e.AnyEvent, done: Callable[[], None]) -> None:
        """Store an event; afterwards do what waits for it."""
        self._queue.append((hold, n, e.encode(event), done))
        self._rouse()

    def after(self, done: Callable[[], None], hold: Hold = NOBODY) -> None:
        """Do something once all is stored that has been put before; of a table, unless something of it is refused."""
        self._queue.append((hold, 0, b"", done))
        self._rouse()

    def _rouse(self) -> None:
        """There is something to write. Most often that is known already: what has been woken takes all there is."""
        if not self._wake.is_set():
            self._wake.set()

    @property
    def rests(self) -> bool:
        """Whether nothing has happened anywhere for a moment."""
        return not self._queue and time.monotonic() - self._wrote >= MOMENT

    def refuse(self, hold: Hold) -> None:
        """Store and answer nothing more of a table that was kept so."""
        self._refused.add(hold)

    # ---- writing, in a thread of its own ------------------------------------------------------------------

    def _write_all(self) -> None:
        gathering = GATHERING
        while True:
            if not self._ends:
                self._wake.wait()
            early = self._wrote + gathering - time.monotonic()
            if early > 0 and not self._ends:
                time.sleep(early)
            self._wake.clear()
            self._wrote = time.monotonic()
            batch = [self._queue.popleft() for _ in range(len(self._queue))]
            gathering = BUSY if sum(bool(body) for _, _, body, _ in batch) > 1 else GATHERING
            if batch:
                self._write(batch)
            elif self._ends:
                if self._plain is not None:
                    self._plain.close()
                return
            del batch  # whom it has been sent to may be gone before there is another one

    def _write(self, batch: Sequence[Waiting]) -> None:
        now = time.time()
        rows = [(hold, {"table_id": hold.table, "n": n, "at": now, "body": body}) for hold, n, body, _ in batch if body]
        tries = 0
        while rows := [row for row in rows if row[0] not in self._refused]:
            try:
                if not tries and self._writes_plainly:
                    self._write_plainly([row for _, row in rows])
                    break
                with self.engine.begin() as connection:
                    rows = self._kept(connection, rows)
                    missing = self._missing(connection, rows) if tries else rows
                    self._insert(connection.exec_driver_sql, [row for _, row in missing])
                break
            except (self._sa.exc.SQLAlchemyError, sqlite3.Error):
                if tries == 0:
                    self._call(lambda: self.troubled(True))
                time.sleep(AGAIN[min(tries, len(AGAIN) - 1)])
                tries += 1
                if self._ends and tries > len(AGAIN):
                    return
        if tries:
            self._call(lambda: self.troubled(False))
        if self.leases is None or self.leases.answers():
            refused = frozenset(self._refused)
            self._call(lambda: _do_all(entry for entry in batch if entry[0] not in refused))

    @property
    def _writes_plainly(self) -> bool:
        """Whether events are given to the driver: that costs half of what it costs through all of SQLAlchemy, which is
        only needed where leases are looked at in the same transaction, or for another database."""
        return self.leases is None and self.engine.dialect.name == "sqlite"

    def _write_plainly(self, rows: list[Row]) -> None:
        """Store events in a transaction of their own. Raises sqlite3.Error; then the connection is given up."""
        if self._plain is None:
            self._plain = self.engine.raw_connection()
        connection = self._plain.driver_connection
        try:
            self._insert(connection.execute, rows)
            connection.commit()
        except BaseException:
            held, self._plain = self._plain, None
            held.invalidate()
            raise

    def _insert(self, execute: Execute, rows: list[Row]) -> None:
        """Write events, many with each statement: between two of them other threads may take their time."""
        mark = "?" if self.engine.dialect.paramstyle == "qmark" else "%s"
        one = f"({', '.join([mark] * 4)})"
        for at in range(0, len(rows), TOGETHER):
            part = rows[at : at + TOGETHER]
            values = [value for row in part for value in (row["table_id"], row["n"], row["at"], row["body"])]
            text = f"INSERT INTO events (table_id, n, at, body) VALUES {', '.join([one] * len(part))}"
            execute(text, tuple(values))

    def _kept(self, connection: Any, rows: list[tuple[Hold, Row]]) -> list[tuple[Hold, Row]]:
        """The events of tables that are kept here, as they stay until the transaction ends."""
        lost = set() if self.leases is None else self.leases.lost(connection, {hold for hold, _ in rows})
        for hold in lost:
            self._lose(hold, "another server keeps it")
        return [row for row in rows if row[0] not in lost]

    def _missing(self, connection: Any, rows: Sequence[tuple[Hold, Row]]) -> list[tuple[Hold, Row]]:
        """The events that are still to be stored: a transaction of which nobody knew how it had ended may have stored
        them after all. None of a table of which another event has the number of one of them, here or there."""
        events, missing = self._events, []
        seen = set[tuple[str, int]]()
        for hold, row in rows:
            if (row["table_id"], row["n"]) in seen:
                self._lose(hold, f"event {row['n']} is another one here")
                continue
            seen.add((row["table_id"], row["n"]))
            where = (events.c.table_id == row["table_id"]) & (events.c.n == row["n"])
            found = connection.execute(self._sa.select(events.c.body).where(where)).first()
            if found is None:
                missing.append((hold, row))
            elif bytes(found[0]) != row["body"]:
                self._lose(hold, f"event {row['n']} is another one in the database")
        return [row for row in missing if row[0] not in self._refused]

    def _lose(self, hold: Hold, why: str) -> None:
        if hold not in self._refused:
            self._refused.add(hold)
            log.warning("table %s: %s", hold.table, why)
            self._call(partial(self.taken, hold))

    def _call(self, what: Callable[[], None]) -> None:
        self._told.put(what)

    def deliver(self) -> None:
        """Do at once what waits for what is stored by now; in the loop, which does it anyway in its next pass."""
        self._told.deliver()

    def delivers_to(self, then: Callable[[], None]) -> None:
        """then: is called in the loop whenever some of that was done."""
        self._told.then = then

    # ---- texts of shipped rulesets ------------------------------------------------------------------------

    def has_text(self, digest: str) -> bool:
        """Whether it is known that a text is kept under a digest."""
        return digest in self._texts_there

    def keep_text(self, digest: str, text: str) -> None:
        """Keep a text, which is there once and stays: there are few of them. Raises Unreachable."""
        once = "INSERT INTO rulesets (digest, text) VALUES (:digest, :text) ON CONFLICT DO NOTHING"
        with self._reached(), self.engine.begin() as connection:
            connection.execute(self._sa.text(once), {"digest": digest, "text": text})
        self._texts_there.add(digest)

    def text(self, digest: str) -> str | None:
        """The text that is kept under a digest. Raises Unreachable."""
        asked = self._sa.select(self._rulesets.c.text).where(self._rulesets.c.digest == digest)
        with self._reached(), self._reading.connect() as connection:
            found: str | None = connection.execute(asked).scalar()
            return found

    # ---- reading ------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _reached(self) -> Iterator[None]:
        """Raises Unreachable if the database cannot be asked."""
        try:
            yield
        except self._sa.exc.SQLAlchemyError as error:
            raise Unreachable(str(getattr(error, "orig", None) or error)) from error

    def new(self, table: str, code: str) -> Hold | None:
        """Keep a new table; None if another one has its code. Raises Unreachable."""
        with self._reached():
            return Hold(table, next(self._lives)) if self.leases is None else self.leases.new(table, code)

    def take(self, table: str) -> tuple[Hold, Numbered]:
        """Keep a table; what has happened there, as `decode_table` has it: nothing if there is no such table.

        Raises Elsewhere and Unreachable.
        """
        with self._reached():
            hold = Hold(table, next(self._lives)) if self.leases is None else self.leases.take(table)
            return (NOBODY, []) if hold is None else (hold, self._read(table, e.decode_table))

    def by_code(self, code: str) -> str | None:
        """The table that has a code, where others open tables, too. Raises Unreachable."""
        with self._reached():
            return None if self.leases is None else self.leases.by_code(code)

    def events(self, table: str) -> Numbered:
        """All that has happened at a table, in order, with its numbers; nothing if there is no such table."""
        return self._read(table, lambda rows: [(n, e.decode(body)) for n, body in rows])

    def _read(self, table: str, decode: Callable[[Iterable[Any]], Numbered]) -> Numbered:
        """The events of a table. decode: makes them of their rows, each a number and what is stored under it."""
        events = self._events
        asked = self._sa.select(events.c.n, self._body).where(events.c.table_id == table).order_by(events.c.n)
        with self._reading.connect() as connection:
            return decode(itertools.starmap(e.as_stored, connection.execute(asked)))

    def opened(self) -> list[tuple[str, e.Opened]]:
        """How each table was opened. One of which that cannot be read stays as it is, and the others go on."""
        events = self._events
        asked = self._sa.select(events.c.table_id, self._body).where(events.c.n == 1)
        with self._reading.connect() as connection:
            rows = connection.execute(asked).all()
        found: list[tuple[str, e.Opened]] = []
        for table, body in rows:
            try:
                event = e.decode(e.as_stored(1, body)[1])
            except (ValueError, RecursionError) as error:  # it is damaged, or of a newer version
                self.cannot_read(table, error)
                continue
            if isinstance(event, e.Opened) and isinstance(table, str):
                found.append((table, event))
        return found

    def cannot_read(self, table: str, error: Exception) -> None:
        """Tell in the terminal that a table cannot be read; once, however often it is asked for."""
        if table not in self._unreadable:
            self._unreadable.add(table)
            log.warning("table %s cannot be read, and is left alone: %r", ascii(table), error)

    def clear_away(self, before: float, here: Collection[str] = ()) -> int:
        """Take out the tables that have been found since a time with nothing new; how many there were. here: those that
        are in memory, which stay; as do those of other servers, which know themselves what they have in memory.

        When something happened is not asked: the clock may have been behind then, and is right by now.
        """
        events, seen = self._events, self._seen
        with self.engine.begin() as connection:
            there = () if self.leases is None else self.leases.elsewhere(connection)
            since = self._seen_since(connection)
            old = [table for table, at in since.items() if at < before and table not in here and table not in there]
            for table in old:
                connection.execute(events.delete().where(events.c.table_id == table))
            connection.execute(seen.delete().where(~self._sa.exists().where(events.c.table_id == seen.c.table_id)))
            if self.leases is not None:
                self.leases.clear_away(connection, old)
        return len(old)

    def _seen_since(self, connection: Any) -> dict[str, float]:
        """Since when each table has been found with its last event, as seconds since 1970; if not before, since now."""
        sa, events, seen, now = self._sa, self._events, self._seen, time.time()
        last = sa.select(events.c.table_id, sa.func.max(events.c.n)).group_by(events.c.table_id)
        known = {table: (n, at) for table, n, at in connection.execute(sa.select(seen))}
        since = dict[str, float]()
        fresh = list[Row]()
        for table, n in connection.execute(last.order_by(events.c.table_id)):  # always in one order: others wait, too
            if not isinstance(table, str) or not isinstance(n, int):  # they are damaged, and stay as they are
                continue
            found, at = known.get(table, (0, now))
            is_right = found == n and isinstance(at, float) and at <= now  # it may have been ahead, too
            since[table] = at if is_right else now
            if known.get(table) != (n, since[table]):
                fresh.append({"table_id": table, "n": n, "at": since[table]})
        if fresh:
            once = "INSERT INTO seen (table_id, n, at) VALUES (:table_id, :n, :at)"
            anew = "ON CONFLICT (table_id) DO UPDATE SET n = excluded.n, at = excluded.at"
            connection.execute(sa.text(f"{once} {anew}"), fresh)
        return since


def _do_all(batch: Iterable[Waiting]) -> None:
    for _, _, _, done in batch:
        done()
