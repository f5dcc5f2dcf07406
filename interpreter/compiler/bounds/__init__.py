"""How much the rules of a game can take at most: steps of an effect or a condition, moves of an action.

Mostly this costs nothing in play. A loop takes as many steps as what it goes through can have members, and that is
known for each game: a zone holds its capacity, or the pack. What would take too long is refused with its place before
anything is worked out. What may take long is counted while it is carried out (`engine/budget.py`): only loops that are
`heavy`, each by the members that it really has and by what is not counted within it, its `light` steps.
"""

from interpreter.compiler.bounds.action_moves import Bounds
from interpreter.compiler.bounds.too_much import check_bounds

__all__ = ["Bounds", "check_bounds"]
