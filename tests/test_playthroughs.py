"""Each transcript in tests/playthroughs is told again from its header and moves, and must come out the same.

`python -m tests.playthroughs.regenerate` writes them anew after an intended change; read the difference.
"""

from __future__ import annotations

import pytest
from transcript import FOLDER, read, told_again
from walks import ENFORCEMENTS, SHIPPED

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthrough(path):
    expected = path.read_text(encoding="utf-8")
    found = told_again(expected)
    lines = zip(expected.splitlines(), found.splitlines(), strict=False)
    for number, (was, now) in enumerate(lines, start=1):
        assert now == was, f"{path.name}:{number}"
    assert len(found.splitlines()) == len(expected.splitlines())


@pytest.mark.parametrize("name", SHIPPED)
def test_every_ruleset_has_a_playthrough_on_both_ways_to_play_and_one_to_its_end(name):
    texts = [path.read_text(encoding="utf-8") for path in FILES]
    own = [text for text in texts if read(text)[0].ruleset == name]
    assert {read(text)[0].enforcement for text in own} == set(ENFORCEMENTS)
    assert any(text.rpartition("\n-- over\n")[1] for text in own)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_is_not_too_long_to_be_read(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < 900
