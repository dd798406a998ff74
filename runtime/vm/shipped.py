"""Machine code of the VM and of native calls, made at development time: nobody who installs this needs Numba.

Typing the VM's source with Numba and optimising it takes two seconds, the function of all native calls 0.3, a third of
what a small program's first call does. The code is for the least CPU of its architecture: it has no loops over numbers
that more could serve. A file names the hash of the source it was made from, and of what that calls (native.py) or what
writes it (codegen/calls). Where something was edited, and for another architecture or system, Numba and LLVM make it
anew. `python tools/ship_vm.py` writes the files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
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


def call_writers() -> list[Path]:
    """The files that say what native calls do."""
    rooms = Path(__file__).parents[1]
    words = (rooms / "vm" / "calls" / "call_words.py", rooms / "vm" / "native_source" / "layout.py")
    return [*sorted((rooms / "codegen" / "calls").glob("*.py")), *words]


def digest(identity: str, beside: Sequence[Path] = ()) -> str:
    """What a file's first line must say to stand for a source. beside: files that it depends on, else PRIMITIVES."""
    files = b"".join(file.read_bytes() for file in beside or (PRIMITIVES,))
    return hashlib.sha256(identity.encode() + files).hexdigest()


def write(name: str, identity: str, code: bytes, beside: Sequence[Path] = ()) -> None:
    """Keep object code whose entry is PLACEHOLDER. beside: as for `digest`."""
    version = ".".join(map(str, llvm.llvm_version_info))
    path(name).parent.mkdir(exist_ok=True)
    path(name).write_bytes(f"; {digest(identity, beside)}, LLVM {version}\n".encode() + code)


def read(name: str) -> tuple[str, str, bytes] | None:
    """The digest, the version of LLVM and the code of what is shipped under this name; None if nothing is."""
    try:
        head, _, code = path(name).read_bytes().partition(b"\n")
    except OSError:
        return None
    made_from, _, version = head.decode(errors="replace").removeprefix("; ").partition(", LLVM ")
    return made_from, version, code


def compile_shipped(name: str, identity: str, symbol: str, beside: Sequence[Path] = ()) -> bytes | None:
    """Object code that defines `symbol`; None when nothing is shipped for this source. beside: as for `digest`."""
    if len(symbol) != len(PLACEHOLDER) or is_foreign(current_target()):
        return None
    found = read(name)
    if found is None or found[0] != digest(identity, beside):
        return None
    return found[2].replace(PLACEHOLDER.encode(), symbol.encode())
