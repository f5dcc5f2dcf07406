"""What is one thing or another in native code, as it turns out."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from interpreter.compiler.native.list_changes import Changes
from interpreter.compiler.native.native_kinds import NOTHING, Kind, OneOf, Value, joined_all, parts_of
from interpreter.compiler.native.not_native import Never, NotNative


class Branches(Changes):
    """Values of which one is worked out."""

    locals: frozenset[str]

    def value(self, node: ast.expr) -> Value:
        """What an expression says. Raises NotNative."""
        raise NotImplementedError

    def test(self, node: ast.expr) -> str:
        """Whether an expression holds: an i1. Raises NotNative."""
        raise NotImplementedError

    def ways(self, node: ast.expr, yes: str, no: str) -> str:
        """Go on at one of two labels, as it turns out whether an expression holds. Raises NotNative."""
        raise NotImplementedError

    def place(self, of: Value, at: Value) -> Value:
        """What lies at a place, or what a variable holds. Raises NotNative."""
        raise NotImplementedError

    def call(self, of: Value, args: list[Value], named: dict[str, Value]) -> Value:
        """What a function says of values. Raises NotNative."""
        raise NotImplementedError

    def choose(self, test: str, yes: Callable[[], Value], no: Callable[[], Value]) -> Value:
        """One of two values; only what is wanted is worked out. test: an i1. Raises NotNative."""
        if test in ("true", "false"):
            return yes() if test == "true" else no()
        first, second = self.label(), self.label()
        self.branch(test, first, second)
        return self._one_of_branches([(first, yes), (second, no)])

    def cases(self, index: str, branches: Sequence[Callable[[], Value]]) -> Value:
        """One of several values by its number, which is in bounds; a branch that cannot be native stops the match."""
        labels = [self.label() for _ in branches]
        rows = " ".join(f"i64 {at}, label %{label}" for at, label in enumerate(labels[1:], 1))
        self.line(f"switch i64 {index}, label %{labels[0]} [ {rows} ]")
        self.dead = True

        def careful(branch: Callable[[], Value]) -> Callable[[], Value]:
            def found() -> Value:
                before = len(self.lines), len(self.loops)
                try:
                    return branch()
                except NotNative as error:
                    self.give_up(error, *before)
                    return NOTHING

            return found

        return self._one_of_branches([(label, careful(branch)) for label, branch in zip(labels, branches, strict=True)])

    def of_each_table(self, of: Value, ask: Callable[[Value], Value]) -> Value:
        assert isinstance(of.kind, OneOf)
        return self.cases(of.at, [lambda one=one: ask(Value(one)) for one in of.kind.values])  # type: ignore[misc]

    def give_up(self, error: NotNative, lines: int, loops: int) -> None:
        """Let the Python lane play where something cannot be native; what was written of it is left out."""
        if not isinstance(error, Never):
            self.module.refused(self.function.__qualname__ + str(getattr(self, "param_kinds", ""))[:300], str(error))
        self._go_back(lines, loops)
        self.fault(2)

    def _go_back(self, lines: int, loops: int) -> None:
        """Leave out what was written since."""
        self.doubtful = self.doubtful or (dict(self.kinds), self.result)
        del self.lines[lines:]
        self.returns = [found for found in self.returns if found[0] < lines]
        self.left = [found for found in self.left if found[0] < lines]
        del self.loops[loops:]
        self.dead = False

    def _one_of_branches(self, branches: Sequence[tuple[str, Callable[[], Value]]]) -> Value:
        after = self.label()
        made: list[tuple[int, Value, str]] = []
        for label, branch in branches:
            self.open_only(label)
            found = branch()
            if not self.dead:
                made.append((len(self.lines), found, self.block))
                self.lines.append("")
                self.go(after)
        if not made:
            return NOTHING
        kind = joined_all([value.kind for _, value, _ in made])
        assert kind is not None
        ways = [self._coerced_late(at, kind, value, block) for at, value, block in made]
        self.open_only(after)
        if len(ways) == 1:
            return Value(kind, ways[0][0])
        parts = []
        for number, part in enumerate(parts_of(kind)):
            met = ", ".join([f"[ {way[number]}, %{block} ]" for way, block in ways])
            parts.append(self.name_of(f"phi {self.layout.word(part)} {met}"))
        return Value(kind, tuple(parts))

    def _coerced_late(self, at: int, kind: Kind, value: Value, block: str) -> tuple[tuple[str, ...], str]:
        """The parts of a value as another kind, at the end of a branch that is written already, and its last block."""
        written, self.lines, dead = self.lines, [], self.dead
        self.dead, self.block = False, block
        parts = self.coerced(value, kind).parts
        written[at] = "\n".join(self.lines)
        self.lines, self.dead = written, dead
        return parts, self.block

    def one_or_other(self, node: ast.IfExp) -> Value:
        first, second = self.label(), self.label()
        said = self.ways(node.test, first, second)
        if not said:
            yes, no = (lambda: self.value(node.body)), (lambda: self.value(node.orelse))
            return self._one_of_branches([(first, yes), (second, no)])
        if said in ("yes", "no"):
            self.open_only(first if said == "yes" else second)
        return self.value(node.body if said in ("yes", "true") else node.orelse)
