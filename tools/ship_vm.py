"""Write the VM's machine code, without a clock and with one, into runtime/vm/shipped/ (see shipped.py there)."""

from vitrify.base.target import TARGETS, host_target, using_target
from vitrify.runtime.codegen import native_backend
from vitrify.runtime.vm import clocked, shipped, virtual_machine


def main() -> None:
    """Make it with Numba and LLVM, for any CPU of this architecture."""
    *_, least = (target for target in TARGETS.values() if target.architecture == host_target().architecture)
    for source in (virtual_machine.source(), clocked.source()):
        with using_target(least):
            code = native_backend.compile_native(source.body, source.entry, shipped.PLACEHOLDER)
        shipped.write(source.name, source.identity, code)
        print(f"wrote {shipped.path(source.name)} ({len(code)} bytes)")


if __name__ == "__main__":
    main()
