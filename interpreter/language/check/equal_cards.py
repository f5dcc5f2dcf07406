"""Of equal cards of several packs: whether that very card is meant, or whichever is called so."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.language import typed as t
from interpreter.language.check.kinds import holds_card
from interpreter.language.model import DefineInstance
from interpreter.language.typed import Typed, walk

Instances = Mapping[str, DefineInstance]


def are_themselves(node: Typed, instances: Instances) -> bool:
    """Whether an expression means cards as they lie somewhere, and not as they are written or kept by name."""
    match node:
        case t.Local(itself=itself):
            return itself
        case t.Const() | t.VarRef() | t.OptionRef() | t.TableRef() | t.StageArgument():
            return False
        case t.Select(domain=domain):
            return are_themselves(domain, instances)
        case t.Let(body=body):
            return are_themselves(body, instances)
        case t.If(_, then, otherwise):
            return are_themselves(then, instances) and are_themselves(otherwise, instances)
        case t.Instance(key):
            return instances[key].itself
        case t.Op(_, args):
            return all(are_themselves(arg, instances) for arg in args if holds_card(arg.type))
    return True


def go_by_face(node: t.Op, instances: Instances) -> bool:
    """Whether an operation of these takes equal cards for one."""
    return not all(are_themselves(arg, instances) for arg in node.args)


def names_a_card(domain: Typed) -> bool:
    """Whether who chooses a card of these only says what it is called: any of the pack, wherever it lies."""
    match domain:
        case t.Builtin("pack"):
            return True
        case t.Select(_, variable, _, group, where):
            return names_a_card(group) and (where is None or not _asks_where(where, variable))
        case t.Op("without", (group, _)):
            return names_a_card(group)
    return False


def _asks_where(where: Typed, card: str) -> bool:
    return any(
        isinstance(part, t.Op)
        and part.op in ("in", "holder of")
        and isinstance(part.args[0], t.Local)
        and part.args[0].name == card
        for part in walk(where)
    )
