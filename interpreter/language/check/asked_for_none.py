"""What is certainly there, because somebody has asked whether it is none: `if x != none then ... else ...`."""

from __future__ import annotations

from typing import Any

from interpreter.language import typed as t
from interpreter.language.operations import BY_CHANCE
from interpreter.language.typed import Typed, said, walk_of

There = frozenset[Any]
"""What expressions say that are not none."""
NOTHING_YET: There = frozenset()


def there_if(condition: Typed, holds: bool) -> There:
    """What is not none where a condition holds, or where it does not."""
    match condition:
        case t.Op("!=" | "=" as op, (one, other)) if (op == "!=") is holds:
            return frozenset(
                said(asked) for asked, of in ((one, other), (other, one)) if _is_none(of) and _stays(asked)
            )
        case t.Op("and" | "or" as op, parts) if (op == "and") is holds:
            return frozenset[Any]().union(*(there_if(part, holds) for part in parts))
        case t.Op("not", (denied,)):
            return there_if(denied, not holds)
    return NOTHING_YET


def may_be_none(node: Typed, there: There = NOTHING_YET) -> bool:
    """Whether a value may be none, as far as its type tells and what is known to be there."""
    match node:
        case t.If(condition, then, otherwise):
            return may_be_none(then, there | there_if(condition, True)) or may_be_none(
                otherwise, there | there_if(condition, False)
            )
    return node.type.kind == "none" or (node.type.optional and said(node) not in there)


def _stays(node: Typed) -> bool:
    """Whether it is the same when it is asked again: chance may say something else then."""
    return not any(part.op in BY_CHANCE for part in walk_of(node, t.Op))


def _is_none(node: Typed) -> bool:
    return isinstance(node, t.Const) and node.value is None
