"""How a match stands, in sentences: who sits where, whose turn it is, who has won."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.engine.legal import actors
from interpreter.engine.position import Position
from interpreter.engine.standing import places, scores, winners
from interpreter.words.people import Reader, listed, sentence
from interpreter.words.questions import directions
from interpreter.words.verbs import agreeing


def result(s: Position, reader: Reader) -> str:
    """Who has won: `Anna wins with 14 points.`"""
    won, points = winners(s), scores(s)
    if not won:
        return "The match is over, and nobody wins." if s.over else "The match is not finished."
    verb = agreeing("win", len(won) == 1 and not reader.is_you(won[0]))
    told = {points[player] for player in won}
    with_points = f" with {_points(told.pop())}" if len(told) == 1 else ""
    return sentence(f"{reader.everybody_of(won)} {verb}{with_points}")


def table_of_results(s: Position, reader: Reader) -> Iterator[str]:
    """Everybody with their place and score, the best first."""
    points = scores(s)
    for place, player in sorted((place, p) for p, place in enumerate(places(s))):
        yield f"{place}. {reader.speaker(player)}: {points[player]}"


def seats(s: Position, reader: Reader) -> Iterator[str]:
    """Who sits where, from the reader on: who deals, whose turn it is, who plays together."""
    order = s.order()
    start = 0 if reader.player is None else order.index(reader.player)
    waiting, sides = actors(s), len(set(s.teams)) < len(s.teams)
    for player in order[start:] + order[:start]:
        marks = [directions(s, reader, player)]
        if (
            sides
            and reader.player is not None
            and player != reader.player
            and s.teams[player] == s.teams[reader.player]
        ):
            marks.append("your partner")
        if player == s.dealer:
            marks.append("deals")
        if player in waiting and len(waiting) < s.program.n:
            marks.append("to play")
        yield f"{reader.speaker(player)}{' (' + ', '.join(filter(None, marks)) + ')' if any(marks) else ''}"


def header(s: Position, reader: Reader) -> str:
    """The people around the table on one line, in the order in which they sit and play goes."""
    arrow = " → " if s.direction > 0 else " ← "
    return arrow.join(seats(s, reader))


def sides(s: Position, reader: Reader) -> str:
    """Who plays with whom; nothing where everybody plays alone."""
    if len(set(s.teams)) == len(s.teams):
        return ""
    return listed([reader.side(team) for team in sorted(set(s.teams))], "against")


def _points(number: int) -> str:
    return f"{number} point" if number == 1 else f"{number} points"
