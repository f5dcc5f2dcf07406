"""Stages: the flow of a ruleset, the tree first, then what each says."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import islice

from interpreter.base.diagnostics import Span, suggest
from interpreter.language import typed as t
from interpreter.language.check.actions import Actions
from interpreter.language.check.advice import Advices
from interpreter.language.check.effects import Effects
from interpreter.language.check.entries import child, entries, is_true, items, listing, text_of
from interpreter.language.check.honor_section import Honor
from interpreter.language.check.names import ACTOR, Names, Scope
from interpreter.language.check.sentences import read_templates
from interpreter.language.check.values import Values
from interpreter.language.model import ActionDef, ScoreRow, StageDef
from interpreter.language.source import Mapping, Node, Scalar
from interpreter.language.tree import replace
from interpreter.language.typed import Type, Typed

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
    "trump when": ("trick",),
    "lead": ("trick",),
    "follow": ("trick",),
    "on card": ("trick",),
    "on trick": ("trick",),
    "answers": ("ask",),
    "resolve": ("simultaneous",),
    "hands": ("race",),
    "actions": ("turn", "trick", "ask", "simultaneous", "race"),
    "prompt": ("turn", "trick", "ask", "simultaneous", "race"),
    "effect": ("effect",),
    "score": ("effect",),
}


MAX_LEVELS = 40
"""How deeply stages may be nested."""


class Flow:
    """Reads the stages of one ruleset."""

    def __init__(self, root: Mapping, names: Names, values: Values, effects: Effects) -> None:
        self.root = root
        self.names = names
        self.values = values
        self.effects = effects
        self.expressions = effects.expressions
        self.report = effects.report
        self.honor = Honor(root, names, values, effects)
        self.advices = Advices(names, effects.expressions)
        self.actions = Actions(root, names, values, effects, self.honor, self.advices)
        self.parents: dict[str, str] = {}
        self.children: dict[str, tuple[str, ...]] = {}
        self.too_deep = False
        """Whether the stages are nested too deeply to look into them."""

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
        for _, row, _ in entries(self.root.get("cards")):
            self._law_names(child(row, "must"))
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
        direction = child(node, "direction")
        if direction is not None and child(node, "next dealer") is None:
            deals = [f"'{other}'" for other, stage in self.names.stages.items() if child(stage.node, "next dealer")]
            hint = f"write it at {deals[0]}" if deals else "give this stage a 'next dealer'"
            message = f"only a deal begins with a direction, a stage that has 'next dealer', and '{name}' has none"
            self.report.warning("W610", direction.span, message, f"{hint}, or 'set direction to {text_of(direction)}'")
        condition = self._condition
        lead, count = child(node, "leader"), child(node, "count")
        of_tricks = kind == "trick"  # whose play knows its card
        actions = tuple(
            self.actions.action(n, v, s, name, scope)
            for n, v, s in entries(child(node, "actions"))
            if not (of_tricks and n == "play")
        )
        if of_tricks:
            actions = (self.actions.play(name, node, known.span, scope), *actions)
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
            bounds=known.bounds,
            setup=self.effects.node(child(node, "setup"), scope),
            cleanup=self.effects.node(child(node, "cleanup"), scope),
            until=condition(node, "until", scope),
            closed=is_true(child(node, "closed")),
            first_dealer=self._first_dealer(child(node, "first dealer")),
            next_dealer=self._next_dealer(child(node, "next dealer"), scope),
            direction=text_of(child(node, "direction"), "left"),
            actions=actions,
            anytime=tuple(
                self.actions.action(n, v, s, name, scope, anytime=True) for n, v, s in entries(child(node, "anytime"))
            ),
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
            on_card=self.effects.node(child(node, "on card"), replace(self._played(actions, scope), actor=ACTOR)),
            on_trick=self.effects.node(child(node, "on trick"), scope),
            answers="first" if text_of(child(node, "answers")) == "first" else "all",
            resolve=self.effects.node(child(node, "resolve"), scope),
            hands=self._value(child(node, "hands"), after, t.INTEGER),
            score_rows=tuple(self._score_row(row, scope) for row in items(child(node, "score"))),
            score_each=is_true(child(node, "each")),
            score_variable="score",
            winners=None if child(node, "winners") is None else self.values.player_set(child(node, "winners"), scope),  # type: ignore[arg-type]
            places=self._by_player(child(node, "places")),
            scores=self._by_player(child(node, "scores")),
            doc=text_of(child(node, "doc")),
            prompt=read_templates(child(node, "prompt"), self.report, asked=True),
            span=known.span,
            trump_when=condition(node, "trump when", in_trick),
        )

    def _check_keys(self, node: Node, kind: str, span: Span, name: str) -> None:
        if isinstance(node, Mapping) and "do" in node.entries and "repeat" in node.entries:
            self.report.error("E519", node.keys["repeat"], "a stage has 'do' or 'repeat', not both")
        if isinstance(node, Mapping) and "effect" in node.entries and "score" in node.entries:
            hint = "what is done before the scoring goes into 'setup', what is done after it into 'cleanup'"
            self.report.error("E519", node.keys["score"], "a stage has 'effect' or 'score', not both", hint)
        if isinstance(node, Mapping) and "trump" in node.entries and "trump when" in node.entries:
            hint = "say of each card whether it is a trump: trump when: card.suit = hearts or card is J"
            self.report.error("E519", node.keys["trump when"], "a stage has 'trump' or 'trump when', not both", hint)
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
        return None if node is None else self.values.player_set(node, scope, "players")

    def _played(self, actions: tuple[ActionDef, ...], scope: Scope) -> Scope:
        """The scope of what is done after a play, which knows what was played."""
        plays = next((action for action in actions if action.is_play), None)
        if plays is None or plays.params[0].count is None:
            return self._card_scope(scope)
        return scope.bind("cards", t.Local("cards", t.CARDS, Span("", 0, 0, 0, 0), itself=True))

    def _card_scope(self, scope: Scope) -> Scope:
        return scope.bind("card", t.Local("card", t.CARD, Span("", 0, 0, 0, 0), itself=True))

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
        if found.type.kind not in ("team", "unknown") and found.type.item != t.TEAM:
            found = self.expressions.fit(found, t.PLAYERS)
        score = self.names.variables.get("score")
        if score is not None and score.dims == ("player",):
            found = self._players_of(found)
        amount = t.Const(0, t.INTEGER, node.span) if points is None else self.expressions.node(points, scope, t.INTEGER)
        because = child(node, "because")
        reason = self.expressions.words(because, scope) if isinstance(because, Scalar) else None
        return ScoreRow(condition, found, amount, node.span, reason, self.advices.rule(child(node, "rule")))

    def _players_of(self, whom: Typed) -> Typed:
        """Of teams their members, where each player has a score; anything else as it is."""
        if whom.type.kind == "team":
            return t.Op("members of", (whom,), t.PLAYERS, whom.span)
        if whom.type.item != t.TEAM:
            return whom
        member = self.expressions.fresh("member", t.PLAYER, whom.span)
        among = t.Op("in", (t.Op("team of", (member,), t.TEAM, whom.span), whom), t.FLAG, whom.span)
        everyone = t.Builtin("everyone", t.PLAYERS, whom.span)
        return t.Select("all", member.name, t.PLAYER, everyone, among, None, t.PLAYERS, whom.span)
