"""Many matches: the commands `simulate` and `check`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import click

from interpreter.interfaces.cli import completing
from interpreter.interfaces.cli.commands import cli
from interpreter.interfaces.cli.flags import (
    MOST_MATCHES,
    Wrong,
    cores,
    game_flags,
    levels_of,
    load_with,
    make_game,
    manners_flags,
    needs,
    on_honour_only,
    option_values,
    skill_flag,
    speeds_of,
    thinks,
    with_flag,
    workers_flag,
)
from interpreter.interfaces.cli.output import say
from interpreter.interfaces.cli.progress import progress

if TYPE_CHECKING:
    from interpreter.analysis.kept_matches import Folder
    from interpreter.analysis.plan import Plan
    from interpreter.analysis.simulation import Spread

GAMES, GAMES_OF_THINKERS = 1_000, 20
"""How many matches are simulated if nobody says."""


@cli.command()
@click.argument("source", metavar="GAME", shell_complete=completing.games)
@game_flags
@click.option(
    "--games",
    type=click.IntRange(1, MOST_MATCHES),
    metavar="N",
    help=f"How many matches; {GAMES} unless you say otherwise, and {GAMES_OF_THINKERS} with bots that think.",
)
@click.option("--deals", type=click.IntRange(1), metavar="K", help="Stop each match after so many deals.")
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=100_000,
    show_default=True,
    help="Stop each match after so many decisions.",
)
@click.option("--seconds", type=click.IntRange(1), metavar="S", help="Begin no other match after so many seconds.")
@click.option("--seed", type=int, default=0, show_default=True, help="Where chance begins.")
@skill_flag("random")
@click.option(
    "--speeds",
    metavar="MS[/SPREAD],...",
    help="Play in real time: how fast everybody reacts, in milliseconds, or each player, such as 300,450/60.",
)
@manners_flags
@click.option(
    "--seats",
    metavar="LEVEL,...",
    help="Who plays, such as hard,easy,easy,easy: a level for each seat. They move one seat on with each match.",
)
@workers_flag
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Keep all matches in a folder, as CSV; a simulation that was stopped goes on there.",
)
@click.option(
    "--by", type=click.Choice(["match", "deal"]), default="match", help="A row of --out is a match, or a deal."
)
@click.option("--parquet", is_flag=True, help="Write Parquet beside the CSV of --out; needs the extra 'data'.")
@click.option("--ray", is_flag=True, help="Let Ray play on this machine; needs the extra 'ray'.")
@click.option("--ray-address", metavar="ADDRESS", help="Let a Ray cluster play that runs there.")
@click.option("--laws", is_flag=True, help="Count how often laws refused something, and what was played.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(
    source: str,
    games: int | None,
    deals: int | None,
    limit: int,
    seconds: int | None,
    seed: int,
    skill: str,
    speeds: str | None,
    forgets: float | None,
    notices: float | None,
    bluffs: float | None,
    seats: str | None,
    workers: int | None,
    out: str | None,
    by: str,
    parquet: bool,
    ray: bool,
    ray_address: str | None,
    laws: bool,
    as_json: bool,
    **flags: Any,
) -> None:
    """Play many matches between bots and say how they went.

    Random players don't strive for the end of a match, and in some games they hardly reach it. Those of --skill
    medium and hard do, but a match takes them a second or more. --deals, --limit and --seconds keep it short; a match
    that was cut counts as unfinished. Ctrl-C shows what has been played so far. Behind shares and means stands the
    interval in which the true one lies in 95 of 100 such simulations.

    With --speeds players take their time: they look, react and move while the others do the same, and who comes too
    late must take the card back. SPREAD is within which two in three reactions lie; 0 for always the same.
    """
    import json

    from interpreter.analysis import figures, simulation
    from interpreter.analysis.plan import Plan, Players
    from interpreter.players.honor_bot import Manners

    manners = Manners(forgets or 0, notices or 0, bluffs or 0)
    on_honour_only(manners, flags)
    game = make_game(source, **flags)
    timed = speeds_of(speeds, game.players)
    if timed and manners:
        raise click.UsageError("--speeds is for players without faults: leave out --forgets, --notices and --bluffs")
    if laws and (timed or flags["honor"]):
        raise click.UsageError("--laws is for strict play in turns: leave out --speeds and --honor")
    who = Players(levels_of(seats, game.players) or skill, manners, tuple(timed))
    games = games or (GAMES_OF_THINKERS if thinks(who.skill) else GAMES)
    plan = Plan(game, seed, deals, limit, who, by == "deal")
    folder = _folder(out, plan, by, parquet)
    many = workers or cores()
    ended_in_order = nullcontext() if folder is None else _interrupted_by_all_that_ends()
    with progress("games") as tell, _cluster(ray, ray_address, many) as spread, ended_in_order:
        course = simulation.run(plan, games, seconds, lambda done: tell(done, games, ""), many, folder, spread)
    found = figures.figures(plan, course)
    if laws:
        found["counts"] = _counts(plan, len(course.played), workers)
    if as_json and course.stopped:
        say(course.stopped, err=True)
    say(json.dumps(found) if as_json else figures.told(found, deals, limit, course.stopped), nl=True)
    if not as_json:
        _tell_lane(plan)


def _tell_lane(plan: Plan) -> None:
    """Say whether matches at random were played as machine code, or why not, where that was tried."""
    from interpreter.api.native_lane import lane_of

    lane = lane_of(plan.game.program)
    if lane.reason or lane.played[1]:
        say(f"lane: {lane.told()}", err=True)


@contextmanager
def _interrupted_by_all_that_ends() -> Iterator[None]:
    """Who ends the command in another way than by Ctrl-C interrupts it, too: then what it has is kept."""
    import signal

    from interpreter.analysis.simulation import ENDING

    numbers = [number for name in ENDING if (number := getattr(signal, name, None))]
    taken = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]  # not what `nohup` ignores
    for number in taken:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def _cluster(ray: bool, address: str | None, workers: int) -> Iterator[Spread | None]:
    """What plays the matches elsewhere than in processes of our own, if that is asked for. Raises UsageError, Wrong."""
    if not ray and address is None:
        yield None
        return
    needs("ray", "--ray", "ray")
    from interpreter.analysis.ray_tasks import Cluster, OtherVersion

    try:
        with Cluster(address, workers) as cluster:
            yield cluster.spread
    except ConnectionError as error:
        raise Wrong(f"--ray: {str(error).splitlines()[0]}") from None
    except OtherVersion as error:
        raise Wrong(f"--ray: {error}; the cluster needs the version that asks") from None


def _counts(plan: Plan, games: int, workers: int | None) -> dict[str, Any]:
    """What laws refused and what was played in the matches of a simulation."""
    from interpreter.analysis import law_counts

    with progress("games looked at") as tell:
        counts = law_counts.count(plan, games, workers or cores(), lambda done: tell(done, games, ""))
    return law_counts.figures(plan.game, counts)


def _folder(out: str | None, plan: Plan, by: str, parquet: bool) -> Folder | None:
    """Where matches are kept. Raises UsageError."""
    if out is None:
        if by == "deal" or parquet:
            raise click.UsageError("--by and --parquet are about what is kept; add --out DIR")
        return None
    from interpreter.analysis import kept_matches
    from interpreter.base.version import version

    if parquet:
        needs("pyarrow", "--parquet", "data")
    try:
        return kept_matches.Folder(out, plan, parquet, version())
    except kept_matches.KeptError as error:
        raise click.UsageError(f"--out: {error}") from None


@cli.command(short_help="Look for dead ends and useless rules by random play.")
@click.argument("source", metavar="GAME", shell_complete=completing.games)
@click.option(
    "--matches",
    type=click.IntRange(1, MOST_MATCHES),
    default=200,
    show_default=True,
    metavar="N",
    help="How many matches.",
)
@click.option("-p", "--players", type=click.IntRange(1), metavar="N", help="How many play; else every number.")
@click.option(
    "-o",
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="Fix an option; else each value.",
    shell_complete=completing.options,
)
@click.option(
    "-v",
    "--variant",
    "variants",
    multiple=True,
    metavar="NAME",
    help="Use a variant in every match.",
    shell_complete=completing.variants,
)
@with_flag
@click.option("--honor/--strict", "honor", default=None, help="Only on honour, or only strictly; else both.")
@click.option("--vary", multiple=True, metavar="NAME", help="Every combination of these options and variants only.")
@click.option("--seed", type=int, default=0, show_default=True, help="Where chance begins.")
@click.option(
    "--limit", type=click.IntRange(1), default=2_000, show_default=True, help="Stop each match after so many decisions."
)
@click.option("--seconds", type=click.IntRange(1), metavar="S", help="Begin no other match after so many seconds.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="How many processes; else one for each core.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def check(
    source: str,
    matches: int,
    players: int | None,
    options: tuple[str, ...],
    variants: tuple[str, ...],
    overlays: tuple[str, ...],
    honor: bool | None,
    vary: tuple[str, ...],
    seed: int,
    limit: int,
    seconds: int | None,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Play random matches of every game of a ruleset, and say what they show.

    The games: every number of players, each value of each option and each variant alone, mixtures of them, strict and
    on honour, where anybody does anything that is possible and faults are claimed, in one match of five without end.
    Of each decision it sees what was possible and which laws refused something. It reports matches that got stuck,
    stages without an end, cards lost, actions that were never possible, laws that were never asked or refused nothing,
    options without effect, how long matches are, and how often the first seat wins; and the command that shows a
    finding again. It ends with 1 if there is an error; warnings and notes are for you to judge.
    """
    import json
    import shlex

    from interpreter.analysis import audit
    from interpreter.analysis.audit import printout
    from interpreter.api.options import OptionError

    ruleset = load_with(source, overlays)
    enforcement: audit.Enforcement | None = None if honor is None else "honor" if honor else "strict"
    varied = tuple(vary) or None
    fixed = audit.Fixed(players, option_values(options), variants, enforcement, varied)
    again = " ".join(["houserules check", shlex.quote(source), *(f"--with {shlex.quote(path)}" for path in overlays)])
    try:
        with progress("matches") as tell:
            workers = jobs or cores()
            found = audit.run(
                ruleset, matches, seed, limit, fixed, seconds, workers, again, lambda done: tell(done, matches, "")
            )
    except OptionError as error:
        raise click.UsageError(str(error)) from None
    if as_json:
        say(json.dumps(printout.figures(found, seed, limit)))
    else:
        say(printout.told(found, limit))
    if not found.well:
        sys.exit(1)
