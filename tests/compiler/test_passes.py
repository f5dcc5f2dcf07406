"""Each pass by itself, on nodes that are built by hand."""

from __future__ import annotations

import pytest

import interpreter
from interpreter.compiler import core as c
from interpreter.compiler.core import Expr
from interpreter.compiler.passes.asked_once import AskedOnce
from interpreter.compiler.passes.at_hand import with_state_at_hand
from interpreter.compiler.passes.conditions import condition, plain_conditions, value
from interpreter.compiler.passes.contents import contents_of
from interpreter.compiler.passes.copies import without_copies
from interpreter.compiler.passes.enforcement import as_calls, kinds_of_honor, strictly
from interpreter.compiler.passes.held_once import held_once
from interpreter.compiler.passes.known_tables import KnownTables
from interpreter.compiler.passes.looked_at_once import looked_at_once
from interpreter.compiler.passes.trick_apart import TrickApart
from interpreter.compiler.print_python import PythonPrinter, text_of
from interpreter.interfaces.catalogue import entries

X, Y = c.Name("x·a"), c.Name("x·b")
ONE_MORE = c.Op("+", X, c.ONE)
SAME, LESS = c.Compare("==", X, Y), c.Compare("<", X, Y)


def printed(*body: c.Statement) -> list[str]:
    """A body as lines."""
    return PythonPrinter().program([c.Function("first", ("s",), list(body))]).splitlines()[1:]


# ---- conditions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (c.Not(c.Not(X)), "x·a"),
        (c.call("bool", X), "x·a"),
        (c.Not(c.call("bool", X)), "not x·a"),
        (c.Not(SAME), "x·a != x·b"),
        (c.Not(LESS), "x·a >= x·b"),
        (c.Not(c.Or((SAME, c.Not(X)))), "x·a != x·b and x·a"),
        (c.Not(c.And((SAME, X))), "not (x·a == x·b and x·a)"),
        (c.Not(c.And((SAME, c.Not(X)))), "x·a != x·b or x·a"),
        (c.Not(c.And((X, c.Not(SAME)))), "not x·a or x·a == x·b"),
        (c.Not(c.And((X, c.is_there(Y)))), "not x·a or x·b is None"),
        (c.Compare("!=", c.Op("&", X, Y), c.ZERO), "x·a & x·b"),
        (c.Compare("!=", X, c.ZERO), "x·a != 0"),
        (c.And((X, c.is_there(c.Lit(3)))), "x·a"),
        (c.And((X, c.is_none(c.Lit(3)))), "False"),
        (c.Not(c.Or((X, c.is_none(c.Lit(3))))), "not x·a"),
        (c.Not(c.Loop("any", "x·c", X, c.Not(c.Not(Y)), c.call("bool", Y))), "not any(x·b for x·c in x·a if x·b)"),
        (c.Loop("any", "x·c", X, c.TRUE, Y), "any(x·b for x·c in x·a)"),
    ],
)
def test_what_only_counts_as_yes_or_no_is_said_plainly(node: Expr, text: str) -> None:
    assert text_of(condition(node)) == text


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (c.Not(c.Not(X)), "bool(x·a)"),
        (c.Not(c.Not(SAME)), "x·a == x·b"),
        (c.call("bool", X), "bool(x·a)"),
        (c.Not(c.Or((c.Not(X), c.Not(Y)))), "bool(x·a) and bool(x·b)"),
        (c.Not(c.And((X, c.Not(SAME)))), "not x·a or x·a == x·b"),
        (c.Not(c.Or((X, Y))), "not (x·a or x·b)"),
        (c.Or((c.Not(c.Not(X)), Y)), "bool(x·a) or x·b"),
        (c.Compare("!=", c.Op("&", X, Y), c.ZERO), "x·a & x·b != 0"),
        (c.If(c.Not(c.Not(X)), c.call("bool", X), Y), "bool(x·a) if x·a else x·b"),
        (c.If(c.is_none(c.Lit(3)), X, c.Not(c.Not(Y))), "bool(x·b)"),
        (c.Ordered("all", "x·c", X, c.TRUE, Y), "sorted((x·c for x·c in x·a), key=lambda x·c: x·b)"),
    ],
)
def test_a_value_stays_what_it_is(node: Expr, text: str) -> None:
    assert text_of(value(node)) == text


def test_conditions_are_those_of_branches_and_loops() -> None:
    twice = c.Not(c.Not(X))
    body: list[c.Statement] = [c.When(twice, [c.Return(twice)], [c.While(twice, [c.Continue()])])]
    assert printed(*plain_conditions(body)) == [
        "    if x·a:",
        "        return bool(x·a)",
        "    else:",
        "        while x·a:",
        "            continue",
    ]


def test_of_a_branch_that_is_settled_remains_what_is_done() -> None:
    settled = c.is_there(c.Lit(3))
    body: list[c.Statement] = [c.When(settled, [c.Return(X)], [c.Return(Y)]), c.When(c.Not(settled), [c.Return(X)], [])]
    assert printed(*plain_conditions(body)) == ["    return x·a"]


# ---- what is at hand ------------------------------------------------------------------------------------


def at_hand(*body: c.Statement) -> list[c.Statement]:
    return with_state_at_hand(list(body), contents_of(list(body)))


def test_cards_and_values_are_at_hand_where_they_are_looked_at() -> None:
    cards, values = c.Do(c.call("bits", c.Zone(c.ZERO))), c.Set(c.Slots(0, 2), c.Repeat(c.ZERO, 2))
    assert printed(*at_hand(cards)) == ["    z = s.z", "    bits(z[0])"]
    assert printed(*at_hand(c.While(X, [values])))[0] == "    v = s.v"
    assert printed(*at_hand(c.Return(X))) == ["    return x·a"]


# ---- copies ---------------------------------------------------------------------------------------------

A, B, P = c.Name("at1"), c.Name("to2"), c.ACTOR
FIRST = c.Op("+", c.ONE, P)


def clear(place: Expr) -> c.Statement:
    return c.Set(c.Zone(place), c.ZERO)


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ([c.Set(A, c.Lit(9)), clear(A), clear(A)], ["z[9] = 0", "z[9] = 0"]),
        ([c.Set(A, FIRST), clear(A)], ["z[1 + p] = 0"]),
        ([c.Set(A, c.LED), clear(B)], ["z[to2] = 0"]),
        ([c.Set(A, c.Lit(9), None, "a remark"), clear(A)], ["z[9] = 0  # a remark"]),
        ([c.Set(A, FIRST), c.Set(B, c.Lit(3)), c.When(B, [clear(A)], [])], ["if 3:", "    z[1 + p] = 0"]),
    ],
)
def test_what_is_named_for_nothing_loses_its_name(body: list[c.Statement], lines: list[str]) -> None:
    assert printed(*without_copies(body)) == [f"    {line}" for line in lines]


@pytest.mark.parametrize(
    "body",
    [
        [c.Set(A, FIRST), clear(A), clear(A)],  # it is reckoned once
        [c.Set(A, FIRST), c.Set(P, B), clear(A)],  # what it is made of changes before
        [c.Set(A, FIRST), c.When(B, [c.Set(P, B), clear(A)], [])],
        [c.Set(A, c.Lit(9)), clear(A), c.Set(A, c.Lit(8)), clear(A)],  # it is several things
        [c.When(B, [c.Set(A, c.Lit(9))], []), clear(A)],  # perhaps it is not set
        [c.While(B, [clear(A), c.Set(A, c.Lit(9))])],  # it is used before it is set
        [c.Set(A, c.call("required", P)), clear(A)],  # that may stop the match
        [c.Set(A, c.Zone(P)), clear(A)],  # a card may lie there by then
        [c.Set(A, FIRST)],
        [c.Set(A, c.call("pop"))],
    ],
)
def test_what_has_a_name_for_a_reason_keeps_it(body: list[c.Statement]) -> None:
    assert printed(*without_copies(body)) == printed(*body)


def test_a_long_function_is_looked_through_once() -> None:
    """However much follows, what is set to a literal and used far away stays as it is."""
    body: list[c.Statement] = [c.Set(c.Name(f"slot{at}"), c.Lit(at)) for at in range(2000)]
    body += [clear(c.Name(f"slot{at}")) for at in range(2000)]
    assert printed(*without_copies(body)) == printed(*body)


# ---- looked at once -------------------------------------------------------------------------------------

HAND = c.Zone(c.Op("+", c.ONE, P))
PILE = c.Zone(c.Name("x·pile"))


def test_a_place_that_is_looked_at_twice_has_a_name() -> None:
    inner: list[c.Statement] = [c.When(PILE, [c.Do(c.method(c.Name("found"), "append", PILE))], [])]
    body: list[c.Statement] = [c.When(HAND, [c.Return(HAND)], []), c.Each(("x·pile",), c.call("range", c.ONE), inner)]
    assert printed(*looked_at_once(("s", "p"), body, contents_of(body))) == [
        "    cards1 = z[1 + p]",
        "    if cards1:",
        "        return cards1",
        "    for x·pile in range(1):",
        "        cards2 = z[x·pile]",
        "        if cards2:",
        "            found.append(cards2)",
    ]


@pytest.mark.parametrize(
    ("params", "body"),
    [
        (("s", "p"), [c.When(HAND, [c.Set(HAND, c.ZERO)], []), c.Return(HAND)]),  # it changes something
        (("s", "p"), [c.When(HAND, [c.Do(c.asked("advance"))], []), c.Return(HAND)]),
        (("s", "p"), [c.When(HAND, [c.Set(P, c.ONE)], []), c.Return(HAND)]),  # of another player
        (("s", "x·pile"), [c.When(c.is_there(c.Name("x·pile")), [c.Return(c.add(PILE, PILE))], [])]),  # it may be none
        (
            ("s", "p"),
            [c.Each(("x·pile",), c.Tuple((c.ONE, c.NONE)), [c.When(X, [c.Return(c.add(PILE, PILE))], [])])],
        ),
        (("s", "p"), [c.Return(c.Loop("any", "x·pile", X, PILE, PILE))]),
    ],
)
def test_a_place_that_may_be_another_or_none_is_looked_at_each_time(
    params: tuple[str, ...], body: list[c.Statement]
) -> None:
    assert printed(*looked_at_once(params, body, contents_of(body))) == printed(*body)


# ---- asked once -----------------------------------------------------------------------------------------

SUM = c.Fold("sum", c.Loop("list", "x·c", c.EVERYONE, None, c.Slot(c.Name("x·c"))))
WON, BID = c.asked("define·won", X), c.asked("define·bid", X)
TAKES_LONG = c.asked("define·long", X)
DEFINITIONS: dict[str, list[c.Statement]] = {
    "define·won": [c.Return(c.add(SUM, c.asked("define·bid", X)))],
    "define·bid": [c.Set(A, c.Slot(X)), c.When(c.is_none(A), [c.Return(c.ZERO)], []), c.Return(A)],
    "define·long": [c.Do(c.asked("charge", c.Lit(5000))), c.Return(c.asked("define·bid", X))],
    "define·drawn": [c.Return(c.asked("draw_card"))],
    "define·round": [c.Return(c.asked("define·round", X))],
}


def asked_once(*body: c.Statement) -> list[str]:
    return printed(*AskedOnce(DEFINITIONS).block(list(body), contents_of(list(body))))


@pytest.mark.parametrize(
    ("statement", "lines"),
    [
        (
            c.Return(c.If(c.Compare(">=", WON, BID), c.Op("-", WON, BID), c.ZERO)),
            [
                "once1 = define·won(s, x·a)",
                "once2 = define·bid(s, x·a)",
                "return once1 - once2 if once1 >= once2 else 0",
            ],
        ),
        (  # in the order in which they were asked before
            c.Return(c.If(c.Compare(">=", WON, BID), BID, c.ZERO)),
            [
                "once1 = define·won(s, x·a)",
                "once2 = define·bid(s, x·a)",
                "return once2 if once1 >= once2 else 0",
            ],
        ),
        (  # and only what is asked again
            c.Return(c.If(c.Compare(">=", BID, WON), BID, c.ZERO)),
            ["once1 = define·bid(s, x·a)", "return once1 if once1 >= define·won(s, x·a) else 0"],
        ),
        (
            c.Set(c.Slot(X), c.Op("-", SUM, c.Fold("min", c.List((Y, SUM))))),
            ["once1 = sum([v[x·c] for x·c in P])", "v[x·a] = once1 - min([x·b, once1], default=0)"],
        ),
        (
            c.When(c.And((BID, c.Compare("<", BID, Y))), [c.Return(c.Op("+", WON, WON))], []),
            [
                "once1 = define·bid(s, x·a)",
                "if once1 and once1 < x·b:",
                "    once2 = define·won(s, x·a)",
                "    return once2 + once2",
            ],
        ),
    ],
)
def test_what_is_certainly_asked_is_asked_once(statement: c.Statement, lines: list[str]) -> None:
    assert asked_once(statement) == [f"    {line}" for line in lines]


@pytest.mark.parametrize(
    "value",
    [
        c.Op("+", WON, BID),  # each is asked once
        c.If(X, WON, c.Op("+", WON, WON)),  # perhaps one of them is not asked first, or none
        c.And((X, c.Op("+", WON, WON))),
        c.Op("+", c.call("required", Y), c.Op("+", WON, WON)),  # that may stop the match before
        c.Op("+", c.Op("+", Y, ONE_MORE), c.Op("+", WON, WON)),
        c.Tuple((c.Compare("<", Y, X), WON, WON)),
        c.Op("+", c.asked("define·drawn"), c.asked("define·drawn")),
        c.Op("+", TAKES_LONG, TAKES_LONG),  # it counts steps each time
        c.Op("+", c.asked("define·round", X), c.asked("define·round", X)),
        c.Op("+", c.asked("draw_card"), c.asked("draw_card")),  # it is another one each time
        c.Op("+", WON, c.Op("+", c.asked("move_top", X), WON)),  # it may be another one by then
        c.Loop("list", "x·a", Y, c.Compare("==", WON, X), WON),  # of each in turn
        c.Op("+", WON, c.Fold("sum", c.Loop("list", "x·a", Y, None, WON))),
        c.call("ask", c.Lambda(("x·a",), c.Op("+", WON, WON)), Y),
    ],
)
def test_what_may_differ_or_not_be_asked_is_asked_where_it_was(value: Expr) -> None:
    assert asked_once(c.Return(value)) == printed(c.Return(value))


# ---- what differs on honour -----------------------------------------------------------------------------

FOUND = c.Name("found")
ANNOUNCED = c.Announce(FOUND, X, c.TRUE, chosen=False)
NEXT, DUE = c.Set(c.CURRENT, X), c.Set(c.CURRENT, Y)
OF_HONOR: list[tuple[c.OfHonor, list[str], list[str]]] = [
    (ANNOUNCED, ["found.append(x·a)"], ["found.append(x·a)"]),
    (c.Announce(FOUND, X, Y, False), ["if x·b:", "    found.append(x·a)"], ["if x·b:", "    found.append(x·a)"]),
    (c.Announce(FOUND, X, Y, chosen=True), ["if x·b:", "    found.append(x·a)"], []),
    (c.Breach(FOUND), ["return found"], ["return found"]),
    (c.Fault("dozing", c.ACTOR), [], ["note_fault(s, 'dozing', p)"]),
    (c.TakeBack(), [], ["take_back(s, s.faults[0])"]),
    (c.Lapse(c.TRUE, c.asked("age")), [], ["if s.faults:", "    age(s)"]),
    (c.Lapse(c.Not(X), c.asked("age")), [], ["if not x·a and s.faults:", "    age(s)"]),
    (c.Lapse(c.And((X, SAME)), c.asked("age")), [], ["if x·a and x·a == x·b and s.faults:", "    age(s)"]),
    (
        c.Follow(SAME, [NEXT], [DUE]),
        ["if x·a == x·b:", "    s.current = x·a", "else:", "    s.current = x·b"],
        ["s.current = x·b"],
    ),
]
"""Each kind of node, and what it is in strict play and on honour."""


@pytest.mark.parametrize(("node", "strict", "on_honor"), OF_HONOR)
def test_what_differs_on_honour_is_done_as_it_is_played(
    node: c.OfHonor, strict: list[str], on_honor: list[str]
) -> None:
    inside: list[c.Statement] = [c.While(Y, [c.Each(("x·c",), X, [c.When(X, [node], [NEXT, node])])])]
    for turn, lines in (strictly, strict), (as_calls, on_honor):
        assert printed(*turn([node])) == _indented(lines or ["pass"], 4)
        assert printed(*turn(inside)) == [
            "    while x·b:",
            "        for x·c in x·a:",
            "            if x·a:",
            *_indented(lines or ["pass"], 16),
            "            else:",
            "                s.current = x·a",
            *_indented(lines, 16),
        ]
        assert not kinds_of_honor(turn(inside))


def _indented(lines: list[str], by: int) -> list[str]:
    return [" " * by + line for line in lines]


def test_what_lies_in_what_differs_is_turned_too() -> None:
    body: list[c.Statement] = [c.Follow(SAME, [c.Breach(X)], [c.Fault("dozing", c.ACTOR), c.Return(Y)])]
    assert printed(*strictly(body)) == ["    if x·a == x·b:", "        return x·a", "    else:", "        return x·b"]
    assert printed(*as_calls(body)) == ["    note_fault(s, 'dozing', p)", "    return x·b"]


@pytest.mark.parametrize("node", [node for node, *_ in OF_HONOR])
def test_what_differs_on_honour_is_not_printed(node: c.OfHonor) -> None:
    with pytest.raises(AssertionError, match=f"{type(node).__name__} is nothing in Python"):
        printed(node)


def test_every_kind_that_differs_on_honour_has_its_ways() -> None:
    assert {type(node) for node, *_ in OF_HONOR} == set(c.OfHonor.__subclasses__())


def test_what_is_within_a_node_of_honour_is_seen() -> None:
    body: list[c.Statement] = [c.When(X, [c.Follow(SAME, [c.Breach(X)], [c.Return(Y)])], [ANNOUNCED])]
    assert kinds_of_honor(body) == {"Announce", "Breach", "Follow"}
    assert not kinds_of_honor([c.When(X, [NEXT], [DUE])])


@pytest.mark.parametrize("name", [entry.id for entry in entries()])
def test_a_program_keeps_what_only_play_on_honour_keeps(name: str) -> None:
    """However little a ruleset says of honour: there is an action, and so a breach that strict play refuses."""
    ruleset = interpreter.load(name)
    assert not ruleset.game().program.keeps
    assert ruleset.game(enforcement="honor").program.keeps >= {"Breach"}


# ---- what tables settle ---------------------------------------------------------------------------------

PAIRS, FIVE, SOME = c.Table("PAIRS"), c.Table("FIVE"), c.Table("SOME")
TABLES = {"P": (0, 1, 2), "PAIRS": ((0, 2), (1, 3)), "FIVE": (0, 1, 2, 3, 4), "SOME": (None, 1), "TEAM": (0, 1, 0)}
Q = c.Name("q")
TRICKS, BID = c.Item(c.field("tricks"), Q), c.Slot(Q)


def by_tables(node: Expr) -> str:
    """An expression after the pass, as text, with the tables that were added for it."""
    tables = dict(TABLES)

    def table(row: tuple[int, ...], name: str) -> Expr:
        tables[name] = row
        return c.Table(name)

    body: list[c.Statement] = [c.Return(node)]
    (found,) = KnownTables(tables, table).block(body, contents_of(body))
    assert isinstance(found, c.Return)
    added = {name: row for name, row in tables.items() if name not in TABLES}
    return f"{text_of(found.value)}{f' {added}' if added else ''}"


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (c.Fold("sum", c.Loop("list", "q", c.EVERYONE, None, TRICKS)), "s.tricks[0] + s.tricks[1] + s.tricks[2]"),
        (
            c.Fold("sum", c.Loop("list", "q", c.Item(PAIRS, X), None, TRICKS)),
            "s.tricks[PAIRS_one[x·a]] + s.tricks[PAIRS_two[x·a]] {'PAIRS_one': (0, 1), 'PAIRS_two': (2, 3)}",
        ),
        (
            c.Fold("sum", c.Loop("list", "q", c.EVERYONE, c.Compare("<", Q, X), TRICKS)),
            "(s.tricks[0] if 0 < x·a else 0) + (s.tricks[1] if 1 < x·a else 0) + (s.tricks[2] if 2 < x·a else 0)",
        ),
        (
            c.Fold("sum", c.call("present", c.Loop("list", "q", c.Item(PAIRS, c.ZERO), c.is_there(BID), BID))),
            "(v[PAIRS_one[0]] if v[PAIRS_one[0]] is not None else 0)"
            " + (v[PAIRS_two[0]] if v[PAIRS_two[0]] is not None else 0) {'PAIRS_one': (0, 1), 'PAIRS_two': (2, 3)}",
        ),
        (
            c.Loop("first", "q", c.EVERYONE, c.Compare("==", BID, X), Q),
            "0 if v[0] == x·a else 1 if v[1] == x·a else 2 if v[2] == x·a else None",
        ),
        (c.Loop("any", "q", c.EVERYONE, None, c.Compare("==", BID, X)), "v[0] == x·a or v[1] == x·a or v[2] == x·a"),
        (c.Loop("all", "q", c.EVERYONE, None, c.Not(BID)), "not v[0] and not v[1] and not v[2]"),
        (c.call("required", c.Item(c.Table("TEAM"), X)), "TEAM[x·a]"),
    ],
)
def test_few_members_are_asked_one_by_one(node: Expr, text: str) -> None:
    assert by_tables(node) == text


@pytest.mark.parametrize(
    "node",
    [
        c.Fold("sum", c.Loop("list", "q", FIVE, None, TRICKS)),  # they are many
        c.Fold(
            "sum", c.Loop("list", "q", c.Item(PAIRS, c.call("cycle", X, Y)), None, TRICKS)
        ),  # it would be found twice
        c.Fold("sum", c.Loop("list", "q", X, None, TRICKS)),
        c.Loop("any", "q", c.EVERYONE, None, BID),  # what is asked is no flag
        c.Loop("first", "q", c.EVERYONE, c.is_there(Q), Q),  # Python warns of `0 is not None`
        c.Loop("list", "q", c.EVERYONE, None, TRICKS),
        c.call("required", c.Item(SOME, X)),
        c.call("required", X),
    ],
)
def test_other_loops_stay(node: Expr) -> None:
    assert by_tables(node) == text_of(node)


# ---- tricks apart ---------------------------------------------------------------------------------------


def of_tricks(*inside: c.Statement) -> list[c.Statement]:
    """A function that plays tricks in one loop."""
    plays, rest, card = c.Name("plays"), c.Name("rest"), c.Name("x·card")
    played = c.Do(c.method(plays, "append", c.Tuple((c.ACTOR, card))))
    leave: list[c.Statement] = [c.Do(c.asked("advance")), c.Return(c.Name("made"))]
    loop: list[c.Statement] = [
        played,
        c.Each(("p",), rest, [c.Set(c.CURRENT, c.ACTOR), played]),
        c.When(c.Name("m"), [c.Return(c.call("len", plays))], []),
        c.Update(c.Zone(c.Lit(9)), "|", c.Name("low")),
        *inside,
        c.When(c.Not(c.Zone(c.ONE)), leave, []),
        c.Set(plays, c.List(())),
        c.Set(c.PLAYS, plays),
        c.Set(c.field("leader"), c.ACTOR),
    ]
    body: list[c.Statement] = [
        c.Set(plays, c.PLAYS),
        c.While(c.Compare("<", c.Name("made"), c.Name("limit")), loop),
        c.Return(c.Name("made")),
    ]
    return TrickApart(c.Zone(c.Lit(9)), c.Name("kept1"), plays, rest).body(body)


def test_a_trick_at_which_nobody_looks_is_kept_in_locals() -> None:
    told = [
        "s.current = p", "z[9] = kept1", "s.plays = as_played(first, rest, row)", "s.trick_number = number",
    ]  # fmt: skip
    lines = [line.strip() for line in printed(*of_tricks(c.Update(c.field("trick_number"), "+", c.ONE)))]
    assert lines == [
        "plays = s.plays", "kept1 = z[9]", "first = p", "row = []", "rest = ()", "number = s.trick_number",
        "while made < limit:", "row.append(x·card)", "for p in rest:", "row.append(x·card)", "if m:", *told,
        "return len(row)", "kept1 |= low", "number += 1", "if not z[1]:", *told, "advance(s)", "return made",
        "first = p", "row = []", "s.leader = p", *told, "return made",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "inside",
    [
        c.Set(c.Name("m"), c.asked("define·highest")),  # it may look at anything
        c.Set(c.Name("m"), c.call("len", c.PLAYS)),
        c.When(c.CURRENT, [], []),
    ],
)
def test_a_trick_at_which_somebody_looks_stays_where_it_is(inside: c.Statement) -> None:
    assert "s.current = p" in "".join(printed(*of_tricks(inside))) and "kept1" not in "".join(
        printed(*of_tricks(inside))
    )


# ---- held once ------------------------------------------------------------------------------------------

HAND, M, LOW = c.Zone(c.add(c.ONE, c.ACTOR)), c.Name("m"), c.Name("low")
TAKEN = c.Update(HAND, "^", LOW)
LEFT_AT_ONCE: list[c.Statement] = [c.Set(c.CURRENT, c.ACTOR), c.Return(c.Name("made"))]


def test_cards_are_looked_at_once_before_one_is_taken() -> None:
    body: list[c.Statement] = [
        c.Set(M, HAND),
        c.When(c.Op("&", HAND, X), [c.Update(M, "&", X)], []),
        c.When(c.Not(c.Name("halves")), [c.Do(c.method(c.Name("dice"), "draw"))], []),
        c.When(M, [c.Set(LOW, M)], [*LEFT_AT_ONCE]),
        TAKEN,
        c.Set(M, HAND),
    ]
    assert [line.strip() for line in printed(*held_once(body, c.Name("cards1")))] == [
        "cards1 = z[1 + p]", "m = cards1", "if cards1 & x·a:", "m &= x·a", "if not halves:", "dice.draw()", "if m:",
        "low = m", "else:", "s.current = p", "return made", "z[1 + p] = cards1 ^ low", "m = z[1 + p]",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "before",
    [
        c.Set(HAND, c.ZERO),
        c.Set(c.ACTOR, c.CURRENT),  # and so it is another place
        c.Do(c.asked("advance")),
        c.When(X, [c.Set(HAND, c.ZERO)], []),
        c.When(X, [], [c.Continue()]),
        c.While(X, [c.Set(HAND, c.ZERO)]),
    ],
)
def test_cards_that_may_not_be_the_same_are_looked_at_again(before: c.Statement) -> None:
    body = [c.Set(M, HAND), before, TAKEN]
    assert held_once(body, c.Name("cards1")) == body
