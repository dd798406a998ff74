"""Kernels as addresses: compiled once per machine, kept on disk as object code, loaded with llvmlite alone.

A process whose kernels are all on disk loads no code that writes them. A file is named by the hash of all that its code
depends on, so it is never stale; it carries a checksum, so a torn one is recompiled. Trouble with the disk is never an
error.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import llvmlite.binding as llvm

from ..base.errors import MissingDependencyError
from ..base.events import progress, span
from ..base.target import current_target, host_target, is_swapped, using_target
from . import cache_files
from .codegen import workers
from .codegen.prelude import source_hash
from .kernel.call_facts import Unroll
from .vm.shipped import compile_shipped
from .vm.symbols import unresolved

# Raised by hand when the interface between the VM and its kernels changes.
ABI_VERSION = 1
_MAGIC = b"VITRIFY1"
_log = logging.getLogger("vitrify.cache")


class KernelCompileError(RuntimeError):
    """A kernel that can't be compiled: a defect of vitrify, not of its user. The message ends with its text."""

    def __init__(self, message: str, source: Source) -> None:
        super().__init__(f"{message}\n\n{source.body}")
        self.message = message
        self.source = source

    def __reduce__(self) -> Any:
        return type(self), (self.message, self.source)


@dataclass(frozen=True)
class KernelSource:
    """The text of `def body(p0, p1, ..., d0, d1, ..., lo, hi)`, the element type of each pointer, the number of dims.

    Pointers do not alias: a buffer that a kernel both reads and writes is one pointer.
    Element types: f32 f64 i8 i16 i32 i64 u8 bool (stored as u8). Arithmetic is done as it is
    written, each operation rounded once; only `fast_add` and the like may be reordered. `fast`: LLVM may reorder,
    contract and approximate all of it.
    `batched`: one call runs `body` for a table of buffers and dims, over the part of lo:hi that falls to each row. The
    buffers of the rows follow each other; dims are the number of rows, then for each row where its part ends (the first
    one starts at 0) and its own dims. `unroll`: when LLVM unrolls its loops (kernel/intrinsics.py: unroll_of).
    """

    name: str
    body: str
    buffers: tuple[str, ...]
    dims: int
    fast: bool = False
    batched: bool = False
    unroll: Unroll = "early"

    @property
    def identity(self) -> str:
        """All that tells this kernel from others; the name does not."""
        words = ["fast"] * self.fast + ["batched"] * self.batched + [self.unroll] * (self.unroll != "early")
        kind = " ".join([*words, "kernel"])
        return f"{kind} {','.join(self.buffers)} {self.dims}\n{self.body}"

    @property
    def text(self) -> str:
        """The body for who reads it, under a line that names its numerics."""
        return f"# numerics: {'fast' if self.fast else 'ieee'}\n{self.body}"

    def llvm(self) -> str:
        """The optimised LLVM of one call, to read."""
        from .codegen import llvm_backend

        return llvm_backend.llvm_text(self.body, self.buffers, self.dims, fast=self.fast, unroll=self.unroll)

    def assembly(self) -> str:
        """The machine code of one call for this CPU, to read."""
        from .codegen import llvm_backend

        return llvm_backend.assembly(self.body, self.buffers, self.dims, fast=self.fast, unroll=self.unroll)

    def compile(self, symbol: str) -> bytes:
        """Object code that defines `symbol`."""
        from .codegen import llvm_backend

        return llvm_backend.compile_kernel(
            self.body, self.buffers, self.dims, symbol, fast=self.fast, batched=self.batched, unroll=self.unroll
        )


@dataclass(frozen=True)
class NativeSource:
    """Part of the runtime itself, in the same language as kernels: `entry(i64) -> i64` in `body`."""

    name: str
    body: str
    entry: str

    @property
    def identity(self) -> str:
        """All that tells this function from others."""
        return f"native {self.entry}\n{self.body}"

    def compile(self, symbol: str) -> bytes:
        """Object code that defines `symbol`: what is shipped for this source, else by Numba.

        Errors: MissingDependencyError where nothing is shipped and Numba isn't there.
        """
        ready = compile_shipped(self.name, self.identity, symbol)
        if ready is not None:
            return ready
        if find_spec("numba") is None:
            raise MissingDependencyError(
                f"the {self.name}'s machine code is not shipped for {llvm.get_process_triple()}, and Numba, which "
                "compiles it, is not installed",
                remedy="pip install numba",
            )
        from .codegen import native_backend

        return native_backend.compile_native(self.body, self.entry, symbol)


class Source(Protocol):
    """What has object code: kernels, and the parts of the runtime."""

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def body(self) -> str:
        """Its text, for who reads it."""

    @property
    def identity(self) -> str:
        """All that tells it from others."""

    def compile(self, symbol: str) -> bytes:
        """Object code that defines `symbol`."""


@dataclass(frozen=True)
class Stats:
    """What happened to the kernels asked for so far in this process."""

    memory: int = 0
    disk: int = 0
    compiled: int = 0
    corrupt: int = 0
    unwritable: int = 0
    load_seconds: float = 0.0
    compile_seconds: float = 0.0


def addresses(sources: Sequence[Source], *, background: bool = False) -> list[int]:
    """The entry address of each source, for as long as the process lives; otherwise as `held`."""
    if background:
        _CACHE.fetch(sources, background=True)
    with using_target(host_target()) if _loaders else nullcontext():  # the runtime's own parts always run here
        return _CACHE.addresses(sources)


def held(sources: Sequence[Source], *, background: bool = False) -> tuple[list[int], frozenset[Code]]:
    """The entry address of each source, and what keeps the code there: it is freed when nobody holds that any more.

    What neither memory nor disk has is compiled. Many are compiled in several processes; in the background all are, and
    other threads may go on meanwhile.
    """
    if _loaders:
        return [_loaders[-1](source) for source in sources], frozenset()
    if background:
        _CACHE.fetch(sources, background=True)
    return _CACHE.held(sources)


@contextmanager
def expected(operations: int) -> Iterator[None]:
    """A block in which a program of so many operations goes through its passes, and then asks for its kernels.

    A process that helps to compile them starts now, if they are many, and ends with the block if it had nothing to do.
    """
    if is_swapped() or _loaders:
        yield
        return
    workers.start_early(operations)
    try:
        yield
    finally:
        workers.dismiss()


_loaders: list[Callable[[Source], int]] = []


def load_by(loader: Callable[[Source], int] | None) -> None:
    """Have `loader` give the entries of the kernels of programs from here on, None: the cache again."""
    _loaders[:] = [] if loader is None else [loader]


def object_code(source: Source) -> tuple[str, bytes]:
    """The symbol and object code of a source for the current target, which may be another machine: it isn't loaded."""
    name = key(source)
    content = cache_files.read(_file(name))
    code = None if content is None else _unpack(content)
    if code is None:
        code = _compile_here(source, name)
        cache_files.write(_file(name), _pack(code))
    return _symbol(name), code


def serve() -> None:
    """Compile for another process, whose requests come through standard input (see workers.py)."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what anything prints must not come between
    from .codegen import llvm_backend  # noqa: F401 - who says that it is ready can compile

    def compile_one(request: dict[str, Any]) -> bytes:
        kinds: dict[str, Callable[..., Source]] = {"KernelSource": KernelSource, "NativeSource": NativeSource}
        given = request["source"]
        if "buffers" in given:
            given["buffers"] = tuple(given["buffers"])
        return kinds[request["kind"]](**given).compile(_symbol(request["name"]))

    workers.serve(sys.stdin.buffer, answers, compile_one)


def stats() -> Stats:
    """Counts and seconds since this process began."""
    return _CACHE.stats


def key(source: Source) -> str:
    """The name of a source's object code: the hash of all that its code depends on."""
    return hashlib.sha256(f"{_environment(current_target().key)}\n{source.identity}".encode()).hexdigest()


def kept() -> list[tuple[str, int, float]]:
    """The kernels on disk: key, size in bytes, time of last use."""
    return [(e.name[:-2], e.size, e.used) for e in cache_files.entries() if e.name.endswith(".o")]


def clear() -> tuple[int, int]:
    """Delete the kernels on disk; how many they were, and their bytes. Those that are loaded go on working."""
    return cache_files.clear()


def _names(sources: Sequence[Source]) -> dict[int, str]:
    """The key of each source, by its identity: a network calls few kernels many times.

    Two sources that differ in name only share their code.
    """
    return {k: key(source) for k, source in {id(source): source for source in sources}.items()}


@lru_cache(maxsize=8)
def _environment(target: str) -> str:
    here = Path(__file__).parent
    parts = [f"abi {ABI_VERSION}", f"llvmlite {llvm.llvm_version_info}"]
    parts += [_version("llvmlite"), llvm.get_process_triple(), target]
    # The prelude and the backend are part of the code of every kernel.
    parts += [
        source_hash(),
        *(hashlib.sha256(f.read_bytes()).hexdigest() for f in sorted((here / "codegen").glob("*.py"))),
    ]
    return "\n".join(parts)


def _version(package: str) -> str:
    """The hash of the file that says which version of a package is here: importlib.metadata takes 20 ms to load."""
    spec = find_spec(package)
    file = None if spec is None or spec.origin is None else Path(spec.origin).with_name("_version.py")
    return hashlib.sha256(file.read_bytes()).hexdigest() if file is not None and file.is_file() else "absent"


def _compile_here(source: Source, name: str) -> bytes:
    try:
        with span(f"compile {source.name}"):
            return source.compile(_symbol(name))
    except MissingDependencyError:
        raise
    except Exception as cause:  # broad: LLVM raises many kinds
        raise KernelCompileError(f"cannot compile kernel {source.name}: {cause}", source) from cause


class Code:
    """Kernels that were loaded together, and share an engine of LLVM's. Their memory is freed with this object."""

    def __init__(self, released: deque[Any]) -> None:
        self.engine = _new_engine()
        # Freed later, by whoever loads next: this may be the garbage collector's thread, in the middle of anything.
        weakref.finalize(self, released.append, self.engine).atexit = False


class _Cache:
    def __init__(self) -> None:
        self.stats = Stats()
        self._known: dict[tuple[str, Source], int] = {}  # by target and source: of code that is never freed
        self._by_key: dict[str, tuple[int, weakref.ref[Code]]] = {}
        self._codes: dict[str, bytes] = {}  # what helpers have compiled and nobody has loaded yet
        self._forever: Code | None = None
        self._into: Code | None = None  # where kernels are loaded to now
        self._pinned: frozenset[Code] = frozenset()
        self._released: deque[Any] = deque()
        self.renew_lock()

    def renew_lock(self) -> None:
        """After a fork: the thread that held the lock may not exist any more."""
        self._lock = threading.RLock()

    def addresses(self, sources: Sequence[Source]) -> list[int]:
        known, target = self._known, current_target().key
        keys = [(target, source) for source in sources]
        if all(key in known for key in keys):
            self._count(memory=len(sources))
            return [known[key] for key in keys]
        with self._lock:
            if self._forever is None:
                self._forever = Code(self._released)
            found, codes = self._found(sources, self._forever)
            self._pinned |= codes
            known.update(zip(keys, found, strict=True))
            return found

    def held(self, sources: Sequence[Source]) -> tuple[list[int], frozenset[Code]]:
        with self._lock:
            return self._found(sources, None)

    def _found(self, sources: Sequence[Source], into: Code | None) -> tuple[list[int], frozenset[Code]]:
        """The addresses, and the code that they are of; what isn't loaded yet goes into `into`, or new code."""
        self._free()
        names = _names(sources)
        self.fetch(sources, names)
        self._into = into
        try:
            with cache_files.at_once():
                found = []
                for k, source in enumerate(sources, 1):
                    found.append(self._address(source, names[id(source)]))
                    progress("kernels", k, len(sources))
            return [address for address, _ in found], frozenset(code for _, code in found)
        finally:
            self._into = None

    def _free(self) -> None:
        """Free the memory of code that nobody holds any more."""
        if not self._released:
            return
        while self._released:
            engine = self._released.popleft()
            engine._owned = False
            engine.close()
        for name in [name for name, (_, code) in self._by_key.items() if code() is None]:
            del self._by_key[name]

    def _loaded(self, name: str) -> tuple[int, Code] | None:
        address, code = self._by_key.get(name, (0, None))
        held = None if code is None else code()
        return None if held is None else (address, held)

    def fetch(
        self, sources: Sequence[Source], names: Mapping[int, str] | None = None, *, background: bool = False
    ) -> None:
        """Have what is missing compiled by helpers, if that pays; `addresses` compiles what they don't."""
        target, names = current_target().key, names or _names(sources)
        missing = {names[id(s)]: s for s in sources if (target, s) not in self._known and isinstance(s, KernelSource)}
        jobs = [
            (s, name) for name, s in missing.items() if self._loaded(name) is None and not cache_files.has(_file(name))
        ]
        helpers = workers.helpers_for(len(jobs), background) if jobs and not is_swapped() else 0
        if not helpers:
            return
        start = time.perf_counter()
        here = None if background else _compile_here
        made = workers.compile_all(jobs, helpers, here)
        written = [cache_files.write(_file(name), _pack(code)) for name, code in made.items()]
        with self._lock:
            self._codes.update(made)
            self._count(compile_seconds=time.perf_counter() - start, unwritable=written.count(False))

    def _address(self, source: Source, name: str) -> tuple[int, Code]:
        found = self._loaded(name)
        if found is not None:
            self._count(memory=1)
            return found
        address = (name not in self._codes and self._from_disk(name)) or self._compiled(source, name)
        assert self._into is not None
        self._by_key[name] = address, weakref.ref(self._into)
        return address, self._into

    def _from_disk(self, name: str) -> int | None:
        start = time.perf_counter()
        content = cache_files.read(_file(name))
        if content is None:
            return None
        code = _unpack(content)
        if code is None or unresolved(code):
            _log.debug("%s is torn or not ours: its kernel is compiled anew", cache_files.directory() / _file(name))
            self._count(corrupt=1)
            return None
        with span("load kernels"):
            address = self._load(code, name)
        self._count(disk=1, load_seconds=time.perf_counter() - start)
        return address

    def _compiled(self, source: Source, name: str) -> int:
        start = time.perf_counter()
        ready = self._codes.pop(name, None)
        code = _compile_here(source, name) if ready is None else ready
        missing = unresolved(code)
        if missing:
            raise KernelCompileError(f"kernel {source.name} needs {', '.join(missing)}", source)
        address = self._load(code, name)
        self._count(compiled=1, compile_seconds=time.perf_counter() - start)
        if ready is None and not cache_files.write(_file(name), _pack(code)):
            self._count(unwritable=1)
        return address

    def _load(self, code: bytes, name: str) -> int:
        if self._into is None:
            self._into = Code(self._released)
        engine = self._into.engine
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        return int(engine.get_function_address(_symbol(name)))

    def _count(self, **more: float) -> None:
        self.stats = replace(self.stats, **{name: getattr(self.stats, name) + n for name, n in more.items()})


def _new_engine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    machine = target.create_target_machine(reloc="static", codemodel="large", jit=True)
    # The large code model: sections and the C library may lie anywhere, and there are no stubs to allocate.
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine, use_lmm=False)
    # Threads may still be inside this code while the interpreter shuts down: freed by `_Cache._free` alone.
    engine._owned = True
    return engine


def _symbol(name: str) -> str:
    return f"vitrify_{name[:32]}"


def keep_source(source: Source) -> Path | None:
    """Write the text of a source that can't be compiled to a file, for a report; None where nothing can be written."""
    name = f"failed/{source.name}-{key(source)[:12]}.py"
    return cache_files.directory() / name if cache_files.write(name, source.body.encode()) else None


# ---- files --------------------------------------------------------------------------------------------------------


def _file(name: str) -> str:
    return f"{name}.o"


def _pack(code: bytes) -> bytes:
    return _MAGIC + hashlib.sha256(code).digest() + code


def _unpack(content: bytes) -> bytes | None:
    head = len(_MAGIC) + 32
    code = content[head:]
    intact = content[:head] == _MAGIC + hashlib.sha256(code).digest()
    return code if intact and code else None


_CACHE = _Cache()
_after_fork: Callable[..., None] | None = getattr(os, "register_at_fork", None)
if _after_fork is not None:
    _after_fork(after_in_child=_CACHE.renew_lock)
