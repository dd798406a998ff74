"""Write the machine code of the VM, without a clock and with one, and of native calls into runtime/vm/shipped/.

shipped.py there says what it is for.

python tools/ship_vm.py --check: write nothing, fail if what is there is other code.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from numba.core import config

from vitrify.base.target import TARGETS, host_target, using_target
from vitrify.runtime.codegen import native_backend
from vitrify.runtime.vm import clocked, shipped, virtual_machine
from vitrify.runtime.vm.calls.native_call import NativeCallSource


def main(only_checks: bool) -> int:
    """Make it with Numba and LLVM, for any CPU of this architecture."""
    # Numba optimises what the VM calls before it is linked: by this for any CPU, too, and not for the one at hand.
    config.CPU_NAME, config.CPU_FEATURES = "generic", ""
    *_, least = (target for target in TARGETS.values() if target.architecture == host_target().architecture)
    sources: list[tuple[str, str, Callable[[str], bytes], list[Path]]] = [
        (vm.name, vm.identity, partial(native_backend.compile_native, vm.body, vm.entry), [])
        for vm in (virtual_machine.source(), clocked.source())
    ]
    for counted in (True, False):
        call = NativeCallSource(counted)
        sources.append((call.shipped_as, call.identity, call.compile_anew, shipped.call_writers()))
    others = 0
    for name, identity, compile_anew, beside in sources:
        with using_target(least):
            code = compile_anew(shipped.PLACEHOLDER)
        if only_checks:
            found = shipped.read(name)
            same = found is not None and found[2] == code
            others += not same
            print(f"{shipped.path(name).name}: {'the same code' if same else 'other code'}")
        else:
            shipped.write(name, identity, code, beside)
            print(f"wrote {shipped.path(name)} ({len(code)} bytes)")
    return others


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
