"""How soon something is seen, by the browser's own clock, in a profile that knows nothing of the page yet."""

from __future__ import annotations

from playwright.sync_api import Page
from running import Running

SOON, TRIES = 1000, 3
"""Milliseconds until the first text or picture; the best of so many pages counts, so that what else a machine does at
the moment decides nothing."""
PAINTED = """() => new Promise((done) => new PerformanceObserver((list) => {
  for (const entry of list.getEntriesByName("first-contentful-paint")) done(entry.startTime);
}).observe({ type: "paint", buffered: true }))"""


def painted(page: Page, address: str, shows: str) -> float:
    """After how many milliseconds a page was painted first that shows something in the end."""
    page.goto(address)
    page.locator(shows).first.wait_for()
    return float(page.evaluate(PAINTED))


def test_the_lobby_is_seen_within_a_second(running: Running) -> None:
    best = min(painted(running.person(host=True), running.address, ".games .game") for _ in range(TRIES))
    assert 0 < best < SOON
    assert running.errors == []


def test_a_table_is_seen_within_a_second(running: Running) -> None:
    links = running.do(running.house.open("hearts", "Anna"))
    table = f"{running.address}/t/{links['table']}"
    others = [running.do(running.house.sit(links, name)) for name in ("Ben", "Cleo", "Dora")[:TRIES]]
    host = running.person()
    host.goto(f"{table}#seat={links['secret']}")
    host.get_by_role("button", name="Begin", exact=True).click()
    host.locator("#mine .own").wait_for()
    best = min(painted(running.person(), f"{table}#seat={one['secret']}", "#mine .own") for one in others)
    assert 0 < best < SOON
    assert running.errors == []
