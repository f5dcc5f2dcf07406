"""The compiler decides by what trees, the core and types say, and not by how the text reads that it prints."""

from __future__ import annotations

import ast
from collections import Counter

from where import ROOT

COMPILER = ROOT / "interpreter/compiler"
ASKED = {
    "gate.py: re.compile": (3, "the gate lets no text run that holds more than is printed"),
    "layout.py: name.startswith": (1, "a card of a ruleset, whose ten is T, too"),
    "lower/table_names.py: re.compile": (1, "what cannot stand in a name is left out of it"),
    "made.py: re.compile": (1, "a made name is made of names and numbers"),
    "made.py: filename.startswith": (1, "the name of a file, which is made there as well"),
    "native/calls.py: str(getattr(target, '__module__', '')).startswith": (1, "of a function: its module of Python"),
    "native/machine_code.py: entry.name.endswith": (1, "the name of a file of Python"),
    "native/sources.py: lines[end - 1].startswith": (1, "a decorator in a file of the engine"),
    "native/statements.py: module.startswith": (2, "a module of Python"),
    "print_python.py: re.compile": (1, "long lines are broken, but no literals"),
}
"""Where the compiler asks how a text reads -> how often, and of what."""
METHODS = {"startswith", "endswith"}


def asked() -> Counter[str]:
    found: Counter[str] = Counter()
    for path in sorted(COMPILER.rglob("*.py")):
        name = path.relative_to(COMPILER).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.ImportFrom(module="re"):
                    found[f"{name}: from re"] += 1
                case ast.Attribute(ast.Name("re"), attr) if not attr[:1].isupper():
                    found[f"{name}: re.{attr}"] += 1
                case ast.Attribute(attr=attr) if attr in METHODS:
                    found[f"{name}: {ast.unparse(node)}"] += 1
    return found


def test_nothing_is_decided_by_how_a_text_reads() -> None:
    assert asked() == {where: often for where, (often, _) in ASKED.items()}
