"""What may not lead back to where it began: calls, tables, and what the rules ask about themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter.base.diagnostics import Report, Span
from interpreter.language import typed as t
from interpreter.language.check.written_out import reached
from interpreter.language.model import ActionDef, DefineInstance, MeldDef, ParamDef, StageDef, TableDef
from interpreter.language.operations import OPERATIONS

ASKING = ("turn", "trick", "ask", "simultaneous", "race", "claims")
Edges = Mapping[str, list[tuple[str, Span | None]]]
"""What leads where, and the place that says so; None for a step that alone makes no circle."""


def check_circles(stages: dict[str, StageDef], automatic: list[tuple[str, str, Span]], report: Report) -> None:
    """Calls that can follow each other without a move in between must not lead back."""
    edges: dict[str, list[tuple[str, Span | None]]] = {name: [] for name in stages}
    for source, target, span in automatic:
        if source in edges and target in stages:
            edges[source].append((target, span))
    for name, stage in stages.items():
        for inner in stage.children:
            edges[name].append((inner, None))
            if asks(inner, stages, set()):
                break
    path = _circle(edges)
    if path is not None:
        span = next(s for _, s in path if s is not None)
        way = " -> ".join([path[-1][0], *(n for n, _ in path)])
        report.error(
            "E510", span, f"calls go in a circle without a move in between: {way}", "let a player decide in between"
        )


def asks(name: str, stages: dict[str, StageDef], seen: set[str]) -> bool:
    """Whether going through the stage asks somebody for a move."""
    if name in seen or name not in stages:
        return False
    stage = stages[name]
    if stage.kind in ASKING:
        return True
    return any(asks(c, stages, seen | {name}) for c in stage.children)


def _circle(edges: Edges) -> list[tuple[str, Span | None]] | None:
    """The steps of a circle that holds a call (a step with a place), or None."""
    done: set[str] = set()
    for start in edges:
        path: list[tuple[str, Span | None]] = []
        at = {start: 0}
        """What is being followed, and where in the path the steps from it begin."""
        waiting = [iter(edges[start])]
        while waiting:
            target, span = next(waiting[-1], (None, None))
            if target is None:
                waiting.pop()
                done.add(path.pop()[0] if path else start)
                at.popitem()
            elif target in at:
                loop = [*path[at[target] :], (target, span)]
                if any(s is not None for _, s in loop):
                    return loop
            elif target not in done:
                path.append((target, span))
                at[target] = len(path)
                waiting.append(iter(edges[target]))
    return None


WILD, SUITS = "which cards are wild", "of which suit a card is in a trick"


class _Asking:
    """What has to be known to answer what is asked: of actions, of who takes part, of cards that are wild or trumps."""

    def __init__(
        self,
        stages: Mapping[str, StageDef],
        melds: Mapping[str, MeldDef],
        instances: Mapping[str, DefineInstance],
        tables: Mapping[str, TableDef],
    ) -> None:
        self._instances, self._tables, self._melds = instances, tables, melds
        self._stages = stages
        self._parents = {child: name for name, stage in stages.items() for child in stage.children}
        self._actions = {f"{n}.{a.name}": a for n, stage in stages.items() for a in (*stage.actions, *stage.anytime)}
        self._meant: dict[str, list[str]] = {key: [key] for key in self._actions}
        for key, action in self._actions.items():
            self._meant.setdefault(f"{t.ANYWHERE}.{action.name}", []).append(key)

    def edges(self) -> Edges:
        found: dict[str, list[tuple[str, Span | None]]] = {}
        for key, action in self._actions.items():
            found[key] = list(self._asked(_conditions(action), self._around(action.stage)))
        for name, stage in self._stages.items():
            if stage.players is not None:
                outside = self._around(self._parents.get(name, ""), called=name)
                direct = {(who, None) for who in outside}
                asked = self._asked(stage.players, outside)
                found[_who(name)] = [(to, None if (to, None) in direct else span) for to, span in asked]
        ruled = [(stage.suit, stage.trump_when) for stage in self._stages.values() if stage.kind == "trick"]
        found[SUITS] = list(self._asked(ruled, self._around("")))
        found[WILD] = list(self._asked([kind.wild for kind in self._melds.values()], self._around("")))
        return {key: [(to, span) for to, span in steps if to in found] for key, steps in found.items()}

    def _around(self, stage: str, called: str = "") -> list[str]:
        """Of which stages it may be that says who takes part there: the innermost, or any that may be around it."""
        while stage and self._stages[stage].players is None:
            stage = self._parents.get(stage, "")
        return [_who(stage)] if stage else [_who(name) for name in self._stages if name != called]

    def _asked(self, node: object, taking_part: list[str]) -> Iterator[tuple[str, Span | None]]:
        for part in reached(node, self._instances, self._tables):
            match part:
                case t.Op("can", _, name=action):
                    yield from ((key, part.span) for key in self._meant.get(action, ()))
                case t.Builtin("players"):
                    yield from ((who, part.span) for who in taking_part)
                case t.Op(op) if OPERATIONS[op].asks == "variable":
                    yield from ((who, part.span) for who in taking_part)
                case t.Op(op) if OPERATIONS[op].looks == "melds":
                    yield WILD, part.span
                case t.Op("void"):
                    yield SUITS, part.span
                case ParamDef(form="meld" | "melds") if part.domain is not None:
                    yield WILD, part.domain.span


def _who(stage: str) -> str:
    return f"who takes part in '{stage}'"


def _conditions(action: ActionDef) -> object:
    """What decides whether an action can be done."""
    return action.when, action.params, [law.law for law in action.laws], action.row, [r.params for r in action.rows]


def check_asking(
    stages: Mapping[str, StageDef],
    melds: Mapping[str, MeldDef],
    instances: Mapping[str, DefineInstance],
    tables: Mapping[str, TableDef],
    report: Report,
) -> None:
    """No answer hangs on itself: whether an action is possible, who takes part, which cards are wild, or of a suit."""
    path = _circle(_Asking(stages, melds, instances, tables).edges())
    if path is None:
        return
    way = " -> ".join([path[-1][0], *(n for n, _ in path)])
    span = next(s for _, s in path if s is not None)
    if all("." in step for step, _ in path):
        report.error(
            "E506", span, f"'can' goes in a circle: {way}", "an action cannot depend on whether it can be done"
        )
    else:
        report.error("E506", span, f"this is asked in a circle: {way}", "the answer cannot depend on itself")


def check_tables(tables: dict[str, TableDef], instances: dict[str, DefineInstance], report: Report) -> None:
    """The rows of a table do not use the table, directly or through others or definitions."""

    def used(node: object) -> list[tuple[str, Span | None]]:
        found = [n for n in t.walk(node) if isinstance(n, t.TableRef | t.Instance)]
        return [(n.name if isinstance(n, t.TableRef) else n.key, n.span) for n in found]

    edges = {name: used([row.value for row in table.rows] + [table.by]) for name, table in tables.items()}
    edges |= {key: used(instance.body) for key, instance in instances.items()}
    path = _circle({name: [(n, s) for n, s in steps if n in edges] for name, steps in edges.items()})
    if path is not None:
        name, span = next((n, s) for n, s in path if n in tables)
        assert span is not None
        report.error("E506", span, f"the table '{name}' uses itself", "tables cannot go in circles")
