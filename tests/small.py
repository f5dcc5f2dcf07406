"""A small ruleset that several tests play: a race in which moves are measured and things contested."""

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
