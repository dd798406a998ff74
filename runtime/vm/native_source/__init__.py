"""The runtime's own native functions: Python that Numba compiles, in files that linters and types read too.

What is compiled is the text of these files, one behind another. So their imports from each other say where a name
comes from, and do nothing else; every other name is one of primitives.py. Nothing imports them to run them.
`tools/ship_vm.py` has to run after a change here.
"""

from pathlib import Path

ENTRY = "vm"  # the function of vm_loop.py that Python enters
_SHARED = ("layout", "products", "byte_lists", "thread_team", "routes", "vm_loop")


def vm_text() -> str:
    """The text of the VM, which is entered with the address of a header."""
    return _text(*_SHARED, "unclocked")


def clocked_vm_text() -> str:
    """The text of the VM that looks at the clock behind each instruction. It is entered with that of notes."""
    return _text(*_SHARED, "clock")


def _text(*names: str) -> str:
    folder = Path(__file__).parent
    return "\n\n".join((folder / f"{name}.py").read_text("utf-8") for name in names)
