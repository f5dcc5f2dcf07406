"""For who writes rulesets: the commands `new`, `validate`, `compile` and `schema`."""

from __future__ import annotations

import sys
from typing import Any

import click

from interpreter.interfaces.cli import completing
from interpreter.interfaces.cli.commands import cli
from interpreter.interfaces.cli.flags import game_flags, load_with, make_game, with_flag
from interpreter.interfaces.cli.output import count, rendered, say
from interpreter.interfaces.cli.progress import progress


@cli.command(short_help="Begin house rules and a scenario that proves them.")
@click.argument("name", metavar="NAME")
@click.option(
    "--extends", "base", required=True, metavar="GAME", help="The ruleset to change.", shell_complete=completing.games
)
def new(name: str, base: str) -> None:
    """Begin house rules: NAME.yaml, which changes GAME, and NAME-scenario.yaml, which proves it."""
    from interpreter.interfaces import house_rules

    ruleset = load_with(base, ())
    try:
        overlay, scenario = house_rules.begin(name, base, ruleset)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    say(f"wrote {overlay}\nwrote {scenario}")
    say(f"try: houserules validate {overlay} && houserules test {scenario}")


@cli.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, shell_complete=completing.files)
@with_flag
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print what is found."
)
@click.option("--words", is_flag=True, help="Print how players read of each action: who does it, who receives, others.")
def validate(files: tuple[str, ...], overlays: tuple[str, ...], form: str, words: bool) -> None:
    """Say what is wrong with ruleset files, and where; overlays are laid on each of them in their order."""
    import json

    from interpreter.api.validation import validate as check

    found = []
    with progress("files") as tell:
        for number, file in enumerate(files):
            tell(number, len(files), "")
            found += check(file, overlays)
    failed = any(d.severity == "error" for d in found)
    if form == "json":
        say(json.dumps([d.to_json() for d in found], indent=2))
    else:
        if found:
            say(rendered(found))
        if not failed:
            _hint_at_words(files, overlays)
        errors = sum(d.severity == "error" for d in found)
        warnings = len(found) - errors
        told = f"{count(len(files), 'file')}: {count(errors, 'error')}, {count(warnings, 'warning')}"
        say(told if found else f"No problems found{f' in {len(files)} files' if len(files) > 1 else ''}.")
    if failed:
        sys.exit(1)
    if words:
        _say_words(files, overlays)


def _hint_at_words(files: tuple[str, ...], overlays: tuple[str, ...]) -> None:
    """Where players would read the name of an action instead of a sentence."""
    from interpreter.api.game import load
    from interpreter.words.unspoken import unspoken

    for file in files:
        for span, hint in unspoken(load(file, overlays).model):
            say(f"{span}: hint: {hint}")


def _say_words(files: tuple[str, ...], overlays: tuple[str, ...]) -> None:
    """How each action is told in three persons."""
    from interpreter.words.samples import samples

    for file in files:
        for line in samples(load_with(file, overlays).game().start(seed=0).position):
            say(line)


@cli.command("compile", short_help="Print the Python program that a game becomes.")
@click.argument("source", metavar="GAME", shell_complete=completing.games)
@game_flags
def compile_game(source: str, **flags: Any) -> None:
    """Print the Python program that a ruleset becomes for its players and options, its tables first."""
    from interpreter.compiler import print_game

    game = make_game(source, **flags)
    say(print_game(game.ruleset.model, game.players, game.options, game.enforcement == "honor"), nl=False)


@cli.command()
@click.argument("kind", type=click.Choice(["ruleset", "scenario"]), default="ruleset", required=False)
def schema(kind: str) -> None:
    """Print the JSON schema of ruleset or scenario files, for editors."""
    from interpreter.base.resources import find

    say(find(f"schema/{kind}.schema.json").read_text("utf-8"), nl=False)
