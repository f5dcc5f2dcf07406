"""What is hidden from the player who chooses a card, as far as a ruleset tells before anybody plays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from interpreter.base.diagnostics import Report, Span
from interpreter.language import typed as t
from interpreter.language.check.kinds import holds_card
from interpreter.language.check.looking import (
    ACTOR,
    CHOSEN,
    NOTHING,
    OTHER,
    Looking,
    Meant,
    decides,
    stands_for,
)
from interpreter.language.check.names import Names as Declared
from interpreter.language.check.written_out import is_actor, written_out
from interpreter.language.model import (
    MELDS,
    ActionDef,
    DefineInstance,
    ParamDef,
    ShownDefine,
    StageDef,
    TableDef,
    TokenDef,
    VarDef,
    ZoneDef,
)
from interpreter.language.operations import TAKE_ONE, TAKE_SOME, asking
from interpreter.language.tree import replace, values_of
from interpreter.language.typed import Effect, Typed, said, walk, walk_of

WHEREVER = asking("holders")
"""Operations that tell of a card where it lies, without naming the place."""


class Secrecy(NamedTuple):
    """What some players cannot know, as far as a ruleset tells.

    zones: those where cards lie that have come there unseen, and in which none is ever turned up or shown. variables:
    hidden ones that are made of what is hidden or was chosen in secret; others only spare the reckoning. dealt: the
    stages in which some of the pack may be in hands. Before it is dealt everybody knows what lies there.
    """

    zones: frozenset[str]
    variables: frozenset[str]
    dealt: frozenset[str]


def is_blind(param: ParamDef, zones: Mapping[str, ZoneDef], instances: Mapping[str, DefineInstance]) -> bool:
    """Whether who chooses cards may not see their faces: they lie neither where all see them nor in an own hand."""
    return param.form == "cards" and any(True for _ in unseen_zones(param.domain, zones, instances))


def unseen_zones(
    node: Typed | None, zones: Mapping[str, ZoneDef], instances: Mapping[str, DefineInstance]
) -> Iterator[str]:
    """Names of the zones that an expression speaks of, definitions written out, and that who asks may not see."""
    for parts, given in written_out(node, instances, {}):
        tops = {id(part.args[0]) for part in parts if isinstance(part, t.Op) and part.op == "top"}
        for part in parts:
            if isinstance(part, t.ZoneRef) and part.name in zones:
                own = bool(part.index) and is_actor(part.index[0], given)
                if not is_seen(zones[part.name], own, id(part) in tops):
                    yield part.name
            elif isinstance(part, t.Op) and part.op in WHEREVER:
                yield from (name for name, zone in zones.items() if zone.dims and not is_public(zone))


def turned_down(effects: object, zones: Mapping[str, ZoneDef]) -> dict[str, ZoneDef]:
    """The zones, those marked that all see and in which single cards may lie face down all the same.

    effects: whatever holds all effects. What is turned down without its zone being named may lie in any, and what
    changes places with others lies there as it lay.
    """
    names: set[str] = set()
    swaps: list[set[str]] = []
    for block in blocks(effects):
        for effect, after in zip(block, [*block[1:], None], strict=True):
            if isinstance(effect, t.Move) and effect.facing == "down":
                names.add(effect.target.name)
            elif isinstance(effect, t.SwapValues):
                swaps.append({effect.left.name, effect.right.name} & zones.keys())
            elif isinstance(effect, t.Face) and effect.verb != "turn up":
                found = lying_in(effect.what)
                if effect.verb != "flip" or not _takes_up(after, effect.what):
                    names |= found or zones.keys()
    swaps = [swap for swap in swaps if all(is_public(zones[name]) for name in swap)]
    while any(0 < len(names & swap) < len(swap) for swap in swaps):
        names = names.union(*(swap for swap in swaps if names & swap))
    return {name: replace(z, turned_down=name in names and is_public(z)) for name, z in zones.items()}


def blocks(holder: object) -> Iterator[tuple[Effect, ...]]:
    """Effects that are done one after the other. holder: whatever holds all effects."""
    for node in walk(holder):
        for value in values_of(node):
            if type(value) is tuple and value and type(value[0]) in t.EFFECTS:
                yield value


def _takes_up(effect: Effect | None, packet: Typed) -> bool:
    """Whether an effect takes a whole packet away."""
    if not isinstance(effect, t.Move) or effect.what is not None:
        return False
    return bool(said(effect.source) == said(packet))


def lying_in(what: Typed) -> set[str]:
    """The zone in which cards lie, as far as they are named by it; a card that was chosen may lie elsewhere since."""
    match what:
        case t.ZoneRef(name):
            return {name}
        case t.Op(op, (*_, inner)) if op in TAKE_ONE or op in TAKE_SOME:
            return lying_in(inner)
        case t.Select(domain=inner) | t.Op("without", (inner, _)):
            return lying_in(inner)
    return set()


def check_hidden(
    stages: Mapping[str, StageDef],
    declared: Declared,
    tables: Mapping[str, TableDef],
    instances: Mapping[str, DefineInstance],
    shown: Iterable[ShownDefine],
    secrets: Secrecy,
    report: Report,
) -> None:
    """Warn where what is offered tells of hidden cards."""
    zones, variables, tokens = declared.zones, declared.variables, declared.tokens

    def hides(ref: t.ZoneRef | t.VarRef | t.TokenRef, whose: str, is_top: bool) -> bool:
        """Whether who acts may not see what lies in a zone, or what a variable holds."""
        if isinstance(ref, t.TokenRef):
            return False
        if isinstance(ref, t.VarRef):
            return holds_card(ref.type) and _is_kept(variables[ref.name], whose)
        return ref.name in zones and not is_seen(zones[ref.name], whose == ACTOR, is_top)

    def keeps(ref: t.ZoneRef | t.VarRef | t.TokenRef, whose: str, is_top: bool) -> bool:
        """Whether who acts is sure not to know it."""
        if isinstance(ref, t.TokenRef):
            return ref.name in tokens and _is_kept(tokens[ref.name], whose)
        if isinstance(ref, t.VarRef):
            kept = holds_card(ref.type) or ref.name in secrets.variables
            return kept and ref.name in variables and _is_kept(variables[ref.name], whose)
        return ref.name in secrets.zones and _is_kept(zones[ref.name], whose if ref.index else OTHER)

    def keeps_before_dealing(ref: t.ZoneRef | t.VarRef | t.TokenRef, whose: str, is_top: bool) -> bool:
        """As long as the pack is whole it is known what lies there, but not in which order."""
        return keeps(ref, whose, is_top) and not (isinstance(ref, t.ZoneRef) and zones[ref.name].pack and not is_top)

    def counted(ref: t.ZoneRef, whose: str) -> bool:
        zone = zones.get(ref.name)
        return zone is not None and _is_kept_by(zone.count_seen_by, zone.dims[:1] == ("player",), whose)

    def surely_blind(param: ParamDef) -> bool:
        """Whether nothing ever shows who acts the cards of a parameter."""
        return param.form == "cards" and any(_is_shut(zones[n]) for n in unseen_zones(param.domain, zones, instances))

    told = {define.name for define in shown if not _is_nobody(define.seen_by)}
    held = next((name for name, zone in zones.items() if zone.dims and _is_kept(zone, OTHER)), "")
    unseen = Looking(hides, instances, held=held, blind=lambda param: is_blind(param, zones, instances))
    tricks = {stage.trick_zone for stage in stages.values() if stage.kind == "trick"} & zones.keys()
    unknown = all(name in secrets.zones and _is_kept_from_all(zones[name]) for name in tricks)
    shut = min(tricks, default="") if unknown else ""
    actions: dict[str, list[ActionDef]] = {}
    for stage in stages.values():
        for action in (*stage.actions, *stage.anytime):
            for where in (stage.name, t.ANYWHERE):
                actions.setdefault(f"{where}.{action.name}", []).append(action)
    while_dealt, before = (
        Looking(kept, instances, told, tables, held, counted, actions, surely_blind, shut)
        for kept in (keeps, keeps_before_dealing)
    )
    for stage in stages.values():
        secret = while_dealt if stage.name in secrets.dealt else before
        for action in (*stage.actions, *stage.anytime):
            for params in (action.params, *(row.params for row in action.rows)):
                for param in params:
                    _check_melds(param, zones, instances, report)
            _check_offers(action, secret, report)
            _check_row(action, zones, unseen, report)


def _check_row(action: ActionDef, zones: Mapping[str, ZoneDef], unseen: Looking, report: Report) -> None:
    """What the row of a card asks for tells which card it is, so nobody can be asked who does not see it."""
    asks = any(row.params for row in action.rows) or any(law.row >= 0 for law in action.laws)
    if action.row is None or not asks:
        return
    names: dict[str, Meant] = {}
    for param in action.params:
        known = stands_for(param, names, unseen)
        names[param.name] = NOTHING if known.who == CHOSEN else known  # only its name counts there
    blind = (node.name for node in walk(action.row) if isinstance(node, t.Local) and names.get(node.name, NOTHING).of)
    found = unseen.meant(action.row, names).of or unseen.looked_at(action.row, names) or next(blind, "")
    if found:
        what = f"'{found}'" if found in names or found not in zones else f"a card in '{found}'"
        message = f"what its row asks for would tell of {what}, which who chooses may not see"
        hint = "let a stage of its own ask for it, when the card lies open"
        report.error("E505", action.row.span, message, hint)
    unsaid = {param.name for param in action.params if param.otherwise is not None}
    hangs = next((n.name for n in walk(action.row) if isinstance(n, t.Local) and n.name in unsaid), None)
    if hangs and any(row.params for row in action.rows):
        message = f"what its row asks for hangs on '{hangs}', which may be left unsaid"
        hint = "leave out 'said' there, or let a stage of its own ask for it"
        report.error("E505", action.row.span, message, hint)


def _check_offers(action: ActionDef, secret: Looking, report: Report) -> None:
    """What can be chosen, what it is called, and which laws forbid it, tells of the cards by which that is decided."""
    chosen = {param.name for params in (action.params, *(row.params for row in action.rows)) for param in params}
    done: set[Span] = set()
    for node, names in decides(action, {}, secret):
        found = secret.looked_at(node, names)
        if found and node is not None and node.span not in done:
            done.add(node.span)
            message = f"what is offered tells of '{found}', which who chooses does not see"
            hint = "look at it in the effect, or tell it to those who choose, by a definition with 'seen by'"
            if found in chosen:
                hint = "let any of the cards be chosen, and look at it in the effect"
            report.warning("W603", node.span, message, hint)


def _check_melds(
    param: ParamDef, zones: Mapping[str, ZoneDef], instances: Mapping[str, DefineInstance], report: Report
) -> None:
    if param.form in MELDS and any(True for _ in unseen_zones(param.domain, zones, instances)):
        hint = "let it be made of cards that lie open, or of the actor's own hand"
        message = f"'{param.name}' is made of cards that who chooses may not see"
        report.error("E505", param.span, message, hint)


def _is_nobody(eyes: Typed | None) -> bool:
    return isinstance(eyes, t.Op) and eyes.op == "group" and not eyes.args


def _is_kept(kept: ZoneDef | VarDef | TokenDef, whose: str) -> bool:
    """Whether what somebody has in a place, in a variable or of pieces is never seen by who acts."""
    if isinstance(kept, ZoneDef) and kept.faces_down:
        return True
    return _is_kept_by(kept.seen_by, isinstance(kept, TokenDef) or kept.dims[:1] == ("player",), whose)


def _is_kept_by(eyes: Typed | None, owned: bool, whose: str) -> bool:
    """eyes: who sees it. owned: whether each player has one."""
    match eyes:
        case t.Op("group", ()):
            return True
        case t.Op("group", (t.Local("owner"),)):
            return owned and whose == OTHER
    return False


def _is_kept_from_all(zone: ZoneDef) -> bool:
    """Whether nobody ever sees what is laid in a zone."""
    return zone.faces_down or _is_nobody(zone.seen_by)


def _is_shut(zone: ZoneDef) -> bool:
    """Whether it never changes who sees the cards of a zone, so that others are sure not to see them."""
    shut = isinstance(zone.seen_by, t.Op) and zone.seen_by.op == "group"
    return zone.faces_down or zone.shows_top or shut


def is_public(zone: ZoneDef) -> bool:
    """Whether everybody sees the faces of the cards that are laid there."""
    return not zone.faces_down and isinstance(zone.seen_by, t.Builtin) and zone.seen_by.name == "everyone"


def is_spread(node: Typed | None, instances: Mapping[str, DefineInstance]) -> bool:
    """Whether the cards of a set may lie in several places, not all in one."""
    match node:
        case t.ZoneRef():
            return node.type.item is None or node.type.item.kind != "card"
        case t.Select("all", _, _, domain):
            return is_spread(domain, instances)
        case t.If(_, then, otherwise):
            return is_spread(then, instances) or is_spread(otherwise, instances)
        case t.Let():
            return is_spread(node.body, instances)
        case t.Op("without", (group, _)):
            return is_spread(group, instances)
        case t.Op(op, (_, group)) if op in TAKE_SOME:
            return is_spread(group, instances)
        case t.Instance(key):
            return is_spread(instances[key].body, instances)
        case t.Local(_, kind):
            return kind.kind != "place"
    return True


def is_seen(zone: ZoneDef, is_own: bool, is_top: bool) -> bool:
    """Whether who acts sees the faces there. is_top: whether it is asked for the top card alone."""
    if zone.faces_down or zone.turned_down or (zone.shows_top and not is_top):
        return False
    match zone.seen_by:
        case t.Builtin("everyone"):
            return True
        case t.Op("group", (t.Local("owner"),)):
            return is_own
    return False


def seen_choices(params: Iterable[ParamDef], zones: Mapping[str, ZoneDef]) -> frozenset[str]:
    """The cards among what is chosen of which who chooses them sees what they are."""
    return frozenset(param.name for param in params if param.domain is not None and _sees(param.domain, zones))


def _sees(domain: Typed, zones: Mapping[str, ZoneDef]) -> bool:
    """Whether who acts sees the faces of all cards in a set, which lie in zones."""
    places = list(walk_of(domain, t.ZoneRef))
    return bool(places) and all(is_seen(zones[z.name], any(is_actor(i, {}) for i in z.index), False) for z in places)
