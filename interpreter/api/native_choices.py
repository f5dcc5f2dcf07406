"""How a move is chosen at random in machine code: counted first, then found by its number; no moves are listed.

Each function does what one of the Python lane does, which it stands for.
"""

from __future__ import annotations

from typing import Any

from interpreter.api import playouts
from interpreter.engine import legal
from interpreter.engine.available import may_move
from interpreter.engine.chance import Dice
from interpreter.engine.frames import GO, MOVED, NOBODY, NOWHERE, PASSED, WAIT, Frame, is_running
from interpreter.engine.machine import advance
from interpreter.engine.moves import choices_of, nth_choice
from interpreter.engine.packets import bits, nth_card
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, RuleError, StageCode


def actors(s: Position) -> list[int]:
    """`legal.actors`."""
    frame = s.stack[-1]
    stage = s.program.stages[frame.stage]
    if stage.kind in ("turn", "trick"):
        return [s.current]
    if stage.kind == "race":
        return racers(s, stage)
    asked = bits(frame.pending & (1 << s.program.n) - 1)
    return [p for p in s.order() if p in asked]


def racers(s: Position, stage: StageCode) -> list[int]:
    """`legal._racers`, where nothing is open at any time."""
    players = [p for p in stage.players(s)]
    for action in stage.actions:
        if action.alike and not action.talk and players and has_move(s, players[0], action):
            return players
    found = [p for p in players if can_move(s, p, stage)]
    if not found:
        raise RuleError("nobody can do what the race offers")
    return found


def can_move(s: Position, player: int, stage: StageCode) -> bool:
    """Whether a race offers a player anything."""
    return any(not action.talk and has_move(s, player, action) for action in stage.actions)


def has_move(s: Position, player: int, action: ActionCode) -> bool:
    """`legal.has_move`, of what is lawful."""
    if action.shape != "cards":
        return bool(action.any(s, player))
    return ways(s, player, action) > 0


def ways(s: Position, player: int, action: ActionCode) -> int:
    """How many lawful moves of an action there are. Raises RuleError for those that the Python lane lists."""
    if s.program.multi or action.renamed or action.joint:
        raise RuleError("moves that are listed")
    if action.shape == "args" and action.count is not None:
        return action.count(s, player)
    offered = action.legal(s, player)
    if action.shape == "card":
        return offered.bit_count() if type(offered) is int else len(offered)
    if action.shape == "none":
        return 1 if offered else 0
    if action.shape == "cards":
        _, number = choices_of(len(bits(offered[0])), offered[1], offered[2])
        return number
    return len(offered)


def carry_out(s: Position, player: int, action: ActionCode, at: int) -> None:
    """Carry out a lawful move of an action by its number."""
    if action.measured:
        raise RuleError("what is measured")
    if action.shape == "none":
        s.mark, s.spent = GO, 0
        action.apply(s, player)
        return
    if action.shape == "args" and action.nth is not None:
        args = action.nth(s, player, at)
        s.mark, s.spent = GO, 0
        action.apply(s, player, *args)
        return
    offered = action.legal(s, player)
    s.mark, s.spent = GO, 0
    if action.shape == "card":
        action.apply(s, player, nth_card(offered, at))
    elif action.shape == "cards":
        action.apply(s, player, nth_choice(bits(offered[0]), offered[1], offered[2], at))
    else:
        action.apply(s, player, *offered[at])


def choose(s: Position, player: int, frame: Frame, stage: StageCode, dice: Dice) -> bool:
    """`playouts.choose_any`."""
    total = 0
    for action in stage.within:
        total += ways(s, player, action)
    if not total:
        raise RuleError("nothing can be done")
    at = dice.below(total) if total > 1 else 0
    for action in stage.within:
        number = ways(s, player, action)
        if at < number:
            carry_out(s, player, action, at)
            return not (action.anytime or (stage.kind == "trick" and not action.is_play))
        at -= number
    return False


def move(s: Position, player: int, dice: Dice) -> None:
    """`playouts.make_any`."""
    s.spent = 0
    total = open_ways(s, player, -1)
    if not total:
        raise RuleError("nothing can be done")
    at = dice.below(total) if total > 1 else 0
    s.tick += 1
    s.spent = 0
    open_ways(s, player, at)
    frame = s.stack[-1]
    stage = s.program.stages[frame.stage]
    if frame.pc == MOVED and not s.calls and s.jump == NOWHERE:
        stage.after(s, frame, stage)
    if frame.pc != WAIT or s.calls or s.jump != NOWHERE or s.stack[-1] is not frame:
        advance(s)


def open_ways(s: Position, player: int, at: int) -> int:
    """How many lawful moves a player has. at: the number of one that is made; -1: none."""
    total = 0
    names: list[str] = []
    frame = s.stack[-1]
    stage = s.program.stages[frame.stage]
    mine = may_move(s, player, frame, stage)
    for action in stage.actions:
        names.append(action.name)
        if mine and not action.talk:
            total += of_one(s, player, action, at - total, frame, stage.kind)
    for place in range(len(s.stack) - 1, -1, -1):
        outer = s.stack[place]
        if is_running(outer):
            total = open_around(s, player, at, total, names, frame, stage.kind, outer.stage)
            if s.program.stages[outer.stage].closed:
                break
    return total


def open_around(
    s: Position, player: int, at: int, total: int, names: list[str], frame: Frame, kind: str, number: int
) -> int:
    """The moves of one stage around that are open at any time, added to those before."""
    code = s.program.stages[number]
    for action in code.anytime:
        if action.name not in names:
            names.append(action.name)
            if not action.talk and player in code.players(s):
                total += of_one(s, player, action, at - total, frame, kind)
    return total


def of_one(s: Position, player: int, action: ActionCode, at: int, frame: Frame, kind: str) -> int:
    """How many lawful moves of an action there are; number `at` is made, if it is one of them."""
    number = ways(s, player, action)
    if 0 <= at < number:
        carry_out(s, player, action, at)
        frame.pc = MOVED
        frame.mover = NOBODY if action.anytime or (kind == "trick" and not action.is_play) else player
        frame.mark = s.mark
        if s.mark == PASSED and frame.mover == NOBODY:
            frame.mover = player
        s.mark = GO
    return number


TWINS: dict[Any, Any] = {legal.actors: actors, playouts.choose_any: choose, playouts.make_any: move}
"""Function of the Python lane -> what is compiled in its stead."""
