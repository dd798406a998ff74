# Written by `make stubs`; edits here are lost.

"""Gradients as functions, and gradients of your own."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Iterator as _Iterator
from typing import Any as _Any
from typing import TypeVar as _TypeVar
from typing import overload as _overload
from vitrify.dygraph.derivatives import Hessian as Hessian
from vitrify.dygraph.derivatives import Jacobian as Jacobian
from vitrify.dygraph.modes import GradMode as _GradMode
from vitrify.dygraph.modes import _Mode as _Mode
from vitrify.dygraph.pylayer import PyLayer as PyLayer
from vitrify.dygraph.pylayer import PyLayerContext as PyLayerContext

def backward(tensors: _Any, grad_tensors: _Any = None, retain_graph: _bool = False) -> None:
    """Add the gradients of one or several tensors to `.grad` of the leaves they depend on.

    grad_tensors: weights, one per tensor; None for ones."""

def detect_anomaly(check_nan: _bool = True) -> _Iterator[None]:
    """Check every result inside the block, those of gradients and of compiled programs too, as `check_nan_inf` does."""

_F = _TypeVar("_F", bound=_Callable[..., _Any])

@_overload
def enable_grad(func: None = None) -> _GradMode:
    """Record again inside `no_grad`, as a `with` block or a decorator (with or without parentheses)."""
@_overload
def enable_grad(func: _F) -> _F: ...

def grad(outputs: _Any, inputs: _Any, grad_outputs: _Any = None, retain_graph: _bool | None = None, create_graph: _bool = False, only_inputs: _bool = True, allow_unused: _bool = False, no_grad_vars: _Any = None) -> _list[_Any]:
    """The gradients of the sum of `outputs` (weighted by `grad_outputs`), one per input. Writes no `.grad`.

    create_graph: the gradients can be differentiated again. allow_unused: None for an input without a path, instead of
    a ValueError. no_grad_vars: tensors taken as constants.

    >>> x = Tensor(3.0, stop_gradient=False)
    >>> (dx,) = grad(x * x, x, create_graph=True)
    >>> float(dx), float(grad(dx, x)[0])
    (6.0, 2.0)"""

def gradcheck(func: _Callable[..., _Any], inputs: _Any, eps: _float = 1e-06, atol: _float = 1e-05, rtol: _float = 0.001, raise_exception: _bool = True) -> _bool:
    """Whether the gradients of func at the inputs (float64, stop_gradient=False) are the numeric ones, |a - n| within
    atol + rtol |n|. Errors: GradientError, unless raise_exception=False, with the input's index and both Jacobians.

    >>> gradcheck(lambda x: x * x * x, [Tensor([1.0, 2.0], dtype="float64", stop_gradient=False)])
    True"""

def gradgradcheck(func: _Callable[..., _Any], inputs: _Any, grad_outputs: _Any = None, eps: _float = 1e-06, atol: _float = 1e-05, rtol: _float = 0.001, raise_exception: _bool = True) -> _bool:
    """`gradcheck` of the gradients of func, weighted by grad_outputs (fixed random numbers by default)."""

def hessian(ys: _Any, xs: _Any, batch_axis: _int | None = None) -> _Any:
    """The lazy second derivatives of a scalar (with batch_axis=0: one per batch entry) by `xs`: [N, N] or [B, N, N].

    Tuples of xs give a tuple of tuples. Errors: ShapeError for a ys of more elements."""

def is_grad_enabled() -> _bool:
    """Whether ops on tensors that need gradients are recorded.

    >>> is_grad_enabled()
    True"""

def jacobian(ys: _Any, xs: _Any, batch_axis: _int | None = None) -> _Any:
    """The lazy Jacobian of `ys` (flattened, M) by `xs` (flattened, N): a matrix [M, N]. Tuples give tuples.

    batch_axis=0: both begin with a batch axis whose entries don't mix; the result is [B, M, N].

    >>> x = Tensor([1.0, 2.0], stop_gradient=False)
    >>> jacobian(x * x, x)[:].tolist()
    [[2.0, 0.0], [0.0, 4.0]]"""

def jvp(func: _Callable[..., _Any], xs: _Any, v: _Any = None) -> _tuple[_Any, _Any]:
    """func(*xs), and its Jacobian times v (ones by default): one tensor per result, by differentiating twice.

    Errors: as of `vjp`.

    >>> y, d = jvp(lambda x: x * x, Tensor([1.0, 3.0]), Tensor([1.0, 0.5]))
    >>> d.tolist()
    [2.0, 3.0]"""

@_overload
def no_grad(func: None = None) -> _Mode:
    """Record nothing, inside a `with` block or a decorated function (`@no_grad` or with parentheses).

    >>> with no_grad():
    ...     is_grad_enabled()
    False"""
@_overload
def no_grad(func: _F) -> _F: ...

def once_differentiable(backward: _Callable[..., _Any]) -> _Callable[..., _Any]:
    """Decorate a PyLayer's backward whose result can't be differentiated again: it runs without recording."""

def saved_tensors_hooks(pack_hook: _Callable[[_Any], _Any], unpack_hook: _Callable[[_Any], _Any]) -> _Iterator[None]:
    """What eager mode keeps for backward inside the block goes through pack_hook(tensor) when it is kept, and through
    unpack_hook(what pack_hook gave) when backward reads it, which must give an equal tensor.

    Calls of compiled programs keep what they need in memory of their own."""

def set_grad_enabled(mode: _bool) -> _GradMode:
    """Set the mode from here on; as a context manager or decorator only inside it.

    >>> with set_grad_enabled(False):
    ...     is_grad_enabled()
    False"""

def vjp(func: _Callable[..., _Any], xs: _Any, v: _Any = None) -> _tuple[_Any, _Any]:
    """func(*xs), and v (ones by default) times its Jacobian: one tensor per input, zeros where there is no path.

    Errors: KindError for what isn't a function or tensors; GradientError (RuntimeError) where v doesn't fit.

    >>> y, g = vjp(lambda x: x * x, Tensor([1.0, 3.0]))
    >>> g.tolist()
    [2.0, 6.0]"""
