"""Actions as Python text: what can be chosen, what the laws allow, what happens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import takewhile

from interpreter.base.diagnostics import Span
from interpreter.compiler.effects import EffectCompiler
from interpreter.compiler.expressions import ExpressionCompiler
from interpreter.compiler.hoisting import Hoisted
from interpreter.compiler.made import remark
from interpreter.compiler.operations import ACTOR
from interpreter.compiler.patterns import Rows, mask_of
from interpreter.compiler.snippets import both, combine, is_simple
from interpreter.compiler.wording import words_of
from interpreter.compiler.writer import CodeWriter
from interpreter.language import typed as t
from interpreter.language.check.hiding import is_blind, is_public, is_spread
from interpreter.language.model import ActionDef, CardRow, LawDef, ParamDef, SayDef, StageDef
from interpreter.language.typed import Effect, Typed, walk


@dataclass(frozen=True, slots=True)
class Printed:
    """What the assembly must know of a printed action."""

    shape: str
    joint: bool


class ActionCompiler:
    """Prints the actions of one game."""

    def __init__(self, expressions: ExpressionCompiler, effects: EffectCompiler, out: CodeWriter) -> None:
        self.expressions = expressions
        self.effects = effects
        self.out = out
        self.plays, self.laid_so_far = "s.plays", ""
        """Names for the cards of the trick, and for how many they are where that is counted."""
        self.whole = ""
        """What the cards in `m` are as long as none has been left out."""
        self.counted = ""
        """What ends a count of the ways that are tried: the most, the action and its place; "" without a count."""
        self.hoisted = Hoisted(expressions, (), set())
        """What the loops that are being printed know beforehand."""
        whole = list(walk([expressions.model.stages, expressions.model.honor]))
        self.skips = any(isinstance(e, t.ToPlayer) and e.verb == "skip" for e in whole)
        self.reverses = any(s.direction != "left" for s in expressions.model.stages.values()) or any(
            (isinstance(e, t.Turn) and e.verb == "reverse")
            or (isinstance(e, t.Assign) and isinstance(e.target, t.Builtin) and e.target.name == "direction")
            for e in whole
        )

    def action(self, action: ActionDef, stage: StageDef) -> Printed:
        """Print possible_, legal_, any_, broken_, message_, says_, label_, rows_ and apply_ of an action."""
        name = f"{stage.name}·{action.name}"
        args = "".join(f", x·{p.name}" for p in action.params)
        shape = self._shape(action)
        self.out.blank()
        self.out.comment(action.span)
        if shape == "card":
            self._card_sets(action, name)
        elif shape == "none":
            self._plain(action, name)
        elif shape == "cards":
            self._several(action, name)
        else:
            self._lists(action, name)
        if shape != "args" or action.rows:
            self.out.alias(f"any·{name}", f"legal·{name}")
        extra = self._row_args(action)
        self._broken(action, name, args + extra)
        if any(law.message for law in action.laws):
            self._messages(action, name, args + extra)
        if action.says or any(r.says for r in action.rows):
            self._says(action, name, args, extra)
        if action.labels:
            self._labels(action, name, args + extra)
        self._apply(action, stage, name, args)
        self._param_functions(action)
        self._laws(action, name, args + extra)
        joint = shape == "cards" and any(self._needs(law.law, action) for law in action.laws)
        return Printed(shape, joint)

    # ---- shapes ---------------------------------------------------------------------------------

    def _shape(self, action: ActionDef) -> str:
        if action.row is not None:
            return "args"
        if not action.params:
            return "none"
        first = action.params[0]
        plain = not (first.optional or self.blind(first) or self.placed(first))
        if len(action.params) == 1 and first.form == "cards" and plain:
            return "card" if first.count is None else "cards"
        return "args"

    def blind(self, param: ParamDef) -> bool:
        return is_blind(param, self.expressions.model.zones, self.expressions.model.instances)

    def placed(self, param: ParamDef) -> bool:
        """Whether cards are called by the place where they lie too: in different places they may be called alike."""
        spread = param.form == "cards" and is_spread(param.domain, self.expressions.model.instances)
        return spread and (self.expressions.layout.multi or self.blind(param))

    def laid(self, param: ParamDef, action: ActionDef) -> bool:
        """Whether the cards of a parameter may stay unseen by others: they come from where not all see them,
        and the effect does not simply lay them where all do."""
        zones = self.expressions.model.zones
        sources = [ref.name for ref in walk(param.domain) if isinstance(ref, t.ZoneRef) and ref.name in zones]
        if param.form != "cards" or all(is_public(zones[name]) for name in sources):
            return False
        stage = self.expressions.model.stages[action.stage]
        if action.is_play and is_public(zones[stage.trick_zone]):
            return False
        return not self._lays_openly(action.effect, frozenset({param.name}), param.count is None)

    def _lays_openly(self, effects: Iterable[Effect], names: frozenset[str], single: bool) -> bool:
        """Whether effects lay what these names stand for where all see it, whatever happens."""
        for effect in effects:
            match effect:
                case t.IfEffect(_, then, otherwise):
                    openly = all(self._lays_openly(branch, names, single) for branch in (then, otherwise))
                case t.RunEffect(_, bound, body):
                    own = {o for o, value in bound if isinstance(value, t.Local) and value.name in names}
                    openly = self._lays_openly(body, names.difference(o for o, _ in bound) | own, single)
                case t.Move(what=t.Local(name)) if name in names and effect.facing != "down":
                    zone = self.expressions.model.zones[effect.target.name]
                    openly = is_public(zone) and (not zone.shows_top or (single and not effect.beneath))
                case _:
                    openly = False
            if openly:
                return True
        return False

    def passes_on(self, action: ActionDef) -> bool:
        """Whether all that an action does is to move the one card that is chosen, as it lies."""
        match action.effect, action.params, action.rows:
            case (t.Move(t.Local(card), _, _, _, _, None),), (ParamDef() as param,), () if not action.is_play:
                plain = not (param.seen_by or param.count or param.optional or self.blind(param))
                return card == param.name and plain
        return False

    def symbols(self, param: ParamDef) -> tuple[str, ...]:
        return words_of(self.expressions.layout, param) if param.form == "choice" else param.type.symbols

    def params(self, action: ActionDef) -> Iterator[tuple[str, ParamDef, tuple[ParamDef, ...]]]:
        """The parameters of an action and of its rows: (where its functions belong, parameter, those before it)."""
        name = f"{action.stage}·{action.name}"
        for at, param in enumerate(action.params):
            yield name, param, action.params[:at]
        for number, row in enumerate(action.rows):
            for at, param in enumerate(row.params):
                yield f"{name}·{number}", param, (*action.params, *row.params[:at])

    def _param_functions(self, action: ActionDef) -> None:
        """else_: what holds if a parameter is not said (on honour). told_: who learns what was chosen."""
        for name, param, before in self.params(action):
            if param.said and param.otherwise is not None and self.expressions.layout.honor:
                args = "".join(f", x·{p.name}" for p in before)
                with self._function("else", f"{name}·{param.name}", args, span=param.span):
                    self._open()
                    self.out.line(f"return {self.expressions.text(param.otherwise)}", param.otherwise.span)
            if param.seen_by is not None:
                with self._function("told", f"{name}·{param.name}", span=param.span):
                    self._open()
                    self.out.line(f"return mask_of({self.expressions.group(param.seen_by)})", param.seen_by.span)

    def _needs(self, node: Typed, action: ActionDef) -> bool:
        return any(p.name in self.expressions.uses(node) for p in action.params)

    def is_alike(self, action: ActionDef) -> bool:
        """Whether what is offered is the same for all."""
        asked = [c for _, c in action.when] + [law.law for law in action.laws]
        parts = [part for p in action.params for part in (p.domain, p.where, *(p.bounds or ()), *(p.count or ()))]
        return not action.rows and not any(part and ACTOR in self.expressions.uses(part) for part in [*asked, *parts])

    def _row_args(self, action: ActionDef) -> str:
        return ", *row" if action.rows else ""

    def _function(self, kind: str, name: str, args: str = "", span: Span | None = None) -> AbstractContextManager[None]:
        """A function of an action: of the state, who acts, and more."""
        return self.out.function(f"{kind}·{name}", f"s, p{args}", span)

    def _open(self) -> None:
        self.out.line("z = s.z; v = s.v")

    def _when(self, action: ActionDef, result: str) -> None:
        """Leave early where `when` fails without looking at what is chosen."""
        for on, condition in action.when:
            if self._needs(condition, action):
                continue
            test = self.expressions.text(condition)
            if test == "True":
                continue
            if test == "False" and not on:
                self.out.line(f"return {result}")
                return
            side = {"lead": "not s.plays and ", "follow": "s.plays and "}.get(on, "")
            with self.out.block(f"if {side}not {test}:", condition.span):
                self.out.line(f"return {result}")

    # ---- one card: bits ---------------------------------------------------------------------------

    def _card_sets(self, action: ActionDef, name: str) -> None:
        param = action.params[0]
        with self._function("possible", name):
            self._begin_judging(action)
            self._when(action, "0")
            self.possible_cards(action, param)
            self.out.line("return m")
        with self._function("legal", name):
            self._begin_judging(action)
            self._when(action, "0")
            self.possible_cards(action, param)
            self.filter_laws(action.laws, param.name)
            self.out.line("return m")

    def possible_cards(self, action: ActionDef, param: ParamDef) -> None:
        assert param.domain is not None
        self.whole = self.expressions.as_mask(self.expressions.cards(param.domain))
        self.out.line(f"m = {self.whole}", param.span)
        if param.where is not None:
            self._filter("m", param.where, param.name)
        for on, condition in action.when:
            if self._needs(condition, action):
                self._on(on, condition, param.name)

    def filter_laws(self, laws: Iterable[LawDef], variable: str) -> None:
        groups: dict[str, list[LawDef]] = {}
        for law in laws:
            groups.setdefault(law.on, []).append(law)
        for law in groups.get("", []):
            self._filter("m", law.law, variable)
        follow, lead = groups.get("follow", []), groups.get("lead", [])
        if follow or lead:
            with self.out.block(f"if {self.plays}:"), self._led():
                for law in follow:
                    self._filter("m", law.law, variable)
            if lead:
                with self.out.block("else:"):
                    for law in lead:
                        self._filter("m", law.law, variable)

    @contextmanager
    def _led(self) -> Iterator[None]:
        self.expressions.has_led = True
        yield
        self.expressions.has_led = False

    def _on(self, on: str, condition: Typed, variable: str) -> None:
        if not on:
            self._filter("m", condition, variable)
            return
        with self.out.block("if s.plays:" if on == "follow" else "if not s.plays:"):
            self._filter("m", condition, variable)

    def _begin_judging(self, action: ActionDef) -> None:
        """How a function begins that finds moves: it counts what is not counted within, where that can be much."""
        bounds = self.expressions.bounds
        bounds.forget()
        bounds.bind(action.params)
        if self.is_charged(action):
            self.out.line(f"charge(s, {bounds.light_offer(action)})", action.span)
        self._open()

    def is_charged(self, action: ActionDef) -> bool:
        """Whether the functions that find its moves count what is not counted within."""
        return self.expressions.bounds.light_offer(action) > self.expressions.bounds.least_charged

    def _filter(self, bits: str, condition: Typed, variable: str) -> None:
        """Keep the cards for which a condition holds: at once as bits, or asked card by card."""
        found = self.expressions.condition_bits(condition, variable)
        if found == "PACK":
            return
        whole, self.whole = self.whole, ""
        if found is not None:
            self._filter_bits(bits, condition, variable, found, whole)
            return
        test, bounds = self.expressions.text(condition), self.expressions.bounds
        steps = len(self.expressions.layout.cards) * bounds.steps(condition)
        members = self.expressions.counted(f"bits({bits})", steps, (condition,))
        self.out.line(f"{bits} = mask_of([x·{variable} for x·{variable} in {members} if {test}])", condition.span)

    def _filter_bits(self, bits: str, condition: Typed, variable: str, found: str, whole: str) -> None:
        """`A or B` where A asks nothing of the card: B is looked at only if A fails; nor if A is that no card is B."""
        if isinstance(condition, t.Op) and condition.op == "or":
            free = [a for a in condition.args if variable not in self.expressions.uses(a)]
            bound = [a for a in condition.args if variable in self.expressions.uses(a)]
            if free and bound:
                tests = [x for x in (self.expressions.text(a) for a in free) if x != "False"]
                parts = [self.expressions.condition_bits(a, variable) or "0" for a in bound]
                inner = parts[0] if len(parts) == 1 else f"({' | '.join(parts)})"
                if tests == [f"(not {both(whole, inner)})"]:
                    with self.out.block(f"if {bits} & {inner}:", condition.span):
                        self.out.line(f"{bits} &= {inner}", condition.span)
                    return
                if tests:
                    with self.out.block(f"if not ({' or '.join(tests)}):", condition.span):
                        self.out.line(f"{bits} &= {inner}", condition.span)
                    return
        self.out.line(f"{bits} = {both(bits, found)}", condition.span)

    # ---- nothing, or several cards ------------------------------------------------------------------

    def _plain(self, action: ActionDef, name: str) -> None:
        with self._function("possible", name):
            self._begin_judging(action)
            self._when(action, "False")
            self.out.line("return True")
        if not self._asks_law(action):
            self.out.alias(f"legal·{name}", f"possible·{name}")
            return
        with self._function("legal", name):
            self._begin_judging(action)
            self._when(action, "False")
            for law in action.laws:
                test = self.expressions.text(law.law)
                side = {"lead": "not s.plays and ", "follow": "s.plays and "}.get(law.on, "")
                if test != "True":
                    with self.out.block(f"if {side}not {test}:", law.span):
                        self.out.line("return False")
            self.out.line("return True")

    def _asks_law(self, action: ActionDef) -> bool:
        """Whether there is a law that options have not settled."""
        return any(self.expressions.text(law.law) != "True" for law in action.laws)

    def _several(self, action: ActionDef, name: str) -> None:
        param = action.params[0]
        assert param.domain is not None and param.count is not None
        low, high = (self.expressions.number(c) for c in param.count)
        with self._function("possible", name):
            self._begin_judging(action)
            self._when(action, "(0, 1, 0)")
            self.whole = self.expressions.as_mask(self.expressions.cards(param.domain))
            self.out.line(f"m = {self.whole}", param.span)
            if param.where is not None:
                self._filter("m", param.where, "card")
            self.out.line(f"return m, {low}, {high}")
        if not self._asks_law(action):
            self.out.alias(f"legal·{name}", f"possible·{name}")
            return
        with self._function("legal", name):
            self._open()
            for law in action.laws:
                if not self._needs(law.law, action):
                    with self.out.block(f"if not {self.expressions.text(law.law)}:", law.span):
                        self.out.line("return 0, 1, 0")
            self.out.line(f"return possible·{name}(s, p)")

    # ---- everything else: lists of arguments ----------------------------------------------------------

    def _lists(self, action: ActionDef, name: str) -> None:
        first = "" if action.rows else ", first=False"
        with self._function("possible", name, first):
            self._list(action, name, ())
        if not action.rows:
            self._any(action, name)
        if not self._asks_law(action):
            self.out.alias(f"legal·{name}", f"possible·{name}")
        elif any(law.on for law in action.laws) or self.ask_rows(action):
            with self._function("legal", name, first):
                self.out.line(f"return [a for a in possible·{name}(s, p) if not broken·{name}(s, p, *a)]")
        else:
            with self._function("legal", name, first):
                self._list(action, name, action.laws)
        if action.rows:
            self._rows(action, name)

    def ask_rows(self, action: ActionDef) -> bool:
        """Whether a law looks at what the row of the card adds."""
        added = {p.name for row in action.rows for p in row.params}
        return any(added & self.expressions.uses(law.law) for law in action.laws)

    def _any(self, action: ActionDef, name: str) -> None:
        """any_: whether there is a lawful move; offers_: whether this is one, or a possible one. Neither lists all."""
        with self._function("any", name):
            self.out.line(f"return legal·{name}(s, p, True)")
        if action.row is not None or any(p.count is not None or p.form == "text" for p in action.params):
            return
        args = "".join(f", x·{p.name}" for p in action.params)
        with self._function("offers", name, f", lawful{args}"):
            self._open()
            self._when(action, "False")
            for param in action.params:
                with self.out.block(f"if x·{param.name} not in {self.domain(param)}:", param.span):
                    self.out.line("return False")
                where = self._fails(param)
                if where:
                    with self.out.block(f"if {where}:", param.span):
                        self.out.line("return False")
            for _, condition in action.when:
                if self._needs(condition, action):
                    with self.out.block(f"if not {self.expressions.text(condition)}:", condition.span):
                        self.out.line("return False")
            self.out.line(f"return not (lawful and broken·{name}(s, p{args}))")

    def _fails(self, param: ParamDef) -> str:
        """The condition that rules a value of a parameter out; "" if there is none."""
        if param.where is None or param.count is not None:
            return ""
        where = self.hoisted.within(self.expressions.text(param.where))
        return f"x·{param.name} is not None and not {where}" if param.optional else f"not {where}"

    def _list(self, action: ActionDef, name: str, laws: tuple[LawDef, ...]) -> None:
        """The body of a function that lists all arguments which laws allow."""
        params = action.params
        self._begin_judging(action)
        self.out.line("found = []")
        self._when(action, "found")
        if action.row is not None and not params and action.row.type.optional:
            with self.out.block(f"if {self.expressions.text(action.row)} is None:"):
                self.out.line("return found")
        late = [c for _, c in action.when if self._needs(c, action)]
        for law in laws:
            if self._needs(law.law, action):
                late.append(law.law)
            elif (test := self.expressions.text(law.law)) != "True":
                with self.out.block(f"if not {test}:", law.span):
                    self.out.line("return found")
        self._begin_count(action, params)
        inside = {p.name for p in params}
        self.hoisted = Hoisted(self.expressions, [*(p.where for p in params), *late], inside)
        for line in self.hoisted.lines:
            self.out.line(line, action.span)
        inner = "".join(f"x·{p.name}, " for p in params).strip()
        self._nest(action, name, list(params), f"({inner})", late)
        self.hoisted = Hoisted(self.expressions, (), set())
        if listing := self.expressions.bounds.listing(action):
            self.out.line(f"charge(s, {listing} * len(found))", action.span)
        self.out.line("return found")

    def _nest(self, action: ActionDef, name: str, params: list[ParamDef], args: str, late: list[Typed]) -> None:
        if not params:
            self._test(late)
            self._found(action, name, args)
            return
        param, *rest = params
        later = {p.name for p in rest}
        early = [] if self.counted else list(takewhile(lambda c: not later & self.expressions.uses(c), late))
        fitting = self._fitting(param, early)
        if fitting:
            early, late = [], late[len(early) :]
        with self._each(param, fitting, self._per_value(action)):
            if rest:  # in their order, as soon as all they look at is known
                self._test(early)
                late = late[len(early) :]
            self._nest(action, name, rest, args, late)

    def _fitting(self, param: ParamDef, conditions: list[Typed]) -> str:
        """A name for the cards for which conditions hold, worked out at once; "" where they are asked one by one."""
        if not conditions or param.form != "cards" or param.count is not None or param.optional or self.blind(param):
            return ""
        found = [self.expressions.condition_bits(c, param.name) for c in conditions]
        if any(bits is None for bits in found):
            return ""
        name = self.out.fresh("fitting")
        text = combine([bits for bits in found if bits is not None], "and")
        self.out.line(f"{name} = {text}", conditions[0].span)
        return name

    def _test(self, conditions: list[Typed]) -> None:
        """Go on to the next value where a condition fails; each names an argument, so this is inside a loop."""
        for condition in conditions:
            test = self.hoisted.within(self.expressions.text(condition))
            if test != "True":
                with self.out.block(f"if not {test}:", condition.span):
                    self.out.line("continue")

    def _per_value(self, action: ActionDef) -> int:
        """What is counted for each value of a parameter: what it takes at most to judge a move; 0 if that is little."""
        bounds = self.expressions.bounds
        return bounds.light_move(action) if bounds.is_heavy(bounds.offer(action)) else 0

    def _each(self, param: ParamDef, fitting: str = "", steps: int = 0) -> AbstractContextManager[None]:
        """A loop through the values of a parameter. fitting: the cards among which it can be, where that is known.

        steps: what is counted for each of them, if anything is.
        """
        domain = self._card_domain(param, fitting) if fitting else self.domain(param)
        if self.counted:
            values = self.out.fresh("values")
            self.out.line(f"{values} = {domain}", param.span)
            self.out.line(f"tried = counted(tried, {values}, {self.counted})", param.span)
            domain = values
        return self._through(param, f"each_of(s, {domain}, {steps})" if steps else domain)

    @contextmanager
    def _through(self, param: ParamDef, domain: str) -> Iterator[None]:
        with self.out.block(f"for x·{param.name} in {domain}:", param.span):
            where = self._fails(param)
            if where:
                with self.out.block(f"if {where}:", param.span):
                    self.out.line("continue")
            yield

    def _begin_count(self, action: ActionDef, params: tuple[ParamDef, ...]) -> None:
        """Count what is tried where only the match can tell how much that is; elsewhere it is never too much."""
        self.counted = ""
        bounds = self.expressions.bounds
        rows = max((bounds.most_ways(row.params) for row in action.rows), default=1)
        if bounds.most_ways(params) * rows > bounds.limit(action):
            self.counted = self.expressions.limit(action)
            self.out.line("tried = 0")

    def _found(self, action: ActionDef, name: str, args: str) -> None:
        if not action.rows:
            self.out.line(f"found.append({args})")
            if not self.counted:
                with self.out.block("if first:"):
                    self.out.line("return found")
            return
        given = "".join(f", x·{p.name}" for p in action.params)
        rows = f"rows·{name}(s, p{given})"
        card = "" if action.row is None else self.expressions.text(action.row)
        if (
            action.row is not None
            and is_simple(card)
            and not self.expressions.may_miss(action.row)
            and not self.counted
        ):
            adds = tuple(n < len(action.rows) and bool(action.rows[n].params) for n in self.row_table(action))
            with self.out.block(f"if not {self.expressions.table(adds)}[{card}]:"):
                self.out.line(f"found.append({args})")
            with self.out.block("else:"):
                self._found_rows(args, rows)
            return
        if self.counted:
            self.out.line(f"rows = {rows}")
            self.out.line(f"tried = counted(tried, rows, {self.counted})")
            rows = "rows"
        self._found_rows(args, rows)

    def _found_rows(self, args: str, rows: str) -> None:
        with self.out.block(f"for row in {rows}:"):
            self.out.line(f"found.append({args} + row)" if args != "()" else "found.append(row)")

    def domain(self, param: ParamDef) -> str:
        """The values a parameter can take, as something to go through."""
        expressions = self.expressions
        match param.form:
            case "cards":
                found = self._card_domain(param)
            case "number":
                assert param.bounds is not None
                low, high = (expressions.number(b) for b in param.bounds)
                found = f"range({low}, {high} + 1)"
            case "flag":
                found = "(False, True)"
            case "choice":
                found = ascii(self.symbols(param))
            case "text":
                found = "('...',)"
            case _:
                assert param.domain is not None
                found = expressions.group(param.domain)
        return f"(*{found}, None)" if param.optional else found

    def _card_domain(self, param: ParamDef, fitting: str = "") -> str:
        expressions = self.expressions
        assert param.domain is not None
        kind, text = expressions.cards(param.domain)
        if fitting:
            text = f"{text} & {fitting}" if kind == "mask" else f"[c for c in {text} if {fitting} >> c & 1]"
        if param.count is not None:
            low, high = (expressions.number(c) for c in param.count)
            cards = expressions.as_list((kind, text))
            if param.where is not None:
                cards = f"[x·card for x·card in {cards} if {expressions.text(param.where)}]"
            blind = ""
            if self.blind(param):  # their order must not tell what they are
                cards, blind = f"as_they_lie(s, {cards})", ", True"
            if self.counted:
                return f"few_subsets({cards}, {low}, {high}, tried, {self.counted}{blind})"
            return f"subsets({cards}, {low}, {high}{blind})"
        if self.blind(param) and not isinstance(param.domain, t.ZoneRef):
            return f"as_they_lie(s, {expressions.as_list((kind, text))})"
        if expressions.layout.multi and not (self.placed(param) or self.blind(param)):
            return f"distinct(FIRST, {expressions.as_list((kind, text))})"
        return expressions.as_list((kind, text))

    # ---- rows of `cards` --------------------------------------------------------------------------

    def row_table(self, action: ActionDef) -> tuple[int, ...]:
        """Card -> the row that speaks for it; the number of rows where none does."""
        rows = Rows([r.pattern for r in action.rows], self.expressions.model.ranks)
        found = (rows.best(self.expressions.describe(c)) for c in range(len(self.expressions.layout.cards)))
        return tuple(len(action.rows) if at is None else at for at in found)

    def _row_number(self, action: ActionDef) -> str:
        assert action.row is not None
        table, text = self.expressions.table(self.row_table(action)), self.expressions.text(action.row)
        missing = action.row.type.optional or self.expressions.may_miss(action.row)
        return f"of_card({table}, {text})" if missing else f"{table}[{text}]"

    def _rows(self, action: ActionDef, name: str) -> None:
        """rows_: the arguments that the row of the card adds; row_: which row that is, none where there is no card."""
        args = "".join(f", x·{p.name}" for p in action.params)
        with self._function("row", name, args):
            self._open()
            self.out.line(f"return {self._row_number(action)}")
        with self._function("rows", name, args):
            self._open()
            self.out.line("found = []")
            self.out.line(f"number = {self._row_number(action)}")
            for at, row in enumerate(action.rows):
                if not row.params:
                    continue
                with self.out.block(f"if number == {at}:", row.span):
                    self._begin_count(action, row.params)
                    inner = "".join(f"x·{p.name}, " for p in row.params).strip()
                    self._nest_row(list(row.params), f"({inner})", self._per_value(action))
                    self.out.line("return found")
            self.out.line("return [()]")

    def _nest_row(self, params: list[ParamDef], args: str, steps: int) -> None:
        if not params:
            self.out.line(f"found.append({args})")
            return
        param, *rest = params
        with self._each(param, "", steps):
            self._nest_row(rest, args, steps)

    def _bind_row(self, row: CardRow) -> None:
        for at, param in enumerate(row.params):
            self.out.line(f"x·{param.name} = row[{at}]")

    def _each_row(self, action: ActionDef, wanted: Iterable[int]) -> Iterable[tuple[int, CardRow]]:
        chosen = set(wanted)
        return [(at, row) for at, row in enumerate(action.rows) if at in chosen]

    # ---- laws, words, effect ------------------------------------------------------------------------

    def _broken(self, action: ActionDef, name: str, args: str) -> None:
        with self._function("broken", name, args):
            self._open()
            if not action.laws:
                self.out.line("return []")
                return
            self.out.line("found = []")
            for at, law in enumerate(action.laws):
                side = {"lead": "not s.plays and ", "follow": "s.plays and "}.get(law.on, "")
                test = self.expressions.text(law.law)
                if test == "True":
                    continue
                with self.out.block(f"if {side}not {test}:{remark(law.name)}", law.span):
                    self.out.line(f"found.append({at})")
            self.out.line("return found")

    def _messages(self, action: ActionDef, name: str, args: str) -> None:
        with self._function("message", name, ", law" + args):
            self._open()
            for at, law in enumerate(action.laws):
                if law.message is not None:
                    with self.out.block(f"if law == {at}:"):
                        self.out.line(f"return {self.expressions.words(law.message, spoken=False)}", law.span)
            self.out.line("return ''")

    def _says(self, action: ActionDef, name: str, args: str, extra: str) -> None:
        with self._function("says", name, args + extra):
            self._open()
            self.out.line("found = []")
            if action.rows:
                self.out.line(f"number = {self._row_number(action)}")
                for at, row in self._each_row(action, (i for i, r in enumerate(action.rows) if r.says)):
                    with self.out.block(f"if number == {at}:", row.span):
                        self._bind_row(row)
                        for say in row.says:
                            if not self._is_said(say, row.params):
                                self._say(say)
            for say in action.says:
                if not self._is_said(say, action.params):
                    self._say(say)
            self.out.line("return found")

    def _is_said(self, say: SayDef, params: tuple[ParamDef, ...]) -> bool:
        """Whether the words only tell what a parameter says; on honour that is said, or missing, once."""
        said = {p.name for p in params if p.said and p.otherwise is not None}
        return self.expressions.layout.honor and bool(said & self.expressions.uses(say.words))

    def _say(self, say: SayDef) -> None:
        exact = "False" if say.exact is None else self.expressions.text(say.exact)
        line = f"found.append(({say.name!a}, {self.expressions.words(say.words, spoken=True)}, {exact}))"
        tests = [{"lead": "not s.plays", "follow": "s.plays"}[say.on]] if say.on else []
        if say.when is not None:
            tests.append(self.expressions.text(say.when))
        if tests:
            with self.out.block(f"if {' and '.join(tests)}:", say.span):
                self.out.line(line, say.span)
        else:
            self.out.line(line, say.span)

    def _labels(self, action: ActionDef, name: str, args: str) -> None:
        with self._function("label", name, args):
            self._open()
            for condition, word in action.labels:
                with self.out.block(f"if {self.expressions.text(condition)}:", condition.span):
                    self.out.line(f"return {word!a}")
            self.out.line("return ''")

    def _apply(self, action: ActionDef, stage: StageDef, name: str, args: str) -> None:
        measures = "".join(f", x·{m}" for m, _, _ in action.measured)
        with self._function("apply", name, args + (", *row" if action.rows else measures), span=action.span):
            if action.rows:  # what is measured comes last
                for at, (measure, _, _) in enumerate(reversed(action.measured), start=1):
                    self.out.line(f"x·{measure} = row[-{at}]")
            self._open()
            self.carry_out(action, stage)

    def carry_out(self, action: ActionDef, stage: StageDef) -> None:
        """What a move does: the card is played to the trick, then come the effects of the action, row and stage."""
        bounds = self.expressions.bounds
        bounds.forget()
        bounds.bind(action.params)
        after = stage.on_card if action.is_play else ()
        light = bounds.light((*action.effect, *(e for row in action.rows for e in row.effect), *after))
        if bounds.is_heavy(light):
            self.out.line(f"charge(s, {light})", action.span)
        if action.is_play:
            self.play_card(action, stage)
        if action.rows:
            self.out.line(f"number = {self._row_number(action)}")
        self.effects.block(action.effect)
        for at, row in self._each_row(action, (i for i, r in enumerate(action.rows) if r.effect)):
            with self.out.block(f"if number == {at}:", row.span):
                self._bind_row(row)
                self.effects.block(row.effect)
        if action.is_play:
            self.effects.block(stage.on_card)

    def play_card(self, action: ActionDef, stage: StageDef) -> None:
        """The card goes from the hand to the trick; the lead decides the suit led."""
        param = action.params[0]
        target = t.ZoneRef(stage.trick_zone, (), t.CARDS, stage.span)
        assert param.source is not None
        card = t.Local("card", t.CARD, param.span, param.source)
        self.effects.effect(t.Move(card, False, param.source, target, False, None, stage.span))
        self.out.line(f"{self.plays}.append((p, x·card))")
        suit = stage.suit if stage.suit is not None else t.Op("suit", (card,), t.SUIT, stage.span)
        if self.laid_so_far:
            self.out.line(f"{self.laid_so_far} += 1")
        with self.out.block(f"if {self.laid_so_far or f'len({self.plays})'} == 1:"):
            self.out.line(f"s.led = {self.expressions.text(suit)}")

    def _laws(self, action: ActionDef, name: str, args: str) -> None:
        """Effects of breaches; in strict play there are none."""
        if not self.expressions.layout.honor:
            return
        for at, law in enumerate(action.laws):
            if law.on_breach:
                with self._function(f"breach·{at}", name, args):
                    self._open()
                    self.effects.block(law.on_breach)


def asks_machine(effects: tuple[Effect, ...]) -> bool:
    """Whether effects may ask for a call, an ending or another turn."""
    return any(isinstance(e, t.Call | t.Finish | t.Turn | t.ToPlayer) for e in walk(effects))


__all__ = ["ActionCompiler", "Printed", "mask_of"]
