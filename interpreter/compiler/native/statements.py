"""Statements of Python as native code, function by function.

A function, or a loop of it, is written again until it is settled what its locals can be. A statement that cannot be
native stops the match where it is reached.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Sequence
from importlib import import_module
from types import FunctionType

from interpreter.compiler.native.assignments import Assignments
from interpreter.compiler.native.native_context import Context
from interpreter.compiler.native.native_kinds import NOTHING, Kind, Number, OneOf, Row, Value, joined, known, parts_of
from interpreter.compiler.native.native_locals import MOST_TIMES
from interpreter.compiler.native.not_native import AGAINST_RULES, UNPLAYED, Never, NotNative, TwoKinds
from interpreter.compiler.native.sources import body_of, fact, is_printed, names_in, tree_of
from interpreter.engine.program import StageCode

UNFORESEEN = (TypeError, ValueError, LookupError, AttributeError, AssertionError, ArithmeticError)
"""What asking known values in a way that makes no sense of them raises: such a statement is not native either."""
Known_now = tuple[dict[str, str | None], dict[str, Value]]


class Function(Assignments):
    """One function for arguments of certain kinds."""

    def __init__(self, module: Context, name: str, function: FunctionType, kinds: Sequence[Kind]) -> None:
        self.function = function
        self.tree = tree_of(function.__code__)
        code = function.__code__
        several = bool(code.co_flags & inspect.CO_VARARGS)
        self.params = code.co_varnames[: code.co_argcount + several]
        if code.co_flags & inspect.CO_VARKEYWORDS or code.co_kwonlyargcount:
            raise NotNative(f"'{code.co_name}' takes arguments by name")
        self.param_kinds = tuple(kinds)
        self.body = body_of(self.tree)
        names = names_in(self.tree)
        self.locals = fact(self.tree, "·locals", lambda: frozenset((*self.params, *names.set)))
        self.changed, self.assigned = names.changed, names.assigned
        self.deep = 0
        """Bytes of its frame and of those of large functions that run at a time below it."""
        super().__init__(module, name)
        self.given = frozenset(part for value in self._arguments() for part in value.parts)

    def write(self) -> None:
        """Write the function until nothing changes any more. Raises NotNative."""
        for self.times in range(MOST_TIMES):
            before = dict(self.kinds), self.result
            self._write_once()
            now = self.kinds, self.result
            doubtful = self.unsettled or self.lost or self.doubtful not in (None, now)
            if not doubtful or now == before:
                return
        raise NotNative(f"what '{self.name}' works with does not settle")

    def _write_once(self) -> None:
        self.begin()
        for name, kind, value in zip(self.params, self.param_kinds, self._arguments(), strict=True):
            if name not in self.kinds:
                self.kinds[name] = kind
            self.set_local(name, value)
            self._note(name, value)
        self._do_all(self.body)
        if not self.dead:
            self._return(NOTHING)
        self._give_back_all()

    def _arguments(self) -> list[Value]:
        found, number = [], 0
        for kind in self.param_kinds:
            parts = [f"%a{number + at}" for at in range(len(parts_of(kind)))]
            number += len(parts)
            found.append(Value(kind, tuple(parts)))
        return found

    # ---- statements -------------------------------------------------------------------------------

    def _do_all(self, body: Sequence[ast.stmt]) -> None:
        if body and isinstance(body[-1], ast.Raise) and all(map(_is_said, body[:-1])):
            self.at_line = body[-1].lineno
            self.fault(self._why())  # what is said of it the Python lane says
            return
        for number, statement in enumerate(body):
            if self.dead:
                return
            before = len(self.lines), len(self.loops)
            known_now = dict(self.versions), dict(self.narrowed)
            self.at_line = statement.lineno
            try:
                self._do(statement)
                several = self._one_of_stages(statement)
                if several is not None and number + 1 < len(body):
                    self._do_for_each(*several, body[number + 1 :])
                    return
            except TwoKinds as error:
                self._go_back(*before)
                self.versions, self.narrowed = known_now
                ways = self._by_kind(error)
                if ways is not None:
                    self._do_each_way(error.name, ways, body[number:])
                    return
                self.give_up(NotNative(f"{error} (line {statement.lineno})"), *before)
            except Never as error:
                self.give_up(error, *before)
            except (NotNative, *UNFORESEEN) as error:
                self.give_up(NotNative(f"{error} (line {statement.lineno})"), *before)

    def _one_of_stages(self, node: ast.stmt) -> tuple[str, Value] | None:
        """The local that a statement has set to one of several stages: what follows is written for each of them."""
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and not self.dead:
            name = node.targets[0].id
            if name not in self.narrowed and isinstance(self.kinds.get(name), OneOf):
                value = self.local(name)
                if isinstance(value.kind, OneOf) and all(isinstance(o.value, StageCode) for o in value.kind.values):
                    return name, value
        return None

    def _do_for_each(self, name: str, value: Value, body: Sequence[ast.stmt]) -> None:
        assert isinstance(value.kind, OneOf)
        labels = [self.label() for _ in value.kind.values]
        rows = " ".join(f"i64 {at}, label %{label}" for at, label in enumerate(labels[1:], 1))
        self.line(f"switch i64 {value.at}, label %{labels[0]} [ {rows} ]")
        ways = []
        for label, one in zip(labels, value.kind.values, strict=True):
            ways.append((label, Value(one) if self.module.can_be(one.value, self.function.__name__) else None))
        self._do_each_way(name, ways, body)

    def _by_kind(self, error: TwoKinds) -> list[tuple[str, Value]] | None:
        """Where to go for each kind of place that a local can mean the number of; None if that cannot be told."""
        if not error.name:
            return None
        value = self.value(ast.Name(error.name, ast.Load()))
        kind, at = self.number(value)
        if not kind.plain:
            return None
        ways = []
        for number, (low, high) in enumerate(error.runs, 1):
            here, on = self.label(), self.label()
            if number < len(error.runs):
                self.branch(self.name_of(f"icmp sle i64 {at}, {high}"), here, on)
                self.open_only(on)
            else:
                self.go(here)
            ways.append((here, Value(Number(low if number > 1 else min(low, kind.low), high), (at,))))
        return ways

    def _do_each_way(self, name: str, ways: Sequence[tuple[str, Value | None]], body: Sequence[ast.stmt]) -> None:
        """What follows, for each thing that a local can be. ways: where that begins; None if it does not come about."""
        after, ended = self.label(), True
        narrowed, versions = dict(self.narrowed), dict(self.versions)
        met: list[Known_now] = []
        for label, one in ways:
            self.open_only(label)
            self.versions = dict(versions)
            if one is None:
                self.fault()
            else:
                self.narrowed = {**narrowed, name: one}
                self._do_all(body)
            if not self.dead:
                ended = False
                met.append((self.versions, self.narrowed))
                self.go(after)
        self._meet(met)
        self.narrowed.pop(name, None)
        if not ended:
            self.open_only(after)

    def _meet(self, met: Sequence[Known_now]) -> None:
        """Where several ways come together: what a name means there, and what it is known to hold."""
        if not met:
            return
        self.versions, self.narrowed = dict(met[0][0]), dict(met[0][1])
        for versions, narrowed in met[1:]:
            for name in {*self.versions, *versions}:
                one, two = self.versions.get(name, versions.get(name)), versions.get(name, self.versions.get(name))
                self.versions[name] = one if one == two else None
            self.narrowed = {name: value for name, value in self.narrowed.items() if narrowed.get(name) == value}

    def _do(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Assert():
                pass
            case ast.ImportFrom(module=str(module), names=names) if module.startswith("interpreter."):
                for name in names:
                    self.narrowed[name.name] = known(getattr(import_module(module), name.name))
            case ast.Expr(value=value):
                self.value(value)
            case ast.Assign(targets=targets, value=value):
                self._assign(targets, value)
            case ast.AnnAssign(value=None):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign([target], value)
            case ast.AugAssign():
                self._update(node)
            case ast.If():
                self._when(node)
            case ast.For():
                self._for(node)
            case ast.While():
                self._while(node)
            case ast.Return(value=value):
                self._return(NOTHING if value is None else self.value(value))
            case ast.Continue():
                self.go(self.loops[-1][0])
            case ast.Break():
                self.left.append((len(self.lines), self.loops[-1][1]))
                self.go(self.loops[-1][1])
            case ast.Raise():
                self.fault(self._why())
            case ast.Match():
                self._match(node)
            case ast.Delete(targets=[ast.Subscript(value=of, slice=part)]):
                self._delete(self.value(of), part)
            case _:
                raise NotNative(f"a statement of the form {type(node).__name__}")

    def _why(self) -> int:
        """Why the match is stopped where something is raised. Steps are not counted just as Python counts them."""
        module = self.function.__module__ or ""
        counts = module in ("interpreter.engine.budget", "interpreter.engine.machine")
        ruled = is_printed(self.function) or (module.startswith("interpreter.engine.") and not counts)
        return AGAINST_RULES if ruled else UNPLAYED

    def _when(self, node: ast.If) -> None:
        if self.taken_out(node):
            return
        then, other, after = self.label(), self.label(), self.label()
        said = self.ways(node.test, then, other if node.orelse else after)
        if said:
            if said in ("yes", "no"):
                self.open_only(then if said == "yes" else other if node.orelse else after)
            self._do_all(node.body if said in ("yes", "true") else node.orelse)
            return
        versions, narrowed, met = dict(self.versions), dict(self.narrowed), []
        for label, body in ((then, node.body), (other, node.orelse)):
            if label == other and not node.orelse:
                met.append((versions, narrowed))
                continue
            self.open_only(label)
            self.versions, self.narrowed = dict(versions), dict(narrowed)
            self._do_all(body)
            if not self.dead:
                met.append((self.versions, self.narrowed))
                self.go(after)
        if met:
            self._meet(met)
            self.open_only(after)

    def _match(self, node: ast.Match) -> None:
        """A choice among constants that is settled beforehand."""
        subject = self.value(node.subject)
        for case in node.cases:
            if case.guard is not None or not isinstance(case.pattern, ast.MatchValue):
                raise NotNative("a choice of this form")
            test = self.truth(self.compared("==", subject, self.value(case.pattern.value)))
            if test not in ("true", "false"):
                raise NotNative("a choice that is made in play")
            if test == "true":
                self._do_all(case.body)
                return

    def _for(self, node: ast.For) -> None:
        if node.orelse:
            raise NotNative("a loop with an end of its own")

        names = names_in(node).set

        def turn(item: Value) -> None:
            self._forget(names)
            self.bind_member(node.target, item)
            self._do_all(node.body)

        if isinstance(node.iter, ast.ListComp) and not _stays(node.iter):
            self.each(self.value(node.iter), turn)  # what the loop does must not change what it goes through
        else:
            self.go_through(node.iter, turn, self.asked_by(node.target, node))
        self._forget(names)

    def _forget(self, names: Iterable[str]) -> None:
        """What locals hold that are set in a loop is not known at its beginning and after it."""
        for name in names:
            self.narrowed.pop(name, None)

    def _while(self, node: ast.While) -> None:
        if node.orelse:
            raise NotNative("a loop with an end of its own")
        self.turned(lambda: self._while_once(node))

    def _while_once(self, node: ast.While) -> None:
        head, inside, after = self.label(), self.label(), self.label()
        names = names_in(node).set
        self._forget(names)
        self.open(head)
        said = self.ways(node.test, inside, after)
        if said == "false":
            self.go(after)
        elif said == "true":
            self.open(inside)
        elif said != "no":
            self.open_only(inside)
        if not self.dead:
            self.loops.append((head, after))
            versions = dict(self.versions)
            self._do_all(node.body)
            self._note_versions(versions)
            self.loops.pop()
            if not self.dead:
                self.go(head)
        self._forget(names)
        self.open_only(after)
        if said in ("true", "yes") and all(label != after for _, label in self.left):
            self.line("unreachable")
            self.dead = True

    def _return(self, value: Value) -> None:
        if self.dead:
            return
        kind = value.kind if self.result is None else joined(self.result, value.kind)
        if isinstance(kind, Row) and kind.item is not None:
            kind = Row(self.loose(kind.item))
        self.result = kind
        self.count += 1
        self.returns.append((len(self.lines), value))
        self.line(f"; {self.count}")
        self.dead = True

    def _give_back_all(self) -> None:
        """Write what is given back, once it is known what that can be."""
        written = self.lines
        for at, value in self.returns:
            self.lines, self.dead = [], False
            try:
                assert self.result is not None
                self.give_back(self.coerced(value, self.result))
            except NotNative as error:
                self.give_up(error, 0, len(self.loops))
            written[at] = "\n".join(self.lines)
        self.lines = written


def _is_said(node: ast.stmt) -> bool:
    """Whether a statement does nothing but to keep something."""
    return isinstance(node, ast.Assign) and all(isinstance(target, ast.Name) for target in node.targets)


def _stays(node: ast.ListComp) -> bool:
    """Whether a list is the same whenever one looks: the members of what a function gives back, one after the other."""
    (of, *others), elt = node.generators, node.elt
    plain = isinstance(elt, ast.Name) and isinstance(of.target, ast.Name) and elt.id == of.target.id
    called = of.iter.func if isinstance(of.iter, ast.Call) else None
    made = isinstance(called, ast.Name) and called.id not in ("reversed", "map", "zip", "enumerate", "each_of")
    return plain and made and not (others or of.ifs)
