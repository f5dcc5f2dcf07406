"""On honour: who may claim, against whom and what."""

from __future__ import annotations

from interpreter.base.diagnostics import suggest
from interpreter.base.signs import shortened
from interpreter.engine.failures import by_rules
from interpreter.engine.frames import is_running
from interpreter.engine.moves import Move
from interpreter.engine.notation import IllegalMove
from interpreter.engine.position import Position
from interpreter.engine.standing import kind_of_phase
from interpreter.language.keywords import DECLINE


def claimants(s: Position) -> list[int]:
    """Who is asked in a stage of claims: all who could claim against somebody; nobody where claims are not open."""
    if not is_open(s):
        return []
    everyone = list(range(s.program.n))
    return [p for p in everyone if any(p in claimers_against(s, q) for q in everyone if q != p)]


def claimers_against(s: Position, offender: int) -> list[int]:
    """Who may claim any fault at all against a player, whether there is one or not."""
    code = s.program.honor_code
    if code is None:
        return []
    found = set(claimers_of(s, "", offender)).union(*(claimers_of(s, name, offender) for name in code.faults))
    return sorted(found)


def claimers_of(s: Position, fault: str, offender: int) -> list[int]:
    """Who may claim a fault of that name; "": one of which nothing special is said."""
    code = s.program.honor_code
    assert code is not None
    own = code.faults.get(fault)
    rule = own.claimers if own is not None and own.claimers is not None else code.claimers
    return [p for p in (range(s.program.n) if rule is None else rule(s, offender)) if p != offender]


def is_open(s: Position) -> bool:
    """Whether claims can be made now: inside the stage that the ruleset names."""
    code = s.program.honor_code
    if code is None or not s.program.honor or s.over:
        return False
    for frame in reversed(s.stack):
        if not is_running(frame):
            continue
        if frame.stage == code.during:
            return True
        if s.program.stages[frame.stage].closed:
            return False
    return False


@by_rules
def claim_moves(s: Position, player: int) -> list[Move]:
    """Claims are offered whether or not there is anything to claim: the offer must not tell."""
    code = s.program.honor_code
    if code is None or not is_open(s):
        return []
    found = []
    for offender in range(s.program.n):
        if offender != player and player in claimers_against(s, offender):
            found.append(Move(code.claim, (offender, None), f"{code.claim} P{offender + 1}"))
    return found + declining(s, player)


def declining(s: Position, player: int) -> list[Move]:
    """In a stage of claims, whoever has not answered yet may decline."""
    waits = kind_of_phase(s) == "claims" and s.stack[-1].pending >> player & 1
    return [Move(DECLINE, (), DECLINE)] if waits else []


def check_law(s: Position, law: object) -> None:
    """Refuse a claim of something that no fault is ever called."""
    code = s.program.honor_code
    if code is None or law is None or law in code.claimable:
        return
    hint = suggest(str(law), code.claimable, "laws")
    raise IllegalMove("no_such_move", f"there is no law '{shortened(str(law))}' to claim; {hint}")
