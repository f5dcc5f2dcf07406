"""A server in a thread of its own, and one browser for all tests: the system's Chromium, which is never downloaded."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "host")]

from running import Running  # noqa: E402

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run",
]  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--matches", type=int, default=1, help="how many matches of each game are laid out")


@pytest.fixture
def matches(request: pytest.FixtureRequest) -> int:
    return int(request.config.getoption("--matches"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def running(tmp_path: Path, browser: Browser) -> Iterator[Running]:
    found = Running(tmp_path, browser)
    yield found
    found.stop()
