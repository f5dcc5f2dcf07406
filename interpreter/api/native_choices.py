"""How a move is chosen at random in machine code: counted first, then found by its number; no moves are listed.

Each function does what one of the Python lane does, which it stands for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.api import playouts
from interpreter.compiler.native.twins import any_number, settled
from interpreter.engine import legal
from interpreter.engine.available import may_move
from interpreter.engine.budget import charge
from interpreter.engine.chance import Dice
from interpreter.engine.frames import GO, MOVED, NOBODY, NOWHERE, PASSED, WAIT, Frame, is_running
from interpreter.engine.machine import advance
from interpreter.engine.members import sets_from
from interpreter.engine.moves import choices_of, nth_choice
from interpreter.engine.packets import bits, nth_card
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, Program, RuleError, StageCode

MOST_NAMES = 60
"""Names of actions that are open at any time, each of them a bit."""


def actors(s: Position) -> list[int]:
    """`legal.actors`."""
    frame = s.stack[-1]
    stage = s.program.stages[frame.stage]
    if stage.kind in ("turn", "trick"):
        return [s.current]
    if stage.kind == "race":
        return racers(s, stage)
    return asked_by(s, frame)


def asked_by(s: Position, frame: Frame) -> list[int]:
    """Who is still asked, in order."""
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
    """How many lawful moves of an action there are, equal cards told apart as its function of counting does.

    Raises RuleError for those that the Python lane lists.
    """
    if action.shape == "args" and action.count is not None:
        return action.count(s, player)
    offered = action.legal(s, player)
    if action.shape == "card":
        return faces_of(s, offered).bit_count() if type(offered) is int else len(offered)
    if action.shape == "none":
        return 1 if offered else 0
    if action.shape == "cards":
        _, number = choices_of(len(bits(offered[0])), offered[1], offered[2])
        if number and s.program.multi:
            raise RuleError("several cards of which some are equal")
        return judged(s, player, action, offered, -1)[0] if action.joint else number
    return len(offered)


def faces_of(s: Position, cards: int) -> int:
    """The first copies of cards, as bits."""
    if not s.program.multi:
        return cards
    found = 0
    for card in bits(cards):
        found |= 1 << s.program.first_copy[card]
    return found


def nth_face(s: Position, cards: int, at: int) -> int:
    """The card at a place among cards kept as bits, equal ones once: the first of those that are there."""
    face = nth_card(faces_of(s, cards), at)
    return nth_card(cards & s.program.copies[face], 0) if s.program.multi else face


def judged(s: Position, player: int, action: ActionCode, offered: Any, at: int) -> tuple[int, Sequence[int]]:
    """How many choices of several cards break no law, and the one of a number.

    Raises RuleError if there are too many.
    """
    cards = bits(offered[0])
    found = 0
    chosen: Sequence[int] = []
    _, number = choices_of(len(cards), offered[1], offered[2])
    if number > action.most:
        raise RuleError("more choices than can be listed")
    charge(s, number * action.each)
    for tried in sets_from(cards, offered[1], offered[2]):
        if not action.broken(s, player, tried):
            if found == at:
                chosen = tried
            found += 1
    return found, chosen


@settled
def is_listed_alike(action: ActionCode, multi: bool) -> bool:
    """Whether the moves that are listed of an action are those that it offers: each has a name of its own."""
    if action.renamed and any(param.otherwise is not None or param.form == "text" for param in action.params):
        return False
    cards = [param for param in action.params if param.form == "cards"]
    added = any(param.form == "cards" for row in action.rows for param in row)
    single = len(cards) <= 1 and not any(param.several or param.blind or param.placed for param in cards)
    return not (multi and action.renamed) or (single and not added)


def carry_out(s: Position, player: int, action: ActionCode, at: int) -> None:
    """Carry out a lawful move of an action by its number."""
    if action.measured:
        carry_out_measured(s, player, action, at)
        return
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
        action.apply(s, player, nth_face(s, offered, at) if type(offered) is int else offered[at])
    elif action.shape == "cards" and action.joint:
        _, cards = judged(s, player, action, offered, at)
        s.spent = 0
        action.apply(s, player, cards)
    elif action.shape == "cards":
        action.apply(s, player, nth_choice(bits(offered[0]), offered[1], offered[2], at))
    else:
        action.apply(s, player, *offered[at])


def carry_out_measured(s: Position, player: int, action: ActionCode, at: int) -> None:
    """`carry_out`, of an action in which something is measured: in bulk Python draws that."""
    raise RuleError("what is measured")


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
    total = open_ways(s, player, any_number(-1))
    if not total:
        raise RuleError("nothing can be done")
    at = dice.below(total) if total > 1 else 0
    s.tick += 1
    s.spent = 0
    open_ways(s, player, any_number(at))
    go_on(s)


def go_on(s: Position) -> None:
    """`playing.make`, once a move has been carried out."""
    frame = s.stack[-1]
    stage = s.program.stages[frame.stage]
    if frame.pc == MOVED and not s.calls and s.jump == NOWHERE:
        stage.after(s, frame, stage)
    if frame.pc != WAIT or s.calls or s.jump != NOWHERE or s.stack[-1] is not frame:
        advance(s)


def open_ways(s: Position, player: int, at: int) -> int:
    """How many lawful moves a player has. at: the number of one that is made; -1: none."""
    frame = s.stack[-1]
    total = own_ways(s, player, at, frame)
    return open_around(s, player, at, total, frame) if anything_around(s.program) else total


def own_ways(s: Position, player: int, at: int, frame: Frame) -> int:
    """The moves of the stage that waits."""
    total = 0
    stage = s.program.stages[frame.stage]
    mine = may_move(s, player, frame, stage)
    for action in stage.actions:
        if mine and not action.talk:
            total += of_one(s, player, action, at - total, frame, stage.kind == "trick")
    return total


@settled
def anything_around(program: Program) -> bool:
    """Whether stages have actions that are open at any time while others wait."""
    return any(stage.anytime for stage in program.stages)


@settled
def bits_of_names(program: Program) -> tuple[int, ...]:
    """Of each stage what its actions are called, as bits: one for each name of an action that is open at any time.

    Raises RuleError for more names than bits.
    """
    names = _open_names(program)
    if len(names) > MOST_NAMES:
        raise RuleError("so many actions that are open at any time")
    return tuple(
        sum(1 << at for at, name in enumerate(names) if any(action.name == name for action in stage.actions))
        for stage in program.stages
    )


@settled
def bit_of_name(program: Program, name: str) -> int:
    """The bit of the name of an action that is open at any time."""
    return 1 << _open_names(program).index(name)


def _open_names(program: Program) -> list[str]:
    return list(dict.fromkeys(action.name for stage in program.stages for action in stage.anytime))


def open_around(s: Position, player: int, at: int, total: int, frame: Frame) -> int:
    """The moves of the stages around that are open at any time, added to those before."""
    names = bits_of_names(s.program)[frame.stage]
    trick = s.program.stages[frame.stage].kind == "trick"
    for place in range(len(s.stack) - 1, -1, -1):
        outer = s.stack[place]
        if is_running(outer):
            total, names = open_in(s, player, at, total, names, frame, trick, outer.stage)
            if s.program.stages[outer.stage].closed:
                break
    return total


def open_in(
    s: Position, player: int, at: int, total: int, names: int, frame: Frame, trick: bool, number: int
) -> tuple[int, int]:
    """The moves of one stage around, added to those before, and the names, as bits, of which there is one by then."""
    code = s.program.stages[number]
    for action in code.anytime:
        bit = bit_of_name(s.program, action.name)
        if not names & bit:
            names |= bit
            if not action.talk and player in code.players(s):
                total += of_one(s, player, action, at - total, frame, trick)
    return total, names


def of_one(s: Position, player: int, action: ActionCode, at: int, frame: Frame, trick: bool) -> int:
    """How many lawful moves of an action there are; number `at` is made, if it is one of them."""
    number = ways(s, player, action)
    if number and not is_listed_alike(action, s.program.multi):
        raise RuleError("moves that are listed")
    if 0 <= at < number:
        carry_out(s, player, action, at)
        frame.pc = MOVED
        frame.mover = NOBODY if action.anytime or (trick and not action.is_play) else player
        frame.mark = s.mark
        if s.mark == PASSED and frame.mover == NOBODY:
            frame.mover = player
        s.mark = GO
    return number


TWINS: dict[Any, Any] = {legal.actors: actors, playouts.choose_any: choose, playouts.make_any: move}
"""Function of the Python lane -> what is compiled in its stead."""
