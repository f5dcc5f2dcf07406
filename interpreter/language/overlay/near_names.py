"""Names that are not there, or nearly: what is said about a name that an overlay removes, changes or adds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from interpreter.base.diagnostics import MOST_LETTERS, Span, nearest, suggest
from interpreter.language.overlay.parts import (
    ACTIONS,
    PLAIN,
    RULESET,
    KeyPath,
    Merge,
    Part,
    depends,
    is_null,
    name_in,
    replaces,
    where,
)
from interpreter.language.source import Mapping, Node, Scalar

NEARLY = 0.85
MOST_PAIRS = 5_000
"""Of all files that lie on one another, so many new names are compared with those that are there: it takes long."""
_NUMBER = re.compile("_?[0-9]+")


def comparisons() -> Iterator[int]:
    """One for each pair of names that may be compared."""
    return iter(range(MOST_PAIRS))


def blame_removal(name: str, at: Span, base: Mapping, part: Part, path: KeyPath, job: Merge) -> None:
    what = missing(name, part, where(path, job.ruleset))
    hint = _hint(name, base, part, path, job)
    job.report.error("E304", at, f"{what}, so it cannot be removed", hint)


def missing(name: str, part: Part, place: str) -> str:
    if part.rows:
        return f"there is no {part.noun} '{name}' in {place}"
    return f"no {part.noun} is called '{name}' in {place}" if part.noun else f"'{name}' is not set in {place}"


def check_new(
    name: str, at: Span, node: Node, base: Mapping, over: Mapping, part: Part, path: KeyPath, job: Merge
) -> None:
    entry = part.entry or PLAIN
    if _is_implied(name, part, path, job.base):
        return
    if not _stands_alone(node, entry) and not (entry.table and not _close(name, base, part)):
        hint = _hint(name, base, part, path, job)
        if entry.needs and not replaces(node):
            hint += f" (a new {part.noun} needs {_or(entry.needs)})"
        if (*path, name) in job.removed:
            hint = f"it is removed at {job.removed[*path, name]}"
        job.report.error("E305", at, missing(name, part, where(path, job.ruleset)), hint)
        return
    for (key, span), _ in zip(base.keys.items(), job.compared, strict=False):
        if not is_null(over.entries.get(key)) and _nearly(name, other := name_in(part, key)):
            message = f"the new {part.noun} '{name}' is called almost like '{other}' ({span})"
            job.report.warning("W301", at, message, f"to change '{other}', use its name")
            return


def _is_implied(name: str, part: Part, path: KeyPath, base: Mapping) -> bool:
    """Whether something is there without being written: a stage of tricks has the action `play`."""
    if part is not ACTIONS or name != "play":
        return False
    stage: Node | None = base
    for step in path[:-1]:
        stage = stage.entries.get(step) if isinstance(stage, Mapping) else None
    kind = stage.entries.get("kind") if isinstance(stage, Mapping) else None
    return isinstance(kind, Scalar) and kind.value == "trick"


def _stands_alone(node: Node, entry: Part) -> bool:
    if replaces(node):
        return False
    if not isinstance(node, Mapping) or not entry.needs:
        return True
    if not node.entries:  # `pass: {}` is a whole action, `deal: {}` is no whole stage
        return entry is ACTIONS.entry
    return depends(node, entry) or any(key in node.entries for key in entry.needs)


def _nearly(name: str, other: str) -> bool:
    if _NUMBER.sub("", name) == _NUMBER.sub("", other):  # heap and heap_2 are meant to be alike
        return False
    if max(len(name), len(other)) > MOST_LETTERS:
        return False
    pair = SequenceMatcher(None, name, other)
    return pair.quick_ratio() >= NEARLY and pair.ratio() >= NEARLY


def _close(name: str, base: Mapping, part: Part) -> str | None:
    """The key of `base` whose name is nearest to `name`, if any is near."""
    keys = {name_in(part, key): key for key in base.entries}
    close = nearest(name, sorted(keys))
    return None if close is None else keys[close]


def _hint(name: str, base: Mapping, part: Part, path: KeyPath, job: Merge) -> str:
    """Where the name is after all, else the nearest name and its place, else those there are."""
    for other, at in _elsewhere(name, part, path, job.base):
        return f"'{name}' is in {where(other, job.ruleset)} ({at})"
    close = _close(name, base, part)
    if close is not None:
        return f"did you mean '{name_in(part, close)}' ({base.keys[close]})?"
    names = (name_in(part, key) for key in base.entries)
    return suggest(name, names, part.plural if part.noun else "keys that are set")


def _elsewhere(name: str, part: Part, path: KeyPath, base: Mapping) -> Iterator[tuple[KeyPath, Span]]:
    """Other collections of the same kind that have an entry of that name."""
    if part.noun and not part.rows:
        for found, found_part, mapping in _collections(base, RULESET, ()):
            if found_part.noun == part.noun and found != path and name in mapping.entries:
                yield found, mapping.keys[name]


def _collections(node: Node, part: Part, path: KeyPath) -> Iterator[tuple[KeyPath, Part, Mapping]]:
    if not isinstance(node, Mapping) or part.whole:
        return
    if part.noun:
        yield path, part, node
    for key, value in node.entries.items():
        inner = part.entry or part.keys.get(key, PLAIN)
        if inner is not PLAIN:
            yield from _collections(value, inner, (*path, name_in(part, key)))


def _or(words: Sequence[str]) -> str:
    quoted = [f"'{word}'" for word in words[:6]]
    if len(words) > len(quoted):
        return ", ".join([*quoted, "..."])
    return " or ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)
