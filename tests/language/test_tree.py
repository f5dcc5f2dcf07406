"""Walking through trees."""

from __future__ import annotations

import pytest

import interpreter
from interpreter.language import tree


@pytest.mark.parametrize("game", ["hearts", "spit", "gin-rummy"])
def test_what_is_inside_a_stage_is_the_same_whether_it_was_found_before_or_not(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = interpreter.load(game).model
    whole = [model.stages, model.instances, model.honor, model.zones, model.variables]
    first, again = [id(node) for node in tree.walk(whole)], [id(node) for node in tree.walk(whole)]
    monkeypatch.setattr(tree, "_WALKED_ONCE", set())
    assert len(first) > 200
    assert first == again == [id(node) for node in tree.walk(whole)]


def test_what_is_kept_of_walks_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_WALKED", 3)
    monkeypatch.setattr(tree, "_walked", {})
    model = interpreter.load("hearts").model
    assert len(list(tree.walk(model.stages))) > 200
    assert len(model.stages) > 3 == len(tree._walked)
