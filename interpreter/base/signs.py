"""Signs that nobody sees: those that steer a terminal, turn the direction of writing round, or have no width.

What is read is refused if it holds one: rulesets, overlays and scenarios by their reader, records, saved states, moves
and options where they are taken. What is printed, and every message that may quote a stranger, goes through `visible`
besides, for names of files and arguments come past all of these.
"""

from __future__ import annotations

import re

MARK = "\ufffd"
"""Stands for such a sign where it has to be shown."""
QUOTED, CUT = 60, "..."
"""How many letters of a value a message quotes, and what stands for the others."""

# Fixed ranges rather than Python's tables, which differ between its versions. Private signs (icons) are seen. A
# variation selector after a symbol chooses between its black and its coloured form, and is let through there: hearts
# come so from telephones. The zero-width joiner never is: emoji joined by it could be typed or compared by nobody.
_SYMBOLS = "\u00a9\u00ae\u2000-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
UNSEEN = re.compile(
    f"[{_CONTROLS}{_DIRECTIONS}\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2028\u2029\u2060-\u2065"
    "\u206a-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U00013430-\U00013440"
    "\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    f"|(?<![{_SYMBOLS}])[\ufe0e\ufe0f]"
)
_KINDS = {
    0: "NUL", 0x85: "next line", 0x2028: "line separator", 0x2029: "paragraph separator", 0xFEFF: "byte order mark",
}  # fmt: skip
_SEEN = bytes((*b"\t\n", *range(0x20, 0x7F)))
"""Plain signs that are seen."""
_HANGS = re.compile("[\ufe0e\ufe0f]")
"""What depends on the sign before it."""
_TURNING = re.compile(f"[{_DIRECTIONS}]")


class ToldError(ValueError):
    """An error in words, which may quote a stranger."""

    def __init__(self, message: str) -> None:
        super().__init__(visible(message))


def first_unseen(text: str) -> re.Match[str] | None:
    """The first sign that nobody sees in a long text; quickly where there is none."""
    if text.isascii():
        rest = text.encode("ascii").translate(None, _SEEN).decode("ascii")
    else:
        rest = text.encode("utf-8", "surrogatepass").translate(None, _SEEN).decode("utf-8", "surrogatepass")
    if UNSEEN.search(rest) is None and _HANGS.search(rest) is None:
        return None
    return UNSEEN.search(text)


def visible(text: str) -> str:
    """The text with a mark in place of each sign that nobody sees; line ends and tabs stay."""
    return text if text.isascii() and text.isprintable() else UNSEEN.sub(MARK, text)


def on_one_line(text: str) -> str:
    """The text with a mark in place of each sign that nobody sees, of line ends and of tabs."""
    return re.sub("[\t\n]", MARK, visible(text))


def shortened(text: str) -> str:
    """A stranger's words as a message quotes them: no more of them than tells which they are."""
    return text if len(text) <= QUOTED else text[: QUOTED - len(CUT)] + CUT


def describe(sign: str) -> str:
    """A sign that cannot be shown, in words."""
    number = ord(sign)
    if 0xD800 <= number <= 0xDFFF:
        kind = "lone surrogate"
    elif number in _KINDS:
        kind = _KINDS[number]
    elif number < 0xA0:
        kind = "control character"
    elif _TURNING.fullmatch(sign):
        kind = "turns the direction of writing"
    else:
        kind = "not a character" if number in (0xFFFE, 0xFFFF) else "cannot be seen"
    return f"the character U+{number:04X} ({kind})"


def unseen_in(data: object) -> str:
    """The first sign that nobody sees in the texts of plain data, keys included, or ""."""
    waiting = [data]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            if found := UNSEEN.search(item):
                return found[0]
        elif isinstance(item, dict):
            waiting += [*item.keys(), *item.values()]
        elif isinstance(item, list | tuple):
            waiting += item
    return ""
