"""Rows by name, of a score or of a definition: an overlay changes them one by one, and says where new ones stand."""

from __future__ import annotations

import re
from dataclasses import dataclass

from interpreter.base.diagnostics import Report, Span, nearest, suggest
from interpreter.language.overlay.parts import KeyPath, Merge, is_null, where, with_entry, without
from interpreter.language.source import Listing, Mapping, Node, Scalar

SIDES = ("before", "after")
LAST = "else"
MOST = 1_000
"""So many rows are looked at; more have too many letters for a ruleset, which is told when they are checked."""


@dataclass(frozen=True, slots=True)
class _Place:
    """`before: ANCHOR` or `after: ANCHOR` of a row."""

    row: str
    side: str
    anchor: Scalar


def by_name(node: Node) -> Mapping:
    """The rows that an overlay with names is laid on.

    A definition that has no rows is what holds where none of the new ones does. The rows of a list have no names: they
    are called so that nobody can mean them.
    """
    if isinstance(node, Mapping):
        return node
    if not isinstance(node, Listing):
        return Mapping({LAST: node}, {LAST: node.span}, node.span)
    found: dict[str, Node] = {}
    for number, row in enumerate(node.items, start=1):
        pair = row.items if isinstance(row, Listing) else ()
        last = len(pair) == 2 and isinstance(pair[0], Scalar) and pair[0].text == LAST
        found[LAST if last else f"·{number}"] = pair[1] if last else row
    return Mapping(found, {name: row.span for name, row in found.items()}, node.span)


def take_places(over: Mapping) -> tuple[Mapping, list[_Place]]:
    """The rows of an overlay without `before` and `after`, and what they said."""
    places = []
    entries: dict[str, Node] = {}
    for name, row in over.entries.items():
        for side in SIDES if isinstance(row, Mapping) else ():
            anchor = row.entries.get(side) if isinstance(row, Mapping) else None
            if isinstance(anchor, Scalar):
                places.append(_Place(name, side, anchor))
        entries[name] = without(row, SIDES) if isinstance(row, Mapping) else row
    return Mapping(entries, over.keys, over.span), places


def arrange(rows: Mapping, places: list[_Place], path: KeyPath, job: Merge) -> Mapping:
    """The rows in the order that an overlay wants, what holds where none does at the end."""
    if len(rows.entries) > MOST:
        return rows
    order = [name for name in rows.entries if name != LAST]
    after: dict[str, str] = {}
    last = [LAST] if LAST in rows.entries else []
    for place in places:
        if not _can_stand(place, rows, places, path, job):
            continue
        order.remove(place.row)
        at = order.index(place.anchor.text) if place.anchor.text in order else len(order)
        if place.side == "after":
            at += 1
            while at < len(order) and after.get(order[at]) == place.anchor.text:  # several after one keep their order
                at += 1
            after[place.row] = place.anchor.text
        order.insert(at, place.row)
    names = [*order, *last]
    return Mapping({name: rows.entries[name] for name in names}, {name: rows.keys[name] for name in names}, rows.span)


def _can_stand(place: _Place, rows: Mapping, places: list[_Place], path: KeyPath, job: Merge) -> bool:
    at, name = place.anchor.span, place.anchor.text
    if place.row not in rows.entries or place.row == LAST:
        return False
    if name == place.row:
        job.report.error("E306", at, f"row '{place.row}' cannot come {place.side} itself")
        return False
    if place.side == "after" and any(p.row == place.row and p.side == "before" for p in places):
        job.report.error("E308", at, f"row '{place.row}' has both 'before' and 'after'", "keep one of them")
        return False
    if name == LAST and place.side == "after" and LAST in rows.entries:
        message = f"after '{LAST}' row '{place.row}' would never count"
        job.report.error("E306", at, message, f"say which row it comes before: before: {LAST}")
        return False
    if name in rows.entries and not name.startswith("·"):
        return True
    known = [row for row in rows.entries if not row.startswith("·") and row != place.row]
    close = nearest(name, known)
    hint = f"did you mean '{close}' ({rows.keys[close]})?" if close else suggest(name, known, "rows")
    if not known:
        nameless = any(row.startswith("·") for row in rows.entries)
        hint = "the rows there have no names, and it comes before them all" if nameless else "there are no other rows"
    if (*path, name) in job.removed:
        hint = f"it is removed at {job.removed[*path, name]}"
    job.report.error("E306", at, f"no row is called '{name}' in {where(path, job.ruleset)}", hint)
    return False


def added(base: Node, over: Mapping) -> Node:
    """A list with what `{add: [...]}` adds to it, and that is not in it yet; what cannot be added to is found later."""
    more = over.entries["add"]
    below = base.entries.get("add") if isinstance(base, Mapping) else base
    if not isinstance(below, Listing) or not isinstance(more, Listing):
        return over
    there = {item.text for item in below.items if isinstance(item, Scalar)}
    new = tuple(item for item in more.items if isinstance(item, Scalar) and item.text not in there)
    both = Listing((*below.items, *new), below.span)
    return with_entry(base, "add", both, base.keys["add"]) if isinstance(base, Mapping) else both


def keeps(definition: Node) -> bool:
    """Whether what a definition below says still counts where this is laid on it: its rows join those below."""
    return isinstance(definition, Mapping) and isinstance(definition.entries.get("value"), Mapping)


def check_parameters(base_key: str, key: str, base_at: Span, at: Span, report: Report) -> None:
    """Texts of two files that stand for one definition call what it takes by the same names."""
    below, above = (re.findall(r"\w+(?=\s*[,)])", text) for text in (base_key, key))
    if above and above != below:
        message = f"what '{base_key.split('(')[0].strip()}' takes is called ({', '.join(below)}) below ({base_at})"
        report.error("E305", at, message, f"call it so here too, where both texts count: '{base_key}'")


def is_for_each_row(base: Node, over: Node) -> bool:
    """Whether cards are added, in one way, to a pack to which others are added by rows."""
    depends = isinstance(base, Mapping) and isinstance(base.entries.get("by"), Scalar)
    return depends and isinstance(over, Mapping) and "by" not in over.entries


def for_each_row(base: Node, over: Node) -> Mapping:
    """What is added in one way, as it is added in each row; what is taken out is taken out where it is."""
    assert isinstance(base, Mapping) and isinstance(over, Mapping)
    below = {key: row for key, row in base.entries.items() if key != "by"}
    there = {name for row in below.values() if isinstance(row, Mapping) for name in row.entries}
    entries: dict[str, Node] = {}
    for key, row in below.items():
        own = row.entries if isinstance(row, Mapping) else {}
        gone = [name for name, node in over.entries.items() if is_null(node) and name in there and name not in own]
        entries[key] = without(over, gone)
    return Mapping(entries, dict.fromkeys(entries, over.span), over.span)
