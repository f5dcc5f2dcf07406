"""What an expression depends on: locals, the state of play, who acts, variables that have few values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from interpreter.language import typed as t
from interpreter.language.model import Model
from interpreter.language.operations import ASK_TABLE, ASK_TEAMS
from interpreter.language.typed import Typed, children

THE_STATE, THE_ACTOR = "the state", "the actor"
"""Among the names of locals, which hold no blank."""
WHO_PLAYS = "who takes part"
"""What an expression uses that says `players`, where stages narrow them."""
_FIXED = frozenset(("everyone", "teams", "pack", "suits", "ranks", "honor"))


class OfVariable(NamedTuple):
    """A variable of few values, among what is needed."""

    name: str


Needs = frozenset[str | OfVariable]
"""Locals by their names, THE_STATE, THE_ACTOR, WHO_PLAYS, and variables."""
_NOTHING: Needs = frozenset()
_STATE: Needs = frozenset((THE_STATE,))


class Uses:
    """What the expressions of one game use.

    few: the variables that have one slot and few values. narrows: whether a stage narrows who takes part.
    teams_move: whether teams follow the seats.
    """

    def __init__(self, model: Model, few: Mapping[str, Any], narrows: Callable[[], bool], teams_move: bool) -> None:
        self._model = model
        self._few = few
        self._narrows = narrows
        self._teams_move = teams_move
        self._known: dict[int, tuple[Typed, Needs]] = {}
        self._instances: dict[str, Needs] = {}

    def of(self, node: Typed) -> Needs:
        """The locals an expression needs, THE_STATE if it reads the state of play, THE_ACTOR if it asks who acts."""
        known = self._known.get(id(node))
        if known is None or known[0] is not node:
            known = (node, self._find(node))
            self._known[id(node)] = known
        return known[1]

    def _all(self, nodes: Iterable[Typed]) -> Needs:
        """What some expressions need together."""
        found = _NOTHING
        for node in nodes:
            needs = self.of(node)
            if needs and needs is not found:
                found = found | needs if found else needs
        return found

    def _find(self, node: Typed) -> Needs:
        match node:
            case t.Const() | t.OptionRef():
                return _NOTHING
            case t.Local(name):
                return frozenset((name,))
            case t.Builtin(name):
                if name in _FIXED:
                    return _NOTHING
                if name == "players":
                    return frozenset((THE_STATE, WHO_PLAYS)) if self._narrows() else _NOTHING
                return frozenset((THE_STATE, THE_ACTOR) if name == "actor" else (THE_STATE,))
            case t.VarRef(name, ()) if name in self._few:
                return frozenset((OfVariable(name),))
            case t.StageArgument() | t.VarRef() | t.ZoneRef() | t.TokenRef():
                return _STATE | self._all(children(node))
            case t.TableRef(name, key):
                table = self._model.tables[name]
                rows = self._all(row.value for row in table.rows) - {table.card}
                return rows | self.of(key) | (frozenset() if table.by is None else self.of(table.by))
            case t.Instance(key, args):
                if key not in self._instances:
                    instance = self._model.instances[key]
                    self._instances[key] = self.of(instance.body) - {n for n, _ in instance.params} - {THE_ACTOR}
                return self._instances[key] | self._all(args)
            case t.Quant() | t.Select() | t.Fold():
                inner = self._all(part for part in children(node) if part is not node.domain)
                own = _STATE if isinstance(node, t.Fold) and node.outside else _NOTHING
                return own | self.of(node.domain) | (inner - {node.variable})
            case t.Let(variable, value, body):
                return self.of(value) | (self.of(body) - {variable})
            case t.Op(op, args):
                asks = op in ASK_TABLE or (self._teams_move and op in ASK_TEAMS)
                own = _STATE if asks else _NOTHING
                if op in ("lowest", "highest"):  # of those who take part
                    own |= self.of(t.Builtin("players", t.PLAYERS, node.span))
                return own | self._all(args)
        return self._all(children(node))


def variables_in(needs: Needs) -> tuple[str, ...]:
    """The variables of few values among what is needed."""
    return tuple(sorted([need.name for need in needs if isinstance(need, OfVariable)]))


def one_local(needs: Needs) -> tuple[str | None, tuple[str, ...]]:
    """The one local among what is needed, and the variables of few values; no local if anything else is needed."""
    variables = variables_in(needs)
    if len(needs) != len(variables) + 1:
        return None, ()
    (local,) = (need for need in needs if not isinstance(need, OfVariable))
    return (None if local in (THE_STATE, THE_ACTOR) else local), variables
