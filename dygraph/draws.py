"""Random tensors from further distributions, and in the shape of others; in-place forms are methods of tensors."""

from __future__ import annotations

import math
from typing import Any

from ..base.dtype import as_dtype, int64
from ..base.errors import ArgumentError, DTypeError, ShapeError
from ..base.flags import flags
from ..ops.dims import product
from ..ops.dispatch import current
from ..ops.infer import assume_at_least, show_shape
from ..ops.mistakes import public
from ..ops.op import OPS
from ..ops.orders import argsort
from .modes import GradMode
from .random_generators import default_generator, normal, normally, refill
from .tensor import Tensor

__all__ = [
    "binomial", "log_normal", "multinomial", "poisson", "rand_like", "randn_like", "standard_gamma",
]  # fmt: skip


def _like(row: str, x: Tensor, dtype: Any) -> Any:
    kind = as_dtype(dtype) if dtype is not None else x.dtype
    if not kind.is_floating:
        raise DTypeError(f"{row} numbers are floats, not {kind.name}", remedy="give dtype='float32'")
    return default_generator.draw(row, x.shape, kind)


@public
def rand_like(x: Tensor, dtype: Any = None, name: Any = None) -> Any:
    """Numbers evenly from [0, 1) in the shape (and dtype, unless given) of x."""
    return _like("uniform", x, dtype)


@public
def randn_like(x: Tensor, dtype: Any = None, name: Any = None) -> Any:
    """Numbers from the standard normal distribution in the shape (and dtype, unless given) of x."""
    return _like("normal", x, dtype)


def _sampled(row: str, *parameters: Any) -> Any:
    """A draw by a row of ops/sampling.py; moves the default generator on."""
    given = [current().constant(p, None) for p in parameters]
    with default_generator._lock:
        made = OPS[row](default_generator.state, *given)
        moved = OPS["rng_advance"](default_generator.state, product(made.shape))
        default_generator.state._write(moved, fresh=True)
    return made


def poisson(x: Tensor, name: Any = None) -> Any:
    """Numbers from Poisson distributions whose rates are the elements of x; in its dtype. Gradients are 0.

    As in PaddlePaddle, a rate below 0 gives 0. Errors: ArgumentError (a ValueError) for NaN.
    """
    return _sampled("draw_poisson", x)


def binomial(count: Tensor, prob: Tensor, name: Any = None) -> Any:
    """How many of `count` tries succeed, each with probability `prob`; int64, broadcast."""
    return OPS["cast"](_sampled("draw_binomial", OPS["cast"](count, "float64"), OPS["cast"](prob, "float64")), int64)


def standard_gamma(x: Tensor, name: Any = None) -> Any:
    """Numbers from gamma distributions whose shapes are the elements of x, of scale 1; in its dtype."""
    return _sampled("draw_gamma", x)


def log_normal(mean: Any = 1.0, std: Any = 2.0, shape: Any = None, name: Any = None) -> Any:
    """exp of numbers from a normal distribution; mean and std may be tensors, which then give the shape."""
    return OPS["exp"](normal(mean, std, shape))


@public
def multinomial(x: Tensor, num_samples: int = 1, replacement: bool = False, name: Any = None) -> Any:
    """Numbers of categories, drawn with the weights in x [n] or [rows, n]: int64 [num_samples] or [rows, num_samples].

    Without replacement no category comes twice in a row. Errors: ArgumentError where there are fewer categories of a
    weight above 0, or a weight that is negative, NaN or infinite (in static programs unchecked).
    """
    if x.ndim not in (1, 2):
        raise ShapeError(f"multinomial needs weights [n] or [rows, n], got {show_shape(x.shape)}")
    if isinstance(num_samples, bool) or not isinstance(num_samples, int) or num_samples < 1:
        raise ArgumentError(f"multinomial: num_samples must be an int above 0, not {num_samples!r}")
    with GradMode(False):
        _check_weights(x.detach(), num_samples, replacement)
        weights = x if x.dtype.name == "float64" else OPS["cast"](x, "float64")
        if replacement:
            edges = OPS["cumsum"](weights, axis=-1)
            total = OPS["sum"](weights, -1, True)
            drawn = default_generator.draw("uniform", [*x.shape[:-1], num_samples], "float64") * total
            below = OPS["reshape"](edges, [*x.shape[:-1], 1, x.shape[-1]]) <= OPS["reshape"](drawn, [*drawn.shape, 1])
            return OPS["clip"](OPS["sum"](below, -1), max=x.shape[-1] - 1)
        drawn = default_generator.draw("uniform", x.shape, "float64")
        race = -OPS["log"](1.0 - drawn) / weights  # the smallest of exponential times wins, in proportion to its weight
        order = argsort(OPS["where"](OPS["equal"](weights, 0.0), math.inf, race), axis=-1)
        return order[..., :num_samples]


def _check_weights(weights: Any, num_samples: int, replacement: bool) -> None:
    if assume_at_least(weights.shape[-1], 1) is False:
        raise ShapeError(f"multinomial needs at least one category, got weights {show_shape(weights.shape)}")
    is_good = OPS["logical_and"](OPS["greater_equal"](weights, 0), OPS["isfinite"](weights))
    _require(OPS["all"](is_good), "multinomial needs finite weights of at least 0")
    positive = OPS["sum"](OPS["greater_than"](weights, 0), -1)
    enough = OPS["all"](OPS["greater_equal"](positive, 1 if replacement else num_samples))
    few = "multinomial needs a category with a weight above 0"
    if not replacement and num_samples > 1:
        few = f"multinomial: {num_samples} samples without replacement need as many categories with a weight above 0"
    _require(enough, few, remedy="" if replacement or num_samples == 1 else "give replacement=True")


def _require(condition: Any, message: str, remedy: str = "") -> None:
    """ArgumentError unless it holds, raised by the run where only that knows it."""
    interpreter = current()
    if interpreter.is_trace:
        interpreter.require(condition, message, "ArgumentError")
    elif not interpreter.is_static and not condition.item():
        raise ArgumentError(message, remedy=remedy or None)


# In place


def _drawn(x: Tensor, row: str, **attrs: float) -> Any:
    return default_generator.draw(row, x.shape, x.dtype if x.dtype.is_floating else flags.default_dtype, **attrs)


def log_normal_(x: Tensor, mean: float = 1.0, std: float = 2.0, name: Any = None) -> Tensor:
    """Overwrite with exp of numbers from a normal distribution."""
    kind = x.dtype if x.dtype.is_floating else flags.default_dtype
    return refill(x, OPS["exp"](normally(default_generator, x.shape, kind, mean, std)))


def cauchy_(x: Tensor, loc: Any = 0, scale: Any = 1, name: Any = None) -> Tensor:
    """Overwrite with numbers from a Cauchy distribution."""
    return refill(x, OPS["tan"]((_drawn(x, "uniform") - 0.5) * math.pi) * scale + loc)


def geometric_(x: Tensor, probs: Any, name: Any = None) -> Tensor:
    """Overwrite with log(u) / log(1 - probs) for u from (0, 1]: the waiting times of Paddle, not rounded up."""
    if not isinstance(probs, Tensor) and not 0.0 < probs <= 1.0:
        raise ArgumentError(f"geometric_: probs must be in (0, 1], not {probs}")
    made = OPS["log"](1.0 - _drawn(x, "uniform"))
    return refill(x, made / (OPS["log"](1.0 - probs) if isinstance(probs, Tensor) else _log(1.0 - probs)))


def _log(value: float) -> float:
    return math.log(value) if value > 0.0 else -math.inf


IN_PLACE = (log_normal_, cauchy_, geometric_)
for _fn in (*IN_PLACE, multinomial):
    setattr(Tensor, _fn.__name__, _fn)
