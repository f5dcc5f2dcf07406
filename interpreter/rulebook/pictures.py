"""Cards and tables as drawings for a page: SVG that needs nothing else."""

from __future__ import annotations

import html as entities
import re

from interpreter.rulebook.seats import PACK, Drawing, Seat

CARD = re.compile(r"\b(10|[2-9AJQK])([♣♦♥♠])")
_SIGNS = {
    "♣": "M6 1a3 3 0 0 0-2.4 4.8A3 3 0 1 0 5.3 9L4.5 12h3L6.7 9a3 3 0 1 0 1.7-3.2A3 3 0 0 0 6 1z",
    "♦": "M6 .5 10.5 6.5 6 12.5 1.5 6.5z",
    "♥": "M6 12C2 8.5.5 6.5.5 4A3 3 0 0 1 6 2.5 3 3 0 0 1 11.5 4C11.5 6.5 10 8.5 6 12z",
    "♠": "M6 .5C3 4 .5 5.5.5 8A2.7 2.7 0 0 0 5.2 9.7L4.5 12.5h3L6.8 9.7A2.7 2.7 0 0 0 11.5 8C11.5 5.5 9 4 6 .5z",
}
_RED = "♦♥"
_ROOM, _LINE, _LETTER = 30, 22, 8.2
"""Of the table's drawing: what is left around it, the height of a line, and the width of a letter."""


def with_cards(text: str) -> str:
    """A text that has been escaped, with its cards drawn."""
    return CARD.sub(lambda found: _card(found[1], found[2]), text)


def _card(rank: str, sign: str) -> str:
    colour = "red" if sign in _RED else "black"
    return (
        f'<svg class="card {colour}" viewBox="0 0 36 22" role="img" aria-label="{rank}{sign}">'
        f'<rect x="1" y="1" width="34" height="20" rx="3" /><text x="11" y="16">{rank}</text>'
        f'<path transform="translate(21 4.5)" d="{_SIGNS[sign]}" /></svg>'
    )


def table(drawing: Drawing) -> str:
    """The table from above: who sits where, and what lies in the middle."""
    left, top, right = drawing.sides
    aside = max((_width(seat) for seat in (*left, *right)), default=0) + 20
    width = 2 * aside + max(220, round(1.2 * sum(_width(seat) + 16 for seat in top)))
    inner, rows = width - 2 * aside, max(len(left), len(right), 2)
    height = 2 * _ROOM + 44 + rows * _LINE
    parts = [f'<rect class="felt" x="{aside}" y="{_ROOM}" width="{inner}" height="{height - 2 * _ROOM}" rx="24" />']
    for number, seat in enumerate(top):
        parts.append(_seat(seat, aside + inner * (2 * number + 1) // (2 * len(top)), _ROOM - 10, "middle"))
    for side, x, anchor in ((left[::-1], aside - 8, "end"), (right, width - aside + 8, "start")):
        for number, seat in enumerate(side):
            y = _ROOM + (height - 2 * _ROOM) * (2 * number + 1) // (2 * len(side)) + 5
            parts.append(_seat(seat, x, y, anchor))
    parts.append(_seat(drawing.seats[0], width // 2, height - 8, "middle"))
    for number, thing in enumerate(drawing.middle):
        x = width // 2 + 44 * number - 22 * len(drawing.middle) + 7
        kind = "back" if thing == PACK else "face"
        parts.append(f'<rect class="{kind}" x="{x}" y="{height // 2 - 20}" width="30" height="40" rx="4" />')
    names = ", ".join(seat.label for seat in drawing.seats)
    return (
        f'<svg class="table" viewBox="0 0 {width} {height}" role="img" aria-label="{entities.escape(names)}">'
        f"{''.join(parts)}</svg>"
    )


def _seat(seat: Seat, x: int, y: int, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{entities.escape(seat.label)}</text>'


def _width(seat: Seat) -> int:
    return round(_LETTER * len(seat.label))
