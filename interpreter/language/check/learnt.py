"""What a move asks of what is hidden, before others or from everybody: what comes of it tells who makes it of that."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from interpreter.language import typed as t
from interpreter.language.check.hiding import is_blind, is_public
from interpreter.language.check.kinds import holds_card
from interpreter.language.check.looking import ACTOR, OTHER, SELF, Looking, Meant, Names, stands_for
from interpreter.language.check.openness import is_everyone
from interpreter.language.model import ActionDef, Model, SayDef, StageDef
from interpreter.language.typed import Effect, Typed


def _said(says: Iterable[SayDef]) -> list[Typed | None]:
    """What decides the words that are said with a move."""
    return [node for say in says for node in (say.words, say.when, say.exact)]


class Asking:
    """Looks through the effects of moves, and once through the stages that they call."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._called: set[str] = set()
        """Stages that are looked through just now."""
        self._known: dict[str, bool] = {}
        """Stages that have been looked through, and whether one tells something."""
        refills = [zone.refill for zone in model.zones.values() if zone.refill is not None]
        self._supplies = [node for refill in refills for node in (refill.keep, refill.when)]
        kept = (n for n, zone in model.zones.items() if zone.dims[:1] == ("player",) and not is_public(zone))
        looking = partial(
            Looking,
            self._hides,
            model.instances,
            told={define.name for define in model.shown if is_everyone(define.seen_by)},
            tables=model.tables,
            held=next(kept, ""),
            blind=lambda param: is_blind(param, model.zones, model.instances),
        )
        self._looking = looking(counted=self._counted)
        self._seeing_backs = looking()
        """The same for one who sees how many cards everybody holds."""

    def of_others(self, action: ActionDef) -> bool:
        """Whether what comes of an action hangs on cards before others or on hidden numbers.

        That is what it does or a row of it, what is said with it, what its stage does behind it, if the stage goes on,
        and whether there are cards where it takes some.
        """
        names = self.chosen(action, {}, -1)
        laws = (effect for law in action.laws for effect in law.on_breach)
        told = (
            self.is_told((*action.effect, *laws), names)
            or self._asks(_said(action.says), names)
            or self._asks([when for when, _ in action.labels], names)
            or any(
                self.is_told(row.effect, inside) or self._asks(_said(row.says), inside)
                for at, row in enumerate(action.rows)
                for inside in [self.chosen(action, names, at)]
            )
            or self._is_told_behind(self._model.stages[action.stage])
            or self._asks(self._supplies, {SELF: Meant(OTHER)})
            or self._is_told_by_going_on(self._model.stages[action.stage])
        )
        self._settle(told)
        return told

    def of_stage(self, stage: StageDef) -> bool:
        """The same of what is done when a stage begins or ends, and of which stage comes next."""
        around = (other for other in self._model.stages.values() if stage.name in other.children)
        beside = [self._model.stages[child].when for parent in around for child in parent.children]
        told = self._is_told_around(stage) or self._asks(beside, {SELF: Meant(OTHER)})
        self._settle(told)
        return told

    def _settle(self, told: bool) -> None:
        """Keep what was found of the stages that are called."""
        if not told:  # else some that were begun may not have been gone through
            self._known |= dict.fromkeys(self._called, False)
        self._called.clear()

    def chosen(self, action: ActionDef, names: Names, row: int) -> Names:
        """The names with the parameters of an action, or of one of its rows. row: -1 for its own."""
        found = dict(names)
        for param in action.params if row < 0 else action.rows[row].params:
            found[param.name] = stands_for(param, found, self._looking)
        return found

    def is_told(self, effects: Iterable[Effect], names: Names) -> bool:
        """Whether something that is hidden from who moves decides what is done, and that can be seen."""
        for effect in effects:
            if isinstance(effect, t.LetEffect):
                names = {**names, effect.variable: self._named(effect.value, names)}
            elif self._is_told_by(effect, names):
                return True
        return False

    def _is_told_by(self, effect: Effect, names: Names) -> bool:
        match effect:
            case t.IfEffect(condition, then, otherwise):
                return self._asks([condition], names) or self.is_told((*then, *otherwise), names)
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
                return self._asks([*index, value, because], names) or bool(self._looking.meant(value, names).of)
        return self._asks(t.children(effect), names)

    def _is_told_behind(self, stage: StageDef) -> bool:
        """The same of what is done in a stage behind each of its moves, whoever has the next turn."""
        behind = (stage.on_card, stage.on_trick, stage.on_turn)
        return any(self.is_told(effects, {SELF: Meant(OTHER)}) for effects in behind)

    def _is_told_by_going_on(self, stage: StageDef) -> bool:
        """The same of whether a stage is over, which each move shows that it was not.

        How many cards somebody holds does not count: a hand that is empty is seen by everybody. Nor does a race, which
        shows at any moment that it goes on, whoever moves or not.
        """
        return stage.kind != "race" and bool(self._seeing_backs.looked_at(stage.until, {SELF: Meant(OTHER)}))

    def _is_told_around(self, stage: StageDef) -> bool:
        """The same of what is done where a stage begins or ends, whoever moved last."""
        anyone = {SELF: Meant(OTHER)}
        asked = (stage.when, stage.until, stage.players, stage.first, stage.leader, stage.count)
        done = (stage.setup, stage.effect, stage.resolve, stage.cleanup)
        return self._asks([*asked, *self._scored(stage)], anyone) or any(self.is_told(each, anyone) for each in done)

    def _is_told_in(self, name: str) -> bool:
        """The same of a stage that is called, in which everybody may act."""
        if name in self._known:
            return self._known[name]
        if name in self._called or name not in self._model.stages:
            return False
        self._called.add(name)
        stage = self._model.stages[name]
        told = (
            self._is_told_around(stage)
            or self._is_told_behind(stage)
            or any(self._is_told_in(child) for child in stage.children)
        )
        if told:
            self._known[name] = True
        return told

    def _scored(self, stage: StageDef) -> list[Typed | None]:
        return [node for row in stage.score_rows for node in (row.when, row.points)]

    def _asks(self, nodes: Iterable[Typed | None], names: Names) -> bool:
        return any(self._found(node, names) for node in nodes)

    def _found(self, node: Typed | None, names: Names) -> str:
        """What is hidden and decides a value: of cards, more than where they lie, for who sees them is told apart."""
        if node is None:
            return ""
        found = self._looking.looked_at(node, names)
        kinds = (node.type.kind, node.type.item and node.type.item.kind)
        return found or ("" if holds_card(node.type) or "place" in kinds else self._looking.meant(node, names).of)

    def _named(self, value: Typed, names: Names) -> Meant:
        """What a name for a value stands for: it is looked at where the name is used."""
        found = self._found(value, names)
        return Meant("", found, found) if found else self._looking.meant(value, names)

    def _hides(self, ref: t.ZoneRef | t.VarRef | t.TokenRef, whose: str, is_top: bool) -> bool:
        """Whether who moves may not see it: cards of another, of nobody or the own ones that lie blind, or a number."""
        if isinstance(ref, t.ZoneRef):
            zone = self._model.zones.get(ref.name)
            if zone is None or is_public(zone):
                return False
            if zone.dims[:1] != ("player",):  # what nobody has; the pack is dealt anew
                return not zone.pack
            return whose != ACTOR or _sees_nobody(zone.seen_by)
        if isinstance(ref, t.TokenRef):
            token = self._model.tokens.get(ref.name)
            return token is not None and whose == OTHER and not is_everyone(token.seen_by)
        variable = self._model.variables.get(ref.name)
        eyes = None if variable is None else variable.seen_by
        return not (eyes is None or is_everyone(eyes) or (_is_owner(eyes) and whose == ACTOR))

    def _counted(self, ref: t.ZoneRef, whose: str) -> bool:
        zone = self._model.zones.get(ref.name)
        if zone is None or is_everyone(zone.count_seen_by):
            return False
        return zone.dims[:1] != ("player",) or whose == OTHER

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


def _sees_nobody(eyes: Typed | None) -> bool:
    return isinstance(eyes, t.Op) and eyes.op == "group" and not eyes.args


def _is_owner(eyes: Typed | None) -> bool:
    return isinstance(eyes, t.Op) and eyes.op == "group" and [type(eye) for eye in eyes.args] == [t.Local]
