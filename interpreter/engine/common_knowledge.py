"""What everybody knows of where cards lie, read from the log: what is answered to taking moves back goes by that as far
as it can, so that the answer tells nobody of what is hidden."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.engine.events import Event
from interpreter.engine.packets import as_tuple
from interpreter.engine.position import Position
from interpreter.engine.sight import Eyes
from interpreter.engine.whence import has_equal_cards


class CommonKnowledge:
    """By place, names of the cards of which everybody knows that they lie there in a state.

    looked: by place, whether somebody may know one of its cards: since all that lie there were shuffled one was seen on
    its way there, or came from where one may be known, or from where not everybody sees how many cards lie.
    """

    def __init__(self, s: Position) -> None:
        program = s.program
        self._program, self._s, self._eyes = program, s, Eyes(s)
        self._everybody = (1 << program.n) - 1
        self._places = {label: place for place, label in enumerate(program.places)}
        self._tells_apart = not has_equal_cards(s)
        self.lying: list[set[str]] = [set() for _ in program.places]
        self.looked = [self._is_watched(place) for place in range(len(program.places))]
        self._counted = [True for _ in program.places]
        """By place, whether everybody sees how many cards lie there; if not, what is seen of them may not be told."""
        for zone in program.zones if program.hides_counts else ():
            for at, owner in enumerate(zone.owners):
                seen = zone.count_seen_by(s, owner) & self._everybody
                self._counted[zone.base + at] = seen == self._everybody

    def read(self, events: Iterable[Event]) -> None:
        """Go on with what has happened."""
        for event in events:
            if event.kind == "cards" and event.source in self._places:
                self._pass(event, self._places[event.source], self._places.get(event.target))
            elif event.kind == "shuffle" and event.words in self._places:
                self.looked[self._places[event.words]] = False
                self.lying[self._places[event.words]].clear()  # of which nobody knows the order any more
            elif event.kind == "swap" and " and " in event.words:
                self._swap(*[self._places[label] for label in event.words.split(" and ")])
            elif event.kind == "gather" and event.words.startswith("to "):
                for names in self.lying:
                    names.clear()
                self.looked[self._places[event.words.removeprefix("to ")]] = True

    def knows(self, place: int, player: int) -> bool:
        """Whether a player sees or knows, as everybody does, every card at a place of the state."""
        names, lying, cards = self._program.cards, self.lying[place], as_tuple(self._s.z[place])
        return all(names[card] in lying or self._eyes.at(card, place) >> player & 1 for card in cards)

    def _pass(self, event: Event, source: int, target: int | None) -> None:
        seen = event.seen & self._everybody
        goal = source if target is None else target
        if seen or (target is not None and (self.looked[source] or not self._counted[source])):
            self.looked[goal] = True
        if seen == self._everybody and self._tells_apart:
            self.lying[source].difference_update(event.cards)
            self.lying[goal].update(event.cards)
        elif target is not None:  # which of them has gone not everybody knows
            self.lying[source].clear()

    def _swap(self, one: int, other: int) -> None:
        self.lying[one], self.lying[other] = self.lying[other], self.lying[one]
        one_was, other_was = self.looked[one], self.looked[other]
        self.looked[one] = other_was or self._is_watched(one)
        self.looked[other] = one_was or self._is_watched(other)

    def _is_watched(self, place: int) -> bool:
        return self._program.watched[place] != 0
