"""Every operation of the expression language as Python text: one entry each in OPS."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from interpreter.compiler.patterns import match_level
from interpreter.compiler.snippets import both, end_of_place, is_simple
from interpreter.compiler.walking import is_cards
from interpreter.engine.library import partner
from interpreter.language import typed as t
from interpreter.language.check.hiding import is_public

if TYPE_CHECKING:
    from interpreter.compiler.expressions import ExpressionCompiler
    from interpreter.language.typed import Typed

BINARY = {"+": "+", "-": "-", "*": "*", "=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}

STATE, ACTOR = "the state", "the actor"
"""Among the names of locals, which hold no blank."""
WHO_PLAYS = "who takes part"
"""What an expression uses that says `players`, where stages narrow them."""

Handler = Callable[["ExpressionCompiler", t.Op], str]


def _binary(c: ExpressionCompiler, node: t.Op) -> str:
    """Two things compared, or reckoned with; what may become too large for a number is looked at."""
    kinds = (node.args[0].type.kind, node.args[1].type.kind)
    if node.op in ("=", "!=") and kinds[0] == kinds[1] and any(map(c.is_missing, node.args)):
        return str(node.op == "!=")  # no card is one that is not in the pack
    left, right = (c.text(a) for a in node.args)
    begin, end = ("within(", ")") if node.op in "+-*" and c.ranges.leaves(node) else ("", "")
    if "none" in kinds and not any(isinstance(a, t.OptionRef) for a in node.args):
        if not all(c.uses(a) for a in node.args if a.type.kind != "none"):  # Python warns of an `is` with a literal
            return f"({left} {BINARY[node.op]} {right})"
        return f"({left} {'is' if node.op == '=' else 'is not'} {right})"
    if c.layout.multi and node.op in ("=", "!=") and "card" in kinds:
        return f"same_card(FIRST, {left}, {right}, {node.op == '='})"
    if node.op not in ("=", "!=") and any(c.may_miss(a) for a in node.args):
        sure = [text for a, text in zip(node.args, (left, right), strict=True) if c.may_miss(a)]
        if all(map(is_simple, sure)):  # it costs nothing to look twice
            done = f"{begin}{left} {BINARY[node.op]} {right}{end}"
            if node.op in "+-*":
                return f"(None if {' or '.join(f'{text} is None' for text in sure)} else {done})"
            return f"({' and '.join(f'{text} is not None' for text in sure)} and {done})"
        known = [c.if_there(a, text) for a, text in zip(node.args, (left, right), strict=True)]
        if len(sure) == 1 and node.op not in "+-*" and (there := known[0] or known[1]) is not None:
            one, two = (there[1], right) if known[0] else (left, there[1])
            return f"({there[0]} is not None and {one} {BINARY[node.op]} {two})"
        verb = "ask" if node.op in "+-*" else "holds"
        return f"{verb}(lambda one, two: {begin}one {BINARY[node.op]} two{end}, {left}, {right})"
    return f"{begin or '('}{left} {BINARY[node.op]} {right})"


def _divide(c: ExpressionCompiler, node: t.Op) -> str:
    left, right = (c.text(a) for a in node.args)
    if any(c.may_miss(a) for a in node.args):
        return f"ask(lambda one, two: one {'//' if node.op == 'div' else '%'} two, {left}, {right})"
    return f"({left} {'//' if node.op == 'div' else '%'} {right})"


def _logic(c: ExpressionCompiler, node: t.Op) -> str:
    absorbing, neutral = ("False", "True") if node.op == "and" else ("True", "False")
    before = len(c.faults)
    parts = [p for p in (c.text(a) for a in node.args) if p != neutral]
    if absorbing in parts:  # nothing in an expression has an effect, so the others need not be asked
        del c.faults[before:]
        return absorbing
    return neutral if not parts else parts[0] if len(parts) == 1 else f"({f' {node.op} '.join(parts)})"


def _not(c: ExpressionCompiler, node: t.Op) -> str:
    return f"(not {c.text(node.args[0])})"


def _count(c: ExpressionCompiler, node: t.Op) -> str:
    inner = node.args[0]
    if inner.type.kind == "place":
        place = f"z[{c.text(inner)}]"
        kept = c.kept.get(inner.type.zone)
        return {"mask": f"{place}.bit_count()", "list": f"len({place})"}.get(str(kept), f"len(as_tuple({place}))")
    if is_cards(inner):
        kind, text = c.cards(inner)
        return f"({text}).bit_count()" if kind == "mask" else f"len({text})"
    if isinstance(inner, t.TokenRef):
        return f"s.tokens[{inner.name!a}].count({c.holder(inner)})"
    return f"len({c.text(inner)})"


def _is_empty(c: ExpressionCompiler, node: t.Op) -> str:
    inner = node.args[0]
    if is_cards(inner):
        return f"(not {c.cards(inner)[1]})"
    if isinstance(inner, t.TokenRef):
        return f"({c.holder(inner)} not in s.tokens[{inner.name!a}])"
    return f"(len({c.text(inner)}) == 0)"


def _top(c: ExpressionCompiler, node: t.Op) -> str:
    cards = c.cards(node.args[0])
    at = 0 if node.op == "bottom" else -1
    if cards[0] == "list" and is_simple(cards[1]):
        return f"({cards[1]}[{at}] if {cards[1]} else None)"
    return f"end_of({c.as_list(cards)}, {at})"


def _in(c: ExpressionCompiler, node: t.Op) -> str:
    item, group = node.args
    if is_cards(group):
        kind, text = c.cards(group)
        if kind == "mask" and not c.layout.multi:
            return f"has_card({text}, {c.text(item)})"
        if c.layout.multi:
            return f"has_face(FIRST, {c.as_list((kind, text))}, {c.text(item)})"
        return f"({c.text(item)} in {text})"
    return f"({c.text(item)} in {c.text(group)})"


def _attribute(c: ExpressionCompiler, node: t.Op) -> str:
    table = {"suit": "SUIT", "rank": "RANK", "colour": "COLOUR", "name": "CARDS"}[node.op]
    text = c.text(node.args[0])
    if not c.may_miss(node.args[0]) or text.isdigit():
        return f"{table}[{text}]"
    lying = end_of_place(text)
    if lying is not None:
        return f"({table}[{lying[0]}] if {lying[1]} else None)"
    return f"(None if {text} is None else {table}[{text}])" if is_simple(text) else f"of_card({table}, {text})"


def _matches(c: ExpressionCompiler, node: t.Op) -> str:
    cards = range(len(c.layout.cards))
    found = [match_level(node.name, c.describe(card), c.model.ranks) > 0 for card in cards]
    return f"of_card({c.table(tuple(found))}, {c.text(node.args[0])})"


def _facing(c: ExpressionCompiler, node: t.Op) -> str:
    text = c.text(node.args[0])
    wanted = int(node.op == "face up")
    zone, end = _end_of_zone(node.args[0]), end_of_place(text)
    if zone is not None and end is not None and c.kept[zone] == "list":  # it is known where the card lies
        card, place = end
        return f"(len({place}) > 0 and {_faces_up(c, zone)} >> {card} & 1 == {wanted})"
    zone = c.zone_of.get(node.args[0].name) if isinstance(node.args[0], t.Local) else None
    if zone:
        return f"({_faces_up(c, zone)} >> {text} & 1 == {wanted})"
    return f"is_up(s, {text})" if wanted else f"is_down(s, {text})"


def _faces_up(c: ExpressionCompiler, zone: str) -> str:
    """The cards that everybody can see, among those of a zone, as bits."""
    return "(s.up | ~s.down)" if is_public(c.model.zones[zone]) else "s.up"


def _end_of_zone(card: Typed) -> str | None:
    """The zone of which a card is the top or the bottom."""
    match card:
        case t.Op("top" | "bottom", (t.ZoneRef(name),)):
            return name
        case t.Op("top" | "bottom", (place,)) if place.type.kind == "place":
            return place.type.zone
    return None


def _group(c: ExpressionCompiler, node: t.Op) -> str:
    if is_cards(node) and len(node.args) == 1 and is_cards(node.args[0]):
        return c.group(node.args[0])
    inner = "".join(f"{c.text(a)}, " for a in node.args if not c.is_missing(a))
    optional = any(a.type.optional for a in node.args)
    return f"present(({inner}))" if optional else f"({inner.strip()})" if inner else "()"


def _void(c: ExpressionCompiler, node: t.Op) -> str:
    """No card of a suit in the hand from which tricks are played, by the suits of the trick stage."""
    suit, actor = node.args
    stage = trick_stage(c, node.name)
    family = c.layout.zones[stage.source_zone]
    hand = t.ZoneRef(stage.source_zone, (actor,), t.CARDS, node.span)
    kind, text = c.cards(hand)
    assert family.size
    local = t.Local("card", t.CARD, node.span)
    own = stage.suit if stage.suit is not None else t.Op("suit", (local,), t.SUIT, node.span)
    same = t.Op("=", (own, suit), t.FLAG, node.span)
    found = c.condition_bits(same, "card")
    if kind == "mask" and found is not None:
        return f"(not {both(text, found)})"
    return f"(not any({c.text(same)} for x·card in {c.as_list((kind, text))}))"


def trick_stage(c: ExpressionCompiler, name: str) -> Any:
    """The trick stage that is meant: the one whose code this is, else the first there is."""
    stages = [s for s in c.model.stages.values() if s.kind == "trick"]
    for stage in stages:
        if stage.name == name:
            return stage
    if not stages:
        raise ValueError("'void in' needs a stage of tricks")
    return stages[0]


def _extreme(c: ExpressionCompiler, node: t.Op) -> str:
    family = c.layout.variables[node.name]
    least = node.op == "lowest"
    over_teams = c.model.variables[node.name].dims == ("team",)
    players = c.text(t.Builtin("players", t.PLAYERS, node.span))
    return f"extreme(v, {family.base}, {_team(c) if over_teams else 'P'}, {players}, {least})"


def _can(c: ExpressionCompiler, node: t.Op) -> str:
    stage, name = node.name.split(".", 1)
    stages = c.model.stages.values() if stage == t.ANYWHERE else (c.model.stages[stage],)
    known = [
        (s.index, f"any·{s.name}·{name}, broken·{s.name}·{name}, {c.bounds.light_move(a)}, {c.limit(a)}")
        for s in stages
        for a in (*s.actions, *s.anytime)
        if a.name == name
    ]
    if stage != t.ANYWHERE:
        return f"can(s, {c.text(node.args[0])}, {known[0][1]})"
    return f"can_here(s, {c.text(node.args[0])}, {{{', '.join(f'{at}: ({asked})' for at, asked in known)}}})"


def _number_of(c: ExpressionCompiler, node: t.Op) -> str:
    return f"s.runs[{c.model.stages[node.name].index}]"


def _holder(c: ExpressionCompiler, node: t.Op) -> str:
    families = [c.layout.zones[n] for n, z in c.model.zones.items() if z.dims == ("player",)]
    bases = c.table(tuple(f.base for f in families))
    return f"holder(s, {bases}, {c.text(node.args[0])}, {c.layout.n})"


def _call(name: str, *before: str) -> Handler:
    def handler(c: ExpressionCompiler, node: t.Op) -> str:
        return f"{name}({', '.join([*before, *(c.text(a) for a in node.args)])})"

    return handler


def _random(c: ExpressionCompiler, node: t.Op) -> str:
    return f"random_of(s, {c.group(node.args[0])}, {node.type.kind!a})"


def _place_of(c: ExpressionCompiler, node: t.Op) -> str:
    order = c.model.orders.get(node.name, c.model.ranks)
    places = c.table(tuple(order.index(r) + 1 if r in order else 0 for r in c.model.ranks))
    return f"of_card({places}, {c.text(node.args[0])})"


def _distance(c: ExpressionCompiler, node: t.Op) -> str:
    around = len(c.model.ranks) if node.op != "distance" else 0
    inner = f"distance({', '.join(c.text(a) for a in node.args)}, {around})"
    return f"({inner} == 1)" if node.op == "next in rank" else inner


def _owner_of(c: ExpressionCompiler, node: t.Op) -> str:
    family = c.layout.zones[node.name]
    at = 0 if node.op == "owner of" else -1
    keys = c.table(tuple(k[at] if k else 0 for k in family.keys))
    return f"{keys}[{c.text(node.args[0])} - {family.base}]"


def _option_of(c: ExpressionCompiler, node: t.Op) -> str:
    return f"{c.option_text(node.name, node.type, of_each=True)}[{c.text(node.args[0])}]"


def _team_tricks(c: ExpressionCompiler, node: t.Op) -> str:
    return f"sum([s.tricks[q] for q in {_members(c)}[{c.text(node.args[0])}]])"


def _team(c: ExpressionCompiler) -> str:
    """Person -> team."""
    return "s.teams" if c.teams_move else "TEAM"


def _members(c: ExpressionCompiler) -> str:
    """Team -> persons."""
    return "s.members" if c.teams_move else "MEMBERS"


def _partner(c: ExpressionCompiler, node: t.Op) -> str:
    if c.teams_move:
        return f"partner(s.members, s.teams, {c.text(node.args[0])})"
    teams = c.layout.teams
    members = [[p for p, own in enumerate(teams) if own == team] for team in range(c.layout.team_count)]
    partners = tuple(partner(members, teams, p) for p in range(c.layout.n))
    return f"{c.table(partners)}[{c.text(node.args[0])}]"


def _left(c: ExpressionCompiler, node: t.Op) -> str:
    if not c.model.reseats:
        return f"{'LEFT' if node.op == 'left of' else 'RIGHT'}[{c.text(node.args[0])}]"
    step = {"left of": 1, "right of": -1}[node.op]
    return f"seat_from(s, {c.text(node.args[0])}, {step})"


def _extremum(c: ExpressionCompiler, node: t.Op) -> str:
    name = "max" if node.op == "greater" else "min"
    inner = ", ".join(c.text(a) for a in node.args)
    return f"ask({name}, {inner})" if any(c.may_miss(a) for a in node.args) else f"{name}({inner})"


def _item(c: ExpressionCompiler, node: t.Op) -> str:
    number, items = (c.text(a) for a in node.args)
    return f"{'cycle' if node.op == 'cycle' else 'item'}({number}, {items})"


OPS: dict[str, Handler] = {
    "+": _binary,
    "-": _binary,
    "*": _binary,
    "div": _divide,
    "mod": _divide,
    "=": _binary,
    "!=": _binary,
    "<": _binary,
    "<=": _binary,
    ">": _binary,
    ">=": _binary,
    "and": _logic,
    "or": _logic,
    "not": _not,
    "in": _in,
    "is empty": _is_empty,
    "count": _count,
    "matches": _matches,
    "face up": _facing,
    "face down": _facing,
    "suit": _attribute,
    "rank": _attribute,
    "colour": _attribute,
    "name": _attribute,
    "group": _group,
    "top": _top,
    "bottom": _top,
    "newest": _top,
    "void": _void,
    "lowest": _extreme,
    "highest": _extreme,
    "can": _can,
    "number of": _number_of,
    "holder of": _holder,
    "player of": _call("player_of", "s"),
    "others": _call("others", "P"),
    "left of": _left,
    "right of": _left,
    "across from": _call("across", "s"),
    "next after": _call("next_after", "s"),
    "partner of": _partner,
    "team of": lambda c, n: f"{_team(c)}[{c.text(n.args[0])}]",
    "members of": lambda c, n: f"{_members(c)}[{c.text(n.args[0])}]",
    "seat of": _call("seat_of", "s"),
    "tricks of": lambda c, n: f"s.tricks[{c.text(n.args[0])}]",
    "team tricks": _team_tricks,
    "colour of": lambda c, n: f"COLOUR_OF[{c.text(n.args[0])}]",
    "place of": _place_of,
    "distance": _distance,
    "distance around": _distance,
    "next in rank": _distance,
    "greater": _extremum,
    "lesser": _extremum,
    "start": _call("start"),
    "item": _item,
    "cycle": _item,
    "owner of": _owner_of,
    "index of": _owner_of,
    "option of": _option_of,
    "random": _random,
    "fault count": _call("fault_count", "s"),
    "fault age": _call("fault_age", "s"),
    "lapsed count": _call("lapsed_count", "s"),
}
