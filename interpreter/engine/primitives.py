"""What generated text calls besides the small functions of `library`: cards on the move, the machine, and checks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from interpreter.base.diagnostics import Span
from interpreter.engine import dealing, facing, pieces, sight, transfers
from interpreter.engine.chance import Dice
from interpreter.engine.events import Event
from interpreter.engine.faults import age_by_end, age_by_turn, note_fault, take_back
from interpreter.engine.frames import AGAIN, GO, LEAVE, MOVED, NOBODY, NOWHERE, PASSED, STAY, TRICK, WAIT
from interpreter.engine.machine import advance, begun, entered, went_through
from interpreter.engine.moves import choices_of
from interpreter.engine.position import Position
from interpreter.engine.rule_errors import RuleError, too_many
from interpreter.engine.tricks import as_played, is_complete, next_due, nobody_leads, tell_trick
from interpreter.engine.turns import next_player, pass_turn

ON_CARDS = (
    dealing.deal, dealing.deal_afresh, facing.flip, facing.show, facing.turn, facing.turn_at, pieces.put_back,
    pieces.set_out, pieces.take_piece, sight.log_cards, sight.log_openly,
    transfers.gather, transfers.keep_limit, transfers.move_all, transfers.move_card, transfers.move_cards,
    transfers.move_found, transfers.move_guarded, transfers.move_one, transfers.move_random, transfers.move_top,
    transfers.move_wherever, transfers.refill_emptied, transfers.refill_if_empty, transfers.shuffle_place,
    transfers.swap_places,
)  # fmt: skip


def primitives() -> dict[str, Any]:
    """Name in the text -> what it stands for."""
    found: dict[str, Any] = {function.__name__: function for function in ON_CARDS}
    found.update(
        advance=advance_afresh,
        begun=begun,
        entered=entered,
        went_through=went_through,
        next_player=next_player,
        GO=GO,
        MOVED=MOVED,
        WAIT=WAIT,
        LEAVE=LEAVE,
        Event=Event,
        STAY=STAY,
        AGAIN=AGAIN,
        PASSED=PASSED,
        NOBODY=NOBODY,
        NOWHERE=NOWHERE,
        TRICK=TRICK,
        age_by_end=age_by_end,
        age_by_turn=age_by_turn,
        as_played=as_played,
        is_complete=is_complete,
        next_due=next_due,
        nobody_leads=nobody_leads,
        tell_trick=tell_trick,
        note_fault=note_fault,
        take_back=take_back,
        out_of_bounds=out_of_bounds,
        drawn=drawn,
        or_keep=or_keep,
        seated=seated,
        subsets=subsets,
        few_subsets=few_subsets,
        is_subset=is_subset,
        as_they_lie=as_they_lie,
        place_by_place=sight.place_by_place,
        counted=counted,
        distinct=distinct,
        pass_turn=pass_turn,
    )
    return found


def advance_afresh(s: Any) -> None:
    """In random play the moves themselves are not counted, but what follows is."""
    s.spent = 0
    advance(s)


def out_of_bounds(name: str, value: int | None, low: int | None, high: int | None) -> None:
    """Raise the RuleError of a variable that leaves its bounds.

    value: what it would become. low, high: its bounds. None is what not all may know.
    """
    if low is None or high is None:
        raise RuleError(f"'{name}' would leave its bounds")
    becomes = "leave its bounds" if value is None else f"become {value}"
    raise RuleError(f"'{name}' would {becomes}, but it goes from {low} to {high}")


def or_keep(found: int | None, present: Any) -> Any:
    """A value that was found, or what is there if none was."""
    return present if found is None else found


def seated(players: Any, s: Any) -> tuple[int, ...]:
    """Players as a seating. Raises RuleError unless everybody is named once."""
    order = tuple(players)
    if sorted(order) != list(range(s.program.n)):
        raise RuleError("'reseat' must name everybody once")
    return order


def subsets(cards: Any, low: int, high: int, in_order: bool = False) -> list[tuple[int, ...]]:
    """All ways to choose so many cards. in_order: the cards stay in the order in which they are given."""
    given = cards if in_order else sorted(cards)
    return [c for size in range(max(0, low), min(high, len(given)) + 1) for c in combinations(given, size)]


def as_they_lie(s: Position, cards: Any) -> list[int]:
    """Cards by the places where they lie, the bottom of each first: their order tells nothing of hidden faces."""
    if len(cards) < 2:
        return list(cards)
    lying = [(place, kept) for place, kept in enumerate(s.z) if type(kept) is list]
    where = {card: (place, at) for place, kept in lying for at, card in enumerate(kept)}
    return sorted(cards, key=lambda card: where.get(card, (-1, card)))


def few_subsets(
    cards: Any, low: int, high: int, tried: int, most: int, action: str, at: Span, in_order: bool = False
) -> Any:
    """All ways to choose so many cards. Raises RuleError where, with those `tried` before, they are too many."""
    if tried + choices_of(len(cards), low, high)[1] > most:
        raise too_many(action, most, at)
    return subsets(cards, low, high, in_order)


def is_subset(chosen: Any, cards: Any, low: int, high: int) -> bool:
    """Whether cards are one of the ways to choose so many, which `subsets` lists."""
    return low <= len(chosen) <= high and chosen == tuple(sorted({*chosen} & {*cards}))


def counted(tried: int, values: Sequence[Any], most: int, action: str, at: Span) -> int:
    """How many ways have been tried with these too."""
    tried += len(values)
    if tried > most:
        raise too_many(action, most, at)
    return tried


def drawn(dice: Dice, measure: str, action: str, low: int, high: int) -> int:
    """What a body at random decides."""
    if low > high:
        raise RuleError(f"the least '{measure}' of the action '{action}' is above its most")
    return low + dice.below(high - low + 1)


def distinct(first: Any, cards: Any) -> list[int]:
    """One card of each face."""
    if len(cards) < 2:
        return list(cards)
    return sorted({first[c]: c for c in reversed(sorted(cards))}.values())
