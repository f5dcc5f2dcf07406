"""Many random matches of one game, in figures: `houserules simulate`."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.game import Game


def simulate(game: Game, games: int, seed: int, deals: int | None, limit: int) -> dict[str, Any]:
    """Play and count. `length` is in decisions; a shared win counts for each winner. Raises RuleError."""
    begun = time.perf_counter()
    found = game.playouts(games, seed, deals, limit)
    seconds = time.perf_counter() - begun
    lengths = sorted(found.decisions)
    return {
        "game": game.ruleset.id,
        "players": game.players,
        "options": game.header()["options"],
        "seed": seed,
        "games": found.games,
        "unfinished": found.unfinished,
        "decisions": sum(lengths),
        "seconds": round(seconds, 6),
        "games_per_second": round(found.games / seconds, 1) if seconds else None,
        "wins": list(found.wins),
        "mean_score": [round(sum(column) / len(column), 4) for column in zip(*found.scores, strict=True)],
        "length": {
            "min": lengths[0],
            "median": percentile(lengths, 50),
            "p95": percentile(lengths, 95),
            "max": lengths[-1],
        },
    }


def percentile(ordered: Sequence[int], percent: int) -> int:
    """The smallest value that at least so many percent do not exceed (nearest rank)."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def told(found: Mapping[str, Any]) -> str:
    """The figures as people read them."""
    length = found["length"]
    lines = [
        f"{found['game']}, {found['players']} players: {found['games']} games, {found['decisions']} decisions "
        f"in {found['seconds']:.2f} s ({found['games_per_second']} games a second, seed {found['seed']})",
        f"decisions a game: {length['min']} to {length['max']}, half of them up to {length['median']}, "
        f"95 in 100 up to {length['p95']}",
    ]
    if found["unfinished"]:
        lines.append(f"unfinished: {found['unfinished']}")
    lines += ["", "player    wins  share  mean score"]
    finished = found["games"] - found["unfinished"]
    for player, (wins, score) in enumerate(zip(found["wins"], found["mean_score"], strict=True), start=1):
        share = f"{wins / finished:6.1%}" if finished else "     -"
        lines.append(f"P{player:<6} {wins:>6} {share} {score:>11.2f}")
    return "\n".join(lines)
