"""What the page of one reader draws, and what it asks: plain JSON data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.interfaces.host.onlooker import common_view

if TYPE_CHECKING:
    from interpreter.api.state import State
    from interpreter.words.voice import Voice


def scene(state: State, voice: Voice, player: int | None) -> dict[str, Any]:
    """The table as one reader may know it. player: whose eyes; None for somebody without a seat."""
    view: dict[str, Any] = common_view(state) if player is None else dict(state.view(player))
    del view["log"]
    return {"view": view, "names": [voice.name(seat) for seat in range(state.game.players)]}


def ask(state: State, voice: Voice, player: int) -> dict[str, Any] | None:
    """What is asked of a player now, with what can be answered; None for nothing."""
    if player not in state.actors:
        return None
    return {"moves": [str(move) for _, move in zip(range(200), state.legal_moves(player), strict=False)]}
