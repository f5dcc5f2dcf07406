"""Whose cards decide what an expression is: those that who acts may not see, as far as a ruleset tells beforehand.

Where cards lie, how many there are and which way they face is no secret of theirs, but where a zone keeps its count,
and who may choose a card by its position learns nothing by that. To ask for its rank is to look at it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from interpreter.language import typed as t
from interpreter.language.check.kinds import holds_card
from interpreter.language.model import MELDS, ActionDef, DefineInstance, ParamDef, TableDef
from interpreter.language.operations import (
    NEIGHBOURS,
    NUMBERED,
    OF_CARD,
    OF_FAULTS,
    OF_PLACE,
    OPERATIONS,
    TAKE_ALL,
    TAKE_OF_FIRST,
    TAKE_ONE,
    TAKE_SOME,
)
from interpreter.language.typed import Typed, walk

Value = TypeVar("Value")

ACTOR, OTHER, CHOSEN = "actor", "other", "chosen"
SELF = "·actor"
"""Among names, who acts where it is asked what another could do."""
APART = TAKE_ONE | NUMBERED | OF_CARD | OF_PLACE
"""Operations that do not look at the faces of the cards they are given."""
SETS = TAKE_ALL | TAKE_OF_FIRST | TAKE_SOME
"""Operations that put sets together, or take some of what lies somewhere."""


class Meant(NamedTuple):
    """What is known of the value of an expression.

    who: of a player or players, whether that is the one who acts, or others; CHOSEN: a card that is chosen. of: the
    zone in which its cards lie unseen, or the variable that holds one; "" if they are seen. top: the same of the top
    card.
    """

    who: str = ""
    of: str = ""
    top: str = ""


NOTHING = Meant()
Names = Mapping[str, Meant]
"""Names of parameters and loop variables -> what they stand for."""
Counted = Callable[[t.ZoneRef, str], bool]
"""Whether who acts is sure not to know how many cards lie in a zone: (it, whose it is)."""
Hides = Callable[[t.ZoneRef | t.VarRef | t.TokenRef, str, bool], bool]
"""Whether a zone, a variable or pieces are hidden from who acts: (it, whose it is, whether its top card is meant)."""


class Looking:
    """Looks for what is hidden in the expressions of one ruleset.

    told: definitions that tell it on purpose. tables: where what they say may hang on hidden things. held: a zone of
    which it is told who has a card in it; "" if there is none that hides them. counted: which zones keep their count.
    actions: those that may be asked for by `can`, by its name for them. blind: whether who acts chooses the cards of a
    parameter unseen. trick: the zone of tricks whose cards are hidden; "" if there is none.
    """

    def __init__(
        self,
        hides: Hides,
        instances: Mapping[str, DefineInstance],
        told: Iterable[str] = (),
        tables: Mapping[str, TableDef] = {},
        held: str = "",
        counted: Counted = lambda zone, whose: False,
        actions: Mapping[str, Sequence[ActionDef]] = {},
        blind: Callable[[ParamDef], bool] = lambda param: False,
        trick: str = "",
    ) -> None:
        self.hides = hides
        self.instances = instances
        self.told = frozenset(told)
        self.tables = tables
        self.held = held
        self.counted = counted
        self.actions = actions
        self.blind = blind
        self.trick = trick
        self._in_offers: dict[tuple[str, Meant], str] = {}
        self._in_tables: dict[tuple[str, Meant], str] = {}
        self._looked: dict[tuple[str, tuple[Meant, ...]], str] = {}
        self._meant: dict[tuple[str, tuple[Meant, ...]], Meant] = {}
        self._lying: dict[str, bool] = {}

    def looked_at(self, node: Typed | None, names: Names) -> str:
        """The zone (or variable) whose hidden cards decide what an expression is; "" if none does."""
        match node:
            case None:
                return ""
            case t.Builtin("led" | "best"):
                return self.trick
            case t.Op("player of", (card,)) if self._is_called(card, names):
                return self.looked_at(card, names) or self.trick
            case t.Op("can", (who,), _, _, name):
                return self.looked_at(who, names) or self._in_offer(name, self.meant(who, names))
            case t.Instance(key, args):
                return self._first(args, names) or self._in_definition(key, args, names)
            case t.Quant(_, _, _, domain, where, body) | t.Select(_, _, _, domain, where, body):
                inner = self._inside(node, names)
                found = self.looked_at(domain, names) or self._how_many(domain, names)
                return found or self._first((where, body), inner)
            case t.Fold(_, _, _, domain, where, value):
                inner = self._inside(node, names)
                found = self.looked_at(domain, names) or self._how_many(domain, names)
                melded = inner[node.variable].of if node.outside else ""
                return found or melded or self._first((where, value), inner)
            case t.Let(_, value, body):
                return self.looked_at(value, names) or self.looked_at(body, self._named(node, names))
            case t.Op("in" | "without", (member, group)):
                return self._first((member, group), names) or self._parted(member, group, names)
            case t.Op(op, args) if op in APART or op in SETS:
                return self._first(args, names) or (self._how_many(args[0], names) if op in NUMBERED else "")
            case t.Op("=" | "!=", (left, right)) if self._is_no_face(left, right, names):
                counted = (
                    self._how_many(side, names) for side in (left, right) if _is_nothing(left) or _is_nothing(right)
                )
                return self._first((left, right), names) or next(filter(None, counted), "")
            case t.Op("=" | "!=", sides) if any(self.meant(side, names).who == ACTOR for side in sides):
                asked = [part for side in sides for part in _asked_of(side)]
                return self._first(asked, names) or next(filter(None, (self._spoken_of(p, names) for p in asked)), "")
            case t.Op("highest" | "lowest", args, _, span, name):
                measure = t.VarRef(name, args, t.INTEGER, span)
                return name if self.hides(measure, OTHER, False) else self._first(args, names)
            case t.Op(op, (who,)) if op in OF_FAULTS:  # what was not claimed is a secret
                return self.looked_at(who, names) or (
                    "" if self.meant(who, names).who == ACTOR else OPERATIONS[op].word
                )
            case t.Op("holder of", (card,)):
                held = self.held if self._is_called(card, names) else ""
                return self.looked_at(card, names) or self._spoken_of(card, names) or held
            case t.VarRef(name) if not holds_card(node.type) and self.meant(node, names).of:
                return name
            case t.TokenRef(name, holder):
                whose = "" if holder is None else self.meant(holder, names).who
                hidden = holder is not None and self.hides(node, whose, False)
                return name if hidden else self._first((holder,), names)
            case t.TableRef(name, key):
                found = self.looked_at(key, names) or self._shows(key, names)
                return found or self._in_table(name, self.meant(key, names))
            case t.If(condition, then, otherwise):
                return self._first((condition, then, otherwise), names)
        parts = _parts(node)
        return self._first(parts, names) or next(filter(None, (self._shows(part, names) for part in parts)), "")

    def _first(self, nodes: Iterable[Typed | None], names: Names) -> str:
        return next(filter(None, (self.looked_at(node, names) for node in nodes)), "")

    def _shows(self, node: Typed, names: Names) -> str:
        """The zone whose cards are looked at if the value of an expression is."""
        return "" if "place" in (node.type.kind, node.type.item and node.type.item.kind) else self.meant(node, names).of

    def _is_no_face(self, left: Typed, right: Typed, names: Names) -> bool:
        """Whether a comparison asks only if there is a card, or which of those that lie somewhere it is."""
        nothing = _is_nothing(left) or _is_nothing(right)
        one, two = self.meant(left, names), self.meant(right, names)
        if nothing or (one.of and two.of):
            return True
        if one.of and (two.who == CHOSEN or self._lies(right)):
            return not _has_variable(left)
        return bool(two.of) and (one.who == CHOSEN or self._lies(left)) and not _has_variable(right)

    def _parted(self, cards: Typed, others: Typed, names: Names) -> str:
        """The zone of whose hidden cards it tells which of some are among others: where either are called by faces."""
        one, two = self.meant(cards, names), self.meant(others, names)
        if _has_variable(cards) or _has_variable(others):  # cards that a variable speaks of lie anywhere
            return one.of or two.of
        if two.of:
            return "" if one.of or one.who == CHOSEN or self._lies(cards) else two.of
        return "" if two.who == CHOSEN or self._lies(others) else one.of

    def _spoken_of(self, card: Typed, names: Names) -> str:
        """The hidden variable that speaks of a card: it lies anywhere, and who has it tells which it is."""
        return self.meant(card, names).of if _has_variable(card) else ""

    def _is_called(self, card: Typed, names: Names) -> bool:
        """Whether a card is called by its face, not by where it lies."""
        known = self.meant(card, names)
        return not (known.of or known.top or known.who == CHOSEN or self._lies(card))

    def _how_many(self, node: Typed, names: Names) -> str:
        """The zone that keeps its count, or the variable, of which an expression tells how many cards are there."""
        match node:
            case t.ZoneRef(name, index):
                whose = self.meant(index[0], names).who if index else OTHER
                return name if self.counted(node, whose) else ""
            case t.VarRef() if holds_card(node.type):
                return self.meant(node, names).of
            case t.Op(op, args) if op in TAKE_ALL:
                return next(filter(None, (self._how_many(arg, names) for arg in args)), "")
            case t.Op(op, (*_, group)) if op in TAKE_ONE or op in TAKE_SOME:
                return self._how_many(group, names)
            case t.Op("without", (group, _)):
                return self._how_many(group, names)
            case t.Select():
                return self._how_many(node.domain, names)
        return ""

    def _in_offer(self, name: str, who: Meant) -> str:
        """The zone (or variable) whose hidden cards decide whether another can do something."""
        if who.who == ACTOR or name not in self.actions:
            return ""  # what who acts could do is warned of where it is offered
        if (name, who) not in self._in_offers:
            self._in_offers[name, who] = ""
            asked = (each for action in self.actions[name] for each in decides(action, {SELF: who}, self))
            found = (self.looked_at(node, names) for node, names in asked)
            self._in_offers[name, who] = next(filter(None, found), "")
        return self._in_offers[name, who]

    def _in_table(self, name: str, key: Meant) -> str:
        """The zone whose hidden cards decide what a table says. key: what is known of the card it is asked about."""
        if name not in self.tables:
            return ""
        if (name, key) not in self._in_tables:
            self._in_tables[name, key] = ""
            table, inside = self.tables[name], {self.tables[name].card: key}
            asked = [*([] if table.by is None else [table.by]), *(row.value for row in table.rows)]
            found = (self.looked_at(part, inside) or self._shows(part, inside) for part in asked)
            self._in_tables[name, key] = next(filter(None, found), "")
        return self._in_tables[name, key]

    def _lies(self, node: Typed) -> bool:
        """Whether cards are meant by where they lie: no two places have a card in common."""
        match node:
            case t.ZoneRef():
                return True
            case t.Op(op, args) if op in TAKE_ALL:
                return all(self._lies(arg) for arg in args)
            case t.Op(op, (*_, group)) if op in TAKE_ONE or op in TAKE_SOME:
                return self._lies(group)
            case t.Select(domain=group) | t.Op("without", (group, _)):
                return self._lies(group)
            case t.Instance(key):
                if key not in self._lying:
                    self._lying[key] = self._lies(self.instances[key].body)
                return self._lying[key]
        return False

    def _in_definition(self, key: str, args: tuple[Typed, ...], names: Names) -> str:
        instance = self.instances[key]
        if instance.name in self.told:
            return ""
        given = tuple(self.meant(arg, names) for arg in args)
        if (key, given) not in self._looked:
            self._looked[key, given] = ""
            self._looked[key, given] = self.looked_at(instance.body, by_name(instance, given))
        return self._looked[key, given]

    def _named(self, node: t.Let, names: Names) -> Names:
        return {**names, node.variable: self.meant(node.value, names)}

    def _inside(self, node: t.Quant | t.Select | t.Fold, names: Names) -> Names:
        """The names inside a loop: a card that has to lie somewhere lies there."""
        member, own = self.meant(node.domain, names), node.variable
        for part in walk(node):
            if isinstance(part, t.Op) and part.op in ("in", "=") and any(_is_local(side, own) for side in part.args):
                if part.op == "=":  # of a player who is compared with others nothing is known
                    member = member._replace(who="")
                elif not member.of and _is_plain(part.args[1]):
                    member = member._replace(of=self.meant(part.args[1], names).of)
            elif isinstance(part, t.Op) and any(_has(side, own) for side in part.args):
                if part.op != "=" or not any(self.meant(side, names).who == ACTOR for side in part.args):
                    member = member._replace(of=member.of or self.held)
        return {**names, own: member}

    def meant(self, node: Typed, names: Names) -> Meant:
        """What is known of the value of an expression."""
        match node:
            case t.Builtin("actor"):
                return names.get(SELF, Meant(ACTOR))
            case t.Builtin("players" | "everyone") | t.Op("others"):
                return Meant(OTHER)
            case t.Const() if node.type.kind == "player":
                return Meant(OTHER)
            case t.Op("members of", (team,)):
                return NOTHING if _is_of_actor(team) else Meant(OTHER)
            case t.Op(op, (who, *_)) if op in NEIGHBOURS:
                return Meant(OTHER) if self.meant(who, names).who == ACTOR else NOTHING
            case t.Local(name):
                return names.get(name, NOTHING)
            case t.ZoneRef(name, index) | t.VarRef(name, index):
                if index and index[0].type.kind == "place":
                    return self.meant(index[0], names)
                whose = self.meant(index[0], names).who if index else ""
                return Meant("", *(name if self.hides(node, whose, top) else "" for top in (False, True)))
            case t.Op("top", (inner,)):
                return Meant("", self.meant(inner, names).top)
            case t.Op(op, args) if op in TAKE_ALL:
                found = [self.meant(arg, names) for arg in args]
                return Meant("", *(next(filter(None, ways), "") for ways in list(zip(*found, strict=True))[1:]))
            case t.Op(op, (group, *_)) if op in TAKE_OF_FIRST:
                return self.meant(group, names)
            case t.Op("top cards", (_, group)):
                known = self.meant(group, names)
                return Meant("", known.of or known.top, known.top)
            case t.Op("first", (_, group)):
                return Meant("", self.meant(group, names).of)
            case t.Op(op, (*_, group)) if op in TAKE_ONE or op in TAKE_SOME:
                return self._some(group, names)
            case t.Select():
                return self._inside(node, names)[node.variable]
            case t.If(_, then, otherwise):
                one, two = self.meant(then, names), self.meant(otherwise, names)
                return Meant(one.who if one.who == two.who else "", one.of or two.of, one.top or two.top)
            case t.Let():
                return self.meant(node.body, self._named(node, names))
            case t.Instance(key, args):
                return self._meant_by(key, tuple(self.meant(arg, names) for arg in args))
        return NOTHING

    def _some(self, group: Typed, names: Names) -> Meant:
        """What is known of cards that are taken from a place: all of it may be known, and still not which they are."""
        known = self.meant(group, names)
        return Meant("", known.of or known.top, known.of or known.top)

    def _meant_by(self, key: str, given: tuple[Meant, ...]) -> Meant:
        instance = self.instances[key]
        if instance.name in self.told:
            return NOTHING
        if (key, given) not in self._meant:
            self._meant[key, given] = NOTHING
            self._meant[key, given] = self.meant(instance.body, by_name(instance, given))
        return self._meant[key, given]


def by_name(instance: DefineInstance, given: Sequence[Value]) -> dict[str, Value]:
    """What the parameters of a definition are given; where it is about the actor, that one comes first."""
    names = [name for name, _ in instance.params]
    first = [SELF] * (len(given) - len(names))
    return dict(zip([*first, *names], given, strict=True))


def decides(action: ActionDef, names: Names, looking: Looking) -> list[tuple[Typed | None, Names]]:
    """What decides how an action is offered, and to whom: expressions, with the names in each.

    names: SELF, if it is asked what somebody else could do.
    """
    asked: list[tuple[Typed | None, Names]] = []
    own = _offered(action.params, names, looking, asked)
    rows = [_offered(row.params, own, looking, asked) for row in action.rows]
    asked += [(when, own) for _, when in action.when]
    asked += [(named, own) for named, _ in action.labels]
    asked += [(bound, own) for _, *bounds in action.measured for bound in bounds]
    asked += [(law.law, own if law.row < 0 else rows[law.row]) for law in action.laws]
    return asked


def stands_for(param: ParamDef, names: Names, looking: Looking) -> Meant:
    """What a parameter stands for where something is asked of it."""
    if param.form in ("cards", *MELDS) and SELF not in names:
        return Meant("", param.name, param.name) if looking.blind(param) else Meant(CHOSEN)
    return Meant() if param.domain is None else looking.meant(param.domain, names)


def _offered(
    params: Iterable[ParamDef], names: Names, looking: Looking, asked: list[tuple[Typed | None, Names]]
) -> Names:
    """Add what decides which values parameters can have. Returns the names with theirs."""
    for param in params:
        parts = (param.domain, *(param.bounds or ()), *(param.count or ()), param.none_if, param.asked)
        asked += [(node, names) for node in parts]
        told = param.form == "kinds" or (param.form in MELDS and SELF in names)
        if told and param.domain is not None:  # each is told by its name, and of another's melds that there are any
            first = t.Select("first", "·named", t.CARD, param.domain, None, None, t.CARD, param.domain.span)
            asked.append((t.Op("name", (first,), t.TEXT, param.domain.span), names))
        if SELF in names and param.form == "cards" and param.domain is not None and not param.optional:
            asked.append((t.Op("is empty", (param.domain,), t.FLAG, param.domain.span), names))
        names = {**names, param.name: stands_for(param, names, looking)}
        asked.append((param.where, names if param.count is None else {**names, "card": names[param.name]}))
    return names


def _is_of_actor(team: Typed) -> bool:
    """Whether a team is that of who acts, who may see what the others of it have."""
    return any(isinstance(part, t.Builtin) and part.name == "actor" for part in walk(team))


def _is_nothing(node: Typed) -> bool:
    return isinstance(node, t.Const) and node.value is None


def _asked_of(node: Typed) -> tuple[Typed, ...]:
    """What is compared with who acts: of who has a card, only the card, for everybody knows what they have."""
    return node.args if isinstance(node, t.Op) and node.op == "holder of" else (node,)


def _is_local(node: Typed, name: str) -> bool:
    return isinstance(node, t.Local) and node.name == name


def _has(node: Typed, name: str) -> bool:
    """Whether an expression is who has the card of a loop."""
    return isinstance(node, t.Op) and node.op == "holder of" and _is_local(node.args[0], name)


def _is_plain(node: Typed) -> bool:
    """Whether an expression has nothing in it that would have to be looked through again and again."""
    return not any(isinstance(part, t.Select | t.Instance | t.If | t.Quant | t.Fold) for part in walk(node))


def _has_variable(node: Typed) -> bool:
    """Whether cards are meant of which a variable speaks."""
    return any(isinstance(part, t.VarRef) and holds_card(part.type) for part in walk(node))


def _parts(node: Typed) -> tuple[Typed, ...]:
    """What an expression is made of that binds no names."""
    match node:
        case t.Op(_, args):
            return args
        case t.VarRef(_, index) | t.ZoneRef(_, index):
            return index
        case t.TableRef(_, key):
            return (key,)
        case t.TokenRef(_, holder):
            return () if holder is None else (holder,)
        case t.Words(pieces):
            return tuple(piece for piece in pieces if not isinstance(piece, str))
    return ()
