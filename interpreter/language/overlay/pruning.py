"""A ruleset without what has no good shape, so that the rest of it can be checked at once.

What is found in the rest is told only if it cannot come from what was left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter.base.diagnostics import Diagnostic
from interpreter.language.overlay.blame import names_in
from interpreter.language.source import Listing, Mapping, Node

READING = ("E401", "E402", "E403", "E404")
"""How a text reads hangs on nothing else."""
OF_NAMES = ("E501", "E502", "E503", "E504", "E507")
"""Besides, what else may be told if it is not about what was left out."""
BASIC = ("players", "teams", "ranks", "suits", "orders", "pack")
"""What nearly everything may hang on."""
Way = tuple[str, ...]


def pruned(node: Mapping, found: Sequence[Diagnostic], ways: list[Way]) -> Mapping:
    """The mapping without what the findings are about, whose keys are added to `ways`."""
    places = {(d.line, d.column): d.code for d in found if d.severity == "error"}
    return _without(node, places, (), ways)


def _without(node: Mapping, places: dict[tuple[int | None, int | None], str], way: Way, ways: list[Way]) -> Mapping:
    kept: dict[str, Node] = {}
    for key, value in node.entries.items():
        further = (*way, key)
        spans = [node.keys[key], *([] if _begins_with_more(value) else [value.span])]
        codes = [places[s.line, s.column] for s in spans if (s.line, s.column) in places]
        if codes:
            ways.append(further)
        if codes and set(codes) != {"E202"}:  # where something is missing, the rest may stay
            if isinstance(value, Mapping):
                ways += [(*further, name) for name in value.entries]
            continue
        if isinstance(value, Mapping):
            value = _without(value, places, further, ways)
        elif isinstance(value, Listing):
            items = tuple(i for i in value.items if (i.span.line, i.span.column) not in places)
            ways += [further] * (len(items) < len(value.items))
            value = Listing(items, value.span)
        kept[key] = value
    return Mapping(kept, {key: node.keys[key] for key in kept}, node.span)


def _begins_with_more(node: Node) -> bool:
    """Whether what is inside a node begins where it does, as in a block."""
    inside = [*node.keys.values()] if isinstance(node, Mapping) else []
    inside += [item.span for item in node.items] if isinstance(node, Listing) else []
    return any((s.line, s.column) == (node.span.line, node.span.column) for s in inside)


def certain(found: Iterable[Diagnostic], ways: Sequence[Way]) -> list[Diagnostic]:
    """The errors that do not come from what was left out."""
    basic = any(len(way) < 2 or way[0] in BASIC for way in ways)
    lost = {name.split("(")[0].strip() for way in ways for name in way[1:]}
    return [
        d
        for d in found
        if d.severity == "error"
        and (d.code in READING or (not basic and d.code in OF_NAMES and not lost.intersection(names_in(d))))
    ]
