"""Processes of their own for what could take too long or too much: asked line by line, and ended when they do."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec

from interpreter.interfaces.host.house_rules_text import Finding, WrongGame
from interpreter.interfaces.host.not_made import Refusal
from interpreter.interfaces.host.worker import LONGEST_LINE, Answer, Request

LOOKS = 0.1
"""Seconds between two looks at the memory of a child."""
MOST_MEMORY = 300
"""Megabytes that a child may use that works for strangers."""
LARGE = 150
"""Megabytes at which a child that keeps nothing is ended when nobody asks, so that nobody's question is the last."""
ADDRESSES = 1500
"""Megabytes of addresses that it may ask for at all."""
MOMENT = 0.25
"""Seconds that are waited at once at the most."""
FOLDERS = "houserules-"
WITHIN = "of-a-server"
"""The only folder in each of these, in which a process works: without it one that is called so is somebody else's."""
BEGINNING = 10.0
"""Seconds more for the first answer: the process has to be started."""


class ChildGone(Exception):
    """The process took too long or too much, or has ended; the message says so to people."""


class TookLong(ChildGone):
    """It took too long, and was ended; another time it may not."""


class Child:
    """A process that answers. confined: whether it works for strangers. keeps: whether it has to know what it was told
    before. It is started when it is asked first, and anew when it is asked after its end."""

    def __init__(self, confined: bool, keeps: bool = True) -> None:
        self._confined, self._keeps = confined, keeps
        self._process: asyncio.subprocess.Process | None = None
        self._folder = ""
        self._watch: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()
        self._why = ""
        self._is_closed = False
        self._number = 0
        """Of the last request."""
        self._ended: list[asyncio.subprocess.Process] = []

    @property
    def process(self) -> asyncio.subprocess.Process | None:
        """The process that answers now."""
        return self._process if self._process is not None and self._process.returncode is None else None

    @property
    def is_asked(self) -> bool:
        """Whether somebody waits for an answer."""
        return self._turn.locked()

    @property
    def why(self) -> str:
        """Why the last process has ended."""
        return self._why or "It has ended."

    @property
    def folder(self) -> str:
        """Where it works; "" while it does not run."""
        return self._folder

    async def ask(self, method: str, *given: Any, seconds: float, kind: Any = Any, starts: bool = True) -> Any:
        """What it answers, as something of a kind. starts: whether a process is started for it when there is none.
        Raises ChildGone, and what the child has raised: Refusal, WrongGame, or RuleError."""
        async with self._turn:
            if self.process is None:  # it may have ended while nobody asked
                self._end("It has ended.")
                if not starts:
                    raise ChildGone(self.why)
            seconds += BEGINNING if self._process is None else 0.0
            self._number += 1
            line = msgspec.json.encode(Request(self._number, method, list(given))) + b"\n"
            if len(line) > LONGEST_LINE:
                raise ChildGone("More has happened than can be told at once.")
            try:
                found = await _within(seconds, self._answer(line))
                if not found:
                    raise ChildGone(self._why or "It needed too much memory.")
                return _result(msgspec.json.decode(found, type=Answer), self._number, kind)
            except TimeoutError:
                self._end("It took too long.")
                raise TookLong("It took too long.") from None
            except (OSError, ValueError):  # it has ended, says too much, or what nobody understands
                self._end("It has ended.")
                raise ChildGone(self._why) from None
            except ChildGone as gone:
                self._end(str(gone))
                raise
            except asyncio.CancelledError:  # what it answers now is of no use to whoever asks next
                self._end("It was ended.")
                raise

    async def _answer(self, line: bytes) -> bytes:
        process = await self._started()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(line)
        except RuntimeError as error:  # what uvloop says where asyncio's own loop raises an OSError
            raise ConnectionResetError from error
        await process.stdin.drain()
        return await process.stdout.readline()

    async def _started(self) -> asyncio.subprocess.Process:
        if self._is_closed:
            raise ChildGone("It was ended.")
        if self._process is None:
            self._why = ""
            await self.gone()
            self._folder = os.path.join(tempfile.mkdtemp(prefix=f"{FOLDERS}{os.getpid()}-"), WITHIN)
            os.mkdir(self._folder)
            words = ["-m", "interpreter.interfaces.host.worker", str(ADDRESSES if self._confined else 0)]
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-I", *words, env={}, cwd=self._folder, stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL, limit=LONGEST_LINE,
            )  # fmt: skip
            if self._confined:
                self._watch = asyncio.create_task(self._look(self._process))
        return self._process

    async def _look(self, process: asyncio.subprocess.Process) -> None:
        """End the process when it uses too much."""
        memory = memory_of(process.pid)
        while process.returncode is None:
            used = memory()
            if used > LARGE and not self._keeps and not self._turn.locked():
                return self._end("It was ended.")
            if used > MOST_MEMORY:
                self._why = "It needed too much memory."
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                return
            await asyncio.sleep(LOOKS)

    def _end(self, why: str) -> None:
        """End the process; it is started anew when it is asked again."""
        self._why = self._why or why
        process, self._process = self._process, None
        if process is not None:
            self._ended.append(process)
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
        if self._watch is not None:
            self._watch.cancel()
        if self._folder:
            shutil.rmtree(os.path.dirname(self._folder), ignore_errors=True)
            self._folder = ""

    def close(self) -> None:
        """End it for good."""
        self._is_closed = True
        self._end("It was ended.")

    async def gone(self) -> None:
        """Wait until all that was ended has ended."""
        while self._ended:
            process = self._ended.pop()
            if process.stdin is not None:
                process.stdin.close()
            await process.wait()


def clear_left_over() -> None:
    """Remove the folders in which processes of servers worked that were ended without warning."""
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDERS}*-*"):
        named = re.fullmatch(FOLDERS + r"([1-9][0-9]{0,8})-\w{8}", folder.name)  # as `mkdtemp` names them
        if named is not None and not _is_there(int(named[1])) and os.listdir(folder) == [WITHIN]:
            shutil.rmtree(folder, ignore_errors=True)


def _is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is somebody else's, or that cannot be asked here
        pass
    return True


async def _within(seconds: float, work: Coroutine[Any, Any, bytes]) -> bytes:
    """What comes of some work. Raises TimeoutError if that takes longer, not counting the time in which this process
    itself stood still: then an answer may have come long ago."""
    task = asyncio.create_task(work)
    try:
        moments = math.ceil(seconds / MOMENT)
        for _ in range(moments):
            if (await asyncio.wait([task], timeout=seconds / moments))[0]:
                return task.result()
        raise TimeoutError
    finally:
        task.cancel()


def memory_of(process: int) -> Callable[[], int]:
    """What tells how many megabytes a process uses, on any system; 0 once it has ended."""
    import psutil  # servers that play no rules of strangers need it not

    def used() -> int:
        try:
            size: int = found.memory_info().rss
        except psutil.Error:
            return 0
        return size // (1024 * 1024)

    try:
        found = psutil.Process(process)
    except psutil.Error:
        return lambda: 0
    return used


def _result(answer: Answer, number: int, kind: Any) -> Any:
    """What was answered to the request of a number. Raises what the child has raised, and ChildGone if its next answer
    may be as wrong as this one."""
    from interpreter.engine.rule_errors import RuleError

    if answer.number != number:
        raise ChildGone("It answered something else than was asked.")
    match answer.wrong:
        case "":
            return msgspec.convert(answer.result, kind)
        case "refused":
            raise Refusal(answer.text, *msgspec.convert(answer.more, tuple[bool, str | None, str]))
        case "game":
            raise WrongGame(answer.text, answer.more[0], msgspec.convert(answer.more[1], list[Finding]))
        case "rules":
            raise RuleError(answer.text)
    raise ChildGone(f"this is a fault of houserules, please report it: {answer.text}")
