"""The command line: reads arguments, calls the stages, prints.

Exit codes: 0 all is well, 1 the ruleset or the game is wrong, 2 wrong usage. Every command imports what it needs
when it runs, so that the quick ones stay quick.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from interpreter.base.signs import visible

if TYPE_CHECKING:
    from interpreter.api.game import Game
    from interpreter.api.ruleset import Ruleset
    from interpreter.api.state import State
    from interpreter.base.diagnostics import Diagnostic
    from interpreter.players.honor_bot import Manners
    from interpreter.players.realtime import Speed

Command = TypeVar("Command", bound=Callable[..., Any])


class Wrong(Exception):
    """The ruleset or the game is wrong; the message has been made for people. Ends the program with 1."""


def say(text: str, err: bool = False, nl: bool = True) -> None:
    """Print a text. Whatever it quotes, it does not steer the terminal."""
    click.echo(visible(text), err=err, nl=nl)


# ---- arguments that several commands share -----------------------------------------------------------


def game_flags(command: Command) -> Command:
    """What fixes a game besides its ruleset."""
    for flag in reversed(
        (
            click.option("-p", "--players", type=click.IntRange(1), metavar="N", help="How many play."),
            click.option(
                "-o",
                "--option",
                "options",
                multiple=True,
                metavar="NAME=VALUE",
                help="Set an option; the value in YAML.",
            ),
            click.option("-v", "--variant", "variants", multiple=True, metavar="NAME", help="Use a variant."),
            with_flag,
            click.option("--honor", is_flag=True, help="Play on honour: rules can be broken, and breaches claimed."),
        )
    ):
        command = flag(command)
    return command


def with_flag(command: Command) -> Command:
    return click.option("--with", "overlays", multiple=True, metavar="OVERLAY", help="Lay an overlay on the ruleset.")(
        command
    )


def load_with(source: str, overlays: tuple[str, ...]) -> Ruleset:
    """A ruleset with its overlays; warnings go to standard error, errors end the program."""
    from interpreter.api.ruleset import load
    from interpreter.base.diagnostics import RulesetError

    try:
        ruleset = load(source, overlays)
    except RulesetError as error:
        raise Wrong(rendered(error.diagnostics)) from None
    if overlays and ruleset.warnings:
        say(rendered(list(ruleset.warnings)), err=True)
    return ruleset


def make_game(
    source: str,
    players: int | None,
    options: tuple[str, ...],
    variants: tuple[str, ...],
    overlays: tuple[str, ...],
    honor: bool,
) -> Game:
    from interpreter.api.options import OptionError

    ruleset = load_with(source, overlays)
    try:
        return ruleset.game(players, option_values(options), variants, "honor" if honor else "strict")
    except OptionError as error:
        raise click.UsageError(str(error)) from None


def option_values(given: tuple[str, ...]) -> dict[str, Any]:
    """`name=value` as values, read as YAML is read in rulesets. Raises UsageError."""
    from interpreter.base.diagnostics import Report
    from interpreter.language.source import parse_text, to_plain

    found = {}
    for text in given:
        name, sign, value = text.partition("=")
        report = Report()
        node = parse_text(value, f"-o {name}", report) if sign and name and value.strip() else None
        if node is None or report.failed:
            raise click.UsageError(f"-o {text}: write NAME=VALUE, such as -o target=50 or -o 'names=[a, b]'")
        found[name.strip()] = to_plain(node)
    return found


def rendered(diagnostics: list[Diagnostic]) -> str:
    """Findings as people read them, with the lines of their files."""
    from interpreter.base.diagnostics import render

    texts: dict[str, str | None] = {}
    for found in diagnostics:
        if found.line is not None and found.file not in texts:  # without a place it could not be read, or never ends
            try:
                texts[found.file] = Path(found.file).read_text("utf-8-sig", "replace")
            except (OSError, ValueError):
                texts[found.file] = None
    return "\n".join(render(found, texts.get(found.file)) for found in diagnostics)


# ---- commands -----------------------------------------------------------------------------------------


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("houserules")
        except PackageNotFoundError:  # run from a checkout that is not installed
            found = "(not installed)"
        say(f"houserules {found}")
        context.exit()


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print the version."
)
def cli() -> None:
    """Card games from rulesets in YAML.

    GAME is the id of a shipped ruleset, or a path: it has a slash or ends in .yaml.

    It ends with 0 if all is well, 1 if a ruleset, a scenario, a record or a match is wrong, 2 if the command is.
    """


def manners_flags(command: Command) -> Command:
    """How bots play on honour."""
    told = {
        "forgets": "how often bots forget what must be said, or a law (0 to 1).",
        "notices": "how often bots claim a fault that they can see (0 to 1).",
        "bluffs": "how often bots claim without a reason (0 to 1).",
    }
    for name, words in reversed(told.items()):
        command = click.option(f"--{name}", type=click.FloatRange(0, 1), metavar="CHANCE", help=f"On honour: {words}")(
            command
        )
    return command


skill_flag = click.option(
    "--skill",
    type=click.Choice(["random", "thinking"]),
    default="random",
    show_default=True,
    help="How bots choose: any move, or what turns out best when they try it out (slower).",
)


@cli.command("list")
def list_rulesets() -> None:
    """List the rulesets that come with the program."""
    from interpreter.interfaces.catalogue import entries

    found = entries()
    width = max((len(entry.id) for entry in found), default=0)
    names = max((len(entry.name) for entry in found), default=0)
    for entry in found:
        low, high = entry.players or (0, 0)
        players = "" if not high else f"{low} players" if low == high else f"{low} to {high} players"
        say(f"{entry.id:<{width}}  {entry.name:<{names}}  {players}".rstrip())


@cli.command()
@click.argument("source", metavar="GAME")
@with_flag
def show(source: str, overlays: tuple[str, ...]) -> None:
    """Show what a ruleset is, for how many, and what can be chosen."""
    from interpreter.rulebook.overview import overview

    say(overview(load_with(source, overlays)), nl=False)


@cli.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@with_flag
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print what is found."
)
def validate(files: tuple[str, ...], overlays: tuple[str, ...], form: str) -> None:
    """Say what is wrong with ruleset files, and where; overlays are laid on each of them in their order."""
    import json

    from interpreter.api.validation import validate as check

    found = [d for file in files for d in check(file, overlays)]
    failed = any(d.severity == "error" for d in found)
    if form == "json":
        say(json.dumps([d.to_json() for d in found], indent=2))
    else:
        if found:
            say(rendered(found))
        errors = sum(d.severity == "error" for d in found)
        warnings = len(found) - errors
        told = f"{_count(len(files), 'file')}: {_count(errors, 'error')}, {_count(warnings, 'warning')}"
        say(told if found else f"{_count(len(files), 'file')}: no faults")
    if failed:
        sys.exit(1)


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
        terminal.resume(resume, ruleset, counted, record_to, skill, manners)
        return
    if source is None:
        raise click.UsageError("say which ruleset to play, such as one that 'houserules list' names")
    if record_to is not None and record_to.exists():
        raise click.UsageError(f"there is a file '{record_to}' already; go on with it by --resume, or name another")
    if any(given):
        _on_honour_only(manners, flags)
    game = make_game(source, **flags)
    if people > game.players:
        raise click.UsageError(f"there are {people} people, and {game.players} play")
    if record_to is not None:
        _refuse_unkept(unkept(game))
    if full_screen:
        _play_on_full_screen(game.start(seed=seed), people, record_to, skill, speeds)
        return
    terminal.play(game, seed, people, record_to, skill, manners)


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
    paces = _speeds(speeds, bots, "bots") or [fullscreen.SPEED] * bots
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
    paces = _speeds(speeds, bots, "bots") or [fullscreen.SPEED] * bots
    fullscreen.play(state, people, skill, paces, resumed.kept, path)


def _on_honour_only(manners: Manners, flags: dict[str, Any]) -> None:
    if manners and not flags["honor"]:
        raise click.UsageError("--forgets, --notices and --bluffs are for play on honour; add --honor")


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


@cli.command()
@click.argument("source", metavar="GAME")
@game_flags
@click.option("--games", type=click.IntRange(1), required=True, metavar="N", help="How many matches.")
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
@skill_flag
@click.option(
    "--speeds",
    metavar="MS[/SPREAD],...",
    help="Play in real time: how fast everybody reacts, in milliseconds, or each player, such as 300,450/60.",
)
@manners_flags
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(
    source: str,
    games: int,
    deals: int | None,
    limit: int,
    seconds: int | None,
    seed: int,
    skill: str,
    speeds: str | None,
    forgets: float | None,
    notices: float | None,
    bluffs: float | None,
    as_json: bool,
    **flags: Any,
) -> None:
    """Play many matches between bots and say how they went.

    Random players don't strive for the end of a match, and in some games they hardly reach it. Those of --skill
    thinking do, but a match takes them a second or more. --deals, --limit and --seconds keep it short; a match that
    was cut counts as unfinished. Ctrl-C shows what has been played so far.

    With --speeds players take their time: they look, react and move while the others do the same, and who comes too
    late must take the card back. SPREAD is within which two in three reactions lie; 0 for always the same.
    """
    import json

    from interpreter.analysis import simulation
    from interpreter.players.honor_bot import Manners

    manners = Manners(forgets or 0, notices or 0, bluffs or 0)
    _on_honour_only(manners, flags)
    game = make_game(source, **flags)
    timed = _speeds(speeds, game.players)
    if timed and manners:
        raise click.UsageError("--speeds is for players without faults: leave out --forgets, --notices and --bluffs")
    watched = sys.stderr.isatty()

    def tell(text: str) -> None:
        click.echo(f"\r{text:<40}", nl=False, err=True)

    heard = tell if watched else lambda text: None
    who = simulation.Players(skill, manners, tuple(timed))
    course = simulation.run(game, games, seed, deals, limit, seconds, heard, who)
    if watched:
        click.echo(f"\r{'':<40}\r", nl=False, err=True)
    found = simulation.figures(game, seed, course, who)
    if as_json and course.stopped:
        say(course.stopped, err=True)
    say(json.dumps(found) if as_json else simulation.told(found, deals, limit, course.stopped), nl=True)


@cli.command(short_help="Look for dead ends and useless rules by random play.")
@click.argument("source", metavar="GAME")
@click.option(
    "--matches", type=click.IntRange(1), default=200, show_default=True, metavar="N", help="How many matches."
)
@click.option("-p", "--players", type=click.IntRange(1), metavar="N", help="How many play; else every number.")
@click.option("-o", "--option", "options", multiple=True, metavar="NAME=VALUE", help="Fix an option; else each value.")
@click.option("-v", "--variant", "variants", multiple=True, metavar="NAME", help="Use a variant in every match.")
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
    on honour. Of each decision it sees what was possible and which laws refused something. It reports matches that
    got stuck, stages without an end, cards lost, actions that were never possible, laws that were never asked or
    refused nothing, options without effect, how long matches are, and how often the first seat wins; and the command
    that shows a finding again. It ends with 1 if there is an error; warnings and notes are for you to judge.
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
        with _progress(matches) as tell:
            found = audit.run(
                ruleset, matches, seed, limit, fixed, seconds, jobs or os.cpu_count() or 1, again, tell
            )
    except OptionError as error:
        raise click.UsageError(str(error)) from None
    if as_json:
        say(json.dumps(printout.figures(found, seed, limit)))
    else:
        say(printout.told(found, limit))
    if not found.well:
        sys.exit(1)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("matches", total=total)
        yield lambda done: bar.update(task, completed=done)


def _speeds(text: str | None, players: int, who: str = "players") -> list[Speed]:
    """The speed of each player: one for all, or as many as play."""
    from interpreter.players.realtime import Speed

    if text is None:
        return []
    try:
        found = [Speed.read(part) for part in text.split(",")]
    except ValueError as error:
        raise click.UsageError(f"--speeds: {error}") from None
    if len(found) not in (1, players):
        raise click.UsageError(f"--speeds lists {len(found)} {who}, and {players} play")
    return found * players if len(found) == 1 else found


@cli.command(short_help="Play a record again.")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
def replay(file: Path) -> None:
    """Play a record again: what happened, and how it stands at its end."""
    from interpreter.interfaces import terminal

    terminal.replay(file)


@cli.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--mutate",
    is_flag=True,
    help="Change the rulesets bit by bit, and see whether the scenarios notice; fewer than 95 of 100 is a failure.",
)
@click.option("--coverage", is_flag=True, help="Say which laws, actions and rows no scenario reaches.")
@click.option("--verbose", is_flag=True, help="Name the scenarios that pass, too.")
def test(paths: tuple[Path, ...], mutate: bool, coverage: bool, verbose: bool) -> None:
    """Run the scenarios in files and folders, and of a ruleset those beside it that name it.

    Without a PATH it takes tests/scenarios, where there is such a folder, else the current folder.
    """
    from interpreter.proofs import report

    if mutate and coverage:
        raise click.UsageError("--mutate and --coverage are two questions: ask one at a time")
    if not report.prove(list(paths), mutate, verbose, say, coverage):
        sys.exit(1)


@cli.command()
@click.argument("source", metavar="GAME")
@game_flags
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "html"]),
    default="text",
    help="Text for the terminal, Markdown, or one HTML page to read on a phone or to print.",
)
def explain(source: str, form: str, **flags: Any) -> None:
    """Print the rulebook of a game in plain words, with its players and options; overlays are marked."""
    from interpreter.rulebook.comparing import marked_book

    told = marked_book(make_game(source, **flags))
    if form == "text":
        from interpreter.rulebook.terminal import text

        click.echo(text(told, styled=sys.stdout.isatty()), nl=False)
    else:
        from interpreter.rulebook import writing

        say(writing.html(told) if form == "html" else writing.markdown(told), nl=False)


@cli.command()
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@game_flags
def diff(one: str, other: str, **flags: Any) -> None:
    """Say in words how game B differs from A.

    Options, variants and overlays are those of B; A is as it is without them. The number of players and --honor hold
    for both, so that the same is compared with the same. But if A and B are one ruleset, they are those of B, too:
    `diff GAME GAME -p 5` says what is different with five players.
    """
    from interpreter.rulebook.chapters import book
    from interpreter.rulebook.differences import differences

    changed = make_game(other, **flags)
    base = load_with(one, ())
    alone = base.files == changed.ruleset.files
    fits = base.players.min <= changed.players <= base.players.max
    players = changed.players if fits and not alone else None
    lines = differences(book(base.game(players, enforcement="strict" if alone else changed.enforcement)), book(changed))
    say("\n".join(lines) if lines else "they say the same")


@cli.command(short_help="Begin house rules and a scenario that proves them.")
@click.argument("name", metavar="NAME")
@click.option("--extends", "base", required=True, metavar="GAME", help="The ruleset to change.")
def new(name: str, base: str) -> None:
    """Begin house rules: NAME.yaml, which changes GAME, and NAME-scenario.yaml, which proves it."""
    from interpreter.interfaces import authoring

    ruleset = load_with(base, ())
    try:
        overlay, scenario = authoring.begin(name, base, ruleset)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    say(f"wrote {overlay}\nwrote {scenario}")
    say(f"try: houserules validate {overlay} && houserules test {scenario}")


@cli.command("compile", short_help="Print the Python program that a game becomes.")
@click.argument("source", metavar="GAME")
@game_flags
def compile_game(source: str, **flags: Any) -> None:
    """Print the Python program that a ruleset becomes for its players and options."""
    say(make_game(source, **flags).program.text, nl=False)


@cli.command()
@click.argument("kind", type=click.Choice(["ruleset", "scenario"]), default="ruleset", required=False)
def schema(kind: str) -> None:
    """Print the JSON schema of ruleset or scenario files, for editors."""
    from interpreter.base.resources import find

    say(find(f"schema/{kind}.schema.json").read_text("utf-8"), nl=False)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


# ---- the program --------------------------------------------------------------------------------------


def main(arguments: list[str] | None = None) -> None:
    """Run the program and exit; never shows a traceback (unless HOUSERULES_DEBUG is set)."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the program and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that lacks a sign shows '?' rather than nothing
    try:
        code = cli.main(arguments, prog_name="houserules", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except click.ClickException as error:
        told = StringIO()
        error.show(told)
        say(told.getvalue(), err=True, nl=False)
        return 2
    except (click.Abort, KeyboardInterrupt):
        say("stopped", err=True)
        return 130
    except BrokenPipeError:
        # Whoever read us has enough; Python would complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        return _failed(error)


def _told(error: OSError) -> str:
    """An error of the system: what it is about, and what is wrong with it."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return "the current folder is not there any more"
    return f"{error.filename or 'a file'}: {error.strerror or error}"


def _failed(error: Exception) -> int:
    """What went wrong while a command ran, in words."""
    from interpreter.api.options import OptionError
    from interpreter.api.record import ReplayError, Unrecorded
    from interpreter.base.diagnostics import RulesetError
    from interpreter.engine.program import RuleError
    from interpreter.rulebook.book import TooLong

    if os.environ.get("HOUSERULES_DEBUG"):
        raise error
    match error:
        case Wrong() | TooLong():
            say(str(error), err=True)
        case RulesetError():
            say(rendered(error.diagnostics), err=True)
        case OptionError():  # only of what nobody has chosen: the commands tell it of what somebody has
            say(f"the default options do not fit: {error}", err=True)
        case RuleError():
            say(f"the ruleset cannot go on: {error}", err=True)
        case Unrecorded():
            say(f"the match ends here: {error}", err=True)
        case ReplayError():
            say(f"the record cannot be replayed: {error}", err=True)
        case OSError():
            say(_told(error), err=True)
        case _:
            say(f"this is a fault of houserules, please report it: {type(error).__name__}: {error}", err=True)
            say("(with HOUSERULES_DEBUG=1 it shows where it happened)", err=True)
    return 1
