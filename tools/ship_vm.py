"""Write the VM's machine code, without a clock and with one, into runtime/vm/shipped/ (see shipped.py there).

python tools/ship_vm.py --check: write nothing, fail if what is there is other code.
"""

import sys

from numba.core import config

from vitrify.base.target import TARGETS, host_target, using_target
from vitrify.runtime.codegen import native_backend
from vitrify.runtime.vm import clocked, shipped, virtual_machine


def main(only_checks: bool) -> int:
    """Make it with Numba and LLVM, for any CPU of this architecture."""
    # Numba optimises what the VM calls before it is linked: by this for any CPU, too, and not for the one at hand.
    config.CPU_NAME, config.CPU_FEATURES = "generic", ""
    *_, least = (target for target in TARGETS.values() if target.architecture == host_target().architecture)
    others = 0
    for source in (virtual_machine.source(), clocked.source()):
        with using_target(least):
            code = native_backend.compile_native(source.body, source.entry, shipped.PLACEHOLDER)
        if only_checks:
            found = shipped.read(source.name)
            same = found is not None and found[2] == code
            others += not same
            print(f"{shipped.path(source.name).name}: {'the same code' if same else 'other code'}")
        else:
            shipped.write(source.name, source.identity, code)
            print(f"wrote {shipped.path(source.name)} ({len(code)} bytes)")
    return others


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
