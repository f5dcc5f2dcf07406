"""Lines at a real terminal: what is typed stays while others act, is found again, is completed; pages and questions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pseudo_terminal import Terminal

import interpreter
from interpreter.interfaces.terminal.menu import Menu, menu
from interpreter.interfaces.terminal.suggestions import COMMANDS, Suggestions, suggested

HEARTS = ("play", "hearts", "-p", "3", "-o", "pass_count=0", "--seed", "4", "--skill", "easy")
UP = "\x1b[A"


def leave(terminal: Terminal) -> None:
    terminal.type("quit\n")
    terminal.until("Leave? y or n:")
    terminal.type("y\n")
    terminal.until("the match is not finished")
    assert terminal.end() == 0


def test_what_is_typed_stays_while_others_play() -> None:
    terminal = Terminal(*HEARTS)
    terminal.until("P1>")
    terminal.type("1\nsco")
    terminal.until("P2 plays")
    terminal.until("P3 plays")
    assert "sco" in terminal.until("sco")  # below what was told, it stands there again
    terminal.type("res\n")
    terminal.until("Nobody has scored so far.")
    leave(terminal)


def test_what_was_typed_is_found_again_and_begun_words_are_completed() -> None:
    terminal = Terminal(*HEARTS)
    terminal.until("P1>")
    terminal.type("sco\t\n")
    terminal.until("Nobody has scored so far.")
    terminal.until("P1>")
    terminal.type(f"{UP}\n")
    terminal.until("Nobody has scored so far.")
    leave(terminal)


def test_who_does_not_want_to_leave_stays() -> None:
    terminal = Terminal(*HEARTS)
    terminal.until("P1>")
    for key in ("\x03", "\x04"):
        terminal.type(key)
        terminal.until("The match is saved: 'houserules play --resume' goes on with it.")
        terminal.until("Leave? y or n:")
        terminal.type("n\n")
        terminal.until("P1>")
    terminal.type("1\n")
    terminal.until("You play ")
    leave(terminal)


def test_rules_are_turned_page_by_page() -> None:
    terminal = Terminal(*HEARTS, PAGER="sed -n 1s/^/PAGES:/p")
    terminal.until("P1>")
    terminal.type("rules\n")
    terminal.until("PAGES:")
    assert "Hearts" in terminal.until("P1>")
    leave(terminal)


def test_a_pager_says_how_to_leave_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LESS", raising=False)
    terminal = Terminal(*HEARTS, PAGER="printenv LESS")
    terminal.until("P1>")
    terminal.type("rules\n")
    terminal.until("q goes back")
    terminal.until("P1>")
    leave(terminal)


def test_a_terminal_that_cannot_move_its_cursor_gets_plain_lines() -> None:
    terminal = Terminal(*HEARTS, TERM="dumb")
    shown = terminal.until("P1> ")
    assert "\x1b" not in shown
    terminal.type("1\n")
    shown = terminal.until("You play ")
    assert "\x1b" not in shown
    leave(terminal)


# ---- how a line may go on -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", ["play", "2D", "QS", *COMMANDS]),
        ("p", ["play"]),
        ("q", ["QS", "quit"]),
        ("play ", ["2D", "QS"]),
        ("play q", ["QS"]),
        ("2d ", ["QS"]),
        ("play 2D ", ["QS"]),
        ("zebra", []),
    ],
)
def test_a_line_goes_on_with_what_is_offered(typed: str, words: list[str]) -> None:
    given = {"at": "tricks", "current": "P1", "trick number": 3, "hand": {"P1": "2D 10H QS", "P2": "5D JD 6C"}}
    state = interpreter.load("hearts").game().start(given=given)
    assert suggested(menu(state, 0)).after(typed) == words


def test_many_cards_and_claims_are_offered_too() -> None:
    state = interpreter.load("hearts").game().start(seed=1)
    found = suggested(menu(state, 0))
    assert {*found.after("pass ")} == {*state.zone("hand", 0)}
    on_honour = Menu((), (), ("claim P2", "claim P3"))
    assert suggested(on_honour).after("claim ") == ["P2", "P3"]


def test_who_says_first_who_they_are_is_offered_the_same_behind_it() -> None:
    found = Suggestions({"play": ("7H",)}, ("Anna", "Ben"))
    assert found.after("A") == ["Anna"]
    assert found.after("Anna p") == ["play"]
    assert found.after("Anna play ") == ["7H"]


def test_nothing_of_a_prompt_is_left_when_the_match_is_over() -> None:
    terminal = Terminal(
        "play", "hearts", "-p", "3", "-o", "target=1", "--seed", "4", "--skill", "easy", "--bots", "all"
    )
    shown = terminal.until(" wins")
    assert "P1>" not in shown and re.search("takes trick 1", shown)
    assert terminal.end() == 0


# ---- several people at one keyboard -----------------------------------------------------------------------

BURIED = """\
format: 1
id: buried
name: Buried
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, pile: {seen by: everyone}}
flow:
  match: {setup: "shuffle stock; deal 5 from stock to hand", do: [choosing, sorting]}
  choosing:
    kind: simultaneous
    actions: {bury: {choose: {card: {from: hand}}, effect: move card to stock}}
  sorting:
    kind: race
    until: all p in players have hand of p is empty
    actions: {lay: {choose: {card: {from: hand}}, effect: move card to pile}}
"""
"""A choice in secret, then a race."""
HOME, ERASE, YANK = "\x01", "\x15", "\x19"
RECORD, RECORDED, REPEAT = "\x18(", "\x18)", "\x18e"


def chosen_in_secret(tmp_path: Path, keys: str, rows: int = 0, **environment: str) -> Terminal:
    """Ana has the screen alone and has typed some keys. rows, environment: of the terminal."""
    (tmp_path / "buried.yaml").write_text(BURIED)
    names = ("--name", "Ana", "--name", "Ben")
    arguments = ("play", str(tmp_path / "buried.yaml"), "--humans", "2", *names, "--seed", "3")
    terminal = Terminal(*arguments, rows=rows, **environment)
    terminal.before = terminal.until("press Enter")
    terminal.type("\n")
    terminal.until("Ana>")
    terminal.type(keys)
    return terminal


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", UP),
        (f"lay QS{ERASE}", YANK),
        (f"{RECORD}lay QS{RECORDED}{ERASE}", REPEAT),
    ],
    ids=["what was typed", "what was erased", "keys that were recorded"],
)
def test_nobody_finds_what_somebody_typed_who_had_the_screen_alone(tmp_path: Path, before: str, after: str) -> None:
    """Neither who has it next, nor all of them together in the race behind it."""
    terminal = chosen_in_secret(tmp_path, f"{before}1\n")
    terminal.until("pass to Ben, press Enter")
    terminal.type("\n")
    terminal.until("Ben>")
    terminal.type(f"{after}X\n")
    terminal.until("I don't know “X”")  # and nothing before it
    terminal.until("Ben>")
    terminal.type(f"{before}2\n")
    terminal.until("All at once!")
    terminal.until("> ")
    terminal.type(f"{after}X{HOME}Ben \n")
    terminal.until("I don't know “X”")
    terminal.process.kill()
    terminal.end()


# ---- a terminal of one row ----------------------------------------------------------------------------------


def test_where_there_is_no_room_for_a_list_of_words_tab_completes_what_can_go_on_in_one_way() -> None:
    terminal = Terminal(*HEARTS, rows=1)
    terminal.until("P1>")
    terminal.type("\t\tsco\t\n")
    assert "Traceback" not in terminal.until("Nobody has scored so far.")
    leave(terminal)
