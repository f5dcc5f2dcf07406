"""Several people who race at one keyboard: the table as all of them may see it, and whose moves are whose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from interpreter.base.signs import shortened
from interpreter.engine.available import action_named
from interpreter.engine.notation import OF_NO_RULE, QUOTE, IllegalMove
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.standing import kind_of_phase
from interpreter.interfaces.terminal.ending import CANNOT_DO_THAT
from interpreter.interfaces.terminal.menu import Menu, Pattern, form_of, heard, menu
from interpreter.interfaces.terminal.spoken_moves import SeveralMeant
from interpreter.words.people import listed, sentence

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.moves import Move
    from interpreter.words.voice import Voice


@dataclass(frozen=True, slots=True)
class Shared:
    """view: what all of them see alike. offers: what each can do; where they do not see the same, how all that may be
    done here is written, the same for everybody, so that it betrays nothing."""

    view: Mapping[str, Any]
    offers: tuple[tuple[int, Menu], ...]
    is_open: bool
    """Whether all of them see the same."""

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

    def still_holds(self, now: Shared) -> bool:
        """Whether what was offered on the screen is offered now."""
        same = self.is_open == now.is_open and self.whole.patterns == now.whole.patterns
        return same and {*self.moves()} <= {*now.moves()}

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
        if not self.is_open:
            return replace(offered, listed=(), patterns=(), claims=(), groups=(), shown=False, in_full=True)
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
        about. Nobody is told where they do not see the same: it could tell who holds a card."""
        found = {}
        if not self.is_open:
            return []
        for player, offered in self.offers:
            found[player] = _meaning(state, player, typed, self.told_apart(player, offered, voice.name), voice)
        return [player for player, meaning in found.items() if meaning and meaning == max(found.values())]

    def refusal(self, state: State, person: int, typed: str, refusal: IllegalMove | RuleError, voice: Voice) -> str:
        """Why a move is not made, as all of them may read it.

        Where they do not see the same it hangs on nothing but what was typed, so that nobody learns what somebody holds
        by trying one card after the other. typed: without a name.
        """
        if not self.is_open:
            return self._refusal_to_all(state, typed, refusal, voice)
        return f"{CANNOT_DO_THAT}: {refusal}" if isinstance(refusal, RuleError) else voice.refusal(person, refusal)

    def _refusal_to_all(self, state: State, typed: str, refusal: IllegalMove | RuleError, voice: Voice) -> str:
        begun = next(iter(typed.partition(QUOTE)[0].split()), "")
        code = state.game.program.honor_code
        if code is not None and begun == code.claim:  # which is about people and laws
            if isinstance(refusal, IllegalMove) and refusal.law == "no_such_move":
                return voice.refusal_to_all(refusal, self.view)
        forms = listed([f"“{pattern.form}”" for pattern in self.whole.patterns], "or")
        if begun and action_named(state.position, begun) is None:
            return sentence(f"I don't know “{shortened(begun)}”{forms and f': what can be done is written {forms}'}")
        return sentence(f"{NOT_TOLD}{forms and f'; moves are written {forms}'}")


NOT_TOLD = "That cannot be done now. Why is not told here, as it could tell what somebody holds"
"""The answer to any move that is not made, where cards that only some of the people see could be the reason."""
ALONE = Shared({}, (), is_open=True)
"""Nobody else looks at the screen."""


def unnamed(names: Sequence[str], typed: str) -> str:
    """What is told to whoever has not said who they are. names: of those who can be meant."""
    begun = f"write who you are before your move, such as '{names[-1]} {typed}'"
    return sentence(begun) if typed == "..." else f"{listed(names)} can do that. Who is it? Or {begun}"


def _meaning(state: State, player: int, typed: str, offered: Menu, voice: Voice) -> int:
    """How well a player can mean what was typed: as moves that are offered (2), as such that the rules forbid (1), or
    not (0). On honour all that can be made are offered."""
    try:
        move, _ = heard(state, player, typed, offered, voice)
    except SeveralMeant:
        return 2
    except IllegalMove as refusal:
        return int(refusal.law not in OF_NO_RULE)
    if state.game.program.honor or move in state.legal_moves(player):
        return 2
    return int(voice.begins_at_own(player, move))


def is_for_all(state: State, people: Sequence[int]) -> bool:
    """Whether several people at one keyboard are asked at once: in a race, and where all of them see the same and
    whoever is asked can do but one thing, so that nothing is given away."""
    if len(people) < 2:
        return False
    kind = kind_of_phase(state.position)
    if kind != "ask" or state.game.program.honor:
        return kind == "race"
    if any(len(state.legal_moves(person)) > 1 for person in people if person in state.actors):
        return False
    views = [_seen_by(state, person) for person in people]
    return all(view == views[0] for view in views)


def shared(state: State, people: Sequence[int]) -> Shared:
    """What people see together who look at one screen."""
    views = [_seen_by(state, person) for person in people]
    is_open = all(view == views[0] for view in views)
    offers = [(person, replace(menu(state, person), claims=()) if is_open else _written(state)) for person in people]
    return Shared(alike(views), tuple(offers), is_open)


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


def _written(state: State) -> Menu:
    """How all is written that may be done in what is going on, whoever can do it just now."""
    s = state.position
    stage = s.program.stages[s.stack[-1].stage]
    forms = [form_of(state, action.name) for action in stage.actions]
    return Menu((), tuple(Pattern(form, "") for form in forms), (), tuple((form.split()[0], ()) for form in forms))
