"""What people ask for at a table besides moves: talk, votes, and what only its host may do."""

from __future__ import annotations

from functools import partial

from interpreter.base.signs import on_one_line
from interpreter.engine.whence import SOME
from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.asked_beside import SCORES, UNDO, Denied, Questions
from interpreter.interfaces.host.crowd import GUEST, Page, is_seat, post
from interpreter.interfaces.host.gatekeeper import Rates
from interpreter.interfaces.host.hints import Hints
from interpreter.interfaces.host.local_match import Match
from interpreter.interfaces.host.match_again import MatchAgain
from interpreter.interfaces.host.names_at_table import bot_name, cleaned, wrong_name
from interpreter.interfaces.host.not_made import Refusal
from interpreter.interfaces.host.race_at_table import RaceAtTable
from interpreter.interfaces.host.stored_table import StoredTable
from interpreter.interfaces.host.table_state import LOBBY, MOST_SPOKEN, NO_ROOM, OVER, PLAYING, Vote
from interpreter.interfaces.host.who_is_away import WhoIsAway
from interpreter.words.people import listed

LEVELS = ("easy", "medium", "hard")
UNDOS, IN_SECONDS = 5, 10.0
"""Moves that may be asked to be taken back at once at a table, and in so many seconds: each makes the match again."""
SHEETS, IN_SO_MANY = 10, 10.0
"""Times that the scores are told a seat at once, and in so many seconds: those of a long match are long."""
MANY_SHEETS = "That is often; ask for the scores again in a moment."
SETTLED, IN_SECONDS_OF_TABLE = 100, 1800.0
"""Things that a seat may set and vote on at once, and in so many seconds; so often somebody may sit down, too.
All together are kept to a bound for as long as there is the table, and nobody is to use that up for the others."""
MANY_SETTLED = "That was often; try again in a minute."
MOVES, IN_SECONDS_OF_MATCH = 1_000, 1_000.0
"""Moves that a seat may make at once, and in so many seconds: more than in the fastest race, and so few that within an
hour nobody fills what is kept of a match."""
MANY_MOVES = "You have moved very often; wait a moment."
FEW_WORDS = 100
"""Letters that are said with a move where players say nothing of their own any more."""
NOT_SAID = "Only what the rules have you say can be said now."
MOST_UNREAD = 100_000
"""Letters that a page has not read behind which it is told no scores."""
CHATS = ("off", "phrases", "free")


class Requests:
    """What comes from the pages of one table."""

    def __init__(
        self, table: StoredTable, racing: RaceAtTable, away: WhoIsAway, again: MatchAgain, questions: Questions
    ) -> None:
        self._table, self._racing, self._away, self._again = table, racing, away, again
        self._questions, self._hints = questions, Hints(table, again)
        self._undos, self._sheets = Rates(UNDOS, IN_SECONDS), Rates(SHEETS, IN_SO_MANY)
        self._settled, self._moves = Rates(SETTLED, IN_SECONDS_OF_TABLE), Rates(MOVES, IN_SECONDS_OF_MATCH)
        self._refused: tuple[int, int, int | None] | None = None
        """The match, and how often moves had been taken back, when all but so many could not be: with more of them it
        is no better."""

    async def receive(self, page: Page, message: p.Incoming, at: float) -> None:
        """Do what a page asks for, if its seat is still its own. at: when it came, as time.monotonic."""
        if not self._table.is_of(page):
            return
        if isinstance(message, p.Play):
            await self._table.plays(page, message, at)
            return
        if isinstance(message, p.Pong):
            self._racing.answers(page, message.t, at)
            return
        try:
            if isinstance(message, p.Sheet):
                await self._sheet(page)
            elif not is_seat(page.seat):
                raise Denied("You are watching; take a seat first.")
            else:
                await self._do(page, page.seat, message)
        except Denied as why:
            self._table.answer(page, p.Failure(str(why)))

    async def _do(self, page: Page, seat: int, message: p.Incoming) -> None:
        table = self._table
        if self._settles(message) and (why := self.why_no_more(str(seat))):
            raise Denied(why)
        match message:
            case p.Chat():
                self._chat(seat, message.text)
            case p.Propose():
                await self._propose(seat, message)
            case p.Vote():
                await self._vote(seat, message)
            case p.Pause():
                if not message.on and (missing := self._racing.missing()):
                    raise Denied(f"The race waits for {self._named(missing)}.")
                await table.pause(message.on)
            case p.Rename():
                self._rename(seat, message.name)
            case p.Leave():
                self._stands(seat, "You have left your seat.")
            case p.Order():
                await self._order(seat, message)
            case p.Hint():
                self._hint(page, seat)

    def why_no_more(self, who: str) -> str:
        """Why nothing more is set and voted on by somebody; nothing if it is, and then it counts."""
        if not self._table.state.may_settle:
            return NO_ROOM
        return "" if self._settled.allows(who) else MANY_SETTLED

    async def why_no_such_move(self, seat: int, text: str, words: str, match: Match) -> str:
        """Why a move is not even tried, whatever the rules say of it; nothing if it is, and then it counts."""
        state = self._table.state
        if not self._moves.allows(str(seat)):
            return MANY_MOVES
        if not state.takes_words and len(words) > FEW_WORDS:
            return NOT_SAID
        chat = "off" if state.seats[seat].muted else state.chat
        is_free = chat == "free" and state.takes_words
        return "" if is_free or await match.may_say(seat, text, chat != "off") else NOT_SAID

    def _settles(self, message: p.Incoming) -> bool:
        """Whether something happens besides a match if that is done. What ends something else does not count: time
        goes on again, a vote is given, a seat is left. It cannot be done more often than that has begun."""
        match message:
            case p.Pause():
                return message.on and not self._table.state.paused
            case p.Order():
                return message.what not in ("start", "remove")
        return isinstance(message, p.Propose | p.Rename)

    # ---- talk ---------------------------------------------------------------------------------------------

    def _chat(self, seat: int, text: str) -> None:
        state = self._table.state
        text = on_one_line(" ".join(text.split()))
        if state.chat == "off" or state.seats[seat].muted:
            raise Denied("Nobody can hear you: the host has switched that off.")
        if state.chat == "phrases" and text not in p.PHRASES:
            raise Denied("At this table only the phrases of the list can be said.")
        letters = self._table.crowd.letters_within(p.Said(seat, text))
        if text and state.spoken < MOST_SPOKEN:
            self._table.happens(e.Spoke(seat, text), letters, tell=False)
        elif text:
            self._table.after(partial(post, letters))

    async def _sheet(self, page: Page) -> None:
        table = self._table
        may_ask = not is_seat(page.seat) or self._sheets.allows(str(page.seat))  # of others little is taken anyway
        if not may_ask or page.unread > MOST_UNREAD:
            raise Denied(MANY_SHEETS)
        if page.seat != GUEST:
            await self._again.look_back()
        if table.state.state == OVER and self._again.delay:
            raise Denied(self._again.delay)
        lines = list[str]()
        if table.match is not None and page.seat != GUEST:
            with self._questions.about(SCORES):
                lines = await table.match.sheet(page.seat)
        table.answer(page, p.Scores(lines))

    def _hint(self, page: Page, seat: int) -> None:
        table = self._table
        if table.match is None or table.state.state != PLAYING:
            raise Denied("No match is going on.")
        self._hints.ask(page, seat)

    def _rename(self, seat: int, name: str) -> None:
        table = self._table
        if table.state.state == PLAYING:
            raise Denied("Names stay while a match is played.")
        name = cleaned(name)
        others = [place.name for other, place in enumerate(table.state.seats) if other != seat]
        if problem := wrong_name(name, others):
            raise Denied(problem)
        table.happens(e.Renamed(seat, name))

    # ---- votes --------------------------------------------------------------------------------------------

    async def _propose(self, seat: int, message: p.Propose) -> None:
        self.lapse()
        state = self._table.state
        if state.vote is not None:
            raise Denied("Something else is being voted on.")
        stay, saw = None, list[int]()
        match message.what:
            case "undo":
                if not self._undos.has_room(""):
                    raise Denied("That is much at once; take it back in a moment.")
                if self._refused == (state.match, state.undone, self._undo_to(seat)):
                    raise Denied("What was done last is not taken back.")
                self._undos.allows("")
                stay, saw = await self._looked_at(seat)
            case "rematch":
                if state.state != OVER:
                    raise Denied("There is a rematch after the match.")
            case "bot":
                if message.seat not in self._away.seats:
                    raise Denied("A bot can play for somebody who has been away for a while.")
        self._table.happens(e.Proposed(message.what, seat, message.seat, self._asked(message.what), stay, saw))
        await self._decide()

    async def _looked_at(self, seat: int) -> tuple[int | None, list[int]]:
        """How many moves stay when somebody takes back their last one, and who has seen cards by the others, SOME among
        them if not everybody can know that of all; None where nobody else is asked, for it makes the match again.
        Raises Denied."""
        table, stay = self._table, self._undo_to(seat)
        if table.match is None or set(self._asked("undo")) <= {seat}:
            return None, []
        try:
            with self._questions.about(UNDO):
                return stay, await table.match.revealed(stay, [*table.state.people, SOME])
        except Refusal as refusal:
            self._refused = table.state.match, table.state.undone, stay
            raise Denied(str(refusal)) from None

    async def _vote(self, seat: int, message: p.Vote) -> None:
        self.lapse()
        vote = self._table.state.vote
        if vote is None:
            raise Denied("Nothing is being voted on.")
        if message.n not in (None, vote.n):  # it was on its way when another vote began
            raise Denied("What you have answered is not voted on any more.")
        if message.yes and seat in vote.yes:
            raise Denied("You have agreed already.")
        self._table.happens(e.Voted(seat, message.yes))
        await self._decide()

    def _asked(self, what: str) -> list[int]:
        """Who has to agree: all people who are there; before moves are taken back also who is away for a moment."""
        state, crowd = self._table.state, self._table.crowd
        if what != "undo":
            return [seat for seat in state.people if crowd.is_here(seat)]
        gone = self._away.seats
        return [seat for seat in state.people if not state.seats[seat].bot and seat not in gone]

    def _voters(self, vote: Vote) -> list[int]:
        """Who of them still has to: a bot agrees to everything, and only moves wait for who has been away for long."""
        state, gone = self._table.state, self._away.seats
        people = [seat for seat in vote.asked if state.seats[seat].is_person and not state.seats[seat].bot]
        return [seat for seat in people if vote.what == "undo" or seat not in gone]

    def lapse(self) -> None:
        """Give up what is voted on if it cannot be done any more, and tell everybody why."""
        vote = self._table.state.vote
        if vote is not None and (why := self._why_not(vote)):
            self._table.happens(e.Lapsed())
            self._table.tell(p.Failure(why))

    def _why_not(self, vote: Vote) -> str:
        """Why what all were asked cannot be done any more; nothing if it can. Who has agreed to one thing has not
        agreed to another: of somebody's moves the one that was their last when they asked is taken back, or none."""
        state = self._table.state
        match vote.what:
            case "undo":
                try:
                    stay = self._undo_to(vote.by)
                except Denied:
                    return "No move can be taken back any more."
                return "" if stay == vote.stay else f"{self._named([vote.by])} has played on; no move is taken back."
            case "rematch":
                return "" if state.state == OVER else "The next match has begun."
            case _:
                at = vote.seat
                if at is None or not state.seats[at].is_person:
                    return "No bot is needed any more."
                return f"{self._named([at])} is back; no bot is needed." if self._table.crowd.is_here(at) else ""

    def concerns(self, seat: int) -> bool:
        """Whether something is voted on of which somebody at a seat was not asked, who comes meanwhile."""
        vote = self._table.state.vote
        return vote is not None and seat not in vote.asked

    async def decide_vote(self) -> None:
        """Do what all have agreed on by now, or give it up: votes outlive the server, and wait for nobody who stays
        away."""
        self.lapse()
        await self._decide()

    async def _decide(self) -> None:
        """Do what is proposed, if all agree; where the rules refuse it, whoever has asked or agreed is told why."""
        vote = self._table.state.vote
        if vote is None or self._why_not(vote) or not vote.yes.issuperset(self._voters(vote)):
            return
        try:
            await self._do_agreed(vote)
        except Exception as error:
            if self._table.state.vote is vote:  # nobody could vote on anything any more
                self._table.happens(e.Lapsed())
            if isinstance(error, Refusal):
                state = self._table.state
                self._refused = state.match, state.undone, vote.stay
                crowd, why = self._table.crowd, p.Failure(str(error))
                letters = [letter for seat in sorted({vote.by, *vote.yes}) for letter in crowd.letters(seat, why)]
                self._table.after(partial(post, letters))
                return
            raise

    async def _do_agreed(self, vote: Vote) -> None:
        table = self._table
        match vote.what:
            case "undo" if vote.stay is not None:
                note = f"{self._named([vote.by])} has taken a move back{self._agreed(vote)}."
                await table.take_back(vote.stay, note)
            case "rematch":
                await table.begin()
            case "bot" if vote.seat is not None:
                table.happens(e.BotSat(vote.seat, table.hall.level))
                table.wake_bots()

    def _agreed(self, vote: Vote) -> str:
        others = sorted(vote.yes - {vote.by})
        return f"; {self._named(others)} agreed" if others else ""

    def _named(self, seats: list[int]) -> str:
        return listed([self._table.state.seats[seat].name for seat in seats])

    def _undo_to(self, seat: int) -> int:
        """How many moves stay when somebody takes back their last one. Raises Denied."""
        table = self._table
        state, standing = table.state, table.standing
        if standing is None or state.state != PLAYING or standing.race or state.opened.game.honor:
            raise Denied("Moves are taken back in strict games of turns only, while they are played.")
        stay = state.last.get(seat)
        if stay is None:
            raise Denied("There is no move of yours to take back.")
        if state.ended >= stay:
            raise Denied("A race that has ended is not run again.")
        return stay

    def proposal(self) -> p.Proposal | None:
        """What is voted on, as everybody sees it."""
        state = self._table.state
        vote = state.vote
        if vote is None or self._why_not(vote):
            return None
        by = state.seats[vote.by].name
        match vote.what:
            case "undo":
                # whether anything was done since, or was done meanwhile, not everybody may know
                text = f"{by} would like to take a move back, with anything done since; {self._told_of_cards(vote)}."
            case "rematch":
                text = f"{by} would like to play again."
            case _:
                text = f"{by} would like a bot to play for {state.seats[vote.seat or 0].name}."
        open_ = [seat for seat in self._voters(vote) if seat not in vote.yes]
        return p.Proposal(vote.what, vote.by, text, sorted(vote.yes), open_, vote.n)

    def _told_of_cards(self, vote: Vote) -> str:
        """Who has seen cards by what would be taken back, as far as it was looked when it was proposed."""
        names = [self._table.state.seats[seat].name for seat in vote.saw if seat != SOME]
        told = "nobody had seen a card by it"
        if names:
            told = f"{listed(names)} had seen cards by it{', and others may have' if SOME in vote.saw else ''}"
        elif SOME in vote.saw:
            told = "somebody may have seen cards by it"
        return f"when this was asked, {told}"

    # ---- the host -----------------------------------------------------------------------------------------

    def _stands(self, seat: int, told: str) -> None:
        table = self._table
        table.happens(e.Stood(seat, table.hall.level))
        last = p.encode(p.Failure(told, "removed", True))
        for page in list(table.crowd.pages.get(seat, ())):
            table.after(partial(page.close, last))
        table.wake_bots()

    async def _order(self, seat: int, order: p.Order) -> None:
        table, state = self._table, self._table.state
        if state.host != seat:
            raise Denied("Only the host of the table can do that.")
        place = None if order.seat is None or order.seat >= len(state.seats) else state.seats[order.seat]
        match order.what:
            case "start":
                if state.state != LOBBY:
                    raise Denied("The match has begun.")
                await table.begin()
            case "bot" if place is not None and order.seat is not None:
                self._put_bot(order.seat, order.level or self._table.hall.level)
            case "remove" if place is not None and order.seat is not None and order.seat != seat:
                if not place.is_person and (place.is_free or state.state != LOBBY):
                    raise Denied("That cannot be done with this seat: nobody sits there.")
                self._stands(order.seat, "The host has taken your seat from you.")
            case "mute" | "unmute" if order.seat is not None and place is not None:
                table.happens(e.Set("muted", order.what == "mute", order.seat))
            case "lock" | "unlock":
                table.happens(e.Set("locked", order.what == "lock"))
            case "fair" | "unfair":
                self._racing.fair.is_on = order.what == "fair"
                table.happens(e.Set("fair", order.what == "fair"))
            case "pass" if place is not None and place.is_person and order.seat is not None:
                table.happens(e.HostIs(order.seat))
            case "chat" if order.level in CHATS:
                table.happens(e.Set("chat", order.level))
            case "wait" if order.seconds is not None:
                table.happens(e.Set("wait", order.seconds))
                self._away.look_again()
            case _:
                raise Denied("That cannot be done with this seat.")

    def _put_bot(self, seat: int, level: str) -> None:
        table, state = self._table, self._table.state
        place = state.seats[seat]
        if level not in LEVELS:
            raise Denied(f"Bots are {', '.join(LEVELS)}.")
        if place.is_person and seat not in self._away.seats:
            raise Denied("Somebody sits there.")
        name = place.name or bot_name([other.name for other in state.seats])
        table.happens(e.BotSat(seat, level, name))
        table.wake_bots()
