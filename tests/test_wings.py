"""The folders of `interpreter/` are a row of wings: each uses those before it, and none that comes after."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent / "interpreter"
WINGS = (
    "base", "language", "engine", "compiler", "api", "players", "rulebook", "words", "proofs", "analysis", "interfaces",
)  # fmt: skip
ABOVE = {"__init__.py", "__main__.py"}
"""What stands outside the row: where everything begins."""
EXCEPTIONS = {
    ("engine/start.py", "api"): "a type alone: a state says which game it is a match of",
    ("engine/table.py", "api"): "a type alone: a table says which game is played on it",
}
"""Imports that go up, and why."""
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


def imports(path: Path) -> Iterator[str]:
    """The modules of this package that a file imports: at its head, inside functions, and for types alone."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: names its neighbours in full"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def test_everything_stands_in_a_wing() -> None:
    found = {path.name for path in ROOT.iterdir() if path.name not in ("__pycache__", "py.typed")}
    assert found == {*WINGS, *ABOVE}


def test_a_wing_uses_those_before_it() -> None:
    wrong = []
    used = set()
    for at, wing in enumerate(WINGS):
        for path in sorted((ROOT / wing).rglob("*.py")):
            here = str(path.relative_to(ROOT))
            for name in imports(path):
                package, _, rest = name.partition(".")
                there = rest.partition(".")[0]
                if package != "interpreter" or there in WINGS[: at + 1]:
                    continue
                if (here, there) in EXCEPTIONS:
                    used.add((here, there))
                else:
                    wrong.append(f"{here} imports {name}")
    assert not wrong
    assert used == set(EXCEPTIONS), "an exception that nobody needs"


def test_a_name_says_which_file_it_is() -> None:
    found: dict[str, list[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        found.setdefault(path.name, []).append(str(path.relative_to(ROOT)))
    assert {name: paths for name, paths in found.items() if len(paths) > 1 and name not in ALIKE} == {}
    assert {name for name, paths in found.items() if len(paths) > 1} == set(ALIKE)
