"""What the places of zones are called in text."""

from __future__ import annotations

from interpreter.compiler.layout import Layout
from interpreter.language.keywords import ASIDE
from interpreter.language.model import Model, VarDef, ZoneDef


def place_labels(layout: Layout, name: str) -> tuple[str, ...]:
    """The places of a zone."""
    dims, model = dims_of(layout.model.zones[name]), layout.model
    keys = layout.zones[name].keys
    return tuple(" ".join([name, *(_key_label(*of, model) for of in zip(dims, key, strict=True))]) for key in keys)


def all_places(layout: Layout) -> tuple[str, ...]:
    """All places in order; the last is for cards set aside."""
    return (*(label for name in layout.model.zones for label in place_labels(layout, name)), ASIDE)


def dims_of(family: ZoneDef | VarDef) -> tuple[str, ...]:
    """What each place of a zone, or slot of a variable, belongs to: "player", "suit", ..., or "number"."""
    return tuple(dim if isinstance(dim, str) else "number" for dim in family.dims)


def _key_label(dim: str, key: int, model: Model) -> str:
    match dim:
        case "player":
            return f"P{key + 1}"
        case "team":
            return f"T{key + 1}"
        case "suit":
            return model.suits[key].name
        case "rank":
            return model.ranks[key]
    return str(key)
