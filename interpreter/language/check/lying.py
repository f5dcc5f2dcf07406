"""Where the cards of a set may lie, and whether the order in which they are gone through could tell of hidden ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from interpreter.language import typed as t
from interpreter.language.check.hiding import is_public
from interpreter.language.check.kinds import holds_card
from interpreter.language.check.written_out import bound, spoken, with_definitions
from interpreter.language.model import Model, ZoneDef
from interpreter.language.operations import BY_CHANCE, TAKE_OF_FIRST, TAKE_ONE, TAKE_SOME, asking
from interpreter.language.tree import values_of
from interpreter.language.typed import Effect, Typed, said, walk

Place = tuple[str, Any]
"""A zone, and which of its places is meant: equal where the same is said."""
Places = frozenset[Place] | None
"""Where cards may lie; None: anywhere."""
OF_SOME = TAKE_SOME
"""Operations that take some of the cards that are their second argument."""
OF_GROUP = TAKE_OF_FIRST | TAKE_ONE - BY_CHANCE
"""Operations that take some of the cards that are their first argument."""
_ASKED_WHERE = asking("holders", "lying")


class _Named(NamedTuple):
    """A name that is spoken of, with what it may stand for. before: as that lay when it was named."""

    name: str
    values: Iterable[Typed]
    before: bool


class Lying:
    """Looks for where cards lie, in the expressions of one ruleset."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._hidden = frozenset(name for name, zone in model.zones.items() if is_hidden(zone))
        self._owned = frozenset(name for name in self._hidden if model.zones[name].dims[:1] == ("player",))
        """The hidden zones of which each player has one."""
        self._places: dict[tuple[str, tuple[Places, ...]], Places] = {}
        self._zones: dict[int, tuple[Typed, frozenset[str]]] = {}
        self._ordered: dict[str, bool] = {}

    @cached_property
    def _values(self) -> dict[str, list[Typed]]:
        """Names -> what they may stand for."""
        model = self._model
        return bound(walk([model.stages, model.instances, model.honor, model.zones, model.variables]), model.instances)

    # ---- whether an order could tell ------------------------------------------------------------

    def is_apart(self, node: Typed) -> bool:
        """Whether cards that are gone through may lie in several places, not all of which everybody sees.

        What has an order that the rules give, by `by`, keeps it.
        """
        if not self._hidden or self.has_order(node):
            return False
        found = self.places(node)
        return found is None or (len(found) > 1 and any(name in self._hidden for name, _ in found))

    def is_named(self, node: Typed) -> bool:
        """Whether cards are meant by what they are alone, wherever they lie."""
        return not any(_asks_where(part) for part in with_definitions(node, self._model))

    def has_order(self, node: Typed) -> bool:
        """Whether the rules may say in which order cards come."""
        match node:
            case t.Select("all", _, _, domain, _, by):
                return by is not None or self.has_order(domain)
            case t.If(_, then, otherwise):
                return self.has_order(then) or self.has_order(otherwise)
            case t.Let():
                return self.has_order(node.body)
            case t.Op(op, (_, group)) if op in OF_SOME:
                return self.has_order(group)
            case t.Op("without" | "subsets" | "group", (group, *_)):
                return self.has_order(group)
            case t.Op("union", args):
                return any(self.has_order(arg) for arg in args)
            case t.Op("meld cards"):
                return True
            case t.Instance(key):
                return self._is_ordered(key, (self._model.instances[key].body,))
            case t.Local(name):
                return self._is_ordered(f"·{name}", self._values.get(name, ()))
        return False

    def _is_ordered(self, name: str, values: Iterable[Typed]) -> bool:
        if name not in self._ordered:
            self._ordered[name] = False
            self._ordered[name] = any(self.has_order(value) for value in values)
        return self._ordered[name]

    # ---- places and zones -----------------------------------------------------------------------

    def places(self, node: Typed, given: Mapping[str, Places] = {}) -> Places:
        """Where cards may lie. given: where those may that the parameters of a definition stand for."""
        match node:
            case t.ZoneRef(name, index) if node.type.kind == "set" and holds_card(node.type):
                return frozenset([(name, said(index))])
            case t.Local(name, _, _, source):
                return given.get(name) if source is None else self.places(source)
            case t.Select(_, variable, _, domain, where):
                found = self.places(domain, given)
                return self._narrowed(where, variable, given) if found is None else found
            case t.If(_, then, otherwise):
                return _together(self.places(part, given) for part in (then, otherwise))
            case t.Let(variable, value, body):
                return self.places(body, {**given, variable: self.places(value, given)})
            case t.Op("group" | "union", args):
                return _together(self.places(arg, given) for arg in args)
            case t.Op(op, (_, group)) if op in OF_SOME:
                return self.places(group, given)
            case t.Op(op, (group, *_)) if op in OF_GROUP:
                return self.places(group, given)
            case t.Instance(key, args):
                return self._of_definition(key, tuple(self.places(arg, given) for arg in args))
        return None

    def _of_definition(self, key: str, args: tuple[Places, ...]) -> Places:
        if (key, args) not in self._places:
            instance = self._model.instances[key]
            names = [name for name, _ in instance.params]
            given = dict(zip(names, args[len(args) - len(names) :], strict=True))
            self._places[key, args] = self.places(instance.body, given)
        return self._places[key, args]

    def _narrowed(self, where: Typed | None, card: str, given: Mapping[str, Places]) -> Places:
        """Where a card has to lie for which a condition holds."""
        match where:
            case t.Op("in", (t.Local(name), group)) if name == card:
                return self.places(group, given)
            case t.Op("and", parts):
                return next((found for part in parts if (found := self._narrowed(part, card, given)) is not None), None)
            case t.Op("or", parts):
                return _together(self._narrowed(part, card, given) for part in parts)
        return None

    def hidden_zones(self, node: Typed) -> frozenset[str]:
        """The zones in which cards may lie, as far as they are named, and that not everybody sees."""
        found = self._zones.get(id(node))
        if found is None:
            found = self._zones[id(node)] = node, self._zones_of(node) & self._hidden
        return found[1]

    def _zones_of(self, node: Typed, moved: bool = True) -> frozenset[str]:
        """The zones of which is spoken, by whatever names: each is looked at once.

        moved: with those where cards may lie by now that lay in some of them when they were named.
        """
        found: set[str] = set()
        todo, seen = [(node, False)], set[tuple[str, bool]]()
        while todo:
            part, before = todo.pop()
            for what in self._spoken_of(part):
                if isinstance(what, str):
                    found |= {what, *(self._ways.get(what, ()) if before and moved else ())}
                elif (what.name, before or what.before) not in seen:
                    seen.add((what.name, before or what.before))
                    todo += ((value, before or what.before) for value in what.values)
        return frozenset(found)

    def _spoken_of(self, node: Typed, deep: bool = True) -> Iterator[str | _Named]:
        """The zones and names that an expression speaks of. deep: with those that conditions on its cards do."""
        match node:
            case t.ZoneRef(name):
                yield name
            case t.Local(name, kind, _, source):
                if kind.kind == "place":
                    yield kind.zone
                if source is not None:
                    yield _Named(f"in {source.name}", (source,), True)
                yield _Named(f"·{name}", self._values.get(name, ()), True)
            case t.VarRef() | t.StageArgument() if holds_card(node.type):
                yield _Named(spoken(node), self._values.get(spoken(node), ()), True)
            case t.Select(_, _, _, domain, where):
                yield from self._spoken_of(domain, deep)
                for part in with_definitions(where, self._model) if deep else ():  # with all conditions inside
                    if isinstance(part, t.Op) and part.op == "in":
                        yield from self._spoken_of(part.args[1], False)
                    elif isinstance(part, t.Op) and part.op == "holder of":
                        yield from self._owned
            case t.If(_, then, otherwise):
                for part in (then, otherwise):
                    yield from self._spoken_of(part, deep)
            case t.Let():
                yield from self._spoken_of(node.body, deep)
            case t.Op("group" | "union" | "meld cards", args):
                for part in args:
                    yield from self._spoken_of(part, deep)
            case t.Op(op, (_, group)) if op in OF_SOME:
                yield from self._spoken_of(group, deep)
            case t.Op(op, (group, *_)) if op in OF_GROUP:
                yield from self._spoken_of(group, deep)
            case t.Instance(key):
                yield _Named(key, (self._model.instances[key].body,), False)

    @cached_property
    def _ways(self) -> dict[str, set[str]]:
        """Zones -> the zones to which their cards may go, in however many steps."""
        model, ways = self._model, dict[str, set[str]]()
        steps: list[tuple[Iterable[str], str]]
        for effect in walk([model.stages, model.honor]):
            match effect:
                case t.Move(what, _, source, target):
                    named = [] if what is None or source is not None else self._zones_of(what, moved=False)
                    steps = [((*named, *([source.name] if source is not None else ())), target.name)]
                case t.Deal(_, source, family):
                    steps = [((source.name,), family)]
                case t.Gather(sources, target):
                    steps = [(model.zones if sources is None else [one.name for one in sources], target.name)]
                case t.SwapValues(t.ZoneRef(one), t.ZoneRef(other)):
                    steps = [((one,), other), ((other,), one)]
                case _:
                    continue
            for begins, end in steps:
                for zone in begins or model.zones:
                    ways.setdefault(zone, set()).add(end)
        for name, declared in model.zones.items():
            if declared.refill is not None:
                ways.setdefault(declared.refill.source, set()).add(name)
        changed = True
        while changed:
            sizes = sum(map(len, ways.values()))
            for ends in ways.values():
                ends.update(*(ways.get(end, ()) for end in tuple(ends)))
            changed = sum(map(len, ways.values())) > sizes
        return ways


def gone_through(loop: t.ForEffect) -> t.Select:
    """The set that a loop goes through."""
    return t.Select("all", loop.variable, loop.item, loop.domain, loop.where, None, t.CARDS, loop.span)


def texts(holder: object) -> Iterator[tuple[Effect, ...]]:
    """Every text of effects, whole. holder: whatever holds them."""
    for node in walk(holder):
        for value in () if type(node) in t.EFFECTS else values_of(node):
            if type(value) is tuple and value and type(value[0]) in t.EFFECTS:
                yield value


def is_hidden(zone: ZoneDef) -> bool:
    """Whether cards may lie in a zone that not everybody sees."""
    return not is_public(zone) or zone.turned_down or zone.shows_top


def _asks_where(part: object) -> bool:
    """Whether one part of an expression tells cards by where they lie, or by what somebody has marked."""
    match part:
        case t.ZoneRef():
            return True
        case t.VarRef() | t.StageArgument():
            return holds_card(part.type)
        case t.Local():
            return part.type.kind in ("set", "place", "meld")
        case t.Op(op):
            return op in _ASKED_WHERE
    return False


def _together(found: Iterable[Places]) -> Places:
    """All places of several sets; anywhere if one of them may lie anywhere."""
    places: frozenset[Place] = frozenset()
    for each in found:
        if each is None:
            return None
        places |= each
    return places
