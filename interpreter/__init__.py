"""houserules: card games as data. Load a ruleset, make a game, play matches.

>>> import interpreter
>>> state = interpreter.load("hearts").game(players=4).start(seed=7)
>>> state.actors
[0, 1, 2, 3]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.diagnostics import Diagnostic, RulesetError
    from interpreter.game import Game, Option, OptionError, Ruleset, Variant, load, validate
    from interpreter.playouts import Playouts
    from interpreter.record import ReplayError, replay
    from interpreter.run.events import Event
    from interpreter.run.moves import Move
    from interpreter.run.program import RuleError
    from interpreter.run.state import State
    from interpreter.run.text import IllegalMove

__version__ = "0.1.0"
__all__ = [
    "Diagnostic", "Event", "Game", "IllegalMove", "Move", "Option", "OptionError", "Playouts", "ReplayError",
    "RuleError",    "Ruleset", "RulesetError", "State", "Variant", "load", "replay", "validate",
]  # fmt: skip

_HOMES = {
    "Diagnostic": "diagnostics", "RulesetError": "diagnostics", "Game": "game", "Option": "game", "OptionError": "game",
    "Ruleset": "game", "Variant": "game", "load": "game", "validate": "game", "Playouts": "playouts",
    "ReplayError": "record", "replay": "record", "Event": "run.events", "Move": "run.moves", "RuleError": "run.program",
    "State": "run.state", "IllegalMove": "run.text",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Public names are fetched when first used, so that the command line starts quickly."""
    if name not in _HOMES:
        raise AttributeError(f"module 'interpreter' has no attribute '{name}'")
    from importlib import import_module

    found = getattr(import_module(f"interpreter.{_HOMES[name]}"), name)
    globals()[name] = found
    return found
