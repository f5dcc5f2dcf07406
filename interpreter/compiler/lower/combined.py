"""Sets that are put together, and parts of what lies in order, where they are gone through."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiler import core as c
from interpreter.compiler.bounds.limits import SUBSET
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.cards import as_list, cards, goes_by_face, with_equal_ones
from interpreter.compiler.lower.lowering import Lowering
from interpreter.compiler.lower.trees import is_cards
from interpreter.language import typed as t
from interpreter.language.check.kinds import holds_card
from interpreter.language.check.whereabouts import named_in
from interpreter.language.typed import Typed, walk_of

Handler = Callable[[Lowering, t.Op], Expr]
LOOKED_THROUGH = 4
"""So many places and cards are looked through in a step that is counted for each card that is put in order."""


def _part(function: str) -> Handler:
    return lambda e, node: c.call(function, e.of(node.args[0]), in_turn(e, node.args[1]))


def _without(e: Lowering, node: t.Op) -> Expr:
    members, left_out = node.args
    rest = e.group(left_out)
    if is_cards(left_out) and goes_by_face(e, node):
        rest = as_list(with_equal_ones(e, node, ("list", rest)))
    return c.call("without", e.group(members), rest)


def in_turn(e: Lowering, node: Typed, some: Typed | None = None, put_in_order: bool = False) -> Expr:
    """A set to be gone through where it counts which member comes first, so that it tells nothing of unseen cards.

    some: what is gone through of it, where that is not all. put_in_order: whether it is put in order then.
    """
    if isinstance(node, t.Op) and node.op == "subsets" and is_cards(node.args[0]):
        return _subsets(e, node, in_turn(e, node.args[0]))
    found, some = e.group(node), some or node
    if e.inline or not is_cards(node):
        return found
    return as_placed(e, node, some, found, put_in_order)


def as_placed(e: Lowering, node: Typed, some: Typed, found: Expr, put_in_order: bool = False) -> Expr:
    """Cards that are found, as `in_turn` has to go through them."""
    if not put_in_order and comes_by_face(e, node, some):
        found = where_it_lies(e, "as_they_lie", found)
    return where_it_lies(e, "place_by_place", found) if e.lying.is_apart(some) else found


def has_turns(e: Lowering, node: Typed) -> bool:
    """Whether cards of which one end is meant are put in an order for that. What was named before is as it was then."""
    if e.inline or isinstance(node, t.Local) or not is_cards(node) or _is_of_places(e, node):
        return False
    return comes_by_face(e, node, node) or e.lying.is_apart(node)


def _is_of_places(e: Lowering, node: Typed) -> bool:
    """Whether whole places are meant, one after the other as they are written: each as it lies."""
    match node:
        case t.ZoneRef():
            return True
        case t.Op("group" | "union", args):
            return all(_is_of_places(e, arg) for arg in args)
        case t.Instance(key):
            return _is_of_places(e, e.model.instances[key].body)
    return False


def where_it_lies(e: Lowering, order: str, found: Expr) -> Expr:
    """Cards in an order that goes by the places where they lie, all of which are looked through; that is counted."""
    layout = e.layout
    through = sum(family.size for family in layout.zones.values()) + len(layout.cards)
    return c.asked(order, c.asked("each_of", found, c.Lit(through // LOOKED_THROUGH)))


def comes_by_face(e: Lowering, node: Typed, some: Typed) -> bool:
    """Whether cards that not everybody sees come in the order of the pack and lie in another. some: as in `in_turn`."""
    given = named_in(node) is not None or _is_of_pack(e, node) or _is_kept(node)
    if cards(e, node)[0] == "list" and not given:
        return False
    if e.lying.has_order(some):
        return False
    return any(e.kept[zone] == "list" for zone in e.lying.hidden_zones(some))


def _is_kept(node: Typed) -> bool:
    """Whether cards are meant of which a variable or an argument speaks: they have the order in which they came there,
    which is that of the pack if they were chosen."""
    return any(holds_card(part.type) and part.type.kind == "set" for part in walk_of(node, t.VarRef, t.StageArgument))


def _is_of_pack(e: Lowering, node: Typed) -> bool:
    """Whether cards are picked from the whole pack, and come in its order."""
    match node:
        case t.Builtin("pack"):
            return True
        case t.Select("all", _, _, domain) | t.Op("without", (domain, _)):
            return _is_of_pack(e, domain)
        case t.Instance(key):
            return _is_of_pack(e, e.model.instances[key].body)
    return False


def _subsets(e: Lowering, node: t.Op, members: Expr | None = None) -> Expr:
    group, *sizes = node.args
    found = c.call("sets_from", e.group(group) if members is None else members, *map(e.of, sizes))
    if e.inline or not e.bounds.is_heavy(SUBSET * e.bounds.size(node)):
        return found
    return c.asked("each_of", found, c.Lit(SUBSET))


SETS: dict[str, Handler] = {
    "union": lambda e, node: c.call("union", *map(e.group, node.args)),
    "without": _without,
    "subsets": _subsets,
    "first": _part("first_of"),
    "drawn": lambda e, node: c.asked("drawn_from", e.of(node.args[0]), e.group(node.args[1])),
    "top cards": _part("top_of"),
    "bottom cards": _part("bottom_of"),
    "card number": _part("card_at"),
}
