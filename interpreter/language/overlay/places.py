"""Lists of stages: `before` and `after` of an overlay, and the stages it takes out."""

from __future__ import annotations

from collections.abc import Mapping as Map
from dataclasses import dataclass, replace
from typing import Literal

from interpreter.base.diagnostics import Span, nearest, suggest
from interpreter.language.overlay.parts import Merge, is_null, sub, texts_of, with_entry, without
from interpreter.language.source import Listing, Mapping, Scalar

_LIST_KEYS = ("do", "repeat")
SIDES = ("before", "after")


@dataclass(frozen=True, slots=True)
class Place:
    """`before: ANCHOR` or `after: ANCHOR` of a stage."""

    stage: str
    side: Literal["before", "after"]
    anchor: Scalar


_Lists = dict[tuple[str, str], list[Scalar]]


def take_places(over: Mapping) -> tuple[Mapping, list[Place]]:
    """The overlay without `before` and `after`, and what they said."""
    flow = over.entries.get("flow")
    if not isinstance(flow, Mapping):
        return over, []
    places: list[Place] = []
    for name, stage in flow.entries.items():
        if not isinstance(stage, Mapping):
            continue
        for side in SIDES:
            anchor = stage.entries.get(side)
            if isinstance(anchor, Scalar):
                places.append(Place(name, "before" if side == "before" else "after", anchor))
                flow = with_entry(flow, name, without(sub(flow, name), (side,)), flow.keys[name])
    return with_entry(over, "flow", flow, over.keys["flow"]), places


def _stage_lists(flow: Mapping) -> _Lists:
    """The names in every `do` and `repeat`, by stage and key."""
    return {
        (name, key): texts_of(stage, key)
        for name, stage in flow.entries.items()
        if isinstance(stage, Mapping)
        for key in _LIST_KEYS
        if key in stage.entries
    }


def arrange(flow: Mapping, over: Mapping, places: list[Place], job: Merge) -> Mapping:
    """`flow`, its lists of stages as the overlay wants them: removed stages taken out, placed ones put in."""
    before = _stage_lists(flow)
    own = _stage_lists(over)
    places = [place for place in places if _may_place(place, places, own, job)]
    removed = {name: over.keys[name] for name, node in over.entries.items() if is_null(node)}
    gone = {place.stage: place.anchor.span for place in places} | removed
    lists: _Lists = {
        at: list(items) if at in own else [item for item in items if item.text not in gone]
        for at, items in before.items()
    }
    for place in _put_in(lists, places):
        _blame_anchor(place, lists, flow, removed, job)
    for items in own.values():
        for item in items:
            if item.text not in flow.entries and ("flow", item.text) in job.removed:
                message = f"no stage is called '{item.text}' in {job.ruleset} any more"
                job.report.error("E306", item.span, message, f"it is removed at {job.removed['flow', item.text]}")
    for at, items in lists.items():
        if not items and before[at] and at not in own:
            _blame_empty(at, before[at][0], gone, job)
        elif [item.text for item in items] != [item.text for item in before[at]]:
            flow = _with_list(flow, at, items)
    return flow


def _may_place(place: Place, places: list[Place], own: _Lists, job: Merge) -> bool:
    at = place.anchor.span
    if place.stage == place.anchor.text:
        job.report.error("E306", at, f"stage '{place.stage}' cannot come {place.side} itself")
        return False
    if place.side == "after" and any(p.stage == place.stage and p.side == "before" for p in places):
        job.report.error("E308", at, f"stage '{place.stage}' has both 'before' and 'after'", "keep one of them")
        return False
    for (stage, key), items in own.items():
        for item in items:
            if item.text == place.stage:
                message = f"stage '{place.stage}' is placed twice: here, and in '{key}' of {stage} ({item.span})"
                job.report.error("E308", at, message, f"leave out '{place.side}'")
                return False
    return True


def _put_in(lists: _Lists, places: list[Place]) -> list[Place]:
    """Put each stage beside its anchor, which may itself be placed by the overlay. Return those without an anchor."""
    waiting, after = list(places), dict[str, str]()
    there = {item.text for items in lists.values() for item in items}
    while ready := [place for place in waiting if place.anchor.text in there]:
        waiting = [place for place in waiting if place.anchor.text not in there]
        for place in ready:
            for items in lists.values():
                _insert(items, place, after)
            if place.side == "after":
                after[place.stage] = place.anchor.text
        there.update(place.stage for place in ready)
    return waiting


def _insert(items: list[Scalar], place: Place, after: Map[str, str]) -> None:
    name, anchor = place.stage, place.anchor.text
    item = replace(place.anchor, value=name, text=name)
    for i in reversed([i for i, other in enumerate(items) if other.text == anchor]):
        if place.side == "after":
            i += 1
            while i < len(items) and after.get(items[i].text) == anchor:  # several after one keep their order
                i += 1
        items.insert(i, item)


def _with_list(flow: Mapping, at: tuple[str, str], items: list[Scalar]) -> Mapping:
    name, key = at
    stage = sub(flow, name)
    listing = Listing(tuple(items), stage.entries[key].span)
    return with_entry(flow, name, with_entry(stage, key, listing, stage.keys[key]), flow.keys[name])


def _blame_anchor(place: Place, lists: _Lists, flow: Mapping, removed: Map[str, Span], job: Merge) -> None:
    name = place.anchor.text
    if name in flow.entries:
        message = f"stage '{name}' is in no 'do' or 'repeat' of {job.ruleset}, so no stage can come {place.side} it"
        hint = "name a stage that is in a list, or give the list anew"
    else:
        message = f"no stage is called '{name}' in a 'do' or 'repeat' of {job.ruleset}"
        spans = {item.text: item.span for items in lists.values() for item in items}
        close = nearest(name, sorted(spans))
        hint = f"did you mean '{close}' ({spans[close]})?" if close else suggest(name, spans, "stages in lists")
        gone = removed.get(name) or job.removed.get(("flow", name))
        if gone is not None:
            hint = f"it is removed at {gone}"
    job.report.error("E306", place.anchor.span, message, hint)


def _blame_empty(at: tuple[str, str], item: Scalar, gone: Map[str, Span], job: Merge) -> None:
    stage, key = at
    message = f"without '{item.text}' nothing is left in '{key}' of {stage} ({item.span})"
    job.report.error("E309", gone[item.text], message, f"remove '{stage}' too, or give it another '{key}'")
