"""One move as a sentence: from the name of its action and what is chosen with it, as a reader knows them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from interpreter.engine.melds.text import STANDS
from interpreter.engine.notation import END, NONE, NOTHING, QUOTE, UNSAID, split_texts
from interpreter.engine.program import ActionCode, ParamCode, Program
from interpreter.language.templates import Templates
from interpreter.words.arguments import CARDS, HIDDEN, Arguments, arguments, params_that_may_be
from interpreter.words.people import Reader, counted, listed
from interpreter.words.piles import Piles
from interpreter.words.verbs import CARRIES, OWN, THINGS, Phrase, agreeing, phrase_of

_NUMBER = re.compile(r"-?[0-9]{1,18}")
TAKEN_BACK = " (taken back)"
MOST_READ = 256
"""Texts of moves of which it is kept what stands in them."""


@dataclass
class Chosen:
    """What is chosen with a move, by kind. cards: those that are known; hidden: how many are not.

    uncounted: there may be more that are not known, for their number is hidden. or_none: there may be none.

    kinds: cards that are only named. words: suits, ranks and words of choices. said: what is known by the name of its
    parameter.
    """

    cards: list[str] = field(default_factory=list)
    hidden: int = 0
    uncounted: bool = False
    or_none: bool = False
    players: list[int] = field(default_factory=list)
    teams: list[int] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    said: Arguments = field(default_factory=dict)

    @property
    def count(self) -> int:
        return len(self.cards) + self.hidden

    def as_gone(self, goes: Passage | None) -> Chosen:
        """With the number of the cards, where it is seen by what becomes of them."""
        if goes is None or not (self.uncounted or self.or_none) or self.cards:
            return self
        hidden = goes.count - len(goes.cards)
        return replace(self, cards=list(goes.cards), hidden=hidden, uncounted=False, or_none=False)


@dataclass(frozen=True)
class Passage:
    """Cards that go from one place to another, as a reader sees it."""

    cards: tuple[str, ...]
    count: int
    source: str
    target: str
    words: str = ""


def _seat(word: str, letter: str, most: int) -> int | None:
    """The player or side that a word names, from 0; None if it is no such name."""
    named = word[:1] == letter and _NUMBER.fullmatch(word[1:]) is not None and 1 <= int(word[1:]) <= most
    return int(word[1:]) - 1 if named else None


class Acts:
    """Makes sentences of the moves of one game."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.piles = Piles(program)
        self._read: dict[tuple[str, str], Chosen] = {}
        """What stood in the texts of the last moves, for all who read of them."""
        self._phrases: dict[str, Phrase | None] = {}
        self.followed_last: Any = None
        """What `Narrative` has found last behind a move, for whoever reads the same next."""

    @cached_property
    def actions(self) -> dict[str, list[ActionCode]]:
        """Name -> the actions that are called so, in whatever stage."""
        found: dict[str, list[ActionCode]] = {}
        for stage in self.program.stages:
            for action in (*stage.actions, *stage.anytime):
                for name in (action.name, *action.also):
                    found.setdefault(name, []).append(action)
        return found

    @cached_property
    def faces(self) -> frozenset[str]:
        """What cards are called."""
        return frozenset(self.program.cards)

    @cached_property
    def nouns(self) -> frozenset[str]:
        """What this game calls its pieces, in the singular, and its places."""
        return frozenset((*self.program.tokens, *(zone.name for zone in self.program.zones)))

    def phrase(self, action: str) -> Phrase | None:
        if action not in self._phrases and len(self._phrases) < MOST_READ:
            self._phrases[action] = phrase_of(action, self.nouns)
        return self._phrases[action] if action in self._phrases else phrase_of(action, self.nouns)

    def tell(self, action: str, chosen: Chosen, stage: str = "") -> Templates:
        """The ruleset's own words for a move, if it has any: those of the row of its card, then those of its action.

        stage: where that is, if actions of this name are told in different words.
        """
        for code in self.actions.get(action, ()):
            if not stage or code.told_in == stage:
                _, words = chosen.said.get(code.row_param, ("", ()))
                own = code.row_tell.get(words[0].partition("@")[0], ()) if len(words) == 1 else ()
                if own or code.tell:
                    return (*own, *code.tell)
        return ()

    def by_places(self, action: str, text: str) -> str:
        """What stands behind an action, with the places in place of players that its sentence tells by them."""
        places = self._places_told.get(action)
        if not places:
            return text
        words, said = split_texts(text), self.chosen(action, text).said
        for param, zone in places.items():
            for word in said.get(param, ("", ()))[1]:
                if word in words and f"{zone}.{word}" in self.piles.by_label:
                    words[words.index(word)] = f"{zone}.{word}"
        return " ".join(words)

    @cached_property
    def _places_told(self) -> dict[str, dict[str, str]]:
        """By action the players that it chooses and its sentence tells by a place of theirs: parameter -> zone."""
        return {
            name: {param: zone for code in codes for param, zone in told_by_place(code).items()}
            for name, codes in self.actions.items()
        }

    # ---- what is chosen ---------------------------------------------------------------------------------

    @cached_property
    def _lists(self) -> dict[str, list[tuple[ParamCode, ...]]]:
        """Name of an action -> the lists of parameters that it may have."""
        return {name: params_that_may_be(actions) for name, actions in self.actions.items()}

    def chosen(self, action: str, text: str) -> Chosen:
        """What stands in a move's text behind its action; nothing of it may be changed."""
        found = self._read.get((action, text))
        if found is None:
            if len(self._read) >= MOST_READ:
                self._read.clear()
            found = self._read[action, text] = self._chosen(action, text)
        return found

    def _chosen(self, action: str, text: str) -> Chosen:
        words = split_texts(text.removesuffix(TAKEN_BACK))
        said, forms = arguments(self.program, self._lists.get(action, ()), words)
        found = Chosen(said=said)
        params = [param for code in self.actions.get(action, ()) for param in code.params]
        flags = {param.name for param in params if param.form == "flag"}
        counts = any(param.form in ("number", "ranks", "tokens") for param in params) or not params
        plain = {symbol for param in params if param.form == "choice" for symbol in param.symbols}
        for word, form in zip(words, forms, strict=True):
            if word.startswith(QUOTE):
                found.texts.append(word.removeprefix(QUOTE))
            elif form == "kinds" and word not in (NONE, HIDDEN):
                found.kinds.append(word)
            elif word in plain or (form in ("suits", "ranks", "choice") and word not in (NONE, HIDDEN)):
                found.words.append(word.replace("_", " "))  # a word to choose, whatever it looks like
            elif word != HIDDEN or form in ("", *CARDS):
                self._sort(found, word, flags, counts and form not in CARDS)
        lists, hides = self._lists.get(action, ()), self.program.hides_counts
        several = [sum(_is_several(param) for param in params) for params in lists]
        found.uncounted = hides and 0 < found.hidden <= max(several, default=0)
        found.or_none = found.hidden > 0 and not found.cards and any(p.uncounted for params in lists for p in params)
        return found

    def known(self, words: Sequence[str]) -> Chosen:
        """What the words of one parameter say that are cards: not what parts melds, nor what wild cards stand for."""
        found = Chosen()
        for word in words:
            self._sort(found, word, frozenset(), counts=False)
        return found

    def _sort(self, found: Chosen, word: str, flags: Collection[str], counts: bool) -> None:
        program = self.program
        face, place, _ = word.partition("@")
        face = face if face in self.faces else face.partition(STANDS)[0]  # a wild card, and what it stands for
        if word in (NONE, NOTHING, UNSAID, END):
            return
        if word == HIDDEN:
            found.hidden += 1
        elif face in self.faces or place:
            if face in self.faces:
                found.cards.append(face)
            else:
                found.hidden += 1
        elif word in flags:
            found.flags.append(word.replace("_", " "))
        elif _NUMBER.fullmatch(word):
            if counts:
                found.numbers.append(word)
            else:
                found.hidden += 1
        elif (at := _seat(word, "P", program.n)) is not None:
            found.players.append(at)
        elif (at := _seat(word, "T", len(set(program.teams)))) is not None:
            found.teams.append(at)
        elif word in self.piles.by_label:
            found.places.append(word)
        else:
            found.words.append(word.replace("_", " "))

    # ---- the sentence ------------------------------------------------------------------------------------

    def sentence(self, reader: Reader, player: int, text: str, goes: Passage | None = None) -> str:
        """A clause without its full stop: `you play A♣`, `Anna gives two cards to Ben`, `Anna: from stock`.

        text: the move as the reader knows it. goes: what happens to cards at once, if anything does.
        """
        stands = text.removesuffix(TAKEN_BACK)
        action, _, rest = stands.partition(" ")
        chosen = self.chosen(action, rest)
        phrase = self.phrase(action)
        if phrase is None:
            others = self._rest(reader, chosen, ())
            said = ", ".join([action.replace("_", " "), *([listed(others)] if others else []), *chosen.flags])
            found = f"{'you' if reader.is_you(player) else reader.names[player]}: {said}"
        else:
            found = self._clause(reader, player, phrase, chosen, goes)
        return found if stands == text else f"{found}, and {agreeing('take', not reader.is_you(player))} it back"

    def _clause(self, reader: Reader, player: int, phrase: Phrase, chosen: Chosen, goes: Passage | None) -> str:
        words = [reader.does(player, phrase.verb)]
        used: set[str] = set()
        if chosen.numbers:  # of which one may be used up
            chosen = replace(chosen, numbers=chosen.numbers[:])
        if phrase.noun and phrase.after and chosen.count:  # draws 7♥ from the stock
            words.append(self.cards(reader, chosen))
            chosen = replace(chosen, cards=[], hidden=0)
        if phrase.after:
            words.append(phrase.after)
        thing = self.object_of(reader, player, phrase, chosen, goes)
        if thing:
            words.append(thing)
        if goes is not None and phrase.noun == "":
            words += self._ways(reader, player, chosen, goes, used)
        rest = self._rest(reader, self._untold(chosen, goes) if thing else chosen, used)
        besides = f", choosing {listed(rest)}" if rest and thing else ""
        words += [listed(rest)] if rest and not thing else []
        return " ".join(words) + besides + "".join(f", {flag}" for flag in chosen.flags)

    def object_of(self, reader: Reader, player: int, phrase: Phrase, chosen: Chosen, goes: Passage | None) -> str:
        """What a move is about: cards, else a thing that its name says."""
        if phrase.noun:
            noun = phrase.noun.replace("_", " ")
            if chosen.count:
                return self.cards(reader, chosen)
            if phrase.noun in OWN:
                return f"{'your' if reader.is_you(player) else 'their'} {noun}"
            if phrase.noun in self.program.tokens:
                named = self.program.tokens[phrase.noun].named
                return f"{named} {chosen.numbers.pop()}" if chosen.numbers else counted(1, named)
            return THINGS.get(phrase.noun, f"the {noun}")
        if chosen.count:
            return self.cards(reader, chosen.as_gone(goes))
        if goes is not None and (chosen.places or phrase.verb in CARRIES):
            return self.cards(reader, Chosen(list(goes.cards), goes.count - len(goes.cards)))
        return ""

    def _untold(self, chosen: Chosen, goes: Passage | None) -> Chosen:
        """What is chosen, without the rank and the number of cards that are told and were chosen by these."""
        if chosen.count or goes is None:
            return chosen
        program = self.program
        ranks = {program.card_rank[program.by_name[card.upper()]] for card in goes.cards}
        shown = {program.ranks[rank] for rank in ranks if rank is not None}
        words = [word for word in chosen.words if word not in shown]
        return replace(chosen, words=words, numbers=[number for number in chosen.numbers if number != str(goes.count)])

    def cards(self, reader: Reader, chosen: Chosen) -> str:
        """Cards as far as they are known: `5♥ and 2♣`, `two cards`, `5♥ and a card`, `some cards`."""
        told = cards_told(reader, chosen.cards, chosen.hidden, chosen.uncounted)
        return f"{told} or none" if chosen.or_none else told

    def _ways(self, reader: Reader, player: int, chosen: Chosen, goes: Passage, used: set[str]) -> list[str]:
        """From where and to where, as far as the move names places, or cards go to somebody else."""
        spots, words = self.piles.by_label, []
        source, target = spots.get(goes.source), spots.get(goes.target)
        for place in chosen.places:
            spot = spots[place]
            if spot == source and goes.target:
                words.append(f"from {self.piles.called(spot, reader, player)}")
                used.add(place)
            elif spot == source:
                words.append(f"on {self.piles.called(spot, reader, player)}")
                used.add(place)
            elif spot == target:
                words.append(f"onto {self.piles.called(spot, reader, player)}")
                used.add(place)
        if target is not None and target.owner is not None and target.owner != player and not words:
            words.append(f"to {reader.who(target.owner)}")
            used.add(f"P{target.owner + 1}")
        return words

    def _rest(self, reader: Reader, chosen: Chosen, used: set[str] | tuple[()]) -> list[str]:
        """What else is chosen."""
        others = [self.piles.called(self.piles.by_label[place], reader) for place in chosen.places if place not in used]
        others += [reader.who(player) for player in chosen.players if f"P{player + 1}" not in used]
        others += [reader.side(team) for team in chosen.teams]
        others += [reader.card(card) for card in chosen.kinds]
        others += chosen.numbers + chosen.words + [f"“{text}”" for text in chosen.texts]
        if not isinstance(used, set) and chosen.count:
            others.insert(0, self.cards(reader, chosen))
        return others


def told_by_place(code: ActionCode) -> dict[str, str]:
    """The players that a move chooses and its sentence tells by a place of theirs: parameter -> zone."""
    found: dict[str, str] = {}
    for template in code.tell:
        found |= template.places
    return found


def _is_several(param: ParamCode) -> bool:
    return param.form in CARDS and (param.several or bool(param.kinds))


def cards_told(reader: Reader, cards: list[str] | tuple[str, ...], hidden: int, uncounted: bool = False) -> str:
    """Cards as far as they are known; the others are counted, unless their number is hidden."""
    shown = [reader.card(card) for card in cards]
    if hidden:
        noun = "other card" if shown else "card"
        shown.append(f"some {noun}s" if uncounted else counted(hidden, noun))
    return listed(shown)
