"""How much a ruleset declares, and what a file that is laid on it does: counted before anything is done with it.

Everything here is far more than any game needs. It keeps what is short to write and endless to work through, by
accident or on purpose, from taking longer than a second or two.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.base.diagnostics import Report, Span
from interpreter.language.source import Listing, Mapping, Node, Scalar

MAX_OF = {
    "definitions": ("define", 500), "kinds of meld": ("melds", 100), "options": ("options", 200),
    "requirements": ("require", 100),
    "tables": ("values", 100), "tokens": ("tokens", 100), "variables": ("state", 300), "variants": ("variants", 200),
    "zones": ("zones", 200),
}  # fmt: skip
"""What a ruleset declares: its key, and how many there may be. The largest that is shipped has 31 of a kind."""
MAX_STAGES, MAX_ACTIONS, MAX_PARAMETERS, MAX_LAWS = 120, 150, 400, 400
MAX_WORDS, MAX_ITEMS = 1_000, 1_000
"""The most words to choose from, and items in lists of options, together; the most that is shipped are 38 and 88."""

MAX_PATCHES, MAX_PATCHED = 20, 10_000
"""Variants with a patch, each of which is checked as a ruleset of its own, and the weight of these together."""


def most_patches(root: Mapping) -> int:
    """How many variants may have a patch; of a ruleset that is long, fewer."""
    return max(1, min(MAX_PATCHES, MAX_PATCHED // _weight(root)))


def _weight(node: Node) -> int:
    """What it takes to check a ruleset that has been read: its values, and a tenth of the letters in them."""
    values = letters = 0
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        values += 1
        if isinstance(inner, Scalar):
            letters += len(inner.text)
        else:
            waiting += inner.entries.values() if isinstance(inner, Mapping) else inner.items
    return values + letters // 10


def is_too_much(root: Mapping, report: Report) -> bool:
    """Whether there is more of anything than can be looked at in a second or two, which is reported.

    root: a ruleset, or what is laid on one.
    """
    stages = list(_inside(root.get("flow")))
    actions = [action for stage in stages for key in ("actions", "anytime") for action in _inside(_at(stage, key))]
    found = [(what, key, len(list(_inside(root.get(key)))), most) for what, (key, most) in MAX_OF.items()]
    inside = {
        key: sum(len(list(_inside(_at(action, key)))) for action in actions) for key in ("choose", "measured", "must")
    }
    found += [
        ("stages", "flow", len(stages), MAX_STAGES),
        ("actions", "flow", len(actions), MAX_ACTIONS),
        ("parameters of actions", "flow", inside["choose"], MAX_PARAMETERS),
        ("measures of actions", "flow", inside["measured"], MAX_PARAMETERS),
        ("laws of actions", "flow", inside["must"], MAX_LAWS),
    ]
    for what, key, number, most in found:
        if number > most:
            _refuse(what, number, most, root.keys[key], report)
    named = [_at(stage, key) for stage in stages for key in ("do", "repeat")]
    _count("names in lists of stages", named, MAX_STAGES, report)
    choosing = [*actions, *_inside(root.get("cards"))]
    words = [_at(each, "choices") for key in ("options", "state") for each in _inside(root.get(key))]
    words += [_at(argument, "choices") for stage in stages for argument in _inside(_at(stage, "with"))]
    words += [_at(param, "choice") for each in choosing for param in _inside(_at(each, "choose"))]
    _count("words to choose from", words, MAX_WORDS, report)
    items = [_at(option, "default") for option in _inside(root.get("options"))]
    items += [_at(variant, "set") for variant in _inside(root.get("variants"))]
    _count("items in lists of options", items, MAX_ITEMS, report)
    return report.failed


def _count(what: str, lists: list[Node | None], most: int, report: Report) -> None:
    """Refuse more items than there may be in lists, where they become too many."""
    number, place = 0, None
    for spans in (list(_items(node)) for node in lists):
        if place is None and number + len(spans) > most:
            place = spans[most - number]
        number += len(spans)
    if place is not None:
        _refuse(what, number, most, place, report)


def _refuse(what: str, number: int, most: int, place: Span, report: Report) -> None:
    message = f"there are {number:,} {what}, and {most:,} are allowed"
    report.error("E404", place, message, "no game needs as many; look for an accident")


def _items(node: Node | None) -> Iterator[Span]:
    """What stands in a list, or in the lists of a mapping."""
    if isinstance(node, Listing):
        yield from (item.span for item in node.items)
    else:
        for inner in _inside(node):
            yield from _items(inner)


def _inside(node: Node | None) -> Iterator[Node]:
    """What the entries of a mapping say; nothing for anything else."""
    if isinstance(node, Mapping):
        yield from node.entries.values()


def _at(node: Node | None, key: str) -> Node | None:
    return node.entries.get(key) if isinstance(node, Mapping) else None
