"""The core by hand: what is found out about trees, how they are put together, worked out and printed."""

from __future__ import annotations

import ast
import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.base.diagnostics import Span
from interpreter.compiler import core as c
from interpreter.compiler.algebra import both, either, in_any, joined, others, without
from interpreter.compiler.core import Expr
from interpreter.compiler.evaluating import Evaluator
from interpreter.compiler.gate import _FORMS as LET_THROUGH
from interpreter.compiler.passes.conditions import condition, value
from interpreter.compiler.print_python import WIDTH, PythonPrinter, text_of
from interpreter.compiler.writer import Writer
from interpreter.engine.library import HELPERS, SAFE

X, Y = c.Name("x·a"), c.Name("x·b")
CARD = c.Name("x·card")


# ---- looking at trees -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("node", "at_hand"),
    [
        (X, True),
        (c.Lit(3), True),
        (c.Lit(-3), False),
        (c.Lit("word"), False),
        (c.LED, True),
        (c.Slot(c.add(c.Lit(3), c.ACTOR)), True),
        (c.Zone(c.Op("*", c.ACTOR, c.Lit(2))), True),
        (c.Item(c.Table("SUIT"), CARD), True),
        (c.Item(c.Table("SUIT"), c.Item(c.Table("FIRST"), CARD)), False),
        (c.call("required", X), False),
        (c.Op("+", X, Y), False),
    ],
)
def test_what_costs_nothing_to_look_at_twice_is_at_hand(node: Expr, at_hand: bool) -> None:
    assert c.is_at_hand(node) is at_hand


def test_other_expressions_stand_for_locals_and_nothing_else() -> None:
    node = c.And((c.Compare("==", X, c.Lit("x·a")), c.call("x·a", X), c.Loop("any", "x·c", X, None, c.Name("x·c"))))
    found = c.put_in(node, {"x·a": c.ZERO})
    assert text_of(found) == "0 == 'x\\xb7a' and x·a(0) and any(x·c for x·c in 0)"
    assert c.put_in(node, {"x·other": c.ZERO}) is node


def test_numbers_that_become_known_are_worked_out() -> None:
    place = c.Zone(c.add(c.Lit(2), c.Op("*", X, c.Lit(3))))
    assert text_of(c.put_in(place, {"x·a": c.Lit(4)})) == "z[14]"
    assert text_of(c.put_in(place, {"x·a": Y})) == "z[2 + x·b * 3]"
    assert text_of(c.put_in(c.Op("+", X, Y), {"x·a": c.Lit("a"), "x·b": c.Lit("b")})) == "'a' + 'b'"
    assert text_of(c.add(c.Lit(1), c.Lit(2), X, c.Lit(4))) == "3 + x·a + 4"


def test_what_is_known_is_exchanged_wherever_it_stands_whole() -> None:
    known = c.Loop("first", "x·c", c.Zone(c.ZERO), None, c.Name("x·c"))
    node = c.Or((c.Compare("==", known, X), c.is_none(known)))
    assert text_of(c.exchanged(node, {known: c.Name("steady1")})) == "steady1 == x·a or steady1 is None"


def test_a_local_is_counted_where_it_is_named() -> None:
    node = c.add(X, c.Item(c.Table("x·a"), X), c.Lit("x·a"))
    assert c.times_named(node, "x·a") == 2


def test_parts_are_counted_no_further_than_asked() -> None:
    node = c.add(*[X] * 10)
    assert c.size(node) == 19 and c.is_within(node, 19) and not c.is_within(node, 18)


# ---- sets and conditions --------------------------------------------------------------------------------


def test_sets_of_cards_fall_together() -> None:
    assert both(X, c.PACK) == both(c.PACK, X) == X
    assert both(X, c.ZERO) == both(c.ZERO, X) == c.ZERO
    assert without(X, others(Y)) == both(X, Y)
    assert text_of(without(X, Y)) == "x·a & ~x·b"
    assert in_any([c.ZERO, X]) == X and in_any([X, c.PACK]) == c.PACK and in_any([]) == c.ZERO
    assert in_any([c.If(X, c.PACK, c.ZERO), Y]) == c.If(X, c.PACK, Y)


def test_one_part_can_settle_a_condition() -> None:
    assert joined("and", [X, c.FALSE]) == c.FALSE and joined("or", [X, c.TRUE]) == c.TRUE
    assert joined("and", [c.TRUE]) == c.TRUE and joined("or", []) == c.FALSE
    assert joined("and", [c.TRUE, X]) == X
    assert either(c.TRUE, X, Y) == X and either(c.FALSE, X, Y) == Y
    assert either(X, Y, Y) == c.If(X, Y, Y)  # it may fail, and stops the match then


# ---- printing -------------------------------------------------------------------------------------------


def test_every_node_has_its_python() -> None:
    from interpreter.compiler import print_python

    kinds = set(_kinds(c.Expr))
    assert kinds == print_python._FORMS.keys()


def _kinds(kind: type[Any]) -> list[type[Any]]:
    return [k for sub in kind.__subclasses__() for k in (sub, *_kinds(sub))]


NUMBERS = st.integers(-5, 5).map(c.Lit)
NAMES = {"x·a": 3, "x·b": 5, "x·t": (7, 8, 9)}


def _ordered(kind: Any, by: Expr) -> Expr:
    found = c.Ordered(kind, "x·c", c.Name("x·t"), None, c.Op("*", c.Name("x·c"), by))
    return c.call("len", found) if kind == "all" else found


def _wider(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    bits = st.sampled_from(["&", "|", "^", "+", "-", "*"])
    compares = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
    return st.one_of(
        st.builds(c.Op, bits, inner, inner),
        st.builds(c.Op, st.sampled_from(["<<", ">>"]), inner, st.integers(0, 3).map(c.Lit)),
        st.builds(c.Op, st.sampled_from(["//", "%"]), inner, st.integers(1, 3).map(c.Lit)),
        st.builds(c.Compare, compares, inner, inner),
        st.builds(c.Compare, st.sampled_from(["is", "is not"]), inner, st.just(c.NONE)),
        st.builds(c.Between, inner, inner, inner),
        st.builds(c.Not, inner),
        st.builds(c.Negative, inner),
        st.builds(c.Inverted, inner),
        st.builds(c.And, st.tuples(inner, inner)),
        st.builds(c.Or, st.tuples(inner, inner, inner)),
        st.builds(c.If, inner, inner, inner),
        st.builds(c.CountBits, inner),
        st.builds(lambda a: c.Called(c.Lambda(("two",), c.add(c.Name("two"), c.ONE)), (a,)), inner),
        st.builds(lambda kind, a: c.Loop(kind, "x·c", c.Name("x·t"), None, c.Op("+", c.Name("x·c"), a)), LOOPS, inner),
        st.builds(lambda kind, a: c.Fold(kind, c.Tuple((a, c.Spread(c.Name("x·t"))))), FOLDS, inner),
        st.builds(lambda a: c.Item(c.Name("x·t"), c.Op("%", a, c.Lit(3))), inner),
        st.builds(_ordered, st.sampled_from(["all", "first"]), inner),
        st.builds(lambda a: c.End(c.Name("x·t"), a), st.sampled_from([0, -1])),
    )


LOOPS, FOLDS = st.sampled_from(["any", "all", "first"]), st.sampled_from(["sum", "min", "max"])
EXPRESSIONS = st.recursive(st.one_of(NUMBERS, st.sampled_from([X, Y])), _wider, max_leaves=12)


def _outcome(work: Any) -> tuple[str, Any]:
    try:
        return "value", work()
    except Exception as error:
        return "error", type(error)


@given(EXPRESSIONS)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_what_is_printed_means_what_is_worked_out(node: Expr) -> None:
    printed = eval(text_of(node), {**SAFE, **NAMES})
    assert _outcome(lambda: Evaluator({**HELPERS}).value(node, dict(NAMES))) == ("value", printed)


@given(EXPRESSIONS)
def test_what_is_made_plainer_means_the_same(node: Expr) -> None:
    def worked(found: Expr) -> tuple[str, Any]:
        return _outcome(lambda: Evaluator({**HELPERS}).value(found, dict(NAMES)))

    assert worked(value(node)) == worked(node)
    assert bool(worked(condition(node))[1]) == bool(worked(node)[1])


OPERATORS = ("+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>")


@pytest.mark.parametrize("outer", OPERATORS)
def test_operators_in_a_row_are_reckoned_in_the_order_of_the_tree(outer: Any) -> None:
    """Every three of them, whichever stands within which."""
    seven, two, three, five = map(c.Lit, (7, 2, 3, 5))
    for one, other in itertools.product(OPERATORS, repeat=2):
        below = c.Op(other, c.Op(one, three, two), five), c.Op(other, five, c.Op(one, three, two))  # type: ignore[arg-type]
        for node in [tree for inner in below for tree in (c.Op(outer, seven, inner), c.Op(outer, inner, seven))]:
            found = _outcome(lambda node=node: Evaluator({}).value(node))
            assert _outcome(lambda node=node: eval(text_of(node))) == found, text_of(node)


@given(EXPRESSIONS)
def test_the_gate_knows_all_that_is_printed(node: Expr) -> None:
    tree = ast.parse(text_of(node), mode="eval").body
    assert all(type(part) in LET_THROUGH for part in ast.walk(tree))


def test_long_lines_are_broken_and_mean_the_same() -> None:
    names = [c.Name(f"x·name_{at}") for at in range(30)]
    long = c.Or(tuple(c.And((name, c.call("bits", *names[:7]))) for name in names))
    body: list[c.Statement] = [c.When(long, [c.Return(c.Lit("a text" * 60), SPAN)], [], SPAN, "a remark")]
    printer = PythonPrinter()
    text = printer.program([c.Function("first", ("s",), body)])
    assert max(map(len, text.splitlines())) <= WIDTH
    found = ast.parse(text).body[0]
    assert isinstance(found, ast.FunctionDef) and isinstance(found.body[0], ast.If)
    assert ast.unparse(found.body[0].test) == ast.unparse(ast.parse(text_of(long), mode="eval").body)
    assert ast.literal_eval(found.body[0].body[0].value) == "a text" * 60  # type: ignore[attr-defined]
    assert set(printer.spans.values()) == {SPAN}


SPAN = Span("a.yaml", 3, 1, 3, 2)


def test_a_comment_ends_with_its_line() -> None:
    printer = PythonPrinter()
    assert printer.program([c.Remark("a\nb\r\u2028c\x0cd")]) == "# a b  c d\n"


def test_functions_are_written_statement_after_statement() -> None:
    out = Writer()
    with out.function("first", "s", "p", "first=False"):
        with out.each(("q", "x·card"), c.PLAYS), out.when(c.Compare("==", c.Name("q"), c.ACTOR)):
            out.go_on()
        with out.when(X), out.loop(X):
            out.update(X, "-", c.ONE)
        with out.otherwise(), out.when(Y):
            out.give(Y)
        out.give(X)
    assert out.functions == {"first": ("s", "p", "first")}
    assert PythonPrinter().program(out.parts) == (
        "def first(s, p, first=False):\n"
        "    for q, x·card in s.plays:\n"
        "        if q == p:\n"
        "            continue\n"
        "    if x·a:\n"
        "        while x·a:\n"
        "            x·a -= 1\n"
        "    elif x·b:\n"
        "        return x·b\n"
        "    return x·a\n"
    )
