"""Random play of whole matches, as fast as the program goes."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

from interpreter.run.cards import bits
from interpreter.run.chance import Dice, derive
from interpreter.run.machine import GO, MOVED, NOWHERE, WAIT, Frame, settle
from interpreter.run.moves import Move, nth_subset
from interpreter.run.program import ActionCode, RuleError, StageCode
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
            played = stage.playout(s, frame, dice, limit - made)
            if not played:
                raise _stuck(s, s.current)
            made += played
            continue
        if stage.plain_play is not None:
            made += _play_cards(s, frame, stage.plain_play, dice, limit - made)
            continue
        if plain and stage.kind in ("simultaneous", "ask") and stage.only is not None and stage.only.shape == "cards":
            if not stage.only.joint and not stage.only.measured and stage.until is None:
                made += _choose_all(s, frame, stage, stage.only, dice, limit - made)
                continue
        actors = s.actors
        if not actors:
            raise RuleError(f"nobody can do anything in '{stage.name}'", stage.span)
        _move(s, actors[dice.below(len(actors))] if len(actors) > 1 else actors[0], dice)
        made += 1
    return made


def _move(s: State, player: int, dice: Dice) -> None:
    moves = s.legal_moves(player)
    count = len(moves)
    if not count:
        raise _stuck(s, player)
    move = moves[dice.below(count)] if count > 1 else moves[0]
    s._play(player, move, None, None, _measures(s, player, move, dice))


def _play_cards(s: State, frame: Frame, action: ActionCode, dice: Dice, limit: int) -> int:
    """The same for tricks that are not written out (not everybody plays, or seats change), without making moves."""
    made = 0
    while made < limit:
        player = s.current
        mask = action.legal(s, player)
        ways = mask.bit_count()
        if not ways:
            raise _stuck(s, player)
        for _ in range(dice.below(ways) if ways > 1 else 0):
            mask &= mask - 1
        action.apply(s, player, (mask & -mask).bit_length() - 1)
        made += 1
        frame.pc, frame.mover, frame.mark, s.mark = MOVED, player, s.mark, GO
        settle(s)
        if frame.pc != WAIT or s.halted or s.over or s.stack[-1] is not frame:
            break
    return made


def _choose_all(s: State, frame: Frame, stage: StageCode, action: ActionCode, dice: Dice, limit: int) -> int:
    """The same for a stage in which players choose cards, without making moves of the choices."""
    made = 0
    while made < limit:
        asked = bits(frame.pending)
        player = asked[dice.below(len(asked))] if len(asked) > 1 else asked[0]
        action.apply(s, player, _some_cards(s, player, action, dice))
        made += 1
        if len(asked) > 1 and stage.answers == "all" and s.mark == GO and not s.calls and s.jump == NOWHERE:
            if len(stage.players(s)) == s.program.n:
                frame.pending &= ~(1 << player)  # all that is to be done while others are still asked
                continue
        frame.pc, frame.mover, frame.mark, s.mark = MOVED, player, s.mark, GO
        settle(s)
        if frame.pc != WAIT or s.halted or s.over or s.stack[-1] is not frame:
            break
    return made


def _some_cards(s: State, player: int, action: ActionCode, dice: Dice) -> tuple[int, ...]:
    mask, low, high = action.legal(s, player)
    found = bits(mask)
    n = len(found)
    if low == high:
        count = comb(n, low)
        if not count:
            raise _stuck(s, player)
        return nth_subset(found, low, dice.below(count) if count > 1 else 0)
    ways = [(size, comb(n, size)) for size in range(max(0, low), min(high, n) + 1)]
    count = sum(w for _, w in ways)
    if not count:
        raise _stuck(s, player)
    index = dice.below(count) if count > 1 else 0
    for size, number in ways:
        if index < number:
            return nth_subset(found, size, index)
        index -= number
    raise AssertionError("more cards than there are")


def _stuck(s: State, player: int) -> RuleError:
    stage = s.program.stages[s.stack[-1].stage]
    return RuleError(f"P{player + 1} has no lawful move in '{stage.name}'", stage.span)


def _measures(s: State, player: int, move: Move, dice: Dice) -> dict[str, int]:
    """What the body decides is drawn for whoever plays at random."""
    action = s._find(player, move.action)
    found: dict[str, int] = {}
    for name, bounds in action.measured if action is not None else ():
        low, high = bounds(s, player, *move.args)
        found[name] = low + dice.below(high - low + 1)
    return found
