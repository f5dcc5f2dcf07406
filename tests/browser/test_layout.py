"""Every shipped game, with the fewest and the most players, on five screens: all that can be tapped can be reached, and
every index is seen, by measurement. `--matches 4` looks at more matches of each than CI does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from positions import Shown, hardest, played, show, silent_page
from running import Running
from walks import SHIPPED

import interpreter

SIZES = [(360, 640), (390, 844), (844, 390), (820, 1180), (1440, 900)]
MEASURE = (Path(__file__).parent / "measure.js").read_text()
GAMES = [
    (name, count)
    for name in SHIPPED
    for count in dict.fromkeys((interpreter.load(name).players.min, interpreter.load(name).players.max))
]

LAID = {"phases": [["set 2..", "set 2.."]] * 20}
"""Almost everybody can lay at once, and add to what lies there."""
CASES: list[tuple[str, int, dict[str, Any]]] = [
    *((name, count, {}) for name, count in GAMES),
    ("spit", 8, {"variants": ["many_players"]}),
    ("phase-10", 6, {"options": LAID}),
    ("phase-10", 5, {"options": LAID}),
]

HANDS = [
    (1, 4, "1, only: [A], remove: []", 0),
    (20, 5, "2, remove: [2D, 2C, 2S, 2H]", 3),
    (30, 3, "2, remove: [2D, 3D, 4D, 5D, 2S, 3S, 4S, 5S, 2H, 3H, 4H, 3C, 4C, 5C]", 3),
    (30, 5, "3, remove: [2D, 3D, 2S, 2H, 3H, 3C]", 0),
]
"""How many cards in a hand, how many players, of which pack, and how many of them are passed first."""


@pytest.fixture(scope="module")
def silent(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Page, list[str]]]:
    """A page that is sent what a test sends it, and what goes wrong there."""
    running = Running(tmp_path_factory.mktemp("silent"), browser)
    yield silent_page(running), running.errors
    running.stop()


@pytest.mark.parametrize(
    ("name", "players", "more"), CASES, ids=["-".join([name, str(count), *more]) for name, count, more in CASES]
)
def test_a_table_has_room_on_every_screen(
    silent: tuple[Page, list[str]], matches: int, name: str, players: int, more: dict[str, Any]
) -> None:
    page, errors = silent
    game, found = interpreter.load(name).game(players, **more), []
    for seed in range(1, matches + 1):
        hard = list(hardest(game, seed))
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(60)
            for why, shown in hard:
                show(page, shown)
                where = f"{width}x{height}, seed {seed}, {shown.at} moves, P{shown.seat + 1} ({why})"
                found += [f"{where}: {wrong}" for wrong in page.evaluate(MEASURE)]
    assert found == []
    assert errors == []


def test_a_row_of_cards_is_tapped_as_a_whole_where_something_is_laid_onto_it(silent: tuple[Page, list[str]]) -> None:
    page, errors = silent
    game = interpreter.load("phase-10").game(4, options=LAID)
    shown, moves = next((shown, moves) for shown in played(game, 1) if (moves := _moves(shown, "hit")))
    card, place = moves[0].split(" ")
    show(page, shown)
    page.locator(f"#mine .fan [data-face='{card}']").first.click()
    page.locator(f"button.can[data-place='{place}']").click()
    assert page.evaluate("() => window.told.map((one) => one.move)") == [f"hit {moves[0]}"]
    assert errors == []


@pytest.mark.parametrize(("direction", "at"), [("left", "0"), ("right", "2")])
def test_who_is_next_is_marked_where_play_may_go_either_way(
    silent: tuple[Page, list[str]], direction: str, at: str
) -> None:
    page, errors = silent
    game = interpreter.load("uno").game(4)
    show(page, next(shown for shown in played(game, 1) if shown.ask and shown.scene["direction"] == direction))
    assert page.locator(".next").count() == 1
    assert page.locator(f".seat[data-at='{at}'] .next").count() == 1
    assert errors == []


def _moves(shown: Shown, action: str) -> list[str]:
    acts = (shown.ask or {"acts": []})["acts"]
    return [move for act in acts if act["name"] == action for move in act.get("moves", [])]


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
