"""What a seat cannot see makes no difference to it: neither in its view, nor in what it is offered and refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from walks import ENFORCEMENTS, SHIPPED, Setting, exchanged
from where import TESTS

import interpreter
from interpreter import Game, IllegalMove
from interpreter.api.game import State
from interpreter.api.random_play import play_randomly
from interpreter.engine.chance import Dice
from interpreter.engine.events import ALL
from interpreter.engine.rule_errors import RuleError
from interpreter.engine.sight import eyes_at, lying_at

FOLDER = TESTS
HIDDEN = [
    FOLDER / "semantics/cards/rulesets/burglars.yaml",
    FOLDER / "semantics/cards/rulesets/scribes.yaml",
    FOLDER / "semantics/cards/rulesets/veil.yaml",
]
"""Rulesets in which cards are chosen that the chooser does not see."""
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
MOST = 400
"""So many moves are compared."""


def unseen(state: State, viewer: int) -> list[int]:
    """Cards whose faces a player does not see where they lie, and that the log has never named to that player."""
    said = set(" ".join(state.view(viewer)["log"]).replace('"', " ").split())
    cards = range(len(state.game.program.cards))
    hidden = [c for c in cards if not eyes_at(state.position, c, lying_at(state.position, c)) >> viewer & 1]
    return [c for c in hidden if state.game.program.cards[c] not in said]


def two_of(cards: list[int], dice: Dice) -> tuple[int, int]:
    at = dice.below(len(cards))
    return cards[at], cards[(at + 1 + dice.below(len(cards) - 1)) % len(cards)]


def offers(state: State, viewer: int) -> tuple[list[str], list[str]]:
    """What a seat may do and can do, in order."""
    found = []
    for moves in (state.legal_moves(viewer), state.possible_moves(viewer)):
        found.append([str(moves[at]) for at in range(min(MOST, len(moves)))])
    return found[0], found[1]


def refusals(state: State, viewer: int, moves: list[str]) -> list[str]:
    """Why a seat is refused what it tries: moves with other cards and positions in them, and those against a law."""
    cards = state.game.program.cards
    tried = []
    for move in moves[:: max(1, len(moves) // 12)]:
        words = move.split()
        tried += [" ".join([*words[:-1], last]) for last in (cards[0], cards[len(cards) // 2], cards[-1], "1", "30")]
        tried += [f"{words[0]} {cards[3]} {cards[7]}", f"{words[0]} 1 2"]
    found = []
    for move in [*tried, *moves[:40]]:
        copy = state.copy()
        try:
            copy.play(viewer, move)
            found.append("")
        except (IllegalMove, RuleError) as refusal:
            found.append(f"{move}: {refusal}")
    return found


def check_unseen(state: State, viewer: int, dice: Dice) -> bool:
    """Exchange two cards that a seat has not seen; it must not notice. Returns whether there were two."""
    hidden = unseen(state, viewer)
    if len(hidden) < 2:
        return False
    one, two = two_of(hidden, dice)
    other = exchanged(state, one, two)
    names = f"{state.game.program.cards[one]} and {state.game.program.cards[two]}"
    assert other.view(viewer) == state.view(viewer), f"P{viewer + 1} sees {names} exchanged"
    before, after = offers(state, viewer), offers(other, viewer)
    assert after == before, f"P{viewer + 1} is offered something else with {names} exchanged"
    assert refusals(other, viewer, before[1]) == refusals(state, viewer, before[1])
    return True


def check_onlookers(state: State, player: int, move: str, dice: Dice) -> None:
    """Who sees neither of two cards, before a move and after it, reads the same of the move when they are exchanged."""
    for viewer in range(state.game.program.n):
        hidden = unseen(state, viewer)
        if len(hidden) < 2:
            continue
        one, two = two_of(hidden, dice)
        other, state_after = exchanged(state, one, two), state.copy()
        try:
            state_after.play(player, move)
            other.play(player, renamed(move, state.game.program.cards[one], state.game.program.cards[two]))
        except (IllegalMove, RuleError):
            continue  # the other cards allow another play
        names = {state.game.program.cards[one], state.game.program.cards[two]}
        if {one, two} <= set(unseen(state_after, viewer)) and not names & public(state_after, other):
            assert other.view(viewer)["log"] == state_after.view(viewer)["log"]


def public(*states: State) -> set[str]:
    """Cards that everybody sees somewhere."""
    cards = range(len(states[0].game.program.cards))
    seen = ((s.position, c) for s in states for c in cards)
    return {s.program.cards[c] for s, c in seen if eyes_at(s, c, lying_at(s, c)) == ALL}


def renamed(move: str, one: str, two: str) -> str:
    change = {one: two, two: one}
    return " ".join(change.get(word, word) for word in move.split(" "))


def walk(game: Game, seed: int, limit: int, every: int) -> int:
    """Compare at some moments of a random match; returns how often there was something to compare."""
    state, dice, compared = game.start(seed=seed), Dice(seed), 0
    for number in range(limit):
        if state.over or not state.actors:
            break
        player = state.actors[dice.below(len(state.actors))]
        if number % every == 0:
            compared += check_unseen(state, player, dice)
            compared += check_unseen(state, dice.below(game.players), dice)
        moves = state.legal_moves(player)
        if not len(moves):
            break
        move = moves[dice.below(len(moves))]
        if number % every == 0:
            check_onlookers(state, player, str(move), dice)
        try:
            state.play(player, move)
        except RuleError:  # a capacity; the state is as it was
            continue
    return compared


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
@pytest.mark.parametrize("path", HIDDEN, ids=lambda path: path.stem)
def test_hidden_cards_are_chosen_by_position(path: Path, enforcement: interpreter.api.game.Enforcement) -> None:
    game = interpreter.load(path).game(enforcement=enforcement)
    assert sum(walk(game, seed, limit=24, every=2) for seed in range(2)) > 10


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
@pytest.mark.parametrize("name", SHIPPED)
def test_hidden_cards_make_no_difference_in_a_shipped_game(name: str, enforcement: str) -> None:
    game = Setting(name, enforcement).game()
    assert game is not None
    assert walk(game, 1, limit=60, every=6) > 0


LAW_ON_UNSEEN = """
format: 1
id: robbers
name: Robbers
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
flow:
  match: {setup: "shuffle stock; deal 3 from stock to hand", do: [robbing]}
  robbing:
    kind: turn
    actions:
      steal:
        choose: {card: {from: hand of left of actor}}
        must: {never: {law: count of hand > 51, message: "{card} is no such card"}}
        effect: move card to hand
"""


def test_a_refusal_does_not_name_a_card_that_is_not_seen(tmp_path: Path) -> None:
    path = tmp_path / "robbers.yaml"
    path.write_text(LAW_ON_UNSEEN)
    state = interpreter.load(path).game().start(seed=1)
    with pytest.raises(IllegalMove) as refusal:
        state.play(state.actors[0], "steal 1")
    assert str(refusal.value) == "never: this is against the rules of the game"


def test_what_is_left_unsaid_of_a_hidden_card_is_what_it_is(tmp_path: Path) -> None:
    overlay = """
format: 1
id: named
extends: base.yaml
flow:
  night:
    actions:
      name:
        choose: {card: {from: hand of left of actor}, suit: {suits: all, said: true, else: card.suit}}
        effect: move card to pile
"""
    base = (FOLDER / "semantics/cards/rulesets/burglars.yaml").read_text(encoding="utf-8")
    (tmp_path / "base.yaml").write_text(base, encoding="utf-8")
    (tmp_path / "named.yaml").write_text(overlay.lstrip(), encoding="utf-8")
    state = interpreter.load(tmp_path / "named.yaml").game(enforcement="honor").start(seed=1)
    (player,) = state.actors
    unsaid, said = state.copy(), state.copy()
    unsaid.play(player, "name 1")
    (card,) = unsaid.zone("pile")
    said.play(player, f"name 1 {SUITS[card[-1]]}")
    assert said.zone("pile") == [card]
    assert any(f"name 1 {SUITS[card[-1]]}" in str(event) for event in said.log or ())


@pytest.mark.parametrize("path", HIDDEN, ids=lambda path: path.stem)
def test_random_play_chooses_hidden_cards_as_the_list_of_moves_does(path: Path) -> None:
    game = interpreter.load(path).game()
    for seed in range(3):
        quick, slow = game.start(seed=seed, log=False), game.start(seed=seed)
        dice, other = Dice(seed), Dice(seed)
        for _ in range(30):
            if quick.over or not quick.legal_moves(quick.actors[0]):
                break
            play_randomly(quick.position, dice, 1)
            actors = slow.actors
            player = actors[other.below(len(actors))] if len(actors) > 1 else actors[0]
            moves = slow.legal_moves(player)
            slow.play(player, moves[other.below(len(moves))] if len(moves) > 1 else moves[0])
            one, two = quick.position, slow.position
            assert (one.z, one.v, one.current) == (two.z, two.v, two.current)
        assert slow.position.record_moves


ABOUT_THE_ACTOR = """
format: 1
id: own
name: Own
players: {min: 2, max: 2}
pack: {standard: 1}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
define: {mine: all c in hand where c.suit = hearts, theirs: hand of left of actor}
flow:
  match: {setup: deal 2 from stock to hand, do: [go]}
  go:
    kind: turn
    actions:
      lay: {choose: {card: {from: mine}}, effect: move card to stock}
      steal: {choose: {card: {from: theirs}}, effect: move card to hand}
"""


def test_cards_may_be_chosen_from_what_a_definition_says_of_the_actor(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(ABOUT_THE_ACTOR)
    position = {"at": "go", "current": "P1", "hand": {"P1": ["2H", "3C"], "P2": ["4H", "5C"]}, "rest": "stock"}
    state = interpreter.load(path).game().start(given=position)
    assert [str(move) for move in state.legal_moves(0)] == ["lay 2H", "steal 2", "steal 1"]


@pytest.mark.parametrize("kind", ["turn", "simultaneous"])
def test_who_lays_a_card_away_unseen_does_not_read_which_it_was(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(
        "format: 1\nid: small\nname: Small\nplayers: {min: 2, max: 2}\npack: {standard: 1}\nzones:\n"
        "  stock: {pack: true, seen by: none}\n  hand: {each: player, faces: down}\n"
        "  cave: {each: player, seen by: none}\n"
        "flow:\n  match: {setup: shuffle stock; deal 5 from stock to hand, do: [go]}\n"
        f"  go: {{kind: {kind}, actions: {{throw: {{choose: {{c: {{from: hand}}}}, effect: move c to cave}}}}}}\n"
    )
    state = interpreter.load(path).game().start(seed=1)
    player = state.actors[0]
    state.play(player, "throw 5")
    assert f"  1 card hand P{player + 1} -> cave P{player + 1}" in state.view(player)["log"]


@pytest.mark.parametrize(
    "whence",
    ["hand", "held(actor)", "all c in pack where holder of c = actor", "all c in pack where c in kept of actor"],
)
def test_a_card_that_goes_where_not_all_see_it_is_not_named_however_it_is_said_whence_it_comes(
    whence: str, tmp_path: Path
) -> None:
    path = tmp_path / "away.yaml"
    path.write_text(
        "format: 1\nid: away\nname: Away\nplayers: {min: 2, max: 2}\npack: {standard: 1}\nzones:\n"
        "  stock: {pack: true, seen by: none}\n  hand: {each: player, seen by: owner}\n"
        "  chest: {each: player, seen by: owner}\n"
        "state: {kept: {each: player, type: cards, seen by: owner, lasts: match}}\n"
        "define: {held(p): {value: all c in hand of p where c.suit != none}}\n"
        "flow:\n  match: {setup: shuffle stock; deal 5 from stock to hand, do: [go]}\n"
        "  go: {kind: turn, setup: for p in everyone do set kept of p to all c in hand of p end, actions: "
        f"{{lay: {{choose: {{c: {{from: '{whence}'}}}}, effect: move c to chest}}}}}}\n"
    )
    state = interpreter.load(path).game().start(seed=1)
    player = state.actors[0]
    move = str(state.legal_moves(player)[0])
    state.play(player, move)
    assert f"P{player + 1} {move}" in state.view(player)["log"]
    assert f"P{player + 1} lay ?" in state.view(1 - player)["log"]


MELD_AND_CARD = """\
format: 1
id: trade
name: Trade
players: {min: 2, max: 2}
pack: {standard: PACKS}
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
melds: {few: {same: suit, size: 2..3}}
flow:
  match: {first dealer: P1, setup: shuffle stock; deal 6 from stock to hand, do: [go]}
  go:
    kind: turn
    turns: 2 each
    actions:
      trade: {choose: {CHOOSE}, effect: EFFECT}
"""
MELD, CARD = "m: {meld: few, from: hand}", "c: {from: hand of left of actor"
BOTH_GO = "move m to hand of left of actor; move c to hand"


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
@pytest.mark.parametrize(
    ("packs", "choose", "effect"),
    [
        pytest.param(1, f"{MELD}, {CARD}}}", BOTH_GO, id="a meld and a card"),
        pytest.param(2, f"{MELD}, {CARD}}}", BOTH_GO, id="of two packs"),
        pytest.param(1, f"{CARD}}}, {MELD}", BOTH_GO, id="the card first"),
        pytest.param(1, f"{MELD}, {CARD}, optional: true}}", "move m to stock", id="perhaps a card"),
        pytest.param(1, "m: {melds: few, from: hand, count: 1}, " + CARD + "}", "move c to hand", id="several melds"),
    ],
)
def test_every_move_of_a_meld_and_a_card_that_nobody_sees_can_be_made(
    packs: int, choose: str, effect: str, enforcement: str, tmp_path: Path
) -> None:
    path = tmp_path / "trade.yaml"
    text = MELD_AND_CARD.replace("PACKS", str(packs)).replace("CHOOSE", choose).replace("EFFECT", effect)
    path.write_text(text, encoding="utf-8")
    state = interpreter.load(path).game(enforcement=enforcement).start(seed=1)
    player = state.actors[0]
    moves = list(state.legal_moves(player))[:60]
    assert moves
    for move in moves:
        for said in (move, str(move)):
            after = state.copy()
            after.play(player, said)
            assert after.log[-1] != state.log[-1]
