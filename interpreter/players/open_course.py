"""Whether all can know what waits to be run: where they cannot, nobody may go on from a match as it is.

Of a match that is imagined cards and numbers are drawn anew. Its course is not: which stages are running and wait, what
they were called with, whose turns are still to come. A player knows that only if nothing hidden, and no chance, has had
a say in it. That is found once for each game, from its rules alone (`hidden_course`): whether a match is looked at must
not tell of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from interpreter.base.memory import forget_oldest
from interpreter.compiler import specialise
from interpreter.engine.view import is_counted
from interpreter.language import typed as t
from interpreter.language.check.openness import is_everyone
from interpreter.language.model import Model
from interpreter.language.tree import replace
from interpreter.language.typed import Typed, walk
from interpreter.players.hidden_course import HiddenCourse

if TYPE_CHECKING:
    from interpreter.api.game import Game, State
    from interpreter.engine.program import Program

MOST_KEPT = 32
"""Games of which it is kept what was found."""
STEADY = t.Select, t.VarRef, t.Local, t.Const, t.Builtin
LOGIC = ("=", "!=", "and", "or", "not")
"""What an expression consists of that depends on nothing but variables."""


class Found(NamedTuple):
    """What was found of a game.

    hidden: the numbers of the stages in which not all know the course. once: those of them in which nobody does even if
    no move was made by which somebody hides how many cards lie in a zone; these moves, by name.
    """

    program: Program
    hidden: frozenset[int]
    once: frozenset[int]
    hiding: frozenset[str]


_found: dict[int, Found] = {}
"""By what tells programs apart."""


def knows_course(state: State) -> bool:
    """Whether all players can know what is running, what waits and with what it was called."""
    s, program = state.position, state.game.program
    found = _found.get(id(program))
    if found is None or found.program is not program:
        if len(_found) >= MOST_KEPT:
            forget_oldest(_found)
        found = _found[id(program)] = _looked_for(state.game)
    if s.over or s.stack[-1].stage not in found.hidden:
        return True
    made = {text.partition(" ")[0] for _, _, text, _ in s.record_moves}
    if s.stack[-1].stage in found.once or made & found.hiding:
        return False
    places = set(range(len(s.z))) - {program.aside}
    return all(is_counted(s, place, player) for place in places for player in range(program.n))


def _looked_for(game: Game) -> Found:
    at = {stage.name: stage.index for stage in game.program.stages}
    model = specialise(game.ruleset.model, game.players, game.options, game.program.honor).model
    hidden = frozenset(at[name] for name in HiddenCourse(game.program, model).hidden())
    zones = {name: zone for name, zone in model.zones.items() if not is_everyone(zone.count_seen_by)}
    hiding = [_hiding(zone.count_seen_by, model) for zone in zones.values()]
    if not hidden or not zones or None in hiding:
        return Found(game.program, hidden, hidden, frozenset())
    everyone = t.Builtin("everyone", t.PLAYERS, model.players.span)
    counted = {name: replace(zone, count_seen_by=everyone) for name, zone in zones.items()}
    once = HiddenCourse(game.program, replace(model, zones={**model.zones, **counted})).hidden()
    names = frozenset(name for each in hiding for name in each or ())
    return Found(game.program, hidden, frozenset(at[name] for name in once), names)


def _hiding(eyes: Typed, model: Model) -> frozenset[str] | None:
    """The actions without which it is always the same who counts the cards of a zone; None if it may change without
    any."""
    parts = list(walk(eyes))
    names = {part.name for part in parts if isinstance(part, t.VarRef)}
    if not all(isinstance(part, STEADY) or getattr(part, "op", "") in LOGIC for part in parts):
        return None
    if any(isinstance(part, t.Builtin) and part.name != "everyone" for part in parts):
        return None

    def changed(within: object) -> int:
        """How often variables among these are set; to clear one that was never set changes nothing."""
        sides = (
            (effect.target,) if isinstance(effect, t.Assign) else (effect.left, effect.right)
            for effect in walk(within) if isinstance(effect, t.Assign | t.SwapValues)
        )  # fmt: skip
        return sum(isinstance(side, t.VarRef) and side.name in names for each in sides for side in each)

    actions = [action for stage in model.stages.values() for action in (*stage.actions, *stage.anytime)]
    if sum(map(changed, actions)) < changed([*model.stages.values(), model.honor]):
        return None
    return frozenset(action.name for action in actions if changed(action))
