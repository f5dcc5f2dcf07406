"""What scenarios prove: the command `test`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from interpreter.interfaces.cli.commands import cli
from interpreter.interfaces.cli.output import say
from interpreter.interfaces.cli.progress import progress


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
    with progress("changes" if mutate else "" if coverage else "scenarios") as tell:
        well = report.prove(list(paths), mutate, verbose, say, coverage, tell)
    if not well:
        sys.exit(1)
