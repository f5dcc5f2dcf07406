"""What is wrong with a short text that does not parse, in the words of who wrote it."""

from __future__ import annotations

import re

from lark import Token, UnexpectedInput
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

from interpreter.base.diagnostics import Report, suggest
from interpreter.language.keywords import EQUALS_HINT, KEYWORDS, NOTHING_HINT, STATEMENTS, those_where
from interpreter.language.source import Scalar

_WORDS = {
    "COMMA": "','",
    "LPAR": "'('",
    "RPAR": "')'",
    "SEMICOLON": "';'",
    "DOT": "'.'",
    "MINUS": "'-'",
    "EQUAL": "'='",
    "NAME": "a name",
    "NUMBER": "a number",
    "CARD": "a card",
    "STRING": "a text in quotes",
    "COMPARE": "a comparison",
    "PLUS_MINUS": "'+' or '-'",
    "TIMES": "'*'",
    "SUM_MIN_MAX": "'sum', 'min' or 'max'",
    "_HAVE": "'has'",
    "UP_DOWN": "'up' or 'down'",
    "TRICK_NUMBER": "'trick number'",
    "TO": "'to'",
    "BENEATH": "'beneath'",
    "IS_NOT": "'not'",
    "__DOT2": "'..'",
    "__ANON_0": "'..'",
    "LET": "'let'",
    "PART": "'top', 'bottom' or 'last'",
    "CARD_NUMBER": "'card number'",
}
"""What the grammar calls its signs and words, as a message names them."""
_DOTS = {"__DOT2", "__ANON_0"}
_EVERYDAY = {
    "times": "write '*'",
    "plus": "write '+'",
    "minus": "write '-'",
    "equals": "write '='",
    "isn": "write 'is not' or '!='",
    "has": "'has' belongs to 'any' and 'all'; what a card is says 'CARD is K', where it lies 'CARD in ZONE'",
    "least": "'at least' is written '>='",
    "most": "'at most' is written '<='; who has most of something is 'highest VARIABLE'",
    "with": "which of them is said by 'p where CONDITION'",
    "than": "'more than' is written '>', 'less than' is written '<'",
    "card": "a number alone says how many cards",
    "cards": "a number alone says how many cards",
    "draws": "a card is drawn by 'move 1 from ZONE to hand of PLAYER'",
}
"""What people write who don't know the language, and what they mean."""


def explain(error: UnexpectedInput, text: str, source: Scalar, begin: int, report: Report, wanted: str) -> None:
    """Report why a text does not parse, at the word that does not fit.

    text: the piece of `source` that begins at the offset `begin`. wanted: the rule by which it was read: "expr".
    """
    at = min(
        error.pos_in_stream if error.pos_in_stream is not None and error.pos_in_stream >= 0 else len(text), len(text)
    )
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        token = error.token
        place = source.place(begin + (token.start_pos or 0), max(1, len(token)))
        expected = set(error.accepts or error.expected)
        if _explain_usual(token, text, source, begin, report, wanted):
            return
        if str(token) == "end":
            hint = _so_many_pieces(text[: token.start_pos or 0]) or _expected(expected, text[: token.start_pos or 0])
            if _at_end(r"\bnothing\s*$", text, token.start_pos or 0):
                hint = NOTHING_HINT
            report.error("E402", place, "this 'end' closes nothing here", hint)
            return
        report.error(
            "E401",
            place,
            f"'{token}' does not fit here",
            _so_many_pieces(text[: token.start_pos or 0])
            or _expected(expected, text, str(token), token.start_pos or 0),
        )
        return
    if isinstance(error, UnexpectedCharacters):
        sign = text[at] if at < len(text) else ""
        report.error("E401", source.place(begin + at), f"'{sign}' does not fit here", _sign_hint(sign))
        return
    last = len(text.rstrip())
    place = source.place(begin + max(0, last - 1))
    keyword = _compares_keyword(text)
    if keyword is not None:
        word = source.place(begin + keyword.start(1), len(keyword[1]))
        report.error("E401", word, f"'{keyword[1]}' does not fit here", _quoted_hint(keyword[1]))
        return
    ended = _at_end(r"\b(end) +turn\s*$", text)
    if ended is not None:
        word = source.place(begin + ended.start(1), len("end"))
        report.error("E402", word, "this 'end' closes nothing here", "a turn is ended by 'finish turn'")
        return
    opened = _innermost_open(text)
    if opened is not None:
        block, where = opened
        start = source.place(begin + where, len(block))
        if wanted != "effect":
            hint = "a value needs both: if CONDITION then A else B"
            report.error("E402", start, f"the '{block}' of a value has no 'else'", hint)
            return
        report.error("E402", start, f"the block opened by '{block}' is not closed", "write 'end' where it closes")
        return
    expected = set(error.accepts or error.expected) if isinstance(error, UnexpectedToken) else set()
    if isinstance(error, UnexpectedEOF):
        expected = set(error.expected)
    report.error("E401", place, "the text breaks off here", _so_many_pieces(text) or _expected(expected, text))


def _explain_usual(token: Token, text: str, source: Scalar, begin: int, report: Report, wanted: str) -> bool:
    """Say what is wrong where a usual slip stands before the token that does not fit; False if none does."""
    start = token.start_pos or 0
    if token == "=" and text[start - 1 : start] in ("=", "!", "<", ">"):
        place = source.place(begin + start - 1, 2)
        report.error("E401", place, f"'{text[start - 1 : start + 1]}' does not fit here", EQUALS_HINT)
        return True
    before = _at_end(r"([A-Za-z_]\w*)\s*$", text, start)
    if before is None:
        return False
    word = before[1]
    place = source.place(begin + before.start(1), len(word))
    compared = _compares_keyword(text[:start])
    if compared is not None:
        place = source.place(begin + compared.start(1), len(compared[1]))
        report.error("E401", place, f"'{compared[1]}' does not fit here", _quoted_hint(compared[1]))
        return True
    if token == "where" and word in ("players", "everyone", "others", "teams", "pack") and wanted != "effect":
        report.error("E401", source.place(begin + start, 5), "'where' does not fit here", those_where(word))
        return True
    if word in KEYWORDS and token == ".":
        hint = f"'{word}' is a word of the language and cannot be a name"
        report.error("E401", place, f"'{word}' does not fit here", hint)
        return True
    near = suggest(word, STATEMENTS) if wanted == "effect" and word not in KEYWORDS else ""
    if near.startswith("did you mean") and _at_end(r"(^|;|\n|\b(then|else|do|end))\s*$", text, before.start(1)):
        report.error("E401", place, f"no effect is called '{word}'", near)  # it was read as an effect of that name
        return True
    return False


LOOKED_AT = 200
"""So many letters before a fault are looked at for what else was meant: that takes the longer, the more there are."""


def _at_end(pattern: str, text: str, end: int | None = None) -> re.Match[str] | None:
    """What stands at the end of a text, or before a place in it; within the last letters there."""
    last = len(text) if end is None else end
    return re.compile(pattern).search(text, max(0, last - LOOKED_AT), last)


def _so_many_pieces(text: str) -> str:
    """How to say how many pieces are set out, where the last `of` of a text was read as one of its number."""
    found = _at_end(r"\bset\s+out\s+([^\n;(]*\bof\b[^\n;(]*?)\s+of\s+(\w+)\s*;?\s*$", text)
    return "" if found is None else f"how many goes in parentheses: 'set out ({found[1]}) of {found[2]}'"


def _compares_keyword(text: str) -> re.Match[str] | None:
    """The end of a text that compares something with a word of the language, as if it were the word of a choice."""
    found = _at_end(r"(?:=|\bis(?:\s+not)?)\s*\b([A-Za-z_]\w*)(?:\s+(?:then|else|end|do|and|or))?\s*$", text)
    return found if found is not None and found[1] in KEYWORDS - {"at", "empty", "face", "not"} else None


def _quoted_hint(word: str) -> str:
    return f"'{word}' is a word of the language; as the word of a choice it is written \"{word}\""


def _sign_hint(sign: str) -> str:
    hints = {
        **dict.fromkeys("'“”„‘’«»", 'texts are written in straight double quotes: "..."'),
        ":": "write '=' to compare, and 'set X to Y' to set",
        "[": "several things together are written (a, b)",
        "!": "write 'not' or '!='",
        "&": "write 'and'",
        "|": "write 'or'",
        "%": "write 'mod' for the rest of a division",
        "/": "write 'div' for whole division",
        "{": "braces belong to spoken texts",
    }
    return hints.get(sign, "")


def _expected(expected: set[str], text: str, found: str = "", at: int = -1) -> str:
    if found == "=" or found == "==":
        return EQUALS_HINT
    if found.lower() in _EVERYDAY:
        return _EVERYDAY[found.lower()]
    before = text[:at].rstrip() if at >= 0 else text
    if found in ("<", ">") and before.endswith("="):
        return f"write '{found}='"
    if _at_end(r"\b(most|least|fewest)$", before):
        return "who has most of something is 'highest VARIABLE', who has least is 'lowest VARIABLE'"
    if _at_end(r"\b(highest|lowest)\s+of$", before):
        return "'highest' and 'lowest' go without 'of': 'highest score'"
    if _at_end(r"\bis(\s+not)?\s+(a|an|the)$", before):
        return "'is' goes without 'a' or 'the': 'card is K', 'card is QS', 'card.suit = hearts'"
    if found == "from" and (made := _at_end(r"\b(melds|sets)\s+of\s+(\w+|\([^()]*\))$", before)):
        return f"'{made[1]} of' is gone through: any m in {made[1]} of {made[2]} from ... has ..."
    if _at_end(r"\bif\b[^;\n]*$", before) and "THEN" in expected and found not in ("then",):
        return "the condition of 'if' ends with 'then'"
    if found and found.lower() in KEYWORDS and "NAME" in expected and len(expected) < 30:
        return f"'{found}' is a word of the language and cannot be a name"
    if found in ("+", "-", "*") and _at_end(r"\bin\b[^;\n]*\.\.[^;\n]*$", before):
        return "an end of a range that is reckoned stands in parentheses: 1..(n - 1)"
    if found == ".." and _at_end(r"(^|\b(is|in|not)\s)\s*\w+$", before):
        return "a range stands in parentheses here: (2..5)"
    if "RPAR" in expected:  # where something stands in parentheses, it may be a range as well
        expected = expected - _DOTS
    words = sorted({_WORDS.get(e, f"'{e.lower()}'") for e in expected if e != "$END" and not e.startswith("__ANON_1")})
    if found and found not in KEYWORDS:  # who writes a word of the language means it
        near = suggest(found, [w.strip("'") for w in words if w.startswith("'")])
        if near.startswith("did you mean"):
            return near
    if 0 < len(words) <= 6:
        return "expected " + " or ".join(words)
    if "NAME" in expected and "NUMBER" in expected:
        return "expected a value"
    if "MOVE" in expected:
        return "expected an effect such as move, deal, set, add, call, finish, if or for"
    return ""


def _innermost_open(text: str) -> tuple[str, int] | None:
    """The block word (`if ... then`, `for ... do`) that has no `end`, with its offset; value-ifs have none."""
    opened: list[tuple[str, int]] = []
    for word in re.finditer(r"\b(if|for|do|then|elseif|else|end|sum|min|max)\b", text):
        match word[1]:
            case "do":
                loops = [i for i, w in enumerate(opened) if w[0] == "for"]
                if loops:
                    opened[loops[-1]] = ("for ", opened[loops[-1]][1])
            case "if" | "for":
                opened.append((word[1], word.start()))
            case "end" if opened:
                while opened and opened[-1][0] == "for":
                    opened.pop()
                if opened:
                    opened.pop()
    blocks = [w for w in opened if w[0] in ("for ", "if")]
    if not blocks:
        return None
    block, at = blocks[-1]
    return block.strip(), at
