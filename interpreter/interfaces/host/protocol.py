"""What a page and the server tell each other over a table's socket: JSON objects, told apart by their `type`.

`schema/host.schema.json` is made from here (`python -m interpreter.interfaces.host.protocol`), and a test holds them
together. Whatever a page sends is untrusted: an object with a key or a type that is not named here is no message.

A frame of a page is one message; a frame of the server is one or several, each on a line of its own.

A page says `hello` and is answered by `welcome`; from then on each `news` brings what has changed for that one reader.
`n` counts the news of a reader, not of the table, so that a number tells nothing of what others do in secret. A page
that finds a gap says hello again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

VERSION = 3
"""Of the protocol. A page of another version is told to load itself anew."""
ALIVE = 0
"""The number of a ping that is not answered."""

LONGEST_MESSAGE = 16_384
"""Bytes of one message of a page."""
LONGEST_MOVE = 12_000
"""Letters of a move that a page can send. A match in which only longer ones are offered cannot go on at a table."""
LONGEST_SAID = 1_000
"""Of what is said with a move, as much as rules may have somebody say."""
LONGEST_CHAT = 300
MOST_UNANSWERED = 20
"""Moves of a page that are not answered yet: it makes no more before one of them is. So many of each page that a seat
may have are known by their ids when they come again."""
PHRASES = (
    "Hello!", "Good luck!", "Well played!", "Thank you!", "Sorry!", "One moment, please.", "I'm back.",
    "Whose turn is it?", "Oops!", "Ha!", "One more?", "Good night!",
)  # fmt: skip
"""What can be said where chat is `phrases`."""

Seat = Annotated[int, Meta(ge=0, le=99)]
Secret = Annotated[str, Meta(max_length=64, pattern="^[A-Za-z0-9_-]*$")]
Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]
MoveId = Annotated[str, Meta(min_length=1, max_length=32, pattern="^[A-Za-z0-9_-]+$")]
"""Made by the page at random, one for each move: the same again gets the same answer, and is made once."""
Name = Annotated[str, Meta(max_length=40)]


class FromPage(Struct, tag_field="type", forbid_unknown_fields=True):
    """A message of a page."""


class Hello(FromPage, tag="hello"):
    """The first message: which table, and who is there. token: the secret of a seat's, watcher's or table's link, as it
    stands in the link's fragment; without one the cookie says who it is, and `seat` which of several on one device."""

    v: int
    table: Annotated[str, Meta(max_length=32)]
    token: Secret = ""
    seat: Seat | None = None


class Play(FromPage, tag="move"):
    """A move. ask: the number of the decision that it answers, from the `ask` that was shown; 0 for what answers none
    (in a race, a claim, whatever can be done at any time). move: its text, as the offers of the ask have it, such as
    `play 7H`. words: what is said with it, on honour. seen: the last news that the page had shown."""

    id: MoveId
    move: Annotated[str, Meta(min_length=1, max_length=LONGEST_MOVE)]
    ask: Number = 0
    words: Annotated[str, Meta(max_length=LONGEST_SAID)] = ""
    seen: Number | None = None


class Chat(FromPage, tag="chat"):
    """Something said to the table that is no part of the game; in phrases, one of `table.phrases`."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_CHAT)]


class Propose(FromPage, tag="propose"):
    """Ask the others for something. It happens when all who have to agree have voted for it.

    undo: take back one's own last move. bot: let a bot play for a seat that is away, until its person is back (`seat`).
    rematch: another match. redeal is no such thing: rules do that."""

    what: Literal["undo", "bot", "rematch"]
    seat: Seat | None = None


class Vote(FromPage, tag="vote"):
    """For or against what is proposed. n: its number, so that no answer counts for what is proposed later."""

    yes: bool
    n: Number | None = None


class Pause(FromPage, tag="pause"):
    """Stop the table, or go on; in a race after a count of three."""

    on: bool


class Rename(FromPage, tag="name"):
    """Be called something else, before the match begins."""

    name: Name


class Leave(FromPage, tag="leave"):
    """Give up one's seat: before the match it is free again, later a bot has it."""


class Order(FromPage, tag="order"):
    """What only the host of a table does. start: begin the match, bots at the free seats. bot: put a bot of a level at
    a free seat (`seat`, `level`). remove: take a seat from its person. mute, unmute: their chat. lock, unlock: whether
    more can join. pass: make a seat's person the host. chat: off, phrases or free (`level`). fair, unfair: whether
    moves of races count earlier by what their way takes. wait: after how many seconds the others may let a bot play for
    somebody who is away (`seconds`)."""

    what: Literal[
        "start", "bot", "remove", "mute", "unmute", "lock", "unlock", "pass", "chat", "fair", "unfair", "wait"
    ]
    seat: Seat | None = None
    seconds: Annotated[int, Meta(ge=10, le=3600)] | None = None
    level: Annotated[str, Meta(max_length=10)] = ""


class Hint(FromPage, tag="hint"):
    """Ask what a bot would do; in strict turns only."""


class Sheet(FromPage, tag="sheet"):
    """Ask for the scores by deal."""


class Pong(FromPage, tag="pong"):
    """The answer to a `ping`, at once. t: as it was sent."""

    t: Number


Incoming = Hello | Play | Chat | Propose | Vote | Pause | Rename | Leave | Order | Hint | Sheet | Pong


class FromServer(Struct, tag_field="type", omit_defaults=True):
    """A message of the server. What has its default is left out."""


class Person(Struct, omit_defaults=True):
    """A seat as everybody at the table sees it. name: "" while it is free. bot: the level of the bot that has it, or
    that plays for a person who is away. here: whether a page of it is connected. credit: milliseconds that its moves
    are counted earlier in races, where that is above 60."""

    seat: int
    name: str = ""
    bot: str = ""
    here: bool = False
    host: bool = False
    muted: bool = False
    credit: int = 0
    score: int = 0
    """Of the evening: matches won."""


class Proposal(Struct, omit_defaults=True):
    """What is voted on. text: in words. yes: the seats that are for it. open: those that have not voted. n: which one
    at this table, from 1; it is given back with the answer."""

    what: str
    by: int
    text: str
    yes: list[int] = []
    open: list[int] = []
    n: int = 0


class TableNews(FromServer, tag="table"):
    """Everything about the table but the match: sent after each change of it, whole, alike to all.

    state: lobby, playing, over. away: seats that a bot may take over now. wait: seconds until that is so. count:
    seconds until the game goes on after a pause. match: which one of the evening, from 1. matches: won by seat.
    phrases: what can be said in `phrases`. waiting: that nothing can be stored just now, and the table goes on when it
    can."""

    state: str
    game: str
    seats: list[Person]
    match: int = 1
    away: list[int] = []
    wait: int = 45
    paused: bool = False
    count: int = 0
    locked: bool = False
    fair: bool = True
    proposal: Proposal | None = None
    chat: str = "phrases"
    phrases: list[str] = []
    watchers: int = 0
    waiting: bool = False
    why: str = ""
    """Why the match could not go on, or is not there yet."""


class Line(Struct, omit_defaults=True, array_like=True):
    """A sentence of the log: [kind, text]; kind is move, news, score or deal."""

    kind: str
    text: str


class Welcome(FromServer, tag="welcome"):
    """All that a reader may know. me: the seat; missing for who watches. scene, ask: see `scene.py`; scene is null
    before the match. lines: the log, from its line number `first`."""

    v: int
    n: int
    table: TableNews
    me: int | None = None
    scene: Any = None
    lines: list[Line] = []
    first: int = 0
    ask: Any = None
    code: str = ""
    """The code of the table's page, until the match begins; for those who sit at it."""
    race: bool = False
    said: list[tuple[int, str]] = []
    """What was said last besides the game, by whose seat."""


class News(FromServer, tag="news"):
    """What has changed for this reader. n: one more than that of the last. lines: new sentences of the log. changes:
    what of the scene has changed, as [path, value], or [path] for what is gone; path lists keys, and indexes from 0.
    [path, at, number, entries]: entries of a list take the place of so many.
    ask: what is asked now; null: nothing; missing: as before. Where everything is new, a welcome comes instead."""

    n: int
    lines: list[Line] = []
    changes: list[Any] = []
    ask: Any = msgspec.UNSET


class Done(FromServer, tag="done"):
    """A move was made and is stored; the news of it come beside."""

    id: str


class Refused(FromServer, tag="refused"):
    """A move was not made; text says why. stale: the decision that it answers is past."""

    id: str
    text: str
    stale: bool = False


class Said(FromServer, tag="chat"):
    """Something said to the table. seat: whose."""

    seat: int
    text: str


class Advice(FromServer, tag="hint"):
    """What a bot would do, in sentences."""

    lines: list[str]


class Scores(FromServer, tag="sheet"):
    """The scores by deal, in lines."""

    lines: list[str]


class Ping(FromServer, tag="ping"):
    """To be answered at once by `pong`, so that the way to a page can be measured; but for 0, which says that the
    server is there: who has heard of it once and hears nothing for five seconds connects anew."""

    t: int


class Failure(FromServer, tag="error"):
    """Something is wrong with the message or with the page's standing. final: the socket ends, and `why` says in one
    word what the page should do: reload (another version), gone (no such table), moved (the seat went to another
    device), removed, full, busy."""

    text: str
    why: str = ""
    final: bool = False


Outgoing = Welcome | News | Done | Refused | TableNews | Said | Advice | Scores | Ping | Failure

_decoder = msgspec.json.Decoder(Incoming)
_encoder = msgspec.json.Encoder()


def decode(text: str | bytes) -> Incoming:
    """A message of a page. Raises msgspec.DecodeError, of which ValidationError is a kind."""
    with as_decode_error():
        found: Incoming = _decoder.decode(text)
        return found


@contextmanager
def as_decode_error() -> Iterator[None]:
    """Where JSON is read: whatever is wrong with it is a DecodeError."""
    try:
        yield
    except UnicodeError:
        raise msgspec.DecodeError("it is no UTF-8") from None
    except RecursionError:
        raise msgspec.DecodeError("it is nested too deep") from None


class _Marked(Struct, tag_field="type", tag="move"):
    """What is known of a move that is no message."""

    id: MoveId


def answer_to_none(text: str | bytes, error: msgspec.DecodeError) -> Refused | Failure:
    """What is said to a page whose message is none; of a move by its id, else the page would wait for its answer."""
    try:
        with as_decode_error():
            move = msgspec.json.decode(text, type=_Marked)
    except msgspec.DecodeError:
        return Failure(f"That is no message: {error}")
    return Refused(move.id, f"That cannot be sent: {error}")


def encode(message: Any) -> str:
    """A message of the server, as the text of a frame."""
    return _encoder.encode(message).decode()


def schema() -> dict[str, Any]:
    """The JSON schema of both directions."""
    (page, server), parts = msgspec.json.schema_components(
        (Incoming, Outgoing), ref_template="#/$defs/{name}"
    )  # fmt: skip
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The socket of a table in the browser",
        "description": f"Version {VERSION}. Made from interpreter/interfaces/host/protocol.py.",
        "oneOf": [{"$ref": "#/$defs/FromPage"}, {"$ref": "#/$defs/FromServer"}],
        "$defs": {"FromPage": page, "FromServer": server, **parts},
    }


def main() -> None:
    """Write the schema to where it belongs."""
    import json
    from pathlib import Path

    from interpreter.base.resources import find

    Path(str(find("schema"))).joinpath("host.schema.json").write_text(
        json.dumps(schema(), indent=2, ensure_ascii=False) + "\n", "utf-8"
    )


if __name__ == "__main__":
    main()
