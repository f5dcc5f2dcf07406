"""What has happened, as sentences for one reader: from the events that reader learns of, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from interpreter.engine.carrying import HAS_CHOSEN
from interpreter.engine.events import Event, Told
from interpreter.engine.position import Position
from interpreter.words.acts import TAKEN_BACK, Acts, Chosen, Passage
from interpreter.words.cards_going import CardsTold
from interpreter.words.filling import filled, of_move
from interpreter.words.lines import BREAK, MOVE, NEWS, Line
from interpreter.words.news import News
from interpreter.words.people import Reader, listed, sentence
from interpreter.words.verbs import CARRIES, agreeing

SILENT = frozenset({"time", "fault", "over", "missing"})
"""Kinds of events that are for records, or told elsewhere."""
ENDS_DEAL = "gather"
"""Kind of the event by which it is seen that a deal is over, where deals are not counted."""
FIRST_DEALER = "first dealer"
"""Kind of the event that says who deals first."""
DECLINE = "decline"
"""What the log says of somebody who claims nothing."""


def reader_of(s: Position, player: int | None, names: Sequence[str] = ()) -> Reader:
    """A reader at a match. names: what people are called, from the first seat on; others are P1 and so on."""
    called = tuple(names[p] if p < len(names) and names[p] else f"P{p + 1}" for p in range(s.program.n))
    words = Counter(card for card in s.program.cards if card[:1].islower())
    single = frozenset(card for card, number in words.items() if number == 1)
    return Reader(player, called, lambda: s.teams, s.program.suits, single)


def _way(told: Told) -> tuple[str, str, str]:
    """From where cards go to where, and how it is told."""
    return told.source, told.target, told.words


class _Moved(NamedTuple):
    """What becomes of cards behind a move: of those it is about, and of others."""

    goes: Passage | None
    left: list[Told]


class _Followed(NamedTuple):
    """What comes behind a move, of the events that are left from `at` on. words: what is said right behind it; moved:
    what becomes of cards then. end: where the events go on. Nothing of it may be changed."""

    left: Sequence[Told]
    at: int
    words: list[Told]
    moved: _Moved
    end: int


class _Quiet(NamedTuple):
    """What somebody did that had to be noticed. alike: how it is told of several who do the same, if that is known."""

    player: int
    clause: str
    alike: str


class Narrative:
    """Turns events into sentences. It remembers what it has told, so events can come in pieces.

    knows_all: whether what has to be noticed is told at once, and not to who plays or watches; else to who reads all.
    """

    def __init__(self, acts: Acts, reader: Reader, verbose: bool = False, knows_all: bool | None = None) -> None:
        self.acts, self.reader = acts, reader
        self._knows_all = reader.player is None if knows_all is None else knows_all
        self._cards = CardsTold(acts, reader, verbose)
        self._news = News(acts, reader, verbose)
        self._kept: list[_Quiet] = []
        """What is told only when the deal is over, and what the reader has done of the kind."""
        self.lies = ""
        """Where the cards of the last plays went."""

    @property
    def keeps_quiet(self) -> bool:
        """Whether something is told only when the deal is over."""
        return bool(self._kept)

    def lines(self, events: Iterable[Event]) -> Iterator[Line]:
        """The sentences worth reading, in order."""
        return self.sentences(event.read_by(self.reader.player) for event in events)

    def sentences(self, read: Iterable[Told | None]) -> Iterator[Line]:
        """The sentences of what is read, each None if nothing is learnt."""
        learnt = [told for told in read if told is not None]
        kinds = {told.kind for told in learnt}
        left = learnt
        if not kinds.isdisjoint(SILENT):
            left = [told for told in left if told.kind not in SILENT]
        if FIRST_DEALER in kinds:
            left = [told for at, told in enumerate(left) if not _repeats(told, left[at + 1 : at + 2])]
        at = 0
        while at < len(left):
            told = left[at]
            match told.kind:
                case "move":
                    found = self._followed(left, at)
                    yield from self._move(told, found.words, found.moved)
                    if found.moved.left:
                        yield from (Line(NEWS, text) for text in self._cards.lines(found.moved.left))
                    at = found.end
                case "cards":
                    end = next((i for i in range(at, len(left)) if left[i].kind != "cards"), len(left))
                    yield from (Line(NEWS, text) for text in self._cards.lines(left[at:end]))
                    at = end
                case "trick":
                    yield Line(
                        NEWS, sentence(f"{self.reader.does(told.player or 0, 'take')} {told.words.partition(' ')[2]}")
                    )
                    at += 1
                    while at < len(left) and left[at].kind == "cards" and left[at].source == self.lies:
                        at += 1
                case _:
                    for line in self._news.lines(told):
                        if line.kind == BREAK:
                            yield from self._quiet()
                        yield line
                    if told.kind == ENDS_DEAL:
                        yield from self._quiet()
                    at += 1
        if "over" in kinds:
            yield from self._quiet()

    def _quiet(self) -> Iterator[Line]:
        """What nobody was told before the deal was over, in one sentence."""
        kept, self._kept = self._kept, []
        if all(self.reader.is_you(one.player) for one in kept):
            return
        parts: list[str] = []
        for alike, found in groupby(kept, key=lambda one: one.alike):
            run = list(found)
            if alike and len(run) > 1:
                parts.append(f"{listed([self.reader.who(one.player) for one in run])} {alike}")
            else:
                parts += [one.clause for one in run]
        order = ", in this order" if len(kept) > 1 else ""
        yield Line(MOVE, sentence(f"before that{order}: {'; '.join(parts)}"))

    # ---- moves ------------------------------------------------------------------------------------------

    def _followed(self, left: Sequence[Told], at: int) -> _Followed:
        """What comes behind a move. It is the same for all who learn as much, and told to them one after the other."""
        last: _Followed | None = self.acts.followed_last
        if last is not None and last.at == at and last.left == left:
            found = last
        else:
            found = self.acts.followed_last = self._follow(left, at)
        if found.moved.goes is not None:
            self.lies = found.moved.goes.target
        return found

    def _follow(self, left: Sequence[Told], at: int) -> _Followed:
        told, end = left[at], at + 1
        words: list[Told] = []
        while end < len(left) and left[end].kind in ("say", "label") and left[end].player == told.player:
            words.append(left[end])
            end += 1
        run = end
        while end < len(left) and left[end].kind == "cards":
            end += 1
        moved = self._moved(told, left[run:end])
        action, _, rest = told.words.partition(" ")
        phrase = self.acts.phrase(action)
        if phrase and end < len(left) and left[end].kind == "pieces" and left[end].player == told.player:
            if phrase.noun in self.acts.program.tokens or self.acts.chosen(action, rest).numbers:
                end += 1
        return _Followed(left, at, words, moved, end)

    def _moved(self, told: Told, run: Sequence[Told]) -> _Moved:
        """Of the cards that go somewhere behind a move, those that it is about, and the others."""
        action, _, rest = told.words.partition(" ")
        if told.words == HAS_CHOSEN:  # the table shows that cards are laid aside
            return _Moved(None, [one for one in run if not self._is_laid_aside(told, one)])
        chosen = self.acts.chosen(action, rest)
        texts = self.acts.tell(action, chosen, told.source)
        own = any(text.has("cards") or text.has("number") for text in texts) and not chosen.numbers
        at = next((i for i, one in enumerate(run) if self._is_about(told, chosen, one)), None)
        if at is None and own and run and not chosen.count:
            at = 0
        if at is None or not (own or chosen.count or (not texts and self._tells(action, chosen))):
            return _Moved(None, list(run))
        way = _way(run[at])
        same = [t for t in run if _way(t) == way]
        cards = tuple([card for t in same for card in t.cards])
        goes = Passage(cards, sum(t.number for t in same), *way)
        known = set(chosen.cards)  # that a card which was named is turned up where it lies is no news
        return _Moved(
            goes, [t for t in run if _way(t) != way and not (not t.target and t.cards and known >= {*t.cards})]
        )

    def _is_laid_aside(self, told: Told, one: Told) -> bool:
        """Whether somebody who has chosen in secret lays these cards aside."""
        return self._owner(one.source) == told.player == self._owner(one.target)

    def _is_about(self, told: Told, chosen: Chosen, one: Told) -> bool:
        """Whether these cards are the ones of a move: those it names, or those that its player touches."""
        if chosen.cards:
            covered = not one.cards and one.number == chosen.count and self._owner(one.source) == told.player
            return covered or (bool(one.cards) and set(one.cards) <= set(chosen.cards))
        if chosen.hidden:
            number = one.number if chosen.uncounted else chosen.hidden
            return not one.cards and one.number == number and self._owner(one.source) == told.player
        return bool(chosen.places) or told.player in (self._owner(one.source), self._owner(one.target))

    def _owner(self, label: str) -> int | None:
        spot = self.acts.piles.by_label.get(label)
        return None if spot is None else spot.owner

    def _tells(self, action: str, chosen: Chosen) -> bool:
        """Whether the sentence of a move says what becomes of its cards."""
        if chosen.count:
            return True
        phrase = self.acts.phrase(action)
        return phrase is not None and not phrase.noun and (bool(chosen.places) or phrase.verb in CARRIES)

    def _move(self, told: Told, words: Sequence[Told], moved: _Moved) -> Iterator[Line]:
        """What somebody did, with what is said with it."""
        assert told.player is not None
        action, _, rest = told.words.partition(" ")
        if told.words == HAS_CHOSEN or (action == DECLINE and DECLINE not in self.acts.actions):
            return
        if action not in self.acts.actions:
            yield from self._claims(told.player, rest)
            return
        label = next((t.words for t in words if t.kind == "label"), "")
        chosen = self.acts.chosen(action, rest.removesuffix(TAKEN_BACK))
        clause = self._clause(self.reader, told, action, label, chosen, moved.goes)
        said = [self.reader.spoken(t.words.strip('"')) for t in words if t.kind == "say"]
        clause = f"{clause}: “{' '.join(said)}”" if said else clause
        you = self.reader.is_you(told.player)
        if self._is_quiet(action):
            as_you = self._clause(replace(self.reader, player=told.player), told, action, label, chosen, moved.goes)
            alike = as_you.removeprefix("you ") if as_you.startswith("you ") and " your " not in as_you else ""
            self._kept.append(_Quiet(told.player, clause, "" if said else alike))
        if you or not self._is_quiet(action):
            yield Line(MOVE, sentence(clause))

    def _clause(self, reader: Reader, told: Told, action: str, label: str, chosen: Chosen, goes: Passage | None) -> str:
        """What somebody did, without what is said with it."""
        assert told.player is not None
        clause = self._in_own_words(reader, told, action, chosen, goes)
        if clause is not None:
            return clause
        if label:
            return self._labelled(reader, told.player, label, chosen)
        return self.acts.sentence(reader, told.player, told.words, goes)

    def _labelled(self, reader: Reader, player: int, label: str, chosen: Chosen) -> str:
        """What somebody says who makes a move that has a label."""
        clause = f"{reader.speaker(player)}: “{reader.spoken(label)}”"
        named = [word for word in chosen.words if word not in label]
        if chosen.count or named:
            clause += f" ({', '.join([*named, *([self.acts.cards(reader, chosen)] if chosen.count else [])])})"
        return clause + "".join(f", {flag}" for flag in chosen.flags)

    def _in_own_words(
        self, reader: Reader, told: Told, action: str, chosen: Chosen, goes: Passage | None
    ) -> str | None:
        """A move in the words of the ruleset, where it has any that the reader may know all of."""
        if told.player is None:
            return None
        texts = self.acts.tell(action, chosen, told.source)
        text = filled(texts, of_move(self.acts, reader, told.player, chosen, goes)) if texts else None
        if text is None:
            return None
        text += "".join(f", {flag}" for flag in chosen.flags)
        if not told.words.endswith(TAKEN_BACK):
            return text
        return f"{text}, and {agreeing('take', not reader.is_you(told.player))} it back"

    def _is_quiet(self, action: str) -> bool:
        """Whether nobody is told of an action before the deal is over."""
        return not self._knows_all and all(code.quiet for code in self.acts.actions[action])

    def _claims(self, player: int, rest: str) -> Iterator[Line]:
        """That somebody claims a fault on honour, whatever word the game has for it."""
        reader, (offender, *_) = self.reader, self.acts.chosen("", rest).players or (player,)
        yield Line(MOVE, sentence(f"{reader.does(player, 'say')} that {reader.does(offender, 'have')} slipped"))


def _repeats(told: Told, after: Sequence[Told]) -> bool:
    """Whether what comes next says who deals, too."""
    return told.kind == FIRST_DEALER and any(next_.words.endswith(f"dealt by {told.words}") for next_ in after)
