"""One match at the terminal: the commands `play` and `replay`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interpreter.base.signs import on_one_line, shortened, unseen_in
from interpreter.interfaces.cli.commands import cli
from interpreter.interfaces.cli.flags import (
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
    from interpreter.api.ruleset import Ruleset
    from interpreter.api.state import State

LONGEST_NAME = 20
NO_NAMES = frozenset({"everybody", "nobody", "table", "they", "you"})
"""Words that would be read for somebody else."""


@cli.command()
@click.argument("source", metavar="[GAME]", required=False)
@game_flags
@click.option("--seed", type=int, help="Where chance begins; the same seed deals the same cards.")
@click.option("--bots", metavar="all|N", help="How many bots play, or that only bots do.")
@skill_flag
@manners_flags
@click.option("--humans", type=click.IntRange(1), metavar="N", help="How many people play at this terminal (1).")
@click.option(
    "--record", "record_to", type=click.Path(path_type=Path), metavar="FILE", help="Record the match in a new file."
)
@click.option("--resume", type=click.Path(path_type=Path), metavar="FILE", help="Go on with a recorded match.")
@click.option(
    "--name", "names", multiple=True, metavar="NAME", help="What people and bots are called, from the first seat on."
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
    skill: str,
    humans: int | None,
    record_to: Path | None,
    resume: Path | None,
    names: tuple[str, ...],
    verbose: bool,
    full_screen: bool,
    speeds: str | None,
    forgets: float | None,
    notices: float | None,
    bluffs: float | None,
    **flags: Any,
) -> None:
    """Play at the terminal. Type ? for help, rules for the rules, quit to leave.

    With --full-screen the table is laid out and redrawn as the bots move, and each card and pile has a key. It is made
    for races, in which everybody moves at once, and plays other games too. It needs Textual, which comes with the
    extra 'tui'. ? shows all keys, Esc stops the time, Ctrl+Q leaves. Bots react in 1200/300 milliseconds unless
    --speeds says otherwise; SPREAD is within which two in three reactions lie.

    On honour bots forget something one time in ten and notice every other fault that they can see, unless --forgets,
    --notices or --bluffs is given.
    """
    from interpreter.api.record import unkept, unnamed
    from interpreter.interfaces import terminal
    from interpreter.players.honor_bot import USUAL, Manners

    called = _called(names)
    given = (forgets, notices, bluffs)
    manners = USUAL if given == (None, None, None) else Manners(*(chance or 0 for chance in given))
    people = _people(bots, humans, flags)
    if full_screen:
        _can_fill_the_screen(people, flags["honor"])
    elif speeds is not None:
        raise click.UsageError("--speeds is for play on the whole screen; add --full-screen")
    if resume is not None:
        if any(flags.values()) or seed is not None:
            raise click.UsageError("with --resume the record says which game it is; leave out its settings")
        counted = people if bots is not None or humans is not None else None
        ruleset = None if source is None else load_with(source, ())
        if ruleset is not None and record_to is not None:
            _refuse_unkept(unnamed(ruleset))
        if full_screen:
            _resume_on_full_screen(resume, ruleset, counted, record_to, skill, speeds)
            return
        terminal.resume(resume, ruleset, counted, record_to, skill, manners, called, verbose)
        return
    if source is None:
        source = _chosen()
    if record_to is not None and record_to.exists():
        raise click.UsageError(f"there is a file '{record_to}' already; go on with it by --resume, or name another")
    if any(given):
        on_honour_only(manners, flags)
    game = make_game(source, **flags)
    if people > game.players:
        raise click.UsageError(f"there are {people} people, and {game.players} play")
    if record_to is not None:
        _refuse_unkept(unkept(game))
    if full_screen:
        _play_on_full_screen(game.start(seed=seed), people, record_to, skill, speeds)
        return
    if len(called) > game.players:
        raise click.UsageError(f"there are {len(called)} names, and {game.players} play")
    terminal.play(game, seed, people, record_to, skill, manners, called, verbose)


def _called(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of people, each once. Raises UsageError."""
    for name in names:
        if unseen_in(name) or not name.strip() or len(name) > LONGEST_NAME or not name[0].isalpha():
            message = f"a name has 1 to {LONGEST_NAME} signs that can be seen, and begins with a letter"
            raise click.UsageError(f"'{on_one_line(shortened(name))}' is no name: {message}")
        if re.fullmatch("[PpTt][0-9]+", name) or name.casefold() in NO_NAMES:
            raise click.UsageError(f"'{name}' is what the program calls somebody; take another name")
    if len({name.casefold() for name in names}) < len(names):
        raise click.UsageError("everybody has a name of their own")
    return names


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


def _people(bots: str | None, humans: int | None, flags: dict[str, Any]) -> int:
    """How many people sit at the terminal; `players` follows where only people and bots were counted."""
    if bots is not None and bots.lower() == "all":
        if humans:
            raise click.UsageError("--bots all leaves no place for --humans")
        return 0
    people = 1 if humans is None else humans
    if bots is not None:
        if not bots.isdigit():
            raise click.UsageError(f"--bots is 'all' or a number, not '{bots}'")
        wanted = people + int(bots)
        if flags["players"] not in (None, wanted):
            raise click.UsageError(f"{people} at the terminal and {bots} bots are not {flags['players']} players")
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


def _play_on_full_screen(state: State, people: int, record_to: Path | None, skill: str, speeds: str | None) -> None:
    """A match from the position in which it is; what is already made of it goes into the record too."""
    from interpreter.api.record import RecordFile
    from interpreter.interfaces import fullscreen

    bots = state.game.players - people
    paces = speeds_of(speeds, bots, "bots") or [fullscreen.SPEED] * bots
    kept = None if record_to is None else RecordFile(record_to, state, people=people)
    fullscreen.play(state, people, skill, paces, kept, record_to)


def _resume_on_full_screen(
    path: Path, ruleset: Ruleset | None, people: int | None, record_to: Path | None, skill: str, speeds: str | None
) -> None:
    """Go on with a recorded match; what follows goes into the same file, or all of it into another."""
    from interpreter.api import record
    from interpreter.interfaces import fullscreen

    resumed = record.go_on(path, ruleset, keep=record_to is None)
    state = resumed.state
    for remark in resumed.told:
        say(remark, err=True)
    people = resumed.record.people if people is None else people
    people = min(1 if people is None else people, 1)
    _can_fill_the_screen(people, state.game.program.honor)
    if record_to is not None:
        _play_on_full_screen(state, people, record_to, skill, speeds)
        return
    bots = state.game.players - people
    paces = speeds_of(speeds, bots, "bots") or [fullscreen.SPEED] * bots
    fullscreen.play(state, people, skill, paces, resumed.kept, path)


@cli.command(short_help="Play a record again.")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
def replay(file: Path) -> None:
    """Play a record again: what happened, and how it stands at its end."""
    from interpreter.interfaces import terminal

    terminal.replay(file)
