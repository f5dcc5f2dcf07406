"""Every mistake in `tests/mistakes/`: what is found, where, and in which words.

Each file marks its mistakes by hand. A comment line under the bad line holds carets under the bad place and the code
(a caret in the first column is written as the '#' itself); comment lines below it may give the whole message and hint:

    extends: bsae
    #        ^^^^ E301
    # message: ...

HERE in a message stands for the folder.

Where no comment can stand, or the place is in another file, `NAME.expect` lists `FILE LINE:FIRST-LAST CODE` instead.
`# lay on: A, B` in the first line stacks files; `# a scenario` marks a file of scenarios. A file has no other findings
than those it marks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from codes import every_code
from where import TESTS

from interpreter.api.game import load
from interpreter.api.validation import validate
from interpreter.base.diagnostics import Diagnostic, Report, RulesetError, render
from interpreter.language.source import read_file
from interpreter.proofs.scenarios import parse_scenarios

FOLDER = TESTS / "mistakes"
HELPERS = ("base.yaml", "W302-first.yaml", "W302-row-first.yaml")  # nothing is wrong with them
FILES = sorted(p for p in FOLDER.glob("*.yaml") if p.name not in HELPERS)

_MARK = re.compile(r"^(#? *\^+|#) +(?P<code>[EW]\d{3})$")
_TOLD = re.compile(r"^# (?P<what>message|hint): (?P<text>.*)$")
_LISTED = re.compile(r"^(?P<file>\S+) (?P<line>\d+):(?P<first>\d+)(?:-(?P<last>\d+))? (?P<code>[EW]\d{3})$")


@dataclass(slots=True)
class Mark:
    """One finding that a file must give. told: its whole message or hint, where the file says them."""

    file: str
    line: int
    first: int
    last: int
    code: str
    told: dict[str, str] = field(default_factory=dict)

    @property
    def place(self) -> tuple[str, int, int, int, str]:
        return self.file, self.line, self.first, self.last, self.code


def marks(path: Path) -> list[Mark]:
    """What the file says is wrong with it."""
    beside = path.with_suffix(".expect")
    found: list[Mark] = []
    line = 0
    for number, text in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        mark, told = _MARK.match(text), _TOLD.match(text)
        if mark is not None:
            column = 1 if mark[1][:2] in ("#", "#^") else mark[1].index("^") + 1
            found.append(Mark(path.name, line, column, len(mark[1]), mark["code"]))
        elif told is not None:
            found[-1].told[told["what"]] = told["text"]
        else:
            line = number
    if beside.exists():
        found += _listed(beside)
    return found


def _listed(path: Path) -> list[Mark]:
    found: list[Mark] = []
    for text in path.read_text(encoding="utf-8").splitlines():
        listed = _LISTED.match(text)
        if listed is not None:
            first = int(listed["first"])
            last = int(listed["last"] or first)
            found.append(Mark(listed["file"], int(listed["line"]), first, last, listed["code"]))
        elif text.startswith(("message: ", "hint: ")):
            what, _, told = text.partition(": ")
            found[-1].told[what] = told
        else:
            assert text.startswith("#"), f"{path.name} says '{text}'"
    return found


def findings(path: Path) -> list[Diagnostic]:
    """What the interpreter finds."""
    head = path.read_text(encoding="utf-8").partition("\n")[0]
    if head == "# a scenario":
        report = Report()
        text = read_file(path, report)
        assert text is not None
        parse_scenarios(text, str(path), report)
        return report.sorted()
    if not head.startswith("# lay on: "):
        return validate(path)
    base, *laid = (FOLDER / name for name in head.removeprefix("# lay on: ").split(", "))
    try:
        return list(load(base, laid).warnings)
    except RulesetError as error:
        return error.diagnostics


def place(found: Diagnostic) -> tuple[str, int, int, int, str]:
    column = found.column or 0
    return Path(found.file).name, found.line or 0, column, column + found.length - 1, found.code


def printed(found: list[Diagnostic]) -> str:
    texts = {d.file: Path(d.file).read_text(encoding="utf-8") for d in found}
    return "\n".join(render(d, texts[d.file]) for d in found)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_mistake(path: Path) -> None:
    found, expected = findings(path), marks(path)
    assert expected, "the file marks nothing"
    assert sorted(map(place, found)) == sorted(mark.place for mark in expected), printed(found)
    for mark in expected:
        said = [d for d in found if place(d) == mark.place]
        for what, text in mark.told.items():
            assert text.replace("HERE", str(FOLDER)) in [getattr(d, what) for d in said], printed(said)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_is_named_after_its_code(path: Path) -> None:
    assert path.stem.split("-")[0] in {mark.code for mark in marks(path)}


def test_there_are_as_many_as_promised() -> None:
    assert len(FILES) >= 150


def test_helpers_are_right() -> None:
    assert validate(FOLDER / "base.yaml") == []


def test_every_code_has_a_file() -> None:
    """E101, E102, E103, E112 and E207 cannot be shown with a comment in the file: test_bad_input.py has them; E901
    cannot be shown in a file at all: compiler/test_gate.py has it."""
    elsewhere = {"E101", "E102", "E103", "E112", "E207", "E901"}
    shown = {path.stem.split("-")[0] for path in FILES}
    assert set(every_code()) - shown == elsewhere
