"""What a bot takes for lawful on honour, where the laws may look at what it cannot see.

There all moves can be made, and nobody is told what the laws would say of them. So laws that hang on something hidden
are asked of a table as it may be, and a bot that cannot know is now and then mistaken, as people are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from interpreter.engine.available import open_actions
from interpreter.engine.chance import Dice, derive
from interpreter.engine.claims import claim_moves
from interpreter.engine.failures import Ruled
from interpreter.engine.legal import listable_moves
from interpreter.engine.notation import IllegalMove
from interpreter.engine.rule_errors import RuleError
from interpreter.players.determinization import Worlds
from interpreter.players.open_course import knows_course

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.engine.moves import Move
    from interpreter.engine.program import ActionCode

MOST = 500
"""Of very many moves, so many are looked at."""


def lawful_moves(state: State, player: int) -> tuple[Sequence[Move], bool]:
    """The moves that a player takes for lawful, and whether they are just the lawful ones. Raises RuleError."""
    moves = state.legal_moves(player)
    s = state.position
    if not s.program.honor or s.over:
        return moves, True
    if not any(_hangs_on_secrets(state, action) for action, _ in open_actions(s, player)):
        return moves, True
    with Ruled(s):
        taken = list(_imagined(state, player)) or list(_possible(state, player))
    if not taken:  # nothing that it could take instead can be listed
        return moves, True
    if len(moves) <= MOST and {move.text for move in taken} == {move.text for move in moves}:
        return moves, True
    return taken, False


def _hangs_on_secrets(state: State, action: ActionCode) -> bool:
    """Whether what is offered of an action hangs on something that its player may not know."""
    model = state.game.ruleset.model
    hidden = state.position.program.secrets().offers.get(action, frozenset())
    return any(name in model.secret or name not in model.variables for name in hidden)


def _imagined(state: State, player: int) -> Iterator[Move]:
    """What would be lawful at a table as it may be, and can be made here."""
    if not knows_course(state):
        return
    world = Worlds(state, player).world(Dice(derive(len(state.position.record_moves), player)))
    try:
        found = list(islice(world.legal_moves(player), MOST))
    except RuleError:
        return
    for move in found:
        try:
            yield state.parse(player, str(move))
        except (IllegalMove, RuleError):
            continue


def _possible(state: State, player: int) -> Iterator[Move]:
    """What can be made, with whatever words; claims are no moves of a turn."""
    claims = {move.text for move in claim_moves(state.position, player)}
    moves = (move for move in listable_moves(state.position, player) if move.text not in claims)
    yield from islice((move for move in moves if "?" not in (move.words or "")), MOST)
