"""The names that a ruleset declares, by what they are names of; and the same ruleset with other names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from fuzz.places import Path, Spot, Tree, spots
from interpreter.language.keywords import KEYWORDS

WORD = re.compile(r"[A-Za-z_]\w*")
_DEFINED = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:\((.*)\))?\s*")
_TOKENS = re.compile(r'"[^"\n]*"|(?<!\w)[A-Za-z_]\w*')
_SORTS = {
    "options": "option", "zones": "zone", "tokens": "token", "state": "variable", "values": "table",
    "flow": "stage", "actions": "action", "choose": "parameter", "laws": "law", "variants": "variant",
    "requirements": "requirement", "orders": "order",
}  # fmt: skip
MEANT = frozenset(
    # what the machine itself looks for by name, names that give a parameter its type, and words of the language
    (
        "match hand trick score play card player suit rank team cards p actor offender claimer claim decline silent "
        "players everyone others teams pack suits ranks dealer current leader led winner best honor points words when "
        "exact doc left right tricks place nothing need empty none clubs diamonds hearts spades red black number of in "
        "turn move name colour stock_piles all first second third any count sum min max true false claimers fee joker "
        "aside a at time one face packets trick_number "
    ).split()
)  # fmt: skip


def declared(tree: Tree) -> dict[str, str]:
    """Every name that is declared, with what it is a name of; one that is several things, as the last of them."""
    found: dict[str, str] = {}
    for spot in spots(tree):
        if not isinstance(spot.value, dict):
            if (spot.path[-1:] and spot.path[-2:-1] == ("choices",) and isinstance(spot.value, str)) or (
                spot.path[-2:-1] == ("choice",) and isinstance(spot.value, str)
            ):
                found.setdefault(spot.value, "word")
            continue
        if spot.kind == "define":
            for key in spot.value:
                name, params = defined(key)
                found[name] = "definition"
                for param in params:
                    found.setdefault(param, "argument")
        elif spot.kind in _SORTS:
            for key in spot.value:
                found[key] = _SORTS[spot.kind]
        elif spot.path[-1:] in (("with",), ("measured",)):
            for key in spot.value:
                found.setdefault(key, "argument")
    return {name: sort for name, sort in found.items() if WORD.fullmatch(name)}


@cache
def defined(key: str) -> tuple[str, tuple[str, ...]]:
    """`fits(card)` as its name and its parameters."""
    found = _DEFINED.fullmatch(key)
    if found is None:
        return key, ()
    return found[1], tuple(part.strip() for part in (found[2] or "").split(",") if part.strip())


def names_of(tree: Tree, *sorts: str) -> list[str]:
    return [name for name, sort in declared(tree).items() if sort in sorts]


def renamable(tree: Tree) -> list[str]:
    """The names that can be others without a difference."""
    return [
        name
        for name in declared(tree)
        if name not in MEANT and name not in KEYWORDS and not re.fullmatch(r"[PT]?\d+|[0-9AJQK]+[CDHS]?", name)
    ]


SENTENCES = {"tell", "prompt"}
"""Keys whose texts have slots."""

# ---- other names ------------------------------------------------------------------------------------------------


def renamed(tree: Tree, names: Mapping[str, str]) -> Tree:
    """The ruleset with other names, wherever they stand."""
    return _renamed(tree, {spot.path: spot for spot in spots(tree)}, (), names)


def _renamed(value: Tree, known: Mapping[Path, Spot], path: Path, names: Mapping[str, str]) -> Tree:
    spot = known[path]
    if isinstance(value, list):
        return [_renamed(item, known, (*path, at), names) for at, item in enumerate(value)]
    if isinstance(value, dict):
        own = _has_own_keys(spot)
        return {
            _key(spot, key, names) if own else key: _renamed(item, known, (*path, key), names)
            for key, item in value.items()
        }
    if not isinstance(value, str) or spot.fixed or spot.kind in ("doc", "text") or path[:1] in (("id",), ("notes",)):
        return value
    if "of" in path[-2:] and path[0] == "how":
        return _other_path(value.split("."), known, names)
    if value in names:
        return names[value]
    if spot.text in ("expr", "effect", "players", "range", "turns", "meld"):
        return in_text(value, names)
    if spot.text == "words":
        return in_braces(value, names)
    if SENTENCES & {str(part) for part in path[-3:]}:
        return in_slots(value, names, "tell" in path[-3:])
    return value


def _other_path(steps: Sequence[str], known: Mapping[Path, Spot], names: Mapping[str, str]) -> str:
    """The path of what a text describes; a step that is a key of the language keeps its name."""
    return ".".join(
        names.get(step, step) if (above := known.get(tuple(steps[:at]))) is None or _has_own_keys(above) else step
        for at, step in enumerate(steps)
    )


def in_slots(text: str, names: Mapping[str, str], told: bool) -> str:
    """A sentence with other names in its slots; what is told has slots of its own, which are no names."""
    own = ("actor", "cards", "receiver") if told else ("actor",)
    return re.sub(
        r"\{(\w+)\}", lambda found: "{%s}" % (found[1] if found[1] in own else names.get(found[1], found[1])), text
    )


def _has_own_keys(spot: Spot) -> bool:
    return (
        spot.named or spot.kind in ("define", *_SORTS) or "by" in spot.value
        or spot.path[-1:] in (("set",), ("with",), ("measured",), ("refuse",), ("laws",), ("label",))
    )  # fmt: skip


def _key(spot: Spot, key: str, names: Mapping[str, str]) -> str:
    if key == "by":
        return key
    if spot.kind == "define":
        return in_text(key, names)
    if spot.path[-1:] == ("label",):
        return in_text(key, names)
    return names.get(key, key)


def in_text(text: str, names: Mapping[str, str]) -> str:
    """A text of the effect language with other names; quoted words that are names, and what stands in braces, too."""

    def other(found: re.Match[str]) -> str:
        word = found[0]
        if word[0] != '"':
            return names.get(word, word)
        return f'"{names[word[1:-1]]}"' if word[1:-1] in names else in_braces(word, names)

    return _TOKENS.sub(other, text)


def in_braces(text: str, names: Mapping[str, str]) -> str:
    return re.sub(r"\{[^{}]*\}", lambda found: in_text(found[0], names), text)


def plain_words(names: Mapping[str, str]) -> Callable[[str], str]:
    """What makes two texts equal that differ in these names only, one of which may be the new name of another."""
    numbers: dict[str, str] = {}
    for at, (old, new) in enumerate(names.items()):
        alike = {numbers.get(old), numbers.get(new)} - {None}
        numbers |= dict.fromkeys([old, new, *(word for word, known in numbers.items() if known in alike)], f"§{at}")
    sought = re.compile(r"(?<!\w)(?:" + "|".join(re.escape(word) for word in sorted(numbers, key=len)) + r")(?!\w)")
    return lambda text: sought.sub(lambda found: numbers[found[0]], text) if numbers else text
