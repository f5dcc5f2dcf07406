"""The most steps that carrying out effects takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.compiler.bounds.expression_steps import Steps
from interpreter.compiler.bounds.limits import EVENT, FED
from interpreter.compiler.layout import Layout
from interpreter.engine.pieces import MOST_PIECES
from interpreter.language import typed as t
from interpreter.language.tree import values_of
from interpreter.language.typed import Effect, Typed


class EffectSteps(Steps):
    """Adds up the steps of effects."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.guarded = {name: self._guard(name) for name in self.model.zones}
        """What it takes to find out whether cards may come to a place, and how many may go."""
        self.watched = {
            name: self.guarded[name] + self.all((zone.seen_by, zone.count_seen_by))
            for name, zone in self.model.zones.items()
        }
        """What it takes to find out whether cards may come to a place, how many may go, and who sees that."""
        self.fed = dict.fromkeys(self.model.zones, 0)
        """What it takes to go through the places that may be refilled from a zone as soon as cards come there."""
        for name, zone in self.model.zones.items():
            if zone.refill is not None:
                self.fed[zone.refill.source] += FED * layout.zones[name].size

    def _guard(self, name: str) -> int:
        zone = self.model.zones[name]
        keep, when = (None, None) if zone.refill is None else (zone.refill.keep, zone.refill.when)
        return self.all((zone.capacity, keep, when))

    def _room_at(self, *sides: Typed) -> int:
        """What it takes to ask how much room there is where all that comes is laid at once."""
        return self.all(self.model.zones[side.name].capacity for side in sides if isinstance(side, t.ZoneRef))

    def light(self, nodes: Iterable[Typed | Effect | None]) -> int:
        """The most steps of expressions and effects, but for heavy loops inside them, which count themselves."""
        with self._adding_up(lightly=True):
            found = 0
            for node in nodes:
                found += self._effect(node) if type(node) in t.EFFECTS else self.steps(node)  # type: ignore[arg-type]
            return found

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
                return self._loop(variable, domain, lambda: self.all((where, by)) + self.carried(body), span)
            case t.LetEffect(variable, value):
                self._knows(variable, self._members(value))
                return 1 + self.steps(value) + self._members(value)
            case t.RunEffect(_, bound, body):
                for name, value in bound:
                    self._knows(name, self._members(value))
                limits = [(name, self._most(value)) for name, value in bound if value.type.kind == "integer"]
                with self._limited(limits):
                    done = self.carried(body)
                return 1 + self.all(value for _, value in bound) + done
            case t.Clear(name):
                return 1 + self.layout.variables[name].size + self._parts(node) + self.all(self.begun((name,)))
            case t.SetOut() | t.Piece():
                return EVENT + MOST_PIECES + self._parts(node)
            case t.Gather(_, target):
                return EVENT + self._cards + self._places + self._room_at(target)
            case t.Deal(_, source, family, packets):
                events = self.layout.n if packets is None else self._cards
                watching = self.watched[source.name] + self.layout.n * self.watched[family] + self.who_takes_part
                return EVENT * events + watching + 2 * self._cards + self._parts(node)
            case t.Move():
                return self._move(node) + self._parts(node)
            case t.Face() | t.Show():
                several = self._cards if node.what.type.kind == "set" else 1
                finding, seeing = (self._places + self._cards) // 2, max(self.watched.values(), default=0)
                return (EVENT + finding + seeing) * several + self._parts(node)
            case t.Shuffle():
                return EVENT + 5 * self._cards + self._parts(node)
            case t.SwapValues(left, right):
                fed = sum(self.fed.get(side.name, 0) for side in (left, right))
                within = self._within(left) + self._within(right)
                return EVENT + self._cards + fed + self._room_at(left, right) + self._parts(node) + within
            case t.Assign(_, target, value) if target.type.kind in ("set", "list"):
                return EVENT + self._parts(node) + self.size(target) + self.size(value)
            case t.Assign(_, target):
                return EVENT + self._parts(node) + self._within(target)
            case t.Call(called):
                bounds = (bound for given in self.model.stages[called].bounds.values() for bound in given)
                return EVENT + self._parts(node) + self.all(self._changing(bounds))
            case t.ToPlayer():
                return EVENT + self._parts(node) + self.who_takes_part
        return EVENT + self._parts(node)  # what is noted and the reason of a score, too

    def begun(self, names: Iterable[str]) -> list[Typed]:
        """What is worked out to find what variables go back to, and whether that is within their bounds."""
        variables = map(self.model.variables.__getitem__, names)
        return list(self._changing(part for v in variables for part in (v.default, v.minimum, v.maximum)))

    def _within(self, target: Typed) -> int:
        """What it takes to find out the bounds of a number that is set."""
        match target:
            case t.VarRef(name):
                variable = self.model.variables[name]
                return self.all(self._changing((variable.minimum, variable.maximum)))
            case t.StageArgument(stage, name) if name in self.model.stages[stage].bounds:
                return self.all(self._changing(self.model.stages[stage].bounds[name]))
        return 0

    def _changing(self, nodes: Iterable[Typed | None]) -> Iterator[Typed]:
        """Those of some values that are worked out each time: players and options do not settle them."""
        return (node for node in nodes if node is not None and not self._fixed(node))

    def _move(self, node: t.Move) -> int:
        """Cards on their way: each is looked for and told of by itself at worst, and what is empty is filled again."""
        ends = (node.source or node.target, node.target)
        one = node.what is not None and node.what.type.kind == "card"
        packet = 1 if one else max(self._capacities.get(zone.name, self._cards) for zone in ends)
        found = EVENT + sum(self.watched.get(zone.name, 0) for zone in ends) + 5 * packet
        if node.source is None:
            found += packet * self._places // 2
        if node.at_random:
            found += packet * (EVENT + packet)
        found += self.fed.get(node.target.name, 0) * (packet if node.at_random or node.source is None else 1)
        if node.source is not None and self.model.zones[node.source.name].refill is not None:
            found += (1 if one else packet) * EVENT + 5 * self._cards
        return found

    def _parts(self, node: Effect) -> int:
        found = 0
        for part in values_of(node):
            for inner in part if type(part) is tuple else (part,):
                value = inner[1] if type(inner) is tuple else inner
                if type(value) in t.KINDS:
                    found += self.steps(value) + (self.size(value) if value.type.kind == "set" else 0)
        return found
