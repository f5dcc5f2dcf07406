"""PettingZoo and OpenSpiel take every shipped game without a race, with any number of players. Needs `learn`."""

from __future__ import annotations

import copy
import pickle
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy
import pyspiel
import pytest
from pettingzoo.test import api_test, seed_test

import interpreter
from interpreter import RuleError
from interpreter.api.game import Game
from interpreter.interfaces.adapters.open_spiel_game import load
from interpreter.interfaces.adapters.pettingzoo_env import env
from interpreter.interfaces.adapters.table import Table
from interpreter.language.overlay import shipped
from tests.extras.learning import trained
from tests.where import TESTS

LIMIT = 300


def games() -> Iterator[object]:
    """Every shipped game in which nobody races, with each number of players."""
    for name in sorted(shipped()):
        ruleset = interpreter.load(name)
        for players in ruleset.players.counts:
            if not any(stage.kind == "race" for stage in ruleset.game(players).program.stages):
                yield pytest.param(name, players, id=f"{name}-{players}")


GAMES = list(games())


def made(name: str, players: int) -> Game:
    return interpreter.load(name).game(players)


def test_what_would_take_much_memory_to_look_at_is_refused(tmp_path: Path) -> None:
    ranks, suits = (
        ", ".join(map(str, range(2, 42))),
        "\n".join(f"  suit_{a}{b}: {{letter: {a.upper()}{b.upper()}, colour: red}}" for a in "ghij" for b in "abcdef"),
    )
    zones = "\n".join(f"  heap_{number}: {{each: [player, 1..9]}}" for number in range(16))
    path = tmp_path / "wide.yaml"
    path.write_text(
        f"format: 1\nid: wide\nname: Wide\nplayers: {{min: 2, max: 9}}\nranks: [{ranks}]\nsuits:\n{suits}\n"
        f"pack: {{standard: 1}}\nzones:\n  stock: {{pack: true}}\n{zones}\n"
        "flow:\n  match: {do: [play], winners: none}\n  play: {kind: turn, turns: 1, first: P1, actions: {go: {}}}\n",
        encoding="utf-8",
    )
    game = interpreter.load(path).game(9)
    with pytest.raises(ValueError, match=r"an observation would have 1,\d{3},\d{3} numbers, more than 1,000,000"):
        Table(game)


def test_most_shipped_games_are_for_learners() -> None:
    assert len(GAMES) > 50 and len({param.values[0] for param in GAMES}) >= 15


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_pettingzoo_takes_it(name: str, players: int) -> None:
    game = made(name, players)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="We recommend agents to be named")
        api_test(env(game, limit=LIMIT), num_cycles=LIMIT)
        seed_test(lambda: env(game, limit=LIMIT), num_cycles=60)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_open_spiel_takes_it(name: str, players: int) -> None:
    pyspiel.random_sim_test(load(made(name, players), limit=80, seeds=20), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", ["georgia-spoons", "spit", "uno"])
def test_races_and_honour_are_refused_with_a_sentence(name: str) -> None:
    for make in (env, load):
        with pytest.raises(ValueError, match=r"is no game of numbered actions: in '.*' everybody acts at once"):
            make(interpreter.load(name).game())
        with pytest.raises(ValueError, match="Hearts on honour is no game of numbered actions: words decide there"):
            make(interpreter.load("hearts").game(enforcement="honor"))


def test_a_match_that_is_cut_is_truncated_and_one_that_ends_is_not() -> None:
    game = made("hearts", 4)
    for table, ended in ((env(game, limit=10), "truncations"), (env(game, deals=1), "terminations")):
        table.reset(seed=3)
        dice, rewards = numpy.random.default_rng(1), dict.fromkeys(table.agents, 0.0)
        for agent in table.agent_iter():
            seen, reward, *over, _ = table.last()
            rewards[agent] += reward
            assert over == [False, False] or getattr(table, ended)[agent]
            table.step(None if any(over) else int(dice.choice(numpy.flatnonzero(seen["action_mask"]))))
        assert sum(rewards.values()) == pytest.approx(0) and any(rewards.values()) == (ended == "terminations")


def test_matches_follow_their_seed_and_one_another() -> None:
    table = env(made("hearts", 4))

    def hands(seed: int | None = None) -> bytes:
        table.reset(seed)
        return table.observe("P1")["observation"].tobytes()

    first, second = hands(5), hands()
    assert first != second
    assert (hands(5), hands()) == (first, second)


def test_only_who_decides_has_a_mask() -> None:
    table = env(made("truco", 2))
    table.reset(seed=1)
    other = next(agent for agent in table.agents if agent != table.agent_selection)
    assert table.observe(table.agent_selection)["action_mask"].any() and not table.observe(other)["action_mask"].any()
    with pytest.raises(ValueError, match="is not among those that are possible"):
        table.step(0)


def test_a_state_of_open_spiel_is_written_down_and_read_again() -> None:
    state = load(made("gin-rummy", 2), seeds=50).new_initial_state()
    state.apply_action(7)
    for _ in range(12):
        state.apply_action(state.legal_actions()[-1])
    again, copied = pickle.loads(pickle.dumps(state)), state.clone()
    for other in (again, copied):
        assert str(other) == str(state) and other.legal_actions() == state.legal_actions()
        assert other.observation_tensor(0) == state.observation_tensor(0)
    copied.apply_action(copied.legal_actions()[0])
    assert str(copied) != str(state)


def test_the_example_of_the_readme_runs() -> None:
    (example,) = re.findall(r"```py\n(.*?)```", (TESTS.parent / "README.md").read_text("utf-8"), re.DOTALL)
    found = {"interpreter": interpreter}
    exec(compile(example, "README.md", "exec"), found)
    assert found["words"][0] == "(done)" and found["layout"]["stage"][0] == 0
    assert found["spiel"].num_distinct_actions() == len(found["words"])


def test_who_learns_beats_who_does_not() -> None:
    fresh, learnt = trained()
    assert fresh.interval()[0] < 0 < fresh.interval()[1]
    assert learnt.interval()[0] > 0


SPOKEN = """\
format: 1
id: spoken
name: Spoken
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true}}
state: {said: {type: text, each: player, lasts: match}}
options: {phrases: {type: list of text, length: 1..4, default: [One left, One=more, One, "7"]}}
flow:
  match: {do: [talk]}
  talk:
    {kind: turn, first: P1, turns: 3 each, actions: {say: {choose: {words: WORDS}, effect: set said of actor to words}}}
"""


def spoken(folder: Path, words: str, phrase: str = "One left") -> Table:
    path = folder / "spoken.yaml"
    path.write_text(SPOKEN.replace("WORDS", words).replace("One left", phrase))
    return Table(interpreter.load(path).game())


def test_texts_of_an_option_have_numbers_by_their_words(tmp_path: Path) -> None:
    table = spoken(tmp_path, "{choice: phrases}")
    for text in ("One left", "One=more", "One", "7"):
        table.start(1)
        for number in (*table.vocabulary.read(f"say {text}"), table.vocabulary.number("(done)")):
            if table.player == 0 and number in table.actions:  # what can come alone is chosen unasked
                table.act(number)
        assert table.player == 1 and table.state.value("said", 0) == text


def test_words_without_numbers_are_refused(tmp_path: Path) -> None:
    told = "Spoken is no game of numbered actions: 'say' takes"
    with pytest.raises(ValueError, match=f"{told} any words that somebody says"):
        spoken(tmp_path, "{text: true}")
    with pytest.raises(ValueError, match=rf"{told} the word '\(done\)', which ends a move here"):
        spoken(tmp_path, "{choice: phrases}", "now (done)")


STICKING = """\
format: 1
id: sticking
name: Sticking
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true}}
state: {shut: {type: flag, lasts: match}}
flow:
  match: {do: [go]}
  go:
    kind: turn
    first: P1
    turns: 3 each
    actions:
      close: {when: not shut, effect: set shut to true}
      pass: {when: not shut}
"""


def test_a_move_behind_which_nobody_can_go_on_is_not_made(tmp_path: Path) -> None:
    (tmp_path / "sticking.yaml").write_text(STICKING)
    table = Table(interpreter.load(tmp_path / "sticking.yaml").game())
    table.start(1)
    close, other = table.actions
    with pytest.raises(RuleError):
        table.act(close)
    assert (table.player, table.actions) == (0, [close, other]) and not table.state.value("shut")
    table.act(other)
    assert table.player == 1


FAILING = """\
format: 1
id: failing
name: Failing
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player}, pile: {}}
state: {n: {type: integer, min: 0, max: 1, lasts: match}}
flow:
  match: {setup: "deal 5 from stock to hand", do: [go]}
  go:
    kind: turn
    first: P1
    turns: 6
    actions:
      shed: {choose: {card: {from: hand}}, effect: move card to pile; add 5 to n}
      draw: {effect: move 1 from stock to hand}
"""


def test_words_of_a_move_that_is_not_made_are_no_part_of_a_match(tmp_path: Path) -> None:
    (tmp_path / "failing.yaml").write_text(FAILING)
    game = load(interpreter.load(tmp_path / "failing.yaml").game())
    state = game.new_initial_state()
    state.apply_action(3)
    shed, draw = (game.table.vocabulary.words.index(word) for word in ("shed", "draw"))
    state.apply_action(draw)
    for _ in range(2):
        state.apply_action(shed)
        with pytest.raises(RuleError):
            state.apply_action(state.legal_actions()[0])
    assert state.table.made == len(state.match.actions) == 1
    state.apply_action(draw)
    for again in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):
        assert str(again) == str(state) == "seed 3: draw draw" and again.table.made == 2
