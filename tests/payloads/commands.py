"""The commands of the program, run in this process, and what is wrong with what they print."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from interpreter.api import ruleset, validation
from interpreter.base.diagnostics import Diagnostic
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


TRIED = "ruleset.yaml"
"""The file that is written again for everything that is tried."""
_known: dict[str, Any] = {}
"""Rulesets by their paths and what stands there, the last ones."""


@contextmanager
def remembering() -> Iterator[None]:
    """While this lasts, a ruleset is read and compiled once, however many commands want it."""
    load = ruleset.load

    def once(path: Any, overlays: Any = ()) -> Any:
        if not isinstance(path, str | Path):
            return load(path, overlays)
        key = _key(path, overlays)
        if key not in _known:
            _keep(key, load(path, overlays))
        return _known[key]

    with mock.patch.object(ruleset, "load", once):
        yield


def validate(path: Path) -> list[Diagnostic]:
    """What is found in a file. The ruleset that is made for it is the one that is remembered."""
    checked = validation.checked

    def keep(*found: Any) -> Any:
        made = checked(*found)
        _keep(_key(path, ()), made)
        return made

    with mock.patch.object(validation, "checked", keep):
        return validation.validate(path)


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


def _key(path: Any, overlays: Any) -> str:
    """Files by name, and what stands in the one that changes."""
    text = Path(path).read_bytes() if Path(path).name == TRIED else b""
    return repr(([str(file) for file in (path, *overlays)], text))


def _keep(key: str, made: Any) -> None:
    while len(_known) > 5:
        del _known[next(iter(_known))]
    _known[key] = made
