"""The gradient rule of each operation beside finite differences, on the operands that the operation had in a run."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base import dtype as dt
from ...base.errors import VitrifyError
from ...dygraph.eager import from_array
from ...dygraph.modes import GradMode
from ...ir.core import Operation, Program
from ...ir.walk import attrs_key, map_attrs
from ...ops.effects import Effect
from ...ops.op import Op
from ...ops.types import TensorType
from ...passes.autodiff.reverse import inputs_of
from .results import Difference, Stage
from .trail import Trail

Array = np.ndarray[Any, Any]
_STEP = 1e-6
_TOLERANCE = 1e-4


@dataclass(frozen=True, slots=True)
class Slope:
    """How a result grows along a direction in one operand: by the gradient rule and by finite differences."""

    operand: int
    by_rule: float
    by_differences: float

    @property
    def ratio(self) -> float:
        """What the rule gives, in parts of what is right."""
        return self.by_rule / self.by_differences if self.by_differences else float("inf")

    def __str__(self) -> str:
        return (
            f"the gradient of operand {self.operand} is {self.by_rule:.6g} along a random direction, finite "
            f"differences give {self.by_differences:.6g} (ratio {self.ratio:.4g})"
        )


def check_rules(program: Program, trail: Trail, label: str) -> tuple[Stage, Difference | None]:
    """Check the rule of each kind of operation that ran, once."""
    start = time.perf_counter()
    seen: set[Any] = set()
    for event in trail.events:
        operation = event.operation
        if not _has_rule(operation):
            continue
        key = operation.op, attrs_key(operation.attrs), tuple(str(v.type) for v in operation.operands)
        if key in seen:
            continue
        seen.add(key)
        attrs = map_attrs(operation.attrs, trail.sizes)
        known = dict(zip(inputs_of(operation), event.read, strict=True))
        wrong = wrong_slope(operation.op, [known[v] for v in operation.operands], attrs)
        if wrong is not None:
            found = Difference(
                stage=f"{label}: gradient rules", operation=operation.name, loc=operation.loc, deviation=None,
                where=event.where, note=str(wrong), program=program, event=event,
            )  # fmt: skip
            return Stage(found.stage, float("inf"), time.perf_counter() - start), found
    return Stage(f"{label}: gradient rules", 0.0, time.perf_counter() - start), None


def _has_rule(operation: Operation) -> bool:
    row = operation.op
    if not row.is_differentiable or row.effect is not Effect.PURE or operation.blocks:
        return False
    samples = row.samples()  # a row without any of which differences make sense has a rule that is no derivative
    return not samples or any(sample.smooth for sample in samples)


def wrong_slope(
    op: Op, operands: Sequence[Any], attrs: dict[str, Any], seed: int = 0, strict: bool = False
) -> Slope | None:  # fmt: skip
    """The first operand for which the row's gradient isn't what finite differences give; None where all are right.

    Operands are taken in float64 where the row has it. Points where slopes from the left and the right differ, and
    results that aren't finite, say nothing. strict: errors of the rule are raised.
    """
    arrays = [a.astype(np.float64) if a.dtype == np.float32 else a for a in map(np.asarray, operands)]
    attrs = {k: dt.float64 if v is dt.float32 else v for k, v in attrs.items()}
    wanted = [k for k, a in enumerate(arrays) if a.dtype == np.float64 and a.size]
    rng = np.random.default_rng(seed)
    try:
        with np.errstate(all="ignore"):
            results = _evaluate(op, arrays, attrs)
            floats = [k for k, r in enumerate(results) if r.dtype.kind == "f"]
            if not wanted or not floats or any(results[k].dtype != np.float64 for k in floats):
                return None
            if not all(np.isfinite(results[k]).all() for k in floats):
                return None
            seeds = [rng.standard_normal(r.shape) if k in floats else None for k, r in enumerate(results)]
            given = _by_rule(op, arrays, results, seeds, attrs)
            for k in wanted:
                if k < len(given) and given[k] is not None:
                    found = _slope(op, arrays, attrs, k, np.asarray(given[k]), seeds, rng)
                    if found is not None:
                        return found
    except VitrifyError:
        if strict:
            raise
        return None  # the row doesn't take float64, or has no rule for these attributes
    return None


def _kinds(arrays: Sequence[Array]) -> list[TensorType]:
    return [TensorType(dt.of_array(a), a.shape) for a in arrays]


def _evaluate(op: Op, arrays: Sequence[Array], attrs: dict[str, Any]) -> list[Array]:
    op.infer(*_kinds(arrays), **attrs)
    made = op.eager(*arrays, **attrs)
    return [np.asarray(m) for m in (made if isinstance(made, tuple) else (made,))]


def _by_rule(
    op: Op, arrays: Sequence[Array], results: Sequence[Array], seeds: Sequence[Any], attrs: dict[str, Any]
) -> Sequence[Any]:  # fmt: skip
    assert callable(op.vjp)
    with GradMode(False):
        xs = [from_array(np.array(a)) for a in arrays]
        ys = [from_array(np.array(r)) for r in results]
        gs = [None if s is None else from_array(np.asarray(s, r.dtype)) for s, r in zip(seeds, results, strict=True)]
        many = isinstance(op.infer(*_kinds(arrays), **attrs), tuple)
        extra = {"wanted": (True,) * len(xs)} if op.selective else {}
        found = op.vjp(tuple(gs) if many else gs[0], tuple(ys) if many else ys[0], *xs, **attrs, **extra)
    return [None if g is None else g._storage.payload for g in found]


def _slope(
    op: Op, arrays: list[Array], attrs: dict[str, Any], k: int, gradient: Array, seeds: Sequence[Any],
    rng: np.random.Generator,
) -> Slope | None:  # fmt: skip
    direction: Any = rng.standard_normal(arrays[k].shape)
    if _is_symmetric(arrays[k]):  # factorisations read one triangle of it
        direction = direction + np.swapaxes(direction, -1, -2)
    scale = max(1.0, float(np.abs(arrays[k]).max(initial=0.0)))

    def total(distance: float) -> float:
        moved = [a + distance * scale * direction if j == k else a for j, a in enumerate(arrays)]
        made = _evaluate(op, moved, attrs)
        return float(sum(np.sum(s * r) for s, r in zip(seeds, made, strict=True) if s is not None))

    by_rule = float(np.sum(gradient * direction))
    here, ahead, behind = total(0.0), total(_STEP), total(-_STEP)
    right, left = (ahead - here) / (_STEP * scale), (here - behind) / (_STEP * scale)
    size = max(abs(left), abs(right), abs(by_rule), 1e-3)
    noise = 1e-15 * max(abs(here), 1.0) / (_STEP * scale)
    if not np.isfinite([left, right, by_rule]).all() or abs(left - right) > 1e-3 * size + 10 * noise:
        return None  # a kink, or too steep to say
    middle = (left + right) / 2
    return None if abs(middle - by_rule) <= _TOLERANCE * size + 10 * noise + 1e-7 else Slope(k, by_rule, middle)


def _is_symmetric(array: Array) -> bool:
    square = array.ndim > 1 and array.shape[-1] == array.shape[-2]
    return square and np.array_equal(array, np.swapaxes(array, -1, -2))
