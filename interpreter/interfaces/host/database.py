"""Where tables are kept: a database that keeps what it has said it keeps, and who may use it."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from sqlalchemy import URL, Engine, MetaData


class StoreError(Exception):
    """The database cannot be used; the message is for whoever has started the server."""


MOUNTS = Path("/proc/self/mounts")
FAR = frozenset("nfs nfs4 cifs smb3 smbfs afs ncpfs fuse.sshfs fuse.rclone fuse.davfs davfs".split())
"""Kinds of network drives: what several machines write there at once, or what one of them has synced, may be lost."""


def network_drive(file: Path) -> str:
    """The kind of the network drive on which a file lies; nothing if it is none, or where that cannot be found out."""
    try:
        lines = [line.split(" ") for line in MOUNTS.read_text("utf-8", "replace").splitlines()]
        file = Path(os.path.realpath(file))
    except OSError:
        return ""
    mounts = [(Path(where.replace("\\040", " ")), kind) for _, where, kind, *_ in lines]
    above = [(len(where.parts), at, kind) for at, (where, kind) in enumerate(mounts) if file.is_relative_to(where)]
    kind = max(above, default=(0, 0, ""))[2]
    return kind if kind in FAR else ""


BESIDE = (".lock", "-wal", "-shm", "-journal")
"""How the names of files end that lie beside a database, and are used with it."""
MADE = "SELECT CAST(sql AS TEXT) FROM sqlite_master WHERE sql NOT LIKE 'CREATE TABLE sqlite\\_stat_(%' ESCAPE '\\'"
"""By which statements all was made that is in a file, but for what SQLite itself keeps there of sizes."""


def look_at(file: Path, own: Sequence[str], version: int) -> None:
    """See that a file is new, or is our own, before anything is written, or asked of what others may have made there.
    own: the statements that make our tables, first the one that tells the version. Raises StoreError."""
    for path in (file, *(Path(f"{file}{ending}") for ending in BESIDE)):
        if os.path.lexists(path) and not _is_plain(path):
            raise StoreError(f"the database cannot be used: {path} is a link, or no plain file")
    unwritten = [path for path in (Path(f"{file}-wal"), Path(f"{file}-journal")) if path.exists()]
    asked = "mode=ro" if unwritten else "mode=ro&immutable=1"  # at rest: not even a file beside it is made
    try:
        if not file.exists() or not file.stat().st_size:
            return
        with contextlib.closing(sqlite3.connect(f"{file.as_uri()}?{asked}", uri=True)) as connection:
            connection.text_factory = readable
            made = {_words(sql) for (sql,) in connection.execute(MADE)}
            is_known = not made or _words(own[0]) in made
            found = connection.execute("SELECT max(version) FROM about").fetchone()[0] if made and is_known else None
    except OSError as error:
        raise StoreError(f"the database cannot be used: {file}: {error.strerror}") from error
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorname", "") == "SQLITE_READONLY_ROLLBACK":
            left = f"{file}-journal lies beside it, by which a program that was stopped would undo what it wrote last"
            raise StoreError(f"the database cannot be used: {left}; of a new database take both away") from error
        raise StoreError(f"the database cannot be used: {file}: {error}") from error
    if not is_known:
        raise StoreError(f"{file} cannot be used: it is a database of another program; --database names another place")
    needs_version(found, version)
    if made - set(map(_words, own)):
        raise StoreError(f"{file} cannot be used: it holds what this program has not made; --database names another")


def needs_version(found: int | None, version: int) -> None:
    """Raises StoreError if a database is of another version. found: its own; None: it has none yet."""
    if found not in (None, version):
        raise StoreError(f"the database is of version {found}; this program uses version {version}")


def readable(text: bytes) -> str:
    """A text of a file, in which any bytes may stand for one."""
    return text.decode("utf-8", "replace")


def _words(statement: str) -> tuple[str, ...]:
    """What a statement says, however its lines are broken, and whether or not single words are quoted."""
    return tuple(re.findall(r"\w+|[^\w\s]", re.sub(r'"(\w+)"', r"\1", statement)))


def _is_plain(path: Path) -> bool:
    """Whether a file of that name is there, and no link to one."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


@dataclass
class Held:
    """A file that servers of this process use. Opened again and closed, it would lose what SQLite has locked in it."""

    file: int
    alone: bool
    servers: int = 1


HELD: dict[tuple[int, int], Held] = {}
"""Device and number of a file -> what holds it."""


class FileLock:
    """Sees to it that a server which would number events alone does not meet others at a file."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._file: BinaryIO | None = None
        self._held: tuple[int, int] | None = None
        """The database itself among those that are held."""

    def begin(self, alone: bool, own: Sequence[str], version: int) -> None:
        """Raises StoreError if others use the database that this one would use alone, or the reverse; and if it is none
        of ours. own, version: see `look_at`."""
        named = self._engine.url.database
        if self._engine.dialect.name != "sqlite" or not named or named == ":memory:":
            return
        if named.startswith("file:"):
            named = unquote(urlsplit(named).path)
        file = Path(os.path.realpath(named))  # by whatever links others name the same file
        if kind := network_drive(file):
            where = f"{named} lies on a network drive ({kind}), where it cannot be kept safe"
            raise StoreError(f"the database cannot be used: {where}; --database names another place")
        look_at(file, own, version)
        if not self._locks(Path(f"{file}.lock"), alone) or not self._holds(file, alone):
            self.end()
            raise StoreError("another server uses this database; one is enough, on another port or not")
        with contextlib.suppress(OSError):  # what is wrong with it is told when it is opened
            file.touch(0o600)
            for kept in filter(_is_plain, (file, Path(f"{file}-wal"), Path(f"{file}-shm"))):
                kept.chmod(0o600)  # servers before let others of this machine read it

    def _locks(self, path: Path, alone: bool) -> bool:
        try:
            import fcntl
        except ImportError:  # on Windows
            return True
        try:
            self._file = open(path, "rb", opener=_to_lock)  # noqa: SIM115
            fcntl.flock(self._file, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise StoreError(f"the database cannot be used: {path}: {error.strerror}") from error
        return True

    def _holds(self, file: Path, alone: bool) -> bool:
        """Whether the file is had by whatever names others have it: it may have several without links."""
        if sys.platform != "linux":  # elsewhere this would be in the way of what SQLite locks
            return True
        import fcntl

        try:
            opened = os.open(file, os.O_RDWR | os.O_CREAT, 0o600) if not file.exists() else -1
            at = file.stat()
            key = at.st_dev, at.st_ino
            if key in HELD:
                if alone or HELD[key].alone:
                    return False
                HELD[key].servers += 1
            else:
                opened = os.open(file, os.O_RDWR) if opened < 0 else opened
                fcntl.flock(opened, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
                HELD[key] = Held(opened, alone)
        except BlockingIOError:
            os.close(opened)
            return False
        except OSError as error:
            raise StoreError(f"the database cannot be used: {file}: {error.strerror}") from error
        self._held = key
        return True

    def end(self) -> None:
        """Others may use it."""
        if self._file is not None:
            self._file.close()
        if self._held is not None:
            held = HELD[self._held]
            held.servers -= 1
            if not held.servers:
                os.close(HELD.pop(self._held).file)
            self._held = None


def _to_lock(path: str, _: int) -> int:
    """Open a file that is locked and says nothing. Whatever lies there stays: it may be another's, and be named like
    that by whoever has made the folder. Nothing waits for the other end of a pipe."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | getattr(os, "O_NOFOLLOW", 0), 0o600)


ONLY_READS = "only_reads"
"""The option of a connection, or of an engine, with which nothing is written."""
LIBPQ = {
    "connect_timeout": 3, "keepalives_idle": 2, "keepalives_interval": 1, "keepalives_count": 2,
    "tcp_user_timeout": 4000,
    "options": "-c idle_in_transaction_session_timeout=3000 -c synchronous_commit=on",
}  # fmt: skip
"""So that a server which stands still, or is cut off, holds up no other for longer than leases last."""


def is_file(url: str) -> bool:
    """Whether a database lies in a file, of which one server makes use unless it is told of others. Raises
    StoreError."""
    return _read(url).get_backend_name() == "sqlite"


def _read(url: str) -> URL:
    """A database as somebody has named it. Raises StoreError, which tells nothing that could be of a password."""
    import sqlalchemy as sa

    told = "" if set(url) & set(":@?") else f" {url!r}"
    like = "sqlite:////home/anna/tables.db or postgresql+psycopg://anna@db/tables"
    try:
        found = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):  # they say what they could not read
        raise StoreError(f"--database{told}: it is no database as SQLAlchemy names them, such as {like}") from None
    if "@" in (found.host or ""):
        raise StoreError("--database: an @ within a password is written %40 there")
    return found


def engine_of(url: str, patience: float, is_shared: bool) -> Engine:
    """A database that keeps what it has said it keeps."""
    import sqlalchemy as sa

    made = _read(url)
    shown = made.set(query={}).render_as_string(hide_password=True)  # a password may stand among the rest
    if made.get_backend_name() == "sqlite" and (made.query.keys() - {"uri"} or "\0" in (made.database or "")):
        raise StoreError(f"--database {shown!r}: of a file only its path can be said")
    try:
        by_libpq = made.get_driver_name() in ("psycopg", "psycopg2") and made.get_backend_name() == "postgresql"
        engine = sa.create_engine(made, connect_args=LIBPQ if by_libpq else {})
    except ImportError as error:
        hint = "; the extra 'host-postgres' brings psycopg" if made.get_backend_name() == "postgresql" else ""
        raise StoreError(f"--database {shown!r}: {error}{hint}") from error
    except (sa.exc.ArgumentError, TypeError, ValueError) as error:
        raise StoreError(f"--database {shown!r}: {error}") from error
    if engine.dialect.name == "sqlite":

        @sa.event.listens_for(engine, "connect")
        def durable(connection: Any, _: object) -> None:
            connection.text_factory = readable
            if connection.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
                raise sqlite3.OperationalError("it lies where it cannot be kept safe, such as on a network drive")
            for setting in ("synchronous=FULL", f"busy_timeout={round(patience * 1000)}"):
                connection.execute(f"PRAGMA {setting}")
            if is_shared:
                connection.isolation_level = None  # so that a transaction begins where it is said to

        if is_shared:

            @sa.event.listens_for(engine, "begin")
            def at_once(connection: Any) -> None:
                """What is read in a transaction stays so until it has written; what only reads holds up nobody."""
                only_reads = connection.get_execution_options().get(ONLY_READS)
                connection.exec_driver_sql("BEGIN" if only_reads else "BEGIN IMMEDIATE")

    return engine


def statements(engine: Engine, tables: MetaData) -> list[str]:
    """Those that make tables, and what belongs to them, in their order."""
    from sqlalchemy.schema import CreateIndex, CreateTable

    each = list(tables.tables.values())
    found = [CreateTable(table) for table in each] + [CreateIndex(index) for table in each for index in table.indexes]
    return [str(engine.dialect.ddl_compiler(engine.dialect, one)) for one in found]


def default_url() -> str:
    """The database in the user's folder for data. Raises OSError."""
    from interpreter.interfaces import saved_matches

    folder: Path = saved_matches.folder().parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'tables.db'}"
