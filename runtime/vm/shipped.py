"""The VM's machine code, made at development time and kept beside this file: nobody who installs this needs Numba.

Typing the VM's source with Numba and optimising it takes two seconds, a third of what a small program's first call
does. The code is for the least CPU of its architecture: the VM has no loops over numbers that more could serve. A file
names the hash of the source it was made from, and of what that calls (native.py). An edited VM, another architecture
and another system fall back to Numba. `python tools/ship_vm.py` writes the files.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import llvmlite.binding as llvm

from ...base.target import current_target
from ..codegen.target_machine import is_foreign

PLACEHOLDER = f"vitrify_{'0' * 32}"  # the entry's name in the files: as long as the name of any object code
PRIMITIVES = Path(__file__).parent / "native.py"


def path(name: str) -> Path:
    """The object code of the source with this name for this computer's architecture and system."""
    architecture, *_ = triple = llvm.get_process_triple().split("-")
    system = "linux" if "linux" in triple else "other"
    return Path(__file__).parent / "shipped" / f"{name.lower().replace(' ', '-')}-{architecture}-{system}.o"


def digest(identity: str) -> str:
    """What a file's first line must say to stand for a source."""
    return hashlib.sha256(identity.encode() + PRIMITIVES.read_bytes()).hexdigest()


def write(name: str, identity: str, code: bytes) -> None:
    """Keep object code whose entry is PLACEHOLDER."""
    version = ".".join(map(str, llvm.llvm_version_info))
    path(name).parent.mkdir(exist_ok=True)
    path(name).write_bytes(f"; {digest(identity)}, LLVM {version}\n".encode() + code)


def read(name: str) -> tuple[str, str, bytes] | None:
    """The digest, the version of LLVM and the code of what is shipped under this name; None if nothing is."""
    try:
        head, _, code = path(name).read_bytes().partition(b"\n")
    except OSError:
        return None
    made_from, _, version = head.decode(errors="replace").removeprefix("; ").partition(", LLVM ")
    return made_from, version, code


def compile_shipped(name: str, identity: str, symbol: str) -> bytes | None:
    """Object code that defines `symbol`; None when nothing is shipped for this source."""
    if len(symbol) != len(PLACEHOLDER) or is_foreign(current_target()):
        return None
    found = read(name)
    if found is None or found[0] != digest(identity):
        return None
    return found[2].replace(PLACEHOLDER.encode(), symbol.encode())
