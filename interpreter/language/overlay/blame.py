"""Errors in a file that is right alone: what an overlay has changed is to blame, and is named with its place.

A name that an overlay takes out, changes or brings anew is found in the text that is wrong now. All that goes wrong by
one cause is one finding, at the overlay's line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.base.diagnostics import Diagnostic, Span
from interpreter.language.source import Listing, Node, Scalar
from interpreter.language.source import Mapping as Keys

NAMED = ("options", "zones", "tokens", "state", "values", "define", "flow")
"""Collections whose names expressions use."""
CARDS = ("ranks", "suits", "orders", "pack", "teams")
"""Parts of a ruleset besides the named collections on which what files below say may hang."""
Way = tuple[str, ...]


@dataclass(slots=True)
class _Cause:
    """What an overlay has done: "takes out", "changes" or "brings" something."""

    path: Way
    span: Span
    verb: str
    suffers: list[tuple[Diagnostic, Way]] = field(default_factory=list)


def blame(
    found: Sequence[Diagnostic], root: Keys, files: Sequence[str], removed: Mapping[Way, Span]
) -> list[Diagnostic]:
    """The findings, with those in files below that an overlay has caused told at the overlay's line.

    root: the resolved ruleset. files: the base and what is laid on it. removed: what overlays took out, by path.
    """
    order = {file: at for at, file in enumerate(files)}
    kept: list[Diagnostic] = []
    causes: dict[Way, _Cause] = {}
    way: Way = ()
    for diagnostic in found:
        below = order.get(diagnostic.file)
        cause = None
        if diagnostic.severity == "error" and below is not None and below < len(files) - 1:
            above = frozenset(file for file, at in order.items() if at > below)
            way = _way_to(root, diagnostic)
            cause = _cause(diagnostic, way, root, above, removed)
        if cause is None:
            kept.append(diagnostic)
        else:
            causes.setdefault(cause.path, cause).suffers.append((diagnostic, way))
    return [*kept, *map(_told, causes.values())]


def changed_in(root: Keys, ways: Sequence[Way], files: Sequence[str]) -> Span | None:
    """Where the latest of some overlays has written in one of some places; None if only the base has.

    root: the resolved ruleset. files: the base and what is laid on it.
    """
    for file in reversed(files[1:]):
        for way in ways:
            cause = _changed(root, way, frozenset({file}))
            if cause is not None:
                return cause.span
    return None


def _told(cause: _Cause) -> Diagnostic:
    first = cause.suffers[0][0]
    name = cause.path[-1].split("(")[0]
    lines = sorted({d.line for d, _ in cause.suffers if d.line is not None})
    where = f"{Path(first.file).name}, line{'s' * (len(lines) > 1)} {_listed(lines)}"
    go = "does" if len(lines) == 1 else "do"
    ways = dict.fromkeys(_short(w) for _, w in cause.suffers)
    cures = _listed([f"'{_written(w)}'" for w in ways][:3])
    if cause.verb == "takes out":
        message, hint = (
            f"'{name}' is taken out here, but used in {where}",
            f"keep it, or change what uses it, too: {cures}",
        )
    elif cause.verb == "brings":
        message, hint = f"'{name}' already has a meaning in {where}", "choose another name"
    else:
        message = f"'{name}' is changed here, and {where} {go} not go with that: {first.message}"
        hint = f"change that, too: {cures}"
    length = cause.span.end_column - cause.span.column if cause.span.line == cause.span.end_line else 1
    return Diagnostic(
        "error", first.code, message, cause.span.file, cause.span.line, cause.span.column, hint, max(1, length)
    )


def _cause(
    found: Diagnostic, way: Way, root: Keys, above: frozenset[str], removed: Mapping[Way, Span]
) -> _Cause | None:
    """What a file above has done to something that the wrong text is about; None if nothing is found."""
    if way[-1:] == ("players",) and found.code == "E520":
        return _changed(root, ("players",), above)
    for name in dict.fromkeys(names_in(found)):
        for path, span in removed.items():
            if len(path) == 2 and path[0] in NAMED and _bare(path[1]) == name and span.file in above:
                return _Cause(path, span, "takes out")
        for collection in NAMED:
            group = root.get(collection)
            for key in group.keys if isinstance(group, Keys) else ():
                if _bare(key) == name and (collection, key) != way[:2]:
                    cause = _changed(root, (collection, key), above)
                    if cause is not None:
                        return cause
    if len(way) > 1 and (cause := _changed(root, way[:2], above)) is not None:  # it is itself what was changed
        return cause
    if found.code in ("E501", "E508", "E515", "E520"):
        return next((c for key in CARDS if (c := _changed(root, (key,), above)) is not None), None)
    return None


def _changed(root: Keys, path: Way, above: frozenset[str]) -> _Cause | None:
    """What files above have written in a part of the ruleset: all of it, or the first of what they say there."""
    parent: Node | None = root
    for key in path[:-1]:
        parent = parent.get(key) if isinstance(parent, Keys) else None
    node = parent.get(path[-1]) if isinstance(parent, Keys) else None
    if node is None or not isinstance(parent, Keys):
        return None
    places = [span for span in _places(node) if span.file in above]
    if not places:
        return None
    at = parent.keys[path[-1]]
    whole = all(span.file in above for span in _places(node))
    if whole and len(path) > 1:
        return _Cause(path, at if at.file in above else places[0], "brings")
    return _Cause(path, places[0], "changes")


def _places(node: Node) -> Iterator[Span]:
    """Where the values inside a node stand; that of a list and of plain values is their own."""
    if isinstance(node, Keys):
        for key, inner in node.entries.items():
            if isinstance(inner, Keys):
                yield from _places(inner)
            else:
                yield (
                    node.keys[key]
                    if isinstance(inner, Scalar) and node.keys[key].file == inner.span.file
                    else inner.span
                )
    else:
        yield node.span


def _way_to(node: Node, found: Diagnostic, way: Way = ()) -> Way:
    """The keys that lead to the place of a finding."""
    inside: list[tuple[str, Node, Span | None]] = []
    if isinstance(node, Keys):
        inside = [(key, value, node.keys[key]) for key, value in node.entries.items()]
    elif isinstance(node, Listing):
        inside = [("", value, None) for value in node.items]
    for key, value, at in inside:
        further = (*way, key) if key else way
        if at is not None and (at.file, at.line, at.column) == (found.file, found.line, found.column):
            return further
        if value.span.file == found.file and _holds(value.span, found):
            return _way_to(value, found, further)
        if isinstance(value, Keys | Listing):  # several files have written what is in it
            deeper = _way_to(value, found, further)
            if deeper != further:
                return deeper
    return way


def _holds(span: Span, found: Diagnostic) -> bool:
    place = (found.line or 0, found.column or 0)
    return (span.line, span.column) <= place <= (span.end_line, span.end_column)


def names_in(found: Diagnostic) -> Iterator[str]:
    """The names in the text that is wrong, as far as it stands on one line, then those in the message."""
    try:
        line = Path(found.file).read_text(encoding="utf-8-sig").splitlines()[(found.line or 1) - 1]
    except (OSError, ValueError, IndexError):
        line = ""
    column = (found.column or 1) - 1
    yield from re.findall(r"[A-Za-z_]\w*", line[column : column + found.length])
    yield from re.findall(r"'([A-Za-z_]\w*)'", found.message)


def _bare(key: str) -> str:
    """The name of a definition without what it takes."""
    return key.split("(")[0].strip()


def _short(way: Way) -> Way:
    """What an overlay has to say to change something: a variant or a law whole, else the place itself."""
    return way[:2] if way[:1] in (("variants",), ("require",)) else way


def _written(way: Way) -> str:
    last = "null" if way[:1] in (("variants",), ("require",)) else "..."
    return "".join(f"{key}: {{" for key in way[:-1]) + f"{way[-1] if way else ''}: {last}" + "}" * (len(way) - 1)


def _listed(items: Sequence[object]) -> str:
    words = [str(item) for item in items]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
