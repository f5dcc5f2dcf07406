"""Lookups in the tables of a ruleset as Python text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.base.diagnostics import Report
from interpreter.compiler.constant import Unanswerable
from interpreter.language import typed as t
from interpreter.language.model import TableDef

if TYPE_CHECKING:
    from interpreter.compiler.expressions import ExpressionCompiler

MOST_WRITTEN = 100_000
"""Letters of a table with all the tables that it uses, which stand in its text in full."""
FEW_ROWS = 40
"""So many rows of a table over numbers or words at most are asked one after the other."""


def looked_up(c: ExpressionCompiler, node: t.TableRef) -> str:
    table = c.model.tables[node.name]
    if table.by is not None:
        found = _by_table(c, node.name)
        if len(found) > MOST_WRITTEN:
            report = Report()
            message = f"with the tables that it uses written out, the table '{node.name}' is too much to work out"
            report.error("E404", table.span, message, "let tables use one another less")
            report.raise_errors()
        return found
    known = c.fixed_tables.get(node.name)
    if known is None:
        known = _card_table(c, node.name)
    if known is None:
        return _row_by_row(c, node)
    if c.may_miss(node.key):
        return f"of_card({known}, {c.text(node.key)})"
    return f"{known}[{c.text(node.key)}]"


def _card_table(c: ExpressionCompiler, name: str) -> str | None:
    """What a table says of each card; if it never changes, it is worked out once. None if a row has no value."""
    values = [c.table_value(name, card) for card in range(len(c.layout.cards))]
    distinct = {id(v): v for v in values}
    if any(c.uses(v) for v in values):
        before = len(c.faults)
        texts = {key: c.text(v) for key, v in distinct.items()}
        if len(c.faults) > before:
            del c.faults[before:]
            return None
        return f"({', '.join(texts[id(v)] for v in values)},)"
    try:
        known = {key: c.evaluate(v) for key, v in distinct.items()}
    except Unanswerable:
        return None
    c.fixed_tables[name] = c.table(tuple(known[id(v)] for v in values))
    return c.fixed_tables[name]


def _row_by_row(c: ExpressionCompiler, node: t.TableRef) -> str:
    """A table of which a row has no value: only that of the card is asked."""
    values = [c.table_value(node.name, card) for card in range(len(c.layout.cards))]
    distinct = {id(v): v for v in values}
    number = {key: at for at, key in enumerate(distinct)}
    rows = "".join(f"lambda: {c.text(v)}, " for v in distinct.values())
    return f"row_of(({rows}), {c.table(tuple(number[id(v)] for v in values))}, {c.text(node.key)})"


def _by_table(c: ExpressionCompiler, name: str) -> str:
    table = c.model.tables[name]
    assert table.by is not None
    before = len(c.faults)
    key = c.text(table.by)
    there = f"{key} is not None and " if c.may_miss(table.by) else ""
    rows: list[tuple[int, str, str]] = []
    otherwise = "0" if table.type.kind == "integer" else "None"
    for row in table.rows:
        value = c.text(row.value)
        low, _, high = row.pattern.partition("..")
        if row.pattern == "else":
            otherwise = value
        elif table.by.type.kind == "integer":
            high = high or low
            rows.append((int(high) - int(low), f"{there}{low} <= {key} <= {high}", value))
        elif table.by.type.kind == "flag":
            rows.append((0, key if row.pattern == "true" else f"not {key}", value))
        else:
            rows.append((0, f"{key} == {c.symbol(row.pattern, table.by.type)!a}", value))
    if len(rows) > FEW_ROWS:
        return _long_table(c, table, key, otherwise)
    result = otherwise
    for _, test, value in sorted(reversed(rows), key=lambda r: -r[0]):  # of equally narrow ones the first holds
        result = f"({value} if {test} else {result})"
    if not c.uses(table.by) and not any(c.uses(r.value) for r in table.rows):
        asked = c.worked_out(result)
        try:
            with c.answering(table.by):
                found = c.literal(asked.value())
        except Unanswerable as fault:
            return c.no_value(fault)
        del c.faults[before:]  # of the rows that do not hold
        return found
    return result


def _long_table(c: ExpressionCompiler, table: TableDef, key: str, otherwise: str) -> str:
    """A table of many rows, whose key is worked out once."""
    known: dict[Any, int] = {}
    ranges: list[tuple[int, int, int]] = []
    values = []
    for row in table.rows:
        low, dots, high = row.pattern.partition("..")
        if row.pattern == "else":
            continue
        values.append(f"lambda: {c.text(row.value)}")
        if table.by is not None and table.by.type.kind == "integer":
            ranges.append((int(low), int(high) if dots else int(low), len(values) - 1))
        elif table.by is not None:
            known[c.symbol(row.pattern, table.by.type)] = len(values) - 1
    ranges.sort(key=lambda r: r[1] - r[0])
    rows = f"row_number({c.table(known)}, {c.table(tuple(ranges))}, {key}, {len(values)})"
    return f"({', '.join(values)}, lambda: {otherwise})[{rows}]()"
