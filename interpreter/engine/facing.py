"""Cards turned up or down where they lie, or shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.engine.events import ALL, Event
from interpreter.engine.packets import as_mask, mask_of
from interpreter.engine.position import Position
from interpreter.engine.sight import eyes_at, knowing, log_cards_as, lying_at, seen_alike
from interpreter.engine.transfers import face_as_laid


def turn(s: Position, cards: tuple[int, ...], facing: str) -> None:
    """Turn cards up or down where they lie; it is told place by place of those that are turned down."""
    if facing == "down" and s.log is not None:
        cards = tuple(card for place, packet in _by_place(s, cards).items() for card in _told_of(s, place, packet))
    for card in cards:
        turn_at(s, card, lying_at(s, card), facing)


def _told_of(s: Position, place: int, cards: Iterable[int]) -> Iterator[int]:
    """Cards of a place in the order in which it is told of them."""
    for _, alike in seen_alike(s, place, [(eyes_at(s, card, place), card) for card in cards]):
        yield from alike


def _by_place(s: Position, cards: Iterable[int]) -> dict[int, list[int]]:
    """Cards by the places where they lie, in the order of these."""
    found: dict[int, list[int]] = {}
    for card in cards:
        found.setdefault(lying_at(s, card), []).append(card)
    return dict(sorted(found.items()))


def turn_at(s: Position, card: int | None, place: int, facing: str) -> None:
    """Turn a card, or none, where it is known to lie."""
    if card is None:
        return
    seen = ALL if facing == "up" or s.log is None else eyes_at(s, card, place)
    face_as_laid(s, 1 << card, place, facing)
    if s.log is None:
        return
    if s.program.hides_counts and seen != ALL:
        log_cards_as(s, (card,), place, None, f"face {facing}", seen)
    else:
        s.log.append(s.program.turned[facing][place, None, card, seen])


def flip(s: Position, place: int) -> None:
    """Turn a packet over: its order is reversed and its faces change."""
    kept = s.z[place]
    found = as_mask(kept)
    if s.program.public[place]:
        s.up &= ~found
        s.down ^= found
    else:
        s.up ^= found
    if type(kept) is not int:
        kept.reverse()
    if s.log is not None:
        s.note(Event("flip", None, s.program.places[place], told=knowing(s, 0, place, place)))


def show(s: Position, cards: tuple[int, ...], players: list[int]) -> None:
    """Let players see cards for a moment, place by place: an event, nothing more."""
    if s.log is None:
        return
    seen = mask_of(players)
    for place, packet in _by_place(s, cards).items():
        for eyes, alike in seen_alike(s, place, [(seen | eyes_at(s, card, place), card) for card in packet]):
            log_cards_as(s, alike, place, None, "shown", eyes)
