"""A table with open addressing in one piece of memory of words of 64 bits, which machine code and Python both search.

The first word is for how many entries there is room, a power of two; behind a head of so many words come the entries,
each with its key first, where 0 is none. It is never full.
"""

from __future__ import annotations

import ctypes
from typing import ClassVar


class OpenTable:
    """The memory. words, means: the same words as whole numbers, and as doubles. head, entry: so many words each."""

    __slots__ = ("means", "words")
    head: ClassVar[int]
    entry: ClassVar[int]

    def lay_out(self, capacity: int) -> None:
        """Take another, empty piece of memory."""
        memory = (ctypes.c_int64 * (self.head + self.entry * capacity))()
        self.words = memoryview(memory).cast("B").cast("q")
        self.means = memoryview(memory).cast("B").cast("d")
        self.words[0] = capacity

    @property
    def address(self) -> int:
        """Where it lies."""
        return ctypes.addressof(self.words.obj)  # type: ignore[arg-type]

    def place_of(self, key: int) -> int:
        """Where the entry of a key begins; where it would, if there is none."""
        words, last = self.words, self.words[0] - 1
        wanted, at = signed(key), key & last
        while (found := words[self.head + self.entry * at]) != wanted and found:
            at = at + 1 & last
        return self.head + self.entry * at


def signed(key: int) -> int:
    """A word of 64 bits as memory holds it."""
    return key - (1 << 64) if key >> 63 else key


def lookup_text(name: str, table: type[OpenTable]) -> str:
    """LLVM of a function that does what `place_of` does; it returns a pointer."""
    return f"""
define internal ptr @{name}(ptr %table, i64 %key) {{
entry:
  %capacity = load i64, ptr %table
  %last = sub i64 %capacity, 1
  %first = and i64 %key, %last
  br label %head
head:
  %at = phi i64 [ %first, %entry ], [ %next, %on ]
  %far = mul i64 %at, {table.entry}
  %place = add i64 %far, {table.head}
  %where = getelementptr i64, ptr %table, i64 %place
  %found = load i64, ptr %where
  %same = icmp eq i64 %found, %key
  %free = icmp eq i64 %found, 0
  %done = or i1 %same, %free
  br i1 %done, label %after, label %on
on:
  %more = add i64 %at, 1
  %next = and i64 %more, %last
  br label %head
after:
  ret ptr %where
}}
"""
