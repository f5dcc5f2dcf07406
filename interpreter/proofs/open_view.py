"""A match with all cards open, in the shape of a player's view: for whoever proves rules, not for players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.engine.sight import cards_at
from interpreter.engine.standing import kind_of_phase

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.position import Position
    from interpreter.engine.program import Program, ZoneCode


def open_view(state: State) -> dict[str, Any]:
    """Like `state.view(player)`, of nobody: every card and every variable is told."""
    s, program = state.position, state.game.program
    plays = s.plays if kind_of_phase(s) == "trick" else []
    return state.view(0) | {
        "player": None,
        "actors": [f"P{p + 1}" for p in state.actors],
        "zones": {zone.name: _zone(s, zone) for zone in program.zones if zone.base != program.aside},
        "trick": [[f"P{p + 1}", program.cards[card]] for p, card in plays],
        "values": {name: state.value(name) for name in (*program.variables, *_shown(program))},
    }


def _shown(program: Program) -> list[str]:
    return [shown[0] for shown in program.shown if shown[0] in program.asked]


def _zone(s: Position, code: ZoneCode) -> Any:
    found = {}
    for at in range(code.size):
        cards = [s.program.cards[card] for card in cards_at(s, code.base + at)]
        found[" ".join(code.labels[at].split(" ")[1:])] = {"count": len(cards), "cards": cards}
    return found if code.dims else found[""]
