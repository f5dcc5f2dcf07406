"""A table is opened in the page: a game, options, house rules that are written there, people who join."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, Route, expect
from running import PATIENCE, Running, tap_through

from interpreter.interfaces.host.serving import lan_addresses

WRONG = "format: 1\nid: ours\nextends: hearts\noptions: {target: {defualt: 20}}\n"
RIGHT = WRONG.replace("defualt", "default")
ODD = "Hearts {as} we <i>play</i> it & @home, **not** `{there}`"
"""What a reader of Markdown could take for more than its signs."""


def choose(page: Page, running: Running, game: str) -> None:
    """A game is chosen, and all has come that stands there: what comes late moves what is clicked at."""
    page.goto(running.address)
    page.get_by_role("button", name=re.compile(f"^{game}")).click()
    expect(page.locator(".lesson")).to_contain_text("is read in about")


def test_house_rules_are_written_in_the_page_and_played(running: Running) -> None:
    page = running.person(host=True)
    choose(page, running, "Hearts")
    page.get_by_text("House rules").click()
    field = page.get_by_label("house rules", exact=True)
    field.fill(WRONG)
    expect(page.locator(".finding.error")).to_contain_text("Line 4")
    field.fill(f"{RIGHT}about: '{ODD}'\n")
    expect(page.locator(".finding")).to_have_count(0)
    expect(page.locator(".difference")).to_contain_text("20")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.locator("#mine .fan .card").first).to_be_visible()
    page.get_by_role("button", name="Rules").or_(page.get_by_role("button", name="Menu")).last.click()
    page.get_by_role("tab", name="Rules").click()
    expect(page.locator(".rules")).to_contain_text("20")
    expect(page.locator(".rules")).to_contain_text(ODD)
    places = page.locator(".rules table").first
    expect(places.locator("th")).to_have_text(["Place", "Whose", "Who sees the cards", "What it is"])
    expect(places.locator("tr").nth(1).locator("td").first).to_have_text("stock")
    assert running.errors == []


def test_how_long_and_how_hard_a_game_is_and_how_it_is_played_stands_where_it_is_chosen(running: Running) -> None:
    page = running.person(host=True)
    choose(page, running, "Hearts")
    lesson = page.locator(".lesson")
    expect(lesson).to_contain_text("The match is over when somebody has 100 points")
    expect(lesson).to_contain_text("read in about 3 minutes")
    page.get_by_text("Options (").click()
    page.locator('[data-field="target"] input').fill("60")
    page.locator('[data-field="target"] input').blur()
    lesson.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(lesson.get_by_role("heading", name="The deal")).to_be_visible()
    expect(lesson.locator("p").first).to_contain_text("60 points")
    assert running.errors == []


def test_how_to_play_is_opened_beside_the_table_at_any_time_before_every_rule_in_detail(running: Running) -> None:
    (page,) = running.table("hearts")
    page.keyboard.press("r")
    beside = page.get_by_role("complementary", name="beside the table")
    expect(beside.get_by_role("heading", name="A trick", exact=True)).to_be_visible()
    detail = beside.locator("summary").filter(has_text="Every rule in detail")
    expect(detail).to_be_visible()
    folded = beside.locator("details h4").first
    expect(folded).to_be_hidden()
    detail.focus()
    page.keyboard.press("Enter")
    expect(folded).to_be_visible()
    page.keyboard.press("Escape")
    expect(beside).to_be_hidden()
    page.get_by_role("button", name="Menu").click()  # on a phone
    page.get_by_role("tab", name="Rules").click()
    expect(beside.get_by_role("heading", name="A trick", exact=True)).to_be_visible()
    assert running.errors == []


def test_an_option_out_of_bounds_is_told_beside_its_field(running: Running) -> None:
    page = running.person(host=True)
    choose(page, running, "Hearts")
    page.get_by_text("Options (").click()
    field = page.locator('[data-field="target"]')
    field.locator("input").fill("100000")
    field.locator("input").blur()
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Open the table").click()
    expect(field.locator(".why")).not_to_be_empty()


def test_house_rules_lie_one_on_the_other_and_each_is_told_what_is_wrong_with_it(running: Running) -> None:
    page = running.person(host=True)
    choose(page, running, "Hearts")
    page.get_by_text("House rules").click()
    page.get_by_label("house rules", exact=True).fill(RIGHT)
    page.get_by_role("button", name="Another file on top").click()
    second = page.get_by_label("house rules, file 2")
    second.fill(WRONG.replace("id: ours", "id: more"))
    expect(page.locator(".house-rules .findings").nth(1).locator(".finding.error")).to_contain_text("Line 4")
    expect(page.locator(".house-rules .findings").nth(0).locator(".finding.error")).to_have_count(0)
    second.fill("format: 1\nid: more\nextends: hearts\nvalues: {points: {JD: -10}}\n")
    expect(page.locator(".difference")).to_contain_text("20")
    expect(page.locator(".difference")).to_contain_text("10")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.locator("#mine .fan .card").first).to_be_visible()
    assert running.errors == []


def test_others_join_with_the_link_or_the_code_and_watch(running: Running) -> None:
    links = running.do(running.house.open("hearts", "Anna"))
    host, guest, third, watcher = (running.person() for _ in range(4))
    host.goto(f"{running.address}/t/{links['table']}#seat={links['secret']}")
    expect(host.locator(".code b")).to_contain_text(links["code"][:3])
    guest.goto(f"{running.address}/t/{links['table']}#join={links['join']}")
    guest.get_by_label("Your name").fill("Ben")
    guest.get_by_role("button", name="Sit down").click()
    expect(host.locator(".sitting")).to_contain_text("Ben")
    third.goto(running.address)
    third.get_by_label("the code of the table").fill(links["code"])
    third.get_by_role("button", name="Go", exact=True).click()
    sitting = [re.compile(f"^{one}") for one in ("Anna", "Ben", "free", "free")]
    expect(third.locator(".sitting li")).to_have_text(sitting)
    third.get_by_label("Your name").fill("Cleo")
    third.get_by_role("button", name="Sit down").click()
    expect(host.locator(".sitting")).to_contain_text("Cleo")
    watcher.goto(f"{running.address}/t/{links['table']}#watch={links['watch']}")
    expect(watcher.locator("#room")).to_contain_text("watching")
    host.get_by_role("button", name="Begin", exact=True).click()
    expect(watcher.locator(".watching")).to_be_visible()
    assert watcher.locator("#seats .seat").count() == 4
    assert running.errors == []


def test_people_talk_in_the_phrases_of_the_table_or_freely_if_the_host_lets_them(running: Running) -> None:
    anna, ben = running.table("hearts", people=2)
    anna.get_by_role("button", name="Chat").click()
    anna.get_by_role("button", name="Good luck!").click()
    expect(ben.locator("#toast")).to_contain_text("Anna: Good luck!")
    anna.get_by_role("tab", name="Menu").click()
    expect(anna.get_by_label("Talk")).to_have_value("phrases")
    anna.get_by_label("Talk").select_option("free")
    ben.get_by_role("button", name="Chat").click()
    ben.get_by_label("say something").fill("<b>Hello</b>, all")
    ben.get_by_role("button", name="Say", exact=True).click()
    expect(ben.locator(".said")).to_contain_text("<b>Hello</b>, all")
    assert running.errors == []


def test_what_somebody_writes_or_chooses_beside_the_table_stays_while_others_talk_and_play(running: Running) -> None:
    anna, ben = running.table("hearts", people=2)
    ben.get_by_role("button", name="Chat").click()
    expect(ben.get_by_role("button", name="Good luck!")).to_be_visible()
    anna.get_by_role("button", name="Chat").click()
    anna.get_by_role("tab", name="Menu").click()
    anna.get_by_label("Talk").evaluate("list => list.dataset.mark = 'open'")
    anna.evaluate("() => dispatchEvent(new Event('resize'))")  # the table is drawn anew
    anna.evaluate("() => new Promise(requestAnimationFrame)")
    expect(anna.get_by_label("Talk")).to_have_attribute("data-mark", "open")
    anna.get_by_label("Talk").select_option("free")
    ben.get_by_label("say something").fill("Half a sent")
    anna.get_by_role("tab", name="Chat").click()
    anna.get_by_label("say something").fill("Well?")
    anna.get_by_role("button", name="Say", exact=True).click()
    expect(ben.locator(".said")).to_contain_text("Well?")
    expect(ben.get_by_label("say something")).to_have_value("Half a sent")
    assert running.errors == []


def test_no_name_is_markup(running: Running) -> None:
    links = running.do(running.house.open("hearts", "Anna"))
    guest = running.person()
    guest.goto(f"{running.address}/t/{links['table']}#join={links['join']}")
    guest.get_by_label("Your name").fill("B<b>x</b>")
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.locator("#toast, .sitting").first).to_be_visible()
    assert guest.locator(".sitting b").count() == 0


def test_options_of_house_rules_can_be_chosen_as_soon_as_they_are_right(running: Running) -> None:
    page = running.person(host=True)
    choose(page, running, "Hearts")
    page.locator("summary", has_text="House rules").click()
    page.locator("summary", has_text="Options").click()
    rules = page.get_by_label("house rules", exact=True)
    rules.fill("format: 1\nid: ours\nextends: hearts\noptions: {target: {default: 33, max: 66}}\n")
    expect(page.locator("#option-target")).to_have_value("33")
    expect(page.locator("#option-target")).to_have_attribute("max", "66")
    rules.fill("format: 1\nid: ours\nextends: hearts\noptions: {target: {default")
    expect(page.locator(".finding.error").first).to_be_visible()
    rules.fill("")
    expect(page.locator("#option-target")).to_have_value("100")
    rules.fill("format: 1\nid: ours\nextends: hearts\noptions: {__proto__: {type: integer, default: 3, max: 9}}\n")
    page.locator("#option-__proto__").fill("7")
    page.locator("#option-__proto__").blur()
    page.get_by_label("Your name").fill("Anna")
    with page.expect_request("**/api/tables") as asked:
        page.get_by_role("button", name="Open the table").click()
    assert '"__proto__":7' in (asked.value.post_data or "")
    assert running.errors == []


def test_a_variant_shows_in_the_fields_what_it_sets_and_who_changes_that_decides(running: Running) -> None:
    page = running.person(host=True)
    choose(page, running, "Crazy Eights")
    page.locator("summary", has_text="Options").click()
    twos, queens = page.locator('[data-field="draw_twos"]'), page.locator('[data-field="skip_queens"]')
    twos.locator("input").fill("4")
    twos.locator("input").blur()
    variant = page.get_by_label("Action cards")
    variant.check()
    expect(twos.locator("input")).to_have_value("2")
    expect(twos).to_contain_text("Set by Action cards")
    expect(queens.locator("input")).to_be_checked()
    expect(page.locator(".preset")).to_have_count(3)
    twos.locator("input").fill("1")
    twos.locator("input").blur()
    expect(twos).not_to_contain_text("Set by")
    page.get_by_label("Your name").fill("Anna")
    with page.expect_request("**/api/tables") as asked:
        page.get_by_role("button", name="Open the table").click()
    game = asked.value.post_data_json["game"]
    assert (game["variants"], game["options"]) == (["action_cards"], {"draw_twos": 1})
    page.locator(".sitting").wait_for()


def form_that_comes(page: Page, running: Running, meanwhile: Callable[[Locator], None]) -> Locator:
    """A field of a number behind the form that came anew. meanwhile: what is done with it while that is under way."""
    choose(page, running, "Hearts")
    page.locator("summary", has_text="Options").click()
    under_way: list[Route] = []
    page.route("**/form?*", lambda route: under_way.append(route))
    page.get_by_role("radio", name="5").click()
    target = page.locator("#option-target")
    meanwhile(target)
    while not under_way:
        page.wait_for_timeout(20)
    target.evaluate("field => field.dataset.before = 'yes'")
    under_way[0].continue_()
    expect(target).not_to_have_attribute("data-before", "yes")
    return target


def test_what_is_half_written_when_a_form_comes_counts_and_is_written_on(running: Running) -> None:
    page = running.person(host=True)
    target = form_that_comes(page, running, lambda field: field.fill("7"))
    page.keyboard.type("5")
    expect(target).to_have_value("75")
    page.get_by_label("Your name").fill("Anna")
    with page.expect_request("**/api/tables") as asked:
        page.get_by_role("button", name="Open the table").click()
    assert asked.value.post_data_json["game"]["options"] == {"target": 75}
    assert running.errors == []


def test_a_number_that_is_marked_when_a_form_comes_is_still_written_over(running: Running) -> None:
    page = running.person(host=True)
    target = form_that_comes(page, running, lambda field: field.select_text())
    page.keyboard.type("5")
    expect(target).to_have_value("5")
    assert running.errors == []


def test_a_variant_that_is_not_chosen_any_more_sets_nothing_and_one_for_so_many_chooses_how_many(
    running: Running,
) -> None:
    page = running.person(host=True)
    choose(page, running, "Hearts")
    page.locator("summary", has_text="Options").click()
    page.get_by_label("Short game").check()
    expect(page.locator("#option-target")).to_have_value("50")
    page.get_by_label("Short game").uncheck()
    expect(page.locator("#option-target")).to_have_value("100")
    chosen = page.get_by_role("radiogroup", name="players").locator(".chosen")
    expect(chosen).to_have_text("4")
    page.get_by_label("Three handed").check()
    expect(chosen).to_have_text("3")
    page.get_by_label("Three handed").uncheck()
    expect(chosen).to_have_text("4")
    page.get_by_role("radio", name="5").click()
    page.get_by_label("Three handed").check()
    expect(chosen).to_have_text("3")
    page.get_by_label("Three handed").uncheck()
    expect(chosen).to_have_text("5")
    assert running.errors == []


def test_variants_that_do_not_go_together_are_told_before_a_table_is_opened(running: Running) -> None:
    page = running.person(host=True)
    choose(page, running, "Spit ?2")
    page.get_by_label("Your name").fill("Anna")
    many, five = page.get_by_label("Many players"), page.get_by_label("Five card hand")
    five.focus()
    page.keyboard.press("Space")
    expect(many).to_be_disabled()
    expect(many).to_have_accessible_description("Not together with Five card hand.")
    expect(five).to_be_focused()
    expect(page.get_by_label("Your name")).to_have_value("Anna")
    five.uncheck()
    expect(many).to_be_enabled()
    many.check()
    expect(five).to_be_disabled()
    assert running.errors == []


def test_a_list_of_which_entries_have_parts_is_changed_as_it_is_written(running: Running) -> None:
    page = running.person(host=True)
    choose(page, running, "Phase 10")
    page.locator("summary", has_text="Options").click()
    phases = page.locator("#option-phases")
    expect(phases).to_have_value(re.compile(r"^set 3\.\. \+ set 3\.\., set 3\.\. \+ run 4\.\., .*run 7\.\., "))
    phases.fill("set 3.. + set 3.., run 7..")
    phases.blur()
    page.get_by_label("Your name").fill("Anna")
    with page.expect_request("**/api/tables") as asked:
        page.get_by_role("button", name="Open the table").click()
    assert asked.value.post_data_json["game"]["options"] == {"phases": [["set 3..", "set 3.."], ["run 7.."]]}
    page.locator(".sitting").wait_for()
    assert running.errors == []


def test_what_does_not_go_together_is_told_while_it_is_chosen(running: Running) -> None:
    page = running.person(host=True)
    choose(page, running, "Truco")
    told = page.locator(".lesson > p")
    expect(told).to_contain_text("with 12 points")
    page.locator("summary", has_text="Options").click()
    page.locator("#option-target_score").fill("24")
    page.locator("#option-target_score").blur()
    expect(told).to_contain_text("with 24 points")
    page.get_by_role("checkbox", name="Mineiro").check()
    page.get_by_role("checkbox", name="Clean pack").first.check()
    expect(told).to_contain_text("there are no manilhas in Mineiro")
    page.locator("summary", has_text="Options").click()
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".field.wrong .why")).to_be_visible()
    assert all("422" in error for error in running.errors)


def test_a_variant_that_is_a_ruleset_of_its_own_offers_what_that_one_does(running: Running) -> None:
    page = running.person(host=True)
    choose(page, running, "Spit ?2")
    players = page.get_by_role("radiogroup", name="players")
    expect(players.locator(".chip")).to_have_count(1)
    page.get_by_label("Many players").check()
    expect(players.get_by_role("radio", name="5")).to_be_visible()
    players.get_by_role("radio", name="5").click()
    page.get_by_label("Many players").uncheck()
    expect(players.locator(".chosen")).to_have_text("2")
    assert running.errors == []


def test_an_answer_that_comes_late_does_not_undo_what_was_chosen_since(running: Running) -> None:
    page, held = running.person(host=True), list[Route]()
    choose(page, running, "Spit ?2")
    players = page.get_by_role("radiogroup", name="players")
    page.get_by_label("Many players").check()
    expect(players.get_by_role("radio", name="5")).to_be_visible()
    page.route(re.compile("form.variants=.+"), lambda route: held.append(route))
    players.get_by_role("radio", name="5").click()
    page.get_by_label("Many players").uncheck()
    expect(players.locator(".chosen")).to_have_text("2")
    for route in held:
        route.continue_()
    page.wait_for_timeout(400)
    expect(players.locator(".chosen")).to_have_text("2")
    assert held and running.errors == []


def test_all_works_without_tls_at_the_address_of_the_home_network(tmp_path: Path, browser: Browser) -> None:
    at = next(iter(lan_addresses()), "127.0.0.1")
    running = Running(tmp_path, browser, at=at)
    host, guest = running.table("crazy-eights", people=2, players=2)
    assert at == "127.0.0.1" or not host.evaluate("isSecureContext")
    for page in (host, guest):
        page.get_by_role("button", name="Menu").first.click()
        page.get_by_label("A sound when it is my turn").check()
        page.get_by_role("button", name="Copy").first.click()
        expect(page.locator("#toast")).to_contain_text(re.compile("Copied|Select the link"))
        page.get_by_role("button", name="Close").click()
    done, until = 0, time.monotonic() + 40
    while done < 6:
        assert time.monotonic() < until
        done += sum(tap_through(page) for page in (host, guest))
        host.wait_for_timeout(60)
    assert [error for error in running.errors if "Cross-Origin-Opener-Policy" not in error] == []
    running.stop()


def test_that_nothing_can_be_stored_is_told_before_the_match_and_in_it_until_it_can(
    tmp_path: Path, browser: Browser
) -> None:
    running = Running(tmp_path, browser, patience=0.1)
    links = running.do(running.house.open("hearts", "Anna"))
    page = running.person()
    page.goto(f"{running.address}/t/{links['table']}#seat={links['secret']}")
    page.locator(".sitting").wait_for()
    for begins in (True, False):
        with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as other:
            other.execute("begin exclusive")  # as if the disk were gone
            if begins:
                page.get_by_role("button", name="Begin", exact=True).click()
            else:
                page.get_by_role("button", name="Menu").first.click()
                page.get_by_role("button", name="Pause").click()
            expect(page.locator("#room")).to_contain_text("Nothing can be stored just now")
            other.execute("commit")
        expect(page.locator("#room")).not_to_contain_text("Nothing can be stored")
        if begins:
            page.locator("#mine .own").wait_for()
    assert running.errors == []
    running.stop()


def test_who_has_not_heard_that_a_seat_is_theirs_asks_again_and_has_it(running: Running) -> None:
    links = running.do(running.house.open("hearts", "Anna"))
    page, asked = running.person(), list[int]()

    def loses_the_first(route: Route) -> None:
        found = route.fetch()
        asked.append(found.status)
        if len(asked) == 1:
            route.abort()
        else:
            route.fulfill(response=found)

    page.route("**/seats", loses_the_first)
    page.goto(f"{running.address}/t/{links['table']}#join={links['join']}")
    page.locator("#my-name").fill("Ben")
    for times in (1, 2):
        page.get_by_role("button", name="Sit down", exact=True).click()
        wait_until(page, lambda times=times: len(asked) == times)  # type: ignore[misc]
    expect(page.locator(".sitting .taken")).to_contain_text(["Anna", "Ben you"])
    expect(page.locator(".sitting .taken")).to_have_count(2)
    assert asked == [200, 200]
    assert [key for key in page.evaluate("Object.keys(localStorage)") if ".sits." in key] == []
    assert all("ERR_FAILED" in error for error in running.errors)


def wait_until(page: Page, holds: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE / 1000
    while not holds():
        assert time.monotonic() < until
        page.wait_for_timeout(30)
