"""The command line: reads arguments, calls the stages, prints.

Exit codes: 0 all is well, 1 the ruleset or the game is wrong, 2 wrong usage. Every command imports what it needs
when it runs, so that the quick ones stay quick.
"""

from __future__ import annotations

import os
import sys
from io import StringIO
from pathlib import Path

import click

from interpreter.base.signs import on_one_line
from interpreter.interfaces.cli.commands import cli
from interpreter.interfaces.cli.completing import ASKED, read_bash
from interpreter.interfaces.cli.flags import Wrong
from interpreter.interfaces.cli.output import rendered, say

__all__ = ["cli", "main", "rendered", "run"]


def main(arguments: list[str] | None = None) -> None:
    """Run the program and exit; never shows a traceback (unless HOUSERULES_DEBUG is set)."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the program and return its exit code."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # whoever started us has closed it
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115, for as long as we run
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that lacks a sign shows '?' rather than nothing
    if ASKED in os.environ:
        read_bash()
    try:
        code = cli.main(arguments, prog_name="houserules", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except click.ClickException as error:
        told = StringIO()
        error.show(told)
        say(told.getvalue(), err=True, nl=False)
        return 2
    except (click.Abort, KeyboardInterrupt):
        say("stopped", err=True)
        return 130
    except BrokenPipeError:
        # Whoever read us has enough; Python would complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        return _failed(error)


def _told(error: OSError) -> str:
    """An error of the system: what it is about, and what is wrong with it."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return "the current folder is not there any more"
    return on_one_line(f"{error.filename or 'a file'}: {error.strerror or error}")


def _failed(error: Exception) -> int:
    """What went wrong while a command ran, in words."""
    from interpreter.analysis.kept_matches import KeptError
    from interpreter.api.native_lane import NativeError
    from interpreter.api.options import OptionError
    from interpreter.api.record import ReplayError, Unrecorded
    from interpreter.base.diagnostics import RulesetError
    from interpreter.engine.rule_errors import RuleError
    from interpreter.rulebook.lengths import TooLong

    if os.environ.get("HOUSERULES_DEBUG"):
        raise error
    match error:
        case Wrong() | TooLong() | NativeError() | KeptError():
            say(str(error), err=True)
        case RulesetError():
            say(rendered(error.diagnostics), err=True)
        case OptionError():  # only of what nobody has chosen: the commands tell it of what somebody has
            say(f"the default options do not fit: {error}", err=True)
        case RuleError():
            say(f"the ruleset cannot go on: {error}", err=True)
        case Unrecorded():
            say(f"the match ends here: {error}", err=True)
        case ReplayError():
            say(f"the record cannot be replayed: {error}", err=True)
        case OSError():
            say(_told(error), err=True)
        case _:
            say(f"this is a fault of houserules, please report it: {type(error).__name__}: {error}", err=True)
            say("(with HOUSERULES_DEBUG=1 it shows where it happened)", err=True)
    return 1
