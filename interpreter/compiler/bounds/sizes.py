"""How many there can be: members of a set, numbers of a range, ways to choose a parameter."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from math import comb, prod

from interpreter.base.arithmetic import LARGEST
from interpreter.compiler.bounds.limits import MOST_MOVES, MOST_STEPS, UNCOUNTED
from interpreter.compiler.bounds.ranges import Ranges
from interpreter.compiler.layout import Layout
from interpreter.engine.members import MOST_NUMBERS
from interpreter.engine.pieces import MOST_PIECES
from interpreter.language import typed as t
from interpreter.language.model import ParamDef
from interpreter.language.operations import TAKE_SOME
from interpreter.language.typed import Typed


class Sizes(ABC):
    """Tells of the sets and numbers of one game."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.model = layout.model
        self._cards = len(layout.cards)
        self._capacities = {name: self._capacity(zone.capacity) for name, zone in self.model.zones.items()}
        self.ranges = Ranges(self.layout, self.size)
        self._locals: dict[str, int] = {}
        """How many members the locals have that hold several."""
        self._limits: dict[str, int] = {}
        """The most that locals can be which are numbers, where that is known."""

    def _capacity(self, capacity: Typed | None) -> int:
        found = None if capacity is None else self.layout.known(capacity)
        return self._cards if found is None else max(0, min(self._cards, found))

    # ---- sets -----------------------------------------------------------------------------------

    def members(self, names: Iterable[str]) -> list[tuple[str, int]]:
        """What is known now of how many members locals have."""
        return [(name, self._locals[name]) for name in names if name in self._locals]

    def size(self, node: Typed) -> int:
        """The most members a set, zone or list can have."""
        match node:
            case t.ZoneRef(name, index):
                if node.type == t.CARDS:
                    return self._capacities.get(name, self._cards)
                return prod(self.layout.zones[name].sizes[len(index) :])
            case t.Op("group", args):
                return len(args)
            case t.Op("union", args):
                found, item = sum(map(self.size, args)), node.type.item
                return found if item is None or item.kind == "integer" else min(found, self._size_of(node.type))
            case t.Op("without", (group, _)):
                return self.size(group)
            case t.Op("numbers", (low, high)) if low.type.kind != "rank":
                return min(MOST_NUMBERS, self._numbers((low, high))[1])
            case t.Op("subsets", (group, *sizes)):
                return most_subsets(self.size(group), self._sizes(sizes))
            case t.Op(op, (number, group)) if op in TAKE_SOME:
                most = self._most(number)
                return self.size(group) if most is None else max(0, min(most, self.size(group)))
            case t.OptionRef(name) if node.type.kind == "list":
                return len(self.layout.options[name] or ())
            case t.Op("option of") if node.type.kind == "list":
                return max(len(own or ()) for own in self.layout.options[node.name])
            case t.Const(value) if value is None or isinstance(value, tuple):
                return len(value or ())
            case t.Local(name) if name in self._locals:
                return self._locals[name]
            case t.Select("first", _, _, domain):  # it is a set itself, where it is one of several
                return self._members_of_each(domain)
            case t.Select(_, _, _, domain):
                return self.size(domain)
            case t.If(_, then, otherwise):
                return max(self.size(then), self.size(otherwise))
            case t.Let(variable, value, body):
                self._knows(variable, self._members(value))
                return self.size(body)
            case t.Instance():
                return self._answer_size(node)
        return self._size_of(node.type)

    @abstractmethod
    def _knows(self, name: str, members: int) -> None:
        """From here on, a local has so many members at most."""

    @abstractmethod
    def _answer_size(self, node: t.Instance) -> int:
        """The most members of what a definition answers."""

    def _members(self, node: Typed) -> int:
        """How many things a value holds at most; 1 for what is neither a set nor a list."""
        return self.size(node) if node.type.kind in ("set", "list") else 1

    def _members_of_each(self, domain: Typed) -> int:
        """The most members that one of what a loop goes through has; 1 for what is no set."""
        match domain:
            case t.Op("subsets", (group, *sizes)):
                return min(self.size(group), self._sizes(sizes)[1])
            case t.Select(_, _, _, inner):
                return self._members_of_each(inner)
        item = domain.type.item
        return self._size_of(item) if item is not None and item.kind == "set" else 1

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
            case "place" if item.zone in self.layout.zones:
                return self.layout.zones[item.zone].size
        return UNCOUNTED

    # ---- numbers --------------------------------------------------------------------------------

    def _exactly(self, bounds: tuple[Typed, Typed]) -> tuple[int, int] | None:
        """Two numbers, if both never change."""
        (low, same), (high, alike) = (self.ranges.of(bound) for bound in bounds)
        return (low, high) if low == same and high == alike else None

    def _most(self, node: Typed) -> int | None:
        """The most that a number can be; None if that is not known."""
        most = min(self.ranges.of(node)[1], self._limit_of(node))
        return None if most == LARGEST else most

    def _limit_of(self, node: Typed) -> int:
        """The most that a number can be which is a local, or a little more or less than one."""
        match node:
            case t.Local(name):
                return self._limits.get(name, LARGEST)
            case t.Op("+" | "-" as op, (inner, t.Const(value))) if type(value) is int:
                most = self._limit_of(inner)
                return LARGEST if most == LARGEST else most + value if op == "+" else most - value
        return LARGEST

    # ---- ways to choose -------------------------------------------------------------------------

    def most_ways(self, params: Sequence[ParamDef]) -> int:
        """The most ways there can be to choose parameters."""
        return prod(max(1, self._ways(param)[1]) for param in params)

    def certain_ways(self, params: Sequence[ParamDef]) -> list[int]:
        """How many ways there are to choose each parameter, of those for which that never changes."""
        return [low for low, high in map(self._ways, params) if low == high and low > 1]

    def ways_among(self, param: ParamDef, cards: int) -> int:
        """In how many ways some of so many cards can be chosen for a parameter."""
        return most_subsets(cards, None if param.count is None else self._exactly(param.count))

    def _ways(self, param: ParamDef) -> tuple[int, int]:
        """The fewest (1 where that is not known) and the most ways to choose a parameter."""
        low, high = 1, UNCOUNTED if param.domain is None else self.size(param.domain)
        match param.form:
            case "number":
                if param.bounds is not None:
                    low, high = self._numbers(param.bounds)
            case "flag":
                low = high = 2
            case "text":
                high = 1
            case "meld" | "melds":  # how many there are is counted in play
                high = 2 * MOST_MOVES
            case "choice":
                low = high = len(param.type.symbols) if param.domain is None else high
            case "cards":
                high = self._chosen(param)
                high = high if param.count is None else self.ways_among(param, high)
            case _:
                whole = isinstance(param.domain, t.ZoneRef) and not param.domain.index
                if whole or (isinstance(param.domain, t.Builtin) and param.domain.name != "players"):
                    low = high
        return low + param.optional * (low > 1), high + param.optional

    def _sizes(self, sizes: Sequence[Typed]) -> tuple[int, int]:
        """How large sets are that are made of another: at least and at most, as far as it has so many members."""
        low, most = self.ranges.of(sizes[0])[0], self._most(sizes[1]) if len(sizes) > 1 else None
        return low, 2 * MOST_MOVES if most is None else most

    def _chosen(self, param: ParamDef) -> int:
        """How many cards there are to choose from at most."""
        return self._cards if param.domain is None else self.size(param.domain)

    def _numbers(self, bounds: tuple[Typed, Typed]) -> tuple[int, int]:
        """How many numbers a range holds: at least (1 where it depends on the state of play), and at most."""
        found = self._exactly(bounds)
        if found is not None:
            number = max(0, found[1] - found[0] + 1)
            return number, number
        low, high = self.ranges.of(bounds[0])[0], self._most(bounds[1])
        return 1, 2 * MOST_MOVES if low == -LARGEST or high is None else max(0, high - low + 1)


def most_subsets(cards: int, sizes: tuple[int, int] | None) -> int:
    """In how many ways a number of cards, of some sizes, can be chosen from so many at most."""
    low, high = (0, cards) if sizes is None else sizes
    if cards == UNCOUNTED:  # nothing is known of how many there are, and they may be enough
        low = min(low, cards // 2)
    found = 0
    for size in range(max(0, low), min(high, cards) + 1):
        found += comb(cards, size)
        if found > MOST_STEPS:
            break
    return found
