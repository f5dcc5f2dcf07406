"""A server to which pages are opened, and people who sit at its tables."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from house import HOST, House
from playwright.sync_api import Browser, BrowserContext, Locator, Page, TimeoutError, expect

PHONE = {"width": 390, "height": 844}
PATIENCE = 20_000
"""Milliseconds after which a test gives up."""
expect.set_options(timeout=PATIENCE)


class Running:
    """A house in a thread of its own. Everybody has a browser profile of their own; what goes wrong in a page is kept
    in `errors`."""

    def __init__(self, folder: Path, browser: Browser, **settings: Any) -> None:
        self._browser, self._contexts = browser, list[BrowserContext]()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.house = House(folder, **settings)
        self.errors: list[str] = []
        self.do(self.house.start())

    def do(self, work: Coroutine[Any, Any, Any], seconds: float = 30) -> Any:
        """What comes of something that the server's thread does."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(seconds)

    def stop(self) -> None:
        for context in self._contexts:
            context.close()
        self.do(self.house.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)

    @property
    def address(self) -> str:
        return self.house.address

    def person(self, host: bool = False, size: dict[str, int] | None = None, touch: bool = True) -> Page:
        """A page of somebody, who may open tables."""
        context = self._browser.new_context(viewport=size or PHONE, has_touch=touch, reduced_motion="reduce")  # type: ignore[arg-type]
        self._contexts.append(context)
        if host:
            context.add_cookies([{"name": "houserules_host", "value": HOST, "url": self.address}])
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        return page

    def table(self, game: str, people: int = 1, size: dict[str, int] | None = None, **spec: Any) -> list[Page]:
        """So many people at a table at which the match has begun, bots at the other seats."""
        links = self.do(self.house.open(game, "Anna", **spec))
        all_links = [links]
        for name in ("Ben", "Cleo", "Dora")[: people - 1]:
            all_links.append(self.do(self.house.sit(links, name)))
        pages = [self.person(size=size) for _ in range(people)]
        for page, one in zip(pages, all_links, strict=True):
            page.goto(f"{self.address}/t/{links['table']}#seat={one['secret']}")
            page.locator(".sitting").wait_for()
        pages[0].get_by_role("button", name="Begin", exact=True).click()
        for page in pages:
            page.locator("#mine .own").wait_for()
        return pages


def tap_through(page: Page) -> bool:
    """Do the next thing that the page offers: take marked cards, answer what is asked about them, then press the
    button. False if nothing is asked."""
    ask = "#ask:has(.prompt.due)"  # looked for again with each tap: when the match is over other buttons stand there
    if page.locator(ask).count() == 0:
        return False
    ready = page.locator(f"{ask} .go:visible")
    card = page.locator("#mine button.can:not(.picked)")
    if page.locator("#mine .card.picked").count():
        answer = page.locator(f"{ask} .go:visible, {ask} .chip:visible")
        if answer.count():  # another card would only be taken in place of this one
            return click(answer)
    if card.count():
        return click(card, position={"x": 9, "y": 12})
    if ready.count():
        return click(ready)
    return click(page.locator(f"{ask} .chip"))


def click(which: Locator, **how: Any) -> bool:
    """Click the first, if it is still there: the table goes on meanwhile."""
    try:
        which.first.click(timeout=500, **how)
    except TimeoutError:
        return False
    return True
