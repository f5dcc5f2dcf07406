"""One match being played: the public object."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.engine import recording
from interpreter.engine.events import Event
from interpreter.engine.machine import AGAIN, PASSED, STAY  # fmt: skip
from interpreter.engine.moves import Move
from interpreter.engine.notation import IllegalMove, check_text
from interpreter.engine.playing import Playing
from interpreter.engine.program import RuleError, by_rules
from interpreter.engine.recording import RecordedMove
from interpreter.engine.table import Unkept

if TYPE_CHECKING:
    from interpreter.engine.view import View

__all__ = ["AGAIN", "PASSED", "STAY", "IllegalMove", "State"]

JSON_VERSION = 1


class State(Playing):
    """A match in progress. Made by `Game.start` or `Game.restore`; changed only by `play` and `play_together`."""

    __slots__ = ()

    def play(
        self, player: int, move: Move | str, begin: int | None = None, end: int | None = None, **measures: int
    ) -> list[Event]:
        """Make a move; returns what happened.

        player: 0 to n-1. begin, end: whole milliseconds. measures: what the body decides, by name.
        Raises IllegalMove (the state is unchanged), or RuleError where the ruleset cannot go on (likewise).
        """
        log = self.log
        start = 0 if log is None else len(log)
        if self.stack and not measures and begin is None and end is None:
            frame = self.stack[-1]
            stage = self.program.stages[frame.stage]
            if type(move) is Move and type(player) is int and 0 <= player < self.program.n:
                if stage.plain_play is None:
                    action = stage.by_name.get(move.action)
                    if action is not None and action.plain and self._play_plainly(player, move, frame, stage, action):
                        return [] if log is None else log[start:]
                elif player == self.current and self._play_card(player, move, frame, stage, stage.plain_play):
                    return [] if log is None else log[start:]
        self._play(player, self._own(player, move), begin, end, self._known(measures))
        return [] if self.log is None else self.log[start:]

    def play_together(self, moves: Iterable[tuple[int, Move | str, Mapping[str, int]]]) -> list[Event]:
        """Make several moves in one tick: contests are settled first, the rest follows in order.

        A move that is no longer lawful comes back as an event `refused` with its law; the others stand.
        Raises IllegalMove when the match is over, and RuleError where the ruleset cannot go on: then none is made.
        """
        start = 0 if self.log is None else len(self.log)
        given = _ticked(moves)
        for player, move, measures in given:  # nothing is changed by what is no move at all
            self._check_player(player)
            if not isinstance(move, Move | str):
                raise IllegalMove("no_such_move", f"{move!r} is neither a move nor the text of one")
            check_text(str(move))  # a refused one is told and recorded as well
            self._known(measures)
        if not given:
            return []
        if self.over:
            raise IllegalMove("over", "the match is over")
        self.tick += 1
        self.carried = 0
        tick, before = self.tick, len(self.record_moves)
        for player, move, measures in self._by_contest(given):
            rest = {k: v for k, v in measures.items() if k not in ("begin", "end")}
            try:
                self._play(player, self._own(player, move), measures.get("begin"), measures.get("end"), rest, tick)
            except IllegalMove as refusal:
                self.note(Event("refused", player, f"{move}: {refusal}", told=1 << player))
                self.record_moves.append((tick, player, str(move), {"refused": 1, **measures}))
            except RuleError:  # those of the tick that were made before go with it
                self._go_back(self.record_moves[:before])
                raise
        return [] if self.log is None else self.log[start:]

    def undo(self) -> None:
        """Take back the last `play`, or the whole tick of moves made together, and all that chance gave since.

        Raises ValueError where there is nothing to take back, which is so before the first move and at the point to
        which the state was restored, and on honour, where what was said has been heard.
        """
        if self.program.honor:
            raise ValueError("on honour nothing is taken back")
        moves = self.record_moves
        if isinstance(moves, Unkept) or len(moves) <= self.floor:
            raise ValueError("there is no move to take back")
        before = len(moves) - 1
        while before > self.floor and moves[before - 1][0] == moves[-1][0]:
            before -= 1
        self._go_back(moves[:before])

    def _own(self, player: int, move: Move | str) -> Move | str:
        """The move, or its text if this game has not made it: its arguments may be anything."""
        if not isinstance(move, Move):
            return move
        action = None if self.over else self._find(player, move.action)
        return move if action is not None and move.maker is action else str(move)

    def _known(self, measures: Mapping[str, int]) -> Mapping[str, int]:
        for name, value in measures.items():
            if type(value) is not int and not (value is None and name in ("begin", "end")):
                raise IllegalMove("measure", f"{name} is a whole number")
        return measures

    def zone(self, name: str, player: int | None = None) -> list[str]:
        """The cards in a zone, top first; of a player where each has one. KeyError if there is no such zone."""
        from interpreter.engine import view

        return view.zone(self, name, player)

    @by_rules
    def value(self, name: str, player: int | None = None) -> Any:
        """A variable or definition by name, of a player where each has one. KeyError if there is none."""
        from interpreter.engine import view

        return view.value(self, name, player)

    @by_rules
    def view(self, player: int) -> View:
        """What a player may know, as plain JSON data, with that player's log."""
        from interpreter.engine import view

        return view.view(self, player)

    def to_json(self) -> str:
        """The whole state as text, for `Game.restore`.

        It holds the table as it is and every move that led there. The log follows from the moves, so only its hash
        is kept: a match of a thousand moves stays small.
        """
        data = {
            "houserules": JSON_VERSION, "game": self.game.header(), "seed": self.seed, "draws": self.draws,
            "z": self.z, "v": self.v, "up": self.up, "down": self.down, "tokens": self.tokens,
            "table": [self.current, self.dealer, self.direction, self.seats, self.skips, self.redealing],
            "stack": [f.to_json() for f in self.stack], "runs": self.runs,
            "trick": [self.plays, self.led, self.leader, self.winner, self.best, self.trick_number, self.tricks],
            "faults": [f.to_json() for f in self.faults], "lapsed": self.lapsed,
            "over": self.over, "clock": [self.clock, self.tick, self.before_tick, self.busy],
            "chance": self.chance, "start_chance": self.start_chance, "given": self.given,
            "moves": _brief(self.record_moves), "log": None if self.log is None else _hash(self.log),
        }  # fmt: skip
        return json.dumps(data, separators=(",", ":"), sort_keys=True)

    def record(self) -> str:
        """The match as JSON lines: a header, then each move with its tick, times and measures."""
        return recording.write(self)


def _ticked(moves: Iterable[tuple[int, Move | str, Mapping[str, int]]]) -> list[tuple[int, Any, Mapping[str, int]]]:
    """The moves of one tick, as triples. Raises IllegalMove."""
    found = list(moves) if isinstance(moves, Iterable) else [moves]
    for item in found:
        if not isinstance(item, Sequence) or len(item) != 3 or not isinstance(item[2], Mapping):
            raise IllegalMove("no_such_move", f"{item!r} is not (player, move, measures)")
    return found


def _hash(log: Sequence[Event]) -> str:
    return hashlib.sha256(json.dumps(log, separators=(",", ":")).encode()).hexdigest()[:16]


def _brief(moves: Sequence[RecordedMove]) -> list[str | RecordedMove]:
    """Moves as `P1 play 2C` where nothing else is to be said: alone in the tick after the last, without times."""
    found: list[str | RecordedMove] = []
    last = 0
    for move in moves:
        tick, player, text, extra = move
        found.append(f"P{player + 1} {text}" if tick == last + 1 and not extra else move)
        last = tick
    return found


def full_moves(moves: Sequence[Any]) -> Iterator[RecordedMove]:
    """The moves that `to_json` wrote, in full. Raises ValueError, TypeError or IndexError if they are none."""
    last = 0
    for move in moves:
        if isinstance(move, str):
            player, _, text = move.partition(" ")
            move = (last + 1, int(player[1:]) - 1, text, {})
        tick, player, text, extra = move
        last = int(tick)
        found = dict(extra)
        if type(found.get("refused", 1)) is not int or found.get("refused", 1) != 1:
            raise ValueError("a move is refused or not")
        yield last, int(player), str(text), found
