"""The type of each expression: it follows from the types of what is declared, and is asked of one function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from interpreter.base.diagnostics import Span
from interpreter.compiler.core import node_kinds as c
from interpreter.compiler.core.library_types import FIELD_TYPES, LIBRARY, METHOD_TYPES, NAMED_NUMBERS, Signature
from interpreter.compiler.core.types import (
    ANY_NUMBER,
    ANYTHING,
    CARD,
    CONDITION,
    COUNT,
    FLAG,
    MANY,
    MELD,
    NEVER,
    NOTHING,
    SPAN,
    WORD,
    Bits,
    Contradiction,
    Function,
    Group,
    Keyed,
    Many,
    Maybe,
    Number,
    Type,
    fits,
    item_of,
    joined,
    joined_all,
    joined_or,
    maybe,
    size_of,
    told,
    without_none,
)

FEW = 8
"""So many values in a tuple at most are told one by one, where they are not alike."""
_OF_MELD, _OF_CARD = (MELD,), (CARD,)
HANDED = {"row_for": _OF_CARD, "least_outside": _OF_CARD, "melds_apart_in": _OF_MELD, "melds_asked_in": _OF_MELD}
"""What the functions without a name are given that are handed to these; `ask` hands on what else it is given."""


class Scope(Struct, frozen=True):
    """What names stand for in a program.

    zones, slots: each place and variable. numbers: the bounds of cards, players and the like. tables: what is named in
    the program. functions: what tells of each function of it what it takes and gives. locals: of the function that is
    looked at. led: the suit led. handed: what a function without a name is given. seen: is told of each expression.
    """

    zones: tuple[Type, ...] = ()
    slots: tuple[Type, ...] = ()
    numbers: Mapping[str, Number] = {}
    tables: Mapping[str, Type] = {}
    functions: Mapping[str, Callable[[], Signature]] = {}
    locals: Mapping[str, Type] = {}
    led: Type = ANYTHING
    handed: tuple[Type, ...] = ()
    seen: Callable[[c.Expr, Type], None] = lambda node, found: None

    def within(self, given: Mapping[str, Type]) -> Scope:
        """Where further locals are known."""
        return replace(self, locals={**self.locals, **given}, handed=())


def type_of(node: c.Expr, scope: Scope) -> Type:
    """What the value of an expression can be. Raises Contradiction where it can't be any."""
    found = _FORMS[type(node)](node, scope)
    scope.seen(node, found)
    return found


def _bounded(of: Type, scope: Scope) -> Type:
    """A type in which cards, players and the like are those that there are in the game."""
    match of:
        case Number(low, high, name) if name in scope.numbers and (low == -MANY or high == MANY):
            return Number(max(low, scope.numbers[name].low), min(high, scope.numbers[name].high), name)
        case Maybe(inner):
            return Maybe(_bounded(inner, scope))
        case Keyed(key, value):
            return Keyed(_bounded(key, scope), _bounded(value, scope))
        case Many(item, size):
            return Many(_bounded(item, scope), size)
        case Group(items, rest):
            return Group(tuple(_bounded(item, scope) for item in items), rest)
    return of


def type_of_value(value: Any) -> Type:
    """The type of a constant."""
    match value:
        case bool():
            return FLAG
        case int():
            return Number(value, value)
        case str():
            return WORD
        case None:
            return NOTHING
        case range():
            return Many(Number(min(value), max(value)) if value else NEVER, len(value))
        case tuple() | list():
            items = tuple(type_of_value(item) for item in value)
            found = joined_or(ANYTHING, *items)
            return Group(items) if found == ANYTHING and len(items) <= FEW else Many(found, len(items))
        case Span():
            return SPAN
        case dict():
            return Keyed(joined_all(map(type_of_value, value)), joined_all(map(type_of_value, value.values())))
    return ANYTHING


# ---- what is looked up ------------------------------------------------------------------------------------


def _named(kind: str, name: str, among: Mapping[str, Any]) -> Any:
    if name not in among:
        raise Contradiction(f"there is no {kind} '{name}'")
    return among[name]


def _table(node: c.Table, scope: Scope) -> Type:
    return _named("table", node.name, scope.tables if node.name in scope.tables else NAMED_NUMBERS)  # type: ignore[no-any-return]


def _ref(node: c.Ref, scope: Scope) -> Type:
    signature = LIBRARY.get(node.name) or _named("function", node.name, scope.functions)()
    return Function(signature.gives if isinstance(signature.gives, Type) else COUNT if node.name == "len" else ANYTHING)


def _field(node: c.Field, scope: Scope) -> Type:
    return scope.led if node.name == "led" else _bounded(_named("field", node.name, FIELD_TYPES), scope)


def _numbered(what: str, at: Type, kinds: tuple[Type, ...]) -> tuple[Type, ...]:
    """The types, of those by number, that a number of this type may mean."""
    at = without_none(at)
    if at in (ANYTHING, NEVER):  # where it is never known, nothing is looked at
        return kinds if at == ANYTHING else ()
    if not isinstance(at, Number):
        raise Contradiction(f"{told(at)} is no number of a {what}")
    if at.high < 0 or at.low >= len(kinds):
        raise Contradiction(f"there is no {what} with {told(at)}: they go up to {len(kinds) - 1}")
    return kinds[max(0, at.low) : at.high + 1]


def _any_of(what: str, at: Type, kinds: tuple[Type, ...]) -> Type:
    return joined_or(ANYTHING, *_numbered(what, at, kinds))  # cards may be kept as bits here, and as a list there


def _zones(node: c.Zones, scope: Scope) -> Type:
    low, high = type_of(node.low, scope), type_of(node.high, scope)
    assert isinstance(low, Number) and isinstance(high, Number)
    return Many(_any_of("place", Number(low.low, high.high - 1), scope.zones))


def _item(node: c.Item, scope: Scope) -> Type:
    of, at = without_none(type_of(node.of, scope)), type_of(node.at, scope)
    if isinstance(of, Keyed):
        _demand(at, of.key, "a key")
        return of.value
    index = without_none(at)
    if isinstance(index, Number) and isinstance(of, Many | Group):
        size = size_of(of)
        if 0 <= size <= index.low or (0 <= size < -index.high):
            raise Contradiction(f"there is no member with {told(index)} among {size}")
        if isinstance(of, Group) and index.low == index.high and index.low < len(of.items):
            return of.items[index.low]
    return item_of(of)


def _demand(given: Type, wanted: Type, what: str) -> None:
    if not fits(given, wanted):
        raise Contradiction(f"{told(given)} stands where {what} is wanted: {told(wanted)}")


# ---- calls ------------------------------------------------------------------------------------------------


def _given(args: tuple[c.Expr, ...], scope: Scope) -> tuple[list[Type], Type | None]:
    """The types of arguments; and of further ones, the first of which is spread from a list; None for no such."""
    found: list[Type] = []
    rest: Type | None = None
    for arg in args:
        of = type_of(arg, scope)
        if isinstance(arg, c.Spread) and isinstance(of, Group) and rest is None:
            found += of.items
        elif isinstance(arg, c.Spread):
            rest = joined(rest or NEVER, item_of(of))
        elif rest is None:
            found.append(of)
        else:
            rest = joined(rest, of)
    return found, rest


def _call(node: c.Call, scope: Scope) -> Type:
    signature: Signature = LIBRARY.get(node.function) or _named("function", node.function, scope.functions)()
    if node.function in ("ask", "holds"):  # what is asked first is a function of what follows
        given, rest = _given(node.args[1:], replace(scope, handed=()))
        asked = replace(scope, handed=tuple(map(without_none, given)))
        given = [type_of(node.args[0], asked), *given]
    else:
        given, rest = _given(node.args, replace(scope, handed=HANDED.get(node.function, ())))
    if rest is not None and signature.many:
        given.append(Many(rest))
    return _bounded(_gives(node.function, signature, given), scope)


def _gives(name: str, signature: Signature, given: list[Type]) -> Type:
    takes = signature.takes
    if len(given) > len(takes) and not signature.many:
        raise Contradiction(f"'{name}' is given {len(given)} arguments, and takes {len(takes)}")
    for at, one in enumerate(given):
        _demand(one, takes[min(at, len(takes) - 1)], f"argument {at + 1} of '{name}'")
    return signature.gives if isinstance(signature.gives, Type) else signature.gives(given)


def _lambda(node: c.Lambda, scope: Scope) -> Type:
    given = dict.fromkeys(node.params, ANYTHING) | dict(zip(node.params, scope.handed, strict=False))
    return Function(type_of(node.body, scope.within(given)))


def _called(node: c.Called, scope: Scope) -> Type:
    given, _ = _given(node.args, scope)
    found = without_none(type_of(node.of, replace(scope, handed=tuple(given))))
    return found.result if isinstance(found, Function) else ANYTHING


def _method(node: c.Method, scope: Scope) -> Type:
    of, (given, _) = type_of(node.of, scope), _given(node.args, scope)
    found = _gives(node.name, METHOD_TYPES[node.name], given)
    match node.name, without_none(of):
        case "get", Keyed(_, value):
            return joined(value, given[1]) if len(given) > 1 else maybe(value)
        case "get" | "pop", other:
            return ANYTHING if node.name == "get" else item_of(other)
    return found


# ---- what is reckoned -------------------------------------------------------------------------------------


def _clipped(low: int, high: int) -> Number:
    return Number(max(-MANY, low), min(MANY, high))


def _op(node: c.Op, scope: Scope) -> Type:
    left, right = (without_none(type_of(part, scope)) for part in (node.left, node.right))
    if ANYTHING in (left, right):
        return ANYTHING
    match left, right:
        case (Bits() | Number(), Bits() | Number()):
            return (_of_bits if node.op in ("&", "|", "^", "<<", ">>") else _sum)(node.op, left, right)
    if NEVER in (left, right):
        return NEVER
    match node.op, left, right:
        case "+", Group(items, None), Group(others, None):
            return Group((*items, *others))
        case "+", Group(items, None), Many(item):
            return Group(items, item)
        case "+", Many() | Group(), Many() | Group():
            return Many(joined_or(ANYTHING, item_of(left), item_of(right)))
    if node.op == "+" and left == right == WORD:
        return WORD
    raise Contradiction(f"{told(left)} {node.op} {told(right)}")


def _sum(op: str, left: Type, right: Type) -> Type:
    if op == "-" and isinstance(left, Bits) and right == Number(1, 1):  # which leaves all but the lowest, with `&`
        return left
    if not isinstance(left, Number) or not isinstance(right, Number):
        raise Contradiction(f"{told(left)} {op} {told(right)}")
    (a, b), (x, y) = (left.low, left.high), (right.low, right.high)
    match op:
        case "+":
            return _clipped(a + x, b + y)
        case "-":
            return _clipped(a - y, b - x)
        case "*":
            ends = a * x, a * y, b * x, b * y
            return _clipped(min(ends), max(ends))
        case "//":
            most = max(abs(a), abs(b))
            return _clipped(-most if a < 0 or x < 0 else 0, most)
    return _clipped(0, y - 1) if x > 0 else ANY_NUMBER


def _of_bits(op: str, left: Type, right: Type) -> Type:
    match op, left, right:
        case "<<", Number(1, 1), Number(_, _, "card" | "player" as of):
            return Bits(of)
        case ">>", Bits() | Number(), Number():
            return _clipped(0, left.high if isinstance(left, Number) else MANY)
        case "<<", Bits(), Number():
            return COUNT
        case "<<", Number(low, high), Number() if low >= 0:
            return _clipped(0, high << right.high if right.high < 4096 else MANY)
        case _, Bits(one), Bits(two):
            if one != two:
                raise Contradiction(f"{told(left)} {op} {told(right)}")
            return left
        case (("&" | "|" | "^"), Bits(), Number() | Bits()):
            return left if op != "&" or not isinstance(right, Number) or right.high > 1 or right.low < 0 else right
        case (("&" | "|" | "^"), Number(), Bits()):
            return right
        case "&", Number(), Number():
            highs = [one.high for one in (left, right) if one.low >= 0]
            return _clipped(0, min(highs)) if highs else ANY_NUMBER
        case (("|" | "^"), Number(), Number()):
            return _clipped(0, (1 << max(left.high, right.high).bit_length()) - 1)
    raise Contradiction(f"{told(left)} {op} {told(right)}")


def _compare(node: c.Compare, scope: Scope) -> Type:
    left, right = type_of(node.left, scope), type_of(node.right, scope)
    if node.op in ("in", "not in"):
        right = item_of(right)
    try:
        joined(left, right)
    except Contradiction as found:
        raise Contradiction(f"{told(left)} is never {told(right)}") from found
    return FLAG


def _between(node: c.Between, scope: Scope) -> Type:
    for part in (node.low, node.of, node.high):
        _demand(type_of(part, scope), ANY_NUMBER, "a number")
    return FLAG


def _negative(node: c.Negative, scope: Scope) -> Type:
    of = without_none(type_of(node.of, scope))
    return Number(-of.high, -of.low) if isinstance(of, Number) else of


def _inverted(node: c.Inverted, scope: Scope) -> Type:
    of = type_of(node.of, scope)
    return of if isinstance(of, Bits) else Number(-MANY, -1)


def _both(node: c.And | c.Or, scope: Scope) -> Type:
    """One of several values: a condition where these have nothing in common."""
    types = [type_of(part, scope) for part in node.parts]
    if isinstance(node, c.Or):
        types = [*(without_none(of) for of in types[:-1]), types[-1]]
    return joined_or(CONDITION, *types)


def _if(node: c.If, scope: Scope) -> Type:
    type_of(node.test, scope)
    return joined(type_of(node.then, scope), type_of(node.otherwise, scope))


# ---- loops and lists --------------------------------------------------------------------------------------


def _inside(node: c.Loop | c.Ordered, scope: Scope) -> tuple[Type, Scope]:
    """What a loop goes through, and where its variable is known."""
    item = item_of(type_of(node.domain, scope))
    within = scope.within({node.variable: item})
    if node.where is not None:
        type_of(node.where, within)
    return item, within


def _loop(node: c.Loop, scope: Scope) -> Type:
    _, within = _inside(node, scope)
    value = type_of(node.value, within)
    match node.kind:
        case "any" | "all":
            return FLAG
        case "list":
            return Many(value)
        case "first":
            return maybe(value)
    return COUNT


def _ordered(node: c.Ordered, scope: Scope) -> Type:
    item, within = _inside(node, scope)
    type_of(node.by, within)
    return Many(item) if node.kind == "all" else maybe(item)


def _fold(node: c.Fold, scope: Scope) -> Type:
    item = item_of(type_of(node.of, scope))
    if item in (ANYTHING, NEVER):
        return ANY_NUMBER
    of = without_none(item)
    if not isinstance(of, Number):
        raise Contradiction(f"the {node.kind} of {told(of)}")
    if node.kind == "sum":
        return Number(0 if of.low >= 0 else -MANY, MANY if of.high > 0 else 0)
    return Number(min(0, of.low), max(0, of.high))


def _group(node: c.Tuple, scope: Scope) -> Type:
    given, rest = _given(node.items, scope)
    return Group(tuple(given)) if rest is None else Many(joined_or(ANYTHING, *given, rest))


def _list(node: c.List, scope: Scope) -> Type:
    found: Type = NEVER
    for item in node.items:
        of = type_of(item, scope)
        found = joined(found, item_of(of) if isinstance(item, c.Spread) else of)
    return Many(found)


def _cases(node: c.Cases, scope: Scope) -> Type:
    return Keyed(joined_all(map(type_of_value, node.numbers)), joined_all([type_of(v, scope) for v in node.values]))


def _bits(node: c.CountBits | c.LowBit | c.BitNumber, scope: Scope) -> Type:
    of = type_of(node.of, scope)
    _demand(of, Bits(of.of) if isinstance(of, Bits) else COUNT, "bits")
    match node:
        case c.LowBit():
            return of
        case c.BitNumber() if isinstance(of, Bits):
            return _bounded(Number(of=of.of), scope)
    return COUNT


_FORMS: dict[type[c.Expr], Callable[[Any, Scope], Type]] = {
    c.Lit: lambda node, scope: type_of_value(node.value),
    c.Name: lambda node, scope: _named("local", node.name, scope.locals),
    c.Zone: lambda node, scope: _any_of("place", type_of(node.at, scope), scope.zones),
    c.Slot: lambda node, scope: _any_of("variable", type_of(node.at, scope), scope.slots),
    c.Slots: lambda node, scope: Many(
        _any_of("variable", Number(node.low, node.high - 1), scope.slots), node.high - node.low
    ),
    c.End: lambda node, scope: maybe(item_of(type_of(node.cards, scope))),
    c.Spread: lambda node, scope: type_of(node.of, scope),
    c.Repeat: lambda node, scope: Many(type_of(node.value, scope), node.times),
    c.Not: lambda node, scope: type_of(node.of, scope) and FLAG,
    c.Table: _table, c.Ref: _ref, c.Field: _field, c.Zones: _zones, c.Item: _item, c.Call: _call, c.Called: _called,
    c.Method: _method, c.Op: _op, c.Compare: _compare, c.Between: _between, c.Negative: _negative,
    c.Inverted: _inverted, c.And: _both, c.Or: _both, c.If: _if, c.Lambda: _lambda, c.Loop: _loop,
    c.Ordered: _ordered, c.Fold: _fold, c.Tuple: _group, c.List: _list, c.Cases: _cases, c.CountBits: _bits,
    c.LowBit: _bits, c.BitNumber: _bits,
}  # fmt: skip
"""The type of each kind of node."""
