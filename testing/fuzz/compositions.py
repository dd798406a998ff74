"""Random compositions of element-wise rows over zeros, infinities, NaN, subnormal and extreme numbers.

A case is one program with ROOTS compositions of one size. Each operation is also compiled alone, and run on the
operands that it has in the composition: that must give what eager mode gives, the same class (NaN, infinite, zero, the
sign) and within the row's stated bound, and the composition must have the same bits. An element's value then doesn't
depend on what is computed beside it, and every operation keeps its bound on the numbers that it is really given.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ...base import dtype as dt
from ...base.dtype import DType
from ...base.errors import VitrifyError
from ...ir.builder import new_program
from ...ir.core import Operation, Program, Value
from ...ops.lowering import Scalar
from ...ops.op import OPS, Op
from ...ops.types import TensorType
from ...runtime.codegen.prelude import BOUNDS
from ...runtime.compiler import compile_program
from ...runtime.executable import Executable
from .checks import Coverage, Disagreement, stage
from .shrink import Case

Array = np.ndarray[Any, Any]
ROOTS = 25
SHAPES: tuple[tuple[int, ...], ...] = ((131,), (37,), (131,), (5,), (), (1,))
EAGER = 4.0  # units in the last place that NumPy's own functions may be off
MOST_SINGLES = 12  # elements that compositions of single numbers are tried on
CASTS = (dt.float32, dt.float64, dt.int32, dt.int64, dt.bool_)
ATTRIBUTES: dict[str, tuple[dict[str, Any], ...]] = {
    "cast": tuple({"dtype": d} for d in CASTS),
    "clip": ({"min": 0.0, "max": 1.0}, {"min": -1.5, "max": 3.0}),
    "leaky_relu": ({"negative_slope": 0.01},),
    "elu": ({"alpha": 1.0}, {"alpha": 0.5}),
    "softplus": ({"beta": 1.0, "threshold": 20.0},),
}
_NAMES = {"floor_divide": "floor_div", "remainder": "mod", "elu": "expm1"}  # of their prelude functions


# Rows with another kind of bound than units in the last place (docs/numerics.md, tests/runtime/test_prelude.py);
# lgamma, of which eager mode (Python's) is up to 30 units off near its zeros; signbit, as the sign of a NaN that an
# operation makes is open; and what watches and computes nothing.
_LEFT_OUT = frozenset(
    {"digamma", "trigamma", "tetragamma", "erfinv", "lgamma", "i0", "i0e", "i1", "i1e", "signbit", "watch_gradient"}
)


def rows() -> list[Op]:
    """The rows that compositions are made of: those that map elements to elements in kernels, within stated units."""
    return [op for op in OPS.values() if isinstance(op.lowering, Scalar) and op.name not in _LEFT_OUT]


def composition(seed: int) -> Case:
    """The case of a seed: a program, and its arguments."""
    rng = np.random.default_rng([seed, 14])
    main = (dt.float32, dt.float64)[seed % 2]
    shape = SHAPES[int(rng.integers(len(SHAPES)))]
    program, builder = new_program("composition")
    pool = [program.add_feed(f"x{k}", TensorType(main, shape)) for k in range(3)]
    used: set[Value] = set()
    with builder.active():
        while len(pool) < 3 * ROOTS:
            made = _applied(rng, pool, main)
            if made is not None:
                used.update(made.operation.operands if made.operation is not None else ())
                pool.append(made)
        roots = [v for v in pool[3:] if v not in used][:ROOTS]
        others = [v for v in pool[3:] if v in used]
        roots += [others[int(k)] for k in rng.permutation(len(others))[: ROOTS - len(roots)]]
        builder.return_(roots)
    program.fetch_names = [f"y{k}" for k in range(len(roots))]
    return program, [numbers(rng, main, shape) for _ in range(3)], []


def _applied(rng: np.random.Generator, pool: list[Value], main: DType) -> Value | None:
    """A random row over values of the pool, recent ones more often, and literals; None where they don't fit."""
    known = rows()
    op = known[int(rng.integers(len(known)))]
    if main in (dt.float32, dt.float64) and rng.random() < 0.35:
        op = OPS[str(rng.choice(["add", "subtract", "multiply", "divide", "neg", "sqrt", "reciprocal", "square"]))]
    operands: list[Any] = [pool[-1 - int(len(pool) * rng.random() ** 2)] for _ in op.operands]
    if len(operands) == 2 and operands[0].dtype.is_floating and rng.random() < 0.3:
        operands[int(rng.integers(2))] = float(rng.choice(_literals(main)))
    kinds = {v.dtype for v in operands if isinstance(v, Value)}
    attrs = ATTRIBUTES.get(op.name, ({},))
    if op.name != "where" and len(kinds) > 1:
        return None
    if op.name == "pow" and any(d.is_integer for d in kinds):
        return None  # both modes refuse negative exponents, by a check beside the row
    try:
        made = op(*operands, **attrs[int(rng.integers(len(attrs)))])
    except VitrifyError:
        return None
    return made if isinstance(made, Value) and made.operation is not None and made.operation.op is op else None


def _literals(main: DType) -> list[float]:
    big = 12582912.0 if main is dt.float32 else 6755399441055744.0
    return [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, 3.0, 0.1, big, 1e30, 1e-30]


def numbers(rng: np.random.Generator, dtype: DType, shape: tuple[int, ...]) -> Array:
    """Numbers that hurt: special ones, any bits at all, and ordinary ones."""
    kind, count = dtype.numpy, int(np.prod(shape, dtype=int))
    many = max(count, MOST_SINGLES) if count == 1 else count
    facts: Any = np.finfo(kind)
    edges = [0.0, np.inf, facts.smallest_subnormal, facts.tiny, facts.max, 1.0, 1.5, 1e25, 1e-30, facts.eps, 3.0, 88.7]
    special = np.array([*edges, *(-e for e in edges), np.nan, 709.5, 1e7, 0.1, 12582912.5, facts.tiny * 0.7], kind)
    integers = rng.integers(0, 2**64, many, dtype=np.uint64).astype(f"u{dtype.itemsize}")
    with np.errstate(all="ignore"):
        ordinary = (rng.normal(size=many) * 10.0 ** rng.integers(-3, 4, many)).astype(kind)
    made = np.choose(
        rng.choice(3, many, p=[0.45, 0.15, 0.4]), [rng.choice(special, many), integers.view(kind), ordinary]
    )
    return made.astype(kind) if count == 1 else made.astype(kind).reshape(shape)


def check_composition(
    program: Program, feeds: Sequence[Array], state: Sequence[Array] = (), coverage: Coverage | None = None
) -> None:
    """Compare a case's program with its operations alone, and those with eager mode.

    Programs of one element get several for each argument: they run once for each. Errors: Disagreement.
    """
    if coverage is not None:
        coverage.add_program(program)
    with stage("composition compiled"):
        whole = compile_program(program)
    with np.errstate(all="ignore"):
        for given in runs_of(program, feeds):
            _check_run(program, whole, given)


def runs_of(program: Program, feeds: Sequence[Array]) -> list[list[Array]]:
    """The arguments of each run of a case's program."""
    shape = program.feed_values[0].tensor_type.shape if program.feeds else ()
    if not feeds or np.size(feeds[0]) == 1 or shape not in ((), (1,)):
        return [list(feeds)]
    return [[a[k].reshape(shape) for a in feeds] for k in range(len(feeds[0]))]


def _check_run(program: Program, whole: Executable, feeds: Sequence[Array]) -> None:
    shape = program.feed_values[0].tensor_type.shape if program.feeds else ()
    known: dict[Value, Array] = dict(zip(program.feed_values, feeds, strict=True))
    literal: set[Value] = set()  # computed while compiling, as eager mode does
    for operation in program.body.operations[:-1]:
        sources = operation.operands
        if operation.name == "straight_through" and sources[-1].type == operation.result.type:
            sources = sources[-1:]  # of a number for a whole array, kernels make the array, and what follows
        if literal.issuperset(sources):
            literal.add(operation.result)
        known[operation.result] = _alone(operation, known, shape, operation.result in literal)
    made = whole.run([np.array(a) for a in feeds])
    for number, (value, found) in enumerate(zip(program.fetches, made, strict=True)):
        wanted = np.broadcast_to(known[value], found.shape)
        wrong = np.flatnonzero(~_equal(wanted, found).reshape(-1))
        if wrong.size:
            at = int(wrong[0])
            raise Disagreement(
                "composed", f"result {number}: {found.reshape(-1)[at]!r} instead of {wanted.reshape(-1)[at]!r}"
            )


def _alone(operation: Operation, known: dict[Value, Array], shape: tuple[Any, ...], is_literal: bool) -> Array:
    """What a kernel of this operation alone gives, which must be what eager mode gives within the row's bound; of
    literals what eager mode gives.
    """
    op, attrs = operation.op, operation.attrs
    if op.name == "constant":
        return np.asarray(attrs["data"].array)
    if not operation.operands:
        return np.asarray(op.eager(**attrs))
    given = [np.array(np.broadcast_to(known[v], shape)) for v in operation.operands]
    sized = given if np.size(given[0]) == 1 else [_padded(a) for a in given]
    kinds = tuple(v.dtype for v in operation.operands)
    (made,) = _kernel(op.name, tuple(sorted(attrs.items())), kinds, sized[0].shape).run(sized)
    found = made.reshape(-1)[: np.size(given[0])].reshape(shape)
    # With one axis: for some exponents that have none np.power takes a root or a square, which differ at -0 and -inf.
    expected = np.asarray(op.eager(*map(np.atleast_1d, given), **attrs)).reshape(shape)
    allowed = bound(op, operation.result.dtype)
    wrong = np.flatnonzero(~_agree(expected, found, allowed).reshape(-1))
    if wrong.size:
        at = int(wrong[0])
        values = ", ".join(repr(a.reshape(-1)[at]) for a in given)
        got, want = (a.reshape(-1)[at] for a in (found, expected))
        raise Disagreement(f"alone: {op.name}", f"{op.name}({values}) is {got!r} instead of {want!r}")
    return expected if is_literal else found


def _padded(a: Array) -> Array:
    return np.concatenate([a, np.ones(SHAPES[0][0] - a.size, a.dtype)]) if a.size < SHAPES[0][0] else a


@lru_cache(maxsize=4096)
def _kernel(
    name: str, attrs: tuple[tuple[str, Any], ...], kinds: tuple[DType, ...], shape: tuple[int, ...]
) -> Executable:
    program, builder = new_program("alone")
    values = [program.add_feed(f"x{k}", TensorType(kind, shape)) for k, kind in enumerate(kinds)]
    op = OPS[name]
    made = op.infer(*(v.tensor_type for v in values), **dict(attrs))
    assert isinstance(made, TensorType)
    operation = builder.place(Operation(op, values, dict(attrs), [made]))
    builder.return_([operation.result])
    program.fetch_names = ["y"]
    return compile_program(program, passes=())


def bound(op: Op, dtype: DType) -> float:
    """By how many units in the last place a row may differ from eager mode: 0 where it must not differ at all."""
    stated = BOUNDS.get(f"{_NAMES.get(op.name, op.name)}_{dtype.short}", 0.0) if dtype.is_floating else 0.0
    return 0.0 if op.name in ("sqrt", "rsqrt") or not stated else stated + EAGER


def _equal(a: Array, b: Array) -> Array:
    """Where two arrays have the same bits, any NaN being one."""
    if a.dtype.kind != "f":
        return np.asarray(a == b)
    return np.asarray((np.isnan(a) & np.isnan(b)) | ((a == b) & (np.signbit(a) == np.signbit(b))))


def _agree(a: Array, b: Array, allowed: float) -> Array:
    """Where two arrays are of one class and within `allowed` units in the last place."""
    if not allowed:
        return _equal(a, b)
    alike = (np.isinf(a) == np.isinf(b)) & ((a == 0) == (b == 0)) & (np.signbit(a) == np.signbit(b))
    wide = [np.where(np.isfinite(x), x, 0).astype(np.longdouble) for x in (a, b)]
    unit = np.spacing(np.where(np.isfinite(a), np.abs(a), 1).astype(a.dtype)).astype(np.longdouble)
    near = np.abs(wide[0] - wide[1]) <= allowed * unit
    return np.asarray((np.isnan(a) & np.isnan(b)) | (~np.isnan(a) & ~np.isnan(b) & alike & near))
