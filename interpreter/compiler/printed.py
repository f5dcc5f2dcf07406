"""The text of a program, as it is run and as it is read."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.base.diagnostics import Span
from interpreter.compiler import core as c
from interpreter.compiler.lower.tables import Tables
from interpreter.compiler.passes.asked_once import AskedOnce
from interpreter.compiler.passes.at_hand import with_state_at_hand
from interpreter.compiler.passes.conditions import plain_conditions
from interpreter.compiler.passes.contents import contents_of
from interpreter.compiler.passes.copies import without_copies
from interpreter.compiler.passes.enforcement import as_calls, kinds_of_honor, strictly
from interpreter.compiler.passes.known_tables import KnownTables
from interpreter.compiler.passes.looked_at_once import looked_at_once
from interpreter.compiler.print_python import PythonPrinter, table_lines
from interpreter.compiler.writer import Writer
from interpreter.language.tree import replace


@dataclass(frozen=True, slots=True)
class Printed:
    """text: the functions of a game. spans: line -> the place in the ruleset from which it came. starts: the lines at
    which functions begin, in order.

    keeps: the kinds of nodes in it, by their names, that only play on honour keeps.
    """

    text: str
    spans: dict[int, Span]
    keeps: frozenset[str]
    starts: tuple[int, ...] = ()

    def place(self, line: int | None) -> Span | None:
        """The place in the ruleset from which a line came, or one before it."""
        return next((self.spans[at] for at in range(line or 0, 0, -1) if at in self.spans), None)


def finished(out: Writer, tables: Tables, honor: bool, first: int = 0) -> tuple[list[c.Part], frozenset[str]]:
    """What has been written, after all passes, and the kinds of nodes in it that only play on honour keeps.

    first: the number of the part with which it begins.
    """
    parts: list[c.Part] = []
    keeps: set[str] = set()
    once = AskedOnce({part.name: part.body for part in out.parts if isinstance(part, c.Function) and part.only_looks})
    known = KnownTables(tables.constants, tables.table)
    for part in out.parts[first:]:
        if isinstance(part, c.Function):
            body = part.body
            if kinds := kinds_of_honor(body):
                keeps |= kinds if honor else set()
                body = as_calls(body) if honor else strictly(body)
            there = contents_of(body)
            body = once.block(plain_conditions(without_copies(body, there)), there)
            body = known.block(body, there)
            body = with_state_at_hand(looked_at_once(part.params, body, there), there)
            part = replace(part, body=body)
        parts.append(part)
    return parts, frozenset(keeps)


def printed(out: Writer, tables: Tables, honor: bool) -> Printed:
    """What has been written, after all passes, as Python. honor: for play on honour."""
    printer = PythonPrinter()
    parts, keeps = finished(out, tables, honor)
    return Printed(printer.program(parts), printer.spans, keeps, tuple(printer.starts))


def printed_behind(before: str, out: Writer, tables: Tables, first: int) -> Printed:
    """What has been written since, as it stands behind a text that was printed before. first: its first part."""
    printer, lines = PythonPrinter(), before.count("\n")
    text = printer.program(finished(out, tables, False, first)[0])
    spans = {lines + line: span for line, span in printer.spans.items()}
    return Printed("\n" * lines + text, spans, frozenset(), tuple(lines + line for line in printer.starts))


def whole_program(out: Writer, tables: Tables, honor: bool) -> str:
    """The text of a program for people to read: the tables that its functions name, with their rows, come first."""
    parts, _ = finished(out, tables, honor)
    bodies = [part.body for part in parts if isinstance(part, c.Function)]
    named = {node.name for body in bodies for node in c.expressions(body) if isinstance(node, c.Table)}
    if "PASSAGES" in named:
        named |= {"CARDS", "PLACES"}
    lines = [line for name in tables.constants if name in named for line in table_lines(name, tables.constants[name])]
    return "\n".join(lines) + "\n\n" + PythonPrinter().program(parts)
