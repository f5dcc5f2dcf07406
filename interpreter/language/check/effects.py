"""Typing of effects."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, repeat
from typing import Literal, assert_never

from interpreter.base.diagnostics import Span, suggest
from interpreter.language import syntax as ast
from interpreter.language import typed as t
from interpreter.language.check.asked_for_none import may_be_none, there_if
from interpreter.language.check.card_effects import CardEffects
from interpreter.language.check.entries import child
from interpreter.language.check.expressions import Expressions
from interpreter.language.check.kinds import fits
from interpreter.language.check.names import Scope
from interpreter.language.check.references import BASE, NOTHING_BELOW
from interpreter.language.check.values import Values
from interpreter.language.check.whereabouts import Gone, Whereabouts, home_of
from interpreter.language.keywords import NOTHING_HINT, STATEMENTS
from interpreter.language.model import VarDef
from interpreter.language.parser import MAX_DEPTH, parse_effect
from interpreter.language.source import Mapping, Node, Scalar
from interpreter.language.tree import replace
from interpreter.language.typed import Effect, Type, Typed, set_of

MAX_RUNS = 1_000
"""How often defined effects may be used in a ruleset, uses inside one another counted each time."""
MAX_WRITTEN = 2_000
"""How many statements defined effects may have together, written out at each use."""
MAX_BLOCKS = 60
"""How deeply `if` and `for` may be nested, defined effects written out."""
MOVED = "moved"
"""What stands in an effect for the number of cards that its last move has moved, unless it is declared."""
MAX_LOOPS = 12
"""How many loops may go round inside one another."""


class Effects:
    """Checks effects of one ruleset; `calls` collects who calls whom, for the search for circles."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.names = expressions.names
        self.report = expressions.report
        self.calls: list[tuple[str, str, Span]] = []
        self.finished: set[str] = set()
        self.faults: dict[str, Span] = {}
        self.reseats = False
        self.sets_dealer = False
        self._parsed: dict[int, tuple[ast.Effect, ...] | None] = {}
        self._open: list[str] = []
        self._runs = 0  # uses of defined effects, each written out in its place
        self._written = 0
        self._refused = False
        self._blocks = 0
        self._loops = 0
        self._below: tuple[Scalar | None, Scope] = (None, Scope())  # the text being checked, and where it stands
        self.cards = CardEffects(expressions)

    def node(self, node: Node | None, scope: Scope) -> tuple[Effect, ...]:
        """Parse and check the text of a scalar; nothing written is no effect."""
        if node is None:
            return ()
        if not isinstance(node, Scalar):
            self.report.error("E502", node.span, "an effect is expected here")
            return ()
        if node.text.strip() == "nothing":
            return ()
        if id(node) not in self._parsed:
            self.expressions.reads(node)
            self._parsed[id(node)] = parse_effect(node, self.report)
        outer, self._below = self._below, (node, scope)
        found = self._text(
            self._parsed[id(node)] or (), scope if scope.below is None else replace(scope, below=None), node.span
        )
        self._below = outer
        return found if self._open else self.with_searches(found)

    def with_searches(self, effects: tuple[Effect, ...], gone: Iterable[Gone] = ()) -> tuple[Effect, ...]:
        """Effects that look for the cards that may have gone from where they were found. gone: what went before."""
        return self.whereabouts.with_searches(effects, gone)

    @property
    def whereabouts(self) -> Whereabouts:
        """Follows cards through effects."""
        return Whereabouts(self.names.zones)

    def _text(self, effects: tuple[ast.Effect, ...], scope: Scope, span: Span) -> tuple[Effect, ...]:
        """The effects of a whole text, in which `moved` is the number of cards that the last move has moved."""
        outer, self.cards.counted = self.cards.counted, ""
        before: tuple[Effect, ...] = ()
        if MOVED not in scope.locals and self.names.what_is(MOVED) is None and ast.mentions(effects, MOVED):
            local = self.expressions.fresh(MOVED, t.INTEGER, span)
            self.cards.counted, scope = local.name, scope.bind(MOVED, local)
            before = (t.LetEffect(local.name, t.Const(0, t.INTEGER, span), span, moves=True),)
        found = (*before, *self.block(effects, scope))
        self.cards.counted = outer
        return found

    def block(self, effects: tuple[ast.Effect, ...], scope: Scope) -> tuple[Effect, ...]:
        scope = replace(scope, random=True)
        checked: list[Effect] = []
        self._written += len(effects) if self._open else 0
        for before, node in zip((None, *effects), effects, strict=False):
            if before is not None and self._goes_with(node, before):
                continue
            if self._is_base(node):
                checked += self._what_is_below(node.span)
                continue
            found: Effect | None
            if isinstance(node, ast.Let):
                found, scope = self._let(node, scope)
            else:
                found = self._check(node, scope)
            if found is not None:
                checked.append(found)
        return tuple(checked)

    def _is_base(self, node: ast.Effect) -> bool:
        """Whether a statement stands for the effect that the text is laid on."""
        return (
            isinstance(node, ast.Run) and node.name == BASE and not (node.arguments or BASE in self.names.definitions)
        )

    def _what_is_below(self, span: Span) -> tuple[Effect, ...]:
        """The effect that the text being checked is laid on, as it means there."""
        node, scope = self._below
        if node is None or node.below is None:
            self.report.error("E505", span, *NOTHING_BELOW)
            return ()
        below = node.below
        self.expressions.reads_all(below, span)
        if not isinstance(below, Mapping) or "by" not in below.entries:
            return self.node(below, scope)
        found: tuple[Effect, ...] = ()
        cases = Values(self.expressions, self.report).cases(below, lambda row: self.node(row, scope), found, scope)
        for test, row in reversed(cases):
            found = (t.IfEffect(test, row, found, span),)
        return found

    def _goes_with(self, node: ast.Effect, before: ast.Effect) -> bool:
        """Whether a bare name is what a misspelt effect before it is about: `shuffel stock` reads as two effects."""
        if not isinstance(node, ast.Run) or not isinstance(before, ast.Run) or node.span.line != before.span.line:
            return False
        return not any(n in self.names.definitions or n == BASE for n in (node.name, before.name))

    def _let(self, node: ast.Let, scope: Scope) -> tuple[Effect, Scope]:
        """A name for a value, and the scope of the statements behind it."""
        value = self.expressions.check(node.value, scope)
        inner, local = self.expressions.let(node.variable, value, node.name_span, scope)
        return t.LetEffect(local.name, value, node.span), inner

    def _check(self, node: ast.OtherEffect, scope: Scope) -> Effect | None:
        expressions = self.expressions
        match node:
            case ast.Move():
                return self.cards.move(node, scope)
            case ast.Deal():
                return self.cards.deal(node, scope)
            case ast.Gather(sources, target, span):
                found = None if sources is None else tuple(self.cards.zone(s, scope, whole=True) for s in sources)
                return t.Gather(found, self.cards.zone(target, scope), span)
            case ast.OnCards(verb, what, span):
                if verb == "shuffle":
                    return t.Shuffle(self.cards.zone(what, scope), scope.stage, span)
                cards = self.cards.zone(what, scope) if verb == "flip" else self.cards.several(what, scope)
                return t.Face(verb, cards, span)
            case ast.Show(what, to, span):
                return t.Show(self.cards.several(what, scope), expressions.check(to, scope, t.PLAYERS), span)
            case ast.Assign():
                return self._assign(node, scope)
            case ast.Swap(left, right, span):
                return self._swap(left, right, span, scope)
            case ast.Plain(verb, span):
                if verb == "redeal" and not any(child(s.node, "next dealer") for s in self.names.stages.values()):
                    hint = "say who deals next in the stage of one deal: 'next dealer: left'"
                    self.report.error("E519", span, "'redeal' needs a stage with 'next dealer'", hint)
                return t.Turn(verb, scope.stage, span)
            case ast.OnPlayer():
                return self._on_player(node, scope)
            case ast.SetOut(count, token, span):
                if not self._token(token, span):
                    return None
                return t.SetOut(expressions.check(count, scope, t.INTEGER), token, span)
            case ast.Call():
                return self._call(node, scope)
            case ast.Finish():
                return self._finish(node)
            case ast.Fault(law, offender, span):
                self.faults.setdefault(law, span)
                return t.NoteFault(law, expressions.check(offender, scope, t.PLAYER), scope.stage, span)
            case ast.Note(text, span):
                words = expressions.words(Scalar(text, text, span, "quoted"), scope)
                return t.Note(words, span)
            case ast.IfEffect(condition, then, otherwise, span):
                checked = expressions.check(condition, scope, t.FLAG)
                so, not_so = (replace(scope, there=scope.there | there_if(checked, holds)) for holds in (True, False))
                return t.IfEffect(checked, self._inner(then, so, span), self._inner(otherwise, not_so, span), span)
            case ast.ForEffect(variable, domain, where, by, body, span, name_span):
                group, inner, local = expressions.loop(variable, domain, scope, name_span)
                chosen = None if where is None else expressions.check(where, inner, t.FLAG)
                order = None if by is None else expressions.check(by, inner, t.INTEGER)
                within = self._inner(body, inner, span, loop=True)
                return t.ForEffect(local.name, local.type, group, chosen, order, within, span)
            case ast.Run():
                return self._run(node, scope)
        assert_never(node)

    def _inner(
        self, effects: tuple[ast.Effect, ...], scope: Scope, span: Span, loop: bool = False
    ) -> tuple[Effect, ...]:
        """The effects of a block inside another."""
        self._blocks += 1
        self._loops += loop
        found: tuple[Effect, ...] = ()
        if self._blocks > MAX_BLOCKS or self._loops > MAX_LOOPS:
            what, most = ("loops", MAX_LOOPS) if self._loops > MAX_LOOPS else ("blocks", MAX_BLOCKS)
            self.report.error("E404", span, f"{what} are nested more than {most} levels deep", "nest them less deeply")
        else:
            found = self.block(effects, scope)
        self._blocks -= 1
        self._loops -= loop
        return found

    # ---- variables ------------------------------------------------------------------------------

    def _target(self, node: ast.Target, scope: Scope) -> t.VarRef | t.StageArgument | t.Builtin | t.ZoneRef | None:
        if node.name in scope.locals:
            local = scope.locals[node.name]
            if isinstance(local, t.StageArgument):
                return replace(local, span=node.span)
            self.report.error("E507", node.span, f"'{node.name}' is given and cannot be changed")
            return None
        if node.name in ("dealer", "current", "direction"):
            kind = Type("choice", symbols=("left", "right")) if node.name == "direction" else t.PLAYER
            self.sets_dealer |= node.name == "dealer"
            return t.Builtin(node.name, kind, node.span)
        if node.name in self.names.zones:
            index = () if node.index is None else self._index(node.name, node.index, scope)
            found = self.expressions.references.zone(node.name, index, scope, node.span)
            self.names.used.add(("zones", node.name))
            return found if isinstance(found, t.ZoneRef) else None
        variable = self.names.variables.get(node.name)
        if variable is None:
            what = self.names.what_is(node.name)
            if what is not None:
                self.report.error(
                    "E507",
                    node.span,
                    f"'{node.name}' is {'an' if what[0] in 'aeiou' else 'a'} {what} and cannot be set",
                    "what changes during a match is a variable: declare one in 'state'",
                )
            else:
                hint = suggest(node.name, self.names.variables, "variables")
                self.report.error("E501", node.span, f"no variable is called '{node.name}'", hint)
            return None
        self.names.used.add(("state", node.name))  # what is set shows in views
        given = () if node.index is None else self._index(node.name, node.index, scope)
        index = self.expressions.references.index(variable.dims, given, scope, node.span, node.name)
        return t.VarRef(node.name, index, variable.type, node.span)

    def _index(self, name: str, node: ast.Expr, scope: Scope) -> tuple[Typed, ...]:
        items = node.items if isinstance(node, ast.Group) else (node,)
        kinds = chain(self.expressions.references.wanted(name), repeat(None))
        return tuple(self.expressions.check(item, scope, kind) for item, kind in zip(items, kinds, strict=False))

    def _assign(self, node: ast.Assign, scope: Scope) -> Effect | None:
        if node.verb == "clear":
            return self._clear(node.target, scope)
        found = self._changed(node, node.verb, scope)
        if node.because is None or found is None:
            return found
        if not (isinstance(found, t.Assign) and isinstance(found.target, t.VarRef) and found.target.name == "score"):
            hint = "'note' tells of anything else"
            self.report.error("E519", node.span, "only of the variable 'score' it is told why it changes", hint)
            return found
        words = self.expressions.words(Scalar(node.because, node.because, node.span, "quoted"), scope)
        return replace(found, because=words)

    def _changed(self, node: ast.Assign, verb: Literal["set", "add", "subtract"], scope: Scope) -> Effect | None:
        """A variable that is set, added to or subtracted from."""
        target = self._target(node.target, scope)
        if target is None or isinstance(target, t.ZoneRef):
            if target is not None:
                self.report.error("E507", node.target.span, "a zone is not set", "move the cards instead")
            if node.value is not None:
                self.expressions.check(node.value, scope)
            return None
        if verb != "set":
            assert node.value is not None
            if target.type.kind in ("set", "list") and isinstance(target, t.VarRef):
                members = set_of(target.type.item or t.UNKNOWN)
                return t.Assign(verb, target, self.expressions.check(node.value, scope, members), node.span)
            if target.type.kind != "integer":
                hint = "numbers, sets and lists are added to"
                self.report.error("E502", target.span, f"nothing is added to {target.type}", hint)
                self.expressions.check(node.value, scope)
                return None
            return t.Assign(verb, target, self.expressions.check(node.value, scope, t.INTEGER), node.span)
        if node.value is None:
            if target.type.kind != "flag":
                self.report.error("E502", target.span, f"this is {target.type}, so say what it is set to", "set X to Y")
            return t.Assign("set", target, t.Const(True, t.FLAG, node.span), node.span)
        wanted = target.type if not isinstance(target, t.Builtin) else replace(target.type, optional=False)
        value = self.expressions.check(node.value, scope, wanted)
        if not wanted.optional and wanted.kind in ("integer", "flag") and may_be_none(value, scope.there):
            hint = "ask first: 'if X != none then ... end', or let the variable be 'optional: true'"
            self.report.error("E502", value.span, "this may be none, which the variable cannot be", hint)
        return t.Assign("set", target, value, node.span)

    def _clear(self, node: ast.Target, scope: Scope) -> Effect | None:
        variable: VarDef | None = self.names.variables.get(node.name)
        if variable is None:
            hint = suggest(node.name, self.names.variables, "variables")
            self.report.error("E501", node.span, f"no variable is called '{node.name}'", hint)
            return None
        if node.index is None:
            return t.Clear(node.name, (), node.span)
        given = self._index(node.name, node.index, scope)
        index = self.expressions.references.index(variable.dims, given, scope, node.span, node.name)
        return t.Clear(node.name, index, node.span)

    def _swap(self, left: ast.Target, right: ast.Target, span: Span, scope: Scope) -> Effect | None:
        one, two = self._target(left, scope), self._target(right, scope)
        if one is None or two is None or isinstance(one, t.Builtin) or isinstance(two, t.Builtin):
            return None
        like = isinstance(one, t.ZoneRef) == isinstance(two, t.ZoneRef)
        if not like or not all(fits(a.type, replace(b.type, optional=True)) for a, b in ((one, two), (two, one))):
            self.report.error("E502", span, f"{one.type} cannot be swapped with {two.type}")
            return None
        return t.SwapValues(one, two, span)

    # ---- turns, pieces, stages ------------------------------------------------------------------

    def _on_player(self, node: ast.OnPlayer, scope: Scope) -> Effect | None:
        match node.verb:
            case "skip" | "pass turn":
                return t.ToPlayer(node.verb, self.expressions.check(node.what, scope, t.PLAYER), node.span)
            case "reseat":
                self.reseats = True
                return t.ToPlayer("reseat", self.expressions.check(node.what, scope, t.PLAYERS), node.span)
            case "take" | "put back":
                return self._piece(node, scope)
        assert_never(node.verb)

    def _piece(self, node: ast.OnPlayer, scope: Scope) -> Effect | None:
        if (
            isinstance(node.what, ast.Name)
            and node.what.text in self.names.tokens
            and node.what.text not in scope.locals
        ):
            token = node.what.text
            self.names.used.add(("tokens", token))
            by = self.expressions.actor(scope, node.span, "nobody takes it") if node.verb == "take" else None
            whole = t.TokenRef(token, None, t.set_of(Type("piece", zone=token)), node.span)
            return t.Piece(node.verb, whole, token, node.span, by)  # type: ignore[arg-type]
        found = self.expressions.check(node.what, scope)
        item = found.type.item if found.type.kind == "set" else found.type
        if item is None or item.kind != "piece":
            if found.type.kind != "unknown":
                self.report.error("E502", found.span, f"this is {found.type}, but a piece is needed here")
            return None
        if node.verb == "take" and found.type.kind == "set":
            message = f"one piece is taken, and this is {found.type}"
            self.report.error("E502", found.span, message, "say which one: 'take first x in ...'")
            return None
        by = self.expressions.actor(scope, node.span, "nobody takes it") if node.verb == "take" else None
        return t.Piece(node.verb, found, item.zone, node.span, by)  # type: ignore[arg-type]

    def _token(self, token: str, span: Span) -> bool:
        if token in self.names.tokens:
            self.names.used.add(("tokens", token))
            return True
        self.report.error("E501", span, f"no token is called '{token}'", suggest(token, self.names.tokens, "tokens"))
        return False

    def _call(self, node: ast.Call, scope: Scope) -> Effect | None:
        stage = self.names.stages.get(node.stage)
        if stage is None:
            hint = suggest(node.stage, self.names.stages, "stages")
            self.report.error("E509", node.name_span, f"no stage is called '{node.stage}'", hint)
            return None
        self.calls.append((scope.stage, node.stage, node.name_span))
        wanted = dict(stage.params)
        args: list[tuple[str, Typed]] = []
        for argument in node.arguments:
            if argument.name not in wanted:
                hint = suggest(argument.name, wanted, "its arguments")
                self.report.error("E504", argument.span, f"'{node.stage}' takes no '{argument.name}'", hint)
                continue
            args.append((argument.name, self.expressions.check(argument.value, scope, wanted[argument.name])))
        missing = [n for n, kind in stage.params if n not in dict(args) and not kind.optional]
        if missing:
            hint = f"call {node.stage} with {missing[0]} = ..."
            self.report.error("E504", node.span, f"'{node.stage}' needs {', '.join(missing)}", hint)
        return t.Call(node.stage, tuple(args), node.span)

    def _finish(self, node: ast.Finish) -> Effect | None:
        if node.stage in ("turn", "trick") and node.stage not in self.names.stages:
            return t.Finish(node.stage, node.span)
        if node.stage not in self.names.stages:
            hint = suggest(node.stage, [*self.names.stages, "turn", "trick"], "stages")
            self.report.error("E509", node.name_span, f"no stage is called '{node.stage}'", hint)
            return None
        self.finished.add(node.stage)
        return t.Finish(node.stage, node.span)

    def _run(self, node: ast.Run, scope: Scope) -> Effect | None:
        definition = self.names.definitions.get(node.name)
        if definition is None or not definition.is_effect:
            if definition is not None:
                self.report.error("E505", node.span, f"'{node.name}' is a value, not an effect")
            else:
                known = [n for n, d in self.names.definitions.items() if d.is_effect]
                hint = suggest(node.name, [*known, *STATEMENTS], "effects")
                if node.name == "nothing":
                    self.report.error("E501", node.span, "'nothing' is no effect beside others", NOTHING_HINT)
                    return None
                self.report.error("E501", node.span, f"no effect is called '{node.name}'", hint)
            return None
        self.names.used.add(("define", node.name))
        if node.name in self._open:
            self.report.error("E506", definition.span, f"'{node.name}' uses itself", "definitions cannot go in circles")
            return None
        self._runs += 1
        if self._runs > MAX_RUNS or self._written > MAX_WRITTEN or len(self._open) >= MAX_DEPTH:
            if not self._refused:
                message = f"'{node.name}' is too much to carry out: effects use one another too often or too deeply"
                self.report.error("E404", definition.span, message, "let it use other definitions less often")
            self._refused = True
            return None
        if len(node.arguments) != len(definition.params):
            wanted = ", ".join(p for p, _ in definition.params) or "nothing"
            self.report.error("E504", node.span, f"'{node.name}' takes {wanted}, but is given {len(node.arguments)}")
            return None
        bound: list[tuple[str, Typed]] = []
        inner = scope.before_choosing()
        for (name, kind), argument in zip(definition.params, node.arguments, strict=True):
            value = self.expressions.check(argument, scope, kind)
            itself = self.expressions.are_themselves(value)
            local = self.expressions.fresh(name, value.type, node.span, home_of(value), itself)
            bound.append((local.name, value))
            inner = inner.bind(name, local)
        body = definition.node
        assert isinstance(body, Mapping)
        self._open.append(node.name)
        effects = self.node(body.entries["effect"], inner)
        self._open.pop()
        return t.RunEffect(node.name, tuple(bound), effects, node.span)
