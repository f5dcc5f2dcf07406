"""The commands of the program, run in this process, and what is wrong with what they print."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any
from unittest import mock

from interpreter.interfaces import cli
from interpreter.language import parser
from interpreter.language.source import Scalar
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


def remember_texts() -> None:
    """From now on, in this process, a text of the effect language that stands in the same place is parsed once."""
    read = parser._read
    known: dict[Any, Any] = {}

    def once(source: Scalar, *piece: Any) -> Any:
        key = (source.text, source.span, source.style, source.indent, piece[:-1])
        if key not in known:
            if (found := read(source, *piece)) is None:
                return None
            known[key] = found
        return known[key]

    parser._read = once
