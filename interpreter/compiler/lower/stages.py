"""A whole game as functions of the core, in the order of its stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Literal

from interpreter.compiler import core as c
from interpreter.compiler.algebra import joined
from interpreter.compiler.bounds import Bounds
from interpreter.compiler.bounds.expression_steps import around_of
from interpreter.compiler.bounds.limits import EVENT
from interpreter.compiler.core import Expr
from interpreter.compiler.layout import Layout
from interpreter.compiler.lower.actions import Actions
from interpreter.compiler.lower.card_choices import CardChoices
from interpreter.compiler.lower.cards import cards
from interpreter.compiler.lower.decisions import Decisions
from interpreter.compiler.lower.definitions import slots_of
from interpreter.compiler.lower.effects import Effects
from interpreter.compiler.lower.expressions import Expressions
from interpreter.compiler.lower.function_writer import Functions
from interpreter.compiler.lower.melds import wild_cards
from interpreter.compiler.lower.on_honor import Honor
from interpreter.compiler.lower.stage_course import Course
from interpreter.compiler.lower.trees import is_cards
from interpreter.compiler.lower.trick_machine import TrickMachine
from interpreter.compiler.lower.trick_playouts import Tricks
from interpreter.compiler.lower.variables import as_they_begin
from interpreter.compiler.lower.views import Views
from interpreter.compiler.made import local_name
from interpreter.compiler.meld_kinds import wild_among
from interpreter.compiler.order import guarded_zones, kept_as
from interpreter.compiler.specialise import is_impossible, reached
from interpreter.compiler.taking_part import TakingPart
from interpreter.compiler.trick_suits import rank_in, suit_in
from interpreter.compiler.writer import Writer
from interpreter.language import typed as t
from interpreter.language.check.lying import Lying
from interpreter.language.model import ActionDef, DefineInstance, StageDef
from interpreter.language.typed import Typed

PlaysOut = Literal["never", "at once", "later"]
_HOOKS = ("when", "until", "first", "leader", "next_leader", "count", "first_dealer", "next_dealer")


class Lowering:
    """Lowers all of one game.

    plays_out: whether what plays it out at random is written, too: with all the rest, or "later", by `play_out`. It
    notes no breaches, and asks nothing new.
    """

    def __init__(self, layout: Layout, faces: bool, bounds: Bounds, plays_out: PlaysOut = "never") -> None:
        self.layout = layout
        self.model = layout.model
        lying = Lying(layout.model)
        self.kept = kept_as(layout.model, lying)
        self.out = Writer()
        self.stages = layout.model.stages
        self.parts = TakingPart(layout.model)
        self.everyone = list(range(layout.n))
        self.e = Expressions(layout, self.kept, lying, self.parts.of, self.parts.of_caller, bounds)
        self.faces = faces
        self.effects = Effects(self.e, self.out, faces, guarded_zones(layout))
        self.actions = Actions(self.e, self.effects, self.out)
        self.trick_machine = TrickMachine(self.actions, self.parts)
        self.turn_machine = self.trick_machine.turns
        self.course = Course(self.turn_machine)
        self.decisions = Decisions(self.actions, self.parts, self.turn_machine)
        self.tricks = Tricks(self.actions, self.decisions, self.parts, self.trick_machine)
        self.card_choices = CardChoices(self.actions, self.decisions, self.parts)
        self.functions = Functions(self.e, self.effects, self.out, self.stages["match"].span)
        self.honor = Honor(self.functions, self.effects)
        self.views = Views(self.functions, self.e)
        self.wild: dict[str, Expr] = {}
        """Kind of meld -> the cards that may stand for others in it, as bits; once they are lowered."""
        self.plays_out = plays_out
        self.put_off: dict[str, tuple[StageDef, Tricks | CardChoices | Decisions]] = {}
        """Functions that are written later -> the stage that each plays out, and what writes it."""
        self._defined: set[str] = set()
        self.courses: list[StageDef] = []
        """Stages that do others, one after the other."""

    # ---- a game ---------------------------------------------------------------------------------

    def lower(self) -> None:
        self._remarks()
        live, asked = reached(self.model)
        for stage in self.stages.values():
            self.e.stage = stage.name
            with self.e.forgetting_faults(stage.name not in live):
                self._stage(stage)
        self.e.stage = ""
        for stage in self.courses:  # which ask what has been written of those inside
            self.course.stage(stage)
        self._resets()
        self._wild_cards()
        self.honor.write()
        self.views.write()
        self._definitions(asked)

    def play_out(self) -> None:
        """Write what plays it out at random behind all the rest, where that was put off."""
        live, asked = reached(self.model)
        for stage, way in self.put_off.values():
            self.e.stage, self.functions.at = stage.name, stage.span
            with self.e.forgetting_faults(stage.name not in live):
                way.stage(stage)
        self.e.stage = ""
        self._definitions(asked)

    def _definitions(self, asked: Collection[str]) -> None:
        """Those that are wanted and have not been written. asked: the keys of those that a match can ask for."""
        while set(self.e.wanted) - self._defined:  # definitions may want further ones
            for name in [name for name in self.e.wanted if name not in self._defined]:
                self._defined.add(name)
                instance, party = self.e.wanted[name]
                narrowed = self.e.narrowed if party is None else lambda _, party=party: party
                with self.e.forgetting_faults(instance.key not in asked), self.e.narrowed_to(narrowed):
                    self._define(name, instance)

    def _remarks(self) -> None:
        """Where things lie: places of zones, slots of variables."""
        layout, remark = self.layout, self.out.remark
        remark(f"{self.model.name}: {layout.n} players, {'honor' if layout.honor else 'strict'}")
        for name, family in layout.zones.items():
            remark(f"z[{_range(family.base, family.size)}]: {name} ({self.kept[name]})")
        for name, family in layout.variables.items():
            remark(f"v[{_range(family.base, family.size)}]: {name}")
        for (stage_name, param), slot in layout.arguments.items():
            remark(f"v[{slot}]: {param} of {stage_name}")

    def _stage(self, stage: StageDef) -> None:
        self.functions.at = stage.span
        name, out = stage.name, self.out
        out.remark("")
        out.remark(f"---- {name} ({stage.kind})")
        if stage.players is not None:
            self._players(stage, stage.players)
        for hook in _HOOKS:
            self.functions.value(f"{hook}·{name}", getattr(stage, hook), hook=hook)
        for hook in ("setup", "cleanup", "effect"):
            self.functions.function(f"{hook}·{name}", getattr(stage, hook))
        self._scores(stage)
        for hook in ("on_turn", "on_trick", "resolve"):
            self.functions.function(f"{hook}·{name}", getattr(stage, hook))
        self.functions.value(f"hands·{name}", stage.hands, "p")
        if stage.turns is not None:
            self._turns(name, *stage.turns)
        if stage.kind == "trick":
            self._judge(stage)
            self.trick_machine.stage(stage)
        elif stage.kind == "turn":
            self.turn_machine.stage(stage)
        elif not self.layout.honor and self.course.is_possible(stage):
            self.courses.append(stage)
        for action in stage.actions:
            self._action(action, stage)
        if self.plays_out != "never":
            self._played_out(stage)
        for action in stage.anytime:
            self._action(action, stage)

    def _played_out(self, stage: StageDef) -> None:
        ways = (self.tricks, self.card_choices)
        way = next((way for way in ways if way.is_possible(stage)), self.decisions)
        name = way.function_for(stage)
        if name and self.plays_out == "later":
            self.put_off[name] = stage, way
        elif name:
            way.stage(stage)

    def _action(self, action: ActionDef, stage: StageDef) -> None:
        with self.e.forgetting_faults(is_impossible(action)), self.out.declaring(declared(action)):
            self.actions.action(action, stage)
            names = [local_name(param.name) for param in action.params]
            for measure, low, high in action.measured:
                with self.out.function(f"measure·{measure}·{stage.name}·{action.name}", "s", "p", *names, "*row"):
                    self.functions.begin((low, high), little=EVENT)
                    self.out.give(c.Tuple((self.e.number(low), self.e.number(high))), low.span)
            if action.contest is not None:
                self.functions.value(f"ties·{stage.name}·{action.name}", action.contest.ties)

    def _players(self, stage: StageDef, node: Typed) -> None:
        """players_: among whom it chooses are the players around the stage."""
        name = f"players·{stage.name}"
        outside = self.e.bounds.rules_of(around_of(stage.name))
        with self.e.narrowed_to(lambda _: self.parts.outside(stage.name)), outside:
            slots = slots_of(self.e, node)
            if slots is None:
                self.functions.value(name, node, group=True, little=EVENT)
                return
            self.out.remark("")
            with self.out.function(name, "s"):
                self.functions.begin((node,), little=EVENT)
                self.functions.remember(name, slots, self.e.group(node), node.span)

    def _turns(self, name: str, node: Typed, each: bool) -> None:
        found = self.e.number(node)
        if each:
            players = self.e.of(t.Builtin("players", t.PLAYERS, node.span))
            found = c.Op("*", found, c.call("len", players))
        with self.out.function(f"turns·{name}", "s"):
            self.functions.begin((node,))
            self.out.give(found, node.span)

    def _judge(self, stage: StageDef) -> None:
        """Who takes the trick: the best trump, else the best card of the suit led; the first of equal ones.

        A card without rank, or of one below 0, takes nothing.
        """
        out, card = self.out, t.Local("card", t.CARD, stage.span)
        suit_of = self.e.of(suit_in(stage, card))
        rank_of = self.e.of(rank_in(stage, card))
        trump_now = c.NONE if stage.trump is None else self.e.of(stage.trump)
        best, most, led, suit, worth, trump, q = map(c.Name, ("best", "most", "led", "suit", "worth", "trump", "q"))
        out.remark("")
        with out.function(f"judge·{stage.name}", "s"):
            asked = (stage.suit, stage.rank, stage.trump, stage.trump_when)
            self.functions.begin(asked, self.layout.n * stage.cards_each)
            out.set(led, c.LED)
            out.set(best, c.List(()))
            out.set(most, c.Lit(-1))
            if trump_now != c.NONE:
                out.set(trump, trump_now)
            with out.each(("q", local_name("card")), c.PLAYS):
                out.set(suit, suit_of)
                tests: list[Expr] = [c.Compare("!=", suit, led)]
                if trump_now != c.NONE:
                    tests.append(c.Compare("!=", suit, trump))
                if stage.trump_when is not None:
                    out.set(trump, self.e.of(stage.trump_when))
                    tests.append(c.Not(trump))
                with out.when(joined("and", tests)):
                    out.go_on()
                out.set(worth, rank_of)
                if stage.rank is None and None in self.layout.card_rank:
                    with out.when(c.is_none(worth)):
                        out.go_on()
                is_trump: tuple[Expr, ...] = ()
                if trump_now != c.NONE:
                    is_trump = c.Compare("==", suit, trump), c.is_there(trump)
                elif stage.trump_when is not None:
                    is_trump = (trump,)
                if is_trump:
                    with out.when(c.And((*is_trump, c.Compare(">=", worth, c.ZERO)))):
                        out.update(worth, "+", c.Lit(10000))
                with out.when(c.Compare(">", worth, most)):
                    out.set(most, worth)
                    out.set(best, c.List((q,)))
                with out.otherwise(), out.when(c.And((c.Compare("==", worth, most), best))):
                    out.do(c.method(best, "append", q))
            out.set(c.field("best"), best)
            out.set(c.WINNER, c.If(best, c.Item(best, c.ZERO), c.NONE))

    def _scores(self, stage: StageDef) -> None:
        """Rows of a score table: the first that holds, or each."""
        if not stage.score_rows:
            return
        out, e = self.out, self.e
        with out.function(f"effect·{stage.name}", "s", span=stage.span):
            asked = [part for row in stage.score_rows for part in (row.when, row.whom)]
            self.functions.begin([*asked, *(row.points for row in stage.score_rows for _ in range(self.layout.n))])
            for row in stage.score_rows:
                with out.when(e.of(row.when), row.span):
                    by_team = "team" in (row.whom.type.kind, row.whom.type.item and row.whom.type.item.kind)
                    whom = c.List((e.of(row.whom),)) if row.whom.type.kind == "team" else e.group(row.whom)
                    with out.each(local_name("scorer"), whom):
                        owner = t.Local("scorer", t.TEAM if by_team else t.PLAYER, row.span)
                        dims = self.model.variables[stage.score_variable].dims
                        index: Typed = owner
                        if dims == ("team",) and not by_team:
                            index = t.Op("team of", (owner,), t.TEAM, row.span)
                        target = t.VarRef(stage.score_variable, (index,), t.INTEGER, row.span)
                        self.effects.effect(t.Assign("add", target, row.points, row.span, row.because))
                    if not stage.score_each:
                        out.give(c.NONE)

    def _resets(self) -> None:
        """Variables go back to their defaults when the stage they last begins."""
        groups: dict[str, list[str]] = {}
        order = as_they_begin(self.model)
        for name in order:
            groups.setdefault(self.model.variables[name].lasts, []).append(name)
        found = {f"reset·{lasts}": names for lasts, names in groups.items()}
        if self.e.bounds.begun(order):  # some may begin as others do
            found["reset·all"] = order
        for function, names in found.items():
            with self.out.function(function, "s"):
                self.functions.begin(self.e.bounds.begun(names))
                for name in names:
                    self.effects.variables.reset(name, self.model.variables[name].span)

    def _wild_cards(self) -> None:
        """wild_: the cards that may stand for others in melds of a kind."""
        for kind in self.model.melds.values():
            self.e.bounds.forget()
            found = self.wild[kind.name] = wild_cards(self.e, kind)
            with self.out.function(f"wild·{kind.name}", "s"):
                if not isinstance(found, c.Lit | c.Table):
                    self.functions.begin((wild_among(kind),), little=EVENT)
                self.out.give(found, kind.span)

    # ---- definitions ----------------------------------------------------------------------------

    def _define(self, name: str, instance: DefineInstance) -> None:
        self.e.bounds.forget()
        self.functions.at = instance.span
        params = ["p"] * instance.uses_actor + [local_name(param) for param, _ in instance.params]
        body = instance.body
        self.out.place(instance.span)
        with self.out.declaring(dict(instance.params)), self.out.function(name, "s", *params, only_looks=True):
            slots = None if params or is_cards(body) else slots_of(self.e, body)
            with self.functions.asking_once(body if slots is None else None) as before:
                found = cards(self.e, body)[1] if is_cards(body) else self.e.of(body)
            if slots is None:
                self.functions.answer(found, before, body.span)
            else:
                self.functions.remember(name, slots, found, body.span)


def declared(action: ActionDef) -> dict[str, t.Type]:
    """What is chosen and measured, by name: of what rows add under one name, if it is alike."""
    added = {(param.name, param.type) for row in action.rows for param in row.params}
    times = Counter(name for name, _ in added)
    found = {name: of for name, of in added if times[name] == 1}
    found |= {param.name: param.type for param in action.params}
    return {**found, **dict.fromkeys((name for name, _, _ in action.measured), t.INTEGER)}


def _range(base: int, size: int) -> str:
    return str(base) if size == 1 else f"{base}:{base + size}"
