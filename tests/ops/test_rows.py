"""What holds for every row of the op table: generated from the rows and their samples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify.ops
from vitrify.ir.dynamic_sizes import learn
from vitrify.ops.dims import Dim, deciding, evaluate
from vitrify.ops.op import NONDIFFERENTIABLE, OPS, Op, Sample
from vitrify.ops.types import ListType, TensorType

from .numpy_values import ArrayValue, call, gradients, numpy_values

STEP = 1e-6
FIXED_SIZES = {  # operand -> axes whose size a row must know
    "attention": dict.fromkeys(range(4), (1, 2, 3)),
    "attention_grad": dict.fromkeys((0, 1, 2, 3, 4, 6), (1, 2, 3)),
    "conv2d": {1: (2, 3)},
    "conv2d_input_grad": {1: (2, 3)},
    "gather_nd": {1: (-1,)},
    "scatter_nd_add": {1: (-1,)},
    "scatter_nd_update": {1: (-1,)},
    "winograd_filters": {0: (0, 1, 2, 3)},
    "uniform": {0: (0,)},
    "normal": {0: (0,)},
    "randint": {0: (0,)},
    "rng_advance": {0: (0,)},
    "draw_poisson": {0: (0,)},
    "draw_binomial": {0: (0,)},
    "draw_gamma": {0: (0,)},
}
ALONE = ("barrier", "exchange_progress", "send", "recv", "rank_of")  # exchanges without operands, or between two ranks
HALVES = ("_start", "_wait")  # of an exchange (tests/distributed/test_started_exchanges.py)
NOT_EVALUATED = [
    op for op in OPS.values()
    if op.family == "control" or op.name in ALONE or (op.family == "collective" and op.name.endswith(HALVES))
]  # fmt: skip
ROWS = [op for op in OPS.values() if op not in NOT_EVALUATED]
DIFFERENTIABLE = [op for op in ROWS if op.is_differentiable]


def cases(ops: list[Op], *, smooth: bool = False) -> list[Any]:
    return [
        pytest.param(op, sample, id=f"{op.name}-{k}")
        for op in ops
        for k, sample in enumerate(op.samples())
        if not smooth or (sample.smooth and differentiable_arrays(sample))
    ]


def differentiable_arrays(sample: Sample) -> list[int]:
    return [k for k, a in enumerate(flat_args(sample)) if np.asarray(a).dtype.kind == "f"]


def flat_args(sample: Sample) -> list[Any]:
    out: list[Any] = []
    for a in sample.args:
        out += list(a) if isinstance(a, (list, tuple)) else [a]
    return out


@pytest.mark.parametrize("op", OPS.values(), ids=OPS)
def test_a_row_is_complete(op: Op) -> None:
    assert op.doc.strip().endswith((".", "…")), "a doc line is a sentence"
    assert callable(op.vjp) or op.vjp is NONDIFFERENTIABLE
    assert op in NOT_EVALUATED or op.samples(), "samples are needed for the generated tests"


@pytest.mark.parametrize(("op", "sample"), cases(ROWS))
def test_evaluation_has_the_inferred_type(op: Op, sample: Sample) -> None:
    with numpy_values():
        call(op, [ArrayValue(a) for a in flat_args(sample)], sample.attrs)


@pytest.mark.parametrize(("op", "sample"), cases(ROWS))
def test_evaluation_leaves_its_operands_alone(op: Op, sample: Sample) -> None:
    args = [np.array(a) for a in flat_args(sample)]
    kept = [a.copy() for a in args]
    with numpy_values():
        call(op, [ArrayValue(a) for a in args], sample.attrs)
    for a, b in zip(args, kept, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(("op", "sample"), cases(ROWS))
def test_symbolic_inference_agrees_with_evaluation(op: Op, sample: Sample) -> None:
    """Sizes become symbols (equal sizes the same one); questions are decided as a tracer does, by the sizes at hand."""
    with numpy_values() as run:
        call(op, [ArrayValue(a) for a in flat_args(sample)], sample.attrs)
    step = run.steps[-1]
    assert step.op is op
    sizes: dict[str, int] = {f"N{d}": d for a in step.operands for d in a.shape if d > 1}
    symbols = {d: Dim.symbol(name) for name, d in sizes.items()}

    def decide(relation: str, difference: Dim) -> bool:
        value = evaluate(difference, sizes)
        assert isinstance(value, int)
        return value == 0 if relation == "==" else value >= 0

    kinds = []
    for k, a in enumerate(step.operands):
        fixed = {axis % a.ndim for axis in FIXED_SIZES.get(op.name, {}).get(k, ())}
        kinds.append(TensorType(a.dtype, tuple(d if j in fixed else symbols.get(d, d) for j, d in enumerate(a.shape))))
    with deciding(decide):
        made = op.infer(*kinds, **step.attrs)
    kinds_made = made if isinstance(made, tuple) else (made,)
    learn(kinds_made, step.results, sizes)  # what only a run knows
    for kind, result in zip(kinds_made, step.results, strict=True):
        assert not isinstance(kind, ListType)
        assert kind.dtype is result.dtype
        assert tuple(evaluate(d, sizes) for d in kind.shape) == result.shape


def in_double(sample: Sample) -> list[Any]:
    return [np.asarray(a, np.float64) if np.asarray(a).dtype.kind == "f" else np.asarray(a) for a in flat_args(sample)]


def weights(results: Any) -> list[Any]:
    rng = np.random.default_rng(0)
    return [rng.uniform(0.5, 1.5, r.shape) if r.dtype.is_floating else None for r in results]


def objective(op: Op, arrays: list[Any], attrs: dict[str, Any]) -> float:
    with numpy_values():
        results = call(op, [ArrayValue(a) for a in arrays], attrs)
    pairs = zip(results, weights(results), strict=True)
    return float(sum(np.sum(r.array * w) for r, w in pairs if w is not None))


def is_double(results: Any) -> bool:
    """Whether a numeric derivative is exact enough: all float results are f64."""
    floats = [r for r in results if r.dtype.is_floating]
    return bool(floats) and all(r.dtype.name == "float64" for r in floats)


def first_order(op: Op, arrays: list[Any], attrs: dict[str, Any]) -> list[Any] | None:
    """The gradients by the row's vjp; None where no numeric check makes sense."""
    with numpy_values() as run:
        inputs = [ArrayValue(a) for a in arrays]
        results = call(op, inputs, attrs)
        if not is_double(results):
            return None
        chosen = [(r, ArrayValue(w)) for r, w in zip(results, weights(results), strict=True) if w is not None]
        found = gradients(run.steps, [r for r, _ in chosen], [w for _, w in chosen], inputs)
    return [None if g is None else g.array for g in found]


@pytest.mark.parametrize(("op", "sample"), cases(DIFFERENTIABLE, smooth=True))
def test_the_gradient_is_the_numeric_one(op: Op, sample: Sample) -> None:
    arrays = in_double(sample)
    found = first_order(op, arrays, sample.attrs)
    if found is None:
        return
    rng = np.random.default_rng(1)
    for k in differentiable_arrays(sample):
        gradient = np.zeros(arrays[k].shape) if found[k] is None else found[k]
        direction = rng.uniform(-1.0, 1.0, arrays[k].shape)
        above, below = (objective(op, moved(arrays, k, s * direction), sample.attrs) for s in (STEP, -STEP))
        numeric = (above - below) / (2 * STEP)
        assert np.sum(gradient * direction) == pytest.approx(numeric, rel=1e-5, abs=1e-6), f"operand {k}"


def moved(arrays: list[Any], k: int, by: Any) -> list[Any]:
    return [a + by if j == k else a for j, a in enumerate(arrays)]


def gradient_objective(op: Op, arrays: list[Any], attrs: dict[str, Any], *, differentiate: bool) -> Any:
    """A weighted sum of the first-order gradients; or its own gradients, through the recorded vjp."""
    with numpy_values() as run:
        inputs = [ArrayValue(a) for a in arrays]
        results = call(op, inputs, attrs)
        chosen = [(r, ArrayValue(w)) for r, w in zip(results, weights(results), strict=True) if w is not None]
        found = gradients(run.steps, [r for r, _ in chosen], [w for _, w in chosen], inputs)
        rng = np.random.default_rng(2)
        kept = [(g, rng.uniform(0.5, 1.5, g.shape)) for g in found if g is not None]
        if not differentiate:
            return float(sum(np.sum(g.array * w) for g, w in kept))
        again = gradients(run.steps, [g for g, _ in kept], [ArrayValue(w) for _, w in kept], inputs)
    return [None if g is None else g.array for g in again]


@pytest.mark.parametrize(("op", "sample"), cases(DIFFERENTIABLE, smooth=True))
def test_the_gradient_of_the_gradient_is_the_numeric_one(op: Op, sample: Sample) -> None:
    arrays = in_double(sample)
    if first_order(op, arrays, sample.attrs) is None:
        return
    found = gradient_objective(op, arrays, sample.attrs, differentiate=True)
    rng = np.random.default_rng(3)
    for k in differentiable_arrays(sample):
        gradient = np.zeros(arrays[k].shape) if found[k] is None else found[k]
        direction = rng.uniform(-1.0, 1.0, arrays[k].shape)
        above, below = (
            gradient_objective(op, moved(arrays, k, s * direction), sample.attrs, differentiate=False)
            for s in (STEP, -STEP)
        )
        assert np.sum(gradient * direction) == pytest.approx((above - below) / (2 * STEP), rel=1e-4, abs=1e-5), (
            f"operand {k}"
        )


def test_public_names_are_callable_and_documented() -> None:
    for name, fn in vitrify.ops.functions().items():
        assert callable(fn), name
        assert fn.doc if isinstance(fn, Op) else fn.__doc__, name


def test_aliases_name_what_exists() -> None:
    assert set(vitrify.ops.ALIASES.values()) <= set(vitrify.ops.functions())
