"""Files and characters: everything that is looked at before there is any YAML."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from interpreter.base.diagnostics import Diagnostic, Report, Span
from interpreter.base.signs import describe, first_unseen

MAX_BYTES = 262_144
"""256 KB: some ten times the longest ruleset there is, and as much as can be looked at in two seconds."""

UTF8_HINT = "save the file as UTF-8"

# ----------------------------------------------------------------------------------------------------- files


def read_file(path: Path, report: Report) -> str | None:
    """Return the text of a file without its byte order mark, or None if it cannot be read."""
    file = str(path)
    try:
        refusal = _refusal(path.stat())
        data = b"" if refusal else path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        refusal = "E101", f"cannot read the file: {_reason(error)}"
    if refusal:
        _report_file(report, file, *refusal)
        return None
    return _decode(data, file, report)


def _refusal(status: os.stat_result) -> tuple[str, str] | None:
    """Return code and message if this should not even be opened."""
    if stat.S_ISDIR(status.st_mode):
        return "E101", "cannot read the file: it is a directory"
    if not stat.S_ISREG(status.st_mode):  # a pipe or device might never end
        return "E101", "cannot read the file: it is not an ordinary file"
    return _too_large(status.st_size)


def _too_large(size: int) -> tuple[str, str] | None:
    if size <= MAX_BYTES:
        return None
    return "E103", f"the file is too large: {size:,} bytes, and {MAX_BYTES:,} are allowed"


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError | UnicodeError):  # no file has a name that this system cannot write
        return "there is no such file"
    if isinstance(error, PermissionError):
        return "no permission"
    return str(getattr(error, "strerror", None) or error).lower()


def _report_file(report: Report, file: str, code: str, message: str) -> None:
    """Report something that has no place within the file."""
    report.extend([Diagnostic("error", code, message, file)])


# ------------------------------------------------------------------------------------------------ characters

LINE_BREAK = re.compile("\r\n|\r|\n")
_DIRECTIVE = re.compile(r"(?<![^\r\n])%")


def clean_text(text: str | bytes, file: str, report: Report) -> str | None:
    """Return the text if it is short enough and holds only characters the parser can count."""
    refusal = _too_large(len(text))
    if refusal:
        _report_file(report, file, *refusal)
        return None
    decoded = _decode(text, file, report) if isinstance(text, bytes) else text.removeprefix("\ufeff")
    if decoded is None:
        return None
    bad = first_unseen(decoded.replace("\r", "\n"))  # either ends a line
    if bad:
        hint = UTF8_HINT if bad[0] == "\0" else _remedy(bad[0])
        report.error("E102", _span_at(decoded, bad.start(), file), f"{describe(bad[0])} is not allowed", hint)
        return None
    directive = _DIRECTIVE.search(decoded)  # also because many of them take libyaml quadratic time
    if directive:
        message = "a line cannot start with '%'"
        report.error("E104", _span_at(decoded, directive.start(), file), message, "remove it: no directive is needed")
        return None
    return decoded


def _decode(data: bytes, file: str, report: Report) -> str | None:
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        good = data[: error.start].decode("utf-8").removeprefix("\ufeff")
        message = f"the file is not UTF-8: it holds the byte 0x{data[error.start]:02X}"
        report.error("E102", _span_at(good, len(good), file), message, UTF8_HINT)
        return None


def _span_at(text: str, offset: int, file: str) -> Span:
    lines = LINE_BREAK.split(text[:offset])
    line, column = len(lines), len(lines[-1]) + 1
    return Span(file, line, column, line, column + 1)


def _remedy(sign: str) -> str:
    """What to do about a character that is not allowed."""
    return "remove it; an emoji that is joined of several cannot be used" if sign == "\u200d" else "remove it"
