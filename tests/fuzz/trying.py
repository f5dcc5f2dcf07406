"""One case tried: nothing but the answers that are promised, in time, and no file touched."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import interpreter
from fuzz.cases import ROOT, TESTS, Case
from interpreter import IllegalMove, OptionError, RuleError, RulesetError
from interpreter.record import ReplayError
from interpreter.scenarios import Shelf, load_scenarios, run_scenario

SECONDS = 2.0
MEMORY = 3 * 2**30
DECISIONS = 30
BROKE = "the interpreter broke down"

_shelf = Shelf()
_written: list[str] = []
_watching = False


class Hang(BaseException):
    """Not an Exception, so that nothing takes it for an error of the rules."""


def _ring(_signal: int, _frame: FrameType | None) -> None:
    raise Hang


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    """Of every file that is opened to be written, removed or renamed, and of every process, while a case is tried."""
    if not _watching:
        return
    if event == "open":
        path, mode, flags = arguments
        if (isinstance(mode, str) and set(mode) & set("wax+")) or (mode is None and flags & (os.O_WRONLY | os.O_RDWR)):
            _written.append(f"{path} opened to be written")
    elif event in ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.system", "subprocess.Popen", "socket.connect"):
        _written.append(f"{event} {arguments}")


@cache
def guard() -> None:
    """Bound the memory of this process, and watch what it opens. For good: no hook can be taken out again."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))
    sys.addaudithook(_heard)


@contextmanager
def _watched() -> Iterator[None]:
    global _watching
    before = signal.signal(signal.SIGALRM, _ring)
    _written.clear()
    _watching = True
    signal.setitimer(signal.ITIMER_REAL, 5 * SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        _watching = False
        signal.signal(signal.SIGALRM, before)


def attempt(case: Case, folder: Path) -> str:
    """What is wrong with the answer to a case, or "" if nothing is. folder: where its file is written, and read."""
    path = _written_to(case, folder)
    began = time.process_time()
    wrong = ""
    try:
        with _watched():
            wrong = _answer(case, path)
    except Hang:
        return f"no answer after {5 * SECONDS:.0f} seconds"
    except (RulesetError, RuleError, OptionError, ReplayError, IllegalMove):
        pass
    except MemoryError:
        return "out of memory"
    except Exception:
        return traceback.format_exc()
    taken = time.process_time() - began
    if taken > SECONDS:
        return f"it took {taken:.1f} seconds"
    if _written:
        return f"touched: {_written}"
    return wrong


def _written_to(case: Case, folder: Path) -> Path:
    path = folder / f"{case.kind}.yaml"
    path.write_bytes(case.text.encode("utf-8", "surrogatepass"))
    if case.kind == "overlay" and case.base == "base":
        (folder / "base.yaml").write_bytes((TESTS / "mistakes" / "base.yaml").read_bytes())
    return path


def _answer(case: Case, path: Path) -> str:
    match case.kind:
        case "ruleset" | "overlay":
            return _ruleset(path)
        case "scenario":
            return _scenarios(path)
        case "record":
            interpreter.replay(case.text)
        case _:
            return _text(case.text, path)
    return ""


def _ruleset(path: Path) -> str:
    found = interpreter.validate(path)
    for one in found:
        if not one.message or (one.line is not None and one.line < 1):
            return f"a finding without words or place: {one!r}"
    if any(one.severity == "error" for one in found):
        return ""
    game = interpreter.load(path).game()
    game.playouts(1, 1, limit=DECISIONS)
    return ""


def _scenarios(path: Path) -> str:
    for scenario in load_scenarios(path)[:5]:
        outcome = run_scenario(scenario, _shelf)
        if outcome.failure is not None and BROKE in outcome.report():
            return outcome.report()
    return ""


@cache
def _game() -> interpreter.Game:
    return interpreter.load(ROOT / "rulesets" / "hearts.yaml").game()


def _text(text: str, path: Path) -> str:
    """As a ruleset, as scenarios, as a move, and as a record."""
    wrong = _ruleset(path)
    try:
        wrong = wrong or _scenarios(path)
    except RulesetError:
        pass
    state = _game().start(seed=1)
    try:
        state.play(state.actors[0], text)
    except IllegalMove:
        pass
    try:
        interpreter.replay(text)
    except (ReplayError, RulesetError):
        pass
    return wrong
