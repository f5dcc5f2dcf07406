"""What rules ask of a move before it is judged is asked only of what can be chosen: of anything else it might take
long, or tell what nobody may know."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import IllegalMove, RuleError
from interpreter.api.game import State
from interpreter.api.settled import Enforcement
from interpreter.engine import from_words
from interpreter.interfaces.host.hosted_match import HostedMatch

HEAD = """\
format: 1
id: early
name: Early
players: {min: 2, max: 2}
pack: {standard: PACKS}
options: {goals: {type: list of melds, default: [[set 3, set 3], [set 3.., run 4..]]}}
melds:
  set: {same: rank, size: 3..}
  run: {consecutive: rank, size: 3..}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  discard: {seen by: everyone}
state: {score: {each: player, type: integer, lasts: match}}
cards:
  2: {choose: {victim: {players: others}}, effect: add 1 to score of victim}
  Q: {choose: {suit: {suits: all}}, effect: add 1 to score of actor}
flow:
  match: {setup: "shuffle stock; deal 5 from stock to hand; move 1 from stock to discard", do: [go]}
  go:
    kind: KIND
    FIRST
    actions:
      wait: {effect: stay}
      x: ACTION
"""
LONG = "any i in 1..n has any j in 1..m has any k in 1..m has i * j * k = 0"
NUMBERS = "n: {number: 1..3}, m: {number: 1..3}"
ROW = f'{{choose: {{{NUMBERS}}}, row: "if ({LONG}) then top of discard else 2C", effect: stay}}'
MELDS = f'{{choose: {{{NUMBERS}, ms: {{melds: "item(if {LONG} then 1 else 2, goals)", from: hand}}}}, effect: stay}}'
SAID = (
    f'{{choose: {{{NUMBERS}, s: {{suits: all, said: true, else: "if {LONG} then hearts else spades"}}}}, effect: stay}}'
)
SAYS = (
    f'{{choose: {{{NUMBERS}, s: {{suits: all, said: true, else: spades}}}}, say: {{w: {{words: "a", when: "{LONG}"}}}},'
    " effect: stay}"
)
CONTEST = (
    f'{{choose: {{{NUMBERS}}}, measured: {{hold: "0..if {LONG} then 2 else 3"}}, contest: {{wins: lowest hold}}, '
    "effect: stay}"
)


def match(folder: Path, action: str, packs: int = 1, kind: str = "ask", honor: bool = False) -> State:
    first = "first: P1\n    turns: 50 each" if kind == "turn" else "until: score of P1 > 5" if kind == "race" else ""
    text = HEAD.replace("PACKS", str(packs)).replace("KIND", kind).replace("FIRST", first).replace("ACTION", action)
    (folder / "early.yaml").write_text(text, "utf-8")
    enforcement: Enforcement = "honor" if honor else "strict"
    return interpreter.load(folder / "early.yaml").game(enforcement=enforcement).start(seed=1)


@pytest.mark.parametrize(
    ("action", "move", "honor"),
    [
        (ROW, "x 9999 9999", False),
        (ROW, "x 3 9999 P2", False),
        (MELDS, "x 9999 9999 2C 2D 2H / 3C 3D 3H", False),
        (SAID, "x 9999 9999", True),
        (SAID, 'x 9999 9999 "I want spades"', True),
        (SAYS, 'x 9999 9999 "a"', True),
    ],
)
def test_what_is_out_of_bounds_is_not_reckoned_with(tmp_path: Path, action: str, move: str, honor: bool) -> None:
    """It would take hours."""
    state = match(tmp_path, action, honor=honor)
    before = state.to_json()
    with pytest.raises(IllegalMove, match="not_possible"):
        state.play(0, move)
    assert state.to_json() == before


def test_what_is_out_of_bounds_is_not_reckoned_with_in_a_contest_either(tmp_path: Path) -> None:
    state = match(tmp_path, CONTEST, kind="race")
    events = state.play_together([(0, "x 9999 9999", {}), (1, "x 9999 9999", {}), (1, "x 2 2", {})])
    assert [event.kind for event in events] == ["refused", "refused", "move"]


@pytest.mark.parametrize("packs", [1, 2])
@pytest.mark.parametrize(
    "chosen", ["card: {from: hand}", "card: {from: hand, where: card.rank > 2}", "cards: {from: hand, count: 1..2}"]
)
def test_of_a_card_that_cannot_be_chosen_a_refusal_tells_nothing(
    tmp_path: Path, packs: int, chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one's own hand the row is always the same; in a neighbour's it would be another. `validate` refuses such a row
    where it sees through it."""
    monkeypatch.setattr("interpreter.language.check.hiding._check_row", lambda *_: None)
    which = "any c in cards has holder of c" if chosen.startswith("cards:") else "holder of card"
    row = f"if {which} = left of actor then QS else 2C"
    state = match(tmp_path, f"{{choose: {{{chosen}}}, row: {row}, effect: stay}}", packs, "turn")
    own = set(state.zone("hand", 0))
    told = set()
    for face in {*state.game.program.cards} - own:
        with pytest.raises(IllegalMove) as refused:
            state.play(0, f"x {face}")
        told.add(str(refused.value).replace(face, "it"))
    assert len(told) == 1
    least = [move for move in state.legal_moves(0) if move.action == "x"]
    assert least and all(str(move).endswith(" P2") for move in least)
    for move in least:
        assert state.parse(0, str(move)) == move
        state.copy().play(0, str(move))


def test_a_text_that_may_be_said_is_no_question_that_ends_a_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the rules cannot say what a move asks for, its player is told so as soon as it is made."""
    hosted = HostedMatch(match(tmp_path, ROW, honor=True).game, ["Anna", "Ben"])

    def too_much(*_: object) -> None:
        raise RuleError("this takes more than 20,000,000 steps at once")

    monkeypatch.setattr("interpreter.engine.from_words.row_params", too_much)
    hosted.may_say(0, 'x 2 1 P2 "hello"', True)


def test_what_has_no_answer_where_the_action_is_not_possible_is_refused(tmp_path: Path) -> None:
    """It is asked before it is known that nothing can be chosen at all."""
    chosen = '{n: {number: "1..12 div count of discard"}, m: {number: 1..n}}'
    asked = f"when: discard is not empty, choose: {chosen}, row: 'if n > m then 2C else 3C'"
    state = match(tmp_path, f"{{{asked}, effect: move top of discard to stock}}")
    state.play(0, next(move for move in state.legal_moves(0) if move.action == "x"))
    with pytest.raises(IllegalMove, match="'x' is not possible now"):
        state.play(1, "x 1 1")


UNSEEN = """\
format: 1
id: unseen
name: Unseen
players: {min: 3, max: 3}
pack: {standard: 1}
options: {goals: {type: list of melds, default: [[set 3, set 3], [set 3.., run 4..], [run 7]]}}
melds:
  set: {same: rank, size: 3..}
  run: {consecutive: rank, size: 3..}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  discard: {seen by: everyone}
  role: {each: player, seen by: all p in everyone where p = owner or shown of owner}
state:
  shown: {each: player, type: flag, lasts: match}
define:
  suit_of_role(p): (top of role of p).suit
  goal(p): if suit_of_role(p) = clubs then 1 else if suit_of_role(p) = hearts then 2 else 3
cards:
  hearts: {choose: {whom: {players: others}}, effect: stay}
flow:
  match:
    setup: shuffle stock; deal 1 from stock to role; move 1 from stock to discard; deal 9 from stock to hand
    do: [go]
  go:
    kind: turn
    first: P1
    turns: 50 each
    actions:
      wait: {}
      show: {effect: set shown of actor}
      x: ACTION
"""
HOW = "how: {choice: [boldly, plainly], where: how = plainly or shown of left of actor}"
WHO = "who: {players: others, where: how = plainly or suit_of_role(left of actor) = hearts}"
WORD = "word: {suits: all, said: true, else: spades}"
UNSEEN_ACTIONS = {
    "melds by who is not open": (
        '{choose: {who: {players: others, where: shown of who}, ms: {melds: "item(goal(who), goals)", from: hand}}, '
        "effect: stay}",
        ["x P2 5H 5S 5C", "x P2 /", "x P3 5H 5S 5C / 6H 6D 6C"],
        False,
    ),
    "a row by a word that may not be chosen": (
        f"{{choose: {{{HOW}, {WHO}}}, row: top of discard, effect: stay}}",
        ["x boldly P2", "x boldly P2 P3", "x boldly P9"],
        False,
    ),
    "a row where the action is not possible": (
        f"{{when: shown of P2, choose: {{{HOW}, {WHO}}}, row: top of discard, effect: stay}}",
        ["x plainly P2", "x plainly P2 P3", "x boldly P3 P2"],
        False,
    ),
    "what is said by a word that may not be chosen": (
        f"{{choose: {{{HOW}, {WHO}, {WORD}}}, effect: stay}}",
        ["x boldly P2 hearts", "x boldly P2", 'x boldly P2 "hearts"'],
        True,
    ),
    "what is said where nothing can be chosen behind it": (
        "{choose: {who: {players: others, where: suit_of_role(who) = hearts}, "
        f"card: {{from: hand, where: shown of P2}}, {WORD}}}, effect: stay}}",
        ["x P2 5H hearts", "x P3 5H hearts", "x P2 5H"],
        True,
    ),
    "a meld of cards that may not be chosen": (
        "{choose: {m: {meld: set, from: hand, where: shown of P2}, "
        f"who: {{players: others, where: not any c in m has c in hand of who}}, {WORD}}}, effect: stay}}",
        ["x 9H 9S 9C P2 hearts", "x 5H 5S 5C P2 hearts", "x 5H 5S 5C P3"],
        True,
    ),
}


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("asked", UNSEEN_ACTIONS)
def test_a_refusal_of_what_is_not_offered_tells_nothing(tmp_path: Path, asked: str, seat: int) -> None:
    """Whatever the cards are that nobody sees: neither to who is to move nor to who is not."""
    action, typed, honor = UNSEEN_ACTIONS[asked]
    (tmp_path / "unseen.yaml").write_text(UNSEEN.replace("ACTION", action), "utf-8")
    game = interpreter.load(tmp_path / "unseen.yaml").game(enforcement="honor" if honor else "strict")
    for move in typed:
        told, roles = set(), set()
        for seed in range(24):
            state = game.start(seed=seed)
            before = state.to_json()
            with pytest.raises(IllegalMove) as refused:
                state.play(seat, move)
            assert state.to_json() == before
            told.add(str(refused.value))
            roles.add(state.zone("role", 1)[0][-1])
        assert len(roles) == 4 and len(told) == 1, told


def test_who_asks_for_what_all_may_know_is_told_what_is_asked_for(tmp_path: Path) -> None:
    """Also where no such melds can be laid: the goals are an option, and one's own cards decide the rest."""
    action = '{choose: {n: {number: 1..3}, ms: {melds: "item(n, goals)", from: hand}}, effect: stay}'
    (tmp_path / "unseen.yaml").write_text(UNSEEN.replace("ACTION", action), "utf-8")
    state = interpreter.load(tmp_path / "unseen.yaml").game().start(seed=1)
    with pytest.raises(IllegalMove, match="'5C 5D' is not what is asked for: run of 7"):
        state.play(0, "x 3 5C 5D")


BLIND = 'card: {from: "(hand of left of actor, discard)"}, whose: {players: players, where: "WHERE"}'


@pytest.mark.parametrize("packs", [1, 2])
@pytest.mark.parametrize("where", ["card in hand of whose", "holder of card = whose", "holder of card != whose"])
def test_what_hangs_on_a_card_that_its_words_do_not_tell_is_judged_with_the_move(
    tmp_path: Path, packs: int, where: str
) -> None:
    """Of a card that is called by where it lies, or of equal ones, that is known only then."""
    chosen = BLIND.replace("WHERE", where)
    game = match(tmp_path, f"{{choose: {{{chosen}}}, row: top of discard, effect: stay}}", packs, "turn").game
    for seed in range(12):
        state = game.start(seed)
        moves = [move for move in state.legal_moves(0) if move.action == "x"]
        assert moves
        for move in moves:
            assert state.parse(0, str(move)) == move
            state.copy().play(0, str(move))


TWO_ROWS = """\
format: 1
id: two-rows
name: Two rows
players: {min: 2, max: 2}
pack: {standard: 2, only: [Q..A]}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  discard: {seen by: everyone}
melds: {set: {same: rank, size: 1..}}
cards:
  hearts: {choose: {m: {meld: set, from: hand}}}
  clubs: {choose: {c: {from: "(hand, discard)"}}}
flow:
  match: {setup: "shuffle stock; deal 6 from stock to hand; move 6 from stock to discard", do: [main]}
  main:
    kind: turn
    turns: 20 each
    actions:
      wait: {}
      name:
        choose: {s: {suits: all}}
        row: "first c in discard where c.suit = (if s = hearts then hearts else clubs)"
"""


def test_a_card_that_lies_in_several_places_is_looked_for_in_rows_of_its_own_kind_alone(tmp_path: Path) -> None:
    (tmp_path / "rows.yaml").write_text(TWO_ROWS)
    game, several = interpreter.load(tmp_path / "rows.yaml").game(), 0
    for seed in range(12):
        state = game.start(seed)
        for move in state.legal_moves(state.actors[0]):
            assert state.parse(state.actors[0], str(move)) == move
            try:
                assert state.parse(state.actors[0], str(move).partition("@")[0]) in state.legal_moves(state.actors[0])
            except IllegalMove as why:
                assert "that can mean" in str(why)
                several += 1
    assert several


HANDS = "(hand of left of actor, hand of right of actor)"
COUNTED = "n = count c in cards where c in hand of left of actor"
ONE_OF = "(if d in hand of left of actor then 1 else 0)"
MEANT = {
    "several unseen cards": f'cards: {{from: "{HANDS}", count: 1..2}}, n: {{number: 0..2, where: {COUNTED}}}',
    "one of many after another": f'd: {{from: "{HANDS}"}}, a: {{from: hand of left of actor}}, '
    f"b: {{from: hand of left of actor}}, n: {{number: 0..1, where: n = {ONE_OF}}}",
    "melds that other cards have none of": f'd: {{from: "{HANDS}", where: d in hand of left of actor}}, '
    'ms: {melds: "item(if d in hand of left of actor then 1 else 9, goals)", from: hand}',
    "melds that hang on one": f'd: {{from: "{HANDS}"}}, ms: {{melds: "item(1 + {ONE_OF}, goals)", from: hand}}',
}
HANG = """\
format: 1
id: meant
name: Meant
players: {min: 3, max: 3}
pack: {standard: PACKS, only: 7..A}
options: {goals: {type: list of melds, default: [[pair 2], [pair 2, pair 2]]}}
melds: {pair: {same: rank, size: 2..}}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  board: {}
state: {score: {each: player, type: integer, lasts: match}}
cards: {black: {choose: {suit: {suits: all}}}}
flow:
  match: {setup: shuffle stock; deal 4 from stock to hand; move 1 from stock to board, do: [main]}
  main:
    kind: turn
    first: P1
    actions:
      take: {choose: {CHOOSE}, row: top of board, effect: add 1 to score}
      wait: {}
"""


@pytest.mark.parametrize("packs", (1, 2))
@pytest.mark.parametrize("what", MEANT)
def test_what_is_offered_can_be_read_whatever_its_words_may_mean(tmp_path: Path, what: str, packs: int) -> None:
    path = tmp_path / "meant.yaml"
    path.write_text(HANG.replace("PACKS", str(packs)).replace("CHOOSE", MEANT[what]), encoding="utf-8")
    read = 0
    for seed in range(4):
        state = interpreter.load(path).game().start(seed=seed)
        moves = state.legal_moves(0)
        for move in moves[:: 1 + len(moves) // 12]:
            assert state.parse(0, str(move)) == move
            state.copy().play(0, str(move))
            read += 1
    assert read > 12


SLOW = """\
format: 1
id: slow
name: Slow
players: {min: 2, max: 2}
pack: {standard: 12}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner, capacity: 1}}
cards: {2: {choose: {t: {number: 1..2}}}}
flow:
  match: {do: [go], setup: "shuffle stock; deal 1 from stock to hand"}
  go:
    kind: turn
    actions:
      pick:
        choose: {a: {from: hand}, b: {from: hand}, c: {from: hand}, z: {from: all x in hand where SLOW}}
        row: if a = b then a else b
      keep: {}
"""


def test_what_takes_long_is_asked_of_few_ways(tmp_path: Path) -> None:
    """It is too little to be counted where it is asked once: of twelve cards that each of four words may mean it is
    not."""
    inner = "count m in 1..5 where m + n = count of hand + place of x.rank + 1000000"
    asked = f"(count n in 1..10000 where ({inner}) > 0) > 0"
    (tmp_path / "slow.yaml").write_text(SLOW.replace("SLOW", asked))
    state = interpreter.load(tmp_path / "slow.yaml").game().start(seed=1)
    s = state.position
    (pick,) = [action for action in s.program.stages[-1].actions if action.name == "pick"]
    card = s.program.by_name["9D"]
    reading = from_words._Reading(s, 0, pick)
    reading.args += [card, card]
    assert pick.each > 100_000 and len(reading._meant(12) or ()) * 12 * pick.each <= from_words.MOST_ASKED
    with pytest.raises(IllegalMove):
        state.parse(0, "pick 9D 9D 9D 2C")
