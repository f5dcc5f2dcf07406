"""The application: takes keys, lets the clock run, and draws the table again whenever something has happened."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.widgets import Input, Static

from interpreter.base.english import players_told
from interpreter.engine.available import action_named
from interpreter.engine.events import told_last
from interpreter.engine.notation import IllegalMove
from interpreter.engine.standing import kind_of_phase
from interpreter.engine.view import View
from interpreter.interfaces.fullscreen.bindings import POOLS, Keys, Rehearsal
from interpreter.interfaces.fullscreen.board import KEY, Setting, board
from interpreter.interfaces.fullscreen.choice import Choice
from interpreter.interfaces.fullscreen.faces import Faces
from interpreter.interfaces.fullscreen.guide import guide, pointing
from interpreter.interfaces.fullscreen.reactions import TIMED
from interpreter.interfaces.fullscreen.sitting import Sitting
from interpreter.interfaces.fullscreen.summary import between, minutes, scores, summary, table
from interpreter.interfaces.fullscreen.things import Spots, Thing, Way
from interpreter.interfaces.terminal import WIDTH, rules_told
from interpreter.interfaces.terminal.menu import menu, understand
from interpreter.interfaces.terminal.screen import seen
from interpreter.words.drawing import in_order

BEAT = 0.02
"""Seconds between two looks at the clock."""
LINGERS = 5_000
"""Milliseconds that a message stays."""
JUST = 1_000
"""Milliseconds in which somebody may not have seen yet what others have done."""
NEWS = 240
"""Lines of the log that are looked at for news."""
ORDER: dict[str | None, int] = {key: number for number, key in enumerate(POOLS["action"])}
"""The order in which keys of actions are listed."""
FEW = 3
"""Moves without keys that are named."""
ON_CURTAINS = {
    "begin": "Enter begins, ? shows the keys, r the rules, Tab the scores.",
    "pause": "Esc or Enter goes on, ? shows the keys, r the rules, Tab the scores by deal, Ctrl+Q leaves.",
    "between": "Enter goes on, ? shows the keys, r the rules, Tab the scores by deal, Ctrl+Q leaves.",
    "leave": "y or Enter leaves, n or Esc goes back to the table.",
    "end": "Enter leaves.",
}
"""What the keys do while the table is covered."""
HINTS = "? keys, rules  Esc pause  Tab scores  Ctrl+Q leave  : words  Backspace drops a choice"
MOST_NEWS = 24
"""Lines of news that are shown where the table leaves room."""
LOW, TALL = 18, 30
"""Lines from which on there is room for news, and for more of them."""


class FullScreen(App[Exception | None]):
    """One match on the whole screen. It returns the error that has ended it, if one has."""

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [("ctrl+q", "quit", "Leave"), ("ctrl+c", "quit", "Leave")]
    CSS = """
    Screen { layout: vertical; background: ansi_default; }
    Static { width: 100%; background: ansi_default; color: ansi_default; }
    #top { height: 1; text-style: reverse; }
    #table { height: 1fr; }
    #foot { height: auto; }
    #words { height: 1; border: none; padding: 0; background: ansi_default; display: none; }
    """

    def __init__(
        self,
        sitting: Sitting,
        symbols: bool = True,
        beat: float = BEAT,
        rehearsed: Rehearsal | None = None,
        kept: bool = False,
    ) -> None:
        """symbols: whether the terminal can show more than ASCII. beat: seconds; with 0 somebody else calls `beat`.

        kept: whether the match can go on when it has been left.
        """
        super().__init__(ansi_color=True)
        self.sitting = sitting
        self._beat, self._kept = beat, kept
        game = sitting.state.game
        self._player = 0 if sitting.person is None else sitting.person
        self.keys = Keys.of_game(game, self._player, rehearsed)
        self._faces = Faces(game, symbols)
        spots = Spots(self.keys.fans, game.program.ranks)
        self._choice = Choice(sitting.state, self._player, self.keys, spots, sitting.voice)
        self._spots = spots
        self._begun = 0
        """When the first key of the move was pressed that is being chosen."""
        self._changed = -JUST
        """When something has last happened that was not of the person's doing."""
        self._curtain = "begin"
        """What covers the table: "begin", "pause", "help", "rules", "scores", "leave", "between" or "end"; nothing
        while it is played."""
        self._behind = ""
        """What the help, the rules or the scores cover besides."""
        self._rules: list[str] = []
        """The lines of the rules, once somebody has asked for them."""
        self._read = 0
        """The first line of them that is shown."""
        self._message = Text()
        self._message_until: int | None = None
        """Until when the message stays; None: until something else is to be said."""

    def compose(self) -> ComposeResult:
        yield Static(id="top")
        yield Static(id="table")
        yield Static(id="foot")
        yield Input(id="words", placeholder="a move in words; Enter makes it, Esc drops it")

    def on_mount(self) -> None:
        if self._beat:
            self.set_interval(self._beat, self.beat)
        self._guarded(self.redraw)

    def on_resize(self) -> None:
        self.call_after_refresh(self._guarded, self.redraw)

    # ---- time -------------------------------------------------------------------------------------------

    def beat(self) -> None:
        """Go on to the present moment."""
        self._guarded(self._go_on)

    def _go_on(self, before_now: bool = False) -> None:
        sitting = self.sitting
        changed = sitting.advance(before_now)
        if changed:
            self._changed = sitting.now
        if changed and self._choice.is_out_of_date():
            self._tell("that has passed: somebody was quicker", "yellow")
        if sitting.state.over and self._curtain != "end":
            self._cover("end")
        elif sitting.race_over and not self._curtain:
            self._cover("between")
        elif changed:
            self.redraw()
        elif self._message_until is not None and sitting.now >= self._message_until:
            self._tell("")
            self.redraw()
        else:
            self._draw_top()

    async def action_quit(self) -> None:
        """Leave the match, once whoever wants to has said so again."""
        if self._curtain in ("", "pause", "help", "scores", "between") and self.sitting.person is not None:
            self._cover("leave")
        else:
            self.exit()

    def _guarded(self, act: Callable[[], None]) -> None:
        """Whatever goes wrong ends the application in order: whoever has started it tells of it."""
        try:
            act()
        except Exception as error:
            self.exit(error)

    def _cover(self, curtain: str) -> None:
        self._curtain = curtain
        self.sitting.stop()
        self._choice.drop()
        self._tell("")
        self.redraw()

    def _uncover(self) -> None:
        self._curtain = ""
        self.sitting.go()
        self.redraw()

    # ---- keys -------------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        words = self.query_one("#words", Input)
        if words.has_focus:
            if event.key == "escape":
                self._close_words()
            return
        event.stop()
        sign = event.character if event.is_printable and event.character != " " else None
        self._guarded(lambda: self._pressed(sign.lower() if sign else event.key))

    def _pressed(self, key: str) -> None:
        if self._curtain:
            self._pressed_on_curtain(key)
            return
        match key:
            case "escape":
                self._cover("pause")
            case "?":
                self._behind = ""
                self._cover("help")
            case "tab":
                self._cover("scores")
            case "backspace":
                self._choice.drop()
                self._tell("")
                self.redraw()
            case _ if self.sitting.person is None:
                self._tell("you are watching; Esc stops the time, Ctrl+Q leaves")
                self.redraw()
            case ":":
                self._open_words()
            case _:
                self._play(key)

    def _pressed_on_curtain(self, key: str) -> None:
        match self._curtain, key:
            case (("begin" | "pause" | "between" as behind), ("?" | "r" | "tab")):
                self._behind = behind
                self._cover({"?": "help", "r": "rules"}.get(key, "scores"))
            case "help", "r":
                self._cover("rules")
            case "rules", "space" | "down" | "pagedown":
                self._turn_page(1)
            case "rules", "up" | "pageup" | "b":
                self._turn_page(-1)
            case ("pause", "escape" | "enter") | ("leave", "escape" | "n"):
                self._uncover()
            case "leave", "y" | "enter":
                self.exit()
            case (("help" | "rules" | "scores"), _):
                self._go_back()
            case (("begin" | "between"), "enter"):
                self._uncover()
            case "end", "enter" | "escape" | "q":
                self.exit()
            case curtain, _:
                self._tell(f"'{key}' does nothing here. {ON_CURTAINS[curtain]}", "yellow")
                self.redraw()

    def _go_back(self) -> None:
        """To what was covered besides, else to the table."""
        behind, self._behind, self._read = self._behind, "", 0
        if behind:
            self._cover(behind)
        else:
            self._uncover()

    def _turn_page(self, pages: int) -> None:
        """Go on, or back, in the rules; behind their last page is what was there before."""
        to = self._read + pages * self._room
        if to >= len(self._rules):
            self._go_back()
        else:
            self._read = max(0, to)
            self.redraw()

    @property
    def _room(self) -> int:
        """Lines of the rules that are shown at once."""
        return max(1, self.size.height - 5)

    def _play(self, key: str) -> None:
        """A key of the game."""
        self._go_on(before_now=True)  # what was due before the key comes before it
        if self._curtain:
            return
        now = self.sitting.now
        if not self._choice.chosen:
            self._begun = now
        outcome = self._choice.press(key, now)
        if outcome.move is not None:
            self._make(str(outcome.move), self._begun)
            return
        if outcome.refused and self.keys.things(key):
            self.sitting.refused += 1
        told, is_place = outcome.told, any(thing[0] != "action" for thing in self.keys.things(key))
        in_race = kind_of_phase(self.sitting.state.position) == "race"
        if is_place and in_race and outcome.refused and now - self._changed < JUST:
            told += " (The table has just changed.)"
        self._tell(told, "yellow" if outcome.refused else "", lingers=outcome.refused)
        self.redraw()

    def _make(self, move: str, begun: int) -> None:
        why = self.sitting.act(move, begun)
        self._tell(f"not so: {why}" if why else "", "yellow")
        self._go_on()
        self.redraw()

    # ---- words ------------------------------------------------------------------------------------------

    def _open_words(self) -> None:
        words = self.query_one("#words", Input)
        words.display = True
        words.focus()
        self._choice.drop()
        self._begun = self.sitting.now

    def _close_words(self) -> None:
        words = self.query_one("#words", Input)
        words.value = ""
        words.display = False
        self.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        typed = event.value.strip()
        self._close_words()
        if typed:
            self._guarded(lambda: self._say(typed))

    def _say(self, typed: str) -> None:
        state = self.sitting.state
        try:
            move = understand(
                state,
                self._player,
                self.sitting.voice.typed(typed, self._player),
                menu(state, self._player),
                self.sitting.voice,
            )
        except IllegalMove as refusal:
            self.sitting.refused += 1
            self._tell(self.sitting.voice.refusal(self._player, refusal), "yellow", lingers=True)
            self.redraw()
            return
        self._make(move, self._begun)

    # ---- what is drawn ----------------------------------------------------------------------------------

    def _tell(self, message: str, style: str = "", lingers: bool = True) -> None:
        self._message = self._faces.styled(message, style)
        self._message_until = self.sitting.now + LINGERS if message and lingers else None

    def redraw(self) -> None:
        """Draw everything as it is now."""
        if not self.is_running or not self.screen.is_mounted:
            return
        self._draw_top()
        foot, drawn = (self._line(self._message), self._covered()) if self._curtain else self._laid_out()
        self.query_one("#foot", Static).update(seen(foot))
        self.query_one("#table", Static).update(seen(drawn))

    def _laid_out(self) -> tuple[Text, Text]:
        """What stands at the foot, and the table above it; what the table leaves free is for news."""
        width, high = self.size.width, self.size.height
        news = 6 if high >= TALL else 2 if high >= LOW else 0
        above, below = self._line(self._actions()), self._below()
        height = max(1, high - 1 - news - sum(text.plain.count("\n") + 1 for text in (above, below)))
        drawn = board(self._view(), self._setting(), width, height)
        free = height - len(drawn.split("\n", allow_blank=True))
        lines = self._news(news + max(0, min(free, MOST_NEWS - news)) if news else 0)
        return Text("\n").join([above, *lines, below]), drawn

    def _view(self) -> View:
        view = self.sitting.state.view(self._player)
        view["values"] = in_order(view["values"], self.sitting.voice.captions(self.sitting.person))
        return view

    def _setting(self) -> Setting:
        found = self._choice.open
        live: frozenset[Thing] | None = None
        if kind_of_phase(self.sitting.state.position) not in TIMED:
            live = frozenset(thing for way in found.lawful for thing in way.things)
        captions = self.sitting.voice.captions(self.sitting.person)
        return Setting(self.keys, self._spots, self._faces, live, self._choice.chosen, captions)

    def _draw_top(self) -> None:
        state, now = self.sitting.state, self.sitting.now
        stands = "" if self.sitting.runs or state.over else "   time stands still"
        left = f" {state.game.ruleset.name}: {state.phase.replace('_', ' ')}"
        right = f"{stands}   {minutes(now)} "
        room = self.size.width - len(left) - len(right)
        top = Text(f"{left}{' ' * room}{right}" if room > 0 else f"{left} {right}")
        self.query_one("#top", Static).update(seen(top))

    def _below(self) -> Text:
        """A message, else the question; below it the keys of the program."""
        told = self._message if self._message else self._faces.styled(self._question(), "bold")
        hints = Text(f" {HINTS}", "dim")
        hints.truncate(self.size.width, overflow="ellipsis")
        return Text("\n").join([self._line(told), hints])

    def _line(self, text: Text) -> Text:
        """A line of the foot, on as many lines as it needs where the screen is high enough for them."""
        if self.size.height < LOW:
            line = Text(" ").append_text(text)
            line.truncate(self.size.width, overflow="ellipsis")
            return line
        parts = text.wrap(self.console, max(1, self.size.width - 2))
        return Text("\n").join(Text(" ").append_text(part) for part in parts or [Text()])

    def _question(self) -> str:
        """What the person is asked, unless all act at once: there nothing points out what could be done."""
        state, person = self.sitting.state, self.sitting.person
        if person is None or person not in state.actors:
            return ""
        if kind_of_phase(state.position) == "race":
            return self.sitting.voice.task(person)
        return self.sitting.voice.question(person, menu(state, person).groups)

    def _actions(self) -> Text:
        found = self._choice.open
        lawful = {thing for way in found.lawful for thing in way.things}
        told = Text()
        if self.sitting.person is not None and kind_of_phase(self.sitting.state.position) == "race":
            for keys, done in pointing(self.keys, self.sitting.state.phase, found.lawful):
                told.append(keys, KEY).append(f" {done}   ")
        actions = {name: self._key(("action", name)) for name in found.actions if self._is_offered(name, lawful)}
        for name, key in sorted(actions.items(), key=lambda item: ORDER.get(item[1], len(ORDER))):
            if key is not None:
                told.append(key, KEY).append(f" {name.replace('_', ' ')}   ")
        for way in found.lawful:
            if len(way.things) == 1 and way.things[0][0] == "player":
                told.append(self._key(way.things[0]) or ":", KEY)
                told.append(f" {self._named(way)}   ")
        by_words = [way for way in found.lawful if any(self._key(thing) is None for thing in way.things)]
        for way in by_words[:FEW]:
            told.append(":", KEY).append(f" {self._named(way)}   ")
        for name in found.several:
            told.append(f"{name.replace('_', ' ')}: cards, then ").append("Enter", KEY).append("   ")
        for name in found.wordy:
            told.append(":", KEY).append(f" {name.replace('_', ' ')} ...   ")
        return told

    def _is_offered(self, action: str, lawful: Collection[Thing]) -> bool:
        """Whether the key of an action is shown: where it may be done now, in a race always if one has to notice it."""
        position = self.sitting.state.position
        if ("action", action) in lawful or kind_of_phase(position) not in TIMED:
            return ("action", action) in lawful
        code = action_named(position, action)
        return code is not None and (code.quiet or code.contest is not None)

    def _named(self, way: Way) -> str:
        """A move in words."""
        return self.sitting.voice.in_words(self._player, way.move)

    def _key(self, thing: Thing) -> str | None:
        return self.keys.of(thing, f"P{self._player + 1}")

    def _news(self, lines: int) -> list[Text]:
        """The last of what has happened."""
        person = self._player if self.sitting.person is not None else None
        log = told_last(self.sitting.state.log or [], 0 if person is None else 1 << person, NEWS)[1]
        found = [line.text for line in self.sitting.voice.told(person, log, anew=True)]
        last = found[max(0, len(found) - lines) :]
        told = [self._faces.styled(f" {line}", "dim") for line in last]
        for line in told:
            line.truncate(self.size.width, overflow="ellipsis")
        return [*(Text() for _ in range(lines - len(told))), *told]

    def _place(self) -> str:
        """Who one is, and between whom one sits."""
        captions = self.sitting.voice.captions(self._player)
        others = [
            f"{captions.names[p]} is {mark}" for p, mark in enumerate(captions.marks) if mark and p != self._player
        ]
        name = captions.names[self._player]
        return f"You are {name}{'; ' if others else ''}{', '.join(others)}."

    def _covered(self) -> Text:
        return Text("\n").join(self._faces.styled(f"  {line}") for line in ("", *self._curtain_lines()))

    def _curtain_lines(self) -> Iterator[str]:
        sitting = self.sitting
        game = sitting.state.game
        match self._curtain:
            case "begin":
                yield f"{game.ruleset.name}, {players_told(game.players)}, seed {sitting.state.seed}"
                yield "You are watching bots." if sitting.person is None else self._place()
                yield from ("", "Enter begins. Until then time stands still, and the table is covered.")
                yield from ("? shows the keys, r the rules, Tab the scores.", "")
                yield from guide(self.keys, self._player, sitting.voice)
            case "pause":
                yield from ("Paused. Time stands still, and the table is covered.", "")
                yield from (ON_CURTAINS["pause"], "")
                yield from table(sitting)
            case "scores":
                yield from ("The scores by deal. Time stands still; any key goes back.", "")
                yield from scores(sitting, self._view())
            case "leave":
                yield "Leave the match?"
                kept = "It is saved: 'houserules play --full-screen --resume' goes on with it."
                yield from (kept if self._kept else "It is not saved.", "")
                yield ON_CURTAINS["leave"]
            case "help":
                yield from guide(self.keys, self._player, sitting.voice)
                yield from ("", "r shows the rules; any other key goes back.")
            case "rules":
                self._rules = self._rules or rules_told(game, max(40, min(WIDTH, self.size.width - 4))).splitlines()
                yield from self._rules[self._read : self._read + self._room]
                yield from ("", "Space goes on, Up goes back, any other key leaves the rules.")
            case "between":
                room = max(4, self.size.height - 13 - game.players)
                yield from between(sitting, self._question(), room)
            case _:
                yield from summary(sitting)
                yield from ("", *scores(sitting, self._view()), "", ON_CURTAINS["end"])
