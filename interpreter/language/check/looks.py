"""How a table is drawn: where zones lie, and what cards look like. Nothing of it changes a match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.base.diagnostics import Report, suggest
from interpreter.language.appearance import LayoutDef, LookRow
from interpreter.language.check.analysis import table_clash
from interpreter.language.check.entries import child, entries, text_of
from interpreter.language.check.names import Names
from interpreter.language.check.symbols import card_pattern
from interpreter.language.model import ZoneDef
from interpreter.language.source import Mapping, Node
from interpreter.language.tree import replace

OWN = ("mine", "seat")
"""Where only what belongs to somebody can lie."""


def zones_laid_out(root: Mapping, zones: dict[str, ZoneDef], report: Report) -> dict[str, ZoneDef]:
    """The zones with their layouts."""
    found = dict(zones)
    for name, node, _ in entries(root.get("zones")):
        if (layout := child(node, "layout")) is not None and name in zones:
            found[name] = replace(zones[name], layout=_layout(zones[name], layout, zones, report))
    _check_circles(root, found, report)
    return found


def _layout(zone: ZoneDef, node: Node, zones: dict[str, ZoneDef], report: Report) -> LayoutDef:
    at, beside = child(node, "at"), child(node, "beside")
    if at is not None and text_of(at) in OWN and zone.dims[:1] not in (("player",), ("team",)):
        message = f"'{zone.name}' belongs to nobody, so it lies at no seat"
        report.error("E519", at.span, message, "say 'at: table', or give it 'each: player'")
    if beside is not None and text_of(beside) not in zones:
        hint = suggest(text_of(beside), [name for name in zones if name != zone.name], "zones")
        report.error("E501", beside.span, f"no zone is called '{text_of(beside)}'", hint)
        beside = None
    keys = {"at": "at", "as": "form", "order": "order", "name": "name"}
    said: Any = {field: text_of(child(node, key)) for key, field in keys.items()}
    return LayoutDef(beside=text_of(beside), **said)


def _check_circles(root: Mapping, zones: dict[str, ZoneDef], report: Report) -> None:
    """No zone lies beside itself, directly or through others."""
    done: set[str] = set()
    for name in zones:
        way = [name]
        while (beside := zones[way[-1]].layout.beside) and beside not in (*way, *done):
            way.append(beside)
        if beside == name:
            node = child(child(child(root.get("zones"), name), "layout"), "beside")
            assert node is not None
            circle = " beside ".join([*way, name])
            report.error("E519", node.span, f"zones lie in a circle: {circle}", "leave one 'beside' out")
        done.update(way)


def looks(root: Mapping, names: Names, report: Report) -> tuple[LookRow, ...]:
    """The rows of `looks`; of two rows that claim a card, neither more special, at most one may say a thing."""
    rows = tuple(_rows(root, names, report))
    for key in ("colour", "back"):  # of a name and of what is drawn, a rank and a suit each give their part
        told = [(row.pattern, row.span) for row in rows if getattr(row, key)]
        clash = table_clash(told, names.ranks, names.suits, root.keys["id"].file)
        if clash is not None:
            span, one, other, card = clash
            message = f"the rows '{one}' and '{other}' both say the {key} of {card}"
            report.error("E514", span, message, f"add a row for {card}, or let one of them say it")
    return rows


def _rows(root: Mapping, names: Names, report: Report) -> Iterator[LookRow]:
    for key, row, span in entries(root.get("looks")):
        pattern = card_pattern(key, span, names, report)
        if pattern is not None:
            name, symbol, colour, back = (text_of(child(row, k)) for k in ("name", "symbol", "colour", "back"))
            yield LookRow(pattern, name, symbol, colour, back, span)
