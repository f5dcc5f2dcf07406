"""Lists whose older entries are compressed read like any other list."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.base.packed import FAR, NEAR, Packed, packed

Entry = tuple[int, str] | str


def both(number: int) -> tuple[Packed[Any], list[Any]]:
    plain = [(at, f"word {at % 7}") for at in range(number)]
    found: Packed[Any] = Packed(Entry)
    for entry in plain:
        found.append(entry)
        found.pack()
    return found, plain


bounds = st.none() | st.integers(-5 * FAR, 5 * FAR)


@given(st.integers(0, 4 * FAR), bounds, bounds, st.sampled_from([None, 1, 2, -1]))
def test_it_is_read_like_a_list(number: int, start: int | None, stop: int | None, step: int | None) -> None:
    found, plain = both(number)
    assert len(found) == len(plain) and bool(found) == bool(plain)
    assert found == plain and plain == found and found != [*plain, 0]
    assert (found != plain) is False
    assert list(found) == plain and [*found] == plain and tuple(found) == tuple(plain)
    assert list(reversed(found)) == plain[::-1]
    assert found[start:stop:step] == plain[start:stop:step]
    assert found[:] == plain and type(found[:]) is Packed
    for at in (start or 0, -1):
        if -number <= at < number:
            assert found[at] == plain[at] and plain[at] in found and found.index(plain[at]) == plain.index(plain[at])
        else:
            with pytest.raises(IndexError):
                found[at]
    assert pickle.loads(pickle.dumps(found)) == plain and copy.deepcopy(found) == plain
    assert found + plain == plain + plain and repr(found) == repr(plain) and found.count(0) == 0


@given(st.integers(1, 4 * FAR), st.integers(0, NEAR - 1), st.data())
def test_its_end_is_changed_like_that_of_a_list(number: int, back: int, data: st.DataObject) -> None:
    found, plain = both(number)
    kept = found[:]
    at = max(0, number - 1 - back)
    for one in (found, plain):
        one[at] = "changed"
        one.insert(at + 1, "between")
        one += ["more", "of it"]
    assert found == plain and kept != found and len(kept) == number
    stay = data.draw(st.integers(0, len(plain)))
    for one in (found, plain):
        del one[stay:]
    assert found == plain
    assert packed(Entry, found) is found and packed(Entry, plain) == plain


def test_what_lies_far_back_is_not_changed() -> None:
    found, _ = both(3 * FAR)
    with pytest.raises(IndexError):
        found[0] = "changed"


def test_no_more_is_unpacked_than_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    found, plain = both(40 * FAR)
    unpacked: list[bytes] = []
    unpack = Packed._unpacked
    monkeypatch.setattr(Packed, "_unpacked", lambda one, far: unpacked.append(far) or unpack(one, far))
    for part, blocks in (
        (slice(3, 5), 1),
        (slice(FAR - 1, FAR + 1), 2),
        (slice(30 * FAR, None), 9),
        (slice(2 * FAR + 3, FAR - 1, -2), 2),
        (slice(None, -2, -1), 0),
        (slice(9, 9), 0),
    ):
        unpacked.clear()
        assert found[part] == plain[part] and len(unpacked) == blocks, part
    unpacked.clear()
    del found[7 * FAR + 3 :], plain[7 * FAR + 3 :]
    assert len(unpacked) == 2 and found == plain and found[:] == plain and list.__len__(found) >= NEAR


def test_it_takes_less_room() -> None:
    found, plain = both(40 * FAR)
    assert len(pickle.dumps(found._far)) < len(pickle.dumps(plain)) / 3
    assert list.__len__(found) < NEAR + FAR
