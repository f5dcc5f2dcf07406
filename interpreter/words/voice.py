"""All the words of one match: what every surface asks for, and none makes up."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from interpreter.engine.events import DEAL, Event, Told
from interpreter.engine.moves import Move
from interpreter.engine.notation import IllegalMove, named_player
from interpreter.engine.position import Position
from interpreter.engine.view import table
from interpreter.words import questions, refusals, standings
from interpreter.words.acts import Acts
from interpreter.words.bystanders import concerned
from interpreter.words.drawing import Captions, title_of
from interpreter.words.hint import advice
from interpreter.words.lines import Line
from interpreter.words.narrative import Narrative, reader_of
from interpreter.words.people import Reader, ordinal
from interpreter.words.piles import Spot
from interpreter.words.score_sheet import ScoreSheet, score_sheet, unscored, unseen_scores

MOST_ALIKE, RUNS_ALIKE = 16, 4
"""Of so many events at a time, and of the last few such runs, it is kept how they are told to all who read the same."""
acts_of = lru_cache(maxsize=32)(Acts)
"""The acts of a program, which all its matches share."""


@dataclass(slots=True)
class _Alike:
    """Some events. own: who reads of them in words of their own (bits). lines: what all others read; None until
    somebody has. lies: see `Narrative`, afterwards."""

    own: int
    lines: list[Line] | None = None
    lies: str = ""


class Voice:
    """Speaks of one match to each of its readers.

    names: what people are called, from the first seat on; others are P1 and so on. verbose: shuffles, gathers and
    other bookkeeping are told, too.
    """

    def __init__(self, s: Position, names: Sequence[str] = (), verbose: bool = False) -> None:
        self.position, self.names, self.verbose = s, tuple(names), verbose
        self._acts = acts_of(s.program)
        self._readers: dict[int | None, Reader] = {}
        self._places: dict[tuple[int | None, str], str] = {}
        self._told: dict[int | None, Narrative] = {}
        self._alike: dict[tuple[str, tuple[Told, ...]], _Alike] = {}
        self._asked: tuple[list[Event], tuple[Told, ...] | None] = [], ()
        """What was told last, and what all learn of it, if that is the same."""

    def reader(self, player: int | None) -> Reader:
        found = self._readers.get(player)
        if found is None:
            found = self._readers[player] = reader_of(self.position, player, self.names)
        return found

    def name(self, player: int) -> str:
        """What somebody is called by everybody."""
        return self.reader(None).names[player]

    def named(self, text: str) -> int | None:
        """Who is meant by a name or by P2; None for nobody."""
        called = [name.casefold() for name in self.reader(None).names]
        found = text.casefold()
        return called.index(found) if found in called else named_player(self.position.program, text)

    def typed(self, text: str, player: int | None = None) -> str:
        """A move that somebody has typed, with people by number as moves name them; what is said with it stays.

        player: who is meant by `you`, alone or as whose a place is (`pile.you.2`).
        """
        body, quote, said = text.partition('"')
        numbers = {name.casefold(): f"P{player + 1}" for player, name in enumerate(self.reader(None).names)}
        if player is not None:
            numbers["you"] = f"P{player + 1}"

        def named(word: str) -> str:
            return ".".join(numbers.get(part.casefold(), part) for part in word.split("."))

        return " ".join(map(named, body.split(" "))) + quote + said

    def told(self, player: int | None, events: Iterable[Event], anew: bool = False) -> Iterable[Line]:
        """What has happened, to one reader. anew: not as what follows upon what was told before."""
        narrative = self._narrative(player, anew)
        if anew or player is None:
            return narrative.lines(events)
        return self._told_alike(narrative, player, self._learnt(player, events))

    def _learnt(self, player: int, events: Iterable[Event]) -> tuple[Told, ...]:
        """What a player learns of some events: the same thing for all, where everything is open to all of them."""
        if type(events) is not list or len(events) > MOST_ALIKE:
            return _read(player, events)
        if self._asked[0] != events:  # a log that is asked for anew may have grown, or been taken back
            everybody = (1 << self.position.program.n) - 1
            is_open = all([event.is_open(everybody) for event in events])
            self._asked = events[:], _read(player, events) if is_open else None
        known = self._asked[1]
        return _read(player, events) if known is None else known

    def _told_alike(self, narrative: Narrative, player: int, learnt: tuple[Told, ...]) -> Iterable[Line]:
        """Sentences that are made once for all who read the same."""
        if len(learnt) > MOST_ALIKE or narrative.keeps_quiet:
            return narrative.sentences(learnt)
        key = narrative.lies, learnt
        alike = self._alike.get(key)
        if alike is None:
            if len(self._alike) >= RUNS_ALIKE:
                self._alike.clear()
            alike = self._alike[key] = _Alike(concerned(self._acts, learnt))
        if alike.own >> player & 1:
            return narrative.sentences(learnt)
        if alike.lines is None:
            alike.lines, alike.lies = list(narrative.sentences(learnt)), narrative.lies
        narrative.lies = alike.lies
        return alike.lines

    def told_to_all(self, players: Sequence[int], events: Iterable[Event], anew: bool = False) -> Iterator[Line]:
        """What has happened, to several who read the same lines: only what all of them know alike. anew: see `told`."""
        alike = [event.read_by_all(players) for event in events]
        return self._narrative(None, anew, knows_all=False).sentences(alike)

    def _narrative(self, player: int | None, anew: bool, knows_all: bool | None = None) -> Narrative:
        if not anew and player in self._told:
            return self._told[player]
        found = Narrative(self._acts, self.reader(player), self.verbose, knows_all)
        if not anew:
            self._told[player] = found
        return found

    def begin_again(self, player: int | None) -> None:
        """What is told next to a reader (None: to all) follows upon nothing."""
        self._told.pop(player, None)

    def forget(self, players: Iterable[int]) -> None:
        """Moves were taken back: what is told from here follows upon what is left. players: who has read all of it."""
        self._told.clear()
        for player in players:
            for _ in self.told(player, self.position.log or ()):
                pass

    def question(self, player: int, offered: Iterable[tuple[str, Sequence[Move]]]) -> str:
        """What is asked of somebody, or nothing. offered: the moves of each action."""
        return questions.question(self._acts, self.position, self.reader(player), offered)

    def task(self, player: int, others: Iterable[int] = ()) -> str:
        """What the stage that is going on asks of everybody, whatever each can do; nothing if it does not say.

        others: who looks at the same screen, and is told nothing by it that only the player sees.
        """
        return questions.task(self.position, self.reader(player), others)

    def choice(self, player: int | None, text: str, tops: Mapping[str, str] = {}, action: str = "") -> str:
        """What is chosen with a move, as it stands in a list below the name of its action: places and people by name.

        player: who reads it; None for everybody. text: what stands behind the action. tops: what lies on top of places,
        told with them unless the move names a card. action: its name, where people may be told by places of theirs.
        """
        text = self._acts.by_places(action, text) if action else text
        names = self.position.program.by_name
        tops = {} if any(word in names for word in text.split(" ")) else tops
        reader, spots, found = self.reader(player), self._acts.piles.by_label, ""
        for word in text.split(" "):
            spot = spots.get(word)
            told = reader.spoken(word) if spot is None else self._acts.piles.called(spot, reader)
            told += f" ({reader.shown(tops[word])})" if word in tops else ""
            found += f"{' → ' if spot is not None and found else ' '}{told}"
        return found.strip()

    def piles_of(self, action: str, words: Iterable[str]) -> dict[str, str]:
        """The places that stand for people in what is told of an action, by what its moves say: P2 -> `pile.P2`."""
        return {word: place for word in words if (place := self._acts.by_places(action, word)) != word}

    def in_words(self, player: int | None, move: Move, tops: Mapping[str, str] = {}) -> str:
        """A move as it may be typed, with places as the table calls them: `play your third pile on the left pile`.

        player, tops: as for `choice`.
        """
        action, _, chosen = move.text.partition(" ")
        told = self.choice(player, chosen, tops, action) if chosen else ""
        return f"{action.replace('_', ' ')} {told.replace(' → ', ' on ')}".strip()

    def place(self, player: int | None, label: str) -> str:
        """What a place is called, by its label: `your hand`, `the stock`, `Anna's second pile`."""
        found = self._places.get((player, label))
        if found is None:
            spot = self._acts.piles.by_label.get(label)
            found = title_of(label) if spot is None else self._acts.piles.called(spot, self.reader(player))
            if spot is None or spot.team is None:  # who is of a side may change
                self._places[player, label] = found
        return found

    def is_card(self, text: str) -> bool:
        """Whether a card of this game is called so."""
        return text in self.position.program.by_name

    def faces(self, move: Move, tops: Mapping[str, str]) -> list[str]:
        """The cards that a move is about, in its order: those it names, else what lies on top of its places; "" for a
        place where none is seen."""
        action, _, text = move.text.partition(" ")
        words, spots = self._acts.by_places(action, text).split(" "), self._acts.piles.by_label
        found = [tops.get(word, "" if word in spots else word) for word in words]
        return [word for word in found if not word or self.is_card(word)]

    def begins_at_own(self, player: int, move: Move) -> bool:
        """Whether the first place that a move names is one of its player's."""
        first = next(iter(self._spots(move)), None)
        return first is not None and first.owner == player

    def is_among_own(self, player: int, move: Move) -> bool:
        """Whether no place that a move names lies before somebody else."""
        piles = self._acts.piles
        return all(spot.owner in (None, player) or piles.is_in_the_middle(spot) for spot in self._spots(move))

    def _spots(self, move: Move) -> list[Spot]:
        spots = self._acts.piles.by_label
        return [spots[word] for word in move.text.split(" ")[1:] if word in spots]

    def places(self, player: int, labels: Sequence[str]) -> str:
        """What several places of one zone are called together: `the left pile, the right pile`, `your piles`."""
        spots = [self._acts.piles.by_label[label] for label in labels]
        if len(spots) < 3 or len({(spot.zone.name, spot.owner) for spot in spots}) > 1:
            return ", ".join(self.place(player, label) for label in labels)
        return self._acts.piles.several(spots[0], self.reader(player))

    def way(self, player: int, action: str, moves: Sequence[Move]) -> str:
        """What can be done with an action, as a button says it: `pass three cards to Anna`, `order it up`."""
        return questions.offered(self._acts, self.position, self.reader(player), action, moves)

    def refusal(self, player: int, refusal: IllegalMove) -> str:
        """Why somebody's move is refused."""
        example = partial(self.in_words, player)
        return refusals.refused(self.position, self.reader(player), refusal, table(self.position, player), example)

    def refusal_to_all(self, refusal: IllegalMove, view: Mapping[str, Any]) -> str:
        """Why a move is refused, for several who look at one screen. view: what all of them see on the table."""
        return refusals.refused(self.position, self.reader(None), refusal, view)

    def advice(self, player: int, ranked: Sequence[tuple[Move, float | None, int]]) -> Iterator[str]:
        """What a bot would do. ranked: moves, the best first, with what they brought on average in how many trials."""
        ways = partial(self.way, player)
        return advice(
            ranked, partial(self.choice, player), lambda move: ways(move.action, [move]), self.position.program.n == 1
        )

    def turn(self, player: int | None) -> str:
        """Whose turn it is."""
        return refusals.turn_of(self.position, self.reader(player))

    def result(self, player: int | None) -> Iterator[str]:
        """Who has won, then everybody with their place and score."""
        yield standings.result(self.position, self.reader(player))
        if self.position.over:
            yield from standings.table_of_results(self.position, self.reader(player))

    def sheet(self, player: int | None, events: Iterable[Event]) -> Iterator[str]:
        """The scores by deal; nothing where nothing has counted yet. events: all that has happened."""
        return score_sheet(events, self.reader(player), self._unseen(player))

    def _unseen(self, player: int | None) -> frozenset[str]:
        """Whose scores stand in no sheet of a player, or of all, as long as nothing was told of them."""
        return unseen_scores(self.position, range(self.position.program.n) if player is None else [player])

    @property
    def counts_points(self) -> bool:
        """Whether the game is about points."""
        return standings.are_points(self.position)

    def scores(self, player: int | None, events: Iterable[Event]) -> list[str]:
        """The scores by deal for whoever asks for them, or why there are none. events: all that has happened."""
        return list(self.sheet(player, events)) or [unscored(self.position)]

    def new_sheet(self, player: int | None, most: int | None = None) -> ScoreSheet:
        """A sheet on which nothing is read yet, for whoever asks again and again. most: deals that it keeps."""
        return ScoreSheet(self.reader(player), most)

    def scores_of(self, player: int | None, sheet: ScoreSheet, most: float = math.inf) -> list[str]:
        """The scores by deal as far as they are read, or why there are none. most: letters, see `ScoreSheet.lines`."""
        return list(sheet.lines(self._unseen(player), most)) or [unscored(self.position)]

    def sheet_to_all(self, players: Iterable[int], events: Iterable[Event]) -> Iterator[str]:
        """The scores by deal, to several who read the same lines: only what all of them are told of."""
        players = list(players)
        all_of = sum(1 << player for player in players)
        told = [event for event in events if event.told & all_of == all_of]
        return score_sheet(told, self.reader(None), unseen_scores(self.position, players))

    def scores_to_all(self, players: Iterable[int], events: Iterable[Event]) -> list[str]:
        """The scores by deal for several who look at one screen, or why there are none."""
        return list(self.sheet_to_all(players, events)) or [unscored(self.position, by_all=True)]

    def captions(self, player: int | None) -> Captions:
        """What is written on the table: who sits where, with whom they play, whether they deal or are to play."""
        s, reader = self.position, self.reader(player)
        return Captions(
            names=reader.names,
            marks=self.marks(player),
            order=standings.seats(s),
            always=s.program.always_shown,
            chosen=s.program.chosen,
            called=reader.spoken,
            placed=partial(self._place, reader),
            rowed=partial(self._row, reader),
            tricks=self._tricks_are_new(),
            titles=s.program.shown_as,
        )

    def marks(self, player: int | None) -> Sequence[str]:
        """By player what is written beside the name: where they sit, with whom they play, whether they are to play."""
        return standings.marks(self.position, self.reader(player))

    def seatings(self, player: int | None) -> Sequence[tuple[str, str]]:
        """By player where they sit, and with whom they play."""
        return standings.seatings(self.position, self.reader(player))

    def _tricks_are_new(self) -> bool:
        """Whether the tricks that are counted were taken in the deal that is going on, as far as the log tells."""
        for event in reversed(self.position.log or ()):
            if event.kind == "trick":
                return True
            if event.kind == DEAL:
                return False
        return True

    def direction(self) -> str:
        """Which way play goes, where it is not to the left."""
        return standings.direction(self.position)

    def _place(self, reader: Reader, label: str) -> str | None:
        """What one of several places of a zone is called; None for what is alone of its kind."""
        spot = self._acts.piles.by_label.get(label)
        if spot is None or not spot.zone.dims:
            return None
        return self._acts.piles.called(spot, reader)

    def _row(self, reader: Reader, label: str) -> tuple[str, str] | None:
        """What the places of a player's row are called together, and which of them this one is; None for others."""
        spot = self._acts.piles.by_label.get(label)
        if spot is None or spot.owner is None or spot.number is None or self._acts.piles.is_in_the_middle(spot):
            return None
        return self._acts.piles.several(spot, reader), ordinal(spot.number)


def _read(player: int, events: Iterable[Event]) -> tuple[Told, ...]:
    """What a player learns of some events."""
    return tuple([told for event in events if (told := event.read_by(player)) is not None])
