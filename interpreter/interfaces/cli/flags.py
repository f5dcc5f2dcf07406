"""Flags that several commands share, and what they give: a ruleset with overlays, a game, how bots play."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from interpreter.interfaces.cli import completing
from interpreter.interfaces.cli.output import rendered, say

if TYPE_CHECKING:
    from interpreter.api.game import Game, Ruleset
    from interpreter.players.honor_bot import Manners
    from interpreter.players.realtime import Speed

Command = TypeVar("Command", bound=Callable[..., Any])
MOST_MATCHES = 1_000_000_000
"""Matches that can be asked for: more would never be played, and from some number on not even be counted."""


class Wrong(Exception):
    """The ruleset or the game is wrong; the message has been made for people. Ends the program with 1."""


# ---- the flags -----------------------------------------------------------------------------------------


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
                shell_complete=completing.options,
            ),
            click.option(
                "-v",
                "--variant",
                "variants",
                multiple=True,
                metavar="NAME",
                help="Use a variant.",
                shell_complete=completing.variants,
            ),
            with_flag,
            click.option("--honor", is_flag=True, help="Play on honour: rules can be broken, and breaches claimed."),
        )
    ):
        command = flag(command)
    return command


def with_flag(command: Command) -> Command:
    return click.option(
        "--with",
        "overlays",
        multiple=True,
        metavar="OVERLAY",
        help="Lay an overlay on the ruleset.",
        shell_complete=completing.files,
    )(command)


class Chance(click.FloatRange):
    """A number from 0 to 1, as which click takes `nan`, too."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if found != found:
            self.fail(f"{value} is no number from 0 to 1.", param, ctx)
        return found


def manners_flags(command: Command) -> Command:
    """How bots play on honour."""
    told = {
        "forgets": "how often bots forget what must be said, or a law (0 to 1).",
        "notices": "how often bots claim a fault that they can see (0 to 1).",
        "bluffs": "how often bots claim without a reason (0 to 1).",
    }
    for name, words in reversed(told.items()):
        command = click.option(f"--{name}", type=Chance(0, 1), metavar="CHANCE", help=f"On honour: {words}")(command)
    return command


def skill_flag(default: str | None) -> Callable[[Command], Command]:
    """How bots choose. default: None leaves it to the command."""
    return click.option(
        "--skill",
        type=click.Choice(["easy", "medium", "hard", "random", "thinking"]),
        default=default,
        callback=_skill,
        metavar="[easy|medium|hard]",
        help="How bots choose: easy ones make any move, the others what turns out well when they try it out; "
        f"{default or 'medium'} unless you say otherwise. 'random' is easy, 'thinking' is hard.",
    )


def _skill(context: click.Context, parameter: click.Parameter, chosen: str | None) -> str | None:
    """What easy was called before there were levels is what it is called in figures and records."""
    return "random" if chosen == "easy" else chosen


def workers_flag(command: Command) -> Command:
    """How many processes play."""
    return click.option(
        "--workers", type=click.IntRange(1), metavar="N", help="How many processes play; else one for each core."
    )(command)


# ---- what they give ------------------------------------------------------------------------------------


def load_with(source: str, overlays: tuple[str, ...]) -> Ruleset:
    """A ruleset with its overlays; warnings go to standard error, errors end the program."""
    from interpreter.api.game import load
    from interpreter.base.diagnostics import RulesetError

    try:
        ruleset = load(source, overlays)
    except RulesetError as error:
        raise Wrong(rendered(error.diagnostics)) from None
    told = [found for found in ruleset.warnings if found.code != "W309"]  # which is about words, and for the author
    if overlays and told:
        say(rendered(told), err=True)
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
            why = next((d.message for d in report.diagnostics if d.code == "E110"), "")
            why = why or "write NAME=VALUE, such as -o target=50 or -o 'names=[a, b]'"
            raise click.UsageError(f"-o {text}: {why}")
        found[name.strip()] = to_plain(node)
    return found


def speeds_of(text: str | None, players: int, who: str = "players") -> list[Speed]:
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


def levels_of(text: str | None, players: int) -> tuple[str, ...]:
    """The level of each seat, or none where nobody says. Raises UsageError."""
    from interpreter.base.diagnostics import suggest
    from interpreter.players.monte_carlo import SKILLS

    found = tuple(part.strip() for part in text.split(",")) if text is not None else ()
    for level in found:
        if level not in SKILLS:
            raise click.UsageError(f"--seats: no level is called '{level}'; {suggest(level, SKILLS, 'levels')}")
    if found and len(found) != players:
        raise click.UsageError(f"--seats lists {len(found)} levels, and {players} play")
    return tuple("random" if level == "easy" else level for level in found)


def thinks(levels: str | tuple[str, ...]) -> bool:
    """Whether somebody takes a while to think."""
    return any(level not in ("easy", "random") for level in ([levels] if isinstance(levels, str) else levels))


def cores() -> int:
    """How many processes can work at a time."""
    import os

    return os.cpu_count() or 1


def needs(module: str, what: str, extra: str) -> None:
    """What is asked for needs something that an extra brings. Raises UsageError where it is not there."""
    from importlib.util import find_spec

    if find_spec(module) is None:
        hint = f"pip install 'houserules[{extra}]'"
        raise click.UsageError(f"{what} needs {module}, which the extra '{extra}' brings: {hint}")


def on_honour_only(manners: Manners, flags: dict[str, Any]) -> None:
    if manners and not flags["honor"]:
        raise click.UsageError("--forgets, --notices and --bluffs are for play on honour; add --honor")
