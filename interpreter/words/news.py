"""What happens besides moves and cards that go somewhere: scores, claims, what is said, turned over or set out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.engine.events import Told
from interpreter.engine.notation import QUOTE
from interpreter.words.acts import Acts
from interpreter.words.lines import BREAK, MOVE, NEWS, SCORE, Line
from interpreter.words.people import Reader, counted, sentence

BOOKKEEPING = frozenset({"shuffle", "gather"})
"""Kinds of events that nobody at a table would mention."""
RUNS = frozenset({"deal", "game", "hand", "layout", "match", "round", "rubber", "set"})
"""What a stage may be called in a heading as the ruleset calls it; any other is a deal."""
_CLAIM = re.compile(r"against (P\d+) (?:turned down|upheld: (.+))")
SCORE_WORDS = re.compile(r"(?:([PT])(\d+) )?(-?\d+): ([+-]\d+)(?: \((.*)\))?", re.DOTALL)
STARTS = re.compile(r"(\d+)(?:, dealt by P(\d+))?")
_PIECES = re.compile(
    r"(?:(?P<count>\d+) )?(?:takes )?(?P<noun>.*?)(?: (?P<number>\d+))?(?P<where> (?:back )?on the table)?", re.DOTALL
)


class News:
    """Tells one reader what has come about. verbose: shuffles and the like, too."""

    def __init__(self, acts: Acts, reader: Reader, verbose: bool) -> None:
        self.acts, self.reader, self.verbose = acts, reader, verbose

    def lines(self, told: Told) -> Iterator[Line]:
        """The sentences of one event."""
        reader, who = self.reader, told.player
        if told.kind in BOOKKEEPING:
            if self.verbose:
                yield Line(NEWS, self._kept(told))
            return
        match told.kind:
            case "say" | "label" if who is not None:
                yield Line(MOVE, f"{reader.speaker(who)}: “{reader.spoken(told.words.strip(QUOTE))}”")
            case "note":
                yield Line(NEWS, sentence(reader.named(told.words)))
            case "score":
                yield from self._score(told.words)
            case "claim" if who is not None:
                yield from self._judged(who, told.words)
            case "first dealer":
                yield Line(NEWS, sentence(reader.does(int(told.words[1:]) - 1, "deal") + " first"))
            case "direction":
                yield Line(NEWS, f"Play goes to the {told.words} now.")
            case "pieces":
                yield Line(NEWS, self._pieces(told))
            case "refill":
                into, _, source = told.words.partition(" from ")
                yield Line(NEWS, sentence(f"{self._place(into)} is made up from {self._place(source)}"))
            case "flip":
                yield Line(NEWS, sentence(f"{self._place(told.words)} is turned over"))
            case "swap":
                one, _, other = told.words.partition(" and ")
                yield Line(NEWS, sentence(f"{self._place(one)} and {self._place(other)} change places"))
            case "refused":
                move, _, rest = told.words.partition(": ")
                why = rest.partition(": ")[2] or rest
                yield Line(NEWS, sentence(f"Too late for “{reader.shown(move)}”: {reader.named(why)}"))
            case "deal" if found := STARTS.fullmatch(told.words):
                yield self._begins(told.source, found)
            case _:
                yield Line(NEWS, sentence(reader.named(told.words)))

    def _begins(self, stage: str, found: re.Match[str]) -> Line:
        """A deal, or another run of a stage that is counted. found: its number, and who deals."""
        name = stage if stage in RUNS else "deal"
        dealer = f": {self.reader.does(int(found[2]) - 1, 'deal')}" if found[2] else ""
        return Line(BREAK, sentence(f"{name.capitalize()} {found[1]}{dealer}"))

    def _score(self, words: str) -> Iterator[Line]:
        """What somebody is charged or gets, and how many points that makes."""
        found = SCORE_WORDS.fullmatch(words)
        if found is None:
            yield Line(SCORE, sentence(self.reader.named(words)))
            return
        letter, number, total, amount = found[1], int(found[2] or 0) - 1, int(found[3]), int(found[4])
        verb = "take" if amount >= 0 else "lose"
        if letter == "T":
            who = self.reader.side_does(number, verb)
        else:
            who = self.reader.does(number, verb) if letter else f"everybody {verb}s"
        points = counted(abs(amount), "point", "1") if abs(amount) < 2 else f"{abs(amount)} points"
        why = f": {self.reader.named(found[5])}" if found[5] else ""
        yield Line(SCORE, sentence(f"{who} {points} ({'now' if amount else 'still'} {total}){why}"))

    def _judged(self, claimer: int, words: str) -> Iterator[Line]:
        """How a claim was judged, as somebody at the table would say it."""
        found = _CLAIM.fullmatch(words)
        if found is None:
            return
        offender, reader = int(found[1][1:]) - 1, self.reader
        if found[2] is None:
            wrong = "are" if reader.is_you(claimer) else "is"
            text = f"{reader.who(claimer)} {wrong} wrong: {reader.does(offender, 'have')} nothing to pay for now"
        else:
            text = f"{reader.does(claimer, 'have')} caught {reader.who(offender)} ({found[2].replace('_', ' ')})"
        yield Line(NEWS, sentence(text))

    def _pieces(self, told: Told) -> str:
        """Pieces that are set out, taken or put back."""
        found = _PIECES.fullmatch(told.words)
        assert found is not None
        if told.player is not None:
            return sentence(f"{self.reader.does(told.player, 'take')} {counted(1, found['noun'])}")
        if (found["where"] or "").startswith(" back"):
            return sentence(f"{counted(1, found['noun'])} is put back on the table")
        count = int(found["count"] or 1)
        return sentence(f"{counted(count, found['noun'])} {'lies' if count == 1 else 'lie'} on the table")

    def _kept(self, told: Told) -> str:
        """Shuffling and gathering."""
        if told.kind == "shuffle":
            return sentence(f"{self._place(told.words)} is shuffled")
        return sentence(f"All the cards are gathered {'into ' + self._place(told.words.removeprefix('to '))}")

    def _place(self, label: str) -> str:
        spot = self.acts.piles.by_label.get(label)
        return label if spot is None else self.acts.piles.called(spot, self.reader)
