"""The most steps that working out an expression takes."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from interpreter.base.diagnostics import Span
from interpreter.compiler.bounds.limits import EVENT, FEW_CARDS, LEAST_LIGHT, MOST_LIGHT, MOST_STEPS, SEARCHED, SUBSET
from interpreter.compiler.bounds.sizes import Sizes
from interpreter.compiler.layout import Layout
from interpreter.compiler.meld_kinds import wild_among
from interpreter.compiler.trick_suits import held_of_suit
from interpreter.engine.budget import MOST_LETTERS, MOST_SPENT
from interpreter.language import typed as t
from interpreter.language.check.equal_cards import go_by_face
from interpreter.language.check.written_out import with_definitions
from interpreter.language.model import ActionDef
from interpreter.language.operations import ASK_TABLE, OPERATIONS, TELL_EQUAL_CARDS
from interpreter.language.typed import Effect, Typed, children, walk

_FAR = ("melds", "moves", "sets")
"""What operations look over that is not there already: they take more than their parts take, and what these hold."""
MOST_NAME = 100
"""Letters of what is named in a text: a player, a card, a number."""
MATCH = "match"
Added = TypeVar("Added", bound="Typed | Effect")


class Steps(Sizes):
    """Adds up the steps of expressions."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self._known: dict[tuple[int, bool], tuple[Typed | Effect, int]] = {}
        """What has been added up, by what it is of and how; for these locals."""
        self._instances: dict[tuple[str, tuple[int | None, ...]], tuple[int, int]] = {}
        """By definition, and members and most of what it is given: for as many numbers as it is given somewhere."""
        self._tables: dict[str, int] = {}
        self.blamed: Span | None = None
        """The innermost place at which steps became too many."""
        self._lightly = False
        """Whether only what is not counted in play is being added up."""
        actions = sum(1 + len(a.rows) for s in self.model.stages.values() for a in (*s.actions, *s.anytime))
        self.least_heavy = max(LEAST_LIGHT, min(MOST_LIGHT, MOST_SPENT // max(1, actions * layout.n)))
        self._copies = max(Counter(layout.first_copy).values(), default=1)
        """How many equal cards there are of one at most."""
        self._places = sum(family.size for family in layout.zones.values())
        self.stage = ""
        """Whose rules are added up: there it is known who takes part."""
        self._taking_part: dict[tuple[str, bool], int] = {}
        """What finding out who takes part takes, by stage, all of it or what is not counted in play."""
        narrowing = [stage.players for stage in self.model.stages.values() if stage.players is not None]
        if narrowing:
            self._find_taking_part(narrowing)

    @property
    def who_takes_part(self) -> int:
        """The most steps that finding out who takes part takes."""
        return self._taking_part.get((self.stage, self._lightly), 0)

    @contextmanager
    def rules_of(self, stage: str) -> Iterator[None]:
        """Within, the rules of a stage are added up; "" for those that belong to none."""
        before, self.stage = self.stage, stage
        self._known.clear()
        try:
            yield
        finally:
            self.stage = before
            self._known.clear()

    def _find_taking_part(self, narrowing: Sequence[Typed]) -> None:
        """What it takes in each stage; in one that is called, those around any other may be around it.

        narrowing: what stages say of who takes part. Twice where moves are asked about there, whose rules may ask that.
        """
        stages = self.model.stages
        inside = {child for stage in stages.values() for child in stage.children}
        called = [name for name in stages if name not in inside and name != MATCH]
        parts = (part for node in narrowing for part in with_definitions(node, self.model))
        asked = any(isinstance(part, t.Op) and part.op == "can" for part in parts)
        for _ in range(1 + asked):
            self._settle_players(MATCH, (0, 0))
            most = self._most_taking_part()
            for name in called:
                self._settle_players(name, most)
            self._taking_part["", False], self._taking_part["", True] = self._most_taking_part()
            self.forget_all()

    def _most_taking_part(self) -> tuple[int, int]:
        of = self._taking_part
        return max(of[at] for at in of if not at[1]), max(of[at] for at in of if at[1])

    def _settle_players(self, name: str, around: tuple[int, int]) -> None:
        """around: what it takes around the stage, all added up, and what is not counted in play."""
        stage, outside = self.model.stages[name], around_of(name)
        self._taking_part[outside, False], self._taking_part[outside, True] = around
        if stage.players is not None:
            with self.rules_of(outside):
                total = self.steps(stage.players)
                with self._adding_up(lightly=True):
                    around = total, min(self.steps(stage.players), EVENT)
        self._taking_part[name, False], self._taking_part[name, True] = around
        for child in stage.children:
            self._settle_players(child, around)

    def forget_all(self) -> None:
        """Nothing is known any more of what anything takes."""
        self.forget()
        self._instances.clear()
        self._tables.clear()

    def is_heavy(self, steps: int) -> bool:
        """Whether something takes so many steps at most that they are counted in play."""
        return steps > self.least_heavy

    def counts_rounds(self, domain: Typed, steps: int) -> bool:
        """Whether the rounds of a loop are counted in play. steps: what it takes at most.

        Of melds nobody knows beforehand how many there are.
        """
        return self.is_heavy(steps) or domain.type.item == t.MELD

    @contextmanager
    def _adding_up(self, lightly: bool) -> Iterator[None]:
        """Within, everything is added up, or only what is not counted in play."""
        before, self._lightly = self._lightly, lightly
        try:
            yield
        finally:
            self._lightly = before

    def forget(self) -> None:
        """What follows is printed for whatever it may be given."""
        self._locals.clear()
        self._limits.clear()
        self._known.clear()

    @contextmanager
    def _limited(self, numbers: Iterable[tuple[str, int | None]]) -> Iterator[None]:
        """Within, some locals are at most so much; None where that is not known.

        Not outside of it: what is printed there once may be given other numbers elsewhere.
        """
        limits = {name: most for name, most in numbers if most is not None}
        before = self._limits
        if limits:
            self._limits = {**before, **limits}
            self._known.clear()
        yield
        if limits:
            self._limits = before
            self._known.clear()

    def _knows(self, name: str, members: int) -> None:
        """From here on, a local has so many members at most."""
        if self._locals.get(name) != members:
            self._locals[name] = members
            self._known.clear()

    def steps(self, node: Typed | None) -> int:
        """The most steps that working out an expression takes."""
        return 0 if node is None else self._once(node, self._steps)

    def all(self, nodes: Iterable[Typed | None]) -> int:
        """The most steps that working out each of some expressions takes."""
        return sum(map(self.steps, nodes))

    def _once(self, node: Added, count: Callable[[Added], int]) -> int:
        """What is added up for a node, which whatever it stands in asks again.

        What is too much is not kept: each time it is found where that begins.
        """
        key = id(node), self._lightly
        known = self._known.get(key)
        if known is not None:
            return known[1]
        found = count(node)
        if found <= MOST_STEPS:
            self._known[key] = node, found
        return found

    def _steps(self, node: Typed) -> int:
        match node:
            case t.Op("void"):
                return 1 + self.steps(held_of_suit(self.model, node))
            case t.Op():
                return self._operation(node)
            case t.Builtin("players"):
                return 1 + self.who_takes_part
            case t.Instance(_, args):
                return 1 + self.all(args) + self._instance(node)[0]
            case (
                t.Quant(_, variable, _, domain, where, value)
                | t.Select(_, variable, _, domain, where, value)
                | t.Fold(_, variable, _, domain, where, value)
            ):
                searched = SEARCHED if isinstance(node, t.Fold) and node.outside else 0
                return searched + self._loop(variable, domain, lambda: self.all((where, value)), node.span)
            case t.If(condition, then, otherwise):
                return 1 + self.steps(condition) + max(self.steps(then), self.steps(otherwise))
            case t.Let(variable, value, body):
                self._knows(variable, self._members(value))
                return 1 + self.steps(value) + self.steps(body)
            case t.TableRef(name, key):
                return 1 + self.steps(key) + self._table(name)
            case t.Words(pieces):
                with self._adding_up(lightly=False):
                    return 1 + sum(len(p) // 10 if isinstance(p, str) else self._spoken(p) for p in pieces)
        return 1 + self.all(children(node))

    def _operation(self, node: t.Op) -> int:
        row, args = OPERATIONS[node.op], node.args
        if (looks := row.looks) in _FAR:
            return self._looking_far(node, looks)
        looked_through = ("set", "list") if row.lists else ("set",)
        found = 1 + self.all(args)
        for arg in args:
            if arg.type.kind in looked_through:
                found += self.size(arg)
        if self._copies > 1 and node.op in TELL_EQUAL_CARDS and go_by_face(node, self.model.instances):
            found += min(self._cards, self.size(args[-1]) * self._copies)
        if row.asks == "variable":
            found += self.who_takes_part
        lying = self._places + max(0, self._cards - FEW_CARDS) // 2  # of cards that have an order each is looked at
        return found + (lying if looks == "places" else self.layout.n if looks else 0)

    def _looking_far(self, node: t.Op, looks: str) -> int:
        match looks:
            case "melds":
                return SEARCHED + self.all(node.args) + self._wild()
            case "moves":
                return 1 + self.all(node.args) + self._can(node.name)
        made = SUBSET * self.size(node)
        if made > MOST_STEPS and self.blamed is None:
            self.blamed = node.span
        return 1 + self.all(node.args) + (0 if self._lightly and self.is_heavy(made) else made)

    def _wild(self) -> int:
        """What it takes to find out which cards stand for others in melds, where that changes."""
        found = 0
        for kind in self.model.melds.values():
            if kind.wild is not None and not all(map(_never_changes, walk(kind.wild))):
                steps = self.steps(wild_among(kind))
                found += min(steps, EVENT) if self._lightly else steps
        return found

    def _spoken(self, node: Typed) -> int:
        return self.steps(node) + (self.letters(node) // 10 if node.type.kind == "text" else self._members(node))

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
            case t.Words(pieces):
                return sum(len(p) if isinstance(p, str) else self._letters_in(p) for p in pieces)
            case t.Let():
                return max(self.letters(node.value), self.letters(node.body))
            case t.TableRef(name):
                return max((self.letters(row.value) for row in self.model.tables[name].rows), default=0)
            case t.Op():
                return max([MOST_LETTERS, *map(self.letters, children(node))])
        return MOST_LETTERS

    def _letters_in(self, node: Typed) -> int:
        """The most letters of a value in a text: each member of a set is named."""
        return self.letters(node) * self._members(node) if node.type.kind in ("text", "set", "list") else MOST_NAME

    def _loop(self, variable: str, domain: Typed, inner: Callable[[], int], span: Span) -> int:
        """The steps of a loop. inner: tells those of one round."""
        self._knows(variable, self._members_of_each(domain))
        with self._adding_up(lightly=False):
            rounds, before = self.size(domain), self.steps(domain)
            with self._limited([(variable, self._most_of_each(domain))]):
                each = 1 + inner()
        total = before + rounds * each
        if total > MOST_STEPS >= max(before, each) and self.blamed is None:
            self.blamed = span
        return 1 + self.steps(domain) if self._lightly and self.counts_rounds(domain, total) else total

    def _most_of_each(self, domain: Typed) -> int | None:
        """The most that each of the numbers is through which a loop goes."""
        match domain:
            case t.Op("numbers", (low, high)) if low.type.kind == "integer":
                return self._most(high)
        return None

    def _answer_size(self, node: t.Instance) -> int:
        return self._instance(node)[1]

    def _instance(self, node: t.Instance) -> tuple[int, int]:
        """The steps of the body of a definition, and the size of its value."""
        instance = self.model.instances[node.key]
        given = node.args[len(node.args) - len(instance.params) :]
        limits: list[int | None] = [self._most(arg) if arg.type.kind == "integer" else None for arg in given]
        members = tuple(map(self._members, given))
        key = f"{node.key} {self.stage}", (*members, *limits, -1 if self._lightly else 0)
        if key not in self._instances:
            names = [name for name, _ in instance.params]
            for name, number in zip(names, members, strict=False):
                self._knows(name, number)
            with self._limited(zip(names, limits, strict=False)):
                size = self._members(instance.body)
                self._instances[key] = self.steps(instance.body), size
        return self._instances[key]

    def _table(self, name: str) -> int:
        table = self.model.tables[name]
        if name not in self._tables:
            self._tables[name] = MOST_STEPS  # should it lead back to itself
            with self._adding_up(lightly=False), self.rules_of(""):
                values = [self.steps(row.value) for row in table.rows]
                rounds = sum(values)
                if table.by is None:  # where the state decides, the whole table is worked out each time
                    fixed = all(self._fixed(row.value) for row in table.rows)
                    rounds = 1 if fixed else self._cards * max(values, default=0)
                self._tables[name] = rounds + self.steps(table.by)
        return self._tables[name]

    def _fixed(self, node: Typed) -> bool:
        """Whether players and options settle a value."""
        match node:
            case t.Const() | t.OptionRef():
                return True
            case t.TableRef(name, key):
                return self._fixed(key) and self._table(name) == 1
            case t.Op(op, args):
                return op not in ASK_TABLE and all(map(self._fixed, args))
        return False

    def _can(self, asked: str) -> int:
        stage, _, action = asked.partition(".")
        stages = self.model.stages.values() if stage == t.ANYWHERE else (self.model.stages[stage],)
        most = max((self.offer(a) for s in stages for a in (*s.actions, *s.anytime) if a.name == action), default=0)
        return 1 if self._lightly and self.is_heavy(most) else most

    @abstractmethod
    def offer(self, action: ActionDef) -> int:
        """The most steps that finding out the lawful moves of an action takes."""


def around_of(stage: str) -> str:
    """What the rules are called that a stage finds around it, when it chooses who takes part in it."""
    return f"around {stage}"


def _never_changes(part: object) -> bool:
    """Whether a part of a condition on a card adds nothing that play may change."""
    return part.op not in ASK_TABLE if isinstance(part, t.Op) else isinstance(part, t.Const | t.OptionRef | t.Local)
