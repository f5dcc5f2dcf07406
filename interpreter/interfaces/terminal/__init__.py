"""Playing at a terminal: a match between people and bots, or a recorded one played again."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from interpreter.api import record as records
from interpreter.base.english import players_told
from interpreter.engine.chance import derive
from interpreter.interfaces.terminal.keyboard import Keyboard
from interpreter.interfaces.terminal.match import Left, Table
from interpreter.interfaces.terminal.screen import Screen
from interpreter.players.honor_bot import PERFECT, Manners
from interpreter.players.monte_carlo import new_bot
from interpreter.players.random_bot import RandomBot
from interpreter.words.voice import Voice

if TYPE_CHECKING:
    from interpreter.api.game import Game
    from interpreter.api.ruleset import Ruleset
    from interpreter.api.state import State

__all__ = ["play", "replay", "resume"]

COMMANDS = "type a number, a move or only its card; ? for help, rules for the rules, quit to leave"


def play(
    game: Game,
    seed: int | None,
    people: int,
    record_to: Path | None,
    skill: str = "random",
    manners: Manners = PERFECT,
    names: Sequence[str] = (),
    verbose: bool = False,
) -> None:
    """A new match with `people` (P1 and on) at the terminal and bots at the other seats; a seed is drawn if None.

    skill: how the bots choose, one of `thinking.SKILLS`. manners: how they play on honour.
    names: what people and bots are called, from the first seat on. verbose: whether shuffles and the like are told.
    """
    seed = secrets.randbits(32) if seed is None else seed
    screen = _screen()
    screen.say(f"{game.ruleset.name}, {players_told(game.players)}, {game.enforcement}, seed {seed}", "bold")
    if people:
        screen.say(COMMANDS, "dim")
        _tell_of_honour(game, screen, manners)
    state = game.start(seed=seed)
    kept = None if record_to is None else records.RecordFile(record_to, state, people=people)
    _sit(state, people, screen, kept, record_to, skill=skill, manners=manners, names=names, verbose=verbose)


def resume(
    path: Path,
    ruleset: Ruleset | None,
    people: int | None,
    record_to: Path | None,
    skill: str = "random",
    manners: Manners = PERFECT,
    names: Sequence[str] = (),
    verbose: bool = False,
) -> None:
    """Go on with a recorded match; what follows goes into the same file, or all of it into another.

    ruleset: None finds the one that the record names. people: None means as many as there were. Raises ReplayError
    and OSError.
    """
    screen = _screen()
    resumed = records.go_on(path, ruleset, keep=record_to is None)
    record, state, kept = resumed.record, resumed.state, resumed.kept
    game = state.game
    for remark in resumed.told:
        screen.complain(remark)
    told = players_told(game.players)
    screen.say(f"{game.ruleset.name}, {told}, {game.enforcement}: {len(record.moves)} moves were made", "bold")
    before = 1 if record.people is None else record.people
    people = min(before if people is None else people, game.players)
    if people:
        screen.say(COMMANDS, "dim")
        _tell_of_honour(game, screen, manners)
    if record_to is not None:
        kept, before = records.RecordFile(record_to, state, people=people), people
    file, moves = path if record_to is None else record_to, len(record.moves)
    _sit(state, people, screen, kept, file, moves, before, skill, manners, names, verbose)


def replay(path: Path) -> None:
    """Print a recorded match: everything that happened, and how it stands at its end."""
    screen = _screen()
    record = records.read(records.load_text(path))
    game = records.game_of(record)
    if records.has_changed(record, game):
        screen.complain("the ruleset has changed since this was recorded")
    state = records.play_again(record, game)
    screen.say(f"{game.ruleset.name}, {players_told(game.players)}, {game.enforcement}, seed {state.seed}", "bold")
    voice = Voice(state.position)
    screen.chronicle(voice.told(None, state.log or []))
    if state.over:
        screen.result(voice.result(None), voice.sheet(None, state.log or []))
    else:
        screen.say(f"\nAfter {len(record.moves)} moves the match goes on. {voice.turn(None)}", "bold")


def _sit(
    state: State,
    people: int,
    screen: Screen,
    kept: records.RecordFile | None,
    path: Path | None,
    moves: int = 0,
    recorded: int | None = None,
    skill: str = "random",
    manners: Manners = PERFECT,
    names: Sequence[str] = (),
    verbose: bool = False,
) -> None:
    """Play to the end. recorded: how many people the record says there are, if that is not just `people`."""
    game = state.game
    if not game.program.honor:
        manners = PERFECT
    start = derive(state.seed, moves)  # bots of a resumed match don't repeat what they drew at its beginning
    table = Table(
        state=state,
        humans=tuple(range(people)),
        bots={p: new_bot(skill, derive(start, p + 1), manners) for p in range(people, game.players)},
        body=RandomBot(derive(start, 0)),
        screen=screen,
        keyboard=Keyboard(sys.stdin),
        rules=lambda: _rules(game),
        keepers=[] if kept is None else [kept],
        names=names,
        verbose=verbose,
    )
    try:
        table.run()
    except (Left, KeyboardInterrupt) as reason:
        why = str(reason) or "stopped"
        same = recorded in (None, people)
        seats = "" if same else f" --humans {people}" if people else " --bots all"
        seats += "" if skill == "random" else f" --skill {skill}"
        seats += "".join(
            f" --{name} {getattr(manners, name):g}" for name in manners.__slots__ if getattr(manners, name)
        )
        where = "" if path is None else f"; go on with: houserules play --resume {path}{seats}"
        screen.leave(f"{why}: the match is not finished{where}")
    finally:
        if kept is not None:
            kept.close()


def _rules(game: Game) -> str:
    """The rulebook, or why it is not told."""
    from interpreter.rulebook.book import TooLong
    from interpreter.rulebook.comparing import marked_book
    from interpreter.rulebook.terminal import text

    try:
        return text(marked_book(game))
    except TooLong as error:
        return f"{error}\n"


def _tell_of_honour(game: Game, screen: Screen, manners: Manners) -> None:
    """What somebody has to know who plays on honour, before anything happens."""
    if not game.program.honor:
        return
    screen.say(
        "on honour nothing is said for you and nothing stops you; say what you must in quotes behind a move", "dim"
    )
    code = game.program.honor_code
    if code is not None:
        screen.say(f"whoever slips can be caught; at any moment, also when it is not your turn: {code.claim} P2", "dim")
    slips = f"slip {manners.forgets:.0%} of the time" if manners.forgets else "never slip"
    claims = f"notice {manners.notices:.0%} of the faults they can see" if manners.notices else "never notice a fault"
    screen.say(f"the bots {slips} and {claims}; --forgets and --notices say otherwise", "dim")


def _screen() -> Screen:
    return Screen(Console(highlight=False))
