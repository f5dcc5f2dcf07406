"""What the tables of a program are named after, on trees that are built by hand."""

from __future__ import annotations

import pytest

from interpreter.base.diagnostics import Span
from interpreter.compiler.lower.table_names import LONGEST, named_after
from interpreter.compiler.lower.trees import affirmed
from interpreter.language import typed as t
from interpreter.language.typed import Typed

HERE = Span("", 1, 1, 1, 1)
CARD = t.Local("card·1", t.CARD, HERE)
RANK = t.Op("rank", (CARD,), t.RANK, HERE)
POINTS = t.TableRef("points", CARD, t.INTEGER, HERE)


def number(value: int) -> Typed:
    return t.Const(value, t.INTEGER, HERE)


def asked(op: str, *args: Typed, name: str = "") -> Typed:
    return t.Op(op, args, t.FLAG, HERE, name)


@pytest.mark.parametrize(
    ("node", "name"),
    [
        (POINTS, "points"),
        (t.Builtin("suits", t.Type("set", t.SUIT), HERE), "suits"),
        (asked("=", RANK, t.Const("J", t.RANK, HERE)), "rank_is_J"),
        (asked("=", CARD, t.Const("QS", t.CARD, HERE)), "is_QS"),
        (asked("matches", CARD, name="red 7..9"), "is_red_7_9"),
        (asked("not", asked("matches", CARD, name="W")), "is_not_W"),
        (asked("not", asked("=", CARD, t.Const("QS", t.CARD, HERE))), "is_not_QS"),
        (asked("not", POINTS), "not_points"),
        (asked("or", t.Const(False, t.FLAG, HERE), asked("matches", CARD, name="W")), "is_W"),
        (asked("<=", POINTS, number(0)), "points_at_most_0"),
        (asked("-", number(0), POINTS), "minus_points"),
        (asked("+", POINTS, number(2)), "points_plus_2"),
        (asked("numbers", number(1), t.OptionRef("packs", t.INTEGER, HERE)), "from_1_to_packs"),
        (asked("group", number(15), number(31)), "15_or_31"),
        (asked("group", CARD), "just_card"),
        (t.If(asked("matches", CARD, name="W"), number(0), number(1), t.INTEGER, HERE), "is_W"),
        (t.If(asked("matches", CARD, name="W"), number(0), POINTS, t.INTEGER, HERE), "points"),
        (asked("greater", number(3), POINTS), "points"),
        (asked("place of", number(3)), "place_of"),
        (CARD, ""),
    ],
)
def test_a_table_is_named_after_what_it_tells(node: Typed, name: str) -> None:
    assert named_after(node) == name


def test_a_denial_says_what_it_denies() -> None:
    wild, same = asked("matches", CARD, name="W"), asked("=", POINTS, number(0))
    assert affirmed(wild) == (wild, False)
    assert affirmed(asked("not", wild)) == (wild, True)
    assert affirmed(asked("not", asked("not", wild))) == (wild, False)
    assert affirmed(asked("!=", POINTS, number(0))) == (same, True)
    assert affirmed(asked("not", asked("!=", POINTS, number(0)))) == (same, False)


def test_a_name_is_no_longer_than_people_read() -> None:
    node = POINTS
    for _ in range(30):
        node = asked("+", node, POINTS)
    assert len(named_after(node)) <= LONGEST
