"""Functions of the engine and of programs as syntax trees: what runs in Python is what native code is made of."""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

from interpreter.compiler.made import is_of_program
from interpreter.compiler.native.not_native import NotNative

Tree = ast.FunctionDef | ast.Lambda
UNASKED_FIELDS = frozenset(("ctx", "op", "ops", "annotation", "returns", "type_comment", "attr", "id", "arg", "name"))
"""Of nodes: there is nothing below that is looked for."""


OWN_NAMES = frozenset((ast.Lambda, ast.FunctionDef, ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.SetComp))
"""What sets names of its own."""
LEAVES = frozenset((ast.Name, ast.Constant))
"""What has nothing below it."""
CHANGES = frozenset(("append", "pop", "remove", "insert", "sort", "reverse", "extend", "clear"))
"""Methods that change a list where it is."""


_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}


def _asked_fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of nodes of a type in which there can be others that are looked for."""
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(name for name in kind._fields if name not in UNASKED_FIELDS)
    return _FIELDS[kind]


def below(node: ast.AST) -> list[ast.AST]:
    """The nodes right below one, contexts, operators and annotations apart."""
    known, found = vars(node), []
    for name in _asked_fields(type(node)):
        value = known.get(name)
        if value.__class__ is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def within(*nodes: ast.AST) -> list[ast.AST]:
    """Nodes and all that is below them, as `below` finds it."""
    found = list(nodes)
    for node in found:
        if type(node) not in LEAVES:
            found += below(node)
    return found


@lru_cache(maxsize=1024)
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


@lru_cache(maxsize=1024)
def _functions_of(text: str) -> dict[int, list[Tree]]:
    """Line -> the functions with names that begin there, decorators among them."""
    found: dict[int, list[Tree]] = {}
    todo: list[ast.stmt] = list(_parsed(text).body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found.setdefault(first, []).append(node)
        for part in ("body", "orelse", "handlers", "finalbody"):
            todo += getattr(node, part, ())
    return found


@lru_cache(maxsize=1024)
def _lambdas_of(text: str) -> dict[int, list[Tree]]:
    """Line -> the functions without names that stand there."""
    found: dict[int, list[Tree]] = {}
    for node in within(_parsed(text)):
        if isinstance(node, ast.Lambda):
            found.setdefault(node.lineno, []).append(node)
    return found


def plain_function(function: Any) -> FunctionType:
    """What a function is below what remembers its answers or wraps it. Raises NotNative."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    if not isinstance(function, FunctionType):
        raise NotNative(f"'{getattr(function, '__name__', function)}' is no function of Python")
    return function


@lru_cache(maxsize=4096)
def tree_of(code: CodeType) -> Tree:
    """The tree of a function. Raises NotNative if its text is not there."""
    lines = linecache.getlines(code.co_filename)
    if not lines:
        try:
            lines = inspect.getsourcelines(code)[0]
        except OSError as error:
            raise NotNative("the text of the engine is not there") from error
    if not is_of_program(code.co_filename):  # of which all is asked for
        try:
            return _found_in(_around(lines, code.co_firstlineno - 1), code)
        except (SyntaxError, NotNative):
            pass  # what looks like the end of it is none
    return _found_in("".join(lines), code)


def _found_in(text: str, code: CodeType) -> Tree:
    """The tree of a function in a text that begins where its file does. Raises NotNative if it is not there."""
    names = code.co_varnames[: code.co_argcount]
    trees = _lambdas_of if code.co_name == "<lambda>" else _functions_of
    for tree in trees(text).get(code.co_firstlineno, ()):
        own = getattr(tree, "name", "<lambda>")
        if own == code.co_name and tuple(a.arg for a in tree.args.args) == names:
            return tree
    raise NotNative(f"the text of '{code.co_name}' is not there")


def _around(lines: list[str], at: int) -> str:
    """What stands around a line from margin to margin, after as many empty lines as there are lines before it."""
    first = at
    while first > 0 and not _is_at_margin(lines[first]):
        first -= 1
    end = first + 1
    while end < len(lines) and (lines[end - 1].startswith("@") or not _is_at_margin(lines[end])):
        end += 1
    return "\n" * first + "".join(lines[first:end])


def _is_at_margin(line: str) -> bool:
    """Whether something begins with a line that is within nothing else."""
    return line[0] not in " \n\t#)]}"


def global_of(function: FunctionType, name: str) -> Any:
    """What a name means in a function that does not set it. Raises NotNative."""
    free = function.__code__.co_freevars
    if name in free and function.__closure__ is not None:
        return function.__closure__[free.index(name)].cell_contents
    if name in function.__globals__:
        return function.__globals__[name]
    builtins: Any = sys.modules["builtins"]
    if hasattr(builtins, name):
        return getattr(builtins, name)
    raise NotNative(f"'{name}' is not known")


def is_printed(function: FunctionType) -> bool:
    """Whether a function is of a program, and not of the engine."""
    return is_of_program(function.__code__.co_filename)


def body_of(tree: Tree) -> list[ast.stmt]:
    """What a function does; that of a lambda is what it returns."""
    if isinstance(tree, ast.Lambda):
        return [ast.copy_location(ast.Return(tree.body), tree.body)]
    return tree.body


def defaults_of(function: FunctionType) -> dict[str, Any]:
    """Parameter -> what it is where nothing is handed over."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    values = function.__defaults__ or ()
    return dict(zip(names[len(names) - len(values) :], values, strict=True))


@lru_cache(maxsize=64)
def stored_in(text: str) -> frozenset[str]:
    """The fields of the match that functions of a program set or add to, in any way."""
    found = set()
    for node in within(_parsed(text)):
        if isinstance(node, ast.Attribute) and (node.attr == "calls" or isinstance(node.ctx, ast.Store)):
            found.add(node.attr)
    return frozenset(found)


@lru_cache(maxsize=64)
def names_of(text: str) -> frozenset[str]:
    """The names that functions of a program ask for or set."""
    return frozenset(node.id for node in within(_parsed(text)) if isinstance(node, ast.Name))


@dataclass(frozen=True, slots=True)
class Names:
    """What is asked for and set in a function or a loop.

    asked: names, but for what is said where it stops the match. set: the names that it sets, those of comprehensions
    apart. changed: the locals whose lists are changed where they are. assigned: what is set to something else: names of
    fields, and of what places or members are set of, with brackets.
    """

    asked: frozenset[str]
    set: frozenset[str]
    changed: frozenset[str]
    assigned: frozenset[str]


def names_in(node: ast.AST) -> Names:
    return fact(node, "·names", lambda: _find_names(node))  # type: ignore[no-any-return]


def _find_names(root: ast.AST) -> Names:
    asked, own, changed, assigned = set(), set(), set(), set()
    todo = [(root, True, True)]  # whether names are asked for there, and set
    for node, asks, sets in todo:
        kind = type(node)
        if kind is ast.Name:
            if type(node.ctx) is not ast.Load:  # type: ignore[attr-defined]
                if sets:
                    own.add(node.id)  # type: ignore[attr-defined]
            elif asks:
                asked.add(node.id)  # type: ignore[attr-defined]
        if kind in LEAVES:
            continue
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in CHANGES:
                changed.add(name)
            case ast.Attribute(ctx=ast.Store()):
                assigned.add(base_of(node))
            case ast.Subscript() if type(node.ctx) is not ast.Load:
                if isinstance(node.value, ast.Name):
                    changed.add(node.value.id)
                if type(node.ctx) is ast.Store:
                    assigned.add(base_of(node))
            case ast.AugAssign(target=ast.Name(id=name)):
                changed.add(name)
                if asks:
                    asked.add(name)
        asks, sets = asks and kind is not ast.Raise, sets and (kind not in OWN_NAMES or node is root)
        todo += [(part, asks, sets) for part in below(node)]
    return Names(frozenset(asked), frozenset(own), frozenset(changed), frozenset(assigned))


def base_of(node: ast.Attribute | ast.Subscript) -> str:
    """What is asked for or set, as `Names.assigned` has it."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return f"{ast.unparse(node.value).rpartition('.')[2]}[]"


def fact(node: ast.AST, name: str, find: Callable[[], Any]) -> Any:
    """What is true of a tree, found out once."""
    known = vars(node)
    if name not in known:
        known[name] = find()
    return known[name]


def forget() -> None:
    """Let go of all that was read."""
    for kept in (_parsed, _functions_of, _lambdas_of, tree_of):
        kept.cache_clear()
