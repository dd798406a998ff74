"""PyLayer: a user's forward and backward as one step of the tape.

`apply` asks the active interpreter first: under a trace the layer becomes one opaque callback of the program, which
calls `run_forward` and `run_backward` below at run time.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..base.errors import ArgumentError, GradientError, ShapeError
from ..base.pytree import Tree, flatten, unflatten
from ..ops.dims import same_shape
from ..ops.dispatch import current
from ..ops.families import broadcasts_to, sum_to
from ..ops.infer import show_shape
from ..ops.op import OPS
from .backward import filled_like
from .modes import GradMode, is_recording
from .places import Place, user_place
from .saved import Packed
from .saved import hooks as saving
from .storage import Storage
from .tape import FunctionNode, check_version, edge_of, place_of, record_function
from .tensor import Tensor


def is_tensor(x: object) -> bool:
    """Whether `x` is a Tensor."""
    return isinstance(x, Tensor)


class PyLayerContext:
    """What `forward` hands to its own `backward`: saved tensors, options, and any attributes the user sets."""

    _node: FunctionNode | None = None
    _saved: list[tuple[Tensor | Packed, Storage, int, int | None]] | None = None
    _saved_tree: Tree | None = None
    _place: Place | None = None

    def __init__(self) -> None:
        self.needs_input_grad: tuple[bool, ...] = ()
        self._inplace_free: list[Tensor] = []
        self._constant_outputs: list[Tensor] = []
        self._materialize = True
        self._same_dtype = True

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors (or nested structures of them) for backward; once, in forward."""
        if self._saved_tree is not None:
            raise GradientError("save_for_backward was called twice", remedy="save all tensors in one call")
        leaves, self._saved_tree = flatten(tensors, is_tensor)
        self._saved = [(Packed(x, place_of(x)) if saving else x, x._storage, x._storage.version, None) for x in leaves]

    def saved_tensor(self) -> Any:
        """What `save_for_backward` kept, as a tuple; None if nothing was saved."""
        if self._saved_tree is None:
            return None
        if self._saved is None:
            raise GradientError(
                "the saved tensors were freed by the first backward", remedy="give it retain_graph=True"
            )
        found = []
        for x, storage, version, slot in self._saved:
            if isinstance(x, Packed):
                found.append(x.restore())
                continue
            check_version(storage, version, "tensor saved by a PyLayer", self._place)
            if slot is not None and self._node is not None:
                x = x.detach()
                x.stop_gradient, x._node, x._slot = False, self._node, slot
            found.append(x)
        return unflatten(self._saved_tree, iter(found))

    @property
    def saved_tensors(self) -> Any:
        """`saved_tensor()` under torch's name."""
        return self.saved_tensor()

    def mark_not_inplace(self, *tensors: Tensor) -> None:
        """These inputs are returned as outputs without having been changed: the outputs are tensors of their own."""
        self._inplace_free += tensors

    def mark_non_differentiable(self, *outputs: Tensor) -> None:
        """These outputs have no gradient; in backward theirs arrives as zeros."""
        self._constant_outputs += outputs

    def set_materialize_grads(self, value: bool = True) -> None:
        """Whether gradients that didn't arrive come as zeros (True, the default) or as None."""
        self._materialize = bool(value)

    def set_grad_in_dtype_consistent(self, flag: bool = True) -> None:
        """Whether incoming gradients are cast to the dtype of their output."""
        self._same_dtype = bool(flag)


@dataclass(frozen=True, slots=True)
class Inputs:
    """The Tensors among the arguments of one call, and which gradient entries of backward belong to them.

    slots: one entry per argument (lists flattened): the number of the tensor there, or None for anything else.
    """

    tensors: tuple[Tensor, ...]
    slots: tuple[int | None, ...]

    @property
    def needs(self) -> tuple[bool, ...]:
        """For each slot, whether its gradient is wanted."""
        return tuple(k is not None and not self.tensors[k].stop_gradient for k in self.slots)


def collect_inputs(args: Sequence[Any], kwargs: dict[str, Any]) -> Inputs:
    """Find the tensors among the arguments, in order, inside lists and dicts too."""
    tensors: list[Tensor] = []
    slots: list[int | None] = []
    for arg in (*args, *kwargs.values()):
        leaves, _ = flatten(arg, is_tensor)
        slots += range(len(tensors), len(tensors) + len(leaves)) if leaves else [None]
        tensors += leaves
    return Inputs(tuple(tensors), tuple(slots))


@dataclass(frozen=True, slots=True)
class Outputs:
    """The Tensors in what forward returned, and the structure around them."""

    tensors: tuple[Tensor, ...]
    tree: Tree

    def rebuild(self, tensors: Sequence[Any]) -> Any:
        """The structure with other tensors put in."""
        return unflatten(self.tree, iter(tensors))


def run_forward(cls: type[PyLayer], ctx: PyLayerContext, args: Sequence[Any], kwargs: dict[str, Any]) -> Outputs:
    """Call the user's forward with gradients off; ValueError if it gives no tensor."""
    ctx.needs_input_grad = collect_inputs(args, kwargs).needs
    with GradMode(False):
        made = cls.forward(ctx, *args, **kwargs)
    if not isinstance(made, (Tensor, tuple, list, dict)):
        raise ArgumentError(
            f"{cls.__name__}.forward must return a Tensor or a tuple of them, not {type(made).__name__}",
            remedy="return vt.to_tensor(...) for arrays and numbers",
        )
    tensors, tree = flatten(made, is_tensor)
    if not tensors:
        raise ArgumentError(f"{cls.__name__}.forward returned no Tensor", remedy="return at least one Tensor")
    return Outputs(tuple(tensors), tree)


def run_backward(
    cls: type[PyLayer],
    ctx: PyLayerContext,
    grads: Sequence[Any],
    inputs: Sequence[Any],
    slots: Sequence[int | None],
    needs: Sequence[bool],
) -> list[Any]:
    """Call the user's backward and check what it returns: one gradient or None per tensor input.

    grads: one per output, none missing unless the context allows None. inputs: tensors or specs (shape and dtype).
    """
    made = cls.backward(ctx, *grads)
    found = list(made) if isinstance(made, (tuple, list)) else [made]
    by_input = _sort(cls, found, len(inputs), slots, needs)
    for k, (g, x) in enumerate(zip(by_input, inputs, strict=True)):
        by_input[k] = _checked(cls, k, g, x)
    return by_input


def _sort(
    cls: type[PyLayer], found: list[Any], count: int, slots: Sequence[int | None], needs: Sequence[bool]
) -> list[Any]:
    """Entries in either convention (one per tensor, or one per argument) as one per tensor."""
    flat = [x for item in found for x in (item if isinstance(item, (list, tuple)) else [item])]
    for entries in (found, flat):
        if len(entries) == count:
            return list(entries)
        if len(entries) == len(slots):
            _refuse_gradients_of_constants(cls, entries, slots)
            return [entries[slots.index(k)] for k in range(count)]
    if len(flat) > count:
        raise ArgumentError(
            f"{cls.__name__}.backward returned {len(flat)} gradients: expected {count}, received {len(flat)}",
            remedy="return one gradient (or None) per tensor input of forward",
        )
    missing = [k for k in range(len(flat), count) if needs[k]]
    if missing:
        raise ArgumentError(
            f"{cls.__name__}.backward returned {len(flat)} gradients for {count} tensor inputs; "
            f"input {missing[0]} needs one",
            remedy="return one gradient (or None) per tensor input of forward",
        )
    return flat + [None] * (count - len(flat))


def _refuse_gradients_of_constants(cls: type[PyLayer], entries: Sequence[Any], slots: Sequence[int | None]) -> None:
    for j, (g, slot) in enumerate(zip(entries, slots, strict=True)):
        if slot is None and g is not None:
            raise ArgumentError(
                f"{cls.__name__}.backward returned a gradient for argument {j}, which is no tensor",
                remedy="return None in its place",
            )


def _checked(cls: type[PyLayer], k: int, g: Any, x: Any) -> Any:
    if g is None:
        return None
    if not isinstance(g, Tensor):
        raise ArgumentError(
            f"{cls.__name__}.backward returned {type(g).__name__} for input {k}; it must return Tensors or None",
            remedy="return vt.to_tensor(...) for arrays and numbers",
        )
    if not same_shape(g.shape, x.shape):
        if not broadcasts_to(x.shape, g.shape):
            raise ShapeError(
                f"{cls.__name__}.backward returned a gradient of shape {show_shape(g.shape)} for input {k} "
                f"of shape {show_shape(x.shape)}",
                remedy="return the shape of the input, or one that it broadcasts to, which is summed",
            )
        g = sum_to(g, x.shape)
    return g if g.dtype is x.dtype else OPS["cast"](g, x.dtype)


def arrived(ctx: PyLayerContext, grads: Sequence[Any], specs: Sequence[Any], constant: Sequence[bool]) -> list[Any]:
    """The incoming gradients as backward gets them: zeros or None for what is missing, cast to the output's dtype."""
    out: list[Any] = []
    for g, spec, is_constant in zip(grads, specs, constant, strict=True):
        if is_constant or (g is None and ctx._materialize):
            g = filled_like(spec, 0)
        elif g is not None and ctx._same_dtype and g.dtype is not spec.dtype:
            g = OPS["cast"](g, spec.dtype)
        out.append(g)
    return out


class PyLayer:
    """Subclass it with static methods `forward(ctx, ...)` and `backward(ctx, *grads)`; call `apply`.

    >>> class Twice(PyLayer):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x + x
    ...     @staticmethod
    ...     def backward(ctx, g):
    ...         return g + g
    >>> x = Tensor([1.0], stop_gradient=False)
    >>> Twice.apply(x).backward(); x.grad.tolist()
    [2.0]
    """

    @staticmethod
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        """Compute the result; gradients are off."""
        raise NotImplementedError("a PyLayer needs a static method forward(ctx, ...)")

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Turn the gradients of the results into those of the tensor arguments.

        A gradient of a shape that the argument was broadcast to is summed to the argument's shape.
        """
        raise NotImplementedError("a PyLayer needs a static method backward(ctx, *grads)")

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run forward as one step of the tape (under a trace: as one callback of the program)."""
        traced = current().py_layer(cls, args, kwargs)
        return apply_eagerly(cls, args, kwargs) if traced is NotImplemented else traced


def apply_eagerly(cls: type[PyLayer], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Run forward now and, if an input needs a gradient, record backward."""
    ctx = PyLayerContext()
    ctx._place = user_place()
    inputs = collect_inputs(args, kwargs)
    edges = [edge_of(x) for x in inputs.tensors]
    tracked = is_recording() and any(e is not None for e in edges)
    outputs = run_forward(cls, ctx, args, kwargs)
    results = [_own(cls, ctx, y, inputs.tensors, tracked) for y in outputs.tensors]
    if tracked:
        _record(cls, ctx, inputs, outputs, results, edges)
    return outputs.rebuild(results)


def _own(cls: type[PyLayer], ctx: PyLayerContext, y: Tensor, inputs: Sequence[Tensor], tracked: bool) -> Tensor:
    """The tensor to hand out for an output: itself when fresh, an alias when it already has a life elsewhere."""
    if any(y is x for x in ctx._inplace_free):
        return _cut(y.snapshot())
    if any(y is x for x in inputs):
        if tracked and not y.stop_gradient and y._node is None:
            raise ArgumentError(
                f"{cls.__name__}.forward returned the leaf {y.name} unchanged, which counts as an in-place write",
                remedy="call ctx.mark_not_inplace(x), or return x.clone()",
            )
        return y
    return _cut(y.snapshot()) if y._node is not None or not y.stop_gradient else y


def _cut(x: Tensor) -> Tensor:
    x._node, x.stop_gradient = None, True
    return x


def _record(
    cls: type[PyLayer],
    ctx: PyLayerContext,
    inputs: Inputs,
    outputs: Outputs,
    results: list[Tensor],
    edges: list[Any],
) -> None:
    constant = tuple(
        any(y is c for c in ctx._constant_outputs) or not y.dtype.is_differentiable for y in outputs.tensors
    )
    specs = tuple((x.dtype, x.shape) for x in inputs.tensors)
    needs = tuple(e is not None for e in edges)
    slots = inputs.slots

    def backward(grads: tuple[Any, ...]) -> Sequence[Any]:
        node = reference()
        assert node is not None
        ready = arrived(ctx, grads, node.specs, constant)
        ctx._node = node
        try:
            shapes = [_Spec(dtype, shape) for dtype, shape in specs]
            return run_backward(cls, ctx, ready, shapes, slots, needs)
        finally:
            ctx._node = None

    def release() -> None:
        ctx._saved = None

    node = record_function(cls.__name__, inputs.tensors, results, backward, on_release=release, edges=edges)
    reference = weakref.ref(node)  # a strong one would keep the graph alive until the collector runs
    for y, is_constant in zip(results, constant, strict=True):
        if is_constant:
            _cut(y)
    if ctx._saved is not None:
        ctx._saved = [_light(entry, outputs.tensors, constant) for entry in ctx._saved]


@dataclass(frozen=True, slots=True)
class _Spec:
    dtype: Any
    shape: Any


def _light(
    entry: tuple[Tensor | Packed, Storage, int, int | None], outputs: Sequence[Tensor], constant: Sequence[bool]
) -> tuple[Tensor | Packed, Storage, int, int | None]:
    """A saved output is kept without its node, else the node would keep itself alive."""
    x, storage, version, _ = entry
    for slot, y in enumerate(outputs):
        if x is y:
            return y.detach(), storage, version, None if constant[slot] else slot
    return entry


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a PyLayer's backward whose result can't be differentiated again: it runs without recording."""

    @functools.wraps(backward)
    def wrapper(ctx: Any, *grads: Any) -> Any:
        with GradMode(False):
            return backward(ctx, *grads)

    return wrapper
