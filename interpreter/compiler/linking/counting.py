"""What simulations count of a match: definitions, whenever a stage ends. It costs nothing where nobody counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.base.arithmetic import LARGEST
from interpreter.compiler.linking.answers import asked_definition
from interpreter.compiler.linking.linked import Linked
from interpreter.engine.count_code import CountCode
from interpreter.engine.program import Hook
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.situation import Situation


def count_codes(of: Linked) -> dict[str, tuple[CountCode, ...]]:
    """By stage what is counted when it ends, in the order of the columns."""
    found: dict[str, list[CountCode]] = {}
    for name, stage in of.model.counts.items():
        each, function, kind = asked_definition(of, name)
        span = next(instance.span for instance in of.model.instances.values() if instance.name == name)
        people = of.layout.n if each == "player" or kind == "player" else max(of.layout.teams) + 1
        letter = "T" if each == "team" else "P"
        own = tuple(f"{name}_{letter}{number + 1}" for number in range(people))
        is_player = kind == "player"
        columns = own if each or is_player else (name,)
        found.setdefault(stage, []).append(CountCode(name, each, function, is_player, columns, span))
    return {stage: tuple(codes) for stage, codes in found.items()}


def counting(codes: Sequence[CountCode], first: int, cleanup: Hook | None) -> Hook:
    """What is done when a stage ends, counting before that. first: the column with which its counts begin.

    Raises RuleError where a count grows larger than anything is worked out to.
    """

    def counted(s: Situation) -> Any:
        if s.counted is not None and not s.redealing:
            at = first
            for code in codes:
                for amount in code.amounts(s):
                    s.counted[at] += amount
                    if abs(s.counted[at]) > LARGEST:
                        raise RuleError(f"what is counted as '{code.name}' grows beyond 10^18", code.span)
                    at += 1
        return None if cleanup is None else cleanup(s)

    return counted
