"""Card arithmetic: is the pack large enough for what is dealt, for each number of players?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter import typed as t
from interpreter.compile.constant import NotConstant, chosen_row, constant
from interpreter.diagnostics import Report
from interpreter.model import Depends
from interpreter.typed import walk

if TYPE_CHECKING:
    from interpreter.game import Game


def deal_problems(game: Game, report: Report) -> None:
    """Report every `deal N` that asks for more cards than the whole pack has."""
    model = game.ruleset.model
    cards = len(game.program.cards)
    for node in walk(list(model.stages.values())):
        if not isinstance(node, t.Deal) or node.count is None:
            continue
        try:
            count = _count(game, node.count)
        except NotConstant:
            continue
        if count * game.players > cards:
            message = f"{game.players} players need {count * game.players} cards, but the pack has {cards}"
            report.error("E513", node.span, message, "deal fewer, take more packs, or allow fewer players")


def _count(game: Game, node: t.Typed) -> int:
    if isinstance(node, t.TableRef):
        table = game.ruleset.model.tables[node.name]
        if table.by is None:
            raise NotConstant(node.name)
        rows = []
        otherwise = None
        for row in table.rows:
            low, _, high = row.pattern.partition("..")
            if row.pattern == "else":
                otherwise = row.value
            elif low.isdigit():
                rows.append((int(low), int(high or low), row.value))
            else:
                rows.append((low, low, row.value))  # type: ignore[arg-type]
        found = chosen_row(Depends(table.by, tuple(rows), otherwise, table.span), game.options, game.players)
        return 0 if found is None else int(constant(found, game.options, game.players))
    return int(constant(node, game.options, game.players))
