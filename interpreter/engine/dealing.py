"""Cards dealt to the players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from interpreter.engine.chance import shuffle
from interpreter.engine.packets import bits, mask_of, mask_of_packet
from interpreter.engine.position import Position
from interpreter.engine.sight import log_cards
from interpreter.engine.transfers import face_as_laid, gather, lay, note_missing, refill_if_empty, shuffle_place


class Dealing(NamedTuple):
    """How cards go round. hands: for each player in turn, what picks the cards out of the list they are dealt from,
    the first dealt first. packets: (number of the player in turn, from, to) of each packet, counted from the top."""

    taken: int
    hands: tuple[Callable[[list[int]], Sequence[int]], ...]
    packets: tuple[tuple[int, int, int], ...]


@lru_cache(maxsize=256)
def _dealing(there: int, players: int, count: int | None, packets: tuple[int, ...] | None) -> Dealing:
    """How so many cards go round among players: `count` to each (None: all there is), singly or in packets."""
    laid: list[tuple[int, int, int]] = []
    taken = given = at = 0
    sizes = packets or (1,)
    while taken < there and (count is None or given < count):
        size = sizes[at % len(sizes)] if count is None else min(sizes[at % len(sizes)], count - given)
        at += 1
        if size <= 0:
            break
        given += size
        for number in range(players):
            to = min(taken + size, there)
            if to > taken:
                laid.append((number, taken, to))
            taken = to
    hands: list[list[int]] = [[] for _ in range(players)]
    for number, begin, end in laid:
        hands[number] += [there - 1 - at for at in range(begin, end)]
    return Dealing(taken, tuple(map(_picker, hands)), tuple(laid))


def _picker(places: list[int]) -> Callable[[list[int]], Sequence[int]]:
    """What picks the items at certain places, which go down, out of a list."""
    if len(places) < 2:
        return lambda items: [items[at] for at in places]
    step, after = places[1] - places[0], places[-1] + places[1] - places[0]
    if places == list(range(places[0], places[-1] - 1, step)):
        return itemgetter(slice(places[0], after if after >= 0 else None, step))
    return itemgetter(*places)


def deal(
    s: Position,
    count: int | None,
    source: int,
    base: int,
    players: list[int],
    packets: list[int] | None,
    first: int | None = None,
) -> None:
    """Deal to the players of the stage, singly or in packets; count None: all there is.

    first: with whom it begins, or with the next from there who takes part; None: who sits at the dealer's left.
    """
    order = _in_turn(s, players, first)
    if not order:
        return
    z = s.z
    kept = z[source] if type(z[source]) is not int else list(bits(z[source]))
    taken, hands, laid = _dealing(len(kept), len(order), count, None if packets is None else tuple(packets))
    rest = kept[: len(kept) - taken]
    if s.log is not None:  # while all lies where everybody has seen what they see of it
        _tell(s, kept, order, hands, None if packets is None else laid, source, base)
    z[source] = mask_of(rest) if type(z[source]) is int else rest
    limits = s.program.capacities
    limited = bool(limits) and any(base + p in limits for p in order)
    if limited or s.up or s.down or type(z[base + order[0]]) is not int:
        _deal_openly(s, kept, order, hands, base)
    else:
        for player, picked in zip(order, hands, strict=True):
            z[base + player] |= mask_of_packet(picked(kept))
    missing = 0 if count is None else count * len(order) - taken
    if missing > 0:
        note_missing(s, missing, source)
    refill_if_empty(s, source)


def _in_turn(s: Position, players: Sequence[int], first: int | None = None) -> tuple[int, ...]:
    """Who of some players is dealt to, in turn, as `deal` says it."""
    order = s.from_left_of_dealer()
    if first is not None:
        at = order.index(first)
        order = order[at:] + order[:at]
    return order if len(players) == len(order) else tuple([p for p in order if p in players])


def deal_afresh(
    s: Position,
    elsewhere: Sequence[int],
    home: int,
    stage: str,
    count: int | None,
    base: int,
    players: list[int],
    packets: list[int] | None,
) -> None:
    """Bring all cards home, where they lie in order, shuffle them and deal them into hands that are kept as bits, none
    of which has a limit. elsewhere: all places but home."""
    order = _in_turn(s, players)
    if s.log is not None or s.chance or s.up or s.down or not order:
        gather(s, elsewhere, home)
        shuffle_place(s, home, stage)
        deal(s, count, home, base, players, packets)
        return
    z, kept = s.z, list(s.program.pack_bits)
    for place in elsewhere:
        if z[place]:
            z[place] = 0 if type(z[place]) is int else []
    shuffle(s, kept)
    taken, hands, _ = _dealing(len(kept), len(order), count, None if packets is None else tuple(packets))
    z[home] = [bit.bit_length() - 1 for bit in kept[: len(kept) - taken]]
    for player, picked in zip(order, hands, strict=True):
        z[base + player] = sum(picked(kept))


def _tell(
    s: Position,
    kept: list[int],
    order: Sequence[int],
    hands: tuple[Callable[[list[int]], Sequence[int]], ...],
    packets: tuple[tuple[int, int, int], ...] | None,
    source: int,
    base: int,
) -> None:
    """Log what is dealt, in packets or what each gets in all."""
    if packets is not None:
        dealt = kept[::-1]
        for number, begin, end in packets:
            log_cards(s, dealt[begin:end], source, base + order[number], dealt=True)
        return
    for player, picked in zip(order, hands, strict=True):
        if hand := tuple(picked(kept)):
            log_cards(s, hand, source, base + player, dealt=True)


def _deal_openly(
    s: Position,
    kept: list[int],
    order: Sequence[int],
    hands: tuple[Callable[[list[int]], Sequence[int]], ...],
    base: int,
) -> None:
    """Lay what is dealt, with its faces and limits."""
    for player, picked in zip(order, hands, strict=True):
        hand = tuple(picked(kept))
        if not hand:
            continue
        if s.program.faces:
            face_as_laid(s, mask_of_packet(hand), base + player, None)
        lay(s, hand, base + player)
