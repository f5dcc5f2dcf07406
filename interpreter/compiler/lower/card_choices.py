"""Random choices of several cards: what `playouts` runs where players who are asked choose some of their cards.

A stage that asks for nothing else is one loop: one of those who are asked is drawn, then what they choose, which is
carried out. The machine is asked where it has to do more than to ask the others. Nothing is logged.
"""

from __future__ import annotations

from interpreter.compiler import core as c
from interpreter.compiler.algebra import joined
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.actions import Actions
from interpreter.compiler.lower.decisions import HALVES, Decisions
from interpreter.compiler.lower.facts import asks_machine
from interpreter.compiler.made import local_name
from interpreter.compiler.taking_part import TakingPart
from interpreter.language.model import ActionDef, StageDef

_M, _LOW, _MOST, _AT, _MADE = c.Name("m"), c.Name("low"), c.Name("most"), c.Name("at"), c.Name("made")
_AMONG, _CARDS, _WAYS = c.Name("among"), c.Name("cards"), c.Name("ways")
_PENDING, _STEP = c.field("pending", "frame"), c.field("step", "frame")


class CardChoices:
    """Writes playout_ of the stages in which several players choose cards, and nothing else."""

    def __init__(self, actions: Actions, decisions: Decisions, parts: TakingPart) -> None:
        self.actions = actions
        self.decisions = decisions
        self.parts = parts
        self.e = actions.e
        self.out = actions.out

    def is_possible(self, stage: StageDef) -> bool:
        """Whether one action is all there is, and chooses several cards alone."""
        if stage.kind not in ("simultaneous", "ask") or len(stage.actions) != 1 or stage.until is not None:
            return False
        action = stage.actions[0]
        facts = self.actions.facts
        apart = action.talk or action.measured or facts.is_joint(action) or self.e.layout.multi
        return facts.shape(action) == "cards" and not apart

    def function_for(self, stage: StageDef) -> str:
        """The function of a stage in which this is possible."""
        return f"playout·{stage.name}"

    def stage(self, stage: StageDef) -> None:
        """The function playout_STAGE(s, frame, dice, limit) -> how many choices were made.

        Where somebody is asked who can choose nothing: -1 less the number of the player.
        """
        out, action, everyone = self.out, stage.actions[0], c.Lit((1 << self.e.layout.n) - 1)
        own = c.Name(local_name(action.params[0].name))
        out.remark("")
        with out.function(self.function_for(stage), "s", "frame", "dice", "limit"):
            out.set(_MADE, c.ZERO)
            out.set(HALVES, c.field("halves", "dice"))
            with out.loop(c.Compare("<", _MADE, c.Name("limit"))):
                out.set(_AMONG, c.call("bits", c.Op("&", _PENDING, everyone)))
                self._draw(c.call("len", _AMONG))
                out.set(c.ACTOR, c.Item(c.EVERYONE, c.Item(_AMONG, _AT)))
                out.set(c.field("spent"), c.ZERO)
                low, most = self._offered(action)
                out.set(_CARDS, c.call("bits", _M))
                out.set(_WAYS, c.call("ways_to_choose", c.call("len", _CARDS), low, most))
                with out.when(c.Not(_WAYS)):
                    out.give(c.Op("-", c.Lit(-1), c.ACTOR))
                self._draw(_WAYS)
                out.set(own, c.call("nth_choice", _CARDS, low, most, _AT))
                out.set(c.field("spent"), c.ZERO)  # what it took to find the moves is done with
                with self.actions.effects.transfers.quietly():
                    self.actions.carry_out(action, stage)
                out.update(_MADE, "+", c.ONE)
                self._ask_others(stage, everyone)
                self.decisions.hand_over()
            out.give(_MADE)

    def _draw(self, ways: Expr) -> None:
        """One of so many at random; one of one is no draw."""
        self.out.set(_AT, c.ZERO)
        with self.out.when(c.Compare(">", ways, c.ONE)):
            self.decisions.draw(_AT, ways)

    def _offered(self, action: ActionDef) -> tuple[Expr, Expr]:
        """Write what can be chosen from, as bits; returns the least and most that are chosen."""
        param, bounds = action.params[0], self.e.bounds
        assert param.count is not None
        if action.when or self.actions.facts.asks_law(action) or bounds.is_heavy(bounds.offer(action)):
            offered = c.asked(f"legal·{action.stage}·{action.name}", c.ACTOR)
            self.out.set(c.Tuple((_M, _LOW, _MOST)), offered)
            return _LOW, _MOST
        self.actions.judging.begin_cards(param, "card")
        found: list[Expr] = []
        for name, number in zip((_LOW, _MOST), param.count, strict=True):
            found.append(self.e.number(number))
            if not isinstance(found[-1], c.Lit):
                self.out.set(name, found[-1])
                found[-1] = name
        return found[0], found[1]

    def _ask_others(self, stage: StageDef, everyone: Expr) -> None:
        """While all are asked and others have not answered, nothing else is to be done."""
        if stage.answers != "all" or self.parts.of(stage.name) not in (None, c.EVERYONE):
            return
        out = self.out
        tests: list[Expr] = [c.Compare("==", c.call("len", _AMONG), c.ONE)]
        if asks_machine(stage.actions[0].effect):
            tests += [c.field("calls"), c.Compare("!=", c.field("jump"), c.Lit(-1)), c.field("mark")]
        with out.when(c.Not(joined("or", tests))):
            out.update(_STEP, "|", c.bit(c.ACTOR))
            out.set(_PENDING, c.Op("&", everyone, c.Inverted(_STEP)))
            out.go_on()
