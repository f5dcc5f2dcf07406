"""A match with all cards open, in the shape of a player's view: for whoever proves rules, not for players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.engine.view import cards_at

if TYPE_CHECKING:
    from interpreter.engine.program import ZoneCode
    from interpreter.engine.state import State


def open_view(state: State) -> dict[str, Any]:
    """Like `state.view(player)`, of nobody: every card and every variable is told."""
    names = state.program.cards
    return state.view(0) | {
        "player": None,
        "actors": [f"P{p + 1}" for p in state.actors],
        "zones": {z.name: _zone(state, z) for z in state.program.zones if z.base != state.program.aside},
        "trick": [[f"P{p + 1}", names[card]] for p, card in state.plays] if state.phase_kind() == "trick" else [],
        "values": {name: state.value(name) for name in (*state.program.variables, *_shown(state))},
    }


def _shown(state: State) -> list[str]:
    return [shown[0] for shown in state.program.shown if shown[0] in state.program.asked]


def _zone(state: State, code: ZoneCode) -> Any:
    found = {}
    for at in range(code.size):
        cards = [state.program.cards[card] for card in cards_at(state, code.base + at)]
        found[" ".join(code.labels[at].split(" ")[1:])] = {"count": len(cards), "cards": cards}
    return found if code.dims else found[""]
