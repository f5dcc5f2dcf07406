"""Of equal cards it is told only which they are: what is chosen, refused and replayed goes by their faces."""

from __future__ import annotations

from pathlib import Path

import pytest
from walks import ENFORCEMENTS

import interpreter
from interpreter import Game
from interpreter.api.playouts import matches
from interpreter.engine.chance import Dice
from interpreter.players.bot_matches import bot_matches
from interpreter.players.random_bot import RandomBot
from interpreter.players.realtime import Race, Speed

HEAD = """\
format: 1
id: twice
name: Twice
players: {min: 2, max: 2}
pack: {standard: 2}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, open: {}}
state: {score: {each: player, type: integer, lasts: match, max: 90}}
"""
NAMING = """\
flow:
  match: {setup: shuffle stock; deal 10 from stock to hand, repeat: play, until: number of play > 5}
  play:
    kind: turn
    first: P1
    turns: 4
    actions:
      name: {choose: {k: {kinds: FROM}}, effect: add place of k.rank to score}
"""
RACE = """\
flow:
  match: {setup: shuffle stock; deal 9 from stock to hand, repeat: play, until: number of play > 5}
  play:
    kind: race
    until: hand of P1 is empty
    actions:
      two: {choose: {cards: {from: hand, count: 2}}, effect: move cards to open}
"""
STILL = """\
flow:
  match: {setup: deal 2 from stock to hand, repeat: play, until: number of play > 5}
  play:
    kind: race
    players: p where hand of p is not empty
    actions: {lay: {choose: {card: {from: hand}}, effect: move card to open}}
"""


def game(folder: Path, flow: str, enforcement: str = "strict") -> Game:
    path = folder / "twice.yaml"
    path.write_text(HEAD + flow, encoding="utf-8")
    return interpreter.load(path).game(enforcement=enforcement)  # type: ignore[arg-type]


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
@pytest.mark.parametrize("source", ["hand", "stock", "pack", "all c in hand where c.suit = hearts"])
def test_a_name_of_equal_cards_is_the_same_offered_and_read(source: str, enforcement: str, tmp_path: Path) -> None:
    own = game(tmp_path, NAMING.replace("FROM", source), enforcement)
    for seed in range(12):
        state, dice = own.start(seed=seed), Dice(seed)
        for _ in range(6):
            player = state.actors[0]
            moves = state.legal_moves(player)
            if not len(moves):
                break
            move = moves[dice.below(len(moves))]
            assert state.parse(player, str(move)) == move
            try:
                state.play(player, move)
            except interpreter.RuleError:  # beyond 90 points: nothing has happened then
                pass
            assert interpreter.replay(state.record()).log == state.log
        assert own.restore(state.to_json()).log == state.log


def test_a_refusal_names_the_same_cards_again(tmp_path: Path) -> None:
    own = game(tmp_path, RACE)
    for seed in range(30):
        state = own.start(seed=seed)
        moves = list(state.legal_moves(0))
        other = next(move for move in moves[1:] if str(move).split()[1] == str(moves[0]).split()[1])
        state.play_together([(0, moves[0], {}), (0, other, {})])
        assert interpreter.replay(state.record()).log == state.log
        assert own.restore(state.to_json()).log == state.log
    assert "cannot be chosen" in str(state.log[-1])


@pytest.mark.parametrize("how", ["at random", "bots", "in time"])
def test_a_race_in_which_nobody_can_do_anything_is_told_at_its_place(how: str, tmp_path: Path) -> None:
    own = game(tmp_path, STILL)
    with pytest.raises(interpreter.RuleError, match="'play'"):
        if how == "in time":
            state = own.start(seed=1)
            Race(state, {p: (RandomBot(p + 1), Speed()) for p in range(2)}, 1).run(100)
        else:
            list(bot_matches(own, 1, 1, None, 100, "medium") if how == "bots" else matches(own, 1, 1, None, 100))


THREE = """\
format: 1
id: thrice
name: Thrice
players: {min: 2, max: 2}
pack: {standard: 3, only: J..A}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, open: {seen by: everyone}, pile: {}}
state: {marks: {type: cards, lasts: match}, score: {each: player, type: integer, lasts: match}}
flow:
  match:
    first dealer: P2
    setup: |
      shuffle stock
      deal 12 from stock to hand
      move 6 from stock to pile
      set marks to pile
      for p in everyone do turn up top 5 of hand of p end
    repeat: play
    until: number of play > 1
  play:
    kind: turn
    turns: 20
    actions:
      go: {ACTION}
      pass: {effect: stay}
"""
LAWS = {
    "one card": "choose: {card: {from: hand}}, must: {shown: card is face up}, effect: move card to open",
    "a set": 'choose: {card: {from: hand}}, must: {fresh: "card in (pack without marks)"}, effect: add card to marks',
    "two cards": (
        "choose: {cards: {from: hand, count: 2}}, must: {shown: all c in cards have c is face up}, "
        "effect: move cards to open"
    ),
    "cards of two places": 'choose: {card: {from: "(hand, pile)"}}, must: {marked: card in marks}, effect: stay',
    "one of two places": (
        'choose: {card: {from: "(hand, pile)"}}, must: {there: card in pile}, effect: move card to open'
    ),
}


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
@pytest.mark.parametrize("law", LAWS)
def test_of_equal_cards_one_goes_that_no_law_forbids(law: str, enforcement: str, tmp_path: Path) -> None:
    path = tmp_path / "thrice.yaml"
    path.write_text(THREE.replace("ACTION", LAWS[law]), encoding="utf-8")
    own = interpreter.load(path).game(enforcement=enforcement)  # type: ignore[arg-type]
    made = 0
    for seed in range(6):
        state = own.start(seed=seed)
        player = state.actors[0]
        for move in state.legal_moves(player):
            if str(move) == "pass":
                continue
            after = [state.copy(), state.copy()]
            after[0].play(player, move)
            after[1].play(player, str(move))
            assert after[0].log == after[1].log == interpreter.replay(after[0].record()).log
            assert after[0].position.z == after[1].position.z and after[0].position.up == after[1].position.up
            if "shown" in LAWS[law]:
                assert after[0].position.up.bit_count() == state.position.up.bit_count() - len(str(move).split()) + 1
            made += 1
    assert made > 20


ASKED = {
    # of a card that lies somewhere and of where it lies: that very card
    "count c in pack where c in open": 2,
    "count c in pack where c in (open, bottom of stock)": 3,
    "count c in pack where c in (all d in pack where d in open)": 2,
    "count of (pack without open)": 6,
    "count of (open without top of open)": 1,
    "count of (open without first c in open)": 1,
    "count c in pack where c in (top of open, top of stock)": 2,
    "count c in pack where lying(c)": 2,
    "if top of stock in open then 1 else 0": 0,
    # of what is written or kept by name: all that are equal
    "count c in stock where c in (AD, AH)": 3,
    "count c in stock where c in marks": 2,
    "count c in stock where c in (marks, bottom of open)": 2,
    "count of (stock without marks)": 4,
    "count of (stock without kept)": 5,
    "count of (stock without (AD, AH))": 3,
    "if AC in stock then 1 else 0": 1,
    "if kept in stock then 1 else 0": 1,
    "if lying(AC) then 1 else 0": 1,
    "if lying(kept) then 1 else 0": 1,
    "if (any c in (AC, AH) has c in stock and c.suit = clubs) then 1 else 0": 1,
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("by_itself", [True, False], ids=["at once", "card by card"])
def test_a_card_that_lies_somewhere_is_itself_and_a_name_is_each_equal_one(
    asked: str, by_itself: bool, tmp_path: Path
) -> None:
    path = tmp_path / "marked.yaml"
    slowly = asked if by_itself else asked.replace(" where ", " where place of c.rank + number of go > 0 and ")
    path.write_text(
        "format: 1\nid: marked\nname: Marked\nplayers: {min: 2, max: 2}\npack: {standard: 2, only: A}\n"
        "zones: {stock: {pack: true}, open: {}, hand: {each: player}}\n"
        "state: {marks: {type: cards, lasts: match}, kept: {type: card, optional: true, lasts: match}}\n"
        f"define: {{lying(c): c in {'open' if 'count' in asked else 'stock'}, asked: '{slowly}'}}\n"
        "flow:\n  match:\n"
        "    setup: shuffle stock; move AC to open; move AD to open; set marks to open; set kept to AC\n"
        "    do: [go]\n"
        "  go: {kind: turn, actions: {stay: {effect: stay}}}\n",
        encoding="utf-8",
    )
    state = interpreter.load(path).game().start(deck=["AC", "AC", "AD", "AD", "AH", "AH", "AS", "AS"])
    assert sorted(state.zone("open")) == ["AC", "AD"]
    assert state.value("asked") == ASKED[asked]


def test_the_row_of_a_card_is_that_of_each_equal_one(tmp_path: Path) -> None:
    path = tmp_path / "worth.yaml"
    path.write_text(
        "format: 1\nid: worth\nname: Worth\nplayers: {min: 2, max: 2}\npack: {standard: 2, only: A}\n"
        "zones: {stock: {pack: true}, open: {shows: top}}\nvalues: {worth: {by: top of open, AC: 50, else: 1}}\n"
        "define: {asked: worth}\nflow:\n  match: {setup: shuffle stock, do: [go]}\n"
        "  go: {kind: turn, actions: {turn: {effect: move 1 from stock to open}}}\n",
        encoding="utf-8",
    )
    state = interpreter.load(path).game().start(deck=["AC", "AC", "AD", "AD", "AH", "AH", "AS", "AS"])
    for worth in (50, 50, 1):
        state.play(state.actors[0], "turn")
        assert state.value("asked") == worth


def test_a_refusal_of_another_argument_is_told_the_same_again(tmp_path: Path) -> None:
    path = tmp_path / "gifts.yaml"
    path.write_text(
        "format: 1\nid: gifts\nname: Gifts\nplayers: {min: 3, max: 3}\npack: {standard: 2, only: J..A}\n"
        "zones: {stock: {pack: true}, hand: {each: player, seen by: owner}}\n"
        "state: {gone: {each: player, type: flag, lasts: match}}\n"
        "flow:\n  match: {setup: shuffle stock; deal 9 from stock to hand, do: [go]}\n"
        "  go:\n    kind: race\n    until: all p in everyone has gone of p\n    actions:\n"
        "      give:\n        choose:\n          cards: {from: hand, count: 2}\n"
        "          to_whom: {players: all p in others where not gone of p}\n"
        "        effect: move cards to hand of to_whom\n"
        "      leave: {effect: set gone of actor to true}\n",
        encoding="utf-8",
    )
    own = interpreter.load(path).game()
    told = 0
    for seed in range(12):
        state = own.start(seed=seed)
        moves = [move for move in state.legal_moves(0) if str(move).endswith("P2")]
        for move in moves:
            if len({*str(move).split()[1:3]}) == 1:  # two equal cards
                after = state.copy()
                after.play_together([(1, "leave", {}), (0, move, {})])
                assert "P2 cannot be chosen now" in str(after.log[-1])
                assert interpreter.replay(after.record()).log == after.log
                assert own.restore(after.to_json()).log == after.log
                told += 1
    assert told > 5


HOLDERS = """\
flow:
  match:
    setup: shuffle stock; deal 9 from stock to hand
    do: [play]
  play:
    kind: turn
    first: P1
    turns: 4 each
    actions:
      find: {choose: {card: {from: all c in pack where holder of c = left of actor}}, effect: move card to open}
      lay: {choose: {card: {from: hand}}, effect: if holder of card = actor then move card to open end}
      count: {effect: set score of actor to (count c in hand where holder of c != actor)}
      named: {effect: set score of actor to (count c in hand where kept(c) = P1)}
"""


def test_whoever_holds_a_card_that_is_gone_through_or_chosen_holds_that_very_one(tmp_path: Path) -> None:
    one_each = "define:\n  kept(c): holder of c\n"
    for seed in range(8):
        state = game(tmp_path, one_each + HOLDERS).start(seed)
        theirs = state.zone("hand", 1)
        found = [move for move in state.legal_moves(0) if move.action == "find"]
        assert len(found) == len(theirs), "each card that the left neighbour holds, and none else"
        assert all("@hand.P2" in str(move) for move in found)
        for face in sorted(set(state.zone("hand", 0))):
            after = state.copy()
            after.play(0, f"lay {face}")
            assert face in after.zone("open")
        for action in ("count", "named"):
            for player in (0, 1):
                after = state.copy()
                while after.actors != [player]:
                    after.play(after.actors[0], "count")
                after.play(player, action)
                assert after.value("score", player) == (9 if (action, player) == ("named", 0) else 0)


def test_whose_a_card_is_that_is_only_named_goes_by_its_face(tmp_path: Path) -> None:
    flow = HOLDERS.replace("holder of c = left of actor}}", "c in hand}}").replace(
        "holder of card = actor", "holder of QS = actor"
    )
    for seed in range(12):
        state = game(tmp_path, "define:\n  kept(c): holder of c\n" + flow).start(seed)
        face = state.zone("hand", 0)[0]
        after = state.copy()
        after.play(0, f"lay {face}")
        assert (face in after.zone("open")) is ("QS" in state.zone("hand", 0))


ROWS = """\
cards:
  2: {choose: {victim: {players: others}}, effect: add 1 to score of victim}
  Q: {choose: {suit: {suits: all}}, effect: add 1 to score of actor}
flow:
  match:
    setup: shuffle stock; deal 9 from stock to hand; move 60 from stock to open
    do: [play]
  play:
    kind: turn
    first: P1
    turns: 4 each
    actions: {lay: {choose: {card: {from: hand}}, row: if card in open then QS else 2C, effect: stay}}
"""


def test_the_row_of_a_card_that_is_chosen_goes_by_its_name(tmp_path: Path) -> None:
    """For what a move is made of has to be known as it is read."""
    for seed in range(8):
        state = game(tmp_path, ROWS).start(seed)
        for move in state.legal_moves(0):
            _, face, what = str(move).split()
            assert (what != "P2") is (face in state.zone("open"))
            assert state.parse(0, str(move)) == move
            state.copy().play(0, str(move))
