"""houserules: card games as data. Load a ruleset, make a game of it, play matches.

A ruleset is a YAML file, or the id of one that comes with the program. A game fixes its players and options; a state is
a match in progress. Players are 0 to n-1 in Python and `P1` to `Pn` in text.

>>> import interpreter
>>> hearts = interpreter.load("hearts")                     # Ruleset: .id .name .players .options .variants
>>> game = hearts.game(players=4, options={"target": 50})   # Game; enforcement="honor" plays without a judge
>>> state = game.start(seed=7)                              # State; the same seed gives the same match
>>> state.phase, state.actors
('passing', [0, 1, 2, 3])

Who acts chooses among what is lawful. A move is itself or its text; whatever is refused changes nothing.

>>> moves = state.legal_moves(0)
>>> len(moves), str(moves[0])
(286, 'pass 2S 3D 4S')
>>> events = state.play(0, "pass 2S 3D 4S")
>>> state.play(0, moves[0])
Traceback (most recent call last):
interpreter.engine.notation.IllegalMove: in_turn: it is P2, P3, P4's turn

What a player may know is plain data; the record of a match is text that plays it again.

>>> sorted(state.view(1)["zones"]["hand"]["P1"])            # how many cards, and no faces
['cards', 'count']
>>> again = interpreter.replay(state.record())
>>> again.to_json() == state.to_json()
True

`state.undo()` takes back the last move and what chance gave since, in strict play. `game.start(seed, log=False,
native=True)` is a match as machine code (the extra `native`): it plays alike, and faster where machine code can do it.

Also: `validate` says everything that is wrong with a file and never raises for it; `game.playouts` plays many random
matches fast; `state.copy()` is a match of its own; `game.restore` takes `state.to_json()`. Errors: RulesetError (with
`.diagnostics`), OptionError, IllegalMove, RuleError, ReplayError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.api.game import Game, Ruleset, State, load
    from interpreter.api.options import Option, OptionError
    from interpreter.api.playouts import Playouts
    from interpreter.api.record import ReplayError, replay
    from interpreter.api.rules import Variant
    from interpreter.api.validation import validate
    from interpreter.base.diagnostics import Diagnostic, RulesetError
    from interpreter.engine.events import Event
    from interpreter.engine.moves import Move
    from interpreter.engine.notation import IllegalMove
    from interpreter.engine.rule_errors import RuleError

__version__ = "0.1.0"
__all__ = [
    "Diagnostic", "Event", "Game", "IllegalMove", "Move", "Option", "OptionError", "Playouts", "ReplayError",
    "RuleError", "Ruleset", "RulesetError", "State", "Variant", "load", "replay", "validate",
]  # fmt: skip

_HOMES = {
    "Diagnostic": "base.diagnostics", "RulesetError": "base.diagnostics", "Game": "api.game", "Option": "api.options",
    "OptionError": "api.options", "Ruleset": "api.game", "Variant": "api.rules", "load": "api.game",
    "validate": "api.validation", "Playouts": "api.playouts", "ReplayError": "api.record", "replay": "api.record",
    "Event": "engine.events", "Move": "engine.moves", "RuleError": "engine.rule_errors", "State": "api.game",
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


def __dir__() -> list[str]:
    """Public names are there before they are fetched, so that a prompt can complete them."""
    return sorted({*globals(), *__all__})
