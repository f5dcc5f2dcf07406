"""One match at the terminal: the commands `play` and `replay`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interpreter.base.signs import on_one_line
from interpreter.interfaces.cli import completing
from interpreter.interfaces.cli.commands import cli
from interpreter.interfaces.cli.flags import (
    Wrong,
    game_flags,
    load_with,
    make_game,
    manners_flags,
    on_honour_only,
    skill_flag,
    speeds_of,
)
from interpreter.interfaces.cli.output import say

if TYPE_CHECKING:
    from interpreter.api.game import State
    from interpreter.api.record_file import RecordFile
    from interpreter.interfaces.party import Party

LAST = "-"
"""What `--resume` says that names no file."""


@cli.command()
@click.argument("source", metavar="[GAME]", required=False, shell_complete=completing.games)
@game_flags
@click.option("--seed", type=int, help="Where chance begins; the same seed deals the same cards.")
@click.option("--bots", metavar="all|N", help="How many bots play, or that only bots do.")
@skill_flag(None)
@manners_flags
@click.option("--humans", type=click.IntRange(1, 1000), metavar="N", help="How many people play at this terminal (1).")
@click.option(
    "--seat", "seats", type=click.IntRange(1), multiple=True, metavar="N", help="Where they sit, if not from seat 1 on."
)
@click.option(
    "--record", "record_to", type=click.Path(path_type=Path), metavar="FILE", help="Record the match in a new file."
)
@click.option(
    "--resume",
    is_flag=False,
    flag_value=LAST,
    metavar="[FILE]",
    help="Go on with a match: the last one that was left, or the one that a file holds.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="What somebody is called: once for each, people and bots, from the first seat on.",
)
@click.option("--verbose", is_flag=True, help="Tell of shuffling and gathering, too.")
@click.option(
    "--full-screen", is_flag=True, help="Play on the whole screen, a key for each card and pile; for one person."
)
@click.option(
    "--speeds",
    metavar="MS[/SPREAD],...",
    help="On the whole screen: how fast the bots react, in milliseconds, or each of them, such as 600,900/150.",
)
def play(
    source: str | None,
    seed: int | None,
    bots: str | None,
    skill: str | None,
    humans: int | None,
    seats: tuple[int, ...],
    record_to: Path | None,
    resume: str | None,
    names: tuple[str, ...],
    verbose: bool,
    full_screen: bool,
    speeds: str | None,
    forgets: float | None,
    notices: float | None,
    bluffs: float | None,
    **flags: Any,
) -> None:
    """Play at the terminal. Type ? for help, rules for the rules, quit to leave. 'houserules list' names the games.

    Several people play at one terminal with --humans 2 --name Ada --name Ben. Where each has a turn, the screen is
    handed over; in a race all see the table, and each writes their name before their move: 'Ada 7S left'.

    Each match is kept while it is played: --resume alone goes on with the last one, and --record FILE keeps it
    elsewhere. Arrow keys find what was typed before, Tab completes moves.

    With --full-screen the table is laid out and redrawn as the bots move, and each card and pile has a key. It is made
    for races, in which everybody moves at once, and plays other games too. It needs Textual, which comes with the
    extra 'tui'. ? shows all keys, Esc stops the time, Ctrl+Q leaves. Bots react in 1200/300 milliseconds unless
    --speeds says otherwise; SPREAD is within which two in three reactions lie.

    On honour bots forget something one time in ten and notice every other fault that they can see, unless --forgets,
    --notices or --bluffs is given.
    """
    from interpreter.interfaces import terminal
    from interpreter.interfaces.party import USUAL_SKILL, Party, misnamed
    from interpreter.players.honor_bot import USUAL, Manners

    if problem := misnamed(names):
        raise click.UsageError(problem)
    given = (forgets, notices, bluffs)
    manners = USUAL if given == (None, None, None) else Manners(*(chance or 0 for chance in given))
    people = _people(bots, humans, seats, flags)
    if full_screen:
        _can_fill_the_screen(len(people), flags["honor"])
    elif speeds is not None:
        raise click.UsageError("--speeds is for play on the whole screen; add --full-screen")
    if resume is not None:
        if any(flags.values()) or seed is not None:
            raise click.UsageError("with --resume the record says which game it is; leave out its settings")
        said = Party(people, names, skill or "", manners, verbose)
        counted = bots is not None or humans is not None or bool(seats)
        _go_on(resume, source, said, counted, record_to, full_screen, speeds)
        return
    if source is None:
        source = _chosen()
    if record_to is not None and record_to.exists():
        raise click.UsageError(f"there is a file '{record_to}' already; go on with it by --resume, or name another")
    if any(given):
        on_honour_only(manners, flags)
    try:
        game = make_game(source, **flags)
    except click.UsageError as refusal:
        if bots is not None and humans is None and not seats and refusal.message.startswith("players:"):
            more = "; --humans says how many people are at this terminal, 1 if nothing is said"
            raise click.UsageError(refusal.message + more) from None
        raise
    _fits(people, names, game.players)
    if record_to is not None:
        from interpreter.api.record import unkept

        _refuse_unkept(unkept(game))
    usual = USUAL_SKILL if people else "random"
    party = Party(people, names, skill or usual, manners, verbose)
    if full_screen:
        _play_on_full_screen(game.start(seed=seed), party, speeds, record_to)
    else:
        terminal.play(game, seed, party, record_to)


def _chosen() -> str:
    """The game that somebody chooses of those that come with the program. Raises UsageError where nobody can."""
    from interpreter.interfaces.catalogue import entries

    found = entries()
    if not sys.stdin.isatty():
        raise click.UsageError("say which ruleset to play, such as one that 'houserules list' names")
    width = len(str(len(found)))
    for number, entry in enumerate(found, start=1):
        say(f"{number:>{width}}  {entry.name}")
    number = click.prompt("Which game", type=click.IntRange(1, len(found)), default=1)
    return found[number - 1].id


def _go_on(
    resume: str,
    source: str | None,
    said: Party,
    counted: bool,
    record_to: Path | None,
    full_screen: bool,
    speeds: str | None,
) -> None:
    """Go on with a recorded match. said: who plays, as far as it was said. counted: whether it was said which seats."""
    from dataclasses import replace

    from interpreter.api.record import ReplayError, unnamed
    from interpreter.api.record_file import OtherRules, go_on
    from interpreter.interfaces import terminal
    from interpreter.interfaces.party import USUAL_SKILL, recorded_names, recorded_seats, recorded_skill

    path, ruleset = Path(resume), None
    if resume == LAST:
        path = _last(source)
    elif source is not None:
        ruleset = load_with(source, ())
        if record_to is not None:
            _refuse_unkept(unnamed(ruleset))
    try:
        resumed = go_on(path, ruleset, keep=record_to is None)
    except OtherRules:
        raise click.UsageError(
            f"'{on_one_line(str(path))}' was recorded by other rules than those of '{source}'; leave out '{source}' to "
            "go on by its own, or add --record OTHER, which begins another record with these"
        ) from None
    except ReplayError as error:
        if resume != LAST:
            raise
        name = on_one_line(str(path))  # nobody has said which file it is
        raise Wrong(f"{name}: the record cannot be replayed: {error}") from None
    found, table, players = resumed.record, resumed.record.table, resumed.state.game.players
    before = 1 if found.people is None else min(found.people, players)
    told = replace(
        said,
        seats=recorded_seats(table, players) or tuple(range(before)),
        names=recorded_names(table, players),
        skill=recorded_skill(table) or ("random" if found.people is not None and not before else USUAL_SKILL),
    )
    seats = said.seats if counted else told.seats
    party = replace(told, seats=seats, names=said.names or told.names, skill=said.skill or told.skill)
    _fits(tuple(seat for seat in party.seats if counted), party.names, players)
    if not full_screen:
        terminal.resume(path, resumed, party, told, record_to)
        return
    party = replace(party, seats=party.seats[:1])
    _can_fill_the_screen(len(party.seats), resumed.state.game.program.honor)
    for remark in resumed.told:
        say(remark, err=True)
    _play_on_full_screen(resumed.state, party, speeds, record_to, (resumed.kept, path))


def _last(source: str | None) -> Path:
    """The match that was played last, of a ruleset or of any. Raises UsageError where there is none."""
    from interpreter.interfaces import saved_matches

    found = saved_matches.last(() if source is None else _ids(source))
    if found is None:
        raise click.UsageError(f"there is no match{f' of {source!r}' if source else ''} that could go on")
    return found


def _ids(source: str) -> set[str]:
    """How records call a ruleset, which need not be how its file is called, and those that its variants lead to."""
    from interpreter.api.game import load

    ruleset = load_with(source, ())
    others = {Path(variant.ruleset) for variant in ruleset.model.variants.values() if variant.ruleset}
    return {ruleset.id, *(load(other).id for other in others)}


def _fits(people: tuple[int, ...], names: Sequence[str], players: int) -> None:
    """Refuse more people and names than play. Raises UsageError."""
    if len(people) > players:
        raise click.UsageError(f"there are {len(people)} people, and {players} play")
    if any(seat >= players for seat in people):
        raise click.UsageError(f"there is no seat {max(people) + 1}: {players} play")
    if len(names) > players:
        raise click.UsageError(f"there are {len(names)} names, and {players} play")


def _people(bots: str | None, humans: int | None, seats: tuple[int, ...], flags: dict[str, Any]) -> tuple[int, ...]:
    """Who sits at the terminal, by seat from 0; `players` follows where only people and bots were counted."""
    if bots is not None and bots.lower() == "all":
        if humans or seats:
            raise click.UsageError(f"--bots all leaves no place for {'--humans' if humans else '--seat'}")
        return ()
    if len(set(seats)) < len(seats):
        raise click.UsageError("there is one person to a seat")
    if seats and humans not in (None, len(seats)):
        raise click.UsageError(f"--seat is given {len(seats)} times, for {humans} people")
    people = tuple(seat - 1 for seat in seats) or tuple(range(1 if humans is None else humans))
    if bots is not None:
        from interpreter.base.arithmetic import whole

        number = whole(bots)
        if number is None or number < 0:
            raise click.UsageError(f"--bots is 'all' or a number, not '{bots}'")
        wanted = len(people) + number
        if flags["players"] not in (None, wanted):
            raise click.UsageError(f"{len(people)} at the terminal and {bots} bots are not {flags['players']} players")
        flags["players"] = wanted
    return people


def _refuse_unkept(problem: str) -> None:
    """Refuse to record a match of which no record could be read again. Raises UsageError."""
    if problem:
        raise click.UsageError(problem)


def _can_fill_the_screen(people: int, honor: bool) -> None:
    """Refuse what cannot be played on the whole screen. Raises UsageError."""
    from interpreter.interfaces import fullscreen

    if not fullscreen.is_installed():
        raise click.UsageError(
            "--full-screen needs Textual: install the extra 'tui', with: pip install 'houserules[tui]' "
            "(in a clone: pip install '.[tui]')"
        )
    if people > 1:
        raise click.UsageError("--full-screen is for one person; leave out --humans, or --full-screen")
    if honor:
        raise click.UsageError("on honour one has to speak, so --honor is played without --full-screen")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("--full-screen needs a terminal to fill")


def _play_on_full_screen(
    state: State,
    party: Party,
    speeds: str | None,
    record_to: Path | None,
    resumed: tuple[RecordFile | None, Path | None] = (None, None),
) -> None:
    """Play a match from the position in which it is to its end, or until it is left.

    Its record is begun last, with what is already made of the match: what is refused leaves none. resumed: the one that
    goes on, and its file, unless there is to be another.
    """
    from interpreter.interfaces import fullscreen
    from interpreter.interfaces.terminal import begin_record

    bots = state.game.players - len(party.seats)
    paces = speeds_of(speeds, bots, "bots") or [fullscreen.SPEED] * bots

    def record() -> tuple[RecordFile | None, Path | None]:
        if resumed[0] is not None:
            return resumed
        return begin_record(state, party, record_to, lambda text: say(text, err=True))

    fullscreen.play(state, party, paces, record)


@cli.command(short_help="Play a record again.")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--step", is_flag=True, help="Move by move, with all cards open; a key goes on or back.")
def replay(file: Path, step: bool) -> None:
    """Play a record again: what happened, and how it stands at its end. With --step it waits after each move."""
    from interpreter.interfaces.terminal import replaying

    if step and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("--step needs a terminal; without it everything is printed at once")
    (replaying.step if step else replaying.replay)(file)
