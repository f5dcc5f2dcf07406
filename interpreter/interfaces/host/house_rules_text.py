"""Games that are made of a shipped ruleset and of house rules that somebody has written into the page.

The texts are put into files of the current folder, so that they are read like any other file of a stranger: it is that
of a process of its own. Where there are none, as for all games that the server itself makes, no file is touched.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from interpreter.api.options import OptionError
from interpreter.base.diagnostics import Diagnostic, RulesetError
from interpreter.interfaces.host import table_events as e

if TYPE_CHECKING:
    from interpreter.api.game import Game, Ruleset

LONGEST_OPTIONS = 100_000
"""Letters of what a game is set to, which stands in the first line of its record beside what chance has drawn."""
LARGEST_TEXT = 128 * 1024
"""Letters of one file of house rules."""
MOST_TEXTS = 8
WIDTH = 76


class Finding(Struct, omit_defaults=True):
    """A diagnostic. file: which of the texts, from 0; None for another file."""

    severity: str
    code: str
    message: str
    line: int | None = None
    column: int | None = None
    hint: str = ""
    file: int | None = None


class Checked(Struct, omit_defaults=True):
    """What can be said of house rules. difference: in words, from the game without them; "" where something is wrong.
    form: what can be chosen of the game with them, as `catalogue_of_games.form_of` says it."""

    findings: list[Finding]
    difference: str = ""
    form: dict[str, Any] | None = None


class WrongGame(Exception):
    """A game cannot be made. field: the option that is wrong, or "". found: what is wrong with house rules."""

    def __init__(self, text: str, field: str = "", found: list[Finding] | None = None) -> None:
        self.field, self.found = field, found or []
        super().__init__(text)


class NoRoom(WrongGame):
    """Nothing is wrong with a game, but it cannot be played before others have ended."""


def ruleset_of(spec: e.GameSpec) -> Ruleset:
    """The ruleset that is asked for, with its house rules. Raises WrongGame."""
    from interpreter.api.game import load

    source, overlays = _files(spec)
    try:
        return load(source, overlays)
    except RulesetError as error:
        raise WrongGame("The house rules have mistakes.", found=findings(error.diagnostics)) from None


def game_of(spec: e.GameSpec) -> Game:
    """The game that is asked for. Raises WrongGame."""
    ruleset = ruleset_of(spec)
    try:
        game = ruleset.game(spec.players, spec.options, spec.variants, "honor" if spec.honor else "strict")
    except OptionError as error:
        told = str(error)
        about = [path[1] for path in error.about if path[0] == "options"]
        named = next((name for name in [*spec.options, *about] if name in about or f"option '{name}'" in told), "")
        field = "players" if told.startswith("players:") else named
        raise WrongGame(told, field) from None
    except RulesetError as error:
        raise WrongGame("The house rules have mistakes.", found=findings(error.diagnostics)) from None
    if len(json.dumps(game.header())) > LONGEST_OPTIONS:
        raise WrongGame("These house rules have so many options that no record of a match could hold them.")
    return game


def game_to_open(spec: e.GameSpec) -> Game:
    """The game of a table that is to be opened. Raises WrongGame."""
    game = game_of(spec)
    refuse_unkept(game)
    return game


def refuse_unkept(game: Game) -> None:
    """Raise WrongGame where a match could begin of which no record could be read again."""
    from interpreter.api.record import unkept

    if problem := unkept(game):
        raise WrongGame(problem)


def check(spec: e.GameSpec) -> Checked:
    """Everything that can be said of house rules. Raises WrongGame where there is no such game."""
    from interpreter.api.validation import validate
    from interpreter.interfaces.host.catalogue_of_games import form_of

    source, overlays = _files(spec)
    found = validate(source, overlays)
    if any(diagnostic.severity == "error" for diagnostic in found):
        return Checked(findings(found))
    ruleset = ruleset_of(spec)
    difference = _difference(spec, ruleset) if spec.source else ""
    return Checked(findings(found), difference, form_of(ruleset))


def _difference(spec: e.GameSpec, ruleset: Ruleset) -> str:
    from interpreter.api.game import load
    from interpreter.rulebook.chapters import book
    from interpreter.rulebook.grouping import grouped, text
    from interpreter.rulebook.lengths import TooLong

    try:
        changed = ruleset.game()
        base = load(spec.source)
        players = changed.players if changed.players in base.players.counts else None
        groups = grouped(book(base.game(players)), book(changed))
        return text(groups, WIDTH) if groups else "They say the same."
    except (TooLong, OptionError) as error:
        return str(error)


def _files(spec: e.GameSpec) -> tuple[str, list[str]]:
    """The ruleset and what is laid on it, as they are loaded. Raises WrongGame."""
    from interpreter.language.overlay import shipped

    texts = spec.overlays
    if len(texts) > MOST_TEXTS or any(len(text) > LARGEST_TEXT for text in texts):
        raise WrongGame(f"House rules are at most {MOST_TEXTS} files of {LARGEST_TEXT // 1024} KB.")
    files = []
    for number in range(len(texts), MOST_TEXTS) if texts else ():  # of somebody who asked before
        Path(name_of(number)).unlink(missing_ok=True)
    for number, text in enumerate(texts):
        Path(name_of(number)).write_text(text, "utf-8", errors="replace")
        files.append(f"./{name_of(number)}")
    if spec.source:
        if spec.source not in shipped():
            raise WrongGame(f"There is no game '{spec.source}'.")
        return spec.source, files
    if not files:
        raise WrongGame("There is no game without a ruleset.")
    return files[0], files[1:]


def name_of(number: int) -> str:
    """What a text is called as a file."""
    return f"house-rules-{number + 1}.yaml"


def findings(diagnostics: list[Diagnostic] | tuple[Diagnostic, ...]) -> list[Finding]:
    numbers = {name_of(number): number for number in range(MOST_TEXTS)}
    return [
        Finding(d.severity, d.code, d.message, d.line, d.column, d.hint or "", numbers.get(Path(d.file or "").name))
        for d in diagnostics
    ]
