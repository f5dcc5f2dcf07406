"""What is settled of a game before any match of it begins."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from interpreter.api.rules import Rules
from interpreter.engine.program import Program

Enforcement = Literal["strict", "honor"]


@dataclass(frozen=True)
class Settled:
    """The rules of a game, who plays, what is chosen, and the program of that; see `Game`."""

    ruleset: Rules
    players: int
    options: dict[str, Any]
    variants: tuple[str, ...]
    enforcement: Enforcement
    program: Program = field(repr=False)

    def header(self) -> dict[str, Any]:
        """What identifies the game, as plain JSON data."""
        options = {name: _listed(value) for name, value in self.options.items()}
        return {
            "ruleset": self.ruleset.id, "digest": self.ruleset.digest, "players": self.players, "options": options,
            "variants": list(self.variants), "enforcement": self.enforcement,
        }  # fmt: skip


def _listed(value: Any) -> Any:
    """A value as JSON gives it back: a list option that each player has is a list of lists."""
    return [_listed(item) for item in value] if isinstance(value, tuple) else value
