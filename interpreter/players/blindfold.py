"""Whether something can be worked out without a look at what is hidden: then it is the same in all worlds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple, SupportsIndex

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


class _Uncounted(Covered):
    """Cards of which some are seen from above, and nobody knows how many lie beneath."""

    def __len__(self) -> int:
        raise Looked

    def __bool__(self) -> bool:
        if super().__len__() == len(self._hidden):
            raise Looked
        return True

    def __getitem__(self, at: Any) -> Any:
        if not isinstance(at, int) or at >= 0 or super().__len__() + at in {*self._hidden, -1}:
            raise Looked
        return list.__getitem__(self, at)


class _Sealed(tuple[Any, ...]):
    """What must not be looked at. Raises Looked."""

    __slots__ = ()

    def __getitem__(self, at: Any) -> Any:
        raise Looked

    def __iter__(self) -> Iterator[Any]:
        raise Looked


class _Everything:
    """Whatever is asked for is in it."""

    def __contains__(self, item: object) -> bool:
        return True


_ALL: Any = _Everything()


class _Unlaid(dict[int, Any]):
    """Melds by place, of which some must not be looked at. Raises Looked for these."""

    def __init__(self, laid: Mapping[int, Any], hidden: Collection[int]) -> None:
        super().__init__(laid)
        self._hidden = hidden

    def get(self, place: int, default: Any = None) -> Any:
        """Raises Looked for what is hidden."""
        return super().get(place, default) if place in self else default

    def __contains__(self, place: object) -> bool:
        if place in self._hidden:
            raise Looked
        return super().__contains__(place)


class OutOfSight(NamedTuple):
    """What somebody must not look at. places, slots: of cards and variables, by number. partly: places of which some
    cards are known, or how many there are, with the positions of all others. uncounted: those of them of which nobody
    knows how many lie there. tokens: kinds of pieces. faults: whether there may be any that nobody has claimed. course:
    with what stages were called, and how often they have run."""

    places: Collection[int]
    slots: Collection[int]
    partly: Mapping[int, Collection[int]] = {}
    uncounted: Collection[int] = ()
    tokens: Collection[str] = ()
    faults: bool = False
    course: bool = False


def needs_no_look(s: Position, hidden: OutOfSight, ask: Callable[[Position], object]) -> bool:
    """Whether something can be asked of a position without a look at what is hidden."""
    own = s.copy()
    own.z, own.v, own.laid = Covered(s.z, hidden.places), Covered(s.v, hidden.slots), _Unlaid(s.laid, hidden.places)
    for place, positions in hidden.partly.items():
        covered = _Uncounted if place in hidden.uncounted else Covered
        list.__setitem__(own.z, place, covered(s.z[place], positions))
    own.tokens = {name: Covered(held, _ALL) if name in hidden.tokens else held for name, held in s.tokens.items()}
    if hidden.faults:
        own.faults, own.lapsed = Covered(own.faults, _ALL), Covered(own.lapsed, _ALL)
    if hidden.course:
        own.runs = Covered(own.runs, _ALL)
        for frame in own.stack:
            frame.args = None if frame.args is None else _Sealed(frame.args)
    try:
        ask(own)
    except (Looked, RuleError):
        return False
    return True
