"""What nobody should write, send or do, and what is said to it. Nothing raises anything else, and nothing is lost.

Mistakes that a YAML file can show with a mark in it are in `tests/mistakes/`; here are the files that cannot, and bad
games, moves, positions and records.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from where import TESTS

from interpreter import replay
from interpreter.api.game import Game, State, load
from interpreter.api.options import OptionError
from interpreter.api.record import ReplayError
from interpreter.api.validation import validate
from interpreter.base.diagnostics import RulesetError
from interpreter.engine.arranging import PositionError
from interpreter.engine.notation import IllegalMove
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.start import draw_seed as drawn
from interpreter.engine.stuck import stuck
from interpreter.interfaces.cli import rendered, run
from interpreter.players.random_bot import RandomBot
from interpreter.players.realtime import Race, Speed

MISTAKES = TESTS / "mistakes"

# ---- files ---------------------------------------------------------------------------------------------

FLOW_HINT = "inside { } and [ ] text with commas, braces or brackets needs quotes"
BOMB = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefg", "bcdefgh", strict=True)
)


def printed(path: Path) -> str:
    """What `houserules validate` prints of a file, without its folder."""
    return rendered(validate(path)).replace(f"{path.parent}/", "")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(
            b"{[}",
            "t.yaml:1:3: error E104: '}' cannot close the '[' of line 1\n"
            "    1 | {[}\n"
            "      |   ^\n"
            f"      hint: {FLOW_HINT}",
            id="not YAML",
        ),
        pytest.param(
            b"",
            "t.yaml:1:1: error E112: the file is empty\n    1 | \n      | ^",
            id="empty",
        ),
        pytest.param(
            b"# a remark\n",
            "t.yaml:1:1: error E112: the file holds nothing but comments\n    1 | # a remark\n      | ^",
            id="comments only",
        ),
        pytest.param(
            b"- a\n- b\n",
            "t.yaml:1:1: error E207: a ruleset is a mapping of keys such as format, id, name, and this is a list\n"
            "    1 | - a\n"
            "      | ^",
            id="a list",
        ),
        pytest.param(
            b"Hearts\n",
            "t.yaml:1:1: error E207: a ruleset is a mapping of keys such as format, id, name, "
            "and this is the text 'Hearts'\n"
            "    1 | Hearts\n"
            "      | ^^^^^^",
            id="a text",
        ),
        pytest.param(
            b"game: hearts\nname: a rule\nsteps: []\n",
            "t.yaml:1:1: error E207: this is a scenario, not a ruleset\n"
            "    1 | game: hearts\n"
            "      | ^\n"
            "      hint: run it: houserules test t.yaml",
            id="a scenario",
        ),
        pytest.param(
            b"- game: hearts\n  name: a rule\n",
            "t.yaml:1:1: error E207: this is a scenario, not a ruleset\n"
            "    1 | - game: hearts\n"
            "      | ^\n"
            "      hint: run it: houserules test t.yaml",
            id="a list of scenarios",
        ),
        pytest.param(
            b"format: 1\nid: caf\xe9\n",
            "t.yaml:2:8: error E102: the file is not UTF-8: it holds the byte 0xE9\n"
            "    2 | id: caf\ufffd\n"
            "      |        ^\n"
            "      hint: save the file as UTF-8",
            id="not UTF-8",
        ),
        pytest.param(
            b"format: 1\nid: \xed\xa0\x80\n",
            "t.yaml:2:5: error E102: the file is not UTF-8: it holds the byte 0xED\n"
            "    2 | id: \ufffd\ufffd\ufffd\n"
            "      |     ^\n"
            "      hint: save the file as UTF-8",
            id="a lone surrogate",
        ),
        pytest.param(
            BOMB.encode(),
            "t.yaml:5:16: error E103: the file has more than 25,000 values, aliases counted in full\n"
            "    5 | e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]\n"
            "      |                ^^",
            id="an alias bomb",
        ),
        pytest.param(
            b"format: 1\nabout: " + b"x" * 10_000_000,
            "t.yaml: error E103: the file is too large: 10,000,017 bytes, and 262,144 are allowed",
            id="10 MB",
        ),
    ],
)
def test_file(data: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_bytes(data)
    assert printed(path) == expected


def test_nul(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_bytes(b"format: 1\nid: x\x00y\n")
    (found,) = validate(path)
    assert str(found) == f"{path}:2:6: error E102: the character U+0000 (NUL) is not allowed"
    assert found.hint == "save the file as UTF-8"
    assert printed(path) == (
        "t.yaml:2:6: error E102: the character U+0000 (NUL) is not allowed\n"
        "    2 | id: x\ufffdy\n"
        "      |      ^\n"
        "      hint: save the file as UTF-8"
    )


def test_signs_that_steer_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text('format: 1\nid: t\nextends: hearts\noptions: {"a\\u001b[2Jb": 1, c\u202ed: 1}\n')
    shown = printed(path)
    assert "\x1b" not in shown and "\u202e" not in shown and "c\ufffdd" in shown


def test_the_current_folder_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    here.rmdir()
    assert load("hearts").name == "Hearts"
    assert [d.code for d in validate("hearts")] == []
    assert run(["list"]) == 0
    assert run(["new", "mine", "--extends", "hearts"]) == 1
    assert capsys.readouterr().err == "the current folder is not there any more\n"


def test_brackets(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text("[" * 100_000 + "]" * 100_000)
    (found,) = validate(path)
    column = found.column
    assert column in (61, 1001)  # where some parsers of YAML give up by themselves
    assert str(found) == f"{path}:1:{column}: error E103: this is nested more than 60 levels deep"


def test_number_of_400_digits(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(f"format: 1\nid: long\nextends: hearts\noptions: {{target: {{max: {'9' * 400}}}}}\n")
    (found,) = validate(path)
    assert str(found) == f"{path}:4:25: error E110: a number may have at most 18 digits"
    assert found.length == 400


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("not " * 3_000 + "true", "E404"),
        ("(" * 300 + "1" + ")" * 300, "E404"),
        ("1 + " * 6_000 + "1", "E404"),
        ("1" + " -" * 3_000 + " 1", "E404"),
        ("top of " * 2_000 + "stock", "E404"),
        ("if " * 900 + "true", "E404"),
    ],
    ids=["not", "brackets", "plus", "minus", "of", "if"],
)
def test_long_expression(text: str, code: str, tmp_path: Path) -> None:
    path = beside_base(tmp_path, f"format: 1\nid: long\nextends: base\ndefine:\n  long: {text}\n")
    (found,) = validate(path)
    assert (found.code, found.line, found.column) == (code, 5, 9)
    assert found.message == "this text is too long or too deeply nested"


def test_number_of_400_digits_in_an_expression(tmp_path: Path) -> None:
    path = beside_base(tmp_path, f"format: 1\nid: long\nextends: base\ndefine:\n  long: 1 + {'9' * 400}\n")
    (found,) = validate(path)
    assert str(found) == f"{path}:5:13: error E404: a number may have at most 18 digits"


@pytest.mark.parametrize(
    "write",
    [lambda text: b"\xef\xbb\xbf" + text, lambda text: text.replace(b"\n", b"\r\n")],
    ids=["a byte order mark is fine", "CRLF is fine"],
)
def test_fine(write: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_bytes(write((MISTAKES / "base.yaml").read_bytes()))
    assert validate(path) == []


def test_crlf_keeps_places(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    text = (MISTAKES / "base.yaml").read_text().replace("shuffle stock", "shuffle stok").replace("\n", "\r\n")
    path.write_bytes(text.encode())
    (found,) = validate(path)
    assert (found.line, found.column, found.message) == (27, 36, "no zone is called 'stok'")


def test_directory(tmp_path: Path) -> None:
    assert printed(tmp_path) == f"{tmp_path.name}: error E101: cannot read the file: it is a directory"


def test_no_such_file(tmp_path: Path) -> None:
    assert printed(tmp_path / "t.yaml") == "t.yaml: error E101: cannot read the file: there is no such file"


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.yaml"
    path.write_text("format: 1\n")

    def refuse(_: Path) -> bytes:  # the administrator may read everything, so the refusal is played
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    (found,) = validate(path)
    assert str(found) == f"{path}: error E101: cannot read the file: no permission"


def test_no_such_ruleset() -> None:
    with pytest.raises(RulesetError) as refused:
        load("herats")
    assert str(refused.value) == "herats: error E301: no ruleset is called 'herats'"
    assert refused.value.diagnostics[0].hint == "did you mean 'hearts'?"


# ---- games ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"players": 2}, "players: Hearts is for 3 to 5 players, not 2"),
        ({"players": 9}, "players: Hearts is for 3 to 5 players, not 9"),
        ({"players": True}, "players: Hearts is for 3 to 5 players, not True"),
        ({"options": {"tarket": 3}}, "no option is called 'tarket'; did you mean 'target'?"),
        ({"options": {"target": 0}}, "option 'target' is 0, less than 1"),
        ({"options": {"target": "high"}}, "option 'target' must be a number, not high"),
        (
            {"options": {"moon_scoring": "half"}},
            "option 'moon_scoring' cannot be half; choices: others_plus_26, self_minus_26, shooter_chooses",
        ),
        ({"options": {"three_player_removed": "1D"}}, "option 'three_player_removed' cannot be 1D; choices: 2C, 2D"),
        (
            {"players": 3, "options": {"pass_cycle": ["across"]}},
            "nobody sits across with three or five players, so no cards can be passed there",
        ),
        ({"variants": ["short_gme"]}, "no variant is called 'short_gme'; did you mean 'short_game'?"),
        ({"enforcement": "lax"}, "enforcement is strict or honor, not lax"),
    ],
)
def test_game(wanted: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as refused:
        load("hearts").game(**wanted)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((4, [1]), "options is a mapping of names to values, not [1]"),
        ((4, {1: 1}), "options is a mapping of names to values, not {1: 1}"),
        ((4, {}, 5), "variants is a list of names, not 5"),
        ((4, {}, [["short_game"]]), "variants is a list of names, not [['short_game']]"),
        (("4",), "players: Hearts is for 3 to 5 players, not '4'"),
        ((4, {}, (), []), "enforcement is strict or honor, not []"),
    ],
)
def test_game_of_other_things(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(OptionError) as refused:
        load("hearts").game(*arguments)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"seed": "x"}, "seed is a whole number, not 'x'"),
        ({"seed": 1.5}, "seed is a whole number, not 1.5"),
        ({"seed": True}, "seed is a whole number, not True"),
        ({"deck": 5}, "deck: a list is needed, not 5"),
        ({"deck": "2C 2C"}, "deck: '2C' is not among the cards that can come here"),
        ({"chance": 5}, "chance is a mapping of places to outcomes, not 5"),
        ({"chance": {"draw": 5}}, "draw: a list is needed, not 5"),
        ({"chance": {"shuffle": {"deal": 5}}}, "the shuffle of deal: a list is needed, not 5"),
        ({"chance": {"shuffle": {"deel": ["2C"]}}}, "chance: no stage is called 'deel'; did you mean 'deal'?"),
        ({"given": 5}, "a position is a mapping, not 5"),
        ({"given": {"tricks": 5}}, "tricks: '5' is not a mapping (write tricks: {P1: 2, P2: 0})"),
        ({"given": {"number": 5}}, "number: '5' is not a mapping (write number: {deal: 3})"),
        ({"given": {"number": {"dela": 2}}}, "number: no stage is called 'dela' (did you mean 'deal'?)"),
        ({"given": {"with": 5}}, "with: '5' is not a mapping (write with: {ARGUMENT: value})"),
    ],
)
def test_start_with_other_things(hearts: Game, wanted: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=r"^" + re.escape(message) + "$"):
        hearts.start(**wanted)


def test_a_deck_may_be_a_text(hearts: Game) -> None:
    state = hearts.start(seed=1, deck="QS, 2C 3C")
    assert state.record() == hearts.start(seed=1, deck=["QS", "2C", "3C"]).record()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, 1), "n is a whole number of at least 0, not -1"),
        ((2.5, 1), "n is a whole number of at least 0, not 2.5"),
        ((1, "x"), "seed is a whole number, not 'x'"),
        ((1, 1, 0), "deals is a whole number of at least 1, not 0"),
        ((1, 1, "x"), "deals is a whole number of at least 1, not 'x'"),
        ((1, 1, 1, -1), "limit is a whole number of at least 0, not -1"),
    ],
)
def test_playouts_of_other_things(hearts: Game, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        hearts.playouts(*arguments)


def test_rulesets_of_other_things() -> None:
    other: Any = 5
    with pytest.raises(RulesetError) as refused:
        load(other)
    assert str(refused.value) == "5: error E301: a ruleset is an id or the path of a file, not 5"
    (found,) = validate(other)
    assert found.message == "a ruleset is an id or the path of a file, not 5"
    with pytest.raises(RulesetError):
        load("hearts", other)
    with pytest.raises(ReplayError, match="a record is a text, not 5"):
        replay(other)


def test_questions_about_other_things(hearts: Game) -> None:
    state = hearts.start(seed=1)
    other: Any = []
    for ask in (state.value, state.zone):
        with pytest.raises(KeyError, match=r"is called '?\[\]'?"):
            ask(other)
    for moves in (5, [5], [(0, "pass 2C")], [(0, "pass 2C", None)]):
        with pytest.raises(IllegalMove, match=r"is not \(player, move, measures\)"):
            state.play_together(moves)  # type: ignore[arg-type]


def test_without_a_seed_one_is_drawn(hearts: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.engine.start.draw_seed", drawn)
    seeds = {hearts.start().seed for _ in range(5)}
    assert len(seeds) > 1
    state = hearts.start()
    assert replay(state.record()).to_json() == state.to_json() == hearts.start(seed=state.seed).to_json()


# ---- moves ---------------------------------------------------------------------------------------------

LAST_TRICK = {
    "at": "tricks", "current": "P1", "trick number": 13, "score": {"P1": 99},
    "hand": {"P1": "2D", "P2": "JD", "P3": "5C", "P4": "6C"}, "taken": {"P1": "2H"},
}  # fmt: skip


@pytest.fixture(scope="module")
def hearts() -> Game:
    return load("hearts").game()


@pytest.mark.parametrize(
    ("player", "move", "message"),
    [
        (1, "play JD", "in_turn: it is P1's turn"),
        (0, "play JD", "not_possible: JD cannot be chosen now"),
        (0, "play", "no_such_move: 'play' needs a card such as 10H"),
        (0, "play 2X", "no_such_move: '2X' is not a card such as 10H"),
        (0, "play pass", "no_such_move: 'pass' is nothing that can be done now"),
        (0, "play D2", "no_such_move: 'D2' is not a card such as 10H; did you mean '2D'?"),
        (0, "play 2D 3D", "no_such_move: '3D' is too much for 'play'"),
        (0, "claim P2", "no_such_move: there is no move 'claim' here: claims are for honour play, and this is strict"),
        (0, "plya 2D", "no_such_move: there is no move 'plya' here; possible now: play"),
        (0, "  ", "no_such_move: a move is an action and what it is about, such as 'play 7C'"),
        (0, "play \x00", "no_such_move: a move cannot hold the character U+0000 (NUL)"),
        (4, "play 2D", "no_such_player: there is no player 4; players are 0 to 3"),
        (-1, "play 2D", "no_such_player: there is no player -1; players are 0 to 3"),
    ],
)
def test_move(hearts: Game, player: int, move: str, message: str) -> None:
    state = hearts.start(given=LAST_TRICK)
    before = state.to_json()
    with pytest.raises(IllegalMove) as refused:
        state.play(player, move)
    assert str(refused.value) == message
    assert state.to_json() == before


def test_move_against_a_law(hearts: Game) -> None:
    given = LAST_TRICK | {"trick number": 9, "hand": {"P1": "2D", "P2": "JD QS", "P3": "5C", "P4": "6C"}}
    state = hearts.start(given=given)
    state.play(0, "play 2D")
    with pytest.raises(IllegalMove) as refused:
        state.play(1, "play QS")
    assert refused.value.law == "follow_suit"
    assert str(refused.value) == "follow_suit: you hold JD"


def test_move_after_the_end(hearts: Game) -> None:
    state = hearts.start(given=LAST_TRICK)
    for player, move in enumerate(["play 2D", "play JD", "play 5C", "play 6C"]):
        state.play(player, move)
    assert state.over
    with pytest.raises(IllegalMove) as refused:
        state.play(0, "play 2C")
    assert str(refused.value) == "over: the match is over"


@pytest.mark.parametrize(
    ("measures", "message"),
    [
        ({"foo": -1}, "measure: 'foo' is not measured in 'play'; there are no measures"),
        ({"foo": "x"}, "measure: foo is a whole number"),
    ],
)
def test_measures_that_are_not_known(hearts: Game, measures: dict[str, Any], message: str) -> None:
    state = hearts.start(given=LAST_TRICK)
    before = state.to_json()
    with pytest.raises(IllegalMove) as refused:
        state.play(0, "play 2D", **measures)
    assert str(refused.value) == message and state.to_json() == before
    events = state.play_together([(0, "play 2D", {"hold": 3})])
    assert [str(event) for event in events] == [
        "refused: P1 play 2D: measure: 'hold' is not measured in 'play'; there are no measures"
    ]


def test_number_of_cards(hearts: Game) -> None:
    with pytest.raises(IllegalMove) as refused:
        hearts.start(seed=3).play(0, "pass 2C")
    assert str(refused.value).startswith("not_possible: ")


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("pass 7C KC ZZ", "'ZZ' is not a card such as 10H"),
        ("pass 7C KC S10", "'S10' is not a card such as 10H; did you mean '10S'?"),
        ("pass x 7C KC", "'x' is not a card such as 10H"),
        ("pass 7C 8C", "choose 3 cards, not 2"),
    ],
)
def test_several_cards(hearts: Game, move: str, message: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        hearts.start(seed=1).play(0, move)
    assert refused.value.message == message


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("claim", "no_such_move: say against whom: 'claim P1', or 'claim P1 LAW'"),
        ("claim P9", "no_such_move: there is no player 'P9' here; claim against one of P1, P3, P4"),
        ("claim P3 follow_suit now", "no_such_move: 'now' is too much: a claim is a player and perhaps a law"),
        ("claim P2", "claimers: nobody claims against themselves"),
    ],
)
def test_claims(move: str, message: str) -> None:
    state = load("hearts").game(enforcement="honor").start(given=LAST_TRICK)
    with pytest.raises(IllegalMove) as refused:
        state.play(1, move)
    assert str(refused.value) == message


BOUND = """\
format: 1
id: bound
extends: base
state: {heat: {type: integer, lasts: match, max: 2}}
flow:
  tricks: {lead: {must: {hearts_closed: true}}, on card: add 1 to heat}
"""
ENDLESS = """\
format: 1
id: endless
extends: base
flow:
  tricks: {after: null, on trick: call dance}
  dance: {repeat: step, until: trumps = spades}
  step: {effect: set broken}
"""


def beside_base(tmp_path: Path, text: str) -> Path:
    (tmp_path / "base.yaml").write_bytes((MISTAKES / "base.yaml").read_bytes())
    path = tmp_path / "t.yaml"
    path.write_text(text)
    return path


def play_until_error(state: State) -> RuleError:
    """Play first moves until the rules cannot go on; the failing move must change nothing."""
    while True:
        player = state.actors[0]
        before = state.to_json()
        try:
            state.play(player, state.legal_moves(player)[0])
        except RuleError as error:
            assert state.to_json() == before
            return error


def test_bound_left_in_play(tmp_path: Path) -> None:
    path = beside_base(tmp_path, BOUND)
    error = play_until_error(load(path).game(2).start(seed=1))
    assert str(error) == f"{path}:6:58: 'heat' would become 3, but it goes from -1000000 to 2"


def test_stage_that_never_asks(tmp_path: Path) -> None:
    path = beside_base(tmp_path, ENDLESS.replace("after: null, ", ""))
    error = play_until_error(load(path).game(2).start(seed=1))
    assert str(error) == f"{path}:6:3: the stage 'dance' goes on without anybody deciding anything"


STUCK = """\
format: 1
id: stuck
extends: base
flow:
  tricks:
    follow: {must: {no_queens: card.rank != Q}}
"""
ONLY_QUEEN = {"at": "tricks", "current": "P1", "trick number": 2, "hand": {"P1": "2C 2D", "P2": "QC 3H"}}
STUCK_TEXT = (
    "t.yaml:6:21: P2 has no lawful move in 'tricks' (seed 7, deal 1, trick 2)\n"
    "  t.yaml:6:21: the law 'no_queens' refuses play QC\n"
    "  base.yaml:38:14: the law 'follow_suit' refuses play 3H\n"
    "  hint: let a law give way to a hand that cannot keep it: 'LAW or not any c in hand has ...' "
    "(grammar, section 14)"
)


def test_laws_that_refuse_every_move_are_named(tmp_path: Path) -> None:
    path = beside_base(tmp_path, STUCK)
    assert validate(path) == []
    game = load(path).game(2)
    state = game.start(seed=7, given=ONLY_QUEEN)
    state.play(0, "play 2C")
    assert str(stuck(state.position, 1)).replace(f"{tmp_path}/", "") == STUCK_TEXT
    with pytest.raises(RuleError, match=r"t\.yaml:6:21: P[12] has no lawful move in 'tricks' \(seed \d+, deal \d+, "):
        game.playouts(100, 7)


def test_who_can_do_nothing_at_all(tmp_path: Path) -> None:
    flow = "flow: {bid: {kind: turn, before: tricks, actions: {bid: {when: broken}}}}"
    state = load(beside_base(tmp_path, f"format: 1\nid: t\nextends: base\n{flow}\n")).game(2).start(seed=3)
    assert str(stuck(state.position, state.actors[0])).replace(f"{tmp_path}/", "") == (
        "t.yaml:4:8: P1 has no lawful move in 'bid' (seed 3, deal 1)\n"
        "  hint: nothing can be chosen, or no 'when' holds: add an action that is always possible, such as a pass"
    )


RACE = """\
format: 1
id: race
extends: base
tokens: {spoon: {}}
flow:
  grabs:
    kind: race
    before: tricks
    setup: set out 1 of spoon
    until: count of spoon of P1 = 1
    actions: {grab: {when: spoon is not empty, effect: take spoon}}
"""
NO_END = "nothing can be chosen, or no 'when' holds, and the race does not end: see its 'until'"


def test_a_race_in_which_nobody_can_move_stops(tmp_path: Path) -> None:
    path = beside_base(tmp_path, RACE)
    game = load(path).game(2)
    state = game.start(seed=1)
    before = state.to_json()
    assert state.actors == [0, 1]
    state.play(1, "grab")
    assert state.actors == [0, 1] and not state.over
    assert not state.legal_moves(0) and not state.legal_moves(1)
    with pytest.raises(RuleError) as stopped:
        game.playouts(10, seed=1)
    assert str(stopped.value).startswith(f"{path}:6:3: nobody has a lawful move in 'grabs' (seed ")
    assert str(stopped.value).endswith(f"\n  hint: {NO_END}")
    race = Race(state, {p: (RandomBot(p), Speed()) for p in range(2)}, seed=1)
    with pytest.raises(RuleError, match="nobody has a lawful move in 'grabs'"):
        race.run(10)
    state = game.restore(before)
    state.play(0, "grab")
    assert state.phase == "tricks"


def test_a_race_waits_for_those_who_can_do_something_else(tmp_path: Path) -> None:
    flow = "  deal: {anytime: {give: {when: count of spoon of actor > 0, effect: put back spoon of actor}}}\n"
    path = beside_base(tmp_path, RACE + flow)
    state = load(path).game(2).start(seed=1)
    state.play(1, "grab")
    assert state.actors == [1]
    assert [str(move) for move in state.legal_moves(1)] == ["give"]
    state.play(1, "give")
    assert state.actors == [0, 1]


def test_the_play_of_a_trick_is_there_without_being_written(tmp_path: Path) -> None:
    path = tmp_path / "low.yaml"
    law = "{must: {no_kings_before_the_last: {law: card.rank < K or count of hand = 1, message: keep your kings}}}"
    path.write_text(f"format: 1\nid: low\nextends: hearts\nflow: {{tricks: {{actions: {{play: {law}}}}}}}\n")
    assert validate(path) == []
    passing = path.read_text().replace("tricks:", "passing:")
    path.write_text(passing)
    assert [finding.code for finding in validate(path)] == ["E305"]


def test_nothing_is_played_together_after_the_end(tmp_path: Path) -> None:
    state = load(beside_base(tmp_path, RACE)).game(2).start(seed=1)
    while not state.over:
        player = state.actors[0]
        state.play(player, state.legal_moves(player)[0])
    before = state.to_json()
    with pytest.raises(IllegalMove, match="the match is over"):
        state.play_together([(1, "grab", {}), (0, "grab", {})])
    assert state.to_json() == before


def test_a_time_has_an_end(tmp_path: Path) -> None:
    state = load(beside_base(tmp_path, RACE)).game(2).start(seed=1)
    before = state.to_json()
    with pytest.raises(IllegalMove, match="at most 1,000,000,000,000"):
        state.play(0, "grab", begin=0, end=10**30)
    assert state.to_json() == before


# ---- positions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"at": "trick"}, "at: no stage is called 'trick' (did you mean 'tricks'?)"),
        (
            {"hand": {"P1": "2C 2C"}},
            "2C is named 2 times (hand P1, hand P1), and the pack has only one",
        ),
        ({"hand": {"P9": "2C"}}, "hand: 'P9' is not one of them (there is one for each player)"),
        ({"hand": "2C"}, "hand: there are several of them (say the cards of each: {P1: [...]})"),
        ({"score": {"P1": "many"}}, "score P1: 'many' is not a number"),
        ({"score": {"P1": 5_000_000}}, "score P1 is 5000000, and it goes from -1000000 to 1000000"),
        ({"current": "P7"}, "current: 'P7' is no player of this match; they are P1 to P4"),
        ({"hnd": {}}, "hnd: no zone, variable or piece is called 'hnd' (did you mean 'hand'?)"),
        ({"trick number": -1}, "trick number: '-1' is not a whole number"),
    ],
)
def test_position(hearts: Game, given: Mapping[str, Any], message: str) -> None:
    with pytest.raises(PositionError) as refused:
        hearts.start(given=given)
    assert str(refused.value) == message


# ---- records -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def record(hearts: Game) -> str:
    state = hearts.start(seed=3)
    for player in range(4):
        state.play(player, state.legal_moves(player)[0])
    return state.record()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(lambda text: "", "the record is empty", id="empty"),
        pytest.param(
            lambda text: "hello",
            "line 1: this is no record of a match, or it was cut in its first line",
            id="something else",
        ),
        pytest.param(
            lambda text: text[:-10],
            "line 5: the record is cut in the middle of this line; 3 moves before it can be read",
            id="truncated",
        ),
        pytest.param(
            lambda text: text.replace('"P2"', '"P3"', 1),
            "line 3: the record has been altered: move 2 is not as it was written, or a line before it is missing",
            id="altered",
        ),
        pytest.param(
            lambda text: "\n".join(text.split("\n")[:2] + text.split("\n")[3:]),
            "line 3: the record has been altered: move 2 is not as it was written, or a line before it is missing",
            id="a line is missing",
        ),
        pytest.param(
            lambda text: text.replace('"seed":3', '"seed":4', 1),
            "line 1: the record has been altered: the header is not as it was written",
            id="an altered header",
        ),
    ],
)
def test_record(record: str, change: Callable[[str], str], message: str) -> None:
    with pytest.raises(ReplayError) as refused:
        replay(change(record))
    assert str(refused.value) == message


@pytest.mark.parametrize("text", ["", "x", "[]", "{}", '{"game": 1}', "[" * 2_000])
def test_saved_state(hearts: Game, text: str) -> None:
    with pytest.raises(ValueError, match="this is not a saved state of this game"):
        hearts.restore(text)


def test_numbers_without_end_and_names_that_no_move_can_hold(tmp_path: Path) -> None:
    base = (
        "format: 1\nid: t\nname: T\nplayers: {min: 2, max: 2BEST}\npack: {standard: 1}\nranks: [RANK, K, Q]\n"
        "options: {how: {type: choice, choices: [CHOICE, b], default: b}}\nzones: {stock: {pack: true}}\n"
        "flow:\n  match: {do: [go]}\n  go: {kind: ask, actions: {x: {choose: {w: {choice: how}}}}}\n"
    )
    digits = "9" * 5_000
    for key, text, code in (
        ("RANK", f"1..{digits}", "E206"),
        ("RANK", "K A", "E205"),
        ("RANK", "'K\"'", "E205"),
        ("CHOICE", "'x\"y'", "E205"),
        ("CHOICE", '"x\\ny"', "E205"),
        ("BEST", f", best: 2..{digits}", None),
    ):
        whole = {"RANK": "A", "CHOICE": "a", "BEST": ""} | {key: text}
        path = tmp_path / "t.yaml"
        path.write_text(
            base.replace("BEST", whole["BEST"]).replace("RANK", whole["RANK"]).replace("CHOICE", whole["CHOICE"])
        )
        codes = [d.code for d in validate(path) if d.severity == "error"]
        assert (code in codes) if code else not set(codes) & {"E404"}, (key, text[:20], codes)


@pytest.mark.parametrize("colour", ['"red\\nP2 plays AS"', "'r\"d'", '"a\\tb"'])
def test_a_colour_is_words_on_one_line(colour: str, tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(
        "format: 1\nid: t\nname: T\nplayers: {min: 2, max: 2}\npack: {standard: 1}\n"
        f"suits:\n  hearts: {{letter: H, colour: {colour}}}\n  moons: {{letter: M, colour: pale blue}}\n"
        "zones: {stock: {pack: true}}\n"
        "flow:\n  match: {do: [go]}\n  go: {kind: ask, actions: {x: {effect: nothing}}}\n"
    )
    found = [d for d in validate(path) if d.severity == "error"]
    assert [(d.code, d.line, d.column) for d in found] == [("E205", 7, 31)]
    path.write_text(path.read_text().replace(colour, "red"))
    assert not [d for d in validate(path) if d.severity == "error"]
