"""Trials of any moves as machine code: a bid, cards that are passed, a card that is laid or played somewhere.

`try_move` is one trial of `players.monte_carlo`, in which everybody decides as bots that think suppose: first by the
tree of the decision, then mostly what has paid in earlier trials. It is compiled. Moves are made by their numbers and
told apart by keys; `key_for` is the key of a move of the Python lane.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interpreter.api import native_choices
from interpreter.api.native_choices import (
    TWINS,
    actors,
    count_open,
    make_open,
    no_numbers,
    nth_face,
    ways,
)
from interpreter.api.native_steps import PLAIN, actions_of, chosen, least, number_of, offer_of, offers
from interpreter.api.native_worlds import GAINS, MADE, OVER, WON, shown, standings
from interpreter.compiler.native.habit_book import FEW, FREELY, key_of
from interpreter.compiler.native.meld_plans import KIND, Plan, plans
from interpreter.compiler.native.meld_search import any_face, faces_of
from interpreter.compiler.native.twins import asked_beforehand, put
from interpreter.engine.budget import charge
from interpreter.engine.chance import Dice
from interpreter.engine.frames import BEFORE_NEXT, GO
from interpreter.engine.machine import advance, go_on
from interpreter.engine.melds.combinations import Meld
from interpreter.engine.members import sets_from
from interpreter.engine.moves import Move, nth_choice
from interpreter.engine.naming import NAMING, card_named, looks_where
from interpreter.engine.packets import bits
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, ParamCode, Program
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.sight import watchers
from interpreter.engine.standing import winners

PICKED = MADE
"""Where in the row of a trial lies which move is picked, before the trial begins."""
TOLD = PLAIN | {"meld", "melds"}
"""The forms of arguments of which keys are made."""
NOT, ONLY, LEARNT = range(3)
"""What becomes of the key of a move that is made: it is not asked for, it is asked for, it is remembered besides."""


def begin_key(s: Position, value: object) -> None:
    """Begin the key of a move with the number of its stage; machine code alone does that, and all that follows."""


def note(s: Position, value: object) -> None:
    """Go on with it: a number or none, or how many members a list has, then each of them."""


def keep(s: Position, how: int) -> None:
    """Say what becomes of keys: NOT, ONLY or LEARNT."""


def kept(s: Position) -> int:  # type: ignore[empty-body]
    """What was said of that."""


def is_wanted(s: Position) -> bool:  # type: ignore[empty-body]
    """Whether the key is that of the move that is tried, where it is that."""


def want_any(s: Position) -> None:
    """From now on moves are made that were chosen in the trial."""


def count(s: Position, decisions: int) -> None:
    """Count decisions."""


def begin_keys(s: Position) -> None:
    """Begin to compare moves."""


def keep_key(s: Position) -> None:
    """The key is that of the next of the moves that are compared."""


def unknown_keys(s: Position) -> int:  # type: ignore[empty-body]
    """How many of these were never made."""


def nth_unknown(s: Position, number: int) -> int:  # type: ignore[empty-body]
    """Which of these is that of a number among those that were never made."""


def best_known(s: Position) -> int:  # type: ignore[empty-body]
    """Which of these has paid best on average, if all were made."""


def remember(s: Position, player: int, stage: int) -> None:
    """A player makes the move of the key; what that brings is learnt when the trial is over."""


def tally(s: Position, steps: int) -> None:
    """Count the steps that it has taken to find moves."""


def climbs(s: Position) -> bool:  # type: ignore[empty-body]
    """Whether the trial is still in the tree."""


def leave(s: Position) -> None:
    """The trial leaves the tree."""


def reach(s: Position, player: int) -> None:
    """The moves that are compared are those of a player: each now stands for the node that it leads to."""


def follow(s: Position) -> None:
    """There is one move alone, and it is made."""


def fresh_nodes(s: Position) -> int:  # type: ignore[empty-body]
    """How many of these nodes were never reached; it is noted that all of them could be."""


def nth_fresh(s: Position, number: int) -> int:  # type: ignore[empty-body]
    """Which of these is that of a number among those that were never reached."""


def best_node(s: Position) -> int:  # type: ignore[empty-body]
    """Which of these has the highest bound, if all were reached before."""


def take(s: Position, player: int, at: int) -> None:
    """A player makes the move that leads to one of these."""


# ---- what is compiled ---------------------------------------------------------------------------------------


def try_move(s: Position, dice: Dice, player: int, at: int, deal: int, deals: int, limit: int, pays: bool) -> None:
    """Make a move by its number and play on to the end of the deal, after which the match may end.

    deal: the stage whose runs are deals, of which so many may end;
    limit: of decisions after the first. pays: whether the move is remembered. Raises RuleError for another move than
    is meant.
    """
    before: list[int] = []
    for value in standings(s):
        before.append(value)
    keep(s, LEARNT if pays else ONLY)
    count(s, 1)
    s.spent = 0
    numbers = no_numbers(s)
    if at >= count_open(s, player, numbers):
        raise RuleError("no such move")
    if s.program.stages[s.stack[-1].stage].kind == "race":
        leave(s)
    make(s, player, at, numbers)
    want_any(s)
    s.halt_after = (deal, deals)
    play_on(s, dice, limit)
    if s.halted:
        s.halted = False
        s.halt_after = (deal, BEFORE_NEXT)
        advance(s)
    put(s, OVER, s.over)
    won = 0
    for one in winners(s):
        won |= 1 << one
    put(s, WON, won)
    place = 0
    for value in standings(s):
        put(s, GAINS + place, value - before[place])
        place += 1
    for team in s.teams:
        put(s, GAINS + place, team)
        place += 1


def pick_first(s: Position, dice: Dice, total: int) -> None:
    """Pick the move that is tried among those that are compared."""
    put(s, PICKED, pick_compared(s, dice, total))


def play_on(s: Position, dice: Dice, limit: int) -> None:
    """`monte_carlo.Thought._play_on`."""
    made = 0
    while not s.over and not s.halted and made < limit:
        frame = s.stack[-1]
        stage = s.program.stages[frame.stage]
        if stage.kind == "trick" and stage.playout is not None and not climbs(s):
            found = stage.playout(s, frame, dice, limit - made)
            if not found:
                break
            made += found
            count(s, found)
        else:
            if not decide(s, dice, stage.kind == "trick"):
                break
            made += 1


def decide(s: Position, dice: Dice, trick: bool) -> bool:
    """Let somebody decide; whether anybody could."""
    who = actors(s)
    if not len(who):
        return False
    player = who[dice.below(len(who))]
    s.spent = 0
    numbers = no_numbers(s)
    total = count_open(s, player, numbers)
    tally(s, s.spent)
    if not total:
        return False
    few = total <= FEW and not trick
    at = climb(s, player, dice, total) if climbs(s) else -1
    if at < 0:
        at = pick(s, player, dice, total) if few and total > 1 else dice.below(total)
    keep(s, LEARNT if few else NOT)
    count(s, 1)
    make(s, player, at, numbers)
    return True


def climb(s: Position, player: int, dice: Dice, total: int) -> int:
    """`tree_walk.Walk.move`; -1 where the trial leaves the tree."""
    if total > FEW or s.program.stages[s.stack[-1].stage].kind == "race":
        leave(s)
        return -1
    begin_keys(s)
    offers(s, player)
    reach(s, player)
    if total == 1:
        follow(s)
        return 0
    fresh = fresh_nodes(s)
    at = nth_fresh(s, dice.below(fresh)) if fresh else best_node(s)
    take(s, player, at)
    return at


def pick(s: Position, player: int, dice: Dice, total: int) -> int:
    """`monte_carlo.Thought._pick`, of few moves that are no plays to a trick."""
    if not dice.below(FREELY):
        return dice.below(total)
    begin_keys(s)
    offers(s, player)
    return paid(s, dice)


def pick_compared(s: Position, dice: Dice, total: int) -> int:
    """`pick`, where the keys are there already."""
    return paid(s, dice) if dice.below(FREELY) else dice.below(total)


def paid(s: Position, dice: Dice) -> int:
    """One of the moves that are compared that was never made, or else what has paid best."""
    fresh = unknown_keys(s)
    return nth_unknown(s, dice.below(fresh)) if fresh else best_known(s)


def make(s: Position, player: int, at: int, numbers: list[int]) -> None:
    """`playing.make`, of a lawful move by its number. numbers: how many there are of each action."""
    s.tick += 1
    s.spent = 0
    make_open(s, player, at, numbers)
    go_on(s, s.stack[-1])


def carry_out(s: Position, player: int, action: ActionCode, at: int) -> None:
    """`native_choices.carry_out`; what is measured is the least."""
    args = chosen(s, player, action, at)
    if kept(s):
        begin_key(s, s.stack[-1].stage)
        note_move(s, player, action, args)
        if not is_wanted(s):
            raise RuleError("another move")
        if kept(s) == LEARNT:
            remember(s, player, s.stack[-1].stage)
    if action.measured:
        measures = least(s, player, action, args, 0)
        s.mark, s.spent = GO, 0
        action.apply(s, player, *args, *measures)
    else:
        s.mark, s.spent = GO, 0
        action.apply(s, player, *args)


def listed(s: Position, player: int, action: ActionCode) -> int:
    """`native_choices.listed`, of moves whose names take steps: of `legal.moves_of`."""
    number = ways(s, player, action)
    if number and takes_names(action):
        charge(s, number * (NAMING + len(s.z)))
        if asks_who_sees(action):
            charge(s, len(s.z) + len(s.program.cards))
            for place in range(len(s.z)):
                watchers(s, place)
    return number


@asked_beforehand
def takes_names(action: ActionCode) -> bool:
    """Whether it is counted that players name the arguments otherwise than the game."""
    return action.shape == "args" and action.renamed and not action.steady


@asked_beforehand
def asks_who_sees(action: ActionCode) -> bool:
    """`naming.looks_where`."""
    return looks_where(action)


def note_each(s: Position, player: int, action: ActionCode) -> None:
    """The keys of all lawful moves of an action, in their order."""
    number = ways(s, player, action)
    if number:
        note_some(s, player, action, number)


def note_some(s: Position, player: int, action: ActionCode, number: int) -> None:
    """The keys of so many moves."""
    stage = s.stack[-1].stage
    if action.shape == "args" and action.nth is not None and not chooses_melds(action):
        for at in range(number):
            note_one(s, player, action, action.nth(s, player, at), stage)
    else:
        offered = action.legal(s, player)
        if action.shape == "none":
            note_one(s, player, action, (), stage)
        elif action.shape == "card":
            for at in range(number):
                note_one(s, player, action, (nth_face(s, offered, at),), stage)
        elif action.shape == "cards" and action.joint:
            for tried in sets_from(bits(offered[0]), offered[1], offered[2]):
                if not action.broken(s, player, tried):
                    note_one(s, player, action, (tried,), stage)
        elif action.shape == "cards":
            for at in range(number):
                note_one(s, player, action, (nth_choice(bits(offered[0]), offered[1], offered[2], at),), stage)
        else:
            for args in offered:
                note_one(s, player, action, args, stage)


@asked_beforehand
def chooses_melds(action: ActionCode) -> bool:
    """Whether melds are chosen, which are looked for once and not for each number."""
    return any(param.kinds for param in action.params)


def note_one(s: Position, player: int, action: ActionCode, args: Any, stage: int) -> None:
    """The key of one move."""
    begin_key(s, stage)
    note_move(s, player, action, args)
    keep_key(s)


def note_move(s: Position, player: int, action: ActionCode, args: Any) -> None:
    """What follows the stage in the key of a move; `words_of`. Raises RuleError for a move that has none."""
    if not is_noted(action, s.program.multi):
        raise RuleError("a move that is not told as numbers")
    note(s, number_of(s.program, action))
    note_params(s, player, action, args, 0)
    if action.row is not None:
        note(s, args[len(action.params) :])


def note_params(s: Position, player: int, action: ActionCode, args: Any, at: int) -> Any:
    """The arguments from one on, as moves name them."""
    if at == len(action.params):
        return ()
    param, value = action.params[at], args[at]
    if param.form == "meld" and value is not None:
        note_meld(s, value)
    elif param.form == "melds" and value is not None:
        note(s, len(value))
        for meld in value:
            note_meld(s, meld)
    elif param.form == "cards" and not param.several and value is not None:
        if action.renamed:
            note(s, card_named(s, player, param, value))
        else:
            note(s, s.program.first_copy[value])
    else:
        note(s, value)
    return note_params(s, player, action, args, at + 1)


def note_meld(s: Position, meld: Any) -> None:
    """A meld, as it shows its cards."""
    face = any_face(meld[0])
    note_shown(s, plans(s.program)[face >> KIND], face, meld[1])


def note_shown(s: Position, plan: Plan, face: int, cards: int) -> None:
    note(s, faces_of(s.program, plan, face, cards))


@asked_beforehand
def is_noted(action: ActionCode, multi: bool) -> bool:
    """Whether the arguments of moves of an action are numbers, of which equal moves have equal ones."""
    added = [param for row in action.rows for param in row]
    params: list[ParamCode] = [*action.params, *added]
    if action.shape == "args" and any(param.several for param in params):
        return False
    if multi and any(param.form == "cards" for param in added):
        return False
    return action.listed_alike and all(param.form in TOLD for param in params)


ATTEMPT_TWINS: dict[Any, Any] = {
    **TWINS, native_choices.carry_out: carry_out, native_choices.listed: listed, offer_of: note_each
}  # fmt: skip
"""Function -> what is compiled in its stead."""


# ---- keys of moves of the Python lane -----------------------------------------------------------------------


def key_for(program: Program, stage: int, move: Move, numbers: Mapping[int, int]) -> int | None:
    """The key of a move that is made in a stage; None if it has none. numbers: `numbers_by_action`."""
    action = _maker(program, stage, move)
    number = None if action is None else numbers.get(id(action))
    if action is None or number is None or not is_noted(action, program.multi):
        return None
    return key_of([stage, number, *_words(program, action, move.args)])


def known_as(program: Program, stage: int, move: Move) -> tuple[int, object]:
    """As what a move that is made in a stage is known in the Python lane; what has equal keys is known as the same.

    Mostly that is its text. Where a row adds to what is chosen, a text may mean one thing with one row and another with
    another, and two texts the same.
    """
    action = _maker(program, stage, move)
    if action is None or action.row is None or not is_noted(action, program.multi):
        return stage, move.text
    return stage, (action.name, *_words(program, action, move.args))


def _maker(program: Program, stage: int, move: Move) -> ActionCode | None:
    """The action of a move that is made in a stage."""
    return move.maker if isinstance(move.maker, ActionCode) else _action_called(program, stage, move.action)


def _action_called(program: Program, stage: int, name: str) -> ActionCode | None:
    """The action of a name in a stage, or the only one that is open there at any time."""
    own = [action for action in program.stages[stage].actions if action.name == name]
    found = own or [action for code in program.stages for action in code.anytime if action.name == name]
    return found[0] if own or len(found) == 1 else None


def numbers_by_action(program: Program) -> dict[int, int]:
    """The number of each action, by its identity."""
    found: dict[int, int] = {}
    for number, action in enumerate(actions_of(program)):
        found.setdefault(id(action), number)
    return found


def _words(program: Program, action: ActionCode, args: Sequence[Any]) -> Iterator[int | None]:
    many = len(action.params)
    for value in args[:many]:
        yield from _of_value(program, value)
    if action.row is not None:
        yield len(args) - many
        for value in args[many:]:
            yield from _of_value(program, value)


def _of_value(program: Program, value: Any) -> Iterator[int | None]:
    if isinstance(value, Meld):
        yield from _of_meld(program, value)
    elif isinstance(value, tuple):
        yield len(value)
        for one in value:
            yield from _of_value(program, one)
    else:
        yield value


def _of_meld(program: Program, meld: Meld) -> Iterator[int]:
    yield len(meld.cards)
    yield from shown(program, meld)
