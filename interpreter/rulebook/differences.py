"""How two games differ, in the words of their books."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from interpreter.rulebook.book import Book, Grid, Item, Section

Path = tuple[str, ...]
_LEFT_OUT = ("Notes",)
_ALIKE = 0.6
"""Two rules without a name are the same rule, changed, if their words agree so far."""
_KINDS = {
    "Options": "option",
    "Variants": "variant",
    "What the cards do": "the power of",
    "What words mean": "the term",
    "On honour": "on honour",
}


def differences(one: Book, other: Book) -> list[str]:
    """What is different in the other book, a sentence each; empty if nothing is."""
    before, after = dict(_rules(one)), dict(_rules(other))
    pairs = _pairs(before, after)
    found: list[str] = []
    for path in [*before, *(p for p in after if p not in before)]:
        if any(path[:n] in before and path[:n] not in after for n in range(1, len(path))):
            continue  # what it belongs to is gone as a whole
        if path in pairs:
            *place, now = pairs[path]
            found.append(f"{_named(tuple(place))}: {now} (before: {path[-1]})")
        elif path not in pairs.values():
            found += _told(path, before.get(path), after.get(path))
    return found


def _pairs(before: dict[Path, str], after: dict[Path, str]) -> dict[Path, Path]:
    """Rules without a name that have changed: before -> after."""
    found: dict[Path, Path] = {}
    fresh = [path for path in after if path not in before and not after[path]]
    for path in before:
        if path in after or before[path]:
            continue
        for new in fresh:
            if new[:-1] == path[:-1] and SequenceMatcher(None, path[-1], new[-1]).ratio() >= _ALIKE:
                found[path] = new
                fresh.remove(new)
                break
    return found


def _told(path: Path, before: str | None, after: str | None) -> Iterator[str]:
    if before == after:
        return
    if path[0] == "Tables" and len(path) == 3:
        _, table, card = path
        if after is None:
            yield f"{card} has no line of its own any more in the table “{table}” (it was {before})"
        else:
            yield f"{card} now counts {after}{f' instead of {before}' if before is not None else ''} (table “{table}”)"
        return
    named = _named(path)
    if before is None:
        yield f"new: {named}" + (f": {after}" if after else "")
    elif after is None:
        yield f"no longer: {named}" + (f": {before}" if before else "")
    else:
        now, was = _shortened(after, before)
        yield f"{named}: {now or 'nothing more'}" + (f" (before: {was})" if was else "")


def _named(path: Path) -> str:
    if path[0] == "What the cards do" and path[1:]:
        path = (path[0], path[1][0].lower() + path[1][1:], *path[2:])
    kind = _KINDS.get(path[0], "")
    return f"{kind} {', '.join(path[1:])}".strip() if path[1:] else f"the chapter “{path[0]}”"


def _shortened(after: str, before: str) -> tuple[str, str]:
    """Both texts without the sentences with which both end."""
    now, was = after.split(". "), before.split(". ")
    while len(now) > 1 and len(was) > 1 and now[-1] == was[-1]:
        now.pop()
        was.pop()
    return ". ".join(now).rstrip("."), ". ".join(was).rstrip(".")


def _rules(book: Book) -> Iterator[tuple[Path, str]]:
    for section in book.sections:
        if section.title not in _LEFT_OUT:
            yield from _section_rules(section, (section.title,))


def _section_rules(section: Section, path: Path) -> Iterator[tuple[Path, str]]:
    yield path, ""
    if section.lead:
        yield (*path, "in short"), section.lead
    for block in section.blocks:
        if isinstance(block, Grid):
            table = block.title.split(":")[0]
            for first, *cells in block.rows:
                yield (*path, *([table] if table else []), first), ", ".join(c for c in cells if c)
        else:
            yield from _item_rules(block, path)
    for inner in section.sections:
        yield from _section_rules(inner, (*path, f"“{inner.title.lower()}”"))


def _item_rules(item: Item, path: Path) -> Iterator[tuple[Path, str]]:
    """An item with a term is known by it; one without is a rule of its own, known by its words."""
    if not item.term:
        yield (*path, _whole(item)), ""
        return
    here = (*path, item.term)
    yield here, item.text
    for inner in item.below:
        yield from _item_rules(inner, here)


def _whole(item: Item) -> str:
    return " ".join([item.text, *(_whole(inner) for inner in item.below)]).strip()
