"""Lines that are typed with history, arrow keys and completion, below everything that is printed meanwhile.

The line is edited in a thread with an event loop of its own (prompt_toolkit), so that the match goes on; what is
printed goes above the line. Where there is no terminal that can do that, `keyboard.Keyboard` reads lines as they come.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
from collections.abc import Coroutine, Iterator
from typing import TYPE_CHECKING, Any, TextIO

from interpreter.interfaces.terminal.keyboard import (
    EndOfInput,
    HungUp,
    Interrupted,
    settle,
    waited_for,
    without_numbers,
)
from interpreter.interfaces.terminal.suggestions import Suggestions

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from concurrent.futures import Future

    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer
    from prompt_toolkit.key_binding import KeyPressEvent

PATIENCE = 5.0
"""Seconds within which the thread does what it is asked."""


class LineEditor:
    """Reads lines with a limit of time from a terminal, and is the stream of what is printed above them."""

    is_person = True
    shows_prompt = True

    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._lines: queue.Queue[str | type[Exception] | Exception] = queue.Queue()
        self._loop: AbstractEventLoop | None = None
        self._session: PromptSession[str] | None = None
        self._reading: Future[None] | None = None
        self._prompt, self._suggestions = "> ", Suggestions()
        self._printed: list[str] = []
        self._mode = _terminal_mode()

    # ---- what is typed ----------------------------------------------------------------------------------

    def ask(self, prompt: str, suggestions: Suggestions, anew: bool = False) -> None:
        """What stands before the line from now on, and how it may be completed. anew: by somebody else, who must not
        find what was typed before: no line, nothing that was begun or erased, no keys that were recorded, and none that
        were typed ahead."""
        self._prompt, self._suggestions = prompt, suggestions
        if anew:
            self._forget()
        elif self._is_reading() and self._session is not None:
            self._session.app.invalidate()

    def _forget(self) -> None:
        """Nothing is left of what was typed until now."""
        self.pause()
        settle(sys.stdin)
        if self._session is not None:
            from prompt_toolkit.input.typeahead import clear_typeahead

            clear_typeahead(self._session.input)
        self._session = None  # a new one knows of nothing
        self._lines = queue.Queue()

    def line(self, seconds: float | None = None) -> str | None:
        """The next line; None when none came in that time. Raises EndOfInput and Interrupted, and whatever else has
        ended the reading."""
        if self._lines.empty() and not self._is_reading():
            self._reading = self._start(self._read())
        try:
            found = waited_for(self._lines, seconds, lambda: not self._is_reading())
        except queue.Empty:
            return None
        if self._reading is not None:
            self._reading.result(PATIENCE)  # it has only to take leave
        if isinstance(found, str):
            return found
        raise found

    def drop_numbers(self) -> bool:
        """Forget the numbers that were typed up to now; whether there were any."""
        return without_numbers(self._lines)

    def pause(self) -> None:
        """Leave the line, and nothing of it on the screen; what was typed stands there when it is read again."""
        session = self._session
        if session is not None and self._is_reading() and self._reading is not None:

            async def leave() -> None:
                session.app.erase_when_done = True
                with contextlib.suppress(Exception):  # it has just been left
                    session.app.exit(exception=_Paused())

            self._start(leave()).result(PATIENCE)
            with contextlib.suppress(TimeoutError):
                self._reading.result(PATIENCE)
            session.app.erase_when_done = False

    def close(self) -> None:
        """Give the terminal back as it was."""
        self.flush()
        self.pause()
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._loop = None
        _set_terminal_mode(self._mode)

    def _is_reading(self) -> bool:
        return self._reading is not None and not self._reading.done()

    def _start(self, work: Coroutine[Any, Any, None]) -> Future[None]:
        import asyncio  # the first screen need not wait for it

        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            threading.Thread(target=self._loop.run_forever, daemon=True).start()
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _read(self) -> None:
        session = self._session = self._session or self._new_session()
        draft = session.default_buffer.text
        try:
            self._lines.put(await session.prompt_async(default=draft, handle_sigint=False, set_exception_handler=False))
        except EOFError:
            self._lines.put(EndOfInput)
        except KeyboardInterrupt:
            self._lines.put(Interrupted)
        except _Paused:
            return
        except OSError:  # the terminal was closed
            self._lines.put(HungUp)
        except Exception as error:  # else whoever waits for a line would do so for ever
            self._lines.put(error)
        session.default_buffer.reset()

    def _new_session(self) -> PromptSession[str]:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.filters import Condition
        from prompt_toolkit.input import create_input
        from prompt_toolkit.key_binding import KeyBindings
        from prompt_toolkit.output import create_output
        from prompt_toolkit.output.vt100 import Vt100_Output
        from prompt_toolkit.shortcuts import CompleteStyle
        from prompt_toolkit.styles import Style

        output = create_output(self._output)
        if isinstance(output, Vt100_Output):
            output.enable_cpr = False  # a terminal that does not answer would be told off for it
        keys = KeyBindings()
        keys.add("tab", filter=Condition(lambda: output.get_size().rows < 2))(_complete_without_list)
        return PromptSession(
            message=lambda: [("class:prompt", self._prompt)],
            style=Style([] if "NO_COLOR" in os.environ else [("prompt", "bold ansicyan")]),
            completer=self._completer(),
            complete_style=CompleteStyle.READLINE_LIKE,
            complete_while_typing=False,
            key_bindings=keys,
            reserve_space_for_menu=0,
            input=create_input(),  # one of its own, which does not go on with half a key of somebody else
            output=output,
        )

    def _completer(self) -> Completer:
        from prompt_toolkit.completion import Completer, Completion
        from prompt_toolkit.document import Document

        editor = self

        class Words(Completer):
            def get_completions(self, document: Document, complete_event: object) -> Iterator[Completion]:
                typed = document.text_before_cursor
                begun = len(typed) - len(typed.rpartition(" ")[2])
                for word in editor._suggestions.after(typed):
                    yield Completion(word, start_position=begun - len(typed))

        return Words()

    # ---- what is printed ----------------------------------------------------------------------------------

    def write(self, text: str) -> int:
        self._printed.append(text)
        return len(text)

    def flush(self) -> None:
        """Print what has been written: above the line that is being edited, if one is."""
        text = "".join(self._printed)
        self._printed.clear()
        if not text:
            return
        if self._is_reading():
            above = self._start(self._print_above(text))
            try:
                above.result(PATIENCE)
            except TimeoutError:  # something else stands there that waits for an answer
                if above.cancel():
                    self._print(text)
        else:
            self._print(text)

    async def _print_above(self, text: str) -> None:
        from prompt_toolkit.application import run_in_terminal

        if self._session is not None and self._session.app.is_running:
            await run_in_terminal(lambda: self._print(text))
        else:
            self._print(text)

    def _print(self, text: str) -> None:
        self._output.write(text)
        self._output.flush()

    def isatty(self) -> bool:
        return self._output.isatty()

    def fileno(self) -> int:
        return self._output.fileno()

    @property
    def encoding(self) -> str:
        return self._output.encoding


def _complete_without_list(event: KeyPressEvent) -> None:
    """Complete a line where there is no room for a list of words; where it may go on in several ways, do nothing."""
    from prompt_toolkit.completion import CompleteEvent, get_common_complete_suffix
    from prompt_toolkit.key_binding.bindings.completion import display_completions_like_readline

    buffer = event.current_buffer
    found = list(buffer.completer.get_completions(buffer.document, CompleteEvent(completion_requested=True)))
    if len(found) == 1 or get_common_complete_suffix(buffer.document, found):
        display_completions_like_readline(event)


class _Paused(Exception):
    """The line was left without being ended."""


def _terminal_mode() -> Any:
    """How the terminal is set; None where that cannot be told."""
    try:
        import termios

        return termios.tcgetattr(sys.stdin)
    except (ImportError, OSError, ValueError, termios.error):
        return None


def _set_terminal_mode(mode: Any) -> None:
    if mode is not None:
        import termios

        with contextlib.suppress(OSError, ValueError, termios.error):
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, mode)
