"""One match of a hosted table: moves go in, and what each reader learns of them comes out, as plain data.

It knows nothing of sockets, seats and names of people but what they are called, so that it can run in a process of its
own. A reader is a seat, or None for all who watch.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterable, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from interpreter.api.recording import header
from interpreter.engine.available import action_named
from interpreter.engine.claims import is_open
from interpreter.engine.events import Event, told_last
from interpreter.engine.legal import waited_for
from interpreter.engine.notation import IllegalMove
from interpreter.engine.packets import mask_of
from interpreter.engine.parsing import as_read
from interpreter.engine.playing import make_again
from interpreter.engine.position import Setup
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.standing import kind_of_phase
from interpreter.engine.taking_back import revealed
from interpreter.interfaces.host.changes import changes
from interpreter.interfaces.host.hosted_steps import Made, Reading, Standing, Step
from interpreter.interfaces.host.kept_sheets import KeptSheets
from interpreter.interfaces.host.made_again import History, MakingAgain, keep_small, outcomes_by_place, played
from interpreter.interfaces.host.not_made import Refusal, Stood, faults_refused, look_on, not_carried_out
from interpreter.interfaces.host.page_offers import meant
from interpreter.interfaces.host.protocol import LONGEST_SAID, PHRASES
from interpreter.interfaces.host.scene import Scenes, scene
from interpreter.interfaces.host.setting import setting_of
from interpreter.interfaces.host.spoken_words import Sayable, said_in, texts_in
from interpreter.players.honor_bot import FEWEST, PERFECT, USUAL
from interpreter.players.monte_carlo import advice, new_bot
from interpreter.players.random_bot import RandomBot, measured
from interpreter.words.lines import last_lines
from interpreter.words.voice import Voice

if TYPE_CHECKING:
    from interpreter.api.game import Game, State
    from interpreter.engine.moves import Move

HINT = 0.5
"""Seconds that a hint is thought about at most."""
CLAIMS = 1.0
"""Seconds in which bots look for faults after a move, all together."""
MOST_TOLD = 12_000_000
"""Bytes of all news of a move: what is more would not go into one line (`worker.LONGEST_LINE`)."""
MOST_LINES, MOST_LETTERS = 400, 40_000
"""Of the log that a page is sent at once, when it comes or after a move: the last ones. Each reader has their own."""
MOST_RETOLD = 5 * MOST_LINES
"""Events that a reader is told, of which these lines are made."""


class _Shown:
    """What one reader has been shown."""

    __slots__ = ("ask", "heard", "key", "scene")

    def __init__(self) -> None:
        self.scene: Any = None
        self.ask: Any = None
        self.key: object = None
        self.heard = 0


class _Told:
    """What has been told of a match, before a move."""

    def __init__(self, match: HostedMatch) -> None:
        self.before, self.plays, self.took = match._before, match._plays, len(match._took)
        self.numbers, self.keys = match._numbers[:], match._keys[:]
        self.shown = {reader: copy(shown) for reader, shown in match._shown.items()}


class HostedMatch:
    """names: what everybody is called, by seat. history: of a match that goes on. made: where it leads, if it has been
    made again already."""

    def __init__(
        self, game: Game, names: Sequence[str], history: History | None = None, made: MakingAgain | None = None
    ) -> None:
        history = history or History()
        self.game = game
        self.names = list(names)
        self._sayable: Sayable | None = None
        """Made out when it is first asked for."""
        self._bots: dict[int, RandomBot] = {}
        self._numbers = [secrets.randbelow(1 << 30) << 20] * game.players  # after a crash no number comes again
        self._keys: list[object] = [None] * game.players
        self._undone = len(history.redrawn)
        self._notes = self._play_again(history, made)
        """What was told at the table besides, and after how many events of the log."""

    def _play_again(self, history: History, made: MakingAgain | None = None) -> list[tuple[int, str]]:
        """Stand where a history leads, with nothing shown to anybody; its notes, each after so many events."""
        made = made or played(self.game, history)
        self.state, self._took = made.state, made.took
        self.voice = Voice(self.state.position, self.names)
        self._shown: dict[int | None, _Shown] = {}
        self._plays = 0
        self._scenes, self._sheets = Scenes(self.state, self.voice), KeptSheets(self.state, self.voice)
        self._before: State | None = None
        """On honour the match before the last move, for bots to see what was wrong with it."""
        self._stored = {place: len(outcomes) for place, outcomes in history.chance.items()}
        self._number_asks()
        self._heard = 0
        """How many events there are in the log."""
        self._fresh: tuple[int, list[Event]] = (-1, [])
        """The events after so many."""
        self._pack()
        return made.notes

    # ---- how it stands ----------------------------------------------------------------------------------

    @property
    def is_race(self) -> bool:
        """Whether everybody acts at once now."""
        return kind_of_phase(self.state.position) == "race"

    @property
    def standing(self) -> Standing:
        state = self.state
        s = state.position
        made, plays, over = len(s.record_moves), len(s.plays), s.over
        trick, self._plays = plays < self._plays, plays
        return Standing(over, self.is_race, state.actors, s.clock, made, state.winners if over else [], trick)

    # ---- moves ------------------------------------------------------------------------------------------

    def begun(self) -> Step:
        """How it begins: what chance has given before the first move."""
        return Step(Made([], self._new_chance()), self.standing, head=head_of(self.game, self.state.seed))

    def play(self, seat: int, text: str, ask: int | None, end: int | None) -> Step:
        """Make a move. ask: the number of the decision that it answers, 0 for none, None for a bot's. end:
        milliseconds, where everybody acts at once.

        Raises Refusal, and RuleError where the rules cannot go on; then nothing has changed, but that after anything
        else than Refusal all readers have to be welcomed anew.
        """
        if ask and ask != self._numbers[seat]:
            raise Refusal("That was asked before; the table has moved on.", stale=True)
        try:
            return self._tried(seat, text, ask, end, True)
        except RuleError as error:
            refusal = not_carried_out(self.state, seat, error)
            if refusal is not None:
                raise refusal from error
        return self._tried(seat, text, ask, end, False)  # nothing else can be done, so it may lead where nobody goes on

    def _tried(self, seat: int, text: str, ask: int | None, end: int | None, looks_on: bool) -> Step:
        """looks_on: whether it is seen what can be done then. Raises Refusal, and RuleError: nothing has changed."""
        before, began = len(self.state.position.record_moves), time.thread_time()
        logged = len(self.state.log or ())
        stood, told = Stood(self.state.position), _Told(self)
        try:
            self._make(seat, text, ask, end)
            self._took.append(self.takes()[1] + time.thread_time() - began)
            step = self._made(before, looks_on)
            others = ~mask_of({player for _, player, *_ in step.made.moves}) & (1 << self.game.players) - 1
            step.quiet = others != 0 and not any(event.told & others for event in (self.state.log or [])[logged:])
        except Refusal:
            stood.moves_on()
            raise
        except RuleError:
            stood.again()
            self._tell_again(told)
            raise
        except Exception:  # what is neither stored nor answered has not happened
            self._go_back(self._history(before))
            raise
        stood.moves_on()
        return step

    def _made(self, before: int, looks_on: bool) -> Step:
        """What has come of the moves behind so many, for all who may come to read it. Raises RuleError."""
        self._number_asks()
        self._pack()
        self._scenes.renew(self._fresh[1])
        if looks_on:
            look_on(self.state, self._scenes, {None, *range(self.game.players)} - self._shown.keys())
        standing, news = self.standing, self._all_news()
        if sum(len(msgspec.json.encode(reading)) for _, reading in news) > MOST_TOLD:
            raise RuleError(f"more than {MOST_TOLD:,} letters would have to be told of this move at once")
        return Step(Made(list(self.state.position.record_moves[before:]), self._new_chance()), standing, news)

    def _tell_again(self, told: _Told) -> None:
        """What was told before a move that failed is what has been told."""
        self._before, self._plays = told.before, told.plays
        if len(self._took) > told.took:  # the move was made, and something of it may have been told
            del self._took[told.took :]
            self._numbers, self._keys, self._shown = told.numbers, told.keys, told.shown
            self._scenes, self._sheets = Scenes(self.state, self.voice), KeptSheets(self.state, self.voice)
            self._pack()
            for reader in self._shown:
                self._retold(reader)

    def _make(self, seat: int, text: str, ask: int | None, end: int | None) -> None:
        """Make a move. Raises Refusal, and RuleError where the rules cannot go on."""
        state = self.state
        self._before = state.copy() if state.game.program.honor else None
        try:
            with faults_refused():
                text = meant(state, seat, text)
                if ask == 0 and self._is_answer(seat, text.split(" ")[0]):  # whether or not it could be made
                    raise Refusal("A move answers what is asked.", stale=True)
                move = state.parse(seat, text)
                if str(move) != text:
                    as_read(state.position, seat, move)  # else nobody could take the match up again
                measures = self._measures(seat, move)
            state.play(seat, move, None, end, **measures)
        except IllegalMove as refusal:
            raise Refusal(self.voice.refusal(seat, refusal)) from None

    def takes(self, moves: int | None = None) -> tuple[int, float]:
        """So many moves of its own, all if that is None; and about how many seconds of processor time it takes to make
        them again."""
        made = len(self._took) if moves is None else max(0, min(moves, len(self._took)))
        return made, self._took[made - 1] if made else 0.0

    def _history(self, moves: int) -> History:
        """What leads to where it stood after so many moves, before which nothing was taken back since; of what chance
        gave, what whoever stores it was told."""
        s, known = self.state.position, self._stored
        chance = {place: found[: known[place]] for place, found in outcomes_by_place(self.state) if place in known}
        redrawn = [(again.moves, again.seed) for again in s.setup.redrawn]
        return History(list(s.record_moves[:moves]), chance, redrawn)

    def _go_back(self, history: History) -> None:
        """Stand where it stood before something failed. Where it cannot, that is no fault of the rules."""
        try:
            self._play_again(history)
        except RuleError as error:
            raise RuntimeError(f"the match cannot be made again: {error}") from error

    def _pack(self) -> None:
        keep_small(self.state)
        log = self.state.log or []
        before, self._heard = self._heard, len(log)
        self._fresh = (before, log[before:]) if before else (-1, [])

    def _is_answer(self, seat: int, name: str) -> bool:
        """Whether an action is one that a player is asked for, and none that can be done at any time."""
        state = self.state
        if self.is_race or seat not in state.actors or state.game.program.honor:
            return False
        action = action_named(state.position, name)
        return action is not None and not action.anytime

    def undo(self, moves: int, note: str, people: Sequence[int]) -> tuple[History, Standing]:
        """Take back all moves but so many, and let chance go on anew; what is then to be stored. note: what everybody
        is told of it. people: the seats of those who keep in mind what they have seen. Raises Refusal."""
        before = self._history(len(self.state.position.record_moves))
        try:
            self.state.undo(secrets.randbits(64), moves, people)
        except (ValueError, RuleError) as seen:
            raise Refusal(f"That is not taken back: {seen}.") from None
        try:
            return self._taken_back(note)
        except Exception:
            self._go_back(before)
            raise

    def _taken_back(self, note: str) -> tuple[History, Standing]:
        """How it stands, and how it comes to that, after moves were taken back."""
        state = self.state
        self._undone += 1
        del self._took[len(state.position.record_moves) :]
        heard = len(state.log or ())
        self.voice.forget(())
        self._shown.clear()
        self._scenes, self._sheets = Scenes(state, self.voice), KeptSheets(state, self.voice)
        self._number_asks()
        self._pack()
        standing = self.standing
        self._notes = [*((min(at, heard), text) for at, text in self._notes), (heard, note)]
        self._stored = {place: len(found) for place, found in outcomes_by_place(state)}
        return self._history(len(state.position.record_moves)), standing

    def revealed(self, moves: int, people: Sequence[int]) -> list[int]:
        """Who of some people has seen cards by all moves but so many that they had not seen where these lay. It makes
        the match again. Raises Refusal where the rules cannot say so; such moves are not taken back either."""
        try:
            found = revealed(self.state.position, moves)
        except RuleError as error:
            raise Refusal(f"That is not taken back: {error}.") from None
        return [seat for seat in found if seat in people]

    def _measures(self, seat: int, move: Move) -> dict[str, int]:
        """What the body decides is drawn alike for all."""
        bounds = measured(self.state, seat, move)
        return {name: low + secrets.randbelow(high - low + 1) for name, (low, high) in bounds.items()}

    def _new_chance(self) -> list[tuple[str, Any]]:
        """What has come about since the last time."""
        found: list[tuple[str, Any]] = []
        for place, outcomes in outcomes_by_place(self.state):
            known = self._stored.get(place, 0)
            if len(outcomes) > known:
                found += [(place, outcome) for outcome in outcomes[known:]]
                self._stored[place] = len(outcomes)
        return found

    def easy_move(self, seat: int) -> str | None:
        """Any lawful move, on honour now and then another one; None if there is none."""
        move = self._bot(seat).choose(self.state, seat)
        return None if move is None else str(move)

    def claims(self, seats: Sequence[int]) -> list[tuple[int, str]]:
        """What bots claim after the last move, on honour: who, and the move that says so. They make it again to see
        what is wrong with it; where that would take long they look for nothing."""
        before, self._before = self._before, None
        made, takes = self.takes()
        takes -= self.takes(made - 1)[1]
        if before is None or FEWEST * takes > CLAIMS or not is_open(self.state.position):
            return []
        until, order = time.monotonic() + CLAIMS, secrets.SystemRandom().sample(seats, len(seats))
        found = [
            (seat, self._bot(seat).claim(before, self.state, seat, until)) for seat in order if time.monotonic() < until
        ]
        return [(seat, str(move)) for seat, move in found if move is not None]

    def _bot(self, seat: int) -> RandomBot:
        found = self._bots.get(seat)
        if found is None:
            manners = USUAL if self.game.program.honor else PERFECT
            found = self._bots[seat] = new_bot("easy", secrets.randbits(64), manners)
        return found

    def hint(self, seat: int, seconds: float = HINT) -> list[str]:
        """What a thinking bot would do, in sentences; nothing where nobody may be told."""
        state = self.state
        if self.is_race or state.game.program.honor or seat not in state.actors:
            return []
        ranked = [(rated.move, rated.gain, len(rated.outcomes)) for rated in advice(state, seat, seconds)]
        return list(self.voice.advice(seat, ranked))

    def may_say(self, seat: int, move: str, phrases: bool) -> bool:
        """Whether nothing is said with a move but what the rules have players say. phrases: whether those of the table
        may be said besides; where the rules ask for any text at all they may, for else somebody who is muted could not
        make the move."""
        position, said = self.state.position, said_in(move)
        action = action_named(position, move.split()[0]) if move.split() else None
        if action is not None and action.takes_texts:
            return all(self._is_sayable(text, True) for text in texts_in(position, seat, action, move))
        return not said or self._is_sayable(said, phrases)

    def _is_sayable(self, said: str, phrases: bool) -> bool:
        if phrases and said.rstrip('"') in PHRASES:
            return True
        if len(said.removesuffix('"')) > LONGEST_SAID:
            return False  # to look at it would cost more than a move
        if self._sayable is None:
            self._sayable = self._what_is_sayable()
        return self._sayable.allows(said)

    def _what_is_sayable(self) -> Sayable:
        program, pieces = self.game.program, [phrase.pieces for phrase in setting_of(self.game).phrases]
        shown = [
            [
                piece if isinstance(piece, str) else (*piece, *(self.voice.choice(None, word) for word in piece))
                for piece in phrase
            ]
            for phrase in pieces
        ]
        return Sayable(shown, (*program.by_name, *program.ranks, *program.suits, *self.names))

    def sheet(self, reader: int | None) -> list[str]:
        """The scores by deal, as a reader may know them."""
        return self._sheets.lines(reader)

    def replay(self, at: int) -> dict[str, Any]:
        """The match after so many of its moves, when it is over: as each seat saw it, and what happened last.

        at, of: moves. scenes: by seat. lines: what came of the last of these moves, with everything that was hidden.
        """
        s = self.state.position
        at = max(0, min(at, len(s.record_moves)))
        chance = s.setup.chance
        state = self.game.start(chance=json.loads(json.dumps(chance)))
        redrawn = [again for again in s.setup.redrawn if again.moves <= at]
        make_again(state.position, s.record_moves[: max(0, at - 1)], [r for r in redrawn if r.moves < at])
        known = len(state.log or ())
        if at:
            make_again(state.position, s.record_moves[at - 1 : at], [])
        voice = Voice(state.position, self.names)
        lines = [(line.kind, line.text) for line in voice.told(None, (state.log or [])[known:])]
        scenes = [scene(state, voice, seat) for seat in range(self.game.players)]
        return {"at": at, "of": len(s.record_moves), "scenes": scenes, "lines": lines}

    # ---- what is asked ----------------------------------------------------------------------------------

    def _number_asks(self) -> None:
        """A seat's decision has another number when it has moved, when it is its turn anew, when another stage goes on,
        and after an undo.

        In a race it is everybody's turn: a number that changed with who can move would tell who can.
        """
        s = self.state.position
        actors = set(waited_for(s))
        made: dict[int, int] = {}
        for _, player, _, extra in s.record_moves[-1:]:
            if "refused" not in extra:
                made[player] = len(s.record_moves)
        for seat in range(self.game.players):
            key = (seat in actors, self._undone, s.stack[-1].stage if s.stack else None)
            if key != self._keys[seat] or seat in made:
                self._keys[seat] = key
                self._numbers[seat] += 1

    def _ask(self, seat: int) -> Any:
        found = self._scenes.ask(seat)
        return None if found is None else {"n": self._numbers[seat], **found}

    # ---- readers ----------------------------------------------------------------------------------------

    def welcome(self, reader: int | None) -> Reading:
        """All that a reader may know, with the last lines of the log."""
        lines = self._retold(reader)
        shown = self._shown[reader] = _Shown()
        shown.heard = self._heard
        shown.scene = self._scenes.of(reader)
        shown.ask = None if reader is None else self._ask(reader)
        return Reading(last_lines(lines, MOST_LINES, MOST_LETTERS), shown.scene, [], shown.ask)

    def _retold(self, reader: int | None) -> list[tuple[str, str]]:
        """The end of the log in sentences; what is told next follows upon it."""
        self.voice.begin_again(reader)
        log = self.state.log or []
        first, events = told_last(log, self._readers(reader), MOST_RETOLD)
        found: list[tuple[str, str]] = []
        begun = 0
        for end, note in ((end - first, note) for end, note in self._notes if end >= first):
            found += [*self._told(reader, events[begun:end]), ("news", note)]
            begun = end
        return found + self._told(reader, events[begun:])

    def _readers(self, reader: int | None) -> int:
        """Whose eyes a reader has, as bits: who watches learns what everybody does."""
        return (1 << self.game.players) - 1 if reader is None else 1 << reader

    def _told(self, reader: int | None, events: Iterable[Event]) -> list[tuple[str, str]]:
        voice = self.voice
        everybody = range(self.game.players)
        lines = voice.told_to_all(everybody, events) if reader is None else voice.told(reader, events)
        return list(lines)

    def news(self, reader: int | None) -> Reading:
        """What has changed for a reader who has been welcomed."""
        shown = self._shown[reader]
        events = self._since(shown.heard)
        left_out, events = told_last(events, self._readers(reader), MOST_RETOLD)
        if left_out:  # of one move: only its end is read
            self.voice.begin_again(reader)
        lines = self._told(reader, events)
        shown.heard = self._heard
        now = self._scenes.of(reader)
        found = changes(shown.scene, now)
        shown.scene = now
        ask = UNSET
        if reader is not None:
            current = self._ask(reader)
            if current != shown.ask:
                ask = shown.ask = current
        return Reading(last_lines(lines, MOST_LINES, MOST_LETTERS), None, found, ask)

    def _since(self, heard: int) -> list[Event]:
        """What has happened after so many events; most readers have heard as many."""
        if heard != self._fresh[0]:
            self._fresh = heard, (self.state.log or [])[heard:]
        return self._fresh[1]

    def _all_news(self) -> list[tuple[int | None, Reading]]:
        found = [(reader, self.news(reader)) for reader in self._shown]
        return [(reader, reading) for reader, reading in found if reading]

    def forget(self, reader: int | None) -> None:
        """Nobody reads that any more."""
        self._shown.pop(reader, None)
        self._sheets.forget(reader)


def head_of(game: Game, seed: int) -> dict[str, Any]:
    """What the first line of the record of a match says, but for what chance has given. seed: decides nothing here."""
    return header(game, Setup(seed))
