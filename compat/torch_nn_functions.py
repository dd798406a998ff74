"""`paddle.compat.nn.functional`: functions of networks that give what PyTorch's of the same name give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.errors import ArgumentError
from ..dygraph.nn.functional import unfold as windows
from ..ops.argument_names import KEYWORDS
from ..ops.mistakes import publish
from ..ops.op import FUNCTIONS, OPS

__all__ = ["linear", "pad", "softmax", "unfold"]


def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """input @ weightᵀ + bias, for input [..., in], weight [out, in], bias [out].

    >>> import vitrify as vt
    >>> linear(vt.ones([1, 3]), vt.ones([2, 3])).tolist()
    [[3.0, 3.0]]
    """
    made = OPS["matmul"](input, weight, False, True)
    return made if bias is None else made + bias


def softmax(input: Any, dim: int | None = None, dtype: Any = None, *, out: Any = None) -> Any:
    """exp(x) over its sum along `dim`: by default axis 0 of tensors with 0, 1 or 3 axes, axis 1 of others."""
    axis = dim if dim is not None else int(input.ndim not in (0, 1, 3))
    made = FUNCTIONS["softmax"](input, axis, dtype)
    return KEYWORDS["out"](lambda args, kwargs: made, (), {}, out)


def pad(input: Any, pad: Sequence[int] | Any, mode: str = "constant", value: float = 0.0) -> Any:
    """A margin around the last axes: `pad` lists before and after of the last axis first.

    mode: "constant", "reflect", "replicate" or "circular"; all but the first take at most three axes.
    Errors: ArgumentError for an odd or too long list.

    >>> import vitrify as vt
    >>> pad(vt.ones([1, 2]), [1, 0]).tolist()
    [[0.0, 1.0, 1.0]]
    """
    sizes = pad.tolist() if hasattr(pad, "tolist") else list(pad)
    rank = input.ndim
    most = 2 * rank if mode == "constant" else min(6, 2 * rank - 2)
    if len(sizes) % 2 or len(sizes) > most:
        raise ArgumentError(f"pad takes pairs of sizes for {rank} axes, at most {max(most, 0)}, not {sizes}")
    if mode == "constant":
        pairs = [sizes[k : k + 2] for k in range(0, len(sizes), 2)]
        pairs += [[0, 0]] * (rank - len(pairs))
        flat = [size for pair in reversed(pairs) for size in pair]
        return FUNCTIONS["pad"](input, flat, mode, value, pad_from_left_axis=True)
    new = list(range(5 - rank))
    wide = FUNCTIONS["unsqueeze"](input, new) if new else input
    made = FUNCTIONS["pad"](wide, sizes + [0] * (6 - len(sizes)), mode, value, "NCDHW")
    return FUNCTIONS["squeeze"](made, new) if new else made


def unfold(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """The windows of images as columns."""
    kernel, step, margin, gap = map(_sizes, (kernel_size, stride, padding, dilation))
    return windows(input, kernel, step, margin, gap)


def _sizes(given: Any) -> Any:
    return given.tolist() if hasattr(given, "tolist") else given


publish(__name__)
