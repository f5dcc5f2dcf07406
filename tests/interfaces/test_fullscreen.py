"""Playing on the whole screen: keys, the table as it is drawn, time that can be stopped, and how it ends."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from textual.pilot import Pilot

import interpreter
from interpreter.api.game import Game, State
from interpreter.api.record import replay
from interpreter.api.record_file import RecordFile, go_on
from interpreter.engine.chance import Dice
from interpreter.engine.events import Event
from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces import fullscreen
from interpreter.interfaces.cli import cli
from interpreter.interfaces.fullscreen.app import FullScreen
from interpreter.interfaces.fullscreen.bindings import Keys, Rehearsal, rehearse
from interpreter.interfaces.fullscreen.board import Setting, board
from interpreter.interfaces.fullscreen.choice import Choice, Outcome
from interpreter.interfaces.fullscreen.faces import Faces
from interpreter.interfaces.fullscreen.sitting import Sitting
from interpreter.interfaces.fullscreen.summary import summary
from interpreter.interfaces.fullscreen.things import Spots, opened
from interpreter.interfaces.party import Party
from interpreter.interfaces.terminal.screen import SUITS
from interpreter.language.overlay.files import shipped
from interpreter.players.random_bot import RandomBot
from interpreter.players.realtime import Speed

GAMES = ["spit", "spit-five", "dutch-blitz", "bicycle-spoons", "georgia-spoons", "pig", "hearts", "euchre", "spades"]
STEADY = Speed(300, 0, 100)
ENTER, ESC, BACK, ASK, COLON = "enter", "escape", "backspace", "question_mark", "colon"


class Clock:
    """Seconds that go on only when a test says so."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


class Match:
    """An application that is driven by a test."""

    def __init__(
        self,
        state: State,
        speed: Speed = STEADY,
        people: int = 1,
        keepers: Sequence[RecordFile] = (),
        names: Sequence[str] = (),
        seat: int = 0,
    ) -> None:
        self.clock = Clock()
        speeds = [speed] * (state.game.program.n - people)
        self.sitting = fullscreen.seat(state, Party((seat,) if people else (), names), speeds, keepers, self.clock)
        self.state = state
        self.app = FullScreen(
            self.sitting, beat=0, rehearsed=deepcopy(rehearsed(state.game.ruleset.id)), kept=bool(keepers)
        )
        self.pilot: Pilot[Any] | None = None

    async def press(self, *keys: str) -> None:
        assert self.pilot is not None
        await self.pilot.press(*keys)
        for _ in range(3):  # a key goes from the application to the screen and back again, however busy the machine is
            await self.pilot._wait_for_screen()

    def hit(self, *keys: str | None) -> None:
        """Keys by the quick way, from where the application takes them: for long matches."""
        for key in keys:
            assert key is not None
            self.app._pressed(key)

    def wait(self, milliseconds: int) -> None:
        """Let time go on, in beats as short as they really are."""
        for _ in range(milliseconds // 20):
            self.clock.seconds += 0.02
            self.app.beat()

    async def screen(self) -> list[str]:
        """The lines of the screen as they stand there."""
        assert self.pilot is not None
        await self.pilot.pause()
        strips = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip).rstrip() for strip in strips]

    async def text(self) -> str:
        return "\n".join(await self.screen())


def drive(
    match: Match, play: Callable[[Match], Awaitable[None]], size: tuple[int, int] = (80, 24), fails: bool = False
) -> None:
    """Run the application and let somebody play. fails: whether an error is to end it."""

    async def run() -> None:
        async with match.app.run_test(size=size) as pilot:
            match.pilot = pilot
            await play(match)

    asyncio.run(run())
    if match.app.return_value is not None and not fails:
        raise match.app.return_value


def start(name: str, seed: int = 3, given: dict[str, Any] | None = None, **settings: Any) -> State:
    return interpreter.load(name).game(**settings).start(seed=seed, given=given)


SOURCES: dict[str, str] = {}
"""Where rulesets are that are not shipped."""


@cache
def rehearsed(name: str) -> Rehearsal:
    return rehearse(interpreter.load(SOURCES.get(name, name)).game())


def choice_of(state: State, player: int = 0) -> Choice:
    keys = Keys.of_game(state.game, player, deepcopy(rehearsed(state.game.ruleset.id)))
    return Choice(state, player, keys, Spots(keys.fans, state.game.program.ranks))


SPOONS: dict[str, Any] = {"at": "passing", "dealer": "P2", "spoon": {"table": 3}, "hand": {
    "P1": "7C 7D 7H 7S", "P2": "2C 3D 4H 5S", "P3": "2D 3C 4S 5H", "P4": "8C 9D 10H JS"}, "rest": "stock"}  # fmt: skip
BLITZ: dict[str, Any] = {
    "at": "race", "hand": {"P1": "9RP"}, "blitz": {"P1": "2RP 10GP", "P2": "10GC", "P3": "10GA", "P4": "10GO"},
    "post": {"P1": {"1": "3GP", "2": "8BP", "3": "3YP"}},
    "wood": {"P1": "1BP"}, "dutch": {"1": "1RC", "2": "1RA"},
}  # fmt: skip


# ---- whole matches --------------------------------------------------------------------------------------


def at_random(match: Match, dice: Dice, limit: int = 400) -> None:
    """Play on with keys drawn at random among those that may do something, until the match is over."""
    app = match.app
    for _ in range(limit):
        match.wait(300)
        if match.state.over:
            return
        if app._curtain:
            match.hit(ENTER)
            continue
        ways = app._choice.open.lawful
        if ways:
            match.hit(*(app.keys.of(thing, "P1") for thing in ways[dice.below(len(ways))].things))
    raise AssertionError("the match did not end")


def test_a_race_is_played_to_its_end_by_keys(tmp_path: Path) -> None:
    state = start("spit-five", options={"target_score": 1})
    kept = RecordFile(tmp_path / "match", state, people=1)
    match = Match(state, keepers=[kept])

    async def play(match: Match) -> None:
        assert "You are P1." in await match.text()
        at_random(match, Dice(1))
        text = await match.text()
        assert re.search(r"(You|P2|You and P2) wins? with -?\d+ points?\.", text)
        assert re.search(r"P1 \(you\) +\d +\d+ +\d+ +\d+ +\d+ +\d+", text)
        assert re.search(rf"length of the match: 0:\d\d minutes, {len(made)} moves", text)
        await match.press(ENTER)

    made = state.position.record_moves
    drive(match, play)
    assert state.over and match.sitting.moves == [sum(move[1] == p for move in made) for p in (0, 1)]
    assert min(match.sitting.moves) > 5
    assert set(match.sitting.reactions[1]) == {300}  # the bot is always as quick as it was told to be
    assert replay((tmp_path / "match").read_text()).to_json() == state.to_json()


def test_a_deal_of_spit_with_its_choice_of_a_pile() -> None:
    """The race, then slapping a pile, then the next deal: each is asked for by keys, and nothing else is needed."""
    state = start("spit", options={"stock_piles": [1, 1, 1]})

    async def play(match: Match) -> None:
        await match.press(ENTER)
        at_random_until(match, lambda: state.phase == "claiming")
        assert match.sitting.race_over and not match.sitting.runs
        assert "The race is over. Enter goes on" in await match.text()
        await match.press(ENTER)
        assert "Slap a pile, best the smaller" in await match.text()
        await match.press(match.app.keys.of(("place", "centre P1"), "P1"))  # the key that the pile has had all along
        assert any(text == "slap P1" for *_, text, _ in state.position.record_moves)
        await match.press(ENTER)
        assert state.phase == "readiness" and "ready" in await match.text()

    drive(Match(state), play)


def at_random_until(match: Match, done: Callable[[], bool]) -> None:
    dice = Dice(2)
    for _ in range(300):
        match.wait(200)
        if done():
            return
        ways = match.app._choice.open.lawful
        if ways and not match.app._curtain:
            match.hit(*(match.app.keys.of(thing, "P1") for thing in ways[dice.below(len(ways))].things))
    raise AssertionError("that was never so")


def test_the_same_keys_at_the_same_times_make_the_same_match() -> None:
    def once(wait: int) -> str:
        match = Match(start("dutch-blitz"), Speed(400, 100))

        async def play(match: Match) -> None:
            await match.press(ENTER)
            match.wait(1500)
            for key in ("space", "a", "s", "d", "space", "g", "space"):
                match.hit(key)
                match.wait(wait)

        drive(match, play)
        return match.state.record()

    first = once(600)
    assert first == once(600) != once(620)
    assert replay(first).record() == first


# ---- races one by one -------------------------------------------------------------------------------------


def test_one_key_grabs_a_spoon() -> None:
    state = start("bicycle-spoons", given=SPOONS)

    async def play(match: Match) -> None:
        await match.press(ENTER)
        match.wait(200)
        text = await match.text()
        assert "● ● ● 3 on the table" in text and "space take spoon" in text
        await match.press("space")
        assert state.view(0)["tokens"]["spoon"] == {"table": 2, "P1": 1}
        assert "P1 has 1" in await match.text()
        match.wait(1000)  # the others grab theirs, and the race is over
        text = await match.text()
        assert "The race is over" in text and "has no spoon" in text
        assert not match.sitting.runs

    drive(Match(state), play)
    tick, player, text, extra = state.position.record_moves[0]
    assert (tick, player, text) == (1, 0, "take_spoon") and extra["begin"] == extra["end"] == 200


def test_what_the_law_refuses_is_told_and_changes_nothing() -> None:
    hands = {**SPOONS["hand"], "P1": "7C 7D 7H 8S"}
    state = start("bicycle-spoons", given={**SPOONS, "hand": hands})

    async def play(match: Match) -> None:
        await match.press(ENTER)
        before = state.to_json()
        await match.press("space")
        assert "Nobody has taken a spoon yet, and you do not hold a set" in await match.text()
        await match.press("a")
        assert "nothing can be done with that now" in await match.text()
        await match.press("k")
        assert "'k' is the key of nothing here" in await match.text()
        assert state.to_json() == before
        assert match.sitting.refused == 2
        match.wait(6000)
        assert "key of nothing" not in await match.text()

    drive(Match(state, Speed(60_000)), play)


def test_a_card_goes_by_one_key_where_it_can_go_to_one_place() -> None:
    state = start("dutch-blitz", given=BLITZ)
    choice = choice_of(state)
    assert str(choice.press("g", 0).move) == "lay 1BP dutch.3"
    state.play(0, "lay 1BP dutch.3")
    assert choice.press("e", 500) == Outcome()  # the key of the place it went to, pressed besides
    assert choice.press("e", 500).refused


def test_a_card_that_can_go_to_several_places_waits_for_one() -> None:
    state = start("dutch-blitz", given=BLITZ)
    choice = choice_of(state)
    asked = choice.press("a", 0)
    assert asked.move is None and not asked.refused
    assert asked.told == (
        "q or a again: lay 2RP on the first dutch pile   w: lay 2RP on the second dutch pile   "
        "s: build 2RP on your first post   f: build 2RP on your third post"
    )
    assert str(choice.press("f", 0).move) == "build 2RP post.P1.3"
    choice.press("a", 0)
    assert str(choice.press("a", 0).move) == "lay 2RP dutch.1"
    choice.press("a", 0)
    refused = choice.press("d", 0)
    assert refused.refused and refused.told.startswith("2RP: Posts fall by one, ")
    assert str(choice.press("w", 0).move) == "lay 2RP dutch.2"  # the card is still chosen


def test_what_was_begun_is_dropped_when_others_were_quicker() -> None:
    blitz = {**BLITZ["blitz"], "P1": "10GP", "P2": "2RC 10GC", "P3": "2RA 10GA"}
    state = start("dutch-blitz", given={**BLITZ, "blitz": blitz, "wood": {"P1": "2RP"}, "post": {}})
    choice = choice_of(state)
    told = choice.press("g", 0).told
    assert told == "q or g again: lay 2RP on the first dutch pile   w: lay 2RP on the second dutch pile"
    state.play(1, "lay 2RC dutch.1")
    assert not choice.is_out_of_date() and choice.chosen
    state.play(2, "lay 2RA dutch.2")
    assert choice.is_out_of_date() and not choice.chosen


def test_of_two_who_arrive_at_the_same_moment_the_other_was_first() -> None:
    spoons = {"table": 1, "P2": 1, "P3": 1}
    state = start("bicycle-spoons", given={**SPOONS, "dealer": "P3", "spoon": spoons})

    async def play(match: Match) -> None:
        await match.press(ENTER)
        match.wait(380)
        match.clock.seconds += 0.02
        await match.press("space")
        assert match.sitting.refused == 1 and match.sitting.race_over

    drive(Match(state), play)
    made = [(player, "refused" in extra, extra["end"]) for _, player, _, extra in state.position.record_moves]
    assert sorted(made) == [(0, True, 400), (3, False, 400)]


# ---- time ---------------------------------------------------------------------------------------------


def test_a_pause_stops_the_time_and_covers_the_table() -> None:
    state = start("dutch-blitz")

    async def play(match: Match) -> None:
        match.wait(5000)
        assert state.position.tick == 0  # nothing happens before somebody has begun it
        await match.press(ENTER, "space")
        match.wait(2000)
        await match.press(ESC)
        before, text = state.to_json(), await match.text()
        assert "Paused" in text and "time stands still" in text and "0:02" in text and "blitz" not in text
        match.wait(60_000)
        await match.press("space", "a", "q")
        assert state.to_json() == before
        await match.press(ASK)
        assert "Backspace" in await match.text()
        await match.press("a", ESC)
        assert "blitz" in await match.text()
        match.wait(1000)
        assert state.to_json() != before and 2_000 < state.position.clock <= 3_000

    drive(Match(state, Speed(200)), play)


def test_the_help_stops_the_time_and_names_all_keys() -> None:
    async def play(match: Match) -> None:
        await match.press(ENTER, ASK)
        text = await match.text()
        for line in (
            "space  +begin or turn or turn over",
            "a  +your blitz pile",
            "s d f  +your posts",
            "q w e r t y u i o p 1",
        ):
            assert re.search(line, text)
        assert not match.sitting.runs
        await match.press("x")
        assert match.sitting.runs and match.state.phase == "signal"

    drive(Match(start("dutch-blitz")), play)


def test_what_a_bot_thinks_costs_nobody_time(monkeypatch: pytest.MonkeyPatch) -> None:
    state = start("dutch-blitz", given=BLITZ)
    clock = Clock()

    class Thinker(RandomBot):
        def choose(self, state: State, player: int) -> Any:
            clock.seconds += 3
            return super().choose(state, player)

    sitting = Sitting(state, 0, {p: (Thinker(p), STEADY) for p in (1, 2, 3)}, 1, clock)
    sitting.go()
    sitting.advance()
    assert sitting.now == 0
    clock.seconds += 0.3
    assert not sitting.advance()
    clock.seconds += 0.1
    assert sitting.advance() and 400 <= sitting.now < 420


# ---- the screen -----------------------------------------------------------------------------------------


def cards_on(lines: str, game: Game) -> set[str]:
    """The cards that stand in a text."""
    for letter, sign in SUITS.items():
        lines = lines.replace(sign, letter)
    return set(re.findall(r"\w+", lines)) & {card for card in game.program.cards if len(card) > 1}


@pytest.mark.parametrize("name", GAMES)
def test_the_screen_shows_the_cards_of_the_view_and_no_other(name: str) -> None:
    state = start(name)
    choice = choice_of(state)
    spots = choice._spots
    setting = Setting(choice.keys, spots, Faces(state.game))
    bot, dice = RandomBot(5), Dice(5)
    for step in range(120):
        if state.over:
            break
        actors = state.actors
        player = actors[dice.below(len(actors))]
        move = bot.choose(state, player)
        assert move is not None
        state.play(player, move, **bot.measures(state, player, move))
        if step % 8 == 0:
            view = state.view(0)
            del view["log"]
            spots.look(view)
            for size in ((80, 17), (120, 60)):
                shown = cards_on(board(view, setting, *size).plain, state.game)
                seen = cards_on(json.dumps(view), state.game)
                assert shown <= seen
                if size == (120, 60):
                    tops = {zone["cards"][0] for zone in flat(view["zones"]) if zone["cards"] and zone["cards"][0]}
                    assert tops <= shown


TRICK: dict[str, Any] = {"at": "tricks", "current": "P1", "trick number": 3, "hand": {
    "P1": "2D 10H QS", "P2": "5D JD 6C", "P3": "5C AH KS", "P4": "6D 7H 8S"}}  # fmt: skip
PEOPLE = ("Anna", "Ben", "Cleo", "Dora")


def test_people_sit_in_their_order_with_their_names_and_sides() -> None:
    async def play(match: Match) -> None:
        shown = await match.text()
        assert "You are Ben; Anna is on your right, with Cleo" in shown and "your partner" in shown
        await match.press(ENTER)
        lines = await match.screen()
        found = [line.split(" ")[0] for line in lines if line.split(" ")[0] in PEOPLE]
        assert found == ["Cleo", "Dora", "Anna", "Ben"]
        assert any(line.startswith("Dora across from you, your partner") for line in lines)
        assert any("score: Anna and Cleo 0, you and Dora 0" in line for line in lines)

    drive(Match(start("spades"), names=PEOPLE, seat=1), play, size=(100, 40))


def test_a_trick_lies_there_as_cards_below_the_names_of_their_players() -> None:
    state = start("hearts", given={**TRICK, "current": "P3"})
    state.play(2, "play 5C")
    state.play(3, "play 8S") if "play 8S" in map(str, state.legal_moves(3)) else state.play(3, "play 6D")

    async def play(match: Match) -> None:
        await match.press(ENTER)
        lines = await match.screen()
        at = next(i for i, line in enumerate(lines) if "Cleo" in line and "Dora" in line)
        assert lines[at].index("Cleo") < lines[at].index("Dora")
        assert "╭" in lines[at + 1] and any("5♣" in line for line in lines[at + 2 : at + 5])

    drive(Match(state, names=PEOPLE), play, size=(80, 24))


def test_the_hand_is_sorted_when_cards_come_to_it_and_nobody_is_in_a_hurry() -> None:
    spots = Spots(["hand"], ["2", "3", "4", "5"])
    view = {"player": "P1", "zones": {"hand": {"P1": {"cards": ["2C", "4H"]}}}}
    later = {"player": "P1", "zones": {"hand": {"P1": {"cards": ["2C", "4H", "3C"]}}}}
    spots.look(view)
    spots.look(later)
    assert spots.slots("hand P1") == ["2C", "4H", "3C"]
    spots = Spots(["hand"], ["2", "3", "4", "5"])
    spots.sorts = True
    spots.look(view)
    spots.look(later)
    assert spots.slots("hand P1") == ["2C", "3C", "4H"]
    spots.look({"player": "P1", "zones": {"hand": {"P1": {"cards": ["2C", "4H"]}}}})
    assert spots.slots("hand P1") == ["2C", None, "4H"]  # what goes leaves the keys of the others where they are


def test_the_rules_can_be_read_before_the_match_in_a_pause_and_from_the_help() -> None:
    async def play(match: Match) -> None:
        assert "r the rules" in await match.text()
        await match.press("r")
        first = await match.text()
        assert "THE AIM" in first and "Space goes on" in first
        await match.press("space")
        assert "THE AIM" not in await match.text()
        await match.press("up", "q")
        assert "Enter begins" in await match.text() and not match.sitting.runs
        await match.press("tab")
        assert "No points are kept in this game" in await match.text()
        await match.press("x", ENTER, ASK, "r")
        assert "THE AIM" in await match.text() and not match.sitting.runs
        await match.press("q")
        assert match.sitting.runs

    drive(Match(start("spit")), play)


def test_behind_the_last_page_of_the_rules_is_what_was_there_before() -> None:
    async def play(match: Match) -> None:
        await match.press("r", *["space"] * 60)
        assert "Enter begins" in await match.text()

    drive(Match(start("spit")), play)


def test_what_the_table_leaves_free_is_for_news() -> None:
    async def play(match: Match) -> None:
        await match.press(ENTER)
        for _ in range(12):
            match.app._make("decline" if match.state.phase == "racing" else str(match.state.legal_moves(0)[0]), 0)
            match.wait(3_000)
        lines = (await match.text()).splitlines()
        assert sum(line.startswith((" You ", " P2 ")) for line in lines) > 6

    drive(Match(start("spit")), play, size=(110, 44))


def test_piles_in_the_middle_are_headed_as_sentences_call_them() -> None:
    async def play(match: Match) -> None:
        await match.press(ENTER)
        text = await match.text()
        assert re.search("╭left─+╮ ╭right─+╮", text)

    drive(Match(start("spit")), play, size=(80, 40))


def test_the_scores_by_deal_are_shown_while_time_stands_still() -> None:
    async def play(match: Match) -> None:
        await match.press(ENTER, "tab")
        assert "The scores by deal." in (shown := await match.text()) and "Nobody has scored so far." in shown
        assert not match.sitting.runs
        await match.press("x")
        assert match.sitting.runs and "The scores by deal." not in await match.text()

    drive(Match(start("hearts")), play)


def test_who_leaves_is_asked_whether_they_want_to() -> None:
    async def play(match: Match) -> None:
        await match.press(ENTER, "ctrl+q")
        assert "Leave the match?" in (shown := await match.text()) and "It is not saved." in shown
        assert not match.sitting.runs
        await match.press("n")
        assert match.sitting.runs and "Leave the match?" not in await match.text()
        await match.press("ctrl+q", "ctrl+q")

    match = Match(start("hearts"))
    drive(match, play)
    assert not match.app.is_running


def test_cards_grow_with_the_window() -> None:
    state = start("hearts")
    choice = choice_of(state)
    setting = Setting(choice.keys, choice._spots, Faces(state.game))
    choice._spots.look(state.view(0))
    small, large = (board(state.view(0), setting, width, height).plain for width, height in ((80, 17), (140, 50)))
    assert "╭────╮" in small and "╭──────╮" not in small and "╭──────╮" in large
    for width in (1, 2, 3):  # too narrow to be of any use, and no fault of ours
        lines = board(state.view(0), setting, width, 60).plain.splitlines()
        assert all(len(line) <= width for line in lines)


def test_the_score_of_sides_is_told() -> None:
    state = interpreter.load("spades").game().start(seed=1, given={"at": "bidding", "score": {"T1": 120, "T2": -30}})
    choice = choice_of(state)
    setting = Setting(choice.keys, choice._spots, Faces(state.game))
    choice._spots.look(state.view(0))
    assert "score: T1 120, T2 -30" in board(state.view(0), setting, 120, 60).plain


def flat(zones: dict[str, Any]) -> list[dict[str, Any]]:
    found = []
    for zone in zones.values():
        found += [zone] if "cards" in zone else list(zone.values())
    return found


def test_a_hidden_card_is_nowhere_on_the_screen() -> None:
    state = start("pig")

    async def play(match: Match) -> None:
        await match.press(ENTER)
        for _ in range(6):
            match.wait(500)
            await match.press("a")
            text = await match.text()
            assert cards_on(text, state.game) <= cards_on(json.dumps(state.view(0)), state.game)
            hidden = set(state.zone("hand", 2)) - cards_on(json.dumps(state.view(0)), state.game)
            assert hidden and not hidden & cards_on(text, state.game)

    drive(Match(state), play)


@pytest.mark.parametrize(("name", "players"), [("spit", 2), ("dutch-blitz", 4), ("bicycle-spoons", 8), ("pig", 9)])
def test_a_small_screen_shows_all_one_needs(name: str, players: int) -> None:
    state = start(name, players=players)

    async def play(match: Match) -> None:
        await match.press(ENTER, "space")
        match.wait(3000)
        lines = await match.screen()
        assert len(lines) == 24 and all(len(line) <= 80 for line in lines)
        assert "Ctrl+Q leave" in lines[-1] and name.split("-")[0].capitalize() in "".join(lines[0]) + "Bicycle"
        text = "\n".join(lines)
        assert all(re.search(rf"^P{p} ", text, re.MULTILINE) for p in range(1, players + 1))
        own = [card for zone, place in state.view(0)["zones"].items() for card in own_tops(place)]
        assert own and set(own) <= cards_on(text, state.game)
        for key in "asd":
            assert re.search(rf"[─ ]{key}[─ ]", text)

    drive(Match(state), play)


def own_tops(zone: Any) -> list[str]:
    own = [place for label, place in zone.items() if label.split(" ")[0] == "P1"]
    return [place["cards"][0] for place in own if isinstance(place, dict) and place["cards"] and place["cards"][0]]


@pytest.mark.parametrize("size", [(120, 40), (60, 16), (40, 10), (20, 5)])
def test_screens_of_other_sizes(size: tuple[int, int]) -> None:
    async def play(match: Match) -> None:
        await match.press(ENTER, "space")
        match.wait(2000)
        lines = await match.screen()
        assert len(lines) == size[1] and "? keys" in lines[-1]
        assert size[1] < 10 or re.search("a[─ ]", "\n".join(lines))
        if size == (120, 40):  # there is room for the others' piles as boxes
            assert sum("╭" in line for line in lines) == 5

    drive(Match(start("dutch-blitz")), play, size)


def test_without_symbols_all_is_ascii() -> None:
    state = start("dutch-blitz")
    choice = choice_of(state)
    setting = Setting(choice.keys, choice._spots, Faces(state.game, symbols=False))
    for height in (10, 40):
        assert board(state.view(0), setting, 80, height).plain.isascii()


def test_bots_can_be_watched() -> None:
    state = start("spit")

    async def play(match: Match) -> None:
        assert "watching" in await match.text()
        await match.press(ENTER)
        match.wait(5000)
        await match.press("a")
        text = await match.text()
        assert state.position.tick > 5 and "you are watching" in text and "(you)" not in text

    drive(Match(state, people=0), play)


# ---- keys -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_lawful_move_can_be_made_by_keys(name: str) -> None:
    state = start(name)
    choices = [choice_of(state, player) for player in range(state.game.program.n)]
    bot, dice = RandomBot(7), Dice(7)
    for step in range(80):
        if state.over:
            break
        player = state.actors[dice.below(len(state.actors))]
        choice = choices[player]
        if step % 4 == 0:
            for way in choice.open.lawful[:12]:
                assert made_by(choice, [choice.keys.of(thing, f"P{player + 1}") for thing in way.things], way.move.text)
        move = bot.choose(state, player)
        assert move is not None
        state.play(player, move, **bot.measures(state, player, move))


def made_by(choice: Choice, keys: Sequence[str | None], wanted: str) -> bool:
    """Whether keys make a move, or one just like it; what is left to say is chosen from the list that is offered."""
    choice.drop()
    outcome = Outcome()
    for key in [*keys, *keys[-1:]]:
        assert key is not None
        outcome = choice.press(key, 0)
        choice._done = (frozenset(), 0)
        if outcome.move is not None or choice._listed:
            break
    if choice._listed:
        outcome = choice.press(next(key for key, move in choice._listed.items() if str(move) == wanted), 0)
    made = "" if outcome.move is None else outcome.move.text
    return made == wanted or made.split(" ")[0] == wanted.split(" ")[0] == "grab"


def test_keys_stay_where_they_are() -> None:
    state = start("bicycle-spoons", given={**SPOONS, "queue": {"P1": "KS QS"}})
    assert Keys.of_game(state.game, 0).all() == Keys.of_game(state.game, 0).all()
    choice = choice_of(state)
    spots = choice._spots
    assert choice.open and spots.slots("hand P1") == ["7C", "7D", "7S", "7H"]
    state.play(0, "take_up")
    assert choice.open and spots.slots("hand P1") == ["7C", "7D", "7S", "7H", "QS"]
    assert str(choice.press("d", 0).move) == "drop 7S"
    state.play(0, "drop 7S")
    assert choice.open and spots.slots("hand P1") == ["7C", "7D", None, "7H", "QS"]
    state.play(0, "take_up")
    assert choice.open and spots.slots("hand P1") == ["7C", "7D", "KS", "7H", "QS"]


def test_of_equal_cards_ones_own_is_meant() -> None:
    hand = {"P1": "3D 3S", "P2": "4S 5S", "P3": "5D", "P4": "6D"}
    state = start("georgia-spoons", given={"at": "play", "current": "P1", "discard": "3D", "hand": hand})
    choice = choice_of(state)
    assert choice.press("q", 0).refused
    assert str(choice.press("a", 0).move) == "play 3D"


def test_any_piece_will_do_or_a_certain_one() -> None:
    hand = {"P1": "3D", "P2": "4S", "P3": "5D", "P4": "6D"}
    given = {"at": "spoon_race", "with": {"caller": "P2"}, "called by": "play", "spoon": {"table": 3}, "hand": hand}
    choice = choice_of(start("georgia-spoons", given=given))
    assert str(choice.press("space", 0).move) == "grab 1"
    assert str(choice.press("3", 0).move) == "grab 3"
    assert choice.press("7", 0).refused


def test_the_big_key_is_for_what_is_open_all_the_time() -> None:
    for name, action in (("bicycle-spoons", "take_spoon"), ("pig", "take_spoon"), ("georgia-spoons", "grab")):
        assert ("action", action) in Keys.of_game(interpreter.load(name).game(), 0).things("space")


def test_cards_are_chosen_together_and_moves_are_typed() -> None:
    state = start("hearts")

    async def play(match: Match) -> None:
        await match.press(ENTER, "a", "s", "d", "d", "f")
        assert re.search(r"pass: \S+ \S+ \S+ - Enter when these are all", await match.text())
        await match.press("f", ENTER)
        assert "Choose 3 cards, not 2" in await match.text()
        match.app._tell("")
        match.app.redraw()
        assert "Pass three cards to P2, on your left." in await match.text()
        await match.press("f", ENTER)
        moves = state.position.record_moves
        assert [move[1:3] for move in moves] == [(0, "pass 3C 5C QC")] or moves
        match.wait(4000)
        assert state.phase == "tricks"
        for _ in range(8):
            match.wait(500)
            if state.actors == [0]:
                break
        card = str(state.legal_moves(0)[0]).split(" ")[1].lower()
        await match.press(COLON, *"zz", ENTER)
        assert "I don't know “zz”" in await match.text()
        await match.press(COLON, *card, ENTER)
        assert state.position.record_moves[-1][1:3] == (0, f"play {card.upper()}")

    drive(Match(state), play)


@pytest.mark.parametrize("name", sorted(shipped()))
def test_every_shipped_game_is_opened_and_played(name: str) -> None:
    """Some moves of the one who sits there, pointed at where that can be, else typed."""
    state = start(name)
    bot = RandomBot(2)

    async def play(match: Match) -> None:
        await match.press(ENTER)
        for _ in range(4):
            for _ in range(40):
                if 0 in state.actors or state.over:
                    break
                match.wait(400)
            if state.over or 0 not in state.actors:
                break
            before = len(state.position.record_moves)
            move = bot.choose(state, 0)
            assert move is not None
            ways = [way for way in match.app._choice.open.lawful if way.move.text == move.text]
            keys = [match.app._key(thing) for thing in ways[0].things] if ways else [None]
            if None not in keys and made_by(match.app._choice, keys, move.text):
                match.app._make(move.text, match.sitting.now)
            else:
                match.app._say(move.text)
            match.wait(400)
            assert len(state.position.record_moves) > before
        await match.text()

    drive(Match(state), play)


def test_melds_are_typed() -> None:
    state = start("yaniv", given={"at": "play", "hand": {"P1": "5H 5C 9D"}, "last": "2C", "current": "P1"})
    found = choice_of(state).open
    assert (found.several, found.wordy) == ((), ("lay",)) and found.lawful


def test_a_move_that_can_be_pointed_at_in_very_many_ways_is_typed(tmp_path: Path) -> None:
    """Twelve times one of sixteen equal cards, each at another place: 16^12 ways to point at one move."""
    path = tmp_path / "alike.yaml"
    path.write_text(ALIKE.format(choose=", ".join(f"c{at}: {{from: top of heap of 1}}" for at in range(12))), "utf-8")
    state = interpreter.load(path).game().start(seed=1)
    spots = Spots([], state.game.program.ranks)
    spots.look(state.view(0))
    found = opened(state, 0, spots)
    assert found.wordy == ("lay",) and found.actions == ["stop"]


def test_of_very_many_ways_that_are_refused_few_are_asked_for_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, asked = tmp_path / "refused.yaml", list[str]()
    path.write_text(
        TURNING.replace(
            "red: {must: {is_red: (top of stock) is red}", "red: {choose: {n: {number: 1..200}}, must: {no: n > 900}"
        ),
        "utf-8",
    )
    state = interpreter.load(path).game().start(seed=1)
    monkeypatch.setitem(SOURCES, "turning", str(path))
    choice = choice_of(state)
    monkeypatch.setattr(choice, "_why_not", lambda move: asked.append(move.text) or "no")
    assert choice._why(choice.open.possible) == "no" and 0 < len(asked) <= 12


def test_on_honour_no_mark_tells_what_laws_say_of_hidden_cards(tmp_path: Path) -> None:
    """Nobody looks that up; what is marked is what the player can take for lawful."""
    path = tmp_path / "turning.yaml"
    path.write_text(TURNING, "utf-8")
    marked: dict[str, set[tuple[str, ...]]] = {"red": set(), "black": set()}
    for seed in range(20):
        state = interpreter.load(path).game(enforcement="honor").start(seed=seed)
        spots = Spots([], state.game.program.ranks)
        spots.look(state.view(0))
        colour = "red" if state.zone("stock")[0][-1] in "HD" else "black"
        marked[colour].add(tuple(way.move.text for way in opened(state, 0, spots).lawful))
    assert marked["red"] == marked["black"]


TURNING = """\
format: 1
id: turning
name: Turning
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, board: {seen by: everyone}}
honor: {claim: claim, during: match, penalty: stay}
flow:
  match: {setup: shuffle stock, do: [turning]}
  turning:
    kind: turn
    actions:
      red: {must: {is_red: (top of stock) is red}, effect: move top of stock to board}
      black: {must: {is_black: (top of stock) is black}, effect: move top of stock to board}
"""
ALIKE = """\
format: 1
id: alike
name: Alike
players: {{min: 2, max: 2}}
pack: {{standard: 16, remove: [black, diamonds]}}
ranks: [2, 3, 4]
zones:
  stock: {{pack: true, seen by: none}}
  heap: {{each: 1..16, seen by: everyone}}
flow:
  match: {{setup: "for h in heap do move first c in stock where c is 2 to h end", do: [laying]}}
  laying: {{kind: turn, actions: {{lay: {{choose: {{{choose}}}}}, stop: {{}}}}}}
"""


def test_what_differs_in_words_is_chosen_from_a_list() -> None:
    state = start("spades")
    for _ in range(60):
        if state.actors == [0] and any(str(move).startswith("bid ") for move in state.legal_moves(0)):
            break
        player = state.actors[0]
        state.play(player, state.legal_moves(player)[-1])
    choice = choice_of(state)
    asked = choice.press(choice.keys.of(("action", "bid")) or "", 0)
    assert asked.move is None and "bid 3" in asked.told
    assert choice.press("%", 0).refused
    key = next(key for key, move in choice._listed.items() if str(move) == "bid 3")
    assert str(choice.press(key, 0).move) == "bid 3"


# ---- beginning and ending -----------------------------------------------------------------------------------


def test_rules_that_cannot_go_on_end_it_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(start("dutch-blitz"))

    async def play(match: Match) -> None:
        await match.press(ENTER)
        monkeypatch.setattr(match.sitting, "advance", broken)
        match.app.beat()

    def broken(before_now: bool = False) -> bool:
        raise RuleError("a bound was left")

    drive(match, play, fails=True)
    assert isinstance(match.app.return_value, RuleError)


def test_a_match_in_which_nobody_can_move_says_so(tmp_path: Path) -> None:
    path = tmp_path / "stuck.yaml"
    path.write_text(
        "format: 1\nid: stuck\nname: Stuck\nplayers: {min: 2, max: 2}\npack: {standard: 1}\n"
        "ranks: [2..10, J, Q, K, A]\nzones: {stock: {pack: true}, hand: {each: player}}\nflow:\n"
        "  match: {do: [turns]}\n  turns: {kind: turn, actions: {draw: {when: actor = P1}}}\n"
    )
    SOURCES["stuck"] = str(path)
    match = Match(interpreter.load(path).game().start(seed=1))

    async def play(match: Match) -> None:
        await match.press(ENTER, "space")
        match.wait(100)

    drive(match, play, fails=True)
    assert "P2 has no lawful move in 'turns'" in str(match.app.return_value)


def test_leaving_keeps_the_record_and_it_can_go_on(tmp_path: Path) -> None:
    path = tmp_path / "match"
    state = start("dutch-blitz")
    kept = RecordFile(path, state, people=1)

    async def play(match: Match) -> None:
        await match.press(ENTER, "space")
        match.wait(3000)
        await match.press("ctrl+q", "y")

    match = Match(state, keepers=[kept])
    drive(match, play)
    kept.close()
    assert "The match is not finished." in list(summary(match.sitting))
    found = go_on(path, keep=False)
    again = found.state
    assert found.record.people == 1 and again.to_json() == state.to_json() and found.told == []
    resumed = fullscreen.seat(again, Party(), [STEADY] * 3)
    assert resumed.now == state.position.clock > 0


def invoke(*arguments: str) -> tuple[int, str]:
    found = CliRunner().invoke(cli, ["play", *arguments])
    return found.exit_code, " ".join(found.output.split())


def test_without_textual_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual", None)
    code, told = invoke("spit", "--full-screen")
    assert code == 2 and "--full-screen needs Textual: install the extra 'tui'" in told


def test_nothing_else_needs_textual() -> None:
    code = (
        "import sys, interpreter.interfaces.cli.play, interpreter.interfaces.fullscreen; "
        "sys.exit('textual' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["spit", "--full-screen"], "--full-screen needs a terminal to fill"),
        (["spit", "--full-screen", "--honor"], "on honour one has to speak"),
        (["pig", "--full-screen", "--humans", "2"], "--full-screen is for one person"),
        (["spit", "--speeds", "300"], "--speeds is for play on the whole screen; add --full-screen"),
    ],
)
def test_what_cannot_be_played_on_the_whole_screen(arguments: list[str], message: str) -> None:
    code, told = invoke(*arguments)
    assert code == 2 and message in told


def test_speeds_are_those_of_the_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[Any] = []
    monkeypatch.setattr("interpreter.interfaces.cli.play._can_fill_the_screen", lambda people, honor: None)
    monkeypatch.setattr(fullscreen, "play", lambda *given: played.append(given))
    assert invoke("dutch-blitz", "--full-screen", "--seed", "4", "--speeds", "300,400/50,500")[0] == 0
    assert invoke("dutch-blitz", "--full-screen", "--bots", "all")[0] == 0
    assert [(given[1].seats, given[1].skill, given[2]) for given in played] == [
        ((0,), "medium", [Speed(300, 75), Speed(400, 50), Speed(500, 125)]),
        ((), "random", [fullscreen.SPEED] * 4),
    ]
    code, told = invoke("dutch-blitz", "--full-screen", "--speeds", "300,400")
    assert code == 2 and "--speeds lists 2 bots, and 3 play" in told


def test_what_is_refused_leaves_no_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSERULES_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("interpreter.interfaces.cli.play._can_fill_the_screen", lambda people, honor: None)
    assert invoke("spit", "--full-screen", "--speeds", "fast")[0] == 2
    assert invoke("spit", "--full-screen", "--speeds", "fast", "--record", str(tmp_path / "mine.jsonl"))[0] == 2

    def fails(game: Game) -> None:
        raise RuleError("a bound was left")

    monkeypatch.setattr("interpreter.interfaces.fullscreen.bindings.rehearse", fails)
    assert isinstance(CliRunner().invoke(cli, ["play", "spit", "--full-screen"]).exception, RuleError)
    assert list(tmp_path.rglob("*.jsonl")) == []


LAST_CARD: dict[str, Any] = {
    "at": "racing",
    "hand": {"P2": "10C JC"},
    "centre": {"P2": "5D"},
    "pile": {"P1": {"1": "6S"}, "P2": {"1": "KC", "2": "KD"}},
    "up": "6S KC KD",
}
"""One who has no card to spit is about to be rid of the last one."""


def test_the_end_says_what_has_decided() -> None:
    async def play(match: Match) -> None:
        await match.press(ENTER)
        key = match.app.keys.known(("place", "pile P1 1")) or ""
        await match.press(key, key)
        text = await match.text()
        assert "You win." in text and "You are rid of all cards." in text
        assert "Nobody has scored" not in text and "score" not in text.split("place")[1].split("\n")[0]
        assert "stock cards" not in text

    drive(Match(start("spit", given=LAST_CARD)), play, (100, 40))


def test_in_a_race_an_action_has_its_key_on_the_screen_only_where_it_may_be_done() -> None:
    state = start("spit", given={**LAST_CARD, "centre": {"P2": "9D"}})

    async def play(match: Match) -> None:
        await match.press(ENTER)
        assert "decline" in await match.text() and "space spit" not in await match.text()
        assert "Wait for a card that others play: when nobody goes on, who has spit cards" in await match.text()
        await match.press("space")
        assert "You have no spit cards left." in await match.text()

    drive(Match(state), play)


def test_in_a_race_it_is_told_what_the_keys_of_places_are_for_and_not_which_can_be_used() -> None:
    state = start("spit", given={**LAST_CARD, "hand": {"P1": "3C", "P2": "10C JC"}, "centre": {"P1": "9H", "P2": "5D"}})

    async def play(match: Match) -> None:
        assert "the left spit pile, the right spit pile: spit on, take, slap" in await match.text()
        assert "your piles: play, turn over, shift" in await match.text()
        await match.press(ENTER)
        assert "a s d f g play, turn over, shift" in await match.text() and "slap" not in await match.text()
        match.sitting.act("play pile.P1.1 centre.P2", match.sitting.now)
        match.app.beat()
        assert "Enter begins the next race at once: slap a pile, best the smaller" in await match.text()
        await match.press(ENTER)
        assert match.sitting.state.phase == "claiming" and "q w slap" in await match.text()

    drive(Match(state), play, (100, 40))


def test_a_refusal_in_a_race_names_the_card_and_says_that_the_table_has_changed_meanwhile() -> None:
    piles = {"P1": {"1": "2C", "2": "2D", "3": "2H", "4": "2S", "5": "QC"}, "P2": {"1": "KC", "2": "KD"}}
    given = {**LAST_CARD, "pile": piles, "centre": {"P1": "9H", "P2": "5D"}, "up": "2C 2D 2H 2S QC KC KD"}
    state = start("spit", given=given)

    async def play(match: Match) -> None:
        await match.press(ENTER)
        match.app.beat()
        key = match.app.keys.known(("place", "pile P1 1")) or ""
        await match.press(key)
        assert "2♣: Play one rank above or below 9. Or: Play one rank above or below 5." in await match.text()
        assert "has just changed" not in await match.text()
        match.app._changed = match.sitting.now
        await match.press(key)
        assert "(The table has just changed.)" in await match.text()
        await match.press("space")
        assert "You have no spit cards left." in await match.text()
        assert "has just changed" not in await match.text()
        await match.press(match.app.keys.known(("place", "centre P2")) or "")
        assert " Not before somebody has cleared the stock." in await match.text()
        assert "5♦: " not in await match.text()  # whose card it is, and how it lies, the refusal says

    drive(Match(state), play, (120, 40))


def test_all_the_cards_that_somebody_takes_are_told_and_a_pile_has_its_name_and_number_apart() -> None:
    many = "5C 2C 3C 4C 6C 7C 8C 9C QC AC 2D 3D 4D 7D 8D 9D 10D 2H 3H 4H 6H 7H"
    given = {**LAST_CARD, "hand": {"P1": "3S", "P2": "4S JC"}, "centre": {"P1": many, "P2": "QD 5H"}}
    state = start("spit", given=given)

    async def play(match: Match) -> None:
        await match.press(ENTER)
        match.sitting.act("play pile.P1.1 centre.P1", match.sitting.now)
        match.app.beat()
        await match.press(ENTER)
        text = await match.text()
        assert "╭left───23╮" in text and "╭right───2╮" in text and "stuck" not in text
        match.wait(2_000)  # until P2 has slapped
        news = [line.plain.strip() for line in match.app._news(12)]
        assert "You get 23 cards from the left spit pile." in news, news
        (match.state.log or []).extend(Event("cards", None, "", ("6S",), "centre P1", "share P2") for _ in range(80))
        assert match.app._news(1)[0].plain == " P2 gets 80 cards from the left spit pile."

    drive(Match(state), play, (100, 40))


def test_who_is_ahead_in_a_game_without_points_stands_with_the_scores() -> None:
    async def play(match: Match) -> None:
        await match.press("tab")
        text = await match.text()
        assert "stock cards" in text and "spit cards" in text.split("No points are kept")[1]

    drive(Match(start("spit")), play)


def test_who_has_cleared_the_stock_is_not_called_stuck() -> None:
    state = start("spit", given={**LAST_CARD, "hand": {"P1": "3C", "P2": "10C JC"}, "centre": {"P1": "9H", "P2": "5D"}})
    state.play(0, "play pile.P1.1 centre.P2")
    assert state.phase == "claiming"
    assert state.view(0)["values"]["stuck"] == {}


def test_a_key_that_does_nothing_while_the_table_is_covered_is_answered() -> None:
    async def play(match: Match) -> None:
        await match.press("colon")
        assert "':' does nothing here. Enter begins, ? shows the keys" in await match.text()
        await match.press("?")
        assert "any other key goes back" in await match.text()
        await match.press("x", ENTER, "ctrl+q", "tab")
        assert "'tab' does nothing here. y or Enter leaves" in await match.text()

    drive(Match(start("spit")), play)


def test_what_is_to_choose_from_goes_on_below_where_it_has_no_room() -> None:
    state = start("crazy-eights", given={"at": "play", "dealer": "P4", "hand": {"P1": "8C 8D 4H"}, "discard": "9H"})

    async def play(match: Match) -> None:
        await match.press(ENTER)
        await match.press(match.app.keys.known(("slot", "hand P1", "0")) or "")
        text = await match.text()
        assert all(f"8♣ {suit}" in text for suit in ("clubs", "diamonds", "hearts", "spades")), text

    drive(Match(state), play, (40, 24))
