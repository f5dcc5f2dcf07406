"""Actions: what can be done in a stage, under which laws, with which words, and what it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from interpreter.base.diagnostics import Span, suggest
from interpreter.language import typed as t
from interpreter.language.amounts import MAX_LAWS
from interpreter.language.check.advice import Advices
from interpreter.language.check.effects import Effects
from interpreter.language.check.entries import child, entries, is_true, listing, text_of, whole
from interpreter.language.check.honor_section import Honor
from interpreter.language.check.names import ACTOR, Names, Scope
from interpreter.language.check.params import Params, refuse_again
from interpreter.language.check.sentences import read_templates
from interpreter.language.check.symbols import card_pattern
from interpreter.language.check.values import Values
from interpreter.language.check.whereabouts import GONE_ANYWHERE
from interpreter.language.model import ActionDef, CardRow, ContestDef, LawDef, ParamDef, SayDef
from interpreter.language.source import Mapping, Node, Scalar
from interpreter.language.tree import replace
from interpreter.language.typed import Typed

On = Literal["", "lead", "follow"]
MAX_ROWS_USED = 400
"""Rows of `cards` over all actions that take them: each action has its own of each row."""

GIVEN_BESIDES = ("player", "move", "begin", "end", "refused")
"""What is said of a move by name besides its measures, when it is made and where it is recorded."""


class Actions:
    """Reads the actions of one ruleset, with the rows of `cards` that they take."""

    def __init__(
        self, root: Mapping, names: Names, values: Values, effects: Effects, honor: Honor, advices: Advices
    ) -> None:
        self._names = names
        self._values = values
        self._effects = effects
        self._honor = honor
        self._advices = advices
        self._expressions = effects.expressions
        self._report = effects.report
        self._params = Params(names, effects.expressions, values, effects.report)
        self._card_rows = tuple(entries(root.get("cards")))
        self._rows_used = self._row_laws = 0
        self._also_called: dict[str, Span] = {}

    def play(self, stage: str, node: Node, span: Span, scope: Scope) -> ActionDef:
        """The play of a trick stage, with the laws of the lead and of following."""
        scope = replace(scope, actor=ACTOR)
        given = child(child(node, "actions"), "play")
        zone = text_of(child(node, "from"), "hand")
        index = (ACTOR,) if zone in self._names.zones else ()
        source = t.ZoneRef(zone, index, t.CARDS, span)
        several = whole(child(given, "count"), 1)
        number = t.Const(several, t.INTEGER, span)
        name, kind, count = ("card", t.CARD, None) if several == 1 else ("cards", t.CARDS, (number, number))
        param = ParamDef(name, "cards", kind, source, None, count, None, False, False, None, source, span)
        inner = scope.bind(name, t.Local(name, kind, span, source, True))
        base = self.action("play", given or Mapping({}, {}, span), span, stage, scope, fixed=(param, inner))
        laws, says, when = list(base.laws), list(base.says), list(base.when)
        for on in ("lead", "follow"):
            part = child(node, on)
            laws += self._laws(child(part, "must"), inner, on)
            says += self._says(child(part, "say"), inner, on)
            condition = child(part, "when")
            if condition is not None:
                when.append((on, self._expressions.node(condition, inner, t.FLAG)))
        return replace(base, laws=tuple(laws), says=tuple(says), when=tuple(when), is_play=True)

    def action(
        self,
        name: str,
        node: Node,
        span: Span,
        stage: str,
        scope: Scope,
        *,
        anytime: bool = False,
        fixed: tuple[ParamDef, Scope] | None = None,
    ) -> ActionDef:
        scope = replace(scope, actor=ACTOR)
        params: list[ParamDef] = []
        if fixed is None and child(node, "count") is not None and isinstance(node, Mapping):
            hint = "of an action, what is chosen has a count: choose: {cards: {from: hand, count: 2}}"
            self._report.error("E519", node.keys["count"], "only the play of a trick has 'count'", hint)
        if fixed is not None:
            params.append(fixed[0])
            scope = fixed[1]
        more, scope = self._params.read(child(node, "choose"), scope, [p.name for p in params])
        params += more
        row = child(node, "row")
        # By the name alone, for what a move is made of has to be known as it is read.
        row_card = None if row is None else self._expressions.node(row, scope.by_name(), replace(t.CARD, optional=True))
        row_laws: list[LawDef] = []
        rows = () if row_card is None else tuple(self._rows(row_card, scope, params, row_laws))
        if row is not None and not self._card_rows:
            message = "there are no 'cards' of which this could be a row"
            self._report.error("E519", row.span, message, "add 'cards: {CARD: {effect: ...}}', or leave 'row' out")
        condition = child(node, "when")
        when: tuple[tuple[On, Typed], ...] = ()
        if condition is not None:
            when = (("", self._expressions.node(condition, scope, t.FLAG)),)
        measured = []
        inner = scope
        for measure, bounds, at in entries(child(node, "measured")):
            if measure in GIVEN_BESIDES or any(measure == param.name for param in params):
                refuse_again(measure, at, self._report)
            found = self._values.range_in(bounds, scope)
            if found is not None:
                measured.append((measure, *found))
                inner = inner.bind(measure, t.Local(measure, t.INTEGER, at))
        labels = tuple(self._labels(child(node, "label"), scope))
        laws = (*self._laws(child(node, "must"), scope, ""), *row_laws)
        says = tuple(self._says(child(node, "say"), scope, ""))
        effect = self._effects.node(child(node, "effect"), inner)
        before = [] if fixed is None or fixed[0].source is None else [frozenset([(fixed[0].source.name, "")])]
        before += self._effects.whereabouts.after_breach(laws)
        gone = [*before, *self._effects.whereabouts.departures(effect)]
        return ActionDef(
            name=name,
            stage=stage,
            when=when,
            params=tuple(params),
            laws=laws,
            says=says,
            effect=self._effects.with_searches(effect, before),
            row=row_card,
            rows=tuple(replace(row, effect=self._effects.with_searches(row.effect, gone)) for row in rows),
            labels=labels,
            measured=tuple(measured),
            contest=self._contest(child(node, "contest"), scope, [p.name for p in params], [m for m, *_ in measured]),
            hands=self._hands_taken(node),
            anytime=anytime,
            also=tuple(self._also(child(node, "also"))),
            talk=is_true(child(node, "talk")),
            is_claim=False,
            is_play=False,
            doc=text_of(child(node, "doc")),
            span=span,
            tell=read_templates(child(node, "tell"), self._report),
            prompt=read_templates(child(node, "prompt"), self._report, asked=True),
            quiet=quiet.span if (quiet := child(node, "quiet")) is not None and is_true(quiet) else None,
            rule=self._advices.rule(child(node, "rule")),
        )

    def _also(self, node: Node | None) -> Iterator[str]:
        """Other names of an action, which nothing else may have."""
        for item in listing(node):
            name = text_of(item)
            if name in self._names.actions or self._also_called.setdefault(name, item.span) != item.span:
                self._report.error("E518", item.span, f"'{name}' already names an action")
            yield name

    def _contest(self, node: Node | None, scope: Scope, params: list[str], measures: list[str]) -> ContestDef | None:
        if node is None:
            return None

        def read(row: Node) -> tuple[str, str]:
            best, _, measure = text_of(row).partition(" ")
            measure = measure.strip()
            if best not in ("lowest", "highest") or not measure:
                self._report.error("E519", row.span, "a contest is {over: PARAMETER, wins: lowest MEASURE}")
            elif measure not in measures:
                hint = suggest(measure, measures, "measures")
                self._report.error("E519", row.span, f"'{measure}' is not measured in this action", hint)
            return measure, best

        over, wins, ties = (child(node, key) for key in ("over", "wins", "ties"))
        if over is not None and text_of(over) not in params:
            hint = suggest(text_of(over), params, "parameters")
            self._report.error("E519", over.span, f"the action has no parameter '{text_of(over)}'", hint)
        return ContestDef(
            text_of(over),
            None if wins is None else self._values.settled(wins, read, ("", "")),
            None
            if ties is None
            else self._expressions.node(ties, replace(scope, actor=None), replace(t.PLAYER, optional=True)),
        )

    def _hands_taken(self, node: Node) -> int:
        """Who only talks needs no hand."""
        said = text_of(child(node, "hands"))
        if said:
            return int(said) if said.isdecimal() else 1
        return 0 if is_true(child(node, "talk")) else 1

    def _labels(self, node: Node | None, scope: Scope) -> Iterator[tuple[Typed, str]]:
        if isinstance(node, Scalar):
            yield t.Const(True, t.FLAG, node.span), node.text
        for condition, word, span in entries(node):
            if condition == "else":
                yield t.Const(True, t.FLAG, span), text_of(word)
            else:
                yield self._expressions.node(Scalar(condition, condition, span, "plain"), scope, t.FLAG), text_of(word)

    def _rows(self, card: Typed, scope: Scope, chosen: Sequence[ParamDef], laws: list[LawDef]) -> Iterator[CardRow]:
        """The rows of `cards` as an action uses them; their laws are added to `laws`.

        chosen: what the action lets choose itself.
        """
        scope = scope.bind("card", card) if "card" not in scope.locals else scope
        self._rows_used += len(self._card_rows)
        self._names.used.add(("cards", ""))
        if self._rows_used > MAX_ROWS_USED >= self._rows_used - len(self._card_rows):
            message = f"all 'row' together take {self._rows_used:,} rows, and {MAX_ROWS_USED:,} are allowed"
            self._report.error("E521", card.span, message, "let fewer actions take the rows of 'cards'")
        if self._rows_used > MAX_ROWS_USED:
            return
        number = 0
        for key, node, span in self._card_rows:
            pattern = "else" if key == "else" else card_pattern(key, span, self._names, self._expressions.report)
            if pattern is None:
                continue
            params, inner = self._params.read(child(node, "choose"), scope, [p.name for p in chosen])
            for name, kind in (("rank", t.RANK), ("suit", t.SUIT)):
                if name not in inner.locals:
                    inner = inner.bind(name, t.Op(name, (card,), kind, span))
            says = tuple(self._says(child(node, "say"), inner, ""))
            laws += (replace(law, row=number) for law in self._laws_of_row(child(node, "must"), inner, span))
            number += 1
            effect, rule = self._effects.node(child(node, "effect"), inner), self._advices.rule(child(node, "rule"))
            tell = read_templates(child(node, "tell"), self._report)
            yield CardRow(pattern, tuple(params), says, effect, span, rule, tell)

    def _laws_of_row(self, node: Node | None, scope: Scope, span: Span) -> Iterator[LawDef]:
        """The laws of a row, unless all together are too many."""
        number = len(list(entries(node)))
        self._row_laws += number
        if self._row_laws <= MAX_LAWS:
            yield from self._laws(node, scope, "")
        elif self._row_laws - number <= MAX_LAWS:
            message = f"all 'row' together take {self._row_laws:,} laws, and {MAX_LAWS:,} are allowed"
            self._report.error("E521", span, message, "let fewer actions take the rows of 'cards'")

    def _laws(self, node: Node | None, scope: Scope, on: On) -> Iterator[LawDef]:
        for name, spec, span in entries(node):
            law = child(spec, "law") if isinstance(spec, Mapping) else spec
            if law is None:
                self._report.error("E519", span, f"the law '{name}' has no condition", "law: CONDITION")
                continue
            message = child(spec, "message")
            inner = self._honor.paying(scope, span)
            penalty = child(spec, "penalty")
            yield LawDef(
                name,
                on,
                self._expressions.node(law, scope, t.FLAG),
                self._expressions.words(message, scope) if isinstance(message, Scalar) else None,
                text_of(child(spec, "fault"), name),
                self._honor.breach(child(spec, "breach")) or "stands",
                self._effects.with_searches(self._honor.effect(child(spec, "on breach"), scope), [GONE_ANYWHERE]),
                None if penalty is None else self._honor.effect(penalty, inner),
                self._honor.lapses(child(spec, "lapses")),
                None
                if child(spec, "claimers") is None
                else self._values.player_set(child(spec, "claimers"), self._honor.judging(span)),  # type: ignore[arg-type]
                span,
                any(
                    child(spec, key) is not None
                    for key in ("fault", "breach", "on breach", "penalty", "lapses", "claimers")
                ),
                rule=self._advices.rule(child(spec, "rule")),
            )

    def _says(self, node: Node | None, scope: Scope, on: On) -> Iterator[SayDef]:
        if node is None:
            return
        if isinstance(node, Scalar) or (isinstance(node, Mapping) and "words" in node.entries):
            yield from self._say("words", node, scope, on, node.span)
            return
        for name, spec, span in entries(node):
            yield from self._say(name, spec, scope, on, span)

    def _say(self, name: str, spec: Node, scope: Scope, on: On, span: Span) -> Iterator[SayDef]:
        words = child(spec, "words") if isinstance(spec, Mapping) else spec
        if not isinstance(words, Scalar):
            self._report.error("E519", span, f"the announcement '{name}' has no words", 'words: "Six!"')
            return
        when = child(spec, "when")
        condition = None if when is None else self._expressions.node(when, scope, t.FLAG)
        literal = child(spec, "exact")
        exact = None if literal is None else self._expressions.node(literal, scope, t.FLAG)
        self._names.announced.add(name)
        yield SayDef(name, on, self._expressions.words(words, scope), condition, exact, span)
