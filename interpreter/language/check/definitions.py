"""Uses of definitions: the body of each is checked once for each combination of types that it is given."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.base.diagnostics import Span
from interpreter.language import typed as t
from interpreter.language.check.expression_reader import ExpressionReader
from interpreter.language.check.kinds import holds_card, type_key
from interpreter.language.check.names import ACTOR, Definition, Scope
from interpreter.language.model import DefineInstance
from interpreter.language.operations import TELL_EQUAL_CARDS
from interpreter.language.parser import MAX_DEPTH, MAX_LEVELS
from interpreter.language.typed import Type, Typed, children

MAX_WEIGHT = 5_000
"""The most parts a definition may have, those of the definitions it uses written out."""
SPARE_INSTANCES = 1_000
"""How many more instances there may be than definitions have parts that ask for some."""


class Uses:
    """The uses of definitions in one ruleset."""

    def __init__(self, expressions: ExpressionReader, files: Sequence[str]) -> None:
        """files: the base and what is laid on it, in this order."""
        self._expressions = expressions
        self._files = {file: number for number, file in enumerate(files)}
        self.instances: dict[str, DefineInstance] = {}
        self._open: list[str] = []  # definitions being checked, to find one that uses itself
        self._replaced: set[str] = set()  # definitions that do not fit where another file uses them
        self._weights: dict[str, int] = {}  # parts of a definition and of all it uses, by instance
        self._tell_equal_cards: set[str] = set()  # definitions for which it counts whether a card is itself
        self._levels: dict[str, int] = {}  # how deeply it is nested, those that it uses written out
        self._refused = False  # whether something is too much to work out: one message says so

    def use(self, definition: Definition, args: tuple[Typed, ...], scope: Scope, span: Span) -> Typed:
        """A use of a definition: its body is checked once for each combination of argument types."""
        self._expressions.names.used.add(("define", definition.name))
        if definition.is_effect:
            self._expressions.report.error("E505", span, f"'{definition.name}' is an effect, not a value")
            return self._expressions.unknown(span)
        if len(args) != len(definition.params):
            self._wrong_number(definition, len(args), span)
            return self._expressions.unknown(span)
        if definition.name in self._open:
            self._expressions.report.error(
                "E506", definition.span, f"'{definition.name}' uses itself", "definitions cannot go in circles"
            )
            return self._expressions.unknown(span)
        kinds = tuple(a.type if p is None else p for (_, p), a in zip(definition.params, args, strict=True))
        args = tuple(
            a if p is None else self._expressions.fit(a, p) for (_, p), a in zip(definition.params, args, strict=True)
        )
        themselves = tuple(map(self._expressions.are_themselves, args))
        key = f"{definition.name}({', '.join(type_key(k) + '?' * k.optional for k in kinds)})"
        marked = key + "".join(" itself" if it else " named" for it in themselves)
        key = marked if definition.name in self._tell_equal_cards else key
        if key not in self.instances and len(self._open) >= MAX_DEPTH:
            self.too_much(definition.span, f"definitions use one another over more than {MAX_DEPTH} levels", "")
            return self._expressions.unknown(span)
        if key not in self.instances:
            if len(self.instances) > 2 * len(self._expressions.names.definitions) + SPARE_INSTANCES:
                message = f"'{definition.name}' is used in too many ways: definitions take values of too many kinds"
                self.too_much(definition.span, message)
                return self._expressions.unknown(span)
            key = self._instantiate(definition, (key, marked), kinds, themselves, scope)
        instance = self.instances[key]
        actor: tuple[Typed, ...] = ()
        if instance.uses_actor:
            actor = (self._expressions.actor(scope, span, f"'{definition.name}' has no meaning"),)
        return t.Instance(key, (*actor, *args), instance.body.type, span)

    def _wrong_number(self, definition: Definition, given: int, span: Span) -> None:
        """A definition is used with too many or too few values; a file that has replaced it is itself to blame."""
        report = self._expressions.report
        name, wanted = definition.name, ", ".join(p for p, _ in definition.params) or "nothing"
        if self._files.get(definition.span.file, 0) <= self._files.get(span.file, 0):
            report.error("E504", span, f"'{name}' takes {wanted}, but is given {given}")
        elif name not in self._replaced:
            self._replaced.add(name)
            used = f"{span.file.rsplit('/', 1)[-1]}, line {span.line},"
            message = f"'{name}' takes {wanted} here, but {used} gives it {given or 'nothing'}"
            hint = f"'{name}({', '.join('abcdefgh'[:given])})'" if given else f"'{name}'"
            report.error("E504", definition.span, message, f"what it takes stays: {hint}, with the names that fit")

    def _instantiate(
        self,
        definition: Definition,
        keys: tuple[str, str],
        kinds: tuple[Type, ...],
        themselves: tuple[bool, ...],
        scope: Scope,
    ) -> str:
        """Check the body for what it is given. keys: of this use, and if it counts whether cards are themselves."""
        outer = self._expressions.uses_actor
        self._expressions.uses_actor = False
        self._open.append(definition.name)
        params = [
            self._expressions.fresh(n, kind, definition.span, itself=itself)
            for (n, _), kind, itself in zip(definition.params, kinds, themselves, strict=True)
        ]
        bound = {n: p for (n, _), p in zip(definition.params, params, strict=True)}
        inner = Scope(stage=scope.stage, locals=bound, actor=ACTOR)
        named: list[tuple[t.Local, Typed, Span]] = []
        for name, node, span in definition.lets:
            value = self._expressions.node(node, inner)
            inner, local = self._expressions.let(name, value, span, inner)
            named.append((local, value, span))
        body = self._expressions.node(definition.node, inner)
        for local, value, span in reversed(named):
            body = t.Let(local.name, value, body, body.type, span)
        self._open.pop()
        if self._tells_equal_cards(body):
            self._tell_equal_cards.add(definition.name)
        key = keys[definition.name in self._tell_equal_cards]
        typed_params = tuple((p.name, p.type) for p in params)
        itself = self._expressions.are_themselves(body)
        self.instances[key] = DefineInstance(
            key, definition.name, typed_params, body, self._expressions.uses_actor, itself, definition.span
        )
        self._expressions.uses_actor = outer
        self._weigh(definition, key)
        return key

    def _tells_equal_cards(self, body: Typed) -> bool:
        """Whether it can count for a definition whether a card is itself."""
        return holds_card(body.type) or any(
            (isinstance(part, t.Op) and part.op in TELL_EQUAL_CARDS and holds_card(part.args[-1].type))
            or (isinstance(part, t.Instance) and self.instances[part.key].name in self._tell_equal_cards)
            for part in t.walk(body)
        )

    def _weigh(self, definition: Definition, key: str) -> None:
        """Refuse what is short to write and endless to work out: `b: a + a`, `c: b + b` and so on."""
        parts = list(t.walk(self.instances[key].body))
        used = [self._weights.get(p.key, 0) for p in parts if isinstance(p, t.Instance)]
        weight = self._weights[key] = len(parts) + sum(used)
        if weight > MAX_WEIGHT >= max(used, default=0):
            message = f"'{definition.name}' is too much to work out: written out it has {weight} parts"
            self.too_much(definition.span, message)
        levels = self._levels[key] = self._levels_of(self.instances[key].body)
        deepest = max((self._levels.get(p.key, 0) for p in parts if isinstance(p, t.Instance)), default=0)
        if levels > MAX_LEVELS >= deepest:
            self.too_deep(definition.span)

    def _levels_of(self, node: Typed) -> int:
        own = self._levels.get(node.key, 0) if isinstance(node, t.Instance) else 0
        return 1 + max([own, *(self._levels_of(inner) for inner in children(node))])

    def too_much(self, span: Span, message: str, hint: str = "let it use other definitions less often") -> None:
        if not self._refused:
            self._expressions.report.error("E404", span, message, hint)
        self._refused = True

    def too_deep(self, span: Span) -> None:
        message = f"definitions written out, this is nested more than {MAX_LEVELS} levels deep"
        self.too_much(span, message, "let definitions use one another over fewer levels")
