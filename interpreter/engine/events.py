"""What happened, and who may know it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

ALL = -1
"""Everybody, as a set of players (bits)."""
DEAL = "deal"
"""Kind of the event by which a deal begins. A ruleset calls it what it likes: that is the source of the event."""


class Told(NamedTuple):
    """What one reader learns of an event: its kind, who did it and its text; of cards their number, and which they are
    if the reader sees them, and between which places they go.
    """

    kind: str
    player: int | None
    words: str
    cards: tuple[str, ...] = ()
    number: int = 0
    source: str = ""
    target: str = ""


class Event(NamedTuple):
    """One thing that happened.

    kind: "move", "cards", "say", "shuffle", "turn", "fault", "claim", "score", "deal", "note", ...
    player: who did it (from 0), or None.
    words: the text of it; for "cards" what became of them ("to", "face up").
    cards: names of the cards concerned; of a move, what each player reads of it, where that is not the same for all.
    source and target: names of places; source of a move: its stage, where the move is told in other words elsewhere;
    of a deal: its stage, by whose name it is told.
    seen: bits of the players who see which cards they are; told: bits of those who learn of it at all.
    """

    kind: str
    player: int | None = None
    words: str = ""
    cards: tuple[str, ...] = ()
    source: str = ""
    target: str = ""
    seen: int = ALL
    told: int = ALL

    @property
    def head(self) -> str:
        """What stands before its text."""
        return self.source if self.kind == DEAL else self.kind

    def text(self, viewer: int | None = None) -> str | None:
        """The event as a player reads it; the whole truth for None. None where the player learns nothing."""
        if viewer is not None and not self.told >> viewer & 1:
            return None
        who = "" if self.player is None else f"P{self.player + 1} "
        if self.kind == "move":
            return f"{who}{self.words if viewer is None or not self.cards else self.cards[viewer]}"
        if self.kind != "cards":
            return f"{self.head}: {who}{self.words}".rstrip()
        if viewer is None or self.seen >> viewer & 1:
            shown = " ".join(self.cards)
        else:
            shown = f"{len(self.cards)} card{'s' if len(self.cards) != 1 else ''}"
        way = f"{self.source} -> {self.target}" if self.target else f"in {self.source}"
        return f"  {shown} {way}{' ' + self.words if self.words else ''}"

    def read_by(self, viewer: int | None) -> Told | None:
        """The event as a player reads it, in its parts; the whole truth for None. None where nothing is learnt."""
        if viewer is not None and not self.told >> viewer & 1:
            return None
        if self.kind == "move":
            words = self.words if viewer is None or not self.cards else self.cards[viewer]
            return Told(self.kind, self.player, words, source=self.source)
        if self.kind != "cards":
            return Told(self.kind, self.player, self.words, source=self.source)
        seen = viewer is None or self.seen >> viewer & 1
        cards = self.cards if seen else ()
        return Told(self.kind, self.player, self.words, cards, len(self.cards), self.source, self.target)

    def is_read_alike(self, players: Iterable[int]) -> bool:
        """Whether several players read the same of it."""
        return len({self.read_by(player) for player in players}) == 1

    def read_by_all(self, players: Iterable[int]) -> Told | None:
        """The event as far as several players read the same of it; of cards that only some of them see, how many they
        are, as those read it who see none: else a line that is missing would tell who sees them. None where nothing is
        learnt by all."""
        found = {self.read_by(player) for player in players}
        if len(found) == 1:
            return found.pop()
        if self.kind != "cards" or None in found:
            return None
        return Told(self.kind, self.player, self.words, (), len(self.cards), self.source, self.target)

    def is_open(self, players: int) -> bool:
        """Whether these players (bits) read all of it, and so the same."""
        if self.told & players != players:
            return False
        return not self.cards if self.kind == "move" else self.kind != "cards" or self.seen & players == players

    def __str__(self) -> str:
        return self.text() or ""


new_event = tuple.__new__
"""Makes an event from all its fields at once: `new_event(Event, (...))`, the quickest way."""


MOST_PASSAGES = 200_000
"""Ways of single cards that are kept for one program."""


class Passages(dict[tuple[int, int | None, int, int], Event]):
    """How the log tells that a card goes from place to place; each way of it is made when it first happens.

    Keys: source, target (None: it stays where it lies), card, and bits of the players who see it. words: what becomes
    of it besides, as in an event.
    """

    def __init__(self, cards: Sequence[str], places: Sequence[str], words: str = "") -> None:
        super().__init__()
        self.cards = cards
        self.places = places
        self.words = words

    def __missing__(self, key: tuple[int, int | None, int, int]) -> Event:
        if len(self) >= MOST_PASSAGES:  # a program lives as long as the matches that are played by it
            self.clear()
        source, target, card, seen = key
        goal = "" if target is None else self.places[target]
        event = Event("cards", None, self.words, (self.cards[card],), self.places[source], goal, seen)
        self[key] = event
        return event


class Way(dict[int, Event]):
    """How the log tells that a card goes from one place to another where the same players see every such card."""

    def __init__(self, passages: Passages, source: int, target: int, eyes: int) -> None:
        super().__init__()
        self.passages = passages
        self.source = source
        self.target = target
        self.eyes = eyes

    def __missing__(self, card: int) -> Event:
        event = self[card] = self.passages[self.source, self.target, card, self.eyes]
        return event


def told_last(events: Sequence[Event], players: int, most: int) -> tuple[int, list[Event]]:
    """The last events, of so many of which at most all of some players (bits) are told, and how many come before. What
    only others are told has no say in where they begin."""
    found: list[Event] = []
    for event in reversed(events):  # a long log is kept packed, and no more of it unpacked than is gone through
        if event.told & players == players:
            if not most:
                break
            most -= 1
        found.append(event)
    return len(events) - len(found), found[::-1]
