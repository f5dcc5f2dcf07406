"""What is asked of hidden things, before others or from everybody: what comes of that tells of them.

Whatever is not surely seen counts as hidden: the pack, too, and what may be seen now and then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from interpreter.language import typed as t
from interpreter.language.check.hiding import is_blind, is_public, is_seen
from interpreter.language.check.kinds import holds_card
from interpreter.language.check.looking import (
    ACTOR,
    OTHER,
    SELF,
    Looking,
    Meant,
    Names,
    decides,
    stands_for,
)
from interpreter.language.check.openness import asks_of_trick, is_everyone, is_open_variable
from interpreter.language.keywords import COUNT_OF
from interpreter.language.model import ActionDef, Model, SayDef, ShownDefine, StageDef
from interpreter.language.tree import TreeNode, fields
from interpreter.language.typed import Effect, Typed, walk

ANYONE: Names = {SELF: Meant(OTHER)}
"""Where nobody in particular acts, or whoever moved last."""
BEHIND = ("until", "turns", "on_turn", "on_card")
"""What of a stage is asked or done behind its moves."""
OF_TRICKS = ("suit", "rank", "trump", "trump_when", "on_trick", "next_leader")
"""And what behind its tricks."""
ELSEWHERE = ("actions", "anytime", "prompt", "params", "places", "scores", "hands")
"""What of a stage is asked when somebody moves, or at any time."""


class Asking:
    """Looks through the effects of moves, and once through the stages that they call.

    apart: what counts as seen by everybody, by the names that are given for it: those of zones, variables and pieces,
    or `COUNT_OF` and the name of a zone of which it is only asked how many cards lie there.
    """

    def __init__(self, model: Model, apart: frozenset[str] = frozenset()) -> None:
        self._model, self._apart = model, apart
        self._called: set[str] = set()
        """Stages that are looked through just now."""
        self._known: dict[str, str] = {}
        """Stages that have been looked through, and what one asks of; "" if nothing hidden."""
        self._others: dict[frozenset[str], Asking] = {apart: self}
        """The same where other zones count as seen."""
        self._never_set = _never_set(model)
        """Variables that stay as they are."""
        kept = (n for n, zone in model.zones.items() if zone.dims and not is_public(zone) and n not in apart)
        actions: dict[str, list[ActionDef]] = {}
        for stage in model.stages.values():
            for action in (*stage.actions, *stage.anytime):
                for where in (stage.name, t.ANYWHERE):
                    actions.setdefault(f"{where}.{action.name}", []).append(action)
        looking = partial(
            _Looking,
            model,
            self._hides,
            model.instances,
            tables=model.tables,
            held=next(kept, ""),
            actions=actions,
            blind=lambda param: is_blind(param, model.zones, model.instances),
        )
        self._looking = looking(counted=self._counted)
        self._seeing_backs = looking()
        """The same for one who sees how many cards everybody holds."""

    # ---- what is told at any time -----------------------------------------------------------------------

    def at_any_time(self) -> frozenset[str]:
        """On what hidden things it hangs what is seen at any time, or waits to be done."""
        return self._all(Asking._at_any_time)

    def _at_any_time(self) -> str:
        model = self._model
        eyes: list[Typed | None] = [shown.seen_by for shown in model.shown]
        eyes += [token.seen_by for token in model.tokens.values()]
        for zone in model.zones.values():
            eyes += [zone.seen_by, zone.count_seen_by, zone.capacity]
        for variable in model.variables.values():
            eyes += [variable.seen_by, variable.minimum, variable.maximum, variable.default]
        for stage in model.stages.values():
            eyes += [stage.scores, stage.places]
        found = (self._asks(eyes, {"owner": Meant(OTHER), **ANYONE}), *map(self._shown, model.shown), *self._waiting())
        return next(filter(None, found), "")

    def of_offers(self, stage: StageDef) -> frozenset[str]:
        """On what hidden things it hangs what is offered in a stage."""
        return self._all(partial(Asking._offers, stage=stage))

    def _offers(self, stage: StageDef) -> str:
        for action in (*stage.actions, *stage.anytime):
            for node, names in decides(action, {}, self._looking):
                if found := self._found(node, names):
                    return found
        return ""

    def _all(self, asked: Callable[[Asking], str]) -> frozenset[str]:
        """The names of all that is hidden of which something asks. asked: finds the first."""
        found: set[str] = set()
        while (name := asked(self._with_seen(frozenset(found)))) and name not in found:
            found.add(name)
        return frozenset([*found, name]) if name else frozenset(found)

    def _with_seen(self, apart: frozenset[str]) -> Asking:
        if apart not in self._others:
            self._others[apart] = Asking(self._model, apart)
        return self._others[apart]

    def _shown(self, shown: ShownDefine) -> str:
        """What decides the value of a definition that players see."""
        instance = self._model.instances[shown.key]
        whose = ACTOR if _is_owner(shown.seen_by) else OTHER
        return self._found(instance.body, {**ANYONE, **{name: Meant(whose) for name, _ in instance.params}})

    def _waiting(self) -> Iterator[str]:
        """What decides which stages are called, with what, and who is skipped: it may wait, and be seen only later."""
        for stage in self._model.stages.values():
            for effects in _blocks(stage):
                yield self._waits(effects, ANYONE)
            for action in (*stage.actions, *stage.anytime):
                names = self.chosen(action, {}, -1)
                yield self._waits(action.effect, names)
                for at, row in enumerate(action.rows):
                    yield self._waits(row.effect, self.chosen(action, names, at))

    def _waits(self, effects: Iterable[Effect], names: Names) -> str:
        for effect in effects:
            found = ""
            match effect:
                case t.LetEffect(variable, value):
                    names = {**names, variable: self._named(value, names)}
                case t.RunEffect(_, bound, body):
                    found = self._waits(body, {**names, **{name: self._named(value, names) for name, value in bound}})
                case t.Call(_, args):
                    found = self._asks([value for _, value in args], names)
                case t.Assign(_, t.StageArgument(), value):
                    found = self._asks([value], names)
                case t.IfEffect(condition, then, otherwise):
                    if _is_kept_waiting((then, otherwise)):
                        found = self._asks([condition], names)
                    found = found or self._waits(then, names) or self._waits(otherwise, names)
                case t.ForEffect(variable, _, domain, where, by, body):
                    inside = {**names, variable: self._looking.meant(domain, names)}
                    if _is_kept_waiting(body):
                        found = self._asks([domain], names) or self._asks([where, by], inside)
                    found = found or self._waits(body, inside)
            if found:
                return found
        return ""

    # ---- what moves and stages ask ----------------------------------------------------------------------

    def of_others(self, action: ActionDef) -> frozenset[str]:
        """On what that is hidden from who makes it it hangs what comes of an action.

        That is what it does or a row of it, what is said with it, and whether there are cards where it takes some.
        """
        return self._all(partial(Asking._by, action=action))

    def _by(self, action: ActionDef) -> str:
        names = self.chosen(action, {}, -1)
        laws = (effect for law in action.laws for effect in law.on_breach)
        supplies = [zone.refill for zone in self._model.zones.values() if zone.refill is not None]
        told = (
            self.is_told((*action.effect, *laws), names)
            or self._asks([*_said(action.says), *(when for when, _ in action.labels)], names)
            or self._asks([] if action.contest is None else [action.contest.ties], names)
            or (self._row(action, names) if action.rows else "")
            or next(filter(None, (self._in_row(action, at, names) for at in range(len(action.rows)))), "")
            or self._asks([node for refill in supplies for node in (refill.keep, refill.when)], ANYONE)
        )
        self._settle(told)
        return told

    def of_stage(self, stage: StageDef) -> frozenset[str]:
        """On what hidden things it hangs what is done when a stage begins or ends, and which comes next: zones,
        and what is no zone, by their names."""
        return self._all(partial(Asking._around, stage=stage))

    def _around(self, stage: StageDef) -> str:
        """What is hidden and decides what is done when a stage begins or ends, and which comes next."""
        around = [other for other in self._model.stages.values() if stage.name in other.children]
        beside = [self._model.stages[child].when for parent in around for child in parent.children]
        told = self._is_told_around(stage) or self._asks([*beside, *(parent.until for parent in around)], ANYONE)
        self._settle(told)
        return told

    def _settle(self, told: str) -> None:
        """Keep what was found of the stages that are called."""
        if not told:  # else some that were begun may not have been gone through
            self._known |= dict.fromkeys(self._called, "")
        self._called.clear()

    def _row(self, action: ActionDef, names: Names) -> str:
        """What decides which row is carried out: the card that is chosen, if who chooses does not see it."""
        return "" if action.row is None else self._found(action.row, names) or self._looking.meant(action.row, names).of

    def _in_row(self, action: ActionDef, at: int, names: Names) -> str:
        row, inside = action.rows[at], self.chosen(action, names, at)
        return self.is_told(row.effect, inside) or self._asks(_said(row.says), inside)

    def chosen(self, action: ActionDef, names: Names, row: int) -> Names:
        """The names with the parameters of an action, or of one of its rows. row: -1 for its own."""
        found = dict(names)
        for param in action.params if row < 0 else action.rows[row].params:
            found[param.name] = stands_for(param, found, self._looking)
        return found

    def is_told(self, effects: Iterable[Effect], names: Names) -> str:
        """What is hidden from who moves and decides what is done, and can be seen."""
        for effect in effects:
            if isinstance(effect, t.LetEffect):
                names = {**names, effect.variable: self._named(effect.value, names)}
            elif found := self._is_told_by(effect, names):
                return found
        return ""

    def _is_told_by(self, effect: Effect, names: Names) -> str:
        match effect:
            case t.IfEffect(condition, then, otherwise):
                return self._asks([condition], names) or self.is_told(then, names) or self.is_told(otherwise, names)
            case t.ForEffect(variable, _, domain, where, by, body):
                inside = {**names, variable: self._looking.meant(domain, names)}
                return self._asks([domain], names) or self._asks([where, by], inside) or self.is_told(body, inside)
            case t.RunEffect(_, bound, body):
                return self.is_told(body, {**names, **{name: self._named(value, names) for name, value in bound}})
            case t.Call(stage, args):
                return self._asks([value for _, value in args], names) or self._is_told_in(stage)
            case t.Assign(_, t.VarRef(_, index) as target, _, _, because) if self._keeps(target, names):
                return self._asks([*index, because], names)
            case t.Assign(_, target, value, _, because):  # no card goes anywhere for it, so that no event tells of it
                index = target.index if isinstance(target, t.VarRef) else ()
                return self._asks([*index, value, because], names) or self._looking.meant(value, names).of
        return self._asks(t.children(effect), names) or self._how_many(effect, names)

    def _how_many(self, effect: Effect, names: Names) -> str:
        """The zone that keeps its count, of which it is seen how many cards leave it."""
        zones = [part for part in t.children(effect) if isinstance(part, t.ZoneRef)]
        whose = ((zone, self._looking.meant(zone.index[0], names).who if zone.index else OTHER) for zone in zones)
        return next((COUNT_OF + zone.name for zone, who in whose if self._counted(zone, who)), "")

    def _behind(self, stage: StageDef) -> str:
        """What decides what is done in a stage behind each of its moves, whoever has the next turn, and if it goes on.

        How many cards somebody holds does not count for that: a hand that is empty is seen by everybody. Nor does a
        race, which shows at any moment that it goes on, whoever moves or not.
        """
        until = "" if stage.kind == "race" else self._seeing_backs.looked_at(stage.until, ANYONE)
        return until or self._in_parts([getattr(stage, name) for name in BEHIND if name != "until"])

    def _is_told_around(self, stage: StageDef) -> str:
        """The same where a stage begins or ends."""
        apart = {*BEHIND, *OF_TRICKS, *ELSEWHERE} - {"until"}
        return self._in_parts([getattr(stage, name) for name in fields(stage) if name not in apart])

    def of_moves(self, stage: StageDef) -> frozenset[str]:
        """On what hidden things it hangs what is done in a stage behind each of its moves, and if it goes on."""
        return self._all(partial(Asking._moved, stage=stage))

    def _moved(self, stage: StageDef) -> str:
        told = self._behind(stage)
        self._settle(told)
        return told

    def of_players(self, stage: StageDef) -> frozenset[str]:
        """On what hidden things it hangs who takes part in a stage."""
        return self._all(lambda asking: asking._asks([stage.players], ANYONE))

    def of_tricks(self, stage: StageDef) -> frozenset[str]:
        """On what hidden things it hangs who takes a trick, and what is done then."""
        return self._all(partial(Asking._taken, stage=stage)) if stage.kind == "trick" else frozenset()

    def _taken(self, stage: StageDef) -> str:
        lying = self._model.zones.get(stage.trick_zone) if stage.kind == "trick" else None
        hidden = "" if lying is None or is_public(lying) or lying.name in self._apart else lying.name
        told = hidden or self._in_parts([getattr(stage, name) for name in OF_TRICKS])
        self._settle(told)
        return told

    def _in_parts(self, part: object) -> str:
        """What is hidden and decides something of a stage: an expression, effects, or what is made of such."""
        if isinstance(part, t.NODES):
            return self._found(part, ANYONE)
        if isinstance(part, tuple) and part and type(part[0]) in t.EFFECTS:
            return self.is_told(part, ANYONE)
        if isinstance(part, dict):
            part = [*part.values()]
        elif isinstance(part, TreeNode):
            part = [getattr(part, name) for name in fields(part)]
        return next(filter(None, map(self._in_parts, part)), "") if isinstance(part, list | tuple) else ""

    def _is_told_in(self, name: str) -> str:
        """The same of a stage that is called, in which everybody may act."""
        if name in self._known:
            return self._known[name]
        if name in self._called or name not in self._model.stages:
            return ""
        self._called.add(name)
        stage = self._model.stages[name]
        told = (
            self._is_told_around(stage)
            or self._behind(stage)
            or self._taken(stage)
            or next(filter(None, map(self._is_told_in, stage.children)), "")
        )
        if told:
            self._known[name] = told
        return told

    # ---- expressions ------------------------------------------------------------------------------------

    def _asks(self, nodes: Iterable[Typed | None], names: Names) -> str:
        return next(filter(None, (self._found(node, names) for node in nodes)), "")

    def _found(self, node: Typed | None, names: Names) -> str:
        """What is hidden and decides a value: of cards, more than where they lie, for who sees them is told apart."""
        if node is None:
            return ""
        kinds = (node.type.kind, node.type.item and node.type.item.kind)
        where = holds_card(node.type) or "place" in kinds
        return self._looking.looked_at(node, names) or ("" if where else self._looking.meant(node, names).of)

    def _named(self, value: Typed, names: Names) -> Meant:
        """What a name for a value stands for: it is looked at where the name is used."""
        found = self._found(value, names)
        return Meant("", found, found) if found else self._looking.meant(value, names)

    def _hides(self, ref: t.ZoneRef | t.VarRef | t.TokenRef, whose: str, is_top: bool) -> bool:
        """Whether it is not sure that who moves sees it."""
        own = whose == ACTOR
        if ref.name in self._apart:
            return False
        if isinstance(ref, t.ZoneRef):
            zone = self._model.zones.get(ref.name)
            return zone is not None and not is_seen(zone, own, is_top)
        if isinstance(ref, t.TokenRef):
            token = self._model.tokens.get(ref.name)
            return token is not None and not (is_everyone(token.seen_by) or (own and _is_owner(token.seen_by)))
        variable = self._model.variables.get(ref.name)
        if variable is None or ref.name in self._never_set:
            return False
        return not (is_open_variable(variable) or (own and _is_owner(variable.seen_by)))

    def _counted(self, ref: t.ZoneRef, whose: str) -> bool:
        zone = self._model.zones.get(ref.name)
        if zone is None or is_everyone(zone.count_seen_by) or COUNT_OF + ref.name in self._apart:
            return False
        return zone.dims[:1] != ("player",) or whose != ACTOR or not _is_owner(zone.count_seen_by)

    def _keeps(self, target: t.VarRef, names: Names) -> bool:
        """Whether who moves is sure not to see what a variable holds.

        Of a player in a loop it is not known whether it is the one who moves.
        """
        variable = self._model.variables.get(target.name)
        match None if variable is None else variable.seen_by:
            case t.Op("group", ()):
                return True
            case eyes if _is_owner(eyes) and target.index and not isinstance(target.index[0], t.Local):
                return self._looking.meant(target.index[0], names).who == OTHER and SELF not in names
        return False


class _Looking(Looking):
    """Sees what lies hidden behind words for tricks, too, and tells apart where it is only asked how many cards lie
    somewhere.

    model: of which the expressions are.
    """

    def __init__(self, model: Model, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._tricks = [stage for stage in model.stages.values() if stage.kind == "trick"]

    def looked_at(self, node: Typed | None, names: Names) -> str:
        match node:
            case t.Builtin() if asks_of_trick(node):
                zones = (t.ZoneRef(stage.trick_zone, (), t.CARDS, node.span) for stage in self._tricks)
                return next((zone.name for zone in zones if self.hides(zone, OTHER, False)), "")
            case t.Op("void", (_, who)) if self.meant(who, names).who != ACTOR:
                hands = (t.ZoneRef(stage.source_zone, (who,), t.CARDS, node.span) for stage in self._tricks)
                found = next((hand.name for hand in hands if self.hides(hand, OTHER, False)), "")
                return found or super().looked_at(node, names)
        return super().looked_at(node, names)

    def _how_many(self, node: Typed, names: Names) -> str:
        found = super()._how_many(node, names)
        return found if not found or found.startswith(COUNT_OF) else COUNT_OF + found


def _never_set(model: Model) -> set[str]:
    """The variables that are set only by actions that these options leave out."""
    done: list[object] = []
    left_out: list[object] = []
    for stage in model.stages.values():
        done += [getattr(stage, name) for name in fields(stage) if name not in ("actions", "anytime")]
        for action in (*stage.actions, *stage.anytime):
            never = any(isinstance(when, t.Const) and when.value is False for _, when in action.when)
            (left_out if never else done).append(action)
    return _set_by(left_out) - _set_by(done) - {stage.score_variable for stage in model.stages.values()}


def _set_by(effects: object) -> set[str]:
    """The variables that anything sets."""
    found: set[str] = set()
    for part in walk(effects):
        match part:
            case t.Assign(_, t.VarRef(name)):
                found.add(name)
            case t.SwapValues(one, two):
                found |= {side.name for side in (one, two)}
    return found


def _said(says: Iterable[SayDef]) -> list[Typed | None]:
    """What decides the words that are said with a move."""
    return [node for say in says for node in (say.words, say.when, say.exact)]


def _blocks(stage: StageDef) -> Iterator[tuple[Effect, ...]]:
    """The effects of a stage itself."""
    for name in fields(stage):
        value = getattr(stage, name)
        if isinstance(value, tuple) and value and type(value[0]) in t.EFFECTS:
            yield value


def _is_kept_waiting(effects: object) -> bool:
    """Whether among effects there is one whose consequence may be seen only later."""
    return any(
        isinstance(part, t.Call) or (isinstance(part, t.ToPlayer) and part.verb == "skip") for part in walk(effects)
    )


def _is_owner(eyes: Typed | None) -> bool:
    return isinstance(eyes, t.Op) and eyes.op == "group" and [type(eye) for eye in eyes.args] == [t.Local]
