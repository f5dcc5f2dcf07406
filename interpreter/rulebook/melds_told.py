"""Kinds of combination in words."""

from __future__ import annotations

from interpreter.language import typed as t
from interpreter.language.model import MeldDef, ParamDef
from interpreter.language.typed import Typed
from interpreter.rulebook import grammar as g
from interpreter.rulebook.speaker import Speaker


def kind_told(speaker: Speaker, kind: MeldDef) -> str:
    """What a kind of combination is, in sentences."""
    parts = [_shape(speaker, part) for part in kind.parts] or [_shape(speaker, kind)]
    said = f"{g.listed(parts)[:1].upper()}{g.listed(parts)[1:]}."
    wild = None if kind.wild is None else speaker.folding.fold(kind.wild)
    if wild is not None and not (isinstance(wild, t.Const) and wild.value is False):
        which = speaker.knowing(card="it").clause(wild)
        said += f" A card is wild, and may stand for another, if {which}."
    if kind.naturals is not None and (natural := _number(speaker, kind.naturals)) != "0 or more":
        said += f" Not wild are {natural} of its cards."
    if kind.wilds is not None and (wilds := _number(speaker, kind.wilds)) != "0 or more":
        said += f" Wild are {wilds} of its cards."
    return f"{said} {kind.doc}".rstrip()


def _shape(speaker: Speaker, kind: MeldDef) -> str:
    assert kind.size is not None
    number = _number(speaker, kind.size)
    said = f"{number} card{'' if number == '1' else 's'}"
    if kind.same:
        said += f" of the same {kind.same}"
    if not kind.orders:
        return said
    said += " that follow one another in rank"
    if named := [f"“{g.plain(order)}”" for order in kind.orders if order]:
        said += f", in the order {g.listed(named, 'or')}" + (" or that of the ranks" if "" in kind.orders else "")
    if kind.each is not None:
        said += f", {_noun(speaker, kind.each)} of each rank"
    return said + (", the highest being followed by the lowest" if kind.wrap else "")


def _number(speaker: Speaker, bounds: tuple[Typed, Typed | None]) -> str:
    low, high = _noun(speaker, bounds[0]), None if bounds[1] is None else _noun(speaker, bounds[1])
    if high is None:
        return f"{low} or more"
    return low if low == high else f"at most {high}" if low == "0" else f"{low} to {high}"


def _noun(speaker: Speaker, node: Typed) -> str:
    return speaker.noun(speaker.folding.fold(node))


def choice_told(speaker: Speaker, param: ParamDef) -> str:
    """What is chosen where it is a meld, or several."""
    kinds = g.listed([f"“{g.plain(kind)}”" for kind in param.kinds], "or")
    assert param.domain is not None
    domain = speaker.folding.fold(param.domain)
    source = speaker.within(domain)
    source = source.removeprefix("the cards in ") if isinstance(domain, t.ZoneRef) else source
    if param.asked is not None:
        wanted = speaker.noun(speaker.folding.fold(param.asked))
        return f"melds from {source}, no card in two of them, as {wanted} asks ({g.plain(param.name)})"
    if param.form == "meld":
        return f"a meld of the kind {kinds} from {source} ({g.plain(param.name)})"
    number = "one or more" if param.count is None else _number(speaker, param.count)
    return f"{number} melds of the kind {kinds} from {source}, no card in two of them ({g.plain(param.name)})"
