"""A server that looks two hundred times a second what it is doing, and writes down at its end what it has done mostly.

`python -m tests.load.sampled FILE host ...` is `houserules host ...`, but for that.
"""

from __future__ import annotations

import atexit
import itertools
import json
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import FrameType

from tests.load.server import seconds_of

EACH = 0.005
"""Seconds between two looks."""
PARTS = {
    "engine": ("interpreter/engine/", "interpreter/api/", "interpreter/players/"),
    "words": ("interpreter/words/",),
    "redaction": tuple(
        f"interpreter/interfaces/host/{name}.py"
        for name in ("scene", "setting", "changes", "page_offers", "placing", "card_looks", "hosted_match")
    ),
    "JSON": ("interpreter/interfaces/host/protocol.py", "interpreter/interfaces/host/table_events.py"),
    "commit": ("interpreter/interfaces/host/store.py", "sqlalchemy/", "interpreter/base/packed.py"),
    "socket": (
        "interpreter/interfaces/host/open_socket.py", "interpreter/interfaces/host/page_socket.py", "websockets/",
        "uvicorn/", "starlette/",
    ),
}  # fmt: skip
"""By what stands in the name of a file: the innermost one that says something counts. What is left is the table's."""
IDLE = {"wait", "select", "_worker", "run_until_complete", "run_forever", "run", "_write_all", "get"}
"""Where a thread stands that has nothing to do."""


def part_of(frame: FrameType) -> str | None:
    """What a thread is doing; None: nothing."""
    if frame.f_code.co_name in IDLE:
        return None
    at: FrameType | None = frame
    while at is not None:
        file = at.f_code.co_filename
        if file.startswith("<") and not file.startswith("<frozen"):  # a program that was printed
            return "engine"
        for part, names in PARTS.items():
            if any(name in file for name in names):
                return part
        at = at.f_back
    return "table"


class Watch:
    """Sees what the thread that serves is doing, from when the server is there, and what the one that stores needs."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._before: dict[str, float] = {}
        self._used: dict[str, float] = {}

    def run(self) -> None:
        main = threading.main_thread().ident
        assert main is not None
        while "store" not in (used := seconds_by_thread()):
            time.sleep(0.1)
        self._before = used
        for looks in itertools.count(1):
            time.sleep(EACH)
            part = part_of(sys._current_frames()[main])
            if part is not None:
                self._seen[part] += 1
            if looks % 100 == 0:
                self._used = seconds_by_thread()

    @property
    def seconds(self) -> dict[str, float]:
        """Of processor time, by part."""
        own, stores = (self._used[name] - self._before[name] for name in ("MainThread", "store"))
        seen = sum(self._seen.values())
        found = {part: own * share / seen for part, share in self._seen.items()}
        return {**found, "commit": found.get("commit", 0.0) + stores}


def seconds_by_thread() -> dict[str, float]:
    return {found.name: seconds_of(f"self/task/{found.native_id}") for found in threading.enumerate()}


def main() -> None:
    file, *words = sys.argv[1:]
    watch = Watch()
    atexit.register(lambda: Path(file).write_text(json.dumps(watch.seconds)))
    sys.setswitchinterval(0.001)
    threading.Thread(target=watch.run, daemon=True).start()
    sys.argv = ["houserules", *words]
    from interpreter.interfaces.cli import main as houserules

    houserules()


if __name__ == "__main__":
    main()
