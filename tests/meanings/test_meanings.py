"""What random expressions come to is what they mean by the reference: `python -m tests.meanings` tries more of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.meanings.comparing import AGREES
from tests.meanings.running import Tally, tried

SEEDS = range(12)


@pytest.mark.filterwarnings("error::SyntaxWarning")
@pytest.mark.parametrize("seed", SEEDS)
def test_expressions_come_to_what_they_mean(seed: int, tmp_path: Path) -> None:
    tally = Tally()
    tried(seed, tmp_path, tally)
    assert not tally.differ, "\n".join(tally.differ)
    assert tally.answers[AGREES] > 300 > 3 * tally.answers["unclear"], tally.told()
