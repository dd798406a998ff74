"""Automatic mixed precision: some ops in float16 or bfloat16, inside `auto_cast`. Numerics as specified, not speed.

auto_cast puts an interpreter on the stack that rounds the operands and results of chosen rows and hands on everything
else, to eager mode or to a trace alike; a captured function remembers in which mode it was captured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..base.dtype import LOW_FLOATS, DType, as_dtype, float32
from ..base.errors import ArgumentError, KindError
from ..ops.dispatch import current, using
from ..ops.interpreter import Delegate
from ..ops.op import OPS, Op
from .modes import amp_policy, with_amp_policy

__all__ = [
    "amp_guard", "auto_cast", "black_list", "decorate", "get_autocast_cpu_dtype", "get_autocast_dtype",
    "get_autocast_gpu_dtype", "is_autocast_enabled", "is_bfloat16_supported", "is_float16_supported", "white_list",
]  # fmt: skip

WHITE = frozenset({
    "attention", "attention_grad", "matmul", "matmul_add", "conv2d", "conv2d_input_grad", "conv2d_weight_grad",
    "max_pool2d",
})  # fmt: skip
BLACK = frozenset({
    "exp", "expm1", "square", "log", "log1p", "log2", "log10", "mean", "sum", "prod", "cumsum", "cumprod", "pow",
    "rsqrt", "reciprocal", "divide", "softplus", "ctc_loss", "rnnt_loss",
})  # fmt: skip
_PADDLE_NAMES = {
    "matmul_v2": "matmul", "mul": "matmul", "bmm": "matmul", "linear": "matmul", "elementwise_add": "add",
    "elementwise_sub": "subtract", "elementwise_mul": "multiply", "elementwise_div": "divide",
    "elementwise_pow": "pow", "reduce_sum": "sum", "reduce_mean": "mean", "reduce_max": "max", "reduce_min": "min",
    "softmax": "exp", "log_softmax": "exp", "p_norm": "square", "depthwise_conv2d": "conv2d",
    "max_pool2d_with_index": "max_pool2d",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Policy:
    """Which rows run in the short dtype (white) and whose results stay float32 (black). Equal policies are one."""

    dtype: DType
    level: str
    white: frozenset[str]
    black: frozenset[str]


class AmpInterpreter(Delegate):
    """Hands ops on to `inner`; white rows see rounded operands and give rounded results."""

    widens = True

    def __init__(self, inner: Any, policy: Policy) -> None:
        super().__init__(inner)
        self.policy = policy

    def apply(self, op: Op, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        inner, low = self.inner, self.policy.dtype
        if op.name not in self.policy.white or not any(x.dtype is float32 for x in args):
            return inner.apply(op, args, attrs)
        cast = OPS["cast"]

        def to(x: Any, dtype: DType) -> Any:
            return inner.apply(cast, (x,), {"dtype": dtype})

        rounded = tuple(to(to(x, low), float32) if x.dtype is float32 else x for x in args)
        made = inner.apply(op, rounded, attrs)
        if isinstance(made, tuple):
            return tuple(to(m, low) if m.dtype is float32 else m for m in made)
        return to(made, low) if made.dtype is float32 else made

    def rounds_result(self, op: Op) -> bool:
        """Whether the result of a row on short floats, computed in float32, is rounded again."""
        return op.name not in self.policy.black


def _names(given: Iterable[str] | None, what: str) -> frozenset[str]:
    if given is None:
        return frozenset()
    if isinstance(given, str) or not all(isinstance(name, str) for name in given):
        raise KindError(f"{what} must be a list or set of op names, not {given!r}")
    return frozenset(_PADDLE_NAMES.get(name, name) for name in given)


def _short(dtype: Any) -> DType:
    kind = as_dtype(dtype)
    if kind not in LOW_FLOATS:
        raise ArgumentError(f"auto_cast works in float16 or bfloat16, not {kind.name}")
    return kind


@contextmanager
def auto_cast(
    enable: bool = True, custom_white_list: Any = None, custom_black_list: Any = None, level: str = "O1",
    dtype: Any = "float16", use_promote: bool = True,
) -> Iterator[None]:  # fmt: skip
    """Inside the block (or decorated function) matrix products and convolutions run in `dtype`; sensitive ops stay in
    float32, the others take the wider dtype of their operands.

    level: "O0" switches it off; "O1" and "O2" choose ops alike, and O2 is used with a model that `decorate` has made
    `dtype`. custom_white_list, custom_black_list: names of further ops to run in `dtype`, or not to.
    Errors: ArgumentError for another level or dtype, and for an op on both lists.

    >>> x = OPS["full"]([2, 2], 1.0, float32)
    >>> with auto_cast():
    ...     (x @ x).dtype, (x + x).dtype
    (vitrify.float16, vitrify.float32)
    """
    if level not in ("O0", "OD", "O1", "O2"):
        raise ArgumentError(f'auto_cast: level must be "O0", "OD", "O1" or "O2", not {level!r}')
    white, black = _names(custom_white_list, "custom_white_list"), _names(custom_black_list, "custom_black_list")
    if white & black:
        raise ArgumentError(f"auto_cast: {', '.join(sorted(white & black))} stands on both lists")
    kind = _short(dtype)
    base = current()
    inner = base.inner if isinstance(base, AmpInterpreter) else base
    if not enable or level == "O0":
        with with_amp_policy(None), using(inner):
            yield
        return
    defaults = frozenset({"matmul", "matmul_add", "conv2d"}) if level == "OD" else WHITE
    policy = _interned(Policy(kind, level, (defaults - black) | white, (BLACK - white) | black))
    with with_amp_policy(policy), using(AmpInterpreter(inner, policy)):
        yield


amp_guard = auto_cast
_policies: dict[Policy, Policy] = {}


def _interned(policy: Policy) -> Policy:
    return _policies.setdefault(policy, policy)


@contextmanager
def policy_inside_trace(tracer: Any) -> Iterator[None]:
    """A captured function runs under the policy of the code that calls it."""
    policy = amp_policy()
    if policy is None:
        yield
        return
    with using(AmpInterpreter(tracer, policy)):
        yield


def decorate(
    models: Any, optimizers: Any = None, level: str = "O1", dtype: Any = "float16", master_weight: bool | None = None,
    save_dtype: Any = None, master_grad: bool = False, excluded_layers: Any = None,
) -> Any:  # fmt: skip
    """For level "O2": the floating parameters and buffers of models made `dtype`, but for normalisation layers and
    `excluded_layers` (layers or classes). Level "O1" changes nothing. Gives back what it was given.

    master_weight, master_grad, save_dtype: accepted; optimisers compute in float32 and round what they store.
    """
    if level not in ("O1", "O2"):
        raise ArgumentError(f'decorate: level must be "O1" or "O2", not {level!r}')
    kind = _short(dtype)
    if level == "O2":
        for model in models if isinstance(models, (list, tuple)) else [models]:
            _shorten(model, kind, _excluded(excluded_layers))
    return models if optimizers is None else (models, optimizers)


def _excluded(given: Any) -> Callable[[Any], bool]:
    items = [] if given is None else list(given) if isinstance(given, (list, tuple)) else [given]
    kinds = tuple(item for item in items if isinstance(item, type))
    layers = {id(layer) for item in items if not isinstance(item, type) for layer in item.sublayers(include_self=True)}

    def test(layer: Any) -> bool:
        return id(layer) in layers or isinstance(layer, kinds) or "Norm" in type(layer).__name__

    return test


def _shorten(model: Any, dtype: DType, excluded: Callable[[Any], bool]) -> None:
    for layer in model.sublayers(include_self=True):
        if excluded(layer):
            continue
        for tensor in (*layer.parameters(include_sublayers=False), *layer.buffers(include_sublayers=False)):
            if tensor.dtype is float32:
                short = OPS["cast"](tensor.detach(), dtype)
                tensor._storage, tensor._dtype = short._storage, dtype


def white_list(dtype: Any = "float16", level: str = "O1") -> set[str]:
    """The ops that auto_cast runs in float16 or bfloat16."""
    return set(WHITE)


def black_list(dtype: Any = "float16", level: str = "O1") -> set[str]:
    """The ops whose results auto_cast keeps in float32."""
    return set(BLACK)


def is_autocast_enabled(device_type: Any = None) -> bool:
    """Whether `auto_cast` is in force.

    >>> with auto_cast():
    ...     is_autocast_enabled(), get_autocast_dtype()
    (True, 'float16')
    """
    return amp_policy() is not None


def get_autocast_dtype(device_type: Any = None) -> str:
    """The dtype that `auto_cast` works in; outside of it, that of its default."""
    policy = amp_policy()
    return "float16" if policy is None else str(policy.dtype.name)


def get_autocast_cpu_dtype(device_type: Any = None) -> str:
    """`get_autocast_dtype("cpu")`."""
    return get_autocast_dtype()


def get_autocast_gpu_dtype(device_type: Any = None) -> str:
    """`get_autocast_dtype("gpu")`: the same, as there is only the CPU."""
    return get_autocast_dtype()


def is_float16_supported(device: Any = None) -> bool:
    """Whether float16 is computed by the machine itself: no, it is stored, and computed in float32."""
    return False


def is_bfloat16_supported(device: Any = None) -> bool:
    """Whether auto_cast and layers take bfloat16: yes; it is stored, and computed in float32."""
    return True
