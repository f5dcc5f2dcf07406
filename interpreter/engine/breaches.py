"""A breach of the rules that was made on honour, as plain data. `faults` tells when it lapses."""

from __future__ import annotations

from typing import Any


class Fault:
    """A breach that may still be claimed.

    law: its name. tick: of the move. card, place: the card of the move and where it came from. after, how, of: when
    it lapses. turns: bits of the others who have completed turns since; ends: how often `of` has ended. paid_at:
    depth of the stack when it was claimed (0: not claimed); it is gone when the penalty's stages are.
    """

    __slots__ = ("after", "card", "ends", "how", "law", "of", "offender", "paid_at", "place", "stage", "tick", "turns")

    def __init__(
        self, law: str, offender: int, stage: str, tick: int, card: int | None = None, place: int = -1
    ) -> None:
        self.law = law
        self.offender = offender
        self.stage = stage
        self.tick = tick
        self.card = card
        self.place = place
        self.after = 0
        self.how = ""
        self.of = ""
        self.turns = 0
        self.ends = 0
        self.paid_at = 0

    def copy(self) -> Fault:
        new = Fault.__new__(Fault)
        for name in Fault.__slots__:
            setattr(new, name, getattr(self, name))
        return new

    def to_json(self) -> list[Any]:
        return [getattr(self, name) for name in Fault.__slots__]
