"""The tables of a game: what is worked out before play, and named after what it tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import product
from math import prod
from typing import Any

from interpreter.base.arithmetic import LARGEST, TOO_LARGE, NoValue
from interpreter.base.diagnostics import Report
from interpreter.compiler import core as c
from interpreter.compiler.bounds import Bounds
from interpreter.compiler.constant import Impossible, Unanswerable
from interpreter.compiler.core import Expr
from interpreter.compiler.evaluating import VARIABLES, Evaluator
from interpreter.compiler.layout import Layout, few_valued
from interpreter.compiler.lower.table_names import named_after
from interpreter.compiler.made import SIGN, local_name
from interpreter.engine.failures import why
from interpreter.engine.rule_errors import RuleError
from interpreter.language.typed import Typed

MOST_WORKED_OUT = 2_000_000
"""Steps, and parts of expressions, for what is worked out before a game begins."""
PART = 12
"""What a part of an expression counts."""
MOST_TABLES = 24
"""For so many values of variables at most, what depends on a card is worked out beforehand."""
Rows = dict[Any, tuple[Any, ...]]
"""Values of variables -> what holds for each card."""


class Tables:
    """Works out what never changes, and keeps the tables of one game.

    inlined: an expression in the core, with all that it uses written out.
    """

    def __init__(
        self, layout: Layout, bounds: Bounds, constants: dict[str, Any], inlined: Callable[[Typed], Expr]
    ) -> None:
        self._layout = layout
        self._bounds = bounds
        self._inlined = inlined
        self.constants = constants
        """All that printed code may name, but for functions: name -> value."""
        self.few = few_valued(layout)
        self._names = {(type(constants[name]).__name__, repr(constants[name])): name for name in ("SUIT", "RANK", "P")}
        self.stand_for_others: set[str] = set()
        """Which of these are also printed for tables that tell something else, and are just like them."""
        self._spent = 0
        self.most_spent = MOST_WORKED_OUT
        self._evaluator = Evaluator(constants)
        self._worked_out: dict[Any, Any] = {}

    # ---- working out ----------------------------------------------------------------------------

    def value(self, node: Typed) -> Any:
        """The value of an expression that depends on nothing. Raises Unanswerable if it has none."""
        found = self._inlined(node)
        self.charge(node, found, 1)
        return self.value_of(found, node)

    def value_of(self, found: Expr, node: Typed) -> Any:
        """What an expression is that has been lowered, and was `node`. Raises Unanswerable."""
        value = self._answered(node, lambda: self._evaluator.value(found))
        if type(value) is int and node.type.kind == "integer" and abs(value) > LARGEST:
            raise Unanswerable(TOO_LARGE, node.span)
        return value

    def for_each(self, found: Expr, node: Typed, local: str, count: int) -> tuple[Any, ...]:
        """What an expression is for each number that its only local can be. Raises Unanswerable."""
        self.charge(node, found, count)

        def work() -> tuple[Any, ...]:
            asked, name = self._evaluator.function(found), local_name(local)
            return tuple([asked({name: at}) for at in range(count)])

        return self._answered(node, work)  # type: ignore[no-any-return]

    def function(self, node: c.Lambda) -> Callable[..., Any]:
        """A function that asks nothing of the match."""
        return self._evaluator.value(node)  # type: ignore[no-any-return]

    def of_cards(self, node: Typed, local: str) -> tuple[Any, ...] | None:
        """The value of an expression for every card that its only local can be; None if it has none for some."""
        found = self._inlined(node)
        if (found, local) not in self._worked_out:
            values = None
            with suppress(Unanswerable):
                values = self.for_each(found, node, local, len(self._layout.cards))
            self._worked_out[found, local] = values
        return self._worked_out[found, local]  # type: ignore[no-any-return]

    def rows(self, node: Typed, local: str, variables: tuple[str, ...]) -> Rows | None:
        """The value of an expression for each card, by values of variables; None if it cannot be worked out."""
        if not variables:
            values = self.of_cards(node, local)
            return None if values is None else {(): values}
        domains = [self.few[name][1] for name in variables]
        many = prod(map(len, domains))
        if many > MOST_TABLES:
            return None
        found = self._inlined(node)
        key = found, local, variables
        if key not in self._worked_out:
            cards = range(len(self._layout.cards))
            self.charge(node, found, len(cards) * many)
            asked, name = self._evaluator.function(found), local_name(local)
            slots = [self.few[variable][0] for variable in variables]
            rows: Rows | None = {}
            try:
                for held in product(*domains):
                    now = dict(zip(slots, held, strict=True))
                    rows[held] = tuple([asked({name: card, VARIABLES: now}) for card in cards])  # type: ignore[index]
            except Exception:  # for values that never meet: it is asked when it is known
                rows = None
            self._worked_out[key] = rows
        return self._worked_out[key]  # type: ignore[no-any-return]

    def charge(self, node: Typed, found: Expr, times: int) -> None:
        """Count what it takes to work out beforehand what never changes, and end where it becomes too much."""
        self._spent += PART * c.size(found) + times * self._bounds.steps(node)
        if self._spent > self.most_spent:
            report = Report()
            message = "with this, too much is to be worked out before the game begins"
            report.error("E521", node.span, message, "loops and definitions inside one another multiply")
            report.raise_errors()

    def _answered(self, node: Typed, work: Callable[[], Any]) -> Any:
        """Whatever goes wrong in working out an expression is told as what is wrong with it."""
        try:
            return work()
        except (Impossible, MemoryError, RecursionError):
            raise
        except Exception as error:
            span = error.span if isinstance(error, RuleError) else None
            if isinstance(error, NoValue):  # settled before anybody plays, so its numbers are no secret
                raise Unanswerable(str(error), node.span, error.hint) from error
            raise Unanswerable(why(error), span or node.span) from error

    # ---- naming ---------------------------------------------------------------------------------

    def constant(self, value: Any, node: Typed) -> Expr:
        """The value of an expression that never changes."""
        if value == ():
            return c.NOTHING
        return self.literal(value, named_after(node), "ALL" if node.type.kind in ("set", "list") else "OF")

    def literal(self, value: Any, telling: str, ending: str = "OF") -> Expr:
        """A constant; a big one gets a name."""
        if isinstance(value, bool | int | str) or value is None:
            return c.Lit(value)
        return self.table(value, telling, ending)

    def table(self, value: Any, telling: str, ending: str = "OF") -> c.Table:
        """A constant table. telling: what it tells, in names of the ruleset, without the lines at their ends."""
        if isinstance(value, list):
            value = tuple(value)
        key = (type(value).__name__, repr(value))
        if key not in self._names:
            telling = telling.strip("_")
            if not telling[:1].isalpha():
                telling = f"{'numbers' if telling else type(value).__name__}_{telling}".rstrip("_")
            stem = f"{telling}{SIGN}".upper()
            name, number = f"{stem}{ending}", 1
            while name in self.constants:
                number += 1
                name = f"{stem}{number}"
            self._names[key] = name
            self.constants[name] = value
        elif SIGN not in self._names[key]:
            self.stand_for_others.add(self._names[key])
        return c.Table(self._names[key])

    def row(self, rows: Mapping[Any, Any], variables: Sequence[str], telling: str) -> Expr:
        """What holds for the values that variables have now."""
        if len({repr(row) for row in rows.values()}) == 1:
            return self.literal(next(iter(rows.values())), telling)
        if len(variables) == 1:
            rows = {key: row for (key,), row in rows.items()}
        held = tuple(c.Slot(c.Lit(self.few[name][0])) for name in variables)
        return c.Item(self.table(dict(rows), telling), held[0] if len(held) == 1 else c.Tuple(held))
