"""What is asked of hidden things, before others or from everybody: what comes of that tells of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TypeGuard

from interpreter.language import typed as t
from interpreter.language.check.hidden_values import (
    ANYONE,
    ANYTHING,
    EYES,
    NOTHING,
    Hidden,
    HiddenValues,
    Meant,
    Names,
    has_cards,
)
from interpreter.language.check.kinds import holds_card
from interpreter.language.check.leaving import Leaving, Values
from interpreter.language.check.openness import is_everyone, is_owner
from interpreter.language.check.written_out import with_definitions
from interpreter.language.keywords import COUNT_OF
from interpreter.language.model import ActionDef, Model, ParamDef, SayDef, ShownDefine, StageDef
from interpreter.language.operations import NEIGHBOURS, asking
from interpreter.language.tree import TreeNode, fields
from interpreter.language.typed import Effect, Typed, said, walk, walk_of

BEHIND = ("until", "turns", "on_turn", "on_card")
"""What of a stage is asked or done behind its moves."""
OF_TRICKS = ("suit", "rank", "trump", "trump_when", "on_trick", "next_leader", "count")
"""And what behind its tricks."""
ELSEWHERE = ("actions", "anytime", "prompt", "params", "places", "scores", "hands")
"""What of a stage is asked when somebody moves, or at any time."""
ONE = "·one"
"""No name of anything: a card of which something is asked whatever others there are."""
PLAINLY_SEATED = NEIGHBOURS & asking("seats") | {"group"}
"""Operations that go by how players sit, and by nothing that changes unseen; and what puts several such together."""
Kinds = tuple[type, ...]
"""Classes of effects."""
ALWAYS_WAITING: Kinds = (t.Call, t.ToPlayer)
"""Those whose consequence may be seen only later, wherever they stand."""


class Asking:
    """Looks through the effects of moves, and once through the stages that they call. model: of which they are.
    values: what is known of values in this game."""

    def __init__(self, model: Model, values: Values) -> None:
        self._model, self._values, self._leaving = model, HiddenValues(model), Leaving(model, values)
        self._stages: dict[str, Hidden] = {}
        """What is asked by stages that are called."""
        self._handed: dict[str, Hidden] = {}
        """What is asked by the arguments of stages, as far as it was looked for."""
        self._kept_counts: Hidden = frozenset(
            COUNT_OF + name for name, zone in model.zones.items() if not is_everyone(zone.count_seen_by)
        )
        """How many cards lie where not everybody sees that: how many have gone may hang on it."""
        stages = model.stages.values()
        self._calls_anywhere = any(_calls(_own(stage)) for stage in stages)
        self._is_counting = any(part.op == "number of" for part in walk_of(model, t.Op))
        """Whether it is asked how often stages have begun."""

    def at_any_time(self) -> Hidden:
        """On what hidden things it hangs what is seen at any time, or waits to be done."""
        model = self._model
        eyes: list[Typed | None] = [shown.seen_by for shown in model.shown]
        eyes += [token.seen_by for token in model.tokens.values()]
        for zone in model.zones.values():
            eyes += [zone.seen_by, zone.count_seen_by, zone.capacity]
        for variable in model.variables.values():
            eyes += [variable.seen_by, variable.minimum, variable.maximum, variable.default]
        for stage in model.stages.values():
            eyes += [stage.scores, stage.places]
        with self._values.during(None):
            found = self._values.all_of(eyes, ANYONE).union(*map(self._shown, model.shown))
        for stage in model.stages.values():  # which stages are called, with what, and who is skipped, may be seen later
            own = _own(stage)
            called = _calls(own)
            waits = self._waiting(called)
            with self._values.during(stage):
                found = found.union(*(self._told(part, ANYONE, waits) for part in own if _is_effects(part)))
            for action in (*stage.actions, *stage.anytime):
                waits = self._waiting(called or _calls(action) or (action.anytime and self._calls_anywhere))
                with self._values.during(None if action.anytime else stage):
                    found |= self._in_action(action, waits)
        return self._values.everywhere(found)

    @cached_property
    def handed_in_secret(self) -> frozenset[str]:
        """The stages that are called with something that not everybody knows, whoever calls them."""
        self._handed = {}
        for stage in self._model.stages.values():
            for part in _own(stage):
                if _is_effects(part):
                    self._told(part, ANYONE, ALWAYS_WAITING)
            for action in (*stage.actions, *stage.anytime):
                self._in_action(action, ALWAYS_WAITING, ANYONE)
        return frozenset(name for name, asked in self._handed.items() if asked)

    def shows_plainly(self) -> bool:
        """Whether all know to whom cards are shown as soon as some are, for it is always somebody that is named in the
        same way: by where they sit, seen from who acts."""
        shows = [part.to for part in walk_of([self._model.stages, self._model.instances], t.Show)]
        is_plain = all(_is_of_seats(part) for to in shows for part in walk(to))
        return is_plain and len({said(to) for to in shows}) < 2

    def _in_action(self, action: ActionDef, waits: Kinds = (), who: Names | None = None) -> Hidden:
        """What decides what an action and its rows do. who: ANYONE if it is to be open to all, so that what was chosen
        in secret counts, too."""
        laws = [effect for law in action.laws for effect in law.on_breach if not waits]
        with self._values.behind([]):
            names = _with_secrets(action.params, self._values.chosen(action.params, who or {}), who)
            rows = [(row, self._values.chosen(row.params, names)) for row in action.rows]
            texts = [(row.effect, _with_secrets(row.params, inside, who)) for row, inside in rows]
        with self._values.behind([*laws, *(row.effect for row in action.rows)]):  # whichever is done first
            found = self._told((*action.effect, *laws), names, waits)
            return found.union(*(self._told(effect, inside, waits) for effect, inside in texts))

    def _shown(self, shown: ShownDefine) -> Hidden:
        """What decides the value of a definition that players see."""
        instance, own = self._model.instances[shown.key], Meant(is_owner(shown.seen_by))
        return self._values.asked(instance.body, {**ANYONE, **{name: own for name, _ in instance.params}})

    def _waiting(self, is_calling: bool) -> Kinds:
        """Kinds of effects whose consequence may be seen only later. is_calling: whether a stage may be called in the
        same text or behind it, so that all that is left for the end of a move waits until that is over."""
        return (*ALWAYS_WAITING, t.Turn, t.Finish) if is_calling or self._is_counting else ALWAYS_WAITING

    def of_offers(
        self, actions: Iterable[ActionDef], stage: StageDef | None = None, hands: Typed | None = None
    ) -> Hidden:
        """On what hidden things it hangs which of some actions are offered, and why one is not. stage: in which that
        is; None for any. hands: how many the player may use at a time."""
        with self._values.behind([]), self._values.during(stage):
            offered = [self._values.offered(action, {}) for action in actions]
            return self._values.everywhere(NOTHING.union(self._values.asked(hands, {}), *offered))

    # ---- what moves and stages ask ----------------------------------------------------------------------

    def of_others(self, action: ActionDef, stage: StageDef) -> Hidden:
        """On what that is hidden from who makes it it hangs what comes of an action of a stage.

        That is what it does or a row of it, what is said with it, who learns what was chosen, and whether there are
        cards where it takes some.
        """
        with self._values.during(None if action.anytime else stage):
            return self._values.everywhere(self._of_others(action))

    def _of_others(self, action: ActionDef) -> Hidden:
        eyes = [param.seen_by for params in (action.params, *(row.params for row in action.rows)) for param in params]
        supplies = [zone.refill for zone in self._model.zones.values() if zone.refill is not None]
        asked = [*eyes, *_said(action.says), *(when for when, _ in action.labels), action.row if action.rows else None]
        asked.append(None if action.contest is None else action.contest.ties)
        found = self._in_action(action)
        found |= self._values.all_of([node for refill in supplies for node in (refill.keep, refill.when)], ANYONE)
        with self._values.behind([]):  # this is asked before anything is done
            names = self._values.chosen(action.params, {})
            found |= self._values.all_of(asked, names)
            for row in action.rows:
                found |= self._values.all_of(_said(row.says), self._values.chosen(row.params, names))
        return found

    def of_stage(self, stage: StageDef) -> Hidden:
        """On what hidden things it hangs what is done when a stage begins or ends, and which comes next."""
        around = [other for other in self._model.stages.values() if stage.name in other.children]
        beside = [self._model.stages[child].when for parent in around for child in parent.children]
        with self._values.during(stage):
            found = self._around(stage) | self._values.all_of([*beside, *(parent.until for parent in around)], ANYONE)
        return self._values.everywhere(found)

    def of_moves(self, stage: StageDef) -> Hidden:
        """On what hidden things it hangs what is done in a stage behind each of its moves, whoever has the next turn,
        and if it goes on.

        Whether somebody still holds cards does not count for that: a hand that is empty is seen by everybody. How many
        they are does, and how many lie elsewhere. Nor does a race count, which shows at any moment that it goes on,
        whoever moves or not.
        """
        with self._values.during(stage):
            until = NOTHING if stage.kind == "race" else self._values.asked(stage.until, ANYONE)
            behind = self._in_parts([getattr(stage, name) for name in BEHIND if name != "until"])
        parts = list(with_definitions(stage.until, self._model))
        empty = {id(part.args[0]) for part in parts if isinstance(part, t.Op) and part.op == "is empty"}
        counted = {part.name for part in parts if isinstance(part, t.ZoneRef) and id(part) not in empty}
        zones = self._model.zones.items()
        hands = {name for name, zone in zones if zone.dims[:1] == ("player",) and is_everyone(zone.count_seen_by)}
        return self._values.everywhere(until - {COUNT_OF + name for name in hands - counted} | behind)

    def of_players(self, stage: StageDef) -> Hidden:
        """On what hidden things it hangs who takes part in a stage."""
        return self._values.everywhere(self._values.asked(stage.players, ANYONE))

    def players_by_card_in(self, stage: StageDef) -> str | None:
        """The zone of which it is asked, for each player, whether any card there is such as it should be, or each is,
        if who takes part hangs on nothing else that is hidden, nor on how many cards lie there."""
        match stage.players:
            case t.Select("all", who, _, t.Builtin("players" | "everyone"), where, None) if where is not None:
                zones = self._zones_by_card(where, who)
                return zones[0] if len(zones) == 1 else None
        return None

    def _zones_by_card(self, node: Typed, who: str) -> list[str]:
        """The zones of a player of which something is asked card by card; one that is none if more is asked of."""
        match node:
            case t.Op("and" | "or" | "not", args):
                return [zone for arg in args for zone in self._zones_by_card(arg, who)]
            case t.Quant(_, card, _, t.ZoneRef(zone, (t.Local(name),)), where, body) if name == who:
                one = Meant(of=frozenset((ONE,)), where=ANYTHING, top=ANYTHING)
                asked = self._values.all_of((where, body), {**ANYONE, who: Meant(), card: one})
                if asked <= {ONE} and not any(self._names_zone(part, zone) for part in (where, body)):
                    return [zone] if self._model.zones[zone].dims == ("player",) else [zone, ONE]
        names_zones = any(self._names_zone(node, zone) for zone in self._values.anywhere)
        return [ONE, ONE] if names_zones or self._values.asked(node, {**ANYONE, who: Meant()}) else []

    def _names_zone(self, node: Typed | None, zone: str) -> bool:
        """Whether an expression speaks of what lies in a zone, if only of how many cards do."""
        parts = list(with_definitions(node, self._model))
        sources = {id(part.source) for part in parts if isinstance(part, t.Local)}
        return any(isinstance(part, t.ZoneRef) and part.name == zone and id(part) not in sources for part in parts)

    def of_tricks(self, stage: StageDef) -> Hidden:
        """On what hidden things it hangs who takes a trick, and what is done then."""
        if stage.kind != "trick":
            return NOTHING
        lying = self._values.anywhere & {stage.trick_zone}
        with self._values.during(stage):
            return self._values.everywhere(lying | self._in_parts([getattr(stage, name) for name in OF_TRICKS]))

    def _around(self, stage: StageDef) -> Hidden:
        apart = {*BEHIND, *OF_TRICKS, *ELSEWHERE} - {"until", "count"}
        return self._in_parts([getattr(stage, name) for name in fields(stage) if name not in apart])

    def _in_parts(self, part: object) -> Hidden:
        """What is hidden and decides something of a stage: an expression, effects, or what is made of such."""
        if isinstance(part, t.NODES):
            return self._values.asked(part, ANYONE)
        if _is_effects(part):
            return self._told(part, ANYONE)
        if isinstance(part, dict):
            part = [*part.values()]
        elif isinstance(part, TreeNode):
            part = [getattr(part, name) for name in fields(part)]
        return NOTHING.union(*map(self._in_parts, part)) if isinstance(part, list | tuple) else NOTHING

    def _is_told_in(self, name: str) -> Hidden:
        """The same of a stage that is called, in which everybody may act. One that may call itself asks of anything."""
        if name not in self._stages and name in self._model.stages:
            self._stages[name] = ANYTHING
            stage = self._model.stages[name]
            with self._values.behind(self._model.stages), self._values.during(stage):
                own = self._around(stage) | self.of_moves(stage) | self.of_tricks(stage)
            self._stages[name] = own.union(*map(self._is_told_in, stage.children))
        return self._stages.get(name, NOTHING)

    # ---- effects ----------------------------------------------------------------------------------------

    def _told(self, effects: Iterable[Effect], names: Names, waits: Kinds = ()) -> Hidden:
        """What decides what is done, and can be seen. waits: kinds of effects, besides those on arguments of stages, if
        only what is decided of such counts, for it may be seen later."""
        found = NOTHING
        for effect in effects:
            match effect:
                case t.LetEffect(variable, value, moves=moves):
                    counts = self._kept_counts if waits and moves else NOTHING
                    named = self._values.named(value, names)
                    found |= named.of if self._leaving.may_fail(value) and not waits else NOTHING
                    names = {**names, variable: named._replace(of=named.of | counts, where=named.where | counts)}
                case t.RunEffect(_, bound, body):
                    given = {name: self._values.named(value, names) for name, value in bound}
                    for name, value in bound if not waits else ():
                        found |= given[name].of if self._leaving.may_fail(value) else NOTHING
                    found |= self._told(body, {**names, **given}, waits)
                case t.IfEffect(condition, then, otherwise):
                    if not waits or _is_kept_waiting((then, otherwise), waits):
                        found |= self._values.asked(condition, names)
                    found |= self._told((*then, *otherwise), names, waits)
                case t.ForEffect(variable, _, domain, where, by, body):
                    self._values.mix(body)  # before it is done again
                    inside = {**names, variable: self._values.named(domain, names)._replace(is_actor=False)}
                    if not waits or _is_kept_waiting(body, waits):
                        found |= (
                            self._values.where(domain, names)
                            if has_cards(domain)
                            else self._values.asked(domain, names)
                        )
                        found |= self._values.all_of((where, by), inside)
                    found |= self._told(body, inside, waits)
                case t.Call(stage, args):
                    for _, value in args:
                        found |= self._given(stage, value, names)
                    found |= NOTHING if waits else self._is_told_in(stage)
                case t.Assign(_, t.StageArgument(stage), value):
                    found |= self._given(stage, value, names)
                case t.SwapValues(left, right) if waits and _is_of_argument(effect):
                    for stage in {side.stage for side in (left, right) if isinstance(side, t.StageArgument)}:
                        found |= self._given(stage, left, names) | self._given(stage, right, names)
                case t.ToPlayer(_, who) if waits:
                    found |= self._values.asked(who, names)
                case _ if not waits:
                    found |= self._done(effect, names)
            self._values.mix(effect)
        return found

    def _given(self, stage: str, value: Typed, names: Names) -> Hidden:
        """What is asked of by whatever a stage may do with an argument."""
        named = self._values.named(value, names)
        self._handed[stage] = self._handed.get(stage, NOTHING) | named.of | named.where
        return named.of | named.where

    def _done(self, effect: Effect, names: Names) -> Hidden:
        match effect:
            case t.Assign(_, target, value, _, because):
                index = target.index if isinstance(target, t.VarRef) else ()
                eyes = self._model.variables[target.name].seen_by if isinstance(target, t.VarRef) else None
                told = self._values.all_of([*index, because], names) | self._values.all_of(
                    self._leaving.asked(effect), names
                )
                if _is_nobody(eyes):
                    return told
                owned = index and is_owner(eyes)
                return told | self._values.asked(value, {**names, EYES: Meant(node=index[0])} if owned else names)
            case t.Move(what, source=source, target=target):
                counted = what is not None and not holds_card(what.type)
                moved = self._values.asked(what, names) if counted else self._values.where(what, names)
                return moved | self._values.where(source, names) | self._values.where(target, names)
            case t.Deal(family=family):
                limited = self._model.zones[family].capacity is not None
                found = frozenset((COUNT_OF + family,)) & self._kept_counts if limited else NOTHING
                return found | self._of_parts(effect, names) | self._values.taking_part
            case t.Face(_, what):
                return self._values.where(what, names)
            case t.Show(what, to):
                return self._values.where(what, names) | self._values.asked(to, names)
        return self._of_parts(effect, names)

    def _of_parts(self, effect: Effect, names: Names) -> Hidden:
        """What is asked by all that stands in an effect: of zones how many cards lie there."""
        parts = t.children(effect)
        zones = [part for part in parts if isinstance(part, t.ZoneRef)]
        found = self._values.all_of([part for part in parts if not isinstance(part, t.ZoneRef)], names)
        return found.union(*(self._values.where(zone, names) for zone in zones))


def _is_of_seats(part: object) -> bool:
    match part:
        case t.Builtin(name) | t.Op(name):
            return name in ("actor", "everyone", *PLAINLY_SEATED)
    return not isinstance(part, t.NODES) or isinstance(part, t.Const)


def _with_secrets(params: Iterable[ParamDef], names: Names, who: Names | None) -> Names:
    """Names with those of parameters that not all learn of, which may stand for anything to them. who: None if only
    what who acts does not know is of interest."""
    secret = Meant(of=ANYTHING, where=ANYTHING, top=ANYTHING)
    return {**names, **{param.name: secret for param in params if who and not _is_told(param)}}


def _is_told(param: ParamDef) -> bool:
    """Whether everybody learns what was chosen, as far as they see cards."""
    return param.seen_by is None or is_everyone(param.seen_by)


def _said(says: Iterable[SayDef]) -> list[Typed | None]:
    """What decides the words that are said with a move."""
    return [node for say in says for node in (say.words, say.when, say.exact)]


def _is_effects(part: object) -> TypeGuard[tuple[Effect, ...]]:
    return isinstance(part, tuple) and bool(part) and type(part[0]) in t.EFFECTS


def _own(stage: StageDef) -> list[object]:
    """What is asked and done in a stage by nobody's move."""
    return [getattr(stage, name) for name in fields(stage) if name not in ELSEWHERE]


def _calls(part: object) -> bool:
    return bool(walk_of(part, t.Call))


def _is_kept_waiting(effects: object, waits: Kinds) -> bool:
    """Whether among effects there is one of these kinds, or one that gives something to an argument of a stage."""
    found = walk_of(effects, *waits, t.Assign, t.SwapValues)
    return any(isinstance(part, waits) or _is_of_argument(part) for part in found)


def _is_of_argument(effect: object) -> bool:
    match effect:
        case t.Assign(_, t.StageArgument()) | t.SwapValues(t.StageArgument()) | t.SwapValues(_, t.StageArgument()):
            return True
    return False


def _is_nobody(eyes: Typed | None) -> bool:
    return isinstance(eyes, t.Op) and eyes.op == "group" and not eyes.args
