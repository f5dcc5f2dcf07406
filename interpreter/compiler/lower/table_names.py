"""What a table is called that is made of an expression, so that whoever reads the program knows what it tells."""

from __future__ import annotations

import re

from interpreter.language import typed as t
from interpreter.language.tree import replace
from interpreter.language.typed import Typed

LONGEST = 60
"""Letters of what a table is named after."""
_ATTRIBUTES = frozenset(("suit", "rank", "colour", "name"))
_WORDS = {
    "and": "and", "or": "or", "=": "is", "!=": "is_not", "<": "below", "<=": "at_most", ">": "above", ">=": "at_least",
    "in": "in", "+": "plus", "-": "minus", "*": "times",
}  # fmt: skip
"""Operation -> what stands between the names of what it is given."""
_OTHER = re.compile(r"[^A-Za-z0-9]+")


def named_after(node: Typed) -> str:
    """What a table tells that is made of an expression, in names of the ruleset and operations; empty if it has none.

    It is made of letters, digits and lines between them.
    """
    match node:
        case t.Instance(key):
            return key.partition(" ")[0].partition("(")[0]
        case t.TableRef(name) | t.VarRef(name) | t.OptionRef(name) | t.ZoneRef(name) | t.Builtin(name):
            return name
        case t.Const(value) if type(value) in (int, str):
            return _plain(str(value))
        case t.Op("matches", _, name=pattern):
            return f"is_{_plain(pattern)}"
        case t.Op("not", (t.Op("matches", _, name=pattern),)):
            return f"is_not_{_plain(pattern)}"
        case t.Op("not", (t.Op("=") as same,)):
            return named_after(replace(same, op="!="))
        case t.Op("not", (of,)):
            return _joined("not", named_after(of))
        case t.Op("numbers", (first, last)):
            return _joined("from", named_after(first), "to", named_after(last))
        case t.Op("group", (t.Local(),)):
            return f"just_{node.args[0].type.kind}"
        case t.Op("group", args):
            return _joined(*_between("or", args))
        case t.Op("-", (t.Const(0), of)):
            return _joined("minus", named_after(of))
        case t.Op(op, args) if op in _WORDS:
            return _joined(*_between(_WORDS[op], args))
        case t.Op(op) if op in _ATTRIBUTES:
            return op
        case t.Op(op, args):
            return _first(*(arg for arg in args if not isinstance(arg, t.Const))) or _plain(op)
        case t.If(condition, then, otherwise):
            return _first(*(way for way in (then, otherwise) if not isinstance(way, t.Const))) or named_after(condition)
        case t.Quant() | t.Select() | t.Fold():
            return named_after(node.domain)
        case t.Let():
            return named_after(node.body)
        case t.Words():
            return "words"
    return ""


def _first(*nodes: Typed) -> str:
    """The name of the first of some expressions that has one."""
    return next(filter(None, map(named_after, nodes)), "")


def _between(word: str, nodes: tuple[Typed, ...]) -> list[str]:
    """The names of expressions with a word between them; no word stands before one that is alone or comes first."""
    names = list(map(named_after, nodes))
    if word in ("and", "or"):
        names = list(filter(None, names))
    return [part for at, name in enumerate(names) for part in ((word, name) if at else (name,))]


def _joined(*parts: str) -> str:
    return "_".join(filter(None, parts))[:LONGEST].strip("_")


def _plain(words: str) -> str:
    return _OTHER.sub("_", words).strip("_")
