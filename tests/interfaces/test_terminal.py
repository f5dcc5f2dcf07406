"""Playing at a terminal: menus, what typed text means, what is shown to whom, time in a race, and crashes."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import time

import pytest
from pseudo_terminal import Terminal
from rich.console import Console
from small import GRABS

import interpreter
from interpreter.engine.notation import IllegalMove
from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.groups import by_action
from interpreter.interfaces.terminal.ending import Left
from interpreter.interfaces.terminal.keyboard import EndOfInput, Interrupted, Keyboard
from interpreter.interfaces.terminal.match import Table
from interpreter.interfaces.terminal.menu import menu, understand
from interpreter.interfaces.terminal.screen import Screen
from interpreter.interfaces.terminal.telling import LEFT_OUT, Telling
from interpreter.players.honor_bot import Manners
from interpreter.players.monte_carlo import new_bot
from interpreter.players.random_bot import RandomBot
from interpreter.words.drawing import by_suit, position
from interpreter.words.lines import MOVE, NEWS, Line, together
from interpreter.words.voice import Voice

TEN = Line(MOVE, "P1 plays 10♥.")
TRICK = {"at": "tricks", "current": "P1", "trick number": 3, "hand": {
    "P1": "2D 10H QS", "P2": "5D JD 6C", "P3": "5C AH KS", "P4": "6D 7H 8S"}}  # fmt: skip


@pytest.fixture(scope="module")
def hearts():
    return interpreter.load("hearts")


@pytest.fixture
def grabs(tmp_path):
    path = tmp_path / "grabs.yaml"
    path.write_text(GRABS)
    return path


# ---- menus ------------------------------------------------------------------------------------------


def test_few_moves_are_listed_as_the_hand_is_laid_out(hearts):
    state = hearts.game().start(given=TRICK)
    offered = menu(state, 0)
    assert [str(move) for move in offered.listed] == ["play 2D", "play QS"]
    assert offered.patterns == ()


def test_many_choices_are_described_and_not_listed(hearts):
    state = hearts.game().start(seed=1)
    offered = menu(state, 0)
    assert offered.listed == ()
    assert [(p.form, p.told) for p in offered.patterns] == [
        ("pass CARD CARD CARD", "choose 3 of 13 cards, such as 'pass 2D 2H 3H'")
    ]


@pytest.mark.parametrize(
    ("choose", "told"),
    [
        ("{melds: set, from: hand, count: 1..2}", "lay CARDS / CARDS: 612 ways, such as 'lay 3C 3D 3H / 4C 4D 4H'"),
        ("{meld: set, from: hand}", "lay CARDS: 36 ways, such as 'lay 3C 3D 3H'"),
    ],
)  # fmt: skip
def test_of_many_melds_no_number_of_cards_is_told(tmp_path, choose, told):
    (tmp_path / "melds.yaml").write_text(
        "format: 1\nid: melds\nname: Melds\nplayers: {min: 2, max: 2}\npack: {standard: 1}\n"
        "zones: {stock: {pack: true}, hand: {each: player, seen by: owner}}\nmelds: {set: {same: rank, size: 3}}\n"
        "flow:\n  match: {do: [go]}\n  go: {kind: turn, first: P1, actions: {lay: {choose: {m: CHOOSE}}}}\n".replace(
            "CHOOSE", choose
        )
    )
    held = " ".join(f"{rank}{suit}" for rank in "3456789JQ" for suit in "CDHS")
    given = {"at": "go", "hand": {"P1": held}, "rest": "stock"}
    offered = menu(interpreter.load(tmp_path / "melds.yaml").game().start(seed=1, given=given), 0)
    assert [f"{pattern.form}: {pattern.told}" for pattern in offered.patterns] == [told]


def test_runs_of_an_action_are_found_without_listing_them(hearts):
    game = interpreter.load("pig").game(4)
    state = game.start(seed=1)
    runs = [(action, len(moves)) for action, moves in by_action(state.legal_moves(0))]
    assert runs == [("pass", 4)]
    parts = [(action, [str(m) for m in moves]) for action, moves in by_action(state.possible_moves(0))]
    assert [m for _, moves in parts for m in moves] == [str(m) for m in state.possible_moves(0)]


def test_on_honour_the_laws_do_not_choose_and_claims_stand_apart(hearts):
    state = hearts.game(enforcement="honor").start(given=TRICK)
    offered = menu(state, 0)
    assert [str(move) for move in offered.listed] == ["play 2D", "play QS", "play 10H"]
    assert offered.claims == ("claim P2", "claim P3", "claim P4")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2", "play QS"),
        ("2.", "play QS"),
        ("play QS", "play QS"),
        ("Play qs", "play qs"),
        ("qs", "play QS"),
        ("Q♠", "play QS"),
        ("pl 2d", "play 2d"),
        ("10h", "play 10H"),  # not lawful, but clear: the law can answer
        ('QS "take that"', 'play QS "take that"'),
        ('1 "hm"', 'play 2D "hm"'),
    ],
)
def test_what_is_typed_may_be_short(hearts, typed, meant):
    state = hearts.game().start(given=TRICK)
    assert understand(state, 0, typed, menu(state, 0)) == meant


def test_several_cards_may_be_typed_alone(hearts):
    state = hearts.game().start(seed=1)
    assert understand(state, 0, "2d, 5s 9h", menu(state, 0)) == "pass 2D 5S 9H"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("3", "there is no move number 3; they go from 1 to 2"),
        ('"hello"', "write what you do before what you say"),
        ("banana", "'banana' is not a card such as 10H|'banana' is not a card"),
    ],
)
def test_what_means_nothing_is_explained(hearts, typed, message):
    state = hearts.game().start(given=TRICK)
    with pytest.raises(IllegalMove) as caught:
        state.play(0, understand(state, 0, typed, menu(state, 0)))
    assert re.search(message, caught.value.message)


def test_an_action_of_another_stage_is_nothing_that_can_be_done_now(hearts):
    state = hearts.game().start(seed=1)
    with pytest.raises(IllegalMove, match="'play' is nothing that can be done now") as caught:
        state.play(0, understand(state, 0, "play 2D", menu(state, 0)))
    assert caught.value.about is None


# ---- what is shown ------------------------------------------------------------------------------------


def test_cards_are_laid_out_by_suit_in_alternating_colours():
    ranks = ["2", "3", "10", "J", "A"]
    assert by_suit(["AH", "10S", "2C", "JD", "3C", "JK"], ranks) == ["2C 3C", "JD", "10S", "AH", "JK"]


def test_a_position_shows_nothing_that_the_view_hides(hearts):
    state = hearts.game().start(given=TRICK)
    lines = "\n".join(position(state.view(0), state.game.program.ranks))
    assert "your hand: 2D   QS   10H" in lines
    for hidden in ("5D", "JD", "6C", "5C", "AH", "KS", "6D", "7H", "8S"):
        assert hidden not in lines


def screen_text(color: bool = False, encoding: str = "utf-8", width: int = 90) -> tuple[Screen, io.TextIOWrapper]:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    return Screen(Console(file=stream, width=width, force_terminal=color, highlight=False)), stream


def test_the_last_words_come_through_if_an_interrupt_caught_the_console_amid_writing():
    stream = io.StringIO()
    console = Console(file=stream)
    screen = Screen(console)
    console.__enter__()  # what it writes is kept until it leaves, and an interrupt has come before that
    screen.say("lost")
    screen.leave("stopped: the match is not finished")
    assert stream.getvalue() == "stopped: the match is not finished\n"


def written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode(stream.encoding)  # type: ignore[attr-defined]


def test_suits_are_symbols_where_the_terminal_has_them():
    screen, stream = screen_text()
    screen.told([TEN])
    assert written(stream) == "P1 plays 10♥.\n"
    screen, stream = screen_text(encoding="ascii")
    screen.told([Line(MOVE, "Ben plays 10♥: “Ten!”")])
    assert written(stream) == 'Ben plays 10H: "Ten!"\n'


def test_cards_are_in_colour_unless_that_is_not_wanted(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    screen, stream = screen_text(color=True)
    screen.told([TEN])
    assert "\x1b[1;31m10♥" in written(stream)
    monkeypatch.setenv("NO_COLOR", "1")
    screen, stream = screen_text(color=True)
    screen.told([TEN])
    assert "31m" not in written(stream)


def test_on_a_narrow_terminal_a_long_line_goes_on_below_from_a_word_on(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    screen, stream = screen_text(color=True, width=40)
    screen.told([Line(MOVE, "  Christopher takes the trick with 10♥ 5♦ 7♦ J♣ and gives two cards to Ben.")])
    lines = [re.sub("\x1b\\[[0-9;]*m", "", line).rstrip() for line in written(stream).splitlines()]
    assert lines == [
        "  Christopher takes the trick with 10♥",
        "      5♦ 7♦ J♣ and gives two cards to",
        "      Ben.",
    ]
    screen, stream = screen_text(width=40)  # what goes into a file stays as it is
    screen.told([Line(MOVE, "x" * 30 + " y" * 10)])
    assert written(stream) == "x" * 30 + " y" * 10 + "\n"


def test_what_is_done_in_a_row_stands_on_one_line():
    lines = [Line(MOVE, "P3 plays 2♣."), Line(MOVE, "P4 plays 6♣."), Line(NEWS, "P4 takes trick 1."), TEN]
    assert [line.text for line in together(lines, 80)] == [
        "P3 plays 2♣. P4 plays 6♣.", "P4 takes trick 1.", "P1 plays 10♥.",
    ]  # fmt: skip
    assert list(together(lines[:2], 20)) == lines[:2]


# ---- at the table -------------------------------------------------------------------------------------


def test_what_happens_again_and_again_is_told_once_with_how_often():
    screen, stream = screen_text()
    screen.chronicle([Line(NEWS, "Everybody receives a card.")] * 3 + [Line(NEWS, "P3 loses a life.")])
    assert written(stream) == "Everybody receives a card. (3 times)\nP3 loses a life.\n"


def sit(state, typed: str, humans=(0,), **more):
    """Play with lines from a text; returns what was shown, and why it ended before the end (or '')."""
    screen, stream = screen_text()
    bots = {p: RandomBot(p) for p in range(state.game.program.n) if p not in humans}
    table = Table(
        state, tuple(humans), bots, screen, Keyboard(io.StringIO(typed)), RandomBot(99), lambda: "THE RULES\n", **more
    )
    try:
        table.run()
        why = ""
    except Left as left:
        why = str(left)
    return written(stream), why


def test_a_move_is_made_refused_and_told(hearts):
    state = hearts.game().start(given=TRICK)
    shown, why = sit(state, "10h\n1\n")
    assert why == "the input has ended"
    assert "P1> 10h\nHearts are not broken: lead one of 2♦, Q♠.\n" in shown
    assert "P1> 1\nYou play 2♦.\n" in shown
    assert state.zone("hand", 0) == ["10H", "QS"] or "2D" not in state.zone("hand", 0)


def test_a_person_who_has_no_lawful_move_is_told_why(tmp_path):
    (tmp_path / "t.yaml").write_text(
        "format: 1\nid: t\nname: T\nextends: hearts\nflow: {tricks: {follow: {must: {no_queens: card.rank != Q}}}}\n"
    )
    given = {"at": "tricks", "current": "P4", "trick number": 3, "hand": {"P1": "QD 3C", "P4": "2D 3D"}}
    state = interpreter.load(tmp_path / "t.yaml").game().start(given=given)
    state.play(3, "play 2D")
    with pytest.raises(RuleError, match=r"P1 has no lawful move in 'tricks'.*\n.*the law 'no_queens' refuses play QD"):
        sit(state, "QD\n")


DEAD_END = """\
format: 1
id: dead-end
name: Dead End
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, gift: {each: player, seen by: none}}
state: {score: {each: player, type: integer, lasts: match, max: 5}}
flow:
  match: {setup: shuffle stock; deal 3 from stock to hand, do: [laying]}
  laying:
    kind: turn
    first: P1
    turns: 20
    actions:
      lay: {choose: {card: {from: hand}}, must: {ours: actor = P1}, effect: move card to gift}
      take: {when: actor = P1, effect: move 1 from stock to hand; stay}
      brag: {when: actor = P1, effect: add 9 to score; stay}
"""


class Person(Keyboard):
    """Somebody at a keyboard, who types these lines, each when nobody else is about to move."""

    is_person = True

    def line(self, seconds: float | None = None) -> str | None:
        return super().line(seconds) if seconds is None else None


class Interrupting(Person):
    """One who presses Ctrl+C when there is no more to be typed."""

    def line(self, seconds: float | None = None) -> str | None:
        try:
            return super().line(seconds)
        except EndOfInput:
            raise Interrupted from None


@pytest.fixture
def dead_end(tmp_path, monkeypatch):
    monkeypatch.setattr("interpreter.interfaces.terminal.others.PAUSE", 0)
    return tmp_path


def sit_in_dead_end(tmp_path, typed: str, who: type[Person] = Person) -> tuple[str, str, interpreter.State]:
    (tmp_path / "t.yaml").write_text(DEAD_END)
    state = interpreter.load(tmp_path / "t.yaml").game().start(seed=1)
    screen, stream = screen_text()
    table = Table(state, (0,), {1: RandomBot(1)}, screen, who(io.StringIO(typed)), RandomBot(9), lambda: "")
    with pytest.raises((Left, RuleError)) as ended:
        table.run()
    return written(stream), str(ended.value), state


def test_a_bot_that_cannot_move_betrays_no_card_and_its_person_takes_a_move_back_or_leaves(dead_end):
    shown, why, state = sit_in_dead_end(dead_end, "1\nundo\ntake\n1\nquit\ny\n")
    assert shown.count("P2 has no lawful move in 'laying'") == 2
    assert shown.count("the law 'ours' refuses 3 moves") == 2
    assert not any(card in shown for card in state.zone("hand", 1))
    assert "Your last move can be taken back with undo" in " ".join(shown.split())
    assert state.position.record_moves[0][2] == "take"
    assert why == "you have left the match"


def test_who_is_interrupted_where_the_rules_cannot_go_on_leaves_the_match(dead_end):
    shown, why, _ = sit_in_dead_end(dead_end, "1\nscores\n", Interrupting)
    assert "Your last move can be taken back with undo" in " ".join(shown.split())
    assert why == "you have left the match"


def test_a_move_after_which_the_rules_cannot_go_on_is_not_done_and_another_can_be_made(dead_end):
    shown, why, state = sit_in_dead_end(dead_end, "brag\ntake\nquit\ny\n")
    assert "so it is not done" in " ".join(shown.split()) and "it goes from" in " ".join(shown.split())
    assert [move for _, _, move, _ in state.position.record_moves] == ["take"]
    assert why == "you have left the match"


def test_who_has_looked_at_the_hand_cannot_take_that_back_and_bid_blind():
    state = interpreter.load("spades").game().start(seed=1, given={"at": "bidding", "current": "P1", "rest": "stock",
                                                                   "packet": {"P1": "2C 3C"}})  # fmt: skip
    shown, _ = sit(state, "look\nundo\n")
    assert "That move is not taken back" in shown and "what was seen stays seen." in " ".join(shown.split())
    assert not state.zone("packet", 0) and "blind_nil" not in map(str, state.legal_moves(0))


@pytest.mark.parametrize("humans", [(), (1,)], ids=["bots alone", "a person among them"])
def test_what_has_happened_is_told_before_the_error_of_rules_that_cannot_go_on(tmp_path, humans):
    (tmp_path / "t.yaml").write_text("""\
format: 1
id: stopping
name: Stopping
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player}, trick: {}}
flow:
  match: {setup: "move 2 from stock to hand of P1; move 1 from stock to hand of P2", do: [tricks]}
  tricks: {kind: trick, leader: P1, on trick: move all from trick to stock}
""")
    state = interpreter.load(tmp_path / "t.yaml").game().start(seed=3)
    screen, stream = screen_text()
    bots = {player: RandomBot(player) for player in range(2) if player not in humans}
    table = Table(state, humans, bots, screen, Keyboard(io.StringIO("1\n")), RandomBot(9), lambda: "")
    with pytest.raises(RuleError, match="P2 has no lawful move"):
        table.run()
    assert re.search(r"takes? trick 1\.\nP1 plays .*\.\n\Z", written(stream)), written(stream)


def test_who_is_asked_when_the_rules_cannot_go_on_reads_why_below_the_prompt():
    screen, stream = screen_text()
    screen.prompt("P1")
    screen.end()
    assert written(stream) == "P1> \n"


def test_bots_play_until_a_person_is_asked(hearts):
    state = hearts.game().start(seed=4)
    shown, _ = sit(state, "")
    assert state.actors == [0]
    assert "P2 has chosen" not in shown and "P2 passes" not in shown  # the table shows that three cards are laid aside
    assert re.search(r"^  P2 +10 +3 ", shown, re.MULTILINE)


def test_help_log_and_quit(hearts):
    state = hearts.game().start(given=TRICK)
    shown, why = sit(state, "?\nrules\n1\nlog\nquit\nplay QS\n")
    assert shown.count("THE RULES") == 1
    assert (
        "P1> ?\n"
        "  1 to 2   the move of that number\n"
        "  play 2♦  a move in words; a beginning of them will do, or only its card\n"
        "  rules    the rules of this game\n"
        "  log      what has happened\n"
        "  scores   the scores by deal\n"
        "  hint     what a bot would do, and why\n"
        "  undo     takes your last move back\n"
        "  Enter    the table once more\n"
        "  quit     leaves the match; 'houserules play --resume' goes on with it\n"
        "P1> rules\n"
    ) in shown
    assert why == "you have left the match"
    assert (
        len([line for line in shown.splitlines() if line.startswith("You play 2♦.")]) == 2
    )  # as it happened, and in the log


def test_people_are_called_by_their_names(hearts):
    state = hearts.game().start(given=TRICK)
    shown, _ = sit(state, "1\n", names=("Anna", "Ben", "Cleo", "Dora"))
    assert "Anna> 1\nYou play 2♦.\n" in shown and re.search(r"^Ben plays [5J]♦\.", shown, re.MULTILINE)
    assert re.search(r"^  Cleo +3 +0 +0  across from you", shown, re.MULTILINE)


def test_the_scores_are_kept_by_deal_and_shown_at_any_time_and_at_the_end(hearts):
    game = hearts.game(options={"target": 20})
    shown, _ = sit(game.start(seed=4), "", humans=())
    assert re.search(r"\n +P1 +P2 +P3 +P4\n +1( +\d+ \(\+\d+\)){4}\n", shown)
    shown, _ = sit(game.start(seed=4), "scores\n")
    assert "> scores\n  Nobody has scored so far.\n" in shown


def test_what_is_always_shown_comes_first_even_if_there_is_nothing_in_it(tmp_path):
    (tmp_path / "t.yaml").write_text("format: 1\nid: t\nname: T\nextends: hearts\nalways shown: [broken, score]\n")
    state = interpreter.load(tmp_path / "t.yaml").game().start(given=TRICK)
    shown, _ = sit(state, "")
    assert "\n  hearts broken: no\n" in shown
    assert list(state.view(0)["values"]) != ["broken", "score"]  # views stay as they are


def test_a_match_of_bots_reaches_its_end(hearts):
    state = hearts.game(options={"target": 10}).start(seed=4)
    shown, why = sit(state, "", humans=())
    assert why == ""
    assert state.over
    assert re.search(r"P\d( and P\d)* wins? with \d+ points\.", shown)
    assert re.search(r"^P\d takes trick 1\.$", shown, re.MULTILINE)


def test_people_take_turns_before_a_cleared_screen(hearts):
    state = hearts.game(3, {"pass_count": 0}).start(
        given={
            "at": "tricks",
            "current": "P1",
            "trick number": 3,
            "hand": {"P1": "3D 4D", "P2": "5D JD", "P3": "5C AH"},
        }
    )
    shown, why = sit(state, "\n1\n\n1\n", humans=(0, 1, 2))
    first, second, third = (
        shown.split("pass to P2, press Enter")[0],
        *shown.split("pass to P2, press Enter")[1].split("pass to P3, press Enter"),
    )
    assert "pass to P1, press Enter" in first
    assert "your hand: 3♦ 4♦" in first and "5♦" not in first
    assert "your hand: 5♦ J♦" in second and "4♦" not in second
    assert "A♥" not in third  # nobody has pressed Enter yet
    assert why == "the input has ended"


def test_what_people_decide_with_their_bodies_is_drawn_unless_typed(grabs):
    state = interpreter.load(grabs).game(2).start(seed=1)
    sit(state, "grab 1 hold=4\n")
    assert state.position.record_moves[0][1:3] == (0, "grab 1")
    assert state.position.record_moves[0][3]["hold"] == 4
    assert state.position.record_moves[0][3]["end"] >= 0
    state = interpreter.load(grabs).game(2).start(seed=1)
    sit(state, "1\n")
    assert 0 <= state.position.record_moves[0][3]["hold"] <= 9


def test_in_a_race_bots_do_not_wait(grabs):
    read_end, write_end = os.pipe()  # somebody who sits there and types nothing
    state = interpreter.load(grabs).game(3).start(seed=1)
    screen, _ = screen_text()
    with os.fdopen(read_end) as typed:
        bots = {1: RandomBot(1), 2: RandomBot(2)}
        begun = time.monotonic()
        Table(state, (0,), bots, screen, Keyboard(typed), RandomBot(9), str).run()
        seconds = time.monotonic() - begun
        os.close(write_end)
    assert state.over
    ends = [extra["end"] for _, _, _, extra in state.position.record_moves]
    assert ends == sorted(ends) and ends[0] >= RandomBot.FASTEST
    assert ends[-1] / 1000 <= seconds + 0.1


def test_several_people_race_at_one_keyboard(grabs):
    state = interpreter.load(grabs).game(3).start(seed=1)
    shown, why = sit(state, "grab 1\nP2 grab 1\nP3 grab 2\n", humans=(0, 1, 2))
    assert "Write who you are before your move" in shown
    assert [(p, text) for _, p, text, _ in state.position.record_moves] == [(1, "grab 1"), (2, "grab 2")]
    assert why == "" and state.over
    assert "your hand" not in shown and "stock -> hand" not in shown


TALKATIVE = """\
format: 1
id: talkative
name: Talkative
players: {only: [2], default: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}}
flow:
  match: {do: [play]}
  play: {kind: turn, turns: 9 each, actions: {talk: {effect: 'NOTE'}}}
"""


@pytest.mark.parametrize(("times", "letters", "kept"), [(15_000, 1, 200), (300, 300, 66), (150, 300, 66), (50, 9, 50)])
@pytest.mark.parametrize("reader", [0, None])
def test_of_very_much_that_has_happened_people_read_the_end(tmp_path, reader, times, letters, kept):
    path = tmp_path / "talkative.yaml"
    note = f'for i in 1..{times // 50} do for j in 1..50 do note "{"x" * letters}" end end'
    path.write_text(TALKATIVE.replace("NOTE", note))
    state = interpreter.load(path).game().start(seed=1)
    state.play(0, "talk")
    for people in ((0, 1), ()):
        lines = [*Telling(state, Voice(state.position, ("Anna", "Ben")), people).news(reader if people else None)]
        assert len([line for line in lines if line.text.startswith("X")]) == (kept if people else times)
        assert (lines[0] == LEFT_OUT) == (times > kept and people != ())
    assert lines[0].text == "Anna talks."  # whoever watches bots reads all


def test_equal_seeds_give_equal_matches_of_bots(grabs):
    def match() -> str:
        state = interpreter.load(grabs).game(4).start(seed=6)
        sit(state, "", humans=())
        return state.record()

    assert match() == match()


# ---- on honour ------------------------------------------------------------------------------------------


SAID = {"at": "play", "current": "P1", "discard": "5S", "stock": "3S 4S 3D 4D 7D", "hand": {
    "P1": "6S 9D 9H", "P2": "3C 3D 3H", "P3": "4C 4D 4H"}}  # fmt: skip


@pytest.fixture(scope="module")
def on_honour():
    return interpreter.load("georgia-spoons").game(3, enforcement="honor")


def watchful(person: int) -> dict[int, RandomBot]:
    return {p: new_bot("random", p, Manners(notices=1)) for p in range(3) if p != person}


def sit_on_honour(state, typed: str, bots) -> str:
    screen, stream = screen_text()
    with pytest.raises(Left):
        Table(state, (0,), bots, screen, Keyboard(io.StringIO(typed)), RandomBot(99), str).run()
    return written(stream)


def test_what_can_be_done_at_any_time_stands_apart(on_honour):
    offered = menu(on_honour.start(given=SAID), 0)
    assert [str(move) for move in offered.listed] == ["play 9D", "play 6S", "play 9H", "draw", "pass"]
    assert offered.claims == ("razz P2", "razz P3", "hide_hand")
    assert "\n  you may also: razz P2, razz P3, hide hand\n" in sit_on_honour(on_honour.start(given=SAID), "", {})


def test_who_forgets_what_is_to_be_said_is_caught(on_honour):
    shown = sit_on_honour(on_honour.start(given=SAID), "play 6S\n", watchful(0))
    assert re.search(r"(P[23]) says that you have slipped\.\n\1 has caught you \(name\)\.\nZZZZT!\n", shown)
    assert "Draw the penalty." in shown


def test_who_says_it_is_left_alone(on_honour):
    shown = sit_on_honour(on_honour.start(given=SAID), '6s "six"\n', watchful(0))
    assert "You: “six”\nYou play 6♠.\n" in shown
    assert "slipped" not in shown


def test_a_claim_without_a_reason_is_told_as_wrong(on_honour):
    shown = sit_on_honour(on_honour.start(given=SAID), "razz P3\n", watchful(0))
    assert "You say that P3 has slipped.\nYou are wrong: P3 has nothing to pay for now.\n" in shown
    assert re.search(r"P[23] has caught you \(wrong razz\)", shown)


def test_one_claim_is_enough(on_honour):
    state = on_honour.start(given=SAID)
    sit_on_honour(state, "play 6S\n", watchful(0))
    assert [event.words for event in state.log if event.kind == "claim"] == ["against P1 upheld: name"]


def test_out_of_turn_a_number_or_a_card_alone_is_no_move(on_honour):
    """Nothing on the screen says what it would mean, and a play out of turn is a slip."""
    state = on_honour.start(given={**SAID, "current": "P2"})
    table = Table(state, (0,), watchful(0), screen_text()[0], Keyboard(io.StringIO("")), RandomBot(9), str)
    for typed in ("1", "6S"):
        with pytest.raises(IllegalMove):
            state.parse(0, understand(state, 0, typed, table._offered_to(0)))
    assert understand(state, 0, "razz P2", table._offered_to(0)) == "razz P2"
    assert understand(state, 0, 'play 6S "six"', table._offered_to(0)) == 'play 6S "six"'


def test_bots_on_honour_play_the_same_match_for_the_same_seed(on_honour):
    def match() -> str:
        state = on_honour.start(seed=6)
        screen, _ = screen_text()
        bots = {p: new_bot("random", p, Manners(0.2, 0.7)) for p in range(3)}
        table = Table(state, (), bots, screen, Keyboard(io.StringIO("")), RandomBot(9), str)
        now = 0
        for _ in range(120):
            table.others.schedule(now, quick=False)
            now = max(now, table.others.first_due())
            table.others.act(now, None)
        return state.record()

    assert match() == match()
    assert "razz" in match()


# ---- the keyboard ---------------------------------------------------------------------------------------


def test_a_keyboard_waits_only_as_long_as_it_may():
    read_end, write_end = os.pipe()
    with os.fdopen(read_end) as stream:
        keyboard = Keyboard(stream)
        assert keyboard.line(0.05) is None
        os.write(write_end, "zwölf\r\nhal".encode())
        assert keyboard.line(5) == "zwölf"
        assert keyboard.line(0.05) is None
        os.close(write_end)
        assert keyboard.line(5) == "hal"
        for _ in range(2):
            with pytest.raises(EndOfInput):
                keyboard.line(5)


def test_reaction_times_are_those_of_people():
    bot = RandomBot(1)
    times = sorted(bot.reaction() for _ in range(1000))
    assert times[0] >= RandomBot.FASTEST
    assert 1000 < times[500] < 1500
    assert times[-1] < 10_000
    again = RandomBot(1)
    assert sorted(again.reaction() for _ in range(1000)) == times


# ---- the whole program, at a real terminal ------------------------------------------------------------------


def test_a_match_survives_being_killed_at_any_moment(tmp_path):
    record = tmp_path / "match.jsonl"
    terminal = Terminal("play", "hearts", "-p", "3", "-o", "pass_count=0", "--seed", "4", "--record", str(record))
    terminal.until("P1>")
    terminal.type("1\n")
    terminal.until("P3 plays")
    terminal.process.send_signal(signal.SIGKILL)
    terminal.end()
    before = record.read_text()
    moves = len(before.splitlines()) - 1
    assert moves >= 3 and before.endswith("\n")  # at least what was shown
    terminal = Terminal("play", "--resume", str(record))
    terminal.until(f"{moves} moves were made")
    terminal.until("P1>", 30)
    terminal.type("quit\n")
    terminal.until("Leave? y or n:")
    terminal.type("y\n")
    terminal.until(f"go on with: houserules play --resume {record}")
    assert terminal.end() == 0
    assert record.read_text().startswith(before)


def test_a_terminal_shows_colours_and_takes_an_interrupt():
    terminal = Terminal("play", "hearts", "-p", "3", "-o", "pass_count=0", "--seed", "4")
    shown = terminal.until("lead: play a card.")
    assert re.search("\x1b\\[[0-9;]*31mJ♥", shown)
    terminal.until(">")
    terminal.process.send_signal(signal.SIGINT)
    terminal.until("the match is not finished")
    assert terminal.end() == 0


def test_no_color_is_respected_at_a_terminal():
    terminal = Terminal("play", "hearts", "-p", "3", "-o", "pass_count=0", "--seed", "4", NO_COLOR="1")
    shown = terminal.until("P1>")
    assert "31m" not in shown and "J♥" in shown
    terminal.type("\x04")
    terminal.until("Leave? y or n:")
    terminal.type("\x04")  # said twice it is meant
    terminal.until("you have left the match: the match is not finished")
    assert terminal.end() == 0


def test_the_time_of_a_move_in_a_race_is_recorded(grabs, tmp_path):
    record = tmp_path / "race.jsonl"
    terminal = Terminal("play", str(grabs), "--seed", "1", "--humans", "1", "--bots", "1", "--record", str(record))
    terminal.until("P1>")
    terminal.type("grab 1\n")
    terminal.until(" with 2 points.")
    assert terminal.end() == 0
    lines = [json.loads(line) for line in record.read_text().splitlines()[1:]]
    ends = [line["end"] for line in lines]
    assert ends == sorted(ends) and len(lines) == 1  # one spoon for two; on a slow machine the bot has it
    assert interpreter.replay(record.read_text()).over


def test_without_a_game_those_that_there_are_are_offered():
    terminal = Terminal("play")
    number = terminal.until(" Hearts").splitlines()[-1].split()[0]
    terminal.until("Which game")
    terminal.type(f"{number}\n")
    terminal.until("Hearts, 4 players")
    terminal.type("quit\n")
    terminal.until("Leave? y or n:")
    terminal.type("y\n")
    terminal.until("the match is not finished")
    assert terminal.end() == 0


def test_with_people_bots_slip_and_notice_unless_it_is_said_otherwise():
    terminal = Terminal("play", "georgia-spoons", "-p", "3", "--honor", "--seed", "3")
    terminal.until("the bots slip 10% of the time and notice 50% of the faults they can see")
    terminal.until("P1>")
    terminal.type("quit\n")
    terminal.until("Leave? y or n:")
    terminal.type("y\n")
    terminal.until("the match is not finished")
    assert terminal.end() == 0


def test_a_person_can_claim_while_bots_are_due():
    terminal = Terminal(
        "play", "georgia-spoons", "-p", "3", "--honor", "--seed", "3", "--forgets", "1", "--notices", "0"
    )
    terminal.until("at any moment, also when it is not your turn: razz P2")
    terminal.until("the bots slip 100% of the time and never notice a fault")
    terminal.until("P1>")
    terminal.type("draw\n")  # whatever it is now; a bot is due afterwards
    terminal.type("razz P2\n")
    terminal.until("You say that P2 has slipped", 40)
    shown = terminal.until("ZZZZT!")
    assert "You have caught P2" in shown or "You are wrong" in shown
    terminal.process.send_signal(signal.SIGINT)
    terminal.until("the match is not finished")
    assert terminal.end() == 0
