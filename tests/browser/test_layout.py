"""Every shipped game, with the fewest and the most players, on five screens: all that can be tapped can be reached, and
every index is seen, by measurement."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import Running, tap_through
from walks import SHIPPED

import interpreter

SIZES = [(360, 640), (390, 844), (844, 390), (820, 1180), (1440, 900)]
MEASURE = (Path(__file__).parent / "measure.js").read_text()
GAMES = [
    (name, count)
    for name in SHIPPED
    for count in dict.fromkeys((interpreter.load(name).players.min, interpreter.load(name).players.max))
]


CASES = [*((name, count, []) for name, count in GAMES), ("spit", 8, ["many_players"])]


@pytest.mark.parametrize(
    ("name", "players", "variants"), CASES, ids=["-".join([name, str(count), *more]) for name, count, more in CASES]
)
def test_a_table_has_room_on_every_screen(running: Running, name: str, players: int, variants: list[str]) -> None:
    (page,) = running.table(name, players=players, variants=variants)
    for _ in range(3):  # into the match, as far as it goes at once
        tap_through(page)
        page.wait_for_timeout(150)
    if page.locator("#ask .where").count():
        running.house.service.pace = 3.0  # a race in full flow leaves no time to measure
    go_on = page.get_by_role("button", name="Go on", exact=True)
    wrong = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(120)
        if go_on.count():  # a race pauses when a page was too busy to answer
            go_on.click()
            page.locator("#room").wait_for(state="hidden")
        wrong += [f"{width}x{height}: {found}" for found in page.evaluate(MEASURE)]
    assert wrong == []
    assert running.errors == []
