"""Functions of the engine about melds as native code knows them: some are read in other words, some written here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.compiler.native import laid_melds, meld_outside, meld_search, several_melds
from interpreter.compiler.native.built_in import BuiltIns
from interpreter.compiler.native.meld_plans import plans_of, wanted_by
from interpreter.compiler.native.native_kinds import (
    ANY_NUMBER,
    FLAG,
    MOST_ROOM,
    NOTHING,
    STATE,
    ZONES,
    Bits,
    Group,
    Known,
    Number,
    OneOf,
    Row,
    Span,
    Value,
    known,
)
from interpreter.compiler.native.not_native import NotNative
from interpreter.compiler.native.set_room import FACE, OF_SET
from interpreter.engine.melds import laid, meld_library
from interpreter.language.asked_melds import MOST_ASKED, MOST_CARDS

COUNT, SIZE = Number(0, MOST_CARDS), Number(0, 4096)


def _no_melds(maker: BuiltIns, args: list[Value]) -> Value:
    return maker.new_row(maker.layout.meld)


def _no_ways(maker: BuiltIns, args: list[Value]) -> Value:
    return maker.new_row(Row(maker.layout.meld))


def _no_places(maker: BuiltIns, args: list[Value]) -> Value:
    return maker.new_row(Number(0, MOST_ROOM), MOST_CARDS + 1)


def _up_to(maker: BuiltIns, args: list[Value]) -> Value:
    """The numbers from 0, gone through in a loop even where it is known how many they are."""
    kind, at = maker.plain(args[0])
    return Value(Span(Number(0, 0), kind), ("0", at))


def _loose(kind: Number) -> Callable[[BuiltIns, list[Value]], Value]:
    """A number of which nobody is to know which it is."""
    return lambda maker, args: maker.coerced(args[0], kind)


def _any_face(maker: BuiltIns, args: list[Value]) -> Value:
    return maker.coerced(args[0], maker.layout.meld.items[0])


def _of_match(twin: Any) -> Callable[[BuiltIns, list[Value]], Value]:
    """What asks the match, too, as native code reads it."""
    return lambda maker, args: maker.call(known(twin), [Value(STATE), *args], {})


def _kinds(maker: BuiltIns, names: Value) -> Value:
    """Some kinds of meld: the same tuple each time, so that one function serves all."""
    if not isinstance(names.kind, Known):
        raise NotNative("kinds of meld that are not known")
    return known(plans_of(maker.module.program, names.kind.value))


def _cards(maker: BuiltIns, cards: Value) -> Value:
    """Cards as bits, any of the pack."""
    return maker.coerced(cards, Number(0, (1 << maker.layout.cards) - 1))


def _melds_in(maker: BuiltIns, args: list[Value]) -> Value:
    found = _no_melds(maker, [])
    how = [args[0], found, _kinds(maker, args[1]), _cards(maker, args[2]), args[3]]
    maker.call(known(meld_search.lay_kinds), how, {})
    return found


def _least_outside(maker: BuiltIns, args: list[Value]) -> Value:
    """Where the match is asked what a card counts, that is found out beforehand of the cards that there are."""
    cards, worth = _cards(maker, args[2]), args[3]
    if not isinstance(worth.kind, Known) or not isinstance(worth.kind.value, tuple):
        held, worths = Value(Bits(maker.plain(cards)[0]), cards.parts), maker.new_row(ANY_NUMBER, maker.layout.cards)

        def add(card: Value) -> None:
            there = maker.truth(maker.contains(held, card))
            maker.append(worths, maker.choose(there, lambda: maker.call(worth, [card], {}), lambda: known(0)))

        maker.each(_up_to(maker, [known(maker.layout.cards)]), add)
        worth = worths
    return maker.call(known(meld_outside.left_outside), [args[0], _kinds(maker, args[1]), cards, worth], {})


def _melds_apart_in(maker: BuiltIns, args: list[Value]) -> Value:
    fits, steps = args[6] if len(args) > 6 else NOTHING, args[7] if len(args) > 7 else known(0)
    kinds, cards = _kinds(maker, args[1]), _cards(maker, args[2])
    search = several_melds.lay_apart, several_melds.more_apart
    return _chosen(maker, search, args[0], [kinds, *args[3:6], steps], cards, fits)


def _melds_asked_in(maker: BuiltIns, args: list[Value]) -> Value:
    wanted = maker.new_row(Group((COUNT, COUNT, COUNT)), MOST_ASKED)
    table = known(wanted_by(maker.module.program, maker.function.__globals__.values()))

    def want(texts: Value) -> Value:
        maker.each(texts, lambda text: maker.append(wanted, maker.item(table, text)))
        return NOTHING

    asked = args[1]
    if isinstance(asked.kind, OneOf):
        maker.cases(asked.at, [lambda one=one: want(Value(one)) for one in asked.kind.values])  # type: ignore[misc]
    else:
        want(asked)
    if maker.dead:
        return NOTHING
    fits, steps = args[4] if len(args) > 4 else NOTHING, args[5] if len(args) > 5 else known(0)
    how, search = [_no_ways(maker, []), wanted, args[3], steps], (several_melds.lay_asked, several_melds.more_asked)
    return _chosen(maker, search, args[0], how, _cards(maker, args[2]), fits)


def _chosen(
    maker: BuiltIns, search: tuple[Any, Any], match: Value, how: list[Value], cards: Value, fits: Value
) -> Value:
    """The ways to choose several melds. search: all of it, and what goes on with it to where it is asked of melds what
    they have to be. fits: that, if anything."""
    ways = _no_ways(maker, [])
    if fits.kind == Known(None):
        maker.call(known(search[0]), [match, ways, *how, cards], {})
        return ways
    fresh, there = _no_melds(maker, []), _no_melds(maker, [])
    chosen, begins, tried = _no_melds(maker, []), _no_places(maker, []), _no_places(maker, [])
    frees = maker.new_row(cards.kind, MOST_CARDS + 1)
    maker.append(frees, cards)

    def judge(meld: Value) -> None:
        maker.or_go_on(maker.truth(maker.call(fits, [meld], {})))
        maker.append(there, meld)

    given = [match, ways, fresh, there, chosen, begins, tried, frees, *how]
    maker.repeated(lambda: maker.call(known(search[1]), given, {}), lambda: maker.each(fresh, judge))
    return ways


def _laid_row(maker: BuiltIns) -> Value:
    place = maker.layout.fields["laid"]
    return Value(place.kind, (maker.field(place),))


def _laid_where(maker: BuiltIns, at: Value) -> str:
    """Where the number of the meld lies that is kept of a place, which is in bounds."""
    sets, index = maker.layout.sets, maker.index_in(known(len(maker.module.program.meld_places)), at)
    assert sets is not None
    return maker.name_of(f"getelementptr %State, ptr %s, i32 0, i32 {sets.sets + 3}, i64 {index}")


def _laid_at(maker: BuiltIns, args: list[Value]) -> Value:
    if maker.layout.sets is None:
        return maker.item(_laid_row(maker), args[1])
    where = _laid_where(maker, args[1])
    kept = maker.name_of(f"load {FACE}, ptr {maker.name_of(f'call ptr @face_of(ptr %s, ptr {where})')}")
    own = maker.name_of(f"sub i64 {maker.name_of(f'zext {FACE} {kept} to i64')}, 1")
    return Value(maker.layout.laid, (own, *maker.load(where, maker.layout.laid.items[1], OF_SET).parts))


def _lay_at(maker: BuiltIns, args: list[Value]) -> Value:
    if maker.layout.sets is None:
        row = _laid_row(maker)
        maker.store(args[2], maker.place_of(row, maker.index_in(maker.length(row), args[1])), maker.layout.laid)
        return NOTHING
    where, family = _laid_where(maker, args[1]), maker.layout.families[ZONES.name]
    kept = [family.places[place] for place in laid_melds.laid_places(maker.module.program)]
    number = maker.plain(maker.item(known(tuple(own for _, own in kept)), args[1]))[1]
    there = maker.name_of(f"getelementptr %State, ptr %s, i32 0, i32 {kept[0][0]}, i64 {number}")
    face, cards = maker.members(maker.coerced(args[2], maker.layout.laid))
    given = f"ptr %s, ptr {where}, ptr {there}, {maker.word(cards.kind)} {cards.at}, i64 {face.at}"
    maker.demand(maker.name_of(f"call i1 @lay_meld_set({given})"))
    return NOTHING


MELD_TWINS: dict[Any, Any] = {
    meld_library.is_meld: meld_search.is_meld, laid.lay_meld: laid_melds.lay_meld, laid.meld_at: laid_melds.meld_at,
    laid.renew_melds: laid_melds.renew_melds, laid.meld_extends: laid_melds.meld_extends,
    laid.replaced_wild: laid_melds.replaced_wild,
}  # fmt: skip
"""Function of the engine -> what is read in its stead."""
MELD_NATIVES: dict[str, Callable[[BuiltIns, list[Value]], Value]] = {
    "no_melds": _no_melds, "no_ways": _no_ways, "no_places": _no_places, "up_to": _up_to, "any_size": _loose(SIZE),
    "any_flag": _loose(FLAG), "any_face": _any_face, "laid_at": _laid_at, "lay_at": _lay_at,
    "melds_in": _melds_in, "melds_apart_in": _melds_apart_in, "melds_asked_in": _melds_asked_in,
    "least_outside": _least_outside, "cards_of_meld": _of_match(meld_search.cards_of),
    "size_of_meld": _of_match(meld_search.number_of_cards), "part_of_meld": _of_match(meld_search.part_of),
}  # fmt: skip
"""Name of a function -> what it does."""
WHOLE = frozenset((_melds_asked_in,))
"""What takes one of several lists as it is, and is not written for each of them."""
