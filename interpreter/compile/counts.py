"""Card arithmetic: is the pack large enough for what is dealt, for each number of players?"""

from __future__ import annotations

from interpreter import typed as t
from interpreter.compile.constant import NotConstant, Unanswerable
from interpreter.compile.layout import Layout
from interpreter.diagnostics import Report
from interpreter.model import Depends
from interpreter.typed import walk


def deal_problems(layout: Layout, report: Report) -> None:
    """Report every `deal N` that asks for more cards than the whole pack has."""
    cards, players = len(layout.cards), layout.n
    for node in walk(list(layout.model.stages.values())):
        if not isinstance(node, t.Deal) or node.count is None:
            continue
        try:
            count = _count(layout, node.count)
        except (NotConstant, Unanswerable):
            continue
        if count is not None and count * players > cards:
            message = f"{players} players need {count * players} cards, but the pack has {cards}"
            report.error("E513", node.span, message, "deal fewer, take more packs, or allow fewer players")


def _count(layout: Layout, node: t.Typed) -> int | None:
    if not isinstance(node, t.TableRef):
        return layout.constant(node)  # type: ignore[no-any-return]
    table = layout.model.tables[node.name]
    if table.by is None:
        raise NotConstant(node.name)
    layout.constant(table.by)
    rows: list[tuple[int | str, int | str, t.Typed]] = []
    otherwise = None
    for row in table.rows:
        low, _, high = row.pattern.partition("..")
        if row.pattern == "else":
            otherwise = row.value
        elif low.isdigit():
            rows.append((int(low), int(high or low), row.value))
        else:
            rows.append((low, low, row.value))
    found = layout.row(Depends(table.by, tuple(rows), otherwise, table.span))
    return 0 if found is None else layout.constant(found)
