"""Parquet beside the CSV of kept matches: the same rows. Needs the extra `data`."""

from __future__ import annotations

import csv
from pathlib import Path

import pyarrow.parquet
import pytest

import interpreter
from interpreter.analysis import kept_matches
from interpreter.analysis.kept_matches import Folder
from interpreter.analysis.plan import Plan, Players
from interpreter.analysis.simulation import run


@pytest.mark.parametrize("by_deal", [False, True])
def test_parquet_holds_the_rows_of_the_csv(tmp_path: Path, by_deal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_matches, "PART", 4)
    game = interpreter.load("hearts").game(options={"target": 20})
    plan = Plan(game, 1, None, 1_000, Players(("medium", "random", "random", "random")), by_deal)
    for games in (6, 7):  # the second time the rows of the last part have been read from its CSV
        run(plan, games, folder=Folder(tmp_path, plan, parquet=True))
    for number in (0, 1):
        with (tmp_path / f"part-0000{number}.csv").open() as file:
            rows = list(csv.DictReader(file))
        found = pyarrow.parquet.read_table(tmp_path / f"part-0000{number}.parquet").to_pylist()
        assert [{name: str(value) for name, value in row.items()} for row in found] == rows
        assert type(found[0]["score_P1"]) is int and found[0]["level_P1"] in ("medium", "easy")
