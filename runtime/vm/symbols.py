"""Symbols that object code expects from outside: found in the C library and LAPACK, before LLVM loads the code."""

from __future__ import annotations

import ctypes
import struct
import sys
from functools import cache, lru_cache
from typing import Any

import llvmlite.binding as llvm

from . import lapack


def unresolved(code: bytes) -> list[str]:
    """Names that cannot be found. LLVM ends the process on one of those, so ask before loading."""
    return [name for name in _undefined_symbols(code) if not _resolve(name)]


def _undefined_symbols(code: bytes) -> list[str]:
    if code[:6] != b"\x7fELF\x02\x01":  # other formats are left to LLVM
        for name in lapack.symbols():
            _resolve(name)
        return []
    sections = {section.name(): section.data() for section in llvm.ObjectFileRef.from_data(code).sections()}
    table, names = sections.get(b".symtab", b""), sections.get(b".strtab", b"")
    entries = struct.iter_unpack("<IBBHQQ", table)
    return [_string(names, offset) for offset, _, _, section, _, _ in entries if offset and section == 0]


def _string(table: bytes, offset: int) -> str:
    return table[offset : table.index(b"\0", offset)].decode()


@cache
def _resolve(name: str) -> bool:
    # Numba's and Python's own functions must not be needed: a warm process has no Numba, and no GIL is held.
    if name.startswith(("Py", "_Py", "numba_", "NRT_")):
        return False
    place = lapack.address(name) if name.startswith(lapack.PREFIX) else None
    if place is not None:
        llvm.add_symbol(name, place)
        return True
    find = _c_libraries()
    for library in find:
        function = getattr(library, name, None)
        if function is not None:
            llvm.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)
            return True
    return llvm.address_of_symbol(name) is not None


@lru_cache(maxsize=1)
def _c_libraries() -> list[Any]:
    if sys.platform == "win32":
        return [ctypes.CDLL("ucrtbase"), ctypes.CDLL("vcruntime140")]
    libraries = [ctypes.CDLL(None)]
    for name in ("libm.so.6", "libm.dylib"):
        try:
            libraries.append(ctypes.CDLL(name))
        except OSError:
            continue
    return libraries
