"""What a match in progress consists of, and the small questions that rules ask of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

from interpreter.base.signs import shortened
from interpreter.engine import honor as honour
from interpreter.engine.chance import ChanceError
from interpreter.engine.events import Event
from interpreter.engine.machine import GO, NOWHERE, Frame, bits_of  # fmt: skip
from interpreter.engine.notation import numbered
from interpreter.engine.program import Program, by_rules

if TYPE_CHECKING:
    from interpreter.api.game import Game
    from interpreter.engine.moves import Move

NO_OFFER: tuple[int, int, int | list[Sequence[Move]]] = (-1, -1, 0)
"""Tick, player and what was offered last, the cards of plain plays or lists of moves: a move of these that follows at
once need not be judged again."""


@lru_cache(maxsize=1024)
def seated_teams(teams: tuple[int, ...], seats: tuple[int, ...]) -> tuple[int, ...]:
    """The team of each player when they sit in this order."""
    if len(set(teams)) == len(teams):
        return teams
    return tuple(teams[seats.index(p)] for p in range(len(teams)))


@lru_cache(maxsize=1024)
def members_of(teams: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Team -> its members."""
    return tuple(tuple(p for p, own in enumerate(teams) if own == team) for team in range(max(teams) + 1))


@lru_cache(maxsize=1024)
def order_after(order: tuple[int, ...], player: int, direction: int) -> tuple[int, ...]:
    """Who sits in this order, beginning next to a player and ending with that player."""
    at = order.index(player)
    return tuple(order[(at + step * direction) % len(order)] for step in range(1, len(order) + 1))


class Unkept(list[tuple[int, int, str, dict[str, int]]]):
    """The record of random play in bulk: nobody asks for its moves, and not all of them pass by here."""

    def append(self, move: tuple[int, int, str, dict[str, int]]) -> None:
        """Forget it."""


class Table:
    """The data of one match: cards, variables, pieces, the turn, the stack of stages, chance and log."""

    __slots__ = (
        "before_tick", "best", "busy", "calls", "carried", "chance", "clock", "current", "dealer", "direction", "down",
        "draws", "faults", "floor", "game", "given", "halt_after", "halted", "hidden", "jump", "lapsed", "leader",
        "led", "log", "mark", "offered", "over", "plays", "program", "record_moves", "redealing", "runs", "seats",
        "seed", "skips", "spent", "stack", "start_chance", "tick", "tokens", "trick_number", "tricks", "up", "v",
        "winner", "z",
    )  # fmt: skip

    def __init__(self, game: Game, program: Program, seed: int, keep_log: bool = True) -> None:
        self.game = game
        self.program = program
        self.seed = seed
        self.draws = 0
        self.z: list[Any] = [0 if z.kept == "mask" else [] for z in program.zones for _ in range(z.size)]
        self.v: list[Any] = list(program.initial)
        self.up = 0
        self.down = 0
        self.tokens: dict[str, list[int]] = {name: [] for name in program.tokens}
        self.current = 0
        self.dealer: int | None = None
        self.direction = 1
        self.seats: tuple[int, ...] = ()
        self.stack: list[Frame] = []
        self.runs = [0] * len(program.stages)
        self.calls: list[tuple[int, tuple[Any, ...]]] = []
        self.jump = NOWHERE
        self.mark = GO
        self.skips = 0
        self.redealing = False
        self.hidden = 0
        self.plays: list[tuple[int, int]] = []
        self.led: int | None = None
        self.leader: int | None = None
        self.winner: int | None = None
        self.best: list[int] = []
        self.trick_number = 0
        self.tricks = [0] * program.n
        self.faults: list[honour.Fault] = []
        self.lapsed = [0] * program.n
        """How many faults of each player have lapsed by age since claims were opened."""
        self.over = False
        self.clock = 0
        """When the last move ended, in milliseconds."""
        self.before_tick = (0, 0)
        """The last tick that had times, and what the clock was before it: within a tick moves end in any order."""
        self.busy: tuple[tuple[int, ...], ...] = ()
        """Of each player when each hand gets free, the earliest first; hands that were never busy are left out."""
        self.tick = 0
        self.log: list[Event] | None = [] if keep_log else None
        self.record_moves: list[tuple[int, int, str, dict[str, int]]] = []
        self.floor = 0
        """So many moves are not taken back: those that were made before the state was saved that this one goes on."""
        self.chance: dict[str, list[Any]] = {}
        self.start_chance: dict[str, Any] = {}
        self.given: dict[str, Any] | None = None
        self.halt_after: tuple[int, int] | None = None
        """For playouts: stop when this stage has ended so often, or before it begins again (BEFORE_NEXT)."""
        self.halted = False
        self.offered = NO_OFFER
        self.carried = 0
        """What the moves of this tick that have been carried out have taken together."""
        self.spent = 0
        """Steps counted so far of the move or list of moves that is being worked on; see `budget`."""

    def copy(self) -> Self:
        """An equal state that shares nothing that changes."""
        cls = type(self)
        new = cls.__new__(cls)
        new.game, new.program, new.seed, new.draws = self.game, self.program, self.seed, self.draws
        new.z = [kept if type(kept) is int else kept[:] for kept in self.z]
        new.v = self.v[:]
        new.up, new.down = self.up, self.down
        new.tokens = {k: h[:] for k, h in self.tokens.items()} if self.tokens else {}
        new.current, new.dealer, new.direction, new.seats = self.current, self.dealer, self.direction, self.seats
        new.stack = [f.copy() for f in self.stack]
        new.runs = self.runs[:]
        new.calls, new.jump, new.mark, new.skips = self.calls[:], self.jump, self.mark, self.skips
        new.redealing, new.hidden = self.redealing, self.hidden
        new.plays, new.led, new.leader, new.winner = self.plays[:], self.led, self.leader, self.winner
        new.best, new.trick_number, new.tricks = self.best[:], self.trick_number, self.tricks[:]
        new.faults = [f.copy() for f in self.faults] if self.faults else []
        new.lapsed = self.lapsed[:]
        new.over, new.clock, new.tick = self.over, self.clock, self.tick
        new.before_tick, new.busy = self.before_tick, self.busy
        new.log = None if self.log is None else self.log[:]
        new.record_moves, new.floor = self.record_moves[:], self.floor
        new.chance = {k: c[:] for k, c in self.chance.items()} if self.chance else {}
        new.start_chance, new.given = self.start_chance, self.given
        new.halt_after, new.halted, new.offered = self.halt_after, self.halted, self.offered
        new.carried, new.spent = self.carried, self.spent
        return new

    def log_event(self, event: Event) -> None:
        if self.log is not None:
            if self.hidden and event.kind != "cards":
                event = event._replace(told=event.told & self.hidden)
            self.log.append(event)

    note = log_event

    def order(self) -> tuple[int, ...]:
        """Persons in seat order."""
        return self.seats or tuple(range(self.program.n))

    def from_left_of_dealer(self) -> tuple[int, ...]:
        """Everybody in the direction of play, the dealer's neighbour first; without a dealer from P1."""
        return self.order() if self.dealer is None else order_after(self.order(), self.dealer, self.direction)

    @property
    def teams(self) -> tuple[int, ...]:
        """The team of each player, from 0: it goes with the seat, and without teams with the person."""
        return seated_teams(self.program.teams, self.seats) if self.seats else self.program.teams

    @property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """The players of each team as they sit now."""
        return members_of(self.teams)

    def person(self, text: str) -> int | None:
        return numbered("P", text, self.program.n)

    def take_chance(self, place: str) -> Any:
        """The next outcome that was fixed for a place, or None."""
        given = self.chance.get(place)
        return given.pop(0) if given else None

    def no_outcome(self, place: str, why: str) -> ChanceError:
        """The error of the outcome that was taken last for a place."""
        return ChanceError(f"{place}: {why}", place, len(self.chance.get(place, ())))

    def take_shuffle(self, stage: str, kept: Sequence[int]) -> list[int] | None:
        """Cards in the order that was fixed (given top first), the others below in the order of their numbers."""
        place = f"shuffle {stage}"
        names: list[str] | None = self.take_chance(place)
        if names is None:
            place = "deck"
            names = self.take_chance(place)
        if names is None:
            return None
        left = sorted(kept)
        top = []
        for name in names:
            card = self.card_among(name, left, place)
            left.remove(card)
            top.append(card)
        return left[::-1] + top[::-1]

    def card_among(self, name: str, cards: Sequence[int], place: str) -> int:
        """The card that was fixed for a place of chance, among those that can come there. Raises ChanceError."""
        wanted = self.program.by_name.get(name.upper())
        for card in cards:
            if wanted is not None and self.program.first_copy[card] == wanted:
                return card
        raise self.no_outcome(place, f"'{shortened(name)}' is not among the cards that can come here")

    def age_by_turn(self, player: int, moved: int) -> None:
        honour.age_by_turn(self, player, moved)

    def age_by_end(self, stage: str) -> None:
        honour.age_by_end(self, stage)

    def end_claims(self, stage: str) -> None:
        honour.end_claims(self, stage)

    def claimants(self) -> int:
        return bits_of(honour.claimants(self))

    def tell_score(self, player_or_team: str, amount: int) -> None:
        if self.log is not None:
            self.note(Event("score", None, f"{player_or_team} {amount:+d}"))

    @property
    def phase(self) -> str:
        """The name of the stage that is going on, innermost; "over" when the match is over."""
        return "over" if self.over else self.program.stages[self.stack[-1].stage].name

    def phase_kind(self) -> str:
        """The kind of the innermost stage; "" when the match is over."""
        return "" if self.over else self.program.stages[self.stack[-1].stage].kind

    @property
    @by_rules
    def scores(self) -> list[int]:
        """One number per player; a team's at each of its members."""
        return self.program.scores(self)

    @property
    @by_rules
    def winners(self) -> list[int]:
        """The players who have won; empty until the match is over."""
        if not self.over or self.program.winners is None:
            return []
        return list(self.program.winners(self))

    @property
    @by_rules
    def places(self) -> list[int]:
        """The place of each player, 1 for the best; equal ones share it. Empty until the match is over."""
        if not self.over:
            return []
        if self.program.places_of is not None:
            keys = self.program.places_of(self)
        else:
            won = self.winners
            keys = [0 if p in won else 1 for p in range(self.program.n)]
        return [1 + sum(other < key for other in keys) for key in keys]
