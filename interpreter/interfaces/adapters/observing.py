"""What a player sees, as a row of numbers of fixed length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.engine.packets import bits
from interpreter.engine.sight import Eyes, lying_at
from interpreter.engine.view import faces, is_counted, scores_seen, sees_value

if TYPE_CHECKING:
    from interpreter.engine.position import Position
    from interpreter.engine.program import Program, VariableCode, ZoneCode

HUNDREDTH = 0.01
"""What a score is multiplied with."""


class Layout:
    """How observations of a game are made. n players, F different faces of cards, W words of the vocabulary.

    Seats and what belongs to players are counted from whoever looks: that player is the first. `segments` says where
    each part begins and how long it is, in this order:

    * `stage`: one number for each stage of the game, 1 for the innermost that is going on;
    * `to move`: n numbers, 1 for the player who decides now;
    * `dealer`: n numbers, 1 for the dealer, if there is one;
    * `scores`: n numbers, hundredths of the scores; 0 for one that is hidden;
    * `zone NAME`, for each zone: for each of its places F + 1 numbers: how many cards of each face are seen there, and
      how many cards lie there, or -1 where that is hidden;
    * `trick`: n times F numbers: the face of what each player has played to the trick, if it is seen;
    * `pieces NAME`, for each kind: 1 + n numbers: how many lie on the table and with each player, -1 where hidden;
    * `variable NAME`, for each: one number for each of its values: 0 if it is hidden or none, a flag as 1 or -1, a
      number in parts of its largest one, a group as how many there are in it, anything else as its place among all
      values, from above 0 to 1; player by player where each has one;
    * `chosen`: W numbers: how often each word has been chosen for the move that is being composed.
    """

    def __init__(self, program: Program, words: int) -> None:
        self._program, self._words = program, words
        self._faces = {first: number for number, first in enumerate(dict.fromkeys(program.first_copy))}
        self.segments: dict[str, tuple[int, int]] = {}
        self.size = 0
        n, width = program.n, len(self._faces)
        for name, length in (("stage", len(program.stages)), ("to move", n), ("dealer", n), ("scores", n)):
            self._add(name, length)
        self._zones = [zone for zone in program.zones if zone.base != program.aside]
        for zone in self._zones:
            self._add(f"zone {zone.name}", zone.size * (width + 1))
        self._add("trick", n * width)
        for name in program.tokens:
            self._add(f"pieces {name}", 1 + n)
        for name, variable in program.variables.items():
            self._add(f"variable {name}", variable.size)
        self._add("chosen", words)

    def _add(self, name: str, length: int) -> None:
        self.segments[name] = self.size, length
        self.size += length

    def observe(self, s: Position, player: int, deciding: int | None, chosen: Iterable[int]) -> list[float]:
        """What a player sees. deciding: who decides now. chosen: the words of the move so far, which only they see."""
        program, n = self._program, self._program.n
        row: list[float] = []
        row += _one_of(len(program.stages), s.stack[-1].stage if s.stack else None)
        row += _one_of(n, None if deciding is None else (deciding - player) % n)
        row += _one_of(n, None if s.dealer is None else (s.dealer - player) % n)
        row += _rotated([(score or 0) * HUNDREDTH for score in scores_seen(s, player)], player)
        for zone in self._zones:
            row += self._zone(s, zone, player)
        row += self._trick(s, player)
        for name in program.tokens:
            row += self._pieces(s, name, player)
        for variable in program.variables.values():
            row += self._variable(s, variable, player)
        counts = [0.0] * self._words
        for word in chosen if deciding == player else ():
            counts[word] += 1
        return row + counts

    def _zone(self, s: Position, zone: ZoneCode, player: int) -> list[float]:
        row: list[float] = []
        first, width = self._program.first_copy, len(self._faces)
        for place in _from(player, range(zone.size), zone.owners, self._program.n):
            cards = faces(s, zone.base + place, player)
            counts = [0.0] * width
            for card in cards:
                if card is not None:
                    counts[self._faces[first[card]]] += 1
            row += counts
            row.append(float(len(cards)) if is_counted(s, zone.base + place, player) else -1.0)
        return row

    def _trick(self, s: Position, player: int) -> list[float]:
        program, width = self._program, len(self._faces)
        row = [0.0] * (program.n * width)
        if any(program.stages[frame.stage].kind == "trick" for frame in s.stack):
            eyes = Eyes(s)
            for who, card in s.plays:
                if eyes.at(card, lying_at(s, card)) >> player & 1:
                    row[(who - player) % program.n * width + self._faces[program.first_copy[card]]] += 1
        return row

    def _pieces(self, s: Position, name: str, player: int) -> list[float]:
        holders, eyes = s.tokens[name], self._program.tokens[name].eyes
        held = [
            float(holders.count(other)) if other == player or eyes(s, other) >> player & 1 else -1.0
            for other in range(self._program.n)
        ]
        return [float(holders.count(-1)), *_rotated(held, player)]

    def _variable(self, s: Position, variable: VariableCode, player: int) -> list[float]:
        by_player = variable.dims[:1] == ("player",)
        owners = [key[0] if by_player else None for key in variable.keys]
        return [
            self._value(variable, s.v[variable.base + at]) if sees_value(s, variable, at, player) else 0.0
            for at in _from(player, range(variable.size), owners, self._program.n)
        ]

    def _value(self, variable: VariableCode, value: Any) -> float:
        program = self._program
        if value is None:
            return 0.0
        match variable.kind:
            case "flag":
                return 1.0 if value else -1.0
            case "integer":
                return float(value / max(1, abs(variable.low), abs(variable.high)))
            case "card":
                return (self._faces[program.first_copy[value]] + 1) / len(self._faces) if value >= 0 else 0.0
            case "suit" | "rank":
                return float((value + 1) / len(program.suits if variable.kind == "suit" else program.ranks))
            case "player" | "team":
                return float((value + 1) / program.n)
        if isinstance(value, str):
            return (variable.symbols.index(value) + 1) / len(variable.symbols) if value in variable.symbols else 0.0
        if variable.kind.startswith("set") and type(value) is int:
            return float(len(tuple(bits(value))))
        return float(len(value)) if isinstance(value, tuple | list | frozenset | set) else 0.0


def _one_of(length: int, at: int | None) -> list[float]:
    return [float(number == at) for number in range(length)]


def _rotated(values: Sequence[float], player: int) -> list[float]:
    return [*values[player:], *values[:player]]


def _from(player: int, numbers: Iterable[int], owners: Sequence[int | None], n: int) -> list[int]:
    """Numbers of places or values, those of the player first, then seat by seat; what has no owner stays in front."""
    return sorted(numbers, key=lambda at: -1 if (who := owners[at]) is None else (who - player) % n)
