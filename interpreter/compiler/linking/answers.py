"""What is asked of a match: variables, shown and asked definitions, scores, places of players."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.compiler.bounds.ranges import A_MILLION
from interpreter.compiler.core import Lit
from interpreter.compiler.linking.linked import Linked
from interpreter.compiler.place_labels import dims_of
from interpreter.engine.program import VariableCode
from interpreter.language import typed as t
from interpreter.language.check.openness import is_open, is_open_variable
from interpreter.language.model import StageDef


def variable_code(of: Linked, name: str) -> VariableCode:
    """A family of variables as the program knows it."""
    variable, family = of.model.variables[name], of.layout.variables[name]
    begins = of.lowering.effects.variables.default(name)
    return VariableCode(
        name=name,
        base=family.base,
        size=family.size,
        kind=_kind_kept(variable.type),
        symbols=variable.type.symbols,
        dims=dims_of(variable),
        keys=family.keys,
        low=of.expressions.ranges.of(variable.minimum)[0],
        high=of.expressions.ranges.of(variable.maximum)[1],
        seen_by=of.hook(f"eyes·{name}"),
        optional=variable.type.optional,
        begins=begins.value if isinstance(begins, Lit) else None,
    )


def argument_code(of: Linked, stage: StageDef, name: str) -> VariableCode:
    """An argument of a called stage, as a variable that is read from a position."""
    kind, bounds, ranges = dict(stage.params)[name], stage.bounds.get(name), of.expressions.ranges
    least, most = A_MILLION if bounds is None else (ranges.of(bounds[0])[0], ranges.of(bounds[1])[1])
    slot, symbols = of.layout.arguments[stage.name, name], kind.symbols
    return VariableCode(
        name, slot, 1, _kind_kept(kind), symbols, (), ((),), least, most, seen_by=None, optional=kind.optional
    )


def _kind_kept(kind: t.Type) -> str:
    """The type of a variable as the program tells values apart; a set of players is plainly a set."""
    if kind.item is None or kind.item.kind == "player":
        return kind.kind
    return f"{kind.kind} of {kind.item.kind}"


def shown_definitions(of: Linked) -> tuple[tuple[str, str, Callable[..., Any], Callable[..., int], str], ...]:
    """What views show: name, of whom, function, who sees it, type."""
    return tuple(
        (d.name, d.each, _define(of, d.key), of.names[f"eyes_define·{d.name}"], _kind(of, d.key))
        for d in of.model.shown
    )


def asked_definitions(of: Linked) -> dict[str, tuple[str, Callable[..., Any], str]]:
    """What can be asked by name: of whom, function, type."""
    return {name: asked_definition(of, name) for name in of.model.askable}


def asked_definition(of: Linked, name: str) -> tuple[str, Callable[..., Any], str]:
    """Of whom a definition can be asked, its function, its type."""
    key, each = of.model.askable[name]
    return each, _define(of, key), _kind(of, key)


def _define(of: Linked, key: str) -> Any:
    return of.names[of.expressions.define_names[key]]


def _kind(of: Linked, key: str) -> str:
    """The type of a definition as views tell values apart."""
    kind = of.model.instances[key].body.type
    return f"{kind.kind} of {kind.item.kind}" if kind.item is not None else kind.kind


def places_of(of: Linked) -> Any:
    """What places go by: the ruleset's `places`, else the number by which the winners are found."""
    own, winners = _by_player(of, "match_places"), of.stages["match"].winners
    if own is not None or not isinstance(winners, t.Op) or winners.op not in ("lowest", "highest"):
        return own
    base, sign = of.layout.variables[winners.name].base, 1 if winners.op == "lowest" else -1
    by_team, n = of.model.variables[winners.name].dims == ("team",), of.layout.n
    return lambda s: [sign * (s.v[base + (s.teams[p] if by_team else p)] or 0) for p in range(n)]


def scores(of: Linked) -> Any:
    """The scores of all players: the ruleset's `scores`, else its variable `score`, else 0."""
    own, variable, n = _by_player(of, "match_scores"), of.model.variables.get("score"), of.layout.n
    if own is not None:
        return own
    if variable is None or variable.dims not in (("player",), ("team",)) or variable.type.kind != "integer":
        return lambda s: [0] * n
    base = of.layout.variables["score"].base
    if variable.dims == ("team",):
        return lambda s: [s.v[base + team] or 0 for team in s.teams]
    return lambda s: [x or 0 for x in s.v[base : base + n]]


def score_eyes(of: Linked) -> Callable[[Any, int], int] | None:
    """Who sees the score of a player while the match goes on; what `scores` reckons of hidden things, nobody."""
    reckoned, variable = of.stages["match"].scores, of.model.variables.get("score")
    if reckoned is not None:
        return None if is_open(reckoned, of.model, ("p",)) else lambda s, p: 0
    eyes = None if variable is None or is_open_variable(variable) else of.hook("eyes·score")
    if eyes is None or variable is None or variable.dims != ("team",):
        return eyes
    return lambda s, p: eyes(s, s.teams[p])


def _by_player(of: Linked, name: str) -> Any:
    function, n = of.hook(name), of.layout.n
    return None if function is None else lambda s: [function(s, p) for p in range(n)]
