"""Many random matches of one game, in figures: `houserules simulate`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from interpreter.api.playouts import Match, deal_stage, matches, no_collecting, summed
from interpreter.base.english import players_told
from interpreter.engine.chance import Dice, derive
from interpreter.engine.stuck import stuck
from interpreter.players import realtime
from interpreter.players.honor_bot import PERFECT, Manners
from interpreter.players.monte_carlo import new_bot

if TYPE_CHECKING:
    from interpreter.api.game import Game
    from interpreter.api.state import State
    from interpreter.engine.moves import Move
    from interpreter.players.random_bot import Bot


PATIENCE = 1.0
"""Seconds between two words about how far it is."""


@dataclass(frozen=True, slots=True)
class Players:
    """How those play who are simulated.

    skill: how they choose, one of `thinking.SKILLS`. manners: how they play on honour. speeds: how fast each is, where
    they play in real time.
    """

    skill: str = "random"
    manners: Manners = PERFECT
    speeds: tuple[realtime.Speed, ...] = ()


RANDOM = Players()


@dataclass(slots=True)
class Course:
    """How a simulation went: the matches so far, the seconds it took, and why it stopped before its end, or ""."""

    played: list[Match] = field(default_factory=list)
    seconds: float = 0.0
    stopped: str = ""


def run(
    game: Game,
    games: int,
    seed: int,
    deals: int | None,
    limit: int,
    seconds: int | None = None,
    tell: Callable[[int], None] = lambda done: None,
    players: Players = RANDOM,
) -> Course:
    """Play matches, until it has taken so many seconds or somebody interrupts it; at least one is played.

    tell: hears now and then how many have been played. Raises RuleError.
    """
    course = Course()
    begun = told_at = time.perf_counter()
    try:
        for match in _played(game, games, seed, deals, limit, players):
            course.played.append(match)
            now = time.perf_counter()
            course.seconds = now - begun
            done = len(course.played)
            if now - told_at >= PATIENCE:
                told_at = now
                tell(done)
            if seconds is not None and course.seconds >= seconds and done < games:
                course.stopped = f"stopped after {course.seconds:.0f} seconds: {done} of {games} games"
                break
    except KeyboardInterrupt:
        if not course.played:
            raise
        course.stopped = f"interrupted: {len(course.played)} of {games} games"
    return course


def _played(game: Game, games: int, seed: int, deals: int | None, limit: int, players: Players) -> Iterator[Match]:
    if players.speeds:
        yield from realtime.matches(game, games, seed, deals, limit, players.skill, players.speeds)
        return
    if players.skill != "random" or players.manners:
        yield from bot_matches(game, games, seed, deals, limit, players.skill, players.manners)
        return
    with no_collecting():
        yield from matches(game, games, seed, deals, limit)


def bot_matches(
    game: Game, n: int, seed: int, deals: int | None, limit: int, skill: str, manners: Manners = PERFECT
) -> Iterator[Match]:
    """Matches between bots, dealt as those of `playouts` are; where several may move, who does is drawn.

    On honour they are asked after each move, in an order that is drawn, whether they claim something; the first does.
    """
    counted = deal_stage(game)
    for number in range(n):
        own = derive(seed, number)
        state, dice = game.start(seed=own), Dice(own + 1)
        state.position.halt_after = None if deals is None else (counted, deals)
        bots = [new_bot(skill, derive(own, player + 1), manners) for player in range(game.players)]
        made = 0
        claim: tuple[int, Move] | None = None
        while not state.over and not state.position.halted and made < limit:
            if claim is None:
                actors = state.actors
                player = actors[dice.below(len(actors))] if len(actors) > 1 else actors[0]
                move = bots[player].choose(state, player)
                if move is None:
                    raise stuck(state.position, player)
            else:
                player, move = claim
            before = state.copy() if game.program.honor and any(bot.watches for bot in bots) else None
            state.play(player, move, **bots[player].measures(state, player, move))
            claim = None if before is None else _first_claim(before, state, bots, dice)
            made += 1
        yield Match(made, tuple(state.scores), tuple(state.winners), state.over, honour=_on_honour(state))


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


def figures(game: Game, seed: int, course: Course, players: Players = RANDOM) -> dict[str, Any]:
    """Count what was played. `length` is in decisions; a shared win counts for each winner.

    Of matches in real time also `speeds`, `milliseconds` (as `length`) and `late`, the moves that came too late.
    """
    found, seconds = summed(game, course.played), course.seconds
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
        "length": _spread(lengths),
        **({} if players.skill == "random" else {"skill": players.skill}),
        **(_in_real_time(course, players.speeds) if players.speeds else {}),
        **(_honour_figures(course, players.manners) if players.manners and game.program.honor else {}),
    }


def _in_real_time(course: Course, speeds: Sequence[realtime.Speed]) -> dict[str, Any]:
    return {
        "speeds": [{"reaction": s.reaction, "spread": s.spread, "motion": s.motion} for s in speeds],
        "milliseconds": _spread(sorted(match.milliseconds for match in course.played)),
        "late": [sum(column) for column in zip(*(match.late for match in course.played), strict=True)],
    }


def _spread(ordered: Sequence[int]) -> dict[str, int]:
    return {
        "min": ordered[0],
        "median": percentile(ordered, 50),
        "p95": percentile(ordered, 95),
        "max": ordered[-1],
    }


def _honour_figures(course: Course, manners: Manners) -> dict[str, Any]:
    faults, upheld, turned_down = (sum(match.honour[at] for match in course.played) for at in range(3))
    return {
        "manners": {"forgets": manners.forgets, "notices": manners.notices, "bluffs": manners.bluffs},
        "honour": {"faults": faults, "upheld": upheld, "turned_down": turned_down},
    }


def percentile(ordered: Sequence[int], percent: int) -> int:
    """The smallest value that at least so many percent do not exceed (nearest rank)."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def told(found: Mapping[str, Any], deals: int | None, limit: int, stopped: str = "") -> str:
    """The figures as people read them."""
    length = found["length"]
    lines = [
        f"{found['game']}, {players_told(found['players'])}: {found['games']} games, {found['decisions']} decisions "
        f"in {found['seconds']:.2f} s ({found['games_per_second']} games a second, seed {found['seed']})",
        f"decisions a game: {length['min']} to {length['max']}, half of them up to {length['median']}, "
        f"95 in 100 up to {length['p95']}",
    ]
    if "honour" in found:
        counts = found["honour"]
        lines.append(
            f"on honour: {counts['faults']} faults; "
            f"{counts['upheld']} claims upheld, {counts['turned_down']} turned down"
        )
    if stopped:
        lines.insert(0, stopped)
    if found["unfinished"]:
        lines.append(_unfinished(found, deals, limit))
    late = found.get("late")
    if late is not None:
        seconds = {key: value / 1000 for key, value in found["milliseconds"].items()}
        lines.append(
            f"seconds a game: {seconds['min']:.1f} to {seconds['max']:.1f}, half of them up to {seconds['median']:.1f}"
        )
    lines += ["", "player    wins  share  mean score" + ("" if late is None else "  reaction   late")]
    finished = found["games"] - found["unfinished"]
    for player, (wins, score) in enumerate(zip(found["wins"], found["mean_score"], strict=True), start=1):
        share = f"{wins / finished:6.1%}" if finished else "     -"
        line = f"P{player:<6} {wins:>6} {share} {score:>11.2f}"
        if late is not None:
            line += f" {found['speeds'][player - 1]['reaction']:>6} ms {late[player - 1]:>6}"
        lines.append(line)
    return "\n".join(lines)


def _unfinished(found: Mapping[str, Any], deals: int | None, limit: int) -> str:
    """How many matches were cut and by what; their scores count, and nobody has won them."""
    cut = f"after {limit} decisions (--limit)"
    if deals is not None:
        cut = f"after {deals} deal{'' if deals == 1 else 's'} (--deals)" + (
            f" or {cut}" if found["length"]["max"] >= limit else ""
        )
    return f"unfinished: {found['unfinished']} of {found['games']} games, cut {cut}; nobody has won these"
