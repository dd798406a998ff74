"""The walk backward over the tape: `Tensor.backward`, `autograd.backward` and `grad`.

Nodes are visited from the youngest to the oldest, which is a topological order, because a node only leads to nodes
made before it. The walk is a loop, not a recursion: chains may be as long as memory allows.
"""

from __future__ import annotations

import warnings
from collections.abc import Container, Iterable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, GradientError, NonFiniteError, ShapeError
from ..base.layer_scope import backward_of
from ..ops.dims import same_shape
from ..ops.dispatch import current
from ..ops.infer import show_shape
from ..ops.op import OPS
from . import storage
from .hooks import is_library_hook
from .modes import GradMode
from .places import loc_of, user_place
from .tape import Edge, Node, edge_of

_order = attrgetter("order")
Target = Any  # a Node or a leaf Tensor


def filled_like(spec: Any, value: float) -> Any:
    """A tensor with the shape and dtype of `spec` (a tensor or placeholder), all elements `value`."""
    shape = tuple(spec.shape)
    if all(isinstance(d, int) for d in shape):
        return current().constant(np.full(shape, value, spec.dtype.numpy), spec.dtype)
    return OPS["full"](shape, value, spec.dtype)


def backward_from(
    tensors: Sequence[Any], grads: Sequence[Any], *, retain_graph: bool = False, create_graph: bool = False
) -> None:
    """Add the gradients of `tensors` (weighted by `grads`, None for ones) to `.grad` of the leaves they depend on."""
    walk = _Walk(tensors, grads, retain_graph or create_graph, create_graph)
    walk.run(captures=None)


def gradients_of(
    outputs: Sequence[Any],
    inputs: Sequence[Any],
    grads: Sequence[Any],
    *,
    retain_graph: bool,
    create_graph: bool,
    blocked: Iterable[Any] = (),
) -> list[Any]:
    """The gradients of the sum of `outputs` for each of `inputs`, None where there is no path. Writes no `.grad`."""
    edges = [edge_of(x) for x in inputs]
    captures: dict[tuple[int, int], Any] = {_key(e): None for e in edges if e is not None}
    walk = _Walk(
        outputs, grads, retain_graph, create_graph, {_key(e) for b in blocked if (e := edge_of(b)) is not None}
    )
    walk.wanted = {id(e[0]) for e in edges if e is not None}
    walk.run(captures)
    found = [None if e is None else captures[_key(e)] for e in edges]
    return [None if g is None else current().decided_gradient(x, g) for x, g in zip(inputs, found, strict=True)]


def _key(edge: tuple[Any, int]) -> tuple[int, int]:
    return id(edge[0]), edge[1]


class _Walk:
    """One pass backward: buffers of gradients that have arrived, keyed by the identity of node or leaf."""

    def __init__(
        self,
        roots: Sequence[Any],
        seeds: Sequence[Any],
        retain_graph: bool,
        create_graph: bool,
        blocked: set[tuple[int, int]] | None = None,
    ) -> None:
        interpreter = current()
        self.retain_graph = retain_graph
        self.partial = interpreter.partial
        self.tell = interpreter.gradient_arrives if interpreter.is_trace else None
        self.create_graph = create_graph
        self.blocked = blocked or set()
        self.wanted: set[int] | None = None
        self.nodes: list[Node] = []
        self.leaves: dict[int, Any] = {}
        self.buffers: dict[int, list[Any]] = {}
        self.walked: list[tuple[Node, list[Any], Any]] = []  # in a trace: steps, gradients, whether these arrive
        self.starts: list[tuple[tuple[Any, int], Any]] = []
        for root, seed in zip(roots, seeds, strict=True):
            edge = edge_of(root)
            if edge is None:
                _without_path(root)
                continue
            self.starts.append((edge, _seed(root, seed)))

    def run(self, captures: dict[tuple[int, int], Any] | None) -> None:
        with GradMode(self.create_graph):
            self._discover()
            useful = self._useful()
            for edge, seed in self.starts:
                self._arrive(edge, seed)
            self.starts.clear()
            for node in self.nodes:
                grads = self.buffers.pop(id(node), None)
                if grads is not None:
                    self._visit(node, grads, captures, useful)
            if self.walked:
                current().walked(self.walked, not self.retain_graph)
            self._finish(captures)

    def _discover(self) -> None:
        stack = [edge[0] for edge, _ in self.starts]
        seen: set[int] = set()
        while stack:
            target = stack.pop()
            key = id(target)
            if key in seen:
                continue
            seen.add(key)
            if not isinstance(target, Node):
                self.leaves[key] = target
                continue
            self.nodes.append(target)
            stack += [edge[0] for edge in target.edges if edge is not None]
        self.nodes.sort(key=_order, reverse=True)

    def _useful(self) -> set[int] | None:
        """The targets from which a wanted input can be reached; None when all are."""
        if self.wanted is None:
            return None
        useful = set(self.wanted)
        for node in reversed(self.nodes):
            if any(e is not None and id(e[0]) in useful and _key(e) not in self.blocked for e in node.edges):
                useful.add(id(node))
        return useful

    def _arrive(self, edge: tuple[Any, int], grad: Any) -> None:
        target, slot = edge
        key = id(target)
        buffer = self.buffers.get(key)
        if buffer is None:
            buffer = self.buffers[key] = [None] * (1 if key in self.leaves else len(target.specs))
        before = buffer[slot]
        if before is not None:
            grad = before + grad if self.partial is None else self.partial.add(before, grad)
        buffer[slot] = grad

    def _visit(
        self, node: Node, grads: list[Any], captures: dict[tuple[int, int], Any] | None, useful: set[int] | None
    ) -> None:
        if self.tell is not None:
            self.tell(node, captures is None)
        if node.hooks or node.retained or captures is not None:
            _require_outer(node, grads, captures)
        if node.hooks is not None or node.retained is not None:
            grads = [None if g is None else self._hooked(node, slot, g, captures) for slot, g in enumerate(grads)]
            if all(g is None for g in grads):
                return
        if captures is not None:
            for slot, grad in enumerate(grads):
                if (id(node), slot) in captures:
                    captures[id(node), slot] = grad
            if not any(e is not None and id(e[0]) in (useful or ()) for e in node.edges):
                return
        if node.released and self.partial is None:
            raise freed(node)
        try:
            results = backward_of(node)(tuple(grads))
        except NonFiniteError as error:
            error.add_note(f"in the gradient of {node.name}\n{loc_of(node.place).excerpt()}")
            raise
        if self.partial is not None:
            self.walked.append((node, grads, self.partial.pass_on(grads, results)))
        elif not self.retain_graph:
            node.release()
        everywhere = useful is None and not self.blocked
        arrive = backward_of(node, self._arrive)
        for edge, result in zip(node.edges, results, strict=True):
            if edge is not None and result is not None and (everywhere or self._passes(edge, useful)):
                arrive(edge, result)

    def _hooked(self, node: Node, slot: int, grad: Any, captures: dict[tuple[int, int], Any] | None) -> Any:
        """The gradient after the hooks. A retained `.grad` is what the hooks before `retain_grads()` made of it."""
        table = (node.hooks or {}).get(slot, {})
        reference, first_later = (node.retained or {}).get(slot, (None, 0))
        tensor = None if reference is None or captures is not None else reference()
        if table and self.partial is not None:
            grad = current().decided_gradient(node, grad)
        if tensor is None or grad is None:
            return grad if grad is None else run_hooks(table, grad)
        grad = run_hooks({key: hook for key, hook in table.items() if key < first_later}, grad)
        accumulate(tensor, grad, self.create_graph)
        return run_hooks({key: hook for key, hook in table.items() if key >= first_later}, grad)

    def _passes(self, edge: Edge, useful: set[int] | None) -> bool:
        assert edge is not None
        return (useful is None or id(edge[0]) in useful) and (not self.blocked or _key(edge) not in self.blocked)

    def _in_order(self) -> Iterable[tuple[int, Any]]:
        """The leaves; those with hooks last, from the one whose hook was registered last to the first.

        The graph of a call that is run again may have other nodes, so the way through it gives no order that all ranks
        share: hooks that exchange gradients need one. Layers used last, whose gradients are there first, come first.
        """
        hooked = [key for key, leaf in self.leaves.items() if leaf._hooks]
        if len(hooked) > 1:
            for key in sorted(hooked, key=lambda key: min(self.leaves[key]._hooks), reverse=True):
                self.leaves[key] = self.leaves.pop(key)
        return self.leaves.items()

    def _finish(self, captures: dict[tuple[int, int], Any] | None) -> None:
        for key, leaf in self._in_order():
            buffer = self.buffers.pop(key, None)
            if buffer is None:
                continue
            grad = buffer[0]
            if self.tell is not None:
                self.tell(leaf, captures is None)
            if leaf._hooks:
                grad = current().decided_gradient(leaf, grad)
                if grad is None:
                    continue
                grad = run_hooks(leaf._hooks, grad)
            if captures is None:
                accumulate(leaf, grad, self.create_graph)
            elif (key, 0) in captures:
                captures[key, 0] = grad


def _without_path(root: Any) -> None:
    text = f"{root.name} needs no gradient: it comes from tensors with stop_gradient=True or from no_grad()"
    place = loc_of(user_place())
    warnings.warn_explicit(f"backward() has no effect: {text}", UserWarning, place.file, place.line)


def _seed(root: Any, seed: Any) -> Any:
    if seed is None:
        return filled_like(root, 1)
    if seed.shape != root.shape and not same_shape(seed.shape, root.shape):
        if all(d == 1 for d in (*seed.shape, *root.shape)):  # one number, whatever its axes
            return _seed(root, OPS["reshape"](seed, tuple(root.shape)))
        raise ShapeError(
            f"the gradient for {root.name} has shape {show_shape(seed.shape)}, the tensor {show_shape(root.shape)}"
        )
    return seed if seed.dtype is root.dtype else OPS["cast"](seed, root.dtype)


def run_hooks(table: dict[int, Any], grad: Any) -> Any:
    """Pass a gradient through hooks; each may replace it."""
    call = current().call
    for hook in list(table.values()):
        new = hook(grad) if is_library_hook(hook) else call(hook, grad)
        if new is None:
            continue
        if not hasattr(new, "_storage"):
            raise ArgumentError(f"a gradient hook returned {type(new).__name__}; it must return a Tensor or None")
        if not same_shape(new.shape, grad.shape):
            raise ShapeError(f"a gradient hook changed the shape {show_shape(grad.shape)} to {show_shape(new.shape)}")
        grad = new
    return grad


def accumulate(tensor: Any, grad: Any, create_graph: bool = False) -> None:
    """Add `grad` to `tensor.grad`; the first one is taken as it is (memory shared, copied on a write)."""
    if storage.on_grad_write is not None:
        storage.on_grad_write(tensor, grad)
    partial = current().partial
    if partial is not None:
        grad = partial.zeroed(grad)
    storage.counters.touched += 1
    if tensor._grad is None or tensor._grad_is_zero:
        alias = grad.snapshot()
        if not create_graph:
            alias._node, alias._stop = None, True
        arrives = storage.on_first_grad
        tensor._grad = alias if arrives is None or tensor._grad_is_zero else arrives(tensor, grad, alias)
    else:
        tensor._grad = tensor._grad + grad
    tensor._grad_is_zero = False


def _require_outer(node: Node, grads: Sequence[Any], captures: Container[tuple[int, int]] | None) -> None:
    """GradientError if somebody waits for the gradient of an output that others which have one were computed from."""
    watched = (slot for slot in node.inner if slot in _watched(node, captures))
    if any(grads[other] is not None for slot in watched for other in node.inner[slot]):
        raise GradientError(
            f"{node.name} computed other results from one whose gradient is asked for (a hook, retain_grads() or "
            "vt.grad): a call of a compiled function is one step of the graph, and what passes between its results "
            "isn't known outside\n" + loc_of(node.place).excerpt(),
            remedy="compute that gradient in the function",
        )


def _watched(node: Node, captures: Container[tuple[int, int]] | None) -> set[int]:
    """The outputs of a step whose gradients somebody waits for."""
    found = {slot for slot, table in (node.hooks or {}).items() if table}
    if captures is not None:
        return found | {slot for slot in node.inner if (id(node), slot) in captures}
    return found | {slot for slot, (reference, _) in (node.retained or {}).items() if reference() is not None}


def freed(node: Node) -> GradientError:
    """The error for a step that an earlier pass has freed."""
    return GradientError(
        f"backward() was called twice through {node.name}; the graph is freed after the first call\n"
        + loc_of(node.place).excerpt(),
        remedy="give retain_graph=True to the first backward",
    )
