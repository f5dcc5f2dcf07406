"""How a match goes on between decisions: stages are entered and left, turns pass, tricks are taken.

The stack holds one frame for each stage that is running, the innermost last. `advance` works on the top frame
until somebody has to decide or the match is over. Effects ask for calls and endings by leaving them in
`state.calls` and `state.jump`; they are honoured here, before anything else goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from interpreter.base.signs import shortened
from interpreter.engine.asking import ask_moved, begin_ask, begin_claims, begin_race, claims_moved, race_moved, resolve
from interpreter.engine.budget import MOST_SPENT
from interpreter.engine.chance import below
from interpreter.engine.events import DEAL, Event
from interpreter.engine.faults import age_by_end, end_claims
from interpreter.engine.frames import (
    BEFORE_NEXT,
    ENTER,
    GO,
    GONE,
    JUMP,
    LEAVE,
    MOVED,
    NOBODY,
    NOWHERE,
    PASSED,
    RUN,
    TO_TRICK,
    TO_TURN,
    WAIT,
    Frame,
    is_running,
)
from interpreter.engine.notation import named_player
from interpreter.engine.outcomes import no_outcome, take_chance
from interpreter.engine.position import Position
from interpreter.engine.program import StageCode
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.standing import winners

MAX_WAITING = 256
"""Calls that may wait for the end of running stages."""


def go_on(s: Position, frame: Frame) -> None:
    """What follows a move that has been carried out, until somebody has to decide. frame: of its stage."""
    if frame.pc == MOVED and not s.calls and s.jump == NOWHERE:
        stage = s.program.stages[frame.stage]
        stage.after(s, frame, stage)
    if frame.pc != WAIT or s.calls or s.jump != NOWHERE or s.stack[-1] is not frame:
        advance(s)


def advance(s: Position) -> None:
    """Go on until somebody has to decide, or the match is over.

    Raises RuleError where that takes too much, naming the stage that does not end: an automatic step counts as many
    steps as the rules that may be asked in it.
    """
    stack, stages = s.stack, s.program.stages
    while True:
        if s.calls or s.jump != NOWHERE:
            _take_requests(s)
        if not stack:
            _finish_match(s)
            return
        frame = stack[-1]
        if frame.pc == WAIT or s.halted:
            s.mark = GO  # what effects of the rules themselves have said is nobody's move
            return
        stage = stages[frame.stage]
        s.spent += stage.weight
        if s.spent > MOST_SPENT:
            raise RuleError(f"the stage '{stage.name}' goes on without anybody deciding anything", stage.span)
        if frame.pc == MOVED:
            stage.after(s, frame, stage)
        elif frame.pc == RUN:
            stage.begin(s, frame, stage)
        else:
            STEPS[frame.pc](s, frame, stage)


def _take_requests(s: Position) -> None:
    """Turn the calls and the ending that an effect asked for into frames; the calls run first."""
    stack = s.stack
    if not s.calls and stack and stack[-1].stage == s.jump and is_running(stack[-1]):  # nothing is dropped
        target, s.jump = s.jump, NOWHERE
        _arrive(s, stack[-1], target)
        return
    _check_waiting(s)
    calls, s.calls = s.calls, []
    lowest, direct = len(stack), []
    for call in calls:
        at = _behind(stack, call[0])
        if at is None:
            direct.append(call)
        else:  # a phase never runs twice at once: this call waits for its end
            stack.insert(at, Frame(call[0], ENTER, call[1]))
            lowest = min(lowest, at)
    if s.jump != NOWHERE:
        at = _target(s, s.jump)
        stack.insert(len(stack) if at is None or at >= lowest else lowest, _ending(s))
    stack += [Frame(stage, ENTER, args) for stage, args in reversed(direct)]


def _check_waiting(s: Position) -> None:
    """Raise RuleError where more calls would wait than may."""
    if s.calls and len(s.stack) + len(s.calls) + (s.jump != NOWHERE) > len(s.program.stages) + MAX_WAITING:
        called = s.program.stages[s.calls[-1][0]]
        raise RuleError(
            f"more than {MAX_WAITING} calls wait for the end of '{called.name}' or other stages", called.span
        )


def defer_requests(s: Position) -> None:
    """Let calls, and an ending after them, wait for the end of the innermost stage, behind those that wait."""
    _check_waiting(s)
    stack = s.stack
    at = len(stack) - 1
    while not is_running(stack[at - 1]):
        at -= 1
    stack[at:at] = [Frame(stage, ENTER, args) for stage, args in reversed(s.calls)]
    s.calls = []
    if s.jump != NOWHERE:
        stack.insert(at, _ending(s))


def _ending(s: Position) -> Frame:
    """The ending that was asked for, as a frame."""
    ending = Frame(0, JUMP)
    ending.step, s.jump = s.jump, NOWHERE
    return ending


def _behind(stack: list[Frame], stage: int) -> int | None:
    """Where in the stack a call of a running stage waits, behind those that wait already. None: it runs at once."""
    if not any(f.stage == stage and is_running(f) for f in stack):
        return None
    return next(i for i, f in enumerate(stack) if f.stage == stage and f.pc != JUMP)


def _enter(s: Position, frame: Frame, stage: StageCode) -> None:
    if frame.args is not None:
        frame.saved = (s.current, tuple(s.v[slot] for slot in s.program.turn_slots) if stage.has_turns else ())
        for (_, slot), value in zip(stage.params, frame.args, strict=True):
            s.v[slot] = value
    if stage.when is not None and not stage.when(s):
        frame.pc = GONE
        frame.step = -1
    else:
        _open(s, frame, stage)


def begun(s: Position, number: int) -> None:
    """Count that a stage has begun in which there is nothing to reset."""
    s.runs[number] += 1
    if s.log is not None:
        s.changes[number] += 1


def entered(s: Position, number: int) -> Frame:
    """A stage has begun in which there is nothing to reset, and is on the stack."""
    s.runs[number] += 1
    if s.log is not None:
        s.changes[number] += 1
    frame = Frame(number, RUN)
    s.stack.append(frame)
    return frame


def went_through(s: Position, frame: Frame, number: int) -> bool:
    """Enter a stage inside the running one, which is to be; whether all is done in it, and what follows can be."""
    _go_into(s, s.program.stages[number])
    return s.stack[-1] is frame and not s.calls and s.jump == NOWHERE and not s.halted


def _go_into(s: Position, stage: StageCode) -> None:
    """Enter a stage inside the running one, which is to be."""
    if stage.at_once:
        s.runs[stage.index] += 1
        if s.log is not None:
            s.changes[stage.index] += 1
        for hook in stage.hooks:
            hook(s)
        return
    frame = Frame(stage.index)
    s.stack.append(frame)
    _open(s, frame, stage)


def _open(s: Position, frame: Frame, stage: StageCode) -> None:
    """The stage begins: nothing in it has run, its variables are fresh."""
    halt = s.halt_after
    if halt is not None and halt[1] == BEFORE_NEXT and halt[0] == stage.index:
        s.halted = True
        return
    runs = s.runs
    runs[stage.index] += 1
    if s.log is not None:
        s.changes[stage.index] += 1
    for child in stage.children:
        runs[child] = 0
    if stage.reset is not None:
        stage.reset(s)
    if stage.first_dealer is not None:
        choose_dealer(s, stage)
    if stage.next_dealer is not None:
        _begin_deal(s, stage)
    frame.pc = RUN
    if stage.setup is not None:
        stage.setup(s)
        if s.calls or s.jump != NOWHERE:
            return
    stage.begin(s, frame, stage)


def choose_dealer(s: Position, stage: StageCode) -> None:
    """Find out who deals first. Raises ChanceError where somebody was fixed who does not play."""
    assert stage.first_dealer is not None
    said = stage.first_dealer(s)
    chosen: int | None
    if said == "random":
        chosen = _random_dealer(s)
    elif isinstance(said, str):
        chosen = named_player(s.program, said) if said[:1] in "Pp" and said[1:].isdigit() else None
    else:
        chosen = said
    if chosen is not None:
        s.dealer = chosen
        if s.log is not None:
            s.note(Event("first dealer", None, f"P{chosen + 1}"))


def _random_dealer(s: Position) -> int:
    """Who deals first by chance, or as given."""
    given = take_chance(s, "first dealer", lambda: [f"P{player + 1}" for player in range(s.program.n)])
    chosen = below(s, s.program.n) if given is None else named_player(s.program, str(given))
    if chosen is None:
        raise no_outcome(s, "first dealer", f"'{shortened(str(given))}' is no player of this match")
    return chosen


def _begin_deal(s: Position, stage: StageCode) -> None:
    if stage.direction != "kept":
        s.direction = 1 if stage.direction == "left" else -1
    if s.log is not None:
        dealer = "" if s.dealer is None else f", dealt by P{s.dealer + 1}"
        s.note(Event(DEAL, None, f"{s.runs[stage.index]}{dealer}", source=stage.name))


def _run_do(s: Position, frame: Frame, stage: StageCode) -> None:
    stack, children, following, stages = s.stack, stage.children, stage.following, s.program.stages
    last = len(children)
    while stack[-1] is frame and not s.calls and s.jump == NOWHERE and not s.halted:
        step = following[frame.step]
        if step == last or (frame.step and stage.until is not None and stage.until(s)):
            frame.pc = LEAVE
            return
        frame.step = step + 1
        child = stages[children[step]]
        if child.when is None or child.when(s):
            _go_into(s, child)


def _run_repeat(s: Position, frame: Frame, stage: StageCode) -> None:
    step = stage.following[frame.step]
    if step == len(stage.children):
        if stage.until is not None and stage.until(s):
            frame.pc = LEAVE
            return
        step = stage.following[0]
    if step < len(stage.children):  # else nothing in it can ever run, and `advance` will say so
        frame.step = step + 1
        child = s.program.stages[stage.children[step]]
        if child.when is None or child.when(s):
            _go_into(s, child)
    else:
        frame.step = step


def _run_effect(s: Position, frame: Frame, stage: StageCode) -> None:
    frame.pc = LEAVE
    if stage.effect is not None:
        stage.effect(s)
        if s.calls or s.jump != NOWHERE:
            return
    _leave(s, frame, stage)


def begin_given(s: Position, frame: Frame, stage: StageCode, current: int | None) -> None:
    """Begin a leaf in a position that was set up: nothing set is reset, `current` stands in for first and leader."""
    if stage.kind in ("turn", "trick"):
        stage.begin(s, frame, stage, current, False)
    else:
        stage.begin(s, frame, stage)


def _leave(s: Position, frame: Frame, stage: StageCode) -> None:
    frame.pc = GONE
    if stage.cleanup is not None:
        stage.cleanup(s)
        if s.calls or s.jump != NOWHERE:
            return
    _gone(s, frame, stage)


def _gone(s: Position, frame: Frame, stage: StageCode) -> None:
    if s.log is not None:
        s.changes[stage.index] += 1
    if s.redealing and stage.next_dealer is not None:  # the same deal once more, with the same number
        s.redealing = False
        s.runs[stage.index] -= 1
        frame.pc, frame.step = ENTER, 0
        return
    s.stack.pop()
    halt = s.halt_after
    if halt is not None and halt[0] == stage.index and s.runs[stage.index] >= halt[1]:
        s.halted = True
    if frame.step >= 0:
        if s.faults:
            age_by_end(s, stage.name)
        if s.program.honor:
            end_claims(s, stage.name)
        if stage.next_dealer is not None and s.dealer is not None:
            s.dealer = stage.next_dealer(s)
    if frame.saved is not None:
        _bring_back(s, frame, frame.passed)
        if frame.passed:
            _mark_caller(s, frame.saved[0])


def _bring_back(s: Position, frame: Frame, passed: bool) -> None:
    """The turn as it was when a stage was called; passed: it was passed there, so current stays."""
    assert frame.saved is not None
    current, values = frame.saved
    for slot, value in zip(s.program.turn_slots, values, strict=False):
        s.v[slot] = value
    if not passed:
        s.current = current


def _mark_caller(s: Position, holder: int) -> None:
    """`pass turn` in a called stage counts for the turn in which it was called; if that is called too, it goes on."""
    for frame in reversed(s.stack):
        if frame.pc in (MOVED, WAIT) and s.program.stages[frame.stage].kind in ("turn", "trick"):
            if frame.pc == WAIT or frame.mover == NOBODY:
                frame.mover = holder
            frame.pc, frame.mark = MOVED, PASSED
            return
        if frame.saved is not None:
            frame.passed = True
            return


def _target(s: Position, target: int) -> int | None:
    """Where in the stack the stage lies that an ending is about: the innermost one that is running."""
    for at in range(len(s.stack) - 1, -1, -1):
        frame = s.stack[at]
        if not is_running(frame):
            continue
        kind = s.program.stages[frame.stage].kind
        ends_turn = target == TO_TURN and kind in ("turn", "trick")
        if frame.stage == target or ends_turn or (target == TO_TRICK and kind == "trick"):
            return at
    return None


def _jump(s: Position, frame: Frame, stage: StageCode) -> None:
    """Everything inside the stage is dropped; it leaves by its own cleanup only."""
    s.stack.pop()
    at = _target(s, frame.step)
    if at is None:
        blamed = s.program.stages[max(frame.step, 0)]
        name = {TO_TURN: "turn", TO_TRICK: "trick"}.get(frame.step) or blamed.name
        raise RuleError(f"'finish {name}' was said while no {name} is going on", blamed.span)
    passed = False
    for dropped in reversed(s.stack[at + 1 :]):
        if s.log is not None:
            s.changes[dropped.stage] += 1
        if dropped.saved is not None:
            passed = passed or dropped.passed
            _bring_back(s, dropped, passed)
    del s.stack[at + 1 :]
    _arrive(s, s.stack[at], frame.step)


def _arrive(s: Position, frame: Frame, target: int) -> None:
    if target == TO_TURN:
        frame.pc, frame.mover, frame.mark = MOVED, s.current, GO
    elif target == TO_TRICK:
        stage = s.program.stages[frame.stage]
        stage.ended(s, frame, stage)
    elif frame.pc != GONE:  # else its cleanup has asked for what is going on already
        frame.pc = LEAVE


def _next_trick(s: Position, frame: Frame, stage: StageCode) -> None:
    stage.next(s, frame, stage)


def _finish_match(s: Position) -> None:
    s.over = True
    if s.log is not None:
        who = ", ".join(f"P{p + 1}" for p in winners(s))
        s.note(Event("over", None, f"won by {who}" if who else "nobody wins"))


Step = Callable[["Position", Frame, StageCode], None]
BEGIN: dict[str, Step] = {
    "do": _run_do, "repeat": _run_repeat, "effect": _run_effect, "ask": begin_ask, "simultaneous": begin_ask,
    "race": begin_race, "claims": begin_claims,
}  # fmt: skip
AFTER: dict[str, Step] = {
    "ask": ask_moved, "simultaneous": ask_moved, "race": race_moved, "claims": claims_moved,
}  # fmt: skip


def prepare(stage: StageCode, own: Mapping[str, Step | None]) -> None:
    """Give a stage what the machine calls: the functions of its kind, or its own, where it has turns or tricks."""
    stage.begin = own["begin"] or BEGIN[stage.kind]
    stage.after = own["moved"] or AFTER.get(stage.kind, _unexpected)
    stage.ended = own["ended"] or _unexpected
    stage.next = own["next"] or _unexpected


def _unexpected(s: Position, frame: Frame, stage: StageCode) -> None:
    raise AssertionError(f"'{stage.name}' is not stepped in this state")


STEPS: tuple[Step, ...] = (_enter, _unexpected, _unexpected, _unexpected, _next_trick, _leave, _gone, _jump, resolve)
