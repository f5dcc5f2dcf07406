"""The course of the stages, in the core: how those inside a stage that does one after the other are entered.

`begin·STAGE` is what the machine would find out about them each time: which are ever entered, what is asked before, and
what there is to do as they begin. Whatever is rare it leaves to the machine.
"""

from __future__ import annotations

from interpreter.compiler import core as c
from interpreter.compiler.lower.plain_stages import is_at_once
from interpreter.compiler.lower.turn_machine import FRAME, OF_MACHINE, TurnMachine
from interpreter.language import typed as t
from interpreter.language.model import StageDef

_STEP, _PC, _PENDING = c.field("step", "frame"), c.field("pc", "frame"), c.field("pending", "frame")
_WAIT, _LEAVE, _FOUND = c.Table("WAIT"), c.Table("LEAVE"), c.Name("found")
_BEGUN = ("turn", "trick")
_ASKED = ("ask", "simultaneous")


class Course:
    """Writes begin_ of the stages that do one after the other, for strict play."""

    def __init__(self, turns: TurnMachine) -> None:
        self.turns = turns
        self.e = turns.e
        self.out = turns.out
        self.stages = self.e.model.stages

    def is_possible(self, stage: StageDef) -> bool:
        """Whether nothing but its children says how it goes on."""
        return stage.kind == "do" and stage.until is None

    def stage(self, stage: StageDef) -> None:
        """The function begin_STAGE(s, frame, stage), which enters what is next."""
        out = self.out
        out.remark("")
        with out.function(f"begin·{stage.name}", *OF_MACHINE):
            for at, name in enumerate(stage.children):
                if can_run(self.stages[name], honor=False):
                    with out.when(c.Compare("<=", _STEP, c.Lit(at))):
                        out.set(_STEP, c.Lit(at + 1))
                        self._if_it_is_to_be(self.stages[name])
            out.set(_PC, _LEAVE)

    def _if_it_is_to_be(self, stage: StageDef) -> None:
        when = None if stage.when is None else f"when·{stage.name}"
        if when not in self.out.functions:  # it always is
            self._enter(stage)
            return
        with self.out.when(c.asked(when)):
            self._enter(stage)

    def _enter(self, stage: StageDef) -> None:
        """A stage begins; where it stays on the stack, the machine goes on with it."""
        out, number = self.out, c.Lit(stage.index)
        fresh = [f"reset·{stage.name}"] * self.turns.lasts(stage.name)
        if stage.name in self.e.model.counts.values():
            self._leave_to_machine(number)
        elif is_at_once(stage, self.stages):
            out.do(c.asked("begun", number))
            for hook in (*fresh, *(f"{hook}·{stage.name}" for hook in ("setup", "effect", "cleanup"))):
                if hook in (*fresh, *out.functions):
                    out.do(c.asked(hook))
        elif stage.kind not in (*_BEGUN, *_ASKED) or stage.setup or stage.first_dealer or stage.next_dealer:
            self._leave_to_machine(number)
        else:
            out.set(FRAME, c.asked("entered", number))
            for hook in fresh:
                out.do(c.asked(hook))
            if stage.kind in _BEGUN:
                out.do(c.asked(f"begin·{stage.name}", FRAME, c.Name("stage")))
            else:
                self._ask(stage)
            out.give(c.NONE)

    def _leave_to_machine(self, number: c.Lit) -> None:
        self.out.set(_FOUND, c.asked("went_through", FRAME, number))
        with self.out.when(c.Not(_FOUND)):
            self.out.give(c.NONE)

    def _ask(self, stage: StageDef) -> None:
        """Everybody who takes part is asked."""
        out, players = self.out, self.turns.players(stage)
        if players is None:
            out.set(_PENDING, c.Lit((1 << self.e.layout.n) - 1))
            out.set(_PC, _WAIT)
        else:
            out.set(_PENDING, c.call("mask_of", players))
            out.set(_PC, c.If(_PENDING, _WAIT, _LEAVE))


def can_run(stage: StageDef, honor: bool) -> bool:
    """Whether options and enforcement have not settled that nothing happens in a stage."""
    if isinstance(stage.when, t.Const) and stage.when.value is False:
        return False
    return stage.kind != "claims" or honor or bool(stage.setup or stage.cleanup)
