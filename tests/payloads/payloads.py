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
_GLOBALS = f"settle.__globals__['__builtins__']['{MARKER}']()"
_FRAMES = f"(g := (g.gi_frame.f_back.f_back.f_builtins['{MARKER}']() for _ in [1])) and [*g]"
_NO_UNDERSCORE = f"[*(g.gi_frame.f_back.f_builtins['{MARKER}'] for g in [(x for x in [1])])]"
_CLASSES = (
    "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0]"
    f".__init__.__globals__['__builtins__']['{MARKER}']()"
)

_TEXTS: dict[str, tuple[str, ...]] = {
    "quote": (
        "'", '"', "''", '""', "'''", '"""', "\\'", '\\"', "`", "``", "'\"", "\"'", "' + '", '" + "', "'; x = '",
        f"' + {CALL} + '", f'" + {CALL} + "', f"''' + {CALL} + '''", f'""" + {CALL} + """', f"'); {CALL}; ('",
        f"'] + [{CALL}] + ['", f"'}} | {{{CALL}: '", "it's \"both\"",
    ),
    "brace": ("{", "}", "{}", "{{", "}}", "{{}}", "{0}", "{x}", "{!r}", "{:>9999999999}", "[", "]", "(", ")",
    "({["),
    "newline": (
        "one\ntwo", "one\r\ntwo", "one\rtwo", "\n", "\t", "tab\there", "name\n", f"x\n{CALL}", f"x\n    {CALL}\n",
        f"x\r{CALL}", "\n\n# heading\n\n- item", "two\n\nparagraphs", "\n===", "  leading and trailing  ",
    ),
    "comment": ("# a comment", "x # a comment", "-- x", "/* x */", "// x", "<!-- x -->", "#!/bin/sh",
    "# -*- coding: x"),
    "format": (
        "%s", "%(x)s", "%n%n%n", "%99999999d", "{0.__class__}", "{0.__class__.__mro__}", "{actor.__class__}",
        "{actor.__init__.__globals__}", "{s.game.ruleset}", "{card.__globals__[sys]}", "{" + CALL + "}",
        "{" + CALL + "!r:>{" + CALL + "}}", "f'{" + CALL + "}'", "{players:{players}}", "$HOME", "${HOME}",
        "$(id)", "`id`",
        "{{" + CALL + "}}", "{count of hand", "{count of hand}}", "{\"a\"}", "{'a'}", "{\\}",
    ),
    "python": (
        CALL, f"__import__('builtins').{CALL}", "__import__('os').system('echo out')", f"({CALL})", f"x or {CALL}",
        f"0 if {CALL} else 1", f"lambda: {CALL}", f"[{CALL} for _ in [1]]", f"eval('{CALL}')", f"exec('{CALL}')",
        f"f(): return 1\n{CALL}\ndef g", f"f(s=None): pass\n{CALL}\ndef g", f"f(a={_GLOBALS}): pass\ndef g",
        f"f(a={CALL}): pass\ndef g", f"f(): pass\n@{MARKER}\ndef g", f"f(s): return {CALL}\ndef g", f"{_GLOBALS}",
        f"x({_GLOBALS})", _FRAMES, _NO_UNDERSCORE, _CLASSES, f"f(a={_CLASSES}): pass\ndef g",
        f"f(a={_FRAMES}): pass\ndef g", f"f(a={_NO_UNDERSCORE}): pass\ndef g", "import os", "from os import system",
        "global SAFE; SAFE = None", "breakpoint()", "x: (yield)", "x = 1; y = 2", "raise SystemExit",
        "assert False",
        "del s", "pass", "...", "None", "True", "NotImplemented", "1 / 0", "9 ** 9 ** 9", "().__class__", "a.b.c",
        "print('x')", "open('/etc/passwd').read()", "x[0]", "x := 1", "*x", "**x", "@x", "async def f", "match x:",
    ),
    "backslash": (
        "\\", "\\\\", "\\\\\\", "\\n", "\\x41", "\\u0041", "\\N{BULLET}", "\\x1b[31m", "\\u202e", "\\0", "end\\",
        f"\\'; {CALL} #", f"\\\"; {CALL} #", "\\\nnext", "\\u{41}", "&#x41;", "%41", "\\x", "\\u", "\\U00110000",
    ),
    "separator": (
        "one\u2028two", "one\u2029two", "one\x85two", "one\x0btwo", "one\x0ctwo", "one\x1ctwo",
        f"x\u2028{CALL}",
                  f"x\x0c{CALL}", f"x\x85{CALL}"),
    "look-alike": (
        "ｈａｎｄ", "h\u0430nd", "ｄｅｆ", "\u017f", "\u017felf", "\ufb01", "\u212a", "\xb5", "\xaa", "𝐡𝐚𝐧𝐝", "𝓼",
        "x\xb7y", "x\u0387y",
        "apply\xb7lay_a", "x\xb7p", "x\u0387p", "fits\xb7card", "hand\u03871", "score\xb7", "\xb7", "\u0387",
        "०", "٣", "²", "Ⅷ", "\xe9", "e\u0301", "\u212b", "\u210c",
        "＿＿builtins＿＿", "＇", "＂", "（", "｛x｝", "；", "＃", "\u2236", "a\u0338", "İ",
        "ß", "ı", "名", "имя",
        "x_", "x__y",
    ),
    "combining": ("a" + "\u0300" * 3, "\u0301", "\u0301" * 400, "\u20dd", "Z̸̧̢̛͚̪̦", "\u034f", "\ufe0f",
    "a\ufe0f"),
    "direction": (
        "\u202e", "a\u202egnp.yaml", "\u202a\u202b\u202c\u202d", "\u2066x\u2069", "\u2067x\u2069", "\u061c",
        "\u200e\u200f",
        f"\u202e }} {CALL} \u2066", "hand\u202e",
    ),
    "unseen": (
        "\u200b", "ha\u200bnd", "\u200c\u200d", "\u2060", "\ufeff", "x\ufeff", "\u00ad", "\u180e", "\u2061",
        "\U000e0041",
        "\u3164", "\u00a0", "\u2003", "\u3000", "\ufff9x\ufffa", "\U0001d173", "",  " ",
    ),
    "terminal": (
        "\x1b[31mred\x1b[0m", "\x1b[2J", "\x1b]0;title\x07", "\x1b]8;;file:///etc/passwd\x1b\\click\x1b]8;;\x1b\\",
        "\x1b]8;;http://example.org\x07click\x1b]8;;\x07", "\x1b]52;c;eA==\x07", "\x1b[6n", "\x9b31m", "\x07",
        "\x08\x08", "\x7f",
        "\x1b", "\x1bc", "\x90q\x9c", "\x0e", "\x00", "a\x00b", "\x01", "\x1a",
    ),
    "surrogate": (
        "\ud800", "\udfff", "a\udc80b", "\ud83d\ude00", "\ufffe", "\uffff", "\U0010ffff", "🂡", "👩\u200d👩",
        "\ue000"),
    "html": (
        "<script>alert(1)</script>", "</title><script>alert(1)</script>", "</style><script>alert(1)</script>",
        "<b>bold</b>",
        "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "<svg><a xlink:href='javascript:alert(1)'>",
        "&lt;", "&amp;",
        "<a href=\"javascript:alert(1)\">x</a>", "\" onmouseover=\"alert(1)", "' onmouseover='alert(1)",
        "--><x>", "]]>",
        "<iframe srcdoc='x'>", "<meta http-equiv=refresh content=0>", "<base href=//x>", "<!doctype html>",
        "<?xml?>", "<![CDATA[x",
        "<style>*{display:none}</style>", "<object data=x>", "<form action=//x><input>", "<", ">", "&",
        "</body></html>",
        "<plaintext>", "<a\nhref='javascript:alert(1)'>x</a>",
    ),
    "markdown": (
        "[x](javascript:alert(1))", "[x](https://example.org)", "![x](https://example.org/x.png)",
        "<https://example.org>",
        "<javascript:alert(1)>", "[x]: https://example.org", "[x]\n\n[x]: javascript:alert(1)", "[x][y]",
        "[x](<a b>)", "![x][y]",
        "a | b | c", "| a |\n|---|", "**bold**", "_x_", "`code`", "```\nfence", "~~~", "# heading", "- item",
        "1. item", "> quote",
        "---", "    code", "[x]()", "\\[x](y)", "\\", "\\|", "a\\|[x](y)", "&#91;x](y)", "[x\\](y)",
        "<x@example.org>", "$x$", "[^1]",
    ),
    "yaml": (
        "!!python/object/apply:os.system ['echo out']", "!!python/name:os.system", "&anchor", "*anchor", "<<",
        "null", "~", "true",
        "yes", "0x10", "1e9", "1_000", "2001-01-01", ".inf", "---", "...", "%YAML 1.1", "? x", "- x", "x: y",
        "| x", "> x", "@x", "by",
        "else", "replace", "=", "0o7", "-1", "+1", "01", "1:30",
    ),
    "rich": (
        "[red]x[/red]", "[link=file:///etc/passwd]x[/link]", "[/]", "[bold", "\\[red]", "[@click=app.quit]x[/]",
        ":smiley:",
        "[blink]x", "[[red]]", "[on red]x", "[/red]",
    ),
    "path": (
        "../secret.yaml", "../../../../../../etc/passwd", "/etc/passwd", "/dev/zero", "/proc/self/environ",
        "~/x.yaml",
        "file:///etc/passwd", "http://example.org/x.yaml", "..\\secret.yaml", "a/../../secret.yaml",
        "./../secret.yaml", ".", "..",
        "/", "./", "con.yaml", "x\x00.yaml", "C:\\x.yaml", "//host/share/x.yaml", "-", "--help", "*.yaml",
        "turns.yaml", "nothing.yaml",
        "hearts", "secret.yaml/../../secret.yaml", "folder/", "links/link.yaml",
    ),
    "long": ("x" * 300, "x" * 5_000, "word " * 500, "W" * 64, "(" * 300, "{" * 300, "not " * 300, "9" * 40,
    "-" * 500, "é" * 1_100),
    "name": (
        "s", "v", "z", "p", "c", "a", "n", "def", "lambda", "class", "import", "return", "yield", "None",
        "True", "print", "self",
        "SAFE", "HELPERS", "apply_go", "apply", "apply_lay_a", "settle", "reset", "reset_turn", "decide",
        "x_p_1", "x_1", "define_x",
        "eyes", "eyes_define", "stage", "state", "match", "players", "actor", "card", "hand", "stock", "count",
        "of", "none", "end",
        "__builtins__", "__import__", "__class__", "__globals__", "__init__", "__name__", "__dict__", "_", "__",
        "_x", "x__", "P1",
        "P99", "moves", "laws", "COPIES", "N", "len", "range", "frozenset", "popcount", "seed", "deck",
        "left_of", "piece", "piece_coin_t",
        "constructor", "prototype", "toString", "if", "for", "while", "async", "await", "nonlocal", "del", "is",
        "with", MARKER,
        "match_winners", "places", "go", "fast_x", "go_fast", "dealer_x", "first_dealer", "score_of", "hand_P1",
        "aside", "play", "claim",
        "pass", "fault", "silent", "random", "log", "quit", "rules", "Infinity", "nan",
    ),
}  # fmt: skip

_RAW: tuple[str, ...] = (
    "!!python/object/apply:os.system ['echo out']", "!!python/name:os.system ''", "!x y", "&anchor x",
    "*anchor", "&a [*a]",
    "{<<: {x: y}}", "{<<: *x}", "[&a x, *a, *a]", "{x: {x: {x: {x: 1}}}}", "[[[[1]]]]",
    "{by: players, else: x}", "[]", "{}",
    "\"x\n---\ny\"", "x\n---\ny: z", "x\n...\n", "\"\\ud800\"", "\"\\x1b[31m\"", "\"\\u202e\"", "\"a\0b\"",
    "\"\x1b[31m\"", "\"\u202e\"",
    "\"\ufeff\"", "\"\x85\"", "\"\u2028\"", "\"\\N\"", "\"\\P\\L\\_\"", "'it''s'", "\"\\", "'", "1e999",
    "0x7fffffffffffffff", "99999999999999999999999",
    "? x", "!!binary eA==", "!!set {x}", "!<tag:yaml.org,2002:python/object:os.system> x", "\t", "x\n  y",
    "| x", ">\n", "[x, ", "}",
    "null", "true", "1", "1.5", "\"\\U0001F600\"", "\"\\x00\"",
)  # fmt: skip

PAYLOADS: tuple[Payload, ...] = tuple(
    {
        (one.text, one.raw): one
        for one in (
            *(Payload(f"{kind} {number}", text) for kind, texts in _TEXTS.items() for number,
            text in enumerate(texts)),
            *(Payload(f"raw {number}", text, raw=True) for number, text in enumerate(_RAW)),
        )
    }.values()
)
