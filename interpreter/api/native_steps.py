"""Play step by step as machine code: what is compiled, and moves made of what it tells.

Each of the functions does what one of the engine does, which it stands for, to a match without a log.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from interpreter.api import native_lane
from interpreter.api.native_choices import (
    TWINS,
    actors,
    anything_around,
    bit_of_name,
    bits_of_names,
    carry_out_measured,
    count_open,
    faces_of,
    judged,
    make_open,
    no_numbers,
    nth_face,
    ways,
)
from interpreter.base.memory import no_collecting
from interpreter.compiler.native.twins import asked_beforehand
from interpreter.engine import legal
from interpreter.engine.available import may_move
from interpreter.engine.budget import charge
from interpreter.engine.chance import MASK
from interpreter.engine.frames import GO, Frame, is_running
from interpreter.engine.machine import advance, go_on
from interpreter.engine.members import sets_from
from interpreter.engine.moves import Choices, Move, choices_of, nth_choice
from interpreter.engine.naming import card_named
from interpreter.engine.notation import build, params_of, value_text, written
from interpreter.engine.packets import bits
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, ParamCode, Program
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.standing import places, scores, winners
from interpreter.engine.start import fresh

if TYPE_CHECKING:
    from interpreter.api.settled import Settled
    from interpreter.compiler.native.stepping import Base, Steps

OVER, SEVERAL = 0, -1
"""In place of the player who decides, and 1: nobody does; it has to be asked who."""
NONE = -(1 << 63)
"""How machine code writes that a value is none."""
ONE_WORD = 60
"""Cards whose bits are told in one word."""
ENOUGH = 4_000_000
"""Moves that quick machine code has made after which good one is made: so many pay for it, and more are likely to
come."""
MOST_KEPT = 10_000
"""How many lists of moves are kept, to be offered again."""


def lay_down(s: Position, value: object) -> None:
    """Tell a number or none, or how many members a list has, then each of them; machine code alone does that."""


def lay_down_cards(s: Position, cards: int) -> None:
    """Tell bits of cards, always in the same number of words, the lowest first; machine code alone does that."""


# ---- what is compiled -------------------------------------------------------------------------------------


def begin(s: Position) -> None:
    """`start.start`, where nothing is fixed but the seed."""
    s.stack.append(Frame(s.program.by_stage["match"]))
    advance(s)
    lay_down(s, who_decides(s))


def who_decides(s: Position) -> int:
    """`legal.actors`, where that is one player and found at once: the player and 1. Else OVER or SEVERAL."""
    if s.over:
        return OVER
    frame = s.stack[-1]
    kind = s.program.stages[frame.stage].kind
    if kind in ("turn", "trick"):
        return s.current + 1
    if kind == "race":
        return SEVERAL
    found = SEVERAL
    asked = frame.pending & (1 << s.program.n) - 1
    if asked and not asked & asked - 1:
        for player in bits(asked):
            found = player + 1
    return found


def all_actors(s: Position) -> None:
    """`legal.actors`."""
    lay_down(s, () if s.over else actors(s))


def make(s: Position, player: int, at: int) -> None:
    """`playing.play`, of a lawful move by its number."""
    s.spent = 0
    s.tick += 1
    numbers = no_numbers(s)
    if at >= count_open(s, player, numbers):
        raise RuleError("no such move")
    s.spent = 0
    make_open(s, player, at, numbers)
    go_on(s, s.stack[-1])
    lay_down(s, who_decides(s))


def carry_out_least(s: Position, player: int, action: ActionCode, at: int) -> None:
    """`carrying.carry_out` of a move with which no measures are given: they are the least then."""
    args = chosen(s, player, action, at)
    measures = least(s, player, action, args, 0)
    s.mark, s.spent = GO, 0
    action.apply(s, player, *args, *measures)


def chosen(s: Position, player: int, action: ActionCode, at: int) -> Any:
    """The arguments of a lawful move by its number."""
    if action.shape == "args" and action.nth is not None:
        return action.nth(s, player, at)
    offered = action.legal(s, player)
    if action.shape == "none":
        return ()
    if action.shape == "card":
        return (nth_face(s, offered, at) if type(offered) is int else offered[at],)
    if action.shape == "cards":
        if action.joint:
            return (judged(s, player, action, offered, at)[1],)
        return (nth_choice(bits(offered[0]), offered[1], offered[2], at),)
    return offered[at]


def least(s: Position, player: int, action: ActionCode, args: Any, at: int) -> Any:
    """The least of what is measured, from one measure on. Raises RuleError where it is above the most."""
    if at == len(action.measured):
        return ()
    low, high = action.measured[at][1](s, player, *args)
    if low > high:
        raise RuleError("the least of a measure is above its most")
    return (low, *least(s, player, action, args, at + 1))


def offers(s: Position, player: int) -> None:
    """`legal.legal_moves`: the number of each action that offers something, and what that is.

    The moves are those that `count_open` goes through, in that order.
    """
    s.spent = 0
    frame = s.stack[-1]
    offer_own(s, player, frame)
    if anything_around(s.program):
        offer_around(s, player, frame)


def offer_own(s: Position, player: int, frame: Frame) -> None:
    """The moves of the stage that waits."""
    stage = s.program.stages[frame.stage]
    mine = may_move(s, player, frame, stage)
    for action in stage.actions:
        if mine and not action.talk:
            offer_of(s, player, action)


def offer_around(s: Position, player: int, frame: Frame) -> None:
    """The moves of the stages around that are open at any time."""
    names = bits_of_names(s.program)[frame.stage]
    for place in range(len(s.stack) - 1, -1, -1):
        outer = s.stack[place]
        if is_running(outer):
            names = offer_in(s, player, names, outer.stage)
            if s.program.stages[outer.stage].closed:
                break


def offer_in(s: Position, player: int, names: int, number: int) -> int:
    """The moves of one stage around; the names, as bits, of which there is an action by then."""
    code = s.program.stages[number]
    for action in code.anytime:
        bit = bit_of_name(s.program, action.name)
        if not names & bit:
            names |= bit
            if not action.talk and player in code.players(s):
                offer_of(s, player, action)
    return names


def offer_of(s: Position, player: int, action: ActionCode) -> None:
    """`legal.moves_of`. Raises RuleError for moves that cannot be made of what is told, or made without a body."""
    if not is_told(action, s.program.multi):
        if ways(s, player, action):
            raise RuleError("moves that are listed")
        return
    offered = action.legal(s, player)
    if not offered:
        return
    if action.shape == "none":
        lay_down(s, number_of(s.program, action))
    elif action.shape == "card":
        lay_down(s, number_of(s.program, action))
        lay_down_cards(s, faces_of(s, offered))
    elif action.shape == "cards":
        _, number = choices_of(len(bits(offered[0])), offered[1], offered[2])
        if number and s.program.multi:
            raise RuleError("several cards of which some are equal")
        if action.joint:
            offer_judged(s, player, action, offered, number)
        elif number:
            lay_down(s, number_of(s.program, action))
            lay_down_cards(s, offered[0])
            lay_down(s, offered[1])
            lay_down(s, offered[2])
    elif is_row_told(action):
        offer_rows(s, player, action, offered)
    elif is_name_told(action):
        offer_names(s, player, action, offered)
    else:
        lay_down(s, number_of(s.program, action))
        lay_down(s, offered)


def offer_rows(s: Position, player: int, action: ActionCode, offered: Any) -> None:
    """Arguments, each behind the number of the row that its card takes."""
    lay_down(s, number_of(s.program, action))
    lay_down(s, len(offered))
    row: Any = action.row
    for args in offered:
        lay_down(s, row(s, player, *args[: len(action.params)]))
        lay_down(s, args)


def offer_names(s: Position, player: int, action: ActionCode, offered: Any) -> None:
    """`naming.moves`: arguments as the player names them, each of these another move."""
    lay_down(s, number_of(s.program, action))
    lay_down(s, len(offered))
    for args in offered:
        lay_down(s, named(s, player, action, args, 0))


def named(s: Position, player: int, action: ActionCode, args: Any, at: int) -> Any:
    """`naming.named_args`, from one argument on."""
    if at == len(action.params):
        return ()
    param, value = action.params[at], args[at]
    if param.form == "cards" and value is not None:
        value = card_named(s, player, param, value)
    return (value, *named(s, player, action, args, at + 1))


def offer_judged(s: Position, player: int, action: ActionCode, offered: Any, number: int) -> None:
    """The choices of several cards that break no law, each by how many cards it has and these; then -1."""
    if number > action.most:
        raise RuleError("more choices than can be listed")
    charge(s, number * action.each)
    lay_down(s, number_of(s.program, action))
    for tried in sets_from(bits(offered[0]), offered[1], offered[2]):
        if not action.broken(s, player, tried):
            lay_down(s, tried)
    lay_down(s, -1)


def standing(s: Position) -> None:
    """`standing`: the stage that is going on, the scores, the winners, the places."""
    lay_down(s, -1 if s.over else s.stack[-1].stage)
    lay_down(s, scores(s))
    lay_down(s, winners(s))
    lay_down(s, places(s))


@asked_beforehand
def is_told(action: ActionCode, multi: bool) -> bool:
    """Whether moves of an action are made of what is told: arguments, or their names, and the row of a card; each of
    these is another move."""
    if is_name_told(action) and (multi or action.row is not None):
        return False
    params = (*action.params, *(param for row in action.rows for param in row))
    if action.shape == "args" and any(param.several for param in params):
        return False
    return action.listed_alike and all(param.form in PLAIN for param in params)


@asked_beforehand
def is_row_told(action: ActionCode) -> bool:
    """Whether the state decides whose row of `cards` a move takes, and so how it is named."""
    return action.row is not None and not action.steady


@asked_beforehand
def is_name_told(action: ActionCode) -> bool:
    """Whether the state decides how cards are called: by their places where they are not seen."""
    return action.renamed and not action.steady


@asked_beforehand
def number_of(program: Program, action: ActionCode) -> int:
    """The place of an action in `actions_of`."""
    return [one is action for one in actions_of(program)].index(True)


PLAIN = frozenset(("cards", "kinds", "players", "teams", "suits", "ranks", "flag", "zones", "tokens", "number"))
"""The forms of arguments that are numbers or, where they are several, lists of numbers."""
FUNCTIONS: dict[str, Callable[..., None]] = {
    "begin": begin, "make": make, "offers": offers, "actors": all_actors, "standing": standing,
}  # fmt: skip
STEP_TWINS: dict[Any, Any] = {**TWINS, carry_out_measured: carry_out_least}


# ---- moves of what is told --------------------------------------------------------------------------------


class StepLane:
    """The lane of a game. reason: why there is no machine code; "" where there is or may be.

    known: what was told -> the moves that were made of it. read: of each action, what is told of one move -> the move.
    kind: the class of its states. enough: moves after which the machine code is made good; None: it is, or there is
    none.
    """

    def __init__(self, program: Program) -> None:
        self.program, self.template = program, fresh(program)
        self.actions = actions_of(program)
        self.reason = ""
        self.steps: Steps | None = None
        self.kind: type[Any] = object
        self.known: dict[bytes, tuple[Move, ...]] = {}
        self.read: list[dict[Sequence[int], Move]] = [{} for _ in self.actions]
        self.enough: int | None = None

    def tables(self) -> tuple[tuple[tuple[Any, ...], ...], tuple[tuple[Any, ...], ...]]:
        """Of each action what makes its moves where it is alone, as `Steps.kind` takes it."""
        found: list[tuple[Any, ...]] = []
        makers: list[tuple[Any, ...]] = []
        cards = range(len(self.program.cards))
        for action in self.actions:
            fits = len(cards) <= ONE_WORD and is_told(action, self.program.multi)
            card, several = fits and action.shape == "card", fits and action.shape == "cards" and not action.joint
            found.append(tuple([self._move(action, (one,)) for one in cards]) if card else ())
            makers.append((legal.chooser(self.program, action),) if several else ())
        return tuple(found), tuple(makers)

    def moves(self, told: bytes) -> Sequence[Move]:
        """The moves that are told, as `legal.legal_moves` has them, where these are several lists as a tuple."""
        found = self.known.get(told)
        if found is not None:
            return found
        words = words_of(told)
        parts: list[Sequence[Move]] = []
        at, again = 0, True
        while at < len(words):
            number = words[at]
            again = again and self.actions[number].shape != "cards"  # those are seldom the same again
            part, at = self._of_action(number, words, at + 1)
            parts.append(part)
        if any([type(part) is Choices for part in parts]):
            return parts[0] if len(parts) == 1 else legal.together(parts)
        moves = tuple([move for part in parts for move in part])
        if again:
            if len(self.known) >= MOST_KEPT:
                self.known.clear()
            self.known[told] = moves
        return moves

    def _of_action(self, number: int, words: Sequence[int], at: int) -> tuple[Sequence[Move], int]:
        """The moves of an action, of which is told from a place on, and where the next begins."""
        action, program = self.actions[number], self.program
        if action.shape == "none":
            return (self._move(action, ()),), at
        if action.shape == "args":
            return self._of_args(number, words, at)
        if action.joint:
            one = legal.chooser(program, action)((), 0, 0).of
            found = []
            while (size := words[at]) >= 0:
                found.append(one(tuple(words[at + 1 : at + 1 + size])))
                at += 1 + size
            return found, at + 1
        after = at + words_for_cards(program)
        cards = bits(cards_from(words[at:after]))
        if action.shape == "card":
            return [self._move(action, (card,)) for card in cards], after
        return legal.chooser(program, action)(cards, words[after], words[after + 1]), after + 2

    def _of_args(self, number: int, words: Sequence[int], at: int) -> tuple[Sequence[Move], int]:
        """Each move by what is told of it: the row of a card if that is, how many arguments it has, and these."""
        action, known = self.actions[number], self.read[number]
        row, found = int(is_row_told(action)), []
        start = at + 1
        for _ in range(words[at]):
            end = start + row + 1 + words[start + row]
            one = words[start:end]
            move = known.get(one)
            if move is None:
                if len(known) >= action.keeps:
                    known.clear()
                args = tuple([None if word == NONE else word for word in one[row + 1 :]])
                if row:
                    move = self._of_row(action, one[0], args)
                elif is_name_told(action):
                    move = build(self.template, 0, action, typed(action.params, args))
                else:
                    move = self._move(action, args)
                known[one] = move
            found.append(move)
            start = end
        return found, start

    def _of_row(self, action: ActionCode, number: int, args: tuple[Any, ...]) -> Move:
        """`notation.build`, where the state says whose row it is: where it is made in Python its text is read."""
        params = (*action.params, *action.rows[-1 if number == NONE else number])
        args = typed(params, args)
        words = [value_text(self.program, param, arg) for param, arg in zip(params, args, strict=True)]
        return Move(action.name, args, written(action.name, filter(None, words)))

    def _move(self, action: ActionCode, args: tuple[Any, ...]) -> Move:
        found = action.interned.get(args)
        if found is None:
            s = self.template
            found = legal.interned(s, 0, action, typed(params_of(s, 0, action, args), args))
        return found


def typed(params: Sequence[ParamCode], args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arguments as Python has them: flags are told as numbers."""
    return tuple([bool(arg) if param.form == "flag" else arg for param, arg in zip(params, args, strict=True)])


def words_of(told: bytes) -> tuple[int, ...]:
    """Numbers that are told, behind how many there are."""
    return struct.unpack(f"{len(told) // 8}q", told)[1:]


def lists_of(words: Iterator[int]) -> list[int]:
    """A list, behind how many members it has."""
    return [next(words) for _ in range(next(words))]


def words_for_cards(program: Program) -> int:
    """How many words it takes to tell bits of cards: one, or as many as they and two bits more take."""
    cards = len(program.cards)
    return 1 if cards <= ONE_WORD else (cards + 2 + 63) // 64


def cards_from(words: Sequence[int]) -> int:
    """Bits of cards, from as many words as it takes."""
    if len(words) == 1:
        return words[0]
    return sum([(word & MASK) << 64 * at for at, word in enumerate(words)])


def actions_of(program: Program) -> list[ActionCode]:
    """The actions of a program, in an order that is always the same."""
    return [action for stage in program.stages for action in (*stage.actions, *stage.anytime)]


# ---- the lane -----------------------------------------------------------------------------------------------


@no_collecting()
def compiled_steps(game: Settled, lane: StepLane, base: Base, good: bool = False) -> None:
    """Make the machine code of a lane, and the class of its states; or note why that cannot be.

    base: what that class is made of. good: at once for whoever plays for long. What was begun with other machine code
    goes on with that.
    """
    if find_spec("llvmlite") is None:
        lane.reason = "llvmlite is not installed"
        return
    from interpreter.compiler.native.machine_code import GOOD, QUICK, digest_of_sources, made_of
    from interpreter.compiler.native.not_native import NotNative
    from interpreter.compiler.native.stepping import Steps, know_python

    program = game.program

    def module() -> str:
        from interpreter.compiler.native.step_entries import steps_for  # what prints it is not read where it is kept

        return steps_for(program, fresh(program), FUNCTIONS, STEP_TWINS)

    about = json.dumps(["steps", digest_of_sources(), game.header(), program.text])
    try:
        know_python()
        steps = Steps(made_of(module, about, native_lane.kept_in(), GOOD if good else QUICK))
        lane.kind = steps.kind(base, lane.known, lane.moves, *lane.tables())
        lane.steps = steps
        lane.enough = ENOUGH if steps.made.level < GOOD else None
    except NotNative as error:
        lane.reason = str(error)
    except RecursionError:
        lane.reason = "its rules go too deep"
