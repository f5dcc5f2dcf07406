"""Which zones must keep the order of their cards, and what else a ruleset makes use of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.compiler.layout import Layout
from interpreter.language import typed as t
from interpreter.language.check.hiding import unseen_zones
from interpreter.language.check.kinds import holds_card
from interpreter.language.check.lying import Lying, gone_through, is_hidden, texts
from interpreter.language.check.written_out import with_definitions
from interpreter.language.model import Model, ParamDef
from interpreter.language.operations import BY_CHANCE, BY_ORDER, TAKE_SOME
from interpreter.language.typed import Effect, Typed, said, walk, walk_of


def _zones_of(node: Any) -> Iterator[str]:
    """Names of the zones that an expression stands for as a whole."""
    match node:
        case t.ZoneRef(name):
            yield name
        case t.Local(_, kind) if kind.kind == "place":
            yield kind.zone
        case t.Select("all", _, _, domain):
            yield from _zones_of(domain)
        case t.If(_, then, otherwise):
            yield from _zones_of(then)
            yield from _zones_of(otherwise)
        case t.Let():
            yield from _zones_of(node.body)
        case t.Op("union", args):
            for arg in args:
                yield from _zones_of(arg)
        case t.Op("without" | "group", (group, *_)):
            yield from _zones_of(group)
        case t.Op(op, (_, group)) if op in TAKE_SOME:
            yield from _zones_of(group)


_LOOKED_AT = (t.Op, t.Move, t.Deal, t.Shuffle, ParamDef, t.SwapValues, t.Face, t.Select, t.ForEffect)
"""What can look at the order of cards."""


def kept_as(model: Model, lying: Lying) -> dict[str, str]:
    """Zone -> "list" if anything looks at the order of its cards, else "mask"."""
    nodes = walk_of([model.stages, model.instances, model.honor, model.zones, model.variables], *_LOOKED_AT)
    ordered = _taken_in_order(nodes, model, lying)
    follows: list[tuple[str, str]] = []
    for node in nodes:
        match node:
            case t.Op(op, (*_, zone)) if op in BY_ORDER:
                ordered.update(_zones_of(zone))
            case t.Move(what, at_random, source, target, beneath):
                if what is not None and what.type.kind == "integer" and not at_random and source is not None:
                    ordered.add(source.name)
                if beneath:
                    ordered.add(target.name)
                if what is None and source is not None:
                    follows.append((source.name, target.name))
            case t.Deal(_, source):
                ordered.add(source.name)
            case t.Shuffle(zone):
                ordered.add(zone.name)
            case ParamDef(form="cards"):  # a card that is not seen is called by its position
                ordered.update(unseen_zones(node.domain, model.zones, model.instances))
            case t.SwapValues(t.ZoneRef(one), t.ZoneRef(two)):  # what lies there changes places as it is
                follows += [(one, two), (two, one)]
            case t.Face("flip", what):
                ordered.update(_zones_of(what))
    for name, declared in model.zones.items():
        if declared.shows_top or declared.pack:
            ordered.add(name)
        if declared.refill is not None:
            ordered.update((name, declared.refill.source))
    hiding = any(_hides(node, model) for node in nodes)
    moves = [m for text in texts([model.stages, model.honor]) for m in _unshuffled(text, None)] if hiding else []
    moves = [move for move in moves if _hides(move, model)]
    changed = True
    while changed:  # a packet keeps its order, so what is moved whole into an ordered zone is ordered too
        before = len(ordered)
        ordered.update(source for source, target in follows if target in ordered)
        for what in [move.what for move in moves if move.target.name in ordered]:
            if what is not None and not lying.has_order(what):
                ordered |= lying.hidden_zones(what)
        changed = len(ordered) > before
    return {name: "list" if name in ordered else "mask" for name in model.zones}


def _taken_in_order(nodes: Iterable[Any], model: Model, lying: Lying) -> set[str]:
    """Zones that not all see and of which some cards go before others, or are taken and others not.

    Of a zone without an order they would come in that of the pack, which tells who does not see them which is lower.
    """
    ordered: set[str] = set()
    for node in nodes:
        match node:
            case t.Select("first", _, item, domain, _, None) if holds_card(item) and not lying.has_order(domain):
                ordered |= lying.hidden_zones(node)
            case t.Op("first", (_, group)) if holds_card(node.type) and not (lying.has_order(group) or _alike(group)):
                ordered |= lying.hidden_zones(group)
            case t.Op(op, (*_, group)) if op in BY_ORDER:
                ordered |= lying.hidden_zones(group)
            case t.ForEffect(_, item, domain, _, None) if holds_card(item) and not lying.has_order(domain):
                if not _comes_to_the_same(node, model):
                    ordered |= lying.hidden_zones(gone_through(node))
    return ordered


def _comes_to_the_same(loop: t.ForEffect, model: Model) -> bool:
    """Whether all is the same in whatever order a loop goes: it counts, notes that something is so, or collects cards
    in variables, and asks for none of these meanwhile."""
    done: dict[str, set[Any]] = {}  # variable -> what is done with it
    asked: list[Typed | None] = [loop.where]
    for effect in walk(loop.body):
        match effect:
            case t.Assign(verb, t.VarRef(name, index, kind), value):
                is_sum = verb != "set" and kind.kind in ("integer", "set")
                if not is_sum and not isinstance(value, t.Const):
                    return False
                done.setdefault(name, set()).add("sum" if is_sum else said(value))
                asked += [*index, value]
            case t.IfEffect(condition):
                asked.append(condition)
            case t.LetEffect(_, value):
                asked.append(value)
            case t.ForEffect(_, _, domain, where, by):
                asked += [domain, where, by]
            case t.RunEffect(_, names):
                asked += [value for _, value in names]
            case _ if type(effect) in t.EFFECTS:
                return False
    parts = [part for one in asked for part in with_definitions(one, model)]
    read = {part.name for part in parts if isinstance(part, t.VarRef)}
    by_chance = any(isinstance(part, t.Op) and part.op in BY_CHANCE for part in parts)
    return not (by_chance or read & set(done)) and all(len(ways) == 1 for ways in done.values())


def _hides(node: object, model: Model) -> bool:
    """Whether an effect moves a set of cards to where not everybody sees them."""
    if not isinstance(node, t.Move) or node.what is None or node.what.type.kind != "set":
        return False
    return is_hidden(model.zones[node.target.name])


def _alike(group: Typed) -> bool:
    """Whether cards are all jokers, of which it tells nothing which is taken."""
    return isinstance(group, t.Select) and isinstance(group.where, t.Op) and group.where.name == "joker"


def _unshuffled(effects: tuple[Effect, ...], behind: object) -> Iterator[t.Move]:
    """The moves of a text behind which the pile where they go is not shuffled before anything else is done.

    behind: the pile that is shuffled behind the text, as it is said; None if none is.
    """
    for effect in reversed(effects):
        match effect:
            case t.Shuffle(zone):
                behind = said(zone)
                continue
            case t.IfEffect() | t.ForEffect() | t.RunEffect():
                inner = (effect.then, effect.otherwise) if isinstance(effect, t.IfEffect) else (effect.body,)
                done = [part for part in walk(inner) if type(part) in t.EFFECTS]
                behind = behind if all(_goes_to(part, behind) for part in done) else None
                for block in inner:
                    yield from _unshuffled(block, behind)
            case t.Move() if _goes_to(effect, behind):
                continue
            case t.Move():
                yield effect
        behind = behind if isinstance(effect, t.IfEffect | t.ForEffect | t.RunEffect) else None


def _goes_to(effect: Effect, pile: object) -> bool:
    """Whether an effect does nothing but move cards to a pile."""
    if isinstance(effect, t.Move):
        return said(effect.target) == pile and (effect.source is None or effect.source.name != effect.target.name)
    return isinstance(effect, t.IfEffect | t.ForEffect | t.RunEffect)


def guarded_zones(layout: Layout) -> frozenset[str]:
    """Zones with a capacity or a refill, or from which another zone is refilled as soon as it is empty."""
    zones = layout.model.zones
    return feeding_zones(layout).union(n for n, z in zones.items() if z.capacity is not None or z.refill is not None)


def feeding_zones(layout: Layout) -> frozenset[str]:
    """Zones from which another zone is refilled as soon as it is empty."""
    refills = [z.refill for z in layout.model.zones.values() if z.refill is not None]
    return frozenset(refill.source for refill in refills if layout.constant(refill.on) == "empty")


def has_hidden_faces(model: Model) -> bool:
    """Whether cards lie face down in some zone until they are turned up."""
    return any(z.faces_down for z in model.zones.values())


def turns_faces(layout: Layout) -> bool:
    """Whether an effect may turn cards up or down; it may be one that is never carried out."""
    effects = walk_of((layout.model.stages, layout.model.honor if layout.honor else ()), t.Face, t.Move)
    return any(type(effect) is t.Face or effect.facing is not None for effect in effects)
