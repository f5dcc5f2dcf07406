"""Actions as functions of the core: what can be chosen, what the laws allow, what is said, what happens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from interpreter.compiler import core as c
from interpreter.compiler.algebra import joined
from interpreter.compiler.bounds.limits import EVENT
from interpreter.compiler.core import Expr
from interpreter.compiler.lower import melds
from interpreter.compiler.lower.choices import FOUND, ROW
from interpreter.compiler.lower.effects import Effects
from interpreter.compiler.lower.expressions import Expressions
from interpreter.compiler.lower.facts import Facts
from interpreter.compiler.lower.judging import SIDES, Judging, on_side
from interpreter.compiler.lower.listing import Listing
from interpreter.compiler.lower.spoken import words
from interpreter.compiler.made import local_name
from interpreter.compiler.trick_suits import suit_in
from interpreter.compiler.writer import Writer
from interpreter.language import typed as t
from interpreter.language.check.hiding import seen_choices
from interpreter.language.check.openness import open_choices
from interpreter.language.check.whereabouts import Whereabouts
from interpreter.language.model import MELDS, ActionDef, CardRow, LawDef, ParamDef, SayDef, StageDef
from interpreter.language.typed import Typed

_NUMBER = c.Name("number")


class Actions:
    """Lowers the actions of one game into a writer."""

    def __init__(self, expressions: Expressions, effects: Effects, out: Writer) -> None:
        self.e = expressions
        self.effects = effects
        self.out = out
        self.facts = Facts(expressions)
        self.judging = Judging(expressions, self.facts, out)
        self.listing = Listing(expressions, self.facts, self.judging, out)

    def action(self, action: ActionDef, stage: StageDef) -> None:
        """possible_, legal_, any_, broken_, message_, says_, label_, rows_ and apply_ of an action."""
        with self.e.ranges.choosing(action.params):
            self._action(action, stage)

    def _action(self, action: ActionDef, stage: StageDef) -> None:
        name = f"{stage.name}·{action.name}"
        names = tuple(local_name(param.name) for param in action.params)
        shape = self.facts.shape(action)
        self.out.place(action.span)
        match shape:
            case "card":
                self._card(action, name)
            case "none":
                self._plain(action, name)
            case "cards":
                self._several(action, name)
            case "args":
                self.listing.lists(action, name)
        if shape != "args" or action.rows:
            self.out.alias(f"any·{name}", f"legal·{name}")
        given = (*names, "*row") if action.rows else names
        self._broken(action, name, given)
        if any(law.message for law in action.laws):
            self._messages(action, name, given)
        if action.says or any(row.says for row in action.rows):
            self._says(action, name, given)
        if action.labels:
            self._labels(action, name, given)
        self._apply(action, stage, name, names)
        self._param_functions(action)
        if self.e.layout.honor:
            self._on_honor(action, name, given)

    # ---- what can be chosen ---------------------------------------------------------------------

    def _card(self, action: ActionDef, name: str) -> None:
        """One card, as bits."""
        param = action.params[0]
        for kind, laws in (("possible", ()), ("legal", action.laws)):
            with self.out.function(f"{kind}·{name}", "s", "p"):
                self.judging.begin(action)
                self.judging.when(action, c.ZERO)
                self.judging.possible_cards(action, param)
                self.judging.filter_laws(laws, param.name)
                self.out.give(c.Name("m"))

    def _plain(self, action: ActionDef, name: str) -> None:
        """Nothing is chosen."""
        for kind, laws in (("possible", ()), ("legal", action.laws)):
            if kind == "legal" and not self.facts.asks_law(action):
                self.out.alias(f"legal·{name}", f"possible·{name}")
                return
            with self.out.function(f"{kind}·{name}", "s", "p"):
                self.judging.begin(action)
                self.judging.when(action, c.FALSE)
                self.judging.laws(action, laws, c.FALSE)
                self.out.give(c.TRUE)

    def _several(self, action: ActionDef, name: str) -> None:
        """Several cards of a set: (bits, least, most)."""
        param = action.params[0]
        assert param.count is not None
        low, high = (self.e.number(number) for number in param.count)
        nothing = c.Lit((0, 1, 0))
        with self.out.function(f"possible·{name}", "s", "p"):
            self.judging.begin(action)
            self.judging.when(action, nothing)
            self.judging.begin_cards(param, "card")
            self.out.give(c.Tuple((c.Name("m"), low, high)))
        if not self.facts.asks_law(action):
            self.out.alias(f"legal·{name}", f"possible·{name}")
            return
        with self.out.function(f"legal·{name}", "s", "p"):
            self.judging.laws(action, action.laws, nothing)
            self.out.give(c.asked(f"possible·{name}", c.ACTOR))

    # ---- laws and words -------------------------------------------------------------------------

    def _broken(self, action: ActionDef, name: str, given: tuple[str, ...]) -> None:
        with self.out.function(f"broken·{name}", "s", "p", *given):
            if not action.laws:
                self.out.add(c.Breach(c.List(())))
                return
            self.out.set(FOUND, c.List(()))
            for at, law in enumerate(action.laws):
                test = self.e.of(law.law)
                if test == c.TRUE:
                    continue
                with self._of_row(action, law), self.out.when(on_side(law.on, c.Not(test)), law.span, law.name):
                    self.out.do(c.method(FOUND, "append", c.Lit(at)))
            self.out.add(c.Breach(FOUND))

    @contextmanager
    def _of_row(self, action: ActionDef, law: LawDef) -> Iterator[None]:
        """What is written of a law counts only for the cards of its row, if it has one."""
        if law.row < 0:
            yield
            return
        with self.out.when(c.Compare("==", self.facts.row_number(action), c.Lit(law.row)), law.span):
            self._bind(action.rows[law.row])
            yield

    def _messages(self, action: ActionDef, name: str, given: tuple[str, ...]) -> None:
        with self.out.function(f"message·{name}", "s", "p", "law", *given):
            for at, law in enumerate(action.laws):
                if law.message is not None:
                    with self.out.when(c.Compare("==", c.Name("law"), c.Lit(at))):
                        if law.row >= 0:
                            self._bind(action.rows[law.row])
                        self.out.give(words(self.e, law.message, spoken=False), law.span)
            self.out.give(c.Lit(""))

    def _says(self, action: ActionDef, name: str, given: tuple[str, ...]) -> None:
        with self.out.function(f"says·{name}", "s", "p", *given):
            self.out.set(FOUND, c.List(()))
            if action.rows:
                self.out.set(_NUMBER, self.facts.row_number(action))
                for at, row in enumerate(action.rows):
                    if row.says:
                        with self.out.when(c.Compare("==", _NUMBER, c.Lit(at)), row.span):
                            self._bind(row)
                            self._say_all(row.says, row.params)
            self._say_all(action.says, action.params)
            self.out.give(FOUND)

    def _say_all(self, says: tuple[SayDef, ...], params: tuple[ParamDef, ...]) -> None:
        said = {param.name for param in params if self.facts.says_itself(param)}
        for say in says:
            exact = c.FALSE if say.exact is None else self.e.of(say.exact)
            told = c.Tuple((c.Lit(say.name), words(self.e, say.words, spoken=True), exact))
            tests: list[Expr] = [SIDES[say.on]] if say.on else []
            if say.when is not None:
                tests.append(self.e.of(say.when))
            chosen = not said.isdisjoint(self.e.uses(say.words))
            self.out.add(c.Announce(FOUND, told, joined("and", tests), chosen, say.span))

    def _labels(self, action: ActionDef, name: str, given: tuple[str, ...]) -> None:
        with self.out.function(f"label·{name}", "s", "p", *given):
            for condition, word in action.labels:
                with self.out.when(self.e.of(condition), condition.span):
                    self.out.give(c.Lit(word))
            self.out.give(c.Lit(""))

    def _param_functions(self, action: ActionDef) -> None:
        """among_: the cards of which melds are made. asked_: which melds are chosen together. fits_, from_: what can be
        chosen, where that is asked before a move is judged. told_: who learns what was chosen.
        """
        for name, param, before in self.facts.params(action) if self.facts.asks_early(action) else ():
            self.listing.choosable(name, param, before)
        for name, param, before in self.facts.params(action):
            if param.form in MELDS:
                self._of_param(f"among·{name}", param, before, melds.among(self.e, param), param.domain)
            if param.asked is not None:
                self._of_param(f"asked·{name}", param, before, self.e.of(param.asked), param.asked)
            if param.seen_by is not None:
                eyes = c.call("mask_of", self.e.group(param.seen_by))
                self._of_param(f"told·{name}", param, (), eyes, param.seen_by)

    def _of_param(
        self, name: str, param: ParamDef, before: tuple[ParamDef, ...], value: Expr, asked: Typed | None
    ) -> None:
        """A function of a parameter that answers what is asked, by the arguments before it; it counts that itself."""
        names = [local_name(p.name) for p in before]
        with self.out.function(f"{name}·{param.name}", "s", "p", *names, span=param.span):
            self.e.bounds.forget()
            self.e.bounds.bind(before)
            light = self.e.bounds.light((asked,))
            if light > EVENT:
                self.out.do(c.asked("charge", c.Lit(light)), param.span)
            self.out.give(value, param.span)

    def _on_honor(self, action: ActionDef, name: str, given: tuple[str, ...]) -> None:
        """else_: what holds if a parameter is not said. breach_: what else a breach does."""
        for own, param, before in self.facts.params(action):
            if param.said and param.otherwise is not None:
                self._of_param(f"else·{own}", param, before, self.e.of(param.otherwise), param.otherwise)
        for at, law in enumerate(action.laws):
            if law.on_breach:
                with self.out.function(f"breach·{at}·{name}", "s", "p", *given):
                    if law.row >= 0:
                        self._bind(action.rows[law.row])
                    self.effects.block(law.on_breach)

    # ---- what happens ---------------------------------------------------------------------------

    def _apply(self, action: ActionDef, stage: StageDef, name: str, names: tuple[str, ...]) -> None:
        measures = [local_name(measure) for measure, _, _ in action.measured]
        given = (*names, "*row") if action.rows else (*names, *measures)
        with self.out.function(f"apply·{name}", "s", "p", *given, span=action.span):
            if action.rows:  # what is measured comes last
                for at, measure in enumerate(reversed(measures), start=1):
                    self.out.set(c.Name(measure), c.Item(ROW, c.Lit(-at)))
            self.carry_out(action, stage)

    def carry_out(self, action: ActionDef, stage: StageDef) -> None:
        """What a move does: the card is played to the trick, then come the effects of the action, row and stage."""
        bounds = self.e.bounds
        bounds.forget()
        bounds.bind(action.params)
        after = stage.on_card if action.is_play else ()
        light = bounds.light((*action.effect, *(effect for row in action.rows for effect in row.effect), *after))
        if bounds.is_heavy(light):
            self.out.do(c.asked("charge", c.Lit(light)), action.span)
        if action.is_play:
            self.play_card(action, stage)
        if action.rows:
            self.out.set(_NUMBER, self.facts.row_number(action))
        chosen = (*action.params, *(param for row in action.rows for param in row.params))
        self.effects.variables.open_names = open_choices(chosen)
        self.effects.variables.seen_names = seen_choices(chosen, self.e.model.zones)
        self.effects.block(action.effect)
        for at, row in enumerate(action.rows):
            if row.effect:
                with self.out.when(c.Compare("==", _NUMBER, c.Lit(at)), row.span):
                    self._bind(row)
                    self.effects.block(row.effect)
        if action.is_play:
            self.effects.block(stage.on_card)
        self.effects.variables.open_names = self.effects.variables.seen_names = frozenset()
        if self.effects.transfers.meld_zones:
            self.out.do(c.asked("renew_melds"), action.span)

    def _bind(self, row: CardRow) -> None:
        for at, param in enumerate(row.params):
            self.out.set(c.Name(local_name(param.name)), c.Item(ROW, c.Lit(at)))

    def play_card(
        self, action: ActionDef, stage: StageDef, plays: Expr = c.PLAYS, leads: bool | None = None
    ) -> list[c.Statement]:
        """The card goes from the hand to the trick. Returns the block in which the lead decides the suit led.

        plays: the cards of the trick. leads: whether it is the first of them; None where that is to be seen.
        """
        param, out = action.params[0], self.out
        target = t.ZoneRef(stage.trick_zone, (), t.CARDS, stage.span)
        assert param.source is not None
        if param.count is not None:
            return self._play_cards(action, stage, target)
        card = t.Local("card", t.CARD, param.span, param.source)
        self._to_trick(action, card, target, stage)
        out.do(c.method(plays, "append", c.Tuple((c.ACTOR, c.Name(local_name("card"))))))
        if leads is False:
            return out.body
        with nullcontext() if leads else out.when(c.Compare("==", c.call("len", plays), c.ONE)):
            out.set(c.LED, self.e.of(suit_in(stage, card)))
            return out.body

    def _to_trick(self, action: ActionDef, what: t.Local, target: t.ZoneRef, stage: StageDef) -> None:
        """What is played goes to the trick, from wherever it lies after what the laws do that it breaks."""
        where = Whereabouts(self.e.model.zones)
        gone = where.after_breach(action.laws) if self.e.layout.honor else []
        move = t.Move(what, False, what.source, target, False, None, stage.span)
        for effect in where.with_searches((move,), gone):
            self.effects.effect(effect)

    def _play_cards(self, action: ActionDef, stage: StageDef, target: t.ZoneRef) -> list[c.Statement]:
        """Several cards go to the trick at once; the first of those that are led decides the suit led."""
        out, plays, param = self.out, c.PLAYS, action.params[0]
        cards, card = t.Local(param.name, t.CARDS, param.span, param.source), t.Local("card", t.CARD, param.span)
        self._to_trick(action, cards, target, stage)
        own = c.Name(local_name("card"))
        with out.when(c.Not(plays)):
            out.set(own, c.Item(c.Name(local_name(param.name)), c.ZERO))
            out.set(c.LED, self.e.of(suit_in(stage, card)))
            led = out.body
        with out.each(local_name("card"), c.Name(local_name(param.name))):
            out.do(c.method(plays, "append", c.Tuple((c.ACTOR, own))))
        return led
