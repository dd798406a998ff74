"""Derivatives of tensors and of functions: lazy Jacobians and Hessians, products with them, and numeric checks."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, GradientError, KindError, ShapeError
from ..ops.indexing import getitem
from ..ops.infer import axis_index, show_shape
from ..ops.op import OPS
from ..ops.rearrange import stack
from .assignment import assign
from .backward import filled_like
from .grad import grad
from .modes import enable_grad
from .tensor import Tensor


class Jacobian:
    """The derivatives of `ys` (flattened, M) by `xs` (flattened, N) as a matrix [M, N]; with a batch axis [B, M, N].

    Rows are computed when they are asked for: `J[i]`, `J[:, j]`, `J[:]` (with a batch axis `J[:, i]`), once each.
    Methods of tensors and arithmetic work on the whole matrix.
    """

    def __init__(self, ys: Tensor, xs: Sequence[Tensor], batch_axis: int | None) -> None:
        self._lead = 0 if batch_axis is None else 1
        if self._lead and (not ys.ndim or any(x.shape[:1] != ys.shape[:1] for x in xs)):
            raise ShapeError("with batch_axis=0, ys and xs must begin with the same batch size")
        self._xs = list(xs)
        with enable_grad():
            self._flat = OPS["reshape"](ys, [*ys.shape[: self._lead], -1])
        self._rows: dict[int, Any] = {}

    @property
    def shape(self) -> list[Any]:
        """[M, N], or [B, M, N]."""
        total: Any = 0
        for x in self._xs:
            size: Any = 1
            for d in x.shape[self._lead :]:
                size = size * d
            total = total + size
        return [*self._flat.shape, total]

    def _row(self, k: int) -> Any:
        if k not in self._rows:
            with enable_grad():
                picked = getitem(self._flat, (slice(None), k) if self._lead else k)
                found = grad(picked, self._xs, create_graph=True, retain_graph=True, allow_unused=True)
                parts = [
                    OPS["reshape"](filled_like(x, 0) if g is None else g, [*x.shape[: self._lead], -1])
                    for x, g in zip(self._xs, found, strict=True)
                ]
                self._rows[k] = parts[0] if len(parts) == 1 else OPS["concat"](parts, -1)
        return self._rows[k]

    def __getitem__(self, index: Any) -> Any:
        items = index if isinstance(index, tuple) else (index,)
        if any(item is Ellipsis or item is None or isinstance(item, (bool, list, Tensor)) for item in items):
            return getitem(self._evaluate_all(), index)
        if len(items) > len(self.shape):
            raise ArgumentError(f"{len(items)} indices for a matrix of shape {self.shape}")
        wanted = items[self._lead] if len(items) > self._lead else slice(None)
        count = int(self._flat.shape[-1])
        if not isinstance(wanted, slice):
            made = self._row(axis_index(wanted, count, "row"))
            return getitem(made, (*items[: self._lead], *items[self._lead + 1 :])) if len(items) > 1 else made
        rows = [self._row(k) for k in range(*wanted.indices(count))]
        if not rows:
            return OPS["full"]([*self.shape[: self._lead], 0, self.shape[-1]], 0, self._flat.dtype)
        rest = (*items[: self._lead], slice(None), *items[self._lead + 1 :])
        with enable_grad():
            return getitem(stack(rows, axis=self._lead), rest)

    def _evaluate_all(self) -> Any:
        return self[(slice(None),) * len(self.shape)]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._evaluate_all(), name)

    def __len__(self) -> int:
        return int(self.shape[0])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self._evaluate_all().__array__(dtype)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(shape={self.shape}, {len(self._rows)} rows computed)"


class Hessian(Jacobian):
    """The second derivatives of a scalar: the Jacobian of its gradient, [N, N] or [B, N, N]."""


def _delegate(name: str) -> Callable[..., Any]:
    def method(self: Jacobian, *others: Any) -> Any:
        given = [o._evaluate_all() if isinstance(o, Jacobian) else o for o in others]
        return getattr(self._evaluate_all(), name)(*given)

    return method


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "matmul", "rmatmul", "pow", "neg",
              "mod", "rmod", "floordiv", "rfloordiv",
              "eq", "ne", "lt", "le", "gt", "ge"):  # fmt: skip
    setattr(Jacobian, f"__{_name}__", _delegate(f"__{_name}__"))
setattr(Jacobian, "__hash__", object.__hash__)  # noqa: B010 - mypy takes a plain assignment for an error


def _listed(value: Any, what: str) -> list[Tensor]:
    found = list(value) if isinstance(value, (list, tuple)) else [value]
    for x in found:
        if not isinstance(x, Tensor):
            raise KindError(f"{what} must be tensors, not {type(x).__name__}")
    return found


def _checked_axis(batch_axis: int | None) -> int | None:
    if batch_axis not in (None, 0):
        raise ArgumentError(f"batch_axis must be None or 0, not {batch_axis}")
    return batch_axis


def jacobian(ys: Any, xs: Any, batch_axis: int | None = None) -> Any:
    """The lazy Jacobian of `ys` (flattened, M) by `xs` (flattened, N): a matrix [M, N]. Tuples give tuples.

    batch_axis=0: both begin with a batch axis whose entries don't mix; the result is [B, M, N].

    >>> x = Tensor([1.0, 2.0], stop_gradient=False)
    >>> jacobian(x * x, x)[:].tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    """
    _checked_axis(batch_axis)
    if isinstance(ys, (list, tuple)):
        return tuple(jacobian(y, xs, batch_axis) for y in ys)
    _listed(ys, "ys")
    if isinstance(xs, (list, tuple)):
        return tuple(Jacobian(ys, [x], batch_axis) for x in _listed(xs, "xs"))
    return Jacobian(ys, _listed(xs, "xs"), batch_axis)


def hessian(ys: Any, xs: Any, batch_axis: int | None = None) -> Any:
    """The lazy second derivatives of a scalar (with batch_axis=0: one per batch entry) by `xs`: [N, N] or [B, N, N].

    Tuples of xs give a tuple of tuples. Errors: ShapeError for a ys of more elements.
    """
    _checked_axis(batch_axis)
    lead = 0 if batch_axis is None else 1
    if any(isinstance(d, int) and d != 1 for d in ys.shape[lead:]):
        raise ShapeError(f"hessian needs one element (per batch entry), got shape {show_shape(ys.shape)}")
    inputs = _listed(xs, "xs")
    with enable_grad():
        firsts = grad(ys, inputs, create_graph=True, retain_graph=True, allow_unused=True)
        firsts = [filled_like(x, 0) if g is None else g for x, g in zip(inputs, firsts, strict=True)]
    table = tuple(tuple(Hessian(g, [x], batch_axis) for x in inputs) for g in firsts)
    return table if isinstance(xs, (list, tuple)) else table[0][0]


# Products with derivatives of functions


def _fresh(xs: Any) -> tuple[list[Tensor], bool]:
    found = []
    for x in _listed(xs, "xs"):
        alias = x.detach() if x.stop_gradient else assign(x)  # derivatives of what is found lead back to x
        alias.stop_gradient = False
        found.append(alias)
    return found, isinstance(xs, (list, tuple))


def _require_callable(func: Any) -> None:
    if not callable(func):
        raise KindError(f"func must be callable, not a {type(func).__name__}")


def _like(values: list[Any], many: bool) -> Any:
    return tuple(values) if many else values[0]


def _weights(v: Any, like: Sequence[Tensor], what: str) -> list[Any]:
    if v is None:
        return [filled_like(x, 1) for x in like]
    found = _listed(v, "v")
    if len(found) != len(like):
        raise GradientError(f"v has {len(found)} tensors for {len(like)} {what}")
    for w, x in zip(found, like, strict=True):
        if list(w.shape) != list(x.shape):
            raise GradientError(f"v has shape {show_shape(w.shape)}, the {what[:-1]} {show_shape(x.shape)}")
    return found


def vjp(func: Callable[..., Any], xs: Any, v: Any = None) -> tuple[Any, Any]:
    """func(*xs), and v (ones by default) times its Jacobian: one tensor per input, zeros where there is no path.

    Errors: KindError for what isn't a function or tensors; GradientError (RuntimeError) where v doesn't fit.

    >>> y, g = vjp(lambda x: x * x, Tensor([1.0, 3.0]))
    >>> g.tolist()
    [2.0, 6.0]
    """
    _require_callable(func)
    with enable_grad():
        inputs, many = _fresh(xs)
        made = func(*inputs)
        outputs = _listed(made, "the results of func")
        weights = _weights(v, outputs, "results")
        tracked = [(y, w) for y, w in zip(outputs, weights, strict=True) if not y.stop_gradient]
        found: list[Any] = [None] * len(inputs)
        if tracked:
            found = grad([y for y, _ in tracked], inputs, [w for _, w in tracked], create_graph=True, allow_unused=True)
    return made, _like([filled_like(x, 0) if g is None else g for x, g in zip(inputs, found, strict=True)], many)


def jvp(func: Callable[..., Any], xs: Any, v: Any = None) -> tuple[Any, Any]:
    """func(*xs), and its Jacobian times v (ones by default): one tensor per result, by differentiating twice.

    Errors: as of `vjp`.

    >>> y, d = jvp(lambda x: x * x, Tensor([1.0, 3.0]), Tensor([1.0, 0.5]))
    >>> d.tolist()
    [2.0, 3.0]
    """
    _require_callable(func)
    with enable_grad():
        inputs, _ = _fresh(xs)
        made = func(*inputs)
        outputs, many = _listed(made, "the results of func"), isinstance(made, (list, tuple))
        weights = _weights(v, inputs, "inputs")
        found: list[Any] = []
        for y in outputs:
            dummy = filled_like(y, 0)
            dummy.stop_gradient = False
            firsts: list[Any] = [None] * len(inputs)
            if not y.stop_gradient:
                firsts = grad(y, inputs, dummy, create_graph=True, retain_graph=True, allow_unused=True)
            pairs = [(g, w) for g, w in zip(firsts, weights, strict=True) if g is not None and not g.stop_gradient]
            (made_g,) = (
                grad([g for g, _ in pairs], dummy, [w for _, w in pairs], create_graph=True, allow_unused=True)
                if pairs
                else [None]
            )
            found.append(filled_like(y, 0) if made_g is None else made_g)
    return made, _like(found, many)


# Numeric checks


def gradcheck(
    func: Callable[..., Any], inputs: Any, eps: float = 1e-6, atol: float = 1e-5, rtol: float = 1e-3,
    raise_exception: bool = True,
) -> bool:  # fmt: skip
    """Whether the gradients of func at the inputs (float64, stop_gradient=False) are the numeric ones, |a - n| within
    atol + rtol |n|. Errors: GradientError, unless raise_exception=False, with the input's index and both Jacobians.

    >>> gradcheck(lambda x: x * x * x, [Tensor([1.0, 2.0], dtype="float64", stop_gradient=False)])
    True
    """
    given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    checked = [k for k, x in enumerate(given) if isinstance(x, Tensor) and not x.stop_gradient]
    if not checked:
        raise ArgumentError("gradcheck needs an input with stop_gradient=False")
    for k in checked:
        if given[k].dtype.name != "float64":
            warnings.warn(f"gradcheck: input {k} is {given[k].dtype.name}; differences need float64", stacklevel=2)
    with enable_grad():
        outputs = [y for y in _results(func, given) if y.dtype.is_floating]
    for j, y in enumerate(outputs):
        if y.stop_gradient:
            continue
        analytic = [np.asarray(part) for part in jacobian(y, [given[k] for k in checked])]
        for k, a in zip(checked, analytic, strict=True):
            numeric = _numeric(func, given, k, j, eps)
            if not np.allclose(a, numeric, rtol, atol):
                if not raise_exception:
                    return False
                raise GradientError(
                    f"result {j}, input {k}: the gradient isn't the numeric one\nnumeric:\n{numeric}\nanalytic:\n{a}"
                )
    return True


def _results(func: Callable[..., Any], given: list[Any]) -> list[Tensor]:
    return _listed(func(*given), "the results of func")


def _numeric(func: Callable[..., Any], given: list[Any], k: int, j: int, eps: float) -> Any:
    """The Jacobian of the j-th float result by the k-th input, by central differences: [M, N]."""
    base = given[k]._copied()

    def at(values: Any) -> Any:
        moved = list(given)
        moved[k] = OPS["assign"](Tensor(values, stop_gradient=False))
        floats = [y for y in _results(func, moved) if y.dtype.is_floating]
        return floats[j]._copied().astype(np.float64).reshape(-1)

    columns = []
    for place in range(base.size):
        ends = []
        for step in (eps, -eps):
            values = base.copy()
            values.reshape(-1)[place] += step
            ends.append(at(values))
        columns.append((ends[0] - ends[1]) / (2 * eps))
    return np.stack(columns, axis=1) if columns else np.zeros((at(base).size, 0))


def gradgradcheck(
    func: Callable[..., Any], inputs: Any, grad_outputs: Any = None, eps: float = 1e-6, atol: float = 1e-5,
    rtol: float = 1e-3, raise_exception: bool = True,
) -> bool:  # fmt: skip
    """`gradcheck` of the gradients of func, weighted by grad_outputs (fixed random numbers by default)."""
    given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    checked = [k for k, x in enumerate(given) if isinstance(x, Tensor) and not x.stop_gradient]
    floats = [y for y in _results(func, given) if y.dtype.is_floating]
    if grad_outputs is None:
        rng = np.random.default_rng(0)
        weights = [Tensor(rng.uniform(0.5, 1.5, y.shape), dtype=y.dtype, stop_gradient=False) for y in floats]
    else:
        weights = _listed(grad_outputs, "grad_outputs")

    def gradients(*args: Any) -> Any:
        xs, seeds = args[: len(given)], args[len(given) :]
        ys = [y for y in _results(func, list(xs)) if y.dtype.is_floating]
        found = grad(ys, [xs[k] for k in checked], list(seeds), create_graph=True, allow_unused=True)
        return tuple(g for g in found if g is not None)

    return gradcheck(gradients, [*given, *weights], eps, atol, rtol, raise_exception)
