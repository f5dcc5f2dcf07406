"""Where it is written in a scenario what an error is about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.base.diagnostics import Span
from interpreter.base.signs import CUT, QUOTED
from interpreter.engine.chance import ChanceError
from interpreter.language.source import Listing, Node, Scalar
from interpreter.language.source import Mapping as MappingNode
from interpreter.proofs.scenarios import Scenario

MOST_SEARCHED, MOST_WORDS = 1_000, 12
"""Letters of an error, and words it quotes, that are looked for in the scenario to find its place."""


def fixed_at(scenario: Scenario, error: Exception) -> Span | None:
    """Where an outcome is written that cannot come about; None if the error is about none."""
    if not isinstance(error, ChanceError) or not error.place:
        return None
    node = fixed_outcome(scenario, error.place, error.left)
    if node is None:
        return None
    return next((place for word in _named_by(str(error)) for place in _written(node, word)), node.span)


def blamed_at(node: MappingNode, message: str) -> Span | None:
    """Where what an error of the set-up names is written, in what the scenario says before its steps."""
    head = [value for key, value in node.entries.items() if key not in ("game", "name", "covers", "steps", "doc")]
    subject = message[:MOST_SEARCHED].split(" ")[0].rstrip(":")
    for word in [*_named_by(message), _pattern(subject)]:
        places = [place for value in head for place in _written(value, word)]
        if places:
            return places[-1]
    return None


def fixed_outcome(scenario: Scenario, place: str, left: int) -> Node | None:
    """What a scenario fixes for a place of chance, such as "random" or "shuffle deal", with so many after it."""
    key, _, stage = place.partition(" ") if place.startswith("shuffle ") else (place, "", "")
    chance = scenario.node.get("chance")
    found = chance.get(key) if isinstance(chance, MappingNode) else None
    if found is None and key == "deck":
        found = scenario.node.get("deck")
    if stage:
        found = found.get(stage) if isinstance(found, MappingNode) else None
    alone = key in ("shuffle", "deck") and not (isinstance(found, Listing) and _is_nested(found))
    if alone or not isinstance(found, Listing) or left >= len(found.items):
        return found
    return found.items[len(found.items) - 1 - left]


def _is_nested(node: Listing) -> bool:
    return bool(node.items) and isinstance(node.items[0], Listing)


def _named_by(message: str) -> list[re.Pattern[str]]:
    """What an error quotes, as patterns that find it where it is written; those it quotes first, as it may be long."""
    quoted = re.findall(r"'([^']+)'", message[:MOST_SEARCHED])[:MOST_WORDS]
    return [_pattern(word) for word in quoted]


def _pattern(word: str) -> re.Pattern[str]:
    """A word by itself; of one that is cut short in the message, what is left of it."""
    if len(word) == QUOTED and word.endswith(CUT):
        return re.compile(rf"(?<!\w){re.escape(word.removesuffix(CUT))}")
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")


def _written(node: Node, word: re.Pattern[str]) -> Iterator[Span]:
    """The places where a word is a key, or stands in a value."""
    match node:
        case MappingNode():
            for key, value in node.entries.items():
                if word.match(key) if len(key) > QUOTED else word.fullmatch(key):
                    yield node.keys[key]
                yield from _written(value, word)
        case Listing():
            for item in node.items:
                yield from _written(item, word)
        case Scalar():
            found = word.search(node.text)
            if found is not None:
                yield node.place(found.start(), len(found[0]))
