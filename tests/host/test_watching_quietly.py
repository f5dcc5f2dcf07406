"""What has to be noticed is told to nobody at once, and not to who watches: whoever plays could watch besides."""

from __future__ import annotations

import interpreter
from interpreter.engine.chance import Dice
from interpreter.interfaces.host.hosted_match import HostedMatch


def test_who_watches_reads_of_a_quiet_move_when_all_do() -> None:
    match = HostedMatch(interpreter.load("pig").game(players=4), ["Anna", "Ben", "Cleo", "Dora"])
    match.begun()
    for reader in (0, 1, 2, 3, None):
        match.welcome(reader)
    told: list[str] = []
    dice = Dice(1)
    for _ in range(2_000):
        quiet = [
            (seat, move) for seat in range(4) for move in match.state.legal_moves(seat) if move.action == "take_spoon"
        ]
        if quiet:
            seat, move = quiet[0]
            step = match.play(seat, str(move), None, None)
            told = [line[1] for reader, news in step.news if reader is None for line in news.lines]
            break
        seat = match.state.actors[dice.below(len(match.state.actors))]
        moves = match.state.legal_moves(seat)
        match.play(seat, str(moves[dice.below(len(moves))]), None, None)
    else:
        raise AssertionError("nobody could take a spoon")
    assert not told
