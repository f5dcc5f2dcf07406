"""What the names of a program stand for, by the types of the core: its places, variables, tables and parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from interpreter.compiler.core.checking import Checked
from interpreter.compiler.core.type_of import Scope, type_of_value
from interpreter.compiler.core.types import (
    ANY_NUMBER,
    ANYTHING,
    CARDS,
    EVENT,
    FLAG,
    MELD,
    NEVER,
    NOTHING,
    WORD,
    Keyed,
    Many,
    Maybe,
    Number,
    Type,
    maybe,
)
from interpreter.compiler.layout import Layout, may_hold_none
from interpreter.compiler.printed import finished
from interpreter.engine.library import Remembered
from interpreter.language import typed as t
from interpreter.language.model import VarDef

if TYPE_CHECKING:
    from interpreter.compiler.lower.stages import Lowering


class Kept:
    """How the types of the language are kept in one game."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        model = layout.model
        highest = {
            "card": len(layout.cards), "player": layout.n, "team": layout.team_count, "suit": len(model.suits),
            "rank": len(model.ranks),
        }  # fmt: skip
        self.numbers = {of: Number(0, max(many - 1, 0), of) for of, many in highest.items()}
        """The numbers of all cards, players, teams, suits and ranks."""

    def type(self, of: t.Type) -> Type:
        """A type of the language; sets and lists are gone through one by one."""
        found = self._type(of)
        return maybe(found) if of.optional else found

    def _type(self, of: t.Type) -> Type:
        match of.kind:
            case "card" | "player" | "team" | "suit" | "rank":
                return self.numbers[of.kind]
            case "flag":
                return FLAG
            case "integer":
                return ANY_NUMBER
            case "text" | "colour" | "choice":
                return WORD
            case "place":
                places = self._layout.zones[of.zone].places if of.zone in self._layout.zones else None
                return Number(of="place") if places is None else Number(places[0], places[-1], "place")
            case "piece":
                return Number(of="piece")
            case "meld":
                return MELD
            case "set" | "list" | "asked melds":
                return Many(ANYTHING if of.item is None else self.type(of.item))
            case "none":
                return NOTHING
        return ANYTHING

    def variable(self, of: VarDef) -> Type:
        """What a variable can be; of a number the bounds, where they are settled."""
        if of.type.kind != "integer":
            perhaps = may_hold_none(of.type) or of.type.kind in _PERHAPS_NONE
            return maybe(self.type(of.type)) if perhaps else self.type(of.type)
        low, high = (self._layout.known(bound) for bound in (of.minimum, of.maximum))
        found = Number(low, high) if type(low) is int and type(high) is int else ANY_NUMBER
        return maybe(found) if of.type.optional else found


_PERHAPS_NONE = ("place", "piece", "meld")
"""Kinds of values of which there is none that stands for all others before anything is laid into a variable."""


def scope_of(lowering: Lowering) -> Scope:
    """What all functions of a game may name."""
    layout, kept = lowering.layout, Kept(lowering.layout)
    zones: list[Type] = []
    for name, family in layout.zones.items():
        zones += [CARDS if lowering.kept[name] == "mask" else Many(kept.numbers["card"])] * family.size
    slots: list[Type] = [NEVER] * layout.slots
    for name, family in layout.variables.items():
        for at in family.places:
            slots[at] = kept.variable(layout.model.variables[name])
    for (stage, param), at in layout.arguments.items():
        declared = dict(layout.model.stages[stage].params)
        slots[at] = maybe(kept.type(declared[param]))
    constants = lowering.e.tables.constants
    tables = {name: _table(name, value, lowering, kept) for name, value in constants.items()}
    own = _fixed_tables(kept, layout.n)
    tables |= {name: of for name, of in own.items() if name not in lowering.e.tables.stand_for_others}
    named = {"p": kept.numbers["player"], "z": Many(ANYTHING, len(zones)), "v": Many(ANYTHING, len(slots))}
    return Scope(tuple(zones), tuple(slots), kept.numbers, tables, locals=named)


def _table(name: str, value: Any, lowering: Lowering, kept: Kept) -> Type:
    """What a table of the ruleset is, by what stands in it."""
    if isinstance(value, Remembered):
        key = next(key for key, own in lowering.e.define_names.items() if f"R·{own}" == name)
        answers = CARDS if key in lowering.e.in_bits else kept.type(lowering.model.instances[key].body.type)
        return Keyed(ANYTHING, answers)
    return type_of_value(value)


def _fixed_tables(kept: Kept, n: int) -> dict[str, Type]:
    """The tables that every game has."""
    card, player, team, suit, rank = kept.numbers.values()
    cards, of_card = CARDS, card.high + 1
    return {
        "SUIT": Many(maybe(suit), of_card), "RANK": Many(maybe(rank), of_card), "FIRST": Many(card, of_card),
        "P": Many(player, n), "LEFT": Many(player, n), "RIGHT": Many(player, n), "TEAM": Many(team, n), "PACK": cards,
        "MEMBERS": Many(Many(player), team.high + 1), "IN_SUIT": Keyed(maybe(suit), cards),
        "IN_RANK": Keyed(maybe(rank), cards), "IN_COLOUR": Keyed(Maybe(WORD), cards),
        "COPIES": Keyed(maybe(card), cards), "PASSAGES": Keyed(ANYTHING, EVENT),
    }  # fmt: skip


def checked(lowering: Lowering) -> Checked:
    """The types of a program as it is printed. Raises Contradiction, also for what is lowered and not printed so."""
    parts, _ = finished(lowering.out, lowering.e.tables, lowering.layout.honor)  # which adds tables
    kept, scope = Kept(lowering.layout), scope_of(lowering)
    declared: dict[str, Mapping[str, Type]] = {}
    for name, params in lowering.out.declared.items():
        declared[name] = {own: kept.type(of) for own, of in params.items()}
    Checked(lowering.out.parts, scope, declared)
    return Checked(parts, scope, declared)
