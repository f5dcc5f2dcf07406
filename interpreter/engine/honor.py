"""Honour play: breaches become faults, faults are claimed, claims are judged.

In strict play none of this runs: laws filter the moves and announcements are made for the players.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.engine.available import action_named, may_move
from interpreter.engine.breaches import Fault
from interpreter.engine.carrying import carry_out, measured_args, told_of_taken_back
from interpreter.engine.claims import check_law, claimers_against, claimers_of, is_open
from interpreter.engine.events import Event
from interpreter.engine.faults import MAX_FAULTS, fault_name, note_fault
from interpreter.engine.frames import AGAIN, GO, MOVED, NOBODY, WAIT, is_running
from interpreter.engine.machine import defer_requests
from interpreter.engine.meaning import Offer
from interpreter.engine.moves import Move
from interpreter.engine.notation import IllegalMove, build
from interpreter.engine.position import Position
from interpreter.engine.program import ActionCode
from interpreter.engine.refusing import check_open, why_impossible, why_refused
from interpreter.engine.saying import hear, judge_words, refused_touch, said_by_itself
from interpreter.engine.sight import lying_at
from interpreter.engine.standing import kind_of_phase
from interpreter.language.keywords import DECLINE


def play(s: Position, player: int, action: ActionCode, move: Move, measures: Mapping[str, int]) -> None:
    """Carry out a move that is physically possible, and note what it breaks."""
    frame = s.stack[-1]
    stage = s.program.stages[frame.stage]
    due = action.anytime or may_move(s, player, frame, stage)
    move, args = _as_heard(s, player, action, move)
    extra = measured_args(s, player, action, args, measures)  # out of bounds it is refused before anything is noted
    refusing = refused_touch(s, player, action, args)
    if refusing is not None:
        raise IllegalMove(action.laws[refusing].name, why_refused(s, player, action, refusing, args))
    broken = [action.laws[i] for i in action.broken(s, player, *args)]
    card, place = _card_of(s, action, args)
    code = s.program.honor_code
    if not due:
        default = "taken back" if stage.kind == "trick" else "stands"
        breach = default if code is None or not code.in_turn_breach else code.in_turn_breach
        if action.is_play and any(p == player for p, _ in s.plays):
            breach = "taken back"  # nobody has two cards in one trick
        note_fault(s, fault_name(s, "in_turn"), player, card, place)
        if breach == "taken back":
            if action.is_play:  # it can be wrong as a lead besides, or be no play for this player at all
                for law in broken:
                    if law.on != "follow":
                        note_fault(s, law.fault, player, card, place)
            for event in told_of_taken_back(s, player, action, args, extra, move.text):
                s.note(event)
            return
    taken_back: list[Event] | None = None
    if any(law.breach == "taken back" for law in broken):
        taken_back = told_of_taken_back(s, player, action, args, extra, move.text)
    spoken = judge_words(s, player, action, move, args)
    for law in broken:
        note_fault(s, law.fault, player, card, place)
        if law.on_breach is not None:
            law.on_breach(s, player, *args)
    if taken_back is not None:
        for event in taken_back:
            s.note(event)
        return
    words = move.words if move.words is not None else said_by_itself(s, player, action, move)
    if words:
        s.note(Event("say", player, f'"{words}"'))
    for name in spoken:
        note_fault(s, fault_name(s, name), player, card, place)
    if due:
        carry_out(s, player, action, args, extra, frame, move.text)
        return
    saved = [s.v[slot] for slot in s.program.turn_slots]
    if s.program.reset_turn is not None:
        s.program.reset_turn(s)
    carry_out(s, player, action, args, extra, frame, move.text, side=True)
    for slot, value in zip(s.program.turn_slots, saved, strict=True):
        s.v[slot] = value


def _as_heard(s: Position, player: int, action: ActionCode, move: Move) -> tuple[Move, tuple[Any, ...]]:
    """A move as it is heard, and what is chosen by it. Raises IllegalMove where it is not physically possible."""
    check_open(s, player, action)
    heard = move.args if move.words is None else hear(s, player, action, move.args, move.words)
    if heard != move.args:
        move = build(s, player, action, heard).saying(move.words)
    args = Offer(s, player, action).possible(move.args)
    if args is None:
        raise IllegalMove("not_possible", why_impossible(s, player, action, move.args))
    return move, args


def can_be_made(s: Position, player: int, move: Move) -> bool:
    """Whether a move is physically possible, whatever the laws say. Raises IllegalMove or RuleError like `play`."""
    action = action_named(s, move.action)
    if action is None:
        return False
    _, args = _as_heard(s, player, action, move)
    return refused_touch(s, player, action, args) is None


def _card_of(s: Position, action: ActionCode, args: tuple[Any, ...]) -> tuple[int | None, int]:
    """The card that a move is about, and where it lies."""
    if action.params and action.params[0].form == "cards" and not action.params[0].several and args[0] is not None:
        return args[0], lying_at(s, args[0])
    return None, -1


def claim(s: Position, player: int, move: Move) -> None:
    """Judge a claim: the oldest live fault that it can mean is paid, or the claim is wrong."""
    code = s.program.honor_code
    frame = s.stack[-1]
    if code is None or not is_open(s) or move.action not in (code.claim, DECLINE):
        raise IllegalMove("no_such_move", f"there is no move '{move.action}' here")
    in_stage = kind_of_phase(s) == "claims"
    if in_stage and not frame.pending >> player & 1 and move.action == DECLINE:
        raise IllegalMove("in_turn", "you have declined already")
    if move.action == DECLINE:
        s.note(Event("move", player, DECLINE))
        _moved(s, player if in_stage else NOBODY, GO)
        return
    offender, law = move.args
    check_law(s, law)
    if offender == player:
        raise IllegalMove("claimers", "nobody claims against themselves")
    if player not in claimers_against(s, offender):
        raise IllegalMove("claimers", f"you cannot claim against P{offender + 1}")
    s.note(Event("move", player, str(move)))
    meant = [f for f in s.faults if f.offender == offender and law in (None, f.law)]
    found = [f for f in meant if player in claimers_of(s, f.law, offender)]
    live = [f for f in found if not f.paid_at]
    fault = (live or found or [None])[0]  # type: ignore[list-item]
    if fault is None:
        s.note(Event("claim", player, f"against P{offender + 1} turned down"))
        _wrong(s, player, offender)
        _moved(s, player if in_stage else NOBODY, GO)
        return
    s.note(Event("claim", player, f"against P{offender + 1} upheld: {fault.law}"))
    paying = bool(fault.paid_at)
    if not paying or code.charge_each:
        _penalty(s, fault, player)
    fault.paid_at = fault.paid_at or _paid_at(s)
    _moved(s, player if in_stage else NOBODY, AGAIN if in_stage else GO)


def _penalty(s: Position, fault: Fault, claimer: int) -> None:
    assert s.program.honor_code is not None
    paid = s.faults
    s.faults = [fault, *(f for f in paid if f is not fault)]  # `take back fault` means the first
    own = s.program.honor_code.faults.get(fault.law)
    penalty = own.penalty if own is not None and own.penalty is not None else s.program.honor_code.penalty
    penalty(s, fault.offender, claimer)
    s.faults = [*paid, *(f for f in s.faults if f not in paid)][-MAX_FAULTS:]


def _paid_at(s: Position) -> int:
    """How deep the stack is when a penalty has been paid; a stage that runs already is called again below itself."""
    called = {stage for stage, _ in s.calls}
    running = [at for at, frame in enumerate(s.stack) if frame.stage in called and is_running(frame)]
    below = len(s.stack) - (kind_of_phase(s) == "race" and bool(called))  # in a race the calls wait for its end
    return min([below, *running])


def _wrong(s: Position, claimer: int, offender: int) -> None:
    code = s.program.honor_code
    assert code is not None
    if code.wrong_claim == "fault":
        note_fault(s, f"wrong_{code.claim}", claimer)
    elif callable(code.wrong_claim):
        code.wrong_claim(s, offender, claimer)


def _moved(s: Position, mover: int, mark: int) -> None:
    frame = s.stack[-1]
    if kind_of_phase(s) == "race" and s.calls:  # a claim must not freeze the race: its calls wait
        defer_requests(s)
    if frame.pc == WAIT:
        frame.pc = MOVED
        frame.mover = mover
        frame.mark = mark
