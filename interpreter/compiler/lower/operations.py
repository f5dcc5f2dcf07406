"""Every operation of the expression language: one entry each in OPS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.compiler import core as c
from interpreter.compiler.algebra import both, denied, joined
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.cards import as_list, cards, condition_bits, goes_by_face, of_card
from interpreter.compiler.lower.combined import SETS, has_turns, in_turn
from interpreter.compiler.lower.indexing import holder
from interpreter.compiler.lower.lookups import best_rows
from interpreter.compiler.lower.lowering import Lowering
from interpreter.compiler.lower.melds import OPS as MELD_OPS
from interpreter.compiler.lower.table_names import named_after
from interpreter.compiler.lower.trees import is_cards
from interpreter.compiler.made import made
from interpreter.compiler.plain import COMPARES, OF_LIBRARY, PLAIN, RECKONS
from interpreter.compiler.trick_suits import held_of_suit
from interpreter.engine.library import partner
from interpreter.engine.packets import mask_of
from interpreter.language import typed as t
from interpreter.language.check.hiding import is_public
from interpreter.language.check.kinds import index_asked
from interpreter.language.operations import OPERATIONS
from interpreter.language.typed import Typed

Handler = Callable[[Lowering, t.Op], Expr]
_ONE, _TWO = c.Name("one"), c.Name("two")


# ---- reckoning and comparing ----------------------------------------------------------------------------


def _compared(e: Lowering, node: t.Op) -> Expr:
    op = COMPARES[node.op]
    kinds = (node.args[0].type.kind, node.args[1].type.kind)
    if node.op in ("=", "!="):
        return _equal(e, node, op, kinds)
    if kinds == ("integer", "integer") and not any(map(e.may_miss, node.args)):
        settled = e.ranges.settled(node)
        if settled is not None:
            return c.Lit(settled)
    left, right = (e.of(arg) for arg in node.args)
    if c.NONE in (left, right):
        return c.Lit(False)
    sure = [found for arg, found in zip(node.args, (left, right), strict=True) if e.may_miss(arg)]
    if not sure:
        return c.Compare(op, left, right)
    if all(map(c.is_at_hand, sure)):  # it costs nothing to look twice
        return c.And((*map(c.is_there, sure), c.Compare(op, left, right)))
    known = [e.if_there(arg, found) for arg, found in zip(node.args, (left, right), strict=True)]
    if len(sure) == 1 and (there := known[0] or known[1]) is not None:
        one, two = (there[1], right) if known[0] else (left, there[1])
        return c.And((c.is_there(there[0]), c.Compare(op, one, two)))
    return c.call("holds", c.Lambda(("one", "two"), c.Compare(op, _ONE, _TWO)), left, right)


def _equal(e: Lowering, node: t.Op, op: Any, kinds: tuple[str, str]) -> Expr:
    if kinds[0] == kinds[1] and any(map(e.is_missing, node.args)):
        return c.Lit(node.op == "!=")  # no card is one that is not in the pack
    left, right = (e.of(arg) for arg in node.args)
    if "none" in kinds and not any(isinstance(arg, t.OptionRef) for arg in node.args):
        asked = [(arg, found) for arg, found in zip(node.args, (left, right), strict=True) if arg.type.kind != "none"]
        if any(not e.uses(arg) or isinstance(found, c.Lit | c.Tuple) for arg, found in asked):
            return c.Compare(op, left, right)  # Python warns of an `is` with a literal
        return c.Compare("is" if node.op == "=" else "is not", left, right)
    if e.layout.multi and "card" in kinds:
        return c.call("same_card", c.Table("FIRST"), left, right, c.Lit(node.op == "="))
    return c.Compare(op, left, right)


def _reckoned(e: Lowering, node: t.Op) -> Expr:
    """What two numbers come to; what may become too large for a number is looked at."""

    def done(one: Expr, two: Expr) -> Expr:
        found = PLAIN[node.op](one, two)
        return c.call("within", found) if e.ranges.leaves(node) else found

    return _of_two(e, node, done)


def _of_two(e: Lowering, node: t.Op, done: Callable[[Expr, Expr], Expr]) -> Expr:
    """What is asked of two values, and none where one of them is."""
    left, right = (e.of(arg) for arg in node.args)
    if c.NONE in (left, right):
        return c.NONE
    sure = [found for arg, found in zip(node.args, (left, right), strict=True) if e.may_miss(arg)]
    if not sure:
        return done(left, right)
    if all(map(c.is_at_hand, sure)):
        return c.If(joined("or", list(map(c.is_none, sure))), c.NONE, done(left, right))
    return c.call("ask", c.Lambda(("one", "two"), done(_ONE, _TWO)), left, right)


def _logic(e: Lowering, node: t.Op) -> Expr:
    before = len(e.faults)
    found = joined(node.op, [e.of(arg) for arg in node.args])
    if found == c.Lit(node.op == "or"):  # settled, so the others need not be asked
        del e.faults[before:]
    return found


# ---- cards, sets and lists ------------------------------------------------------------------------------


def _count(e: Lowering, node: t.Op) -> Expr:
    inner = node.args[0]
    if inner.type.kind == "place":
        place = c.Zone(e.of(inner))
        match e.kept.get(inner.type.zone):
            case "mask":
                return c.CountBits(place)
            case "list":
                return c.call("len", place)
        return c.call("len", c.call("as_tuple", place))
    if is_cards(inner):
        kind, found = cards(e, inner)
        return c.CountBits(found) if kind == "mask" else c.call("len", found)
    if isinstance(inner, t.TokenRef):
        return c.method(c.Item(c.field("tokens"), c.Lit(inner.name)), "count", holder(e, inner))
    return c.call("len", e.group(inner))


def _is_empty(e: Lowering, node: t.Op) -> Expr:
    inner = node.args[0]
    if is_cards(inner):
        return c.Not(cards(e, inner)[1])
    if isinstance(inner, t.TokenRef):
        return c.Compare("not in", holder(e, inner), c.Item(c.field("tokens"), c.Lit(inner.name)))
    return c.Compare("==", c.call("len", e.group(inner)), c.ZERO)


def _top(e: Lowering, node: t.Op) -> Expr:
    at = 0 if node.op == "bottom" else -1
    if has_turns(e, node.args[0]):
        return c.call("end_of", in_turn(e, node.args[0]), c.Lit(at))
    found = cards(e, node.args[0])
    if found[0] == "list" and c.is_at_hand(found[1]):
        return c.End(found[1], at)
    return c.call("end_of", as_list(found), c.Lit(at))


def _in(e: Lowering, node: t.Op) -> Expr:
    item, group = node.args
    if not is_cards(group):
        return c.Compare("in", e.of(item), e.group(group))
    found = cards(e, group)
    if goes_by_face(e, node):
        return c.call("has_face", c.Table("FIRST"), as_list(found), e.of(item))
    if found[0] == "mask":
        return c.call("has_card", found[1], e.of(item))
    return c.Compare("in", e.of(item), found[1])


def _attribute(e: Lowering, node: t.Op) -> Expr:
    table = c.Table({"suit": "SUIT", "rank": "RANK", "colour": "COLOUR", "name": "CARDS"}[node.op])
    found = e.of(node.args[0])
    return of_card(table, found) if e.may_miss(node.args[0]) else c.Item(table, found)


def _matches(e: Lowering, node: t.Op) -> Expr:
    fits = mask_of(card for card, row in enumerate(best_rows(e, (node.name,))) if row is not None)
    return c.call("has_card", e.tables.literal(fits, named_after(node)), e.of(node.args[0]))


def _facing(e: Lowering, node: t.Op) -> Expr:
    card, found = node.args[0], e.of(node.args[0])
    wanted = int(node.op == "face up")
    zone = _end_of_zone(card)
    if zone is not None and isinstance(found, c.End) and e.kept[zone] == "list" and _is_shown(e, zone, found.at):
        end = c.Item(found.cards, c.Lit(found.at))
        facing = c.Compare("==", c.holds_bit(_faces_up(e, zone), end), c.Lit(wanted))
        return c.And((c.Compare(">", c.call("len", found.cards), c.ZERO), facing))
    own = e.zone_of.get(card.name) if isinstance(card, t.Local) else None
    if own and _is_shown(e, own):
        return c.Compare("==", c.holds_bit(_faces_up(e, own), found), c.Lit(wanted))
    return c.asked("is_up" if wanted else "is_down", found)


def _is_shown(e: Lowering, zone: str, end: int | None = None) -> bool:
    """Whether no card covers what lies in a zone, or at an end of it, so that others cannot see it."""
    return end == -1 or not e.model.zones[zone].shows_top


def _faces_up(e: Lowering, zone: str) -> Expr:
    """The cards that everybody can see, among those of a zone, as bits."""
    up = c.field("up")
    return c.Op("|", up, c.Inverted(c.field("down"))) if is_public(e.model.zones[zone]) else up


def _end_of_zone(card: Typed) -> str | None:
    """The zone of which a card is the top or the bottom."""
    match card:
        case t.Op("top" | "bottom", (t.ZoneRef(name),)):
            return name
        case t.Op("top" | "bottom", (place,)) if place.type.kind == "place":
            return place.type.zone
    return None


def _group(e: Lowering, node: t.Op) -> Expr:
    if is_cards(node) and len(node.args) == 1 and is_cards(node.args[0]):
        return e.group(node.args[0])
    found = c.Tuple(tuple(e.of(arg) for arg in node.args if not e.is_missing(arg)))
    return c.call("present", found) if any(arg.type.optional or e.may_miss(arg) for arg in node.args) else found


def _place_of(e: Lowering, node: t.Op) -> Expr:
    order = e.model.orders.get(node.name, e.model.ranks)
    heights = tuple(order.index(rank) + 1 if rank in order else 0 for rank in e.model.ranks)
    return c.call("of_card", e.tables.table(heights, f"{node.name or 'rank'}_height"), e.of(node.args[0]))


def _distance(e: Lowering, node: t.Op) -> Expr:
    around = len(e.model.ranks) if node.op != "distance" else 0
    if node.op == "next in rank":
        return c.Compare("==", c.call("distance", *map(e.of, node.args), c.Lit(around)), c.ONE)
    return _of_two(e, node, lambda one, two: c.call("distance", one, two, c.Lit(around)))


# ---- tricks and stages ----------------------------------------------------------------------------------


def _void(e: Lowering, node: t.Op) -> Expr:
    held = held_of_suit(e.model, node)
    kind, hand = cards(e, held.domain)
    found = condition_bits(e, held.body, held.variable)
    if kind == "mask" and found is not None:
        return c.Not(both(hand, found))
    return c.Not(e.of(held))


def _extreme(e: Lowering, node: t.Op) -> Expr:
    family = e.layout.variables[node.name]
    over_teams = e.model.variables[node.name].dims == ("team",)
    players = e.of(t.Builtin("players", t.PLAYERS, node.span))
    of = _team(e) if over_teams else c.EVERYONE
    return c.call("extreme", c.Name("v"), c.Lit(family.base), of, players, c.Lit(node.op == "lowest"))


def _can(e: Lowering, node: t.Op) -> Expr:
    stage, name = node.name.split(".", 1)
    stages = e.model.stages.values() if stage == t.ANYWHERE else (e.model.stages[stage],)
    known: list[tuple[int, tuple[Expr, ...]]] = []
    for found in stages:
        for action in (*found.actions, *found.anytime):
            if action.name == name:
                asks = (c.Ref(made(kind, found.name, name)) for kind in ("any", "broken"))
                known.append((found.index, (*asks, c.Lit(e.bounds.light_move(action)), *e.limit(action))))
    who = e.of(node.args[0])
    if stage != t.ANYWHERE:
        return c.asked("can", who, *known[0][1])
    return c.asked("can_here", who, c.Cases(tuple(at for at, _ in known), tuple(c.Tuple(asks) for _, asks in known)))


def _number_of(e: Lowering, node: t.Op) -> Expr:
    return c.Item(c.field("runs"), c.Lit(e.model.stages[node.name].index))


def _holder(e: Lowering, node: t.Op) -> Expr:
    bases = tuple(e.layout.zones[name].base for name, zone in e.model.zones.items() if zone.dims == ("player",))
    asks = "holder_of_face" if goes_by_face(e, node) else "holder"
    return c.asked(asks, e.tables.table(bases, "held_from"), e.of(node.args[0]), c.Lit(e.layout.n))


def _owner_of(e: Lowering, node: t.Op) -> Expr:
    family, at = e.layout.zones[node.name], index_asked(node.op, e.model.zones[node.name].dims)
    assert at is not None
    keys = e.tables.table(tuple(key[at] for key in family.keys), node.op.replace(" of", ""))
    return c.Item(keys, c.Op("-", e.of(node.args[0]), c.Lit(family.base)))


# ---- players and teams ----------------------------------------------------------------------------------


def _call(name: str, *before: Expr) -> Handler:
    return lambda e, node: c.call(name, *before, *(e.of(arg) for arg in node.args))


def _of_both(e: Lowering, node: t.Op) -> Expr:
    return _of_two(e, node, PLAIN[node.op])


def _of_library(e: Lowering, node: t.Op) -> Expr:
    return _of_both(e, node) if OPERATIONS[node.op].none == "passes" else PLAIN[node.op](*map(e.of, node.args))


def _item_of(table: Callable[[Lowering], Expr]) -> Handler:
    return lambda e, node: c.Item(table(e), e.of(node.args[0]))


def _team_tricks(e: Lowering, node: t.Op) -> Expr:
    members = c.Item(_members(e), e.of(node.args[0]))
    return c.Fold("sum", c.Loop("list", "q", members, None, c.Item(c.field("tricks"), c.Name("q"))))


def _team(e: Lowering) -> Expr:
    """Person -> team."""
    return c.field("teams") if e.teams_move else c.Table("TEAM")


def _members(e: Lowering) -> Expr:
    """Team -> persons."""
    return c.field("members") if e.teams_move else c.Table("MEMBERS")


def _partner(e: Lowering, node: t.Op) -> Expr:
    if e.teams_move:
        return c.call("partner", c.field("members"), c.field("teams"), e.of(node.args[0]))
    teams = e.layout.teams
    members = [[p for p, own in enumerate(teams) if own == team] for team in range(e.layout.team_count)]
    partners = tuple(partner(members, teams, p) for p in range(e.layout.n))
    return c.Item(e.tables.table(partners, "partner"), e.of(node.args[0]))


def _left(e: Lowering, node: t.Op) -> Expr:
    if not e.model.reseats:
        return c.Item(c.Table("LEFT" if node.op == "left of" else "RIGHT"), e.of(node.args[0]))
    return c.asked("seat_from", e.of(node.args[0]), c.Lit(1 if node.op == "left of" else -1))


def _across(e: Lowering, node: t.Op) -> Expr:
    if e.model.reseats:
        return c.asked("across", e.of(node.args[0]))
    n = e.layout.n
    return c.Item(e.tables.table(tuple((p + n // 2) % n for p in range(n)), "across"), e.of(node.args[0]))


def _seat(e: Lowering, node: t.Op) -> Expr:
    """The number of a seat: that of the player where nobody changes it."""
    if e.model.reseats:
        return c.asked("seat_of", e.of(node.args[0]))
    return c.Item(e.tables.table(tuple(range(1, e.layout.n + 1)), "seat"), e.of(node.args[0]))


def _cycle(e: Lowering, node: t.Op) -> Expr:
    number, items = (e.of(arg) for arg in node.args)
    known = e.tables.constants.get(items.name) if isinstance(items, c.Table) else None
    if not isinstance(known, tuple) or not known or e.may_miss(node.args[0]):
        return c.call("cycle", number, items)
    return c.Item(items, c.Op("%", c.Op("-", number, c.ONE), c.Lit(len(known))))


OPS: dict[str, Handler] = {
    **dict.fromkeys(RECKONS, _reckoned),
    **dict.fromkeys(("greater", "lesser"), _of_both),
    **dict.fromkeys(COMPARES, _compared),
    **dict.fromkeys(("and", "or"), _logic),
    "not": lambda e, node: denied(e.of(node.args[0])),
    "in": _in,
    "is empty": _is_empty,
    "count": _count,
    "matches": _matches,
    **dict.fromkeys(("face up", "face down"), _facing),
    **dict.fromkeys(("suit", "rank", "colour", "name"), _attribute),
    **dict.fromkeys(("top", "bottom", "newest"), _top),
    "group": _group,
    **SETS,
    "void": _void,
    **dict.fromkeys(("lowest", "highest"), _extreme),
    "can": _can,
    "number of": _number_of,
    "holder of": _holder,
    **dict.fromkeys(("owner of", "index of"), _owner_of),
    "player of": _call("player_of", c.STATE),
    "others": _call("others", c.EVERYONE),
    **dict.fromkeys(("left of", "right of"), _left),
    "across from": _across,
    "next after": _call("next_after", c.STATE),
    "partner of": _partner,
    "team of": _item_of(_team),
    "members of": _item_of(_members),
    "seat of": _seat,
    "tricks of": _item_of(lambda e: c.field("tricks")),
    "team tricks": _team_tricks,
    "colour of": _item_of(lambda e: c.Table("COLOUR_OF")),
    "place of": _place_of,
    **dict.fromkeys(("distance", "distance around", "next in rank"), _distance),
    **dict.fromkeys((*OF_LIBRARY, "item"), _of_library),
    "cycle": _cycle,
    "option of": lambda e, node: c.Item(e.option(node.name, node.type, of_each=True), e.of(node.args[0])),
    **MELD_OPS,
    "random": lambda e, node: c.asked("random_of", e.group(node.args[0]), c.Lit(node.type.kind)),
    "fault count": _call("fault_count", c.STATE),
    "fault age": _call("fault_age", c.STATE),
    "lapsed count": _call("lapsed_count", c.STATE),
}
