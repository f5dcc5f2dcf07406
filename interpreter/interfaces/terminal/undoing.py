"""Which moves whoever plays against bots could take back, and why not."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from interpreter.engine.rule_errors import RuleError
from interpreter.engine.standing import kind_of_phase
from interpreter.interfaces.terminal.ending import (
    MOVE_STAYS,
    NOT_AMONG_PEOPLE,
    NOT_IN_A_RACE,
    NOT_ON_HONOUR,
    NOTHING_TO_UNDO,
)
from interpreter.interfaces.terminal.together import is_for_all
from interpreter.words.standings import are_points

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.situation import RecordedMove


def is_for_turns(state: State) -> bool:
    """Whether people are told what to play and may take moves back: not in a race, and not on honour."""
    return kind_of_phase(state.position) != "race" and not state.game.program.honor


def helped(state: State, people: Sequence[int]) -> dict[str, bool]:
    """By command whether these people have its help now."""
    turns = is_for_turns(state)
    hint = turns and not is_for_all(state, people)
    return {"hint": hint, "undo": turns and len(people) == 1, "scores": are_points(state.position)}


def why_not_undo(state: State, people: Collection[int]) -> str:
    """Why none of these people can take a move back, or nothing."""
    if state.game.program.honor:
        return NOT_ON_HONOUR
    if kind_of_phase(state.position) == "race":
        return NOT_IN_A_RACE
    if len(people) != 1:
        return NOT_AMONG_PEOPLE
    return "" if own_moves(state, people) else NOTHING_TO_UNDO


def take_back(state: State, people: Sequence[int]) -> tuple[str, str]:
    """Take back the last move of these people, let chance go on in another way, and say which it was, or else why it
    stays, as (move, why not)."""
    if why_not := why_not_undo(state, people):
        return "", why_not
    moves, own = state.position.record_moves, own_moves(state, people)[-1]
    stay = moves.index(own)
    if any("end" in extra for *_, extra in moves[stay:]):  # a race that has ended meanwhile
        return "", NOT_IN_A_RACE
    try:
        state.undo(secrets.randbits(32), stay, people)
    except (ValueError, RuleError) as seen:
        return "", f"{MOVE_STAYS}: {seen}."
    return own[2], ""


def own_moves(state: State, people: Collection[int]) -> list[RecordedMove]:
    """The moves of these people that could be taken back."""
    return [move for move in state.position.record_moves[state.position.floor :] if move[1] in people]
