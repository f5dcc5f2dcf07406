"""What a condition inside a loop asks that is the same every time: it is worked out once, before the loop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from interpreter.compiler import core as c
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.lowering import Lowering
from interpreter.language import typed as t
from interpreter.language.model import DefineInstance
from interpreter.language.operations import ANSWER
from interpreter.language.typed import Typed, children, walk

THESE = c.Name("these")
"""Those whom an answer is about, once they are worked out."""


def first_asked(node: Typed, instances: Mapping[str, DefineInstance]) -> t.Instance | None:
    """The definition of a group, without parameters, that an expression certainly asks for first."""
    match node:
        case t.Instance(_, ()) if node.type.kind == "set":
            return node
        case t.Instance(key, ()):
            return first_asked(instances[key].body, instances)
        case t.Op(_, (first, *_)):
            return first_asked(first, instances)
        case t.Quant() | t.Select() | t.Fold():
            return first_asked(node.domain, instances)
    return None


class Hoisted:
    """What has been worked out under a name, for the conditions of one list of moves."""

    def __init__(self, e: Lowering, conditions: Iterable[Typed | None], inside: set[str]) -> None:
        """inside: the locals that change inside the loops."""
        self.names: dict[Expr, c.Name] = {}
        """Expression -> its name, in the order in which they are worked out."""
        for condition in conditions:
            for part in _steady(e, condition, inside):
                if e.uses(part):  # else it is a number, which may stand for something else, too
                    self.names.setdefault(e.of(part), c.Name(f"steady{len(self.names) + 1}"))

    def within(self, node: Expr) -> Expr:
        """A condition in which what is known already stands by its name."""
        return c.exchanged(node, self.names) if self.names else node


def _steady(e: Lowering, node: Typed | None, inside: set[str]) -> Iterator[Typed]:
    """The searches in a condition that depend on nothing that changes inside the loops."""
    if node is None:
        return
    if isinstance(node, t.Select) and node.kind == "first" and not e.uses(node) & inside and _is_safe(node):
        yield node
        return
    if isinstance(node, t.Let):
        inside = {*inside, node.variable}
    for part in children(node):
        yield from _steady(e, part, inside)


def _is_safe(node: Typed) -> bool:
    return all(
        isinstance(part, t.Select | t.Const | t.Local | t.ZoneRef | t.VarRef | t.Builtin)
        or (isinstance(part, t.Op) and part.op in ANSWER)
        for part in walk(node)
    )
