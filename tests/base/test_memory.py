"""What is kept for later, and forgotten."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from functools import partial
from itertools import count
from threading import Thread
from weakref import ref

import pytest

from interpreter.base import memory
from interpreter.base.memory import Later, forget_oldest


@pytest.fixture
def often() -> Iterator[None]:
    """Threads take turns all the time."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_the_oldest_is_forgotten_first() -> None:
    kept = {"a": 1, "b": 2}
    forget_oldest(kept)
    assert kept == {"b": 2}
    forget_oldest(kept)
    forget_oldest(kept)
    assert kept == {}


def test_several_threads_may_forget_at_once(often: None) -> None:
    kept: dict[int, int] = {}
    failed: list[BaseException] = []

    def work(first: int) -> None:
        try:
            for number in range(20_000):
                kept[first + number] = number
                if len(kept) > 3:
                    forget_oldest(kept)
        except BaseException as error:
            failed.append(error)

    threads = [Thread(target=work, args=(at * 100_000,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed and len(kept) < 8_000, "and hardly anything is not forgotten"


def test_what_is_found_later_is_found_once() -> None:
    found: list[int] = []
    later = Later(lambda: found.append(1) or len(found))
    assert not found
    assert (later(), later()) == (1, 1)


def test_what_it_took_to_find_something_is_forgotten() -> None:
    class Much:
        pass

    much = Much()
    kept, later = ref(much), Later(partial(id, much))
    del much
    assert kept() is not None
    later()
    assert kept() is None


def test_the_first_times_nobody_looks_for_circles(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    made: list[set[int]] = []
    monkeypatch.setattr(memory, "_times", count())
    threshold = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    gc.unfreeze()  # else what is there is somebody else's affair
    gc.callbacks.append(look := lambda phase, info: looked.append(info["generation"]))
    try:
        for turn in range(2 * memory.MOST_PUT_OFF):
            with memory.no_collecting():
                made += [set() for _ in range(5_000)]
            made += [set() for _ in range(100)]
            assert bool(looked) == (turn >= memory.MOST_PUT_OFF), turn
    finally:
        gc.freeze()
        gc.set_threshold(*threshold)
        gc.callbacks.remove(look)
