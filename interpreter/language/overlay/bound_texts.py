"""Texts that are bound to what they describe: where a file above changes that and not the text, the text is left out.

So a house rule leaves no sentence behind that is not true any more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Mapping as Map
from dataclasses import dataclass, replace
from functools import cached_property

from interpreter.base.diagnostics import Report, Span
from interpreter.language.overlay.parts import ASPECTS, KeyPath, is_null, with_entry, without
from interpreter.language.source import Listing, Mapping, Node, Scalar

OF_ACTION: Map[str, tuple[str, ...]] = {
    "tell": ("choose", "effect", "row"),
    "prompt": ("choose", "effect", "row"),
    "rule": ("when", "choose", "effect", "row", "count"),
}
"""The texts of an action, and what each describes."""
OF_STAGE: Map[str, tuple[str, ...]] = {"prompt": ("kind", "actions", "from", "resolve")}
OF_LAW: Map[str, tuple[str, ...]] = {"rule": ("law",)}
OF_CARD: Map[str, tuple[str, ...]] = {"tell": ("choose", "effect"), "rule": ("say", "choose", "effect")}
OF_SCORE: Map[str, tuple[str, ...]] = {"rule": ("when", "else", "for", "points"), "because": ("when",)}
RULES = (
    "teams", "pack", "ranks", "suits", "orders", "zones", "tokens", "state", "values", "cards", "melds", "define",
    "flow", "honor",
)  # fmt: skip
"""What a text of `how` describes that does not say what it is about."""
HOW = "how"
GROUPS = ("actions", "anytime")
LAWS = frozenset({"must"})
"""What tells itself, each law by its own words."""
JOINED = frozenset(GROUPS)
"""Where what is new stands beside what was there, and makes nothing untrue that is told of that."""
SILENT = frozenset({"doc", "tell", "prompt", "quiet", "label", "also", "say", "rule", "message", "because"})
"""What of an action may change without what it does."""
COUNTS, COUNTED = "{n ", frozenset({"count", "where"})
"""How a text begins to tell how many cards it is about, and what may change then without it."""
SETTINGS = frozenset({"default", "doc", "min", "max", "refuse", "length", "choices"})
"""What of an option, or of a definition, may change below a text that names it: the text tells it as it is."""
OF_DOC: Map[str, frozenset[str]] = {
    "options": SETTINGS,
    "zones": SILENT,
    "state": SETTINGS | {"lasts", "seen by"},
    "values": SILENT,
    "define": SILENT | {"seen by"},
    "cards": SILENT | LAWS,
    "flow": SILENT | LAWS,
}
"""The sections whose parts have a `doc`, and what of a part may change below it."""
USING = frozenset({"define", "cards", "flow"})
"""Sections in which a `doc` also tells of the definitions that its part names."""
TOLD, QUOTED = 12, 40
"""So many texts are named at one change, and so many letters of each."""
_WORD = re.compile(r"[A-Za-z_]\w*")
_SLOT = re.compile(r"\{([^{}]*)\}")
_ASKS = re.compile(r"(?:(?:By|In|On|With|To|For|From) )?(?:Whether|Who|Whose|Whom|What|Which|How|Where|When)\b", re.I)
_ANSWERS = re.compile(
    r"[,;:]|\.\s|\s-\s|\d|\b(?:none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|"
    r"only|never|always|not|no|highest|lowest)\b", re.I,
)  # fmt: skip


def without_stale_texts(
    root: Mapping, layers: Map[str, Mapping], removed: Map[KeyPath, Span], report: Report
) -> Mapping:
    """The ruleset without texts that describe what a later file has changed; each is told of at that change.

    layers: what each file holds, the base first, by its path. removed: what they took out, by path.
    """
    if len(layers) < 2:
        return root
    return _Texts(root, layers, removed, report).kept()


class _Texts:
    """Goes through the texts of a ruleset that several files make."""

    def __init__(self, root: Mapping, layers: Map[str, Mapping], removed: Map[KeyPath, Span], report: Report) -> None:
        self._root, self._removed, self._report = root, removed, report
        self._order = {file: at for at, file in enumerate(layers)}
        self._layers = list(layers.values())
        self._used: dict[str, frozenset[str]] = {}
        """Definition -> itself and those that it uses."""
        self._latest: dict[tuple[int, frozenset[str]], tuple[Node, Span | None]] = {}
        """Node, by its identity, and what is set apart -> where the latest file has written in it first."""
        self._named: dict[int, tuple[Node, frozenset[str]]] = {}
        """Node, by its identity -> the definitions that it names. It is kept, so that no other gets its identity."""
        self._left_out: dict[Span, dict[_Lost, list[str]]] = {}
        """Place of a change -> the texts that it makes untrue, each with the parts that have it."""

    def kept(self) -> Mapping:
        root = self._documented(self._root)
        root = self._each(root, "flow", self._stage)
        root = self._each(root, "cards", self._card)
        how = root.entries.get("how")
        root = with_entry(root, "how", self._how(how), root.keys["how"]) if isinstance(how, Mapping) else root
        for at, texts in self._left_out.items():
            self._warn(at, texts)
        return root

    def _lose(self, at: Span, kind: str, name: str, text: Node, holder: str = "") -> None:
        """A text is left out for what is changed at a place. holder: the action or stage in which it stands."""
        holders = self._left_out.setdefault(at, {}).setdefault(_Lost(kind, name, _quoted(text)), [])
        if holder and holder not in holders:
            holders.append(holder)

    def _warn(self, at: Span, texts: Map[_Lost, list[str]]) -> None:
        """Tell of all texts that one change makes untrue at once."""
        told = [lost.told(holders) for lost, holders in texts.items()]
        some = told if len(told) <= TOLD else [*told[: TOLD - 1], f"{len(told) - TOLD + 1} more texts"]
        one = len(told) == 1
        message = f"{_joined(some)} {'was' if one else 'were'} written for what is changed here, so "
        kinds = {lost.kind for lost in texts}
        hint = "say anew what is so now, or null for what needs no word"
        if len(kinds) == 1 and HOW not in kinds:
            hint = f"say '{min(kinds)}' anew, or '{min(kinds)}: null' if it needs none"
        self._report.warning("W309", at, f"{message}{'it is' if one else 'they are'} left out", hint)

    def _each(self, node: Mapping, key: str, of: Kept) -> Mapping:
        """A mapping with each entry of what stands at a key as it is kept."""
        found = node.entries.get(key)
        if not isinstance(found, Mapping):
            return node
        kept = {name: of(n, name) if isinstance(n, Mapping) else n for name, n in found.entries.items()}
        return with_entry(node, key, Mapping(kept, found.keys, found.span), node.keys[key])

    def _stage(self, stage: Mapping, name: str) -> Mapping:
        for group in GROUPS:
            stage = self._each(stage, group, self._action)
        for half in ("lead", "follow"):
            part = stage.entries.get(half)
            if isinstance(part, Mapping):
                stage = with_entry(stage, half, self._laws(part, name), stage.keys[half])
        return self._without_stale(self._each(stage, "score", self._row), OF_STAGE, name)

    def _action(self, action: Mapping, name: str) -> Mapping:
        return self._without_stale(self._laws(action, name), OF_ACTION, name)

    def _laws(self, part: Mapping, holder: str) -> Mapping:
        return self._each(part, "must", lambda law, name: self._without_stale(law, OF_LAW, name, holder))

    def _card(self, row: Mapping, name: str) -> Mapping:
        return self._without_stale(self._laws(row, name), OF_CARD, name)

    def _row(self, row: Mapping, name: str) -> Mapping:
        return self._without_stale(row, OF_SCORE, name)

    def _without_stale(self, node: Mapping, texts: Map[str, tuple[str, ...]], name: str, holder: str = "") -> Mapping:
        """What holds texts, without those that are older than what they describe."""
        for text, described in texts.items():
            if text not in node.entries or is_null(node.entries[text]):
                continue
            written = self._written(node.entries[text])
            apart = SILENT | COUNTED if COUNTS in _words(node.entries[text]) else SILENT
            parts = [(node.entries[key], _own(node, key)) for key in described if key in node.entries]
            told = _told(node.entries[text])
            at = self._change(parts, apart, written)
            if at is None and text == "rule":
                at = self._change(self._told(node.entries[text]), SETTINGS, written)
                at = at or self._change(self._defined(parts, told), apart, written)
            if at is not None:
                self._lose(at, text, name, node.entries[text], holder)
                node = without(node, (text,))
        return node

    def _change(self, parts: Sequence[_Part], apart: frozenset[str], written: int) -> Span | None:
        """Where a file above the one that has written a text changes what it describes, if one does."""
        found = [span for node, own in parts for span in (*own, self._last(node, apart)) if span is not None]
        return self._later(found, written)

    def _later(self, spans: Iterable[Span], written: int) -> Span | None:
        """The first of the places that files above the one that has written a text have written."""
        later = [span for span in spans if self._order.get(span.file, 0) > written]
        return min(later, key=self._place) if later else None

    def _last(self, node: Node, apart: frozenset[str]) -> Span | None:
        """Where the latest of the files that have written something has written first."""
        if (id(node), apart) not in self._latest:
            self._latest[id(node), apart] = node, min(_spans(node, apart), key=self._place, default=None)
        return self._latest[id(node), apart][1]

    def _place(self, span: Span) -> tuple[int, int, int]:
        """The order in which places are told: the latest file first."""
        return -self._order.get(span.file, 0), span.line, span.column

    def _written(self, text: Node) -> int:
        """Which of the files has written a text, or the last part of it."""
        return max((self._order.get(span.file, 0) for span in _spans(text, frozenset())), default=0)

    # ---- how to play ------------------------------------------------------------------------------------

    def _how(self, how: Mapping) -> Mapping:
        """The texts about the whole game that are still true."""
        for aspect in ASPECTS:
            part = how.entries.get(aspect)
            if isinstance(part, Mapping):
                gone = {name: at for name, node in part.entries.items() if (at := self._stale(node)) is not None}
                for name, at in gone.items():
                    self._lose(at, HOW, f"{aspect}.{name}", part.entries[name])
                how = with_entry(how, aspect, without(part, gone), how.keys[aspect])
            elif isinstance(part, Scalar) and (at := self._stale(part)) is not None:
                self._lose(at, HOW, aspect, part)
                how = without(how, (aspect,))
        return how

    def _stale(self, text: Node) -> Span | None:
        """What has made a text about the whole game untrue, if anything has."""
        if is_null(text):
            return None
        of = text.entries.get("of") if isinstance(text, Mapping) else None
        places = [of] if isinstance(of, Scalar) else list(of.items) if isinstance(of, Listing) else []
        parts = [self._at(place.text.split(".")) for place in places if isinstance(place, Scalar)]
        if not places:
            parts = [self._at([key]) for key in RULES]
        written = self._written(text)
        at = self._change(parts, SILENT, written) or self._change(self._told(text), SETTINGS, written)
        return at or (self._change(self._defined(parts, _told(text)), SILENT, written) if places else None)

    def _told(self, text: Node) -> list[_Part]:
        """What a text names itself that may mean something else now: options of another kind, definitions."""
        names = sorted(_told(text))
        defined = [self._at(["define", name]) for name in names if not self._is_number(name)]
        return [*(self._at(["options", name]) for name in names), *defined]

    def _at(self, way: Sequence[str]) -> _Part:
        """What stands at a place, and where something in it was taken out, or all of it."""
        gone = [span for path, span in self._removed.items() if all(map(str.__eq__, way, path))]
        node: Node = self._root
        own: tuple[Span, ...] = ()
        for step in way:
            named = {name.split("(")[0].strip(): name for name in node.entries} if isinstance(node, Mapping) else {}
            if not isinstance(node, Mapping) or step not in named:
                return Listing((), node.span), tuple(gone)
            own = _own(node, named[step])
            node = node.entries[named[step]]
        return node, (*own, *gone)

    # ---- what a part is -----------------------------------------------------------------------------------

    def _documented(self, root: Mapping) -> Mapping:
        """The ruleset without each `doc` of a part that is something else now."""
        for section, apart in OF_DOC.items():
            entries = root.entries.get(section)
            if isinstance(entries, Mapping):
                kept = {name: self._without_doc(part, (section, name), apart) for name, part in entries.entries.items()}
                root = with_entry(root, section, Mapping(kept, entries.keys, entries.span), root.keys[section])
        return root

    def _without_doc(self, part: Node, way: KeyPath, apart: frozenset[str]) -> Node:
        """A part, and the actions in it, without a `doc` that is older than what stands beside it."""
        if not isinstance(part, Mapping):
            return part
        if way[0] == "flow" and len(way) == 2:
            for group in GROUPS:
                part = self._actions_told(part, (*way, group))
        doc = part.entries.get("doc")
        if not isinstance(doc, Scalar) or _only_names(doc.text, way[0]):
            return part
        written = self._written(doc)
        gone = [
            span for path, span in self._removed.items()
            if len(path) > len(way) and all(map(_same_name, way, path)) and apart.isdisjoint(path[len(way) :])
        ]  # fmt: skip
        at = self._later([*self._changed(part, way, apart, written), *gone], written)
        if at is None and way[0] in USING and _ANSWERS.search(doc.text.strip().rstrip(".")):
            names = frozenset(_WORD.findall(_words(part, LAWS))) & self._definitions.keys() - {way[-1].split("(")[0]}
            at = self._change([self._definitions[name] for name in sorted(names)], SILENT, written)
        if at is None:
            return part
        self._lose(at, "doc", way[-1].split("(")[0], doc, way[1] if len(way) > 2 else "")
        if "effect" in part.entries and way[0] == "define":  # it is still told once, under its name
            return with_entry(part, "doc", replace(doc, value="", text=""), part.keys["doc"])
        return without(part, ("doc",))

    def _actions_told(self, stage: Mapping, way: KeyPath) -> Mapping:
        """A stage whose actions have no `doc` that is older than what they do."""

        def told(action: Mapping, name: str) -> Mapping:
            kept = self._without_doc(action, (*way, name), OF_DOC["flow"])
            return kept if isinstance(kept, Mapping) else action

        return self._each(stage, way[-1], told)

    def _changed(self, node: Mapping, way: KeyPath, apart: frozenset[str], written: int) -> Iterator[Span]:
        """Where files have written in a part, less whatever joins others: an action, a row of a table."""
        joins = way[-1] in JOINED or (way[0] == "values" and len(way) == 2)
        for key, value in node.entries.items():
            inner = (*way, key)
            if key in apart or (joins and not any(_has(layer, inner) for layer in self._layers[: written + 1])):
                continue
            if isinstance(value, Mapping):
                yield from self._changed(value, inner, apart, written)
            else:
                yield node.keys[key]
                yield from _spans(value, apart)

    # ---- what is defined --------------------------------------------------------------------------------

    def _defined(self, parts: Sequence[_Part], told: frozenset[str]) -> list[_Part]:
        """The definitions that something uses, directly or through others, less the numbers that the text tells."""
        names = frozenset[str]().union(*(self._names(node) for node, _ in parts))
        used = {inner for name in names for inner in self._uses(name)}
        return [self._definitions[name] for name in sorted(used) if not (name in told and self._is_number(name))]

    def _is_number(self, name: str) -> bool:
        """Whether a definition is no more than a number, which a text that names it tells as it is."""
        node = self._definitions[name][0] if name in self._definitions else None
        value = node.entries.get("value") if isinstance(node, Mapping) else node
        return isinstance(value, Scalar) and type(value.value) is int

    def _names(self, node: Node) -> frozenset[str]:
        """The definitions that something names."""
        if id(node) not in self._named:
            self._named[id(node)] = node, frozenset(_WORD.findall(_words(node))) & self._definitions.keys()
        return self._named[id(node)][1]

    def _uses(self, name: str) -> frozenset[str]:
        """A definition and those that it uses, directly or through others."""
        if name not in self._used:
            found, todo = set[str](), [name]
            while todo:
                inner = todo.pop()
                if inner not in found:
                    found.add(inner)
                    todo += self._names(self._definitions[inner][0])
            self._used[name] = frozenset(found)
        return self._used[name]

    @cached_property
    def _definitions(self) -> dict[str, _Part]:
        define = self._root.entries.get("define")
        entries = define.entries if isinstance(define, Mapping) else {}
        assert define is None or isinstance(define, Mapping)
        return {key.split("(")[0].strip(): (entries[key], _own(define, key)) for key in entries} if define else {}


_Part = tuple[Node, tuple[Span, ...]]
"""Something that a text describes, and where its key stands."""
Kept = Callable[[Mapping, str], Mapping]


def _own(node: Mapping, key: str) -> tuple[Span, ...]:
    """Where a key stands that holds no mapping: one that does is merged, and what is in it tells who has changed it."""
    return () if isinstance(node.entries[key], Mapping) else (node.keys[key],)


@dataclass(frozen=True)
class _Lost:
    """A text that is left out: its key, or HOW; what it is of; how it begins."""

    kind: str
    name: str
    quoted: str

    def told(self, holders: Sequence[str]) -> str:
        of = f"'{self.name}' of 'how'" if self.kind == HOW else f"'{self.kind}' of '{self.name}'"
        within = f" in {_joined([repr(str(holder)) for holder in holders])}" if holders else ""
        return f"{of}{within} (“{self.quoted}”)"


def _joined(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def _quoted(text: Node) -> str:
    """How a text begins."""
    while not isinstance(text, Scalar):
        inner = list(text.items) if isinstance(text, Listing) else [n for k, n in text.entries.items() if k == "text"]
        if not inner:
            return ""
        text = inner[0]
    said = " ".join(text.text.split())
    return said if len(said) <= QUOTED else f"{said[:QUOTED].rsplit(' ', 1)[0].rstrip(' ,;:.')} …"


def _only_names(doc: str, section: str) -> bool:
    """Whether a text only says what is asked, as in `Whether the player can act`, and so holds whatever the answer.

    Of a zone or a variable any text is like that that has no number and nothing that limits it.
    """
    said = doc.strip().rstrip(".")
    return (section in ("zones", "state") or _ASKS.match(said) is not None) and _ANSWERS.search(said) is None


def _same_name(one: str, other: str) -> bool:
    """Whether two keys name the same, whatever parameters a definition has."""
    return one.split("(")[0].strip() == other.split("(")[0].strip()


def _has(layer: Node, way: KeyPath) -> bool:
    """Whether there is something at a place of one file."""
    for step in way:
        if not isinstance(layer, Mapping) or step not in layer.entries:
            return False
        layer = layer.entries[step]
    return True


def _told(text: Node) -> frozenset[str]:
    """The names in the slots of a text, and in the condition on which it is told."""
    match text:
        case Listing():
            return frozenset().union(*map(_told, text.items))
        case Mapping():
            when = text.entries.get("when")
            names = frozenset(_WORD.findall(when.text)) if isinstance(when, Scalar) else frozenset()
            return names.union(*(_told(text.entries[key]) for key in ("text",) if key in text.entries))
    return frozenset(name for slot in _SLOT.findall(text.text) for name in _WORD.findall(slot))


def _words(node: Node, apart: frozenset[str] = frozenset()) -> str:
    """All the words of a text, of what stands for it too, but for some keys."""
    if isinstance(node, Mapping):
        return " ".join(_words(n, apart) for key, n in node.entries.items() if key != "doc" and key not in apart)
    return " ".join(_words(item, apart) for item in node.items) if isinstance(node, Listing) else node.text


def _spans(node: Node, apart: frozenset[str]) -> Iterator[Span]:
    """Where what a node holds was written, but for some keys."""
    if isinstance(node, Mapping):
        for key, value in node.entries.items():
            if key not in apart:
                if not isinstance(value, Mapping):
                    yield node.keys[key]
                yield from _spans(value, apart)
    elif isinstance(node, Listing):
        for item in node.items:
            yield from _spans(item, apart)
    else:
        yield node.span
