"""One match at one terminal: people in turn before the screen, bots at the other seats, the clock running."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from interpreter.engine.claims import claim_moves, is_open
from interpreter.engine.notation import IllegalMove, is_measure
from interpreter.engine.standing import kind_of_phase
from interpreter.engine.stuck import stuck
from interpreter.interfaces.terminal.keyboard import EndOfInput, Keyboard
from interpreter.interfaces.terminal.menu import Menu, menu, understand
from interpreter.interfaces.terminal.screen import Screen
from interpreter.players.random_bot import Bot
from interpreter.words.voice import Voice

if TYPE_CHECKING:
    from interpreter.api.state import State
    from interpreter.engine.events import Event
    from interpreter.engine.moves import Move
    from interpreter.engine.program import Program

PAUSE = 450
"""Milliseconds that a bot takes for its turn when a person watches: enough to read what it did."""
MOMENT = 2_200
"""Milliseconds that a bot takes where claims are open: enough to notice what was wrong, and to type a claim."""
SPEECH = 1_500
"""Milliseconds more in a race on honour, for a person must type what is said."""
GRACE = 1_300
"""Milliseconds that a bot takes to claim, besides its reaction: a person who watches can be first."""

LAST = 40
"""Lines of the log that are shown when somebody asks."""
NOBODY = "nobody can do anything any more, although the match is not over"

NOTHING_OFFERED = Menu((), (), ())
NOBODYS = Menu((), (), ())
"""On the screen while several race: nobody's view, and no list of moves."""
QUIT = ("quit", "q", "exit")
QUITTED = "you have left the match"


class Keeper(Protocol):
    """Whoever keeps what has happened, before anybody is asked again."""

    def keep(self) -> None: ...


class Left(Exception):
    """The match was left before its end. The message says why."""


@dataclass(slots=True)
class Table:
    """People and bots around a match.

    humans: the players who sit at the keyboard; everybody else has a bot.
    body: draws what the bodies of people decide, which nobody can type.
    rules: gives the text of the rules when somebody asks for them.
    keepers: keep what has happened. names: what people and bots are called, from the first seat on. verbose: whether
    shuffles and the like are told.
    """

    state: State
    humans: tuple[int, ...]
    bots: dict[int, Bot]
    screen: Screen
    keyboard: Keyboard
    body: Bot
    rules: Callable[[], str]
    keepers: list[Keeper] = field(default_factory=list)
    names: Sequence[str] = ()
    verbose: bool = False
    voice: Voice = field(init=False)
    _due: dict[int, int] = field(default_factory=dict)
    _extra: set[int] = field(default_factory=set)
    """Bots that have acted although nobody waited for them, since somebody did for whom the match waited."""
    _claims: dict[int, tuple[int, Move]] = field(default_factory=dict)
    """What bots are about to claim, and when."""
    _told: dict[int, int] = field(default_factory=dict)
    """How much of their log each person has read."""
    _common: int = 0
    """How much of the log has been told to all of them."""
    _before: int | None = None
    """The person whose view is on the screen."""
    _menu: Menu | None = None
    """What that person was offered; None when it has to be shown anew."""
    _zero: float = 0.0

    def __post_init__(self) -> None:
        self.voice = Voice(self.state.position, self.names, self.verbose)

    def run(self) -> None:
        """Play to the end of the match. Raises Left when somebody leaves it or nobody types any more."""
        self._zero = time.monotonic() - self.state.position.clock / 1000
        if self.humans:
            self._play_with_people()
        else:
            self._play_alone()
        reader = self.humans[0] if len(self.humans) == 1 else None
        self.screen.result(self.voice.result(reader), self.voice.sheet(reader, self.state.log or []))

    # ---- bots alone -----------------------------------------------------------------------------------

    def _play_alone(self) -> None:
        """Without anybody to wait for, the clock jumps to whatever happens next."""
        state = self.state
        told = 0
        now = state.position.clock
        while not state.over:
            self._schedule(now, quick=False)
            if not self._due and not self._claims:
                raise Left(NOBODY)
            now = max(now, self._first_due())
            self._bot_acts(now, now if self._is_open_to_several() else None)
            log = state.log or []
            if len(log) - told > 400 or state.over or kind_of_phase(state.position) not in ("trick", "simultaneous"):
                self.screen.chronicle(self.voice.told(None, log[told:]))
                told = len(log)

    # ---- people ---------------------------------------------------------------------------------------

    def _play_with_people(self) -> None:
        if len(self.humans) == 1:
            self._before = self.humans[0]
            self._tell(self._before)
        while not self.state.over:
            now = self._now()
            self._schedule(now, quick=not self._is_timed())
            person = self._asked()
            if self._bot_is_due(now):
                continue
            if person is not None and not self._together():
                self._sit_down(person)
            elif person is not None:
                self._race_together()
            self._listen(person)
        if self._before is not None:
            self._tell(self._before)
        else:
            self._tell_all()

    def _asked(self) -> int | None:
        """The person to be asked: the one at the screen, if the match waits for them, else the first."""
        waiting = [p for p in self.state.actors if p in self.humans]
        return self._before if self._before in waiting else waiting[0] if waiting else None

    def _together(self) -> bool:
        """Whether several people race at one keyboard, so that nobody has it alone."""
        return len(self.humans) > 1 and kind_of_phase(self.state.position) == "race"

    def _sit_down(self, person: int) -> None:
        """Show a person their view, unless it is on the screen; others must not see it."""
        if self._before != person and len(self.humans) > 1:
            self.screen.hand_over(self.voice.name(person), hide=bool(self._told))
            if (self._line(None) or "").strip().lower() in QUIT:
                raise Left(QUITTED)
            self.screen.clear()
        if self._before != person or self._menu is None:
            self._before = person
            self._tell(person)
            self._menu = menu(self.state, person)
            if self._menu == NOTHING_OFFERED:
                raise stuck(self.state.position, person)
            self.screen.position(self.state, person, self._menu, self.voice)
            self.screen.prompt(self._prompted(person))

    def _race_together(self) -> None:
        """Several race at one keyboard: they see what all of them may know, and nobody's cards."""
        if self._menu is not NOBODYS:
            if self._before is not None:
                self.screen.clear()
                self._before = None
            self._menu = NOBODYS
            self.screen.race([self.voice.name(person) for person in self.humans])
        self._tell_all()
        self.screen.prompt(None)

    def _tell_all(self) -> None:
        """What has happened since the last time, where it is the same for everybody at the keyboard."""
        log = self.state.log or []
        self.screen.told(self.voice.told_to_all(self.humans, log[self._common :]))
        self._common = len(log)

    def _tell(self, person: int) -> None:
        """What has happened since this person last looked, as far as they may know it."""
        log = self.state.log or []
        self.screen.told(self.voice.told(person, log[self._told.get(person, 0) :]))
        self._told[person] = len(log)

    def _listen(self, person: int | None) -> None:
        """Wait for a line, or until a bot is due; do what the line says."""
        wait = None
        if self._due or self._claims:
            wait = max(0, self._first_due() - self._now()) / 1000
        elif person is None:
            raise Left(NOBODY)
        if person is None and not self.keyboard.is_person:
            time.sleep(wait or 0)  # what stands in a file is for the one who is asked
            return
        line = self._line(wait)
        if line is not None:
            self._obey(line.strip(), person)

    def _line(self, seconds: float | None) -> str | None:
        try:
            line = self.keyboard.line(seconds)
            if line is not None:
                self.screen.typed(line, echo=not self.keyboard.is_person)
            return line
        except EndOfInput:
            raise Left("the input has ended") from None

    def _obey(self, typed: str, person: int | None) -> None:
        """Carry out a command or a move."""
        speaker, typed = self._speaker(typed, person)
        match typed.lower():
            case "":
                self._menu = None
            case "?" | "help":
                self.screen.help(self._menu or NOTHING_OFFERED, self.state)
                self.screen.prompt(self._prompted(speaker))
            case "rules":
                self.screen.page(self.rules())
                self._menu = None
            case "log":
                if speaker is not None:
                    self.screen.chronicle(self.voice.told(speaker, self.state.log or [], anew=True), LAST)
                    self.screen.prompt(self._prompted(speaker))
            case "scores":
                self.screen.sheet(self.voice.sheet(speaker, self.state.log or []))
                self.screen.prompt(self._prompted(speaker))
            case word if word in QUIT:
                raise Left(QUITTED)
            case _ if speaker is None:
                self.screen.complain(f"write who you are before your move, such as '{self.voice.name(1)} ...'")
            case _:
                self._try(typed, speaker)

    def _speaker(self, typed: str, person: int | None) -> tuple[int | None, str]:
        """Who types, and what: the one at the screen, or the one named first when several race."""
        if len(self.humans) == 1:
            return self.humans[0], typed
        name, _, rest = typed.partition(" ")
        named = self.voice.named(name)
        if self._together():
            return (named, rest.strip()) if named in self.humans else (None, typed)
        return (person if person is not None else self._before), typed

    def _prompted(self, person: int | None) -> str | None:
        """What whoever is asked is called; nobody where several race at one keyboard."""
        return None if person is None or self._together() else self.voice.name(person)

    def _try(self, typed: str, person: int) -> None:
        end = self._stamp()
        try:
            offered = self._offered_to(person)
            body, measures = _measures_in(typed, self.state.game.program)
            move = self.state.parse(person, understand(self.state, person, body, offered))
            self._play(person, move, end, self.body.measures(self.state, person, move) | measures)
        except IllegalMove as refusal:
            self.screen.refuse(self.voice.refusal(person, refusal))
            self.screen.prompt(self._prompted(person))
            return
        if self._menu is not NOBODYS:
            self._menu = None
        self._after(person)
        if self._before == person:
            self._tell(person)

    def _offered_to(self, person: int) -> Menu:
        """What the person can mean: what is on the screen. On honour out of turn only what is written in full."""
        if self._menu is not None and self._before == person:
            return self._menu
        offered = menu(self.state, person)
        if self.state.game.program.honor and person not in self.state.actors:
            return Menu((), (), offered.claims)
        return offered

    # ---- bots -----------------------------------------------------------------------------------------

    def _schedule(self, now: int, quick: bool) -> None:
        """Give each bot that has something to do a time to do it; take it from those that have not.

        quick: without delay, because nobody watches and nothing is timed.
        """
        ready = [p for p in self.state.actors if p in self.bots] + self._bystanders()
        self._due = {p: due for p, due in self._due.items() if p in ready}
        for player in ready:
            if player not in self._due:
                pause = 0 if quick else self._pause(player)
                self._due[player] = now + pause

    def _pause(self, player: int) -> int:
        if self._is_open_to_several():
            typing = SPEECH if self.humans and self.state.game.program.honor else 0
            return self.bots[player].reaction() + typing
        return MOMENT if self.humans and is_open(self.state.position) else PAUSE

    def _first_due(self) -> int:
        """When a bot does something next."""
        return min([*self._due.values(), *(at for at, _ in self._claims.values())])

    def _bystanders(self) -> list[int]:
        """Bots for whom the match does not wait and who may act all the same, once each until it moves on."""
        state = self.state
        if kind_of_phase(state.position) not in ("race", "simultaneous"):
            return []
        actors = state.actors
        others = [p for p in self.bots if p not in actors and p not in self._extra]
        return [p for p in others if len(state.legal_moves(p))]

    def _bot_is_due(self, now: int) -> bool:
        """Let the bot act whose time has come; whether there was one."""
        if not (self._due or self._claims) or self._first_due() > now:
            return False
        shown = self._before if self._before is not None and not self._together() else None
        self._bot_acts(now, self._stamp())
        if shown is not None and (self._is_timed() or len(self.humans) == 1):
            self._tell_while_typing(shown)
        return True

    def _bot_acts(self, now: int, end: int | None) -> None:
        """Let the bot act whose time came first: claims go before moves."""
        claiming = [(at, player) for player, (at, _) in self._claims.items() if at <= now]
        if claiming:
            bot = min(claiming)[1]
            _, move = self._claims.pop(bot)
            if move in claim_moves(self.state.position, bot):
                self._play(bot, move, end, {})
            return
        bot = min(self._due, key=lambda p: (self._due[p], p))
        del self._due[bot]
        self._act(bot, end)

    def _act(self, bot: int, end: int | None) -> list[Event]:
        move = self.bots[bot].choose(self.state, bot)
        awaited = bot in self.state.actors
        if move is None:
            raise stuck(self.state.position, bot)
        events = self._play(bot, move, end, self.bots[bot].measures(self.state, bot, move))
        if not awaited:
            self._extra.add(bot)
        self._after(bot if awaited else None)
        return events

    def _after(self, awaited: int | None) -> None:
        if awaited is not None:
            self._extra.clear()

    def _tell_while_typing(self, person: int) -> None:
        """News for somebody who is asked right now: the prompt comes again below it."""
        before = self._told.get(person, 0)
        self._tell(person)
        if self._asked() == person and self._menu is not None:
            offered = menu(self.state, person)
            if not set(self._menu.listed) <= set(offered.listed):
                self._menu = None  # what was on the screen is not true any more
            elif self._told[person] > before:  # what is new is not pointed out: in some games one has to notice it
                self.screen.prompt(self._prompted(person))
        else:
            self._menu = None

    # ---- moves and time ---------------------------------------------------------------------------------

    def _play(self, player: int, move: Move, end: int | None, measures: dict[str, int]) -> list[Event]:
        end = None if end is None else max(end, self.state.position.clock)
        watchers = [p for p, bot in self.bots.items() if bot.watches] if is_open(self.state.position) else []
        before = self.state.copy() if watchers else None
        events = self.state.play(player, move, None, end, **measures)
        if before is not None:
            self._watch(watchers, before, events)
        for keeper in self.keepers:
            keeper.keep()
        return events

    def _watch(self, watchers: Iterable[int], before: State, events: Iterable[Event]) -> None:
        """Let bots notice what is to be claimed. Once somebody has claimed it, nobody else needs to."""
        if any(event.kind == "claim" and " upheld" in event.words for event in events):
            self._claims.clear()
        now = self._now() if self.humans else self.state.position.clock
        for player in watchers:
            claim = self.bots[player].claim(before, self.state, player)
            if claim is not None and player not in self._claims:
                pause = GRACE + self.bots[player].reaction() if self._is_timed() else 0
                self._claims[player] = now + pause, claim

    def _now(self) -> int:
        return max(self.state.position.clock, round((time.monotonic() - self._zero) * 1000))

    def _stamp(self) -> int | None:
        """The time that goes into the record, where it may decide something."""
        return self._now() if self._is_timed() and self._is_open_to_several() else None

    def _is_open_to_several(self) -> bool:
        """Whether it may matter who moves first."""
        return kind_of_phase(self.state.position) in ("race", "simultaneous") or len(self.state.actors) > 1

    def _is_timed(self) -> bool:
        """Whether bots take their time: in a race always, else while a person watches."""
        return self.keyboard.is_person or kind_of_phase(self.state.position) == "race"


def _measures_in(typed: str, program: Program) -> tuple[str, dict[str, int]]:
    """`grab 2 hold=1` as the move and its measures; of `JK=5` a wild card keeps what it stands for."""
    body, quote, words = typed.partition('"')
    found, rest = {}, []
    for word in body.split(" "):
        name, sign, value = word.partition("=")
        named = name.isidentifier() and name not in ("begin", "end") and is_measure(program, name)
        if sign and named and value.isdigit():
            found[name] = int(value)
        else:
            rest.append(word)
    return f"{' '.join(rest)}{quote}{words}", found
