"""`python -m tests.parity --of FOLDER`: whether another checkout plays the same matches, to the letter.

Both play each setting of each shipped ruleset: defaults for every number of players and every variant with many seeds,
each other value of an option with a few, strict and on honour. Compared are logs, records, the views of every tenth
decision, what matches in bulk come to, and the digests of the rulesets.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FEW = 5
"""Matches of a setting in which one option differs."""
TENTH = 10


def settings(name: str) -> Iterator[tuple[int, dict[str, Any], tuple[str, ...], bool]]:
    """Players, options, variants of a ruleset, and whether only one option differs."""
    import interpreter

    ruleset = interpreter.load(name)
    for players in range(ruleset.players.min, ruleset.players.max + 1):
        yield players, {}, (), False
    for variant in ruleset.variants:
        yield ruleset.players.default, {}, (variant,), False
    for key, option in ruleset.options.items():
        values = list(option.choices) or ([False, True] if option.type == "flag" else [option.min, option.max])
        for value in values:
            if value is not None and value != option.default:
                yield ruleset.players.default, {key: value}, (), True


def match(game: Any, seed: int, limit: int) -> str:
    """The digest of a match at random: its log, its record, and views."""
    from interpreter.players.random_bot import RandomBot

    state, dice, bot = game.start(seed=seed), random.Random(seed), RandomBot(seed)
    told = hashlib.sha256()
    for number in range(limit):
        if state.over:
            break
        player = dice.choice(state.actors)
        moves = state.legal_moves(player)
        if not len(moves):
            break
        move = moves[dice.randrange(len(moves))]
        try:
            state.play(player, move, **bot.measures(state, player, move))
        except Exception as error:
            told.update(str(error).rsplit(": ", 1)[-1].encode())
            break
        if number % TENTH == 0:
            for seat in range(game.players):
                told.update(json.dumps(state.view(seat), sort_keys=True, default=str).encode())
    told.update("\n".join(map(str, state.log or [])).encode())
    told.update(state.record().encode())
    return told.hexdigest()


def play(seeds: int, limit: int, share: int, shares: int) -> None:
    """Play here, and print a line for each setting."""
    import interpreter
    from interpreter.interfaces.catalogue import entries

    at = 0
    for entry in entries():
        print(entry.id, "digest", interpreter.load(entry.id).digest, flush=True)
        for players, options, variants, one in settings(entry.id):
            for enforcement in ("strict", "honor"):
                at += 1
                if at % shares != share:
                    continue
                name = f"{entry.id} {players} {options} {variants} {enforcement}"
                try:
                    game = interpreter.load(entry.id).game(players, options, variants, enforcement=enforcement)
                except ValueError as error:
                    print(name, "refused", error, flush=True)
                    continue
                found = hashlib.sha256()
                for seed in range(FEW if one else seeds):
                    found.update(match(game, seed, limit).encode())
                bulk = str(game.playouts(FEW if one else seeds // 10, seed=1, limit=limit))
                print(name, found.hexdigest(), hashlib.sha256(bulk.encode()).hexdigest(), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.parity", description=__doc__)
    parser.add_argument("--of", metavar="FOLDER", type=Path, help="the other checkout")
    parser.add_argument("--seeds", type=int, default=200, help="matches of a setting (200)")
    parser.add_argument("--limit", type=int, default=300, help="decisions of a match at most (300)")
    parser.add_argument("--share", default="0/1", help="a part of the settings, such as 1/10 (all)")
    flags = parser.parse_args()
    share, shares = map(int, flags.share.split("/"))
    if flags.of is None:
        play(flags.seeds, flags.limit, share, shares)
        return 0
    here = str(Path(__file__))
    asked = ["--seeds", str(flags.seeds), "--limit", str(flags.limit), "--share", flags.share]
    running = [
        subprocess.Popen(
            [sys.executable, "-P", here, *asked],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for folder in (ROOT, flags.of.resolve())
    ]
    ours, theirs = (process.communicate()[0].splitlines() for process in running)
    unlike = [line for line in ours if line not in set(theirs)]
    print(f"{len(ours)} settings, {len(unlike)} differ" + "".join(f"\n  {line}" for line in unlike))
    return 1 if unlike or len(ours) != len(theirs) or not ours else 0


if __name__ == "__main__":
    sys.exit(main())
