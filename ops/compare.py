"""Rows with bool results or operands: comparisons, logic, predicates of floats and the choice between two values."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.errors import DTypeError, KindError
from . import bounds
from .arith import is_value
from .dispatch import current
from .elementwise import ANY_NUMBER
from .failing import sizes_clash
from .families import SPECIAL, common_dtype, comparison, elementwise, sum_to
from .infer import broadcast_shapes, require_same_dtype
from .interpreter import Interpreter
from .kernel_parts import Move, of_parts
from .lowering import Scalar
from .op import NONDIFFERENTIABLE, OPS, Sample, composite, random_array, row
from .types import TensorType

EQUALS = (*dt.NUMBERS, dt.bool_, *dt.SHORT_INTEGERS, *dt.COMPLEX)

equal = comparison(
    "equal", "Whether two elements are equal; NaN equals nothing.", eager=np.equal, scalar="({0} == {1})", onnx="Equal",
    dtypes=EQUALS,
)  # fmt: skip
not_equal = comparison(
    "not_equal", "Whether two elements differ; NaN differs from itself.", eager=np.not_equal, scalar="({0} != {1})",
    dtypes=EQUALS,
)  # fmt: skip
less_than = comparison(
    "less_than",
    "Whether x < y.",
    eager=np.less,
    scalar="({0} < {1})",
    operator="lt",
    onnx="Less",
    bounds=bounds.less_than,
)
less_equal = comparison(
    "less_equal",
    "Whether x <= y.",
    eager=np.less_equal,
    scalar="({0} <= {1})",
    operator="le",
    onnx="LessOrEqual",
    bounds=bounds.less_equal,
)
greater_than = comparison(
    "greater_than",
    "Whether x > y.",
    eager=np.greater,
    scalar="({0} > {1})",
    operator="gt",
    onnx="Greater",
    bounds=bounds.greater_than,
)
greater_equal = comparison(
    "greater_equal",
    "Whether x >= y.",
    eager=np.greater_equal,
    scalar="({0} >= {1})",
    operator="ge",
    onnx="GreaterOrEqual",
    bounds=bounds.greater_equal,
)

# Logic: operands of any dtype are made bool by `!= 0` (families.common_dtype).


def _logic(name: str, doc: str, eager: Any, sign: str, onnx: str) -> Any:
    return elementwise(
        name, doc + " Numbers count as true unless 0.", operands="x y", eager=eager, scalar=f"({{0}} {sign} {{1}})",
        vjp=NONDIFFERENTIABLE, dtypes=(dt.bool_,), commutative=True, onnx=onnx,
    )  # fmt: skip


logical_and = _logic("logical_and", "Whether both elements are true.", np.logical_and, "&", "And")
logical_or = _logic("logical_or", "Whether one of two elements is true.", np.logical_or, "|", "Or")
logical_xor = _logic("logical_xor", "Whether just one of two elements is true.", np.logical_xor, "^", "Xor")
logical_not = elementwise(
    "logical_not", "Whether an element is false, or 0.", eager=np.logical_not, scalar="(not {0})",
    vjp=NONDIFFERENTIABLE, dtypes=(dt.bool_,), onnx="Not",
)  # fmt: skip


# Predicates of floats


def _predicate(name: str, doc: str, eager: Any, onnx: str | None = None) -> Any:
    return elementwise(
        name,
        doc,
        eager=eager,
        scalar=f"{name}_{{t}}({{0}})",
        vjp=NONDIFFERENTIABLE,
        dtypes=(*dt.FLOATS, *dt.COMPLEX),
        result="bool",
        samples=ANY_NUMBER,
        onnx=onnx,
    )


isnan = _predicate("isnan", "Whether an element is not a number.", np.isnan, "IsNaN")
isinf = _predicate("isinf", "Whether an element is infinite.", np.isinf, "IsInf")
isfinite = _predicate("isfinite", "Whether an element is neither infinite nor NaN.", np.isfinite)


def _infer_where(condition: TensorType, x: TensorType, y: TensorType) -> TensorType:
    if condition.dtype is not dt.bool_:
        raise DTypeError(f"where needs a bool condition, not {condition}", remedy="compare it with something")
    dtype = require_same_dtype("where", (x, y))
    return TensorType(dtype, broadcast_shapes(condition.shape, x.shape, y.shape))


def _prepare_where(
    interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    (condition,) = common_dtype(interpreter, values[:1], allowed=(dt.bool_,))
    return (condition, *common_dtype(interpreter, values[1:], name="where")), attrs


def _where_vjp(g: Any, out: Any, condition: Any, x: Any, y: Any) -> tuple[Any, ...]:
    return None, sum_to(where(condition, g, 0), x.shape), sum_to(where(condition, 0, g), y.shape)


def _where_samples() -> list[Sample]:
    mask = random_array(1, (3, 4)) > 0
    edges = np.array(SPECIAL)
    ints = np.arange(12).reshape(3, 4)
    return [
        Sample((mask, random_array(2, (3, 4)), random_array(3, (3, 4)))),
        Sample((mask[:, :1], random_array(2, (4,)), random_array(3, ()))),
        Sample((np.array(True), random_array(2, (33,), dtype="float32"), random_array(3, (33,), dtype="float32"))),
        Sample((mask, ints, -ints)),
        Sample((mask, ints.astype("int32"), ints.astype("int32") * 2)),
        Sample((mask, mask, ~mask)),
        Sample((edges > 0, edges, -edges), smooth=False),
        Sample((mask[:0], random_array(2, (0, 4)), random_array(3, (1, 4)))),
    ]


_WORDS = {4: np.int32, 8: np.int64}
_FEW = 2048  # elements up to which NumPy's own `where` is as fast


def _where_eager(condition: Any, x: Any, y: Any) -> Any:
    """np.where without its branch per element, which costs much where the condition is irregular."""
    words = _WORDS.get(x.dtype.itemsize)
    if condition.size < _FEW or words is None or x.dtype.kind == "c":
        return np.where(condition, x, y)
    mask = condition.astype(words)
    np.negative(mask, out=mask)
    return choose_bits(mask, x, y, words)


def choose_bits(mask: Any, x: Any, y: Any, words: Any) -> Any:
    """The elements of x where the bits of `mask` are ones, of y where they are zeros; all broadcast."""
    ones, others = x.view(words), y.view(words)
    if not (y.ndim or others.any()):
        return np.asarray(mask & ones).view(x.dtype)
    mixed = (ones ^ others) & mask
    return np.asarray(mixed ^ others).view(x.dtype)


where = row(
    "where",
    "The elements of `x` where `condition` is true, else those of `y`; all three broadcast.",
    "condition x y",
    infer=_infer_where,
    eager=_where_eager,
    specialise=lambda types, attrs: of_parts(partial(_where_eager), (Move.CHOOSE, (0, 1, 2))),
    vjp=_where_vjp,
    lowering=Scalar("select({0}, {1}, {2})"),
    prepare=_prepare_where,
    samples=_where_samples,
    checked=False,
    failures=sizes_clash(),
    family="elementwise",
    onnx="Where",
    bounds=bounds.chosen,
    public=False,
)


@composite("where")
def where_(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """The elements of `x` where `condition` is true, else those of `y`.

    Without x and y: the places where it is true, one index tensor per axis.
    """
    if x is None and y is None:
        places = OPS["nonzero"](condition)
        return tuple(
            OPS["reshape"](OPS["slice"](places, [0, k], [places.shape[0], 1]), [-1]) for k in range(places.shape[1])
        )
    if _is_weak(x) or _is_weak(y):
        x, y = _strengthened(x, y)
    return where(condition, x, y)


def _is_weak(x: Any) -> bool:
    """Whether it is a Python number that only a run knows."""
    return getattr(x, "weak", False)


def _strengthened(*branches: Any) -> tuple[Any, ...]:
    """Python numbers alone make a tensor, of the dtype that tensors of them have."""
    if not all(_is_weak(x) or not is_value(x) for x in branches):
        return branches
    return tuple(current().constant(x, None) if _is_weak(x) else x for x in branches)


@composite()
def isclose(
    x: Any, y: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False, name: str | None = None
) -> Any:
    """Whether |x - y| <= atol + rtol |y|, element by element; equal infinities are close.

    Errors: KindError for a bool as a tolerance, and for an `equal_nan` that is none.
    """
    for told, value in (("rtol", rtol), ("atol", atol)):
        if isinstance(value, bool):
            raise KindError(f"isclose: {told} must be a number, not a bool")
    if not isinstance(equal_nan, (bool, np.bool_)):
        raise KindError(f"isclose: equal_nan must be a bool, not {equal_nan!r}")
    close = logical_or(equal(x, y), logical_and(abs(x - y) <= abs(y) * rtol + atol, OPS["isfinite"](y)))
    if not equal_nan:
        return close
    return logical_or(close, logical_and(OPS["isnan"](x), OPS["isnan"](y)))


@composite()
def allclose(
    x: Any, y: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False, name: str | None = None
) -> Any:
    """Whether all elements are close; one bool."""
    return OPS["all"](isclose(x, y, rtol, atol, equal_nan))


@composite()
def equal_all(x: Any, y: Any, name: str | None = None) -> Any:
    """Whether two tensors have one shape and equal elements; one bool."""
    if is_value(x) and is_value(y) and tuple(x.shape) != tuple(y.shape):
        return OPS["full"]([], False, "bool")
    return OPS["all"](equal(x, y))
