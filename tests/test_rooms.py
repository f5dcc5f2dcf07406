"""A file of `interpreter/` fits in one head, and so does a function, in Python and in JavaScript."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent / "interpreter"
LONGEST_FILE, LONGEST_FUNCTION = 500, 80
"""Lines. Those of a function count from `def` to its end."""
_SCRIPTED = re.compile(
    r"^( *)(?:export )?(?:async )?"
    r"(?:function (\w+)\(.*\)|(?:static |get |set )?(?!(?:if|for|while|switch|catch)\b)(\w+)\(.*\)|"
    r"const (\w+) = (?:async )?(?:\(.*\)|\w+) =>) \{$"
)
"""The first line of a function in JavaScript, whose last one stands as far in."""


def lengths_of_files() -> dict[str, int]:
    paths = sorted([*ROOT.rglob("*.py"), *ROOT.rglob("*.js")])
    found = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in paths}
    return {name: len(text.splitlines()) for name, text in found.items()}


def lengths_of_functions() -> dict[str, int]:
    """The lines of the longest function of each name, by "FILE::CLASS.FUNCTION"."""
    found: dict[str, int] = {}
    for path in sorted(ROOT.rglob("*.py")):
        for name, length in functions(ast.parse(path.read_text("utf-8")), ""):
            key = f"{path.relative_to(ROOT)}::{name}"
            found[key] = max(length, found.get(key, 0))
    for path in sorted(ROOT.rglob("*.js")):
        for name, length in scripted(path.read_text("utf-8")):
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


def scripted(text: str) -> Iterator[tuple[str, int]]:
    """The functions of a text in JavaScript, as it is laid out here: name, lines."""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if begins := _SCRIPTED.match(line):
            ends = re.compile(rf"{begins[1]}\}}[;,)]*$")
            last = next(number for number in range(at + 1, len(lines)) if ends.match(lines[number]))
            yield next(filter(None, begins.groups()[1:])), last - at + 1


def faults(lengths: dict[str, int], most: int) -> list[str]:
    """What is longer than it may be."""
    return [
        f"{name} has {length} lines, and {most} are allowed: part it by concept"
        for name, length in lengths.items()
        if length > most
    ]


def test_a_file_fits_in_one_head() -> None:
    assert faults(lengths_of_files(), LONGEST_FILE) == []


def test_a_function_fits_on_a_screen() -> None:
    assert faults(lengths_of_functions(), LONGEST_FUNCTION) == []


def test_what_is_longer_is_told() -> None:
    assert faults({"a.py": 501, "b.py": 500}, 500) == ["a.py has 501 lines, and 500 are allowed: part it by concept"]


def test_functions_are_found_within_classes_and_functions() -> None:
    text = "class A:\n    @staticmethod\n    def b():\n        if 1:\n            async def c():\n                x\n"
    assert dict(functions(ast.parse(text), "")) == {"A.b": 4, "A.b.c": 2}


def test_functions_are_found_in_javascript() -> None:
    text = """\
export async function a(one) {
  const b = (two) => {
    if (two) {
      three();
    }
  };
}

class C {
  get d() {
    return 1;
  }

  async e(f = {}) {
    for (const g of f) {
    }
  }
}
"""
    assert list(scripted(text)) == [("a", 7), ("b", 5), ("d", 3), ("e", 4)]


def test_the_page_is_read() -> None:
    found = lengths_of_functions()
    assert {name.rpartition("::")[2] for name in found if ".js::" in name} >= {"lobby", "draw", "see", "label"}
    assert any(name.endswith(".js") for name in lengths_of_files())
