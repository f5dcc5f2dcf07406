"""What options and players have settled in a model: branches that can never be taken are left out of it.

What is left decides how cards are kept and how a match is played out: a hand that an option might hide, and does not,
is seen; pairs that an option might draw for, and does not, sit still.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import is_
from typing import Any

from interpreter.compiler.constant import NotConstant, Unanswerable
from interpreter.compiler.layout import Layout
from interpreter.compiler.lower.missing import Missing
from interpreter.language import typed as t
from interpreter.language.model import ActionDef, HonorDef, Model, StageDef
from interpreter.language.operations import ANSWER
from interpreter.language.tree import parts_of, replace, values_of
from interpreter.language.typed import Type, Typed, walk_of


def specialise_model(layout: Layout) -> Model:
    """The model of a game without what its options rule out."""
    model = layout.model
    fold = _Folding(layout)
    stages = {name: fold(stage) for name, stage in model.stages.items()}
    for name, stage in stages.items():
        if stage.when is not None and fold.truth(stage.when) is False:
            stages[name] = replace(stage, when=t.Const(False, t.FLAG, stage.when.span))
    zones = {name: fold(zone) for name, zone in model.zones.items()}
    instances = {name: fold(instance) for name, instance in model.instances.items()}
    live = [stages[name] for name in _live(stages, model.honor)]
    reseats = any(effect.verb == "reseat" for effect in walk_of([live, model.honor], t.ToPlayer))
    return replace(model, stages=stages, zones=zones, instances=instances, reseats=reseats)


def _live(stages: dict[str, StageDef], honor: HonorDef | None) -> Iterator[str]:
    """The stages that can ever run: those in stages that run, and those that are called there."""
    todo, done = ["match", *(call.stage for call in walk_of(honor, t.Call))], set()
    while todo:
        name = todo.pop()
        if name in done:
            continue
        done.add(name)
        stage = stages[name]
        if isinstance(stage.when, t.Const) and stage.when.value is False:
            continue
        yield name
        todo += stage.children
        todo += [call.stage for call in walk_of(stage, t.Call)]


def reached(model: Model) -> tuple[frozenset[str], frozenset[str]]:
    """The stages that can ever run in a settled model, and the keys of the definitions that are asked there."""
    live = frozenset(_live(model.stages, model.honor))
    stages = [replace(s, actions=_possible(s.actions), anytime=_possible(s.anytime)) for s in model.stages.values()]
    todo: list[Any] = [[s for s in stages if s.name in live], model.honor, model.zones, model.variables]
    asked: set[str] = set()
    tables: set[str] = set()
    while todo:
        for node in walk_of(todo.pop(), t.Instance, t.TableRef):
            if isinstance(node, t.Instance):
                if node.key not in asked:
                    asked.add(node.key)
                    todo.append(model.instances[node.key].body)
            elif node.name not in tables:
                tables.add(node.name)
                table = model.tables[node.name]
                todo.append([table.by, [row.value for row in table.rows]])
    return live, frozenset(asked)


def _possible(actions: tuple[ActionDef, ...]) -> tuple[ActionDef, ...]:
    return tuple(action for action in actions if not is_impossible(action))


def is_impossible(action: ActionDef) -> bool:
    """Whether options have settled that nobody can ever do it."""
    return any(not on and isinstance(c, t.Const) and c.value is False for on, c in action.when)


_LEAVES = frozenset((str, int, bool, type(None), Type, t.Const, t.Local, t.Builtin))
_DECIDED = frozenset((t.Op, t.Instance, t.OptionRef))
"""Nodes that can be conditions."""


def _has_a_value(node: Typed) -> bool:
    """Whether nothing that is asked can stop a match. Where both branches are alike, it need not be asked then."""
    if isinstance(node, t.Op):
        return node.op in ANSWER and all(map(_has_a_value, node.args))
    return isinstance(node, t.Const | t.OptionRef)


class _Folding:
    """Takes the branch that is settled, wherever there is a choice."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._truths: dict[str, bool | None] = {}
        """What definitions are settled to be, by their keys."""
        self._missing = Missing(layout, lambda node: None)

    def __call__(self, node: Any) -> Any:
        kind = type(node)
        if kind is tuple:
            return self._all(node)
        if kind in _DECIDED and node.type.kind == "flag":
            truth = self.truth(node)
            if truth is not None:
                return t.Const(truth, t.FLAG, node.span)
        parts = parts_of(kind)
        if not parts:
            return node
        if kind is t.If:
            truth = self.truth(node.condition)
            if truth is not None:
                return self(node.then if truth else node.otherwise)
        changes = {}
        for name, value in zip(parts, values_of(node), strict=True):
            if type(value) not in _LEAVES and (found := self(value)) is not value:
                changes[name] = found
        return replace(node, **changes) if changes else node

    def _all(self, nodes: tuple[Any, ...]) -> tuple[Any, ...]:
        found: list[Any] = []
        for node in nodes:
            truth = self.truth(node.condition) if isinstance(node, t.IfEffect) else None
            if truth is None:
                found.append(node if type(node) in _LEAVES else self(node))
            else:
                found += self(node.then if truth else node.otherwise)
        same = len(found) == len(nodes) and all(map(is_, found, nodes))
        return nodes if same else tuple(found)

    def truth(self, node: Typed) -> bool | None:
        """Whether a condition holds, as far as options and players settle it."""
        match node:
            case t.Op("and" | "or" as op, args):
                parts = [self.truth(a) for a in args]
                decides = op == "or"
                if decides in parts:
                    return decides
                return None if None in parts else not decides
            case t.Op("not", (inner,)):
                found = self.truth(inner)
                return None if found is None else not found
            case t.Instance(key):
                if key not in self._truths:
                    self._truths[key] = None  # definitions do not go in circles
                    self._truths[key] = self.truth(self.layout.model.instances[key].body)
                if self._truths[key] and self._missing.unexpected(node):  # given none, it does not hold
                    return None
                return self._truths[key]
            case t.If(condition, then, otherwise):
                truth = self.truth(condition)
                if truth is not None:
                    return self.truth(then if truth else otherwise)
                either = {self.truth(then), self.truth(otherwise)} if _has_a_value(condition) else ()
                return either.pop() if len(either) == 1 else None
        try:
            return bool(self.layout.constant(node))
        except (NotConstant, Unanswerable):
            return None
