"""What stops a match is told in the words of rulesets."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.engine import position
from interpreter.engine.arranging import PositionError
from interpreter.engine.failures import why


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OverflowError("int too large to convert to float"), "a number is too large"),
        (MemoryError(), "there is not memory enough for it"),
        (ZeroDivisionError("integer division or modulo by zero"), "this divides by 0"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_failure_is_told_as_what_it_is(error: Exception, told: str) -> None:
    assert why(error) == told


TALKATIVE = """
format: 1
id: talkative
name: Talkative
players: {min: 2, max: 2}
pack: {standard: 8}
zones: {stock: {pack: true}}
flow:
  match: {do: [go], winners: none}
  go: {kind: ask, actions: {tell_all: {effect: 'for c in pack do note "{pack}{pack}{pack}{pack}" end; stay'}}}
"""


def test_a_move_tells_no_more_than_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "talkative.yaml"
    path.write_text(TALKATIVE, encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1)
    with pytest.raises(interpreter.RuleError, match="tells more than 400,000 letters at once"):
        state.play(0, "tell_all")
    assert len(state.log or ()) < 10


def test_many_short_notes_count_together(tmp_path: Path) -> None:
    path = tmp_path / "talkative.yaml"
    often = 'for n in 1..9000 do note "{pack}" end'
    text = TALKATIVE.replace('for c in pack do note "{pack}{pack}{pack}{pack}" end', often)
    path.write_text(text.replace("standard: 8", "standard: 1, only: [A, K]"), encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1)
    with pytest.raises(interpreter.RuleError, match="tells more than 400,000 letters at once"):
        state.play(0, "tell_all")


LINE = "x" * 900
"""What is noted 400 times with each move."""


def noting(folder: Path) -> interpreter.State:
    often = 'for n in 1..400 do note "{n} LINE" end'.replace("LINE", LINE)
    text = TALKATIVE.replace('for c in pack do note "{pack}{pack}{pack}{pack}" end', often)
    return load(folder, text.replace("standard: 8", "standard: 1, only: [A, K]")).start(seed=1)


def test_a_match_is_told_with_so_many_letters_and_no_more(tmp_path: Path) -> None:
    state = noting(tmp_path)
    for _ in range(54):
        state.play(0, "tell_all")
    kept, letters = state.to_json(), sum(20 + len(event.words) for event in state.log or ())
    assert 19_900_000 < letters < 20_000_000
    for again in (state, state.copy(), interpreter.replay(state.record())):
        with pytest.raises(interpreter.RuleError, match=r"yaml:10:3: .* told with more than 20,000,000 letters"):
            again.play(0, "tell_all")
        assert again.to_json() == kept
    with pytest.raises(interpreter.RuleError, match="told with more than 20,000,000 letters"):
        state.play_together([(0, "tell_all", {})])
    assert state.to_json() == kept
    state.undo()
    state.play(0, "tell_all")
    assert state.to_json() == kept


def test_names_of_places_count_among_what_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position, "MOST_LOGGED", 50_000)
    one, other = "a" * 50, "b" * 50
    to_and_fro = f"for n in 1..100 do move 1 from {one} to {other}; move 1 from {other} to {one} end"
    text = TALKATIVE.replace('for c in pack do note "{pack}{pack}{pack}{pack}" end', to_and_fro)
    state = load(tmp_path, text.replace("stock: {pack: true}", f"{one}: {{pack: true}}, {other}: {{}}")).start(seed=1)
    with pytest.raises(interpreter.RuleError, match="told with more than 50,000 letters"):
        for _ in range(10):  # without the names of places each of these moves is told with 4,600 letters
            state.play(0, "tell_all")
    assert len(state.log or ()) == 4 * 201


def test_moves_that_are_refused_together_are_told_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position, "MOST_LOGGED", 100_000)
    state = noting(tmp_path)
    with pytest.raises(interpreter.RuleError, match="told with more than 100,000 letters"):
        state.play_together([(0, "nothing of the sort", {})] * 2_000)
    assert state.log == [] and not state.position.record_moves


def test_a_match_that_is_not_told_is_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position, "MOST_LOGGED", 100_000)
    state = noting(tmp_path).game.start(seed=1, log=False)
    for _ in range(10):
        state.play(0, "tell_all")
    assert state.position.logged[0] == 0


BRITTLE = """
format: 1
id: brittle
name: Brittle
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true}
  pile: {capacity: 3 div (1 - narrow)}
state:
  broken: {type: integer, lasts: match}
  narrow: {type: integer, lasts: match}
  friend: {type: player, optional: true, lasts: match}
  said: {type: text, lasts: match}
  counted: {type: list of integer, lasts: match}
flow:
  match: {do: [answer, go], winners: none}
  answer:
    kind: ask
    players: all p in players where broken = 0 or 1 div (1 - broken) > 0
    actions: {tell: {effect: "call more with whose = actor, price = 1, mood = P2"}}
  more:
    kind: ask
    with:
      whose: {type: player, optional: true}
      price: {type: integer, max: 5}
      mood: {type: choice, choices: [P2, else], optional: true}
    players: p where p != whose and 1 div price > 0
    actions: {agree: {effect: nothing}}
  go: {kind: turn, first: left of friend, on turn: add 1 div (1 - broken) to broken, actions: {wait: {effect: stay}}}
"""


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"at": "answer", "broken": 1}, "20:14: when 'answer' is entered: .* this divides by 0"),
        (
            {"at": "more", "called by": "answer", "with": {"price": 0}},
            "28:14: when 'more' is entered: .* this divides by 0",
        ),
        (
            {"at": "more", "called by": "answer", "broken": 1, "caller": "P1", "with": {"price": 0}},
            "20:14: .* this divides by 0",
        ),
        ({"at": "go", "broken": 1, "current": "P1"}, "30:52: when 'go' .* first turn begins: .* this divides by 0"),
        ({"narrow": 1, "pile": "2C"}, "9:20: .* this divides by 0"),
    ],
    ids=["players", "called", "caller", "turn", "capacity"],
)
def test_a_position_of_which_the_rules_cannot_be_asked_is_refused_in_words(
    tmp_path: Path, given: dict[str, object], told: str
) -> None:
    game = load(tmp_path, BRITTLE)
    with pytest.raises(interpreter.RuleError, match=told):
        game.start(seed=1, given=given)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, r"with: 'more' is called with price \(say it: \{price: ...\}\)"),
        ({"price": 6}, "with: price is 6, and it goes from -1000000 to 5"),
        ({"price": "P1"}, "with: price: 'P1' is not a number"),
        ({"price": 10**30}, "with: price is 10+, and it goes"),
        ({"price": 1, "whose": "P3"}, "with: whose: 'P3' is not a player such as P1"),
        ({"price": 1, "whose": [1, 2]}, r"with: whose: '1, 2' is not a player such as P1"),
        ({"price": 1, "whose": -1}, "with: whose: '-1' is not a player such as P1"),
    ],
)
def test_what_a_stage_is_called_with_has_to_be_of_its_type(tmp_path: Path, given: dict[str, object], told: str) -> None:
    with pytest.raises(PositionError, match=told):
        load(tmp_path, BRITTLE).start(given={"at": "more", "called by": "answer", "with": given})


def test_a_word_is_what_its_argument_can_be(tmp_path: Path) -> None:
    given = {"at": "more", "called by": "answer", "with": {"price": 1, "whose": "P1", "mood": "P2"}}
    state = load(tmp_path, BRITTLE).start(given=given)
    assert state.actors == [1] and state.position.stack[-1].args == (0, 1, "P2")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"said": "x" * 1_001}, "said is a text of 1,001 letters, and it holds 1,000 at most"),
        ({"counted": [0] * 1_001}, "counted is a list of 1,001 items, and it holds 1,000 at most"),
    ],
)
def test_a_position_holds_no_more_than_variables_do(tmp_path: Path, given: dict[str, object], told: str) -> None:
    with pytest.raises(PositionError, match=told):
        load(tmp_path, BRITTLE).start(given=given)
    load(tmp_path, BRITTLE).start(given={name: value[:-1] for name, value in given.items()})


def test_a_set_that_is_given_holds_each_card_once(tmp_path: Path) -> None:
    text = BRITTLE.replace("state:", "state:\n  known: {type: cards, lasts: match}", 1)
    state = load(tmp_path, text).start(given={"known": "2C 2C 3D"})
    assert state.value("known") == ["2C", "3D"]


def load(folder: Path, text: str) -> interpreter.Game:
    path = folder / "own.yaml"
    path.write_text(text, encoding="utf-8")
    return interpreter.load(path).game()
