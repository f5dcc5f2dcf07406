"""Every change of a ruleset in one place: what `mutate` shows to the scenarios.

A mutant is the merged ruleset with one law, row, action or stage of a list left out, one number moved by one, one
condition of an `if` turned round, or one thing shown to everybody that was hidden, or the reverse. Of an overlay, what
it takes out and the defaults that it changes are put back, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from interpreter.base.diagnostics import Span
from interpreter.language.overlay.parts import same
from interpreter.language.source import Listing, Node, Scalar
from interpreter.language.source import Mapping as MappingNode

Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A ruleset with one change. words: names that scenarios which touch the place are likely to use."""

    what: str
    path: Place
    span: Span
    root: MappingNode
    words: tuple[str, ...] = ()


# What is about the ruleset and not a rule, names of things, and bounds that only guard against mistakes.
_UNTOUCHED = frozenset(
    (
        "format id name about family credits notes doc best message ranks orders suits refuse extends say label tell "
        "prompt quiet how rule because layout looks"
    ).split()
) | {"shown as"}
_BRANCH = re.compile(r"\bif ((?:(?!\bif\b|\bthen\b)[^;\n\"])+?) then\b")
_NUMBER = re.compile(r'"[^"\n]*"|(?<!\w)\d+(?!\w)')


def mutants(root: MappingNode) -> Iterator[Mutant]:
    """Every change of a merged ruleset, in the order of its places."""
    for change in _changes(root, ()):
        yield Mutant(change.what, change.path, change.span, _rebuilt(root, change.path, change.put), change.words)


def put_back(root: MappingNode, under: MappingNode, removed: Mapping[tuple[str, ...], Span]) -> Iterator[Mutant]:
    """Every law, row and action that an overlay takes out, back again. under: the ruleset that it is laid on."""
    for path, span in removed.items():
        noun, node = _noun(path[:-1]), _at(under, path)
        if noun and node is not None and _at(root, path[:-1]) is not None:
            what = f"{noun} '{path[-1]}' of {_where(path[:-1])}, which is taken out, put back"
            yield Mutant(what, path, span, _rebuilt(root, path, node), _words(path))


def defaults(root: MappingNode, under: MappingNode, file: str) -> Iterator[Mutant]:
    """Every default that an overlay changes, as it was before; a number is changed already, by one."""
    for kind in ("options", "state"):
        entries = root.entries.get(kind)
        for name in entries.entries if isinstance(entries, MappingNode) else ():
            path = (kind, name, "default")
            node, before = _at(root, path), _at(under, path)
            if node is None or node.span.file != file or _at(under, path[:-1]) is None:
                continue
            if before is not None and same(node, before):
                continue
            if not any(True for _ in _changes(node, path)):
                what = f"the default of '{name}' put back"
                yield Mutant(what, path, node.span, _rebuilt(root, path, before), _words(path))


def is_copied(path: Place, root: MappingNode, under: MappingNode) -> bool:
    """Whether what stands at a path of an overlay, or around it, says only what the ruleset below says there, too."""
    node: Node = root
    below: Node = under
    for step in path:
        if isinstance(node, MappingNode) and isinstance(below, MappingNode):
            there = [below.entries[key] for key in (str(step),) if key in below.entries]
            node = node.entries[str(step)]
        elif isinstance(node, Listing) and isinstance(below, Listing):
            there = list(below.items)
            node = node.items[int(step)]
        else:
            return False
        if any(same(node, one) for one in there):
            return True
        if isinstance(step, int):
            there = there[step : step + 1]
        if not there:
            return False
        below = there[0]
    return False


def _at(node: Node, path: Place) -> Node | None:
    for step in path:
        found = node.entries.get(str(step)) if isinstance(node, MappingNode) else None
        if found is None:
            return None
        node = found
    return node


@dataclass(frozen=True, slots=True)
class _Change:
    """What to put at a path; None takes the entry or item out."""

    what: str
    path: Place
    span: Span
    put: Node | None
    words: tuple[str, ...]


def _changes(node: Node, path: Place) -> Iterator[_Change]:
    match node:
        case MappingNode():
            noun = _noun(path)
            for key, value in node.entries.items():
                here = (*path, key)
                if (not noun and key in _UNTOUCHED) or _is_guard(here, node):
                    continue
                if noun and not (noun == "row" and key in ("by", "doc")):
                    yield _Change(f"{noun} '{key}' of {_where(path)} dropped", here, node.keys[key], None, _words(here))
                yield from _changes(value, here)
        case Listing():
            in_flow = path[:1] == ("flow",)
            for at, item in enumerate(node.items):
                if in_flow and path[-1:] == ("score",):
                    what = f"row {at + 1} of {_where(path)} dropped"
                    yield _Change(what, (*path, at), item.span, None, _words(path))
                elif in_flow and path[2:] == ("do",) and isinstance(item, Scalar) and len(node.items) > 1:
                    what = f"stage '{item.text}' of {_where(path[:-1])} left out"
                    yield _Change(what, (*path, at), item.span, None, (item.text, *_words(path)))
                yield from _changes(item, (*path, at))
        case Scalar():
            yield from _shifts(node, path)
            yield from _turned(node, path)
            yield from _uncovered(node, path)


def _noun(path: Place) -> str:
    """What an entry of the mapping at a path is called, if entries are dropped there."""
    match path:
        case ("require",) | ("flow", _, *_, "must") | ("cards", _, "must"):
            return "law"
        case ("cards",) | ("values", _) | ("flow", _, "score") | ("define", _, "value"):
            return "row"
        case ("flow", _, "actions" | "anytime"):
            return "action"
    return ""


def _is_guard(path: Place, parent: MappingNode) -> bool:
    """Bounds of variables guard against mistakes; numbers that are ranks are names. Neither is changed."""
    match path:
        case ("state", _, "min" | "max") | ("values", _, "by" | "doc"):
            return True
        case ("options", _, "default"):
            kind = parent.entries.get("type")
            return isinstance(kind, Scalar) and kind.text.endswith(("rank", "card"))
    return False


def _shifts(node: Scalar, path: Place) -> Iterator[_Change]:
    """Each number in a scalar, one higher; texts that are spoken or quoted are left alone."""
    if type(node.value) is int:
        number = node.value + 1
        shifted = replace(node, value=number, text=str(number))
        yield _Change(f"{node.value} in {_where(path)} made {number}", path, node.span, shifted, _words(path))
        return
    if not isinstance(node.value, str):
        return
    for found in _NUMBER.finditer(node.text):
        if found[0].startswith('"'):
            continue
        number = int(found[0]) + 1
        text = f"{node.text[: found.start()]}{number}{node.text[found.end() :]}"
        span = node.place(found.start(), len(found[0]))
        what = f"{found[0]} in {_where(path)} made {number}"
        yield _Change(what, path, span, replace(node, value=text, text=text), _words(path))


def _turned(node: Scalar, path: Place) -> Iterator[_Change]:
    """Each condition of an `if`, turned round: what it decides is the other branch."""
    if not isinstance(node.value, str) or path[-1] in ("doc", "message"):
        return
    for found in _BRANCH.finditer(node.text):
        text = f"{node.text[: found.start(1)]}not ({found[1]}){node.text[found.end(1) :]}"
        span = node.place(found.start(1), len(found[1]))
        yield _Change(
            f"'if {_short(found[1])}' in {_where(path)} turned round", path, span, _said(node, text), _words(path)
        )


def _uncovered(node: Scalar, path: Place) -> Iterator[_Change]:
    """Who sees a zone or variable: everybody what somebody saw, nobody what everybody saw."""
    match path:
        case ("zones" | "state", _, "seen by" | "count seen by"):
            other = "none" if node.text == "everyone" else "everyone"
            what = f"'{path[2]}: {node.text}' of {path[1]} made {other}"
            yield _Change(what, path, node.span, _said(node, other), _words(path))


def _said(node: Scalar, text: str) -> Scalar:
    return replace(node, value=text, text=text)


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."


def _where(path: Place) -> str:
    """`values, points, QS` reads "QS of points"."""
    unsaid = ("flow", "values", "options", "must", "actions", "anytime", "define", "zones", "state", "cards")
    names = [str(step) for step in path if isinstance(step, str) and step not in unsaid]
    return " of ".join(reversed(names)) or str(path[0] if path else "the ruleset")


def _words(path: Place) -> tuple[str, ...]:
    return tuple(str(step) for step in reversed(path) if isinstance(step, str))


def _rebuilt(node: Node, path: Place, put: Node | None) -> Any:
    """A copy of the tree with another node at a path, or none."""
    if not path:
        return put
    step, rest = path[0], path[1:]
    if isinstance(node, MappingNode):
        entries = dict(node.entries)
        if rest:
            entries[str(step)] = _rebuilt(entries[str(step)], rest, put)
        elif put is None:
            del entries[str(step)]
        else:
            entries[str(step)] = put
        return MappingNode(entries, {key: node.keys.get(key, entries[key].span) for key in entries}, node.span)
    assert isinstance(node, Listing) and isinstance(step, int)
    items = list(node.items)
    if not rest and put is None:
        del items[step]
    else:
        items[step] = _rebuilt(items[step], rest, put)
    return Listing(tuple(items), node.span)
