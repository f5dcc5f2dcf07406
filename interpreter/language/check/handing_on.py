"""What one player may see, and the next sees too: a variable keeps its value when the deal or the turn passes on."""

from __future__ import annotations

from collections.abc import Mapping, Set

from interpreter.base.diagnostics import Report
from interpreter.language import typed as t
from interpreter.language.check.kinds import holds_card
from interpreter.language.model import StageDef, VarDef
from interpreter.language.typed import walk, walk_of


def check_handing_on(
    stages: Mapping[str, StageDef], variables: Mapping[str, VarDef], secret: Set[str], report: Report
) -> None:
    """Warn where the next dealer, or who comes next, sees what was for the last.

    secret: the variables that are made of what is hidden, or was chosen in secret.
    """
    for stage in stages.values():
        if stage.next_dealer is not None:
            _check_dealer(stage, stages, variables, report)
    for variable in variables.values():
        if variable.lasts == "turn" and _is_seen_by("current", variable):
            if holds_card(variable.type) or variable.name in secret:
                _check_turns(variable, stages, report)


def _check_dealer(
    deal: StageDef, stages: Mapping[str, StageDef], variables: Mapping[str, VarDef], report: Report
) -> None:
    inside, todo = {"turn", "trick"}, [deal.name]
    while todo:
        name = todo.pop()
        inside.add(name)
        todo += stages[name].children
    for variable in variables.values():
        if variable.lasts in inside and _is_seen_by("dealer", variable) and not _is_set_anew(variable.name, deal):
            message = f"when '{deal.name}' ends, the next dealer sees '{variable.name}' until it is reset"
            report.warning("W604", variable.span, message, f"clear it in 'cleanup' of '{deal.name}'")


def _check_turns(variable: VarDef, stages: Mapping[str, StageDef], report: Report) -> None:
    """When the last turn of a stage is over, or a turn is passed in a stage that is called, the next is `current`."""
    name = variable.name
    turning = [stage for stage in stages.values() if stage.kind in ("turn", "trick")]
    setting = [stage for stage in stages.values() if _is_set_in(name, stage)]
    anywhere = any(stage not in turning for stage in setting)
    for stage in turning:
        if (anywhere or stage in setting) and not _is_set_anew(name, stage):
            message = f"when '{stage.name}' ends, who would be next sees '{name}' until it is reset"
            report.warning("W604", variable.span, message, f"clear it in 'cleanup' of '{stage.name}', or {_OWN}")
            return
    called = {call.stage for call in walk_of(list(stages.values()), t.Call)}
    passing = next((stage for stage in stages.values() if _moves_current(stage, stage.name in called)), None)
    if setting and passing is not None:
        message = f"when the turn passes within '{passing.name}', the next player sees '{name}' until it is reset"
        report.warning("W604", variable.span, message, _OWN)


_OWN = "let each player have one: {each: player, seen by: owner}"


def _is_seen_by(who: str, variable: VarDef) -> bool:
    return any(isinstance(part, t.Builtin) and part.name == who for part in walk(variable.seen_by))


def _is_set_anew(name: str, stage: StageDef) -> bool:
    """Whether the stage clears a variable when it ends, or gives it another value."""
    return any(_sets(name, effect) for effect in walk_of(stage.cleanup, t.Clear, t.Assign))


def _is_set_in(name: str, stage: StageDef) -> bool:
    return any(_sets(name, effect) for effect in walk_of(stage, t.Assign))


def _sets(name: str, effect: t.Clear | t.Assign) -> bool:
    return effect.name == name if isinstance(effect, t.Clear) else getattr(effect.target, "name", "") == name


def _moves_current(stage: StageDef, is_called: bool) -> bool:
    """Whether the turn may pass in a stage while that of another player is not over."""
    assigned = (effect.target for effect in walk_of(stage, t.Assign))
    if any(isinstance(target, t.Builtin) and target.name == "current" for target in assigned):
        return True
    return is_called and any(effect.verb == "pass turn" for effect in walk_of(stage, t.ToPlayer))
