"""The core as Python: each kind of node has one way to be written, and nothing is decided here.

Lines are no longer than `WIDTH`. Every statement stands in lines of its own, and the place in the ruleset from which it
came is known by the first of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from interpreter.base.diagnostics import Span
from interpreter.compiler import core as c
from interpreter.compiler.core import Expr, Statement
from interpreter.engine.events import Passages

WIDTH = 120
INDENT = "    "
_BREAK = "\x00"
"""Where a long line may be broken; it stands in no literal, since these are printed by `ascii`."""
_LITERAL = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_LONG = 80
"""Letters of a text in one piece."""

_LAMBDA, _IF, _OR, _AND, _NOT, _COMPARE = range(6)
_UNARY, _NUMBER, _ATOM = 12, 13, 14
"""Behind a number stands no dot."""
_BINDING = {"|": 6, "^": 7, "&": 8, "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "//": 11, "%": 11}
"""How closely operators of Python bind."""
_JOINS = frozenset("|&^+")
"""Operators in a row of which it does not matter, or is clear, which comes first."""


def text_of(node: Expr) -> str:
    """An expression in one line."""
    return _show(node, _LAMBDA).replace(_BREAK, "")


# ---- expressions ----------------------------------------------------------------------------------------


def _show(node: Expr, around: int) -> str:
    """An expression inside something that binds so closely."""
    binding, text = _FORMS[type(node)](node)
    return f"({text})" if binding < around else text


def _list(nodes: Iterable[Expr]) -> str:
    return f", {_BREAK}".join([_show(node, _LAMBDA) for node in nodes])


def _lit(node: c.Lit) -> tuple[int, str]:
    value = node.value
    if isinstance(value, str) and len(value) > _LONG:
        pieces = [ascii(value[at : at + _LONG]) for at in range(0, len(value), _LONG)]
        return _ATOM, f"({f' {_BREAK}'.join(pieces)})"
    if isinstance(value, tuple):
        inner = f", {_BREAK}".join([_lit(c.Lit(part))[1] for part in value])
        return _ATOM, f"({inner},)" if len(value) == 1 else f"({inner})"
    if type(value) is int:
        return (_UNARY if value < 0 else _NUMBER), ascii(value)
    return _ATOM, ascii(value)


def _key(node: Expr) -> str:
    """What stands between brackets: there, a group needs none around it."""
    if isinstance(node, c.Tuple) and len(node.items) > 1:
        return _list(node.items)
    return _show(node, _IF)


def _op(node: c.Op) -> tuple[int, str]:
    binding = _BINDING[node.op]
    right = binding if node.op in _JOINS and isinstance(node.right, c.Op) and node.right.op == node.op else binding + 1
    return binding, f"{_show(node.left, binding)} {_BREAK}{node.op} {_show(node.right, right)}"


def _between(node: c.Between) -> tuple[int, str]:
    low, of, high = (_show(part, _COMPARE + 1) for part in (node.low, node.of, node.high))
    return _COMPARE, f"{low} <= {of} <= {high}"


def _joined(node: c.And | c.Or) -> tuple[int, str]:
    binding, word = (_AND, "and") if isinstance(node, c.And) else (_OR, "or")
    return binding, f" {_BREAK}{word} ".join([_show(part, binding) for part in node.parts])


def _if(node: c.If) -> tuple[int, str]:
    then, test, otherwise = _show(node.then, _OR), _show(node.test, _OR), _show(node.otherwise, _IF)
    return _IF, f"{then} {_BREAK}if {test} {_BREAK}else {otherwise}"


def _lambda(node: c.Lambda) -> tuple[int, str]:
    params = f" {', '.join(node.params)}" if node.params else ""
    return _LAMBDA, f"lambda{params}: {_show(node.body, _IF)}"


def _members(variable: str, domain: Expr, where: Expr | None) -> str:
    test = "" if where is None else f" {_BREAK}if {_show(where, _OR)}"
    return f"{_BREAK}for {variable} in {_show(domain, _OR)}{test}"


def _loop(node: c.Loop) -> tuple[int, str]:
    inner = f"{_show(node.value, _IF)} {_members(node.variable, node.domain, node.where)}"
    match node.kind:
        case "list":
            return _ATOM, f"[{inner}]"
        case "first":
            return _ATOM, f"next(({inner}), None)"
        case "count":
            return _ATOM, f"sum({inner})"
    return _ATOM, f"{node.kind}({inner})"


def _ordered(node: c.Ordered) -> tuple[int, str]:
    inner = f"({node.variable} {_members(node.variable, node.domain, node.where)})"
    key = f"{_BREAK}key=lambda {node.variable}: {_show(node.by, _IF)}"
    return _ATOM, f"sorted({inner}, {key})" if node.kind == "all" else f"min({inner}, {key}, default=None)"


def _fold(node: c.Fold) -> tuple[int, str]:
    default = "" if node.kind == "sum" else ", default=0"
    return _ATOM, f"{node.kind}({_show(node.of, _IF)}{default})"


def _cases(node: c.Cases) -> tuple[int, str]:
    rows = zip(node.numbers, node.values, strict=True)
    return _ATOM, f"{{{f', {_BREAK}'.join(f'{number}: {_show(value, _IF)}' for number, value in rows)}}}"


def _low_bit(node: c.LowBit) -> tuple[int, str]:
    of = _show(node.of, _UNARY)
    return _BINDING["&"], f"{of} & -{of}"


def _end(node: c.End) -> tuple[int, str]:
    cards = _show(node.cards, _ATOM)
    return _IF, f"{cards}[{node.at}] if {cards} else None"


_FORMS: dict[type[Expr], Callable[[Any], tuple[int, str]]] = {
    c.Lit: _lit,
    **dict.fromkeys((c.Name, c.Table, c.Ref), lambda node: (_ATOM, node.name)),
    c.Field: lambda node: (_ATOM, f"{node.of}.{node.name}"),
    c.Zone: lambda node: (_ATOM, f"z[{_show(node.at, _IF)}]"),
    c.Zones: lambda node: (_ATOM, f"z[{_show(node.low, _IF)}:{_show(node.high, _IF)}]"),
    c.Slot: lambda node: (_ATOM, f"v[{_show(node.at, _IF)}]"),
    c.Slots: lambda node: (_ATOM, f"v[{node.low}:{node.high}]"),
    c.Item: lambda node: (_ATOM, f"{_show(node.of, _ATOM)}[{_key(node.at)}]"),
    c.Call: lambda node: (_ATOM, f"{node.function}({_BREAK if node.args else ''}{_list(node.args)})"),
    c.Called: lambda node: (_ATOM, f"{_show(node.of, _ATOM)}({_list(node.args)})"),
    c.Method: lambda node: (_ATOM, f"{_show(node.of, _ATOM)}.{node.name}({_list(node.args)})"),
    c.Spread: lambda node: (_ATOM, f"*{_show(node.of, _COMPARE + 1)}"),
    c.Op: _op,
    c.Compare: lambda n: (_COMPARE, f"{_show(n.left, _COMPARE + 1)} {n.op} {_show(n.right, _COMPARE + 1)}"),
    c.Between: _between,
    c.Not: lambda node: (_NOT, f"not {_show(node.of, _NOT)}"),
    c.Negative: lambda node: (_UNARY, f"-{_show(node.of, _UNARY)}"),
    c.Inverted: lambda node: (_UNARY, f"~{_show(node.of, _UNARY)}"),
    c.And: _joined,
    c.Or: _joined,
    c.If: _if,
    c.Lambda: _lambda,
    c.Loop: _loop,
    c.Ordered: _ordered,
    c.Fold: _fold,
    c.Tuple: lambda node: (_ATOM, f"({_list(node.items)}{',' if len(node.items) == 1 else ''})"),
    c.List: lambda node: (_ATOM, f"[{_list(node.items)}]"),
    c.Cases: _cases,
    c.Repeat: lambda node: (_BINDING["*"], f"[{_show(node.value, _IF)}] * {node.times}"),
    c.CountBits: lambda node: (_ATOM, f"{_show(node.of, _ATOM)}.bit_count()"),
    c.LowBit: _low_bit,
    c.BitNumber: lambda node: (_BINDING["-"], f"{_show(node.of, _ATOM)}.bit_length() - 1"),
    c.End: _end,
}
"""How closely what is written for a node binds, and its text."""


# ---- statements -----------------------------------------------------------------------------------------


class PythonPrinter:
    """Prints parts of a program, and keeps from where in the ruleset each line came."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.spans: dict[int, Span] = {}
        self.starts: list[int] = []
        """The lines at which functions begin."""

    def program(self, parts: Sequence[c.Part]) -> str:
        for part in parts:
            match part:
                case c.Remark(text):
                    self.lines.append(_remark(text) if text else "")
                case c.Alias(name, of):
                    self.lines.append(f"{name} = {of}")
                case c.Function(name, params, body, span):
                    self.starts.append(len(self.lines) + 1)
                    self._line(f"def {name}({f', {_BREAK}'.join(params)}):", 0, span)
                    self._block(body, 1)
        return "\n".join(self.lines) + "\n"

    def _block(self, body: Sequence[Statement], depth: int) -> None:
        for statement in body:
            self._statement(statement, depth)
        if not body:
            self.lines.append(INDENT * depth + "pass")

    def _statement(self, node: Statement, depth: int, word: str = "if") -> None:
        match node:
            case c.Set(target, value, span, note):
                self._line(f"{_target(target)} = {_outermost(value)}", depth, span, note)
            case c.Update(target, op, value, span, note):
                self._line(f"{_target(target)} {op}= {_outermost(value)}", depth, span, note)
            case c.Do(value, span, note):
                self._line(_outermost(value), depth, span, note)
            case c.Return(value, span, note):
                self._line(f"return {_outermost(value)}", depth, span, note)
            case c.Continue(span, note):
                self._line("continue", depth, span, note)
            case c.When(test, then, otherwise, span, note):
                self._line(f"{word} {_outermost(test)}:", depth, span, note)
                self._block(then, depth + 1)
                match otherwise:
                    case [c.When() as further]:
                        self._statement(further, depth, "elif")
                    case [_, *_]:
                        self.lines.append(INDENT * depth + "else:")
                        self._block(otherwise, depth + 1)
            case c.Each(variables, domain, body, span, note):
                self._line(f"for {', '.join(variables)} in {_outermost(domain)}:", depth, span, note)
                self._block(body, depth + 1)
            case c.While(test, body, span, note):
                self._line(f"while {_outermost(test)}:", depth, span, note)
                self._block(body, depth + 1)
            case _:
                raise AssertionError(f"{type(node).__name__} is nothing in Python")

    def _line(self, text: str, depth: int, span: Span | None, note: str = "") -> None:
        """A statement, in several lines if it is long. note: a comment, behind it or before it."""
        margin = INDENT * depth
        flat = text.replace(_BREAK, "")
        comment = f"  {_remark(note)}" if note else ""
        if len(margin) + len(flat) + len(comment) > WIDTH and note:
            self.lines.append((margin + _remark(note))[:WIDTH])
            comment = ""
        if span is not None and span.line:
            self.spans[len(self.lines) + 1] = span
        if len(margin) + len(flat) + len(comment) <= WIDTH:
            self.lines.append(margin + flat + comment)
        else:
            self.lines += _broken(text, margin)


def _broken(text: str, margin: str) -> list[str]:
    """A long statement in several lines, which are broken in outer brackets rather than in inner ones."""
    pieces = text.split(_BREAK)
    depths, depth = [], 0
    for piece in pieces[:-1]:
        for sign in _LITERAL.sub("", piece):
            depth += (sign in "([{") - (sign in ")]}")
        depths.append(depth)
    found = [margin]
    _lay(pieces, depths, margin + INDENT * 2, found)
    return found


def _lay(pieces: list[str], depths: list[int], margin: str, found: list[str]) -> None:
    """Add pieces to the last of some lines, or to further ones. depths: how many brackets are open between pieces."""
    whole = "".join(pieces)
    if len(found[-1]) + len(whole.rstrip()) <= WIDTH:
        found[-1] += whole
        return
    if found[-1].strip() and len(margin) + len(whole.rstrip()) <= WIDTH:
        found[-1] = found[-1].rstrip()
        found.append(margin + whole)
        return
    if not depths:
        found[-1] += whole
        return
    outermost, at = min(depths), 0
    for end in [n + 1 for n, depth in enumerate(depths) if depth == outermost] + [len(pieces)]:
        _lay(pieces[at:end], depths[at : end - 1], margin, found)
        at = end


def _outermost(node: Expr) -> str:
    """An expression that is all of what follows a word: in brackets, should it have to be broken."""
    binding, text = _FORMS[type(node)](node)
    if _BREAK not in text or len(text) < WIDTH // 2:
        return text.replace(_BREAK, "")
    return text if binding == _ATOM else f"({_BREAK}{text})" if len(text) > WIDTH - 40 else text.replace(_BREAK, "")


def _target(node: Expr) -> str:
    if isinstance(node, c.Tuple):
        return ", ".join(_show(item, _ATOM) for item in node.items) + ("," if len(node.items) == 1 else "")
    return _show(node, _ATOM).replace(_BREAK, "")


def _remark(text: str) -> str:
    """A comment, whatever the text: no sign in it can end the line."""
    return "# " + "".join(sign if sign.isprintable() else " " for sign in text)


# ---- tables ---------------------------------------------------------------------------------------------


def table_lines(name: str, value: object) -> list[str]:
    """A table with its rows, for people to read."""
    if isinstance(value, Span):
        return [_remark(f"{name} is {value.file.rsplit('/', 1)[-1]}:{value.line}")]
    if isinstance(value, Passages):
        return [f"{name} = Passages(CARDS, PLACES)"]
    if not isinstance(value, tuple | dict | range | int | str):
        return [_remark(f"{name}: what has been asked and answered")]
    return _broken(f"{name} = {_value(value)}", "")


def _value(value: object) -> str:
    if isinstance(value, tuple):
        inner = f", {_BREAK}".join(map(_value, value))
        return f"({inner},)" if len(value) == 1 else f"({_BREAK}{inner})"
    if isinstance(value, dict):
        return f"{{{_BREAK}{f', {_BREAK}'.join(f'{_value(key)}: {_value(row)}' for key, row in value.items())}}}"
    return ascii(value)
