"""The folders of `interpreter/` are a row of wings: each uses those before it, and none that comes after."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent / "interpreter"
WINGS = (
    "base", "language", "engine", "compiler", "api", "players", "words", "rulebook", "proofs", "analysis", "interfaces",
)  # fmt: skip
ABOVE = {"__init__.py", "__main__.py"}
"""What stands outside the row: where everything begins."""
PYTHONS = {"_replace", "_fields", "_asdict", "_getframe", "_exit"}
"""Names of Python's own that begin with an underscore and are for everybody."""
LARKS = {"_width"}
"""What stands in the tables that the maker of the parser writes, and by chance is a name of ours."""
ALIKE = {
    "__init__.py": "Python's name",
    "actions.py": "the checker's and the compiler's, of the same thing",
    "definitions.py": "the checker's and the compiler's, of the same thing",
    "effects.py": "the checker's and the compiler's, of the same thing, and how a rulebook says it",
    "options.py": "what the checker says of them, and what is chosen",
    "expressions.py": "the checker's and the compiler's, of the same thing",
    "operations.py": "what is known of each, and the Python of each",
}
"""Names of files that occur more than once, and why."""


class Read(NamedTuple):
    """What a file says, as far as it matters to other files."""

    imports: tuple[str, ...]
    """The modules of this package: at its head, inside functions, and for types alone."""
    own: frozenset[str]
    """The names with an underscore that it gives: to functions, classes, variables, fields and attributes."""
    reaches: tuple[tuple[int, str, str], ...]
    """Names with an underscore that may be another's: line, how it is reached for, name."""


@cache
def read(path: Path) -> Read:
    """A file, read once for all these tests."""
    imports: list[str] = []
    own, reaches = set[str](), list[tuple[int, str, str]]()
    pieces = set[int]()  # of texts with values in them, which come before what is in them
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import(names):
                imports += [name.name for name in names]
            case ast.ImportFrom(module, names, level):
                assert not level, f"{path}: names its neighbours in full"
                imports += [f"{module}.{name.name}" for name in names]
                if (module or "").startswith("interpreter"):
                    reaches += [(node.lineno, "imports ", name.name) for name in names if is_inner(name.name)]
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name) | ast.Name(name, ast.Store()):
                own.add(name)
            case ast.Attribute(ast.Name("self"), name, ast.Store()):
                own.add(name)
            case ast.Attribute(ast.Name("self" | "cls")):
                pass
            case ast.Attribute(_, name) if is_inner(name):
                reaches.append((node.lineno, "uses .", name))
            case ast.JoinedStr(values):
                pieces.update(map(id, values))
            case ast.Constant(str(name)) if is_inner(name) and id(node) not in pieces:
                reaches.append((node.lineno, "says ", name))
    return Read(tuple(imports), frozenset(filter(is_inner, own)), tuple(reaches))


def test_everything_stands_in_a_wing() -> None:
    found = {path.name for path in ROOT.iterdir() if path.name not in ("__pycache__", "py.typed")}
    assert found == {*WINGS, *ABOVE}


def test_a_wing_uses_those_before_it() -> None:
    wrong = []
    for at, wing in enumerate(WINGS):
        for path in sorted((ROOT / wing).rglob("*.py")):
            for name in read(path).imports:
                package, _, rest = name.partition(".")
                if package == "interpreter" and rest.partition(".")[0] not in WINGS[: at + 1]:
                    wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert not wrong


def is_inner(name: str) -> bool:
    """Whether a name says that it is for its own module alone."""
    return name.startswith("_") and not name.endswith("__") and name.strip("_") != "" and name not in PYTHONS


def all_inner() -> set[str]:
    """The names of all modules that each is to keep to itself."""
    return {name for path in ROOT.rglob("*.py") for name in read(path).own}


def reached(path: Path, inner: set[str]) -> list[str]:
    """What a module reaches for that is for another module alone, also by its name in a string. inner: `all_inner`."""
    found, others = read(path), inner - LARKS
    return [
        f"{path.relative_to(ROOT)}:{line} {how}{name}"
        for line, how, name in found.reaches
        if how == "imports " or (name not in found.own and (how == "uses ." or name in others))
    ]


def test_what_is_for_one_module_alone_is_used_by_no_other() -> None:
    inner = all_inner()
    assert [wrong for path in sorted(ROOT.rglob("*.py")) for wrong in reached(path, inner)] == []


def test_reaching_into_another_module_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("test_wings.ROOT", tmp_path)
    text = """\
from interpreter.engine.machine import _jump
class Own:
    _kept: int = 0
    def _own(self, state, other):
        self._seen = state._find("x") or other._seen or other._kept or other._own(self, self)
        return state.position._replace(), state.__class__, getattr(self, "_own"), "_no_name"
NAME = "_hidden"
"""
    (tmp_path / "one.py").write_text(text)
    (tmp_path / "other.py").write_text("class Other:\n    def _hidden(self): ...\n")
    found = ["one.py:1 imports _jump", "one.py:7 says _hidden", "one.py:5 uses ._find"]
    assert reached(tmp_path / "one.py", all_inner()) == found


def test_a_name_says_which_file_it_is() -> None:
    found: dict[str, list[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        found.setdefault(path.name, []).append(str(path.relative_to(ROOT)))
    assert {name: paths for name, paths in found.items() if len(paths) > 1 and name not in ALIKE} == {}
    assert {name for name, paths in found.items() if len(paths) > 1} == set(ALIKE)


def used_modules(path: Path, modules: set[str]) -> set[str]:
    """The modules of this package that a file takes something from. modules: all there are, by name."""
    names = [name for name in read(path).imports if name.startswith("interpreter.")]
    return {name if name in modules else name.rpartition(".")[0] for name in names} & modules


def test_files_use_each_other_in_one_direction() -> None:
    """What is imported inside functions, or for types alone, counts too."""
    paths = {name_of(path): path for path in ROOT.rglob("*.py")}
    uses = {name: used_modules(path, {*paths}) - {name} for name, path in paths.items()}
    left = uses
    while lowest := {name for name, used in left.items() if not used & left.keys()}:
        left = {name: used for name, used in left.items() if name not in lowest}
    while above := left.keys() - set().union(*left.values()):  # what only stands above a circle is none of it
        left = {name: used for name, used in left.items() if name not in above}
    assert {name: sorted(used & left.keys()) for name, used in left.items()} == {}


def name_of(path: Path) -> str:
    """A file as a module is called."""
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
