"""Programs as C libraries that run without Python: `build` writes one, `load` calls it, `emulate`, `reference` test it.

Lowering, kernels and their code come from `runtime`; here steps become C, and object files become a library.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from ..base.suggest import no_attribute as _no_attribute
from .loader import NativeModel, load

if _TYPE_CHECKING:  # at run time it comes from `__getattr__`: loading a library needs no LLVM
    from .building import build
    from .emulation import emulate
    from .same_bits import reference

__all__ = ["NativeModel", "build", "emulate", "load", "reference"]
_MODULES = {"build": "building", "emulate": "emulation", "reference": "same_bits"}


def __getattr__(name: str) -> _Any:
    if name not in _MODULES:
        raise _no_attribute(__name__, name, lambda: __all__)
    return getattr(_import_module(f"{__name__}.{_MODULES[name]}"), name)
