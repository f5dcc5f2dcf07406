"""How a table gets its match again: when the table comes back into memory, and when the process in which the match of a
stranger's ruleset was played has ended, because something that it was asked took too much; or when something failed
before it was known what is stored.

Its moves were answered, so they are made again however long that takes. The table waits for that no longer than a
moment: then people are told, and are welcomed anew when the match is there.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from interpreter.engine.notation import IllegalMove
from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host.child_match import ChildMatch
from interpreter.interfaces.host.child_process import ChildGone, TookLong
from interpreter.interfaces.host.house_rules_text import NoRoom, WrongGame
from interpreter.interfaces.host.local_match import Match
from interpreter.interfaces.host.stored_table import StoredTable
from interpreter.interfaces.host.table_state import LOBBY, OVER, PLAYING

log = logging.getLogger("houserules.host")
MOST = 3
"""So often a match is played on in a new process; then it ends."""
AT_ONCE = 15.0
"""Seconds in which a match is made again before anything else is done at its table."""
LOOKS_FOR_ROOM = 5.0
"""Seconds until a match is tried again for which there was no room, or no time: then at least as many as that took."""
WITHIN = 90.0
"""Seconds in which a match that is over must be there for whoever looks back."""
A_WHILE = "This match is made again from its moves, which takes a while."
LATE = "To make this match again takes longer than it did to play it; it is tried again."


class MatchAgain:
    """The match of one table."""

    def __init__(self, table: StoredTable) -> None:
        self._table = table
        self._delay = ""
        self._match, self._times = 0, 0
        """How often the match of that number has been begun again."""
        self._is_given_up = False
        self._looked = 0.0
        """When somebody has looked at the match last, as time.monotonic."""
        self._tries: asyncio.TimerHandle | None = None
        self._making: asyncio.Task[Match] | None = None
        """What makes the match again, until it is known at the table what came of it."""
        self._coming: Match | None = None
        """The match that is being made again, as soon as it has a place."""
        self._began = 0.0
        self._late = 0
        """How often that has taken too long since the match was there last."""

    @property
    def delay(self) -> str:
        """Why the match that was being played is not there yet."""
        return self._delay if self._table.match is None else ""

    @property
    def is_needed(self) -> bool:
        """Whether the match was closed, or the process has ended in which it was played."""
        return self._table.match is not None and self._table.match.is_gone

    async def begin(self, why: str, counts: bool = True) -> None:
        """Go on from the last move, if need be in a new process. why: what has become of it. counts: whether the match
        itself has failed."""
        table = self._table
        if not self.is_needed or table.match is None:
            return
        if counts:
            self._fails()
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

    def _fails(self) -> int:
        """Something went wrong with the match; how often by now."""
        if self._match != self._table.state.match:
            self._match, self._times = self._table.state.match, 0
        self._times += 1
        return self._times

    # ---- making it again ----------------------------------------------------------------------------------

    async def open(self) -> None:
        """Have the match that was being played, or was over, unless there has been a rematch meanwhile: at once, or
        later if that takes long."""
        table = self._table
        if table.match is not None or self._making is not None:
            return
        self._began = time.monotonic()
        making = self._making = asyncio.create_task(self._make())
        making.add_done_callback(lambda made: made.cancelled() or made.exception())  # it may have been given up
        try:
            await asyncio.wait({making}, timeout=AT_ONCE)
        finally:
            table.ready.set()
        if making.done():
            await self._made(making)
        else:
            self._tells(A_WHILE)
            making.add_done_callback(lambda made: table.put(self._made, made))

    async def _make(self) -> Match:
        state = self._table.state
        match = self._coming = await self._table.hall.match(state.opened, state.names, state.history)
        try:
            await match.open(self._late)
        except BaseException:
            match.close()
            raise
        return match

    async def _made(self, making: asyncio.Task[Match]) -> None:
        """The match is made again, or could not be."""
        table = self._table
        if self._making is not making:  # it was given up meanwhile
            return
        self._making = self._coming = None
        try:
            match = making.result()
        except NoRoom as full:
            self._waits(f"{full} {self._when_there_is_room}")
        except TookLong:
            self._late += 1
            self._waits(LATE, time.monotonic() - self._began)
        except (IllegalMove, ValueError) as error:
            self._cannot_be_made(RuleError(f"the ruleset has changed since this was played: {error}"))
        except (RuleError, WrongGame) as error:
            self._cannot_be_made(error)
        except ChildGone as gone:
            self._goes_wrong(str(gone))
        except Exception as error:
            log.error("a match could not be made again", exc_info=error)
            self._goes_wrong("Something went wrong.")
        else:
            self._is_given_up, self._looked, self._late = False, time.monotonic(), 0
            await table.goes_on(match)
            if self._delay:  # pages have come meanwhile
                self._delay = ""
                await table.welcome_all()

    def _goes_wrong(self, why: str) -> None:
        """What may be no fault of the rules is tried again, but not for ever."""
        if self._fails() > MOST:
            self._cannot_be_made(why)
        else:
            self._waits(f"{why} It is tried again.")

    def _cannot_be_made(self, error: Exception | str) -> None:
        """The rules cannot go on, and people are told; of a match that is over, that nobody can look at it."""
        if self._table.state.state != OVER:
            self._table.cannot_go_on(error)
            self._is_given_up = False
        else:
            self._is_given_up = self._fails() <= MOST
        self._tells(f"This match cannot be looked at: {error}")

    @property
    def _when_there_is_room(self) -> str:
        does = "can be looked at again" if self._table.state.state == OVER else "goes on"
        return f"This match {does} as soon as there is room."

    def _tells(self, delay: str) -> None:
        """Tell why the match is not there."""
        self._delay = delay
        self._table.tell(self._table.news())

    def _waits(self, delay: str, seconds: float = 0.0) -> None:
        """Tell why the match is not there yet, and try again after a while, so many seconds at least; one that is over,
        as long as somebody is there."""
        table = self._table
        self._tells(delay)
        self._is_given_up = table.state.state == OVER and table.is_empty
        if self._tries is not None:
            self._tries.cancel()
        if not self._is_given_up:
            self._tries = table.later(max(LOOKS_FOR_ROOM, seconds), self.open)

    def drop(self) -> None:
        """Nobody waits for what is being made again; its place is free at once."""
        making, coming = self._making, self._coming
        self._making = self._coming = None
        if making is not None:
            making.cancel()
        if coming is not None:
            coming.close()

    # ---- matches that are over ----------------------------------------------------------------------------

    def gives_up(self, seconds: float = 0.0) -> bool:
        """Whether a match that is over, and at which nobody has looked for so many seconds, has given up the process in
        which it was played: it is made again when somebody does. So does one that is being made again for pages that
        are there, when another needs the place."""
        table, match = self._table, self._table.match or self._coming
        if not isinstance(match, ChildMatch) or not table.is_over or table.looking.locked():
            return False
        if time.monotonic() - self._looked < seconds:
            return False
        if match is self._coming:
            if seconds and not table.is_empty:
                return False
            self.drop()
            self._waits(self._when_there_is_room)
        elif match.is_asked:
            return False
        else:
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
            self._cannot_be_made(error)

    async def is_there(self) -> None:
        """Wait until the match that is over is there for somebody who looks back, or it is known that it cannot be."""
        self._looked = time.monotonic()
        with suppress(TimeoutError):
            async with asyncio.timeout(WITHIN):
                while self._table.match is None:
                    await self.in_turn(self.look_back)
                    if self._making is None:
                        break
                    await asyncio.wait({self._making})

    async def in_turn(self, what: Callable[[], Awaitable[None]] | None = None) -> None:
        """Wait until all is done that waits at the table by now, and then something else."""
        is_done = asyncio.Event()

        async def does() -> None:
            try:
                if what is not None:
                    await what()
            finally:
                is_done.set()

        self._table.put(does)
        with suppress(TimeoutError):
            await asyncio.wait_for(is_done.wait(), WITHIN)
