"""Choices by their number: counted and picked without being listed, in the order of `legal_moves`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from walks import SHIPPED

import interpreter
from interpreter.api.game import Game, State
from interpreter.engine.legal import draw_move, legal_moves
from interpreter.players.random_bot import RandomBot


def printed(game: Any) -> dict[str, Any]:
    """What the program's functions are called."""
    return game.program.zones[0].seen_by.__globals__  # type: ignore[no-any-return]


def asked(state: State, names: dict[str, Any]) -> int:
    """Compare what is counted and picked with what is listed; returns for how many choices that was done."""
    done, s = 0, state.position
    here = s.program.stages[s.stack[-1].stage].name
    for name in names:
        kind, _, of = name.partition("·")
        if kind == "count" and of.startswith(f"{here}·"):
            for player in state.actors:
                listed = names[f"legal·{of}"](s, player)
                assert names[name](s, player) == len(listed), name
                assert [names[f"nth·{of}"](s, player, at) for at in range(len(listed))] == list(listed), name
                done += len(listed)
    return done


WITHOUT = {"bicycle-spoons", "fruit-salad", "hearts", "pig"}
"""Rulesets in which nobody who plays a little at random chooses more than cards of a hand, or one of a few actions."""


@pytest.mark.parametrize("name", SHIPPED)
def test_choices_are_counted_and_picked_as_they_are_listed(name: str) -> None:
    game = interpreter.load(name).game()
    names, done = printed(game), 0
    for seed in range(3):
        state, bot = game.start(seed=seed), RandomBot(seed)
        for _ in range(60):
            if state.over:
                break
            done += asked(state, names)
            player = state.actors[0]
            move = bot.choose(state, player)
            state.play(player, move, **bot.measures(state, player, move))
    assert bool(done) != (name in WITHOUT)


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_drawn_at_random_is_never_listed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = interpreter.load(name).game()
    game.playouts(1, seed=1, deals=1)  # prints what plays by itself
    names = printed(game)
    for legal in [name for name in names if name.startswith("legal·")]:
        monkeypatch.setitem(names, legal, _unlisted(names[legal], legal))
    game.playouts(3, seed=2, deals=1)


def _unlisted(lists: Any, name: str) -> Any:
    """The function, which may tell of cards and of whether there is a move, but not list the arguments of moves."""

    def told(*given: Any) -> Any:
        found = lists(*given)
        assert not isinstance(found, list) or not (len(found) > 1 and isinstance(found[0], tuple)), name
        return found

    return told


REPEATED = """\
format: 1
id: repeated
name: Repeated
players: {min: 3, max: 3}
pack: {standard: 1}
zones: {stock: {pack: true}}
options: {several: {type: list of rank, default: [K, Q, K]}}
state:
  marked: {type: player, default: P1, lasts: match}
define: {whoever: "(if marked = P1 then (marked, P1) else everyone)"}
flow:
  match: {do: [go]}
  go:
    kind: turn
    turns: 4
    actions:
      cheer: {choose: {whom: {players: "(right of actor, P2, P3)"}}}
      wave: {choose: {whom: {players: whoever}}}
      call: {choose: {suit: {suits: "(clubs, hearts, (top of stock).suit)"}}}
      name: {choose: {rank: {ranks: several}, whom: {players: "(P1, P2)"}}}
"""


def test_what_is_told_twice_of_what_can_be_chosen_is_one_choice(tmp_path: Path) -> None:
    path = tmp_path / "repeated.yaml"
    path.write_text(REPEATED, encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1)
    assert [move.text for move in state.legal_moves(0)] == [
        "cheer P3", "cheer P2", "wave P1", "call clubs", "call hearts",
        "call spades", "name K P1", "name K P2", "name Q P1", "name Q P2",
    ]  # fmt: skip
    assert asked(state, printed(state.game)) in (0, 10)


def drawn(state: State, player: int) -> None:
    """Compare the moves that are drawn with those that are listed, on honour with their words."""
    s, listed = state.position, [str(move) for move in legal_moves(state.position, player)]
    for at in range(min(len(listed), 9)):
        asked: list[int] = []

        def below(number: int, at: int = at, asked: list[int] = asked) -> int:
            asked.append(number)
            return at

        assert str(draw_move(s, player, below)) == listed[at]
        assert asked == [len(listed)] * (len(listed) > 1)
    if not listed:
        assert draw_move(s, player, len) is None  # type: ignore[arg-type]


def walk(game: Game, decisions: int) -> set[str | None]:
    """Play a little at random; returns what was said with moves that could have been made."""
    names, state, bot = printed(game), game.start(seed=1), RandomBot(1)
    said: set[str | None] = set()
    for _ in range(decisions):
        if state.over:
            break
        asked(state, names)
        for player in state.actors:
            drawn(state, player)
            said |= {move.words for move in legal_moves(state.position, player)[:9]}
        player = state.actors[0]
        move = bot.choose(state, player)
        state.play(player, move, **bot.measures(state, player, move))
    return said


@pytest.mark.parametrize("enforcement", ["strict", "honor"])
@pytest.mark.parametrize("name", SHIPPED)
def test_a_move_that_is_drawn_is_one_of_those_that_are_listed(name: str, enforcement: str) -> None:
    game = interpreter.load(name).game(enforcement=enforcement)
    walk(game, 40)
    told = [action for stage in game.program.stages for action in stage.within if action.count is not None]
    assert not any(action.talk for action in told)  # nobody would ask
    assert enforcement == "strict" or all(action.listed_alike for action in told)


def test_a_move_that_is_drawn_on_honour_says_what_it_owes() -> None:
    game = interpreter.load("crazy-eights").game(options={"last_card_call": True}, enforcement="honor")
    assert "Last card!" in walk(game, 200)
