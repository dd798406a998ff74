"""Operations as layers, so that a quantiser can put itself before and behind each: `nn.quant`.

They compute what the functions of the same names compute.
"""

from __future__ import annotations

from typing import Any

from ...ops import functions
from .layer import Layer

__all__ = [
    "FloatFunctionalLayer", "Stub", "add", "concat", "divide", "flatten", "matmul", "multiply", "reshape", "subtract",
    "transpose",
]  # fmt: skip


class FloatFunctionalLayer(Layer):
    """A layer without parameters that calls the function of its class's name.

    >>> add()(functions()["ones"]([2]), functions()["ones"]([2])).tolist()
    [2.0, 2.0]
    """

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the function returns."""
        return functions()[type(self).__name__](*args, **kwargs)


class Stub(Layer):
    """A place in a model where a quantiser puts a quanter: `observer`, or that of its configuration.

    >>> Stub()(functions()["ones"]([2])).tolist()
    [1.0, 1.0]
    """

    def __init__(self, observer: Any = None) -> None:
        super().__init__()
        self._observer = observer

    def forward(self, input: Any) -> Any:
        """The input itself."""
        return input


def _layer(name: str) -> type[FloatFunctionalLayer]:
    facts = {"__doc__": f"The function `{name}` as a layer.", "__module__": __name__}
    return type(name, (FloatFunctionalLayer,), facts)


add, concat, divide, flatten, matmul, multiply, reshape, subtract, transpose = map(_layer, __all__[2:])
