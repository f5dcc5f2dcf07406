"""What many matches come to, in numbers and as people read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.analysis.intervals import Mean, interval, mean
from interpreter.api.playouts import summed
from interpreter.api.random_play import Match
from interpreter.base.english import players_told
from interpreter.players.monte_carlo import LEVELS, Levels, levels_at

if TYPE_CHECKING:
    from interpreter.analysis.plan import Plan
    from interpreter.analysis.simulation import Course
    from interpreter.api.game import Game
    from interpreter.players import realtime
    from interpreter.players.honor_bot import Manners


def figures(plan: Plan, course: Course) -> dict[str, Any]:
    """Count what was played. `length` is in decisions; a shared win counts for each winner.

    `intervals` hold the true shares of wins (of matches that ended) and the true means in 95 of 100 such samples; null
    where nobody can tell. `ties` are matches that players who don't belong together have won together. Of players of
    several levels also `seats`, of matches in real time `speeds`, `milliseconds` (as `length`) and `late`, the moves
    that came too late.
    """
    game, players, played = plan.game, plan.players, course.played
    found, seconds = summed(game, played), course.seconds
    lengths = sorted(found.decisions)
    deals = [match.deals for match in played]
    return {
        "game": game.ruleset.id,
        "players": game.players,
        "options": game.header()["options"],
        "seed": plan.seed,
        "games": found.games,
        "unfinished": found.unfinished,
        "decisions": sum(lengths),
        "seconds": round(seconds, 6),
        "games_per_second": round((found.games - course.found) / seconds, 1) if seconds else None,
        "wins": list(found.wins),
        "mean_score": [round(sum(column) / len(column), 4) for column in zip(*found.scores, strict=True)],
        "length": _spread(lengths),
        "deals": {"mean": round(mean(deals).value, 4), **_spread(sorted(deals))},
        "ties": sum(match.tied for match in played),
        "intervals": {
            "wins": [_share(wins, found.games - found.unfinished) for wins in found.wins],
            "mean_score": [_around(mean(column)) for column in zip(*found.scores, strict=True)],
            "length": _around(mean(lengths)),
            "deals": _around(mean(deals)),
            "ties": _share(sum(match.tied for match in played), found.games - found.unfinished),
        },
        **({"counted": _counted(game, played)} if game.program.counted else {}),
        **_who_played(game, players.skill, played),
        **(_in_real_time(course, players.speeds) if players.speeds else {}),
        **(_honour_figures(course, players.manners) if players.manners and game.program.honor else {}),
    }


def _counted(game: Game, played: Sequence[Match]) -> dict[str, Any]:
    """Of each column that the ruleset counts what it comes to in a match."""
    found = {}
    for at, column in enumerate(game.program.counted):
        a_match = mean([match.counted[at] for match in played])
        found[column] = {"mean": round(a_match.value, 4), "interval": _around(a_match)}
    return found


def _share(wins: float, matches: int) -> list[float] | None:
    return [round(bound, 4) for bound in interval(wins, matches)] if matches else None


def _around(found: Mean) -> list[float] | None:
    bounds = found.interval()
    return None if bounds is None else [round(bound, 4) for bound in bounds]


def _who_played(game: Game, skill: Levels, played: Sequence[Match]) -> dict[str, Any]:
    if isinstance(skill, tuple):
        return {"seats": _by_level(game, skill, played)}
    return {} if skill == "random" else {"skill": skill}


def _by_level(game: Game, skills: tuple[str, ...], played: Sequence[Match]) -> list[dict[str, Any]]:
    """Of each level the mean share of matches that one of its seats has won, and the mean score of one of its seats.

    The seats of a match are no samples of their own, so it is the means of the matches that are looked at.
    """
    found = []
    for level in dict.fromkeys(skills):
        shares, scores = [], []
        for number, match in enumerate(played):
            own = [p for p, other in enumerate(levels_at(skills, game.players, number)) if other == level]
            if match.over:
                shares.append(sum(p in match.winners for p in own) / len(own))
            scores.append(sum(match.scores[p] for p in own) / len(own))
        won, score = mean(shares) if shares else None, mean(scores)
        found.append(
            {
                "level": LEVELS.get(level, level),
                "seats": skills.count(level),
                "wins": None if won is None else round(won.value, 4),
                "wins_interval": None if won is None else _around(won),
                "mean_score": round(score.value, 4),
                "mean_score_interval": _around(score),
            }
        )
    return found


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


# ---- as people read them --------------------------------------------------------------------------------


def told(found: Mapping[str, Any], deals: int | None, limit: int, stopped: str = "") -> str:
    """The figures as people read them."""
    return "\n".join(_lines(found, deals, limit, stopped))


def _lines(found: Mapping[str, Any], deals: int | None, limit: int, stopped: str) -> Iterator[str]:
    if stopped:
        yield stopped
    length = found["length"]
    pace = "" if found["games_per_second"] is None else f"{found['games_per_second']} games a second, "
    yield (
        f"{found['game']}, {players_told(found['players'])}: {found['games']} games, {found['decisions']} decisions "
        f"in {found['seconds']:.2f} s ({pace}seed {found['seed']})"
    )
    yield (
        f"decisions a game: {length['min']} to {length['max']}, half of them up to {length['median']}, "
        f"95 in 100 up to {length['p95']}"
    )
    deal = found["deals"]
    if deal["max"] > 1:
        around = f"{deal['mean']:.2f} on average {_numbers(found['intervals']['deals'])}".rstrip()
        yield f"deals a game: {deal['min']} to {deal['max']}, {around}"
    if found["ties"]:
        ended = found["games"] - found["unfinished"]
        share = f"{found['ties'] / ended:.1%} {_percents(found['intervals']['ties'])}"
        yield f"won by several together: {found['ties']} of {ended} games, {share}"
    if "honour" in found:
        counts = found["honour"]
        yield (
            f"on honour: {counts['faults']} faults; "
            f"{counts['upheld']} claims upheld, {counts['turned_down']} turned down"
        )
    if found["unfinished"]:
        yield _unfinished(found, deals, limit)
    if "milliseconds" in found:
        low, median, high = (found["milliseconds"][key] / 1000 for key in ("min", "median", "max"))
        yield f"seconds a game: {low:.1f} to {high:.1f}, half of them up to {median:.1f}"
    for column, counted in found.get("counted", {}).items():
        yield f"{column}: {counted['mean']:.4g} a game {_numbers(counted['interval'])}".rstrip()
    yield ""
    yield from _table(found)
    if "seats" in found:
        yield ""
        yield from _levels(found["seats"])
    if "counts" in found:
        yield ""
        yield from _counts(found["counts"])


def _table(found: Mapping[str, Any]) -> Iterator[str]:
    """Wins and scores by seat; in parentheses where the true ones lie, in 95 of 100 such samples."""
    late = found.get("late")
    head = "player    wins  share (95% interval)  mean score (95% interval)"
    yield head + ("" if late is None else "  reaction   late")
    finished, intervals = found["games"] - found["unfinished"], found["intervals"]
    for player, (wins, score) in enumerate(zip(found["wins"], found["mean_score"], strict=True)):
        share = f"{wins / finished:6.1%}" if finished else "     -"
        share += f" {_percents(intervals['wins'][player]):<15}"
        line = f"P{player + 1:<6} {wins:>6} {share} {score:>10.2f} {_numbers(intervals['mean_score'][player]):<18}"
        if late is not None:
            line += f" {found['speeds'][player]['reaction']:>6} ms {late[player]:>6}"
        yield line.rstrip()


def _levels(seats: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "level   seats  wins of a seat (95% interval)  mean score (95% interval)"
    for row in seats:
        won = "     -" if row["wins"] is None else f"{row['wins']:6.1%}"
        yield (
            f"{row['level']:<7} {row['seats']:>5} {won} {_percents(row['wins_interval']):<23}"
            f" {row['mean_score']:>10.2f} {_numbers(row['mean_score_interval'])}"
        ).rstrip()


def _counts(found: Mapping[str, Any]) -> Iterator[str]:
    """What laws refused and what was played."""
    yield f"at {found['decisions']} decisions:"
    for row in found["actions"]:
        yield f"{row['played']:>9}  the action '{row['action']}' of '{row['stage']}' was played"
        for law in found["laws"]:
            if (law["stage"], law["action"]) == (row["stage"], row["action"]):
                yield f"{law['refused']:>9}    its law '{law['law']}' refused something"
    for name, played in found["rows"].items():
        yield f"{played:>9}  the row '{name}' of the cards was played"


def _percents(bounds: Sequence[float] | None) -> str:
    return "" if bounds is None else f"({bounds[0] * 100:.1f} to {bounds[1] * 100:.1f})"


def _numbers(bounds: Sequence[float] | None) -> str:
    return "" if bounds is None else f"({bounds[0]:.2f} to {bounds[1]:.2f})"


def _unfinished(found: Mapping[str, Any], deals: int | None, limit: int) -> str:
    """How many matches were cut and by what; their scores count, and nobody has won them."""
    cut = f"after {limit} decisions (--limit)"
    if deals is not None:
        cut = f"after {deals} deal{'' if deals == 1 else 's'} (--deals)" + (
            f" or {cut}" if found["length"]["max"] >= limit else ""
        )
    return f"unfinished: {found['unfinished']} of {found['games']} games, cut {cut}; nobody has won these"
