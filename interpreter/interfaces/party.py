"""Who plays a match at this machine: which seats people have, what everybody is called, how bots play."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.base.signs import on_one_line, shortened, unseen_in
from interpreter.players.honor_bot import PERFECT, Manners
from interpreter.players.monte_carlo import SKILLS

if TYPE_CHECKING:
    from interpreter.api.game import Game

LONGEST_NAME = 20
NO_NAMES = frozenset({"everybody", "nobody", "table", "they", "you"})
"""Words that would be read for somebody else."""
USUAL_SKILL = "medium"
THOUGHT = 1.8
"""Seconds that a bot thinks at most while somebody waits."""


@dataclass(frozen=True, slots=True)
class Party:
    """seats: of people, from 0, in the order in which they are asked first; bots have the others. names: from the first
    seat on. skill: of the bots. manners: theirs on honour. verbose: whether shuffles and the like are told."""

    seats: tuple[int, ...] = (0,)
    names: Sequence[str] = ()
    skill: str = "random"
    manners: Manners = PERFECT
    verbose: bool = False

    @property
    def thought(self) -> float | None:
        """Seconds that a bot thinks at most: without people it may take its time, and the same seed plays the same."""
        return THOUGHT if self.seats else None

    def manners_in(self, game: Game) -> Manners:
        """How bots behave: without fault where nothing is on their honour."""
        return self.manners if game.program.honor else PERFECT

    def differing(self, other: Party | None, game: Game) -> list[str]:
        """The flags that make this party of another one, which a record tells."""
        manners = self.manners_in(game)
        other, words = other or self, []
        if self.seats != other.seats:
            first = self.seats == tuple(range(len(self.seats)))
            counted = f"--humans {len(self.seats)}" if self.seats else "--bots all"
            words += [counted] if first else [f"--seat {seat + 1}" for seat in self.seats]
        if self.skill != other.skill:
            words.append(f"--skill {self.skill}")
        named = ((name, getattr(manners, name)) for name in manners.__slots__)
        return words + [f"--{name} {chance:g}" for name, chance in named if chance]

    def told(self) -> dict[str, Any]:
        """What a record says of it, so that whoever goes on need not say it again."""
        found: dict[str, Any] = {}
        if self.seats != tuple(range(len(self.seats))):
            found["seats"] = [f"P{seat + 1}" for seat in self.seats]
        if self.names:
            found["names"] = list(self.names)
        if self.seats and self.skill != "random":
            found["skill"] = self.skill
        return found


def recorded_seats(table: Mapping[str, Any], players: int) -> tuple[int, ...] | None:
    """The seats of people as a record tells them; None where it tells none that there are."""
    seats = [f"P{seat + 1}" for seat in range(players)]
    told = table.get("seats")
    if not isinstance(told, list) or not told or not all(seat in seats for seat in told) or len(told) > len({*told}):
        return None
    return tuple(seats.index(seat) for seat in told)


def recorded_names(table: Mapping[str, Any], players: int) -> tuple[str, ...]:
    """The names as a record tells them; none where they would not be taken from anybody else."""
    told = table.get("names")
    if not isinstance(told, list) or len(told) > players or not all(isinstance(name, str) for name in told):
        return ()
    return () if misnamed(told) else tuple(told)


def recorded_skill(table: Mapping[str, Any]) -> str | None:
    """The level of bots as a record tells it."""
    told = table.get("skill")
    return told if isinstance(told, str) and told in SKILLS else None


def misnamed(names: Sequence[str]) -> str:
    """What is wrong with the names of people, or nothing."""
    for name in names:
        if unseen_in(name) or not name.strip() or len(name) > LONGEST_NAME or not name[0].isalpha():
            rule = f"a name has 1 to {LONGEST_NAME} signs that can be seen, and begins with a letter"
            return f"'{on_one_line(shortened(name))}' is no name: {rule}"
        if re.fullmatch("[PpTt][0-9]+", name) or name.casefold() in NO_NAMES:
            return f"'{name}' is what the program calls somebody; take another name"
    if len({name.casefold() for name in names}) < len(names):
        return "everybody has a name of their own"
    return ""
