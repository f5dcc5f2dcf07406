"""What lies in a place is looked at once in a function that changes nothing, however often it asks for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial
from itertools import count

from interpreter.compiler import core as c
from interpreter.compiler.core import Expr, Statement
from interpreter.compiler.passes.contents import Contents

MOST_LOOKED_AT = 20_000
"""Of functions with more parts than that, nothing is found out."""


def looked_at_once(params: Iterable[str], body: list[Statement], before: Contents) -> list[Statement]:
    """A body in which places that are looked at several times have a name.

    before: what stood in it before other passes, which only take places out.
    """
    if before.kinds[c.Zone] < 2 or not _changes_nothing(body):
        return body
    return _Once().block({c.ACTOR.name}.intersection(params), body)


def _changes_nothing(body: list[Statement]) -> bool:
    for statement in c.statements(body):
        match statement:
            case c.Set(c.Name()) | c.Update(c.Name()) | c.When() | c.Each() | c.Return() | c.Continue():
                continue
            case c.Do(c.Method(c.Name(), "append")):  # something is added to what it finds
                continue
        return False
    return True


class _Once:
    def __init__(self) -> None:
        self._numbers = count(1)

    def block(self, known: set[str], body: list[Statement]) -> list[Statement]:
        """A block in which these locals are what they are throughout, and none of them is none."""
        settled = known - set(c.set_in(body)) if known else known
        again = [place for place, times in _looked_at(settled, body).items() if times > 1] if settled else []
        given: dict[Expr, Expr] = {place: c.Name(f"cards{next(self._numbers)}") for place in again}
        before: list[Statement] = [c.Set(name, place) for place, name in given.items()]
        if given:
            body = [c.changed(statement, lambda part: c.exchanged(part, given)) for statement in body]
        return [*before, *[self._inside(settled, statement) for statement in body]]

    def _inside(self, known: set[str], statement: Statement) -> Statement:
        if isinstance(statement, c.Each):
            there = set(statement.variables) if _are_there(statement.domain) else set()
            return c.with_blocks(statement, partial(self.block, known | there))
        return c.with_blocks(statement, lambda inner: [self._inside(known, each) for each in inner])


def _looked_at(known: set[str], body: list[Statement]) -> Counter[Expr]:
    """How often each place is looked at that these locals tell."""
    return Counter(node for node in _first(c.expressions(body)) if isinstance(node, c.Zone) and _is_of(node, known))


def _are_there(domain: Expr) -> bool:
    """Whether nothing that a loop goes through is none."""
    match domain:
        case c.Call("each_of", (_, inner, _)):
            return _are_there(inner)
        case c.Call("range" | "bits" | "distinct" | "as_they_lie" | "place_by_place") | c.Zone():
            return True
    return domain == c.EVERYONE


def _first(nodes: Iterable[Expr]) -> Iterable[Expr]:
    """The first of very many nodes: of too many, none."""
    found = list(zip(range(MOST_LOOKED_AT + 1), nodes, strict=False))
    return [] if len(found) > MOST_LOOKED_AT else [node for _, node in found]


def _is_of(zone: c.Zone, known: set[str]) -> bool:
    """Whether a place is told by numbers and these locals alone, at least one of them."""
    names = [node.name for node in c.walk(zone.at) if isinstance(node, c.Name)]
    plain = all(isinstance(node, c.Name | c.Lit | c.Op) for node in c.walk(zone.at))
    return plain and bool(names) and known.issuperset(names)
