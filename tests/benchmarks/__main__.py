"""How fast it is, as ratios measured in one run: `python -m tests.benchmarks`.

Against OpenSpiel (`pip install -e '.[bench]'`), driven from Python as fast as Python can drive it: one list of
legal actions a step, `random.random()`, no NumPy, chance nodes played like all others. Whole deals, passing and
dealing inside the timing, on both sides. The two are timed in turn, and medians of the ratios are printed, so that
a machine whose speed drifts does not matter. Nothing here is a test: figures depend on the machine.
"""

from __future__ import annotations

import itertools
import random
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import interpreter
from interpreter.api.game import Game
from interpreter.api.playouts import matches
from interpreter.players.random_bot import RandomBot
from interpreter.players.realtime import Race, Speed

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 7


def rate(play: Callable[[int], None], deals: int) -> float:
    """Deals a second."""
    before = time.perf_counter()
    play(deals)
    return deals / (time.perf_counter() - before)


def open_spiel_deals(name: str) -> Callable[[int], None]:
    import pyspiel

    game = pyspiel.load_game(name)

    def play(deals: int) -> None:
        draw = random.random
        for _ in range(deals):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])

    return play


IN_A_ROW = 5


def playouts(game: Game, in_a_row: int = 1) -> Callable[[int], None]:
    """Matches begun anew for each deal, or for several in a row (too few for one to be won)."""
    return lambda deals: game.playouts(deals // in_a_row, seed=1, deals=in_a_row) and None


def stepwise(game: Game, native: bool = False, log: bool = True) -> Callable[[int], None]:
    """Matches through `actors`, `legal_moves` and `play`: with the log or without it, as machine code always without.

    As many as have so many deals on the average; no two of them are the same.
    """
    length = statistics.fmean(match.deals for match in matches(game, 200, seed=1, deals=None, limit=10_000))
    seeds = itertools.count()

    def play(deals: int) -> None:
        draw = random.random
        for _ in range(round(deals / length)):
            state = game.start(seed=next(seeds), log=log and not native, native=native)
            while not state.over:
                player = state.actors[0]
                moves = state.legal_moves(player)
                state.play(player, moves[int(draw() * len(moves))])

    return play


def compare(title: str, ours: Callable[[int], None], theirs: Callable[[int], None], deals: int) -> None:
    ours(20)
    theirs(20)
    pairs = [(rate(ours, deals), rate(theirs, deals)) for _ in range(ROUNDS)]
    ratio = statistics.median(a / b for a, b in pairs)
    mine, other = (statistics.median(p[i] for p in pairs) for i in (0, 1))
    print(f"  {title:<34} {mine:>9,.0f} deals/s   OpenSpiel {other:>9,.0f}   ratio {ratio:.2f}")


def against_open_spiel() -> None:
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        print("  OpenSpiel is not installed: pip install -e '.[bench]'")
        return
    print("Hearts, four players, one deal at random, passing and dealing included:")
    game = interpreter.load("hearts").game()
    theirs = open_spiel_deals("hearts(pass_cards=true)")
    compare("playouts(deals=1)", playouts(game), theirs, 600)
    single = interpreter.load("hearts").game(options={"target": 1})  # the first deal ends the match
    compare("legal_moves + play, with the log", stepwise(single), theirs, 200)
    compare("the same without the log", stepwise(single, log=False), theirs, 200)
    compare("the same in machine code, no log", stepwise(single, native=True), theirs, 400)
    print("Other deals at random, with the same rules on both sides:")
    spades = interpreter.load(ROOT / "tests" / "oracle" / "spades-openspiel.yaml").game()
    compare("Spades, playouts(deals=1)", playouts(spades), open_spiel_deals("spades"), 400)
    short = interpreter.load(ROOT / "tests" / "oracle" / "spades-openspiel.yaml").game(
        options={"win_threshold": 1, "mercy_threshold": -1}
    )
    compare("Spades, step by step, machine code", stepwise(short, native=True), open_spiel_deals("spades"), 400)
    # OpenSpiel begins with the deal: partners and dealer are there, and nobody cuts.
    rules = {"pack_size": 24, "partner_draw": "fixed", "cut": "none", "target": 10}
    euchre = interpreter.load("euchre").game(options=rules)
    theirs = open_spiel_deals("euchre(stick_the_dealer=false)")
    compare(f"Euchre, playouts(deals={IN_A_ROW}), a deal", playouts(euchre, IN_A_ROW), theirs, 800)
    compare("Euchre, playouts(deals=1)", playouts(euchre), theirs, 800)
    compare("Euchre, step by step, machine code", stepwise(euchre, native=True), theirs, 800)


def seconds_a_decision(game: Game, deals: int) -> float:
    """What one decision of random play takes, dealing and scoring included."""
    before = time.perf_counter()
    made = sum(game.playouts(deals, seed=1, deals=1).decisions)
    return (time.perf_counter() - before) / made


def seconds_a_step(game: Game, steps: int) -> float:
    """The same through `actors`, `legal_moves` and `play`, with the log."""
    draw, body = random.Random(1), RandomBot(1)
    state = game.start(seed=1)
    before = time.perf_counter()
    for _ in range(steps):
        if state.over:
            state = game.start(seed=draw.randrange(1 << 32))
        actors = state.actors
        player = actors[draw.randrange(len(actors))]
        moves = state.legal_moves(player)
        move = moves[draw.randrange(len(moves))]
        state.play(player, move, **body.measures(state, player, move))
    return (time.perf_counter() - before) / steps


def decisions() -> None:
    """The richest rules beside plain tricks: at most three times is asked for."""
    spoons, hearts = (interpreter.load(name).game() for name in ("georgia-spoons", "hearts"))
    measures: list[tuple[str, Callable[[Game, int], float], int, int]] = [
        ("playouts(deals=1)", seconds_a_decision, 30, 300),
        ("legal_moves + play, with the log", seconds_a_step, 3_000, 3_000),
    ]
    for title, cost, few, many in measures:
        pairs = [(cost(spoons, few), cost(hearts, many)) for _ in range(ROUNDS)]
        ours, theirs = (statistics.median(p[i] for p in pairs) * 1e6 for i in (0, 1))
        ratio = statistics.median(a / b for a, b in pairs)
        print(f"  {title:<34} {ours:>9.1f} µs         Hearts {theirs:>9.1f}   ratio {ratio:.2f}")


def in_a_fresh_process(code: str) -> float:
    """Milliseconds that code says it took, the median of several processes."""
    found = [
        float(subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout)
        for _ in range(ROUNDS)
    ]
    return statistics.median(found)


def start_up() -> None:
    for path in sorted((ROOT / "rulesets").glob("*.yaml")):
        code = (
            "import time, interpreter.api.game as g, jsonschema, lark, yaml; b=time.perf_counter(); "
            f"r=g.load({path.stem!r}); r.game(); print((time.perf_counter()-b)*1000)"
        )
        print(f"  load, validate and compile {path.stem:<12} {in_a_fresh_process(code):>6.0f} ms")
    whole = []
    for _ in range(ROUNDS):
        before = time.perf_counter()
        subprocess.run([sys.executable, "-m", "interpreter", "list"], cwd=ROOT, capture_output=True, check=True)
        whole.append((time.perf_counter() - before) * 1000)
    print(f"  houserules list, the whole process   {statistics.median(whole):>6.0f} ms")


def cost_of_moves(game: Game, matches: int, most: int = 400) -> tuple[float, float]:
    """Microseconds of one `play`, and of one `legal_moves` and `play` together, with the log, at random."""
    draw = random.Random(1).random
    asked = played = 0.0
    made = 0
    for number in range(matches):
        state = game.start(seed=number)
        for _ in range(most):
            if state.over:
                break
            actors = state.actors
            player = actors[int(draw() * len(actors))]
            before = time.perf_counter()
            moves = state.legal_moves(player)
            between = time.perf_counter()
            move = moves[int(draw() * len(moves))]
            begun = time.perf_counter()
            state.play(player, move)
            played += time.perf_counter() - begun
            asked += between - before
            made += 1
    return played / made * 1e6, (asked + played) / made * 1e6


def cost_of_driving(game: Game, matches: int, most: int = 400) -> tuple[float, float]:
    """Microseconds of a move with the driver, and of the same moves without it, each asked for and made in time."""
    driven = alone = 0.0
    made = 0
    for number in range(matches):
        state = game.start(seed=number)
        race = Race(state, {p: (RandomBot(p + 1), Speed()) for p in range(game.players)}, number)
        before = time.perf_counter()
        race.run(most)
        driven += time.perf_counter() - before
        made += race.made
        again = game.start(seed=number)
        for _, player, text, extra in state.position.record_moves:
            if "refused" in extra:
                continue
            move = again.parse(player, text)
            before = time.perf_counter()
            again.legal_moves(player)
            again.play(player, move, **extra)
            alone += time.perf_counter() - before
    return driven / made * 1e6, alone / made * 1e6


def races() -> None:
    """At most twice a play of Hearts is the goal for a move, and half of a move again for the driver."""
    hearts = interpreter.load("hearts").game(options={"target": 1})
    for name in ("spit", "dutch-blitz", "bicycle-spoons"):
        game = interpreter.load(name).game()
        rounds = [(cost_of_moves(hearts, 20), cost_of_moves(game, 4), cost_of_driving(game, 4)) for _ in range(ROUNDS)]
        play, whole = (statistics.median(race[i] / trick[i] for trick, race, _ in rounds) for i in (0, 1))
        cost = statistics.median(race[0] for _, race, _ in rounds)
        added = statistics.median(driven / alone - 1 for *_, (driven, alone) in rounds)
        print(
            f"  {name:<16} a move {cost:>6.1f} µs, {play:.1f} of Hearts; with legal_moves {whole:.1f}; "
            f"the driver adds {added:.0%}"
        )


def states() -> None:
    game = interpreter.load("hearts").game()
    state = game.start(seed=3)
    draw = random.Random(1)
    for _ in range(30):
        player = state.actors[0]
        moves = state.legal_moves(player)
        state.play(player, moves[draw.randrange(len(moves))])
    best = min(_time_copies(state) for _ in range(ROUNDS))
    print(f"  a copy in the middle of a deal       {best:>6.1f} µs")
    print(f"  the same state as JSON               {len(state.to_json()) / 1000:>6.1f} KB")
    tracemalloc.start()
    kept = [state.copy() for _ in range(10_000)]
    print(f"  {len(kept):,} such states alive           {tracemalloc.get_traced_memory()[0] / 1e6:>6.0f} MB")
    tracemalloc.stop()


def _time_copies(state: interpreter.State, number: int = 2000) -> float:
    before = time.perf_counter()
    for _ in range(number):
        state.copy()
    return (time.perf_counter() - before) / number * 1e6


def main() -> None:
    against_open_spiel()
    print("A decision of Georgia Spoons (strict, at random) beside one of Hearts:")
    decisions()
    print("Start-up (imports of libraries not counted, but for `list`):")
    start_up()
    print("Races, a move through play with the log against a play of Hearts:")
    races()
    print("States:")
    states()


if __name__ == "__main__":
    main()
