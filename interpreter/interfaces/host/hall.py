"""What a table needs of the house that it stands in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from interpreter.interfaces.host import table_events as e
    from interpreter.interfaces.host.bot_times import Turn
    from interpreter.interfaces.host.local_match import Match
    from interpreter.interfaces.host.made_again import History
    from interpreter.interfaces.host.store import Store
    from interpreter.interfaces.host.table_state import TableState


class Hall(Protocol):
    """See `Service`, which is one."""

    store: Store
    pace: float
    away: float
    level: str
    second: float

    async def match(self, opened: e.Opened, names: list[str], history: History, instead: Match | None = None) -> Match:
        """A match as far as it has been played, which is still to be opened. instead: the one whose room it takes.
        Raises WrongGame."""

    async def think(self, table: str, state: TableState, turn: Turn, seconds: float) -> str | None:
        """What a bot does that thinks for so many seconds, or as if it did; None where it has found nothing in
        time."""

    async def advise(self, table: str, state: TableState, seat: int) -> list[str] | None:
        """What a bot would do in somebody's place; None where that was not found in time."""
