"""LBFGS: steps along approximate Newton directions, with an optional line search. It runs in eager mode only.

Source: Nocedal, Wright, Numerical Optimization, 2006, algorithms 7.4 (two loops), 3.5 and 3.6 (strong Wolfe).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.errors import ArgumentError, KindError
from ..modes import GradMode
from .optimizer import Group, Optimizer, gradient_of
from .rate import require_eager

__all__ = ["LBFGS"]

Evaluate = Callable[[float], tuple[float, Any, float]]


class LBFGS(Optimizer):
    """Newton steps with curvature learnt from the last `history_size` gradients: `step(closure)`.

    closure clears the gradients, computes the loss, calls backward() and returns the loss; it is called up to max_eval
    times (default: 1.25 max_iter), for max_iter iterations. line_search_fn: None (each step is learning_rate long) or
    "strong_wolfe". Errors: CaptureError inside a captured function, as the number of evaluations is data.

    >>> from ..tensor import Parameter
    >>> w = Parameter([3.0, -2.0])
    >>> opt = LBFGS(parameters=[w], line_search_fn="strong_wolfe")
    >>> def closure():
    ...     opt.clear_grad()
    ...     loss = ((w - 1.0) ** 2).sum()
    ...     loss.backward()
    ...     return loss
    >>> _ = opt.step(closure)
    >>> [round(v, 3) for v in w.tolist()]
    [1.0, 1.0]
    """

    is_elementwise = False

    def __init__(
        self, learning_rate: Any = 1.0, max_iter: int = 20, max_eval: int | None = None, tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9, history_size: int = 100, line_search_fn: str | None = None,
        parameters: Any = None, weight_decay: Any = None, grad_clip: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        if line_search_fn not in (None, "strong_wolfe"):
            raise ArgumentError(f'line_search_fn must be None or "strong_wolfe", not {line_search_fn!r}')
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        if len(self._groups) > 1:
            raise ArgumentError("LBFGS takes one group of parameters", remedy="pass a list of parameters")
        self.max_iter, self.max_eval = max_iter, max_iter * 5 // 4 if max_eval is None else max_eval
        self.tolerance_grad, self.tolerance_change = tolerance_grad, tolerance_change
        self.history_size, self.line_search_fn = history_size, line_search_fn
        self._memory: dict[str, Any] = {"n_iter": 0, "func_evals": 0, "steps": [], "changes": []}

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        raise KindError("LBFGS has no update of a single parameter", remedy="call step(closure)")

    # ---- all parameters as one vector

    def _gradient(self) -> Any:
        group = self._groups[0]
        with GradMode(False):
            pairs = [(p, g) for p in group.params if (g := gradient_of(p)) is not None]
            pairs = pairs if group.clip is None else group.clip(pairs)
            found = {id(p): (g if group.decay is None else group.decay.add_to(g, p))._copied() for p, g in pairs}
        zeros = [np.zeros(p.shape, p.dtype.numpy) for p in group.params if id(p) not in found]
        parts = iter(zeros)
        return np.concatenate([found[id(p)].ravel() if id(p) in found else next(parts).ravel() for p in group.params])

    def _values(self) -> Any:
        return np.concatenate([p._copied().ravel() for p in self._groups[0].params])

    def _write(self, values: Any) -> None:
        start = 0
        with GradMode(False):
            for p in self._groups[0].params:
                size = int(np.prod(p.shape))
                p.set_value(values[start : start + size].reshape(p.shape).astype(p.dtype.numpy))
                start += size

    # ---- the step

    def minimize(self, loss: Any, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None) -> Any:
        """Errors: NotImplementedError, as in PaddlePaddle: a loss that is there already can't be computed again."""
        raise NotImplementedError("LBFGS evaluates its loss several times: call step(closure)")

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Up to max_iter iterations; the loss before them."""
        require_eager("LBFGS.step() was called")
        if not callable(closure):
            raise KindError("LBFGS.step() needs a closure that computes the loss and its gradients")
        with GradMode(True):
            first = closure()
        loss, g, evaluations = float(first), self._gradient(), 1
        memory = self._memory
        memory["func_evals"] += 1
        if not g.size or abs(g).max() <= self.tolerance_grad:
            return first
        for iteration in range(1, self.max_iter + 1):
            memory["n_iter"] += 1
            direction = self._direction(g)
            memory["gradient"], before = g.copy(), loss
            length = self.get_lr() * (min(1.0, 1.0 / abs(g).sum()) if memory["n_iter"] == 1 else 1.0)
            slope = float(g @ direction)
            if slope > -self.tolerance_change:
                break
            start, used = self._values(), 0

            def evaluate(t: float, start: Any = start, direction: Any = direction) -> tuple[float, Any, float]:
                self._write(start + t * direction)
                with GradMode(True):
                    value = float(closure())
                gradient = self._gradient()
                return value, gradient, float(gradient @ direction)

            if self.line_search_fn is not None:
                length, loss, g, used = strong_wolfe(evaluate, length, loss, g, slope, self.tolerance_change)
                self._write(start + length * direction)
            elif iteration < self.max_iter:
                loss, g, _ = evaluate(length)
                used = 1
            else:
                self._write(start + length * direction)
            memory["direction"], memory["length"] = direction, length
            evaluations += used
            memory["func_evals"] += used
            if evaluations >= self.max_eval or abs(g).max() <= self.tolerance_grad:
                break
            if abs(direction * length).max() <= self.tolerance_change or abs(loss - before) < self.tolerance_change:
                break
        return first

    def _direction(self, g: Any) -> Any:
        """Minus the approximate inverse Hessian times the gradient."""
        memory = self._memory
        if "gradient" not in memory:
            return -g
        change, step = g - memory["gradient"], memory["direction"] * memory["length"]
        curvature = float(change @ step)
        if curvature > 1e-10:
            memory["steps"] = [*memory["steps"], step][-self.history_size :]
            memory["changes"] = [*memory["changes"], change][-self.history_size :]
            memory["scale"] = curvature / float(change @ change)
        pairs = [(s, y, 1.0 / float(y @ s)) for s, y in zip(memory["steps"], memory["changes"], strict=True)]
        q, weights = -g, []
        for s, y, rho in reversed(pairs):
            weights.append(float(s @ q) * rho)
            q = q - weights[-1] * y
        r = q * memory.get("scale", 1.0)
        for (s, y, rho), weight in zip(pairs, reversed(weights), strict=True):
            r = r + s * (weight - float(y @ r) * rho)
        return r

    def _own_state(self) -> dict[str, Any]:
        """What was learnt of the curvature, as `state`, and the parameters' names."""
        return super()._own_state() | {"state": dict(self._memory)}

    def _set_own_state(self, state_dict: dict[str, Any]) -> None:
        rest = dict(state_dict)
        memory = rest.pop("state", None)
        super()._set_own_state(rest)
        if memory is not None:
            self._memory = dict(memory)


def strong_wolfe(
    evaluate: Evaluate, t: float, loss: float, g: Any, slope: float, least: float, iterations: int = 25
) -> tuple[float, float, Any, int]:
    """A step length that lowers the loss enough and flattens its slope: (length, loss, gradient, evaluations)."""
    enough, flat = 1e-4, 0.9
    low = (0.0, loss, g, slope)
    previous, used = low, 0
    for iteration in range(iterations):
        value, gradient, steep = evaluate(t)
        used += 1
        here = (t, value, gradient, steep)
        if value > loss + enough * t * slope or (iteration and value >= previous[1]) or not np.isfinite(value):
            return _zoom(evaluate, previous, here, loss, slope, used, iterations, least)
        if abs(steep) <= -flat * slope:
            return t, value, gradient, used
        if steep >= 0:
            return _zoom(evaluate, here, previous, loss, slope, used, iterations, least)
        farther = min(max(_minimum(previous, here), t + 0.01 * (t - previous[0])), t * 10.0)
        previous, t = here, farther
    return previous[0], previous[1], previous[2], used


def _zoom(
    evaluate: Evaluate, low: Any, high: Any, loss: float, slope: float, used: int, iterations: int, least: float
) -> tuple[float, float, Any, int]:
    """A length between a good one and one that is too long (or too short), halving at least now and then."""
    while used < iterations and abs(high[0] - low[0]) * abs(slope) > least:
        left, right = sorted((low[0], high[0]))
        t = _minimum(low, high)
        margin = 0.1 * (right - left)
        t = min(max(t, left + margin), right - margin)
        value, gradient, steep = evaluate(t)
        used += 1
        here = (t, value, gradient, steep)
        if value > loss + 1e-4 * t * slope or value >= low[1] or not np.isfinite(value):
            high = here
            continue
        if abs(steep) <= -0.9 * slope:
            return t, value, gradient, used
        if steep * (high[0] - low[0]) >= 0:
            high = low
        low = here
    return low[0], low[1], low[2], used


def _minimum(a: Any, b: Any) -> float:
    """Where the cubic through two lengths with their losses and slopes is least; their middle if it has no minimum."""
    (x1, f1, _, g1), (x2, f2, _, g2) = (a, b) if a[0] <= b[0] else (b, a)
    if x2 == x1 or not np.isfinite(f1 + f2):
        return float(x1 + x2) / 2
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1 * d1 - g1 * g2
    if square < 0 or g2 - g1 + 2 * square**0.5 == 0:
        return float(x1 + x2) / 2
    return float(x2 - (x2 - x1) * (g2 + square**0.5 - d1) / (g2 - g1 + 2 * square**0.5))
