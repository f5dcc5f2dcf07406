"""Stage 6: typed model + players + options -> specialised Python source -> Program.

Options and players are constants here, so conditions on them fold away. The text is readable, can be printed
(`houserules compile GAME`), and is the same for the same input everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.compile.layout import lay_out
from interpreter.compile.linking import Linker
from interpreter.compile.order import has_hidden_faces
from interpreter.compile.printing import Printer
from interpreter.compile.settled import settle_model
from interpreter.model import Model
from interpreter.run.program import Program

__all__ = ["compile_game"]


def compile_game(model: Model, players: int, options: Mapping[str, Any], honor: bool) -> Program:
    """The program of a game. Raises ValueError if the options make a pack or teams that cannot be."""
    layout = lay_out(model, players, options, honor)
    layout.model = settle_model(layout)
    printer = Printer(layout, faces=has_hidden_faces(model))
    printer.print_all()
    if printer.effects.turns_faces and not printer.faces:  # options may have folded all such effects away
        printer = Printer(layout, faces=True)
        printer.print_all()
    return Linker(printer).program()
