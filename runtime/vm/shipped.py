"""The VM's machine code and LLVM text, made at development time and kept beside this file: a first run makes neither.

Typing the VM's source with Numba and optimising it takes two seconds, and writing its machine code another fifth of
one, a third of what a small program's first call does. Both are for the least CPU of their architecture: the VM has no
loops over numbers that more could serve. They name the hash of the source they were made from, and of what that calls
(native.py). Object code is shipped for Linux; elsewhere the text is compiled. An edited VM, another architecture or an
LLVM that can't read the text falls back to Numba. `python tools/ship_vm.py` writes both files.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import llvmlite.binding as llvm

from ...base.target import current_target
from ..codegen.target_machine import is_foreign, target_machine

PLACEHOLDER = "vitrify_shipped_entry"  # in the text
OBJECT_PLACEHOLDER = f"vitrify_{'0' * 32}"  # in the object code: as long as the name of any object code
PRIMITIVES = Path(__file__).parent / "native.py"


def path() -> Path:
    """The text for this computer's architecture."""
    return Path(__file__).parent / "shipped" / f"vm-{llvm.get_process_triple().split('-')[0]}.ll"


def object_path() -> Path:
    """The object code for this computer's architecture and system."""
    architecture, *_ = triple = llvm.get_process_triple().split("-")
    return Path(__file__).parent / "shipped" / f"vm-{architecture}-{'linux' if 'linux' in triple else 'other'}.o"


def object_code(text: str) -> bytes:
    """The machine code of a shipped text for the current target, which is to be its architecture's least CPU."""
    return bytes(target_machine().emit_object(llvm.parse_assembly(text.replace(PLACEHOLDER, OBJECT_PLACEHOLDER))))


def digest(identity: str) -> str:
    """What the files' first line must say to stand for a source."""
    return hashlib.sha256(identity.encode() + PRIMITIVES.read_bytes()).hexdigest()


def compile_shipped(identity: str, symbol: str) -> bytes | None:
    """Object code that defines `symbol`; None when nothing is shipped for this source."""
    return _shipped_object(identity, symbol) or _of_shipped_text(identity, symbol)


def _shipped_object(identity: str, symbol: str) -> bytes | None:
    if len(symbol) != len(OBJECT_PLACEHOLDER) or is_foreign(current_target()):
        return None
    try:
        head, _, code = object_path().read_bytes().partition(b"\n")
    except OSError:
        return None
    if head.split(b",")[0] != f"; {digest(identity)}".encode():
        return None
    return code.replace(OBJECT_PLACEHOLDER.encode(), symbol.encode())


def _of_shipped_text(identity: str, symbol: str) -> bytes | None:
    try:
        head, _, text = path().read_text().partition("\n")
    except OSError:
        return None
    if head != f"; {digest(identity)}":
        return None
    try:
        module = llvm.parse_assembly(text.replace(PLACEHOLDER, symbol))
    except RuntimeError:  # another LLVM's text
        return None
    return bytes(target_machine().emit_object(module))
