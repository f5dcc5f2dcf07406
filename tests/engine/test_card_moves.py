"""However cards are moved, the log tells each of them to whoever sees it before or after, and to nobody else."""

from __future__ import annotations

import random
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

import interpreter
from interpreter.engine import transfers as cards
from interpreter.engine.facing import turn
from interpreter.engine.position import Position
from interpreter.engine.sight import eyes_at, lying_at

TABLE = """\
format: 1
id: table
name: Table
players: {min: 2, max: 2}
pack: {standard: 1, only: [2, 3, 4]}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  heap: {each: player, seen by: owner, shows: top}
  column: {seen by: everyone, faces: down}
  pile: {seen by: everyone, shows: top}
  row: {seen by: everyone}
  cellar: {each: player, seen by: left of owner, capacity: 30}
flow:
  match: {setup: shuffle stock, do: [play], winners: P1}
  play:
    kind: turn
    first: P1
    actions:
      go:
        effect: |
          for p in players do
            move 1 from hand of p to heap of p; move 1 from heap of p to cellar of p; move 1 from cellar of p to pile
            turn up top of hand of p; turn down top of heap of p
          end
          move 1 from pile to row; move 1 from row to column; move 1 from column to stock
"""
PLACES = 10
FACINGS = st.sampled_from([None, None, "up", "down"])


@lru_cache(maxsize=1)
def table() -> Position:
    """Places of every kind, all in order; every card in the stock."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.yaml"
        path.write_text(TABLE, encoding="utf-8")
        state = interpreter.load(path).game().start(seed=1).position
    assert len(state.z) == PLACES + 1 and all(isinstance(kept, list) for kept in state.z[:PLACES])
    return state


def position(seed: int) -> Position:
    """The cards anywhere, some turned up or down."""
    dice = random.Random(seed)
    state = table().copy()
    for card in list(state.z[0]):
        state.z[0].remove(card)
        state.z[dice.randrange(PLACES)].append(card)
        if facing := dice.choice([None, None, "up", "down"]):
            turn(state, (card,), facing)
    state.log = []
    return state


POSITIONS = st.integers(0, 2**32).map(position)


def eyes(state: Position, card: int) -> int:
    return eyes_at(state, card, lying_at(state, card)) & 3


def told(state: Position, card: int) -> int:
    """Who reads in the log which card went."""
    assert state.log is not None
    name, found = state.program.cards[card], 0
    for event in state.log:
        assert event.kind == "cards"
        if name in event.cards:
            found |= event.seen & 3
    return found


def learnt(state: Position, card: int, facing: str | None) -> int:
    """Who sees a card when it comes to where it lies: all where it is turned up, even if it goes beneath others."""
    return {"up": 3, "down": 0}[facing] if facing else eyes(state, card)


@given(POSITIONS, st.data(), FACINGS, st.booleans())
@settings(max_examples=200, deadline=None)
def test_a_packet_is_told_card_by_card(state: Position, data: st.DataObject, facing: str | None, beneath: bool) -> None:
    source = data.draw(st.sampled_from([place for place in range(PLACES) if state.z[place]]))
    target = data.draw(st.sampled_from([place for place in range(PLACES) if place != source]))
    packet = tuple(state.z[source][-data.draw(st.integers(1, 5)) :])
    before = {card: eyes(state, card) for card in packet}
    cards.move_cards(state, packet, source, target, beneath, facing)
    for card in packet:
        assert told(state, card) == before[card] | learnt(state, card, facing)


@given(POSITIONS, st.data(), FACINGS, st.booleans())
@settings(max_examples=200, deadline=None)
def test_all_ways_to_move_a_card_are_one(
    state: Position, data: st.DataObject, facing: str | None, beneath: bool
) -> None:
    source = data.draw(st.sampled_from([place for place in range(PLACES) if state.z[place]]))
    target = data.draw(st.sampled_from([place for place in range(PLACES) if place != source]))
    card = data.draw(st.sampled_from(state.z[source]))
    on_top = card == state.z[source][-1] and not beneath
    ways = [state.copy() for _ in range(5)]
    cards.move_cards(ways[0], (card,), source, target, beneath, facing)
    cards.move_card(ways[1], card, source, target, beneath, facing)
    cards.move_guarded(ways[2], card, source, target, beneath, facing)
    cards.move_wherever(ways[3], card, target, beneath, facing)
    if on_top:
        cards.move_one(ways[4], source, target, facing)
    else:
        ways.pop()
    expected = ways[0]
    for way in ways[1:]:
        assert (way.z, way.up, way.down, way.log) == (expected.z, expected.up, expected.down, expected.log)
    assert told(expected, card) == eyes(state, card) | learnt(expected, card, facing)
