"""Who takes part: the innermost `players:` around a stage counts, and for a called stage those around its call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.compiler import core as c
from interpreter.compiler.core import Expr
from interpreter.engine.frames import is_running
from interpreter.language import typed as t
from interpreter.language.check.written_out import with_definitions
from interpreter.language.model import Model, StageDef
from interpreter.language.operations import ASK_TABLE
from interpreter.language.typed import walk, walk_of

if TYPE_CHECKING:
    from interpreter.engine.position import Position

Find = Callable[["Position"], Sequence[int]]
ASKED_OF_STACK = ("players_now", "players_around", "players_of_caller")
"""The functions that look at the stages that are going on."""
_FIXED = frozenset(("everyone", "teams", "players", "dealer", "honor"))
"""What does not change while tricks are played, unless an effect sets it."""


class TakingPart:
    """Who plays in each stage: as a function of the stage that narrows them says, or a look at the stack."""

    def __init__(self, model: Model) -> None:
        stages, honor = model.stages, model.honor
        self.stages = stages
        self.callers: dict[str, list[str]] = {}
        """Called stage -> the stages that call it; "" stands for what comes at any time: open actions, penalties."""
        laws = [law for stage in stages.values() for a in (*stage.actions, *stage.anytime) for law in a.laws]
        anytime = [stage.anytime for stage in stages.values()]
        for caller, code in [*stages.items(), ("", [honor, laws, anytime])]:
            for call in walk_of(code, t.Call):
                self.callers.setdefault(call.stage, []).append(caller)
        self.model = model
        self.parents = {child: name for name, stage in stages.items() for child in stage.children}
        self.narrowing = [s for s in stages.values() if s.players is not None]

    def of(self, stage: str) -> Expr | None:
        """The players of a stage; None if they are always all. Stage "": whoever is playing now."""
        if not self.narrowing:
            return None
        if not stage:
            return c.asked("players_now")
        if self.stages[stage].players is not None:
            return c.asked(f"players·{stage}")
        return self.outside(stage)

    def outside(self, stage: str) -> Expr:
        """The players among whom a stage can narrow them further."""
        parent = self.parents.get(stage)
        if parent is not None:
            return self.of(parent) or c.EVERYONE
        if stage == "match" or not self.narrowing:
            return c.EVERYONE
        if all(s.name in ("match", stage) for s in self.narrowing):
            return self.of("match") or c.EVERYONE
        if self._called_by_all(stage, set()):
            return c.EVERYONE
        return c.asked("players_around", c.Lit(self.stages[stage].index))

    def _called_by_all(self, stage: str, seen: set[str]) -> bool:
        """Whether everybody takes part wherever a stage is called."""
        if stage in seen:
            return True
        seen.add(stage)
        callers = self.callers.get(stage, [])
        return bool(callers) and all(self._is_for_all(caller, seen) for caller in callers)

    def _is_for_all(self, stage: str, seen: set[str]) -> bool:
        if stage == "" or self.stages[stage].players is not None:
            return False
        if stage in self.parents:
            return self._is_for_all(self.parents[stage], seen)
        return stage == "match" or self._called_by_all(stage, seen)

    def find(self, stage: str, names: Mapping[str, Any], everyone: Sequence[int]) -> Find:
        """The function for the players of a stage that the machine asks."""
        match self.of(stage):
            case c.Call(function, (_, c.Lit(index))):
                around = names[function]
                return lambda s: around(s, index)
            case c.Call(function):
                return names[function]  # type: ignore[no-any-return]
        return lambda s: everyone

    def _outermost(self, stage: str) -> str:
        while stage in self.parents:
            stage = self.parents[stage]
        return stage

    def of_caller(self, stage: str) -> Expr | None:
        """The players of the turn in which a called stage was called; None for a stage that is not called."""
        called = self._outermost(stage) not in ("", "match")
        return c.asked("players_of_caller") if called and self.narrowing else None

    def stays(self, stage: StageDef) -> bool:
        """Whether who takes part in a stage of tricks stays the same while they are played: it depends on variables
        alone, which no play changes."""
        if stage.players is None:
            return False
        read = list(with_definitions(stage.players, self.model))
        if any(isinstance(n, t.ZoneRef | t.TokenRef | t.StageArgument | t.TableRef) for n in read):
            return False
        if any(isinstance(n, t.Builtin) and n.name not in _FIXED for n in read):
            return False
        if any(isinstance(n, t.Op) and n.op in ASK_TABLE for n in read):
            return False
        changed, swaps = changed_by([[a.effect for a in stage.actions], stage.on_card, stage.on_trick])
        return not swaps and not changed & {n.name for n in read if isinstance(n, t.VarRef | t.Builtin)}

    def functions(self, names: dict[str, Any], everyone: Sequence[int]) -> dict[str, Callable[..., Sequence[int]]]:
        """What the text calls, over the functions `players_STAGE` among the names, some of which are replaced."""
        own: dict[int, Find] = {s.index: names[f"players·{s.name}"] for s in self.narrowing}
        turns = {s.index for s in self.stages.values() if s.kind in ("turn", "trick")}
        match = self.stages["match"].index

        def from_place(s: Position, place: int) -> Sequence[int]:
            for at in range(place, -1, -1):
                frame = s.stack[at]
                if frame.stage in own and is_running(frame):
                    return own[frame.stage](s)
            return everyone

        def players_now(s: Position) -> Sequence[int]:
            if not s.stack:
                return own[match](s) if match in own else everyone
            return from_place(s, len(s.stack) - 1)

        def place_of(s: Position, stage: int) -> int:
            places = range(len(s.stack) - 1, -1, -1)
            return next((at for at in places if s.stack[at].stage == stage and is_running(s.stack[at])), len(s.stack))

        def players_around(s: Position, stage: int) -> Sequence[int]:
            return from_place(s, place_of(s, stage) - 1)

        def players_of_caller(s: Position) -> Sequence[int]:
            places = range(len(s.stack) - 1, -1, -1)
            call = next((at for at in places if s.stack[at].saved is not None), len(s.stack))
            below = range(call - 1, -1, -1)
            turn = next((at for at in below if s.stack[at].stage in turns and is_running(s.stack[at])), None)
            return from_place(s, call - 1 if turn is None else turn)

        return {"players_now": players_now, "players_around": players_around, "players_of_caller": players_of_caller}


def changed_by(effects: Any) -> tuple[set[str], bool]:
    """The variables that effects set, but for values that they exchange; whether they exchange any."""
    done = list(walk(effects))
    found = {n.target.name for n in done if isinstance(n, t.Assign) and not isinstance(n.target, t.StageArgument)}
    found |= {n.name for n in done if isinstance(n, t.Clear)}
    return found, any(isinstance(n, t.SwapValues) for n in done)
