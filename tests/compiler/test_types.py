"""Types: every expression of every program has one, what contradicts itself is refused, and play keeps to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from msgspec.structs import replace
from walks import SHIPPED

import interpreter
from interpreter.api.game import State
from interpreter.api.options import choose_options
from interpreter.compiler import compile_game, gate, types_of
from interpreter.compiler import core as c
from interpreter.compiler.core.checking import Checked
from interpreter.compiler.core.library_types import (
    FIELD_TYPES,
    LIBRARY,
    METHOD_TYPES,
    NAMED_NUMBERS,
    does,
)
from interpreter.compiler.core.type_of import Scope, type_of
from interpreter.compiler.core.types import (
    ANYTHING,
    CARD,
    CARDS,
    CONDITION,
    COUNT,
    FLAG,
    NEVER,
    NOTHING,
    PLACE,
    PLAYER,
    PLAYERS,
    RANK,
    SUIT,
    WORD,
    Bits,
    Contradiction,
    Function,
    Group,
    Keyed,
    Many,
    Maybe,
    Number,
    Thing,
    Type,
    fits,
    item_of,
    joined,
    told,
)
from interpreter.compiler.lower.stages import Lowering
from interpreter.compiler.taking_part import ASKED_OF_STACK
from interpreter.engine.library import HELPERS, SAFE
from interpreter.engine.primitives import primitives
from interpreter.engine.program import Program
from interpreter.players.random_bot import RandomBot

X, Y, P = c.Name("x·a"), c.Name("x·b"), c.ACTOR
FOUR, PACK = Number(0, 3, "player"), Number(0, 51, "card")
SCOPE = Scope(
    zones=(Many(PACK), CARDS, CARDS, CARDS, CARDS),
    slots=(Number(0, 9), Maybe(PACK), FOUR, FLAG),
    numbers={"player": FOUR, "card": PACK},
    tables={"P": Many(FOUR, 4), "SUIT": Many(SUIT, 52), "PACK": CARDS, "TOLD": Keyed(FOUR, WORD)},
    locals={"p": FOUR, "x·a": PACK, "x·b": Maybe(PACK), "s": Thing("state"), "v": Many(ANYTHING), "z": Many(ANYTHING)},
)


# ---- types ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "two", "both"),
    [
        (Number(0, 3), Number(7, 9), Number(0, 9)),
        (FOUR, Number(5, 5), Number(0, 5)),  # which may number anything
        (FOUR, Number(2, 6, "player"), Number(0, 6, "player")),
        (FLAG, Number(0, 7, "card"), Number(0, 7)),
        (CARD, NOTHING, Maybe(CARD)),
        (Maybe(CARD), NOTHING, Maybe(CARD)),
        (Maybe(FOUR), Number(2, 2), Maybe(Number(0, 3))),
        (CARDS, Number(0, 0), CARDS),
        (Many(NEVER), Many(CARD), Many(CARD)),
        (Many(FOUR, 2), Many(FOUR, 2), Many(FOUR, 2)),
        (Many(FOUR, 2), Group((FOUR, FOUR)), Many(FOUR, 2)),
        (Group((CARD, WORD)), Group((CARD, NOTHING)), Group((CARD, Maybe(WORD)))),
        (Group((CARD, WORD)), Group((CARD, CARD)), Group((CARD, ANYTHING))),  # as what is chosen for moves
        (Group((CARD, WORD)), Group((SUIT,)), Many(ANYTHING)),
        (Keyed(CARD, NEVER), Keyed(NEVER, WORD), Keyed(CARD, WORD)),
        (ANYTHING, CARD, ANYTHING),
    ],
)
def test_what_can_be_either(one: Type, two: Type, both: Type) -> None:
    assert joined(one, two) == joined(two, one) == both
    assert fits(one, both) and fits(two, both)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (CARD, PLAYER), (WORD, CARD), (WORD, CARDS), (CARDS, PLAYERS), (CARDS, CARD), (CARD, Many(CARD)),
        (Maybe(SUIT), RANK), (Many(CARD), Many(PLAYER)), (PLACE, PLAYER),
    ],
)  # fmt: skip
def test_what_nothing_can_be(one: Type, two: Type) -> None:
    with pytest.raises(Contradiction, match=r"either .+ or "):
        joined(one, two)
    assert not fits(one, two)


def test_what_is_perhaps_wanted_fits_and_what_never_is_does_not() -> None:
    assert fits(Maybe(CARD), CARD) and fits(CARD, Maybe(CARD)) and fits(Number(0, 9), Number(9, 12))
    assert not fits(NOTHING, CARD) and not fits(Number(0, 8), Number(9, 12)) and not fits(Number(-2, -1), CARDS)
    assert not fits(Many(CARD, 2), Many(CARD, 3)) and fits(Many(CARD, 2), Many(CARD))


@pytest.mark.parametrize(
    ("of", "words"),
    [
        (Number(0, 3, "player"), "a player from 0 to 3"),
        (Maybe(CARD), "a card or none"),
        (Many(FLAG, 2), "a list of 2 of a flag"),
        (Keyed(COUNT, Group((WORD, CARDS))), "a table of a group of (text, cards as bits) by a number from 0 to any"),
        (Function(CONDITION), "a function that gives condition"),
    ],
)
def test_types_are_told_in_words(of: Type, words: str) -> None:
    assert told(of) == words


def test_only_what_has_members_is_gone_through() -> None:
    assert item_of(Maybe(Group((FOUR, Number(7, 7, "player"))))) == Number(0, 7, "player")
    with pytest.raises(Contradiction, match="has no members"):
        item_of(CARD)


# ---- expressions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("node", "of"),
    [
        (c.Lit((True, False)), Many(FLAG, 2)),
        (c.Lit(("a", 1)), Group((WORD, Number(1, 1)))),
        (c.add(c.Lit(2), P), Number(2, 5)),
        (c.Op("*", c.Lit(-2), P), Number(-6, 0)),
        (c.Op("%", X, c.Lit(4)), Number(0, 3)),
        (c.Op("+", c.Lit("P"), c.call("str", P)), WORD),
        (c.Op("+", c.Tuple((X,)), c.List((P,))), Group((PACK,), FOUR)),
        (c.bit(X), CARDS),
        (c.bit(P), PLAYERS),
        (c.holds_bit(c.Zone(c.ONE), X), Number(0, 1)),
        (c.Zone(c.ZERO), Many(PACK)),
        (c.Zone(c.add(c.ONE, P)), CARDS),
        (c.Slot(c.ONE), Maybe(PACK)),
        (c.Slots(2, 4), Many(Number(0, 3), 2)),
        (c.Item(c.Table("SUIT"), X), SUIT),
        (c.Item(c.Table("TOLD"), P), WORD),
        (c.method(c.Table("TOLD"), "get", P), Maybe(WORD)),
        (c.End(c.Zone(c.ZERO), -1), Maybe(PACK)),
        (c.If(X, Y, c.NONE), Maybe(PACK)),
        (c.Or((Y, X)), PACK),
        (c.And((X, c.Zone(c.ZERO))), CONDITION),
        (c.Compare("in", X, c.Zone(c.ZERO)), FLAG),
        (c.Loop("list", "x·c", c.Table("P"), None, c.Zone(c.add(c.ONE, c.Name("x·c")))), Many(CARDS)),
        (c.Loop("first", "x·c", c.call("bits", c.Zone(c.ONE)), None, c.Name("x·c")), Maybe(PACK)),
        (c.Ordered("first", "x·c", c.Table("P"), None, c.Lit(0)), Maybe(FOUR)),
        (c.Fold("sum", c.List((P, P))), COUNT),
        (c.Fold("max", c.List((P, c.Lit(9)))), Number(0, 9)),
        (c.BitNumber(c.LowBit(c.Zone(c.ONE))), PACK),
        (c.CountBits(c.Zone(c.ONE)), COUNT),
        (c.Cases((0, 1), (X, c.NONE)), Keyed(Number(0, 1), Maybe(PACK))),
        (c.Repeat(c.ZERO, 3), Many(Number(0, 0), 3)),
        (c.Called(c.Lambda(("x·c",), c.Name("x·c")), (X,)), PACK),
        (c.call("ask", c.Lambda(("x·c",), c.Item(c.Table("SUIT"), c.Name("x·c"))), Y), Maybe(SUIT)),
        (c.call("required", Y), PACK),
        (c.asked("next_after", P, c.Table("P")), FOUR),
        (c.field("dealer"), Maybe(FOUR)),
        (c.call("range", c.ONE, c.Lit(4)), Many(Number(1, 3), 3)),
        (c.call("present", c.Tuple((Y, X))), Many(PACK)),
        (c.Tuple((c.Spread(c.Zone(c.ZERO)), c.NONE)), Many(Maybe(PACK))),
    ],
)
def test_the_type_of_an_expression_follows_from_what_is_declared(node: c.Expr, of: Type) -> None:
    assert type_of(node, SCOPE) == of


@pytest.mark.parametrize(
    ("node", "why"),
    [
        (c.call("has_card", c.Zone(c.ONE), P), "a player from 0 to 3 stands where argument 2 of 'has_card' is wanted"),
        (c.asked("next_after", X, c.Table("P")), "a card from 0 to 51 stands where argument 2"),
        (c.asked("next_after", c.NONE, c.Table("P")), "none stands where argument 2"),
        (c.asked("seat_of", P, P), "given 3 arguments, and takes 2"),
        (c.Compare("==", X, P), "a card from 0 to 51 is never a player from 0 to 3"),
        (c.Compare("in", P, c.Zone(c.ZERO)), "is never"),
        (c.If(X, X, P), "either a card from 0 to 51 or a player from 0 to 3"),
        (c.Zone(c.Lit(5)), "there is no place with a number from 5 to 5"),
        (c.Zone(c.Lit("a")), "text is no number of a place"),
        (c.Slot(c.Lit(-1)), "there is no variable with a number from -1 to -1"),
        (c.Item(c.Table("P"), c.Lit(4)), "there is no member with a number from 4 to 4 among 4"),
        (c.Item(c.Table("TOLD"), X), "a card from 0 to 51 stands where a key is wanted"),
        (c.Item(X, c.ZERO), "a card from 0 to 51 has no members"),
        (c.Op("&", c.bit(X), c.bit(P)), "cards as bits & players as bits"),
        (c.Op("+", c.Lit("a"), X), "text \\+ a card"),
        (c.Op("*", c.Zone(c.ZERO), X), "a list of a card from 0 to 51 \\* a card"),
        (c.Fold("sum", c.List((c.Lit("a"),))), "the sum of text"),
        (c.Between(c.ZERO, c.Lit("a"), c.ONE), "text stands where a number is wanted"),
        (c.CountBits(c.Zone(c.ZERO)), "stands where bits is wanted"),
        (c.Name("x·c"), "there is no local 'x·c'"),
        (c.Table("COPIES"), "there is no table 'COPIES'"),
        (c.call("define·a", X), "there is no function 'define·a'"),
    ],
)
def test_an_expression_that_contradicts_itself_is_refused(node: c.Expr, why: str) -> None:
    with pytest.raises(Contradiction, match=why):
        type_of(node, SCOPE)


def test_what_is_asked_of_what_is_asked_is_looked_at_once() -> None:
    node: c.Expr = c.Lit(1)
    for _ in range(60):
        node = c.call("ask", c.Lambda(("n",), c.add(c.Name("n"), c.ONE)), node)
    seen: list[c.Expr] = []
    type_of(node, replace(SCOPE, seen=lambda part, of: seen.append(part)))
    assert len(seen) == 60 * 5 + 1


def test_every_kind_of_expression_has_a_type() -> None:
    from interpreter.compiler.core.type_of import _FORMS

    kinds = {kind for kind in vars(c).values() if isinstance(kind, type) and issubclass(kind, c.Expr)}
    assert _FORMS.keys() == kinds - {c.Expr}


# ---- what is declared -----------------------------------------------------------------------------------


def test_the_whole_library_and_nothing_else_is_declared() -> None:
    given = primitives()
    functions = {name for name, of in given.items() if callable(of)}
    assert LIBRARY.keys() == HELPERS.keys() | SAFE.keys() | functions | set(ASKED_OF_STACK)
    assert NAMED_NUMBERS.keys() == given.keys() - functions
    assert METHOD_TYPES.keys() == c.METHODS and FIELD_TYPES.keys() == c.FIELDS - {"led"}


def test_what_functions_do_is_told_in_one_table() -> None:
    assert does(c.call("len", X)) == frozenset() and does(c.asked("is_up", X)) == {"reads"}
    assert does(c.call("required", X)) == {"fails"}
    assert does(c.asked("shuffle_place", c.ZERO, c.Lit(""))) == {"reads", "changes", "draws", "fails"}
    assert does(c.method(X, "append", Y)) == {"reads", "changes", "fails"}


# ---- functions ------------------------------------------------------------------------------------------


def gives(*body: c.Statement, params: tuple[str, ...] = ("s", "p")) -> Type:
    """What a function gives."""
    found = Checked([c.Function("first", params, list(body))], SCOPE, {"first": {"x·a": PACK}})
    return found.gives["first"]


FOUND = c.Name("found")


@pytest.mark.parametrize(
    ("body", "of"),
    [
        ([c.Set(FOUND, X), c.Set(FOUND, P), c.Return(FOUND)], FOUR),
        ([c.When(X, [c.Set(FOUND, X)], [c.Set(FOUND, c.NONE)]), c.Return(FOUND)], Maybe(PACK)),
        ([c.When(X, [c.Return(X)], [])], Maybe(PACK)),
        ([c.When(X, [c.Return(X)], [c.Return(P)])], CONDITION),
        ([c.Set(FOUND, c.ZERO), c.While(X, [c.Update(FOUND, "+", c.ONE)]), c.Return(FOUND)], COUNT),
        (
            [c.Set(FOUND, c.NONE), c.Each(("x·c",), c.Table("P"), [c.Set(FOUND, c.Name("x·c"))]), c.Return(FOUND)],
            Maybe(FOUR),
        ),
        ([c.Set(FOUND, c.List(())), c.Do(c.method(FOUND, "append", X)), c.Return(FOUND)], Many(PACK)),
        ([c.Each(("x·c", "x·d"), c.PLAYS, [c.Return(c.Name("x·d"))]), c.Return(c.NONE)], Maybe(PACK)),
        ([c.Set(c.Tuple((FOUND, c.Spread(Y))), c.Tuple((X, P))), c.Return(Y)], Group((FOUR,))),
        ([c.Update(c.Slot(c.ZERO), "+", c.Lit(10)), c.Return(c.Slot(c.ZERO))], Number(0, 9)),  # it stops before that
        ([c.Return(c.Zone(c.call("required", c.NONE)))], NEVER),
        ([c.Set(c.Slot(c.call("required", c.NONE)), c.ONE), c.Return(X)], PACK),  # nothing is ever laid there
        ([c.Breach(c.List((c.ONE,)))], Many(Number(1, 1))),
        ([c.Set(c.LED, c.ONE), c.Return(c.LED)], Maybe(Number(1, 1))),
    ],
)
def test_locals_are_what_is_laid_into_them_where_one_comes_by(body: list[c.Statement], of: Type) -> None:
    assert gives(*body) == of


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ([c.Set(c.Slot(c.ONE), P)], "first: a player from 0 to 3 is laid into slot: a card or none"),
        ([c.Set(c.Zone(c.ZERO), c.ZERO)], "is laid into zone: a list of a card"),
        ([c.Update(c.Zone(c.ONE), "|", c.bit(P))], "cards as bits \\| players as bits"),
        ([c.Update(c.Slot(c.ZERO), "+", c.Lit("a"))], "a number from 0 to 9 \\+ text"),
        ([c.Set(c.CURRENT, X)], "a card from 0 to 51 is laid into field: a player"),
        ([c.When(X, [c.Set(FOUND, X)], [c.Set(FOUND, P)]), c.Return(FOUND)], "there is no local 'found'"),
        ([c.Each(("x·c",), X, [])], "has no members"),
        ([c.Return(c.Not(c.asked("move_all", c.ZERO, c.ONE)))], "'move_all' changes the state within an expression"),
        ([c.Do(c.asked("first", X))], "a card from 0 to 51 stands where argument 2 of 'first' is wanted: a player"),
        ([c.While(X, [c.Set(FOUND, c.Slot(c.Lit(9)))])], "there is no variable"),
        ([c.While(c.Slot(c.Lit(9)), [])], "there is no variable"),
        ([c.While(X, [c.While(c.Slot(c.Lit(9)), [])])], "there is no variable"),
        ([c.Each(("x·c",), X, [c.Continue()])], "has no members"),
        ([c.Return(c.NONE), c.Set(c.CURRENT, X)], "laid into field"),
    ],
)
def test_a_function_that_contradicts_itself_is_refused(body: list[c.Statement], why: str) -> None:
    with pytest.raises(Contradiction, match=why):
        gives(*body)


# ---- whole programs -------------------------------------------------------------------------------------

Given = tuple[Any, int, dict[str, Any], bool]
"""What a program is made of."""
MOVES = 150
"""So many moves of a match are compared with the types."""


def makings(name: str) -> Iterator[Given]:
    """What the programs of a ruleset are made of, for fewest and most players: one strict and one on honour, the other
    way round for each second ruleset."""
    model = interpreter.load(name).model
    ways = (False, True) if SHIPPED.index(name) % 2 else (True, False)
    for players, honor in zip((model.players.minimum, model.players.maximum), ways, strict=True):
        yield model, players, choose_options(model, players, honor=honor), honor


def is_of(value: Any, of: Type) -> bool:
    """Whether a value of play is of a type."""
    match of:
        case Number(low, high):
            return isinstance(value, int) and low <= value <= high
        case Bits():
            return isinstance(value, int)
        case Maybe(inner):
            return value is None or is_of(value, inner)
        case Many(item, size):
            return hasattr(value, "__len__") and size in (-1, len(value)) and all(is_of(one, item) for one in value)
        case Group(items, rest):
            types = [*items, *[rest or NEVER] * (len(value) - len(items))]
            return len(value) >= len(items) and all(map(is_of, value, types))
    return of not in (NOTHING, WORD) or type(value) is {NOTHING: type(None), WORD: str}[of]


class Watched:
    """What functions of a program have given in play, of another type than they should. times: how many were asked."""

    def __init__(self, types: Checked) -> None:
        self._types = types
        self.times = 0
        self.wrong: dict[str, Any] = {}

    def run(self, text: str, filename: str, names: dict[str, Any], functions: Any, aliases: Any, *rest: Any) -> None:
        """`gate.run`, with functions that are watched."""
        RUN(text, filename, names, functions, aliases, *rest)
        for name in functions:
            names[name] = self.watched(name, names[name])
        names.update({name: names[of] for name, of in aliases.items()})

    def watched(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        of = self._types.gives[name]

        @wraps(function)
        def asked(*args: Any) -> Any:
            found = function(*args)
            self.times += 1
            if not is_of(found, of):
                self.wrong[name] = found, told(of)
            return found

        return asked


RUN = gate.run


def play(name: str, given: Given, watched: Watched) -> State:
    """A random match, as far as its first moves, of a program that is made of the same."""

    def made(*again: Any) -> Program:
        assert again[1:] == given[1:] and again[0] is given[0]
        return compile_game(*given)

    _, players, _, honor = given
    with mock.patch.object(gate, "run", watched.run):
        ruleset = interpreter.load(name).compiled_by(made)
        game = ruleset.game(players, enforcement="honor" if honor else "strict")
    state, bot = game.start(seed=1), RandomBot(1)
    for _ in range(MOVES):
        ready = [player for player in state.actors if state.legal_moves(player)]
        if state.over or not ready:
            break
        move = bot.choose(state, ready[0])
        assert move is not None
        state.play(ready[0], move, **bot.measures(state, ready[0], move))
    return state


@pytest.mark.parametrize("name", SHIPPED)
def test_every_expression_of_every_program_has_a_type_and_play_keeps_to_it(name: str) -> None:
    for given in makings(name):
        types = types_of(*given)
        unknown = [node for told in types.types.values() for node, of in told.items() if of == ANYTHING]
        assert all(isinstance(node, c.Item) for node in unknown), unknown  # what is chosen besides a card
        watched = Watched(types)
        state = play(name, given, watched)
        assert watched.times and not watched.wrong
        for value, of in zip(state.position.v, types.scope.slots, strict=True):
            assert is_of(value, of) or value is None  # before the stage that it lasts for
        assert all(is_of(kept, of) for kept, of in zip(state.position.z, types.scope.zones, strict=False))


FIRST_ZONE = """\
format: 1
id: first
name: First
players: {min: 2, max: 4}
pack: {standard: 1}
zones: {hand: {each: player, seen by: owner}, stock: {pack: true, seen by: none}, trick: {}}
flow:
  match: {setup: shuffle stock; deal 5 from stock to hand, do: [tricks]}
  tricks:
    kind: trick
    leader: P1
    follow: {must: {suit: card.suit = led or void in led}}
    on trick: move all from trick to stock
"""
"""Its first places lie before the players in order."""


def test_a_place_of_the_first_zone_is_no_player(tmp_path: Path) -> None:
    """Though it has the same number."""
    path = tmp_path / "first.yaml"
    path.write_text(FIRST_ZONE, encoding="utf-8")
    game = interpreter.load(path).game()
    assert types_of(game.ruleset.model, game.players, game.options, False)


def test_what_is_looked_up_for_who_follows_is_not_asked_of_who_leads(tmp_path: Path) -> None:
    """What follows a trick asks the machine (`stay`), so the loop of tricks is written whole."""
    path = tmp_path / "first.yaml"
    path.write_text(FIRST_ZONE.replace("move all from trick to stock", "stay"), encoding="utf-8")
    game = interpreter.load(path).game()
    assert types_of(game.ruleset.model, game.players, game.options, False)


def test_what_is_of_another_type_is_noticed_in_play() -> None:
    given = next(makings("hearts"))
    types = types_of(*given)
    types.gives |= {name: Many(Number(99, 99)) for name in types.gives if name.startswith("legal·")}
    watched = Watched(types)
    play("hearts", given, watched)
    assert watched.wrong


def test_a_program_that_contradicts_itself_is_refused_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Lowering._judge

    def careless(lowering: Lowering, stage: Any) -> None:
        real(lowering, stage)
        with lowering.out.function("broken·by_us", "s", "p"):
            lowering.out.give(c.Item(c.Table("SUIT"), c.Lit(52)), stage.span)

    monkeypatch.setattr(Lowering, "_judge", careless)
    given = next(makings("hearts"))
    with pytest.raises(Contradiction, match="broken·by_us: there is no member with a number from 52 to 52 among 5"):
        types_of(*given)
