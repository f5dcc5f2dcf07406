"""Weighing a house rule: the command `compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from interpreter.interfaces.cli import completing
from interpreter.interfaces.cli.commands import cli
from interpreter.interfaces.cli.flags import (
    MOST_MATCHES,
    cores,
    game_flags,
    load_with,
    make_game,
    needs,
    thinks,
    workers_flag,
)
from interpreter.interfaces.cli.output import say
from interpreter.interfaces.cli.progress import progress

if TYPE_CHECKING:
    from interpreter.api.game import Game

GAMES, GAMES_OF_THINKERS = 1_000, 100
"""How many matches of each game are played if nobody says."""
MOST_SIDES = 12
"""Games in one comparison."""


@cli.command(short_help="What a house rule does: play two games from the same seeds.")
@click.argument("one", metavar="A", shell_complete=completing.games)
@click.argument("other", metavar="[B]", required=False, shell_complete=completing.games)
@game_flags
@click.option(
    "--games",
    type=click.IntRange(2, MOST_MATCHES),
    metavar="N",
    help=f"How many matches of each; {GAMES_OF_THINKERS} unless you say otherwise, and {GAMES} of easy bots.",
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=10_000,
    show_default=True,
    help="Stop each match after so many decisions.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Where chance begins, in both games.")
@click.option(
    "--level", type=click.Choice(["easy", "medium", "hard"]), default="medium", show_default=True, help="Who plays."
)
@workers_flag
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Write a page with charts; needs the extra 'charts'.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def compare(
    one: str,
    other: str | None,
    games: int | None,
    limit: int,
    seed: int,
    level: str,
    workers: int | None,
    html: str | None,
    as_json: bool,
    **flags: Any,
) -> None:
    """Say what playing B instead of A changes: how long matches are, who wins, the scores.

    Options, variants and overlays are those of B, and B is A unless you name another game: `compare hearts -o
    target=50`. An option with several values, `-o target=50,75,100`, is tried with each, and the first one is what the
    others are compared with. Match by match all games begin with the same seed. Behind each difference stands where it
    lies; all of these hold at once in 95 of 100 comparisons, and what may be chance is called so.
    """
    import json
    from pathlib import Path

    from interpreter.analysis import comparison
    from interpreter.analysis.plan import Plan, Players

    if html is not None:
        needs("matplotlib", "--html", "charts")
    who = Players("random" if level == "easy" else level)
    sides = [(label, Plan(game, seed, None, limit, who), value) for label, game, value in _sides(one, other, flags)]
    games = games or (GAMES_OF_THINKERS if thinks(who.skill) else GAMES)
    with progress("games") as tell:
        found = comparison.compare(sides, games, workers or cores(), lambda done, label: tell(done, games, label))
    say(json.dumps(comparison.as_json(found)) if as_json else comparison.told(found, level))
    if html is not None:
        from interpreter.base.whole_files import write_whole
        from interpreter.interfaces import charts

        write_whole(Path(html), charts.page(found, level))


def _sides(one: str, other: str | None, flags: dict[str, Any]) -> list[tuple[str, Game, Any]]:
    """The games that are compared: label, game, and the value of a swept option. Raises UsageError."""
    from interpreter.api.options import OptionError

    swept = [text for text in flags["options"] if len(_values(text)) > 1]
    if len(swept) > 1:
        raise click.UsageError("one option at a time can have several values")
    if swept and other is not None:
        raise click.UsageError("name one game whose option has several values, not two")
    if swept:
        return _swept(one, swept[0], flags)
    changed = make_game(other or one, **flags)
    base = load_with(one, ())
    alone = base.files == changed.ruleset.files and not (flags["options"] or flags["variants"])
    if alone:
        raise click.UsageError("name a second game, or say what is to change: -o, -v, or --with")
    players = changed.players if flags["players"] or changed.players in base.players.counts else None
    try:
        old = base.game(players, enforcement=changed.enforcement)
    except OptionError as error:
        raise click.UsageError(f"{one}: {error}") from None
    changes = ", ".join([*flags["options"], *flags["variants"], *flags["overlays"]])
    label = f"{changed.ruleset.id} with {changes}" if changes else changed.ruleset.id
    if label == base.id:  # another file that calls itself so, too
        label = str(other)
    return [(base.id, old, None), (label, changed, None)]


def _swept(source: str, swept: str, flags: dict[str, Any]) -> list[tuple[str, Game, Any]]:
    name, values = swept.partition("=")[0].strip(), _values(swept)
    if len(values) > MOST_SIDES:
        raise click.UsageError(f"-o {name} lists {len(values)} values, and {MOST_SIDES} can be compared")
    found = []
    for value in dict.fromkeys(values):
        options = tuple(f"{name}={value}" if text == swept else text for text in flags["options"])
        game = make_game(source, **{**flags, "options": options})
        found.append((f"{game.ruleset.id} with {name}={value}", game, game.options.get(name)))
    if len(found) < 2:
        raise click.UsageError(f"-o {name} lists the same value several times")
    return found


def _values(text: str) -> list[str]:
    """The values of NAME=VALUE,VALUE: one alone if it is a list or a text in quotes, which may hold a comma."""
    value = text.partition("=")[2].strip()
    return [value] if value[:1] in tuple("[{'\"") and value else [part.strip() for part in value.split(",")]
