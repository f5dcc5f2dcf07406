"""No function is printed that neither the engine nor another function asks for."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from walks import ENFORCEMENTS, SHIPPED, ruleset

from interpreter.compiler import compile_game
from interpreter.compiler.linking import linker
from interpreter.compiler.linking.linked import Linked
from interpreter.compiler.lower.stages import Lowering


class _Asked(dict[str, Any]):
    """Names, of which it is kept which have been asked for."""

    def __init__(self, names: dict[str, Any]) -> None:
        super().__init__(names)
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.asked.add(name)
        return super().__getitem__(name)

    def get(self, name: str, otherwise: Any = None) -> Any:
        self.asked.add(name)
        return super().get(name, otherwise)


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
@pytest.mark.parametrize("name", SHIPPED)
def test_every_printed_function_is_asked_for(monkeypatch: pytest.MonkeyPatch, name: str, enforcement: str) -> None:
    made: list[_Asked] = []

    class Watched(Linked):
        def __init__(self, lowering: Lowering, names: dict[str, Any]) -> None:
            made.append(_Asked(names))
            super().__init__(lowering, made[-1])

    monkeypatch.setattr(linker, "Linked", Watched)
    rules = ruleset(name)
    for players in sorted({rules.players.min, rules.players.max}):
        game = rules.game(players, enforcement=enforcement)
        program = compile_game(rules.model, players, game.options, enforcement == "honor")
        wanted = made[-1].asked - {f"playout·{stage.name}" for stage in program.stages if stage.playout is None}
        named: dict[str, set[str]] = {}
        for part in ast.parse(program.text).body:
            match part:
                case ast.FunctionDef(function):
                    named[function] = {node.id for node in ast.walk(part) if isinstance(node, ast.Name)}
                case ast.Assign([ast.Name(function)], ast.Name(of)):
                    named[function] = {of}
        assert len(named) > 10
        todo = list(wanted)
        while todo:
            asked = named.pop(todo.pop(), ())
            todo += asked
        assert sorted(named) == []
