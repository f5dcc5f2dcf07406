"""What is asked of a match by name, and what it means: both answers beside one another."""

from __future__ import annotations

from typing import Any, NamedTuple

from interpreter.api.game import State
from interpreter.engine.rule_errors import RuleError
from interpreter.language import typed as t
from tests.meanings.naive import OUTSIDE, Failure, Table, Unclear

ERROR = "an error"
UNCLEAR, AGREES, FAILS = "unclear", "alike", "alike that fail"


class Difference(NamedTuple):
    name: str
    compiled: Any
    meant: Any
    why: str = ""


def plain(table: Table, value: Any, kind: t.Type) -> Any:
    """A meaning as `state.value` tells it: names, and of sets a list in the order of what there is."""
    if value is None:
        return None
    if kind.kind in ("set", "list") and kind.item is not None:
        item = kind.item
        orders = {"suit": table.suits.index, "rank": table.model.ranks.index}
        members = (
            value if kind.kind == "list" else sorted(value, key=lambda one: orders.get(item.kind, lambda it: it)(one))
        )
        return [plain(table, one, item) for one in members]
    if kind.kind == "card":
        return None if value == OUTSIDE else table.names[value]
    return f"P{value + 1}" if kind.kind == "player" else f"T{value + 1}" if kind.kind == "team" else value


def meaning(state: State, name: str, lenient: bool = False) -> Any:
    table = Table(state, lenient)
    table.all_players()
    body = table.model.instances[table.model.askable[name][0]].body
    try:
        return plain(table, table.of(body, {}), body.type)
    except Failure:
        return ERROR
    except Unclear:
        return UNCLEAR


def compiled(state: State, name: str) -> tuple[Any, str]:
    try:
        return state.value(name), ""
    except RuleError as error:
        return ERROR, str(error)
    except Exception as error:
        return "a crash", repr(error)


def compared(state: State, name: str) -> Difference | str:
    """What differs where a definition does not say what it means; else whether it does, fails, or cannot be judged."""
    (found, why), meant = compiled(state, name), meaning(state, name)
    if meant == UNCLEAR:
        return UNCLEAR
    if found == meant and (found is None) is (meant is None):
        return FAILS if meant == ERROR else AGREES
    if meant == ERROR and meaning(state, name, lenient=True) in (found, UNCLEAR):
        return FAILS
    return Difference(name, found, meant, why)
