"""A process that does one thing after the other for the server: it checks and plays rulesets of strangers, or thinks.

Each line that it reads is a request, each line that it writes an answer. Whoever has started it may end it at any time.
`python -I -m interpreter.interfaces.host.worker MEGABYTES` limits what it can do; 0 limits nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from interpreter.engine.notation import IllegalMove
from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.host import table_events as e
from interpreter.interfaces.host.catalogue_of_games import lesson, rules
from interpreter.interfaces.host.hosted_match import HostedMatch, head_of
from interpreter.interfaces.host.house_rules_text import WrongGame, check, game_of, game_to_open
from interpreter.interfaces.host.made_again import History, MakingAgain
from interpreter.interfaces.host.not_made import Refusal, in_short
from interpreter.language.overlay import shipped_as

LONGEST_LINE = 16 * 1024 * 1024
"""Bytes of a request or an answer."""
SHORTEST = 0.1
"""Seconds that a bot thinks although it takes longer to make its match again."""
HANDLES = 24
SECONDS_OF_CPU = 3600
"""For whatever is asked next: it ends a process of which nobody is there any more who would."""


CHANGED = "the ruleset has changed since this was played"


class Request(Struct, array_like=True):
    """What is to be done, and with what."""

    number: int
    method: str
    given: list[Any]


class Answer(Struct, array_like=True):
    """What came of the request of a number; or what was wrong: its kind, its text and more."""

    number: int
    result: Any = None
    wrong: str = ""
    text: str = ""
    more: Any = None


class Opening(Struct):
    """A match: its game, what everybody is called, and what has been played. texts: what shipped rulesets said when
    the table was opened, by their ids, of which this is the digest; those that lie there may be others by now."""

    game: e.GameSpec
    names: list[str]
    history: History
    digest: str = ""
    texts: dict[str, str] = {}


class Thinker(Struct):
    """A bot that is to decide. seconds: in which it does, from when the game is known, whose match has to be made
    again first."""

    opening: Opening
    seat: int
    level: str
    seconds: float


class Decided(Struct):
    """What a bot does; no move if it can do nothing. left: of the seconds that it had."""

    move: str | None
    left: float


class Worker:
    """Keeps the one match that is played here, and the games of which bots think."""

    def __init__(self) -> None:
        self._match: HostedMatch | None = None
        self._coming: tuple[Opening, MakingAgain] | None = None
        """The match that will be played here, on its way to where it was left."""
        self._games: dict[tuple[bytes, str], Any] = {}
        self._methods: dict[str, Callable[..., Any]] = {
            "check": lambda spec: check(msgspec.convert(spec, e.GameSpec)),
            "form": self._players,
            "head": self._head,
            "rules": partial(_book, rules),
            "lesson": partial(_book, lesson),
            "open": self._open,
            "go_on": self._go_on,
            "think": self._think,
            "advise": self._advise,
        }

    def answer(self, line: bytes) -> bytes:
        """The answer to a request, as a line."""
        request = msgspec.json.decode(line, type=Request)
        number = request.number
        try:
            found = self._methods.get(request.method)
            result = found(*request.given) if found is not None else self._asked(request)
            answer = Answer(number, result)
        except Refusal as refusal:
            answer = Answer(number, None, "refused", str(refusal), [refusal.stale, refusal.instead, refusal.fault])
        except WrongGame as wrong:
            answer = Answer(number, None, "game", str(wrong), [wrong.field, wrong.found])
        except RuleError as error:
            answer = Answer(number, None, "rules", in_short(error))
        except MemoryError:
            raise
        except Exception as error:
            answer = Answer(number, None, "fault", f"{type(error).__name__}: {error}")
        return msgspec.json.encode(answer) + b"\n"

    def _asked(self, request: Request) -> Any:
        """What the match says."""
        assert self._match is not None
        found = getattr(self._match, request.method)
        return found(*request.given) if callable(found) else found

    def _players(self, spec: Any) -> list[Any]:
        """Of a game for a table how many play, its name, and the ids of the shipped rulesets in it."""
        with shipped_as({}) as read:
            game = game_to_open(msgspec.convert(spec, e.GameSpec))
        return [game.players, game.ruleset.name, sorted(read)]

    def _head(self, spec: Any, texts: dict[str, str]) -> dict[str, Any]:
        """What the first line of a record of a game says. texts: what shipped rulesets say in it."""
        with shipped_as(texts):
            return head_of(game_of(msgspec.convert(spec, e.GameSpec)), 0)

    def _open(self, opening: Any, seconds: float) -> bool:
        """Begin a match, and make its moves again for so many seconds; whether it stands where it was left."""
        found = msgspec.convert(opening, Opening)
        self._coming = found, MakingAgain(self._game(found), found.history)
        return self._go_on(seconds)

    def _go_on(self, seconds: float) -> bool:
        """Make more of its moves again. Raises RuleError where they cannot be made any more."""
        assert self._coming is not None
        opening, made = self._coming
        try:
            if not made.goes_on(seconds):
                return False
        except (IllegalMove, ValueError) as error:
            raise RuleError(f"{CHANGED}: {error}") from None
        self._match, self._coming = HostedMatch(self._game(opening), opening.names, opening.history, made), None
        return True

    def _begun(self, opening: Opening) -> HostedMatch:
        """A match as far as it has been played."""
        return HostedMatch(self._game(opening), opening.names, opening.history)

    def _game(self, opening: Opening) -> Any:
        """The game of a match."""
        key = msgspec.json.encode(opening.game), opening.digest
        if key not in self._games:
            with shipped_as(opening.texts):
                self._games[key] = game_of(opening.game)
            if len(self._games) > 16:
                del self._games[next(iter(self._games))]
        return self._games[key]

    def _think(self, given: Any) -> Decided:
        """What a bot does."""
        from interpreter.interfaces.host.thinking import decision

        thinker = msgspec.convert(given, Thinker)
        self._game(thinker.opening)
        end = time.monotonic() + thinker.seconds
        state = self._begun(thinker.opening).state
        move = decision(state, thinker.seat, thinker.level, max(SHORTEST, end - time.monotonic()))
        return Decided(move, max(0.0, end - time.monotonic()))

    def _advise(self, given: Any, seat: int, seconds: float) -> list[str]:
        """What a bot would do in somebody's place, in sentences."""
        return self._begun(msgspec.convert(given, Opening)).hint(seat, seconds)


def _book(make: Callable[[Any], Any], spec: Any, texts: dict[str, str] | None = None) -> Any:
    """What is told of a game. texts: what shipped rulesets say in it, unless it is what they say now."""
    from interpreter.rulebook.lengths import TooLong

    try:
        with shipped_as(texts or {}):
            return make(game_of(msgspec.convert(spec, e.GameSpec)))
    except TooLong as long:
        raise WrongGame(f"The rules cannot be told: {long}.") from None


def confine(megabytes: int) -> None:
    """Take from this process what it does not need, as far as the system can: memory, time, files, other processes."""
    try:
        import ctypes
        import resource
    except ImportError:  # on Windows
        return
    size = megabytes * 1024 * 1024
    for what, limit in (
        (resource.RLIMIT_AS, size), (resource.RLIMIT_NOFILE, HANDLES), (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 2 * 1024 * 1024), (getattr(resource, "RLIMIT_NPROC", None), 0),
    ):  # fmt: skip
        if what is not None:
            resource.setrlimit(what, (limit, limit))
    if sys.platform == "linux":
        no_new_privileges = 38
        ctypes.CDLL(None).prctl(no_new_privileges, 1, 0, 0, 0)


def limit_time() -> None:
    """What is asked next has SECONDS_OF_CPU, whatever was asked before: a match may be played for days."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    most, hard = int(used.ru_utime + used.ru_stime) + SECONDS_OF_CPU, resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def main(source: BinaryIO, target: BinaryIO, confined: bool) -> None:
    """Answer requests until there are none any more, or one is not a whole line."""
    worker = Worker()
    while (line := source.readline(LONGEST_LINE)).endswith(b"\n"):
        if confined:
            limit_time()
        target.write(worker.answer(line))
        target.flush()


if __name__ == "__main__":
    if int(sys.argv[1]):
        confine(int(sys.argv[1]))
    main(sys.stdin.buffer, sys.stdout.buffer, bool(int(sys.argv[1])))
