"""The builder: the events of the YAML parser to nodes, counted and checked on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NoReturn

import yaml

from interpreter.base.diagnostics import MAX_FINDINGS, Report, Span
from interpreter.base.signs import UNSEEN, describe
from interpreter.language.source.nodes import Listing, Mapping, Node, Scalar, is_absent, measure, open_brackets
from interpreter.language.source.reading import LINE_BREAK, MAX_BYTES
from interpreter.language.source.troubles import (
    BLOCK_HINT,
    FLOW_HINT,
    MAX_DEPTH,
    QUOTE_HINT,
    SPACE_HINT,
    TOO_DEEP,
    Spill,
    Trouble,
    quotes_for,
    short,
)

MAX_NODES = 25_000
MAX_DIGITS = 18

CUT = "the expression was cut at a comma"

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
_KEY_AND_NUMBER = re.compile(r"(.*\S)\s+(-?[0-9]+)")


class Stop(Exception):
    """Reading further makes no sense; the reason is in the report."""


class Builder:
    """Turns the events of one file into nodes, and reports what we refuse."""

    def __init__(self, text: str, file: str, report: Report) -> None:
        self.text = text
        self.lines = LINE_BREAK.split(text)
        self.file = file
        self.report = report
        self.events: Iterator[Any] = yaml.parse(text, Loader=_LOADER)
        self.anchors: dict[str, Node | None] = {}  # None: its node is still open
        self.anchor_spans: dict[str, Span] = {}
        self.open_flows: list[Span] = []
        self.nodes = 0
        self.repeated = 0
        self.depth = 0
        self.end = (1, 1)  # after the last thing read: a block mapping's own end mark is where the next thing starts
        self.spill: Spill | None = None

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

    def head(self) -> Iterator[tuple[Scalar, Node]]:
        """Yield keys and values of the first document, each read when it is asked for; none if it is no mapping."""
        while not isinstance(event := self._next(), yaml.NodeEvent | yaml.StreamEndEvent):
            pass
        if isinstance(event, yaml.MappingStartEvent):
            self._open(event)
            self.depth += 1
            yield from self._pairs(bool(event.flow_style))

    def _document(self, start: Any) -> Node:
        self.anchors, self.anchor_spans = {}, {}
        node = self._node(self._next())
        if is_absent(node):
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
        trouble = Trouble(error, self.lines, self.file, self.open_flows, self.spill)
        code, span, message, hint = trouble.explain()
        self._fail(code, span, message, hint)

    def _error(self, code: str, span: Span, message: str, hint: str = "") -> None:
        self.report.error(code, span, message, hint)
        if len(self.report.diagnostics) >= MAX_FINDINGS:
            raise Stop

    def _fail(self, code: str, span: Span, message: str, hint: str = "") -> NoReturn:
        self.report.error(code, span, message, hint)
        raise Stop

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
            self._fail("E103", self._span(event), TOO_DEEP)

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
            self._error("E108", self._before(event, "!"), "tags ('!...') are not used", quotes_for("!"))
        if event.anchor:
            span = self._before(event, "&")
            if event.anchor in self.anchor_spans:
                earlier = self.anchor_spans[event.anchor]
                self._error("E108", span, f"the anchor '&{short(event.anchor)}' is already used in line {earlier.line}")
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
        lines = LINE_BREAK.split(self.text[mark.index : offset])
        if len(lines) == 1:
            return mark.line + 1, mark.column + 1 + len(lines[0])
        return mark.line + len(lines), len(lines[-1]) + 1

    def _alias(self, event: Any) -> Node:
        span = self._span(event)
        node = self.anchors.get(event.anchor)
        if node is None:
            if event.anchor in self.anchors:
                self._fail("E108", span, f"'*{short(event.anchor)}' stands inside the part it names")
            self._fail("E108", span, f"nothing above is marked '&{short(event.anchor)}'", quotes_for("*"))
        nodes, depth, letters = measure(node)
        self._count(event, nodes, depth)
        self.repeated += letters
        if self.repeated > MAX_BYTES:
            self._fail("E103", span, f"the aliases of the file repeat more than {MAX_BYTES:,} letters")
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
            self.spill = Spill(span, bool(mark))
        if mark == '"' and (bad := UNSEEN.search(text)):
            self._error("E102", span, f"{describe(bad[0])} is not allowed, not even as an escape")
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
        pairs = list(self._pairs(flow))
        if flow and not self._check_pairs(pairs):
            pairs = []  # the pieces of an expression are no keys, so nothing more can be said about them
        return Mapping(*self._entries(pairs), self._up_to_here(start))

    def _pairs(self, flow: bool) -> Iterator[tuple[Scalar, Node]]:
        """Yield keys and values as they are read, to the end of their mapping."""
        last: Node | None = None
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            if flow and last is not None and not isinstance(event, yaml.ScalarEvent) and open_brackets(last) > 0:
                self._fail("E111", self._span(event), CUT, FLOW_HINT)  # the end of it will not even be YAML
            key = self._key(event)
            value = self._node(self._next())
            if key is not None:
                last = value
                yield key, value
        if flow:
            self._close_flow(event)

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
                message = f"the key '{short(key.text)}' stands here a second time; the first is in line {first.line}"
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
        elif is_absent(key):
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
            brackets = open_brackets(item)
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
            lone = is_absent(value) and not self._has_colon(key)
            if lone + opened + bool(open_brackets(key)) >= 2:  # any one of the three may be meant
                self._error("E111", key.span, CUT, FLOW_HINT)
                return False
            if lone:
                stray.append(key)
            opened = open_brackets(value) > 0
        for key in stray:
            hint = SPACE_HINT if ":" in key.text else FLOW_HINT
            cut = _KEY_AND_NUMBER.fullmatch(key.text)
            if cut is not None:
                hint = f"write '{cut[1]}: {cut[2]}'"
            elif len(pairs) == len(stray) and key.text.isidentifier():
                hint = f"a name alone is written '{key.text}: {{}}'; {FLOW_HINT}"
            self._error("E104", key.span, f"there is no ': ' after '{short(key.text)}'", hint)
        return True

    def _has_colon(self, key: Scalar) -> bool:
        return _COLON.match(self.lines[key.span.end_line - 1], key.span.end_column - 1) is not None
