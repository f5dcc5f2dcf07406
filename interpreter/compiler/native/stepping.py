"""Machine code that plays a match decision by decision, as functions that Python calls without a go-between.

A match is the memory of a bytearray, and a copy of it another bytearray. The functions are made for Python's own way of
calling functions of C, as the stable interface of CPython has it, so that a call costs hardly more than the play.
"""

from __future__ import annotations

import ctypes
import struct
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from interpreter.compiler.native.machine_code import Code, Made
from interpreter.compiler.native.not_native import NotNative

ROOM = 4096
"""Words that there is room for in what is told; a match that has more to tell the Python lane plays."""
FAULT = -2
"""In place of who decides: the Python lane has to go on."""
CALLED = {
    "PyByteArray_AsString": "ptr (ptr)", "PyBytes_FromStringAndSize": "ptr (ptr, i64)", "PyTuple_New": "ptr (i64)",
    "PyTuple_Size": "i64 (ptr)", "PyTuple_GetItem": "ptr (ptr, i64)", "PyTuple_SetItem": "i32 (ptr, i64, ptr)",
    "PyLong_AsLongLong": "i64 (ptr)", "PyLong_FromLongLong": "ptr (i64)", "PyBool_FromLong": "ptr (i64)",
    "PyList_New": "ptr (i64)", "PyList_SetItem": "i32 (ptr, i64, ptr)", "PyErr_Clear": "void ()",
    "PyDict_GetItemWithError": "ptr (ptr, ptr)", "PyObject_Type": "ptr (ptr)", "Py_IncRef": "void (ptr)",
    "Py_DecRef": "void (ptr)", "PyObject_GetAttr": "ptr (ptr, ptr)", "PyObject_CallNoArgs": "ptr (ptr)",
    "PyObject_Vectorcall": "ptr (ptr, ptr, i64, ptr)",
}  # fmt: skip
"""What of Python's interface is called, and what it is."""
FAST_CALL, WITH_NAMES = 0x80, 0x02
"""Of a function of C: it takes an array of its arguments and their number; and the names of some."""
NAMES = "actors", "legal_moves", "place_of", "play"
"""What is asked of a state and of moves."""
SLOW_NAMES = "slow_actors", "slow_legal_moves", "slow_play"
"""What is asked of a state for that which machine code leaves to Python, as machine code calls it."""
TAIL = struct.Struct("2q")
"""What is at the end of the memory of a match."""


Table = tuple[tuple[Any, ...], ...]
"""Something for each action of a game, by its number, or nothing."""


class Method(ctypes.Structure):
    """How Python is told of a function of C."""

    _fields_ = (
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p),
    )  # fmt: skip


class Getter(ctypes.Structure):
    """How Python is told of a property of C."""

    _fields_ = (
        ("name", ctypes.c_char_p), ("get", ctypes.c_void_p), ("set", ctypes.c_void_p), ("doc", ctypes.c_char_p),
        ("closure", ctypes.c_void_p),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Base:
    """Of what a class of states is made that are machine code.

    state: a class with the slot `slot` for an object of the class `match`, and the methods `slow`: how it calls those
    that do what the machine code does not, in the order of SLOW_NAMES. match: has slots `memory`, `moves` and
    `history`.
    """

    state: type[Any]
    match: type[Any]
    slot: str
    slow: tuple[str, str, str]


class Steps(Code):
    """Machine code of one game that plays step by step, as functions of Python and as methods of a class.

    A match is a bytearray that `blank` was copied into. At its end, behind what the machine code keeps, two words are
    for everybody: who decides (0 where the match is over, else the player and 1; -1 where `actors` has to be asked;
    FAULT where it cannot go on here, after which its memory is worth nothing), and who was last told what can be done
    since the last move (the player and 1; its opposite where those moves are no tuple; 0 for nobody).

    moves: how many were made in all matches.

    begin(match, seed): a new match up to its first decision; play(match, player, at): make a move by its number; both
    tell who decides. offers(match, player), actors(match), standing(match): what can be done, who decides, how it
    stands, as bytes: words, behind how many there are; no bytes at all are a fault, which changes nothing.
    """

    def __init__(self, made: Made) -> None:
        super().__init__(made)
        size = ctypes.CFUNCTYPE(ctypes.c_int64)(self._address("size"))()
        blank, moves = (ctypes.CFUNCTYPE(ctypes.c_void_p)(self._address(name))() for name in ("new", "number_made"))
        self.tail = size
        self.moves = ctypes.c_int64.from_address(moves)
        self.blank = ctypes.string_at(blank, size) + TAIL.pack(0, 0)
        self.begin: Callable[[bytearray, int], int] = self._function("begin")
        self.play: Callable[[bytearray, int, int], int] = self._function("play")
        self.offers: Callable[[bytearray, int], bytes] = self._function("offers")
        self.actors: Callable[[bytearray], bytes] = self._function("actors")
        self.standing: Callable[[bytearray], bytes] = self._function("standing")

    def _address(self, name: str) -> int:
        found: int = self.made.engine.get_function_address(name)
        return found

    def _function(self, name: str) -> Any:
        """A function of Python's. It keeps alive what it needs: the code, and how Python is told of it."""
        method = Method(name.encode(), self._address(f"call_{name}"), FAST_CALL, None)
        make = ctypes.pythonapi.PyCFunction_NewEx
        make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
        return make(ctypes.addressof(method), (self.made, method), None)

    def kind(
        self, base: Base, known: dict[bytes, Any], reader: Callable[[bytes], Any], cards: Table, makers: Table
    ) -> type[Any]:
        """A class of states of this game, which has `over`, `actors`, `legal_moves` and `play` from the machine code.

        known: what `offers` tells -> the moves that were made of it, a tuple. reader: makes them of it; what is no
        tuple has a `place_of`. cards, makers: of actions alone whose cards fit one word, the moves with each card; and
        what makes the moves with several of some, no tuple: of these cards, the least and the most number. Raises
        NotNative.
        """
        slots = ("memory", "moves", "history")
        places = (place_in(base.state, base.slot), *(place_in(base.match, name) for name in slots))
        names = [sys.intern(name) for name in (*NAMES, *base.slow)]
        kept: list[Any] = [known, reader, cards, makers]
        own = {"__slots__": (), "__module__": base.state.__module__, "__doc__": base.state.__doc__}
        found: type[Any] = type(base.state.__name__, (base.state,), own)
        given = *places, id(int), id(tuple), id(found), *map(id, kept), *map(id, names)
        ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * len(given))(self._address("settle"))(*given)
        # what a call is given may make a plain state of it while the method is found already
        plain = next(one for one in base.state.__mro__ if base.slot in one.__dict__)
        kept += [self.made, names]
        for name, flags in (("legal_moves", FAST_CALL), ("play", FAST_CALL | WITH_NAMES)):
            method = Method(name.encode(), self._address(f"method_{name}"), flags, None)
            self._put(found, name, ctypes.pythonapi.PyDescr_NewMethod, method, kept, plain)
        for name in ("over", "actors"):
            getter = Getter(name.encode(), self._address(f"get_{name}"), None, None, None)
            self._put(found, name, ctypes.pythonapi.PyDescr_NewGetSet, getter, kept, found)
        setattr(found, "_machine_code", tuple(kept))  # noqa: B010 - it is a class of ours, but not one written here
        return found

    def _put(self, kind: type, name: str, make: Any, told: ctypes.Structure, kept: list[Any], takes: type) -> None:
        """Give a class what Python is told of, which the class keeps alive. takes: of what class its object may be."""
        make.restype, make.argtypes = ctypes.py_object, (ctypes.py_object, ctypes.c_void_p)
        setattr(kind, name, make(takes, ctypes.addressof(told)))
        kept.append(told)


def place_in(kind: type, slot: str) -> int:
    """Where in the memory of an object of a class a slot lies, in bytes. Raises NotNative."""
    one: Any = object.__new__(kind)
    marker = object()
    setattr(one, slot, marker)
    words = struct.unpack(f"{kind.__basicsize__ // 8}Q", ctypes.string_at(id(one), kind.__basicsize__ // 8 * 8))
    if words.count(id(marker)) != 1:
        raise NotNative("a Python that keeps slots otherwise")
    return words.index(id(marker)) * 8


def know_python() -> None:
    """Let machine code that is made from now on find what it calls of Python. Raises NotNative."""
    import llvmlite.binding as llvm

    if ctypes.sizeof(ctypes.c_void_p) != 8:
        raise NotNative("a machine with short addresses")
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise NotNative("a Python whose threads run at once")
    for name in CALLED:
        llvm.add_symbol(name, ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value)
