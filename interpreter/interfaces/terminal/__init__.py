"""Playing at a terminal: a match between people and bots, new or recorded before."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, cast

from rich.console import Console

from interpreter.api.record import Unrecorded
from interpreter.api.record_file import RecordFile, Resumed
from interpreter.base.english import players_told
from interpreter.engine.chance import derive
from interpreter.engine.rule_errors import RuleError
from interpreter.interfaces import saved_matches
from interpreter.interfaces.party import Party
from interpreter.interfaces.terminal.ending import Left
from interpreter.interfaces.terminal.keyboard import Keyboard, can_edit
from interpreter.interfaces.terminal.match import Table
from interpreter.interfaces.terminal.screen import Screen
from interpreter.players.monte_carlo import advice, new_bot
from interpreter.players.random_bot import RandomBot

if TYPE_CHECKING:
    from interpreter.api.game import Game, State
    from interpreter.interfaces.terminal.editor import LineEditor

__all__ = ["WIDTH", "play", "resume", "rules_told"]

WIDTH = 100
"""Letters in a line of the rules."""
COMMANDS = "Type the number of your move, or just its card. ? helps, rules shows the rules, quit leaves."
NOT_CLEARED = "This screen cannot be cleared: whoever scrolls back sees what others have seen."


def play(game: Game, seed: int | None, party: Party, record_to: Path | None) -> None:
    """A new match. seed: drawn if None. record_to: the file of its record; else it is kept where the last can go on."""
    seed = secrets.randbits(32) if seed is None else seed
    screen, keyboard = _at_terminal(game, party)
    screen.say(f"{game.ruleset.name}, {players_told(game.players)}, {game.enforcement}, seed {seed}", "bold")
    _tell_of(game, screen, party)
    state = game.start(seed=seed)
    kept, path = begin_record(state, party, record_to, screen.complain)
    _sit(state, party, screen, keyboard, kept, path)


def resume(path: Path, resumed: Resumed, party: Party, recorded: Party, record_to: Path | None) -> None:
    """Go on with a recorded match; what follows goes into the same file, or all of it into another.

    party: who goes on with it. recorded: who would if nobody had said anything else. Raises OSError and Unrecorded.
    """
    record, state, kept = resumed.record, resumed.state, resumed.kept
    game = state.game
    screen, keyboard = _at_terminal(game, party)
    if len(party.seats) > 1:
        screen.clear()  # how it was left, it may show somebody's cards
    for remark in resumed.told:
        screen.complain(remark)
    told = players_told(game.players)
    screen.say(f"{game.ruleset.name}, {told}, {game.enforcement}: {len(record.moves)} moves were made", "bold")
    _tell_of(game, screen, party)
    if record_to is not None:
        kept = RecordFile(record_to, state, people=len(party.seats), table=party.told())
        path, recorded = record_to, party
    _sit(state, party, screen, keyboard, kept, path, len(record.moves), recorded)


def begin_record(
    state: State, party: Party, record_to: Path | None, complain: Callable[[str], None]
) -> tuple[RecordFile | None, Path | None]:
    """The record of a match, and its file: the one that was asked for, else one of those that are kept unasked.

    complain: hears why a match is not kept that nobody asked to keep. Raises OSError and Unrecorded for one that was.
    """
    if record_to is not None:
        return RecordFile(record_to, state, people=len(party.seats), table=party.told()), record_to
    if not party.seats:
        return None, None
    try:
        make = partial(RecordFile, state=state, people=len(party.seats), table=party.told(), anywhere=True)
        return saved_matches.begin(state.game.ruleset.id, make)
    except (OSError, Unrecorded) as error:
        complain(f"this match is not saved: {error}")
        return None, None


def _sit(
    state: State,
    party: Party,
    screen: Screen,
    keyboard: Keyboard | LineEditor,
    kept: RecordFile | None,
    path: Path | None,
    moves: int = 0,
    recorded: Party | None = None,
) -> None:
    """Play to the end. moves: those that were made before. recorded: who goes on if nobody says anything else."""
    game, people = state.game, party.seats
    start = derive(state.seed, moves)  # bots of a resumed match don't repeat what they drew at its beginning
    bots = [p for p in range(game.players) if p not in people]
    table = Table(
        state=state,
        humans=people,
        bots={p: new_bot(party.skill, derive(start, p + 1), party.manners_in(game), party.thought) for p in bots},
        body=RandomBot(derive(start, 0)),
        screen=screen,
        keyboard=keyboard,
        rules=lambda: rules_told(game, min(WIDTH, screen.width)),
        keepers=[] if kept is None else [kept],
        names=party.names,
        verbose=party.verbose,
        advise=advice,
        kept=kept is not None,
    )
    try:
        table.run()
        if path is not None:
            saved_matches.put_by(path)
    except (Left, KeyboardInterrupt) as reason:
        keyboard.close()
        if kept is not None:
            kept.close()  # before it is asked which match could go on
        why = str(reason) or "stopped"
        again = "" if path is None else f"; go on with: {going_on(path, game, party, recorded)}"
        screen.leave(f"{why}: the match is not finished{again}", hide=len(people) > 1)
    except RuleError:
        keyboard.close()
        if len(people) > 1:  # whoever comes to it next may be somebody else
            screen.clear()
        raise
    finally:
        keyboard.close()
        if kept is not None:
            kept.close()


def going_on(path: Path, game: Game, party: Party, recorded: Party | None, more: str = "") -> str:
    """The command that goes on with a match that was left, by the same people. more: flags besides."""
    words = ["houserules play", *([more] if more else []), "--resume"]
    if saved_matches.last() != path:
        words.append(str(path))
    return " ".join([*words, *party.differing(recorded, game)])


def rules_told(game: Game, width: int = WIDTH) -> str:
    """The rulebook in lines of so many letters at most, or why it is not told."""
    from interpreter.rulebook.comparing import marked_book
    from interpreter.rulebook.lengths import TooLong
    from interpreter.rulebook.terminal import text

    try:
        return text(marked_book(game), width)
    except TooLong as error:
        return f"{error}\n"


def _tell_of(game: Game, screen: Screen, party: Party) -> None:
    """What somebody has to know who plays, before anything happens."""
    if not party.seats:
        return
    screen.say(COMMANDS, "dim")
    if len(party.seats) > 1 and sys.stdin.isatty() and not screen.can_clear:
        screen.say(NOT_CLEARED, "bold")
    if not game.program.honor:
        return
    screen.say(
        "on honour nothing is said for you and nothing stops you; say what you must in quotes behind a move", "dim"
    )
    code, manners = game.program.honor_code, party.manners
    if code is not None:
        screen.say(f"whoever slips can be caught; at any moment, also when it is not your turn: {code.claim} P2", "dim")
    slips = f"slip {manners.forgets:.0%} of the time" if manners.forgets else "never slip"
    claims = f"notice {manners.notices:.0%} of the faults they can see" if manners.notices else "never notice a fault"
    screen.say(f"the bots {slips} and {claims}; --forgets and --notices say otherwise", "dim")


def _at_terminal(game: Game, party: Party) -> tuple[Screen, Keyboard | LineEditor]:
    """Where it is shown what happens, and where people type, as far as this terminal can."""
    if not party.seats or not can_edit():
        return Screen(Console(highlight=False), game), Keyboard(sys.stdin)
    from interpreter.interfaces.terminal.editor import LineEditor

    editor = LineEditor(sys.stdout)
    return Screen(Console(file=cast(TextIO, editor), highlight=False), game), editor  # of a file it needs only some
