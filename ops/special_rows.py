"""Rows of gamma, Bessel and inverse error functions. Where a row has no scalar form, programs call its NumPy one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import special_arrays as arrays
from .activation import as_float
from .dims import DimLike, product
from .dispatch import current
from .families import Samples, elementwise
from .infer import int_argument, part_count
from .lowering import HOST, Custom, Scalar
from .op import OPS, composite
from .types import TensorType

_POSITIVE = Samples(0.3, 4.0, edges=(0.5, 1.0, 2.0, 10.0))
_INCOMPLETE = Samples(0.3, 4.0, edges=(0.0, 1.0, 60.0, np.inf, np.nan, -1.0), gradient=False)
_REAL = Samples(-2.0, 2.0, edges=(0.0, -0.0, 20.0, -60.0, np.nan))


def _host(name: str, doc: str, eager: Any, vjp: Any, samples: Samples, **fields: Any) -> Any:
    return elementwise(name, doc, eager=eager, vjp=vjp, samples=samples, **({"scalar": HOST} | fields))


def _polygamma_vjp(g: Any, y: Any, x: Any, *, n: Any) -> tuple[Any]:
    return (g * OPS["polygamma"](x, n + 1),)


lgamma = _host(
    "lgamma",
    "Logarithm of |gamma(x)|.",
    arrays.lgamma,
    lambda g, y, x: (g * OPS["digamma"](x),),
    _POSITIVE,
    scalar=Scalar("lgamma_{t}({0})", cost=40),
)
digamma = _host(
    "digamma",
    "Derivative of the logarithm of gamma(x).",
    arrays.digamma,
    lambda g, y, x: (g * OPS["trigamma"](x),),
    _POSITIVE,
    scalar=Scalar("digamma_{t}({0})", cost=40),
)
trigamma = _host(
    "trigamma",
    "The first derivative of digamma.",
    lambda x: arrays.polygamma(x, n=1),
    lambda g, y, x: (g * OPS["tetragamma"](x),),
    _POSITIVE,
    scalar=Scalar("trigamma_{t}({0})", cost=40),
    public=False,
    method=False,
)
tetragamma = _host(
    "tetragamma",
    "The second derivative of digamma.",
    lambda x: arrays.polygamma(x, n=2),
    lambda g, y, x: (g * OPS["polygamma"](x, 3),),
    _POSITIVE,
    scalar=Scalar("tetragamma_{t}({0})", cost=50),
    public=False,
    method=False,
)
polygamma = _host(
    "polygamma",
    "The n-th derivative of digamma.",
    lambda x, *, n: arrays.polygamma(x, n=int(n)),
    _polygamma_vjp,
    _POSITIVE,
    attrs={"n": 2},
    public=False,
)


def _density(g: Any, x: Any, y: Any) -> Any:
    """g times the derivative of the lower incomplete gamma function by its bound."""
    return g * OPS["exp"]((x - 1.0) * OPS["log"](y) - y - lgamma(x))


def _incomplete_work(given: Sequence[TensorType], made: Sequence[TensorType], **_: Any) -> DimLike:
    return product(made[0].shape) * 200


gammainc = _host(
    "gammainc",
    "Regularised lower incomplete gamma function of order x up to y. Gradient by y only.",
    arrays.gammainc,
    lambda g, out, x, y: (None, _density(g, x, y)),
    _INCOMPLETE,
    operands="x y",
    scalar=Custom("special.gammainc"),
    work=_incomplete_work,
)
gammaincc = _host(
    "gammaincc",
    "Regularised upper incomplete gamma function of order x from y. Gradient by y only.",
    arrays.gammaincc,
    lambda g, out, x, y: (None, -_density(g, x, y)),
    _INCOMPLETE,
    operands="x y",
    scalar=Custom("special.gammaincc"),
    work=_incomplete_work,
)
erfinv = _host(
    "erfinv",
    "The inverse of erf, on (-1, 1).",
    arrays.erfinv,
    lambda g, y, x: (g * (OPS["exp"](y * y) * (math.sqrt(math.pi) / 2.0)),),
    Samples(-0.9, 0.9, edges=(0.0, -0.0, 1.0, -1.0, 2.0, np.nan)),
    scalar=Scalar("erfinv_{t}({0})", cost=80),
)
i0 = _host(
    "i0",
    "Modified Bessel function of the first kind, order 0.",
    lambda x: arrays.bessel(x, 0, scaled=False),
    lambda g, y, x: (g * OPS["i1"](x),),
    _REAL,
    scalar=Scalar("i0_{t}({0})", cost=30),
)
i0e = _host(
    "i0e",
    "Modified Bessel function of the first kind, order 0, times exp(-|x|).",
    lambda x: arrays.bessel(x, 0, scaled=True),
    lambda g, y, x: (g * (OPS["i1e"](x) - OPS["sign"](x) * y),),
    _REAL,
    scalar=Scalar("i0e_{t}({0})", cost=30),
)


def _over(y: Any, x: Any) -> Any:
    """I1(x) / x, whose limit at 0 is one half."""
    flat = OPS["equal"](x, 0.0)
    return OPS["where"](flat, 0.5, y / OPS["where"](flat, 1.0, x))


i1 = _host(
    "i1",
    "Modified Bessel function of the first kind, order 1.",
    lambda x: arrays.bessel(x, 1, scaled=False),
    lambda g, y, x: (g * (i0(x) - _over(y, x)),),
    _REAL,
    scalar=Scalar("i1_{t}({0})", cost=30),
)
i1e = _host(
    "i1e",
    "Modified Bessel function of the first kind, order 1, times exp(-|x|).",
    lambda x: arrays.bessel(x, 1, scaled=True),
    lambda g, y, x: (g * (i0e(x) - _over(y, x) - OPS["sign"](x) * y),),
    _REAL,
    scalar=Scalar("i1e_{t}({0})", cost=30),
)


@composite("polygamma")
def polygamma_(x: Any, n: int, name: str | None = None) -> Any:
    """The n-th derivative of digamma; digamma itself for n = 0. Errors: ArgumentError for a negative n.

    >>> import vitrify as vt
    >>> round(float(vt.polygamma(vt.to_tensor(1.0), 1)), 4)
    1.6449
    """
    n = int_argument("polygamma: n", n, 0, 170)  # the result has the factor n!, and no float holds that of 171
    return polygamma(x, n) if n > 2 else (digamma, trigamma, tetragamma)[n](x)


@composite()
def gammaln(x: Any, name: str | None = None) -> Any:
    """Logarithm of |gamma(x)|: another name of `lgamma`."""
    return lgamma(x)


@composite()
def multigammaln(x: Any, p: int, name: str | None = None) -> Any:
    """Logarithm of the multivariate gamma function of dimension p; x above (p - 1) / 2.

    >>> import vitrify as vt
    >>> round(float(vt.multigammaln(vt.to_tensor(3.0), 1)), 4)
    0.6931
    """
    p = part_count("multigammaln: p", p, 1)
    x = as_float(current().constant(x, None))
    out = lgamma(x) + p * (p - 1) / 4.0 * math.log(math.pi)
    for k in range(1, p):
        out = out + lgamma(x - 0.5 * k)
    return out
