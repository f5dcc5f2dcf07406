"""How much the rules of a game can take at most: steps of an effect or a condition, moves of an action.

Nothing of this costs anything in play. A loop takes as many steps as what it goes through can have members, and that
is known for each game: a zone holds its capacity, or the pack. What would take too long is refused with its place
before anything is worked out; where only the match can tell how many moves there are, the compiler puts a count into
the functions of that action, and of no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import comb, prod

from interpreter import typed as t
from interpreter.compile.constant import Unanswerable
from interpreter.compile.layout import Layout, NotConstant, about
from interpreter.compile.operations import STATEFUL
from interpreter.diagnostics import Report, Span
from interpreter.model import ActionDef, CardRow, ParamDef, StageDef, WrongClaim
from interpreter.run.cards import MOST_PIECES
from interpreter.tree import fields
from interpreter.typed import Effect, Typed, children

MOST_STEPS = 10_000_000
"""What one effect or condition may take, in steps of the smallest kind."""
MOST_MOVES = 100_000
"""How many moves an action may offer at once."""
LIST_STEPS = 3 * MOST_STEPS
"""What a list of moves may take."""
LIGHT = 10_000
"""What the effects of a stage may take to count as one automatic step."""
MOST_PARAMS = 12
MOST_WORDS = 8
"""How many announcements a move may owe: on honour each is said, missing or wrong."""
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
        self._instances: dict[tuple[str, tuple[int, ...]], tuple[int, int]] = {}
        self._tables: dict[str, int] = {}
        self._actions: dict[str, int] = {}
        self._blamed: Span | None = None

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
        match node:
            case None:
                return 0
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
                return 1 + self._all(args) + sum(self.size(a) for a in args if a.type.kind == "set")
            case t.Words(pieces):
                return 1 + sum(len(p) // 10 if isinstance(p, str) else self._spoken(p) for p in pieces)
        return 1 + self._all(children(node))

    def _all(self, nodes: Iterable[Typed]) -> int:
        return sum(self.steps(node) for node in nodes)

    def _spoken(self, node: Typed) -> int:
        return self.steps(node) + (self.size(node) if node.type.kind in ("set", "list") else 1)

    def _loop(self, variable: str, domain: Typed, inner: Sequence[Typed | None], span: Span) -> int:
        self._locals[variable] = 1
        rounds, before = self.size(domain), self.steps(domain)
        each = 1 + sum(self.steps(node) for node in inner)
        return self._blame(before + rounds * each, max(before, each), span)

    def _blame(self, total: int, inner: int, span: Span) -> int:
        """Remember the innermost place at which the steps become too many."""
        if total > MOST_STEPS >= inner and self._blamed is None:
            self._blamed = span
        return total

    def _instance(self, key: str, args: tuple[Typed, ...]) -> tuple[int, int]:
        """The steps of the body of a definition, and the size of its value."""
        instance = self.model.instances[key]
        given = args[len(args) - len(instance.params) :]
        sizes = tuple(self.size(a) if a.type.kind in ("set", "list") else 1 for a in given)
        if (key, sizes) not in self._instances:
            self._locals.update(zip((name for name, _ in instance.params), sizes, strict=True))
            body = instance.body
            size = self.size(body) if body.type.kind in ("set", "list") else 1
            self._instances[key, sizes] = self.steps(body), size
        return self._instances[key, sizes]

    def _table(self, name: str) -> int:
        table = self.model.tables[name]
        if name not in self._tables:
            self._tables[name] = MOST_STEPS  # should it lead back to itself
            values = [self.steps(row.value) for row in table.rows]
            rounds = sum(values)
            if table.by is None:  # where the state decides, the whole table is worked out each time
                fixed = all(self._fixed(row.value) for row in table.rows)
                rounds = 1 if fixed else self._cards * max(values, default=0)
            self._tables[name] = rounds + (0 if table.by is None else self.steps(table.by))
        return self._tables[name]

    def _fixed(self, node: Typed) -> bool:
        """Whether players and options settle a value."""
        match node:
            case t.Const() | t.OptionRef():
                return True
            case t.TableRef(name, key):
                return self._fixed(key) and self._table(name) == 1
            case t.Op(op, args):
                return op not in STATEFUL and all(self._fixed(a) for a in args)
        return False

    def _can(self, asked: str) -> int:
        stage, _, action = asked.partition(".")
        stages = self.model.stages.values() if stage == t.ANYWHERE else (self.model.stages[stage],)
        found = [a for s in stages for a in (*s.actions, *s.anytime) if a.name == action]
        return max((self.offer(a) for a in found), default=0)

    # ---- steps of effects ---------------------------------------------------------------------------

    def carried(self, effects: Iterable[Effect]) -> int:
        """The most steps that carrying out effects takes."""
        return sum(self._effect(effect) for effect in effects)

    def _effect(self, node: Effect) -> int:
        match node:
            case t.IfEffect(condition, then, otherwise):
                return 1 + self.steps(condition) + max(self.carried(then), self.carried(otherwise))
            case t.ForEffect(variable, _, domain, where, by, body, span):
                self._locals[variable] = 1
                rounds, before = self.size(domain), self.steps(domain)
                each = 1 + self.steps(where) + self.steps(by) + self.carried(body)
                return self._blame(before + rounds * each, max(before, each), span)
            case t.RunEffect(_, bound, body):
                for name, value in bound:
                    self._locals[name] = self.size(value) if value.type.kind in ("set", "list") else 1
                return 1 + self._all(value for _, value in bound) + self.carried(body)
            case t.Clear(name):
                return 1 + self.layout.variables[name].size
            case t.SetOut() | t.Piece():
                return EVENT + MOST_PIECES + self._parts(node)
            case t.Gather():
                return EVENT + self._cards + sum(family.size for family in self.layout.zones.values())
            case t.Deal():
                return EVENT * self.layout.n + 2 * self._cards + self._parts(node)
            case t.Move(_, _, source, target):
                packet = max(self._capacities.get(z.name, self._cards) for z in (source or target, target))
                return EVENT + packet + self._parts(node)
            case t.Shuffle() | t.Face() | t.Show() | t.SwapValues():
                return EVENT + self._cards + self._parts(node)
        return EVENT + self._parts(node)

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
        return min(self.most_ways(action.params), self.limit(action)) * self.each_move(action)

    def limit(self, action: ActionDef) -> int:
        """How many moves of an action can be listed at once: fewer, where it takes long to see whether one is lawful.

        On honour each of them can be made with and without its words.
        """
        said = sum(p.said for params in (action.params, *(r.params for r in action.rows)) for p in params)
        words = max(len(action.says) + len(row.says) for row in (*action.rows, _NO_ROW))
        ways = 3 ** min(words, MOST_WORDS) * 2**said if self.layout.honor else 1
        return max(1, min(MOST_MOVES, LIST_STEPS // self.each_move(action)) // ways)

    def each_move(self, action: ActionDef) -> int:
        """The most steps that one move takes until it is known whether it is lawful."""
        key = f"{action.stage}.{action.name}.{action.anytime}"
        if key not in self._actions:
            known = dict(self._locals)
            self._actions[key] = self._each_move(action)
            self._locals = known
        return self._actions[key]

    def _each_move(self, action: ActionDef) -> int:
        self.bind(action.params)
        before = sum(self.steps(p.domain) + self._all(p.bounds or ()) + self._all(p.count or ()) for p in action.params)
        tests = [p.where for p in action.params] + [condition for _, condition in action.when]
        return 1 + before + sum(self.steps(test) for test in tests) + self._all(law.law for law in action.laws)

    def bind(self, params: Sequence[ParamDef]) -> None:
        for param in params:
            self._locals[param.name] = 1
            if param.count is not None:
                low_high = self._range(param.count)
                most = self._cards if param.domain is None else self.size(param.domain)
                self._locals[param.name] = most if low_high is None else max(0, min(most, low_high[1]))

    def most_ways(self, params: Sequence[ParamDef]) -> int:
        """The most ways there can be to choose parameters."""
        return prod(max(1, self._ways(p)[1]) for p in params)

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
        for stage in self.model.stages.values():
            self._stage(stage, report)
        honor = self.model.honor
        if honor is not None:
            penalties = [honor.penalty, *(f.penalty or () for f in honor.laws.values())]
            wrong: WrongClaim = self.layout.settled(honor.wrong_claim)
            penalties.append(() if isinstance(wrong, str) else wrong)
            for effects in penalties:
                self._refuse(self.carried(effects), honor.span, report)
            self._refuse(self.steps(honor.claimers), honor.span, report)
        for name, zone in self.model.zones.items():
            eyes = self.steps(zone.seen_by) + self.steps(zone.count_seen_by) + self.steps(zone.capacity)
            self._refuse(self.layout.zones[name].size * eyes, zone.span, report)
        for name, variable in self.model.variables.items():
            eyes = self.steps(variable.seen_by) + self.steps(variable.default)
            self._refuse(self.layout.variables[name].size * eyes, variable.span, report)
        for shown in self.model.shown:
            self._refuse(self.layout.n * self.steps(shown.seen_by), shown.span, report)
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
        """As how many automatic steps one of the stage's counts."""
        found = 1 + sum(steps for steps, _ in self._hooks(stage)) // LIGHT
        self._blamed = None
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
        self._refuse(words + labels + messages, action.span, report)
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
        self._refuse(words + tests, row.span, report)
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
