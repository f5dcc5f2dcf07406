"""The generated program: the same text everywhere, only what the options leave, and every line knows its origin."""

from __future__ import annotations

import ast
import gc
import os
import subprocess
import sys
import weakref
from contextlib import suppress
from pathlib import Path
from textwrap import dedent

import pytest
from walks import SHIPPED, ruleset

import interpreter
from interpreter import Game, RuleError
from interpreter.api.settled import Enforcement
from interpreter.base.diagnostics import Span
from interpreter.compiler import compile_game
from interpreter.compiler.constant import NotConstant
from interpreter.compiler.layout import lay_out
from interpreter.language import typed as t
from interpreter.language.check.learnt import Asking

ROOT = Path(interpreter.__file__).parent.parent
PRINT_ALL = """
import hashlib, interpreter
from interpreter.interfaces.catalogue import entries
for entry in entries():
    found = interpreter.load(entry.id)
    for players, enforcement in ((found.players.min, "strict"), (found.players.max, "honor")):
        text = found.game(players, enforcement=enforcement).program.text
        print(entry.id, players, enforcement, hashlib.sha256(text.encode()).hexdigest())
"""


def printed(seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", PRINT_ALL], capture_output=True, text=True, check=True, env=environment, cwd=ROOT
    )
    return done.stdout


def test_the_text_is_the_same_under_any_hash_seed():
    first, other = (printed(seed) for seed in ("0", "4711"))
    assert other == first
    assert all(name in first for name in SHIPPED)


def test_the_text_is_the_same_when_compiled_again():
    one, other = (interpreter.load("hearts").compiled_by(compile_game).game() for _ in range(2))
    assert one.program is not other.program
    assert one.program.text == other.program.text
    assert {line: str(span) for line, span in one.program.lines.items()} == {
        line: str(span) for line, span in other.program.lines.items()
    }


def test_a_game_is_compiled_once():
    found = ruleset("hearts")
    assert found.game(3).program is found.game(3, {"target": 100}).program
    assert found.game(3).program is not found.game(3, {"target": 99}).program


def test_the_text_can_be_read():
    text = ruleset("hearts").game(3).program.text
    lines = text.splitlines()
    assert lines[0] == "# Hearts: 3 players, strict"
    assert "# ---- tricks (trick)" in lines
    assert any(line.startswith("# hearts.yaml:") for line in lines)
    assert "def judge·tricks(s):" in lines
    ast.parse(text)


def function(game: Game, name: str) -> str:
    """One function of the program as text."""
    tree = ast.parse(game.program.text)
    found = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    return ast.unparse(found)


def has_function(game: Game, name: str) -> bool:
    return f"def {name}(" in game.program.text


def test_options_fold_away():
    """What an option switches off leaves no trace, and its name none either."""
    found = ruleset("hearts")
    plain, early = found.game(), found.game(options={"early_stop": True})
    assert not has_function(plain, "until·tricks") and has_function(early, "until·tricks")
    assert "target" not in function(plain, "until·deals") and "100" in function(plain, "until·deals")
    assert "7" in function(found.game(options={"target": 7}), "until·deals")
    for option in found.options:
        assert option not in {node.id for node in ast.walk(ast.parse(plain.program.text)) if isinstance(node, ast.Name)}


def test_a_stage_that_is_switched_off_is_never_entered():
    found = ruleset("hearts")
    assert "return False" in function(found.game(), "when·moon_choice")
    assert not has_function(found.game(options={"moon_scoring": "shooter_chooses"}), "when·moon_choice")


def test_the_number_of_players_folds_away(tmp_path):
    path = tmp_path / "folds.yaml"
    path.write_text(
        dedent("""\
        format: 1
        id: folds
        name: Folds
        players: {min: 2, max: 4, default: 2}
        pack: {standard: 1}
        ranks: [2..10, J, Q, K, A]
        zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
        state: {score: {each: player, type: integer, lasts: match}}
        flow:
          match: {do: [dealing, draws], winners: highest score}
          dealing:
            effect: |
              shuffle stock
              if count of everyone = 3 then deal 3 from stock to hand else deal 5 from stock to hand end
          draws:
            kind: turn
            turns: 3
            actions:
              draw: {when: stock is not empty, effect: move 1 from stock to hand; add 1 to score}
        """)
    )
    found = interpreter.load(path)
    two, three = (function(found.game(n), "effect·dealing") for n in (2, 3))
    assert "deal(s, 5, " in two and "deal(s, 3, " not in two and "if " not in two
    assert "deal(s, 3, " in three and "deal(s, 5, " not in three and "if " not in three
    assert len(found.game(3).start().zone("hand", 2)) == 3 and len(found.game(2).start().zone("hand", 1)) == 5 + 0


@pytest.mark.parametrize(("pairs", "teams"), [(True, (0, 1, 0, 1)), (False, (0, 1, 2, 3))])
def test_a_value_may_depend_on_a_flag(tmp_path, pairs, teams):
    path = tmp_path / "pairs.yaml"
    path.write_text(
        dedent("""\
        format: 1
        id: pairs
        name: Pairs
        players: {min: 4, max: 4}
        teams: {size: {by: pairs, true: 2, else: 1}, seated: across}
        options: {pairs: {type: flag}}
        pack: {standard: 1}
        zones: {stock: {pack: true, seen by: none}}
        state: {chips: {type: integer, lasts: match, default: {by: pairs, false: 5, else: 9}}}
        flow: {match: {kind: ask, actions: {nod: {}}}}
        """)
    )
    game = interpreter.load(path).game(options={"pairs": pairs})
    assert game.program.teams == teams and game.start().value("chips") == (9 if pairs else 5)


def test_honour_leaves_no_trace_in_strict_play():
    found = ruleset("hearts")
    strict, honor = found.game(), found.game(enforcement="honor")
    assert "honor_penalty" not in strict.program.text and has_function(honor, "honor_penalty")
    assert strict.program.honor_code is None or not strict.program.honor


# ---- from the text back to the ruleset ------------------------------------------------------------------


FAILS = """\
format: 1
id: fails
name: Fails
players: {min: 2, max: 2, default: 2}
pack: {standard: 1}
ranks: [2..10, J, Q, K, A]
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner, capacity: 2}}
state: {count_up: {type: integer, lasts: match, min: 0, max: 3}}
flow:
  match: {do: [turns], winners: players}
  turns:
    kind: turn
    actions:
      more:
        effect: |
          note "more"
          add 2 to count_up
      draw: {effect: move 3 from stock to hand}
"""


@pytest.fixture
def fails(tmp_path) -> Path:
    path = tmp_path / "fails.yaml"
    path.write_text(FAILS)
    return path


def test_a_bound_that_is_left_is_blamed_on_its_line(fails):
    state = interpreter.load(fails).game().start()
    state.play(0, "more")
    before = state.to_json()
    with pytest.raises(RuleError) as caught:
        state.play(1, "more")
    span = caught.value.span
    assert span is not None
    assert FAILS.splitlines()[span.line - 1].strip() == "add 2 to count_up"
    assert Path(span.file).name == "fails.yaml"
    assert "count_up" in caught.value.message
    assert state.to_json() == before


def test_a_capacity_that_is_left_is_blamed_on_its_line(fails):
    state = interpreter.load(fails).game().start()
    before = state.to_json()
    with pytest.raises(RuleError) as caught:
        state.play(0, "draw")
    assert caught.value.span is not None
    assert "move 3 from stock to hand" in FAILS.splitlines()[caught.value.span.line - 1]
    assert state.to_json() == before


@pytest.mark.parametrize("name", SHIPPED)
def test_every_line_of_the_table_is_a_place_in_the_ruleset(name):
    program = ruleset(name).game().program
    files = {Path(file).resolve(): Path(file).read_text(encoding="utf-8").splitlines() for file in ruleset(name).files}
    assert program.lines
    length = len(program.text.splitlines())
    for line, span in program.lines.items():
        assert 1 <= line <= length
        source = files[Path(span.file).resolve()]
        assert 1 <= span.line <= len(source) and 1 <= span.column <= len(source[span.line - 1]) + 1


def test_lines_between_belong_to_the_place_before_them():
    program = ruleset("hearts").game().program
    known = sorted(program.lines)
    assert program.place_line(known[0]) == program.lines[known[0]]
    gap = next(line for line in range(known[0], known[-1]) if line not in program.lines)
    assert program.place_line(gap) == program.lines[max(line for line in known if line < gap)]
    assert program.place_line(0) is None


SMALL = """
format: 1
id: small
name: NAME
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true}}
state: {score: {each: player, type: integer, lasts: match}}
define:
  a0: 1
flow:
  match: {do: [go], winners: highest score}
  go: {kind: ask, actions: {act: {effect: EFFECT}}}
"""


def small(tmp_path: Path, name: str = "Small", effect: str = "shuffle stock", define: str = "") -> Path:
    path = tmp_path / "small.yaml"
    text = SMALL.lstrip().replace("NAME", name).replace("EFFECT", effect).replace("  a0: 1", f"  a0: 1{define}")
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("line_break", ["\\n", "\\t\\n"])
def test_no_text_of_a_ruleset_becomes_code(tmp_path, line_break):
    path = small(tmp_path, name=f'"x{line_break}injected = 1 #"')
    text = interpreter.load(path).game().program.text
    assert "injected" in text
    assert "injected" not in {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


@pytest.mark.parametrize(
    ("effect", "define", "message"),
    [
        pytest.param(
            "add a40 to score of P1",
            "".join(f"\n  a{i}: a{i - 1} + a{i - 1}" for i in range(1, 41)),
            "'a11' is too much to work out: written out it has 8189 parts",
            id="doubling values",
        ),
        pytest.param(
            "a30",
            "".join(f"\n  a{i}: {{effect: a{i - 1}{'x' * (i == 1)}; a{i - 1}{'x' * (i == 1)}}}" for i in range(1, 31))
            + "\n  a0x: {effect: shuffle stock}",
            "'a1' is too much to carry out: effects use one another too often or too deeply",
            id="doubling effects",
        ),
        pytest.param(
            "add a99 to score of P1",
            "".join(f"\n  a{i}: a{i - 1}" for i in range(1, 100)),
            "definitions use one another over more than 60 levels",
            id="a long chain",
        ),
        pytest.param(
            "d299",
            "\n  d0: {effect: shuffle stock}"
            + "".join(f"\n  d{i}: {{effect: if count of stock > 2 then d{i - 1} end}}" for i in range(1, 300)),
            "'d239' is too much to carry out: effects use one another too often or too deeply",
            id="a long chain of effects",
        ),
        pytest.param(
            "add a40 to score of P1",
            "".join(f"\n  a{i}: {'(1 + ' * 25}a{i - 1}{')' * 25}" for i in range(1, 41)),
            "definitions written out, this is nested more than 100 levels deep",
            id="nested in a chain",
        ),
    ],
)
def test_definitions_that_nobody_could_work_out(tmp_path, effect, define, message):
    path = small(tmp_path, effect=effect, define=define)
    found = [d for d in interpreter.validate(path) if d.severity == "error"]
    assert [(d.code, d.message, d.line is None) for d in found] == [("E404", message, False)]
    with pytest.raises(interpreter.RulesetError):
        interpreter.load(path).game()


def overlay(tmp_path: Path, text: str) -> Game:
    path = tmp_path / "over.yaml"
    path.write_text(f"format: 1\nid: over\nextends: hearts\n{text}", encoding="utf-8")
    return interpreter.load(path).game()


def test_only_what_is_open_around_tricks_makes_their_plays_slower(tmp_path):
    def quick(where: str) -> bool:
        program = overlay(tmp_path, f"flow: {{{where}: {{anytime: {{wave: {{}}}}}}}}\n").program
        return program.stages[program.by_stage["tricks"]].plain_play is not None

    assert quick("passing")
    assert not quick("tricks")
    assert not quick("deal")


def test_seats_change_where_a_penalty_calls_for_it(tmp_path):
    path = tmp_path / "seats.yaml"
    path.write_text(
        "format: 1\nid: seats\nextends: hearts\n"
        "flow: {mixing: {effect: 'reseat (P2, P1, P3, P4)'}}\n"
        "honor: {penalty: {by: revoke_penalty, all_points: call mixing, else: nothing}}\n"
    )
    found = interpreter.load(path)
    assert found.game(4, enforcement="honor").program.reseats


def test_a_stage_that_is_out_whatever_else_is_the_case_changes_no_seats():
    """Partners are drawn in the first game, or nobody draws in any: which game it is need not be asked."""
    euchre = interpreter.load("euchre")
    assert euchre.game().program.reseats
    assert not euchre.game(options={"partner_draw": "fixed"}).program.reseats


def test_somebody_who_is_settled_is_not_compared_with_nobody(tmp_path, recwarn):
    """`first p in everyone` is always P1: Python would warn of `0 is None`, and a warning may be made an error."""
    path = small(tmp_path, effect="set score of left of first p in everyone to 3; shuffle stock")
    text = path.read_text("utf-8").replace("{kind: ask,", "{kind: turn, first: left of first p in everyone, turns: 1,")
    path.write_text(text, "utf-8")
    assert {found.code for found in interpreter.validate(path)} == {"W601"}
    game = interpreter.load(path).game()
    assert not [warning for warning in recwarn if warning.category is SyntaxWarning]
    assert game.start().actors == [1]


def test_a_definition_that_is_asked_of_none_compares_what_is_written_out(tmp_path):
    path = small(tmp_path, effect="if same(none) then shuffle stock end", define="\n  same(x): P2 = x")
    assert [d for d in interpreter.validate(path) if d.severity == "error"] == []


def test_none_is_said_in_our_words(tmp_path):
    path = small(tmp_path, effect=r'"note \"told {same(none)}\""', define="\n  same(x): x")
    state = interpreter.load(path).game().start(seed=1)
    events = state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
    assert "note: told none" in [str(event) for event in events]


def test_zones_whose_cards_change_places_are_kept_alike(tmp_path):
    """What lies in order in one of them lies so in the other afterwards: the bits of a hand are no list."""
    path = tmp_path / "swap.yaml"
    path.write_text(
        "format: 1\nid: swap_test\nname: Swap\nplayers: {min: 2, max: 2}\npack: {standard: 1}\n"
        "zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}\n"
        "flow:\n  match: {setup: shuffle stock; deal 3 from stock to hand, do: [go]}\n"
        "  go:\n    kind: turn\n    turns: 6\n    actions:\n"
        '      change: {effect: "swap stock, hand of actor"}\n'
        "      drop: {choose: {card: {from: hand of actor}}, effect: move card to stock}\n"
    )
    state = interpreter.load(path).game().start(seed=1)
    state.play(0, "change")
    state.play(1, "change")
    assert len(state.legal_moves(0)) == 1 + 46


def test_on_what_hidden_things_a_shipped_game_hangs_is_found_when_it_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[Asking] = []
    shows_plainly = Asking.shows_plainly
    monkeypatch.setattr(Asking, "shows_plainly", lambda self: looked.append(self) or shows_plainly(self))
    program = interpreter.load("hearts").compiled_by(compile_game).game().program
    assert not looked
    assert program.secrets() is program.secrets()
    assert len(looked) == 1
    own = tmp_path / "own.yaml"
    own.write_bytes(Path(interpreter.load("hearts").files[0]).read_bytes())
    interpreter.load(own).game()
    assert len(looked) == 2, "what strangers have written is looked through before it is played"


class Asker:
    """Something that is at hand while a layout is asked."""


def test_an_answer_that_is_not_there_keeps_nothing_of_what_was_going_on() -> None:
    """The exception that says so is made anew each time: kept, it would keep itself, and all of a game with it."""
    ruleset = interpreter.load("hearts")
    layout = lay_out(ruleset.model, 4, ruleset.game(4).options, False)
    span = Span("", 1, 1, 1, 1)
    score = t.VarRef("score", (), t.INTEGER, span)
    either = t.Op("or", (t.Op("=", (score, score), t.FLAG, span), t.Const(False, t.FLAG, span)), t.FLAG, span)

    def asked(node: t.Typed) -> weakref.ref[Asker]:
        asker = Asker()
        with suppress(NotConstant):
            raise AssertionError(layout.constant(node))
        return weakref.ref(asker)

    gc.disable()
    try:
        assert [asked(node)() for node in (either, either, score)] == [None] * 3
    finally:
        gc.enable()


ASKED = """
format: 1
id: asked
name: Asked
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}}
options: {sure: {type: flag, default: true}}
state: {far: {type: integer, lasts: match, optional: true}, lit: {type: flag, lasts: match}}
define: {anyway: if 1 div far > 0 then sure else sure}
flow:
  match: {first dealer: P1, setup: set far to 0, do: [go]}
  go:
    kind: turn
    turns: 2
    actions: {act: {effect: EFFECT}}
"""


@pytest.mark.parametrize(
    "effect",
    [
        "set far to (if 1 div far > 0 then 3 else 3)",
        "set far to (if 1 div far > 0 then none else none)",
        "set lit to anyway",
        "if anyway then set lit to true end",
    ],
)
@pytest.mark.parametrize("enforcement", ["strict", "honor"])
def test_a_condition_that_decides_nothing_is_asked_all_the_same(
    effect: str, enforcement: Enforcement, tmp_path: Path
) -> None:
    path = tmp_path / "asked.yaml"
    path.write_text(ASKED.replace("EFFECT", effect), encoding="utf-8")
    state = interpreter.load(path).game(enforcement=enforcement).start(seed=1)
    with pytest.raises(RuleError, match="this divides by 0"):
        state.play(state.actors[0], "act")
