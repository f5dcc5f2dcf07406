"""What the names of a ruleset stand for, and where in it they may be used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from interpreter.base.diagnostics import Span
from interpreter.language import typed as t
from interpreter.language.check.asked_for_none import NOTHING_YET, There
from interpreter.language.model import AddedCard, MeldDef, OptionDef, SuitDef, TokenDef, VarDef, ZoneDef
from interpreter.language.source import Node
from interpreter.language.tree import TreeNode, replace
from interpreter.language.typed import Type, Typed

CODES = {
    "E501": "a name nobody has declared",
    "E502": "a value of the wrong type",
    "E503": "a word with two meanings here",
    "E504": "a function that does not exist, or with the wrong number of arguments",
    "E505": "something that is not known at this place",
    "E506": "a definition that uses itself, or an answer that hangs on itself",
    "E507": "something that cannot be changed",
    "E508": "a value outside its bounds, or of the wrong type",
    "E509": "a stage, law or action that does not exist",
    "E510": "calls in a circle without a move in between",
    "E511": "a stage that is never reached",
    "E512": "a repeat without an end",
    "E513": "a pack too small for the deal",
    "E514": "two rows of a table that claim the same card",
    "E515": "a pattern that no card can match",
    "E516": "no zone, or more than one, where the pack begins",
    "E517": "a stage used in two places",
    "E518": "a name that is a word of the language, or already taken",
    "E519": "a stage or action that lacks what its kind needs, or has what it cannot have",
    "E520": "a wrong option, variant or number of players",
    "E521": "more moves, or more steps of an effect or condition, than can be carried out",
    "E522": "a choice that cannot be told in the text of a move",
    "E531": "a sentence that names what is not there",
    "E532": "a sentence that not every reader may know all of",
    "E533": "a verb that does not agree",
    "E534": "something quiet that nobody could notice",
    "W601": "declared and never used",
    "W602": "a number of players that the default options do not fit",
    "W603": "an offer that tells of hidden cards",
    "W604": "a secret of one player that the next one sees",
    "W605": "a law whose breach nobody has the time to claim",
    "W606": "something that has no value in a game, and stops the match where it is reached",
    "W607": "choices of cards that are too many to be looked at",
    "W608": "what is chosen at once with others and can be seen by them too early",
    "W609": "a name that a quantifier hides, which most often was to end before",
    "W610": "a direction where nothing begins with it",
    "W611": "numbers of players that are best and not possible",
    "W612": "a variant that the defaults of an overlay rule out",
    "W613": "cards that are taken as they were gathered",
}

STANDARD_SUITS = (
    SuitDef("clubs", "C", "black"),
    SuitDef("diamonds", "D", "red"),
    SuitDef("hearts", "H", "red"),
    SuitDef("spades", "S", "black"),
)


class Definition(TreeNode, frozen=True):
    """A definition as written: parameters (name, declared type or None) and its body."""

    name: str
    params: tuple[tuple[str, Type | None], ...]
    node: Node
    seen_by: Node | None
    is_effect: bool
    span: Span
    lets: tuple[tuple[str, Node, Span], ...] = ()
    """Names for values in the body, which are worked out once, in this order."""
    counted: Node | None = None
    """The stage at whose end simulations count it."""


class StageName(TreeNode, frozen=True):
    """What must be known of a stage before its body is read."""

    name: str
    kind: str
    node: Node
    params: tuple[tuple[str, Type], ...]
    bounds: dict[str, tuple[Typed, Typed]]
    """Argument -> the least and the most that it can be, if it is a number."""
    span: Span


RANK_WORDS = {
    "A": "ace", "K": "king", "Q": "queen", "J": "jack", "10": "ten", "9": "nine", "8": "eight", "7": "seven",
    "6": "six", "5": "five", "4": "four", "3": "three", "2": "two",
}  # fmt: skip


@dataclass(slots=True)
class Names:
    """All declarations of a ruleset; `used` collects what is mentioned, for warnings."""

    ranks: tuple[str, ...] = ()
    orders: dict[str, tuple[str, ...]] = field(default_factory=dict)
    suits: tuple[SuitDef, ...] = STANDARD_SUITS
    added: tuple[AddedCard, ...] = ()
    max_players: int = 1
    player_counts: tuple[int, ...] = ()
    """How many can play."""
    options: dict[str, OptionDef] = field(default_factory=dict)
    zones: dict[str, ZoneDef] = field(default_factory=dict)
    tokens: dict[str, TokenDef] = field(default_factory=dict)
    variables: dict[str, VarDef] = field(default_factory=dict)
    tables: dict[str, tuple[Node, Type, bool]] = field(default_factory=dict)
    """Table -> (its node, type of its values, whether it is over cards)."""
    definitions: dict[str, Definition] = field(default_factory=dict)
    melds: dict[str, MeldDef] = field(default_factory=dict)
    stages: dict[str, StageName] = field(default_factory=dict)
    actions: dict[str, list[str]] = field(default_factory=dict)
    """Action -> stages that have it."""
    laws: dict[str, str] = field(default_factory=dict)
    """Law -> the fault that breaking it is."""
    announced: set[str] = field(default_factory=set)
    """Names of announcements, known when all stages have been read."""
    used: set[tuple[str, str]] = field(default_factory=set)
    """What something uses: pairs of a collection, such as "zones", and a name in it."""
    _words: tuple[tuple[int, ...], dict[str, tuple[str, ...]]] = ((), {})
    """How much has been declared that has words, and the words then."""
    _added_words: tuple[tuple[AddedCard, ...], dict[str, str]] = ((), {})
    """The added cards, and their names by the words they are written in."""

    @property
    def suit_names(self) -> tuple[str, ...]:
        return tuple(s.name for s in self.suits)

    @property
    def colours(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(s.colour for s in self.suits))

    def _added_by_word(self) -> dict[str, str]:
        if self._added_words[0] is not self.added:
            words = {word: c.name for c in reversed(self.added) for word in (added_code(c.name), c.name)}
            self._added_words = (self.added, words)
        return self._added_words[1]

    def card_name(self, text: str) -> str | None:
        """The canonical name of a card written `2C`, `TH`, `qs` or by its added name; None if there is none."""
        added = self._added_by_word()
        if text in added:
            return added[text]
        for suit in self.suits:
            if text[-len(suit.letter) :].upper() == suit.letter.upper():
                rank = text[: -len(suit.letter)].upper()
                rank = "10" if rank == "T" and "10" in self.ranks else rank
                for known in self.ranks:
                    if known.upper() == rank:
                        return f"{known}{suit.letter}"
        return None

    def meant_card(self, text: str) -> str:
        """The card or rank that somebody seems to mean who writes `DJ`, `queen of clubs` or `queens`; "" if none."""
        word = "".join(text.split()).lower()
        for rank in self.ranks:
            spoken = {rank.lower(), RANK_WORDS.get(rank, rank).lower()}
            for suit in self.suits:
                name = suit.name.lower()
                ways = {f"{r}{of}{s}" for r in spoken for of in ("", "of") for s in (name, name.removesuffix("s"))}
                if word in ways or word == f"{suit.letter}{rank}".lower():
                    return f"{rank}{suit.letter}"
            if word in {f"{r}{end}" for r in spoken for end in ("", "s", "es")}:
                return rank
        return ""

    def _groups(self) -> tuple[tuple[str, Mapping[str, object]], ...]:
        return (
            ("option", self.options), ("zone", self.zones), ("token", self.tokens), ("variable", self.variables),
            ("table", self.tables), ("definition", self.definitions),
        )  # fmt: skip

    def everything(self) -> list[str]:
        """Every declared name that an expression may use."""
        return [name for _, group in self._groups() for name in group]

    def words(self) -> dict[str, tuple[str, ...]]:
        """The words of choices, each with all that stand beside it wherever it can be chosen."""
        declared = len(self.options), len(self.variables), len(self.stages)
        if self._words[0] != declared:
            self._words = declared, self._all_words()
        return self._words[1]

    def _all_words(self) -> dict[str, tuple[str, ...]]:
        kinds = [option.type for option in self.options.values()] + [var.type for var in self.variables.values()]
        kinds += [kind for stage in self.stages.values() for _, kind in stage.params]
        found: dict[str, tuple[str, ...]] = {}
        for kind in kinds:
            together = (*kind.symbols, *(kind.item.symbols if kind.item else ()))
            for word in together:
                found[word] = tuple(dict.fromkeys((*found.get(word, ()), *together)))
        return found

    def what_is(self, name: str) -> str | None:
        """What has been declared by that name; None for nothing that an expression may use."""
        return next((kind for kind, group in self._groups() if name in group), None)


def added_code(name: str) -> str:
    """The short name in which an added card is written: `JK`, `JB`, `JL` for jokers, else its name."""
    return {"joker": "JK", "big_joker": "JB", "little_joker": "JL"}.get(name, name)


class Scope(TreeNode, frozen=True):
    """Where an expression stands: the locals it may use and what is known there."""

    stage: str = ""
    locals: Mapping[str, Typed] = {}
    actor: Typed | None = None
    random: bool = False
    """Whether chance may be used: in effects only."""
    below: Callable[[Type | None], Typed] | None = None
    """What `base` means of a value in a text that is laid on another, where some type is expected."""
    there: There = NOTHING_YET
    """What is certainly not none."""

    def bind(self, name: str, local: Typed) -> Scope:
        return replace(self, locals={**self.locals, name: local})

    def before_choosing(self) -> Scope:
        """This scope without what is chosen in a move: arguments of stages are left."""
        return replace(self, locals={k: v for k, v in self.locals.items() if isinstance(v, t.StageArgument)})

    def by_name(self) -> Scope:
        """This scope where of a card that is chosen only the name counts, and not which of equal ones it is."""
        named = {k: replace(v, itself=False) if isinstance(v, t.Local) else v for k, v in self.locals.items()}
        return replace(self, locals=named)


ACTOR = t.Builtin("actor", t.PLAYER, Span("", 0, 0, 0, 0))
