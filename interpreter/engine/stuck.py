"""Why a player who has to decide cannot: which laws refuse which moves, and where in the match that is."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain, islice

from interpreter.base.diagnostics import Span
from interpreter.engine.available import open_actions
from interpreter.engine.events import DEAL
from interpreter.engine.failures import by_rules
from interpreter.engine.faults import fault_name
from interpreter.engine.legal import actors, legal_moves, listable_of
from interpreter.engine.meaning import Offer
from interpreter.engine.place_in_match import told_place
from interpreter.engine.position import Position
from interpreter.engine.program import LawCode
from interpreter.engine.rule_errors import RuleError

LOOKED_AT = 2_000
"""Choices of several cards are so many that only the first are looked at."""
NAMED = 5
"""Moves that are named for each law."""


def stands_still(s: Position, readers: Collection[int] | None = None) -> RuleError:
    """The error of a match in which nobody goes on, as `stuck` says it of the first who could act, if anybody could."""
    return stuck(s, next(iter(actors(s)), 0), readers)


@by_rules
def stuck(s: Position, player: int, readers: Collection[int] | None = None) -> RuleError:
    """The error of a match that waits for a player who has no lawful move.

    It names each law that refuses a move, at its place, those of the outermost file first: what is laid on a ruleset
    is more likely to blame than the ruleset, and the error stands at the first of them. readers: the players who read
    it, so that of others' moves, which tell what they hold, it only says how many there are; None for who is none.
    """
    stage = s.program.stages[s.stack[-1].stage]
    who, players = f"P{player + 1} has no lawful move", [player]
    if stage.kind == "race" and not any(len(legal_moves(s, p)) for p in range(s.program.n)):
        who, players = "nobody has a lawful move", list(range(s.program.n))
    what = f"{who} in '{stage.name}'{told_place(s)}"
    refused: dict[tuple[str, Span], dict[str, None]] = {}
    for law, move in chain.from_iterable(_refusals(s, p) for p in players):
        refused.setdefault((law.name, law.span), {})[move] = None
    before = _out_of_turn(s, readers)
    if not refused:
        hint = "nothing can be chosen, or no 'when' holds: add an action that is always possible, such as a pass"
        if stage.kind == "race":
            hint = "nothing can be chosen, or no 'when' holds, and the race does not end: see its 'until'"
        return RuleError("\n".join([what, *before, *([] if before else [f"  hint: {hint}"])]), stage.span)
    files = s.setup.origin.files
    laws = sorted(refused, key=lambda law: _depth(law[1], files), reverse=True)
    told = _listed if readers is None or {*readers} == {*players} else _counted
    lines = [f"  {span}: the law '{name}' refuses {told(refused[name, span])}" for name, span in laws]
    hint = "let a law give way to a hand that cannot keep it: 'LAW or not any c in hand has ...' (grammar, section 14)"
    if stage.kind == "race":
        hint = "let one of these laws give way, or let the race end: see its 'until'"
    return RuleError("\n".join([what, *lines, *(before or [f"  hint: {hint}"])]), laws[0][1])


def _out_of_turn(s: Position, readers: Collection[int] | None) -> list[str]:
    """On honour: the last move of this deal that was made out of turn and stands, and what could be said of such moves.

    Whoever has moved before being due may have nothing left to do when it is their turn.
    """
    if not s.program.honor:
        return []
    name = fault_name(s, "in_turn")
    if s.log is None:  # only what can still be claimed is known then
        fresh = [f"P{fault.offender + 1} in '{fault.stage}'" for fault in s.faults if fault.law == name]
        return _can_be_taken_back(fresh[-1]) if fresh else []
    moved = ""
    for event in reversed(s.log):
        if event.kind == DEAL:
            return []
        if event.kind == "move":
            viewers = [None] if readers is None else readers
            texts = {event.text(viewer) or f"P{(event.player or 0) + 1}" for viewer in viewers}
            moved = texts.pop() if len(texts) == 1 else f"P{(event.player or 0) + 1}"
        elif event.kind == "fault" and event.words == name and moved and not moved.endswith("(taken back)"):
            return _can_be_taken_back(moved)
    return []


def _can_be_taken_back(moved: str) -> list[str]:
    return [
        f"  a move out of turn came before, and stands: {moved}",
        "  hint: let such moves be taken back: 'honor: {laws: {in_turn: {breach: taken back}}}'",
    ]


def _refusals(s: Position, player: int) -> Iterator[tuple[LawCode, str]]:
    """Every possible move with each law that refuses it."""
    for action, _ in open_actions(s, player):
        if action.talk or not action.laws:
            continue
        offer = Offer(s, player, action)
        for move in islice(listable_of(s, player, action, False), LOOKED_AT):
            real = offer.possible(move.args)
            for law in [] if real is None else action.broken(s, player, *real):
                yield action.laws[law], move.text


def _depth(span: Span, files: tuple[str, ...]) -> int:
    """How far out a file lies: 0 for the base."""
    return files.index(span.file) if span.file in files else len(files)


def _counted(moves: Collection[str]) -> str:
    return "the one move that is possible" if len(moves) == 1 else f"{len(moves)} moves"


def _listed(moves: Collection[str]) -> str:
    rest = len(moves) - NAMED
    return ", ".join(islice(moves, NAMED)) + (f" and {rest} more" if rest > 0 else "")
