"""The book as one HTML page: how to play, and every rule in detail, folded."""

from __future__ import annotations

import html as entities
from collections.abc import Callable

from interpreter.rulebook.book import DETAIL, Book, Grid, Item, Section
from interpreter.rulebook.pictures import table, with_cards
from interpreter.rulebook.seats import Drawing

_STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --line: #ccc; --red: #8a3324; --marked: #fff3c4;
  --felt: #dcebdc; --suit: #c01818 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e0d8; --paper: #1b1a18; --line: #55504a; --red: #e8a08e; --marked: #4a3f14; --felt: #24382a }
}
* { box-sizing: border-box }
body { font: 17px/1.5 Georgia, "Times New Roman", serif; max-width: 46rem; margin: 0 auto; padding: 1rem;
  color: var(--ink); background: var(--paper); overflow-wrap: break-word }
h1, h2, h3, summary { font-family: Helvetica, Arial, sans-serif; line-height: 1.2; break-after: avoid }
h2 { border-bottom: 2px solid var(--red); margin-top: 2.2rem }
h3 { margin: 1.6rem 0 .4rem } h3 + p { margin-top: .4rem; break-after: avoid }
a { color: var(--red) }
ul { padding-left: 1.2rem } li { margin: .2rem 0 } li ul { padding-left: 1.1rem }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: .93em }
table.narrow { width: auto; min-width: 60% } td.mark { outline: 0 }
caption { text-align: left; font-weight: bold; padding-bottom: .2rem }
th, td { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid var(--line) }
tr { break-inside: avoid }
nav ul { padding: 0; line-height: 1.9 } nav li { display: inline-block; margin: 0 .9rem 0 0 }
details { margin-top: 2.5rem } summary { font-size: 1.5rem; font-weight: bold; cursor: pointer }
.card { height: 1.25em; vertical-align: -.28em } .card rect { fill: #fff; stroke: #777 }
.card text { font: bold 14px Helvetica, Arial, sans-serif; text-anchor: middle }
.card.red { fill: var(--suit) } .card.black { fill: #111 }
.table { display: block; width: 100%; max-width: 30rem; margin: 1rem auto; fill: var(--ink) }
.table text { font: 15px Helvetica, Arial, sans-serif } .felt { fill: var(--felt); stroke: var(--line) }
.face { fill: #fff; stroke: #777 } .back { fill: #4a6c9b; stroke: #fff; stroke-width: 2 }
.mark { background: var(--marked); outline: 3px solid var(--marked) }
.mark::before { content: "\\25c6\\00a0"; color: var(--red) }
li.mark { border-left: 4px solid var(--red); padding-left: .5rem }
@media (max-width: 34rem) {
  .wide thead { position: absolute; clip-path: inset(50%); height: 1px; width: 1px; overflow: hidden }
  .wide tr { display: block; border-bottom: 1px solid var(--line); padding: .3rem 0 }
  .wide td { display: block; border: 0; padding: 0 0 0 1.2rem } .wide td:empty { display: none }
  .wide td:first-child { font-weight: bold; padding-left: 0 }
  .wide td[data-head]::before { content: attr(data-head) ": "; font-style: italic }
}
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --line: #999; --red: #000; --marked: #fff; --felt: #fff }
  nav, details:not([open]) { display: none } body { font-size: 10.5pt; line-height: 1.35; max-width: none; padding: 0 }
  .table { max-width: 20rem; margin: .4rem auto; break-inside: avoid }
  h2 { margin-top: 1rem } p, li { orphans: 2; widows: 2 } thead { display: table-header-group }
  .mark { font-weight: bold } .mark ul { font-weight: normal }
}
"""

Writer = Callable[[str], str]
"""How a text becomes HTML."""


def escape(text: str) -> str:
    """A text as HTML; white space in it is a blank."""
    return entities.escape(" ".join(text.split()))


def drawn(text: str) -> str:
    """A text as HTML, its cards drawn."""
    return with_cards(escape(text))


def html(book: Book, brief: bool = False) -> str:
    """One page that needs nothing else. brief: how to play, and no more."""
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8" />',
        '<meta name="viewport" content="width=device-width, initial-scale=1" />',
        f"<title>{escape(book.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>",
        f"<h1>{escape(book.title)}</h1>\n<p>{escape(book.about)}</p>\n<p>{escape(' '.join(book.facts))}</p>",
        f"<p>{escape(book.marked)}</p>" if book.marked else "",
        *(_section(section, 2, drawn) for section in book.how),
    ]
    if not brief:
        detail = _detail(book)
        parts.append(f"<details>\n<summary>{DETAIL}</summary>\n{detail}\n</details>" if book.how else detail)
    return "\n".join(part for part in parts if part) + "\n</body>\n</html>\n"


def _detail(book: Book) -> str:
    links = "".join(f'<li><a href="#s{n}">{escape(s.title)}</a></li>' for n, s in enumerate(book.sections))
    sections = (_section(s, 2, escape, f' id="s{number}"') for number, s in enumerate(book.sections))
    return "\n".join([f'<nav aria-label="Contents"><ul>{links}</ul></nav>', *sections])


def _section(section: Section, level: int, write: Writer, name: str = "") -> str:
    parts = [f"<section{name}>\n<h{level}{_class(section.mark)}>{escape(section.title)}</h{level}>"]
    if section.lead:
        parts.append(f"<p>{write(section.lead)}</p>")
    waiting: list[Item] = []
    for block in section.blocks:
        if isinstance(block, Item):
            waiting.append(block)
            continue
        parts += [_list(tuple(waiting), write), table(block) if isinstance(block, Drawing) else _grid(block)]
        waiting = []
    parts.append(_list(tuple(waiting), write))
    parts += [_section(inner, min(level + 1, 6), write) for inner in section.sections]
    return "\n".join(part for part in parts if part) + "\n</section>"


def _list(items: tuple[Item, ...], write: Writer) -> str:
    return f"<ul>\n{''.join(_item(item, write) for item in items)}</ul>" if items else ""


def _item(item: Item, write: Writer) -> str:
    term = f"<b>{escape(item.term)}{':' if item.text or item.below else ''}</b> " if item.term else ""
    return f"<li{_class(item.mark)}>{term}{write(item.text)}{_list(item.below, write)}</li>\n"


def _grid(grid: Grid) -> str:
    """A table; one of many columns names them in every cell too, for screens on which its rows are stacked."""
    caption = f"<caption>{escape(grid.title)}</caption>" if grid.title else ""
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in grid.heads)
    rows = []
    for number, (first, *rest) in enumerate(grid.rows):
        cells = "".join(
            f"<td{_label(head)}>{escape(cell)}</td>" for head, cell in zip(grid.heads[1:], rest, strict=True)
        )
        rows.append(f"<tr><td{_class(number in grid.marks)}>{escape(first)}</td>{cells}</tr>\n")
    width = "narrow" if len(grid.heads) == 2 else "wide"
    body = f"<thead><tr>{heads}</tr></thead>\n<tbody>{''.join(rows)}</tbody>"
    return f'<table class="{width}">{caption}{body}</table>'


def _label(head: str) -> str:
    return f' data-head="{escape(head)}"' if head else ""


def _class(mark: bool) -> str:
    return ' class="mark"' if mark else ""
