"""Moves as players name them, where that differs from what the game moves.

Equal cards of several packs are one card. A card that the player does not see is called by its position, 1 for the
top. Where cards that are called alike may lie in several places, the place is named too. `notation.called` makes
numbers of these names. What must be said on honour may be left unsaid: none stands for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from interpreter.engine.budget import charge
from interpreter.engine.melds.text import named_meld, real_meld
from interpreter.engine.moves import Move
from interpreter.engine.notation import IllegalMove, bare, build, called, in_order, params_of, without_place
from interpreter.engine.packets import mask_of_packet
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, ParamCode, Program
from interpreter.engine.rule_errors import TooMany
from interpreter.engine.sight import Eyes, cards_at, eyes_at, lying_at

Args = tuple[Any, ...]
ANY_TEXT = "..."
"""Stands for any text where what can be chosen is listed."""
NAMING = 30
"""Steps that are counted for looking whether arguments are the ones that are meant."""


def moves(s: Position, player: int, action: ActionCode, offered: Sequence[Args], lawful: bool) -> Sequence[Move]:
    """The moves with these arguments as the player names them, each once; where laws do not count, unsaid ones too."""
    found: dict[str, Move] = {}
    charge(s, len(offered) * (NAMING + len(s.z)))
    eyes = Eyes(s)
    if looks_where(action):
        eyes.look_round()  # so that it counts the same whichever cards are there to be named
    named = [named_args(s, player, action, args, eyes) for args in offered]
    known = {} if lawful else dict(zip(reversed(named), reversed(offered), strict=True))
    for name, args in zip(named, offered, strict=True):
        ways = [(name, name, args)]
        if not lawful:
            for at, param in enumerate(params_of(s, player, action, args)):
                for way, told, meant in ways[:] if param.otherwise is not None else ():
                    held = (*told[:at], _unsaid(s, player, param, meant[:at], eyes), *told[at + 1 :])
                    if held in known:  # what is left unsaid may be none of what can be chosen
                        ways.append(((*way[:at], None, *way[at + 1 :]), held, known[held]))
        for way, _, _ in ways:
            move = build(s, player, action, way)
            found.setdefault(move.text, move)
    return list(found.values())


def _unsaid(s: Position, player: int, param: ParamCode, before: Args, eyes: Eyes | None = None) -> Any:
    """What holds of a parameter that is not said, as the player would name it. before: the arguments before it."""
    assert param.otherwise is not None
    value = param.otherwise(s, player, *before)
    if param.form == "kinds" and value is not None:
        return s.program.first_copy[value]
    return _named(s, player, param, value, eyes)


def as_if_said(s: Position, player: int, action: ActionCode, args: Args) -> Args | None:
    """Arguments as a player names them who says all that must be said; None where what is not said can be nothing."""
    said: list[Any] = []
    for param, value in zip(params_of(s, player, action, args), args, strict=True):
        if value is None and param.otherwise is not None:
            value = _unsaid(s, player, param, tuple(said))
            if value is None and not param.optional:
                return None
        said.append(value)
    return tuple(said)


def looks_where(action: ActionCode) -> bool:
    """Whether what cards are called hangs on whether the player sees them where they lie."""
    return any(param.blind or param.placed for params in (action.params, *action.rows) for param in params)


def named_args(s: Position, player: int, action: ActionCode, args: Args, eyes: Eyes | None = None) -> Args:
    """Arguments that the game knows, as the player names them. eyes: who sees what, where many are named."""
    params = params_of(s, player, action, args)
    return tuple([_named(s, player, param, value, eyes) for param, value in zip(params, args, strict=True)])


def _named(s: Position, player: int, param: ParamCode, value: Any, eyes: Eyes | None) -> Any:
    if param.form == "meld" and value is not None:
        return named_meld(s, value)
    if param.form == "melds" and value is not None:
        return tuple([named_meld(s, meld) for meld in value])
    if param.form != "cards" or value is None:
        return value
    if param.several:
        looked = eyes or Eyes(s)
        return in_order(s.program, (_card_named(s, player, param, card, looked) for card in value))
    return card_named(s, player, param, value) if eyes is None else _card_named(s, player, param, value, eyes)


def _card_named(s: Position, player: int, param: ParamCode, card: int, eyes: Eyes) -> int:
    """A card as a player names it who chooses it, where many are named."""
    if not (param.blind or param.placed):
        return s.program.first_copy[card]
    key = (player, param.blind, param.placed, card)
    name = eyes.names.get(key)
    if name is None:
        place = eyes.where(card)
        is_seen = bool(eyes.at(card, place) >> player & 1)
        depth = None if is_seen or not param.blind else eyes.depth(card, place)
        name = eyes.names[key] = _named_at(s, param, card, place, is_seen, depth)
    return name


def card_named(s: Position, player: int, param: ParamCode, card: int) -> int:
    """A card as a player names it who chooses it. Machine code is made of it, too."""
    if not (param.blind or param.placed):
        return s.program.first_copy[card]
    return card_named_at(s, player, param, card, lying_at(s, card))


def card_named_at(s: Position, player: int, param: ParamCode, card: int, place: int) -> int:
    """A card as a player names it who chooses it, where it is known in which place it lies."""
    if not (param.blind or param.placed):
        return s.program.first_copy[card]
    is_seen = bool(eyes_at(s, card, place) >> player & 1)
    position = None if is_seen or not param.blind else cards_at(s, place).index(card)
    return _named_at(s, param, card, place, is_seen, position)


def _named_at(s: Position, param: ParamCode, card: int, place: int, is_seen: bool, position: int | None) -> int:
    """A card that lies somewhere as who chooses it names it. is_seen: whether that player sees it. position: what it is
    called by if not. One that is chosen for what it is is named alone then: where it lies is hidden."""
    named_too = param.placed and ((s.program.multi and is_seen) or position is not None)
    return called(s.program, s.program.first_copy[card], position, place if named_too else None)


def with_places(s: Position, player: int, action: ActionCode, args: Args) -> Args:
    """Arguments that were read, with the places of cards where only one can be meant.

    Raises IllegalMove where several can.
    """
    params = params_of(s, player, action, args)
    if not any(p.placed and a is not None for p, a in zip(params, args, strict=True)):
        return args
    if all(_is_complete(s.program, p, a) for p, a in zip(params, args, strict=True)):
        return args
    wanted = [bare(s.program, p, a) for p, a in zip(params, args, strict=True)]
    found: dict[str, Args] = {}
    eyes = Eyes(s)
    plain = [(at, args[at]) for at, p in enumerate(params) if p.form not in ("cards", "meld", "melds")]
    for offered in _listable(s, player, action):
        if params_of(s, player, action, offered) != params:  # the row of another card
            continue
        if any(offered[at] != value for at, value in plain):  # soon seen where there are very many
            continue
        named = named_args(s, player, action, offered, eyes)
        told = [bare(s.program, p, a) for p, a in zip(params, named, strict=True)]
        if told == wanted and _agrees(s, params, args, named):
            found.setdefault(build(s, player, action, named).text, named)
    if build(s, player, action, args).text in found:  # a card that is chosen for what it is has no place
        return args
    if len(found) > 1:
        ways = [f"'{text}'" for text in list(found)[:3]]
        raise IllegalMove("no_such_move", f"that can mean {', '.join(ways[:-1])} or {ways[-1]}")
    return next(iter(found.values()), args)


def _listable(s: Position, player: int, action: ActionCode) -> Sequence[Args]:
    """What an action offers, laws aside; what is lawful where that is too much to be listed, nothing if both are."""
    for offers in (action.possible, action.legal):
        with suppress(TooMany):
            found: Sequence[Args] = offers(s, player)
            return found
    return ()


def _is_complete(program: Program, param: ParamCode, value: Any) -> bool:
    """Whether a name of cards says where each lies, or it can be but one."""
    if not param.placed or value is None:
        return True
    cards = value if param.several else (value,)
    plain = range(0 if program.multi else len(program.cards))
    return all(card in plain or without_place(program, card) != card for card in cards)


def _agrees(s: Position, params: Sequence[ParamCode], args: Args, named: Args) -> bool:
    """Whether cards lie in the places that are named, as far as any are."""
    for param, asked, found in zip(params, args, named, strict=True):
        if param.form == "cards" and asked is not None:
            left = list(found) if param.several else [found]
            for name in asked if param.several else [asked]:
                if without_place(s.program, name) != name:
                    if name not in left:
                        return False
                    left.remove(name)
    return True


def without_texts(s: Position, player: int, action: ActionCode, args: Args) -> Args:
    """Arguments as they are offered where a text is chosen: any text will do."""
    pairs = zip(params_of(s, player, action, args), args, strict=True)
    return tuple([ANY_TEXT if p.form == "text" and a is not None else a for p, a in pairs])


def real_args(
    s: Position, player: int, action: ActionCode, args: Args, offers: Callable[[bool], Sequence[Args]], lawful: bool
) -> Args | None:
    """The arguments of a move of a renamed action as the game knows them; None if it does not offer them.

    offers: what it does, lawful or laws aside. lawful: whether only what no law forbids is meant.
    """
    wanted: list[Any] = []
    open_: dict[int, ParamCode] = {}
    cards, params = len(s.program.cards), params_of(s, player, action, args)
    for at, (param, value) in enumerate(zip(params, args, strict=True)):
        if value is None and param.otherwise is not None:
            before = zip(params[:at], wanted, strict=True)
            if any(of.form == "cards" and _is_unseen(card, cards) for of, card in before):
                open_[at] = param  # what it is may depend on a card of which only the place is known here
            else:
                value = _unsaid(s, player, param, tuple(wanted))
                if value is None and not param.optional:
                    return None  # what follows may ask for it
        if param.kinds and value is not None and action.offers is not None:
            value = _real_melds(s, player, param, value, wanted)
            if value is None:
                return None
        if param.form == "cards" and param.several and value is not None:
            value = in_order(s.program, (s.program.first_copy[c] if 0 <= c < cards else c for c in value))
        wanted.append(value)
    told = tuple(wanted)
    if action.offers is not None and not any(p.blind for p in action.params):
        return told  # it is asked whether that is offered
    named = without_texts(s, player, action, told)
    if named == told:
        return next(_offered_as(s, player, action, named, open_, offers(lawful)), None)
    for found in _offered_as(s, player, action, named, open_, offers(False)):  # what the laws say can hang on the text
        real = tuple([a if b == c else b for a, b, c in zip(found, told, named, strict=False)])
        if not (lawful and action.broken(s, player, *real)):
            return real
    return None


def _real_melds(s: Position, player: int, param: ParamCode, value: Any, before: Sequence[Any]) -> Any:
    """The melds that are meant by the faces of a move; None if their cards are not all there."""
    assert param.among is not None
    cards = param.among(s, player, *before)
    found = []
    for meld in (value,) if param.form == "meld" else value:
        real = real_meld(s, cards, meld)
        if real is None:
            return None
        cards &= ~mask_of_packet(real.cards)
        found.append(real)
    return found[0] if param.form == "meld" else tuple(found)


def _is_unseen(chosen: Any, cards: int) -> bool:
    """Whether what is chosen is a card, or several, named by the place."""
    several = chosen if isinstance(chosen, tuple | list) else (chosen,)
    return any(type(one) is int and not 0 <= one < cards for one in several)


def _offered_as(
    s: Position, player: int, action: ActionCode, named: Args, open_: Mapping[int, ParamCode], offered: Sequence[Args]
) -> Iterator[Args]:
    """The arguments that an action offers and that a player names so; what is open is what it is without being said."""
    charge(s, len(offered) * (NAMING if action.steady else NAMING + len(s.z)))
    eyes = Eyes(s)
    if open_:
        for found in offered:
            names = named_args(s, player, action, found, eyes)
            if all(at in open_ or names[at] == name for at, name in enumerate(named)) and all(
                names[at] == _unsaid(s, player, param, found[:at], eyes) for at, param in open_.items()
            ):
                yield found
        return
    known = action.interned if action.steady else {}
    for found in offered:
        move = known.get(found)
        if (named_args(s, player, action, found, eyes) if move is None else move.args) == named:
            yield found
