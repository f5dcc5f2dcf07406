"""Why a player who has to decide cannot: which laws refuse which moves, and where in the match that is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from interpreter.diagnostics import Span
from interpreter.run import naming
from interpreter.run.program import ActionCode, LawCode, RuleError

if TYPE_CHECKING:
    from interpreter.run.state import State

LOOKED_AT = 2_000
"""Choices of several cards are so many that only the first are looked at."""
NAMED = 5
"""Moves that are named for each law."""


def stuck(state: State, player: int) -> RuleError:
    """The error of a match that waits for a player who has no lawful move.

    It names each law that refuses a move, at its place, those of the outermost file first: what is laid on a ruleset
    is more likely to blame than the ruleset, and the error stands at the first of them.
    """
    stage = state.program.stages[state.stack[-1].stage]
    who = f"P{player + 1} has no lawful move"
    if stage.kind == "race" and not any(len(state.legal_moves(p)) for p in range(state.program.n)):
        who = "nobody has a lawful move"
    what = f"{who} in '{stage.name}' ({where(state)})"
    refused: dict[tuple[str, Span], list[str]] = {}
    for law, move in _refusals(state, player):
        moves = refused.setdefault((law.name, law.span), [])
        if move not in moves:
            moves.append(move)
    if not refused:
        hint = "nothing can be chosen, or no 'when' holds: add an action that is always possible, such as a pass"
        if stage.kind == "race":
            hint = "nothing can be chosen, or no 'when' holds, and the race does not end: see its 'until'"
        return RuleError(f"{what}\n  hint: {hint}", stage.span)
    files = state.game.ruleset.files
    laws = sorted(refused, key=lambda law: _depth(law[1], files), reverse=True)
    lines = [f"  {span}: the law '{name}' refuses {_listed(refused[name, span])}" for name, span in laws]
    hint = "let a law give way to a hand that cannot keep it: 'LAW or not any c in hand has ...' (grammar, section 14)"
    return RuleError("\n".join([what, *lines, f"  hint: {hint}"]), laws[0][1])


def where(state: State) -> str:
    """Where in a match a state is, and the seed that leads there."""
    found = [f"seed {state.seed}"]
    for stage in state.program.stages:
        if stage.next_dealer is not None and state.runs[stage.index]:
            found.append(f"{stage.name} {state.runs[stage.index]}")
    if state.program.stages[state.stack[-1].stage].kind == "trick":
        found.append(f"trick {state.trick_number}")
    return ", ".join(found)


def _refusals(state: State, player: int) -> Iterator[tuple[LawCode, str]]:
    """Every possible move with each law that refuses it."""
    for action, _ in state._open(player):
        if action.talk or not action.laws:
            continue
        for move in islice(state._moves(player, action, False), LOOKED_AT):
            for law in _broken(state, player, action, move.args):
                yield action.laws[law], move.text


def _broken(state: State, player: int, action: ActionCode, args: tuple[object, ...]) -> list[int]:
    real = naming.real_args(state, player, action, args)
    return [] if real is None else action.broken(state, player, *real)


def _depth(span: Span, files: tuple[str, ...]) -> int:
    """How far out a file lies: 0 for the base."""
    return files.index(span.file) if span.file in files else len(files)


def _listed(moves: list[str]) -> str:
    rest = len(moves) - NAMED
    return ", ".join(moves[:NAMED]) + (f" and {rest} more" if rest > 0 else "")
