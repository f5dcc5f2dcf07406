"""How a match at the terminal ends before its end, and what is said where something cannot be done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from interpreter.engine.position import Position

NOBODY = "nobody can do anything any more, although the match is not over"
MOST_IDLE = 1_000
IN_VAIN = f"{MOST_IDLE:,} moves one after the other have changed nothing"
QUIT = ("quit", "q", "exit")
HELP = ("?", "help")
HANDING_OVER = "Only {0} should see what comes: Enter shows it, rules shows the rules, quit leaves."
YES = ("y", "yes", *QUIT)
QUITTED = "you have left the match"
HINTS_ARE_FOR_TURNS = "Hints are for games in turns: in a race and on honour nobody says what to play."
NOTHING_TO_UNDO = "There is no move of yours to take back."
UNDO_IS_FOR_TURNS = "Moves are taken back by one person against bots, and not in a race or on honour."
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
    """Whether bots among themselves get on: they may make moves for ever that change nothing."""

    def __init__(self) -> None:
        self._lies: tuple[object, ...] = ()
        self._idle = 0

    def has_ended(self, s: Position) -> bool:
        """Whether so many moves have changed nothing. Looks at the position once for each."""
        lies = (*s.z, *s.v, s.current, len(s.stack))
        self._idle = self._idle + 1 if lies == self._lies else 0
        self._lies = lies
        return self._idle >= MOST_IDLE


class Left(Exception):
    """The match was left before its end. The message says why."""
