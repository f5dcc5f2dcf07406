"""Where a card lies that was chosen or named before: where it was found, unless it may have gone from there since.

Effects name cards by locals: what was chosen, what a loop goes through, what a definition is given. A local knows the
place where its cards were found, and a move takes them from there without looking for them. Once an effect before it in
the same text may have taken a card from there, the move has to look.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from interpreter.language import typed as t
from interpreter.language.model import LawDef, ZoneDef
from interpreter.language.operations import BY_CHANCE, BY_ORDER, OF_SEATS, TAKE_ONE, TAKE_SOME
from interpreter.language.tree import replace
from interpreter.language.typed import Effect, Typed, rebuilt, walk_of

Departure = tuple[str, str]
"""The zone from which cards may go, empty for any; and the local that names them, empty for others."""
Gone = frozenset[Departure]
"""What may go from where by one effect."""
ANYWHERE: Departure = ("", "")
CHANGED: Departure = ("·", "")
"""Something else changes, on which it may depend which place is meant."""
GONE_ANYWHERE: Gone = frozenset((ANYWHERE,))
_SETTLED = OF_SEATS | {"+", "-"}
"""Operations that mean the same while nobody changes seats, if what they are given does."""
_ONE_END = TAKE_ONE & BY_ORDER
_NOT_BY_CHANCE = TAKE_SOME - BY_CHANCE
"""What is drawn by chance comes as it is drawn, wherever it lay."""


def home_of(what: Typed) -> t.ZoneRef | None:
    """Where the cards of an expression lie, if the expression says so."""
    match what:
        case t.ZoneRef():
            return what if what.type == t.CARDS else None
        case t.Local():
            return what.source
        case t.Op(op, (zone,)) if op in _ONE_END:
            return zone if isinstance(zone, t.ZoneRef) else None
    group = _group_of(what)
    return None if group is None else home_of(group)


def _group_of(what: Typed) -> Typed | None:
    """The cards of which an expression means some."""
    match what:
        case t.Select():
            return what.domain
        case t.Op(op, (_, group)) if op in _NOT_BY_CHANCE:
            return group
        case t.Op("without", (group, _)):
            return group
    return None


def named_in(what: Typed | None) -> t.Local | None:
    """The local by which an expression means cards; None where it looks for them anew."""
    while what is not None and not isinstance(what, t.Local):
        what = _group_of(what)
    return what


class Whereabouts:
    """Follows the cards of a text of effects."""

    def __init__(self, zones: Mapping[str, ZoneDef]) -> None:
        self._zones = zones
        self._refilling = {zone.refill.source for zone in zones.values() if zone.refill is not None}
        self._chains: dict[str, Gone] = {}
        """By zone, what goes when cards go from it."""

    def with_searches(self, effects: tuple[Effect, ...], before: Iterable[Gone] = ()) -> tuple[Effect, ...]:
        """The effects, with moves that look for their cards where these may have gone meanwhile.

        before: what has gone since the locals outside of the text were bound.
        """
        if not any(local.source is not None for local in walk_of(effects, t.Local)):
            return effects
        return self._block(effects, list(before), {})

    def departures(self, effects: Iterable[Effect]) -> list[Gone]:
        """What may go from where in effects, in order."""
        return [gone for gone in map(self._departing, effects) if gone]

    def after_breach(self, laws: Iterable[LawDef]) -> list[Gone]:
        """What may go from where when laws are broken by a move that is carried out nevertheless."""
        return [gone for law in laws if law.breach == "stands" for gone in self.departures(law.on_breach)]

    def _departing(self, effect: Effect) -> Gone:
        match effect:
            case t.Move(what, _, source, target):
                local = named_in(what)
                by = "" if local is None else local.name
                return self._to(target.name) | ({ANYWHERE} if source is None else self._from(source.name, by))
            case t.Deal(_, source, family):
                return self._to(family) | self._from(source.name)
            case t.Gather(None):
                return GONE_ANYWHERE
            case t.Gather(sources, target):
                return self._to(target.name).union(*(self._from(zone.name) for zone in sources or ()))
            case t.SwapValues(t.ZoneRef() as left, t.ZoneRef() as right):
                return frozenset().union(*(self._to(zone.name) | self._from(zone.name) for zone in (left, right)))
            case t.Turn("take back fault") | t.ToPlayer("reseat"):
                return GONE_ANYWHERE
            case t.IfEffect(_, then, otherwise):
                return self._in_all((*then, *otherwise))
            case t.ForEffect(body=body):
                return self._in_all(body)
            case t.RunEffect(_, bound, body):
                called = {name: local.name for name, value in bound if (local := named_in(value)) is not None}
                return frozenset((zone, called.get(by, by)) for zone, by in self._in_all(body))
        return frozenset((CHANGED,))

    def _in_all(self, effects: Iterable[Effect]) -> Gone:
        return frozenset().union(*self.departures(effects))

    def _from(self, zone: str, by: str = "") -> Gone:
        """What goes when cards go from a zone: what refills it goes as well, and what refills that."""
        if zone not in self._chains:
            chain, next_one = [zone], zone
            while next_one in self._zones and (refill := self._zones[next_one].refill) is not None:
                next_one = refill.source
                if next_one in chain:
                    break
                chain.append(next_one)
            self._chains[zone] = frozenset((one, "") for one in chain)
        found = self._chains[zone]
        return found - {(zone, "")} | {(zone, by)} if by else found

    def _to(self, zone: str) -> Gone:
        """What may go when cards come to a zone: what has waited for them is refilled."""
        return self._from(zone) if zone in self._refilling else frozenset()

    # ---- one effect after the other -------------------------------------------------------------

    def _block(self, effects: tuple[Effect, ...], gone: list[Gone], since: dict[str, int]) -> tuple[Effect, ...]:
        """gone: what has gone, in order. since: local -> how much had gone when it was bound; 0 for others."""
        return tuple([self._effect(effect, gone, since) for effect in effects])

    def _effect(self, effect: Effect, gone: list[Gone], since: dict[str, int]) -> Effect:
        before = len(gone)
        match effect:
            case t.IfEffect(_, then, otherwise):
                other = list(gone)
                then, otherwise = self._block(then, gone, since), self._block(otherwise, other, since)
                gone += other[before:]
                return replace(effect, then=then, otherwise=otherwise)
            case t.ForEffect(variable, _, domain, body=body):
                if self._may_be_gone(named_in(domain), gone, since):
                    effect = replace(effect, domain=_from_anywhere(domain))
                again = self._in_all(body)  # when it has been carried out for others
                own = frozenset(one for one in again if one[1] == variable)
                gone += [own] if own else []
                since = {**since, variable: len(gone)}
                gone += [again - own] if again - own else []
                return replace(effect, body=self._block(body, gone, since))
            case t.RunEffect(_, bound, body):
                since = dict(since)
                for name, value in bound:
                    local = named_in(value)
                    since[name] = before if local is None else since.get(local.name, 0)
                return replace(effect, body=self._block(body, gone, since))
            case t.Move(what, _, source) if source is not None and self._may_be_gone(named_in(what), gone, since):
                what = _from_anywhere(what) if isinstance(what, t.Op) else what
                effect = replace(effect, what=what, source=None)
        departing = self._departing(effect)
        gone += [departing] if departing else []
        return effect

    def _may_be_gone(self, local: t.Local | None, gone: list[Gone], since: dict[str, int]) -> bool:
        if local is None or local.source is None:
            return False
        meanwhile = gone[since.get(local.name, 0) :]
        if not all(map(_is_settled, local.source.index)):
            return bool(meanwhile)
        return any(zone in (ANYWHERE[0], local.source.name) for one in meanwhile for zone, _ in one)


def _from_anywhere(what: Typed) -> Typed:
    """Cards of which it is not known any more where they lie."""
    found: Typed = replace(what, source=None) if isinstance(what, t.Local) else rebuilt(what, _from_anywhere)
    return found


def _is_settled(index: Typed) -> bool:
    """Whether an index of a place means the same while nobody changes seats."""
    match index:
        case t.Const() | t.Local() | t.OptionRef() | t.Builtin("actor"):
            return True
        case t.Op(op, args):
            return op in _SETTLED and all(map(_is_settled, args))
    return False
