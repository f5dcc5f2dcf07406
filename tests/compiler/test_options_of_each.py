"""Lists of which every player has one: which spelling is one for all, and that a record gives back what was chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.api.record import unkept

RULES = """\
format: 1
id: each
name: Each
players: {min: 1, max: 3, default: 2}
options:
  own: {KIND, each: player, optional: OPTIONAL, default: DEFAULT}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
define: {its_items(p): count of own of p}
flow:
  match: {setup: deal 4 from stock to hand, do: [go], winners: everyone}
  go: {kind: turn, turns: 3, actions: {d: {when: its_items(actor) < 9}}}
"""
NUMBERS, WORDS = "type: list of integer, min: 0, max: 9", "type: list of text"


def game(
    folder: Path, given: Any = ..., kind: str = NUMBERS, players: int = 2, default: str = "none", optional: bool = True
) -> interpreter.Game:  # fmt: skip
    path = folder / "each.yaml"
    path.write_text(
        RULES.replace("KIND", kind).replace("DEFAULT", default).replace("OPTIONAL", str(optional).lower()), "utf-8"
    )
    return interpreter.load(path).game(players, {} if given is ... else {"own": given})


@pytest.mark.parametrize(
    ("given", "chosen"),
    [
        (None, (None, None)),
        ("none", (None, None)),
        (5, ((5,), (5,))),
        ([], ((), ())),
        ([1, 2], ((1, 2), (1, 2))),
        ([1], ((1,), (1,))),
        ([None, None], (None, None)),
        (["none", "none"], (None, None)),
        ([[1], None], ((1,), None)),
        (["none", [1, 2]], (None, (1, 2))),
        ([[], []], ((), ())),
        (([1], 2), ((1,), (2,))),
    ],
)
def test_a_list_of_lists_or_of_nothing_but_none_is_one_for_each(given: Any, chosen: Any, tmp_path: Path) -> None:
    own = game(tmp_path, given)
    assert own.options["own"] == chosen
    assert own.start(seed=1).legal_moves(0)
    assert game(tmp_path, own.options["own"]).options == own.options


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ([None], "lists 1 values, but there are 2 players"),
        (["none"] * 3, "lists 3 values, but there are 2 players"),
        ([[1], None, None], "lists 3 values, but there are 2 players"),
        ([1, None], "has an item that must be a number, not None"),
        ([[None], [1]], "has an item that must be a number, not None"),
    ],
)
def test_what_is_neither_is_refused(given: Any, why: str, tmp_path: Path) -> None:
    with pytest.raises(interpreter.OptionError, match=why):
        game(tmp_path, given)


def test_none_is_no_list_of_a_player_where_it_is_no_value(tmp_path: Path) -> None:
    with pytest.raises(interpreter.OptionError, match="has an item that must be a number, not none"):
        game(tmp_path, ["none", "none"], default="[]", optional=False)
    words = game(tmp_path, ["none", "none"], kind=WORDS, default="[]", optional=False)
    assert words.options["own"] == (("none", "none"),) * 2


KINDS = (NUMBERS, WORDS, "type: list of choice, choices: [aa, none]", "type: list of card", "type: list of suit",
         "type: list of rank", "type: list of flag", "type: text", "type: integer, min: 0, max: 9")  # fmt: skip


@pytest.mark.parametrize("players", [1, 2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_a_record_of_a_match_in_which_they_are_none_is_read_again(kind: str, players: int, tmp_path: Path) -> None:
    path = tmp_path / "each.yaml"
    text = RULES.replace("KIND", kind).replace("DEFAULT", "none").replace("OPTIONAL", "true")
    path.write_text(text if "list" in kind else text.replace("count of own of p", "1"), "utf-8")
    own = interpreter.load(path).game(players)
    assert own.options["own"] == (None,) * players
    assert unkept(own) == ""
    assert interpreter.replay(own.start(seed=1).record()).game.options == own.options


@pytest.mark.parametrize("default", ["[none, none]", "[[]]", "[]"])
def test_a_record_keeps_the_word_none_apart_from_none(default: str, tmp_path: Path) -> None:
    own = game(tmp_path, kind=WORDS, default=default) if default != "[[]]" else game(tmp_path, [["none"], None], WORDS)
    assert interpreter.replay(own.start(seed=1).record()).game.options == own.options


@pytest.mark.parametrize(
    ("kind", "given", "chosen"),
    [
        (WORDS, "[none, none]", (None, None)),
        (WORDS, "[[aa], none]", (("aa",), None)),
        (WORDS, "[aa, none]", (("aa", "none"), ("aa", "none"))),
        (WORDS, "[]", ((), ())),
        (NUMBERS, "[none, none]", (None, None)),
        (NUMBERS, "[[1], [2, 3]]", ((1,), (2, 3))),
        (NUMBERS, "[1, 2]", ((1, 2), (1, 2))),
        ("type: list of card", "[none, none]", (None, None)),
        ("type: text", "[aa, none]", ("aa", None)),
        ("type: integer, min: 0, max: 9", "[1, none]", (1, None)),
    ],
)
def test_a_variant_sets_one_for_each_as_well(kind: str, given: str, chosen: Any, tmp_path: Path) -> None:
    own = with_variant(tmp_path, kind, given).game(2, variants=["v"])
    assert own.options["own"] == chosen
    assert interpreter.replay(own.start(seed=1).record()).game.options == own.options


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("[[10], none]", "'own' has an item that is 10, more than 9"),
        ("[none, 1]", "'own' has an item that must be a number, not none"),
    ],
)
def test_what_a_variant_sets_wrongly_is_refused(given: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(interpreter.RulesetError, match=why):
        with_variant(tmp_path, NUMBERS, given)


def with_variant(folder: Path, kind: str, given: str) -> interpreter.Ruleset:
    path = folder / "each.yaml"
    text = RULES.replace("KIND", kind).replace("DEFAULT", "none").replace("OPTIONAL", "true")
    text = text if "list" in kind else text.replace("count of own of p", "1")
    path.write_text(f"{text}variants: {{v: {{doc: Other lists., set: {{own: {given}}}}}}}\n", encoding="utf-8")
    return interpreter.load(path)
