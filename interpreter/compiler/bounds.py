"""How much the rules of a game can take at most: steps of an effect or a condition, moves of an action.

Mostly this costs nothing in play. A loop takes as many steps as what it goes through can have members, and that is
known for each game: a zone holds its capacity, or the pack. What would take too long is refused with its place before
anything is worked out. What may take long is counted while it is carried out (`engine/budget.py`): only loops that are
`heavy`, each by the members that it really has and by what is not counted within it, its `light` steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import comb, prod
from typing import TypeVar, get_args

from interpreter.base.diagnostics import Report, Span
from interpreter.compiler.constant import Unanswerable
from interpreter.compiler.layout import Layout, NotConstant, about
from interpreter.engine.budget import AUTOMATIC, MOST_LETTERS, MOST_SPENT
from interpreter.engine.pieces import MOST_PIECES
from interpreter.language import typed as t
from interpreter.language.model import ActionDef, CardRow, ParamDef, StageDef, WrongClaim
from interpreter.language.operations import ASK_TABLE, OPERATIONS
from interpreter.language.tree import fields
from interpreter.language.typed import Effect, Typed, children, walk

Added = TypeVar("Added", bound="Typed | Effect")
MOST_STEPS = MOST_SPENT
"""What one effect or condition may take, in steps of the smallest kind."""
MOST_MOVES = 50_000
"""How many moves an action may offer at once."""
LIST_STEPS = 30_000_000
"""What a list of moves may take if every loop in it is as long as it can be, which it never is."""
MOST_SAID = 20_000
"""What may be taken by who sees something, and by what is said: it is asked wherever something happens."""
MOST_LIGHT, LEAST_LIGHT = 1_000_000, MOST_SAID
"""Steps that are not worth counting, in a game of few actions, and in one of very many."""
MOST_PARAMS = 12
MOST_WORDS = 8
"""How many announcements a move may owe: on honour each is said, missing or wrong."""
MADE = 300
"""Steps that are counted for a move that is listed, and its text, where there can be many."""
FEW_MOVES = 1_000
EVENT = 50
"""Steps that are counted for something that is written into the log: it needs memory, too."""
UNCOUNTED = 1_000
"""Members of a set that nothing else is known of."""
STEPS_HINT = "loops inside one another multiply: go through fewer things, or give zones a 'capacity'"
MOVES_HINT = "narrow what can be chosen, or let it be chosen in several moves"


class Bounds:
    """What the rules of one game take at most."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.model = layout.model
        self._cards = len(layout.cards)
        self._capacities = {name: self._capacity(name) for name in self.model.zones}
        self._locals: dict[str, int] = {}
        """How many members the locals have that hold several."""
        self._known: dict[tuple[int, bool], tuple[Typed | Effect, int]] = {}
        """What has been added up, by what it is of and how; for these locals."""
        self._instances: dict[tuple[str, tuple[int, ...]], tuple[int, int]] = {}
        self._tables: dict[str, int] = {}
        self._actions: dict[str, int] = {}
        self._counted: dict[str, bool] = {}
        self._blamed: Span | None = None
        self._lightly = False
        """Whether only what is not counted in play is being added up."""
        stages = self.model.stages.values()
        actions = sum(1 + len(a.rows) for s in stages for a in (*s.actions, *s.anytime))
        self.least_heavy = max(LEAST_LIGHT, min(MOST_LIGHT, MOST_SPENT // max(1, actions * layout.n)))
        self.least_charged = self.least_heavy
        """What it takes to judge the moves of an action is counted if it is more, or if there are very many."""
        self._places = sum(family.size for family in layout.zones.values())
        self._watched = {name: self._watch(name) for name in self.model.zones}

    def _watch(self, name: str) -> int:
        """What it takes to find out who sees that cards come to a place or go, and whether they may."""
        zone = self.model.zones[name]
        keep = None if zone.refill is None else zone.refill.keep
        return sum(map(self.steps, (zone.seen_by, zone.count_seen_by, zone.capacity, keep)))

    # ---- what is counted in play --------------------------------------------------------------------

    def is_heavy(self, steps: int) -> bool:
        """Whether something takes so many steps at most that they are counted in play."""
        return steps > self.least_heavy

    def counts(self, stage: StageDef) -> bool:
        """Whether anything is counted of what is done in a stage while it waits for moves."""
        if stage.name not in self._counted:
            hooks = any(steps > AUTOMATIC for steps, _ in self._hooks(stage))
            self._counted[stage.name] = hooks or any(
                self.is_heavy(self.offer(a)) or self.listing(a) or self._is_heavily_done(a, stage)
                for a in stage.actions
            )
        return self._counted[stage.name]

    def _is_heavily_done(self, action: ActionDef, stage: StageDef) -> bool:
        self.bind(action.params)
        done = self.carried(action.effect) + (self.carried(stage.on_card) if action.is_play else 0)
        return self.is_heavy(done + max((self.carried(row.effect) for row in action.rows), default=0))

    def light(self, nodes: Iterable[Typed | Effect | None]) -> int:
        """The most steps of expressions and effects, but for heavy loops inside them, which count themselves."""
        before, self._lightly = self._lightly, True
        try:
            found = 0
            for node in nodes:
                found += self._effect(node) if isinstance(node, _EFFECTS) else self.steps(node)  # type: ignore[arg-type]
            return found
        finally:
            self._lightly = before

    def forget(self) -> None:
        """What follows is printed for whatever it may be given."""
        self._locals.clear()
        self._known.clear()

    def _knows(self, name: str, members: int) -> None:
        """From here on, a local has so many members at most."""
        if self._locals.get(name) != members:
            self._locals[name] = members
            self._known.clear()

    def _capacity(self, zone: str) -> int:
        capacity = self.model.zones[zone].capacity
        if capacity is None:
            return self._cards
        try:
            found = self.layout.constant(capacity)
        except (NotConstant, Unanswerable):
            return self._cards
        return self._cards if found is None else max(0, min(self._cards, found))

    # ---- how many members a set can have ------------------------------------------------------------

    def size(self, node: Typed) -> int:
        """The most members a set, zone or list can have."""
        match node:
            case t.ZoneRef(name, index):
                if node.type == t.CARDS:
                    return self._capacities.get(name, self._cards)
                return prod(self.layout.zones[name].sizes[len(index) :])
            case t.Builtin("suits"):
                return len(self.model.suits)
            case t.Builtin("ranks"):
                return len(self.model.ranks)
            case t.Op("group", args):
                return len(args)
            case t.OptionRef(name) if isinstance(value := self.layout.options.get(name), tuple):
                return len(value)
            case t.Const(value) if isinstance(value, tuple):
                return len(value)
            case t.Local(name) if name in self._locals:
                return self._locals[name]
            case t.Select(_, _, _, domain):
                return self.size(domain)
            case t.If(_, then, otherwise):
                return max(self.size(then), self.size(otherwise))
            case t.Instance(key, args):
                return self._instance(key, args)[1]
        return self._size_of(node.type)

    def _size_of(self, kind: t.Type) -> int:
        """The most members that a set of a kind can have, each of them once; 1 for what is no set."""
        if kind.item is None:
            return 1
        item = kind.item
        match item.kind:
            case "card":
                return self._cards
            case "player" | "team":
                return self.layout.n
            case "suit" | "colour":
                return len(self.model.suits)
            case "rank":
                return len(self.model.ranks)
            case "piece":
                return MOST_PIECES
            case "place":
                return self.layout.zones[item.zone].size if item.zone in self.layout.zones else UNCOUNTED
        return UNCOUNTED

    # ---- steps of expressions -----------------------------------------------------------------------

    def steps(self, node: Typed | None) -> int:
        """The most steps that working out an expression takes."""
        return 0 if node is None else self._once(node, self._steps)

    def _once(self, node: Added, count: Callable[[Added], int]) -> int:
        """What is added up for a node, which whatever it stands in asks again.

        What is too much is not kept: each time it is found where that begins.
        """
        key = id(node), self._lightly
        if key in self._known:
            return self._known[key][1]
        found = count(node)
        if found <= MOST_STEPS:
            self._known[key] = node, found
        return found

    def _steps(self, node: Typed) -> int:
        match node:
            case t.Instance(key, args):
                return 1 + self._all(args) + self._instance(key, args)[0]
            case t.Quant(_, variable, _, domain, where, body):
                return self._loop(variable, domain, (where, body), node.span)
            case t.Select(_, variable, _, domain, where, by):
                return self._loop(variable, domain, (where, by), node.span)
            case t.Fold(_, variable, _, domain, where, value):
                return self._loop(variable, domain, (where, value), node.span)
            case t.If(condition, then, otherwise):
                return 1 + self.steps(condition) + max(self.steps(then), self.steps(otherwise))
            case t.TableRef(name, key):
                return 1 + self.steps(key) + self._table(name)
            case t.Op("can", args):
                return 1 + self._all(args) + self._can(node.name)
            case t.Op(_, args):
                found = 1 + self._all(args) + sum(self.size(a) for a in args if a.type.kind == "set")
                looks = OPERATIONS[node.op].looks
                return found + (self._places if looks == "places" else self.layout.n if looks else 0)
            case t.Words(pieces):
                lightly, self._lightly = self._lightly, False
                found = 1 + sum(len(p) // 10 if isinstance(p, str) else self._spoken(p) for p in pieces)
                self._lightly = lightly
                return found
        return 1 + self._all(children(node))

    def _all(self, nodes: Iterable[Typed]) -> int:
        return sum(self.steps(node) for node in nodes)

    def _spoken(self, node: Typed) -> int:
        if node.type.kind == "text":
            return self.steps(node) + self.letters(node) // 10
        return self.steps(node) + (self.size(node) if node.type.kind in ("set", "list") else 1)

    def letters(self, node: Typed) -> int:
        """The most letters that a text can have."""
        match node:
            case t.Const(str() as text):
                return len(text)
            case t.OptionRef(name):
                return len(str(self.layout.options[name]))
            case t.VarRef(name) if (default := self.model.variables[name].default) is not None:
                return max(MOST_LETTERS, self.letters(default))
            case t.Instance(key):
                return self.letters(self.model.instances[key].body)
            case t.If(_, then, otherwise):
                return max(self.letters(then), self.letters(otherwise))
            case t.TableRef(name):
                return max((self.letters(row.value) for row in self.model.tables[name].rows), default=0)
            case t.Op():
                return max([MOST_LETTERS, *map(self.letters, children(node))])
        return MOST_LETTERS

    def _loop(self, variable: str, domain: Typed, inner: Sequence[Typed | None], span: Span) -> int:
        self._knows(variable, 1)
        lightly, self._lightly = self._lightly, False
        rounds, before = self.size(domain), self.steps(domain)
        each = 1 + sum(self.steps(node) for node in inner)
        self._lightly = lightly
        total = self._blame(before + rounds * each, max(before, each), span)
        return 1 + self.steps(domain) if lightly and self.is_heavy(total) else total

    def _blame(self, total: int, inner: int, span: Span) -> int:
        """Remember the innermost place at which the steps become too many."""
        if total > MOST_STEPS >= inner and self._blamed is None:
            self._blamed = span
        return total

    def _instance(self, key: str, args: tuple[Typed, ...]) -> tuple[int, int]:
        """The steps of the body of a definition, and the size of its value."""
        instance = self.model.instances[key]
        given = args[len(args) - len(instance.params) :]
        sizes = (*(self.size(a) if a.type.kind in ("set", "list") else 1 for a in given), -1 if self._lightly else 0)
        if (key, sizes) not in self._instances:
            for (name, _), members in zip(instance.params, sizes, strict=False):
                self._knows(name, members)
            body = instance.body
            size = self.size(body) if body.type.kind in ("set", "list") else 1
            self._instances[key, sizes] = self.steps(body), size
        return self._instances[key, sizes]

    def _table(self, name: str) -> int:
        table = self.model.tables[name]
        if name not in self._tables:
            self._tables[name] = MOST_STEPS  # should it lead back to itself
            lightly, self._lightly = self._lightly, False
            values = [self.steps(row.value) for row in table.rows]
            rounds = sum(values)
            if table.by is None:  # where the state decides, the whole table is worked out each time
                fixed = all(self._fixed(row.value) for row in table.rows)
                rounds = 1 if fixed else self._cards * max(values, default=0)
            self._tables[name] = rounds + (0 if table.by is None else self.steps(table.by))
            self._lightly = lightly
        return self._tables[name]

    def _fixed(self, node: Typed) -> bool:
        """Whether players and options settle a value."""
        match node:
            case t.Const() | t.OptionRef():
                return True
            case t.TableRef(name, key):
                return self._fixed(key) and self._table(name) == 1
            case t.Op(op, args):
                return op not in ASK_TABLE and all(self._fixed(a) for a in args)
        return False

    def _can(self, asked: str) -> int:
        stage, _, action = asked.partition(".")
        stages = self.model.stages.values() if stage == t.ANYWHERE else (self.model.stages[stage],)
        found = [self.offer(a) for s in stages for a in (*s.actions, *s.anytime) if a.name == action]
        most = max(found, default=0)
        return 1 if self._lightly and self.is_heavy(most) else most

    # ---- steps of effects ---------------------------------------------------------------------------

    def carried(self, effects: Iterable[Effect]) -> int:
        """The most steps that carrying out effects takes."""
        return sum(self._effect(effect) for effect in effects)

    def _effect(self, node: Effect) -> int:
        return self._once(node, self._steps_of)

    def _steps_of(self, node: Effect) -> int:
        match node:
            case t.IfEffect(condition, then, otherwise):
                return 1 + self.steps(condition) + max(self.carried(then), self.carried(otherwise))
            case t.ForEffect(variable, _, domain, where, by, body, span):
                self._knows(variable, 1)
                lightly, self._lightly = self._lightly, False
                rounds, before = self.size(domain), self.steps(domain)
                each = 1 + self.steps(where) + self.steps(by) + self.carried(body)
                self._lightly = lightly
                total = self._blame(before + rounds * each, max(before, each), span)
                return 1 + self.steps(domain) if lightly and self.is_heavy(total) else total
            case t.RunEffect(_, bound, body):
                for name, value in bound:
                    self._knows(name, self.size(value) if value.type.kind in ("set", "list") else 1)
                return 1 + self._all(value for _, value in bound) + self.carried(body)
            case t.Clear(name):
                return 1 + self.layout.variables[name].size
            case t.SetOut() | t.Piece():
                return EVENT + MOST_PIECES + self._parts(node)
            case t.Gather():
                return EVENT + self._cards + self._places
            case t.Deal():
                return EVENT * self.layout.n + 2 * self._cards + self._parts(node)
            case t.Move():
                return self._move(node) + self._parts(node)
            case t.Face() | t.Show():
                several = self._cards if node.what.type.kind == "set" else 1
                return (EVENT + self._places // 4) * several + self._parts(node)
            case t.Shuffle():
                return EVENT + 5 * self._cards + self._parts(node)
            case t.SwapValues():
                return EVENT + self._cards + self._parts(node)
            case t.Note(words):
                return EVENT + self.steps(words)
        return EVENT + self._parts(node)

    def _move(self, node: t.Move) -> int:
        """Cards on their way: each is looked for and told of by itself at worst, and what is empty is filled again."""
        ends = (node.source or node.target, node.target)
        one = node.what is not None and node.what.type.kind == "card"
        packet = 1 if one else max(self._capacities.get(zone.name, self._cards) for zone in ends)
        found = EVENT + sum(self._watched.get(zone.name, 0) for zone in ends) + 5 * packet
        if node.source is None:
            found += packet * self._places // 4
        if node.at_random:
            found += packet * (EVENT + packet)
        if node.source is not None and self.model.zones[node.source.name].refill is not None:
            found += (1 if one else packet) * EVENT + 5 * self._cards
        return found

    def _parts(self, node: Effect) -> int:
        parts = [getattr(node, name) for name in fields(node)]
        found = 0
        for part in parts:
            for inner in part if isinstance(part, tuple) else (part,):
                value = inner[1] if isinstance(inner, tuple) else inner
                if isinstance(value, t.NODES):
                    found += self.steps(value) + (self.size(value) if value.type.kind == "set" else 0)
        return found

    # ---- moves --------------------------------------------------------------------------------------

    def offer(self, action: ActionDef) -> int:
        """The most steps that finding out the lawful moves of an action takes."""
        ways = self.most_ways(action.params) * max((self.most_ways(row.params) for row in action.rows), default=1)
        return min(ways, self.limit(action)) * self.each_move(action)

    def light_move(self, action: ActionDef) -> int:
        """What judging one move takes, but for what counts itself."""
        before, self._lightly = self._lightly, True
        try:
            return self.each_move(action)
        finally:
            self._lightly = before

    def light_offer(self, action: ActionDef) -> int:
        """What finding out the moves of an action takes, but for what counts itself."""
        return self.light_move(action) if self.is_heavy(self.offer(action)) else self.offer(action)

    def listing(self, action: ActionDef) -> int:
        """What each move counts that is found: nothing where there are few in any case."""
        ways = self.most_ways(action.params) * max((self.most_ways(row.params) for row in action.rows), default=1)
        return MADE + 10 * self.layout.n if ways > FEW_MOVES else 0

    def limit(self, action: ActionDef) -> int:
        """How many moves of an action can be listed at once: fewer, where it takes long to see whether one is lawful.

        On honour each of them can be made with and without its words.
        """
        said = sum(p.said for params in (action.params, *(r.params for r in action.rows)) for p in params)
        ways: int = self.ways_to_say(action) * 2**said if self.layout.honor else 1
        most: int = min(MOST_MOVES, LIST_STEPS // self.each_move(action))
        return max(1, most // ways)

    def ways_to_say(self, action: ActionDef) -> int:
        """In how many ways what is owed can be said: right, wrong, or not at all."""
        words = max(len(action.says) + len(row.says) for row in (*action.rows, _NO_ROW))
        found: int = 3 ** min(words, MOST_WORDS)
        return found

    def speaking(self, action: ActionDef) -> int:
        """The most steps that it takes to work out what is said with a move."""
        self.bind(action.params)
        says = (*action.says, *(say for row in action.rows for say in row.says))
        return EVENT + sum(self.steps(say.words) + self.steps(say.when) + self.steps(say.exact) for say in says)

    def each_move(self, action: ActionDef) -> int:
        """The most steps that one move takes until it is known whether it is lawful."""
        key = f"{action.stage}.{action.name}.{action.anytime}.{self._lightly}"
        if key not in self._actions:
            known = dict(self._locals)
            self._actions[key] = self._each_move(action)
            if known != self._locals:
                self._locals = known
                self._known.clear()
        return self._actions[key]

    def _each_move(self, action: ActionDef) -> int:
        self.bind(action.params)
        before = sum(self.steps(p.domain) + self._all(p.bounds or ()) + self._all(p.count or ()) for p in action.params)
        tests = [p.where for p in action.params] + [condition for _, condition in action.when]
        rows = [p for row in action.rows for p in row.params]
        tests += [part for p in rows for part in (p.where, p.domain, *(p.bounds or ()), *(p.count or ()))]
        spoken = self.speaking(action) if self.layout.honor else 0
        found = 1 + before + sum(self.steps(test) for test in tests) + self._all(law.law for law in action.laws)
        return found + spoken

    def bind(self, params: Sequence[ParamDef]) -> None:
        for param in params:
            members = 1
            if param.count is not None:
                high = self._end(param.count[1], least=False)
                most = self._cards if param.domain is None else self.size(param.domain)
                members = most if high is None else max(0, min(most, high))
            self._knows(param.name, members)

    def most_ways(self, params: Sequence[ParamDef]) -> int:
        """The most ways there can be to choose parameters."""
        return prod(max(1, self._ways(p)[1]) for p in params)

    def ways_among(self, param: ParamDef, cards: int) -> int:
        """In how many ways some of so many cards can be chosen for a parameter."""
        return most_subsets(cards, None if param.count is None else self._range(param.count))

    def is_joint(self, action: ActionDef) -> bool:
        """Whether a law looks at what is chosen, so that every choice has to be tried."""
        names = {p.name for p in action.params}
        return any(isinstance(node, t.Local) and node.name in names for law in action.laws for node in walk(law.law))

    def certain_ways(self, params: Sequence[ParamDef]) -> list[int]:
        """How many ways there are to choose each parameter, of those for which that never changes."""
        return [low for low, high in map(self._ways, params) if low == high and low > 1]

    def _range(self, bounds: tuple[Typed, Typed]) -> tuple[int, int] | None:
        try:
            low, high = (self.layout.constant(self._spelt_out(bound)) for bound in bounds)
        except (NotConstant, Unanswerable):
            return None
        return None if low is None or high is None else (low, high)

    def _spelt_out(self, node: Typed) -> Typed:
        """A number with what its definitions say, and with the size of the pack."""
        match node:
            case t.Instance(key, ()):
                return self._spelt_out(self.model.instances[key].body)
            case t.Op("count", (t.Builtin("pack"),)):
                return t.Const(self._cards, t.INTEGER, node.span)
            case t.Op(_, args):
                return t.Op(node.op, tuple(self._spelt_out(a) for a in args), node.type, node.span)
        return node

    def _widest(self, bounds: tuple[Typed, Typed]) -> int:
        """How many numbers a range can hold that depends on the state of play."""
        low, high = self._end(bounds[0], least=True), self._end(bounds[1], least=False)
        return 2 * MOST_MOVES if low is None or high is None else max(0, high - low + 1)

    def _end(self, node: Typed, least: bool) -> int | None:
        """The least or the most that a number can be, as far as that is easy to see."""
        match node:
            case t.VarRef(name):
                variable = self.model.variables[name]
                node = variable.minimum if least else variable.maximum
            case t.Op("count", (inner,)):
                return 0 if least else self.size(inner)
            case t.Op("+", (one, other)):
                ends = self._end(one, least), self._end(other, least)
                return None if None in ends else sum(ends)  # type: ignore[arg-type]
            case t.Op("-", (one, other)):
                end, begin = self._end(one, least), self._end(other, not least)
                return None if end is None or begin is None else end - begin
            case t.Op("item" | "cycle", (_, t.OptionRef(name))):
                numbers = [n for n in self.layout.options[name] or () if type(n) is int]
                return None if not numbers else min(numbers) if least else max(numbers)
        found = self._range((node, node))
        return None if found is None else found[0]

    def _ways(self, param: ParamDef) -> tuple[int, int]:
        """The fewest (1 where that is not known) and the most ways to choose a parameter."""
        low, high = 1, UNCOUNTED
        match param.form:
            case "number":
                found = None if param.bounds is None else self._range(param.bounds)
                if found is None and param.bounds is not None:
                    high = self._widest(param.bounds)
                elif found is not None:
                    low = high = max(0, found[1] - found[0] + 1)
            case "flag":
                low = high = 2
            case "text":
                low = high = 1
            case "choice":
                words = len(param.type.symbols) if param.domain is None else self.size(param.domain)
                low = high = words
            case "cards":
                high = self._cards if param.domain is None else self.size(param.domain)
                if param.count is not None:
                    high = most_subsets(high, self._range(param.count))
            case _:
                high = UNCOUNTED if param.domain is None else self.size(param.domain)
                whole = isinstance(param.domain, t.ZoneRef) and not param.domain.index
                if whole or (isinstance(param.domain, t.Builtin) and param.domain.name != "players"):
                    low = high
        return low + param.optional * (low > 1), high + param.optional

    # ---- the whole game -----------------------------------------------------------------------------

    def check(self, report: Report) -> None:
        """Report every effect, condition and action that can be too much."""
        actions = [a for s in self.model.stages.values() for a in (*s.actions, *s.anytime)]
        if self.layout.n * sum(self.light_offer(action) for action in actions) > MOST_SPENT:
            self.least_charged = 0
        for stage in self.model.stages.values():
            self._stage(stage, report)
        honor = self.model.honor
        if honor is not None:
            penalties = [honor.penalty, *(f.penalty or () for f in honor.laws.values())]
            wrong: WrongClaim = self.layout.settled(honor.wrong_claim)
            penalties.append(() if isinstance(wrong, str) else wrong)
            for effects in penalties:
                self._refuse(self.carried(effects), honor.span, report)
            asked = [honor.claimers, *(f.claimers for f in honor.laws.values())]
            claimers = sum(self.steps(node) for node in asked)  # for everybody against everybody
            self._refuse(self.layout.n**2 * claimers, honor.span, report)
        self._eyes(report)
        for note in walk([self.model.stages, self.model.honor]):
            if isinstance(note, t.Note):
                self.forget()
                self._refuse_said(self.steps(note.words), note.span, report)
        for key, _ in self.model.askable.values():
            instance = self.model.instances[key]
            self._refuse(self.layout.n * self.steps(instance.body), instance.span, report)
        for rule in self.model.requirements:
            self._refuse(self.steps(rule.law), rule.span, report)

    def _refuse(self, steps: int, span: Span, report: Report) -> None:
        if steps > MOST_STEPS:
            message = f"this can take {about(steps)} steps, and {MOST_STEPS:,} are allowed"
            report.error("E521", self._blamed or span, message, STEPS_HINT)
        self._blamed = None

    def _refuse_said(self, steps: int, span: Span, report: Report) -> None:
        """Who sees something, and what is said, is asked again and again, and never counted."""
        if steps > MOST_SAID:
            message = f"this can take {about(steps)} steps, and {MOST_SAID:,} are allowed where it is asked so often"
            report.error("E521", span, message, STEPS_HINT)
        self._blamed = None

    def _eyes(self, report: Report) -> None:
        """Who sees what: asked for every place, of every event and in every view."""
        total, costliest = 0, (0, Span("", 0, 0, 0, 0))
        for name, zone in self.model.zones.items():
            self._refuse_said(self._watched[name], zone.span, report)
            each = self.layout.zones[name].size * self._watched[name]
            total, costliest = total + each, max(costliest, (each, zone.span), key=lambda found: found[0])
        for name, variable in self.model.variables.items():
            self._refuse_said(self.steps(variable.seen_by), variable.span, report)
            each = self.layout.variables[name].size * (self.steps(variable.seen_by) + self.steps(variable.default))
            total, costliest = total + each, max(costliest, (each, variable.span), key=lambda found: found[0])
        for token in self.model.tokens.values():
            self._refuse_said(self.steps(token.seen_by), token.span, report)
            total += self.layout.n * self.steps(token.seen_by)
        for shown in self.model.shown:
            self._refuse_said(self.steps(shown.seen_by), shown.span, report)
            each = self.layout.n * (self.steps(shown.seen_by) + self.steps(self.model.instances[shown.key].body))
            total, costliest = total + each, max(costliest, (each, shown.span), key=lambda found: found[0])
        if not report.failed:
            self._refuse(total, costliest[1], report)

    def _hooks(self, stage: StageDef) -> Iterator[tuple[int, Span]]:
        """What the machine does of itself in a stage: the steps of each condition and effect."""
        for node in (
            stage.when, stage.players, stage.until, stage.first, stage.leader, stage.next_leader, stage.count,
            stage.first_dealer, stage.next_dealer, stage.trump, stage.winners,
        ):  # fmt: skip
            if node is not None:
                yield self.steps(node), node.span
        contests = (a.contest.ties for a in (*stage.actions, *stage.anytime) if a.contest is not None)
        for node in (stage.hands, *contests):
            if node is not None:
                yield self.steps(node), node.span
        for node in (stage.suit, stage.rank, stage.places, stage.scores, stage.turns and stage.turns[0]):
            if node is not None:
                yield self.layout.n * self.steps(node), node.span
        for effects in (stage.setup, stage.cleanup, stage.effect, stage.on_turn, stage.on_trick, stage.resolve):
            if effects:
                yield self.carried(effects), effects[0].span
        for row in stage.score_rows:
            each = EVENT + self.steps(row.points)
            yield self.steps(row.when) + self.steps(row.whom) + self.layout.n * each, row.span

    def weight(self, stage: StageDef) -> int:
        """What an automatic step of a stage counts, besides what its functions count themselves."""
        found = AUTOMATIC
        if stage.kind == "do":  # what is inside may all be run in one step
            found += sum(self.weight(self.model.stages[child]) for child in stage.children)
        elif stage.kind == "repeat":
            found += max(self.weight(self.model.stages[child]) for child in stage.children)
        return found

    def _stage(self, stage: StageDef, report: Report) -> None:
        for steps, span in self._hooks(stage):
            self._refuse(steps, span, report)
        for action in (*stage.actions, *stage.anytime):
            self._action(action, stage, report)

    def _action(self, action: ActionDef, stage: StageDef, report: Report) -> None:
        self.bind(action.params)
        self._moves(action, _NO_ROW, f"the action '{action.name}'", report)
        each = self.each_move(action)
        if each <= MOST_STEPS and all(p.form == "cards" and p.count is None for p in action.params[:2]):
            each *= self.most_ways(action.params[:1])  # all at once, as a set of cards
        self._refuse(each, action.span, report)
        for _, low, high in action.measured:
            self._refuse(self.steps(low) + self.steps(high), action.span, report)
        words = sum(self.steps(say.words) + self.steps(say.when) for say in action.says)
        labels = self._all(condition for condition, _ in action.labels)
        messages = max((self.steps(law.message) for law in action.laws), default=0)
        self._refuse_said(words + labels + messages, action.span, report)
        after = self.carried(stage.on_card) if action.is_play else 0
        self._refuse(self.carried(action.effect) + after, action.span, report)
        for law in action.laws:
            self._refuse(self.carried(law.on_breach), law.span, report)
            self._refuse(self.carried(law.penalty or ()), law.span, report)
            self._refuse(self.steps(law.claimers), law.span, report)
        for row in action.rows:
            self._row(action, row, report)

    def _row(self, action: ActionDef, row: CardRow, report: Report) -> None:
        self._moves(action, row, f"the action '{action.name}' with this row", report)
        self.bind((*action.params, *row.params))
        words = sum(self.steps(say.words) + self.steps(say.when) for say in row.says)
        tests = sum(self.steps(p.where) + self.steps(p.domain) for p in row.params)
        self._refuse_said(words, row.span, report)
        self._refuse(tests, row.span, report)
        self._refuse(self.carried(row.effect), row.span, report)

    def _moves(self, action: ActionDef, row: CardRow, what: str, report: Report) -> None:
        params, span = (*action.params, *row.params), row.span if row.span.line else action.span
        if len(action.says) + len(row.says) > MOST_WORDS:
            message = f"{what} has {len(action.says) + len(row.says)} announcements, and {MOST_WORDS} are allowed"
            report.error("E521", span, message, "say in one text what is said together")
        if len(params) > MOST_PARAMS:
            message = f"{what} has {len(params)} parameters, and {MOST_PARAMS} are allowed"
            report.error("E521", span, message, "let it be chosen in several moves")
            return
        ways = self.certain_ways(params)
        most = self.limit(action)
        if prod(ways) > most:
            found = " x ".join(f"{n:,}" for n in ways)
            number = f"{found} = {about(prod(ways))}" if len(ways) > 1 else found
            report.error("E521", span, f"{what} has {number} moves, and {most:,} are allowed", MOVES_HINT)


_EFFECTS = get_args(Effect)
_NO_ROW = CardRow("else", (), (), (), Span("", 0, 0, 0, 0))


def most_subsets(cards: int, sizes: tuple[int, int] | None) -> int:
    """In how many ways a number of cards, of some sizes, can be chosen from so many at most."""
    low, high = (0, cards) if sizes is None else sizes
    found = 0
    for size in range(max(0, low), min(high, cards) + 1):
        found += comb(cards, size)
        if found > MOST_STEPS:
            break
    return found
