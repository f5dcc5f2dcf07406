"""What a player knows of cards that are out of sight: whatever was seen on its way there, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.engine.packets import as_tuple
from interpreter.engine.view import is_counted

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.events import Event

Faces = Counter[int]
"""Cards by the number of their first copy: equal ones are not told apart."""


def recall(state: State, player: int) -> dict[int, Faces]:
    """For each place, cards that lie there as far as the player has seen it in the log.

    Only what the player's own log tells is used. Where some cards of a place went away unseen, those that were known
    there may be among them, so they are forgotten. What is known is true, but it is not all that could be worked out.
    """
    events = _since_gathering(state, player)
    places = {label: place for place, label in enumerate(state.game.program.places)}
    before = _counts_before(state, player, events, places)
    known: dict[int, Faces] = {}
    by_name = state.game.program.by_name
    for event, count in zip(events, before, strict=True):
        source, target = _way(event, places)
        if event.kind == "swap":
            known[source], known[target] = known.get(target, Counter()), known.get(source, Counter())
        elif event.kind == "note":
            known.pop(source, None)
        elif event.seen >> player & 1:
            faces = [by_name[name.upper()] for name in event.cards]
            if target < 0:  # shown or turned where they lie
                known[source] = known.get(source, Counter()) | Counter(faces)
                continue
            there, new = known.get(source), known.setdefault(target, Counter())
            for face in faces:
                if there and face in there:
                    there[face] -= 1
                    if not there[face]:
                        del there[face]
            for face in faces:
                new[face] += 1
        elif target >= 0:
            gone = known.pop(source, Counter())
            if count == len(event.cards):  # all of them went
                known.setdefault(target, Counter()).update(gone)
    return {place: faces for place, faces in known.items() if faces}


def _since_gathering(state: State, player: int) -> list[Event]:
    """The events about cards that the player has learnt of since cards were last gathered, the oldest first."""
    found: list[Event] = []
    for event in reversed(state.log or []):
        if not event.told >> player & 1:
            continue
        if event.kind == "gather":
            break
        if event.kind in ("cards", "swap") or (event.kind == "note" and event.words.startswith("cards ")):
            found.append(event)
    return found[::-1]


def _way(event: Event, places: dict[str, int]) -> tuple[int, int]:
    """From where to where; -1 for nowhere."""
    source, target = event.source, event.target
    if event.kind == "swap":
        source, _, target = event.words.partition(" and ")
    elif event.kind == "note":
        source, _, target = event.words.removeprefix("cards ").partition(" -> ")
    return places.get(source, -1), places.get(target, -1)


def _counts_before(state: State, player: int, events: Sequence[Event], places: dict[str, int]) -> list[int | None]:
    """How many cards lay where those of each event came from, before it; None where the player cannot know."""
    s = state.position
    counts: dict[int, int | None] = {
        place: len(as_tuple(kept)) if is_counted(s, place, player) else None for place, kept in enumerate(s.z)
    }
    found: list[int | None] = []
    for event in reversed(events):
        source, target = _way(event, places)
        if event.kind == "swap":
            counts[source], counts[target] = counts.get(target), counts.get(source)
        elif event.kind == "note":
            counts[source] = counts[target] = None
        elif target >= 0:
            for place, change in ((source, len(event.cards)), (target, -len(event.cards))):
                count = counts.get(place)
                counts[place] = None if count is None else count + change
        found.append(counts.get(source))
    return found[::-1]
