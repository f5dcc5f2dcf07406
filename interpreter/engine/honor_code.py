"""The honour section as the program knows it: what claims, faults and penalties come to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from interpreter.engine.situation import Situation

Lapse = tuple[Callable[["Situation"], Any], str, str, Callable[["Situation", int], Any] | None]
"""After how many; what is counted, and of which stage; whether the fault of a player goes on just now."""


class FaultCode(Struct, frozen=True, eq=False):
    """What differs for the faults of one name; None where nothing does."""

    lapse: Lapse | None
    penalty: Callable[[Situation, int, int], None] | None
    claimers: Callable[[Situation, int], list[int]] | None


class HonorCode(Struct, frozen=True, eq=False):
    """The honour section. faults: by name of the fault; names: law or announcement -> the fault's other name."""

    claim: str
    during: int
    claimers: Callable[[Situation, int], list[int]] | None
    lapse: Lapse | None
    penalty: Callable[[Situation, int, int], None]
    wrong_claim: Literal["nothing", "fault"] | Callable[[Situation, int, int], None]
    charge_each: bool
    in_turn_breach: str
    faults: dict[str, FaultCode]
    names: dict[str, str]
    claimable: tuple[str, ...]
    """The names of all faults that there can be."""
