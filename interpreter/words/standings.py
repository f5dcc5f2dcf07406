"""How a match stands, in sentences: who sits where, whose turn it is, who has won."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.engine.legal import waited_for
from interpreter.engine.position import Position
from interpreter.engine.standing import kind_of_phase, places, scores, winners
from interpreter.words.people import Reader, sentence
from interpreter.words.seating import directions
from interpreter.words.verbs import agreeing

SCORE = "score"
"""The variable that holds the points of games that have any."""


def result(s: Position, reader: Reader) -> str:
    """Who has won: `Anna wins with 14 points.`"""
    won, points = winners(s), scores(s)
    if not won:
        return "The match is over, and nobody wins." if s.over else "The match is not finished."
    verb = agreeing("win", len(won) == 1 and not reader.is_you(won[0]))
    told = {points[player] for player in won} if are_points(s) else set()
    with_points = f" with {_points(told.pop())}" if len(told) == 1 else ""
    return sentence(f"{reader.everybody_of(won)} {verb}{with_points}")


def table_of_results(s: Position, reader: Reader) -> Iterator[str]:
    """Everybody with their place and score, the best first."""
    points = scores(s)
    for place, player in sorted((place, p) for p, place in enumerate(places(s))):
        yield f"{place}. {reader.speaker(player)}{f': {points[player]}' if are_points(s) else ''}"


def marks(s: Position, reader: Reader) -> list[str]:
    """By player: where they sit, with whom they play, whether they deal, are to play or waited for; nothing where that
    is plain."""
    waiting, found = waited_for(s), []
    is_asked = kind_of_phase(s) == "ask"
    for player, seating in enumerate(seatings(s, reader)):
        told = ["you"] if reader.is_you(player) else [*seating]
        if player == s.dealer:
            told.append("deals" if not reader.is_you(player) else "deal")
        if player in waiting and len(waiting) < s.program.n:
            told.append("waited for" if is_asked else "to play")
        found.append(", ".join(filter(None, told)))
    return found


def seatings(s: Position, reader: Reader) -> list[tuple[str, str]]:
    """By player: where they sit and with whom they play, as `on your left`, `with Anna`; "" where that is plain."""
    teams, found = s.teams, []
    sides = len(set(teams)) < len(teams)
    for player in range(s.program.n):
        if reader.is_you(player):
            found.append(("", ""))
            continue
        others = [p for p, side in enumerate(teams) if side == teams[player] and p != player]
        mine = reader.player is not None and teams[reader.player] == teams[player]
        partner = "your partner" if mine else f"with {reader.everybody_of(others)}"
        found.append((directions(s, reader, player), partner if sides and others else ""))
    return found


def seats(s: Position) -> list[int]:
    """The players in the order in which they sit, to the left."""
    return list(s.order())


def direction(s: Position) -> str:
    """Which way play goes, where it is not to the left."""
    return "" if s.direction > 0 else "Play goes to the right."


def are_points(s: Position) -> bool:
    """Whether points are what players are ranked by, and not only something by which their places are known."""
    return SCORE in s.program.variables


def _points(number: int) -> str:
    return f"{number} point" if number == 1 else f"{number} points"
