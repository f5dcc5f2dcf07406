"""The gate: nothing becomes code but what printers print, and names of a ruleset never meet."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from walks import SHIPPED

import interpreter
from interpreter import RulesetError
from interpreter.compiler import compile_game, gate
from interpreter.compiler import core as c
from interpreter.compiler.gate import Stopped
from interpreter.compiler.lower.stages import Lowering
from interpreter.compiler.made import made
from interpreter.compiler.writer import Writer
from interpreter.engine.library import HELPERS

PACKAGE = Path(interpreter.__file__).parent
MAKERS = ("exec", "eval", "compile", "__import__")
OF_LLVM = ("parse_assembly", "parse_bitcode", "add_object_file")
KEEPERS = {"pickle", "marshal", "shelve", "dill", "runpy", "code", "codeop"}
NAMES: dict[str, Any] = {**HELPERS, "s": None, "p": 0}


def makers_in(tree: ast.AST) -> Iterator[str]:
    """What makes code of text there, by whichever name it is reached; a pattern of `re` is no code."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(name) if name in (*MAKERS, "__builtins__"):
                yield name
            case ast.Attribute(ast.Name("re"), "compile"):
                continue
            case ast.Attribute(_, name) if name in (*MAKERS, *OF_LLVM, "__builtins__"):
                yield name
            case ast.Import(names) if any(alias.name == "builtins" for alias in names):
                yield "builtins"
            case ast.ImportFrom("builtins" | "re", names) if any(alias.name in MAKERS for alias in names):
                yield from (alias.name for alias in names)
            case ast.Constant(str(name)) if name in ("exec", "eval", "__import__", "__builtins__"):
                yield name


def test_the_gate_alone_makes_code_of_text() -> None:
    """Machine code is made of the LLVM of functions that have passed it, in one place."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        found[path.relative_to(PACKAGE).as_posix()] = sorted({*makers_in(ast.parse(path.read_text("utf-8")))})
    assert {name: makers for name, makers in found.items() if makers} == {
        "compiler/gate.py": ["__builtins__", "compile", "exec"],
        "compiler/native/machine_code.py": ["add_object_file", "parse_assembly"],
    }


@pytest.mark.parametrize(
    "text",
    [
        "exec('1')",
        "import builtins; builtins.exec('1')",
        "from builtins import eval as look; look('1')",
        "getattr(__builtins__, 'ex' + 'ec')('1')",
        "vars(object)['eval']('1')",
        "llvm.parse_assembly('')",
    ],
)
def test_whoever_makes_code_of_text_is_found(text: str) -> None:
    assert list(makers_in(ast.parse(text)))
    assert not list(makers_in(ast.parse("re.compile('a'); compiled = [1]")))


def test_nothing_under_interpreter_uses_a_form_of_data_that_can_run_code() -> None:
    found = {}
    for path in PACKAGE.rglob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        plain = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
        named = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
        found[path.relative_to(PACKAGE).as_posix()] = {name.partition(".")[0] for name in plain | named}
    used = {name: imported & KEEPERS for name, imported in found.items() if imported & KEEPERS}
    assert used == {}
    assert "yaml" in found["language/source/building.py"]


# ---- what is stopped -----------------------------------------------------------------------------------

ESCAPES = [
    "(lambda: (x·g.gi_frame.f_back.f_builtins for x·g in ()))",
    "next(x·g.gi_frame.f_back.f_back.f_builtins for x·g in (1,))",
    "bits.__globals__['__builtins__']",
    "().__class__.__base__.__subclasses__()",
    "'{0.__class__}'.format(s)",
    "str.format",
    "f'{s}'",
    "f'{s!r:>{p}}'",
    "__import__('os')",
    "__builtins__",
    "open('/etc/passwd')",
    "getattr(s, 'v')",
    "globals()",
    "s.program",
    "s.game",
    "s.v.sort()",
    "odd",
    "lambda odd: odd",
    "lambda *odd: odd",
    "[odd for odd in ()]",
    "b'bytes'",
    "1.5",
    "1j",
    "...",
    "(1, (2, (b'deep', 3)))",
]
FORMS = ["{1, p}", "{x·c: 1 for x·c in ()}", "{x·c for x·c in ()}", "s @ p", "p ** 2", "1 / p", "(q := p)"]
FORMS += ["sorted((), reverse=p)", "lambda: (yield)", "(yield)", "lambda: (yield from s)", "bits(**s)"]
STATEMENTS = [
    "import os",
    "from os import system",
    "class A: pass",
    "v = 1",
    "with s: pass",
    "del s",
    "try:\n    v = 1\nexcept v: pass",
    "raise s",
    "async def first(s): pass",
    "assert s",
    "v: int = 1",
    "@bits\ndef first(s): pass",
    "def first(s, odd): pass",
    "def first(s) -> 1: pass",
    "def first(s):\n    import os",
    "def first(s):\n    nonlocal_ = 1",
    "def first(s):\n    s.odd = 1",
    "def first(s):\n    del s.v",
    "def first(s):\n    class A: pass",
    "def first(s):\n    global v\n    v = 1",
    "def first(s):\n    with s: pass",
    "def first(s):\n    raise s",
    "def first(s):\n    async def a(s): await s",
]


def let_in(text: str, names: dict[str, Any], read_tree: bool = True) -> Any:
    """The value of an expression that has passed the gate."""
    gate.run(f"def first(s):\n    return {text}\n", "<test>", names, {"first": ("s",)}, {}, read_tree)
    return names["first"](None)


@pytest.mark.parametrize("text", ESCAPES)
@pytest.mark.parametrize("read_tree", [True, False], ids=["tree", "code"])
def test_what_no_printer_prints_is_stopped(text: str, read_tree: bool) -> None:
    with pytest.raises(Stopped):
        let_in(text, dict(NAMES), read_tree)


@pytest.mark.parametrize("text", FORMS)
def test_forms_that_no_printer_uses_are_stopped_where_trees_are_read(text: str) -> None:
    with pytest.raises(Stopped):
        let_in(text, dict(NAMES), read_tree=True)


@pytest.mark.parametrize("text", STATEMENTS)
@pytest.mark.parametrize("read_tree", [True, False], ids=["tree", "code"])
def test_statements_that_no_printer_prints_are_stopped(text: str, read_tree: bool) -> None:
    with pytest.raises(Stopped):
        gate.run(text, "<test>", dict(NAMES), {}, {}, read_tree)


def test_names_far_down_the_list_are_read_too() -> None:
    """Python writes the number of a name in several parts from the 256th on."""
    many = ", ".join(f"one{at}" for at in range(400))
    names = {**NAMES, **{f"one{at}": at for at in range(400)}}
    assert let_in(f"({many})", names)[399] == 399
    with pytest.raises(Stopped, match="odd"):
        let_in(f"({many}, odd)", names)
    with pytest.raises(Stopped, match="'system'"):
        let_in(f"({many}, s.system)", names)


@pytest.mark.parametrize(
    "text",
    [
        "def first(s):\n    return 1\ndef first(s):\n    return 2",
        "def first(s):\n    return 1\ndef second(s):\n    return 2",
        "def first(s, p):\n    return 1",
        "def first(s, *row):\n    return 1",
        "def first(p):\n    return 1",
        "def second(s):\n    return 1",
        "first = bits",
        "",
    ],
)
def test_the_functions_are_those_that_were_printed(text: str) -> None:
    with pytest.raises(Stopped):
        gate.run(text, "<test>", dict(NAMES), {"first": ("s",)}, {})


def test_what_was_printed_runs() -> None:
    names = dict(NAMES)
    text = "def first(s, *row):\n    return len(row)\nother = first\n"
    gate.run(text, "<test>", names, {"first": ("s", "*row")}, {"other": "first"})
    assert names["other"](None, 1, 2) == 2


PARTS = "def first(s):\n    return 1\n\ndef second(s):\n    return %s\n\nthird = first\n"


@pytest.mark.parametrize("read_tree", [True, False], ids=["tree", "code"])
def test_a_text_is_compiled_in_pieces_and_read_whole(read_tree: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "PIECE", 1)
    functions, aliases, names = {"first": ("s",), "second": ("s",)}, {"third": "first"}, dict(NAMES)
    gate.run(PARTS % "first(s) + 1", "<test>", names, functions, aliases, read_tree, (1, 4))
    assert (names["second"](None), names["third"](None)) == (2, 1)
    assert names["second"].__code__.co_firstlineno == 4, "the line has the number that it has in the whole text"
    for wrong in ("s.system", "open", "1\ndef first(s):\n    return 2", "1\ndef fourth(s):\n    return 2"):
        with pytest.raises(Stopped):
            gate.run(PARTS % wrong, "<test>", dict(NAMES), functions, aliases, read_tree, (1, 4))
    with pytest.raises(SyntaxError):
        gate.run(PARTS % "1", "<test>", dict(NAMES), functions, aliases, read_tree, (1, 5))


def test_no_more_of_a_long_program_is_compiled_at_once_than_takes_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Meanwhile no other thread of a server does anything."""
    lengths: list[int] = []

    def noted(source: str, *given: Any, **more: Any) -> Any:
        lengths.append(len(source.lstrip("\n").split("\n")))
        return compile(source, *given, **more)

    monkeypatch.setattr(gate, "ALWAYS_READS_TREES", False)
    monkeypatch.setattr(gate, "compile", noted, raising=False)
    program = interpreter.load("spit").compiled_by(compile_game).game().program
    whole = len(program.text.split("\n"))
    functions = [line for line in program.text.split("\n") if line.startswith("def ")]
    assert sum(lengths) >= whole > 5 * max(lengths) and len(functions) > len(lengths) > whole // 400


def test_no_built_in_function_can_be_reached_but_the_harmless_ones() -> None:
    names = dict(NAMES)
    gate.run("def first(s):\n    return len(s)\n", "<test>", names, {"first": ("s",)}, {})
    assert "open" not in names["first"].__globals__["__builtins__"]


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("enforcement", ["strict", "honor"])
def test_shipped_rulesets_pass_whole(name: str, enforcement: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their trees, too; those of the games of every option and variant are read where these are played."""
    monkeypatch.setattr(gate, "ALWAYS_READS_TREES", True)
    for players in {(found := interpreter.load(name).compiled_by(compile_game)).players.min, found.players.max}:
        assert found.game(players, enforcement=enforcement).program.text


def test_a_text_that_is_stopped_is_our_fault_and_told_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Lowering._judge

    def careless(lowering: Lowering, stage: Any) -> None:
        real(lowering, stage)
        with lowering.out.function("broken·by_us", "s"):
            lowering.out.give(c.Field("__class__"), stage.span)

    monkeypatch.setattr(Lowering, "_judge", careless)
    with pytest.raises(RulesetError) as caught:
        interpreter.load("hearts").compiled_by(compile_game).game()
    (told,) = caught.value.diagnostics
    assert told.code == "E901" and told.file.endswith("hearts.yaml") and told.line
    assert "__class__" in told.message and "not of this file" in told.message


def test_broken_text_is_our_fault_and_never_too_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Lowering._judge

    def careless(lowering: Lowering, stage: Any) -> None:
        real(lowering, stage)
        with lowering.out.function("broken·by_us", "s"):
            lowering.out.do(c.Name("def 1("), stage.span)

    monkeypatch.setattr(Lowering, "_judge", careless)
    with pytest.raises(RulesetError, match="E901"):
        interpreter.load("hearts").compiled_by(compile_game).game()


# ---- made names ----------------------------------------------------------------------------------------


def test_a_made_name_has_one_meaning() -> None:
    assert made("apply", "go", "fast_x") == "apply·go·fast_x" != made("apply", "go_fast", "x")
    for part in ("a b", "a·b", "1a", "", "a\n", "ſ", "x(): pass"):
        with pytest.raises(AssertionError):
            made("apply", part)


def test_a_function_written_twice_is_our_fault() -> None:
    out = Writer()
    with out.function("apply·go·x", "s", "p"):
        pass
    with pytest.raises(AssertionError, match="twice"), out.function("apply·go·x", "s"):
        pass
    with pytest.raises(AssertionError, match="twice"):
        out.alias("apply·go·x", "other")


def ruleset(folder: Path, text: str) -> interpreter.Ruleset:
    path = folder / "names.yaml"
    path.write_text(dedent(text), "utf-8")
    assert not [d for d in interpreter.validate(path) if d.severity == "error"]
    return interpreter.load(path)


HEAD = """\
format: 1
id: names
name: Names
players: {min: 2, max: 2}
pack: {standard: 1}
"""


def test_words_are_never_taken_for_variables(tmp_path: Path) -> None:
    """A choice may have a word that looks like a variable of the text: nobody is angry, whatever the word is."""
    words = [f"x_p_{number}" for number in range(16)]
    near = {word: words[at : at + 4] for at, word in enumerate(words)}
    asked = {word: " or ".join(f"mood of p = {other}" for other in near[word]) for word in words}
    text = f"""\
        zones: {{stock: {{pack: true}}, hand: {{each: player, seen by: owner}}}}
        state: {{mood: {{each: player, type: choice, choices: [calm, {", ".join(words)}], lasts: match}}}}
        define: {{{", ".join(f"a_{word}: any p in players has {asked[word]}" for word in words)}}}
        flow:
          match: {{do: [playing]}}
          playing:
            kind: turn
            turns: 2 each
            actions: {{{", ".join(f"m_{word}: {{effect: set mood to {word}}}" for word in words)}}}
        """
    start = ruleset(tmp_path, HEAD + dedent(text)).game().start()
    for said in words:
        state = start.copy()
        state.play(0, f"m_{said}")
        assert [w for w in words if state.value(f"a_{w}")] == [w for w in words if said in near[w]]


NEIGHBOURS = (
    HEAD
    + """\
zones:
  stock: {pack: true, seen by: none}
  piece_gem: {seen by: none}
  hand: {each: player, seen by: owner}
tokens: {gem: {seen by: everyone}}
state:
  define_x: {type: integer, lasts: match, seen by: none, default: 5}
  done: {type: integer, lasts: match}
define:
  x: {value: done + 7, seen by: everyone}
flow:
  match: {first dealer: P2, do: [x_stage, go, go_fast]}
  x_stage: {effect: set out 1 of gem; move 1 from stock to piece_gem}
  go:
    kind: turn
    first: P1
    turns: 1
    actions: {fast_x: {effect: add 1 to done}}
  go_fast:
    kind: turn
    first: P2
    turns: 1
    actions: {go: {effect: add 10 to done, must: {never: done > 5}}}
"""
)


def test_actions_whose_names_run_together_stay_apart(tmp_path: Path) -> None:
    text = NEIGHBOURS.replace("{go: {effect", "{x: {effect").replace("  x: {value", "  y: {value")
    state = ruleset(tmp_path, text).game().start()
    assert [str(move) for move in state.legal_moves(0)] == ["fast_x"]
    state.play(0, "fast_x")
    assert state.value("done") == 1
    assert not state.legal_moves(1)  # the law of the other stage's action holds
    with pytest.raises(interpreter.IllegalMove, match="never"):
        state.play(1, "x")


def test_who_sees_a_piece_does_not_see_a_zone_of_like_name(tmp_path: Path) -> None:
    view = ruleset(tmp_path, NEIGHBOURS).game().start().view(0)
    assert view["zones"]["piece_gem"]["cards"] == [None]


def test_who_sees_a_definition_does_not_see_a_variable_of_like_name(tmp_path: Path) -> None:
    view = ruleset(tmp_path, NEIGHBOURS).game().start().view(0)
    assert view["values"].get("define_x") is None
    assert view["values"]["x"] == 7


def test_the_first_dealer_of_a_stage_is_not_the_first_of_another(tmp_path: Path) -> None:
    text = (
        HEAD
        + """\
zones: {stock: {pack: true}, hand: {each: player}}
flow:
  match: {do: [x, dealer_x]}
  x: {first dealer: P2, do: [inner]}
  inner: {effect: shuffle stock}
  dealer_x: {kind: turn, first: P1, turns: 1, actions: {go: {}}}
"""
    )
    state = ruleset(tmp_path, text).game().start()
    assert (state.position.dealer, state.actors) == (1, [0])
