"""Families of rows: elementwise, comparison and reduction. A family supplies everything its rows have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product as cartesian
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import COMPLEX, FLOATS, NUMBERS, DType
from ..base.errors import ShapeError
from ..base.flags import flags
from ..base.misfits import not_a_number
from .arith import Arithmetic, is_value
from .bounds import Rule
from .dims import Dim, same_dim
from .failing import of_no_elements, sizes_clash
from .infer import assume_at_least, axes_tuple, broadcast_shapes, reduced_shape, require_dtype, require_same_dtype
from .interpreter import Interpreter
from .kernel_parts import ReduceAxes, of_parts
from .lowering import Lowering, Reduce, Scalar
from .op import NONDIFFERENTIABLE, OPS, Op, Prepare, Sample, Specialise, Vjp, Work, random_array, register
from .types import TensorType

SPECIAL = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan)


@dataclass(frozen=True, slots=True)
class Samples:
    """Ranges of sample inputs for an elementwise row: one (low, high) for all operands; edges are extra values."""

    low: float = -2.0
    high: float = 2.0
    edges: tuple[float, ...] = ()
    gradient: bool = True


_ZEROS = (False, 0, 0.0, 0j)  # a number of each category


_CLASHES = sizes_clash()


def elementwise(
    name: str,
    doc: str,
    *,
    eager: Callable[..., Any],
    vjp: Vjp,
    scalar: str | Lowering,
    dtypes: Sequence[DType] = FLOATS,
    result: str = "same",
    operands: str = "x",
    attrs: dict[str, Any] | None = None,
    promote_ints: bool = True,
    samples: Samples = Samples(),
    operator: str | None = None,
    commutative: bool = False,
    method: bool = True,
    public: bool = True,
    onnx: str | None = None,
    prepare: Prepare | None = None,
    holomorphic: bool = False,
    specialise: Specialise | None = None,
    terms: tuple[int, ...] = (),
    detaches: bool = False,
    work: Work | None = None,
    of_bools: str = "",
    is_bilinear: bool = False,
    bounds: Rule | None = None,
) -> Op:
    """A row that maps elements to elements, broadcasting its operands.

    holomorphic: takes complex numbers too, by the same formulas; the family conjugates the gradient (Paddle's sense).
    result: "same" dtype as the operands, "real" (that of their parts), or "bool".
    Rows of floats only take integers too, made the default float; rows of bools only all dtypes, made bool by `!= 0`.
    vjp is written without regard to broadcasting; the family sums each gradient down to its operand.
    """
    names = tuple(operands.split())
    dtypes = (*dtypes, *COMPLEX) if holomorphic else dtypes
    to_float = promote_ints and any(d.is_floating for d in dtypes) and not any(d.is_integer for d in dtypes)

    def infer(*types: TensorType, **_: Any) -> TensorType:
        dtype = require_same_dtype(name, types)
        require_dtype(name, dtype, dtypes)
        made = dt.bool_ if result == "bool" else real_dtype(dtype) if result == "real" else dtype
        return TensorType(made, broadcast_shapes(*[t.shape for t in types]))

    def usual(
        interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return common_dtype(interpreter, values, to_float=to_float, allowed=dtypes, name=name), _as_floats(op, attrs)

    op = Op(
        name=name, doc=doc, operands=names, infer=infer, eager=eager,
        vjp=_summed_to_operands(vjp, holomorphic) if callable(vjp) else vjp,
        lowering=Scalar(scalar) if isinstance(scalar, str) else scalar,
        attrs=attrs or {}, prepare=prepare or usual, samples=_elementwise_samples(names, dtypes, samples),
        method=method, public=public, operator=operator, checked=False, commutative=commutative,
        family="elementwise", onnx=onnx, specialise=specialise, terms=terms, detaches=detaches,
        work=work, of_bools=of_bools, is_bilinear=is_bilinear, bounds=bounds, failures=_CLASHES[: len(names) - 1],
    )  # fmt: skip
    return register(op)


def _as_floats(op: Op, attrs: dict[str, Any]) -> dict[str, Any]:
    """Attributes with numbers as floats. Errors: KindError for a text in the place of one."""
    for key, value in attrs.items():
        if isinstance(value, str) and isinstance(op.attrs[key], float):
            raise not_a_number(op.name, key, value)
    return {k: float(v) if isinstance(v, (int, float)) else v for k, v in attrs.items()}


_NUMBERS = (float, int)
# In these a tensor without axes takes the dtype of one with axes and of its kind, as in PaddlePaddle.
_SCALARS_FOLLOW = frozenset({"add", "subtract", "multiply", "divide", "remainder", "pow"})


def common_dtype(
    interpreter: Interpreter, values: Sequence[Any], *, to_float: bool = False,
    allowed: Sequence[DType] = dt.ALL, name: str = "",
) -> tuple[Any, ...]:  # fmt: skip
    """All values in one dtype: tensors promote, Python numbers only raise the category; casts are inserted."""
    first = values[0]
    if isinstance(first, Arithmetic) and _agree(values, first.dtype, allowed, to_float):
        return tuple(values)
    if len(values) == 2:
        tensor, number = (first, values[1]) if isinstance(first, Arithmetic) else (values[1], first)
        if type(number) in _NUMBERS and is_value(tensor) and tensor.dtype.is_floating and tensor.dtype in allowed:
            made = interpreter.constant(number, tensor.dtype)
            return (tensor, made) if tensor is first else (made, tensor)
    if len(values) == 1 and is_value(first):
        dtype = first.dtype
    else:
        dtype = (_beside_scalar(values) if name in _SCALARS_FOLLOW and not interpreter.widens else None) or _common(
            values
        )
    if to_float and dtype.category < 2:
        dtype = _float_of(values)
    if tuple(allowed) == (dt.bool_,):
        dtype = dt.bool_
    elif dtype not in allowed:
        if dtype.is_bool and dt.int64 in allowed:
            dtype = dt.int64
        elif dtype.is_integer and dt.int64 in allowed:
            dtype = dt.promote(dtype, dt.int32)
        else:
            require_dtype(name, dtype, allowed)
    return tuple(
        (v if v.dtype is dtype else OPS["cast"](v, dtype)) if is_value(v) else interpreter.constant(v, dtype)
        for v in values
    )


def _agree(values: Sequence[Any], dtype: DType, allowed: Sequence[DType], to_float: bool) -> bool:
    """Whether all values have `dtype` already, and the op takes it: the usual case, decided quickly."""
    if to_float and dtype.category < 2:
        return False
    for v in values:
        if not isinstance(v, Arithmetic) or v.dtype is not dtype:
            return False
    return dtype in allowed


def _beside_scalar(values: Sequence[Any]) -> DType | None:
    """The dtype of a tensor with axes beside one without that is of its kind; None for any other values.

    An array is as a tensor there. NumPy's rule, another one, is that of arrays alone.
    """
    if len(values) != 2 or not all(_is_strong(v) for v in values) or _are_arrays(*values):
        return None
    a, b = (v.dtype if is_value(v) else dt.of_array(v) for v in values)
    if (values[0].ndim == 0) == (values[1].ndim == 0) or a.category != b.category:
        return None
    return b if values[0].ndim == 0 else a


def _are_arrays(a: Any, b: Any) -> bool:
    """Whether both are NumPy arrays, at least one of them of a captured function."""
    given = [isinstance(v, Arithmetic) and v.is_ndarray for v in (a, b)]
    return any(given) and all(is_given or isinstance(v, np.ndarray) for is_given, v in zip(given, (a, b), strict=True))


def _common(values: Sequence[Any]) -> DType:
    strong = [v for v in values if _is_strong(v)] or [v for v in values if is_value(v)]
    known = [v.dtype if is_value(v) else dt.of_array(v) for v in strong]
    base = reduce(dt.promote, known) if known else None
    for v in values:
        if not any(v is x for x in strong):
            while isinstance(v, (list, tuple)) and v:
                v = v[0]
            number = _ZEROS[v.dtype.category] if isinstance(v, Arithmetic) else 0 if isinstance(v, Dim) else v
            base = dt.of_scalar(number, base, _float_of(values))
    assert base is not None
    return base


def _is_strong(v: Any) -> bool:
    """Whether a value's dtype counts as it is: a tensor or an array, but no scalar."""
    return isinstance(v, np.ndarray) or (is_value(v) and not v.is_element)


def _float_of(values: Sequence[Any]) -> DType:
    """The dtype of floats among these: Python's own where all are Python numbers of a captured function."""
    alone = any(isinstance(v, Arithmetic) for v in values) and not any(
        _is_strong(v) or isinstance(v, (list, tuple)) for v in values
    )
    return dt.float64 if alone else flags.default_dtype


def sum_to(value: Any, shape: Any) -> Any:
    """Sum a gradient down to the shape of a broadcast operand; the value itself where nothing was broadcast."""
    from_shape, to_shape = tuple(value.shape), tuple(shape)
    if len(from_shape) == len(to_shape) and all(
        a is b or same_dim(a, b) for a, b in zip(from_shape, to_shape, strict=True)
    ):
        return value
    lead = len(from_shape) - len(to_shape)
    axes = [
        k
        for k in range(len(from_shape))
        if k < lead or (same_dim(to_shape[k - lead], 1) and not same_dim(from_shape[k], 1))
    ]
    if not axes:
        return value
    summed = OPS["sum"](value, axis=axes, keepdim=False)
    return summed if len(axes) == lead and tuple(summed.shape) == to_shape else OPS["reshape"](summed, to_shape)


def broadcasts_to(shape: Any, to: Any) -> bool:
    """Whether a tensor of this shape broadcasts to another one, so that `sum_to` takes a gradient of that shape back.

    >>> broadcasts_to([1], [3, 2]), broadcasts_to([], [1]), broadcasts_to([2], [1])
    (True, True, False)
    """
    lead = len(to) - len(shape)
    return lead >= 0 and all(same_dim(a, 1) or same_dim(a, b) for a, b in zip(shape, tuple(to)[lead:], strict=True))


def real_dtype(dtype: DType) -> DType:
    """The dtype of the parts of a complex one; any other itself."""
    return {dt.complex64: dt.float32, dt.complex128: dt.float64}.get(dtype, dtype)


def conjugated(rule: Callable[..., Sequence[Any]]) -> Callable[..., Sequence[Any]]:
    """The gradient rule of a holomorphic function, right for complex numbers too: conj(rule(conj(g)))."""

    def vjp(g: Any, y: Any, *xs: Any, **attrs: Any) -> Sequence[Any]:
        if not y.dtype.is_complex:
            return rule(g, y, *xs, **attrs)
        conj = OPS["conj"]
        return tuple(None if d is None else conj(d) for d in rule(conj(g), y, *xs, **attrs))

    vjp.__dict__["rule"] = rule
    return vjp


def _summed_to_operands(rule: Callable[..., Sequence[Any]], holomorphic: bool = False) -> Callable[..., Sequence[Any]]:
    run = conjugated(rule) if holomorphic else rule

    def vjp(g: Any, y: Any, *xs: Any, **attrs: Any) -> Sequence[Any]:
        grads = run(g, y, *xs, **attrs)
        return tuple(None if d is None else sum_to(_kept_whole(d, x), x.shape) for d, x in zip(grads, xs, strict=True))

    vjp.__dict__["rule"] = rule
    return vjp


def _kept_whole(gradient: Any, x: Any) -> Any:
    """The gradient, for integers in their dtype, though a rule may compute it with floats (`pow`)."""
    return OPS["cast"](gradient, x.dtype) if x.dtype.is_integer and gradient.dtype != x.dtype else gradient


def _elementwise_samples(names: Sequence[str], dtypes: Sequence[DType], ranges: Samples) -> Callable[[], list[Sample]]:
    def make() -> list[Sample]:
        out: list[Sample] = []
        for k, dtype in enumerate(dtypes):
            low, high = ranges.low, ranges.high
            if dtype.is_integer and high - low < 4:
                low, high = (0 if low >= 0 else -5), 6
            if dtype.is_bool:
                low, high = 0, 1.99
            for shapes in _shape_choices(len(names))[: 2 if dtype.is_complex else None]:
                arrays = [_sample_array(7 * k + j, s, low, high, dtype) for j, s in enumerate(shapes)]
                out.append(Sample(tuple(arrays), smooth=ranges.gradient))
            if dtype.is_floating and ranges.edges:
                edges = list(cartesian(ranges.edges, repeat=len(names)))
                columns = [np.array([e[j] for e in edges], dtype.numpy) for j in range(len(names))]
                out.append(Sample(tuple(columns), smooth=False))
        return out

    return make


def _sample_array(seed: int, shape: tuple[int, ...], low: float, high: float, dtype: DType) -> Any:
    values = random_array(seed, shape, low, high)
    if dtype.is_complex:
        values = values + 1j * random_array(seed + 100, shape, low, high)
    if dtype.is_integer:
        values = np.floor(values)
        if dtype.is_unsigned:
            values = np.abs(values)
    return np.asarray(values).astype(dtype.numpy)


def _shape_choices(count: int) -> list[tuple[tuple[int, ...], ...]]:
    if count == 1:
        return [((3, 4),), ((),), ((0, 2),), ((33,),)]
    if count == 2:
        return [((3, 4), (3, 4)), ((3, 1), (4,)), ((), (2, 3)), ((0, 2), (2,)), ((33,), (33,))]
    return [((3, 4),) * count, (((3, 1), (4,)) + ((),) * (count - 2)), ((33,),) * count]


def comparison(
    name: str, doc: str, *, eager: Callable[..., Any], scalar: str, operator: str | None = None,
    dtypes: Sequence[DType] = (*NUMBERS, dt.bool_, *dt.SHORT_INTEGERS), onnx: str | None = None,
    bounds: Rule | None = None,
) -> Op:  # fmt: skip
    """A row from two elements to a bool."""
    return elementwise(
        name, doc, eager=eager, vjp=NONDIFFERENTIABLE, scalar=scalar, dtypes=dtypes, result="bool", operands="x y",
        samples=Samples(-2, 2, edges=SPECIAL), operator=operator, onnx=onnx, bounds=bounds,
    )  # fmt: skip


def folding(ufunc: np.ufunc, rank: int, axis: tuple[int, ...], keepdim: bool) -> Callable[[Any], Any]:
    """`ufunc.reduce` over some axes of an array, given by place, which NumPy reads faster; always an array."""
    reduce_: Any = ufunc.reduce
    asarray, part = np.asarray, (ReduceAxes(ufunc, axis, keepdim), (0,))
    if len(axis) == rank and not keepdim:
        return of_parts(lambda x: asarray(reduce_(x, axis)), part)
    return of_parts(lambda x: reduce_(x, axis, None, None, keepdim), part)


def reduction(
    name: str,
    doc: str,
    *,
    eager: Callable[..., Any],
    vjp: Vjp,
    lowering: Reduce,
    dtypes: Sequence[DType] = NUMBERS,
    result: Callable[[DType], DType] = lambda d: d,
    samples: Samples = Samples(),
    empty: bool = True,
    method: bool = True,
    onnx: str | None = None,
    holomorphic: bool = False,
    ufunc: np.ufunc | None = None,
    bounds: Rule | None = None,
    specialise: Specialise | None = None,
) -> Op:
    """A row that folds axes: `axis` (None, int, list) and `keepdim`. eager(x, axis=tuple, keepdims=bool) as NumPy.

    holomorphic: takes complex numbers too, the family conjugates gradients. ufunc: whose reduce `eager` of floats is.
    specialise: as of an Op, where that isn't the whole of it.
    """
    dtypes = (*dtypes, *COMPLEX) if holomorphic else dtypes
    vjp = conjugated(vjp) if holomorphic and callable(vjp) else vjp
    to_float = not any(d.is_integer for d in dtypes)

    def infer(x: TensorType, *, axis: tuple[int, ...], keepdim: bool) -> TensorType:
        require_dtype(name, x.dtype, dtypes)
        if not empty and any(assume_at_least(x.shape[k], 1) is False for k in axis):
            raise ShapeError(f"{name} of no elements: {x} over axis {list(axis)}")
        return TensorType(result(x.dtype), reduced_shape(x.shape, axis, keepdim))

    kinds: dict[np.dtype[Any], np.dtype[Any]] = {}  # of x -> of the result

    def run(x: Any, *, axis: tuple[int, ...], keepdim: bool) -> Any:
        made, kind = eager(x, axis=axis, keepdims=keepdim), kinds.get(x.dtype)
        if kind is None:
            kind = kinds[x.dtype] = result(dt.of_array(x)).numpy
        return made if type(made) is np.ndarray and made.dtype == kind else np.asarray(made).astype(kind, copy=False)

    def as_reduce(types: Sequence[TensorType], attrs: dict[str, Any]) -> Callable[..., Any] | None:
        if types[0].dtype not in FLOATS or not attrs["axis"]:
            return None
        assert ufunc is not None
        return folding(ufunc, types[0].rank, **attrs)

    def prepare(
        interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        x = common_dtype(interpreter, values, to_float=to_float, allowed=dtypes, name=name)[0]
        return (x,), {"axis": axes_tuple(attrs["axis"], x.ndim), "keepdim": bool(attrs["keepdim"])}

    op = Op(
        name=name, doc=doc, operands=("x",), infer=infer, eager=run, vjp=vjp, lowering=lowering, method=method,
        attrs={"axis": None, "keepdim": False}, prepare=prepare, failures=() if empty else of_no_elements(name),
        samples=lambda: _reduction_samples(dtypes, samples, empty), family="reduction", onnx=onnx,
        specialise=specialise or (as_reduce if ufunc is not None else None), bounds=bounds,
    )  # fmt: skip
    return register(op)


def _reduction_samples(dtypes: Sequence[DType], samples: Samples, empty: bool) -> list[Sample]:
    out = []
    for k, dtype in enumerate(dtypes):
        for shape, axis, keepdim in _REDUCTIONS[: 2 if dtype.is_complex else None]:
            if 0 in shape and not empty:
                continue
            x = _sample_array(5 * k + len(shape), shape, samples.low, samples.high, dtype)
            out.append(Sample((x,), {"axis": axis, "keepdim": keepdim}, smooth=samples.gradient))
    return out


_REDUCTIONS: list[tuple[tuple[int, ...], Any, bool]] = [
    ((3, 4), None, False), ((3, 4), 1, True), ((2, 3, 4), [0, 2], False), ((2, 3, 4), 1, False), ((), None, False),
    ((0, 3), 1, False), ((70,), 0, False), ((2, 3, 40), -1, False),
]  # fmt: skip
