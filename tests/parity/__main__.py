"""`python -m tests.parity --of FOLDER`: whether another checkout plays the same matches, to the letter.

Both play each setting of each shipped ruleset: defaults for every number of players and every variant with many seeds,
each other value of an option with a few, strict and on honour. Compared are logs, records, the views of every tenth
decision, what matches in bulk come to, and the digests of the rulesets. With `--its-rulesets` both play those of the
other checkout: then what a ruleset has changed since is no difference of the program. As they are loaded as files, a
record is compared without its first line, which holds the ruleset, and without the digests that begin there.
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


def settings(ruleset: Any) -> Iterator[tuple[int, dict[str, Any], tuple[str, ...], bool]]:
    """Players, options, variants, and whether only one option differs."""
    for players in range(ruleset.players.min, ruleset.players.max + 1):
        yield players, {}, (), False
    for variant in ruleset.variants:
        yield ruleset.players.default, {}, (variant,), False
    for key, option in ruleset.options.items():
        values = list(option.choices) or ([False, True] if option.type == "flag" else [option.min, option.max])
        for value in values:
            if value is not None and value != option.default:
                yield ruleset.players.default, {key: value}, (), True


def moves_of(record: str) -> str:
    """The lines of a record behind its first, without digests."""
    lines = [json.loads(line) for line in record.splitlines()[1:]]
    return json.dumps([{key: value for key, value in line.items() if key != "h"} for line in lines])


def match(game: Any, seed: int, limit: int, whole: bool) -> str:
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
    told.update((state.record() if whole else moves_of(state.record())).encode())
    return told.hexdigest()


def play(folder: Path | None, seeds: int, limit: int, share: int, shares: int) -> None:
    """Play the rulesets of a folder here, and print a line for each setting."""
    import interpreter

    at, whole = 0, folder is None
    for file in sorted((folder or Path("rulesets")).glob("*.yaml")):
        ruleset = interpreter.load(file if folder else file.stem)
        print(ruleset.id, "digest", ruleset.digest, flush=True)
        for players, options, variants, one in settings(ruleset):
            for enforcement in ("strict", "honor"):
                at += 1
                if at % shares != share:
                    continue
                name = f"{ruleset.id} {players} {options} {variants} {enforcement}"
                try:
                    game = ruleset.game(players, options, variants, enforcement=enforcement)
                except ValueError as error:
                    print(name, "refused", error, flush=True)
                    continue
                found = hashlib.sha256()
                for seed in range(FEW if one else seeds):
                    found.update(match(game, seed, limit, whole).encode())
                bulk = str(game.playouts(FEW if one else seeds // 10, seed=1, limit=limit))
                print(name, found.hexdigest(), hashlib.sha256(bulk.encode()).hexdigest(), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.parity", description=__doc__)
    parser.add_argument("--of", metavar="FOLDER", type=Path, help="the other checkout")
    parser.add_argument(
        "--rulesets", metavar="FOLDER", type=Path, help="files to play here, in place of what comes with the program"
    )
    parser.add_argument("--its-rulesets", action="store_true", help="both play the rulesets of the other checkout")
    parser.add_argument("--seeds", type=int, default=200, help="matches of a setting (200)")
    parser.add_argument("--limit", type=int, default=300, help="decisions of a match at most (300)")
    parser.add_argument("--share", default="0/1", help="a part of the settings, such as 1/10 (all)")
    flags = parser.parse_args()
    share, shares = map(int, flags.share.split("/"))
    if flags.of is None:
        play(flags.rulesets, flags.seeds, flags.limit, share, shares)
        return 0
    here, other = str(Path(__file__)), flags.of.resolve()
    asked = ["--seeds", str(flags.seeds), "--limit", str(flags.limit), "--share", flags.share]
    asked += ["--rulesets", str(other / "rulesets")] if flags.its_rulesets else []
    running = [
        subprocess.Popen(
            [sys.executable, "-P", here, *asked],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for folder in (ROOT, other)
    ]
    ours, theirs = (process.communicate()[0].splitlines() for process in running)
    unlike = [line for line in ours if line not in set(theirs)]
    print(f"{len(ours)} settings, {len(unlike)} differ" + "".join(f"\n  {line}" for line in unlike))
    return 1 if unlike or len(ours) != len(theirs) or not ours else 0


if __name__ == "__main__":
    sys.exit(main())
