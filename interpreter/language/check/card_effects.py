"""Typing of the effects that move cards, and of where these lie."""

from __future__ import annotations

from collections import Counter

from interpreter.base.diagnostics import Report, suggest
from interpreter.language import syntax as ast
from interpreter.language import typed as t
from interpreter.language.check.expressions import Expressions
from interpreter.language.check.kinds import fits
from interpreter.language.check.names import Scope
from interpreter.language.check.sets import lying_there
from interpreter.language.check.whereabouts import home_of
from interpreter.language.tree import replace
from interpreter.language.typed import Effect, Typed, rebuilt, walk


class CardEffects:
    """Checks what is done with cards in the effects of one ruleset."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.names = expressions.names
        self.counted = ""
        """The local in which `moved` is counted, where the text that is checked asks for it."""

    @property
    def _report(self) -> Report:
        return self.expressions.report

    def zone(self, node: ast.Expr, scope: Scope, whole: bool = False) -> t.ZoneRef:
        """A zone that cards can be moved from or to. whole: a bare family name means all its places."""
        if whole and isinstance(node, ast.Name) and node.text in self.names.zones and node.text not in scope.locals:
            if self.names.zones[node.text].dims:
                return self.expressions.references.all_places(node.text, node.span)
        return self._as_zone(self._from(node, scope), node, whole)

    def _from(self, node: ast.Expr, scope: Scope) -> Typed:
        """What cards are moved from or to: a zone, a place as its cards, a set of cards, or what is none of these."""
        if self._is_no_zone(node, scope):
            return t.ZoneRef("", (), t.CARDS, node.span)
        return lying_there(self.expressions.check(node, scope))

    def _as_zone(self, found: Typed, node: ast.Expr, whole: bool = False) -> t.ZoneRef:
        """What has been found where a zone is needed; an error if it is none."""
        if isinstance(found, t.ZoneRef) and (whole or found.type == t.CARDS):
            return found
        if (place := self._place_of(found)) is not None:
            return place
        if found.type.kind != "unknown":
            hint = suggest(node.text, self.names.zones, "zones") if isinstance(node, ast.Name) else ""
            if _called(node) in self.names.definitions:
                hint = "a definition stands for a zone if that is all it says, with each of its parameters once"
            self._report.error("E502", found.span, f"this is {found.type}, but a zone is needed here", hint)
        return t.ZoneRef("", (), t.CARDS, found.span)

    def _place_of(self, found: Typed) -> t.ZoneRef | None:
        """The place for which a definition stands; None if it says anything else, or something twice."""
        if not isinstance(found, t.Instance):
            return None
        instance = self.expressions.instances[found.key]
        body = self._place_of(instance.body) or instance.body
        params = [name for name, _ in instance.params]
        named = Counter(part.name for part in walk(body) if isinstance(part, t.Local))
        if not isinstance(body, t.ZoneRef) or body.type != t.CARDS or any(named[name] > 1 for name in params):
            return None
        given = dict(zip(params, found.args[len(found.args) - len(params) :], strict=True))
        actor = found.args[0] if instance.uses_actor else None

        def put_in(node: Typed) -> Typed:
            match node:
                case t.Local(name) if name in given:
                    return given[name]
                case t.Builtin("actor") if actor is not None:
                    return actor
            found: Typed = rebuilt(node, put_in)
            return found

        return replace(body, index=tuple(map(put_in, body.index)), span=found.span)

    def _is_no_zone(self, node: ast.Expr, scope: Scope) -> bool:
        """Report a name that means nothing where a zone is needed: the zones are what the hint is about."""
        match node:
            case ast.Name(name, span) | ast.Apply(name, _, _, span):
                if name in scope.locals or self.expressions.references.is_known(name):
                    return False
                self._report.error(
                    "E501", span, f"no zone is called '{name}'", suggest(name, self.names.zones, "zones")
                )
                return True
        return False

    def several(self, node: ast.Expr, scope: Scope) -> Typed:
        """A card, a set of cards, or a place as its cards."""
        found = lying_there(self.expressions.check(node, scope))
        if not _are_cards(found):
            hint = "the cards of each: 'for m in ... do ... end'" if found.type == t.MELDS else ""
            self._report.error("E502", found.span, f"this is {found.type}, but cards are needed here", hint)
        return found

    def move(self, node: ast.Move, scope: Scope) -> Effect:
        given = None if node.source is None else self._from(node.source, scope)
        source: t.ZoneRef | None = None
        among: Typed | None = None
        if node.source is not None and given is not None:
            if isinstance(given, t.ZoneRef) or not fits(given.type, t.CARDS):
                source = self._as_zone(given, node.source)
            else:
                among = given
        target = self.zone(node.target, scope)
        what = among
        if node.what is not None:
            what = lying_there(self.expressions.check(node.what, scope, t.INTEGER if node.at_random else None))
            if not (_are_cards(what) or what.type.kind == "integer"):
                hint = "move a card, a set of cards, a number of cards, or all"
                self._report.error("E502", what.span, f"this is {what.type}, which cannot be moved", hint)
            if what.type.kind == "integer" and among is not None:
                what = t.Op("drawn" if node.at_random else "first", (what, among), t.CARDS, node.span)
            elif what.type.kind == "integer" and source is None:
                self._report.error("E502", what.span, "a number of cards needs 'from'", "move N from ZONE to ZONE")
        if source is None and what is not None:
            source = home_of(what)
        unseen = node.at_random and among is None
        return t.Move(what, unseen, source, target, node.beneath, node.facing, node.span, self.counted)

    def deal(self, node: ast.Deal, scope: Scope) -> Effect | None:
        name = node.target.name
        if node.target.index is not None:
            hint = "name the zone alone; one player gets cards by 'move N from ZONE to ZONE of PLAYER'"
            self._report.error("E502", node.target.span, "'deal' gives cards to each player, not to one", hint)
            return None
        zone = self.names.zones.get(name)
        if zone is None or zone.dims != ("player",):
            known = [n for n, z in self.names.zones.items() if z.dims == ("player",)]
            self._report.error(
                "E502",
                node.target.span,
                f"'{name}' is no zone that each player has",
                suggest(name, known, "such zones"),
            )
            return None
        self.names.used.add(("zones", name))
        count = None if node.count is None else self.expressions.check(node.count, scope, t.INTEGER)
        packets = None
        if node.packets is not None:
            packets = tuple(self.expressions.check(p, scope, t.INTEGER) for p in node.packets)
        first = None if node.first is None else self.expressions.check(node.first, scope, t.PLAYER)
        return t.Deal(count, self.zone(node.source, scope), name, packets, scope.stage, node.span, first)


def _are_cards(found: Typed) -> bool:
    return fits(found.type, t.CARDS) or fits(replace(found.type, optional=False), t.CARD)


def _called(node: ast.Expr) -> str:
    """The name by which something is asked for, with values or without; empty if it is no name."""
    return node.text if isinstance(node, ast.Name) else node.function if isinstance(node, ast.Apply) else ""
