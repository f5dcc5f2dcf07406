"""The moves of which a player knows: a bot goes by no others."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.api.game import State


def own_moves(state: State, player: int) -> int:
    """How many moves a player has made: of those of others some may not be told."""
    return sum(who == player for _, who, *_ in state.position.record_moves)


def others_moved(state: State, player: int, read: int) -> bool:
    """Whether a player has been told of a move of somebody else since so much had happened (`how_far`)."""
    if state.log is None:
        return any(who != player for _, who, *_ in state.position.record_moves[read:])
    news = state.log[read:]
    return any(event.kind == "move" and event.player != player and event.told >> player & 1 for event in news)


def how_far(state: State) -> int:
    """How many events there are, or moves where no log is kept."""
    return len(state.position.record_moves if state.log is None else state.log)
