"""The commands by name, each in the module of its group, which is read when one of them is asked for."""

from __future__ import annotations

from importlib import import_module

import click

from interpreter.interfaces.cli.output import say

GROUPS = {
    "describing": ("list", "show", "explain", "diff"),
    "play": ("play", "replay"),
    "authoring": ("new", "validate", "compile", "schema"),
    "proving": ("test",),
    "analysing": ("simulate", "check"),
    "weighing": ("compare",),
    "hosting": ("host",),
    "completing": ("completion",),
}
"""Which module of this folder holds which commands: `--version` reads none of them."""


class Commands(click.Group):
    """A group whose commands are found in `GROUPS`; all are read only to list them, or to suggest one."""

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        groups = [group for group, names in GROUPS.items() if name in names] or GROUPS
        for group in groups:
            import_module(f"interpreter.interfaces.cli.{group}")
        return super().get_command(context, name)

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted(name for names in GROUPS.values() for name in names)


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from interpreter.base.version import version

        say(f"houserules {version()}")
        context.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print the version."
)
def cli() -> None:
    """Card games from rulesets in YAML.

    GAME is the id of a shipped ruleset, or a path: it has a slash or ends in .yaml.

    It ends with 0 if all is well, 1 if a ruleset, a scenario, a record or a match is wrong, 2 if the command is.
    """
