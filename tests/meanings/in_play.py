"""What expressions come to in moves: when they can be made, which laws they break, and what their effects keep."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from interpreter.api.game import Game, State
from interpreter.engine.rule_errors import RuleError
from interpreter.language import typed as t
from interpreter.language.model import ActionDef
from tests.meanings.comparing import AGREES, ERROR, FAILS, UNCLEAR, Difference, plain
from tests.meanings.naive import OUTSIDE, Failure, Locals, Table, Unclear

MOST = 10**17
"""The most that a number of an action is."""


def actions_of(state: State) -> list[ActionDef]:
    return [action for action in state.game.ruleset.model.stages["go"].actions if action.name.startswith("act")]


def meant_moves(state: State, action: ActionDef) -> Any:
    """The moves of an action that break no law, as texts, each once; or `ERROR`, or `UNCLEAR`."""
    table = _table(state)
    try:
        if not all(table.of(condition, {}) for _, condition in action.when):
            return set()
        if not action.params:
            return {action.name}
        (param,) = action.params
        found = set()
        for one in _choices(table, action):
            if all(table.of(law.law, {param.name: one}) for law in action.laws):
                found.add(f"{action.name} {plain(table, one, param.type)}")
        return found
    except Failure:
        return ERROR
    except Unclear:
        return UNCLEAR


def _table(state: State, lenient: bool = False) -> Table:
    table = Table(state, lenient)
    table.all_players()
    table.actor = state.actors[0]
    return table


def _choices(table: Table, action: ActionDef) -> list[Any]:
    (param,) = action.params
    if param.bounds is not None:
        low, high = (table.of(end, {}) for end in param.bounds)
        return list(range(low, high + 1))
    found: list[Any] = table.of(param.domain, {})
    return found


def offered_moves(state: State) -> tuple[Any, str]:
    """What can be done by any of the actions."""
    try:
        moves = state.legal_moves(state.actors[0])
    except RuleError as error:
        return ERROR, str(error)
    return {str(move).partition("@")[0] for move in moves}, ""


def meant_finds(state: State, action: ActionDef, move: Any, lenient: bool = False) -> list[Any]:
    """What the effect of a move keeps: variable -> its value as `state.value` tells it; or `ERROR`, or `UNCLEAR`.

    One for each of the equal cards that may be meant.
    """
    table = _table(state, lenient)
    found: list[Any] = []
    try:
        meant = _meant_by(table, action, str(move))
    except (Failure, Unclear):
        return [UNCLEAR]  # as its laws are
    for names in meant:
        kept: dict[str, Any] = {}
        try:
            _carry_out(table, action.effect, names, kept)
        except Failure:
            found.append(ERROR)
        except Unclear:
            found.append(UNCLEAR)
        else:
            types = table.model.variables
            found.append({name: _sorted(plain(table, value, types[name].type)) for name, value in kept.items()})
    return found


def _meant_by(table: Table, action: ActionDef, move: str) -> list[Locals]:
    """The arguments of a move: a card is named by its face, and where that lies in several places by its place."""
    if not action.params:
        return [{}]
    (param,) = action.params
    word, _, label = move.split()[1].partition("@")
    found = [one for one in _choices(table, action) if str(plain(table, one, param.type)) == word]
    if label:
        place = [told.replace(" ", ".") for told in table.s.program.places].index(label)
        found = [card for card in found if table.where(card)[0] == place]
    lawful = [one for one in found if all(table.of(law.law, {param.name: one}) for law in action.laws)]
    return [{param.name: one} for one in lawful]


def _carry_out(table: Table, effects: tuple[t.Effect, ...], names: Locals, kept: dict[str, Any]) -> None:
    for effect in effects:
        match effect:
            case t.Assign(verb, t.VarRef(name), value):
                found = table.of(value, names)
                if verb == "add":
                    before = kept.get(name, table.of(effect.target, names))
                    if found is None or before is None:
                        raise Failure("none is added")
                    found = before + found
                kept[name] = _as_kept(table.model.variables[name].type, found)
            case t.IfEffect(condition, then, otherwise):
                _carry_out(table, then if table.of(condition, names) else otherwise, names, kept)
            case t.LetEffect(name, value):
                names = {**names, name: table.of(value, names)}
            case t.ForEffect(name, _, _, where, None, body):
                members = [one for one in table.of(effect.domain, names)]
                for one in members:
                    if where is None or table.of(where, {**names, name: one}):
                        _carry_out(table, body, {**names, name: one}, kept)
            case t.Turn("again"):
                pass
            case _:
                raise NotImplementedError(effect)


def _as_kept(kind: t.Type, found: Any) -> Any:
    """A value as a variable of that type holds it; it has to be there, and a number between its bounds."""
    if found == OUTSIDE:
        found = None
    if found is None and not kind.optional:
        raise Failure("none stands where something has to be")
    if kind.kind == "integer" and found is not None and abs(found) > MOST:
        raise Failure("a bound is left")
    return found


def _sorted(value: Any) -> Any:
    return sorted(value) if isinstance(value, list) else value


def compared_moves(state: State) -> Iterator[Difference | str]:
    """What can be done of each action; where one of them fails, all that can be done is not told."""
    found, why = offered_moves(state)
    meant = {action.name: meant_moves(state, action) for action in actions_of(state)}
    if found == ERROR:
        fails = ERROR in meant.values() or UNCLEAR in meant.values()
        yield FAILS if fails else Difference("actions", found, meant, why)
        return
    for name, moves in meant.items():
        offered = {word for word in found if word.split()[0] == name}
        yield UNCLEAR if moves == UNCLEAR else AGREES if moves == offered else Difference(name, offered, moves)


def compared_finds(state: State, action: ActionDef, move: Any) -> Difference | str:
    """What differs where a move of an action does not keep what it means; the match stays as it is."""
    meant, after, why = meant_finds(state, action, move), state.copy(), ""
    try:
        after.play(state.actors[0], move)
    except RuleError as error:
        why = str(error)
    found = ERROR if why else _finds(after, meant)
    if UNCLEAR in meant:
        return UNCLEAR
    if found in meant:
        return FAILS if found == ERROR else AGREES
    if ERROR in meant and not why:
        perhaps = meant_finds(state, action, move, lenient=True)
        if UNCLEAR in perhaps or _finds(after, perhaps) in perhaps:
            return FAILS
    return Difference(f"{action.name}: {move}", found, meant, why)


def _finds(after: State, meant: list[Any]) -> Any:
    """What is kept after a move of the variables of which it is told."""
    kept = next((one for one in meant if isinstance(one, dict)), {})
    return {name: _sorted(after.value(name)) for name in kept}


def compared_in_play(state: State, dice: random.Random) -> Iterator[Difference | str]:
    """All actions of a ruleset as a match stands: what can be done, and what a move of each does."""
    yield from compared_moves(state)
    try:
        moves = state.legal_moves(state.actors[0])
    except RuleError:
        return
    for action in actions_of(state):
        own = [move for move in moves if str(move).split()[0] == action.name]
        if own:
            yield compared_finds(state, action, dice.choice(own))


def stepped_alike(game: Game, seed: int, most: int) -> tuple[str, int]:
    """A match in Python and as machine code: where they differ, "" if nowhere; and how many moves machine code made."""
    dice = random.Random(seed)
    lanes = game.start(seed=seed, log=False), game.start(seed=seed, log=False, native=True)
    made = 0
    for step in range(most):
        player = lanes[0].actors[0]
        offered = [_told(state, player) for state in lanes]
        if offered[0] != offered[1]:
            return f"move {step}: {offered[0]} in Python, {offered[1]} as machine code", made
        if isinstance(offered[0], str) or not offered[0]:
            break
        at = dice.randrange(len(offered[0]))
        made += type(lanes[1]) is not State
        done = [_told(state, player, at) for state in lanes]
        if done[0] != done[1]:
            return f"move {step}, {offered[0][at]}: {done[0]} in Python, {done[1]} as machine code", made
        if lanes[1].copy().to_json() != lanes[0].to_json():
            return f"move {step}, {offered[0][at]}: they stand otherwise", made
    return "", made


def _told(state: State, player: int, at: int | None = None) -> Any:
    """What somebody can do, or what comes of the move at a place of that; or what goes wrong."""
    try:
        moves = state.legal_moves(player)
        return [str(move) for move in moves] if at is None else state.play(player, moves[at])
    except RuleError as error:
        return str(error)
