"""Card arithmetic: is the pack large enough for what is dealt, for each number of players?"""

from __future__ import annotations

from interpreter.base.diagnostics import Report
from interpreter.compiler.bounds import Bounds
from interpreter.compiler.constant import as_depends
from interpreter.compiler.layout import Layout, about
from interpreter.language import typed as t
from interpreter.language.typed import walk_of


def deal_problems(layout: Layout, report: Report) -> None:
    """Report every `deal N` that asks for more cards than the whole pack has."""
    cards, players = len(layout.cards), layout.n
    for node in walk_of(layout.model.stages, t.Deal):
        if node.count is None:
            continue
        count = _count(layout, node.count)
        if count is not None and count * players > cards:
            message = f"{players} players need {count * players} cards, but the pack has {cards}"
            report.error("E513", node.span, message, "deal fewer, take more packs, or allow fewer players")


def choice_problems(layout: Layout, report: Report) -> None:
    """Warn of choices of several cards of a hand that are more than can be looked at, as large as it is dealt."""
    bounds, hands = Bounds(layout), _hands(layout)
    for stage in layout.model.stages.values():
        for action in (*stage.actions, *stage.anytime):
            ways, told = 1, ""
            for param in action.params:
                zone = param.domain.name if isinstance(param.domain, t.ZoneRef) else ""
                if param.form == "cards" and param.count is not None and zone in hands:
                    ways *= bounds.ways_among(param, hands[zone])
                    told = told or f"of {hands[zone]} cards in '{zone}' "
            judged = len(action.params) > 1 or layout.multi or bounds.is_joint(action)
            if told and judged and ways > (most := bounds.limit(action)):
                message = f"{told}'{action.name}' can choose in {about(ways)} ways, and {most:,} can be looked at"
                hint = "narrow 'count', or let a law take fewer steps: what it asks of every choice comes to too much"
                report.warning("W607", action.span, message, hint)


def _hands(layout: Layout) -> dict[str, int]:
    """Zone of each player -> how many cards are dealt there at once at most, where that is settled."""
    found: dict[str, int] = {}
    for node in walk_of(layout.model.stages, t.Deal):
        each = len(layout.cards) // layout.n
        count = each if node.count is None else _count(layout, node.count)
        if count is not None:
            found[node.family] = max(min(each, count), found.get(node.family, 0))
    return found


def _count(layout: Layout, node: t.Typed) -> int | None:
    """How many cards each is dealt, where that is settled."""
    if not isinstance(node, t.TableRef):
        return layout.known(node)  # type: ignore[no-any-return]
    table = layout.model.tables[node.name]
    if table.by is None or layout.known(table.by) is None:
        return None
    found = layout.row(as_depends(table))
    return 0 if found is None else layout.known(found)
