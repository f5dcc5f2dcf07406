"""The book as Markdown, as one HTML page, and as text for a terminal."""

from __future__ import annotations

from html import escape

from interpreter.rulebook.book import Block, Book, Grid, Item, Section

MARK = "◆"
_STYLE = """
body { font: 17px/1.5 Georgia, serif; max-width: 46rem; margin: 0 auto; padding: 1rem; color: #222; background: #fff }
h1, h2, h3 { font-family: sans-serif; line-height: 1.2 }
h2 { border-bottom: 2px solid #8a3324; margin-top: 2.2rem }
ul { padding-left: 1.2rem } li { margin: .2rem 0 }
table { border-collapse: collapse; display: block; overflow-x: auto; font-size: .93em }
caption { text-align: left; font-weight: bold }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid #ccc }
nav li { display: inline; margin-right: .8rem } nav ul { padding: 0 }
.mark { background: #fff3c4 } .mark::before { content: "◆ "; color: #8a3324 }
@media print { nav { display: none } body { font-size: 11pt; max-width: none } h2, h3 { break-after: avoid } }
"""


# ---- Markdown ---------------------------------------------------------------------------------------


def markdown(book: Book) -> str:
    lines = [f"# {book.title}", "", book.about, "", " ".join(book.facts)]
    if book.marked:
        lines += ["", book.marked]
    for section in book.sections:
        lines += _markdown_section(section, 2)
    return "\n".join(lines) + "\n"


def _markdown_section(section: Section, level: int) -> list[str]:
    lines = ["", f"{'#' * level} {_marked(section.mark)}{section.title}"]
    if section.lead:
        lines += ["", section.lead]
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
    lines = [f"**{block.title}**", ""] if block.title else []
    lines += [_row(block.heads), _row(tuple("---" for _ in block.heads))]
    return lines + [_row((_marked(n in block.marks) + row[0], *row[1:])) for n, row in enumerate(block.rows)]


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _bullets(item: Item, depth: int) -> list[str]:
    term = f"**{item.term}**" + (":" if item.text or item.below else "") if item.term else ""
    told = " ".join(part for part in (term, item.text) if part)
    lines = [f"{'  ' * depth}- {_marked(item.mark)}{told}"]
    for inner in item.below:
        lines += _bullets(inner, depth + 1)
    return lines


def _marked(mark: bool) -> str:
    return f"{MARK} " if mark else ""


# ---- HTML -------------------------------------------------------------------------------------------


def html(book: Book) -> str:
    """One page that needs nothing else."""
    links = "".join(f'<li><a href="#s{n}">{escape(s.title)}</a></li>' for n, s in enumerate(book.sections))
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8" />',
        '<meta name="viewport" content="width=device-width, initial-scale=1" />',
        f"<title>{escape(book.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>",
        f"<h1>{escape(book.title)}</h1>\n<p>{escape(book.about)}</p>\n<p>{escape(' '.join(book.facts))}</p>",
        f"<p>{escape(book.marked)}</p>" if book.marked else "",
        f"<nav><ul>{links}</ul></nav>",
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
    caption = f"<caption>{escape(grid.title)}</caption>" if grid.title else ""
    heads = "".join(f"<th>{escape(head)}</th>" for head in grid.heads)
    rows = []
    for number, (first, *rest) in enumerate(grid.rows):
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in rest)
        rows.append(f"<tr><td{_class(number in grid.marks)}>{escape(first)}</td>{cells}</tr>\n")
    return f"<table>{caption}<thead><tr>{heads}</tr></thead>\n<tbody>{''.join(rows)}</tbody></table>"


def _class(mark: bool) -> str:
    return ' class="mark"' if mark else ""
