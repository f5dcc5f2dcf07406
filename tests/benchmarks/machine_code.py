"""Games as machine code beside OpenSpiel, the Python lane and an earlier commit, all in one run:
`python -m tests.benchmarks.machine_code [--old FOLDER] [--only WORD]`.

--old: a folder with an earlier version of this project, to which races are compared (`git archive COMMIT | tar -x`).

Whatever is compared is timed in turn, nine times, and the median of the ratios is printed with the lowest and the
highest. Cold is the processor time of a fresh process, llvmlite's import with it, until the first match can be played.
Nothing here is a test: figures depend on the machine, and on what else it does.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from interpreter.api import native_lane
from interpreter.api.game import Game
from interpreter.api.native_lane import Lane, build_lane, native_rows, prepare
from interpreter.compiler.native.machine_code import GOOD
from tests.benchmarks.__main__ import IN_A_ROW, ROOT, open_spiel_deals, playouts, rate, stepwise

os.environ[native_lane.SWITCH] = "1"
ROUNDS = 9
EUCHRE = {"pack_size": 24, "partner_draw": "fixed", "cut": "none", "target": 10}
SPADES = ROOT / "tests" / "oracle" / "spades-openspiel.yaml"
ALONE = """
import itertools, random, sys, time
import interpreter
name, how = sys.argv[1:]
game = interpreter.load(name).game()
numbers = itertools.count()
def steps(matches):
    made, draw = 0, random.Random(1).random
    for _ in range(matches):
        state = game.start(seed=next(numbers))
        while not state.over and made % 4000 != 3999:
            actors = state.actors
            player = actors[int(draw() * len(actors))]
            moves = state.legal_moves(player)
            state.play(player, moves[int(draw() * len(moves))])
            made += 1
        made += 1
    return made
for line in sys.stdin:
    before = time.perf_counter()
    made = sum(game.playouts(int(line), 1, 1).decisions) if how == "playouts" else steps(int(line))
    print((time.perf_counter() - before) / made, flush=True)
"""
"""Seconds a decision in a process of its own, for each line with a number of matches."""
MADE_GOOD = """
from tests.benchmarks.machine_code import good, good_steps
{"playouts": good, "steps": bool, "many steps": good_steps}[how](game)
"""
NATIVE = ALONE.replace(
    "game.start(seed=next(numbers))", "game.start(seed=next(numbers), log=False, native=True)"
).replace("for line in sys.stdin", f"{MADE_GOOD}for line in sys.stdin")
"""The same as machine code, step by step without the log: at first, or as it is after many steps."""
COLD = """
import sys, time
import interpreter
from interpreter.api.native_lane import prepare
game = interpreter.load(sys.argv[1]).game()
game.start(seed=1)
before = time.process_time()
prepare(game)
print(time.process_time() - before)
"""


def told(title: str, ratios: list[float], asked: str) -> None:
    """One row of the table."""
    middle, low, high = statistics.median(ratios), min(ratios), max(ratios)
    print(f"  {title:<52} {middle:>7.2f}  ({low:.2f} to {high:.2f})   {asked}", flush=True)


def in_turn(title: str, asked: str, ours: Callable[[int], None], theirs: Callable[[int], None], deals: int) -> None:
    """How many times as fast ours is. deals: for theirs; ours plays ten times as many."""
    ours(deals)
    theirs(deals // 10)
    told(title, [rate(ours, 10 * deals) / rate(theirs, deals) for _ in range(ROUNDS)], asked)


def good(game: Game) -> Lane:
    """Its machine code for play in bulk, as it is made for whoever plays for long."""
    lane = prepare(game)
    lane.built = build_lane(game, GOOD)
    return lane


def good_steps(game: Game) -> Game:
    """A game with its machine code for play step by step as that is made after many moves."""
    game.start(seed=1, log=False, native=True)
    lane = native_lane.lane_of(game.program).steps
    if lane.enough is not None:
        lane.enough = 0
        game.start(seed=1, log=False, native=True)
    return game


def kernel(game: Game) -> Callable[[int], None]:
    """The machine code alone: what comes of the matches stays as it is laid down."""
    lane = good(game)

    def play(deals: int) -> None:
        for _ in native_rows(game, lane, deals, 1, 1, 100_000, 0):
            pass

    return play


def beside_open_spiel() -> None:
    import interpreter

    print("As fast as OpenSpiel from Python, deals a second:")
    hearts, theirs = interpreter.load("hearts").game(), open_spiel_deals("hearts(pass_cards=true)")
    in_turn("Hearts, kernel", "35", kernel(hearts), theirs, 300)
    in_turn("Hearts, game.playouts", "30", playouts(hearts), theirs, 300)
    single = interpreter.load("hearts").game(options={"target": 1})
    in_turn("Hearts, step by step, at first", "1.7", stepwise(single, native=True), theirs, 200)
    in_turn("Hearts, step by step for long", "1.7", stepwise(good_steps(single), native=True), theirs, 200)
    spades, theirs = interpreter.load(SPADES).game(), open_spiel_deals("spades")
    good(spades)
    in_turn("Spades, game.playouts", "30", playouts(spades), theirs, 300)
    short = interpreter.load(SPADES).game(options={"win_threshold": 1, "mercy_threshold": -1})
    in_turn("Spades, step by step, at first", "1.5", stepwise(short, native=True), theirs, 200)
    in_turn("Spades, step by step for long", "1.5", stepwise(good_steps(short), native=True), theirs, 200)
    euchre, theirs = interpreter.load("euchre").game(options=EUCHRE), open_spiel_deals("euchre(stick_the_dealer=false)")
    good(euchre)
    in_turn("Euchre, game.playouts, a deal at a time", "20", playouts(euchre), theirs, 500)
    in_turn(f"Euchre, game.playouts, {IN_A_ROW} deals at a time", "", playouts(euchre, IN_A_ROW), theirs, 500)
    in_turn("Euchre, step by step, at first", "1.0", stepwise(euchre, native=True), theirs, 300)
    in_turn("Euchre, step by step for long", "1.0", stepwise(good_steps(euchre), native=True), theirs, 300)


class Alone:
    """A game that is played in a process of its own.

    how: "playouts", "steps" or "many steps"; folder: where the program lies.
    """

    def __init__(self, name: str, how: str, folder: Path, lane: str) -> None:
        paths = {"PYTHONPATH": str(folder), native_lane.SWITCH: lane}
        code = ALONE if lane != "1" else NATIVE
        self._process = subprocess.Popen(
            [sys.executable, "-c", code, name, how], env={**os.environ, **paths}, text=True, cwd=folder,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def seconds(self, matches: int) -> float:
        """A decision took."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{matches}\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def end(self) -> None:
        self._process.kill()
        self._process.wait()


def beside(title: str, asked: str, name: str, how: str, folder: Path, lane: str, matches: tuple[int, int]) -> None:
    """How many times as fast a decision is here, as machine code, as there. matches: here and there, in each round."""
    ours, theirs = Alone(name, how, ROOT, "1"), Alone(name, how, folder, lane)
    try:
        ours.seconds(matches[0])
        theirs.seconds(max(1, matches[1] // 4))
        told(title, [theirs.seconds(matches[1]) / ours.seconds(matches[0]) for _ in range(ROUNDS)], asked)
    finally:
        ours.end()
        theirs.end()


def beside_python() -> None:
    print("As fast as the Python lane, decisions a second:")
    for name, there in (("gin-rummy", 60), ("uno", 60), ("phase-10", 60)):
        beside(f"{name}, game.playouts", "30", name, "playouts", ROOT, "0", (2_000, there))


def beside_old(folder: Path) -> None:
    print("As fast as the earlier version, decisions a second:")
    for name, fast, steps in (("georgia-spoons", "60", "5"), ("spit", "150", "5")):
        beside(f"{name}, game.playouts", fast, name, "playouts", folder, "", (2_000, 20))
        beside(f"{name}, step by step, at first", steps, name, "steps", folder, "", (20, 4))
        beside(f"{name}, step by step for long", steps, name, "many steps", folder, "", (20, 4))


def compiling() -> None:
    print("Processor seconds until machine code is there, cold (0.6) and kept (0.04):")
    for path in sorted((ROOT / "rulesets").glob("*.yaml")):
        found: dict[str, list[float]] = {"cold": [], "kept": []}
        for _ in range(ROUNDS):
            with tempfile.TemporaryDirectory() as folder:
                there = {**os.environ, "XDG_CACHE_HOME": folder}
                for kind in found:
                    words = [sys.executable, "-c", COLD, path.stem]
                    done = subprocess.run(words, cwd=ROOT, env=there, capture_output=True, text=True, check=True)
                    found[kind].append(float(done.stdout))
        cold, kept = (statistics.median(found[kind]) for kind in ("cold", "kept"))
        print(f"  {path.stem:<20} {cold:.2f}  ({min(found['cold']):.2f} to {max(found['cold']):.2f})   {kept:.3f}")


def threads() -> None:
    import interpreter

    print("Two threads beside one, matches a second:")
    for name, number in (("hearts", 100_000), ("spit", 20_000)):  # half a second, or what begins a thread tells
        game = interpreter.load(name).game()
        play = kernel(game)
        play(number)

        def both(play: Callable[[int], None] = play, number: int = number) -> None:
            workers = [threading.Thread(target=play, args=(number,)) for _ in range(2)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()

        ratios = []
        for _ in range(ROUNDS):
            before = time.perf_counter()
            play(number)
            between = time.perf_counter()
            both()
            ratios.append(2 * (between - before) / (time.perf_counter() - between))
        told(f"{name}, the kernel in two threads", ratios, "1.8")


def a_hundred_thousand() -> None:
    words = [sys.executable, "-m", "interpreter", "simulate", "hearts", "--games", "100000"]
    found = []
    for _ in range(3):
        before = time.perf_counter()
        subprocess.run(words, cwd=ROOT, capture_output=True, check=True)
        found.append(time.perf_counter() - before)
    each = ", ".join(f"{seconds:.1f}" for seconds in found)
    print(f"simulate hearts --games 100000: {statistics.median(found):.1f} s of {each} (6)")


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--old", type=Path)
    arguments.add_argument("--only", choices=("openspiel", "python", "old", "compiling", "threads", "simulate"))
    given = arguments.parse_args()
    parts: dict[str, Callable[[], None]] = {
        "openspiel": beside_open_spiel, "python": beside_python, "compiling": compiling, "threads": threads,
        "simulate": a_hundred_thousand,
    }  # fmt: skip
    if given.old is not None:
        parts["old"] = lambda: beside_old(given.old)
    for name, part in parts.items():
        if given.only in (None, name):
            part()


if __name__ == "__main__":
    main()
