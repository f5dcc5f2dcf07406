"""Many random matches of a game, as fast as the program goes: in Python, and as machine code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from interpreter.base.memory import no_collecting
from interpreter.engine.chance import Dice, derive
from interpreter.engine.failures import rule_error
from interpreter.engine.packets import bits, mask_of
from interpreter.engine.position import Setup, Unkept
from interpreter.engine.start import start

if TYPE_CHECKING:
    from interpreter.api.native_lane import Rows


from interpreter.api import native_lane
from interpreter.api.native_lane import Rows
from interpreter.api.random_play import Course, Match, deal_stage, ended, play_randomly
from interpreter.api.settled import Settled


@dataclass(frozen=True, slots=True)
class Playouts:
    """Random matches of one game.

    games: how many were played; unfinished: those cut by the limit, or ended after `deals` deals. decisions: of
    each match. scores: of each match, one number per player. wins: matches won, per player; shared wins count for each.
    """

    games: int
    unfinished: int
    decisions: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]
    wins: tuple[int, ...]


def playouts(game: Settled, n: int, seed: int, deals: int | None = None, limit: int = 100_000) -> Playouts:
    """Play `n` random matches: an actor at random, then one of its legal moves at random.

    Match i is `start(seed=derive(seed, i))`, played with the dice of `Dice(derive(seed, i) + 1)`: below(k) among k
    actors if there are several, then below(m) among m legal moves if there are several. It stops after `deals`
    deals (stages that pass the deal on, else the first repeated stage) or `limit` decisions.
    """
    found = Columns([], [], [], [])
    with no_collecting():
        for part in _parts(game, n, seed, deals, limit, 0, False):
            if isinstance(part, Match):
                found.add((part,))
            elif part.again:
                found.add(_all_of(part, game, seed, deals, limit))
            else:
                found.add_rows(part)
        return found.playouts(game.players)


def matches(
    game: Settled, n: int, seed: int, deals: int | None, limit: int, first: int = 0, by_deal: bool = False
) -> Iterator[Match]:
    """The matches of `playouts` one by one, each played when it is asked for. first: the number of the first one.

    They are played in Python, and as machine code as soon as that is worth while and if it can be.
    """
    for part in _parts(game, n, seed, deals, limit, first, by_deal):
        if isinstance(part, Match):
            yield part
        else:
            yield from _all_of(part, game, seed, deals, limit)


def _all_of(rows: Rows, game: Settled, seed: int, deals: int | None, limit: int) -> Iterator[Match]:
    """Matches that were played together as machine code; those that were stopped are played in Python."""
    for number, match in rows.matches():
        yield _match(game, number, seed, deals, limit) if match is None else match


def _parts(
    game: Settled, n: int, seed: int, deals: int | None, limit: int, first: int, by_deal: bool
) -> Iterator[Match | Rows]:
    """The matches of a series in order: one by one from Python, some at a time from machine code."""
    begun, always = perf_counter(), native_lane.wanted()
    possible = always is not False and not by_deal and not game.program.counted
    if always and not possible:
        raise native_lane.NativeError("deals that are noted, and what is counted, are not played as machine code")
    game.program.rest()
    lane = native_lane.lane_of(game.program)
    number, end, counted = first, first + n, deal_stage(game.program)
    while number < end:
        done, left = number - first, end - number
        if possible and (always or lane.built or native_lane.is_worth(perf_counter() - begun, done, left)):
            lane, possible = native_lane.prepare(game), False  # what it leaves is for Python
            if lane.built is not None:
                for rows in native_lane.native_rows(game, lane, left, seed, deals, limit, number):
                    number += len(rows)
                    yield rows
                continue
        lane.played[0] += 1
        yield _match(game, number, seed, deals, limit, by_deal, counted)
        number += 1


def _match(
    game: Settled,
    number: int,
    seed: int,
    deals: int | None,
    limit: int,
    by_deal: bool = False,
    counted: int | None = None,
) -> Match:
    """Match number `number` of a series, played in Python. counted: the stage whose runs are deals, if it is known."""
    own = derive(seed, number)
    s = start(game.program, Setup(own, origin=game.ruleset.origin), log=False)
    s.record_moves = Unkept()
    dice, counted = Dice(own + 1), deal_stage(game.program) if counted is None else counted
    course = Course(s, counted, deals, by_deal) if by_deal or game.program.counted else None
    try:
        if course is None:
            s.halt_after, dealer = None if deals is None else (counted, deals), s.dealer
            made = play_randomly(s, dice, limit)
        else:
            while course.goes_on():
                course.made += play_randomly(s, dice, limit - course.made)
    except Exception as error:
        failure = rule_error(game.program, error)
        raise failure from (None if failure is error else error)
    return ended(s, made, s.runs[counted], dealer) if course is None else course.match()


@dataclass(slots=True)
class Columns:
    """Matches as columns, a member of each for a match. won: who has won, as bits."""

    decisions: list[int]
    scores: list[tuple[int, ...]]
    won: list[int]
    over: list[bool]

    def add(self, played: Iterable[Match]) -> None:
        for match in played:
            self.decisions.append(match.decisions)
            self.scores.append(match.scores)
            self.won.append(mask_of(match.winners))
            self.over.append(match.over)

    def add_rows(self, rows: Rows) -> None:
        """Add matches none of which was stopped."""
        self.decisions += rows.column(native_lane.MADE)
        self.scores += rows.scores()
        self.won += rows.column(native_lane.WON)
        self.over += map(bool, rows.column(native_lane.OVER))

    def playouts(self, players: int) -> Playouts:
        wins = [0] * players
        for won, times in Counter(self.won).items():
            for player in bits(won):
                wins[player] += times
        unfinished = self.over.count(False)
        return Playouts(len(self.over), unfinished, tuple(self.decisions), tuple(self.scores), tuple(wins))


def summed(game: Settled, played: Sequence[Match]) -> Playouts:
    """What matches of a game come to together."""
    found = Columns([], [], [], [])
    found.add(played)
    return found.playouts(game.players)
