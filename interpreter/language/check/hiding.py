"""What is hidden from the player who chooses a card, as far as a ruleset tells before anybody plays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter.base.diagnostics import Report
from interpreter.language import typed as t
from interpreter.language.model import ActionDef, DefineInstance, ParamDef, StageDef, VarDef, ZoneDef
from interpreter.language.tree import replace
from interpreter.language.typed import Effect, Typed, walk

WHEREVER = ("holder of",)
"""Operations that tell of a card where it lies, without naming the place."""
OfActor = Mapping[str, bool]
"""Names in a definition -> whether they stand for the player who chooses."""


def is_blind(param: ParamDef, zones: Mapping[str, ZoneDef], instances: Mapping[str, DefineInstance]) -> bool:
    """Whether who chooses cards may not see their faces: they lie neither where all see them nor in an own hand."""
    return param.form == "cards" and any(True for _ in unseen_zones(param.domain, zones, instances))


def unseen_zones(
    node: Typed | None, zones: Mapping[str, ZoneDef], instances: Mapping[str, DefineInstance]
) -> Iterator[str]:
    """Names of the zones that an expression speaks of, definitions written out, and that who asks may not see."""
    todo: list[tuple[Typed | None, OfActor]] = [(node, {})]
    known: set[tuple[str, tuple[bool, ...]]] = set()
    while todo:
        asked, given = todo.pop()
        tops = {id(part.args[0]) for part in walk(asked) if isinstance(part, t.Op) and part.op == "top"}
        for part in walk(asked):
            if isinstance(part, t.ZoneRef) and part.name in zones:
                if not _is_seen(part, zones[part.name], given, id(part) in tops):
                    yield part.name
            elif isinstance(part, t.Op) and part.op in WHEREVER:
                yield from (name for name, zone in zones.items() if zone.dims and not is_public(zone))
            elif isinstance(part, t.Instance):
                instance, args = instances[part.key], tuple(_is_actor(arg, given) for arg in part.args)
                if (part.key, args) not in known:
                    known.add((part.key, args))
                    todo.append((instance.body, dict(zip((n for n, _ in instance.params), args, strict=True))))


def _is_actor(node: Typed, given: OfActor) -> bool:
    return (isinstance(node, t.Builtin) and node.name == "actor") or (
        isinstance(node, t.Local) and given.get(node.name, False)
    )


def turned_down(effects: object, zones: Mapping[str, ZoneDef]) -> dict[str, ZoneDef]:
    """The zones, those marked that all see and in which single cards may lie face down all the same.

    effects: whatever holds all effects. What is turned down without its zone being named may lie in any.
    """
    names: set[str] = set()
    done: list[Effect] = [part for part in walk(effects) if isinstance(part, t.Effect)]
    for effect, after in zip(done, [*done[1:], None], strict=False):
        if isinstance(effect, t.Move) and effect.facing == "down":
            names.add(effect.target.name)
        elif isinstance(effect, t.Face) and effect.verb != "turn up":
            found = _lying_in(effect.what)
            if effect.verb != "flip" or _taken_up(after) not in found:
                names |= found or zones.keys()
    return {name: replace(z, turned_down=name in names and is_public(z)) for name, z in zones.items()}


def _taken_up(effect: Effect | None) -> str:
    """The zone from which an effect takes the whole packet away; "" if it does not."""
    return effect.source.name if isinstance(effect, t.Move) and effect.what is None and effect.source else ""


def _lying_in(what: Typed) -> set[str]:
    """The zone in which cards lie, as far as they are named by it; a card that was chosen may lie elsewhere since."""
    match what:
        case t.ZoneRef(name):
            return {name}
        case t.Op("top" | "bottom", (inner,)) | t.Select(_, _, _, inner):
            return _lying_in(inner)
    return set()


def check_hidden(
    stages: Mapping[str, StageDef],
    zones: Mapping[str, ZoneDef],
    variables: Mapping[str, VarDef],
    instances: Mapping[str, DefineInstance],
    report: Report,
) -> None:
    """Warn where what is offered tells of hidden cards, and where the next dealer sees what was for the last."""
    for stage in stages.values():
        for action in (*stage.actions, *stage.anytime):
            for params in (action.params, *(row.params for row in action.rows)):
                for param in params:
                    _check_choice(param, action, zones, instances, report)
            _check_row(action, zones, instances, report)
    for stage in stages.values():
        if stage.next_dealer is not None:
            _check_dealer(stage, stages, variables, report)


def _check_row(
    action: ActionDef, zones: Mapping[str, ZoneDef], instances: Mapping[str, DefineInstance], report: Report
) -> None:
    """What the row of a card asks for tells which card it is, so nobody can be asked who does not see it."""
    if action.row is None or not any(row.params for row in action.rows):
        return
    unseen = {param.name for param in action.params if is_blind(param, zones, instances)}
    for part in walk(action.row):
        if isinstance(part, t.Local) and part.name in unseen:
            message = f"what its row asks for would tell of '{part.name}', which who chooses may not see"
            hint = "let a stage of its own ask for it, when the card lies open"
            report.error("E505", action.row.span, message, hint)
            return


def _check_choice(
    param: ParamDef,
    action: ActionDef,
    zones: Mapping[str, ZoneDef],
    instances: Mapping[str, DefineInstance],
    report: Report,
) -> None:
    if param.form != "cards" or not any(_is_shut(zones[name]) for name in unseen_zones(param.domain, zones, instances)):
        return
    asked = [(param.where, "card" if param.count is not None else param.name)]
    asked += [(condition, param.name) for _, condition in action.when]
    asked += [(law.law, param.name) for law in action.laws]
    for condition, name in asked:
        if condition is not None and _looks_at(condition, name):
            message = f"what is offered tells of '{param.name}', which who chooses does not see"
            hint = "let any of the cards be chosen, and look at it in the effect"
            report.warning("W603", condition.span, message, hint)


def _is_shut(zone: ZoneDef) -> bool:
    """Whether it never changes who sees its cards, so that others are sure not to."""
    shut = isinstance(zone.seen_by, t.Op) and zone.seen_by.op == "group"
    return zone.faces_down or zone.shows_top or shut


def _looks_at(condition: Typed, name: str) -> bool:
    """Whether a condition asks more of a card than where it lies."""
    places = [part.args[0] for part in walk(condition) if isinstance(part, t.Op) and part.op in ("in", *WHEREVER)]
    apart = {id(part) for part in places}
    return any(isinstance(p, t.Local) and p.name == name and id(p) not in apart for p in walk(condition))


def _check_dealer(
    deal: StageDef, stages: Mapping[str, StageDef], variables: Mapping[str, VarDef], report: Report
) -> None:
    inside, todo = {"turn", "trick"}, [deal.name]
    while todo:
        name = todo.pop()
        inside.add(name)
        todo += stages[name].children
    cleared = {part.name for part in walk(deal.cleanup) if isinstance(part, t.Clear)}
    cleared |= {part.target.name for part in walk(deal.cleanup) if isinstance(part, t.Assign)}
    for variable in variables.values():
        eyes = walk(variable.seen_by)
        if variable.lasts in inside and any(isinstance(e, t.Builtin) and e.name == "dealer" for e in eyes):
            if variable.name not in cleared:
                message = f"when '{deal.name}' ends, the next dealer sees '{variable.name}' until it is reset"
                report.warning("W604", variable.span, message, f"clear it in 'cleanup' of '{deal.name}'")


def is_public(zone: ZoneDef) -> bool:
    """Whether everybody sees the faces of the cards that are laid there."""
    return not zone.faces_down and isinstance(zone.seen_by, t.Builtin) and zone.seen_by.name == "everyone"


def is_spread(node: Typed | None, instances: Mapping[str, DefineInstance]) -> bool:
    """Whether the cards of a set may lie in several places, not all in one."""
    match node:
        case t.ZoneRef():
            return node.type.item is None or node.type.item.kind != "card"
        case t.Select("all", _, _, domain):
            return is_spread(domain, instances)
        case t.If(_, then, otherwise):
            return is_spread(then, instances) or is_spread(otherwise, instances)
        case t.Instance(key):
            return is_spread(instances[key].body, instances)
        case t.Local(_, kind):
            return kind.kind != "place"
    return True


def _is_seen(ref: t.ZoneRef, zone: ZoneDef, given: OfActor, is_top: bool) -> bool:
    """is_top: whether it is asked for its top card alone."""
    if zone.faces_down or zone.turned_down or (zone.shows_top and not is_top):
        return False
    match zone.seen_by:
        case t.Builtin("everyone"):
            return True
        case t.Op("group", (t.Local("owner"),)):
            return bool(ref.index) and _is_actor(ref.index[0], given)
    return False
