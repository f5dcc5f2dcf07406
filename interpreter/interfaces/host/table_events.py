"""What happens at a table, in one numbered sequence: all that is needed to have it again.

Each event has been checked when it is made; to carry it out again needs nothing but the events before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from interpreter.interfaces.catalogue import MOST_PLAYERS
from interpreter.interfaces.host.hosted_steps import Made

HIGHEST = 2**31 - 1
"""The highest number of an event that every database takes."""


class TableEvent(Struct, tag_field="t", omit_defaults=True):
    """Anything that happens at a table. at: seconds since 1970."""


class GameSpec(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A game as it is asked for. source: a shipped id. overlays: texts of house rules, one laid on the other, which are
    kept as they were, whatever becomes of files."""

    source: str
    players: int | None = None
    options: dict[str, Any] = {}
    variants: list[str] = []
    honor: bool = False
    overlays: list[str] = []


class Opened(TableEvent, tag="open"):
    """game: what is played. seats: how many. links: hashes of the secrets that let somebody join and watch. digest: of
    what the shipped rulesets in it said then, see `KeptRules`. by: who has opened it, where it has house rules, see
    `strange_places`; "" for the host."""

    game: GameSpec
    title: str
    seats: Annotated[int, Meta(ge=1, le=MOST_PLAYERS)]
    join: str
    watch: str
    code: str
    digest: str = ""
    by: str = ""

    def __post_init__(self) -> None:
        if self.game.players not in (None, self.seats):
            raise ValueError(f"it has {self.seats} seats for a game of {self.game.players}")


class Sat(TableEvent, tag="sit"):
    """Somebody takes a seat. secret: the hash of the secret that is theirs."""

    seat: int
    name: str
    secret: str


class BotSat(TableEvent, tag="bot"):
    """A bot takes a free seat, or plays for a person who is away."""

    seat: int
    level: str
    name: str = ""


class Stood(TableEvent, tag="leave"):
    """A seat is given up, or taken from its person; during a match a bot of a level has it."""

    seat: int
    level: str


class Returned(TableEvent, tag="back"):
    """A person is back, for whom a bot has played, or who is asked from now on, too, what the others vote on."""

    seat: int


class Moved(TableEvent, tag="move"):
    """A move, or moves that were made together. id: as the page has called it. quiet: see `Step`."""

    made: Made
    seat: int
    id: str = ""
    quiet: bool = False


class Refused(TableEvent, tag="no"):
    """A move was refused: servers before have stored it, and nothing follows from it."""

    seat: int
    id: str
    text: str
    stale: bool = False


class Begun(TableEvent, tag="begin"):
    """A match begins. made: what chance has given before the first move. head: what the first line of its record says
    besides, so that the record can be had whatever becomes of the rules; servers before have not stored it."""

    made: Made
    head: dict[str, Any] = {}


class Undone(TableEvent, tag="undo"):
    """Moves are taken back. stay: how many stay; redrawn: after how many moves chance went on from which seed; chance:
    how many outcomes of each place stay; note: what everybody is told of it."""

    stay: int
    redrawn: list[tuple[int, int]]
    chance: dict[str, int]
    note: str = ""


class Renamed(TableEvent, tag="name"):
    seat: int
    name: str


class HostIs(TableEvent, tag="host"):
    """The role of the host passes to a seat."""

    seat: int


class SeatMoved(TableEvent, tag="device"):
    """A seat goes to another device: only the new secret opens it."""

    seat: int
    secret: str


class Set(TableEvent, tag="set"):
    """A setting of the table. what: locked, paused, fair, chat, wait; or muted, of a seat."""

    what: str
    value: Any
    seat: int | None = None


class Proposed(TableEvent, tag="propose"):
    """asked: the seats that have to agree, of which one that leaves the table for a moment is still one. stay: how many
    moves would stay, if moves are to be taken back and it was looked who has seen cards by the others: saw."""

    what: str
    by: int
    seat: int | None = None
    asked: list[int] = []
    stay: int | None = None
    saw: list[int] = []


class Voted(TableEvent, tag="vote"):
    seat: int
    yes: bool


class Spoke(TableEvent, tag="say"):
    """Somebody has said something that is no part of the game."""

    seat: int
    text: str


class Lapsed(TableEvent, tag="lapse"):
    """What was proposed cannot be done any more."""


class Ended(TableEvent, tag="end"):
    """The match is over. won: the seats that have won. why: where the rules could not go on."""

    won: list[int]
    why: str = ""


AnyEvent = (
    Opened | Sat | BotSat | Stood | Returned | Moved | Refused | Begun | Undone | Renamed | HostIs | SeatMoved | Set
    | Proposed | Voted | Lapsed | Spoke | Ended
)  # fmt: skip
decode = msgspec.json.Decoder(AnyEvent).decode
encode = msgspec.json.Encoder().encode


class _Move(TableEvent, tag="move"):
    """What is needed of a move of a match before the last one: who was answered."""

    seat: int
    id: str = ""


class _Begin(TableEvent, tag="begin"):
    """That there was a match before the last one."""


class _Undo(TableEvent, tag="undo"):
    """That moves of it were taken back."""


_Past = (
    Opened | Sat | BotSat | Stood | Returned | _Move | Refused | _Begin | _Undo | Renamed | HostIs | SeatMoved | Set
    | Proposed | Voted | Lapsed | Spoke | Ended
)  # fmt: skip
_decode_past = msgspec.json.Decoder(_Past).decode
_NOTHING = Made([], [])


def as_stored(n: Any, body: Any) -> tuple[int, bytes]:
    """The number of an event and the event, as a database has them. Raises ValueError where none of ours can be so: in
    a file a column takes anything."""
    if not isinstance(n, int) or not 0 < n <= HIGHEST or not isinstance(body, bytes | memoryview):
        raise ValueError("what is stored is no event")
    return n, bytes(body)


def decode_table(rows: Iterable[tuple[int, bytes]]) -> list[tuple[int, AnyEvent]]:
    """The events of a table, in order, with their numbers. Of matches before the last one nothing that was played is
    among them: it is much, and a table is the same without."""
    past, last = list[tuple[int, AnyEvent]](), list[tuple[int, AnyEvent, bytes]]()
    for n, body in rows:
        event = _decode_past(body)
        if isinstance(event, _Begin):
            past += [(number, before) for number, before, _ in last]
            last = []
        last.append((n, _without_play(event), body))
    return past + [(n, decode(body)) for n, _, body in last]


def _without_play(event: Any) -> AnyEvent:
    match event:
        case _Move(seat=seat, id=name):
            return Moved(_NOTHING, seat, name)
        case _Begin():
            return Begun(_NOTHING)
        case _Undo():
            return Undone(0, [], {})
    found: AnyEvent = event
    return found
