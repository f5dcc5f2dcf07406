"""The same move gets the same answer again, as long as it may be asked for."""

from __future__ import annotations

from interpreter.interfaces.host import protocol as p
from interpreter.interfaces.host.table_state import MOST_ANSWERS, Place


def test_the_last_answers_are_known_by_their_ids_and_the_oldest_is_forgotten_first() -> None:
    place, refused = Place(), p.Refused("no-1", "Not now.")
    place.answers("no-1", refused)
    place.answers("yes-1", None)
    assert place.answer("no-1") is refused and place.answer("yes-1") == p.Done("yes-1")
    assert place.answer("yes") is None and place.answer("") is None, "a part of an id is none"
    for number in range(MOST_ANSWERS - 2):
        place.answers(f"m{number}", None)
    assert place.answer("no-1") is refused
    place.answers("one-more", None)
    assert place.answer("no-1") is None and not place.refused
    assert place.answer("yes-1") == p.Done("yes-1")


def test_a_move_that_was_refused_may_be_made_after_all() -> None:
    place = Place()
    place.answers("m", p.Refused("m", "Not now."))
    place.answers("m", None)
    assert place.answer("m") == p.Done("m")
    assert place.answered == " m "
