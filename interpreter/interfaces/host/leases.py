"""Which server keeps which table, where several use one database: at most one at a time.

A server tells the database every two seconds that it is there. A table's lease names the server that keeps it, and its
epoch is one higher each time the table is taken. Events are stored in a transaction that finds the epoch unchanged, so
that of two servers which both believe to keep a table only one stores anything; no clock decides that. Times are the
database's own: a server that has been silent for six seconds may lose its tables to others, and one that has not been
heard for four by its own clock gives them up by itself.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from interpreter.interfaces.host.database import ONLY_READS

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, MetaData, Table

log = logging.getLogger("houserules.host")
BEAT, LAPSE, EXPIRY = 2.0, 4.0, 6.0
"""Seconds: between two signs of life; until a server that got none through gives up; until others may take over."""
GONE = 24 * 3600.0
"""Seconds after which a server that was silent is forgotten, and the host's link with it."""


@dataclass(frozen=True, slots=True)
class Hold:
    """That a table is kept here. epoch: higher each time it is taken."""

    table: str
    epoch: int


@dataclass(frozen=True, slots=True)
class Peer:
    """Another server. address: host and port at which servers reach it; key: shows it that a server asks."""

    address: str
    key: str


class Elsewhere(Exception):
    """A table is kept by another server."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        super().__init__(f"The table is kept at {peer.address}.")


@dataclass(frozen=True, slots=True)
class Sharing:
    """How a server shares its database. address: where others reach it. host: the hash of the secret of its host.
    second: how long one is."""

    address: str
    host: str = ""
    second: float = 1.0


def lease_tables(tables: MetaData) -> tuple[Table, Table]:
    """Where it is kept which servers there are, and which tables of players each keeps."""
    import sqlalchemy as sa

    servers = sa.Table(
        "servers",
        tables,
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("address", sa.String(200), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("host", sa.String(64), nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    leases = sa.Table(
        "leases",
        tables,
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("server", sa.String(32), nullable=False),
        sa.Column("code", sa.String(10), nullable=False, index=True),
    )
    return servers, leases


class Leases:
    """The leases of one database, as one server sees them. tables: see `lease_tables`. own: by what others know this
    server."""

    def __init__(self, engine: Engine, tables: tuple[Table, Table], sharing: Sharing) -> None:
        import sqlalchemy as sa

        self._sa, self._engine, self._sharing = sa, engine, sharing
        self.name = secrets.token_hex(8)
        self.own = Peer(sharing.address, secrets.token_urlsafe(16))
        self.hosts: frozenset[str] = frozenset([sharing.host]) - {""}
        """Hashes of the secrets of all servers' hosts."""
        self.lapsed: Callable[[], None] = lambda: None
        """Is called in the loop when this server has been silent for so long that it keeps no table any more."""
        self._servers, self._leases = tables
        is_sqlite = engine.dialect.name == "sqlite"
        clock = "(julianday('now') - 2440587.5) * 86400" if is_sqlite else "extract(epoch from clock_timestamp())"
        self._now = sa.literal_column(clock, sa.Float)
        self._renewed = time.monotonic()
        self._is_overdue = False
        """Whether something was not answered because no sign of life had got through."""
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="leases", daemon=True)

    # ---- signs of life ------------------------------------------------------------------------------------

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Be there. Raises SQLAlchemyError."""
        self._loop = loop
        self._renew()
        self._renewed = time.monotonic()
        self._thread.start()

    def stop(self) -> None:
        """Be gone: others may take the tables at once."""
        self._ends.set()
        if self._thread.is_alive():
            self._thread.join(1)
            try:
                with self._engine.begin() as connection:
                    connection.execute(self._servers.delete().where(self._servers.c.name == self.name))
            except self._sa.exc.SQLAlchemyError:
                log.warning("this server could not say that it ends: its tables go on when its leases have expired")

    def answers(self) -> bool:
        """Whether this server may say that something is so: it has been heard not long ago."""
        if time.monotonic() - self._renewed < LAPSE * self._sharing.second:
            return True
        self._is_overdue = True
        return False

    def heed(self) -> None:
        """Give up all tables if this server has not been heard; in the loop."""
        if not self.answers():
            self.lapsed()

    def _beat(self) -> None:
        while not self._ends.wait(BEAT * self._sharing.second):
            begun = time.monotonic()
            try:
                hosts = self._renew()
            except self._sa.exc.SQLAlchemyError:
                continue
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(partial(self._heard, begun, hosts))

    def _renew(self) -> frozenset[str]:
        servers = self._servers
        until = self._now + EXPIRY * self._sharing.second
        with self._engine.begin() as connection:
            there = connection.execute(servers.update().where(servers.c.name == self.name).values(until=until))
            if not there.rowcount:
                row = {"name": self.name, "address": self.own.address, "key": self.own.key, "host": self._sharing.host}
                connection.execute(servers.insert().values(until=until, **row))
            return frozenset(connection.execute(self._sa.select(servers.c.host)).scalars()) - {""}

    def _heard(self, begun: float, hosts: frozenset[str]) -> None:
        """A sign of life has got through that was given at a moment; in the loop."""
        if self._is_overdue or begun - self._renewed >= LAPSE * self._sharing.second:
            self.lapsed()
        self._is_overdue = False
        self._renewed, self.hosts = begun, hosts

    # ---- tables -------------------------------------------------------------------------------------------

    def new(self, table: str, code: str) -> Hold | None:
        """Keep a new table; None if another one has its code. Raises SQLAlchemyError."""
        leases = self._leases
        with self._engine.begin() as connection:
            if connection.execute(self._sa.select(leases.c.code).where(leases.c.code == code)).first():
                return None
            connection.execute(leases.insert().values(table_id=table, epoch=1, server=self.name, code=code))
        return Hold(table, 1)

    def adopt(self, codes: Iterable[tuple[str, str]]) -> None:
        """Give a lease to each table that has none, kept by nobody: one server alone has opened it. codes: of tables.

        Raises SQLAlchemyError.
        """
        for table, code in codes:
            with self._engine.begin() as connection:
                if connection.execute(self._row(table)).first() is None:
                    connection.execute(self._leases.insert().values(table_id=table, epoch=0, server="", code=code))

    def take(self, table: str) -> Hold | None:
        """Keep a table, unless another server does that is there; None if there is none. Raises Elsewhere, and
        SQLAlchemyError."""
        sa, leases, servers = self._sa, self._leases, self._servers
        with self._engine.begin() as connection:
            found = connection.execute(self._row(table).with_for_update()).first()
            if found is None:
                return None
            if found.server != self.name:
                is_there = (servers.c.name == found.server) & (servers.c.until > self._now)
                peer = connection.execute(sa.select(servers.c.address, servers.c.key).where(is_there)).first()
                if peer is not None:
                    raise Elsewhere(Peer(peer.address, peer.key))
            mine = leases.update().where(leases.c.table_id == table)
            connection.execute(mine.values(epoch=found.epoch + 1, server=self.name))
        return Hold(table, found.epoch + 1)

    def _row(self, table: str) -> Any:
        leases = self._leases
        return self._sa.select(leases.c.epoch, leases.c.server).where(leases.c.table_id == table)

    def lost(self, connection: Connection, holds: Iterable[Hold]) -> set[Hold]:
        """Which tables are not kept here any more; the others stay so until the transaction ends."""
        leases, holds = self._leases, set(holds)
        asked = self._sa.select(leases.c.table_id, leases.c.epoch)
        asked = asked.where(leases.c.table_id.in_([hold.table for hold in holds])).with_for_update(read=True)
        return holds - {Hold(table, epoch) for table, epoch in connection.execute(asked)}

    def by_code(self, code: str) -> str | None:
        """The table that has a code. Raises SQLAlchemyError."""
        leases = self._leases
        with self._engine.connect().execution_options(**{ONLY_READS: True}) as connection:
            return connection.execute(self._sa.select(leases.c.table_id).where(leases.c.code == code)).scalar()

    def elsewhere(self, connection: Connection) -> set[str]:
        """The tables of other servers that are there."""
        leases, servers = self._leases, self._servers
        is_other = (servers.c.name != self.name) & (servers.c.until > self._now)
        asked = self._sa.select(leases.c.table_id).join(servers, servers.c.name == leases.c.server).where(is_other)
        return set(connection.execute(asked).scalars())

    def clear_away(self, connection: Connection, tables: Iterable[str]) -> None:
        """Forget tables, and servers that have been silent for a day."""
        servers = self._servers
        for table in tables:
            connection.execute(self._leases.delete().where(self._leases.c.table_id == table))
        connection.execute(servers.delete().where(servers.c.until < self._now - GONE))
