"""What is kept in a process: shipped rulesets that have been read, and the last programs of a ruleset."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.api import rules
from interpreter.base.resources import find
from interpreter.compiler import compile_game
from interpreter.language.overlay import files


def test_a_shipped_ruleset_is_read_again_when_its_file_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in find("rulesets").glob("*.yaml"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(files, "find", lambda relative: tmp_path)
    one = interpreter.load("pig")
    assert interpreter.load("pig") is one
    path = tmp_path / "pig.yaml"
    path.write_text(path.read_text("utf-8").replace("name: Pig", "name: Hog", 1), encoding="utf-8")
    assert (interpreter.load("pig").name, one.name) == ("Hog", "Pig")


def test_what_was_laid_on_a_shipped_ruleset_is_not_in_it(tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    house.write_text("format: 1\nid: hog\nname: Hog\nextends: pig\n")
    assert [interpreter.load(path).name for path in ("pig", house, "pig")] == ["Pig", "Hog", "Pig"]


def test_a_ruleset_keeps_its_last_programs_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "MOST_KEPT", 4)
    ruleset = interpreter.load("pig").compiled_by(compile_game)
    first = ruleset.game(3).program
    assert ruleset.game(3).program is first
    for beats in range(rules.MOST_KEPT + 1):
        ruleset.game(3, {"max_beats": beats})
    assert ruleset.game(3).program is not first


HOUSE = "format: 1\nid: hog\nname: {name}\nextends: pig\n"


def test_a_file_that_was_validated_is_not_checked_again_to_be_played_while_it_says_the_same(tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    house.write_text(HOUSE.format(name="Hog"))
    assert interpreter.validate(house) == []
    one = interpreter.load(house)
    program = one.game().program
    assert interpreter.load(house) is one
    assert interpreter.load(house).game().program is program
    house.write_text(HOUSE.format(name="Sow"))
    assert interpreter.load(house).name == "Sow"


def test_what_there_is_to_warn_of_is_told_every_time(tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    house.write_text(HOUSE.format(name="Hog") + "define:\n  unused: 3 < 4\n")
    first = interpreter.validate(house)
    assert first != []
    assert interpreter.validate(house) == first
    assert set(interpreter.load(house).warnings) <= set(first)


def test_a_variant_that_is_another_file_is_that_file_as_it_is_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = HOUSE.format(name="Hog") + "variants: {other: {doc: Another game., ruleset: other.yaml}}\n"
    for folder, name in (("one", "Sow"), ("two", "Boar")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "house.yaml").write_text(main)
        (tmp_path / folder / "other.yaml").write_text(HOUSE.format(name=name).replace("id: hog", "id: other"))

    def played() -> str:
        return interpreter.load("./house.yaml").game(variants=["other"]).ruleset.name

    monkeypatch.chdir(tmp_path / "one")
    assert played() == "Sow"
    (tmp_path / "one" / "other.yaml").write_text(HOUSE.format(name="Piglet").replace("id: hog", "id: other"))
    assert played() == "Piglet"
    monkeypatch.chdir(tmp_path / "two")
    assert played() == "Boar"
