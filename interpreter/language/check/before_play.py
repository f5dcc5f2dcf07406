"""What an expression asks that is only known in play, where it is asked before: in definitions and tables, too."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from interpreter.language import typed as t
from interpreter.language.model import DefineInstance, TableDef
from interpreter.language.operations import ASK_TABLE

WITHOUT_TABLE = frozenset(("everyone", "players", "teams", "pack", "suits", "ranks", "honor"))
"""What is known before the cards lie on a table."""


def known_in_play(
    asked: object,
    tables: Mapping[str, TableDef],
    instances: Mapping[str, DefineInstance],
    before: Collection[str],
) -> Iterator[tuple[t.Typed, str]]:
    """The parts of expressions that only a table can answer, and what they ask. before: what is known without one."""
    todo: list[object] = [asked]
    seen: set[str] = set()
    while todo:
        for node in t.walk(todo.pop()):
            if isinstance(node, t.Instance | t.TableRef):
                name = node.key if isinstance(node, t.Instance) else f"table {node.name}"
                if name not in seen:
                    seen.add(name)
                    todo.append(_said(node, tables, instances))
            elif (what := _of_table(node, before)) is not None:
                yield node, what


def _said(
    node: t.Instance | t.TableRef, tables: Mapping[str, TableDef], instances: Mapping[str, DefineInstance]
) -> object:
    if isinstance(node, t.Instance):
        return instances[node.key].body if node.key in instances else None
    table = tables.get(node.name)
    return None if table is None else [table.by, [row.value for row in table.rows]]


def _of_table(node: object, before: Collection[str]) -> str | None:
    """What a node asks that only a table can answer."""
    match node:
        case t.VarRef(name) | t.ZoneRef(name) | t.TokenRef(name):
            return name
        case t.Builtin(name) if name not in before:
            return name
        case t.Op(op) if op in ASK_TABLE:
            return {"void": "void in", "team tricks": "tricks of"}.get(op, op)
    return None
