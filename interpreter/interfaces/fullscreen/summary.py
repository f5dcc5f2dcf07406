"""How a match went: who has won, how everybody stands, how quick they were, how long it took."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from interpreter.engine.standing import kind_of_phase
from interpreter.interfaces.fullscreen.reactions import told
from interpreter.words.drawing import rows_of_players

if TYPE_CHECKING:
    from interpreter.interfaces.fullscreen.sitting import Sitting


def minutes(milliseconds: int) -> str:
    """`4:07`."""
    seconds = milliseconds // 1000
    return f"{seconds // 60}:{seconds % 60:02}"


def summary(sitting: Sitting) -> Iterator[str]:
    """The lines that end a match."""
    yield next(iter(sitting.voice.result(sitting.person)))
    if sitting.state.over:
        yield from sitting.came_of_it
    yield from ("", *table(sitting), "")
    made = sum(sitting.moves)
    yield f"length of the match: {minutes(sitting.now)} minutes, {made} move{'' if made == 1 else 's'}"
    yield "reaction: from when a move could be made, in a race, to when it was begun"


def between(sitting: Sitting, asked: str, room: int) -> Iterator[str]:
    """The lines behind a race. asked: what the person is asked next. room: lines for what came of the race."""
    yield "The race is over. Enter goes on; until then time stands still. r shows the rules."
    if asked and kind_of_phase(sitting.state.position) == "race":
        yield f"Enter begins the next race at once: {asked[0].lower()}{asked[1:]}"
    yield from ("", *islice(sitting.came_of_it, room), "", *table(sitting))


def scores(sitting: Sitting, view: Mapping[str, Any]) -> Iterator[str]:
    """The scores by deal; in a game without points how everybody stands while it goes on, as the person sees it."""
    voice, person = sitting.voice, sitting.person
    yield from voice.scores(person, sitting.state.log or [])
    if not voice.counts_points and not sitting.state.over:
        yield from rows_of_players(view, (), voice.captions(person))


def table(sitting: Sitting) -> Iterator[str]:
    """A line for each player, with their points where the game is about points."""
    state, counts = sitting.state, sitting.voice.counts_points
    rows: list[tuple[str, ...]] = [
        ("", "place", *(["score"] if counts else []), "moves", "refused", "mean ms", "median ms")
    ]
    scores = [*state.scores] if sitting.person is None else state.view(sitting.person)["scores"]
    places = state.places if state.over else [0] * state.game.program.n
    for place, player in sorted((place, player) for player, place in enumerate(places)):
        who = f"{sitting.voice.name(player)}{' (you)' if player == sitting.person else ''}"
        made = str(sitting.moves[player]), str(sitting.late[player])
        score = ["-" if scores[player] is None else str(scores[player])] if counts else []
        rows.append((who, str(place or "-"), *score, *made, *told(sitting.reactions[player])))
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        numbers = [f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield "  ".join([f"{row[0]:<{widths[0]}}", *numbers])
