"""Whether there are any cards, asked of places at once instead of counting what lies in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.compiler.definitions import written_out
from interpreter.compiler.quantifiers import places_asked
from interpreter.compiler.walking import is_cards
from interpreter.language import typed as t
from interpreter.language.typed import Typed

if TYPE_CHECKING:
    from interpreter.compiler.expressions import ExpressionCompiler


def emptiness(c: ExpressionCompiler, node: t.Op) -> str | None:
    """The text of `NUMBER = 0` and the like, where the number counts cards; None if it is anything else."""
    match node:
        case t.Op("=" | "!=" | ">", (number, t.Const(0))) if number.type.kind == "integer":
            anything = _anything(c, number)
            if anything is not None:
                return f"(not {anything})" if node.op == "=" else f"(not not {anything})"
    return None


def _anything(c: ExpressionCompiler, number: Typed) -> str | None:
    """What holds if a number of cards is not 0."""
    match number:
        case t.Op("+", parts):
            each = [text for text in (_anything(c, part) for part in parts) if text is not None]
            return f"({' or '.join(each)})" if len(each) == len(parts) else None
        case t.Op("count", (cards,)) if cards.type.kind == "place":
            return f"z[{c.text(cards)}]"
        case t.Op("count", (cards,)) if is_cards(cards):
            return c.cards(cards)[1]
        case t.Fold("sum", variable, _, domain, None, value) if value is not None:
            places = places_asked(c, domain, "count", value, variable, None)
            return None if places is None else f"any({places[0]})"
        case t.Instance(key) if not (c.inline or c.unexpected(number)):
            instance = c.model.instances[key]
            text = None if instance.uses_actor else _anything(c, instance.body)
            return None if text is None else written_out(instance, [c.text(a) for a in number.args], text)
    return None
