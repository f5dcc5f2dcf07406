"""Moves that are taken back: the match is as it was, chance included, and its record says so."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from walks import SHIPPED

import interpreter
from interpreter import Game, ReplayError, State
from interpreter.api.record import read
from interpreter.api.record_file import RecordFile, go_on
from interpreter.api.recording import dump, link
from interpreter.engine.chance import Dice
from interpreter.engine.packets import as_tuple
from interpreter.engine.position import Position
from interpreter.engine.redrawing import LEARNED, LOOKED, Heard, redraw
from interpreter.interfaces.terminal.ending import NOT_IN_A_RACE
from interpreter.interfaces.terminal.undoing import take_back
from interpreter.language.check.learnt import Asking


@cache
def game_of(name: str) -> Game:
    return interpreter.load(name).game()


def play_on(state: State, dice: Dice, moves: int) -> None:
    for _ in range(moves):
        if state.over:
            return
        player = state.actors[dice.below(len(state.actors))]
        legal = state.legal_moves(player)
        state.play(player, legal[dice.below(len(legal))])


def begun(game: Game, seed: int = 3, moves: int = 0) -> State:
    state = game.start(seed=seed)
    play_on(state, Dice(seed), moves)
    return state


@given(st.sampled_from(SHIPPED), st.integers(0, 10_000), st.integers(0, 40), st.integers(1, 6))
def test_what_is_taken_back_has_never_been(name: str, seed: int, before: int, more: int) -> None:
    state = begun(game_of(name), seed, before)
    then, log = state.copy(), [str(event) for event in state.log or ()]
    play_on(state, Dice(seed + 1), more)
    for _ in range(len(state.position.record_moves) - len(then.position.record_moves)):
        state.undo()
    assert state.to_json() == then.to_json()
    assert [str(event) for event in state.log or ()] == log
    play_on(state, Dice(seed + 2), more)  # chance goes on as it would have
    play_on(then, Dice(seed + 2), more)
    assert state.to_json() == then.to_json()
    assert state.record() == then.record()


def test_a_tick_is_taken_back_whole() -> None:
    state = begun(game_of("hearts"))
    then = state.to_json()
    state.play_together([(player, state.legal_moves(player)[0], {}) for player in state.actors])
    assert len(state.position.record_moves) > 1
    state.undo()
    assert state.to_json() == then


def test_before_the_first_move_there_is_nothing_to_take_back() -> None:
    with pytest.raises(ValueError, match="there is no move to take back"):
        begun(game_of("hearts")).undo()


def test_on_honour_nothing_is_taken_back() -> None:
    state = begun(interpreter.load("hearts").game(enforcement="honor"), moves=2)
    then = state.to_json()
    with pytest.raises(ValueError, match="on honour nothing is taken back"):
        state.undo()
    assert state.to_json() == then


def test_a_restored_match_is_not_taken_back_behind_that_point() -> None:
    game = game_of("spit-five")
    state = game.restore(begun(game, moves=4).to_json())
    then = state.to_json()
    play_on(state, Dice(1), 2)
    for each in (state.copy(), state):
        each.undo()
        each.undo()
        assert each.to_json() == then
        with pytest.raises(ValueError, match="there is no move to take back"):
            each.undo()


def test_a_record_file_tells_what_was_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    state = begun(game_of("hearts"))
    kept = RecordFile(path, state)
    for moves in (5, 3):
        play_on(state, Dice(moves), moves)
        kept.keep()
        state.undo()
        state.undo()
        kept.keep()
    kept.close()
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [line["undo"] for line in lines if "undo" in line] == [3, 4]
    assert [line["n"] for line in lines[1:]] == list(range(1, len(lines)))
    assert interpreter.replay(path.read_text("utf-8")).to_json() == state.to_json()
    assert "undo" not in state.record()

    resumed = go_on(path)
    assert resumed.state.to_json() == state.to_json() and resumed.kept is not None
    resumed.state.undo()
    resumed.kept.keep()
    play_on(resumed.state, Dice(9), 4)
    resumed.kept.keep()
    resumed.kept.close()
    text = path.read_text("utf-8")
    assert interpreter.replay(text).to_json() == resumed.state.to_json()
    assert [each[2] for each in read(text).moves] == [each[2] for each in resumed.state.position.record_moves]


def forged(*bodies: dict[str, object]) -> str:
    """A record of Hearts with these lines after its first two moves."""
    lines = [json.loads(line) for line in begun(game_of("hearts"), moves=2).record().splitlines()]
    text, chain = "", ""
    for body in (*lines, *bodies):
        body.pop("h", None)
        chain = link(chain, dump(body))
        text += f'{dump(body)[:-1]},"h":"{chain}"}}\n'
    return text


@pytest.mark.parametrize(
    "body",
    [
        {"n": 3, "undo": 2},
        {"n": 3, "undo": -1},
        {"n": 3, "undo": "1"},
        {"n": 3, "undo": True},
        {"n": 2, "undo": 1},
        {"undo": 1},
        {"n": 3, "undo": 1, "move": "play 2C"},
    ],
    ids=str,
)
def test_a_line_that_takes_back_what_was_not_made_is_refused(body: dict[str, object]) -> None:
    with pytest.raises(ReplayError, match="line 4: this takes back no moves that were made"):
        interpreter.replay(forged(body))


def test_all_moves_may_be_taken_back() -> None:
    state = interpreter.replay(forged({"n": 3, "undo": 0}))
    assert state.to_json() == begun(game_of("hearts")).to_json()


# ---- chance that is drawn anew --------------------------------------------------------------------------


def drawn(state: State) -> str:
    """The card that somebody draws from the stock of Crazy Eights."""
    player = state.actors[0]
    before = state.zone("hand", player)
    state.play(player, "draw")
    return next(card for card in state.zone("hand", player) if card not in before)


def test_who_has_drawn_a_card_and_taken_it_back_does_not_know_the_next() -> None:
    game = game_of("crazy-eights")
    found = set()
    for seed in range(8):
        state = begun(game)
        assert drawn(state) == drawn(begun(game))
        hands = [begun(game).zone("hand", player) for player in range(game.players)]
        state.undo(seed=seed)
        assert [state.zone("hand", player) for player in range(game.players)] == hands
        assert sorted(state.zone("stock")) == sorted(begun(game).zone("stock"))
        found.add(drawn(state))
    assert len(found) > 2


def test_a_match_in_which_chance_was_drawn_anew_is_recorded_saved_and_replayed(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    state = begun(game_of("crazy-eights"))
    kept = RecordFile(path, state)
    for moves, back in ((7, 3), (2, 1), (5, 2), (3, 1)):
        play_on(state, Dice(moves), moves)
        kept.keep()
        for left in range(back, 0, -1):
            state.undo(seed=moves if left == 1 else None, people=())
        assert game_of("crazy-eights").restore(state.to_json()).to_json() == state.to_json()
    play_on(state, Dice(4), 6)
    kept.keep()
    kept.close()
    for text in (path.read_text("utf-8"), state.record()):
        again = interpreter.replay(text)
        assert again.to_json() == state.to_json() and again.record() == state.record()
    seeds = [json.loads(line).get("seed") for line in path.read_text("utf-8").splitlines()]
    assert [seed for seed in seeds if seed is not None] == [state.seed, 6, 2, 4, 2], "even ones: nobody has seen a card"
    resumed = go_on(path)
    assert resumed.state.to_json() == state.to_json() and resumed.kept is not None
    resumed.state.undo(seed=9, people=())
    resumed.kept.keep()
    resumed.kept.close()
    assert interpreter.replay(path.read_text("utf-8")).to_json() == resumed.state.to_json()


@pytest.mark.parametrize("seed", range(12))
def test_a_record_file_is_the_match_however_its_moves_are_taken_back(tmp_path: Path, seed: int) -> None:
    """With and without another seed, one way over the other, and the same moves again or others."""
    path, dice = tmp_path / "match.jsonl", Dice(seed)
    state = begun(game_of("crazy-eights"), moves=6)
    kept = RecordFile(path, state)
    for _ in range(12):
        with suppress(ValueError):  # nothing to take back, or it has told too much
            made = len(state.position.record_moves)
            if dice.below(2):
                state.undo(dice.below(100))
            else:
                state.undo(None, max(0, made - 1 - dice.below(4)))
        for _ in range(dice.below(3)):
            if dice.below(3):
                state.play(state.actors[0], state.legal_moves(state.actors[0])[0])
            else:
                play_on(state, dice, 1)
        if dice.below(3):
            kept.keep()
            assert interpreter.replay(path.read_text("utf-8")).to_json() == state.to_json()
    kept.close()


def test_however_often_chance_is_drawn_anew_the_log_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    state, of, counts = begun(game_of("crazy-eights")), Heard.of, list[int]()
    for seed in range(30):
        play_on(state, Dice(seed), 1)
        redraw(state.position, seed)

    def counted(heard: Heard, s: Position) -> set[str]:
        before = heard._read
        found = of(heard, s)
        counts.append(heard._read - before)
        assert found == of(Heard(), s)
        return found

    monkeypatch.setattr(Heard, "of", counted)
    for again in (interpreter.replay, state.game.restore):
        found = again(state.record() if again is interpreter.replay else state.to_json())
        assert found.to_json() == state.to_json()
        assert len(counts) == 30 and sum(counts) <= len(found.log)
        counts.clear()


def test_taking_back_further_forgets_that_chance_was_drawn_anew() -> None:
    state, then = begun(game_of("crazy-eights"), moves=5), begun(game_of("crazy-eights"), moves=3)
    state.undo(seed=1)
    state.undo()
    assert state.to_json() == then.to_json()


@pytest.mark.parametrize(
    "body", [{"n": 3, "seed": -1}, {"n": 3, "seed": True}, {"n": 3, "seed": 1 << 64}, {"n": 3, "seed": 1, "tick": 3}]
)
def test_a_line_with_a_seed_that_is_none_is_refused(body: dict[str, object]) -> None:
    with pytest.raises(ReplayError, match="line 4: this is no seed from which chance could go on"):
        interpreter.replay(forged(body))


PILES = """\
format: 1
id: piles
name: Piles
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  column: {each: 1..4, seen by: none}
  own: {each: player, seen by: none}
  crib: {seen by: none}
  open: {}
flow:
  match: {setup: "shuffle stock; deal 4 from stock to hand; for x in column do move 3 from stock to x end", do: [go]}
  go:
    kind: turn
    first: P1
    actions:
      turn: {choose: {x: {zones: column}}, effect: move 1 from x to open}
      lay: {choose: {c: {from: hand}}, effect: move c to crib}
      draw: {effect: move 1 from stock to own}
"""


@pytest.fixture
def piles(tmp_path: Path) -> Game:
    path = tmp_path / "piles.yaml"
    path.write_text(PILES)
    return interpreter.load(path).game()


def test_who_has_turned_up_a_card_and_taken_it_back_does_not_know_it_the_next_time(piles: Game) -> None:
    state = piles.start(seed=1)
    hand, shown = state.zone("hand", 0), set()
    for seed in range(12):
        counts = [len(as_tuple(kept)) for kept in state.position.z]
        state.play(0, next(move for move in state.legal_moves(0) if move.action == "turn"))
        shown.add(state.zone("open")[0])
        state.undo(seed=seed, people=())  # nobody keeps in mind which ones came
        assert state.zone("hand", 0) == hand and counts == [len(as_tuple(kept)) for kept in state.position.z]
        assert sorted(card for kept in state.position.z for card in as_tuple(kept)) == list(range(52))
        assert piles.restore(state.to_json()).to_json() == state.to_json()
        assert interpreter.replay(state.record()).to_json() == state.to_json()
    assert len(shown) > 4


def test_what_was_drawn_and_taken_back_is_not_drawn_anew_at_the_same_point_as_long_as_others_hold_cards() -> None:
    state = interpreter.load("crazy-eights").game(players=2).start(seed=3)
    player = state.actors[0]
    hand = state.zone("hand", player)
    state.play(player, "draw")
    state.undo(seed=1)
    state.play(player, "draw")
    with pytest.raises(ValueError, match="taken back before"):
        state.undo(seed=2)
    assert len(state.zone("hand", player)) == len(hand) + 1, "nothing is taken back then"
    state.undo(seed=2, people=[1 - player])  # who has drawn is a bot, which keeps nothing in mind
    state.play(player, "draw")
    state.undo()  # and where chance gives the same again nothing new is learned
    card = next((move for move in state.legal_moves(player) if move.action == "play"), None)
    if card is not None:
        state.play(player, card)
        state.undo(seed=4)  # which card one plays brings nothing to light


SEEN = """
format: 1
id: seen
name: Seen
players: {min: 2, max: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  waste: {seen by: everyone}
flow:
  match:
    first dealer: P1
    setup: shuffle stock; deal 3 from stock to hand; move 4 from stock to waste
    do: [play]
    winners: none
  play:
    kind: turn
    turns: 9
    actions:
      put_back: {choose: {card: {from: hand}}, effect: move card to stock; stay}
      peek: {effect: show top of stock to actor; stay}
      turn_over: {effect: move all from waste to stock; stay}
      wait: {effect: stay}
      draw: {effect: move 1 from stock to hand; stay}
"""


@pytest.mark.parametrize("seen", ["peek", "put_back", "turn_over"])
def test_a_card_of_the_pack_that_somebody_has_seen_since_it_was_shuffled_stays_there(tmp_path: Path, seen: str) -> None:
    path = tmp_path / "seen.yaml"
    path.write_text(SEEN, encoding="utf-8")
    game = interpreter.load(path).game()
    for seed in range(4):
        state = game.start(seed=seed)
        state.play(0, next(move for move in state.legal_moves(0) if move.action == seen))
        top = state.zone("stock")[0]
        state.play(0, "wait")
        state.undo(seed=seed + 9)
        assert state.zone("stock")[0] == top


def test_what_lies_before_a_player_stays_before_that_player() -> None:
    state = begun(game_of("dutch-blitz"), moves=10)
    own = [{card[-1] for card in state.zone("hand", player)} for player in range(state.game.players)]
    state.undo(seed=77)
    assert [{card[-1] for card in state.zone("hand", player)} for player in range(state.game.players)] == own


def test_cards_that_somebody_has_laid_where_nobody_sees_them_stay_there(piles: Game) -> None:
    state = piles.start(seed=1)
    laid = []
    for player in (0, 1, 0):
        laid.append(state.zone("hand", player)[0])
        state.play(player, f"lay {laid[-1]}")
    state.play(1, "draw")
    for seed in range(5):
        state.undo(seed=seed)
        assert sorted(state.zone("crib")) == sorted(laid)
        state.play(1, "draw")


LOOKING = """\
format: 1
id: looking
name: Looking
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, packet: {each: player, seen by: none}, hand: {each: player, seen by: owner}}
define: {deals: {value: number of deal, seen by: everyone}}
flow:
  match: {repeat: deal, until: number of deal = 3}
  deal: {setup: gather all to stock; shuffle stock; deal 3 from stock to packet, do: [bidding]}
  bidding:
    kind: turn
    first: P1
    until: count of hand of P1 > 0 and count of hand of P2 > 0
    actions:
      look: {when: packet is not empty, effect: move all from packet to hand}
      peep: {when: count of packet > 1, effect: move 1 from packet to hand; stay}
      wait: {effect: nothing}
"""


def looking(folder: Path) -> State:
    path = folder / "looking.yaml"
    path.write_text(LOOKING, encoding="utf-8")
    return interpreter.load(path).game().start(seed=4)


def test_who_has_looked_at_own_cards_that_lay_face_down_takes_that_back_no_more(tmp_path: Path) -> None:
    state = looking(tmp_path)
    state.play(0, "wait")
    state.play(1, "look")
    before = state.to_json()
    for stay in (None, 0):
        with pytest.raises(ValueError, match="what was seen stays seen"):
            state.undo(seed=5, stay=stay)
        assert state.to_json() == before
    state.undo()  # where nobody plays on
    assert state.zone("packet", 1)


def test_that_other_cards_are_shuffled_before_a_look_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "looking.yaml"
    effect = "look: {when: packet is not empty, effect: move all from packet to hand}"
    assert effect in LOOKING
    shuffled = "effect: move 2 from stock to heap; shuffle heap; move all from packet to hand}"
    text = LOOKING.replace("effect: move all from packet to hand}", shuffled)
    text = text.replace("zones: {stock", "zones: {heap: {seen by: none}, stock").replace("id: looking", "id: other")
    path.write_text(text, encoding="utf-8")
    state = interpreter.load(path).game().start(seed=4)
    state.play(0, "look")
    with pytest.raises(ValueError, match="what was seen stays seen"):
        state.undo(seed=5)


def test_of_cards_of_which_some_are_still_unseen_one_that_was_seen_can_go_back_among_them(tmp_path: Path) -> None:
    state = looking(tmp_path)
    state.play(0, "peep")
    state.undo(seed=5)
    assert len(state.zone("packet", 0)) == 3


def test_a_look_at_cards_that_are_dealt_anew_keeps_nothing_from_being_taken_back(tmp_path: Path) -> None:
    state = looking(tmp_path)
    for player, move in ((0, "peep"), (0, "wait"), (1, "peep")):
        state.play(player, move)
    assert state.value("deals") == 2
    state.play(0, "look")
    with pytest.raises(ValueError, match="stays seen"):
        state.undo(seed=5, stay=3)
    state.undo(seed=5, stay=2)


@settings(max_examples=30)
@given(st.sampled_from(SHIPPED), st.integers(0, 10_000), st.integers(0, 40), st.integers(0, 1 << 32))
def test_nobody_sees_or_may_do_anything_else_where_chance_is_drawn_anew(
    name: str, seed: int, before: int, anew: int
) -> None:
    state = begun(game_of(name), seed, before)
    if state.over:
        return
    seats, player = range(state.game.players), state.actors[0]
    then = [state.view(seat) for seat in seats], list(map(str, state.legal_moves(player)[:50]))
    state.play(player, state.legal_moves(player)[0])
    try:
        state.undo(seed=anew)
    except ValueError as looked:
        assert str(looked) in (LOOKED, LEARNED)
        return
    assert ([state.view(seat) for seat in seats], list(map(str, state.legal_moves(player)[:50]))) == then
    assert interpreter.replay(state.record()).to_json() == state.to_json()


ASKING = """\
format: 1
id: asking
name: Asking
players: {min: 2, max: 3}
pack: {standard: 1, only: 9..A}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  open: {seen by: everyone}
  well: {seen by: none}
state:
  score: {each: player, type: integer, lasts: match}
  luck: {type: integer, lasts: match, seen by: none}
  found: {each: player, type: integer, lasts: match, seen by: owner}
  fate: {each: player, type: integer, lasts: match, seen by: none}
define:
  has_one(p, k): any c in hand of p has c is k
  high(p): count c in hand of p where c.rank > 9
  tell_of(n): {effect: add n to score of P1}
flow:
  match: {setup: "shuffle stock; deal 3 from stock to hand; set luck to random of (1..4)", do: [play], winners: none}
  look: {effect: "add high(P2) to score of P1"}
  around: {do: [look]}
  play:
    kind: turn
    first: P1
    turns: 40
    actions:
      guess:
        choose: {k: {kinds: pack}, whom: {players: others}}
        effect: if has_one(whom, k) then add 1 to score of actor end
      weigh:
        choose: {whom: {players: others}}
        effect: add (count c in hand of whom where c.suit = hearts) to score of actor
      lose: {effect: "move 1 at random from (hand of left of actor, well) to well"}
      lose_one: {effect: "move random of (hand of left of actor, well) to well"}
      drop: {effect: move random of hand of left of actor to well}
      peek: {effect: show hand of left of actor to actor}
      rob: {effect: move 1 at random from hand of left of actor to hand}
      pick: {choose: {c: {from: hand of left of actor}}, effect: move c to hand}
      bet: {effect: "if luck = 3 then add 1 to score of actor end"}
      lay: {choose: {c: {from: hand}}, effect: "move c to open; if hand is empty then add 9 to score of actor end"}
      draw: {effect: "move 1 from stock to hand; if count of hand of left of actor > 3 then add 1 to score end"}
      speak: {effect: 'note "{high(left of actor)}"'}
      turn_up: {effect: move high(left of actor) from stock to open}
      sink: {effect: move all c in hand of left of actor where c.rank > 9 to well}
      keep: {effect: set found to high(left of actor)}
      each: {effect: for p in others do add high(p) to score of actor end}
      all: {effect: for p in players do set found of p to high(left of p) end}
      name: {effect: let n be high(left of actor); add n to score of actor}
      run: {effect: tell_of(high(left of actor))}
      send: {effect: call look}
      go: {effect: call around}
      seek: {effect: if holder of AS = left of actor then add 1 to score of actor end}
      doom: {effect: if fate of actor > 0 then add 1 to score of actor end}
      blind: {choose: {c: {from: hand of left of actor}}, effect: if c is A then add 1 to score of actor end}
      call_out: {say: "{first c in hand of left of actor}"}
      hide: {effect: set luck to high(left of actor)}
      inform: {effect: set found of left of actor to high(left of actor)}
      own: {effect: "set found to high(actor); add found to score of actor; let n be luck; set luck to n"}
"""


@pytest.fixture
def asking(tmp_path: Path) -> Game:
    path = tmp_path / "asking.yaml"
    path.write_text(ASKING, encoding="utf-8")
    return interpreter.load(path).game()


@pytest.mark.parametrize(
    "told",
    ["guess", "weigh", "peek", "rob", "pick", "bet", "speak", "turn_up", "sink", "keep", "each", "all", "name", "run",
     "send", "go", "seek", "doom", "blind", "call_out", "lose", "lose_one"],
)  # fmt: skip
def test_a_move_that_told_its_player_of_cards_of_others_is_not_taken_back(asking: Game, told: str) -> None:
    state = asking.start(seed=1)
    state.play(0, next(move for move in state.legal_moves(0) if move.action == told))
    before = state.to_json()
    with pytest.raises(ValueError, match="what was learned stays learned"):
        state.undo(seed=5)
    state.play(1, "draw")
    with pytest.raises(ValueError, match="what was learned stays learned"):
        state.undo(seed=5, stay=0)
    with pytest.raises(ValueError, match="what was seen stays seen"):  # hidden numbers may speak of what is drawn
        state.undo(seed=5)
    state.undo()  # where nobody plays on
    assert state.to_json() == before


def test_what_a_move_is_called_by_cards_of_others_is_told_wherever_it_is_offered(tmp_path: Path) -> None:
    path = tmp_path / "asking.yaml"
    marked = '      mark: {label: {"high(left of actor) > 1": bold, else: meek}}\n      guess:\n'
    path.write_text(ASKING.replace("      guess:\n", marked), encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1)
    state.play(0, next(move for move in state.legal_moves(0) if move.action == "mark"))
    for stay in (None, 0):
        with pytest.raises(ValueError, match="what was learned stays learned"):
            state.undo(seed=5, stay=stay)
    state.play(1, "draw")
    for stay in (None, 0):
        with pytest.raises(ValueError, match="what was learned stays learned"):
            state.undo(seed=5, stay=stay)


@pytest.mark.parametrize("action", ["lay", "draw", "hide", "inform", "own", "drop"])
def test_a_move_that_told_nothing_of_cards_of_others_is_taken_back_with_what_they_did_then(
    tmp_path: Path, action: str
) -> None:
    path = tmp_path / "asking.yaml"
    text = re.sub("lasts: match, seen by: (none|owner)", "lasts: match", ASKING) if action == "draw" else ASKING
    path.write_text(text, encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1)
    then = state.view(0)
    state.play(0, next(move for move in state.legal_moves(0) if move.action == action))
    state.play(1, next(move for move in state.legal_moves(1) if move.action == "lay"))
    state.undo(seed=5, stay=0)
    assert state.view(0) == then


@pytest.mark.parametrize("said", ["it is {} there", "{}", "it is {}!", "<{}>", "({}), it is"])
@pytest.mark.parametrize("how", ['say: "{}"', "effect: 'note \"{}\"'"])
def test_a_card_that_was_spoken_of_is_not_drawn_anew_whatever_stands_around_its_name(
    tmp_path: Path, how: str, said: str
) -> None:
    path = tmp_path / "asking.yaml"
    told = "      tell: {" + how.format(said.format("{top of stock}")) + "}\n      guess:\n"
    text = re.sub("lasts: match, seen by: (none|owner)", "lasts: match", ASKING)
    path.write_text(text.replace("      guess:\n", told), encoding="utf-8")
    state = interpreter.load(path).game().start(seed=1)
    state.play(0, "tell")
    state.play(1, next(move for move in state.legal_moves(1) if move.action == "lay"))
    state.play(0, "draw")
    with pytest.raises(ValueError, match="what was seen stays seen"):
        state.undo(seed=5)


SUITS = """\
format: 1
id: suits
name: Suits
players: {min: 2, max: 2}
pack: {standard: 1}
suits:
  a: {letter: C, colour: red}
  b: {letter: D, colour: black}
  c: {letter: H, colour: red}
  d: {letter: S, colour: black}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}, open: {seen by: everyone}}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {setup: 'shuffle stock; deal 5 from stock to hand; note "{top of stock} lies on top"', do: [go]}
  go: {kind: turn, first: P1, turns: 9, actions: {shed: {choose: {card: {from: hand}}, effect: move card to open}}}
"""


@pytest.mark.parametrize("letters", ["CDHS", "ÄÖÜÉ"])
def test_a_card_is_heard_whatever_the_letter_of_its_suit(tmp_path: Path, letters: str) -> None:
    text = SUITS
    for old, new in zip("CDHS", letters, strict=True):
        text = text.replace(f"letter: {old}", f"letter: {new}")
    (tmp_path / "suits.yaml").write_text(text, encoding="utf-8")
    state = interpreter.load(tmp_path / "suits.yaml").game().start(seed=1)
    top = state.zone("stock")[0]
    for seed in range(0, 40, 2):
        state.play(0, state.legal_moves(0)[0])
        state.undo(seed=seed)
        assert state.zone("stock")[0] == top


BEHIND = """\
format: 1
id: behind
name: Behind
players: {min: 2, max: 3}
pack: {standard: 1, only: 9..A}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner, count seen by: owner}
  heap: {seen by: everyone}
state: {score: {each: player, type: integer, lasts: match}}
define: {high(p): count c in hand of p where c.rank > 9}
flow:
  match: {setup: "shuffle stock; deal 3 from stock to hand", do: [deal], winners: none}
  deal: {do: [round, after, last]}
  round:
    kind: turn
    first: P1
    turns: 9 each
    actions:
      wait: {}
      draw: {effect: move 1 from stock to hand}
      stop: {effect: finish round}
  after: {kind: turn, turns: 1 each, actions: {wait: {}}}
  last: {kind: turn, turns: 1 each, actions: {wait: {}}}
"""


def behind(tmp_path: Path, overlay: str, at: str = "round") -> State:
    (tmp_path / "behind.yaml").write_text(BEHIND, encoding="utf-8")
    path = tmp_path / "over.yaml"
    path.write_text(f"format: 1\nid: over\nname: Over\nextends: behind.yaml\n{overlay}\n", encoding="utf-8")
    return interpreter.load(path).game().start(seed=1)


@pytest.mark.parametrize(
    ("overlay", "action"),
    [
        ("flow: {round: {on turn: add high(P2) to score of P1}}", "wait"),
        ("flow: {round: {until: high(P2) = 3}}", "wait"),
        ("flow: {round: {cleanup: add high(P2) to score of P1}}", "stop"),
        ("flow: {after: {setup: add high(P2) to score of P1}}", "stop"),
        ("flow: {after: {when: high(P2) = 3}}", "stop"),
        ("flow: {after: {first: if high(P2) = 3 then P1 else P2}}", "stop"),
        ("zones: {stock: {refill: {from: heap, keep: 0, shuffle: true, when: high(P2) = 3}}}", "draw"),
    ],
)
def test_what_is_done_behind_a_move_tells_of_cards_of_others_too(tmp_path: Path, overlay: str, action: str) -> None:
    state = behind(tmp_path, overlay)
    state.play(0, action)
    with pytest.raises(ValueError, match="what was learned stays learned"):
        state.undo(seed=5)


@pytest.mark.parametrize("hook", ["on card", "on trick"])
def test_what_is_done_with_each_card_and_trick_tells_of_cards_of_others_too(tmp_path: Path, hook: str) -> None:
    told = "base; if any c in hand of left of P1 has c is hearts then add 1 to hearts_seen of P1 end"
    path = tmp_path / "over.yaml"
    path.write_text(
        f"format: 1\nid: over\nname: Over\nextends: hearts\nflow: {{tricks: {{{hook}: {told}}}}}\n"
        "state: {hearts_seen: {each: player, type: integer, lasts: match}}\n",
        encoding="utf-8",
    )
    state = begun(interpreter.load(path).game(), moves=4)
    for _ in range(4 if hook == "on trick" else 1):
        state.play(player := state.actors[0], state.legal_moves(player)[0])
    with pytest.raises(ValueError, match="what was learned stays learned"):
        state.undo(seed=5)


@pytest.mark.parametrize(
    ("overlay", "action"),
    [
        ("flow: {round: {until: hand of P2 is empty}}\nzones: {hand: {count seen by: everyone}}", "wait"),
        ("flow: {round: {cleanup: add high(P2) to score of P1}}", "wait"),
        ("flow: {last: {when: high(P2) = 3}}", "wait"),
    ],
)
def test_what_was_not_asked_yet_or_everybody_sees_lets_a_move_be_taken_back(
    tmp_path: Path, overlay: str, action: str
) -> None:
    state = behind(tmp_path, overlay)
    state.play(0, action)
    state.undo(seed=5, people=[0])


def test_who_has_passed_last_and_seen_what_came_does_not_take_it_back() -> None:
    state = game_of("hearts").start(seed=3)
    for player in range(3):
        state.play(player, state.legal_moves(player)[0])
    seen = state.copy()
    state.play(3, state.legal_moves(3)[0])
    with pytest.raises(ValueError, match="what was learned stays learned"):
        state.undo(seed=5)
    seen.undo(seed=5)


def test_a_deal_that_has_ended_while_others_held_hidden_cards_stays_so() -> None:
    game = interpreter.load("yaniv").game(3, options={"hand_size": 5, "call_limit": 10})
    hands = {"P1": "AC 2C", "P2": "KH 9D", "P3": "5C"}
    state = game.start(given={"at": "play", "current": "P1", "dealer": "P1", "hand": hands})
    state.play(0, "yaniv")
    with pytest.raises(ValueError, match="what was learned stays learned"):
        state.undo(seed=5)
    state = begun(game_of("hearts"), moves=4)
    while state.position.runs[next(s.index for s in state.game.program.stages if s.next_dealer)] == 1:
        state.play(player := state.actors[0], state.legal_moves(player)[0])
    state.undo(seed=5)  # the last trick of a deal, behind which nobody holds a card


NOBODY_S = """\
format: 1
id: nobodys
name: Nobody's
players: {min: 2, max: 2, default: 2}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  kitty: {seen by: none}
  hand: {each: player, seen by: owner}
  heap: {}
flow:
  match:
    setup: "shuffle stock; deal 5 from stock to hand; move KITTY from stock to kitty"
    do: [go]
  go:
    kind: turn
    actions:
      peek: {effect: show all c in kitty to actor}
      take: {effect: move all from kitty to hand}
      bury: {choose: {card: {from: hand}}, effect: move card to stock}
      draw: {effect: move 1 from stock to hand}
      wait: {}
    until: hand of P1 is empty
"""


def of_nobody(tmp_path: Path, kitty: int) -> State:
    path = tmp_path / "nobodys.yaml"
    path.write_text(NOBODY_S.replace("KITTY", str(kitty)), encoding="utf-8")
    return interpreter.load(path).game().start(seed=3)


@pytest.mark.parametrize("move", ["peek", "take"])
@pytest.mark.parametrize("kitty", [1, 3])
def test_all_cards_of_nobody_that_were_seen_stay_seen(tmp_path: Path, move: str, kitty: int) -> None:
    state = of_nobody(tmp_path, kitty)
    state.play(0, move)
    with pytest.raises(ValueError, match=LOOKED):
        state.copy().undo(seed=5)
    state.copy().undo(seed=5, people=[1])  # a bot keeps nothing in mind


def test_a_card_that_another_player_has_buried_stays_seen_by_whoever_draws_it(tmp_path: Path) -> None:
    state = of_nobody(tmp_path, 1)
    state.play(0, f"bury {state.zone('hand', 0)[0]}")
    buried = state.copy()
    state.play(1, "draw")
    with pytest.raises(ValueError, match=LOOKED):
        state.undo(seed=5)
    buried.play(1, "wait")
    buried.play(0, "wait")
    buried.undo(seed=5)


def test_one_of_many_cards_that_was_drawn_is_not_the_next_one(tmp_path: Path) -> None:
    state = of_nobody(tmp_path, 1)
    was = state.copy()
    state.play(0, "draw")
    state.undo(seed=5)
    assert state.position.z[state.game.program.pack_place] != was.position.z[was.game.program.pack_place]


def test_what_came_to_light_last_beneath_the_top_of_a_pile_stays_seen() -> None:
    game = interpreter.load("skip-bo").game(2)
    for beneath in ("4N", "4N 5N", "4N 4N"):  # where there are equal cards any that came to light counts
        given = {"at": "play", "current": "P1", "stock": {"P1": f"1N {beneath}", "P2": "9N"}, "hand": {"P1": "8N"}}
        state = game.start(given=given)
        state.play(0, next(move for move in state.legal_moves(0) if "1N" in move.text or "stock" in move.text))
        assert state.zone("stock", 0)[0] == "4N"
        with pytest.raises(ValueError, match=LOOKED):
            state.undo(seed=5)


@pytest.mark.parametrize("held", ["9D", "3C"])
def test_whether_a_draw_is_taken_back_tells_nothing_of_who_holds_an_equal_card(tmp_path: Path, held: str) -> None:
    path = tmp_path / "seen.yaml"
    path.write_text(SEEN.replace("standard: 1", "standard: 2"), encoding="utf-8")
    hands = {"P1": "2C", "P2": held}
    given = {"at": "play", "current": "P1", "hand": hands, "stock": "9D 5H KS", "waste": "QS"}
    state = interpreter.load(path).game().start(given=given)
    state.play(0, "draw")
    with pytest.raises(ValueError, match=LOOKED):
        state.undo(seed=5)
    state = interpreter.load(path).game().start(given=given)
    state.play(0, "wait")
    state.undo(seed=5)  # what tells nothing is taken back


@pytest.mark.parametrize("pile", ["9N 9N", "9N 4N"])
def test_what_lies_beneath_the_pile_of_somebody_else_makes_no_difference(pile: str) -> None:
    given = {"at": "play", "current": "P1", "stock": {"P1": "1N 4N", "P2": pile}, "hand": {"P1": "8N 8N"}}
    state = interpreter.load("skip-bo").game(2).start(given=given)
    state.play(0, next(move for move in state.legal_moves(0) if "8N" in move.text))
    with suppress(ValueError):
        state.undo(seed=5)
    assert (state.zone("hand", 0), len(state.position.record_moves)) == (["8N", "8N"], 0)


def test_what_was_drawn_is_not_drawn_anew_either_by_who_goes_back_further_and_makes_the_same_moves(
    tmp_path: Path,
) -> None:
    path = tmp_path / "seen.yaml"
    path.write_text(SEEN, encoding="utf-8")
    state = interpreter.load(path).game().start(seed=3)
    for _ in range(2):
        state.play(0, "wait")
    state.play(0, "draw")
    for seed in (2, 4, 6):
        state.undo(seed=seed)
    for match in (state, interpreter.replay(state.record())):
        for more in ("wait", "wait", "draw"):
            match.play(0, more)
        for stay in (None, 1, 0):
            with pytest.raises(ValueError, match="taken back before"):
                match.undo(seed=8, stay=stay)


def test_without_a_log_chance_is_not_drawn_anew() -> None:
    state = game_of("klondike").start(seed=1, log=False)
    state.play(0, state.legal_moves(0)[0])
    with pytest.raises(ValueError, match="without a log"):
        state.undo(seed=5)
    state.undo()


def test_the_last_card_of_the_stock_is_not_drawn_twice() -> None:
    game = game_of("crazy-eights")
    hands = {"P1": "2C 3C", "P2": "4C 5C"}
    state = game.start(given={"at": "play", "current": "P1", "hand": hands, "stock": "9D", "discard": "KH"})
    state.play(0, "draw")
    with pytest.raises(ValueError, match=LEARNED):
        state.undo(seed=5)


def test_a_stage_that_many_actions_call_is_looked_through_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    looked: list[str] = []
    told_in = Asking._is_told_in

    def counted(self: Asking, name: str) -> bool:
        looked.append(name)
        return told_in(self, name)

    monkeypatch.setattr(Asking, "_is_told_in", counted)
    many = 40
    actions = "".join(f"      a{at}: {{effect: call rounds}}\n" for at in range(many))
    parts = "".join(f"  part{at}: {{effect: set luck to {at}}}\n" for at in range(many))
    head = "\n".join(line for line in ASKING.split("\n") if not line.startswith(("  look:", "  around:")))
    text = head[: head.index("      guess:")] + actions + parts
    path = tmp_path / "many.yaml"
    path.write_text(text + f"  rounds: {{do: [{', '.join(f'part{at}' for at in range(many))}]}}\n", encoding="utf-8")
    assert not any(interpreter.load(path).game().program.secrets().actions.values())
    assert many < len(looked) < 3 * many


def test_a_race_that_has_ended_is_not_run_again() -> None:
    state = begun(game_of("hearts"))
    player = state.actors[0]
    state.play(player, state.legal_moves(player)[0])
    tick, player, text, _ = state.position.record_moves[-1]
    state.position.record_moves[-1] = (tick, player, text, {"end": 500})
    assert take_back(state, [player]) == ("", NOT_IN_A_RACE)


def test_whether_a_look_is_taken_back_does_not_hang_on_what_chance_would_give(tmp_path: Path) -> None:
    path = tmp_path / "looking.yaml"
    text = LOOKING.replace("zones: {stock", "zones: {slot: {each: 1..2, seen by: none}, stock")
    text = text.replace("deal 3 from", "move 1 from stock to slot of 1; move 1 from stock to slot of 2; deal 3 from")
    path.write_text(
        text.replace("peep: {when", "pick: {effect: move 1 from slot of 1 to hand; stay}\n      peep: {when")
    )
    for seed in range(8):
        state = interpreter.load(path).game().start(seed=4)
        state.play(0, "pick")
        with pytest.raises(ValueError, match=LOOKED):
            state.undo(seed=seed)


@pytest.mark.parametrize("name", ["gather", "swap", "shuffle"])
def test_a_deal_may_be_called_as_what_is_done_with_cards(tmp_path: Path, name: str) -> None:
    path = tmp_path / "looking.yaml"
    text = LOOKING.replace("repeat: deal,", f"repeat: {name},").replace("  deal: {setup", f"  {name}: {{setup")
    text = text.replace("do: [bidding]}", "do: [bidding], next dealer: left}")
    path.write_text(text.replace("number of deal", f"number of {name}"))
    state = interpreter.load(path).game().start(seed=4)
    for player, move in ((0, "peep"), (0, "wait"), (1, "peep"), (0, "wait")):
        state.play(player, move)
    assert state.value("deals") == 2
    for stay in (None, 0):
        state.undo(seed=5, stay=stay)
