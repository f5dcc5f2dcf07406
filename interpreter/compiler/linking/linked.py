"""A game whose text has run: what was known of it when it was lowered, and the functions of the text by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.compiler.lower.stages import Lowering


class Linked:
    """What codes are made from. names: the functions and tables of the program."""

    def __init__(self, lowering: Lowering, names: dict[str, Any]) -> None:
        self.lowering = lowering
        self.names = names
        self.layout = lowering.layout
        self.model = lowering.model
        self.stages = lowering.stages
        self.parts = lowering.parts
        self.expressions = lowering.e
        self.facts = lowering.actions.facts
        self.put_off: dict[str, Callable[..., Any]] = {}
        """Functions that are not written yet, by name: what brings them and does as they do."""
        self.action_count = sum(len(stage.actions) + len(stage.anytime) for stage in self.stages.values())

    def hook(self, name: str) -> Any:
        """A function of the text, None if there was nothing to write."""
        return self.names.get(name) or self.put_off.get(name)
