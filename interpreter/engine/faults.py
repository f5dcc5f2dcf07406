"""On honour: breaches that may still be claimed, and when they lapse."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.engine.breaches import Fault
from interpreter.engine.events import Event
from interpreter.engine.honor_code import Lapse
from interpreter.engine.position import Position
from interpreter.engine.sight import lying_at
from interpreter.engine.standing import phase
from interpreter.engine.transfers import move_cards
from interpreter.engine.tricks import withdraw

MAX_FAULTS = 64


def fault_name(s: Position, name: str) -> str:
    """What a breach of a law or announcement is called."""
    code = s.program.honor_code
    return name if code is None else code.names.get(name, name)


def note_fault(s: Position, name: str, offender: int, card: int | None = None, place: int = -1) -> None:
    """Put a fault on the list; the oldest goes when the list is full."""
    if not s.program.honor:
        return
    fault = Fault(name, offender, phase(s), s.tick, card, place)
    lapse = _lapse_of(s, name)
    if lapse is not None:
        fault.after, fault.how, fault.of = int(lapse[0](s)), lapse[1], lapse[2]
    s.faults.append(fault)
    del s.faults[:-MAX_FAULTS]
    s.note(Event("fault", offender, name, told=0))


def _lapse_of(s: Position, name: str) -> Lapse | None:
    """When faults of a name lapse: by what is said of them, else by what holds for all."""
    code = s.program.honor_code
    if code is None:
        return None
    own = code.faults.get(name)
    return code.lapse if own is None or own.lapse is None else own.lapse


def age_by_turn(s: Position, player: int, moved: int) -> None:
    """A player has completed a turn: faults that lapse by others' turns grow older.

    moved: the tick of the move that completes it. A fault that came later, in a stage which that move called, has
    not been there to be seen.
    """
    for fault in s.faults:
        seen = fault.how == "turns" and player != fault.offender and fault.tick <= moved
        if seen and not _pauses(s, fault):
            fault.turns |= 1 << player
    _lapse(s, [f for f in s.faults if f.how == "turns" and f.turns.bit_count() >= f.after])
    age_by_end(s, "turn")


def age_by_end(s: Position, stage: str) -> None:
    """A stage has ended: faults that lapse by its ends grow older; all lapse with the stage of the claims."""
    for fault in s.faults:
        if fault.how == "ends" and fault.of == stage and not _pauses(s, fault):
            fault.ends += 1
    _lapse(s, [f for f in s.faults if f.how == "ends" and f.ends >= f.after])


def age_by_move(s: Position) -> None:
    """Another move is made: faults of the moves before it that lapse by moves grow older. Claims are no moves."""
    for fault in s.faults:
        if fault.how == "ends" and fault.of == "move" and fault.tick < s.tick and not _pauses(s, fault):
            fault.ends += 1
    _lapse(s, [f for f in s.faults if f.how == "ends" and f.of == "move" and f.ends >= f.after])


def _pauses(s: Position, fault: Fault) -> bool:
    """Whether a fault goes on being committed, so that it grows no older."""
    lapse = _lapse_of(s, fault.law)
    return lapse is not None and lapse[3] is not None and bool(lapse[3](s, fault.offender))


def _lapse(s: Position, old: Sequence[Fault]) -> None:
    """Drop faults that nobody has claimed in time."""
    for fault in old:
        s.faults.remove(fault)
        s.lapsed[fault.offender] += not fault.paid_at


def end_claims(s: Position, stage: str) -> None:
    """All faults lapse with the stage of the claims, and the next one begins without a past."""
    code = s.program.honor_code
    if code is not None and stage == s.program.stages[code.during].name:
        s.faults = []
        s.lapsed = [0] * s.program.n


def fault_age(s: Position, player: int) -> int:
    """How many turns of different others, or ends of its stage, the oldest fresh fault of a player has seen.

    In a penalty that is the fault which is paid; 0 if there is none.
    """
    oldest = next((f for f in s.faults if f.offender == player), None)
    return 0 if oldest is None else oldest.turns.bit_count() + oldest.ends


def prune(s: Position) -> None:
    """Forget faults whose penalty has been paid."""
    if s.faults:
        s.faults = [f for f in s.faults if not f.paid_at or len(s.stack) > f.paid_at]


def take_back(s: Position, fault: Fault) -> None:
    """Put the card of a fault back where it was played from, if it still lies somewhere else."""
    if fault.card is None or fault.place < 0:
        return
    lies = lying_at(s, fault.card)
    if lies != fault.place:
        move_cards(s, (fault.card,), lies, fault.place)
        if (fault.offender, fault.card) in s.plays:
            withdraw(s, fault.offender, fault.card, lies)
