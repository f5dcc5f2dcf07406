"""Whole matches between bots that take turns: as `playouts`, but each chooses as it can."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from interpreter.api.random_play import Course, Match, deal_stage
from interpreter.engine.chance import Dice, derive
from interpreter.engine.stuck import stands_still, stuck
from interpreter.players.honor_bot import PERFECT, Manners
from interpreter.players.monte_carlo import Levels, levels_at, new_bot

if TYPE_CHECKING:
    from interpreter.api.game import Game, State
    from interpreter.engine.moves import Move
    from interpreter.players.random_bot import Bot


def nobody_looks(state: State, player: int, move: Move) -> None:
    """Nobody looks on."""


Look = Callable[["State", int, "Move"], None]
"""Hears of a match, who moves and how, before the move is made."""


def bot_matches(
    game: Game, n: int, seed: int, deals: int | None, limit: int, skill: Levels, manners: Manners = PERFECT,
    first: int = 0, by_deal: bool = False, look: Look = nobody_looks,
) -> Iterator[Match]:  # fmt: skip
    """Matches between bots, dealt as those of `playouts` are; where several may move, who does is drawn.

    skill: of all bots, or of each: then they change seats from match to match. first: the number of the first match.
    look: hears of each move before it is made.
    On honour they are asked after each move, in an order that is drawn, whether they claim something; the first does.
    """
    for number in range(first, first + n):
        own = derive(seed, number)
        state, dice = game.start(seed=own), Dice(own + 1)
        course = Course(state.position, deal_stage(game.program), deals, by_deal)
        skills = levels_at(skill, game.players, number)
        bots = [new_bot(skills[player], derive(own, player + 1), manners) for player in range(game.players)]
        claim: tuple[int, Move] | None = None
        while course.goes_on():
            while not state.over and not state.position.halted and course.made < limit:
                player, move = claim or _chosen(state, bots, dice)
                look(state, player, move)
                before = state.copy() if game.program.honor and any(bot.watches for bot in bots) else None
                state.play(player, move, **bots[player].measures(state, player, move))
                claim = None if before is None else _first_claim(before, state, bots, dice)
                course.made += 1
        yield course.match()._replace(honour=_on_honour(state))


def _chosen(state: State, bots: Sequence[Bot], dice: Dice) -> tuple[int, Move]:
    """Who moves next, and what."""
    actors = state.actors
    if not actors:
        raise stands_still(state.position)
    player = actors[dice.below(len(actors))] if len(actors) > 1 else actors[0]
    move = bots[player].choose(state, player)
    if move is None:
        raise stuck(state.position, player)
    return player, move


def _first_claim(before: State, state: State, bots: Sequence[Bot], dice: Dice) -> tuple[int, Move] | None:
    """Who is the first to claim something after a move, and what."""
    first = dice.below(len(bots))
    for at in range(len(bots)):
        player = (first + at) % len(bots)
        move = bots[player].claim(before, state, player)
        if move is not None:
            return player, move
    return None


def _on_honour(state: State) -> tuple[int, int, int]:
    """How many faults there were, and claims that were upheld and turned down."""
    log = state.log or []
    judged = [event.words for event in log if event.kind == "claim"]
    upheld = sum(" upheld" in words for words in judged)
    return sum(event.kind == "fault" for event in log), upheld, len(judged) - upheld
