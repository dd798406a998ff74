"""What the stubs' signatures are made of. The module exists for type checkers only."""

from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

from vitrify import Tensor, dtype
from vitrify.dygraph.nn.layer import Layer
from vitrify.jit.function import StaticFunction

P = ParamSpec("P")
Q = ParamSpec("Q")
S = TypeVar("S")
F = TypeVar("F", bound=Callable[..., Any])
R_co = TypeVar("R_co", covariant=True)
LayerT = TypeVar("LayerT", bound=Layer)
C = TypeVar("C", bound=type)

class HasArray(Protocol):
    """What NumPy can read: arrays, and tensors of other libraries."""
    def __array__(self) -> Any: ...

class Forwarding(Protocol[P, R_co]):
    """What has a `forward`: calling a layer takes what its `forward` takes."""
    @property
    def forward(self) -> Callable[P, R_co]: ...

class ForwardingCompiled(Protocol[P, R_co]):
    """What has a `forward` that `to_static` decorates."""
    @property
    def forward(self) -> StaticFunction[Concatenate[Any, P], R_co]: ...

TensorLike: TypeAlias = Tensor | HasArray | bool | int | float | complex | Sequence[Any]
DTypeLike: TypeAlias = dtype | str | type | Any
Axis: TypeAlias = int | Tensor | Sequence[int | Tensor] | None
Shape: TypeAlias = int | Tensor | Sequence[int | Tensor | None]
