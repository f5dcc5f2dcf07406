"""Cards on the move, from place to place: what generated code calls. Every function logs what it did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter.engine.chance import below, shuffle
from interpreter.engine.events import ALL, Event
from interpreter.engine.outcomes import take_card, take_shuffle
from interpreter.engine.packets import as_mask, as_tuple, bits, mask_of, mask_of_packet, names_of
from interpreter.engine.position import Position
from interpreter.engine.program import Program
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.sight import all_lying_at, knowing, log_card, log_cards, lying_at


def take_away(s: Position, cards: tuple[int, ...], place: int) -> None:
    """Take cards from the place where they lie."""
    kept = s.z[place]
    if type(kept) is int:
        s.z[place] = kept & ~mask_of(cards)
    elif len(cards) == len(kept):
        s.z[place] = []
    else:
        gone = set(cards)
        s.z[place] = [c for c in kept if c not in gone]


def lay(s: Position, cards: tuple[int, ...], place: int, beneath: bool = False) -> None:
    """Lay cards at a place, on top or beneath. Raises RuleError where there is no room for them."""
    kept = s.z[place]
    if type(kept) is int:
        s.z[place] = kept | mask_of_packet(cards)
    elif beneath:
        kept[:0] = cards
    else:
        kept.extend(cards)
    keep_limit(s, place)


def keep_limit(s: Position, place: int) -> None:
    """Raise RuleError if more cards lie at a place than may.

    Which place of a zone it is may hang on what is hidden, and so may how many it can hold: neither is told then.
    """
    capacity = s.program.capacities.get(place)
    if capacity is not None and len(as_tuple(s.z[place])) > (limit := capacity(s)):
        more = f"more than {limit} cards" if place in s.program.open_limits else "more cards than it can"
        raise RuleError(f"{zone_name(s.program, place)} would hold {more}")


def zone_name(program: Program, place: int) -> str:
    """What the rules call the zone of a place."""
    return program.zones[program.place_zone[place]].name


def move_cards(
    s: Position, cards: tuple[int, ...], source: int, target: int, beneath: bool = False, facing: str | None = None
) -> int:
    """Move cards from one place to another; the packet keeps its order. Returns how many they are."""
    if cards:
        carry(s, cards, source, target, beneath, facing)
        refill_emptied(s, source, target)
    return len(cards)


def carry(
    s: Position, cards: tuple[int, ...], source: int, target: int, beneath: bool = False, facing: str | None = None
) -> None:
    """Move cards from one place to another; what becomes empty stays so."""
    if s.log is not None:
        log_cards(s, cards, source, target, beneath, facing)
    take_away(s, cards, source)
    if s.program.faces:
        face_as_laid(s, mask_of_packet(cards), target, facing)
    lay(s, cards, target, beneath)


def move_card(
    s: Position, card: int | None, source: int, target: int, beneath: bool = False, facing: str | None = None
) -> None:
    """Move one card, or none, between places without a limit or refill."""
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
        face_as_laid(s, bit, target, facing)
    elif s.up or s.down:
        face_as_laid(s, bit, target, None)
    if type(z[target]) is int:
        z[target] |= bit
    elif beneath:
        z[target].insert(0, card)
    else:
        z[target].append(card)


def move_guarded(
    s: Position, card: int | None, source: int, target: int, beneath: bool = False, facing: str | None = None
) -> int:
    """Move one card, or none, between places that may have a limit or a refill. Returns how many have gone."""
    if card is None:
        return 0
    move_card(s, card, source, target, beneath, facing)
    keep_limit(s, target)
    refill_emptied(s, source, target)
    return 1


def move_wherever(s: Position, card: int | None, target: int, beneath: bool = False, facing: str | None = None) -> int:
    """Move one card, or none, from wherever it lies. Returns how many have gone."""
    if card is None:
        return 0
    source = lying_at(s, card)
    kept, program = s.z[source], s.program
    guarded = target in program.capacities or source in program.refills or target in program.feeds
    if type(kept) is list and kept[-1] == card and type(s.z[target]) is list and not (beneath or guarded):
        move_one(s, source, target, facing)
    else:
        move_guarded(s, card, source, target, beneath, facing)
    return 1


def face_as_laid(s: Position, moved: int, target: int, facing: str | None) -> None:
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


def move_found(s: Position, cards: tuple[int, ...], target: int, beneath: bool, facing: str | None) -> int:
    """Move cards from wherever they lie, one packet for each place, in the order of the places, and one that is named
    twice once. Returns how many they are.

    A place that becomes empty is refilled when all have gone: refilling one may take cards from where others lie.
    """
    by_place: dict[int, list[int]] = {}
    lies = all_lying_at(s, cards)
    for card in dict.fromkeys(cards):
        by_place.setdefault(lies[card], []).append(card)
    sources = sorted(by_place)  # which of them holds the lowest card is nobody's business
    for source in sources:
        carry(s, tuple(by_place[source]), source, target, beneath, facing)
    for source in sources:
        refill_emptied(s, source, target)
    return sum(map(len, by_place.values()))


def move_all(s: Position, source: int, target: int, beneath: bool = False, facing: str | None = None) -> int:
    """Move all cards of a place. Returns how many they are."""
    return move_cards(s, as_tuple(s.z[source]), source, target, beneath, facing)


def move_top(
    s: Position, number: int, source: int, target: int, beneath: bool = False, facing: str | None = None
) -> int:
    """Move a number of cards from the top, one after the other; what is missing is logged. Returns how many have gone.

    Not more than the whole pack: a place that is refilled from where its cards go would never be empty.
    """
    kept = s.z[source]
    if number == 1 and kept and type(kept) is list and target not in s.program.capacities:
        move_card(s, kept[-1], source, target, beneath, facing)
        refill_emptied(s, source, target)
        return 1
    beyond = number - len(s.program.cards)
    if beyond > 0:
        number -= beyond
    wanted = max(0, number)
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
    return wanted - max(0, number)


def note_missing(s: Position, number: int, place: int) -> None:
    """Tell that so many cards were to go from a place and were not there."""
    if s.log is not None:
        told = knowing(s, 0, place, place)
        words = f"{number} card{'s' if number != 1 else ''} in {s.program.places[place]}"
        s.note(Event("missing", None, words, told=told))


def move_one(s: Position, source: int, target: int, facing: str | None = None) -> None:
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
        face_as_laid(s, 1 << card, target, facing)
    z[target].append(card)


def move_random(
    s: Position, number: int, source: int, target: int, beneath: bool = False, facing: str | None = None
) -> int:
    """Draw cards unseen from a place; nobody but their new holder learns which. Returns how many have gone."""
    for drawn in range(number):
        kept = sorted(as_tuple(s.z[source]))
        if not kept or drawn == len(s.program.cards):
            note_missing(s, number - drawn, source)
            return drawn
        given = take_card(s, "draw", kept)
        card = kept[below(s, len(kept))] if given is None else given
        move_cards(s, (card,), source, target, beneath, facing)
    return max(0, number)


def gather(s: Position, sources: Sequence[int], target: int) -> None:
    """Bring cards home, in the order of their numbers: gathered cards have no order worth keeping.

    Raises RuleError where there is no room for them.
    """
    z = s.z
    everywhere = len(sources) == len(z) - 1 and type(sources) is tuple  # a list may name a place twice
    if everywhere and type(z[target]) is not int and s.log is None and not s.up and not s.down:
        _gather_all(s, sources, target)
        return
    found = 0
    for place in sources:
        kept = z[place]
        if kept:
            found |= as_mask(kept)
            z[place] = 0 if type(kept) is int else []
    home, came = z[target], found
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
        told = knowing(s, 0, target, target)
        for place in sources if told != ALL else ():
            told = knowing(s, told, place, place)
        s.note(Event("gather", None, f"to {s.program.places[target]}", told=told))
    if came:
        keep_limit(s, target)


def _gather_all(s: Position, sources: Iterable[int], target: int) -> None:
    """Bring all cards home from all places but that one, where nothing is told and no card lies turned."""
    z = s.z
    there = len(z[target])
    for place in sources:
        if z[place]:
            z[place] = 0 if type(z[place]) is int else []
    z[target] = list(range(len(s.program.cards)))
    if len(z[target]) > there:
        keep_limit(s, target)


def shuffle_place(s: Position, place: int, stage: str, told: int | None = None) -> None:
    """Shuffle a place, or take the order that was given for this stage. told: who learns of it; None: who may know how
    many cards lie there."""
    kept = s.z[place]
    if type(kept) is int:
        return
    given = take_shuffle(s, stage, place) if s.chance else None
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
        order = names_of(s.program.cards, kept[::-1])
        told = knowing(s, 0, place, place) if told is None else told
        s.note(Event("shuffle", None, s.program.places[place], order, seen=0, told=told))


def refill(s: Position, place: int, before: int = 0) -> bool:
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
        raise RuleError(f"{zone_name(s.program, place)} is refilled in a circle, from where its own cards go")
    told = knowing(s, 0, place, source)
    if s.log is not None:
        s.note(Event("refill", s.current, f"{s.program.places[place]} from {s.program.places[source]}", told=told))
    carry(s, packet, source, place)
    refill_emptied(s, source, place, before + 1)
    if shuffled:
        shuffle_place(s, place, "refill", told)
    return True


def refill_emptied(s: Position, source: int, target: int, before: int = 0) -> None:
    """After cards have gone from one place to another: refill, as soon as that can be, what is empty.

    That is the one, or what had been empty before and now finds in the other what it could not find then.
    """
    refill_if_empty(s, source, before)
    for place in s.program.feeds.get(target, ()):
        refill_if_empty(s, place, before)


def refill_if_empty(s: Position, place: int, before: int = 0) -> None:
    """Refill a place that is refilled as soon as it is empty, if it is."""
    rule = s.program.refills.get(place)
    if rule is not None and rule[3] == "empty" and not s.z[place]:
        refill(s, place, before)


def _take_up(s: Position, place: int) -> None:
    """Where not all see a place no card lies face down in it."""
    if not s.program.public[place]:
        s.down &= ~as_mask(s.z[place])


def swap_places(s: Position, one: int, two: int) -> None:
    """Exchange all that lies at two places, as it lies; where not all see it cards are taken up that lay face down.

    Raises RuleError where there is no room for it.
    """
    s.z[one], s.z[two] = s.z[two], s.z[one]
    if s.down:
        _take_up(s, one)
        _take_up(s, two)
    if s.log is not None:
        told = knowing(s, 0, one, two)
        s.note(Event("swap", None, f"{s.program.places[one]} and {s.program.places[two]}", told=told))
    if s.program.capacities:
        keep_limit(s, one)
        keep_limit(s, two)
    refill_emptied(s, one, two)
    refill_emptied(s, two, one)
