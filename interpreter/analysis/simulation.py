"""Many matches of one game: `houserules simulate`. However many processes play them, they are the same."""

from __future__ import annotations

import multiprocessing
import multiprocessing.context
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from multiprocessing.pool import Pool
from typing import TYPE_CHECKING, Any, TypeVar

from interpreter.analysis.plan import Plan
from interpreter.api.native_lane import lane_of
from interpreter.api.playouts import matches
from interpreter.api.random_play import Match
from interpreter.base.memory import no_collecting
from interpreter.players import realtime
from interpreter.players.bot_matches import bot_matches

if TYPE_CHECKING:
    from interpreter.analysis.kept_matches import Folder


PATIENCE = 1.0
"""Seconds between two words about how far it is."""
ALONE = 0.5
"""Seconds that are played before other processes are asked to help."""
AHEAD = 3
"""Parts for each process that are under way or wait for one."""
PART_SECONDS, MOST_IN_PART = 0.25, 500
"""How long a process plays before it hands over what it has, about, and how many matches these are at most."""


ENDING = ("SIGINT", "SIGTERM", "SIGHUP")
"""What ends a command: by a key, by a system that shuts down, with its terminal. Not every system has each."""


Found = TypeVar("Found")
Play = Callable[[Plan, range], Iterator[Found]]
"""Plays the matches of some numbers, and gives something for each."""
Spread = Callable[[Plan, Iterable[range]], Iterator[list[Any]]]
"""Has parts played elsewhere, and gives what each part comes to, in order."""


@dataclass(slots=True)
class Course:
    """How a simulation went: the matches so far, the seconds it took, and why it stopped before its end, or "".

    found: how many of the matches had been played before, and were found in a folder.
    """

    played: list[Match] = field(default_factory=list)
    seconds: float = 0.0
    stopped: str = ""
    found: int = 0


def run(
    plan: Plan,
    games: int,
    seconds: int | None = None,
    tell: Callable[[int], None] = lambda done: None,
    workers: int = 1,
    folder: Folder | None = None,
    spread: Spread | None = None,
) -> Course:
    """Play matches, until it has taken so many seconds or somebody interrupts it; at least one is played.

    tell: hears now and then how many have been played. workers: processes. folder: where matches are kept, and where
    those are found that need not be played again, and where the deals of each stay. spread: what plays most of them, in
    place of processes of our own. Raises RuleError, and KeptError where a match cannot be kept.
    """
    course = Course([] if folder is None else folder.found[:games])
    course.found = len(course.played)
    begun = told_at = time.perf_counter()
    try:
        with closing(in_order(plan, range(course.found, games), workers, played, spread)) as coming:
            for match in coming:
                if folder is not None:
                    folder.add(match)
                    match = match._replace(by_deal=())  # there can be very many deals
                course.played.append(match)
                now = time.perf_counter()
                course.seconds = now - begun
                done = len(course.played)
                if now - told_at >= PATIENCE:
                    told_at = now
                    tell(done)
                if seconds is not None and course.seconds >= seconds and done < games:
                    course.stopped = f"stopped after {course.seconds:.0f} seconds: {done} of {games} games"
                    break
    except KeyboardInterrupt:
        if not course.played:
            raise
        course.stopped = f"interrupted: {len(course.played)} of {games} games"
    finally:
        if folder is not None:
            folder.close()
    return course


def in_order(
    plan: Plan, numbers: range, workers: int, play: Play[Found], spread: Spread | None = None
) -> Generator[Found, None, None]:
    """What playing the matches of these numbers gives, one after the other.

    They are begun here; if that takes longer than a moment, the rest is played by so many processes.
    """
    if spread is None and (workers < 2 or not _can_fork()):
        yield from play(plan, numbers)
        return
    begun, at, lane = time.perf_counter(), numbers.start, lane_of(plan.game.program)
    natively = lane.played[1]
    for match in play(plan, numbers):
        at += 1
        yield match
        taken = time.perf_counter() - begun
        if taken >= ALONE and at < numbers.stop:
            break
    else:
        return
    pace = (at - numbers.start) / taken
    if lane.played[1] > natively and lane.seconds:  # what it took to compile is no measure of what is to come
        pace = lane.played[1] / lane.seconds
    size = max(1, min(MOST_IN_PART, int(pace * PART_SECONDS)))
    starts = range(at, numbers.stop, size)
    parts = (range(first, min(first + size, numbers.stop)) for first in starts)
    if spread is not None:
        yield from chain.from_iterable(spread(plan, parts))
        return
    many = min(workers, len(starts))
    with _pool(many, plan, play) as pool:  # leaving it ends its processes
        for coming in begun_ahead(lambda part: pool.apply_async(_part, (part,)), parts, AHEAD * many):
            yield from coming.get()


Part = TypeVar("Part")
Begun = TypeVar("Begun")


def begun_ahead(begin: Callable[[Part], Begun], parts: Iterable[Part], most: int) -> Iterator[Begun]:
    """What is begun for each part, in order; so many have been begun at most when one is waited for.

    What others have played faster than it is taken would else fill the memory.
    """
    under_way: deque[Begun] = deque()
    for part in parts:
        under_way.append(begin(part))
        if len(under_way) >= most:
            yield under_way.popleft()
    while under_way:
        yield under_way.popleft()


def _pool(many: int, plan: Plan, play: Play[Any]) -> Pool:
    """Processes that play the parts of a plan."""

    class Ended(multiprocessing.context.ForkProcess):
        def terminate(self) -> None:
            self.kill()  # for they take no notice of what asks a process to end

    class Context(multiprocessing.context.ForkContext):
        Process = Ended

    return Pool(many, _begin_work, (plan, play), context=Context())


def _can_fork() -> bool:
    """A game is handed on as it lies in memory: programs are not written down for other processes."""
    return "fork" in multiprocessing.get_all_start_methods()


_work: Callable[[range], Iterator[Any]] | None = None
"""What a worker process does with the matches of some numbers."""


def _begin_work(plan: Plan, play: Play[Any]) -> None:
    global _work
    _work = partial(play, plan)
    for name in ENDING:  # whoever asked is interrupted, and ends us
        if number := getattr(signal, name, None):
            signal.signal(number, signal.SIG_IGN)


def _part(numbers: range) -> list[Any]:
    assert _work is not None
    return list(_work(numbers))


def played(plan: Plan, numbers: range) -> Iterator[Match]:
    """The matches of these numbers."""
    game, who = plan.game, plan.players
    how = (game, len(numbers), plan.seed, plan.deals, plan.limit)
    at, by_deal = numbers.start, plan.by_deal
    if who.speeds:
        yield from realtime.matches(*how, who.skill, who.speeds, at, by_deal)
    elif who.skill != "random" or who.manners:
        yield from bot_matches(*how, who.skill, who.manners, at, by_deal)
    else:
        with no_collecting():
            yield from matches(*how, at, by_deal)
