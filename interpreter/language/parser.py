"""Stage 4: short texts of the effect language -> syntax tree (Lark, LALR(1), grammar/effects.lark)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Literal, TypeVar, cast

from lark import Lark, Token, Transformer, UnexpectedInput, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken, VisitError
from lark.tree import Meta

from interpreter.base.diagnostics import Report, Span, suggest
from interpreter.language import parser_tables
from interpreter.language import syntax as ast
from interpreter.language.source import Scalar
from interpreter.language.tree import TreeNode, fields, replace

CODES = {
    "E401": "a text of the effect language does not parse",
    "E402": "a block is not closed by 'end', or an 'end' closes nothing",
    "E403": "braces in a spoken text do not match",
    "E404": "a text of the effect language is too long or too deeply nested",
}

Start = Literal["effect", "expr", "range", "players_where"]
MAX_TEXT = 20_000
MAX_DEPTH = 60
MAX_LEVELS = 100
"""How deeply the meaning of a text may be nested, definitions that it uses written out."""
MAX_DIGITS = 18

KEYWORDS = frozenset(
    "if then else end for in do where by any all first count sum min max has have and or not is empty of to from "
    "beneath face up down at random deal move gather shuffle turn flip show set add subtract clear swap reverse stay "
    "again skip pass out take put back call with finish redeal fault reseat note lowest highest void next after among "
    "across div mod true false none".split()
)

STATEMENTS = (
    "move deal gather shuffle turn flip show set add subtract clear swap reverse stay again skip pass take put call "
    "finish redeal fault reseat note if for"
).split()

EQUALS_HINT = "one '=' compares; 'set X to Y' sets"

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
}


@cache
def _parser() -> Lark:
    """The parser of the effect language, made when the first text is read."""
    return parser_tables.parser()


def parse_expr(source: Scalar, report: Report) -> ast.Expr | None:
    """Parse a condition or a value. None when it does not parse; the report says why and where."""
    return cast("ast.Expr | None", _parse(source, "expr", report))


def parse_effect(source: Scalar, report: Report) -> tuple[ast.Effect, ...] | None:
    """Parse an effect: statements in order."""
    if not source.text.strip():
        return ()
    return cast("tuple[ast.Effect, ...] | None", _parse(source, "effect", report))


def parse_range(source: Scalar, report: Report) -> ast.Range | None:
    """Parse `a..b` or a single value."""
    found = _parse(source, "range", report)
    if found is None or isinstance(found, ast.Range):
        return found
    return ast.Range(found, found, found.span)


def parse_players(source: Scalar, report: Report, among: str = "everyone") -> ast.Expr | None:
    """Parse a set of players; `p where C` is short for `all p in everyone where C`, or among others than everyone."""
    found = cast("ast.Expr | None", _parse(source, "players_where", report))
    if isinstance(found, ast.Select) and isinstance(found.domain, ast.Name) and found.domain.span == found.name_span:
        return replace(found, domain=ast.Name(among, found.name_span))
    return found


def parse_words(source: Scalar, report: Report) -> tuple[str | ast.Expr, ...] | None:
    """Parse a spoken text: pieces of text, and the expressions between braces."""
    pieces: list[str | ast.Expr] = []
    at = 0
    for found in re.finditer(r"\{([^{}]*)\}|[{}]", source.text):
        if found[1] is None:
            report.error("E403", source.place(found.start()), "this brace has no partner", "write {EXPRESSION}")
            return None
        pieces.append(source.text[at : found.start()])
        inner = _parse_piece(source, found.start(1), found.end(1), "expr", report)
        if inner is None:
            return None
        pieces.append(cast("ast.Expr", inner))
        at = found.end()
    pieces.append(source.text[at:])
    return tuple(p for p in pieces if p != "")


def _parse(source: Scalar, start: Start, report: Report) -> Any:
    return _parse_piece(source, 0, len(source.text), start, report)


def _parse_piece(source: Scalar, begin: int, end: int, start: Start, report: Report) -> Any:
    piece = (begin, end, start)
    if piece not in source.read:
        found = _read(source, begin, end, start, report)
        if found is None:
            return None
        source.read[piece] = found
    return source.read[piece]


def _read(source: Scalar, begin: int, end: int, start: Start, report: Report) -> Any:
    text = source.text[begin:end]
    if len(text) > MAX_TEXT or _depth(text) > MAX_DEPTH:
        return _too_deep(source, report)
    for found in re.finditer(rf'"[^"\n]*"|[0-9]{{{MAX_DIGITS + 1},}}', text):
        if found[0][0] != '"':
            place = source.place(begin + found.start(), len(found[0]))
            report.error("E404", place, f"a number may have at most {MAX_DIGITS} digits")
            return None
    try:
        tree = _parser().parse(text, start=start)
    except UnexpectedInput as error:
        _explain(error, text, source, begin, report, start)
        return None
    builder = _Builder(lambda a, b: source.place(begin + a, b - a))
    try:
        found = builder.transform(tree)
    except VisitError as error:  # Lark wraps what its callbacks raise
        if isinstance(error.orig_exc, RecursionError):
            return _too_deep(source, report)
        raise error.orig_exc from None
    except RecursionError:
        return _too_deep(source, report)
    return _too_deep(source, report) if _levels(found) > MAX_LEVELS else found


def _too_deep(source: Scalar, report: Report) -> None:
    report.error("E404", source.span, "this text is too long or too deeply nested", "move parts of it to `define`")


def _levels(tree: object) -> int:
    """How deeply a syntax tree is nested."""
    deepest = 0
    waiting: list[tuple[Any, int]] = [(tree, 1)]
    while waiting:
        node, level = waiting.pop()
        if isinstance(node, tuple):
            waiting += [(item, level) for item in node]
        elif isinstance(node, TreeNode):
            deepest = max(deepest, level)
            waiting += [(getattr(node, name), level + 1) for name in fields(node)]
    return deepest


def _depth(text: str) -> int:
    """Nesting by brackets and by chains that recurse (`not not`, `a of b of c`)."""
    depth = deepest = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        deepest = max(deepest, depth)
    chains = [len(re.findall(word, text)) for word in (r"\bif\b", r"\bnot\b", r"\bof\b", r"\bfor\b", r"-")]
    return max(deepest, max(chains) // 8)


# ---- messages for what does not parse -----------------------------------------------------------


def _explain(error: UnexpectedInput, text: str, source: Scalar, begin: int, report: Report, wanted: Start) -> None:
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
            hint = _expected(expected, text[: token.start_pos or 0])
            if re.search(r"\bnothing\s*$", text[: token.start_pos or 0]):
                hint = NOTHING_HINT
            report.error("E402", place, "this 'end' closes nothing here", hint)
            return
        report.error(
            "E401", place, f"'{token}' does not fit here", _expected(expected, text, str(token), token.start_pos or 0)
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
    ended = re.search(r"\b(end) +turn\s*$", text)
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
    report.error("E401", place, "the text breaks off here", _expected(expected, text))


NOTHING_HINT = "'nothing' stands alone; where there is something else, leave out what does nothing"


def _explain_usual(token: Token, text: str, source: Scalar, begin: int, report: Report, wanted: Start) -> bool:
    """Say what is wrong where a usual slip stands before the token that does not fit; False if none does."""
    start = token.start_pos or 0
    if token == "=" and text[start - 1 : start] in ("=", "!", "<", ">"):
        place = source.place(begin + start - 1, 2)
        report.error("E401", place, f"'{text[start - 1 : start + 1]}' does not fit here", EQUALS_HINT)
        return True
    before = re.search(r"([A-Za-z_]\w*)\s*$", text[:start])
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
    if near.startswith("did you mean") and re.search(r"(^|;|\n|\b(then|else|do|end))\s*$", text[: before.start(1)]):
        report.error("E401", place, f"no effect is called '{word}'", near)  # it was read as an effect of that name
        return True
    return False


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


def _compares_keyword(text: str) -> re.Match[str] | None:
    """The end of a text that compares something with a word of the language, as if it were the word of a choice."""
    found = re.search(r"(?:=|\bis(?:\s+not)?)\s*\b([A-Za-z_]\w*)(?:\s+(?:then|else|end|do|and|or))?\s*$", text)
    return found if found is not None and found[1] in KEYWORDS - {"at", "empty", "face", "not"} else None


def those_where(group: str) -> str:
    """What to write in place of `players where CONDITION`: each of them needs a name."""
    one = {"teams": "t", "pack": "c"}.get(group, "p")
    return f"each of them needs a name: 'all {one} in {group} where ... of {one} ...'"


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
    if re.search(r"\b(most|least|fewest)$", before):
        return "who has most of something is 'highest VARIABLE', who has least is 'lowest VARIABLE'"
    if re.search(r"\b(highest|lowest)\s+of$", before):
        return "'highest' and 'lowest' go without 'of': 'highest score'"
    if re.search(r"\bis(\s+not)?\s+(a|an|the)$", before):
        return "'is' goes without 'a' or 'the': 'card is K', 'card is QS', 'card.suit = hearts'"
    if re.search(r"\bif\b[^;\n]*$", before) and "THEN" in expected and found not in ("then",):
        return "the condition of 'if' ends with 'then'"
    if found and found.lower() in KEYWORDS and "NAME" in expected and len(expected) < 30:
        return f"'{found}' is a word of the language and cannot be a name"
    words = sorted({_WORDS.get(e, f"'{e.lower()}'") for e in expected if e != "$END" and not e.startswith("__ANON_1")})
    if found:
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
    for word in re.finditer(r"\b(if|for|do|then|else|end|sum|min|max)\b", text):
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


# ---- from Lark's tree to ours -------------------------------------------------------------------

_T = TypeVar("_T")
Place = Callable[[int, int], Span]


@v_args(meta=True)
class _Builder(Transformer[Token, Any]):
    """Each method is named after the rule of the grammar whose children it receives."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self._place = place

    def _span(self, meta: Meta) -> Span:
        return self._place(meta.start_pos, meta.end_pos)

    def _token_span(self, token: Token) -> Span:
        return self._place(token.start_pos or 0, token.end_pos or 0)

    def _spans(self, meta: Meta, name: Token) -> tuple[Span, Span]:
        """Where the whole stands, and where the name in it."""
        return self._span(meta), self._token_span(name)

    # expressions
    def name(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Name(str(items[0]), self._span(meta))

    card = name

    def number(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Number(int(items[0]), self._span(meta))

    def string(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Text(str(items[0])[1:-1], self._span(meta))

    def trick_number(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Name("trick number", self._span(meta))

    def call_function(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Apply(str(items[0]), tuple(items[1:]), self._span(meta), self._token_span(items[0]))

    def of(self, meta: Meta, items: list[Any]) -> ast.Expr:
        inner = items[1]
        arguments = inner.items if isinstance(inner, ast.Group) else (inner,)
        return ast.Apply(str(items[0]), arguments, self._span(meta), self._token_span(items[0]))

    def _words(self, function: str) -> Callable[[Meta, list[Any]], ast.Expr]:
        def build(meta: Meta, items: list[Any]) -> ast.Expr:
            span = self._span(meta)
            return ast.Apply(function, tuple(i for i in items if i is not None), span, span)

        return build

    def random_of(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._words("random")(meta, items)

    def count_of(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._words("count")(meta, items)

    def across_from(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._words("across from")(meta, items)

    def next_after(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._words("next after")(meta, items)

    def void_in(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._words("void in")(meta, items)

    def negative(self, meta: Meta, items: list[Any]) -> ast.Expr:
        span = self._span(meta)
        return ast.Binary("-", ast.Number(0, span), items[0], span)

    def _extreme(self, function: str, meta: Meta, items: list[Any]) -> ast.Expr:
        name = ast.Name(str(items[0]), self._token_span(items[0]))
        return ast.Apply(function, (name,), self._span(meta), self._span(meta))

    def lowest(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._extreme("lowest", meta, items)

    def highest(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._extreme("highest", meta, items)

    def any_(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Quantifier("any", str(items[0]), items[1], items[2], items[3], *self._spans(meta, items[0]))

    def all_(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Quantifier("all", str(items[0]), items[1], items[2], items[3], *self._spans(meta, items[0]))

    def select(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Select("all", str(items[0]), items[1], items[2], items[3], *self._spans(meta, items[0]))

    def first(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Select("first", str(items[0]), items[1], items[2], items[3], *self._spans(meta, items[0]))

    def count_where(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Fold("count", None, str(items[0]), items[1], items[2], *self._spans(meta, items[0]))

    def fold(self, meta: Meta, items: list[Any]) -> ast.Expr:
        kind = cast(Literal["sum", "min", "max"], str(items[0]))
        return ast.Fold(kind, items[1], str(items[2]), items[3], items[4], *self._spans(meta, items[2]))

    def if_expr(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.If(items[0], items[1], items[2], self._span(meta))

    def together(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Group(tuple(items), self._span(meta))

    def attribute(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Attribute(items[0], str(items[1]), self._span(meta))

    def or_expr(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Logic("or", tuple(items), self._span(meta))

    def and_expr(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Logic("and", tuple(items), self._span(meta))

    def not_(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Not(items[0], self._span(meta))

    def compare(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Compare(cast(Any, str(items[1])), items[0], items[2], self._span(meta))

    def binary(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Binary(cast(Any, str(items[1])), items[0], items[2], self._span(meta))

    def in_(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return ast.Member(items[0], items[1], self._span(meta))

    def not_in(self, meta: Meta, items: list[Any]) -> ast.Expr:
        span = self._span(meta)
        return ast.Not(ast.Member(items[0], items[-1], span), span)

    def _is(self, meta: Meta, item: ast.Expr, negated: object, what: Any) -> ast.Expr:
        found = ast.Is(item, what, self._span(meta))
        return found if negated is None else ast.Not(found, found.span)

    def is_empty(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._is(meta, items[0], items[1], "empty")

    def is_facing(self, meta: Meta, items: list[Any]) -> ast.Expr:
        return self._is(meta, items[0], items[1], f"face {items[2]}")

    def is_a(self, meta: Meta, items: list[Any]) -> ast.Expr:
        if isinstance(items[2], ast.Name) and items[2].text != "none":
            return self._is(meta, items[0], items[1], items[2])
        if isinstance(items[2], ast.Number):  # `card is 7`; of a number it is a comparison
            return self._is(meta, items[0], items[1], ast.Name(str(items[2].value), items[2].span))
        op: Literal["=", "!="] = "=" if items[1] is None else "!="
        return ast.Compare(op, items[0], items[2], self._span(meta))

    def range(self, meta: Meta, items: list[Any]) -> ast.Range:
        return ast.Range(items[0], items[-1], self._span(meta))

    def players_where(self, meta: Meta, items: list[Any]) -> ast.Expr:
        if len(items) == 1:
            return cast("ast.Expr", items[0])
        everyone = ast.Name("everyone", self._token_span(items[0]))
        return ast.Select("all", str(items[0]), everyone, items[1], None, self._span(meta), everyone.span)

    # effects
    def effect(self, meta: Meta, items: list[Any]) -> tuple[ast.Effect, ...]:
        flat: list[ast.Effect] = []
        for item in items:  # `clear a, b` is two statements
            flat.extend(item if isinstance(item, tuple) else (item,))
        return tuple(flat)

    def everything(self, meta: Meta, items: list[Any]) -> str:
        return "everything"

    def at_random(self, meta: Meta, items: list[Any]) -> tuple[str, ast.Expr]:
        return ("random", items[0])

    def facing(self, meta: Meta, items: list[Any]) -> str:
        return str(items[0])

    def one_at_a_time(self, meta: Meta, items: list[Any]) -> None:
        return None

    def in_packets(self, meta: Meta, items: list[Any]) -> tuple[ast.Expr, ...]:
        return tuple(items)

    def gathered(self, meta: Meta, items: list[Any]) -> tuple[ast.Expr, ...]:
        return tuple(items)

    def target(self, meta: Meta, items: list[Any]) -> ast.Target:
        return ast.Target(str(items[0]), items[1], self._span(meta))

    def argument(self, meta: Meta, items: list[Any]) -> ast.Argument:
        return ast.Argument(str(items[0]), items[1], self._span(meta))

    def move_some(self, meta: Meta, items: list[Any]) -> ast.Effect:
        amount, source, how, target, facing = items
        what, at_random = (None, False) if amount == "everything" else (amount[1], True)
        return ast.Move(what, at_random, source, target, str(how) == "beneath", facing, self._span(meta))

    def move_cards(self, meta: Meta, items: list[Any]) -> ast.Effect:
        what, source, how, target, facing = items
        return ast.Move(what, False, source, target, str(how) == "beneath", facing, self._span(meta))

    def deal(self, meta: Meta, items: list[Any]) -> ast.Effect:
        amount, source, target, packets = items
        count = None if amount == "everything" else amount
        return ast.Deal(count, source, target, packets, self._span(meta))

    def gather(self, meta: Meta, items: list[Any]) -> ast.Effect:
        sources = None if items[0] == "everything" else items[0]
        return ast.Gather(sources, items[1], self._span(meta))

    def shuffle(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnCards("shuffle", items[0], self._span(meta))

    def turn_up(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnCards("turn up", items[0], self._span(meta))

    def turn_down(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnCards("turn down", items[0], self._span(meta))

    def flip(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnCards("flip", items[0], self._span(meta))

    def show(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Show(items[0], items[1], self._span(meta))

    def set(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Assign("set", items[0], items[1], self._span(meta))

    def add(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Assign("add", items[1], items[0], self._span(meta))

    def subtract(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Assign("subtract", items[1], items[0], self._span(meta))

    def clear(self, meta: Meta, items: list[Any]) -> tuple[ast.Effect, ...]:
        return tuple(ast.Assign("clear", t, None, t.span) for t in items)

    def swap(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Swap(items[0], items[1], self._span(meta))

    def reverse(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Plain("reverse", self._span(meta))

    def stay(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Plain("stay", self._span(meta))

    def again(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Plain("again", self._span(meta))

    def redeal(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Plain("redeal", self._span(meta))

    def take_back(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Plain("take back fault", self._span(meta))

    def skip(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnPlayer("skip", items[0], self._span(meta))

    def pass_turn(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnPlayer("pass turn", items[0], self._span(meta))

    def reseat(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnPlayer("reseat", items[0], self._span(meta))

    def take(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnPlayer("take", items[0], self._span(meta))

    def put_back(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.OnPlayer("put back", items[0], self._span(meta))

    def set_out(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.SetOut(items[0], str(items[1]), self._span(meta))

    def call(self, meta: Meta, items: list[Any]) -> ast.Effect:
        arguments = tuple(a for a in items[1:] if a is not None)
        return ast.Call(str(items[0]), arguments, self._span(meta), self._token_span(items[0]))

    def finish(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Finish(str(items[0]), self._span(meta), self._token_span(items[0]))

    def fault(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Fault(str(items[0]), items[1], self._span(meta))

    def note(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.Note(str(items[0])[1:-1], self._span(meta))

    def if_effect(self, meta: Meta, items: list[Any]) -> ast.Effect:
        return ast.IfEffect(items[0], items[1], items[2] or (), self._span(meta))

    def for_effect(self, meta: Meta, items: list[Any]) -> ast.Effect:
        variable, domain, where, by, body = items
        return ast.ForEffect(str(variable), domain, where, by, body, *self._spans(meta, variable))

    def run(self, meta: Meta, items: list[Any]) -> ast.Effect:
        arguments = tuple(i for i in items[1:] if i is not None)
        return ast.Run(str(items[0]), arguments, self._span(meta))
