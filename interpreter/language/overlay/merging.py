"""Merging: one overlay laid on a ruleset, and what an overlay sets."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Map
from itertools import islice, pairwise, product

from interpreter.base.diagnostics import MAX_FINDINGS, Report, Span
from interpreter.language.overlay.near_names import blame_removal, check_new, comparisons, missing
from interpreter.language.overlay.parts import (
    ONE_SAY,
    PLAIN,
    RULESET,
    SAY,
    KeyPath,
    Merge,
    Part,
    depends,
    expand,
    inner_part,
    is_marker,
    is_null,
    is_one_saying,
    is_table_by,
    name_in,
    replaces,
    said,
    same,
    sub,
    text_of,
    where,
    with_entry,
    without,
)
from interpreter.language.overlay.places import SIDES, arrange, take_places
from interpreter.language.source import Listing, Mapping, Node, Scalar

Settings = Map[KeyPath, tuple[Span, Node]]
"""What a mapping sets, down to what is replaced whole: path -> place, value."""
# These say which file it is, not what the game is; two overlays may well differ in them.
_HEAD = frozenset("format id name about family credits notes extends needs conflicts".split())


def merge(base: Mapping, over: Mapping, report: Report) -> Mapping:
    """Return `base` changed by the overlay `over`; neither is altered.

    What the overlay does not name stays. Mappings merge by name, texts, numbers and lists replace, `null` removes,
    `replace: true` in a mapping takes it whole. Stages with `before` or `after` are put into their lists.
    The head of the overlay (`id`, `name`, `about`) replaces; `extends`, `needs` and `conflicts` are left out.
    """
    return merge_layer(base, over, text_of(base, "id") or "the base", report, {}, comparisons())


def apply_patch(base: Mapping, patch: Mapping, report: Report) -> Mapping:
    """Return `base` changed by the patch of a variant, which says changes as an overlay does, but without warnings."""
    return merge_layer(base, patch, text_of(base, "id") or "the base", report, {}, iter(()))


def merge_layer(
    base: Mapping,
    over: Mapping,
    ruleset: str,
    report: Report,
    removed: Map[KeyPath, Span],
    compared: Iterator[int],
) -> Mapping:
    base = without(base, ("extends", "needs", "conflicts"))
    over, places = take_places(without(over, ("extends", "needs", "conflicts", "replace")))
    job = Merge(base, ruleset, report, removed, compared)
    merged = _merge_mapping(base, over, RULESET, (), job)
    flow = merged.entries.get("flow")
    if not isinstance(flow, Mapping):
        return merged
    return with_entry(merged, "flow", arrange(flow, sub(over, "flow"), places, job), merged.keys["flow"])


def _merge_mapping(base: Mapping, over: Mapping, part: Part, path: KeyPath, job: Merge) -> Mapping:
    known = {name_in(part, key): key for key in base.entries}
    old: dict[str, tuple[str, Node, Span]] = {k: (k, node, base.keys[k]) for k, node in base.entries.items()}
    new: dict[str, tuple[str, Node, Span]] = {}
    for key, node in over.entries.items():
        name, at = name_in(part, key), over.keys[key]
        place = (*path, name)
        if is_marker(key, node):
            continue
        if is_null(node):
            if name not in known:
                if place not in job.removed:  # else two overlays agree
                    blame_removal(name, at, base, part, path, job)
            else:
                old.pop(known[name], None)
        elif name not in known:
            if part.noun and not part.rows:
                check_new(name, at, node, base, over, part, path, job)
            new[key] = (key, _merge_new(node, part, key, place, at, job), at)
        else:
            base_key = known[name]
            inner = inner_part(part, key, node)
            merged = _merge_node(base.entries[base_key], node, inner, place, job)
            old[base_key] = _renamed(base_key, key, node, merged, inner, base.keys[base_key], at)
    _drop_others(old, base, over, part)
    ordered = [*new.values(), *old.values()] if part.first else [*old.values(), *new.values()]
    return Mapping({k: node for k, node, _ in ordered}, {k: span for k, _, span in ordered}, base.span)


def _renamed(
    base_key: str, key: str, node: Node, merged: Node, part: Part, base_at: Span, at: Span
) -> tuple[str, Node, Span]:
    """The changed entry. A definition said anew brings its own names for its parameters."""
    given = expand(node, part)
    anew = not isinstance(given, Mapping) or any(name in given.entries for group in part.either for name in group)
    deep = isinstance(node, Mapping) and isinstance(merged, Mapping) and merged is not node
    return (key if anew else base_key), merged, (base_at if deep else at)


def _drop_others(old: dict[str, tuple[str, Node, Span]], base: Mapping, over: Mapping, part: Part) -> None:
    for group in part.either:
        if any(key in over.entries and not is_null(over.entries[key]) for key in group):
            for key in group:
                if key in base.entries and key not in over.entries:
                    old.pop(key, None)


def _merge_new(node: Node, part: Part, key: str, place: KeyPath, at: Span, job: Merge) -> Node:
    if part.noun:  # an entry of a collection: new with everything in it
        return _added(node, part.entry or PLAIN, place, job)
    inner = inner_part(part, key, node)
    if isinstance(node, Mapping) and inner not in (
        PLAIN,
        ONE_SAY,
    ):  # its first entries may still be meant to change some
        return _merge_node(Mapping({}, {}, at), node, inner, place, job)
    return _added(node, inner, place, job)


def _merge_node(base: Node, over: Node, part: Part, path: KeyPath, job: Merge) -> Node:
    if part is ONE_SAY and not is_one_saying(base):  # several by name make room for the one
        return _added(over, part, path, job)
    if part is SAY and is_one_saying(base):
        return _added(over, part, path, job)
    if part.short and (isinstance(base, Mapping) or isinstance(over, Mapping)):
        base, over = expand(base, part), expand(over, part)
    if (
        isinstance(base, Mapping)
        and isinstance(over, Mapping)
        and not (part.whole or replaces(over) or depends(base, part) or depends(over, part))
        and not (part.table and "by" in over.entries and text_of(over, "by") != text_of(base, "by"))
    ):
        return _merge_mapping(base, over, part, path, job)
    return _added(over, part, path, job)


def _added(node: Node, part: Part, path: KeyPath, job: Merge) -> Node:
    """What the overlay says whole: without its markers, and with nothing left to remove."""
    if not isinstance(node, Mapping) or part.whole:
        return node
    entries: dict[str, Node] = {}
    for key, value in node.entries.items():
        if is_marker(key, value):
            continue
        if is_null(value):
            message = f"{missing(key, part, where(path, job.ruleset))}, so it cannot be removed"
            job.report.error("E304", node.keys[key], message, "leave it out: what holds it is given as a whole here")
            continue
        entries[key] = _added(value, inner_part(part, key, value), (*path, key), job)
    return Mapping(entries, {key: node.keys[key] for key in entries}, node.span)


# ---- overlays laid on top ---------------------------------------------------------------------


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
        if isinstance(expanded, Mapping) and replaces(expanded):
            found[place] = (at, expanded)
        if isinstance(expanded, Mapping) and not inner.whole and not depends(expanded, inner):
            below = _settings(expanded, inner, place)
            found.update(below if expanded is value else {p: (at, v) for p, (_, v) in below.items()})
        else:
            found[place] = (at, value)
    return found


def warn_both(earlier: Mapping, later: Mapping, report: Report) -> None:
    """Warn of what two overlays both set: the one that is laid on later wins. Of very much, the first is told."""
    for thing, at, other_at in islice(_both(earlier, later), MAX_FINDINGS):
        message = f"{thing} is set here and at {other_at}; this overlay is laid on later, so it wins"
        report.warning("W302", at, message, "leave one of them out, or change the order of the overlays")


def _both(earlier: Mapping, later: Mapping) -> Iterator[tuple[str, Span, Span]]:
    """What two overlays both set, where the later one does, and where the earlier one."""
    below, above = _settings(earlier, RULESET, ()), _settings(later, RULESET, ())
    inside: dict[KeyPath, list[KeyPath]] = {}  # what is set in each place
    for other in below:
        for length in range(1, len(other) + 1):
            inside.setdefault(other[:length], []).append(other)
    for path, (at, node) in above.items():
        other_at = _set_below(path, node, below, inside)
        if other_at is not None:
            yield " of ".join([path[-1], *said(path[:-1])]), at, other_at
    for (at, names), (side_at, stage, anchor, side) in product(_lists(above), _places(below)):
        if anchor in names and _parts(names, stage, anchor, side):
            yield f"where '{stage}' stands", at, side_at
    for (at, names), (side_at, stage, anchor, side) in product(_lists(below), _places(above)):
        if anchor in names and stage in names and _parts(names, stage, anchor, side):
            yield f"where '{stage}' stands", side_at, at


def _set_below(path: KeyPath, node: Node, below: Settings, inside: Map[KeyPath, list[KeyPath]]) -> Span | None:
    """Where an earlier overlay sets the same, or something inside it that this takes away."""
    if is_table_by(path) and path not in below:  # the rows of an earlier overlay ask for something else
        rows = (other for other in inside.get(path[:-1], ()) if len(other) == len(path))
        return next((below[row][0] for row in rows), None)
    for other in inside.get(path, ()):
        at, other_node = below[other]
        if not (other == path and same(node, other_node)):
            return at
    if path[0] == "flow" and path[-1] in SIDES:
        other = (*path[:-1], SIDES[path[-1] == SIDES[0]])
        return below[other][0] if other in below else None
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
        if path[0] == "flow" and path[-1] in SIDES and isinstance(node, Scalar)
    ]


def _parts(names: list[str], stage: str, anchor: str, side: str) -> bool:
    """Whether a list does not have a stage on that side of its anchor."""
    return ((stage, anchor) if side == "before" else (anchor, stage)) not in pairwise(names)
