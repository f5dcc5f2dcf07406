"""Honour play: breaches become faults, faults are claimed, claims are judged.

In strict play none of this runs: laws filter the moves and announcements are made for the players.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.base.diagnostics import suggest
from interpreter.base.signs import shortened
from interpreter.engine.budget import MOST_LETTERS, charge
from interpreter.engine.events import Event
from interpreter.engine.machine import AGAIN, GO, MOVED, NOBODY, WAIT, defer_requests, is_running
from interpreter.engine.moves import Move
from interpreter.engine.naming import named_args, real_args
from interpreter.engine.notation import IllegalMove, build, hear, params_of, spoken, value_text
from interpreter.engine.program import ActionCode, Lapse, RuleError
from interpreter.engine.transfers import lying_at, move_cards

if TYPE_CHECKING:
    from interpreter.engine.legal import Offering
    from interpreter.engine.playing import Playing
    from interpreter.engine.table import Table

MAX_FAULTS = 64
DECLINE = "decline"


class Fault:
    """A breach that may still be claimed.

    law: its name. tick: of the move. card, place: the card of the move and where it came from. after, how, of: when
    it lapses. turns: bits of the others who have completed turns since; ends: how often `of` has ended. paid_at:
    depth of the stack when it was claimed (0: not claimed); it is gone when the penalty's stages are.
    """

    __slots__ = ("after", "card", "ends", "how", "law", "of", "offender", "paid_at", "place", "stage", "tick", "turns")

    def __init__(
        self, law: str, offender: int, stage: str, tick: int, card: int | None = None, place: int = -1
    ) -> None:
        self.law = law
        self.offender = offender
        self.stage = stage
        self.tick = tick
        self.card = card
        self.place = place
        self.after = 0
        self.how = ""
        self.of = ""
        self.turns = 0
        self.ends = 0
        self.paid_at = 0

    def copy(self) -> Fault:
        new = Fault.__new__(Fault)
        for name in Fault.__slots__:
            setattr(new, name, getattr(self, name))
        return new

    def to_json(self) -> list[Any]:
        return [getattr(self, name) for name in Fault.__slots__]


# ---- playing ----------------------------------------------------------------------------------


def play(s: Playing, player: int, action: ActionCode, move: Move, measures: Mapping[str, int]) -> None:
    """Carry out a move that is physically possible, and note what it breaks."""
    frame = s.stack[-1]
    stage = s.program.stages[frame.stage]
    if action.anytime:
        s.check_part(player, action)
    due = action.anytime or s.may_move(player, frame, stage)
    if not due and stage.kind not in ("turn", "trick"):
        raise IllegalMove("in_turn", s._whose_turn(stage))
    heard = move.args if move.words is None else hear(s, player, action, move.args, move.words)
    if heard != move.args:
        move = build(s, player, action, heard).saying(move.words)
    args = real_args(s, player, action, move.args)
    if args is None or not s.allows(player, action, args, False):
        raise IllegalMove("not_possible", why_impossible(s, player, action, move.args))
    if action.measured:  # a measure out of bounds is refused before anything is noted
        s._measures(player, action, args, measures)
    refusing = refused_touch(s, player, action, args)
    if refusing is not None:
        raise IllegalMove(action.laws[refusing].name, s._why(player, action, refusing, args))
    if s.program.multi:  # now: where it is not the player's turn, what is offered will not be the same below
        args = s._real_cards(player, action, args)
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
            for event in s.told_of_taken_back(player, action, args, measures, move.text):
                s.note(event)
            return
    taken_back: list[Event] | None = None
    if any(law.breach == "taken back" for law in broken):
        taken_back = s.told_of_taken_back(player, action, args, measures, move.text)
    spoken = _judge_words(s, player, action, move, args)
    for law in broken:
        note_fault(s, law.fault, player, card, place)
        if law.on_breach is not None:
            law.on_breach(s, player, *args)
    if taken_back is not None:
        for event in taken_back:
            s.note(event)
        return
    words = move.words if move.words is not None else _said_by_itself(s, player, action, move)
    if words:
        s.note(Event("say", player, f'"{words}"'))
    for name in spoken:
        note_fault(s, fault_name(s, name), player, card, place)
    if due:
        s.carry_out(player, action, args, measures, frame, move.text)
        return
    saved = [s.v[slot] for slot in s.program.turn_slots]
    if s.program.reset_turn is not None:
        s.program.reset_turn(s)
    s.carry_out(player, action, args, measures, frame, move.text, side=True)
    for slot, value in zip(s.program.turn_slots, saved, strict=True):
        s.v[slot] = value


def refused_touch(s: Offering, player: int, action: ActionCode, args: tuple[Any, ...]) -> int | None:
    """The law that refuses a touch in a race, for there a breach is a fault only if the law says so."""
    if s.program.stages[action.stage].kind != "race" or action.anytime:
        return None
    return next((law for law in action.broken(s, player, *args) if not action.laws[law].says_fault), None)


def _card_of(s: Playing, action: ActionCode, args: tuple[Any, ...]) -> tuple[int | None, int]:
    """The card that a move is about, and where it lies."""
    if action.params and action.params[0].form == "cards" and not action.params[0].several and args[0] is not None:
        return args[0], lying_at(s, args[0])
    return None, -1


def why_impossible(s: Offering, player: int, action: ActionCode, args: tuple[Any, ...]) -> str:
    """Why a move cannot be made at all, in words."""
    if action.shape == "args":
        return _first_impossible(s, player, action, args)
    for param, value in zip(action.params, args, strict=False):
        if param.form != "cards" or value is None:
            continue
        offered = action.possible(s, player)
        if action.shape == "cards" and isinstance(offered, tuple):
            mask, low, high = offered
            if not low <= len(value) <= high:
                wanted = f"{low}" if low == high else f"{low} to {high}"
                return f"choose {wanted} card{'s' if wanted != '1' else ''}, not {len(value)}"
            missing = [s.program.cards[c] for c in value if not mask >> c & 1]
            return f"{', '.join(missing)} cannot be chosen"
        return f"{value_text(s.program, param, value)} cannot be chosen now"
    return f"'{action.name}' is not possible now"


def _first_impossible(s: Offering, player: int, action: ActionCode, args: tuple[Any, ...]) -> str:
    """The first of the arguments with which nothing is possible, those before it as they are."""
    left = [named_args(s, player, action, found) for found in action.possible(s, player)]
    if left:
        for at, (param, value) in enumerate(zip(params_of(s, player, action, args), args, strict=True)):
            left = [found for found in left if found[at : at + 1] == (value,)]
            if not left and value is not None:
                if param.form == "players" and value == player:
                    return "you cannot choose yourself"
                shown = value_text(s.program, param, value)
                named = shown if param.form in ("cards", "players", "zones", "teams") else f"{param.name} {shown}"
                return f"{named} cannot be chosen now"
    return f"'{action.name}' is not possible now"


# ---- words ------------------------------------------------------------------------------------


def words_in(text: str) -> list[str]:
    """A spoken text as words: case and punctuation apart."""
    return re.findall(r"\w+", text.lower())


def _judge_words(s: Offering, player: int, action: ActionCode, move: Move, args: tuple[Any, ...]) -> list[str]:
    """Names of the parameters that were not said, and of the announcements that are missing or wrong."""
    params = params_of(s, player, action, move.args)
    unsaid = [p.name for p, value in zip(params, move.args, strict=True) if value is None and p.otherwise is not None]
    if action.says is None:
        return unsaid
    said = words_in(move.words or "")
    owed = action.says(s, player, *args)
    return unsaid + [name for name, words, exact in owed if not _is_said(words, exact, said, move.words)]


def _said_by_itself(s: Offering, player: int, action: ActionCode, move: Move) -> str:
    """What a move says that was made without words: the values of what must be said."""
    pairs = zip(params_of(s, player, action, move.args), move.args, strict=True)
    said = [(p, value) for p, value in pairs if p.otherwise is not None and value is not None]
    return " ".join(value_text(s.program, p, value) for p, value in said)


def _is_said(owed: str, exact: bool, said: list[str], literal: str | None) -> bool:
    if exact:
        return spoken(owed) in (literal or "")
    wanted = words_in(owed)
    return any(said[i : i + len(wanted)] == wanted for i in range(len(said) - len(wanted) + 1))


def with_words(s: Offering, player: int, moves: Sequence[Move]) -> Sequence[Move]:
    """The same moves, each with the words it owes."""
    if not len(moves):
        return moves
    action = s._find(player, moves[0].action)
    if action is None or action.says is None:
        return moves
    charge(s, len(moves) * action.speaking)
    found = []
    for move in moves:
        owed = [words for _, words, _ in action.says(s, player, *(real_args(s, player, action, move.args) or ()))]
        found.append(move.saying(_announced(owed)) if owed else move)
    return found


def without_refused(s: Offering, player: int, moves: Sequence[Move]) -> Sequence[Move]:
    """Moves in a race that no law refuses."""
    action = s._find(player, moves[0].action) if len(moves) else None
    if action is None or not action.laws:
        return moves
    charge(s, len(moves) * action.each)
    real = ((move, real_args(s, player, action, move.args)) for move in moves)
    return [move for move, args in real if args is not None and refused_touch(s, player, action, args) is None]


def with_all_words(s: Offering, player: int, moves: Sequence[Move]) -> Sequence[Move]:
    """Each move with every combination of said, missing and wrong words."""
    if not len(moves):
        return moves
    action = s._find(player, moves[0].action)
    if action is None or action.says is None:
        return moves
    charge(s, len(moves) * action.speaking * action.ways_to_say)
    return list(dict.fromkeys(variant for move in moves for variant in _ways_to_say(s, player, action, move)))


def _ways_to_say(s: Offering, player: int, action: ActionCode, move: Move) -> Iterator[Move]:
    assert action.says is not None
    owed = [words for _, words, _ in action.says(s, player, *(real_args(s, player, action, move.args) or ()))]
    ways: list[list[str]] = [[]]
    for words in owed:
        ways = [[*way, said] for way in ways for said in (words, "", "?")]
    for way in ways:
        yield move.saying(_announced(way))


def _announced(owed: Sequence[str]) -> str | None:
    """Several announcements as one player says them. Raises RuleError if the rules ask for more than can be said."""
    said = spoken('"'.join(owed))
    if len(said) > MOST_LETTERS:
        raise RuleError(f"what is to be said has {len(said):,} letters, and a player says {MOST_LETTERS:,} at most")
    return said or None


# ---- faults -----------------------------------------------------------------------------------


def fault_name(s: Offering, name: str) -> str:
    """What a breach of a law or announcement is called."""
    code = s.program.honor_code
    return name if code is None else code.names.get(name, name)


def note_fault(s: Table, name: str, offender: int, card: int | None = None, place: int = -1) -> None:
    """Put a fault on the list; the oldest goes when the list is full."""
    if not s.program.honor:
        return
    fault = Fault(name, offender, s.phase, s.tick, card, place)
    lapse = _lapse_of(s, name)
    if lapse is not None:
        fault.after, fault.how, fault.of = int(lapse[0](s)), lapse[1], lapse[2]
    s.faults.append(fault)
    del s.faults[:-MAX_FAULTS]
    s.note(Event("fault", offender, name, told=0))


def _lapse_of(s: Table, name: str) -> Lapse | None:
    """When faults of a name lapse: by what is said of them, else by what holds for all."""
    code = s.program.honor_code
    if code is None:
        return None
    own = code.faults.get(name)
    return code.lapse if own is None or own.lapse is None else own.lapse


def age_by_turn(s: Table, player: int, moved: int) -> None:
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


def age_by_end(s: Table, stage: str) -> None:
    """A stage has ended: faults that lapse by its ends grow older; all lapse with the stage of the claims."""
    for fault in s.faults:
        if fault.how == "ends" and fault.of == stage and not _pauses(s, fault):
            fault.ends += 1
    _lapse(s, [f for f in s.faults if f.how == "ends" and f.ends >= f.after])


def age_by_move(s: Table) -> None:
    """Another move is made: faults of the moves before it that lapse by moves grow older. Claims are no moves."""
    for fault in s.faults:
        if fault.how == "ends" and fault.of == "move" and fault.tick < s.tick and not _pauses(s, fault):
            fault.ends += 1
    _lapse(s, [f for f in s.faults if f.how == "ends" and f.of == "move" and f.ends >= f.after])


def _pauses(s: Table, fault: Fault) -> bool:
    """Whether a fault goes on being committed, so that it grows no older."""
    lapse = _lapse_of(s, fault.law)
    return lapse is not None and lapse[3] is not None and bool(lapse[3](s, fault.offender))


def _lapse(s: Table, old: Sequence[Fault]) -> None:
    """Drop faults that nobody has claimed in time."""
    for fault in old:
        s.faults.remove(fault)
        s.lapsed[fault.offender] += not fault.paid_at


def end_claims(s: Table, stage: str) -> None:
    """All faults lapse with the stage of the claims, and the next one begins without a past."""
    code = s.program.honor_code
    if code is not None and stage == s.program.stages[code.during].name:
        s.faults = []
        s.lapsed = [0] * s.program.n


def fault_age(s: Table, player: int) -> int:
    """How many turns of different others, or ends of its stage, the oldest fresh fault of a player has seen.

    In a penalty that is the fault which is paid; 0 if there is none.
    """
    oldest = next((f for f in s.faults if f.offender == player), None)
    return 0 if oldest is None else oldest.turns.bit_count() + oldest.ends


def prune(s: Table) -> None:
    """Forget faults whose penalty has been paid."""
    if s.faults:
        s.faults = [f for f in s.faults if not f.paid_at or len(s.stack) > f.paid_at]


def take_back(s: Table, fault: Fault) -> None:
    """Put the card of a fault back where it was played from, if it still lies somewhere else."""
    if fault.card is None or fault.place < 0:
        return
    lies = lying_at(s, fault.card)
    if lies != fault.place:
        move_cards(s, (fault.card,), lies, fault.place)


# ---- claims -----------------------------------------------------------------------------------


def claimants(s: Table) -> list[int]:
    """Who is asked in a stage of claims: all who could claim against somebody; nobody where claims are not open."""
    if not is_open(s):
        return []
    everyone = list(range(s.program.n))
    return [p for p in everyone if any(p in claimers_against(s, q) for q in everyone if q != p)]


def claimers_against(s: Table, offender: int) -> list[int]:
    """Who may claim any fault at all against a player, whether there is one or not."""
    code = s.program.honor_code
    if code is None:
        return []
    found = set(claimers_of(s, "", offender)).union(*(claimers_of(s, name, offender) for name in code.faults))
    return sorted(found)


def claimers_of(s: Table, fault: str, offender: int) -> list[int]:
    """Who may claim a fault of that name; "": one of which nothing special is said."""
    code = s.program.honor_code
    assert code is not None
    own = code.faults.get(fault)
    rule = own.claimers if own is not None and own.claimers is not None else code.claimers
    return [p for p in (range(s.program.n) if rule is None else rule(s, offender)) if p != offender]


def is_open(s: Table) -> bool:
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


def claim_moves(s: Offering, player: int) -> list[Move]:
    """Claims are offered whether or not there is anything to claim: the offer must not tell."""
    code = s.program.honor_code
    if code is None or not is_open(s):
        return []
    found = []
    for offender in range(s.program.n):
        if offender != player and player in claimers_against(s, offender):
            found.append(Move(code.claim, (offender, None), f"{code.claim} P{offender + 1}"))
    return found + declining(s, player)


def declining(s: Offering, player: int) -> list[Move]:
    """In a stage of claims, whoever has not answered yet may decline."""
    waits = s.phase_kind() == "claims" and s.stack[-1].pending >> player & 1
    return [Move(DECLINE, (), DECLINE)] if waits else []


def parse_claim(s: Offering, player: int, tokens: list[str], words: str | None) -> Move:
    """`claim P2`, `claim P2 revoke`, `decline`; everything else is no move."""
    code = s.program.honor_code
    if s.program.honor and code is not None and is_open(s):
        if tokens[0] == code.claim:
            offender = s.person(tokens[1]) if len(tokens) > 1 else None
            if offender is None or len(tokens) > 3:
                raise IllegalMove("no_such_move", _no_claim(s, player, tokens))
            law = tokens[2] if len(tokens) == 3 else None
            check_law(s, law)
            return Move(code.claim, (offender, law), " ".join([code.claim, f"P{offender + 1}", *tokens[2:]]), words)
        if tokens == [DECLINE] and s.phase_kind() == "claims":
            return Move(DECLINE, (), DECLINE)
    found = s.possible_moves(player) if s.program.honor else ()
    open_now = {a.name for a, _ in s._open(player) if a.talk or s._has_move(player, a, False)}
    known = sorted({m.action for m in found} if s.program.honor else open_now)
    lawful = ", lawful or not" if s.program.honor else ""
    hint = f"; possible now{lawful}: {', '.join(known)}" if known else "; nothing can be done now"
    rules = s.game.ruleset.model.honor
    if rules is not None and tokens[0] == rules.claim and not s.program.honor:
        hint = ": claims are for honour play, and this is strict"
    raise IllegalMove("no_such_move", f"there is no move '{shortened(tokens[0])}' here{hint}")


def check_law(s: Offering, law: object) -> None:
    """Refuse a claim of something that no fault is ever called."""
    code = s.program.honor_code
    if code is None or law is None or law in code.claimable:
        return
    hint = suggest(str(law), code.claimable, "laws")
    raise IllegalMove("no_such_move", f"there is no law '{shortened(str(law))}' to claim; {hint}")


def _no_claim(s: Offering, player: int, tokens: list[str]) -> str:
    """What is wrong with a claim that cannot be read."""
    word = tokens[0]
    others = [f"P{p + 1}" for p in range(s.program.n) if p != player]
    if len(tokens) > 3:
        return f"'{shortened(' '.join(tokens[3:]))}' is too much: a claim is a player and perhaps a law"
    if len(tokens) == 1:
        return f"say against whom: '{word} {others[0]}', or '{word} {others[0]} LAW'"
    return f"there is no player '{shortened(tokens[1])}' here; claim against one of {', '.join(others)}"


def claim(s: Playing, player: int, move: Move) -> None:
    """Judge a claim: the oldest live fault that it can mean is paid, or the claim is wrong."""
    code = s.program.honor_code
    frame = s.stack[-1]
    if code is None or not is_open(s) or move.action not in (code.claim, DECLINE):
        raise IllegalMove("no_such_move", f"there is no move '{move.action}' here")
    in_stage = s.phase_kind() == "claims"
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


def _penalty(s: Playing, fault: Fault, claimer: int) -> None:
    assert s.program.honor_code is not None
    paid = s.faults
    s.faults = [fault, *(f for f in paid if f is not fault)]  # `take back fault` means the first
    own = s.program.honor_code.faults.get(fault.law)
    penalty = own.penalty if own is not None and own.penalty is not None else s.program.honor_code.penalty
    penalty(s, fault.offender, claimer)
    s.faults = [*paid, *(f for f in s.faults if f not in paid)][-MAX_FAULTS:]


def _paid_at(s: Offering) -> int:
    """How deep the stack is when a penalty has been paid; a stage that runs already is called again below itself."""
    called = {stage for stage, _ in s.calls}
    running = [at for at, frame in enumerate(s.stack) if frame.stage in called and is_running(frame)]
    below = len(s.stack) - (s.phase_kind() == "race" and bool(called))  # in a race the calls wait for its end
    return min([below, *running])


def _wrong(s: Playing, claimer: int, offender: int) -> None:
    code = s.program.honor_code
    assert code is not None
    if code.wrong_claim == "fault":
        note_fault(s, f"wrong_{code.claim}", claimer)
    elif callable(code.wrong_claim):
        code.wrong_claim(s, offender, claimer)


def _moved(s: Playing, mover: int, mark: int) -> None:
    frame = s.stack[-1]
    if s.phase_kind() == "race" and s.calls:  # a claim must not freeze the race: its calls wait
        defer_requests(s)
    if frame.pc == WAIT:
        frame.pc = MOVED
        frame.mover = mover
        frame.mark = mark
