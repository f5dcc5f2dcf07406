"""The text of a YAML file becomes a tree of mappings, listings and scalars, each with its place in the file.

YAML is read as the 1.2 core schema, less its octal and hexadecimal numbers, infinities, tags, merge keys and
block styles other than `|`. We build the nodes ourselves from the parser's events: that is where size and depth
can be counted before anything is built, where duplicate keys are still visible, and where positions are exact.
The event parser does not recurse, and we stop it at the first node that is too deep, so nested brackets cost
nothing; asked for all events of 200,000 of them, libyaml would need minutes.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.base.diagnostics import MAX_FINDINGS, Report
from interpreter.language.source.building import MAX_DIGITS, MAX_NODES, Builder, Stop
from interpreter.language.source.nodes import Listing, Mapping, Node, Scalar, to_plain
from interpreter.language.source.reading import MAX_BYTES, clean_text, read_file
from interpreter.language.source.troubles import MAX_DEPTH, MAX_KEY, MAX_NAME

__all__ = [
    "CODES",
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_DIGITS",
    "MAX_FINDINGS",
    "MAX_KEY",
    "MAX_NAME",
    "MAX_NODES",
    "Listing",
    "Mapping",
    "Node",
    "Scalar",
    "parse_documents",
    "parse_head",
    "parse_text",
    "read_file",
    "to_plain",
]

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


def parse_text(text: str | bytes, file: str, report: Report) -> Node | None:
    """Return the one document of a file, or None if anything is wrong with it."""
    nodes = _parse(text, file, report, single=True)
    return nodes[0] if nodes else None


def parse_documents(text: str | bytes, file: str, report: Report) -> list[Node]:
    """Return the documents of a file, at least one, or an empty list if anything is wrong with it."""
    return _parse(text, file, report, single=False)


def parse_head(text: str, file: str) -> Iterator[tuple[str, Node]]:
    """Yield keys and values of the mapping that a file is, as far as it can be read.

    Each is read when it is asked for: whoever has what they want stops, and the rest of a long file costs nothing. So
    this says nothing of whether the file is right, nor of a key that stands twice.
    """
    found = Report()
    clean = clean_text(text, file, found)
    if clean is not None:
        try:
            yield from ((key.text, value) for key, value in Builder(clean, file, found).head())
        except Stop:
            pass


def _parse(text: str | bytes, file: str, report: Report, *, single: bool) -> list[Node]:
    found = Report()
    nodes: list[Node] = []
    clean = clean_text(text, file, found)
    if clean is not None:
        builder = Builder(clean, file, found)
        try:
            nodes.extend(builder.documents(single))
        except Stop:
            pass
    report.extend(found.diagnostics)
    return [] if found.failed else nodes
