"""What everybody can reckon: expressions made of nothing but what all players see, as far as a ruleset tells."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from interpreter.language import typed as t
from interpreter.language.check.hiding import is_public
from interpreter.language.check.kinds import holds_card
from interpreter.language.check.written_out import with_tables
from interpreter.language.model import MELDS, Model, ParamDef, StageDef, VarDef, ZoneDef
from interpreter.language.operations import NUMBERED, OF_CARD, OF_WHAT_IT_IS_GIVEN, asking
from interpreter.language.typed import Typed, walk

OPEN = OF_WHAT_IT_IS_GIVEN | OF_CARD | asking("course")
"""Operations that tell only what all see if all see what they are given; who played a card is asked of its trick."""


def is_open(node: Typed | None, model: Model, given: Collection[str] = ()) -> bool:
    """Whether an expression is made only of what all see. given: names that stand for nothing hidden.

    A definition that is told to all is open whatever it is made of.
    """
    told = {shown.key for shown in model.shown if is_everyone(shown.seen_by)}
    todo: list[Typed | None] = [node]
    known: set[str] = set()
    names = set(given)
    while todo:
        parts = list(with_tables(todo.pop(), model.tables))
        numbered = {id(part.args[0]) for part in parts if isinstance(part, t.Op) and part.op in NUMBERED}
        names |= {part.variable for part in parts if isinstance(part, t.Quant | t.Select | t.Fold | t.Let)}
        names |= {model.tables[part.name].card for part in parts if isinstance(part, t.TableRef)}
        named = (part for part in parts if isinstance(part, t.Local) and part.name in given and part.source is not None)
        beside = {id(inner) for part in named for inner in walk(part.source)}  # where it comes from is not asked
        for part in parts:
            if id(part) not in beside and not _is_open(part, model, names, id(part) in numbered):
                return False
            if isinstance(part, t.Instance) and part.key not in known | told:
                known.add(part.key)
                instance = model.instances[part.key]
                names |= {name for name, _ in instance.params}
                todo.append(instance.body)
    return True


def asks_of_trick(part: object) -> bool:
    """Whether something tells of the cards of a trick as they lie there."""
    match part:
        case t.Builtin("led" | "best"):
            return True
        case t.Op("player of"):
            return True
    return False


def tricks_lie_open(stages: Mapping[str, StageDef], zones: Mapping[str, ZoneDef]) -> bool:
    """Whether everybody sees what is played to tricks."""
    played = (zones.get(stage.trick_zone) for stage in stages.values() if stage.kind == "trick")
    return all(zone is not None and is_public(zone) for zone in played)


def is_everyone(eyes: Typed | None) -> bool:
    """Whether what is said of who sees something means everybody."""
    return isinstance(eyes, t.Builtin) and eyes.name == "everyone"


def is_owner(eyes: Typed | None) -> bool:
    """Whether what is said of who sees something means the player, or the players of the side, whose it is."""
    match eyes:
        case t.Op("group" | "members of", (t.Local("owner"),)):
            return True
    return False


def is_open_variable(variable: VarDef) -> bool:
    """Whether everybody sees what a variable holds; who sees a card in it goes by where the card lies."""
    return is_everyone(variable.seen_by) or (variable.seen_by is None and not holds_card(variable.type))


def open_choices(params: Iterable[ParamDef]) -> frozenset[str]:
    """The parameters of an action whose values everybody learns; cards may be chosen unseen."""
    plain = (param for param in params if param.form not in ("cards", *MELDS))
    return frozenset(p.name for p in plain if p.seen_by is None or is_everyone(p.seen_by))


def _is_open(part: object, model: Model, names: Collection[str], is_number: bool) -> bool:
    """Whether one part of an expression, apart from those that it is made of, tells only what all see."""
    match part:
        case t.ZoneRef(name) if name in model.zones:
            zone = model.zones[name]
            if is_number:
                return is_everyone(zone.count_seen_by)
            return is_public(zone) and not (zone.turned_down or zone.shows_top)
        case t.VarRef(name):
            return is_open_variable(model.variables[name])
        case t.TokenRef(name, holder):
            return holder is None or is_everyone(model.tokens[name].seen_by)
        case t.Local(name):
            return name in names
        case t.Op("highest" | "lowest", _, _, _, name):
            return is_open_variable(model.variables[name])
        case t.Op(op) if op not in OPEN:
            return False
    return not asks_of_trick(part) or tricks_lie_open(model.stages, model.zones)
