"""Rulesets that were written to hang the program or to eat the memory: each is refused, stops, or plays in bounds.

What counts are steps. The seconds are only a net, for a machine that does many things at once.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from interpreter import Event, Game, IllegalMove, RuleError, State, load, validate
from interpreter.api.settled import Enforcement
from interpreter.engine.budget import MOST_SPENT
from interpreter.rulebook.chapters import book
from interpreter.rulebook.comparing import marked_book
from interpreter.rulebook.grouping import grouped
from interpreter.rulebook.lengths import TooLong
from interpreter.words.acts import Acts
from interpreter.words.drawing import position
from interpreter.words.lines import Line
from interpreter.words.narrative import Narrative, reader_of
from tests.hostile.cases import CASES
from tests.hostile.large import FEW, LARGE
from tests.hostile.outcomes import OUTCOMES

MOVES: dict[Enforcement, int] = {"strict": 2, "honor": 1}
SECONDS = 20
"""For everything that is asked about one ruleset; mostly it takes less than one."""


@pytest.fixture(autouse=True)
def quickly() -> Iterator[None]:
    before = time.process_time()
    yield
    assert time.process_time() - before < SECONDS


class Sitting:
    """What is asked of a ruleset, and where it stops."""

    def __init__(self) -> None:
        self.stopped: list[RuleError] = []

    def ask(self, question: Callable[[], Any]) -> Any:
        """The answer; None where the rules stop, which is kept. A move may be against the rules."""
        try:
            return question()
        except IllegalMove:
            return None
        except RuleError as error:
            self.stopped.append(error)
            return None

    def play(self, game: Game, moves: int) -> None:
        """Ask everything that can be asked of a match, and make so many moves of each player."""
        state: State | None = self.ask(lambda: game.start(seed=1))
        dice = random.Random(1)
        for _ in range(moves):
            if state is None or state.over:
                break
            made = [self.one_move(state, player, dice) for player in self.ask(lambda: state.actors) or [0]]
            if not any(made):  # it would be asked the same again
                break
        self.ask(lambda: game.playouts(1, seed=1, limit=moves))

    def one_move(self, state: State, player: int, dice: random.Random) -> bool:
        """Whether the match is another one then."""
        before = state.to_json()
        moves = self.ask(lambda: state.legal_moves(player))
        assert state.position.spent <= MOST_SPENT or self.stopped
        self.ask(lambda: len(state.possible_moves(player)))
        self.ask(lambda: state.view(player))
        self.ask(lambda: (state.scores, state.places, state.value("tally")))
        assert state.to_json() == before, "a question has changed the match"
        if moves is not None and len(moves) and not state.over:
            stopped = len(self.stopped)
            events = self.ask(lambda: state.play(player, moves[dice.randrange(len(moves))]))
            assert len(self.stopped) == stopped or state.to_json() == before, "what stops half way leaves something"
            self.look_back(state, events or [])
        return state.to_json() != before

    def look_back(self, state: State, events: Sequence[Event]) -> None:
        """What everybody reads of a move, and how the table is drawn for them; and it is taken back elsewhere."""
        program = state.game.program
        for player in (*range(state.game.players), None):
            self.ask(lambda player=player: self.read(state, player, events))  # type: ignore[misc]
        self.ask(lambda: list(position(state.view(0), program.ranks)))
        with suppress(ValueError, RuleError):
            state.copy().undo(seed=1)

    def read(self, state: State, player: int | None, events: Sequence[Event]) -> list[Line]:
        return Narrative(Acts(state.game.program), reader_of(state.position, player)).lines(events)


def outcome(text: str, path: Path) -> tuple[set[str], list[RuleError]]:
    """The codes of the errors, and the errors that stopped it in play."""
    path.write_text(text, encoding="utf-8")
    errors = [d for d in validate(path) if d.severity == "error"]
    assert all(d.line is not None for d in errors)
    sitting = Sitting()
    if not errors:
        for enforcement, moves in MOVES.items():
            game = load(path).game(enforcement=enforcement)
            sitting.play(game, moves)
        told(game)
    return {d.code for d in errors}, sitting.stopped


def told(game: Game) -> None:
    """The rulebook, and what it says otherwise than that of the same rules; it may be longer than is told."""
    with suppress(TooLong):
        marked_book(game)
        grouped(book(game), book(game))


@pytest.mark.parametrize("name", CASES)
def test_hostile_ruleset(name: str, tmp_path: Path) -> None:
    codes, stopped = outcome(CASES[name], tmp_path / "hostile.yaml")
    assert all(error.span is not None for error in stopped)
    expected = OUTCOMES[name]
    if expected.startswith("E"):
        assert codes == {expected}
        return
    assert codes == set()
    found = [error.message for error in stopped if not is_harmless(error)]
    assert found if expected else not found
    assert all(any(part in message for part in expected.split(" | ")) for message in found), found


def is_harmless(error: RuleError) -> bool:
    """Whether it only says that random play has come to somebody who cannot move."""
    return "has no lawful move" in error.message or error.message.startswith("the law ")


def test_there_are_sixty_of_them() -> None:
    assert len(CASES) >= 60


@pytest.mark.parametrize("name", LARGE)
def test_what_is_as_large_as_it_may_be_is_read(name: str, tmp_path: Path) -> None:
    """How long that takes, `python -m tests.hostile` says."""
    path = tmp_path / "large.yaml"
    path.write_text(LARGE[name](FEW), encoding="utf-8")
    assert load(path).players.default == 2


@pytest.mark.parametrize("name", ["sorting by what takes long", "squares of squares", "twelve flags to choose"])
def test_what_is_counted_is_the_same_however_it_is_played(name: str, tmp_path: Path) -> None:
    path = tmp_path / "hostile.yaml"
    path.write_text(CASES[name], encoding="utf-8")
    found = []
    for log in (True, False):
        for as_text in (True, False):
            state = load(path).game().start(seed=1, log=log)
            sitting = Sitting()
            moves = sitting.ask(lambda state=state: state.legal_moves(0)) or []
            if moves:
                sitting.ask(lambda state=state, move=moves[0]: state.play(0, str(move) if as_text else move))  # noqa: B023
            found.append((state.position.spent, [str(error) for error in sitting.stopped]))
    assert len({str(each) for each in found}) == 1
