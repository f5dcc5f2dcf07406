"""Whether something can be worked out without a look at what is hidden: then it is the same in all worlds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, SupportsIndex

from interpreter.engine.position import Position
from interpreter.engine.rule_errors import RuleError


class Looked(Exception):
    """A look at what is hidden."""


class Covered(list[Any]):
    """Places or variables of which some must not be looked at. Raises Looked for these, and where all are looked at."""

    def __init__(self, items: list[Any], hidden: Collection[int]) -> None:
        super().__init__(items)
        self._hidden = hidden

    def __getitem__(self, at: Any) -> Any:
        touched = range(len(self))[at]
        if any(one in self._hidden for one in (touched if isinstance(touched, range) else (touched,))):
            raise Looked
        return super().__getitem__(at)

    def __iter__(self) -> Iterator[Any]:
        raise Looked

    def __contains__(self, item: object) -> bool:
        raise Looked

    def index(self, item: Any, start: SupportsIndex = 0, stop: SupportsIndex = 0) -> int:
        """Raises Looked: it would look at all of them."""
        raise Looked

    def count(self, item: Any) -> int:
        """Raises Looked: it would look at all of them."""
        raise Looked


def needs_no_look(
    s: Position, places: Collection[int], slots: Collection[int], ask: Callable[[Position], object]
) -> bool:
    """Whether something can be asked of a position without a look at these places and variables."""
    own = s.copy()
    own.z, own.v = Covered(s.z, places), Covered(s.v, slots)
    try:
        ask(own)
    except (Looked, RuleError):
        return False
    return True
