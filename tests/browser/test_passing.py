"""People who share one device see nothing of each other."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from running import Running, click, tap_through

SECRET_NUMBERS = """
format: 1
id: secret-numbers
name: Secret numbers
about: Each thinks of a number in secret.
players: {min: 2, max: 2, default: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
state:
  score: {each: player, type: integer, lasts: match}
  mine: {each: player, type: integer, lasts: deal, seen by: owner}
flow:
  match: {first dealer: random, repeat: deal, until: any p in players has score of p >= 500, winners: highest score}
  deal: {setup: shuffle stock, do: [think, tally], next dealer: left}
  think:
    kind: simultaneous
    prompt: think of a number
    actions: {think: {choose: {n: {number: 0..40, seen by: actor}}, effect: set mine of actor to n}}
  tally: {effect: for p in players do add mine of p to score of p end}
"""


def two_at(page: Page, running: Running, game: str = "crazy-eights", **spec: Any) -> dict[str, Any]:
    """Anna and Ben sit down at one device, and begin; the links of the table."""
    links: dict[str, Any] = running.do(running.house.open(game, "Anna", **spec))
    page.goto(f"{running.address}/t/{links['table']}#seat={links['secret']}")
    page.locator(".sitting").wait_for()
    kept = json.dumps({"join": links["join"], "seat": 0})
    page.evaluate("([table, kept]) => localStorage.setItem(`houserules.links.${table}`, kept)", [links["table"], kept])
    page.reload()
    page.locator("#their-name").fill("Ben")
    page.get_by_role("button", name="Sit down here").click()
    expect(page.locator(".sitting")).to_contain_text("Ben")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.locator("#mine .own").wait_for()
    return links


def until_passed_on(page: Page) -> str:
    """Whoever has the device plays until the other one is to have it; who that is."""
    passes = page.get_by_role("button", name="Pass the device")
    until = time.monotonic() + 60
    while passes.count() == 0:
        assert time.monotonic() < until, "the device is not passed on"
        tap_through(page)
        page.wait_for_timeout(60)
    return passes.inner_text().rsplit(" ", 1)[-1]


def test_two_people_pass_one_device_and_see_nothing_of_each_other(running: Running) -> None:
    page = running.person(host=True)
    links = two_at(page, running)
    had = {name: "" for name in ("Anna", "Ben")}
    now, passed = "Anna", 0
    until = time.monotonic() + 60
    while passed < 4:
        assert time.monotonic() < until, "the device is not passed on"
        had[now] = page.locator("#mine").inner_text()
        if page.get_by_role("button", name="Pass the device").count() == 0:
            tap_through(page)
            page.wait_for_timeout(60)
            continue
        other = "Ben" if now == "Anna" else "Anna"
        click(page.get_by_role("button", name=f"Pass the device to {other}"))
        expect(page.locator(".cover h1")).to_have_text(f"Give the device to {other}")
        assert not page.locator("#mine").is_visible() and not page.locator("#table").is_visible()
        assert page.locator("#live").text_content() == "" and not page.locator("#toast").is_visible()
        page.wait_for_timeout(200)
        assert page.locator("#live").text_content() == "", "what was to be said to the one is said to the other"
        page.keyboard.press("l")
        assert not page.locator("#panel").is_visible()
        page.get_by_role("button", name=f"I am {other}").click()
        expect(page.locator("#ask .prompt.due")).to_be_visible()
        assert page.locator("#mine").inner_text() != had[now]
        now, passed = other, passed + 1
    away = running.house.service.at_hand(links["table"]).away.seats
    assert away == [], "whoever has no device just now is there"
    page.reload()
    expect(page.locator(".cover h1")).to_have_text("Who has the device?")
    assert not page.locator("#mine").is_visible()
    page.get_by_role("button", name="I am Anna").click()
    expect(page.locator("#mine .own")).to_be_visible()
    assert running.errors == []


def test_that_the_connection_is_lost_is_told_to_whoever_is_given_the_device(running: Running) -> None:
    page = running.person(host=True)
    sockets = list[WebSocketRoute]()
    is_gone = False

    def through(socket: WebSocketRoute) -> None:
        if is_gone:
            socket.close()
            return
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket(re.compile("/socket$"), through)
    two_at(page, running)
    while page.get_by_role("button", name="Pass the device").count() == 0:
        tap_through(page)
        page.wait_for_timeout(60)
    is_gone = True
    for socket in sockets:
        socket.close()
    expect(page.locator("#toast")).to_contain_text("connection is lost")
    page.get_by_role("button", name="Pass the device").click()
    expect(page.locator(".cover h1")).to_be_visible()
    box = page.locator("#toast").bounding_box()
    assert box is not None, "it is hidden by the cover"
    centre = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.locator("#toast").evaluate("one => one.style.pointerEvents = 'auto'")
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).id", centre) == "toast", "it lies under the cover"
    expect(page.locator("#live")).to_contain_text("connection is lost")
    is_gone = False
    expect(page.locator("#toast")).to_be_hidden()


def test_a_number_that_one_has_chosen_in_secret_is_not_shown_to_the_next(running: Running) -> None:
    page = running.person(host=True)
    two_at(page, running, "", overlays=[SECRET_NUMBERS])
    field = page.locator("#ask input[type=number]")
    expect(field).to_have_value("20")
    field.fill("33")
    field.dispatch_event("change")
    click(page.locator("#ask button", has_text="OK"))
    until_passed_on(page)
    click(page.get_by_role("button", name="Pass the device"))
    page.get_by_role("button", name="I am Ben").click()
    expect(field).to_have_value("20")
    assert running.errors == []


def test_whoever_gets_the_device_has_a_table_of_their_own(running: Running) -> None:
    page = running.person(host=True)
    two_at(page, running)
    other = until_passed_on(page)
    page.locator(".at-table").evaluate("one => { one.dataset.whose = 'before' }")
    page.evaluate("document.title = '● of somebody else'")
    click(page.get_by_role("button", name="Pass the device"))
    page.get_by_role("button", name=f"I am {other}").click()
    expect(page.locator("#ask .prompt.due")).to_be_visible()
    assert page.locator("[data-whose]").count() == 0, "nothing stays of what belonged to the one before"
    assert "somebody else" not in page.title()
    for key, selector in {"l": "ol.log", "m": ".body h2"}.items():  # keys are heard once
        page.keyboard.press(key)
        expect(page.locator(f"#panel {selector}").first).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#panel")).to_be_hidden()
    assert running.errors == []


def test_a_card_that_one_holds_is_not_seen_when_the_device_is_passed_on(running: Running) -> None:
    page = running.person(host=True)
    two_at(page, running)
    other = until_passed_on(page)
    box = page.locator("#mine .fan .card").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 9, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] - 60)
    expect(page.locator(".ghost")).to_be_visible()
    page.get_by_role("button", name="Pass the device").evaluate("one => one.click()")  # by another finger
    expect(page.locator(".cover h1")).to_be_visible()
    expect(page.locator(".ghost")).to_be_hidden()
    expect(page.get_by_role("button", name=f"I am {other}")).to_be_enabled()
    page.get_by_role("button", name=f"I am {other}").evaluate("one => one.click()")
    expect(page.locator("#ask .prompt.due")).to_be_visible()
    assert page.locator(".ghost").count() == 0
    assert running.errors == []


def test_what_is_told_to_the_one_is_not_told_to_the_next(running: Running) -> None:
    page = running.person(host=True)
    sockets = list[WebSocketRoute]()

    def through(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket(re.compile("/socket$"), through)
    two_at(page, running)
    until_passed_on(page)
    click(page.get_by_role("button", name="Pass the device"))
    expect(page.locator(".cover h1")).to_be_visible()
    for socket in sockets:
        socket.send(json.dumps({"type": "error", "text": "You hold nothing that beats it."}))
        socket.send(json.dumps({"type": "chat", "seat": 0, "text": "Oops!"}))
    page.wait_for_timeout(300)
    assert not page.locator("#toast").is_visible() and page.locator("#live").text_content() == ""
    assert running.errors == []


@pytest.mark.parametrize("covered", [True, False])
def test_who_is_left_of_two_says_so_before_anything_is_seen(running: Running, covered: bool) -> None:
    """Else whoever holds the device sees what belongs to the other when the host takes a seat away, or cannot go on."""
    page, other = running.person(host=True), running.person()
    links = running.do(running.house.open("crazy-eights", "Cleo", players=3))
    other.goto(f"{running.address}/t/{links['table']}#seat={links['secret']}")
    page.goto(f"{running.address}/t/{links['table']}#join={links['join']}")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Sit down", exact=True).click()
    page.locator("#their-name").fill("Ben")
    page.get_by_role("button", name="Sit down here").click()
    expect(page.locator(".sitting")).to_contain_text("Ben")
    other.get_by_role("button", name="Begin", exact=True).click()
    page.locator("#mine .own").wait_for()
    passes = page.get_by_role("button", name="Pass the device")
    until = time.monotonic() + 60
    while passes.count() == 0:
        assert time.monotonic() < until, "the device is not passed on"
        tap_through(page)
        tap_through(other)
        page.wait_for_timeout(60)
    taken = passes.inner_text().rsplit(" ", 1)[-1]
    left = "Anna" if taken == "Ben" else "Ben"
    click(passes)
    expect(page.locator(".cover h1")).to_contain_text(taken)
    if not covered:
        page.get_by_role("button", name=f"I am {taken}").click()
        expect(page.locator("#ask .prompt.due")).to_be_visible()
    other.once("dialog", lambda dialog: dialog.accept())
    other.keyboard.press("m")
    other.locator(f".people li:has-text('{taken}')").get_by_role("button", name="Remove").click()
    other.keyboard.press("Escape")
    expect(page.locator(".cover h1")).to_contain_text(f"Give the device to {left}")
    expect(page.locator("#toast")).to_contain_text("The host has taken your seat from you." if not covered else "")
    expect(page.locator("#table")).to_be_hidden()
    page.get_by_role("button", name=f"I am {left}").click()
    expect(page.locator("#mine .fan .card").first).to_be_visible()
    until = time.monotonic() + 60
    while not page.locator("#ask .prompt.due").count():  # and the match goes on for who is left
        assert time.monotonic() < until, (page.locator("#ask").inner_text(), other.locator("#ask").inner_text())
        tap_through(other)
        page.wait_for_timeout(60)
    assert running.errors == []


def test_who_taps_or_presses_a_key_twice_to_pass_the_device_on_has_not_taken_it(running: Running) -> None:
    page = running.person(host=True)
    two_at(page, running)
    other = until_passed_on(page)
    page.get_by_role("button", name="Pass the device").focus()
    for _ in range(3):
        page.keyboard.press("Enter")
    expect(page.locator(".cover h1")).to_be_visible()
    page.evaluate("""() => [...document.querySelectorAll('.cover button')].forEach((one) => one.click())""")
    expect(page.locator(".cover h1")).to_be_visible()
    page.get_by_role("button", name=f"I am {other}").click()
    expect(page.locator("#ask .prompt.due")).to_be_visible()
    assert running.errors == []
