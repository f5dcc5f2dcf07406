"""Uses of definitions as Python text: called, written out, or looked up where the answer is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.compiler.constant import Unanswerable
from interpreter.compiler.hoisting import THESE
from interpreter.compiler.made import put_in
from interpreter.compiler.operations import STATE
from interpreter.compiler.snippets import asks_literal, end_of_place, is_simple
from interpreter.compiler.walking import is_cards
from interpreter.engine.library import Remembered
from interpreter.language import typed as t
from interpreter.language.model import DefineInstance
from interpreter.language.operations import ASK_TABLE, ASK_TEAMS
from interpreter.language.typed import Typed, walk

if TYPE_CHECKING:
    from interpreter.compiler.expressions import ExpressionCompiler

MOST_SLOTS = 16
"""On so many slots a definition may depend whose answers are remembered."""
FEW_KINDS = frozenset(("card", "rank", "suit", "colour", "player", "team", "flag"))
"""Kinds of values of which there are so few that what is asked of several of them can be remembered."""
SHORT = 90
"""Up to so many letters, what a definition says stands where it is used."""


def use(c: ExpressionCompiler, node: t.Instance) -> str:
    if node.key == c.these and not c.inline:
        return THESE
    instance = c.model.instances[node.key]
    args = [c.text(a) for a in node.args]
    missing = c.unexpected(node)
    if missing:  # what is asked of none is none
        given = [f"of{n}" if n in missing else a for n, a in enumerate(args)]
        outer = ", ".join(f"of{n}" for n in missing)
        asked = ", ".join(args[n] for n in missing)
        end = end_of_place(asked) if len(missing) == 1 else None
        if end is not None:
            given[missing[0]] = end[0]
            return f"({_use_with(c, node, instance, given)} if {end[1]} else None)"
        known = c.if_there(node.args[missing[0]], asked) if len(missing) == 1 else None
        if known is None and len(missing) == 1 and is_simple(asked):  # it costs nothing to look twice
            known = (asked, asked)
        if known is not None:
            given[missing[0]] = known[1]
            return f"(None if {known[0]} is None else {_use_with(c, node, instance, given)})"
        return f"ask(lambda {outer}: {_use_with(c, node, instance, given)}, {asked})"
    return _use_with(c, node, instance, args)


def _use_with(c: ExpressionCompiler, node: t.Instance, instance: DefineInstance, args: list[str]) -> str:
    if c.inline or not c.uses(instance.body) - {n for n, _ in instance.params}:
        if instance.uses_actor:
            raise AssertionError("an inlined definition has no actor")
        table = None if c.inline else _table_of(c, instance)
        if table is not None:
            return f"{table}[{args[0]}]"
        params = ", ".join(f"x·{n}" for n, _ in instance.params)
        few = {kind.kind for _, kind in instance.params} <= FEW_KINDS
        if not c.inline and len(args) > 1 and few and not c.bounds.is_heavy(c.bounds.steps(instance.body)):
            return f"{_remembered(c, node.key, params, instance)}[{', '.join(args)}]"
        return f"(lambda {params}: {c.text(instance.body)})({', '.join(args)})"
    if not instance.uses_actor and all(map(is_simple, args)) and not c.is_long(node.key):
        text = c.text(instance.body)
        written = written_out(instance, args, text) if len(text) <= SHORT else None
        if written is not None:
            return written
        if len(text) > SHORT:
            c.note_long(node.key)
    return f"{c.function_of(node.key)}({', '.join(['s', *args])})"


def written_out(instance: DefineInstance, args: list[str], text: str) -> str | None:
    """The text of a definition's body for arguments that are at hand; None if it cannot stand where it is used."""
    players = any(isinstance(n, t.Builtin) and n.name == "players" for n in walk(instance.body))
    if players or len(args) != len(instance.params) or not all(map(is_simple, args)):
        return None
    text = put_in(text, {f"x·{name}": arg for (name, _), arg in zip(instance.params, args, strict=True)})
    return None if asks_literal(text) else text


def _table_of(c: ExpressionCompiler, instance: DefineInstance) -> str | None:
    """What a definition says of each player, team or suit, as a table, where it depends on nothing else."""
    if len(instance.params) != 1:
        return None
    ((name, kind),) = instance.params
    count = {"player": c.layout.n, "team": c.layout.team_count, "suit": len(c.model.suits)}.get(kind.kind)
    if count is None or kind.optional or is_cards(instance.body):
        return None
    text = c.inlined_text(instance.body)
    c.charge(instance.body, text, count)
    asked = c.worked_out(text, f"x·{name}")
    try:
        with c.answering(instance.body):
            return c.table(tuple(asked.value(at) for at in range(count)))
    except Unanswerable:  # of some of them there is nothing to say: it is asked in play
        return None


def _remembered(c: ExpressionCompiler, key: str, params: str, instance: DefineInstance) -> str:
    """The name of what a definition has said of several cards, ranks or the like."""
    name = f"R·{c.define_names[key]}"
    if name not in c.constants:
        text = c.text(instance.body)
        c.constants[name] = Remembered(c.worked_out(f"lambda {params}: {text}").value())
    return name


def slots_of(c: ExpressionCompiler, asked: Typed) -> list[int] | None:
    """The slots on which an expression depends; None if it asks for more, or nothing that takes long."""
    todo = [asked]
    slots: set[int] = set()
    done: set[str] = set()
    loops = False
    while todo:
        for node in walk(todo.pop()):
            match node:
                case t.VarRef(name):
                    family = c.layout.variables[name]
                    slots.update(range(family.base, family.base + family.size))
                case t.Instance(key) if key not in done:
                    done.add(key)
                    todo.append(c.model.instances[key].body)
                case t.ZoneRef() | t.TokenRef() | t.StageArgument() | t.TableRef() | t.Words():
                    return None
                case t.Builtin(name) if STATE in c.uses(node):
                    return None
                case t.Op(op) if op in ASK_TABLE or (c.teams_move and op in ASK_TEAMS):
                    return None
            loops = loops or isinstance(node, t.Quant | t.Select | t.Fold)
    if c.bounds.is_heavy(c.bounds.steps(asked)):  # what is remembered is not counted again
        return None
    return sorted(slots) if 0 < len(slots) <= MOST_SLOTS and loops else None
