"""What every part of the lowering of expressions can ask, of whatever form the expression is that it lowers.

Each form has its own module. What it meets inside of one it hands back to the whole, which knows all forms.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from interpreter.compiler import core as c
from interpreter.compiler.algebra import either
from interpreter.compiler.bounds import Bounds
from interpreter.compiler.constant import Unanswerable
from interpreter.compiler.constants import constants_of
from interpreter.compiler.core import Expr
from interpreter.compiler.layout import Layout
from interpreter.compiler.lower.known_values import given_value
from interpreter.compiler.lower.missing import Missing
from interpreter.compiler.lower.tables import Tables
from interpreter.compiler.lower.uses import WHO_PLAYS, Needs, Uses
from interpreter.compiler.made import SIGN, made
from interpreter.language import typed as t
from interpreter.language.check.lying import Lying
from interpreter.language.keywords import TEAM
from interpreter.language.model import ActionDef, DefineInstance
from interpreter.language.operations import PASS_NONE_ON
from interpreter.language.typed import Effect, Typed

Keep = Callable[[Expr, tuple[str, ...], bool], Expr]
"""A name for what depends on variables and (True) on the suit led."""
Party = Callable[[str], Expr | None]
"""Stage -> who takes part in it; None if all always do."""


class Lowering(ABC):
    """What is known of one game whose expressions are lowered, what has been made of them, and how one inside of
    another is lowered. `stage` is the stage whose code is being made ("": anybody's).
    """

    def __init__(self, layout: Layout, kept: dict[str, str], lying: Lying, narrowed: Party, bounds: Bounds) -> None:
        """kept: zone -> "mask" or "list", as its cards are kept. narrowed: who takes part."""
        self.layout = layout
        self.bounds = bounds
        self.ranges = bounds.ranges
        self.model = layout.model
        self.kept = kept
        self.lying = lying
        self.narrowed = narrowed
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
        """Tables of the ruleset over cards that never change."""
        self.best_rows: dict[tuple[str, ...], list[int | None]] = {}
        """Patterns of rows over cards -> of each card the row that is closest about it."""
        self.keep: Keep | None = None
        """Names what stays the same in a loop that is being made."""
        self.has_led = False
        """Whether what is being made is only asked when a suit has been led."""
        self.these = ""
        """The key of the definition whose answer has been worked out already in the function that is being made."""
        self.zone_of: dict[str, str] = {}
        """Variables of the loops that are being made -> the zone whose cards they are, "" for other things."""
        self.in_bits: set[str] = set()
        """Definitions, by their keys, whose remembered answers are sets of cards as bits."""
        self.faults: list[Unanswerable] = []
        """What has no value in this game, and stops the match where it is reached."""
        self._ordered: dict[Needs, list[str]] = {}
        """What expressions need -> the names in it, in order."""
        self._lowered: dict[tuple[int, str], tuple[Typed, tuple[Any, ...], Any, list[Unanswerable]]] = {}

    # ---- what is inside of an expression --------------------------------------------------------

    @abstractmethod
    def of(self, node: Typed) -> Expr:
        """An expression, worked out as far as it goes."""

    @abstractmethod
    def raw(self, node: Typed) -> Expr:
        """Without looking whether the whole can be worked out; the parts still are."""

    @abstractmethod
    def group(self, node: Typed) -> Expr:
        """Any set or list as something to go through; of none there are no members."""

    @abstractmethod
    def body(self, instance: DefineInstance) -> Expr:
        """What a definition says, a set of cards as it is kept."""

    @abstractmethod
    def is_mask(self, node: Typed) -> bool:
        """Whether a set of cards comes as bits; else it is a list."""

    @abstractmethod
    def of_somebody(self, node: t.ZoneRef, nothing: Expr) -> Expr:
        """The cards of a place whose owner may be none, which is worked out once."""

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

    def number(self, node: Typed) -> Expr:
        """A number that must be there."""
        found = self.of(node)
        return c.call("needed", found) if self.may_miss(node) else found

    def either(self, condition: Typed, if_so: Callable[[], Expr], if_not: Callable[[], Expr]) -> Expr:
        """One of two things, by a condition. What is never asked may be something that has no value."""
        test = self.of(condition)
        if isinstance(test, c.Lit):
            return if_so() if test.value else if_not()
        return either(test, if_so(), if_not())

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

    # ---- what stands in a program ---------------------------------------------------------------

    def no_value(self, fault: Unanswerable) -> Expr:
        """Something that has no value: the match stops there, if it comes there."""
        if not self.inline:
            self.faults.append(fault)
        return c.call("no_value", c.Lit(str(fault)), self.tables.table(fault.span, "place"))

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

    def option(self, name: str, kind: t.Type, of_each: bool = False) -> Expr:
        """What is given for an option; of_each: what is given for each player, in a list."""
        if (name, of_each) not in self._options:
            given = self.layout.options[name]
            several = tuple(given_value(self.layout, one, kind) for one in (given if of_each else (given,)))
            self._options[name, of_each] = self.tables.literal(several if of_each else several[0], name)
        return self._options[name, of_each]

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

    @property
    def stage(self) -> str:
        """The stage whose rules are lowered; "" for rules of none. Their steps are added up there, too."""
        return self.bounds.stage

    @stage.setter
    def stage(self, name: str) -> None:
        self.bounds.stage = name
        self.bounds.forget()

    def _value_if_fixed(self, node: Typed) -> Any:
        return None if self.uses(node) else self.tables.value(node)


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
