"""What must hold of every shipped ruleset, whatever is played.

Each option value and each variant alone, every number of players, strict and on honour, and random mixtures of options;
the checks themselves are in walks.py. HYPOTHESIS_PROFILE=thorough tries many more mixtures.
"""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from walks import (
    ENFORCEMENTS,
    REFUSED,
    SHIPPED,
    Setting,
    Walk,
    assert_refused_or_played,
    check_copies,
    check_moves,
    check_views,
    names_in,
    reason_of,
    ruleset,
    seen_cards,
    settings_of,
    stepwise,
    told_of_hidden,
    values_of,
)

import interpreter
from interpreter import Game, IllegalMove, OptionError
from interpreter.api.game import State
from interpreter.api.random_play import play_randomly
from interpreter.api.record import play_again, read
from interpreter.engine.chance import Dice
from interpreter.engine.packets import as_tuple

ALONE = [setting for name in SHIPPED for setting in settings_of(name)]
PLAIN = [Setting(name, enforcement) for name in SHIPPED for enforcement in ENFORCEMENTS]
ENDING = {
    "bicycle-spoons": (("loss_mode", "elimination"), ("must_take", True)),
    "crazy-eights": (("target_score", 0),),
    "dutch-blitz": (("target_score", 1),),
    "georgia-spoons": (("packs", 1), ("target_score", 1)),
    "gin-rummy": (("target", 1),),
    "hearts": (("target", 30),),
    "phase-10": (("phases", (("set 2..",),)),),
    "pig": (("ranks_in_play", ("A", "2", "3")),),
    "president": (("target_score", 1),),
    "spades": (("floor", -1),),
    "setback": (("min_bid", 1), ("smudge", "wins_game"), ("target_score", 7)),
    "spades-two": (("floor", -100),),
    "spit": (("stock_piles", (20,)), ("spit_when", "stuck")),
    "spit-five": (("target_score", 1),),
    "uno": (("target_score", 0), ("uno_penalty", 1)),
    "yaniv": (("elimination_over", 100), ("call_limit", 10)),
}
"""Options under which random play soon ends a match; a ruleset that is not named ends soon anyway."""
LOST_BY_ALL = {"klondike"}
"""Rulesets by which it may be that nobody wins."""
STACKED = {
    "bicycle-spoons": "AC 2C AD 3C AH 4C AS 5C",
    "gin-rummy": "2C 5C 2D 5D 2H 5H 3C 6C 3D 6D 3H 6H 4C 7C 4D 7D 4H 7H AS AD",
}
"""The cards on top of the first shuffle, where what ends a match is too rare in random play."""


def game_of(setting: Setting) -> Game:
    game = setting.game()
    assert game is not None, f"{setting} is refused"
    return game


def ending(name: str, enforcement: str = "strict") -> Game:
    return game_of(Setting(name, enforcement, ruleset(name).players.min, ENDING.get(name, ())))


def stacked(game: Game) -> list[str] | None:
    """The pack in an order that lets a match end, or None where any will do."""
    top = STACKED.get(game.ruleset.id, "").split()
    return [*top, *(card for card in game.program.cards if card not in top)] if top else None


SHARE = 7
"""Each so many-th of them is tried without `--every-setting`."""


def by_turns() -> list[Setting]:
    """Each variant, number of players and option value, strict and on honour by turns."""
    pairs = zip(*([s for s in ALONE if s.enforcement == enforcement] for enforcement in ENFORCEMENTS), strict=True)
    return [pair[at % 2] for at, pair in enumerate(pairs)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.function is test_each_option_variant_and_number_of_players:
        tried = ALONE if metafunc.config.getoption("every_setting") else by_turns()[::SHARE]
        metafunc.parametrize("setting", tried, ids=str)


def test_each_option_variant_and_number_of_players(setting):
    game = setting.game()
    assert (game is None) == (reason_of(setting) is not None)
    if game is not None:
        Walk(game, seed=11, limit=40, samples=1).run()
        assert game.playouts(2, seed=9, limit=80) == stepwise(game, 2, seed=9, limit=80)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_default_that_is_given_makes_the_game_of_who_gives_nothing(name):
    """So it need not be tried by itself. A default of None is another one where other options or players are."""
    found = ruleset(name)
    for enforcement in ENFORCEMENTS:
        program = found.game(enforcement=enforcement).program
        for option, of in found.options.items():
            if of.default is not None:
                assert found.game(options={option: of.default}, enforcement=enforcement).program is program


@st.composite
def mixtures(draw: st.DrawFn) -> Setting:
    """Some options and variants at once; not all of them go together."""
    name = draw(st.sampled_from(SHIPPED))
    found = ruleset(name)
    chosen = draw(st.lists(st.sampled_from(sorted(found.options)), unique=True, max_size=6))
    options = tuple((option, draw(st.sampled_from(values_of(name, option)))) for option in chosen)
    variants = (
        draw(st.lists(st.sampled_from(sorted(found.variants)), unique=True, max_size=2)) if found.variants else []
    )
    players = draw(st.none() | st.sampled_from(found.players.counts))
    return Setting(name, draw(st.sampled_from(ENFORCEMENTS)), players, options, tuple(variants))


@settings(max_examples=max(15, settings.default.max_examples // 5))
@given(mixtures(), st.integers(0, 2**64 - 1))
def test_mixtures_of_options(setting: Setting, seed: int):
    game = setting.game()
    if game is not None:
        Walk(game, seed, limit=60, samples=2).run()


@pytest.mark.parametrize("setting", [s for s in by_turns() if not s.options and not s.variants], ids=str)
def test_long_matches_keep_their_cards(setting):
    game = game_of(setting)
    state = game.start(seed=1, log=False)
    made = play_randomly(state.position, Dice(1), 1_200)
    assert state.over or made == 1_200
    lying = [card for kept in state.position.z for card in as_tuple(kept)]
    assert sorted(lying) == list(range(len(game.program.cards)))


@pytest.mark.parametrize("setting", PLAIN, ids=str)
def test_many_moves_step_by_step(setting):
    Walk(game_of(setting), seed=3, limit=400, samples=2).run()


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
@pytest.mark.parametrize("name", SHIPPED)
def test_matches_that_end(name, enforcement):
    game = ending(name, enforcement)
    for seed in range(2):
        walk = Walk(game, seed, limit=8_000, samples=2, breaches=5, deck=stacked(game))
        state = walk.run()
        assert state.over, "choose options under which it ends"
        everyone = range(game.players)
        assert state.actors == [] and state.phase == "over"
        assert len(state.scores) == len(state.places) == game.players
        assert state.winners == sorted(set(state.winners)) and set(state.winners) <= set(everyone)
        assert min(state.places) == 1
        assert all(place == 1 + sum(other < place for other in state.places) for place in state.places)
        if state.winners or name not in LOST_BY_ALL:
            assert state.winners == [p for p in everyone if state.places[p] == 1]
        for player in everyone:
            with pytest.raises(IllegalMove) as caught:
                state.play(player, "play 2C")
            assert caught.value.law == "over"


# ---- moves that are refused -----------------------------------------------------------------------------


@settings(max_examples=max(40, settings.default.max_examples // 2))
@given(
    st.sampled_from(PLAIN),
    st.integers(0, 40),
    st.integers(0, 2),
    st.text(max_size=30)
    | st.from_regex(
        r"(play|pass|relay|take_spoon|claim|decline|grab)( [0-9TJQKA]{1,2}[CDHSx])*( P[0-9]+)?", fullmatch=True
    )
    | st.sampled_from(
        [
            "play ²",
            "claim P²",
            "claim P" + "9" * 5_000,
            "claim P٣",
            "play",
            "pass",
            "pass 2C 2C 2C",
            '"',
            'play 2C "',
            "\x00",
        ]
    ),
)
@example(Setting("hearts", "honor"), 12, 0, "claim P²")
@example(Setting("hearts", "honor"), 12, 0, "claim P" + "9" * 5_000)
def test_refused_moves_change_nothing(setting, moves, player, text):
    state = random_state(game_of(setting), seed=moves, moves=moves)
    assert_refused_or_played(state, player, text, state.to_json())


@pytest.mark.parametrize("setting", PLAIN, ids=str)
def test_moves_of_others_are_refused_in_strict_play(setting):
    state = random_state(game_of(setting), seed=4, moves=20)
    text = state.to_json()
    for player in range(state.game.program.n):
        for other in range(state.game.program.n):
            for move in state.legal_moves(other)[:8]:
                refused = assert_refused_or_played(state, player, str(move), text)
                if move not in state.possible_moves(player):
                    assert refused
                elif state.game.enforcement == "strict":
                    assert refused == (move not in state.legal_moves(player))
    for nobody in (-1, state.game.program.n, None, 0.0, "P1"):
        with pytest.raises(IllegalMove) as caught:
            state.play(nobody, "play 2C")
        assert caught.value.law == "no_such_player"
    assert state.to_json() == text


def random_state(game: Game, seed: int, moves: int) -> State:
    state, dice = game.start(seed=seed), Dice(seed)
    for _ in range(moves):
        if state.over:
            break
        player = state.actors[dice.below(len(state.actors))]
        legal = state.legal_moves(player)
        state.play(player, legal[dice.below(len(legal))])
    return state


# ---- the same again -------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", PLAIN, ids=str)
def test_a_record_replays_to_the_same_state_and_log(setting):
    game = game_of(setting)
    state = Walk(game, seed=8, limit=300, samples=1).run()
    again = play_again(read(state.record()), game)
    assert again.to_json() == state.to_json()
    assert again.record() == state.record()
    assert [str(event) for event in again.log or ()] == [str(event) for event in state.log or ()]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_record_needs_nothing_but_itself(name):
    state = random_state(game_of(Setting(name, "honor")), seed=5, moves=40)
    assert interpreter.replay(state.record()).to_json() == state.to_json()


@pytest.mark.parametrize("setting", PLAIN, ids=str)
def test_equal_seeds_give_equal_matches_whatever_else_draws_numbers(setting):
    """The global generator of Python is disturbed differently in each match."""
    texts = []
    for disturbance in (0, 1, 7):
        random.seed(disturbance)
        game = game_of(setting)
        state, dice = game.start(seed=21), Dice(6)
        while not state.over and len(state.position.record_moves) < 150:
            for _ in range(disturbance):
                random.random()
            player = state.actors[dice.below(len(state.actors))]
            legal = state.legal_moves(player)
            state.play(player, legal[dice.below(len(legal))])
        texts.append((state.to_json(), state.record(), "\n".join(map(str, state.log or ()))))
    assert texts[0] == texts[1] == texts[2]


@pytest.mark.parametrize("name", SHIPPED)
def test_other_seeds_give_other_matches(name):
    game = game_of(Setting(name))
    assert len({game.start(seed=seed).to_json() for seed in range(20)}) == 20


@pytest.mark.parametrize("setting", PLAIN, ids=str)
def test_looking_changes_nothing(setting):
    state = random_state(game_of(setting), seed=2, moves=33)
    text = state.to_json()
    check_moves(state)
    check_views(state)
    check_copies(state, Dice(1))
    _ = state.actors, state.phase, state.over, state.scores, state.winners, state.places, state.record()
    for zone in state.game.program.zones:
        state.zone(zone.name)
    for name in (*state.game.program.variables, *state.game.program.asked):
        state.value(name)
    assert state.to_json() == text


# ---- nobody sees hidden cards -----------------------------------------------------------------------------


@settings(max_examples=max(25, settings.default.max_examples // 4))
@given(st.sampled_from(PLAIN), st.integers(0, 10_000), st.data())
def test_two_matches_that_differ_in_hidden_cards_look_the_same(setting, seed, data):
    """Two cards that a player has not seen change places in the pack, and in everything the others do.

    Until that player sees one of them, both matches must look the same to the player, log included.
    """
    game = game_of(setting)
    dice = Dice(seed)
    names = list(game.program.cards)
    pack = next(list(event.cards) for event in game.start(seed=seed).log or () if event.kind == "shuffle")
    viewer = data.draw(st.integers(0, game.players - 1))
    first = game.start(seed=seed, chance={"first dealer": "P1"}, deck=pack)
    hidden = [names[c] for c in range(len(names)) if c not in seen_cards(first, viewer) and names[c] in pack]
    hidden = [name for name in hidden if name not in constants(game)]
    if len(hidden) < 2:
        return
    one, two = data.draw(st.lists(st.sampled_from(hidden), min_size=2, max_size=2, unique=True))
    if pack.count(one) != pack.count(two):  # with the names changed it would be another pack
        return
    if game.ruleset.id == "cribbage" and counted(one) != counted(two):  # who still can play shows in who plays next
        return
    second = game.start(seed=seed, chance={"first dealer": "P1"}, deck=[renamed(card, one, two) for card in pack])
    for _ in range(40):
        if first.over or not {one, two}.isdisjoint(seen_names(first, viewer) | seen_names(second, viewer)):
            return
        if told_of_hidden(first) != told_of_hidden(second):
            return  # the rules tell of a difference
        if first.actors != second.actors and not first.position.record_moves:
            return  # who holds one of them begins
        assert first.view(viewer) == second.view(viewer)
        player = first.actors[dice.below(len(first.actors))]
        legal = first.legal_moves(player)
        move = legal[dice.below(len(legal))]
        if player == viewer:
            assert [str(m) for m in legal[:300]] == [str(m) for m in second.legal_moves(viewer)[:300]]
        events = first.play(player, move)
        try:
            second.play(player, renamed(str(move), one, two))
        except IllegalMove:
            return  # the other cards allow another play
        if names_in("\n".join(map(str, events)), first) & {one, two} and first.actors != second.actors:
            return  # one of them has been played, and it mattered


def constants(game: Game) -> set[str]:
    """Cards that the rules name: who holds them may show in who is to act."""
    return {"2C", "3C"} if game.ruleset.id == "hearts" else set()


def counted(card: str) -> int:
    """How much a card adds to the count of a game that goes up to a number: an ace 1, a court card 10."""
    return {"A": 1, "J": 10, "Q": 10, "K": 10}.get(card[:-1]) or int(card[:-1])


def renamed(text: str, one: str, two: str) -> str:
    return re.sub(rf"\b({one}|{two})\b", lambda found: two if found[1] == one else one, text)


def seen_names(state: State, viewer: int) -> set[str]:
    """Every card that a player has read of in the log; that the log tells no more is tested by each walk."""
    said = "\n".join(state.view(viewer)["log"])
    return names_in(said, state)


def test_refused_options_say_why():
    tried = []
    for setting in ALONE:
        reason = reason_of(setting)
        if reason is not None:
            with pytest.raises(OptionError, match=reason):
                options: dict[str, Any] = dict(setting.options)
                ruleset(setting.ruleset).game(options=options)
            tried += [(setting.ruleset, *option) for option in setting.options]
    assert set(tried) == set(REFUSED)
