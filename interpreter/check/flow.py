"""Stages, actions, laws, announcements, honour: the flow of a ruleset."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import islice
from typing import Literal

from interpreter import typed as t
from interpreter.check.declarations import Declarations, child, entries, is_true, listing, text_of
from interpreter.check.effects import Effects
from interpreter.check.names import ACTOR, Names, Scope
from interpreter.diagnostics import Span, suggest
from interpreter.model import (
    ActionDef,
    Breach,
    CardRow,
    Choice,
    ContestDef,
    FaultDef,
    HonorDef,
    LapseDef,
    LawDef,
    ParamDef,
    SayDef,
    ScoreRow,
    StageDef,
    WrongClaim,
)
from interpreter.source import Mapping, Node, Scalar
from interpreter.tree import replace
from interpreter.typed import Effect, Type, Typed

On = Literal["", "lead", "follow"]
LEAVES = ("turn", "trick", "ask", "simultaneous", "race", "claims")
KEYS_BY_KIND = {
    "first": ("turn",),
    "turns": ("turn",),
    "on turn": ("turn", "trick"),
    "leader": ("trick",),
    "next leader": ("trick",),
    "count": ("trick",),
    "from": ("trick",),
    "to": ("trick",),
    "suit": ("trick",),
    "rank": ("trick",),
    "trump": ("trick",),
    "lead": ("trick",),
    "follow": ("trick",),
    "on card": ("trick",),
    "on trick": ("trick",),
    "answers": ("ask",),
    "resolve": ("simultaneous",),
    "hands": ("race",),
    "actions": ("turn", "trick", "ask", "simultaneous", "race"),
    "effect": ("effect",),
    "score": ("effect",),
}


MAX_LEVELS = 40
"""How deeply stages may be nested."""
MAX_ROWS_USED = 10_000
"""Rows of `cards` over all actions that take them: each action has its own of each row."""
COMING = "it comes in a later version; leave it out"


class Flow:
    """Reads the stages of one ruleset."""

    def __init__(self, root: Mapping, names: Names, declarations: Declarations, effects: Effects) -> None:
        self.root = root
        self.names = names
        self.declarations = declarations
        self.effects = effects
        self.expressions = effects.expressions
        self.report = effects.report
        self.parents: dict[str, str] = {}
        self.children: dict[str, tuple[str, ...]] = {}
        self._card_rows = tuple(entries(self.root.get("cards")))
        self._rows_used = 0
        self.too_deep = False
        """Whether the stages are nested too deeply to look into them."""
        self.also: dict[str, Span] = {}

    # ---- the tree -------------------------------------------------------------------------------

    def tree(self) -> None:
        """Who contains whom; every stage stands in one place."""
        for name, stage in self.names.stages.items():
            found = []
            for item in listing(child(stage.node, "do") or child(stage.node, "repeat")):
                inner = text_of(item)
                if inner not in self.names.stages:
                    hint = suggest(inner, self.names.stages, "stages")
                    self.report.error("E509", item.span, f"no stage is called '{inner}'", hint)
                elif inner in self.parents or inner == "match":
                    first = self.parents.get(inner, "the whole flow")
                    self.report.error(
                        "E517",
                        item.span,
                        f"the stage '{inner}' already stands in {first}",
                        "a stage has one place; call it from elsewhere",
                    )
                elif inner == name:
                    self.report.error("E517", item.span, f"the stage '{inner}' contains itself")
                else:
                    self.parents[inner] = name
                    found.append(inner)
            self.children[name] = tuple(found)
        for name in self.names.stages:
            way = list(islice(self.ancestors(name), MAX_LEVELS + 1))
            if len(way) > MAX_LEVELS:
                self.too_deep = True
                span = self.names.stages[name].span
                self.report.error("E404", span, f"stages are nested more than {MAX_LEVELS} levels deep")
                return
        if "match" not in self.names.stages:
            flow = self.root.keys["flow"]
            self.report.error("E509", flow, "the flow has no stage 'match'", "the outermost stage is called match")

    def ancestors(self, name: str) -> Iterator[str]:
        """The stage itself, then its containers outwards."""
        seen: set[str] = set()
        while name and name not in seen:
            yield name
            seen.add(name)
            name = self.parents.get(name, "")

    def collect_names(self) -> None:
        """Actions and laws by name, before bodies are read."""
        for name, stage in self.names.stages.items():
            for group in ("actions", "anytime"):
                for action, node, _ in entries(child(stage.node, group)):
                    self.names.actions.setdefault(action, []).append(name)
                    self._law_names(child(node, "must"))
            if stage.kind == "trick":
                self.names.actions.setdefault("play", []).append(name)
                for group in ("lead", "follow"):
                    self._law_names(child(child(stage.node, group), "must"))

    def _law_names(self, node: Node | None) -> None:
        for name, spec, _ in entries(node):
            self.names.laws.setdefault(name, text_of(child(spec, "fault"), name))

    def scope(self, name: str) -> Scope:
        """What effects and conditions of a stage may use: arguments of the stage and of those around it."""
        scope = Scope(stage=name)
        for stage in self.ancestors(name):
            for param, kind in self.names.stages[stage].params:
                if param not in scope.locals:
                    scope = scope.bind(param, t.StageArgument(stage, param, kind, self.names.stages[stage].span))
        return scope

    # ---- one stage ------------------------------------------------------------------------------

    def stage(self, name: str, index: int) -> StageDef:
        known = self.names.stages[name]
        node, scope = known.node, self.scope(name)
        kind = known.kind
        self._check_keys(node, kind, known.span, name)
        condition = self._condition
        lead, count = child(node, "leader"), child(node, "count")
        of_tricks = kind == "trick"  # whose play knows its card
        actions = tuple(
            self.action(n, v, s, name) for n, v, s in entries(child(node, "actions")) if not (of_tricks and n == "play")
        )
        if of_tricks:
            actions = (self._play(name, node, known.span), *actions)
        source_zone, trick_zone = text_of(child(node, "from"), "hand"), text_of(child(node, "to"), "trick")
        with_card = self._card_scope(scope)
        turns = self._turns(child(node, "turns"), scope)
        after = replace(scope, actor=ACTOR)
        in_trick = with_card if kind == "trick" else scope
        return StageDef(
            name=name,
            kind=kind,  # type: ignore[arg-type]
            index=index,
            children=self.children[name],
            when=condition(node, "when", scope),
            players=self._players(child(node, "players"), scope),
            params=known.params,
            setup=self.effects.node(child(node, "setup"), scope),
            cleanup=self.effects.node(child(node, "cleanup"), scope),
            until=condition(node, "until", scope),
            closed=is_true(child(node, "closed")),
            first_dealer=self._first_dealer(child(node, "first dealer")),
            next_dealer=self._next_dealer(child(node, "next dealer"), scope),
            direction=text_of(child(node, "direction"), "left"),
            actions=actions,
            anytime=tuple(self.action(n, v, s, name, anytime=True) for n, v, s in entries(child(node, "anytime"))),
            effect=self.effects.node(child(node, "effect"), scope),
            first=self._value(child(node, "first"), scope, t.PLAYER),
            turns=turns,
            on_turn=self.effects.node(
                child(node, "on turn"), replace(scope, actor=t.Builtin("current", t.PLAYER, known.span))
            ),
            leader=self._value(lead, scope, t.PLAYER, optional=True),
            next_leader=self._value(child(node, "next leader"), scope, t.PLAYER),
            count=self._value(count, scope, t.INTEGER),
            source_zone=source_zone,
            trick_zone=trick_zone,
            suit=self._value(child(node, "suit"), in_trick, t.SUIT),
            rank=self._value(child(node, "rank"), in_trick, t.INTEGER),
            trump=self._value(child(node, "trump"), scope, t.SUIT, optional=True),
            on_card=self.effects.node(child(node, "on card"), replace(with_card, actor=ACTOR)),
            on_trick=self.effects.node(child(node, "on trick"), scope),
            answers="first" if text_of(child(node, "answers")) == "first" else "all",
            resolve=self.effects.node(child(node, "resolve"), scope),
            hands=self._value(child(node, "hands"), after, t.INTEGER),
            score_rows=tuple(
                self._score_row(r, scope) for r in listing(child(child(node, "score"), "rows") or child(node, "score"))
            ),
            score_each=is_true(child(node, "each")),
            score_variable="score",
            winners=None
            if child(node, "winners") is None
            else self.declarations.player_set(child(node, "winners"), after),  # type: ignore[arg-type]
            places=self._by_player(child(node, "places")),
            scores=self._by_player(child(node, "scores")),
            doc=text_of(child(node, "doc")),
            span=known.span,
        )

    def _check_keys(self, node: Node, kind: str, span: Span, name: str) -> None:
        if isinstance(node, Mapping) and "do" in node.entries and "repeat" in node.entries:
            self.report.error("E519", node.keys["repeat"], "a stage has 'do' or 'repeat', not both")
        strange = [key for key, _, _ in entries(node) if kind not in KEYS_BY_KIND.get(key, (kind,))]
        meant = [KEYS_BY_KIND[key] for key in strange if len(KEYS_BY_KIND[key]) == 1]
        if child(node, "kind") is None and len(meant) > 1 and len(set(meant)) == 1 and meant[0][0] != "effect":
            listed = ", ".join(f"'{key}'" for key in strange)
            hint = f"{listed} belong to 'kind: {meant[0][0]}'"
            self.report.error("E519", span, f"the stage '{name}' does not say its kind", hint)
            return
        for key, _, at in entries(node):
            kinds = KEYS_BY_KIND.get(key)
            if kinds is not None and kind not in kinds:
                where = " and ".join(f"'kind: {k}'" for k in kinds if k != "effect") or "stages without a kind"
                self.report.error("E519", at, f"'{key}' has no meaning in this stage", f"it belongs to {where}")
        for action, _, at in entries(child(node, "anytime")):
            if action in (name for name, _, _ in entries(child(node, "actions"))):
                self.report.error(
                    "E518",
                    at,
                    f"'{action}' is already an action of this stage",
                    "give one of the two another name, or a stage of its own",
                )
        if kind in ("turn", "ask", "simultaneous", "race") and child(node, "actions") is None:
            hint = "add 'actions: {NAME: {effect: ...}}', or 'effect' alone where nobody decides"
            self.report.error("E519", span, f"the stage '{name}' asks for a move but has no actions", hint)
        if kind == "trick":
            for key, default in (("from", "hand"), ("to", "trick")):
                zone = text_of(child(node, key), default)
                found = self.names.zones.get(zone)
                wanted = ("player",) if key == "from" else ()
                if found is None or found.dims != wanted:
                    what = "a zone that each player has" if key == "from" else "a single zone"
                    self.report.error(
                        "E519",
                        span,
                        f"the tricks of '{name}' need {what} called '{zone}'",
                        f"or say which: '{key}: ZONE'",
                    )
                self.names.used.add(("zones", zone))

    def _condition(self, node: Node, key: str, scope: Scope) -> Typed | None:
        return self._value(child(node, key), scope, t.FLAG)

    def _value(self, node: Node | None, scope: Scope, kind: Type, optional: bool = False) -> Typed | None:
        return (
            None
            if node is None
            else self.expressions.node(node, scope, replace(kind, optional=optional or kind.optional))
        )

    def _players(self, node: Node | None, scope: Scope) -> Typed | None:
        return None if node is None else self.declarations.player_set(node, scope, "players")

    def _card_scope(self, scope: Scope) -> Scope:
        return scope.bind("card", t.Local("card", t.CARD, Span("", 0, 0, 0, 0)))

    def _by_player(self, node: Node | None) -> Typed | None:
        if node is None:
            return None
        scope = Scope().bind("p", t.Local("p", t.PLAYER, node.span))
        return self.expressions.node(node, scope, t.INTEGER)

    def _first_dealer(self, node: Node | None) -> Typed | None:
        if node is None:
            return None
        if text_of(node) == "random":
            return t.Const("random", Type("choice", symbols=("random",)), node.span)
        found = self.expressions.node(node, Scope())
        return found if found.type.kind == "choice" else self.expressions.fit(found, t.PLAYER)

    def _next_dealer(self, node: Node | None, scope: Scope) -> Typed | None:
        if node is None:
            return None
        if text_of(node) in ("left", "right"):
            dealer = t.Builtin("dealer", t.PLAYER, node.span)
            return t.Op(f"{text_of(node)} of", (dealer,), t.PLAYER, node.span)
        return self.expressions.node(node, scope, t.PLAYER)

    def _turns(self, node: Node | None, scope: Scope) -> tuple[Typed, bool] | None:
        if not isinstance(node, Scalar):
            return None
        text = node.text.strip()
        each = text.endswith(" each")
        if each:
            node = dataclasses.replace(node, text=text.removesuffix(" each"), value=None)
        return self.expressions.node(node, scope, t.INTEGER), each

    def _score_row(self, node: Node, scope: Scope) -> ScoreRow:
        when = child(node, "when")
        condition: Typed = t.Const(True, t.FLAG, node.span)
        if when is not None:
            condition = self.expressions.node(when, scope, t.FLAG)
        whom, points = child(node, "for"), child(node, "points")
        found = self.expressions.unknown(node.span) if whom is None else self.expressions.node(whom, scope)
        if found.type.kind not in ("team", "unknown"):
            found = self.expressions.fit(found, t.PLAYERS)
        amount = t.Const(0, t.INTEGER, node.span) if points is None else self.expressions.node(points, scope, t.INTEGER)
        return ScoreRow(condition, found, amount, node.span)

    # ---- actions --------------------------------------------------------------------------------

    def _play(self, stage: str, node: Node, span: Span) -> ActionDef:
        """The play of a trick stage, with the laws of the lead and of following."""
        scope = replace(self.scope(stage), actor=ACTOR)
        given = child(child(node, "actions"), "play")
        zone = text_of(child(node, "from"), "hand")
        index = (ACTOR,) if zone in self.names.zones else ()
        source = t.ZoneRef(zone, index, t.CARDS, span)
        param = ParamDef("card", "cards", t.CARD, source, None, None, None, False, False, None, source, span)
        inner = scope.bind("card", t.Local("card", t.CARD, span, source))
        base = self.action("play", given or Mapping({}, {}, span), span, stage, fixed=(param, inner))
        laws, says, when = list(base.laws), list(base.says), list(base.when)
        for on in ("lead", "follow"):
            part = child(node, on)
            laws += self._laws(child(part, "must"), inner, on)
            says += self._says(child(part, "say"), inner, on)
            condition = child(part, "when")
            if condition is not None:
                when.append((on, self.expressions.node(condition, inner, t.FLAG)))
        return replace(base, laws=tuple(laws), says=tuple(says), when=tuple(when), is_play=True)

    def action(
        self,
        name: str,
        node: Node,
        span: Span,
        stage: str,
        *,
        anytime: bool = False,
        fixed: tuple[ParamDef, Scope] | None = None,
    ) -> ActionDef:
        scope = replace(self.scope(stage), actor=ACTOR)
        params: list[ParamDef] = []
        if fixed is not None:
            params.append(fixed[0])
            scope = fixed[1]
        more, scope = self._params(child(node, "choose"), scope)
        params += more
        row = child(node, "row")
        row_card = None if row is None else self.expressions.node(row, scope, replace(t.CARD, optional=True))
        rows = () if row_card is None else tuple(self._rows(row_card, scope))
        condition = child(node, "when")
        when: tuple[tuple[On, Typed], ...] = ()
        if condition is not None:
            when = (("", self.expressions.node(condition, scope, t.FLAG)),)
        measured = []
        inner = scope
        for measure, bounds, at in entries(child(node, "measured")):
            found = self.declarations.range_in(bounds, scope)
            if found is not None:
                measured.append((measure, *found))
                inner = inner.bind(measure, t.Local(measure, t.INTEGER, at))
        labels = tuple(self._labels(child(node, "label"), scope))
        return ActionDef(
            name=name,
            stage=stage,
            when=when,
            params=tuple(params),
            laws=tuple(self._laws(child(node, "must"), scope, "")),
            says=tuple(self._says(child(node, "say"), scope, "")),
            effect=self.effects.node(child(node, "effect"), inner),
            row=row_card,
            rows=rows,
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
        )

    def _also(self, node: Node | None) -> Iterator[str]:
        """Other names of an action, which nothing else may have."""
        for item in listing(node):
            name = text_of(item)
            if name in self.names.actions or self.also.setdefault(name, item.span) != item.span:
                self.report.error("E518", item.span, f"'{name}' already names an action")
            yield name

    def _contest(self, node: Node | None, scope: Scope, params: list[str], measures: list[str]) -> ContestDef | None:
        if node is None:
            return None

        def read(row: Node) -> tuple[str, str]:
            best, _, measure = text_of(row).partition(" ")
            measure = measure.strip()
            if best not in ("lowest", "highest") or not measure:
                self.report.error("E519", row.span, "a contest is {over: PARAMETER, wins: lowest MEASURE}")
            elif measure not in measures:
                hint = suggest(measure, measures, "measures")
                self.report.error("E519", row.span, f"'{measure}' is not measured in this action", hint)
            return measure, best

        over, wins, ties = (child(node, key) for key in ("over", "wins", "ties"))
        if over is not None and text_of(over) not in params:
            hint = suggest(text_of(over), params, "parameters")
            self.report.error("E519", over.span, f"the action has no parameter '{text_of(over)}'", hint)
        return ContestDef(
            text_of(over),
            None if wins is None else self.declarations.settled(wins, read, ("", "")),
            self._value(ties, replace(scope, actor=None), t.PLAYER, optional=True),
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
                yield self.expressions.node(Scalar(condition, condition, span, "plain"), scope, t.FLAG), text_of(word)

    def _params(self, node: Node | None, scope: Scope) -> tuple[list[ParamDef], Scope]:
        params: list[ParamDef] = []
        for name, spec, span in entries(node):
            self.declarations.check_name(name, span, "parameter")
            param = self._param(name, spec, span, scope)
            if param is not None:
                scope = scope.bind(name, t.Local(name, param.type, span, param.source))
                where = child(spec, "where")
                if where is not None:
                    condition_scope = scope
                    if param.count is not None:  # each card of several is tested by itself
                        condition_scope = scope.bind("card", t.Local("card", t.CARD, span))
                    param = replace(param, where=self.expressions.node(where, condition_scope, t.FLAG))
                otherwise = child(spec, "else")
                if otherwise is not None:
                    param = replace(param, otherwise=self.expressions.node(otherwise, scope, param.type))
                if param.said:
                    self.names.announced.add(name)
                    if otherwise is None:
                        self.report.error(
                            "E519", span, f"'{name}' is said, so say what holds if it is not", "else: VALUE"
                        )
                seen = child(spec, "seen by")
                if seen is not None:
                    eyes = scope.bind("owner", ACTOR) if scope.actor is not None else scope
                    param = replace(param, seen_by=self.declarations.player_set(seen, eyes))
                params.append(param)
        return params, scope

    def _param(self, name: str, node: Node, span: Span, scope: Scope) -> ParamDef | None:
        if isinstance(node, Mapping) and "meld" in node.entries:
            self.report.error("E519", node.keys["meld"], "melds cannot be used yet", COMING)
            return None
        forms = [k for k, _, _ in entries(node) if k in _FORMS]
        if len(forms) != 1:
            self.report.error("E519", span, f"'{name}' must say what is chosen", "one of " + ", ".join(_FORMS))
            return None
        form = forms[0]
        value = child(node, form)
        assert value is not None
        optional = is_true(child(node, "optional"))
        kind, domain, bounds, count, source = _FORMS[form], None, None, None, None
        match form:
            case "from":
                domain = self._card_domain(value, scope)
                source = domain if isinstance(domain, t.ZoneRef) else None
                several = child(node, "count")
                if several is not None:
                    count = self.declarations.range_in(several, scope)
                    kind = t.CARDS
            case "players":
                domain = self.declarations.player_set(value, scope)
            case "suits" | "ranks" | "teams":
                whole = {"suits": t.set_of(t.SUIT), "ranks": t.set_of(t.RANK), "teams": t.TEAMS}[form]
                domain = (
                    t.Builtin(form, whole, value.span)
                    if text_of(value) == "all"
                    else self.expressions.node(value, scope, whole)
                )
            case "number":
                bounds = self.declarations.range_in(value, scope)
            case "choice":
                if isinstance(value, Scalar) and value.text in self.names.options:
                    domain = self._word_list(value, scope)
                    kind = domain.type.item or t.UNKNOWN
                else:
                    kind = Type("choice", symbols=tuple(text_of(v) for v in listing(value)))
            case "tokens":
                token = text_of(value)
                if token not in self.names.tokens:
                    self.report.error(
                        "E501", value.span, f"no token is called '{token}'", suggest(token, self.names.tokens, "tokens")
                    )
                    return None
                self.names.used.add(("tokens", token))
                kind = Type("piece", zone=token)
                domain = t.TokenRef(token, None, t.set_of(kind), value.span)
            case "zones":
                domain = self._places(value, scope)
                kind = domain.type.item or t.UNKNOWN
        return ParamDef(
            name,
            "cards" if form == "from" else form,
            replace(kind, optional=optional),
            domain,
            bounds,
            count,
            None,
            optional,
            is_true(child(node, "said")),
            None,
            source,
            span,
        )

    def _word_list(self, node: Scalar, scope: Scope) -> Typed:
        """A list option from which a word is chosen."""
        found = self.expressions.node(node, scope)
        item = found.type.item
        if found.type.kind != "list" or item is None or item.kind not in ("text", "choice"):
            self.report.error(
                "E502",
                found.span,
                f"this is {found.type}, but a list of words is needed here",
                "choice: [one, other], or a list option",
            )
            return self.expressions.unknown(node.span)
        return found

    def _card_domain(self, node: Node, scope: Scope) -> Typed:
        found = self.expressions.node(node, scope)
        if found.type.kind == "place":
            return t.ZoneRef(found.type.zone, (found,), t.CARDS, found.span)
        return self.expressions.fit(found, t.CARDS)

    def _places(self, node: Node, scope: Scope) -> Typed:
        name = text_of(node)
        if name in self.names.zones and self.names.zones[name].dims:
            return self.expressions.all_places(name, node.span)
        found = self.expressions.node(node, scope)
        if found.type.kind != "set" or found.type.item is None or found.type.item.kind != "place":
            if found.type.kind != "unknown":
                self.report.error(
                    "E502", found.span, f"this is {found.type}, but places are needed here", "name a zone with 'each:'"
                )
        return found

    def _rows(self, card: Typed, scope: Scope) -> Iterator[CardRow]:
        """The rows of `cards` as this action uses them."""
        scope = scope.bind("card", card) if "card" not in scope.locals else scope
        self._rows_used += len(self._card_rows)
        if self._rows_used > MAX_ROWS_USED >= self._rows_used - len(self._card_rows):
            message = f"all 'row' together take {self._rows_used:,} rows, and {MAX_ROWS_USED:,} are allowed"
            self.report.error("E521", card.span, message, "let fewer actions take the rows of 'cards'")
        if self._rows_used > MAX_ROWS_USED:
            return
        for key, node, span in self._card_rows:
            pattern = "else" if key == "else" else self.expressions.pattern(key, span)
            if pattern is None:
                continue
            params, inner = self._params(child(node, "choose"), scope)
            for name, kind in (("rank", t.RANK), ("suit", t.SUIT)):
                if name not in inner.locals:
                    inner = inner.bind(name, t.Op(name, (card,), kind, span))
            says = tuple(self._says(child(node, "say"), inner, ""))
            yield CardRow(pattern, tuple(params), says, self.effects.node(child(node, "effect"), inner), span)

    def _laws(self, node: Node | None, scope: Scope, on: On) -> Iterator[LawDef]:
        for name, spec, span in entries(node):
            law = child(spec, "law") if isinstance(spec, Mapping) else spec
            if law is None:
                self.report.error("E519", span, f"the law '{name}' has no condition", "law: CONDITION")
                continue
            message = child(spec, "message")
            inner = replace(scope, locals={**scope.locals, **self._fault_locals(span)})
            penalty = child(spec, "penalty")
            yield LawDef(
                name,
                on,
                self.expressions.node(law, scope, t.FLAG),
                self.expressions.words(message, scope) if isinstance(message, Scalar) else None,
                text_of(child(spec, "fault"), name),
                self._breach(child(spec, "breach")) or "stands",
                self._effect(child(spec, "on breach"), scope),
                None if penalty is None else self._effect(penalty, inner),
                self._lapses(child(spec, "lapses")),
                None
                if child(spec, "claimers") is None
                else self.declarations.player_set(child(spec, "claimers"), self._judging(span)),  # type: ignore[arg-type]
                span,
                any(
                    child(spec, key) is not None
                    for key in ("fault", "breach", "on breach", "penalty", "lapses", "claimers")
                ),
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
            self.report.error("E519", span, f"the announcement '{name}' has no words", 'words: "Six!"')
            return
        when = child(spec, "when")
        condition = None if when is None else self.expressions.node(when, scope, t.FLAG)
        literal = child(spec, "exact")
        exact = None if literal is None else self.expressions.node(literal, scope, t.FLAG)
        self.names.announced.add(name)
        yield SayDef(name, on, self.expressions.words(words, scope), condition, exact, span)

    # ---- honour ---------------------------------------------------------------------------------

    def _fault_locals(self, span: Span) -> dict[str, Typed]:
        return {
            "offender": t.Local("offender", t.PLAYER, span),
            "claimer": t.Local("claimer", t.PLAYER, span),
        }

    def _judging(self, span: Span) -> Scope:
        return Scope(locals={"offender": self._fault_locals(span)["offender"]})

    def _effect(self, node: Node | None, scope: Scope) -> tuple[Effect, ...]:
        """An effect, or one of several: the rows of what it depends on."""
        if not isinstance(node, Mapping):
            return self.effects.node(node, scope)
        effects: tuple[Effect, ...] = ()
        *rows, (_, effects) = self.declarations.cases(node, lambda row: self.effects.node(row, scope), effects, scope)
        for condition, then in reversed(rows):
            effects = (t.IfEffect(condition, then, effects, condition.span),)
        return effects

    def _breach(self, node: Node | None) -> Breach | Choice[Breach] | None:
        def read(row: Node) -> Breach:
            return "taken back" if text_of(row) == "taken back" else "stands"

        return None if node is None else self.declarations.settled(node, read, "stands")

    def _lapses(self, node: Node | None) -> LapseDef | Choice[LapseDef] | None:
        if node is None:
            return None
        nothing = LapseDef(self.expressions.unknown(node.span), "turns", "different others", None)
        return self.declarations.settled(node, lambda row: self._lapse(row) or nothing, nothing)

    def _lapse(self, node: Node) -> LapseDef | None:
        after = child(node, "after")
        if after is None:
            return None
        checked = self.expressions.node(after, Scope(), t.INTEGER)
        pause = child(node, "pauses")
        pauses = None if pause is None else self.expressions.node(pause, self._judging(pause.span), t.FLAG)
        ends = child(node, "ends of")
        if ends is None:
            return LapseDef(checked, "turns", "different others", pauses)
        name = text_of(ends)
        if name not in ("turn", "trick", "move") and name not in self.names.stages:
            hint = suggest(name, [*self.names.stages, "turn", "trick", "move"], "stages")
            self.report.error("E509", ends.span, f"no stage is called '{name}'", hint)
        return LapseDef(checked, "ends", name, pauses)

    def honor(self) -> HonorDef | None:
        node = self.root.get("honor")
        if node is None:
            return None
        span = self.root.keys["honor"]
        during = text_of(child(node, "during"), "match")
        if during not in self.names.stages:
            at = child(node, "during") or node
            self.report.error(
                "E509", at.span, f"no stage is called '{during}'", suggest(during, self.names.stages, "stages")
            )
        scope = Scope(stage=during, locals=self._fault_locals(span))
        wrong = child(node, "wrong claim")

        def read(row: Node) -> WrongClaim:
            return "fault" if text_of(row) == "fault" else self.effects.node(row, scope)

        claimers = child(node, "claimers")
        charge = child(node, "charge each")
        return HonorDef(
            text_of(child(node, "claim"), "claim"),
            during,
            None if claimers is None else self.declarations.player_set(claimers, self._judging(span)),
            self._lapses(child(node, "lapses")),
            self._effect(child(node, "penalty"), scope),
            () if wrong is None else self.declarations.settled(wrong, read, ()),
            None if charge is None else self.expressions.node(charge, Scope(), t.FLAG),
            dict(self._faults(child(node, "laws"), scope)),
            span,
        )

    def _faults(self, node: Node | None, scope: Scope) -> Iterator[tuple[str, FaultDef]]:
        """What differs for single laws and announcements, by their names."""
        known = {"in_turn", *self.names.laws, *self.names.announced, *self.effects.faults}
        for name, spec, span in entries(node):
            if name not in known:
                self.report.error(
                    "E509", span, f"no law or announcement is called '{name}'", suggest(name, known, "laws")
                )
            breach, penalty, claimers = (child(spec, k) for k in ("breach", "penalty", "claimers"))
            yield (
                name,
                FaultDef(
                    name,
                    text_of(child(spec, "fault"), self.names.laws.get(name, name)),
                    self._breach(breach),
                    self._lapses(child(spec, "lapses")),
                    None if penalty is None else self._effect(penalty, scope),
                    None if claimers is None else self.declarations.player_set(claimers, self._judging(span)),
                    span,
                ),
            )


_FORMS: dict[str, Type] = {
    "from": t.CARD,
    "players": t.PLAYER,
    "suits": t.SUIT,
    "ranks": t.RANK,
    "number": t.INTEGER,
    "flag": t.FLAG,
    "choice": Type("choice"),
    "tokens": Type("piece"),
    "zones": Type("place"),
    "teams": t.TEAM,
    "text": t.TEXT,
}
