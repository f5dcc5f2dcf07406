"""Several people who race at one keyboard: the table as all of them may see it, and whose moves are whose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from interpreter.engine.notation import OF_NO_RULE, IllegalMove
from interpreter.engine.standing import kind_of_phase
from interpreter.interfaces.terminal.menu import Menu, Pattern, form_of, heard, menu
from interpreter.interfaces.terminal.spoken_moves import SeveralMeant
from interpreter.words.people import listed, sentence

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

    def told_apart(self, person: int, offered: Menu, name: Callable[[int], str]) -> Menu:
        """What a person can mean, with whose numbers are which: `numbers 1 and 2 are yours, number 3 is Ben's`."""
        told, last = [], 0
        for player, other in self.offers if self.numbered else ():
            first, last = last + 1, last + len(other.listed)
            if first <= last:
                whose = "yours" if player == person else f"{name(player)}'s"
                several = f"numbers {first}{' and ' if last == first + 1 else ' to '}{last} are"
                told.append(f"{f'number {first} is' if first == last else several} {whose}")
        return replace(offered, shown=False, numbers=", ".join(told), highest=last)

    def meant(self, state: State, typed: str, voice: Voice) -> list[int]:
        """Those of them who can make the move that was typed without a name; if nobody can, those whose cards it is
        about."""
        found = {}
        for player, offered in self.offers:
            found[player] = _meaning(state, player, typed, self.told_apart(player, offered, voice.name), voice)
        return [player for player, meaning in found.items() if meaning and meaning == max(found.values())]


def unnamed(names: Sequence[str], typed: str) -> str:
    """What is told to whoever has not said who they are. names: of those who can be meant."""
    begun = f"write who you are before your move, such as '{names[-1]} {typed}'"
    return sentence(begun) if typed == "..." else f"{listed(names)} can do that. Who is it? Or {begun}"


def _meaning(state: State, player: int, typed: str, offered: Menu, voice: Voice) -> int:
    """How well a player can mean what was typed: as lawful moves (2), as such that the rules forbid (1), or not (0)."""
    try:
        move, _ = heard(state, player, typed, offered, voice)
    except SeveralMeant:
        return 2
    except IllegalMove as refusal:
        return int(refusal.law not in OF_NO_RULE)
    if move in state.legal_moves(player):
        return 2
    return int(voice.begins_at_own(player, move))


def is_for_all(state: State, people: Sequence[int]) -> bool:
    """Whether people at one keyboard are asked at once: in a race, and where all of them see the same and whoever is
    asked can do but one thing, so that nothing is given away."""
    kind = kind_of_phase(state.position)
    if kind != "ask" or state.game.program.honor:
        return kind == "race"
    if any(len(state.legal_moves(person)) > 1 for person in people if person in state.actors):
        return False
    views = [_seen_by(state, person) for person in people]
    return all(view == views[0] for view in views)


def shared(state: State, people: Sequence[int]) -> Shared:
    """What people see together who look at one screen."""
    view = alike([_seen_by(state, person) for person in people])
    open_cards = {card for zone in view["zones"].values() for card in _faces(zone)}
    return Shared(view, tuple((person, _told(state, menu(state, person), open_cards)) for person in people))


def _seen_by(state: State, person: int) -> dict[str, Any]:
    """What a person sees of the table, whoever it is."""
    return {**state.view(person), "player": "", "log": []}


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
