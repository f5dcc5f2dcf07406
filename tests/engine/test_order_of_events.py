"""In which order cards go that somebody does not see tells nobody what they are: of two cards that are exchanged, each
fares as the other did."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from small import APART, TAKEN, TIED, hiding

import interpreter
from interpreter import Game, State
from interpreter.engine.packets import as_tuple

DECKS, WORLDS = 4, 12
CHOOSING = """\
      bury: {choose: {cards: {from: hand, count: 3}}, effect: move cards to heap}
      sink: {choose: {cards: {from: hand, count: 3}}, effect: for c in cards do move c to heap end}
      part: {choose: {cards: {from: hand, count: 3}}, effect: move 1 from cards to box}
      slip:
        choose: {cards: {from: hand, count: 3}}
        effect: move 1 from hand to kitty; move 1 from hand to pool; for c in cards do move c to box end
      lose:
        choose: {cards: {from: hand, count: 3}}
        effect: move 1 from hand to kitty; move 1 from hand to pool; move 1 from cards to box
"""


@cache
def game(folder: Path, *effects: str, more: str = "") -> Game:
    path = folder / "hiding.yaml"
    path.write_text(hiding(*effects, more=more), encoding="utf-8")
    return interpreter.load(path).game()


def told(state: State, seat: int) -> str:
    return repr((state.view(seat), [text for event in state.log if (text := event.text(seat)) is not None]))


def lying(state: State, names: dict[str, str]) -> list[object]:
    """What lies where, with cards under other names: in order where that counts."""
    program = state.game.program
    found: list[object] = []
    for kept in state.position.z:
        named = [names.get(program.cards[card], program.cards[card]) for card in as_tuple(kept)]
        found.append(named if isinstance(kept, list) else sorted(named))
    return found


def decks(own: Game, seat: int, seed: int) -> list[tuple[list[str], dict[str, str]]]:
    """A deck, and others with two cards exchanged that the seat does not see, and these by their names."""
    dice = random.Random(seed)
    first = list(own.program.cards)
    dice.shuffle(first)
    state = own.start(seed=1, deck=first)
    seen = {card for event in state.log if event.kind == "cards" and event.seen >> seat & 1 for card in event.cards}
    hidden = [at for at, card in enumerate(first) if card not in seen and card not in state.zone("stock")[:20]]
    found = [(first, dict[str, str]())]
    for _ in range(WORLDS):
        one, two = dice.sample(hidden, 2)
        deck = first[:]
        deck[one], deck[two] = deck[two], deck[one]
        found.append((deck, {first[one]: first[two], first[two]: first[one]}))
    return found


def differing(own: Game, *moves: tuple[int, str], seat: int = 0) -> list[str]:
    """Where exchanged cards fare otherwise, or the seat learns of it. A number in a move stands for a card of the hand
    as it lies."""
    found: list[str] = []
    for seed in range(DECKS):
        before = after = ""
        lay: list[object] = []
        for deck, names in decks(own, seat, seed):
            state = own.start(seed=1, deck=deck)
            before = before or told(state, seat)
            assert told(state, seat) == before, "the cards are exchanged that the seat does not see"
            for player, text in moves:
                hand = state.zone("hand", player)
                state.play(player, " ".join(hand[int(word)] if word.isdigit() else word for word in text.split()))
            after, lay = after or told(state, seat), lay or lying(state, {})
            if told(state, seat) != after:
                found.append(f"P{seat + 1} learns of {sorted(names)}")
            if lying(state, names) != lay:
                found.append(f"otherwise with {sorted(names)}")
    return found


@pytest.mark.parametrize("effect", (*APART, *TAKEN))
def test_cards_go_whatever_they_are(effect: str, tmp_path: Path) -> None:
    shown = effect.endswith("to row")
    assert not [line for line in differing(game(tmp_path, effect), (0, "act_1")) if not (shown and "learns" in line)]


@pytest.mark.parametrize("effect", TIED)
def test_cards_that_are_equal_come_place_by_place(effect: str, tmp_path: Path) -> None:
    assert not [line for line in differing(game(tmp_path, effect), (0, "act_1")) if "learns" in line]


@pytest.mark.parametrize("action", ("bury", "sink", "part", "slip", "lose"))
def test_cards_that_are_chosen_go_as_they_lie(action: str, tmp_path: Path) -> None:
    own = game(tmp_path, "nothing", more=CHOOSING)
    assert not differing(own, (0, "act_1"), (1, f"{action} 0 1 3"))


def test_places_come_in_the_order_in_which_the_rules_name_them(tmp_path: Path) -> None:
    own = game(tmp_path, "for c in (kitty, hand of P3, pool, hand of P2) do move c to box end")
    state = own.start(seed=3)
    start = len(state.log)
    state.play(0, "act_1")
    sources = [event.source for event in state.log[start:] if event.kind == "cards"]
    assert sources == [*["hand P2"] * 5, *["hand P3"] * 5, "pool", "pool", "kitty", "kitty"]


def test_what_the_rules_put_in_order_keeps_it(tmp_path: Path) -> None:
    own = game(
        tmp_path,
        "for c in (kitty, pool) by 0 - place of c.rank do move c to heap end",
        "for c in (all c in (hand of P2, hand of P3) by 0 - place of c.rank) do move c to heap end",
        "let held be all c in hand of P2 by place of c.rank; move held to heap",
    )
    rank = {card: own.program.card_rank[at] for at, card in enumerate(own.program.cards)}
    for seed in range(8):
        for action, count, down in (("act_1", 4, True), ("act_2", 10, True), ("act_3", 5, False)):
            state = own.start(seed=seed)
            state.play(0, action)
            ranks = [rank[card] for card in state.zone("heap")[:count]][::-1]
            assert ranks == sorted(ranks, reverse=down)


def test_cards_that_all_see_go_in_the_order_of_the_pack(tmp_path: Path) -> None:
    own = game(
        tmp_path,
        "for c in (row, line) do move c to box end",
        "gather all to stock; for c in pack where c.rank = 2 do move c to box end",
    )
    for seed in range(8):
        state = own.start(seed=seed)
        cards = sorted([*state.zone("row"), *state.zone("line")], key=own.program.cards.index)
        for action, expected in (("act_1", cards), ("act_2", ["2C", "2D", "2H", "2S"])):
            again, start = state.copy(), len(state.log)
            again.play(0, action)
            gone = [card for event in again.log[start:] if event.kind == "cards" for card in event.cards]
            assert gone == expected


@pytest.mark.parametrize(
    "effect",
    (
        "move hand of P2 to heap; shuffle heap",
        "for p in (P2, P3) do move hand of p to heap end; shuffle heap",
        "move hand of P2 to heap; move hand of P3 to heap; shuffle heap",
        "if count of hand > 3 then move hand of P2 to heap end; shuffle heap",
        "move all from hand of P2 to box; move hand of P2 to row",
        "move all c in hand of P2 by place of c.rank to heap",
        "for c in hand of P2 do add 1 to score of P2 end",
        "move first c in hand of P2 by place of c.rank to box",
    ),
)  # fmt: skip
def test_a_hand_needs_no_order_where_none_can_tell(effect: str, tmp_path: Path) -> None:
    assert type(game(tmp_path, effect).start(seed=1).position.z[1]) is int


@pytest.mark.parametrize(
    "effect",
    (
        "move hand of P2 to heap; move 1 from heap to hand of P3; shuffle heap",
        "for p in (P2, P3) do move hand of p to heap; move 1 from heap to hand of p end; shuffle heap",
        "if count of hand > 3 then move hand of P2 to heap else shuffle heap end",
        "move hand of P2 to heap; shuffle stock",
        "let held be hand of P2; move top of held to box",
    ),
)
def test_a_hand_has_an_order_where_it_would_tell(effect: str, tmp_path: Path) -> None:
    assert type(game(tmp_path, effect).start(seed=1).position.z[1]) is list


TOLD = (
    "move all from hand of P2 to box",
    "move hand of P2 to box",
    "move hand of P2 to box face down",
    "move (hand of P2, hand of P3) to box",
    "move all c in pack where c in hand of P2 to box",
    "move all c in pack where holder of c = P2 to heap",
    "move all from hand of P2 to hand of P3",
    "show hand of P2 to P3",
    "show (hand of P2, pool) to P3",
    "turn down hand of P2",
    "turn down (hand of P2, hand of P3)",
    "move first c in hand of P3 to box; move all c in pack where c in hand of P3 to box",
    "move first c in hand of P3 to box; show all c in pack where c in hand of P3 to P2",
    "move first c in hand of P3 to box; turn down all c in pack where c in hand of P3",
    "move hand of P2 to line face down; move line to box",
)
"""What is done with cards of which some lie open."""


@pytest.mark.parametrize("effect", TOLD)
def test_between_which_others_a_card_that_lies_open_comes_is_not_told(effect: str, tmp_path: Path) -> None:
    """A place that keeps no order goes through its cards in that of the pack."""
    deal = "deal 5 from stock to hand;"
    openly = "deal 4 from stock to hand; for p in (P2, P3) do move 1 from stock to hand of p face up end;"
    path = tmp_path / "hiding.yaml"
    text = hiding(effect)
    assert deal in text
    path.write_text(text.replace(deal, openly), encoding="utf-8")
    assert not [line for line in differing(interpreter.load(path).game(), (0, "act_1")) if "learns" in line]
