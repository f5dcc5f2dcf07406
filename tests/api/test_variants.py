"""Variants together: what one changes, another that is a ruleset of its own would undo, and overlays stay."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import OptionError, RulesetError
from interpreter.interfaces.host.catalogue_of_games import form

HOUSE = """\
format: 1
id: house
extends: hearts
variants:
  other: {doc: Another game., ruleset: pig}
  second: {doc: A third game., ruleset: ./second.yaml}
  calm: {doc: The queen costs nothing., patch: {values: {points: {QS: null}}}}
  brief: {doc: To twenty., set: {target: 20}}
"""
SECOND = """\
format: 1
id: second
extends: hearts
variants:
  calm: {doc: Nothing costs anything., patch: {about: Calm.}}
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    (tmp_path / "house.yaml").write_text(HOUSE, "utf-8")
    (tmp_path / "second.yaml").write_text(SECOND, "utf-8")
    return tmp_path / "house.yaml"


@pytest.mark.parametrize("names", [["other", "calm"], ["calm", "other"], ["second", "calm"], ["calm", "second"]])
def test_a_variant_that_is_a_ruleset_goes_with_none_that_changes_this_one(house: Path, names: list[str]) -> None:
    """Also where the other ruleset has a variant of that name, which changes something else."""
    other = next(name for name in names if name != "calm")
    why = f"'{other}' is a ruleset of its own, and 'calm' changes this one"
    with pytest.raises(OptionError) as refused:
        interpreter.load(house).game(variants=names)
    assert str(refused.value) == f"the variants '{other}' and 'calm' cannot be used together: {why}"


def test_two_variants_that_are_rulesets_do_not_go_together(house: Path) -> None:
    with pytest.raises(OptionError, match=r"^the variants 'other' and 'second' .*: each is a ruleset of its own$"):
        interpreter.load(house).game(variants=["other", "second"])


def test_options_that_a_variant_sets_hold_in_the_ruleset_that_another_is(house: Path) -> None:
    game = interpreter.load(house).game(variants=["second", "brief"])
    assert (game.ruleset.id, game.options["target"]) == ("second", 20)


def test_shipped_variants_that_do_not_go_together_are_refused_in_words() -> None:
    names = ("five_card_hand", "many_players")
    with pytest.raises(OptionError, match="'five_card_hand' and 'many_players' cannot be used together"):
        interpreter.load("spit").game(variants=names)
    assert form("spit", names) == form("spit")  # what is wrong is told when the table is opened


def test_an_overlay_is_laid_on_the_ruleset_that_a_variant_is(house: Path) -> None:
    overlay = house.with_name("ours.yaml")
    overlay.write_text("format: 1\nid: ours\nabout: Ours.\n", "utf-8")
    game = interpreter.load(house, [overlay]).game(variants=["second"])
    assert game.ruleset.model.about == "Ours."
    assert game.ruleset.files[-2:] == (str(house.with_name("second.yaml")), str(overlay))
    calm = interpreter.load(house, [overlay]).game(variants=["calm"]).ruleset
    assert calm.game(variants=["second"]).ruleset.model.about == "Ours."
    overlay.write_text("format: 1\nid: ours\nextends: house\nabout: Ours.\n", "utf-8")
    with pytest.raises(RulesetError, match="'ours' extends 'house' and cannot be laid on second"):
        interpreter.load(house, [overlay]).game(variants=["second"])


def test_an_overlay_whose_variant_is_a_ruleset_is_not_laid_on_that(house: Path) -> None:
    """What it changes is the ruleset that it extends; only what is laid on it is laid on the other as well."""
    ours, more = house.with_name("ours.yaml"), house.with_name("more.yaml")
    text = "format: 1\nid: ours\nextends: house\nabout: Ours.\nvariants: {mine: {doc: Mine., ruleset: ./second.yaml}}\n"
    ours.write_text(text, "utf-8")
    more.write_text("format: 1\nid: more\nname: More\n", "utf-8")
    found = interpreter.load(house, [ours, more]).game(variants=["mine"]).ruleset
    assert found.model.about != "Ours." and found.name == "More"
