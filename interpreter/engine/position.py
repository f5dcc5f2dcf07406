"""A match in progress as plain data: what lies where, whose turn it is, what is running, what has happened.

`Position` holds it and copies it. What may be done in it (`legal`), what moves do (`playing`), how it goes on between
decisions (`machine`) and what a player may know of it (`view`) are functions in modules of their own, which take the
position first, as printed programs do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.base.arithmetic import NoValue
from interpreter.engine.events import ALL, Event
from interpreter.engine.frames import GO, NOWHERE
from interpreter.engine.program import Program
from interpreter.engine.rule_errors import RecordIsFull, RuleError
from interpreter.engine.situation import NO_OFFER, RecordedMove, Situation

if TYPE_CHECKING:
    from interpreter.language.source import Node


@lru_cache(maxsize=1024)
def seated_teams(teams: tuple[int, ...], seats: tuple[int, ...]) -> tuple[int, ...]:
    """The team of each player when they sit in this order."""
    if len(set(teams)) == len(teams):
        return teams
    return tuple(teams[seats.index(p)] for p in range(len(teams)))


@lru_cache(maxsize=1024)
def members_of(teams: tuple[int, ...], count: int) -> tuple[tuple[int, ...], ...]:
    """Team -> its members. count: how many teams there are, though nobody be in the last."""
    return tuple(tuple(p for p, own in enumerate(teams) if own == team) for team in range(count))


def seat_in(order: Sequence[int], player: int | None) -> int:
    """Where in an order somebody sits, from 0. Raises NoValue for nobody."""
    if player is None:
        raise NoValue("a value is none where there must be one")
    return order.index(player)


@lru_cache(maxsize=1024)
def order_after(order: tuple[int, ...], player: int | None, direction: int) -> tuple[int, ...]:
    """Who sits in this order, beginning next to a player and ending with that player."""
    at = seat_in(order, player)
    return tuple(order[(at + step * direction) % len(order)] for step in range(1, len(order) + 1))


_NEW = object.__new__
"""Copies are made without `__init__`, and field by field: many are needed where moves are tried out."""


MOST_SPENT = 20_000_000
"""Steps of one move with all that follows of itself, or of one list of moves."""
LETTER, BRIEF = 50, 20
"""Steps that each letter of an event is counted; and letters that each has besides, however short it is."""


MOST_LOGGED = 20_000_000
"""Letters of the log of a match, each event with those that it has besides: what is told is kept in memory."""
_TEXTS, _CARDS = attrgetter("words", "source", "target"), attrgetter("cards")
WEIGHED = 1_000
"""Events that are counted together."""


FIELDS = (*Situation.__slots__, "program", "setup")
"""What there is of a position, by name."""


class Unkept(list[RecordedMove]):
    """The record of random play in bulk: nobody asks for its moves, and not all of them pass by here."""

    def append(self, move: RecordedMove) -> None:
        """Forget it."""

    def copy(self) -> Unkept:
        """Another record that forgets: what is played on from a copy cannot go back either."""
        return Unkept()


class Origin(NamedTuple):
    """The ruleset of a match, as messages speak of it."""

    files: tuple[str, ...] = ()
    """The base first, then what is laid on it."""
    node: Node | None = None
    claim: str = ""
    """What a claim is called on honour; "" where there are none."""


TRIED_FROM = 62
"""The bit of a seed at which it begins how often it was only tried whether moves tell of hidden cards."""


class Redrawn(NamedTuple):
    """That chance was drawn anew where moves had been taken back. moves: how many stayed. seed: where it goes on from:
    an odd number where cards had come to light by these moves, or by others behind them that were taken back before.
    The two highest of its 64 bits count how often it was only tried whether moves tell of hidden cards. (In records of
    earlier versions they may be any, so that less may be taken back until all cards are dealt anew.)
    """

    moves: int
    seed: int

    @property
    def shown(self) -> bool:
        """Whether cards had come to light."""
        return self.seed & 1 == 1

    @property
    def tried(self) -> int:
        """How often moves were taken back, this time included, of which it was only tried whether they tell of hidden
        cards, since all were dealt anew."""
        return self.seed >> TRIED_FROM


def seed_with(seed: int, shown: bool, tried: int) -> int:
    """The seed, or one next to it, that tells this of moves that were taken back; see `Redrawn`."""
    return seed & (1 << TRIED_FROM) - 2 | shown | tried << TRIED_FROM


class Setup(NamedTuple):
    """What is fixed of a match besides its moves; with them it makes the match again.

    chance: outcomes by place, as they are given, the order of the first shuffle (`deck`) among them. given: a position
    to begin with instead of the beginning. redrawn: where chance has begun anew since. shown_at: how many events were
    told before the last time when cards had come to light by what was taken back. tried: how often it was only tried
    whether moves that were taken back tell of hidden cards, and how many events were told before the last of these.
    """

    seed: int
    chance: Mapping[str, Any] = {}
    given: Mapping[str, Any] | None = None
    origin: Origin = Origin()
    redrawn: tuple[Redrawn, ...] = ()
    shown_at: int | None = None
    tried: tuple[int, int] = (0, 0)


class Position(Situation):
    """The data of one match: its situation, of which program it is, and what was fixed before it began."""

    __slots__ = ("program", "setup")

    program: Program
    setup: Setup

    def __init__(self, program: Program) -> None:
        self.program = program
        self.setup = Setup(0)
        self.seed = 0
        self.draws = 0
        self.z = [0 if z.kept == "mask" else [] for z in program.zones for _ in range(z.size)]
        self.v = list(program.initial)
        self.up = 0
        self.down = 0
        self.tokens = {name: [] for name in program.tokens}
        self.current = 0
        self.dealer = None
        self.direction = 1
        self.seats = ()
        self.stack = []
        self.runs = [0] * len(program.stages)
        self.changes = [0] * len(program.stages)
        self.calls = []
        self.jump = NOWHERE
        self.mark = GO
        self.skips = 0
        self.redealing = False
        self.hidden = 0
        self.plays = []
        self.led = None
        self.leader = None
        self.winner = None
        self.best = []
        self.trick_number = 0
        self.tricks = [0] * program.n
        self.faults = []
        self.laid = {}
        self.lapsed = [0] * program.n
        self.over = False
        self.clock = 0
        self.before_tick = (0, 0)
        self.busy = ()
        self.tick = 0
        self.log = None
        self.logged = (0, WEIGHED)
        self.record_moves = []
        self.floor = 0
        self.chance = {}
        self.halt_after = None
        self.halted = False
        self.held = False
        self.counted = None
        self.offered = NO_OFFER
        self.carried = 0
        self.spent = 0

    def copy(self) -> Position:
        """An equal position that shares nothing that changes."""
        new = _NEW(Position)
        new.program = self.program
        new.setup = self.setup
        new.seed = self.seed
        new.draws = self.draws
        new.z = [kept if type(kept) is int else kept[:] for kept in self.z]
        new.v = self.v[:]
        new.up = self.up
        new.down = self.down
        new.tokens = {k: h[:] for k, h in self.tokens.items()} if self.tokens else {}
        new.current = self.current
        new.dealer = self.dealer
        new.direction = self.direction
        new.seats = self.seats
        new.stack = [f.copy() for f in self.stack]
        new.runs = self.runs[:]
        new.changes = self.changes[:]
        new.calls = self.calls[:]
        new.jump = self.jump
        new.mark = self.mark
        new.skips = self.skips
        new.redealing = self.redealing
        new.hidden = self.hidden
        new.plays = self.plays[:]
        new.led = self.led
        new.leader = self.leader
        new.winner = self.winner
        new.best = self.best[:]
        new.trick_number = self.trick_number
        new.tricks = self.tricks[:]
        new.faults = [f.copy() for f in self.faults] if self.faults else []
        new.laid = self.laid.copy() if self.laid else {}
        new.lapsed = self.lapsed[:]
        new.over = self.over
        new.clock = self.clock
        new.tick = self.tick
        new.before_tick = self.before_tick
        new.busy = self.busy
        new.log = None if self.log is None else self.log[:]
        new.logged = self.logged
        new.record_moves = self.record_moves.copy()
        new.floor = self.floor
        new.chance = {k: c[:] for k, c in self.chance.items()} if self.chance else {}
        new.halt_after = self.halt_after
        new.halted = self.halted
        new.held = False
        new.counted = None
        new.offered = self.offered
        new.carried = self.carried
        new.spent = self.spent
        return new

    def note(self, event: Event) -> None:
        """Put an event into the log; while somebody chooses in secret, for that player alone."""
        if self.log is not None:
            if self.hidden and event.kind != "cards":
                event = event._replace(told=event.told & self.hidden)
            self.log.append(event)
            self.spent += LETTER * (BRIEF + len(event.words))
            if self.spent > MOST_SPENT:
                raise RuleError(f"this tells more than {MOST_SPENT // LETTER:,} letters at once")

    def weigh(self) -> None:
        """Count what a log tells that has grown, so many events at a time that it matters not how often this is asked.

        Raises RuleError where that is more than is kept of a match.
        """
        letters, end = self.logged
        while self.log is not None and len(self.log) >= end:
            events = self.log[end - WEIGHED : end]
            texts = chain.from_iterable(chain(map(_TEXTS, events), map(_CARDS, events)))
            letters += BRIEF * WEIGHED + sum(map(len, texts))
            end += WEIGHED
        self.logged = letters, end
        if letters > MOST_LOGGED:
            told = f"what has happened in this match is told with more than {MOST_LOGGED:,} letters"
            raise RecordIsFull(told, self.program.stages[self.stack[-1].stage].span if self.stack else None)

    def order(self) -> tuple[int, ...]:
        """Persons in seat order."""
        return self.seats or self.program.everyone

    def from_left_of_dealer(self) -> tuple[int, ...]:
        """Everybody in the direction of play, the dealer's neighbour first; without a dealer from P1."""
        return self.order() if self.dealer is None else order_after(self.order(), self.dealer, self.direction)

    @property
    def teams(self) -> tuple[int, ...]:
        """The team of each player, from 0: what the rules have set, else that of the seat."""
        slots = self.program.team_slots
        made = () if slots is None else tuple(self.v[slots[0] : slots[1]])
        return self.seated_teams if None in made or not made else made

    @property
    def seated_teams(self) -> tuple[int, ...]:
        """The team of each player, from 0: it goes with the seat, and without teams with the person."""
        return seated_teams(self.program.teams, self.seats) if self.seats else self.program.teams

    @property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """The players of each team as they sit now."""
        return members_of(self.teams, max(self.program.teams) + 1)

    def tell_score(self, player_or_team: str, amount: int, owner: int | None = None, why: str = "") -> None:
        """Put into the log that a score has changed, and why. owner: whose it is, where not everybody sees it."""
        if self.log is not None:
            eyes = None if owner is None else self.program.variables["score"].seen_by
            told = ALL if eyes is None else eyes(self, owner)
            reason = f" ({why})" if why else ""
            self.note(Event("score", None, f"{player_or_team} {amount:+d}{reason}", told=told))
