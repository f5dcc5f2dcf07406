"""How a table gets its match again: when the table comes back into memory, and when the process in which the match of a
stranger's ruleset was played has ended, because something that it was asked took too much; or when something failed
before it was known what is stored."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from interpreter.engine.notation import IllegalMove
from interpreter.engine.program import RuleError
from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host.child_match import ChildMatch
from interpreter.interfaces.host.child_process import ChildGone
from interpreter.interfaces.host.house_rules_text import NoRoom, WrongGame
from interpreter.interfaces.host.table_state import LOBBY, OVER, PLAYING

if TYPE_CHECKING:
    from interpreter.interfaces.host.live_table import Table

MOST = 3
"""So often a match is played on in a new process; then it ends."""
LOOKS_FOR_ROOM = 5.0
"""Seconds until a match is tried again for which there was no room."""
WITHIN = 90.0
"""Seconds in which a match that is over must be there for whoever looks back."""


class MatchAgain:
    """The match of one table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._delay = ""
        self._match, self._times = 0, 0
        """How often the match of that number has been begun again."""
        self._is_given_up = False
        self._looked = 0.0
        """When somebody has looked at the match last, as time.monotonic."""
        self._tries: asyncio.TimerHandle | None = None

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
            self._waits_for_room(full)
            return
        except (IllegalMove, ValueError) as error:
            table.cannot_go_on(f"the ruleset has changed since this was played: {error}")
            return
        finally:
            table.ready.set()
        self._is_given_up, self._looked = False, time.monotonic()
        await table.goes_on(match)
        if self._delay:  # pages have come meanwhile
            self._delay = ""
            await table.welcome_all()

    def _waits_for_room(self, full: NoRoom) -> None:
        """Tell why the match is not there yet, and try again; one that is over, as long as somebody is there."""
        table = self._table
        is_over = table.state.state == OVER
        self._delay = (
            f"{full} This match {'can be looked at again' if is_over else 'goes on'} as soon as there is room."
        )
        table.tell(table.news())
        self._is_given_up = is_over and table.is_empty
        if self._tries is not None:
            self._tries.cancel()
        if not self._is_given_up:
            self._tries = table.later(LOOKS_FOR_ROOM, self.open)

    # ---- matches that are over ----------------------------------------------------------------------------

    def gives_up(self, seconds: float = 0.0) -> bool:
        """Whether a match that is over, and at which nobody has looked for so many seconds, has given up the process in
        which it was played: it is made again when somebody does."""
        table, match = self._table, self._table.match
        if not isinstance(match, ChildMatch) or match.is_asked or not table.is_over or table.looking.locked():
            return False
        if time.monotonic() - self._looked < seconds:
            return False
        match.close()
        table.match, self._is_given_up = None, True
        return True

    async def look_back(self) -> None:
        """Have the match again that is over and was given up, for somebody who looks at it, if it can be had."""
        self._looked = time.monotonic()
        if not self._is_given_up or self._table.match is not None or self._table.state.state != OVER:
            return
        try:
            await self.open()
        except (RuleError, ChildGone, WrongGame) as error:
            self._times += 1
            self._is_given_up = self._times <= MOST
            self._delay = f"This match cannot be looked at: {error}"

    async def is_there(self) -> None:
        """Wait until the match that is over is there for somebody who looks back, or it is known that it cannot be."""
        self._looked = time.monotonic()
        if self._table.match is None:
            looked = asyncio.Event()
            self._table.put(self._looks_back, looked)  # in its turn: it is its table's
            with suppress(TimeoutError):
                await asyncio.wait_for(looked.wait(), WITHIN)

    async def _looks_back(self, looked: asyncio.Event) -> None:
        try:
            await self.look_back()
        finally:
            looked.set()
