"""Small functions that generated text calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any

from interpreter.base.arithmetic import NoValue, listed
from interpreter.base.signs import shortened
from interpreter.engine.budget import brief, charge, each_of, within
from interpreter.engine.chance import below
from interpreter.engine.faults import fault_age
from interpreter.engine.frames import is_running
from interpreter.engine.melds.laid import lay_meld, meld_at, meld_extends, renew_melds, replaced_wild
from interpreter.engine.melds.meld_library import (
    are_melds_asked,
    are_melds_from,
    cards_of_meld,
    is_meld,
    is_meld_from,
    least_outside,
    melds_apart_in,
    melds_asked_in,
    melds_in,
    part_of_meld,
    size_of_meld,
)
from interpreter.engine.melds.text import say_asked, say_melds
from interpreter.engine.members import OF_SETS
from interpreter.engine.moves import choices_of, nth_choice, ways_to_choose
from interpreter.engine.outcomes import no_outcome, take_card, take_chance
from interpreter.engine.packets import as_tuple, bits, by_face, mask_of, mask_of_packet
from interpreter.engine.pieces import pieces
from interpreter.engine.position import Position, order_after, seat_in
from interpreter.engine.rule_errors import RuleError, too_many
from interpreter.engine.sight import zone_at
from interpreter.engine.turns import next_player
from interpreter.engine.values_in_texts import IN_TEXTS, say_item, say_player, say_team

MOST_REMEMBERED = 4_096
"""Answers of one definition that are kept."""

if TYPE_CHECKING:
    from interpreter.base.diagnostics import Span

MOST_NAMED = 12
"""So many of the things that can be drawn are named where a fixed one is not among them."""


def end_of(cards: Sequence[int], at: int) -> int | None:
    """The top (-1) or bottom (0) card of a packet, or none."""
    return cards[at] if cards else None


def has_card(mask: int, card: int | None) -> bool:
    return card is not None and card >= 0 and bool(mask >> card & 1)


def has_face(first: Sequence[int], cards: Iterable[int], card: int | None) -> bool:
    return card is not None and card >= 0 and any(first[c] == first[card] for c in cards)


def with_copies(copies: Mapping[int | None, int], first: Sequence[int], cards: Iterable[int]) -> int:
    """Cards as bits, with all that are equal to one of them."""
    found = 0
    for card in cards:
        if card >= 0:
            found |= copies[first[card]]
    return found


def same_card(first: Sequence[int], one: int | None, two: int | None, equal: bool) -> bool:
    """Whether two cards show the same face: equal cards of several packs are one card to the rules."""
    if one is None or two is None or one < 0 or two < 0:
        return (one == two) is equal
    return (first[one] == first[two]) is equal


def of_card(table: Sequence[Any], card: int | None) -> Any:
    """What a table says of a card or rank that may be none."""
    return None if card is None or card < 0 else table[card]


def row_number(known: Mapping[Any, int], ranges: Sequence[tuple[int, int, int]], key: Any, otherwise: int) -> int:
    """Which row of a table is for a value: the narrowest range, or the word."""
    for low, high, number in ranges:
        if key is not None and low <= key <= high:
            return number
    return known.get(key, otherwise)


def row_of(rows: Sequence[Callable[[], Any]], numbers: Sequence[int], card: int | None) -> Any:
    """What the row of a card says, which is worked out when it is asked."""
    return None if card is None or card < 0 else rows[numbers[card]]()


def row_for(rows: Sequence[Callable[[int], Any]], numbers: Sequence[int], card: int | None) -> Any:
    """What the row of a card says of it."""
    return None if card is None or card < 0 else rows[numbers[card]](card)


def ask(of: Callable[..., Any], *what: Any) -> Any:
    """What is asked of none is none."""
    return None if None in what else of(*what)


def holds(compared: Callable[[Any, Any], bool], one: Any, two: Any) -> bool:
    """A number of none never holds in a comparison."""
    return one is not None and two is not None and compared(one, two)


def none_first(number: int | None) -> int:
    """A number to put things in order by; none comes first."""
    return -1_000_000_000 if number is None else number


def is_up(s: Position, card: int | None) -> bool:
    """Whether everybody can see the face of a card where it lies."""
    return card is not None and (bool(s.up >> card & 1) or _shown(s, card))


def is_down(s: Position, card: int | None) -> bool:
    return card is not None and not is_up(s, card)


def _shown(s: Position, card: int) -> bool:
    from interpreter.engine.sight import lying_at

    place = lying_at(s, card)
    zone = zone_at(s, place)
    if not zone.always_seen or zone.faces_down or s.down >> card & 1:
        return False
    return not s.program.tops[place] or s.z[place][-1] == card


class Remembered(dict[tuple[Any, ...], Any]):
    """What a definition that asks nothing of the state says of cards, ranks and the like, each once it was asked."""

    def __init__(self, answer: Callable[..., Any]) -> None:
        super().__init__()
        self.answer = answer

    def __missing__(self, key: tuple[Any, ...]) -> Any:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        found = self[key] = self.answer(*key)
        return found


class Answers(dict[Any, Any]):
    """What a definition has answered in play, by the values of the variables on which it depends."""


def present(items: Iterable[Any]) -> tuple[Any, ...]:
    """A group without what is none."""
    return tuple([i for i in items if i is not None])


def inside(number: int, start: int, size: int) -> int:
    """A number as an index from 0; an error if there is no such place."""
    if not 0 <= number - start < size:
        between = f"they go from {start} to {start + size - 1}"
        raise NoValue(f"there is no number {number}: {between}", in_play=f"there is no such number: {between}")
    return number - start


def needed(number: int | None) -> int:
    """A number that must be there."""
    if number is None:
        raise ValueError("this is none, but a number is needed here")
    return number


def somebody(player: int | None) -> int:
    """A player that must be there."""
    if player is None:
        raise ValueError("this is none, but a player is needed here")
    return player


def required(number: int | None) -> int:
    """A number that must be there to say which place or variable is meant."""
    if number is None:
        raise ValueError("'none' stands where somebody is needed, or something, that a place or variable belongs to")
    return number


def no_value(message: str, at: Span) -> Any:
    """Where options or players leave something without a value, the match stops if it comes there."""
    raise RuleError(message, at)


def nowhere() -> int:
    raise ValueError("there is no such place")


def extreme(v: list[Any], base: int, teams: Sequence[int], players: Iterable[int], least: bool) -> list[int]:
    """The players with the lowest or highest number in a variable."""
    values = {p: v[base + teams[p]] for p in players}
    if not values:
        return []
    best = min(values.values()) if least else max(values.values())
    return [p for p, value in values.items() if value == best]


def can(
    s: Position,
    player: int,
    legal: Callable[..., Any],
    broken: Callable[..., list[int]],
    each: int,
    most: int,
    action: str,
    at: Span,
) -> bool:
    """Whether a player has a lawful move of an action, turn and busy hands aside. each: steps of judging one."""
    found = legal(s, player)
    if not isinstance(found, tuple):
        return bool(found)
    cards = bits(found[0])
    sizes, number = choices_of(len(cards), found[1], found[2])
    ways = (chosen for size in sizes for chosen in combinations(cards, size))
    for chosen in islice(ways, most):
        charge(s, each)
        if not broken(s, player, chosen):
            return True
    if number > most:
        raise too_many(action, most, at)
    return False


def can_here(s: Position, player: int, actions: Mapping[int, tuple[Any, ...]]) -> bool:
    """Whether a player has a lawful move of an action that several stages have: of the innermost of those going on."""
    here = next((f.stage for f in reversed(s.stack) if f.stage in actions and is_running(f)), None)
    return here is not None and can(s, player, *actions[here])


def holder(s: Position, bases: Sequence[int], card: int | None, n: int) -> int | None:
    """The player in one of whose zones that very card lies, or none."""
    return None if card is None or card < 0 else _holder_of_any(s, bases, 1 << card, n)


def holder_of_face(s: Position, bases: Sequence[int], card: int | None, n: int) -> int | None:
    """The first player in one of whose zones a card lies that is called so, or none."""
    if card is None or card < 0:
        return None
    return _holder_of_any(s, bases, s.program.copies[s.program.first_copy[card]], n)


def _holder_of_any(s: Position, bases: Sequence[int], same: int, n: int) -> int | None:
    for player in range(n):
        for base in bases:
            kept = s.z[base + player]
            if kept and ((kept & same) if type(kept) is int else any(same >> c & 1 for c in kept)):
                return player
    return None


def player_of(s: Position, card: int | None) -> int | None:
    """Who played a card in this trick."""
    return next((p for p, c in s.plays if c == card), None)


def others(everyone: Sequence[int], player: int) -> list[int]:
    return [p for p in everyone if p != player]


def seat_from(s: Position, player: int, step: int) -> int:
    """The neighbour at the left (1) or right (-1)."""
    order = s.order()
    return order[(seat_in(order, player) + step) % len(order)]


def across(s: Position, player: int) -> int:
    order = s.order()
    return order[(seat_in(order, player) + len(order) // 2) % len(order)]


def seat_of(s: Position, player: int) -> int:
    """The number of a player's seat, from 1."""
    return seat_in(s.order(), player) + 1


def next_after(s: Position, player: int, among: Sequence[int]) -> int:
    """The next of some players after a seat, in the direction of play; the seat itself if there is none."""
    seat_in(s.order(), player)
    skips, s.skips = s.skips, 0
    found = next_player(s, player, list(among))
    s.skips = skips
    return player if found is None else found


def followers(s: Position, among: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Some players -> who of them plays after that one, in turn."""
    return _followers(s.order(), s.direction, tuple(among))


@lru_cache(maxsize=1024)
def _followers(order: tuple[int, ...], direction: int, among: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
    return {p: tuple(q for q in order_after(order, p, direction) if q in among and q != p) for p in among}


def partner(members: Sequence[Sequence[int]], teams: Sequence[int], player: int) -> int:
    """The other member of a player's team; the next one where there are more; oneself where there is none."""
    team = members[teams[player]]
    return team[(team.index(player) + 1) % len(team)]


def drawn_from(s: Position, number: int, cards: Sequence[int]) -> tuple[int, ...]:
    """So many of some cards at most, by chance or as given, one after the other."""
    left = sorted(set(cards))
    found: list[int] = []
    while left and len(found) < number:
        given = take_card(s, "draw", left)
        found.append(left.pop(below(s, len(left)) if given is None else left.index(given)))
    return tuple(found)


def random_of(s: Position, items: Sequence[Any], kind: str) -> Any:
    """One of several, by chance or as given."""
    found = list(items)
    if not found:
        raise ValueError("nothing to draw from")
    if kind == "card":
        card = take_card(s, "random", found)
        return found[below(s, len(found))] if card is None else card
    given = take_chance(s, "random", lambda: [_as_logged(s, item, kind) for item in found])
    if given is None:
        return found[below(s, len(found))]
    for written in (str, str.lower):  # words may differ in large and small letters alone
        for item in found:
            if written(_as_logged(s, item, kind)) == written(str(given)):
                return item
    known = list(dict.fromkeys(_as_logged(s, item, kind) for item in found))
    listed = ", ".join(known[:MOST_NAMED]) + (f" and {len(known) - MOST_NAMED} more" if known[MOST_NAMED:] else "")
    raise no_outcome(s, "random", f"'{shortened(str(given))}' is not among what is drawn from here: {listed}")


def _as_logged(s: Position, item: Any, kind: str) -> str:
    """Something that can be drawn as the log prints it."""
    names = {"suit": s.program.suits, "rank": s.program.ranks, "place": s.program.places}.get(kind)
    if names is not None:
        return say_item(names, item)
    if kind in ("player", "team"):
        return say_player(item) if kind == "player" else say_team(item)
    return str(item).lower() if kind == "flag" else str(item)


def distance(one: int | None, two: int | None, around: int) -> int:
    """Steps between two ranks; `around` is the number of ranks if they turn the corner, else 0."""
    if one is None or two is None:
        return 1000
    steps = abs(one - two)
    return min(steps, around - steps) if around else steps


def item(number: int | None, items: Sequence[Any] | None) -> Any:
    return listed("item", number, items)


def cycle(number: int | None, items: Sequence[Any] | None) -> Any:
    """Item number n of a list that begins again at its end."""
    return listed("cycle", number, items)


def start(number: int, text: str) -> str:
    """The first letters of a text."""
    return text[: max(0, number)]


def fault_count(s: Position, player: int) -> int:
    return sum(f.offender == player for f in s.faults)


def lapsed_count(s: Position, player: int) -> int:
    return s.lapsed[player]


SAFE: dict[str, Any] = {
    "len": len,
    "min": min,
    "map": map,
    "max": max,
    "sum": sum,
    "any": any,
    "bool": bool,
    "all": all,
    "sorted": sorted,
    "range": range,
    "next": next,
    "str": str,
    "list": list,
    "tuple": tuple,
}
"""The only built-in functions that generated text can reach."""

HELPERS: dict[str, Any] = {
    f.__name__: f
    for f in (
        brief,
        end_of,
        has_card,
        has_face,
        with_copies,
        same_card,
        of_card,
        row_number,
        row_of,
        row_for,
        ask,
        holds,
        none_first,
        is_up,
        is_down,
        present,
        inside,
        needed,
        somebody,
        required,
        no_value,
        nowhere,
        extreme,
        can,
        can_here,
        holder,
        holder_of_face,
        player_of,
        others,
        followers,
        seat_from,
        across,
        seat_of,
        next_after,
        by_face,
        partner,
        drawn_from,
        random_of,
        distance,
        item,
        cycle,
        start,
        *OF_SETS,
        fault_age,
        fault_count,
        lapsed_count,
        *IN_TEXTS,
        say_melds,
        say_asked,
        bits,
        mask_of,
        mask_of_packet,
        ways_to_choose,
        nth_choice,
        pieces,
        as_tuple,
        melds_in,
        melds_apart_in,
        melds_asked_in,
        is_meld,
        is_meld_from,
        are_melds_asked,
        are_melds_from,
        part_of_meld,
        size_of_meld,
        cards_of_meld,
        least_outside,
        lay_meld,
        meld_at,
        meld_extends,
        replaced_wild,
        renew_melds,
        charge,
        each_of,
        within,
    )
}
