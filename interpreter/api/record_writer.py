"""A match that is being played as lines of its record, as far as it has come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interpreter.api.game import State
from interpreter.api.recording import header, line_of, sealed
from interpreter.engine.situation import RecordedMove


class Writer:
    """Turns a match into lines, as far as it has come; asked again, it goes on where it stopped."""

    def __init__(
        self,
        state: State,
        written: tuple[int, str] | None = None,
        people: int | None = None,
        table: Mapping[str, Any] | None = None,
        anywhere: bool = False,
    ) -> None:
        """written: when a match goes on, the number of lines after the first one, and the end of their chain.

        people: how many play at the terminal. table: who sits where, and what else of it whoever goes on has to know.
        anywhere: as `header` takes it.
        """
        self._state = state
        self._people, self._table, self._anywhere = people, table, anywhere
        self._has_header = written is not None
        self._written, self._chain = (0, "") if written is None else written
        self._told = list(state.position.record_moves) if self._has_header else []
        """The moves that the lines lead to so far."""
        self._redrawn = self._seeds if self._has_header else {}
        """Where chance goes on from another seed, as far as the lines tell."""

    def lines(self) -> Iterator[str]:
        """The lines that have not been asked for yet, each with its line end."""
        if not self._has_header:
            self._has_header = True
            state = self._state
            yield self._sealed(header(state.game, state.position.setup, self._people, self._table, self._anywhere))
        moves = self._state.position.record_moves
        told = self._told
        if told and (len(moves) < len(told) or moves[len(told) - 1] is not told[-1] or self._redrawn != self._seeds):
            yield from self._taken_back(moves)
        while True:
            seed = self._seeds.get(len(told))
            if seed is not None and self._redrawn.get(len(told)) != seed:
                self._redrawn[len(told)] = seed
                yield self._numbered({"seed": seed})
            if len(told) == len(moves):
                return
            told.append(moves[len(told)])
            yield self._numbered(line_of(told[-1]))

    @property
    def _seeds(self) -> dict[int, int]:
        """Where chance goes on from another seed, in the match as it is."""
        return dict(self._state.position.setup.redrawn)

    def _taken_back(self, moves: Sequence[RecordedMove]) -> Iterator[str]:
        """The line that some of the moves that have been told were taken back, if any were."""
        told = self._told
        same = next((at for at, pair in enumerate(zip(told, moves, strict=False)) if pair[0] != pair[1]), None)
        seeds = self._seeds
        # Where chance is as it was before it was drawn anew, the move before goes too: only so is the seed forgotten.
        changed = (at if at in seeds else at - 1 for at, _ in self._redrawn.items() ^ seeds.items())
        stay = min(len(told), len(moves), *([] if same is None else [same]), *changed)
        if stay < len(told):
            yield self._numbered({"undo": stay})
        told[:] = moves[:stay]
        self._redrawn = {before: seed for before, seed in self._redrawn.items() if before <= stay}

    def _numbered(self, body: dict[str, Any]) -> str:
        self._written += 1
        return self._sealed({"n": self._written, **body})

    def _sealed(self, body: dict[str, Any]) -> str:
        line, self._chain = sealed(body, self._chain)
        return line
