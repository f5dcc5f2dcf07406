"""Melds: the cards of which they are made, what is asked of them, and the least that lies outside of them."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiler import core as c
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.cards import as_list, as_mask, bits_of, cards
from interpreter.compiler.lower.indexing import place
from interpreter.compiler.lower.lowering import Lowering
from interpreter.compiler.made import local_name
from interpreter.compiler.meld_kinds import wild_among
from interpreter.engine.melds.combinations import Meld
from interpreter.language import typed as t
from interpreter.language.model import MeldDef, Model, ParamDef
from interpreter.language.typed import walk_of


def choices(e: Lowering, param: ParamDef, fitting: tuple[Expr, ...] = ()) -> Expr:
    """The melds, or groups of them, that can be chosen for a parameter.

    fitting: what each of several has to be, as `asked_of_each` finds it.
    """
    kinds = c.Lit(param.kinds)
    if param.form == "meld":
        return c.asked("melds_in", kinds, among(e, param), c.Lit(param.by_rank))
    if param.asked is not None:
        return c.asked("melds_asked_in", e.of(param.asked), among(e, param), c.Lit(param.by_rank), *fitting)
    return c.asked("melds_apart_in", kinds, among(e, param), *_numbers(e, param), c.Lit(param.by_rank), *fitting)


def asked_of_each(param: ParamDef, test: Expr) -> tuple[Expr, ...]:
    """What a condition on several melds asks of each of them alone, and what is counted for asking it; nothing if it
    asks for more, or has perhaps no answer for one that is in none of the groups."""
    own: Expr = c.Name(local_name(param.name))
    steps: Expr = c.ONE
    match test:
        case c.Loop("all", variable, c.Call("each_of", (_, domain, counted)), None, value):
            steps = counted
        case c.Loop("all", variable, domain, None, value):
            pass
        case _:
            return ()
    inside = {variable, *(node.variable for node in c.walk(value) if isinstance(node, c.Loop))}
    if domain != own or not all(isinstance(node, _ANSWERED) for node in c.walk(value)):
        return ()
    for node in c.walk(value):
        match node:
            case c.Name(name) if name not in inside:
                return ()
            case c.Call(function) if function not in _ALWAYS_THERE:
                return ()
            case c.Compare(op) if op not in ("==", "!=", "is", "is not"):
                return ()
            case c.Item(of) if not isinstance(of, c.Table):
                return ()
    return c.Lambda((variable,), value), steps


_ANSWERED = (c.Lit, c.Name, c.Table, c.Item, c.Call, c.Compare, c.And, c.Or, c.Not, c.Loop)
_ALWAYS_THERE = frozenset(("cards_of_meld", "size_of_meld", "part_of_meld"))
"""What always has an answer: of each meld, whichever it is."""


def is_choice(e: Lowering, param: ParamDef) -> Expr:
    """Whether what is given for a parameter is one of them, or as good."""
    given, kinds = c.Name(local_name(param.name)), c.Lit(param.kinds)
    if param.form == "meld":
        return c.asked("is_meld_from", kinds, among(e, param), given)
    if param.asked is not None:
        return c.asked("are_melds_asked", e.of(param.asked), among(e, param), given)
    return c.asked("are_melds_from", kinds, among(e, param), given, *_numbers(e, param))


def among(e: Lowering, param: ParamDef) -> Expr:
    """The cards of which the melds of a parameter are made, as bits."""
    assert param.domain is not None
    return as_mask(cards(e, param.domain))


def _numbers(e: Lowering, param: ParamDef) -> tuple[Expr, Expr]:
    """How many melds are chosen: any number but none, unless it is said."""
    if param.count is None:
        return c.ONE, c.Lit(len(e.layout.cards))
    low, high = param.count
    return e.number(low), e.number(high)


def wild_cards(e: Lowering, kind: MeldDef) -> Expr:
    """The cards that may stand for others in melds of a kind, as bits."""
    among = wild_among(kind)
    return c.ZERO if among is None else as_mask(cards(e, among))


def least_outside(e: Lowering, node: t.Fold) -> Expr:
    """`least E for c in CARDS outside KINDS`."""
    assert node.value is not None
    masked = bits_of(e, node.domain, (node.where, node.variable))
    own = local_name(node.variable)
    if masked is None:
        members = as_list(cards(e, node.domain))
        if node.where is not None:
            members = c.Loop("list", own, members, e.of(node.where), c.Name(own))
        masked = c.call("mask_of", members)
    worths = e.tables.of_cards(node.value, node.variable) if e.uses(node.value) <= {node.variable} else None
    if worths is not None and all(type(worth) is int for worth in worths):
        worth: Expr = e.tables.table(tuple(worths), "worth")
    else:
        worth = c.Lambda((own,), e.number(node.value))
    return c.asked("least_outside", c.Lit(node.outside), masked, worth)


def asked_zones(model: Model) -> frozenset[str]:
    """The zones of which the rules ask which meld lies there."""
    nodes = walk_of([model.stages, model.instances, model.honor], t.Op)
    asked = [node.args[0] for node in nodes if node.op == "meld of"]
    return frozenset(place.name for place in asked if isinstance(place, t.ZoneRef))


def _at_place(e: Lowering, node: t.Op) -> Expr:
    zone = node.args[0]
    assert isinstance(zone, t.ZoneRef)
    return c.asked("meld_at", place(e, zone))


def _part(name: str) -> Callable[[Lowering, t.Op], Expr]:
    at = c.Lit(Meld._fields.index(name))
    return lambda e, node: c.call("part_of_meld", e.of(node.args[0]), at)


OPS: dict[str, Callable[[Lowering, t.Op], Expr]] = {
    "is meld": lambda e, node: c.asked("is_meld", c.Lit(node.name), as_mask(cards(e, node.args[0]))),
    "melds": lambda e, node: c.asked(
        "melds_in", c.Lit(tuple(node.name.split())), as_mask(cards(e, node.args[0])), c.FALSE
    ),
    "meld of": _at_place,
    "extends": lambda e, node: c.asked("meld_extends", *map(e.of, node.args)),
    "replaced": lambda e, node: c.asked("replaced_wild", *map(e.of, node.args)),
    "meld size": lambda e, node: c.call("size_of_meld", e.of(node.args[0])),
    "meld cards": lambda e, node: c.call("cards_of_meld", e.of(node.args[0])),
    **{f"meld {name}": _part(name) for name in ("kind", "low", "high", "suit")},
}
