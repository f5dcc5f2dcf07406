"""What the others read of a move: not what its parameters keep secret, nor the faces of cards that they do not see.

A card of a move is told to whoever saw it before the move or sees it after, like every card that goes somewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interpreter.run.cards import eyes_on
from interpreter.run.events import ALL, Event, new_event
from interpreter.run.naming import named_args
from interpreter.run.program import ActionCode, ParamCode
from interpreter.run.text import params_of, value_text

if TYPE_CHECKING:
    from interpreter.run.offering import Offering


MOST_RETOLD = 4_096
"""So many ways to tell of moves of one action are kept."""
Eyes = list[tuple[int, ...]]
"""Who may know each argument of a move, as bits of players; of several cards each."""
IN_PASSING: Eyes = []
"""Who may know the one card of a move is told when it goes somewhere, and nothing else happens to it."""


def eyes_before(s: Offering, player: int, action: ActionCode, args: tuple[Any, ...]) -> Eyes:
    """Who may know each argument before the move is carried out."""
    return IN_PASSING if action.passes_on else _eyes_of(s, player, action, args)


def _eyes_of(s: Offering, player: int, action: ActionCode, args: tuple[Any, ...]) -> Eyes:
    if action.row_params is None and len(args) == 1:
        return [_eyes(s, player, action.params[0], args[0])]
    return [_eyes(s, player, p, a) for p, a in zip(params_of(s, player, action, args), args, strict=True)]


def _eyes(s: Offering, player: int, param: ParamCode, value: Any) -> tuple[int, ...]:
    if param.eyes is not None:
        return (param.eyes(s, player),)
    if not param.laid or value is None:
        return (ALL,)
    return tuple([eyes_on(s, card) for card in value]) if param.several else (eyes_on(s, value),)


def versions(
    s: Offering,
    player: int,
    action: ActionCode,
    args: tuple[Any, ...],
    text: str,
    before: Eyes,
    logged: Sequence[Event],
) -> list[Event]:
    """The move as its player knows it, then as the others read it who know less, as far as they are told of it.

    before: what `eyes_before` said. logged: what the log has said since, of which these versions become the first.
    """
    if before is IN_PASSING:
        seen = next(event.seen for event in logged if event.kind == "cards")
        found = _of_one_card(s, player, action, args, text, seen)
    else:
        found = _versions(s, player, action, args, text, before)
    if action.told is None:
        return found
    told = action.told(s, player) | 1 << player
    return [event._replace(told=event.told & told) for event in found]


def _of_one_card(
    s: Offering, player: int, action: ActionCode, args: tuple[Any, ...], text: str, seen: int
) -> list[Event]:
    """Most moves that are not told to all are about one card."""
    everybody = (1 << s.program.n) - 1
    others = everybody & ~(seen | 1 << player)
    key = (player, text, others)
    found = action.retold.get(key)
    if found is not None:
        return found
    named = named_args(s, player, action, args) if action.renamed else args
    read = f"{action.name} {_words(s, params_of(s, player, action, args)[0], named[0], [False])}" if others else text
    found = [Event("move", player, text)]
    if read != text:
        own_words = new_event(Event, ("move", player, text, (), "", "", ALL, everybody & ~others))
        found = [own_words, new_event(Event, ("move", player, read, (), "", "", ALL, others))]
    if len(action.retold) < MOST_RETOLD and not action.renamed:
        action.retold[key] = found
    return found


def _versions(
    s: Offering, player: int, action: ActionCode, args: tuple[Any, ...], text: str, before: Eyes
) -> list[Event]:
    params = params_of(s, player, action, args)
    after = _eyes_of(s, player, action, args)
    own = 1 << player
    seen = [[a | b | own for a, b in zip(now, then, strict=True)] for now, then in zip(after, before, strict=True)]
    if len(seen) == 1 and len(seen[0]) == 1:
        return _of_one_card(s, player, action, args, text, seen[0][0])
    named = named_args(s, player, action, args) if action.renamed else args
    knowing: dict[tuple[bool, ...], int] = {}
    for viewer in range(s.program.n):
        known = tuple([bool(eyes >> viewer & 1) for part in seen for eyes in part])
        knowing[known] = knowing.get(known, 0) | 1 << viewer
    if len(knowing) == 1:
        return [Event("move", player, text)]
    told: dict[str, int] = {text: own}
    for known, who in knowing.items():
        left = iter(known)
        words = [action.name]
        for param, value, part in zip(params, named, seen, strict=True):
            words.append(_words(s, param, value, [next(left) for _ in part]))
        read = text if all(known) else " ".join(word for word in words if word)
        told[read] = told.get(read, 0) | who
    if len(told) == 1:
        return [Event("move", player, text)]
    return [Event("move", player, read, told=who) for read, who in told.items()]


def _words(s: Offering, param: ParamCode, value: Any, known: list[bool]) -> str:
    by_position = param.form == "cards" and not param.several and value is not None and value < 0
    if all(known) or by_position:
        return value_text(s.program, param, value)
    if not param.several:
        return "?"
    return " ".join(s.program.cards[card] if sees else "?" for card, sees in zip(value, known, strict=True))
