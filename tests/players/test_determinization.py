"""What a player knows and imagines: nothing that is hidden, everything that was seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from where import TESTS

import interpreter
from interpreter.api.game import Game, State
from interpreter.api.settled import Enforcement
from interpreter.engine.chance import Dice
from interpreter.engine.packets import as_tuple
from interpreter.engine.rule_errors import RuleError
from interpreter.players.card_memory import recall
from interpreter.players.determinization import Worlds
from interpreter.players.monte_carlo import new_bot
from interpreter.players.open_course import knows_course

HERE = TESTS
FILES = sorted(
    [
        *(HERE.parent / "rulesets").glob("*.yaml"),
        *(HERE / "semantics" / "rulesets").glob("*.yaml"),
        *(HERE / "semantics" / "cards" / "rulesets").glob("*.yaml"),
    ]
)
"""Among them games whose zones hide counts, show only their top card, or hold cards face down or twice."""
NOTHING_TO_REMEMBER = {
    "lots", "oath", "oath-takes-back", "oath-terms", "scramble", "cogs", "juggle", "ladder", "magpie", "tiny", "toll",
}  # fmt: skip
"""Those in which nobody has seen a card that is hidden now."""


def positions(path: Path, enforcement: Enforcement, seed: int) -> Iterator[tuple[State, int]]:
    """Positions of a match that is played at random, each with one of the players."""
    game = interpreter.load(path).game(enforcement=enforcement)
    state, dice = game.start(seed=seed), Dice(seed)
    for number in range(160):
        if state.over or not state.actors:
            return
        if number % 5 == 0:
            yield state, dice.below(game.players)
        player = state.actors[dice.below(len(state.actors))]
        moves = state.legal_moves(player)
        if not len(moves):
            return
        try:
            state.play(player, moves[dice.below(len(moves))])
        except RuleError:
            return  # some of these games are made to break


def face_counts(state: State, place: int) -> Counter[int]:
    return Counter(state.game.program.first_copy[card] for card in as_tuple(state.position.z[place]))


def sight(state: State, player: int) -> dict[str, Any]:
    """A view without definitions: some tell of hidden cards what not every world agrees with."""
    found = state.view(player)
    told = {name for name, *_ in state.game.program.shown}
    return found | {"values": {name: value for name, value in found["values"].items() if name not in told}}


@pytest.mark.parametrize("enforcement", ["strict", "honor"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_world_looks_like_the_table_and_depends_on_nothing_that_is_hidden(path, enforcement):
    for state, player in positions(path, enforcement, seed=1):
        worlds = Worlds(state, player)
        world = worlds.world(Dice(7))
        lying = sorted(c for kept in world.position.z for c in as_tuple(kept))
        assert lying == list(range(len(state.game.program.cards)))
        world.position.log = state.log
        assert sight(world, player) == sight(state, player)
        if world.view(player) != state.view(player):
            continue
        one, other = worlds.world(Dice(9)), Worlds(world, player).world(Dice(9))
        for name in ("z", "v", "up", "down", "plays", "seed"):
            assert getattr(one.position, name) == getattr(other.position, name), name


@pytest.mark.parametrize("enforcement", ["strict", "honor"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_remembered_is_true(path, enforcement):
    found = 0
    for state, player in positions(path, enforcement, seed=2):
        for place, known in recall(state, player).items():
            assert known <= face_counts(state, place), state.game.program.places[place]
            found += 1
    assert bool(found) == (path.stem not in NOTHING_TO_REMEMBER)


def remembered(state: State, player: int) -> dict[str, list[str]]:
    names, places = state.game.program.cards, state.game.program.places
    return {
        places[place]: sorted(names[face] for face in known.elements())
        for place, known in recall(state, player).items()
    }


def test_the_cards_that_were_passed_are_known_to_whoever_passed_them():
    state = interpreter.load("hearts").game().start(seed=3)
    passed = state.zone("hand", 0)[:3]
    for player in range(4):
        state.play(player, f"pass {' '.join(state.zone('hand', player)[:3])}")
    left = "hand P2"
    assert remembered(state, 0)[left] == sorted(passed)
    assert left not in remembered(state, 2)
    for _ in range(5):
        assert set(passed) <= set(Worlds(state, 0).world(Dice(_)).zone("hand", 1))


def test_tricks_that_lie_face_down_are_remembered_by_all():
    state = interpreter.load("setback").game().start(seed=3)
    while state.position.trick_number < 3:
        state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
    gone = {card for team in ("T1", "T2") for card in remembered(state, 1).get(f"taken {team}", [])}
    assert gone == set(state.zone("taken")) and len(gone) == 8
    world = Worlds(state, 1).world(Dice(1))
    assert not gone & {card for player in range(4) for card in world.zone("hand", player)}


def test_unseen_cards_are_dealt_again_in_many_ways():
    state = interpreter.load("hearts").game().start(seed=3)
    worlds = Worlds(state, 0)
    found = {tuple(worlds.world(Dice(seed)).zone("hand", 1)) for seed in range(30)}
    assert len(found) == 30
    assert all(worlds.world(Dice(seed)).zone("hand", 0) == state.zone("hand", 0) for seed in range(5))


def test_what_chance_will_bring_is_not_foreseen():
    state = interpreter.load("hearts").game().start(seed=3, chance={"shuffle": {"deal": [["2C"], ["3C"]]}})
    world = Worlds(state, 0).world(Dice(1))
    assert world.seed != state.seed and not world.chance and world.position.draws == 0


def test_a_world_knows_nothing_of_what_was_fixed_before_the_match():
    state = interpreter.load("hearts").game().start(seed=3, given={"hand": {"P2": "2C"}, "rest": "deal"})
    world = Worlds(state, 0).world(Dice(1))
    setup = world.position.setup
    assert (setup.seed, setup.chance, setup.given) == (world.seed, {}, None)


def test_what_definitions_tell_of_hidden_cards_is_heeded(tmp_path):
    path = tmp_path / "aces.yaml"
    path.write_text(
        dedent("""\
        format: 1
        id: aces
        name: Aces
        players: {min: 2, max: 2}
        pack: {standard: 1}
        zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
        define: {holds_aces(p): {value: any c in hand of p has c.rank = A, seen by: everyone}}
        flow:
          match: {do: [dealing, nodding]}
          dealing: {effect: "shuffle stock; deal 20 from stock to hand"}
          nodding: {kind: ask, actions: {nod: {}}}
        """)
    )
    game = interpreter.load(path).game()
    for seed in range(10):
        state = game.start(seed=seed)
        told = state.value("holds_aces", 1)
        worlds = [Worlds(state, 0).world(Dice(luck)) for luck in range(20)]
        assert sum(world.value("holds_aces", 1) == told for world in worlds) >= 15


def ruleset(path: Path, text: str) -> Game:
    path.write_text("format: 1\nid: unseen\nname: Unseen\n" + dedent(text))
    return interpreter.load(path).game()


def decisions(game: Game, given: list[dict[str, Any]]) -> list[list[str]]:
    """What a bot decides as P1 in each of some positions, with several seeds."""
    states = [game.start(seed=1, given=one) for one in given]
    views = [state.view(0) for state in states]
    assert all(view == views[0] for view in views), "P1 cannot tell these positions apart"
    return [[str(new_bot("hard", seed).choose(state, 0)) for seed in range(4)] for state in states]


def test_a_bot_does_not_know_what_a_stage_was_called_with_that_nobody_was_told(tmp_path):
    game = ruleset(tmp_path / "unseen.yaml", """\
        players: {min: 2, max: 2}
        pack: {standard: 1}
        zones: {stock: {pack: true, seen by: none}}
        state: {score: {each: player, type: integer, lasts: match}}
        flow:
          match: {setup: add 5 to score of P2; call guess with n = random of (1..4), do: [rest], winners: highest score}
          rest: {effect: nothing}
          guess:
            kind: ask
            players: P1
            with: {n: {type: integer, min: 1, max: 4}}
            actions: {say: {choose: {k: {number: 1..4}}, effect: if n = k then add 10 to score end}}
        """)  # fmt: skip
    given = [{"at": "guess", "score": {"P2": 5}, "with": {"n": n}, "called by": "match"} for n in (1, 2, 3, 4)]
    found = decisions(game, given)
    assert all(decided == found[0] for decided in found)
    assert not knows_course(game.start(seed=1, given=given[0]))  # so that it has no worlds to think in


def test_a_bot_knows_what_a_stage_was_called_with_where_all_see_it(tmp_path):
    game = ruleset(tmp_path / "seen.yaml", """\
        players: {min: 2, max: 2}
        pack: {standard: 1}
        zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
        flow:
          match: {do: [go]}
          go:
            kind: turn
            first: P2
            actions: {ask: {choose: {k: {number: 1..4}}, effect: call answer with n = k + count of hand}}
          answer: {kind: ask, players: P1, with: {n: {type: integer, min: 1, max: 4}}, actions: {nod: {}}}
        """)  # fmt: skip
    worlds = Worlds(game.start(seed=1, given={"at": "answer", "with": {"n": 3}, "called by": "go"}), 0)
    assert {worlds.world(Dice(luck)).position.stack[-1].args for luck in range(10)} == {(3,)}


def test_a_bot_does_not_know_who_holds_the_pieces_that_it_does_not_see(tmp_path):
    game = ruleset(tmp_path / "unseen.yaml", """\
        players: {min: 3, max: 3}
        pack: {standard: 1}
        zones: {stock: {pack: true, seen by: none}}
        tokens: {coin: {seen by: owner}}
        state: {score: {each: player, type: integer, lasts: match}}
        flow:
          match: {setup: set out 3 of coin, do: [guess], winners: highest score}
          guess:
            kind: ask
            players: P1
            actions: {say: {choose: {k: {number: 0..3}}, effect: if count of coin of P2 = k then add 10 to score end}}
        """)  # fmt: skip
    given = [{"at": "guess", "score": {"P2": 5}, "coin": {"P2": held, "P3": 3 - held}} for held in range(4)]
    found = decisions(game, given)
    assert all(decided == found[0] for decided in found)


def test_a_bot_does_not_know_which_meld_lies_where_it_does_not_see_it(tmp_path):
    game = ruleset(tmp_path / "unseen.yaml", """\
        players: {min: 2, max: 2}
        pack: {standard: 1}
        zones: {stock: {pack: true, seen by: none}, dark: {seen by: none}}
        melds: {run: {same: suit, consecutive: rank, size: 3}, set: {same: rank, size: 3}}
        state: {score: {each: player, type: integer, lasts: match}}
        flow:
          match: {do: [guess], winners: highest score}
          guess:
            kind: ask
            players: P1
            actions:
              say: {choose: {k: {choice: [run, set]}}, effect: if (meld of dark).kind = k then add 10 to score end}
        """)  # fmt: skip
    given = [{"at": "guess", "score": {"P2": 5}, "dark": cards, "rest": "stock"} for cards in ("4C 5C 6C", "4C 4D 4H")]
    found = decisions(game, given)
    assert found[0] == found[1]


def test_a_bot_does_not_know_who_has_broken_a_rule_unclaimed(tmp_path):
    path = tmp_path / "unseen.yaml"
    path.write_text(
        dedent("""\
        format: 1
        id: unseen
        name: Unseen
        players: {min: 2, max: 2}
        pack: {standard: 1}
        zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, pile: {seen by: none}}
        state: {score: {each: player, type: integer, lasts: match}}
        flow:
          match: {do: [laying], winners: highest score}
          laying:
            kind: turn
            turns: 2
            first: P2
            actions:
              lay:
                when: actor = P2
                choose: {card: {from: hand}}
                must: {low: card.rank != K}
                effect: move card to pile
              say:
                when: actor = P1
                choose: {k: {number: 0..1}}
                effect: if fault_count of P2 = k and lapsed_count of P2 = 0 then add 10 to score end
        honor:
          claim: razz
          during: laying
          laws: {low: {breach: stands}}
          penalty: add 1 to score of offender
        """)
    )
    game = interpreter.load(path).game(enforcement="honor")
    found = []
    for played in ("KH", "5D"):
        state = game.start(seed=1, given={"at": "laying", "hand": {"P2": "KH 5D"}, "rest": "stock"})
        state.play(1, f"lay {played}")
        state.position.lapsed[1] = int(played == "KH")
        found.append([str(new_bot("hard", seed).choose(state, 0)) for seed in range(4)])
        for luck in range(5):
            world = Worlds(state, 0).world(Dice(luck)).position
            assert not world.faults and not any(world.lapsed)
    assert found[0] == found[1]


@pytest.mark.parametrize(("breach", "known"), [("swap hand, row", False), ("add 1 to score", True)])
def test_what_a_breach_exchanges_is_not_seen_by_what_the_move_does(breach: str, known: bool, tmp_path: Path) -> None:
    """It is done before the move, and what lay in a hand lies where all see it only until the next effect."""
    path = tmp_path / "breach.yaml"
    path.write_text(
        dedent(f"""\
        format: 1
        id: breach
        name: Breach
        players: {{min: 2, max: 2}}
        pack: {{standard: 1}}
        zones: {{stock: {{pack: true, seen by: none}}, hand: {{each: player, seen by: owner}}, row: {{}}}}
        state: {{score: {{each: player, type: integer, lasts: match}}}}
        flow:
          match: {{setup: shuffle stock; deal 3 from stock to hand, do: [laying], winners: highest score}}
          laying:
            kind: turn
            turns: 9
            first: P2
            actions:
              say:
                must: {{never: {{law: 1 = 2, breach: stands, on breach: "{breach}"}}}}
                effect: 'call asking with n = count c in row where c.colour = red'
          asking:
            with: {{n: {{type: integer, min: 0, max: 9}}}}
            kind: turn
            turns: 1
            first: P1
            actions: {{wait: {{effect: add n to score}}}}
        honor: {{claim: razz, during: laying, laws: {{never: {{}}}}, penalty: add 1 to score of offender}}
        """)
    )
    state = interpreter.load(path).game(enforcement="honor").start(seed=1)
    state.play(1, "say")
    assert state.phase == "asking" and knows_course(state) == known


def test_a_bot_imagines_no_meld_where_it_does_not_see_it(tmp_path):
    game = ruleset(tmp_path / "unseen.yaml", """\
        players: {min: 2, max: 2}
        pack: {standard: 1, only: [4, 5, 6]}
        zones: {stock: {pack: true, seen by: none}, dark: {seen by: none}, open: {seen by: everyone}}
        melds: {run: {same: suit, consecutive: rank, size: 3}, set: {same: rank, size: 3}}
        state: {score: {each: player, type: integer, lasts: match}}
        flow:
          match: {do: [guess], winners: highest score}
          guess:
            kind: ask
            players: P1
            actions:
              say: {choose: {k: {choice: [run, set]}}, effect: if (meld of dark).kind = k then add 10 to score end}
              ask: {effect: if (meld of open).kind = run then add 1 to score end}
        """)  # fmt: skip
    given = [{"at": "guess", "dark": cards, "rest": "stock"} for cards in ("4C 5C 6C", "4C 4D 4H")]
    states = [game.start(seed=1, given=one) for one in given]
    assert [bool(state.position.laid) for state in states] == [True, True]
    for luck in range(40):
        one, other = (Worlds(state, 0).world(Dice(luck)).position for state in states)
        assert (one.z, one.laid) == (other.z, other.laid)
    seen = game.start(seed=1, given={"at": "guess", "open": "4C 5C 6C", "rest": "stock"})
    assert Worlds(seen, 0).world(Dice(1)).position.laid == seen.position.laid != {}


def test_what_is_hidden_and_may_be_anything_is_as_it_begins(tmp_path):
    game = ruleset(
        tmp_path / "unseen.yaml",
        """\
        players: {min: 2, max: 2}
        pack: {standard: 1}
        zones: {stock: {pack: true, seen by: none}}
        state:
          score: {each: player, type: integer, lasts: match, default: 7, seen by: owner}
          told: {type: text, lasts: match, seen by: none}
          chosen: {type: cards, lasts: match, seen by: none}
          numbers: {type: list of integer, lasts: match, seen by: none}
        flow:
          match: {repeat: go, until: score of P1 > 30 and told = "over", winners: highest score}
          go: {kind: turn, turns: 2, actions: {win: {effect: add 2 to score}, lose: {when: count of chosen = 0}}}
        """,
    )
    state = game.start(seed=1)
    state.play(0, "win")
    state.play(1, "win")
    world = Worlds(state, 0).world(Dice(1))
    assert [world.value(name) for name in ("score", "told", "chosen", "numbers")] == [{"P1": 9, "P2": 7}, "", [], []]
    assert str(new_bot("medium", 1).choose(state, 0)) == "win"


GATHERED = """\
format: 1
id: gathered
name: Gathered
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  pile: {seen by: none, count seen by: none}
flow:
  match: {setup: shuffle stock; move 2 from stock to pile; show top of pile to P2, do: [at_once], winners: everyone}
  at_once:
    kind: simultaneous
    actions: {keep: {}, take: {effect: gather pile to stock; shuffle stock}}
"""


def test_what_was_known_of_a_place_that_is_not_counted_is_given_up_where_it_cannot_be(tmp_path: Path) -> None:
    """That others gather cards in a simultaneous stage is told to nobody, but the stock can be counted."""
    path = tmp_path / "gathered.yaml"
    path.write_text(GATHERED, encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1)
    assert state.zone("pile")[0] in Worlds(state, 1).world(Dice(1)).zone("pile")
    state.play(0, "take")
    world = Worlds(state, 1).world(Dice(1))
    assert len(world.zone("stock")) == 52 and not world.zone("pile")


COVERED = """\
format: 1
id: covered
name: Covered
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  trick: {seen by: none, count seen by: none}
  taken: {each: player, seen by: none}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {first dealer: P2, setup: shuffle stock; deal 3 from stock to hand, do: [tricks], winners: highest score}
  tricks:
    kind: trick
    leader: P1
    count: 1
    suit: hearts
    rank: place of card.rank
    on trick: move all from trick to taken of winner; add 10 to score of winner
"""


def test_which_card_was_led_face_down_is_not_known_where_nobody_counts_the_trick(tmp_path: Path) -> None:
    path = tmp_path / "covered.yaml"
    path.write_text(COVERED, encoding="utf-8")
    given = {"at": "tricks", "hand": {"P1": "2C QC 7D", "P2": "3S 8H KD"}, "rest": "stock"}
    led = []
    for card in ("2C", "QC"):
        state = interpreter.load(path).game().start(seed=1, given=given)
        state.play(0, f"play {card}")
        worlds = [Worlds(state, 1).world(Dice(seed)) for seed in range(60)]
        led.append([world.game.program.cards[world.position.plays[0][1]] for world in worlds])
        assert all(world.zone("trick") == [card] for world, card in zip(worlds, led[-1], strict=True))
    assert led[0] == led[1] and len({*led[0]}) > 20
