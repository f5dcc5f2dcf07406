"""Types beside one another: what fits where, what can be compared."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.language.model import Dimension
from interpreter.language.tree import replace
from interpreter.language.typed import Type


def fits(found: Type, expected: Type) -> bool:
    """Whether a value of one type can stand where the other is expected. `none` fits what is optional."""
    if "unknown" in (found.kind, expected.kind):
        return True
    if found.kind == "none":
        return expected.optional
    if found.kind != expected.kind:
        return False
    if found.kind in ("set", "list") and found.item is not None and expected.item is not None:
        return fits(found.item, expected.item)
    if found.kind == "choice":
        one, two = found.symbols, expected.symbols
        return not two or (bool(one) and (one is two or set(one) <= set(two)))
    if found.kind in ("place", "piece"):
        return found.zone == expected.zone
    return True


def comparable(one: Type, two: Type) -> bool:
    if "none" in (one.kind, two.kind) or "unknown" in (one.kind, two.kind):
        return True
    if one.kind == two.kind == "choice" and one.symbols and two.symbols:
        return not set(one.symbols).isdisjoint(two.symbols)
    return fits(one, two) or fits(two, one)


def type_key(kind: Type) -> str:
    """A short name of a type for telling uses of a definition apart."""
    if kind.kind in ("set", "list") and kind.item is not None:
        return f"{kind.kind} of {type_key(kind.item)}"
    if kind.kind == "choice":
        return "/".join(kind.symbols)
    return f"{kind.kind} {kind.zone}".strip()


def or_none(kind: Type) -> Type | None:
    """What another branch may be beside one of this type: the same, or none."""
    return None if kind.kind == "none" else replace(kind, optional=True)


def holds_card(kind: Type) -> bool:
    """Whether a value is a card or consists of cards."""
    return kind.kind == "card" or (kind.item is not None and kind.item.kind == "card")


def index_asked(op: str, dims: Sequence[Dimension]) -> int | None:
    """Which index of a place says whose it is ("owner of") or which number it has ("index of"); None if none does."""
    asked = [at for at, dim in enumerate(dims) if (dim == "player" if op == "owner of" else isinstance(dim, tuple))]
    return asked[-1] if asked else None
