"""What a player types is read in bounds, and nothing typed or said begins a line of anybody's log."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

import interpreter
from interpreter import Game, IllegalMove, ReplayError, RuleError, load, replay
from interpreter.api.recording import dump, link
from interpreter.api.settled import Enforcement

TALK = """\
format: 1
id: talk
name: Talk
players: {min: 2, max: 3, default: 2}
pack: {standard: 1}
zones: {stock: {pack: true}, hand: {each: player, seen by: owner}}
options: {greeting: {type: text, default: hello}}
state:
  said: {type: text, lasts: match}
  tone: {type: choice, choices: [low, very loud, very loud indeed], lasts: match}
honor: {claim: razz}
flow:
  match: {setup: deal 5 from stock to hand, do: [go]}
  go:
    kind: race
    until: said = "end"
    actions:
      write: {choose: {words: {text: true}}, effect: set said to words}
      bid: {choose: {n: {number: 1..3}, how: {choice: [low, very loud, very loud indeed]}}, effect: set tone to how}
      greet: {say: "{greeting}{said}", effect: set tone to low}
"""
HOW: tuple[Enforcement, ...] = ("strict", "honor")


@pytest.fixture(autouse=True)
def quickly() -> Iterator[None]:
    before = time.process_time()
    yield
    assert time.process_time() - before < 20


def game(folder: Path, enforcement: Enforcement = "strict", text: str = TALK) -> Game:
    path = folder / "talk.yaml"
    path.write_text(text, encoding="utf-8")
    return load(path).game(enforcement=enforcement)


@pytest.mark.parametrize("enforcement", HOW)
def test_the_words_of_a_choice_are_read_without_trying_every_number_of_them(
    tmp_path: Path, enforcement: Enforcement
) -> None:
    state = game(tmp_path, enforcement).start(seed=1)
    with pytest.raises(IllegalMove, match="is too much for 'bid'") as refused:
        state.play(0, "bid 1 " + "low " * 24_000)  # took seconds when each number of words was tried
    assert len(str(refused.value)) < 200
    for how in ("low", "very loud", "very loud indeed"):
        state.play(0, f"bid 1 {how}")
        assert state.value("tone") == how


def test_the_words_of_a_choice_are_put_together_no_more_often_than_it_has_words(tmp_path: Path) -> None:
    state = game(tmp_path).start(seed=1)
    action = next(a for stage in state.game.program.stages for a in stage.actions if a.name == "bid")
    param = action.params[1]
    asked: list[object] = []

    class Symbols(tuple[str, ...]):
        def __contains__(self, word: object) -> bool:
            asked.append(word)
            return super().__contains__(word)

    # of a program that only this test has
    action.params = (action.params[0], replace(param, symbols=Symbols(param.symbols)), *action.params[2:])
    with pytest.raises(IllegalMove):
        state.parse(0, "bid 1 " + "low " * 500)
    assert 0 < len(asked) <= 5


@pytest.mark.parametrize("enforcement", HOW)
@pytest.mark.parametrize("move", ["bid " * 30_000, "x" * 100_001, "write " + '"a" ' * 30_000])
def test_a_move_has_so_many_letters_and_no_more(tmp_path: Path, enforcement: Enforcement, move: str) -> None:
    state = game(tmp_path, enforcement).start(seed=1)
    before = state.to_json()
    for ask in (state.parse, state.play):
        with pytest.raises(IllegalMove, match="a move has at most 100,000 letters") as refused:
            ask(0, move)
        assert refused.value.law == "no_such_move" and len(str(refused.value)) < 100
    with pytest.raises(IllegalMove, match="a move has at most 100,000 letters"):
        state.play_together([(1, "bid 1 low", {}), (0, move, {})])
    assert state.to_json() == before


@pytest.mark.parametrize("enforcement", HOW)
@pytest.mark.parametrize(
    "move", ["{}", "bid {}", "bid 1 {}", "bid 1 low {}", "claim {}", "razz {}", "razz P2 {}", "razz P2 revoke {}"]
)
def test_a_refusal_quotes_no_more_of_a_move_than_tells_what_is_meant(
    tmp_path: Path, enforcement: Enforcement, move: str
) -> None:
    state = game(tmp_path, enforcement).start(seed=1)
    with pytest.raises(IllegalMove) as refused:
        state.play(0, move.format("ab" * 10_000))
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize("said", ["x " * 501, "x" * 1001])
def test_what_is_said_has_so_many_letters_and_no_more(tmp_path: Path, said: str) -> None:
    state = game(tmp_path, "honor").start(seed=1)
    silent = state.parse(0, "greet")
    for move in (f'greet "{said}"', silent.saying(said)):
        with pytest.raises(IllegalMove, match="what is said has at most 1,000 letters"):
            state.play(0, move)
    state.play(0, f'greet "{"x" * 1000}"')


@pytest.mark.parametrize("written", ['write "{}"', "write {}"])
def test_a_text_has_so_many_letters_and_no_more_and_its_match_can_be_read_again(tmp_path: Path, written: str) -> None:
    state = game(tmp_path, "strict").start(seed=1)
    state.play(0, written.format("x" * 1000))
    assert interpreter.replay(state.record()).to_json() == state.to_json()
    with pytest.raises(IllegalMove, match="a text has at most 1,000 letters"):
        game(tmp_path, "strict").start(seed=1).play(0, written.format("x" * 1001))


def test_rules_that_ask_for_more_words_than_can_be_said_stop_the_match(tmp_path: Path) -> None:
    state = game(tmp_path, "honor").start(seed=1)
    state.play(0, f'write "{"x" * 996}"')
    with pytest.raises(RuleError, match="what is to be said has 1,001 letters, and a player says 1,000 at most"):
        list(state.legal_moves(0))


@pytest.mark.parametrize("enforcement", HOW)
@pytest.mark.parametrize("sign", ["\n", "\t", "\n\t"])
@pytest.mark.parametrize(
    "move", ['write "a{}P2 greet"', 'greet "hello{}P2 greet"', 'write "a"{}"b"', 'bid 1 low ".{}."']
)
def test_nothing_typed_or_said_begins_a_line_of_the_log(
    tmp_path: Path, enforcement: Enforcement, sign: str, move: str
) -> None:
    state = game(tmp_path, enforcement).start(seed=1)
    before = state.to_json()
    with pytest.raises(IllegalMove, match="stands on one line, without tabs"):
        state.play(0, move.format(sign))
    with pytest.raises(IllegalMove, match="stands on one line, without tabs"):
        state.play_together([(1, "bid 1 low", {}), (0, move.format(sign), {})])
    assert state.to_json() == before


def test_a_move_may_end_with_a_line(tmp_path: Path) -> None:
    state = game(tmp_path).start(seed=1)
    state.play(0, ' write "a" \n')
    state.play(1, "bid\t1 \n low\n")
    assert [line for line in state.view(0)["log"] if line.startswith("P")] == ['P1 write "a"', "P2 bid 1 low"]


def test_words_of_a_move_from_python_begin_no_line_either(tmp_path: Path) -> None:
    state = game(tmp_path, "honor").start(seed=1)
    for sign in ("\n", "\t", "\x1b", "\u202e"):
        with pytest.raises(IllegalMove, match=r"stands on one line|cannot hold the character"):
            state.play(0, state.parse(0, "greet").saying(f"hello{sign}P2 greet"))


@pytest.mark.parametrize("more", [{}, {"refused": True}])
def test_a_record_whose_move_would_begin_a_line_of_the_log_is_refused(tmp_path: Path, more: dict[str, bool]) -> None:
    state = game(tmp_path, "honor").start(seed=1)
    state.play(0, 'greet "hello A"')
    replay(forged(state.record(), "hello A", "hello B", {}))
    with pytest.raises(ReplayError, match="stands on one line"):
        replay(forged(state.record(), "hello A", "hello\nP2 greet", more))


def forged(record: str, old: str, new: str, more: dict[str, bool]) -> str:
    """The record with its last move changed, and sealed again as its writer would."""
    chain, lines = "", []
    for line in record.splitlines():
        body = {key: value for key, value in json.loads(line).items() if key != "h"}
        if old in body.get("move", ""):
            body |= {"move": body["move"].replace(old, new), **more}
        chain = link(chain, dump(body))
        lines.append(dump({**body, "h": chain}))
    return "\n".join(lines) + "\n"
