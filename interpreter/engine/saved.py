"""A position as JSON data, and the moves that it keeps."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from interpreter.engine.events import DEAL, Event
from interpreter.engine.melds import laid
from interpreter.engine.position import Position
from interpreter.engine.situation import RecordedMove


def as_data(s: Position) -> dict[str, Any]:
    """A position as it is, and every move that led there.

    The log follows from the moves, so only its hash is kept: a match of a thousand moves stays small.
    """
    return {
        "seed": s.setup.seed, "draws": s.draws, **table_as_data(s),
        "clock": [s.clock, s.tick, s.before_tick, s.busy],
        "chance": s.chance, "start_chance": s.setup.chance, "given": s.setup.given,
        "moves": _brief(s.record_moves), "log": None if s.log is None else _hash(s.log),
        **({"redrawn": s.setup.redrawn} if s.setup.redrawn else {}),
    }  # fmt: skip


def table_as_data(s: Position) -> dict[str, Any]:
    """What is on the table and in everybody's memory, whenever and by whatever moves it came about."""
    return {
        "z": s.z, "v": s.v, "up": s.up, "down": s.down, "tokens": s.tokens,
        "table": [s.current, s.dealer, s.direction, s.seats, s.skips, s.redealing],
        "stack": [f.to_json() for f in s.stack], "runs": s.runs,
        "trick": [s.plays, s.led, s.leader, s.winner, s.best, s.trick_number, s.tricks],
        "faults": [f.to_json() for f in s.faults], "lapsed": s.lapsed, "over": s.over,
        **({"laid": laid.as_data(s)} if s.laid else {}),
    }  # fmt: skip


def _hash(log: Sequence[Event]) -> str:
    """What is told, and to whom. That a move names its stage, and a deal is known by its kind, helps those who put it
    into sentences, and changes no hash."""
    log = [
        event._replace(kind=event.head, source="") if event.source and event.kind in ("move", DEAL) else event
        for event in log
    ]
    return hashlib.sha256(as_json(log)).hexdigest()[:16]


def as_json(log: Sequence[Event]) -> bytes:
    """What `json.dumps` makes of it without blanks: of plain letters msgspec makes the same, in a tenth of the time."""
    try:
        quick = msgspec.json.encode(log)
    except (UnicodeEncodeError, OverflowError):  # half of a pair of surrogates, a very large number
        return _slowly(log)
    return quick if quick.isascii() and b"\x7f" not in quick else _slowly(log)


def _slowly(log: Sequence[Event]) -> bytes:
    return json.dumps(log, separators=(",", ":")).encode()


def _brief(moves: Sequence[RecordedMove]) -> list[str | RecordedMove]:
    """Moves as `P1 play 2C` where nothing else is to be said: alone in the tick after the last, without times."""
    found: list[str | RecordedMove] = []
    last = 0
    for move in moves:
        tick, player, text, extra = move
        found.append(f"P{player + 1} {text}" if tick == last + 1 and not extra else move)
        last = tick
    return found


def full_moves(moves: Sequence[Any]) -> Iterator[RecordedMove]:
    """The moves of a position as data, in full. Raises ValueError, TypeError or IndexError if they are none."""
    last = 0
    for move in moves:
        if isinstance(move, str):
            player, _, text = move.partition(" ")
            move = (last + 1, int(player[1:]) - 1, text, {})
        tick, player, text, extra = move
        last = int(tick)
        found = dict(extra)
        if type(found.get("refused", 1)) is not int or found.get("refused", 1) != 1:
            raise ValueError("a move is refused or not")
        yield last, int(player), str(text), found
