"""First values of parameters. Random ones come from the default generator, so that `vt.seed` repeats them.

They are drawn by the eager interpreter, also when a layer is made inside a captured function, which is captured anew
at each call then. What an initializer fills there itself is drawn by the program.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...base.boundary import Created
from ...base.changes import Counted
from ...base.dtype import DType
from ...base.errors import ArgumentError, DTypeError, KindError, ShapeError
from ...ops.diagonals import diagonal
from ...ops.dispatch import bottom, current, innermost, using
from ...ops.op import OPS
from ..modes import GradMode
from ..random_generators import initial_generator, normally
from ..tensor import Parameter, Tensor

__all__ = [
    "Assign", "Bilinear", "Constant", "Dirac", "Initializer", "KaimingNormal", "KaimingUniform", "Normal",
    "Orthogonal", "TruncatedNormal", "Uniform", "XavierNormal", "XavierUniform", "calculate_gain",
    "set_global_initializer",
]  # fmt: skip


class Initializer(Counted, Created):
    """Base of initializers: `values(shape, dtype)` makes a tensor; calling one fills an existing tensor."""

    draws_in_program = False  # whether a startup program can make the values, by ops alone
    seed = 0  # of a stream of its own; 0: the numbers come from the default generator

    def values(self, shape: list[int], dtype: DType) -> Any:
        """A new tensor."""
        with using(bottom()), GradMode(False):
            own = type(self)
            if own._make is not Initializer._make or own.__call__ is Initializer.__call__:
                return self._make(shape, dtype)
            made: Parameter = Parameter.__new__(Parameter)  # a user's own, which fills what it is given
            made.__dict__.update(_storage=bottom().constant(np.zeros(shape, dtype.numpy), dtype)._storage, _dtype=dtype)
            self(made)
            return bottom().constant(made._copied(), dtype)  # a trace takes back what is written into `made`

    def _make(self, shape: list[int], dtype: DType) -> Any:
        raise NotImplementedError(
            f"{type(self).__name__} has neither `__call__(self, param, block=None)`, which fills a parameter, nor "
            "`values(self, shape, dtype)`, which makes its tensor"
        )

    def described(self, shape: list[int], dtype: DType) -> tuple[str, dict[str, Any]] | None:
        """The operator that makes the values in PaddlePaddle's programs: its type and attributes; None for several."""
        return None

    def __call__(self, param: Tensor, block: Any = None) -> Tensor:
        """Overwrite `param`, not recorded."""
        sizes, traced = [int(d) for d in param.shape], innermost(current())
        is_ours = self.draws_in_program and type(self).values is Initializer.values
        if is_ours and traced.is_trace and not traced.is_static:
            with using(traced), GradMode(False):
                param.set_value(self._make(sizes, param.dtype))
        else:
            param.set_value(self.values(sizes, param.dtype))
        return param

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in vars(self).items())})"


class Constant(Initializer):
    """Every element is `value`.

    >>> Constant(2.0)
    Constant(value=2.0)
    """

    def __init__(self, value: float = 0.0) -> None:
        if value is None:
            raise ArgumentError("Constant needs a number")
        self.value = value

    def _make(self, shape: list[int], dtype: DType) -> Any:
        return bottom().constant(np.full(shape, self.value, dtype.numpy), dtype)

    def described(self, shape: list[int], dtype: DType) -> tuple[str, dict[str, Any]]:
        return "fill_constant", {"shape": shape, "dtype": dtype, "value": self.value}


class Normal(Initializer):
    """From the normal distribution; the parts of complex numbers have the same mean. Errors: ArgumentError if not."""

    draws_in_program = True

    def __init__(self, mean: complex = 0.0, std: float = 1.0, name: str | None = None) -> None:
        if isinstance(mean, complex):
            if mean.real != mean.imag:
                raise ArgumentError(f"Normal: the parts of a complex mean must be equal, not {mean}")
            mean = mean.real
        self.mean, self.std = mean, std

    def _make(self, shape: list[int], dtype: DType) -> Any:
        return normally(initial_generator(self.seed), shape, dtype, self.mean, self.std)

    def described(self, shape: list[int], dtype: DType) -> tuple[str, dict[str, Any]]:
        return "gaussian_random", _drawn(shape, dtype, self.seed, mean=self.mean, std=self.std)


class TruncatedNormal(Initializer):
    """From the normal distribution, of the numbers between `a` and `b` only: its inverse at evenly drawn places.

    Errors: ArgumentError if less than 1 % of the distribution lies there.
    """

    draws_in_program = True

    def __init__(
        self, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, name: str | None = None
    ) -> None:
        self.mean, self.std, self.a, self.b = mean, std, a, b
        low, high = ((bound - mean) / (std * math.sqrt(2.0)) for bound in (a, b))
        if not a < b or math.erf(high) - math.erf(low) < 0.02:
            raise ArgumentError(f"TruncatedNormal: too little of the distribution lies between {a} and {b}")

    def _make(self, shape: list[int], dtype: DType) -> Any:
        scale = self.std * math.sqrt(2.0)
        low, high = (math.erf((bound - self.mean) / scale) for bound in (self.a, self.b))
        # doubles: near 1 floats are too coarse for the tails
        drawn = initial_generator(self.seed).draw("uniform", shape, "float64", low=low, high=high)
        made = OPS["erfinv"](drawn) * scale + self.mean
        return OPS["cast"](OPS["clip"](made, self.a, self.b), dtype)

    def described(self, shape: list[int], dtype: DType) -> tuple[str, dict[str, Any]]:
        return "truncated_gaussian_random", _drawn(
            shape, dtype, self.seed, mean=self.mean, std=self.std, a=self.a, b=self.b
        )


class Uniform(Initializer):
    """Evenly from [low, high)."""

    draws_in_program = True

    def __init__(self, low: float = -1.0, high: float = 1.0, name: str | None = None) -> None:
        if not low <= high:
            raise ArgumentError(f"Uniform needs low <= high, not {low} and {high}")
        self.low, self.high = low, high

    def _make(self, shape: list[int], dtype: DType) -> Any:
        return initial_generator(self.seed).draw("uniform", shape, dtype, low=self.low, high=self.high)

    def described(self, shape: list[int], dtype: DType) -> tuple[str, dict[str, Any]]:
        return "uniform_random", _drawn(shape, dtype, self.seed, min=self.low, max=self.high)


class _Scaled(Initializer):
    """From a distribution whose width depends on the shape."""

    def _plain(self, shape: list[int]) -> Initializer:
        """The initializer with that width."""
        raise NotImplementedError

    def _make(self, shape: list[int], dtype: DType) -> Any:
        return self._plain(shape)._make(shape, dtype)

    def described(self, shape: list[int], dtype: DType) -> tuple[str, dict[str, Any]] | None:
        return self._plain(shape).described(shape, dtype)


class _Xavier(_Scaled):
    draws_in_program = True

    def __init__(
        self, fan_in: float | None = None, fan_out: float | None = None, gain: float = 1.0, name: str | None = None
    ) -> None:
        self.fan_in, self.fan_out, self.gain = fan_in, fan_out, gain

    def _std(self, shape: list[int]) -> float:
        fan_in, fan_out = fans(shape)
        fan_in = self.fan_in if self.fan_in is not None else fan_in
        fan_out = self.fan_out if self.fan_out is not None else fan_out
        return self.gain * math.sqrt(2.0 / (fan_in + fan_out)) if fan_in + fan_out else 0.0


class XavierNormal(_Xavier):
    """Normal with variance 2 gain² / (fan_in + fan_out) (Glorot, Bengio, 2010)."""

    def _plain(self, shape: list[int]) -> Initializer:
        return with_seed(Normal(0.0, self._std(shape)), self.seed)


class XavierUniform(_Xavier):
    """Evenly, with variance 2 gain² / (fan_in + fan_out) (Glorot, Bengio, 2010)."""

    def _plain(self, shape: list[int]) -> Initializer:
        limit = math.sqrt(3.0) * self._std(shape)
        return with_seed(Uniform(-limit, limit), self.seed)


class _Kaiming(_Scaled):
    draws_in_program = True

    def __init__(
        self, fan_in: float | None = None, negative_slope: float = 0.0, nonlinearity: str = "relu", mode: str = "fan_in"
    ) -> None:
        if mode not in ("fan_in", "fan_out"):
            raise ArgumentError(f'mode must be "fan_in" or "fan_out", not {mode!r}')
        self.fan_in, self.mode = fan_in, mode
        self.negative_slope, self.nonlinearity = negative_slope, nonlinearity
        calculate_gain(nonlinearity, negative_slope)

    def _std(self, shape: list[int]) -> float:
        fan = self.fan_in if self.fan_in is not None else fans(shape)[self.mode == "fan_out"]
        if self.fan_in is None and not fan:
            return 0.0
        return calculate_gain(self.nonlinearity, self.negative_slope) / math.sqrt(fan)


class KaimingNormal(_Kaiming):
    """Normal with variance gain² / fan_in (He, Zhang, Ren, Sun, 2015)."""

    def _plain(self, shape: list[int]) -> Initializer:
        return with_seed(Normal(0.0, self._std(shape)), self.seed)


class KaimingUniform(_Kaiming):
    """Evenly, with variance gain² / fan_in (He, Zhang, Ren, Sun, 2015)."""

    def _plain(self, shape: list[int]) -> Initializer:
        limit = math.sqrt(3.0) * self._std(shape)
        return with_seed(Uniform(-limit, limit), self.seed)


class Assign(Initializer):
    """A copy of given numbers, an array, a list or a tensor; it broadcasts to the parameter's shape."""

    def __init__(self, value: Any, name: str | None = None) -> None:
        if isinstance(value, (str, dict)) or value is None:
            raise KindError(f"Assign needs an array, a list or a tensor, not a {type(value).__name__}")
        self.value = value

    def _make(self, shape: list[int], dtype: DType) -> Any:
        array = np.asarray(self.value)
        try:
            return bottom().constant(np.broadcast_to(array, shape).copy(), dtype)
        except ValueError:
            raise ShapeError(f"Assign: the value has shape {list(array.shape)}, the parameter {list(shape)}") from None

    def described(self, shape: list[int], dtype: DType) -> tuple[str, dict[str, Any]]:
        return "assign_value", {"shape": shape, "dtype": dtype, "values": np.asarray(self.value)}


class Orthogonal(Initializer):
    """An orthogonal matrix (rows or columns, whichever are fewer) times gain; more axes count as columns."""

    draws_in_program = True

    def __init__(self, gain: float = 1.0, name: str | None = None) -> None:
        self.gain = gain

    def _make(self, shape: list[int], dtype: DType) -> Any:
        if len(shape) < 2:
            raise ShapeError(f"Orthogonal needs a parameter of rank 2 or more, not {list(shape)}")
        rows, columns = shape[0], math.prod(shape[1:])
        drawn = initial_generator().draw("normal", [max(rows, columns), min(rows, columns)], "float64")
        q, r = OPS["qr"](drawn)
        signs = OPS["where"](diagonal(r) < 0, -1.0, 1.0)
        q = q * OPS["cast"](signs, "float64") * self.gain
        q = q if rows >= columns else OPS["transpose"](q, (1, 0))
        return OPS["cast"](OPS["reshape"](q, tuple(shape)), dtype)


class Dirac(Initializer):
    """Filters [out, in, …] that pass channels on unchanged: 1 at the middle of filter k for channel k, by groups."""

    def __init__(self, groups: int = 1, name: str | None = None) -> None:
        if not isinstance(groups, int) or groups < 1:
            raise ArgumentError(f"Dirac: groups must be an int of at least 1, not {groups!r}")
        self.groups = groups

    def _make(self, shape: list[int], dtype: DType) -> Any:
        if len(shape) not in (3, 4, 5) or shape[0] % self.groups:
            raise ShapeError(f"Dirac needs filters of rank 3 to 5 in {self.groups} groups, not {list(shape)}")
        made = np.zeros(shape, dtype.numpy)
        each = shape[0] // self.groups
        middle = tuple(size // 2 for size in shape[2:])
        for group in range(self.groups):
            for k in range(min(each, shape[1])):
                made[(group * each + k, k, *middle)] = 1
        return bottom().constant(made, dtype)


class Bilinear(Initializer):
    """Filters [out, in, size, size] of a transposed convolution that enlarges images linearly along both axes."""

    def __init__(self, name: str | None = None) -> None:
        pass

    def _make(self, shape: list[int], dtype: DType) -> Any:
        if not dtype.is_floating:
            raise DTypeError(f"Bilinear makes floats, not {dtype.name}")
        return bottom().constant(self._filters(shape).astype(dtype.numpy), dtype)

    def _filters(self, shape: list[int]) -> Any:
        if len(shape) != 4 or shape[2] != shape[3]:
            raise ShapeError(f"Bilinear needs filters [out, in, size, size], not {list(shape)}")
        factor = math.ceil(shape[3] / 2.0)
        center = (2 * factor - 1 - factor % 2) / (2.0 * factor)
        line = 1.0 - np.abs(np.arange(shape[3]) / factor - center)
        return np.broadcast_to(np.outer(line, line), shape)

    def described(self, shape: list[int], dtype: DType) -> tuple[str, dict[str, Any]]:
        return "assign_value", {"shape": shape, "dtype": dtype, "values": self._filters(shape)}


def _drawn(shape: list[int], dtype: DType, seed: int, **settings: Any) -> dict[str, Any]:
    """Attributes of an operator that draws numbers."""
    return {"shape": shape, "dtype": dtype, "seed": seed, **settings}


def with_seed(made: Initializer, seed: int) -> Initializer:
    """The initializer, with a stream of its own for a seed other than 0."""
    if seed:
        made.seed = seed
    return made


def fans(shape: list[int]) -> tuple[float, float]:
    """How many inputs and outputs meet at an element of a matrix [in, out] or filters [out, in, …]."""
    if len(shape) < 2:
        size = float(shape[0]) if shape else 1.0
        return size, size
    if len(shape) == 2:
        return float(shape[0]), float(shape[1])
    field = math.prod(shape[2:])
    return float(shape[1] * field), float(shape[0] * field)


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor that keeps the variance through an activation.

    >>> calculate_gain("tanh")
    1.6666666666666667
    """
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else float(param)
        return math.sqrt(2.0 / (1.0 + slope * slope))
    plain = ("sigmoid", "linear", "conv1d", "conv2d", "conv3d", "conv1d_transpose", "conv2d_transpose",
             "conv3d_transpose")  # fmt: skip
    gains = dict.fromkeys(plain, 1.0) | {"tanh": 5.0 / 3.0, "relu": math.sqrt(2.0), "selu": 0.75}
    if nonlinearity not in gains:
        raise ArgumentError(f"unknown nonlinearity {nonlinearity!r}; known are {', '.join([*gains, 'leaky_relu'])}")
    return gains[nonlinearity]


_global: list[Initializer | None] = [None, None]


def set_global_initializer(weight_init: Initializer | None, bias_init: Initializer | None = None) -> None:
    """Initialise parameters that have no initializer of their own with these; None: the usual ones again."""
    for init in (weight_init, bias_init):
        if init is not None and not isinstance(init, Initializer):
            raise KindError(f"set_global_initializer needs Initializers or None, not a {type(init).__name__}")
    _global[:] = [weight_init, bias_init]


def global_initializers() -> tuple[Initializer | None, Initializer | None]:
    """What set_global_initializer was given: for weights and for biases."""
    return _global[0], _global[1]
