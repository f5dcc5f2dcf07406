"""What is done with variables, as statements of the core."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.base.diagnostics import Span
from interpreter.compiler import core as c
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.expressions import Expressions
from interpreter.compiler.lower.indexing import offset, place, slot
from interpreter.compiler.lower.spoken import words
from interpreter.compiler.lower.trees import may_be_none_of
from interpreter.compiler.writer import Writer
from interpreter.engine.budget import MOST_LETTERS
from interpreter.language import typed as t
from interpreter.language.check.asked_for_none import may_be_none
from interpreter.language.check.openness import is_open, is_open_variable
from interpreter.language.check.written_out import with_definitions
from interpreter.language.keywords import TEAM
from interpreter.language.model import Model
from interpreter.language.typed import Typed, walk

_PLAIN: dict[str, Expr] = {
    "flag": c.FALSE, "text": c.Lit(""), "player": c.ZERO, "team": c.ZERO, "suit": c.ZERO, "rank": c.ZERO,
    "set": c.NOTHING, "list": c.NOTHING,
}  # fmt: skip
_MUST_BE_THERE = {"integer": "needed", "player": "somebody"}
"""What sees to it that a value of a type is not none."""


class Variables:
    """Lowers what sets, clears and exchanges variables of one game into a writer."""

    def __init__(self, expressions: Expressions, out: Writer) -> None:
        self.e = expressions
        self.out = out
        self.open_names: frozenset[str] = frozenset()
        """What stands for something that all see, among the parameters of the action and the loops that are made."""
        self.seen_names: frozenset[str] = frozenset()
        """What stands for cards that who moves sees, among the parameters of the action."""
        self._openly = True
        """Whether who moves knows that what is lowered now is done."""

    def assign(self, node: t.Assign) -> None:
        target, e = node.target, self.e
        needed = target.type.kind == "integer" and not (node.verb == "set" and target.type.optional)
        value = e.number(node.value) if needed else e.of(node.value)
        if target.type.kind == "player" and not target.type.optional and e.may_be_nobody(node.value):
            value = c.call("somebody", value)
        if target.type.kind == "flag" and not target.type.optional and e.may_miss(node.value):
            value = c.If(value, c.TRUE, c.FALSE)  # it is asked for, and has become none since
        if isinstance(target, t.Builtin):
            self._set_table(target.name, value, node.span)
            return
        at = self._slot(target)
        if target.type.kind in ("set", "list"):
            self._set_several(node, at)
            return
        if target.type.kind == "text" and e.bounds.letters(node.value) > MOST_LETTERS:
            value = c.call("brief", value)
        if target.type.kind != "integer":
            self.out.set(c.Slot(at), value, node.span, target.name)
            return
        number, own = self.out.fresh("number"), self.out.fresh("slot")
        self.out.set(own, at, node.span, target.name)
        if node.verb != "set":
            value = c.Op("+" if node.verb == "add" else "-", c.Slot(own), value)
        self.out.set(number, value, node.span)
        within = _is_none(value) or self.e.ranges.is_within(node.value, *self._limits(target))
        if not (node.verb == "set" and within):
            self.check(target.name, number, self._limits(target), node.span, target.type.optional, node.value)
        if target.name == "score" and isinstance(target, t.VarRef):
            self._log_score(target, own, number, node)
        self.out.set(c.Slot(own), number, node.span)

    def _set_several(self, node: t.Assign, at: Expr) -> None:
        """A set or list; what is added to a set is in it once, what is added to a list stands at its end."""
        if node.verb == "set" and may_be_none_of(node.target) and may_be_none(node.value):
            self.out.set(c.Slot(at), self.members_or_none(node.value), node.span, node.target.name)
            return
        members, own = self.e.group(node.value), self.out.fresh("slot")
        kept = node.target.type.kind == "set"
        value = c.call("tuple", members)
        if node.verb != "set":
            self.out.set(own, at, node.span, node.target.name)
            at = own
            by = {"add": ("joined", "union"), "subtract": ("less", "without")}[node.verb][kept]
            before = c.Or((c.Slot(own), c.NOTHING)) if may_be_none_of(node.target) else c.Slot(own)
            value = c.call(by, before, members)
            value = c.call("tuple", value) if kept else value
        elif not kept:
            value = c.call("joined", c.NOTHING, members)
        self.out.set(c.Slot(at), value, node.span, node.target.name)

    def members_or_none(self, value: Typed) -> Expr:
        """The members of a set or list as they are now; none if it is none."""
        found = self.out.fresh("found")
        self.out.set(found, self.e.of(value), value.span)
        return c.If(c.is_none(found), c.NONE, c.call("tuple", found))

    def check(
        self, name: str, number: Expr, bounds: tuple[Typed, Typed], span: Span, optional: bool, made_of: Typed
    ) -> None:
        """Stop the match if a number is out of its bounds. made_of: what would be told with the number."""
        low, high = map(self.e.of, bounds)
        test: Expr = c.Not(c.Between(low, number, high))
        with self.out.when(c.And((c.is_there(number), test)) if optional else test, span):
            told = number if self._is_seen_by_all(name) and self._is_told(made_of) else c.NONE
            limits = (low, high) if all(map(self._is_open, bounds)) else (c.NONE, c.NONE)
            self.out.do(c.call("out_of_bounds", c.Lit(name), told, *limits), span)

    def _is_told(self, node: Typed) -> bool:
        """Whether everybody may know what a value is, and that it is this one that counts."""
        given = any(isinstance(part, t.StageArgument) for part in walk(node))  # before anybody is asked, none sees it
        return self._openly and not given and self._is_open(node)

    def _is_open(self, node: Typed) -> bool:
        return is_open(node, self.e.model, self.open_names)

    @contextmanager
    def decided_by(self, *parts: Typed | None, each: str = "") -> Iterator[None]:
        """Within, what is done hangs on some expressions. each: what stands for each of what they are."""
        before = self.open_names, self._openly
        names = self.open_names | ({each} if each else set())
        if all(is_open(part, self.e.model, names) for part in parts):
            self.open_names = names
        else:
            self._openly &= all(is_open(part, self.e.model, names | self.seen_names) for part in parts)
        yield
        self.open_names, self._openly = before

    def _is_seen_by_all(self, name: str) -> bool:
        """Whether everybody sees what a variable holds; the arguments of a stage are seen."""
        variable = self.e.model.variables.get(name)
        return variable is None or is_open_variable(variable)

    def clear(self, node: t.Clear) -> None:
        family = self.e.layout.variables[node.name]
        if node.index:
            if node.name == TEAM:
                default: Expr = c.Item(self._seated_teams(), self.e.of(node.index[0]))
            else:
                default = self._begun(node.name)
            self.out.set(c.Slot(offset(self.e, node.index, family)), default, node.span, node.name)
        else:
            self.reset(node.name, node.span)

    def reset(self, name: str, span: Span) -> None:
        """All values of a variable become what they are when its lifetime begins."""
        family = self.e.layout.variables[name]
        slots = c.Slots(family.base, family.base + family.size)
        if name == TEAM:
            self.out.set(slots, self._seated_teams(), span, name)
        elif family.size == 1:
            self.out.set(c.Slot(c.Lit(family.base)), self._begun(name), span, name)
        else:
            self.out.set(slots, c.Repeat(self._begun(name), family.size), span, name)

    def _begun(self, name: str) -> Expr:
        """The value that a variable goes back to, which play may decide: within its bounds, or the match stops."""
        variable, e = self.e.model.variables[name], self.e
        given, low, high = variable.default, variable.minimum, variable.maximum
        begins, optional = self.default(name), variable.type.optional
        if variable.type.kind != "integer" or (isinstance(begins, c.Lit) and given is None):
            return begins
        if given is not None and e.ranges.is_within(given, low, high):
            return begins
        number, told = self.out.fresh("number"), low if given is None else given
        self.out.set(number, begins if optional or given is None else e.number(told), told.span, name)
        self.check(name, number, (low, high), told.span, optional, told)
        return number

    def _seated_teams(self) -> Expr:
        """The team of each player as they sit, which is what teams made during play begin with."""
        return c.field("seated_teams") if self.e.model.reseats else c.Table("TEAM")

    def default(self, name: str) -> Expr:
        """The value a variable has when its lifetime begins."""
        variable = self.e.model.variables[name]
        if variable.default is not None:
            return self.e.of(variable.default)
        if variable.type.optional:
            return c.NONE
        if variable.type.kind == "integer":
            low, high = (self.e.of(bound) for bound in (variable.minimum, variable.maximum))
            if isinstance(low, c.Lit) and isinstance(high, c.Lit):
                return c.Lit(min(max(0, low.value), high.value))
            return c.call("min", c.call("max", c.ZERO, low), high)
        symbols = variable.type.symbols
        return _PLAIN.get(variable.type.kind, c.Lit(symbols[0] if symbols else None))

    def swap(self, node: t.SwapValues) -> None:
        e = self.e
        if isinstance(node.left, t.ZoneRef) and isinstance(node.right, t.ZoneRef):
            self.out.do(c.asked("swap_places", place(e, node.left), place(e, node.right)), node.span)
            return
        assert not isinstance(node.left, t.ZoneRef) and not isinstance(node.right, t.ZoneRef)
        one, two = c.Slot(self._slot(node.left)), c.Slot(self._slot(node.right))
        for target, other, value in ((node.left, node.right, two), (node.right, node.left, one)):
            there = _MUST_BE_THERE.get(target.type.kind)
            if there is not None and other.type.optional and not target.type.optional:
                self.out.do(c.call(there, value), node.span)
            if target.type.kind == "integer" and self._bounds(node.left) != self._bounds(node.right):
                self.check(target.name, value, self._limits(target), node.span, True, other)
        self.out.set(c.Tuple((one, two)), c.Tuple((two, one)), node.span)

    def _slot(self, target: t.VarRef | t.StageArgument) -> Expr:
        """Not what is asked of it, which may be none, but where it lies."""
        if isinstance(target, t.VarRef):
            return slot(self.e, target)
        return c.Lit(self.e.layout.arguments[target.stage, target.name])

    def _limits(self, target: t.VarRef | t.StageArgument) -> tuple[Typed, Typed]:
        if isinstance(target, t.StageArgument):
            return self.e.model.stages[target.stage].bounds[target.name]
        variable = self.e.model.variables[target.name]
        return variable.minimum, variable.maximum

    def _bounds(self, target: t.VarRef | t.StageArgument) -> tuple[Expr, Expr]:
        low, high = self._limits(target)
        return self.e.of(low), self.e.of(high)

    def _log_score(self, target: t.VarRef, own: Expr, number: Expr, node: t.Assign) -> None:
        dims = self.e.model.variables[target.name].dims
        letter = {"player": "P", "team": "T"}.get(str(dims[0])) if len(dims) == 1 else None
        if letter is None:
            return
        base, before = self.e.layout.variables[target.name].base, c.Slot(own)
        with self.out.when(c.And((c.is_there(c.LOG), c.Compare("!=", number, before)))):
            whose = c.call("str", c.Op("-", own, c.Lit(base - 1)))
            told = c.add(c.Lit(letter), whose, c.Lit(" "), c.call("str", number), c.Lit(":"))
            open_to_all = self._is_seen_by_all(target.name)
            owner: tuple[Expr, ...] = () if open_to_all else (c.Op("-", own, c.Lit(base)),)
            if node.because is not None:
                owner = (owner[0] if owner else c.NONE, words(self.e, node.because, spoken=False))
            self.out.do(c.method(c.STATE, "tell_score", told, c.Op("-", number, before), *owner), node.span)

    def _set_table(self, name: str, value: Expr, span: Span) -> None:
        """What the machine knows: the dealer, who is current, the direction."""
        if name == "direction":
            self.out.set(c.DIRECTION, c.If(c.Compare("==", value, c.Lit("left")), c.ONE, c.Lit(-1)), span)
        else:
            self.out.set(c.field(name), c.call("or_keep", value, c.field(name)), span)


def _is_none(value: Expr) -> bool:
    """Whether a value can only be none."""
    match value:
        case c.If(_, then, otherwise):
            return _is_none(then) and _is_none(otherwise)
    return value == c.NONE


def as_they_begin(model: Model) -> list[str]:
    """The variables, each behind those by which it begins."""
    found: dict[str, None] = {}
    begun: set[str] = set()

    def add(name: str) -> None:
        if name in begun:
            return
        begun.add(name)
        variable = model.variables[name]
        for node in (variable.default, variable.minimum, variable.maximum):
            for part in with_definitions(node, model):
                if isinstance(part, t.VarRef):
                    add(part.name)
        found[name] = None

    for name in model.variables:
        add(name)
    return list(found)
