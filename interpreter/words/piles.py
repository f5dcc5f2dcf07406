"""What the places of cards are called: your hand, Anna's second pile, the left pile, the stock."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from interpreter.engine.program import Program, ZoneCode
from interpreter.words.people import Reader, ordinal

NOUNS = frozenset(
    """
area bank board book box cell center centre circle column cup deck discards display draft dummy field foundation
graveyard ground hand heap house kitchen kitty lane layout line market meld melds middle muck nest pack packet
packets pair pile piles pond pool post pot queue reserve row rows sequence set share shoe slot spread stack stake
stock street table tableau talon tray trash trick tricks trump widow yard
""".split()
)
"""Names of places that are nouns by themselves; behind others comes `pile`."""
MIDDLE = frozenset({"board", "center", "centre", "middle", "table"})
"""Places that lie between the players, whoever began them."""
_DONE = re.compile(r"(?:ed|en|wn|aside|away| at| out| up)$")
"""How names end that say what was done to the cards there."""
TAKEN = {"taken": "tricks", "discard": "discard pile", "cards": "cards"}


@dataclass(frozen=True)
class Spot:
    """One place: the zone it belongs to, its number among the program's places, and whose it is."""

    place: int
    zone: ZoneCode
    owner: int | None
    team: int | None
    number: int | None


@dataclass
class Piles:
    """The places of a game as a reader calls them."""

    program: Program

    @cached_property
    def by_label(self) -> dict[str, Spot]:
        """Places by what the log calls them, and by what moves do."""
        found: dict[str, Spot] = {}
        for place, label in enumerate(self.program.places):
            spot = self.spot(place)
            found[label] = found[label.replace(" ", ".")] = spot
        return found

    def spot(self, place: int) -> Spot:
        zone = self.program.zones[self.program.place_zone[place]]
        at = place - zone.base
        keys = zone.keys[at] if zone.keys else ()
        owner = team = number = None
        for dim, key in zip(zone.dims, keys, strict=False):
            if dim == "player":
                owner = key
            elif dim == "team":
                team = key
            elif dim != "suit":
                number = key if isinstance(key, int) else None
        return Spot(place, zone, owner, team, number)

    def noun(self, zone: ZoneCode) -> str:
        name = zone.name.replace("_", " ")
        if name in TAKEN:
            return TAKEN[name]
        if name.split(" ")[-1] in NOUNS:
            return name
        return f"{name} cards" if _DONE.search(name) else f"{name} pile"

    def called(self, spot: Spot, reader: Reader, apart: int | None = None) -> str:
        """A place within a sentence. apart: a player who has been named, whose places need no name again."""
        noun = self.noun(spot.zone)
        if self.is_in_the_middle(spot):
            return self._in_the_middle(spot, reader, noun)
        which = self.program.shown_as.get(spot.zone.name) or noun if noun == "hand" else noun
        if spot.number is not None:
            which = f"{ordinal(spot.number)} {singular(noun)}"
        elif "suit" in spot.zone.dims:
            which = f"{self.program.places[spot.place].split(' ')[-1]} {noun}"
        if spot.owner is not None:
            if apart == spot.owner and not reader.is_you(spot.owner):
                return f"their {which}"
            return f"{reader.whose(spot.owner)} {which}"
        if spot.team is not None:
            return f"{reader.sides(spot.team)} {which}"
        return f"the {which}"

    def is_in_the_middle(self, spot: Spot) -> bool:
        """Whether a place is one of several between the players."""
        return self.noun(spot.zone).split(" ")[-1] in MIDDLE and spot.zone.size > 1

    def _in_the_middle(self, spot: Spot, reader: Reader, noun: str) -> str:
        """One of several piles between the players: of two the left or the right one, as the table shows them."""
        at = spot.place - spot.zone.base
        if spot.zone.size == 2:
            return f"the {'left' if at == 0 else 'right'} {self.program.shown_as.get(spot.zone.name) or 'pile'}"
        if spot.owner is not None and spot.number is None:
            return f"{reader.whose(spot.owner)} pile in the {noun}"
        return f"the {ordinal(at + 1)} pile in the {noun}"

    def several(self, spot: Spot, reader: Reader, apart: int | None = None) -> str:
        """All the places of a zone that belong to the owner of one of them."""
        noun = f"{singular(self.noun(spot.zone))}s"
        if spot.owner is None:
            return f"the {noun}"
        return (
            f"their {noun}"
            if apart == spot.owner and not reader.is_you(spot.owner)
            else f"{reader.whose(spot.owner)} {noun}"
        )


def singular(noun: str) -> str:
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun
