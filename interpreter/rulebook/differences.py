"""How two games differ, in the words of their books."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property

from interpreter.rulebook.book import Block, Book, Item, Section
from interpreter.rulebook.grammar import sentence
from interpreter.rulebook.seats import Drawing

Path = tuple[str, ...]
_LEFT_OUT = ("Notes",)
_ALIKE = 0.6
"""Two rules without a name are the same rule, changed, if their words agree so far."""
_NEAR = 12
"""With so many rules of the other game one is compared, those that stand at about the same point: it takes long."""
_LETTERS = 120
"""Longer rules are compared word by word, as far as they have so many words."""
_PAIRS = 40_000
"""Rules in a row of one game times those of the other: of more, what stays is found in a way that takes less long."""
_KINDS = {
    "Tables": "the table",
    "Options": "option",
    "Variants": "variant",
    "What the cards do": "the power of",
    "What words mean": "the term",
    "On honour": "on honour",
}
_OFF = re.compile(
    r"(no limit|this is not played|nothing has to be said) with the options chosen"
    r"|with the options chosen, this is left out",
    re.IGNORECASE,
)
_HALF = re.compile(r"When you (do not )?lead: ")


@dataclass(frozen=True)
class _Rule:
    """A chapter, stage, action, law, row or step. One with a name is known by it, one without by its words."""

    name: str
    text: str
    below: tuple[_Rule, ...] = ()
    short: bool = field(default=False, compare=False)
    """Whether the text sums up what is below it."""
    described: bool = field(default=False, compare=False)
    """Whether the text is no more than words for what is below it: where they are left out, no rule is gone."""

    @cached_property
    def words(self) -> str:
        return " ".join([self.text, *(rule.words for rule in self.below)]).strip()

    @property
    def label(self) -> str:
        return self.name or self.text.rstrip(":.")

    @property
    def off(self) -> bool:
        """Whether the rule has no effect with the options chosen: it says so, or what stands right below it does."""
        own = _HALF.sub("", self.text, count=1)
        return bool(_OFF.match(own)) or any(_OFF.match(r.text) for r in self.below if r.name in ("", "When"))

    @property
    def steps(self) -> bool:
        """Whether nothing below the rule has a name."""
        return not any(rule.name or not rule.steps for rule in self.below)


def differences(one: Book, other: Book) -> list[str]:
    """What is different in the other book, a sentence each; empty if nothing is."""
    return list(_compared((), _chapters(one), _chapters(other)))


# ---- what there is to compare ---------------------------------------------------------------------------


def _chapters(book: Book) -> tuple[_Rule, ...]:
    return tuple(_section(s, s.title) for s in book.sections if s.title not in _LEFT_OUT)


def _section(section: Section, name: str) -> _Rule:
    blocks = (rule for block in section.blocks for rule in _block(block))
    inner = (_section(s, f"“{s.title.lower()}”") for s in section.sections)
    return _Rule(name, section.lead, (*blocks, *inner), short=True, described=True)


def _block(block: Block) -> tuple[_Rule, ...]:
    if isinstance(block, Item):
        return (_item(block),)
    if isinstance(block, Drawing):
        return ()
    rows = tuple(_Rule(first, ", ".join(c for c in cells if c)) for first, *cells in block.rows)
    title, _, doc = block.title.partition(": ")
    return (_Rule(f"“{title}”", doc, rows, short=True),) if title else rows


def _item(item: Item) -> _Rule:
    return _Rule(item.term, item.text, tuple(map(_item, item.below)), described=item.described)


def _repeated(rules: tuple[_Rule, ...]) -> set[str]:
    """The names that are no help to tell rules apart."""
    return {name for name, many in Counter(rule.name for rule in rules).items() if many > 1}


# ---- comparing ------------------------------------------------------------------------------------------


def _compared(place: Path, before: tuple[_Rule, ...], after: tuple[_Rule, ...]) -> Iterator[str]:
    """The rules without a name, step by step, then those with one: changed or gone, then new."""
    many = {"", *_repeated(before), *_repeated(after)}
    was, now = ({r.name: r for r in rules if r.name not in many} for rules in (before, after))
    yield from _steps(place, [r for r in before if r.name in many], [r for r in after if r.name in many])
    for name in [*was, *(name for name in now if name not in was)]:
        yield from _pair(place, was.get(name), now.get(name))


def _pair(place: Path, before: _Rule | None, after: _Rule | None) -> Iterator[str]:
    """What one rule has become. One that is off is as good as none, unless it is off in both."""
    if not (before and after and before.off and after.off):
        before = None if before and before.off else before
        after = None if after and after.off else after
    if before is None and after is not None:
        yield from _new(place, after)
    elif before is not None and after is None:
        yield _gone(place, before)
    elif before is not None and after is not None and before != after:
        yield from _changed((*place, after.label), *_as_steps(before, after))


def _changed(here: Path, before: _Rule, after: _Rule) -> Iterator[str]:
    if before.text != after.text and ((before.text and after.text) or not before.described):
        yield _reworded((*here, "in short") if after.short else here, before.text, after.text)
    yield from _compared(here, before.below, after.below)


def _as_steps(before: _Rule, after: _Rule) -> tuple[_Rule, _Rule]:
    """A rule that is one step and one that is several, both as several."""
    return before if before.below else _split(before, after), after if after.below else _split(after, before)


def _split(one: _Rule, several: _Rule) -> _Rule:
    """One step as the only one of several, below what they have in common."""
    rest = one.text.removeprefix(several.text).strip() if several.below and several.steps else ""
    if not rest or (rest == one.text and several.text):
        return one
    return _Rule(one.name, several.text, (_Rule("", rest),), one.short)


def _steps(place: Path, before: list[_Rule], after: list[_Rule]) -> Iterator[str]:
    """Rules that are known by their words alone: those that stay are set aside, then those that are alike."""
    gone, new = _unmatched(before, after)
    yield from _moved(place, gone, new)
    for left, rest, word in ((gone, after, "less"), (new, before, "more")):
        there = set(rest)
        found = Counter(step for step in left if step in there)
        left[:] = [step for step in left if step not in found]
        for step, times in found.items():
            yield f"{_named(place)}: {'once' if times == 1 else f'{times} times'} {word}: {_whole(step)}"
    for was, now in _take_alike(gone, new):
        yield from _step(place, was, now)
    for step in gone:
        yield from _pair(place, step, None)
    for step in new:
        yield from _pair(place, None, step)


def _moved(place: Path, gone: list[_Rule], new: list[_Rule]) -> Iterator[str]:
    """Takes out what is only in another order."""
    both = Counter(gone) & Counter(new)
    gone[:], moved = _apart(gone, both)
    new[:], _ = _apart(new, both)
    for step in moved:
        yield f"{_named(place)}: at another point: {_whole(step)}"


def _apart(rules: list[_Rule], both: Counter[_Rule]) -> tuple[list[_Rule], list[_Rule]]:
    """The rules of one game alone, and those of both, which are the first so many of each."""
    alone, shared, left = list[_Rule](), list[_Rule](), Counter(both)
    for rule in rules:
        (shared if left[rule] else alone).append(rule)
        left[rule] -= left[rule] > 0
    return alone, shared


def _take_alike(gone: list[_Rule], new: list[_Rule]) -> list[tuple[_Rule, _Rule]]:
    """Takes out the pairs of what has changed."""
    pairs, left = list[tuple[_Rule, _Rule]](), list[_Rule]()
    for number, was in enumerate(gone):
        start = max(0, min(number - len(pairs) - _NEAR // 2, len(new) - _NEAR))
        near = [now for now in new[start : start + _NEAR] if was.name == now.name]
        scored = [(_likeness(was, now), now) for now in near]
        alike = [(score, now) for score, now in scored if score >= _ALIKE or _has_become(was, now)]
        if alike:
            _, now = max(alike, key=lambda scored: scored[0])
            pairs.append((was, now))
            new.remove(now)
        else:
            left.append(was)
    gone[:] = left
    return pairs


def _step(place: Path, was: _Rule, now: _Rule) -> Iterator[str]:
    one, other = _opened(was, now) or _opened(now, was, turned=True) or (was, now)
    if one.label == other.label and one.below and other.below:
        yield from _changed((*place, other.label), one, other)
    elif was.off != now.off:
        yield from _pair(place, was, now)
    else:
        yield _reworded(place, _whole(was), _whole(now))


def _unmatched(before: list[_Rule], after: list[_Rule]) -> tuple[list[_Rule], list[_Rule]]:
    """What is not in both, in the order in which it stands."""
    one, other = ([f"{rule.name} {rule.words}" for rule in rules] for rules in (before, after))
    gone, new = list[_Rule](), list[_Rule]()
    if len(one) * len(other) > _PAIRS:
        kept = _in_order(one, other)
        was, now = {i for i, _ in kept}, {j for _, j in kept}
        gone = [rule for i, rule in enumerate(before) if i not in was]
        return gone, [rule for j, rule in enumerate(after) if j not in now]
    for kind, low, high, start, end in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind != "equal":
            gone += before[low:high]
            new += after[start:end]
    return gone, new


def _in_order(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """Places of what is in both, in the same order, as many as there are of the first, second, third... that are equal.

    It takes so long as sorting them: those that come in order are piled up, the least last on each pile.
    """
    places: dict[str, deque[int]] = defaultdict(deque)
    for j, text in enumerate(other):
        places[text].append(j)
    pairs = [(i, places[text].popleft()) for i, text in enumerate(one) if places[text]]
    tops: list[int] = []
    last: list[int] = []  # for each pile the pair on it
    before: list[int] = []  # for each pair the one that it follows, or -1
    for number, (_, j) in enumerate(pairs):
        pile = bisect_left(tops, j)
        before.append(last[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [j]
        last[pile : pile + 1] = [number]
    found, number = [], last[-1] if last else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found


def _has_become(one: _Rule, other: _Rule) -> bool:
    """Whether one is the other, although they say different things: what is below them has changed."""
    return one.text == other.text or bool(_opened(one, other) or _opened(other, one))


def _likeness(one: _Rule, other: _Rule) -> float:
    short, long = sorted((one.words.rstrip("."), other.words.rstrip(".")), key=len)
    if short and long.startswith(f"{short}, "):
        return 1.0  # the same, but in one case only
    if len(long) > _LETTERS:
        was, now = (rule.words.split(maxsplit=_LETTERS)[:_LETTERS] for rule in (one, other))
        return _ratio(SequenceMatcher(None, was, now))
    return _ratio(SequenceMatcher(None, one.words, other.words, autojunk=False))


def _ratio(matcher: SequenceMatcher[str]) -> float:
    """How far two texts agree, from 0 to 1; where they are not alike, no less than that."""
    quick = min(matcher.real_quick_ratio(), matcher.quick_ratio())
    return matcher.ratio() if quick >= _ALIKE else quick


def _opened(several: _Rule, one: _Rule, turned: bool = False) -> tuple[_Rule, _Rule] | None:
    """`If A: B. C.` and `If A, B.`, which is told in a line of its own, both as several steps."""
    head = several.text.removesuffix(":")
    if not several.below or head == several.text or not one.text.startswith((f"{head}, ", f"{head}: ")):
        return None
    step = _Rule("", sentence(one.text[len(head) + 2 :]), one.below)
    if not any(_likeness(step, rule) >= _ALIKE for rule in several.below[:_NEAR]):
        return None
    found = _Rule(several.name, several.text, (step,))
    return (found, several) if turned else (several, found)


# ---- telling --------------------------------------------------------------------------------------------


def _new(place: Path, rule: _Rule) -> Iterator[str]:
    here = (*place, rule.name) if rule.name else place
    if _row(here):
        yield f"{rule.name} now counts {rule.text} (table {here[1]})"
    elif not rule.name:
        yield f"new: {_named(here)}, {_whole(rule)}"
    else:
        joined = rule.steps and not rule.short
        words = rule.words if joined else "" if not place else rule.text
        yield f"new: {_named(here)}" + (f": {words}" if words else "")
        for inner in () if joined else rule.below:
            yield from _pair(here, None, inner)


def _gone(place: Path, rule: _Rule) -> str:
    here = (*place, rule.name) if rule.name else place
    if _row(here):
        return f"{rule.name} has no line of its own any more in the table {here[1]} (it was {rule.text})"
    if not rule.name:
        return f"no longer: {_named(here)}, {_whole(rule)}"
    words = rule.words if rule.steps and not rule.short else "" if not place else rule.text
    return f"no longer: {_named(here)}" + (f": {words}" if words else "")


def _reworded(here: Path, before: str, after: str) -> str:
    if _row(here):
        return f"{here[2]} now counts {after} instead of {before} (table {here[1]})"
    if not before or not after:
        return f"{_named(here)}: {'new' if after else 'no longer'}: {after or before}"
    now, was = _shortened(after, before)
    return f"{_named(here)}: {now} (before: {was})"


def _row(here: Path) -> bool:
    return here[0] == "Tables" and len(here) == 3 and here[2] != "in short"


def _whole(rule: _Rule) -> str:
    return f"{rule.name}: {rule.words}" if rule.name else rule.words


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
