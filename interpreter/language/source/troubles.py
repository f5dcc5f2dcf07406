"""Syntax errors of the YAML parser in words, and the hints that mistakes in YAML have in common."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from interpreter.base.diagnostics import Span

MAX_KEY = 1024  # YAML's own limit
MAX_NAME = 50
"""Letters of a name: of whatever a file declares or means by one, and of a word that can be chosen."""
MAX_DEPTH = 60
TOO_DEEP = f"this is nested more than {MAX_DEPTH} levels deep"

FLOW_HINT = "inside { } and [ ] text with commas, braces or brackets needs quotes"
BLOCK_HINT = "keep it on one line, or start a block with '|'"
QUOTE_HINT = "if it is text, put it in quotes"
SPACE_HINT = "put a space after the ':'"


def short(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "..."


def quotes_for(sign: str) -> str:
    return f"{QUOTE_HINT}: text cannot start with '{sign}'"


@dataclass(frozen=True, slots=True)
class Spill:
    """A plain or quoted scalar that runs over several lines: a fault, or the trace of a worse one."""

    span: Span
    quoted: bool


_Explanation = tuple[str, Span, str, str]


class Trouble:
    """A syntax error of the YAML parser, retold for somebody who does not know YAML's grammar."""

    def __init__(self, error: Exception, lines: list[str], file: str, flows: list[Span], spill: Spill | None) -> None:
        self.lines = lines
        self.file = file
        self.spill = spill
        self.problem = str(getattr(error, "problem", None) or error)
        self.context = str(getattr(error, "context", None) or "")
        mark, context = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
        self.line: int = mark.line + 1 if mark else 1
        self.column: int = mark.column + 1 if mark else 1
        self.start: tuple[int, int] = (context.line + 1, context.column + 1) if context else (self.line, self.column)
        self.opened = flows[-1] if flows else None

    def explain(self) -> _Explanation:
        if self.spill and self.spill.quoted and self.spill.span.end_line == self.line:
            # The quote that should have been closed was closed by the next one, and everything went wrong from there.
            return "E104", self._wide(self.spill.span), "this quote is not closed on its line", BLOCK_HINT
        if self._character() == "\t":
            return self._at("a tab is used for indentation", "use spaces")
        if "nesting depth" in self.problem:  # the parser's own limit, which it meets before any of this is built
            _, place, message, hint = self._at(TOO_DEEP)
            return "E103", place, message, hint
        for words, retell in _RETELLINGS:
            if any(word in self.problem or word in self.context for word in words):
                return retell(self)
        return self._at(f"this is not YAML: {self.problem}")

    # -- places

    def _line_text(self, line: int) -> str:
        return self.lines[line - 1] if line <= len(self.lines) else ""

    def _character(self) -> str:
        return self._line_text(self.line)[self.column - 1 : self.column]

    def _before(self) -> str:
        return self._line_text(self.line)[: self.column - 1]

    def _indent(self, line: int) -> int:
        text = self._line_text(line)
        return len(text) - len(text.lstrip())

    def _at_end(self) -> bool:
        rest = self._line_text(self.line)[self.column - 1 :]
        return not rest.strip() and not any(line.strip() for line in self.lines[self.line :])

    def _at(self, message: str, hint: str = "", *, at: tuple[int, int] | None = None, width: int = 1) -> _Explanation:
        line, column = at or (self.line, self.column)
        return "E104", Span(self.file, line, column, line, column + width), message, hint

    def _wide(self, span: Span) -> Span:
        """Return the part of a span that lies on its first line."""
        return Span(self.file, span.line, span.column, span.line, len(self._line_text(span.line)) + 1)

    # -- retellings

    def bad_start(self) -> _Explanation:
        return self._at(f"text cannot start with '{self._character()}'", "put it in quotes")

    def text_starts_like_a_sign(self) -> _Explanation:
        sign = self._character()
        return self._at(
            f"'{sign} ' cannot stand here", f"if it is text, put it in quotes; else start a new line with '{sign} '"
        )

    def anchor(self) -> _Explanation:
        line, column = self.start
        sign = self._line_text(line)[column - 1 : column]
        return self._at(f"text cannot start with '{sign}'", "put it in quotes", at=self.start)

    def tag(self) -> _Explanation:
        line, column = self.start
        return "E108", Span(self.file, line, column, line, column + 1), "tags ('!...') are not used", quotes_for("!")

    def escape(self) -> _Explanation:
        start = self._line_text(self.line).rfind("\\", 0, self.column) + 1
        found = re.compile(r"\\(?:u\w{0,4}|U\w{0,8}|x\w{0,2}|.)").match(self._line_text(self.line), start - 1)
        written = found[0] if found else "\\"
        hint = "write \\\\ for a backslash, or use single quotes, where it stands for itself"
        if "invalid" in self.problem:
            return self._at(f"'{written}' is not a character", at=(self.line, start), width=len(written))
        return self._at(f"'{written}' is not an escape", hint, at=(self.line, start), width=len(written))

    def unclosed_quote(self) -> _Explanation:
        return self._at("this quote is never closed", at=self.start)

    def block_header(self) -> _Explanation:
        message = f"'{self._character()}' cannot stand here: the text of a block starts on the next line"
        return self._at(message, "if the text itself starts with '|', put it in quotes")

    def missing_colon(self) -> _Explanation:
        line, column = self.start
        return self._no_colon(line, column)

    def _no_colon(self, line: int, column: int) -> _Explanation:
        text = self._line_text(line)[column - 1 :].rstrip()
        hint = SPACE_HINT if ":" in text else "a key is followed by ': ' and its value"
        return self._at("there is no ': ' in this line", hint, at=(line, column), width=len(text))

    def tight_colon(self) -> _Explanation:
        return self._at("there is no space after this ':'", SPACE_HINT)

    def second_value(self) -> _Explanation:
        indent = self._indent(self.line)
        if not self.spill and ": " not in self._before() and self.column > MAX_KEY:
            return self._at(f"a key may have at most {MAX_KEY} characters", at=(self.line, indent + 1))
        if ": " in self._before() or not self.spill:
            return self._at(*_SECOND_VALUE)
        if self.spill.span.column == indent + 1:  # a whole line was taken for the start of this key
            return self._no_colon(self.spill.span.line, self.spill.span.column)
        width = self.column - 1 - indent
        message = "this line is indented as part of the text above, so it cannot hold a key"
        hint = "keys of one level start in the same column"
        return self._at(message, hint, at=(self.line, indent + 1), width=width)

    def flow(self) -> _Explanation:
        """Within brackets, something came that is neither a comma nor the closing bracket."""
        if self.opened is None:
            return self.layout()
        opener, character = self._opener(self.opened), self._character()
        if self._at_end():
            return self._unclosed(self.opened)
        if character in _OPENERS:
            message = f"'{character}' cannot close the '{opener}' of line {self.opened.line}"
            return self._at(message, FLOW_HINT)
        indent = self._indent(self.line)
        if self.line > self.opened.line and indent <= self._indent(self.opened.line):
            return self._unclosed(self.opened)
        if self.spill or (self.line > self.opened.line and self.column == indent + 1):
            message = f"there is no ',' before this line, or the '{opener}' of line {self.opened.line} is not closed"
            return self._at(message, at=(self.line, indent + 1))
        if character == ":":
            return self._at(*_SECOND_VALUE)
        closer = _CLOSERS[opener]
        return self._at(f"a ',' or the '{closer}' for line {self.opened.line} should stand here", FLOW_HINT)

    def node(self) -> _Explanation:
        """A value should start here, and something came that starts none."""
        character = self._character()
        if self.opened and self._at_end():
            return self._unclosed(self.opened)
        if character == ":":
            return self._no_key()
        if self.opened and character in _OPENERS:
            return self.flow()
        if self.opened and character == ",":
            return self._at("there is nothing before this ','", FLOW_HINT)
        return self.bad_start()

    def layout(self) -> _Explanation:
        """A line, or the rest of one, belongs to nothing that is open."""
        character = self._character()
        if character in _OPENERS:
            return self._at(f"this '{character}' closes nothing")
        if self.column - 1 != self._indent(self.line):
            hint = "put quotes around the whole text"
            if self._before().endswith("'"):
                hint = "write an apostrophe inside single quotes twice"
            return self._at("the value ended before this", hint)
        if character == ":":
            return self._no_key()
        hint = "keys of one level start in the same column"
        if "collection" in self.context or "sequence" in self.context:
            hint = f"items start with '- ' in column {self.start[1]}, and the further keys of an item below its first"
        width = len(self._line_text(self.line).strip())
        return self._at("this line does not line up with the lines above", hint, width=width)

    def _unclosed(self, opened: Span) -> _Explanation:
        return self._at(f"this '{self._opener(opened)}' is never closed", at=(opened.line, opened.column))

    def _opener(self, opened: Span) -> str:
        text = self._line_text(opened.line)[opened.column - 1 :]
        return min(_CLOSERS, key=lambda sign: text.find(sign) % (len(text) + 1))  # an anchor may stand before it

    def _no_key(self) -> _Explanation:
        return "E107", Span(self.file, self.line, self.column, self.line, self.column + 1), *_NO_KEY


_CLOSERS = {"[": "]", "{": "}"}
_OPENERS = {"]": "[", "}": "{"}
_SECOND_VALUE = ("a ': ' here starts a second value on the line", "quote the text, or put it on its own line")
_NO_KEY = ("there is no key before this ':'", QUOTE_HINT)

# What PyYAML's two parsers say, or the context they name, and who retells it; the first that fits.
_RETELLINGS: list[tuple[tuple[str, ...], Callable[[Trouble], _Explanation]]] = [
    (("start any token",), Trouble.bad_start),
    (("mapping values are not allowed",), Trouble.second_value),
    (("mapping keys are not allowed", "sequence entries are not allowed"), Trouble.text_starts_like_a_sign),
    (("found unexpected ':'",), Trouble.tight_colon),
    (("find expected ':'",), Trouble.missing_colon),
    (("a tag", "tag handle"), Trouble.tag),
    (("escape", "hexdecimal"), Trouble.escape),
    (("unexpected end of stream", "unexpected document"), Trouble.unclosed_quote),
    (("an anchor", "an alias"), Trouble.anchor),
    (("a block scalar",), Trouble.block_header),
    (("',' or ']'", "',' or '}'"), Trouble.flow),
    (("node content",), Trouble.node),
    (("expected key", "'-' indicator", "block end", "document start"), Trouble.layout),
]
