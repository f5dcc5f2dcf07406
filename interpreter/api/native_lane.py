"""Random play in bulk as machine code: which matches are played so, and what comes of them.

Whatever is compiled plays just the same matches as the Python lane, only faster. Where something cannot be compiled the
Python lane plays, and where a match comes upon something unusual (a fault of its rules, a list that grows too long) the
Python lane plays that match.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from interpreter.api.native_choices import TWINS
from interpreter.api.random_play import Match, deal_stage, play_randomly
from interpreter.base.memory import no_collecting
from interpreter.compiler.native.twins import put
from interpreter.engine.frames import Frame
from interpreter.engine.machine import advance
from interpreter.engine.packets import bits
from interpreter.engine.position import Position
from interpreter.engine.standing import scores, winners
from interpreter.engine.start import fresh

if TYPE_CHECKING:
    from interpreter.api.settled import Settled
    from interpreter.compiler.native.machine_code import Built, Made
    from interpreter.engine.chance import Dice
    from interpreter.engine.program import Program

SWITCH = "HOUSERULES_NATIVE"
"""The variable of the environment that says "0" (never) or "1" (always; that it cannot be is an error)."""
PATIENCE, WORTH = 0.3, 8.0
"""Seconds of play in Python after which it is asked how long the rest would take, and how long that must be to compile
it."""
FIRST, MOST = 64, 4096
"""Matches that are played before anybody hears of them: at first, and at most."""
GAIN, TO_IMPROVE = 0.5, 20e-6
"""The share of the time that good machine code saves, and the seconds that it takes to make it for each byte of quick
one."""
TOO_MANY = 0.5
"""Where more than this share of the first matches has to be played again in Python, the rest is, too."""
MADE, OVER, DEALS, DEALER, WON, TIED, SCORES = range(1, 8)


class NativeError(RuntimeError):
    """What was to be played as machine code cannot be."""


@dataclass(slots=True)
class Lane:
    """The lane of a game. reason: why it is Python's; "" where there is machine code. played: matches by each lane.

    seconds: for which machine code has played.
    """

    reason: str = ""
    built: Built | None = None
    played: list[int] = field(default_factory=lambda: [0, 0])
    seconds: float = 0.0
    trials: Any = None
    """The lane of what bots try, where they have tried anything; see `native_trials`."""
    steps: Any = None
    """The lane of matches that are played step by step, where any were; see `native_steps`."""

    def told(self) -> str:
        """As `simulate` tells it."""
        if self.built is not None and self.played[1]:
            return "native"
        return f"python ({self.reason})" if self.reason else "python"


def wanted() -> bool | None:
    """Whether machine code is to be used always (True) or never (False); None: where it is worth while."""
    return {"0": False, "1": True}.get(os.environ.get(SWITCH, ""))


def kept_in() -> Path:
    """The folder for machine code."""
    from platformdirs import user_cache_path

    return user_cache_path("houserules") / "native"


def is_worth(seconds: float, played: int, left: int) -> bool:
    """Whether so many matches are worth compiling, after others have been played in so many seconds."""
    return seconds > PATIENCE and seconds / max(1, played) * left > WORTH


def lane_of(program: Program) -> Lane:
    """What is known of the lane of a game."""
    if program.native is None:
        program.native = Lane()
    assert isinstance(program.native, Lane)
    return program.native


def prepare(game: Settled) -> Lane:
    """The lane of a game, compiled if it can be. Raises NativeError if it must be and cannot."""
    lane = lane_of(game.program)
    if lane.built is None and not lane.reason:
        if find_spec("llvmlite") is None:
            lane.reason = "llvmlite is not installed"
        else:
            _compile(game, lane)
    if lane.reason and wanted():
        raise NativeError(f"this game is not played as machine code: {lane.reason}")
    return lane


@no_collecting()
def _compile(game: Settled, lane: Lane) -> None:
    from interpreter.compiler.native.machine_code import QUICK
    from interpreter.compiler.native.not_native import NotNative

    try:
        lane.built = build_lane(game, QUICK)
    except NotNative as error:
        lane.reason = str(error)
    except RecursionError:
        lane.reason = "its rules go too deep"


def build_lane(game: Settled, level: int) -> Built:
    """Machine code of a game, of a level at least. Raises NotNative."""
    from interpreter.compiler.native.machine_code import build, digest_of_sources

    program = game.program

    def module() -> str:
        from interpreter.compiler.native.module import module_for  # what prints it is not read where it is kept

        return module_for(program, fresh(program), play_match, TWINS)

    about = json.dumps([digest_of_sources(), game.header(), program.text])
    return build(module, about, kept_in(), level)


def improve(game: Settled, lane: Lane, seconds: float) -> None:
    """Make good machine code where quick one would take so many seconds more, if that is worth while.

    It is, too, where quick code has run for as long: then there is likely more to come.
    """
    from interpreter.compiler.native.machine_code import GOOD

    if lane.built is not None and is_to_improve(lane.built.made, seconds + lane.seconds):
        lane.built = build_lane(game, GOOD)


def is_to_improve(made: Made, seconds: float) -> bool:
    """Whether good machine code is worth making where quick one would run, or has run, for so many seconds."""
    from interpreter.compiler.native.machine_code import GOOD

    return made.level < GOOD and seconds * GAIN > made.size * TO_IMPROVE


@dataclass(frozen=True, slots=True)
class Rows:
    """What has come of matches, as machine code lays it down: so many words of each, one after the other.

    first: the number of the first match.
    """

    first: int
    words: Sequence[int]
    width: int

    def __len__(self) -> int:
        return len(self.words) // self.width

    def column(self, at: int) -> Sequence[int]:
        """One word of each match."""
        return self.words[at :: self.width]

    @property
    def again(self) -> int:
        """How many of the matches were stopped, and so are to be played in Python."""
        return len(self) - self.column(0).count(0)

    def scores(self) -> Iterator[tuple[int, ...]]:
        """Of each match."""
        return zip(*(self.column(at) for at in range(SCORES, self.width)), strict=True)

    def matches(self) -> Iterator[tuple[int, Match | None]]:
        """The matches by their numbers; None: one that the Python lane has to play."""
        columns = (self.column(at) for at in range(SCORES))
        for number, (row, own) in enumerate(zip(zip(*columns, strict=True), self.scores(), strict=True), self.first):
            fault, made, over, deals, dealer, won, tied = row
            if fault:
                yield number, None
                continue
            first = dealer if dealer >= 0 else None
            yield number, Match(made, own, bits(won), bool(over), deals=deals, dealer=first, tied=bool(tied))


def native_rows(
    game: Settled, lane: Lane, n: int, seed: int, deals: int | None, limit: int, first: int
) -> Iterator[Rows]:
    """Matches, some at a time; fewer than were asked for where it is better to play the others in Python."""
    assert lane.built is not None
    counted, words, size = deal_stage(game.program), SCORES + game.players, FIRST
    how = counted, -1 if deals is None else deals, limit, words
    at, end = first, first + n
    while at < end:
        number, begun = min(size, end - at), perf_counter()
        rows = Rows(at, lane.built.play(number, at, seed, *how), words)
        took = perf_counter() - begun
        lane.seconds += took
        improve(game, lane, took / number * (end - at - number))
        again = rows.again
        lane.played[0] += again
        lane.played[1] += number - again
        yield rows
        at += number
        if size == FIRST and again > TOO_MANY * number:
            lane.built, lane.reason = None, "its matches come upon what is played in Python"
            return
        size = min(2 * size, MOST)


def play_match(s: Position, dice: Dice, counted: int, deals: int, limit: int) -> None:
    """What is compiled: one match to its end, to the end of so many deals (-1: all of them), or to the limit."""
    s.stack.append(Frame(s.program.by_stage["match"]))
    advance(s)
    put(s, DEALER, s.dealer)
    if deals >= 0:
        s.halt_after = (counted, deals)
    made = play_randomly(s, dice, limit)
    put(s, MADE, made)
    put(s, OVER, s.over)
    put(s, DEALS, s.runs[counted])
    _put_winners(s)
    at = SCORES
    for score in scores(s):
        put(s, at, score)
        at += 1


def _put_winners(s: Position) -> None:
    """Lay down who has won, and whether players who don't belong together have."""
    teams: Any = s.teams
    won, tied, team = 0, False, -1
    for player in winners(s):
        tied = tied or (team >= 0 and teams[player] != team)
        team = teams[player]
        won |= 1 << player
    put(s, WON, won)
    put(s, TIED, tied)
