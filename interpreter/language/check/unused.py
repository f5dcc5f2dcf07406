"""Definitions that nothing uses: they are looked at all the same, as far as that is possible without a use.

What a parameter without a type stands for is only known where the definition is used. So here it fits everywhere, and
only what is wrong whatever it stands for is told.
"""

from __future__ import annotations

from interpreter.base.diagnostics import Diagnostic, Report
from interpreter.language import typed as t
from interpreter.language.check.effects import Effects
from interpreter.language.check.names import Definition, Names, Scope
from interpreter.language.source import Mapping


def check_unused(names: Names, effects: Effects, report: Report) -> None:
    """Report what is wrong with definitions that are used nowhere and take parameters, or are effects."""
    if any(d.code == "E404" for d in report.diagnostics):
        return  # what is too much to work out has been told
    used, names.used = names.used, set()
    words = set(names.words())
    for name, definition in names.definitions.items():
        if ("define", name) not in used and (definition.params or definition.is_effect):
            found = _tried(definition, effects)
            report.extend(d for d in found if _holds(d, words))
    names.used = used


def _tried(definition: Definition, effects: Effects) -> list[Diagnostic]:
    """What is found when the definition is used with values of any kind; nothing else is changed by that."""
    expressions = effects.expressions
    trial, outer = Report(), (expressions.report, effects.report)
    expressions.report = effects.report = trial
    instances, calls = len(expressions.instances), len(effects.calls)
    finished, faults = set(effects.finished), dict(effects.faults)
    flags = effects.reseats, effects.sets_dealer, expressions.needs_dealer
    scope = Scope(actor=t.Local("somebody", t.PLAYER, definition.span))
    values = [t.Local(p, kind or t.UNKNOWN, definition.span) for p, kind in definition.params]
    if definition.is_effect:
        assert isinstance(definition.node, Mapping)
        for value in values:
            scope = scope.bind(value.name, value)
        effects.node(definition.node.entries["effect"], scope)
    else:
        expressions.uses.use(definition, tuple(values), scope, definition.span)
    expressions.report, effects.report = outer
    while len(expressions.instances) > instances:
        expressions.instances.popitem()
    del effects.calls[calls:]
    effects.finished, effects.faults = finished, faults
    effects.reseats, effects.sets_dealer, expressions.needs_dealer = flags
    return trial.diagnostics


def _holds(found: Diagnostic, words: set[str]) -> bool:
    """Whether a finding holds whatever the parameters are; a word may belong to a choice that is one of them."""
    return found.code != "E501" or not any(f"'{word}'" in found.message for word in words)
