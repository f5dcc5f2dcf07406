"""houserules: card games as data. Load a ruleset, make a game, play matches.

>>> import interpreter
>>> state = interpreter.load("hearts").game(players=4).start(seed=7)
>>> state.actors
[0, 1, 2, 3]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.api.game import Game
    from interpreter.api.options import Option, OptionError
    from interpreter.api.playouts import Playouts
    from interpreter.api.record import ReplayError, replay
    from interpreter.api.ruleset import Ruleset, Variant, load
    from interpreter.api.validation import validate
    from interpreter.base.diagnostics import Diagnostic, RulesetError
    from interpreter.engine.events import Event
    from interpreter.engine.moves import Move
    from interpreter.engine.notation import IllegalMove
    from interpreter.engine.program import RuleError
    from interpreter.engine.state import State

__version__ = "0.1.0"
__all__ = [
    "Diagnostic", "Event", "Game", "IllegalMove", "Move", "Option", "OptionError", "Playouts", "ReplayError",
    "RuleError",    "Ruleset", "RulesetError", "State", "Variant", "load", "replay", "validate",
]  # fmt: skip

_HOMES = {
    "Diagnostic": "base.diagnostics", "RulesetError": "base.diagnostics", "Game": "api.game", "Option": "api.options",
    "OptionError": "api.options", "Ruleset": "api.ruleset", "Variant": "api.ruleset", "load": "api.ruleset",
    "validate": "api.validation", "Playouts": "api.playouts", "ReplayError": "api.record", "replay": "api.record",
    "Event": "engine.events", "Move": "engine.moves", "RuleError": "engine.program", "State": "engine.state",
    "IllegalMove": "engine.notation",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Public names are fetched when first used, so that the command line starts quickly."""
    if name not in _HOMES:
        raise AttributeError(f"module 'interpreter' has no attribute '{name}'")
    from importlib import import_module

    found = getattr(import_module(f"interpreter.{_HOMES[name]}"), name)
    globals()[name] = found
    return found
