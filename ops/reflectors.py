"""Products of Householder reflections, in the packed form that QR decompositions give."""

from __future__ import annotations

from typing import Any

from ..base.errors import AssertedError, ShapeError
from .infer import require_axes, show_shape
from .matrices import adjoint, columns, row_vector, smaller
from .op import OPS, composite


def _reflectors(x: Any, tau: Any) -> list[tuple[Any, Any]]:
    """The Householder vectors [..., m, 1] below the diagonal of x, with 1 on it, and their factors [..., 1, 1]."""
    require_axes("a matrix of Householder vectors", x, 2)
    require_axes("the factors of Householder vectors", tau, 1)
    m, k = x.shape[-2], tau.shape[-1]
    unit = OPS["eye"](m, k, x.dtype)
    vectors, factors = OPS["tril"](columns(x, 0, k), -1) + unit, row_vector(tau)
    return [(columns(vectors, j, j + 1), columns(factors, j, j + 1)) for j in range(k)]


@composite()
def householder_product(x: Any, tau: Any, name: str | None = None) -> Any:
    """The first n columns of the product of Householder reflections I - tau v vᴴ: q of a packed QR decomposition.

    Shapes: x [..., m, n] with the vectors below its diagonal, tau [..., k], k <= n <= m; result [..., m, n].
    """
    require_axes("householder_product", x, 2)
    require_axes("householder_product: tau", tau, 1)
    m, n = x.shape[-2:]
    if smaller(m, n) is not n or smaller(tau.shape[-1], n) is not tau.shape[-1]:
        raise ShapeError(
            f"householder_product needs k <= n <= m, got x {show_shape(x.shape)}, tau {show_shape(tau.shape)}"
        )
    made = OPS["broadcast_to"](OPS["eye"](m, n, x.dtype), x.shape)
    for v, factor in reversed(_reflectors(x, tau)):
        made = made - factor * v @ (adjoint(v) @ made)
    return made


@composite()
def ormqr(x: Any, tau: Any, y: Any, left: bool = True, transpose: bool = False, name: str | None = None) -> Any:
    """Q y (left) or y Q, or with Qᴴ (transpose), where Q [m, n] is `householder_product` of x [m, n] and tau [n].

    Errors: AssertedError where the shapes or dtypes don't fit.
    """
    if not x.dtype == tau.dtype == y.dtype:
        raise AssertedError(f"ormqr needs one dtype, got {x.dtype.name}, {tau.dtype.name} and {y.dtype.name}")
    if x.ndim < 2 or y.ndim != x.ndim or tuple(tau.shape) != (*x.shape[:-2], x.shape[-1]):
        raise AssertedError(
            "ormqr needs x [..., m, n], tau [..., n] and a y with as many axes as x, got "
            f"{', '.join(show_shape(value.shape) for value in (x, tau, y))}"
        )
    met, axis = x.shape[-2 if transpose is left else -1], -2 if left else -1
    if y.shape[axis] != met or (x.ndim == 3 and y.shape[0] != x.shape[0]):
        raise AssertedError(
            f"ormqr: y {show_shape(y.shape)} doesn't fit Q {show_shape(x.shape)} (left={left}, transpose={transpose})"
        )
    q = householder_product(x, tau)
    q = adjoint(q) if transpose else q
    return q @ y if left else y @ q
