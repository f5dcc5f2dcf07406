"""What a statement asks several times, and certainly asks, is worked out once before it.

Only what has the same answer each time is taken: nothing in the statement changes the match, and what is worked out
counts no steps, so that no match stops sooner or later than it did. What a statement works out first is worked out
first again: where rules cannot go on, it is found at the same place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count

from interpreter.compiler import core as c
from interpreter.compiler.core import Expr, Statement
from interpreter.compiler.passes.contents import Contents
from interpreter.language.tree import replace

_ALWAYS_THE_SAME = frozenset(
    (
        "abs across any ask bits bool cycle distance extreme has_card has_face holder holds item len mask_of "
        "mask_of_packet max min next next_after none_first of_card others partner pieces present range required "
        "same_card seat_from seat_of sorted str sum tuple with_copies"
    ).split()
)
"""Functions of the library that look, and neither change the match nor count steps."""
_QUIET = frozenset(("==", "!=", "is", "is not"))
_LOOPS = (c.Loop, c.Fold)
_WORKED_OUT = (c.Call, *_LOOPS)
"""What is work: all else is as soon done again as looked up."""


class AskedOnce:
    """functions: the definitions of a program by their names, as they are called."""

    def __init__(self, functions: Mapping[str, list[Statement]]) -> None:
        self._functions = functions
        self._same: dict[str, bool] = {}

    def block(self, body: list[Statement], there: Contents) -> list[Statement]:
        """A body in which no statement works out twice what it can know. there: what stands in it."""
        again = [name for name, times in there.called.items() if times > 1 and self.looks(name)]
        return _Body(self).block(body) if again or any(there.kinds[kind] > 1 for kind in _LOOPS) else body

    def is_definition(self, function: str) -> bool:
        return function in self._functions

    def looks(self, function: str) -> bool:
        """Whether a function only looks: definitions do, whatever they count."""
        return function in _ALWAYS_THE_SAME or self.is_definition(function)

    def is_same(self, node: Expr) -> bool:
        """Whether an expression has the same answer each time, as long as nothing changes, and counts no steps."""
        return all(self._same_by_itself(part) for part in c.walk(node))

    def _same_by_itself(self, node: Expr) -> bool:
        match node:
            case c.Call(function):
                return self._definition(function) if self.is_definition(function) else self.looks(function)
            case c.Method(_, name):
                return name in ("count", "get")
            case c.Called(of):
                return isinstance(of, c.Lambda)
        return True

    def _definition(self, name: str) -> bool:
        if name not in self._same:
            self._same[name] = False  # while it is looked at: one that asks for itself is not looked into
            self._same[name] = all(map(self._is_answer, c.statements(self._functions[name])))
        return self._same[name]

    def _is_answer(self, statement: Statement) -> bool:
        match statement:
            case c.Set(c.Name(), value) | c.Return(value):
                return self.is_same(value)
            case c.When(test):
                return self.is_same(test)
        return False


class _Body:
    """The body of one function."""

    def __init__(self, program: AskedOnce) -> None:
        self._program = program
        self._numbers = count(1)

    def block(self, body: list[Statement]) -> list[Statement]:
        found: list[Statement] = []
        for statement in body:
            match statement:
                case c.Set(c.Name() | c.Slot(), asked) | c.Return(asked) | c.When(asked):
                    known: dict[Expr, Expr] = {}
                    for part, name in self._known(asked).items():
                        found.append(c.Set(name, c.exchanged(part, known), statement.span))
                        known[part] = name
                    if known:
                        field = "test" if isinstance(statement, c.When) else "value"
                        statement = replace(statement, **{field: c.exchanged(asked, known)})
            found.append(c.with_blocks(statement, self.block))
        return found

    def _known(self, node: Expr) -> dict[Expr, c.Name]:
        """What is worked out before a statement, in order, and under which names."""
        again = set(_several_times(node))
        if not again or not self._changes_nothing(node):
            return {}
        bound = _bound_in(node)
        wanted = {part for part in again if self._program.is_same(part) and not _free_in(part) & bound}
        found: list[Expr] = []
        if wanted:
            self._first_asked(node, wanted, found)
        while found and found[-1] not in wanted:
            found.pop()
        return {asked: c.Name(f"once{next(self._numbers)}") for asked in found}

    def _changes_nothing(self, node: Expr) -> bool:
        return all(not isinstance(part, c.Call) or self._program.looks(part.function) for part in c.walk(node))

    def _first_asked(self, node: Expr, wanted: set[Expr], found: list[Expr]) -> bool:
        """Find what is wanted where it is certainly asked, in order, with the definitions that are asked before it.

        The search ends at the first thing else that may stop the match, or that comes before what is not certain.
        Returns whether it goes on behind the node.
        """
        if node in wanted:
            if node not in found:
                found.append(node)
            return True
        match node:
            case c.Lit() | c.Name() | c.Table() | c.Ref() | c.Field():
                return True
            case c.Slot(at) | c.Zone(at):
                return self._first_asked(at, wanted, found) and c.is_at_hand(node)
            case c.Not(of):
                return self._first_asked(of, wanted, found)
            case c.Compare(op, left, right):
                both = self._first_asked(left, wanted, found) and self._first_asked(right, wanted, found)
                return both and op in _QUIET
            case c.Tuple(items) | c.List(items):
                return all(self._first_asked(item, wanted, found) for item in items)
            case c.If(test) | c.And((test, *_)) | c.Or((test, *_)):
                self._first_asked(test, wanted, found)
            case c.Op(_, left, right) | c.Item(left, right):
                _ = self._first_asked(left, wanted, found) and self._first_asked(right, wanted, found)
            case c.Call(function, args):
                at_once = all(self._first_asked(arg, wanted, found) for arg in args)
                if at_once and self._program.is_definition(function) and self._program.is_same(node):
                    found.append(node)
                    return True
            case c.Fold(_, of) | c.CountBits(of):
                self._first_asked(of, wanted, found)
            case c.Loop(_, _, domain):
                self._first_asked(domain, wanted, found)
        return False


def _several_times(node: Expr) -> Iterator[Expr]:
    """What is worked out more than once in an expression."""
    work = [part for part in c.walk(node) if isinstance(part, _WORKED_OUT)]
    if len(work) < 2:
        return
    kinds = Counter(map(_kind, work))
    if max(kinds.values()) > 1:
        times = Counter(part for part in work if kinds[_kind(part)] > 1)
        yield from (part for part, number in times.items() if number > 1)


def _bound_in(node: Expr) -> set[str]:
    """The locals that stand for each member of something in turn, or for what a function is given."""
    found: set[str] = set()
    for part in c.walk(node):
        match part:
            case c.Loop(_, variable) | c.Ordered(_, variable):
                found.add(variable)
            case c.Lambda(params):
                found.update(params)
    return found


def _free_in(node: Expr) -> set[str]:
    """The locals of an expression that it does not bind itself."""
    return {part.name for part in c.walk(node) if isinstance(part, c.Name)} - _bound_in(node)


def _kind(node: Expr) -> object:
    return node.function if isinstance(node, c.Call) else type(node)
