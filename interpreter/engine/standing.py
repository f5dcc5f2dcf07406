"""Where a match stands: its phase, scores, winners and places."""

from __future__ import annotations

from interpreter.engine.failures import by_rules
from interpreter.engine.position import Position


def phase(s: Position) -> str:
    """The name of the stage that is going on, innermost; "over" when the match is over."""
    return "over" if s.over else s.program.stages[s.stack[-1].stage].name


def kind_of_phase(s: Position) -> str:
    """The kind of the innermost stage; "" when the match is over."""
    return "" if s.over else s.program.stages[s.stack[-1].stage].kind


def plays_tricks(s: Position) -> bool:
    """Whether tricks are being played: those of the deal before count no more when the next one is begun."""
    return any(s.program.stages[frame.stage].kind == "trick" for frame in s.stack)


@by_rules
def takes_part(s: Position, player: int) -> bool:
    """Whether a player is among those for whom the stages are that hold the innermost one, as a deal does; as far as
    that hangs on nothing hidden."""
    return player in _taking_part(s, "do", "repeat")


@by_rules
def sitting_out(s: Position) -> list[int]:
    """The players who are left out of the deal, or of the tricks that are played, as far as that hangs on nothing
    hidden."""
    if s.over:
        return []
    part = _taking_part(s, "do", "repeat", "trick")
    return [player for player in range(s.program.n) if player not in part]


def _taking_part(s: Position, *kinds: str) -> set[int]:
    """Who takes part in the stages of some kinds that are going on. Where hidden cards decide that, it is known of
    nobody before they are passed over."""
    part = set(range(s.program.n))
    for stage in [s.program.stages[frame.stage] for frame in s.stack]:
        if stage.kind in kinds:
            left = part.intersection(stage.players(s))
            if left != part and not s.program.secrets().stages[stage.index].players_by:
                part = left
    return part


@by_rules
def scores(s: Position) -> list[int]:
    """One number per player; a team's at each of its members."""
    return s.program.scores(s)


@by_rules
def standings(s: Position) -> list[float]:
    """How well each player stands: by what places go by, else by the score, of which more is better."""
    if s.program.places_of is not None:
        return [-place for place in s.program.places_of(s)]
    return list(map(float, s.program.scores(s)))


@by_rules
def winners(s: Position) -> list[int]:
    """The players who have won; empty until the match is over."""
    if not s.over or s.program.winners is None:
        return []
    return list(s.program.winners(s))


@by_rules
def places(s: Position) -> list[int]:
    """The place of each player, 1 for the best; equal ones share it. Empty until the match is over."""
    if not s.over:
        return []
    if s.program.places_of is not None:
        keys = s.program.places_of(s)
    else:
        won = winners(s)
        keys = [0 if p in won else 1 for p in range(s.program.n)]
    return [1 + sum(other < key for other in keys) for key in keys]
