"""Stages as the program knows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from interpreter.compiler.linking.action_codes import action_code
from interpreter.compiler.linking.answers import argument_code
from interpreter.compiler.linking.counting import counting
from interpreter.compiler.linking.linked import Linked
from interpreter.compiler.linking.ways_to_play import tell_ways
from interpreter.compiler.lower.stage_course import can_run
from interpreter.engine.count_code import CountCode
from interpreter.engine.machine import prepare
from interpreter.engine.program import StageCode
from interpreter.language.model import StageDef

HOOKS = ("when reset setup cleanup until effect resolve hands playout first_dealer next_dealer").split()
"""What is asked or done in a stage, by the name of its function and of its field."""


def stage_code(of: Linked, stage: StageDef, counts: Mapping[str, Sequence[CountCode]]) -> StageCode:
    """A stage with all that the machine asks of it. counts: by stage, what is counted when it ends."""
    name, layout = stage.name, of.layout
    code = StageCode(
        index=stage.index,
        name=name,
        kind=stage.kind,
        children=tuple(of.stages[child].index for child in stage.children),
        following=_following(of, stage),
        span=stage.span,
        actions=tuple(action_code(of, at, action, stage) for at, action in enumerate(stage.actions)),
        anytime=tuple(action_code(of, at, action, stage) for at, action in enumerate(stage.anytime)),
        closed=stage.closed,
        has_turns=_has_turns(of, stage),
        weight=of.expressions.bounds.weight(stage),
        answers=stage.answers,
        params=tuple((param, layout.arguments[name, param]) for param, _ in stage.params),
        takes=tuple(argument_code(of, stage, param) for param, _ in stage.params),
        players=of.parts.find(name, of.names, of.lowering.everyone),  # type: ignore[arg-type]
        sources=tuple(layout.zones[stage.source_zone].places) if stage.kind == "trick" else (),
        direction=stage.direction,
        prompt=stage.prompt,
        **{hook: of.hook(f"{hook}·{name}") for hook in HOOKS},
    )
    if name in counts:
        first = sum(len(other.columns) for before in takewhile(name.__ne__, counts) for other in counts[before])
        code.cleanup = counting(counts[name], first, code.cleanup)
    prepare(code, {step: of.hook(f"{step}·{name}") for step in ("begin", "moved", "ended", "next")})
    tell_ways(of, stage, code)
    return code


def _following(of: Linked, stage: StageDef) -> tuple[int, ...]:
    found = [len(stage.children)]
    for step in range(len(stage.children) - 1, -1, -1):
        found.append(step if can_run(of.stages[stage.children[step]], of.layout.honor) else found[-1])
    return tuple(reversed(found))


def _has_turns(of: Linked, stage: StageDef) -> bool:
    return stage.kind in ("turn", "trick") or any(_has_turns(of, of.stages[child]) for child in stage.children)
