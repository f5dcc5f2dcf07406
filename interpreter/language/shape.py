"""Stage 2: the shape of a file, checked against schema/*.schema.json.

jsonschema finds what is wrong; this module says it in the author's words, at the place where it stands. The schemas
are written so that a fault has one reading: a value that may be a text or a mapping has one schema with the keywords
of both (they apply only to their own type), not a choice of schemas. `title` holds the words for what a schema wants,
`description` what a key is for; both reach authors, in editors and here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from itertools import islice
from typing import Any, Literal

from interpreter.base.diagnostics import MAX_FINDINGS, Report, Span, suggest
from interpreter.base.resources import find
from interpreter.language.source import Listing, Mapping, Node, Scalar, to_plain

Kind = Literal["ruleset", "scenario"]
Path = tuple[str | int, ...]
Schema = dict[str, Any]

CODES: dict[str, str] = {
    "E201": "a key that is not known here",
    "E202": "a key is missing",
    "E203": "a value of the wrong type, or no value",
    "E204": "a word that is not among those allowed",
    "E205": "a name, an id or a move that is not written as one",
    "E206": "a number out of range, or a text or list that is too short or too long",
    "E207": "the file is not a mapping of keys",
    "E208": "a version of the language that this interpreter does not read",
}

FORMAT = 1
MAX_ERRORS = 10_000  # of jsonschema, which has several for some mistakes
SHOWN = 40  # letters of a text that a message quotes

_TOP = {
    "ruleset": "a ruleset is a mapping of keys such as format, id, name",
    "scenario": "a scenario is a mapping of keys such as game, name, steps, or a list of such mappings",
}
_BODY = ("players", "pack", "zones", "flow")
_OVERLAY_HINT = (
    "to change a game write 'extends: GAME'; a file that is laid on is checked with it: "
    "houserules validate GAME --with FILE"
)
_NO_BASE = "and this file has no 'extends'"
_REMOVAL_HINT = "delete it, or name the ruleset to change with 'extends'"


def check_shape(node: Node, report: Report, kind: Kind = "ruleset") -> None:
    """Report everything in a file that has the wrong shape: keys, types, words, names and sizes.

    node: the whole file. kind "ruleset" also reads overlays, which have `extends`; there every key but `format`, `id`
    and `extends` may be null, which removes what it names.
    """
    if _is_other_kind(node, kind, report):
        return
    if _wrong_top(node, kind):
        report.error("E207", node.span, f"{_TOP[kind]}, and this is {_found(node)}")
        return
    version = node.get("format") if kind == "ruleset" and isinstance(node, Mapping) else None
    if isinstance(version, Scalar) and type(version.value) is int and version.value != FORMAT:
        _report_format(version, report)  # alone: what else the other version allows is unknown
        return
    _Findings(_with_extends(node, report) if kind == "ruleset" else node, report, kind).report_all()


def _is_other_kind(node: Node, kind: Kind, report: Report) -> bool:
    """Report a file of scenarios where a ruleset is wanted, or the other way round."""
    file = node.span.file
    first = next(iter(node.items), node) if isinstance(node, Listing) else node
    if kind == "ruleset" and isinstance(first, Mapping) and "format" not in first.entries:
        if "scenarios" in first.entries or {"game", "name"} <= first.entries.keys():
            report.error("E207", _start(node), "this is a scenario, not a ruleset", f"run it: houserules test {file}")
            return True
    if kind == "scenario" and isinstance(node, Mapping) and "format" in node.entries and "game" not in node.entries:
        hint = f"check it: houserules validate {file}"
        report.error("E207", _start(node), "this is a ruleset, not a scenario", hint)
        return True
    return False


def _start(node: Node) -> Span:
    span = node.span
    return Span(span.file, span.line, span.column, span.line, span.column + 1)


def _with_extends(node: Node, report: Report) -> Node:
    """The file as the overlay it is meant to be, where `extends` is misspelt: else all that it lacks would be told."""
    if not isinstance(node, Mapping) or "extends" in node.entries:
        return node
    known = _validator("ruleset").schema["properties"]
    for key in get_close_matches("extends", [key for key in node.entries if key not in known], n=1, cutoff=0.75):
        report.error("E201", node.keys[key], f"a ruleset has no key '{_short(key)}'", suggest(key, known))
        names = {name: "extends" if name == key else name for name in node.entries}
        entries = {names[name]: value for name, value in node.entries.items()}
        return Mapping(entries, {names[name]: span for name, span in node.keys.items()}, node.span)
    return node


def _wrong_top(node: Node, kind: Kind) -> bool:
    return isinstance(node, Scalar) or (kind == "ruleset" and isinstance(node, Listing))


def _meant(key: str, known: Container[str]) -> str:
    """A hint at the key that is meant by a plain word."""
    meant = _MEANT.get(key.lower())
    if key == "play" and "lead" in known:
        return "what holds for playing a card stands under 'lead' or 'follow', or for both under 'actions: {play: ...}'"
    return f"the key for that is '{meant}'" if meant in known else ""


def _report_format(version: Scalar, report: Report) -> None:
    message = f"this interpreter reads format {FORMAT}; the file says it is written in format {version.text}"
    known = isinstance(version.value, int) and version.value < FORMAT
    newer = "" if known else "install a newer houserules, or "
    report.error("E208", version.span, message, f"{newer}write 'format: {FORMAT}' if the file is written in that")


_MEANT = {
    "then": "effect", "does": "effect", "only if": "when", "if": "when", "law": "must", "laws": "must",
    "leading": "lead", "following": "follow", "at the beginning": "setup", "at the end": "cleanup",
    "after each card": "on card", "after each trick": "on trick", "at any time": "anytime", "it ends": "until",
    "when all have chosen": "resolve", "points": "values", "tables": "values", "what words mean": "define",
    "definitions": "define", "variables": "state", "pieces": "tokens", "stages": "flow",
}  # fmt: skip
"""Keys as people write them who know the rulebook of a game and not the language, and those that are meant."""


# ---------------------------------------------------------------------------------------------- the validators


@cache
def _validator(kind: Kind) -> Any:
    """The compiled validator. jsonschema is imported here: it takes longer than most commands that need no file."""
    from jsonschema import Draft202012Validator, validators

    def is_integer(_checker: object, value: object) -> bool:
        return type(value) is int  # 3.0 is no number of players

    checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", is_integer)
    extend: Any = validators.extend  # it has no types
    return extend(Draft202012Validator, type_checker=checker)(_inlined(f"{kind}.schema.json"))


@cache
def _file(name: str) -> Schema:
    schema: Schema = json.loads(find(f"schema/{name}").read_text(encoding="utf-8"))
    return schema


@cache
def _inlined(reference: str) -> Schema:
    """The schema at "FILE#/POINTER" with every reference in it replaced by what it means.

    Resolving references while validating costs more than the validation. Nothing in our schemas refers to itself.
    """
    name, _, pointer = reference.partition("#")
    schema: Any = _file(name)
    for step in pointer.split("/")[1:]:
        schema = schema[step]
    result: Schema = _inline(schema, name)
    return result


def _inline(schema: Any, file: str) -> Any:
    if isinstance(schema, list):
        return [_inline(item, file) for item in schema]
    if not isinstance(schema, dict):
        return schema
    rest = {
        _whole(key) if key.startswith("^") else key: _whole(value) if key == "pattern" else _inline(value, file)
        for key, value in schema.items()
        if key not in ("$ref", "$defs")
    }
    reference = schema.get("$ref")
    if not isinstance(reference, str):  # a property may be called $ref
        return rest
    target = _inlined(file + reference if reference.startswith("#") else reference)
    clash = [key for key in rest if key in target and key not in ("title", "description", "$comment")]
    if clash:
        raise ValueError(f"{file}: {reference} and what stands beside it both have {clash}")
    return {**target, **rest}


def _whole(pattern: Any) -> Any:
    """A pattern that ends with the text: Python's `$` would let a line break follow."""
    return pattern[:-1] + r"\Z" if isinstance(pattern, str) and pattern.endswith("$") else pattern


def _inner(schema: Any, step: str | int) -> Iterator[Schema]:
    """The schemas for an entry or item of what `schema` describes, the most telling first."""
    if not isinstance(schema, dict):
        return
    if isinstance(step, int):
        found = schema.get("items")
    else:
        found = schema.get("properties", {}).get(step)
        if found is None and isinstance(schema.get("additionalProperties"), dict):
            found = schema["additionalProperties"]
    if isinstance(found, dict):
        yield found
    for branch in ("then", "else"):
        yield from _inner(schema.get(branch), step)


# ------------------------------------------------------------------------------------------------ the findings


@dataclass(frozen=True, slots=True)
class _Fault:
    """One error of jsonschema. path: of the value. schema: the one that holds the keyword."""

    keyword: str
    wanted: Any
    value: Any
    schema: Schema
    path: Path
    is_key: bool


class _Findings:
    """Turns the errors of jsonschema into diagnostics, one for each thing that is wrong."""

    def __init__(self, root: Node, report: Report, kind: Kind) -> None:
        self.root = root
        self.report = report
        self.kind: Kind = kind
        self.done: set[Path] = set()
        """Paths that are blamed: what is wrong at or inside of them is not worth another word."""

    def report_all(self) -> None:
        errors = islice(_validator(self.kind).iter_errors(to_plain(self.root)), MAX_ERRORS)
        for fault in sorted(map(_fault, errors), key=_urgency):
            if not self._full() and not self._blamed(fault.path):
                _HANDLERS[fault.keyword](self, fault)
        for path in _blanks(self.root, ()):
            if not self._full() and not self._blamed(path):
                self._blank(path)

    def _full(self) -> bool:
        return len(self.done) >= MAX_FINDINGS

    def _blamed(self, path: Path) -> bool:
        return any(path[:length] in self.done for length in range(len(path) + 1))

    # -- one method for each kind of fault

    def unknown_key(self, fault: _Fault) -> None:
        known = fault.schema.get("properties", {})
        patterns = fault.schema.get("patternProperties", {})
        thing = _thing(fault.schema)
        for key in fault.value:
            if key in known or any(re.search(pattern, key) for pattern in patterns) or self._full():
                continue
            hint = _meant(key, known) or suggest(key, known, f"the keys of {thing}")
            if "pattern" in fault.schema and re.match(r"P[0-9]+ ", key):
                hint = "a move that holds a ': ' needs quotes around all of it"
            self._error("E201", (*fault.path, key), f"{thing} has no key '{_short(key)}'", hint, at_key=True)

    def forbidden_key(self, fault: _Fault) -> None:
        key = fault.path[-1]
        message = f"'{key}' changes what a ruleset below says, {_NO_BASE}"
        self._error("E201", fault.path, message, _REMOVAL_HINT, at_key=True)

    def missing_key(self, fault: _Fault) -> None:
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
                    message = f"{_thing(fault.schema)} needs the key '{key}'"
                    self.report.error("E202", self._span(fault.path, at_key=True), message, self._purpose(path))

    def wrong_type(self, fault: _Fault) -> None:
        node = self._node(fault.path)
        if fault.value is None:
            self._no_value(fault.path, node)
            return
        message = f"{self._called(fault.path)} should be {_expected(fault.schema)}, not {_found(node)}"
        hint = _type_hint(fault.schema, node) or self._default_hint(fault, node) or self._purpose(fault.path)
        self._error("E203", fault.path, message, hint)

    def _default_hint(self, fault: _Fault, node: Node) -> str:
        """What is meant by `options: {target: 75}`."""
        if fault.path[:-1] != ("options",) or not isinstance(node, Scalar):
            return ""
        return f"to change its default, write '{fault.path[-1]}: {{default: {_text(node)}}}'"

    def wrong_word(self, fault: _Fault) -> None:
        if fault.keyword == "const":
            node = self._node(fault.path)
            if isinstance(node, Scalar):
                _report_format(node, self.report)
            return
        allowed = [word for word in fault.wanted if word is not None]
        if allowed == [True]:
            key = fault.path[-1]
            self._error("E204", fault.path, f"'{key}' can only be true", f"leave '{key}' out where it is not meant")
            return
        message = f"'{_text(self._node(fault.path))}' is not a value of '{fault.path[-1]}'"
        self._error("E204", fault.path, message, suggest(str(fault.value), allowed, "allowed"))

    def bad_name(self, fault: _Fault) -> None:
        title = fault.schema.get("title", "a name")
        if fault.is_key:
            key = fault.value
            message = f"'{_short(key)}' is not {title}"
            self._error("E205", (*fault.path, key), message, _name_hint(title, key), at_key=True)
        else:
            shown = _text(self._node(fault.path))
            self._error("E205", fault.path, f"'{shown}' is not {title}", _name_hint(title, shown))

    def bad_number(self, fault: _Fault) -> None:
        what = "smallest" if fault.keyword == "minimum" else "largest"
        message = f"{self._called(fault.path)} is {fault.value}, and the {what} value is {fault.wanted}"
        self._error("E206", fault.path, message, self._purpose(fault.path))

    def bad_length(self, fault: _Fault) -> None:
        count, called = len(fault.value), self._called(fault.path)
        if isinstance(fault.value, dict) and count:
            message = f"a step is one move or one check, and this has {count} keys"
            self._error("E206", fault.path, message, "begin every check with '- '")
        elif isinstance(fault.value, list) and fault.schema.get("minItems") == fault.schema.get("maxItems"):
            message = f"{fault.schema['title']} holds two texts, and this holds {count}"
            self._error("E206", fault.path, message, "inside [ ] a text with a comma needs quotes")
        elif not count:
            self._error("E206", fault.path, f"{called} is empty", self._purpose(fault.path))
        else:
            unit = "letters" if isinstance(fault.value, str) else "items"
            message = f"{called} has {count:,} {unit}, and the most is {fault.wanted:,}"
            self._error("E206", fault.path, message, self._purpose(fault.path))

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
        types = _types(wanted)
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
            return f"'{_short(path[-1])}'"
        key = next((step for step in reversed(path) if isinstance(step, str)), None)
        return f"an item of '{key}'" if key else "an item of the list"

    def _purpose(self, path: Path) -> str:
        """What the key is for, out of the schema; empty for the names an author gives."""
        about = self._schema(path).get("description", "")
        return f"{path[-1]}: {about[:1].lower()}{about[1:]}".rstrip(".") if about and path else ""

    def _schema(self, path: Path) -> Schema:
        """The schema of a path's last step, without the second one for rulesets that extend nothing."""
        root = _validator(self.kind).schema
        if self.kind == "ruleset":
            root = {key: value for key, value in root.items() if key != "else"}
        found: list[Schema] = [root]
        for step in path:
            found = [inner for schema in found for inner in _inner(schema, step)]
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
            return _start(self.root)
        parent = self._node(path[:-1])
        if isinstance(parent, Mapping) and isinstance(path[-1], str):
            node = parent.entries[path[-1]]
            if at_key or not isinstance(node, Scalar) or (node.value is None and not node.text):
                return parent.keys[path[-1]]
        return self._node(path).span


_HANDLERS: dict[str, Callable[[_Findings, _Fault], None]] = {
    "additionalProperties": _Findings.unknown_key,
    "required": _Findings.missing_key,
    "type": _Findings.wrong_type,
    "enum": _Findings.wrong_word,
    "const": _Findings.wrong_word,
    "pattern": _Findings.bad_name,
    "minimum": _Findings.bad_number,
    "maximum": _Findings.bad_number,
    "minLength": _Findings.bad_length,
    "maxLength": _Findings.bad_length,
    "minItems": _Findings.bad_length,
    "maxItems": _Findings.bad_length,
    "minProperties": _Findings.bad_length,
    "maxProperties": _Findings.bad_length,
    "not": _Findings.forbidden_key,
}

_BY_URGENCY = ("additionalProperties", "pattern", "not", "type", "required")


def _fault(error: Any) -> _Fault:
    """jsonschema's error, for a wrong key with the key as its value."""
    is_key = len(error.schema_path) > 1 and list(error.absolute_schema_path)[-2] == "propertyNames"
    path = tuple(error.absolute_path)
    return _Fault(error.validator, error.validator_value, error.instance, error.schema, path, is_key)


def _urgency(fault: _Fault) -> int:
    """Wrong keys first: what is wrong behind them follows from them. Types before what only one type can have."""
    return _BY_URGENCY.index(fault.keyword) if fault.keyword in _BY_URGENCY else len(_BY_URGENCY)


def _blanks(node: Node, path: Path) -> Iterator[Path]:
    """The places where a value should stand and nothing does."""
    if isinstance(node, Mapping):
        for key, value in node.entries.items():
            yield from _blanks(value, (*path, key))
    elif isinstance(node, Listing):
        for number, item in enumerate(node.items):
            yield from _blanks(item, (*path, number))
    elif node.value is None and not node.text:
        yield path


# ---------------------------------------------------------------------------------------------------- in words


def _types(schema: Schema) -> list[str]:
    """The types a schema allows, without null, which only removes."""
    types = schema.get("type", [])
    return [name for name in ([types] if isinstance(types, str) else types) if name != "null"]


def _thing(schema: Schema) -> str:
    """What a mapping is called in a sentence."""
    types = _types(schema)
    title = str(schema.get("title", "this mapping"))
    if types and types != ["object"]:  # of several forms, the mapping has a name of its own
        return str(schema.get("x-mapping", "this mapping"))
    return title


def _expected(schema: Schema) -> str:
    words = str(schema.get("title", "something else"))
    if _types(schema) != ["object"] or words.startswith("a mapping"):
        return words
    keys = list(schema.get("properties", {}))
    return f"{words}: a mapping with keys such as {', '.join(keys[:4])}" if keys else f"{words}: a mapping"


def _text(node: Node) -> str:
    return _short(node.text) if isinstance(node, Scalar) else ""


def _short(text: str) -> str:
    """A text as it is quoted in a message: one line, not too long."""
    line, _, more = text.strip().partition("\n")
    return line[:SHOWN] + "..." if more or len(line) > SHOWN else line


def _found(node: Node) -> str:
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Listing):
        return "a list"
    if node.value is None:
        return "null" if node.text else "nothing"
    if isinstance(node.value, bool):
        return "true" if node.value else "false"
    if isinstance(node.value, str):
        return f"the text '{_text(node)}'" if node.text else "an empty text"
    return f"the number {node.text}"


def _type_hint(schema: Schema, node: Node) -> str:
    """How the value is written as the type that is wanted, where it only looks like another."""
    types = _types(schema)
    if not isinstance(node, Scalar):
        return ""
    if "string" in types and not isinstance(node.value, str):
        return f'write it in quotes: "{node.text}"'
    if "boolean" in types and str(node.value).lower() in ("yes", "no", "on", "off"):
        return f"write {'true' if str(node.value).lower() in ('yes', 'on') else 'false'}"
    if types in (["integer"], ["boolean"]) and node.style == "quoted":
        return "write it without quotes"
    if types == ["array"]:
        return f"write it as a list: [{_text(node)}]"
    return ""


def _name_hint(title: str, text: str) -> str:
    if not title.startswith("a name"):
        return "an id has letters, digits, - and _, and begins with a letter or digit" if "short name" in title else ""
    better = "".join(sign if sign.isascii() and sign.isalnum() else "_" for sign in text.strip()).strip("_")
    rule = "a name has letters, digits and _, and does not begin with a digit"
    return f"{rule}; perhaps '{better}'" if better.isidentifier() and "(" not in text else rule
