"""From the parts of a short text to our tree (`syntax`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol, cast

from interpreter.base.diagnostics import Span
from interpreter.language import syntax as ast

Place = Callable[[int, int], Span]
"""Where in its file a piece of a text stands, of which begin and end are given."""


class Meta(Protocol):
    """Where in a text something begins and ends."""

    @property
    def start_pos(self) -> int: ...

    @property
    def end_pos(self) -> int: ...


class TreeBuilder:
    """Each method is named after the rule of the grammar whose parts it receives: what stands between signs and words.

    A part is a name, number or text as it is written, with its place; or what another method has made.
    """

    def __init__(self, place: Place) -> None:
        self._place = place

    def _span(self, meta: Meta) -> Span:
        return self._place(meta.start_pos, meta.end_pos)

    def _spans(self, meta: Meta, name: Meta) -> tuple[Span, Span]:
        """Where the whole stands, and where the name in it."""
        return self._span(meta), self._span(name)

    # expressions
    def name(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Name(str(items[0]), self._span(meta))

    card = name

    def number(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Number(int(items[0]), self._span(meta))

    def string(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Text(str(items[0])[1:-1], self._span(meta))

    def trick_number(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Name("trick number", self._span(meta))

    def call_function(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Apply(str(items[0]), tuple(items[1:]), self._span(meta), self._span(items[0]))

    def of(self, meta: Meta, items: list[Any]) -> ast.Expr:
        inner = items[1]
        arguments = inner.items if isinstance(inner, ast.Group) else (inner,)
        return ast.Apply(str(items[0]), arguments, self._span(meta), self._span(items[0]))

    def _words(self, function: str) -> Callable[[Meta, list[Any]], ast.Expr]:
        def build(meta: Meta, items: list[Any]) -> ast.Expr:
            span = self._span(meta)
            return ast.Apply(function, tuple(i for i in items if i is not None), span, span)

        return build

    def random_of(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._words("random")(meta, items)

    def count_of(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._words("count")(meta, items)

    def across_from(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._words("across from")(meta, items)

    def next_after(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._words("next after")(meta, items)

    def void_in(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._words("void in")(meta, items)

    def negative(self, meta: Meta, items: list[Any]) -> ast.Expr:
        span = self._span(meta)
        return ast.Binary("-", ast.Number(0, span), items[0], span)

    def _extreme(self, function: str, meta: Meta, items: list[Any]) -> ast.Expr:
        name = ast.Name(str(items[0]), self._span(items[0]))
        return ast.Apply(function, (name,), self._span(meta), self._span(meta))

    def lowest(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._extreme("lowest", meta, items)

    def highest(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._extreme("highest", meta, items)

    def any_(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Quantifier("any", str(items[0]), items[1], items[2], items[3], *self._spans(meta, items[0]))

    def all_(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Quantifier("all", str(items[0]), items[1], items[2], items[3], *self._spans(meta, items[0]))

    def select(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Select("all", str(items[0]), items[1], items[2], items[3], *self._spans(meta, items[0]))

    def first(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Select("first", str(items[0]), items[1], items[2], items[3], *self._spans(meta, items[0]))

    def first_some(self, meta: Meta, items: list[Any]) -> ast.Expr:
        span = self._span(meta)
        chosen = ast.Select("all", str(items[1]), items[2], items[3], items[4], span, self._span(items[1]))
        return ast.Some("first", items[0], chosen, span)

    def part(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Some(cast(Any, str(items[0])), items[1], items[2], self._span(meta))

    def card_number(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Some("number", items[1], items[2], self._span(meta))

    def numbers(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Range(items[0], items[1], self._span(meta))

    def without(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Without(items[0], items[1], self._span(meta))

    def exactly(self, meta: Meta, items: list[Any]) -> tuple[ast.Expr, ast.Expr | None]:
        return items[0], items[0]

    def at_least(self, meta: Meta, items: list[Any]) -> tuple[ast.Expr, ast.Expr | None]:
        return items[0], None

    def subsets(self, meta: Meta, items: list[Any]) -> ast.Expr:
        sizes, group = items
        low, high = (sizes.low, sizes.high) if isinstance(sizes, ast.Range) else sizes
        return ast.Subsets(low, high, group, self._span(meta))

    def kinds_named(self, meta: Meta, items: list[Any]) -> ast.Expr:
        named = (ast.Name(str(item), self._span(item)) for item in items)
        return ast.Group(tuple(named), self._span(meta))

    def melds(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Melds(items[0], items[1], self._span(meta))

    def count_where(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Fold("count", None, str(items[0]), items[1], items[2], *self._spans(meta, items[0]))

    def fold(self, meta: Meta, items: list[Any]) -> ast.Expr:
        kind = cast(Literal["sum", "min", "max"], str(items[0]))
        return ast.Fold(kind, items[1], str(items[2]), items[3], items[4], *self._spans(meta, items[2]))

    def least(self, meta: Meta, items: list[Any]) -> ast.Expr:
        _, value, variable, domain, where, outside = items
        spans = self._spans(meta, variable)
        return ast.Fold("least", value, str(variable), domain, where, *spans, outside=outside)

    def if_expr(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.If(items[0], items[1], items[2], self._span(meta))

    def together(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Group(tuple(items), self._span(meta))

    def attribute(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Attribute(items[0], str(items[1]), self._span(meta))

    def or_expr(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Logic("or", tuple(items), self._span(meta))

    def and_expr(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Logic("and", tuple(items), self._span(meta))

    def not_(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Not(items[0], self._span(meta))

    def compare(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Compare(cast(Any, str(items[1])), items[0], items[2], self._span(meta))

    def binary(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Binary(cast(Any, str(items[1])), items[0], items[2], self._span(meta))

    def in_(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Member(items[0], items[1], self._span(meta))

    def not_in(self, meta: Meta, items: list[Any]) -> ast.Expr:
        span = self._span(meta)
        return ast.Not(ast.Member(items[0], items[-1], span), span)

    def _is(self, meta: Meta, item: ast.Expr, negated: object, what: Any) -> ast.Expr:
        found = ast.Is(item, what, self._span(meta))
        return found if negated is None else ast.Not(found, found.span)

    def is_empty(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._is(meta, items[0], items[1], "empty")

    def is_facing(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._is(meta, items[0], items[1], f"face {items[2]}")

    def is_a(self, meta: Meta, items: list[Any]) -> ast.Expr:
        if isinstance(items[2], ast.Range) or (isinstance(items[2], ast.Name) and items[2].text != "none"):
            return self._is(meta, items[0], items[1], items[2])
        if isinstance(items[2], ast.Number):  # `card is 7`; of a number it is a comparison
            return self._is(meta, items[0], items[1], ast.Name(str(items[2].value), items[2].span))
        op: Literal["=", "!="] = "=" if items[1] is None else "!="
        return ast.Compare(op, items[0], items[2], self._span(meta))

    def range(self, meta: Meta, items: list[Any]) -> ast.Range:
        return ast.Range(items[0], items[-1], self._span(meta))

    def players_where(self, meta: Meta, items: list[Any]) -> ast.Expr:
        if len(items) == 1:
            return cast("ast.Expr", items[0])
        everyone = ast.Name("everyone", self._span(items[0]))
        return ast.Select("all", str(items[0]), everyone, items[1], None, self._span(meta), everyone.span)

    # effects
    def effect(self, meta: Meta, items: list[Any]) -> tuple[ast.Effect, ...]:
        flat: list[ast.Effect] = []
        for item in items:  # `clear a, b` is two statements
            flat.extend(item if isinstance(item, tuple) else (item,))
        return tuple(flat)

    def everything(self, meta: Meta, items: list[Any]) -> str:
        return "everything"

    def at_random(self, meta: Meta, items: list[Any]) -> tuple[str, ast.Expr]:
        return ("random", items[0])

    def facing(self, meta: Meta, items: list[Any]) -> str:
        return str(items[0])

    def one_at_a_time(self, meta: Meta, items: list[Any]) -> None:
        return None

    def in_packets(self, meta: Meta, items: list[Any]) -> tuple[ast.Expr, ...]:
        return tuple(items)

    def gathered(self, meta: Meta, items: list[Any]) -> tuple[ast.Expr, ...]:
        return tuple(items)

    def target(self, meta: Meta, items: list[Any]) -> ast.Target:
        return ast.Target(str(items[0]), items[1], self._span(meta))

    def argument(self, meta: Meta, items: list[Any]) -> ast.Argument:
        return ast.Argument(str(items[0]), items[1], self._span(meta))

    def move_some(self, meta: Meta, items: list[Any]) -> ast.Effect:
        amount, source, how, target, facing = items
        what, at_random = (None, False) if amount == "everything" else (amount[1], True)
        return ast.Move(what, at_random, source, target, str(how) == "beneath", facing, self._span(meta))

    def move_cards(self, meta: Meta, items: list[Any]) -> ast.Effect:
        what, source, how, target, facing = items
        return ast.Move(what, False, source, target, str(how) == "beneath", facing, self._span(meta))

    def deal(self, meta: Meta, items: list[Any]) -> ast.Effect:
        amount, source, target, packets, first = items
        count = None if amount == "everything" else amount
        return ast.Deal(count, source, target, packets, first, self._span(meta))

    def gather(self, meta: Meta, items: list[Any]) -> ast.Effect:
        sources = None if items[0] == "everything" else items[0]
        return ast.Gather(sources, items[1], self._span(meta))

    def shuffle(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnCards("shuffle", items[0], self._span(meta))

    def turn_up(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnCards("turn up", items[0], self._span(meta))

    def turn_down(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnCards("turn down", items[0], self._span(meta))

    def flip(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnCards("flip", items[0], self._span(meta))

    def show(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Show(items[0], items[1], self._span(meta))

    def set(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Assign("set", items[0], items[1], self._span(meta), _text(items[2]))

    def add(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Assign("add", items[1], items[0], self._span(meta), _text(items[2]))

    def subtract(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Assign("subtract", items[1], items[0], self._span(meta), _text(items[2]))

    def clear(self, meta: Meta, items: list[Any]) -> tuple[ast.Effect, ...]:
        return tuple(ast.Assign("clear", t, None, t.span) for t in items)

    def swap(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Swap(items[0], items[1], self._span(meta))

    def reverse(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Plain("reverse", self._span(meta))

    def stay(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Plain("stay", self._span(meta))

    def again(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Plain("again", self._span(meta))

    def redeal(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Plain("redeal", self._span(meta))

    def take_back(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Plain("take back fault", self._span(meta))

    def skip(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnPlayer("skip", items[0], self._span(meta))

    def pass_turn(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnPlayer("pass turn", items[0], self._span(meta))

    def reseat(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnPlayer("reseat", items[0], self._span(meta))

    def take(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnPlayer("take", items[0], self._span(meta))

    def put_back(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnPlayer("put back", items[0], self._span(meta))

    def set_out(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.SetOut(items[0], str(items[1]), self._span(meta))

    def call(self, meta: Meta, items: list[Any]) -> ast.Effect:
        arguments = tuple(a for a in items[1:] if a is not None)
        return ast.Call(str(items[0]), arguments, self._span(meta), self._span(items[0]))

    def finish(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Finish(str(items[0]), self._span(meta), self._span(items[0]))

    def fault(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Fault(str(items[0]), items[1], self._span(meta))

    def note(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Note(str(items[0])[1:-1], self._span(meta))

    def if_effect(self, meta: Meta, items: list[Any]) -> ast.Effect:
        condition, then, *others, otherwise = items
        within: tuple[ast.Effect, ...] = otherwise or ()
        for at in range(len(others) - 2, -1, -2):  # what `elseif` begins is an `if` inside `else`
            within = (ast.IfEffect(others[at], others[at + 1], within, others[at].span),)
        return ast.IfEffect(condition, then, within, self._span(meta))

    def for_effect(self, meta: Meta, items: list[Any]) -> ast.Effect:
        variable, domain, where, by, body = items
        return ast.ForEffect(str(variable), domain, where, by, body, *self._spans(meta, variable))

    def let(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Let(str(items[1]), items[2], *self._spans(meta, items[1]))

    def run(self, meta: Meta, items: list[Any]) -> ast.Effect:
        arguments = tuple(i for i in items[1:] if i is not None)
        return ast.Run(str(items[0]), arguments, self._span(meta))


def _text(quoted: object) -> str | None:
    """What stands between quotes; None where there is no text."""
    return None if quoted is None else str(quoted)[1:-1]
