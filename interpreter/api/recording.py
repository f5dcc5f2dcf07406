"""A match as lines of text: what was fixed at its start, then every move. `record` reads them again.

JSON lines. The first says which game it is and where chance began; each further line is one move:

    {"houserules":1,"game":{...},"seed":7,"h":"5c1f0a93"}
    {"n":1,"tick":1,"player":"P3","move":"play 2C","h":"9b03c1d2"}

`{"n":2,"undo":1}` takes moves back: the first one stays. `{"n":3,"seed":7}` lets chance
go on from another seed.

Moves of one tick were made together. `begin` and `end` are milliseconds, `measures` what the body decided, `refused`
marks a move of a tick that came too late. `h` chains each line to those before it, so that a line that was changed,
lost or doubled is noticed where it stands; a record cut after any line is the whole record of a shorter match.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from interpreter.engine.facts import RecordedMove
from interpreter.engine.position import Setup

if TYPE_CHECKING:
    from interpreter.api.game import Game
    from interpreter.api.state import State

FORMAT = 1
TIMES = ("begin", "end")


class Writer:
    """Turns a match into lines, as far as it has come; asked again, it goes on where it stopped."""

    def __init__(
        self,
        state: State,
        written: tuple[int, str] | None = None,
        people: int | None = None,
        table: Mapping[str, Any] | None = None,
    ) -> None:
        """written: when a match goes on, the number of lines after the first one, and the end of their chain.

        people: how many play at the terminal. table: who sits where, and what else of it whoever goes on has to know.
        """
        self._state = state
        self._people, self._table = people, table
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
            yield self._sealed(header(state.game, state.position.setup, self._people, self._table))
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
            yield self._numbered(_line(told[-1]))

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


def write(state: State) -> str:
    """The record of a match so far."""
    setup = state.position.setup
    return written(header(state.game, setup), state.position.record_moves, setup.redrawn)


def written(head: Mapping[str, Any], moves: Iterable[RecordedMove], redrawn: Iterable[tuple[int, int]]) -> str:
    """The record of a match of which this is known, whether or not it can be played again.

    head: what the first line says, see `header`. redrawn: after how many moves chance went on from which seed.
    """
    line, chain = sealed(dict(head))
    lines = [line]
    for number, body in enumerate(_bodies(moves, dict(redrawn)), start=1):
        line, chain = sealed({"n": number, **body}, chain)
        lines.append(line)
    return "".join(lines)


def _bodies(moves: Iterable[RecordedMove], seeds: Mapping[int, int]) -> Iterator[dict[str, Any]]:
    """What stands in the lines behind the first."""
    made = 0
    for made, move in enumerate(moves, 1):
        if made - 1 in seeds:
            yield {"seed": seeds[made - 1]}
        yield _line(move)
    if made in seeds:
        yield {"seed": seeds[made]}


def dump(body: dict[str, Any]) -> str:
    """One line without its seal."""
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False)


def sealed(body: dict[str, Any], chain: str = "") -> tuple[str, str]:
    """A line with its seal and its end, and the chain after it."""
    text = dump(body)
    after = link(chain, text)
    return f'{text[:-1]},"h":"{after}"}}\n', after


def link(chain: str, text: str) -> str:
    """The chain after a line."""
    return sha256(f"{chain}{text}".encode("utf-8", "surrogatepass")).hexdigest()[:8]


def header(
    game: Game, setup: Setup, people: int | None = None, table: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What the first line says of a match. people: how many play at the terminal. table: what else is said of them."""
    found: dict[str, Any] = {
        "houserules": FORMAT,
        "name": game.ruleset.name,
        "game": game.header(),
        "from": game.ruleset.sources(),
        "seed": setup.seed,
    }
    if setup.chance:
        found["chance"] = setup.chance
    if setup.given is not None:
        found["given"] = setup.given
    if people is not None:
        found["people"] = people
    if table:
        found["table"] = dict(table)
    return found


def _line(move: RecordedMove) -> dict[str, Any]:
    tick, player, text, extra = move
    found: dict[str, Any] = {"tick": tick, "player": f"P{player + 1}", "move": text}
    found |= {key: extra[key] for key in TIMES if key in extra}
    measures = {key: value for key, value in extra.items() if key not in (*TIMES, "refused")}
    if measures:
        found["measures"] = measures
    if extra.get("refused"):
        found["refused"] = True
    return found
