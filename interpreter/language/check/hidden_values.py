"""On what hidden things the value of an expression hangs.

Whatever is not surely seen counts as hidden, the pack, too, and what may be seen now and then. An expression asks of
all that is hidden and that it names or could reach. Only what is done to cards for where they lie, not for what they
are, asks no more than how many lie there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from interpreter.language import typed as t
from interpreter.language.check.hiding import is_seen, lying_in
from interpreter.language.check.kinds import holds_card
from interpreter.language.check.looking import SELF, by_name
from interpreter.language.check.openness import asks_of_trick, is_everyone, is_open_variable, is_owner
from interpreter.language.keywords import COUNT_OF
from interpreter.language.model import MELDS, ActionDef, Model, ParamDef, StageDef
from interpreter.language.operations import (
    BY_CHANCE,
    NUMBERED,
    OF_CARD,
    OF_FAULTS,
    OF_PLACE,
    OF_WHAT_IT_IS_GIVEN,
    OPERATIONS,
    TAKE_ONE,
    TAKE_SOME,
)
from interpreter.language.tree import TreeNode, fields, values_of
from interpreter.language.typed import Typed, walk_of

Hidden = frozenset[str]
"""Names of zones, variables, pieces and secrets that are hidden, and `COUNT_OF` and the name of a zone of which it is
only asked how many cards lie there."""
NOTHING: Hidden = frozenset()
ANYTHING: Hidden = frozenset((t.ANYWHERE,))
"""No name of anything, so that nobody knows it."""
FACE = "·face"
"""In place of names: wherever a card may lie unseen that is called by its face."""


class Meant(NamedTuple):
    """What is known of the value for which a name stands.

    is_actor: whether it is surely the player who acts. of: what is asked of if the value is. where: what is asked of if
    something is done with the cards wherever they lie. top: what is asked of if the top card is. node: the expression.
    """

    is_actor: bool = False
    of: Hidden = NOTHING
    where: Hidden = NOTHING
    top: Hidden = NOTHING
    node: Typed | None = None


MOST_KEPT = 10_000
"""So much that was found out is kept at a time."""
Found = TypeVar("Found")
Names = Mapping[str, Meant]
"""Names of parameters and loop variables -> what they stand for. SELF: who acts, if it is not who moves."""
ANYONE: Names = {SELF: Meant()}
"""Where nobody in particular acts, or whoever moved last."""
EYES = "·eyes"
"""Among names, for whom something must be hidden to count, if it is not who acts."""
BY_PLACE = (TAKE_ONE | TAKE_SOME) - BY_CHANCE
"""Operations that take cards by where they lie among those that they are given last. Chance picks one by its number in
the order of the pack: of several places, by the faces in all of them."""

_MIXING = (t.SwapValues, t.Gather, t.Face, t.Move, t.Deal)
"""The classes of effects after which a card may lie somewhere else."""


class HiddenValues:
    """Reads expressions, and what is offered by them. model: of which they are."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._never_set = _never_set(model)
        """Variables that stay as they are."""
        self.anywhere = frozenset(n for n, z in model.zones.items() if not is_seen(z, False, False))
        """The zones in which a card may lie unseen by somebody."""
        self._owned = frozenset(n for n in self.anywhere if model.zones[n].dims[:1] == ("player",))
        """Zones in which a card may lie unseen, of which each player has one."""
        self._mixed: frozenset[frozenset[str]] = frozenset()
        """Names of zones of which one may hold what another held, by those that are mixed together."""
        self._mixing: dict[int, tuple[object, list[frozenset[str]]]] = {}
        """What effects mix that have been looked through, by what tells them apart."""
        self._bodies: dict[tuple[str, tuple[Meant, ...], bool, frozenset[frozenset[str]], Hidden], Hidden] = {}
        """What is asked by definitions, tables and what is offered: of these parameters, whether by place, behind which
        zones were mixed, and what is asked for who takes part."""
        self._numbers: dict[str, Hidden] = {}
        """What is asked by how often stages have begun."""
        self._inside = {name: _goes_to(stage) for name, stage in model.stages.items()}
        """The stages that each goes through or calls."""
        self.taking_part: Hidden = NOTHING
        """What is asked by whatever goes by who takes part."""
        self._of_players: dict[str, Hidden] = {}
        """By stage, what is asked there by whatever goes by who takes part."""
        self._actions: dict[str, list[ActionDef]] = {}
        tricks = [stage for stage in model.stages.values() if stage.kind == "trick"]
        self._kept: dict[tuple[Any, ...], tuple[Typed, Names, Any]] = {}
        """What has been found out, by what was asked of which expression and what names in it mean."""
        self._hands = {stage.source_zone for stage in tricks}
        self._tricks = frozenset(stage.trick_zone for stage in tricks)
        for stage in model.stages.values():
            for action in (*stage.actions, *stage.anytime):
                for where in (stage.name, t.ANYWHERE):
                    self._actions.setdefault(f"{where}.{action.name}", []).append(action)
        self.mix(model.stages)

    # ---- who takes part --------------------------------------------------------------------------------

    @contextmanager
    def during(self, stage: StageDef | None) -> Iterator[None]:
        """While this goes on, it is asked what is asked in a stage (None: in any): who takes part may hang on what is
        asked there, or in one that goes through it or calls it."""
        name, before = "" if stage is None else stage.name, self.taking_part
        if name not in self._of_players:
            stages = self._model.stages
            around = {*stages} if stage is None else self._around(name)
            self.taking_part = NOTHING  # `players` among them are those around
            self._of_players[name] = self.all_of([stages[one].players for one in sorted(around)], ANYONE)
        self.taking_part = self._of_players[name]
        yield
        self.taking_part = before

    def _around(self, name: str) -> set[str]:
        """A stage with all those that go through it or call it, and through or by which these come about."""
        around, todo = set[str](), [name]
        while todo:
            around.add(inner := todo.pop())
            todo += [outer for outer, inside in self._inside.items() if inner in inside and outer not in around]
        return around

    # ---- where what lies somewhere may be something else within one text -----------------------------------

    @contextmanager
    def behind(self, effects: object) -> Iterator[None]:
        """While this goes on, only the zones that these effects mix count as mixed, and those of `mix`; at other times
        those that any effect mixes."""
        before, self._mixed = self._mixed, frozenset()
        self.mix(effects)
        yield
        self._mixed = before

    def mix(self, effects: object) -> None:
        """The zones that effects exchange or gather, from now on: all that may have lain in one is asked of together.
        So is a pile that shows its top card once something else may be on top."""
        if id(effects) not in self._mixing:
            found = [frozenset(self._mixed_in(effect)) for effect in walk_of(effects, *_MIXING)]
            self._mixing[id(effects)] = effects, [names for names in found if names]
        for names in self._mixing[id(effects)][1]:
            near = [group for group in self._mixed if group & names]
            self._mixed = self._mixed.difference(near) | {names.union(*near)}

    def _mixed_in(self, effect: object) -> set[str]:
        """The zones that one effect mixes."""
        zones = self._model.zones
        match effect:
            case t.SwapValues(t.ZoneRef(one), t.ZoneRef(other)):
                return {one, other}
            case t.Gather(sources, target) if sources is not None:
                return {target.name, *(source.name for source in sources)}
            case t.Face("flip", what):
                return lying_in(what) or {*zones}
            case t.Move(what, source=source) if not (what is None and source is not None):
                named = lying_in(what) if source is None and what is not None else {source.name} if source else set()
                return {name for name in named or zones if zones[name].shows_top}
            case t.Deal(source=source):
                return {source.name} if zones[source.name].shows_top else set()
        return set()

    def _with(self, name: str) -> Hidden:
        """The hidden zones of which cards may lie in a zone by now. name: "" for any zone."""
        return self.anywhere & NOTHING.union(*(group for group in self._mixed if not name or name in group))

    def _with_place(self, node: Typed) -> Hidden:
        """The hidden zones of which cards may lie by now in the place, or the places, that an expression stands for."""
        return self._with((node.type.item or node.type).zone) if has_places(node) else NOTHING

    def _numbers_with(self, name: str) -> Hidden:
        """Counts of cards that not everybody knows, of the zones of which cards may lie in a zone. name: "" for any."""
        zones, groups = self._model.zones, (group for group in self._mixed if not name or name in group)
        kept = (n for group in groups for n in group if not is_everyone(zones[n].count_seen_by))
        return frozenset(COUNT_OF + n for n in kept)

    def everywhere(self, found: Hidden) -> Hidden:
        """With the names of all zones in which cards may lie that are called by their faces."""
        return found - {FACE} | self.anywhere if FACE in found else found

    def offered(self, action: ActionDef, names: Names) -> Hidden:
        """On what it hangs whether and how an action is offered, and why it is not."""
        own = self.chosen(action.params, names)
        rows = [self.chosen(row.params, own) for row in action.rows]
        asked: list[Typed | None] = [*(when for _, when in action.when), *(label for label, _ in action.labels)]
        asked.append(action.row if action.rows else None)
        asked += [bound for _, *bounds in action.measured for bound in bounds]
        found = self.all_of(asked, own) | self._choices(action.params, names)
        for row in action.rows:
            found |= self._choices(row.params, own)
        for law in action.laws:
            found |= self.all_of((law.law, law.message), own if law.row < 0 else rows[law.row])
        return found

    def _choices(self, params: Iterable[ParamDef], names: Names) -> Hidden:
        """What decides which values parameters can have: cards are offered by where they lie."""
        found = NOTHING
        for param in params:
            by_place = param.form == "zones" or (param.form == "cards" and SELF not in names)
            found |= self.where(param.domain, names) if by_place else self.asked(param.domain, names)
            asked = (*(param.bounds or ()), *(param.count or ()), param.none_if, param.otherwise, param.asked)
            found |= self.all_of(asked, names)
            names = self.chosen([param], names)
            found |= self.asked(param.where, {**names, "card": names[param.name]})
        return found

    def chosen(self, params: Iterable[ParamDef], names: Names) -> Names:
        """The names with parameters: of a card it is known what lay where who chose it sees that."""
        for param in params:
            is_card = param.form in ("cards", "kinds", "zones", *MELDS)
            names = {**names, param.name: self.named(param.domain, names) if is_card else Meant()}
        return names

    # ---- expressions ------------------------------------------------------------------------------------

    def all_of(self, nodes: Iterable[Typed | None], names: Names) -> Hidden:
        """All that is hidden from who acts and on which any of these values could hang."""
        return NOTHING.union(*(self.asked(node, names) for node in nodes))

    def named(self, value: Typed | None, names: Names) -> Meant:
        """What a name for a value, or for one of a set, stands for."""
        return Meant() if value is None else self._once("named", value, names, self._names)

    def _names(self, value: Typed, names: Names) -> Meant:
        of = self.asked(value, names)
        where = self.where(value, names) if has_cards(value) else of
        return Meant(self._is_actor(value, names), of, where, self._top(value, names) if has_places(value) else of)

    def asked(self, node: Typed | None, names: Names) -> Hidden:
        """All that is hidden from who acts and that a value could hang on. Of a set it is asked again and again."""
        if not isinstance(node, t.Select | t.Quant | t.Fold):
            return self._asks(node, names)
        return self._once("asked", node, names, self._asks)

    def _once(self, what: str, node: Typed, names: Names, ask: Callable[[Typed, Names], Found]) -> Found:
        """What has been found out of an expression by the same names, as long as much the same is asked."""
        key = what, id(node), id(names), self._mixed, self.taking_part
        if key not in self._kept:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[key] = node, names, ask(node, names)
        found: Found = self._kept[key][2]
        return found

    def _asks(self, node: Typed | None, names: Names) -> Hidden:
        match node:
            case None | t.Const():
                return NOTHING
            case t.Local(name):
                return (names[name].of if name in names else NOTHING) | self._with_place(node)
            case t.ZoneRef(name, (place,)) if has_places(place):
                return self.asked(place, names) | self._with(name)
            case t.ZoneRef():
                return self.where(node, names) | self._zone(node, names)
            case t.Op("top", (place,)):
                return self._top(place, names)
            case t.Op(op, (t.ZoneRef() as place,)) if op in NUMBERED:
                return self.where(place, names)
            case t.Op(op, (place,)) if op in OF_PLACE and has_places(place):
                return self.where(place, names)
            case t.Op("holder of", (card,)):
                found = self.where(card, names)
                return found - {FACE} | self._owned if FACE in found and not self._mixed else found
            case t.Op(op, (card,)) if op in OF_CARD:
                return self.where(card, names) | (self._of_tricks() if asks_of_trick(node) else NOTHING)
            case t.Op("void", (suit, who)):
                hands = (t.ZoneRef(zone, (who,), t.CARDS, node.span) for zone in self._hands)
                return self.all_of((suit, who, *hands), names)
            case t.Op("can", (who,), _, _, name):
                acts = Meant(self._is_actor(who, names))
                return self.asked(who, names) | self._by(f"can {name}", (acts,), names)
            case t.Op("highest" | "lowest", args, _, _, name):
                hidden = self._variable(name, False)
                return self.all_of(args, names) | hidden
            case t.Op("number of", _, _, _, name):
                return self._number(name)
            case t.Op(op, (who, *_)) if op in OF_FAULTS:  # what was not claimed is a secret
                own = self._is_actor(who, names)
                return self.asked(who, names) | (NOTHING if own else frozenset((OPERATIONS[op].word,)))
            case t.VarRef(name, index):
                own = bool(index) and self._is_actor(index[0], names)
                return self.all_of(index, names) | self._variable(name, own)
            case t.TokenRef(name, holder):
                return self.all_of((holder,), names) | self._token(node, names)
            case t.Builtin(name):
                found = self.taking_part if name == "players" else NOTHING
                return found | self._of_tricks() if asks_of_trick(node) else found
            case t.Op("next after", (who,)):
                return self.asked(who, names) | self.taking_part
            case t.Instance(key, args):
                return self._by(key, tuple(self.named(arg, names) for arg in args), names)
            case t.TableRef(name, key):
                return self.asked(key, names) | self._by(f"table {name}", (self.named(key, names),), names)
            case t.Quant(_, name, _, domain) | t.Select(_, name, _, domain) | t.Fold(_, name, _, domain):
                inside = {**names, name: self.named(domain, names)._replace(is_actor=False)}
                rest = [part for part in t.children(node) if part is not domain]
                over = self.where(domain, names) if has_places(domain) else self.asked(domain, names)
                return over | self.all_of(rest, inside)
            case t.Let(name, value, body):
                return self.asked(body, {**names, name: self.named(value, names)})
            case t.Words(pieces):
                return self.all_of((piece for piece in pieces if not isinstance(piece, str)), names)
            case t.Op(op) if op not in OF_WHAT_IT_IS_GIVEN:
                return ANYTHING
        return self.all_of(t.children(node), names)

    def where(self, node: Typed | None, names: Names) -> Hidden:
        """What is asked if something is done with cards where they lie: of those that are meant by their place only
        how many lie there, and of those that are called by their faces whatever they could lie in."""
        match node:
            case None | t.Const(None):
                return NOTHING
            case t.Local(name):
                numbers = self._numbers_with((node.type.item or node.type).zone) if has_places(node) else NOTHING
                return (names[name].where if name in names else NOTHING) | numbers
            case t.StageArgument():
                return NOTHING  # it was asked of when it was given
            case t.ZoneRef(name, (place,)) if has_places(place):
                return self.where(place, names) | self._numbers_with(name)
            case t.ZoneRef(_, index):
                return self._count(node, names) | self.all_of(index, names)
            case t.Op("group" | "union", args):
                return NOTHING.union(*(self.where(arg, names) for arg in args))
            case t.Op(op, (*numbers, cards)) if op in BY_PLACE:
                return self.all_of(numbers, names) | self.where(cards, names)
            case t.Op(op, (*numbers, t.ZoneRef() as place)) if op in BY_CHANCE and place.type == t.CARDS:
                return self.all_of(numbers, names) | self.where(place, names)
            case t.Select("all", _, _, cards, None, None):
                return self.where(cards, names)
            case t.Op("meld cards", (cards,)):
                return self.where(cards, names)
            case t.Select(_, name, _, t.Builtin("pack"), t.Op() as where):
                return self.asked(node, names) | self._lies(where, name, names)
            case t.Op("without", (cards, _)) | t.Select(domain=cards):
                return self.asked(node, names) | self.where(cards, names)
            case t.If(condition, then, otherwise):
                return self.asked(condition, names) | self.where(then, names) | self.where(otherwise, names)
            case t.Instance(key, args):
                return self._by(key, tuple(self.named(arg, names) for arg in args), names, True)
            case t.VarRef(name) if self._model.variables[name].seen_by is None:
                return self.asked(node, names)  # who sees the card knows where it lies
        return self.asked(node, names) | {FACE}

    def _lies(self, where: Typed, card: str, names: Names) -> Hidden:
        """What is asked of where a card lies of which something is true."""
        match where:
            case t.Op("or", args):
                return NOTHING.union(*(self._lies(arg, card, names) for arg in args))
            case t.Op("and", args):
                return min(
                    (self._lies(arg, card, names) for arg in args), key=lambda found: (FACE in found, len(found))
                )
            case t.Op("in" | "=", (t.Local(name), among)) if name == card:
                return self.where(among, names)
        return frozenset((FACE,))

    def _top(self, node: Typed, names: Names) -> Hidden:
        """What is asked if the top card of a place is."""
        match node:
            case t.Local(name):
                return (names[name].top if name in names else NOTHING) | self._with_place(node)
            case t.ZoneRef(name, (place,)) if has_places(place):
                return self._top(place, names) | self._with(name)
            case t.ZoneRef():
                return self.where(node, names) | self._zone(node, names, True)
            case t.Op("group" | "union", args):
                return NOTHING.union(*(self._top(arg, names) for arg in args))
        return self.asked(node, names)

    def _by(self, key: str, given: Sequence[Meant], names: Names, by_place: bool = False) -> Hidden:
        """What a definition, a table or what somebody could do asks: once for what it is given."""
        known = (key, tuple(given), by_place, self._mixed, self.taking_part)
        if known not in self._bodies:
            self._bodies[known] = ANYTHING
            kind, _, name = key.partition(" ")
            if kind == "can" and name:
                who = {} if given[0].is_actor else ANYONE
                found = NOTHING.union(*(self.offered(action, who) for action in self._actions.get(name, ())))
            elif kind == "table" and name:
                table = self._model.tables[name]
                inside = {**ANYONE, table.card: given[0]}
                found = self.all_of([table.by, *(row.value for row in table.rows)], inside)
            else:
                instance = self._model.instances[key]
                inside = {**ANYONE, **by_name(instance, given)}
                found = (self.where if by_place else self.asked)(instance.body, inside)
            self._bodies[known] = found
        return self._bodies[known]

    def _is_actor(self, node: Typed, names: Names) -> bool:
        """Whether an expression is surely the player who moves, or of whose eyes it is asked."""
        if EYES in names and not isinstance(node, t.Local):
            return _is_same(node, names[EYES].node)
        match node:
            case t.Builtin("actor"):
                return SELF not in names or names[SELF].is_actor
            case t.Local(name):
                return name in names and names[name].is_actor
        return False

    def _of_tricks(self) -> Hidden:
        return (self._tricks & self.anywhere).union(*map(self._with, self._tricks))

    def _zone(self, ref: t.ZoneRef, names: Names, is_top: bool = False) -> Hidden:
        zone = self._model.zones.get(ref.name)
        own = bool(ref.index) and self._is_actor(ref.index[0], names)
        seen = zone is None or is_seen(zone, own, is_top)
        return self._with(ref.name) | (NOTHING if seen else frozenset((ref.name,)))

    def _count(self, ref: t.ZoneRef, names: Names) -> Hidden:
        zone, others = self._model.zones.get(ref.name), self._numbers_with(ref.name)
        if zone is None or others or is_everyone(zone.count_seen_by):
            return others
        own = bool(ref.index) and zone.dims[:1] == ("player",) and self._is_actor(ref.index[0], names)
        return NOTHING if own and is_owner(zone.count_seen_by) else frozenset((COUNT_OF + ref.name,))

    def _variable(self, name: str, own: bool) -> Hidden:
        variable = self._model.variables.get(name)
        if variable is None or name in self._never_set or is_open_variable(variable):
            return NOTHING
        return NOTHING if own and is_owner(variable.seen_by) else frozenset((name,))

    def _number(self, name: str) -> Hidden:
        """What is asked if it is how often a stage has begun: nobody may know that if something hidden decides if it
        does, or one that goes through it or calls it. What decides calls and endings is asked anyhow."""
        if name not in self._numbers:
            self._numbers[name] = NOTHING  # what asks for its own number finds no more by that
            stages = [self._model.stages[inner] for inner in self._around(name)]
            asked = self.all_of([node for stage in stages for node in (stage.when, stage.until)], ANYONE)
            self._numbers[name] = ANYTHING if asked else NOTHING
        return self._numbers[name]

    def _token(self, ref: t.TokenRef, names: Names) -> Hidden:
        eyes = self._model.tokens[ref.name].seen_by if ref.name in self._model.tokens else None
        if ref.holder is None or is_everyone(eyes):
            return NOTHING
        own = self._is_actor(ref.holder, names) and is_owner(eyes)
        return NOTHING if own else frozenset((ref.name,))


def _never_set(model: Model) -> set[str]:
    """The variables that are set only by actions that these options leave out."""
    done: list[object] = []
    left_out: list[object] = []
    for stage in model.stages.values():
        done += [getattr(stage, name) for name in fields(stage) if name not in ("actions", "anytime")]
        for action in (*stage.actions, *stage.anytime):
            never = any(isinstance(when, t.Const) and when.value is False for _, when in action.when)
            (left_out if never else done).append(action)
    return _set_by(left_out) - _set_by(done) - {stage.score_variable for stage in model.stages.values()}


def _set_by(effects: object) -> set[str]:
    """The variables that anything sets."""
    found: set[str] = set()
    for part in walk_of(effects, t.Assign, t.SwapValues):
        match part:
            case t.Assign(_, t.VarRef(name)):
                found.add(name)
            case t.SwapValues(one, two):
                found |= {side.name for side in (one, two)}
    return found


def _goes_to(stage: StageDef) -> set[str]:
    """The stages that a stage goes through, or calls."""
    return {*stage.children, *(call.stage for call in walk_of(stage, t.Call))}


def has_cards(node: Typed) -> bool:
    kinds = (node.type.kind, node.type.item and node.type.item.kind)
    return bool({"meld", "asked melds"}.intersection(kinds)) or holds_card(node.type) or has_places(node)


def has_places(node: Typed) -> bool:
    return "place" in (node.type.kind, node.type.item and node.type.item.kind)


def _is_same(one: Any, other: Any) -> bool:
    """Whether two expressions say the same, wherever they stand: what is left to chance does not."""
    if type(one) is not type(other) or (isinstance(one, t.Op) and one.op in BY_CHANCE):
        return False
    if isinstance(one, TreeNode):
        one, other = values_of(one), values_of(other)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return bool(one == other)
