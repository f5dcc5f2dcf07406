"""How a match begins: a seed, outcomes that are fixed, a position, and the first decision."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.base.diagnostics import suggest
from interpreter.base.signs import shortened
from interpreter.engine.chance import MASK, ChanceError
from interpreter.engine.machine import Frame, advance
from interpreter.engine.program import Program, rule_error
from interpreter.engine.state import State

if TYPE_CHECKING:
    from interpreter.api.game import Game

CHANCE_PLACES = ("shuffle", "first dealer", "draw", "random", "deck")
"""Where chance can be fixed beforehand."""


def start(
    game: Game,
    program: Program,
    seed: int | None = None,
    deck: Sequence[str] | None = None,
    chance: Mapping[str, Any] | None = None,
    given: Mapping[str, Any] | None = None,
    log: bool = True,
) -> State:
    """A new match of a game, played up to the first decision; `Game.start` says what may be given."""
    state = _fresh(game, program)
    state.seed = (draw_seed() if seed is None else whole(seed, "seed")) & MASK
    state.log = [] if log else None
    if chance or deck is not None:
        state.chance = _normal_chance(chance, deck, (*program.by_stage, "refill"))
        state.start_chance = dict(chance or {})
        if deck is None and "deck" in state.start_chance:
            state.chance["deck"] = [_cards(state.start_chance["deck"], "deck")]
        if "deck" in state.chance:
            state.start_chance["deck"] = list(state.chance["deck"][0])
    if given is not None:
        from interpreter.engine.position import PositionError, apply_given

        if not isinstance(given, Mapping):
            raise PositionError(f"a position is a mapping, not {given!r}")
        state.given = dict(given)
        apply_given(state, given)
    else:
        state.stack.append(Frame(program.by_stage["match"]))
    try:
        advance(state)
    except ChanceError:
        raise
    except Exception as error:
        failure = rule_error(program, error)
        raise failure from (None if failure is error else error)
    return state


def _fresh(game: Game, program: Program) -> State:
    """A state before anything has happened: the pack in its zone, every variable at its default."""
    if program.template is None:
        state = State(game, program, 0, False)
        state.z[program.pack_place] = list(range(len(program.cards)))
        for stage in program.stages:
            if stage.reset is not None:
                stage.reset(state)
        for hook in (program.reset_turn, program.reset_trick):
            if hook is not None:
                hook(state)
        program.template = state
    fresh = program.template.copy()
    fresh.game = game
    return fresh


def draw_seed() -> int:
    """A seed for a match for which nobody has given one."""
    return secrets.randbits(32)


def whole(value: Any, name: str, least: int | None = None) -> int:
    """An argument that is a whole number. Raises ValueError."""
    if type(value) is not int or (least is not None and value < least):
        bound = "" if least is None else f" of at least {least}"
        raise ValueError(f"{name} is a whole number{bound}, not {value!r}")
    return value


def _normal_chance(
    chance: Mapping[str, Any] | None, deck: Sequence[str] | None, stages: Collection[str]
) -> dict[str, list[Any]]:
    """Fixed outcomes as lists by place: `shuffle deal`, `first dealer`, `draw`, `random`, `deck`."""
    found: dict[str, list[Any]] = {}
    if chance is not None and not isinstance(chance, Mapping):
        raise ChanceError(f"chance is a mapping of places to outcomes, not {shortened(repr(chance))}")
    if deck is not None:
        found["deck"] = [_cards(deck, "deck")]
    for place, value in (chance or {}).items():
        if place not in CHANCE_PLACES:
            hint = suggest(str(place), CHANCE_PLACES, "places")
            raise ChanceError(f"chance: there is no '{shortened(str(place))}'; {hint}")
        if place == "shuffle":
            if not isinstance(value, Mapping):
                raise ChanceError("chance: write the order of a shuffle by its stage, {shuffle: {deal: [2C, ...]}}")
            for stage, orders in value.items():
                several = isinstance(orders, list | tuple) and orders and isinstance(orders[0], list | tuple)
                if stage not in stages:
                    hint = suggest(str(stage), stages, "stages")
                    raise ChanceError(f"chance: no stage is called '{shortened(str(stage))}'; {hint}")
                listed = orders if several else [orders]
                found[f"shuffle {stage}"] = [_cards(order, f"the shuffle of {stage}") for order in listed]
        elif place != "deck":
            found[place] = _cards(value, place)
    return found


def _cards(value: Any, what: str) -> list[str]:
    """Cards or other outcomes, in order. Raises ChanceError."""
    if isinstance(value, str):
        return value.replace(",", " ").split()
    if not isinstance(value, Sequence):
        raise ChanceError(f"{what}: a list is needed, not {shortened(repr(value))}")
    return [str(v) for v in value]
