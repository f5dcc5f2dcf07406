"""What overlays set, and what two of them both set."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Map
from itertools import islice, pairwise, product

from interpreter.base.diagnostics import MAX_FINDINGS, Report, Span
from interpreter.language.overlay.below import goes_on, is_language
from interpreter.language.overlay.parts import (
    RULESET,
    KeyPath,
    Part,
    depends,
    expand,
    inner_part,
    is_marker,
    is_null,
    is_table_by,
    name_in,
    replaces,
    said,
    same,
    texts_of,
)
from interpreter.language.overlay.places import SIDES
from interpreter.language.source import Listing, Mapping, Node, Scalar

Settings = Map[KeyPath, tuple[Span, Node]]
"""What a mapping sets, down to what is replaced whole: path -> place, value."""
# These say which file it is, not what the game is; two overlays may well differ in them.
_HEAD = frozenset("format id name about family credits notes extends needs conflicts".split())


def removals(over: Mapping) -> dict[KeyPath, Span]:
    """What an overlay or patch takes out by name: the path of each (`flow, passing`), and where it says so."""
    return {path: at for path, (at, node) in _settings(over, RULESET, ()).items() if is_null(node)}


def _settings(node: Mapping, part: Part, path: KeyPath) -> dict[KeyPath, tuple[Span, Node]]:
    """Everything a mapping sets, down to what is replaced whole: path, place, value."""
    found: dict[KeyPath, tuple[Span, Node]] = {}
    for key, value in node.entries.items():
        if key == "doc" or is_marker(key, value) or (not path and key in _HEAD):
            continue
        place = (*path, name_in(part, key))
        inner = inner_part(part, key, value)
        at = node.keys[key]
        expanded = value if is_null(value) else expand(value, inner)
        if inner.adds and isinstance(expanded, Mapping) and (words := texts_of(expanded, "add")):
            found.update({(*place, word.text): (word.span, word) for word in words})
            continue
        if (isinstance(expanded, Mapping) and replaces(expanded)) or (part.placed and _is_whole_row(expanded, inner)):
            found[place] = (at, value)
        if isinstance(expanded, Mapping) and not inner.whole and not depends(expanded, inner):
            below = _settings(expanded, inner, place)
            found.update(below if expanded is value else {p: (at, v) for p, (_, v) in below.items()})
        else:
            found[place] = (at, value)
    return found


def _is_whole_row(row: Node, part: Part) -> bool:
    """Whether a row is all there, and not a change of one that is below."""
    return not isinstance(row, Mapping) or any(key in row.entries for key in part.needs)


def warn_both(earlier: Mapping, later: Mapping, report: Report) -> None:
    """Warn of what two overlays both set: the one that is laid on later wins. Of very much, the first is told."""
    for thing, at, other_at, cure in islice(_both(earlier, later), MAX_FINDINGS):
        message = f"{thing} is set here and at {other_at}; this overlay is laid on later, so it wins"
        report.warning("W302", at, message, cure)


_ANY_CURE = "leave one of them out, or change the order of the overlays"
_CURE_OF_TEXTS = "leave one of them out, or say 'base' here for what the other says"


def _both(earlier: Mapping, later: Mapping) -> Iterator[tuple[str, Span, Span, str]]:
    """What two overlays both set, where the later one does, and where the earlier one, and what can be done."""
    below, above = _settings(earlier, RULESET, ()), _settings(later, RULESET, ())
    inside: dict[KeyPath, list[KeyPath]] = {}  # what is set in each place
    for other in below:
        for length in range(1, len(other) + 1):
            inside.setdefault(other[:length], []).append(other)
    told: set[KeyPath] = set()
    for path, (at, node) in above.items():
        set_below = _set_below(path, node, below, inside)
        if set_below is None or goes_on(path, node):
            continue
        if not any(path[:length] in told for length in range(len(path))):
            told.add(path)
            yield " of ".join([path[-1], *said(path[:-1])]), at, below[set_below][0], _cure(path, node, set_below)
    for (at, names), (side_at, stage, anchor, side) in product(_lists(above), _places(below)):
        if anchor in names and _parts(names, stage, anchor, side):
            yield f"where '{stage}' stands", at, side_at, _ANY_CURE
    for (at, names), (side_at, stage, anchor, side) in product(_lists(below), _places(above)):
        if anchor in names and stage in names and _parts(names, stage, anchor, side):
            yield f"where '{stage}' stands", side_at, at, _ANY_CURE


def _cure(path: KeyPath, node: Node, other: KeyPath) -> str:
    """What lets two overlays go together that both set the same."""
    if _holds_rows(path[:-1]) and len(other) == len(path):
        return "give one of the two rows another name, and both count"
    if _holds_rows(path) and len(other) > len(path):
        return f"the row '{other[-1]}' is lost: give the rows here names too, and only those that are new or changed"
    if path[-1] in ("choices", "choice") and len(other) > len(path):
        return f"'{other[-1]}' is lost: say only what is new, '{path[-1]}: {{add: [...]}}'"
    return _CURE_OF_TEXTS if other == path and isinstance(node, Scalar) and is_language(path) else _ANY_CURE


def _holds_rows(path: KeyPath) -> bool:
    return (path[:1] == ("flow",) and path[2:] == ("score",)) or (path[:1] == ("define",) and path[2:] == ("value",))


def _set_below(path: KeyPath, node: Node, below: Settings, inside: Map[KeyPath, list[KeyPath]]) -> KeyPath | None:
    """The path at which an earlier overlay sets the same, or something inside it that this takes away."""
    if is_table_by(path) and path not in below:  # the rows of an earlier overlay ask for something else
        return next((other for other in inside.get(path[:-1], ()) if len(other) == len(path)), None)
    for other in inside.get(path, ()):
        if not (other == path and same(node, below[other][1])):
            return other
    if path[0] == "flow" and path[-1] in SIDES:
        other = (*path[:-1], SIDES[path[-1] == SIDES[0]])
        return other if other in below else None
    return None


def _lists(settings: Settings) -> list[tuple[Span, list[str]]]:
    """The lists of stages that are given whole: place, names."""
    return [
        (at, [item.text for item in node.items if isinstance(item, Scalar)])
        for path, (at, node) in settings.items()
        if path[0] == "flow" and path[-1] in ("do", "repeat") and isinstance(node, Listing)
    ]


def _places(settings: Settings) -> list[tuple[Span, str, str, str]]:
    """Where stages are put by `before` and `after`: place, stage, its anchor, the side."""
    return [
        (at, path[1], node.text, path[-1])
        for path, (at, node) in settings.items()
        if path[0] == "flow" and len(path) == 3 and path[-1] in SIDES and isinstance(node, Scalar)
    ]


def _parts(names: list[str], stage: str, anchor: str, side: str) -> bool:
    """Whether a list does not have a stage on that side of its anchor."""
    return ((stage, anchor) if side == "before" else (anchor, stage)) not in pairwise(names)
