"""The lane in which bots try moves: machine code where that is worth while and can be, else Python."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from interpreter.api import native_lane
from interpreter.api.native_attempts import ATTEMPT_TWINS, PICKED, numbers_by_action, pick_first, try_move
from interpreter.api.native_worlds import GAINS, MADE, OVER, WON, Slots, slots_of, world_maker
from interpreter.base.memory import no_collecting
from interpreter.compiler.native.not_native import AGAINST_RULES
from interpreter.engine.start import fresh

if TYPE_CHECKING:
    from interpreter.api.settled import Settled
    from interpreter.compiler.native.habit_book import Book
    from interpreter.compiler.native.search_tree import Tree
    from interpreter.compiler.native.trials import Trials
    from interpreter.engine.chance import Dice

PATIENCE = 1.0
"""Seconds that bots have tried moves of a game in Python before trials are compiled."""
ROOM = 1_000
"""Moves for which there is room in a book before trials are made."""
FIRST, TOO_MANY = 200, 0.5
"""Where of the first trials more than this share has to be made again in Python, all are."""


@dataclass(slots=True)
class TrialLane:
    """The lane of a game. seconds: of trials in Python. reason: why there is no machine code; "" where there may be.

    spent: seconds of trials as machine code, which is made good when quick code has run for so long that it pays.

    stages: by stage, the trials that were made as machine code, and those that had to be made again in Python.
    numbers: the number of each action, by its identity.
    """

    slots: Slots
    numbers: dict[int, int]
    seconds: float = 0.0
    spent: float = 0.0
    reason: str = ""
    built: Trials | None = None
    stages: dict[int, list[int]] = field(default_factory=dict)


class Trial(NamedTuple):
    """What came of a trial: decisions made, whether the match was over, who has won (bits), gains and teams.

    spent: the steps that it took to find moves. failed: whether the rules could not be carried out; then there are no
    gains.
    """

    made: int
    over: bool
    won: int
    gains: Sequence[int]
    teams: Sequence[int]
    spent: int = 0
    failed: bool = False


def trial_lane(game: Settled) -> TrialLane:
    """The lane of a game, compiled if that is worth while and can be. Raises NativeError if it must be and cannot."""
    of = native_lane.lane_of(game.program)
    if of.trials is None:
        of.trials = TrialLane(slots_of(game.program, fresh(game.program)), numbers_by_action(game.program))
    lane: TrialLane = of.trials
    always = native_lane.wanted()
    if lane.built is None and not lane.reason and (always or (always is None and lane.seconds > PATIENCE)):
        if find_spec("llvmlite") is None:
            lane.reason = "llvmlite is not installed"
        else:
            _compile(game, lane, good=False)
        if lane.reason and always:
            raise native_lane.NativeError(f"what bots try in this game is not made as machine code: {lane.reason}")
    elif lane.built is not None and native_lane.is_to_improve(lane.built.made, lane.spent):
        _compile(game, lane, good=True)
    return lane


@no_collecting()
def _compile(game: Settled, lane: TrialLane, good: bool) -> None:
    from interpreter.compiler.native.machine_code import GOOD, QUICK, digest_of_sources, made_of
    from interpreter.compiler.native.not_native import NotNative
    from interpreter.compiler.native.trials import Entries, Trials, trials_for

    program, template = game.program, fresh(game.program)
    entries = Entries(world_maker(program, lane.slots), pick_first, try_move)
    row = {"first": PICKED, "made": MADE, "over": OVER, "won": WON, "gains": GAINS, "spent": GAINS + 2 * program.n}
    about = json.dumps(["trials", digest_of_sources(), game.header(), program.text])
    try:
        lane.built = Trials(
            made_of(
                lambda: trials_for(program, template, entries, ATTEMPT_TWINS, row),
                about, native_lane.kept_in(), GOOD if good else QUICK,
            )
        )  # fmt: skip
    except NotNative as error:
        lane.reason = str(error)
    except RecursionError:
        lane.reason = "its rules go too deep"


class Attempted(NamedTuple):
    """What came of trials of any moves, as `Tried` has it; rows as trials, None for the one that stopped."""

    starts: list[int]
    done: int
    stopped: bool
    trials: list[Trial | None]


def attempted(
    lane: TrialLane, game: Settled, worlds: int, moves: Sequence[tuple[int, int]], numbers: Sequence[int | None],
    dice: Dice, seed: int | None, learnt: tuple[Book, Tree], how: Sequence[int], stage: int, first: int = 0,
    picks: bool = False,
) -> Attempted:  # fmt: skip
    """Trials of any moves, as `compiler.native.attempts.Attempts.tries` makes them. stage: of the decision."""
    assert lane.built is not None
    n = game.players
    book, tree = learnt
    book.make_room(ROOM)
    tree.make_room(worlds * len(moves))
    begun = perf_counter()
    made = lane.built.attempts.tries(
        worlds, moves, numbers, dice, seed, learnt, how, GAINS + 2 * n + 1, first, picks
    )  # fmt: skip
    lane.spent += perf_counter() - begun
    trials = [_trial(row, n) for row in made.rows]
    own = lane.stages.setdefault(stage, [0, 0])
    own[0] += made.done - first
    own[1] += made.done < worlds * (1 if picks else len(moves)) and not made.full
    return Attempted(made.starts, made.done, made.stopped, trials)


def _trial(row: list[int], n: int) -> Trial | None:
    if row[0] not in (0, AGAINST_RULES):
        return None
    gains, teams = row[GAINS : GAINS + n], row[GAINS + n : GAINS + 2 * n]
    return Trial(row[MADE], bool(row[OVER]), row[WON], gains, teams, row[-1], row[0] != 0)


def is_stopped_often(lane: TrialLane, stage: int) -> bool:
    """Whether trials of decisions in a stage mostly come upon what Python has to play."""
    made, again = lane.stages.get(stage, (0, 0))
    return made + again > FIRST and again > TOO_MANY * made
