"""How a move is chosen at random in machine code: counted first, then found by its number; no moves are listed.

Each function does what one of the Python lane does, which it stands for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.api import random_play
from interpreter.compiler.native.twins import any_number, asked_beforehand
from interpreter.engine import legal
from interpreter.engine.available import may_move
from interpreter.engine.budget import charge
from interpreter.engine.chance import Dice
from interpreter.engine.frames import GO, MOVED, NOBODY, PASSED, Frame, is_running
from interpreter.engine.machine import go_on
from interpreter.engine.members import sets_from
from interpreter.engine.moves import choices_of, nth_choice
from interpreter.engine.packets import bits, nth_card
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, Program, StageCode
from interpreter.engine.rule_errors import RuleError

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


def listed(s: Position, player: int, action: ActionCode) -> int:
    """`ways`, of moves that somebody looks at."""
    return ways(s, player, action)


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
    """`random_play.choose_any`."""
    numbers = no_numbers(s)
    total = 0
    for action in stage.within:
        number = ways(s, player, action)
        numbers.append(number)
        total += number
    if not total:
        raise RuleError("nothing can be done")
    at = dice.below(total) if total > 1 else 0
    s.spent = 0
    for action, number in zip(stage.within, numbers, strict=True):
        if at < number:
            carry_out(s, player, action, at)
            return not (action.anytime or (stage.kind == "trick" and not action.is_play))
        at -= number
    return False


def no_numbers(s: Position) -> list[int]:
    """A list with room for a number for each action that can be open at once."""
    numbers = [any_number(0)] * most_open(s.program)
    numbers.clear()
    return numbers


@asked_beforehand
def most_open(program: Program) -> int:
    """How many actions can be open at once, at most."""
    around = sum(len(stage.anytime) for stage in program.stages)
    return around + max(max(len(stage.actions), len(stage.within)) for stage in program.stages)


def move(s: Position, player: int, dice: Dice) -> None:
    """`random_play.make_any`."""
    s.spent = 0
    numbers = no_numbers(s)
    total = count_open(s, player, numbers)
    if not total:
        raise RuleError("nothing can be done")
    at = dice.below(total) if total > 1 else 0
    s.tick += 1
    s.spent = 0
    make_open(s, player, at, numbers)
    go_on(s, s.stack[-1])


def count_open(s: Position, player: int, numbers: list[int]) -> int:
    """How many lawful moves a player has. numbers: learns how many of each action there are, one after the other."""
    frame = s.stack[-1]
    total = count_own(s, player, numbers, frame)
    return count_around(s, player, numbers, total, frame) if anything_around(s.program) else total


def make_open(s: Position, player: int, at: int, numbers: list[int]) -> None:
    """Carry out a lawful move by its number. numbers: what `count_open` has told of them."""
    frame = s.stack[-1]
    at, place = make_own(s, player, at, numbers, frame)
    if anything_around(s.program) and at >= 0:
        make_around(s, player, at, numbers, place, frame)


def count_own(s: Position, player: int, numbers: list[int], frame: Frame) -> int:
    """The moves of the stage that waits."""
    total = 0
    stage = s.program.stages[frame.stage]
    mine = may_move(s, player, frame, stage)
    for action in stage.actions:
        if not action.talk:
            number = ways_listed(s, player, action) if mine else 0
            numbers.append(number)
            total += number
    return total


def make_own(s: Position, player: int, at: int, numbers: list[int], frame: Frame) -> tuple[int, int]:
    """Carry out one of the moves of the stage that waits.

    Returns the number of the move among those that follow, -1 if it was one of these, and how many actions there were.
    """
    place = 0
    stage = s.program.stages[frame.stage]
    for action in stage.actions:
        if not action.talk:
            number = numbers[place]
            if at < number:
                make_one(s, player, action, at, frame, stage.kind == "trick")
                return -1, place
            at -= number
            place += 1
    return at, place


@asked_beforehand
def anything_around(program: Program) -> bool:
    """Whether stages have actions that are open at any time while others wait."""
    return any(stage.anytime for stage in program.stages)


@asked_beforehand
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


@asked_beforehand
def bit_of_name(program: Program, name: str) -> int:
    """The bit of the name of an action that is open at any time."""
    return 1 << _open_names(program).index(name)


def _open_names(program: Program) -> list[str]:
    return list(dict.fromkeys(action.name for stage in program.stages for action in stage.anytime))


def count_around(s: Position, player: int, numbers: list[int], total: int, frame: Frame) -> int:
    """The moves of the stages around that are open at any time, added to those before."""
    names = bits_of_names(s.program)[frame.stage]
    for place in range(len(s.stack) - 1, -1, -1):
        outer = s.stack[place]
        if is_running(outer):
            total, names = count_in(s, player, numbers, total, names, outer.stage)
            if s.program.stages[outer.stage].closed:
                break
    return total


def count_in(s: Position, player: int, numbers: list[int], total: int, names: int, number: int) -> tuple[int, int]:
    """The moves of one stage around, added to those before, and the names, as bits, of which there is one by then."""
    code = s.program.stages[number]
    for action in code.anytime:
        bit = bit_of_name(s.program, action.name)
        if not names & bit:
            names |= bit
            if not action.talk and player in code.players(s):
                found = ways_listed(s, player, action)
                numbers.append(found)
                total += found
            else:
                numbers.append(0)
    return total, names


def make_around(s: Position, player: int, at: int, numbers: list[int], first: int, frame: Frame) -> None:
    """Carry out one of the moves of the stages around. first: where what was told of them begins."""
    names = bits_of_names(s.program)[frame.stage]
    trick = s.program.stages[frame.stage].kind == "trick"
    for place in range(len(s.stack) - 1, -1, -1):
        outer = s.stack[place]
        if at >= 0 and is_running(outer):
            at, first, names = make_in(s, player, at, numbers, first, names, frame, trick, outer.stage)


def make_in(
    s: Position, player: int, at: int, numbers: list[int], first: int, names: int, frame: Frame, trick: bool,
    number: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Carry out one of the moves of one stage around; what is left as in `make_own`, and the names as bits."""
    code = s.program.stages[number]
    for action in code.anytime:
        bit = bit_of_name(s.program, action.name)
        if not names & bit:
            names |= bit
            if at < numbers[first]:
                make_one(s, player, action, at, frame, trick)
                return -1, first, names
            at -= numbers[first]
            first += 1
    return at, first, names


def ways_listed(s: Position, player: int, action: ActionCode) -> int:
    """How many lawful moves of an action there are. Raises RuleError where these are not those that are listed."""
    number = listed(s, player, action)
    if number and not action.listed_alike:
        raise RuleError("moves that are listed")
    return number


def make_one(s: Position, player: int, action: ActionCode, at: int, frame: Frame, trick: bool) -> None:
    """Carry out a lawful move of an action by its number, and note whose it was."""
    carry_out(s, player, action, at)
    frame.pc = MOVED
    frame.mover = NOBODY if action.anytime or (trick and not action.is_play) else player
    frame.mark = s.mark
    if s.mark == PASSED and frame.mover == NOBODY:
        frame.mover = player
    s.mark = GO


TWINS: dict[Any, Any] = {legal.actors: actors, random_play.choose_any: choose, random_play.make_any: move}
"""Function of the Python lane -> what is compiled in its stead."""
