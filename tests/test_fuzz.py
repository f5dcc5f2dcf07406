"""A slice of `python -m tests.fuzz`: a thousand changed rulesets, overlays, scenarios and records, and what they are asked."""

from __future__ import annotations

import json
import multiprocessing
from pathlib import Path
from typing import Any

import pytest
from fuzz import judging
from fuzz.bases import bases
from fuzz.judging import KINDS, Case, Verdict
from fuzz.running import Tally, try_case, verdicts
from fuzz.watching import Watch, guard, watched

CASES = 1_000
PARTS = 20
SEED = 13


@pytest.mark.parametrize("part", range(PARTS))
def test_changed_rulesets_are_answered_and_keep_what_is_promised(part: int) -> None:
    size = CASES // PARTS
    tally = Tally()
    for verdict in verdicts(SEED, range(part * size, part * size + size), 0.25, jobs=1):
        tally.add(verdict)
    assert tally.cases == size
    told = [f"case {tally.first[name].number}, {name}: {tally.first[name].findings[name]}" for name in tally.findings]
    assert not told, "\n".join(told)
