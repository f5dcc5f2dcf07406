"""A watch over what a piece of untrusted input makes this process do: files, processes, sockets, imports, code.

`guard()` begins it, for good: no audit hook can be taken out again. `watched(...)` says for how long it matters.
"""

from __future__ import annotations

import ast
import builtins
import os
import re
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from interpreter.language.shape.schemas import validator

ROOT = Path(__file__).parent.parent
MARKER = "payload_that_ran"
"""The name of a builtin that nothing calls. Untrusted code that has found its way out calls it."""
GATE = str(ROOT / "interpreter" / "compiler" / "gate.py")
"""Only here text may become code."""
_LIBRARIES = {sys.prefix, sys.base_prefix, *(path for path in sys.path if path)}
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_EVENTS = re.compile(
    r"os\.(?!listdir|scandir|walk|fwalk|putenv|unsetenv)|subprocess\.|socket\.|shutil\.|pty\.|webbrowser\.|urllib\.|"
    r"ctypes\.|tempfile\.|marshal\.|pickle\.|builtins\.(input|breakpoint)|code\.__new__|gc\.|"
    r"sys\.(settrace|setprofile|addaudithook)|object\.__setattr__|object\.__delattr__"
)

_noted: list[str] = []
_watching = False
_readable: tuple[str, ...] = ()
_writable: tuple[str, ...] = ()
_busy = threading.local()


PATIENCE = 10
"""How much longer something may wait than it may take of the processor."""


class Hang(BaseException):
    """There was no answer in time. Not an Exception, so that nothing takes it for an error of the rules."""


@cache
def guard() -> None:
    """Begin to listen, and put MARKER where untrusted code would look for it."""
    for kind in ("ruleset", "scenario"):  # what looks for faults of shape is read when there is one
        list(validator(kind).iter_errors({"format": []}))
    setattr(builtins, MARKER, _ran)
    sys.addaudithook(_heard)


@contextmanager
def watched(seconds: float, readable: tuple[Path, ...] = (), writable: tuple[Path, ...] = ()) -> Iterator[list[str]]:
    """What happened that must not, while this lasts; Hang where it takes too long.

    seconds: of the processor, so that a machine that has much else to do gives no alarm; PATIENCE times as many may
    pass.
    readable, writable: files and folders that may be read and written, besides those of the program and of Python;
    matches are kept in the first one that may be written.
    """
    global _watching, _readable, _writable
    guard()
    _noted.clear()
    _writable = tuple(map(_real, writable))
    _readable = (*map(_real, (ROOT, *map(Path, _LIBRARIES), *readable)), *_writable)
    kept = os.environ.get("HOUSERULES_DATA")
    if writable:
        os.environ["HOUSERULES_DATA"] = str(writable[0])
    before = {sign: signal.signal(sign, _ring) for sign in (signal.SIGALRM, signal.SIGPROF)}
    signal.setitimer(signal.ITIMER_REAL, PATIENCE * seconds)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    _watching = True
    try:
        yield _noted
    finally:
        _watching = False
        for timer in (signal.ITIMER_REAL, signal.ITIMER_PROF):
            signal.setitimer(timer, 0)
        for sign, handler in before.items():
            signal.signal(sign, handler)
        if kept is None:
            os.environ.pop("HOUSERULES_DATA", None)
        else:
            os.environ["HOUSERULES_DATA"] = kept


def _ring(_signal: int, _frame: FrameType | None) -> None:
    raise Hang


def _ran(*_: Any, **__: Any) -> int:
    _noted.append("the payload ran")
    return 1


def _real(path: Path | str) -> str:
    return os.path.realpath(path)


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watching or getattr(_busy, "now", False):
        return
    _busy.now = True
    try:
        _noted.extend(_wrong(event, arguments))
    finally:
        _busy.now = False


def _wrong(event: str, arguments: tuple[Any, ...]) -> Iterator[str]:
    if event == "open":
        yield from _opened(*arguments)
    elif event == "import":
        yield f"import {arguments[0]}"
    elif event in ("exec", "compile"):
        yield from _made_code(event, arguments)
    elif _EVENTS.match(event) and not _may_change(event, arguments):
        yield f"{event} {ascii(arguments)[:300]}"


def _opened(path: Any, mode: Any, flags: int) -> Iterator[str]:
    if isinstance(path, int):
        return
    name = os.fsdecode(path)
    writes = bool(set(mode) & set("wax+")) if isinstance(mode, str) else bool((flags or 0) & _WRITES)
    if not _lies_in(name, _writable if writes else _readable):
        yield f"{name!r} opened to be {'written' if writes else 'read'}"


def _lies_in(path: str, folders: tuple[str, ...]) -> bool:
    if "\0" in path:  # no file is called so, and none will be opened
        return True
    real = _real(path)
    return any(real == folder or real.startswith(folder.rstrip(os.sep) + os.sep) for folder in folders)


def _may_change(event: str, arguments: tuple[Any, ...]) -> bool:
    """What is done with a file that may be written: removed, renamed, locked."""
    paths = [os.fsdecode(one) for one in arguments if isinstance(one, str | bytes | os.PathLike)]
    inside = bool(paths) and all(_lies_in(one, _writable) for one in paths)
    return inside and event.startswith(("os.", "shutil.", "tempfile."))


def _made_code(event: str, arguments: tuple[Any, ...]) -> Iterator[str]:
    """Code that was not made where programs are."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code.co_filename in (__file__, ast.__file__):
        frame = frame.f_back
    by = frame.f_code.co_filename if frame is not None else "?"
    if by != GATE:
        code = arguments[0]
        told = code.co_filename if isinstance(code, CodeType) else repr(code)[:200]
        yield f"{event} of {told} by {by}"


def scratch() -> Path:
    """A new folder for the files of one process."""
    return Path(tempfile.mkdtemp(prefix="houserules-"))
