"""Which arguments of called stages a player may not know: those that are reckoned from hidden things, or drawn."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.engine.position import Position
from interpreter.engine.program import VariableCode
from interpreter.language import typed as t
from interpreter.language.check.hiding import is_public
from interpreter.language.check.looking import Looking
from interpreter.language.check.openness import is_everyone
from interpreter.language.model import Model
from interpreter.language.typed import Typed, walk

FEW = 99
"""So many numbers from the least on one may be of which the rules say no most."""


def hidden_arguments(s: Position, model: Model) -> Iterator[VariableCode]:
    """The arguments of the stages that go on that some player may not know, as variables that nobody sees.

    A card is none of them: it is known where it lies, which is what a world tells it by.
    """
    for frame in s.stack:
        code = s.program.stages[frame.stage]
        stage = model.stages[code.name]
        if all(kind.kind == "card" for _, kind in stage.params):
            continue
        hidden = _said_of_hidden(model, stage.name)
        for (name, kind), (_, slot) in zip(stage.params, code.params, strict=True):
            if name in hidden and kind.kind != "card":
                low, high = map(_number, stage.bounds.get(name, (None, None)))
                low = (0 if high is None else min(0, high)) if low is None else low
                high = low + FEW if high is None else high
                yield VariableCode(
                    name, slot, 1, kind.kind, kind.symbols, (), ((),), low, high, lambda s, owner: 0, kind.optional
                )


def _number(bound: Typed | None) -> int | None:
    found = bound.value if isinstance(bound, t.Const) else None
    return found if type(found) is int else None


def _said_of_hidden(model: Model, stage: str) -> set[str]:
    """The arguments of a stage that some call makes of what not everybody sees, or of chance."""

    def hides(ref: t.ZoneRef | t.VarRef | t.TokenRef, whose: str, is_top: bool) -> bool:
        if isinstance(ref, t.TokenRef):
            return ref.name in model.tokens and not is_everyone(model.tokens[ref.name].seen_by)
        if isinstance(ref, t.VarRef):
            eyes = model.variables[ref.name].seen_by if ref.name in model.variables else None
            return eyes is not None and not is_everyone(eyes)
        return ref.name in model.zones and not is_public(model.zones[ref.name])

    held = next((name for name, zone in model.zones.items() if zone.dims and not is_public(zone)), "")
    looking = Looking(hides, model.instances, (), model.tables, held)

    def is_hidden(node: Typed) -> bool:
        drawn = any(isinstance(part, t.Op) and part.op == "random" for part in walk(node))
        return drawn or bool(looking.looked_at(node, {}) or looking.meant(node, {}).of)

    def calls(within: object) -> Iterator[tuple[str, Typed]]:
        for call in walk(within):
            if isinstance(call, t.Call) and call.stage == stage:
                yield from call.args

    found = {name for name, value in calls(model) if is_hidden(value)}
    for branch in walk(model):  # which of several calls is made may tell it, too
        if isinstance(branch, t.IfEffect) and is_hidden(branch.condition):
            found |= {name for name, value in calls((branch.then, branch.otherwise)) if isinstance(value, t.Const)}
    return found
