"""Values that are fixed once players and options are: evaluated here, before there are cards or code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from interpreter.base.arithmetic import LARGEST, TOO_LARGE, NoValue, divided, listed
from interpreter.base.diagnostics import Span
from interpreter.language import typed as t
from interpreter.language.model import Depends
from interpreter.language.typed import Typed

_COMPARED = frozenset(("<", "<=", ">", ">="))
_OF_NUMBERS = _COMPARED | {"+", "-", "*", "div", "mod", "greater", "lesser"}


ONLY_IN_PLAY = "this is only known in play, and is needed before"
KNOWN_BEFORE = "before play there are options, the number of players, and what is reckoned from them"


class NotConstant(Exception):
    """The expression depends on the state of play."""


class Impossible(ValueError):
    """Players and options make something that cannot be: a pack, places, teams, a number. span: what says so."""

    def __init__(self, message: str, span: Span, hint: str = "") -> None:
        self.span = span
        self.hint = hint
        super().__init__(message)


class Unanswerable(Impossible):
    """An expression that players and options settle has no value: it divides by 0, or the like."""


def constant(
    node: Typed,
    options: Mapping[str, Any],
    players: int,
    honor: bool = False,
    ranks: Sequence[str] = (),
    all_take_part: bool = True,
    ask: Callable[[Typed], Any] | None = None,
) -> Any:
    """The value of an expression over options and the number of players; cards, ranks and suits by name.

    ranks: from low to high, without which they cannot be compared. all_take_part: whether `players` is everyone.
    ask: who answers for its parts, the same way if nobody else does.
    Raises NotConstant, and Unanswerable where the expression has no value.
    """

    def of(inner: Typed) -> Any:
        return ask(inner) if ask else constant(inner, options, players, honor, ranks, all_take_part)

    match node:
        case t.Const(value):
            return _card(value) if node.type.kind == "card" else value
        case t.OptionRef(name):
            if name not in options:
                raise NotConstant(name)
            return _known(options[name], node.type)
        case t.Builtin("honor"):
            return honor
        case t.Builtin("everyone"):
            return tuple(range(players))
        case t.Builtin("players") if all_take_part:
            return tuple(range(players))
        case t.If(condition, then, otherwise):
            return of(then) if of(condition) else of(otherwise)
        case t.Op("and" | "or" as op, args):
            return _joined(of, op, args)
        case t.Op(op, args):
            values = [of(a) for a in args]
            if op in _COMPARED and any(a.type.kind == "rank" for a in args):
                values = _places(values, ranks)
            if op == "group" and any(a.type.optional for a in args):
                values = [v for v in values if v is not None]
            try:
                found = _operate(op, values)
            except NoValue as error:
                raise Unanswerable(str(error), node.span, error.hint) from error
            if isinstance(found, int) and abs(found) > LARGEST:
                raise Unanswerable(TOO_LARGE, node.span)
            return found
    raise NotConstant(type(node).__name__)


def _known(value: Any, kind: t.Type) -> Any:
    """The value of an option as expressions know it: cards may be written in several ways."""
    if kind.item is not None and isinstance(value, tuple):
        return tuple(map(_card, value)) if kind.item.kind == "card" else value
    return _card(value) if kind.kind == "card" else value


def _card(value: Any) -> Any:
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
    if open_part is not None:
        raise open_part
    return not decides


def _places(values: list[Any], ranks: Sequence[str]) -> list[Any]:
    """Ranks as numbers, to be compared."""
    if not ranks:
        raise NotConstant("ranks")
    return [ranks.index(v) if v in ranks else None for v in values]


def _operate(op: str, args: list[Any]) -> Any:
    if None in args and op in _OF_NUMBERS:
        return False if op in _COMPARED else None  # as at the table: what is asked of none is none
    match op, args:
        case "+", [a, b]:
            return a + b
        case "-", [a, b]:
            return a - b
        case "*", [a, b]:
            return a * b
        case "div" | "mod", [a, b]:
            return divided(op, a, b)
        case "greater", [a, b]:
            return max(a, b)
        case "lesser", [a, b]:
            return min(a, b)
        case "=", [a, b]:
            return a == b
        case "!=", [a, b]:
            return a != b
        case "<", [a, b]:
            return a < b
        case "<=", [a, b]:
            return a <= b
        case ">", [a, b]:
            return a > b
        case ">=", [a, b]:
            return a >= b
        case "not", [a]:
            return not a
        case "count", [a]:
            return len(a)
        case "is empty", [a]:
            return len(a) == 0
        case "in", [a, b]:
            return a in b
        case "group", items:
            return tuple(items)
        case "item" | "cycle", [number, items]:
            return listed(op, number, items)
    raise NotConstant(op)


def before_play(
    node: Typed, options: Mapping[str, Any], players: int, honor: bool = False, ranks: Sequence[str] = ()
) -> Any:
    """The value of an expression that is needed before play. Raises Impossible if there is none, or not yet."""
    try:
        return constant(node, options, players, honor, ranks)
    except NotConstant as error:
        raise Impossible(ONLY_IN_PLAY, node.span, KNOWN_BEFORE) from error


def chosen_row(
    depends: Depends, options: Mapping[str, Any], players: int, honor: bool = False, ranks: Sequence[str] = ()
) -> Typed | None:
    """The row of a dependent value that holds: numbers by the narrowest range, words by equality, else last.

    Raises Impossible.
    """
    key = before_play(depends.by, options, players, honor, ranks)
    word = str(key).lower() if isinstance(key, bool) else key
    fitting = [(high - low, value) for low, high, value in depends.rows if _is_between(low, word, high)]  # type: ignore[operator]
    if isinstance(word, str):
        found = [value for low, _, value in depends.rows if low == word]
        return found[0] if found else depends.otherwise
    return min(fitting, key=lambda r: r[0])[1] if fitting else depends.otherwise


def _is_between(low: object, key: object, high: object) -> bool:
    return isinstance(low, int) and isinstance(high, int) and isinstance(key, int) and low <= key <= high
