"""Stage 6: typed model + players + options -> specialised Python source -> Program.

Options and players are constants here, so conditions on them fold away. The text is readable, can be printed
(`houserules compile GAME`), and is the same for the same input everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from interpreter.base.diagnostics import Report, RulesetError, Span
from interpreter.compiler.bounds import Bounds
from interpreter.compiler.gate import Stopped
from interpreter.compiler.layout import Layout, lay_out
from interpreter.compiler.linking import Linker, requirements
from interpreter.compiler.order import has_hidden_faces
from interpreter.compiler.printing import Printer
from interpreter.compiler.specialise import specialise_model
from interpreter.compiler.wording import check_wording
from interpreter.engine.program import Program, RuleError
from interpreter.language.model import Model
from interpreter.language.tree import replace

__all__ = ["CODES", "compile_game", "compile_special", "print_game", "specialise", "unmet"]


def compile_game(model: Model, players: int, options: Mapping[str, Any], honor: bool) -> Program:
    """The program of a game.

    Raises ValueError if the options make a pack or teams that cannot be, RulesetError if the rules are too much.
    """
    return compile_special(specialise(model, players, options, honor))


def print_game(model: Model, players: int, options: Mapping[str, Any], honor: bool) -> Printer:
    """A game as text; raises what `compile_game` raises."""
    return _print_special(specialise(model, players, options, honor))


def unmet(model: Model, players: int, options: Mapping[str, Any], honor: bool) -> str:
    """The name of the first requirement on cards that does not hold, "" if all do: nothing is printed for it.

    Raises what `compile_game` raises.
    """
    nothing = dict.fromkeys(("actions", "anytime", "effect", "on_trick", "on_turn", "setup"), ())
    stages = {name: replace(stage, **nothing) for name, stage in model.stages.items()}  # so soon, nobody does anything
    layout = specialise(replace(model, stages=stages, honor=None), players, options, honor)
    printer = Printer(layout, False, Bounds(layout))
    printer.expressions.most_spent = MOST_ASKED_AGAIN
    with _told(printer):
        return next((name for name, holds in requirements(printer.expressions) if not holds()), "")


def specialise(model: Model, players: int, options: Mapping[str, Any], honor: bool) -> Layout:
    """What the program of a game is made from. Raises ValueError if the options make what cannot be."""
    layout = lay_out(model, players, options, honor)
    layout.model = specialise_model(layout)
    return layout


def compile_special(layout: Layout) -> Program:
    """The program of a game that is settled. Raises RulesetError if the rules are too much."""
    printer = _print_special(layout)
    with _told(printer):
        return Linker(printer).program()


def _print_special(layout: Layout) -> Printer:
    bounds = Bounds(layout)
    report = Report()
    bounds.check(report)
    check_wording(layout, report)
    report.raise_errors()
    faces = has_hidden_faces(layout.model)
    printer = _printed(layout, faces, bounds)
    if printer.effects.turns_faces and not faces:  # options may have folded all such effects away
        printer = _printed(layout, True, bounds)
    return printer


def _printed(layout: Layout, faces: bool, bounds: Bounds) -> Printer:
    printer = Printer(layout, faces, bounds)
    with _told(printer):
        printer.print_all()
    return printer


CODES = {"E901": "a program that may not run: a fault of houserules"}
MOST_ASKED_AGAIN = 1_000_000
"""Steps that the requirements may take for a number of players: they are asked again for each."""
TOO_DEEP = ("too many statically nested blocks", "too many nested parentheses", "too many levels of indentation")
"""What Python says of code that is too deep for it, as the checker should have seen."""


@contextmanager
def _told(printer: Printer) -> Iterator[None]:
    """Raise RulesetError, with the place in the ruleset, for what cannot become code and for what may not."""
    try:
        yield
    except (RecursionError, MemoryError) as error:
        raise _too_deep(printer.at) from error
    except RuleError as error:  # what never changes is worked out now, and cannot be
        report = Report()
        report.error("E521", error.span or printer.at, error.message, "multiply smaller numbers, or less often")
        raise RulesetError(report.sorted()) from error
    except SyntaxError as error:
        if error.msg in TOO_DEEP:
            raise _too_deep(printer.place(error.lineno)) from error
        raise _our_fault(error.msg, printer.place(error.lineno)) from error
    except Stopped as error:
        raise _our_fault(str(error), printer.place(error.line)) from error
    except AssertionError as error:
        raise _our_fault(str(error), printer.at) from error


def _too_deep(span: Span) -> RulesetError:
    report = Report()
    report.error("E404", span, "this is too deeply nested, definitions written out", "move parts of it to `define`")
    return RulesetError(report.sorted())


def _our_fault(what: str, span: Span) -> RulesetError:
    """What is said of a program that is not what it should be: nothing of it has run."""
    report = Report()
    message = f"a fault of houserules, not of this file: what it has made of it may not run ({what})"
    report.error("E901", span, message, "please report it with the file")
    return RulesetError(report.sorted())
