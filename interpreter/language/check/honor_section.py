"""Honour: how faults lapse, are claimed and are paid, for all laws and for single ones."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.base.diagnostics import Span, suggest
from interpreter.language import typed as t
from interpreter.language.check.effects import Effects
from interpreter.language.check.entries import child, entries, text_of
from interpreter.language.check.names import Names, Scope
from interpreter.language.check.values import Values
from interpreter.language.keywords import DECLINE
from interpreter.language.model import Breach, Choice, FaultDef, HonorDef, LapseDef, WrongClaim
from interpreter.language.source import Mapping, Node
from interpreter.language.tree import replace
from interpreter.language.typed import Effect, Typed


class Honor:
    """Reads what one ruleset says of faults."""

    def __init__(self, root: Mapping, names: Names, values: Values, effects: Effects) -> None:
        self._root = root
        self._names = names
        self._values = values
        self._effects = effects
        self._expressions = effects.expressions
        self._report = effects.report

    def fault_locals(self, span: Span) -> dict[str, Typed]:
        return {
            "offender": t.Local("offender", t.PLAYER, span),
            "claimer": t.Local("claimer", t.PLAYER, span),
        }

    def paying(self, scope: Scope, span: Span) -> Scope:
        """What a penalty may use: it is paid when a claim is upheld, so what was chosen is gone and nobody acts."""
        kept = scope.before_choosing()
        return replace(kept, actor=None, locals={**kept.locals, **self.fault_locals(span)})

    def judging(self, span: Span) -> Scope:
        return Scope(locals={"offender": self.fault_locals(span)["offender"]})

    def effect(self, node: Node | None, scope: Scope) -> tuple[Effect, ...]:
        """An effect, or one of several: the rows of what it depends on."""
        if not isinstance(node, Mapping):
            return self._effects.node(node, scope)
        effects: tuple[Effect, ...] = ()
        read = self._values.cases
        *rows, (_, effects) = read(node, lambda row: self._effects.node(row, scope), effects, scope)
        for condition, then in reversed(rows):
            effects = (t.IfEffect(condition, then, effects, condition.span),)
        return effects

    def breach(self, node: Node | None) -> Breach | Choice[Breach] | None:
        def read(row: Node) -> Breach:
            return "taken back" if text_of(row) == "taken back" else "stands"

        return None if node is None else self._values.settled(node, read, "stands")

    def lapses(self, node: Node | None) -> LapseDef | Choice[LapseDef] | None:
        if node is None:
            return None
        nothing = LapseDef(self._expressions.unknown(node.span), "turns", "different others", None)
        return self._values.settled(node, lambda row: self._lapse(row) or nothing, nothing)

    def _lapse(self, node: Node) -> LapseDef | None:
        after = child(node, "after")
        if after is None:
            return None
        checked = self._expressions.node(after, Scope(), t.INTEGER)
        pause = child(node, "pauses")
        pauses = None if pause is None else self._expressions.node(pause, self.judging(pause.span), t.FLAG)
        ends = child(node, "ends of")
        if ends is None:
            return LapseDef(checked, "turns", "different others", pauses)
        name = text_of(ends)
        if name not in ("turn", "trick", "move") and name not in self._names.stages:
            hint = suggest(name, [*self._names.stages, "turn", "trick", "move"], "stages")
            self._report.error("E509", ends.span, f"no stage is called '{name}'", hint)
        return LapseDef(checked, "ends", name, pauses)

    def read(self) -> HonorDef | None:
        node = self._root.get("honor")
        if node is None:
            return None
        span = self._root.keys["honor"]
        during = text_of(child(node, "during"), "match")
        if during not in self._names.stages:
            at = child(node, "during") or node
            self._report.error(
                "E509", at.span, f"no stage is called '{during}'", suggest(during, self._names.stages, "stages")
            )
        scope = Scope(stage=during, locals=self.fault_locals(span))
        wrong = child(node, "wrong claim")

        def read(row: Node) -> WrongClaim:
            return "fault" if text_of(row) == "fault" else self._effects.node(row, scope)

        claimers = child(node, "claimers")
        charge = child(node, "charge each")
        claim = text_of(child(node, "claim"), "claim")
        if claim == DECLINE or claim in self._names.actions:
            said = child(node, "claim")
            place = span if said is None else said.span
            what = "says who claims nothing" if claim == DECLINE else "an action is called"
            self._report.error("E518", place, f"a claim cannot be called '{claim}': so {what}", "claim: another word")
        return HonorDef(
            claim,
            during,
            None if claimers is None else self._values.player_set(claimers, self.judging(span)),
            self.lapses(child(node, "lapses")),
            self.effect(child(node, "penalty"), scope),
            () if wrong is None else self._values.settled(wrong, read, ()),
            None if charge is None else self._expressions.node(charge, Scope(), t.FLAG),
            dict(self._faults(child(node, "laws"), scope)),
            span,
        )

    def _faults(self, node: Node | None, scope: Scope) -> Iterator[tuple[str, FaultDef]]:
        """What differs for single laws and announcements, by their names."""
        known = {"in_turn", *self._names.laws, *self._names.announced, *self._effects.faults}
        for name, spec, span in entries(node):
            if name not in known:
                self._report.error(
                    "E509", span, f"no law or announcement is called '{name}'", suggest(name, known, "laws")
                )
            breach, penalty, claimers = (child(spec, k) for k in ("breach", "penalty", "claimers"))
            yield (
                name,
                FaultDef(
                    name,
                    text_of(child(spec, "fault"), self._names.laws.get(name, name)),
                    self.breach(breach),
                    self.lapses(child(spec, "lapses")),
                    None if penalty is None else self.effect(penalty, scope),
                    None if claimers is None else self._values.player_set(claimers, self.judging(span)),
                    span,
                ),
            )
