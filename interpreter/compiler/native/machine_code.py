"""LLVM IR made into machine code, by llvmlite."""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from interpreter.base.memory import no_collecting
from interpreter.compiler.native.not_native import NotNative

DIGEST = hashlib.sha256().digest_size
MOST_KEPT = 100
"""Games of which machine code is kept."""


QUICK, GOOD = 0, 1
"""Levels: made in a tenth of the time, or twice as fast when it runs."""
THOROUGH = 3
"""How far LLVM goes where good code is made: loops over a few places are written out, which is a third in a race."""
NEAR = sys.platform == "linux" and platform.machine() == "x86_64"
ADDRESSES: dict[int, dict[str, str]] = {QUICK: {"reloc": "pic", "codemodel": "small"} if NEAR else {}, GOOD: {}}
"""How calls and tables are found: by how far away they are, which is made quickly, or by where they lie, which runs
faster, and everywhere."""


WRITTEN = (b".bss", b".data", b".lbss", b".ldata")
"""Sections of object files that are written to."""
PAGE, UNCOUNTED = 4096, 512
"""Bytes: of a page of memory, and of what may lie there that was not counted."""


class Made(NamedTuple):
    """What has been made of a module. engine: LLVM's, which owns the code. level: `QUICK` or `GOOD`. size: in bytes."""

    engine: Any
    level: int
    size: int


class Code:
    """Machine code of one game."""

    def __init__(self, made: Made) -> None:
        self.made = made
        ctypes.CFUNCTYPE(None)(made.engine.get_function_address("prepare"))()


MOST = (1 << 31) - 1
"""Deals or decisions of a match that are waited for; its runs and moves are counted as far."""


class Built(Code):
    """Machine code that plays matches. Calls release the lock of the interpreter."""

    kinds: tuple[Any, ...] = (*[ctypes.c_int64] * 6, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)
    """The types of what `play` is called with."""

    def __init__(self, made: Made) -> None:
        super().__init__(made)
        self._play = ctypes.CFUNCTYPE(ctypes.c_int64, *self.kinds)(made.engine.get_function_address("play"))
        self.stop = ctypes.c_int64(0)

    def play(self, n: int, first: int, seed: int, counted: int, deals: int, limit: int, words: int) -> Any:
        """Play matches; returns their rows, one after the other. deals, limit: as many as there are numbers will do."""
        rows = (ctypes.c_int64 * (n * words))()
        where = ctypes.addressof(rows), words, ctypes.addressof(self.stop)
        self._play(n, first, signed(seed), counted, min(deals, MOST), min(limit, MOST), *where)
        return rows


def signed(seed: int) -> int:
    seed &= (1 << 64) - 1
    return seed - (1 << 64) if seed >> 63 else seed


def build(make: Callable[[], str], about: str, folder: Path | None, level: int = QUICK) -> Built:
    """Machine code that plays matches; see `made_of`."""
    return Built(made_of(make, about, folder, level))


@no_collecting()
def made_of(make: Callable[[], str], about: str, folder: Path | None, level: int) -> Made:
    """Machine code of a module for this machine, of a level at least.

    make: prints the module, which `about` stands for: equal ones make the same. folder: where machine code is kept, and
    looked for first, the good one before the quick one. Raises what `make` raises.
    """
    import llvmlite
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features().flatten()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=level, jit=True, **ADDRESSES[level]
    )
    about = "\n".join((llvmlite.__version__, str(llvm.llvm_version_info), llvm.get_host_cpu_name(), features, about))
    name = hashlib.sha256(about.encode()).hexdigest()
    for better in range(GOOD, level - 1, -1):
        found = Kept(folder, f"{name}-{better}").read()
        if found is not None:
            return Made(_loaded(found, machine), better, len(found))
    text = make()
    try:
        module = llvm.parse_assembly(text)
        module.triple, module.data_layout = machine.triple, str(machine.target_data)  # or passes take sizes for others
        module.verify()
    except RuntimeError as error:  # a fault of ours: Python plays, and says why
        raise NotNative(f"a fault of houserules, please report it: {str(error).splitlines()[0]}") from error
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=THOROUGH))
    passes = builder.getModulePassManager() if level == GOOD else _quick_passes()
    passes.run(module, builder)
    code = _emitted(module, machine)
    Kept(folder, f"{name}-{level}").write(code)
    return Made(_loaded(code, machine), level, len(code))


def _loaded(code: bytes, machine: Any) -> Any:
    """What runs an object file. Its code and tables lie in one stretch of memory, as near as quick code takes them to
    be."""
    import llvmlite.binding as llvm

    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine, use_lmm=NEAR or None)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


def _emitted(module: Any, machine: Any) -> bytes:
    """The object file of a module, with room in the last page of what it writes to.

    LLVM's memory manager gives out whole pages, but does not count the places by which functions of others are called
    from quick code, some hundred bytes: without room for them it ends the process.
    """
    import llvmlite.binding as llvm

    code: bytes = machine.emit_object(module)
    written = [of.size() for of in llvm.ObjectFileRef.from_data(code).sections() if of.name() in WRITTEN]
    left = -sum(written) % PAGE
    if left >= UNCOUNTED:
        return code
    more = llvm.parse_assembly(f"@room = global [{left + 1} x i8] zeroinitializer")
    more.triple, more.data_layout = module.triple, module.data_layout
    module.link_in(more)
    with_room: bytes = machine.emit_object(module)
    return with_room


def _quick_passes() -> Any:
    """Locals become registers, and what is never called is left out: not more."""
    import llvmlite.binding as llvm

    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    return passes


class Kept:
    """Machine code in a folder of this user's, under the name of what it was made from; before it a digest of both.

    What others could have written or exchanged is not read, nor what is not what was written; it is made anew.
    """

    def __init__(self, folder: Path | None, name: str) -> None:
        self._name = name
        self._path = None if folder is None else folder / f"{name}.o"

    def read(self) -> bytes | None:
        """The machine code; None if there is none that is to be trusted."""
        if self._path is None:
            return None
        try:
            with open(self._path, "rb") as file:
                status = os.fstat(file.fileno())
                data = file.read()
        except OSError:
            return None
        if not (_is_own(status) and self._is_in_own_folder()):
            return None
        digest, code = data[:DIGEST], data[DIGEST:]
        return code if self._digest(code) == digest else None

    def _digest(self, code: bytes) -> bytes:
        return hashlib.sha256(self._name.encode() + code).digest()

    def _is_in_own_folder(self) -> bool:
        """Whether nobody else can put anything into the folder, or the folder elsewhere in the one around it."""
        assert self._path is not None
        try:
            return all(_is_own(folder.stat()) for folder in (self._path.parent, self._path.parent.parent))
        except OSError:
            return False

    def write(self, code: bytes) -> None:
        """Keep machine code, if that is possible; whoever reads meanwhile finds all of it or none."""
        if self._path is None:
            return
        try:
            for folder in (self._path.parent.parent, self._path.parent):  # `parents` alone are made as the umask says
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not self._is_in_own_folder():
                return
            handle, name = tempfile.mkstemp(dir=self._path.parent)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(self._digest(code) + code)
                os.replace(name, self._path)
            except OSError:
                os.unlink(name)
            self._clear()
        except OSError:
            return

    def _clear(self) -> None:
        """Leave the machine code that was made last."""
        assert self._path is not None
        made = sorted(self._path.parent.glob("*.o"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in made[MOST_KEPT:]:
            path.unlink(missing_ok=True)


def _is_own(status: os.stat_result) -> bool:
    """Whether something is this user's, and nobody else can write to it."""
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)


@lru_cache(maxsize=1)
def digest_of_sources() -> str:
    """Of all that machine code is made by and made of, but for the game: another version of it makes other code."""
    return digest_of(str(Path(__file__).parents[2]))


def digest_of(folder: str) -> str:
    """Of the sources in a folder, by what is known of them without reading: where they lie, and when they were written.

    Whoever writes one, or puts another in its place, changes that, even if it is as long as before and says that it
    was written at the same time. To read them would take longer than to make what is kept ready to play.
    """
    return hashlib.sha256(repr(sorted(_files(folder))).encode()).hexdigest()


def _files(folder: str) -> Iterator[tuple[str | int, ...]]:
    """Of each source its path, its size, its time, and when and where the system has put it."""
    with os.scandir(folder) as found:
        for entry in found:
            if entry.name.endswith(".py"):
                status = entry.stat()
                yield entry.path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _files(entry.path)
