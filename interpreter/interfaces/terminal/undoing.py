"""Which moves whoever plays against bots could take back, and why not."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from interpreter.engine.standing import kind_of_phase
from interpreter.interfaces.terminal.ending import NOT_AMONG_PEOPLE, NOT_IN_A_RACE, NOT_ON_HONOUR, NOTHING_TO_UNDO
from interpreter.words.standings import are_points

if TYPE_CHECKING:
    from interpreter.api.state import State
    from interpreter.engine.position import RecordedMove


def is_for_turns(state: State) -> bool:
    """Whether people are told what to play and may take moves back: not in a race, and not on honour."""
    return kind_of_phase(state.position) != "race" and not state.game.program.honor


def helped(state: State, people: Collection[int]) -> dict[str, bool]:
    """By command whether these people have its help now."""
    turns = is_for_turns(state)
    return {"hint": turns, "undo": turns and len(people) == 1, "scores": are_points(state.position)}


def why_not_undo(state: State, people: Collection[int]) -> str:
    """Why none of these people can take a move back, or nothing."""
    if state.game.program.honor:
        return NOT_ON_HONOUR
    if kind_of_phase(state.position) == "race":
        return NOT_IN_A_RACE
    if len(people) != 1:
        return NOT_AMONG_PEOPLE
    return "" if own_moves(state, people) else NOTHING_TO_UNDO


def own_moves(state: State, people: Collection[int]) -> list[RecordedMove]:
    """The moves of these people that could be taken back."""
    return [move for move in state.position.record_moves[state.position.floor :] if move[1] in people]
