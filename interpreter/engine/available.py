"""Which actions are open, before it is asked what they offer."""

from __future__ import annotations

from interpreter.engine.failures import by_rules
from interpreter.engine.frames import Frame, is_running
from interpreter.engine.notation import IllegalMove
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode, StageCode


def check_player(s: Position, player: int) -> None:
    """Refuse what is no player of this match. Raises IllegalMove."""
    if type(player) is not int or not 0 <= player < s.program.n:
        raise IllegalMove("no_such_player", f"there is no player {player}; players are 0 to {s.program.n - 1}")


def may_move(s: Position, player: int, frame: Frame, stage: StageCode) -> bool:
    """Whether the innermost stage waits for this player."""
    if stage.kind in ("turn", "trick"):
        return s.current == player
    if stage.kind == "race":
        return player in stage.players(s)
    return bool(frame.pending >> player & 1)


def check_part(s: Position, player: int, action: ActionCode) -> None:
    """An anytime action is open to those who take part in its stage."""
    if player not in s.program.stages[action.stage].players(s):
        raise IllegalMove("not_possible", f"you take no part in '{s.program.stages[action.stage].name}'")


@by_rules
def open_actions(s: Position, player: int, everything: bool = False) -> list[tuple[ActionCode, Frame]]:
    """Actions open to a player: of the innermost stage if it waits for them, and those open at any time."""
    frame = s.stack[-1]
    stage = s.program.stages[frame.stage]
    found: list[tuple[ActionCode, Frame]] = []
    out_of_turn = everything and s.program.honor and stage.kind in ("turn", "trick")
    if may_move(s, player, frame, stage) or out_of_turn:
        found += [(a, frame) for a in stage.actions]
    names: set[str] | None = None
    for outer in reversed(s.stack):
        code = s.program.stages[outer.stage]
        if not (code.anytime or code.closed) or not is_running(outer):
            continue
        for action in code.anytime:
            if names is None:
                names = {a.name for a in stage.actions}
            if action.name not in names:
                names.add(action.name)
                if player in code.players(s):
                    found.append((action, outer))
        if code.closed:
            break
    return found


def action_named(s: Position, name: str) -> ActionCode | None:
    """The action of that name, its first or another, which is open in the stages that run; the innermost wins."""
    if not s.stack:
        return None
    found = s.program.stages[s.stack[-1].stage].by_name.get(name)
    if found is not None:
        return found
    for outer in reversed(s.stack):
        code = s.program.stages[outer.stage]
        if not (code.anytime or code.closed) or not is_running(outer):
            continue
        for action in code.anytime:
            if action.name == name or name in action.also:
                return action
        if code.closed:
            break
    return None
