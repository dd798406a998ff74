"""Numbers as a quantised network would see them: `round(x / scale · (2^(bits-1) - 1))`, and back, as kernels name it.

Gradients pass through the rounding as if it weren't there.
"""

from __future__ import annotations

from typing import Any

from ..ops.op import FUNCTIONS, OPS

_SMALLEST = 1e-30  # of a scale that is divided by as it is


def _levels(bit_length: int) -> int:
    return int(2 ** (bit_length - 1)) - 1


def _rounded(x: Any, scale: Any, bit_length: int, round_type: int) -> Any:
    """The integers, as floats. round_type 0: ties to even; 1: ties away from zero."""
    levels = _levels(bit_length)
    if round_type:
        scaled = OPS["minimum"](OPS["maximum"](x, -scale), scale) * _inverse(scale) * float(levels)
        return OPS["sign"](scaled) * OPS["floor"](OPS["abs"](scaled) + 0.5)
    return FUNCTIONS["clip"](OPS["round"](x * _inverse(scale) * float(levels)), -levels - 1.0, float(levels))


def _inverse(scale: Any) -> Any:
    return 1.0 / OPS["where"](scale <= _SMALLEST, scale + 1e-6, scale)


def _passed_through(value: Any, x: Any) -> Any:
    """The value, with the gradient of x."""
    return value.detach() + (x - x.detach())


def _channels(x: Any, quant_axis: int) -> Any:
    """The largest absolute value along all axes but one."""
    return OPS["max"](OPS["abs"](x), [k for k in range(x.ndim) if k != quant_axis], keepdim=True)


def fake_quantize_abs_max(x: Any, bit_length: int = 8, round_type: int = 1) -> tuple[Any, Any]:
    """The integers, and the scale [1]: the largest absolute value."""
    scale = OPS["max"](OPS["abs"](x))
    return _rounded(x, scale, bit_length, round_type).detach(), OPS["reshape"](scale, (1,))


def fake_quantize_dequantize_abs_max(x: Any, bit_length: int = 8, round_type: int = 1) -> tuple[Any, Any]:
    """The numbers that the integers stand for, and the scale [1]."""
    scale = OPS["max"](OPS["abs"](x)).detach()
    value = _rounded(x, scale, bit_length, round_type) * scale / float(_levels(bit_length))
    return _passed_through(value, x), OPS["reshape"](scale, (1,))


def fake_channel_wise_quantize_abs_max(
    x: Any, bit_length: int = 8, round_type: int = 1, quant_axis: int = 0, is_test: bool = False
) -> tuple[Any, Any]:
    """The integers, with a scale for each place of an axis."""
    scale = _channels(x, quant_axis)
    return _rounded(x, scale, bit_length, round_type).detach(), OPS["reshape"](scale, (-1,))


def fake_channel_wise_quantize_dequantize_abs_max(
    x: Any, bit_length: int = 8, round_type: int = 1, quant_axis: int = 0
) -> tuple[Any, Any]:
    """The numbers that the integers stand for, with a scale for each place of an axis."""
    scale = _channels(x, quant_axis).detach()
    value = _rounded(x, scale, bit_length, round_type) * scale / float(_levels(bit_length))
    return _passed_through(value, x), OPS["reshape"](scale, (-1,))


def fake_quantize_dequantize_moving_average_abs_max(
    x: Any, in_scale: Any, in_accum: Any, in_state: Any, moving_rate: float = 0.9, bit_length: int = 8,
    is_test: bool = False, round_type: int = 1,
) -> tuple[Any, Any, Any, Any]:  # fmt: skip
    """The same with a scale that follows the largest absolute values: (numbers, scale, state, accumulated)."""
    state, accumulated, scale = in_state, in_accum, in_scale
    if not is_test:
        state = in_state * moving_rate + 1.0
        accumulated = in_accum * moving_rate + OPS["max"](OPS["abs"](x)).detach()
        scale = accumulated / state
    value = _rounded(x, scale, bit_length, round_type) * scale / float(_levels(bit_length))
    return _passed_through(value, x), scale, state, accumulated
