"""What axe-core finds: nothing serious on any page. It is fetched by npm when these tests are asked for."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page
from running import Running

SERIOUS = ("serious", "critical")
FOUND = """async () => {
  // what stands on a card is drawn, and is not how it is called: J is the jack
  const rules = { "label-content-name-mismatch": { enabled: false } };
  const { violations } = await axe.run(document, { resultTypes: ["violations"], rules });
  return violations.flatMap((one) => one.nodes.map((node) => [one.impact, `${one.id}: ${node.html.slice(0, 200)}`]));
}"""


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("axe")
    subprocess.run(["npm", "install", "--silent", "--prefix", str(folder), "axe-core"], check=True, timeout=120)
    return Path(folder, "node_modules", "axe-core", "axe.min.js").read_text("utf-8")


def serious(page: Page, axe: str) -> list[str]:
    page.evaluate(axe)
    return sorted({text for impact, text in page.evaluate(FOUND) if impact in SERIOUS})


def test_nothing_serious_before_a_match(running: Running, axe: str) -> None:
    page = running.person(host=True)
    page.goto(running.address)
    page.locator(".games .game").first.wait_for()
    assert serious(page, axe) == []
    page.locator(".games .game").filter(has_text="Hearts").first.click()
    page.locator(".opening").wait_for()
    for summary in page.locator("summary").all():
        summary.click()
    assert serious(page, axe) == []
    page.locator("#my-name").fill("Anna")
    page.get_by_role("button", name="Open the table").click()
    page.locator(".sitting").wait_for()
    assert serious(page, axe) == []


@pytest.mark.parametrize(("game", "honor"), [("hearts", False), ("spit", False), ("georgia-spoons", True)])
def test_nothing_serious_while_a_match_is_played(running: Running, axe: str, game: str, honor: bool) -> None:
    (page,) = running.table(game, honor=honor)
    assert serious(page, axe) == []
    for key in "lscrm":
        page.keyboard.press(key)
        page.wait_for_timeout(200)
        assert serious(page, axe) == [], f"with what {key} opens"
