"""The parts of a ruleset: what merging has to know about each place, and small questions about nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Map
from dataclasses import dataclass, field

from interpreter.base.diagnostics import Report, Span
from interpreter.language.source import Listing, Mapping, Node, Scalar

KeyPath = tuple[str, ...]

# ---- what is where in a ruleset ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """What merging has to know about one place of a ruleset.

    noun, plural: what an entry is called, where the place is a collection by name.
    entry: the place that each entry of a collection is.
    keys: the places of its fixed keys; one that is not listed is plain.
    short: the key that a bare text or list stands for.
    needs: a new entry has one of these keys; without any it was meant to change an entry that isn't there.
    either: groups of keys; of each the overlay's drives out the base's.
    together: pairs of such keys of which neither drives out the other, because one says more of the other.
    rows: the names of the entries are patterns or conditions, so any name may be new.
    table: rows over `by`; under another `by` they mean something else.
    first: new rows go before those of the base, because the first that holds counts.
    pair: the keys that the two items of a list stand for.
    placed: rows in an order, which `before` and `after` change; where the base has no names for them, an overlay that
        has some lies above what is there.
    adds: a list to which `{add: [...]}` adds.
    whole: never merged.
    """

    noun: str = ""
    plural: str = ""
    entry: Part | None = None
    keys: Map[str, Part] = field(default_factory=dict)
    short: str = ""
    needs: tuple[str, ...] = ()
    either: tuple[tuple[str, ...], ...] = ()
    together: frozenset[frozenset[str]] = frozenset()
    rows: bool = False
    table: bool = False
    first: bool = False
    pair: tuple[str, ...] = ()
    placed: bool = False
    adds: bool = False
    whole: bool = False


PLAIN = Part()
_ROWS = Part("row", "rows", PLAIN, rows=True)
_SOURCES = (
    "from", "players", "suits", "ranks", "number", "flag", "choice", "tokens", "zones", "teams", "text",
    "kinds", "meld", "melds",
)  # fmt: skip
_MELDS_FROM = frozenset({frozenset(("from", "meld")), frozenset(("from", "melds"))})

_SENTENCE = Part(whole=True)
_MUST = Part("law", "laws", Part(short="law", keys={"rule": _SENTENCE}, needs=("law",)))
SAY = Part("announcement", "announcements", Part(short="words", needs=("words",)))
ONE_SAY = Part(short="words")  # `say` with a single announcement, which has no name
WORDS = Part(adds=True)
_CHOOSE = Part(
    "parameter", "parameters", Part(keys={"choice": WORDS}, needs=_SOURCES, either=(_SOURCES,), together=_MELDS_FROM)
)
_LABEL = Part("label", "labels", PLAIN, rows=True, first=True)
ACTIONS = Part(
    "action",
    "actions",
    Part(
        keys={
            "must": _MUST,
            "say": SAY,
            "choose": _CHOOSE,
            "label": _LABEL,
            "tell": _SENTENCE,
            "prompt": _SENTENCE,
            "rule": _SENTENCE,
        },
        needs=("effect", "choose", "row", "say", "label", "measured", "talk"),
    ),
)
_PLAY = Part(keys={"must": _MUST, "say": SAY})
SCORE_ROWS = Part("row", "rows", Part(keys={"rule": _SENTENCE}, needs=("for",)), first=True, placed=True)
VALUE_ROW = Part(needs=("when",), pair=("when", "value"))
VALUE_ROWS = Part("row", "rows", VALUE_ROW, first=True, placed=True)
_STAGE = Part(
    keys={
        "score": SCORE_ROWS,
        "actions": ACTIONS,
        "anytime": ACTIONS,
        "lead": _PLAY,
        "follow": _PLAY,
        "prompt": _SENTENCE,
        "with": Part("argument", "arguments", Part(keys={"choices": WORDS}, short="type", needs=("type",))),
    },
    needs=("kind", "do", "repeat", "effect", "score"),
    either=(("do", "repeat"), ("effect", "score")),
)
_TABLE = Part("row", "rows", PLAIN, needs=("else", "by"), rows=True, table=True)
_VARIANT = Part(keys={"patch": Part(whole=True)}, needs=("set", "patch", "ruleset", "players"))
_DEFINITION = Part(keys={"value": VALUE_ROWS}, short="value", needs=("value", "effect"), either=(("value", "effect"),))
DEFINITIONS = Part("definition", "definitions", _DEFINITION)
_CARD_ROW = Part(keys={"say": SAY, "choose": _CHOOSE, "must": _MUST, "tell": _SENTENCE, "rule": _SENTENCE})
_HOW = Part("sentence", "sentences", _SENTENCE, rows=True)
ASPECTS = ("aim", "deal", "turn", "special", "scoring", "end")
"""What `how` tells of, in the order in which it is read."""

ADDED_CARDS = Part("added card", "added cards", Part(short="count"), table=True)
RULESET = Part(
    keys={
        "options": Part("option", "options", Part(needs=("type",), keys={"refuse": _ROWS, "choices": WORDS})),
        "require": Part("requirement", "requirements", Part(short="law", needs=("law",))),
        "variants": Part("variant", "variants", _VARIANT),
        "pack": Part(keys={"add": ADDED_CARDS}),
        "orders": Part("order", "orders", PLAIN),
        "zones": Part("zone", "zones", Part(needs=("each", "seen by", "pack"))),
        "tokens": Part("token", "tokens", PLAIN),
        "state": Part("variable", "variables", Part(keys={"choices": WORDS}, needs=("type",))),
        "shown as": Part("text", "texts", PLAIN),
        "values": Part("table", "tables", _TABLE),
        "cards": Part("row", "rows", _CARD_ROW, rows=True),
        "looks": Part("row", "rows", PLAIN, rows=True),
        "melds": Part("kind of meld", "kinds of meld", Part(needs=("same", "consecutive", "parts"))),
        "define": DEFINITIONS,
        "flow": Part("stage", "stages", _STAGE),
        "how": Part(keys={aspect: _HOW for aspect in ASPECTS}),
    }
)

# Names of collections say nothing in a message: the entry and what holds it do.
_UNSAID = frozenset(
    "flow actions anytime must say choose options zones state define values value tokens variants "
    "require orders".split()
)
_ONE_SAYING = frozenset(("words", "when", "exact", "doc"))


@dataclass(frozen=True, slots=True)
class Merge:
    """One overlay being laid on: `base` is the whole ruleset under it."""

    base: Mapping
    ruleset: str  # what messages call the base
    report: Report
    removed: Map[KeyPath, Span]  # what overlays below took out
    compared: Iterator[int]  # one for each pair of names that may still be compared


# ---- small questions about nodes --------------------------------------------------------------


def is_null(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.value is None


def is_marker(name: str, node: Node) -> bool:
    """`replace: true` or `replace: false`, which speaks about its mapping and is no entry of it."""
    return name == "replace" and isinstance(node, Scalar) and isinstance(node.value, bool)


def replaces(node: Node) -> bool:
    return isinstance(node, Mapping) and any(
        is_marker(name, value) and isinstance(value, Scalar) and value.value is True
        for name, value in node.entries.items()
    )


def is_table_by(path: KeyPath) -> bool:
    """Whether a path is what a table goes by: rows for another `by` mean something else."""
    return len(path) == 3 and path[0] == "values" and path[-1] == "by"


def depends(node: Node, part: Part) -> bool:
    return isinstance(node, Mapping) and not part.noun and "by" in node.entries


def text_of(mapping: Mapping, key: str) -> str:
    node = mapping.entries.get(key)
    return node.text if isinstance(node, Scalar) else ""


def texts_of(mapping: Mapping, key: str) -> list[Scalar]:
    node = mapping.entries.get(key)
    items = node.items if isinstance(node, Listing) else () if node is None else (node,)
    return [item for item in items if isinstance(item, Scalar)]


def sub(mapping: Mapping, key: str) -> Mapping:
    node = mapping.entries.get(key)
    return node if isinstance(node, Mapping) else Mapping({}, {}, mapping.span)


def without(mapping: Mapping, drop: Iterable[str]) -> Mapping:
    gone = set(drop)
    if gone.isdisjoint(mapping.entries):
        return mapping
    return Mapping(
        {name: node for name, node in mapping.entries.items() if name not in gone},
        {name: span for name, span in mapping.keys.items() if name not in gone},
        mapping.span,
    )


def with_entry(mapping: Mapping, name: str, node: Node, at: Span) -> Mapping:
    return Mapping({**mapping.entries, name: node}, {**mapping.keys, name: at}, mapping.span)


def same(one: Node, other: Node) -> bool:
    """Whether two nodes say the same, wherever they stand."""
    match one, other:
        case Scalar(), Scalar():
            return one.value == other.value and one.text == other.text
        case Listing(), Listing():
            return len(one.items) == len(other.items) and all(map(same, one.items, other.items))
        case Mapping(), Mapping():
            return one.entries.keys() == other.entries.keys() and all(
                same(node, other.entries[name]) for name, node in one.entries.items()
            )
        case _:
            return False


def is_one_saying(node: Node) -> bool:
    """Whether a `say` is one announcement rather than several by name (as the schema tells them apart)."""
    return not isinstance(node, Mapping) or not _ONE_SAYING.isdisjoint(node.entries)


def _plain_name(key: str) -> str:
    """The name of a definition without its parameters: `fits(card)` is called fits."""
    return key.split("(", 1)[0].strip()


def name_in(part: Part, key: str) -> str:
    return _plain_name(key) if part.noun == "definition" else key


def said(path: KeyPath) -> list[str]:
    return [name for name in reversed(path) if name not in _UNSAID]


def where(path: KeyPath, ruleset: str) -> str:
    """`flow, tricks, follow, must` of hearts reads "follow of tricks of hearts"."""
    return " of ".join([*said(path), ruleset])


def inner_part(part: Part, key: str, node: Node) -> Part:
    inner = part.entry or part.keys.get(key, PLAIN)
    return ONE_SAY if inner is SAY and is_one_saying(node) else inner


def expand(node: Node, part: Part) -> Node:
    """A bare value as the mapping that it is short for; a value that depends is a value, not such a mapping."""
    if part.pair and isinstance(node, Listing) and len(node.items) == len(part.pair):
        entries = dict(zip(part.pair, node.items, strict=True))
        return Mapping(entries, {key: item.span for key, item in entries.items()}, node.span)
    if not part.short or (isinstance(node, Mapping) and not depends(node, part)):
        return node
    return Mapping({part.short: node}, {part.short: node.span}, node.span)
