"""Random play of whole matches, as fast as the program goes."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

from interpreter.run.cards import bits
from interpreter.run.chance import Dice, derive
from interpreter.run.machine import GO, MOVED, settle
from interpreter.run.moves import nth_subset
from interpreter.run.program import ActionCode, RuleError
from interpreter.run.state import State

if TYPE_CHECKING:
    from interpreter.game import Game


@dataclass(frozen=True, slots=True)
class Playouts:
    """Random matches of one game.

    games: how many were played; unfinished: those cut by the limit, or ended after `deals` deals. decisions: of
    each match. scores: of each match, one number per player. wins: matches won, per player; shared wins count for each.
    """

    games: int
    unfinished: int
    decisions: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]
    wins: tuple[int, ...]


def playouts(game: Game, n: int, seed: int, deals: int | None = None, limit: int = 100_000) -> Playouts:
    """Play `n` random matches: an actor at random, then one of its legal moves at random.

    Match i is `start(seed=derive(seed, i))`, played with the dice of `Dice(derive(seed, i) + 1)`: below(k) among k
    actors if there are several, then below(m) among m legal moves if there are several. It stops after `deals`
    deals (stages that pass the deal on, else the first repeated stage) or `limit` decisions.
    """
    collecting = gc.isenabled()
    gc.disable()  # states hold no circles; looking for some would take a fifth of the time
    try:
        return _play_all(game, n, seed, deals, limit)
    finally:
        if collecting:
            gc.enable()


def _play_all(game: Game, n: int, seed: int, deals: int | None, limit: int) -> Playouts:
    decisions, scores, wins = [], [], [0] * game.players
    unfinished = 0
    counted = deal_stage(game)
    for number in range(n):
        own = derive(seed, number)
        state = game.start(seed=own, log=False)
        state.halt_after = None if deals is None else (counted, deals)
        made = play_randomly(state, Dice(own + 1), limit)
        decisions.append(made)
        scores.append(tuple(state.scores))
        unfinished += not state.over
        for player in state.winners:
            wins[player] += 1
    return Playouts(n, unfinished, tuple(decisions), tuple(scores), tuple(wins))


def deal_stage(game: Game) -> int:
    """The stage whose runs count as deals."""
    stages = game.program.stages
    for stage in stages:
        if stage.next_dealer is not None:
            return stage.index
    repeats = [s for s in stages if s.kind == "repeat"]
    return repeats[0].children[0] if repeats else 0


def play_randomly(s: State, dice: Dice, limit: int) -> int:
    """Play on at random; returns the number of decisions made."""
    made = 0
    stages, program = s.program.stages, s.program
    plain = not program.multi and not program.honor
    while not s.over and made < limit and not s.halted:
        frame = s.stack[-1]
        stage = stages[frame.stage]
        if stage.playout is not None:
            played = stage.playout(s, frame, dice.below, limit - made)
            if not played:
                raise _stuck(s, s.current)
            made += played
            continue
        actors = s.actors
        if not actors:
            raise RuleError(f"nobody can do anything in '{stage.name}'", stage.span)
        player = actors[dice.below(len(actors))] if len(actors) > 1 else actors[0]
        if plain and stage.only is not None and stage.only.shape == "cards" and not stage.only.joint and stage.kind != "turn":
            _choose_cards(s, player, stage.only, dice)
        else:
            _move(s, player, dice)
        made += 1
    return made


def _move(s: State, player: int, dice: Dice) -> None:
    moves = s.legal_moves(player)
    count = len(moves)
    if not count:
        raise _stuck(s, player)
    s._play(player, moves[dice.below(count)] if count > 1 else moves[0], None, None, _measures(s, player, dice))


def _choose_cards(s: State, player: int, action: ActionCode, dice: Dice) -> None:
    """The same for a choice of several cards, without making a move of it."""
    mask, low, high = action.legal(s, player)
    found = bits(mask)
    sizes = range(max(0, low), min(high, len(found)) + 1)
    count = comb(len(found), low) if low == high else sum(comb(len(found), size) for size in sizes)
    if not count:
        raise _stuck(s, player)
    index = dice.below(count) if count > 1 else 0
    for size in sizes:
        ways = comb(len(found), size)
        if index < ways:
            break
        index -= ways
    cards = nth_subset(found, size, index)
    if action.measured or s.log is not None:
        s.carry_out(player, action, (cards,), {}, s.stack[-1], "")
    else:
        action.apply(s, player, cards)
        frame = s.stack[-1]
        frame.pc, frame.mover, frame.mark, s.mark = MOVED, player, s.mark, GO
    settle(s)


def _stuck(s: State, player: int) -> RuleError:
    stage = s.program.stages[s.stack[-1].stage]
    return RuleError(f"P{player + 1} has no lawful move in '{stage.name}'", stage.span)


def _measures(s: State, player: int, dice: Dice) -> dict[str, int]:
    """Measures are drawn for whoever plays at random."""
    found = {}
    for action, _ in s._open(player):
        for name, _bounds in action.measured:
            found.setdefault(name, dice.below(10))
    return found
