"""From the record of a match back to the match. `recording` describes and writes it, `record_file` keeps it."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from interpreter.api.record_header import fault_in, short, variants_in
from interpreter.api.recording import TIMES, dump, link, sealed
from interpreter.api.recording import header as headed
from interpreter.base.signs import ToldError, describe, unseen_in
from interpreter.engine.chance import MASK
from interpreter.engine.notation import IllegalMove
from interpreter.engine.playing import make_recorded
from interpreter.engine.position import Position, Setup
from interpreter.engine.redrawing import Heard, redraw
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.situation import RecordedMove

if TYPE_CHECKING:
    from interpreter.api.game import Game, Ruleset, State


MAX_DEPTH = 32
"""Levels of lists and mappings in a line; none that a match writes comes near."""
MAX_HEADER = 1024 * 1024
"""Letters of the first line of a record."""
MAX_MOVE = 256 * 1024
"""Letters of any other line of a record: a move that names 2,000 cards fits."""


class ReplayError(ToldError):
    """A record cannot be replayed. line: from 1, or None; move: the number of the move from 1, or None."""

    def __init__(self, message: str, line: int | None = None, move: int | None = None) -> None:
        self.line = line
        self.move = move
        super().__init__(message if line is None else f"line {line}: {message}")


class Unrecorded(ReplayError):
    """A match cannot be recorded, or no further: its record could not be read again."""


class CutRecord(ReplayError):
    """The last line is not complete. `good` is the text before it, which can be replayed."""

    def __init__(self, message: str, line: int, good: str) -> None:
        self.good = good
        super().__init__(message, line)


@dataclass(frozen=True, slots=True)
class Record:
    """A record that has been read: its header, its moves, and the end of its chain."""

    header: dict[str, Any]
    moves: tuple[RecordedMove, ...]
    chain: str
    lines: tuple[int, ...]
    """Of each move the line in which it stands."""
    last: int
    """The number of the last line."""
    redrawn: dict[int, int] = field(default_factory=dict)
    """Where chance goes on from another seed: how many moves were made before, and the seed."""

    @property
    def people(self) -> int | None:
        """How many people played at the terminal, if it was played there."""
        found = self.header.get("people")
        return found if type(found) is int and found >= 0 else None

    @property
    def table(self) -> dict[str, Any]:
        """Who sat where, as whoever has recorded it says; it need not be true."""
        return dict(self.header.get("table", {}))


def replay(text: str) -> State:
    """Play a record again and return the state at its end.

    The ruleset is found as it was when the record was made: by its id, or at its path.
    Raises ReplayError, which says at which line the record is cut or altered, or at which move it diverges.
    """
    return play_again(read(text))


def read(text: str) -> Record:
    """The contents of a record, checked line by line but not played. Raises ReplayError, or CutRecord."""
    if not isinstance(text, str):
        raise ReplayError(f"a record is a text, not {text!r}")
    complete = text.endswith("\n")
    lines = text.removesuffix("\n").split("\n") if text else []
    if not lines:
        raise ReplayError("the record is empty")
    header: dict[str, Any] = {}
    moves: list[RecordedMove] = []
    places: list[int] = []
    redrawn: list[tuple[int, int]] = []  # in the order of how many moves were made before
    chain = ""
    for number, line in enumerate(lines, start=1):
        try:
            body, chain = _opened(line, chain, number)
            if sign := unseen_in(body):
                raise ReplayError(f"a record cannot hold {describe(sign)}", number, number - 1 or None)
        except ValueError as error:
            if number == len(lines) and not complete and not isinstance(error, ReplayError):
                raise _cut(number, lines, len(moves)) from None
            if isinstance(error, ReplayError):
                raise
            raise ReplayError(f"this is no line of a record: {short(line)}", number, number - 1 or None) from None
        if number == 1:
            header = _checked_header(body)
        elif "undo" in body:
            stay = _stays(body, number, len(moves))
            del moves[stay:], places[stay:]
            while redrawn and redrawn[-1][0] > stay:
                redrawn.pop()
        elif "seed" in body and number > 1:
            redrawn.append((len(moves), _seed_of(body, number)))
        else:
            moves.append(_move_of(body, number))
            places.append(number)
    return Record(header, tuple(moves), chain, tuple(places), len(lines), dict(redrawn))


def game_of(record: Record) -> Game:
    """The game that a record was made in. Raises ReplayError when it cannot be had any more."""
    from interpreter.api.game import load
    from interpreter.base.diagnostics import RulesetError

    for source in record.header["from"]:
        if not _leads_back(source):
            raise ReplayError(f"it names a file that is no ruleset: {short(source)}", 1)
    first, *overlays = record.header["from"]
    try:
        return game_in(record, load(first, overlays))
    except RulesetError as error:
        # Nothing of the text: whoever has made the record names a file, and it need not be theirs, nor a ruleset.
        wrong = next(found for found in error.diagnostics if found.severity == "error")
        if wrong.line is not None:
            wrong = replace(wrong, message="'houserules validate' says what is wrong there")
        raise ReplayError(f"its ruleset cannot be used: {wrong}", 1) from None


def _leads_back(source: str) -> bool:
    """Whether a record may lead to a ruleset: a shipped id, or a path of a YAML file, also where it is a link."""
    from interpreter.language.overlay import is_path, names_ruleset, real_path

    if not names_ruleset(source):
        return False
    return not is_path(source) or real_path(source).endswith((".yaml", ".yml"))


def game_in(record: Record, ruleset: Ruleset) -> Game:
    """The game of a record in a ruleset that is at hand. Raises ReplayError if it does not fit."""
    game = record.header["game"]
    missing = [key for key in ("players", "options", "enforcement") if key not in game]
    if missing:
        raise ReplayError(f"the header does not say the '{missing[0]}' of the game", 1)
    try:
        return ruleset.game(game["players"], game["options"], variants_in(game, ruleset), game["enforcement"])
    except (TypeError, ValueError) as error:
        raise ReplayError(f"its game does not fit the ruleset '{ruleset.id}' any more: {error}", 1) from error


def has_changed(record: Record, game: Game) -> bool:
    """Whether the ruleset says something else now than when the record was made."""
    return bool(record.header["game"].get("digest") != game.header().get("digest"))


def play_again(record: Record, game: Game | None = None) -> State:
    """The state at the end of a record. Raises ReplayError at the move where it diverges."""
    last, *_ = deque(steps(record, game), maxlen=1)
    return last


def steps(record: Record, game: Game | None = None) -> Iterator[State]:
    """The state before the first move of a record, and then, the same one, after each. Raises ReplayError."""
    if game is None:
        game = game_of(record)
    changed = "; the ruleset has changed since the record was made" if has_changed(record, game) else ""
    header, heard = record.header, Heard()
    try:
        state = game.start(seed=header["seed"], chance=header.get("chance"), given=header.get("given"))
    except (ValueError, RuleError) as error:
        raise ReplayError(f"the match cannot be started: {error}{changed}", 1) from error
    _draw_anew(state.position, record, 0, heard)
    yield state
    for number, move in enumerate(record.moves, start=1):
        problem = _repeat(state.position, move)
        if problem:
            tick, player, text, _ = move
            what = f"the record diverges at move {number} (tick {tick}), 'P{player + 1} {text}': {problem}{changed}"
            raise ReplayError(what, record.lines[number - 1], number)
        _draw_anew(state.position, record, number, heard)
        yield state


def _draw_anew(s: Position, record: Record, number: int, heard: Heard) -> None:
    """What chance has not shown to anybody, if moves behind so many were taken back. Raises ReplayError."""
    if number not in record.redrawn:
        return
    try:
        redraw(s, record.redrawn[number], heard)
    except RuleError as error:
        what = f"behind move {number} the cards cannot be drawn anew: {error}"
        raise ReplayError(what, record.lines[number - 1] if number else 1, number) from error


def _repeat(s: Position, move: RecordedMove) -> str:
    """Make a recorded move; returns what is wrong with it, or nothing."""
    tick, player, text, extra = move
    if tick not in (s.tick, s.tick + 1):
        return f"tick {tick} cannot follow tick {s.tick}"
    if tick == s.tick and not s.record_moves:
        return "the first tick is 1"
    before = len(s.record_moves)
    try:
        make_recorded(s, tick, player, text, extra)
    except IllegalMove as refusal:
        return str(refusal)
    except RuleError as error:
        return f"the rules cannot go on: {error}"
    s.tick = tick
    if len(s.record_moves) != before + 1:
        return "it has no effect"
    made = s.record_moves[-1]
    if made != move:
        if ("refused" in made[3]) != ("refused" in extra):
            return "it was refused then and is lawful now" if "refused" in extra else "it is refused now"
        return f"it is now '{made[2]}'"
    return ""


# ---- lines ------------------------------------------------------------------------------------------


def _stays(body: dict[str, Any], number: int, moves: int) -> int:
    """How many of so many moves stay after a line that takes some back."""
    stay = body["undo"]
    if body.keys() != {"n", "undo"} or type(stay) is not int or not 0 <= stay < moves or body["n"] != number - 1:
        raise ReplayError("this takes back no moves that were made", number, number - 1)
    return stay


def _seed_of(body: dict[str, Any], number: int) -> int:
    """The seed from which chance goes on."""
    seed = body["seed"]
    if body.keys() != {"n", "seed"} or type(seed) is not int or not 0 <= seed <= MASK or body["n"] != number - 1:
        raise ReplayError("this is no seed from which chance could go on", number, number - 1)
    return seed


_MOVE = {"n", "tick", "player", "move", "measures", "refused", *TIMES}


def _move_of(body: dict[str, Any], number: int) -> RecordedMove:
    try:
        player, extra = re.fullmatch("P([1-9][0-9]{0,3})", body["player"]), dict(body.get("measures", {}))
        extra |= {key: body[key] for key in TIMES if key in body}
        if not body.keys() <= _MOVE:
            raise ValueError
        if "refused" in body:
            extra = {"refused": 1, **extra}
        numbers = (body["tick"], *extra.values())
        marked = body.get("refused", True) is True
        texts = type(body["move"]) is str and all(type(number) is int for number in numbers)
        if player is None or not texts or not marked:
            raise ValueError
        move = body["tick"], int(player[1]) - 1, body["move"], extra
    except (KeyError, TypeError, ValueError):
        raise ReplayError("this is no move of a record", number, number - 1) from None
    if body.get("n") != number - 1:
        raise ReplayError(f"this is move {body.get('n')}, where move {number - 1} should be", number, number - 1)
    return move


def _checked_header(body: dict[str, Any]) -> dict[str, Any]:
    if fault := fault_in(body):
        raise ReplayError(fault, 1)
    return body


def _opened(line: str, chain: str, number: int) -> tuple[dict[str, Any], str]:
    """A line without its seal, and the chain after it. Raises ValueError if it is no line, ReplayError if altered."""
    most = MAX_HEADER if number == 1 else MAX_MOVE
    if len(line) > most:
        raise ReplayError(f"this line is too long: a record has at most {most:,} letters there", number)
    try:
        body = json.loads(line)
    except RecursionError as error:
        raise ValueError("too deeply nested") from error
    if not isinstance(body, dict):
        raise ValueError("no mapping")
    if _deeper(body, MAX_DEPTH):
        raise ReplayError(f"this is no line of a record: {short(line)}", number, number - 1 or None)
    if number == 1 and "houserules" not in body:
        raise ReplayError("this is no record of a match: the first line has no 'houserules'", 1)
    seal = body.pop("h", None)
    after = link(chain, dump(body))
    if seal != after:
        move = number - 1 or None
        what = "the header" if move is None else f"move {move}"
        missing = "" if move is None else ", or a line before it is missing"
        raise ReplayError(f"the record has been altered: {what} is not as it was written{missing}", number, move)
    return body, after


def _deeper(value: object, levels: int) -> bool:
    """Whether lists and mappings stand in one another over more levels than that."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels == 0 or any(_deeper(item, levels - 1) for item in inner)


def _cut(number: int, lines: list[str], moves: int) -> ReplayError:
    if number == 1:
        return ReplayError("this is no record of a match, or it was cut in its first line", 1)
    good = "".join(f"{line}\n" for line in lines[:-1])
    told = "no move" if moves == 0 else "1 move" if moves == 1 else f"{moves} moves"
    return CutRecord(f"the record is cut in the middle of this line; {told} before it can be read", number, good)


# ---- files ------------------------------------------------------------------------------------------

MAX_BYTES = 64 * 1024 * 1024
"""Of a record that is read: some half a million moves."""


def unnamed(ruleset: Ruleset) -> str:
    """Why no record can lead back to a ruleset, or nothing: it would be refused where the record is read."""
    for source in ruleset.sources():
        if not _leads_back(source):
            return (
                f"a match recorded with {short(source)} could never go on: records lead only to files that end in "
                ".yaml or .yml, links followed, with no '~' or '\\' in their paths"
            )
    return ""


def unkept(game: Game, header: dict[str, Any] | None = None) -> str:
    """Why a record of a match could not be read again, or nothing. header: its first line, None where none is made."""
    problem = unnamed(game.ruleset)
    if not problem:
        line, _ = sealed(headed(game, Setup(MASK), game.players) if header is None else header)
        try:
            record = read(line)
            if has_changed(record, game_of(record)):
                raise ReplayError("what its ruleset says has changed since it was loaded", 1)
        except ReplayError as error:
            problem = f"a record of this match could never be read again: {error}"
    return problem
