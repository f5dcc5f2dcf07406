"""What is hidden from the player who chooses a card, as far as a ruleset tells before anybody plays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter import typed as t
from interpreter.model import DefineInstance, ParamDef, ZoneDef
from interpreter.typed import Typed, walk

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
    if zone.faces_down or (zone.shows_top and not is_top):
        return False
    match zone.seen_by:
        case t.Builtin("everyone"):
            return True
        case t.Op("group", (t.Local("owner"),)):
            return bool(ref.index) and _is_actor(ref.index[0], given)
    return False
