"""Values that are fixed once players and options are, before there are cards or code: which they are is found here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.base.arithmetic import BY_ZERO, INSTEAD_OF_BY_ZERO, LARGEST, TOO_LARGE, NoValue
from interpreter.base.diagnostics import Span
from interpreter.compiler import core as c
from interpreter.compiler.evaluating import Evaluator
from interpreter.compiler.plain import OF_LIBRARY, PLAIN
from interpreter.language import typed as t
from interpreter.language.model import Depends, TableDef
from interpreter.language.operations import PASS_NONE_ON
from interpreter.language.typed import Typed

_EVALUATOR = Evaluator({})
_COMPARED = frozenset(("<", "<=", ">", ">="))
_OF_MEMBERS = frozenset(("count", "is empty", "in"))
"""What is asked of the members of a set or list, of which none has none."""

ONLY_IN_PLAY = "this is only known in play, and is needed before"
KNOWN_BEFORE = "before play there are options, the number of players, and what is reckoned from them"


class NotConstant(Exception):
    """The expression depends on the state of play."""


class Impossible(ValueError):
    """Players and options make something that cannot be: a pack, places, teams, a number. span: what says so. code: of
    the message in which `validate` tells it."""

    def __init__(self, message: str, span: Span, hint: str = "", code: str = "E508") -> None:
        self.span = span
        self.code = code
        self.hint = hint
        super().__init__(message)


class Unanswerable(Impossible):
    """An expression that players and options settle has no value: it divides by 0, or the like."""


@dataclass(frozen=True)
class Settled:
    """What is settled once players and options are. ranks: from low to high, without which they cannot be compared."""

    options: Mapping[str, Any]
    players: int
    honor: bool = False
    ranks: Sequence[str] = ()

    def constant(self, node: Typed, all_take_part: bool = True, ask: Callable[[Typed], Any] | None = None) -> Any:
        """The value of an expression over options and the number of players; cards, ranks, suits and players by name.

        all_take_part: whether `players` is everyone. ask: who answers for its parts, the same way if nobody else does.
        Raises NotConstant, and Unanswerable where the expression has no value.
        """
        of = ask or (lambda inner: self.constant(inner, all_take_part))
        match node:
            case t.Const(value):
                return written_card(value) if node.type.kind == "card" else value
            case t.OptionRef(name):
                if name not in self.options:
                    raise NotConstant(name)
                return _known(self.options[name], node.type)
            case t.Builtin("honor"):
                return self.honor
            case t.Builtin("everyone"):
                return _persons(self.players)
            case t.Builtin("players") if all_take_part:
                return _persons(self.players)
            case t.If(condition, then, otherwise):
                return of(then) if of(condition) else of(otherwise)
            case t.Op("and" | "or" as op, args):
                return _joined(of, op, args)
            case t.Op():
                return self._operate(node, of)
        raise NotConstant(type(node).__name__)

    def _operate(self, node: t.Op, of: Callable[[Typed], Any]) -> Any:
        values = [of(a) for a in node.args]
        if node.op not in PLAIN or (node.op in OF_LIBRARY and _is_of_ranks(node)):
            raise NotConstant(node.op)
        if node.op in _COMPARED and any(a.type.kind == "rank" for a in node.args):
            values = self._rank_numbers(values)
        if node.op == "group" and any(a.type.optional for a in node.args):
            values = [v for v in values if v is not None]
        if node.op in _OF_MEMBERS and values[-1] is None:
            values[-1] = ()
        if None in values and (node.op in PASS_NONE_ON or node.op in _COMPARED):  # what is asked of none is none
            return False if node.op in _COMPARED else None
        try:
            found = _EVALUATOR.value(PLAIN[node.op](*map(c.Lit, values)))
        except NoValue as error:
            raise Unanswerable(str(error), node.span, error.hint) from error
        except ZeroDivisionError as error:
            raise Unanswerable(BY_ZERO, node.span, INSTEAD_OF_BY_ZERO) from error
        if isinstance(found, int) and abs(found) > LARGEST:
            raise Unanswerable(TOO_LARGE, node.span)
        return found

    def _rank_numbers(self, values: list[Any]) -> list[Any]:
        """Ranks as numbers, to be compared."""
        if not self.ranks:
            raise NotConstant("ranks")
        return [self.ranks.index(v) if v in self.ranks else None for v in values]

    def before_play(self, node: Typed) -> Any:
        """The value of an expression that is needed before play. Raises Impossible if there is none, or not yet."""
        try:
            return self.constant(node)
        except NotConstant as error:
            raise Impossible(ONLY_IN_PLAY, node.span, KNOWN_BEFORE) from error

    def chosen_row(self, depends: Depends) -> Typed | None:
        """The row of a dependent value that holds: numbers by the narrowest range, words by equality, else last.

        Raises Impossible.
        """
        key = self.before_play(depends.by)
        word = str(key).lower() if isinstance(key, bool) else key
        fitting = [(high - low, value) for low, high, value in depends.rows if _is_between(low, word, high)]  # type: ignore[operator]
        if isinstance(word, str):
            found = [value for low, _, value in depends.rows if low == word]
            return found[0] if found else depends.otherwise
        return min(fitting, key=lambda r: r[0])[1] if fitting else depends.otherwise


def _persons(number: int) -> tuple[str, ...]:
    return tuple(f"P{person + 1}" for person in range(number))


def as_depends(table: TableDef) -> Depends:
    """A table over the values of an expression as a value that depends."""
    assert table.by is not None
    rows = [(*row.ends, row.value) for row in table.rows if row.ends is not None]
    otherwise = next((row.value for row in table.rows if row.ends is None), None)
    return Depends(table.by, tuple(rows), otherwise, table.span)


def _is_of_ranks(node: t.Op) -> bool:
    """Whether it takes or gives ranks, which are names here, and numbers to the library."""
    return any(
        t.RANK.kind in (kind.kind, kind.item and kind.item.kind) for kind in (node.type, *(a.type for a in node.args))
    )


def _known(value: Any, kind: t.Type) -> Any:
    """The value of an option as expressions know it: cards may be written in several ways."""
    if kind.item is not None and isinstance(value, tuple):
        return tuple(map(written_card, value)) if kind.item.kind == "card" else value
    return written_card(value) if kind.kind == "card" else value


def written_card(value: Any) -> Any:
    """The one way to write a card: `2d` and `TD` are `2D` and `10D`."""
    if not isinstance(value, str):
        return value
    return value.upper().replace("T", "10", 1) if value[:1] in "tT" and len(value) == 2 else value.upper()


def _joined(of: Callable[[Typed], Any], op: str, args: Sequence[Typed]) -> bool:
    """`and` or `or`: one part can settle it, whatever the others are; nothing in an expression has an effect."""
    decides = op == "or"
    open_part: Exception | None = None
    for arg in args:
        try:
            if bool(of(arg)) is decides:
                return decides
        except NotConstant as error:
            open_part = error
        except Unanswerable as error:
            open_part = open_part or error
    try:
        if open_part is not None:
            raise open_part
    finally:
        del open_part  # else it would keep itself, by what was going on where it was raised
    return not decides


def _is_between(low: object, key: object, high: object) -> bool:
    return isinstance(low, int) and isinstance(high, int) and isinstance(key, int) and low <= key <= high
