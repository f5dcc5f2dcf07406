"""How a match at the terminal ends before its end, and what is said where something cannot be done."""

from __future__ import annotations

from typing import Protocol

NOBODY = "nobody can do anything any more, although the match is not over"
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


class Left(Exception):
    """The match was left before its end. The message says why."""
