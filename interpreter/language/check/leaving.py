"""Which effects the rules may not be able to carry out, so that everybody hears of it: a number would leave its bounds,
or something is missing that has to be there."""

from __future__ import annotations

from typing import Protocol

from interpreter.language import typed as t
from interpreter.language.check.declarations import MILLION
from interpreter.language.check.written_out import with_definitions
from interpreter.language.model import Model, VarDef
from interpreter.language.typed import Typed, walk_of


class Numbers(Protocol):
    """What numbers can be in one game."""

    def is_within(self, node: Typed, low: Typed, high: Typed) -> bool:
        """Whether a number, if it is there, always lies between two others."""

    def leaves(self, node: t.Op | t.Fold) -> bool:
        """Whether the result of an operation may be more than a number can be."""


class Values(Protocol):
    """What is known of values in one game before anybody plays."""

    @property
    def ranges(self) -> Numbers: ...

    def may_miss(self, node: Typed) -> bool:
        """Whether the value may be none."""


FAR = 1_000
"""A variable of which no bounds are said is not taken to leave a million if no more than this goes to it at once."""


class Leaving:
    """Looks through what variables are given in one ruleset. values: what is known of these."""

    def __init__(self, model: Model, values: Values) -> None:
        self._model, self._values = model, values
        self._lets: dict[str, list[Typed]] = {}
        """Names -> what they may stand for."""
        given: list[tuple[str, Typed]] = []
        kinds = (t.Assign, t.SwapValues, t.LetEffect, t.Let)
        for part in walk_of([model.stages, model.instances, model.honor], *kinds):
            match part:
                case t.Assign(_, t.VarRef(name), value):
                    given.append((name, value))
                case t.SwapValues(t.VarRef(one), t.VarRef(other)):
                    given += [(one, part.right), (other, part.left)]
                case t.SwapValues():
                    given += [(side.name, side) for side in (part.left, part.right) if isinstance(side, t.VarRef)]
                case t.LetEffect(name, value) | t.Let(name, value):
                    self._lets.setdefault(name, []).append(value)
        ends = [t.Const(sign * FAR, t.INTEGER, model.players.span) for sign in (-1, 1)]
        self._far = ends[0], ends[1]
        self._limited = {name for name, variable in model.variables.items() if not _is_free(variable)}
        """The variables that may leave their bounds: those that have closer ones, or to which much goes."""
        before = -1
        while before < len(self._limited):  # what may be large in one goes to others
            before = len(self._limited)
            self._limited.update(name for name, value in given if not self._is_near(value))

    def asked(self, effect: t.Assign) -> list[Typed]:
        """On what it hangs whether a variable cannot be given something; nothing if it always can."""
        target, value, is_set = effect.target, effect.value, effect.verb == "set"
        if not isinstance(target, t.VarRef):
            return []
        variable = self._model.variables[target.name]
        parts = [value] if is_set else [value, target]
        may_miss = not (is_set and target.type.optional) and any(map(self._values.may_miss, parts))
        leaves = target.type.kind == "integer" and target.name in self._limited
        if leaves and is_set:
            leaves = not self._is_within(value, variable.minimum, variable.maximum)
        if not (may_miss or leaves or self.may_fail(value)):
            return []
        return [*parts, variable.minimum, variable.maximum]

    def may_fail(self, node: Typed) -> bool:
        """Whether a value may not be found at all."""
        for part in with_definitions(node, self._model):
            match part:
                case t.Op("div" | "mod", (_, by)):
                    if not (isinstance(by, t.Const) and by.value):
                        return True
                case t.Op("+" | "-" | "*") | t.Fold("sum"):
                    if self._values.ranges.leaves(part):
                        return True
                case t.VarRef(_, index) | t.ZoneRef(_, index):
                    if any(map(self._values.may_miss, index)):
                        return True
        return False

    def _is_within(self, value: Typed, low: Typed, high: Typed) -> bool:
        if isinstance(value, t.Local) and value.name in self._lets:
            return all(self._values.ranges.is_within(inner, low, high) for inner in self._lets[value.name])
        return self._values.ranges.is_within(value, low, high)

    def _is_near(self, value: Typed) -> bool:
        """Whether a number is small, as far as variables are."""
        match value:
            case t.VarRef(name) if _is_free(self._model.variables[name]):
                return name not in self._limited
            case t.Local(name) if name in self._lets:
                return all(isinstance(inner, t.VarRef) and self._is_near(inner) for inner in self._lets[name]) or (
                    self._is_within(value, *self._far)
                )
        return self._values.ranges.is_within(value, *self._far)


def _is_free(variable: VarDef) -> bool:
    """Whether no bounds are said of a variable."""
    ends = (variable.minimum, variable.maximum)
    return all(isinstance(end, t.Const) and end.value in (-MILLION, MILLION) for end in ends)
