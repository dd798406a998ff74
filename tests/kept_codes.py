"""Object code of kernels, kept from one run of the tests to the next, by LLVM's text of a kernel before its passes.

The library's own cache names a kernel by its source and by all files that write kernels: one changed line of those, and
every kernel is compiled anew, in a run of all tests some fifty thousand. Most become the same text for LLVM as before.
What LLVM makes of a text depends on that text, the target, LLVM's version and the files below; so the code is the same.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

BACKEND = "vitrify.runtime.codegen.llvm_backend"
SYMBOL = len("vitrify_") + 32  # letters of a kernel's symbol (kernel_cache.py), which follows from those files too
PLAIN = "vitrify_".ljust(SYMBOL, "0")
MOST = 4 << 30  # bytes
DIGEST = 32


def caches() -> Path:
    """Where tests keep what they compile: beside the user's cache, not in it."""
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "vitrify"


class KeptCodes:
    """Stands for `llvm_backend.object_code`, in which it asks for what it hasn't kept."""

    def __init__(self, backend: Any, folder: Path) -> None:
        import llvmlite

        self._backend, self._folder = backend, folder
        self._compile: Callable[[str, str, str], bytes] = backend.object_code
        machine = sys.modules[backend.target_machine.__module__]
        files = [Path(module.__file__ or "") for module in (backend, machine, backend.rare)]
        parts = [llvmlite.__version__, str(backend.llvm.llvm_version_info), *(f.read_text() for f in files)]
        self._environment = "\n".join(parts)

    def __call__(self, text: str, symbol: str, unroll: str) -> bytes:
        if len(symbol) != SYMBOL or PLAIN in text:
            return self._compile(text, symbol, unroll)
        plain = text.replace(symbol, PLAIN)
        key = f"{self._environment}\n{self._backend.current_target().key}\n{unroll}\n{plain}"
        path = self._folder / hashlib.sha256(key.encode()).hexdigest()
        code = self._read(path)
        if code is None:
            code = self._compile(plain, PLAIN, unroll)
            self._write(path, code)
        return code.replace(PLAIN.encode(), symbol.encode())

    def _read(self, path: Path) -> bytes | None:
        try:
            content = path.read_bytes()
        except OSError:
            return None
        return content[DIGEST:] if hashlib.sha256(content[DIGEST:]).digest() == content[:DIGEST] else None

    def _write(self, path: Path, code: bytes) -> None:
        part = path.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            part.write_bytes(hashlib.sha256(code).digest() + code)
            part.replace(path)


def keep_codes(folder: Path) -> None:
    """Have kernels compiled once for all runs, if anything has been loaded that compiles them."""
    backend: Any = sys.modules.get(BACKEND)
    if backend is not None and not isinstance(backend.object_code, KeptCodes):
        backend.object_code = KeptCodes(backend, folder)


def prune(folder: Path, most: int = MOST) -> None:
    """Delete what was written first, until so many bytes are left."""
    with contextlib.suppress(OSError):
        found = sorted(((s.st_mtime, s.st_size, f.path) for f in os.scandir(folder) for s in [f.stat()]), reverse=True)
        total = 0
        for _, size, path in found:
            total += size
            if total > most:
                with contextlib.suppress(OSError):
                    Path(path).unlink()
