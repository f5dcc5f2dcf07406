"""Cards on the move: what generated code calls to move, deal, gather, shuffle and turn cards.

A place holds either the bits of its cards (where nothing looks at their order) or a list, bottom first. Every
function logs what it did, with the players who see which cards they were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.engine.chance import below, shuffle
from interpreter.engine.events import ALL, Event, new_event
from interpreter.engine.program import RuleError, ZoneCode

if TYPE_CHECKING:
    from interpreter.engine.table import Table

Kept = Any
"""What a place holds: an int (bits) or a list of card numbers."""


_BY_BYTE: list[tuple[tuple[int, ...], ...]] = []
"""For each run of 8 cards: their bits as a number from 0 to 255 -> the numbers of the cards."""


def _add_byte() -> None:
    base = 8 * len(_BY_BYTE)
    _BY_BYTE.append(tuple(tuple(base + i for i in range(8) if part >> i & 1) for part in range(256)))


def bits(mask: int) -> tuple[int, ...]:
    """The numbers of the set bits, ascending; looked up 8 at a time."""
    found: tuple[int, ...] = ()
    at = 0
    while mask:
        part = mask & 255
        if part:
            while at >= len(_BY_BYTE):
                _add_byte()
            found += _BY_BYTE[at][part]
        mask >>= 8
        at += 1
    return found


_BIT = tuple(1 << card for card in range(4096)).__getitem__


def mask_of(cards: Iterable[int | None]) -> int:
    """Cards (or players) as bits; none is left out."""
    found = 0
    for card in cards:
        if card is not None:
            found |= 1 << card
    return found


def mask_of_packet(cards: Iterable[int]) -> int:
    """Cards of one packet, which are different ones, as bits."""
    return sum(map(_BIT, cards))


def nth_card(mask: int, at: int) -> int:
    """The card at a place among cards kept as bits, from 0."""
    for _ in range(at):
        mask &= mask - 1
    return (mask & -mask).bit_length() - 1


def by_face(first_copy: Sequence[int], mask: int) -> list[int]:
    """Cards kept as bits, equal ones once: the first of them, in the order of their faces."""
    found = {first_copy[card]: card for card in reversed(bits(mask))}
    return [found[face] for face in sorted(found)]


def as_tuple(kept: Kept) -> tuple[int, ...]:
    """The cards of a place, bottom first (ascending where order does not count)."""
    return bits(kept) if type(kept) is int else tuple(kept)


def as_mask(kept: Kept) -> int:
    return kept if type(kept) is int else mask_of_packet(kept)


def zone_at(s: Table, place: int) -> ZoneCode:
    program = s.program
    return program.zones[program.place_zone[place]]


def lying_at(s: Table, card: int) -> int:
    """The place where a card lies."""
    for place, kept in enumerate(s.z):
        if card in kept if type(kept) is list else kept >> card & 1:
            return place
    raise AssertionError("a card lies nowhere")


# ---- who sees it ------------------------------------------------------------------------------


def watchers(s: Table, place: int) -> int:
    """Bits of the players who see the faces of cards lying at a place, turned-up ones apart."""
    settled = s.program.watched[place]
    if settled is not None:
        return settled
    zone = zone_at(s, place)
    return zone.seen_by(s, zone.owners[place - zone.base])


def log_card(s: Table, card: int, source: int, target: int, beneath: bool = False, facing: str | None = None) -> None:
    """Log that a card goes from one place to another, seen by whoever sees it before or after."""
    log, program = s.log, s.program
    if log is None:
        return
    if facing is None and not s.hidden and not (s.up | s.down) >> card & 1:
        way, tops = program.between.get((source, target)), program.tops
        if way is not None and not (tops[source] and s.z[source][-1] != card) and not (beneath and tops[target]):
            log.append(way[card])
            return
    up = s.up >> card & 1
    if s.hidden:  # a simultaneous choice is seen by the one who makes it alone
        seen = s.hidden
    elif up or facing == "up":
        seen = ALL
    else:
        seen = eyes_at(s, card, source)
        if facing is None and not (program.tops[target] and beneath and s.z[target]):
            seen |= watchers(s, target)
    if program.hides_counts and seen != ALL:
        log_cards_as(s, (card,), source, target, "" if facing is None else f"face {facing}", seen)
        return
    passages = program.passages if facing is None else program.turned[facing]
    log.append(passages[source, target, card, seen])


def log_cards(
    s: Table, cards: Iterable[int], source: int, target: int, beneath: bool = False, facing: str | None = None
) -> None:
    """Log that cards go from one place to another, each seen by whoever sees it before or after."""
    cards = tuple(cards)
    words = "" if facing is None else f"face {facing}"
    if len(cards) == 1:
        log_card(s, cards[0], source, target, beneath, facing)
        return
    if not s.up and not s.down and facing is None and not s.program.shows_tops:
        # a simultaneous choice is seen by the one who makes it alone
        log_cards_as(s, cards, source, target, words, s.hidden or watchers(s, source) | watchers(s, target))
        return
    before, after, down, tops = watchers(s, source), watchers(s, target), s.down, s.program.tops
    if facing is not None:
        after = ALL if facing == "up" else 0
    mask = mask_of_packet(cards)
    if not (s.up & mask or s.hidden) and (facing is not None or not tops[target]):  # mostly they are all seen alike
        turned = down & mask
        if turned == mask or not (turned or tops[source]):
            log_cards_as(s, cards, source, target, words, after if turned else before | after)
            return
    shown = s.z[source][-1] if tops[source] and s.z[source] else None
    new_top = cards[-1] if cards and not (beneath and s.z[target]) else None
    packet: list[int] = []
    eyes = 0
    for card in cards:
        if s.hidden:
            seen = s.hidden
        elif s.up >> card & 1:
            seen = ALL
        else:
            seen = 0 if down >> card & 1 or (tops[source] and card != shown) else before
            if facing is not None or not tops[target] or card == new_top:
                seen |= after
        if packet and seen != eyes:
            log_cards_as(s, tuple(packet), source, target, words, eyes)
            packet = []
        packet.append(card)
        eyes = seen
    log_cards_as(s, tuple(packet), source, target, words, eyes)


def eyes_at(s: Table, card: int, place: int) -> int:
    """Who sees the face of a card at the place where it lies, as bits of players."""
    if s.up >> card & 1:
        return ALL
    if s.down >> card & 1 or (s.program.tops[place] and s.z[place][-1:] != [card]):
        return 0
    return watchers(s, place)


def log_cards_as(s: Table, cards: tuple[int, ...], source: int, target: int | None, words: str, seen: int) -> None:
    """Log a packet that certain players see, and that goes from one place to another (None: that stays)."""
    if s.log is None or not cards:
        return
    names, places = s.program.cards, s.program.places
    told = knowing(s, seen, source, source if target is None else target)
    goal = "" if target is None else places[target]
    shown = tuple([names[c] for c in cards])
    s.log.append(new_event(Event, ("cards", None, words, shown, places[source], goal, seen, told)))


def knowing(s: Table, seen: int, one: int, two: int) -> int:
    """Who learns at all that cards go from one place to another, or that something happens to them in a single one.

    Not who neither sees them nor may know how many lie there: each line less or more would tell a count.
    """
    if seen == ALL or not s.program.hides_counts:
        return ALL
    return seen | _counting(s, one) | (0 if one == two else _counting(s, two))


def _counting(s: Table, place: int) -> int:
    zone = zone_at(s, place)
    return zone.count_seen_by(s, zone.owners[place - zone.base])


# ---- moving -----------------------------------------------------------------------------------


def take_away(s: Table, cards: tuple[int, ...], place: int) -> None:
    kept = s.z[place]
    if type(kept) is int:
        s.z[place] = kept & ~mask_of(cards)
    elif len(cards) == len(kept):
        s.z[place] = []
    else:
        gone = set(cards)
        s.z[place] = [c for c in kept if c not in gone]


def lay(s: Table, cards: tuple[int, ...], place: int, beneath: bool = False) -> None:
    kept = s.z[place]
    if type(kept) is int:
        s.z[place] = kept | mask_of_packet(cards)
    elif beneath:
        kept[:0] = cards
    else:
        kept.extend(cards)
    keep_limit(s, place)


def keep_limit(s: Table, place: int) -> None:
    """Raise RuleError if more cards lie at a place than may."""
    capacity = s.program.capacities.get(place)
    if capacity is not None and len(as_tuple(s.z[place])) > (limit := capacity(s)):
        raise RuleError(f"{s.program.places[place]} would hold more than {limit} cards")


def move_cards(
    s: Table, cards: tuple[int, ...], source: int, target: int, beneath: bool = False, facing: str | None = None
) -> None:
    """Move cards from one place to another; the packet keeps its order."""
    if cards:
        _carry(s, cards, source, target, beneath, facing)
        refill_emptied(s, source, target)


def _carry(
    s: Table, cards: tuple[int, ...], source: int, target: int, beneath: bool = False, facing: str | None = None
) -> None:
    """The same, and what becomes empty stays so."""
    if s.log is not None:
        log_cards(s, cards, source, target, beneath, facing)
    take_away(s, cards, source)
    if s.program.faces:
        settle_faces(s, mask_of_packet(cards), target, facing)
    lay(s, cards, target, beneath)


def move_card(
    s: Table, card: int | None, source: int, target: int, beneath: bool = False, facing: str | None = None
) -> None:
    """The same for one card, or none, between places without a limit or refill."""
    if card is None:
        return
    if s.log is not None:
        log_card(s, card, source, target, beneath, facing)
    z, bit = s.z, 1 << card
    kept = z[source]
    if type(kept) is int:
        z[source] = kept & ~bit
    elif kept and kept[-1] == card:
        kept.pop()
    elif card in kept:
        kept.remove(card)
    if facing is not None:
        settle_faces(s, bit, target, facing)
    elif s.up or s.down:
        settle_faces(s, bit, target, None)
    if type(z[target]) is int:
        z[target] |= bit
    elif beneath:
        z[target].insert(0, card)
    else:
        z[target].append(card)


def move_guarded(
    s: Table, card: int | None, source: int, target: int, beneath: bool = False, facing: str | None = None
) -> None:
    """The same between places that may have a limit or a refill."""
    if card is None:
        return
    move_card(s, card, source, target, beneath, facing)
    keep_limit(s, target)
    refill_emptied(s, source, target)


def move_wherever(s: Table, card: int | None, target: int, beneath: bool = False, facing: str | None = None) -> None:
    """The same from wherever the card lies."""
    if card is None:
        return
    source = lying_at(s, card)
    kept, program = s.z[source], s.program
    guarded = target in program.capacities or source in program.refills or target in program.feeds
    if type(kept) is list and kept[-1] == card and type(s.z[target]) is list and not (beneath or guarded):
        move_one(s, source, target, facing)
    else:
        move_guarded(s, card, source, target, beneath, facing)


def settle_faces(s: Table, moved: int, target: int, facing: str | None) -> None:
    """A turned-up card stays public until it is played on (laid where all see it), turned down or shuffled.

    A card laid face down where all see the faces is hidden there until it goes on or is turned up.
    """
    public = s.program.public[target]
    s.down &= ~moved
    if facing == "up":
        s.up |= moved
    elif facing == "down" or public:
        s.up &= ~moved
    if facing == "down" and public:
        s.down |= moved


def move_found(s: Table, cards: tuple[int, ...], target: int, beneath: bool, facing: str | None) -> None:
    """Move cards from wherever they lie, one packet for each place."""
    by_place: dict[int, list[int]] = {}
    for card in cards:
        by_place.setdefault(lying_at(s, card), []).append(card)
    for source, packet in by_place.items():
        move_cards(s, tuple(packet), source, target, beneath, facing)


def move_all(s: Table, source: int, target: int, beneath: bool = False, facing: str | None = None) -> None:
    move_cards(s, as_tuple(s.z[source]), source, target, beneath, facing)


def move_top(s: Table, number: int, source: int, target: int, beneath: bool = False, facing: str | None = None) -> None:
    """Move a number of cards from the top, one after the other; what is missing is logged.

    Not more than the whole pack: a place that is refilled from where its cards go would never be empty.
    """
    kept = s.z[source]
    if number == 1 and kept and type(kept) is list and target not in s.program.capacities:
        move_card(s, kept[-1], source, target, beneath, facing)
        refill_emptied(s, source, target)
        return
    beyond = number - len(s.program.cards)
    if beyond > 0:
        number -= beyond
    while number > 0:
        kept = s.z[source]
        if not kept and not refill(s, source):
            break
        kept = as_tuple(s.z[source])
        packet = kept[-number:] if number < len(kept) else kept
        move_cards(s, packet, source, target, beneath, facing)
        number -= len(packet)
    if number > 0 or beyond > 0:
        note_missing(s, number + max(0, beyond), source)


def note_missing(s: Table, number: int, place: int) -> None:
    if s.log is not None:
        told = knowing(s, 0, place, place)
        words = f"{number} card{'s' if number != 1 else ''} in {s.program.places[place]}"
        s.note(Event("missing", None, words, told=told))


def move_one(s: Table, source: int, target: int, facing: str | None = None) -> None:
    """The top card from one place to the top of another; both keep their order, without a limit or refill."""
    z = s.z
    kept = z[source]
    if not kept:
        note_missing(s, 1, source)
        return
    card, turned, log = kept[-1], s.up | s.down, s.log
    if log is not None:
        way = None if facing is not None or turned >> card & 1 else s.program.between.get((source, target))
        if way is not None and not s.hidden:  # nothing but where it goes decides who sees it
            log.append(way[card])
        elif facing == "up" and not s.hidden:
            log.append(s.program.turned["up"][source, target, card, ALL])
        else:
            log_card(s, card, source, target, False, facing)
    kept.pop()
    if turned or facing is not None:
        settle_faces(s, 1 << card, target, facing)
    z[target].append(card)


def move_random(
    s: Table, number: int, source: int, target: int, beneath: bool = False, facing: str | None = None
) -> None:
    """Draw cards unseen from a place; nobody but their new holder learns which."""
    for drawn in range(number):
        kept = sorted(as_tuple(s.z[source]))
        if not kept or drawn == len(s.program.cards):
            note_missing(s, number - drawn, source)
            return
        given = s.take_chance("draw")
        card = kept[below(s, len(kept))] if given is None else s.card_among(str(given), kept, "draw")
        move_cards(s, (card,), source, target, beneath, facing)


class Dealing(NamedTuple):
    """How cards go round. hands: for each player in turn, what picks the cards out of the list they are dealt from,
    the first dealt first. packets: (number of the player in turn, from, to) of each packet, counted from the top."""

    taken: int
    hands: tuple[Callable[[list[int]], tuple[int, ...]], ...]
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
        hands[number] += [-1 - at for at in range(begin, end)]
    return Dealing(taken, tuple(map(_picker, hands)), tuple(laid))


def _picker(places: list[int]) -> Callable[[list[int]], tuple[int, ...]]:
    """What picks the items at certain places out of a list."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda items: tuple(items[at] for at in places)


def deal(s: Table, count: int | None, source: int, base: int, players: list[int], packets: list[int] | None) -> None:
    """Deal to the players of the stage from the dealer's left, singly or in packets; None: all there is."""
    order = s.from_left_of_dealer()
    if len(players) < len(order):
        order = tuple(p for p in order if p in players)
    if not order:
        return
    z = s.z
    kept = z[source] if type(z[source]) is not int else list(bits(z[source]))
    taken, hands, laid = _dealing(len(kept), len(order), count, None if packets is None else tuple(packets))
    rest = kept[: len(kept) - taken]
    z[source] = mask_of(rest) if type(z[source]) is int else rest
    limits = s.program.capacities
    limited = bool(limits) and any(base + p in limits for p in order)
    if limited or s.up or s.down or s.log is not None or type(z[base + order[0]]) is not int:
        _deal_openly(s, kept, order, hands, None if packets is None else laid, source, base)
    else:
        for player, picked in zip(order, hands, strict=True):
            z[base + player] |= sum(map(_BIT, picked(kept)))
    missing = 0 if count is None else count * len(order) - taken
    if missing > 0:
        note_missing(s, missing, source)
    refill_if_empty(s, source)


def _deal_openly(
    s: Table,
    kept: list[int],
    order: Sequence[int],
    hands: tuple[Callable[[list[int]], tuple[int, ...]], ...],
    packets: tuple[tuple[int, int, int], ...] | None,
    source: int,
    base: int,
) -> None:
    """Lay what is dealt, with its log, faces and limits."""
    if s.log is not None and packets is not None:
        dealt = kept[::-1]
        for number, begin, end in packets:
            log_cards(s, dealt[begin:end], source, base + order[number])
    for player, picked in zip(order, hands, strict=True):
        hand = picked(kept)
        if not hand:
            continue
        if s.log is not None and packets is None:
            log_cards(s, hand, source, base + player)
        if s.program.faces:
            settle_faces(s, mask_of_packet(hand), base + player, None)
        lay(s, hand, base + player)


def gather(s: Table, sources: Iterable[int], target: int) -> None:
    """Bring cards home, in the order of their numbers: gathered cards have no order worth keeping."""
    z = s.z
    found = 0
    for place in sources:
        kept = z[place]
        if kept:
            found |= as_mask(kept)
            z[place] = 0 if type(kept) is int else []
    home = z[target]
    if found or type(home) is int:
        found |= as_mask(home)
        z[target] = found if type(home) is int else list(bits(found))
    else:  # nothing has come
        home.sort()
    if s.up or s.down:
        found |= as_mask(home)
        s.up &= ~found
        s.down &= ~found
    if s.log is not None:
        s.note(Event("gather", None, f"to {s.program.places[target]}"))


def shuffle_place(s: Table, place: int, stage: str, told: int = ALL) -> None:
    """Shuffle a place, or take the order that was given for this stage. told: who learns of it."""
    kept = s.z[place]
    if type(kept) is int:
        return
    given = s.take_shuffle(stage, kept) if s.chance else None
    if given is None:
        kept.sort()
        shuffle(s, kept)
    else:
        s.z[place] = kept = given
    if s.up or s.down:
        found = mask_of_packet(kept)
        s.up &= ~found
        s.down &= ~found
    if s.log is not None:
        order = tuple(map(s.program.cards.__getitem__, reversed(kept)))
        s.note(Event("shuffle", None, s.program.places[place], order, seen=0, told=told))


def refill(s: Table, place: int, before: int = 0) -> bool:
    """Refill a place from the one its zone names; False if there is nothing to take.

    before: how many places have been refilled for this one, each from the next.
    """
    rule = s.program.refills.get(place)
    if rule is None:
        return False
    source, keep, shuffled, _ = rule
    kept = as_tuple(s.z[source])
    packet = kept[: max(0, len(kept) - keep(s))]
    if not packet:
        return False
    if before > len(s.program.refills):
        raise RuleError(f"{s.program.places[place]} is refilled in a circle, from where its own cards go")
    told = knowing(s, 0, place, source)
    if s.log is not None:
        s.note(Event("refill", s.current, f"{s.program.places[place]} from {s.program.places[source]}", told=told))
    _carry(s, packet, source, place)
    refill_emptied(s, source, place, before + 1)
    if shuffled:
        shuffle_place(s, place, "refill", told)
    return True


def refill_emptied(s: Table, source: int, target: int, before: int = 0) -> None:
    """After cards have gone from one place to another: refill, as soon as that can be, what is empty.

    That is the one, or what had been empty before and now finds in the other what it could not find then.
    """
    refill_if_empty(s, source, before)
    for place in s.program.feeds.get(target, ()):
        refill_if_empty(s, place, before)


def refill_if_empty(s: Table, place: int, before: int = 0) -> None:
    rule = s.program.refills.get(place)
    if rule is not None and rule[3] == "empty" and not s.z[place]:
        refill(s, place, before)


# ---- faces ------------------------------------------------------------------------------------


def turn(s: Table, cards: tuple[int, ...], facing: str) -> None:
    """Turn cards up or down where they lie."""
    for card in cards:
        turn_at(s, card, lying_at(s, card), facing)


def turn_at(s: Table, card: int | None, place: int, facing: str) -> None:
    """Turn a card, or none, where it is known to lie."""
    if card is None:
        return
    seen = ALL if facing == "up" or s.log is None else eyes_at(s, card, place)
    settle_faces(s, 1 << card, place, facing)
    if s.log is None:
        return
    if s.program.hides_counts and seen != ALL:
        log_cards_as(s, (card,), place, None, f"face {facing}", seen)
    else:
        s.log.append(s.program.turned[facing][place, None, card, seen])


def flip(s: Table, place: int) -> None:
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
        s.note(Event("flip", None, s.program.places[place]))


def show(s: Table, cards: tuple[int, ...], players: list[int]) -> None:
    """Let players see cards for a moment: an event, nothing more."""
    if s.log is None:
        return
    seen = mask_of(players)
    packets: dict[int, list[int]] = {}
    for card in cards:
        packets.setdefault(lying_at(s, card), []).append(card)
    for place, packet in packets.items():
        for eyes, alike in groupby(packet, lambda card: seen | eyes_at(s, card, place)):  # noqa: B023 - used at once
            log_cards_as(s, tuple(alike), place, None, "shown", eyes)


def swap_places(s: Table, one: int, two: int) -> None:
    s.z[one], s.z[two] = s.z[two], s.z[one]
    if s.log is not None:
        s.note(Event("swap", None, f"{s.program.places[one]} and {s.program.places[two]}"))
    refill_emptied(s, one, two)
    refill_emptied(s, two, one)


# ---- pieces -----------------------------------------------------------------------------------

AWAY, ON_TABLE = -2, -1
MOST_PIECES = 1_000


def set_out(s: Table, token: str, number: int) -> None:
    """Lay pieces 1 to `number` on the table; what anybody held is taken in first."""
    if number > MOST_PIECES:
        raise RuleError(f"{number:,} pieces are set out, and there are {MOST_PIECES:,} at most")
    s.tokens[token] = [ON_TABLE] * max(0, number)
    if s.log is not None:
        s.note(Event("pieces", None, f"{number} {s.program.tokens[token].named} on the table"))


def take_piece(s: Table, token: str, player: int, which: int | None = None) -> None:
    """Give a player one piece: the named one, or the first that lies on the table."""
    holders = s.tokens[token]
    if which is None:
        if ON_TABLE not in holders:
            return
        which = holders.index(ON_TABLE) + 1
    holders[which - 1] = player
    if s.log is not None:
        code = s.program.tokens[token]
        s.note(Event("pieces", player, f"takes {code.named} {which}", told=code.eyes(s, player) | 1 << player))


def put_back(s: Table, token: str, which: Iterable[int]) -> None:
    for number in which:
        s.tokens[token][number - 1] = ON_TABLE
    if s.log is not None:
        s.note(Event("pieces", None, f"{s.program.tokens[token].named} back on the table"))


def pieces(s: Table, token: str, holder: int) -> list[int]:
    """Numbers of the pieces that somebody holds (ON_TABLE: that lie on the table)."""
    return [i + 1 for i, h in enumerate(s.tokens[token]) if h == holder]
