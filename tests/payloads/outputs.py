"""What must not be in what the program prints, whatever it was given: each function says what is wrong, or nothing."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from html.parser import HTMLParser
from unicodedata import category, name

from guarding import MARKER
from markdown_it import MarkdownIt

from payloads.payloads import CANARY

_ELEMENTS = frozenset(
    "html head meta title style body h1 h2 h3 h4 h5 h6 p nav ul li a section b "
    "table caption thead tbody tr th td details summary svg rect path text".split()
)
_NUMBER = r"\d+"
_ATTRIBUTES: dict[str, str] = {
    "lang": "en", "charset": "utf-8", "name": "viewport", "content": "width=device-width, initial-scale=1",
    "aria-label": r"Contents|(?:10|[2-9AJQK])[♣♦♥♠]|You(?:, [A-Z][a-z]+(?: \([a-z ,]+\))?)*",
    "href": r"#s\d+", "id": r"s\d+", "scope": "col", "data-head": ".*",
    "class": "mark|wide|narrow|card red|card black|table|felt|face|back",
    "viewbox": r"0 0 \d+ \d+", "role": "img", "x": _NUMBER, "y": _NUMBER, "rx": _NUMBER, "width": _NUMBER,
    "height": _NUMBER, "text-anchor": "start|middle|end", "transform": r"translate\(21 4\.5\)",
    "d": r"[MLCAaclmzhv\d. -]+",
}  # fmt: skip
_STYLED = re.compile(r"\x1b\[[0-9;]*m")
_FAULTS = re.compile(
    r"fault of houserules|Traceback \(most recent|broke down|internal fault|"
    r"\b(?:Name|Type|Attribute|Syntax|Index|Key|Unicode\w*|Recursion|Assertion|Runtime|UnboundLocal)Error\b|"
    r"has no attribute|is not subscriptable|is not callable|unhashable type|unsupported operand|not supported between|"
    r"positional argument|<(?:class|function|module|built-in|bound method|generator|frame|code)\b| at 0x[0-9a-f]{6,}"
)


def wrong_text(text: str, given: str = "", styled: bool = False) -> list[str]:
    """A sign that steers a terminal or cannot be seen, a fault of the program, or what nobody may read.

    given: what was put in; words that it says itself are no fault. styled: colours are meant.
    """
    shown = _STYLED.sub("", text) if styled else text
    found = sorted({sign for sign in set(shown) - {"\n"} if category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")})
    wrong = [f"U+{ord(sign):04X} ({name(sign, category(sign))}) is printed: {_around(shown, sign)}" for sign in found]
    faults = [hit for hit in _FAULTS.finditer(text) if hit[0] not in given]
    wrong += [f"{text[max(0, hit.start() - 200) : hit.end() + 300]!r}" for hit in faults[:1]]
    if CANARY in text:
        wrong.append("it prints a file that it may not read")
    return wrong


def _around(text: str, sign: str) -> str:
    at = text.index(sign)
    return ascii(text[max(0, at - 60) : at + 40])


def wrong_program(text: str) -> list[str]:
    """A name that no printed program needs; in the quotes of a literal it does no harm."""
    tokens = tokenize.generate_tokens(io.StringIO(text.replace("·", "_")).readline)  # the sign of names that we make
    names = {token.string for token in tokens if token.type == tokenize.NAME}
    return [f"the program says {name}" for name in sorted(names) if name == MARKER or name.startswith("__")]


def wrong_html(text: str) -> list[str]:
    """Anything but the elements and attributes of a rulebook."""
    parser = _Elements()
    parser.feed(text)
    parser.close()
    return parser.wrong


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.wrong: list[str] = []
        self._styles = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _ELEMENTS:
            self.wrong.append(f"the element {self.get_starttag_text()!r}")
        self._styles += tag == "style"
        if self._styles > 1:
            self.wrong.append("a second style")
        for key, value in attrs:
            if not re.fullmatch(_ATTRIBUTES.get(key, "(?!)"), value or "", re.DOTALL):
                self.wrong.append(f"the attribute {key}={value!r} of {tag}")

    def handle_comment(self, data: str) -> None:
        self.wrong.append(f"a comment {data!r}")

    def handle_pi(self, data: str) -> None:
        self.wrong.append(f"an instruction {data!r}")

    def unknown_decl(self, data: str) -> None:
        self.wrong.append(f"a declaration {data!r}")


_MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def wrong_markdown(text: str) -> list[str]:
    """Links, images and HTML, none of which a rulebook has."""
    return [*dict.fromkeys(_active(text))]


def _active(text: str) -> Iterator[str]:
    for block in _MARKDOWN.parse(text):
        for token in (block, *(block.children or ())):
            if token.type in ("link_open", "image", "html_block", "html_inline"):
                yield f"{token.type} {token.attrs or token.content!r} in {block.content[:200]!r}"
