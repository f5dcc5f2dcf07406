"""The page of a comparison: charts that fetch nothing and quote nobody's markup. Needs the extra `charts`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import interpreter
from interpreter.analysis.comparison import Comparison, compare
from interpreter.analysis.plan import RANDOM, Plan
from interpreter.interfaces.charts import page

EVIL = "a<script>alert(1)</script>$\\frac{1}{0}$&\x1b[31m"


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    game = interpreter.load("hearts")
    plans = [
        (f"{EVIL}{target}", Plan(game.game(options={"target": target}), 1, None, 5_000, RANDOM), target)
        for target in (20, 30, 40)
    ]
    return compare(plans, 25)


def test_the_page_fetches_nothing_and_holds_no_script(comparison: Comparison) -> None:
    found: list[tuple[str, dict[str, str | None]]] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, dict(attrs)))

    text = page(comparison, "easy")
    Tags().feed(text)
    tags = {tag for tag, _ in found}
    assert tags.isdisjoint({"script", "link", "img", "image", "iframe", "object", "embed", "base", "a"})
    for _, attributes in found:
        for name, value in attributes.items():
            assert not name.startswith("on")
            if name in ("src", "href", "xlink:href"):
                assert value is not None and value.startswith("#")
    assert not re.search(r"url\((?!#)|@import", text)
    assert "default-src 'none'" in text and "\x1b" not in text


def test_there_is_a_chart_of_lengths_of_the_swept_value_and_of_winners(comparison: Comparison) -> None:
    text = page(comparison, "easy")
    titles = re.findall(r"<figcaption>(.*?)</figcaption>", text)
    assert titles == ["How long matches last", "How long matches last, by the value", "Who wins, with 95% intervals"]
    assert text.count("<svg") == 3 and text.count('role="img" aria-label=') == 3
    assert all(f"<li>{sentence}" in text or f"<li class=sure>{sentence}" in text for sentence in ("matches last ",))


def test_of_very_many_games_it_is_said_which_are_drawn(comparison: Comparison) -> None:
    assert "The charts show" not in page(comparison, "easy")
    many = Comparison(comparison.sides * 3, comparison.differences)
    assert "<p>The charts show the first 8 games.</p>" in page(many, "easy")


def test_the_same_comparison_gives_the_same_page(comparison: Comparison) -> None:
    assert page(comparison, "easy") == page(comparison, "easy")


def test_a_game_of_one_deal_is_measured_in_decisions() -> None:
    game = interpreter.load("klondike").game()
    plans = [(name, Plan(game, seed, None, 300, RANDOM), None) for seed, name in enumerate(("one", "other"))]
    assert "decisions played" in page(compare(plans, 20), "easy")


def test_settings_that_lie_in_the_folder_are_not_heeded(
    comparison: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As matplotlib reads a file `matplotlibrc` of the folder when it is imported."""
    import matplotlib

    expected = page(comparison, "easy")
    monkeypatch.setitem(matplotlib.rcParams, "text.usetex", True)
    monkeypatch.setitem(matplotlib.rcParams, "text.latex.preamble", r"\input{/etc/hostname}")
    monkeypatch.setitem(matplotlib.rcParams, "axes.grid", True)
    assert page(comparison, "easy") == expected


def test_no_settings_are_read_from_the_folder_in_which_it_is_called(tmp_path: Path) -> None:
    """Some versions of matplotlib carry out what stands in them."""
    (tmp_path / "matplotlibrc").write_text("axes.grid: True\n")
    code = """
import sys
opened = []
sys.addaudithook(lambda event, args: event == "open" and opened.append(str(args[0])))
from interpreter.interfaces.charts import _figure
_figure("Nothing", lambda axes: None)
import matplotlib
found = [path for path in opened if path.endswith("matplotlibrc")]
print(found and not any(path.startswith(sys.argv[1]) or path == "matplotlibrc" for path in found))
"""
    command = [sys.executable, "-c", code, str(tmp_path)]
    environment = os.environ | {"PYTHONPATH": str(Path(interpreter.__file__).parents[1])}
    told = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "True"
