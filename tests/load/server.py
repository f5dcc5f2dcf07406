"""A server in a process of its own, whose time and memory can be told."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """`houserules host` in a process of its own.

    more: what else its command says. program: what is run, as Python's -m takes it, or the path of a script. begun_in:
    the folder in which it is.
    """

    def __init__(self, folder: Path, *more: str) -> None:
        self.folder, self.port, self._more = folder, free_port(), more
        self.program = ["interpreter"]
        self.begun_in: Path | None = None

    def start(self) -> None:
        environment = {**os.environ, "HOUSERULES_DATA": str(self.folder)}
        begun = self.program if os.sep in self.program[0] else [sys.executable, "-m", *self.program]
        words = [*begun, "host", "--no-browser", "--port", str(self.port), *self._more]
        self.process = subprocess.Popen(words, env=environment, cwd=self.begun_in, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"(http://\S+)/#host=(\S+)", line):
                self.address, self.secret = found[1], found[2]
                return
        raise SystemExit("the server did not start")

    def stop(self, kill: bool = False) -> int:
        """Returns what the process has ended with."""
        (self.process.kill if kill else self.process.terminate)()
        return self.process.wait()

    @property
    def seconds(self) -> float:
        """Of processor time."""
        return seconds_of(self.process.pid)

    @property
    def kilobytes(self) -> int:
        """Resident."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * 4


def seconds_of(process: int | str) -> float:
    """Of processor time that a process has used."""
    words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / TICKS


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
