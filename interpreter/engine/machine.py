"""How a match goes on between decisions: stages are entered and left, turns pass, tricks are taken.

The stack holds one frame for each stage that is running, the innermost last. `advance` works on the top frame
until somebody has to decide or the match is over. Effects ask for calls and endings by leaving them in
`state.calls` and `state.jump`; they are honoured here, before anything else goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from interpreter.base.signs import shortened
from interpreter.engine.budget import MOST_SPENT
from interpreter.engine.chance import below
from interpreter.engine.events import ALL, Event, new_event
from interpreter.engine.program import RuleError, StageCode

if TYPE_CHECKING:
    from interpreter.engine.table import Table

ENTER, RUN, WAIT, MOVED, TRICK, LEAVE, GONE, JUMP, RESOLVE = range(9)
GO, STAY, AGAIN, PASSED = range(4)
TO_TURN, TO_TRICK, NOWHERE = -3, -2, -1
TAKES = tuple(f"takes trick {number}" for number in range(60))
MAX_WAITING = 256
"""Calls that may wait for the end of running stages."""
NOBODY = -1
BEFORE_NEXT = -1
"""In place of a number of runs after which a match stops: it stops before the next one begins."""


class Frame:
    """A running stage.

    pc: what happens to it next. step: runs of a container, turns of a turn stage, bits of the players who have
    answered where several are asked, the target of a jump. pending: bits of the players still asked; of a turn stage,
    how many turns it has. mover: who moved last (NOBODY: a move that
    does not concern the turn). moved: on honour, the tick of that move. mark: what the move said of the turn. saved:
    of a called stage, (current, turn variables) as they were at the call; the variables only if there are turns in
    it. passed: the turn was passed in the called stage. args: of a call.
    """

    __slots__ = ("args", "mark", "moved", "mover", "passed", "pc", "pending", "saved", "stage", "step")

    def __init__(self, stage: int, pc: int = ENTER, args: tuple[Any, ...] | None = None) -> None:
        self.stage = stage
        self.pc = pc
        self.step = 0
        self.pending = 0
        self.mover = NOBODY
        self.moved = 0
        self.mark = GO
        self.passed = False
        self.saved: tuple[int, tuple[Any, ...]] | None = None
        self.args = args

    def copy(self) -> Frame:
        new = Frame.__new__(Frame)
        new.stage, new.pc, new.step, new.pending = self.stage, self.pc, self.step, self.pending
        new.mover, new.moved, new.mark, new.passed = self.mover, self.moved, self.mark, self.passed
        new.saved, new.args = self.saved, self.args
        return new

    def to_json(self) -> list[Any]:
        return [
            self.stage, self.pc, self.step, self.pending, self.mover, self.mark, self.passed, self.saved, self.args,
            self.moved,
        ]  # fmt: skip


def advance(s: Table) -> None:
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


def _take_requests(s: Table) -> None:
    """Turn the calls and the ending that an effect asked for into frames; the calls run first."""
    stack = s.stack
    if not s.calls and stack and stack[-1].stage == s.jump and is_running(stack[-1]):  # nothing is dropped
        target, s.jump = s.jump, NOWHERE
        _arrive(s, stack[-1], target)
        return
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
    if len(stack) > len(s.program.stages) + MAX_WAITING:
        called = s.program.stages[stack[lowest].stage]
        raise RuleError(
            f"more than {MAX_WAITING} calls wait for the end of '{called.name}' or other stages", called.span
        )


def defer_requests(s: Table) -> None:
    """Let calls, and an ending after them, wait for the end of the innermost stage, behind those that wait."""
    stack = s.stack
    at = len(stack) - 1
    while not is_running(stack[at - 1]):
        at -= 1
    stack[at:at] = [Frame(stage, ENTER, args) for stage, args in reversed(s.calls)]
    s.calls = []
    if s.jump != NOWHERE:
        stack.insert(at, _ending(s))


def is_running(frame: Frame) -> bool:
    """Whether the stage has been entered."""
    return frame.pc != ENTER and frame.pc != JUMP


def _ending(s: Table) -> Frame:
    """The ending that was asked for, as a frame."""
    ending = Frame(0, JUMP)
    ending.step, s.jump = s.jump, NOWHERE
    return ending


def _behind(stack: list[Frame], stage: int) -> int | None:
    """Where in the stack a call of a running stage waits, behind those that wait already. None: it runs at once."""
    if not any(f.stage == stage and is_running(f) for f in stack):
        return None
    return next(i for i, f in enumerate(stack) if f.stage == stage and f.pc != JUMP)


def _enter(s: Table, frame: Frame, stage: StageCode) -> None:
    if frame.args is not None:
        frame.saved = (s.current, tuple(s.v[slot] for slot in s.program.turn_slots) if stage.has_turns else ())
        for (_, slot, default), value in zip(stage.params, frame.args, strict=True):
            s.v[slot] = default if value is None else value
    if stage.when is not None and not stage.when(s):
        frame.pc = GONE
        frame.step = -1
    else:
        _open(s, frame, stage)


def _go_into(s: Table, number: int) -> None:
    """Enter a stage inside the running one, if it is to be."""
    stage = s.program.stages[number]
    if stage.when is not None and not stage.when(s):
        return
    if stage.at_once:
        s.runs[number] += 1
        for hook in stage.hooks:
            hook(s)
        return
    frame = Frame(number)
    s.stack.append(frame)
    _open(s, frame, stage)


def _open(s: Table, frame: Frame, stage: StageCode) -> None:
    """The stage begins: nothing in it has run, its variables are fresh."""
    if s.halt_after is not None and s.halt_after[1] == BEFORE_NEXT and s.halt_after[0] == stage.index:
        s.halted = True
        return
    runs = s.runs
    runs[stage.index] += 1
    for child in stage.children:
        runs[child] = 0
    if stage.reset is not None:
        stage.reset(s)
    if stage.first_dealer is not None:
        _first_dealer(s, stage)
    if stage.next_dealer is not None:
        _begin_deal(s, stage)
    frame.pc = RUN
    if stage.setup is not None:
        stage.setup(s)
        if s.calls or s.jump != NOWHERE:
            return
    stage.begin(s, frame, stage)


def _first_dealer(s: Table, stage: StageCode) -> None:
    assert stage.first_dealer is not None
    chosen = stage.first_dealer(s)
    if chosen == "random":
        given = s.take_chance("first dealer")
        chosen = below(s, s.program.n) if given is None else s.person(str(given))
        if chosen is None:
            raise s.no_outcome("first dealer", f"'{shortened(str(given))}' is no player of this match")
    if isinstance(chosen, str):
        chosen = s.person(chosen) if chosen[:1] in "Pp" and chosen[1:].isdigit() else None
    if chosen is not None:
        s.dealer = chosen
        if s.log is not None:
            s.note(Event("first dealer", None, f"P{chosen + 1}"))


def _begin_deal(s: Table, stage: StageCode) -> None:
    if stage.direction != "kept":
        s.direction = 1 if stage.direction == "left" else -1
    if s.log is not None:
        dealer = "" if s.dealer is None else f", dealt by P{s.dealer + 1}"
        s.note(Event(stage.name, None, f"{s.runs[stage.index]}{dealer}"))


def _run_do(s: Table, frame: Frame, stage: StageCode) -> None:
    stack, last = s.stack, len(stage.children)
    while stack[-1] is frame and not s.calls and s.jump == NOWHERE and not s.halted:
        step = stage.following[frame.step]
        if step == last or (frame.step and stage.until is not None and stage.until(s)):
            frame.pc = LEAVE
            return
        frame.step = step + 1
        _go_into(s, stage.children[step])


def _run_repeat(s: Table, frame: Frame, stage: StageCode) -> None:
    step = stage.following[frame.step]
    if step == len(stage.children):
        if stage.until is not None and stage.until(s):
            frame.pc = LEAVE
            return
        step = stage.following[0]
    if step < len(stage.children):  # else nothing in it can ever run, and `advance` will say so
        frame.step = step + 1
        _go_into(s, stage.children[step])
    else:
        frame.step = step


def _run_effect(s: Table, frame: Frame, stage: StageCode) -> None:
    frame.pc = LEAVE
    if stage.effect is not None:
        stage.effect(s)
        if s.calls or s.jump != NOWHERE:
            return
    _leave(s, frame, stage)


# ---- turns ------------------------------------------------------------------------------------


def next_player(s: Table, after: int, players: list[int]) -> int | None:
    """The next of `players` after a seat in the direction of play, leaving out those to be skipped."""
    if not players:
        return None
    order = s.order()
    at = order.index(after)
    for _ in range(2):
        for step in range(1, len(order) + 1):
            player = order[(at + step * s.direction) % len(order)]
            if player in players:
                if s.skips >> player & 1:
                    s.skips &= ~(1 << player)
                    continue
                return player
    return None


def begin_given(s: Table, frame: Frame, stage: StageCode, current: int | None) -> None:
    """Begin a leaf in a position that was set up: nothing set is reset, `current` stands in for first and leader."""
    if stage.kind == "turn":
        _begin_turn_stage(s, frame, stage, current, reset=False)
    elif stage.kind == "trick":
        _begin_tricks(s, frame, stage, current, reset=False)
    else:
        BEGIN[stage.kind](s, frame, stage)


def _begin_turn_stage(s: Table, frame: Frame, stage: StageCode, first: int | None = None, reset: bool = True) -> None:
    players = stage.players(s)
    if first is None:
        first = s.current if stage.first is None else stage.first(s)
    if first not in players:
        follower = next_player(s, first, players)
        if follower is None:
            frame.pc = LEAVE
            return
        first = follower
    s.current = first
    frame.step = 0
    _begin_turn(s, frame, stage, players, reset)


def _begin_turn(s: Table, frame: Frame, stage: StageCode, players: list[int], reset: bool = True) -> None:
    """A turn begins, unless the stage has had all its turns."""
    frame.step += 1
    if stage.turns is not None:
        if frame.step == 1:  # how many there are is settled when the stage begins
            frame.pending = stage.turns(s)
        if frame.step > frame.pending:
            frame.pc = LEAVE
            return
    if s.current not in players:
        follower = next_player(s, s.current, players)
        if follower is None:
            frame.pc = LEAVE
            return
        s.current = follower
    frame.pc = WAIT
    if reset and s.program.reset_turn is not None:
        s.program.reset_turn(s)
    if stage.on_turn is not None:
        _on_turn(s, frame, stage.on_turn)


def _turn_moved(s: Table, frame: Frame, stage: StageCode) -> None:
    mark, mover = frame.mark, frame.mover
    frame.mark = GO
    stays = mark == STAY or mover == NOBODY
    if not stays and mark != AGAIN and s.faults:
        s.age_by_turn(mover, frame.moved)
    players = stage.players(s)
    if not stays and mark == GO:
        if s.direction == 1 and len(players) == s.program.n and not (s.skips or s.seats):
            follower: int | None = s.program.left[mover]
        else:
            follower = next_player(s, mover, players)
        if follower is not None:
            s.current = follower
        elif stage.until is None:
            frame.pc = LEAVE
            return
    if stage.until is not None and stage.until(s):
        frame.pc = LEAVE
    elif stays and s.current in players:
        frame.pc = WAIT
    else:
        _begin_turn(s, frame, stage, players)


def _on_turn(s: Table, frame: Frame, effect: Callable[[Table], None]) -> None:
    """What is done when a turn begins; it may pass the turn on at once."""
    holder = s.current
    s.mark = GO
    effect(s)
    if s.mark == PASSED:
        frame.pc, frame.mover, frame.mark, s.mark = MOVED, holder, PASSED, GO


# ---- tricks -----------------------------------------------------------------------------------


def _begin_tricks(s: Table, frame: Frame, stage: StageCode, leader: int | None = None, reset: bool = True) -> None:
    if reset:
        s.trick_number = 0
        s.tricks = [0] * s.program.n
    if leader is None:
        leader = s.current if stage.leader is None else stage.leader(s)
    if leader is None:
        from interpreter.engine.stuck import nobody_leads

        raise nobody_leads(s, stage)
    _begin_trick(s, frame, stage, leader, reset)


def _begin_trick(s: Table, frame: Frame, stage: StageCode, leader: int, reset: bool = True) -> None:
    players = stage.players(s)
    if leader not in players:
        follower = next_player(s, leader, players)
        if follower is None:
            frame.pc = LEAVE
            return
        leader = follower
    s.trick_number += 1
    s.plays = []
    s.led = None
    s.leader = s.current = leader
    frame.pc = WAIT
    if reset and s.program.reset_trick is not None:
        s.program.reset_trick(s)
    if reset and s.program.reset_turn is not None:
        s.program.reset_turn(s)
    if stage.on_turn is not None:
        _on_turn(s, frame, stage.on_turn)


def _trick_moved(s: Table, frame: Frame, stage: StageCode) -> None:
    mark, mover, players = frame.mark, frame.mover, stage.players(s)
    frame.mark = GO
    if s.faults and mover != NOBODY:
        s.age_by_turn(mover, frame.moved)
    if len(s.plays) >= len(players) and _is_complete(s, players):
        end_trick(s, frame, stage)
        return
    plain = s.direction == 1 and len(players) == s.program.n and not (s.skips or s.seats or s.program.honor)
    if plain and mark == GO and mover != NOBODY:
        s.current = s.program.left[mover]
    elif mover != NOBODY or s.current not in players:
        due = [p for p in players if all(p != q for q, _ in s.plays)]  # who has played out of turn is not asked again
        if mark != PASSED or s.current not in due:
            follower = next_player(s, s.current if mark == PASSED or mover == NOBODY else mover, due)
            if follower is None:
                frame.pc = LEAVE
                return
            s.current = follower
    frame.pc = WAIT
    if stage.until is not None and stage.until(s):
        frame.pc = LEAVE
    elif mover != NOBODY:
        if s.program.reset_turn is not None:
            s.program.reset_turn(s)
        if stage.on_turn is not None:
            _on_turn(s, frame, stage.on_turn)


def _is_complete(s: Table, players: list[int]) -> bool:
    """Whether everybody who takes part has played to the trick; some who have played may have dropped out."""
    return bool(s.plays) and (len(players) == s.program.n or all(any(p == q for q, _ in s.plays) for p in players))


def end_trick(s: Table, frame: Frame, stage: StageCode) -> None:
    assert stage.judge is not None
    stage.judge(s)
    winner = s.winner
    if winner is not None:
        s.tricks[winner] += 1
        if s.log is not None:
            words = TAKES[s.trick_number] if s.trick_number < len(TAKES) else f"takes trick {s.trick_number}"
            s.log.append(new_event(Event, ("trick", winner, words, (), "", "", ALL, ALL)))
    frame.pc = TRICK
    if stage.on_trick is not None:
        stage.on_trick(s)
    if not s.calls and s.jump == NOWHERE:
        _next_trick(s, frame, stage)


def _next_trick(s: Table, frame: Frame, stage: StageCode) -> None:
    if s.faults:
        s.age_by_end("trick")
    if stage.until is not None and stage.until(s):
        frame.pc = LEAVE
        return
    if stage.count is not None and s.trick_number >= stage.count(s):
        frame.pc = LEAVE
        return
    for player in stage.players(s):
        if s.z[stage.sources[player]]:
            break
    else:
        frame.pc = LEAVE
        return
    leader = s.winner if stage.next_leader is None else stage.next_leader(s)
    if leader is None:
        leader = s.leader
    assert leader is not None
    _begin_trick(s, frame, stage, leader)


# ---- stages that ask several players ------------------------------------------------------------


def bits_of(players: list[int]) -> int:
    found = 0
    for player in players:
        found |= 1 << player
    return found


def _begin_ask(s: Table, frame: Frame, stage: StageCode) -> None:
    frame.pending = bits_of(stage.players(s))
    frame.pc = WAIT if frame.pending else LEAVE


def _ask_moved(s: Table, frame: Frame, stage: StageCode) -> None:
    answered = frame.mover != NOBODY and frame.mark != STAY
    if answered:
        frame.step |= 1 << frame.mover
    frame.mark = GO
    players = stage.players(s)  # asked anew: some may no longer take part, others may do now
    asked = (1 << s.program.n) - 1 if len(players) == s.program.n else bits_of(players)
    frame.pending = asked & ~frame.step
    done = not frame.pending or (answered and stage.answers == "first")
    if stage.until is not None and stage.until(s):
        frame.pc = LEAVE
    elif done:
        frame.pc = RESOLVE if stage.kind == "simultaneous" else LEAVE
    else:
        frame.pc = WAIT


def _resolve(s: Table, frame: Frame, stage: StageCode) -> None:
    frame.pc = LEAVE
    if stage.resolve is not None:
        stage.resolve(s)


def _begin_race(s: Table, frame: Frame, stage: StageCode) -> None:
    frame.pc = LEAVE if stage.until is not None and stage.until(s) else WAIT


def _race_moved(s: Table, frame: Frame, stage: StageCode) -> None:
    frame.mark = GO
    frame.pc = LEAVE if stage.until is not None and stage.until(s) else WAIT


def _begin_claims(s: Table, frame: Frame, stage: StageCode) -> None:
    frame.pending = s.claimants() if s.program.honor else 0
    frame.pc = WAIT if frame.pending else LEAVE


def _claims_moved(s: Table, frame: Frame, stage: StageCode) -> None:
    if frame.mark == AGAIN:  # an upheld claim opens the stage again for everybody
        frame.pending = s.claimants()
    elif frame.mover != NOBODY:
        frame.pending &= ~(1 << frame.mover)
    frame.mark = GO
    over = stage.until is not None and stage.until(s)
    frame.pc = WAIT if frame.pending and not over else LEAVE


# ---- leaving ------------------------------------------------------------------------------------


def _leave(s: Table, frame: Frame, stage: StageCode) -> None:
    frame.pc = GONE
    if stage.cleanup is not None:
        stage.cleanup(s)
        if s.calls or s.jump != NOWHERE:
            return
    _gone(s, frame, stage)


def _gone(s: Table, frame: Frame, stage: StageCode) -> None:
    if s.redealing and stage.next_dealer is not None:  # the same deal once more, with the same number
        s.redealing = False
        s.runs[stage.index] -= 1
        frame.pc, frame.step = ENTER, 0
        return
    s.stack.pop()
    if s.halt_after is not None and s.halt_after[0] == stage.index and s.runs[stage.index] >= s.halt_after[1]:
        s.halted = True
    if frame.step >= 0:
        if s.faults:
            s.age_by_end(stage.name)
        if s.program.honor:
            s.end_claims(stage.name)
        if stage.next_dealer is not None and s.dealer is not None:
            s.dealer = stage.next_dealer(s)
    if frame.saved is not None:
        _bring_back(s, frame, frame.passed)
        if frame.passed:
            _mark_caller(s, frame.saved[0])


def _bring_back(s: Table, frame: Frame, passed: bool) -> None:
    """The turn as it was when a stage was called; passed: it was passed there, so current stays."""
    assert frame.saved is not None
    current, values = frame.saved
    for slot, value in zip(s.program.turn_slots, values, strict=False):
        s.v[slot] = value
    if not passed:
        s.current = current


def pass_turn(s: Table, player: int | None) -> None:
    """The effect `pass turn to`: said in a called stage, it is about the turn of the stage that called."""
    if player is not None:
        s.current = player
    s.mark = PASSED
    for frame in reversed(s.stack):
        if frame.saved is not None:
            frame.passed = True
            return


def _mark_caller(s: Table, holder: int) -> None:
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


def _target(s: Table, target: int) -> int | None:
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


def _jump(s: Table, frame: Frame, stage: StageCode) -> None:
    """Everything inside the stage is dropped; it leaves by its own cleanup only."""
    s.stack.pop()
    at = _target(s, frame.step)
    if at is None:
        blamed = s.program.stages[max(frame.step, 0)]
        name = {TO_TURN: "turn", TO_TRICK: "trick"}.get(frame.step) or blamed.name
        raise RuleError(f"'finish {name}' was said while no {name} is going on", blamed.span)
    passed = False
    for dropped in reversed(s.stack[at + 1 :]):
        if dropped.saved is not None:
            passed = passed or dropped.passed
            _bring_back(s, dropped, passed)
    del s.stack[at + 1 :]
    _arrive(s, s.stack[at], frame.step)


def _arrive(s: Table, frame: Frame, target: int) -> None:
    if target == TO_TURN:
        frame.pc, frame.mover, frame.mark = MOVED, s.current, GO
    elif target == TO_TRICK:
        end_trick(s, frame, s.program.stages[frame.stage])
    elif frame.pc != GONE:  # else its cleanup has asked for what is going on already
        frame.pc = LEAVE


def _finish_match(s: Table) -> None:
    s.over = True
    if s.log is not None:
        winners = ", ".join(f"P{p + 1}" for p in s.winners)
        s.note(Event("over", None, f"won by {winners}" if winners else "nobody wins"))


Step = Callable[["Table", Frame, StageCode], None]

BEGIN: dict[str, Step] = {
    "do": _run_do, "repeat": _run_repeat, "effect": _run_effect, "turn": _begin_turn_stage, "trick": _begin_tricks,
    "ask": _begin_ask, "simultaneous": _begin_ask, "race": _begin_race, "claims": _begin_claims,
}  # fmt: skip
AFTER: dict[str, Step] = {
    "turn": _turn_moved, "trick": _trick_moved, "ask": _ask_moved, "simultaneous": _ask_moved, "race": _race_moved,
    "claims": _claims_moved,
}  # fmt: skip


def prepare(stage: StageCode) -> None:
    """Give a stage the functions of its kind."""
    stage.begin = BEGIN[stage.kind]
    stage.after = AFTER.get(stage.kind, _unexpected)


def _unexpected(s: Table, frame: Frame, stage: StageCode) -> None:
    raise AssertionError(f"'{stage.name}' is not stepped in this state")


STEPS: tuple[Step, ...] = (_enter, _unexpected, _unexpected, _unexpected, _next_trick, _leave, _gone, _jump, _resolve)
