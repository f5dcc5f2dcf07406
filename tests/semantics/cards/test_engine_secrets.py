"""Section 7 where a scenario cannot say it: nothing that is hidden leaks through views, logs, refusals and offers."""

from __future__ import annotations

import copy
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from interpreter import load
from interpreter.api.game import Game, State
from interpreter.engine.chance import Dice
from interpreter.engine.notation import IllegalMove
from interpreter.engine.outcomes import Outside
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.sight import eyes_at, lying_at

FOLDER = Path(__file__).parent / "rulesets"
VEIL = load(FOLDER / "veil.yaml").game()


def lines(state: State, player: int) -> list[str]:
    return list(state.view(player)["log"])


def cards_in(text: str, state: State) -> set[str]:
    return set(re.findall(r"[A-Z0-9]+", text.upper())) & set(state.game.program.cards)


def given(**position: Any) -> State:
    return VEIL.start(given={"at": "peeking", "current": "P1", **position})


def test_a_count_that_is_hidden_is_not_in_the_view() -> None:
    state = given(dealer="P2", vault=["2C", "3C"])
    assert "vault" not in {name for name, zone in state.view(0)["zones"].items() if zone}
    assert state.view(1)["zones"]["vault"] == {"count": 2, "cards": ["2C", "3C"]}


def test_an_event_does_not_tell_a_count_that_a_player_may_not_know() -> None:
    state = given(attic={"P1": ["2C", "3C", "4C"]})
    state.play(0, "shift")
    assert any("3 cards" in line for line in lines(state, 0))  # the owner before knows how many went
    assert any("3 cards" in line for line in lines(state, 1))  # and the owner now
    assert lines(state, 2)[-1] == "P1 shift"


MURKY = """
format: 1
id: murky
name: Murky
players: {min: 3, max: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner, count seen by: owner}
  dark: {each: player, seen by: none, count seen by: none}
  pool: {seen by: none, count seen by: none}
  pond: {seen by: none, count seen by: none}
  well: {seen by: none, count seen by: none, refill: {from: pond, keep: 0, on: empty, shuffle: true}}
flow:
  match: {first dealer: P1, do: [go]}
  go:
    kind: ask
    players: P2
    actions:
      act: {effect: EFFECT}
      sink: {choose: {cards: {from: hand, count: 1..3}}, effect: move cards to dark}
      fish: {choose: {cards: {from: dark of P1, count: 1..3}}, effect: move cards to pool}
"""
EFFECTS = [
    "show dark of P2 to P2",
    "turn down dark of P2",
    "turn down top of dark of P2",
    "deal 2 from dark of P2 to dark",
    "move 2 at random from dark of P2 to pool",
    "move all from dark of P2 to pool",
    "move 2 from dark of P2 to pool face down",
    "move 2 from dark of P2 beneath pool",
    "for c in dark of P2 do move c to pool end",
    "move all from dark of P2 to dark of P1",
    "move 1 from dark of P2 to well",
    "swap dark of P2, pool",
    "gather dark to pool",
    "if count of dark of P2 > 1 then move 1 from dark of P2 to well; move all from well to pool end",
]


def murky(folder: Path, effect: str, hand: str = "", dark: str = "") -> State:
    path = folder / "murky.yaml"
    path.write_text(MURKY.replace("EFFECT", f'"{effect}"').lstrip(), encoding="utf-8")
    cards = {"hand": {"P2": hand}, "dark": {"P1": "9S 8S 7S", "P2": dark}, "pond": "9C 8C"[: len(dark)].split()}
    return load(path).game().start(given={"at": "go", **cards, "rest": "stock"})


def moved(state: State, player: int) -> list[str]:
    """What a player reads of moves and cards."""
    return [line for line in lines(state, player) if line.startswith(("P", " "))]


@pytest.mark.parametrize("effect", EFFECTS)
def test_what_is_done_with_cards_reads_alike_to_whom_their_number_is_hidden_however_many_there_are(
    effect: str, tmp_path: Path
) -> None:
    logs = []
    for number in range(4):
        state = murky(tmp_path, effect, dark=" ".join(["2C", "3C", "4C"][:number]))
        state.play(1, "act")
        logs.append(lines(state, 2))
    assert logs == [logs[0]] * 4


@pytest.mark.parametrize("move", ["sink 2C", "sink 3C 4C", "sink 2C 3C 4C"])
def test_a_move_with_hidden_cards_does_not_tell_a_player_who_may_count_neither_place_how_many_they_are(
    move: str, tmp_path: Path
) -> None:
    state = murky(tmp_path, "nothing", hand="2C 3C 4C")
    state.play(1, move)
    assert moved(state, 2) == ["P2 sink ?"]
    assert moved(state, 1)[0] == f"P2 {move}"


@pytest.mark.parametrize("move", ["fish 1", "fish 3", "fish 1 2"])
def test_positions_are_told_to_those_alone_who_may_count_the_cards_there(move: str, tmp_path: Path) -> None:
    state = murky(tmp_path, "nothing")
    state.play(1, move)
    assert moved(state, 2) == ["P2 fish ?"]


TAKEN_BACK = """
format: 1
id: retracted
name: Retracted
players: {min: 3, max: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  den: {each: player, seen by: none, capacity: 2}
  pile: {}
  well: {shows: top}
flow:
  match: {first dealer: P1, do: [go, at_once]}
  go:
    kind: turn
    until: count of pile > 3
    actions:
      hide: {choose: {card: {from: hand}}, must: {never: {law: not honor, breach: BREACH}}, effect: move card to den}
      lay: {choose: {card: {from: hand}}, must: {never: {law: not honor, breach: BREACH}}, effect: move card to pile}
      sort:
        choose: {card: {from: hand}}
        must: {never: {law: not honor, breach: BREACH, on breach: move 1 from stock to pile}}
        effect: if card is 9 then move card to pile else move card to den end
      give:
        choose: {card: {from: hand}, to_whom: {players: others}}
        must: {never: {law: not honor, breach: BREACH}}
        effect: move card to hand of to_whom
      sink: {choose: {cards: {from: hand, count: 1..2}}, effect: move cards to well}
      slip: {choose: {card: {from: hand}}, effect: move 1 from stock to well; move card beneath well}
      burst:
        choose: {card: {from: hand}}
        must: {never: {law: not honor, breach: BREACH}}
        effect: move card to den; move 2 from stock to den
      toss:
        choose: {card: {from: hand}}
        must: {never: {law: not honor, breach: BREACH}}
        effect: if random of (1..2) = 1 then move card to pile else move card to den end; stay
  at_once:
    kind: simultaneous
    actions:
      drop: {choose: {card: {from: hand}}, must: {never: {law: not honor, breach: BREACH}}, effect: move card to den}
honor: {penalty: nothing}
"""


def retracted(folder: Path, at: str, move: str, breach: str = "taken back") -> list[str]:
    """What each player reads of a move of P2."""
    state = before_retracting(folder, at, breach)
    state.play(1, move)
    return [line for player in range(3) for line in moved(state, player) if line.startswith("P")]


def before_retracting(folder: Path, at: str, breach: str, **more: Any) -> State:
    """P2 is to move. more: as `Game.start` takes it."""
    path = folder / "retracted.yaml"
    path.write_text(TAKEN_BACK.replace("BREACH", breach).lstrip(), encoding="utf-8")
    turn = {"current": "P2"} if at == "go" else {}
    position = {"at": at, "hand": {"P2": ["9D", "8S", "7H"]}, "rest": "stock", **turn}
    return load(path).game(enforcement="honor").start(**{"seed": 1, **more}, given=position)


@pytest.mark.parametrize(
    ("at", "move"),
    [
        ("go", "hide 9D"), ("go", "lay 9D"), ("go", "sort 9D"), ("go", "sort 8S"), ("go", "give 9D P3"),
        ("at_once", "drop 9D"),
    ],
)  # fmt: skip
def test_a_move_that_is_taken_back_is_read_by_everyone_as_if_it_had_stood(at: str, move: str, tmp_path: Path) -> None:
    stood = retracted(tmp_path, at, move, breach="stands")
    assert len(stood) == 3
    assert retracted(tmp_path, at, move) == [f"{line} (taken back)" for line in stood]


@pytest.mark.parametrize(
    ("move", "read"),
    [
        ("sort 8S", "sort ?"),
        ("sort 9D", "sort 9D"),
        ("sink 9D", "sink 9D"),
        ("sink 8S 9D", "sink 9D ?"),
        ("slip 9D", "slip ?"),
    ],
)
def test_a_card_that_may_be_laid_openly_is_named_where_it_is_laid_so(move: str, read: str, tmp_path: Path) -> None:
    assert retracted(tmp_path, "go", move, breach="stands") == [f"P2 {read}", f"P2 {move}", f"P2 {read}"]


def test_a_move_that_is_taken_back_and_could_not_stand_is_told_to_its_player_alone(tmp_path: Path) -> None:
    assert retracted(tmp_path, "go", "burst 9D") == ["P2 burst 9D (taken back)"]


CHANCES: list[dict[str, Any]] = [
    *({"seed": seed} for seed in range(12)), {"chance": {"random": [1]}}, {"chance": {"random": [2]}},
    *({"chance": Outside()} for _ in range(6)), {"chance": Outside({"random": ["1"]})},
    {"chance": Outside({"random": ["2"]})},
]  # fmt: skip


def test_what_is_read_of_a_move_that_is_taken_back_tells_nothing_of_what_chance_gives_next(tmp_path: Path) -> None:
    states = [before_retracting(tmp_path, "go", "taken back", **copy.deepcopy(chance)) for chance in CHANCES]
    found = set()
    for _ in range(8):
        for state in states:
            state.play(state.actors[0], "toss 9D")
        read = {tuple(moved(state, player)[-1] for player in range(3)) for state in states}
        assert len(read) == 1, "it is the same, whatever comes next"
        found |= read
    seen, unseen = "P2 toss 9D (taken back)", "P2 toss ? (taken back)"
    assert found == {(seen,) * 3, (unseen, seen, unseen)}, "of what may come others read"
    assert len({state.zone("pile") == ["9D"] for state in stood(tmp_path)}) == 2


def stood(folder: Path) -> list[State]:
    """The matches after a move whose consequence hangs on chance, and stands."""
    states = [before_retracting(folder, "go", "stands", **copy.deepcopy(chance)) for chance in CHANCES]
    for state in states:
        state.play(1, "toss 9D")
    return states


def test_a_variable_that_is_hidden_is_not_in_the_view() -> None:
    state = given(guess={"P1": 7, "P2": 8}, code="hearts")
    assert state.view(1)["values"]["guess"] == {"P2": 8}
    assert "code" not in state.view(1)["values"]
    assert given(dealer="P2", code="hearts").view(1)["values"]["code"] == "hearts"


def test_a_definition_that_is_hidden_is_not_in_the_view() -> None:
    state = given(hand={"P1": ["2C"], "P2": ["3C", "4C"]})
    assert state.view(1)["values"]["hand_size"] == {"P2": 2}
    assert "highest_in_hand" not in state.view(1)["values"]


def test_a_variable_that_holds_a_card_is_seen_by_those_who_see_the_card() -> None:
    state = given(hand={"P1": ["2C", "3C"]}, held="3C")
    assert state.view(0)["values"]["held"] == "3C"
    assert "held" not in state.view(1)["values"]
    state.play(0, "lay 3C")
    assert state.view(1)["values"]["held"] == "3C"


def test_a_choice_that_is_the_choosers_own_is_not_in_the_log_of_others() -> None:
    state = given()
    state.play(0, "think 7")
    assert "P1 think 7" in lines(state, 0)
    assert not any("7" in line for player in (1, 2, 3) for line in lines(state, player))
    assert "P1 think ?" in lines(state, 3)


def test_a_choice_is_told_to_those_whom_it_names() -> None:
    state = given()
    state.play(0, "whisper P2 hearts")
    assert "P1 whisper P2 hearts" in lines(state, 2)  # the partner
    assert "P1 whisper P2 ?" in lines(state, 1)


def test_a_card_laid_face_down_is_named_in_no_log_but_of_who_laid_it() -> None:
    state = given(hand={"P1": ["2C", "3C"]})
    state.play(0, "hide 2C")
    assert "P1 hide 2C" in lines(state, 0)
    assert [any("2C" in line for line in lines(state, player)) for player in range(4)] == [True, False, False, False]
    assert "P1 hide ?" in lines(state, 1)


def test_a_card_given_to_another_is_named_to_these_two() -> None:
    state = given(hand={"P1": ["2C", "3C"]})
    state.play(0, "give 2C P3")
    assert [any("2C" in line for line in lines(state, player)) for player in range(4)] == [True, False, True, False]
    assert "P1 give ? P3" in lines(state, 1)


def test_a_card_turned_down_is_shown_once_more_to_those_who_saw_it() -> None:
    state = given(stock=["2C", "3C"], up=["2C"])
    state.play(0, "turn_down_top")
    assert "  2C in stock face down" in lines(state, 3)


def test_a_card_shown_to_one_player_shows_to_no_other() -> None:
    state = given(hand={"P1": ["2C", "3C"]})
    state.play(0, "flash 2C P3")
    seen = [any("2C in hand" in line for line in lines(state, player)) for player in range(4)]
    assert seen == [True, False, True, False]


def test_a_position_in_a_hand_does_not_tell_the_rank() -> None:
    state = given(stock=["9S", "2C", "KD"], hand={"P2": []})
    for _ in range(3):
        state.play(1, "draw") if state.position.current == 1 else None
        while state.position.current != 1:
            state.play(state.position.current, "bail")
    state.play(1, "draw") if len(state.zone("hand", 1)) < 3 else None
    assert state.zone("hand", 1) == ["KD", "2C", "9S"]  # as they came, the newest on top


@pytest.mark.parametrize("player", range(4))
def test_offers_name_no_card_that_the_player_does_not_see(player: int) -> None:
    hands = {"P1": ["2C", "9C"], "P2": ["3H", "4H"], "P3": ["5S"], "P4": ["8S"]}
    state = given(hand=hands, slate={"P1": ["6S"], "P2": ["7S"]}, current=f"P{player + 1}")
    s = state.position
    visible = {s.program.cards[c] for c in range(52) if eyes_at(s, c, lying_at(s, c)) >> player & 1}
    offered = {card for move in state.legal_moves(player) for card in cards_in(str(move), state)}
    assert offered <= visible
    assert offered


@pytest.mark.parametrize("text", ["steal P2 3H", "steal P2 9S", "steal P2 7", "lay 3H", "lay 9S", "give 3H P3"])
def test_a_refusal_is_the_same_whether_another_holds_the_card_or_not(text: str) -> None:
    messages = set()
    for held in ("3H", "9S"):
        state = given(hand={"P1": ["2C"], "P2": [held]})
        with pytest.raises(IllegalMove) as refusal:
            state.play(0, text)
        messages.add(str(refusal.value))
    assert len(messages) == 1


FILES = [path for path in sorted(FOLDER.glob("*.yaml")) if "extends:" not in path.read_text()]


@cache
def game_of(path: Path) -> Game:
    return load(path).game()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("seed", range(3))
def test_exchanging_unseen_cards_changes_no_view(path: Path, seed: int) -> None:
    """Two cards that a player has never seen are exchanged in the state; the view and the offers stay the same."""
    game = game_of(path)
    state = game.start(seed=seed)
    dice = Dice(seed)
    for _ in range(40):
        if state.over:
            break
        actor = state.actors[0]
        moves = [m for m in state.legal_moves(actor) if m.action != "gather_all"]
        if not moves:  # a workbench may come to a standstill
            break
        try:
            state.play(actor, moves[dice.below(len(moves))])
        except RuleError:  # a capacity; the state is as it was
            continue
        for player in range(game.players):
            _exchange(state, player)


def _exchange(state: State, player: int) -> None:
    seen = cards_in(json.dumps(state.view(player)), state)
    seen |= {c for m in state.legal_moves(player) for c in cards_in(str(m), state)}
    unseen = [c for c in range(len(state.game.program.cards)) if state.game.program.cards[c] not in seen]
    if len(unseen) < 2:
        return
    one, two = unseen[0], unseen[-1]
    other = state.copy()
    swap = {one: two, two: one}
    for place, kept in enumerate(other.position.z):
        if isinstance(kept, int):
            bits = {c for c in range(len(state.game.program.cards)) if kept >> c & 1}
            other.position.z[place] = sum(1 << swap.get(c, c) for c in bits)
        else:
            other.position.z[place] = [swap.get(c, c) for c in kept]
    for slot in _card_slots(state):
        other.position.v[slot] = swap.get(other.position.v[slot], other.position.v[slot])
    assert other.view(player) == state.view(player)
    assert [str(m) for m in other.legal_moves(player)] == [str(m) for m in state.legal_moves(player)]


def _card_slots(state: State) -> list[int]:
    codes = [code for code in state.game.program.variables.values() if code.kind == "card"]
    return [code.base + at for code in codes for at in range(code.size)]
