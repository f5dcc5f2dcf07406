"""How many there can be: members of a set, numbers of a range, ways to choose a parameter."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from math import comb, prod

from interpreter.compiler.bounds.limits import MOST_MOVES, MOST_STEPS, UNCOUNTED
from interpreter.compiler.layout import Layout
from interpreter.engine.pieces import MOST_PIECES
from interpreter.language import typed as t
from interpreter.language.model import ParamDef
from interpreter.language.typed import Typed


class Sizes(ABC):
    """Tells of the sets and numbers of one game."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.model = layout.model
        self._cards = len(layout.cards)
        self._capacities = {name: self._capacity(zone.capacity) for name, zone in self.model.zones.items()}
        self._locals: dict[str, int] = {}
        """How many members the locals have that hold several."""

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
            case t.Instance():
                return self._answer_size(node)
        return self._size_of(node.type)

    @abstractmethod
    def _answer_size(self, node: t.Instance) -> int:
        """The most members of what a definition answers."""

    def _members(self, node: Typed) -> int:
        """How many things a value holds at most; 1 for what is neither a set nor a list."""
        return self.size(node) if node.type.kind in ("set", "list") else 1

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

    def _range(self, bounds: tuple[Typed, Typed]) -> tuple[int, int] | None:
        """Two numbers, if options and players settle both."""
        low, high = (self.layout.known(self._spelt_out(bound)) for bound in bounds)
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

    # ---- ways to choose -------------------------------------------------------------------------

    def most_ways(self, params: Sequence[ParamDef]) -> int:
        """The most ways there can be to choose parameters."""
        return prod(max(1, self._ways(param)[1]) for param in params)

    def certain_ways(self, params: Sequence[ParamDef]) -> list[int]:
        """How many ways there are to choose each parameter, of those for which that never changes."""
        return [low for low, high in map(self._ways, params) if low == high and low > 1]

    def ways_among(self, param: ParamDef, cards: int) -> int:
        """In how many ways some of so many cards can be chosen for a parameter."""
        return most_subsets(cards, None if param.count is None else self._range(param.count))

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

    def _chosen(self, param: ParamDef) -> int:
        """How many cards there are to choose from at most."""
        return self._cards if param.domain is None else self.size(param.domain)

    def _numbers(self, bounds: tuple[Typed, Typed]) -> tuple[int, int]:
        """How many numbers a range holds: at least (1 where it depends on the state of play), and at most."""
        found = self._range(bounds)
        if found is not None:
            number = max(0, found[1] - found[0] + 1)
            return number, number
        low, high = self._end(bounds[0], least=True), self._end(bounds[1], least=False)
        return 1, 2 * MOST_MOVES if low is None or high is None else max(0, high - low + 1)


def most_subsets(cards: int, sizes: tuple[int, int] | None) -> int:
    """In how many ways a number of cards, of some sizes, can be chosen from so many at most."""
    low, high = (0, cards) if sizes is None else sizes
    found = 0
    for size in range(max(0, low), min(high, cards) + 1):
        found += comb(cards, size)
        if found > MOST_STEPS:
            break
    return found
