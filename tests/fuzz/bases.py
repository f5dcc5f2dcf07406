"""What is right: the rulesets, overlays, scenarios and records that cases are made from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import interpreter
from fuzz.places import Tree
from interpreter.base.diagnostics import Report
from interpreter.base.resources import find
from interpreter.language.overlay import resolve
from interpreter.language.source import parse_text, to_plain

TESTS = Path(__file__).parent.parent
SMALL = ("semantics/rulesets", "semantics/cards/rulesets")


@dataclass(frozen=True)
class Base:
    """A ruleset that is right. tree: complete, whatever it extends; shipped: whether it comes with the program."""

    name: str
    tree: Tree
    shipped: bool = False
    heavy: bool = False


@cache
def bases() -> tuple[Base, ...]:
    """Every ruleset that this interpreter finds nothing wrong with, in a fixed order."""
    files = [(path, False) for folder in SMALL for path in sorted((TESTS / folder).glob("*.yaml"))]
    files += [(TESTS / "mistakes" / "base.yaml", False)]
    files += [(path, False) for path in sorted((TESTS / "fuzz" / "rulesets").glob("*.yaml"))]
    files += [(path, True) for path in sorted(find("rulesets").glob("*.yaml"))]
    found = []
    for path, shipped in files:
        report = Report()
        resolved = resolve(str(path), report)
        if resolved is None or report.failed:
            continue
        tree = _anywhere(to_plain(resolved.node))
        found.append(Base(path.stem, tree, shipped, shipped))
    return tuple(found)


def _anywhere(tree: Tree) -> Tree:
    """A ruleset whose variants name other rulesets by id, so that it can lie in any folder."""
    variants = {
        name: {**said, "ruleset": str(said["ruleset"]).removesuffix(".yaml")} if "ruleset" in (said or {}) else said
        for name, said in tree.get("variants", {}).items()
    }
    return {**tree, "variants": variants} if variants else tree


@cache
def weights() -> tuple[int, ...]:
    """How often each is taken: those that are quick to check far more often."""
    return tuple(1 if base.shipped else 4 if base.heavy else 12 for base in bases())


@cache
def overlays() -> tuple[tuple[str, Tree, str], ...]:
    """Overlays as trees: their name, what they say, and the shipped ruleset or test base that they change."""
    known = {base.name for base in bases() if base.shipped}
    found: list[tuple[str, Tree, str]] = []
    files = [*sorted((TESTS / "scenarios" / "overlays").rglob("*.yaml"))]
    for path in files:
        tree = _plain(path.read_text("utf-8"))
        if isinstance(tree, dict) and tree.get("extends") in known:
            found.append((path.stem, tree, str(tree["extends"])))
    book = find("rulesets") / "README.md"
    if book.is_file():
        for number, text in enumerate(re.findall(r"^```yaml\n(.*?)^```", book.read_text("utf-8"), re.M | re.S)):
            tree = _plain(text)
            if isinstance(tree, dict) and tree.get("extends") in known and "game" not in tree:
                found.append((f"recipe-{number}", tree, str(tree["extends"])))
    return tuple(found)


@cache
def scenarios() -> tuple[Tree, ...]:
    """Scenarios of shipped rulesets, one tree each."""
    known = {base.name for base in bases() if base.shipped}
    found = []
    for path in sorted((TESTS / "scenarios").rglob("*.yaml")):
        text = path.read_text("utf-8")
        tree = _plain(text)
        listed = tree if isinstance(tree, list) else tree.get("scenarios", []) if isinstance(tree, dict) else []
        found += [one for one in listed if isinstance(one, dict) and str(one.get("game")) in known and "steps" in one]
    return tuple(found)


def _plain(text: str) -> Tree:
    report = Report()
    node = parse_text(text, "base", report)
    return None if node is None else to_plain(node)


@cache
def program_words(name: str) -> tuple[str, ...]:
    """The words of the program that a base becomes: what its names could be mistaken for."""
    base = next(base for base in bases() if base.name == name)
    report = Report()
    from fuzz.writing import yaml

    node = parse_text(yaml(base.tree), "base.yaml", report)
    try:
        text = interpreter.load(node).game().program.text  # type: ignore[arg-type]
    except ValueError:
        return ()
    return tuple(sorted(set(re.findall(r"(?<![\w·])[A-Za-z_][A-Za-z0-9_]*(?![\w·])", text))))
