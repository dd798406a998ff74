"""PaddlePaddle's own module paths (`base.framework`, `framework`, `utils.unique_name` ...), for programs that use them.

Nothing is implemented twice: `tables.py` says which object of the package each name means, and the finder in
`finder.py` makes those modules when they are imported. What only has a meaning on Paddle's other hardware or engines
has the answer of a CPU-only build.
"""

from importlib import import_module
from typing import Any

from ..base.suggest import no_attribute
from .finder import install as install

__all__ = ["install"]

_AS_TORCH = ("equal", "max", "median", "min", "nanmedian", "seed", "slogdet", "sort", "split", "unique")


def __getattr__(name: str) -> Any:
    """What `paddle.compat` has: functions and layers after PyTorch's."""
    if name == "nn":
        return import_module(f"{__name__}.nn")
    if name not in _AS_TORCH:
        raise no_attribute(__name__, name, lambda: [*_AS_TORCH, "nn"])
    return getattr(import_module(f"{__name__}.torch_functions"), name)
