"""How a table gets its match again: when the table comes back into memory, and when the process in which the match of a
stranger's ruleset was played has ended, because something that it was asked took too much; or when something failed
before it was known what is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.engine.notation import IllegalMove
from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host.house_rules_text import NoRoom
from interpreter.interfaces.host.table_state import LOBBY, PLAYING

if TYPE_CHECKING:
    from interpreter.interfaces.host.live_table import Table

MOST = 3
"""So often a match is played on in a new process; then it ends."""
LOOKS_FOR_ROOM = 5.0
"""Seconds until a match is tried again for which there was no room."""


class MatchAgain:
    """The match of one table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._delay = ""
        self._match, self._times = 0, 0
        """How often the match of that number has been begun again."""

    @property
    def delay(self) -> str:
        """Why the match that was being played is not there yet."""
        return self._delay if self._table.match is None else ""

    @property
    def is_needed(self) -> bool:
        """Whether the match was closed, or the process has ended in which it was played."""
        return self._table.match is not None and self._table.match.is_gone

    async def begin(self, why: str) -> None:
        """Go on from the last move, if need be in a new process. why: what has become of it."""
        table = self._table
        if not self.is_needed or table.match is None:
            return
        if self._match != table.state.match:
            self._match, self._times = table.state.match, 0
        self._times += 1
        table.match.close()
        if table.state.state == LOBBY:  # it could not even begin
            table.match = table.standing = None
            return
        if self._times > MOST:
            table.cannot_go_on(why)
            if self._times > MOST + 1:  # also for those who look back
                return
        elif table.state.state == PLAYING:
            table.tell(p.Failure(f"{why} The match goes on from its last move."))
        table.match = table.standing = None
        await self.open()
        await table.welcome_all()

    async def open(self) -> None:
        """Have the match that was being played, or was over, unless there has been a rematch meanwhile."""
        table = self._table
        if table.match is not None:
            return
        try:
            match = await table.hall.match(table.state.opened, table.state.names, table.state.history)
        except NoRoom as full:
            self._delay = f"{full} This match goes on as soon as there is room."
            table.tell(table.news())
            table.later(LOOKS_FOR_ROOM, self.open)
            return
        except (IllegalMove, ValueError) as error:
            table.cannot_go_on(f"the ruleset has changed since this was played: {error}")
            return
        finally:
            table.ready.set()
        await table.goes_on(match)
        if self._delay:  # pages have come meanwhile
            self._delay = ""
            await table.welcome_all()
