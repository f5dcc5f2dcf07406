"""Typed expressions as the core.

What depends on nothing but players and options is worked out now. What depends on a single card becomes a table, also
where it depends on variables besides that have few values (the trump, whether hearts are broken): there is a table then
for each of their values. A condition on the cards of a set becomes a set of bits wherever it can (`cards.py`), so that
laws filter a whole hand with a few operations on integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.compiler import core as c
from interpreter.compiler.algebra import denied, joined
from interpreter.compiler.bounds import Bounds
from interpreter.compiler.constant import Impossible, Unanswerable
from interpreter.compiler.core import Expr
from interpreter.compiler.layout import Layout
from interpreter.compiler.lower.cards import as_list, cards, emptiness
from interpreter.compiler.lower.definitions import nothing_of, use
from interpreter.compiler.lower.indexing import holder, place, places, slot
from interpreter.compiler.lower.known_values import symbol
from interpreter.compiler.lower.lookups import looked_up
from interpreter.compiler.lower.loops import folded, quantified, selected
from interpreter.compiler.lower.lowering import Lowering, Party
from interpreter.compiler.lower.operations import OPS
from interpreter.compiler.lower.spoken import words
from interpreter.compiler.lower.table_names import named_after
from interpreter.compiler.lower.tables import Rows
from interpreter.compiler.lower.trees import affirmed, find_local, is_cards, may_be_none_of, substitute
from interpreter.compiler.lower.uses import one_local
from interpreter.compiler.made import hidden, local_name
from interpreter.language import typed as t
from interpreter.language.check.lying import Lying
from interpreter.language.model import DefineInstance
from interpreter.language.operations import OF_SOMEBODY
from interpreter.language.tree import replace
from interpreter.language.typed import Typed

_PLAIN = frozenset((t.Const, t.Local, t.OptionRef, t.Builtin))


class Expressions(Lowering):
    """Lowers the expressions of one game, of every form."""

    def __init__(
        self, layout: Layout, kept: dict[str, str], lying: Lying, narrowed: Party, of_caller: Party, bounds: Bounds
    ) -> None:
        """As `Lowering`. of_caller: a stage that is called -> who takes part in the turn from which it is called."""
        super().__init__(layout, kept, lying, narrowed, bounds)
        self.of_caller = of_caller
        self.none_named: set[str] = set()
        """Names in effects for what is always none."""
        self._depth = 0

    # ---- lowering -------------------------------------------------------------------------------

    def of(self, node: Typed) -> Expr:
        """An expression, worked out as far as it goes."""
        if type(node) in _PLAIN:
            return self._of(node)
        return self.once(node, "value", lambda: self._of(node))  # type: ignore[no-any-return]

    def _of(self, node: Typed) -> Expr:
        needs = self.uses(node)
        if not needs and not isinstance(node, t.Const | t.OptionRef):
            try:
                return self.tables.constant(self.tables.value(node), node)
            except Unanswerable as fault:
                return self.no_value(fault)
        if not self.inline and not isinstance(node, t.Local | t.VarRef):
            local, variables = one_local(needs)
            if local is not None and self._is_card(node, local):
                rows = self.tables.rows(node, local, variables)
                if rows is not None:
                    return self._looked_up(rows, local, variables, node)
        return self.raw(node)

    def body(self, instance: DefineInstance) -> Expr:
        """What a definition says, a set of cards as it is kept."""
        return cards(self, instance.body)[1] if is_cards(instance.body) and not self.inline else self.of(instance.body)

    def group(self, node: Typed) -> Expr:
        """Any set or list as something to go through; of none there are no members."""
        if is_cards(node):
            return as_list(cards(self, node))
        return c.Or((self.of(node), c.NOTHING)) if may_be_none_of(node) else self.of(node)

    def is_mask(self, node: Typed) -> bool:
        """Whether a set of cards comes as bits; else it is a list."""
        return cards(self, node)[0] == "mask"

    def named(self, node: Typed) -> Expr:
        """A value as a name stands for it: a set of cards is gone through, but one that may be none can be that."""
        return self.of(node) if may_be_none_of(node) else self.group(node)

    def raw(self, node: Typed) -> Expr:
        """Without looking whether the whole can be worked out; the parts still are."""
        match node:
            case t.Const():
                return self._const(node)
            case t.Local(name):
                return c.NONE if name in self.none_named else c.Name(local_name(name))
            case t.StageArgument(stage, name):
                return c.Slot(c.Lit(self.layout.arguments[stage, name]))
            case t.Builtin(name):
                return self._builtin(name)
            case t.OptionRef(name):
                return self.option(name, node.type)
            case t.VarRef():
                return self._asked(node, node.index) or c.Slot(slot(self, node))
            case t.ZoneRef():
                return as_list(cards(self, node)) if node.type == t.CARDS else places(self, node)
            case t.TokenRef(name):
                return c.asked("pieces", c.Lit(name), holder(self, node))
            case t.TableRef():
                return looked_up(self, node)
            case t.Instance():
                return as_list(cards(self, node)) if is_cards(node) and not self.inline else use(self, node)
            case t.Op(op, args):
                if (found := emptiness(self, node)) is not None:
                    return found
                return (self._asked(node, args) if op in OF_SOMEBODY else None) or OPS[op](self, node)
            case t.Quant() | t.Select() | t.Fold():
                return self._loop(node)
            case t.If(condition, then, otherwise):
                return self.either(condition, lambda: self.of(then), lambda: self.of(otherwise))
            case t.Let(variable, value, body):
                given = self.named(value)
                if given == c.NONE:  # what is asked of it is settled, too
                    return self.of(substitute(body, {variable: t.Const(None, value.type, value.span)}))
                return c.Called(c.Lambda((local_name(variable),), self.of(body)), (given,))
            case t.Words():
                return words(self, node, spoken=False)

    def _loop(self, node: t.Quant | t.Select | t.Fold) -> Expr:
        zone = node.domain.name if isinstance(node.domain, t.ZoneRef) and node.domain.type == t.CARDS else ""
        outside, self.zone_of = self.zone_of, {**self.zone_of, node.variable: zone}
        try:
            match node:
                case t.Quant():
                    return quantified(self, node)
                case t.Select():
                    return selected(self, node)
                case t.Fold():
                    return folded(self, node)
        finally:
            self.zone_of = outside

    @contextmanager
    def forgetting_faults(self, unreached: bool) -> Iterator[None]:
        """What is never carried out may have no value."""
        before = len(self.faults)
        yield
        if unreached:
            del self.faults[before:]

    # ---- tables ---------------------------------------------------------------------------------

    def _is_card(self, node: Typed, local: str) -> bool:
        """Whether the local is a card that is certainly there."""
        found = find_local(node, local)
        return found is not None and found.type.kind == "card" and not self.may_miss(found)

    def _looked_up(self, rows: Rows, local: str, variables: tuple[str, ...], node: Typed) -> Expr:
        """What rows say of a card; a condition that denies another asks the table of that other."""
        plain, is_denied = affirmed(node)
        if len({repr(value) for row in rows.values() for value in row}) == 1:
            return self.tables.literal(next(iter(rows.values()))[0], named_after(plain))
        if is_denied:
            rows = {held: tuple([not holds for holds in row]) for held, row in rows.items()}
        found = c.Item(self.row(rows, variables, named_after(plain)), c.Name(local_name(local)))
        return denied(found) if is_denied else found

    # ---- none -----------------------------------------------------------------------------------

    def _asked(self, node: t.VarRef | t.Op, parts: tuple[Typed, ...]) -> Expr | None:
        """What is asked of none is none: the expression for that, where a part may be none."""
        for at, part in enumerate(parts):
            if part.type.kind in ("player", "team", "place", "suit", "rank", "card") and self.may_miss(part):
                it = self._it(part)
                inner = (*parts[:at], it, *parts[at + 1 :])
                over = replace(node, index=inner) if isinstance(node, t.VarRef) else replace(node, args=inner)
                found = self.raw(over)
                self._depth -= 1
                given, of, nothing = local_name(it.name), self.of(part), nothing_of(self, node)
                if of == c.NONE:
                    return nothing
                if c.is_at_hand(of):  # it costs nothing to look twice
                    return c.If(c.is_none(of), nothing, c.put_in(found, {given: of}))
                known = self.if_there(part, of)
                if known is not None and c.times_named(found, given) == 1:
                    return c.If(c.is_none(known[0]), nothing, c.put_in(found, {given: known[1]}))
                asked = c.call("ask", c.Lambda((given,), found), of)
                return asked if nothing == c.NONE else c.Or((asked, nothing))
        return None

    def of_somebody(self, node: t.ZoneRef, nothing: Expr) -> Expr:
        """The cards of a place whose owner may be none, which is worked out once."""
        its = {at: self._it(part) for at, part in enumerate(node.index) if self.may_miss(part)}
        index = tuple(its.get(at, part) for at, part in enumerate(node.index))
        found = c.Zone(place(self, replace(node, index=index)))
        self._depth -= len(its)
        given = tuple(local_name(it.name) for it in its.values())
        test = joined("and", [c.is_there(c.Name(name)) for name in given])
        return c.Called(c.Lambda(given, c.If(test, found, nothing)), tuple(self.of(node.index[at]) for at in its))

    def _it(self, part: Typed) -> t.Local:
        """A local that stands for what may be none, where it is not."""
        it = t.Local(hidden("it", self._depth), replace(part.type, optional=False), part.span)
        self._depth += 1
        return it

    # ---- constants, what the machine knows ------------------------------------------------------

    def _const(self, node: t.Const) -> Expr:
        value = symbol(self.layout, node.value, node.type)
        if node.type.kind == "player" and type(value) is int and value >= self.layout.n:
            raise Impossible(f"there is no P{value + 1} among {self.layout.n} players", node.span)
        return c.Lit(value)

    def _builtin(self, name: str) -> Expr:
        match name:
            case "actor":
                return c.ACTOR
            case "players":
                return self.narrowed(self.stage) or c.EVERYONE
            case "everyone":
                return c.EVERYONE
            case "teams":
                return c.call("range", c.Lit(self.layout.team_count))
            case "suits":
                return c.call("range", c.Lit(len(self.model.suits)))
            case "ranks":
                return c.call("range", c.Lit(len(self.model.ranks)))
            case "pack":
                return c.call("bits", c.PACK)
            case "honor":
                return c.Lit(self.layout.honor)
            case "direction":
                return c.If(c.Compare(">", c.DIRECTION, c.ZERO), c.Lit("left"), c.Lit("right"))
        return c.field(name.replace(" ", "_"))

    @contextmanager
    def narrowed_to(self, party: Party) -> Iterator[None]:
        """Within, others take part."""
        outside, self.narrowed = self.narrowed, party
        yield
        self.narrowed = outside
