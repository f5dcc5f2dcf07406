"""Merging: one overlay laid on a ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Map
from types import MappingProxyType

from interpreter.base.diagnostics import Report, Span
from interpreter.language.overlay import rows
from interpreter.language.overlay.below import laid_on, says_base
from interpreter.language.overlay.near_names import blame_removal, check_new, comparisons, missing
from interpreter.language.overlay.parts import (
    ADDED_CARDS,
    DEFINITIONS,
    ONE_SAY,
    PLAIN,
    RULESET,
    SAY,
    VALUE_ROW,
    VALUE_ROWS,
    KeyPath,
    Merge,
    Part,
    depends,
    expand,
    inner_part,
    is_marker,
    is_null,
    is_one_saying,
    name_in,
    replaces,
    sub,
    text_of,
    where,
    with_entry,
    without,
)
from interpreter.language.overlay.places import arrange, take_places
from interpreter.language.source import Mapping, Node


def merge(base: Mapping, over: Mapping, report: Report) -> Mapping:
    """Return `base` changed by the overlay `over`; neither is altered.

    What the overlay does not name stays. Mappings merge by name, texts, numbers and lists replace, `null` removes,
    `replace: true` in a mapping takes it whole. Stages with `before` or `after` are put into their lists.
    The head of the overlay (`id`, `name`, `about`) replaces; `extends`, `needs` and `conflicts` are left out.
    """
    return merge_layer(base, over, text_of(base, "id") or "the base", report, {}, comparisons())


NOTHING: Map[KeyPath, Span] = MappingProxyType({})


def apply_patch(base: Mapping, patch: Mapping, report: Report, removed: Map[KeyPath, Span] = NOTHING) -> Mapping:
    """Return `base` changed by the patch of a variant, which says changes as an overlay does, but without warnings.

    removed: what has been taken out of the base before, which may be taken out again.
    """
    return merge_layer(base, patch, text_of(base, "id") or "the base", report, removed, iter(()))


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
            if part is DEFINITIONS and (rows.keeps(node) or says_base(node)):
                rows.check_parameters(base_key, key, base.keys[base_key], at, job.report)
                key = base_key
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
        given = [key for key in group if key in over.entries and not is_null(over.entries[key])]
        for key in group if given else ():
            beside = any(frozenset((key, other)) in part.together for other in given)
            if key in base.entries and key not in over.entries and not beside:
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
    if part.pair or (part.short and (isinstance(base, Mapping) or isinstance(over, Mapping))):
        base, over = expand(base, part), expand(over, part)
    if part.adds and isinstance(over, Mapping) and "add" in over.entries:
        return rows.added(base, over)
    if part is ADDED_CARDS and rows.is_for_each_row(base, over):
        over = rows.for_each_row(base, over)
    if part.placed and isinstance(over, Mapping):
        return _merge_rows(base, over, part, path, job)
    if (
        isinstance(base, Mapping)
        and isinstance(over, Mapping)
        and not (part.whole or replaces(over) or depends(base, part) or depends(over, part))
        and not (part.table and "by" in over.entries and text_of(over, "by") != text_of(base, "by"))
    ):
        return _merge_mapping(base, over, part, path, job)
    return _added(laid_on(over, base, part), part, path, job)


def _merge_rows(base: Node, over: Mapping, part: Part, path: KeyPath, job: Merge) -> Mapping:
    over, places = rows.take_places(over)
    under = rows.by_name(base)
    if part is VALUE_ROWS:  # in a new row `base` is what the definition was
        new = {name: laid_on(row, base, VALUE_ROW) for name, row in over.entries.items() if name not in under.entries}
        over = Mapping({**over.entries, **new}, over.keys, over.span)
    return rows.arrange(_merge_mapping(under, over, part, path, job), places, path, job)


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
    added = Mapping(entries, {key: node.keys[key] for key in entries}, node.span)
    return rows.arrange(*rows.take_places(added), path, job) if part.placed else added
