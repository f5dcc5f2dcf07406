"""How a match at the terminal ends before its end, and what is said where something cannot be done."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol

from interpreter.engine.saved import table_as_data

if TYPE_CHECKING:
    from interpreter.engine.position import Position

NOBODY = "nobody can do anything any more, although the match is not over"
MOST_IDLE = 1_000
IN_VAIN = f"{MOST_IDLE:,} moves one after the other have brought nothing new"
LAST = 40
"""Lines of the log that are shown when somebody asks."""
QUIT = ("quit", "q", "exit")
HELP = ("?", "help")
HANDING_OVER = "Only {0} should see what comes: Enter shows it, rules shows the rules, quit leaves."
LEAVE = "Leave? y or n: "
YES = ("y", "yes", *QUIT)
STAYS = "You play on."
QUITTED = "you have left the match"
HINTS_ARE_FOR_TURNS = "Hints are for games in turns: in a race and on honour nobody says what to play."
HINTS_ARE_FOR_ONE = "Hints are for whoever has the screen alone: here one would tell the others what you remember."
NOTHING_TO_UNDO = "There is no move of yours to take back."
NOT_IN_A_RACE = "In a race nothing is taken back."
NOT_ON_HONOUR = "On honour nothing is taken back."
NOT_AMONG_PEOPLE = "Moves are taken back only by one person against bots."
MOVE_STAYS = "That move is not taken back"
CANNOT_DO_THAT = "The rules cannot go on after that, so it is not done"
DEAD_END = (
    "The rules cannot go on",
    "Your last move can be taken back with undo, and then you can go on otherwise; quit leaves the match.",
)


class Keeper(Protocol):
    """Whoever keeps what has happened, before anybody is asked again."""

    def keep(self) -> None: ...


class Progress:
    """Whether bots among themselves get on: they may for ever change nothing, or go round in circles."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        """Hashes of what the table was after each move."""
        self._idle = 0

    def has_ended(self, s: Position) -> bool:
        """Whether so many moves have brought nothing new. Looks at the position once for each."""
        table = table_as_data(s)
        endless = (s.program.stages[frame.stage].kind == "turn" and not frame.pending for frame in s.stack)
        for frame, is_endless in zip(table["stack"], endless, strict=True):
            frame[-1] = 0  # when somebody moved
            if is_endless:
                frame[2] = 0  # how many turns there were
        now = hash(json.dumps(table))
        self._idle = self._idle + 1 if now in self._seen else 0
        self._seen.add(now)
        return self._idle >= MOST_IDLE


class Left(Exception):
    """The match was left before its end. The message says why."""
