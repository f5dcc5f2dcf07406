"""Random play of whole matches, as fast as the program goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.run.cards import bits
from interpreter.run.chance import GOLDEN, MASK, Dice, derive
from interpreter.run.machine import MOVED, NOBODY, NOWHERE, WAIT, settle
from interpreter.run.program import RuleError
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
    decisions, scores, wins = [], [], [0] * game.players
    unfinished = 0
    counted = deal_stage(game)
    for number in range(n):
        own = derive(seed, number)
        state = game.start(seed=own, log=False)
        made = play_randomly(state, Dice(own + 1), limit, counted, deals)
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


def play_randomly(s: State, dice: Dice, limit: int, counted: int = 0, deals: int | None = None) -> int:
    """Play on at random; returns the number of decisions made."""
    made = 0
    runs, stages = s.runs, s.program.stages
    while not s.over and made < limit:
        if deals is not None and runs[counted] > deals:
            break
        frame = s.stack[-1]
        stage = stages[frame.stage]
        if stage.kind == "trick" and len(stage.actions) == 1 and not s.program.multi and not s.program.honor:
            made += _play_tricks(s, dice, limit - made)
            continue
        actors = s.actors
        if not actors:
            raise RuleError(f"nobody can do anything in '{stage.name}'", stage.span)
        player = actors[dice.below(len(actors))] if len(actors) > 1 else actors[0]
        moves = s.legal_moves(player)
        count = len(moves)
        if not count:
            raise RuleError(f"P{player + 1} has no lawful move in '{stage.name}'", stage.span)
        s._play(player, moves[dice.below(count)] if count > 1 else moves[0], None, None, _measures(s, player, dice))
        made += 1
    return made


def _measures(s: State, player: int, dice: Dice) -> dict[str, int]:
    """Measures are drawn for whoever plays at random."""
    found = {}
    for action, _ in s._open(player):
        for name, _bounds in action.measured:
            found.setdefault(name, dice.below(10))
    return found


def _play_tricks(s: State, dice: Dice, limit: int) -> int:
    """The same for plays to tricks, without making moves of them: a card is a bit of what is legal."""
    stack = s.stack
    frame = stack[-1]
    stage = s.program.stages[frame.stage]
    action = stage.actions[0]
    if any(a for f in stack for a in s.program.stages[f.stage].anytime):
        pass  # open at any time, but nobody is an actor because of it
    legal, apply = action.legal, action.apply
    seed, draws, made = dice.seed, dice.draws, 0
    moves = s.record_moves
    while made < limit and stack and stack[-1] is frame and frame.pc == WAIT:
        player = s.current
        mask = legal(s, player)
        count = mask.bit_count()
        if count > 1:
            draws += 1
            x = (seed + draws * GOLDEN) & MASK
            x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
            card = bits(mask)[((x ^ (x >> 31)) >> 32) * count >> 32]
        elif count:
            card = mask.bit_length() - 1
        else:
            dice.draws = draws
            raise RuleError(f"P{player + 1} has no lawful move in '{stage.name}'", stage.span)
        apply(s, player, card)
        frame.pc = MOVED
        frame.mover = player
        made += 1
        if s.calls or s.jump != NOWHERE or frame.mover == NOBODY:
            pass  # settle takes what the effect asked for
        settle(s)
    dice.draws = draws
    assert moves is s.record_moves
    return made
