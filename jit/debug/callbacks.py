"""`check_callbacks`: every PyLayer and py_func of a call, tried for what the compiler takes for granted of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.errors import CallbackError, VitrifyError
from ...base.location import Loc, caller_loc
from ...base.pytree import flatten, unflatten
from ...dygraph.eager import EagerInterpreter, from_array
from ...dygraph.grad import grad
from ...dygraph.modes import GradMode
from ...dygraph.pylayer import apply_eagerly
from ...dygraph.tensor import Tensor
from ...ops.dispatch import at_bottom
from ..switches import uncompiled
from .sandbox import undone
from .slopes import Slope
from .verify import as_static

Array = np.ndarray[Any, Any]
_STEPS = {"float64": (1e-6, 1e-4), "float32": (1e-2, 3e-2)}  # step and tolerance of differences


@dataclass(frozen=True)
class Finding:
    """What is wrong with one callback: which input (None: all), how, and the slope where a gradient is wrong.

    kind: "gradient", "determinism", "mutation", "dtype" or "failure".
    """

    name: str
    loc: Loc
    kind: str
    message: str
    operand: int | None = None
    slope: Slope | None = None

    @property
    def ratio(self) -> float | None:
        """What the backward gives, in parts of what is right; None where that isn't what is wrong."""
        return None if self.slope is None else self.slope.ratio

    def __str__(self) -> str:
        return f"{self.name}, {self.kind}: {self.message}\n{self.loc.excerpt()}".rstrip()


@dataclass(frozen=True)
class CallbackCheck:
    """What `check_callbacks` found; true if nothing is wrong. `checked`: names of the callbacks, in order."""

    name: str
    checked: list[str]
    findings: list[Finding]

    def __bool__(self) -> bool:
        return not self.findings

    def raise_for_findings(self) -> None:
        """Errors: CallbackError with everything that was found, if anything was."""
        if self.findings:
            raise CallbackError(
                "\n".join(map(str, self.findings)), loc=self.findings[0].loc,
                remedy="a callback gives the same for the same inputs, leaves them alone, and has the right gradient",
            )  # fmt: skip

    def __str__(self) -> str:
        head = f"{self.name}: {len(self.checked)} callbacks checked, {len(self.findings)} findings"
        return "\n".join([head, *map(str, self.findings)])

    __repr__ = __str__


def check_callbacks(fn: Any, *args: Any, **kwargs: Any) -> CallbackCheck:
    """Run a call eagerly and try each PyLayer and py_func in it, close to the values that it gets there.

    Tried: that it gives the same twice, leaves its inputs and incoming gradients alone, gives gradients of the inputs'
    dtype and shape, and the right ones: along a random direction of each input, by finite differences, in float64 where
    it takes that. What the calls write is undone.
    Errors: KindError for what isn't callable.

    >>> from vitrify.dygraph.conversions import to_tensor
    >>> check_callbacks(lambda x: x * 2, to_tensor([1.0]))
    <lambda>: 0 callbacks checked, 0 findings
    """
    static = as_static(fn)
    call = static._signature.call(args, kwargs)
    original = static._original()
    roots = [*args, *kwargs.values(), original, getattr(original, "__self__", None)]
    found = CallbackCheck(static._signature.shown, [], [])
    tensors = [x for x in call.leaves if isinstance(x, Tensor)]
    with undone(roots, tensors), uncompiled(), at_bottom(_Trying(found)):
        original(*call.args, **call.kwargs)
    return found


class _Trying(EagerInterpreter):
    """Eager mode that tries each kind of call of a PyLayer before it runs it."""

    def __init__(self, found: CallbackCheck) -> None:
        super().__init__()
        self.found = found
        self.seen: set[Any] = set()

    def py_layer(self, cls: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """What `PyLayer.apply` hands its call to."""
        leaves, tree = flatten((tuple(args), kwargs), _is_tensor)
        key = getattr(cls, "callback_name", cls), tuple((x._dtype, tuple(x.shape), x.stop_gradient) for x in leaves)
        if key not in self.seen:
            self.seen.add(key)
            name = getattr(cls, "callback_name", cls.__qualname__.rpartition("<locals>.")[2])
            self.found.checked.append(name)
            case = _Case(cls, name, caller_loc(2, chain=1), tree, leaves)
            with at_bottom(_PLAIN), undone([cls, *args, *kwargs.values()], leaves):
                self.found.findings.extend(case.findings())
        return apply_eagerly(cls, args, kwargs)


_PLAIN = EagerInterpreter()


@dataclass
class _Case:
    cls: Any
    name: str
    loc: Loc
    tree: Any
    leaves: Sequence[Tensor]

    def findings(self) -> Iterator[Finding]:
        """Everything that is wrong with this call."""
        try:
            point = self._point()
            results, changed = self._forward(point)
            again, _ = self._forward(point)
        except Exception as error:  # broad: the user's code may fail with anything close to where it works
            yield self._finding("failure", f"{type(error).__name__} close to the values of this call: {error}")
            return
        if changed is not None:
            yield self._finding("mutation", f"forward changes input {changed} in place", changed)
        if any(a.dtype != b.dtype or not np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")
               for a, b in zip(results, again, strict=True)):  # fmt: skip
            yield self._finding("determinism", "it gives something else for the same inputs")
            return
        wanted = [k for k, x in enumerate(self.leaves) if not x.stop_gradient and point[k].dtype.kind == "f"]
        if wanted:
            yield from self._gradients(point, results, wanted)

    def _gradients(self, point: list[Array], results: list[Array], wanted: list[int]) -> Iterator[Finding]:
        rng = np.random.default_rng(1)
        seeds = [np.asarray(rng.standard_normal(r.shape), r.dtype) if r.dtype.kind == "f" else None for r in results]
        try:
            gradients, changed = self._backward(point, wanted, seeds)
        except VitrifyError as error:
            yield self._finding("dtype" if isinstance(error, TypeError) else "failure", error.message)
            return
        except Exception as error:  # broad: the user's backward may fail with anything
            yield self._finding("failure", f"backward: {type(error).__name__}: {error}")
            return
        if changed is not None:
            yield self._finding("mutation", f"backward changes incoming gradient {changed} in place", changed)
        for k, gradient in zip(wanted, gradients, strict=True):
            if gradient is not None and gradient.dtype != point[k].dtype:
                yield self._finding(
                    "dtype", f"the gradient of input {k} is {gradient.dtype}, the input {point[k].dtype}", k
                )
                continue
            slope = self._slope(point, k, gradient, seeds, rng)
            if slope is not None:
                yield self._finding("gradient", str(slope).replace("operand", "input"), k, slope)

    def _slope(
        self, point: list[Array], k: int, gradient: Array | None, seeds: Sequence[Any], rng: np.random.Generator
    ) -> Slope | None:  # fmt: skip
        """How the gradient differs from finite differences; None where it doesn't, or where they say nothing."""
        step, tolerance = _STEPS[point[k].dtype.name]
        direction: Any = rng.standard_normal(point[k].shape)

        def total(distance: float) -> float:
            moved = list(point)
            moved[k] = (point[k] + distance * direction).astype(point[k].dtype)
            made, _ = self._forward(moved)
            pairs = zip(seeds, made, strict=True)
            return float(sum(np.sum(s.astype(np.float64) * r) for s, r in pairs if s is not None))

        here, ahead, behind = total(0.0), total(step), total(-step)
        right, left = (ahead - here) / step, (here - behind) / step
        by_rule = 0.0 if gradient is None else float(np.sum(gradient.astype(np.float64) * direction))
        size = max(abs(left), abs(right), abs(by_rule), 1e-3)
        if not np.isfinite([left, right, by_rule]).all() or abs(left - right) > 10 * tolerance * size:
            return None  # a kink, or too steep to say
        middle = (left + right) / 2
        return None if abs(middle - by_rule) <= tolerance * size else Slope(k, by_rule, middle)

    def _point(self) -> list[Array]:
        """Arrays close to those of the call, in float64 if the layer takes that."""
        rng = np.random.default_rng(0)
        near = []
        for x in self.leaves:
            array = np.array(x._storage.payload)
            if array.dtype.kind == "f":
                array = (array + 0.01 * (1.0 + np.abs(array)) * rng.uniform(-1, 1, array.shape)).astype(array.dtype)
            near.append(array)
        double = [a.astype(np.float64) if a.dtype == np.float32 else a for a in near]
        try:
            made, _ = self._forward(double)
        except Exception:  # broad: a layer for float32 alone may refuse float64 with anything
            return near
        return double if all(m.dtype != np.float32 for m in made) else near

    def _call(self, arrays: Sequence[Array], stops: Sequence[bool]) -> tuple[list[Tensor], list[Tensor]]:
        tensors = []
        for array, stop in zip(arrays, stops, strict=True):
            made = from_array(np.array(array))
            made.stop_gradient = stop
            tensors.append(made)
        args, kwargs = unflatten(self.tree, iter(tensors))
        return tensors, flatten(apply_eagerly(self.cls, args, kwargs), _is_tensor)[0]

    def _forward(self, arrays: Sequence[Array]) -> tuple[list[Array], int | None]:
        """The results, and the first input that is another one afterwards."""
        with GradMode(False):
            given, made = self._call(arrays, [True] * len(arrays))
        results = [np.array(m._storage.payload) for m in made]
        return results, _first_changed(arrays, given)

    def _backward(
        self, arrays: Sequence[Array], wanted: Sequence[int], seeds: Sequence[Any]
    ) -> tuple[list[Array | None], int | None]:  # fmt: skip
        """Gradients of the wanted inputs, and the first incoming gradient that is another one afterwards."""
        with GradMode(True):
            given, made = self._call(arrays, [x.stop_gradient for x in self.leaves])
            pairs = [(y, s) for y, s in zip(made, seeds, strict=True) if s is not None and not y.stop_gradient]
            if not pairs:
                return [None] * len(wanted), None
            sent = [from_array(np.array(s)) for _, s in pairs]
            found = grad([y for y, _ in pairs], [given[k] for k in wanted], sent, allow_unused=True)
        return [None if g is None else np.array(g._storage.payload) for g in found], _first_changed(
            [s for _, s in pairs], sent
        )

    def _finding(self, kind: str, message: str, operand: int | None = None, slope: Slope | None = None) -> Finding:
        return Finding(self.name, self.loc, kind, message, operand, slope)


def _first_changed(before: Sequence[Array], after: Sequence[Tensor]) -> int | None:
    for k, (array, x) in enumerate(zip(before, after, strict=True)):
        if not np.array_equal(array, x._storage.payload, equal_nan=array.dtype.kind in "fc"):
            return k
    return None


def _is_tensor(x: object) -> bool:
    return isinstance(x, Tensor)
