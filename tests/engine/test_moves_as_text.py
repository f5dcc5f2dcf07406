"""A move is its text: whatever is played, as a move or as what is written of it, is the same and can be read back."""

from __future__ import annotations

from pathlib import Path

import pytest
from walks import ENFORCEMENTS, check_text
from where import TESTS

import interpreter
from interpreter import Game
from interpreter.api.record import play_again, read
from interpreter.engine.chance import Dice
from interpreter.engine.moves import Move
from interpreter.engine.notation import IllegalMove
from interpreter.engine.parsing import as_read
from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces.host.spoken_words import texts_in

RULESETS = sorted(
    path for folder in ("semantics/rulesets", "semantics/cards/rulesets") for path in (TESTS / folder).glob("*.yaml")
)


def random_match(game: Game, seed: int, limit: int) -> None:
    """A random match, in which each move that is made, and one that is possible for somebody, is played as text too."""
    state, dice = game.start(seed=seed), Dice(seed)
    for _ in range(limit):
        if state.over or not state.actors:
            break
        somebody = dice.below(game.players)
        possible = state.possible_moves(somebody)
        if len(possible):
            check_text(state, somebody, possible[dice.below(len(possible))])
        player = state.actors[dice.below(len(state.actors))]
        moves = state.legal_moves(player)
        if not len(moves):  # a workbench may come to a standstill
            break
        move = moves[dice.below(len(moves))]
        check_text(state, player, move)
        try:
            state.play(player, move)
        except RuleError:  # a capacity; the state is as it was
            continue
    again = play_again(read(state.record()), game)
    assert again.to_json() == state.to_json() and again.log == state.log
    assert game.restore(state.to_json()).to_json() == state.to_json()


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_a_move_of_a_test_ruleset_is_its_text(path: Path, enforcement: interpreter.api.game.Enforcement) -> None:
    game = interpreter.load(path).game(enforcement=enforcement)
    for seed in range(2):
        random_match(game, seed, limit=60)


FACE_DOWN = """
format: 1
id: face-down
name: Tricks face down
extends: hearts
zones: {trick: {faces: down}}
"""


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
def test_a_card_played_face_down_is_told_to_nobody_else_however_it_is_played(
    enforcement: interpreter.api.game.Enforcement, tmp_path: Path
) -> None:
    path = tmp_path / "face-down.yaml"
    path.write_text(FACE_DOWN)
    random_match(interpreter.load(path).game(options={"pass_count": 0}, enforcement=enforcement), 1, limit=60)


def test_a_word_that_a_list_option_holds_twice_is_offered_once() -> None:
    path = TESTS / "semantics/cards/rulesets/scribes.yaml"
    game = interpreter.load(path).game(options={"phrases": ["a b", "a b"]})
    offered = [str(move) for move in game.start(seed=1).legal_moves(0)]
    assert [move for move in offered if move.startswith("utter")] == ["utter a b"]


def test_what_cannot_be_meant_is_not_left_unsaid(tmp_path: Path) -> None:
    path = tmp_path / "named.yaml"
    path.write_text(
        """
format: 1
id: named
name: Named
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
flow:
  match: {setup: deal 2 from stock to hand, do: [naming]}
  naming:
    kind: turn
    actions:
      name: {choose: {r: {ranks: all, said: true, else: J}, n: {number: 1..2}}, when: r = Q}
""".lstrip(),
        encoding="utf-8",
    )
    state = interpreter.load(path).game(enforcement="honor").start(seed=1)
    possible = state.possible_moves(0)
    assert [str(move) for move in possible] == ["name Q 1", "name Q 2"]
    for move in possible:
        state.copy().play(0, move)


def test_what_must_be_said_is_what_the_words_of_a_move_say(tmp_path: Path) -> None:
    """Also where an announcement is owed besides, is missing or wrong, or sounds like another value."""
    path = tmp_path / "told.yaml"
    for said in ("Two of us!", "Hearts, as ever!"):
        path.write_text(
            f"""
format: 1
id: told
name: Told
players: {{min: 2, max: 2}}
pack: {{standard: 1}}
zones: {{stock: {{pack: true, seen by: none}}, hand: {{each: player, seen by: owner}}}}
flow:
  match: {{setup: deal 2 from stock to hand, do: [telling]}}
  telling:
    kind: turn
    turns: 6
    actions:
      tell: {{choose: {{suit: {{suits: all, said: true, else: clubs}}}}, say: "{said}"}}
""".lstrip(),
            encoding="utf-8",
        )
        game = interpreter.load(path).game(enforcement="honor")
        state = game.start(seed=1)
        for move in (*state.legal_moves(0), *state.possible_moves(0)):
            check_text(state, 0, move)
        assert {str(move) for move in state.possible_moves(0)} >= {'tell "?"', f'tell hearts "{said}"'}
        random_match(game, 1, limit=6)


def _small(tmp_path: Path, pack: str, rows: str, action: str) -> Game:
    path = tmp_path / "small.yaml"
    path.write_text(
        f"""
format: 1
id: small
name: Small
players: {{min: 2, max: 2}}
pack: {pack}
zones: {{stock: {{pack: true, seen by: none}}, hand: {{each: player, seen by: owner}}}}
cards: {rows}
flow:
  match: {{setup: deal 6 from stock to hand, do: [showing]}}
  showing:
    kind: turn
    actions:
      show: {action}
""".lstrip(),
        encoding="utf-8",
    )
    return interpreter.load(path).game()


def _all_as_text(game: Game) -> list[str]:
    """The first moves of a match, each read back from its text."""
    state = game.start(seed=1)
    moves = state.legal_moves(0)
    for move in moves:
        check_text(state, 0, move)
    return [str(move) for move in moves]


def test_a_rank_is_not_read_as_the_position_of_one_more_card(tmp_path: Path) -> None:
    found = "{choose: {which: {from: hand of left of actor, count: 1}, bold: {flag: true}, r: {ranks: all}}}"
    moves = _all_as_text(_small(tmp_path, "{standard: 1}", "{}", found))
    assert "show 6 / 2" in moves and "show 6 / bold 2" in moves


def test_a_card_that_is_named_with_its_place_has_its_row(tmp_path: Path) -> None:
    rows = "{7: {choose: {n: {number: 1..2}}}, else: {say: Hm}}"
    action = "{choose: {card: {from: all c in pack where c in hand}}, row: card}"
    moves = _all_as_text(_small(tmp_path, "{standard: 1, only: [7, K], add: {joker: 2}}", rows, action))
    assert any("7" in move and move.endswith("@hand.P1 2") for move in moves), moves


@pytest.mark.parametrize(
    ("announce", "said"),
    [
        ("{row: top of pile}", 'announce "..." P2'),
        ("{choose: {card: {from: pile}}, row: card}", 'announce 7C "..." P2'),
        ("{choose: {w: {text: true}, victim: {players: others}}, effect: skip victim}", 'announce "..." P2'),
    ],
)
def test_words_of_one_s_own_can_be_chosen_in_the_row_of_a_card_too(announce: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "words.yaml"
    path.write_text(
        "format: 1\nid: words\nname: Words\nplayers: {min: 3, max: 3}\npack: {standard: 1}\n"
        "zones: {stock: {pack: true}, pile: {}}\ncards:\n"
        "  '7': {choose: {w: {text: true}, victim: {players: others}}, effect: skip victim}\n  else: {say: hi}\n"
        "flow:\n  match: {first dealer: P3, setup: move 7C to pile, do: [go]}\n"
        f"  go: {{kind: turn, turns: 4, actions: {{announce: {announce}}}}}\n",
        encoding="utf-8",
    )
    state = interpreter.load(path).game().start(seed=1)
    assert [str(move) for move in state.legal_moves(0)] == [said, said.replace("P2", "P3")]
    for move in (state.legal_moves(0)[0], said, said.replace("...", "good luck, all"), f'{said} "hi"'):
        after = state.copy()
        after.play(0, move)
        assert interpreter.replay(after.record()).log == after.log
    own = said.replace("...", "one two")
    state.play(0, own)
    assert own in [event.text() for event in state.log if event.kind == "move"][-1]
    action = state.game.program.stages[state.position.stack[-1].stage].by_name["announce"]
    loose = said.replace('"..."', "loose").replace("P2", "P1") + ' "and more"'
    assert state.actors == [2] and texts_in(state.position, 2, action, loose) == ["loose", "and more"]
    assert texts_in(state.position, 1, action, loose) == [], "who is not asked is not heard"


def test_a_word_like_a_wild_card_is_not_read_as_one_more_of_a_meld(tmp_path: Path) -> None:
    path = tmp_path / "wild.yaml"
    path.write_text(
        "format: 1\nid: wild\nname: Wild\nplayers: {min: 2, max: 2}\npack: {standard: 1, only: 2..4}\n"
        "melds: {pair: {same: rank, size: '2..', wild: card is 2}}\n"
        "zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}\n"
        "flow:\n  match: {setup: deal 6 from stock to hand, do: [showing]}\n  showing:\n    kind: turn\n    actions:\n"
        "      show: {choose: {m: {meld: pair, from: hand}, how: {choice: ['2C=3', '3C@hand']}}}\n",
        encoding="utf-8",
    )
    moves = _all_as_text(interpreter.load(path).game())
    assert moves and all(move.endswith((" / 2C=3", " / 3C@hand")) for move in moves)


def test_a_row_that_hangs_on_what_no_move_can_say_is_not_asked_for(tmp_path: Path) -> None:
    """What somebody types may be anything, also what the rules never work out."""
    action = "{choose: {n: {number: 0..5, where: n > 0}, t: {text: true}}, row: card number (10 div n) of hand}"
    game = _small(tmp_path, "{standard: 1}", "{7: {choose: {p: {players: others}}}}", action)
    state = game.start(seed=1)
    with pytest.raises(IllegalMove, match="n 0 cannot be chosen now"):
        state.play(0, 'show 0 "hello"')
    assert (
        texts_in(state.position, 0, game.program.stages[state.position.stack[-1].stage].by_name["show"], 'show 0 "x"')
        == []
    )


LONG = """
format: 1
id: long
name: Long
players: {min: 2, max: 2}
pack: {standard: 10}
ranks: [RANKS]
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, pile: {}}
flow:
  match: {setup: move COUNT from stock to hand of P1, do: [laying]}
  laying:
    kind: turn
    actions:
      lay: {choose: {cards: {from: hand, count: CHOSEN}}, effect: move cards to pile}
      pass: {}
"""


@pytest.mark.parametrize("chosen", ["2000", "1999..2000"])
def test_a_move_that_is_too_long_to_be_read_again_is_not_made(tmp_path: Path, chosen: str) -> None:
    path = tmp_path / "long.yaml"
    ranks = ", ".join(f"r{number}{'x' * 47}" for number in range(50))
    rules = LONG.replace("RANKS", ranks)
    path.write_text(rules.replace("COUNT", "2000").replace("CHOSEN", chosen), encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1)
    before = state.to_json()
    with pytest.raises(RuleError, match=r"'lay' is a move of .* letters here; it can have 98,997 at most"):
        state.play(0, state.legal_moves(0)[0])
    assert state.to_json() == before
    state.play(0, "pass")
    assert interpreter.replay(state.record()).to_json() == state.to_json()


def test_a_move_that_would_be_read_as_another_is_not_made_where_a_record_is_kept() -> None:
    """No ruleset leads there; if one did, the match would stop before the move, and its record could be read."""
    state = interpreter.load("hearts").game().start(seed=1)
    found, other = state.legal_moves(0)[:2]
    assert as_read(state.position, 0, found) == found
    for text, why in ((str(other), "would be read again as"), ("pass 2C 2C 2C 2C", "could not be read again")):
        with pytest.raises(RuleError, match=why):
            as_read(state.position, 0, Move(found.action, found.args, text + " ", None, found.maker))
