"""Typed expressions and effects: every name has its meaning, every node its type.

`check` makes them of the syntax tree; the compiler lowers them to nodes of its own, of which it prints Python. They are
the same for every choice of options and number of players.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args

from interpreter.base.diagnostics import Span
from interpreter.language.tree import TreeNode, parts_of, replace, values_of
from interpreter.language.tree import walk as walk
from interpreter.language.tree import walk_of as walk_of

Kind = Literal[
    "flag", "integer", "text", "card", "suit", "rank", "colour", "player", "team", "choice", "piece", "place", "meld",
    "asked melds", "set", "list", "none", "unknown",
]  # fmt: skip


class Type(TreeNode, frozen=True):
    """The type of an expression.

    item: of what a set or list consists. symbols: the words of a choice. zone: of which family a place is, or
    the token of a piece. optional: whether the value may be `none`.
    """

    kind: Kind
    item: Type | None = None
    symbols: tuple[str, ...] = ()
    zone: str = ""
    optional: bool = False

    def __str__(self) -> str:
        match self.kind:
            case "set" | "list" if self.item is not None:
                plural = {
                    "player": "players",
                    "card": "cards",
                    "suit": "suits",
                    "rank": "ranks",
                    "place": "places",
                    "team": "teams",
                    "colour": "colours",
                    "piece": "pieces",
                    "meld": "melds",
                    "integer": "numbers",
                    "text": "texts",
                    "flag": "conditions",
                    "set": "sets",
                    "list": "pairs",
                    "asked melds": "melds",
                    "unknown": "something",
                }
                items = plural.get(self.item.kind, f"words ({', '.join(self.item.symbols)})")
                named = self.kind == "set" and self.item.kind in ("player", "card", "suit", "rank", "place", "meld")
                return items if named else f"a {self.kind} of {items}"
            case "choice":
                return f"one of {', '.join(self.symbols)}"
            case "flag":
                return "a condition"
            case "integer":
                return "a number"
            case "none" | "text" | "asked melds":
                return {"none": "none", "text": "a text"}.get(self.kind, "melds that are asked for")
            case "unknown":
                return "something"
        return f"a {self.kind}"


FLAG, INTEGER, TEXT, CARD, SUIT, RANK = (
    Type("flag"), Type("integer"), Type("text"), Type("card"), Type("suit"), Type("rank"),
)  # fmt: skip
COLOUR, PLAYER, TEAM, NONE, UNKNOWN = Type("colour"), Type("player"), Type("team"), Type("none"), Type("unknown")
MELD = Type("meld")
ASKED_MELDS = Type("asked melds")
"""Melds that may be asked for together, each by its kind and how many cards it has."""
PAIRS = Type("list", Type("list", INTEGER))
"""Pairs of numbers."""


def set_of(item: Type) -> Type:
    return Type("set", replace(item, optional=False))


CARDS, PLAYERS, TEAMS, MELDS = set_of(CARD), set_of(PLAYER), set_of(TEAM), set_of(MELD)


# ---- expressions ------------------------------------------------------------------------------


class Const(TreeNode, frozen=True):
    """A constant. Cards, suits, ranks, colours, players ("P1") and choices are kept by name."""

    value: bool | int | str | None
    type: Type
    span: Span


class Local(TreeNode, frozen=True):
    """A loop variable, a parameter of an action or definition, or an argument of a stage."""

    name: str
    type: Type
    span: Span
    source: ZoneRef | None = None
    """Where the card lies, when it was chosen from one zone."""
    itself: bool = False
    """Whether it stands for cards that lie somewhere, and not for what they are called: of equal cards for one."""


class StageArgument(TreeNode, frozen=True):
    """An argument of a called stage."""

    stage: str
    name: str
    type: Type
    span: Span


class Builtin(TreeNode, frozen=True):
    """`actor`, `current`, `players`, `led`: what the machine knows."""

    name: str
    type: Type
    span: Span


class OptionRef(TreeNode, frozen=True):
    name: str
    type: Type
    span: Span


class VarRef(TreeNode, frozen=True):
    """A variable; index has one expression for each of its dimensions."""

    name: str
    index: tuple[Typed, ...]
    type: Type
    span: Span


class ZoneRef(TreeNode, frozen=True):
    """A zone as the cards in it.

    index: one expression per dimension; shorter means all places that begin so (type: a set of places);
    a single expression of type place names the place itself.
    """

    name: str
    index: tuple[Typed, ...]
    type: Type
    span: Span


class TokenRef(TreeNode, frozen=True):
    """Pieces of a token: held by a player, or lying on the table (holder None)."""

    name: str
    holder: Typed | None
    type: Type
    span: Span


class TableRef(TreeNode, frozen=True):
    name: str
    key: Typed
    type: Type
    span: Span


class Instance(TreeNode, frozen=True):
    """A use of a definition with arguments of known types; `key` finds its body in the model."""

    key: str
    args: tuple[Typed, ...]
    type: Type
    span: Span


class Op(TreeNode, frozen=True):
    """Every operation with plain arguments; the compiler has one entry for each name."""

    op: str
    args: tuple[Typed, ...]
    type: Type
    span: Span
    name: str = ""
    """A stage, an action, a variable, a pattern or kinds of meld the operation is about."""


class Quant(TreeNode, frozen=True):
    kind: Literal["any", "all"]
    variable: str
    item: Type
    domain: Typed
    where: Typed | None
    body: Typed
    type: Type
    span: Span


class Select(TreeNode, frozen=True):
    kind: Literal["all", "first"]
    variable: str
    item: Type
    domain: Typed
    where: Typed | None
    by: Typed | None
    type: Type
    span: Span


class Fold(TreeNode, frozen=True):
    """outside: for "least", the kinds of meld outside of which cards are counted."""

    kind: Literal["sum", "min", "max", "count", "least"]
    variable: str
    item: Type
    domain: Typed
    where: Typed | None
    value: Typed | None
    type: Type
    span: Span
    outside: tuple[str, ...] = ()


class If(TreeNode, frozen=True):
    condition: Typed
    then: Typed
    otherwise: Typed
    type: Type
    span: Span


class Let(TreeNode, frozen=True):
    """A name for a value, which is worked out once, in an expression."""

    variable: str
    value: Typed
    body: Typed
    type: Type
    span: Span


class Words(TreeNode, frozen=True):
    """A spoken text: pieces of text and values put into it."""

    pieces: tuple[str | Typed, ...]
    type: Type
    span: Span


Typed = (
    Const | Local | StageArgument | Builtin | OptionRef | VarRef | ZoneRef | TokenRef | TableRef | Instance | Op
    | Quant | Select | Fold | If | Let | Words
)  # fmt: skip


# ---- effects ----------------------------------------------------------------------------------


class Move(TreeNode, frozen=True):
    """Move cards. `what` is a card, a set of cards, a number of cards from the top, or None: all.

    source None: wherever the cards lie. at_random: `what` is a number, drawn unseen. counted: the local that is
    told how many cards have gone.
    """

    what: Typed | None
    at_random: bool
    source: ZoneRef | None
    target: ZoneRef
    beneath: bool
    facing: Literal["up", "down"] | None
    span: Span
    counted: str = ""


class Deal(TreeNode, frozen=True):
    """Deal to every player of the stage, from the dealer's left. count None: all. packets None: singly.

    first: with whom it begins instead.
    """

    count: Typed | None
    source: ZoneRef
    family: str
    packets: tuple[Typed, ...] | None
    stage: str
    span: Span
    first: Typed | None = None


class Gather(TreeNode, frozen=True):
    """Bring cards home; sources None: every zone."""

    sources: tuple[ZoneRef, ...] | None
    target: ZoneRef
    span: Span


class Shuffle(TreeNode, frozen=True):
    zone: ZoneRef
    stage: str
    span: Span


class Face(TreeNode, frozen=True):
    """Turn cards up or down where they lie; `flip` turns a zone over."""

    verb: Literal["turn up", "turn down", "flip"]
    what: Typed
    span: Span


class Show(TreeNode, frozen=True):
    what: Typed
    to: Typed
    span: Span


class Assign(TreeNode, frozen=True):
    """Set (or add to) a variable or a stage's argument; `dealer` and `current` are targets too.

    because: of a score, what is told of the reason.
    """

    verb: Literal["set", "add", "subtract"]
    target: VarRef | StageArgument | Builtin
    value: Typed
    span: Span
    because: Words | None = None


class Clear(TreeNode, frozen=True):
    """Reset a variable: of one owner, or of all (index empty)."""

    name: str
    index: tuple[Typed, ...]
    span: Span


class SwapValues(TreeNode, frozen=True):
    left: VarRef | StageArgument | ZoneRef
    right: VarRef | StageArgument | ZoneRef
    span: Span


class Turn(TreeNode, frozen=True):
    """reverse, stay, again, redeal, take back fault."""

    verb: Literal["reverse", "stay", "again", "redeal", "take back fault"]
    stage: str
    span: Span


class ToPlayer(TreeNode, frozen=True):
    """skip P, pass turn to P, reseat S."""

    verb: Literal["skip", "pass turn", "reseat"]
    who: Typed
    span: Span


class SetOut(TreeNode, frozen=True):
    count: Typed
    token: str
    span: Span


class Piece(TreeNode, frozen=True):
    """take X (by whom), put back X (to the table)."""

    verb: Literal["take", "put back"]
    what: Typed
    token: str
    span: Span
    by: Typed | None = None


class Call(TreeNode, frozen=True):
    stage: str
    args: tuple[tuple[str, Typed], ...]
    span: Span


class Finish(TreeNode, frozen=True):
    stage: str
    span: Span


class NoteFault(TreeNode, frozen=True):
    law: str
    offender: Typed
    stage: str
    span: Span


class Note(TreeNode, frozen=True):
    words: Words
    span: Span


class IfEffect(TreeNode, frozen=True):
    condition: Typed
    then: tuple[Effect, ...]
    otherwise: tuple[Effect, ...]
    span: Span


class ForEffect(TreeNode, frozen=True):
    variable: str
    item: Type
    domain: Typed
    where: Typed | None
    by: Typed | None
    body: tuple[Effect, ...]
    span: Span


class LetEffect(TreeNode, frozen=True):
    """A name for what a value is now, in the effects that follow in the block.

    moves: whether these set it anew, to the number of cards that have gone.
    """

    variable: str
    value: Typed
    span: Span
    moves: bool = False


class RunEffect(TreeNode, frozen=True):
    """A named effect, with its parameters bound as locals around its body."""

    name: str
    bound: tuple[tuple[str, Typed], ...]
    body: tuple[Effect, ...]
    span: Span


Effect = (
    Move | Deal | Gather | Shuffle | Face | Show | Assign | Clear | SwapValues | Turn | ToPlayer | SetOut | Piece
    | Call | Finish | NoteFault | Note | IfEffect | ForEffect | LetEffect | RunEffect
)  # fmt: skip

EFFECTS = frozenset(get_args(Effect))
"""The classes of effects."""
NODES = get_args(Typed)
"""The classes of expressions, for isinstance."""
KINDS = frozenset(NODES)
"""The classes of expressions, to look one up in where very many nodes are gone through."""

ANYWHERE = "*"
"""In `can`, for the stage: the action of whichever stage is going on."""


def children(node: TreeNode) -> list[Typed]:
    """The expressions directly inside an expression, an effect or a definition."""
    found: list[Typed] = []
    for value in values_of(node):
        kind = type(value)
        if kind in KINDS:
            found.append(value)
        elif kind is tuple:
            found += [inner for inner in value if type(inner) in KINDS]
    return found


def rebuilt(node: Any, change: Callable[[Typed], Typed]) -> Any:
    """An expression or effect with the expressions directly inside it changed."""
    changes: dict[str, Any] = {}
    for name in parts_of(type(node)) or ():
        value = getattr(node, name)
        if isinstance(value, NODES):
            changes[name] = change(value)
        elif isinstance(value, tuple) and any(isinstance(inner, NODES) for inner in value):
            changes[name] = tuple(change(inner) if isinstance(inner, NODES) else inner for inner in value)
    return replace(node, **changes) if changes else node


def said(node: Any) -> Any:
    """What an expression says, without where it stands."""
    if isinstance(node, tuple):
        return tuple(map(said, node))
    return (type(node), said(values_of(node))) if isinstance(node, NODES) else node
