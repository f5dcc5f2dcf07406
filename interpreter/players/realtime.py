"""Matches in real time: players who take a while to see, to decide and to move.

Everybody looks at the table whenever a hand is free, picks a move, begins it after a reaction and touches after a
motion. In between the others act, so a move may come too late; then it is refused, and its player looks again.
Turns, questions and tricks of the same match are played likewise by whoever is asked. All times are whole
milliseconds, drawn from a seed, so a match is the same every time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from interpreter.api.random_play import Course, Match, deal_stage
from interpreter.engine.chance import Dice, derive, shuffle
from interpreter.engine.notation import IllegalMove
from interpreter.engine.program import ActionCode
from interpreter.engine.standing import kind_of_phase
from interpreter.engine.stuck import stands_still
from interpreter.engine.timing import hands_for, hands_of
from interpreter.players.monte_carlo import Levels, levels_at, new_bot
from interpreter.players.random_bot import Bot, times_about

if TYPE_CHECKING:
    from interpreter.api.game import Game, State
    from interpreter.engine.moves import Move

MOST = 1_000_000_000
"""Milliseconds that somebody takes, at most."""
ARRIVAL, LOOK = 0, 1
"""What happens at a time: what arrives comes before anybody looks."""
MOST_LATE = 1_000
"""Moves that may come too late one after the other, with none in time between them."""


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast somebody is, in milliseconds.

    reaction: half of the times from seeing to beginning are shorter. spread: about two in three of them lie within it;
    0 for always the same. motion: half of the times from beginning to touching are shorter; it spreads in proportion.
    """

    reaction: int = 400
    spread: int = 100
    motion: int = 200

    def __post_init__(self) -> None:
        if self.reaction < 1 or self.spread < 0 or self.motion < 0:
            raise ValueError(f"a reaction takes a millisecond or more, and no time is below 0: {self}")
        if max(self.reaction, self.spread, self.motion) > MOST:
            raise ValueError(f"nobody takes longer than {MOST} milliseconds")

    @classmethod
    def read(cls, text: str) -> Speed:
        """From `REACTION` or `REACTION/SPREAD`, such as 300 or 300/60. Raises ValueError."""
        reaction, _, spread = text.strip().partition("/")
        if not reaction.isdecimal() or (spread and not spread.isdecimal()):
            raise ValueError(f"a speed is REACTION or REACTION/SPREAD in milliseconds, such as 300/60, not '{text}'")
        usual = _milliseconds(reaction)
        return cls(usual, _milliseconds(spread) if spread else usual // 4)


def _milliseconds(figures: str) -> int:
    return int(figures) if len(figures) < len(str(MOST)) + 3 else MOST + 1  # Python reads no thousands of figures


def _collide(one: Move, two: Move) -> bool:
    """Whether two hands of somebody would reach for the same card, place or piece, or do the same thing."""
    return one == two or not _touched(one).isdisjoint(_touched(two))


def _touched(move: Move) -> set[tuple[str, object]]:
    params = move.maker.params if isinstance(move.maker, ActionCode) else ()
    pairs = zip(params, move.args, strict=False)
    return {(param.form, arg) for param, arg in pairs if param.form in ("cards", "zones", "tokens") and arg is not None}


@dataclass(slots=True)
class _Body:
    """What a player is doing. watching: has a free hand and waits for something to do, or will look at a set time."""

    bot: Bot
    speed: Speed
    dice: Dice
    under_way: list[tuple[Move, int]]
    """Moves that have been chosen and have not arrived, each with the hands it takes."""
    watching: bool = True
    late: int = 0

    def times(self, now: int) -> tuple[int, int]:
        """When a move that is chosen now begins and ends."""
        speed, draw = self.speed, self.dice.four_below
        wide = speed.spread / speed.reaction
        if not wide:
            return now + speed.reaction, now + speed.reaction + speed.motion
        begin = now + times_about(speed.reaction, wide)[draw(1001)]
        return begin, begin + times_about(speed.motion, wide)[draw(1001)]


class Race:
    """A match that is going on in real time. `bots` play, by seat; who is not among them acts by `reach`."""

    def __init__(self, state: State, bots: Mapping[int, tuple[Bot, Speed]], seed: int, as_texts: bool = False) -> None:
        """seed: of all reactions, and of the order of those who arrive at the same millisecond. as_texts: whether moves
        are made as their texts are read: what a record keeps is then surely read again so."""
        self.state = state
        self._as_texts = as_texts
        self.now = state.position.clock
        self.made = 0
        self._late_in_a_row = 0
        self._fair = Dice(derive(seed, 0))
        self._bodies = {
            player: _Body(bot, speed, Dice(derive(seed, player + 1)), []) for player, (bot, speed) in bots.items()
        }
        self._idle = list(self._bodies)
        """Who has a free hand and has seen nothing to do."""
        self._changed = True
        """Whether something has happened since they looked."""
        self._events: list[tuple[int, int, int, int, Move | str, int, dict[str, int]]] = []
        """A heap of (time, what, number, player, move, begin, measures)."""
        self._number = 0

    @property
    def late(self) -> list[int]:
        """How many moves of each player came too late."""
        return [self._bodies[p].late if p in self._bodies else 0 for p in range(self.state.game.program.n)]

    @property
    def due(self) -> int | None:
        """When the next thing happens, in milliseconds; None if nobody is about to do anything."""
        if self._changed:
            self._look_around()
        return self._events[0][0] if self._events else None

    def reach(self, /, player: int, move: Move | str, begin: int, end: int, **measures: int) -> None:
        """A move of somebody who is no bot. It arrives at its end, which must not have passed."""
        self._put(max(end, self.now), ARRIVAL, player, move, begin, measures)

    def step(self) -> bool:
        """Let the next thing happen; False if nobody is about to do anything. Raises RuleError."""
        if self._changed:
            self._look_around()
        if not self._events:
            return False
        time, what, _, player, move, begin, measures = heappop(self._events)
        self.now = time
        if what == LOOK:
            self._look(player)
            return True
        if not self._events or self._events[0][:2] != (time, ARRIVAL):
            self._arrive(player, move, begin, measures)
            self._is_back(player, move)
        else:
            arrived = [(player, move, begin, measures)]
            while self._events and self._events[0][:2] == (time, ARRIVAL):
                arrived.append(heappop(self._events)[3:])
            self._arrive_together(arrived)
            for who, made, _, _ in arrived:
                self._is_back(who, made)
        self._changed = not self.state.over
        return True

    def run(self, limit: int) -> None:
        """Play on until the match is over, is to stop, or has so many moves. Raises RuleError if nobody can move."""
        state = self.state
        while not state.over and not state.position.halted and self.made < limit:
            if not self.step() or self._late_in_a_row > MOST_LATE:
                raise stands_still(state.position)

    def _put(self, time: int, what: int, player: int, move: Move | str, begin: int, measures: dict[str, int]) -> None:
        self._number += 1
        heappush(self._events, (time, what, self._number, player, move, begin, measures))

    def _arrive(self, player: int, move: Move | str, begin: int, measures: dict[str, int]) -> None:
        try:
            self.state.play(player, self._made(move), begin, self.now, **measures)
        except IllegalMove:
            self._is_late(player)
        else:
            self.made += 1
            self._late_in_a_row = 0

    def _arrive_together(self, arrived: list[tuple[int, Move | str, int, dict[str, int]]]) -> None:
        """Say who is first of those who arrive at once: by contests and ties, else in an order that favours no seat."""
        shuffle(self._fair, arrived)
        record = self.state.position.record_moves
        before = len(record)
        now, made = self.now, self._made
        self.state.play_together([(p, made(move), {**m, "begin": at, "end": now}) for p, move, at, m in arrived])
        for _, player, _, extra in record[before:]:
            if "refused" in extra:
                self._is_late(player)
            else:
                self.made += 1
                self._late_in_a_row = 0

    def _made(self, move: Move | str) -> Move | str:
        """What is made: a move as it was found, or its text."""
        return str(move) if self._as_texts else move

    def _is_late(self, player: int) -> None:
        self._late_in_a_row += 1
        if player in self._bodies:
            self._bodies[player].late += 1

    def _is_back(self, player: int, move: Move | str) -> None:
        """A hand is free again."""
        body = self._bodies.get(player)
        if body is None:
            return
        body.under_way.remove(next(going for going in body.under_way if going[0] is move))
        if not body.watching:
            body.watching = True
            self._idle.append(player)

    def _look_around(self) -> None:
        """Everybody who waits for something to do looks whether there is something now."""
        idle, self._idle, self._changed = self._idle, [], False
        for player in idle:
            self._look(player)

    def _look(self, player: int) -> None:
        """Choose a move and set out for it, or wait for the next change."""
        body, state = self._bodies[player], self.state
        move = None
        if kind_of_phase(state.position) in ("race", "simultaneous") or player in state.actors:
            move = body.bot.choose(state, player)
        under_way = body.under_way
        if move is None or (under_way and any(_collide(move, other) for other, _ in under_way)):
            self._idle.append(player)
            return
        hands, needed = hands_of(state.position, player), hands_for(state.position, player, move)
        taken = needed + sum([n for _, n in under_way]) if under_way else needed
        if taken > hands:
            self._idle.append(player)
            return
        begin, end = body.times(self.now)
        self._put(end, ARRIVAL, player, move, begin, body.bot.measures(state, player, move))
        under_way.append((move, needed))
        body.watching = taken < hands
        if body.watching:
            self._put(begin, LOOK, player, "", 0, {})


def matches(
    game: Game, n: int, seed: int, deals: int | None, limit: int, skill: Levels, speeds: Sequence[Speed],
    first: int = 0, by_deal: bool = False,
) -> Iterator[Match]:  # fmt: skip
    """Matches in real time between bots, dealt as those of `playouts` are. speeds: one for each player."""
    for number in range(first, first + n):
        own = derive(seed, number)
        state = game.start(seed=own)
        skills = levels_at(skill, game.players, number)
        bots = {p: (new_bot(skills[p], derive(own, p + 1)), speed) for p, speed in enumerate(speeds)}
        race, course = Race(state, bots, own + 1), Course(state.position, deal_stage(game.program), deals, by_deal)
        while course.goes_on():
            race.run(limit)
            course.made = race.made
        yield course.match()._replace(milliseconds=state.position.clock, late=tuple(race.late))
