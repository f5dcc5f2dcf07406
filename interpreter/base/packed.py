"""Lists that grow for long and are read at their end: what lies further back is kept small."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Any, SupportsIndex, TypeVar

import msgspec

T = TypeVar("T")
_near = list.__len__
"""How many entries of such a list lie open. It is asked after each move, and so not by `super`."""
FAR, NEAR = 32, 24
"""How many entries are packed together, and how many at the end lie open at least; after `pack` fewer than both."""


class Packed(list[T]):
    """A list of which all but the last entries are compressed. It is read like any other; only its end is changed.

    Its entries are of one type, written and read as JSON. Whatever reads lists without asking them (`json.dumps`,
    encoders) must be given a plain one: `list(packed)`.
    """

    __slots__ = ("_far", "_type")

    def __init__(self, entries_are: Any, entries: Iterable[T] = ()) -> None:
        super().__init__(entries)
        self._type = entries_are
        self._far: list[bytes] = []
        self.pack()

    def pack(self) -> None:
        """Compress what does not lie at the end any more."""
        while _near(self) >= NEAR + FAR:
            self._far.append(_compressed(msgspec.json.encode(super().__getitem__(slice(FAR)))))
            super().__delitem__(slice(FAR))

    @property
    def _many(self) -> int:
        """How many are compressed."""
        return len(self._far) * FAR

    def __len__(self) -> int:
        return len(self._far) * FAR + _near(self)

    def __iter__(self) -> Iterator[T]:
        return chain(chain.from_iterable(map(self._unpacked, tuple(self._far))), super().__iter__())

    def __reversed__(self) -> Iterator[T]:
        further_back = (entry for far in self._far[::-1] for entry in reversed(self._unpacked(far)))
        return chain(super().__reversed__(), further_back)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            many = len(self._far) * FAR
            number = many + _near(self)
            start, stop, step = at.indices(number)
            if start == 0 and stop == number and step == 1:
                return self.copy()
            if start >= many and step > 0:
                return super().__getitem__(slice(start - many, max(start, stop) - many, step))
            return self._between(range(start, stop, step))
        place = self._place(at)
        return super().__getitem__(place) if place >= 0 else self._unpacked(self._far[place // FAR])[place % FAR]

    def __setitem__(self, at: Any, entry: Any) -> None:
        """Change an entry at the end. Raises IndexError if it does not lie there any more."""
        if isinstance(at, slice) or (place := self._place(at)) < 0:
            raise IndexError("only entries at the end can be changed")
        super().__setitem__(place, entry)

    def _between(self, wanted: range) -> list[T]:
        """Entries in their order, of which only those are unpacked that were packed together with one of them."""
        if not wanted:
            return []
        low, high = min(wanted[0], wanted[-1]), max(wanted[0], wanted[-1])
        first = min(low // FAR, len(self._far))
        found = [entry for far in self._far[first : high // FAR + 1] for entry in self._unpacked(far)]
        if high >= self._many:
            found += super().__getitem__(slice(high - self._many + 1))
        return found[low - first * FAR : high - first * FAR + 1][:: wanted.step]

    def __delitem__(self, at: Any) -> None:
        if isinstance(at, slice) and at.step is None and at.stop is None:  # the end goes
            stay, _, _ = at.indices(len(self))
            first = min(max(0, stay - NEAR) // FAR, len(self._far))
            near = self._between(range(first * FAR, stay))
            del self._far[first:]
            super().__init__(near)
            return
        kept = list(self)
        del kept[at]
        self._far = []
        super().__init__(kept)
        self.pack()

    def insert(self, at: SupportsIndex, entry: T) -> None:
        """Put an entry between those at the end."""
        super().insert(at.__index__() - self._many, entry)

    def copy(self) -> Packed[T]:
        """An equal list that shares what is compressed."""
        found: Packed[T] = Packed(self._type)
        found.extend(super().__iter__())
        found._far = self._far[:]
        return found

    def __contains__(self, entry: object) -> bool:
        return any(entry == one for one in self)

    def index(self, entry: T, *bounds: Any) -> int:
        return list(self).index(entry, *bounds)

    def count(self, entry: T) -> int:
        return list(self).count(entry)

    def __eq__(self, other: object) -> bool:
        return list(self) == (list(other) if isinstance(other, Packed) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __add__(self, other: Any) -> Any:
        return list(self) + other

    def __reduce_ex__(self, _: Any) -> Any:
        """Elsewhere it is a list like any other."""
        return list, (list(self),)

    def __repr__(self) -> str:
        return repr(list(self))

    def _place(self, at: SupportsIndex) -> int:
        """Where an entry lies among those at the end; below 0 among the compressed ones, from their end. Raises
        IndexError."""
        number = at.__index__()
        found = number + len(self) if number < 0 else number
        if not 0 <= found < len(self):
            raise IndexError("list index out of range")
        return found - self._many

    def _unpacked(self, far: bytes) -> list[T]:
        found: list[T] = _reader(self._type).decode(zlib.decompress(far))
        return found


def packed(entries_are: Any, entries: list[T]) -> Packed[T]:
    """A list with these entries, which are of a type, all but the last ones of it compressed."""
    if not isinstance(entries, Packed):
        return Packed(entries_are, entries)
    entries.pack()
    return entries


@lru_cache(maxsize=8)
def _compressed(text: bytes) -> bytes:
    """Bytes made smaller: the same object for lists with equal entries, as a match and whoever stores it have them."""
    return zlib.compress(text)


@lru_cache(maxsize=16)
def _reader(entries_are: Any) -> msgspec.json.Decoder[list[Any]]:
    return msgspec.json.Decoder(list[entries_are])
