"""Symbols that object code expects from outside: found in the C library and LAPACK, before LLVM loads the code."""

from __future__ import annotations

import ctypes
import struct
import sys
from functools import cache, lru_cache
from typing import Any

import llvmlite.binding as llvm

from . import lapack

_SYMBOLS = 2  # the type of an ELF file's section that is its table of symbols


def unresolved(code: bytes) -> list[str]:
    """Names that cannot be found. LLVM ends the process on one of those, so ask before loading."""
    return [name for name in _undefined_symbols(code) if not _resolve(name)]


def _undefined_symbols(code: bytes) -> list[str]:
    if code[:6] != b"\x7fELF\x02\x01":  # other formats are left to LLVM
        for name in lapack.symbols():
            _resolve(name)
        return []
    sections, size, count = *struct.unpack_from("<Q", code, 40), *struct.unpack_from("<HH", code, 58)
    headers = [struct.unpack_from("<4xI16xQQI", code, sections + size * k) for k in range(count)]
    found: list[str] = []
    for kind, start, length, names in headers:
        if kind != _SYMBOLS:
            continue
        texts = headers[names][1]
        entries = struct.iter_unpack("<I2xH16x", code[start : start + length])
        found += [_string(code, texts + offset) for offset, section in entries if offset and section == 0]
    return found


def _string(code: bytes, start: int) -> str:
    return code[start : code.index(b"\0", start)].decode()


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
