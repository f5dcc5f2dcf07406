"""The program as somebody runs it who sits at a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import interpreter

ROOT = Path(interpreter.__file__).parent.parent


class Terminal:
    """The program at a pseudo-terminal."""

    def __init__(self, *arguments: str, rows: int = 0, **environment: str) -> None:
        """rows: how high the terminal is; with 0 it does not say."""
        self.master, slave = pty.openpty()
        if rows:
            fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 100, 0, 0))
        known = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE")}
        environment = (
            known
            | {"TERM": "xterm", "COLUMNS": "100", "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
            | environment
        )
        command = [sys.executable, "-m", "interpreter", *arguments]
        heard = signal.signal(signal.SIGINT, signal.default_int_handler)  # who runs in the background hears none
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
        )
        signal.signal(signal.SIGINT, heard)
        os.close(slave)
        self.seen = ""
        self.before = ""
        """What somebody wants to look at later of what was shown."""

    def until(self, text: str, seconds: float = 20.0) -> str:
        """What is shown up to a text (searched behind what was found before)."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            assert ready, f"'{text}' was not shown, but: {self.seen[-600:]}"
            try:
                self.seen += os.read(self.master, 4096).decode("utf-8", "replace")
            except OSError:  # the program has ended
                assert text in self.seen, f"'{text}' was not shown, but: {self.seen[-600:]}"
        before, self.seen = self.seen.split(text, 1)
        return before + text

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def hang_up(self) -> int:
        """The terminal goes, without a signal that would tell the program; how the program ends."""
        os.close(self.master)
        try:
            return self.process.wait(20)
        finally:
            self.process.kill()

    def end(self) -> int:
        code = self.process.wait(20)
        os.close(self.master)
        return code
