"""The functions through which Python plays machine code step by step, in LLVM.

They read what they are given and tell what they find as CPython's interface for C has it; `stepping` says what they do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.compiler.native.module import Module
from interpreter.compiler.native.native_kinds import MOST, STATE, Number
from interpreter.compiler.native.runtime import names_of
from interpreter.compiler.native.sources import plain_function
from interpreter.compiler.native.step_methods import METHODS
from interpreter.compiler.native.stepping import CALLED, FAULT, NAMES, ROOM, SLOW_NAMES
from interpreter.engine.position import Position
from interpreter.engine.program import Program

PLACES, KEPT = ("place.match", "place.memory", "place.moves", "place.history"), (
    "int", "tuple", "kind", "known", "reader", "cards", "makers",
)  # fmt: skip
"""What is said once, besides names: where slots lie; two types and the class of its states, and what makes moves or has
them."""


def steps_for(
    program: Program, template: Position, functions: dict[str, Callable[..., None]], twins: dict[Any, Any]
) -> str:
    """The LLVM of a game for play step by step. Raises NotNative if nothing of it can be.

    functions: begin, actors and standing of a match; make of it, a player and the number of a move; offers of it and a
    player. Each lays down what it tells: begin and make who decides. twins: functions -> what is compiled in their
    stead.
    """
    module = Module(program, template, twins)
    module.fresh()
    player = Number(0, program.n - 1)
    kinds = {"make": (STATE, player, Number(0, MOST)), "offers": (STATE, player)}
    made = {
        name: module.function(plain_function(function), kinds.get(name, (STATE,)))
        for name, function in functions.items()
    }
    fields = names_of(module.layout)
    words: dict[str, object] = {"N": program.n, "ROOM": ROOM + 1, "FAULT": FAULT, "MOST": MOST}
    words |= {f"AT_{name.upper()}": fields[name] for name in ("fault", "out", "seed")}
    settled = (*PLACES, *KEPT, *NAMES, *SLOW_NAMES)
    words["SETTLED"] = "\n".join(
        [
            *(f"@{name} = internal global i64 0" for name in settled),
            f"define void @settle({', '.join(f'i64 %{name}' for name in settled)}) {{",
            *(f"  store i64 %{name}, ptr @{name}" for name in settled), "  ret void", "}",
        ]
    )  # fmt: skip
    around = "\n".join([*_declared(), _MATCH, _TELLING, *map(_listing, ("actors", "standing")), _LISTS, METHODS])
    for word, value in words.items():
        around = around.replace(f"${word}$", str(value))
    for name, function in made.items():
        around = around.replace(f"@own_{name}(", f"@{function.name}(")
    return module.ir(around)


def _declared() -> list[str]:
    """What of Python's interface is called."""
    found = []
    for name, kind in CALLED.items():
        answer, _, taken = kind.partition(" ")
        found.append(f"declare {answer} @{name}{taken}")
    return found


_MATCH = """
define i64 @size() {
  %end = getelementptr %State, ptr null, i32 1
  %size = ptrtoint ptr %end to i64
  ret i64 %size
}
define ptr @new() {
  ret ptr @blank
}
@made = internal global i64 0
define ptr @number_made() {
  ret ptr @made
}
$SETTLED$
define internal ptr @slot(ptr %of, ptr %place) alwaysinline {
  %at = load i64, ptr %place
  %where = getelementptr i8, ptr %of, i64 %at
  ret ptr %where
}
define internal ptr @match_of(ptr %self) alwaysinline {
  %where = call ptr @slot(ptr %self, ptr @place.match)
  %match = load ptr, ptr %where
  %kind = call ptr @PyObject_Type(ptr %self)
  call void @Py_DecRef(ptr %kind)
  %own = load ptr, ptr @kind
  %is.own = icmp eq ptr %kind, %own
  %found = select i1 %is.own, ptr %match, ptr null
  ret ptr %found
}
define internal ptr @memory_of(ptr %match) alwaysinline {
  %where = call ptr @slot(ptr %match, ptr @place.memory)
  %memory = load ptr, ptr %where
  %s = call ptr @PyByteArray_AsString(ptr %memory)
  ret ptr %s
}
define internal ptr @at_who(ptr %s) alwaysinline {
  %tail = getelementptr %State, ptr %s, i64 1
  ret ptr %tail
}
define internal ptr @at_offered(ptr %s) alwaysinline {
  %tail = getelementptr %State, ptr %s, i64 1
  %where = getelementptr i64, ptr %tail, i64 1
  ret ptr %where
}
define internal i64 @whole(ptr %number) alwaysinline {
  %kind = call ptr @PyObject_Type(ptr %number)
  call void @Py_DecRef(ptr %kind)
  %int = load ptr, ptr @int
  %is = icmp eq ptr %kind, %int
  br i1 %is, label %read, label %none
read:
  %found = call i64 @PyLong_AsLongLong(ptr %number)
  %odd = icmp eq i64 %found, -1
  br i1 %odd, label %clear, label %after
clear:
  call void @PyErr_Clear()
  br label %none
none:
  br label %after
after:
  %answer = phi i64 [ %found, %read ], [ -1, %none ]
  ret i64 %answer
}"""
"""Where a match lies, and where the slots of the objects that hold it; a number that is given, or -1."""
_TELLING = """
define internal i64 @told_who(ptr %s, ptr %out) {
  %at.fault = getelementptr %State, ptr %s, i32 0, i32 $AT_FAULT$
  %fault = load i64, ptr %at.fault
  %fine = icmp eq i64 %fault, 0
  %at.told = getelementptr i64, ptr %out, i64 1
  %told = load i64, ptr %at.told
  %who = select i1 %fine, i64 %told, i64 $FAULT$
  %at.who = call ptr @at_who(ptr %s)
  store i64 %who, ptr %at.who
  %at.offered = call ptr @at_offered(ptr %s)
  store i64 0, ptr %at.offered
  ret i64 %who
}
define ptr @call_begin(ptr %self, ptr %args, i64 %count) {
  %out = alloca [2 x i64], align 16
  %memory = load ptr, ptr %args
  %s = call ptr @PyByteArray_AsString(ptr %memory)
  %at.arg = getelementptr ptr, ptr %args, i64 1
  %arg = load ptr, ptr %at.arg
  %seed = call i64 @PyLong_AsLongLong(ptr %arg)
  %at.seed = getelementptr %State, ptr %s, i32 0, i32 $AT_SEED$
  store i64 %seed, ptr %at.seed
  store i64 0, ptr %out
  %at.out = getelementptr %State, ptr %s, i32 0, i32 $AT_OUT$
  store ptr %out, ptr %at.out
  call void @own_begin(ptr %s)
  %who = call i64 @told_who(ptr %s, ptr %out)
  %found = call ptr @PyLong_FromLongLong(i64 %who)
  ret ptr %found
}
define internal i64 @make(ptr %s, i64 %player, i64 %number) {
  %out = alloca [2 x i64], align 16
  %known = icmp ult i64 %player, $N$
  %least = icmp ule i64 %number, $MOST$
  %both = and i1 %known, %least
  br i1 %both, label %go, label %no
go:
  %before = load i64, ptr @made
  %after = add i64 %before, 1
  store i64 %after, ptr @made
  store i64 0, ptr %out
  %at.out = getelementptr %State, ptr %s, i32 0, i32 $AT_OUT$
  store ptr %out, ptr %at.out
  call void @own_make(ptr %s, i64 %player, i64 %number)
  %who = call i64 @told_who(ptr %s, ptr %out)
  ret i64 %who
no:
  %at.who = call ptr @at_who(ptr %s)
  store i64 $FAULT$, ptr %at.who
  ret i64 $FAULT$
}
define ptr @call_play(ptr %self, ptr %args, i64 %count) {
  %memory = load ptr, ptr %args
  %s = call ptr @PyByteArray_AsString(ptr %memory)
  %at.first = getelementptr ptr, ptr %args, i64 1
  %first = load ptr, ptr %at.first
  %player = call i64 @PyLong_AsLongLong(ptr %first)
  %at.second = getelementptr ptr, ptr %args, i64 2
  %second = load ptr, ptr %at.second
  %number = call i64 @PyLong_AsLongLong(ptr %second)
  %who = call i64 @make(ptr %s, i64 %player, i64 %number)
  %found = call ptr @PyLong_FromLongLong(i64 %who)
  ret ptr %found
}
define internal i64 @words_told(ptr %s, ptr %out) {
  %at.fault = getelementptr %State, ptr %s, i32 0, i32 $AT_FAULT$
  %fault = load i64, ptr %at.fault
  store i64 0, ptr %at.fault
  %fine = icmp eq i64 %fault, 0
  %used = load i64, ptr %out
  %words = add i64 %used, 1
  %told = select i1 %fine, i64 %words, i64 0
  ret i64 %told
}
define internal ptr @bytes_of(ptr %out, i64 %words) {
  %size = mul i64 %words, 8
  %found = call ptr @PyBytes_FromStringAndSize(ptr %out, i64 %size)
  ret ptr %found
}"""
"""A match is begun and moves are made in it, by their numbers; of what is told, so many words, or 0 after a fault,
which is forgotten: nothing was changed."""


def _listing(name: str) -> str:
    """What tells a list about a match."""
    return f"""
define ptr @call_{name}(ptr %self, ptr %args, i64 %count) {{
  %memory = load ptr, ptr %args
  %s = call ptr @PyByteArray_AsString(ptr %memory)
  %out = alloca [$ROOM$ x i64], align 16
  store i64 0, ptr %out
  %at.out = getelementptr %State, ptr %s, i32 0, i32 $AT_OUT$
  store ptr %out, ptr %at.out
  call void @own_{name}(ptr %s)
  %words = call i64 @words_told(ptr %s, ptr %out)
  %found = call ptr @bytes_of(ptr %out, i64 %words)
  ret ptr %found
}}"""


_LISTS = """
define internal i64 @offers_told(ptr %s, i64 %player, ptr %out) {
  %known = icmp ult i64 %player, $N$
  br i1 %known, label %go, label %no
go:
  store i64 0, ptr %out
  %at.out = getelementptr %State, ptr %s, i32 0, i32 $AT_OUT$
  store ptr %out, ptr %at.out
  call void @own_offers(ptr %s, i64 %player)
  %words = call i64 @words_told(ptr %s, ptr %out)
  ret i64 %words
no:
  ret i64 0
}
define ptr @call_offers(ptr %self, ptr %args, i64 %count) {
  %memory = load ptr, ptr %args
  %s = call ptr @PyByteArray_AsString(ptr %memory)
  %at.first = getelementptr ptr, ptr %args, i64 1
  %first = load ptr, ptr %at.first
  %player = call i64 @PyLong_AsLongLong(ptr %first)
  %out = alloca [$ROOM$ x i64], align 16
  %words = call i64 @offers_told(ptr %s, i64 %player, ptr %out)
  %found = call ptr @bytes_of(ptr %out, i64 %words)
  ret ptr %found
}"""
"""What can be done is told as numbers."""
