"""What is settled before play and has no value: every expression in every place is refused, or stops at its place."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

import interpreter
from interpreter.interfaces.cli import cli

RULESET: dict[str, Any] = {
    "format": 1,
    "id": "constants",
    "name": "Constants",
    "players": {"min": 2, "max": 4, "default": 4},
    "teams": {"size": {"by": "players", 3: 1, "else": 2}},
    "options": {
        "zero": {"type": "integer", "min": 0, "max": 5, "default": 0},
        "two": {"type": "list of integer", "length": "1..3", "default": [1, 2]},
        "some": {"type": "list of integer", "length": "0..3", "default": [1]},
        "lives": {"type": "integer", "min": 1, "max": 9, "optional": True, "default": 2},
        "nothing_in": {"type": "list of integer", "length": "0..3", "default": []},
        "words": {"type": "list of text", "length": "1..3", "default": ["one", "other"]},
        "cards_named": {"type": "list of card", "length": "1..3", "default": ["2C", "3C"]},
        "unlimited": {"type": "integer", "min": 1, "max": 9, "optional": True, "default": "none"},
        "no_card": {"type": "card", "optional": True, "default": "none"},
        "big": {"type": "integer", "min": 0, "max": 999999999999999999, "default": 999999999999999999},
        "bounded": {"type": "integer", "min": 0, "max": 5, "default": 1},
        "listed": {"type": "list of integer", "length": "1..3", "default": [1]},
        "way": {"type": "choice", "choices": ["need", "empty"], "default": "need"},
    },
    "require": {"fine": {"law": "zero < 9", "message": "never"}},
    "pack": {"standard": 1, "add": {"joker": {"count": 2, "when": "zero < 9"}}},
    "zones": {
        "stock": {"pack": True, "seen by": "none", "refill": {"from": "discard", "keep": 1}},
        "hand": {"each": "player", "seen by": "owner", "capacity": 60},
        "discard": {"seen by": "everyone"},
        "trick": {"seen by": "everyone"},
        "pile": {"each": "1..2"},
    },
    "tokens": {"gem": {}},
    "state": {
        "score": {"each": "player", "type": "integer", "lasts": "match", "min": -999, "max": 999},
        "grid": {"each": "1..2", "type": "integer", "lasts": "deal"},
        "mark": {"type": "card", "optional": True, "lasts": "deal"},
        "called": {"type": "suit", "optional": True, "lasts": "deal"},
    },
    "values": {
        "points": {"hearts": 1, "QS": 13, "else": 0},
        "prize": {"by": "count of everyone", "2": 1, "else": 2},
        "lacking": {"by": "zero", "7": 1},
    },
    "define": {
        "share": "1",
        "held(card)": "points of card + 1",
        "known": {"value": "score of P1 + 1", "seen by": "everyone"},
    },
    "flow": {
        "match": {"do": ["deal"], "winners": "highest score", "scores": "score of p", "places": "score of p"},
        "deal": {
            "setup": "shuffle stock; deal 5 from stock to hand; set out 2 of gem; move 1 from stock to discard; "
            "add prize + lacking + share to score of P1; set mark to top of discard",
            "do": ["shedding", "tricks", "count"],
            "next dealer": "left",
        },
        "shedding": {
            "kind": "turn",
            "turns": "1 each",
            "actions": {
                "lay": {
                    "choose": {"card": {"from": "hand"}},
                    "must": {"fit": {"law": "held(card) < 99", "message": "not {card}"}},
                    "effect": "move card to discard; add points of card to score",
                },
                "draw": {"effect": "move 1 from stock to hand"},
                "bid": {"choose": {"n": {"number": "1..2"}}, "effect": "add n to score"},
                "lay_two": {"choose": {"cards": {"from": "hand", "count": 2}}, "effect": "move cards to discard"},
            },
        },
        "tricks": {"kind": "trick", "leader": "P1", "count": 2, "rank": "place of card.rank"},
        "count": {"effect": "for p in players do add 1 to score of p end"},
    },
    "honor": {"during": "deal", "lapses": {"after": 3}},
}

EXPRESSIONS = (
    "5 div 0",
    "10 div zero",
    "8 div (count of everyone - 4)",
    "item(3, two)",
    "item(3, cards_named)",
    "cycle(1, nothing_in)",
    "unlimited",
    "no_card",
    "999999999999999999 * 999999999999999999",
    "big * big",
    "10 div lacking",
    "if zero = 0 then item(3, two) else 1",
    "first c in pack where c.rank = 2",
    "top of stock",
    "count of hand of P4",
)

PLACES: tuple[tuple[str, str], ...] = (
    ("options/bounded/default", "{by: 'X', 1: 2, else: 3}"),
    ("options/bounded/default", "{by: players, 4: 'X', else: 3}"),
    ("options/bounded/min", "'X'"),
    ("options/bounded/max", "'X'"),
    ("options/listed/length", "'1..X'"),
    ("require/fine/law", "'X'"),
    ("require/fine/law", "'X > 0'"),
    ("teams/size", "'X'"),
    ("pack/standard", "'X'"),
    ("pack/standard", "{by: 'X', 1: 2, else: 1}"),
    ("pack/only", "{by: 'X', 1: 2..5, else: 2..A}"),
    ("pack/remove", "['X']"),
    ("pack/remove", "{by: 'X', 1: [2C], else: [3C]}"),
    ("pack/remove", "{by: players, 4: ['X']}"),
    ("pack/add/joker/count", "'X'"),
    ("pack/add/joker/when", "'X > 0'"),
    ("zones/pile/each", "'1..X'"),
    ("zones/hand/capacity", "'X'"),
    ("zones/stock/refill/keep", "'X'"),
    ("zones/stock/refill/on", "{by: 'X', 1: need, else: empty}"),
    ("zones/discard/seen by", "'p where X > 1'"),
    ("tokens/gem/named", "'X'"),
    ("state/grid/each", "'1..X'"),
    ("state/score/min", "'X'"),
    ("state/score/max", "'X'"),
    ("state/score/max", "{by: 'X', 1: 2, else: 900}"),
    ("state/score/default", "'X'"),
    ("state/mark/default", "'X'"),
    ("values/points/QS", "'X'"),
    ("values/prize/by", "'X'"),
    ("values/prize/else", "'X'"),
    ("values/prize/2", "'X'"),
    ("define/share", "'X'"),
    ("define/held(card)", "'points of card + X'"),
    ("define/known/value", "'X'"),
    ("flow/match/first dealer", "'X'"),
    ("flow/match/winners", "'p where X > 1'"),
    ("flow/match/scores", "'X'"),
    ("flow/match/places", "'X'"),
    ("flow/match/until", "'X > 5'"),
    ("flow/deal/setup", "'shuffle stock; deal X from stock to hand'"),
    ("flow/deal/setup", "'deal 4 from stock to hand, in packets of X'"),
    ("flow/deal/setup", "'move X from stock to discard'"),
    ("flow/deal/setup", "'set out X of gem'"),
    ("flow/deal/setup", "'add X to score of P1'"),
    ("flow/deal/setup", "'set mark to X'"),
    ("flow/deal/setup", "'if X > 1 then shuffle stock end'"),
    ("flow/deal/setup", "'note \"{X}\"'"),
    ("flow/deal/setup", "'for p in players where X > 1 do add 1 to score of p end'"),
    ("flow/deal/when", "'X > 1'"),
    ("flow/deal/players", "'p where X > 1'"),
    ("flow/deal/next dealer", "'X'"),
    ("flow/shedding/first", "'X'"),
    ("flow/shedding/turns", "'X'"),
    ("flow/shedding/turns", "'X each'"),
    ("flow/shedding/until", "'any p in players has score of p > X'"),
    ("flow/shedding/actions/lay/when", "'X > 1'"),
    ("flow/shedding/actions/lay/must/fit/law", "'points of card > X'"),
    ("flow/shedding/actions/lay/must/fit/law", "'X div points of card > 1'"),
    ("flow/shedding/actions/lay/must/fit/message", "'{X}'"),
    ("flow/shedding/actions/lay/say", "{words: yes, when: 'X > 1'}"),
    ("flow/shedding/actions/lay/label", "{'X > 1': high, else: low}"),
    ("flow/shedding/actions/bid/choose/n/number", "'1..X'"),
    ("flow/shedding/actions/lay_two/choose/cards/count", "'X'"),
    ("flow/shedding/actions/bid/measured", "{hold: '0..X'}"),
    ("flow/tricks/leader", "'X'"),
    ("flow/tricks/count", "'X'"),
    ("flow/tricks/trump", "'X'"),
    ("flow/tricks/rank", "'X'"),
    ("honor/lapses/after", "'X'"),
    ("honor/charge each", "'X > 1'"),
)


def written(folder: Path, place: str, said: str, players: int = 4) -> Path:
    """The ruleset with something else in one place. players: the least there can be."""
    rules = copy.deepcopy(RULESET)
    rules["players"]["min"] = players
    *way, last = place.split("/")
    at: Any = rules
    for key in way:
        at = at.setdefault(key, {})
    at[last] = yaml.safe_load(said)
    path = folder / "constants.yaml"
    path.write_text(json.dumps(rules, indent=1), encoding="utf-8")
    return path


def outcome(path: Path, place: str, players: int = 4, options: dict[str, Any] | None = None) -> str:
    """What becomes of a ruleset: whatever is wrong with it has a place in the file."""
    found = interpreter.validate(path)
    for diagnostic in found:
        assert diagnostic.line is not None and diagnostic.column is not None, diagnostic
        assert "None" not in diagnostic.message and "NoneType" not in diagnostic.message, diagnostic
    if any(d.severity == "error" for d in found):
        return "refused"
    mode: Any = "honor" if place.startswith("honor") else "strict"
    try:
        state = interpreter.load(path).game(players, options or {}, enforcement=mode).start(seed=3)
        dice = random.Random(1)
        for _ in range(20):
            player = next((p for p in state.actors if len(state.legal_moves(p))), None)
            if player is None:
                break
            moves = state.legal_moves(player)
            state.play(player, moves[dice.randrange(len(moves))])
            state.view(player)
        return "played"
    except interpreter.OptionError as error:
        assert f"{path}:" in str(error) or str(error) == "never", error
        return "no game"
    except interpreter.RuleError as error:
        assert error.span is not None and error.span.file == str(path), error
        return "stopped"


@pytest.mark.parametrize("number", range(len(EXPRESSIONS)), ids=EXPRESSIONS)
def test_what_has_no_value_is_refused_or_stops_at_its_place(number: int, tmp_path: Path) -> None:
    """Each expression in every third place, so that each place is tried with a third of them."""
    expression, ends = EXPRESSIONS[number], set()
    for place, said in PLACES[number % 3 :: 3]:
        path = written(tmp_path, place, said.replace("X", expression))
        try:
            ends.add(outcome(path, place))
        except Exception as error:
            raise AssertionError(f"{place}: {said}: {type(error).__name__}: {error}") from error
    assert "refused" in ends


@pytest.mark.parametrize(
    ("expression", "players", "options"),
    [
        ("10 div bounded", 4, {"bounded": 0}),
        ("lives", 4, {"lives": "none"}),
        ("8 div (count of everyone - 2)", 2, {}),
    ],
)
def test_so_it_is_where_only_some_options_or_numbers_of_players_leave_it_without_a_value(
    expression: str, players: int, options: dict[str, Any], tmp_path: Path
) -> None:
    """Each in every second place: two of them are alike."""
    ends = set()
    for place, said in PLACES[players // 4 :: 2]:
        path = written(tmp_path, place, said.replace("X", expression), players)
        try:
            ends.add(outcome(path, place, players, options))
        except Exception as error:
            raise AssertionError(f"{place}: {said}: {type(error).__name__}: {error}") from error
    assert {"no game", "stopped", "played"} <= ends


def test_the_ruleset_itself_is_fine(tmp_path: Path) -> None:
    path = written(tmp_path, "name", "Constants", 2)
    assert {d.code for d in interpreter.validate(path)} == {"W601"}
    assert outcome(path, "name") == outcome(path, "honor") == "played"


@pytest.mark.parametrize(
    ("law", "holds"),
    [
        ("lives = none and (zero = 1 or item(1, two) = 1)", True),
        ("zero != 0 and 10 div zero > 1", False),
        ("10 div zero > 1 and zero != 0", False),
        ("zero = 0 or 10 div zero > 1", True),
        ("if zero = 0 then true else 10 div zero > 1", True),
        ("named = 10D", True),
        ("named in (10D, 2C)", True),
        ("low < 10", True),
        ("10 > low", True),
        ("count of (no_card, named) = 1", True),
        ("none in (no_card, named)", False),
        ("lacking = 0", True),
        ("lesser(zero, 3) = 0 and greater(zero, 3) = 3", True),
        ("overlapping = 1", True),
    ],
)
def test_before_play_and_in_play_the_same_is_reckoned(law: str, holds: bool, tmp_path: Path) -> None:
    """As a requirement it is settled before there are cards; behind a loop over cards it is asked of the program."""
    for asked in (law, f"any c in pack has c = 3S and ({law})"):
        path = written(tmp_path, "require/fine/law", asked)
        rules = json.loads(path.read_text())
        rules["options"] |= {
            "named": {"type": "card", "default": "td"},
            "low": {"type": "rank", "default": 9},
        }
        rules["values"]["overlapping"] = {"by": "count of everyone", "3..4": 1, "4..5": 2}
        rules["options"]["lives"]["default"] = "none"
        path.write_text(json.dumps(rules, indent=1))
        if holds:
            interpreter.load(path).game(4)
        else:
            with pytest.raises(interpreter.OptionError, match="never"):
                interpreter.load(path).game(4)


def test_players_are_those_who_take_part_wherever_a_condition_stands(tmp_path: Path) -> None:
    path = written(tmp_path, "flow/match/players", "p where p != P2")
    rules = json.loads(path.read_text())
    rules["flow"]["count"]["effect"] = 'if count of players = 4 then note "four" else note "three" end'
    rules["flow"]["deal"]["do"] = ["count"]
    del rules["flow"]["shedding"], rules["flow"]["tricks"]
    path.write_text(json.dumps(rules, indent=1))
    state = interpreter.load(path).game(4).start(seed=1)
    assert [event.words for event in state.log if event.kind == "note"] == ["three"]


def test_what_is_none_is_told_in_words_of_the_game(tmp_path: Path) -> None:
    path = written(tmp_path, "flow/deal/setup", "'set score of P1 to score of holder of 2C'")
    assert interpreter.validate(path)[0].code == "W601"
    with pytest.raises(interpreter.RuleError, match="this is none, but a number is needed here") as stopped:
        interpreter.load(path).game(4).start(seed=1)
    assert stopped.value.span is not None


@pytest.mark.parametrize("command", ["validate", "test", "play", "mutate"])
def test_a_requirement_that_looks_at_the_table_stops_no_command(command: str, tmp_path: Path) -> None:
    over = tmp_path / "over.yaml"
    text = "{format: 1, id: over, extends: hearts, define: {opening_lead: if hand of P1 is empty then 2C else 3C}}"
    over.write_text(text, encoding="utf-8")
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text("{game: over.yaml, name: it begins, steps: [{expect: {over: false}}]}", encoding="utf-8")
    arguments = {
        "validate": ["validate", str(over)],
        "test": ["test", str(scenario)],
        "play": ["play", str(over), "--bots", "all"],
        "mutate": ["test", "--mutate", str(scenario)],
    }
    run = CliRunner().invoke(cli, arguments[command])
    told = run.output + (str(run.exception) if run.exception else "")
    expected = "fails unchanged, so it is left out" if command == "mutate" else "'hand' is only known in play"
    assert expected in told and "fault of houserules" not in told, told


def test_a_variant_that_is_an_option_is_told_as_one() -> None:
    for name in ("pass count", "pass-count"):
        with pytest.raises(interpreter.OptionError, match="'pass_count' is an option"):
            interpreter.load("hearts").game(variants=[name])


def test_two_overlays_may_take_out_the_same(tmp_path: Path) -> None:
    for name in ("one", "two"):
        text = f"{{format: 1, id: {name}, extends: hearts, variants: {{short_game: null}}}}"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    assert "short_game" not in interpreter.load("hearts", [tmp_path / "one.yaml", tmp_path / "two.yaml"]).variants
