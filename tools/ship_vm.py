"""Write the VM's LLVM text for this architecture into runtime/vm/shipped/ (see runtime/vm/shipped.py)."""

from vitrify.runtime.codegen import numba_backend
from vitrify.runtime.vm import shipped, virtual_machine


def main() -> None:
    """Make the text with Numba and put the source's hash before it."""
    source = virtual_machine.source()
    text = numba_backend.native_text(source.body, source.entry, shipped.PLACEHOLDER)
    shipped.path().parent.mkdir(exist_ok=True)
    shipped.path().write_text(f"; {shipped.digest(source.identity)}\n{text}")
    print(f"wrote {shipped.path()} ({len(text)} characters)")


if __name__ == "__main__":
    main()
