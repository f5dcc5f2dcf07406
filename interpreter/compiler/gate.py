"""The gate: the one place where text becomes code, and where it is read before it runs.

What is printed holds numbers, quoted literals and made names, and nothing else of a ruleset. The gate does not rely on
that. Every compiled text is read again: its functions are just those that the printer says it has printed, with their
parameters; they use attributes from a closed list only, globals that they are handed, and locals that printers make;
they import nothing. Where a ruleset is not a shipped one, the syntax tree is read as well: required may be the forms of
expression and statement that printers use, and no others.

A text that is stopped is a fault of houserules, never of a ruleset.
"""

from __future__ import annotations

import ast
import dis
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from types import CodeType
from typing import Any

from interpreter.compiler.core import FIELDS, LOCALS, METHODS, NUMBERED
from interpreter.engine.library import SAFE

ALWAYS_READS_TREES = False
"""Whether the syntax trees of shipped rulesets are read too, as in tests."""

PIECE = 100
"""Lines that are compiled at once, or more by what a function has."""
ATTRIBUTES = METHODS | FIELDS | {"bit_count", "bit_length"}
KEYWORDS = frozenset(("default", "key"))

_LOCAL = re.compile(rf"x·[A-Za-z_]\w*(?:·\d+)?|(?:{'|'.join(NUMBERED)})\d*|\.0")
_MADE = re.compile(r"[A-Za-z_]+(?:·[A-Za-z0-9_]+)*")
_PLAIN = (int, str, bool, type(None))
"""Types of constants."""


class Stopped(Exception):
    """A text that must not run. line: where in it, from 1; None where that is not known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        self.line = line
        super().__init__(message)


def run(
    text: str,
    filename: str,
    names: dict[str, Any],
    functions: Mapping[str, tuple[str, ...]],
    aliases: Mapping[str, str],
    read_tree: bool = True,
    starts: Sequence[int] = (),
) -> None:
    """Run the text of a program: its functions come to stand among the names that they use.

    functions: all that were printed, with their parameters. aliases: further names of some of them. starts: lines at
    which functions begin, in order: between them the text is compiled in pieces.
    Raises Stopped, and what compiling raises: SyntaxError, RecursionError, MemoryError.
    """
    known = names.keys() | functions.keys() | aliases.keys()
    codes = []
    for piece in _pieces(text, starts):
        source: str | ast.Module = piece
        if read_tree or ALWAYS_READS_TREES:
            source = ast.parse(piece, filename)
            _read_tree(source, known)
        codes.append(compile(source, filename, "exec", dont_inherit=True))
    _compare(codes, functions, aliases)
    _read(codes, known)
    names["__builtins__"] = SAFE
    for code in codes:
        exec(code, names)


def _pieces(text: str, starts: Sequence[int]) -> Iterator[str]:
    """The text in pieces of some length, whose lines have the numbers that they have in the whole of it: while one is
    compiled no other thread does anything."""
    lines = text.split("\n")
    begun = 0
    for start in starts:
        if start - 1 - begun >= PIECE:
            yield "\n" * begun + "\n".join(lines[begun : start - 1]) + "\n"
            begun = start - 1
    yield "\n" * begun + "\n".join(lines[begun:])


# ---- functions and parameters --------------------------------------------------------------------------


def _compare(codes: Sequence[CodeType], functions: Mapping[str, tuple[str, ...]], aliases: Mapping[str, str]) -> None:
    """The functions of a text must be those that were printed. codes: of its pieces."""
    found: dict[str, tuple[str, ...]] = {}
    for inner in (constant for code in codes for constant in code.co_consts):
        if isinstance(inner, CodeType):
            if inner.co_name in found:
                raise Stopped(f"{inner.co_name!a} stands there twice", inner.co_firstlineno)
            found[inner.co_name] = _parameters(inner)
    for name in found.keys() | functions.keys():
        if found.get(name) != functions.get(name):
            raise Stopped(f"the function {name!a} is {found.get(name)}, and {functions.get(name)} was printed")
    for name in (*functions, *aliases):
        if _MADE.fullmatch(name) is None:
            raise Stopped(f"{name!a} is no name for a function")
    set_there = {name for code in codes for op, name in _names_used(code) if op == _STORE}
    if set_there != functions.keys() | aliases.keys():
        wrong = sorted(set_there ^ (functions.keys() | aliases.keys()))
        raise Stopped(f"other names are set than were printed: {wrong!a}")


def _parameters(code: CodeType) -> tuple[str, ...]:
    count = code.co_argcount + code.co_kwonlyargcount
    named = code.co_varnames[:count]
    return (*named, f"*{code.co_varnames[count]}") if code.co_flags & 4 else named


# ---- compiled code -------------------------------------------------------------------------------------

_FORBIDDEN = re.compile(
    "IMPORT|BUILD_CLASS|ANNOTATIONS|AWAIT|ASYNC|ANEXT|AITER|WITH|RAISE_VARARGS|DELETE|STORE_GLOBAL|MATCH|PRINT|LOCALS"
    "|CLASSDEREF|FROM_DICT|SUPER|TEMPLATE|FORMAT"
)
_FORBIDDEN_OPS = [op for name, op in dis.opmap.items() if _FORBIDDEN.search(name)]
_OF_ATTRIBUTES = frozenset(dis.opmap[name] for name in ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR") if name in dis.opmap)
_OF_GLOBALS = frozenset(dis.opmap[name] for name in ("LOAD_NAME", "LOAD_GLOBAL", "STORE_NAME"))
_STORE = dis.opmap["STORE_NAME"]
_EXTENDED = dis.opmap["EXTENDED_ARG"]
_SHIFTED = {dis.opmap["LOAD_GLOBAL"], *([dis.opmap["LOAD_ATTR"]] if sys.version_info >= (3, 12) else [])}
"""In their arguments, the number of the name begins at the second bit."""


def _step(op: int, argument: int) -> int:
    """An operation and a byte of its argument as one number, as they lie in memory."""
    return int.from_bytes((op, argument), sys.byteorder)


_FORBIDDEN_STEPS = frozenset(_step(op, argument) for op in _FORBIDDEN_OPS for argument in range(256))
_STEPS_OF_NAMES = {
    _step(op, argument): (op, argument >> (op in _SHIFTED))
    for op in _OF_ATTRIBUTES | _OF_GLOBALS
    for argument in range(256)
}
_WITH_NAMES = frozenset(_STEPS_OF_NAMES)


def _read(codes: Sequence[CodeType], known: Collection[str]) -> None:
    """Look at the names, operations and constants of code and of all code inside it."""
    todo = list(codes)
    used: set[tuple[int, str]] = set()
    held: set[str] = set()
    for inner in todo:
        used |= _names_used(inner)
        held.update(inner.co_varnames, inner.co_cellvars)
        for constant in inner.co_consts:
            if type(constant) is CodeType:
                todo.append(constant)
            elif type(constant) not in _PLAIN and not _is_plain(constant):
                raise Stopped(f"{type(constant).__name__} is no type of constant", inner.co_firstlineno)
    for name in held:
        if not _is_local(name):
            raise Stopped(f"{name!a} is no local that is printed", _line_of(name, todo))
    for op, name in used:
        if op in _OF_ATTRIBUTES:
            if name not in ATTRIBUTES:
                raise Stopped(f"the attribute {name!a} is not on the list", _line_of(name, todo))
        elif name not in known and name not in SAFE:
            raise Stopped(f"there is no {name!a} to look at", _line_of(name, todo))


def _names_used(code: CodeType) -> set[tuple[int, str]]:
    """(operation, name) wherever code looks at or sets a global or an attribute. Raises Stopped for other doings."""
    steps = set(memoryview(code.co_code).cast("H"))
    if not steps.isdisjoint(_FORBIDDEN_STEPS):
        raise Stopped("it does what no printer prints", code.co_firstlineno)
    names = code.co_names
    if len(names) < 128:
        return {(op, names[at]) for op, at in map(_STEPS_OF_NAMES.__getitem__, steps & _WITH_NAMES)}
    ops = code.co_code[::2]  # the number of a name may not fit into a byte
    numbers = {(op, _argument(code.co_code, at)) for at, op in enumerate(ops) if op in _OF_ATTRIBUTES | _OF_GLOBALS}
    return {(op, names[number >> (op in _SHIFTED)]) for op, number in numbers}


def _argument(code: bytes, at: int) -> int:
    """The argument of an operation, with what is written of it before."""
    argument, weight = code[2 * at + 1], 8
    while at and code[2 * at - 2] == _EXTENDED:
        at -= 1
        argument |= code[2 * at + 1] << weight
        weight += 8
    return argument


def _line_of(name: str, codes: Sequence[CodeType]) -> int:
    """Where in a text the code begins that has a name."""
    having = (c for c in codes if name in c.co_names or name in c.co_varnames or name in c.co_cellvars)
    return max(code.co_firstlineno for code in having)


def _is_plain(constant: object) -> bool:
    if isinstance(constant, tuple | frozenset):
        return all(map(_is_plain, constant))
    return type(constant) in _PLAIN


# ---- the syntax tree -----------------------------------------------------------------------------------

_NODES = frozenset(
    (
        "Module FunctionDef arguments arg Return Assign AugAssign Expr For While If Pass Continue "
        "BoolOp And Or UnaryOp Not Invert USub BinOp Add Sub Mult FloorDiv Mod LShift RShift BitOr BitXor BitAnd "
        "Compare Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn IfExp Lambda GeneratorExp ListComp comprehension "
        "Call keyword Starred Attribute Subscript Slice Name Load Store Constant List Tuple Dict"
    ).split()
)


_FORMS = frozenset(getattr(ast, name) for name in _NODES)
_LEAVES = frozenset(form for form in _FORMS if not form._fields)
_LOOKED_AT = frozenset((ast.Name, ast.arg, ast.Attribute, ast.keyword, ast.Constant, ast.FunctionDef))


def _read_tree(tree: ast.AST, known: Collection[str]) -> None:
    """Look at the forms and names of a syntax tree."""
    nodes = [tree]
    for node in nodes:
        form = type(node)
        wrong = _wrong(node, known) if form in _LOOKED_AT else ""
        if form not in _FORMS:
            wrong = f"the form {form.__name__}"
        if wrong:
            raise Stopped(f"{wrong} is not on the list", getattr(node, "lineno", None))
        for field in form._fields:
            value = getattr(node, field, None)
            if type(value) is list:
                nodes += [inner for inner in value if isinstance(inner, ast.AST)]
            elif type(value) not in _LEAVES and isinstance(value, ast.AST):
                nodes.append(value)


def _wrong(node: ast.AST, known: Collection[str]) -> str:
    """What is not on the list in a node whose form is; "" if nothing."""
    match node:
        case ast.Name(name) | ast.arg(name):
            return "" if name in known or name in SAFE or _is_local(name) else f"the name {name!a}"
        case ast.Attribute(_, name):
            return f"the attribute {name!a}" if name not in ATTRIBUTES else ""
        case ast.keyword(name):
            return "" if name in KEYWORDS else f"the keyword {name!a}"
        case ast.Constant(value):
            return "" if isinstance(value, _PLAIN) else f"a constant of type {type(value).__name__}"
        case ast.FunctionDef() if node.decorator_list or node.returns:
            return "a function with more than its parameters and body"
    return ""


@lru_cache(maxsize=10_000)
def _is_local(name: str) -> bool:
    return name in LOCALS or _LOCAL.fullmatch(name) is not None
