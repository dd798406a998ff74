"""Programs as C libraries that run without Python: `build` writes one, `load` calls one.

Lowering, kernels and their code come from `runtime`; here steps become C, and object files become a library.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from ..base.suggest import no_attribute as _no_attribute
from .loader import NativeModel, load

if _TYPE_CHECKING:  # at run time it comes from `__getattr__`: loading a library needs no LLVM
    from .building import build

__all__ = ["NativeModel", "build", "load"]


def __getattr__(name: str) -> _Any:
    if name != "build":
        raise _no_attribute(__name__, name, lambda: __all__)
    return _import_module(f"{__name__}.building").build
