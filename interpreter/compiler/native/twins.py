"""Functions of the engine said in a plainer way for native code, which has no closures and remembers no answers.

Each does to a match without a log just what its twin does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from interpreter.engine import (
    dealing,
    library,
    members,
    moves,
    notation,
    packets,
    primitives,
    sight,
    standing,
    transfers,
)
from interpreter.engine.packets import bits, mask_of
from interpreter.engine.position import Position
from interpreter.engine.program import Program
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.transfers import (
    carry,
    face_as_laid,
    keep_limit,
    lay,
    move_guarded,
    refill_emptied,
    refill_if_empty,
    shuffle_place,
)

Asked = TypeVar("Asked", bound=Callable[..., Any])
FEW = 4
"""Cards that are taken out of a list one by one."""


def asked_beforehand(function: Asked) -> Asked:
    """A function that is asked beforehand, of what is known of a game, and not in play."""
    function.is_asked_beforehand = True  # type: ignore[attr-defined]
    return function


def deal(
    s: Position, count: int | None, source: int, base: int, players: Sequence[int], packets: Sequence[int] | None,
    first: int | None = None,
) -> None:  # fmt: skip
    """`dealing.deal`."""
    order = list(s.from_left_of_dealer())
    if first is not None:
        at = order.index(first)
        order = order[at:] + order[:at]
    if len(players) < len(order):
        order = [p for p in order if p in players]
    if not order:
        return
    kept = [card for card in s.z[source]] if type(s.z[source]) is not int else list(bits(s.z[source]))
    there = len(kept)
    taken = packet = given = 0
    while taken < there and (count is None or given < count):
        size = 1 if packets is None else packets[packet % len(packets)]
        if count is not None and count - given < size:
            size = count - given
        packet += 1
        if size <= 0:
            break
        given += size
        for player in order:
            for _ in range(size):
                if taken < there:
                    taken += 1
                    deal_one(s, kept[there - taken], base + player)
    rest = kept[: there - taken]
    s.z[source] = mask_of(rest) if type(s.z[source]) is int else rest
    refill_if_empty(s, source)


def deal_afresh(
    s: Position, elsewhere: Sequence[int], home: int, stage: str, count: int | None, base: int, players: Sequence[int],
    packets: Sequence[int] | None,
) -> None:  # fmt: skip
    """`dealing.deal_afresh`."""
    gather(s, elsewhere, home)
    shuffle_place(s, home, stage)
    deal(s, count, home, base, players, packets)


def deal_one(s: Position, card: int, place: int) -> None:
    """Lay one card that is dealt."""
    if s.program.faces:
        face_as_laid(s, 1 << card, place, None)
    lay(s, (card,), place)


def take_away(s: Position, cards: Sequence[int], place: int) -> None:
    """`transfers.take_away`."""
    kept = s.z[place]
    if type(kept) is int:
        s.z[place] = kept & ~mask_of(cards)
    elif len(cards) == len(kept):
        s.z[place] = []
    elif len(cards) > FEW:
        taken = mask_of(cards)
        s.z[place] = [card for card in kept if not taken >> card & 1]
    else:
        for card in reversed(cards):
            if kept[-1] == card:
                kept.pop()
            elif card in kept:
                kept.remove(card)


def nth_choice(cards: Sequence[int], low: int, high: int, index: int) -> list[int]:
    """`moves.nth_choice`."""
    given = list(cards)
    many = len(given)
    size = low if low > 0 else 0
    while True:
        number = ways(many, size)
        if index < number:
            break
        index -= number
        size += 1
    chosen: list[int] = []
    for at in range(many):
        if size > 0:
            number = ways(many - at - 1, size - 1)
            if index < number:
                chosen.append(given[at])
                size -= 1
            else:
                index -= number
    return chosen


def ways(many: int, size: int) -> int:
    """In how many ways so many are chosen of some. Raises RuleError where that is more than is played natively."""
    if many < 0 or size < 0 or size > many:
        return 0
    found = 1
    for at in range(size):
        found = found * (many - at) // (at + 1)
        if found > 1 << 29:
            raise RuleError("too many")
    return found


def choices_of(many: int, low: int, high: int) -> tuple[int, int]:
    """`moves.choices_of`, but for the sizes that occur."""
    total = 0
    least = low if low > 0 else 0
    most = high if high < many else many
    for size in range(least, most + 1):
        total += ways(many, size)
    return 0, total


def ways_to_choose(many: int, low: int, high: int) -> int:
    """`moves.ways_to_choose`."""
    return choices_of(many, low, high)[1]


def scores(s: Position) -> Any:
    """`standing.scores`."""
    return s.program.scores(s)


def winners(s: Position) -> Any:
    """`standing.winners`."""
    if not s.over or s.program.winners is None:
        return ()
    return s.program.winners(s)


def extreme(v: Any, base: int, teams: Sequence[int], players: Sequence[int], least: bool) -> list[int]:
    """`library.extreme`."""
    found: list[int] = []
    best = 0
    for player in players:
        value = v[base + teams[player]]
        if not found or (value < best if least else value > best):
            best = value
            found = [player]
        elif value == best:
            found.append(player)
    return found


def any_number(number: int) -> int:
    """A number of which nothing is known, so that one function serves for all; native code alone does that."""
    return number


def put(s: Position, at: int, number: int | None) -> None:
    """Lay down a result of the match; native code alone does that."""


def get(s: Position, low: int | None, high: int | None) -> Any:
    """The next of the numbers that the match was given; native code alone has them.

    low, high: its bounds, outside of which the match is stopped; None: any number, or none.
    """


def taken_below(s: Position, n: int) -> int:  # type: ignore[empty-body]
    """A number from 0 to n-1, by the dice of who thinks, not by those of who plays at random; native code alone."""


def lying_at(s: Position, card: int) -> int:
    """`sight.lying_at`."""
    for place in range(len(s.z)):
        kept = s.z[place]
        if card in kept if type(kept) is list else kept >> card & 1:
            return place
    raise RuleError("a card lies nowhere")


def gather(s: Position, sources: Sequence[int], target: int) -> None:
    """`transfers.gather`."""
    found = 0
    for place in range(len(s.z)):
        if place in sources:
            kept = s.z[place]
            if type(kept) is int:
                found |= kept
                s.z[place] = 0
            else:
                found |= mask_of(kept)
                s.z[place] = []
    home, came = s.z[target], found
    if type(home) is int:
        found |= home
        s.z[target] = found
    else:
        found |= mask_of(home)
        s.z[target] = list(bits(found))
    if s.up or s.down:
        s.up &= ~found
        s.down &= ~found
    if came:
        keep_limit(s, target)


def move_wherever(s: Position, card: int | None, target: int, beneath: bool = False, facing: str | None = None) -> int:
    """`transfers.move_wherever`."""
    if card is None:
        return 0
    for place in range(len(s.z)):
        kept = s.z[place]
        if card in kept if type(kept) is list else kept >> card & 1:
            move_guarded(s, card, place, target, beneath, facing)
            return 1
    raise RuleError("a card lies nowhere")


def move_found(s: Position, cards: Sequence[int], target: int, beneath: bool, facing: str | None) -> int:
    """`transfers.move_found`."""
    chosen: list[int] = []
    places: list[int] = []
    sources: list[int] = []
    for card in cards:
        if card not in chosen:
            source = lying_at(s, card)
            chosen.append(card)
            places.append(source)
            if source not in sources:
                sources.append(source)
    sources.sort()
    for source in sources:
        packet = [card for card, place in zip(chosen, places, strict=True) if place == source]
        carry(s, tuple(packet), source, target, beneath, facing)
    for source in sources:
        refill_emptied(s, source, target)
    return len(chosen)


def followers(s: Position, among: Sequence[int]) -> list[list[int]]:
    """`library.followers`, as a list by player."""
    order = s.order()
    found: list[list[int]] = []
    for player in range(s.program.n):
        others: list[int] = []
        if player in among:
            at = order.index(player)
            for step in range(1, len(order)):
                follower = order[(at + step * s.direction) % len(order)]
                if follower in among:
                    others.append(follower)
        found.append(others)
    return found


def distinct(first: Sequence[int], cards: Sequence[int]) -> list[int]:
    """`primitives.distinct`."""
    faces: list[int] = []
    found: list[int] = []
    for card in sorted(cards):
        if first[card] not in faces:
            faces.append(first[card])
            found.append(card)
    return found


def as_they_lie(s: Position, cards: Sequence[int]) -> list[int]:
    """`primitives.as_they_lie`."""
    given = [card for card in cards]
    lying: list[int] = []
    for place in range(len(s.z)):
        kept = s.z[place]
        if type(kept) is list:
            for card in kept:
                if card in given:
                    lying.append(card)
    return [*[card for card in sorted(given) if card not in lying], *lying]


def place_by_place(s: Position, cards: Sequence[int]) -> list[int]:
    """`sight.place_by_place`."""
    given = [card for card in cards]
    found: list[int] = []
    for place in range(len(s.z)):
        kept = s.z[place]
        for card in given:
            if card in kept if type(kept) is list else kept >> card & 1:
                found.append(card)
    return found


def by_face(first: Sequence[int], mask: int) -> list[int]:
    """`packets.by_face`."""
    faces = 0
    found: list[int] = []
    for card in bits(mask):
        if not faces >> first[card] & 1:
            faces |= 1 << first[card]
            found.append(card)
    found.sort(key=lambda card: first[card])
    return found


def first_of(number: int | None, given: Sequence[Any]) -> list[Any]:
    """`members.first_of`."""
    found: list[Any] = []
    for member in given:
        if number is None or len(found) >= number:
            break
        found.append(member)
    return found


def without(given: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """`members.without`."""
    return [member for member in given if member not in others]


def less(items: Sequence[Any], taken: Sequence[Any]) -> list[Any]:
    """`members.less`."""
    gone = [item for item in taken]
    left: list[Any] = []
    for item in items:
        if item in gone:
            gone.remove(item)
        else:
            left.append(item)
    return left


def union(*sets: Sequence[Any]) -> list[Any]:
    """`members.union`."""
    found: list[Any] = []
    for given in sets:
        for member in given:
            if member not in found:
                found.append(member)
    return found


def first_subset(places: list[int], low: int, high: int) -> bool:
    """Lay down the places of the first way to take low to high members; whether there is one."""
    for place in range(low):
        places.append(place)
    return low <= high


def next_subset(places: list[int], many: int, high: int) -> bool:
    """The places of the next way to take some of so many members, the smallest first; whether there is one."""
    size = len(places)
    at = size - 1
    while at >= 0 and places[at] == many - size + at:
        at -= 1
    if at >= 0:
        place = places[at]
        for later in range(at, size):
            place += 1
            places[later] = place
        return True
    places.clear()
    return first_subset(places, size + 1, high)


@asked_beforehand
def named_player(program: Program, text: str) -> int | None:
    """`notation.named_player`."""
    return notation.named_player(program, text)


TWINS: dict[Any, Any] = {
    members.first_of: first_of, members.less: less, members.union: union, members.without: without,
    transfers.gather: gather, transfers.move_wherever: move_wherever, transfers.move_found: move_found,
    transfers.take_away: take_away, sight.lying_at: lying_at, sight.place_by_place: place_by_place,
    packets.by_face: by_face,
    dealing.deal: deal, dealing.deal_afresh: deal_afresh,
    moves.nth_choice: nth_choice, moves.choices_of: choices_of,
    moves.ways_to_choose: ways_to_choose, standing.scores: scores,
    standing.winners: winners, library.extreme: extreme, library.followers: followers,
    primitives.as_they_lie: as_they_lie, primitives.distinct: distinct, notation.named_player: named_player,
}  # fmt: skip
"""Function of the engine -> what is read in its stead."""
