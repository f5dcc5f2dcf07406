"""People play in pages: by taps, in races, on honour, after the connection was lost."""

from __future__ import annotations

import json
import re
import time
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect
from running import PATIENCE, Running, click, tap_through

from interpreter.interfaces.host.protocol import MOST_UNANSWERED
from interpreter.interfaces.host.table_events import Moved


def play_until(pages: list[Page], ends: str, seconds: float) -> None:
    """Let all pages play by taps until something is there in the first one."""
    until = time.monotonic() + seconds
    while pages[0].locator(ends).count() == 0:
        assert time.monotonic() < until, "the match does not go on"
        if not any([tap_through(page) for page in pages]):
            pages[0].wait_for_timeout(60)


def test_two_people_and_two_bots_play_hearts_to_its_end_by_taps_and_again(running: Running) -> None:
    pages = running.table("hearts", people=2, options={"target": 1})
    play_until(pages, ".result", 150)
    for page in pages:
        expect(page.locator(".result h2")).to_contain_text(re.compile("win", re.IGNORECASE))
        expect(page.locator(".result li")).to_have_count(4)
    pages[1].get_by_role("button", name="Look at it again").click()
    expect(pages[1].locator(".replay")).to_contain_text("The beginning")
    pages[1].get_by_role("button", name="one move on").click()
    expect(pages[1].locator(".replay .prompt")).not_to_contain_text("The beginning")
    assert pages[1].locator("#seats .card.face").count() > 20, "all cards are open"
    pages[1].get_by_role("button", name="Enough").click()
    pages[0].get_by_role("button", name="Play again").click()
    pages[1].evaluate(
        "() => { const send = WebSocket.prototype.send; window.said = [];"
        " WebSocket.prototype.send = function (text) { window.said.push(text); send.call(this, text); }; }"
    )
    pages[1].get_by_role("button", name="Yes").click()
    for page in pages:
        expect(page.locator("#mine .fan .card").first).to_be_visible()
    votes = [json.loads(text) for text in pages[1].evaluate("window.said") if '"vote"' in text]
    assert votes == [{"type": "vote", "yes": True, "n": 1}], "the answer is to what was asked"
    assert running.errors == []


def test_taps_that_are_not_answered_are_under_way_to_a_bound_and_made_once(running: Running) -> None:
    """Nothing of what the server says comes through for a while, and then the connection breaks."""
    page, other = running.person(host=True), running.person()
    links = running.do(running.house.open("dutch-blitz", "Anna", players=2))
    second = running.do(running.house.sit(links, "Ben"))
    is_deaf, sockets, said = False, list[tuple[WebSocketRoute, WebSocketRoute]](), list[str]()

    def through(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        sockets.append((socket, server))
        socket.on_message(lambda text: (said.append(str(text)), server.send(text)))
        server.on_message(lambda text: None if is_deaf else socket.send(text))

    page.route_web_socket(re.compile("/socket$"), through)
    other.goto(f"{running.address}/t/{links['table']}#seat={second['secret']}")
    other.locator(".sitting").wait_for()
    page.goto(f"{running.address}/t/{links['table']}#seat={links['secret']}")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.locator("#mine .own").wait_for()
    page.locator("#ask button").first.wait_for()
    tap = "key => document.querySelectorAll('#ask button').forEach(one => { if (one.dataset.key === key) one.click() })"
    page.evaluate(tap, "do:begin")
    page.locator('#ask button[data-key="do:turn"]').wait_for()
    page.wait_for_timeout(200)

    def made() -> list[str]:
        events = running.house.service.store.events(links["table"])
        return [event.id for _, event in events if isinstance(event, Moved) and event.seat == 0]

    said.clear()
    before, is_deaf = len(made()), True
    for _ in range(MOST_UNANSWERED):
        for key in ("do:turn", "do:turn_over"):
            page.evaluate(tap, key)
    expect(page.locator("#toast")).to_contain_text("Not sent: what you did before")
    page.wait_for_timeout(500)
    first = [text for text in said if '"move"' in text]
    assert len(first) == MOST_UNANSWERED and len(made()) - before > 5
    done = made()
    is_deaf = False
    for one in sockets[-1]:
        one.close()
    expect(page.locator("#toast")).to_contain_text("connection is lost")
    expect(page.locator("#toast")).to_be_hidden()
    page.wait_for_function("() => !document.querySelector('.sending')")
    assert len([text for text in said if '"move"' in text]) == 2 * MOST_UNANSWERED, "all are asked for again"
    assert made() == done and len(set(done)) == len(done)
    assert running.errors == []


def race_of(pages: list[Page]) -> Page | None:
    """Let two race at what was dealt to them; who could play a card by one tap, or nobody if none would go."""
    while any(page.locator("#ask .go").count() for page in pages):  # both say that they are ready, and spit
        for page in pages:
            tap_through(page)
        pages[0].wait_for_timeout(100)
    for page in pages:
        for pile in page.locator("#mine .stack").all():
            before = page.locator("#mine").inner_text()
            click(pile, position={"x": 10, "y": 10})
            page.wait_for_timeout(300)
            if page.locator("#mine").inner_text() != before:
                return page
    return None


def test_two_people_race_at_spit(running: Running) -> None:
    for _ in range(6):  # it is chance whether a card goes
        pages = running.table("spit", people=2)
        quick = race_of(pages)
        if quick is not None:
            break
    assert quick is not None
    slow = next(page for page in pages if page is not quick)
    expect(quick.locator("#ticker")).to_contain_text("You")
    expect(slow.locator("#ticker")).to_contain_text(re.compile("Anna|Ben"))
    assert quick.locator("#mine .can, #middle .can, .cannot").count() == 0, "nothing is marked in a race"
    assert quick.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_who_has_declined_sees_it_on_the_button(running: Running) -> None:
    for _ in range(6):
        one, other = running.table("spit", people=2)
        race_of([one, other])
        decline = one.get_by_role("button", name="Decline to go on")
        if decline.count():
            break
    assert decline.get_attribute("aria-pressed") is None
    decline.click()
    expect(decline).to_have_attribute("aria-pressed", "true")
    expect(other.get_by_role("button", name="Decline to go on")).not_to_have_attribute("aria-pressed", "true")


def test_on_honour_words_are_said_and_a_fault_is_claimed(running: Running) -> None:
    pages = running.table("georgia-spoons", people=3, players=3, honor=True)
    anna = next(page for page in pages if page.locator("#ask .prompt.due").count())
    other = next(page for page in pages if page is not anna)
    assert anna.locator("#mine .can").count() == 0, "nothing is marked on honour"
    assert anna.locator(".phrase").count() > 3
    cards = anna.locator("#mine .fan button.card")
    cards.first.click(position={"x": 9, "y": 12})
    anna.locator(".phrase", has_text="One card!").first.click()
    expect(anna.locator(".words")).to_contain_text("One card!")
    other.get_by_role("button", name="Razz…").click()
    other.locator("#ask .chip").first.click()
    other.locator("#ask .go, #ask .chip").first.click()
    expect(other.locator("#toast, #ticker").first).not_to_be_empty()


def test_a_page_comes_back_in_the_middle_of_a_trick(running: Running) -> None:
    links = running.do(running.house.open("hearts", "Anna"))
    page = running.person()
    sockets: list[WebSocketRoute] = []

    def through(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        socket.connect_to_server()

    page.route_web_socket(re.compile("/socket"), through)
    page.goto(f"{running.address}/t/{links['table']}#seat={links['secret']}")
    page.get_by_role("button", name="Begin", exact=True).click()
    until = time.monotonic() + 40
    while page.locator(".trick .played").count() == 0 or page.locator("#ask .prompt.due").count() == 0:
        assert time.monotonic() < until
        if page.locator(".trick:not(.past) .played").count() == 0:
            tap_through(page)
        page.wait_for_timeout(60)
    hand = page.locator("#mine .fan").inner_text()
    sockets[-1].close()
    loses_and_finds_the_server(page)
    assert len(sockets) > 1 and page.locator("#mine .fan").inner_text() == hand
    cards = page.locator("#mine .fan .card").count()
    while page.locator("#mine .fan .card").count() == cards:
        tap_through(page)
        page.wait_for_timeout(60)
    assert running.errors == []


def loses_and_finds_the_server(page: Page) -> None:
    """It is said that the connection is lost, until it is there again."""
    toast = "document.getElementById('toast')"  # looked at in each frame, for it may be there again at once
    page.wait_for_function(f"() => {toast}.textContent.includes('connection is lost')", timeout=PATIENCE)
    page.wait_for_function(f"() => {toast}.hidden", timeout=PATIENCE)


def test_a_page_leaves_a_server_of_several_that_has_fallen_silent(tmp_path: Path, browser: Browser) -> None:
    running = Running(tmp_path, browser, shared=True)
    (page,) = running.table("hearts")
    sockets, is_silent = list[WebSocketRoute](), False

    def through(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        server = socket.connect_to_server()
        if len(sockets) == 1:
            server.on_message(lambda text: None if is_silent else socket.send(text))

    page.route_web_socket(re.compile("/socket"), through)
    page.reload()
    page.locator("#mine .own").wait_for()
    page.wait_for_timeout(2_500)  # until it has heard that the server is there
    is_silent = True
    loses_and_finds_the_server(page)
    assert len(sockets) == 2
    hand = page.locator("#mine .fan .card.picked")
    tap_through(page)
    expect(hand).to_have_count(1)
    running.stop()
    assert running.errors == []


def in_the_tricks(running: Running) -> Page:
    """A page of somebody who is to play a card to a trick."""
    (page,) = running.table("hearts")
    until = time.monotonic() + 40
    while page.locator("#mine button.can").count() == 0 or "Pass" in page.locator("#ask").inner_text():
        assert time.monotonic() < until
        if "Pass" in page.locator("#ask").inner_text():
            tap_through(page)
        page.wait_for_timeout(60)
    return page


def test_of_a_hand_in_two_rows_nothing_is_covered_on_a_phone_and_suits_stay_together(running: Running) -> None:
    page = in_the_tricks(running)
    rows: dict[float, list[tuple[float, float, str]]] = {}
    for card in page.locator("#mine .fan .card").all():
        box, face = card.bounding_box(), card.get_attribute("data-face")
        assert box is not None and face
        style = float(card.evaluate("one => parseFloat(one.style.top)"))
        rows.setdefault(style, []).append((box["y"], box["y"] + box["height"], face[-1]))
    (_, upper), (_, lower) = sorted(rows.items())
    assert max(bottom for _, bottom, _ in upper) <= min(top for top, _, _ in lower) + 1
    suits = [suit for _, _, suit in upper + lower]
    breaks = [at for at in range(1, len(suits)) if suits[at] != suits[at - 1]]
    if any(max(at, len(suits) - at) <= 8 for at in breaks):  # so many have room side by side
        assert not {suit for _, _, suit in upper} & {suit for _, _, suit in lower}


def test_the_last_trick_tells_who_played_each_card(running: Running) -> None:
    page = in_the_tricks(running)
    until = time.monotonic() + 40
    while page.locator(".last").count() == 0:
        assert time.monotonic() < until
        tap_through(page)
        page.wait_for_timeout(60)
    names = page.locator(".last .who").all_inner_texts()
    assert len(names) == 4 and set(names) >= {"you"} and len(set(names)) == 4
    for who in page.locator(".last .who").all():
        assert who.evaluate("one => one.scrollWidth <= one.clientWidth + 1"), "a short name is not cut off"


def test_the_last_trick_of_a_deal_is_seen_and_is_gone_in_the_next_one(running: Running) -> None:
    running.house.service.pace = 0.6  # so that a trick stands as long as it is seen
    (page,) = running.table("euchre", options={"partner_draw": "fixed", "cut": "none", "target": 10})
    page.evaluate(
        """() => { window.seen = [];
        const look = () => window.seen.push(document.querySelectorAll(".past .played").length);
        new MutationObserver(look).observe(document.getElementById("table"), {childList: true, subtree: true}); }"""
    )
    until = time.monotonic() + 90
    while page.locator("#seats .score, #mine .score").filter(has_text=re.compile("[1-9]")).count() == 0:
        assert time.monotonic() < until
        tap_through(page)
        page.wait_for_timeout(60)
    page.wait_for_function("() => !document.querySelector('.past .played')")
    assert page.locator(".last").count() == 0, "it is of the deal before"
    tricks = sum(now > 0 == before for before, now in pairwise(page.evaluate("() => window.seen")))
    assert tricks == 5, "each trick of a deal is seen before it is gone"


def test_a_card_is_dragged_to_the_table(running: Running) -> None:
    page = in_the_tricks(running)
    cards = page.locator("#mine .fan .card").count()
    box = page.locator("#mine button.can").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 10, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(195, 350, steps=6)
    page.mouse.up()
    expect(page.locator("#mine .fan .card")).to_have_count(cards - 1)


def test_keys_alone_play_a_card(running: Running) -> None:
    page = in_the_tricks(running)
    cards = page.locator("#mine .fan .card").count()
    page.locator("#mine button.can").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#mine .picked")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#mine .fan .card")).to_have_count(cards - 1)
    assert page.locator("#live").text_content()


def test_what_has_happened_is_announced_before_what_is_to_be_done(running: Running) -> None:
    page = in_the_tricks(running)
    page.evaluate(
        """() => { window.heard = []; const live = document.getElementById("live");
        new MutationObserver(() => window.heard.push(live.textContent)).observe(live, {childList: true}); }"""
    )
    page.locator("#mine button.can").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_function("() => /you play .*play a card\\.$/i.test(window.heard.join(' '))")


def test_what_is_asked_again_after_a_quick_move_is_announced_again(running: Running) -> None:
    page = in_the_tricks(running)
    said = ["Play a card.", "You play 2 of clubs.", "Play a card.", "Play a card."]
    page.evaluate(
        """async (said) => { const main = document.querySelector("script[src]").src;
        const dom = await import(main.replace("main.js", "dom.js"));
        said.forEach((text) => dom.announce(text)); }""",
        said,
    )
    expect(page.locator("#live")).to_have_text(re.compile(r"Play a card\. You play 2 of clubs\. Play a card\.$"))


def test_in_a_race_nothing_is_announced_within_a_second_of_something_else(running: Running) -> None:
    page = running.person(host=True)
    page.goto(running.address)
    gaps = page.evaluate(
        """async () => { const main = document.querySelector("script[src]").src;
        const dom = await import(main.replace("main.js", "dom.js"));
        const times = [], live = document.getElementById("live");
        new MutationObserver(() => times.push(performance.now())).observe(live, {childList: true});
        for (let at = 0; at < 25; at += 1) {
          if (at % 3) dom.toast(`That does not go, ${at}.`);
          else dom.announce(`Ben plays ${at}.`, false, true);
          await new Promise((done) => setTimeout(done, 120));
        }
        return times.slice(1).map((time, at) => time - times[at]); }"""
    )
    assert len(gaps) >= 2 and min(gaps) > 900, gaps


def test_a_card_that_the_law_refuses_says_why(running: Running) -> None:
    page = in_the_tricks(running)
    refused = page.locator("#mine button.cannot")
    assert refused.count() > 0
    refused.first.click(position={"x": 9, "y": 12})
    expect(page.locator("#toast")).to_be_visible()
    expect(page.locator("#toast")).to_contain_text(re.compile("must|lead|open|heart|trick", re.IGNORECASE))


NAMED = """\
format: 1
id: named
name: Named
players: {min: 2, max: 2, default: 2}
pack: {standard: 0, add: {constructor: 4, prototype: 6}}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, discard: {seen by: everyone}}
state: {score: {each: player, type: integer, lasts: match}, tally: {type: integer, lasts: match}}
flow:
  match: {setup: deal 4 from stock to hand, repeat: [go], until: tally >= 6}
  go:
    kind: turn
    actions:
      play:
        choose: {card: {from: hand}, how: {choice: [constructor, prototype]}}
        effect: move card to discard; add 1 to tally
"""


def test_cards_and_words_may_be_called_like_what_every_object_of_a_page_has(running: Running) -> None:
    (page,) = running.table("", players=2, overlays=[NAMED])
    cards = page.locator("#mine .fan .card")
    expect(cards).to_have_count(4)
    page.locator("#mine button.can").first.click(position={"x": 9, "y": 12})
    expect(page.locator("#ask .chip")).to_have_text(["constructor", "prototype"])
    page.locator("#ask .chip").first.click()
    until = time.monotonic() + 20
    while cards.count() == 4:
        assert time.monotonic() < until
        tap_through(page)
    assert running.errors == []


def test_who_has_lost_the_cookie_of_a_seat_comes_back_all_the_same(running: Running) -> None:
    """As after a month: browsers forget cookies, and what a page itself has kept it still knows."""
    page, _ = running.table("hearts", people=2)
    expect(page.locator("#mine .fan .card").first).to_be_visible()
    page.context.clear_cookies()
    page.reload()
    expect(page.locator("#mine .fan .card").first).to_be_visible()
    assert [cookie["name"].startswith("seat-") for cookie in page.context.cookies()] == [True]
    assert running.errors == []


def test_of_a_match_that_cannot_go_on_the_record_can_be_had(running: Running) -> None:
    """In the menu, and where nothing is seen of the match any more beside what is told of it."""
    pages = running.table("crazy-eights", people=2, players=2)
    (name,) = running.house.service._tables

    async def ends() -> None:
        table = running.house.service.at_hand(name)
        assert table is not None
        table.cannot_go_on("they say nothing")

    async def is_gone() -> None:
        table = running.house.service.at_hand(name)
        assert table is not None
        table.match = table.standing = None
        await table.welcome_all()

    running.do(ends())
    for page in pages:
        expect(page.locator(".notice-over")).to_contain_text("The rules cannot go on: they say nothing")
    pages[0].get_by_role("button", name="Menu").click()
    running.do(is_gone())
    expect(pages[1].locator(".waiting")).to_contain_text("The rules cannot go on: they say nothing")
    for box, page in ((pages[0].locator("#panel"), pages[0]), (pages[1].locator(".waiting"), pages[1])):
        with page.expect_download() as found:
            box.get_by_role("button", name="Download the record").click()
        assert found.value.suggested_filename == f"{name}.jsonl"
        assert json.loads(found.value.path().read_text().splitlines()[0])["game"]["ruleset"] == "crazy-eights"
    assert running.errors == []


TWO_BIDS = """\
format: 1
id: two-bids
extends: crazy-eights
state:
  bidden: {each: player, type: integer, lasts: deal, seen by: everyone}
  raised: {each: player, type: integer, lasts: deal, seen by: everyone}
flow:
  play:
    actions:
      bid: {choose: {n: {number: 1..3}}, effect: "set bidden to n; stay"}
      raise: {choose: {n: {number: 1..3}}, effect: "set raised to n; stay"}
"""
TWO_HANDS = """\
format: 1
id: two-hands
extends: crazy-eights
pack: {standard: 16, only: [9], remove: [hearts, diamonds, clubs]}
options: {packs: {default: 2}, hand_size: {default: 5}}
require: {enough_cards: null}
zones: {kept: {each: player, seen by: owner}}
flow:
  deal:
    setup: |
      gather all to stock; shuffle stock
      deal 3 from stock to hand, one at a time; move 1 from stock to discard
      for p in players do move 3 from stock to kept of p end
"""


def test_of_two_actions_that_are_chosen_by_the_same_words_each_can_be_taken(running: Running) -> None:
    (page,) = running.table("crazy-eights", overlays=[TWO_BIDS], players=2)
    expect(page.locator("#ask .prompt.due")).to_be_visible()
    page.get_by_role("button", name="Raise a number").click()
    page.locator("#ask .chip", has_text="2").click()
    expect(page.locator("#ticker")).to_contain_text("raise 2")
    page.get_by_role("button", name="Bid a number").click()
    page.locator("#ask .chip", has_text="3").click()
    expect(page.locator("#ticker")).to_contain_text("bid 3")
    assert running.errors == []


def test_a_tap_on_a_card_that_cannot_be_played_plays_no_equal_one(running: Running) -> None:
    """Who asks why it cannot be played makes no move."""
    (page,) = running.table("crazy-eights", overlays=[TWO_HANDS], players=2)
    expect(page.locator("#ask .prompt.due")).to_be_visible()
    hand = page.locator("#mine [data-key^='card:hand'][data-face='9S']")
    kept = page.locator("#mine [data-key^='card:kept'][data-face='9S']")
    expect(hand).to_have_count(3)
    kept.first.click(position={"x": 9, "y": 12})
    expect(page.locator("#toast")).to_contain_text("Nothing can be done with that now.")
    expect(hand).to_have_count(3)
    hand.first.click(position={"x": 9, "y": 12})
    expect(page.locator("#mine .picked")).to_have_count(1)
    assert running.errors == []


TWO_DICE = """\
format: 1
id: two-dice
extends: crazy-eights
state: {guessed: {each: player, type: integer, lasts: deal, seen by: everyone}}
flow:
  deal: {do: [guess_dice, play, count_up]}
  guess_dice:
    kind: turn
    first: left of dealer
    until: all p in players have guessed of p > 0
    actions:
      pair: {choose: {a: {number: 1..3}, b: {number: 1..3}}, must: {same: a = b}, effect: set guessed to a}
"""


def test_a_word_can_be_chosen_twice_in_a_move(running: Running) -> None:
    (page,) = running.table("crazy-eights", overlays=[TWO_DICE], players=2)
    expect(page.locator("#ask .prompt.due")).to_be_visible()
    for _ in range(2):
        page.locator("#ask .chip", has_text="2").click()
    page.keyboard.press("l")  # all lines: a bot that moves next would soon push this one out of the last two
    expect(page.locator("#panel ol.log")).to_contain_text("pair 2 and 2")
    assert running.errors == []


MANY_WORDS = """\
format: 1
id: many-words
extends: crazy-eights
state: {said: {each: player, type: integer, lasts: deal, seen by: everyone}}
flow:
  play:
    actions: {call_it: {choose: {k: {choice: [WORDS]}}, effect: "add 1 to said; stay"}}
""".replace("WORDS", ", ".join(f"word_number_{at}_of_many" for at in range(120)))


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_of_very_many_choices_each_can_be_reached(running: Running, size: tuple[int, int]) -> None:
    phone = {"width": size[0], "height": size[1]}
    (page,) = running.table("crazy-eights", size=phone, overlays=[MANY_WORDS], players=2)
    page.get_by_role("button", name="Call it").click()
    last = page.locator("#ask .chip").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=0.9)
    expect(page.locator("#mine .fan .card").first).to_be_in_viewport()
    expect(page.locator("#ask .prompt")).to_be_in_viewport()
    last.click()
    expect(page.locator("#ticker")).to_contain_text("word number 119")
    assert running.errors == []


def test_a_name_that_is_called_like_a_card_is_no_card(running: Running) -> None:
    links = running.do(running.house.open("skip-bo", "Ben", players=2))
    other = running.do(running.house.sit(links, "W"))
    page, beside = running.person(), running.person()
    for one, secret in ((page, links["secret"]), (beside, other["secret"])):
        one.goto(f"{running.address}/t/{links['table']}#seat={secret}")
        one.locator(".sitting").wait_for()
    page.get_by_role("button", name="Begin", exact=True).click()
    for one in (page, beside):
        one.locator("#mine .own").wait_for()
    page.keyboard.press("l")
    expect(page.locator("ol.log")).to_contain_text(re.compile("W (deals|gets five cards)"))  # one or the other
    expect(page.locator("ol.log")).not_to_contain_text(re.compile("Skip-Bo (deals|gets)"))


NAMING = """\
format: 1
id: naming
name: Naming
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
state: {called: {each: player, type: text, lasts: match, seen by: everyone, optional: true}}
flow:
  match: {setup: deal 3 from stock to hand, do: [naming]}
  naming:
    kind: turn
    first: P1
    turns: 3 each
    actions: {call_it: {choose: {t: {text: true}}, effect: set called of actor to t}}
"""


def test_a_text_that_a_move_needs_is_written(running: Running) -> None:
    (page,) = running.table("", overlays=[NAMING], players=2)
    page.get_by_role("button", name="Call it").click()
    page.locator("#ask input").fill("Good luck!")
    page.keyboard.press("Enter")
    page.keyboard.press("l")
    expect(page.locator("ol.log")).to_contain_text("Good luck!")
    assert running.errors == []
