"""LLVM text of the VM, made at development time and kept beside this file, so that a first run has to write only its
machine code.

Typing the VM's text with Numba and optimising it takes two seconds, three quarters of what a small program's first call
does. The shipped text is optimised for the least CPU of its architecture: the VM has no loops over numbers that more
could serve. It names the hash of the source it was made from, and of what that calls (native.py): an edited VM, another
architecture or an LLVM that can't read it falls back to Numba. `python tools/ship_vm.py` writes it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import llvmlite.binding as llvm

from ..codegen.target_machine import target_machine

PLACEHOLDER = "vitrify_shipped_entry"
PRIMITIVES = Path(__file__).parent / "native.py"


def path() -> Path:
    """The file for this computer's architecture."""
    return Path(__file__).parent / "shipped" / f"vm-{llvm.get_process_triple().split('-')[0]}.ll"


def digest(identity: str) -> str:
    """What the file's first line must say to stand for a source."""
    return hashlib.sha256(identity.encode() + PRIMITIVES.read_bytes()).hexdigest()


def compile_shipped(identity: str, symbol: str) -> bytes | None:
    """Object code that defines `symbol`, from the shipped text; None when there is none for this source."""
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
