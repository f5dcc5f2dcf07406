"""What can be chosen where it is cards: sets of bits, filtered by conditions and laws."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

from interpreter.base.diagnostics import Span
from interpreter.compiler import core as c
from interpreter.compiler.algebra import both, in_any, joined
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.cards import as_mask, cards, condition_bits
from interpreter.compiler.lower.expressions import Expressions
from interpreter.compiler.lower.facts import Facts
from interpreter.compiler.made import local_name
from interpreter.compiler.writer import Writer
from interpreter.language import typed as t
from interpreter.language.model import ActionDef, LawDef, ParamDef
from interpreter.language.typed import Typed

_M = c.Name("m")
"""The cards that are left."""


SIDES: dict[str, Expr] = {"lead": c.Not(c.PLAYS), "follow": c.PLAYS}


def on_side(on: str, test: Expr) -> Expr:
    """A condition that counts only for who leads, or only for who follows."""
    return c.And((SIDES[on], test)) if on else test


class Judging:
    """Lowers what can be chosen, and which of it the laws allow, into a writer."""

    def __init__(self, expressions: Expressions, facts: Facts, out: Writer) -> None:
        self.e = expressions
        self.facts = facts
        self.out = out
        self.plays: Expr = c.PLAYS
        """The cards of the trick; false where it is clear that none has been played."""
        self._whole: Expr | None = None
        """What the cards in `m` are as long as none has been left out."""

    def begin(self, action: ActionDef) -> None:
        """How a function begins that finds moves: it counts what is not counted within it, where that can be much."""
        bounds = self.e.bounds
        bounds.forget()
        bounds.bind(action.params)
        if self.facts.is_charged(action):
            self.out.do(c.asked("charge", c.Lit(bounds.light_offer(action))), action.span)

    def when(self, action: ActionDef, result: Expr) -> None:
        """Leave early where `when` fails without looking at what is chosen."""
        for on, condition in action.when:
            if self.facts.needs(condition, action):
                continue
            test = self.e.of(condition)
            if test == c.FALSE and not on:
                self.out.give(result)
                return
            self.give_unless(on, test, result, condition.span)

    def laws(self, action: ActionDef, laws: Sequence[LawDef], result: Expr) -> None:
        """Leave early where laws fail without looking at what is chosen."""
        for law in laws:
            if not self.facts.needs(law.law, action):
                self.give_unless(law.on, self.e.of(law.law), result, law.span)

    def give_unless(self, on: str, test: Expr, result: Expr, span: Span) -> None:
        """Leave early where a condition fails that counts for one side."""
        if test != c.TRUE:
            with self.out.when(on_side(on, c.Not(test)), span):
                self.out.give(result)

    def begin_cards(self, param: ParamDef, each: str) -> None:
        """`m` becomes all cards among which there is a choice. each: what a condition calls each of them."""
        assert param.domain is not None
        self._whole = as_mask(cards(self.e, param.domain))
        self.out.set(_M, self._whole, param.span)
        if param.where is not None:
            self.filter(param.where, each)

    def possible_cards(self, action: ActionDef, param: ParamDef) -> None:
        self.begin_cards(param, param.name)
        for on, condition in action.when:
            if self.facts.needs(condition, action):
                with self.out.when(SIDES[on]) if on else nullcontext():
                    self.filter(condition, param.name)

    def filter_laws(self, laws: Sequence[LawDef], variable: str) -> None:
        always, follow, lead = ([law.law for law in laws if law.on == on] for on in ("", "follow", "lead"))
        self._filter_all(always, variable)
        if self.plays == c.FALSE:
            self._filter_all(lead, variable)
            return
        if follow or lead:
            with self.out.when(self.plays):
                self.e.has_led = True
                self._filter_all(follow, variable)
                self.e.has_led = False
        if lead:
            with self.out.otherwise():
                self._filter_all(lead, variable)

    def _filter_all(self, conditions: list[Typed], variable: str) -> None:
        for condition in conditions:
            self.filter(condition, variable)

    def filter(self, condition: Typed, variable: str) -> None:
        """Keep the cards for which a condition holds: at once as bits, or asked card by card."""
        found = condition_bits(self.e, condition, variable)
        if found == c.PACK:
            return
        whole, self._whole = self._whole, None
        if found is not None:
            self._filter_bits(condition, variable, found, whole)
            return
        test, own = self.e.of(condition), local_name(variable)
        steps = len(self.e.layout.cards) * self.e.bounds.steps(condition)
        pack = t.Builtin("pack", t.CARDS, condition.span)
        members = self.e.counted(c.call("bits", _M), pack, steps, (condition,))
        self.out.set(_M, c.call("mask_of", c.Loop("list", own, members, test, c.Name(own))), condition.span)

    def _filter_bits(self, condition: Typed, variable: str, found: Expr, whole: Expr | None) -> None:
        """`A or B` where A asks nothing of the card: B is looked at only if A fails; nor if A is that no card is B."""
        if isinstance(condition, t.Op) and condition.op == "or":
            free = [arg for arg in condition.args if variable not in self.e.uses(arg)]
            bound = [arg for arg in condition.args if variable in self.e.uses(arg)]
            tests = [test for test in map(self.e.of, free) if test != c.FALSE]
            if tests and bound:
                parts = [condition_bits(self.e, arg, variable) or c.ZERO for arg in bound]
                inner = in_any(parts)
                if whole is not None and tests == [c.Not(both(whole, inner))]:
                    fit = self.out.fresh("found")
                    self.out.set(fit, c.Op("&", _M, inner), condition.span)
                    with self.out.when(fit, condition.span):
                        self.out.set(_M, fit, condition.span)
                    return
                with self.out.when(c.Not(joined("or", tests)), condition.span):
                    self.out.update(_M, "&", inner, condition.span)
                return
        self.out.set(_M, both(_M, found), condition.span)
