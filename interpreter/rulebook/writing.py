"""The book as Markdown."""

from __future__ import annotations

import re

from interpreter.rulebook.book import DETAIL, Block, Book, Item, Section
from interpreter.rulebook.seats import Drawing, drawn

MARK = "◆"
_SIGNS = re.compile(r"([\\*\[\]~$]|(?<![^\W_])_|_(?![^\W_])|(?<=`)`|`(?=`))")  # `code` is left
_ENTITY = re.compile("&(?=#?[A-Za-z0-9]+;)")
_ADDRESS = re.compile(
    r"(\\.)|`([^`]*)`|(\{)"  # what is escaped is left, and `code` without a brace
    r"|:(?=//)|/(?=/)|(?<=\w)\.(?=[^\W\d_]{2})|(?<=[wW]{3})\.|`"
    r"|(@(?=\w)|#(?=[0-9])|(?<=\b[gG][hH])-(?=[0-9])|:(?=[\w+-]+:))"
)
"""What many readers of Markdown make links and pictures of without being told to: addresses of pages and of mail, names
of people and of issues, words for an emoji, and all that braces begin: attributes, of code and titles too, passages in
another language, what is to be worked out or read from a file."""
_OPENING = re.compile(r"([0-9]*)([-+#>=.)])")


def plain(text: str) -> str:
    """A text as Markdown that shows just these signs: no link, picture, heading or HTML comes of it."""
    line = _ENTITY.sub("&amp;", " ".join(text.split()))
    line = _ADDRESS.sub(_broken, _SIGNS.sub(r"\\\1", line)).replace("<", "&lt;")
    return _OPENING.sub(r"\1\\\2", line, count=1) if _OPENING.match(line) else line


def _broken(found: re.Match[str]) -> str:
    """A sign of an address, so that it is none; for what is looked for in what is shown, a backslash is not enough, nor
    for what is looked for before anything is read as Markdown."""
    escaped, code, brace, shown = found.groups()
    if escaped or brace:
        return escaped or "&#123;"
    if code is not None:
        return f"`{code}`" if "{" not in code else f"\\`{_ADDRESS.sub(_broken, code)}\\`"
    return f"`{shown}`" if shown else f"\\{found[0]}"


def markdown(book: Book, brief: bool = False) -> str:
    """brief: how to play, and no more."""
    lines = [f"# {plain(book.title)}", "", plain(book.about), "", plain(" ".join(book.facts))]
    if book.marked:
        lines += ["", plain(book.marked)]
    for section in book.how:
        lines += _markdown_section(section, 2)
    if book.how and not brief:
        lines += ["", f"## {DETAIL}"]
    for section in () if brief else book.sections:
        lines += _markdown_section(section, 3 if book.how else 2)
    return "\n".join(lines) + "\n"


def _markdown_section(section: Section, level: int) -> list[str]:
    lines = ["", f"{'#' * level} {_marked(section.mark)}{plain(section.title)}"]
    if section.lead:
        lines += ["", plain(section.lead)]
    for number, block in enumerate(section.blocks):
        if not isinstance(block, Item) or number == 0 or not isinstance(section.blocks[number - 1], Item):
            lines.append("")
        lines += _markdown_block(block)
    for inner in section.sections:
        lines += _markdown_section(inner, level + 1)
    return lines


def _markdown_block(block: Block) -> list[str]:
    if isinstance(block, Item):
        return _bullets(block, 0)
    if isinstance(block, Drawing):
        return ["```text", *drawn(block, 78).splitlines(), "```"]
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
