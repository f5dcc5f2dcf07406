"""The pages that look at a table: which reader each is, and what has been sent to whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeGuard

from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host.gatekeeper import Rates

MOST_PAGES = 10
"""Of one seat at once: whatever is told its player is told each of them."""
PUT_OUT, IN_SECONDS = 20, 60.0
"""Pages of a seat that make room for others and come back by themselves, at once and in so many seconds. Those of a
player whose connection breaks off again and again are dead and do not; where there are more behind which somebody sits
than there may be, they would take each other's place for ever."""
GUEST = -1
"""Who has the table's link and no seat yet: sees who sits there, and nothing of the match."""
MANY = "This seat is open in too many windows, and the oldest makes room: {how}."


def is_seat(reader: int | None) -> TypeGuard[int]:
    """Whether it is somebody who plays."""
    return reader is not None and reader >= 0


class Page(Protocol):
    """An open socket. seat: whose it is; None for one that watches; GUEST.

    opened_by: what was kept of the secret that opened the seat, when it did.
    """

    seat: int | None
    opened_by: str

    @property
    def unread(self) -> int:
        """About how many letters it has not read, or not yet."""

    def send(self, text: str) -> None:
        """Send a message, or close the socket if it takes none: never waits."""

    def measure(self, told: Callable[[float], object]) -> bool:
        """Tell how many seconds the way there and back takes; False if the page's socket cannot say so by itself."""

    def close(self, text: str) -> None:
        """Send a last message and end."""


class Crowd:
    """By reader the pages that are open, and the number of its last news. A reader is a seat, None or GUEST."""

    def __init__(self) -> None:
        self.pages: dict[int | None, list[Page]] = {}
        self._numbers: dict[int | None, int] = {}
        self._times: Counter[int | None] = Counter()
        self._put_out = Rates(PUT_OUT, IN_SECONDS)

    def __iter__(self) -> Iterator[Page]:
        return iter([page for pages in self.pages.values() for page in pages])

    def __len__(self) -> int:
        return sum(map(len, self.pages.values()))

    @property
    def watching(self) -> int:
        """How many pages there are of people without a seat."""
        return sum(len(self.pages.get(reader, ())) for reader in (None, GUEST))

    def joins(self, page: Page) -> None:
        self.pages.setdefault(page.seat, []).append(page)

    def makes_room(self, seat: int) -> None:
        """Leave the oldest pages of a seat that has too many: the one that has come last may be that of a player whose
        older ones are dead."""
        pages = self.pages.get(seat, [])
        while len(pages) > MOST_PAGES:
            comes_back = self._put_out.allows(str(seat))
            told = MANY.format(how="it comes back" if comes_back else "load it anew to go on here")
            pages.pop(0).close(p.encode(p.Failure(told, "busy" if comes_back else "full", final=not comes_back)))

    def leaves(self, page: Page) -> bool:
        """Take a page out; whether it was the last one of its reader."""
        pages = self.pages.get(page.seat, [])
        if page not in pages:  # it was never welcome, or has made room
            return False
        pages.remove(page)
        if not pages:
            self.pages.pop(page.seat, None)
            self._numbers.pop(page.seat, None)
            self._times[page.seat] += 1
        return not pages

    def is_here(self, seat: int) -> bool:
        return seat in self.pages

    def number(self, reader: int | None) -> int:
        """Of the last news."""
        return self._numbers.get(reader, 0)

    def count(self, reader: int | None) -> int:
        """The number of the next news."""
        self._numbers[reader] = self.number(reader) + 1
        self._times[reader] += 1
        return self._numbers[reader]

    def times(self, reader: int | None) -> int:
        """How often a reader may have come to know more of the match: while it stays so nothing is new to them."""
        return self._times[reader]

    def letters(self, reader: int | None, message: Any) -> list[tuple[Page, str]]:
        """A message to all pages of a reader."""
        pages = self.pages.get(reader)
        if not pages:
            return []
        text = p.encode(message)
        return [(page, text) for page in pages]

    def letters_to_all(self, message: Any) -> list[tuple[Page, str]]:
        text = p.encode(message)
        return [(page, text) for page in self]

    def letters_within(self, message: Any) -> list[tuple[Page, str]]:
        """A message to all who play or watch: none to a GUEST."""
        return [letter for letter in self.letters_to_all(message) if letter[0].seat != GUEST]


def post(letters: Iterable[tuple[Page, str]]) -> None:
    """Send them."""
    for page, text in letters:
        page.send(text)
