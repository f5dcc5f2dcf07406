"""How turns pass, in the core: the machine's functions of a stage of turns, and the steps of which they are made.

`begin·STAGE` and `moved·STAGE` are what the machine calls when a stage begins and when somebody has moved in it. Random
play of a whole stage (`decisions.py`) is made of the same steps, without leaving its loop.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiler import core as c
from interpreter.compiler.algebra import joined
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.actions import Actions
from interpreter.compiler.taking_part import TakingPart
from interpreter.language import typed as t
from interpreter.language.model import StageDef
from interpreter.language.typed import walk

FRAME, FOLLOWER, PLAYERS = c.Name("frame"), c.Name("follower"), c.Name("players")
MARK, MOVER, STAYS, FIRST, RESET, HOLDER = map(c.Name, ("mark", "mover", "stays", "first", "reset", "holder"))
NEIGHBOURS = c.If(c.Compare("==", c.DIRECTION, c.ONE), c.Table("LEFT"), c.Table("RIGHT"))
_LEFT = c.Name("left")
OF_MACHINE = ("s", "frame", "stage")
"""What the machine hands to the functions of a stage."""
Leave = Callable[[], None]
"""Writes how a stage is left, at once."""


class TurnMachine:
    """Writes how turns pass in one game."""

    def __init__(self, actions: Actions, parts: TakingPart) -> None:
        self.e = actions.e
        self.facts = actions.facts
        self.out = actions.out
        self.parts = parts

    # ---- what is known of a stage ---------------------------------------------------------------

    def players(self, stage: StageDef) -> Expr | None:
        """Who takes part; None if all always do."""
        found = self.parts.of(stage.name)
        return None if found == c.EVERYONE else found

    def asked(self, hook: str, stage: StageDef) -> Expr | None:
        """What a stage says, by its function, if one has been written."""
        name = f"{hook}·{stage.name}"
        return c.asked(name) if name in self.out.functions else None

    def lasts(self, phase: str) -> bool:
        """Whether there are variables that last a turn, or a trick."""
        return any(variable.lasts == phase for variable in self.e.model.variables.values())

    # ---- the functions --------------------------------------------------------------------------

    def stage(self, stage: StageDef) -> None:
        """Write the functions of a stage of turns."""
        out = self.out
        out.remark("")
        with out.function(f"begin·{stage.name}", *OF_MACHINE, "first=None", "reset=True"):
            self._begin(stage)
        out.remark("")
        with out.function(f"moved·{stage.name}", *OF_MACHINE):
            self._moved(stage)

    def leave(self) -> None:
        """Let the machine end the stage when it goes on."""
        self.out.set(c.field("pc", "frame"), c.Table("LEAVE"))
        self.out.give(c.NONE)

    def _begin(self, stage: StageDef) -> None:
        """The first turn begins, with whom the stage says."""
        out = self.out
        players = self.gathered(stage)
        with out.when(c.is_none(FIRST)):
            out.set(FIRST, self.asked("first", stage) or c.CURRENT)
        if players is not None or (stage.first is not None and self.e.may_miss(stage.first)):
            self.seated(FIRST, players, self.leave)
        out.set(c.CURRENT, FIRST)
        out.set(c.field("step", "frame"), c.ZERO)
        out.set(c.field("pc", "frame"), c.Table("WAIT"))
        self.begins(stage, None, self.leave, RESET)

    def _moved(self, stage: StageDef) -> None:
        """Somebody has moved: the turn stays, begins anew or passes on."""
        out, until = self.out, self.asked("until", stage)
        self.takes_mark()
        out.set(STAYS, c.Or((c.Compare("==", MARK, c.Table("STAY")), c.Compare("==", MOVER, c.Table("NOBODY")))))
        self.grows_older(c.Not(STAYS), c.Compare("!=", MARK, c.Table("AGAIN")))
        players = self.gathered(stage)
        with out.when(c.And((c.Not(STAYS), c.Compare("==", MARK, c.Table("GO"))))):
            self.passes_on(MOVER, players, FOLLOWER, self.leave if until is None else None)
        if until is not None:
            with out.when(until):
                self.leave()
        with out.when(STAYS if players is None else c.And((STAYS, c.Compare("in", c.CURRENT, players)))):
            out.give(c.NONE)
        self.begins(stage, players, self.leave, c.TRUE)

    # ---- the steps ------------------------------------------------------------------------------

    def takes_mark(self) -> None:
        """Write down who has moved and what the move said of the turn; unless more comes, the stage waits again."""
        out, mark = self.out, c.field("mark", "frame")
        out.set(MARK, mark)
        out.set(MOVER, c.field("mover", "frame"))
        out.set(mark, c.Table("GO"))
        out.set(c.field("pc", "frame"), c.Table("WAIT"))

    def grows_older(self, *completes: Expr) -> None:
        """Write that a turn is complete, and by it faults grow older, if all these conditions hold."""
        self.out.add(c.Lapse(joined("and", list(completes)), c.asked("age_by_turn", MOVER, c.field("moved", "frame"))))

    def gathered(self, stage: StageDef) -> Expr | None:
        """Write down who takes part, if not all always do."""
        found = self.players(stage)
        if found is None:
            return None
        self.out.set(PLAYERS, found)
        return PLAYERS

    def seated(self, player: c.Name, players: Expr | None, leave: Leave) -> None:
        """Write that a player who takes no part gives way to the next who does; if nobody does, the stage is left."""
        out = self.out
        with out.when(c.Compare("not in", player, players or c.EVERYONE)):
            out.set(player, c.asked("next_player", player, players or c.EVERYONE))
            with out.when(c.is_none(player)):
                leave()

    def around(self) -> Expr:
        """Who sits next to whom in the direction of play, written down beforehand unless that may change."""
        if self.facts.reverses:
            return NEIGHBOURS
        self.out.set(_LEFT, NEIGHBOURS)
        return _LEFT

    def passes_on(
        self, mover: Expr, players: Expr | None, follower: c.Name, leave: Leave | None, around: Expr = NEIGHBOURS
    ) -> None:
        """Write that the turn passes to the next player; if there is none it stays, or the stage is left.

        players: who takes part, None for all. follower: what the next player is called.
        """
        out = self.out
        if players is not None:
            out.set(follower, c.asked("next_player", mover, players))
            with out.when(c.is_there(follower)):
                out.set(c.CURRENT, follower)
            if leave is not None:
                with out.otherwise():
                    leave()
            return
        if self.unseats():
            with out.when(joined("or", list(map(c.field, self.unseats())))):
                out.set(follower, c.asked("next_player", mover, c.EVERYONE))
            with out.otherwise():
                out.set(follower, c.Item(around, mover))
        else:
            out.set(follower, c.Item(around, mover))
        out.set(c.CURRENT, follower)

    def unseats(self) -> list[str]:
        """What in the state may keep the turn from simply going round."""
        return ["skips"] * self.facts.skips + ["seats"] * self.e.model.reseats

    def begins(self, stage: StageDef, players: Expr | None, leave: Leave, reset: Expr) -> None:
        """Write that a turn begins, unless the stage has had all its turns.

        players: among whom it passes, where that may have passed over who is current. reset: whether variables that
        last a turn are as they are when one begins.
        """
        out, step = self.out, c.field("step", "frame")
        out.update(step, "+", c.ONE)
        turns = self.asked("turns", stage)
        if turns is not None:
            pending = c.field("pending", "frame")
            with out.when(c.Compare("==", step, c.ONE)):  # how many there are is settled when the stage begins
                out.set(pending, turns)
            with out.when(c.Compare(">", step, pending)):
                leave()
        if players is not None:
            out.set(FOLLOWER, c.CURRENT)
            self.seated(FOLLOWER, players, leave)
            out.set(c.CURRENT, FOLLOWER)
        self.starts(stage, ("turn",), reset)

    def starts(self, stage: StageDef, phases: tuple[str, ...], reset: Expr) -> None:
        """Write what is done when a turn starts, or a trick and with it a turn."""
        out = self.out
        fresh = [phase for phase in phases if self.lasts(phase)]
        if fresh and reset == c.TRUE:
            for phase in fresh:
                out.do(c.asked(f"reset·{phase}"))
        elif fresh:
            with out.when(reset):
                for phase in fresh:
                    out.do(c.asked(f"reset·{phase}"))
        if stage.on_turn:
            self._on_turn(stage)

    def _on_turn(self, stage: StageDef) -> None:
        """What is done when a turn begins may pass it on at once."""
        out, mark = self.out, c.field("mark")
        out.set(HOLDER, c.CURRENT)
        out.set(mark, c.Table("GO"))
        out.do(c.asked(f"on_turn·{stage.name}"))
        if not any(isinstance(effect, t.ToPlayer) and effect.verb == "pass turn" for effect in walk(stage.on_turn)):
            return
        with out.when(c.Compare("==", mark, c.Table("PASSED"))):
            out.set(c.field("pc", "frame"), c.Table("MOVED"))
            out.set(c.field("mover", "frame"), HOLDER)
            out.set(c.field("mark", "frame"), c.Table("PASSED"))
            out.set(mark, c.Table("GO"))
