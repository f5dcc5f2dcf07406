"""What others can see of a choice that is made at the same time as theirs, before all have chosen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from interpreter.base.diagnostics import Report
from interpreter.language import typed as t
from interpreter.language.check.kinds import holds_card
from interpreter.language.check.openness import is_owner
from interpreter.language.model import ActionDef, StageDef, VarDef, ZoneDef
from interpreter.language.typed import Effect, Typed, walk, walk_of


def check_at_once(
    stages: Mapping[str, StageDef], zones: Mapping[str, ZoneDef], variables: Mapping[str, VarDef], report: Report
) -> None:
    """Warn where what is chosen in a simultaneous stage can be seen by others while they still choose."""
    for stage in stages.values():
        for action in stage.actions if stage.kind == "simultaneous" else ():
            for part in _telling(action, zones, variables):
                message = f"others see by this what is chosen in '{action.name}', before all have chosen"
                hint = f"do it in 'resolve' of '{stage.name}', or keep it where only its player sees it"
                report.warning("W608", part.span, message, hint)


def shows_by_choice(stage: StageDef, zones: Mapping[str, ZoneDef]) -> bool:
    """Whether it may hang on what is chosen in secret, with others, what cards somebody comes to see by it."""
    if stage.kind != "simultaneous":
        return False
    if any(zone.refill is not None for zone in zones.values()):
        return True
    for action in stage.actions:
        params = (*action.params, *(param for row in action.rows for param in row.params))
        seen = {param.name for param in params if _is_before_actor(param.domain, zones)}
        for effect in walk_of([action.effect, *(row.effect for row in action.rows)], *_OF_CARDS):
            if not _lays_covered(effect, seen, zones):
                return True
    return False


def is_done_unnoticed(stage: StageDef) -> bool:
    """Whether somebody may do something there in secret and not have chosen yet, so that no others are told."""
    effects = [effect for action in stage.actions for effect in (action.effect, *(row.effect for row in action.rows))]
    return stage.kind == "simultaneous" and any(turn.verb == "stay" for turn in walk_of(effects, t.Turn))


_OF_CARDS = (t.Move, t.Deal, t.Gather, t.Shuffle, t.Face, t.Show, t.SwapValues, t.Turn, t.ToPlayer, t.Call, t.Finish)
"""Effects that may let somebody see cards, or what follows upon them may."""


def _lays_covered(effect: Effect, seen: Collection[str], zones: Mapping[str, ZoneDef]) -> bool:
    """Whether nobody comes to see a card by an effect. seen: names of chosen cards that their player sees."""
    match effect:
        case t.Move(t.Local(name), False):
            return name in seen and not _is_seen(effect, zones, {})
        case t.SwapValues(left, right):
            return not isinstance(left, t.ZoneRef) and not isinstance(right, t.ZoneRef)
        case t.Turn(verb):
            return verb == "stay"
    return False


def _is_before_actor(domain: Typed | None, zones: Mapping[str, ZoneDef]) -> bool:
    """Whether these are cards of who acts, who sees them where they lie."""
    match domain:
        case t.ZoneRef(name, (index, *_)) if _is_actor(index):
            return is_owner(zones[name].seen_by)
    return False


def _telling(
    action: ActionDef, zones: Mapping[str, ZoneDef], variables: Mapping[str, VarDef]
) -> Iterator[Effect | t.Words]:
    """The effects and spoken texts of an action that show others what was chosen."""
    chosen = frozenset(param.name for param in action.params)
    for say in action.says:
        if _speaks_of(say.words, chosen) or _speaks_of(say.when, chosen):
            yield say.words
    found = [*_shown(action.effect, chosen, False, zones, variables)]
    for row in action.rows:
        names = chosen | {param.name for param in row.params}
        found += _shown(row.effect, names, True, zones, variables)
    yield from found


def _speaks_of(node: object, chosen: frozenset[str]) -> bool:
    return any(isinstance(part, t.Local) and part.name in chosen for part in walk(node))


def _shown(
    effects: Iterable[Effect],
    chosen: frozenset[str],
    decided: bool,
    zones: Mapping[str, ZoneDef],
    variables: Mapping[str, VarDef],
) -> Iterator[Effect]:
    """chosen: names that stand for what was chosen. decided: whether the choice decides that these are carried out."""
    for effect in effects:
        match effect:
            case t.LetEffect(variable, value):
                chosen = chosen | {variable} if _speaks_of(value, chosen) else chosen
            case t.IfEffect(condition, then, otherwise):
                inner = decided or _speaks_of(condition, chosen)
                yield from _shown((*then, *otherwise), chosen, inner, zones, variables)
            case t.ForEffect(variable, _, domain, where, by, body):
                inner = decided or _speaks_of((domain, where, by), chosen)
                yield from _shown(body, chosen | {variable} if inner else chosen, inner, zones, variables)
            case t.RunEffect(_, bound, body):
                own = {name for name, value in bound if _speaks_of(value, chosen)}
                inside = chosen.difference(name for name, _ in bound) | own
                if any(True for _ in _shown(body, inside, decided, zones, variables)):
                    yield effect
            case _ if (decided or _speaks_of(effect, chosen)) and _is_seen(effect, zones, variables):
                yield effect


def _is_seen(effect: Effect, zones: Mapping[str, ZoneDef], variables: Mapping[str, VarDef]) -> bool:
    """Whether others see at once what an effect does."""
    match effect:
        case t.Move(_, _, _, target, _, facing):
            zone = zones.get(target.name)
            hidden = zone is None or zone.faces_down or facing == "down" or _is_own(zone, target.index)
            return facing == "up" or not hidden
        case t.Show(_, to):
            return not _is_actor(to)
        case t.Assign(_, t.VarRef(name, index)) | t.Clear(name, index):
            variable = variables.get(name)
            by_card = variable is not None and variable.seen_by is None and holds_card(variable.type)
            return not (variable is None or by_card or _is_own(variable, index))
        case t.Assign(_, target):
            return isinstance(target, t.Builtin)
        case t.Turn(verb):
            return verb in ("reverse", "redeal")
        case t.Gather() | t.Shuffle() | t.NoteFault() | t.Note():
            return False
    return True


def _is_own(kept: ZoneDef | VarDef, index: tuple[Typed, ...]) -> bool:
    """Whether nobody sees what lies there but the one who chooses."""
    match kept.seen_by:
        case t.Op("group", ()):
            return True
        case t.Op("group", (t.Local("owner"),)):
            return bool(index) and _is_actor(index[0])
    return False


def _is_actor(node: Typed) -> bool:
    match node:
        case t.Builtin("actor"):
            return True
        case t.Op("group", (inner,)):
            return _is_actor(inner)
    return False
