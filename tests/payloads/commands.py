"""The commands of the program, run in this process, and what is wrong with what they print."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any
from unittest import mock

from interpreter.api import ruleset
from interpreter.interfaces import cli
from payloads import outputs


@dataclass(frozen=True, slots=True)
class Answer:
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


def run(arguments: Sequence[str], typed: str = "", colours: bool = False) -> Answer:
    """The answer to a command line. typed: what somebody types; colours: the terminal shows colours."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="strict") for _ in range(2))
    typing = io.TextIOWrapper(io.BytesIO(typed.encode("utf-8", "surrogatepass")), "utf-8", errors="surrogateescape")
    with ExitStack() as stack:
        settings = {"COLUMNS": "100", **({"FORCE_COLOR": "1"} if colours else {"NO_COLOR": "1"})}
        stack.enter_context(mock.patch.dict(os.environ, settings))
        stack.enter_context(mock.patch.object(sys, "stdin", typing))
        stack.enter_context(mock.patch.object(os, "fsync"))  # slow, and no power fails here
        stack.enter_context(redirect_stdout(out))
        stack.enter_context(redirect_stderr(err))
        code = cli.run(list(arguments))
        sys.stdout.flush()
        sys.stderr.flush()
    return Answer(code, *(stream.buffer.getvalue().decode("utf-8") for stream in (out, err)))  # type: ignore[attr-defined]


def wrong(answer: Answer, given: str = "", colours: bool = False) -> list[str]:
    return [line for text in (answer.out, answer.err) for line in outputs.wrong_text(text, given, colours)]


@contextmanager
def remembering() -> Iterator[None]:
    """While this lasts, a ruleset is read and compiled once, however many commands want it."""
    known: dict[str, Any] = {}
    load = ruleset.load

    def once(path: Any, overlays: Any = ()) -> Any:
        key = f"{path!r} {overlays!r}"
        if key not in known:
            known[key] = load(path, overlays)
        return known[key]

    with mock.patch.object(ruleset, "load", once):
        yield
