"""py_func: a Python function over arrays as an operation, with a gradient of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, CallbackError, CaptureError, KindError, ModeError, ShapeError
from ..base.location import caller_loc
from ..dygraph.eager import from_array
from ..dygraph.tensor import Tensor
from ..ir.core import Value
from ..jit.trace.tracer import active
from ..ops.dims import Dim
from ..ops.dispatch import bottom, current, using
from ..ops.families import broadcasts_to
from ..ops.types import TensorType
from .append import give
from .recorder import Recorder


def py_func(
    func: Callable[..., Any], x: Any, out: Any, backward_func: Callable[..., Any] | None = None,
    skip_vars_in_backward_input: Any = None, **unknown: Any,
) -> Any:  # fmt: skip
    """`func(*x)` in Python whenever the program gets there; its results are the values of `out`.

    x: variables, or None. out: variables made by `block.create_var(name, dtype, shape)`, or None for a function that is
    called for what it does. backward_func(*x, *out, *gradients of out) returns a gradient, or None, for each x;
    without it no gradient flows. skip_vars_in_backward_input: members of x and out that it doesn't get.
    Errors: KindError, ArgumentError for other kinds; CallbackError for results that don't fit.
    """
    if unknown:
        name = next(iter(unknown))
        raise KindError(
            f"py_func has no argument {name}",
            remedy="did you mean skip_vars_in_backward_input?" if name.startswith("skip") else "see its signature",
        )
    if not callable(func):
        raise KindError(f"py_func: func must be callable, not a {type(func).__name__}")
    if backward_func is not None and not callable(backward_func):
        raise KindError(f"py_func: backward_func must be callable, not a {type(backward_func).__name__}")
    inputs, outputs = _listed(x, "x"), _listed(out, "out")
    skipped = _skipped(skip_vars_in_backward_input, inputs, outputs)
    call = _Call(func, backward_func, inputs, outputs, skipped)
    if active() is None:
        return call.eagerly(out)
    if not isinstance(current(), Recorder):
        raise CaptureError(
            "py_func in a compiled function",
            remedy="write the function as a PyLayer, whose forward and backward run in Python",
            loc=caller_loc(),
        )
    for y in outputs:
        if not getattr(y, "declared", True) or (not list(y.shape) and not isinstance(y._storage.payload, Value)):
            raise ArgumentError(
                f"py_func: the shape of out {y.name} isn't known", remedy="create_var(name=, dtype=, shape=[...])"
            )
    call.record(current())  # type: ignore[arg-type]
    return out


def _listed(value: Any, what: str) -> list[Any]:
    if value is None:
        return []
    items = list(value) if isinstance(value, (list, tuple)) else [value]
    for item in items:
        if not isinstance(item, Tensor):
            raise KindError(f"py_func: {what} must be variables or None, not a {type(item).__name__}")
    return items


def _skipped(given: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> set[int]:
    items = [] if given is None else list(given) if isinstance(given, (list, tuple, set)) else [given]
    found = set()
    both = [*inputs, *outputs]
    for item in items:
        places = [k for k, v in enumerate(both) if v is item or (isinstance(item, str) and v.name == item)]
        if not places:
            name = item if isinstance(item, str) else getattr(item, "name", item)
            raise ArgumentError(f"py_func: {name} in skip_vars_in_backward_input is neither in x nor in out")
        found.update(places)
    return found


class _Call:
    def __init__(
        self, func: Callable[..., Any], backward: Callable[..., Any] | None, inputs: list[Any], outputs: list[Any],
        skipped: set[int],
    ) -> None:  # fmt: skip
        self.func, self.backward_func, self.inputs, self.outputs, self.skipped = (
            func,
            backward,
            inputs,
            outputs,
            skipped,
        )
        self.name = getattr(func, "__name__", type(func).__name__)

    # ---- with arrays

    def forward(self, *arrays: Any) -> list[Any]:
        made = self._in_python(self.func, [from_array(np.array(a)) for a in arrays])
        results = [] if made is None else list(made) if isinstance(made, (list, tuple)) else [made]
        results = [r for r in results if r is not None]
        if len(results) != len(self.outputs):
            raise CallbackError(f"{self.name} returned {len(results)} values for {len(self.outputs)} variables in out")
        return [
            np.ascontiguousarray(_array(r)).reshape(np.shape(_array(r))).astype(y.dtype.numpy, copy=False)
            for r, y in zip(results, self.outputs, strict=True)
        ]

    def backward(self, *arrays: Any) -> list[Any]:
        """x, out and the gradients of out (floats only) -> gradients of the float inputs."""
        count = len(self.inputs) + len(self.outputs)
        values, grads = arrays[:count], iter(arrays[count:])
        passed = [from_array(np.array(a)) for k, a in enumerate(values) if k not in self.skipped]
        outer = [from_array(np.array(next(grads))) if y.dtype.is_differentiable else None for y in self.outputs]
        assert self.backward_func is not None
        made = self._in_python(self.backward_func, [*passed, *outer])
        results = list(made) if isinstance(made, (list, tuple)) else [made]
        if len(results) != len(self.inputs):
            raise CallbackError(
                f"the backward_func of {self.name} returned {len(results)} gradients for {len(self.inputs)} inputs"
            )
        return [
            np.zeros(a.shape, x.dtype.numpy) if r is None else self._summed(np.asarray(_array(r), x.dtype.numpy), k, a)
            for k, (r, x, a) in enumerate(zip(results, self.inputs, values, strict=False))
            if x.dtype.is_differentiable
        ]

    def _summed(self, gradient: Any, number: int, value: Any) -> Any:
        """A gradient of a shape that the input was broadcast to, in the input's shape."""
        if gradient.size == value.size:
            return gradient.reshape(value.shape)
        if not broadcasts_to(value.shape, gradient.shape):
            raise ShapeError(
                f"the backward_func of {self.name} returned a gradient of shape {list(gradient.shape)} for input "
                f"{number} of shape {list(value.shape)}",
                remedy="return the shape of the input, or one that it broadcasts to, which is summed",
            )
        lead = gradient.ndim - value.ndim
        axes = [k for k in range(gradient.ndim) if k < lead or value.shape[k - lead] != gradient.shape[k]]
        return gradient.sum(tuple(axes)).reshape(value.shape)

    def _in_python(self, fn: Callable[..., Any], values: Sequence[Any]) -> Any:
        """Call a user's function in eager mode; it runs with the program, so it can't add to a program."""
        try:
            with using(bottom()):
                return fn(*values)
        except (CaptureError, ModeError) as error:
            raise CallbackError(
                f"py_func: {getattr(fn, '__name__', 'the function')} uses variables of a program while that runs: "
                f"{error.message}",
                remedy="compute with its arguments, by NumPy or eager operations; build layers outside of it",
            ) from error

    forward.borrows = backward.borrows = True  # type: ignore[attr-defined]  # for runtime/executable.py

    # ---- as an operation

    def record(self, recorder: Recorder) -> None:
        values = [recorder.value_of(x) for x in self.inputs]
        kinds = [TensorType(y.dtype, _sizes(y, self.inputs)) for y in self.outputs]
        key = recorder.callback_name(self.name)
        recorder.callbacks[key] = self.forward
        attrs: dict[str, Any] = {}
        if self.backward_func is not None and self.outputs:
            recorder.callbacks[f"{key}.backward"] = self.backward
            attrs = {"gradient": f"{key}.backward", "form": "array"}
        results = recorder.builder.callback(key, values, kinds, **attrs)
        stop = self.backward_func is None or all(x.stop_gradient for x in self.inputs)
        for y, value in zip(self.outputs, results, strict=True):
            give(y, recorder.variable(value, stop))

    def eagerly(self, out: Any) -> Any:
        from ..dygraph.pylayer import PyLayer

        call = self

        class Function(PyLayer):
            """One call of a py_func."""

            callback_name = call.name

            @staticmethod
            def forward(ctx: Any, *xs: Any) -> Any:
                made = call.func(*xs)
                results = [] if made is None else list(made) if isinstance(made, (list, tuple)) else [made]
                tensors = tuple(r if isinstance(r, Tensor) else from_array(np.array(r)) for r in results)
                ctx.values = [*xs, *(t.detach() for t in tensors)]
                if call.backward_func is None:
                    ctx.mark_non_differentiable(*tensors)
                return tensors if len(tensors) != 1 else tensors[0]

            @staticmethod
            def backward(ctx: Any, *grads: Any) -> Any:
                assert call.backward_func is not None
                passed = [v for k, v in enumerate(ctx.values) if k not in call.skipped]
                made = call.backward_func(*passed, *grads)
                results = list(made) if isinstance(made, (list, tuple)) else [made]
                return tuple(
                    r if r is None or isinstance(r, Tensor) else from_array(np.array(_array(r))) for r in results
                )

        if not self.inputs or out is None:
            made = self.func(*self.inputs)
            return made if out is not None else None
        return Function.apply(*self.inputs)


def _array(value: Any) -> Any:
    return np.asarray(value._copied() if isinstance(value, Tensor) else value)


def _sizes(y: Any, inputs: Sequence[Any]) -> tuple[Any, ...]:
    """The declared sizes; -1 stands for the symbolic size of the inputs at that place."""
    sizes = []
    for k, d in enumerate(y._storage.payload.shape):
        if (isinstance(d, (int, np.integer)) and d >= 0) or isinstance(d, Dim):
            sizes.append(d)
            continue
        known = [x._storage.payload.shape[k] for x in inputs if len(x._storage.payload.shape) > k]
        symbolic = [s for s in known if isinstance(s, Dim)]
        if not known:
            raise ArgumentError(f"py_func: size {k} of out {y.name} is -1 and no input tells it")
        sizes.append((symbolic or known)[0])
    return tuple(sizes)
