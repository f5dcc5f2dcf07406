"""Records as files: a match that is being played is kept in one move by move, and goes on from it."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EAGAIN, EISDIR
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from interpreter.api import record as records
from interpreter.api.record import CutRecord, Record, ReplayError, Unrecorded
from interpreter.api.record_writer import Writer
from interpreter.api.recording import header as headed
from interpreter.base.signs import on_one_line

if TYPE_CHECKING:
    from interpreter.api.game import Ruleset, State


MOMENT, MOMENTS = 0.02, 3
"""Seconds between two tries to hold a file, and how many follow the first."""


class RecordFile:
    """The record of a match that is being played: each move is on the disk before the next is asked for.

    Nobody else goes on with the file while it is open. What could not be read again is not written: the match ends
    with Unrecorded, before it has begun if that shows in the first line.
    """

    def __init__(
        self,
        path: Path,
        state: State,
        people: int | None = None,
        held: tuple[BinaryIO, Record] | None = None,
        table: Mapping[str, Any] | None = None,
        anywhere: bool = False,
    ) -> None:
        """Begin a file, which must not exist; or go on with one that `go_on` holds. Raises OSError and Unrecorded.

        people, table, anywhere: as `header` takes them.
        """
        self._path = path
        if held is None:
            header = headed(state.game, state.position.setup, people, table, anywhere)
            problem = records.unkept(state.game, header)
            if problem:
                raise Unrecorded(problem)
            self._file: BinaryIO = path.open("xb")
            try:
                _hold(self._file, path)
                self._writer = Writer(state, None, people, table, anywhere)
                self.keep()
            except BaseException:  # of a match that could not be begun no file is left
                with suppress(OSError):
                    self._file.close()  # which tries once more to write
                with suppress(OSError):
                    path.unlink()
                raise
        else:
            self._file, record = held
            self._writer = Writer(state, (record.last - 1, record.chain), people)
            self.keep()

    def keep(self) -> None:
        """Write what is new. Raises OSError and Unrecorded; then nothing more can be kept."""
        with _named(self._path):
            for line in self._writer.lines():
                self._write(line)
            self._file.flush()
            os.fsync(self._file.fileno())

    def _write(self, line: str) -> None:
        data = line.encode("utf-8")
        longest = records.MAX_MOVE if self._file.tell() else records.MAX_HEADER
        if len(line) > longest + len("\n"):
            what = f"the last move is too long for a record, in which a line has {records.MAX_MOVE:,} letters"
            raise Unrecorded(what)
        if self._file.tell() + len(data) > records.MAX_BYTES:
            what = f"the record is full: it has {records.MAX_BYTES:,} bytes at most, and could not be read again"
            raise Unrecorded(what)
        self._file.write(data)

    def close(self) -> None:
        """Let others go on with the file. Raises OSError."""
        with _named(self._path):
            self._file.close()


class OtherRules(ReplayError):
    """A record was made by other rules than those by which it should go on, and goes on by its own alone."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """A match from a file. told: what those must know who go on with it. kept: the file, if it takes what follows."""

    record: Record
    state: State
    told: list[str]
    kept: RecordFile | None


def load_text(path: Path) -> str:
    """The text of a file that may be a record. Raises ReplayError and OSError."""
    _refuse_odd(path)
    with _named(path):
        return _decoded(path.read_bytes())


def _decoded(data: bytes) -> str:
    """The text of a record; of a last line that was cut, what can be read. Raises ReplayError."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        good, last = data[: error.start], b"\n" not in data[error.start :]
        if last and error.end == len(data) and error.reason == "unexpected end of data":
            return good.decode("utf-8")  # cut in the middle of a letter
        line = good.count(b"\n") + 1
        what = "the record has been altered: this line has bytes that are no UTF-8"
        raise ReplayError(what, line, line - 1 or None) from None


def go_on(path: Path, ruleset: Ruleset | None = None, keep: bool = True) -> Resumed:
    """The match in a file, as its record says, and what has to be told to those who go on with it.

    ruleset: None finds the one that the record names. keep: further moves go into the same file, which nobody else goes
    on with from now; a last line that was cut is dropped from it. Its first line names the rules of all its moves, so
    with a ruleset that says something else it is only read. Raises ReplayError, OtherRules and OSError, and then the
    file is as it was.
    """
    _refuse_odd(path)
    file = path.open("r+b" if keep else "rb")
    try:
        if keep:
            _hold(file, path)
        with _named(path):
            text = _decoded(file.read())
        try:
            record, good, told = records.read(text), text, []
        except CutRecord as cut:
            record, good, told = records.read(cut.good), cut.good, [f"{cut}; the match goes on from there"]
        game = records.game_of(record) if ruleset is None else records.game_in(record, ruleset)
        if records.has_changed(record, game):
            if keep and ruleset is not None:
                raise OtherRules(f"it was not recorded by the rules of '{ruleset.id}' that are named")
            told.append("the ruleset has changed since this was recorded")
        state = records.play_again(record, game)
        if not keep:
            file.close()
            return Resumed(record, state, told, None)
        with _named(path):
            file.seek(len(good.encode("utf-8")))
            file.truncate()
            if not good.endswith("\n"):
                file.write(b"\n")
        return Resumed(record, state, told, RecordFile(path, state, held=(file, record)))
    except BaseException:
        file.close()
        raise


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """An error of the system says which file it is about: of one that is open the system does not."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename is None:
            error.filename = str(path)
        raise


def _refuse_odd(path: Path) -> None:
    """Refuse what might never end. Raises ReplayError and OSError."""
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise ReplayError(f"{on_one_line(str(path))} is not an ordinary file")
    if status.st_size > records.MAX_BYTES:
        what = f"{status.st_size:,} bytes, and {records.MAX_BYTES:,} are allowed"
        raise ReplayError(f"{on_one_line(str(path))} is too large: {what}")


def is_held(path: Path) -> bool:
    """Whether somebody plays the match in a file just now. Nobody does who cannot be found out."""
    with suppress(OSError), path.open("rb") as file:
        try:
            _hold(file, path, looks=True)
        except BlockingIOError:
            return True
    return False


def _hold(file: BinaryIO, path: Path, looks: bool = False) -> None:
    """Keep a file from others who would go on with it, until it is closed. Raises BlockingIOError if one does so.

    looks: only looks whether one does, for a moment in which others may look, too, and nobody is turned away.
    """
    try:
        import fcntl
    except ImportError:  # on Windows
        return
    kind = fcntl.LOCK_SH if looks else fcntl.LOCK_EX
    try:
        for left in range(0 if looks else MOMENTS, -1, -1):
            try:
                return fcntl.flock(file, kind | fcntl.LOCK_NB)
            except BlockingIOError:
                if not left:
                    raise
            time.sleep(MOMENT)  # whoever holds it may only look
    except BlockingIOError:
        what = "this match is being played at another place, and only one can go on with its record"
        raise BlockingIOError(EAGAIN, what, str(path)) from None
    except OSError:  # a file system without locks
        pass
