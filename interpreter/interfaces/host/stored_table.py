"""A table as what belongs to it has it: its bots, its race, who is away, what people ask for.

Whatever is to be done there waits in its inbox. What happens is stored, and told to the pages once it is stored: nobody
learns of anything that could be lost.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.crowd import Crowd, Page, is_seat, post
from interpreter.interfaces.host.inbox import Inbox
from interpreter.interfaces.host.play_time import PlayTime
from interpreter.interfaces.host.table_state import OVER, TableState

if TYPE_CHECKING:
    from interpreter.interfaces.host.hall import Hall
    from interpreter.interfaces.host.hosted_steps import Standing
    from interpreter.interfaces.host.leases import Hold
    from interpreter.interfaces.host.local_match import Match

EARLY = 0.002
"""Seconds by which uvloop, which counts whole milliseconds, may call before the time: whoever then looks whether it has
come would never look again."""
MOST_WAITING = 1_000
"""Things that wait to be done at a table; pages that want more are left."""
READ_ANEW = p.encode(p.Failure("The table is read anew; what was done last may not count.", "busy"))
Letters = list[tuple[Page, str]]


class StoredTable(ABC):
    """`Table` is one, which has its parts. hold: how it is kept here. state: as it is after all events so far, of which
    the last ones may not be stored yet."""

    _told: p.TableNews
    """What all may know of it: how it was when the last of what is stored by now had happened."""

    def __init__(self, hold: Hold, state: TableState, hall: Hall) -> None:
        self.name, self.hold, self.state, self.hall = hold.table, hold, state, hall
        self.crowd, self.clock = Crowd(), PlayTime()
        self.match: Match | None = None
        self.standing: Standing | None = None
        self.waiting = False
        """Whether nothing can be stored just now."""
        self._inbox: Inbox[tuple[Callable[..., Awaitable[None]], tuple[Any, ...]]] = Inbox()
        self._coming: set[Page] = set()
        """Pages that are not welcomed yet."""
        self._is_lost = False
        self._awaited: set[asyncio.Future[bool]] = set()
        self.looking = asyncio.Lock()
        """Held by whoever looks back at a match that is over, for which it is made again."""
        self.ready = asyncio.Event()
        """Set once the match that was played before is there again."""

    # ---- the inbox ----------------------------------------------------------------------------------------

    @property
    def is_behind(self) -> bool:
        """Whether more waits than can be done soon."""
        return len(self._inbox) > MOST_WAITING

    def put(self, what: Callable[..., Awaitable[None]], *given: Any) -> None:
        """Have something done in its turn."""
        self._inbox.put_nowait((what, given))

    def later(self, seconds: float, what: Callable[..., Awaitable[None]], *given: Any) -> asyncio.TimerHandle:
        """Have something done after so many seconds, and not before."""
        return asyncio.get_running_loop().call_later(seconds + EARLY, partial(self.put, what, *given))

    # ---- events and letters -------------------------------------------------------------------------------

    def happens(self, event: e.AnyEvent, letters: Letters | None = None, tell: bool = True) -> None:
        """Store an event and carry it out. letters: what is sent once it is stored. tell: the table anew, too."""
        letters = [] if letters is None else letters  # what is written below is sent, too: nothing is before its turn
        news: p.TableNews | None = None
        self.hall.store.put(self.hold, self.state.n + 1, event, lambda: self._let_out(letters, news))
        self.state.apply(event)
        if tell:
            news = self.news()
            letters += self.crowd.letters_to_all(news)

    def tell(self, message: Any) -> None:
        """Send something to all, behind what they are told of the events before."""
        news = message if isinstance(message, p.TableNews) else None
        self.after(partial(self._let_out, self.crowd.letters_to_all(message), news))

    def _let_out(self, letters: Letters, news: p.TableNews | None) -> None:
        """All is stored of which these letters tell. news: those of the table among them."""
        self._told = news or self._told
        post(letters)

    def after(self, done: Callable[[], None]) -> None:
        """Do something once all is stored that has happened so far, and never if it is not."""
        self.hall.store.after(done, self.hold)

    async def all_stored(self) -> bool:
        """Wait until all is stored that has happened so far; whether it is, or the table was lost before."""
        if self._is_lost:
            return False
        stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._awaited.add(stored)
        stored.add_done_callback(self._awaited.discard)
        self.after(lambda: None if stored.done() else stored.set_result(True))
        return await stored

    def is_lost(self) -> None:
        """What is not stored so far never will be; the pages come back by themselves."""
        self._is_lost = True
        for stored in self._awaited:
            if not stored.done():
                stored.set_result(False)
        for page in [*self.crowd, *self._coming]:
            page.close(READ_ANEW)

    def waits(self, is_gone: bool) -> None:
        """Nothing can be stored just now, or it can again; that is told at once, and nothing that is not stored."""
        self.waiting = is_gone
        self._told = msgspec.structs.replace(self._told, waiting=is_gone)
        post(self.crowd.letters_to_all(self._told))
        if not is_gone:
            self.tell(self.news())  # behind what was to be told while nothing could be stored

    def answer(self, page: Page, message: Any) -> None:
        """Send something to one page, behind what it is told of the events before."""
        self.after(partial(page.send, p.encode(message)))

    def refuse(self, seat: int, name: str, text: str, stale: bool = False) -> None:
        """Tell a player why a move is not made; the same id gets the same answer. It is not stored: nothing has
        happened, and after a crash a move that nobody has answered is tried anew."""
        answer = p.Refused(name, text, stale)
        self.state.answer(seat, name, answer)
        self.after(partial(post, self.crowd.letters(seat, answer)))

    @abstractmethod
    def news(self) -> p.TableNews:
        """The table as everybody sees it."""

    # ---- who is there -------------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether the match is over, and that is stored, with all that was played."""
        state, told = self.state, self._told
        return state.state == told.state == OVER and max(1, state.match) == told.match

    @property
    def is_empty(self) -> bool:
        """Whether no page is open."""
        return not len(self.crowd) and not self._coming

    def is_of(self, page: Page) -> bool:
        """Whether a page is of whoever sits at its seat now: that may have been given up, or gone to another device."""
        return not is_seat(page.seat) or self.state.seats[page.seat].secret == page.opened_by

    @abstractmethod
    async def welcome_all(self) -> None:
        """Everything is new: a match has begun, or moves were taken back."""

    @abstractmethod
    async def decide_vote(self) -> None:
        """Do what all have agreed on by now, or give it up: who is away for long is no longer waited for."""

    @abstractmethod
    def wake_bots(self) -> None:
        """Let bots think that are to act."""

    # ---- the match ----------------------------------------------------------------------------------------

    @abstractmethod
    async def begin(self) -> None:
        """A new match, with bots at the seats that are free. Raises WrongGame, and then nothing has happened."""

    @abstractmethod
    async def goes_on(self, match: Match) -> None:
        """A match is there again as far as it was played, the one that is going on or the last one."""

    @abstractmethod
    async def plays(self, page: Page, message: p.Play, at: float) -> None:
        """A person moves. at: when that came, as time.monotonic."""

    @abstractmethod
    async def move(self, seat: int, text: str, ask: int | None, name: str = "", at: int | None = None) -> None:
        """Make a move, or tell its player why not. ask: the number of the decision that it answers, if it is told.
        name: the id of the move; "" for a bot's. at: when it counts in a race, in milliseconds of play; None: now."""

    @abstractmethod
    async def take_back(self, stay: int, note: str) -> None:
        """Take back all moves but so many. note: what everybody is told of it, now and whenever they
        come back. Raises Denied or Refusal if that cannot be."""

    @abstractmethod
    def cannot_go_on(self, why: object) -> None:
        """The match ends, for a reason that everybody is told."""

    @abstractmethod
    async def pause(self, on: bool) -> None:
        """Stop the time, or let it go on; in a race after a count."""

    @abstractmethod
    def resume(self) -> None:
        """The time goes on."""
