"""Does an option matter? Matches from the same seeds with one of its values and without it are compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from interpreter.analysis.audit.configurations import (
    Configuration,
    Fixed,
    allowed_enforcements,
    allowed_numbers,
    plain,
    values_of,
)
from interpreter.analysis.audit.tally import Tally
from interpreter.analysis.audit.watching import Watch
from interpreter.api.game import Ruleset
from interpreter.api.options import OptionError
from interpreter.base.diagnostics import RulesetError

SEEDS = 4
"""Matches that are compared for each value, number of players and enforcement."""
MOST = 80
"""Pairs after which an option is given up."""


@dataclass(frozen=True, slots=True)
class Idle:
    """An option that made no difference in so many pairs of matches; same: the program is the same with each value."""

    name: str
    values: tuple[str, ...]
    pairs: int
    same: bool


def compare(ruleset: Ruleset, name: str, fixed: Fixed, seed: int, limit: int, tally: Tally) -> Idle | None:
    """Whether an option made no difference; None if it did, or if it has one value only."""
    known: dict[tuple[Configuration, int], str] = {}
    pairs, same, values = 0, True, set()
    for one, other in _games(ruleset, name, fixed):
        if pairs >= MOST:
            break
        try:
            first, second = one.game(ruleset), other.game(ruleset)
        except (OptionError, RulesetError):
            continue
        if first.options == second.options:
            continue
        same = same and first.program.text == second.program.text
        values.add(str(dict(other.options)[name]))
        for own in range(seed, seed + SEEDS):
            traces = []
            for configuration, game in ((one, first), (other, second)):
                if (configuration, own) not in known:
                    watch = Watch(game, configuration, own, limit, tally)
                    watch.play()
                    known[configuration, own] = watch.trace.hexdigest()
                traces.append(known[configuration, own])
            pairs += 1
            if traces[0] != traces[1]:
                return None
    return Idle(name, tuple(sorted(values)), pairs, same) if pairs else None


def _games(ruleset: Ruleset, name: str, fixed: Fixed) -> Iterator[tuple[Configuration, Configuration]]:
    """Games without a value of the option and with it: on honour too, at every number of players."""
    base = plain(ruleset, fixed)
    for number in allowed_numbers(ruleset, fixed):
        for enforcement in allowed_enforcements(ruleset, fixed):
            without = replace(base, players=number, enforcement=enforcement)
            for value in values_of(ruleset, name):
                yield without, replace(without, options=(*without.options, (name, value)))
