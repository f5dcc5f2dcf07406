"""One match at one terminal: people in turn before the screen, bots at the other seats, the clock running."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from interpreter.engine.notation import IllegalMove
from interpreter.engine.parsing import as_read
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.standing import kind_of_phase, takes_part
from interpreter.engine.stuck import stuck
from interpreter.interfaces.terminal import ending
from interpreter.interfaces.terminal.asking_back import Question
from interpreter.interfaces.terminal.clock import Clock
from interpreter.interfaces.terminal.ending import HANDING_OVER, HELP, LAST, QUIT, Keeper, Left
from interpreter.interfaces.terminal.keyboard import EndOfInput, HungUp, Interrupted, Keyboard
from interpreter.interfaces.terminal.menu import NOTHING_OFFERED, Menu, heard, menu
from interpreter.interfaces.terminal.others import Others, is_open_at_any_time, is_open_to_several
from interpreter.interfaces.terminal.screen import Screen
from interpreter.interfaces.terminal.spoken_moves import SeveralMeant
from interpreter.interfaces.terminal.suggestions import Suggestions, suggested
from interpreter.interfaces.terminal.telling import Telling
from interpreter.interfaces.terminal.together import ALONE, Shared, is_for_all, shared, unnamed
from interpreter.interfaces.terminal.undoing import helped, is_for_turns, take_back, why_not_undo
from interpreter.interfaces.terminal.waiting import MEANWHILE, OUT, PLAY_ON, TOO_EARLY, Waiting
from interpreter.players.random_bot import Bot
from interpreter.words.voice import Voice

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.events import Event
    from interpreter.engine.moves import Move
    from interpreter.interfaces.terminal.editor import LineEditor
    from interpreter.players.monte_carlo import Rated


@dataclass(slots=True)
class Table:
    """People and bots around a match.

    humans: the players who sit at the keyboard; everybody else has a bot.
    body: draws what the bodies of people decide, which nobody can type.
    rules: gives the text of the rules when somebody asks for them.
    keepers: keep what has happened. names: what people and bots are called, from the first seat on. verbose: whether
    shuffles and the like are told. advise: ranks the moves of a player. kept: whether the match can go on later.
    """

    state: State
    humans: tuple[int, ...]
    bots: dict[int, Bot]
    screen: Screen
    keyboard: Keyboard | LineEditor
    body: Bot
    rules: Callable[[], str]
    keepers: list[Keeper] = field(default_factory=list)
    names: Sequence[str] = ()
    verbose: bool = False
    advise: Callable[[State, int], Sequence[Rated]] = lambda state, player: ()
    kept: bool = False
    voice: Voice = field(init=False)
    others: Others = field(init=False)
    _telling: Telling = field(init=False)
    _before: int | None = None
    """The person whose view is on the screen."""
    _menu: Menu | None = None
    """What that person was offered; None when it has to be shown anew."""
    _shared: Shared | None = None
    """What several were shown who race at one keyboard; None when it has to be shown anew."""
    _question: Question | None = None
    """What was asked back of whoever typed last."""
    _clock: Clock = field(init=False)
    _waiting: Waiting = field(default_factory=Waiting)

    def __post_init__(self) -> None:
        self.voice = Voice(self.state.position, self.names, self.verbose)
        self._clock, self._telling = Clock(self.state), Telling(self.state, self.voice, self.humans)
        self.others = Others(self.state, self.bots, self.humans, self._play)

    def run(self) -> None:
        """Play to the end of the match.

        Raises Left when somebody leaves it or nobody types any more, and RuleError where the ruleset cannot go on; what
        has happened until then has been told.
        """
        self._clock.set()
        try:
            if self.humans:
                self._play_with_people()
            else:
                self._play_alone()
        except RuleError:
            self._tell_the_rest()
            self.screen.end()
            raise
        reader = self.humans[0] if len(self.humans) == 1 else None
        self.keyboard.pause()
        self.screen.result(self.voice.result(reader), self._telling.last_sheet())

    # ---- bots alone -----------------------------------------------------------------------------------

    def _play_alone(self) -> None:
        """Without anybody to wait for, the clock jumps to whatever happens next."""
        state = self.state
        now, progress = state.position.clock, ending.Progress()
        while not state.over:
            self.others.schedule(now, quick=False)
            if self.others.are_idle or progress.has_ended(state.position):
                self._tell_the_rest()
                raise Left(ending.NOBODY if self.others.are_idle else ending.IN_VAIN)
            now = max(now, self.others.first_due())
            self.others.act(now, now if is_open_to_several(state) else None)
            is_much = self._telling.left_for_all() > 400
            if is_much or state.over or kind_of_phase(state.position) not in ("trick", "simultaneous"):
                self._tell_the_rest()

    def _tell_the_rest(self) -> None:
        """What has happened and is not told yet, to whoever sits at the screen."""
        if not self.humans:
            self.screen.chronicle(self._telling.news(None))
        else:
            self._tell(self._before)

    # ---- people ---------------------------------------------------------------------------------------

    def _play_with_people(self) -> None:
        if len(self.humans) == 1:
            self._before = self.humans[0]
            self._tell(self._before)
        while not self.state.over:
            try:
                self._go_on()
            except RuleError as stopped:
                self._stop(stopped)
        self._tell_the_rest()

    def _go_on(self) -> None:
        """Let a bot act that is due, or wait for a line."""
        now = self._clock.now()
        self.others.schedule(now, quick=not self._is_timed())
        person = self._asked()
        if person is not None:
            self._waiting.end()
        if self._waiting.hurries:
            now = self._hurried(now, person)
        if self._bot_is_due(now):
            return
        if person is not None and not self._together():
            self._sit_down(person)
        elif person is not None:
            self._race_together()
        else:
            self._say_how_not_to_wait()
        self._listen(person)

    def _stop(self, stopped: RuleError) -> None:
        """Where the rules cannot go on: whoever can take moves back is asked. Raises the error where nobody can."""
        if not self.keyboard.is_person or why_not_undo(self.state, self.humans):
            raise stopped
        self._tell_the_rest()
        self.screen.refuse(f"{ending.DEAD_END[0]}: {stopped}")
        self.screen.complain(ending.DEAD_END[1])
        self.others.forget()
        self._ask(self.humans[0])
        made = len(self.state.position.record_moves)
        while len(self.state.position.record_moves) == made:
            self._listen(self.humans[0])

    def _asked(self) -> int | None:
        """The person to be asked: the one at the screen, if the match waits for them, else the first."""
        waiting = [p for p in self.humans if p in self.state.actors]
        return self._before if self._before in waiting else waiting[0] if waiting else None

    def _say_how_not_to_wait(self) -> None:
        """To whoever sits there alone and is out, or has not been asked for long."""
        if self._waiting.is_told or self._before is None or len(self.humans) > 1 or not self.keyboard.is_person:
            return
        is_out = not takes_part(self.state.position, self._before)
        if is_out or self._waiting.is_long(self.state.game.players):
            self._waiting.is_told = True
            self.screen.complain(OUT if is_out else PLAY_ON)
            self._ask(self._before)

    def _hurried(self, now: int, person: int | None) -> int:
        """The time when a bot does something next, to which the clock jumps while nobody wants to wait."""
        line = self._typed_meanwhile() if person is None else None
        if line is not None or person is not None or self._waiting.is_up or self.others.are_idle:
            self._waiting.calm_down()
            self._tell_the_rest()
            if line:
                self._obey(line, None)
            return now
        self._clock.skip(max(0, self.others.first_due() - now))
        return max(now, self.others.first_due())

    def _typed_meanwhile(self, seconds: float | None = 0) -> str | None:
        """A line that was typed while nobody waits for one, or within so many seconds; quit for an interrupt."""
        try:
            line = self._line(seconds)
        except Interrupted:
            return QUIT[0]
        return None if line is None else line.strip()

    def _together(self) -> bool:
        """Whether several people at one keyboard are asked at once, so that nobody has it alone."""
        return is_for_all(self.state, self.humans)

    def _sit_down(self, person: int) -> None:
        """Show a person their view, unless it is on the screen; others must not see it."""
        self._shared = None
        if self._before != person and len(self.humans) > 1:
            if self._before is None and self._telling.heard.was_common:
                self._tell(None)  # all are looking still
            self._hand_over(person)
        if self._before != person or self._menu is None:
            self._before = person
            self._tell(person)
            self._menu = menu(self.state, person)
            if self._menu == NOTHING_OFFERED:
                raise stuck(self.state.position, person, self.humans)
            self.screen.position(self.state, person, self._menu, self.voice)
            if self.keyboard.drop_numbers():
                self.screen.complain(TOO_EARLY)
            if self.bots and not self._waiting.is_warned and self._is_timed() and is_open_at_any_time(self.state):
                self._waiting.is_warned = True
                self.screen.complain(MEANWHILE)
            self._ask(person)

    def _hand_over(self, person: int) -> None:
        """Let somebody sit down whose cards nobody else may see; the others can still read the rules."""
        self.keyboard.ask("", Suggestions(), anew=True)
        hide = self._before is not None
        self.screen.hand_over(self.voice.name(person), hide)
        while typed := (self._typed_meanwhile(None) or "").lower():  # nothing but Enter shows anything
            if typed == "rules":
                self._show_rules()
            elif typed in QUIT:
                self._leave()
                self.keyboard.ask("", Suggestions(), anew=True)
            self.screen.complain(HANDING_OVER.format(self.voice.name(person)))
        if hide:
            self.screen.clear()

    def _race_together(self) -> None:
        """Several race at one keyboard: they see what all of them may know, and nobody's cards."""
        if self._before is not None:
            self.keyboard.ask("", Suggestions(), anew=True)
            self.screen.clear()
            self._before = self._menu = self._question = None
        self._tell(None)
        now = shared(self.state, self.humans)
        if self._shared is None or not self._shared.still_holds(now):
            self._shared = now
            self.screen.race(self.state, now, self.voice)
        self._ask(None)

    def _tell(self, person: int | None) -> None:
        """What has happened since this person last looked, or all of them (None), as far as they may know it."""
        lines = self._telling.news(person)
        if person is not None and self._waiting.is_long(self.state.game.players):
            self.screen.chronicle(lines, LAST)
        else:
            self.screen.told(lines)

    # ---- what is typed ----------------------------------------------------------------------------------

    def _ask(self, person: int | None) -> None:
        """Show that a line is waited for. person: whose; nobody's where several race at one keyboard."""
        named = None if person is None or self._together() else self.voice.name(person)
        names = map(self.voice.name, self.humans if self._together() else ())
        self.keyboard.ask(f"{named or ''}> ", suggested(self._shown(), [*names]))
        if not self.keyboard.shows_prompt:
            self.screen.prompt(named)

    def _listen(self, person: int | None) -> None:
        """Wait for a line, or until a bot is due; do what the line says."""
        wait = None
        if not self.others.are_idle:
            wait = max(0, self.others.first_due() - self._clock.now()) / 1000
        elif person is None:
            raise Left(ending.NOBODY)
        if person is None and not self.keyboard.is_person:
            time.sleep(wait or 0)  # what stands in a file is for the one who is asked
            return
        try:
            line = self._line(wait)
        except Interrupted:
            self._leave()
            self._ask(person)
            return
        if line is not None:
            self._obey(line.strip(), person)

    def _line(self, seconds: float | None) -> str | None:
        try:
            line = self.keyboard.line(seconds)
        except EndOfInput as end:
            if isinstance(end, HungUp) or not self.keyboard.shows_prompt:
                raise Left("the input has ended") from None
            return "quit"  # Ctrl+D, and more can be typed
        if line is not None and not self.keyboard.shows_prompt:
            self.screen.typed(line, echo=not self.keyboard.is_person)
        return line

    def _leave(self) -> None:
        """Leave the match, once whoever wants to has said so again. Raises Left."""
        if not self.keyboard.is_person:
            raise Left(ending.QUITTED)
        with self._clock.stopped():
            self.screen.leaving(self.kept)
            self.keyboard.ask(ending.LEAVE, Suggestions({"y": (), "n": ()}))
            if not self.keyboard.shows_prompt:
                self.screen.ask(ending.LEAVE)
            try:
                leaves = (self._line(None) or "").strip().lower() in ending.YES
            except Interrupted:
                leaves = True
            if leaves:
                raise Left(ending.QUITTED)
            self.screen.say(ending.STAYS)

    def _obey(self, typed: str, person: int | None) -> None:
        """Carry out a command or a move."""
        speaker, typed = self._speaker(typed, person)
        question, self._question = self._question, None
        answered = question and question.answered_by(speaker, typed)
        if answered and self._is_understood(*answered):
            return self._try(*answered)
        reader = None if self._together() else speaker  # what they alone know is not for those who sit beside them
        match typed.lower():
            case "":
                if self._waiting.is_told and self._asked() is None:
                    self._waiting.hurry(self.others, self.humans)
                self._menu = self._shared = None
                return
            case word if word in HELP:
                commands = helped(self.state, self.humans)
                self.screen.help(self._shown(), self.state, lambda move: self.voice.in_words(speaker, move), commands)
            case "rules":
                self._show_rules()
            case "log":
                self.screen.chronicle(self._telling.log(reader), LAST)
            case "scores" | "score":
                self.screen.sheet(self._telling.scores(reader))
            case "hint":
                self._hint(speaker)
            case "undo":
                self._undo(speaker)
                return
            case word if word in QUIT and typed not in self.state.game.program.ranks:
                self._leave()
            case _:
                whose = self._now_shared().meant(self.state, typed, self.voice) if speaker is None else [speaker]
                if len(whose) == 1:
                    return self._try(whose[0], typed)
                self._question = Question(None, typed) if whose else None
                self.screen.complain(unnamed([*map(self.voice.name, whose or self.humans)], typed if whose else "..."))
        self._ask(speaker)

    def _show_rules(self) -> None:
        with self._clock.stopped():
            self.screen.page(self.rules(), self.keyboard.is_person)

    def _shown(self) -> Menu:
        return self._shared.whole if self._shared else self._menu or NOTHING_OFFERED

    def _now_shared(self) -> Shared:
        """What is on the screen, unless what all of them see alike has become another thing meanwhile."""
        now = shared(self.state, self.humans)
        return self._shared if self._shared is not None and self._shared.is_open == now.is_open else now

    def _speaker(self, typed: str, person: int | None) -> tuple[int | None, str]:
        """Who types, and what: the one at the screen, or the one named first, or by a number, when several race."""
        if len(self.humans) == 1:
            return self.humans[0], typed
        if self._together():
            return self._now_shared().speaker(typed, self.voice.named)
        return (person if person is not None else self._before), typed

    def _is_understood(self, person: int, typed: str) -> bool:
        try:
            heard(self.state, person, typed, self._offered_to(person), self.voice)
        except IllegalMove as refusal:
            return isinstance(refusal, SeveralMeant)
        return True

    def _try(self, person: int, typed: str) -> None:
        end = self._stamp()
        try:
            move, measures = heard(self.state, person, typed, self._offered_to(person), self.voice)
            self._play(person, move, end, self.body.measures(self.state, person, move) | measures)
        except (IllegalMove, RuleError) as refusal:
            if isinstance(refusal, RuleError) and not self.keyboard.is_person:
                raise
            at_screen = self._now_shared() if self._together() else ALONE
            why = at_screen.refusal(self.state, person, typed, refusal, self.voice)
            self._question = Question(person, typed) if isinstance(refusal, SeveralMeant) else None
        else:
            self._menu = self._shared = None
            self.others.moved_on()
            if self._before == person:
                self._tell(person)
            return
        self.screen.refuse(why)
        self._ask(person)

    def _offered_to(self, person: int) -> Menu:
        """What the person can mean: what is on the screen. On honour out of turn only what is written in full."""
        if self._menu is not None and self._before == person:
            return self._menu
        offered = replace(menu(self.state, person), shown=False)
        if self._together():
            offered = self._now_shared().told_apart(person, offered, self.voice.name)
        if self.state.game.program.honor and person not in self.state.actors:
            return replace(NOTHING_OFFERED, claims=offered.claims, in_full=offered.in_full)
        return offered

    # ---- help from the program ----------------------------------------------------------------------------

    def _hint(self, person: int | None) -> None:
        """What a bot would do, and why."""
        if not is_for_turns(self.state):
            self.screen.complain(ending.HINTS_ARE_FOR_TURNS)
        elif person is None or self._together():
            self.screen.complain(ending.HINTS_ARE_FOR_ONE)
        elif person not in self.state.actors:
            self.screen.complain(self.voice.turn(person))
        else:
            with self._clock.stopped():
                ranked = self.advise(self.state, person)
                self.screen.advice(self.voice.advice(person, [(r.move, r.gain, len(r.outcomes)) for r in ranked]))

    def _undo(self, person: int | None) -> None:
        """Take back the last move of the one who plays against bots, and let chance go on in another way."""
        undone, why_not = take_back(self.state, self.humans)
        if why_not:
            self.screen.complain(why_not)
            self._ask(person)
            return
        for keeper in self.keepers:
            keeper.keep()
        self.others.forget()
        self._telling.taken_back()
        self._clock.set()
        self._menu = None
        self.screen.taken_back(undone)

    # ---- bots -----------------------------------------------------------------------------------------

    def _bot_is_due(self, now: int) -> bool:
        """Let the bot act whose time has come; whether there was one."""
        if not self.others.is_due(now):
            return False
        shown = self._before if self._before is not None and not self._together() else None
        self.others.act(now, self._stamp())
        self._waiting.row += any(map(self._telling.is_news, self.humans)) or not self.humans
        if self._waiting.hurries:
            return True
        if shown is not None and (self._is_timed() or len(self.humans) == 1):
            self._tell_while_typing(shown)
        return True

    def _tell_while_typing(self, person: int) -> None:
        """News for somebody who is asked right now: the prompt comes again below it."""
        is_news = self._telling.is_news(person)
        self._tell(person)
        if self._asked() == person and self._menu is not None:
            offered = menu(self.state, person)
            if not set(self._menu.listed) <= set(offered.listed):
                self._menu = None  # what was on the screen is not true any more
            elif is_news:  # what is new is not pointed out: in some games one has to notice it
                self._ask(person)
        else:
            self._menu = None

    # ---- moves and time ---------------------------------------------------------------------------------

    def _play(self, player: int, move: Move, end: int | None, measures: dict[str, int]) -> list[Event]:
        end = None if end is None else max(end, self.state.position.clock)
        watchers = self.others.watchers()
        before = self.state.copy() if watchers else None
        if self.keepers:
            as_read(self.state.position, player, move)  # else nobody could take the match up again
        events = self.state.play(player, move, None, end, **measures)
        if before is not None:
            now = self._clock.now() if self.humans else self.state.position.clock
            self.others.watch(watchers, before, events, now, self._is_timed())
        for keeper in self.keepers:
            keeper.keep()
        return events

    def _stamp(self) -> int | None:
        """The time that goes into the record, where it may decide something."""
        return self._clock.now() if self._is_timed() and is_open_to_several(self.state) else None

    def _is_timed(self) -> bool:
        """Whether bots take their time: in a race always, else while a person watches."""
        return self.keyboard.is_person or kind_of_phase(self.state.position) == "race"
