"""What is nothing to players of a ruleset (names of stages, laws, definitions, tables) is nowhere in what they read."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fuzz.bases import bases
from fuzz.naming import declared, renamable, renamed
from fuzz.places import Tree
from fuzz.writing import yaml
from test_narrative import NAMES, asked

import interpreter
from interpreter import Game
from interpreter.engine.chance import Dice
from interpreter.engine.notation import IllegalMove
from interpreter.rulebook.comparing import marked_book
from interpreter.rulebook.terminal import text
from interpreter.words.voice import Voice

SHIPPED = ("euchre", "hearts", "pig", "bicycle-spoons", "georgia-spoons", "setback", "spades", "spades-two", "spit")
READ = ("action", "zone", "token", "parameter", "variable", "announcement", "fault", "option", "measure")
"""Sorts of names that are spoken unless a text says otherwise: what is done, where it is done, and what is known."""


@cache
def trees() -> dict[str, Tree]:
    return {base.name: base.tree for base in bases() if base.shipped}


def hidden_names(tree: Tree) -> list[str]:
    """The names that no player has to read, those of definitions that views show left out."""
    shown = {
        key.partition("(")[0] for key, spec in tree["define"].items() if isinstance(spec, dict) and "seen by" in spec
    }
    sorts = declared(tree)
    texts = str(tree)  # a word that is told may be called as a definition is
    return [
        name for name in renamable(tree) if sorts[name] not in READ and name not in shown and f'"{name}"' not in texts
    ]


def told_actions(tree: Tree) -> list[str]:
    """The actions that say in texts of their own how they are told and asked for, wherever they are done."""
    found: dict[str, list[bool]] = {}
    for stage in tree["flow"].values():
        for key in ("actions", "anytime"):
            for name, action in (stage.get(key) or {}).items():
                found.setdefault(name, []).append(bool(action and action.get("tell") and action.get("prompt")))
    texts, own = str(tree), {*renamable(tree)}
    words = {name for name in found if f'"{name}"' in texts or f"'prompt': '{name}'" in texts}  # meant as words
    return [name for name, told in found.items() if all(told) and name in own - words]


@pytest.mark.parametrize("name", sorted({name for name, tree in trees().items() if told_actions(tree)}))
def test_no_name_of_an_action_is_read_that_has_texts(name: str, tmp_path):
    names = {old: f"zq{number}" for number, old in enumerate(told_actions(trees()[name]))}
    assert_unread(name, names, tmp_path)


@pytest.mark.parametrize("name", SHIPPED)
def test_no_name_of_the_rules_inner_parts_is_read(name: str, tmp_path):
    names = {old: f"zq{number}" for number, old in enumerate(hidden_names(trees()[name]))}
    assert len(names) > 5
    assert_unread(name, names, tmp_path)


@pytest.mark.parametrize("name", ["dutch-blitz", "klondike", "pig", "spades"])
def test_a_zone_is_called_in_words_and_never_as_the_ruleset_writes_it(name: str, tmp_path: Path):
    tree = trees()[name]
    sorts, texts = declared(tree), str(tree)
    zones = [old for old in renamable(tree) if sorts[old] == "zone" and f'"{old}"' not in texts]
    assert zones
    assert_unread(name, {old: f"zq_{number}_pile" for number, old in enumerate(zones)}, tmp_path, "zq_")
    assert "zq_" not in text(marked_book(interpreter.load(tmp_path / f"{name}.yaml").game()))


def assert_unread(name: str, names: dict[str, str], tmp_path: Path, unread: str = "zq") -> None:
    """A ruleset in which names are renamed so shows none of them to its players. unread: what is in all of them."""
    tree = trees()[name]
    path = tmp_path / f"{name}.yaml"
    path.write_text(yaml(renamed(tree, names)))
    game: Game = interpreter.load(path).game()
    state, dice = game.start(seed=1), Dice(1)
    voice = Voice(state.position, NAMES, verbose=True)
    for _ in range(150):
        if state.over:
            break
        player = state.actors[dice.below(len(state.actors))]
        assert unread not in asked(state, player)
        possible = state.possible_moves(player)
        try:
            state.copy().play(player, possible[dice.below(len(possible))])
        except IllegalMove as refusal:
            assert unread not in voice.refusal(player, refusal)
        offered = state.legal_moves(player)
        state.play(player, offered[dice.below(len(offered))])
    for viewer in range(game.players):
        lines = [line.text for line in voice.told(viewer, state.log or [])]
        assert len(lines) > 10 and not [line for line in lines if unread in line]
    assert not [line for line in voice.result(0) if unread in line]


@pytest.mark.parametrize("name", ["euchre", "georgia-spoons", "spades"])
def test_no_name_of_the_rules_inner_parts_is_in_how_to_play(name: str, tmp_path):
    tree = trees()[name]
    names = {old: f"zq{number}" for number, old in enumerate(hidden_names(tree))}
    path = tmp_path / f"{name}.yaml"
    path.write_text(yaml(renamed(tree, names)))
    assert "zq" not in text(marked_book(interpreter.load(path).game()), brief=True)


def test_a_refusal_takes_no_longer_the_longer_the_match_is() -> None:
    class Unread(list[Any]):
        def __iter__(self) -> Any:
            raise AssertionError("the log is read")

    state = interpreter.load("hearts").game().start(seed=1)
    state.position.log = Unread([None])
    voice = Voice(state.position, ["Anna", "Ben", "Cleo", "Dora"])
    with pytest.raises(IllegalMove) as refused:
        state.parse(0, "play 2C")
    assert voice.refusal(0, refused.value)
