"""What options settle before play is what play reckons: random expressions over both."""

from __future__ import annotations

import json
import random
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import interpreter

OPTIONS: dict[str, dict[str, Any]] = {
    "zero": {"type": "integer", "min": 0, "max": 9, "default": 0},
    "three": {"type": "integer", "min": 0, "max": 9, "default": 3},
    "less": {"type": "integer", "min": -9, "max": 9, "default": -7},
    "lives": {"type": "integer", "min": 1, "max": 9, "optional": True, "default": "none"},
    "low": {"type": "rank", "default": 9},
    "named": {"type": "card", "default": "QS"},
    "no_card": {"type": "card", "optional": True, "default": "none"},
    "called": {"type": "suit", "optional": True, "default": "hearts"},
    "sure": {"type": "flag", "default": True},
    "listed": {"type": "list of integer", "length": "1..3", "default": [4, 2, 4]},
}


def number(draw: random.Random, deep: int) -> str:
    """A number of options, always one that there is; names in capitals stand for what is kept in two ways."""
    one, two = (
        partial(number, draw, deep - 1) if deep else lambda: draw.choice(["ZERO", "THREE", "LESS"]) for _ in "12"
    )
    match draw.randrange(9) if deep else 8:
        case 0 | 1:
            return f"({one()} {draw.choice('+-*')} {two()})"
        case 2 | 3:
            return f"({one()} {draw.choice(['div', 'mod'])} greater(1, {two()}))"
        case 4:
            return f"{draw.choice(['greater', 'lesser'])}({one()}, {two()})"
        case 5:
            return f"(if {condition(draw, deep - 1)} then {one()} else {two()})"
        case 6:
            return f"{draw.choice(['item', 'cycle'])}(1 + ({one()}) mod 3, LISTED)"
        case 7:
            return "(count of (NAMED, NO_CARD, 2C) + place of LOW)"
    return draw.choice(["ZERO", "THREE", "LESS", "2", "5"])


def condition(draw: random.Random, deep: int) -> str:
    one, two = (partial(condition if draw.random() < 0.4 else number, draw, deep - 1) for _ in "12")
    match draw.randrange(8) if deep > 0 else 7:
        case 0 | 1 if one.func is two.func is condition:
            return f"({one()} {draw.choice(['and', 'or'])} {two()})"
        case 2:
            return f"not {condition(draw, deep - 1)}"
        case 3:
            return f"({number(draw, deep - 1)} in ({number(draw, deep - 1)}, {number(draw, deep - 1)}))"
        case 4:
            return f"(LIVES {draw.choice(['<', '>', '=', '!='])} {number(draw, deep - 1)})"
        case 5 | 6:
            return f"({number(draw, deep - 1)} {draw.choice(['<', '<=', '=', '!=', '>='])} {number(draw, deep - 1)})"
    return draw.choice(
        [
            "SURE",
            "LOW < 10",
            "LOW >= J",
            "NAMED = QS",
            "NAMED in (QS, 2C)",
            "CALLED = hearts",
            "NO_CARD = none",
            "NO_CARD is none or NAMED is QS",
            "colour of CALLED = red",
            "LIVES is none",
        ]
    )


@pytest.mark.parametrize("seed", range(4))
def test_what_is_settled_before_play_is_what_play_reckons(seed: int, tmp_path: Path) -> None:
    """Each expression three times: settled by options, asked of what options have put into variables, and required."""
    draw = random.Random(seed)
    asked = [(number if at % 2 else condition)(draw, 3) for at in range(120)]
    asked = [one for one in asked if len(one) < 120][:60]
    kept = {name: spec for name, spec in OPTIONS.items() if "list" not in str(spec["type"])}
    rules = {
        "format": 1,
        "id": "agreed",
        "name": "Agreed",
        "players": {"min": 2, "max": 2},
        "pack": {"standard": 1},
        "options": OPTIONS,
        "zones": {"stock": {"pack": True}},
        "state": {
            f"kept_{name}": {"type": spec["type"], "optional": bool(spec.get("optional")), "lasts": "match"}
            for name, spec in kept.items()
        },
        "define": {
            **{f"settled{at}": as_written(one, "") for at, one in enumerate(asked)},
            **{f"played{at}": as_written(one, "kept_") for at, one in enumerate(asked)},
        },
        "flow": {
            "match": {"setup": "; ".join(f"set kept_{name} to {name}" for name in kept), "do": ["go"]},
            "go": {"kind": "turn", "actions": {"stay": {"effect": "stay"}}},
        },
    }
    path = tmp_path / "agreed.yaml"
    path.write_text(json.dumps(rules, indent=1))
    state = interpreter.load(path).game().start(seed=1)
    found = [state.value(f"settled{at}") for at in range(len(asked))]
    assert found == [state.value(f"played{at}") for at in range(len(asked))]
    holds = [f"({as_written(one, '')}) = {str(found[at]).lower()}" for at, one in enumerate(asked)]
    rules["require"] = {f"fine{at}": {"law": law, "message": "never"} for at, law in enumerate(holds)}
    path.write_text(json.dumps(rules, indent=1))
    interpreter.load(path).game()


def as_written(expression: str, kept: str) -> str:
    """The names in capitals as options, or as the variables in which their values are kept."""
    for name, spec in OPTIONS.items():
        own = name if "list" in str(spec["type"]) else kept + name
        expression = re.sub(rf"\b{name.upper()}\b", own, expression)
    return expression
