"""What native code finds out about values agrees with the types that the core has for them."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest
from walks import SHIPPED

import interpreter
from interpreter.api.native_lane import TWINS, play_match
from interpreter.compiler import compile_game, types_of
from interpreter.compiler.core import types as of
from interpreter.compiler.core.type_of import type_of_value
from interpreter.compiler.native.declared import TIMES, bounds_of, kind_of
from interpreter.compiler.native.module import Module, module_for
from interpreter.compiler.native.native_kinds import (
    MOST,
    WORD,
    Bits,
    FrameKind,
    Group,
    Kind,
    Known,
    Maybe,
    Number,
    OneOf,
    Row,
    Span,
)
from interpreter.compiler.native.sources import is_printed
from interpreter.engine.program import Program
from interpreter.engine.start import fresh


def type_of_kind(kind: Kind | None, meld: Kind | None = None) -> of.Type:
    """What a value of a kind can be. meld: what a meld is kept as."""
    if kind is not None and kind == meld:
        return of.MELD
    match kind:
        case Number(low, high, none, text):
            numbers: of.Type = of.NEVER if low > high else of.Number(low, high)
            found = of.ANYTHING if text and numbers != of.NEVER else of.WORD if text else numbers
            return of.maybe(found) if none else found
        case Known(value):
            return type_of_value(value)
        case OneOf(values):
            return of.joined_or(of.ANYTHING, *(type_of_kind(one, meld) for one in values))
        case Group(items):
            return of.Group(tuple(type_of_kind(item, meld) for item in items))
        case Row(item):
            return of.Many(of.NEVER if item is None else type_of_kind(item, meld))
        case Bits() | Span():
            return of.Many(of.COUNT)
        case Maybe(inner):
            return of.maybe(type_of_kind(inner, meld))
    return of.NEVER if kind is None else of.ANYTHING


@pytest.mark.parametrize("name", SHIPPED)
def test_what_native_code_finds_out_agrees_with_the_types(name: str) -> None:
    seen: list[Any] = []

    def compiled(*given: Any) -> Program:
        seen.append(given)
        return compile_game(*given)

    ruleset = interpreter.load(name).compiled_by(compiled)
    for players in {ruleset.players.min, ruleset.players.max}:
        program = ruleset.game(players).program
        gives = types_of(*seen[-1]).gives
        found: list[tuple[str, of.Type]] = []
        real = Module.ir

        def ir(module: Module, *rest: Any, real: Any = real, found: Any = found) -> str:
            written = [f for f in module._written if is_printed(f.function)]
            found += [(f.function.__name__, type_of_kind(f.result, module.layout.meld)) for f in written]
            return real(module, *rest)  # type: ignore[no-any-return]

        with mock.patch.object(Module, "ir", ir):
            module_for(program, fresh(program), play_match, TWINS)
        assert found
        apart = [(function, result) for function, result in found if not of.fits(result, gives[function])]
        assert apart == []


def test_a_type_is_kept_as_it_can_be_in_a_game() -> None:
    program = interpreter.load("hearts").game(4).program
    assert kind_of(of.PLAYER, program) == Number(0, 3) and kind_of(of.Number(-1, of.MANY, "player"), program).high == 3  # type: ignore[attr-defined]
    assert kind_of(of.Maybe(of.CARD), program) == Number(0, 51, none=True)
    assert kind_of(of.COUNT, program) == Number(0, TIMES) and kind_of(of.ANY_NUMBER, program) == Number(-MOST, MOST)
    assert kind_of(of.PLAYERS, program) == Number(0, 15) and kind_of(of.CARDS, program) == Number(0, (1 << 52) - 1)
    assert kind_of(of.Many(of.Group((of.PLAYER, of.FLAG))), program) == Row(Group((Number(0, 3), Number(0, 1))))
    assert kind_of(of.Maybe(of.Many(of.SUIT)), program) == Maybe(Row(Number(0, 3)))
    assert kind_of(of.WORD, program) == kind_of(of.ANYTHING, program) == WORD
    assert bounds_of("rank", program) == (0, 12)
    assert not isinstance(kind_of(of.FRAME, program), FrameKind)
