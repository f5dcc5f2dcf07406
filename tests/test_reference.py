"""The language reference: every example in it runs, and nothing of the language is missing from it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from pathlib import Path
from textwrap import indent
from typing import Any, get_args

import pytest
from codes import every_code
from lark import Tree

from interpreter.api.game import load
from interpreter.api.settled import Enforcement
from interpreter.api.validation import validate
from interpreter.base.diagnostics import Report, RulesetError
from interpreter.base.resources import find
from interpreter.language import parser
from interpreter.language.check.functions import ASKED
from interpreter.language.check.references import RESERVED
from interpreter.language.check.reserved import INSTEAD
from interpreter.language.keywords import KEYWORDS
from interpreter.proofs.scenario_runner import run_scenario
from interpreter.proofs.scenarios import parse_scenarios
from interpreter.rulebook.book import texts
from interpreter.rulebook.chapters import book

REFERENCE = Path(find("grammar/README.md"))
_BLOCK = re.compile(r"^```(?P<kind>[a-z ]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
KINDS = ("yaml ruleset", "yaml", "yaml scenario", "expression", "effect", "yaml whole", "words")


@dataclass(frozen=True, slots=True)
class Example:
    """One block of code. before: the change that stands before a scenario, "" if there is none."""

    kind: str
    text: str
    line: int
    before: str


@cache
def reference() -> str:
    return REFERENCE.read_text(encoding="utf-8")


@cache
def examples() -> tuple[Example, ...]:
    found, before = [], ""
    for block in _BLOCK.finditer(reference()):
        line = reference()[: block.start()].count("\n") + 2
        found.append(Example(block["kind"], block["text"], line, before))
        if block["kind"] == "yaml":
            before = block["text"]
    return tuple(found)


def params(*kinds: str) -> list[Any]:
    return [pytest.param(e, id=f"line {e.line}") for e in examples() if e.kind in kinds]


def overlay(text: str) -> str:
    return f"format: 1\nid: example\nextends: practice\n{text}"


def as_actions(example: Example) -> str:
    """Each line of expressions or effects as an action of a player with a card."""
    actions = []
    for number, line in enumerate(example.text.splitlines()):
        if example.kind == "expression":
            quoted = "{" + line.replace("'", "''") + "}"
            body = f"effect: note \"\"\nmust: {{told: {{law: true, message: '{quoted}'}}}}"
        else:
            body = f"effect: |\n  {line}"
        actions.append(f"example_{number}:\n  choose: {{card: {{from: hand}}}}\n{indent(body, '  ')}")
    return "flow:\n  shedding:\n    actions:\n" + indent("\n".join(actions), "      ")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with Practice in it."""
    (practice,) = (e for e in examples() if e.kind == "yaml ruleset")
    (tmp_path / "practice.yaml").write_text(practice.text, encoding="utf-8")
    return tmp_path


def check(path: Path) -> None:
    """A ruleset without errors, which can be told, and of which a match can be begun for each number of players, strict
    and on honour by turns: `validate` makes it both ways for fewest and most."""
    said = [str(d) for d in validate(path) if d.severity == "error"]
    assert not said, "\n".join(said)
    ruleset = load(path)
    for players, enforcement in zip(ruleset.players.counts, cycle(get_args(Enforcement)), strict=False):
        ruleset.game(players, enforcement=enforcement).start(seed=1)
    assert list(texts(book(ruleset.game()).sections))


def test_kinds() -> None:
    assert {e.kind for e in examples()} <= set(KINDS)


def test_practice(folder: Path) -> None:
    path = folder / "practice.yaml"
    assert validate(path) == []
    playouts = load(path).game().playouts(20, seed=1)
    assert playouts.unfinished == 0


@pytest.mark.parametrize("example", params("yaml"))
def test_change(example: Example, folder: Path) -> None:
    path = folder / "example.yaml"
    path.write_text(overlay(example.text), encoding="utf-8")
    check(path)


@pytest.mark.parametrize("example", params("expression", "effect"))
def test_lines(example: Example, folder: Path) -> None:
    path = folder / "example.yaml"
    path.write_text(overlay(as_actions(example)), encoding="utf-8")
    check(path)


@pytest.mark.parametrize("example", params("yaml whole"))
def test_whole_file(example: Example, folder: Path) -> None:
    path = folder / "whole.yaml"
    path.write_text(example.text, encoding="utf-8")
    check(path)


@pytest.mark.parametrize("example", params("yaml scenario"))
def test_scenario(example: Example, folder: Path) -> None:
    (folder / "example.yaml").write_text(overlay(example.before), encoding="utf-8")
    report = Report()
    found = parse_scenarios(example.text, str(folder / "scenario.yaml"), report)
    assert not report.diagnostics, [str(d) for d in report.diagnostics]
    for scenario in found:
        outcome = run_scenario(scenario)
        assert outcome.passed, outcome.report()


def test_the_words_that_name_nothing_are_listed() -> None:
    words, before_of = (set(e.text.split()) for e in examples() if e.kind == "words")
    assert words == KEYWORDS | RESERVED
    assert before_of == {word for word in ASKED - KEYWORDS - RESERVED if " " not in word}


def test_the_names_to_take_instead_are_those_that_are_proposed() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    table = text[text.index("| if the name should be | write |") :].split("\n\n")[0]
    rows = [[re.findall(r"`(\w+)`", cell) for cell in line.split(" | ")] for line in table.splitlines()[2:]]
    assert {word: name for words, names in rows for word, name in zip(words, names, strict=True)} == INSTEAD


# ---- nothing is missing --------------------------------------------------------------------------------


def test_every_rule_of_the_grammar_has_an_example(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each rule of effects.lark is used by an example of a change, a line or Practice itself."""
    real, used = parser._parser(), set[str]()

    class Recorder:
        def parse(self, text: str, start: str) -> Tree[Any]:
            tree = real.parse(text, start=start)
            used.update(str(inner.data) for inner in tree.iter_subtrees())
            return tree

    monkeypatch.setattr(parser, "_parser", Recorder)
    monkeypatch.setattr(parser, "_quick", lambda: None)
    monkeypatch.setattr("interpreter.api.rules._lately", {})  # what was loaded before is read again
    for example in examples():
        path = folder / "example.yaml"
        if example.kind in ("yaml", "expression", "effect"):
            text = example.text if example.kind == "yaml" else as_actions(example)
            path.write_text(overlay(text), encoding="utf-8")
            with suppress(RulesetError):
                load(path)
    rules = set()
    for rule in real.rules:
        name = str(rule.alias or rule.origin.name)
        kept = [symbol for symbol in rule.expansion if not getattr(symbol, "filter_out", False)]
        inlined = rule.alias is None and rule.options.expand1 and len(kept) == 1
        if not inlined and not name.startswith("_"):
            rules.add(name)
    assert rules - used == set()


@pytest.mark.parametrize("kind", ["turn", "trick", "ask", "simultaneous", "race", "claims", "effect", "score"])
def test_every_kind_of_stage_has_an_example(kind: str) -> None:
    written = "".join(e.text for e in examples() if e.kind.startswith("yaml"))
    assert kind == "effect" or f"kind: {kind}" in written
    assert f"`{kind}`" in reference()


def keys(schema: Any) -> Iterator[str]:
    """Every key that a schema gives a name."""
    if isinstance(schema, list):
        for item in schema:
            yield from keys(item)
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield from schema["properties"]
        for item in schema.values():
            yield from keys(item)


@pytest.mark.parametrize("name", ["ruleset", "scenario"])
def test_every_key_is_told(name: str) -> None:
    schema = json.loads(Path(find(f"schema/{name}.schema.json")).read_text(encoding="utf-8"))
    told = {word for code in re.findall(r"`([^`\n]+)`", reference()) for word in re.split(r"[{}:,\[\]()]\s*", code)}
    told = {word.strip() for word in told}
    assert sorted(set(keys(schema)) - told) == []


def test_every_code_has_a_paragraph() -> None:
    told = re.findall(r"^\* \*\*([EW]\d{3})\*\*", reference(), re.MULTILINE)
    assert sorted(told) == sorted(every_code())
    assert told == sorted(told)


def test_links_lead_somewhere() -> None:
    """Headings become anchors as GitHub makes them."""
    heads = re.findall(r"^## (.+)$", reference(), re.MULTILINE)
    anchors = {re.sub(r"[^a-z0-9 -]", "", head.lower()).replace(" ", "-") for head in heads}
    assert set(re.findall(r"\]\(#([^)]+)\)", reference())) <= anchors
    for link in re.findall(r"\]\(([^)#]+)\)", reference()):
        assert (REFERENCE.parent / link).exists(), link


def test_sections_that_are_named_exist() -> None:
    heads = re.findall(r"^## (\d+)\. ", reference(), re.MULTILINE)
    assert heads == [str(n) for n in range(1, len(heads) + 1)]
    named = re.findall(r"[Ss]ections? (\d+)(?: and (\d+))?", reference())
    assert {n for pair in named for n in pair if n} <= set(heads)


def test_a_broken_example_is_found(folder: Path) -> None:
    """The tests above would notice: a line that does not check fails."""
    path = folder / "example.yaml"
    path.write_text(overlay(as_actions(Example("expression", "score of nobody\n", 1, ""))), encoding="utf-8")
    with pytest.raises(AssertionError, match="nobody"):
        check(path)
    with pytest.raises(RulesetError):
        load(path)
