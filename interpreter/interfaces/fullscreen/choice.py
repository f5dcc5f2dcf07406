"""From keys to a move: the card, then where it goes, as far as that is in question.

A move is made as soon as what has been pressed can mean no other. The key of a card alone will do where the card can
go to one place only; whoever presses the key of that place all the same does no harm. The same key twice takes the
first of the ways that are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from interpreter.engine.notation import IllegalMove
from interpreter.engine.standing import kind_of_phase
from interpreter.interfaces.fullscreen.bindings import DIGITS, Keys
from interpreter.interfaces.fullscreen.reactions import TIMED
from interpreter.interfaces.fullscreen.things import NOTHING, Open, Spots, Thing, Way, opened, owner
from interpreter.words.voice import Voice

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.moves import Move

GRACE = 800
"""Milliseconds after a move in which the key of its target, pressed besides, means nothing new."""
TOLD = 3
"""Reasons that are told at once."""
ASKED = 12
"""Of so many moves that a key may mean it is asked why they are refused: that takes long where very many are listed."""
LISTED = "1234567890abcdefghijklmnopqrstuvwxyz"
"""Keys of ways that differ in words only."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a key has led to: a move, something to choose from, or a refusal. told: what the player reads."""

    move: Move | None = None
    told: str = ""
    refused: bool = False


class Choice:
    """What a player is about to do."""

    def __init__(self, state: State, player: int, keys: Keys, spots: Spots, voice: Voice | None = None) -> None:
        """voice: puts moves and reasons into words; without one nobody has a name."""
        self.keys = keys
        self._voice = voice or Voice(state.position)
        self._state, self._player, self._spots = state, player, spots
        self._open = NOTHING
        self._seen = -1
        """The tick of what is open."""
        self._chosen: tuple[Thing, ...] = ()
        self._handful: list[Thing] = []
        """Cards that are chosen together."""
        self._listed: dict[str, Move] = {}
        self._done: tuple[frozenset[Thing], int] = (frozenset(), 0)
        """What the last move went on to, and until when that is not meant anew."""

    @property
    def open(self) -> Open:
        """What is open to the player now."""
        if self._seen != self._state.position.tick:
            self._seen = self._state.position.tick
            self._spots.sorts = kind_of_phase(self._state.position) not in TIMED
            self._spots.look(self._state.view(self._player))
            self._open = opened(self._state, self._player, self._spots)
            for way in self._open.lawful:  # what comes up for the first time gets its key now
                for thing in way.things:
                    self.keys.of(thing, f"P{self._player + 1}")
        return self._open

    @property
    def chosen(self) -> frozenset[Thing]:
        """What has been pointed at so far."""
        return frozenset((*self._chosen, *self._handful))

    def drop(self) -> None:
        """Begin anew."""
        self._chosen, self._handful, self._listed = (), [], {}

    def is_out_of_date(self) -> bool:
        """Whether nothing can come any more of what was begun, because of what has happened since."""
        if not self._chosen or self._begun(self.open.lawful, self._chosen):
            return False
        self.drop()
        return True

    def press(self, key: str, now: int) -> Outcome:
        """Take a key. now: in milliseconds."""
        if self._listed:
            return self._pick(key)
        if key == "enter":
            return self._together()
        things = self.keys.things(key)
        if not things:
            return Outcome(None, f"'{key}' is the key of nothing here; ? shows the keys", True)
        done, until = self._done
        if now < until and not self._chosen and done.intersection(things):
            self._done = (frozenset(), 0)
            return Outcome()
        found, chosen = self._meant(things)
        if not found:
            card = next((thing for thing in things if self._spots.card(thing)), None)
            return self._refuse(things) if card is None or not self.open.several else self._take(card)
        if len({way.move.text for way in found}) == 1 or self._are_alike(found):
            return self._make(found[0], len(chosen), now)
        self._chosen = chosen
        if all(len(way.things) == len(chosen) for way in found):
            return self._list([way.move for way in found])
        return Outcome(None, self._ways_told(found))

    def _meant(self, things: Sequence[Thing]) -> tuple[list[Way], tuple[Thing, ...]]:
        """The lawful ways that begin as pressed, and how they begin: going on, taking the first way, or anew."""
        lawful = self.open.lawful
        for thing in things:
            if found := self._begun(lawful, (*self._chosen, thing)):
                return found, (*self._chosen, thing)
        if self._chosen and self._chosen[-1] in things:
            first = self._begun(lawful, self._chosen)[:1]
            return first, self._chosen
        for thing in things:
            if found := self._begun(lawful, (thing,)):
                return found, (thing,)
        return [], ()

    @staticmethod
    def _begun(ways: Sequence[Way], things: tuple[Thing, ...]) -> list[Way]:
        """The ways that begin so; those that are complete come first."""
        found = [way for way in ways if way.things[: len(things)] == things]
        return sorted(found, key=lambda way: len(way.things) > len(things))

    def _are_alike(self, found: Sequence[Way]) -> bool:
        """Whether the ways are about one piece each, of which any will do."""
        pieces = {way.move.text for way in self.open.lawful if way.things[0][0] == "piece"}
        return all(way.things[0][0] == "action" and way.move.text in pieces for way in found)

    def _make(self, way: Way, pressed: int, now: int) -> Outcome:
        self.drop()
        self._done = (frozenset(way.things[pressed:]), now + GRACE)
        return Outcome(way.move)

    # ---- what is asked besides --------------------------------------------------------------------------

    def _list(self, moves: Sequence[Move]) -> Outcome:
        """Ways that differ in words only: a number is chosen by its digit, if all are digits."""
        self._listed = {}
        texts = list({move.text: move for move in moves}.values())
        last = [move.text.split(" ")[-1] for move in texts]
        named = last if all(word in DIGITS for word in last) and len(set(last)) == len(last) else LISTED
        if len(texts) > len(LISTED):
            self.drop()
            return Outcome(None, f"that can be said in {len(texts)} ways: press : and type it", True)
        self._listed = dict(zip(named, texts, strict=False))
        told = [f"{key} {self._voice.in_words(self._player, move)}" for key, move in self._listed.items()]
        return Outcome(None, "   ".join(told))

    def _pick(self, key: str) -> Outcome:
        move = self._listed.get(key)
        if move is None:
            return Outcome(None, f"choose one of {' '.join(self._listed)}, or Backspace", True)
        self.drop()
        return Outcome(move)

    def _take(self, card: Thing) -> Outcome:
        """Take a card for a move of several, or put it back."""
        if card in self._handful:
            self._handful.remove(card)
        else:
            self._handful.append(card)
        names = " or ".join(name.replace("_", " ") for name in self.open.several)
        cards = " ".join(self._cards())
        return Outcome(None, f"{names}: {cards} - Enter when these are all" if cards else f"{names}: choose cards")

    def _cards(self) -> list[str]:
        return [card for thing in self._handful if (card := self._spots.card(thing)) is not None]

    def _together(self) -> Outcome:
        """Make the move of the cards that were chosen together."""
        if not self._handful:
            return Outcome(None, "Enter ends a choice of several cards", True)
        refusal = ""
        for action in self.open.several:
            text = f"{action} {' '.join(self._cards())}"
            try:
                move = self._state.parse(self._player, text)
                self._state.copy().play(self._player, move)
            except IllegalMove as why:
                refusal = refusal or self._voice.refusal(self._player, why)
                continue
            self.drop()
            return Outcome(move)
        return Outcome(None, refusal, True)

    # ---- in words ---------------------------------------------------------------------------------------

    def _ways_told(self, found: Sequence[Way]) -> str:
        parts = []
        for number, way in enumerate(found):
            at = len(self._chosen)
            key = self.keys.known(way.things[at]) if at < len(way.things) else None
            last = self.keys.known(self._chosen[-1])
            keys = [key or "", f"{last} again" if number == 0 else ""]
            parts.append(f"{' or '.join(k for k in keys if k)}: {self._voice.in_words(self._player, way.move)}")
        return "   ".join(parts)

    def _refuse(self, things: Sequence[Thing]) -> Outcome:
        """Why that cannot be done, in the words of the laws of the first action that could be meant."""
        possible = self.open.possible
        for chosen in (*((*self._chosen, thing) for thing in things), *((thing,) for thing in things)):
            if found := [way for way in possible if way.things[: len(chosen)] == chosen]:
                own = owner(chosen[0][1]) == f"P{self._player + 1}"
                card = self._spots.top(chosen[0]) if own else None
                return Outcome(None, f"{f'{card}: ' if card else ''}{self._why(found)}", True)
        if self._chosen and any(thing in way.things for way in possible for thing in things):
            return Outcome(None, "that does not go there", True)
        if any(thing in way.things for way in possible for thing in things):
            return Outcome(None, "first the card, then where it goes", True)
        state = self._state
        if self._player not in state.actors and kind_of_phase(state.position) != "race":
            return Outcome(None, self._voice.turn(self._player), True)
        named = " or ".join(f"“{thing[1].replace('_', ' ')}”" for thing in things if thing[0] == "action")
        return Outcome(None, f"{named} cannot be done now" if named else "nothing can be done with that now", True)

    def _why(self, ways: Sequence[Way]) -> str:
        reasons: list[str] = []
        for way in islice((way for way in ways if way.move.action == ways[0].move.action), ASKED):
            if len(reasons) < TOLD:
                reason = self._why_not(way.move)
                if reason and reason not in reasons:
                    reasons.append(reason)
        return " Or: ".join(reasons)

    def _why_not(self, move: Move) -> str:
        """Why a move is refused, or nothing. The match is not touched."""
        try:
            self._state.copy().play(self._player, move)
        except IllegalMove as refusal:
            return self._voice.refusal(self._player, refusal)
        return ""
