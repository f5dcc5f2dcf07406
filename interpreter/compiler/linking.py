"""From generated text to a program: the text is run, and its functions get their places."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from itertools import count
from operator import and_
from typing import Any

from interpreter.compiler import gate
from interpreter.compiler.constant import KNOWN_BEFORE, ONLY_IN_PLAY, Impossible
from interpreter.compiler.core import EVERYONE, Expr, Lit
from interpreter.compiler.layout import NotConstant
from interpreter.compiler.lower.expressions import Expressions
from interpreter.compiler.lower.facts import asks_machine
from interpreter.compiler.lower.stages import Lowering
from interpreter.compiler.lower.uses import THE_STATE
from interpreter.compiler.printed import Printed
from interpreter.compiler.taking_part import ASKED_OF_STACK
from interpreter.compiler.wording import is_ended
from interpreter.compiler.zoning import Zoning, is_everyone, nobody
from interpreter.engine.events import Passages
from interpreter.engine.legal import MOST_KEPT
from interpreter.engine.library import HELPERS
from interpreter.engine.machine import prepare
from interpreter.engine.primitives import primitives
from interpreter.engine.program import (
    ActionCode,
    ContestCode,
    FaultCode,
    HonorCode,
    Lapse,
    LawCode,
    ParamCode,
    Program,
    StageCode,
    TokenCode,
    VariableCode,
    ZoneCode,
)
from interpreter.language import typed as t
from interpreter.language.model import ActionDef, Breach, CardRow, HonorDef, LapseDef, ParamDef, StageDef
from interpreter.language.typed import Typed, walk

_numbers = count(1)


def requirements(expressions: Expressions) -> Iterator[tuple[str, Callable[[], bool]]]:
    """The requirements that ask more than options and players: name, and what tells whether it holds."""
    for rule in expressions.model.requirements:
        try:
            expressions.layout.constant(rule.law)
        except NotConstant:
            yield rule.name, partial(_holds, expressions, rule.law)


def _holds(expressions: Expressions, law: Typed) -> bool:
    """Whether a requirement holds. Raises Impossible."""
    if THE_STATE in expressions.uses(law):  # it asks the table, which is not there
        raise Impossible(ONLY_IN_PLAY, law.span, KNOWN_BEFORE)
    return bool(expressions.tables.value(law))


class Linker:
    """Runs the text of a game and collects its functions into a program."""

    def __init__(self, lowering: Lowering, printed: Printed) -> None:
        self.lowering = lowering
        self.printed = printed
        self.layout = lowering.layout
        self.model = lowering.model
        self.stages = lowering.stages
        self.kept = lowering.kept
        self.parts = lowering.parts
        self.everyone = lowering.everyone
        self.expressions = lowering.e
        self.faces = lowering.faces
        self.facts = lowering.actions.facts
        self.names: dict[str, Any] = {}
        self.stage_names = {stage.index: name for name, stage in self.stages.items()}
        self.actions = sum(len(stage.actions) + len(stage.anytime) for stage in self.stages.values())
        self.zoning = Zoning(self.model, self.layout, self.kept)
        places = (*self.zoning.place_labels(), "aside")
        self.passages = Passages(self.layout.cards, places)
        self.turned = {facing: Passages(self.layout.cards, places, f"face {facing}") for facing in ("up", "down")}
        self.filename = f"<houserules {self.model.id} #{next(_numbers)}>"

    def program(self) -> Program:
        text, out = self.printed.text, self.lowering.out
        linecache.cache[self.filename] = (len(text), None, text.splitlines(keepends=True), self.filename)
        self.names = {
            **self.expressions.tables.constants,
            **HELPERS,
            **primitives(self.zoning.place_labels(), self.passages),
            **dict.fromkeys(ASKED_OF_STACK),  # made from functions of the text, once these are there
        }
        gate.run(text, self.filename, self.names, out.functions, out.aliases, not self.model.shipped)
        self.names.update(self.parts.functions(self.names, self.everyone))
        stages = tuple(self._stage_code(s) for s in self.stages.values())
        called = {e.stage for e in walk([self.model.stages, self.model.honor]) if isinstance(e, t.Call)}
        for stage in stages:
            prepare(stage)
            stage.by_name = {name: a for a in stage.actions for name in (a.name, *a.also)}
            anytime = self._is_anytime(stage.name, called)
            stage.plain_play = self._plain_play(stage, anytime)
            stage.in_turn = self._plays_in_turn(stage)
            stage.within = (*stage.actions, *stage.anytime)
            offered_anytime = self._is_anytime(stage.name, called, lawful=True)
            around = self._is_anytime(stage.name, called, lawful=True, itself=False)
            stage.plain = self._is_plain(stage) and not around
            for action in stage.actions:
                action.plain = self._is_plainly_played(action, stage)
                spoken = action.says is not None or action.label is not None
                action.plainly_told = not (spoken or action.keeps_secrets or self.layout.multi)
            hooks = (stage.reset, stage.setup, stage.effect, stage.cleanup)
            stage.hooks = tuple(hook for hook in hooks if hook is not None)
            stage.at_once = self._is_at_once(self.stages[stage.name])
            stage.decide = self._hook(f"decide·{stage.name}") if stage.plain else None
            if stage.kind == "turn" and not stage.plain:
                stage.playout = None
            stage.only = (
                stage.actions[0]
                if len(stage.actions) == 1 and not offered_anytime and not stage.actions[0].talk
                else None
            )
        layout = self.layout
        zones = tuple(self.zoning.code(name, self.names) for name in self.model.zones)
        aside = ZoneCode(
            "aside",
            sum(z.size for z in zones),
            1,
            (None,),
            ("aside",),
            "mask",
            nobody,
            nobody,
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
                self.names[self.expressions.define_names[d.key]],
                self.names[f"eyes_define·{d.name}"],
                _kind(model.instances[d.key].body.type),
            )
            for d in model.shown
        )
        asked: dict[str, tuple[str, Callable[..., Any], str]] = {
            name: (each, self.names[self.expressions.define_names[key]], _kind(model.instances[key].body.type))
            for name, (key, each) in model.askable.items()
        }
        constants = self.expressions.tables.constants
        return Program(
            name=model.name,
            honor=layout.honor,
            n=layout.n,
            cards=tuple(layout.cards),
            first_copy=tuple(layout.first_copy),
            copies={c: m for c, m in constants["COPIES"].items() if c is not None and c >= 0},
            by_name=layout.by_name,
            ranks=model.ranks,
            suits=tuple(s.name for s in model.suits),
            card_rank=tuple(layout.card_rank),
            card_suit=tuple(layout.card_suit),
            teams=layout.teams,
            places=tuple(label for z in zones for label in z.labels),
            place_zone=tuple(i for i, z in enumerate(zones) for _ in range(z.size)),
            public=tuple(z.always_seen and not z.faces_down for z in zones for _ in range(z.size)),
            watched=tuple(self.zoning.watchers(z, o) for z in zones for o in z.owners),
            tops=tuple(z.shows_top for z in zones for _ in range(z.size)),
            passages=self.passages,
            turned=self.turned,
            between=self.zoning.between(zones, self.passages),
            zones=zones,
            pack_place=next(layout.zones[n].base for n, z in model.zones.items() if z.pack),
            aside=aside.base,
            variables={n: self._variable_code(n) for n in model.variables},
            initial=(None,) * layout.slots,
            turn_slots=tuple(
                slot
                for n, variable in model.variables.items()
                if variable.lasts == "turn"
                for slot in range(layout.variables[n].base, layout.variables[n].base + layout.variables[n].size)
            ),
            reset_turn=self.names.get("reset·turn"),
            reset_trick=self.names.get("reset·trick"),
            tokens={
                n: TokenCode(n if d.named is None else str(layout.before(d.named)), self.names[f"seen_piece·{n}"])
                for n, d in model.tokens.items()
            },
            stages=stages,
            by_stage={s.name: s.index for s in stages},
            honor_code=self._honor_code(),
            winners=self.names.get("match_winners"),
            scores=self._scores_of(match),
            places_of=self._places_of(match),
            shown=shown,
            asked=asked,
            reseats=model.reseats,
            left=tuple((p + 1) % layout.n for p in range(layout.n)),
            text=text,
            lines=self.printed.spans,
            filename=self.filename,
            multi=layout.multi,
            faces=self.faces,
            shows_tops=any(z.shows_top for z in model.zones.values()),
            hides_counts=any(not is_everyone(z.count_seen_by) for z in model.zones.values()),
            refills=self.zoning.refills(self.names),
            feeds=self.zoning.feeds(),
            capacities=self.zoning.capacities(self.names),
            requirements=tuple(requirements(self.expressions)),
            faults=tuple((str(fault), fault.span) for fault in self.expressions.faults),
        )

    def _plays_in_turn(self, stage: StageCode) -> bool:
        if stage.playout is None or self.facts.reverses or self.facts.skips or self.model.reseats:
            return False
        if self.parts.of(stage.name) not in (None, EVERYONE):  # who does not take part is passed over
            return False
        found = self.stages[stage.name]
        return not asks_machine(found.actions[0].effect + found.on_card)

    def _plain_play(self, stage: StageCode, anytime: bool) -> ActionCode | None:
        if stage.kind != "trick" or len(stage.actions) != 1 or anytime or self.layout.honor or self.layout.multi:
            return None
        action = stage.actions[0]
        spoken = action.says is not None or action.label is not None
        plain = action.shape == "card" and not (spoken or action.measured or action.keeps_secrets or action.told)
        return action if plain else None

    def _is_anytime(self, name: str, called: set[str], lawful: bool = False, itself: bool = True) -> bool:
        """Whether anything may be open at any time while a stage waits: in it, around it, or around a call of it.

        lawful: whether it may be among the lawful moves, which talk never is.
        """

        def counts(stage: StageDef) -> bool:
            return any(not (lawful and self._is_never_offered(action)) for action in stage.anytime)

        around: str | None = name
        while around is not None:
            stage = self.stages[around]
            if counts(stage) and (itself or around != name):
                return True
            if stage.closed:
                return False
            if around in called:
                return any(counts(s) for s in self.stages.values())
            around = self.parts.parents.get(around)
        return False

    def _is_never_offered(self, action: ActionDef) -> bool:
        """Whether an action is never among the lawful moves: it is talk, or cannot be, or a law is always broken."""
        conditions = [c for on, c in action.when if not on] + [law.law for law in action.laws if not law.on]
        return action.talk or any(isinstance(c, t.Const) and c.value is False for c in conditions)

    def _is_at_once(self, stage: StageDef) -> bool:
        """Whether a stage of effects needs no place on the stack; whose runs count as deals, does."""
        counted = any(s.kind == "repeat" and s.children[0] == stage.name for s in self.stages.values())
        around = stage.players or stage.first_dealer or stage.next_dealer or stage.anytime
        asks = asks_machine(stage.setup + stage.effect + stage.cleanup)
        return stage.kind == "effect" and not (counted or around or asks or self.layout.honor)

    def _is_plain(self, stage: StageCode) -> bool:
        waits = stage.kind in ("turn", "trick", "ask", "simultaneous", "race")
        names = {a.name for a in stage.within}
        offered = len(names) == len(stage.within) and not any(a.talk or a.joint for a in stage.within)
        return waits and offered and not self.layout.honor and all(map(self._is_as_named, stage.within))

    def _is_plainly_played(self, action: ActionCode, stage: StageCode) -> bool:
        turn = stage.kind in ("turn", "race", "ask") or (stage.kind == "trick" and action.is_play)
        apart = action.renamed or action.measured or action.told or action.shape == "cards"
        return turn and not (apart or self.layout.honor)

    def _is_as_named(self, action: ActionCode) -> bool:
        """Whether what the game offers are as many moves as players tell apart, and those that are played."""
        if not self.layout.multi or action.shape == "none":
            return True
        cards = [p for p in action.params if p.form == "cards"]
        single = not any(p.several or p.blind or p.placed for p in cards) and len(cards) <= 1
        return action.shape in ("args", "card") and single and not self._rows_choose_cards(action)

    def _rows_choose_cards(self, action: ActionCode) -> bool:
        found = self.stages[self.stage_names[action.stage]]
        rows = [row for a in (*found.actions, *found.anytime) if a.name == action.name for row in a.rows]
        return any(p.form == "cards" for row in rows for p in row.params)

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
            index=stage.index,
            name=name,
            kind=stage.kind,
            children=tuple(self.stages[c].index for c in stage.children),
            following=self._following(stage),
            span=stage.span,
            actions=tuple(self._action_code(i, a, stage) for i, a in enumerate(stage.actions)),
            anytime=tuple(self._action_code(i, a, stage) for i, a in enumerate(stage.anytime)),
            closed=stage.closed,
            has_turns=self._has_turns(stage),
            weight=self.expressions.bounds.weight(stage),
            answers=stage.answers,
            params=params,
            when=self._hook(f"when·{name}"),
            players=players,
            reset=self._hook(f"reset·{name}"),
            setup=self._hook(f"setup·{name}"),
            cleanup=self._hook(f"cleanup·{name}"),
            until=self._hook(f"until·{name}"),
            effect=self._hook(f"effect·{name}"),
            first=self._hook(f"first·{name}"),
            turns=self._hook(f"turns·{name}"),
            on_turn=self._hook(f"on_turn·{name}"),
            leader=self._hook(f"leader·{name}"),
            next_leader=self._hook(f"next_leader·{name}"),
            count=self._hook(f"count·{name}"),
            on_trick=self._hook(f"on_trick·{name}"),
            judge=self._hook(f"judge·{name}"),
            sources=sources,
            resolve=self._hook(f"resolve·{name}"),
            hands=self._hook(f"hands·{name}"),
            playout=self._hook(f"playout·{name}"),
            first_dealer=self._hook(f"first_dealer·{name}"),
            next_dealer=self._hook(f"next_dealer·{name}"),
            direction=stage.direction,
        )

    def _following(self, stage: StageDef) -> tuple[int, ...]:
        found = [len(stage.children)]
        for step in range(len(stage.children) - 1, -1, -1):
            found.append(step if self._can_run(self.stages[stage.children[step]]) else found[-1])
        return tuple(reversed(found))

    def _can_run(self, stage: StageDef) -> bool:
        """Whether options and enforcement have not settled that nothing happens in a stage."""
        if isinstance(stage.when, t.Const) and stage.when.value is False:
            return False
        return stage.kind != "claims" or self.layout.honor or bool(stage.setup or stage.cleanup)

    def _has_turns(self, stage: StageDef) -> bool:
        return stage.kind in ("turn", "trick") or any(self._has_turns(self.stages[c]) for c in stage.children)

    def _action_code(self, index: int, action: ActionDef, stage: StageDef) -> ActionCode:
        name = f"{stage.name}·{action.name}"
        shape = self.facts.shape(action)
        contest = None
        if action.contest is not None:
            over, wins = action.contest.over, action.contest.wins
            contest = ContestCode(
                [p.name for p in action.params].index(over) if over else None,
                None if wins is None else self.layout.settled(wins),
                self._hook(f"ties·{name}"),
            )
        row_params = None
        if any(row.params for row in action.rows):
            kinds = [
                tuple(self._param_code(p, f"{name}·{at}", action, [r.params[i:]]) for i, p in enumerate(r.params, 1))
                for at, r in enumerate(action.rows)
            ] + [()]
            number = self.names[f"row·{name}"]

            def row_params(s: Any, p: int, *args: Any) -> list[Any]:
                at = number(s, p, *args)
                return [] if at is None else list(kinds[at])

        return ActionCode(
            index=index,
            name=action.name,
            stage=stage.index,
            shape=shape,
            params=tuple(
                self._param_code(p, name, action, self._later(action, at)) for at, p in enumerate(action.params)
            ),
            possible=self.names[f"possible·{name}"],
            legal=self.names[f"legal·{name}"],
            any=self.names[f"any·{name}"],
            offers=None if self.layout.multi else self.names.get(f"offers·{name}"),
            broken=self.names[f"broken·{name}"],
            apply=self.names[f"apply·{name}"],
            message=self.names.get(f"message·{name}", _no_message),
            says=self.names.get(f"says·{name}"),
            label=self.names.get(f"label·{name}"),
            laws=tuple(self._law_codes(action, name)),
            measured=tuple((m, self.names[f"measure·{m}·{name}"]) for m, _, _ in action.measured),
            contest=contest,
            hands=action.hands,
            anytime=action.anytime,
            also=action.also,
            talk=action.talk,
            is_play=action.is_play,
            joint=self.facts.is_joint(action),
            has_row=bool(action.rows),
            row_params=row_params,
            renamed=shape == "args" and self._is_renamed(action),
            placed=any(self.facts.placed(p) for _, p, _ in self.facts.params(action)),
            steady=self._is_steady(action),
            alike=self.facts.is_alike(action),
            told=self._told(action),
            keeps_secrets=any(
                p.seen_by is not None or self.facts.laid(p, action) for _, p, _ in self.facts.params(action)
            ),
            passes_on=self.facts.passes_on(action),
            span=action.span,
            most=self.expressions.bounds.limit(action),
            keeps=max(100, MOST_KEPT // max(1, self.actions)),
            each=self.expressions.bounds.light_move(action),
            speaking=self.expressions.bounds.speaking(action),
            ways_to_say=self.expressions.bounds.ways_to_say(action),
        )

    def _told(self, action: ActionDef) -> Callable[[Any, int], int] | None:
        """Who is told of a move: where it takes pieces that not all see, those who see its player's."""
        taken = {e.token for e in walk([action.effect, [row.effect for row in action.rows]]) if isinstance(e, t.Piece)}
        hidden = [n for n, token in self.model.tokens.items() if n in taken and not is_everyone(token.seen_by)]
        eyes = [self.names[f"seen_piece·{name}"] for name in hidden]
        return (lambda s, p: reduce(and_, [seen(s, p) for seen in eyes])) if eyes else None

    def _later(self, action: ActionDef, at: int) -> list[tuple[ParamDef, ...]]:
        """The parameters that may follow one of an action: its own, then those of any row."""
        own = action.params[at + 1 :]
        return [own, *((*own, *row.params) for row in action.rows)]

    def _param_code(
        self, param: ParamDef, where: str, action: ActionDef, later: Sequence[Sequence[ParamDef]]
    ) -> ParamCode:
        return ParamCode(
            param.name,
            param.form,
            self.facts.symbols(param),
            param.type.zone,
            param.count is not None,
            param.optional,
            self.facts.blind(param),
            self._hook(f"else·{where}·{param.name}"),
            self.facts.laid(param, action),
            self._hook(f"told·{where}·{param.name}"),
            self.facts.placed(param),
            any(is_ended(self.layout, param, following) for following in later),
            any(later) or param.form == "text",
        )

    def _is_renamed(self, action: ActionDef) -> bool:
        """Whether players call arguments otherwise than the game does."""
        params = [p for _, p, _ in self.facts.params(action)]
        unsaid = self.layout.honor and any(p.said and p.otherwise is not None for p in params)
        return unsaid or any(self.facts.blind(p) or (self.layout.multi and p.form == "cards") for p in params)

    def _is_steady(self, action: ActionDef) -> bool:
        known = {p.name for p in action.params}
        moving = action.row is not None and self.expressions.uses(action.row) - known
        params = [p for _, p, _ in self.facts.params(action)]
        return not moving and not any(self.facts.blind(p) or self.facts.placed(p) for p in params)

    def _law_codes(self, action: ActionDef, name: str) -> list[LawCode]:
        differs = {} if self.model.honor is None else self.model.honor.laws
        found = []
        for at, law in enumerate(action.laws):
            own = differs.get(law.name)
            fault = law.fault if own is None else own.fault
            breach: Breach = self.layout.settled(law.breach if own is None else own.breach or law.breach)
            says_fault = law.says_fault or own is not None
            hook = self._hook(f"breach·{at}·{name}")
            unseen = {p.name for _, p, _ in self.facts.params(action) if self.facts.blind(p)}
            names_unseen = law.message is not None and bool(unseen & self.expressions.uses(law.message))
            found.append(LawCode(law.name, fault, law.on, breach, hook, says_fault, names_unseen, law.span))
        return found

    def _lapse_code(self, name: str, lapse: LapseDef | None) -> Lapse | None:
        found = self._hook(name)
        return None if lapse is None or found is None else (found, lapse.how, lapse.of, self._hook(f"{name}·pauses"))

    def _honor_code(self) -> HonorCode | None:
        honor = self.model.honor
        if honor is None or not self.layout.honor:
            return None
        settled = self.layout.settled
        wrong: Any = "fault" if settled(honor.wrong_claim) == "fault" else self._hook("honor_wrong") or "nothing"
        charge = honor.charge_each is not None and bool(self.layout.before(honor.charge_each))
        return HonorCode(
            honor.claim,
            self.stages[honor.during].index,
            self._hook("honor_claimers"),
            self._lapse_code("honor_lapse", settled(honor.lapses)),
            self._hook("honor_penalty") or _no_penalty,
            wrong,
            charge,
            "" if "in_turn" not in honor.laws else settled(honor.laws["in_turn"].breach) or "",
            {
                name: FaultCode(
                    self._lapse_code(f"fault_lapse·{at}", lapses),
                    self._hook(f"fault_penalty·{at}"),
                    self._hook(f"fault_claimers·{at}"),
                )
                for at, (name, lapses, _, _) in enumerate(self.lowering.honor.terms(honor))
            },
            {own.name: own.fault for own in honor.laws.values()},
            self._claimable(honor),
        )

    def _claimable(self, honor: HonorDef) -> tuple[str, ...]:
        """What faults can be called: laws, what is announced or must be said, what the rules find fault with."""
        names = {own.name: own.fault for own in honor.laws.values()}
        found = [names.get("in_turn", "in_turn")]
        for stage in self.stages.values():
            for action in (*stage.actions, *stage.anytime):
                found += [names.get(law.name, law.fault) for law in action.laws]
                parts: tuple[ActionDef | CardRow, ...] = (action, *action.rows)
                for part in parts:
                    spoken = [said.name for said in part.says]
                    spoken += [param.name for param in part.params if param.said and param.otherwise is not None]
                    found += [names.get(name, name) for name in spoken]
        found += [e.law for e in walk([self.model.stages, honor]) if isinstance(e, t.NoteFault)]
        found += [f"wrong_{honor.claim}"] if self.layout.settled(honor.wrong_claim) == "fault" else []
        return tuple(dict.fromkeys(found))

    def _variable_code(self, name: str) -> VariableCode:
        variable, family = self.model.variables[name], self.layout.variables[name]
        dims = tuple(d if isinstance(d, str) else "number" for d in variable.dims)
        low, high = self.expressions.of(variable.minimum), self.expressions.of(variable.maximum)
        return VariableCode(
            name,
            family.base,
            family.size,
            variable.type.kind,
            variable.type.symbols,
            dims,
            family.keys,
            _number(low, -1_000_000),
            _number(high, 1_000_000),
            self.names.get(f"eyes·{name}"),
            variable.type.optional,
        )

    def _by_player(self, name: str) -> Any:
        function = self.names.get(name)
        n = self.layout.n
        return None if function is None else lambda s: [function(s, p) for p in range(n)]

    def _places_of(self, match: StageDef) -> Any:
        """What places go by: the ruleset's `places`, else the number by which the winners are found."""
        own = self._by_player("match_places")
        winners = match.winners
        if own is not None or not isinstance(winners, t.Op) or winners.op not in ("lowest", "highest"):
            return own
        base, sign = self.layout.variables[winners.name].base, 1 if winners.op == "lowest" else -1
        by_team = self.model.variables[winners.name].dims == ("team",)
        n = self.layout.n
        return lambda s: [sign * s.v[base + (s.teams[p] if by_team else p)] for p in range(n)]

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


def _number(bound: Expr, otherwise: int) -> int:
    return bound.value if isinstance(bound, Lit) and type(bound.value) is int else otherwise


def _no_message(s: Any, p: int, law: int, *args: Any) -> str:
    return ""


def _no_penalty(s: Any, offender: int, claimer: int) -> None:
    return None


def _kind(kind: t.Type) -> str:
    """A type as views tell values apart."""
    return f"{kind.kind} of {kind.item.kind}" if kind.item is not None else kind.kind
