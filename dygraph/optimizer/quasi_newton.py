"""The minimum of a function of one vector by BFGS and L-BFGS, in eager mode: how many evaluations it takes is data.
In a static program the search is a call of Python while the program runs.

Source: Nocedal, Wright, Numerical Optimization, 2006, algorithms 6.1, 7.4 and 7.5; lines are searched as in lbfgs.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from ...base import unique_name
from ...base.dtype import as_dtype
from ...base.errors import ArgumentError, ShapeError
from ...ops.dispatch import current
from ...ops.infer import show_shape
from ..conversions import to_tensor
from ..grad import grad
from ..modes import GradMode
from .lbfgs import strong_wolfe
from .rate import require_eager

__all__ = ["minimize_bfgs", "minimize_lbfgs"]

Array = np.ndarray[Any, Any]


@dataclass
class _Search:
    """The function, and when to stop."""

    function: Callable[[Any], Any]
    dtype: Any
    iterations: int
    least_gradient: float
    least_change: float
    line_iterations: int
    first_length: float
    calls: int = 0

    def at(self, place: Array) -> tuple[float, Array]:
        """The function's value and gradient."""
        self.calls += 1
        x = to_tensor(place.astype(self.dtype.numpy))
        x.stop_gradient = False
        with GradMode(True):
            value = self.function(x)
            (slope,) = grad(value, [x])
        return float(value), slope._copied().astype(np.float64).ravel()

    def run(self, place: Array, direction: Callable[[Array], Array], learn: Callable[[Array, Array], None]) -> Any:
        """(converged, place, value, gradient) of the steps along `direction(gradient)`; `learn(step, change)`."""
        value, gradient = self.at(place)
        for _ in range(self.iterations):
            if abs(gradient).max() < self.least_gradient:
                return True, place, value, gradient
            way = direction(gradient)
            slope = float(gradient @ way)
            if slope >= 0:
                break

            def evaluate(t: float, start: Array = place, way: Array = way) -> tuple[float, Array, float]:
                found, steep = self.at(start + t * way)
                return found, steep, float(steep @ way)

            settings = (self.first_length, value, gradient, slope, self.least_change, self.line_iterations)
            length, new, after, _ = strong_wolfe(evaluate, *settings)
            if length == 0.0:
                break
            step, change = length * way, after - gradient
            place, value, gradient = place + step, new, after
            if float(change @ step) > 0:
                learn(step, change)
            if abs(step).max() < self.least_change:
                break
        return bool(abs(gradient).max() < self.least_gradient), place, value, gradient


def _checked(start: Any, settings: dict[str, Any]) -> Any:
    """The dtype to search in."""
    kind = as_dtype(settings["dtype"])
    if kind.name not in ("float32", "float64"):
        raise ArgumentError(f"the dtype must be float32 or float64, not {kind.name}")
    if settings["line_search_fn"] != "strong_wolfe":
        raise ArgumentError(f'line_search_fn must be "strong_wolfe", not {settings["line_search_fn"]!r}')
    if start.ndim != 1:
        raise ShapeError(f"the position to begin at must have one axis, got {show_shape(start.shape)}")
    return kind


def _search(function: Any, start: Any, settings: dict[str, Any]) -> tuple[_Search, Array]:
    require_eager("a function was minimised")
    kind = _checked(start, settings)
    numbers = ("max_iters", "tolerance_grad", "tolerance_change", "max_line_search_iters", "initial_step_length")
    return _Search(function, kind, *(settings[name] for name in numbers)), start._copied().astype(np.float64)


def _in_program(search: Callable[..., Any], settings: dict[str, Any], results: int) -> tuple[Any, ...]:
    """The results of a search that the program makes when it runs; the position must have a known size."""
    start = settings.pop("initial_position")
    inverse = settings.pop("initial_inverse_hessian_estimate")
    kind = _checked(start, settings)
    size = start._storage.payload.shape[0]
    if not isinstance(size, int):
        raise ShapeError("the position to begin at must have a known number of elements")
    function = settings.pop("objective_func")

    def run(place: Any, matrix: Any = None) -> tuple[Any, ...]:
        found = search(function, place, initial_inverse_hessian_estimate=matrix, **settings)
        return tuple(part.reshape([1]) if part.ndim == 0 else part for part in found)

    static = import_module(f"{__name__.partition('.')[0]}.static")
    block = static.default_main_program().current_block()
    kinds = [("bool", [1]), ("int64", [1]), (kind, [size]), (kind, [1]), (kind, [size]), (kind, [size, size])]
    made = [
        block.create_var(name=unique_name.generate("minimum"), dtype=dtype, shape=shape)
        for dtype, shape in kinds[:results]
    ]
    static.py_func(run, [start] if inverse is None else [start, inverse], made)
    return *made[:3], made[3].reshape([]), *made[4:]


def _inverse(given: Any, count: int) -> Array:
    if given is None:
        return np.eye(count)
    found = np.asarray(given._copied(), np.float64)
    if found.shape != (count, count):
        raise ShapeError(f"the inverse Hessian of {count} variables can't have the shape {show_shape(given.shape)}")
    if not np.allclose(found, found.T) or np.linalg.eigvalsh(found).min() <= 0:
        raise ArgumentError("the inverse Hessian must be symmetric and positive definite")
    return found


def _results(search: _Search, found: Any) -> tuple[Any, ...]:
    converged, place, value, gradient = found
    numbers = [np.asarray(part, search.dtype.numpy) for part in (place, value, gradient)]
    return to_tensor(np.array([converged])), to_tensor(np.array([search.calls])), *map(to_tensor, numbers)


def minimize_bfgs(
    objective_func: Callable[[Any], Any], initial_position: Any, max_iters: int = 50, tolerance_grad: float = 1e-7,
    tolerance_change: float = 1e-9, initial_inverse_hessian_estimate: Any = None,
    line_search_fn: str = "strong_wolfe", max_line_search_iters: int = 50, initial_step_length: float = 1.0,
    dtype: Any = "float32", name: str | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    """Where a function of a vector is least: (converged, calls, position, value, gradient, inverse Hessian).

    Shapes: bool[1], i64[1], [n], [], [n], [n, n].

    It ends when the largest element of the gradient is below tolerance_grad, when a step is shorter than
    tolerance_change, or after max_iters steps.
    Errors: ShapeError, ArgumentError; CaptureError inside a captured function.

    >>> from ..conversions import to_tensor
    >>> minimize_bfgs(lambda x: ((x - 2.0) ** 2).sum(), to_tensor([0.0, 5.0]))[2].tolist()
    [2.0, 2.0]
    """
    settings = dict(locals())
    if current().is_static:
        return _in_program(minimize_bfgs, settings, 6)
    search, start = _search(objective_func, initial_position, settings)
    inverse = _inverse(initial_inverse_hessian_estimate, start.size)

    def learn(step: Array, change: Array) -> None:
        nonlocal inverse
        rho = 1.0 / float(change @ step)
        left = np.eye(start.size) - rho * np.outer(step, change)
        inverse = left @ inverse @ left.T + rho * np.outer(step, step)

    found = search.run(start, lambda gradient: -inverse @ gradient, learn)
    return *_results(search, found), to_tensor(inverse.astype(search.dtype.numpy))


def minimize_lbfgs(
    objective_func: Callable[[Any], Any], initial_position: Any, history_size: int = 100, max_iters: int = 50,
    tolerance_grad: float = 1e-8, tolerance_change: float = 1e-8, initial_inverse_hessian_estimate: Any = None,
    line_search_fn: str = "strong_wolfe", max_line_search_iters: int = 50, initial_step_length: float = 1.0,
    dtype: Any = "float32", name: str | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    """As `minimize_bfgs`, from the last `history_size` steps instead of a matrix: it gives no inverse Hessian.

    >>> from ..conversions import to_tensor
    >>> minimize_lbfgs(lambda x: ((x - 2.0) ** 2).sum(), to_tensor([0.0, 5.0]))[2].tolist()
    [2.0, 2.0]
    """
    settings = dict(locals())
    if current().is_static:
        return _in_program(minimize_lbfgs, settings, 5)
    search, start = _search(objective_func, initial_position, settings)
    inverse = _inverse(initial_inverse_hessian_estimate, start.size)
    pairs: list[tuple[Array, Array, float]] = []

    def direction(gradient: Array) -> Array:
        q, weights = gradient, []
        for step, change, rho in reversed(pairs):
            weights.append(rho * float(step @ q))
            q = q - weights[-1] * change
        r: Array = inverse @ q
        for (step, change, rho), weight in zip(pairs, reversed(weights), strict=True):
            r = r + step * (weight - rho * float(change @ r))
        return -r

    def learn(step: Array, change: Array) -> None:
        pairs.append((step, change, 1.0 / float(change @ step)))
        del pairs[:-history_size]

    return _results(search, search.run(start, direction, learn))
