"""Broken input of every kind, made from what is right: rulesets, overlays, scenarios, records, and random text.

A case is fixed by its number and the seed, so that a finding can be made again alone.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import interpreter
from interpreter.playouts import play_randomly
from interpreter.run.chance import Dice
from interpreter.scenarios import scenario_files

TESTS = Path(__file__).parent.parent
ROOT = TESTS.parent
KINDS = ("ruleset", "overlay", "scenario", "record", "text")
WEIGHTS = (2, 4, 6, 5, 3)
STRANGE = (
    "\x00", "\t", "\r", "\u2028", "\ufeff", "\ud7ff", "🂡", "é", "٣", "²", "&a", "*a", "!!python/object:os.system",
    "%YAML 1.1",
    "{", "}", "[", "]", "{}", "[]", "null", "~", "on", "off", "yes", "1e9", "0x10", "-1", "9" * 40, "1.5", "''", '"',
    "|", ">", "- ", ": ", "? ", "<<: ", "#", "...", "---", "replace: true", "before: deal", "extends: hearts",
    "extends: ../../etc/passwd", "repeat: deal", "effect: stay",
    "if", "then", "else", "end", "for", "in", "do", "of", "all", "any", "count", "sum",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """One input. base: of an overlay, the ruleset that it is laid on."""

    number: int
    kind: str
    text: str
    base: str = ""


def case(seed: int, number: int) -> Case:
    """The case of that number."""
    dice = random.Random(f"{seed} {number}")
    kind = dice.choices(KINDS, WEIGHTS)[0]
    if kind == "text":
        return Case(number, kind, _random_text(dice))
    text, base = dice.choice(_sources(kind))
    for _ in range(dice.choice((1, 1, 1, 2, 3, 6))):
        text = dice.choice(EDITS)(text, dice)
    return Case(number, kind, text[:200_000], base)


# ---- what is right ----------------------------------------------------------------------------------------------


@cache
def _sources(kind: str) -> list[tuple[str, str]]:
    """Texts to change, each with its base."""
    if kind == "ruleset":
        files = [*ROOT.glob("rulesets/*.yaml"), *TESTS.glob("outlines/*.yaml"), *[TESTS / "mistakes/base.yaml"] * 6]
        return [(file.read_text("utf-8"), "") for file in sorted(files)]
    if kind == "overlay":
        return _overlays()
    if kind == "scenario":
        folders = [
            folder for folder in sorted(TESTS.glob("scenarios/*")) if (ROOT / f"rulesets/{folder.name}.yaml").exists()
        ]
        texts = [file.read_text("utf-8") for file in scenario_files(folders)]
        return [
            (one, "")
            for text in texts
            for one in re.split(r"^(?=- game:)", text, flags=re.MULTILINE)
            if "steps:" in one
        ]
    return [(record, "") for record in _records()]


def _overlays() -> list[tuple[str, str]]:
    """Those of the mistakes, without their mistake or with it, and small ones of our own."""
    found = [(file.read_text("utf-8"), "base") for file in sorted(TESTS.glob("mistakes/*.yaml"))]
    found = [(text, base) for text, base in found if "extends: base" in text]
    own = [
        "format: 1\nid: mine\nextends: hearts\noptions: {target: {default: 75}}\nvalues: {points: {JD: -10}}\n"
        "flow:\n  tricks: {follow: {must: {no_points_first: null}}}\n",
        "format: 1\nid: mine\nextends: hearts\nflow:\n"
        "  toast: {kind: ask, actions: {drink: {effect: stay}}, before: count}\n",
        "format: 1\nid: mine\nextends: pig\noptions: {lives: {default: 3}}\nflow: {beat: {actions: {relay: null}}}\n",
    ]
    return found + [(text, "shipped") for text in own for _ in range(10)]


@cache
def _records() -> list[str]:
    found = []
    for entry in sorted(ROOT.glob("rulesets/*.yaml")):
        ruleset = interpreter.load(entry.stem)
        for enforcement in ("strict", "honor") if ruleset.model.honor is not None else ("strict",):
            state = ruleset.game(enforcement=enforcement).start(seed=5)
            play_randomly(state, Dice(6), 40)
            found.append(state.record())
    return found


# ---- edits ------------------------------------------------------------------------------------------------------

_WORD = re.compile(r"[A-Za-z_]\w*|\d+|[^\w\s]")


@cache
def _words() -> list[str]:
    """Words of all that is right, so that a wrong one is often a word that could stand somewhere."""
    texts = [text for kind in KINDS[:3] for text, _ in _sources(kind)]
    return sorted({word for text in texts for word in _WORD.findall(text)})


def _place(text: str, dice: random.Random) -> re.Match[str] | None:
    found = list(_WORD.finditer(text))
    return dice.choice(found) if found else None


def _other_word(text: str, dice: random.Random) -> str:
    at = _place(text, dice)
    return text if at is None else text[: at.start()] + dice.choice(_words()) + text[at.end() :]


def _misspelt(text: str, dice: random.Random) -> str:
    at = _place(text, dice)
    if at is None or len(at[0]) < 3:
        return text
    cut = at.start() + dice.randrange(len(at[0]) - 1)
    return text[:cut] + text[cut + 1] + text[cut] + text[cut + 2 :]


def _without_word(text: str, dice: random.Random) -> str:
    at = _place(text, dice)
    return text if at is None else text[: at.start()] + text[at.end() :]


def _strange(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text) + 1)
    return text[:at] + dice.choice(STRANGE) + text[at:]


def _number(text: str, dice: random.Random) -> str:
    found = list(re.finditer(r"\d+", text))
    if not found:
        return text
    at = dice.choice(found)
    other = dice.choice(("0", "-1", "1", "2", "3.5", "99", "1000000", "9" * 19, str(int(at[0][:18]) + 1)))
    return text[: at.start()] + other + text[at.end() :]


def _lines(text: str, dice: random.Random) -> str:
    """A line dropped, doubled, moved, or set in or out."""
    lines = text.split("\n")
    at = dice.randrange(len(lines))
    match dice.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case 2:
            lines.insert(dice.randrange(len(lines)), lines.pop(at))
        case 3:
            lines[at] = " " * dice.randrange(1, 5) + lines[at]
        case _:
            lines[at] = lines[at][dice.randrange(1, 5) :]
    return "\n".join(lines)


def _cut(text: str, dice: random.Random) -> str:
    return text[: dice.randrange(len(text) + 1)]


def _again(text: str, dice: random.Random) -> str:
    """A piece many times over."""
    start = dice.randrange(len(text) + 1)
    piece = text[start : start + dice.randrange(1, 40)]
    return text[:start] + piece * dice.choice((2, 10, 500)) + text[start:]


EDITS: tuple[Callable[[str, random.Random], str], ...] = (
    _other_word, _other_word, _misspelt, _without_word, _strange, _number, _number, _lines, _lines, _cut, _again,
)  # fmt: skip


def _random_text(dice: random.Random) -> str:
    words = [*_words(), *STRANGE]
    signs = "".join(
        chr(dice.choice((dice.randrange(32, 127), dice.randrange(0x2FFF)))) for _ in range(dice.randrange(60))
    )
    mixed = dice.choice((" ", "", "\n")).join(dice.choice(words) for _ in range(dice.randrange(80)))
    nested = dice.choice("[{(-:") * dice.choice((1, 100, 5000))
    return dice.choice((signs, mixed, mixed + signs, nested, nested + mixed))
