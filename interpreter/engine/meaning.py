"""Which cards a move means: of equal ones a player names only the face.

What is lawful goes first, so that of equal cards one goes that no law forbids, whoever names them and however.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, combinations, product
from math import comb, prod
from typing import Any

from interpreter.engine import naming
from interpreter.engine.budget import charge
from interpreter.engine.notation import without_place
from interpreter.engine.packets import bits, mask_of_packet
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, ParamCode
from interpreter.engine.rule_errors import TooMany, TooMuch

Args = tuple[Any, ...]
TRYING = 60
"""Steps that are counted for each way in which equal cards can be taken, besides what judging it takes."""


class Offer:
    """What an action offers a player now, found once, and which of it is meant by the arguments of a move.

    Arguments are given as the player calls them: cards by their faces, unseen ones by where they lie.
    """

    def __init__(self, s: Position, player: int, action: ActionCode) -> None:
        self._asked = s, player, action
        self._found: dict[bool, Any] = {}

    def all(self, lawful: bool) -> Any:
        """What is offered, in the shape of the action. lawful: what no law forbids."""
        if lawful not in self._found:
            s, player, action = self._asked
            self._found[lawful] = (action.legal if lawful else action.possible)(s, player)
        return self._found[lawful]

    def lawful(self, args: Args) -> Args | None:
        """The arguments of a lawful move as the game knows them; None if the action does not offer it, or laws do.

        Where they would be looked for among more than can be listed, all that can be meant are tried; where that cannot
        be, or these are too many as well, none are found: what nobody listed ends no match.
        """
        with suppress(TooMany):
            return self._meant(args, True)
        return self._tried(args, True)

    def possible(self, args: Args) -> Args | None:
        """The arguments of a possible move as the game knows them: lawful ones if there are any, else the first."""
        if self._asked[0].program.multi:  # else each face is one card
            found = self.lawful(args)
            if found is not None:
                return found
        with suppress(TooMany):
            return self._meant(args, False)
        found = self.lawful(args)  # of these there may be fewer
        return self._tried(args, False) if found is None else found

    def _meant(self, args: Args, lawful: bool) -> Args | None:
        s, player, action = self._asked
        if action.renamed:
            real = naming.real_args(s, player, action, args, self.all, lawful)
            if real is None or action.offers is None:
                return real  # it was found among what is offered
            args = real
        if action.offers is not None:
            return args if action.offers(s, player, lawful, *args) else None
        offered = self.all(lawful)
        match action.shape:
            case "none":
                return args if offered else None
            case "card":
                return cards_meant(s, args, offered)
            case "cards":
                mask, low, high = offered
                if not low <= len(args[0]) <= high:
                    return None
                if lawful:
                    found = _lawful_cards(s, player, action, args[0], mask)
                else:
                    found = cards_meant(s, args[0], mask)
                return None if found is None else (found,)
        if args in offered:
            return args
        untold = naming.without_texts(s, player, action, args)
        if untold == args or untold not in self.all(False):
            return None
        return None if lawful and action.broken(s, player, *args) else args

    def _tried(self, args: Args, lawful: bool) -> Args | None:
        """The first of all that players call so, in turn of their cards, that the action offers."""
        s, player, action = self._asked
        said = None if action.judges is None else naming.as_if_said(s, player, action, args)
        if action.judges is None or said is None:
            return None
        ways = [_called_so(s, param, value) for param, value in zip(action.params, said, strict=True)]
        if prod(number for number, _ in ways) > action.most:
            return None
        with suppress(TooMuch):
            for way in product(*(found for _, found in ways)):
                charge(s, TRYING + action.each)
                if action.judges(s, player, lawful, *way) and naming.named_args(s, player, action, way) == said:
                    return way
        return None


def _called_so(s: Position, param: ParamCode, value: Any) -> tuple[int, Iterable[Any]]:
    """What players call so that is chosen with a parameter, and how much that is."""
    if param.form != "cards" or value is None:
        return 1, (value,)
    wanted = Counter(without_place(s.program, card) for card in (value if param.several else (value,)))
    copies = [(bits(s.program.copies.get(face, 0)), many) for face, many in wanted.items()]
    if not param.several:
        return len(copies[0][0]), copies[0][0]
    return prod(comb(len(cards), many) for cards, many in copies), _sets_of(copies)


def _sets_of(copies: Sequence[tuple[Sequence[int], int]]) -> Iterator[tuple[int, ...]]:
    """So many cards of each of some packets, in each way; nothing is made before it is asked for."""
    for way in product(*(combinations(cards, many) for cards, many in copies)):
        yield tuple(sorted(chain.from_iterable(way)))


def cards_meant(s: Position, cards: tuple[int, ...], mask: int) -> tuple[int, ...] | None:
    """The cards of a set that are meant by the faces of a move; None if they are not all there."""
    if not s.program.multi:
        return None if mask_of_packet(cards) & ~mask else cards
    found = []
    for card in cards:
        same = s.program.copies[s.program.first_copy[card]] & mask
        if not same:
            return None
        low = same & -same
        mask ^= low
        found.append(low.bit_length() - 1)
    return tuple(found)


def _lawful_cards(
    s: Position, player: int, action: ActionCode, cards: tuple[int, ...], mask: int
) -> tuple[int, ...] | None:
    """The cards of a set that are meant and that no law forbids together. mask: those that are lawful by themselves.

    Where equal cards can be taken in too many ways to try all, none is found: what nobody listed ends no match.
    """
    found = cards_meant(s, cards, mask)
    if found is None or not action.joint or not action.broken(s, player, found):
        return found
    wanted = Counter(s.program.first_copy[card] for card in cards)
    there = {face: bits(s.program.copies[face] & mask) for face in wanted} if s.program.multi else {}
    if prod(comb(len(there[face]), number) for face, number in wanted.items() if there) > action.most:
        return None
    with suppress(TooMuch):
        for way in product(*(combinations(there[face], number) for face, number in wanted.items() if there)):
            charge(s, TRYING + action.each)
            found = cards_meant(s, cards, mask_of_packet([card for some in way for card in some]))
            if found is not None and not action.broken(s, player, found):
                return found
    return None
