"""What holds in a match just now, as plain data.

The functions of a program are asked of it, and change it. It knows no program: a `Position` is the situation of a match
with the program that it is of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.engine.breaches import Fault
from interpreter.engine.events import Event
from interpreter.engine.frames import Frame
from interpreter.engine.melds.combinations import Meld
from interpreter.engine.moves import Move

RecordedMove = tuple[int, int, str, dict[str, int]]
"""Tick, player, text of the move, and its times and measures."""
NO_OFFER: tuple[int, int, int | list[Sequence[Move]]] = (-1, -1, 0)
"""Tick, player and what was offered last, the cards of plain plays or lists of moves: a move of these that follows at
once need not be judged again."""


class Situation:
    """Cards, variables, pieces, the turn, the stack of stages, chance and log.

    z: place -> its cards, as bits or as a list, bottom first. v: the values of variables by slot. up, down: bits of the
    cards that lie turned up or face down.
    """

    __slots__ = (
        "before_tick", "best", "busy", "calls", "carried", "chance", "changes", "clock", "counted", "current", "dealer",
        "direction", "down", "draws", "faults", "floor", "halt_after", "halted", "held", "hidden", "jump", "laid",
        "lapsed", "leader", "led", "log", "logged", "mark", "offered", "over", "plays", "record_moves", "redealing",
        "runs", "seats", "seed", "skips", "spent", "stack", "tick", "tokens", "trick_number", "tricks", "up", "v",
        "winner", "z",
    )  # fmt: skip

    seed: int
    """Where chance begins: as the setup says, or where it was drawn anew."""
    draws: int
    z: list[Any]
    v: list[Any]
    up: int
    down: int
    tokens: dict[str, list[int]]
    current: int
    dealer: int | None
    direction: int
    seats: tuple[int, ...]
    stack: list[Frame]
    runs: list[int]
    changes: list[int]
    """How often each stage has begun or ended in all, however its runs are counted; of matches with a log."""
    calls: list[tuple[int, tuple[Any, ...]]]
    jump: int
    mark: int
    skips: int
    redealing: bool
    hidden: int
    plays: list[tuple[int, int]]
    led: int | None
    leader: int | None
    winner: int | None
    best: list[int]
    trick_number: int
    tricks: list[int]
    faults: list[Fault]
    laid: dict[int, Meld]
    """Place -> the meld that was laid there, where the rules ask for it."""
    lapsed: list[int]
    """How many faults of each player have lapsed by age since claims were opened."""
    over: bool
    clock: int
    """When the last move ended, in milliseconds."""
    before_tick: tuple[int, int]
    """The last tick that had times, and what the clock was before it: within a tick moves end in any order."""
    busy: tuple[tuple[int, ...], ...]
    """Of each player when each hand gets free, the earliest first; hands that were never busy are left out."""
    tick: int
    log: list[Event] | None
    logged: tuple[int, int]
    """How many letters of the log are counted, and how long it is when more are to be."""
    record_moves: list[RecordedMove]
    floor: int
    """So many moves are not taken back: those that were made before the state was saved that this one goes on."""
    chance: dict[str, list[Any]]
    """Outcomes that were fixed and have not come about yet, by place."""
    halt_after: tuple[int, int] | None
    """For playouts: stop when this stage has ended so often, or before it begins again (BEFORE_NEXT)."""
    halted: bool
    held: bool
    """Whether whoever has a move made puts the position back where that fails; else its moves are made again."""
    counted: list[int] | None
    """For simulations: what is counted of this match so far, column by column; copies count nothing."""
    offered: tuple[int, int, int | list[Sequence[Move]]]
    carried: int
    """What the moves of this tick that have been carried out have taken together."""
    spent: int
    """Steps counted so far of the move or list of moves that is being worked on; see `budget`."""
