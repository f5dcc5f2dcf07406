"""Uses of definitions: called, written out, or looked up where the answer is known."""

from __future__ import annotations

from interpreter.compiler import core as c
from interpreter.compiler.constant import Unanswerable
from interpreter.compiler.core import Expr
from interpreter.compiler.lower.hoisting import THESE
from interpreter.compiler.lower.lowering import Lowering
from interpreter.compiler.lower.missing import is_never_none
from interpreter.compiler.lower.trees import is_cards
from interpreter.compiler.lower.uses import THE_STATE
from interpreter.compiler.made import local_name
from interpreter.engine.library import Remembered
from interpreter.language import typed as t
from interpreter.language.model import DefineInstance
from interpreter.language.operations import ASK_TABLE, ASK_TEAMS
from interpreter.language.typed import Typed, walk

MOST_SLOTS = 16
"""On so many slots a definition may depend whose answers are remembered."""
FEW_KINDS = frozenset(("card", "rank", "suit", "colour", "player", "team", "flag"))
"""Kinds of values of which there are so few that what is asked of several of them can be remembered."""
SHORT, TRIED = 16, 100
"""Up to so many parts, what a definition says stands where it is used; that is tried until it was longer so often."""


def use(e: Lowering, node: t.Instance) -> Expr:
    if node.key == e.these and not e.inline:
        return THESE
    instance = e.model.instances[node.key]
    args = [e.of(arg) for arg in node.args]
    missing = e.unexpected(node)
    if not missing:
        return _use_with(e, node, instance, args)
    nothing = nothing_of(e, node)  # what is asked of none is none
    if any(args[at] == c.NONE for at in missing):
        return nothing
    if len(missing) == 1:
        at, asked = missing[0], args[missing[0]]
        if isinstance(asked, c.End):
            given = [*args[:at], c.Item(asked.cards, c.Lit(asked.at)), *args[at + 1 :]]
            return c.If(asked.cards, _use_with(e, node, instance, given), nothing)
        known = e.if_there(node.args[at], asked)
        if known is None and c.is_at_hand(asked):  # it costs nothing to look twice
            known = asked, asked
        if known is not None:
            given = [*args[:at], known[1], *args[at + 1 :]]
            return c.If(c.is_none(known[0]), nothing, _use_with(e, node, instance, given))
    given = [c.Name(f"of{at}") if at in missing else arg for at, arg in enumerate(args)]
    names = tuple(f"of{at}" for at in missing)
    found = c.call("ask", c.Lambda(names, _use_with(e, node, instance, given)), *(args[at] for at in missing))
    return found if nothing == c.NONE else c.Or((found, nothing))


def nothing_of(e: Lowering, node: Typed) -> Expr:
    """What something is that is asked of none: none; but a condition does not hold, and a set has no members."""
    if not is_never_none(node.type):
        return c.NONE
    if node.type.kind == "flag":
        return c.Lit(False)
    if isinstance(node, t.Instance) and not e.inline and is_kept_in_bits(e, e.model.instances[node.key].body):
        return c.ZERO
    return c.NOTHING


def _use_with(e: Lowering, node: t.Instance, instance: DefineInstance, args: list[Expr]) -> Expr:
    params = tuple(local_name(name) for name, _ in instance.params)
    if e.inline or not e.uses(instance.body) - {name for name, _ in instance.params}:
        if instance.uses_actor:
            raise AssertionError("an inlined definition has no actor")
        table = None if e.inline else _table_of(e, instance)
        if table is not None:
            return c.Item(table, args[0])
        few = {kind.kind for _, kind in instance.params} <= FEW_KINDS
        if not e.inline and len(args) > 1 and few and not e.bounds.is_heavy(e.bounds.steps(instance.body)):
            return c.Item(_remembered(e, node.key, c.Lambda(params, e.body(instance))), c.Tuple(tuple(args)))
        body = e.body(instance)
        written = None if e.inline else written_out(instance, args, body)
        return c.Called(c.Lambda(params, body), tuple(args)) if written is None else written
    if not instance.uses_actor and all(map(c.is_at_hand, args)) and e.times_long[node.key] < TRIED:
        body = e.body(instance)
        if c.is_within(body, SHORT):
            written = written_out(instance, args, body)
            if written is not None:
                return written
        else:
            e.times_long[node.key] += 1
    return c.asked(e.function_of(node.key), *args)


def written_out(instance: DefineInstance, args: list[Expr], body: Expr) -> Expr | None:
    """The body of a definition for arguments that are at hand; None if it cannot stand where it is used."""
    players = any(isinstance(n, t.Builtin) and n.name == "players" for n in walk(instance.body))
    if players or len(args) != len(instance.params) or not all(map(c.is_at_hand, args)):
        return None
    found = c.put_in(body, {local_name(name): arg for (name, _), arg in zip(instance.params, args, strict=True)})
    return None if asks_literal(found) else found


def asks_literal(node: Expr) -> bool:
    """Whether it is asked if a number that is written out is none."""
    for part in c.walk(node):
        match part:
            case c.Compare("is" | "is not", c.Lit(value)) if type(value) is int:
                return True
    return False


def _table_of(e: Lowering, instance: DefineInstance) -> Expr | None:
    """What a definition says of each player, team or suit, as a table, where it depends on nothing else."""
    if len(instance.params) != 1:
        return None
    ((name, kind),) = instance.params
    count = {"player": e.layout.n, "team": e.layout.team_count, "suit": len(e.model.suits)}.get(kind.kind)
    if count is None or kind.optional or is_cards(instance.body):
        return None
    try:
        values = e.tables.for_each(e.inlined(instance.body), instance.body, name, count)
    except Unanswerable:  # of some of them there is nothing to say: it is asked in play
        return None
    return e.tables.table(values, instance.name)


def _remembered(e: Lowering, key: str, asked: c.Lambda) -> Expr:
    """What a definition has said of several cards, ranks or the like."""
    name = f"R·{e.define_names[key]}"
    if name not in e.tables.constants:
        e.tables.constants[name] = Remembered(e.tables.function(asked))
        if is_kept_in_bits(e, e.model.instances[key].body):
            e.in_bits.add(key)
    return c.Table(name)


def is_kept_in_bits(e: Lowering, body: Typed) -> bool:
    """Whether a definition gives cards, as bits."""
    return is_cards(body) and e.is_mask(body)


def slots_of(e: Lowering, asked: Typed) -> list[int] | None:
    """The slots on which an expression depends; None if it asks for more, or nothing that takes long."""
    todo = [asked]
    slots: set[int] = set()
    done: set[str] = set()
    loops = False
    while todo:
        for node in walk(todo.pop()):
            match node:
                case t.VarRef(name):
                    family = e.layout.variables[name]
                    slots.update(family.places)
                case t.Instance(key) if key not in done:
                    done.add(key)
                    todo.append(e.model.instances[key].body)
                case t.ZoneRef() | t.TokenRef() | t.StageArgument() | t.TableRef() | t.Words():
                    return None
                case t.Builtin() if THE_STATE in e.uses(node):
                    return None
                case t.Op(op) if op in ASK_TABLE or (e.teams_move and op in ASK_TEAMS):
                    return None
            loops = loops or isinstance(node, t.Quant | t.Select | t.Fold)
    if e.bounds.is_heavy(e.bounds.steps(asked)):  # what is remembered is not counted again
        return None
    return sorted(slots) if 0 < len(slots) <= MOST_SLOTS and loops else None
