"""A slice of `python -m tests.fuzz --cases 100000`: broken input gets an answer in time and touches nothing."""

from __future__ import annotations

import multiprocessing

import pytest
from fuzz.cases import KINDS, case
from fuzz.trying import attempt, guard

SLICE = 40
PARTS = 6


def _tried(numbers: range, folder: str) -> list[str]:
    """In a process of its own: the bound of memory and the watch over files are for good."""
    from pathlib import Path

    guard()
    found = [(number, attempt(case(0, number), Path(folder))) for number in numbers]
    return [f"case {number}: {wrong}" for number, wrong in found if wrong]


@pytest.mark.parametrize("part", range(PARTS))
def test_broken_input_is_answered(part: int, tmp_path) -> None:
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(_tried, (range(part * SLICE, part * SLICE + SLICE), str(tmp_path))) == []


def test_the_slice_has_cases_of_every_kind_and_a_case_is_fixed_by_its_number() -> None:
    cases = [case(0, number) for number in range(SLICE * PARTS)]
    assert {one.kind for one in cases} == set(KINDS)
    assert cases[7] == case(0, 7) and cases[7] != case(1, 7)


def test_what_is_wrong_is_noticed(tmp_path, monkeypatch) -> None:
    """Crashes, files that are touched, and answers that take too long."""
    from fuzz import trying

    def crash(one, path) -> str:
        raise KeyError("crash")

    def touch(one, path) -> str:
        (tmp_path / "new").write_text("")
        return ""

    monkeypatch.setattr(trying, "_answer", crash)
    assert "KeyError: 'crash'" in attempt(case(0, 1), tmp_path)
    monkeypatch.setattr(trying, "_answer", touch)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert any("opened to be written" in line for line in pool.apply(_tried, (range(1), str(tmp_path))))
    monkeypatch.setattr(trying, "SECONDS", 0.01)
    monkeypatch.setattr(trying, "_answer", lambda one, path: "".join(str(n) for n in range(10**8)))
    assert "no answer after" in attempt(case(0, 1), tmp_path)
