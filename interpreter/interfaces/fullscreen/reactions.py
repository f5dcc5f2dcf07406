"""How quick everybody was: from when a move could be made, and a hand was free for it, to when it was begun."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, median
from typing import TYPE_CHECKING

from interpreter.engine.standing import kind_of_phase
from interpreter.interfaces.fullscreen.things import MOST

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.situation import RecordedMove

TIMED = ("race", "simultaneous")
"""Kinds of stages in which it counts who is quick."""


class Reactions:
    """Watches a match: asked to look after each change, it knows since when each move has been open to each player.

    person: who reads of it, and of no move that they are not told of; None for somebody who watches all.
    """

    def __init__(self, state: State, person: int | None = None) -> None:
        self._person, self._logged = person, len(state.log or ())
        self.moves = [0] * state.game.program.n
        self.times: list[list[int]] = [[] for _ in range(state.game.program.n)]
        self._state = state
        self._read = len(state.position.record_moves)
        self._since: list[dict[str, int]] = [{} for _ in range(state.game.program.n)]
        self._free = [state.position.clock] * state.game.program.n
        self._timed = kind_of_phase(state.position) in TIMED
        self._look(state.position.clock)

    def look(self, now: int) -> None:
        """Take in the moves that have been made since the last look, and what is open now."""
        record = self._state.position.record_moves
        if self._read == len(record):
            return
        known = self._told_of()
        for move in record[self._read :]:
            if known is None or move[1] in known:
                self._made(move)
        self._read = len(record)
        self._timed = kind_of_phase(self._state.position) in TIMED
        self._look(now)

    def _told_of(self) -> set[int] | None:
        """Whose moves the person has been told of since the last look; None: everybody's."""
        log = self._state.log
        if self._person is None or log is None:
            return None
        news, self._logged = log[self._logged :], len(log)
        own = self._person
        return {own} | {one.player for one in news if one.player is not None and one.told >> own & 1}

    def came_late(self, player: int, now: int) -> None:
        """A move came too late, and the hand that made it is free again."""
        self._free[player] = now

    def _made(self, move: RecordedMove) -> None:
        _, player, text, extra = move
        if "refused" in extra:
            return
        self.moves[player] += 1
        since = self._since[player].get(text)
        if self._timed and since is not None and "begin" in extra:
            self.times[player].append(max(0, extra["begin"] - max(since, self._free[player])))
        self._free[player] = extra.get("end", self._free[player])

    def _look(self, now: int) -> None:
        for player, since in enumerate(self._since):
            moves = self._state.legal_moves(player) if self._timed else ()
            listed = [str(move) for move in moves] if len(moves) <= MOST else []
            self._since[player] = {text: since.get(text, now) for text in listed}


def told(times: Sequence[int]) -> tuple[str, str]:
    """Mean and median in milliseconds, or dashes."""
    return (str(round(mean(times))), str(round(median(times)))) if times else ("-", "-")
