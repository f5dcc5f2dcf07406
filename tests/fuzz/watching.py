"""What happens while a case is tried: files, processes, printed code, time; and what an error is called in a report."""

from __future__ import annotations

import importlib
import io
import os
import pkgutil
import re
import resource
import signal
import site
import sys
import time
import tokenize
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

import interpreter
from fuzz.mutating import MARK
from interpreter.compiler.made import SIGN

APART = ("interpreter.interfaces.fullscreen", "interpreter.interfaces.adapters")
"""What needs an extra, and no case asks for."""
LETTER = "\u01c0"
"""Stands for the sign of made names where a tokenizer takes that for none of a name."""
MEMORY = 3 * 2**30
HOME = Path(interpreter.__file__).resolve().parent
DEEDS = (
    "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.startfile", "os.remove",
    "os.rename",
    "os.mkdir", "os.rmdir", "os.chmod", "os.chown", "os.link", "os.symlink", "os.truncate", "os.putenv", "os.kill",
    "subprocess.Popen", "socket.connect", "socket.bind", "socket.getaddrinfo", "shutil.", "pty.spawn",
    "webbrowser.open",
    "ctypes.", "urllib.Request", "tempfile.", "os.chdir",
)  # fmt: skip
"""What nothing that a stranger wrote may bring about."""


class Hang(BaseException):
    """Not an Exception, so that nothing takes it for an error of the rules."""


@dataclass
class Watch:
    """What was seen of one case. findings: by what they are called, with what is to be told."""

    findings: dict[str, str] = field(default_factory=dict)
    printed: list[str] = field(default_factory=list)
    slow: dict[str, float] = field(default_factory=dict)

    def wrong(self, name: str, told: str) -> None:
        self.findings.setdefault(name, told)

    @contextmanager
    def expecting(self, what: str, *allowed: type[BaseException]) -> Iterator[None]:
        """Errors that are answers pass in silence; all others are findings. Either ends the block."""
        try:
            yield
        except Hang:
            with unwatched():
                self.wrong(f"hang: {what.split(' of ')[0]}", f"{what} takes too long\n{_where()}")
            raise
        except allowed as error:
            fault = disguised(error)
            if fault:
                self.wrong(f"{what.split(' of ')[0]}: {fault}", f"{what}: {error!r}")
        except MemoryError:
            self.wrong(f"memory: {what}", f"{what} takes too much memory")
        except Exception as error:
            with unwatched():  # Python compiles the lines that it tells of
                told = traceback.format_exc(limit=-8)
            self.wrong(f"{what.split(' of ')[0]}: {named(error)}", f"{what}\n{told}")

    @contextmanager
    def within(self, what: str, seconds: float) -> Iterator[None]:
        """What takes longer, counted in the time of this process, is a finding."""
        began = time.process_time()
        yield
        taken = time.process_time() - began
        if taken > seconds:
            self.wrong(f"slow: {what}", f"{what} took {taken:.1f} seconds")

    def check_printed(self) -> None:
        """Nothing is defined twice in what was printed, no word of a payload is code, nothing reaches out of it."""
        for text in dict.fromkeys(self.printed):
            defined = re.findall(r"^def ([^\s(]+)\(", text, re.MULTILINE)
            if len(set(defined)) < len(defined):
                twice = next(name for name in defined if defined.count(name) > 1)
                self.wrong(f"printed: a function twice ({_sort(twice)})", f"{twice} is defined twice in the program")
            if MARK in text or re.search(r"\._|__\w|\bimport\b", text):
                self._check_words(text)
        self.printed.clear()

    def _check_words(self, text: str) -> None:
        whole = text.replace(SIGN, LETTER)  # Python's tokenizer parts the names that we make where their sign stands
        try:
            tokens = list(tokenize.generate_tokens(io.StringIO(whole).readline))
        except (tokenize.TokenError, IndentationError, SyntaxError):
            self.wrong("printed: no Python", "what was printed is no Python")
            return
        before = ""
        for token in tokens:
            if token.type == tokenize.NAME:
                word = token.string
                if word == MARK or word == "import" or (before == "." and word[0] == "_") or word.startswith("__"):
                    line = token.line.strip().replace(LETTER, SIGN)
                    self.wrong("printed: words of a ruleset as code", f"'{line}' in the program")
            before = token.string


# ---- the audit hook ---------------------------------------------------------------------------------------------

_current: Watch | None = None
_known: tuple[str, ...] = ()
_folder = ""


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    """Of every file that is opened, of processes, and of what is compiled, while a case is tried."""
    watch = _current
    if watch is None:
        return
    if event == "compile":
        text, name = arguments
        if isinstance(text, bytes):
            text = text.decode("utf-8", "replace")
        ours = isinstance(text, str) and str(name).startswith("<") and "def __" not in text
        if ours and len(watch.printed) < 200:
            watch.printed.append(text)
    elif event == "open":
        path, mode, flags = arguments
        if not isinstance(path, str | bytes) or os.fsdecode(path).startswith("<"):
            return  # a file that is open already; Python looking for the source of printed code
        name = os.fsdecode(path)
        writes = (isinstance(mode, str) and set(mode) & set("wax+")) or flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if writes or not os.path.realpath(name).startswith((*_known, _folder)):
            watch.wrong(f"a file {'written' if writes else 'read'}", f"opened: {name} (mode {mode})")
    elif event in ("os.listdir", "os.scandir", "glob.glob"):
        path = arguments[0]
        if isinstance(path, str | bytes) and not f"{os.path.realpath(os.fsdecode(path))}{os.sep}".startswith(
            (*_known, _folder)
        ):
            watch.wrong("a folder read", f"{event} {path!r}\n{_where()}")
    elif event.startswith(DEEDS):
        watch.wrong(f"deed: {event}", f"{event} {arguments!r}"[:300])


@cache
def guard(memory: int = MEMORY) -> None:
    """Bound the memory of this process, and watch what it does. For good: no hook can be taken out again."""
    global _known
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_AS, (memory, hard))
    checkout = HOME.parent
    known = [
        HOME,
        checkout / "grammar",
        checkout / "schema",
        checkout / "rulesets",
        Path(__file__).resolve().parent.parent,
    ]
    known += [Path(path) for path in (sys.prefix, sys.base_prefix, *site.getsitepackages())]
    known += [Path.home() / ".cache" / "houserules", Path(os.environ.get("XDG_CACHE_HOME", "/nowhere"))]
    _known = tuple(f"{os.path.realpath(path)}{os.sep}" for path in known)
    warnings.simplefilter("error", SyntaxWarning)
    for module in pkgutil.walk_packages([str(HOME)], "interpreter."):  # what is imported late is no deed of a case
        if not module.name.startswith((*APART, "interpreter.__main__")):
            importlib.import_module(module.name)
    sys.addaudithook(_heard)


@contextmanager
def unwatched() -> Iterator[None]:
    """While the fuzzer itself does something."""
    global _current
    kept, _current = _current, None
    try:
        yield
    finally:
        _current = kept


def _ring(_signal: int, _frame: FrameType | None) -> None:
    raise Hang


@contextmanager
def watched(watch: Watch, folder: Path, seconds: float) -> Iterator[None]:
    """While a case is tried: nothing else takes note. Raises Hang where it takes too long."""
    global _current, _folder
    before = signal.signal(signal.SIGPROF, _ring)
    _current, _folder = watch, f"{os.path.realpath(folder)}{os.sep}"
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        _current = None
        signal.signal(signal.SIGPROF, before)


# ---- names of errors --------------------------------------------------------------------------------------------


def named(error: BaseException) -> str:
    """An error by its type and the innermost function of the interpreter that it came through."""
    where = _innermost(error.__traceback__)
    if isinstance(error, RecursionError):  # where it ends says nothing
        where = where.partition("/")[0].partition(":")[0]
    return f"{type(error).__name__} in {where}"


def _innermost(trace: TracebackType | None) -> str:
    found = "nothing of ours"
    while trace is not None:
        code = trace.tb_frame.f_code
        path = Path(code.co_filename)
        if code.co_filename.startswith("<"):
            found = f"printed code ({_sort(code.co_name)})"
        elif HOME in path.parents:
            found = f"{path.relative_to(HOME)}:{code.co_name}"
        trace = trace.tb_next
    return found


def _sort(name: str) -> str:
    """What kind of function of a program it is, without the names of a ruleset."""
    return name.split("·")[0] if "·" in name else name.split("_")[0]


_OURS = (
    NameError, AttributeError, TypeError, IndexError, AssertionError, RecursionError, SystemError, SyntaxError,
    OverflowError,
    KeyError, NotImplementedError,
)  # fmt: skip


def disguised(error: BaseException) -> str:
    """Of an error of the rules, the fault of the machine that it was made from; "" if there is none."""
    cause = error.__cause__
    if "a value is none where there must be one" in str(error):
        return ""  # that is what it should be told as
    while cause is not None:
        if isinstance(cause, _OURS) and not (isinstance(cause, KeyError) and cause.args == (None,)):
            return f"{named(cause)}, told as {type(error).__name__}"
        cause = cause.__cause__
    return ""


def _where() -> str:
    return "".join(traceback.format_stack(limit=14)[:-2])[-1200:]
