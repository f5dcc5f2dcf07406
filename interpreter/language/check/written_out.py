"""Every part of an expression, that of the definitions and tables which it uses among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from interpreter.language import typed as t
from interpreter.language.check.looking import SELF, by_name
from interpreter.language.model import DefineInstance, Model, ParamDef, TableDef
from interpreter.language.typed import Typed, walk

OfActor = Mapping[str, bool]
"""Names in a definition -> whether they stand for the player who acts."""


def with_tables(node: object, tables: Mapping[str, TableDef]) -> Iterator[Any]:
    """Every node inside an expression, and inside those of these tables that it looks into."""
    todo, known = [node], set[str]()
    while todo:
        for part in walk(todo.pop()):
            yield part
            if isinstance(part, t.TableRef) and part.name in tables and part.name not in known:
                known.add(part.name)
                table = tables[part.name]
                todo.append([table.by, [row.value for row in table.rows]])


def with_definitions(node: Typed | None, model: Model) -> Iterator[Any]:
    """Every node inside an expression, and inside its definitions and tables, each of which is gone through once."""
    return reached(node, model.instances, model.tables)


def reached(node: object, instances: Mapping[str, DefineInstance], tables: Mapping[str, TableDef]) -> Iterator[Any]:
    """Every node inside whatever holds expressions, and inside the definitions and tables that it uses, each once."""
    todo: list[object] = [node]
    known: set[str] = set()
    while todo:
        for part in with_tables(todo.pop(), tables):
            yield part
            if isinstance(part, t.Instance) and part.key in instances and part.key not in known:
                known.add(part.key)
                todo.append(instances[part.key].body)


def written_out(
    node: Typed | None, instances: Mapping[str, DefineInstance], tables: Mapping[str, TableDef]
) -> Iterator[tuple[list[Any], OfActor]]:
    """The nodes of an expression, and those of each definition that it uses, with what the names there stand for.

    tables: those into which is looked, too.
    """
    todo: list[tuple[Typed | None, OfActor]] = [(node, {})]
    known: set[tuple[str, tuple[bool, ...]]] = set()
    while todo:
        asked, given = todo.pop()
        parts = list(with_tables(asked, tables))
        yield parts, given
        for part in parts:
            if isinstance(part, t.Instance):
                instance, args = instances[part.key], tuple(is_actor(arg, given) for arg in part.args)
                if (part.key, args) not in known:
                    known.add((part.key, args))
                    todo.append((instance.body, by_name(instance, args)))


def is_actor(node: Typed, given: OfActor) -> bool:
    """Whether a player is surely the one who acts, or a side surely theirs."""
    match node:
        case t.Op("team of", (player,)):
            return is_actor(player, given)
        case t.Builtin("actor"):
            return given.get(SELF, True)
        case t.Local(name):
            return given.get(name, False)
    return False


def bound(parts: Iterable[object], instances: Mapping[str, DefineInstance]) -> dict[str, list[Typed]]:
    """Names -> what they may stand for, as some nodes say. Variables and arguments are there as `spoken` names them."""
    found: dict[str, list[Typed]] = {}
    for name, value in _bound(parts, instances):
        found.setdefault(name, []).append(value)
    return found


def spoken(part: t.VarRef | t.StageArgument) -> str:
    """The name of a variable or an argument among those of what is bound."""
    return f"{part.stage if isinstance(part, t.StageArgument) else ''}·{part.name}"


def _bound(parts: Iterable[object], instances: Mapping[str, DefineInstance]) -> Iterator[tuple[str, Typed]]:
    for part in parts:
        match part:
            case ParamDef(name, domain=domain) if domain is not None:
                yield name, domain
            case t.LetEffect(name, value) | t.Let(name, value):
                yield name, value
            case t.Assign(_, t.VarRef() | t.StageArgument() as target, value):
                yield spoken(target), value
            case t.Call(stage, given):
                for name, value in given:
                    yield f"{stage}·{name}", value
            case t.RunEffect(_, names):
                yield from names
            case t.ForEffect(name, _, domain):
                yield name, domain
            case t.Quant(_, name, _, domain) | t.Select(_, name, _, domain) | t.Fold(_, name, _, domain):
                yield name, domain
            case t.Instance(key, args):
                params = [name for name, _ in instances[key].params]
                yield from zip(params, args[len(args) - len(params) :], strict=True)
