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
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from interpreter.api.settled import Settled
from interpreter.engine.position import Position, Setup
from interpreter.engine.situation import RecordedMove

FORMAT = 1
TIMES = ("begin", "end")


def record_of(game: Settled, s: Position) -> str:
    """The record of a match so far."""
    return written(header(game, s.setup), s.record_moves, s.setup.redrawn)


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
        yield line_of(move)
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
    game: Settled,
    setup: Setup,
    people: int | None = None,
    table: Mapping[str, Any] | None = None,
    anywhere: bool = False,
) -> dict[str, Any]:
    """What the first line says of a match. people: how many play at the terminal. table: what else is said of them.
    anywhere: whether its rules are to be found from any folder."""
    found: dict[str, Any] = {
        "houserules": FORMAT,
        "name": game.ruleset.name,
        "game": game.header(),
        "from": game.ruleset.sources(anywhere),
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


def line_of(move: RecordedMove) -> dict[str, Any]:
    """What the line of a move says."""
    tick, player, text, extra = move
    found: dict[str, Any] = {"tick": tick, "player": f"P{player + 1}", "move": text}
    found |= {key: extra[key] for key in TIMES if key in extra}
    measures = {key: value for key, value in extra.items() if key not in (*TIMES, "refused")}
    if measures:
        found["measures"] = measures
    if extra.get("refused"):
        found["refused"] = True
    return found
