"""Further names of arguments: PyTorch's, which Paddle 3.3 takes beside its own, and the keywords that it adds.

The one table of them: eager mode, capture, the stubs and the reference read it. A call with another name is the call
with Paddle's; a call that gives both is an error. An added keyword (`out=`, `requires_grad=`) is done around the call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..base.errors import ArgumentError, KindError
from .arith import is_value
from .dispatch import bottom

Call = Callable[[tuple[Any, ...], dict[str, Any]], Any]


@dataclass(frozen=True)
class ArgumentNames:
    """What a function takes beside its signature. own: another name -> its parameter; added: keywords of `KEYWORDS`."""

    own: dict[str, str]
    added: tuple[str, ...] = ()
    implied: tuple[tuple[str, Any], ...] = ()  # what another name sets, unless it is given

    @cached_property
    def others(self) -> frozenset[str]:
        """All keywords that the signature doesn't have."""
        return frozenset((*self.own, *self.added))

    def call(self, name: str, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """`fn(*args, **kwargs)` in the names of its signature. Errors: KindError for an argument under two names."""
        own: dict[str, Any] = {}
        for key, value in kwargs.items():
            meant = self.own.get(key, key)
            if meant in own or (meant != key and meant in kwargs):
                raise KindError(
                    f"{name}() got the argument {meant!r} twice: {key!r} is another name of it",
                    remedy="give one of both",
                )
            own[meant] = value
        if self.implied and not self.own.keys().isdisjoint(kwargs):
            own = dict(self.implied) | own
        todo = [key for key in self.added if key in own]

        def rest(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            if not todo:
                return fn(*args, **kwargs)
            key = todo.pop(0)
            return KEYWORDS[key](rest, args, {k: v for k, v in kwargs.items() if k != key}, kwargs[key])

        return rest(args, own)

    def __str__(self) -> str:
        """For the reference: "`input` for `x`, `dim` for `axis`; `out`"."""
        names = ", ".join(f"`{other}` for `{own}`" for other, own in self.own.items())
        names += "".join(f", which mean {key}={value!r}" for key, value in self.implied)
        return "; ".join(part for part in (names, ", ".join(f"`{key}`" for key in self.added)) if part)


NONE = ArgumentNames({})


# ---- added keywords: (the rest of the call, its arguments, the keyword's value) -> result


def _out(rest: Call, args: tuple[Any, ...], kwargs: dict[str, Any], target: Any) -> Any:
    """The result written into a tensor, or results into as many, which take on its shape and dtype."""
    made = rest(args, kwargs)
    if target is None:
        return made
    if not isinstance(made, tuple | list):
        return _written(made, target)
    if not isinstance(target, tuple | list) or len(target) != len(made):
        raise KindError(f"out must be a tuple of {len(made)} tensors")
    parts = [_written(m, t) for m, t in zip(made, target, strict=True)]
    return made._make(parts) if hasattr(made, "_make") else type(made)(parts)


def _written(made: Any, target: Any) -> Any:
    if not is_value(target):
        raise KindError(f"out must be a tensor, not {type(target).__name__}")
    return bottom().write_out(target, made)


def _requires_grad(rest: Call, args: tuple[Any, ...], kwargs: dict[str, Any], asked: Any) -> Any:
    made = rest(args, kwargs)
    if asked:
        made.stop_gradient = False
    return made


def _device(rest: Call, args: tuple[Any, ...], kwargs: dict[str, Any], device: Any) -> Any:
    require_cpu(device)
    return rest(args, kwargs)


def _pin_memory(rest: Call, args: tuple[Any, ...], kwargs: dict[str, Any], asked: Any) -> Any:
    """There is no other memory to copy to."""
    return rest(args, kwargs)


def require_cpu(device: Any) -> None:
    """Errors: ArgumentError for any device but "cpu", a place of it, or None."""
    kind = str(device).lower().removeprefix("place(").partition(":")[0].rstrip(")")
    if device is not None and kind != "cpu":
        raise ArgumentError(f"there is no device {device!r}: vitrify runs on the CPU only", remedy='use "cpu"')


KEYWORDS: dict[str, Callable[[Call, tuple[Any, ...], dict[str, Any], Any], Any]] = {
    "out": _out, "requires_grad": _requires_grad, "device": _device, "pin_memory": _pin_memory,
}  # fmt: skip

# ---- the table: names, added keywords and what is implied (`mode:min`), and the functions that take them

NEW = "requires_grad device"
PINNED = f"{NEW} pin_memory"
TABLE: tuple[tuple[str, str], ...] = (
    ("x=input", ("isfinite isinf isnan asin softplus gelu grid_sample log_sigmoid silu trace is_complex "
                "is_floating_point rank shape permute dropout pad conv1d conv2d conv3d one_hot embedding "
                "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d lp_pool1d lp_pool2d")),
    ("x=input out", ("trunc abs acos acosh atanh ceil clip cos cosh cumprod exp expm1 floor frac log log10 log1p log2 "
                    "logical_not masked_select multinomial nonzero round rsqrt sigmoid sign sin sinh sqrt tanh tril "
                    "triu")),
    ("x=input axis=dim", ("argmax argmin argsort chunk glu repeat_interleave squeeze unbind unique_consecutive "
                          "unsqueeze")),
    ("x=input axis=dim out", ("all amax amin any cumsum diff index_select logsumexp prod quantile sum "
                             "topk var softmax fft ifft rfft irfft hfft ihfft")),
    ("x=input axes=dim out", "fftn ifftn rfftn irfftn hfftn ihfftn fft2 ifft2 rfft2 irfft2 hfft2 ihfft2"),
    ("x=input axes=dim", "fftshift ifftshift"),
    ("x=input y=other", "expand_as isclose gcd lcm"),
    ("x=input y=other out", ("bitwise_or equal floor_divide greater_equal greater_than less_equal less_than "
                            "logical_and logical_or logical_xor matmul maximum minimum multiply not_equal remainder "
                            "where")),
    ("x=input y=other alpha out", "add subtract"),
    ("x=input y=other rounding_mode out", "divide"),
    ("x=input axis=dim dtype out", "mean"),
    ("x=input axis=dim out mode:min", "median"),
    ("x=input y=mat2 out", "bmm"),
    ("x=input y=tensor out", "dot"),
    ("x=input y=vec2 out", "outer"),
    ("x=input y=exponent out", "pow"),
    ("x=A y=B out", "solve"),
    ("x=input x=A p=ord axis=dim out", "norm"),
    ("x=tensors axis=dim out", "concat stack"),
    ("x=input axis=dims", "roll"),
    ("x=input axis1=dim1 axis2=dim2", "diagonal"),
    ("x=input value=values", "index_put"),
    ("x=input axis=dim value=source out", "index_add"),
    ("x=input start_axis=start_dim stop_axis=end_dim", "flatten"),
    ("x=input axis=dim num_or_indices=indices_or_sections num_or_indices=indices num_or_indices=sections",
     "tensor_split"),
    ("x=input repeat_times=dims", "tile"),
    ("x=input shape=size", "broadcast_to expand reshape"),
    ("x=input axis=dim shape=sizes", "unflatten"),
    ("shape_or_dtype=dtype shape_or_dtype=size", "view"),
    ("axis=dimension", "unfold"),
    ("inputs=input", "broadcast_tensors"),
    ("axis=dim", "cross cosine_similarity"),
    ("arr=input axis=dim out", "take_along_axis"),
    ("x=input sorted_sequence=boundaries out", "bucketize"),
    ("values=input out", "searchsorted"),
    ("x=elements test_x=test_elements", "isin"),
    ("out", "complex polar svd msort gather scatter vector_norm bitwise_and bitwise_not bitwise_xor"),
    ("x=input dim0 dim1", "transpose"),
    ("values=value", "masked_scatter"),
    ("x=input axis0=dim0 axis1=dim1", "swapaxes"),
    (f"x=input {PINNED}", "full_like ones_like zeros_like empty_like"),
    (f"x=input {NEW}", "randn_like rand_like"),
    (f"shape=size out {PINNED}", "ones zeros empty full rand randn"),
    (f"out {NEW}", "gaussian range standard_normal uniform fftfreq rfftfreq"),
    (f"out {PINNED}", "arange randperm"),
    (f"num_rows=n num_columns=m out {PINNED}", "eye"),
    (f"stop=end num=steps out {NEW}", "linspace"),
    ("shape=size out", "normal"),
    ("min=from max=to", "uniform_"),
    ("lam=lambd", "exponential_"),
    ("x=input threshold=lambd", "hardshrink softshrink"),
    ("x=x1 y=x2 epsilon=eps", "pairwise_distance"),
    ("label=target", "cross_entropy"),
    ("x=input axis=dim epsilon=eps out", "normalize"),
    ("x=input epsilon=eps", "layer_norm rms_norm"),
    ("x=input return_mask=return_indices", "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d"),
    ("x=input output_sizes=output_size kernel_sizes=kernel_size strides=stride paddings=padding dilations=dilation",
     "fold"),
    ("x=obj", "is_tensor"),
)  # fmt: skip


def _parsed(text: str) -> ArgumentNames:
    implied = [part.partition(":") for part in text.split() if ":" in part]
    parts = [part.partition("=") for part in text.split() if ":" not in part]
    added = tuple(name for name, _, other in parts if not other)
    own = {other: own for own, _, other in parts if other}
    return ArgumentNames(own, added, tuple((name, value) for name, _, value in implied))


# functions whose signature in Paddle is (operands, out=None, name=None)
OUT_BY_PLACE = frozenset({f"{kind}_{name}" for kind in ("logical", "bitwise") for name in ("and", "or", "xor", "not")})

ARGUMENT_NAMES: dict[str, ArgumentNames] = {
    name: names for text, functions in TABLE for names in (_parsed(text),) for name in functions.split()
}
_of_functions: dict[Any, ArgumentNames] = {}


def names_of(fn: Any) -> ArgumentNames:
    """The further argument names of a function, by its public name: where it is the function that the table means."""
    try:
        return _of_functions[fn]
    except KeyError:
        made = ARGUMENT_NAMES.get(getattr(fn, "__name__", ""), NONE)
        if made.others:
            parameters = inspect.signature(fn).parameters.keys()
            if (
                not parameters >= {*made.own.values()}
                or not parameters.isdisjoint(made.others)
                or ".sparse" in fn.__module__
            ):
                made = NONE
        _of_functions[fn] = made
        return made
