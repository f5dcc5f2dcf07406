"""What can be chosen where it is more than one card: lists of arguments, one loop for each parameter."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile

from interpreter.compiler import core as c
from interpreter.compiler.algebra import in_all
from interpreter.compiler.core import Expr
from interpreter.compiler.lower import melds
from interpreter.compiler.lower.cards import CardSet, as_list, as_mask, bits_of_each, cards
from interpreter.compiler.lower.choices import FOUND, ROW, Choices, Counted, Listed, Picked
from interpreter.compiler.lower.expressions import Expressions
from interpreter.compiler.lower.facts import Facts
from interpreter.compiler.lower.hoisting import Hoisted
from interpreter.compiler.lower.judging import Judging
from interpreter.compiler.made import local_name
from interpreter.compiler.writer import Writer
from interpreter.language import typed as t
from interpreter.language.model import MELDS, ActionDef, LawDef, ParamDef
from interpreter.language.typed import Typed

_TRIED, _ROWS, _NUMBER = c.Name("tried"), c.Name("rows"), c.Name("number")


class Listing:
    """Lowers lists of arguments into a writer."""

    def __init__(self, expressions: Expressions, facts: Facts, judging: Judging, out: Writer) -> None:
        self.e = expressions
        self.facts = facts
        self.judging = judging
        self.out = out
        self._counted: tuple[Expr, ...] = ()
        """What ends a count of the ways that are tried: the most, the action and its place; empty without a count."""
        self._hoisted = Hoisted(expressions, (), set())
        """What the loops that are being made know beforehand."""
        self._choices: Choices = Listed(out, stops=False)
        """What is done with each choice."""
        self._judge = ""
        """The function that tells which laws a choice breaks, where each is to be asked."""

    def lists(self, action: ActionDef, name: str) -> None:
        """possible_ and legal_, with any_ and offers_, or rows_ and row_."""
        first = () if action.rows else ("first=False",)
        listed = Listed(self.out, stops=not (action.rows or self._may_be_too_many(action, action.params)))
        with self.out.function(f"possible·{name}", "s", "p", *first):
            self._list(action, name, (), listed)
        if not action.rows:
            self._any(action, name)
        if not self.facts.asks_law(action):
            self.out.alias(f"legal·{name}", f"possible·{name}")
        elif self._asks_each(action):
            with self.out.function(f"legal·{name}", "s", "p", *first):
                a = c.Name("a")
                lawful = c.Not(c.asked(f"broken·{name}", c.ACTOR, c.Spread(a)))
                self.out.give(c.Loop("list", "a", c.asked(f"possible·{name}", c.ACTOR), lawful, a))
        else:
            with self.out.function(f"legal·{name}", "s", "p", *first):
                self._list(action, name, action.laws, listed)
        if action.rows:
            self._rows(action, name)
        if self.counts(action):
            self._numbered(action, name)

    def _asks_each(self, action: ActionDef) -> bool:
        """Whether laws are asked of each choice as a whole."""
        return any(law.on for law in action.laws) or self.facts.ask_rows(action)

    def counts(self, action: ActionDef) -> bool:
        """Whether choices are told by their number, so that to pick one nothing is listed."""
        layout = self.e.layout
        if (layout.honor or layout.multi) and not self.facts.is_listed_alike(action):
            return False  # there are other moves than choices
        if action.talk:
            return False  # it is never among the lawful moves
        return bool(action.params) or not self._asks_each(action)  # else there is one, or what the row of a card adds

    def counts_steps(self, action: ActionDef) -> bool:
        """Whether anything is counted of what it takes to go through its choices."""
        heavy = self._may_be_too_many(action, action.params) or self._per_value(action)
        return bool(heavy or self.e.bounds.listing(action))

    def _numbered(self, action: ActionDef, name: str) -> None:
        """count_ and nth_, which list nothing: how many lawful choices there are, and one by its number in the order
        of legal_."""
        laws = () if self._asks_each(action) else action.laws
        self._judge = f"broken·{name}" if self._asks_each(action) and self.facts.asks_law(action) else ""
        with self.out.function(f"count·{name}", "s", "p"):
            self._list(action, name, laws, Counted(self.out))
        with self.out.function(f"nth·{name}", "s", "p", "at"):
            self._list(action, name, laws, Picked(self.out))
        self._judge = ""

    def _any(self, action: ActionDef, name: str) -> None:
        """any_: whether there is a lawful move; offers_: whether this is one, or a possible one. Neither lists all.

        Of equal cards the players name any, and the one that is meant is found among those listed; where these may be
        too many, judges_ is asked of each that can be meant.
        """
        with self.out.function(f"any·{name}", "s", "p"):
            self.out.give(c.asked(f"legal·{name}", c.ACTOR, c.TRUE))
        if action.row is not None or any(p.form == "text" for p in action.params):
            return
        together = [p for p in action.params if _is_subset(p)]
        equal = self.e.layout.multi and not self.facts.chooses_only_melds(action.params)
        if (together or equal) and not self._may_be_too_many(action, action.params):
            return
        if any(map(self.facts.blind, together)) or (equal and not self._tells_cards(action)):
            return
        asked, names = "judges" if equal else "offers", [local_name(param.name) for param in action.params]
        with self.out.function(f"{asked}·{name}", "s", "p", "lawful", *names):
            self.judging.when(action, c.FALSE)
            for param in action.params:
                self._rule_out(param)
            for _, condition in action.when:
                if self.facts.needs(condition, action):
                    self.judging.give_unless("", self.e.of(condition), c.FALSE, condition.span)
            broken = c.asked(f"broken·{name}", c.ACTOR, *map(c.Name, names))
            self.out.give(c.Not(c.And((c.Name("lawful"), broken))))

    def _tells_cards(self, action: ActionDef) -> bool:
        """Whether the cards that are chosen are called by their faces, and nothing is made of cards."""
        return not any(self.facts.blind(param) or param.form in MELDS for param in action.params)

    def choosable(self, where: str, param: ParamDef, before: tuple[ParamDef, ...]) -> None:
        """fits_: whether a value can be chosen; of several cards from_: (those that can be chosen, least, most).

        By the arguments before it, which fit. Any word that can be read fits, and any meld; which cards are chosen
        unseen is not known so early.
        """
        if param.form in (*MELDS, "choice", "flag", "text") or self.facts.blind(param):
            return
        names = [local_name(other.name) for other in before]
        if _is_subset(param):
            assert param.domain is not None
            with self.out.function(f"from·{where}·{param.name}", "s", "p", *names, span=param.span):
                self.out.give(c.Tuple(self._chosen_from(param, cards(self.e, param.domain))))
            return
        with self.out.function(f"fits·{where}·{param.name}", "s", "p", *names, local_name(param.name), span=param.span):
            self._rule_out(param)
            self.out.give(c.TRUE)

    def _rule_out(self, param: ParamDef) -> None:
        """Give back false for what cannot be chosen for a parameter."""
        for wrong in (self._is_outside(param), self._fails(param)):
            if wrong is not None:
                with self.out.when(wrong, param.span):
                    self.out.give(c.FALSE)

    def _is_outside(self, param: ParamDef) -> Expr:
        """Whether what is given for a parameter is none of its values, nor as good as one."""
        given = c.Name(local_name(param.name))
        if _is_subset(param):
            assert param.domain is not None
            chosen = self._chosen_from(param, cards(self.e, param.domain))
            outside = c.Not(c.call("is_subset", given, *chosen))
        elif param.form not in MELDS:
            return c.Compare("not in", given, self.domain(param))
        else:
            outside = c.Not(melds.is_choice(self.e, param))
        if not param.optional:
            return outside
        if param.none_if is None:
            return c.And((c.is_there(given), outside))
        return c.If(c.is_there(given), outside, c.Not(self.e.of(param.none_if)))

    def _fails(self, param: ParamDef) -> Expr | None:
        """The condition that rules a value of a parameter out."""
        if param.where is None or _is_subset(param):
            return None
        fails = c.Not(self._hoisted.within(self.e.of(param.where)))
        return c.And((c.is_there(c.Name(local_name(param.name))), fails)) if param.optional else fails

    # ---- one loop inside the other --------------------------------------------------------------

    def _list(self, action: ActionDef, name: str, laws: tuple[LawDef, ...], choices: Choices) -> None:
        """The body of a function that goes through all arguments which laws allow."""
        params, out = action.params, self.out
        self._choices = choices
        self.judging.begin(action)
        choices.begin()
        self.judging.when(action, choices.nothing)
        if action.row is not None and not params and action.row.type.optional:
            with out.when(c.is_none(self.e.of(action.row))):
                out.give(choices.nothing)
        late = [condition for _, condition in action.when if self.facts.needs(condition, action)]
        for law in laws:
            test = self.e.of(law.law)
            if test != c.TRUE and self.facts.needs(law.law, action):
                late.append(law.law)
            else:
                self.judging.give_unless("", test, choices.nothing, law.span)
        self._begin_count(action, params)
        self._hoisted = Hoisted(self.e, [*(p.where for p in params), *late], {p.name for p in params})
        for known, own in self._hoisted.names.items():
            out.set(own, known, action.span)
        given = c.Tuple(tuple(c.Name(local_name(param.name)) for param in params))
        self._nest(action, name, list(params), given, late)
        self._hoisted = Hoisted(self.e, (), set())
        choices.end(self.e.bounds.listing(action), action.span)

    def _nest(self, action: ActionDef, name: str, params: list[ParamDef], given: c.Tuple, late: list[Typed]) -> None:
        if not params:
            self._test(late)
            if self._judge and not self.facts.ask_rows(action):
                self._judged(given)
            self._found(action, name, given)
            return
        param, *rest = params
        later = {p.name for p in rest}
        early = [] if self._counted else list(takewhile(lambda found: not later & self.e.uses(found), late))
        fitting = self._fitting(param, early)
        if fitting is not None:
            values, early, late = self._card_domain(param, fitting), [], late[len(early) :]
        elif of_each := self._of_each(param, [found for found in late[:1] if not later & self.e.uses(found)]):
            values, early, late = melds.choices(self.e, param, of_each), early[1:], late[1:]
        else:
            values = self.domain(param)
        asked = rest or late or action.rows or self._judge or (param.where is not None and not _is_subset(param))
        values = self._tried(param, values, self._per_value(action))
        if not asked and self._choices.several(given.items[:-1], values):
            return
        with self._through(param, values):
            if rest:  # in their order, as soon as all they look at is known
                self._test(early)
                late = late[len(early) :]
            self._nest(action, name, rest, given, late)

    def _fitting(self, param: ParamDef, conditions: list[Typed]) -> Expr | None:
        """A name for the cards for which conditions hold, worked out at once; None where they are asked one by one."""
        single = param.form == "cards" and param.count is None and not param.optional
        if not conditions or not single or self.facts.blind(param):
            return None
        known = bits_of_each(self.e, conditions, param.name)
        if known is None:
            return None
        name = self.out.fresh("fitting")
        self.out.set(name, in_all(known), conditions[0].span)
        return name

    def _of_each(self, param: ParamDef, conditions: list[Typed]) -> tuple[Expr, ...]:
        """What a condition asks of each of several melds alone: those that fail it are in none of the groups."""
        if not conditions or param.form != "melds" or param.optional:
            return ()
        return melds.asked_of_each(param, self._hoisted.within(self.e.of(conditions[0])))

    def _test(self, conditions: list[Typed]) -> None:
        """Go on to the next value where a condition fails; each names an argument, so this is inside a loop."""
        for condition in conditions:
            test = self._hoisted.within(self.e.of(condition))
            if test != c.TRUE:
                with self.out.when(c.Not(test), condition.span):
                    self.out.go_on()

    def _per_value(self, action: ActionDef) -> int:
        """What is counted for each value of a parameter: what it takes at most to judge a move; 0 if that is little."""
        bounds = self.e.bounds
        return bounds.light_move(action) if bounds.is_heavy(bounds.offer(action)) else 0

    def _judged(self, given: c.Tuple) -> None:
        """Go on to the next choice where this one breaks a law."""
        with self.out.when(c.asked(self._judge, c.ACTOR, *given.items)):
            self.out.go_on()

    def _tried(self, param: ParamDef, domain: Expr, steps: int) -> Expr:
        """The values of a parameter, which are counted. steps: of each of them, if any are."""
        if self._counted:
            values = self.out.fresh("values")
            self.out.set(values, domain, param.span)
            self.out.set(_TRIED, c.call("counted", _TRIED, values, *self._counted), param.span)
            domain = values
        return c.asked("each_of", domain, c.Lit(steps)) if steps else domain

    @contextmanager
    def _through(self, param: ParamDef, domain: Expr) -> Iterator[None]:
        with self.out.each(local_name(param.name), domain, param.span):
            fails = self._fails(param)
            if fails is not None:
                with self.out.when(fails, param.span):
                    self.out.go_on()
            yield

    def _begin_count(self, action: ActionDef, params: tuple[ParamDef, ...]) -> None:
        """Count what is tried where only the match can tell how much that is; elsewhere it is never too much."""
        self._counted = ()
        if self._may_be_too_many(action, params):
            self._counted = self.e.limit(action)
            self.out.set(_TRIED, c.ZERO)

    def _may_be_too_many(self, action: ActionDef, params: tuple[ParamDef, ...]) -> bool:
        bounds = self.e.bounds
        rows = max((bounds.most_ways(row.params) for row in action.rows), default=1)
        return bounds.most_ways(params) * rows > bounds.limit(action)

    # ---- what is found --------------------------------------------------------------------------

    def _found(self, action: ActionDef, name: str, given: c.Tuple) -> None:
        out = self.out
        if not action.rows:
            self._choices.one(given)
            return
        rows: Expr = c.asked(f"rows·{name}", c.ACTOR, *given.items)
        if action.row is not None and not self._counted and not self.e.may_miss(action.row):
            card = self.e.of(action.row)
            if c.is_at_hand(card):
                rows_with_more = [bool(row.params) for row in action.rows] + [False]
                adds = tuple(rows_with_more[at] for at in self.facts.row_table(action))
                with out.when(c.Not(c.Item(self.e.tables.table(adds, f"{action.name}_adds"), card))):
                    if self._judge and self.facts.ask_rows(action):
                        self._judged(given)
                    self._choices.one(given)
                with out.otherwise():
                    self._with_rows(action, given, rows)
                return
        if self._counted:
            out.set(_ROWS, rows)
            out.set(_TRIED, c.call("counted", _TRIED, _ROWS, *self._counted))
            rows = _ROWS
        self._with_rows(action, given, rows)

    def _with_rows(self, action: ActionDef, given: c.Tuple, rows: Expr) -> None:
        """Choices with what the row of a card adds; where a law asks of that, each is judged."""
        if not (self._judge and self.facts.ask_rows(action)):
            self._choices.rows(given, rows)
            return
        with self.out.each("row", rows):
            whole = c.Tuple((*given.items, c.Spread(ROW)))
            self._judged(whole)
            self._choices.one(whole)

    # ---- what a parameter can be ----------------------------------------------------------------

    def domain(self, param: ParamDef) -> Expr:
        """The values a parameter can take, as something to go through."""
        found: Expr
        match param.form:
            case "cards":
                found = self._card_domain(param)
            case "kinds":  # in an order that tells nothing of where they lie
                assert param.domain is not None
                found = c.call("by_face", c.Table("FIRST"), as_mask(cards(self.e, param.domain)))
                if self.e.layout.multi:  # a face, as it is read, and not the card of it that lies there
                    found = c.Loop("list", "c", found, None, c.Item(c.Table("FIRST"), c.Name("c")))
            case "number":
                assert param.bounds is not None
                low, high = (self.e.number(bound) for bound in param.bounds)
                found = c.call("range", low, c.add(high, c.ONE))
            case "flag":
                found = c.Lit((False, True))
            case "choice":
                found = c.Lit(self.facts.symbols(param))
            case "text":
                found = c.Lit(("...",))
            case "meld" | "melds":
                found = melds.choices(self.e, param)
            case _:
                assert param.domain is not None
                found = self.e.group(param.domain)
                if self._may_repeat(param.domain):
                    found = c.call("union", found)
        if not param.optional:
            return found
        nothing: Expr = c.NONE
        if param.none_if is not None:
            test = self.e.of(param.none_if)
            nothing = c.Spread(c.If(test, c.Lit((None,)), c.Lit(())))
        return c.Tuple((c.Spread(found), nothing))

    def _may_repeat(self, domain: Typed) -> bool:
        """Whether something may be told several times of what is to be chosen from, which is one choice."""
        match domain:
            case t.Op("group", args):
                several = [arg.value if isinstance(arg, t.Const) else None for arg in args]
                return len(args) > 1 and (None in several or len({*several}) < len(several))
            case t.Instance(key):
                return self._may_repeat(self.e.model.instances[key].body)
            case t.If(_, then, otherwise):
                return self._may_repeat(then) or self._may_repeat(otherwise)
            case t.Let():
                return self._may_repeat(domain.body)
        return domain.type.kind == "list" or (isinstance(domain, t.OptionRef) and domain.type.kind != "set")

    def _card_domain(self, param: ParamDef, fitting: Expr | None = None) -> Expr:
        assert param.domain is not None
        found = cards(self.e, param.domain)
        if fitting is not None:
            found = _among(found, fitting)
        blind = self.facts.blind(param)
        if param.count is not None:
            return self._subsets(param, found, blind)
        if blind and not isinstance(param.domain, t.ZoneRef):
            return c.asked("as_they_lie", as_list(found))
        if self.e.layout.multi and not (self.facts.placed(param) or blind):
            return c.call("distinct", c.Table("FIRST"), as_list(found))
        return as_list(found)

    def _subsets(self, param: ParamDef, found: CardSet, blind: bool) -> Expr:
        """Several cards at once."""
        among, low, high = self._chosen_from(param, found)
        in_order: tuple[Expr, ...] = ()
        if blind:  # their order must not tell what they are
            among, in_order = c.asked("as_they_lie", among), (c.TRUE,)
        if self._counted:
            return c.call("few_subsets", among, low, high, _TRIED, *self._counted, *in_order)
        return c.call("subsets", among, low, high, *in_order)

    def _chosen_from(self, param: ParamDef, found: CardSet) -> tuple[Expr, Expr, Expr]:
        """The cards of which several are chosen, and how many at least and at most."""
        assert param.count is not None
        low, high = (self.e.number(number) for number in param.count)
        among = as_list(found)
        if param.where is not None:
            own = local_name("card")
            among = c.Loop("list", own, among, self.e.of(param.where), c.Name(own))
        return among, low, high

    # ---- rows of `cards` ------------------------------------------------------------------------

    def _rows(self, action: ActionDef, name: str) -> None:
        """rows_: the arguments that the row of the card adds; row_: which row that is, none where there is no card."""
        names = [local_name(param.name) for param in action.params]
        with self.out.function(f"row·{name}", "s", "p", *names):
            self.out.give(self.facts.row_number(action))
        with self.out.function(f"rows·{name}", "s", "p", *names):
            self.out.set(FOUND, c.List(()))
            self.out.set(_NUMBER, self.facts.row_number(action))
            for at, row in enumerate(action.rows):
                if not row.params:
                    continue
                with self.out.when(c.Compare("==", _NUMBER, c.Lit(at)), row.span):
                    self._begin_count(action, row.params)
                    given = c.Tuple(tuple(c.Name(local_name(param.name)) for param in row.params))
                    self._nest_row(list(row.params), given, self._per_value(action))
                    self.out.give(FOUND)
            self.out.give(c.List((c.NOTHING,)))

    def _nest_row(self, params: list[ParamDef], given: Expr, steps: int) -> None:
        if not params:
            self.out.do(c.method(FOUND, "append", given))
            return
        param, *rest = params
        with self._through(param, self._tried(param, self.domain(param), steps)):
            self._nest_row(rest, given, steps)


def _is_subset(param: ParamDef) -> bool:
    """Whether several cards are chosen together."""
    return param.form == "cards" and param.count is not None


def _among(found: CardSet, fitting: Expr) -> CardSet:
    """Those of a set of cards that are among some bits."""
    kind, of = found
    if kind == "mask":
        return kind, c.Op("&", of, fitting)
    own = c.Name("c")
    return kind, c.Loop("list", "c", of, c.holds_bit(fitting, own), own)
