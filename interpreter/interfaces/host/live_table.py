"""A table that is being played at: one task owns it and does one thing after the other.

Whatever people do comes into its inbox. It becomes an event, which is carried out here, stored, and told to the pages
once it is stored: nobody learns of anything that could be lost.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.asked_beside import UNDO, Questions
from interpreter.interfaces.host.bots_at_table import BotsAtTable
from interpreter.interfaces.host.child_process import ChildGone
from interpreter.interfaces.host.crowd import GUEST, Page, is_seat, post
from interpreter.interfaces.host.hosted_steps import Step
from interpreter.interfaces.host.house_rules_text import NoRoom, WrongGame
from interpreter.interfaces.host.made_again import History
from interpreter.interfaces.host.match_again import MatchAgain
from interpreter.interfaces.host.names_at_table import bot_name
from interpreter.interfaces.host.not_made import Refusal, in_short
from interpreter.interfaces.host.race_at_table import Held, RaceAtTable
from interpreter.interfaces.host.requests import Requests
from interpreter.interfaces.host.stored_table import READ_ANEW, Letters, StoredTable
from interpreter.interfaces.host.table_state import LOBBY, PLAYING, TableState
from interpreter.interfaces.host.who_is_away import WhoIsAway

if TYPE_CHECKING:
    from interpreter.interfaces.host.hall import Hall
    from interpreter.interfaces.host.leases import Hold
    from interpreter.interfaces.host.local_match import Match

log = logging.getLogger("houserules.host")
GONE = p.encode(p.Failure("You do not sit at this seat any more.", "moved", True))


class Table(StoredTable):
    """A table with all that belongs to it, and the match that is played there."""

    def __init__(self, hold: Hold, state: TableState, hall: Hall) -> None:
        super().__init__(hold, state, hall)
        self.again, self.away = MatchAgain(self), WhoIsAway(self)
        self.racing = RaceAtTable(self, self.away)
        self.racing.fair.is_on = state.fair
        self.questions = Questions(self, self.again)
        self.bots = BotsAtTable(self, self.racing, self.questions)
        self.requests = Requests(self, self.racing, self.away, self.again, self.questions)
        self.idle_since = time.monotonic()
        self._told = self.news()
        if state.state == LOBBY:
            self.ready.set()
            self.away.look()
        else:
            self.put(self.again.open)

    # ---- the inbox ----------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Do what comes into the inbox, until the task is cancelled."""
        try:
            while True:
                if not self._inbox.empty():
                    await asyncio.sleep(0)  # whoever asks much of one table holds up no other
                what, given = await self._inbox.get()
                try:
                    await what(*given)
                except NoRoom as full:  # nothing is wrong with the rules, and nothing has happened
                    self.tell(p.Failure(str(full)))
                except (RuleError, ChildGone, WrongGame) as error:
                    if self.state.state != PLAYING or not self.again.is_needed:
                        self.cannot_go_on(error)
                    self.put(self.again.begin, str(error))
                except Exception:
                    log.exception("a table failed at %s", getattr(what, "__name__", what))
                    self.tell(p.Failure("Something went wrong at this table; what was done last may not count."))
                    self.put(self.again.begin, "Something went wrong.")
                self.hall.store.deliver()  # nobody waits for what is done at other tables in the same pass of the loop
                del what, given  # a page that was served last may be gone long before there is another one
        finally:
            self.bots.stop()
            self.again.drop()
            if self.match is not None:
                self.match.close()

    # ---- who is there -------------------------------------------------------------------------------------

    def news(self) -> p.TableNews:
        """The table as everybody sees it."""
        state = self.state
        people = [
            p.Person(
                seat=seat, name=place.name, bot=place.bot, here=self.crowd.is_here(seat), host=seat == state.host,
                muted=place.muted, score=place.won, credit=self.racing.shown_credit(seat),
            )
            for seat, place in enumerate(state.seats)
        ]  # fmt: skip
        return p.TableNews(
            state=state.state, game=state.opened.title, seats=people, match=max(1, state.match), away=self.away.seats,
            wait=round(self.away.patience), paused=state.paused, count=self.racing.count, locked=state.locked,
            fair=state.fair, proposal=self.requests.proposal(), chat=state.chat, phrases=list(p.PHRASES),
            watchers=len(self.crowd.pages.get(None, ())), waiting=self.waiting, why=state.why or self.again.delay,
        )  # fmt: skip

    def comes(self, page: Page) -> None:
        """A page is open, which is welcomed in its turn."""
        if self._is_lost:
            page.close(READ_ANEW)
            return
        self._coming.add(page)
        self.put(self.joins, page)

    async def joins(self, page: Page) -> None:
        """A page is welcomed, if what opened its seat when it came still does."""
        self._coming.discard(page)
        if not self.is_of(page):
            page.close(GONE)
            return
        self.crowd.joins(page)
        self.requests.lapse()
        seat = page.seat
        if is_seat(seat):
            self.crowd.makes_room(seat)
            self.away.comes(seat)
            if self.state.seats[seat].bot or self.requests.concerns(seat):
                self.happens(e.Returned(seat), tell=False)
            self.away.pass_host()
        self.answer(page, await self._welcome(page))
        self.tell(self.news())
        self.racing.wake()
        self.bots.wake()

    async def leaves(self, page: Page) -> None:
        """A page was closed."""
        seat = page.seat
        if not self.crowd.leaves(page):
            return
        if self.match is not None:
            self.match.forget(seat)
        if is_seat(seat):
            self.racing.fair.leaves(seat)
        if is_seat(seat) and self.state.seats[seat].is_person:
            self.away.leaves(seat)
            if self.standing is not None and self.standing.race:
                await self.pause(True)
        self.tell(self.news())
        if not len(self.crowd):
            self.idle_since = time.monotonic()

    async def _welcome(self, page: Page) -> p.Welcome:
        """All that a page may know."""
        if page.seat != GUEST:
            await self.again.look_back()
        state = self.state
        found = p.Welcome(
            v=p.VERSION,
            n=self.crowd.number(page.seat),
            table=self.news(),
            me=page.seat if is_seat(page.seat) else None,
            code=state.opened.code if state.state == LOBBY and is_seat(page.seat) else "",
            said=[] if page.seat == GUEST else state.said[:],
        )
        if self.match is not None and self.standing is not None and page.seat != GUEST:
            reading = await self.match.welcome(page.seat)
            found.scene, found.ask = reading.scene, reading.ask
            found.lines = [p.Line(*line) for line in reading.lines]
            found.race = self.standing.race
        return found

    async def welcome_all(self) -> None:
        """Everything is new: a match has begun, or moves were taken back."""
        for reader, pages in list(self.crowd.pages.items()):
            for page in pages[:1]:
                message = await self._welcome(page)
                self.after(partial(post, self.crowd.letters(reader, message)))

    async def decide_vote(self) -> None:
        await self.requests.decide_vote()

    def wake_bots(self) -> None:
        self.bots.wake()

    # ---- the match ----------------------------------------------------------------------------------------

    async def begin(self) -> None:
        """A new match, with bots at the seats that are free. Raises WrongGame, and then nothing has happened."""
        while True:
            before = [place.name for place in self.state.seats]
            names = before[:]
            for seat, name in enumerate(names):
                names[seat] = name or bot_name(names)
            match = await self.hall.match(self.state.opened, names, History(), self.match)
            try:
                await _opened(match)
                step = await match.begun()
            except BaseException:
                match.close()
                raise
            if before == [place.name for place in self.state.seats]:
                break
            match.close()  # somebody has sat down meanwhile
        self.again.drop()
        if self.match is not None:
            self.match.close()
        for seat, place in enumerate(self.state.seats):
            if place.is_free:
                self.happens(e.BotSat(seat, self.hall.level, names[seat]), tell=False)
        self.match, self.standing = match, step.standing  # from here on nobody looks at the last one any more
        self._set_clock(runs=True)
        self.happens(e.Begun(step.made, step.head))
        await self.welcome_all()
        self._after()

    async def goes_on(self, match: Match) -> None:
        """A match is there again as far as it was played, the one that is going on or the last one."""
        self.match = match  # from here on it is closed with the table, whatever becomes of the next question
        self.standing = await match.standing()
        if self.standing.race and not self.state.paused and self.state.state == PLAYING:
            self.happens(e.Set("paused", True), tell=False)
        self._set_clock(runs=not self.state.paused)
        self.away.look()
        self._after()  # the move that ended the match may have been stored and its end not; so with votes
        await self.decide_vote()

    async def plays(self, page: Page, message: p.Play, at: float) -> None:
        """A person moves."""
        seat = page.seat
        if not is_seat(seat):
            self.answer(page, p.Refused(message.id, "You are watching; take a seat to play."))
            return
        known = self.state.seats[seat].answer(message.id)
        if known is not None:
            self.answer(page, known)
            return
        if self.state.state != PLAYING or self.match is None or self.state.paused:
            why = "The game is paused." if self.state.paused else "No match is going on."
            self.answer(page, p.Refused(message.id, why))
            return
        text = f'{message.move} "{message.words}"' if message.words else message.move
        if why := await self.requests.why_no_such_move(seat, text, message.words, self.match):
            self.answer(page, p.Refused(message.id, why))
            return
        if self.standing is not None and self.standing.race:
            if not self.racing.holds(seat, message.id):
                self.racing.arrives(Held(seat, text, message.id, message.ask), at, message.seen)
        else:
            await self.move(seat, text, message.ask, message.id)

    async def move(self, seat: int, text: str, ask: int | None, name: str = "", at: int | None = None) -> None:
        """Make a move, or tell its player why not. name: the id of the move; "" for a bot's. at: when it counts in a
        race; None: now."""
        assert self.match is not None and self.standing is not None
        self.state.needs_room()
        end = max(self.clock.now if at is None else at, self.standing.clock) if self.standing.race else None
        with self._stores_all(self.match):
            try:
                step = await self.match.play(seat, text, ask, end)
            except Refusal as refusal:
                if refusal.fault:
                    log.error("a move was not made, by a fault of houserules: %s", refusal.fault)
                if name:
                    self.refuse(seat, name, str(refusal), refusal.stale)
                elif refusal.instead is not None:  # the rules cannot carry it out
                    await self.bots.go_on(seat, refusal)
                else:
                    self.bots.was_refused(refusal)
                return
            self._made(step, seat, name)
        self.requests.lapse()
        self._after()
        await self.bots.look(step)

    @contextmanager
    def _stores_all(self, match: Match) -> Iterator[None]:
        """What is done in here with a match is stored, too. Where something fails in between, the match is closed, and
        made again from what is stored."""
        try:
            yield
        except (Refusal, RuleError, ChildGone):  # then nothing has changed, or nothing is left of it
            raise
        except Exception:
            match.close()
            raise

    def _made(self, step: Step, seat: int, name: str) -> None:
        """A move was made: store it, and tell its player and then everybody."""
        self.standing = step.standing
        letters: Letters = self.crowd.letters(seat, p.Done(name)) if name else []
        letters += self._letters_of(step)
        self.happens(e.Moved(step.made, seat, name, step.quiet), letters, tell=False)

    def _letters_of(self, step: Step) -> Letters:
        letters: Letters = []
        for reader, reading in step.news:
            lines = [p.Line(*line) for line in reading.lines]
            news = p.News(n=self.crowd.count(reader), lines=lines, changes=reading.changes, ask=reading.ask)
            if is_seat(reader) and self.standing is not None and self.standing.race:
                self.racing.fair.sent(reader, news.n, self.clock.now)
            letters += self.crowd.letters(reader, news)
        return letters

    def _after(self) -> None:
        """What follows upon a move."""
        assert self.standing is not None
        if self.standing.over and self.state.state == PLAYING:
            self._end(self.standing.won)
        else:
            if self.standing.race and not self.state.paused and self.racing.missing():
                self.put(self.pause, True)  # it has begun meanwhile
            self.racing.wake()
            self.bots.wake()

    def cannot_go_on(self, why: object) -> None:
        """The match ends, for a reason that everybody is told."""
        self._end([], told := f"The rules cannot go on: {in_short(why)}")
        self.tell(p.Failure(told))

    def _end(self, won: Iterable[int], why: str = "") -> None:
        if self.state.state == PLAYING:
            self.racing.stop("The match is over.")
            self.happens(e.Ended(list(won), why))

    async def take_back(self, stay: int, note: str) -> None:
        """Take back all moves but so many. note: what everybody is told of it, now and whenever they come back."""
        assert self.match is not None
        with self.questions.about(UNDO), self._stores_all(self.match):
            history, self.standing = await self.match.undo(stay, note, self.state.people)
            counts = {place: len(outcomes) for place, outcomes in history.chance.items()}
            self.happens(e.Undone(stay, history.redrawn, counts, note))
        await self.welcome_all()
        self._after()

    # ---- time ---------------------------------------------------------------------------------------------

    def _set_clock(self, runs: bool) -> None:
        """The time of a match that begins, or is there again, of which nothing waits that came before."""
        self.racing.stop("That came before the match was there; try again.")
        self.clock.set(0 if self.standing is None else self.standing.clock, runs)

    async def pause(self, on: bool) -> None:
        """Stop the time, or let it go on; in a race after a count."""
        if self.state.state != PLAYING:
            return
        if on and self.racing.ends_count():
            self.tell(self.news())
        elif on == self.state.paused:
            return
        elif on:
            self.clock.stop()
            self.racing.stop("The game is paused.")
            self.happens(e.Set("paused", True))
        elif self.standing is not None and self.standing.race and self.hall.pace:
            self.racing.begins_count()
        else:
            self.resume()

    def resume(self) -> None:
        """The time goes on."""
        self.clock.go_on()
        self.happens(e.Set("paused", False))
        self.racing.wake()
        self.bots.wake()


async def _opened(match: Match) -> None:
    """Open a match that begins. Raises WrongGame."""
    try:
        await match.open()
    except ChildGone as gone:
        raise WrongGame(f"These house rules cannot be played: {gone}") from None
