"""Small rulesets that several tests play."""

from __future__ import annotations

GRABS = """\
format: 1
id: grabs
name: Grabs
players: {min: 2, max: 6, default: 3}
pack: {standard: 1}
ranks: [A, 2..10, J, Q, K]
zones: {stock: {pack: true, seen by: none}, hand: {each: player, seen by: owner}}
tokens: {spoon: {}}
state: {score: {each: player, type: integer, lasts: match}}
flow:
  match: {do: [dealing, race], winners: highest score}
  dealing: {effect: "shuffle stock; deal 4 from stock to hand, one at a time"}
  race:
    kind: race
    setup: set out count of players - 1 of spoon
    until: count of spoon = 0
    actions:
      grab:
        when: count of spoon of actor = 0
        choose: {which: {tokens: spoon}}
        measured: {hold: 0..9}
        contest: {over: which, wins: lowest hold}
        effect: take which; add 10 - hold to score of actor
"""
"""A race in which moves are measured and things contested."""

HIDING = """\
format: 1
id: hiding
name: Hiding
players: {min: 3, max: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  pool: {seen by: none}
  kitty: {seen by: none}
  box: {seen by: none}
  spot: {seen by: none}
  heap: {seen by: none}
  row: {}
  line: {}
state: {score: {each: player, type: integer, lasts: match}}
define:
  unseen: (kitty, pool)
  one_of(cs): first 1 c in cs
  held_by(p, c): holder of c = p
  carry(cs): {effect: for c in cs do move c to box end}
flow:
  match: {first dealer: P1, do: [deal], winners: highest score}
  deal:
    setup: |
      gather all to stock; shuffle stock; deal 5 from stock to hand; move 2 from stock to kitty
      move 2 from stock to pool; move 3 from stock to heap; move 2 from stock to row; move 2 from stock to line
    do: [play]
    next dealer: left
  play:
    kind: turn
    first: P1
    turns: 20 each
    actions:
      peep: {effect: move 1 from heap to hand}
"""
"""Cards lie in places that not everybody sees; `heap` keeps their order. Actions are added to it."""
APART = (
    "move (kitty, pool) to box",
    "move (hand of P2, hand of P3) to box",
    "move all c in pack where c in kitty or c in pool to box",
    "move all c in (kitty, pool) by 0 to box",
    "move unseen to box",
    "for c in (kitty, pool) do move c to box end",
    "for c in (hand of P2, hand of P3) do move c to box end",
    "for c in (hand of P2, hand of P3) by 0 do move c to box end",
    "for c in pack where c in kitty or c in pool do move c to box end",
    "for c in unseen do move c to box end",
    "carry((kitty, pool))",
    "let both be (kitty, pool); for c in both do move c to box end",
    "let held be hand of P2; move 1 from hand of P2 to pool; for c in held do move c to box end",
    "let held be hand of P2; move 1 from hand of P2 to pool; move 2 from held to box",
    "move 1 from (kitty, pool) to box",
    "move one_of((kitty, pool)) to box",
    "move first c in (kitty, pool) to box",
    "for cs in sets of 2 from (kitty, pool, hand of P2) do if box is empty then move cs to box end end",
    "show (kitty, pool) to P2",
    "turn down (kitty, pool)",
)
"""What is done with cards of several places; no seat may learn by it where the lowest of them lay."""
TIED = (
    "move 1 from all c in (kitty, pool) by 0 to box",
    "move first c in (kitty, pool) by 0 to box",
    "move first c in pack where c.suit = hearts and c is face down to box",
    "move first c in pack where c.suit = hearts and not (c is face up) to box",
)
"""The same where cards are equal, of which those of one place come in the order of the pack."""
TAKEN = (
    "move hand of P2 to heap",
    "move hand of P2 beneath heap",
    "move (hand of P2, hand of P3) to heap",
    "move all c in hand of P2 where c in hand of P2 to heap",
    "move all c in pack where c in hand of P2 to heap",
    "for p in (P2, P3) do move hand of p to heap end",
    "for c in hand of P2 do move c to heap end",
    "for c in pack where c in hand of P2 do move c to heap end",
    "let held be hand of P2; move held to heap",
    "let held be hand of P2; for c in held do move c to heap end",
    "move first c in hand of P2 to box",
    "move first c in hand of P2 to row",
    "move 1 from (all c in hand of P2) to box",
    "move one_of(hand of P2) to box",
    "for c in hand of P2 do if box is empty then move c to box else move c to spot end end",
    "for cs in sets of 2 from hand of P2 do if box is empty then move cs to box end end",
    "move all c in pack where holder of c = P2 to heap",
    "for c in pack where holder of c = P2 do move c to heap end",
    "move first c in pack where holder of c = P2 to box",
    "move 2 from all c in pack where holder of c = P2 to box",
    "move first c in (all c in pack where c in hand of P2) to box",
    "move first 2 c in (all c in pack where holder of c = P2) to box",
    "move top of (all c in pack where c in hand of P2) to box",
    "move top of (all c in pack where held_by(P2, c)) to box",
    "move bottom of (all c in pack where c in hand of P2 without row) to box",
    "move top 2 of (all c in pack where c in hand of P2) to box",
    "move last 2 of (all c in pack where holder of c = P2) to box",
    "move card number 2 of (all c in pack where c in hand of P2) to box",
)
"""What is done with some cards of a place before others, and which of them does not depend on faces."""


def hiding(*effects: str, more: str = "") -> str:
    """The ruleset with an action for each effect: `act_1`, `act_2` and so on. more: further actions."""
    actions = [f"      act_{at}: {{effect: '{effect}'}}\n" for at, effect in enumerate(effects, 1)]
    return HIDING + "".join(actions) + more


SEER = """\
format: 1
id: seer
name: Seer
players: {min: 3, max: 3}
pack: {standard: 1}
zones:
  stock: {pack: true, seen by: none}
  hand: {each: player, seen by: owner}
  crystal: {seen by: EYES}
state:
  score: {each: player, type: integer, lasts: match}
  seer: {each: player, type: flag, lasts: match, seen by: WHO}
flow:
  match: {first dealer: P1, do: [deal], winners: highest score}
  deal:
    setup: |
      gather all to stock; shuffle stock; deal 5 from stock to hand; move 1 from stock to crystal
      let p be random of everyone; set seer of p to true
    do: [play]
    next dealer: left
  play:
    kind: turn
    first: P1
    turns: 20 each
    actions:
      offer: {choose: {card: {from: hand}}, effect: move card to crystal; stay}
      deliver: {choose: {card: {from: hand}}, effect: move card to hand of P2; stay}
      take: {effect: move 1 from crystal to hand of left of actor; stay}
      draw: {effect: move 1 from stock to hand of actor; stay}
      show: {effect: show stock to all p in everyone where seer of p; stay}
"""
"""Somebody, of whom WHO knows, sees what others do not; EYES see the crystal."""
