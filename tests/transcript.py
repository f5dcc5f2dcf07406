"""Matches as people read them: what tests/playthroughs/*.txt hold, and how they are told again.

A transcript is made from its header and its moves alone. For every decision it says who may do what, what was done,
and what followed, in the sentences in which people read it; after each deal, what every seat sees; and the scores
whenever a deal has been counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

import interpreter
from interpreter import Event, Game, Move
from interpreter.api.game import State
from interpreter.words.voice import Voice

FOLDER = Path(__file__).parent / "playthroughs"
MOVE = re.compile(r"^> P(\d+) (.*?)(?:  => .*)?$")
KEYS = ("ruleset", "players", "enforcement", "variants", "options", "seed")
MOST = 13
"""So many moves are listed in full; of more, only the first few."""

ROOM = 150
"""Letters of what follows from a move that stand behind it; more stand below."""

Next = Callable[[State], tuple[int, str] | None]


@dataclass(frozen=True)
class Header:
    about: str
    ruleset: str
    players: int
    enforcement: str
    variants: tuple[str, ...]
    options: dict[str, Any]
    seed: int

    def game(self) -> Game:
        return interpreter.load(self.ruleset).game(self.players, self.options, self.variants, self.enforcement)

    def lines(self) -> Iterator[str]:
        yield f"# {self.about}"
        for key in KEYS:
            value = getattr(self, key)
            text = (
                ", ".join(value) if key == "variants" else yaml.safe_dump(value, default_flow_style=True, width=1_000)
            )
            yield f"{key}: {text.removesuffix('...' + chr(10)).strip() or '-'}"


def read(text: str) -> tuple[Header, list[tuple[int, str]]]:
    """The header of a transcript and its moves."""
    first, *rest = text.splitlines()
    fields = dict(line.split(": ", 1) for line in rest[: len(KEYS)])
    variants = tuple(fields["variants"].split(", ")) if fields["variants"] != "-" else ()
    header = Header(
        first.removeprefix("# "), fields["ruleset"], int(fields["players"]), fields["enforcement"], variants,
        yaml.safe_load(fields["options"]), int(fields["seed"]),
    )  # fmt: skip
    moves = [(int(found[1]) - 1, found[2]) for line in rest if (found := MOVE.match(line))]
    return header, moves


def tell(header: Header, choose: Next) -> str:
    """The transcript of a match. choose: the next move, or None to stop."""
    return "\n".join(_tell(header, choose)) + "\n"


def told_again(text: str) -> str:
    """The transcript that the header and the moves of a transcript give now."""
    header, moves = read(text)
    left = iter(moves)
    return tell(header, lambda state: next(left, None))


def _tell(header: Header, choose: Next) -> Iterator[str]:
    yield from header.lines()
    state = header.game().start(seed=header.seed)
    phase, events = "", list(state.log or ())
    voice = Voice(state.position)
    yield ""
    yield from _sentences(voice, events)
    while True:
        if any(event.kind == "shuffle" for event in events) and not state.over:
            yield from _seats(state)
        if state.phase != phase:
            phase = state.phase
            yield ""
            yield f"-- {phase}"
        if state.over:
            break
        chosen = choose(state)
        if chosen is None:
            yield f"(the transcript ends here; {_people(state.actors)} to act)"
            break
        player, move = chosen
        legal = state.legal_moves(player)
        yield f"{_waiting(state, player)}P{player + 1} may {_moves(list(legal[:60]), len(legal))}"
        events = state.play(player, move)
        told = list(_sentences(voice, events))
        long = len("".join(told)) > ROOM
        yield f"> P{player + 1} {move}" + (
            f"  => {' '.join(line.strip() for line in told)}" if told and not long else ""
        )
        if long:
            yield from told
        if any(event.kind in ("score", "shuffle") for event in events) or state.over:
            yield f"scores: {', '.join(f'P{p + 1} {score}' for p, score in enumerate(state.scores))}"
    if state.over:
        won, *placed = voice.result(None)
        yield f"{won} {', '.join(placed)}; decisions: {len(state.position.record_moves)}"


def _people(players: list[int]) -> str:
    return " ".join(f"P{p + 1}" for p in players) or "nobody"


def _waiting(state: State, player: int) -> str:
    """Who else is waited for, where it is not just the one who moves."""
    actors = state.actors
    return "" if actors == [player] else f"[{_people(actors)} to act] "


def _moves(moves: list[Move], count: int) -> str:
    """Legal moves with the action said once: `play 2C, 3C`; `pass 3 of 286 ...`."""
    if not moves:
        return "do nothing"
    shown = moves if count <= MOST else moves[:4]
    parts: list[str] = []
    action = ""
    for move in shown:
        text = str(move)
        same = action == move.action and text.startswith(f"{action} ")
        parts.append(f", {text.removeprefix(f'{action} ')}" if same else f"{' | ' if parts else ''}{text}")
        action = move.action
    return "".join(parts) + (f", ... ({count} in all)" if count > len(shown) else "")


def _sentences(voice: Voice, events: list[Event]) -> Iterator[str]:
    """What has happened, as somebody reads it who sees everything."""
    yield from (f"    {line.text}" for line in voice.told(None, events))


def _seats(state: State) -> Iterator[str]:
    """What each seat sees after the deal: faces, else how many cards; what all see alike only once."""
    seats = [list(_sees(state, player)) for player in range(state.game.program.n)]
    common = [shown for shown in seats[0] if all(shown in seat for seat in seats)]
    if common:
        yield f"  all see {'; '.join(common)}"
    for player, seat in enumerate(seats):
        yield f"  P{player + 1} sees {'; '.join(shown for shown in seat if shown not in common)}"


def _sees(state: State, player: int) -> Iterator[str]:
    for zone, places in state.view(player)["zones"].items():
        if places is None:
            continue
        if "count" in places or "cards" in places:
            places = {"": places}
        for owner, place in places.items():
            faces = [face for face in place["cards"] if face is not None]
            hidden = place.get("count", len(faces)) - len(faces)
            if faces or hidden:
                cards = " ".join(faces) + (" and " if faces and hidden else "") + (f"{hidden} hidden" if hidden else "")
                yield f"{zone}{' ' * bool(owner)}{owner}: {cards}"
