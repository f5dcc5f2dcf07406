"""The book as Markdown, as one HTML page, and as text for a terminal."""

from __future__ import annotations

import html as entities
import re

from interpreter.rulebook.book import Block, Book, Grid, Item, Section

MARK = "◆"
_STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --line: #ccc; --red: #8a3324; --marked: #fff3c4 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e0d8; --paper: #1b1a18; --line: #55504a; --red: #e8a08e; --marked: #4a3f14 }
}
* { box-sizing: border-box }
body { font: 17px/1.5 Georgia, "Times New Roman", serif; max-width: 46rem; margin: 0 auto; padding: 1rem;
  color: var(--ink); background: var(--paper); overflow-wrap: break-word }
h1, h2, h3 { font-family: Helvetica, Arial, sans-serif; line-height: 1.2; break-after: avoid }
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
  :root { color-scheme: light; --ink: #000; --paper: #fff; --line: #999; --red: #000; --marked: #fff }
  nav { display: none } body { font-size: 10.5pt; max-width: none; padding: 0 }
  h2 { margin-top: 1.4rem } p, li { orphans: 2; widows: 2 } thead { display: table-header-group }
  .mark { font-weight: bold } .mark ul { font-weight: normal }
}
"""


# ---- Markdown ---------------------------------------------------------------------------------------


_SIGNS = re.compile(r"([\\*\[\]~$]|(?<![^\W_])_|_(?![^\W_])|(?<=`)`|`(?=`))")  # `code` is left
_ENTITY = re.compile("&(?=#?[A-Za-z0-9]+;)")
_ADDRESS = re.compile(
    r"(\\.|`[^`]*`)"  # what is escaped, and `code`, is left
    r"|:(?=//)|/(?=/)|(?<=\w)\.(?=[^\W\d_]{2})|(?<=[wW]{3})\.|`"
    r"|(@(?=\w)|#(?=[0-9])|(?<=\b[gG][hH])-(?=[0-9])|:(?=[\w+-]+:))"
)
"""What many readers of Markdown make links and pictures of without being told to: addresses of pages and of mail, names
of people and of issues, words for an emoji."""
_OPENING = re.compile(r"([0-9]*)([-+#>=.)])")


def plain(text: str) -> str:
    """A text as Markdown that shows just these signs: no link, picture, heading or HTML comes of it."""
    line = _ADDRESS.sub(_broken, _SIGNS.sub(r"\\\1", " ".join(text.split())))
    line = _ENTITY.sub("&amp;", line).replace("<", "&lt;")
    return _OPENING.sub(r"\1\\\2", line, count=1) if _OPENING.match(line) else line


def _broken(found: re.Match[str]) -> str:
    """A sign of an address, so that it is none; for what is looked for in what is shown, a backslash is not enough."""
    return found[1] or (f"`{found[2]}`" if found[2] else f"\\{found[0]}")


def markdown(book: Book) -> str:
    lines = [f"# {plain(book.title)}", "", plain(book.about), "", plain(" ".join(book.facts))]
    if book.marked:
        lines += ["", plain(book.marked)]
    for section in book.sections:
        lines += _markdown_section(section, 2)
    return "\n".join(lines) + "\n"


def _markdown_section(section: Section, level: int) -> list[str]:
    lines = ["", f"{'#' * level} {_marked(section.mark)}{plain(section.title)}"]
    if section.lead:
        lines += ["", plain(section.lead)]
    for number, block in enumerate(section.blocks):
        if isinstance(block, Grid) or number == 0 or isinstance(section.blocks[number - 1], Grid):
            lines.append("")
        lines += _markdown_block(block)
    for inner in section.sections:
        lines += _markdown_section(inner, level + 1)
    return lines


def _markdown_block(block: Block) -> list[str]:
    if isinstance(block, Item):
        return _bullets(block, 0)
    lines = [f"**{plain(block.title)}**", ""] if block.title else []
    lines += [_row(block.heads), f"|{' --- |' * len(block.heads)}"]
    return lines + [_row(row, _marked(n in block.marks)) for n, row in enumerate(block.rows)]


def _row(cells: tuple[str, ...], mark: str = "") -> str:
    return f"| {mark}{' | '.join(plain(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def _bullets(item: Item, depth: int) -> list[str]:
    term = f"**{plain(item.term)}**" + (":" if item.text or item.below else "") if item.term else ""
    told = " ".join(part for part in (term, plain(item.text)) if part)
    lines = [f"{'  ' * depth}- {_marked(item.mark)}{told}"]
    for inner in item.below:
        lines += _bullets(inner, depth + 1)
    return lines


def _marked(mark: bool) -> str:
    return f"{MARK} " if mark else ""


# ---- HTML -------------------------------------------------------------------------------------------


def escape(text: str) -> str:
    """A text as HTML; white space in it is a blank."""
    return entities.escape(" ".join(text.split()))


def html(book: Book) -> str:
    """One page that needs nothing else."""
    links = "".join(f'<li><a href="#s{n}">{escape(s.title)}</a></li>' for n, s in enumerate(book.sections))
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8" />',
        '<meta name="viewport" content="width=device-width, initial-scale=1" />',
        f"<title>{escape(book.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>",
        f"<h1>{escape(book.title)}</h1>\n<p>{escape(book.about)}</p>\n<p>{escape(' '.join(book.facts))}</p>",
        f"<p>{escape(book.marked)}</p>" if book.marked else "",
        f'<nav aria-label="Contents"><ul>{links}</ul></nav>',
    ]
    for number, section in enumerate(book.sections):
        parts.append(_html_section(section, 2, f' id="s{number}"'))
    return "\n".join(part for part in parts if part) + "\n</body>\n</html>\n"


def _html_section(section: Section, level: int, name: str = "") -> str:
    parts = [f"<section{name}>\n<h{level}{_class(section.mark)}>{escape(section.title)}</h{level}>"]
    if section.lead:
        parts.append(f"<p>{escape(section.lead)}</p>")
    waiting: list[Item] = []
    for block in section.blocks:
        if isinstance(block, Item):
            waiting.append(block)
            continue
        parts += [_html_list(tuple(waiting)), _html_grid(block)]
        waiting = []
    parts.append(_html_list(tuple(waiting)))
    parts += [_html_section(inner, min(level + 1, 6)) for inner in section.sections]
    return "\n".join(part for part in parts if part) + "\n</section>"


def _html_list(items: tuple[Item, ...]) -> str:
    return f"<ul>\n{''.join(map(_html_item, items))}</ul>" if items else ""


def _html_item(item: Item) -> str:
    term = f"<b>{escape(item.term)}{':' if item.text or item.below else ''}</b> " if item.term else ""
    return f"<li{_class(item.mark)}>{term}{escape(item.text)}{_html_list(item.below)}</li>\n"


def _html_grid(grid: Grid) -> str:
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
