"""What jsonschema finds, told in the author's words at the place where it stands: one message for each mistake."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from interpreter.base.diagnostics import MAX_FINDINGS, Report, Span, suggest
from interpreter.language.shape.phrases import (
    as_found,
    meant_key,
    name_hint,
    short,
    text_of,
    thing_of,
    type_hint,
    types_of,
    wanted_by,
)
from interpreter.language.shape.quick import is_right
from interpreter.language.shape.schemas import Kind, Path, Schema, schema_of, schemas_within, validator, written
from interpreter.language.source import MAX_NAME, Listing, Mapping, Node, Scalar, to_plain

FORMAT = 1
MAX_ERRORS = 10_000  # of jsonschema, which has several for some mistakes
_BODY = ("players", "pack", "zones", "flow")
_OVERLAY_HINT = (
    "to change a game write 'extends: GAME'; a file that is laid on is checked with it: "
    "houserules validate GAME --with FILE"
)
_NO_BASE = "and this file has no 'extends'"
_REMOVAL_HINT = "delete it, or name the ruleset to change with 'extends'"


@dataclass(frozen=True, slots=True)
class Fault:
    """One error of jsonschema. path: of the value. schema: the one that holds the keyword."""

    keyword: str
    wanted: Any
    value: Any
    schema: Schema
    path: Path
    is_key: bool


class Findings:
    """Turns the errors of jsonschema into diagnostics, one for each thing that is wrong."""

    def __init__(self, root: Node, report: Report, kind: Kind) -> None:
        self.root = root
        self.report = report
        self.kind: Kind = kind
        self.done: set[Path] = set()
        """Paths that are blamed: what is wrong at or inside of them is not worth another word."""

    def report_all(self) -> None:
        plain = to_plain(self.root)
        if not is_right(written(f"{self.kind}.schema.json"), plain):
            errors = islice(validator(self.kind).iter_errors(plain), MAX_ERRORS)
            for fault in sorted(map(_fault, errors), key=_urgency):
                path = (*fault.path, fault.value) if fault.is_key else fault.path
                if not self._full() and not self._blamed(path):
                    HANDLERS[fault.keyword](self, fault)
        for path in _blanks(self.root, ()):
            if not self._full() and not self._blamed(path):
                self._blank(path)

    def _full(self) -> bool:
        return len(self.done) >= MAX_FINDINGS

    def _blamed(self, path: Path) -> bool:
        return any(path[:length] in self.done for length in range(len(path) + 1))

    # -- one method for each kind of fault

    def unknown_key(self, fault: Fault) -> None:
        known = fault.schema.get("properties", {})
        patterns = fault.schema.get("patternProperties", {})
        thing = thing_of(fault.schema)
        for key in fault.value:
            if key in known or any(re.search(pattern, key) for pattern in patterns) or self._full():
                continue
            hint = meant_key(key, known) or suggest(key, known, f"the keys of {thing}")
            if "pattern" in fault.schema and re.match(r"P[0-9]+ ", key):
                hint = "a move that holds a ': ' needs quotes around all of it"
            self._error("E201", (*fault.path, key), f"{thing} has no key '{short(key)}'", hint, at_key=True)

    def forbidden_key(self, fault: Fault) -> None:
        key = fault.path[-1]
        message = f"'{key}' changes what a ruleset below says, {_NO_BASE}"
        self._error("E201", fault.path, message, _REMOVAL_HINT, at_key=True)

    def missing_key(self, fault: Fault) -> None:
        alone = "extends" not in fault.value
        if alone and not fault.path and self.kind == "ruleset" and not any(key in fault.value for key in _BODY):
            keys = ", ".join(f"'{key}'" for key in _BODY)
            message = f"a ruleset that extends nothing needs the keys {keys}"
            self.done.update((key,) for key in _BODY)
            self.report.error("E202", self._span((), at_key=True), message, _OVERLAY_HINT)
        for key in fault.wanted:
            if key not in fault.value:
                path = (*fault.path, key)
                if path not in self.done:  # jsonschema counts them one by one, each with the whole list
                    self.done.add(path)
                    message = f"{thing_of(fault.schema)} needs the key '{key}'"
                    self.report.error("E202", self._span(fault.path, at_key=True), message, self._purpose(path))

    def wrong_type(self, fault: Fault) -> None:
        node = self._node(fault.path)
        if fault.value is None:
            self._no_value(fault.path, node)
            return
        message = f"{self._called(fault.path)} should be {wanted_by(fault.schema)}, not {as_found(node)}"
        hint = type_hint(fault.schema, node) or self._default_hint(fault, node) or self._purpose(fault.path)
        self._error("E203", fault.path, message, hint)

    def _default_hint(self, fault: Fault, node: Node) -> str:
        """What is meant by `options: {target: 75}`."""
        if fault.path[:-1] != ("options",) or not isinstance(node, Scalar):
            return ""
        return f"to change its default, write '{fault.path[-1]}: {{default: {text_of(node)}}}'"

    def wrong_word(self, fault: Fault) -> None:
        if fault.keyword == "const":
            node = self._node(fault.path)
            if isinstance(node, Scalar):
                report_format(node, self.report)
            return
        allowed = [word for word in fault.wanted if word is not None]
        if allowed == [True]:
            key = fault.path[-1]
            self._error("E204", fault.path, f"'{key}' can only be true", f"leave '{key}' out where it is not meant")
            return
        message = f"'{text_of(self._node(fault.path))}' is not a value of '{fault.path[-1]}'"
        self._error("E204", fault.path, message, suggest(str(fault.value), allowed, "allowed"))

    def bad_name(self, fault: Fault) -> None:
        title = fault.schema.get("title", "a name")
        if fault.is_key:
            key = fault.value
            longest = max(re.findall(r"\w+", key), key=len, default="")
            if len(longest) > MAX_NAME and "maxLength" in fault.schema:  # of a name with parameters, one is too long
                self._too_long(replace(fault, wanted=MAX_NAME), longest)
                return
            message = f"'{short(key)}' is not {title}"
            self._error("E205", (*fault.path, key), message, name_hint(title, key), at_key=True)
        else:
            shown = text_of(self._node(fault.path))
            self._error("E205", fault.path, f"'{shown}' is not {title}", name_hint(title, shown))

    def bad_number(self, fault: Fault) -> None:
        what = "smallest" if fault.keyword == "minimum" else "largest"
        message = f"{self._called(fault.path)} is {fault.value}, and the {what} value is {fault.wanted}"
        self._error("E206", fault.path, message, self._purpose(fault.path))

    def bad_length(self, fault: Fault) -> None:
        if isinstance(fault.value, str) and fault.value:
            self._too_long(fault, fault.value)
            return
        count, called = len(fault.value), self._called(fault.path)
        if isinstance(fault.value, dict) and count and fault.wanted == 1:
            message = f"a step is one move or one check, and this has {count} keys"
            self._error("E206", fault.path, message, "begin every check with '- '")
        elif isinstance(fault.value, list) and fault.schema.get("minItems") == fault.schema.get("maxItems"):
            message = f"{fault.schema['title']} holds two texts, and this holds {count}"
            self._error("E206", fault.path, message, "inside [ ] a text with a comma needs quotes")
        elif not count:
            self._error("E206", fault.path, f"{called} is empty", self._purpose(fault.path))
        else:
            unit = "names" if isinstance(fault.value, dict) else "items"
            end = "least" if fault.keyword.startswith("min") else "most"
            message = f"{called} has {count:,} {unit}, and the {end} is {fault.wanted:,}"
            self._error("E206", fault.path, message, self._purpose(fault.path))

    def _too_long(self, fault: Fault, text: str) -> None:
        """A text, a name, or a key or a name in it has too many letters."""
        path = (*fault.path, fault.value) if fault.is_key else fault.path
        called = f"'{short(text)}'" if fault.is_key else self._called(path)
        message = f"{called} has {len(text):,} letters, and the most is {fault.wanted:,}"
        hint = "" if fault.is_key else self._purpose(path)
        hint = hint or (f"give it a name of {MAX_NAME} letters at most" if fault.wanted == MAX_NAME else "")
        self._error("E206", path, message, hint, at_key=fault.is_key)

    def _no_value(self, path: Path, node: Node) -> None:
        if isinstance(node, Scalar) and not node.text:
            self._blank(path)
        elif isinstance(path[-1], str) and self._may_be_null(path):
            message = f"null removes what a ruleset below says, {_NO_BASE}"
            self._error("E203", path, message, _REMOVAL_HINT)
        else:
            self._error("E203", path, f"{self._called(path)} cannot be null", self._purpose(path))

    def _blank(self, path: Path) -> None:
        """A colon or dash with nothing behind it. Not a removal: that is written out."""
        wanted = self._schema(path)
        types = types_of(wanted)
        removable = self._is_overlay() and "null" in wanted.get("type", ())
        if types == ["object"]:
            hint = "write {} if there is nothing to say"
            if self._goes_on_below(path):
                hint = f"what belongs to it stands further to the right than it; {hint}"
        elif types and "string" not in types:
            hint = self._purpose(path)
        else:
            hint = "the text may be cut off: ' #' begins a comment, and inside { } and [ ] a comma ends it"
        if removable:
            hint += "; to remove it, write null"
        self._error("E203", path, f"{self._called(path)} has no value", hint, at_key=True)

    def _goes_on_below(self, path: Path) -> bool:
        """Whether the next line begins where this key does, so that it may have been meant to belong to it."""
        around, key = self._node(path[:-1]), path[-1]
        if not isinstance(around, Mapping):
            return False
        place = around.keys[str(key)]
        return any(span.line > place.line and span.column == place.column for span in around.keys.values())

    # -- words and places

    def _error(self, code: str, path: Path, message: str, hint: str, *, at_key: bool = False) -> None:
        self.done.add(path)
        self.report.error(code, self._span(path, at_key=at_key), message, hint)

    def _called(self, path: Path) -> str:
        """What a value is called: by its key, or as a part of the list it stands in."""
        if not path:
            return "the file"
        if isinstance(path[-1], str):
            return f"'{short(path[-1])}'"
        key = next((step for step in reversed(path) if isinstance(step, str)), None)
        return f"an item of '{key}'" if key else "an item of the list"

    def _purpose(self, path: Path) -> str:
        """What the key is for, out of the schema; empty for the names an author gives."""
        about = self._schema(path).get("description", "")
        return f"{path[-1]}: {about[:1].lower()}{about[1:]}".rstrip(".") if about and path else ""

    def _schema(self, path: Path) -> Schema:
        """The schema of a path's last step, without the second one for rulesets that extend nothing."""
        root = schema_of(self.kind)
        if self.kind == "ruleset":
            root = {key: value for key, value in root.items() if key != "else"}
        found: list[Schema] = [root]
        for step in path:
            found = [inner for schema in found for inner in schemas_within(schema, step)]
        return found[0] if found else {}

    def _may_be_null(self, path: Path) -> bool:
        return "null" in self._schema(path).get("type", ())

    def _is_overlay(self) -> bool:
        return isinstance(self.root, Mapping) and "extends" in self.root.entries

    def _node(self, path: Path) -> Node:
        node = self.root
        for step in path:
            if isinstance(node, Mapping):
                node = node.entries[str(step)]
            elif isinstance(node, Listing) and isinstance(step, int):
                node = node.items[step]
        return node

    def _span(self, path: Path, *, at_key: bool) -> Span:
        """Where a value stands. For a mapping or list that is its key, which says more than its first line."""
        if not path:
            return first_sign(self.root)
        parent = self._node(path[:-1])
        if isinstance(parent, Mapping) and isinstance(path[-1], str):
            node = parent.entries[path[-1]]
            if at_key or not isinstance(node, Scalar) or (node.value is None and not node.text):
                return parent.keys[path[-1]]
        return self._node(path).span


HANDLERS: dict[str, Callable[[Findings, Fault], None]] = {
    "additionalProperties": Findings.unknown_key,
    "required": Findings.missing_key,
    "type": Findings.wrong_type,
    "enum": Findings.wrong_word,
    "const": Findings.wrong_word,
    "pattern": Findings.bad_name,
    "minimum": Findings.bad_number,
    "maximum": Findings.bad_number,
    "minLength": Findings.bad_length,
    "maxLength": Findings.bad_length,
    "minItems": Findings.bad_length,
    "maxItems": Findings.bad_length,
    "minProperties": Findings.bad_length,
    "maxProperties": Findings.bad_length,
    "not": Findings.forbidden_key,
}

_BY_URGENCY = ("additionalProperties", "pattern", "not", "type", "required")


def _fault(error: Any) -> Fault:
    """jsonschema's error, for a wrong key with the key as its value."""
    is_key = len(error.schema_path) > 1 and list(error.absolute_schema_path)[-2] == "propertyNames"
    path = tuple(error.absolute_path)
    return Fault(error.validator, error.validator_value, error.instance, error.schema, path, is_key)


def _urgency(fault: Fault) -> int:
    """Wrong keys first: what is wrong behind them follows from them. Types before what only one type can have."""
    if fault.is_key:
        return _BY_URGENCY.index("pattern")
    return _BY_URGENCY.index(fault.keyword) if fault.keyword in _BY_URGENCY else len(_BY_URGENCY)


def _blanks(node: Node, path: Path) -> Iterator[Path]:
    """The places where a value should stand and nothing does."""
    if isinstance(node, Scalar):
        if node.value is None and not node.text:
            yield path
        return
    inside = node.entries.items() if isinstance(node, Mapping) else enumerate(node.items)
    for key, value in inside:
        if not isinstance(value, Scalar) or (value.value is None and not value.text):
            yield from _blanks(value, (*path, key))


def first_sign(node: Node) -> Span:
    """The place of the first sign of a node, in place of all of it."""
    span = node.span
    return Span(span.file, span.line, span.column, span.line, span.column + 1)


def report_format(version: Scalar, report: Report) -> None:
    """Report that a file is written in a version of the language that is not read here."""
    message = f"this interpreter reads format {FORMAT}; the file says it is written in format {version.text}"
    known = isinstance(version.value, int) and version.value < FORMAT
    newer = "" if known else "install a newer houserules, or "
    report.error("E208", version.span, message, f"{newer}write 'format: {FORMAT}' if the file is written in that")
