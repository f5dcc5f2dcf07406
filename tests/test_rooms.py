"""A file of `interpreter/` fits in one head, and so does a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent / "interpreter"
LONGEST_FILE, LONGEST_FUNCTION = 500, 80
"""Lines. Those of a function count from `def` to its end."""
LONGER_FILES = {
    "engine/honor.py": 556,
    "engine/machine.py": 675,
    "engine/transfers.py": 688,
}
LONGER_FUNCTIONS: dict[str, int] = {}
"""What is longer still, and how long it may be: it can only shrink, and leaves this list when it is short enough."""


def lengths_of_files() -> dict[str, int]:
    found = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in sorted(ROOT.rglob("*.py"))}
    return {name: len(text.splitlines()) for name, text in found.items()}


def lengths_of_functions() -> dict[str, int]:
    """The lines of the longest function of each name, by "FILE::CLASS.FUNCTION"."""
    found: dict[str, int] = {}
    for path in sorted(ROOT.rglob("*.py")):
        for name, length in functions(ast.parse(path.read_text("utf-8")), ""):
            key = f"{path.relative_to(ROOT)}::{name}"
            found[key] = max(length, found.get(key, 0))
    return found


def functions(node: ast.AST, within: str) -> Iterator[tuple[str, int]]:
    for inner in ast.iter_child_nodes(node):
        name = within
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{within}.{inner.name}".lstrip(".")
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
            assert inner.end_lineno is not None
            yield name, inner.end_lineno - inner.lineno + 1
        yield from functions(inner, name)


def faults(lengths: dict[str, int], most: int, longer: dict[str, int]) -> list[str]:
    """What is longer than it may be, and what is in the list of exceptions without need."""
    found = []
    for name, length in lengths.items():
        if length > longer.get(name, most):
            found.append(f"{name} has {length} lines, and {longer.get(name, most)} are allowed: part it by concept")
    for name in longer:
        if lengths.get(name, 0) <= most:
            found.append(f"{name} is no exception any more: take it out of the list")
    return found


def test_a_file_fits_in_one_head() -> None:
    assert faults(lengths_of_files(), LONGEST_FILE, LONGER_FILES) == []


def test_a_function_fits_on_a_screen() -> None:
    assert faults(lengths_of_functions(), LONGEST_FUNCTION, LONGER_FUNCTIONS) == []


def test_only_the_engine_has_longer_rooms() -> None:
    assert {name.split("/")[0] for name in (*LONGER_FILES, *LONGER_FUNCTIONS)} <= {"engine"}


def test_an_exception_can_only_shrink() -> None:
    longer = {"a.py": 600, "b.py": 600, "c.py": 600, "d.py": 600}
    assert faults({"a.py": 601, "b.py": 599, "c.py": 500, "e.py": 501, "f.py": 500}, 500, longer) == [
        "a.py has 601 lines, and 600 are allowed: part it by concept",
        "e.py has 501 lines, and 500 are allowed: part it by concept",
        "c.py is no exception any more: take it out of the list",
        "d.py is no exception any more: take it out of the list",
    ]


def test_functions_are_found_within_classes_and_functions() -> None:
    text = "class A:\n    @staticmethod\n    def b():\n        if 1:\n            async def c():\n                x\n"
    assert dict(functions(ast.parse(text), "")) == {"A.b": 4, "A.b.c": 2}
