"""The functions of a game, printed in the order of its stages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from interpreter.base.diagnostics import Span
from interpreter.compiler.actions import ActionCompiler, Printed
from interpreter.compiler.bounds import Bounds
from interpreter.compiler.choosing import Deciding
from interpreter.compiler.definitions import slots_of
from interpreter.compiler.effects import EffectCompiler, default_text
from interpreter.compiler.expressions import ExpressionCompiler
from interpreter.compiler.hoisting import THESE, first_asked
from interpreter.compiler.layout import Layout
from interpreter.compiler.made import SIGN, remark
from interpreter.compiler.order import guarded_zones, kept_as
from interpreter.compiler.playout import PlayingOut
from interpreter.compiler.specialise import is_impossible, reached
from interpreter.compiler.taking_part import TakingPart
from interpreter.compiler.writer import CodeWriter
from interpreter.engine.budget import AUTOMATIC
from interpreter.engine.events import ALL
from interpreter.language import typed as t
from interpreter.language.model import ActionDef, DefineInstance, HonorDef, LapseDef, LawDef, StageDef, WrongClaim
from interpreter.language.typed import Effect, Typed


class Printer:
    """Prints all functions of one game."""

    def __init__(self, layout: Layout, faces: bool, bounds: Bounds) -> None:
        self.layout = layout
        self.model = layout.model
        self.kept = kept_as(layout.model)
        self.out = CodeWriter()
        self.stages = layout.model.stages
        self.parts = TakingPart(self.stages, layout.model.instances, layout.model.honor)
        self.everyone = list(range(layout.n))
        self.expressions = ExpressionCompiler(layout, self.kept, self.parts.text, self.parts.of_caller, bounds)
        self.faces = faces
        self.effects = EffectCompiler(self.expressions, self.out, self.faces, guarded_zones(layout))
        self.actions = ActionCompiler(self.expressions, self.effects, self.out)
        self.playing_out = PlayingOut(self.actions, self.parts)
        self.deciding = Deciding(self.actions, self.parts)
        self.at = self.stages["match"].span
        """What is being printed."""
        self.printed: dict[tuple[str, str, bool], Printed] = {}

    def place(self, line: int | None) -> Span:
        """The place in the ruleset from which a line of the text came."""
        spans = self.out.spans
        return next((spans[at] for at in range(line or 0, 0, -1) if at in spans), self.at)

    # ---- printing -------------------------------------------------------------------------------

    def _function(self, name: str, effects: tuple[Effect, ...], args: str = "", before: str = "") -> None:
        """A function that carries out an effect; nothing is printed for no effect."""
        if not effects:
            return
        self.out.blank()
        self.out.comment(effects[0].span)
        with self.out.function(name, f"s{args}"):
            self._begin(effects)
            if before:
                self.out.line(before)
            self.effects.block(effects)

    def _begin(self, nodes: Iterable[Typed | Effect | None], times: int = 1) -> None:
        """How a function of the machine's begins: it counts what is not counted within it, unless that is little."""
        bounds = self.expressions.bounds
        bounds.forget()
        light = times * bounds.light(nodes)
        if light > AUTOMATIC:
            self.out.line(f"charge(s, {light})", self.at)
        self.out.line("z = s.z; v = s.v")

    def _value(self, name: str, node: Typed | None, args: str = "", kind: str = "") -> None:
        if node is None:
            return
        with self._asking_once(node) as before:
            expressions = self.expressions
            asked = expressions.number if node.type.kind == "integer" else expressions.text
            text = expressions.group(node) if kind == "group" else asked(node)
        if text == {"when": "True", "until": "False"}.get(name.partition(SIGN)[0]):
            return  # options have decided it: there is nothing to ask
        self.out.blank()
        with self.out.function(name, f"s{args}"):
            self._begin((node,))
            if before and THESE in text:
                self.out.line(before)
            self.out.line(f"return {text}", node.span)

    @contextmanager
    def _asking_once(self, node: Typed | None) -> Iterator[str]:
        """The line that works out beforehand whom an answer is about, if it certainly asks that; "" if it does not."""
        about = None if node is None else first_asked(node, self.model.instances)
        if about is None or slots_of(self.expressions, self.model.instances[about.key].body) is None:
            yield ""
            return
        before = f"{THESE} = {self.expressions.text(about)}"
        self.expressions.these = about.key
        try:
            yield before
        finally:
            self.expressions.these = ""

    def print_all(self) -> None:
        out, layout = self.out, self.layout
        mode = "honor" if layout.honor else "strict"
        out.remark(f"{self.model.name}: {layout.n} players, {mode}")
        for name, family in layout.zones.items():
            out.remark(f"z[{_range(family.base, family.size)}]: {name} ({self.kept[name]})")
        for name, family in layout.variables.items():
            out.remark(f"v[{_range(family.base, family.size)}]: {name}")
        for (stage_name, param), slot in layout.arguments.items():
            out.remark(f"v[{slot}]: {param} of {stage_name}")
        live, asked = reached(self.model)
        for stage in self.stages.values():
            self.expressions.stage = stage.name
            with self._forgetting_faults(stage.name not in live):
                self._stage(stage)
        self.expressions.stage = ""
        self._resets()
        self._honor()
        self._views()
        done: set[str] = set()
        while set(self.expressions.wanted) - done:  # definitions may want further ones
            for name in [n for n in self.expressions.wanted if n not in done]:
                done.add(name)
                instance, party = self.expressions.wanted[name]
                with self._forgetting_faults(instance.key not in asked):
                    self._definition(name, instance, party)

    @contextmanager
    def _forgetting_faults(self, unreached: bool) -> Iterator[None]:
        """What is never carried out may have no value."""
        before = len(self.expressions.faults)
        yield
        if unreached:
            del self.expressions.faults[before:]

    def _definition(self, name: str, instance: DefineInstance, party: str) -> None:
        """A function of a definition. party: text for who takes part where it is asked; "": no matter."""
        narrowed = self.expressions.narrowed
        if party:
            self.expressions.narrowed = lambda _: party
        self._define(name, instance)
        self.expressions.narrowed = narrowed

    def _define(self, name: str, instance: DefineInstance) -> None:
        self.expressions.bounds.forget()
        self.at = instance.span
        params = "".join(f", x·{n}" for n, _ in instance.params)
        actor = ", p" if instance.uses_actor else ""
        out = self.out
        out.blank()
        out.comment(instance.span)
        with out.function(name, f"s{actor}{params}"):
            out.line("z = s.z; v = s.v")
            body = instance.body
            free = not (instance.params or instance.uses_actor or _is_card_set(body))
            slots = slots_of(self.expressions, body) if free else None
            with self._asking_once(body if slots is None else None) as before:
                text = self.expressions.cards(body)[1] if _is_card_set(body) else self.expressions.text(body)
            if before and THESE in text:
                out.line(before)
            if slots is None:
                out.line(f"return {text}", body.span)
            else:
                self._remember(name, slots, text, body.span)

    def _remember(self, function: str, slots: list[int], text: str, span: Span) -> None:
        """An answer that depends on a few slots: worked out once for the values they have."""
        name = f"A·{function}"
        self.expressions.constants[name] = {}
        low, high = slots[0], slots[-1]
        near = (
            f"tuple(v[{low}:{high + 1}])"
            if high - low + 1 == len(slots)
            else f"({', '.join(f'v[{at}]' for at in slots)})"
        )
        self.out.line(f"key = {near}; found = {name}.get(key)")
        with self.out.block("if found is None:"):
            with self.out.block(f"if len({name}) > 1000:"):
                self.out.line(f"{name}.clear()")
            self.out.line(f"found = {name}[key] = {text}", span)
        self.out.line("return found")

    def _stage(self, stage: StageDef) -> None:
        self.at = stage.span
        name, out = stage.name, self.out
        out.blank()
        out.remark(f"---- {name} ({stage.kind})")
        if stage.players is not None:
            self._players(stage)
        for hook, node in (
            ("when", stage.when),
            ("until", stage.until),
            ("first", stage.first),
            ("leader", stage.leader),
            ("next_leader", stage.next_leader),
            ("count", stage.count),
            ("first_dealer", stage.first_dealer),
            ("next_dealer", stage.next_dealer),
        ):
            self._value(f"{hook}·{name}", node)
        self._function(f"setup·{name}", stage.setup)
        self._function(f"cleanup·{name}", stage.cleanup)
        self._function(f"effect·{name}", stage.effect)
        self._scores(stage)
        self._function(f"on_turn·{name}", stage.on_turn)
        self._function(f"on_trick·{name}", stage.on_trick)
        self._function(f"resolve·{name}", stage.resolve)
        self._value(f"hands·{name}", stage.hands, ", p")
        if stage.turns is not None:
            self._turns(stage)
        if stage.kind == "trick":
            self._judge(stage)
        for action in stage.actions:
            with self._forgetting_faults(is_impossible(action)):
                self.printed[name, action.name, False] = self.actions.action(action, stage)
                self._measures(action, name)
        if self.playing_out.is_possible(stage, self.printed):
            self.playing_out.print(stage)
        else:
            self.deciding.print(stage, self.printed)
        for action in stage.anytime:
            with self._forgetting_faults(is_impossible(action)):
                self.printed[name, action.name, True] = self.actions.action(action, stage)
                self._measures(action, name)

    def _players(self, stage: StageDef) -> None:
        """players_: among whom it chooses are the players around the stage."""
        assert stage.players is not None
        narrowed, self.expressions.narrowed = self.expressions.narrowed, lambda _: self.parts.outside(stage.name)
        slots = slots_of(self.expressions, stage.players)
        if slots is None:
            self._value(f"players·{stage.name}", stage.players, kind="group")
        else:
            self.out.blank()
            with self.out.function(f"players·{stage.name}", "s"):
                self._begin((stage.players,))
                text = self.expressions.group(stage.players)
                self._remember(f"players·{stage.name}", slots, text, stage.players.span)
        self.expressions.narrowed = narrowed

    def _turns(self, stage: StageDef) -> None:
        assert stage.turns is not None
        node, each = stage.turns
        text = self.expressions.number(node)
        if each:
            text = f"{text} * len({self.expressions.text(t.Builtin('players', t.PLAYERS, node.span))})"
        with self.out.function(f"turns·{stage.name}", "s"):
            self._begin((node,))
            self.out.line(f"return {text}", node.span)

    def _measures(self, action: ActionDef, stage: str) -> None:
        for measure, low, high in action.measured:
            args = "".join(f", x·{p.name}" for p in action.params)
            with self.out.function(f"measure·{measure}·{stage}·{action.name}", f"s, p{args}, *row"):
                self.out.line("z = s.z; v = s.v")
                self.out.line(f"return {self.expressions.number(low)}, {self.expressions.number(high)}", low.span)
        if action.contest is not None:
            self._value(f"ties·{stage}·{action.name}", action.contest.ties)

    def _judge(self, stage: StageDef) -> None:
        """Who takes the trick: the best trump, else the best card of the suit led; the first of equal ones.

        A card without rank, or of one below 0, takes nothing.
        """
        out, text = self.out, self.expressions.text
        card = t.Local("card", t.CARD, stage.span)
        suit = text(stage.suit if stage.suit is not None else t.Op("suit", (card,), t.SUIT, stage.span))
        rank = text(stage.rank if stage.rank is not None else t.Op("rank", (card,), t.RANK, stage.span))
        trump = "None" if stage.trump is None else text(stage.trump)
        out.blank()
        with out.function(f"judge·{stage.name}", "s"):
            self._begin((stage.suit, stage.rank, stage.trump), self.layout.n)
            out.line("led = s.led; best = []; most = -1")
            if trump != "None":
                out.line(f"trump = {trump}")
            with out.block("for q, x·card in s.plays:"):
                out.line(f"suit = {suit}")
                if trump == "None":
                    with out.block("if suit != led:"):
                        out.line("continue")
                    out.line(f"worth = {rank}")
                    self._no_rank(stage)
                else:
                    with out.block("if suit != led and suit != trump:"):
                        out.line("continue")
                    out.line(f"worth = {rank}")
                    self._no_rank(stage)
                    with out.block("if suit == trump and trump is not None and worth >= 0:"):
                        out.line("worth += 10000")
                with out.block("if worth > most:"):
                    out.line("most = worth; best = [q]")
                with out.block("elif worth == most and best:"):
                    out.line("best.append(q)")
            out.line("s.best = best; s.winner = best[0] if best else None")

    def _no_rank(self, stage: StageDef) -> None:
        """A card may have no rank unless the stage says which."""
        if stage.rank is None and None in self.layout.card_rank:
            with self.out.block("if worth is None:"):
                self.out.line("continue")

    def _scores(self, stage: StageDef) -> None:
        """Rows of a score table: the first that holds, or each."""
        if not stage.score_rows:
            return
        out, text = self.out, self.expressions.text
        with out.function(f"effect·{stage.name}", "s", stage.span):
            asked = [part for row in stage.score_rows for part in (row.when, row.whom)]
            self._begin([*asked, *(row.points for row in stage.score_rows for _ in range(self.layout.n))])
            for row in stage.score_rows:
                with out.block(f"if {text(row.when)}:", row.span):
                    by_team = row.whom.type.kind == "team"
                    whom = f"[{text(row.whom)}]" if by_team else self.expressions.group(row.whom)
                    with out.block(f"for x·scorer in {whom}:"):
                        owner = t.Local("scorer", t.TEAM if by_team else t.PLAYER, row.span)
                        dims = self.model.variables[stage.score_variable].dims
                        index: Typed = owner
                        if dims == ("team",) and not by_team:
                            index = t.Op("team of", (owner,), t.TEAM, row.span)
                        target = t.VarRef(stage.score_variable, (index,), t.INTEGER, row.span)
                        self.effects.effect(t.Assign("add", target, row.points, row.span))
                    if not stage.score_each:
                        out.line("return")

    def _resets(self) -> None:
        """Variables go back to their defaults when the stage they last begins."""
        groups: dict[str, list[str]] = {}
        for name, variable in self.model.variables.items():
            groups.setdefault(variable.lasts, []).append(name)
        for lasts, names in groups.items():
            with self.out.function(f"reset·{lasts}", "s"):
                self.out.line("z = s.z; v = s.v")
                for name in names:
                    family = self.layout.variables[name]
                    value = default_text(self.expressions, name)
                    slots, values = f"{family.base}:{family.base + family.size}", f"[{value}] * {family.size}"
                    if family.size == 1:
                        slots, values = str(family.base), value
                    self.out.line(f"v[{slots}] = {values}{remark(name)}", self.model.variables[name].span)

    def _honor(self) -> None:
        honor = self.model.honor
        if honor is None or not self.layout.honor:
            return
        self._function("honor_penalty", honor.penalty, ", x·offender, x·claimer")
        wrong: WrongClaim = self.layout.settled(honor.wrong_claim)
        if not isinstance(wrong, str):
            self._function("honor_wrong", wrong, ", x·offender, x·claimer")
        if honor.claimers is not None:
            self._value("honor_claimers", honor.claimers, ", x·offender", "group")
        self._lapse("honor_lapse", self.layout.settled(honor.lapses))
        for at, (name, lapses, penalty, claimers) in enumerate(self.fault_terms(honor)):
            self.out.remark(name)
            self._lapse(f"fault_lapse·{at}", lapses)
            if penalty is not None:
                with self.out.function(f"fault_penalty·{at}", "s, x·offender, x·claimer"):
                    self._begin(penalty)
                    self.effects.block(penalty)
            if claimers is not None:
                self._value(f"fault_claimers·{at}", claimers, ", x·offender", "group")

    def _laws(self) -> Iterator[LawDef]:
        for stage in self.stages.values():
            for action in (*stage.actions, *stage.anytime):
                yield from action.laws

    def fault_terms(
        self, honor: HonorDef
    ) -> list[tuple[str, LapseDef | None, tuple[Effect, ...] | None, Typed | None]]:
        """What differs for the faults of one name: by the honour section, else by the first law that says it.

        Printed functions for them go by the numbers in this list: the name of a fault may be any text.
        """
        found: dict[str, list[Any]] = {}
        for own in honor.laws.values():
            found[own.fault] = [self.layout.settled(own.lapses), own.penalty, own.claimers]
        for law in self._laws():
            differs = honor.laws.get(law.name)
            terms = found.setdefault(law.fault if differs is None else differs.fault, [None, None, None])
            for at, said in enumerate((self.layout.settled(law.lapses), law.penalty, law.claimers)):
                terms[at] = said if terms[at] is None else terms[at]
        return [(name, *terms) for name, terms in found.items() if any(x is not None for x in terms)]

    def _lapse(self, name: str, lapse: LapseDef | None) -> None:
        if lapse is not None:
            self._value(name, lapse.after)
            self._value(f"{name}·pauses", lapse.pauses, ", x·offender")

    def _views(self) -> None:
        """Who sees what, scores, winners, and definitions that can be asked for."""
        for name, zone in self.model.zones.items():
            self._eyes(f"seen·{name}", zone.seen_by)
            self._eyes(f"counted·{name}", zone.count_seen_by)
        for name, token in self.model.tokens.items():
            self._eyes(f"seen_piece·{name}", token.seen_by)
        for name, variable in self.model.variables.items():
            if variable.seen_by is not None:
                self._eyes(f"eyes·{name}", variable.seen_by)
        match = self.stages["match"]
        self.expressions.stage = "match"
        self._value("match_winners", match.winners, kind="group")
        self._value("match_scores", match.scores, ", x·p")
        self._value("match_places", match.places, ", x·p")
        self.expressions.stage = ""
        for zone in self.model.zones.values():
            if zone.capacity is not None:
                self._value(f"capacity·{zone.name}", zone.capacity)
            if zone.refill is not None:
                self._value(f"keep·{zone.name}", zone.refill.keep)
        for shown in self.model.shown:
            self._eyes(f"eyes_define·{shown.name}", shown.seen_by)
        for key, _ in self.model.askable.values():
            self.expressions.function_of(key)

    def _eye_bits(self, node: Typed) -> str:
        """A set of players as bits; nobody and the owner alone, the commonest, at once."""
        match node:
            case t.Op("group", ()):
                return "0"
            case t.Op("group", (t.Local("owner"),)):
                return "1 << x·owner"
        return f"mask_of({self.expressions.group(node)})"

    def _eyes(self, name: str, node: Typed) -> None:
        with self.out.function(name, "s, x·owner"):
            self.out.line("z = s.z; v = s.v")
            if isinstance(node, t.Builtin) and node.name == "everyone":
                self.out.line(f"return {ALL}")
            else:
                self.out.line(f"return {self._eye_bits(node)}", node.span)


def _range(base: int, size: int) -> str:
    return str(base) if size == 1 else f"{base}:{base + size}"


def _is_card_set(node: Typed) -> bool:
    return node.type.kind == "set" and node.type.item is not None and node.type.item.kind == "card"
