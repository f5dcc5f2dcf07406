"""What plays a game out at random: written, read by the gate and compiled when that is first done."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Lock
from typing import Any

from interpreter.base.depth import as_deep_as_anywhere
from interpreter.base.diagnostics import RulesetError
from interpreter.base.memory import no_collecting
from interpreter.compiler import gate
from interpreter.compiler.linking.linked import Linked
from interpreter.compiler.printed import Printed, printed_behind
from interpreter.engine.program import Program

Told = Callable[..., AbstractContextManager[None]]
"""Raises, as RulesetError, what is wrong with a lowering and with what has been printed of it."""


class PutOff:
    """The functions that are not there yet; in their place there is what brings them."""

    def __init__(self, of: Linked, printed: Printed, told: Told) -> None:
        self._of: Linked | None = of
        self._printed, self._told = printed, told
        self._lock = Lock()
        self._refused: RulesetError | None = None
        of.put_off.update((name, self._bringing(name, of.names)) for name in of.lowering.put_off)

    def in_program(self, program: Program) -> Program:
        """The program, which can ask for the rest of itself."""
        if self._of is not None and self._of.put_off:
            program.rest = lambda: self._bring(program)
        return program

    def _bringing(self, name: str, names: dict[str, Any]) -> Callable[..., Any]:
        def function(s: Any, *args: Any) -> Any:
            s.program.rest()
            return names[name](s, *args)

        return function

    def _bring(self, program: Program) -> None:
        with as_deep_as_anywhere(), self._lock:  # another thread may have brought it meanwhile
            of, self._of = self._of, None
            try:
                if of is not None:
                    with no_collecting():
                        self._bring_in(of, program)
            except RulesetError as error:
                self._refused = error
            if self._refused is not None:
                raise self._refused

    def _bring_in(self, of: Linked, program: Program) -> None:
        lowering, out, tables = of.lowering, of.lowering.out, of.expressions.tables
        first, before = len(out.parts), (set(out.functions), set(out.aliases))
        with self._told(lowering):
            lowering.play_out()
            found = printed_behind(self._printed.text, out, tables, first)
        with self._told(lowering, found):
            functions = {name: params for name, params in out.functions.items() if name not in before[0]}
            aliases = {name: other for name, other in out.aliases.items() if name not in before[1]}
            for name, value in tables.constants.items():
                of.names.setdefault(name, value)
            read_tree = not of.model.shipped
            gate.run(found.text, program.filename, of.names, functions, aliases, read_tree, found.starts)
        program.lines.update(found.spans)
        program.printed += found.text[program.printed.count("\n") :]
        text = program.printed
        linecache.cache[program.filename] = (len(text), None, text.splitlines(keepends=True), program.filename)
        for stage in program.stages:
            if stage.playout is not None:
                stage.playout = of.names[f"playout·{stage.name}"]
            if stage.decide is not None:
                stage.decide = of.names[f"decide·{stage.name}"]
        program.rest = lambda: None
