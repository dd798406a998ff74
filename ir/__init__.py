"""SSA programs with nested blocks: types, builder, text form, verifier, reference interpreter. Public as `vt.ir`."""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

from ..base.suggest import no_attribute as _no_attribute
from ..base.suggest import public_names as _public_names

if TYPE_CHECKING:  # at run time these come from `__getattr__`, so that `import vitrify` stays quick
    from .builder import Builder, new_program
    from .core import Block, Operation, Program, Value
    from .interpret import interpret as run
    from .parser import parse_program as parse
    from .verifier import verify
    from .walk import clone_program as clone
    from .walk import equal_programs as equal

_LATER = {
    "Block": ("core", "Block"),
    "Builder": ("builder", "Builder"),
    "Operation": ("core", "Operation"),
    "Program": ("core", "Program"),
    "Value": ("core", "Value"),
    "clone": ("walk", "clone_program"),
    "equal": ("walk", "equal_programs"),
    "new_program": ("builder", "new_program"),
    "parse": ("parser", "parse_program"),
    "run": ("interpret", "interpret"),
    "verify": ("verifier", "verify"),
}

__all__ = [
    "Block", "Builder", "Operation", "Program", "Value", "clone", "equal", "new_program", "parse", "run", "verify",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise _no_attribute(__name__, name, lambda: _public_names(__name__))
    module, own = _LATER[name]
    found = globals()[name] = getattr(_import_module(f".{module}", __name__), own)
    return found
