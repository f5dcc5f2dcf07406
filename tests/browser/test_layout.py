"""Every shipped game, with the fewest and the most players, on five screens: all that can be tapped can be reached, and
every index is seen, by measurement."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page
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

HANDS = [
    (1, 4, "1, only: [A], remove: []", 0),
    (20, 5, "2, remove: [2D, 2C, 2S, 2H]", 3),
    (30, 3, "2, remove: [2D, 3D, 4D, 5D, 2S, 3S, 4S, 5S, 2H, 3H, 4H, 3C, 4C, 5C]", 3),
    (30, 5, "3, remove: [2D, 3D, 2S, 2H, 3H, 3C]", 0),
]
"""How many cards in a hand, how many players, of which pack, and how many of them are passed first."""


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
    assert _found(page) == []
    assert running.errors == []


@pytest.mark.parametrize(
    ("cards", "players", "pack", "passed"), HANDS, ids=[f"{cards}-of-{players}" for cards, players, *_ in HANDS]
)
def test_a_hand_of_any_size_has_room_on_every_screen(
    running: Running, cards: int, players: int, pack: str, passed: int
) -> None:
    overlay = f"format: 1\nid: hand\nname: A hand\nextends: hearts\npack: {{standard: {pack}}}\n"
    (page,) = running.table("hearts", players=players, overlays=[overlay], options={"pass_count": passed})
    page.locator("#ask .prompt.due").wait_for()
    for chosen in range(passed):
        if chosen == passed - 1:  # the last one passes them all
            assert _found(page) == []
        page.locator("#mine .fan button.can:not(.picked)").first.click(position={"x": 9, "y": 12})
        page.locator("#mine .fan .picked").nth(chosen).wait_for(state="visible" if chosen < passed - 1 else "detached")
    page.locator("#ask .prompt.due").get_by_text("Play a card").wait_for()
    assert _found(page) == []
    assert page.locator("#mine .fan button.card").count() == cards
    assert running.errors == []


def _found(page: Page) -> list[str]:
    """What is wrong on each of the screens."""
    go_on = page.get_by_role("button", name="Go on", exact=True)
    wrong = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(120)
        if go_on.count():  # a race pauses when a page was too busy to answer
            go_on.click()
            page.locator("#room").wait_for(state="hidden")
        wrong += [f"{width}x{height}: {found}" for found in page.evaluate(MEASURE)]
    return wrong
