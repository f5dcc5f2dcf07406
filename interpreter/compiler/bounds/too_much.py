"""Everything in a game that can be too much is reported, with its place."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from interpreter.base.diagnostics import Report, Span
from interpreter.compiler.bounds.action_moves import Bounds
from interpreter.compiler.bounds.limits import MOST_PARAMS, MOST_SAID, MOST_STEPS, MOST_WORDS
from interpreter.compiler.layout import about
from interpreter.language import typed as t
from interpreter.language.check.written_out import with_definitions
from interpreter.language.model import ActionDef, CardRow, HonorDef, LapseDef, LawDef, SayDef, StageDef, WrongClaim
from interpreter.language.typed import Typed, children, walk_of

STEPS_HINT = (
    "loops inside one another multiply: go through fewer things, or zones that have a smaller 'capacity', or find out "
    "once, 'on turn', what many moves ask"
)
CAN_HINT = "'can' takes what listing the moves of that action takes: ask it less often, or let that action ask less"
MOVES_HINT = "narrow what can be chosen, or let it be chosen in several moves"
_NO_ROW = CardRow("else", (), (), (), Span("", 0, 0, 0, 0))


def check_bounds(bounds: Bounds, report: Report) -> None:
    """Report every effect, condition and action that can be too much."""
    _Check(bounds, report).game()


class _Check:
    def __init__(self, bounds: Bounds, report: Report) -> None:
        self._bounds = bounds
        self._report = report
        self._layout = bounds.layout
        self._model = bounds.model

    def game(self) -> None:
        bounds = self._bounds
        for stage in self._model.stages.values():
            with bounds.rules_of(stage.name):
                self._stage(stage)
        if self._model.honor is not None:
            self._honor(self._model.honor)
        self._eyes()
        for node in walk_of([self._model.stages, self._model.honor], t.Note, t.Assign):  # and why a score changes
            said = node.words if isinstance(node, t.Note) else node.because
            if said is not None:
                bounds.forget()
                self._refuse_said(bounds.steps(said), said.span)
        for key, _ in self._model.askable.values():
            instance = self._model.instances[key]
            self._refuse(self._layout.n * bounds.steps(instance.body), instance.span)
        for rule in self._model.requirements:
            self._refuse(bounds.steps(rule.law), rule.span)
        for lasts in dict.fromkeys(variable.lasts for variable in self._model.variables.values()):
            begun = bounds.begun(name for name, variable in self._model.variables.items() if variable.lasts == lasts)
            if begun:
                self._refuse(bounds.all(begun), begun[0].span, begun)
        for kind in self._model.melds.values():
            if kind.wild is not None:  # of each card, whenever melds are looked for
                self._refuse_said(len(self._layout.cards) * bounds.steps(kind.wild), kind.wild.span)

    def _refuse(self, steps: int, span: Span, parts: Sequence[Typed] = ()) -> None:
        """Report what takes too many steps, at the loop that multiplies them, or at the part of it that costs most."""
        if steps > MOST_STEPS:
            message = f"this can take {about(steps)} steps, and {MOST_STEPS:,} are allowed"
            place, hint = self._bounds.blamed, STEPS_HINT
            if place is None and parts:
                costliest = max(parts, key=self._bounds.steps)
                place, hint = costliest.span, self._hint(costliest)
            self._report.error("E521", place or span, message, hint)
        self._bounds.blamed = None

    def _hint(self, node: Typed) -> str:
        """What makes a condition cheaper: where 'can' lists moves in it, no zone of fewer cards does."""
        lists = any(isinstance(part, t.Op) and part.op == "can" for part in with_definitions(node, self._model))
        return CAN_HINT if lists else STEPS_HINT

    def _refuse_said(self, steps: int, span: Span) -> None:
        """Who sees something, and what is said, is asked again and again, and never counted."""
        if steps > MOST_SAID:
            message = f"this can take {about(steps)} steps, and {MOST_SAID:,} are allowed where it is asked so often"
            self._report.error("E521", span, message, STEPS_HINT)
        self._bounds.blamed = None

    def _honor(self, honor: HonorDef) -> None:
        wrong: WrongClaim = self._layout.settled(honor.wrong_claim)
        penalties = [honor.penalty, *(fault.penalty or () for fault in honor.laws.values())]
        for effects in (*penalties, () if isinstance(wrong, str) else wrong):
            self._refuse(self._bounds.carried(effects), honor.span)
        for lapse in walk_of(self._model, LapseDef):  # asked whenever a turn, a stage or a move is over
            self._refuse_said(self._bounds.all((lapse.after, lapse.pauses)), lapse.after.span)
        named = {fault.fault: fault.claimers or honor.claimers for fault in honor.laws.values()}
        for law in walk_of(self._model.stages, LawDef):
            named.setdefault(law.fault, law.claimers or honor.claimers)
        claimers = self._bounds.all((honor.claimers, *named.values()))
        self._refuse(self._layout.n**2 * claimers, honor.span)  # for everybody against everybody

    def _eyes(self) -> None:
        """Who sees what: asked for every place, of every event and in every view."""
        bounds, layout, model = self._bounds, self._layout, self._model
        watched: list[tuple[int, int, Typed | None, Span]] = [
            *((layout.zones[z.name].size, bounds.watched[z.name], None, z.span) for z in model.zones.values()),
            *(
                (layout.variables[v.name].size, bounds.steps(v.seen_by), v.default, v.span)
                for v in model.variables.values()
            ),
            *((layout.n, bounds.steps(token.seen_by), None, token.span) for token in model.tokens.values()),
            *((layout.n, bounds.steps(d.seen_by), model.instances[d.key].body, d.span) for d in model.shown),
        ]
        total, costliest = 0, (0, Span("", 0, 0, 0, 0))
        for times, seen, told, span in watched:
            self._refuse_said(seen, span)
            each = times * (seen + bounds.steps(told))
            total, costliest = total + each, max(costliest, (each, span), key=lambda found: found[0])
        if not self._report.failed:
            self._refuse(total, costliest[1])

    def _stage(self, stage: StageDef) -> None:
        for steps, span in self._bounds.hooks(stage):
            self._refuse(steps, span)
        for scored in stage.score_rows:
            self._refuse_said(self._bounds.steps(scored.because), scored.span)
        for action in (*stage.actions, *stage.anytime):
            self._action(action, stage)
            for row in action.rows:
                self._row(action, row)

    def _said(self, says: Sequence[SayDef]) -> int:
        return self._bounds.all(part for say in says for part in children(say))

    def _action(self, action: ActionDef, stage: StageDef) -> None:
        bounds, span = self._bounds, action.span
        bounds.bind(action.params)
        self._moves(action, _NO_ROW, f"the action '{action.name}'")
        each = bounds.each_move(action)
        if each <= MOST_STEPS and all(p.form == "cards" and p.count is None for p in action.params[:2]):
            each *= bounds.most_ways(action.params[:1])  # all at once, as a set of cards
        asked = [*(when for _, when in action.when), *(law.law for law in action.laws if law.row < 0)]
        self._refuse(each, span, [*asked, *(p.where for p in action.params if p.where is not None)])
        self._refuse(bounds.all(bound for _, low, high in action.measured for bound in (low, high)), span)
        labels = bounds.all(condition for condition, _ in action.labels)
        messages = max((bounds.steps(law.message) for law in action.laws if law.row < 0), default=0)
        self._refuse_said(self._said(action.says) + labels + messages, span)
        self._refuse(bounds.done(action, stage), span)
        for law in action.laws:
            if law.row >= 0:
                bounds.bind((*action.params, *action.rows[law.row].params))
                self._refuse_said(bounds.steps(law.message), law.span)
            self._refuse(bounds.carried(law.on_breach), law.span)
            self._refuse(bounds.carried(law.penalty or ()), law.span)
            self._refuse(bounds.steps(law.claimers), law.span)

    def _row(self, action: ActionDef, row: CardRow) -> None:
        self._moves(action, row, f"the action '{action.name}' with this row")
        self._bounds.bind((*action.params, *row.params))
        self._refuse_said(self._said(row.says), row.span)
        self._refuse(self._bounds.all(part for param in row.params for part in children(param)), row.span)
        self._refuse(self._bounds.carried(row.effect), row.span)

    def _moves(self, action: ActionDef, row: CardRow, what: str) -> None:
        params, span = (*action.params, *row.params), row.span if row.span.line else action.span
        said = len(action.says) + len(row.says)
        if said > MOST_WORDS:
            message = f"{what} has {said} announcements, and {MOST_WORDS} are allowed"
            self._report.error("E521", span, message, "say in one text what is said together")
        if len(params) > MOST_PARAMS:
            message = f"{what} has {len(params)} parameters, and {MOST_PARAMS} are allowed"
            self._report.error("E521", span, message, "let it be chosen in several moves")
            return
        ways, most = self._bounds.certain_ways(params), self._bounds.limit(action)
        if prod(ways) > most:
            found = " x ".join(f"{n:,}" for n in ways)
            number = f"{found} = {about(prod(ways))}" if len(ways) > 1 else found
            self._report.error("E521", span, f"{what} has {number} moves, and {most:,} are allowed", MOVES_HINT)
