"""What not everybody can know: cards that came unseen, the pack once some of it is dealt, variables made of such."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from interpreter.base.diagnostics import Report
from interpreter.language import typed as t
from interpreter.language.check.handing_on import check_handing_on
from interpreter.language.check.hiding import Secrecy, check_hidden, is_public, lying_in
from interpreter.language.check.looking import NOTHING, Looking, Meant, Names
from interpreter.language.check.names import Names as Declared
from interpreter.language.check.openness import is_everyone, open_choices
from interpreter.language.check.unshuffled import check_unshuffled
from interpreter.language.model import (
    MELDS,
    ActionDef,
    DefineInstance,
    ParamDef,
    ShownDefine,
    StageDef,
    TableDef,
    VarDef,
    ZoneDef,
)
from interpreter.language.operations import BY_CHANCE
from interpreter.language.typed import Effect, Typed, walk, walk_of


def check_secrets(
    stages: Mapping[str, StageDef],
    declared: Declared,
    tables: Mapping[str, TableDef],
    instances: Mapping[str, DefineInstance],
    shown: Collection[ShownDefine],
    effects: object,
    report: Report,
) -> frozenset[str]:
    """Find what is secret, and warn where it is told, by what is offered or by the order in which cards lie. Returns
    the secret variables.

    effects: whatever holds all effects.
    """
    secrets = _secrecy(stages, declared, tables, instances, shown, effects)
    check_hidden(stages, declared, tables, instances, shown, secrets, report)
    check_handing_on(stages, declared.variables, secrets.variables, report)
    check_unshuffled(effects, declared.zones, report)
    return secrets.variables


def _secrecy(
    stages: Mapping[str, StageDef],
    declared: Declared,
    tables: Mapping[str, TableDef],
    instances: Mapping[str, DefineInstance],
    shown: Iterable[ShownDefine],
    effects: object,
) -> Secrecy:
    zones = _never_known(effects, declared.zones)
    told = {define.name for define in shown if is_everyone(define.seen_by)}

    def hides(ref: t.ZoneRef | t.VarRef | t.TokenRef, whose: str, is_top: bool) -> bool:
        if isinstance(ref, t.TokenRef):
            return ref.name in declared.tokens and not is_everyone(declared.tokens[ref.name].seen_by)
        if isinstance(ref, t.VarRef):
            return ref.name in declared.variables and _is_hidden(declared.variables[ref.name])
        return ref.name in zones and not is_public(declared.zones[ref.name])

    made = _Made(Looking(hides, instances, told, tables), declared.variables)
    for stage in stages.values():
        made.of_stage(stage)
    return Secrecy(zones, frozenset(made.found), _dealt(stages, declared.zones))


def _is_hidden(variable: VarDef) -> bool:
    return variable.seen_by is not None and not is_everyone(variable.seen_by)


class _Made:
    """Collects the hidden variables that are made of what is hidden.

    found: their names.
    """

    def __init__(self, looking: Looking, variables: Mapping[str, VarDef]) -> None:
        self._looking = looking
        self._hidden = {name: variable for name, variable in variables.items() if _is_hidden(variable)}
        self.found: set[str] = set()

    def of_stage(self, stage: StageDef) -> None:
        for action in (*stage.actions, *stage.anytime):
            self._of_action(action, stage.name if stage.kind == "simultaneous" else "")
        apart = (stage.setup, stage.cleanup, stage.effect, stage.on_turn, stage.on_card, stage.on_trick, stage.resolve)
        for effects in apart:
            self._of_effects(effects, {}, False)
        scored = (node for row in stage.score_rows for node in (row.when, row.points))
        if stage.score_variable in self._hidden and any(self._is_secret(node, {}) for node in scored):
            self.found.add(stage.score_variable)

    def _of_action(self, action: ActionDef, beat: str) -> None:
        """beat: the stage in which it is chosen unseen; "" if everybody learns of it."""
        names = self._chosen(action.params, beat)
        self._of_effects(action.effect, names, False, beat)
        for row in action.rows:
            self._of_effects(row.effect, {**names, **self._chosen(row.params, beat)}, False, beat)
        for law in action.laws:
            self._of_effects(law.on_breach, names, False, beat)

    def _chosen(self, params: Iterable[ParamDef], beat: str) -> Names:
        """What is chosen and not told to everybody. Of a card that is chosen it is told, unless it comes unseen."""
        params = tuple(params)
        seen = open_choices(params)
        return {
            param.name: Meant(of=param.name) if beat or (param.form not in ("cards", *MELDS)) else self._card(param)
            for param in params if param.name not in seen or beat
        }  # fmt: skip

    def _card(self, param: ParamDef) -> Meant:
        return NOTHING if param.domain is None else self._looking.meant(param.domain, {})

    def _is_secret(self, node: Typed | None, names: Names, target: str = "") -> bool:
        """target: a variable that may be part of its own new value."""
        if node is None:
            return False
        if isinstance(node, t.VarRef) and node.name == target:
            return False
        drawn = any(isinstance(part, t.Op) and part.op in BY_CHANCE for part in walk(node))
        return drawn or bool(self._looking.looked_at(node, names) or self._looking.meant(node, names).of)

    def _of_effects(self, effects: Iterable[Effect], names: Names, decided: bool, beat: str = "") -> None:
        """names: what stands for hidden things. decided: whether something hidden decides that these are done."""
        for effect in effects:
            match effect:
                case t.LetEffect(variable, value):
                    names = {**names, variable: Meant(of=variable) if self._is_secret(value, names) else NOTHING}
                case t.IfEffect(condition, then, otherwise):
                    inner = decided or self._is_secret(condition, names)
                    self._of_effects(then, names, inner, beat)
                    self._of_effects(otherwise, names, inner, beat)
                case t.ForEffect(variable, _, domain, where, _, body):
                    within = {**names, variable: self._looking.meant(domain, names)}
                    inner = decided or bool(self._looking.looked_at(domain, names)) or self._is_secret(where, within)
                    self._of_effects(body, within, inner, beat)
                case t.RunEffect(_, bound, body):
                    own = {name: Meant(of=name) for name, value in bound if self._is_secret(value, names)}
                    self._of_effects(body, {**names, **own}, decided, beat)
                case t.Assign(_, t.VarRef(name, index), value) if name in self._hidden:
                    # what lasts no longer than the choice itself is seen by its being made
                    unseen = bool(beat) and self._hidden[name].lasts != beat
                    of_hidden = any(self._is_secret(owner, names) for owner in index)
                    if decided or unseen or of_hidden or self._is_secret(value, names, name):
                        self.found.add(name)
                case t.SwapValues(t.VarRef(one), t.VarRef(two)):
                    self.found |= {one, two} & self._hidden.keys()


def _dealt(stages: Mapping[str, StageDef], zones: Mapping[str, ZoneDef]) -> frozenset[str]:
    """The stages in which cards of the pack may have gone where not everybody sees them."""
    if any(z.refill and _is_pack(z.refill.source, zones) and not is_public(z) for z in zones.values()):
        return frozenset(stages)
    moved = {name: walk_of(stage, t.Deal, t.Move) for name, stage in stages.items()}
    taking = [name for name, effects in moved.items() if any(_takes(effect, zones) for effect in effects)]
    around: dict[str, list[str]] = {name: [] for name in stages}
    for name, stage in stages.items():
        for child in stage.children:
            around.setdefault(child, []).append(name)
    todo, away = list(taking), set[str]()
    while todo:
        name = todo.pop()
        if name not in away and not _gathers(stages[name], zones):
            away.add(name)
            todo += around[name]
    called = {call.stage for call in walk_of(stages, t.Call)}
    todo = [*taking, *(name for left in away for name in around[left])]
    todo += called & stages.keys() if todo else ()  # it may be called then
    found: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += stages[name].children
    return frozenset(found)


def _takes(effect: object, zones: Mapping[str, ZoneDef]) -> bool:
    """Whether cards of the pack go where not everybody sees them."""
    match effect:
        case t.Deal(_, source, family):
            return _is_pack(source.name, zones) and family in zones and not is_public(zones[family])
        case t.Move(_, _, source, target) if target.name in zones and not is_public(zones[target.name]):
            return source is None or _is_pack(source.name, zones)
    return False


def _is_pack(name: str, zones: Mapping[str, ZoneDef]) -> bool:
    return name in zones and zones[name].pack


def _gathers(stage: StageDef, zones: Mapping[str, ZoneDef]) -> bool:
    """Whether cards come back to the pack when a stage ends."""
    return any(isinstance(part, t.Gather) and _is_pack(part.target.name, zones) for part in walk(stage.cleanup))


def _never_known(effects: object, zones: Mapping[str, ZoneDef]) -> frozenset[str]:
    """The zones where cards lie that have come there unseen, and in which no effect turns them up or shows them."""

    def is_open(source: str) -> bool:
        return source not in zones or (is_public(zones[source]) and not zones[source].turned_down)

    unseen = {n for n, zone in zones.items() if zone.pack or (zone.refill and not is_open(zone.refill.source))}
    seen: set[str] = set()
    known: set[str] = set()
    for effect in walk_of(effects, t.Deal, t.Move, t.Face, t.Show):
        match effect:
            case t.Deal(_, source, family):
                (seen if is_open(source.name) else unseen).add(family)
            case t.Move(_, _, _, target, _, "up"):
                known.add(target.name)
            case t.Move(what, _, source, target):
                left = what.source if source is None and isinstance(what, t.Local) else source
                (seen if left is None or is_open(left.name) else unseen).add(target.name)
            case t.Face(verb, what) if verb != "turn down":
                known |= lying_in(what) or zones.keys()
            case t.Show(what):
                known |= lying_in(what)
    return frozenset(
        n for n, zone in zones.items() if (n in unseen or n not in seen) and n not in known and not zone.shows_top
    )
