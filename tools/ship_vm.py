"""Write the VM's LLVM text for this architecture into runtime/vm/shipped/ (see runtime/vm/shipped.py)."""

from vitrify.base.target import TARGETS, host_target, using_target
from vitrify.runtime.codegen import native_backend
from vitrify.runtime.vm import shipped, virtual_machine


def main() -> None:
    """Make the text with Numba and LLVM, for any CPU of the architecture, and put the source's hash before it."""
    source = virtual_machine.source()
    *_, least = (target for target in TARGETS.values() if target.architecture == host_target().architecture)
    with using_target(least):
        text = native_backend.native_text(source.body, source.entry, shipped.PLACEHOLDER)
    shipped.path().parent.mkdir(exist_ok=True)
    shipped.path().write_text(f"; {shipped.digest(source.identity)}\n{text}")
    print(f"wrote {shipped.path()} ({len(text)} characters)")


if __name__ == "__main__":
    main()
