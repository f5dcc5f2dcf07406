"""The scores by deal, as somebody keeps them on paper: what each deal has brought, and what that makes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from interpreter.engine.events import DEAL, Event
from interpreter.engine.failures import by_rules
from interpreter.engine.position import Position
from interpreter.words.news import SCORE_WORDS, STARTS
from interpreter.words.people import Reader
from interpreter.words.standings import are_points

FEW = 2
"""More reasons than so many for each, where points are scored all the time, stand in no sheet."""

_NEVER_COUNTS = frozenset({"cards", "move", "note"})
"""Most of what a log tells: it is not even read, for a sheet is asked for again and again in a long match."""


@dataclass(slots=True)
class _Row:
    """One deal: by P1 or T1, what it has brought and the score after it."""

    name: str
    brought: dict[str, int] = field(default_factory=dict)
    total: dict[str, int] = field(default_factory=dict)
    why: list[tuple[str, int, str]] = field(default_factory=list)
    """For whom something counts, how much, and the reason."""


def unscored(s: Position, by_all: bool = False) -> str:
    """What is told in place of a sheet while there is none. by_all: of one that has only what all may know."""
    if are_points(s):
        hidden = by_all and s.program.score_eyes is not None
        return f"Nobody has scored so far{', as far as all may know' if hidden else ''}."
    return "No points are kept in this game: the table shows how everybody stands."


@by_rules
def unseen_scores(s: Position, players: Iterable[int]) -> frozenset[str]:
    """By P1 or T1 who have a score that not all of some players see."""
    score, all_of = s.program.variables.get("score"), sum(1 << player for player in players)
    if score is None or score.seen_by is None or score.dims[:1] not in (("player",), ("team",)):
        return frozenset()
    letter, owners = ("P" if score.dims[0] == "player" else "T"), {key[0] for key in score.keys}
    return frozenset(f"{letter}{owner + 1}" for owner in owners if all_of & ~score.seen_by(s, owner))


class ScoreSheet:
    """The sheet of one reader, which is read on where it was read before."""

    def __init__(self, reader: Reader, most: int | None = None) -> None:
        """most: so many deals are kept, the last ones, besides the one that is going on; None for all."""
        self._reader, self._most = reader, most
        self._rows: list[_Row] = []
        """The deals before the one that is going on, as far as anything has counted in them."""
        self._before: dict[str, int] = {}
        """By P1 or T1 the scores after the deals that are not kept any more."""
        self._gone = 0
        """How many these are."""
        self._letters: set[str] = set()
        """Whether anything has counted for players or teams."""
        self._row = _Row("")
        self._reasons = 2 * FEW * len(reader.names) + 1
        """So many of a deal are more than stand in any sheet: there are no more sides than players."""

    def reads(self, events: Iterable[Event]) -> None:
        """What has happened next."""
        row, player = self._row, self._reader.player
        for event in events:
            if event.kind in _NEVER_COUNTS or (told := event.read_by(player)) is None:
                continue
            if told.kind == "score" and (found := SCORE_WORDS.fullmatch(told.words)) and found[1]:
                owner = f"{found[1]}{found[2]}"
                self._letters.add(found[1])
                row.brought[owner] = row.brought.get(owner, 0) + int(found[4])
                row.total[owner] = int(found[3])
                if found[5] and len(row.why) < self._reasons:
                    row.why.append((owner, int(found[4]), found[5]))
            elif told.kind == DEAL and (begun := STARTS.fullmatch(told.words)):
                self._keep(row)
                row = self._row = _Row(begun[1])

    def _keep(self, row: _Row) -> None:
        """A deal is over."""
        self._rows += [row] if row.brought else []
        if self._most is not None and len(self._rows) > self._most:
            self._before |= self._rows.pop(0).total
            self._gone += 1

    def lines(self, unseen: Collection[str] = (), most: float = math.inf) -> Iterator[str]:
        """A line for each deal that has counted, below a line of names, and below it the reasons that the rules give.

        Nothing where nothing has counted yet. unseen: whose scores, by P1 or T1, the reader may not know: as long as
        nothing was told of one there stands none. most: about so many letters, of the last deals, one at least; then it
        is told how many were before.
        """
        reader, rows = self._reader, [*self._rows, *([self._row] if self._row.brought else [])]
        owners = [f"P{p + 1}" for p in range(len(reader.names))] if "P" in self._letters else []
        owners += [f"T{team + 1}" for team in sorted(set(reader.teams()))] if "T" in self._letters else []
        if not rows:
            return
        names = [_named(owner, reader) for owner in owners]
        lines = [["", *names]]
        known = dict.fromkeys((owner for owner in owners if owner not in unseen), 0) | self._before
        for row in rows:
            known |= row.total
            cells = [f"{known[o]} ({row.brought.get(o, 0):+d})" if o in known else "-" for o in owners]
            lines.append([row.name, *cells])
        widths = [max(len(line[at]) for line in lines) for at in range(len(owners) + 1)]
        written = ["   ".join([f"{n:<{widths[0]}}", *map(str.rjust, cells, widths[1:])]) for n, *cells in lines]
        few, indent = FEW * len(owners), " " * widths[0]
        deals = list[list[str]]()
        for line, row in zip(reversed(written), reversed(rows), strict=False):
            reasons = row.why if len(row.why) <= few else ()
            told = [
                f"{indent}   {amount:+d} {_named(owner, reader)}: {reader.named(why)}" for owner, amount, why in reasons
            ]
            letters = len(line) + sum(map(len, told))
            if deals and letters > most:
                break
            deals.append([line, *told] if letters <= most else [line])
            most -= letters
        yield written[0]
        if before := self._gone + len(rows) - len(deals):
            yield f"({before} before {'this one' if len(deals) == 1 else 'these'})"
        for deal in reversed(deals):
            yield from deal


def score_sheet(events: Iterable[Event], reader: Reader, unseen: Collection[str] = ()) -> Iterator[str]:
    """The sheet of all that has happened, see `ScoreSheet.lines`."""
    sheet = ScoreSheet(reader)
    sheet.reads(events)
    return sheet.lines(unseen)


def _named(owner: str, reader: Reader) -> str:
    number = int(owner[1:]) - 1
    if owner[0] == "T":
        return reader.side(number)
    return reader.who(number)
