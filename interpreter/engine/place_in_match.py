"""Where in a match something went wrong, as messages tell it."""

from __future__ import annotations

from interpreter.engine.outcomes import Outside
from interpreter.engine.position import Position


def told_place(s: Position) -> str:
    """Where in a match a state is, and the seed that leads there, in brackets.

    A seed that does not lead there, since chance came from elsewhere or was drawn anew, may tell which cards lie where.
    """
    leads = not s.setup.redrawn and not isinstance(s.setup.chance, Outside)
    found = [f"seed {s.seed}"] if leads else []
    for stage in s.program.stages:
        if stage.next_dealer is not None and s.runs[stage.index]:
            found.append(f"{stage.name} {s.runs[stage.index]}")
    if s.program.stages[s.stack[-1].stage].kind == "trick" and s.trick_number:
        found.append(f"trick {s.trick_number}")
    return f" ({', '.join(found)})" if found else ""
