"""Random rulesets one after the other: what their expressions come to, compared with what they mean."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interpreter.api.game import Ruleset, State
from interpreter.compiler import types_of
from interpreter.compiler.core.types import Contradiction
from interpreter.engine.rule_errors import RuleError
from tests.meanings.comparing import Difference, compared
from tests.meanings.in_play import compared_in_play, stepped_alike
from tests.meanings.random_rules import loaded, random_rules

MATCHES, STEPS = 3, 4
"""Matches of a ruleset, and moves of each after which all is asked again."""
DEFINITIONS, ACTS = 40, 10


@dataclass
class Tally:
    """How many answers were compared, of what kinds; which differ; what was not allowed, and why."""

    answers: Counter[str] = field(default_factory=Counter)
    differ: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def told(self) -> str:
        return ", ".join(f"{count:,} {kind}" for kind, count in sorted(self.answers.items()))


def tried(seed: int, folder: Path, tally: Tally, native: bool = False) -> None:
    """Two random rulesets: one with many definitions, and one with actions."""
    for acts in (0, ACTS):
        rules = random_rules(random.Random(f"{seed} {acts}"), 4 if acts else DEFINITIONS, acts)
        path = folder / f"meanings-{seed}-{acts}.yaml"
        ruleset = loaded(rules, path, tally.refused)
        game = ruleset.game()
        found = dict[str, Difference]()
        try:
            types_of(ruleset.model, game.players, game.options, False)
        except Contradiction as error:
            found["types"] = Difference("types", str(error), "what does not contradict itself")
        for number in range(MATCHES):
            for one in _match(ruleset, number, tally):
                found.setdefault(one.name.partition(":")[0], one)
            if native and acts:
                differs, made = stepped_alike(game, number, 12)
                tally.answers["moves of machine code"] += made
                tally.differ += [f"{path}, match {number}, {differs}"] if differs else []
        texts = {head.partition("(")[0]: said for head, said in rules["define"].items()}
        texts |= rules["flow"]["go"]["actions"]
        tally.differ += [_as_told(path, one, texts.get(name)) for name, one in found.items()]
        if not found:
            path.unlink()


def _as_told(path: Path, one: Difference, text: Any) -> str:
    compiled, meant = str(one.compiled)[:300], str(one.meant)[:300]
    return f"{path}: {one.name} is {compiled} and means {meant} {one.why}\n    {json.dumps(text)}"


def _match(ruleset: Ruleset, seed: int, tally: Tally) -> Iterator[Difference]:
    """What differs in a match of random moves."""
    dice = random.Random(seed)
    try:
        state = ruleset.game().start(seed=seed)
    except RuleError:
        tally.answers["matches that cannot begin"] += 1
        return
    for _ in range(STEPS):
        for name, (_, each) in ruleset.model.askable.items():
            if not each:
                yield from _counted(compared(state, name), tally)
        for found in compared_in_play(state, dice):
            yield from _counted(found, tally)
        if not _moved(state, dice):
            return


def _counted(found: Difference | str, tally: Tally) -> Iterator[Difference]:
    tally.answers[found if isinstance(found, str) else "that differ"] += 1
    if isinstance(found, Difference):
        yield found


def _moved(state: State, dice: random.Random) -> bool:
    try:
        moves = [move for move in state.legal_moves(state.actors[0]) if str(move).startswith("stir")]
    except RuleError:
        return False
    dice.shuffle(moves)
    for move in moves:
        try:
            state.play(state.actors[0], move)
            return True
        except RuleError:
            continue
    return False
