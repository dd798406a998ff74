"""`nn.init`: functions that fill a tensor in place, each by the initializer of nn.initializer that it is named for."""

from __future__ import annotations

from ..dygraph.nn import initializer as start
from ..dygraph.tensor import Tensor
from ..ops.create import eye
from ..ops.dispatch import bottom, using

calculate_gain = start.calculate_gain


def _filled(tensor: Tensor, initializer: start.Initializer) -> Tensor:
    with using(bottom()):
        initializer(tensor)
    return tensor


def constant_(tensor: Tensor, val: float) -> Tensor:
    """One value everywhere."""
    return _filled(tensor, start.Constant(val))


def zeros_(tensor: Tensor) -> Tensor:
    """Zeros."""
    return constant_(tensor, 0.0)


def ones_(tensor: Tensor) -> Tensor:
    """Ones."""
    return constant_(tensor, 1.0)


def eye_(tensor: Tensor) -> Tensor:
    """Ones on the diagonal of a matrix, zeros elsewhere."""
    tensor.set_value(eye(*tensor.shape, dtype=tensor.dtype))
    return tensor


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0) -> Tensor:
    """Numbers evenly from [a, b)."""
    return _filled(tensor, start.Uniform(a, b))


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0) -> Tensor:
    """Numbers from a normal distribution."""
    return _filled(tensor, start.Normal(mean, std))


def trunc_normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0) -> Tensor:
    """Numbers from a normal distribution, of those between a and b only."""
    return _filled(tensor, start.TruncatedNormal(mean, std, a, b))


def xavier_uniform_(
    tensor: Tensor, gain: float = 1.0, fan_in: float | None = None, fan_out: float | None = None
) -> Tensor:
    """Numbers evenly from ±gain * sqrt(6 / (fan_in + fan_out))."""
    return _filled(tensor, start.XavierUniform(fan_in, fan_out, gain))


def xavier_normal_(
    tensor: Tensor, gain: float = 1.0, fan_in: float | None = None, fan_out: float | None = None
) -> Tensor:
    """Numbers from a normal distribution with std gain * sqrt(2 / (fan_in + fan_out))."""
    return _filled(tensor, start.XavierNormal(fan_in, fan_out, gain))


def kaiming_uniform_(tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Tensor:
    """Numbers evenly from ±gain * sqrt(3 / fan), of the slope `a` of what follows."""
    return _filled(tensor, start.KaimingUniform(None, a, nonlinearity, mode))


def kaiming_normal_(tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Tensor:
    """Numbers from a normal distribution with std gain / sqrt(fan), of the slope `a` of what follows."""
    return _filled(tensor, start.KaimingNormal(None, a, nonlinearity, mode))


def orthogonal_(tensor: Tensor, gain: float = 1) -> Tensor:
    """Orthogonal rows or columns, times gain."""
    return _filled(tensor, start.Orthogonal(gain))


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Filters of convolutions that keep their input."""
    return _filled(tensor, start.Dirac(groups))
