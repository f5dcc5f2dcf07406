"""A typed model, a number of players and options become Python source that is made for them, and that a Program.

Options and players are constants here, so conditions on them fold away. The text is readable, can be printed
(`houserules compile GAME`), and is the same for the same input everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from interpreter.base.diagnostics import Report, RulesetError, Span
from interpreter.compiler.bounds import Bounds, check_bounds
from interpreter.compiler.constant import Unanswerable
from interpreter.compiler.gate import Stopped
from interpreter.compiler.layout import Layout, lay_out
from interpreter.compiler.linking import link, requirements
from interpreter.compiler.lower.stages import Lowering, PlaysOut
from interpreter.compiler.meld_kinds import check_melds
from interpreter.compiler.order import has_hidden_faces, turns_faces
from interpreter.compiler.printed import Printed, printed, whole_program
from interpreter.compiler.specialise import specialise_model
from interpreter.compiler.wording import check_wording
from interpreter.engine.program import Program
from interpreter.engine.rule_errors import RuleError
from interpreter.language.model import Model
from interpreter.language.tree import replace

if TYPE_CHECKING:
    from interpreter.compiler.core.checking import Checked

__all__ = ["CODES", "compile_game", "compile_special", "faults_of", "print_game", "specialise", "types_of", "unmet"]


def compile_game(model: Model, players: int, options: Mapping[str, Any], honor: bool) -> Program:
    """The program of a game.

    Raises ValueError if the options make a pack or teams that cannot be, RulesetError if the rules are too much.
    """
    layout = specialise(model, players, options, honor)
    return compile_special(layout, "later" if layout.model.shipped else "at once")  # of others all is looked at now


def print_game(model: Model, players: int, options: Mapping[str, Any], honor: bool) -> str:
    """The whole program of a game as text, its tables too; raises what `compile_game` raises."""
    lowering = _lowered(specialise(model, players, options, honor))
    with _told(lowering):
        return whole_program(lowering.out, lowering.e.tables, honor)


def types_of(model: Model, players: int, options: Mapping[str, Any], honor: bool) -> Checked:
    """The types of a program and of all its expressions. Raises Contradiction, and what `compile_game` raises."""
    from interpreter.compiler.scopes import checked

    return checked(_lowered(specialise(model, players, options, honor)))


def faults_of(model: Model, players: int, options: Mapping[str, Any], honor: bool) -> list[Unanswerable]:
    """What has no value in a game and would stop a match that reaches it; raises what `compile_game` raises."""
    return _lowered(specialise(model, players, options, honor), "never").e.faults


def unmet(model: Model, players: int, options: Mapping[str, Any], honor: bool, again: bool) -> str:
    """The name of the first requirement on cards that does not hold, "" if all do: nothing is printed for it.

    again: whether they are asked for one number of players after the other, and so may take less.
    Raises what `compile_game` raises.
    """
    nothing = dict.fromkeys(("actions", "anytime", "effect", "on_trick", "on_turn", "setup"), ())
    stages = {name: replace(stage, **nothing) for name, stage in model.stages.items()}  # so soon, nobody does anything
    layout = specialise(replace(model, stages=stages, honor=None), players, options, honor)
    lowering = Lowering(layout, False, Bounds(layout))
    if again:
        lowering.e.tables.most_spent = MOST_ASKED_AGAIN
    with _told(lowering):
        return next((name for name, holds in requirements(lowering.e) if not holds()), "")


def specialise(model: Model, players: int, options: Mapping[str, Any], honor: bool) -> Layout:
    """What the program of a game is made from. Raises ValueError if the options make what cannot be."""
    layout = lay_out(model, players, options, honor)
    layout.model = specialise_model(layout)
    return layout


def compile_special(layout: Layout, plays_out: PlaysOut) -> Program:
    """The program of a game that is settled. plays_out: as the lowering takes it. Raises RulesetError if the rules are
    too much."""
    lowering = _lowered(layout, plays_out)
    with _told(lowering):
        found = printed(lowering.out, lowering.e.tables, layout.honor)
    with _told(lowering, found):
        return link(lowering, found, _told)


def _lowered(layout: Layout, plays_out: PlaysOut = "at once") -> Lowering:
    """plays_out: as the lowering takes it; on honour nothing plays at random in one loop."""
    bounds = Bounds(layout)
    report = Report()
    check_bounds(bounds, report)
    check_wording(layout, report)
    report.raise_errors()
    hidden = has_hidden_faces(layout.model)
    faces = hidden or turns_faces(layout)
    lowering = _lower(layout, faces, bounds, plays_out)
    if faces and not hidden and not lowering.effects.turns_faces:  # all such effects have been folded away
        lowering = _lower(layout, False, bounds, plays_out)
    check_melds(layout, lowering.wild, report)
    report.raise_errors()
    return lowering


def _lower(layout: Layout, faces: bool, bounds: Bounds, plays_out: PlaysOut) -> Lowering:
    lowering = Lowering(layout, faces, bounds, "never" if layout.honor else plays_out)
    with _told(lowering):
        lowering.lower()
    return lowering


CODES = {"E901": "a program that may not run: a fault of houserules"}
MOST_ASKED_AGAIN = 1_000_000
"""Steps that the requirements may take for a number of players: they are asked again for each."""
TOO_DEEP = ("too many statically nested blocks", "too many nested parentheses", "too many levels of indentation")
"""What Python says of code that is too deep for it, as the checker should have seen."""


@contextmanager
def _told(lowering: Lowering, printed: Printed | None = None) -> Iterator[None]:
    """Raise RulesetError, with the place in the ruleset, for what cannot become code and for what may not."""

    def place(line: int | None) -> Span:
        return (printed.place(line) if printed else None) or lowering.functions.at

    try:
        yield
    except (RecursionError, MemoryError) as error:
        raise _too_deep(lowering.functions.at) from error
    except RuleError as error:  # what never changes is worked out now, and cannot be
        span = error.span or lowering.functions.at
        raise _refused("E521", span, error.message, "multiply smaller numbers, or less often") from error
    except SyntaxError as error:
        if error.msg in TOO_DEEP:
            raise _too_deep(place(error.lineno)) from error
        raise _our_fault(error.msg, place(error.lineno)) from error
    except Stopped as error:
        raise _our_fault(str(error), place(error.line)) from error
    except AssertionError as error:
        raise _our_fault(str(error), lowering.functions.at) from error


def _too_deep(span: Span) -> RulesetError:
    return _refused("E404", span, "this is too deeply nested, definitions written out", "move parts of it to `define`")


def _our_fault(what: str, span: Span) -> RulesetError:
    """What is said of a program that is not what it should be: nothing of it has run."""
    message = f"a fault of houserules, not of this file: what it has made of it may not run ({what})"
    return _refused("E901", span, message, "please report it with the file")


def _refused(code: str, span: Span, message: str, hint: str) -> RulesetError:
    report = Report()
    report.error(code, span, message, hint)
    return RulesetError(report.sorted())
