"""Who sits where at a table: a drawing for pages and for terminals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

NAMES = (
    "Anna", "Ben", "Cleo", "Dora", "Emil", "Finn", "Greta", "Hugo", "Ida", "Jan", "Kim", "Leo", "Mia", "Noa", "Olaf",
)  # fmt: skip
"""Those at your table, from your left on."""
PACK, CARDS = "pack", "cards"
"""What lies in the middle: a pack face down, cards face up."""


class Seat(NamedTuple):
    """Who sits there, and what is worth a word of it: `deals`, `your partner`."""

    name: str
    note: str = ""

    @property
    def label(self) -> str:
        """What is written there: `Anna (deals)`."""
        return f"{self.name} ({self.note})" if self.note else self.name


@dataclass(frozen=True)
class Drawing:
    """A table. seats: you first, then to the left. middle: what lies there, each PACK or CARDS."""

    seats: tuple[Seat, ...]
    middle: tuple[str, ...] = ()

    @property
    def sides(self) -> tuple[tuple[Seat, ...], tuple[Seat, ...], tuple[Seat, ...]]:
        """Who sits at the left of the table from you upwards, along the top from the left, at the right downwards."""
        others = self.seats[1:]
        each = 0 if len(others) < 2 else max(1, (len(others) - 1) // 4 + (len(others) > 8))
        return others[:each], others[each : len(others) - each], others[len(others) - each :]


def names(players: int, you: int = 0) -> list[str]:
    """What the players are called, from the first on, if one of them is you."""
    return ["You" if p == you else NAMES[(p - you) % players - 1] for p in range(players)]


def drawn(drawing: Drawing, width: int) -> str:
    """The table as lines of text."""
    left, top, right = drawing.sides
    labels = [[seat.label for seat in side] for side in (left, top, right)]
    aside = max((len(label) for label in (*labels[0], *labels[2])), default=0)
    above = "   ".join(labels[1])
    inside = max(24, len(above))
    rows = max(len(left), len(right), 1)
    if inside + 2 * aside + 6 > width:  # too narrow for a table: the seats in their order
        return "\n".join(f"{number}. {seat.label}" for number, seat in enumerate(drawing.seats, 1))
    middle = "   ".join({PACK: "▒▒", CARDS: "[ ]"}[thing] for thing in drawing.middle)
    pad = " " * aside
    lines = [f"{pad}  {above:^{inside + 2}}" if above else "", f"{pad}  ┌{'─' * inside}┐"]
    for row in range(2 * rows + 1):
        at, seat = divmod(row, 2)
        one = labels[0][len(left) - 1 - at] if seat and len(left) > at else ""
        other = labels[2][at] if seat and len(right) > at else ""
        lines.append(f"{one:>{aside}}  │{middle if row == rows else '':^{inside}}│  {other}".rstrip())
    lines += [f"{pad}  └{'─' * inside}┘", f"{pad}  {drawing.seats[0].label:^{inside + 2}}".rstrip()]
    return "\n".join(line for line in lines if line)
