"""Programs as C libraries that run without Python: `build` writes one, `load` calls one, `emulate` tries any.

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

__all__ = ["NativeModel", "build", "emulate", "load"]


def __getattr__(name: str) -> _Any:
    if name not in ("build", "emulate"):
        raise _no_attribute(__name__, name, lambda: __all__)
    module = "building" if name == "build" else "emulation"
    return getattr(_import_module(f"{__name__}.{module}"), name)
