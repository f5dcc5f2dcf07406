"""What a bot takes for lawful on honour, where what is offered and what laws say may hang on what it cannot see.

There all moves can be made, and nobody is told what the laws would say of them. So where the rules look at something
hidden they are asked of a table as it may be, and a bot that cannot know is now and then mistaken, as people are. Of
what it would do there it does only what can be made here: that is told to everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.base.memory import forget_oldest
from interpreter.compiler import specialise
from interpreter.engine import legal
from interpreter.engine.available import open_actions
from interpreter.engine.chance import Dice, derive
from interpreter.engine.claims import claim_moves
from interpreter.engine.failures import Ruled
from interpreter.engine.honor import can_be_made
from interpreter.engine.legal import listable_moves, waited_for
from interpreter.engine.notation import IllegalMove
from interpreter.engine.rule_errors import RuleError
from interpreter.language import typed as t
from interpreter.language.check.kinds import holds_card
from interpreter.language.check.openness import asks_of_trick, is_everyone, is_open_variable, tricks_lie_open
from interpreter.language.check.written_out import reached
from interpreter.language.operations import OF_FAULTS
from interpreter.language.typed import Typed, walk
from interpreter.players.blindfold import needs_no_look
from interpreter.players.determinization import Worlds, out_of_sight
from interpreter.players.hidden_course import HOOKS
from interpreter.players.open_course import knows_course
from interpreter.players.told_moves import own_moves

if TYPE_CHECKING:
    from interpreter.api.game import Game, State
    from interpreter.engine.moves import Move
    from interpreter.engine.program import ActionCode, Program
    from interpreter.language.model import ActionDef, Model

MOST = 500
"""Of very many moves, so many are looked at."""
LISTED, FEW = 20_000, 8
"""So many moves that can be made are listed; of what is not among so many, a few are looked at by themselves."""
MOST_KEPT = 32
"""Games of which it is kept what was found."""


class Looking(NamedTuple):
    """actions: those of which what is offered may hang on something hidden. secret: the variables that may hold what
    not all can know; of other hidden ones everybody can keep count."""

    program: Program
    actions: frozenset[ActionCode]
    secret: frozenset[str]


_looking: dict[int, Looking] = {}
"""By what tells programs apart."""


def lawful_moves(state: State, player: int) -> tuple[Sequence[Move], bool]:
    """The moves that a player takes for lawful, and whether they are just the lawful ones, as the player can tell by
    itself. Neither hangs on anything that the player cannot know. Raises RuleError."""
    s = state.position
    if not s.program.honor or s.over or _is_settled(state, player):
        return state.legal_moves(player), True
    with Ruled(s):
        taken, awaited = list(_imagined(state, player)), player in waited_for(s)
        if not taken and awaited:
            taken = list(_possible(state, player))
    if not taken and awaited:  # nothing that it could take instead can be listed
        return state.legal_moves(player), True
    return taken, False


def _is_settled(state: State, player: int) -> bool:
    """Whether what is lawful can be found out without a look at anything that a player cannot know."""
    s = state.position
    looking = _looked_for(state.game)
    if not any(action in looking.actions for action, _ in open_actions(s, player)):
        return True
    hidden = out_of_sight(s, player, looking.secret, knows_course(state))
    return needs_no_look(s, hidden, lambda covered: list(islice(legal.legal_moves(covered, player), MOST)))


def _looked_for(game: Game) -> Looking:
    program = game.program
    found = _looking.get(id(program))
    if found is None or found.program is not program:
        if len(_looking) >= MOST_KEPT:
            forget_oldest(_looking)
        model = specialise(game.ruleset.model, game.players, game.options, program.honor).model
        found = _looking[id(program)] = Looking(program, frozenset(_that_look(program, model)), _secret(model))
    return found


def _secret(model: Model) -> frozenset[str]:
    """The variables that may hold what not all can know: besides those that the check has found, cards, and what is set
    in a text of effects that speaks of such, of arguments, of how many were moved or of counts that not all see."""
    hidden = {name for name, variable in model.variables.items() if not is_open_variable(variable)}
    found = {name for name in hidden if name in model.secret or holds_card(model.variables[name].type)}
    texts = [
        (made & hidden, _in_doubt(parts, model), {part.name for part in parts if isinstance(part, t.VarRef)})
        for made, parts in _texts(model)
    ]
    while True:
        more = set().union(*(made for made, doubtful, asked in texts if doubtful or asked & found)) - found
        if not more:
            return frozenset(found)
        found |= more


def _texts(model: Model) -> Iterator[tuple[set[str], list[Any]]]:
    """The variables that each text of effects sets, and all its nodes, with those of the definitions that it uses."""
    texts: list[object] = [model.honor]
    for stage in model.stages.values():
        texts += [getattr(stage, hook) for hook in HOOKS] + [stage.on_card]
        texts += [(action.effect, action.rows, action.laws) for action in (*stage.actions, *stage.anytime)]
        if stage.score_rows:
            yield {stage.score_variable}, list(reached(stage.score_rows, model.instances, model.tables))
    for effects in texts:
        parts = list(reached(effects, model.instances, model.tables))
        yield _set_in(parts), parts


def _set_in(parts: Iterable[Any]) -> set[str]:
    found: set[str] = set()
    for part in parts:
        if isinstance(part, t.Assign) and isinstance(part.target, t.VarRef):
            found.add(part.target.name)
        elif isinstance(part, t.SwapValues):
            found |= {side.name for side in (part.left, part.right) if isinstance(side, t.VarRef)}
    return found


def _in_doubt(parts: Iterable[Any], model: Model) -> bool:
    """Whether anything in a text may stand for what not all know."""
    return any(
        isinstance(part, t.StageArgument | t.TokenRef)
        or (isinstance(part, t.LetEffect) and bool(part.moves))
        or (isinstance(part, t.ZoneRef) and not is_everyone(model.zones[part.name].count_seen_by))
        for part in parts
    )


def _that_look(program: Program, model: Model) -> Iterator[ActionCode]:
    offers, tricks_open = program.secrets().offers, tricks_lie_open(model.stages, model.zones)
    for stage in program.stages:
        said = model.stages[stage.name]
        for codes, actions in ((stage.actions, said.actions), (stage.anytime, said.anytime)):
            for code, action in zip(codes, actions, strict=True):
                if offers.get(code) or _may_look(action, model, tricks_open):
                    yield code


def _may_look(action: ActionDef, model: Model, tricks_open: bool) -> bool:
    """Whether what is offered of an action, or said with it, speaks of what need not be seen by who does it."""
    says = [*action.says, *(say for row in action.rows for say in row.says)]
    if any(isinstance(part, Typed) and not isinstance(part, t.Const) for say in says for part in walk(say)):
        return True
    asked = [
        *(condition for _, condition in action.when), *action.params, *(law.law for law in action.laws), action.row,
        *(param for row in action.rows for param in row.params),
    ]  # fmt: skip
    return any(
        isinstance(part, t.StageArgument | t.TokenRef)
        or (isinstance(part, t.Op) and (part.op in OF_FAULTS or part.op == "number of"))
        or (not tricks_open and asks_of_trick(part))
        for one in asked
        for part in reached(one, model.instances, model.tables)
    )


def _imagined(state: State, player: int) -> Iterator[Move]:
    """What would be lawful at a table as it may be, and can be made here."""
    if not knows_course(state):
        return
    world = Worlds(state, player).world(Dice(derive(own_moves(state, player), player)))
    try:
        found = list(islice(world.legal_moves(player), MOST))
    except RuleError:
        return
    here = {move.text: move for move in islice(listable_moves(state.position, player), LISTED)}
    for move in found:
        if move.text in here:
            yield here[move.text].saying(move.words)
    if len(here) == LISTED:  # among more than these it is asked of each, which may take as long as to list them
        yield from (move for move in found[:FEW] if move.text not in here and _can_be_made(state, player, move))


def _can_be_made(state: State, player: int, move: Move) -> bool:
    try:
        return can_be_made(state.position, player, state.parse(player, str(move)))
    except (IllegalMove, RuleError):
        return False


def _possible(state: State, player: int) -> Iterator[Move]:
    """What can be made, with whatever words; claims are no moves of a turn."""
    claims = {move.text for move in claim_moves(state.position, player)}
    moves = (move for move in listable_moves(state.position, player) if move.text not in claims)
    yield from islice((move for move in moves if "?" not in (move.words or "")), MOST)
