"""How long a ruleset is with its definitions and tables written out."""

from __future__ import annotations

from typing import Any

from interpreter.base.diagnostics import Report
from interpreter.language import typed as t
from interpreter.language.model import Model
from interpreter.language.typed import Typed, walk

MAX_PARTS = 10_000
"""The most parts of a ruleset with its definitions written out; the longest that is shipped has 4,100."""


def check_parts(model: Model, report: Report) -> None:
    """Refuse what is short to write and long to print: a long definition or table that is used everywhere."""
    parts = _Parts(model)
    weights = {
        place.span: parts.of(place)
        for places in (model.stages, model.zones, model.variables, model.tokens)
        for place in places.values()
    }
    total = sum(weights.values()) + parts.of(model.honor) + sum(map(parts.defined, model.instances))
    if total > MAX_PARTS:
        longest = max(weights, key=lambda span: weights[span])
        message = f"with definitions and tables written out there are {total:,} parts, and {MAX_PARTS:,} are allowed"
        report.error("E404", longest, message, "use long definitions and tables in fewer places")


class _Parts:
    """How many parts everything has, with what it uses."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._defined: dict[str, int] = {}
        self._tables: dict[str, int] = {}

    def of(self, node: Any) -> int:
        """The parts of whatever holds typed nodes."""
        found = 0
        for inner in walk(node):
            found += 1
            if isinstance(inner, t.Instance):
                found += self.defined(inner.key)
            elif isinstance(inner, t.TableRef):
                found += self._in_table(inner.name)
        return found

    def defined(self, key: str) -> int:
        """The parts of a definition."""
        if key not in self._defined:
            self._defined[key] = self.of(self._model.instances[key].body)
        return self._defined[key]

    def _in_table(self, name: str) -> int:
        """What a use of a table comes to: nothing if its values are plain, for then it is made once."""
        if name not in self._tables:
            table = self._model.tables[name]
            plain = all(self._is_plain(row.value) for row in table.rows)
            self._tables[name] = 0 if plain else self.of([table.rows, table.by])
        return self._tables[name]

    def _is_plain(self, value: Typed) -> bool:
        match value:
            case t.TableRef(name, key):
                return self._is_plain(key) and self._in_table(name) == 0
        return isinstance(value, t.Const)
