"""What somebody could write where a text or a name stands, so that it becomes more than a text.

Payloads that are code call MARKER, a builtin that remembers it (see `guarding`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from guarding import MARKER

CANARY = "canary-that-nobody-may-read"
"""What stands in the file that lies beside the folder of rulesets."""


@dataclass(frozen=True, slots=True)
class Payload:
    """raw: stands in the file as it is, and not in quotes."""

    name: str
    text: str
    raw: bool = False

    @property
    def is_word(self) -> bool:
        """Whether it could be a name; where names stand, it then takes the place of one wherever that is used."""
        return not self.raw and re.fullmatch(r"\w+", self.text) is not None


CALL = f"{MARKER}()"
_GLOBALS = f"required.__globals__['__builtins__']['{MARKER}']()"
_FRAMES = f"(g := (g.gi_frame.f_back.f_back.f_builtins['{MARKER}']() for _ in [1])) and [*g]"
_NO_UNDERSCORE = f"[*(g.gi_frame.f_back.f_builtins['{MARKER}'] for g in [(x for x in [1])])]"
_CLASSES = (
    "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0]"
    f".__init__.__globals__['__builtins__']['{MARKER}']()"
)

_TEXTS: dict[str, tuple[str, ...]] = {
    "quote": (
        "'", '"', "'''", '"""', "\\'", "\"'", f"' + {CALL} + '", f'" + {CALL} + "', f"''' + {CALL} + '''",
        f"'); {CALL}; ('", f"'}} | {{{CALL}: '",
    ),
    "brace": ("{", "}", "{}", "{{}}", "{:>9999999999}", "({["),
    "newline": ("one\ntwo", "name\n", f"x\n{CALL}", f"x\n    {CALL}\n", "\n\n# heading\n\n- item"),
    "comment": ("x # a comment", "<!-- x -->"),
    "format": (
        "%(x)s", "%99999999d", "{actor.__init__.__globals__}", "{" + CALL + "}", "{" + CALL + "!r:>{" + CALL + "}}",
        "{players:{players}}", "{{" + CALL + "}}", "{\\}",
    ),
    "python": (
        CALL, f"__import__('builtins').{CALL}", f"f(): return 1\n{CALL}\ndef g", f"f(a={_GLOBALS}): pass\ndef g",
        f"f(): pass\n@{MARKER}\ndef g", _FRAMES, _NO_UNDERSCORE, f"f(a={_CLASSES}): pass\ndef g",
        f"f(a={_NO_UNDERSCORE}): pass\ndef g", "global SAFE; SAFE = None", "9 ** 9 ** 9", "1 / 0",
    ),
    "backslash": ("\\\\\\", "\\x41", "\\N{BULLET}", f"\\'; {CALL} #", f"\\\"; {CALL} #", "\\\nnext", "\\U00110000"),
    "separator": (f"x\u2028{CALL}", f"x\x0c{CALL}", f"x\x85{CALL}", "one\x1ctwo"),
    "look-alike": (
        "ｈａｎｄ", "h\u0430nd", "ｄｅｆ", "x\xb7y", "apply\xb7lay_a", "x\u0387p", "\xb7", "०", "e\u0301",
        "＿＿builtins＿＿", "＇", "｛x｝", "a\u0338", "x__y",
    ),
    "combining": ("\u0301" * 400, "a\ufe0f"),
    "direction": ("a\u202egnp.yaml", "\u2067x\u2069", f"\u202e }} {CALL} \u2066"),
    "unseen": ("ha\u200bnd", "x\ufeff", "\u00ad", "\U000e0041", "\u00a0", "", " "),
    "terminal": (
        "\x1b[31mred\x1b[0m", "\x1b]8;;file:///etc/passwd\x1b\\click\x1b]8;;\x1b\\", "\x1b]52;c;eA==\x07", "\x9b31m",
        "\x7f", "a\x00b",
    ),
    "surrogate": ("\ud800", "a\udc80b", "\U0010ffff"),
    "html": (
        "</title><script>alert(1)</script>", "</style><script>alert(1)</script>", "<img src=x onerror=alert(1)>",
        "<a\nhref='javascript:alert(1)'>x</a>", "\" onmouseover=\"alert(1)", "<![CDATA[x", "&",
    ),
    "markdown": (
        "[x](javascript:alert(1))", "![x](https://example.org/x.png)", "[x]\n\n[x]: javascript:alert(1)", "a | b | c",
        "```\nfence", "a\\|[x](y)", "[x\\](y)",
    ),
    "yaml": (
        "!!python/object/apply:os.system ['echo out']", "*anchor", "<<", "null", "1e9", "x: y", "by", "else",
        "replace",
    ),
    "rich": ("[red]x[/red]", "[link=file:///etc/passwd]x[/link]", "[/]", "[@click=app.quit]x[/]"),
    "path": (
        "../secret.yaml", "/etc/passwd", "http://example.org/x.yaml", "x\x00.yaml", "--help", "turns.yaml",
        "links/link.yaml",
    ),
    "long": ("x" * 300, "word " * 500, "(" * 300, "9" * 40),
    "name": (
        "s", "p", "def", "lambda", "self", "SAFE", "apply_lay_a", "x_p_1", "hand", "__builtins__", "__class__", "P1",
        "len", "score_of", "play", "Infinity", MARKER,
    ),
}  # fmt: skip

_RAW: tuple[str, ...] = (
    "!!python/object/apply:os.system ['echo out']", "[&a x, *a, *a]", "{<<: {x: y}}", "{by: players, else: x}", "[]",
    "x\n---\ny: z", "\"\\ud800\"", "\"\\x1b[31m\"", "\"a\0b\"", "\"\u202e\"", "'", "1e999", "99999999999999999999999",
    "| x", "[x, ", "null",
)  # fmt: skip

PAYLOADS: tuple[Payload, ...] = tuple(
    {
        (one.text, one.raw): one
        for one in (
            *(Payload(f"{kind} {number}", text) for kind, texts in _TEXTS.items() for number, text in enumerate(texts)),
            *(Payload(f"raw {number}", text, raw=True) for number, text in enumerate(_RAW)),
        )
    }.values()
)
