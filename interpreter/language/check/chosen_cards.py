"""Cards that are chosen out of a set that would tell of them, by what they are called or by where they lie; and rows.

Who chooses a card that lies unseen calls it by its position, and one that is meant for what it is by its name. So a set
cannot hold both, and not what something speaks of that who chooses may not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from interpreter.base.diagnostics import Report
from interpreter.language import typed as t
from interpreter.language.check.hiding import WHEREVER, blocks, is_blind, is_seen, unseen_zones
from interpreter.language.check.kinds import holds_card
from interpreter.language.check.lying import Lying
from interpreter.language.check.openness import is_everyone, is_owner
from interpreter.language.check.written_out import OfActor, bound, is_actor, spoken, with_definitions, written_out
from interpreter.language.model import ActionDef, Model, ParamDef, VarDef, ZoneDef
from interpreter.language.operations import BY_CHANCE, TAKE_ALL, TAKE_OF_FIRST, TAKE_ONE, TAKE_SOME
from interpreter.language.typed import Effect, Typed, said, walk

Spoken = t.VarRef | t.StageArgument
Given = tuple[Typed, Mapping[str, list[Typed]]]
"""A value, and what the names in it may stand for."""


def check_chosen(model: Model, report: Report) -> None:
    """Report every set of cards to choose from that would tell of hidden ones."""
    known, lying = _Known(model), Lying(model)
    for stage in model.stages.values():
        for action in (*stage.actions, *stage.anytime):
            _check_row(action, model, known, report)
            for param in (*action.params, *(param for row in action.rows for param in row.params)):
                if param.domain is not None:
                    _check(param, param.domain, lying, model, known, report)


def _check(param: ParamDef, domain: Typed, lying: Lying, model: Model, known: _Known, report: Report) -> None:
    asked = [domain, *([] if param.where is None else [param.where])]
    if lying.places(domain) is None:  # else which cards of a place are among them is another question
        for part in (part for node in asked for part in _untold(node, model, known)):
            message = f"who chooses may not see the cards of '{part.name}', and what can be chosen would tell them"
            hint = "let them be chosen from where they lie, let the effect move them, or say who sees them by 'seen by'"
            report.error("E505", part.span, message, hint)
            return
    if param.form != "cards" or not _is_named(domain, model):
        return
    if is_blind(param, model.zones, model.instances):
        message = f"'{param.name}' is chosen among cards that are named and others that lie unseen: where they lie would tell which is which"  # noqa: E501
        report.error("E505", param.span, message, "let them be chosen in two actions")
    elif param.where is not None:
        unseen = next(unseen_zones(_lies_in(param.where), model.zones, model.instances), "")
        if unseen:
            message = f"which of the named cards can be chosen would tell what lies unseen in '{unseen}'"
            hint = "say in 'from' where they lie: 'all c in pack where c in ZONE'"
            report.error("E505", param.where.span, message, hint)


def _check_row(action: ActionDef, model: Model, known: _Known, report: Report) -> None:
    """What the row of a card asks for tells which card it is, so it is none that something hidden speaks of."""
    asks = any(row.params for row in action.rows) or any(law.row >= 0 for law in action.laws)
    if action.row is not None and asks and (part := next(_untold(action.row, model, known), None)) is not None:
        message = f"what its row asks for would tell the cards of '{part.name}', which who chooses may not see"
        hint = "let a stage of its own ask for it, when the card lies open, or say who sees it by 'seen by'"
        report.error("E505", action.row.span, message, hint)


def _lies_in(where: Typed) -> Typed:
    """A condition, as far as it asks where cards lie."""
    asked = tuple(part for part in walk(where) if isinstance(part, t.Op) and part.op == "in")
    return t.Op("group", asked, where.type, where.span)


def _untold(node: Typed, model: Model, known: _Known) -> Iterator[Spoken]:
    """What an expression says of cards that who acts may not know."""
    for parts, given in written_out(node, model.instances, model.tables):
        for part in parts:
            if isinstance(part, t.VarRef | t.StageArgument) and holds_card(part.type):
                if not known.is_known(part) and not _is_own(part, model.variables, given):
                    yield part


def _is_own(part: Spoken, variables: Mapping[str, VarDef], given: OfActor) -> bool:
    """Whether a variable is seen by who acts, as the rules say. given: what names in a definition stand for."""
    match part:
        case t.VarRef(name, (owner, *_)):
            return is_actor(owner, given) and is_owner(variables[name].seen_by)
    return False


def _is_named(node: Typed, model: Model) -> bool:
    """Whether any of the cards of a set are meant for what they are, wherever they lie."""
    match node:
        case t.Const(value):
            return value is not None
        case t.Builtin("pack") | t.VarRef() | t.StageArgument():
            return True
        case t.Select(_, card, _, t.Builtin("pack"), where):
            return where is None or not _is_bound(where, card, model)
        case t.Select(domain=group) | t.Op("without", (group, _)):
            return _is_named(group, model)
        case t.If(_, then, otherwise):
            return _is_named(then, model) or _is_named(otherwise, model)
        case t.Let():
            return _is_named(node.body, model)
        case t.Op(op, args) if op in TAKE_ALL:
            return any(_is_named(arg, model) for arg in args)
        case t.Op(op, (group, *_)) if op in TAKE_OF_FIRST:
            return _is_named(group, model)
        case t.Op(op, (*_, group)) if op in TAKE_ONE or op in TAKE_SOME:
            return _is_named(group, model)
        case t.Instance(key):
            return _is_named(model.instances[key].body, model)
    return False


def _is_bound(where: Typed, card: str, model: Model) -> bool:
    """Whether a card of the pack for which a condition holds is meant for where it lies."""
    match where:
        case t.Op("or", parts):
            return all(_is_bound(part, card, model) for part in parts)
        case t.Op("and", parts):
            return any(_is_bound(part, card, model) for part in parts)
        case t.Op("in" | "=", (t.Local(name), among)) if name == card:
            return not _is_named(among, model)
        case t.Quant("any", _, _, _, within, body):
            return any(part is not None and _is_bound(part, card, model) for part in (within, body))
        case t.Instance(key):
            asked = with_definitions(model.instances[key].body, model)
            return any(isinstance(part, t.Op) and part.op in ("in", *WHEREVER) for part in asked)
    return any(isinstance(part, t.Op) and part.op in WHEREVER for part in walk(where))


class _Known:
    """Tells of variables and arguments whether everybody knows the cards of which they speak: all that they are given
    is named, or lies where all see it."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._given: dict[str, list[Given]] = {}
        """What is spoken of -> what it may be given, with what the names in that may stand for."""
        self._found: dict[str, bool] = {}
        self._told = {id(value) for block in blocks([model.stages, model.honor]) for value in _told(block, model.zones)}
        """Which values are of cards that everybody has just seen."""
        actions = [action for stage in model.stages.values() for action in (*stage.actions, *stage.anytime)]
        for action in actions:
            self._read(action)
        inside = {id(part) for action in actions for part in walk(action)}
        rest = [part for part in walk([model.stages, model.honor]) if id(part) not in inside]
        self._keep(rest, bound(rest, model.instances))
        for variable in model.variables.values():
            if variable.default is not None:
                self._given.setdefault(f"·{variable.name}", []).append((variable.default, {}))

    def _read(self, action: ActionDef) -> None:
        parts = list(walk(action))
        self._keep(parts, bound(parts, self._model.instances))

    def _keep(self, parts: list[object], names: Mapping[str, list[Typed]]) -> None:
        for part in parts:
            match part:
                case t.Assign(_, t.VarRef() | t.StageArgument() as target, value) if id(value) not in self._told:
                    self._given.setdefault(spoken(target), []).append((value, names))
                case t.SwapValues(t.VarRef() | t.StageArgument() as one, t.VarRef() | t.StageArgument() as two):
                    self._given.setdefault(spoken(one), []).append((two, names))
                    self._given.setdefault(spoken(two), []).append((one, names))
                case t.Call(stage, args):
                    for name, value in args:
                        if id(value) not in self._told:
                            self._given.setdefault(f"{stage}·{name}", []).append((value, names))

    def is_known(self, part: Spoken) -> bool:
        """Whether everybody knows the cards of which a variable or an argument speaks."""
        if self._all_see(part):
            return True
        key = spoken(part)
        if key not in self._found:
            self._found[key] = self._are_open(key)
        return self._found[key]

    def _all_see(self, part: Spoken) -> bool:
        return isinstance(part, t.VarRef) and is_everyone(self._model.variables[part.name].seen_by)

    def _are_open(self, key: str) -> bool:
        """Whether everybody knows what cards are meant by all that something is given, by what that may be given in its
        turn, and so on: each is looked at once."""
        zones = self._model.zones
        todo, seen = list(self._given.get(key, ())), {(key, 0)}

        def add(key: tuple[str, int], given: Iterable[Given]) -> None:
            if key not in seen:
                seen.add(key)
                todo.extend(given)

        while todo:
            node, names = todo.pop()
            parts = list(with_definitions(node, self._model))
            tops = {id(part.args[0]) for part in parts if isinstance(part, t.Op) and part.op == "top"}
            for part in parts:
                match part:
                    case t.ZoneRef(name) if name in zones and not is_seen(zones[name], False, id(part) in tops):
                        return False
                    case t.Op(op) if op in WHEREVER:
                        return False
                    case t.VarRef() | t.StageArgument() if holds_card(part.type) and not self._all_see(part):
                        add((spoken(part), 0), self._given.get(spoken(part), ()))
                    case t.Local(name) if holds_card(part.type):
                        add((name, id(names)), ((value, names) for value in names.get(name, ())))
        return True


def _told(block: tuple[Effect, ...], zones: Mapping[str, ZoneDef]) -> Iterator[Typed]:
    """The values of cards that everybody has seen by the effects before.

    What a name stands for stays so; what else is said may mean other cards as soon as something has changed.
    """
    seen: object = None
    names: set[str] = set()
    for effect in block:
        match effect:
            case t.Assign(_, _, value):
                given = [value]
            case t.Call(_, args):
                given = [value for _, value in args]
            case _:
                given = []
        yield from (
            value for value in given if said(value) == seen or (isinstance(value, t.Local) and value.name in names)
        )
        seen = None
        shown = _shown(effect, zones)
        if isinstance(shown, t.Local):
            names.add(shown.name)
        elif shown is not None and not any(isinstance(part, t.Op) and part.op in BY_CHANCE for part in walk(shown)):
            seen = said(shown)


def _shown(effect: Effect, zones: Mapping[str, ZoneDef]) -> Typed | None:
    """The cards that everybody sees by an effect, if what is said of them still means them after it."""
    match effect:
        case t.Face("turn up", what) | t.Show(t.Op("group", (what,)) | what, t.Builtin("everyone")):
            return what
        case t.Move(t.Local(_, kind) as what, False, _, t.ZoneRef(name), beneath, facing) if facing != "down":
            return what if is_seen(zones[name], False, kind.kind == "card" and not beneath) else None
    return None
