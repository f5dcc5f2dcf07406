"""A program is looked through before anybody trusts it: every expression has a type, and none contradicts itself.

Tests and fuzzing do that with all programs; play does not wait for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from interpreter.compiler.core import node_kinds as c
from interpreter.compiler.core.library_types import PARAMETER_TYPES, Signature, does
from interpreter.compiler.core.type_of import Scope, type_of
from interpreter.compiler.core.types import (
    ANYTHING,
    CONDITION,
    MANY,
    NEVER,
    NOTHING,
    Contradiction,
    Group,
    Keyed,
    Many,
    Maybe,
    Number,
    Type,
    fits,
    item_of,
    joined,
    joined_or,
    maybe,
    told,
    without_none,
)
from interpreter.compiler.core.walking import expressions, walk

TIMES = 6
"""So often a function is looked through until what its locals can be is settled."""
Locals = dict[str, Type]
"""What locals can be, by name."""
Told = dict[c.Expr, Type]
"""Expression -> its type."""


class Checked:
    """The types of a program.

    parts: its functions. declared: function -> its parameters that the ruleset names -> what they are. Raises
    Contradiction, with the function where it is, where something can't be what it would have to be.
    """

    def __init__(self, parts: Iterable[c.Part], scope: Scope, declared: Mapping[str, Mapping[str, Type]]) -> None:
        self._functions: dict[str, c.Function] = {}
        self._declared = declared
        self.gives: dict[str, Type] = {}
        """What each function gives."""
        self.types: dict[str, Told] = {}
        """The types of the expressions of each function."""
        self._tables = dict(scope.tables)
        self._led: Type = NOTHING
        asked: dict[str, Callable[[], Signature]] = {}
        for part in parts:
            if isinstance(part, c.Function):
                self._functions[part.name] = part
                asked[part.name] = partial(self._signature, part.name)
            elif isinstance(part, c.Alias):
                asked[part.name] = asked[part.of]
        self.scope = replace(scope, tables=self._tables, functions=asked)
        self._look_through()
        self.scope = replace(self.scope, led=self._led)  # which is known once all has been looked through
        self._look_through()

    def _look_through(self) -> None:
        self.gives.clear()
        for name in self._functions:
            self._signature(name)

    def _signature(self, name: str) -> Signature:
        function = self._functions[name]
        given = {_name(param): self._parameter(name, param) for param in function.params}
        if name not in self.gives:
            self.gives[name] = NEVER  # should it call itself
            try:
                body = _Body(self, function, {**self._declared.get(name, {}), **given})
            except Contradiction as found:
                raise Contradiction(f"{name}: {found}") from None
            self.gives[name], self.types[name] = body.gives, body.told
        takes = [
            of if _name(param) == param else maybe(of)
            for param, of in zip(function.params, given.values(), strict=True)
        ]
        return Signature(tuple(takes), self.gives[name], many=function.params[-1:] == ("*row",))

    def _parameter(self, function: str, param: str) -> Type:
        """What is declared of a parameter, or what the machine gives for one of its name."""
        name = _name(param)
        declared = self._declared.get(function, {}).get(name) or self.scope.locals.get(name)
        return declared or PARAMETER_TYPES.get(param, ANYTHING)

    def lay_into_table(self, name: str, key: Type, value: Type) -> None:
        before = self._tables[name]
        self._tables[name] = Keyed(key, value) if not isinstance(before, Keyed) else joined(before, Keyed(key, value))

    def lead(self, suit: Type) -> None:
        self._led = joined(self._led, suit)

    def here(self, locals: Mapping[str, Type], told: Told) -> Scope:
        def see(node: c.Expr, found: Type) -> None:
            told[node] = joined_or(ANYTHING, told.get(node, NEVER), found)

        return replace(self.scope, locals={**self.scope.locals, **locals}, seen=see)


class _Body:
    """What the locals of a function can be where they are looked at; None where nobody comes."""

    def __init__(self, of: Checked, function: c.Function, given: Mapping[str, Type]) -> None:
        self._of, self._given = of, given
        self.gives: Type = NEVER
        self.told: Told = {}
        self._again: list[Locals | None] = []
        """Of each loop that one is in, what locals can be where its next round begins."""
        self._trying = 0
        """In how many loops one is of which it is not settled yet what locals can be in them."""
        if self._block(function.body, dict(given)) is not None:
            self._give(NOTHING)
        for node in expressions(function.body):
            if node not in self.told:
                raise Contradiction(f"{node} has no type")

    def _type(self, node: c.Expr, now: Locals) -> Type:
        for part in walk(node):
            if part is not node and isinstance(part, c.Call) and "changes" in does(part):
                raise Contradiction(f"'{part.function}' changes the state within an expression")
        return type_of(node, self._of.here(now, self.told))

    def _demand(self, given: Type, wanted: Type, what: str) -> None:
        if not fits(given, wanted):
            raise Contradiction(f"{told(given)} is laid into {what}: {told(wanted)}")

    def _give(self, value: Type) -> None:
        self.gives = joined_or(CONDITION, self.gives, value)

    def _block(self, body: Iterable[c.Statement], now: Locals) -> Locals | None:
        """What locals can be after some statements. Raises Contradiction."""
        after: Locals | None = now
        for statement in body:
            try:
                found = self._statement(statement, dict(now))
            except Contradiction:
                if not self._trying:
                    raise
                continue
            now = now if found is None else found  # what stands after a return has types, too
            after = None if after is None else found
        return after

    def _statement(self, node: c.Statement, now: Locals) -> Locals | None:
        match node:
            case c.Set(target, value):
                self._set(target, self._type(value, now), now)
            case c.Update(target, op, value):
                self._set(target, self._type(c.Op(op, target, value), now), now)
            case c.Do(value):
                self._type(value, now)
                match value:
                    case c.Method(c.Name(name), "append", (item,)):
                        now[name] = joined(now[name], Many(self._type(item, now)))
            case c.Return(value) | c.Breach(value):
                self._give(self._type(value, now))
                return None
            case c.Continue():
                self._again[-1] = _either(self._again[-1], now)
                return None
            case c.When(test, then, otherwise) | c.Follow(test, then, otherwise):
                self._type(test, now)
                return _either(self._block(then, now), self._block(otherwise, now))
            case c.Each(variables, domain, body):
                return self._each(variables, item_of(self._type(domain, now)), body, now)
            case c.While(test, body):
                return self._rounds(body, now, lambda now: self._type(test, now))
            case c.Announce(owed, words, when):
                self._type(when, now)
                self._set(owed, Many(self._type(words, now)), now)
            case c.Fault(_, offender):
                self._type(offender, now)
            case c.Lapse(when, ages):
                self._type(when, now)
                self._type(ages, now)
        return now

    def _each(self, names: tuple[str, ...], item: Type, body: list[c.Statement], now: Locals) -> Locals | None:
        items = item.items if isinstance(item, Group) and len(names) > 1 else (item,) * len(names)

        def begin(now: Locals) -> None:
            now.update(zip(names, items, strict=True))

        return self._rounds(body, now, begin)

    def _rounds(self, body: list[c.Statement], now: Locals, begin: Callable[[Locals], object]) -> Locals | None:
        """What locals can be after a loop: it is gone through until that is settled."""
        self._trying += 1
        try:
            for times in range(TIMES):
                before = now
                now = _either(now, self._round(body, now, begin)) or now
                if now == before:
                    break
                if times:
                    now = {name: _widened(of, before.get(name)) for name, of in now.items()}
        finally:
            self._trying -= 1
        self._round(body, now, begin)
        return now

    def _round(self, body: list[c.Statement], now: Locals, begin: Callable[[Locals], object]) -> Locals | None:
        self._again.append(None)
        inside = dict(now)
        try:
            begin(inside)
            after = self._block(body, inside)
        finally:
            again = self._again.pop()
        return _either(after, again)

    def _set(self, target: c.Expr, given: Type, now: Locals) -> None:
        match target:
            case c.Name(name) | c.Spread(c.Name(name)):
                now[name] = self._given.get(name, given) if given == ANYTHING else given
            case c.Tuple(items):
                for item, of in zip(items, _parted(without_none(given), items), strict=True):
                    self._set(item, of, now)
            case c.Field("led"):
                self._of.lead(given)
                given = NEVER
            case c.Item(c.Table(name), key):
                self._of.lay_into_table(name, self._type(key, now), given)
        wanted = self._type(target, now)
        if wanted != NEVER:  # as what belongs to nobody, of which nothing is ever carried out
            self._demand(given, _of_any_size(wanted), type(target).__name__.lower())


def _name(param: str) -> str:
    """The name of a parameter, which may take what remains, or be left out."""
    return param.strip("*").partition("=")[0]


def _parted(given: Type, among: tuple[c.Expr, ...]) -> list[Type]:
    """What each of several targets gets of a group; the last of them may take what remains."""
    if not isinstance(given, Group):
        return [Many(item_of(given)) if isinstance(target, c.Spread) else item_of(given) for target in among]
    if not isinstance(among[-1], c.Spread):
        return list(given.items)
    last = len(among) - 1
    return [*given.items[:last], Group(given.items[last:]) if given.rest is None else Many(given.rest)]


def _of_any_size(of: Type) -> Type:
    """A type without the bounds of its numbers: a match stops where a variable would leave them."""
    match of:
        case Number(_, _, name):
            return Number(of=name)
        case Maybe(inner):
            return Maybe(_of_any_size(inner))
    return of


def _either(one: Locals | None, two: Locals | None) -> Locals | None:
    """What locals can be where two ways meet: those that are nothing common are not looked at any more."""
    if one is None or two is None:
        return two if one is None else one
    found: Locals = {}
    for name in one.keys() | two.keys():
        with suppress(Contradiction):
            found[name] = joined(one.get(name, NEVER), two.get(name, NEVER))
    return found


def _widened(of: Type, before: Type | None) -> Type:
    """A number that has grown may be any, so that this comes to an end."""
    match of, before:
        case Number(low, high, name), Number(least, most) if low < least or high > most:
            return Number(-MANY if low < least else low, MANY if high > most else high, name)
    return of
