"""Typed expressions as the core.

What depends on nothing but players and options is worked out now. What depends on a single card becomes a table, also
where it depends on variables besides that have few values (the trump, whether hearts are broken): there is a table then
for each of their values. A condition on the cards of a set becomes a set of bits wherever it can (`cards.py`), so that
laws filter a whole hand with a few operations on integers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from interpreter.compiler import core as c
from interpreter.compiler.algebra import denied, either, joined
from interpreter.compiler.bounds import Bounds
from interpreter.compiler.constant import Impossible, Unanswerable
from interpreter.compiler.constants import constants_of
from interpreter.compiler.core import Expr
from interpreter.compiler.layout import Layout
from interpreter.compiler.lower.cards import as_list, cards, emptiness
from interpreter.compiler.lower.definitions import nothing_of, use
from interpreter.compiler.lower.indexing import holder, place, places, slot
from interpreter.compiler.lower.known_values import given_value, symbol
from interpreter.compiler.lower.lookups import looked_up
from interpreter.compiler.lower.loops import folded, quantified, selected
from interpreter.compiler.lower.missing import Missing
from interpreter.compiler.lower.operations import OPS
from interpreter.compiler.lower.spoken import words
from interpreter.compiler.lower.table_names import named_after
from interpreter.compiler.lower.tables import Rows, Tables
from interpreter.compiler.lower.trees import affirmed, find_local, is_cards, may_be_none_of, substitute
from interpreter.compiler.lower.uses import WHO_PLAYS, Needs, Uses, one_local
from interpreter.compiler.made import SIGN, hidden, local_name, made
from interpreter.language import typed as t
from interpreter.language.check.lying import Lying
from interpreter.language.keywords import TEAM
from interpreter.language.model import ActionDef, DefineInstance
from interpreter.language.operations import OF_SOMEBODY, PASS_NONE_ON
from interpreter.language.tree import replace
from interpreter.language.typed import Effect, Typed

Keep = Callable[[Expr, tuple[str, ...], bool], Expr]
"""A name for what depends on variables and (True) on the suit led."""
Party = Callable[[str], Expr | None]
"""Stage -> who takes part in it; None if all always do."""

_PLAIN = frozenset((t.Const, t.Local, t.OptionRef, t.Builtin))


class Expressions:
    """Lowers the expressions of one game. `stage` is the stage whose code is being made ("": anybody's)."""

    def __init__(
        self, layout: Layout, kept: dict[str, str], lying: Lying, narrowed: Party, of_caller: Party, bounds: Bounds
    ) -> None:
        self.layout = layout
        self.bounds = bounds
        self.ranges = bounds.ranges
        self.model = layout.model
        self.kept = kept
        self.lying = lying
        self.narrowed = narrowed
        self.of_caller = of_caller
        reseated = layout.model.reseats and layout.team_count < layout.n
        self.teams_move = reseated or TEAM in layout.model.variables
        """Whether teams follow the seats, or are made during play; else they are constant."""
        self.tables = Tables(layout, bounds, constants_of(layout), self.inlined)
        self.uses = Uses(self.model, self.tables.few, lambda: self.narrowed("") is not None, self.teams_move).of
        missing = Missing(layout, self._value_if_fixed)
        self.may_miss, self.may_be_nobody, self.unexpected = missing.may, missing.may_be_nobody, missing.unexpected
        self.is_missing = missing.is_card_outside
        self.define_names = _define_names(self.model.instances)
        self.wanted: dict[str, tuple[DefineInstance, Expr | None]] = {}
        """Functions of definitions to be made: name -> the definition, and who takes part in it."""
        self.times_long: Counter[str] = Counter()
        """How often a definition, by its key, has been too long to stand where it is used."""
        self._parties: list[Expr | None] = []
        self._playing_now = narrowed("")
        self.inline = False
        """Whether an expression is lowered to be worked out now, with all that it uses written out."""
        self._options: dict[tuple[str, bool], Expr] = {}
        self.card_tables: dict[str, c.Table] = {}
        self.best_rows: dict[tuple[str, ...], list[int | None]] = {}
        """Patterns of rows over cards -> of each card the row that is closest about it."""
        """Tables of the ruleset over cards that never change."""
        self.keep: Keep | None = None
        """Names what stays the same in a loop that is being made."""
        self.has_led = False
        """Whether what is being made is only asked when a suit has been led."""
        self.these = ""
        """The key of the definition whose answer has been worked out already in the function that is being made."""
        self.zone_of: dict[str, str] = {}
        """Variables of the loops that are being made -> the zone whose cards they are, "" for other things."""
        self.none_named: set[str] = set()
        """Names in effects for what is always none."""
        self.in_bits: set[str] = set()
        """Definitions, by their keys, whose remembered answers are sets of cards as bits."""
        self.faults: list[Unanswerable] = []
        """What has no value in this game, and stops the match where it is reached."""
        self._depth = 0
        self._ordered: dict[Needs, list[str]] = {}
        """What expressions need -> the names in it, in order."""
        self._lowered: dict[tuple[int, str], tuple[Typed, tuple[Any, ...], Any, list[Unanswerable]]] = {}

    # ---- what is known of expressions -----------------------------------------------------------

    def _value_if_fixed(self, node: Typed) -> Any:
        return None if self.uses(node) else self.tables.value(node)

    def function_of(self, key: str) -> str:
        """The name of the function of a definition, as it is asked in what is being made.

        `players` in it are those of the stage in which it is asked, so there is a function for each such set.
        """
        instance, name, party = self.model.instances[key], self.define_names[key], None
        if WHO_PLAYS in self.uses(instance.body):
            party = self.narrowed(self.stage)
            if party != self._playing_now:
                self._parties += [] if party in self._parties else [party]
                name += f"{SIGN}among{SIGN}{self._parties.index(party) + 1}"
        self.wanted[name] = instance, party
        return name

    # ---- lowering -------------------------------------------------------------------------------

    def inlined(self, node: Typed) -> Expr:
        """An expression to be worked out now: all that it uses stands in it."""
        inline, self.inline = self.inline, True
        try:
            return self.raw(node)
        finally:
            self.inline = inline

    def once(self, node: Typed, what: str, work: Callable[[], Any]) -> Any:
        """What is found out about an expression, found out once: it is asked again for all that is made of it.

        what: which of several things that is. It is asked anew where the same words may mean something else.
        """
        uses, zone_of = self.uses(node), self.zone_of
        ordered = self._ordered.get(uses)
        if ordered is None:
            ordered = self._ordered[uses] = sorted([name for name in uses if isinstance(name, str)])
        zones = [(name, zone_of[name]) for name in ordered if name in zone_of]
        sizes = self.bounds.members(ordered)  # by which it is settled what is counted in play
        here = (self.inline, self.stage, self.narrowed, self.keep, self.has_led, self.these, zones, sizes)
        known = self._lowered.get((id(node), what))
        if known is not None and known[1] == here:
            self.faults += known[3]
            return known[2]
        before = len(self.faults)
        found = work()
        self._lowered[id(node), what] = node, here, found, self.faults[before:]
        return found

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

    def number(self, node: Typed) -> Expr:
        """A number that must be there."""
        found = self.of(node)
        return c.call("needed", found) if self.may_miss(node) else found

    def body(self, instance: DefineInstance) -> Expr:
        """What a definition says, a set of cards as it is kept."""
        return cards(self, instance.body)[1] if is_cards(instance.body) and not self.inline else self.of(instance.body)

    def group(self, node: Typed) -> Expr:
        """Any set or list as something to go through; of none there are no members."""
        if is_cards(node):
            return as_list(cards(self, node))
        return c.Or((self.of(node), c.NOTHING)) if may_be_none_of(node) else self.of(node)

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

    def either(self, condition: Typed, if_so: Callable[[], Expr], if_not: Callable[[], Expr]) -> Expr:
        test = self.of(condition)
        if isinstance(test, c.Lit):  # what is never asked may be something that has no value
            return if_so() if test.value else if_not()
        return either(test, if_so(), if_not())

    def no_value(self, fault: Unanswerable) -> Expr:
        """Something that has no value: the match stops there, if it comes there."""
        if not self.inline:
            self.faults.append(fault)
        return c.call("no_value", c.Lit(str(fault)), self.tables.table(fault.span, "place"))

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

    def row(self, rows: dict[Any, Any], variables: tuple[str, ...], told: str) -> Expr:
        """What holds for the values that variables have now."""
        found = self.tables.row(rows, variables, told)
        return self.kept_as(found, variables) if isinstance(found, c.Item) else found

    def kept_as(self, found: Expr, variables: tuple[str, ...], led: bool = False) -> Expr:
        """What stays the same in the loop that is being made, by its name there."""
        if self.keep is None or self.inline or (led and not self.has_led):
            return found
        return self.keep(found, variables, led)

    def limit(self, action: ActionDef) -> tuple[Expr, Expr, Expr]:
        """The most moves of an action, its name and its place, as arguments."""
        place = made("AT", action.stage, action.name)
        self.tables.constants[place] = action.span
        return c.Lit(self.bounds.limit(action)), c.Lit(action.name), c.Table(place)

    def counted(self, members: Expr, domain: Typed, steps: int, inner: Iterable[Typed | Effect | None]) -> Expr:
        """The members of a set to go through, counted if that may take so many steps that it is worth it."""
        if self.inline or not self.bounds.counts_rounds(domain, steps):
            return members
        return c.asked("each_of", members, c.Lit(1 + self.bounds.light(inner)))

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

    def if_there(self, node: Typed, found: Expr) -> tuple[Expr, Expr] | None:
        """(X, Y) of what is none if X is, else Y, which is not; None if it is no such thing."""
        match node:
            case t.Instance(key, ()) if not self.model.instances[key].params:
                return self.if_there(self.model.instances[key].body, found)
            case t.Op(op) if op in PASS_NONE_ON:
                return _if_there(found)
            case t.VarRef() if not node.type.optional:
                return _if_there(found)
        return None

    # ---- constants, options, what the machine knows ---------------------------------------------

    def _const(self, node: t.Const) -> Expr:
        value = symbol(self.layout, node.value, node.type)
        if node.type.kind == "player" and type(value) is int and value >= self.layout.n:
            raise Impossible(f"there is no P{value + 1} among {self.layout.n} players", node.span)
        return c.Lit(value)

    def option(self, name: str, kind: t.Type, of_each: bool = False) -> Expr:
        """What is given for an option; of_each: what is given for each player, in a list."""
        if (name, of_each) not in self._options:
            given = self.layout.options[name]
            several = tuple(given_value(self.layout, one, kind) for one in (given if of_each else (given,)))
            self._options[name, of_each] = self.tables.literal(several if of_each else several[0], name)
        return self._options[name, of_each]

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

    @property
    def stage(self) -> str:
        """The stage whose rules are lowered; "" for rules of none. Their steps are added up there, too."""
        return self.bounds.stage

    @stage.setter
    def stage(self, name: str) -> None:
        self.bounds.stage = name
        self.bounds.forget()

    @contextmanager
    def narrowed_to(self, party: Party) -> Iterator[None]:
        """Within, others take part."""
        outside, self.narrowed = self.narrowed, party
        yield
        self.narrowed = outside


def _if_there(found: Expr) -> tuple[Expr, Expr] | None:
    match found:
        case c.If(c.Compare("is", of, c.Lit(None)), c.Lit(None), value) if c.is_at_hand(of):
            return of, value
    return None


def _define_names(instances: dict[str, DefineInstance]) -> dict[str, str]:
    """The names of the functions of definitions, by key; a number tells several argument types apart."""
    counted: dict[str, int] = {}
    found = {}
    for key, instance in instances.items():
        number = counted[instance.name] = counted.get(instance.name, 0) + 1
        found[key] = made("define", instance.name, *([number] if number > 1 else []))
    return found
