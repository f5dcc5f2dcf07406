"""What somebody may know who has no seat: what all who have one know alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.api.state import State

_NOT_ALIKE = object()


def common_view(state: State) -> dict[str, Any]:
    """The view of a watcher: as `State.view`, of nobody ("player" is "") and without a log.

    A card whose face only some players see is None; whatever else they do not know alike is left out.
    """
    views: list[Any] = [dict(state.view(player)) for player in range(state.game.players)]
    for view in views:
        view["player"] = ""
        view["log"] = []
    found: dict[str, Any] = common(views)
    return found


def common(values: Sequence[Any]) -> Any:
    """What several values have in common, by their parts."""
    first = values[0]
    if all(value == first for value in values):
        return first
    if all(isinstance(value, dict) for value in values):
        parts = {key: common([v[key] for v in values]) for key in first if all(key in v for v in values)}
        return {key: part for key, part in parts.items() if part is not _NOT_ALIKE}
    if all(isinstance(value, list) and len(value) == len(first) for value in values):
        shared = [common(items) for items in zip(*values, strict=True)]
        return [None if item is _NOT_ALIKE else item for item in shared]
    return _NOT_ALIKE
