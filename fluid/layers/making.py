"""Tensors made from nothing, and variables. Each turns static mode on unless eager mode was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import static
from ...base.dtype import as_dtype
from ...base.errors import DTypeError
from ...dygraph import random_generators
from ...dygraph.conversions import to_tensor
from ...ops.dispatch import current
from .. import mode
from .shared import op


def data(
    name: str, shape: Sequence[Any], append_batch_size: bool = True, dtype: Any = "float32", lod_level: int = 0,
    type: Any = None, stop_gradient: bool = True,
) -> Any:  # fmt: skip
    """A feed of the default main program; `append_batch_size` puts -1 in front of a shape that is wholly known."""
    sizes = list(shape)
    known = all(d is not None and d >= 0 for d in sizes)
    made = mode.data(name, [-1, *sizes] if append_batch_size and known else sizes, dtype, lod_level)
    made.stop_gradient = stop_gradient
    return made


def fill_constant(
    shape: Any, dtype: Any, value: Any, force_cpu: bool = False, out: Any = None, name: Any = None
) -> Any:
    """One number everywhere, written to `out` if that is given. In a program `out` must have the dtype (DTypeError)."""
    mode.begin_static()
    if out is not None and current().is_static and out.dtype != as_dtype(dtype):
        raise DTypeError(f"fill_constant makes {as_dtype(dtype).name}, out is {out.dtype}")
    made = op("full")(shape, value, dtype)
    return made if out is None else op("assign")(made, out)


def fill_constant_batch_size_like(
    input: Any, shape: Any, dtype: Any, value: Any, input_dim_idx: int = 0, output_dim_idx: int = 0,
    force_cpu: bool = False,
) -> Any:  # fmt: skip
    """One number everywhere; the size at `output_dim_idx` is that of `input` at `input_dim_idx`.

    >>> fill_constant_batch_size_like(to_tensor(np.zeros((4, 2))), [-1, 3], "int64", 7).shape
    [4, 3]
    """
    sizes = list(shape)
    sizes[output_dim_idx] = input.shape[input_dim_idx]
    return op("full")(sizes, value, dtype)


def zeros(shape: Any, dtype: Any, force_cpu: bool = False, name: str | None = None) -> Any:
    """Zeros."""
    return fill_constant(shape, dtype, 0)


def ones(shape: Any, dtype: Any, force_cpu: bool = False, name: str | None = None) -> Any:
    """Ones."""
    return fill_constant(shape, dtype, 1)


def linspace(start: Any, stop: Any, num: int, dtype: Any = None, name: str | None = None) -> Any:
    """`num` numbers from `start` to `stop`, both included."""
    mode.begin_static()
    return op("linspace")(start, stop, num, dtype)


def range(start: Any, end: Any, step: Any, dtype: Any, name: str | None = None) -> Any:
    """Numbers from `start` by `step`, `end` not included."""
    mode.begin_static()
    return op("arange")(start, end, step, dtype)


def assign(input: Any, output: Any = None) -> Any:
    """A copy of a tensor or array, written to `output` if that is given."""
    mode.begin_static()
    source = to_tensor(np.asarray(input)) if isinstance(input, (np.ndarray, list, tuple, int, float)) else input
    return op("assign")(source) if output is None else op("assign")(source, output)


def uniform_random(
    shape: Any, dtype: Any = "float32", min: float = -1.0, max: float = 1.0, seed: int = 0, name: str | None = None
) -> Any:
    """Random numbers between `min` and `max`, drawn at every run. seed: see `vt.uniform`."""
    mode.begin_static()
    return random_generators.uniform(shape, dtype, min, max, seed)


def gaussian_random(
    shape: Any, mean: float = 0.0, std: float = 1.0, seed: int = 0, dtype: Any = "float32", name: str | None = None
) -> Any:
    """Random numbers of a normal distribution, drawn at every run. seed: see `vt.gaussian`."""
    mode.begin_static()
    return random_generators.gaussian(shape, mean, std, seed, dtype)


def create_parameter(
    shape: Any, dtype: Any, name: str | None = None, attr: Any = None, is_bias: bool = False,
    default_initializer: Any = None,
) -> Any:  # fmt: skip
    """A parameter outside of any layer."""
    mode.begin_static()
    return static.create_parameter(shape, dtype, name, attr, is_bias, default_initializer)


def create_global_var(
    shape: Any, value: float, dtype: Any, persistable: bool = False, force_cpu: bool = False, name: str | None = None
) -> Any:
    """A variable that keeps its value between runs and starts as `value`."""
    mode.begin_static()
    return static.create_global_var(shape, value, dtype, persistable, force_cpu, name)
