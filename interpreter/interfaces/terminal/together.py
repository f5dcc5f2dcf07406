"""Several people who race at one keyboard: the table as all of them may see it, and whose moves are whose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from interpreter.engine.notation import IllegalMove
from interpreter.interfaces.terminal.menu import Menu, Pattern, form_of, measures_in, menu, understand

if TYPE_CHECKING:
    from interpreter.api.state import State
    from interpreter.engine.moves import Move
    from interpreter.words.voice import Voice


@dataclass(frozen=True, slots=True)
class Shared:
    """view: what all of them see alike. offers: what each can do, as far as it betrays nothing to the others."""

    view: Mapping[str, Any]
    offers: tuple[tuple[int, Menu], ...]

    @property
    def numbered(self) -> bool:
        return all(offered.numbered for _, offered in self.offers)

    @property
    def whole(self) -> Menu:
        """What all of them are offered, in the order of the numbers."""
        offers = [offered for _, offered in self.offers]
        return Menu(
            tuple(move for offered in offers for move in offered.listed),
            tuple(dict.fromkeys(pattern for offered in offers for pattern in offered.patterns)),
            tuple(claim for offered in offers for claim in offered.claims),
            tuple(group for offered in offers for group in offered.groups),
        )

    def moves(self) -> Iterator[tuple[int, Move]]:
        """Everybody's moves in the order of their numbers, from 1."""
        for player, offered in self.offers:
            for move in offered.listed:
                yield player, move

    def speaker(self, typed: str, named: Callable[[str], int | None]) -> tuple[int | None, str]:
        """Who types, and what: whoever is named first, or whose move has that number. named: the player of a name."""
        name, _, rest = typed.partition(" ")
        player, people = named(name), [player for player, _ in self.offers]
        number = rest.strip() if player in people else typed
        moves = list(self.moves()) if self.numbered else []
        if number.isdecimal() and len(number) < 4 and 1 <= int(number) <= len(moves):
            whose, move = moves[int(number) - 1]
            if player in (None, whose):
                return whose, move.text
        return (player, rest.strip()) if player in people else (None, typed)

    def numbers(self, person: int, name: Callable[[int], str]) -> str:
        """Whose numbers are which: `1 to 3 are your numbers, 4 is P2's`. person: who is told."""
        told, first = [], 1
        for player, offered in self.offers if self.numbered else ():
            last = first + len(offered.listed) - 1
            if last >= first:
                whose = "yours" if player == person else f"{name(player)}'s"
                told.append(f"number {first} is {whose}" if last == first else f"numbers {first} to {last} are {whose}")
            first = last + 1
        return ", ".join(told)

    def meant(self, state: State, typed: str, voice: Voice) -> int | None:
        """Who alone of those who race can make the move that was typed without a name; None if nobody or several."""
        found = [player for player, offered in self.offers if _can(state, player, typed, offered, voice)]
        return found[0] if len(found) == 1 else None


def _can(state: State, player: int, typed: str, offered: Menu, voice: Voice) -> bool:
    """Whether what was typed is a lawful move of a player."""
    body, _ = measures_in(voice.typed(typed, player), state.game.program)
    try:
        text = understand(state, player, body, replace(offered, shown=False), voice)
        return state.parse(player, text) in state.legal_moves(player)
    except IllegalMove:
        return False


def shared(state: State, people: Sequence[int]) -> Shared:
    """What people see together who look at one screen."""
    view = alike([{**state.view(person), "player": "", "log": []} for person in people])
    open_cards = {card for zone in view["zones"].values() for card in _faces(zone)}
    return Shared(view, tuple((person, _told(state, menu(state, person), open_cards)) for person in people))


def alike(found: Sequence[Any]) -> Any:
    """What is the same in all of several views; None stands for a part that is not."""
    first = found[0]
    if all(isinstance(one, dict) for one in found):
        keys = [key for key in first if all(key in one for one in found)]
        return {key: alike([one[key] for one in found]) for key in keys}
    if all(isinstance(one, list | tuple) for one in found):
        as_long = all(len(one) == len(first) for one in found)
        return [alike(parts) for parts in zip(*found, strict=True)] if as_long else []
    return first if all(one == first for one in found) else None


def _faces(zone: Any) -> Iterator[str]:
    if isinstance(zone, dict):
        if "cards" in zone:
            yield from (card for card in zone["cards"] or () if card is not None)
        else:
            for place in zone.values():
                yield from _faces(place)


def _told(state: State, offered: Menu, open_cards: set[str]) -> Menu:
    """Moves about cards that not everybody sees are not listed: only how they are written."""
    names = state.game.program.by_name
    hidden = [move for move in offered.listed if any(w in names and w not in open_cards for w in move.text.split())]
    forms = dict.fromkeys(form_of(state, move.action) for move in hidden)
    patterns = [Pattern(pattern.form, "") for pattern in offered.patterns]
    listed = tuple(move for move in offered.listed if move not in hidden)
    return replace(offered, listed=listed, patterns=(*patterns, *(Pattern(form, "") for form in forms)), claims=())
