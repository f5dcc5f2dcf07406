"""How a match begins: what is fixed before it, where it starts, and what happens before the first decision."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from interpreter.base.signs import shortened
from interpreter.engine.chance import MASK, ChanceError
from interpreter.engine.failures import rule_error
from interpreter.engine.frames import Frame
from interpreter.engine.machine import advance
from interpreter.engine.outcomes import Drawing, Outside, outcomes_of
from interpreter.engine.position import Origin, Position, Setup
from interpreter.engine.program import Program
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.transfers import keep_limit


def start(program: Program, setup: Setup, log: bool = True) -> Position:
    """A new match, played up to the first decision. log: whether it is told what happens.

    Raises ChanceError or PositionError where an outcome or the position does not fit, RuleError where the rules cannot
    go on.
    """
    s = fresh(program)
    s.seed = setup.seed
    s.log = [] if log else None
    if setup.chance:
        s.chance = outcomes_of(setup.chance, (*program.by_stage, "refill"))
    if isinstance(setup.chance, Outside):
        s.chance = Drawing(s.chance, setup.chance)
    elif "deck" in s.chance:
        setup = setup._replace(chance={**setup.chance, "deck": list(s.chance["deck"][0])})
    s.setup = setup
    if setup.given is not None:
        from interpreter.engine.arranging import arrange

        arrange(s, setup.given)
    else:
        s.stack.append(Frame(program.by_stage["match"]))
    _carried_out(advance, s)
    return s


def fixed(
    seed: int | None = None,
    deck: Sequence[str] | None = None,
    chance: Mapping[str, Any] | None = None,
    given: Mapping[str, Any] | None = None,
    origin: Origin = Origin(),  # noqa: B008 - it never changes
) -> Setup:
    """What is fixed before a match, as `Game.start` takes it. Raises ValueError for what is of no use at all."""
    found = (draw_seed() if seed is None else whole(seed, "seed")) & MASK
    if not isinstance(chance, Mapping | None):
        raise ChanceError(f"chance is a mapping of places to outcomes, not {shortened(repr(chance))}")
    outcomes = chance if isinstance(chance, Outside) else dict(chance or {})
    if deck is not None:
        outcomes["deck"] = deck
    if not isinstance(given, Mapping | None):
        from interpreter.engine.arranging import PositionError

        raise PositionError(f"a position is a mapping, not {given!r}")
    return Setup(found, outcomes, None if given is None else dict(given), origin)


def fresh(program: Program) -> Position:
    """A position before anything has happened: the pack in its zone, every variable at its default.

    Raises RuleError where the rules say a default that cannot be, or have no room for the pack.
    """
    s = program.template
    if not isinstance(s, Position):
        s = Position(program)
        s.z[program.pack_place] = list(range(len(program.cards)))
        for hook in program.resets:
            _carried_out(hook, s)
        _carried_out(_keep_pack, s)
        program.template = s
    return s.copy()


def _keep_pack(s: Position) -> None:
    """Raise RuleError, with its place, if the pack does not fit into its zone."""
    place = s.program.pack_place
    try:
        keep_limit(s, place)
    except RuleError as error:
        if error.span is None:  # it is not the text that found it, so the traceback says nothing of the place
            code = getattr(s.program.capacities[place], "__code__")  # noqa: B009 - a Hook may be anything that is called
            error.span = s.program.place_line(max(line or 0 for *_, line in code.co_lines()))
        raise


def _carried_out(hook: Callable[[Position], object], s: Position) -> None:
    """Let the rules do something before anybody has moved. Raises RuleError, and ChanceError."""
    try:
        hook(s)
    except ChanceError:
        raise
    except Exception as error:
        failure = rule_error(s.program, error)
        raise failure from (None if failure is error else error)


def draw_seed() -> int:
    """A seed for a match for which nobody has given one."""
    return secrets.randbits(32)


def whole(value: Any, name: str, least: int | None = None) -> int:
    """An argument that is a whole number. Raises ValueError."""
    if type(value) is not int or (least is not None and value < least):
        bound = "" if least is None else f" of at least {least}"
        raise ValueError(f"{name} is a whole number{bound}, not {value!r}")
    return value
