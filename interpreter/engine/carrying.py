"""What a move does and says, once it is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter.base.diagnostics import suggest
from interpreter.engine import redaction
from interpreter.engine.chance import derive
from interpreter.engine.events import ALL, Event, new_event
from interpreter.engine.faults import age_by_move
from interpreter.engine.frames import GO, MOVED, NOBODY, NOWHERE, PASSED, STAY, TO_TURN, Frame
from interpreter.engine.notation import IllegalMove
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.standing import kind_of_phase
from interpreter.engine.timing import MOST_TIME

MOST_BESIDE = 50_000
"""Letters of the times and measures of a move that may be refused, with NUMBER for each value; they are recorded."""
NUMBER = 20
ELSEWHERE = 0x5DEECE66D1CE4E5B
"""A seed apart from those of matches, for what is only tried out: what chance gives there is no secret."""
HAS_CHOSEN = "has chosen"
"""All that others learn of a move in a simultaneous stage."""


def carry_out(
    s: Position,
    player: int,
    action: ActionCode,
    args: tuple[Any, ...],
    extra: tuple[int, ...],
    frame: Frame,
    text: str,
    side: bool = False,
) -> None:
    """Run a move's effect and hand over to the machine.

    args: real cards, not faces. extra: its measures, as they were when it was judged. side: a move out of turn, which
    never passes the turn.
    """
    program = s.program
    kind = program.stages[frame.stage].kind
    simultaneous = kind == "simultaneous" and not action.anytime
    secret: redaction.Parts | None = None
    start = 0
    if s.log is not None:
        start = len(s.log)
        log_move(s, player, action, args, text, simultaneous)
        if action.keeps_secrets and not simultaneous:
            secret = redaction.parts_of(s, player, action, args)
    if simultaneous:
        s.hidden = 1 << player
    if s.faults:
        age_by_move(s)
    s.mark, s.spent = GO, s.carried  # what it took to judge the move is done with
    current = s.current
    passed = [f for f in s.stack if f.passed] if side else []
    action.apply(s, player, *args, *extra)
    s.hidden = 0
    if simultaneous and s.log is not None and s.mark == STAY:
        del s.log[start + 1]  # who is to choose once more has not chosen
    if secret is not None and s.log is not None:
        log = s.log
        log[start] = redaction.retold(s, player, action, text, secret, log[start:])
    if side:
        _keep_turn(s, current, passed)
    frame.pc = MOVED
    frame.mover = NOBODY if action.anytime or side or (kind == "trick" and not action.is_play) else player
    frame.mark = s.mark
    if s.mark == PASSED and frame.mover == NOBODY:
        frame.mover = player
    if program.honor:
        frame.moved = s.tick
    s.mark = GO


def _keep_turn(s: Position, current: int, passed: Sequence[Frame]) -> None:
    """Undo what a side turn has said of the table's turn."""
    if s.mark == PASSED:
        s.current, s.mark = current, GO
        for frame in s.stack:
            frame.passed = frame in passed
    if s.jump == TO_TURN:
        s.jump = NOWHERE


def log_move(s: Position, player: int, action: ActionCode, args: tuple[Any, ...], text: str, hidden: bool) -> None:
    """Tell of a move, of what is said with it in strict play, and of its label.

    hidden: others learn no more than that the player has chosen.
    """
    log = s.log
    if log is None:
        return
    told = 1 << player if hidden else ALL if action.told is None else action.told(s, player) | 1 << player
    if hidden:
        log.append(new_event(Event, ("move", player, text, (), action.told_in, "", ALL, 1 << player)))
        log.append(new_event(Event, ("move", player, HAS_CHOSEN, (), "", "", ALL, ~(1 << player))))
    else:
        log.append(new_event(Event, ("move", player, text, (), action.told_in, "", ALL, told)))
    if action.says is not None and not s.program.honor:
        for _, words, _ in action.says(s, player, *args):
            s.note(Event("say", player, f'"{words}"'))
    if action.label is not None:
        label = action.label(s, player, *args)
        if label:
            s.note(Event("label", player, label, told=told))


def told_of_taken_back(
    s: Position, player: int, action: ActionCode, args: tuple[Any, ...], extra: tuple[int, ...], text: str
) -> list[Event]:
    """How a move is told that is taken back: each player reads of it what is read if it stands.

    Where that depends on what it does, it is carried out elsewhere, and by chance of its own: that of the match would
    tell what comes next, and is not known any more where a match is made again from what came about in it. So it hangs
    on how many moves were made and on nothing else.
    """
    plain = not action.keeps_secrets and action.told is None
    found = [Event("move", player, text, source=action.told_in)]
    if s.log is not None and not (plain and kind_of_phase(s) != "simultaneous"):
        stood = s.copy()
        stood.log = []
        stood.seed, stood.draws, stood.chance = derive(ELSEWHERE, len(s.record_moves)), 0, {}
        try:
            carry_out(stood, player, action, args, extra, stood.stack[-1], text)
            found = [event for event in stood.log if event.kind == "move"]
        except Exception:  # it could not stand, so nobody has seen what came of it
            found = [Event("move", player, text, source=action.told_in, told=1 << player)]
    return [redaction.taken_back(event) for event in found]


def measured_args(
    s: Position, player: int, action: ActionCode, args: tuple[Any, ...], given: Mapping[str, int]
) -> tuple[int, ...]:
    """The measures of a move as arguments. Raises IllegalMove outside of bounds, RuleError where these are empty."""
    found = []
    for name, bounds in action.measured:
        low, high = bounds(s, player, *args)
        if low > high:
            raise RuleError(f"the least '{name}' of the action '{action.name}' is above its most", action.span)
        value = given.get(name, low)
        if type(value) is not int or not low <= value <= high:
            raise IllegalMove("measure", f"{name} is a number from {low} to {high}")
        found.append(value)
    return tuple(found)


def check_measures(action: ActionCode | None, measures: Mapping[str, int]) -> None:
    """Nothing is measured but what the action says; what it says must not be given, and is then the lowest."""
    known = [] if action is None else [name for name, _ in action.measured]
    for name in measures:
        if name not in known:
            what = "this" if action is None else f"'{action.name}'"
            raise IllegalMove("measure", f"'{name}' is not measured in {what}; {suggest(name, known, 'measures')}")


def recordable(measures: Mapping[str, int]) -> dict[str, int]:
    """Times and measures as a record can hold them, whatever move they are given with: no time is None, and all are of
    bounded size. Raises IllegalMove."""
    found = {name: value for name, value in measures.items() if value is not None}
    if not all(name.isidentifier() and name != "refused" for name in found):  # which a record says of the move
        raise IllegalMove("measure", "a measure is called by a name, which is not 'refused'")
    if sum(len(name) + NUMBER for name in found) > MOST_BESIDE:
        raise IllegalMove("measure", "so many measures are not given with a move, or not by such long names")
    if any(abs(value) > MOST_TIME for value in found.values()):
        raise IllegalMove("measure", f"times and measures are whole numbers, at most {MOST_TIME:,}")
    return found
