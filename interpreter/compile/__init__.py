"""Stage 6: typed model + players + options -> specialised Python source -> Program.

Options and players are constants here, so conditions on them fold away. The text is readable, can be printed
(`houserules compile GAME`), and is the same for the same input everywhere.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, count
from typing import Any

from interpreter import typed as t
from interpreter.compile.actions import ActionCompiler, Printed
from interpreter.compile.effects import EffectCompiler, default_text
from interpreter.compile.expressions import ExpressionCompiler, define_name
from interpreter.compile.helpers import HELPERS, SAFE
from interpreter.compile.layout import Layout, NotConstant, lay_out
from interpreter.compile.order import guarded_zones, has_hidden_faces, kept_as
from interpreter.compile.taking_part import TakingPart
from interpreter.compile.writer import CodeWriter
from interpreter.model import ActionDef, HonorDef, LapseDef, LawDef, Model, ParamDef, StageDef
from interpreter.run import cards as run_cards
from interpreter.run import honor as run_honor
from interpreter.run.events import ALL, Event, new_event
from interpreter.run.machine import AGAIN, LEAVE, MOVED, PASSED, STAY, WAIT, pass_turn, prepare, settle
from interpreter.run.program import (
    ActionCode,
    FaultCode,
    HonorCode,
    LawCode,
    ParamCode,
    Program,
    RuleError,
    StageCode,
    VariableCode,
    ZoneCode,
)  # fmt: skip
from interpreter.typed import Effect, Typed, walk

__all__ = ["compile_game"]

_numbers = count(1)
PRIMITIVES = (
    "log_cards move_cards move_found move_all move_top move_random deal gather shuffle_place turn flip show swap_places "
    "set_out take_piece put_back"
).split()


def compile_game(model: Model, players: int, options: Mapping[str, Any], honor: bool) -> Program:
    """The program of a game. Raises ValueError if the options make a pack or teams that cannot be."""
    layout = lay_out(model, players, options, honor)
    assembly = _Assembly(layout, faces=has_hidden_faces(model))
    assembly.print_all()
    if assembly.effects.turns_faces and not assembly.faces:  # options may have folded all such effects away
        assembly = _Assembly(layout, faces=True)
        assembly.print_all()
    return assembly.program()


class _Assembly:
    """Prints all functions of a game, runs the text, and collects the hooks."""

    def __init__(self, layout: Layout, faces: bool) -> None:
        self.layout = layout
        self.model = layout.model
        self.kept = kept_as(layout.model)
        self.out = CodeWriter()
        self.stages = layout.model.stages
        self.parts = TakingPart(self.stages)
        self.everyone = list(range(layout.n))
        self.expressions = ExpressionCompiler(layout, self.kept, self.parts.text, self.parts.of_caller)
        self.faces = faces
        self.effects = EffectCompiler(self.expressions, self.out, self.faces, guarded_zones(layout.model))
        self.actions = ActionCompiler(self.expressions, self.effects, self.out)
        self.printed: dict[tuple[str, str, bool], Printed] = {}
        self.names: dict[str, Any] = {}
        self.filename = f"<houserules {layout.model.id} #{next(_numbers)}>"

    # ---- printing -------------------------------------------------------------------------------

    def _function(self, name: str, effects: tuple[Effect, ...], args: str = "", before: str = "") -> None:
        """A function that carries out an effect; nothing is printed for no effect."""
        if not effects:
            return
        self.out.blank()
        self.out.comment(effects[0].span)
        with self.out.block(f"def {name}(s{args}):"):
            self.out.line("z = s.z; v = s.v")
            if before:
                self.out.line(before)
            self.effects.block(effects)

    def _value(self, name: str, node: Typed | None, args: str = "", kind: str = "") -> None:
        if node is None:
            return
        text = self.expressions.group(node) if kind == "group" else self.expressions.text(node)
        if text == {"when": "True", "until": "False"}.get(name.partition("_")[0]):
            return  # options have decided it: there is nothing to ask
        self.out.blank()
        with self.out.block(f"def {name}(s{args}):"):
            self.out.line("z = s.z; v = s.v")
            self.out.line(f"return {text}", node.span)

    def print_all(self) -> None:
        out, layout = self.out, self.layout
        mode = "honor" if layout.honor else "strict"
        out.line(f"# {self.model.name}: {layout.n} players, {mode}")
        for name, family in layout.zones.items():
            out.line(f"# z[{_range(family.base, family.size)}]: {name} ({self.kept[name]})")
        for name, family in layout.variables.items():
            out.line(f"# v[{_range(family.base, family.size)}]: {name}")
        for (stage_name, param), slot in layout.arguments.items():
            out.line(f"# v[{slot}]: {param} of {stage_name}")
        for stage in self.stages.values():
            self.expressions.stage = stage.name
            self._stage(stage)
        self.expressions.stage = ""
        self._resets()
        self._honor()
        self._views()
        done: set[str] = set()
        while set(self.expressions.wanted) - done:  # definitions may want further ones
            for key in [k for k in self.expressions.wanted if k not in done]:
                done.add(key)
                self._definition(key)

    def _definition(self, key: str) -> None:
        instance = self.model.instances[key]
        params = "".join(f", x_{n}" for n, _ in instance.params)
        actor = ", p" if instance.uses_actor else ""
        out = self.out
        out.blank()
        out.comment(instance.span)
        with out.block(f"def {define_name(self.model.instances, key)}(s{actor}{params}):"):
            out.line("z = s.z; v = s.v")
            body = instance.body
            text = self.expressions.cards(body)[1] if _is_card_set(body) else self.expressions.text(body)
            out.line(f"return {text}", body.span)

    def _stage(self, stage: StageDef) -> None:
        name, out = stage.name, self.out
        out.blank()
        out.line(f"# ---- {name} ({stage.kind})")
        if stage.players is not None:
            self._players(stage)
        for hook, node in (
            ("when", stage.when), ("until", stage.until), ("first", stage.first), ("leader", stage.leader),
            ("next_leader", stage.next_leader), ("count", stage.count), ("first_dealer", stage.first_dealer),
            ("next_dealer", stage.next_dealer),
        ):  # fmt: skip
            self._value(f"{hook}_{name}", node)
        self._function(f"setup_{name}", stage.setup)
        self._function(f"cleanup_{name}", stage.cleanup)
        self._function(f"effect_{name}", stage.effect)
        self._scores(stage)
        self._function(f"on_turn_{name}", stage.on_turn)
        self._function(f"on_trick_{name}", stage.on_trick)
        self._function(f"resolve_{name}", stage.resolve)
        if stage.turns is not None:
            self._turns(stage)
        if stage.kind == "trick":
            self._judge(stage)
        for action in stage.actions:
            self.printed[name, action.name, False] = self.actions.action(action, stage)
            self._measures(action, name)
        if self._plays_out(stage):
            self.actions.playout(stage.actions[0], stage)
        for action in stage.anytime:
            self.printed[name, action.name, True] = self.actions.action(action, stage)
            self._measures(action, name)

    def _plays_out(self, stage: StageDef) -> bool:
        """Whether tricks can be played out at random in one loop: nothing but plays, and everybody takes part."""
        model = self.model
        turn_variables = any(v.lasts == "turn" for v in model.variables.values())
        until = None if stage.until is None else self.expressions.text(stage.until)
        effects = [e for a in stage.actions for e in walk((a.effect, stage.on_card)) if isinstance(e, t.ToPlayer)]
        return (
            stage.kind == "trick" and len(stage.actions) == 1 and not self.layout.multi and not self.layout.honor
            and until in (None, "False") and not stage.on_turn and not turn_variables and not model.reseats
            and self.parts.text(stage.name) in (None, "P") and stage.actions[0].row is None and not stage.actions[0].when
            and self.printed[stage.name, stage.actions[0].name, False].shape == "card"
            and not any(e.verb == "pass turn" for e in effects)
        )  # fmt: skip

    def _players(self, stage: StageDef) -> None:
        """players_: among whom it chooses are the players around the stage."""
        narrowed, self.expressions.narrowed = self.expressions.narrowed, lambda _: self.parts.outside(stage.name)
        self._value(f"players_{stage.name}", stage.players, kind="group")
        self.expressions.narrowed = narrowed

    def _turns(self, stage: StageDef) -> None:
        assert stage.turns is not None
        node, each = stage.turns
        text = self.expressions.text(node)
        if each:
            text = f"{text} * len({self.expressions.text(t.Builtin('players', t.PLAYERS, node.span))})"
        with self.out.block(f"def turns_{stage.name}(s):"):
            self.out.line("z = s.z; v = s.v")
            self.out.line(f"return {text}", node.span)

    def _measures(self, action: ActionDef, stage: str) -> None:
        for measure, low, high in action.measured:
            args = "".join(f", x_{p.name}" for p in action.params)
            with self.out.block(f"def measure_{measure}_{stage}_{action.name}(s, p{args}, *row):"):
                self.out.line("z = s.z; v = s.v")
                self.out.line(f"return {self.expressions.text(low)}, {self.expressions.text(high)}", low.span)

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
        with out.block(f"def judge_{stage.name}(s):"):
            out.line("z = s.z; v = s.v; led = s.led; best = []; most = -1")
            if trump != "None":
                out.line(f"trump = {trump}")
            with out.block("for q, x_card in s.plays:"):
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
        with out.block(f"def effect_{stage.name}(s):", stage.span):
            out.line("z = s.z; v = s.v")
            for row in stage.score_rows:
                with out.block(f"if {text(row.when)}:", row.span):
                    by_team = row.whom.type.kind == "team"
                    whom = f"[{text(row.whom)}]" if by_team else self.expressions.group(row.whom)
                    with out.block(f"for x_scorer in {whom}:"):
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
            with self.out.block(f"def reset_{lasts}(s):"):
                self.out.line("z = s.z; v = s.v")
                for name in names:
                    family = self.layout.variables[name]
                    value = default_text(self.expressions, name)
                    self.out.line(
                        f"v[{family.base}:{family.base + family.size}] = [{value}] * {family.size}  # {name}",
                        self.model.variables[name].span,
                    )

    def _honor(self) -> None:
        honor = self.model.honor
        if honor is None or not self.layout.honor:
            return
        self._function("honor_penalty", honor.penalty, ", x_offender, x_claimer")
        if not isinstance(honor.wrong_claim, str):
            self._function("honor_wrong", honor.wrong_claim, ", x_offender, x_claimer")
        if honor.claimers is not None:
            self._value("honor_claimers", honor.claimers, ", x_offender", "group")
        self._lapse("honor_lapse", honor.lapses)
        for name, lapses, penalty, claimers in self._fault_terms(honor):
            self._lapse(f"lapse_of_{name}", lapses)
            if penalty is not None:
                with self.out.block(f"def penalty_of_{name}(s, x_offender, x_claimer):"):
                    self.out.line("z = s.z; v = s.v")
                    self.effects.block(penalty)
            if claimers is not None:
                self._value(f"claimers_of_{name}", claimers, ", x_offender", "group")

    def _laws(self) -> Iterator[LawDef]:
        for stage in self.stages.values():
            for action in (*stage.actions, *stage.anytime):
                yield from action.laws

    def _fault_terms(
        self, honor: HonorDef
    ) -> list[tuple[str, LapseDef | None, tuple[Effect, ...] | None, Typed | None]]:
        """What differs for the faults of one name: by the honour section, else by the first law that says it."""
        found: dict[str, list[Any]] = {}
        for own in honor.laws.values():
            found[own.fault] = [own.lapses, own.penalty, own.claimers]
        for law in self._laws():
            differs = honor.laws.get(law.name)
            terms = found.setdefault(law.fault if differs is None else differs.fault, [None, None, None])
            for at, said in enumerate((law.lapses, law.penalty, law.claimers)):
                terms[at] = said if terms[at] is None else terms[at]
        return [(name, *terms) for name, terms in found.items() if any(x is not None for x in terms)]

    def _lapse(self, name: str, lapse: LapseDef | None) -> None:
        if lapse is not None:
            self._value(name, lapse.after)

    def _views(self) -> None:
        """Who sees what, scores, winners, and definitions that can be asked for."""
        for name, zone in self.model.zones.items():
            self._eyes(f"seen_{name}", zone.seen_by)
            self._eyes(f"counted_{name}", zone.count_seen_by)
        for name, variable in self.model.variables.items():
            if variable.seen_by is not None:
                self._eyes(f"eyes_{name}", variable.seen_by)
        match = self.stages["match"]
        self.expressions.stage = "match"
        self._value("match_winners", match.winners, kind="group")
        self.expressions.stage = ""
        self._value("match_scores", match.scores, ", x_p")
        self._value("match_places", match.places, ", x_p")
        for zone in self.model.zones.values():
            if zone.capacity is not None:
                self._value(f"capacity_{zone.name}", zone.capacity)
            if zone.refill is not None:
                self._value(f"keep_{zone.name}", zone.refill.keep)
        for shown in self.model.shown:
            self._eyes(f"eyes_define_{shown.name}", shown.seen_by)
        for key, _ in self.model.askable.values():
            self.expressions.wanted[key] = self.model.instances[key]

    def _eyes(self, name: str, node: Typed) -> None:
        with self.out.block(f"def {name}(s, x_owner):"):
            self.out.line("z = s.z; v = s.v")
            if isinstance(node, t.Builtin) and node.name == "everyone":
                self.out.line(f"return {ALL}")
            else:
                self.out.line(f"return mask_of({self.expressions.group(node)})", node.span)

    # ---- from text to program -----------------------------------------------------------------------

    def program(self) -> Program:
        text = self.out.text()
        linecache.cache[self.filename] = (len(text), None, text.splitlines(keepends=True), self.filename)
        self.names = {"__builtins__": SAFE, **self.expressions.constants, **HELPERS, **self._primitives()}
        exec(compile(text, self.filename, "exec"), self.names)
        self.names.update(self.parts.functions(self.names, self.everyone))
        stages = tuple(self._stage_code(s) for s in self.stages.values())
        anytime = any(s.anytime for s in stages)
        for stage in stages:
            prepare(stage)
            stage.by_name = {a.name: a for a in stage.actions}
            stage.plain_play = self._plain_play(stage, anytime)
            stage.only = (
                stage.actions[0] if len(stage.actions) == 1 and not anytime and not stage.actions[0].talk else None
            )
        layout = self.layout
        zones = tuple(self._zone_code(name) for name in self.model.zones)
        aside = ZoneCode(
            "aside",
            sum(z.size for z in zones),
            1,
            (None,),
            ("aside",),
            "mask",
            _nobody,
            _nobody,
            False,
            True,
            False,
            ((),),
            (),
        )
        zones = (*zones, aside)
        model = self.model
        match = model.stages["match"]
        shown = tuple(
            (
                d.name,
                d.each,
                self.names[define_name(model.instances, d.key)],
                self.names[f"eyes_define_{d.name}"],
                _kind(model.instances[d.key].body.type),
            )
            for d in model.shown
        )
        asked: dict[str, tuple[str, Callable[..., Any], str]] = {
            name: (each, self.names[define_name(model.instances, key)], _kind(model.instances[key].body.type))
            for name, (key, each) in model.askable.items()
        }
        constants = self.expressions.constants
        return Program(
            name=model.name, honor=layout.honor, n=layout.n, cards=tuple(layout.cards), first_copy=tuple(layout.first_copy),
            copies={c: m for c, m in constants["COPIES"].items() if c is not None and c >= 0}, by_name=layout.by_name, ranks=model.ranks,
            suits=tuple(s.name for s in model.suits), card_rank=tuple(layout.card_rank), card_suit=tuple(layout.card_suit),
            teams=layout.teams, places=tuple(label for z in zones for label in z.labels),
            place_zone=tuple(i for i, z in enumerate(zones) for _ in range(z.size)), zones=zones,
            pack_place=next(layout.zones[n].base for n, z in model.zones.items() if z.pack), aside=aside.base,
            variables={n: self._variable_code(n) for n in model.variables}, initial=(None,) * layout.slots,
            turn_slots=tuple(
                slot for n, variable in model.variables.items() if variable.lasts == "turn"
                for slot in range(layout.variables[n].base, layout.variables[n].base + layout.variables[n].size)
            ),
            reset_turn=self.names.get("reset_turn"), reset_trick=self.names.get("reset_trick"),
            tokens={n: (i, str(layout.constant(d.named)) if d.named is not None else n) for i, (n, d) in enumerate(model.tokens.items())},
            stages=stages, by_stage={s.name: s.index for s in stages}, honor_code=self._honor_code(),
            winners=self.names.get("match_winners"), scores=self._scores_of(match), places_of=self._by_player("match_places"),
            shown=shown, asked=asked, reverses=True, reseats=model.reseats, left=tuple((p + 1) % layout.n for p in range(layout.n)),
            text=text, lines=self.out.spans, filename=self.filename, multi=layout.multi, faces=self.faces,
            shows_tops=any(z.shows_top for z in model.zones.values()), hides_counts=any(not _is_everyone(z.count_seen_by) for z in model.zones.values()),
            refills=self._refills(), capacities=self._capacities(), requirements=tuple(self._requirements()),
        )  # fmt: skip

    def _plain_play(self, stage: StageCode, anytime: bool) -> ActionCode | None:
        if stage.kind != "trick" or len(stage.actions) != 1 or anytime or self.layout.honor or self.layout.multi:
            return None
        action = stage.actions[0]
        plain = action.shape == "card" and action.says is None and action.label is None and not action.measured
        return action if plain else None

    def _requirements(self) -> Iterator[tuple[str, Callable[[], bool]]]:
        for rule in self.model.requirements:
            try:
                self.layout.constant(rule.law)
            except NotConstant:
                yield rule.name, lambda law=rule.law: bool(self.expressions.evaluate(law))  # type: ignore[misc]

    def _primitives(self) -> dict[str, Any]:
        found: dict[str, Any] = {name: getattr(run_cards, name) for name in PRIMITIVES}
        found.update(
            settle=settle, MOVED=MOVED, WAIT=WAIT, LEAVE=LEAVE, Event=Event, new_event=new_event, PLACES=self._place_labels(), STAY=STAY, AGAIN=AGAIN, PASSED=PASSED, note_fault=run_honor.note_fault, take_back=run_honor.take_back,
            out_of_bounds=_out_of_bounds, someone=_someone, seated=_seated, subsets=_subsets, distinct=_distinct,
            pass_turn=pass_turn,
        )  # fmt: skip
        return found

    def _hook(self, name: str) -> Any:
        return self.names.get(name)

    def _stage_code(self, stage: StageDef) -> StageCode:
        name = stage.name
        players: Callable[[Any], list[int]] = self.parts.find(name, self.names, self.everyone)  # type: ignore[assignment]
        sources: tuple[int, ...] = ()
        if stage.kind == "trick":
            family = self.layout.zones[stage.source_zone]
            sources = tuple(range(family.base, family.base + family.size))
        params = tuple((p, self.layout.arguments[name, p], None) for p, _ in stage.params)
        return StageCode(
            index=stage.index, name=name, kind=stage.kind, children=tuple(self.stages[c].index for c in stage.children),
            span=stage.span, actions=tuple(self._action_code(i, a, stage) for i, a in enumerate(stage.actions)),
            anytime=tuple(self._action_code(i, a, stage) for i, a in enumerate(stage.anytime)), closed=stage.closed, has_turns=self._has_turns(stage),
            answers=stage.answers, params=params, when=self._hook(f"when_{name}"), players=players,
            reset=self._hook(f"reset_{name}"), setup=self._hook(f"setup_{name}"), cleanup=self._hook(f"cleanup_{name}"),
            until=self._hook(f"until_{name}"), effect=self._hook(f"effect_{name}"), first=self._hook(f"first_{name}"),
            turns=self._hook(f"turns_{name}"), on_turn=self._hook(f"on_turn_{name}"), leader=self._hook(f"leader_{name}"),
            next_leader=self._hook(f"next_leader_{name}"), count=self._hook(f"count_{name}"),
            on_trick=self._hook(f"on_trick_{name}"), judge=self._hook(f"judge_{name}"), sources=sources,
            resolve=self._hook(f"resolve_{name}"), playout=self._hook(f"playout_{name}"), first_dealer=self._hook(f"first_dealer_{name}"),
            next_dealer=self._hook(f"next_dealer_{name}"), direction=stage.direction,
        )  # fmt: skip

    def _has_turns(self, stage: StageDef) -> bool:
        return stage.kind in ("turn", "trick") or any(self._has_turns(self.stages[c]) for c in stage.children)

    def _action_code(self, index: int, action: ActionDef, stage: StageDef) -> ActionCode:
        name = f"{stage.name}_{action.name}"
        printed = self.printed[stage.name, action.name, action.anytime]
        contest = None
        if action.contest is not None:
            over, measure, wins = action.contest
            contest = ([p.name for p in action.params].index(over), measure, wins)
        row_params = None
        if action.rows:
            kinds = [
                tuple(self._param_code(p, f"{name}_{at}", action) for p in r.params) for at, r in enumerate(action.rows)
            ] + [()]
            number = self.names[f"row_{name}"]

            def row_params(s: Any, p: int, *args: Any) -> list[Any]:
                return list(kinds[number(s, p, *args)])

        return ActionCode(
            index=index, name=action.name, stage=stage.index, shape=printed.shape,  # type: ignore[arg-type]
            params=tuple(self._param_code(p, name, action) for p in action.params), possible=self.names[f"possible_{name}"],
            legal=self.names[f"legal_{name}"], broken=self.names[f"broken_{name}"], apply=self.names[f"apply_{name}"],
            message=self.names.get(f"message_{name}", _no_message), says=self.names.get(f"says_{name}"),
            label=self.names.get(f"label_{name}"), laws=tuple(self._law_codes(action, name)),
            measured=tuple((m, self.names[f"measure_{m}_{name}"]) for m, _, _ in action.measured), contest=contest,
            anytime=action.anytime, talk=action.talk, is_play=action.is_play, joint=printed.joint, has_row=bool(action.rows),
            row_params=row_params, renamed=printed.shape == "args" and self._is_renamed(action),
            keeps_secrets=any(p.seen_by is not None or self.actions.laid(p, action) for _, p, _ in self.actions.params(action)),
            span=action.span,
        )  # fmt: skip

    def _param_code(self, param: ParamDef, where: str, action: ActionDef) -> ParamCode:
        return ParamCode(
            param.name, param.form, self.actions.symbols(param), param.type.zone, param.count is not None, param.optional,
            self.actions.blind(param), self._hook(f"else_{where}_{param.name}"), self.actions.laid(param, action),
            self._hook(f"told_{where}_{param.name}"),
        )  # fmt: skip

    def _is_renamed(self, action: ActionDef) -> bool:
        """Whether players call arguments otherwise than the game does."""
        params = [p for _, p, _ in self.actions.params(action)]
        unsaid = self.layout.honor and any(p.said and p.otherwise is not None for p in params)
        return unsaid or any(self.actions.blind(p) or (self.layout.multi and p.form == "cards") for p in params)

    def _law_codes(self, action: ActionDef, name: str) -> list[LawCode]:
        differs = {} if self.model.honor is None else self.model.honor.laws
        found = []
        for at, law in enumerate(action.laws):
            own = differs.get(law.name)
            fault, breach = (law.fault, law.breach) if own is None else (own.fault, own.breach or law.breach)
            says_fault = law.says_fault or own is not None
            found.append(LawCode(law.name, fault, breach, self._hook(f"breach{at}_{name}"), says_fault))
        return found

    def _lapse_code(self, name: str, lapse: LapseDef | None) -> tuple[Any, str, str] | None:
        found = self._hook(name)
        return None if lapse is None or found is None else (found, lapse.how, lapse.of)

    def _honor_code(self) -> HonorCode | None:
        honor = self.model.honor
        if honor is None or not self.layout.honor:
            return None
        wrong: Any = honor.wrong_claim if isinstance(honor.wrong_claim, str) else self._hook("honor_wrong") or "nothing"
        charge = honor.charge_each is not None and bool(self.expressions.evaluate(honor.charge_each))
        return HonorCode(
            honor.claim, self.stages[honor.during].index, self._hook("honor_claimers"),
            self._lapse_code("honor_lapse", honor.lapses), self._hook("honor_penalty") or _no_penalty, wrong, charge,
            "" if "in_turn" not in honor.laws else honor.laws["in_turn"].breach,
            {
                name: FaultCode(
                    self._lapse_code(f"lapse_of_{name}", lapses), self._hook(f"penalty_of_{name}"), self._hook(f"claimers_of_{name}")
                )
                for name, lapses, _, _ in self._fault_terms(honor)
            },
            {own.name: own.fault for own in honor.laws.values()},
        )  # fmt: skip

    def _place_labels(self) -> tuple[str, ...]:
        return tuple(label for name in self.model.zones for label in self._labels(name))

    def _labels(self, name: str) -> tuple[str, ...]:
        dims = [d if isinstance(d, str) else "number" for d in self.model.zones[name].dims]
        keys = self.layout.zones[name].keys
        return tuple(
            " ".join([name, *(_key_label(d, k, self.model) for d, k in zip(dims, key, strict=True))]) for key in keys
        )

    def _zone_code(self, name: str) -> ZoneCode:
        zone, family = self.model.zones[name], self.layout.zones[name]
        owners: list[int | None] = [
            k[0] if zone.dims and zone.dims[0] in ("player", "team") else None for k in family.keys
        ]
        dims = tuple(d if isinstance(d, str) else "number" for d in zone.dims)
        everyone = isinstance(zone.seen_by, t.Builtin) and zone.seen_by.name == "everyone"
        return ZoneCode(
            name, family.base, family.size, tuple(owners), self._labels(name), self.kept[name], self.names[f"seen_{name}"],  # type: ignore[arg-type]
            self.names[f"counted_{name}"], everyone, zone.faces_down, zone.shows_top, family.keys, dims,
        )  # fmt: skip

    def _variable_code(self, name: str) -> VariableCode:
        variable, family = self.model.variables[name], self.layout.variables[name]
        dims = tuple(d if isinstance(d, str) else "number" for d in variable.dims)
        low, high = self.expressions.text(variable.minimum), self.expressions.text(variable.maximum)
        return VariableCode(
            name, family.base, family.size, variable.type.kind, variable.type.symbols, dims, family.keys,
            int(low) if low.lstrip("-").isdigit() else -1_000_000, int(high) if high.lstrip("-").isdigit() else 1_000_000,
            self.names.get(f"eyes_{name}"), variable.type.optional,
        )  # fmt: skip

    def _refills(self) -> dict[int, tuple[int, Any, bool, str]]:
        found = {}
        for name, zone in self.model.zones.items():
            if zone.refill is not None:
                source = self.layout.zones[zone.refill.source].base
                for place in range(
                    self.layout.zones[name].base, self.layout.zones[name].base + self.layout.zones[name].size
                ):
                    found[place] = (source, self.names[f"keep_{name}"], zone.refill.shuffle, str(zone.refill.on))
        return found

    def _capacities(self) -> dict[int, Any]:
        found = {}
        for name, zone in self.model.zones.items():
            if zone.capacity is not None:
                family = self.layout.zones[name]
                for place in range(family.base, family.base + family.size):
                    found[place] = self.names[f"capacity_{name}"]
        return found

    def _by_player(self, name: str) -> Any:
        function = self.names.get(name)
        n = self.layout.n
        return None if function is None else lambda s: [function(s, p) for p in range(n)]

    def _scores_of(self, match: StageDef) -> Any:
        own = self._by_player("match_scores")
        if own is not None:
            return own
        n = self.layout.n
        variable = self.model.variables.get("score")
        if variable is None or variable.dims not in (("player",), ("team",)) or variable.type.kind != "integer":
            return lambda s: [0] * n
        base = self.layout.variables["score"].base
        if variable.dims == ("team",):
            return lambda s: [s.v[base + team] or 0 for team in s.teams]
        return lambda s: [x or 0 for x in s.v[base : base + n]]


# ---- what generated text calls besides the helpers ------------------------------------------------


def _out_of_bounds(name: str, value: int, low: int, high: int) -> None:
    raise RuleError(f"'{name}' would become {value}, but it goes from {low} to {high}")


def _someone(found: int | None, present: Any) -> Any:
    return present if found is None else found


def _seated(players: Any, s: Any) -> tuple[int, ...]:
    order = tuple(players)
    if sorted(order) != list(range(s.program.n)):
        raise RuleError("'reseat' must name everybody once")
    return order


def _subsets(cards: Any, low: int, high: int) -> list[tuple[int, ...]]:
    return [c for size in range(max(0, low), min(high, len(cards)) + 1) for c in combinations(sorted(cards), size)]


def _distinct(first: Any, cards: Any) -> list[int]:
    """One card of each face."""
    return sorted({first[c]: c for c in reversed(sorted(cards))}.values())


def _no_message(s: Any, p: int, law: int, *args: Any) -> str:
    return ""


def _no_penalty(s: Any, offender: int, claimer: int) -> None:
    return None


def _nobody(s: Any, owner: Any) -> int:
    return 0


def _key_label(dim: str, key: int, model: Model) -> str:
    match dim:
        case "player":
            return f"P{key + 1}"
        case "team":
            return f"T{key + 1}"
        case "suit":
            return model.suits[key].name
    return str(key)


def _is_everyone(node: Typed) -> bool:
    return isinstance(node, t.Builtin) and node.name == "everyone"


def _range(base: int, size: int) -> str:
    return str(base) if size == 1 else f"{base}:{base + size}"


def _kind(kind: t.Type) -> str:
    """A type as views tell values apart."""
    return f"{kind.kind} of {kind.item.kind}" if kind.item is not None else kind.kind


def _is_card_set(node: Typed) -> bool:
    return node.type.kind == "set" and node.type.item is not None and node.type.item.kind == "card"
