"""What a game is: the commands `list`, `show`, `explain` and `diff`."""

from __future__ import annotations

import sys
from typing import Any

import click

from interpreter.base.english import players_told
from interpreter.interfaces.cli import completing
from interpreter.interfaces.cli.commands import cli
from interpreter.interfaces.cli.flags import game_flags, load_with, make_game, with_flag
from interpreter.interfaces.cli.output import say


@cli.command("list")
def list_rulesets() -> None:
    """List the rulesets that come with the program."""
    from interpreter.interfaces.catalogue import entries

    found = entries()
    width = max((len(entry.id) for entry in found), default=0)
    names = max((len(entry.name) for entry in found), default=0)
    for entry in found:
        told = players_told(*entry.players) if entry.players else ""
        say(f"{entry.id:<{width}}  {entry.name:<{names}}  {told}".rstrip())


@cli.command()
@click.argument("source", metavar="GAME", shell_complete=completing.games)
@with_flag
def show(source: str, overlays: tuple[str, ...]) -> None:
    """Show what a ruleset is, for how many, and what can be chosen."""
    from interpreter.rulebook.overview import overview

    say(overview(load_with(source, overlays)), nl=False)


@cli.command()
@click.argument("source", metavar="GAME", shell_complete=completing.games)
@game_flags
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "html"]),
    default="text",
    help="Text for the terminal, Markdown, or one HTML page to read on a phone or to print.",
)
@click.option("--brief", is_flag=True, help="How to play, without every rule in detail.")
def explain(source: str, form: str, brief: bool, **flags: Any) -> None:
    """Print the rulebook of a game in plain words, with its players and options; overlays are marked.

    How to play comes first, for those who learn the game, and then every rule in detail.
    """
    from interpreter.rulebook.comparing import marked_book

    told = marked_book(make_game(source, **flags))
    if form == "text":
        from interpreter.rulebook.terminal import text

        click.echo(text(told, styled=sys.stdout.isatty(), brief=brief), nl=False)
    else:
        from interpreter.rulebook import page, writing

        say(page.html(told, brief) if form == "html" else writing.markdown(told, brief), nl=False)


@cli.command()
@click.argument("one", metavar="A", shell_complete=completing.games)
@click.argument("other", metavar="B", shell_complete=completing.games)
@game_flags
def diff(one: str, other: str, **flags: Any) -> None:
    """Say in words how game B differs from A.

    Options, variants and overlays are those of B; A is as it is without them. The number of players and --honor hold
    for both, so that the same is compared with the same. But if A and B are one ruleset, they are those of B, too:
    `diff GAME GAME -p 5` says what is different with five players.
    """
    from interpreter.rulebook.chapters import book
    from interpreter.rulebook.grouping import grouped, text
    from interpreter.rulebook.terminal import WIDTH

    changed = make_game(other, **flags)
    base = load_with(one, ())
    alone = base.files == changed.ruleset.files
    fits = changed.players in base.players.counts
    players = changed.players if fits and not alone else None
    groups = grouped(book(base.game(players, enforcement="strict" if alone else changed.enforcement)), book(changed))
    say(text(groups, WIDTH) if groups else "they say the same")
