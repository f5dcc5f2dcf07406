"""The house in which tables stand: they are opened, found again and left here. It knows nothing of the web."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.bot_workers import BotWorkers
from interpreter.interfaces.host.catalogue_of_games import lesson, rules
from interpreter.interfaces.host.checker import Checker
from interpreter.interfaces.host.child_match import ChildMatch
from interpreter.interfaces.host.child_process import Child, ChildGone, clear_left_over
from interpreter.interfaces.host.crowd import post
from interpreter.interfaces.host.hosted_match import HostedMatch
from interpreter.interfaces.host.house_rules_text import Checked, NoRoom, WrongGame
from interpreter.interfaces.host.kept_rules import KeptRules, Rules, rules_now
from interpreter.interfaces.host.leases import BEAT, Elsewhere, Hold
from interpreter.interfaces.host.live_table import Table
from interpreter.interfaces.host.local_match import LocalMatch, Match
from interpreter.interfaces.host.made_again import History
from interpreter.interfaces.host.made_once import MadeOnce
from interpreter.interfaces.host.names_at_table import cleaned, wrong_name
from interpreter.interfaces.host.records_of_matches import Records
from interpreter.interfaces.host.secrets_of_tables import (
    hashed,
    is_table_name,
    new_code,
    new_secret,
    new_table_name,
    opens,
)
from interpreter.interfaces.host.store import Store, Unreachable
from interpreter.interfaces.host.strange_places import SHARE, Opener, is_strange, no_room, opener
from interpreter.interfaces.host.table_state import LOBBY, TableState
from interpreter.interfaces.host.who_is_away import AWAY
from interpreter.interfaces.host.worker import Opening

if TYPE_CHECKING:
    from interpreter.api.game import Game
    from interpreter.interfaces.host.bot_times import Turn
    from interpreter.interfaces.host.leases import Leases

MOST_TABLES = 1_000
"""In memory at once."""
IDLE = 300.0
"""Seconds after which a table leaves memory at which nobody is."""
MOST_STRANGE = 8
"""Matches at a time that are played in processes of their own."""
STORED_WITHIN = 6.0
"""Seconds in which what somebody has asked for is stored, or they are told that it is not yet."""
LOOKED = 60.0
"""Seconds after which a match that is over gives up its process, if nobody has looked at it."""
KEPT = 30 * 24 * 3600.0
"""Seconds after which a table at which nothing happens is given up altogether."""

UNREACHED = "Nothing can be stored or read just now; try again soon."
UNREADABLE = "This table cannot be read: what is stored of it is damaged, or of a newer version of the program."


class NoTable(Exception):
    """There is no such table, or it cannot be joined; the message says why."""

    def __init__(self, text: str, why: str = "gone") -> None:
        self.why = why
        super().__init__(text)


@dataclass(frozen=True, slots=True)
class Links:
    """The secrets of a table that was opened, which nobody can have again."""

    table: str
    code: str
    join: str
    watch: str


@dataclass(slots=True)
class _Open:
    table: Table
    task: asyncio.Task[None]


class Service:
    """pace: by what the times of bots are multiplied. away: seconds after which a bot may play for somebody. level: of
    bots, unless the host says otherwise. second: how long one of a count takes."""

    def __init__(
        self, store: Store, pace: float = 1.0, away: float = AWAY, level: str = "medium", second: float = 1.0
    ) -> None:
        self.store, self.pace, self.away, self.level, self.second = store, pace, away, level, second
        self._tables: dict[str, _Open] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        """What goes on of tables that were lost."""
        self._pinged = 0.0
        self._codes: dict[str, str] = {}
        self._games = KeptRules(store)
        self._books: dict[tuple[str, bool], MadeOnce] = defaultdict(partial(MadeOnce, refusal=WrongGame))
        """What is told of games, by what that is and whether they are strange: it waits for nothing but its like."""
        self._checker = Checker()
        self.records = Records(self._games, self._checker)
        self.children: dict[Child, Opener] = {}
        """In which matches of strangers are played, and who has opened the table of each."""
        self._bots = BotWorkers()
        self._coming: dict[str, asyncio.Task[Table]] = {}
        """Tables that are being read."""
        self._watch: asyncio.Task[None] | None = None
        store.troubled, store.taken = self._troubled, self._lose

    async def start(self) -> None:
        """Find out which codes are in use, and give up what is too old."""
        await self.clear_away()
        clear_left_over()
        if self.store.leases is None:
            self._codes = {opened.code: name for name, opened in self.store.opened()}
        else:
            self.store.leases.lapsed = self._lose_all
            self._watch = asyncio.create_task(self._watches(self.store.leases))

    async def _watches(self, leases: Leases) -> None:
        """Give up the tables when others may take them; meanwhile tell all pages that this server is there, so that
        they look for another one when it is not."""
        ping = p.encode(p.Ping(p.ALIVE))
        while True:
            await asyncio.sleep(BEAT / 4 * self.second)
            leases.heed()
            now = time.monotonic()
            if now - self._pinged >= BEAT * self.second and leases.answers():
                self._pinged = now
                for found in self._tables.values():
                    post((page, ping) for page in found.table.crowd)

    def _troubled(self, is_gone: bool) -> None:
        """Nothing can be stored, or it can again: all tables tell their pages."""
        for found in self._tables.values():
            found.table.waits(is_gone)

    def _lose(self, hold: Hold) -> None:
        """What has happened at a table last cannot be stored: it goes on from what is stored, with the pages anew."""
        found = self._tables.get(hold.table)
        if found is None or found.table.hold != hold:
            return
        self.store.refuse(hold)
        del self._tables[hold.table]
        found.table.is_lost()
        found.task.cancel()
        self._leaving.add(found.task)
        found.task.add_done_callback(self._leaving.discard)

    def _lose_all(self) -> None:
        for found in list(self._tables.values()):
            self._lose(found.table.hold)

    async def stop(self) -> None:
        """Leave all tables; what has happened there is stored."""
        children = list(self.children)
        if self._watch is not None:
            self._watch.cancel()
        for coming in self._coming.values():
            coming.cancel()
        for name in list(self._tables):
            await self._leave(name)
        for child in children:
            await child.gone()
        await self._checker.close()
        await self._bots.close()
        self.store.stop()

    # ---- games --------------------------------------------------------------------------------------------

    async def check(self, spec: e.GameSpec, who: str = "") -> Checked:
        """What can be said of house rules that somebody is writing. who: asks, an address. Raises WrongGame and
        Busy."""
        try:
            async with self._checker.each["check"].turn(who):
                return await self._checker.ask("check", spec, kind=Checked)  # type: ignore[no-any-return]
        except ChildGone as gone:
            raise WrongGame(f"These house rules cannot be looked at: {gone}") from None

    async def rules(self, opened: e.Opened, who: str = "") -> str:
        """How the game of a table is played, in Markdown. who: asks, an address. Raises WrongGame and Busy."""
        async with self._checker.each["rules"].turn(who) if is_strange(opened.game) else nullcontext():
            return await self._book("rules", opened.game, opened.digest, rules, str)  # type: ignore[no-any-return]

    async def lesson(self, spec: e.GameSpec, who: str = "") -> dict[str, Any]:
        """See `catalogue_of_games.lesson`. who: asks, an address. Raises WrongGame and Busy."""
        async with self._checker.each["lesson"].turn(who) if is_strange(spec) else nullcontext():
            return await self._book("lesson", spec, "", lesson, dict[str, Any])  # type: ignore[no-any-return]

    async def _book(self, what: str, spec: e.GameSpec, digest: str, make: Callable[[Game], Any], kind: Any) -> Any:
        """What is told of a game, made once. make: of a shipped ruleset; the checker makes that of others."""

        async def made() -> Any:
            if not is_strange(spec):
                return await asyncio.to_thread(make, (await self._games.game(spec, digest)).game)
            try:
                texts = await self._games.texts(digest)
                return await self._checker.ask(what, spec, texts, kind=kind)
            except ChildGone as gone:
                raise WrongGame(f"The rules cannot be told: {gone}") from None

        return await self._books[what, is_strange(spec)].get((e.encode(spec), digest), made)

    async def match(self, opened: e.Opened, names: list[str], history: History, instead: Match | None = None) -> Match:
        """A match as far as it has been played, which is still to be opened. instead: the one whose room it takes.
        Raises WrongGame, NoRoom among them."""
        if not is_strange(opened.game):
            game = (await self._games.game(opened.game, opened.digest)).game
            return LocalMatch(await asyncio.to_thread(HostedMatch, game, names, history))  # it looks at all rules
        opening = Opening(opened.game, names, history, opened.digest, await self._games.texts(opened.digest))
        self._needs_place(opened.by, instead)
        child = Child(confined=True)
        self.children[child] = opened.by
        return ChildMatch(child, partial(self._is_free, child), opening)

    def _needs_place(self, by: Opener, instead: Match | None) -> None:
        """Have a place for a match, if need be that of one that is over. by: who has opened its table. Raises
        NoRoom."""
        tables = [found.table for found in self._tables.values()]
        for table in sorted(tables, key=lambda table: table.state.opened.by != by):  # own ones first
            why = self._no_room(by, instead)
            if why and (why != SHARE or table.state.opened.by == by):
                table.again.gives_up()
        if why := self._no_room(by, instead):
            raise NoRoom(why)

    def _is_free(self, child: Child) -> None:
        """Nothing is played in a process any more."""
        self.children.pop(child, None)

    def _no_room(self, by: Opener, instead: Match | None) -> str:
        """Why there is no place; "" if there is one, be it that of the match that was played at the same table."""
        taken = list(self.children.values())
        if instead is not None and not instead.is_gone and by in taken:
            taken.remove(by)
        return no_room(taken, by, MOST_STRANGE)

    async def think(self, table: str, state: TableState, turn: Turn, seconds: float) -> str | None:
        """What a bot does that thinks for so many seconds, or as if it did; None where it has found nothing in
        time."""
        if turn.race or is_strange(state.opened.game):
            return None
        return await self._bots.think(table, await self._opening(state), turn, seconds)

    async def advise(self, table: str, state: TableState, seat: int) -> list[str] | None:
        """What a bot would do in somebody's place; None where that was not found in time."""
        if is_strange(state.opened.game):
            found = self.at_hand(table)  # None: it has left memory before this was asked
            return None if found is None or found.match is None else await found.match.hint(seat)
        return await self._bots.advise(table, await self._opening(state), seat)

    async def _opening(self, state: TableState) -> Opening:
        """A match of shipped rulesets as another process makes it again, of what these say here."""
        opened = state.opened
        played = await self._games.game(opened.game, opened.digest)
        return Opening(opened.game, state.names, state.history, played.rules.digest, played.rules.texts)

    async def _asked(self, spec: e.GameSpec, who: str) -> tuple[int, str, Rules]:
        """For how many a game is that is asked for, what it is called, and what the shipped rulesets in it say. Raises
        WrongGame and Busy."""
        if not is_strange(spec):
            played = await self._games.to_open(spec)
            return played.game.players, played.game.ruleset.name, played.rules
        try:
            async with self._checker.each["form"].turn(who):
                asked = await self._checker.ask("form", spec, kind=tuple[int, str, list[str]])
        except ChildGone as gone:
            raise WrongGame(f"These house rules cannot be played: {gone}") from None
        players, title, names = asked
        return players, title, await asyncio.to_thread(rules_now, names)

    # ---- tables -------------------------------------------------------------------------------------------

    async def open(self, spec: e.GameSpec, who: str = "", is_host: bool = True, seat: int | None = None) -> Links:
        """A new table. who: opens it, an address. is_host: by the host's link. seat: one that it has to have. Raises
        WrongGame, NoTable if there are too many, and Busy."""
        players, title, said = await self._asked(spec, who)
        if seat is not None and not 0 <= seat < players:
            raise NoTable("There is no such seat.", "taken")
        if len(self._tables) >= MOST_TABLES:
            raise NoTable("The server is full; try again later.", "full")
        spec.players = players
        name, code = new_table_name(), self._new_code()
        with _reached():
            await self._games.keep(said)
            while (hold := await asyncio.to_thread(self.store.new, name, code)) is None:
                code = self._new_code()
        links = Links(name, code, new_secret(), new_secret())
        opened = e.Opened(spec, title, players, hashed(links.join), hashed(links.watch), code, said.digest)
        opened.by = "" if is_host or not is_strange(spec) else opener(who)
        table = self._begin(hold, TableState(opened))
        self.store.put(hold, 1, opened, lambda: None)
        try:
            await _stored(table)
        except NoTable:
            self._lose(hold)  # nobody will come to it
            raise
        if self.store.leases is None:
            self._codes[code] = name
        return links

    async def table(self, name: str) -> Table:
        """A table by its name, from memory or from the database. Raises NoTable, and Elsewhere if another server keeps
        it."""
        if name in self._tables:
            return self._tables[name].table
        if name not in self._coming:
            self._coming[name] = asyncio.create_task(self._come(name))
            self._coming[name].add_done_callback(partial(self._has_come, name))
        return await asyncio.shield(self._coming[name])

    def _has_come(self, name: str, coming: asyncio.Task[Table]) -> None:
        """A table is there, or cannot be: whoever waited for it may be gone."""
        del self._coming[name]
        if not coming.cancelled():
            coming.exception()

    @property
    def answers(self) -> bool:
        """Whether tables are kept here just now."""
        return self.store.leases is None or self.store.leases.answers()

    async def _come(self, name: str) -> Table:
        if not is_table_name(name):
            raise NoTable("There is no such table.")
        try:
            with _reached():
                if not self.answers:
                    raise Unreachable("no sign of life gets through")
                hold, state = await asyncio.to_thread(self._taken, name)  # much may have happened there
            if state is None:
                raise NoTable("There is no such table; it may have been given up.")
            return self._begin(hold, state)
        except (NoTable, Elsewhere):
            raise
        except Exception as error:  # each event was checked when it happened: these are damaged, however that shows
            self.store.cannot_read(name, error)
            raise NoTable(UNREADABLE) from None

    def _taken(self, name: str) -> tuple[Hold, TableState | None]:
        """Keep a table; how it stands, None if there is none. Raises Elsewhere and Unreachable, and what not if events
        are damaged."""
        hold, events = self.store.take(name)
        if not events or not isinstance(events[0][1], e.Opened):
            return hold, None
        state = TableState(events[0][1])
        for n, event in events[1:]:
            state.apply(event)
            state.n = n  # the highest, whatever may be missing between: no number is taken twice
        return hold, state

    def at_hand(self, name: str) -> Table | None:
        """A table that is in memory."""
        found = self._tables.get(name)
        return None if found is None else found.table

    async def by_code(self, code: str) -> str:
        """The name of the table that has a code. Raises NoTable."""
        code = code.strip().upper()
        with _reached():
            known = self._codes.get(code)
            name = known or (await asyncio.to_thread(self.store.by_code, code) if code.isalpha() else None)
        with suppress(Elsewhere):  # then its server says what can be done with the code
            if name is None or (await self.table(name)).state.state != LOBBY:
                self._codes.pop(code, None)
                raise NoTable("No table has this code, or its match has begun.")
        assert name is not None
        return name

    def _new_code(self) -> str:
        while (code := new_code()) in self._codes:
            pass
        return code

    def _begin(self, hold: Hold, state: TableState) -> Table:
        table = Table(hold, state, self)
        self._tables[hold.table] = _Open(table, asyncio.create_task(table.run()))
        return table

    async def _leave(self, name: str) -> None:
        found = self._tables.pop(name)
        found.task.cancel()
        await asyncio.gather(found.task, return_exceptions=True)

    async def clear_away(self) -> None:
        """Give up tables at which nothing has happened for long, and nobody looks at."""
        await asyncio.to_thread(self.store.clear_away, time.time() - KEPT, {*self._tables, *self._coming})

    async def leave_idle(self, idle: float = IDLE) -> int:
        """Tables at which nobody is leave memory; how many did."""
        now, left = time.monotonic(), 0
        for name, found in list(self._tables.items()):
            table = found.table
            table.again.gives_up(LOOKED)
            is_idle = table.is_empty and now - table.idle_since >= idle
            if is_idle and await table.all_stored() and table.is_empty:
                await self._leave(name)
                left += 1
        return left

    # ---- seats --------------------------------------------------------------------------------------------

    async def sit(self, name: str, secret: str, called: str, seat: int | None, fresh: str = "") -> tuple[int, str]:
        """Take a seat; which it is, and the secret that opens it. secret: of the table's link, or its code.

        fresh: as for `move_seat`. Raises NoTable.
        """
        table = await self.table(name)
        state = table.state
        if (had := seat_of(state, fresh)) is not None:  # whatever the table's link opens by now
            await _stored(table)
            return had, fresh
        if not opens(secret, state.opened.join) and not is_code(secret, state):
            raise NoTable("This link does not open the table.", "denied")
        called = cleaned(called)
        if problem := wrong_name(called, [place.name for place in state.seats]):
            raise NoTable(problem, "name")
        if state.locked or state.state != LOBBY:
            raise NoTable("The table is closed to others.", "locked")
        free = [at for at, place in enumerate(state.seats) if place.is_free]
        if not free:
            raise NoTable("All seats are taken.", "full")
        if seat is not None and seat not in free:
            raise NoTable("This seat is taken.", "taken")
        if why := table.requests.why_no_more("a new one"):
            raise NoTable(why, "full")
        own = new_secret() if not fresh or opens_some(state, fresh) else fresh
        found = free[0] if seat is None else seat
        table.happens(e.Sat(found, called, hashed(own)))
        await _stored(table)
        return found, own

    async def move_seat(self, name: str, secret: str, fresh: str = "") -> tuple[int, str]:
        """Take one's seat to another device: a new secret opens it, the old one nothing. Raises NoTable.

        fresh: the new one, by which the device that has made it finds its seat again if it has not heard the answer;
        one that opens something at the table already is not taken.
        """
        table = await self.table(name)
        seat = seat_of(table.state, secret)
        own = new_secret() if not fresh or (seat is not None and opens_some(table.state, fresh)) else fresh
        if seat is None:
            seat = seat_of(table.state, own)
            if seat is None:
                raise NoTable("This link is worn out: the seat is on another device, or was given up.", "moved")
        elif why := table.requests.why_no_more(str(seat)):
            raise NoTable(why, "full")
        else:
            table.happens(e.SeatMoved(seat, hashed(own)))
            told = p.encode(p.Failure("Your seat has gone to another device.", "moved", True))
            for page in table.crowd.pages.get(seat, ()):
                table.after(partial(page.close, told))
        await _stored(table)
        return seat, own


@contextmanager
def _reached() -> Iterator[None]:
    """Raises NoTable if the database cannot be asked."""
    try:
        yield
    except Unreachable:
        raise NoTable(UNREACHED, "busy") from None


async def _stored(table: Table) -> None:
    """Wait until what has happened is stored. Raises NoTable if it cannot be, or not soon; then it may be later."""
    try:
        async with asyncio.timeout(STORED_WITHIN):
            is_stored = await table.all_stored()
    except TimeoutError:
        raise NoTable(UNREACHED, "busy") from None
    if not is_stored:
        raise NoTable("The table is read anew; try again.", "busy")


def seat_of(state: TableState, secret: str) -> int | None:
    """The seat that a secret opens."""
    return next((seat for seat, place in enumerate(state.seats) if opens(secret, place.secret)), None)


def opens_some(state: TableState, secret: str) -> bool:
    """Whether a secret opens anything at a table: it, the watchers' places, or a seat."""
    opened = state.opened
    return opens(secret, opened.join) or opens(secret, opened.watch) or seat_of(state, secret) is not None


def is_code(given: str, state: TableState) -> bool:
    """Whether that is the code of a table; it ends when the match begins."""
    return state.state == LOBBY and given.strip().upper() == state.opened.code
