"""What a move asks of what others hold: what comes of it tells who makes the move of that."""

from __future__ import annotations

from interpreter.language import typed as t
from interpreter.language.check.hiding import is_public
from interpreter.language.check.looking import ACTOR, OTHER, Looking, stands_for
from interpreter.language.check.openness import is_everyone
from interpreter.language.model import ActionDef, Model
from interpreter.language.typed import walk


def asks_of_others(action: ActionDef, model: Model) -> bool:
    """Whether what it does, or what a card's row does, hangs on cards before others or on hidden numbers."""

    def is_kept(ref: t.VarRef) -> bool:
        eyes = model.variables[ref.name].seen_by if ref.name in model.variables else None
        return eyes is not None and not is_everyone(eyes)

    def hides(ref: t.ZoneRef | t.VarRef | t.TokenRef, whose: str, is_top: bool) -> bool:
        if isinstance(ref, t.VarRef):
            return is_kept(ref) and whose != ACTOR
        zone = model.zones.get(ref.name) if isinstance(ref, t.ZoneRef) else None
        return zone is not None and zone.dims[:1] == ("player",) and whose == OTHER and not is_public(zone)

    looking = Looking(hides, model.instances)
    own = {param.name: stands_for(param, {}, looking) for param in action.params}
    for effect in walk([action.effect, [row.effect for row in action.rows]]):
        match effect:
            case t.IfEffect(condition):
                asked: list[t.Typed | None] = [condition]
            case t.ForEffect(_, _, domain, where):
                asked = [domain, where]
            case t.Assign(_, target, value) if not (isinstance(target, t.VarRef) and is_kept(target)):
                asked = [value]
            case _:
                continue
        if any(looking.looked_at(node, own) for node in asked):
            return True
    return False
