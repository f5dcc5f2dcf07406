"""The engine knows no game by name, and no word that only some game uses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from walks import SHIPPED

ROOT = Path(__file__).parent.parent / "interpreter"
ENGINE = sorted(ROOT.rglob("*.py"))
SUIT_NAMES = {"hearts", "spades", "clubs", "diamonds"}
"""Words of every pack of cards, and by chance of some games."""
WORDS = """
razz bower bowers euchre euchred euchres switchback spoon spoons sandbag sandbags moon pig pigs tongue crazy eights
slapjack speed snip snap yaniv rummy gin canasta nertz blitz whist bridge poker tarot durak
""".split()
COMMON = {"snap", "speed", "bridge", "crazy", "eights"}
"""Ordinary English besides."""
FORBIDDEN = sorted({*SHIPPED, *WORDS} - SUIT_NAMES - COMMON)


def test_there_is_an_engine_to_search():
    assert len(ENGINE) > 30


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_game_is_named(path):
    pattern = re.compile(rf"(?<![A-Za-z])({'|'.join(FORBIDDEN)})(?![A-Za-z])", re.IGNORECASE)
    found = [
        f"{path.name}:{number}: {line.strip()}"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if pattern.search(line)
    ]
    assert not found


def test_no_ruleset_is_asked_for():
    """`load("hearts")` appears in the first lines a user reads, and nowhere else."""
    asked = re.compile(rf"""load\(["']({"|".join(SHIPPED)})["']\)""")
    for path in ENGINE:
        text = path.read_text(encoding="utf-8")
        if path.name == "__init__.py" and path.parent.name == "interpreter":
            text = text.split('"""', 2)[2]
        assert not asked.search(text), path
