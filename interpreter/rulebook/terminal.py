"""The book as text for a terminal."""

from __future__ import annotations

from io import StringIO

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from interpreter.rulebook.book import DETAIL, Book, Grid, Item, Section
from interpreter.rulebook.seats import Drawing, drawn
from interpreter.rulebook.writing import MARK

WIDTH = 100


def text(book: Book, width: int = WIDTH, styled: bool = False, brief: bool = False) -> str:
    """The book as lines of at most `width` letters.

    styled: with colours, for a terminal. brief: how to play, and no more.
    """
    out = StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=styled,
        no_color=not styled,
        highlight=False,
        color_system="standard" if styled else None,
    )
    console.print(
        Text(book.title, "bold"),
        Text("=" * len(book.title)),
        Text(book.about),
        Text(" ".join(book.facts), "dim"),
        sep="\n",
    )
    if book.marked:
        console.print(Text(book.marked, "yellow"))
    for section in book.how:
        _chapter(console, section)
    if book.how and not brief:
        console.print("", "", Text(DETAIL, "bold"), Text("=" * len(DETAIL)), sep="\n")
    for section in () if brief else book.sections:
        _chapter(console, section)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _chapter(console: Console, section: Section) -> None:
    console.print("", Text(section.title.upper(), "bold cyan"), sep="\n")
    _fill(console, section, 2)


def _fill(console: Console, section: Section, indent: int) -> None:
    if section.lead:
        console.print(Padding(Text(section.lead, "italic"), (0, 0, 0, indent)))
    for block in section.blocks:
        if isinstance(block, Item):
            _item(console, block, indent)
        elif isinstance(block, Drawing):
            console.print(Padding(Text(drawn(block, console.width - indent - 2)), (1, 0, 0, indent + 2)))
        else:
            if block.title:
                console.print(Padding(Text(block.title, "bold"), (0, 0, 0, indent)))
            console.print(Padding(_grid(block), (0, 0, 0, indent)))
    for inner in section.sections:
        console.print()
        console.print(Padding(Text(f"{_mark(inner.mark)}{inner.title}", "bold"), (0, 0, 0, indent)))
        _fill(console, inner, indent + 2)


def _item(console: Console, item: Item, indent: int) -> None:
    told = Text()
    told.append(_mark(item.mark), "yellow")
    if item.term:
        told.append(item.term + (": " if item.text or item.below else ""), "bold")
    told.append(item.text)
    row = Table.grid(padding=(0, 1))
    row.add_column(width=1)
    row.add_column()
    row.add_row("-", told)
    console.print(Padding(row, (0, 0, 0, indent)))
    for inner in item.below:
        _item(console, inner, indent + 2)


def _grid(grid: Grid) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for number, head in enumerate(grid.heads):
        table.add_column(
            Text(head), header_style="dim", overflow="fold", min_width=12 if number == len(grid.heads) - 1 else None
        )
    for number, (first, *rest) in enumerate(grid.rows):
        table.add_row(Text(_mark(number in grid.marks) + first), *(Text(cell) for cell in rest))
    return table


def _mark(mark: bool) -> str:
    return f"{MARK} " if mark else ""
