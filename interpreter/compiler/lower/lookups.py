"""Lookups in the tables of a ruleset."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.base.diagnostics import Report
from interpreter.compiler import core as c
from interpreter.compiler.constant import Unanswerable
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.definitions import nothing_of
from interpreter.compiler.lower.known_values import symbol
from interpreter.compiler.lower.lowering import Lowering
from interpreter.compiler.made import local_name
from interpreter.compiler.patterns import Rows
from interpreter.language import typed as t
from interpreter.language.model import TableDef
from interpreter.language.typed import Typed

MOST_PARTS = 10_000
"""Parts of a table with all the tables that it uses, which stand in it in full."""
MOST_OF_A_ROW = 60
"""Parts of a row that stands in a table over cards for each card that it is for."""
FEW_ROWS = 40
"""So many rows of a table over numbers or words at most are asked one after the other."""


def looked_up(e: Lowering, node: t.TableRef) -> Expr:
    table = e.model.tables[node.name]
    if table.by is None:
        asked, nothing = _of_card(e, node, table), nothing_of(e, node)
        return c.Or((asked, nothing)) if nothing != c.NONE and e.may_miss(node.key) else asked
    found = _by_value(e, table)
    if not c.is_within(found, MOST_PARTS):
        report = Report()
        message = f"with the tables that it uses written out, the table '{node.name}' is too much to work out"
        report.error("E404", table.span, message, "let tables use one another less")
        report.raise_errors()
    return found


def _of_card(e: Lowering, node: t.TableRef, table: TableDef) -> Expr:
    """What a table over cards says of one; none if it is none."""
    known: Expr | None = e.card_tables.get(node.name)
    if known is None and any(table.card in e.uses(row.value) for row in table.rows):
        return _of_its_card(e, node, table)
    if known is None:
        known = _over_cards(e, node.name)
    if known is None:
        return _by_row(e, node, "row_of")  # one of the rows has no value
    if e.may_miss(node.key):
        return c.call("of_card", known, e.of(node.key))
    return c.Item(known, e.of(node.key))


def _rows_of_cards(e: Lowering, name: str) -> tuple[list[Typed], dict[int, Typed]]:
    """What a table over cards says of each card: the most specific row; and of these each once, by its id."""
    table = e.model.tables[name]
    none = t.Const(0 if table.type.kind == "integer" else None, table.type, table.span)
    best = best_rows(e, [row.pattern for row in table.rows])
    values = [none if at is None else table.rows[at].value for at in best]
    return values, {id(value): value for value in values}


def best_rows(e: Lowering, patterns: Iterable[str]) -> list[int | None]:
    """Of each card the pattern that is closest about it, by its place, None if none is; equal cards are asked once."""
    key = tuple(patterns)
    if key not in e.best_rows:
        cards = [_described(e, card) for card in range(len(e.layout.cards))]
        rows = Rows(key, e.model.ranks)
        best = {card: rows.best(card) for card in cards}
        e.best_rows[key] = [best[card] for card in cards]
    return e.best_rows[key]


def _described(e: Lowering, card: int) -> tuple[str, str, str, str]:
    """(name, rank, suit, colour) of a card, by name."""
    rank, suit = e.layout.card_rank[card], e.layout.card_suit[card]
    if rank is None or suit is None:
        return e.layout.cards[card], "", "", ""
    found = e.model.suits[suit]
    return e.layout.cards[card], e.model.ranks[rank], found.name, found.colour


def _over_cards(e: Lowering, name: str) -> Expr | None:
    """What a table says of each card; if it never changes, it is worked out once. None if a row has no value."""
    values, distinct = _rows_of_cards(e, name)
    if any(e.uses(value) for value in values):
        before = len(e.faults)
        found = {key: e.of(value) for key, value in distinct.items()}
        large = not all(c.is_within(row, MOST_OF_A_ROW) for row in found.values())
        if len(e.faults) > before or large:  # a large one would stand there for each card
            del e.faults[before:]
            return None
        return c.Tuple(tuple(found[id(value)] for value in values))
    try:
        known = {key: e.tables.value(value) for key, value in distinct.items()}
    except Unanswerable:
        return None
    e.card_tables[name] = e.tables.table(tuple(known[id(value)] for value in values), name)
    return e.card_tables[name]


def _of_its_card(e: Lowering, node: t.TableRef, table: TableDef) -> Expr:
    """A table of which a row looks at its card: worked out for each card, or asked of the one where play decides."""
    values, distinct = _rows_of_cards(e, node.name)
    if all(e.uses(value) <= {table.card} for value in distinct.values()):
        known = {key: e.tables.of_cards(value, table.card) for key, value in distinct.items()}
        if None not in known.values():
            told = tuple(known[id(value)][card] for card, value in enumerate(values))  # type: ignore[index]
            e.card_tables[node.name] = e.tables.table(told, node.name)
            return c.call("of_card", e.card_tables[node.name], e.of(node.key))
    return _by_row(e, node, "row_for", local_name(table.card))


def _by_row(e: Lowering, node: t.TableRef, asks: str, *params: str) -> Expr:
    """What a table says of a card, where only the row of that card is asked."""
    values, distinct = _rows_of_cards(e, node.name)
    number = {key: at for at, key in enumerate(distinct)}
    rows = c.Tuple(tuple(c.Lambda(params, e.of(value)) for value in distinct.values()))
    return c.call(asks, rows, e.tables.table(tuple(number[id(v)] for v in values), node.name), e.of(node.key))


def _by_value(e: Lowering, table: TableDef) -> Expr:
    """A table over numbers or words; the narrowest range that holds counts."""
    assert table.by is not None
    before = len(e.faults)
    key = e.of(table.by)
    if table.by.type.kind == "card" and e.layout.multi:  # rows name faces, which equal cards share
        key = c.call("of_card", c.Table("FIRST"), key)
    there = [c.is_there(key)] if e.may_miss(table.by) else []
    rows: list[tuple[int, Expr, Expr]] = []
    otherwise: Expr = c.ZERO if table.type.kind == "integer" else c.NONE
    for row in table.rows:
        value, width, test = e.of(row.value), 0, key
        match row.ends:
            case None:
                otherwise = value
                continue
            case (int(low), int(high)):
                test = c.Between(c.Lit(low), key, c.Lit(high))
                test = c.And((*there, test)) if there else test
                width = high - low
            case (str(word), _) if table.by.type.kind != "flag":
                test = c.Compare("==", key, c.Lit(symbol(e.layout, word, table.by.type)))
            case ("false", _):
                test = c.Not(key)
        rows.append((width, test, value))
    if len(rows) > FEW_ROWS:
        return _long(e, table, key, otherwise)
    result = otherwise
    for _, test, value in sorted(reversed(rows), key=lambda row: -row[0]):  # of equally narrow ones the first holds
        result = c.If(test, value, result)
    if not e.uses(table.by) and not any(e.uses(row.value) for row in table.rows):
        try:
            known = e.tables.literal(e.tables.value_of(result, table.by), table.name)
        except Unanswerable as fault:
            return e.no_value(fault)
        del e.faults[before:]  # of the rows that do not hold
        return known
    return result


def _long(e: Lowering, table: TableDef, key: Expr, otherwise: Expr) -> Expr:
    """A table of many rows, whose key is worked out once."""
    assert table.by is not None
    known: dict[Any, int] = {}
    ranges: list[tuple[int, int, int]] = []
    values: list[Expr] = []
    for row in table.rows:
        match row.ends:
            case (int(low), int(high)):
                ranges.append((low, high, len(values)))
            case (str(word), _):
                known[symbol(e.layout, word, table.by.type)] = len(values)
            case _:
                continue
        values.append(c.Lambda((), e.of(row.value)))
    ranges.sort(key=lambda row: row[1] - row[0])
    tables = e.tables.table(known, f"{table.name}_rows"), e.tables.table(tuple(ranges), f"{table.name}_ranges")
    number = c.call("row_number", *tables, key, c.Lit(len(values)))
    return c.Called(c.Item(c.Tuple((*values, c.Lambda((), otherwise))), number))
