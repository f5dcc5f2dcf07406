"""What players and options have settled, taken out of expressions and effects: the book tells the game as played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from interpreter.compiler.constant import Impossible, NotConstant, Settled, Unanswerable, as_depends
from interpreter.language import typed as t
from interpreter.language.model import Choice, DefineInstance, Depends, TableDef
from interpreter.language.tree import replace
from interpreter.language.typed import Effect, Typed

Said = TypeVar("Said")


@dataclass(frozen=True)
class Folding:
    """options: the values chosen. Whatever they decide is decided here; the rest is left as it is."""

    options: Mapping[str, Any]
    players: int
    honor: bool
    instances: Mapping[str, DefineInstance]
    tables: Mapping[str, TableDef] = field(default_factory=dict)
    ranks: Sequence[str] = ()
    all_take_part: bool = True
    """Whether `players` is everyone, in every stage."""
    _folded: dict[int, tuple[Typed, Typed]] = field(init=False, repr=False, compare=False, default_factory=dict)

    @property
    def _settled(self) -> Settled:
        return Settled(self.options, self.players, self.honor, self.ranks)

    def value(self, node: Typed) -> Any:
        """The value of an expression that is settled. Raises NotConstant."""
        try:
            return self._settled.constant(node, self.all_take_part)
        except Unanswerable:
            raise NotConstant(type(node).__name__) from None

    def fold(self, node: Typed) -> Typed:
        """What is left of an expression; each is looked at once, for definitions may stand in one another."""
        if id(node) not in self._folded:
            found = self._fold(node)
            self._folded[id(node)] = node, found
            self._folded[id(found)] = found, found
        return self._folded[id(node)][1]

    def _fold(self, node: Typed) -> Typed:
        try:
            value = self.value(node)
            if value is None or isinstance(value, bool | int | str):
                return t.Const(value, node.type, node.span)
        except NotConstant:
            pass
        match node:
            case t.TableRef(name) if (row := self._row(name)) is not None:
                return self.fold(row)
            case t.Fold("sum", _, _, t.OptionRef(option), None, t.Local(name)) if name == node.variable:
                return t.Const(sum(self.options[option] or ()), node.type, node.span)
            case t.If(condition, then, otherwise):
                known = self.fold(condition)
                if isinstance(known, t.Const):
                    return self.fold(then if known.value else otherwise)
                return self._either(
                    replace(node, condition=known, then=self.fold(then), otherwise=self.fold(otherwise))
                )
            case t.Instance(key):
                body = self.fold(self.instances[key].body)
                if isinstance(body, t.Const):
                    return body
            case t.Op("+" | "-" | "*", (_, _)):
                found = self._reckoned(t.rebuilt(node, self.fold))
                return found if found == node else self.fold(found)
            case t.Op("and" | "or" as op, terms):
                return self._joined(node, op, [self.fold(term) for term in terms])
            case t.Op("not", (inner,)):
                found = self.fold(inner)
                if isinstance(found, t.Const):
                    return t.Const(not found.value, node.type, node.span)
                return replace(node, args=(found,))
        found = t.rebuilt(node, self.fold)
        return found if found == node else self.fold(found)

    def _row(self, name: str) -> Typed | None:
        """What a table says, where that is settled before play."""
        table = self.tables.get(name)
        if table is None or table.by is None:
            return None
        try:
            self.value(table.by)
        except NotConstant:
            return None
        return self.depends(as_depends(table))

    def _either(self, node: t.If) -> Typed:
        """An `if` between yes and no is its condition."""
        match node.then, node.otherwise:
            case t.Const(True), t.Const(False):
                return node.condition
            case t.Const(False), t.Const(True):
                return t.Op("not", (node.condition,), node.type, node.span)
        return node

    def _joined(self, node: t.Op, op: str, args: list[Typed]) -> Typed:
        """`and` or `or` without what is settled."""
        decisive = op == "or"
        if any(isinstance(a, t.Const) and a.value is decisive for a in args):
            return t.Const(decisive, node.type, node.span)
        left = tuple(a for a in args if not isinstance(a, t.Const))
        if not left:
            return t.Const(not decisive, node.type, node.span)
        return left[0] if len(left) == 1 else replace(node, args=left)

    def _reckoned(self, node: Typed) -> Typed:
        """A sum or a product without what adds nothing, with numbers taken into the cases of an `if`."""
        match node:
            case t.Op("+", (t.Const(0), rest)) | t.Op("+" | "-", (rest, t.Const(0))):
                return rest
            case t.Op("*", (t.Const(1), rest)) | t.Op("*", (rest, t.Const(1))):
                return rest
            case t.Op("*", (t.Const(0) as none, _)) | t.Op("*", (_, t.Const(0) as none)):
                return none
            case t.Op(_, (t.Const(), t.If(_, t.Const(), t.Const()) as cases)):
                inner = [replace(node, args=(node.args[0], case)) for case in (cases.then, cases.otherwise)]
                return replace(cases, then=inner[0], otherwise=inner[1])
            case t.Op(_, (t.If(_, t.Const(), t.Const()) as cases, t.Const())):
                inner = [replace(node, args=(case, node.args[1])) for case in (cases.then, cases.otherwise)]
                return replace(cases, then=inner[0], otherwise=inner[1])
        return node

    def effects(self, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        found: list[Effect] = []
        for effect in effects:
            match effect:
                case t.IfEffect(condition, then, otherwise):
                    known = self.fold(condition)
                    if isinstance(known, t.Const):
                        found += self.effects(then if known.value else otherwise)
                        continue
                    one, other = self.effects(then), self.effects(otherwise)
                    if one or other:
                        found.append(replace(effect, condition=known, then=one, otherwise=other))
                case t.ForEffect(_, _, domain, where, by):
                    test = None if where is None else self.fold(where)
                    if isinstance(test, t.Const):
                        if not test.value:
                            continue
                        test = None
                    found.append(
                        replace(
                            effect,
                            domain=self.fold(domain),
                            where=test,
                            by=None if by is None else self.fold(by),
                            body=self.effects(effect.body),
                        )
                    )
                case t.SetOut():  # how many is told as it is and as it comes about
                    found.append(effect)
                case t.RunEffect():
                    bound = tuple((name, self.fold(value)) for name, value in effect.bound)
                    found.append(replace(effect, bound=bound, body=self.effects(effect.body)))
                case t.Call():
                    found.append(replace(effect, args=tuple((name, self.fold(v)) for name, v in effect.args)))
                case _:
                    found.append(t.rebuilt(effect, self.fold))
        return tuple(found)

    def choice(self, choice: Choice[Said] | Said) -> Said:
        """What a key says with these players and options."""
        if not isinstance(choice, Choice):
            return choice
        for condition, said in choice.rows:
            known = self.fold(condition)
            if isinstance(known, t.Const) and known.value:
                return said
        return choice.rows[-1][1]

    def depends(self, depends: Depends) -> Typed | None:
        try:
            return self._settled.chosen_row(depends)
        except Impossible:
            return None
