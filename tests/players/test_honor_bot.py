"""Bots on honour: what they forget, what they notice, and that they notice nothing which they cannot see."""

from __future__ import annotations

from itertools import count

import pytest

import interpreter
from interpreter.analysis.figures import figures, told
from interpreter.analysis.plan import Plan, Players
from interpreter.analysis.simulation import run
from interpreter.api.game import State
from interpreter.engine.chance import Dice
from interpreter.engine.notation import IllegalMove
from interpreter.engine.rule_errors import RuleError
from interpreter.players.bot_matches import bot_matches
from interpreter.players.determinization import Worlds
from interpreter.players.honor_bot import FEWEST, HonourBot, Manners, seen_move
from interpreter.players.monte_carlo import ThinkingBot, new_bot
from interpreter.players.random_bot import RandomBot

SHARP = Manners(notices=1)
HANDS = {"at": "play", "current": "P2", "discard": "5S", "hand": {
    "P1": "3C 3D 3H", "P2": "6S 9D 9H", "P3": "4C 4D 4H", "P4": "6C 6D 7C"}, "stock": "3S 4S 3D 4D 7D"}  # fmt: skip


@pytest.fixture(scope="module")
def spoons():
    return interpreter.load("georgia-spoons").game(enforcement="honor")


def bot(manners: Manners, seed: int = 1) -> HonourBot:
    return HonourBot(RandomBot(seed), manners, seed + 1)


def claimed(state: State, mover: int, move: str, watcher: int, manners: Manners = SHARP, seed: int = 1) -> str:
    """What a bot claims after a move."""
    before = state.copy()
    state.play(mover, move)
    return str(bot(manners, seed).claim(before, state, watcher) or "")


@pytest.mark.parametrize("chance", [-0.1, 1.1, "often", None, float("nan")])
@pytest.mark.parametrize("name", ["forgets", "notices", "bluffs"])
def test_manners_are_chances(name, chance):
    with pytest.raises(ValueError, match=f"{name} is a chance from 0 to 1"):
        Manners(**{name: chance})


def test_who_has_no_manners_to_speak_of_is_the_bot_itself():
    assert type(new_bot("random", 1)) is RandomBot
    assert type(new_bot("thinking", 1)) is ThinkingBot
    assert type(new_bot("thinking", 1, Manners(forgets=0.1))) is HonourBot


def test_in_strict_play_manners_change_nothing():
    game = interpreter.load("georgia-spoons").game()
    plain = list(bot_matches(game, 1, 5, 1, 300, "random"))
    assert plain == list(bot_matches(game, 1, 5, 1, 300, "random", Manners(1, 1, 1)))


def test_who_forgets_says_nothing_or_breaks_a_law(spoons):
    state = spoons.start(given=HANDS)
    always, never = bot(Manners(forgets=1)), bot(Manners(notices=1))
    lawful = list(state.legal_moves(1))
    slips = [always.choose(state, 1) for _ in range(40)]
    assert {str(move) for move in slips if move in lawful} == {"draw"}  # where there is nothing to forget
    assert any(move.words is None and move.text in {m.text for m in lawful} for move in slips)
    assert any(move.text not in {m.text for m in lawful} for move in slips)
    assert all(never.choose(state, 1) in lawful for _ in range(40))


@pytest.mark.parametrize(
    ("move", "claim"),
    [
        ("play 6S", "razz P2"),  # nothing said
        ('play 6S "Seven!"', "razz P2"),
        ('play 6S "six"', ""),
        ('play 9D "Nine!"', "razz P2"),  # said well, but it does not fit
        ("draw", ""),
        ("pass", "razz P2"),
    ],
)
def test_what_can_be_seen_and_heard_is_claimed(spoons, move, claim):
    assert claimed(spoons.start(given=HANDS), 1, move, 0) == claim
    assert claimed(spoons.start(given=HANDS), 1, move, 0, Manners(forgets=1)) == ""
    assert claimed(spoons.start(given=HANDS), 1, move, 1) == ""  # nobody claims against themselves


def test_who_has_little_time_imagines_fewer_tables_and_who_has_less_claims_nothing(spoons, monkeypatch):
    made, world = [], Worlds.world
    monkeypatch.setattr(Worlds, "world", lambda worlds, dice: made.append(worlds) or world(worlds, dice))
    state = spoons.start(given=HANDS)
    before = state.copy()
    state.play(1, "pass")
    for seconds, imagined, claim in (
        (0, 0, ""),
        (FEWEST - 1, FEWEST - 1, ""),
        (FEWEST, FEWEST, "razz P2"),
        (99, 6, "razz P2"),
    ):
        made.clear()
        monkeypatch.setattr("time.monotonic", count(1).__next__)
        assert str(bot(SHARP).claim(before, state, 0, seconds + 0.5) or "") == claim
        assert len(made) == imagined


def test_out_of_turn_is_noticed(spoons):
    assert claimed(spoons.start(given=HANDS), 3, 'play 6C "Six!"', 0) == "razz P4"


def test_a_wrong_claim_is_noticed_and_a_right_one_is_left_alone(spoons):
    assert claimed(spoons.start(given=HANDS), 0, "razz P2", 3) == "razz P1"
    state = spoons.start(given=HANDS)
    state.play(1, "play 6S")
    assert claimed(state, 0, "razz P2", 3) == ""


def test_who_may_have_drawn_the_card_is_not_suspected(spoons):
    """Only who has drawn knows which card it was: nobody else can say that another one was played."""
    for seed in range(10):
        state = spoons.start(given={**HANDS, "stock": "7S 4S 3D 4D 7D"})
        state.play(1, "draw")
        assert claimed(state, 1, 'play 7S "Seven!"', 0, seed=seed) == ""


def test_a_bluff_is_against_whoever_moved(spoons):
    assert claimed(spoons.start(given=HANDS), 1, 'play 6S "Six!"', 0, Manners(bluffs=1)) == "razz P2"


def test_the_list_of_faults_is_not_looked_at(spoons):
    for move, claim in (("play 6S", "razz P2"), ('play 6S "Six!"', "")):
        state = spoons.start(given=HANDS)
        before = state.copy()
        state.play(1, move)
        before.position.faults = state.position.faults = []
        assert str(bot(SHARP).claim(before, state, 0) or "") == claim


@pytest.mark.parametrize("name", ["georgia-spoons", "hearts"])
def test_what_a_bot_does_does_not_depend_on_what_is_hidden(name):
    game = interpreter.load(name).game(enforcement="honor")
    manners = Manners(0.3, 0.9, 0.05)
    state, dice = game.start(seed=4), Dice(8)
    players = [bot(manners, seed) for seed in range(game.players)]
    compared = claims = 0
    for number in range(150):
        if state.over:
            break
        actors = state.actors
        mover = actors[dice.below(len(actors))]
        move = players[mover].choose(state, mover)
        assert move is not None
        before = state.copy()
        measures = players[mover].measures(state, mover, move)
        state.play(mover, move, **measures)
        for watcher in range(game.players):
            seen = seen_move(before, state, watcher)
            if seen is None or watcher == mover:
                continue
            other = Worlds(before, watcher, seen.cards).world(Dice(number))
            other.position.log = list(before.log or [])
            assert str(bot(manners, number).choose(other, watcher)) == str(bot(manners, number).choose(before, watcher))
            then = other.copy()
            try:
                then.play(mover, str(move), **measures)
            except (IllegalMove, RuleError):
                continue
            if then.view(watcher) != state.view(watcher):
                continue
            found = bot(manners, number).claim(before, state, watcher)
            assert found == bot(manners, number).claim(other, then, watcher)
            compared += 1
            claims += found is not None
    assert compared > 30 and claims > 3


def test_equal_seeds_give_equal_matches(spoons):
    manners = Manners(0.2, 0.8, 0.02)
    played = list(bot_matches(spoons, 2, 3, 1, 250, "random", manners))
    assert played == list(bot_matches(spoons, 2, 3, 1, 250, "random", manners))
    assert played != list(bot_matches(spoons, 2, 4, 1, 250, "random", manners))
    faults, upheld, turned_down = played[0].honour
    assert faults > 10 and upheld > 10 and upheld > 3 * turned_down


def test_a_simulation_tells_of_faults_and_claims(spoons):
    manners = Manners(forgets=0.2, notices=0.5)
    players = Players(manners=manners)
    plan = Plan(spoons, 1, 1, 200, players)
    found = figures(plan, run(plan, 1))
    assert found["manners"] == {"forgets": 0.2, "notices": 0.5, "bluffs": 0.0}
    assert found["honour"]["upheld"] > 0
    assert f"on honour: {found['honour']['faults']} faults; {found['honour']['upheld']} claims upheld" in told(
        found, 1, 200
    )
    plain = Plan(spoons, 1, 1, 20)
    assert "honour" not in figures(plain, run(plain, 1))


def test_without_a_log_nothing_is_seen(spoons):
    state = spoons.start(seed=1, log=False)
    before = state.copy()
    mover = state.actors[0]
    state.play(mover, state.legal_moves(mover)[0])
    assert bot(SHARP).claim(before, state, 1 if mover != 1 else 2) is None


def answer(state: State, player: int, text: str) -> str:
    """What comes of a move, as far as it is told at once: that it is made, or why not."""
    try:
        state.copy().play(player, text)
    except IllegalMove as refusal:
        return str(refusal)
    return "made"


@pytest.mark.parametrize("enforcement", ["strict", "honor"])
def test_no_offer_and_no_refusal_tells_what_a_player_may_not_know(enforcement):
    """At tables that look the same to a player, the same is offered and refused, whatever has gone unnoticed there."""
    game = interpreter.load("georgia-spoons").game(4, enforcement=enforcement)
    cards = sorted(set(game.program.cards))
    texts = [f"play {card}" for card in cards] + [f"play {card} P2" for card in cards if card.startswith("K")]
    texts += [f"{word} P{n}" for word in ("razz", "play") for n in range(1, 6)]
    texts += ["draw", "pass", "hide_hand", "show_hand", "announce", "take", "draw_count", "decline", "grab 1", "grab 9"]
    texts += [f"{action} {card}" for action in ("answer", "add_card") for card in cards[::5]]
    bots = [bot(Manners(forgets=0.3), seed) for seed in range(4)]
    state, dice = game.start(seed=12), Dice(5)
    compared = 0
    for number in range(120):
        if state.over:
            break
        if number % 6 == 0:
            for viewer in range(4):
                other = Worlds(state, viewer).world(Dice(number))
                other.position.log = list(state.log or [])
                other.position.faults = []
                if other.view(viewer) != state.view(viewer):
                    continue
                assert [*map(str, other.legal_moves(viewer))] == [*map(str, state.legal_moves(viewer))]
                assert [*map(str, other.possible_moves(viewer))] == [*map(str, state.possible_moves(viewer))]
                for text in texts:
                    assert answer(other, viewer, text) == answer(state, viewer, text), (number, viewer, text)
                compared += 1
        actors = state.actors
        player = actors[dice.below(len(actors))]
        move = bots[player].choose(state, player)
        assert move is not None
        state.play(player, move, **bots[player].measures(state, player, move))
    assert compared > 30
