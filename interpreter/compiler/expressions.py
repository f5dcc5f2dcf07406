"""Typed expressions as Python text.

What depends on nothing but players and options is evaluated now. What depends on a single card becomes a table
lookup, also where it depends on variables besides that have few values (the trump, whether hearts are broken): there
is a table then for each of their values. A condition on the cards of a set becomes a set of bits wherever it can, so
that laws filter a whole hand with a few operations on integers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import product
from math import prod
from types import MappingProxyType
from typing import Any

from interpreter.base.arithmetic import LARGEST, TOO_LARGE
from interpreter.base.diagnostics import Report
from interpreter.compiler.bounds import Bounds
from interpreter.compiler.constant import Impossible, Unanswerable
from interpreter.compiler.constants import constants_of
from interpreter.compiler.definitions import use
from interpreter.compiler.emptiness import emptiness
from interpreter.compiler.gate import Expression
from interpreter.compiler.layout import Layout, few_valued
from interpreter.compiler.made import hidden, put_in, times_named
from interpreter.compiler.operations import ACTOR, OPS, STATE, WHO_PLAYS
from interpreter.compiler.patterns import Rows, mask_of
from interpreter.compiler.quantifiers import folded, quantified, selected
from interpreter.compiler.ranges import Ranges
from interpreter.compiler.snippets import both, combine, define_names, if_there, is_simple, others
from interpreter.compiler.tables import looked_up
from interpreter.compiler.walking import find_local, inlined, is_cards
from interpreter.engine.library import HELPERS
from interpreter.engine.program import RuleError, why
from interpreter.language import typed as t
from interpreter.language.model import ActionDef, DefineInstance
from interpreter.language.operations import ASK_TABLE, ASK_TEAMS, OF_SOMEBODY, PASS_NONE_ON
from interpreter.language.tree import replace
from interpreter.language.typed import Effect, Typed, children

MOST_WORKED_OUT = 2_000_000
"""Steps, and letters of text, for what is worked out before a game begins."""
MOST_TABLES = 24
"""For so many values of variables at most, what depends on a card is worked out beforehand."""
CardSet = tuple[str, str]
"""("mask" or "list", text)."""
Keep = Callable[[str, tuple[str, ...], bool], str]
"""A name for text that depends on variables and (True) on the suit led."""

TRIED = 100
"""So often a definition may be too long to stand where it is used."""


class ExpressionCompiler:
    """Prints expressions for one game. `stage` is the stage whose code is being printed ("": anybody's)."""

    def __init__(
        self,
        layout: Layout,
        kept: dict[str, str],
        narrowed: Callable[[str], str | None],
        of_caller: Callable[[str], str | None],
        bounds: Bounds,
    ) -> None:
        self.layout = layout
        self.bounds = bounds
        self.ranges = Ranges(bounds)
        self.model = layout.model
        self.kept = kept
        self.narrowed = narrowed
        self.of_caller = of_caller
        self.teams_move = layout.model.reseats and layout.team_count < layout.n
        """Whether teams follow the seats; else they are constant."""
        self.define_names = define_names(self.model.instances)
        self.stage = ""
        self.constants: dict[str, Any] = {}
        self.wanted: dict[str, tuple[DefineInstance, str]] = {}
        """Functions of definitions to be printed: name -> the definition, and text for who takes part in it."""
        self._long: Counter[str] = Counter()
        self._parties: list[str] = []
        self._playing_now = narrowed("")
        self.inline = False
        self._uses: dict[int, tuple[Typed, frozenset[str]]] = {}
        self._instance_uses: dict[str, frozenset[str]] = {}
        self._tables: dict[Any, str] = {}
        self._options: dict[tuple[str, bool], str] = {}
        self._rows: dict[str, Rows] = {}
        self.fixed_tables: dict[str, str] = {}
        self._spent = 0
        self.most_spent = MOST_WORKED_OUT
        self._worked_out: dict[Any, Any] = {}
        self.few = few_valued(layout)
        self.keep: Keep | None = None
        self.has_led = False
        """Whether what is being printed is only asked when a suit has been led."""
        """Names what stays the same in a loop that is being printed."""
        self.these = ""
        """The key of the definition whose answer has been worked out already in the function that is being printed."""
        self.zone_of: dict[str, str] = {}
        """Variables of the loops that are being printed -> the zone whose cards they are, "" for other things."""
        self._missing: dict[str, bool] = {}
        self._may: dict[int, tuple[Typed, bool]] = {}
        self.faults: list[Unanswerable] = []
        """What has no value in this game, and stops the match where it is reached."""
        self._depth = 0
        self.constants.update(constants_of(layout))

    # ---- definitions that are too long to stand where they are used ----------------------------------

    def is_long(self, key: str) -> bool:
        """Whether a definition has been too long so often that it is not tried again."""
        return self._long[key] >= TRIED

    def note_long(self, key: str) -> None:
        self._long[key] += 1

    # ---- what an expression depends on --------------------------------------------------------------

    def uses(self, node: Typed) -> frozenset[str]:
        """The locals an expression needs, STATE if it reads the state of play, and ACTOR if it asks who acts."""
        known = self._uses.get(id(node))
        if known is None or known[0] is not node:
            known = (node, self._find_uses(node))
            self._uses[id(node)] = known
        return known[1]

    def _find_uses(self, node: Typed) -> frozenset[str]:
        match node:
            case t.Const() | t.OptionRef():
                return frozenset()
            case t.Local(name):
                return frozenset((name,))
            case t.Builtin(name):
                if name in ("everyone", "teams", "pack", "suits", "ranks", "honor"):
                    return frozenset()
                if name == "players":
                    return frozenset() if self.narrowed("") is None else frozenset((STATE, WHO_PLAYS))
                return frozenset((STATE, ACTOR) if name == "actor" else (STATE,))
            case t.VarRef(name, ()) if name in self.few:
                return frozenset((f"variable {name}",))
            case t.StageArgument() | t.VarRef() | t.ZoneRef() | t.TokenRef():
                return frozenset((STATE,)).union(*(self.uses(c) for c in children(node)))
            case t.TableRef(name, key):
                table = self.model.tables[name]
                rows = frozenset().union(*(self.uses(r.value) for r in table.rows))
                return rows | self.uses(key) | (frozenset() if table.by is None else self.uses(table.by))
            case t.Instance(key, args):
                if key not in self._instance_uses:
                    instance = self.model.instances[key]
                    inner = self.uses(instance.body) - {n for n, _ in instance.params} - {ACTOR}
                    self._instance_uses[key] = inner
                return self._instance_uses[key].union(*(self.uses(a) for a in args))
            case t.Quant() | t.Select() | t.Fold():
                inner = frozenset().union(*(self.uses(c) for c in children(node) if c is not node.domain))
                return self.uses(node.domain) | (inner - {node.variable})
            case t.Op(op, args):
                own = frozenset((STATE,)) if op in ASK_TABLE or (self.teams_move and op in ASK_TEAMS) else frozenset()
                if op in ("lowest", "highest"):  # of those who take part
                    own |= self.uses(t.Builtin("players", t.PLAYERS, node.span))
                return own.union(*(self.uses(a) for a in args))
        return frozenset().union(*(self.uses(c) for c in children(node)))

    def function_of(self, key: str) -> str:
        """The name of the function of a definition, as it is asked in what is being printed.

        `players` in it are those of the stage in which it is asked, so there is a function for each such set.
        """
        instance, name, party = self.model.instances[key], self.define_names[key], ""
        if WHO_PLAYS in self.uses(instance.body):
            party = self.narrowed(self.stage) or ""
            if party != self._playing_now:
                self._parties += [] if party in self._parties else [party]
                name += f"·among·{self._parties.index(party) + 1}"
        self.wanted[name] = instance, party
        return name

    def evaluate(self, node: Typed) -> Any:
        """The value of an expression that depends on nothing. Raises Unanswerable if it has none."""
        text = self.inlined_text(node)  # may add constants, so it comes first
        self.charge(node, text, 1)
        asked = self.worked_out(text)
        with self.answering(node):
            found = asked.value()
            if type(found) is int and node.type.kind == "integer" and abs(found) > LARGEST:
                raise Unanswerable(TOO_LARGE, node.span)
        return found

    def worked_out(self, text: str, local: str = "", more: Mapping[str, Any] = MappingProxyType({})) -> Expression:
        """A text that asks nothing of the state, to be worked out for one value of a local after the other."""
        return Expression(text, {**self.constants, **HELPERS, **more}, local, not self.model.shipped)

    @contextmanager
    def answering(self, node: Typed) -> Iterator[None]:
        """Whatever goes wrong in working out an expression is told as what is wrong with it."""
        try:
            yield
        except (Impossible, MemoryError, RecursionError):
            raise
        except Exception as error:
            span = error.span if isinstance(error, RuleError) else None
            raise Unanswerable(why(error), span or node.span, getattr(error, "hint", "")) from error

    def no_value(self, fault: Unanswerable) -> str:
        """The text for something that has no value: the match stops there, if it comes there."""
        if not self.inline:
            self.faults.append(fault)
        return f"no_value({str(fault)!a}, {self.table(fault.span)})"

    def evaluate_cards(self, node: Typed, local: str) -> tuple[Any, ...] | None:
        """The value of an expression for every card that its only local can be; None if it has none for some."""
        text = self.inlined_text(node)
        if (text, local) not in self._worked_out:
            self.charge(node, text, len(self.layout.cards))
            asked = self.worked_out(text, f"x·{local}")
            found: tuple[Any, ...] | None = None
            with suppress(Unanswerable), self.answering(node):
                found = self._for_each_card(asked)
            self._worked_out[text, local] = found
        return self._worked_out[text, local]  # type: ignore[no-any-return]

    def charge(self, node: Typed, text: str, times: int) -> None:
        """Count what it takes to work out beforehand what never changes, and end where it becomes too much."""
        self._spent += len(text) + times * self.bounds.steps(node)
        if self._spent > self.most_spent:
            report = Report()
            message = "with this, too much is to be worked out before the game begins"
            report.error("E521", node.span, message, "loops and definitions inside one another multiply")
            report.raise_errors()

    def _for_each_card(self, asked: Expression) -> tuple[Any, ...]:
        return tuple(asked.value(card) for card in range(len(self.layout.cards)))

    def inlined_text(self, node: Typed) -> str:
        inline, self.inline = self.inline, True
        try:
            return self.raw(node)
        finally:
            self.inline = inline

    def limit(self, action: ActionDef) -> str:
        """The most moves of an action, its name and its place, as arguments."""
        place = f"AT·{action.stage}·{action.name}"
        self.constants[place] = action.span
        return f"{self.bounds.limit(action)}, {action.name!a}, {place}"

    # ---- what is counted in play --------------------------------------------------------------------

    def counted(self, members: str, steps: int, inner: Iterable[Typed | Effect | None]) -> str:
        """The members of a set to go through, counted if that may take so many steps that it is worth it."""
        if self.inline or not self.bounds.is_heavy(steps):
            return members
        return f"each_of(s, {members}, {1 + self.bounds.light(inner)})"

    # ---- text ---------------------------------------------------------------------------------------

    def text(self, node: Typed) -> str:
        """Python text for an expression, folded as far as it goes."""
        needs = self.uses(node)
        if not needs and not isinstance(node, t.Const | t.OptionRef):
            try:
                return self.literal(self.evaluate(node))
            except Unanswerable as fault:
                return self.no_value(fault)
        if not self.inline and not isinstance(node, t.Local | t.VarRef):
            local, variables = self._split(needs)
            if local is not None and self._is_card(node, local):
                values = self.by_value(node, local, variables)
                if values is not None:
                    return self._lookup(values, local, variables)
        return self.raw(node)

    def number(self, node: Typed) -> str:
        """Text for a number that must be there."""
        text = self.text(node)
        return f"needed({text})" if self.may_miss(node) else text

    def _split(self, needs: frozenset[str]) -> tuple[str | None, tuple[str, ...]]:
        """The one local among what is needed, and the variables of few values; no local if anything else is needed."""
        variables = tuple(sorted(n.removeprefix("variable ") for n in needs if n.startswith("variable ")))
        if len(needs) != len(variables) + 1:
            return None, ()
        (local,) = (n for n in needs if not n.startswith("variable "))
        return (None if local in (STATE, ACTOR) else local), variables

    def by_value(self, node: Typed, local: str, variables: tuple[str, ...]) -> dict[Any, tuple[Any, ...]] | None:
        """Values of variables -> the value of an expression for each card; None if it cannot be worked out."""
        if not variables:
            values = self.evaluate_cards(node, local)
            return None if values is None else {(): values}
        domains = [self.few[name][1] for name in variables]
        if prod(map(len, domains)) > MOST_TABLES:
            return None
        text = self.inlined_text(node)
        if (text, local, variables) not in self._worked_out:
            slots = [self.few[name][0] for name in variables]
            found: dict[Any, tuple[Any, ...]] | None = {}
            self.charge(node, text, len(self.layout.cards) * prod(map(len, domains)))
            variables_now: dict[int, Any] = {}
            asked = self.worked_out(text, f"x·{local}", {"v": variables_now})
            try:
                for held in product(*domains):
                    variables_now.update(zip(slots, held, strict=True))
                    found[held] = self._for_each_card(asked)  # type: ignore[index]
            except Exception:  # for values that never meet: it is asked when it is known
                found = None
            self._worked_out[text, local, variables] = found
        return self._worked_out[text, local, variables]  # type: ignore[no-any-return]

    def held(self, variables: tuple[str, ...]) -> str:
        """The values that variables have now, as the key of a table."""
        return ", ".join(f"v[{self.few[name][0]}]" for name in variables)

    def literal(self, value: Any) -> str:
        """A constant as text; big ones get a name."""
        if isinstance(value, bool | int | str) or value is None:
            return ascii(value)
        return self.table(value)

    def table(self, value: Any) -> str:
        """The name of a constant table."""
        if isinstance(value, list):
            value = tuple(value)
        key = (type(value).__name__, repr(value))
        if key not in self._tables:
            name = f"K{len(self._tables) + 1}"
            self._tables[key] = name
            self.constants[name] = value
        return self._tables[key]

    def _is_card(self, node: Typed, local: str) -> bool:
        """Whether the local is a card that is certainly there."""
        found = find_local(node, local)
        return found is not None and found.type.kind == "card" and not found.type.optional and not self.inline

    def _lookup(self, values: dict[Any, tuple[Any, ...]], local: str, variables: tuple[str, ...]) -> str:
        if len({repr(value) for row in values.values() for value in row}) == 1:
            return self.literal(next(iter(values.values()))[0])
        return f"{self.row(values, variables)}[x·{local}]"

    def row(self, rows: dict[Any, Any], variables: tuple[str, ...]) -> str:
        """What holds for the values that variables have now."""
        kinds = {repr(row) for row in rows.values()}
        if len(kinds) == 1:
            return self.literal(next(iter(rows.values())))
        if len(variables) == 1:
            rows = {key: row for (key,), row in rows.items()}
        return self._kept(f"{self.table(rows)}[{self.held(variables)}]", variables)

    def _kept(self, text: str, variables: tuple[str, ...], led: bool = False) -> str:
        if self.keep is None or self.inline or (led and not self.has_led):
            return text
        return self.keep(text, variables, led)

    def raw(self, node: Typed) -> str:
        """Text without looking whether the whole can be folded; the parts still are."""
        match node:
            case t.Const():
                return self._const(node)
            case t.Local(name):
                return f"x·{name}"
            case t.StageArgument(stage, name):
                return f"v[{self.layout.arguments[stage, name]}]"
            case t.Builtin():
                return self._builtin(node)
            case t.OptionRef(name):
                return self.option_text(name, node.type)
            case t.VarRef():
                return self._asked(node, node.index) or f"v[{self.slot(node)}]"
            case t.ZoneRef():
                if node.type != t.CARDS:
                    return self.places(node)
                return self.as_list(self.cards(node))
            case t.TokenRef(name):
                return f"pieces(s, {name!a}, {self.holder(node)})"
            case t.TableRef():
                return looked_up(self, node)
            case t.Instance():
                return use(self, node)
            case t.Op():
                if (asked := emptiness(self, node)) is not None:
                    return asked
                return (self._asked(node, node.args) if node.op in OF_SOMEBODY else None) or OPS[node.op](self, node)
            case t.Quant() | t.Select() | t.Fold():
                return self._loop(node)
            case t.If(condition, then, otherwise):
                return self._if(condition, lambda: self.text(then), lambda: self.text(otherwise))
            case t.Words():
                return self.words(node, spoken=False)

    def _loop(self, node: t.Quant | t.Select | t.Fold) -> str:
        zone = node.domain.name if isinstance(node.domain, t.ZoneRef) and node.domain.type == t.CARDS else ""
        outside, self.zone_of = self.zone_of, {**self.zone_of, node.variable: zone}
        try:
            match node:
                case t.Quant():
                    return quantified(self, node)
                case t.Select():
                    return selected(self, node)
                case t.Fold():
                    return folded(self, node)
        finally:
            self.zone_of = outside

    # ---- none ---------------------------------------------------------------------------------------

    def may_miss(self, node: Typed) -> bool:
        """Whether the value may be none although something is done with it."""
        if id(node) not in self._may:
            found = self._may_miss(node)
            self._may[id(node)] = node, self.evaluate(node) is None if found and not self.uses(node) else found
        return self._may[id(node)][1]

    def is_missing(self, node: Typed) -> bool:
        """Whether it is a card that is not in the pack."""
        match node:
            case t.Const(str() as name) if node.type.kind == "card":
                return self.symbol(name, node.type) is None
            case t.OptionRef(name) if node.type.kind == "card" and self.layout.options[name] is not None:
                return self.option_value(name, node.type) is None
        return False

    def _may_miss(self, node: Typed) -> bool:
        match node:
            case t.Const(value):
                return value is None or self.is_missing(node)
            case t.OptionRef(name):
                return self.layout.options[name] is None or self.is_missing(node)
            case t.Builtin("dealer"):  # the checker has seen to it that there is one
                return False
            case t.Op("suit" | "rank" | "colour", (card,)):
                return None in self.layout.card_rank or self.may_miss(card)
            case t.Op(op, args) if op in PASS_NONE_ON:
                return any(self.may_miss(a) for a in args)
            case t.VarRef(_, index):
                return node.type.optional or any(self.may_miss(i) for i in index)
            case t.TableRef(_, key):
                return node.type.optional or (key.type.kind != "none" and self.may_miss(key))
            case t.Instance(key, args):
                instance = self.model.instances[key]
                if key not in self._missing:
                    self._missing[key] = False  # definitions do not go in circles
                    self._missing[key] = self.may_miss(instance.body)
                return self._missing[key] or bool(self.unexpected(node))
            case t.If(_, then, otherwise):
                return self.may_miss(then) or self.may_miss(otherwise)
        return node.type.optional

    def _asked(self, node: t.VarRef | t.Op, parts: tuple[Typed, ...]) -> str | None:
        """What is asked of none is none: the text for that, where a part may be none."""
        for at, part in enumerate(parts):
            if part.type.kind in ("player", "team", "place", "suit", "card") and self.may_miss(part):
                found = replace(part.type, optional=False)
                it = t.Local(hidden("it", self._depth), found, part.span)
                self._depth += 1
                inner = (*parts[:at], it, *parts[at + 1 :])
                text = self.raw(replace(node, index=inner) if isinstance(node, t.VarRef) else replace(node, args=inner))
                self._depth -= 1
                given, asked = f"x·{it.name}", self.text(part)
                if is_simple(asked):  # it costs nothing to look twice
                    return f"(None if {asked} is None else {put_in(text, {given: asked})})"
                known = self.if_there(part, asked)
                if known is not None and times_named(text, given) == 1:
                    return f"(None if {known[0]} is None else {put_in(text, {given: known[1]})})"
                return f"ask(lambda {given}: {text}, {asked})"
        return None

    def if_there(self, node: Typed, text: str) -> tuple[str, str] | None:
        """(X, Y) of text that is none if X is, else Y, which is not; None if the text does not say so."""
        match node:
            case t.Instance(key, ()) if not self.model.instances[key].params:
                return self.if_there(self.model.instances[key].body, text)
            case t.Op(op) if op in PASS_NONE_ON:
                return if_there(text)
            case t.VarRef() if not node.type.optional:
                return if_there(text)
        return None

    def unexpected(self, node: t.Instance) -> list[int]:
        """The arguments of a definition that may be none although it does not expect that."""
        params = self.model.instances[node.key].params
        args = node.args[len(node.args) - len(params) :]
        skipped = len(node.args) - len(params)
        return [
            n + skipped
            for n, ((_, kind), a) in enumerate(zip(params, args, strict=True))
            if not kind.optional and kind.kind not in ("set", "none") and self.may_miss(a)
        ]

    def _if(self, condition: Typed, if_so: Callable[[], str], if_not: Callable[[], str]) -> str:
        test = self.text(condition)
        if test in ("True", "False"):  # what is never asked may be something that has no value
            return if_so() if test == "True" else if_not()
        then, otherwise = if_so(), if_not()
        return then if then == otherwise else f"({then} if {test} else {otherwise})"

    def _const(self, node: t.Const) -> str:
        value = self.symbol(node.value, node.type)
        if node.type.kind == "player" and type(value) is int and value >= self.layout.n:
            raise Impossible(f"there is no P{value + 1} among {self.layout.n} players", node.span)
        return ascii(value)

    def symbol(self, value: Any, kind: t.Type) -> Any:
        """A named constant as the number it has in this game; a card that is not in the pack is none."""
        if value is None:
            return None
        match kind.kind:
            case "card":
                return self.layout.by_name.get(str(value).upper())
            case "suit":
                return self.constants["SUITS"].index(value)
            case "rank":
                return self.model.ranks.index(value)
            case "player":
                return int(str(value)[1:]) - 1
            case "list" | "set" if kind.item is not None and isinstance(value, tuple):
                found = tuple(self.symbol(v, kind.item) for v in value)
                return found if kind.kind == "list" else tuple(v for v in found if v is not None)
        return value

    def option_value(self, name: str, kind: t.Type) -> Any:
        return self.known_value(self.layout.options[name], kind)

    def option_text(self, name: str, kind: t.Type, of_each: bool = False) -> str:
        """What is given for an option as text; of_each: what is given for each player, in a list."""
        if (name, of_each) not in self._options:
            given = self.layout.options[name]
            value = tuple(self.known_value(one, kind) for one in given) if of_each else self.known_value(given, kind)
            self._options[name, of_each] = self.literal(value)
        return self._options[name, of_each]

    def known_value(self, value: Any, kind: t.Type) -> Any:
        """What is given for an option, as play knows it."""
        if kind.kind == "card" and value is not None:  # options may be written 2d or td
            value = self.model_card(str(value))
        return self.symbol(value, kind)

    def model_card(self, text: str) -> str:
        return text.upper().replace("T", "10") if text[:1] in "tT" else text.upper()

    def _builtin(self, node: t.Builtin) -> str:
        match node.name:
            case "actor":
                return "p"
            case "players":
                narrowed = self.narrowed(self.stage)
                return "P" if narrowed is None else narrowed
            case "everyone":
                return "P"
            case "teams":
                return f"range({self.layout.team_count})"
            case "pack":
                return "bits(PACK)"
            case "suits":
                return f"range({len(self.model.suits)})"
            case "ranks":
                return f"range({len(self.model.ranks)})"
            case "honor":
                return repr(self.layout.honor)
            case "direction":
                return "('left' if s.direction > 0 else 'right')"
            case "trick number":
                return "s.trick_number"
        return f"s.{node.name}"

    # ---- places, slots, tables ----------------------------------------------------------------------

    def offset(self, index: tuple[Typed, ...], sizes: tuple[int, ...], starts: tuple[int, ...], base: int) -> str:
        """The number of a place or slot from its index; missing dimensions count as their first."""
        number = base
        parts: list[str] = []
        for at, (size, start) in enumerate(zip(sizes, starts, strict=True)):
            step = 1
            for later in sizes[at + 1 :]:
                step *= later
            if at >= len(index):
                continue
            text = self.text(index[at])
            if text.lstrip("-").isdigit():
                if not 0 <= int(text) - start < size:
                    return "nowhere()"
                number += (int(text) - start) * step
                continue
            inside = text if index[at].type.kind != "integer" else f"inside({text}, {start}, {size})"
            if self.may_miss(index[at]):
                inside = f"required({inside})"
            parts.append(inside if step == 1 else f"{inside} * {step}")
        if number or not parts:
            parts.insert(0, str(number))
        return " + ".join(parts)

    def slot(self, node: t.VarRef) -> str:
        family = self.layout.variables[node.name]
        return self.offset(node.index, family.sizes, family.starts, family.base)

    def place(self, node: t.ZoneRef) -> str:
        """The number of the place a zone reference means."""
        if len(node.index) == 1 and node.index[0].type.kind == "place":
            return self.text(node.index[0])
        family = self.layout.zones[node.name]
        return self.offset(node.index, family.sizes, family.starts, family.base)

    def places(self, node: t.ZoneRef) -> str:
        """All places that begin with the index, as a range."""
        family = self.layout.zones[node.name]
        span = 1
        for size in family.sizes[len(node.index) :]:
            span *= size
        start = self.offset(node.index, family.sizes, family.starts, family.base)
        if start.isdigit():
            return f"range({start}, {int(start) + span})"
        return f"range({start}, {start} + {span})"

    def table_value(self, name: str, card: int) -> Typed:
        """The value a table over cards has for a card: the most specific row."""
        table = self.model.tables[name]
        if name not in self._rows:
            self._rows[name] = Rows([r.pattern for r in table.rows], self.model.ranks)
        best = self._rows[name].best(self.describe(card))
        if best is None:
            return t.Const(0 if table.type.kind == "integer" else None, table.type, table.span)
        return table.rows[best].value

    def describe(self, card: int) -> tuple[str, str, str, str]:
        """(name, rank, suit, colour) of a card, by name."""
        rank, suit = self.layout.card_rank[card], self.layout.card_suit[card]
        if rank is None or suit is None:
            return self.layout.cards[card], "", "", ""
        found = self.model.suits[suit]
        return self.layout.cards[card], self.model.ranks[rank], found.name, found.colour

    # ---- sets of cards ------------------------------------------------------------------------------

    def cards(self, node: Typed) -> CardSet:
        """A set of cards, as bits where it can be."""
        match node:
            case t.ZoneRef(_, index) if any(self.may_miss(i) for i in index):
                kind = self.kept[node.name]
                present = " and ".join(f"{self.text(i)} is not None" for i in index if self.may_miss(i))
                return kind, f"(z[{self.place(node)}] if {present} else {'0' if kind == 'mask' else '()'})"
            case t.ZoneRef():
                return self.kept[node.name], f"z[{self.place(node)}]"
            case t.Builtin("pack"):
                return "mask", "PACK"
            case t.Select("all", variable, _, domain, where, None):
                kind, inner = self.cards(domain)
                if where is None:
                    return kind, inner
                chosen = self.condition_bits(where, variable)
                if kind == "mask" and chosen is not None:
                    return "mask", both(inner, chosen)
                members = self.counted(self.as_list((kind, inner)), self.bounds.steps(node), (where,))
                return "list", f"[x·{variable} for x·{variable} in {members} if {self.text(where)}]"
            case t.If(condition, then, otherwise):
                one, two = self.cards(then), self.cards(otherwise)
                if one[0] == two[0]:
                    return one[0], self._if(condition, lambda: one[1], lambda: two[1])
                return "list", self._if(condition, lambda: self.as_list(one), lambda: self.as_list(two))
            case t.Op("group", ()):
                return "mask", "0"
            case t.Instance(key) if not self.inline:
                instance = self.model.instances[key]
                if not self.uses(node):
                    return self._settled_cards(node)
                kind = self.cards(instance.body)[0]
                return kind, use(self, node)
        if not self.uses(node):
            return self._settled_cards(node)
        return "list", self.raw(node)

    def _settled_cards(self, node: Typed) -> CardSet:
        try:
            return "mask", repr(mask_of(self.evaluate(node)))
        except Unanswerable as fault:
            return "mask", self.no_value(fault)

    def as_list(self, cards: CardSet) -> str:
        return cards[1] if cards[0] == "list" else f"bits({cards[1]})"

    def holder(self, pieces: t.TokenRef) -> str:
        """Who holds the pieces that are meant; -1 for the table."""
        return "-1" if pieces.holder is None else self.text(pieces.holder)

    def as_mask(self, cards: CardSet) -> str:
        kind, text = cards
        if kind == "mask":
            return text
        return f"mask_of_packet({text})" if is_simple(text) else f"mask_of({text})"

    def condition_bits(self, node: Typed, variable: str) -> str | None:
        """The cards for which a condition on one of them holds, as bits; None if it must be asked card by card."""
        needs = self.uses(node)
        if variable not in needs:
            test = self.text(node)
            return {"True": "PACK", "False": "0"}.get(test, f"(PACK if {test} else 0)")
        local, variables = self._split(needs)
        if local == variable:
            values = self.by_value(node, variable, variables)
            if values is not None:
                return self.row(
                    {k: mask_of([c for c, holds in enumerate(r) if holds]) for k, r in values.items()}, variables
                )
        match node:
            case t.Op("and" | "or", args):
                parts = [self.condition_bits(a, variable) for a in args]
                known = [p for p in parts if p is not None]
                if len(known) < len(parts):
                    return None
                return combine(known, node.op)
            case t.Op("not", (inner,)):
                found = self.condition_bits(inner, variable)
                return None if found is None else others(found)
            case t.Op("=" | "!=", (left, right)):
                same = self._equal_bits(left, right, variable) or self._equal_bits(right, left, variable)
                return same if same is None or node.op == "=" else others(same)
            case t.Op("in", (t.Local(name), group)) if name == variable and variable not in self.uses(group):
                return self.as_mask(self.cards(group)) if is_cards(group) else None
            case t.If(condition, then, otherwise):
                where = self.condition_bits(condition, variable)
                one, two = self.condition_bits(then, variable), self.condition_bits(otherwise, variable)
                if where is None or one is None or two is None:
                    return None
                return f"({one} & {where} | {two} & ~{where})"
            case t.Instance(key, args) if not self.model.instances[key].uses_actor:
                return self.condition_bits(inlined(self.model.instances[key], args), variable)
        return None

    def _equal_bits(self, side: Typed, other: Typed, variable: str) -> str | None:
        """The cards for which `side`, which depends on the card, equals `other`, which does not."""
        if variable in self.uses(other):
            return None
        match side:
            case t.Local(name) if name == variable:
                found = self.text(other)
                return f"COPIES[{self.face(found)}]"
            case t.Op("suit" | "rank" | "colour", (t.Local(name),)) if name == variable:
                asked = self.text(other)
                found = f"IN_{side.op.upper()}[{asked}]"
                return self._kept(found, (), led=True) if asked == "s.led" else found
        table = None if self.layout.multi and side.type.kind == "card" else self._sorted_bits(side, other, variable)
        if table is not None:
            return table
        match side:
            case t.If(condition, then, otherwise):
                test = self.condition_bits(condition, variable)
                one = self._equal_bits(then, other, variable) or self._same_bits(then, other, variable)
                two = self._equal_bits(otherwise, other, variable) or self._same_bits(otherwise, other, variable)
                if test is None or one is None or two is None:
                    return None
                return f"({one} & {test} | {two} & ~{test})"
            case t.Instance(key, args) if not self.model.instances[key].uses_actor:
                return self._equal_bits(inlined(self.model.instances[key], args), other, variable)
        return None

    def face(self, card: str) -> str:
        """The first of the cards that are equal to a card, or none, as text."""
        if not self.layout.multi:
            return card
        if card.isdigit():
            return f"FIRST[{card}]"
        return f"None if {card} is None else FIRST[{card}]" if is_simple(card) else f"of_card(FIRST, {card})"

    def _sorted_bits(self, side: Typed, other: Typed, variable: str) -> str | None:
        """The same by a table: for each value of `side`, the cards that have it."""
        local, variables = self._split(self.uses(side))
        values = self.by_value(side, variable, variables) if local == variable else None
        if values is None or any(not isinstance(v, int | str | None) for row in values.values() for v in row):
            return None
        rows: dict[Any, dict[Any, int]] = {}
        for key, row in values.items():
            rows[key] = {}
            for card, value in enumerate(row):
                rows[key][value] = rows[key].get(value, 0) | 1 << card
        asked = self.text(other)
        found = f"{self.row(rows, variables)}.get({asked}, 0)"
        return self._kept(found, variables, led=True) if asked == "s.led" else found

    def _same_bits(self, side: Typed, other: Typed, variable: str) -> str | None:
        if variable in self.uses(side):
            return None
        return f"(PACK if {self.text(side)} == {self.text(other)} else 0)"

    # ---- quantifiers --------------------------------------------------------------------------------

    def group(self, node: Typed) -> str:
        """Any set or list as something to go through."""
        return self.as_list(self.cards(node)) if is_cards(node) else self.text(node)

    # ---- spoken text --------------------------------------------------------------------------------

    def words(self, node: t.Words, spoken: bool) -> str:
        """A text with its values put in; spoken ranks and numbers are words."""
        parts = [ascii(p) if isinstance(p, str) else self.said(p, spoken) for p in node.pieces]
        return " + ".join(parts) or "''"

    def said(self, node: Typed, spoken: bool) -> str:
        text = self.text(node)
        match node.type.kind:
            case "player":
                return f"say_player({text})"
            case "team":
                return f"say_team({text})"
            case "card":
                return f"say_card(CARDS, {text})"
            case "suit":
                return f"say_item(SUITS, {text})"
            case "rank":
                return f"say_item({'RANK_WORDS' if spoken else 'RANKS'}, {text})"
            case "integer":
                if spoken:
                    return f"say_number({text})"
            case "set" | "list" if node.type.item is not None and node.type.item.kind == "card":
                return f"say_cards(CARDS, {text})"
            case "set" | "list" if node.type.item is not None and node.type.item.kind == "player":
                return f"say_players({text})"
        missing = node.type.kind == "none" or node.type.optional or self.may_miss(node)
        return f"say_plain({text})" if missing else f"str({text})"
