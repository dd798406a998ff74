"""Write the VM's LLVM text and machine code for this architecture into runtime/vm/shipped/ (see shipped.py there)."""

import llvmlite.binding as llvm

from vitrify.base.target import TARGETS, host_target, using_target
from vitrify.runtime.codegen import native_backend
from vitrify.runtime.vm import shipped, virtual_machine


def main() -> None:
    """Make the text with Numba and LLVM, for any CPU of the architecture, and put the source's hash before it."""
    source = virtual_machine.source()
    *_, least = (target for target in TARGETS.values() if target.architecture == host_target().architecture)
    with using_target(least):
        text = native_backend.native_text(source.body, source.entry, shipped.PLACEHOLDER)
        code = shipped.object_code(text)
    digest, version = shipped.digest(source.identity), ".".join(map(str, llvm.llvm_version_info))
    shipped.path().parent.mkdir(exist_ok=True)
    shipped.path().write_text(f"; {digest}\n{text}")
    shipped.object_path().write_bytes(f"; {digest}, LLVM {version}\n".encode() + code)
    print(f"wrote {shipped.path()} ({len(text)} characters) and {shipped.object_path()} ({len(code)} bytes)")


if __name__ == "__main__":
    main()
