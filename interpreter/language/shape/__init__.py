"""The tree of a file is checked against schema/*.schema.json; what comes out is what is wrong with its shape.

jsonschema finds what is wrong; this module says it in the author's words, at the place where it stands. The schemas
are written so that a fault has one reading: a value that may be a text or a mapping has one schema with the keywords
of both (they apply only to their own type), not a choice of schemas. `title` holds the words for what a schema wants,
`description` what a key is for; both reach authors, in editors and here.
"""

from __future__ import annotations

from difflib import get_close_matches

from interpreter.base.diagnostics import Report, suggest
from interpreter.language.shape.phrases import as_found, short
from interpreter.language.shape.schemas import Kind, keys_of
from interpreter.language.shape.violations import FORMAT, Findings, first_sign, report_format
from interpreter.language.source import Listing, Mapping, Node, Scalar

__all__ = ["CODES", "FORMAT", "check_shape", "keys_of"]

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

_TOP = {
    "ruleset": "a ruleset is a mapping of keys such as format, id, name",
    "scenario": "a scenario is a mapping of keys such as game, name, steps, or a list of such mappings",
}


def check_shape(node: Node, report: Report, kind: Kind = "ruleset") -> None:
    """Report everything in a file that has the wrong shape: keys, types, words, names and sizes.

    node: the whole file. kind "ruleset" also reads overlays, which have `extends`; there every key but `format`, `id`
    and `extends` may be null, which removes what it names.
    """
    if _is_other_kind(node, kind, report):
        return
    if _wrong_top(node, kind):
        report.error("E207", node.span, f"{_TOP[kind]}, and this is {as_found(node)}")
        return
    version = node.get("format") if kind == "ruleset" and isinstance(node, Mapping) else None
    if isinstance(version, Scalar) and type(version.value) is int and version.value != FORMAT:
        report_format(version, report)  # alone: what else the other version allows is unknown
        return
    Findings(_with_extends(node, report) if kind == "ruleset" else node, report, kind).report_all()


def _is_other_kind(node: Node, kind: Kind, report: Report) -> bool:
    """Report a file of scenarios where a ruleset is wanted, or the other way round."""
    file = node.span.file
    first = next(iter(node.items), node) if isinstance(node, Listing) else node
    if kind == "ruleset" and isinstance(first, Mapping) and "format" not in first.entries:
        if "scenarios" in first.entries or {"game", "name"} <= first.entries.keys():
            report.error(
                "E207", first_sign(node), "this is a scenario, not a ruleset", f"run it: houserules test {file}"
            )
            return True
    if kind == "scenario" and isinstance(node, Mapping) and "format" in node.entries and "game" not in node.entries:
        hint = f"check it: houserules validate {file}"
        report.error("E207", first_sign(node), "this is a ruleset, not a scenario", hint)
        return True
    return False


def _with_extends(node: Node, report: Report) -> Node:
    """The file as the overlay it is meant to be, where `extends` is misspelt: else all that it lacks would be told."""
    if not isinstance(node, Mapping) or "extends" in node.entries:
        return node
    known = keys_of("file")
    for key in get_close_matches("extends", [key for key in node.entries if key not in known], n=1, cutoff=0.75):
        report.error("E201", node.keys[key], f"a ruleset has no key '{short(key)}'", suggest(key, known))
        names = {name: "extends" if name == key else name for name in node.entries}
        entries = {names[name]: value for name, value in node.entries.items()}
        return Mapping(entries, {names[name]: span for name, span in node.keys.items()}, node.span)
    return node


def _wrong_top(node: Node, kind: Kind) -> bool:
    return isinstance(node, Scalar) or (kind == "ruleset" and isinstance(node, Listing))
