"""The typed model of a ruleset: what `check` makes and the compiler takes, one for all options and players."""

from __future__ import annotations

from typing import Generic, Literal, TypeVar

from interpreter.base.diagnostics import Span
from interpreter.language.appearance import LayoutDef, LookRow
from interpreter.language.templates import Templates
from interpreter.language.tree import TreeNode, field, walked_once
from interpreter.language.typed import Const, Effect, Local, Type, Typed, Words, ZoneRef

OptionValue = bool | int | str | tuple[object, ...] | None
Said = TypeVar("Said", covariant=True)
Breach = Literal["stands", "taken back"]


class Choice(TreeNode, Generic[Said], frozen=True):
    """What a key says where the options or the number of players decide: the first row that holds; the last does."""

    rows: tuple[tuple[Typed, Said], ...]


class TableSlot(TreeNode, frozen=True):
    """Where a text tells a whole table over cards: its rows in words."""

    name: str


class Advice(TreeNode, frozen=True):
    """A sentence or two for somebody who learns the game. when: over options and players; None if it is always told."""

    pieces: tuple[str | Typed | TableSlot, ...]
    when: Typed | None
    span: Span


class Depends(TreeNode, frozen=True):
    """A value that depends: rows of (low, high) or word -> value, tried in order; `else` last."""

    by: Typed
    rows: tuple[tuple[int | str, int | str, Typed], ...]
    otherwise: Typed | None
    span: Span


class OptionDef(TreeNode, frozen=True):
    """An option. default is a plain value, or depends on players and earlier options."""

    name: str
    type: Type
    default: OptionValue | Depends
    minimum: Typed | None
    maximum: Typed | None
    length: tuple[Typed, Typed] | None
    distinct: bool
    refuse: dict[str, str]
    each_player: bool
    doc: str
    span: Span


class Requirement(TreeNode, frozen=True):
    name: str
    law: Typed
    message: str
    span: Span


class VariantDef(TreeNode, frozen=True):
    name: str
    doc: str
    set: dict[str, OptionValue]
    players: int | None
    ruleset: str
    """The path of the ruleset that it is, or ""."""
    has_patch: bool
    span: Span


class PlayersDef(TreeNode, frozen=True):
    minimum: int
    maximum: int
    default: int
    best: tuple[int, int] | None
    span: Span
    only: tuple[int, ...] = ()

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of players that can play, in order."""
        return self.only or tuple(range(self.minimum, self.maximum + 1))


class SuitDef(TreeNode, frozen=True):
    name: str
    letter: str
    colour: str


class AddedCard(TreeNode, frozen=True):
    name: str
    count: Typed | None
    when: Typed | None
    span: Span


class PackDef(TreeNode, frozen=True):
    """copies: of the standard pack. only: the ranks kept. remove: cards, suits and the like, or a choice of lists."""

    copies: Typed
    only: tuple[str, ...] | Depends | None
    remove: tuple[Typed, ...]
    remove_by: tuple[Typed, tuple[tuple[int | str, int | str, tuple[Typed, ...]], ...], tuple[Typed, ...]] | None
    add: tuple[AddedCard, ...]
    span: Span


Dimension = Literal["player", "team", "suit", "rank", "card"] | tuple[Typed, Typed]


class RefillDef(TreeNode, frozen=True):
    """on: the word "need" or "empty". when: what must hold when cards would come."""

    source: str
    keep: Typed
    shuffle: bool
    on: Typed
    span: Span
    when: Typed | None = None


class ZoneDef(TreeNode, frozen=True):
    name: str
    dims: tuple[Dimension, ...]
    pack: bool
    seen_by: Typed
    count_seen_by: Typed
    faces_down: bool
    shows_top: bool
    capacity: Typed | None
    refill: RefillDef | None
    doc: str
    span: Span
    turned_down: bool = False
    """Whether an effect may lay cards face down there, or turn them down, though all see the zone."""
    layout: LayoutDef = LayoutDef()


class TokenDef(TreeNode, frozen=True):
    name: str
    named: Typed | None
    seen_by: Typed  # who sees that `owner` holds pieces of it, and is told of taking them
    doc: str
    span: Span


class VarDef(TreeNode, frozen=True):
    name: str
    dims: tuple[Dimension, ...]
    type: Type
    lasts: str
    minimum: Typed
    maximum: Typed
    default: Typed | None
    seen_by: Typed | None
    doc: str
    span: Span


class TableRow(TreeNode, frozen=True):
    """A row as it is written. ends: in a table over values from which to which it is; None for `else`."""

    pattern: str
    value: Typed
    span: Span
    ends: tuple[int | str, int | str] | None = None


class TableDef(TreeNode, frozen=True):
    """by None: a table over cards, the most specific row wins; else over the values of an expression."""

    name: str
    by: Typed | None
    rows: tuple[TableRow, ...]
    type: Type
    span: Span
    card: str = ""
    """The local that is the card in the rows of a table over cards."""


class MeldDef(TreeNode, frozen=True):
    """A kind of combination.

    orders: the names of the orders in which its cards follow one another, "" for `ranks`; none where they do not. size:
    how many cards it has, None where only the pack bounds that. naturals: how many of them are not wild. wilds: how
    many are. parts: the kinds of which it consists; then it has no size of its own.
    """

    name: str
    same: Literal["", "rank", "suit"]
    orders: tuple[str, ...]
    each: Typed | None
    wrap: bool
    size: tuple[Typed, Typed | None] | None
    wild: Typed | None
    naturals: tuple[Typed, Typed | None] | None
    wilds: tuple[Typed, Typed | None] | None
    parts: tuple[MeldDef, ...]
    doc: str
    span: Span


@walked_once
class DefineInstance(TreeNode, frozen=True):
    """A definition for arguments of certain types. itself: whether its cards are meant as they lie, not as called."""

    key: str
    name: str
    params: tuple[tuple[str, Type], ...]
    body: Typed
    uses_actor: bool
    itself: bool
    span: Span


class ShownDefine(TreeNode, frozen=True):
    """A definition that views show: without parameter or with one player, or one team."""

    name: str
    key: str
    each: Literal["", "player", "team"]
    seen_by: Typed
    span: Span


MELDS = ("meld", "melds")
"""The forms of parameters that are one meld, or several."""


class ParamDef(TreeNode, frozen=True):
    """A parameter of an action.

    form: cards, kinds (cards by their names alone), players, suits, ranks, number, flag, choice, tokens, zones, teams,
    text, meld or melds. count: for several cards or melds (low, high); None for a single one. kinds: of melds, which
    they may be. by_rank: whether melds are listed as if suits did not count. asked: which melds are chosen together,
    where an expression says it.
    """

    name: str
    form: str
    type: Type
    domain: Typed | None
    bounds: tuple[Typed, Typed] | None
    count: tuple[Typed, Typed] | None
    where: Typed | None
    optional: bool
    said: bool
    otherwise: Typed | None
    source: ZoneRef | None
    span: Span
    seen_by: Typed | None = None
    none_if: Typed | None = None
    """The condition on which an optional value may be none; None if it always may."""
    kinds: tuple[str, ...] = ()
    by_rank: bool = False
    asked: Typed | None = None


class LapseDef(TreeNode, frozen=True):
    after: Typed
    how: Literal["turns", "ends"]
    of: str
    pauses: Typed | None


class LawDef(TreeNode, frozen=True):
    """on: "lead", "follow" or "" for any play of the action."""

    name: str
    on: Literal["", "lead", "follow"]
    law: Typed
    message: Words | None
    fault: str
    breach: Breach | Choice[Breach]
    on_breach: tuple[Effect, ...]
    penalty: tuple[Effect, ...] | None
    lapses: LapseDef | Choice[LapseDef] | None
    claimers: Typed | None
    span: Span
    says_fault: bool = False
    """Whether the law says what a breach is or does: then a breach in a race is a fault too."""
    row: int = -1
    """Which row of `cards` it belongs to, by its number among those of the action; -1 for a law of the action."""
    rule: tuple[Advice, ...] = ()


class SayDef(TreeNode, frozen=True):
    name: str
    on: Literal["", "lead", "follow"]
    words: Words
    when: Typed | None
    exact: Typed | None
    span: Span


class CardRow(TreeNode, frozen=True):
    """A row of `cards`, bound to an action: its parameters, words and effect. tell: how a move with it is told."""

    pattern: str
    params: tuple[ParamDef, ...]
    says: tuple[SayDef, ...]
    effect: tuple[Effect, ...]
    span: Span
    rule: tuple[Advice, ...] = ()
    tell: Templates = ()


class ActionDef(TreeNode, frozen=True):
    name: str
    stage: str
    when: tuple[tuple[Literal["", "lead", "follow"], Typed], ...]
    params: tuple[ParamDef, ...]
    laws: tuple[LawDef, ...]
    says: tuple[SayDef, ...]
    effect: tuple[Effect, ...]
    row: Typed | None
    rows: tuple[CardRow, ...]
    labels: tuple[tuple[Typed, str], ...]
    measured: tuple[tuple[str, Typed, Typed], ...]
    contest: ContestDef | None
    hands: int
    """How many hands the move takes, where times are given."""
    anytime: bool
    also: tuple[str, ...]
    talk: bool
    is_claim: bool
    is_play: bool
    doc: str
    span: Span
    tell: Templates = ()
    """How it is told, instead of by its name."""
    prompt: Templates = ()
    """What is asked where it can be done."""
    quiet: Span | None = None
    """Where it is said that it has to be noticed, if it is."""
    rule: tuple[Advice, ...] = ()

    @property
    def row_param(self) -> str:
        """The parameter whose card's row it takes; "" if it takes none, or that of a card which is not chosen."""
        chosen = self.row.name if isinstance(self.row, Local) else ""
        return chosen if any(param.name == chosen for param in self.params) else ""


class ContestDef(TreeNode, frozen=True):
    """What happens when several reach for one thing at the same moment."""

    over: str
    """The parameter that holds the thing; "" if the move itself is contested."""
    wins: tuple[str, str] | Choice[tuple[str, str]] | None
    """The measure, and whether its lowest or highest value wins."""
    ties: Typed | None
    """The player from whom it is counted, in the order of the seats, whose turn it is when all else is equal."""


class ScoreRow(TreeNode, frozen=True):
    """because: what is told with the score of its reason."""

    when: Typed
    whom: Typed
    points: Typed
    span: Span
    because: Words | None = None
    rule: tuple[Advice, ...] = ()


@walked_once
class StageDef(TreeNode, frozen=True):
    name: str
    kind: Literal["do", "repeat", "effect", "turn", "trick", "ask", "simultaneous", "race", "claims"]
    index: int
    children: tuple[str, ...]
    when: Typed | None
    players: Typed | None
    params: tuple[tuple[str, Type], ...]
    bounds: dict[str, tuple[Typed, Typed]]
    """Parameter -> the least and the most that it can be, if it is a number."""
    setup: tuple[Effect, ...]
    cleanup: tuple[Effect, ...]
    until: Typed | None
    closed: bool
    first_dealer: Typed | None
    next_dealer: Typed | None
    direction: str
    actions: tuple[ActionDef, ...]
    anytime: tuple[ActionDef, ...]
    effect: tuple[Effect, ...]
    first: Typed | None
    turns: tuple[Typed, bool] | None
    on_turn: tuple[Effect, ...]
    leader: Typed | None
    next_leader: Typed | None
    count: Typed | None
    source_zone: str
    trick_zone: str
    suit: Typed | None
    rank: Typed | None
    trump: Typed | None
    on_card: tuple[Effect, ...]
    on_trick: tuple[Effect, ...]
    answers: Literal["all", "first"]
    resolve: tuple[Effect, ...]
    hands: Typed | None
    """How many hands the player `actor` may use at a time."""
    score_rows: tuple[ScoreRow, ...]
    score_each: bool
    score_variable: str
    winners: Typed | None
    places: Typed | None
    scores: Typed | None
    doc: str
    span: Span
    trump_when: Typed | None = None
    """Whether `card` is a trump, where trumps are no suit."""
    prompt: Templates = ()
    """What is asked in it."""

    @property
    def cards_each(self) -> int:
        """How many cards everybody plays to a trick at once."""
        count = next((action.params[0].count for action in self.actions if action.is_play), None)
        return 1 if count is None or not isinstance(count[0], Const) else int(count[0].value or 1)


class FaultDef(TreeNode, frozen=True):
    """What the honour section says of one law, announcement or fault; None where it says nothing."""

    name: str
    fault: str
    breach: Breach | Choice[Breach] | None
    lapses: LapseDef | Choice[LapseDef] | None
    penalty: tuple[Effect, ...] | None
    claimers: Typed | None
    span: Span


WrongClaim = Literal["fault"] | tuple[Effect, ...]
"""What a wrong claim leads to: a fault that can be claimed in its turn, or an effect."""


class HonorDef(TreeNode, frozen=True):
    claim: str
    during: str
    claimers: Typed | None
    lapses: LapseDef | Choice[LapseDef] | None
    penalty: tuple[Effect, ...]
    wrong_claim: WrongClaim | Choice[WrongClaim]
    charge_each: Typed | None
    laws: dict[str, FaultDef]
    span: Span


class Model(TreeNode, frozen=True):
    """Everything a ruleset says, with every name resolved."""

    id: str
    name: str
    about: str
    notes: tuple[str, ...]
    players: PlayersDef
    team_size: Typed | None
    team_seated: Literal["across", "side by side"]
    options: dict[str, OptionDef]
    requirements: tuple[Requirement, ...]
    variants: dict[str, VariantDef]
    pack: PackDef
    ranks: tuple[str, ...]
    orders: dict[str, tuple[str, ...]]
    suits: tuple[SuitDef, ...]
    zones: dict[str, ZoneDef]
    tokens: dict[str, TokenDef]
    variables: dict[str, VarDef]
    tables: dict[str, TableDef]
    melds: dict[str, MeldDef]
    instances: dict[str, DefineInstance]
    shown: tuple[ShownDefine, ...]
    askable: dict[str, tuple[str, str]]  # definitions, by name: (instance key, "" or "player" or "team")
    stages: dict[str, StageDef]
    honor: HonorDef | None
    reseats: bool
    how: dict[str, tuple[Advice, ...]] = field(default_factory=dict)  # about the aim, the deal, a turn and so on
    always_shown: tuple[str, ...] = ()  # variables and definitions that players see at any time, in order
    shown_as: dict[str, str] = field(default_factory=dict)  # what the table calls things, if anything
    counts: dict[str, str] = field(default_factory=dict)
    """Definitions that simulations count, each with the stage at whose end they do."""
    secret: frozenset[str] = frozenset()  # variables with what only some know; of other hidden ones all can keep count
    looks: tuple[LookRow, ...] = ()  # how cards are drawn; of each key the most specific row wins
    shipped: bool = False
    """Whether the whole ruleset came with the program: the syntax tree of what is printed from it need not be read."""
