"""What a shell may complete: games, their options and variants; and the script that tells it so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from interpreter.interfaces.cli.commands import cli
from interpreter.interfaces.cli.output import say

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from interpreter.api.game import Ruleset

ASKED = "_HOUSERULES_COMPLETE"
"""The variable that is set when a shell asks."""
SHELLS = ("bash", "zsh", "fish")
_PLAIN = re.compile(r"[\w.+-]+")
"""What a shell reads as it stands. It takes what it is given as if somebody had typed it, so that of the words of a
ruleset no others are given."""


@cli.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the script with which a shell completes commands, games, options and variants.

    \b
    bash: houserules completion bash > ~/.local/share/bash-completion/completions/houserules
    zsh:  houserules completion zsh > "${fpath[1]}/_houserules"
    fish: houserules completion fish > ~/.config/fish/completions/houserules.fish

    The folder must be there; the shells that are opened afterwards complete.
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    say(found(cli, {}, "houserules", ASKED).source())


def read_bash() -> None:
    """Have words joined that bash parts at `=`."""
    from click.shell_completion import BashComplete, add_completion_class

    class Bash(BashComplete):
        """Gives back what is to stand behind the last `=`, as bash wants it."""

        before = ""

        def get_completion_args(self) -> tuple[list[str], str]:
            args, begun = super().get_completion_args()
            if begun == "=":  # bash takes the sign for the word that is begun
                args, begun = [*args, "="], ""
            if args[-1:] == ["="]:
                self.before = f"{args[-2]}=" if len(args) > 1 else "="
            *whole, begun = _joined([*args, begun])
            return whole, begun

        def format_completion(self, item: CompletionItem) -> str:
            return f"{item.type},{item.value.removeprefix(self.before)}"

    add_completion_class(Bash)


def _joined(words: list[str]) -> list[str]:
    """Words with those put together between which a `=` stands."""
    found: list[str] = []
    joins = False
    for word in words:
        if found and (joins or word == "="):
            found[-1] += word
        else:
            found.append(word)
        joins = word == "="
    return found


def games(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Shipped games by id, and files."""
    from interpreter.language.overlay import shipped

    if "/" in begun or begun.startswith("."):
        return files(context, parameter, begun)
    return [_item(name) for name in sorted(shipped()) if name.startswith(begun)]


def files(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Whatever files the shell finds."""
    return [_item(begun, type="file")]


def _item(value: str, help: str = "", type: str = "plain") -> CompletionItem:
    from click.shell_completion import CompletionItem

    return CompletionItem(value, type, " ".join(help.split()))


def options(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The options of the game that stands before them; behind `=` the values that can be counted up."""
    ruleset = _ruleset(context)
    if ruleset is None:
        return []
    name, sign, value = begun.partition("=")
    if not sign:
        found = ruleset.options.items()
        return [_item(f"{name}=", help=option.doc) for name, option in found if name.startswith(begun)]
    option = ruleset.options.get(name)
    values = [] if option is None else ["true", "false"] if option.type == "flag" else list(option.choices or ())
    told = [each for each in map(str, values) if each.startswith(value) and _PLAIN.fullmatch(each)]
    return [_item(f"{name}={each}") for each in told]


def variants(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The variants of the game that stands before them."""
    ruleset = _ruleset(context)
    found = {} if ruleset is None else ruleset.variants
    return [_item(name, help=variant.doc) for name, variant in found.items() if name.startswith(begun)]


def _ruleset(context: click.Context) -> Ruleset | None:
    """The ruleset of a command that is not complete yet; None where there is none, or none that is right."""
    from interpreter.api.game import load
    from interpreter.base.diagnostics import RulesetError

    given = context.params
    source = given.get("source") or given.get("other") or next(iter(reversed(context.args)), None)  # cut short at -o
    try:
        return load(source, given.get("overlays") or ()) if source else None
    except (RulesetError, OSError, ValueError):
        return None
