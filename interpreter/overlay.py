"""Stage 3: a ruleset, what it extends and what is laid on top -> one tree, each piece knowing its origin.

Nodes carry their file in their span, so a merged tree needs no book of origins: whatever a later stage
finds wrong, it points at the file that said it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as Map
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher, get_close_matches
from pathlib import Path
from typing import Literal

from interpreter.diagnostics import Diagnostic, Report, Span, suggest
from interpreter.files import find
from interpreter.schema import check_shape
from interpreter.source import Listing, Mapping, Node, Scalar, parse_text, read_file

CODES: dict[str, str] = {
    "E301": "a ruleset that is extended or asked for is not there",
    "E302": "a ruleset extends itself, in a circle, or over too many files",
    "E303": "'extends' names a place that is not allowed",
    "E304": "an overlay removes what is not there",
    "E305": "an overlay changes what is not there",
    "E306": "a stage is placed before or after one that is in no list of stages",
    "E307": "an overlay does not fit what it is laid on",
    "E308": "a stage is placed twice",
    "E309": "removing a stage leaves a list of stages empty",
    "W301": "a new name is nearly one that is there",
    "W302": "two overlays laid on top of a ruleset set the same thing",
}

MAX_CHAIN = 16
NEARLY = 0.85
_NUMBER = re.compile("_?[0-9]+")

_Path = tuple[str, ...]
Source = str | Path | Mapping


# ---- what is where in a ruleset ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """What merging has to know about one place of a ruleset.

    noun, plural: what an entry is called, where the place is a collection by name.
    entry: the place that each entry of a collection is.
    keys: the places of its fixed keys; one that is not listed is plain.
    short: the key that a bare text or list stands for.
    needs: a new entry has one of these keys; without any it was meant to change an entry that isn't there.
    either: of these keys the overlay's drives out the base's.
    rows: the names of the entries are patterns or conditions, so any name may be new.
    table: rows over `by`; under another `by` they mean something else.
    first: new rows go before those of the base, because the first that holds counts.
    whole: never merged.
    """

    noun: str = ""
    plural: str = ""
    entry: Part | None = None
    keys: Map[str, Part] = field(default_factory=dict)
    short: str = ""
    needs: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    rows: bool = False
    table: bool = False
    first: bool = False
    whole: bool = False


PLAIN = Part()
_ROWS = Part("row", "rows", PLAIN, rows=True)
_SOURCES = (
    "from", "players", "suits", "ranks", "number", "flag", "choice", "tokens", "zones", "teams", "text", "meld",
)  # fmt: skip

_MUST = Part("law", "laws", Part(short="law", needs=("law",)))
_SAY = Part("announcement", "announcements", Part(short="words", needs=("words",)))
_ONE_SAY = Part(short="words")  # `say` with a single announcement, which has no name
_CHOOSE = Part("parameter", "parameters", Part(needs=_SOURCES, either=_SOURCES))
_LABEL = Part("label", "labels", PLAIN, rows=True, first=True)
_ACTIONS = Part(
    "action",
    "actions",
    Part(
        keys={"must": _MUST, "say": _SAY, "choose": _CHOOSE, "label": _LABEL},
        needs=("effect", "choose", "row", "say", "label", "measured", "talk"),
    ),
)
_PLAY = Part(keys={"must": _MUST, "say": _SAY})
_STAGE = Part(
    keys={
        "actions": _ACTIONS,
        "anytime": _ACTIONS,
        "lead": _PLAY,
        "follow": _PLAY,
        "with": Part("argument", "arguments", Part(short="type", needs=("type",))),
    },
    needs=("kind", "do", "repeat", "effect", "score"),
    either=("do", "repeat"),
)
_TABLE = Part("row", "rows", PLAIN, needs=("else", "by"), rows=True, table=True)
_VARIANT = Part(keys={"patch": Part(whole=True)}, needs=("set", "patch", "ruleset", "players"))
_DEFINITION = Part(short="value", needs=("value", "effect"), either=("value", "effect"))
_CARD_ROW = Part(keys={"say": _SAY, "choose": _CHOOSE})

RULESET = Part(
    keys={
        "options": Part("option", "options", Part(needs=("type",), keys={"refuse": _ROWS})),
        "require": Part("requirement", "requirements", Part(short="law", needs=("law",))),
        "variants": Part("variant", "variants", _VARIANT),
        "pack": Part(keys={"add": Part("added card", "added cards", Part(short="count"))}),
        "orders": Part("order", "orders", PLAIN),
        "zones": Part("zone", "zones", Part(needs=("each", "seen by", "pack"))),
        "tokens": Part("token", "tokens", PLAIN),
        "state": Part("variable", "variables", Part(needs=("type",))),
        "values": Part("table", "tables", _TABLE),
        "cards": Part("row", "rows", _CARD_ROW, rows=True),
        "melds": Part("meld", "melds", PLAIN),
        "define": Part("definition", "definitions", _DEFINITION),
        "flow": Part("stage", "stages", _STAGE),
    }
)

# Names of collections say nothing in a message: the entry and what holds it do.
_UNSAID = frozenset(
    "flow actions anytime must say choose options zones state define values tokens variants require orders".split()
)
# These say which file it is, not what the game is; two overlays may well differ in them.
_HEAD = frozenset("format id name about family credits notes extends needs conflicts".split())
_LIST_KEYS = ("do", "repeat")
_ONE_SAYING = frozenset(("words", "when", "exact", "doc"))


# ---- small questions about nodes --------------------------------------------------------------


def _is_null(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.value is None


def _is_marker(name: str, node: Node) -> bool:
    """`replace: true` or `replace: false`, which speaks about its mapping and is no entry of it."""
    return name == "replace" and isinstance(node, Scalar) and isinstance(node.value, bool)


def _replaces(node: Node) -> bool:
    return isinstance(node, Mapping) and any(
        _is_marker(name, value) and isinstance(value, Scalar) and value.value is True
        for name, value in node.entries.items()
    )


def _depends(node: Node, part: Part) -> bool:
    return isinstance(node, Mapping) and not part.noun and "by" in node.entries


def _text(mapping: Mapping, key: str) -> str:
    node = mapping.entries.get(key)
    return node.text if isinstance(node, Scalar) else ""


def _texts(mapping: Mapping, key: str) -> list[Scalar]:
    node = mapping.entries.get(key)
    items = node.items if isinstance(node, Listing) else () if node is None else (node,)
    return [item for item in items if isinstance(item, Scalar)]


def _sub(mapping: Mapping, key: str) -> Mapping:
    node = mapping.entries.get(key)
    return node if isinstance(node, Mapping) else Mapping({}, {}, mapping.span)


def _without(mapping: Mapping, drop: Iterable[str]) -> Mapping:
    gone = set(drop)
    if gone.isdisjoint(mapping.entries):
        return mapping
    return Mapping(
        {name: node for name, node in mapping.entries.items() if name not in gone},
        {name: span for name, span in mapping.keys.items() if name not in gone},
        mapping.span,
    )


def _with(mapping: Mapping, name: str, node: Node, at: Span) -> Mapping:
    return Mapping({**mapping.entries, name: node}, {**mapping.keys, name: at}, mapping.span)


def _same(one: Node, other: Node) -> bool:
    """Whether two nodes say the same, wherever they stand."""
    match one, other:
        case Scalar(), Scalar():
            return one.value == other.value and one.text == other.text
        case Listing(), Listing():
            return len(one.items) == len(other.items) and all(map(_same, one.items, other.items))
        case Mapping(), Mapping():
            return one.entries.keys() == other.entries.keys() and all(
                _same(node, other.entries[name]) for name, node in one.entries.items()
            )
        case _:
            return False


def _is_one_saying(node: Node) -> bool:
    """Whether a `say` is one announcement rather than several by name (as the schema tells them apart)."""
    return not isinstance(node, Mapping) or not _ONE_SAYING.isdisjoint(node.entries)


def _plain_name(key: str) -> str:
    """The name of a definition without its parameters: `fits(card)` is called fits."""
    return key.split("(", 1)[0].strip()


def _name_in(part: Part, key: str) -> str:
    return _plain_name(key) if part.noun == "definition" else key


def _said(path: _Path) -> list[str]:
    return [name for name in reversed(path) if name not in _UNSAID]


def _where(path: _Path, ruleset: str) -> str:
    """`flow, tricks, follow, must` of hearts reads "follow of tricks of hearts"."""
    return " of ".join([*_said(path), ruleset])


def _inner(part: Part, key: str, node: Node) -> Part:
    inner = part.entry or part.keys.get(key, PLAIN)
    return _ONE_SAY if inner is _SAY and _is_one_saying(node) else inner


def _expand(node: Node, part: Part) -> Node:
    """A bare value as the mapping that it is short for; a value that depends is a value, not such a mapping."""
    if not part.short or (isinstance(node, Mapping) and not _depends(node, part)):
        return node
    return Mapping({part.short: node}, {part.short: node.span}, node.span)


# ---- merging ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Merge:
    """One overlay being laid on: `base` is the whole ruleset under it."""

    base: Mapping
    ruleset: str  # what messages call the base
    report: Report
    removed: Map[_Path, Span]  # what overlays below took out


def merge(base: Mapping, over: Mapping, report: Report) -> Mapping:
    """Return `base` changed by the overlay `over`; neither is altered.

    What the overlay does not name stays. Mappings merge by name, texts, numbers and lists replace, `null` removes,
    `replace: true` in a mapping takes it whole. Stages with `before` or `after` are put into their lists.
    The head of the overlay (`id`, `name`, `about`) replaces; `extends`, `needs` and `conflicts` are left out.
    """
    return _merge_layer(base, over, _text(base, "id") or "the base", report, {})


def apply_patch(base: Mapping, patch: Mapping, report: Report) -> Mapping:
    """Return `base` changed by the patch of a variant, which says changes as an overlay does."""
    return merge(base, patch, report)


def _merge_layer(base: Mapping, over: Mapping, ruleset: str, report: Report, removed: Map[_Path, Span]) -> Mapping:
    base = _without(base, ("extends", "needs", "conflicts"))
    over, places = _take_places(_without(over, ("extends", "needs", "conflicts", "replace")))
    job = _Merge(base, ruleset, report, removed)
    merged = _merge_mapping(base, over, RULESET, (), job)
    flow = merged.entries.get("flow")
    if not isinstance(flow, Mapping):
        return merged
    return _with(merged, "flow", _arrange(flow, _sub(over, "flow"), places, job), merged.keys["flow"])


def _merge_mapping(base: Mapping, over: Mapping, part: Part, path: _Path, job: _Merge) -> Mapping:
    known = {_name_in(part, key): key for key in base.entries}
    old: dict[str, tuple[str, Node, Span]] = {k: (k, node, base.keys[k]) for k, node in base.entries.items()}
    new: dict[str, tuple[str, Node, Span]] = {}
    for key, node in over.entries.items():
        name, at = _name_in(part, key), over.keys[key]
        place = (*path, name)
        if _is_marker(key, node):
            continue
        if _is_null(node):
            if name not in known:
                _blame_removal(name, at, base, part, path, job)
            else:
                old.pop(known[name], None)
        elif name not in known:
            if part.noun and not part.rows:
                _check_new(name, at, node, base, over, part, path, job)
            new[key] = (key, _merge_new(node, part, key, place, at, job), at)
        else:
            base_key = known[name]
            inner = _inner(part, key, node)
            merged = _merge_node(base.entries[base_key], node, inner, place, job)
            old[base_key] = _renamed(base_key, key, node, merged, inner, base.keys[base_key], at)
    _drop_others(old, base, over, part)
    ordered = [*new.values(), *old.values()] if part.first else [*old.values(), *new.values()]
    return Mapping({k: node for k, node, _ in ordered}, {k: span for k, _, span in ordered}, base.span)


def _renamed(
    base_key: str, key: str, node: Node, merged: Node, part: Part, base_at: Span, at: Span
) -> tuple[str, Node, Span]:
    """The changed entry. A definition said anew brings its own names for its parameters."""
    given = _expand(node, part)
    anew = not isinstance(given, Mapping) or any(name in given.entries for name in part.either)
    deep = isinstance(node, Mapping) and isinstance(merged, Mapping) and merged is not node
    return (key if anew else base_key), merged, (base_at if deep else at)


def _drop_others(old: dict[str, tuple[str, Node, Span]], base: Mapping, over: Mapping, part: Part) -> None:
    given = [key for key in part.either if key in over.entries and not _is_null(over.entries[key])]
    if given:
        for key in part.either:
            if key in base.entries and key not in over.entries:
                old.pop(key, None)


def _merge_new(node: Node, part: Part, key: str, place: _Path, at: Span, job: _Merge) -> Node:
    if part.noun:  # an entry of a collection: new with everything in it
        return _added(node, part.entry or PLAIN, place, job)
    inner = _inner(part, key, node)
    if isinstance(node, Mapping) and inner not in (
        PLAIN,
        _ONE_SAY,
    ):  # its first entries may still be meant to change some
        return _merge_node(Mapping({}, {}, at), node, inner, place, job)
    return _added(node, inner, place, job)


def _merge_node(base: Node, over: Node, part: Part, path: _Path, job: _Merge) -> Node:
    if part is _ONE_SAY and not _is_one_saying(base):  # several by name make room for the one
        return _added(over, part, path, job)
    if part is _SAY and _is_one_saying(base):
        return _added(over, part, path, job)
    if part.short and (isinstance(base, Mapping) or isinstance(over, Mapping)):
        base, over = _expand(base, part), _expand(over, part)
    if (
        isinstance(base, Mapping)
        and isinstance(over, Mapping)
        and not (part.whole or _replaces(over) or _depends(base, part) or _depends(over, part))
        and not (part.table and "by" in over.entries and _text(over, "by") != _text(base, "by"))
    ):
        return _merge_mapping(base, over, part, path, job)
    return _added(over, part, path, job)


def _added(node: Node, part: Part, path: _Path, job: _Merge) -> Node:
    """What the overlay says whole: without its markers, and with nothing left to remove."""
    if not isinstance(node, Mapping) or part.whole:
        return node
    entries: dict[str, Node] = {}
    for key, value in node.entries.items():
        if _is_marker(key, value):
            continue
        if _is_null(value):
            message = f"{_missing(key, part, _where(path, job.ruleset))}, so it cannot be removed"
            job.report.error("E304", node.keys[key], message, "leave it out: what holds it is given as a whole here")
            continue
        entries[key] = _added(value, _inner(part, key, value), (*path, key), job)
    return Mapping(entries, {key: node.keys[key] for key in entries}, node.span)


# ---- names that are not there, or nearly ------------------------------------------------------


def _blame_removal(name: str, at: Span, base: Mapping, part: Part, path: _Path, job: _Merge) -> None:
    what = _missing(name, part, _where(path, job.ruleset))
    hint = _hint(name, base, part, path, job)
    if (*path, name) in job.removed:
        hint = f"it is already removed at {job.removed[*path, name]}"
    job.report.error("E304", at, f"{what}, so it cannot be removed", hint)


def _missing(name: str, part: Part, where: str) -> str:
    if part.rows:
        return f"there is no {part.noun} '{name}' in {where}"
    return f"no {part.noun} is called '{name}' in {where}" if part.noun else f"'{name}' is not set in {where}"


def _check_new(
    name: str, at: Span, node: Node, base: Mapping, over: Mapping, part: Part, path: _Path, job: _Merge
) -> None:
    entry = part.entry or PLAIN
    if not _stands_alone(node, entry) and not (entry.table and not _close(name, base, part)):
        hint = _hint(name, base, part, path, job)
        if entry.needs and not _replaces(node):
            hint += f" (a new {part.noun} needs {_or(entry.needs)})"
        if (*path, name) in job.removed:
            hint = f"it is removed at {job.removed[*path, name]}"
        job.report.error("E305", at, _missing(name, part, _where(path, job.ruleset)), hint)
        return
    for key, span in base.keys.items():
        if not _is_null(over.entries.get(key)) and _nearly(name, other := _name_in(part, key)):
            message = f"the new {part.noun} '{name}' is called almost like '{other}' ({span})"
            job.report.warning("W301", at, message, f"to change '{other}', use its name")
            return


def _stands_alone(node: Node, entry: Part) -> bool:
    if _replaces(node):
        return False
    if not isinstance(node, Mapping) or not entry.needs:
        return True
    if not node.entries:  # `pass: {}` is a whole action, `deal: {}` is no whole stage
        return entry is _ACTIONS.entry
    return _depends(node, entry) or any(key in node.entries for key in entry.needs)


def _nearly(name: str, other: str) -> bool:
    if _NUMBER.sub("", name) == _NUMBER.sub("", other):  # heap and heap_2 are meant to be alike
        return False
    return SequenceMatcher(None, name, other).ratio() >= NEARLY


def _close(name: str, base: Mapping, part: Part) -> str | None:
    """The key of `base` whose name is nearest to `name`, if any is near."""
    keys = {_name_in(part, key): key for key in base.entries}
    close = get_close_matches(name, sorted(keys), n=1, cutoff=0.6)
    return keys[close[0]] if close else None


def _hint(name: str, base: Mapping, part: Part, path: _Path, job: _Merge) -> str:
    """Where the name is after all, else the nearest name and its place, else those there are."""
    for other, at in _elsewhere(name, part, path, job.base):
        return f"'{name}' is in {_where(other, job.ruleset)} ({at})"
    close = _close(name, base, part)
    if close is not None:
        return f"did you mean '{_name_in(part, close)}' ({base.keys[close]})?"
    names = (_name_in(part, key) for key in base.entries)
    return suggest(name, names, part.plural if part.noun else "keys that are set")


def _elsewhere(name: str, part: Part, path: _Path, base: Mapping) -> Iterator[tuple[_Path, Span]]:
    """Other collections of the same kind that have an entry of that name."""
    if part.noun and not part.rows:
        for found, found_part, mapping in _collections(base, RULESET, ()):
            if found_part.noun == part.noun and found != path and name in mapping.entries:
                yield found, mapping.keys[name]


def _collections(node: Node, part: Part, path: _Path) -> Iterator[tuple[_Path, Part, Mapping]]:
    if not isinstance(node, Mapping) or part.whole:
        return
    if part.noun:
        yield path, part, node
    for key, value in node.entries.items():
        inner = part.entry or part.keys.get(key, PLAIN)
        if inner is not PLAIN:
            yield from _collections(value, inner, (*path, _name_in(part, key)))


def _or(words: Sequence[str]) -> str:
    quoted = [f"'{word}'" for word in words[:6]]
    if len(words) > len(quoted):
        return ", ".join([*quoted, "..."])
    return " or ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)


# ---- lists of stages --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Place:
    """`before: ANCHOR` or `after: ANCHOR` of a stage."""

    stage: str
    side: Literal["before", "after"]
    anchor: Scalar


_Lists = dict[tuple[str, str], list[Scalar]]


def _take_places(over: Mapping) -> tuple[Mapping, list[_Place]]:
    """The overlay without `before` and `after`, and what they said."""
    flow = over.entries.get("flow")
    if not isinstance(flow, Mapping):
        return over, []
    places: list[_Place] = []
    for name, stage in flow.entries.items():
        if not isinstance(stage, Mapping):
            continue
        for side in ("before", "after"):
            anchor = stage.entries.get(side)
            if isinstance(anchor, Scalar):
                places.append(_Place(name, "before" if side == "before" else "after", anchor))
                flow = _with(flow, name, _without(_sub(flow, name), (side,)), flow.keys[name])
    return _with(over, "flow", flow, over.keys["flow"]), places


def _stage_lists(flow: Mapping) -> _Lists:
    """The names in every `do` and `repeat`, by stage and key."""
    return {
        (name, key): _texts(stage, key)
        for name, stage in flow.entries.items()
        if isinstance(stage, Mapping)
        for key in _LIST_KEYS
        if key in stage.entries
    }


def _arrange(flow: Mapping, over: Mapping, places: list[_Place], job: _Merge) -> Mapping:
    """`flow`, its lists of stages as the overlay wants them: removed stages taken out, placed ones put in."""
    before = _stage_lists(flow)
    own = _stage_lists(over)
    places = [place for place in places if _may_place(place, places, own, job)]
    removed = {name: over.keys[name] for name, node in over.entries.items() if _is_null(node)}
    gone = {place.stage: place.anchor.span for place in places} | removed
    lists: _Lists = {
        at: list(items) if at in own else [item for item in items if item.text not in gone]
        for at, items in before.items()
    }
    for place in _put_in(lists, places):
        _blame_anchor(place, lists, flow, removed, job)
    for at, items in lists.items():
        if not items and before[at] and at not in own:
            _blame_empty(at, before[at][0], gone, job)
        elif [item.text for item in items] != [item.text for item in before[at]]:
            flow = _with_list(flow, at, items)
    return flow


def _may_place(place: _Place, places: list[_Place], own: _Lists, job: _Merge) -> bool:
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


def _put_in(lists: _Lists, places: list[_Place]) -> list[_Place]:
    """Put each stage beside its anchor, which may itself be placed by the overlay. Return those without an anchor."""
    waiting, after = list(places), dict[str, str]()
    while waiting:
        ready = [p for p in waiting if any(p.anchor.text == item.text for items in lists.values() for item in items)]
        if not ready:
            break
        for place in ready:
            for items in lists.values():
                _insert(items, place, after)
            if place.side == "after":
                after[place.stage] = place.anchor.text
        waiting = [place for place in waiting if place not in ready]
    return waiting


def _insert(items: list[Scalar], place: _Place, after: Map[str, str]) -> None:
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
    stage = _sub(flow, name)
    listing = Listing(tuple(items), stage.entries[key].span)
    return _with(flow, name, _with(stage, key, listing, stage.keys[key]), flow.keys[name])


def _blame_anchor(place: _Place, lists: _Lists, flow: Mapping, removed: Map[str, Span], job: _Merge) -> None:
    name = place.anchor.text
    if name in flow.entries:
        message = f"stage '{name}' is in no 'do' or 'repeat' of {job.ruleset}, so no stage can come {place.side} it"
        hint = "name a stage that is in a list, or give the list anew"
    else:
        message = f"no stage is called '{name}' in a 'do' or 'repeat' of {job.ruleset}"
        spans = {item.text: item.span for items in lists.values() for item in items}
        close = get_close_matches(name, sorted(spans), n=1, cutoff=0.6)
        hint = f"did you mean '{close[0]}' ({spans[close[0]]})?" if close else suggest(name, spans, "stages in lists")
        if name in removed:
            hint = f"it is removed at {removed[name]}"
    job.report.error("E306", place.anchor.span, message, hint)


def _blame_empty(at: tuple[str, str], item: Scalar, gone: Map[str, Span], job: _Merge) -> None:
    stage, key = at
    message = f"without '{item.text}' nothing is left in '{key}' of {stage} ({item.span})"
    job.report.error("E309", gone[item.text], message, f"remove '{stage}' too, or give it another '{key}'")


# ---- overlays laid on top ---------------------------------------------------------------------


def removals(over: Mapping) -> dict[_Path, Span]:
    """What an overlay or patch takes out by name: the path of each (`flow, passing`), and where it says so."""
    return {path: at for path, (at, node) in _settings(over, RULESET, ()).items() if _is_null(node)}


def _settings(node: Mapping, part: Part, path: _Path) -> dict[_Path, tuple[Span, Node]]:
    """Everything a mapping sets, down to what is replaced whole: path, place, value."""
    found: dict[_Path, tuple[Span, Node]] = {}
    for key, value in node.entries.items():
        if key == "doc" or _is_marker(key, value) or (not path and key in _HEAD):
            continue
        place = (*path, _name_in(part, key))
        inner = _inner(part, key, value)
        at = node.keys[key]
        expanded = value if _is_null(value) else _expand(value, inner)
        if isinstance(expanded, Mapping) and _replaces(expanded):
            found[place] = (at, expanded)
        if isinstance(expanded, Mapping) and not inner.whole and not _depends(expanded, inner):
            below = _settings(expanded, inner, place)
            found.update(below if expanded is value else {p: (at, v) for p, (_, v) in below.items()})
        else:
            found[place] = (at, value)
    return found


def _warn_both(earlier: Mapping, later: Mapping, report: Report) -> None:
    below = _settings(earlier, RULESET, ())
    for path, (at, node) in _settings(later, RULESET, ()).items():
        for other, (other_at, other_node) in below.items():
            if other[: len(path)] == path and not (other == path and _same(node, other_node)):
                thing = " of ".join([path[-1], *_said(path[:-1])])
                message = f"{thing} is set here and at {other_at}; this overlay is laid on later, so it wins"
                report.warning("W302", at, message, "leave one of them out, or change the order of the overlays")
                break


# ---- files ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Resolved:
    """One ruleset, complete.

    node: the merged ruleset, without `extends`; its id and name are those of the outermost file.
    files: every file in it, base first, as diagnostics name them.
    ids: their ids, base first.
    removed: what overlays took out, by path (`flow, passing`), for a later stage that misses it.
    """

    node: Mapping
    files: tuple[str, ...]
    ids: tuple[str, ...]
    removed: Map[_Path, Span]


@dataclass(frozen=True, slots=True)
class _Layer:
    """One file. `real` tells files apart, whatever path led to them; empty for a ruleset written in place."""

    node: Mapping
    file: str
    real: str

    @property
    def id(self) -> str:
        return _text(self.node, "id") or Path(self.file).stem

    @property
    def place(self) -> Span:
        named = self.node.entries.get("id")
        return self.node.span if named is None else named.span


def shipped() -> dict[str, Path]:
    """The rulesets that come with the program: id (the stem of the file's name) to path, in order of id."""
    return {path.stem: _shown(path) for path in sorted(find("rulesets").glob("*.yaml"))}


def is_path(source: str) -> bool:
    """Whether a text names a file rather than a shipped ruleset."""
    return "/" in source or os.sep in source or source.endswith(".yaml")


def resolve(source: Source, report: Report, *, stack: Sequence[Source] = ()) -> Resolved | None:
    """Read a ruleset, all that it extends, and the overlays of `stack`, and merge them in that order.

    source: a shipped id, a path (it has a slash or ends in .yaml), or a ruleset written in place (a mapping, parsed
        and of good shape).
    stack: further overlays, laid on one after the other; one that has `extends` must extend something already there.
    Findings of all files go into `report`; None if there is an error among them.
    """
    found = Report()
    chain = _chain(source, found)
    complete = not found.failed
    laid: list[_Layer] = []
    for item in stack:
        layer = _open(item, found, under=chain[0].id if chain else "")
        if layer is not None:
            if complete:
                _check_laid(layer, [*chain, *laid], found)
            laid.append(layer)
    resolved = None if found.failed else _merge_all(chain, laid, found)
    report.extend(found.diagnostics)
    return None if found.failed else resolved


def _merge_all(chain: list[_Layer], laid: list[_Layer], report: Report) -> Resolved:
    layers = [*chain, *laid]
    _check_company(layers, report)
    node = _without(chain[0].node, ("extends", "needs", "conflicts"))
    removed: dict[_Path, Span] = {}
    for i, layer in enumerate(layers[1:]):
        under = layers[min(i, len(chain) - 1)]  # a ruleset with overlays laid on it is still called by its own id
        node = _merge_layer(node, layer.node, under.id, report, removed)
        removed |= removals(layer.node)
    for i, later in enumerate(laid):
        for earlier in laid[:i]:
            _warn_both(earlier.node, later.node, report)
    if len(layers) > 1 and not report.failed:
        whole = Report()
        check_shape(node, whole)  # files that are right alone can be wrong together
        report.extend(_blame_overlay(found, removed) for found in whole.diagnostics)
    return Resolved(node, tuple(layer.file for layer in layers), tuple(layer.id for layer in layers), removed)


def _blame_overlay(found: Diagnostic, removed: Map[_Path, Span]) -> Diagnostic:
    """A key that is missing because an overlay took it out is that overlay's fault, and is reported there."""
    spans = [span for path, span in removed.items() if found.message.endswith(f"the key '{path[-1]}'")]
    if found.code != "E202" or len(spans) != 1:
        return found
    at, rest = spans[0], f"{found.file}:{found.line}:{found.column}"
    return replace(
        found,
        file=at.file,
        line=at.line,
        column=at.column,
        length=at.end_column - at.column,
        hint=f"it is removed here, and what is left stands at {rest}",
    )


def _chain(source: Source, report: Report) -> list[_Layer]:
    """The ruleset and what it extends, base first; shorter when something is wrong."""
    layers: list[_Layer] = []
    layer = _open(source, report)
    while layer is not None:
        layers.insert(0, layer)
        extends = layer.node.entries.get("extends")
        if not isinstance(extends, Scalar):
            break
        path = _locate(extends, layer.file, report)
        if path is None or not _goes_on(path, extends, layers, report):
            break
        layer = _read(path, report)
    return layers


def _goes_on(path: Path, extends: Scalar, layers: list[_Layer], report: Report) -> bool:
    real = os.path.realpath(path)
    if layers[0].real == real:
        report.error("E302", extends.span, f"'{layers[0].file}' extends itself", "name the ruleset that it changes")
        return False
    if any(layer.real == real for layer in layers):
        way = [layer.file for layer in reversed(layers)]
        start = next(i for i, layer in enumerate(reversed(layers)) if layer.real == real)
        circle = " > ".join([*way[start:], way[start]])
        report.error("E302", extends.span, f"'extends' goes in a circle: {circle}", "one of them must not extend")
        return False
    if len(layers) >= MAX_CHAIN:
        message = f"{len(layers) + 1} files extend one another, more than the {MAX_CHAIN} allowed"
        report.error("E302", extends.span, message, "join some of them into one file")
        return False
    return True


def _locate(extends: Scalar, file: str, report: Report) -> Path | None:
    """The file that `extends` names: a shipped id, else a file in the folder of `file` or below."""
    name, folder = extends.text, Path(file).parent
    rulesets = shipped()
    if not is_path(name) and name in rulesets:
        return rulesets[name]
    if not _is_allowed(name, folder):
        hint = "name a file beside this one or in a folder below, or a shipped ruleset"
        report.error("E303", extends.span, f"'extends' may not name '{name}'", hint)
        return None
    path = folder / (name if is_path(name) else f"{name}.yaml")
    if os.path.isfile(path):
        return path
    looked = "the current folder" if str(folder) == "." else str(folder)
    if is_path(name):
        beside = [p.relative_to(folder).as_posix() for p in path.parent.glob("*.yaml") if str(p) != file]
        message, hint = f"there is no file '{name}' to extend", suggest(name, beside, "files there")
    else:
        message, hint = f"there is no ruleset '{name}' to extend", suggest(name, rulesets, "shipped rulesets")
        looked = f"the shipped rulesets and {looked}"
    report.error("E301", extends.span, message, f"{hint} (looked in {looked})")
    return None


def _is_allowed(name: str, folder: Path) -> bool:
    """A plain relative path that stays in the folder, links followed too."""
    if not name.isprintable() or any(c in name for c in "\\:~") or name.startswith("/"):
        return False
    if ".." in name.split("/"):
        return False
    inside = os.path.realpath(folder)
    target = os.path.realpath(folder / (name if is_path(name) else f"{name}.yaml"))
    return os.path.commonpath([inside, target]) == inside


def _shown(path: Path) -> Path:
    """A shipped file as messages name it: from the current folder where it lies below that."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _open(source: Source, report: Report, under: str | None = None) -> _Layer | None:
    """The file of an id or path. under: the id that an overlay is laid on, None for a ruleset of its own."""
    if isinstance(source, Mapping):
        return _Layer(source, source.span.file, "")
    if isinstance(source, Path) or is_path(source):
        return _read(Path(source), report, under)
    rulesets = shipped()
    if source in rulesets:
        return _read(rulesets[source], report, under)
    if os.path.isfile(f"{source}.yaml"):
        hint = f"for the file, say '{source}.yaml'"
    else:
        hint = suggest(source, rulesets, "shipped rulesets")
    report.extend([Diagnostic("error", "E301", f"no ruleset is called '{source}'", source, hint=hint)])
    return None


def _read(path: Path, report: Report, under: str | None = None) -> _Layer | None:
    file = str(path)
    text = read_file(path, report)
    node = None if text is None else parse_text(text, file, report)
    if node is None:
        return None
    if not isinstance(node, Mapping):
        check_shape(node, report)
        return None
    shaped = node
    if under is not None and "extends" not in node.entries:  # so that its shape is that of an overlay
        shaped = _with(node, "extends", Scalar(under, under, node.span, "plain"), node.span)
    check_shape(shaped, report)
    return _Layer(node, file, os.path.realpath(path))


# ---- whether overlays go together -------------------------------------------------------------


def _check_laid(layer: _Layer, below: list[_Layer], report: Report) -> None:
    """An overlay that says what it extends is laid only on that."""
    if layer.real and any(layer.real == other.real for other in below):
        message = f"'{layer.id}' is already part of this ruleset"
        report.error("E307", layer.place, message, "lay it on only once")
        return
    extends = layer.node.entries.get("extends")
    if not isinstance(extends, Scalar):
        return
    path = _locate(extends, layer.file, report)
    if path is None or any(other.real == os.path.realpath(path) for other in below):
        return
    ids = ", ".join(other.id for other in below)
    message = f"'{layer.id}' extends '{extends.text}' and cannot be laid on {below[-1].id}"
    report.error("E307", extends.span, message, f"it could extend one of: {ids}")


def _check_company(layers: list[_Layer], report: Report) -> None:
    """`needs`: ids of files that lie below. `conflicts`: ids of files that must not be there at all."""
    ids = [layer.id for layer in layers]
    for i, layer in enumerate(layers):
        for item in _texts(layer.node, "needs"):
            if item.text not in ids[:i]:
                message = f"'{layer.id}' needs '{item.text}', which does not lie below it"
                report.error("E307", item.span, message, f"lay '{item.text}' on before '{layer.id}'")
        for item in _texts(layer.node, "conflicts"):
            if item.text in ids and item.text != layer.id:
                message = f"'{layer.id}' does not go together with '{item.text}'"
                report.error("E307", item.span, message, "leave one of them out")
