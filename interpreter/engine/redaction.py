"""What the others read of a move: not what its parameters keep secret, nor the faces of cards that they do not see.

A card of a move is told to whoever saw it before the move or sees it after, like every card that goes somewhere. One
that is called by its position is told so to those who may count the cards there, for they see which is taken. Who may
count several cards neither where they lay nor where they lie then reads no more than that there may have been any.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import and_
from typing import Any, NamedTuple

from interpreter.engine.events import ALL, Event, new_event
from interpreter.engine.naming import card_named_at, named_args
from interpreter.engine.notation import card_text, in_order, params_of, value_text
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, ParamCode
from interpreter.engine.sight import all_lying_at, eyes_at, knowing

MOST_RETOLD = 4_096
"""How many ways to tell of moves of one action are kept."""


class Part(NamedTuple):
    """A part of a move's text, as it is before the move is carried out.

    seen: who may know it, as bits of players. card: the one whose face counts. rule: who may know it. counted: who
    may know how many such parts there are.
    """

    text: str
    seen: int = ALL
    card: int | None = None
    rule: Callable[[Position, int], int] | None = None
    counted: int = ALL


Parts = list[list[Part]]
"""For each parameter: one part, or one for each of several cards."""
IN_PASSING: Parts = []
"""Who may know the one card of a move is told when it goes somewhere, and nothing else happens to it."""


def parts_of(s: Position, player: int, action: ActionCode, args: tuple[Any, ...]) -> Parts:
    """What a move consists of, asked before it is carried out: then cards lie where the player has found them."""
    if action.passes_on:
        return IN_PASSING
    named = named_args(s, player, action, args) if action.renamed else args
    found: Parts = []
    for param, value, name in zip(params_of(s, player, action, args), args, named, strict=True):
        if param.eyes is not None:
            found.append([Part(value_text(s.program, param, name), param.eyes(s, player), None, param.eyes)])
        elif not param.laid or value is None or value == ():
            counting = [knowing(s, 0, place, place) for place in param.uncounted]
            found.append([Part(value_text(s.program, param, name), reduce(and_, counting, ALL))])
        else:
            found.append(_cards(s, player, param, _chosen(param, value)))
    return found


def _chosen(param: ParamCode, value: Any) -> Sequence[int]:
    """The cards that were chosen."""
    if param.kinds:
        melds = (value,) if param.form == "meld" else value
        return [card for meld in melds for card in meld.cards]
    return value if param.several else (value,)


def _cards(s: Position, player: int, param: ParamCode, cards: Sequence[int]) -> list[Part]:
    lies = all_lying_at(s, cards)
    names = {card: card_named_at(s, player, param, card, lies[card]) for card in cards}
    by_name: dict[int, list[int]] = {}
    for card, name in names.items():
        by_name.setdefault(name, []).append(card)
    found = []
    for name in in_order(s.program, by_name):
        for card in by_name[name]:
            text, place = card_text(s.program, name), lies[card]
            counted = ALL if name >= 0 and len(cards) == 1 else knowing(s, 0, place, place)  # one is no number to hide
            if name < 0:
                found.append(Part(text, counted, counted=counted))
            else:
                found.append(Part(text, eyes_at(s, card, place), card, counted=counted))
    return found


def retold(s: Position, player: int, action: ActionCode, text: str, before: Parts, logged: Sequence[Event]) -> Event:
    """The move as its player knows it, and as the others read it who know less.

    before: what `parts_of` said. logged: what the log has said since, of which this becomes the first.
    """
    if before is IN_PASSING:
        seen = next(event.seen for event in logged if event.kind == "cards")
        event = _of_one_card(s, player, action, text, seen)
    else:
        event = _retold(s, player, action, text, before)
    event = event._replace(source=action.told_in) if action.told_in else event
    if action.told is None:
        return event
    return event._replace(told=action.told(s, player) | 1 << player)


def taken_back(event: Event) -> Event:
    """The event of a move that has been taken back, of the event of the move."""
    said = " (taken back)"
    return event._replace(words=event.words + said, cards=tuple([read + said for read in event.cards]))


def _of_one_card(s: Position, player: int, action: ActionCode, text: str, seen: int) -> Event:
    """Most moves that are not told to all are about one card."""
    knowing = (seen | 1 << player) & (1 << s.program.n) - 1
    key = (player, text, knowing)
    found = action.retold.get(key)
    if found is None:
        found = _event(s, player, text, [text if knowing >> p & 1 else f"{action.name} ?" for p in range(s.program.n)])
        if len(action.retold) < MOST_RETOLD:
            action.retold[key] = found
    return found


def _retold(s: Position, player: int, action: ActionCode, text: str, before: Parts) -> Event:
    lies = all_lying_at(s, [part.card for parts in before for part in parts if part.card is not None])
    after = [[_as_it_is_now(s, player, part, lies) for part in parts] for parts in before]
    reads = [
        text if viewer == player else f"{action.name} {_read(after, viewer)}".rstrip() for viewer in range(s.program.n)
    ]
    return _event(s, player, text, reads)


def _as_it_is_now(s: Position, player: int, part: Part, lies: Mapping[int, int]) -> Part:
    """With those who know it after the move besides. lies: where the cards lie."""
    if part.rule is not None:
        return part._replace(seen=part.seen | part.rule(s, player))
    if part.card is None:
        return part
    place = lies[part.card]
    counted = ALL if part.counted == ALL else part.counted | knowing(s, 0, place, place)
    return part._replace(seen=part.seen | eyes_at(s, part.card, place), counted=counted)


def _read(before: Parts, viewer: int) -> str:
    """What a player reads of them: of several cards those that are known first, for their order tells of the others."""
    words: list[str] = []
    for parts in before:
        hidden = [part for part in parts if not part.seen >> viewer & 1]
        counted = sum(part.counted >> viewer & 1 for part in hidden)
        words += [part.text for part in parts if part.seen >> viewer & 1]
        words += ["?"] * (counted + (counted < len(hidden)))
    return " ".join(word for word in words if word)


def _event(s: Position, player: int, text: str, reads: list[str]) -> Event:
    """reads: by player, what each reads of the move."""
    if all(read == text for read in reads):
        return Event("move", player, text)
    return new_event(Event, ("move", player, text, tuple(reads), "", "", ALL, ALL))
