"""A table as plain data: who sits where, what is agreed, what has been played. It changes by events alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter.base.packed import Packed
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.situation import RecordedMove
from interpreter.engine.whence import SOME
from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.crowd import MOST_PAGES
from interpreter.interfaces.host.hosted_steps import Made
from interpreter.interfaces.host.made_again import History

LOBBY, PLAYING, OVER = "lobby", "playing", "over"
MOST_KEPT, MOST_SAID = 5_000_000, 3_000_000
"""Bytes of what is kept of one match, all of which is sent to a process in one line (`worker.LONGEST_LINE`); and behind
how many of them players say nothing with their moves any more. A match of Hearts of sixty deals has some 260,000."""
OUTCOME, MOVE, MEASURE = 10, 60, 4
"""About how many of them each card takes that chance has dealt, each move besides its text, and each of its times and
measures besides its name and value."""
MOST_SPOKEN, MOST_RETOLD = 5_000, 100
"""Of what has been said at a table besides its game so much is kept; and so much of that, the last, is told to whoever
comes."""
MOST_SETTLED = 10_000
"""Of what happens at a table besides its matches and talk (who sits down, what is set and voted on) so much is kept:
all of it is read when the table is. Behind that people ask for no more of it."""
NO_ROOM = "So much has been set and voted on at this table that no more of it is kept; open another one."
MOST_ANSWERS = MOST_PAGES * p.MOST_UNANSWERED
"""Answers to moves of a seat that are known by their id: as many as its pages can wait for, all together. In races and
wherever a move answers no decision, nothing but its id tells that it was made."""
MOST_WORDS = 32
"""Refusals of a seat that are known with their words: the last ones. Of others it is known that they were refused."""
KEY = 8
"""Bytes that are kept of an id."""
REFUSED_BEFORE = "That was refused before."


@dataclass(slots=True)
class Place:
    """A seat. secret: the hash of what opens it. bot: the level of whoever plays it but its person. since: the number
    of the event with which its person sat down."""

    name: str = ""
    secret: str = ""
    bot: str = ""
    muted: bool = False
    won: int = 0
    since: int = 0
    answered: bytearray = field(default_factory=bytearray)
    """The last moves that were answered, each as KEY bytes made of its id and of whether it was refused: there are
    many, which are seldom asked for."""
    refused: dict[str, p.Refused] = field(default_factory=dict)
    """The last answers to those of them that were refused."""

    def answer(self, move: str) -> p.Done | p.Refused | None:
        """What was answered to a move; None if nothing was, as far as is known."""
        if _key(move, False) in self.answered:
            return p.Done(move)
        if _key(move, True) in self.answered:
            return self.refused.get(move) or p.Refused(move, REFUSED_BEFORE)
        return None

    def answers(self, move: str, refused: p.Refused | None) -> None:
        """A move is answered: refused, or made. What was answered long ago is forgotten."""
        for key in (_key(move, False), _key(move, True)):
            if (at := self.answered.find(key)) >= 0:
                del self.answered[at : at + KEY]
        self.refused.pop(move, None)
        self.answered += _key(move, refused is not None)
        if refused is not None:
            self.refused[move] = refused
        if len(self.refused) > MOST_WORDS:
            del self.refused[next(iter(self.refused))]
        if len(self.answered) > MOST_ANSWERS * KEY:
            oldest = next(iter(self.refused), "")
            if self.answered.startswith(_key(oldest, True)):
                del self.refused[oldest]
            del self.answered[:KEY]

    @property
    def is_free(self) -> bool:
        return not self.name

    @property
    def is_person(self) -> bool:
        return bool(self.secret)


@dataclass(slots=True)
class Vote:
    """n: how many there have been at the table, with this one. stay, saw: see `Proposed`."""

    n: int
    what: str
    by: int
    seat: int | None
    yes: set[int]
    asked: list[int]
    stay: int | None
    saw: list[int]


@dataclass(slots=True)
class TableState:
    """opened: how the table was made. n: the number of the last event. redrawn, chance, moves, notes: of the
    match."""

    opened: e.Opened
    n: int = 1
    state: str = LOBBY
    match: int = 0
    host: int | None = None
    locked: bool = False
    paused: bool = False
    fair: bool = True
    chat: str = "phrases"
    wait: int | None = None
    """Seconds until the others may let a bot play for somebody who is away, if the host has said so."""
    why: str = ""
    head: dict[str, Any] = field(default_factory=dict)
    """What the first line of the record of the match says, but for what chance has given; {} if that was not stored."""
    vote: Vote | None = None
    votes: int = 0
    """How many there have been."""
    moves: Packed[RecordedMove] = field(default_factory=lambda: Packed(RecordedMove))
    last: dict[int, int] = field(default_factory=dict)
    """By seat that has moved the first move of the tick of its last one, from 0: all moves are too many to be gone
    through whenever somebody would like to take one back."""
    quiet: set[int] = field(default_factory=set)
    """Moves of which nobody else was told, from 0: whoever takes a move back takes these back with the one before."""
    ended: int = -1
    """The last move with which a race has ended, from 0."""
    chance: dict[str, list[Any]] = field(default_factory=dict)
    _tick: tuple[int, int] = -1, 0
    """The tick of the last move, and the first move of that tick."""
    redrawn: list[tuple[int, int]] = field(default_factory=list)
    notes: list[tuple[int, str]] = field(default_factory=list)
    undone: int = 0
    """How often moves have been taken back."""
    kept: int = 0
    spoken: int = 0
    settled: int = 0
    """How much has happened besides matches and talk."""
    said: list[tuple[int, str]] = field(default_factory=list)
    """What was said last besides the game, by whose seat; and how much was said at the table."""
    won: list[int] = field(default_factory=list)
    seats: list[Place] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    """What everybody was called when the match began."""

    def __post_init__(self) -> None:
        self.seats = [Place() for _ in range(self.opened.seats)]

    @property
    def history(self) -> History:
        return History(list(self.moves), self.chance, self.redrawn, self.notes)

    @property
    def takes_words(self) -> bool:
        """Whether there is room for what players say of their own."""
        return self.kept <= MOST_SAID

    @property
    def may_settle(self) -> bool:
        """Whether there is room for what people set, vote on and the like."""
        return self.settled < MOST_SETTLED

    def needs_room(self) -> None:
        """Raises RuleError where no more of the match can be kept."""
        if self.kept > MOST_KEPT:
            raise RuleError("more has been said, measured and shuffled in this match than is kept of one")

    @property
    def people(self) -> list[int]:
        """The seats of people, also of those for whom a bot plays."""
        return [seat for seat, place in enumerate(self.seats) if place.is_person]

    def longest(self, seats: Iterable[int]) -> int | None:
        """Who of some has sat there for longest; None if there is nobody."""
        return min(seats, key=lambda seat: self.seats[seat].since, default=None)

    def apply(self, event: e.AnyEvent) -> None:
        """Carry out what happens next."""
        self.n += 1
        match event:
            case e.Moved():
                if event.quiet:
                    self.quiet.update(range(len(self.moves), len(self.moves) + len(event.made.moves)))
                self._made(event.made)
                self.answer(event.seat, event.id)
            case e.Begun():
                self.state, self.match, self.vote, self.paused = PLAYING, self.match + 1, None, False
                self.moves = Packed(RecordedMove)
                self.last, self.ended, self._tick, self.quiet = {}, -1, (-1, 0), set()
                self.chance, self.redrawn, self.notes, self.won, self.why, self.kept = {}, [], [], [], "", 0
                self.names, self.head = [place.name for place in self.seats], event.head
                self._made(event.made)
            case e.Undone():
                self.undone += 1
                del self.moves[event.stay :]
                self.last, self.ended, self._tick = {}, -1, (-1, 0)
                self.quiet = {at for at in self.quiet if at < event.stay}
                self._counts(0, self.moves)
                self.redrawn = list(event.redrawn)
                self.notes = [(min(at, event.stay), text) for at, text in self.notes]
                if event.note:
                    self.notes.append((event.stay, event.note))
                self.chance = {place: self.chance[place][:count] for place, count in event.chance.items()}
                self.kept = _size(self.moves, self.chance.values()) + _size_of_texts(text for _, text in self.notes)
                self.kept += MOVE * len(self.redrawn)
                self.vote = None
            case e.Ended():
                self.state, self.won, self.why, self.vote = OVER, event.won, event.why, None
                for seat in event.won:
                    self.seats[seat].won += 1
            case _:
                self._seated(event)

    def _seated(self, event: e.AnyEvent) -> None:
        """What concerns people and what they agree on."""
        self.settled += not isinstance(event, e.Spoke | e.Refused)
        match event:
            case e.Sat():
                self.seats[event.seat] = Place(event.name, event.secret, won=self.seats[event.seat].won, since=self.n)
                if self.host is None:
                    self.host = event.seat
            case e.BotSat():
                place = self.seats[event.seat]
                place.bot, place.name = event.level, place.name or event.name
                self.vote = None
            case e.Stood():
                place = self.seats[event.seat]
                place.secret = ""
                if self.state == LOBBY:
                    self.seats[event.seat] = Place()
                elif not place.bot:
                    place.bot = event.level
                if self.host == event.seat:
                    self.host = self.longest(self.people)
                self.vote = None
            case e.Returned():
                self.seats[event.seat].bot = ""
                if self.vote is not None and event.seat not in self.vote.asked:
                    self.vote.asked = [*self.vote.asked, event.seat]
            case e.Renamed():
                self.seats[event.seat].name = event.name
            case e.HostIs():
                self.host = event.seat
            case e.SeatMoved():
                self.seats[event.seat].secret = event.secret
            case e.Proposed():
                self._proposed(event)
            case e.Voted() if self.vote is not None:
                self.vote.yes.add(event.seat)
                if not event.yes:
                    self.vote = None
            case e.Lapsed():
                self.vote = None
            case e.Spoke():
                self.spoken += 1
                self.said.append((event.seat, event.text))
                del self.said[:-MOST_RETOLD]
            case e.Set():
                self._set(event)

    def _proposed(self, event: e.Proposed) -> None:
        """What is voted on is one thing from here on, also where it was not looked who has seen cards by it."""
        self.votes += 1
        stay, saw = event.stay, event.saw
        if stay is None and event.what == "undo":
            stay, saw = self.last.get(event.by), [SOME]
        given = {event.by}, event.asked, stay, saw
        self.vote = Vote(self.votes, event.what, event.by, event.seat, *given)

    def _set(self, event: e.Set) -> None:
        match event.what:
            case "locked":
                self.locked = bool(event.value)
            case "paused":
                self.paused = bool(event.value)
            case "fair":
                self.fair = bool(event.value)
            case "chat":
                self.chat = str(event.value)
            case "wait":
                self.wait = int(event.value)
            case "muted" if event.seat is not None:
                self.seats[event.seat].muted = bool(event.value)

    def _counts(self, first: int, moves: Iterable[RecordedMove]) -> None:
        """Keep in mind who has moved last. first: the number of the first of these moves, from 0."""
        for at, (tick, player, _, extra) in enumerate(moves, first):
            if tick != self._tick[0]:
                self._tick = tick, at
            if at not in self.quiet:
                self.last[player] = self._tick[1]
            if "end" in extra:
                self.ended = at

    def _made(self, made: Made) -> None:
        self._counts(len(self.moves), made.moves)
        self.moves += made.moves
        self.moves.pack()
        self.kept += _size(made.moves, [[outcome for _, outcome in made.chance]])
        for place, outcome in made.chance:
            self.chance.setdefault(place, []).append(outcome)

    def answer(self, seat: int, move: str, refused: p.Refused | None = None) -> None:
        """A seat is answered to a move that it is made, unless it is refused. move: its id; "" for a bot's."""
        if not move:
            return
        self.seats[seat].answers(move, refused)


def _key(move: str, refused: bool) -> bytes:
    """What stands for the id of a move: other bytes in each process, and of no two ids the same but by a chance of 1 in
    2 ** 50."""
    return (hash(move) & ~1 | refused).to_bytes(KEY, "little", signed=True)


def _size(moves: Iterable[RecordedMove], chance: Iterable[list[Any]]) -> int:
    """About how many bytes moves take, and what chance has given, by place."""
    outcomes = (outcome for found in chance for outcome in found)
    dealt = sum(OUTCOME * max(1, len(outcome)) if type(outcome) is list else OUTCOME for outcome in outcomes)
    return dealt + sum(MOVE + len(text.encode()) + _size_of_measures(extra) for _, _, text, extra in moves)


def _size_of_measures(extra: Mapping[str, int]) -> int:
    return sum(MEASURE + len(name.encode()) + len(str(value)) for name, value in extra.items())


def _size_of_texts(texts: Iterable[str]) -> int:
    return sum(MOVE + len(text.encode()) for text in texts)
