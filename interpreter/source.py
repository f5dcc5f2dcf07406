"""Stage 1: YAML text to plain data, with a position for every node.

YAML is read as the 1.2 core schema, less its octal and hexadecimal numbers, infinities, tags, merge keys and
block styles other than `|`. We build the nodes ourselves from the parser's events: that is where size and depth
can be counted before anything is built, where duplicate keys are still visible, and where positions are exact.
The event parser does not recurse, and we stop it at the first node that is too deep, so nested brackets cost
nothing; asked for all events of 200,000 of them, libyaml would need minutes.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import yaml

from interpreter.diagnostics import Diagnostic, Report, Span

CODES: dict[str, str] = {
    "E101": "the file cannot be read",
    "E102": "the file is not UTF-8, or holds a character that is not allowed",
    "E103": "the file is too large, too deeply nested, or has too many nodes",
    "E104": "the text is not YAML",
    "E105": "more than one document in a file",
    "E106": "a key stands twice in one mapping",
    "E107": "a key is missing, or is not text",
    "E108": "a tag, a merge key, or an alias or anchor that cannot be used",
    "E109": "text in a style that is not used: folded, or plain or quoted over several lines",
    "E110": "a number with too many digits",
    "E111": "an expression was cut at a comma inside { } or [ ]",
    "E112": "there is nothing in the file",
}

MAX_BYTES = 1_000_000
MAX_DEPTH = 60
MAX_NODES = 100_000
MAX_DIGITS = 18
MAX_KEY = 1024  # YAML's own limit
MAX_FINDINGS = 100  # a file with more mistakes than this is not a ruleset, and nobody reads further

CUT = "the expression was cut at a comma"
FLOW_HINT = "inside { } and [ ] text with commas, braces or brackets needs quotes"
BLOCK_HINT = "keep it on one line, or start a block with '|'"
QUOTE_HINT = "if it is text, put it in quotes"
SPACE_HINT = "put a space after the ':'"
UTF8_HINT = "save the file as UTF-8"


# ---------------------------------------------------------------------------------------------------- nodes


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value.

    text: as written, after YAML's unescaping; for a block, its lines without their indentation.
    style: "plain", "quoted" or "block" (a literal `|`).
    indent: the columns before each line of a block.
    """

    value: str | int | float | bool | None
    text: str
    span: Span
    style: str
    indent: int = 0

    def place(self, offset: int, length: int = 1) -> Span:
        """Return where `text[offset:offset + length]` stands in the file.

        An offset at the end is the place after the last character. Quoted text with escapes answers its whole span.
        """
        if self.style == "block":
            return self._place_in_block(offset, length)
        margin = 1 if self.style == "quoted" else 0
        span = self.span
        if span.line != span.end_line or span.end_column - span.column != len(self.text) + 2 * margin:
            return span
        column = span.column + margin
        start = min(offset, len(self.text))
        end = min(start + length, len(self.text))
        return Span(span.file, span.line, column + start, span.line, column + max(end, start))

    def _place_in_block(self, offset: int, length: int) -> Span:
        shown = len(self.text.rstrip("\n"))  # the end of a block is the end of its last line, not a line below
        start = min(offset, shown)
        line, column = self._line_and_column(start)
        end_line, end_column = self._line_and_column(max(start, min(start + length, shown)))
        return Span(self.span.file, line, column, end_line, end_column)

    def _line_and_column(self, offset: int) -> tuple[int, int]:
        before = self.text.count("\n", 0, offset)
        return self.span.line + 1 + before, self.indent + offset - self.text.rfind("\n", 0, offset)


@dataclass(frozen=True, slots=True)
class Mapping:
    """Values by key, in the order written. Every key is text: `10` is "10", `true` is "true".

    keys: where each key stands.
    """

    entries: dict[str, Node]
    keys: dict[str, Span]
    span: Span

    def get(self, name: str) -> Node | None:
        return self.entries.get(name)


@dataclass(frozen=True, slots=True)
class Listing:
    """Values in a row."""

    items: tuple[Node, ...]
    span: Span


Node = Scalar | Mapping | Listing


def to_plain(node: Node) -> object:
    """Return the data without positions, as a JSON schema validator wants it."""
    if isinstance(node, Mapping):
        return {key: to_plain(value) for key, value in node.entries.items()}
    if isinstance(node, Listing):
        return [to_plain(item) for item in node.items]
    return node.value


# ---------------------------------------------------------------------------------------------- entry points


def parse_text(text: str | bytes, file: str, report: Report) -> Node | None:
    """Return the one document of a file, or None if anything is wrong with it."""
    nodes = _parse(text, file, report, single=True)
    return nodes[0] if nodes else None


def parse_documents(text: str | bytes, file: str, report: Report) -> list[Node]:
    """Return the documents of a file, at least one, or an empty list if anything is wrong with it."""
    return _parse(text, file, report, single=False)


def _parse(text: str | bytes, file: str, report: Report, *, single: bool) -> list[Node]:
    found = Report()
    nodes: list[Node] = []
    clean = _clean(text, file, found)
    if clean is not None:
        builder = _Builder(clean, file, found)
        try:
            nodes.extend(builder.documents(single))
        except _Stop:
            pass
    report.extend(found.diagnostics)
    return [] if found.failed else nodes


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
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, PermissionError):
        return "no permission"
    return str(getattr(error, "strerror", None) or error).lower()


def _report_file(report: Report, file: str, code: str, message: str) -> None:
    """Report something that has no place within the file."""
    report.extend([Diagnostic("error", code, message, file)])


# ------------------------------------------------------------------------------------------------ characters

# What YAML allows, less the characters libyaml takes for line breaks and editors do not, and a late byte order mark.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_LINE_BREAK = re.compile("\r\n|\r|\n")
_DIRECTIVE = re.compile(r"(?<![^\r\n])%")
_CHARACTER_KINDS = {0: "NUL", 0x85: "next line", 0x2028: "line separator", 0x2029: "paragraph separator"}


def _clean(text: str | bytes, file: str, report: Report) -> str | None:
    """Return the text if it is short enough and holds only characters the parser can count."""
    refusal = _too_large(len(text))
    if refusal:
        _report_file(report, file, *refusal)
        return None
    decoded = _decode(text, file, report) if isinstance(text, bytes) else text.removeprefix("\ufeff")
    if decoded is None:
        return None
    bad = _FORBIDDEN.search(decoded)
    if bad:
        hint = UTF8_HINT if bad[0] == "\0" else "remove it"
        report.error("E102", _span_at(decoded, bad.start(), file), f"{_describe(bad[0])} is not allowed", hint)
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
    lines = _LINE_BREAK.split(text[:offset])
    line, column = len(lines), len(lines[-1]) + 1
    return Span(file, line, column, line, column + 1)


def _describe(character: str) -> str:
    number = ord(character)
    if 0xD800 <= number <= 0xDFFF:
        kind = "lone surrogate"
    elif number == 0xFEFF:
        kind = "byte order mark"
    else:
        kind = _CHARACTER_KINDS.get(number) or ("control character" if number < 0xA0 else "not a character")
    return f"the character U+{number:04X} ({kind})"


# ---------------------------------------------------------------------------------------------- plain scalars

_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_WORDS = {"": None, "~": None, "null": None, "Null": None, "NULL": None} | {
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


def _resolve(text: str) -> str | int | float | bool | None:
    """Return what plain text stands for. Raises OverflowError for a number with too many digits."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789" or not _FLOAT.fullmatch(text):
        return text
    mantissa, _, exponent = text.lower().partition("e")
    if sum(map(str.isdigit, mantissa)) > MAX_DIGITS or len(exponent.lstrip("+-0")) > 2:
        raise OverflowError(text)
    return int(text) if _INTEGER.fullmatch(text) else float(text)


# ----------------------------------------------------------------------------------------------- the builder

_LOADER: Any = getattr(yaml, "CLoader", yaml.Loader)  # the C parser where PyYAML was built with it
_PROPERTIES = re.compile(r"(?:[&!]\S*(?:\s|#.*)*)+")  # an anchor or tag, and what may stand before its node
_COLON = re.compile(r"[ \t]*:")


class _Stop(Exception):
    """Reading further makes no sense; the reason is in the report."""


@dataclass(frozen=True, slots=True)
class _Spill:
    """A plain or quoted scalar that runs over several lines: a fault, or the trace of a worse one."""

    span: Span
    quoted: bool


class _Builder:
    """Turns the events of one file into nodes, and reports what we refuse."""

    def __init__(self, text: str, file: str, report: Report) -> None:
        self.text = text
        self.lines = _LINE_BREAK.split(text)
        self.file = file
        self.report = report
        self.events: Iterator[Any] = yaml.parse(text, Loader=_LOADER)
        self.anchors: dict[str, Node | None] = {}  # None: its node is still open
        self.anchor_spans: dict[str, Span] = {}
        self.open_flows: list[Span] = []
        self.nodes = 0
        self.depth = 0
        self.end = (1, 1)  # after the last thing read: a block mapping's own end mark is where the next thing starts
        self.spill: _Spill | None = None

    def documents(self, single: bool) -> Iterator[Node]:
        count = 0
        while not isinstance(event := self._next(), yaml.StreamEndEvent):
            if isinstance(event, yaml.DocumentStartEvent):
                count += 1
                if single and count > 1:
                    message = "a second document starts here, and the file may hold only one"
                    self._fail("E105", self._span(event), message)
                yield self._document(event)
        if not count:
            what = "holds nothing but comments" if self.text.strip() else "is empty"
            self._error("E112", Span(self.file, 1, 1, 1, 2), f"the file {what}")

    def _document(self, start: Any) -> Node:
        self.anchors, self.anchor_spans = {}, {}
        node = self._node(self._next())
        if _is_absent(node):
            self._error("E112", self._span(start), "this document is empty")
        return node

    # -- events and findings

    def _next(self) -> Any:
        try:
            event = next(self.events)
        except (yaml.YAMLError, ValueError, OverflowError) as error:  # the last two: "\\UFFFFFFFF" without libyaml
            self._syntax_error(error)
        if self.spill:
            what = "this quoted text" if self.spill.quoted else "this text"
            hint = f"close the quote, or {BLOCK_HINT}" if self.spill.quoted else BLOCK_HINT
            spill, self.spill = self.spill, None
            self._error("E109", spill.span, f"{what} runs over several lines", hint)
        return event

    def _syntax_error(self, error: Exception) -> NoReturn:
        trouble = _Trouble(error, self.lines, self.file, self.open_flows, self.spill)
        code, span, message, hint = trouble.explain()
        self._fail(code, span, message, hint)

    def _error(self, code: str, span: Span, message: str, hint: str = "") -> None:
        self.report.error(code, span, message, hint)
        if len(self.report.diagnostics) >= MAX_FINDINGS:
            raise _Stop

    def _fail(self, code: str, span: Span, message: str, hint: str = "") -> NoReturn:
        self.report.error(code, span, message, hint)
        raise _Stop

    def _span(self, event: Any) -> Span:
        start, end = event.start_mark, event.end_mark
        return Span(self.file, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    def _count(self, event: Any, nodes: int, depth: int) -> None:
        """Count what is about to be built, before it is."""
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            message = f"the file has more than {MAX_NODES:,} values, aliases counted in full"
            self._fail("E103", self._span(event), message)
        if self.depth + depth > MAX_DEPTH:
            self._fail("E103", self._span(event), f"this is nested more than {MAX_DEPTH} levels deep")

    # -- nodes

    def _node(self, event: Any) -> Node:
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        self._open(event)
        node: Node
        if isinstance(event, yaml.ScalarEvent):
            node = self._scalar(event)
        else:
            node = self._collection(event)
        if event.anchor:
            self.anchors[event.anchor] = node
        return node

    def _open(self, event: Any) -> None:
        """Count a node, and look at what stands before it: a tag, an anchor."""
        self._count(event, 1, 0 if isinstance(event, yaml.ScalarEvent) else 1)
        if event.tag:
            self._error("E108", self._before(event, "!"), "tags ('!...') are not used", _quotes_for("!"))
        if event.anchor:
            span = self._before(event, "&")
            if event.anchor in self.anchor_spans:
                earlier = self.anchor_spans[event.anchor]
                self._error(
                    "E108", span, f"the anchor '&{_short(event.anchor)}' is already used in line {earlier.line}"
                )
            self.anchor_spans[event.anchor] = span
            self.anchors[event.anchor] = None

    def _before(self, event: Any, sign: str) -> Span:
        """Return the place of a node's tag or anchor."""
        start = self.text.index(sign, event.start_mark.index)
        found = re.compile(r"\S+").match(self.text, start)
        assert found is not None
        line, column = self._forward(event.start_mark, start)
        return Span(self.file, line, column, line, column + len(found[0]))

    def _forward(self, mark: Any, offset: int) -> tuple[int, int]:
        """Return line and column of an offset not far after a mark."""
        lines = _LINE_BREAK.split(self.text[mark.index : offset])
        if len(lines) == 1:
            return mark.line + 1, mark.column + 1 + len(lines[0])
        return mark.line + len(lines), len(lines[-1]) + 1

    def _alias(self, event: Any) -> Node:
        span = self._span(event)
        node = self.anchors.get(event.anchor)
        if node is None:
            if event.anchor in self.anchors:
                self._fail("E108", span, f"'*{_short(event.anchor)}' stands inside the part it names")
            self._fail("E108", span, f"nothing above is marked '&{_short(event.anchor)}'", _quotes_for("*"))
        self._count(event, *_measure(node))
        self.end = span.end_line, span.end_column
        return node

    def _scalar(self, event: Any) -> Scalar:
        scalar = self._text(event)
        if scalar.style != "plain":
            return scalar
        try:
            value = _resolve(scalar.text)
        except OverflowError:
            hint = "if it is a name, put it in quotes"
            self._error("E110", scalar.span, f"a number may have at most {MAX_DIGITS} digits", hint)
            return scalar
        return Scalar(value, scalar.text, scalar.span, "plain")

    def _text(self, event: Any) -> Scalar:
        """Return a scalar as text, whatever it says."""
        span, text, mark = self._span(event), event.value, event.style
        if event.anchor or event.tag:
            span = self._without_properties(event, span)
        if mark == "|":
            return self._block(span, text)
        if mark == ">":
            message = "folded blocks ('>') are not used: a mistake in one could not be shown in its place"
            sign = Span(self.file, span.line, span.column, span.line, span.column + 1)
            self._error("E109", sign, message, "use '|', which keeps the lines as they are")
        elif span.line != span.end_line:
            self.spill = _Spill(span, bool(mark))
        if mark == '"' and (bad := _FORBIDDEN.search(text)):
            self._error("E102", span, f"{_describe(bad[0])} is not allowed, not even as an escape")
        self.end = span.end_line, span.end_column
        return Scalar(text, text, span, "quoted" if mark else "plain")

    def _without_properties(self, event: Any, span: Span) -> Span:
        found = _PROPERTIES.match(self.text, event.start_mark.index)
        if found is None or found.end() > event.end_mark.index:
            return span
        line, column = self._forward(event.start_mark, found.end())
        return Span(self.file, line, column, span.end_line, span.end_column)

    def _block(self, header: Span, text: str) -> Scalar:
        lines = text.rstrip("\n").split("\n")
        indent = self._block_indent(header, lines)
        self.end = header.line + len(lines), indent + len(lines[-1]) + 1
        if not text.strip("\n"):
            self.end = header.line, header.column + 1
        return Scalar(text, text, self._up_to_here(header), "block", indent)

    def _block_indent(self, header: Span, lines: list[str]) -> int:
        for number, line in enumerate(lines):
            if line:  # what the line in the file has more is the indentation
                return len(self.lines[header.line + number]) - len(line)
        return 0

    def _collection(self, event: Any) -> Node:
        start, flow = self._span(event), bool(event.flow_style)
        self.depth += 1
        if flow:
            self.open_flows.append(start)
        node = self._mapping(start, flow) if isinstance(event, yaml.MappingStartEvent) else self._listing(start, flow)
        self.depth -= 1
        if flow:
            self.open_flows.pop()
        return node

    def _listing(self, start: Span, flow: bool) -> Listing:
        items: list[Node] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            items.append(self._node(event))
        if flow:
            self._close_flow(event)
            self._check_items(items)
        return Listing(tuple(items), self._up_to_here(start))

    def _mapping(self, start: Span, flow: bool) -> Mapping:
        pairs: list[tuple[Scalar, Node]] = []
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            if flow and pairs and not isinstance(event, yaml.ScalarEvent) and _open_brackets(pairs[-1][1]) > 0:
                self._fail("E111", self._span(event), CUT, FLOW_HINT)  # the end of it will not even be YAML
            key = self._key(event)
            value = self._node(self._next())
            if key is not None:
                pairs.append((key, value))
        if flow:
            self._close_flow(event)
            if not self._check_pairs(pairs):
                pairs = []  # the pieces of an expression are no keys, so nothing more can be said about them
        return Mapping(*self._entries(pairs), self._up_to_here(start))

    def _up_to_here(self, start: Span) -> Span:
        return Span(self.file, start.line, start.column, *self.end)

    def _close_flow(self, event: Any) -> None:
        self.end = event.end_mark.line + 1, event.end_mark.column + 1

    def _entries(self, pairs: list[tuple[Scalar, Node]]) -> tuple[dict[str, Node], dict[str, Span]]:
        entries: dict[str, Node] = {}
        keys: dict[str, Span] = {}
        for key, value in pairs:
            if key.text in keys:
                first = keys[key.text]
                message = f"the key '{_short(key.text)}' stands here a second time; the first is in line {first.line}"
                self._error("E106", key.span, message + f", column {first.column}")
                continue
            entries[key.text] = value
            keys[key.text] = key.span
        return entries, keys

    def _key(self, event: Any) -> Scalar | None:
        """Return a key, or None (and the reason in the report) if it is something else than text."""
        if not isinstance(event, yaml.ScalarEvent):
            what = "an alias" if isinstance(event, yaml.AliasEvent) else "a list or a mapping"
            start = self._span(event)
            self._node(event)
            self._error("E107", start, f"a key must be text, and this is {what}", QUOTE_HINT)
            return None
        self._open(event)
        key = self._text(event)
        if event.anchor:
            self.anchors[event.anchor] = key
        if key.style == "block":
            self._error("E107", key.span, "a key must be text on one line")
        elif _is_absent(key):
            self._error("E107", key.span, "a key is missing here")
        elif key.text == "<<" and key.style == "plain":
            self._error("E108", key.span, "merge keys ('<<') are not used", "write the keys out")
        else:
            return key
        return None

    # -- expressions cut at a comma

    def _check_items(self, items: list[Node]) -> None:
        opened = False
        cut: Node | None = None
        for item in items:
            brackets = _open_brackets(item)
            if opened and cut is None:
                cut = item
            if cut and brackets < 0:
                self._error("E111", cut.span, CUT, FLOW_HINT)
                return
            opened = opened or brackets > 0

    def _check_pairs(self, pairs: list[tuple[Scalar, Node]]) -> bool:
        """Report keys without a colon, and return False if they are the pieces of an expression.

        `{law: f(a, b), message: x}` reads as three keys: `law` is `f(a`, and `b)` has no value.
        """
        stray: list[Scalar] = []
        opened = False
        for key, value in pairs:
            lone = _is_absent(value) and not self._has_colon(key)
            if lone + opened + bool(_open_brackets(key)) >= 2:  # any one of the three may be meant
                self._error("E111", key.span, CUT, FLOW_HINT)
                return False
            if lone:
                stray.append(key)
            opened = _open_brackets(value) > 0
        for key in stray:
            hint = SPACE_HINT if ":" in key.text else FLOW_HINT
            self._error("E104", key.span, f"there is no ': ' after '{_short(key.text)}'", hint)
        return True

    def _has_colon(self, key: Scalar) -> bool:
        return _COLON.match(self.lines[key.span.end_line - 1], key.span.end_column - 1) is not None


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "..."


def _is_absent(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style == "plain" and not node.text


def _open_brackets(node: Node) -> int:
    """Return how many round brackets plain text leaves open; negative if it closes more than it opens."""
    if not isinstance(node, Scalar) or node.style != "plain":
        return 0
    return node.text.count("(") - node.text.count(")")


def _measure(node: Node) -> tuple[int, int]:
    """Return the number of nodes, with aliases counted in full, and the depth of a finished node."""
    if isinstance(node, Scalar):
        return 1, 0
    children = list(node.entries.values()) if isinstance(node, Mapping) else list(node.items)
    sizes = [_measure(child) for child in children]
    return 1 + sum(size for size, _ in sizes), 1 + max((depth for _, depth in sizes), default=0)


def _quotes_for(sign: str) -> str:
    return f"{QUOTE_HINT}: text cannot start with '{sign}'"


# -------------------------------------------------------------------------------------- syntax errors in words

_Explanation = tuple[str, Span, str, str]


class _Trouble:
    """A syntax error of the YAML parser, retold for somebody who does not know YAML's grammar."""

    def __init__(self, error: Exception, lines: list[str], file: str, flows: list[Span], spill: _Spill | None) -> None:
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
        return "E108", Span(self.file, line, column, line, column + 1), "tags ('!...') are not used", _quotes_for("!")

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
_RETELLINGS: list[tuple[tuple[str, ...], Callable[[_Trouble], _Explanation]]] = [
    (("start any token",), _Trouble.bad_start),
    (("mapping values are not allowed",), _Trouble.second_value),
    (("mapping keys are not allowed", "sequence entries are not allowed"), _Trouble.text_starts_like_a_sign),
    (("found unexpected ':'",), _Trouble.tight_colon),
    (("find expected ':'",), _Trouble.missing_colon),
    (("a tag", "tag handle"), _Trouble.tag),
    (("escape", "hexdecimal"), _Trouble.escape),
    (("unexpected end of stream", "unexpected document"), _Trouble.unclosed_quote),
    (("an anchor", "an alias"), _Trouble.anchor),
    (("a block scalar",), _Trouble.block_header),
    (("',' or ']'", "',' or '}'"), _Trouble.flow),
    (("node content",), _Trouble.node),
    (("expected key", "'-' indicator", "block end", "document start"), _Trouble.layout),
]
