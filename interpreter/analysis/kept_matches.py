"""Matches kept in a folder while they are played, as tables that other programs read: `houserules simulate --out`.

`run.json` says what is played. Each `part-NNNNN.csv` holds up to 1,000 matches, or fewer where these have many deals; a
part is written under another name and renamed when it is complete, so whatever stops the program, each part is whole.
The last one is written anew every few seconds, with what has come. What is kept need not be played again: the next
matches go on where it ends.
"""

from __future__ import annotations

import csv
import io
import json
import os
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.analysis.folder_lock import FolderLock
from interpreter.api.random_play import Deal, Match
from interpreter.base.arithmetic import LARGEST
from interpreter.base.signs import ToldError
from interpreter.players.monte_carlo import LEVELS, levels_at

if TYPE_CHECKING:
    from interpreter.analysis.plan import Plan

FORMAT = 1
PART = 1_000
"""Matches in a part."""
ROWS = 50_000
"""Rows of a part, with the match behind which no more is added to it."""
OFTEN = 5.0
"""Seconds of play of which a power cut takes no more, about: then what there is of a part is written."""
LONGEST = 1_000_000_000
"""Bytes of a part: a longer one is none of ours, and none is written."""
LARGEST_HEAD = 1_000_000
"""Bytes of a `run.json` that is read."""
WORDS = "level_"
"""How the names of columns begin that hold words and not numbers."""


class KeptError(ToldError):
    """A folder holds something else than matches of this simulation."""


class Folder:
    """A folder with the matches of one simulation. found: those that it held; what is added goes behind them."""

    def __init__(self, path: str | Path, plan: Plan, parquet: bool = False, version: str = "") -> None:
        """version: of this program, since another one may play otherwise.

        Raises KeptError if the folder holds another simulation or what cannot be read, OSError if it cannot be used.
        """
        self.path, self.plan, self._parquet = Path(path), plan, parquet
        self._columns = columns(plan)
        self._rows: list[str] = []
        """Those of the part that grows, as its lines."""
        self._in_part, self._number, self._matches = 0, 0, 0
        """Matches in that part, its number, and matches in all."""
        self.found: list[Match] = []
        self.path.mkdir(parents=True, exist_ok=True)
        try:
            self._lock = FolderLock(self.path)
        except BlockingIOError:
            hint = "wait until it has ended, or take another folder"
            raise KeptError(f"another command writes to {self.path}; {hint}") from None
        try:
            self._begin({"houserules": FORMAT, "version": version, **_told(plan), "parquet": parquet})
        except BaseException:
            self._lock.let_go()
            raise
        self._written = time.monotonic()

    def _begin(self, header: dict[str, Any]) -> None:
        header["columns"] = self._columns
        head = self.path / "run.json"
        if not head.exists():
            if next(self.path.glob("part-*"), None) is not None:
                raise KeptError(f"{self.path} holds parts of a simulation, but no run.json that says of which")
            self._write(head, (json.dumps(header, indent=1) + "\n").encode())
            return
        try:
            ordinary = head.is_file() and head.stat().st_size <= LARGEST_HEAD
            kept = json.loads(head.read_text("utf-8")) if ordinary else None
        except (ValueError, RecursionError):
            kept = None
        if not isinstance(kept, dict):
            raise KeptError(f"{head} cannot be read; take another folder")
        other = [key for key in header if kept.get(key) != header[key]]
        if other:
            named = " and ".join(f"'{key}'" for key in other)
            differ = "differs" if len(other) == 1 else "differ"
            hint = "take another folder, or the same options as before"
            raise KeptError(f"{self.path} holds another simulation, whose {named} {differ}; {hint}")
        self._read()

    # ---- what is there already --------------------------------------------------------------------------

    def _read(self) -> None:
        while (path := self._part(self._number)).exists() and not self._in_part:
            rows: list[str] = []
            before = len(self.found)
            for match in self._matches_in(path, rows):
                self.found.append(match)
                if len(self.found) - before > PART:
                    raise KeptError(f"{path} holds more than {PART} matches; delete it to have them played again")
            if len(self.found) - before < PART and len(rows) < ROWS:
                self._rows, self._in_part = rows, len(self.found) - before
                break
            self._number += 1
        self._matches = len(self.found)

    def _matches_in(self, path: Path, rows: list[str]) -> Iterator[Match]:
        """The matches of a part; its rows go into a list, up to where no more is added to it. Raises KeptError."""
        if not path.is_file() or path.stat().st_size > LONGEST:
            raise KeptError(f"{path} is no ordinary file, or too large to be a part of a simulation")
        try:
            with open(path, encoding="utf-8", newline="") as file:
                lines = csv.reader(file)
                if (head := next(lines, None)) != self._columns:
                    other = "has other columns than run.json says" if head else "cannot be read"
                    raise KeptError(f"{path} {other}; delete it to have its matches played again")
                for _, of_match in groupby(lines, lambda row: row[:1]):
                    yield self._match(of_match, rows, path)
        except (UnicodeDecodeError, csv.Error):
            raise KeptError(f"{path} cannot be read; delete it to have its matches played again") from None

    def _match(self, lines: Iterable[list[str]], rows: list[str], path: Path) -> Match:
        """A match by its lines, which go into `rows` as long as there is room. Raises KeptError."""
        number, players, by_deal = len(self.found), range(1, self.plan.game.players + 1), self.plan.by_deal
        decisions, deals, first, last = 0, 0, dict[str, str](), dict[str, str]()
        try:
            for line in lines:
                last = dict(zip(self._columns, line, strict=True))
                _check_numbers(last)
                first = first or last
                decisions += _number(last["decisions"])
                deals += 1
                if len(rows) < ROWS:
                    rows.append(_line(line))
            if _number(last["match"]) != number:
                raise ValueError("a match is missing")
            if last["over"] != "1" and "1" in [last["tied"], *(last[f"won_P{p}"] for p in players)]:
                raise ValueError("what is not over has no winner")
            dealer = first["dealer"]
            return Match(
                decisions,
                tuple(_number(last[f"score_P{p}"], -LARGEST) for p in players),
                tuple(p - 1 for p in players if last[f"won_P{p}"] == "1"),
                last["over"] == "1",
                _number(last.get("milliseconds", "0")),
                tuple(_number(last[f"late_P{p}"]) for p in players if f"late_P{p}" in last),
                (
                    _number(last.get("faults", "0")),
                    _number(last.get("upheld", "0")),
                    _number(last.get("turned_down", "0")),
                ),
                _number(last["deal"], 0, deals) if by_deal else _number(last["deals"]),
                _number(dealer, 1, players[-1]) - 1 if dealer else None,
                last["tied"] == "1",
                counted=tuple(_number(last[f"count_{column}"]) for column in self.plan.game.program.counted),
            )
        except ValueError:
            hint = "delete it to have its matches played again"
            raise KeptError(f"{path} is damaged at match {number}; {hint}") from None

    # ---- what comes -------------------------------------------------------------------------------------

    def add(self, match: Match) -> None:
        """Keep the match that comes next. Raises KeptError where it has more deals than a part can hold."""
        rows = [_line(row) for row in rows_of(self.plan, self._matches, match)]
        if sum(map(len, rows)) + sum(map(len, self._rows)) > LONGEST // 2:
            hint = "cut matches by --limit, or keep them without --by deal"
            raise KeptError(f"match {self._matches} has {len(rows):,} deals, too many to be kept; {hint}")
        self._matches += 1
        self._rows += rows  # all at once, for whoever interrupts this keeps no half of a match
        self._in_part += 1
        if self._in_part == PART or len(self._rows) >= ROWS:
            self._write_part()
            self._rows, self._in_part = [], 0
            self._number += 1
        elif time.monotonic() - self._written >= OFTEN:
            self._write_part()

    def close(self) -> None:
        """Write what no part holds yet, and let others write to the folder."""
        try:
            if self._rows:
                self._write_part()
        finally:
            self._lock.let_go()

    def _part(self, number: int, kind: str = "csv") -> Path:
        return self.path / f"part-{number:05}.{kind}"

    def _write_part(self) -> None:
        if self._parquet:  # first, so that whoever has the CSV has it, too
            self._write(self._part(self._number, "parquet"), _as_parquet(self._columns, list(csv.reader(self._rows))))
        self._write(self._part(self._number), "".join([_line(self._columns), *self._rows]).encode())
        self._written = time.monotonic()

    def _write(self, path: Path, data: bytes) -> None:
        """Write a file so that it is never seen half done."""
        begun = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        try:
            with open(begun, "xb") as file:  # a new one: no link that somebody has laid there is followed
                file.write(data)
                file.flush()
                os.fsync(file.fileno())  # before it gets its name, so that no name stands for half of it
            begun.replace(path)
        finally:
            begun.unlink(missing_ok=True)


def _line(row: Iterable[Any]) -> str:
    """A row as a line of a part."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerow(row)
    return text.getvalue()


def _number(text: str, low: int = 0, high: int = LARGEST) -> int:
    """A number in a part. Raises ValueError for one that no match can have."""
    if len(text) > len(str(-LARGEST)) or not low <= (number := int(text)) <= high or str(number) != text:
        raise ValueError("no match has this")
    return number


def _told(plan: Plan) -> dict[str, Any]:
    """What the matches depend on."""
    who = plan.players
    return {
        "game": json.loads(json.dumps(plan.game.header())), "seed": plan.seed, "deals": plan.deals, "limit": plan.limit,
        "by": "deal" if plan.by_deal else "match",
        "levels": [LEVELS.get(level, level) for level in ([who.skill] if isinstance(who.skill, str) else who.skill)],
        "manners": [who.manners.forgets, who.manners.notices, who.manners.bluffs],
        "speeds": [[speed.reaction, speed.spread, speed.motion] for speed in who.speeds],
    }  # fmt: skip


def columns(plan: Plan) -> list[str]:
    """What each column of a part is called."""
    players, who = range(1, plan.game.players + 1), plan.players
    found = ["match", "deal" if plan.by_deal else "deals", "dealer", "decisions", "over", "tied"]
    found += [f"{what}_P{p}" for what in ("score", "won") for p in players]
    if isinstance(who.skill, tuple):
        found += [f"{WORDS}P{p}" for p in players]
    if who.speeds:
        found += ["milliseconds", *(f"late_P{p}" for p in players)]
    if who.manners and plan.game.program.honor:
        found += ["faults", "upheld", "turned_down"]
    return found + [f"count_{column}" for column in plan.game.program.counted]


def rows_of(plan: Plan, number: int, match: Match) -> Iterator[list[Any]]:
    """The rows of a match, in the order of `columns`: one, or one for each deal."""
    who, n = plan.players, plan.game.players
    about: list[Any] = []
    if isinstance(who.skill, tuple):
        about += [LEVELS.get(level, level) for level in levels_at(who.skill, n, number)]
    if who.speeds:
        about += [match.milliseconds, *match.late]
    if who.manners and plan.game.program.honor:
        about += match.honour
    about += match.counted
    whole = Deal(match.dealer, match.decisions, match.scores)
    deals = match.by_deal if plan.by_deal else (whole,)
    for at, deal in enumerate(deals, start=1):
        ended = at == len(deals)
        won = [int(ended and player in match.winners) for player in range(n)]
        which = min(at, match.deals) if plan.by_deal else match.deals  # where there was no deal, none has a number
        yield [
            number, which, "" if deal.dealer is None else deal.dealer + 1,
            deal.decisions, int(ended and match.over), int(ended and match.tied), *deal.scores, *won, *about,
        ]  # fmt: skip


def _check_numbers(row: Mapping[str, str]) -> None:
    """Raises ValueError where a column holds neither a number nor nothing and is none of words."""
    for name, value in row.items():
        if value and not name.startswith(WORDS):
            _number(value, -LARGEST)


def _as_parquet(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    import pyarrow
    from pyarrow import parquet

    kinds = {name: pyarrow.string() if name.startswith(WORDS) else pyarrow.int64() for name in names}
    table = {
        name: pyarrow.array([_cell(row[at], kinds[name] == pyarrow.string()) for row in rows], kinds[name])
        for at, name in enumerate(names)
    }
    buffer = io.BytesIO()
    parquet.write_table(pyarrow.table(table), buffer)
    return buffer.getvalue()


def _cell(value: Any, is_text: bool) -> Any:
    """A number, a text or nothing: rows that were read from CSV hold texts alone."""
    return None if value == "" else str(value) if is_text else int(value)
