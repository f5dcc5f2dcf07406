"""Values that are fixed once players and options are: evaluated here, before there are cards or code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter import typed as t
from interpreter.model import Depends
from interpreter.typed import Typed, walk

_COMPARED = frozenset(("<", "<=", ">", ">="))
_OF_NUMBERS = _COMPARED | {"+", "-", "*", "div", "mod"}


class NotConstant(Exception):
    """The expression depends on the state of play."""


def asks_who_plays(node: Typed) -> bool:
    """Whether an expression itself says `players`, which is everybody only where no stage narrows it."""
    return any(isinstance(part, t.Builtin) and part.name == "players" for part in walk(node))


def constant(node: Typed, options: Mapping[str, Any], players: int, honor: bool = False) -> Any:
    """The value of an expression over options and the number of players; cards, ranks and suits by name."""

    def of(inner: Typed) -> Any:
        return constant(inner, options, players, honor)

    match node:
        case t.Const(value):
            return value
        case t.OptionRef(name):
            if name not in options:
                raise NotConstant(name)
            return options[name]
        case t.Builtin("honor"):
            return honor
        case t.Builtin("players" | "everyone"):
            return tuple(range(players))
        case t.If(condition, then, otherwise):
            return of(then) if of(condition) else of(otherwise)
        case t.Op(op, args):
            return _operate(op, [of(a) for a in args])
    raise NotConstant(type(node).__name__)


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
        case "div", [a, b]:
            return a // b if b else 0
        case "mod", [a, b]:
            return a % b if b else 0
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
        case "and", items:
            return all(items)
        case "or", items:
            return any(items)
        case "not", [a]:
            return not a
        case "count", [a]:
            return len(a)
        case "in", [a, b]:
            return a in b
        case "group", items:
            return tuple(items)
        case "item", [number, items]:
            return items[number - 1]
        case "cycle", [number, items]:
            return items[(number - 1) % len(items)]
    raise NotConstant(op)


def chosen_row(depends: Depends, options: Mapping[str, Any], players: int) -> Typed | None:
    """The row of a dependent value that holds: numbers by the narrowest range, words by equality, else last."""
    key = constant(depends.by, options, players)
    word = str(key).lower() if isinstance(key, bool) else key
    fitting = [(high - low, value) for low, high, value in depends.rows if _is_between(low, word, high)]  # type: ignore[operator]
    if isinstance(word, str):
        found = [value for low, _, value in depends.rows if low == word]
        return found[0] if found else depends.otherwise
    return min(fitting, key=lambda r: r[0])[1] if fitting else depends.otherwise


def _is_between(low: object, key: object, high: object) -> bool:
    return isinstance(low, int) and isinstance(high, int) and isinstance(key, int) and low <= key <= high
