"""Short texts of the effect language become syntax trees, by grammar/effects.lark (LALR(1), tables made by Lark)."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, cast

from interpreter.base.diagnostics import Report, Span
from interpreter.base.memory import no_collecting
from interpreter.language import parser_tables
from interpreter.language import syntax as ast
from interpreter.language.quick_parser import QuickParser
from interpreter.language.source import MAX_NAME, Scalar
from interpreter.language.tree import TreeNode, fields, replace
from interpreter.language.tree_builder import TreeBuilder

if TYPE_CHECKING:
    from lark import Lark

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
_LONG = re.compile(rf'"[^"\n]*"|[A-Za-z_]\w{{{MAX_NAME},}}|[0-9]{{{MAX_DIGITS + 1},}}', re.ASCII)
"""Names with too many letters, numbers with too many digits, and quoted words, which hold none."""
_CHAINS = [re.compile(word) for word in (r"\bif\b", r"\bnot\b", r"\bof\b", r"\bfor\b", r"-")]
"""What recurses wherever it stands."""
_BRACKET = re.compile(r"[()]")


@cache
@no_collecting()
def _quick() -> QuickParser | None:
    """What reads texts that are right; None while somebody works on the grammar."""
    tables = parser_tables.kept()
    return None if tables is None else QuickParser(tables, parser_tables.STARTS)


@cache
@no_collecting()
def _parser() -> Lark:
    """Lark's parser of the effect language, made when the first text is read that is wrong."""
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


def parse_open_range(source: Scalar, report: Report) -> tuple[ast.Expr, ast.Expr | None] | None:
    """Parse `a..b`, a single value (twice), `..b`, which begins with 0, or `a..`, which has no upper end (None)."""
    text = source.text.rstrip()
    if text.startswith("..") and text.count("..") == 1:
        high = _parse_piece(source, 2, len(text), "expr", report)
        return None if high is None else (ast.Number(0, high.span), high)
    if text.endswith("..") and text.count("..") == 1:
        low = _parse_piece(source, 0, len(text) - 2, "expr", report)
        return None if low is None else (low, None)
    found = parse_range(source, report)
    return None if found is None else (found.low, found.high)


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
    if len(text) > MAX_DEPTH and (len(text) > MAX_TEXT or _depth(text) > MAX_DEPTH):
        return _too_deep(source, report)
    for found in _LONG.finditer(text) if len(text) > MAX_DIGITS else ():
        if found[0][0] != '"':
            return _too_long(source.place(begin + found.start(), len(found[0])), found[0], report)
    builder, quick = TreeBuilder(lambda a, b: source.place(begin + a, b - a)), _quick()
    known = None if quick is None else quick.parse(text, start, builder)
    if known is not None:
        found, tokens = known
        return _too_deep(source, report) if tokens >= MAX_LEVELS // 2 and _levels(found) > MAX_LEVELS else found
    return _read_carefully(source, begin, end, start, report, builder)


def _read_carefully(source: Scalar, begin: int, end: int, start: Start, report: Report, builder: TreeBuilder) -> Any:
    """Read a text as Lark does: it knows what is wrong with it."""
    from lark import UnexpectedInput

    from interpreter.language.parse_errors import explain

    text = source.text[begin:end]
    try:
        tree = _parser().parse(text, start=start)
    except UnexpectedInput as error:
        explain(error, text, source, begin, report, start)
        return None
    try:
        found = _built(tree, builder)
    except RecursionError:
        return _too_deep(source, report)
    return _too_deep(source, report) if _levels(found) > MAX_LEVELS else found


def _built(part: Any, builder: TreeBuilder) -> Any:
    """Our tree of Lark's, which is of words, rules and what is left out."""
    if part is None or isinstance(part, str):
        return part
    return getattr(builder, part.data)(part.meta, [_built(child, builder) for child in part.children])


def _too_long(place: Span, word: str, report: Report) -> None:
    """A name or a number has more signs than are read."""
    if word[0].isdigit():
        report.error("E404", place, f"a number may have at most {MAX_DIGITS} digits")
        return
    message = f"'{word[:40]}...' has {len(word):,} letters, and the most is {MAX_NAME}"
    report.error("E206", place, message, f"give it a name of {MAX_NAME} letters at most")


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
    for sign in _BRACKET.findall(text):
        depth += 1 if sign == "(" else -1
        deepest = max(deepest, depth)
    chains = [len(chain.findall(text)) for chain in _CHAINS]
    return max(deepest, max(chains) // 8)
