"""Deals of a race game played at random and looked at after every move: `python -m tests.layouts [DEALS]`.

Each variant of Spit in turn, 500 deals unless said. A deal must end, no card may be lost, somebody must always be able
to act, and whoever counts as stuck must have no way forward, which is searched for here and not read from the ruleset.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial

import interpreter
from interpreter import Game
from interpreter.api.game import State
from interpreter.api.random_play import deal_stage
from interpreter.engine.chance import Dice
from interpreter.engine.packets import as_tuple

FORWARD = ("play", "play_held", "turn_over", "refill", "draw")
"""What brings a player on."""
SIDEWAYS = ("shift", "stack")
"""What only moves cards between a player's own places, and so may open a way."""
LONGEST = 5_000
"""More moves than any deal needs, at random."""


def ways() -> Iterator[tuple[str, Callable[[], Game]]]:
    """The game as it is, each of its variants, and the options that change who is stuck; and what makes each."""
    found = interpreter.load("spit")
    yield "as it is", found.game
    for name in found.variants:
        yield name, partial(found.game, variants=[name])
    for name in ("refill_from_hand", "stack_equal", "alternate_colours"):
        yield name, partial(found.game, options={name: True})
    yield "refill_from_hand, stack_equal", partial(found.game, options={"refill_from_hand": True, "stack_equal": True})
    yield "spit_card_please", partial(found.game, options={"spit_card_please": True})


def way_forward(state: State, player: int) -> list[str] | None:
    """Moves of a player alone, the last of which goes forward; None if nothing does."""
    paths: list[tuple[State, list[str]]] = [(state, [])]
    met: set[tuple[tuple[int, ...], ...]] = set()
    while paths:
        here, path = paths.pop()
        moves = list(here.legal_moves(player))
        found = next((str(move) for move in moves if move.action in FORWARD), None)
        if found is not None:
            return [*path, found]
        # which place a pile lies on makes no difference
        table = tuple(sorted(as_tuple(kept) for kept in here.position.z))
        if table not in met:
            met.add(table)
            for move in moves:
                if move.action in SIDEWAYS:
                    after = here.copy()
                    after.play(player, move)
                    paths.append((after, [*path, str(move)]))
    return None


def check_deals(game: Game, deals: int, seed: int) -> int:
    """Play so many deals, of as many matches as that takes. Returns the moves that were made."""
    stage, everything = deal_stage(game.program), list(range(len(game.program.cards)))
    played = made = 0
    while played < deals:
        state, dice, since = game.start(seed=seed, log=False), Dice(seed), 0
        seed += 1
        while not state.over and played < deals:
            number = state.position.runs[stage]
            player = state.actors[dice.below(len(state.actors))]
            moves = state.legal_moves(player)
            state.play(player, moves[dice.below(len(moves))])
            made, since = made + 1, since + 1
            lying = sorted(card for kept in state.position.z for card in as_tuple(kept))
            assert lying == everything, "a card is lost or doubled"
            assert state.over or state.actors, "nobody can do anything"
            assert since < LONGEST, f"deal {number} of the match with seed {seed - 1} does not end"
            if state.phase == "racing":
                for stuck in range(game.players):
                    if state.value("stuck", stuck) and stuck in state.actors:
                        assert way_forward(state, stuck) is None, f"P{stuck + 1} is not stuck"
            if state.over or state.position.runs[stage] > number:
                played, since = played + 1, 0
    return made


def main(deals: int = 500) -> None:
    for name, make in ways():
        print(f"{name}: {deals} deals, {check_deals(make(), deals, seed=1)} moves", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
